//! Tests whether gdb shows UPC programs as their authors wrote them: sessions in `tests/gdb/*.session`, run on several
//! kinds of programs.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::context::{COMPILE, Context, RUN, forever, read};
use crate::process;
use crate::report::Tally;
use crate::suites::test::Test;
use crate::tools;

/// How the program under test is compiled.
struct Variant {
    name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "packed",
        compiler: "gcc",
        flags: &[],
    },
    Variant {
        name: "struct",
        compiler: "gcc",
        flags: &["-fupc-pts=struct"],
    },
    Variant {
        name: "other bits, static THREADS, no checks",
        compiler: "gcc",
        flags: &["-fupc-packed-bits=12,12,40", "-T=4", "-fno-upc-checks"],
    },
    Variant {
        name: "clang",
        compiler: "clang",
        flags: &[],
    },
    Variant {
        name: "clang, struct",
        compiler: "clang",
        flags: &["-fupc-pts=struct"],
    },
];

/// A command of a session and the lines that gdb must print.
struct Step {
    command: String,
    expected: Vec<String>,
    /// Its line in the session file.
    line: usize,
    /// Applies only to programs compiled with gcc.
    gcc: bool,
}

/// The time limit for a program to start waiting for the debugger.
const FREEZE: Duration = Duration::from_secs(60);
/// The time limit of a session: gdb starts slowly on a busy machine.
const SESSION: Duration = Duration::from_secs(240);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("gdb")?).as_path();
    let variants = VARIANTS
        .iter()
        .filter(|v| tools::compilers().contains(&v.compiler));
    let folder = context.root.join("tests/gdb");
    let sessions: &Sessions = forever(Sessions {
        objects: session(&folder.join("objects.session"))?,
        attach: session(&folder.join("attach.session"))?,
        forbidden: OnceLock::new(),
    });
    let test = |variant: &'static Variant| {
        Test::new(variant.name, move || {
            match sessions.forbidden.get_or_init(forbidden) {
                Err(why) => Tally::one(variant.name, Err(why.clone())),
                Ok(Some(why)) => Tally::skipped(variant.name, why),
                Ok(None) => both(context, work, variant, sessions),
            }
        })
    };
    Ok(variants.map(test).collect())
}

/// The commands for gdb and its expected answers.
struct Sessions {
    objects: Vec<Step>,
    attach: Vec<Step>,
    /// The result of [`forbidden`].
    forbidden: OnceLock<Result<Option<String>, String>>,
}

fn both(context: &Context, work: &Path, variant: &Variant, sessions: &Sessions) -> Tally {
    let mut tally = Tally::default();
    let program = match compile(context, work, variant) {
        Ok(program) => program,
        Err(why) => return Tally::one(variant.name, Err(why)),
    };
    tally.add(
        &format!("objects, {}", variant.name),
        started(context, variant, &program, &sessions.objects),
    );
    tally.add(
        &format!("attach, {}", variant.name),
        attached(context, variant, &program, &sessions.attach),
    );
    tally
}

/// Returns the reason why no debugger may be used on this machine; `None`: one may.
pub fn forbidden() -> Result<Option<String>, String> {
    let output = process::run(
        Command::new("gdb").args(["-nx", "-batch", "-ex", "run", "/bin/true"]),
        RUN,
    )?;
    let works = output.out().contains("exited normally");
    Ok((!works).then(|| format!("gdb cannot run programs here: {}", output.tail())))
}

fn compile(context: &Context, work: &Path, variant: &Variant) -> Result<PathBuf, String> {
    let stem: String = variant
        .name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let program = work.join(stem);
    let mut upcc = context.upcc(variant.compiler);
    upcc.arg("-g").args(variant.flags);
    upcc.arg(context.root.join("tests/gdb/objects.upc"))
        .arg("-o")
        .arg(&program);
    process::must(&mut upcc, COMPILE)?;
    Ok(program)
}

/// Runs a session on a program that gdb starts.
fn started(
    context: &Context,
    variant: &Variant,
    program: &Path,
    steps: &[Step],
) -> Result<(), String> {
    let mut gdb = gdb(context)?;
    gdb.arg(program);
    compare(variant, steps, gdb)
}

/// Runs a session on a thread that waits for gdb.
fn attached(
    context: &Context,
    variant: &Variant,
    program: &Path,
    steps: &[Step],
) -> Result<(), String> {
    let messages = program.with_extension("messages");
    let file = fs::File::create(&messages).map_err(|e| format!("{}: {e}", messages.display()))?;
    let threads = if variant.flags.contains(&"-T=4") {
        4
    } else {
        3
    };
    let job = Command::new(&context.upcrun)
        .arg("-n")
        .arg(threads.to_string())
        .arg("-freeze=1")
        .arg(program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .process_group(0)
        .spawn()
        .map_err(|e| format!("cannot start upcrun: {e}"))?;
    let mut job = Job(job);
    let pid = frozen(&mut job.0, &messages)?;
    let mut gdb = gdb(context)?;
    gdb.arg("-p").arg(&pid);
    let steps: Vec<&Step> = steps.iter().collect();
    // With a static number of threads there is one more thread.
    let extra = (threads == 4).then_some("  thread 3    process *");
    compare_steps(variant, &steps, gdb, extra)
}

/// A running program, whose process group is killed when this value is dropped.
struct Job(Child);

impl Drop for Job {
    fn drop(&mut self) {
        process::end_group(&self.0);
        // Its status is not meaningful: it was killed.
        let _ = self.0.wait();
    }
}

/// Returns the process that prints that it waits for a debugger.
fn frozen(job: &mut Child, messages: &Path) -> Result<String, String> {
    let start = Instant::now();
    while start.elapsed() < FREEZE {
        let text = read(messages)?;
        if let Some((_, rest)) = text.split_once("gdb -p ") {
            return Ok(rest.chars().take_while(char::is_ascii_digit).collect());
        }
        if let Ok(Some(status)) = job.try_wait() {
            return Err(format!(
                "the program ended ({status}) before it waited: {text}"
            ));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(format!(
        "no word of waiting for a debugger: {}",
        read(messages)?
    ))
}

/// Returns gdb as configured by a user who followed `upcc --print-gdb-setup`.
fn gdb(context: &Context) -> Result<Command, String> {
    let setup = process::must(context.upcc("gcc").arg("--print-gdb-setup"), COMPILE)?;
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch"]);
    for line in setup.out().lines() {
        gdb.arg("-iex").arg(line);
    }
    gdb.args(["-iex", "set width 0", "-iex", "set debuginfod enabled off"]);
    gdb.env("LC_ALL", "C.UTF-8");
    Ok(gdb)
}

fn compare(variant: &Variant, steps: &[Step], gdb: Command) -> Result<(), String> {
    let steps: Vec<&Step> = steps
        .iter()
        .filter(|step| !step.gcc || variant.compiler == "gcc")
        .collect();
    compare_steps(variant, &steps, gdb, None)
}

/// Runs the commands and compares the output; `extra`: a line that may follow any expected ones.
fn compare_steps(
    variant: &Variant,
    steps: &[&Step],
    mut gdb: Command,
    extra: Option<&str>,
) -> Result<(), String> {
    for (number, step) in steps.iter().enumerate() {
        gdb.arg("-ex").arg(format!("echo \\n@@@{number}\\n"));
        gdb.arg("-ex").arg(&step.command);
    }
    // Errors are part of a session; they must be printed in order.
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$@\" 2>&1", "sh"]);
    shell.arg(gdb.get_program()).args(gdb.get_args());
    shell.env("LC_ALL", "C.UTF-8");
    let output = process::run(&mut shell, SESSION)?;
    let said = output.out();
    for (number, step) in steps.iter().enumerate() {
        let found = section(&said, number);
        let mut expected: Vec<&str> = step.expected.iter().map(String::as_str).collect();
        if found.len() > expected.len() {
            expected.extend(extra);
        }
        let free = expected.first() == Some(&"...");
        let same = free
            || found.len() == expected.len()
                && expected.iter().zip(&found).all(|(e, f)| fits(e, f));
        if !same {
            return Err(format!(
                "{}, line {}: `{}` prints\n    {}\n    expected\n    {}",
                variant.name,
                step.line,
                step.command,
                found.join("\n    "),
                expected.join("\n    ")
            ));
        }
    }
    Ok(())
}

/// Returns gdb's output for a command, without its messages about processes.
fn section(said: &str, number: usize) -> Vec<&str> {
    let begin = format!("@@@{number}\n");
    let text = said.split_once(&begin).map_or("", |(_, rest)| rest);
    let text = text.split_once("\n@@@").map_or(text, |(this, _)| this);
    const NEWS: [&str; 4] = ["[", "warning: Error disabling", "Using host", "../sysdeps"];
    text.lines()
        .filter(|line| !line.is_empty() && !NEWS.iter().any(|news| line.starts_with(news)))
        .collect()
}

/// Returns whether a line is as expected: `*` matches anything, a `$ =` any number of the value history.
fn fits(expected: &str, found: &str) -> bool {
    let found_value = found.strip_prefix('$').map(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        format!("${rest}")
    });
    let found = found_value.as_deref().unwrap_or(found);
    let mut parts = expected.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last.is_some_and(|part| part.is_empty() || found.ends_with(part))
}

/// Reads a session.
fn session(path: &Path) -> Result<Vec<Step>, String> {
    let text = read(path)?;
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        let step = |command: &str, gcc| Step {
            command: command.to_owned(),
            expected: Vec::new(),
            line: index + 1,
            gcc,
        };
        if let Some(command) = line.strip_prefix("> ") {
            steps.push(step(command, false));
        } else if let Some(command) = line.strip_prefix(">gcc ") {
            steps.push(step(command, true));
        } else {
            let last = steps.last_mut().ok_or_else(|| {
                format!("{}:{}: output without a command", path.display(), index + 1)
            })?;
            last.expected.push(line.to_owned());
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        assert!(fits("$ = (int *) 0x* -> 3", "$12 = (int *) 0x55 -> 3"));
        assert!(fits("at *x.upc:4", "at /a/b/x.upc:4"));
        assert!(fits("*main () at *", "#5 0x1 in main () at y"));
        assert!(!fits("$ = 3", "$1 = 4"));
        assert!(!fits("a * b", "a x c"));
        assert!(!fits("a *b", "a xbc"));
    }

    #[test]
    fn sections_leave_out_news() {
        let said = "\n@@@0\n[Switching]\none\n\n@@@1\ntwo\n";
        assert_eq!(section(said, 0), ["one"]);
        assert_eq!(section(said, 1), ["two"]);
    }
}
