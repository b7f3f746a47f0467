//! A header that the preprocessor does not find, as a diagnostic of ours: with the name of a header that is like it.

use super::columns::without_escapes;
use super::settings::Options;
use crate::diag::{Certainty, Diagnostics, Help, codes};
use crate::headers;
use crate::text::printable;
use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::path::Path;
use upcc_grammar::source_map::SourceMap;
use upcc_grammar::spell::closest;

/// What C compilers say after `file:line:column: fatal error: ` about a header, in front of its name and behind it.
const NOT_FOUND: [(&str, &str); 2] = [
    ("", ": No such file or directory"),
    ("'", "' file not found"),
];

/// An `#include` of a header that does not exist.
struct Missing<'t> {
    /// What the preprocessor says before.
    before: &'t str,
    file: &'t str,
    line: u32,
    header: &'t str,
}

impl<'t> Missing<'t> {
    /// Reads the messages of the preprocessor, without escapes.
    fn of(text: &'t str) -> Option<Missing<'t>> {
        let fatal = text.find(": fatal error: ")?;
        let start = text[..fatal].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next()?;
        let (place, message) = line.split_once(": fatal error: ")?;
        let header = NOT_FOUND
            .iter()
            .find_map(|(before, behind)| message.strip_prefix(before)?.strip_suffix(behind))?;
        let (place, column) = place.rsplit_once(':')?;
        column.parse::<u32>().ok()?;
        let (file, line) = place.rsplit_once(':')?;
        // The lines that say which files include this one.
        let before = text[..start].find("In file included from");
        Some(Missing {
            before: &text[..before.unwrap_or(start)],
            file,
            line: line.parse().ok()?,
            header,
        })
    }

    /// The bytes of the header's name in the line that includes it.
    fn name(&self, line: &str) -> Option<Range<usize>> {
        let start = line.find(self.header)?;
        Some(start..start + self.header.len())
    }
}

/// Reports a header that the preprocessor has not found, after what it said before. Returns false if its messages are
/// about something else.
pub fn report(messages: &str, options: &Options) -> bool {
    let plain = without_escapes(messages);
    let Some(missing) = Missing::of(&plain) else {
        return false;
    };
    let source = fs::read(missing.file).unwrap_or_default();
    let source = String::from_utf8_lossy(&source);
    let line = source
        .lines()
        .nth((missing.line as usize).saturating_sub(1));
    let Some((line, name)) = line.and_then(|line| Some((line, missing.name(line)?))) else {
        return false;
    };
    // The line as the preprocessor would leave it.
    let file = missing.file.replace('\\', "\\\\").replace('"', "\\\"");
    let marker = format!("# {} \"{file}\"\n", missing.line);
    let start = marker.len() + name.start;
    let bytes = start as u32..(start + name.len()) as u32;
    let text = format!("{marker}{line}\n");
    let in_quotes = line[..name.start].ends_with('"');
    let mut diags = Diagnostics::new(options.messages.warnings.clone());
    let message = format!("there is no header `{}`", missing.header);
    let help = match nearest(&missing, in_quotes, options) {
        Some(near) => suggestion(&near, in_quotes, bytes.clone()),
        None => "correct its name, or name its folder with `-I`".into(),
    };
    diags.report(codes::NO_HEADER, bytes, message).help(help);
    // If standard error is closed, the failure cannot be reported.
    let _ = std::io::stderr().write_all(printable(missing.before).as_bytes());
    let map = SourceMap::from_preprocessed(&text);
    options.messages.renderer.print(&diags, &map, &text);
    true
}

/// The suggestion to include another header.
fn suggestion(near: &str, in_quotes: bool, bytes: Range<u32>) -> Help {
    let (open, close) = if in_quotes { ('"', '"') } else { ('<', '>') };
    let words = format!("did you mean `{open}{near}{close}`?");
    Help::replace(words, bytes, near, Certainty::Maybe)
}

/// The header whose name is nearest: of C, of `upcc`, and for `"x.h"` of the folders of the user.
fn nearest(missing: &Missing<'_>, in_quotes: bool, options: &Options) -> Option<String> {
    let mut names: Vec<String> = headers::names().map(str::to_owned).collect();
    let beside = Path::new(missing.file).parent().filter(|_| in_quotes);
    let beside = beside.map(|folder| match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    });
    let flags = options.flags.cpp.iter();
    let given = flags.filter_map(|flag| flag.strip_prefix("-I").map(Path::new));
    for folder in beside.into_iter().chain(given) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        names.extend(entries.filter_map(|entry| entry.file_name().into_string().ok()));
    }
    names.retain(|name| name.contains('.'));
    names.sort();
    closest(missing.header, names.iter().map(String::as_str)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_compilers() {
        let gcc = "x.upc:1:2: warning: w\nIn file included from x.upc:3:\na.h:12:10: fatal error: b.h: No such file or directory\n   12 | #include <b.h>\n";
        let clang = "a.h:12:10: fatal error: 'b.h' file not found\n#include <b.h>\n";
        for text in [gcc, clang] {
            let found = Missing::of(text).unwrap();
            assert_eq!((found.file, found.line, found.header), ("a.h", 12, "b.h"));
        }
        assert_eq!(Missing::of(gcc).unwrap().before, "x.upc:1:2: warning: w\n");
        assert!(Missing::of("cc1: fatal error: a.upc: No such file or directory\n").is_none());
    }
}
