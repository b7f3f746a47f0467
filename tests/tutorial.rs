//! The tutorial: each listing is a file that its commands compile and run, and each answer on the page is what they print.
//!
//! A listing is a block ` ```c ` whose first line names the file in a comment. A session is a block ` ```console `, with a word behind it where
//! its answer is not exact (see [`Kind`]). `UPDATE=1 cargo test --test tutorial` writes the answers into the page.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// How the answers of a session are held against the page.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Text for text, and every command succeeds.
    Exact,
    /// Text for text, and the last command fails.
    Fails,
    /// Only that every command succeeds; the page shows no answer.
    Runs,
    /// The first two words of each line, with any number for a number, in any order: the rest of a profile are times, and it is sorted by them.
    Times,
}

enum Block {
    Listing { file: String, text: String },
    Session { kind: Kind, lines: Vec<String> },
    Text(Vec<String>),
}

/// A fence and its words: `console times` of ` ```console times `.
fn fence(line: &str) -> Option<&str> {
    line.strip_prefix("```")
}

fn block(words: &str, lines: Vec<String>) -> Result<Block, String> {
    let kind = match words {
        "console" => Kind::Exact,
        "console fails" => Kind::Fails,
        "console runs" => Kind::Runs,
        "console times" => Kind::Times,
        "c" => {
            let first = lines.first().map_or("", String::as_str);
            let name = first
                .strip_prefix("/* ")
                .and_then(|it| it.strip_suffix(" */"));
            let file = name.ok_or(format!("a listing begins with its name, not with {first}"))?;
            let file = file.to_owned();
            let text = lines.join("\n") + "\n";
            return Ok(Block::Listing { file, text });
        }
        _ => {
            let open = format!("```{words}");
            let close = "```".to_owned();
            let all = [open].into_iter().chain(lines).chain([close]);
            return Ok(Block::Text(all.collect()));
        }
    };
    Ok(Block::Session { kind, lines })
}

fn parse(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut text = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        match fence(line) {
            None => text.push(line.to_owned()),
            Some(words) => {
                blocks.push(Block::Text(std::mem::take(&mut text)));
                let inner = lines.by_ref().take_while(|line| fence(line).is_none());
                let inner = inner.map(str::to_owned).collect();
                blocks.push(block(words, inner)?);
            }
        }
    }
    blocks.push(Block::Text(text));
    Ok(blocks)
}

/// The search path with our programs in front.
fn search_path() -> OsString {
    let ours = Path::new(env!("CARGO_BIN_EXE_upcc"))
        .parent()
        .map(PathBuf::from);
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = ours.into_iter().chain(env::split_paths(&others));
    env::join_paths(folders).expect("no folder of a search path has a colon in its name")
}

/// What a session prints, with its commands: the lines of the page.
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
        let fails = kind == Kind::Fails && number + 1 == commands.len();
        if output.status.success() == fails {
            return Err(format!("`{command}`: {}\n{answer}", output.status));
        }
        printed.push(format!("$ {command}"));
        if kind != Kind::Runs {
            printed.extend(answer.lines().map(|line| line.trim_end().to_owned()));
        }
    }
    Ok(printed)
}

/// What two profiles of a program have in common in a line: place and event, but not times and their units.
fn shape(line: &str) -> String {
    let words = line.split_whitespace().take(2).map(|word| {
        match word.starts_with(|c: char| c.is_ascii_digit()) {
            true => "#",
            false => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
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
    }
}

const NAMES: [(Kind, &str); 4] = [
    (Kind::Exact, "console"),
    (Kind::Fails, "console fails"),
    (Kind::Runs, "console runs"),
    (Kind::Times, "console times"),
];

/// The page with the sessions as they go, and those that differ.
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

#[test]
fn the_tutorial_prints_what_it_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial.md");
    let page = fs::read_to_string(&file).expect("the page can be read");
    let (new, differ) = replay(&page).unwrap_or_else(|why| panic!("{why}"));
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, new).expect("the page can be written");
        return;
    }
    assert!(
        differ.is_empty(),
        "run UPDATE=1 cargo test --test tutorial and look at the change:\n{}",
        differ.join("\n\n")
    );
    assert!(new == page, "the page has lines that no block accounts for");
}
