//! Plays a page: each listing is a file that its commands compile and run, and each answer on the page is the commands'
//! output.
//!
//! A listing is a block ` ```c ` whose first line names the file in a comment. A session is a block ` ```console `,
//! followed by a word if its answer is not exact (see [`Kind`]). [`check`] writes the answers into the page if the
//! variable UPDATE is set.

#[path = "fences.rs"]
mod fences;

use fences::Part;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// How the answers of a session are compared with the page.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The text is equal, and every command succeeds.
    Exact,
    /// The text is equal, and the last command fails.
    Fails,
    /// Every command succeeds; the page shows no answer.
    Runs,
    /// The first two words of each line are equal, where any two numbers match, in any order: the rest of a profile
    /// consists of times, and it is sorted by them.
    Times,
    /// The last command ends with the status of reported races. The reports are equal but for what chance decides: see
    /// [`stable`].
    Races,
}

const NAMES: [(Kind, &str); 5] = [
    (Kind::Exact, "console"),
    (Kind::Fails, "console fails"),
    (Kind::Runs, "console runs"),
    (Kind::Times, "console times"),
    (Kind::Races, "console races"),
];

/// The exit status of a program that has reported races (`UPCR_RACES_STATUS`).
const RACES_STATUS: i32 = 66;

enum Block {
    Listing { file: String, text: String },
    Session { kind: Kind, lines: Vec<String> },
    Text(Vec<String>),
}

fn block(words: &str, lines: Vec<String>) -> Result<Block, String> {
    if let Some((kind, _)) = NAMES.iter().find(|(_, name)| *name == words) {
        return Ok(Block::Session { kind: *kind, lines });
    }
    if words == "c" {
        let file = fences::name_of(&lines)?;
        let text = lines.join("\n") + "\n";
        return Ok(Block::Listing { file, text });
    }
    let open = format!("```{words}");
    let close = "```".to_owned();
    let all = [open].into_iter().chain(lines).chain([close]);
    Ok(Block::Text(all.collect()))
}

fn parse(page: &str) -> Result<Vec<Block>, String> {
    let parts = fences::parts(page).into_iter();
    let blocks = parts.map(|part| match part {
        Part::Text(lines) => Ok(Block::Text(lines)),
        Part::Fenced { words, lines } => block(&words, lines),
    });
    blocks.collect()
}

/// Returns the search path with the tested programs first.
fn search_path() -> OsString {
    let ours = Path::new(env!("CARGO_BIN_EXE_upcc"))
        .parent()
        .map(PathBuf::from);
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = ours.into_iter().chain(env::split_paths(&others));
    env::join_paths(folders).expect("no folder of a search path has a colon in its name")
}

/// Returns whether a session of this kind may end with this status of a command.
fn is_expected(kind: Kind, last: bool, status: Option<i32>) -> bool {
    match (kind, last) {
        (Kind::Fails, true) => status != Some(0),
        (Kind::Races, true) => status == Some(RACES_STATUS),
        _ => status == Some(0),
    }
}

/// Returns the output of a session, with its commands, as lines of the page.
fn play(folder: &Path, kind: Kind, lines: &[String]) -> Result<Vec<String>, String> {
    let commands: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("$ "))
        .collect();
    let mut printed = Vec::new();
    for (number, command) in commands.iter().enumerate() {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(folder)
            .env("PATH", search_path())
            .env("UPCC_NORC", "1")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("UPCC_FLAGS")
            .output()
            .map_err(|e| format!("sh: {e}"))?;
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        if !is_expected(kind, number + 1 == commands.len(), output.status.code()) {
            return Err(format!("`{command}`: {}\n{answer}", output.status));
        }
        printed.push(format!("$ {command}"));
        if kind != Kind::Runs {
            printed.extend(answer.lines().map(|line| line.trim_end().to_owned()));
        }
    }
    Ok(printed)
}

/// Returns the part of a line that two profiles of a program have in common: place and event, but not times and their
/// units.
fn shape(line: &str) -> String {
    let words = line.split_whitespace().take(2).map(|word| {
        match word.starts_with(|c: char| c.is_ascii_digit()) {
            true => "#",
            false => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Replaces each number by `#`.
fn without_numbers(text: &str) -> String {
    let mut result = String::new();
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if result.ends_with('#') => {}
            true => result.push('#'),
            false => result.push(c),
        }
    }
    result
}

/// One of the lines below a report, without what chance decides.
fn stable_access(line: &str) -> (String, String) {
    let (what, place) = line.split_once(" at ").unwrap_or((line, ""));
    let (_, what) = what.split_once("thread ").unwrap_or(("", what));
    let (_, what) = what.split_once(' ').unwrap_or(("", what));
    (place.to_owned(), what.to_owned())
}

/// Returns a report without what chance decides: which of the threads reports it, the threads' numbers, the element,
/// and, if one line races with itself, whether it reads or writes.
fn stable_report(head: &str, accesses: &[&str]) -> Option<String> {
    let (subject, advice) = match head.split_once(": data race on ") {
        Some((_, race)) => {
            let (subject, rest) = race.split_once(": this thread ")?;
            (subject, rest.split_once("; ")?.1)
        }
        None => ("locks", head.split_once(": locks are acquired ")?.1),
    };
    let mut accesses: Vec<_> = accesses.iter().map(|line| stable_access(line)).collect();
    let first = accesses.first()?.0.clone();
    if accesses.iter().all(|(place, _)| *place == first) {
        accesses.iter_mut().for_each(|(_, what)| what.clear());
    }
    accesses.sort();
    let subject = without_numbers(subject);
    Some(format!("{subject}; {advice}; {accesses:?}"))
}

/// Returns the commands and the reports of a session without what chance decides, in an order of their own. Numbers
/// that the program prints are left out, because they depend on the race.
fn stable(lines: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    let mut lines = lines.iter().map(String::as_str).peekable();
    while let Some(line) = lines.next() {
        let mut accesses = Vec::new();
        while let Some(access) = lines.next_if(|next| next.starts_with("    thread ")) {
            accesses.push(access);
        }
        let report = stable_report(line, &accesses);
        result.push(report.unwrap_or_else(|| match line.starts_with('$') {
            true => line.to_owned(),
            false => without_numbers(line),
        }));
    }
    result.sort();
    result
}

fn agree(kind: Kind, page: &[String], printed: &[String]) -> bool {
    let shapes = |lines: &[String]| {
        let mut shapes: Vec<String> = lines.iter().map(|line| shape(line)).collect();
        shapes.sort();
        shapes
    };
    match kind {
        Kind::Exact | Kind::Fails | Kind::Runs => page == printed,
        Kind::Times => shapes(page) == shapes(printed),
        Kind::Races => stable(page) == stable(printed),
    }
}

/// Returns the page with the sessions' actual output, and the sessions that differ.
fn replay(page: &str) -> Result<(String, Vec<String>), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut new = String::new();
    let mut differ = Vec::new();
    for block in parse(page)? {
        match block {
            Block::Text(lines) => lines.iter().for_each(|line| new += &format!("{line}\n")),
            Block::Listing { file, text } => {
                fs::write(folder.path().join(&file), &text).map_err(|e| format!("{file}: {e}"))?;
                new += &format!("```c\n{text}```\n");
            }
            Block::Session { kind, lines } => {
                let printed = play(folder.path(), kind, &lines)?;
                let same = agree(kind, &lines, &printed);
                if !same {
                    differ.push(printed.join("\n"));
                }
                let words = NAMES.iter().find(|(it, _)| *it == kind);
                let words = words.map_or("console", |(_, words)| words);
                let lines = if same { lines } else { printed };
                new += &format!("```{words}\n{}\n```\n", lines.join("\n"));
            }
        }
    }
    Ok((new, differ))
}

/// Plays a page, and fails if it does not show what its commands print.
///
/// # Panics
///
/// That is how it fails.
pub fn check(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let page = fs::read_to_string(&file).expect("the page can be read");
    let (new, differ) = replay(&page).unwrap_or_else(|why| panic!("{name}: {why}"));
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, new).expect("the page can be written");
        return;
    }
    assert!(
        differ.is_empty(),
        "{name}: run this test with UPDATE=1 and look at the change:\n{}",
        differ.join("\n\n")
    );
    assert!(new == page, "{name} has lines that no block accounts for");
}
