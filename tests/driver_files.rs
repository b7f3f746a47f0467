//! Files of a command line that cannot be read or written, headers that do not exist, and options of other commands:
//! one message of ours, with the documented status.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs `upcc` in a folder with a few files. Returns its status, and what it printed.
fn upcc(folder: &Path, cc: &str, words: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(folder)
        .env("UPCC_CC", cc)
        .env_remove("UPCC_FLAGS")
        .args(words.split_whitespace())
        .output()
        .expect("upcc starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("heat.upc", "int x;\n");
    write("grid.h", "int g;\n");
    write("lib.upc", "#include <upc.h>\n#include <upc_colective.h>\n");
    write("own.upc", "#include \"gird.h\"\n");
    write("deep.upc", "#warning first\n#include \"inner.h\"\n");
    write("inner.h", "#include <stdoi.h>\n");
    write("other.upc", "#include <such/a/thing.h>\n");
    write("calls_mpi.upc", "#include <mpi.h>\n");
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    folder
}

#[test]
fn files_that_cannot_be_used() {
    let folder = folder();
    for (words, message) in [
        (
            "-c hat.upc",
            "cannot read hat.upc: No such file or directory; did you mean `heat.upc`?",
        ),
        (
            "-c heat",
            "cannot read heat: No such file or directory; did you mean `heat.upc`?",
        ),
        (
            "-c sub/heat.upc",
            "cannot read sub/heat.upc: No such file or directory",
        ),
        (
            "heat.upc none.o",
            "cannot read none.o: No such file or directory",
        ),
        ("-c none.c", "cannot read none.c: No such file or directory"),
        ("sub", "cannot read sub: Is a directory"),
        (
            "-c heat.upc -o none/heat.o",
            "cannot write none/heat.o: No such file or directory",
        ),
        ("-trans heat.upc -o sub", "cannot write sub: Is a directory"),
        (
            "-E heat.upc -o none/x",
            "cannot write none/x: No such file or directory",
        ),
        (
            "heat.upc -o heat.upc/x",
            "cannot write heat.upc/x: Not a directory",
        ),
    ] {
        let expected = format!("upcc: error: {message}\n");
        assert_eq!(
            upcc(folder.path(), "gcc", words),
            (Some(3), expected),
            "{words}"
        );
    }
}

#[test]
fn headers_that_do_not_exist() {
    let folder = folder();
    let installed = |cc: &&str| Command::new(cc).arg("--version").output().is_ok();
    for cc in ["gcc", "clang"].into_iter().filter(installed) {
        for (words, place, help) in [
            (
                "-c lib.upc",
                "lib.upc:2:11",
                "did you mean `<upc_collective.h>`?",
            ),
            ("-c own.upc", "own.upc:1:11", "did you mean `\"grid.h\"`?"),
            ("-E own.upc", "own.upc:1:11", "did you mean `\"grid.h\"`?"),
            ("-c deep.upc", "inner.h:1:11", "did you mean `<stdio.h>`?"),
            (
                "-c other.upc",
                "other.upc:1:11",
                "name its folder with `-I`",
            ),
            (
                "-c calls_mpi.upc",
                "calls_mpi.upc:1:11",
                "`-network=mpi -uses-mpi`",
            ),
        ] {
            let (status, stderr) = upcc(folder.path(), cc, words);
            assert_eq!(status, Some(1), "{stderr}");
            let header = format!("{place}: error: there is no header `");
            assert!(stderr.lines().any(|l| l.contains(&header)), "{stderr}");
            assert!(stderr.contains(help), "{stderr}");
            assert!(!stderr.contains("fatal error"), "{stderr}");
            // What was said before stays.
            assert_eq!(stderr.contains("first"), words.contains("deep"), "{stderr}");
        }
    }
}

/// A second message is none of ours: `make` and editors read the JSON of gcc.
#[test]
fn headers_in_json() {
    let folder = folder();
    let (status, stderr) = upcc(folder.path(), "gcc", "-fdiagnostics-format=json -c lib.upc");
    assert_eq!(status, Some(1));
    assert!(
        stderr.starts_with('[') && stderr.contains("upc_colective.h"),
        "{stderr}"
    );
}

#[test]
fn threads_as_other_commands_spell_them() {
    let folder = folder();
    for words in [
        "--threads 4",
        "--threads=4",
        "-threads 4",
        "-t 4",
        "-t4",
        "--nthreads=4",
    ] {
        let (status, stderr) = upcc(folder.path(), "gcc", &format!("{words} -c heat.upc"));
        assert_eq!(status, Some(2));
        assert!(stderr.ends_with("; did you mean `-T 4`?\n"), "{stderr}");
    }
    let (_, stderr) = upcc(folder.path(), "gcc", "-c -t heat.upc");
    assert!(stderr.contains("did you mean `-T N`?"), "{stderr}");
}
