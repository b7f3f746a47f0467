//! Diagnostics of every stage: collected with byte spans of the preprocessed text, shown at the user's file, line and column.
//!
//! `codes` the one table of codes; this file the collector; `policy` which warnings are wanted; `pages` what `--explain` says of them; `locate` (and `align`) from preprocessed spans to the user's text; `render` the output, `json` its other form.

mod align;
pub mod codes;
mod excerpt;
mod json;
pub(crate) mod locate;
pub mod pages;
mod policy;
mod render;

pub use codes::{Code, Severity};
pub use policy::{WarningPolicy, WarningTarget, is_upc_pragma, silenced_in_c};
pub use render::{ColorChoice, Format, Renderer};

use crate::progress;
use policy::Verdicts;
use std::ops::Range;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;

/// Ends the translation: a case that cannot be has come up while the text of `span` was in work. The status is 70, and the message names the place.
#[track_caller]
pub fn ice(span: Span, what: &str) -> ! {
    progress::at(span.lo);
    panic!("internal error: {what}");
}

/// Bytes of the preprocessed text.
pub type ByteSpan = Range<u32>;

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: ByteSpan,
    /// What is there, in a few words.
    pub text: String,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind; gives severity and rule.
    pub code: Code,
    /// What is wrong here, naming the things involved: one line, no capital, no full stop.
    pub message: String,
    /// The text that is wrong. `None`: the whole translation unit.
    pub span: Option<ByteSpan>,
    /// Text under the primary span; empty: none.
    pub label: String,
    /// Other places that matter, such as an earlier declaration.
    pub labels: Vec<Label>,
    /// Ways out: what to write instead, which flag to give.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without labels.
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

    /// The option that governs a warning of this severity: `-Wupc-block-size`, `-Werror=upc-block-size`. `None`: it is an error in itself.
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

    /// Adds a further place.
    pub fn label(&mut self, span: ByteSpan, text: impl Into<String>) -> &mut Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a way out.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
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
    /// An empty collection under a policy.
    pub fn new(policy: WarningPolicy) -> Diagnostics {
        Diagnostics {
            verdicts: Verdicts::new(policy),
            ..Diagnostics::default()
        }
    }

    /// Makes the unit's `#pragma GCC diagnostic` and its system headers known, before anything is reported.
    pub fn begin(&mut self, parsed: &Parsed) {
        for &pragma in &parsed.stream.pragmas {
            let text = parsed.stream.pragma_text(pragma);
            self.verdicts.pragma(pragma.end, &text);
        }
        self.verdicts
            .system_headers(parsed.source_map.system_headers());
    }

    /// Reports a diagnostic at a place. The result takes labels and help:
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

    /// The last diagnostic reported, to add a place to.
    pub fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.items.last_mut()
    }

    /// How a diagnostic counts under the options and at its place; `None`: it is not shown.
    pub fn severity_of(&self, item: &Diagnostic) -> Option<Severity> {
        self.verdicts.severity(item.code, item.span.as_ref())
    }

    /// Number of errors so far.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Everything reported, in order of report.
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }

    /// What to show, sorted by place, without repetitions of the same code, place and message.
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
