//! Headers that the `<upc.h>` of other compilers includes. A unit that uses their names without including them is
//! translated again with these headers.
//!
//! Our `<upc.h>` does not include them, so that programs may define these names themselves.

use super::compile::Session;
use crate::cli::Failure;
use crate::diag::{ByteSpan, Certainty, Diagnostics, Edit, Help, WarningPolicy, codes};
use crate::headers;
use crate::translate::{Preprocessed, TranslateOptions, Translation, translate_silently};
use std::path::Path;
use upcc_grammar::Parsed;

/// A header that declares names, the header to include for them, and the macro that makes our `<upc.h>` include it.
const BROUGHT: &[(&str, &str, &str)] = &[
    ("<stdlib.h>", "<stdlib.h>", "UPCR_BRING_STDLIB"),
    ("<inttypes.h>", "<inttypes.h>", "UPCR_BRING_INTTYPES"),
    ("<stdint.h>", "<inttypes.h>", "UPCR_BRING_INTTYPES"),
    ("<assert.h>", "<assert.h>", "UPCR_BRING_ASSERT"),
];

/// A missing name, the place in the preprocessed text that uses it, and a row of the table.
pub struct Missing {
    name: String,
    span: std::ops::Range<u32>,
    header: &'static str,
    switch: &'static str,
}

impl Session<'_> {
    /// Returns the unit translated again with the headers that it misses, if it includes `<upc.h>` and the second
    /// translation has fewer errors or neither has any; otherwise returns `first`. `preprocess` returns the unit's text
    /// with additional macros defined.
    ///
    /// # Errors
    /// Those of `preprocess`.
    pub fn with_brought_headers(
        &self,
        input: &Path,
        first: Translation,
        options: &TranslateOptions,
        preprocess: impl FnOnce(&[String]) -> Result<String, Failure>,
    ) -> Result<Translation, Failure> {
        let missing = missing(&first.diags, &first.parsed);
        let ours = self.runtime.include_dir().join("upc.h");
        if missing.is_empty() || !includes(&first.parsed, &ours) {
            return Ok(first);
        }
        let text = preprocess(&switches(&missing))?;
        let name = input.to_string_lossy().into_owned();
        let mut second = translate_silently(Preprocessed { text, name }, options);
        let (before, after) = (first.diags.error_count(), second.diags.error_count());
        if after > before || (after == before && before > 0) {
            return Ok(first);
        }
        let parsed = &first.parsed;
        let diags = report(&missing, self.options.messages.warnings.clone(), parsed);
        let renderer = &self.options.messages.renderer;
        renderer.print(&diags, &parsed.source_map, &parsed.stream.text);
        if diags.has_errors() {
            second.output = None;
        }
        Ok(second)
    }
}

/// Returns the macros that make our `<upc.h>` include the headers of these names.
pub fn switches(missing: &[Missing]) -> Vec<String> {
    let mut switches: Vec<String> = missing
        .iter()
        .map(|missing| format!("-D{}", missing.switch))
        .collect();
    switches.dedup();
    switches
}

/// Returns the warnings about the missing names; an option may turn them into errors.
pub fn report(missing: &[Missing], policy: WarningPolicy, parsed: &Parsed) -> Diagnostics {
    let mut diags = Diagnostics::new(policy);
    diags.begin(parsed);
    for Missing {
        name, span, header, ..
    } in missing
    {
        let message = format!("`{name}` is from {header}, which this file does not include");
        diags
            .report(codes::MISSING_INCLUDE, span.clone(), message)
            .help(include(header, span.clone()));
    }
    diags
}

/// The suggestion to include a header.
fn include(header: &str, bytes: ByteSpan) -> Help {
    let words = format!(
        "add `#include {header}`; without it, upcc accepts the name as if <upc.h> declared it, as in Berkeley UPC"
    );
    let header = header.to_owned();
    Help::edit(words, Edit::Include { bytes, header }, Certainty::Certain)
}

/// Returns the names that a unit's diagnostics report as unknown and that one of the headers declares: the first name for
/// each header.
pub fn missing(diags: &Diagnostics, parsed: &Parsed) -> Vec<Missing> {
    let text = &parsed.stream.text;
    let mut found: Vec<Missing> = Vec::new();
    for item in diags.items() {
        let Some(span) = item.span.clone() else {
            continue;
        };
        let name = text.get(span.start as usize..span.end as usize);
        let name = name.unwrap_or_default();
        let unknown = [codes::UNDECLARED, codes::UNKNOWN_TYPE, codes::SYNTAX].contains(&item.code);
        // `assert` looks like a function but is a macro. The C compiler reports other undeclared functions itself.
        let called = item.code == codes::IMPLICIT_FUNCTION && name == "assert";
        if !unknown && !called {
            continue;
        }
        let declared = headers::declaring(name);
        let row = BROUGHT
            .iter()
            .find(|(header, ..)| declared.as_deref() == Some(header));
        if let Some(&(_, header, switch)) = row
            && !found.iter().any(|known| known.header == header)
        {
            found.push(Missing {
                name: name.to_owned(),
                span,
                header,
                switch,
            });
        }
    }
    found
}

/// Returns whether a unit includes a file.
pub fn includes(parsed: &Parsed, file: &Path) -> bool {
    let mut files = parsed.source_map.files().iter();
    files.any(|name| Path::new(name) == file)
}
