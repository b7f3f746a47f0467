//! Lists each rule of the UPC specification that a program can break, and what checks it: the table `docs/shall.md`,
//! made from the heads of the programs in `tests/diagnostics/shall` and from `elsewhere.txt` beside them.
//!
//! A program begins with `// UPC 6.5.1.1 p4: the rule in our words`, one line for each rule that it tests, and is named
//! by the first of them: `6_5_1_1_p4_words.upc`. A line of `elsewhere.txt` is `UPC 6.6.1 p7: the rule | kind: what`,
//! where the kinds are those of `Kind`.
//!
//! `UPDATE=1 cargo test --test shall` writes the table.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const TESTS: &str = "tests/diagnostics/shall";
const ELSEWHERE: &str = "tests/diagnostics/shall/elsewhere.txt";
const TABLE: &str = "docs/shall.md";

/// How a rule that the compiler does not check is handled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A program built with `-fupc-checks` stops; the text names the test.
    CheckedBuild,
    /// Every program stops; the text names the test.
    RunTime,
    /// The rule binds the implementation, not the program; the text names the test for it.
    Implementation,
    /// The violation is not detected; the text gives the reason.
    Undefined,
}

const KINDS: [(&str, Kind, &str); 4] = [
    ("checked build", Kind::CheckedBuild, "checked build"),
    ("run time", Kind::RunTime, "run time"),
    (
        "implementation",
        Kind::Implementation,
        "a demand on us, tested by",
    ),
    (
        "undefined",
        Kind::Undefined,
        "undefined behaviour that no compiler sees",
    ),
];

/// A part of a section number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u32),
    Letter(char),
}

impl Part {
    fn read(text: &str) -> Option<Part> {
        let letter = text
            .chars()
            .next()
            .filter(|c| text.len() == 1 && c.is_ascii_uppercase());
        letter
            .map(Part::Letter)
            .or_else(|| text.parse().ok().map(Part::Number))
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Part::Number(n) => write!(out, "{n}"),
            Part::Letter(c) => write!(out, "{c}"),
        }
    }
}

/// One row of the table.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    /// `[6, 5, 1, 1]`; an appendix, which is a letter, is ordered after the numbers.
    section: Vec<Part>,
    paragraph: u32,
    rule: String,
    checked_by: String,
}

impl Row {
    /// Reads `UPC 6.5.1.1 p4: the rule`.
    fn read(line: &str, checked_by: String) -> Option<Row> {
        let (place, rule) = line.strip_prefix("UPC ")?.split_once(": ")?;
        let (section, paragraph) = place.split_once(" p")?;
        let section = section.split('.').map(Part::read).collect::<Option<_>>()?;
        Some(Row {
            section,
            paragraph: paragraph.parse().ok()?,
            rule: rule.trim().to_string(),
            checked_by,
        })
    }

    fn section_with(&self, separator: &str) -> String {
        let numbers: Vec<String> = self.section.iter().map(Part::to_string).collect();
        numbers.join(separator)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the rows of one program, and checks its name.
fn rows_of_program(path: &Path) -> Vec<Row> {
    let name = path
        .file_name()
        .expect("a file")
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(path).expect("a readable test");
    let mut codes = BTreeSet::new();
    for marker in text.split("//~").skip(1) {
        let mut words = marker
            .lines()
            .next()
            .unwrap_or("")
            .trim_start_matches('^')
            .split_whitespace();
        let code = words.next().unwrap_or_default();
        let column = words.next().is_some_and(|w| w.starts_with('@'));
        assert!(column, "{name}: a {code} without its column");
        let first = codes.insert(code);
        assert!(
            !first || words.next().is_some(),
            "{name}: the first {code} without words of its message"
        );
    }
    let codes: Vec<&str> = codes.into_iter().collect();
    let environment = match text.lines().find_map(|l| l.strip_prefix("// flags: ")) {
        Some(flags) => format!(" (`{}`)", flags.trim()),
        None => String::new(),
    };
    let outcome = if codes.is_empty() {
        "nothing to report".to_string()
    } else {
        codes.join(", ")
    };
    let checked_by = format!("compiler, {outcome}: [{name}](../{TESTS}/{name}){environment}");
    let rows: Vec<Row> = text
        .lines()
        .take_while(|l| l.starts_with("//"))
        .filter_map(|l| Row::read(l.strip_prefix("// ")?, checked_by.clone()))
        .collect();
    let first = rows
        .first()
        .unwrap_or_else(|| panic!("{name}: no line `// UPC 6.2 p3: rule` at the top"));
    let prefix = format!("{}_p{}_", first.section_with("_"), first.paragraph);
    assert!(
        name.starts_with(&prefix),
        "{name}: its first rule asks for a name that begins with {prefix}"
    );
    rows
}

/// Returns the row of a line of `elsewhere.txt`, and checks that a named test exists or a reason is given.
fn row_of_line(line: &str) -> Row {
    let (rule, answer) = line
        .split_once(" | ")
        .unwrap_or_else(|| panic!("no ` | ` in: {line}"));
    let (kind, what) = answer
        .split_once(": ")
        .unwrap_or_else(|| panic!("no kind in: {line}"));
    let (_, kind, words) = KINDS
        .iter()
        .find(|(name, ..)| *name == kind)
        .unwrap_or_else(|| panic!("unknown kind in: {line}"));
    let what = what.trim();
    assert!(!what.is_empty(), "nothing after the kind in: {line}");
    let what = match kind {
        Kind::Undefined => what.to_string(),
        Kind::CheckedBuild | Kind::RunTime | Kind::Implementation => what
            .split(", ")
            .map(|path| {
                assert!(root().join(path).exists(), "{path} does not exist: {line}");
                let name = path.rsplit('/').next().unwrap_or(path);
                format!("[{name}](../{path})")
            })
            .collect::<Vec<_>>()
            .join(", "),
    };
    Row::read(rule, format!("{words}: {what}"))
        .unwrap_or_else(|| panic!("no `UPC 6.2 p3: rule` in: {line}"))
}

fn rows() -> Vec<Row> {
    let mut programs: Vec<PathBuf> = fs::read_dir(root().join(TESTS))
        .expect("a folder of tests")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "upc"))
        .collect();
    programs.sort();
    let mut rows: Vec<Row> = programs
        .iter()
        .flat_map(|path| rows_of_program(path))
        .collect();
    let elsewhere = fs::read_to_string(root().join(ELSEWHERE)).expect("a readable list");
    rows.extend(
        elsewhere
            .lines()
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
            .map(row_of_line),
    );
    rows.sort();
    rows
}

fn table() -> String {
    let mut text = String::from(
        "# What checks each rule of UPC\n\n\
         This page lists the rules of the language chapters and of the core library of UPC 1.3 that say what\n\
         a program (or this compiler) shall do. Each row has the rule in our words, and what reports a\n\
         program that breaks it. The numbers are those of the specification. `UPDATE=1 cargo test --test\n\
         shall` makes this page from the tests.\n\n\
         | paragraph | rule | checked by |\n|---|---|---|\n",
    );
    for row in rows() {
        let place = format!("{} p{}", row.section_with("."), row.paragraph);
        writeln!(
            text,
            "| {place} | {} | {} |",
            cell(&row.rule),
            cell(&row.checked_by)
        )
        .expect("memory for a row");
    }
    text
}

/// Returns the text of a cell, with bars escaped, which would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_table_of_rules_is_up_to_date() {
    let path = root().join(TABLE);
    let table = table();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, table).expect("a writable table");
        return;
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == table,
        "{TABLE} is stale: run UPDATE=1 cargo test --test shall"
    );
}
