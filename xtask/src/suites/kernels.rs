//! The kernels of `samples/bench` verify their results, in small sizes: in UPC in several forms, in C with OpenMP, and with
//! MPI. So do the microbenchmarks (`platform.upc`).

use std::path::{Path, PathBuf};
use std::process::Command;

use super::forms::is_taken;
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, forever};
use crate::process;
use crate::tools::{self, Need};

/// Macros with which every kernel is small.
const SMALL: &[&str] = &["-DROWS=12", "-DCOLS=64", "-DPER=1500", "-DSTEPS=24"];

/// A normal run takes one in this number of forms of each kernel.
const SHARE: u64 = 3;

/// Name, flags, and the number of threads.
type Form = (&'static str, &'static [&'static str], usize);

#[rustfmt::skip]
const FORMS: &[Form] = &[
    ("dynamic", &["-O2"], 3),
    ("one", &["-O3"], 1),
    ("static", &["-O3", "-T=2"], 2),
    ("checked", &["-O1", "-fupc-checks"], 2),
    ("as-written", &["-O1", "-fno-upc-runs", "-fno-upc-fences"], 4),
    ("apart", &["-O2", "-pshm-width=1"], 3),
    ("messages", &["-O2", "-network=mpi", "-pshm-width=1"], 2),
];

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("kernels")?).as_path();
    let folder = context.root.join("samples/bench");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut kernels: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    kernels.retain(|path| path.is_dir());
    kernels.sort();
    let messages = tools::missing(&[Need::OpenMpi]).is_none();
    let mut tests = Vec::new();
    for kernel in kernels {
        let kernel: &'static Path = forever(kernel).as_path();
        let name = crate::context::stem(kernel);
        for (form, flags, threads) in forms(messages) {
            for source in ["naive.upc", "tuned.upc"] {
                let title = format!("{name}-{source}-{form}");
                if !is_taken(&title, SHARE, context.long) {
                    continue;
                }
                let file = work.join(&title);
                tests.push(Test::one(title, move || {
                    verified(&upc(context, &kernel.join(source), flags, *threads, &file)?)
                }));
            }
        }
        for twin in ["openmp.c", "mpi.c"]
            .iter()
            .filter(|it| messages || **it != "mpi.c")
        {
            let title = format!("{name}-{twin}");
            let file = work.join(&title);
            tests.push(Test::one(title, move || in_c(&kernel.join(twin), &file)));
        }
    }
    for (form, flags, threads) in forms(messages) {
        let title = format!("platform-{form}");
        let file = work.join(&title);
        let source = folder.join("platform.upc");
        tests.push(Test::one(title, move || {
            let output = upc(context, &source, flags, *threads, &file)?.out();
            match output.lines().last() {
                Some("platform OK") => Ok(()),
                Some(_) | None => Err(output),
            }
        }));
    }
    Ok(tests)
}

/// The forms that can run here.
fn forms(messages: bool) -> impl Iterator<Item = &'static Form> {
    FORMS
        .iter()
        .filter(move |(form, ..)| messages || *form != "messages")
}

fn upc(
    context: &Context,
    source: &Path,
    flags: &[&str],
    threads: usize,
    program: &Path,
) -> Result<process::Output, String> {
    let mut upcc = context.upcc("gcc");
    upcc.args(["-Wall", "-Wextra"]).args(flags).args(SMALL);
    upcc.arg(source).arg("-o").arg(program).arg("-lm");
    silent(&process::must(&mut upcc, COMPILE)?)?;
    let mut upcrun = context.upcrun(threads, program);
    process::must(upcrun.envs(process::MPI), RUN)
}

fn in_c(source: &Path, program: &Path) -> Result<(), String> {
    let over_messages = source.ends_with("mpi.c");
    let mut cc = Command::new(if over_messages { "mpicc" } else { "gcc" });
    cc.args(["-O2", "-Wall", "-Wextra", "-fopenmp"]).args(SMALL);
    cc.arg(source).arg("-o").arg(program).arg("-lm");
    silent(&process::must(&mut cc, COMPILE)?)?;
    let mut run = Command::new(if over_messages {
        Path::new("mpirun")
    } else {
        program
    });
    if over_messages {
        run.args(["-q", "--oversubscribe", "--bind-to", "none", "-n", "3"])
            .arg(program);
    }
    verified(&process::must(
        run.envs(process::MPI).env("OMP_NUM_THREADS", "3"),
        RUN,
    )?)
}

fn silent(output: &process::Output) -> Result<(), String> {
    match output.err().is_empty() {
        true => Ok(()),
        false => Err(output.err()),
    }
}

/// The one line that a program prints: its name, the time in seconds, and that the result is right.
fn verified(output: &process::Output) -> Result<(), String> {
    let text = output.out();
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [_, seconds, "OK"] if seconds.parse::<f64>().is_ok() => Ok(()),
        _ => Err(text),
    }
}
