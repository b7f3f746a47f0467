//! Reports messages: each has a code (which names the rule), a place, and a suggested fix.

use super::Context;
use crate::diag::Help;
pub(super) use crate::diag::codes as code;
use upcc_grammar::ast::Span;

impl Context<'_> {
    /// Reports an error at a token range, with a suggested fix.
    pub(super) fn error(
        &mut self,
        code: code::Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<Help>,
    ) {
        let bytes = self.parsed.stream.bytes(span);
        self.diags.report(code, bytes, message).help(help);
    }

    /// Reports a warning; its code must be that of a warning.
    pub(super) fn warn(
        &mut self,
        code: code::Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<Help>,
    ) {
        self.error(code, span, message, help);
    }

    /// Adds another place to the last report.
    pub(super) fn note(&mut self, other: Span, text: &str) {
        let bytes = self.parsed.stream.bytes(other);
        if let Some(last) = self.diags.last_mut() {
            last.label(bytes, text);
        }
    }

    /// Reports an error that involves a second place.
    pub(super) fn error_with_note(
        &mut self,
        code: code::Code,
        span: Span,
        message: impl Into<String>,
        other: Span,
        note: &str,
        help: &str,
    ) {
        let stream = &self.parsed.stream;
        let (bytes, other) = (stream.bytes(span), stream.bytes(other));
        self.diags
            .report(code, bytes, message)
            .label(other, note)
            .help(help);
    }
}
