//! Tests that `checks.def`, the page about it and the programs that provoke its messages all list the same messages of
//! checked programs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A row of `checks.def`.
struct Row {
    name: String,
    /// Message, rule and remedy, as the page shows them.
    message: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rows() -> Vec<Row> {
    read("runtime-c/src/checks.def")
        .lines()
        .filter_map(|line| line.strip_prefix("#define CHECK_"))
        .filter(|row| !row.starts_with("RULE(") && !row.starts_with("WAY("))
        .map(|row| {
            let (name, texts) = row.split_once(' ').expect("a name and its texts");
            let texts: Vec<&str> = texts.split('"').skip(1).step_by(2).collect();
            assert_eq!(texts.len(), 3, "{name}: message, rule, way out");
            Row {
                name: name.to_string(),
                message: without_conversions(&texts.join("; ")),
            }
        })
        .collect()
}

/// Replaces `%zu` and similar conversions by `...`.
fn without_conversions(format: &str) -> String {
    let mut parts = format.split('%');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c| "diuxs".contains(c)).map_or(0, |i| i + 1);
        text += "...";
        text += &part[end..];
    }
    text
}

#[test]
fn the_page_shows_every_message() {
    let page = read("docs/checks.md");
    let headings: Vec<&str> = page
        .lines()
        .filter_map(|l| l.strip_prefix("### "))
        .collect();
    let names: Vec<String> = rows().into_iter().map(|row| row.name).collect();
    assert_eq!(headings, names, "the headings of docs/checks.md");
    for row in rows() {
        let section = format!("### {}\n\n> {}\n\n", row.name, row.message);
        let at = page.find(&section);
        assert!(at.is_some(), "docs/checks.md lacks this:\n{section}");
        let rest = &page[at.unwrap_or(0) + section.len()..];
        let rest = rest.split("\n### ").next().unwrap_or_default();
        assert!(rest.contains("```c\n"), "{}: no example", row.name);
    }
}

#[test]
fn every_message_has_a_program() {
    let mut covered = BTreeSet::new();
    for entry in fs::read_dir(root().join("tests/checks")).expect("tests/checks") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a readable file");
        let names = text.lines().find_map(|l| l.strip_prefix("// check: "));
        covered.extend(names.unwrap_or_default().split(' ').map(str::to_string));
    }
    covered.remove("");
    let names: BTreeSet<String> = rows().into_iter().map(|row| row.name).collect();
    assert_eq!(
        covered, names,
        "rows named in tests/checks, rows of checks.def"
    );
}
