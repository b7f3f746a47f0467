//! For any `#line`, diagnostics name its place and translation continues: numbers at the ends of their range, names
//! that are not files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const PROGRAMS: [(&str, &str); 4] = [
    ("int main(void)\n{ return undeclared; }", "undeclared"),
    ("int main(void)\n{ int x = ; }", "expected an expression"),
    (
        "shared int a[THREADS];\nint main(void) { shared int *p = a; double *d = p; return !d; }",
        "incompatible types",
    ),
    (
        "shared int a[THREADS];\nint main(void)\n{ upc_barrier; a[MYTHREAD] = 1;\n\n\n\n\n\n\n\n\n\n\n return 0; }",
        "",
    ),
];

const FLAGS: [&[&str]; 4] = [&["-c"], &["-c", "--inst"], &["-c", "-g"], &["-trans"]];

fn upcc(folder: &Path, text: &str, flags: &[&str]) -> Output {
    fs::write(folder.join("t.upc"), text).expect("the folder can be written");
    let begin = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(folder)
        .args(flags)
        .args(["-o", "/dev/null", "t.upc"])
        .output()
        .expect("upcc starts");
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?} for\n{text}");
    output
}

/// Translates the programs after a directive. Each must end as it does without the directive, and report `place` for
/// line 2.
fn check(directive: &str, place: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo starts").success());
    for (program, words) in PROGRAMS {
        // A rejected program has no translated text.
        let forms = if words.is_empty() {
            &FLAGS[..]
        } else {
            &FLAGS[..1]
        };
        for flags in forms {
            let text = format!("#include <upc.h>\n{directive}\n{program}\n");
            let output = upcc(folder.path(), &text, flags);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let status = i32::from(!words.is_empty());
            assert_eq!(output.status.code(), Some(status), "{text}\n{stderr}");
            let header = stderr.lines().find(|l| l.contains(": error: "));
            let said = header.is_some_and(|l| l.starts_with(place) && l.contains(words));
            assert!(words.is_empty() || said, "{text}\n{place}\n{stderr}");
        }
    }
}

#[test]
fn numbers_at_the_ends_of_their_range() {
    // The second line has the next number; after the largest number gcc restarts at 0.
    for (number, place) in [
        ("0", "t.upc:1:"),
        ("4294967295", "t.upc:0:"),
        ("4294967294", "t.upc:4294967295:"),
        ("2147483647", "t.upc:2147483648:"),
        ("4294967297", "t.upc:2:"),
    ] {
        check(&format!("#line {number}"), place);
    }
}

#[test]
fn names_that_are_no_files() {
    for (name, place) in [
        ("/dev/zero", "/dev/zero:8:"),
        ("fifo", "fifo:8:"),
        (".", ".:8:"),
        ("a\\\\b\\\"c?\\?/", "a\\b\"c??/:8:"),
        ("a\\303\\251b", "aéb:8:"),
        ("a\\377b", "a"),
        ("*/ int x; /*", "*/ int x; /*:8:"),
    ] {
        check(&format!("#line 7 \"{name}\""), place);
    }
}

/// One number may stand for two lines of different text.
#[test]
fn a_number_that_comes_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        "#line 5 \"gone.y\"\nint aé;\n#line 5\nint              f(void) { return 0; } double aé;\n";
    let stderr = upcc(folder.path(), text, &["-c"]).stderr;
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(
        stderr.contains("gone.y:5:") && stderr.contains("the earlier declaration"),
        "{stderr}"
    );
}
