//! `--fix`: applies the certain fixes of a unit's diagnostics to the user's files.

use super::compile::Session;
use crate::cli::Failure;
use crate::cli::write_whole;
use crate::diag::{CertainFixes, TextEdit, applied, certain_fixes};
use crate::translate::Translation;
use std::path::Path;

/// The most rounds for one unit: a fix may uncover an error that the one before it hid.
const ROUNDS: usize = 20;

impl Session<'_> {
    /// Applies the certain fixes of a translation, and of what `again` translates after them, until there are none.
    /// Returns the last translation.
    ///
    /// # Errors
    /// A file cannot be written, and those of `again`.
    pub fn fixed(
        &self,
        mut translation: Translation,
        mut again: impl FnMut() -> Result<Translation, Failure>,
    ) -> Result<Translation, Failure> {
        for _ in 0..ROUNDS {
            let parsed = &translation.parsed;
            let text = &parsed.stream.text;
            let fixes = certain_fixes(&translation.diags, &parsed.source_map, text);
            if apply(fixes)? == 0 {
                break;
            }
            translation = again()?;
        }
        Ok(translation)
    }
}

/// Writes the files with their fixes, says what was done, and returns the number of files.
fn apply(fixes: CertainFixes) -> Result<usize, Failure> {
    let mut written = 0;
    for (file, mut edits) in fixes.files {
        edits.sort();
        let path = Path::new(&file);
        let old = std::fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
        let changes: Vec<&TextEdit> = edits.iter().collect();
        // A file that another program has changed since is left alone.
        let Some(new) = applied(&old, &changes).filter(|new| *new != old) else {
            continue;
        };
        write_whole(path, &new)?;
        written += 1;
        edits.dedup();
        for edit in &edits {
            super::log(&format!("{file}:{}: {}", edit.line, change(edit)));
        }
    }
    Ok(written)
}

/// What an edit did.
fn change(edit: &TextEdit) -> String {
    let (start, end) = edit.columns;
    let (old, new) = (&edit.old[start..end], edit.text.trim());
    match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("added `{new}`"),
        (false, true) => format!("removed `{old}`"),
        (false, false) => format!("replaced `{old}` with `{new}`"),
    }
}
