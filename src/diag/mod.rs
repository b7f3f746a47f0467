//! Diagnostics of every stage: collected with byte spans of the preprocessed text, and shown at the user's file, line
//! and column.
//!
//! `codes` is the table of codes, this file the collector, `policy` selects the warnings, `pages` has the texts of
//! `--explain`, `locate` (with `align`) maps preprocessed spans to the user's text, `render` writes the output and
//! `json` its JSON form. `fix` finds the edits of suggestions in the user's files, and applies them.

mod align;
pub mod codes;
mod excerpt;
mod fix;
mod json;
pub(crate) mod locate;
pub mod pages;
mod policy;
mod render;

pub use codes::{Code, Severity};
pub use fix::{CertainFixes, Fix, TextEdit, applied};
pub use policy::{WarningPolicy, WarningTarget, is_upc_pragma};
pub use render::{ColorChoice, Format, Renderer, Shown, certain_fixes};

use crate::progress;
use policy::Verdicts;
use std::ops::Range;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;
pub use upcc_grammar::fix::{Certainty, Edit, Help};

/// Ends the translation on an internal error found while the text of `span` was being processed. The exit status is 70,
/// and the message names the place.
#[track_caller]
pub fn ice(span: Span, what: &str) -> ! {
    progress::at(span.lo);
    panic!("internal error: {what}");
}

/// Returns the value, or ends the translation as [`ice`] does if there is none.
#[track_caller]
pub fn known<T>(value: Option<T>, span: Span, what: &str) -> T {
    match value {
        Some(value) => value,
        None => ice(span, what),
    }
}

/// A range of bytes of the preprocessed text.
pub type ByteSpan = Range<u32>;

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: ByteSpan,
    /// A short text about it.
    pub text: String,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of diagnostic, which determines severity and rule.
    pub code: Code,
    /// The message about this case, naming the entities involved: one line, no capital, no full stop.
    pub message: String,
    /// The offending text; empty: something is missing behind the text in front of it. `None`: the whole translation
    /// unit.
    pub span: Option<ByteSpan>,
    /// Text under the primary span; empty if none.
    pub label: String,
    /// Related places, such as an earlier declaration.
    pub labels: Vec<Label>,
    /// Suggestions: what to write instead, which flag to use.
    pub help: Vec<Help>,
}

impl Diagnostic {
    /// Creates a diagnostic without labels.
    pub fn new(code: Code, span: Option<ByteSpan>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            span,
            label: String::new(),
            labels: Vec::new(),
            help: Vec::new(),
        }
    }

    /// The option that governs a warning of this severity: `-Wupc-block-size`, `-Werror=upc-block-size`. `None`: the
    /// diagnostic is not a warning.
    pub fn option(&self, severity: Severity) -> Option<String> {
        let name = self.code.option?.name;
        Some(match severity {
            Severity::Warning => format!("-W{name}"),
            Severity::Error => format!("-Werror={name}"),
        })
    }

    /// Sets the words under the primary span.
    pub fn here(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = text.into();
        self
    }

    /// Adds a label at a further place.
    pub fn label(&mut self, span: ByteSpan, text: impl Into<String>) -> &mut Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a suggestion, and the place that it speaks of.
    pub fn help(&mut self, help: impl Into<Help>) -> &mut Self {
        let mut help = help.into();
        if let Some((span, text)) = help.other.take() {
            self.label(span, text);
        }
        self.help.push(help);
        self
    }
}

/// Collects the diagnostics of one translation unit.
#[derive(Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    errors: usize,
    verdicts: Verdicts,
}

impl Diagnostics {
    /// Creates an empty collection under a policy.
    pub fn new(policy: WarningPolicy) -> Diagnostics {
        Diagnostics {
            verdicts: Verdicts::new(policy),
            ..Diagnostics::default()
        }
    }

    /// Registers the unit's `#pragma GCC diagnostic` lines and its system headers. Must be called before any report.
    pub fn begin(&mut self, parsed: &Parsed) {
        for &pragma in &parsed.stream.pragmas {
            let text = parsed.stream.pragma_text(pragma);
            self.verdicts.pragma(pragma.end, &text);
        }
        self.verdicts
            .system_headers(parsed.source_map.system_headers());
    }

    /// Reports a diagnostic at a place. Labels and help can be added to the result:
    /// `diags.report(codes::REDEFINED, span, "redefinition of `x`").label(old, "first defined here")`.
    pub fn report(
        &mut self,
        code: Code,
        span: ByteSpan,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, Some(span), message))
    }

    /// Reports a diagnostic without a place.
    pub fn report_unit(&mut self, code: Code, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, None, message))
    }

    /// Adds a finished diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        if self.severity_of(&diagnostic) == Some(Severity::Error) {
            self.errors += 1;
        }
        self.items.push(diagnostic);
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    /// The last diagnostic reported, so that a place can be added to it.
    pub fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.items.last_mut()
    }

    /// Adds an edit to the first suggestion of report `index`, which covers a further place.
    pub fn add_edit(&mut self, index: usize, edit: Edit) {
        let item = self.items.get_mut(index);
        if let Some(help) = item.and_then(|item| item.help.first_mut()) {
            help.edits.push(edit);
        }
    }

    /// The severity of a diagnostic under the options and at its place; `None`: it is not shown.
    pub fn severity_of(&self, item: &Diagnostic) -> Option<Severity> {
        self.verdicts.severity(item.code, item.span.as_ref())
    }

    /// Number of errors so far.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// True if an error was reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All reported diagnostics, in order of report.
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }

    /// Gives the diagnostics away.
    pub fn into_items(self) -> impl Iterator<Item = Diagnostic> {
        self.items.into_iter()
    }

    /// The diagnostics to show, sorted by place, without repetitions of the same code, place and message.
    fn sorted(&self) -> Vec<(&Diagnostic, Severity)> {
        let counted = |item| self.severity_of(item).map(|severity| (item, severity));
        let mut shown: Vec<(&Diagnostic, Severity)> =
            self.items.iter().filter_map(counted).collect();
        let key = |item: &Diagnostic| item.span.as_ref().map(|span| (span.start, span.end));
        shown.sort_by_key(|(item, _)| key(item));
        shown.dedup_by(|(a, _), (b, _)| {
            a.code == b.code && a.span == b.span && a.message == b.message
        });
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_in_order_of_place_without_repetition() {
        let mut diags = Diagnostics::default();
        diags.report(codes::UNDECLARED, 9..10, "b");
        diags.report(codes::UNDECLARED, 2..3, "a");
        diags.report(codes::UNDECLARED, 9..10, "b");
        let messages: Vec<&str> = diags
            .sorted()
            .iter()
            .map(|(item, _)| item.message.as_str())
            .collect();
        assert_eq!(messages, ["a", "b"]);
    }
}
