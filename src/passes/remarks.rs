//! Remarks: what the passes did with the loops of a unit, reference by reference, or why they did nothing (`-Rupc`).

use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;

/// What became of a loop or a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Its tokens.
    pub span: Span,
    pub text: String,
}

/// The lines that a user sees, in source order and each once: `file:line:column: remark: ...`. Remarks on the text of
/// system headers are left out.
#[must_use]
pub fn lines(mut remarks: Vec<Remark>, parsed: &Parsed) -> Vec<String> {
    remarks.retain(|remark| !parsed.in_system_header(remark.span));
    remarks.sort_by_key(|remark| remark.span.lo);
    let mut lines: Vec<String> = Vec::new();
    for Remark { span, text } in remarks {
        let at = parsed.stream.bytes(span).start;
        let loc = parsed.source_map.lookup(at);
        let column = at - parsed.source_map.line_range(at).start + 1;
        let file = parsed.source_map.file(loc.file);
        let line = format!("{file}:{}:{column}: remark: {text}", loc.line);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// The text of a reference in a remark: its tokens on one line.
pub(super) fn quoted(parsed: &Parsed, span: Span) -> String {
    let text = parsed.stream.slice(span);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    format!("`{}`", words.join(" "))
}
