//! `compile_commands.json`, the database of commands that language servers read: fragments of it (`-MJ`, as clang writes
//! them), and the whole from fragments (`--compile-commands`).

use super::languages::Language;
use super::outputs::local_name;
use super::settings::{Options, Stop};
use crate::cli::{Exit, Failure, write_whole};
use serde_json::{Value, json};
use siphasher::sip::SipHasher24;
use std::fs::{self, OpenOptions};
use std::hash::{Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Options that do not belong to the command that compiles one file.
pub const LEFT_OUT: &[&str] = &["MJ", "run", "n", "v"];

/// Writes the fragment for an input: appended to the file of `-MJ`, or to a file of its own in the folder of `-MJ`.
///
/// # Errors
/// The fragment cannot be written.
pub fn write_fragment(options: &Options, input: &Path, language: Language) -> Result<(), Failure> {
    let Some(place) = &options.deps.database else {
        return Ok(());
    };
    if language == Language::Linkable {
        return Ok(());
    }
    let here = std::env::current_dir()
        .map_err(|error| Failure::io("find", Path::new("the current folder"), &error))?;
    let mut arguments = vec!["upcc".to_owned()];
    arguments.extend(options.deps.command.iter().cloned());
    arguments.push(input.to_string_lossy().into_owned());
    let mut entry = json!({ "directory": here, "file": input, "arguments": arguments });
    if options.product.stop == Stop::Object {
        let named = options.product.output.clone();
        entry["output"] = json!(named.unwrap_or_else(|| local_name(input, "o")));
    }
    let text = format!("{entry},\n");
    if place.is_dir() {
        let file = place.join(fragment_name(&here.join(input), &entry["output"]));
        return write_whole(&file, text.as_bytes());
    }
    let appended = OpenOptions::new().create(true).append(true).open(place);
    // One write, so that commands that run in parallel do not mix their fragments.
    let appended = appended.and_then(|mut file| file.write_all(text.as_bytes()));
    appended.map_err(|error| Failure::io("write", place, &error))
}

/// The same command has the same name, so that its fragment replaces the older one.
fn fragment_name(input: &Path, output: &Value) -> String {
    let mut hasher = SipHasher24::new();
    (input, output.as_str()).hash(&mut hasher);
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}.{:016x}.json", hasher.finish())
}

/// Merges the fragments in `inputs`, which are files and folders of them, into `output`. Of several fragments about the
/// same file and output the last counts.
///
/// # Errors
/// No fragments, a file that is none, or one that cannot be read or written.
pub fn merge(inputs: &[PathBuf], output: &Path) -> Result<Exit, Failure> {
    let mut merged: Vec<Value> = Vec::new();
    for input in inputs {
        for file in files_of(input)? {
            for entry in fragments(&file)? {
                let same = |known: &Value| {
                    let parts = ["directory", "file", "output"];
                    parts.iter().all(|part| known[part] == entry[part])
                };
                match merged.iter_mut().find(|known| same(known)) {
                    Some(known) => *known = entry,
                    None => merged.push(entry),
                }
            }
        }
    }
    if merged.is_empty() {
        return Err(Failure::usage(
            "`--compile-commands` merges fragments that `-MJ` has written, but found none: name their files or their folder",
        ));
    }
    let lines: Vec<String> = merged.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    write_whole(output, text.as_bytes())?;
    Ok(Exit::Success)
}

/// Returns a file, or the fragments of a folder in the order of their names.
fn files_of(input: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !input.is_dir() {
        return Ok(vec![input.to_path_buf()]);
    }
    let list = fs::read_dir(input).map_err(|error| Failure::io("read", input, &error))?;
    let files = list.flatten().map(|entry| entry.path());
    let json = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let mut files: Vec<PathBuf> = files.filter(json).collect();
    files.sort();
    Ok(files)
}

/// Reads fragments, each with a comma behind it, or a whole database.
fn fragments(file: &Path) -> Result<Vec<Value>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| Failure::io("read", file, &error))?;
    let text = text.trim();
    let list = match text.starts_with('[') {
        true => text.to_owned(),
        false => format!("[{}]", text.trim_end_matches(',')),
    };
    let list: Vec<Value> = serde_json::from_str(&list).map_err(|_| not_fragments(file))?;
    match list.iter().all(|entry| entry["file"].is_string()) {
        true => Ok(list),
        false => Err(not_fragments(file)),
    }
}

fn not_fragments(file: &Path) -> Failure {
    Failure::usage(format!(
        "{} has no fragments of a compilation database: `-MJ` writes such files",
        file.display()
    ))
}
