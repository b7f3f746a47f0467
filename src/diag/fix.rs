//! The edits of suggestions in the user's files: where they are, and how `upcc --fix` applies them.

use super::locate::Locator;
use super::{Certainty, Edit};
use std::collections::BTreeMap;
use std::ops::Range;

/// One edit of a user's file. Edits only touch what the user wrote: not the expansion of a macro, not a system header.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// The bytes of the line that are replaced; empty: an insertion.
    pub columns: Columns,
    /// What is written there.
    pub text: String,
    /// The line as it is.
    pub old: String,
}

/// First byte and end of a range, as a pair that can be ordered.
pub type Columns = (usize, usize);

/// The edits of one suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub edits: Vec<TextEdit>,
    pub certainty: Certainty,
}

/// Returns all edits of a suggestion in the user's files; `None` if there are none, or if one of them cannot be made
/// there.
pub fn located(help: &super::Help, locator: &mut Locator<'_>) -> Option<Fix> {
    let edits: Option<Vec<TextEdit>> = help.edits.iter().map(|e| text_edit(e, locator)).collect();
    let edits = edits.filter(|edits| !edits.is_empty())?;
    Some(Fix {
        edits,
        certainty: help.certainty,
    })
}

fn text_edit(edit: &Edit, locator: &mut Locator<'_>) -> Option<TextEdit> {
    if let Edit::Include { bytes, header } = edit {
        let (file, line, text) = locator.file_of(bytes)?;
        return include(file, text, line, header);
    }
    if locator.is_system(edit.bytes()) {
        return None;
    }
    let place = locator.written(edit.bytes())?;
    let Range { start, end } = place.range;
    let (columns, text) = match edit {
        Edit::Before { text, .. } => ((start, start), text),
        Edit::After { text, .. } => ((end, end), text),
        Edit::Replace { text, .. } | Edit::Include { header: text, .. } => ((start, end), text),
    };
    Some(TextEdit {
        file: place.file,
        line: place.line,
        columns,
        text: text.clone(),
        old: place.text,
    })
}

/// Inserts an `#include` behind the last one that precedes line `before` at the top level of the file, else in front of
/// the first line that is not a comment. `None`: the file includes it already, or there is no such place.
fn include(file: &str, text: &str, before: u32, header: &str) -> Option<TextEdit> {
    let mut nested = 0usize;
    let (mut last, mut first) = (None, None);
    let mut in_comment = false;
    for (index, line) in text.lines().enumerate().take(before as usize) {
        let words = line.trim_start();
        let commented = in_comment || words.starts_with("//") || words.starts_with("/*");
        in_comment = match in_comment || words.starts_with("/*") {
            true => !words.contains("*/"),
            false => false,
        };
        if !commented && first.is_none() {
            first = Some(index);
        }
        let directive = words.strip_prefix('#').map(str::trim_start);
        match directive {
            Some(word) if word.starts_with("if") => nested += 1,
            Some(word) if word.starts_with("endif") => nested = nested.saturating_sub(1),
            Some(word) if word.starts_with("include") => {
                if word.contains(header) {
                    return None;
                }
                if nested == 0 {
                    last = Some(index);
                }
            }
            _ => {}
        }
    }
    // A file may begin with a guard, which holds all of its includes.
    let line = last
        .map(|line| line + 1)
        .or(first.filter(|_| nested == 0))?;
    Some(TextEdit {
        file: file.to_owned(),
        line: line as u32 + 1,
        columns: (0, 0),
        text: format!("#include {header}\n"),
        old: text.lines().nth(line)?.to_owned(),
    })
}

/// The content of a file after edits, which must be sorted. Of edits that overlap or are equal, the first is made.
/// `None`: the file is not what the edits were made for.
pub fn applied(content: &[u8], edits: &[&TextEdit]) -> Option<Vec<u8>> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', content).map(|at| at + 1))
        .collect();
    let mut result = Vec::with_capacity(content.len() + 64);
    let mut done = 0;
    let mut made: Option<&TextEdit> = None;
    for edit in edits {
        let start = *starts.get((edit.line as usize).checked_sub(1)?)?;
        let line = content.get(start..)?;
        if !line.starts_with(edit.old.as_bytes()) {
            return None;
        }
        let (from, to) = (start + edit.columns.0, start + edit.columns.1);
        if from < done || made == Some(edit) {
            continue;
        }
        result.extend_from_slice(content.get(done..from)?);
        result.extend_from_slice(edit.text.as_bytes());
        done = to;
        made = Some(edit);
    }
    result.extend_from_slice(content.get(done..)?);
    Some(result)
}

/// The edits of the certain fixes of one unit, by file.
#[derive(Debug, Default)]
pub struct CertainFixes {
    pub files: BTreeMap<String, Vec<TextEdit>>,
}

impl CertainFixes {
    /// Adds the edits of a fix if it is certain.
    pub fn add(&mut self, fix: Fix) {
        match fix.certainty {
            Certainty::Maybe => {}
            Certainty::Certain => {
                for edit in fix.edits {
                    let file = self.files.entry(edit.file.clone()).or_default();
                    file.push(edit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(line: u32, columns: Columns, text: &str, old: &str) -> TextEdit {
        TextEdit {
            file: "a.upc".into(),
            line,
            columns,
            text: text.into(),
            old: old.into(),
        }
    }

    #[test]
    fn edits_of_one_file() {
        let edits = [
            edit(1, (5, 5), ";", "int x"),
            edit(2, (0, 1), "yy", "y=1;"),
            edit(2, (0, 1), "yy", "y=1;"),
            edit(2, (3, 3), "0", "y=1;"),
        ];
        let edits: Vec<&TextEdit> = edits.iter().collect();
        let made = applied(b"int x\ny=1;\n", &edits);
        assert_eq!(made.as_deref(), Some(&b"int x;\nyy=10;\n"[..]));
        assert_eq!(applied(b"int z\ny=1;\n", &edits), None);
        assert_eq!(applied(b"int x", &edits), None);
    }

    #[test]
    fn includes_go_behind_the_last_one() {
        let place = |text: &str, before| {
            include("a.upc", text, before, "<math.h>").map(|edit| (edit.line, edit.text))
        };
        let added = "#include <math.h>\n".to_owned();
        let text = "// a\n/* b\n * c */\n#include <upc.h>\n#if X\n#include <x.h>\n#endif\nint f;\n";
        assert_eq!(place(text, 8), Some((5, added.clone())));
        assert_eq!(place("/* a\n b */\nint f;\n", 3), Some((3, added.clone())));
        assert_eq!(place("int f;", 1), Some((1, added)));
        assert_eq!(place("#include <math.h>\nint f;", 2), None);
        assert_eq!(place("#ifndef A\n#define A\nint f;\n#endif\n", 3), None);
    }
}
