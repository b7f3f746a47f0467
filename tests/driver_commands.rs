//! Commands that are built from data: names of machines, files and arguments are passed unchanged, whatever they look
//! like.
//!
//! The programs that are called are stand-ins for the real ones, and record each of their arguments.

#[path = "common/folder.rs"]
mod folder;

use folder::{Folder, UPCC, UPCRUN, stderr, stdout};
use std::fs;
use std::process::{Command, Output};

/// Writes its arguments, one per line, after its name. Prints the version information that `upcrun` asks for.
const SPY: &str = "#!/bin/sh
name=${0##*/}
for word in \"$name\" \"$@\"; do printf '%s\\n' \"$word\"; done >>\"$SPIES/$name.log\"
case \"$name $1\" in
'mpirun --version') echo \"$LAUNCHER\"; exit 0 ;;
'mpirun '*) exit 1 ;;
'ssh '*) echo 'no such machine' >&2; exit 255 ;;
esac
";

const LAUNCHERS: &[&str] = &[
    "mpirun (Open MPI) 4.1.4",
    "HYDRA build details",
    "slurm 23.02",
];

/// Returns a folder with spies in it and an MPI program, which the launcher does not start.
fn place() -> Folder {
    let folder = Folder::with(&[("a.upc", "int main(void) { return 0; }\n")]);
    fs::create_dir(folder.path("spies")).expect("a folder");
    for name in ["mpirun", "ssh", "gdb"] {
        folder.executable(&format!("spies/{name}"), SPY);
    }
    folder.upcc("-c -network=mpi a.upc -o prog");
    folder
}

fn upcrun(folder: &Folder, launcher: &str, words: &[&str]) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let spies = folder.path("spies");
    for log in ["mpirun.log", "ssh.log", "gdb.log"] {
        let _ = fs::remove_file(spies.join(log));
    }
    let mut command = folder.command(UPCRUN, "");
    command
        .args(words)
        .env("PATH", format!("{}:{path}", spies.display()))
        .env("SPIES", &spies)
        .env("LAUNCHER", launcher)
        .env("UPC_MPIRUN", "mpirun")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env_remove("UPC_NODES")
        .env_remove("UPC_NODEFILE")
        .env_remove("SLURM_JOB_ID")
        .env_remove("OMPI_MCA_plm_rsh_agent");
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the command starts")
}

#[test]
fn machines_are_no_options_of_ssh() {
    let folder = place();
    let bad = "-oProxyCommand=touch pwned";
    #[rustfmt::skip]
    let tables = [
        ("UPC_NODES", "-oProxyCommand=touch${IFS}pwned".to_owned(), false),
        ("UPC_NODES", "localhost,-oProxyCommand=touch${IFS}pwned".to_owned(), false),
        ("UPC_NODES", "-v".to_owned(), false),
        ("UPC_NODES", "root@-oX".to_owned(), false),
        ("UPC_NODES", "a;touch,b".to_owned(), false),
        ("UPC_NODES", "no-such-machine.invalid:2".to_owned(), true),
        ("UPC_NODEFILE", format!("{bad}\nlocalhost\n"), false),
        ("UPC_NODEFILE", format!("localhost slots=2 {bad}\n"), false),
        ("UPC_NODEFILE", format!("localhost\r{bad}\n"), false),
        ("UPC_NODEFILE", "localhost slots=2 username=-oProxyCommand=x\n".to_owned(), false),
        ("UPC_NODEFILE", format!("/* x */ {bad}\n"), false),
        ("UPC_NODEFILE", "no-such-machine.invalid slots=2 # -o\n".to_owned(), true),
    ];
    for launcher in LAUNCHERS {
        for (variable, value, good) in &tables {
            let mut command = upcrun(&folder, launcher, &["-n", "2", "./prog"]);
            if *variable == "UPC_NODEFILE" {
                fs::write(folder.path("-nodes"), value).expect("a file");
                command.env(variable, "-nodes");
            } else {
                command.env(variable, value);
            }
            let ended = output(&mut command);
            let said = stderr(&ended);
            let log = folder.read("spies/mpirun.log");
            let started = log.contains("./prog");
            assert_eq!(started, *good, "{launcher}: {variable}={value:?}: {said}");
            assert!(!log.contains("\n-nodes\n"), "{log}");
            let ssh = folder.read("spies/ssh.log");
            if *good {
                // The reachability test of a machine, which follows the failed job.
                assert!(ssh.contains("\n--\nno-such-machine.invalid\n"), "{ssh}");
            } else {
                assert_eq!(ended.status.code(), Some(2), "{said}");
                assert!(said.contains(&format!("{variable}: `")), "{said}");
                assert_eq!(ssh, "");
            }
        }
    }
    assert!(!folder.has("pwned"));
}

#[test]
fn arguments_start_no_other_program() {
    let folder = place();
    fs::copy(folder.path("prog"), folder.path("-prog")).expect("a copy");
    for (words, started) in [
        (&["./prog", "x", ":", "touch", "pwned"][..], None),
        (
            &["./prog", "-n", "-x", "; touch pwned"],
            Some("./prog\n-n\n-x\n; touch pwned\n"),
        ),
        (&["--", "-prog", "-y"], Some("\n./-prog\n-y\n")),
    ] {
        let words = [&["-n", "2"], words].concat();
        let ended = output(&mut upcrun(&folder, LAUNCHERS[0], &words));
        let log = folder.read("spies/mpirun.log");
        match started {
            Some(end) => assert!(log.ends_with(end), "{log}"),
            None => {
                assert_eq!(ended.status.code(), Some(2));
                assert!(stderr(&ended).contains("argument `:`") && !log.contains("./prog"));
            }
        }
    }
}

#[test]
fn gdb_gets_the_program_as_a_program() {
    let folder = Folder::with(&[("a.upc", "int main(void) { return 0; }\n")]);
    folder.upcc("a.upc -o prog");
    fs::create_dir(folder.path("spies")).expect("a folder");
    fs::rename(folder.path("prog"), folder.path("-ex")).expect("a name");
    folder.executable("spies/gdb", SPY);
    output(&mut upcrun(
        &folder,
        "",
        &["-gdb", "--", "-ex", "shell touch pwned"],
    ));
    let log = folder.read("spies/gdb.log");
    assert!(
        log.ends_with("\n--args\n./-ex\nshell touch pwned\n"),
        "{log}"
    );
}

#[test]
fn what_is_no_upc_program_is_not_started() {
    let folder = Folder::with(&[
        ("a.upc", "int main(void) { return 0; }\n"),
        ("p.c", "int main(void) { return 0; }\n"),
    ]);
    folder.upcc("a.upc -o prog");
    folder.executable("run.sh", "#!/bin/sh\n./prog\n");
    // None of its own units is UPC, but the runtime starts its threads.
    assert!(folder.run("cc", "-c p.c").status.success());
    folder.upcc("p.o -o plain");
    assert!(folder.run("cc", "p.c -o foreign").status.success());
    for (line, status) in [
        ("-n 2 /bin/ls", 3),
        ("-n 2 ls", 3),
        ("-n 2 ./foreign prog.c", 3),
        ("-n 2 ./prog", 0),
        ("-n 2 plain", 0),
        ("-n 2 run.sh", 0),
        ("-n 2 env A=1 ./prog", 0),
        ("-n 2 ./missing", 3),
    ] {
        let ended = folder.run(UPCRUN, line);
        assert_eq!(
            ended.status.code(),
            Some(status),
            "{line}: {}",
            stderr(&ended)
        );
        if line.contains("ls") || line.contains("foreign") {
            assert!(stderr(&ended).contains("is not a UPC program"));
            assert!(ended.stdout.is_empty());
        }
    }
}

/// Returns the processors that this process may use, as a list: `0-3,8`.
fn allowed_processors() -> String {
    let status = fs::read_to_string("/proc/self/status").expect("a file of the system");
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.expect("a line of the file").trim().to_owned()
}

/// `upcrun -t` and `-v` name the processors of each thread of a program for one machine. Three threads that may use only
/// one processor share it.
#[test]
fn the_placement_is_shown() {
    let text = "#include <stdio.h>\nint main(void) { puts(\"runs\"); return 0; }\n";
    let folder = Folder::with(&[("a.upc", text)]);
    folder.upcc("a.upc -o prog");
    let list = allowed_processors();
    let allowed = list.as_str();
    let first = allowed.split([',', '-']).next().expect("a processor");
    let shared = format!(", processor {first}, 3 threads for each processor");
    for (option, prefix, runs) in [("-t", "prog: thread", false), ("-v", "upc thread", true)] {
        for (processors, threads, end) in [(first, 3, shared.as_str()), (allowed, 1, allowed)] {
            let mut command = folder.command("taskset", &format!("-c {processors}"));
            command
                .arg(UPCRUN)
                .args([option, "-n", &threads.to_string()]);
            let ended = output(command.arg("./prog"));
            let said = stderr(&ended);
            for thread in 0..threads {
                let begin = format!("{prefix} {thread} of {threads}: on ");
                let lines = said.lines().filter(|line| line.starts_with(&begin));
                let ends: Vec<bool> = lines.map(|line| line.ends_with(end)).collect();
                assert_eq!(ends, [true], "{option}, thread {thread}: {said}");
            }
            let expected = "runs\n".repeat(if runs { threads } else { 0 });
            assert_eq!(stdout(&ended), expected, "{option}: {said}");
        }
    }
}

/// Sources whose names look like options of the C compiler, response files or shell commands.
const NAMES: &[&str] = &[
    "-o.upc",
    "-wrapper.upc",
    "@args.upc",
    "a b.upc",
    "$(touch pwned).upc",
    "`touch pwned`;.upc",
    "a'\"b.upc",
    "-.upc",
    "--help.upc",
];

#[test]
fn sources_may_have_any_name() {
    for name in NAMES {
        let text = "#include <upc.h>\nint main(void) { return 7; }\n";
        let folder = Folder::with(&[(name, text)]);
        for words in [
            &["-c", "--"][..],
            &["-g", "-save-temps", "-o", "-prog", "--"],
            &["-MMD", "-o", "@prog", "--coverage", "--"],
            &["-trans", "--"],
        ] {
            let mut command = folder.command(UPCC, "");
            let ended = output(command.args(words).arg(name));
            assert!(
                ended.status.success(),
                "{words:?} {name}: {}",
                stderr(&ended)
            );
        }
        let stem = name.trim_end_matches(".upc");
        assert!(folder.has(&format!("{stem}.o")) && folder.has(&format!("{stem}.trans.c")));
        for program in ["-prog", "@prog"] {
            let status = Command::new(folder.path(program))
                .current_dir(folder.path(""))
                .status();
            assert_eq!(
                status.expect("the program starts").code(),
                Some(7),
                "{name}"
            );
        }
        assert!(!folder.has("pwned"), "{name}");
        assert_eq!(folder.leftovers(), 0, "{name}");
    }
}
