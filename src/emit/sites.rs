//! The sites of performance events: `upcc_sites`, the table that instrumented code points into (`upcr/inst.h`).

use super::rt::c_string;
use crate::diag::locate::Locator;
use crate::events::CALLS;
use crate::il::{Module, PatchTo, Scope, Site, SiteId, SiteKind};
use std::borrow::Cow;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;
use upcc_grammar::lex::TokenStream;

/// Returns the table as C text; empty if there are no sites.
pub(super) fn table(module: &Module, parsed: &Parsed) -> String {
    if module.sites.is_empty() {
        return String::new();
    }
    let mut locator = Locator::new(&parsed.source_map, &parsed.stream.text);
    let mut text = format!("static upcr_site upcc_sites[{}] = {{\n", module.sites.len());
    for site in &module.sites {
        text.push_str(&record(module, parsed, &mut locator, site));
    }
    text.push_str("};\n");
    text
}

/// Formats `{file, line, column, util, type, name, id, skip_index},`.
fn record(module: &Module, parsed: &Parsed, locator: &mut Locator<'_>, site: &Site) -> String {
    let at = match site.kind {
        SiteKind::Access(_) => inside_parentheses(&parsed.stream, site.at),
        SiteKind::Bare | SiteKind::Function => site.at,
    };
    let first = Span {
        hi: at.lo + 1,
        ..at
    };
    let (file, line, column) = locator.start(&parsed.stream.bytes(first));
    let (ty, name) = match site.kind {
        SiteKind::Bare => (None, None),
        SiteKind::Access(ty) => (
            Some(module.types.display(ty, &parsed.interner)),
            Some(words(&parsed.stream, at)),
        ),
        SiteKind::Function => (Some(words(&parsed.stream, at)), None),
    };
    let literal = |text: Option<String>| text.map_or("0".to_owned(), |text| c_string(&text));
    format!(
        "    {{{}, {line}, {column}, 0, {}, {}, 0, 0}},\n",
        c_string(file),
        literal(ty),
        literal(name)
    )
}

/// Strips parentheses around the whole text, which macros add.
fn inside_parentheses(stream: &TokenStream, mut span: Span) -> Span {
    while closes_last(stream, span) {
        span.lo += 1;
        span.hi -= 1;
    }
    span
}

/// True if the text begins with a parenthesis that its last token closes.
fn closes_last(stream: &TokenStream, span: Span) -> bool {
    let mut depth = 0u32;
    for token in span.lo..span.hi {
        match stream.token_text(token) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return token > span.lo && token + 1 == span.hi;
        }
    }
    false
}

/// Bytes after which a name is cut: chains of members have a site for each of their prefixes.
const SHOWN: usize = 200;

/// The tokens on one line, spaced as the user wrote them, without comments, pragmas and attributes.
fn words(stream: &TokenStream, span: Span) -> String {
    let mut text = String::new();
    let mut end = None;
    for token in span.lo..span.hi {
        let at = stream.tokens[token as usize];
        if text.len() > SHOWN {
            return text + "...";
        }
        if end.is_some_and(|end| end < at.start) {
            text.push(' ');
        }
        text.push_str(stream.token_text(token));
        end = Some(at.end);
    }
    text
}

/// Returns the declaration that stands for a scope.
pub(super) fn scope_text(scope: Scope) -> String {
    match scope {
        Scope::Function(SiteId(site)) => format!("UPCR_INST_FUNCTION(UPCR_SITE({site}));"),
        Scope::Forall(SiteId(site)) => format!("UPCR_INST_FORALL(UPCR_SITE({site}));"),
        Scope::RaceOk(token) => format!("UPCR_RACE_OK(upcc_race_ok_{token});"),
        Scope::RaceOkEnd(token) => format!("UPCR_RACE_OK_END(upcc_race_ok_{token});"),
    }
}

/// Spells what stands in place of a token of verbatim text.
pub(super) fn patch(to: PatchTo) -> Cow<'static, str> {
    match to {
        PatchTo::Instrumented(index) => CALLS[index].instrumented.as_str().into(),
        PatchTo::SiteArgument { site, only } => {
            let comma = if only { "" } else { ", " };
            format!("(UPCR_SITE({}){comma}", site.0).into()
        }
        PatchTo::OpenFunction { site, inner } => {
            let scope = scope_text(Scope::Function(site));
            let brace = if inner { " {" } else { "" };
            format!("{{ {scope}{brace}").into()
        }
        PatchTo::CloseInner => "} }".into(),
    }
}
