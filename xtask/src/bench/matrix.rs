//! The matrix of kernels (MuPC thesis, section 8.1): each kernel of `samples/bench` in plain subscripts, tuned by hand,
//! in C with OpenMP and with MPI; in shared memory with static and dynamic THREADS, and over messages. The ratios are
//! compared with limits.

use std::path::Path;
use std::process::Command;

use super::{Samples, THREADS, paired};
use crate::context::{COMPILE, Context};
use crate::process;

/// A kernel of `samples/bench`.
struct Kernel {
    name: &'static str,
    /// The limit of naive / tuned in shared memory.
    naive: f64,
    /// The same over messages. None for `gups`: its tuned form is another algorithm, which sorts the updates into batches.
    messages: Option<f64>,
    /// Macros that have the program take some 50 ms: in less, what counts is the first touch of memory.
    sizes: &'static [&'static str],
}

#[rustfmt::skip]
const KERNELS: &[Kernel] = &[
    Kernel { name: "product", naive: 1.15, messages: Some(2.0), sizes: &[] },
    Kernel { name: "sobel", naive: 1.15, messages: Some(2.0), sizes: &[] },
    Kernel { name: "stencil", naive: 1.15, messages: Some(2.0), sizes: &["-DSTEPS=600"] },
    Kernel { name: "heat", naive: 1.15, messages: Some(2.0), sizes: &["-DSTEPS=1000"] },
    Kernel { name: "cg", naive: 1.3, messages: Some(2.0), sizes: &["-DSTEPS=100"] },
    Kernel { name: "mg", naive: 1.15, messages: Some(2.0), sizes: &["-DSTEPS=60"] },
    Kernel { name: "ft", naive: 1.15, messages: Some(2.0), sizes: &["-DROWS=512", "-DCOLS=1024"] },
    Kernel { name: "is", naive: 1.15, messages: Some(2.0), sizes: &["-DPER=500000"] },
    Kernel { name: "ep", naive: 1.15, messages: Some(2.0), sizes: &[] },
    Kernel { name: "stream", naive: 1.15, messages: Some(2.0), sizes: &["-DSTEPS=80"] },
    Kernel { name: "gups", naive: 1.3, messages: None, sizes: &[] },
];

/// A program of each kernel.
struct Variant {
    name: &'static str,
    source: &'static str,
    how: How,
}

enum How {
    /// With `upcc` and these flags; `{}` stands for the number of threads.
    Upc(&'static [&'static str]),
    OpenMp,
    Mpi,
}

const MESSAGES: &[&str] = &["-network=mpi", "-pshm-width=1"];

#[rustfmt::skip]
const VARIANTS: &[Variant] = &[
    Variant { name: "naive static", source: "naive.upc", how: How::Upc(&["-T={}"]) },
    Variant { name: "tuned static", source: "tuned.upc", how: How::Upc(&["-T={}"]) },
    Variant { name: "naive dynamic", source: "naive.upc", how: How::Upc(&[]) },
    Variant { name: "tuned dynamic", source: "tuned.upc", how: How::Upc(&[]) },
    Variant { name: "openmp", source: "openmp.c", how: How::OpenMp },
    Variant { name: "naive messages", source: "naive.upc", how: How::Upc(MESSAGES) },
    Variant { name: "tuned messages", source: "tuned.upc", how: How::Upc(MESSAGES) },
    Variant { name: "mpi", source: "mpi.c", how: How::Mpi },
];

/// A column of the table.
struct Column {
    name: &'static str,
    figure: &'static str,
    base: &'static str,
    limit: Limit,
}

#[derive(Clone, Copy)]
enum Limit {
    /// The kernel's own.
    Naive,
    /// The kernel's own, over messages.
    Messages,
    /// Of the geometric mean over the kernels.
    Mean(f64),
    /// The ratio is printed only.
    Printed,
}

#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    Column { name: "static", figure: "naive static", base: "tuned static", limit: Limit::Naive },
    Column { name: "dynamic", figure: "naive dynamic", base: "tuned dynamic", limit: Limit::Naive },
    Column { name: "tuned/OpenMP", figure: "tuned static", base: "openmp", limit: Limit::Mean(1.0) },
    Column { name: "messages", figure: "naive messages", base: "tuned messages", limit: Limit::Messages },
    Column { name: "tuned/MPI", figure: "tuned messages", base: "mpi", limit: Limit::Printed },
];

/// The number of rounds, in each of which every program of a kernel runs once. The speed of a shared machine changes from minute to
/// minute, so the two times of a ratio are those of one round, and the median of these ratios counts.
const ROUNDS: usize = 11;

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    println!(
        "kernels, {THREADS} threads, median ratio of {ROUNDS} rounds: naive / tuned, and tuned / OpenMP or MPI"
    );
    let names = COLUMNS.iter().map(|column| column.name);
    let heads: String = names.map(|name| format!("{name:>14}")).collect();
    println!("{:<10}{heads}", "kernel");
    let (mut held, mut judged) = (0, 0);
    let mut logs = vec![Vec::new(); COLUMNS.len()];
    for kernel in KERNELS {
        let samples = measure(context, work, kernel)?;
        let mut cells = String::new();
        for (column, logs) in COLUMNS.iter().zip(&mut logs) {
            let ratio = paired(&samples, column.figure, column.base)?;
            logs.push(ratio.ln());
            let limit = match column.limit {
                Limit::Naive => Some(kernel.naive),
                Limit::Messages => kernel.messages,
                Limit::Mean(_) | Limit::Printed => None,
            };
            let mark = limit.map_or("", |limit| verdict(ratio, limit, &mut held, &mut judged));
            cells += &format!("{:>14}", format!("{ratio:.2}{mark}"));
        }
        println!("{:<10}{cells}", kernel.name);
    }
    let means = COLUMNS.iter().zip(&logs).map(|(column, logs)| {
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        let mark = match column.limit {
            Limit::Mean(limit) => verdict(mean, limit, &mut held, &mut judged),
            Limit::Naive | Limit::Messages | Limit::Printed => "",
        };
        format!("{:>14}", format!("{mean:.2}{mark}"))
    });
    println!("{:<10}{}", "mean", means.collect::<String>());
    println!("{held} of {judged} hold; ! marks those above their limit");
    Ok(())
}

/// Counts a ratio, and returns the mark of one above its limit.
fn verdict(ratio: f64, limit: f64, held: &mut usize, judged: &mut usize) -> &'static str {
    *judged += 1;
    if ratio <= limit {
        *held += 1;
        return "";
    }
    "!"
}

/// Compiles and runs the programs of a kernel, in turn.
fn measure(context: &Context, work: &Path, kernel: &Kernel) -> Result<Samples, String> {
    let folder = context.root.join("samples/bench").join(kernel.name);
    let mut samples = Samples::new();
    let program = |variant: &Variant| {
        work.join(format!(
            "{}-{}",
            kernel.name,
            variant.name.replace(' ', "-")
        ))
    };
    for variant in VARIANTS {
        let mut compiler = compiler(context, variant);
        compiler.args(kernel.sizes).arg(folder.join(variant.source));
        compiler.arg("-o").arg(program(variant)).arg("-lm");
        process::must(&mut compiler, COMPILE)?;
    }
    for _ in 0..ROUNDS {
        for variant in VARIANTS {
            let mut command = command(context, variant, &program(variant));
            let output = process::must(&mut command, super::LIMIT)?.out();
            let seconds = seconds(&output, kernel.name)
                .ok_or_else(|| format!("{} {}: {output}", kernel.name, variant.name))?;
            let known = samples.entry(variant.name.to_owned()).or_default();
            known.push(seconds);
        }
    }
    Ok(samples)
}

fn compiler(context: &Context, variant: &Variant) -> Command {
    let mut compiler = match variant.how {
        How::Upc(flags) => {
            let mut upcc = context.upcc("gcc");
            upcc.args(
                flags
                    .iter()
                    .map(|it| it.replace("{}", &THREADS.to_string())),
            );
            upcc
        }
        How::OpenMp => {
            let mut gcc = Command::new("gcc");
            gcc.arg("-fopenmp");
            gcc
        }
        How::Mpi => Command::new("mpicc"),
    };
    compiler.args(["-O3", "-w"]);
    compiler
}

fn command(context: &Context, variant: &Variant, program: &Path) -> Command {
    match variant.how {
        How::Upc(_) => {
            let mut upcrun = context.upcrun(THREADS, program);
            // The others are bound, too.
            upcrun.env("UPC_BIND_THREADS", "yes");
            upcrun.envs(process::MPI);
            upcrun
        }
        How::OpenMp => {
            let mut openmp = Command::new(program);
            openmp.env("OMP_NUM_THREADS", THREADS.to_string());
            openmp.env("OMP_PROC_BIND", "true");
            openmp
        }
        How::Mpi => {
            let mut mpirun = Command::new("mpirun");
            mpirun.args(["-q", "--oversubscribe", "--bind-to", "core", "-n"]);
            mpirun.arg(THREADS.to_string()).arg(program);
            mpirun.envs(process::MPI);
            mpirun
        }
    }
}

/// Reads the line `kernel seconds OK`.
fn seconds(output: &str, kernel: &str) -> Option<f64> {
    output.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [name, seconds, "OK"] if name == kernel => seconds.parse().ok(),
            _ => None,
        }
    })
}
