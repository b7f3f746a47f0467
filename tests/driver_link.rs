//! Units that fit together are linked, others are rejected with the object's name; messages name the user's files.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs};
use tempfile::TempDir;

const UPCC: &str = env!("CARGO_BIN_EXE_upcc");
const UPCRUN: &str = env!("CARGO_BIN_EXE_upcrun");

const FILES: &[(&str, &str)] = &[
    (
        "main.upc",
        "#include <upc.h>\nint part(void);\nint main(void) { upc_barrier; return part() + THREADS; }\n",
    ),
    (
        "part.upc",
        "#include <upc.h>\nstatic shared int s[THREADS];\nint part(void) { return s[MYTHREAD]; }\n",
    ),
    ("plain.c", "int part(void) { return 20; }\n"),
    (
        "user.upc",
        "extern shared int far[THREADS];\nint near(void);\nint main(void)\n{\n    far[MYTHREAD] = 1;\n    return near();\n}\n",
    ),
    (
        "asm.upc",
        "int main(void)\n{\n    __asm__(\"nop\" : : \"@\"(1));\n    return 0;\n}\n",
    ),
    ("tool.c", TOOL),
];

/// A performance tool that prints which file an event comes from. Like TAU's, it may itself be compiled with `--inst`.
const TOOL: &str = r#"
#include <gasp.h>
#include <stdio.h>
#pragma pupc off
struct _gasp_context_S { int unused; } context;
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) { return &context; }
int gasp_control(gasp_context_t c, int on) { return 1; }
unsigned gasp_create_event(gasp_context_t c, const char *name, const char *desc) { return 10000; }
void gasp_event_notifyVA(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list args)
{
    if (file != 0) fprintf(stderr, "event of %s:%d\n", file, line);
}
void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
    gasp_event_notifyVA(c, tag, type, file, line, column, 0);
}
"#;

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().expect("temporary folder"));
        for (name, text) in FILES {
            fs::write(place.0.path().join(name), text).expect("a file");
        }
        place
    }

    fn run(&self, program: &str, line: &str) -> Output {
        let mut command = Command::new(program);
        command
            .args(line.split(' ').filter(|word| !word.is_empty()))
            .current_dir(self.0.path())
            .env("XDG_CACHE_HOME", cache())
            .env("HOME", self.0.path())
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("UPCC_FLAGS")
            .env_remove("UPCC_NORC");
        command.output().expect("the program starts")
    }

    fn upcc(&self, line: &str) {
        let output = self.run(UPCC, line);
        assert!(output.status.success(), "upcc {line}: {}", stderr(&output));
    }

    /// Runs `upcc`, which must fail with status 1, print all these words, and produce no program.
    fn refuses(&self, line: &str, words: &[&str]) {
        let output = self.run(UPCC, line);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "upcc {line}: {text}");
        for word in words {
            assert!(text.contains(word), "upcc {line}: no `{word}` in {text}");
        }
        let inner = ["/tmp", "__wrap", "__real"];
        assert!(!inner.iter().any(|name| text.contains(name)), "{text}");
        assert!(
            !self.0.path().join("prog").exists(),
            "upcc {line} leaves a program"
        );
    }

    fn status(&self, program: &str) -> Option<i32> {
        let status = self.run(program, "").status.code();
        fs::remove_file(self.0.path().join(program)).expect("the program");
        status
    }
}

/// Returns the folder of the compiled runtime, as programs in these tests have another home folder.
fn cache() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".cache");
    env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn thread_counts() {
    let place = Place::new();
    place.upcc("-T4 -c part.upc -o part4.o");
    place.upcc("-T8 -c main.upc -o main8.o");
    place.upcc("-c main.upc plain.c");
    place.refuses(
        "main8.o part4.o -o prog",
        &[
            "part4.o (from part.upc)",
            "4 threads",
            "main8.o (from main.upc)",
            "8",
            "-T",
        ],
    );
    place.refuses("-T2 main.o part4.o -o prog", &["part4.o", "this command"]);
    // Dynamic units can be linked with static ones, and a link may fix the number.
    place.upcc("main.o part4.o -o prog");
    let other = place.run(UPCRUN, "-n 3 ./prog");
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("compiled for 4 threads and cannot run with 3"));
    assert_eq!(place.status("./prog"), Some(4));
    place.upcc("-T3 main.o plain.o -o prog");
    assert_eq!(place.status("./prog"), Some(23));
    // Only those members of an archive matter that the linker takes.
    assert!(place.run("ar", "rcs libparts.a part4.o").status.success());
    place.refuses("main8.o libparts.a -o prog", &["libparts.a(part4.o)", "8"]);
    place.refuses("main8.o -L. -lparts -o prog", &["libparts.a(part4.o)", "8"]);
    place.upcc("main8.o plain.o libparts.a -o prog");
    assert_eq!(place.status("./prog"), Some(28));
}

#[test]
fn translated_text_remembers_by_itself() {
    let place = Place::new();
    place.upcc("-trans -T4 -fupc-pts=struct part.upc main.upc");
    place.upcc("part.trans.c main.trans.c -fupc-pts=struct -o prog");
    assert_eq!(place.status("./prog"), Some(4));
    place.refuses(
        "part.trans.c main.trans.c -o prog",
        &["part.upc", "-fupc-pts=struct"],
    );
}

/// Units raise events or not, each as it was compiled; a program that raises none references no name of the interface.
#[test]
fn instrumented_units_mix_with_others() {
    let place = Place::new();
    place.upcc("--inst-functions -trans main.upc");
    place.upcc("--inst-functions -c main.trans.c tool.c");
    place.upcc("-c part.upc");
    place.upcc("--inst-local -c part.upc -o instrumented.o");
    let events = |objects: &str| {
        place.upcc(&format!("{objects} -T1 -o prog"));
        let output = stderr(&place.run("./prog", ""));
        assert_eq!(place.status("./prog"), Some(1), "{output}");
        ["main.upc:3", "part.upc:3"].map(|line| output.contains(&format!("event of {line}")))
    };
    assert_eq!(events("main.o part.o tool.o"), [true, false]);
    assert_eq!(events("main.o instrumented.o tool.o"), [true, true]);
    assert_eq!(events("main.upc instrumented.o tool.o"), [false, true]);
    // Weak names of the runtime stand in for a tool, and for an archive that contains one.
    assert_eq!(events("main.o instrumented.o"), [false, false]);
    assert!(place.run("ar", "rcs libtool.a tool.o").status.success());
    assert_eq!(events("main.o instrumented.o -L. -ltool"), [true, true]);
    place.upcc("main.upc part.o -o prog");
    let program = fs::read(place.0.path().join("prog")).expect("the program");
    assert!(memchr::memmem::find(&program, b"gasp_").is_none());
}

#[test]
fn undefined_and_double_names() {
    let place = Place::new();
    place.refuses(
        "user.upc -o prog",
        &[
            "user.upc",
            "no object defines the shared object `far`",
            "user.upc:6: error: undefined reference to `near` (in function `main`)",
        ],
    );
    place.refuses("plain.c -o prog", &["the program has no main"]);
    place.refuses(
        "main.upc part.upc plain.c -o prog",
        &["plain.c:1: error: `part` is defined here and at part.upc"],
    );
    place.refuses(
        "asm.upc -o prog",
        &[
            "asm.upc:",
            "error: ",
            "leaves the operands of asm statements to the C compiler",
        ],
    );
}

#[test]
fn configuration_file() {
    let place = Place::new();
    let file = place.0.path().join(".upccrc");
    fs::write(file, "default_options = -T2\nconduits = smp\n").expect("a file");
    place.upcc("main.upc plain.c -o prog");
    assert_eq!(place.status("./prog"), Some(22));
    place.upcc("-norc main.upc plain.c -o prog");
    assert_eq!(place.status("./prog"), Some(21));
    let output = place.run(UPCC, "-v -c plain.c");
    assert!(stderr(&output).contains(".upccrc:2: conduits = smp"));
}
