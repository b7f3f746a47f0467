//! Lists the tests that cover each construct and each function of UPC 1.3 and of the extensions, in the table
//! `docs/coverage.md`, which is made from the programs themselves.
//!
//! A function is covered by a program whose preprocessed text calls it outside the runtime's headers; a construct is
//! covered by a program whose text matches its pattern. No row may be empty. `UPDATE=1 cargo test --test coverage`
//! writes the table.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLE: &str = "docs/coverage.md";

/// Folders of programs that run and check themselves.
const FOLDERS: &[&str] = &[
    "tests/programs",
    "tests/libraries",
    "tests/litmus",
    "tests/checks",
    "samples",
];

/// Headers and their specifications.
const HEADERS: &[(&str, &str)] = &[
    ("upc.h", "UPC 7.2"),
    ("upc_collective.h", "UPC 7.3"),
    ("upc_tick.h", "UPC 7.4"),
    ("upc_castable.h", "UPC 7.5"),
    ("upc_io.h", "UPC 7.6"),
    ("upc_atomic.h", "UPC 7.7"),
    ("upc_nb.h", "UPC 7.8"),
    ("bupc_extensions.h", "Berkeley UPC"),
    ("upc_race.h", "upcc"),
];

/// Constructs of the language: section, name, pattern in a program's text.
const CONSTRUCTS: &[(&str, &str, &str)] = &[
    ("6.3.1", "THREADS", r"\bTHREADS\b"),
    ("6.3.2", "MYTHREAD", r"\bMYTHREAD\b"),
    ("6.3.3", "UPC_MAX_BLOCK_SIZE", r"\bUPC_MAX_BLOCK_SIZE\b"),
    ("6.4.1.1", "sizeof of a shared object", r"\bsizeof\b"),
    ("6.4.1.2", "upc_localsizeof", r"\bupc_localsizeof\b"),
    ("6.4.1.3", "upc_blocksizeof", r"\bupc_blocksizeof\b"),
    ("6.4.1.4", "upc_elemsizeof", r"\bupc_elemsizeof\b"),
    (
        "6.4.2",
        "pointer-to-shared plus integer, block size 1",
        r"shared (int|char|double|long) \*\w+",
    ),
    (
        "6.4.2",
        "pointer-to-shared plus integer, definite block size",
        r"shared \[\d+\] \w+ \*\w+",
    ),
    (
        "6.4.2",
        "pointer-to-shared plus integer, indefinite block size",
        r"shared \[\] \w+ \*\w+",
    ),
    (
        "6.4.2",
        "difference of pointers-to-shared",
        r"&\w+\[[^\]]+\] - &\w+\[",
    ),
    (
        "6.4.2",
        "comparison of pointers-to-shared",
        r"&\w+\[[^\]]+\] (==|<|>|<=|>=) ",
    ),
    (
        "6.4.3",
        "cast to pointer-to-local",
        r"\(\w+ \*\)&\w+\[MYTHREAD\]",
    ),
    (
        "6.4.3",
        "cast between block sizes",
        r"\(shared \[[^\]]*\] \w+ \*\)",
    ),
    (
        "6.4.3",
        "null pointer-to-shared",
        r"shared [^;=]*\*[^;=]*= (NULL|0)\b",
    ),
    ("6.4.4", "address of a shared object", r"&\w+\[MYTHREAD\]"),
    ("6.5.1", "shared", r"\bshared\b"),
    ("6.5.1", "strict", r"\bstrict\b"),
    ("6.5.1", "relaxed", r"\brelaxed\b"),
    ("6.5.1.1", "layout [n]", r"shared \[\d+\]"),
    ("6.5.1.1", "layout [*]", r"shared \[\*\]"),
    ("6.5.1.1", "layout []", r"shared \[\]"),
    ("6.5.1.1", "layout [0]", r"shared \[0\]"),
    ("6.5.1.1", "shared structures", r"shared struct \w+"),
    ("6.5.1.1", "shared unions", r"shared (\[\w*\] )?union\b"),
    (
        "6.5.1.1",
        "shared pointers-to-shared",
        r"shared [^;(]*\* *shared",
    ),
    (
        "6.5.2",
        "static shared objects in functions",
        r"\n +static (strict |relaxed )?shared",
    ),
    (
        "6.5.2.1",
        "shared arrays of several dimensions",
        r"shared [^;(]*\w+\[[^\]]+\]\[[^\]]+\]",
    ),
    ("6.6.1", "upc_barrier", r"\bupc_barrier;"),
    (
        "6.6.1",
        "upc_barrier with an expression",
        r"\bupc_barrier [\w(]",
    ),
    ("6.6.1", "upc_notify", r"\bupc_notify;"),
    (
        "6.6.1",
        "upc_notify with an expression",
        r"\bupc_notify [\w(]",
    ),
    ("6.6.1", "upc_wait", r"\bupc_wait;"),
    ("6.6.1", "upc_wait with an expression", r"\bupc_wait [\w(]"),
    ("6.6.1", "upc_fence", r"\bupc_fence;"),
    (
        "6.6.2",
        "upc_forall, integer affinity",
        r"upc_forall *\([^;]*;[^;]*;[^;]*; *\w+ *\)",
    ),
    (
        "6.6.2",
        "upc_forall, pointer-to-shared affinity",
        r"upc_forall *\([^;]*;[^;]*;[^;]*; *&",
    ),
    (
        "6.6.2",
        "upc_forall, continue",
        r"upc_forall *\([^;]*;[^;]*;[^;]*; *continue *\)",
    ),
    (
        "6.6.2",
        "upc_forall without affinity",
        r"upc_forall *\([^;]*;[^;]*;[^;]*; *\)",
    ),
    (
        "6.6.2",
        "upc_forall with a declaration",
        r"upc_forall *\( *(int|long|size_t) ",
    ),
    ("6.7.1", "#pragma upc strict", r"#pragma upc strict"),
    ("6.7.1", "#pragma upc relaxed", r"#pragma upc relaxed"),
    ("6.7.2", "__UPC__", r"\b__UPC__\b"),
    ("6.7.2", "__UPC_VERSION__", r"\b__UPC_VERSION__\b"),
    (
        "6.7.2",
        "__UPC_DYNAMIC_THREADS__",
        r"\b__UPC_DYNAMIC_THREADS__\b",
    ),
    (
        "6.7.2",
        "__UPC_STATIC_THREADS__",
        r"\b__UPC_STATIC_THREADS__\b",
    ),
    ("7.2", "upc_strict.h", r"<upc_strict\.h>"),
    ("7.2", "upc_relaxed.h", r"<upc_relaxed\.h>"),
    (
        "7.4",
        "upc_tick_t, UPC_TICK_MIN, UPC_TICK_MAX",
        r"\bUPC_TICK_MAX\b",
    ),
    ("7.5", "upc_thread_info_t", r"\bupc_thread_info_t\b"),
    ("7.6", "hints", r"\bstruct upc_hint\b"),
    ("7.8", "UPC_COMPLETE_HANDLE", r"\bUPC_COMPLETE_HANDLE\b"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Collects all programs below a folder.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            programs(&entry, found);
        } else if entry.extension().is_some_and(|ending| ending == "upc") {
            found.push(entry);
        }
    }
}

/// A preprocessed text, divided into the parts from the runtime's headers and the rest.
struct Preprocessed {
    ours: String,
    users: String,
}

fn preprocess(source: &Path) -> Preprocessed {
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .args(["-E", "-T=4"])
        .arg(source)
        .output()
        .expect("upcc starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut parts = Preprocessed {
        ours: String::new(),
        users: String::new(),
    };
    let mut in_header = false;
    for line in text.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            let file = marker.split('"').nth(1).unwrap_or_default();
            in_header = file.contains("/include/upc") || file.contains("/include/bupc");
            continue;
        }
        let part = if in_header {
            &mut parts.ours
        } else {
            &mut parts.users
        };
        part.push_str(line);
        part.push('\n');
    }
    parts
}

/// Returns the functions that a header declares, by name.
fn declared(header: &str, scratch: &Path) -> BTreeSet<String> {
    let source = scratch.join(header.replace('.', "_") + ".upc");
    fs::write(&source, format!("#include <{header}>\n"))
        .expect("the scratch folder can be written");
    let text = preprocess(&source).ours;
    let function = Regex::new(r"\bextern\b[^;{}()]*?\b(b?upc_\w+)\s*\(").expect("a valid pattern");
    function
        .captures_iter(&text)
        .map(|found| found[1].to_owned())
        .collect()
}

/// A program with its text and the names that it calls.
struct Program {
    name: String,
    text: String,
    calls: BTreeSet<String>,
}

fn all_programs() -> Vec<Program> {
    let call = Regex::new(r"\b(b?upc_\w+)\s*[(,)]").expect("a valid pattern");
    let mut sources = Vec::new();
    for folder in FOLDERS {
        programs(&root().join(folder), &mut sources);
    }
    sources
        .into_iter()
        .map(|source| Program {
            name: source
                .strip_prefix(root())
                .expect("below the root")
                .display()
                .to_string(),
            text: fs::read_to_string(&source).expect("a program can be read"),
            calls: call
                .captures_iter(&preprocess(&source).users)
                .map(|found| found[1].to_owned())
                .collect(),
        })
        .collect()
}

/// Returns links to the first few tests of a row; an error if there is none.
fn tests_of<'a>(row: &str, covering: impl Iterator<Item = &'a Program>) -> Result<String, String> {
    const SHOWN: usize = 3;
    let links: Vec<String> = covering
        .take(SHOWN)
        .map(|program| {
            format!(
                "[{}](../{})",
                program.name.trim_start_matches("tests/"),
                program.name
            )
        })
        .collect();
    if links.is_empty() {
        return Err(row.to_owned());
    }
    Ok(links.join(", "))
}

/// Returns the page, and the rows that no test covers.
fn page(programs: &[Program], scratch: &Path) -> (String, Vec<String>) {
    let mut page = String::from(
        "# What covers each construct and function\n\n\
         `UPDATE=1 cargo test --test coverage` makes this page from the programs. Each row has a few tests.\n\
         [shall.md](shall.md) has the rules that programs can break.\n\n## Language\n\n| section | construct | tests |\n|---|---|---|\n",
    );
    let mut missing = Vec::new();
    let mut put =
        |page: &mut String, section: &str, name: &str, tests: Result<String, String>| match tests {
            Ok(tests) => {
                writeln!(page, "| {section} | {name} | {tests} |").expect("a string takes it")
            }
            Err(row) => missing.push(row),
        };
    for (section, name, pattern) in CONSTRUCTS {
        let pattern = Regex::new(pattern).expect("a valid pattern");
        let covering = programs
            .iter()
            .filter(|program| pattern.is_match(&program.text));
        put(&mut page, section, name, tests_of(name, covering));
    }
    let mut known: BTreeMap<String, ()> = BTreeMap::new();
    for (header, section) in HEADERS {
        // <upc.h> includes the extensions, which have a separate table.
        let wanted: Vec<String> = declared(header, scratch)
            .into_iter()
            .filter(|name| *header != "upc.h" || name.starts_with("upc_"))
            .filter(|name| known.insert(name.clone(), ()).is_none())
            .collect();
        assert!(!wanted.is_empty(), "<{header}> declares nothing");
        write!(
            page,
            "\n## `<{header}>`\n\n| section | function | tests |\n|---|---|---|\n"
        )
        .expect("a string takes it");
        for name in wanted {
            let covering = programs
                .iter()
                .filter(|program| program.calls.contains(&name));
            put(
                &mut page,
                section,
                &format!("`{name}`"),
                tests_of(&name, covering),
            );
        }
    }
    (page, missing)
}

#[test]
fn every_construct_and_function_has_a_test_and_the_page_says_which() {
    let scratch = std::env::temp_dir().join(format!("upcc-coverage-{}", std::process::id()));
    fs::create_dir_all(&scratch).expect("a scratch folder can be made");
    let (page, missing) = page(&all_programs(), &scratch);
    fs::remove_dir_all(&scratch).expect("the scratch folder can be removed");
    assert!(
        missing.is_empty(),
        "no program covers: {}",
        missing.join(", ")
    );
    let path = root().join(TABLE);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let old = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        old == page,
        "{TABLE} is stale: UPDATE=1 cargo test --test coverage"
    );
}
