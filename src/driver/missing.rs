//! A header that the preprocessor does not find, as a diagnostic of ours: with the name of a header that is like it.

use super::columns::without_escapes;
use super::settings::Options;
use crate::diag::{Certainty, Diagnostics, Format, Help, codes};
use crate::headers;
use crate::text::{printable, printable_json};
use serde_json::Value;
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
struct Missing {
    /// What the preprocessor says before.
    before: String,
    file: String,
    line: u32,
    header: String,
}

/// The header that a message says is missing.
fn header_of(message: &str) -> Option<&str> {
    NOT_FOUND
        .iter()
        .find_map(|(before, behind)| message.strip_prefix(before)?.strip_suffix(behind))
}

/// Whether a message of gcc's JSON ends the preprocessor.
fn is_fatal(message: &Value) -> bool {
    message["kind"] == "fatal error"
}

/// Takes the fatal error out of the notes of another message, where gcc puts it if there was a warning before.
fn fatal_in(message: &mut Value) -> Option<Value> {
    let notes = message["children"].as_array_mut()?;
    Some(notes.remove(notes.iter().position(is_fatal)?))
}

impl Missing {
    /// Reads gcc's messages in JSON: an array of them on a line.
    fn of_json(text: &str) -> Option<Missing> {
        let line = text.lines().find(|line| line.starts_with('['))?;
        let mut messages: Vec<Value> = serde_json::from_str(line).ok()?;
        let fatal = messages.iter_mut().find_map(fatal_in);
        let fatal = match fatal {
            Some(fatal) => fatal,
            None => messages.remove(messages.iter().position(is_fatal)?),
        };
        let caret = &fatal["locations"][0]["caret"];
        let before = match &messages[..] {
            [] => String::new(),
            others => serde_json::to_string(others).ok()? + "\n",
        };
        Some(Missing {
            before,
            file: caret["file"].as_str()?.to_owned(),
            line: caret["line"].as_u64()?.try_into().ok()?,
            header: header_of(fatal["message"].as_str()?)?.to_owned(),
        })
    }

    /// Reads the messages of the preprocessor, without escapes.
    fn of_text(text: &str) -> Option<Missing> {
        let fatal = text.find(": fatal error: ")?;
        let start = text[..fatal].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next()?;
        let (place, message) = line.split_once(": fatal error: ")?;
        let header = header_of(message)?.to_owned();
        let (place, column) = place.rsplit_once(':')?;
        column.parse::<u32>().ok()?;
        let (file, line) = place.rsplit_once(':')?;
        // The lines that say which files include this one.
        let before = text[..start].find("In file included from");
        Some(Missing {
            before: text[..before.unwrap_or(start)].to_owned(),
            file: file.to_owned(),
            line: line.parse().ok()?,
            header,
        })
    }

    /// The bytes of the header's name in the line that includes it.
    fn name(&self, line: &str) -> Option<Range<usize>> {
        let start = line.find(&self.header)?;
        Some(start..start + self.header.len())
    }
}

/// Reports a header that the preprocessor has not found, after what it said before. Returns false if its messages are
/// about something else.
pub fn report(messages: &str, options: &Options) -> bool {
    let plain = without_escapes(messages);
    let json = options.messages.renderer.format == Format::Json;
    let read = if json {
        Missing::of_json
    } else {
        Missing::of_text
    };
    // clang has no JSON.
    let Some(missing) = read(&plain).or_else(|| Missing::of_text(&plain)) else {
        return false;
    };
    let source = fs::read(&missing.file).unwrap_or_default();
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
        _ if is_of_mpi(&missing.header) && !options.target.uses_mpi => OF_MPI.into(),
        Some(near) => suggestion(&near, in_quotes, bytes.clone()),
        None => "correct its name, or name its folder with `-I`".into(),
    };
    diags.report(codes::NO_HEADER, bytes, message).help(help);
    // If standard error is closed, the failure cannot be reported.
    let before = match json {
        true => printable_json(&missing.before),
        false => printable(&missing.before),
    };
    let _ = std::io::stderr().write_all(before.as_bytes());
    let map = SourceMap::from_preprocessed(&text);
    options.messages.renderer.print(&diags, &map, &text);
    true
}

/// The help for a program that calls MPI and is not compiled for that.
const OF_MPI: &str = "compile and link a program that calls MPI with `-network=mpi -uses-mpi`";

/// Whether a header belongs to MPI.
fn is_of_mpi(header: &str) -> bool {
    ["mpi.h", "mpi-ext.h", "mpio.h"].contains(&header)
}

/// The suggestion to include another header.
fn suggestion(near: &str, in_quotes: bool, bytes: Range<u32>) -> Help {
    let (open, close) = if in_quotes { ('"', '"') } else { ('<', '>') };
    let words = format!("did you mean `{open}{near}{close}`?");
    Help::replace(words, bytes, near, Certainty::Maybe)
}

/// The header whose name is nearest: of C, of `upcc`, and for `"x.h"` of the folders of the user.
fn nearest(missing: &Missing, in_quotes: bool, options: &Options) -> Option<String> {
    let mut names: Vec<String> = headers::names().map(str::to_owned).collect();
    let beside = Path::new(&missing.file).parent().filter(|_| in_quotes);
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
    closest(&missing.header, names.iter().map(String::as_str)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_compilers() {
        let gcc = "x.upc:1:2: warning: w\nIn file included from x.upc:3:\na.h:12:10: fatal error: b.h: No such file or directory\n   12 | #include <b.h>\n";
        let clang = "a.h:12:10: fatal error: 'b.h' file not found\n#include <b.h>\n";
        for text in [gcc, clang] {
            let found = Missing::of_text(text).unwrap();
            let (file, line, header) = (&*found.file, found.line, &*found.header);
            assert_eq!((file, line, header), ("a.h", 12, "b.h"));
        }
        assert_eq!(
            Missing::of_text(gcc).unwrap().before,
            "x.upc:1:2: warning: w\n"
        );
        assert!(Missing::of_text("cc1: fatal error: a.upc: No such file or directory\n").is_none());
    }
}
