//! The places of performance events: `upcc_sites`, the table that instrumented code points into (`upcr/inst.h`).

use super::rt::c_string;
use crate::diag::locate::Locator;
use crate::il::{Module, Scope, Site, SiteKind};
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;
use upcc_grammar::lex::TokenStream;

/// The table as C text; empty if there are no sites.
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

/// `{file, line, column, util, type, name, id, reserved},`
fn record(module: &Module, parsed: &Parsed, locator: &mut Locator<'_>, site: &Site) -> String {
    let first = Span {
        hi: site.at.lo + 1,
        ..site.at
    };
    let place = locator.place(&parsed.stream.bytes(first));
    let (ty, name) = match site.kind {
        SiteKind::Bare => (None, None),
        SiteKind::Access(ty) => (
            Some(module.types.display(ty, &parsed.interner)),
            Some(words(&parsed.stream, site.at)),
        ),
        SiteKind::Function => (Some(words(&parsed.stream, site.at)), None),
    };
    let literal = |text: Option<String>| text.map_or("0".to_owned(), |text| c_string(&text));
    format!(
        "    {{{}, {}, {}, 0, {}, {}, 0, 0}},\n",
        c_string(&place.file),
        place.line,
        place.range.start + 1,
        literal(ty),
        literal(name)
    )
}

/// Tokens on one line, as the user spaced them: without comments, pragmas and attributes.
fn words(stream: &TokenStream, span: Span) -> String {
    let mut text = String::new();
    let mut end = None;
    for token in span.lo..span.hi {
        let at = stream.tokens[token as usize];
        if end.is_some_and(|end| end < at.start) {
            text.push(' ');
        }
        text.push_str(stream.token_text(token));
        end = Some(at.end);
    }
    text
}

/// The declaration that raises a pair of events around the rest of its block.
pub(super) fn scope_text(scope: Scope, site: u32) -> String {
    let name = match scope {
        Scope::Function => "UPCR_INST_FUNCTION",
        Scope::Forall => "UPCR_INST_FORALL",
    };
    format!("{name}(&upcc_sites[{site}]);")
}
