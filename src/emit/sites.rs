//! The sites of performance events: `upcc_sites`, the table that instrumented code points into (`upcr/inst.h`); and the
//! loops around them, and what the compiler does with the references.

use super::rt::c_string;
use crate::diag::locate::Locator;
use crate::events::CALLS;
use crate::il::{LoopKind, LoopText, Module, PatchTo, Scope, Site, SiteId, SiteKind};
use crate::passes::remarks::{About, Remark};
use hashbrown::HashMap;
use std::borrow::Cow;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;
use upcc_grammar::lex::TokenStream;

/// Returns the tables as C text; empty if there are no sites.
pub(super) fn table(module: &Module, parsed: &Parsed, remarks: &[Remark]) -> String {
    if module.sites.is_empty() {
        return String::new();
    }
    let mut locator = Locator::new(&parsed.source_map, &parsed.stream.text);
    let mut text = format!("static upcr_site upcc_sites[{}] = {{\n", module.sites.len());
    for site in &module.sites {
        text.push_str(&record(module, parsed, &mut locator, site));
    }
    text.push_str("};\n");
    text + &loops(module, parsed, &mut locator) + &references(module, parsed, &mut locator, remarks)
}

/// Returns the table of what the compiler does with references that raise events, where no tool receives them; empty if
/// it knows nothing to say.
fn references(
    module: &Module,
    parsed: &Parsed,
    locator: &mut Locator<'_>,
    remarks: &[Remark],
) -> String {
    let known = Known::new(&parsed.stream, remarks);
    let mut rows: Vec<String> = Vec::new();
    for site in &module.sites {
        let SiteKind::Access(_) = site.kind else {
            continue;
        };
        let at = inside_parentheses(&parsed.stream, site.at);
        let Some(text) = known.of(at) else { continue };
        let (file, line, column) = place(parsed, locator, at.lo);
        let (file, text) = (c_string(file), c_string(text));
        let row = format!("    {{{file}, {line}, {column}, {text}}},\n");
        // A read and a write of one place are two sites.
        if rows.last() != Some(&row) {
            rows.push(row);
        }
    }
    match rows.is_empty() {
        true => String::new(),
        false => format!("UPCR_INST_REFERENCES = {{\n{}}};\n", rows.concat()),
    }
}

/// The remarks on references where no tool receives events.
struct Known<'a> {
    references: HashMap<(u32, u32), &'a str>,
    /// Loops whose accesses stay as they are.
    kept: Vec<&'a Remark>,
}

impl<'a> Known<'a> {
    fn new(stream: &TokenStream, remarks: &'a [Remark]) -> Known<'a> {
        let mut known = Known {
            references: HashMap::new(),
            kept: Vec::new(),
        };
        for remark in remarks {
            match &remark.about {
                About::Reference(record) if !record.raises_events => {
                    let at = inside_parentheses(stream, remark.span);
                    known.references.insert((at.lo, at.hi), &remark.text);
                }
                About::KeptLoop => known.kept.push(remark),
                About::Reference(_) | About::Loop => {}
            }
        }
        known
    }

    /// The remark on a reference; else that on the innermost loop around it.
    fn of(&self, at: Span) -> Option<&'a str> {
        let is_around = |it: &&&Remark| it.span.lo <= at.lo && at.hi <= it.span.hi;
        let around = self.kept.iter().filter(is_around);
        let innermost = || around.min_by_key(|it| it.span.hi - it.span.lo);
        let of_reference = self.references.get(&(at.lo, at.hi)).copied();
        of_reference.or_else(|| innermost().map(|it| it.text.as_str()))
    }
}

/// Returns the table of loops that have sites in them; empty if there are none.
fn loops(module: &Module, parsed: &Parsed, locator: &mut Locator<'_>) -> String {
    let mut sites: Vec<u32> = module.sites.iter().map(|site| site.at.lo).collect();
    sites.sort_unstable();
    let has_sites = |of: &&LoopText| {
        let first = sites.partition_point(|&site| site < of.at.lo);
        sites.get(first).is_some_and(|&site| site < of.at.hi)
    };
    let loops = module.loops.iter().filter(has_sites);
    let rows: String = loops
        .filter_map(|of| loop_record(parsed, locator, of))
        .collect();
    match rows.is_empty() {
        true => rows,
        false => format!("UPCR_INST_LOOPS = {{\n{rows}}};\n"),
    }
}

/// Formats `{file, line, column, last line, last column, kind},`: the places of its first and of its last token. `None`:
/// they are in different files.
fn loop_record(parsed: &Parsed, locator: &mut Locator<'_>, of: &LoopText) -> Option<String> {
    let (file, line, column) = place(parsed, locator, of.at.lo);
    let (last_file, last_line, last_column) = place(parsed, locator, of.at.hi - 1);
    let kind = match of.kind {
        LoopKind::For => "UPCR_LOOP_FOR",
        LoopKind::While => "UPCR_LOOP_WHILE",
        LoopKind::Do => "UPCR_LOOP_DO",
    };
    (file == last_file).then(|| {
        format!(
            "    {{{}, {line}, {column}, {last_line}, {last_column}, {kind}}},\n",
            c_string(file)
        )
    })
}

/// Formats `{file, line, column, util, type, name, id, skip_index},`.
fn record(module: &Module, parsed: &Parsed, locator: &mut Locator<'_>, site: &Site) -> String {
    let at = match site.kind {
        SiteKind::Access(_) => inside_parentheses(&parsed.stream, site.at),
        SiteKind::Bare | SiteKind::Function => site.at,
    };
    let (file, line, column) = place(parsed, locator, at.lo);
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

/// Returns the file, line and column of a token.
fn place<'a>(parsed: &Parsed, locator: &mut Locator<'a>, token: u32) -> (&'a str, u32, u32) {
    let token = Span {
        lo: token,
        hi: token + 1,
    };
    locator.start(&parsed.stream.bytes(token))
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
