//! Output files of `upcc`: they are where the C compiler would put them, complete or absent, and there are no others;
//! and input from standard input.

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, UPCC, stderr, stdout};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const MAIN: &str = "int g(int);\nint main(int c, char **v) { return g(c) - 1; }\n";
const OTHER: &str = "int g(int x) { return x ? x : 3; }\n";

/// Returns all files below a folder except temporary ones.
fn files(folder: &Folder) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.path("")];
    while let Some(place) = folders.pop() {
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                let path = entry.path();
                let name = path.strip_prefix(folder.path("")).expect("it is inside");
                found.insert(name.to_string_lossy().into_owned());
            }
        }
    }
    found
}

fn sources() -> Folder {
    let folder = Folder::with(&[("a.c", MAIN), ("b.c", OTHER)]);
    fs::create_dir_all(folder.path("o")).expect("a folder");
    fs::copy(folder.path("a.c"), folder.path("o/a.c")).expect("a copy");
    folder
}

fn gcc_major() -> Option<u32> {
    let output = Command::new("gcc").arg("-dumpversion").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.trim().split('.').next()?.parse().ok()
}

/// Flags that make the C compiler write more files.
const FLAGS: &[&str] = &[
    "--coverage -fstack-usage -fdump-tree-original -MD",
    "-fprofile-generate -g -O1 -gsplit-dwarf -fsave-optimization-record -MMD -MP",
];

/// Ways to compile.
const WAYS: &[&str] = &[
    "a.c b.c -o prog",
    "a.c b.c",
    "a.c b.c -o o/prog.x",
    "o/a.c b.o -o a",
    "-c a.c",
    "-c a.c -o o/x.o",
    "-c a.c b.c",
    "-S b.c",
    "-shared -fPIC b.c -o b",
];

#[test]
fn files_are_where_gcc_puts_them() {
    if gcc_major().is_none_or(|major| major < 11) {
        return; // others use other names
    }
    for flags in FLAGS {
        for way in WAYS {
            let line = format!("{flags} {way}");
            let made = |program: &str| {
                let folder = sources();
                assert!(folder.run("gcc", "-c b.c").status.success());
                let mut command = folder.command(program, &line);
                let output = command.env("UPCC_CC", "gcc").output().expect("it starts");
                assert!(output.status.success(), "{line}: {}", stderr(&output));
                for program in ["prog", "a", "a.out", "o/prog.x"] {
                    if folder.has(program) {
                        let run = folder.run(&format!("./{program}"), "");
                        assert_eq!(run.status.code(), Some(0), "{line}: {}", stderr(&run));
                    }
                }
                let rules = files(&folder)
                    .into_iter()
                    .filter(|name| name.ends_with(".d"));
                let rules = rules.map(|name| {
                    let rule = folder.read(&name);
                    rule.split(':').next().unwrap_or_default().to_owned()
                });
                (rules.collect::<Vec<_>>(), files(&folder))
            };
            assert_eq!(made(UPCC), made("gcc"), "{line}");
        }
    }
}

/// A compiler without an option for dump names derives them from the object, which is then made at the dumps' place; an
/// object that exists there already is kept.
#[test]
fn notes_of_other_compilers_are_kept_too() {
    // The runtime is compiled once for this compiler, and without optimisation, which takes less time.
    let compiler = Folder::with(&[]);
    compiler.executable(
        "cc",
        "#!/bin/sh\ncase \"$*\" in\n--version) ;;\n*/src/*) exec gcc \"$@\" -O0 ;;\n*) exec gcc \"$@\" ;;\nesac\n",
    );
    for (there, wanted) in [(false, "a.dwo"), (true, "a.1.dwo")] {
        let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
        if there {
            fs::write(folder.path("a.o"), "mine").expect("a file");
        }
        let mut command = folder.command(UPCC, "-g -O1 -gsplit-dwarf a.c -o prog");
        let output = command
            .env("UPCC_CC", compiler.path("cc"))
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(
            folder.has(wanted) && folder.has("prog"),
            "{:?}",
            files(&folder)
        );
        assert_eq!(folder.read("a.o"), if there { "mine" } else { "" });
        assert_eq!(folder.has("a.o"), there);
    }
}

fn with_input(folder: &Folder, line: &str, input: &[u8]) -> Output {
    let mut command = folder.command(UPCC, line);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("upcc starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // The command may have failed before it reads.
    let _ = pipe.write_all(input);
    drop(pipe);
    child.wait_with_output().expect("upcc ends")
}

#[test]
fn standard_input_is_a_source() {
    let folder = Folder::with(&[]);
    let good = b"#define SEVEN 7\nint main(void) { return SEVEN; }\n";
    let bad = b"int x = ;\n";
    let preprocessed = b"int main(void) { return 7; }\n";
    for (line, text) in [
        ("-x upc -", &good[..]),
        ("-x upc /dev/stdin", good),
        ("-x c -g -", good),
        ("-x cpp-output -", preprocessed),
        ("-x trans-c -", preprocessed),
    ] {
        let output = with_input(&folder, &format!("{line} -o prog"), text);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert_eq!(folder.run("./prog", "").status.code(), Some(7), "{line}");
        fs::remove_file(folder.path("prog")).expect("the program");
    }
    let text = stdout(&with_input(&folder, "-x upc -E -", good));
    assert!(text.contains("return 7;"), "{text}");
    assert!(stdout(&with_input(&folder, "-E -", good)).contains("return 7;"));
    let output = with_input(&folder, "-x upc -c -", good);
    assert!(
        output.status.success() && folder.has("-.o"),
        "{}",
        stderr(&output)
    );
    for line in [
        "-x upc -c -",
        "-x upc -fsyntax-only -",
        "-x upc -trans - -o -",
        "-x cpp-output -c -",
    ] {
        let output = with_input(&folder, line, bad);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(
            stderr(&output).contains("<stdin>:1:9: error"),
            "{line}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("1 │ int x = ;"),
            "{line}: {}",
            stderr(&output)
        );
    }
    // The program that is run is the only reader of the input.
    fs::write(
        folder.path("cat.upc"),
        "#include <stdio.h>\nint main(void) { return getchar(); }\n",
    )
    .expect("a file");
    assert_eq!(
        with_input(&folder, "--run cat.upc", b"A").status.code(),
        Some(65)
    );
}

/// A translation is the same for two users: it names the headers of `upcc` by a fixed folder. Messages of the C compiler
/// about it, and rules for make, name the files.
#[test]
fn translations_do_not_depend_on_the_cache() {
    let source = "#include <upc.h>\n#include <upc_collective.h>\n#include <stdio.h>\n\
        shared int a[THREADS];\nint main(void) { if (a[MYTHREAD]) upc_global_exit(1); return 0; }\n";
    let folder = Folder::with(&[("a.upc", source)]);
    let by = |cache: &str, line: &str| {
        let mut command = folder.command(UPCC, line);
        command.env("XDG_CACHE_HOME", folder.path(cache));
        command.env_remove("UPCC_RUNTIME_DIR");
        command.output().expect("upcc starts")
    };
    for flags in ["", "--inst", "-fupc-checks -g", "-fupc-no-verbatim"] {
        let made = ["one", "other"].map(|cache| {
            let output = by(cache, &format!("{flags} -MD -trans a.upc"));
            assert!(output.status.success(), "{flags}: {}", stderr(&output));
            let rule = folder.read("a.d");
            let header = folder.path(cache).join("upcc/src-");
            let named = rule.contains(&*header.to_string_lossy()) && rule.contains("/upc.h");
            assert!(named, "{flags}: {rule}");
            folder.read("a.trans.c")
        });
        assert!(made[0].contains("\"/upcc/include/upc.h\""), "{flags}");
        assert_eq!(made[0], made[1], "{flags}");
    }
    let wrong = folder.read("a.trans.c") + "extern double upc_global_exit;\n";
    fs::write(folder.path("a.trans.c"), wrong).expect("a file");
    let output = by("one", "-c a.trans.c");
    let header = folder.path("one/upcc/src-");
    let named = stderr(&output).contains(&*header.to_string_lossy());
    assert!(!output.status.success() && named, "{}", stderr(&output));
}

/// A closed stream is not an empty file. Rust opens `/dev/null` in its place before `main`.
#[test]
fn closed_streams_are_errors() {
    let source = "int main(void) { return 7; }\n";
    let folder = Folder::with(&[("a.upc", source), ("a.i", source)]);
    let shell = |line: &str| {
        let mut shell = folder.command("sh", "");
        shell.args(["-c", &format!("exec \"$0\" {line}"), UPCC]);
        shell.output().expect("a shell starts")
    };
    for (line, said) in [
        ("-x upc -c - -o a.o <&-", "cannot read standard input"),
        ("-x upc -fsyntax-only - <&-", "cannot read standard input"),
        ("-x upc -E - <&-", "cannot read standard input"),
        ("-x c -c - -o a.o <&-", "cannot read standard input"),
        (
            "-x cpp-output -c - -o a.o <&-",
            "cannot read standard input",
        ),
        (
            "-x upc -c /dev/stdin -o a.o <&-",
            "cannot read standard input",
        ),
        ("-E a.upc >&-", "cannot write standard output"),
        ("-trans a.upc -o - >&-", "cannot write standard output"),
        ("--emit=il a.upc >&-", "cannot write standard output"),
    ] {
        let output = shell(line);
        assert_eq!(output.status.code(), Some(3), "{line}");
        assert_eq!(
            stderr(&output),
            format!("upcc: error: {said}: it is closed\n"),
            "{line}"
        );
        assert!(!folder.has("a.o"), "{line}");
    }
    // An empty file is a source, and `/dev/null` takes what is not wanted. Closed streams that are not used do no harm.
    for line in [
        "-x upc -c - -o a.o </dev/null",
        "-x upc -c - -o a.o <>/dev/null",
        "-c a.upc -o a.o <&- >&- 2>&-",
        "-E a.upc >/dev/null",
    ] {
        let output = shell(line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert_eq!(stderr(&output), "", "{line}");
    }
}

/// Tests every output that `upcc` writes itself when the disk is full, simulated by a limit of one block for each file.
#[test]
fn no_half_files() {
    let folder = Folder::with(&[]);
    let long: String = (0..200)
        .map(|n| format!("shared int v{n}[THREADS];\n"))
        .collect();
    fs::write(
        folder.path("a.upc"),
        format!("{long}int main(void) {{ return 0; }}\n"),
    )
    .expect("a file");
    for (line, output) in [
        ("-trans a.upc", "a.trans.c"),
        ("-trans a.upc -o out.c", "out.c"),
        ("--emit=il a.upc -o out.il", "out.il"),
        ("-save-temps -c a.upc", "a.i"),
    ] {
        for old in [None, Some("an old one\n")] {
            match old {
                Some(old) => fs::write(folder.path(output), old).expect("a file"),
                None => drop(fs::remove_file(folder.path(output))),
            }
            let before = files(&folder);
            let mut shell = folder.command("sh", "");
            shell.args(["-c", &format!("ulimit -f 1; exec \"$0\" {line}"), UPCC]);
            let ended = shell.output().expect("a shell starts");
            assert_eq!(ended.status.code(), Some(3), "{line}: {}", stderr(&ended));
            assert!(
                stderr(&ended).contains("cannot write"),
                "{line}: {}",
                stderr(&ended)
            );
            assert_eq!(files(&folder), before, "{line}");
            assert_eq!(folder.read(output), old.unwrap_or_default(), "{line}");
        }
        fs::remove_file(folder.path(output)).expect("the old file");
    }
}

/// A C compiler of several processes; it cleans up by processes that take a moment. The last one writes its process id
/// and ignores signals.
const SLOW: &str = "#!/bin/sh
case \" $* \" in *\" -E \"* | *\" -dumpmachine \"*) exec gcc \"$@\" ;; esac
echo half >half.o
trap 'sleep 0.1 && rm -f half.o; exit 1' TERM INT HUP
sh -c 'trap \"\" TERM INT HUP; echo $$ >number.new; mv number.new number; sleep 100; sleep 100' &
wait
";

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns whether a process runs; one that has ended may still be listed.
fn runs(number: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with('Z')
}

/// Signals after which a process does not end by default, that it cannot handle (SIGKILL) or that Rust ignores
/// (SIGPIPE); an error of writing (SIGXFSZ); and faults of a process itself.
const NOT_ASKED: [Signal; 15] = [
    Signal::KILL,
    Signal::STOP,
    Signal::TSTP,
    Signal::TTIN,
    Signal::TTOU,
    Signal::CONT,
    Signal::CHILD,
    Signal::URG,
    Signal::WINCH,
    Signal::PIPE,
    Signal::XFSZ,
    Signal::SEGV,
    Signal::BUS,
    Signal::ILL,
    Signal::FPE,
];

#[test]
fn signals_end_all_and_leave_nothing() {
    let named =
        (1..=31).filter(|number| !NOT_ASKED.iter().any(|signal| signal.as_raw() == *number));
    // Some of the real-time signals.
    let numbers: Vec<i32> = named.chain([34, 50, 64]).collect();
    assert!(numbers.len() > 15);
    handle_ignored(&numbers);
    let some = numbers.chunks(numbers.len().div_ceil(4));
    std::thread::scope(|scope| {
        for numbers in some {
            scope.spawn(|| {
                numbers
                    .iter()
                    .for_each(|&number| ends_all_and_leaves_nothing(number))
            });
        }
    });
}

/// Handles those of the signals that this process ignores, as it does SIGHUP under nohup: children inherit that a signal
/// is ignored, but have the default action of a signal that is handled. This process does nothing, as before.
fn handle_ignored(numbers: &[i32]) {
    let status = fs::read_to_string("/proc/self/status").expect("the state of this process");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let mask = mask.expect("the mask of ignored signals");
    for &number in numbers
        .iter()
        .filter(|number| mask >> (*number - 1) & 1 == 1)
    {
        let noted = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(number, noted).expect("a handler");
    }
}

fn ends_all_and_leaves_nothing(number: i32) {
    let folder = Folder::with(&[("a.upc", "int main(void) { return 0; }\n")]);
    folder.executable("cc", SLOW);
    let before = files(&folder);
    let mut command = folder.command("sh", "");
    // A signal that dumps core would leave a file.
    command.args(["-c", "ulimit -c 0; exec \"$0\" -c a.upc", UPCC]);
    command
        .env("UPCC_CC", folder.path("cc"))
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("upcc starts");
    wait_for("the C compiler does not start", || {
        assert_eq!(child.try_wait().expect("a state"), None, "upcc ended early");
        folder.has("number")
    });
    let process: i32 = folder.read("number").trim().parse().expect("a number");
    // The signal goes to upcc alone, as a batch system or an editor sends it.
    let kill = format!("kill -{number} {}", child.id());
    let killed = folder.command("sh", "").args(["-c", &kill]).status();
    assert!(killed.expect("a shell starts").success());
    let ended = child.wait_with_output().expect("upcc ends");
    let signal = ended.status.signal();
    // A shell reports both in the same way.
    let status = signal.map(|signal| 128 + signal).or(ended.status.code());
    assert_eq!(status, Some(128 + number));
    assert!(signal.is_some() || number == 16 || number > 28, "{number}");
    assert_eq!(stderr(&ended), "", "signal {number}");
    wait_for("a process of the C compiler is left", || !runs(process));
    fs::remove_file(folder.path("number")).expect("the number");
    assert_eq!(files(&folder), before, "signal {number}");
    assert_eq!(folder.leftovers(), 0, "signal {number}");
}

#[test]
fn what_nohup_ignores_is_ignored() {
    let folder = Folder::with(&[("a.upc", "int main(void) { return 0; }\n")]);
    folder.executable("cc", SLOW);
    let mut shell = folder.command("sh", "");
    shell.args(["-c", "trap '' HUP; exec \"$0\" -c a.upc", UPCC]);
    shell.env("UPCC_CC", folder.path("cc"));
    let mut child = shell.spawn().expect("a shell starts");
    wait_for("the C compiler does not start", || {
        assert_eq!(child.try_wait().expect("a state"), None, "upcc ended early");
        folder.has("number")
    });
    kill_process(Pid::from_child(&child), Signal::HUP).expect("upcc runs");
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        test_kill_process(Pid::from_child(&child)).is_ok()
            && child.try_wait().expect("a state").is_none()
    );
    kill_process(Pid::from_child(&child), Signal::TERM).expect("upcc runs");
    assert_eq!(child.wait().expect("upcc ends").signal(), Some(15));
}

#[test]
fn c_compilers_that_are_none_are_named() {
    let folder = Folder::with(&[("a.upc", "int main(void) { return 0; }\n")]);
    for (compiler, line, words) in [
        ("false", "-c a.upc", "`false` failed with status 1"),
        ("false", "-E a.upc", "`false` failed with status 1"),
        ("true", "-c a.upc", "the C compiler did not create a.o"),
        ("/no/such/cc", "-c a.upc", "cannot start `/no/such/cc`"),
    ] {
        let mut command = folder.command(UPCC, line);
        let ended = command
            .env("UPCC_CC", compiler)
            .output()
            .expect("upcc starts");
        assert_eq!(ended.status.code(), Some(3), "{compiler}");
        let said = stderr(&ended);
        assert!(
            said.contains(words) && said.contains("UPCC_CC"),
            "{compiler}: {said}"
        );
    }
}
