//! The fixes of diagnostics: their form in JSON, and what `upcc --fix` does with them.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Runs `upcc` in a folder.
fn upcc(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(folder)
        .env_remove("UPCC_FLAGS")
        .args(words)
        .output()
        .expect("upcc starts")
}

/// A folder with this file `t.upc`.
fn folder_with(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("t.upc"), text).expect("the folder can be written");
    folder
}

/// Fixes a text, and returns it with what `upcc` said and its status.
fn fixed(text: &str) -> (String, String, Option<i32>) {
    let folder = folder_with(text);
    let output = upcc(folder.path(), &["--fix", "-fsyntax-only", "t.upc"]);
    let text = fs::read_to_string(folder.path().join("t.upc")).expect("the file is there");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (text, stderr, output.status.code())
}

/// A program with one mistake, and the program that `--fix` makes of it.
const CERTAIN: &[(&str, &str)] = &[
    ("int x\nint y;\n", "int x;\nint y;\n"),
    (
        "struct s { int x; }\nint y;\n",
        "struct s { int x; };\nint y;\n",
    ),
    (
        "int f(int a)\n{\n    a = 1 /* one */\n    return a;\n}\n",
        "int f(int a)\n{\n    a = 1; /* one */\n    return a;\n}\n",
    ),
    (
        "struct s { int x; } t, *p;\nint f(void) { return p.x + t->x; }\n",
        "struct s { int x; } t, *p;\nint f(void) { return p->x + t.x; }\n",
    ),
    (
        "int f(int a) { return a => 0 || a =< 9 || a <> 3; }\n",
        "int f(int a) { return a >= 0 || a <= 9 || a != 3; }\n",
    ),
    ("main() { return 0; }\n", "int main() { return 0; }\n"),
    ("static x; const *p;\n", "static int x; const int *p;\n"),
    (
        "#include <upc.h>\nint main(void) { barrier; barrier; notify; wait; barrier; return 0; }\n",
        "#include <upc.h>\nint main(void) { upc_barrier; upc_barrier; upc_notify; upc_wait; upc_barrier; return 0; }\n",
    ),
    (
        "#include <upc.h>\nint main(void) { upc_barrier(); upc_barier; return 0; }\n",
        "#include <upc.h>\nint main(void) { upc_barrier; upc_barrier; return 0; }\n",
    ),
    (
        "// A comment.\nint f(void) { return sqrt(2.0) > 1; }\n",
        "// A comment.\n#include <math.h>\nint f(void) { return sqrt(2.0) > 1; }\n",
    ),
    (
        "#include <stdio.h>\nvoid f(long l, float x) { printf(\"%d %Lf\\n\", l, x); scanf(\"%d\", &l); }\n",
        "#include <stdio.h>\nvoid f(long l, float x) { printf(\"%ld %f\\n\", l, x); scanf(\"%ld\", &l); }\n",
    ),
    (
        "#include <upc.h>\nuint32_t f(uint32_t x) { return x; }\n",
        "#include <upc.h>\n#include <stdint.h>\nuint32_t f(uint32_t x) { return x; }\n",
    ),
];

#[test]
fn certain_fixes_are_made() {
    for (wrong, right) in CERTAIN {
        let (text, stderr, status) = fixed(wrong);
        assert_eq!(text, *right, "{stderr}");
        assert_eq!(status, Some(0), "{wrong}\n{stderr}");
        let lines = stderr.lines();
        assert!(lines.count() > 0, "{wrong}");
        assert!(
            stderr.lines().all(|line| line.starts_with("upcc: t.upc:")),
            "{wrong}\n{stderr}"
        );
        // Nothing is left to fix.
        assert_eq!(fixed(right), (text, String::new(), Some(0)));
    }
}

/// Mistakes for which there may be another remedy, and text that is not the user's or is not where it is used.
#[test]
fn other_text_stays_as_it_is() {
    for text in [
        "int f(int total) { return totl; }\n",
        "int f(int a) { if (a { return 1; } return 2; }\n",
        "EXPORT(f)\nint f(void) { return 1; }\n",
        "int f(int time_) { return time; }\n",
        "#pragma upc c_code\nvoid f(void) { upc_barrier(); }\n",
        "#include <stdio.h>\nvoid f(double x) { printf(\"%d\\n\", x); }\n",
        "int f(void) { return sleep(1); }\n",
        "#define GET(p) p.x\nstruct s { int x; } *p;\nint f(void) { return GET(p); }\n",
        "#define OLD barrier\n#include <upc.h>\nvoid f(void) { OLD; }\n",
        "# 1 \"elsewhere.h\"\nint x\n# 2 \"t.upc\"\nint y;\n",
    ] {
        let (after, stderr, _) = fixed(text);
        assert_eq!(after, text, "{stderr}");
        assert!(!stderr.contains("upcc: t.upc:"), "{stderr}");
    }
}

/// What remains is reported in the fixed text, and the status says so.
#[test]
fn the_rest_is_reported() {
    let (text, stderr, status) = fixed("int f(void)\n{\n    int a = 1\n    return b;\n}\n");
    assert_eq!(text, "int f(void)\n{\n    int a = 1;\n    return b;\n}\n");
    assert_eq!(status, Some(1));
    assert!(stderr.contains("upcc: t.upc:3: added `;`"), "{stderr}");
    assert!(stderr.contains("t.upc:4:12: error: `b` is not"), "{stderr}");
    assert!(!stderr.contains("expected `;`"), "{stderr}");
}

/// Only the user's files are written, with their permissions; a header is one of them, a header of the system is not.
#[test]
fn headers_of_users_are_fixed_and_those_of_the_system_are_not() {
    let folder = folder_with("#include \"own.h\"\n#include <sys.h>\nint z;\n");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("system")).expect("a folder");
    fs::write(at("own.h"), "int x\nint y;\n").expect("a header");
    fs::set_permissions(at("own.h"), fs::Permissions::from_mode(0o640)).expect("permissions");
    fs::write(at("system/sys.h"), "int v\nint w;\n").expect("a header");
    let output = upcc(
        folder.path(),
        &["--fix", "-isystem", "system", "-c", "t.upc"],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    let read = |name: &str| fs::read_to_string(at(name)).expect("the header");
    assert_eq!(read("own.h"), "int x;\nint y;\n", "{stderr}");
    assert_eq!(read("system/sys.h"), "int v\nint w;\n");
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let mode = fs::metadata(at("own.h"))
        .expect("the header")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["own.h", "system", "t.upc"]);
}

/// A warning that is not shown is not fixed.
#[test]
fn warnings_that_are_off_are_not_fixed() {
    let folder = folder_with("main() { return 0; }\n");
    upcc(
        folder.path(),
        &["--fix", "-Wno-implicit-int", "-c", "t.upc"],
    );
    let text = fs::read_to_string(folder.path().join("t.upc")).expect("the file");
    assert_eq!(text, "main() { return 0; }\n");
}

fn json(text: &str) -> Value {
    let folder = folder_with(text);
    let words = ["-fdiagnostics-format=json", "-fsyntax-only", "t.upc"];
    let output = upcc(folder.path(), &words);
    let stderr = String::from_utf8_lossy(&output.stderr);
    // The preprocessor writes an array, too.
    let array = stderr.lines().rfind(|line| line.starts_with('['));
    serde_json::from_str(array.expect("an array")).expect("diagnostics")
}

#[test]
fn json_has_the_edits_and_how_certain_they_are() {
    let array = json("int x\nint total; int f(void) {\treturn totl; }\n");
    let [semicolon, name] = [&array[0], &array[1]];
    assert_eq!(semicolon["applicability"], "machine-applicable");
    let edit = &semicolon["fixits"][0];
    assert_eq!(edit["string"], ";");
    for end in ["start", "next"] {
        assert_eq!(edit[end]["file"], "t.upc");
        assert_eq!(edit[end]["line"], 1);
        assert_eq!(edit[end]["byte-column"], 6);
    }
    assert_eq!(semicolon["locations"][0]["caret"]["column"], 6);
    // The other one is only a suggestion, so it is not an edit of the diagnostic itself.
    assert!(name.get("fixits").is_none(), "{name}");
    let children = name["children"].as_array().expect("notes");
    let help = children.iter().find(|note| note.get("fixits").is_some());
    let help = help.expect("a suggestion");
    assert_eq!(help["message"], "help: did you mean `total`?");
    assert_eq!(help["applicability"], "maybe-incorrect");
    let edit = &help["fixits"][0];
    assert_eq!(edit["string"], "total");
    assert_eq!(edit["start"]["byte-column"], 33);
    assert_eq!(edit["start"]["display-column"], 40);
    assert_eq!(edit["next"]["byte-column"], 37);
}

/// All edits of a suggestion belong together.
#[test]
fn a_misplaced_layout_qualifier_moves() {
    let array = json("#include <upc.h>\nshared int *[4] p;\n");
    let children = array[0]["children"].as_array().expect("notes");
    let fixits = children.iter().find_map(|note| note["fixits"].as_array());
    let fixits = fixits.expect("edits");
    let strings: Vec<_> = fixits.iter().map(|edit| &edit["string"]).collect();
    assert_eq!(strings, [" [4]", ""]);
    assert_eq!(fixits[1]["start"]["column"], 13);
    assert_eq!(fixits[1]["next"]["column"], 16);
}
