//! Tests of the real `upcc` and `upcrun` on small programs in new folders.

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, UPCC, UPCRUN, stderr, stdout};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::PathBuf;

const MAIN: &str = "#include <stdio.h>\nint square(int);\nint main(int argc, char **argv) {\n    printf(\"%d %s\\n\", square(7), argc > 1 ? argv[1] : \"-\");\n    return 5;\n}\n";
const SQUARE: &str = "int square(int x) { return x * x; }\n";

fn two_files() -> Folder {
    Folder::with(&[("main.c", MAIN), ("square.upc", SQUARE)])
}

#[test]
fn several_files_compile_link_and_run() {
    let folder = two_files();
    folder.upcc("main.c square.upc -o prog");
    let output = folder.run("./prog", "x");
    assert_eq!(
        (stdout(&output).as_str(), output.status.code()),
        ("49 x\n", Some(5))
    );
    assert!(!folder.has("main.o") && !folder.has("a.out"));
}

#[test]
fn objects_and_sources_mix() {
    let folder = two_files();
    folder.upcc("-c main.c square.upc");
    folder.upcc("main.o square.o -lm");
    assert_eq!(stdout(&folder.run("./a.out", "")), "49 -\n");
    folder.upcc("-c square.upc -o other.o -pedantic -Wall -Wextra -Werror -std=c11");
    folder.upcc("-o mixed main.c other.o");
    assert_eq!(stdout(&folder.run("./mixed", "")), "49 -\n");
}

#[test]
fn run_takes_threads_and_arguments_and_gives_the_status() {
    let folder = two_files();
    for (line, argument) in [("12", "12"), ("-- -n", "-n")] {
        let output = folder.run(UPCC, &format!("--run main.c square.upc -n 2 {line}"));
        assert_eq!(
            stdout(&output),
            format!("49 {argument}\n").repeat(2),
            "{}",
            stderr(&output)
        );
        assert_eq!(output.status.code(), Some(5));
        assert_eq!(folder.leftovers(), 0);
    }
}

#[test]
fn upcrun_starts_as_many_threads_as_asked() {
    let folder = two_files();
    folder.upcc("main.c square.upc -o prog");
    // A group of more threads than there are, or of any number, leaves all memory mapped.
    for line in ["-n 3", "--n=3 -pshm-width 3", "-pshm-width 0 -n 3"] {
        let output = folder.run(UPCRUN, &format!("{line} prog y"));
        assert_eq!(
            (stdout(&output).as_str(), output.status.code()),
            ("49 y\n49 y\n49 y\n", Some(5)),
            "{line}"
        );
    }
    let apart = folder.run(UPCRUN, "-n 3 -pshm-width 2 prog y");
    assert!(stderr(&apart).contains("compile it with upcc -pshm-width=N"));
    let shown = folder.run(UPCRUN, "-t -np 3 -shared-heap=64MB ./prog");
    assert!(stderr(&shown).contains("UPCR_THREADS=3 UPC_SHARED_HEAP_SIZE=64MB ./prog"));
    assert!(
        stderr(&shown).contains("prog: thread 2 of 3: on ") && stdout(&shown).is_empty(),
        "{}",
        stderr(&shown)
    );
    assert_eq!(folder.run(UPCRUN, "-n 2 ./missing").status.code(), Some(3));
}

/// Behind the last element of its linear image, an array ends, on no thread.
#[test]
fn a_fault_behind_a_linear_image_names_the_array() {
    let text = "#include <upc_relaxed.h>\nshared [1024] int grid[1024 * THREADS];\nvolatile int at;\nint main(void)\n{\n    at = 1024 * THREADS;\n    grid[at] = 1;\n    return 0;\n}\n";
    let folder = Folder::with(&[("past.upc", text)]);
    folder.upcc("-O past.upc -o past");
    let output = stderr(&folder.run(UPCRUN, "-n 2 ./past"));
    assert!(
        output.contains("past.upc:7 (main): killed by SIGSEGV"),
        "{output}"
    );
    assert!(
        output.contains("(past the end of shared array `grid`)"),
        "{output}"
    );
}

#[test]
fn upcrun_describes_a_program() {
    let folder = Folder::with(&[(
        "grid.upc",
        "#include <upc.h>\nshared [10] double grid[10*THREADS];\nint main(void) { grid[MYTHREAD] = 1; return 0; }\n",
    )]);
    folder.upcc("-T4 grid.upc -o prog");
    let text = stdout(&folder.run(UPCRUN, "-i ./prog"));
    for part in [
        "threads        4",
        "network        smp",
        "34 of address",
        "grid.upc",
        "grid                     80",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let refused = folder.run(UPCRUN, "-n 3 ./prog");
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("compiled for 4 threads"));
    assert_eq!(folder.run(UPCRUN, "-i grid.upc").status.code(), Some(3));
    assert_eq!(folder.run(UPCRUN, "--help").status.code(), Some(0));
}

#[test]
fn heap_size_given_at_the_link_reaches_the_runtime() {
    let folder = two_files();
    folder.upcc("main.c square.upc -o prog -shared-heap=3000000T");
    let output = folder.run("./prog", "");
    assert!(
        !output.status.success() && stderr(&output).contains("heap"),
        "{}",
        stderr(&output)
    );
    assert!(folder.run(UPCRUN, "-shared-heap=8MB ./prog").status.code() == Some(5));
}

#[test]
fn preprocessor_sees_upc() {
    let folder = Folder::with(&[(
        "m.upc",
        "#ifdef __UPC_STATIC_THREADS__\nstatic_threads = THREADS\n#else\ndynamic = THREADS\n#endif\nversion = __UPC_VERSION__ X Y\n",
    )]);
    let text = folder.upcc("-E m.upc -DX=1 -D Y=2");
    assert!(text.contains("dynamic = THREADS") && text.contains("version = 201311L 1 2"));
    assert!(folder.upcc("-E -T=4 m.upc").contains("static_threads = 4"));
    folder.upcc("-E m.upc -o out.i");
    assert!(folder.read("out.i").contains("# 1 \"m.upc\""));
}

#[test]
fn dependencies_name_the_object() {
    let folder = Folder::with(&[
        ("a.upc", "#include \"a.h\"\nint x = A;\n"),
        ("a.h", "#define A 1\n"),
    ]);
    folder.upcc("-MMD -c a.upc");
    let rule = folder.read("a.d");
    assert!(rule.starts_with("a.o:") && rule.contains("a.h"), "{rule}");
    assert!(folder.upcc("-MM a.upc").starts_with("a.o:"));
}

#[test]
fn translated_text_can_be_kept_and_compiled() {
    let folder = two_files();
    folder.upcc("-trans main.c square.upc");
    folder.upcc("main.trans.c square.trans.c -o prog");
    assert_eq!(stdout(&folder.run("./prog", "")), "49 -\n");
    folder.upcc("-save-temps -c square.upc");
    assert!(
        ["square.i", "square.trans.c", "square.o"]
            .iter()
            .all(|name| folder.has(name))
    );
    folder.upcc("-c square.i -o again.o");
    assert_eq!(
        folder.upcc("--emit=c square.upc"),
        folder.read("square.trans.c")
    );
}

#[test]
fn pointer_forms_work_and_do_not_mix() {
    let text = "#include <upc.h>\nshared [3] int a[3 * THREADS];\nint main(void) {\n    a[3 * MYTHREAD + 1] = sizeof(shared int *);\n    upc_barrier;\n    return a[3 * ((MYTHREAD + 1) % THREADS) + 1] + (upc_phaseof(&a[1]) == 1);\n}\n";
    let folder = Folder::with(&[("p.upc", text)]);
    for (flags, status) in [
        ("", 9),
        ("-fupc-packed-bits=12,12,40", 9),
        ("-fupc-pts=struct", 17),
    ] {
        let output = folder.run(UPCC, &format!("--run {flags} p.upc -n 3"));
        assert_eq!(
            output.status.code(),
            Some(status),
            "{flags}: {}",
            stderr(&output)
        );
    }
    folder.upcc("-c -fupc-pts=struct p.upc");
    folder.upcc("p.o -fupc-pts=struct -o right");
    let output = folder.run(UPCC, "p.o -o mixed");
    assert_eq!(
        (
            output.status.code(),
            stderr(&output).contains("-fupc-pts=struct")
        ),
        (Some(1), true),
        "{}",
        stderr(&output)
    );
    for (line, message) in [
        ("-T=1025 p.upc", "-fupc-pts=struct"),
        ("-fupc-packed-bits=20,10,33 p.upc", "20,10,34"),
    ] {
        let output = folder.run(UPCC, line);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn dumps_show_the_own_items_and_nolines_has_no_markers() {
    let folder = Folder::with(&[(
        "d.upc",
        "#include <stdio.h>\n#include <upc.h>\nshared int mine;\nint main(void) { return mine; }\n",
    )]);
    for kind in ["ast", "il"] {
        let text = folder.upcc(&format!("--emit={kind} d.upc"));
        assert!(
            text.contains("mine") && !text.contains("printf") && !text.contains("upc_alloc"),
            "{kind}: {text}"
        );
    }
    folder.upcc("-trans -nolines d.upc");
    let text = folder.read("d.trans.c");
    let directives = text.lines().filter(|line| line.starts_with('#'));
    assert_eq!(directives.collect::<Vec<_>>(), ["#include \"upcr/upcr.h\""]);
    folder.upcc("-c d.trans.c -Wall -Werror");
}

/// How often lines are run: functions that are called, and loops with shared accesses or without.
#[test]
fn references_as_json_have_the_visits_of_lines() {
    let text = "#include <upc.h>\nshared int seen;\nstatic void two(void)\n{\n    for (int i = 0; i < 2; i++)\n        upc_fence;\n}\nint main(void)\n{\n    for (int t = 0; t < THREADS; t++)\n        two();\n}\n";
    let folder = Folder::with(&[("visits.upc", text)]);
    let found: serde_json::Value =
        serde_json::from_str(&folder.upcc("--emit=refs-json visits.upc")).expect("it is JSON");
    let regions = found["regions"].as_array().into_iter().flatten();
    let seen = regions.map(|it| {
        let lines = [it["first"].as_u64(), it["last"].as_u64()];
        let term = &it["count"]["terms"][0];
        (
            lines,
            term["factor"][0].as_i64(),
            term["powers"]["THREADS"].as_i64(),
        )
    });
    let wanted = [
        ([Some(4), Some(7)], Some(1), Some(1)),
        ([Some(5), Some(6)], Some(2), Some(1)),
        ([Some(9), Some(12)], Some(1), None),
        ([Some(10), Some(11)], Some(1), Some(1)),
    ];
    assert_eq!(seen.collect::<Vec<_>>(), wanted);
}

#[test]
fn user_macros_do_not_apply_twice() {
    let text = "#pragma push_macro(\"V\")\n#undef V\nint V = 2;\n#pragma pop_macro(\"V\")\nint main(void) { return V; }\n";
    let folder = Folder::with(&[("a.c", text)]);
    folder.upcc("-DV=V+1 a.c -o prog");
    assert_eq!(folder.run("./prog", "").status.code(), Some(3));
}

#[test]
fn arguments_from_a_file() {
    let folder = Folder::with(&[
        ("a.c", MAIN),
        ("b.c", SQUARE),
        ("args", "a.c 'b.c'\n-o prog\n"),
    ]);
    folder.upcc("@args");
    assert_eq!(stdout(&folder.run("./prog", "")), "49 -\n");
}

#[test]
fn errors_have_place_and_status() {
    let folder = Folder::with(&[
        ("bad.c", "int f(void) {\n    return undeclared_thing;\n}\n"),
        ("good.c", SQUARE),
    ]);
    let output = folder.run(UPCC, "-c bad.c good.c");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("bad.c:2:"), "{}", stderr(&output));
    assert!(folder.has("good.o") && !folder.has("bad.o"));
    assert_eq!(folder.leftovers(), 0);
    for (line, status, message) in [
        ("missing.upc", 3, "missing.upc"),
        ("-frob=x --nonsense a.upc", 2, "unknown option `--nonsense`"),
        ("", 2, "no input files"),
        ("-c a.c b.c -o x", 2, "one input file"),
        ("good.c -o no/such/folder/x", 3, "no/such/folder"),
    ] {
        let output = folder.run(UPCC, line);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{line}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains(message),
            "{line}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn libraries_of_ucx_that_are_missing() {
    let folder = two_files();
    let mut missing = folder.command(UPCC, "-network=ucx main.c");
    let output = missing
        .env("PKG_CONFIG", "no-such-pkg-config")
        .output()
        .expect("upcc starts");
    assert_eq!(output.status.code(), Some(3));
    let text = stderr(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("apt install pkg-config libucx-dev libpmix-dev"));
}

#[test]
fn c_compiler_of_the_user() {
    let folder = two_files();
    let mut missing = folder.command(UPCC, "-c main.c");
    let output = missing
        .env("UPCC_CC", "no-such-compiler")
        .output()
        .expect("upcc starts");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no-such-compiler"));
    // `make CC=upcc` exports the variable to upcc.
    let mut own = folder.command(UPCC, "-c main.c");
    assert!(
        own.env("CC", UPCC)
            .env_remove("UPCC_CC")
            .status()
            .expect("upcc starts")
            .success()
    );
}

/// As for the C compiler.
#[test]
fn temporary_files_need_no_tmpdir() {
    let folder = two_files();
    let mut command = folder.command(UPCC, "-c main.c");
    command.env("TMPDIR", folder.path("missing"));
    let output = command.output().expect("upcc starts");
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn questions_are_answered() {
    let folder = Folder::with(&[]);
    assert!(folder.upcc("--version").starts_with("upcc "));
    assert_eq!(folder.upcc("-h"), folder.upcc("--help"));
    let include = folder.upcc("-print-include-dir");
    assert!(PathBuf::from(include.trim()).join("upc.h").is_file());
    assert!(stdout(&folder.run(UPCRUN, "--help")).contains("-n <N>"));
}

#[test]
fn interrupt_leaves_nothing() {
    let folder = Folder::with(&[("slow.c", "int main(void) { for (;;); }\n")]);
    let mut child = folder
        .command(UPCC, "--run slow.c")
        .spawn()
        .expect("upcc starts");
    let program_runs = || {
        fs::read_dir(folder.path("tmp")).is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|e| e.path().join("program").is_file()))
        })
    };
    for _ in 0..400 {
        if program_runs() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::TERM).expect("it runs");
    assert!(!child.wait().expect("upcc ends").success());
    assert_eq!(folder.leftovers(), 0);
}

#[test]
fn old_c_draws_one_warning_for_each_thing_implied() {
    let folder = Folder::with(&[(
        "old.c",
        "static x = 3;\nadd(a, b) int a; short b; { return a + b; }\nmain() { return add(1, x) - called(); }\ncalled() { return 4; }\n",
    )]);
    let output = folder.run(UPCC, "-Wall old.c -o old");
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stderr(&output);
    for (line, what) in [
        (1, "type defaults"),
        (2, "type defaults"),
        (3, "type defaults"),
        (3, "implicit declaration"),
        (4, "type defaults"),
    ] {
        let place = format!("old.c:{line}:");
        let lines = said
            .lines()
            .filter(|l| l.starts_with(&place) && l.contains(what));
        assert_eq!(lines.count(), 1, "line {line}, {what}:\n{said}");
    }
    assert_eq!(folder.run("./old", "").status.code(), Some(0));
}
