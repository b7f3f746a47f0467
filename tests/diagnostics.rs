//! Wrong programs: `upcc` reports exactly what their comments expect, each with file, line, column, code and rule.
//!
//! A line of a file in `tests/diagnostics` that must draw a diagnostic ends in `//~ E0500`, or
//! `//~ E0500 @9 words of the message` (column 9); several on one line are joined by `//~`; `//~^` refers to the line
//! above, `//~^^` to the one before that. In folder `clashes` `//~2 words` marks a line that is shown as the second
//! place of a diagnostic, with these words; each diagnostic there has one. A line `// flags: -T=4` among the comments
//! at the top gives flags. Folders: `shall` has one program for each paragraph of the specification that forbids
//! something (`tests/shall.rs` makes a table of them); `lint` has one for each lint, with similar code that must
//! not draw it; `mistakes` has frequent slips, each of which gives one message, at the right place.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One diagnostic, expected or reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    line: usize,
    code: String,
    column: Option<usize>,
    text: String,
}

impl Item {
    fn meets(&self, expected: &Item) -> bool {
        self.line == expected.line
            && self.code == expected.code
            && expected
                .column
                .is_none_or(|column| self.column == Some(column))
            && self.text.contains(&expected.text)
    }
}

#[test]
fn wrong_programs_draw_exactly_the_expected_diagnostics() {
    let failures: Vec<String> = programs().iter().filter_map(|f| check(f).err()).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Programs that intentionally contain what a UPC lint reports.
const LINTED: [&str; 8] = [
    "files.upc",
    "forall.upc",
    "forall_bounds.upc",
    "old_words.upc",
    "old_declarations.upc",
    "threads_products.upc",
    "transfers.upc",
    "truth.upc",
];

/// Correct programs draw no warning of ours about UPC, formats or conditions, whatever the number of threads. Programs that are expected to fail with a
/// message are not among them.
#[test]
fn right_programs_draw_no_warning() {
    let folders = ["samples", "tests/programs", "tests/libraries"];
    let excepted = |f: &PathBuf| {
        let text = fs::read_to_string(f).expect("a readable program");
        let fails = text.lines().any(|l| l.starts_with("// stderr: "));
        fails || LINTED.iter().any(|name| f.ends_with(name))
    };
    let mut failures = String::new();
    let programs = folders.iter().flat_map(|folder| programs_in(folder));
    let long = std::env::var_os("UPCC_TEST_LONG").is_some();
    for (index, file) in programs.filter(|f| !excepted(f)).enumerate() {
        // A normal run takes one for each program in turn.
        let all = [&[][..], &["-T=1"], &["-T=4"]];
        let turn = index % all.len();
        let taken = if long { &all[..] } else { &all[turn..=turn] };
        for threads in taken.iter().copied() {
            let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
                .args(["-trans", "-o", "/dev/null"])
                .args(threads)
                .arg(&file)
                .output()
                .expect("upcc starts");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let ours = |line: &&str| {
                let names = ["-Wupc-", ", -Wformat", ", -Wparentheses"];
                names.iter().any(|name| line.contains(name))
            };
            failures.extend(stderr.lines().filter(ours).map(|l| format!("\n{l}")));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A unit so large that several threads check its functions draws the warnings of each function, and those that are
/// about several.
#[test]
fn a_large_unit_draws_the_warnings_of_all_functions() {
    const FUNCTIONS: usize = 400;
    let mut text = "#include <upc_relaxed.h>\nshared int total;\n".to_owned();
    for number in 0..FUNCTIONS {
        let sums = " + a[i] * 2".repeat(10);
        text += &format!(
            "void step_{number}(shared int *a) {{ int i; upc_forall (i = 0; i < 9; i++; a[i]) a[i] = 1{sums}; total++; }}\n"
        );
    }
    text += "int main(void) { static shared int a[9 * THREADS];\n";
    (0..FUNCTIONS).for_each(|number| text += &format!("step_{number}(a);\n"));
    text += "return 0; }\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("large.upc");
    fs::write(&file, text).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .args(["-trans", "-o", "/dev/null"])
        .arg(&file)
        .output()
        .expect("upcc starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    for code in ["W0712", "W0623"] {
        let lines: Vec<&str> = stderr.lines().filter(|line| line.contains(code)).collect();
        assert_eq!(lines.len(), FUNCTIONS, "{code}: {stderr}");
        for (number, line) in lines.iter().enumerate() {
            let place = format!("large.upc:{}:", number + 3);
            assert!(line.contains(&place), "{place} {line}");
        }
    }
}

/// Returns every test program, in order.
fn programs() -> Vec<PathBuf> {
    programs_in("tests/diagnostics")
}

/// Returns the programs in and below a folder of the project, in order.
fn programs_in(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of tests") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "upc") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Every code of the table that concerns UPC has a program that draws it.
#[test]
fn every_upc_code_has_a_test() {
    let mut covered = BTreeSet::new();
    for program in programs() {
        let text = fs::read_to_string(program).unwrap();
        covered.extend(expectations(&text).into_iter().map(|item| item.code));
    }
    let missing: Vec<String> = upcc::diag::codes::ALL
        .iter()
        .filter(|code| code.rule.starts_with("UPC"))
        .map(|code| format!("{code} {}", code.title))
        .filter(|code| !covered.contains(&code[..5]))
        .collect();
    assert!(
        missing.is_empty(),
        "no test in tests/diagnostics draws\n  {}",
        missing.join("\n  ")
    );
}

fn check(file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(file).expect("a readable test");
    let flags: Vec<&str> = text
        .lines()
        .take_while(|l| l.starts_with("//"))
        .find_map(|l| l.strip_prefix("// flags: "))
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .args(["-trans", "-fmax-errors=0", "-o", "/dev/null"])
        .args(flags)
        .arg(file)
        .output()
        .expect("upcc starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let name = file
        .file_name()
        .expect("a file of the folder")
        .to_string_lossy();
    let mut wrong = Vec::new();
    let mut reported = reports(&stderr, &name);
    for expected in expectations(&text) {
        match reported.iter().position(|item| item.meets(&expected)) {
            Some(index) => {
                reported.remove(index);
            }
            None => wrong.push(format!(
                "  missing    {}: {} {}",
                expected.line, expected.code, expected.text
            )),
        }
    }
    for item in &reported {
        let column = item.column.unwrap_or(0);
        wrong.push(format!(
            "  unexpected {}:{column}: {} {}",
            item.line, item.code, item.text
        ));
    }
    let errors = expectations(&text)
        .iter()
        .any(|item| item.code.starts_with('E'));
    if output.status.success() == errors
        || output.status.code().is_none()
        || stderr.contains("panicked")
    {
        wrong.push(format!("  {}, standard error:\n{stderr}", output.status));
    }
    if stderr.matches("rule: ").count() < reports(&stderr, &name).len() {
        wrong.push("  a diagnostic without its rule".to_string());
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{name}\n{}", wrong.join("\n")))
    }
}

/// If two places clash, both are shown.
#[test]
fn clashes_show_both_places() {
    let mut failures = String::new();
    for file in programs_in("tests/diagnostics/clashes") {
        let text = fs::read_to_string(&file).expect("a readable test");
        let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
            .args(["-trans", "-fmax-errors=0", "-o", "/dev/null"])
            .arg("-fdiagnostics-format=json")
            .arg(&file)
            .output()
            .expect("upcc starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let arrays = stderr.lines().filter(|line| line.starts_with('['));
        let reports: Vec<serde_json::Value> = arrays
            .flat_map(|line| -> Vec<_> { serde_json::from_str(line).expect("diagnostics") })
            .collect();
        let mut shown = Vec::new();
        for report in &reports {
            let notes = report["children"].as_array().into_iter().flatten();
            let places = notes.filter_map(|note| {
                let line = note["locations"][0]["caret"]["line"].as_u64()?;
                Some((line as usize, note["message"].as_str()?.to_owned()))
            });
            let before = shown.len();
            shown.extend(places);
            if shown.len() == before {
                failures += &format!("\n{}: one place only: {report}", file.display());
            }
        }
        let mut expected: Vec<(usize, String)> = marks(&text)
            .filter_map(|(line, words)| Some((line, words.strip_prefix("2 ")?.trim().to_owned())))
            .collect();
        shown.sort();
        expected.sort();
        if shown != expected {
            failures += &format!("\n{}: {shown:#?}\nexpected {expected:#?}", file.display());
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Returns the output of `upcc` for a program in a file `t.upc`.
fn said(text: &str, words: &[&str]) -> String {
    printed_with("gcc", text, words)
}

/// Returns the same with this C compiler.
fn printed_with(cc: &str, text: &str, words: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("t.upc"), text).expect("the folder can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(folder.path())
        .env_remove("UPCC_FLAGS")
        .env("UPCC_CC", cc)
        .args(words)
        .arg("t.upc")
        .output()
        .expect("upcc starts");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn near_words_are_suggested() {
    for (text, option, meant) in [
        (
            "int main(void) { goto dnoe; done: return 0; }",
            "-g",
            "`done`",
        ),
        ("struct { int xpos; } p = { .xpso = 1 };", "-g", "`xpos`"),
        ("#pragma upc strcit\nint x;", "-g", "`#pragma upc strict`"),
        ("int x;", "-Wno-upc-blok-size", "`upc-block-size`"),
        ("int x;", "-Werror=upc-forall-exti", "`upc-forall-exit`"),
    ] {
        let stderr = said(text, &[option, "-c"]);
        assert!(
            stderr.contains(&format!("did you mean {meant}?")),
            "{text}\n{stderr}"
        );
    }
}

/// A fence leaves a relaxed flag a race, so the help names the way out that removes it, and no other.
#[test]
fn a_strict_flag_is_the_way_out_of_a_relaxed_one() {
    let text = "#include <upc_relaxed.h>\nshared int data, flag; void take(void) { while (!flag) ; }\n\
                void give(void) { data = 1; flag = 1; }";
    let stderr = said(text, &["-c"]);
    let announces = stderr
        .find("may become visible before")
        .map(|at| &stderr[at..]);
    let help = announces.and_then(|rest| rest.lines().find(|line| line.contains("help: ")));
    assert!(
        help.is_some_and(|line| line.contains("`strict shared`") && !line.contains("fence")),
        "{stderr}"
    );
}

/// A pointer-to-shared where the C library expects a pointer-to-local draws the name of UPC's own function.
#[test]
fn functions_for_shared_memory_are_suggested() {
    for (call, meant) in [
        ("memset(s, 0, 8)", "upc_memset"),
        ("memcpy(s, p, 8)", "upc_memput"),
        ("memcpy(p, s, 8)", "upc_memget"),
        ("strcpy(s, p)", "upc_memput"),
        ("strlen(s)", "upc_memget"),
        ("printf(s)", "upc_memget"),
        ("sprintf(s, p)", "upc_memput"),
        ("free(s)", "upc_free"),
        ("own(s)", "keep it in a `shared char *`"),
    ] {
        let text = format!(
            "#include <upc.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             shared char s[8 * THREADS]; void own(char *); void f(char *p) {{ {call}; }}"
        );
        let stderr = said(&text, &["-c"]);
        let help = stderr.lines().find(|line| line.contains("help: "));
        assert!(
            help.is_some_and(|line| line.contains(meant)),
            "{call}\n{stderr}"
        );
    }
}

#[test]
fn types_that_do_not_fit_are_shown_with_their_typedefs() {
    let text = "#include <upc.h>\n\
        typedef struct point { int x; } point_t; typedef shared [4] point_t *points_t; typedef struct { int y; } nameless_t;\n\
        shared [2] int *p; points_t q; point_t r; nameless_t s;\n\
        void take(shared [4] point_t *a);\n\
        points_t f(void) { p = q; r = 1; s = r; take(p); p == q; return p; }";
    let stderr = said(text, &["-c"]);
    for words in [
        "assignment converts incompatible pointers-to-shared: `points_t` (aka `shared [4] struct point *`) to `shared [2] int *`",
        "`int` to `point_t` (aka `struct point`)",
        "`point_t` (aka `struct point`) to `nameless_t` [",
        "argument 1 of `take` converts incompatible pointers-to-shared: `shared [2] int *` to `shared [4] point_t *` (aka `shared [4] struct point *`)",
        "return converts incompatible pointers-to-shared: `shared [2] int *` to `points_t` (aka",
        "operator mixes incompatible pointers-to-shared: `points_t` (aka",
    ] {
        assert!(stderr.contains(words), "{words}\n{stderr}");
    }
}

/// For code that gcc warns about and clang rejects, upcc reports one warning of its own, and both compilers accept the
/// translation.
#[test]
fn what_we_warn_of_the_c_compiler_does_not_see() {
    let text = "#include <upc.h>\nshared int s; struct two { double x, y; };\n\
        int a[1] = { 1, 2 };\nvoid v(int x) { s = x; if (x) return x; }\nint n(void) { return; }\n\
        struct two t(void) { return; }\nshared int *p(void) { return; }\n";
    let installed = |cc: &&str| Command::new(cc).arg("--version").output().is_ok();
    for cc in ["gcc", "clang"].into_iter().filter(installed) {
        let stderr = printed_with(cc, text, &["-c"]);
        let headers: Vec<&str> = stderr.lines().filter(|l| l.starts_with("t.upc:")).collect();
        let ours = |code| headers.iter().filter(|l| l.contains(code)).count();
        assert_eq!(
            (ours("[W0215, "), ours("[W0407, "), headers.len()),
            (1, 4, 5),
            "{stderr}"
        );
    }
    assert_eq!(
        said(
            text,
            &["-Wno-return-type", "-Wno-excess-initializers", "-c"]
        ),
        ""
    );
}

/// An assignment as a condition is reported once, in statements with UPC and without, and the C compiler keeps its
/// other warnings of the same option.
#[test]
fn conditions_that_assign_are_reported_once() {
    let text = "#include <upc.h>\nshared int s;\nint g(int);\nint f(int a, int b) {\n\
        if (a = b) return 1;\nif (s = b) return 2;\nwhile ((a = g(b))) b += s;\nreturn a && b || a;\n}\n\
        int g(int a) {\nif (a = 1) return 1;\nreturn 0;\n}\n";
    let installed = |cc: &&str| Command::new(cc).arg("--version").output().is_ok();
    for cc in ["gcc", "clang"].into_iter().filter(installed) {
        let stderr = printed_with(cc, text, &["-Wall", "-c"]);
        let lines = stderr.lines().filter(|line| line.contains(": warning: "));
        let lines: Vec<&str> = lines.filter_map(|line| line.split(':').nth(1)).collect();
        assert_eq!(lines, ["5", "6", "11", "8"], "{stderr}");
        assert!(!stderr.contains("generated."), "{stderr}");
        assert_eq!(printed_with(cc, text, &["-Wno-parentheses", "-c"]), "");
    }
    // Three of upcc's, and gcc's about line 8.
    let stderr = said(text, &["-Werror=parentheses", "-c"]);
    assert_eq!(stderr.matches(": error: ").count(), 4, "{stderr}");
}

/// Errors do not hide what the C compiler warns of in declarations without errors, and it is told of no use less.
#[test]
fn errors_do_not_hide_warnings_of_the_c_compiler() {
    let text = "#include <upc.h>\nshared int a[10];\nstatic int helper(int x) { return x; }\n\
        static int table(void) { return 1; }\nstatic int alone(void) { return 2; }\n\
        int (*of[])(void) = { table, wrong };\nint *p; double *q;\n\
        int falls(int n) {\nq = p;\nif (n) return 1;\n}\n\
        int bad(int unused) {\nreturn helper(unknown)\n;}\n\
        int indirect(int n) { return a[0]; }\n\
        int slip(void) {\n#pragma upc strict\nint x = ;\n}\n\
        int later(void) { p = 5; return 0; }\n\
        int gone(void) { p = 6; return of[0](); }\n";
    let installed = |cc: &&str| Command::new(cc).arg("--version").output().is_ok();
    for cc in ["gcc", "clang"].into_iter().filter(installed) {
        let stderr = printed_with(cc, text, &["-Wall", "-Wextra", "-c"]);
        let of = |kind: &str| -> Vec<String> {
            let lines = stderr.lines().filter(|line| line.contains(kind));
            let mut places: Vec<String> = lines
                .filter_map(|line| line.split(':').nth(1))
                .map(str::to_owned)
                .collect();
            places.sort_by_key(|line| line.parse::<u32>().ok());
            places
        };
        assert_eq!(of(": error: "), ["2", "6", "13", "18"], "{stderr}");
        assert_eq!(of(": warning: "), ["5", "9", "11", "20"], "{stderr}");
        assert!(!stderr.contains("(translated)"), "{stderr}");
    }
    let only_translated = said(text, &["-Wall", "-trans"]);
    assert!(
        !only_translated.contains(": warning: "),
        "{only_translated}"
    );
    // A warning that is an error takes nothing out.
    let stderr = said(
        "#include <upc.h>\nshared int s;\nint f(int n) { int u; if (n = s) return 1; return 0; }\n",
        &["-Wall", "-Werror=parentheses", "-c"],
    );
    assert_eq!(stderr.matches("[W0412").count(), 1, "{stderr}");
    assert_eq!(stderr.matches("unused variable").count(), 1, "{stderr}");
}

/// A literal that does not end is reported once; in a macro that nothing uses, by the preprocessor alone.
#[test]
fn literals_without_an_end_are_reported_once() {
    let text = "#define NOBODY \"x\nchar *s = \"abc;\nint c = 'a;\n";
    let installed = |cc: &&str| Command::new(cc).arg("--version").output().is_ok();
    for cc in ["gcc", "clang"].into_iter().filter(installed) {
        let stderr = printed_with(cc, text, &["-c"]);
        let lines = stderr.lines().filter(|line| line.starts_with("t.upc:"));
        let lines: Vec<&str> = lines.filter_map(|line| line.split(':').nth(1)).collect();
        assert_eq!(lines, ["1", "2", "3"], "{stderr}");
        assert_eq!(stderr.matches("missing terminating").count(), 1, "{stderr}");
        assert_eq!(stderr.matches("[E0102]").count(), 2, "{stderr}");
    }
}

/// Under JSON, a header that is not found is a diagnostic of upcc, behind what the preprocessor says before.
#[test]
fn missing_headers_are_our_json() {
    let text = "#warning first\n#include <upc_collectiv.h>\n";
    let stderr = said(text, &["-fdiagnostics-format=json", "-c"]);
    let mut messages = Vec::new();
    for line in stderr.lines() {
        let array: Vec<serde_json::Value> = serde_json::from_str(line).expect("an array");
        messages.extend(array);
    }
    let kinds: Vec<&str> = messages.iter().filter_map(|m| m["kind"].as_str()).collect();
    assert_eq!(kinds, ["warning", "error"], "{stderr}");
    let message = messages[1]["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("there is no header `upc_collectiv.h`"),
        "{stderr}"
    );
    assert!(stderr.contains("upc_collective.h"), "{stderr}");
}

/// Returns the marks of a file: the line that each refers to, and its words.
fn marks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        line.split("//~").skip(1).map(move |mark| {
            let words = mark.trim_start_matches('^');
            (index + 1 - (mark.len() - words.len()), words)
        })
    })
}

/// Returns the diagnostics that the comments of a file expect.
fn expectations(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    for (line, mark) in marks(text).filter(|(_, mark)| !mark.starts_with("2 ")) {
        let mut words = mark.split_whitespace().peekable();
        let code = words.next().unwrap_or_default().to_string();
        let column = words
            .next_if(|w| w.starts_with('@'))
            .and_then(|w| w[1..].parse().ok());
        let text = words.collect::<Vec<_>>().join(" ");
        items.push(Item {
            line,
            code,
            column,
            text,
        });
    }
    items
}

/// Parses the header lines `file:line:column: error: message [E0500]` or `[W0602, -Wname]` of an output.
fn reports(stderr: &str, name: &str) -> Vec<Item> {
    stderr
        .lines()
        .filter_map(|line| report(line, name))
        .collect()
}

fn report(line: &str, name: &str) -> Option<Item> {
    let (place, rest) = line.split_once(": ")?;
    let (kind, rest) = rest.split_once(": ")?;
    let (text, code) = rest.strip_suffix(']')?.rsplit_once(" [")?;
    let code = code.split(',').next()?;
    let mut place = place.rsplitn(3, ':');
    let (column, line, file) = (place.next()?, place.next()?, place.next()?);
    let known = ["error", "warning"].contains(&kind) && Path::new(file).ends_with(name);
    known.then_some(())?;
    Some(Item {
        line: line.parse().ok()?,
        code: code.to_string(),
        column: column.parse().ok(),
        text: text.to_string(),
    })
}
