//! Rename of local variables, parameters and labels. Other names may be used by other files, which the server does not see.

use super::analysis::Analysis;
use crate::sema::{Named, Occurrence};
use lsp_types::{Range, TextEdit};
use upcc_grammar::ast::Span;
use upcc_grammar::token::{KEYWORDS, TokenKind};

/// Returns the range of a name that can be renamed.
///
/// # Errors
/// Why it cannot, for the user.
pub fn prepare(analysis: &Analysis, occurrence: &Occurrence) -> Result<Range, String> {
    let name = analysis.spelling(occurrence);
    let what = match occurrence.named {
        Named::Local(_) | Named::Label(_) => {
            let place = analysis.place(&mut analysis.locator(), occurrence);
            return Ok(place.range());
        }
        Named::Object(id) if analysis.unit.module.objects[id].is_function => "a function",
        Named::Object(id) if analysis.unit.module.objects[id].local => "a static variable",
        Named::Object(_) => "a variable of the file",
        Named::Typedef(_) => "a typedef name",
        Named::Enumerator(_) => "an enumeration constant",
        Named::Record(_) | Named::Enum(_) => "a tag",
        Named::Member(..) => "a member",
    };
    Err(format!(
        "`{name}` is {what}: only local variables, parameters and labels can be renamed, because other files may use other names"
    ))
}

/// Returns the edits that rename a local.
///
/// # Errors
/// Why this would change the program, for the user.
pub fn edits(
    analysis: &Analysis,
    occurrence: &Occurrence,
    new: &str,
) -> Result<Vec<TextEdit>, String> {
    prepare(analysis, occurrence)?;
    let old = analysis.spelling(occurrence);
    check_name(new)?;
    let mut locator = analysis.locator();
    let mut edits = Vec::new();
    for each in analysis.occurrences_of(occurrence.named) {
        let place = analysis.place(&mut locator, each);
        if !place.written || place.path != analysis.path {
            return Err(format!(
                "`{old}` is also used by a macro or a header (line {}): rename it there by hand",
                place.line + 1
            ));
        }
        edits.push(TextEdit::new(place.range(), new.to_owned()));
    }
    if other_use(analysis, occurrence, |token| {
        token.contains(&format!("%l[{old}]"))
    })
    .is_some()
    {
        return Err(format!(
            "`{old}` is also named in the text of an asm statement: rename it by hand"
        ));
    }
    if let Some(token) = other_use(analysis, occurrence, |token| token == new) {
        let span = Span {
            lo: token,
            hi: token + 1,
        };
        let line = analysis.place_of(&mut locator, span).line + 1;
        return Err(format!(
            "`{new}` already occurs in this function (line {line}): the rename could change what it names"
        ));
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.dedup_by_key(|edit| edit.range.start);
    Ok(edits)
}

fn check_name(new: &str) -> Result<(), String> {
    let first = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !first || !new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!(
            "`{new}` is not a name: letters, digits and `_`, not beginning with a digit"
        ));
    }
    if KEYWORDS.iter().any(|(keyword, _)| *keyword == new) {
        return Err(format!("`{new}` is a keyword"));
    }
    Ok(())
}

/// Returns a token of the function around an occurrence with such a text.
fn other_use(
    analysis: &Analysis,
    occurrence: &Occurrence,
    fits: impl Fn(&str) -> bool,
) -> Option<u32> {
    let parsed = &analysis.unit.parsed;
    let items = &analysis.unit.module.items;
    let after = items.partition_point(|item| item.span.lo <= occurrence.token);
    let span = items[after.checked_sub(1)?].span;
    (span.lo..span.hi).find(|&at| {
        let kind = parsed.stream.tokens[at as usize].kind;
        matches!(kind, TokenKind::Ident | TokenKind::Str) && fits(parsed.stream.token_text(at))
    })
}
