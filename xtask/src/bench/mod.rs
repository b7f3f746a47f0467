//! `cargo xtask bench`: prints medians and ratios in one table. A benchmark is not a test: it fails only if it cannot
//! run.

mod advice;
mod cache;
mod collectives;
mod events;
mod lsp;
mod matrix;
mod mpi;
mod page;
mod platform;
mod predict;
mod races;
mod ratios;
mod sizes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::context::{Build, COMPILE, Context, write};
use crate::process;
use crate::suites::real_c_sources;
use ratios::{Compared, Verdict, paired};

/// The number of runs of each program; the table shows medians.
const RUNS: usize = 5;
/// The number of runs of programs that send messages. Two processes on one machine are served at one of two speeds, mostly for
/// seconds: so the ratios of neighbouring runs count, or where there is nothing to divide by, the lower quartile.
const MESSAGE_RUNS: usize = 9;
const THREADS: usize = 2;
const LIMIT: Duration = Duration::from_secs(300);
/// Files of Lua that make one unit of about 6,000 preprocessed lines.
const LUA_UNIT: &[&str] = &[
    "lprefix.h",
    "lzio.c",
    "lctype.c",
    "lopcodes.c",
    "lmem.c",
    "lundump.c",
    "ldump.c",
    "lstate.c",
    "lgc.c",
    "llex.c",
    "lcode.c",
];

/// A figure and its divisor, both by the names that the programs print.
#[derive(Clone, Copy)]
struct Ratio {
    figure: &'static str,
    base: &'static str,
    what: &'static str,
}

#[rustfmt::skip]
const RATIOS: &[Ratio] = &[
    Ratio { figure: "sum_cyclic", base: "sum_private", what: "sum of a cyclic array, upc_forall / private sum" },
    Ratio { figure: "sum_blocked", base: "sum_private", what: "sum of a blocked array, upc_forall / private sum" },
    Ratio { figure: "sum_walk", base: "sum_private", what: "sum by p += THREADS / private sum" },
    Ratio { figure: "sum_cast", base: "sum_private", what: "sum through a cast to private / private sum" },
    Ratio { figure: "copy_blocked", base: "copy_private", what: "copy between blocked arrays / private copy" },
    Ratio { figure: "read_remote", base: "read_raw", what: "random remote reads / raw loads" },
    Ratio { figure: "write_remote", base: "write_raw", what: "random remote writes / raw stores" },
    Ratio { figure: "strict_read", base: "read_raw", what: "strict remote read / raw load" },
    Ratio { figure: "barrier", base: "floor.barrier", what: "upc_barrier / yielding barrier in C" },
    Ratio { figure: "lock", base: "floor.lock", what: "upc_lock and unlock / exchange and store in C" },
];

/// Patterns of access against the same on private memory, with the wanted ratios: 1.05 where all elements are local, 1.3
/// where some are in other threads' blocks.
#[rustfmt::skip]
const PATTERNS: &[(Ratio, Option<f64>)] = &[
    (Ratio { figure: "stencil_blocked", base: "stencil_private", what: "stencil over a block, for" }, Some(1.05)),
    (Ratio { figure: "stencil_affinity", base: "stencil_private", what: "stencil over blocks, upc_forall &b[i]" }, Some(1.3)),
    (Ratio { figure: "stencil_integer", base: "stencil_private", what: "stencil over blocks, upc_forall i / BLOCK" }, Some(1.3)),
    (Ratio { figure: "stencil_cyclic", base: "stencil_halves", what: "stencil over a cyclic array, upc_forall / as many bytes" }, Some(1.3)),
    // It reads half as many bytes again, which takes half as long again where they are not in the first cache.
    (Ratio { figure: "stencil_cyclic", base: "stencil_private", what: "stencil over a cyclic array, upc_forall" }, None),
    (Ratio { figure: "axpy_cyclic", base: "axpy_private", what: "axpy over cyclic arrays, upc_forall" }, Some(1.05)),
    (Ratio { figure: "axpy_walk", base: "axpy_private", what: "axpy by two walking pointers" }, Some(1.05)),
    (Ratio { figure: "heat_rows", base: "heat_private", what: "heat over a table of rows" }, Some(1.3)),
    (Ratio { figure: "random_read", base: "random_read_private", what: "random elements of another thread, read" }, Some(1.5)),
    (Ratio { figure: "random_write", base: "random_write_private", what: "random elements of another thread, written" }, Some(1.5)),
    (Ratio { figure: "struct_copy", base: "struct_private", what: "records copied by subscript / memcpy" }, Some(1.1)),
    (Ratio { figure: "strict_reads", base: "atomic_loads", what: "strict reads in a row / atomic loads" }, Some(1.5)),
    (Ratio { figure: "memget_constant", base: "memget_private", what: "upc_memget of 8 bytes / a load" }, Some(1.1)),
    (Ratio { figure: "atomic_add", base: "atomic_private", what: "upc_atomic_relaxed / __atomic_fetch_add" }, Some(1.3)),
];

/// The same over messages.
#[rustfmt::skip]
const OVER_MESSAGES: &[(Ratio, Option<f64>)] = &[
    (Ratio { figure: "gather_loop", base: "gather_list", what: "gather s += q[ix[i]] / one bupc_memget_ilist" }, Some(1.5)),
];

/// How many of the ratios that have a limit keep it, and for how many the measurement does not decide.
#[derive(Default)]
struct Kept {
    kept: usize,
    undecided: usize,
    all: usize,
}

impl Kept {
    /// Counts a ratio and returns its mark.
    fn count(&mut self, verdict: Verdict) -> char {
        self.kept += usize::from(verdict == Verdict::Kept);
        self.undecided += usize::from(verdict == Verdict::Undecided);
        self.all += 1;
        verdict.mark()
    }

    /// The same for a ratio without a confidence interval.
    fn count_plain(&mut self, keeps: bool) -> char {
        self.count(if keeps {
            Verdict::Kept
        } else {
            Verdict::Missed
        })
    }

    /// Prints a row and judges it.
    fn row(&mut self, what: &str, value: f64, base: f64, limit: f64) {
        let mark = self.count_plain(value / base <= limit);
        row(&format!("{mark} {what}, at most {limit}"), value, base);
    }

    /// Prints the medians of two figures that were measured in turn, and the median of their ratios with its confidence
    /// interval, which is judged if there is a limit.
    fn paired_row(&mut self, compared: &Compared, samples: &Samples) -> Result<(), String> {
        let ratios = compared.ratios(samples)?;
        let figure = median(samples, &compared.figure)?;
        let base = median(samples, &compared.base)?;
        let (mark, most) = match compared.limit {
            Some(limit) => (
                self.count(ratios.verdict(limit)),
                format!(", at most {limit}"),
            ),
            None => (' ', String::new()),
        };
        let what = format!(
            "{mark} {}{most} ({:.2} to {:.2})",
            compared.what, ratios.least, ratios.most
        );
        println!(
            "{what:<76} {figure:>12.3} {base:>12.3} {:>8.2}",
            ratios.middle
        );
        Ok(())
    }

    /// The same as `row`, without a judgement if there is no limit.
    fn row_of(&mut self, what: &str, value: f64, base: f64, limit: Option<f64>) {
        match limit {
            Some(limit) => self.row(what, value, base, limit),
            None => row(&format!("  {what}"), value, base),
        }
    }
}

/// What a part does.
enum Run {
    Prints(fn(&Context, &Path) -> Result<(), String>),
    /// It also judges ratios by their limits.
    Judges(fn(&Context, &Path, &mut Kept) -> Result<(), String>),
}

/// A group of rows, by its name on the command line. A name there also stands for all parts whose names begin with it
/// and a hyphen.
struct Part {
    name: &'static str,
    run: Run,
}

impl Part {
    fn is_named(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }
}

const PARTS: &[Part] = &[
    Part {
        name: "translator",
        run: Run::Judges(translator),
    },
    Part {
        name: "sizes",
        run: Run::Judges(sizes::run),
    },
    Part {
        name: "language",
        run: Run::Prints(language),
    },
    Part {
        name: "patterns",
        run: Run::Judges(patterns),
    },
    Part {
        name: "collectives",
        run: Run::Prints(collectives::run),
    },
    Part {
        name: "events",
        run: Run::Prints(events::run),
    },
    Part {
        name: "samples",
        run: Run::Prints(events::run_coarse),
    },
    Part {
        name: "accesses",
        run: Run::Prints(events::run_fine),
    },
    Part {
        name: "page",
        run: Run::Judges(page::run),
    },
    Part {
        name: "races",
        run: Run::Prints(races::run),
    },
    Part {
        name: "advice",
        run: Run::Judges(advice::run),
    },
    Part {
        name: "matrix",
        run: Run::Prints(matrix::run),
    },
    Part {
        name: "platform",
        run: Run::Prints(platform::run),
    },
    Part {
        name: "predict",
        run: Run::Prints(predict::run),
    },
    Part {
        name: "cache-patterns",
        run: Run::Judges(cache::run),
    },
    Part {
        name: "cache-matmul",
        run: Run::Prints(cache::matmul),
    },
    Part {
        name: "mpi-messages",
        run: Run::Judges(mpi::run),
    },
    Part {
        name: "mpi-service",
        run: Run::Judges(mpi::service::run),
    },
    Part {
        name: "mpi-collectives",
        run: Run::Judges(mpi::collectives::run),
    },
    Part {
        name: "mpi-starts",
        run: Run::Judges(mpi::starts::run),
    },
    Part {
        name: "mpi-shmem",
        run: Run::Judges(mpi::shmem::run),
    },
    Part {
        name: "lsp",
        run: Run::Prints(lsp::run),
    },
];

/// Returns the names of all parts, and those that stand for several.
pub fn part_names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for part in PARTS {
        let group = part.name.split_once('-').map(|(group, _)| group);
        names.extend(group.filter(|group| !names.contains(group)));
        names.push(part.name);
    }
    names
}

/// Measures and prints the parts with these names, or all parts if there are none, and at last how many ratios keep
/// their limits. `programs`: likewise, of the parts `advice` and `predict`; `costs`: the folder of costs of `predict`.
pub fn run(
    names: &[String],
    programs: Vec<String>,
    costs: Option<PathBuf>,
) -> Result<bool, String> {
    let mut context = Context::new(false, Build::Release)?;
    let mut known: Vec<String> = predict::programs().into_iter().map(str::to_owned).collect();
    known.extend(advice::programs(&context)?);
    if let Some(name) = programs.iter().find(|name| !known.contains(name)) {
        let known = known.join(", ");
        return Err(format!("no program {name:?}: --program takes {known}"));
    }
    context.programs = programs;
    context.costs = costs;
    context.build(false)?;
    println!(
        "{:<76} {:>12} {:>12} {:>8}",
        "medians, or as said; ! marks a ratio above its limit, ? one near it",
        "upcc",
        "base",
        "ratio"
    );
    let mut kept = Kept::default();
    for part in PARTS {
        if names.is_empty() || names.iter().any(|name| part.is_named(name)) {
            // Each part has a folder of its own: another one does not empty what it keeps.
            let work = context.fresh(&format!("bench-{}", part.name))?;
            match part.run {
                Run::Prints(run) => run(&context, &work)?,
                Run::Judges(run) => run(&context, &work, &mut kept)?,
            }
        }
    }
    if kept.all != 0 {
        let undecided = match kept.undecided {
            0 => String::new(),
            n => format!(", and for {n} their intervals do not decide"),
        };
        println!(
            "{} of {} ratios with a limit keep it{undecided}",
            kept.kept, kept.all
        );
    }
    Ok(true)
}

/// Measures accesses and synchronisation against the same in C.
fn language(context: &Context, work: &Path) -> Result<(), String> {
    let floors = floors(context, work)?;
    for (kind, flag) in [
        ("static THREADS", Some(format!("-T={THREADS}"))),
        ("dynamic THREADS", None),
    ] {
        println!("{kind}, {THREADS} threads, ns per operation");
        let mut samples = floors.clone();
        for source in ["access.upc", "sync.upc"] {
            let program = work.join(format!("{source}-{}", flag.as_deref().unwrap_or("dynamic")));
            compile(context, source, flag.as_deref(), &program)?;
            collect(&mut samples, "", || context.upcrun(THREADS, &program))?;
        }
        for ratio in RATIOS {
            row(
                ratio.what,
                median(&samples, ratio.figure)?,
                median(&samples, ratio.base)?,
            );
        }
    }
    Ok(())
}

/// Measures patterns of access against the same in C.
fn patterns(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    type Form<'a> = (&'a str, &'a str, &'a [&'a str], &'a [(Ratio, Option<f64>)]);
    const FORMS: &[Form] = &[
        (
            "static THREADS",
            "patterns.upc",
            &["-O3", "-T=2", FUNCTIONS, LOOPS],
            PATTERNS,
        ),
        (
            "dynamic THREADS",
            "patterns.upc",
            &["-O3", FUNCTIONS, LOOPS],
            PATTERNS,
        ),
        ("messages", "gather.upc", MESSAGES, OVER_MESSAGES),
    ];
    const MESSAGES: &[&str] = &["-O3", "-network=mpi", "-pshm-width=1"];
    // The place of a small loop in the lines of the processor changes its time by a fifth.
    const FUNCTIONS: &str = "-falign-functions=64";
    const LOOPS: &str = "-falign-loops=64";
    for (kind, source, flags, ratios) in FORMS {
        println!("{kind}, {THREADS} threads, ns for an element");
        let program = work.join(kind.replace(' ', "-"));
        let source = context.root.join("xtask/bench").join(source);
        compile_as(context, &source, flags, &program)?;
        let mut samples = Samples::new();
        collect(&mut samples, "", || {
            let mut upcrun = context.upcrun(THREADS, &program);
            upcrun.envs(process::MPI);
            upcrun
        })?;
        for (ratio, limit) in *ratios {
            let (figure, base) = (least(&samples, ratio.figure)?, least(&samples, ratio.base)?);
            kept.row_of(ratio.what, figure, base, *limit);
        }
    }
    Ok(())
}

/// Compiles a program of `xtask/bench` with optimisation.
fn compile(
    context: &Context,
    source: &str,
    flag: Option<&str>,
    program: &Path,
) -> Result<(), String> {
    let source = context.root.join("xtask/bench").join(source);
    let flags: Vec<&str> = flag.into_iter().collect();
    compile_as(context, &source, &flags, program)
}

/// Compiles any program with optimisation and these flags.
fn compile_as(
    context: &Context,
    source: &Path,
    flags: &[&str],
    program: &Path,
) -> Result<(), String> {
    let mut upcc = context.upcc("gcc");
    upcc.arg("-O")
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(program)
        .arg("-lm");
    process::must(&mut upcc, COMPILE).map(|_| ())
}

type Samples = BTreeMap<String, Vec<f64>>;

fn row(what: &str, value: f64, base: f64) {
    println!(
        "{what:<76} {value:>12.3} {base:>12.3} {:>8.2}",
        value / base
    );
}

/// Returns the value that an n-th of the values, at least one, do not exceed.
pub(crate) fn part(mut values: Vec<f64>, n: usize) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / n).copied()
}

fn part_of(samples: &Samples, name: &str, n: usize) -> Result<f64, String> {
    let values = samples.get(name).cloned().unwrap_or_default();
    part(values, n).ok_or_else(|| format!("no figure `{name}`"))
}

fn median(samples: &Samples, name: &str) -> Result<f64, String> {
    part_of(samples, name, 2)
}

/// Returns the least value, for figures that other processes can only increase.
fn least(samples: &Samples, name: &str) -> Result<f64, String> {
    part_of(samples, name, usize::MAX)
}

fn lower_quartile(samples: &Samples, name: &str) -> Result<f64, String> {
    part_of(samples, name, 4)
}

/// Returns a value that only a quarter of the values, rounded down, exceed.
fn upper_quartile(samples: &Samples, name: &str) -> Result<f64, String> {
    let mut values = samples.get(name).cloned().unwrap_or_default();
    values.sort_by(|a, b| b.total_cmp(a));
    let value = values.get(values.len() / 4).copied();
    value.ok_or_else(|| format!("no figure `{name}`"))
}

/// Runs a program several times and collects the lines `name value` that it prints.
fn collect(
    samples: &mut Samples,
    prefix: &str,
    command: impl Fn() -> Command,
) -> Result<(), String> {
    (0..RUNS).try_for_each(|_| collect_run(samples, prefix, &mut command()))
}

/// Runs a program once and collects its lines.
fn collect_run(samples: &mut Samples, prefix: &str, command: &mut Command) -> Result<(), String> {
    let output = process::must(command, LIMIT)?;
    for line in output.out().lines() {
        if let Some((name, Ok(value))) = line
            .split_once(' ')
            .map(|(name, value)| (name, value.parse()))
        {
            samples
                .entry(format!("{prefix}{name}"))
                .or_default()
                .push(value);
        }
    }
    Ok(())
}

fn floors(context: &Context, work: &Path) -> Result<Samples, String> {
    let program = work.join("floors");
    let mut gcc = Command::new("gcc");
    gcc.arg("-O2")
        .arg(context.root.join("xtask/bench/floors.c"))
        .arg("-o")
        .arg(&program);
    process::must(&mut gcc, COMPILE)?;
    let mut samples = Samples::new();
    collect(&mut samples, "floor.", || {
        let mut floors = Command::new(&program);
        floors.arg(THREADS.to_string());
        floors
    })?;
    Ok(samples)
}

/// Measures `upcc -trans` against `gcc -fsyntax-only` on the same preprocessed text.
fn translator(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    const LIMIT: f64 = 0.7;
    println!("translation of preprocessed C, ms, against gcc -fsyntax-only");
    let vendor = real_c_sources(context)?;
    let lua = vendor.join("lua-src/lua-5.4.9");
    let unit = work.join("lua.c");
    let parts: String = LUA_UNIT
        .iter()
        .map(|name| format!("#include \"{name}\"\n"))
        .collect();
    write(&unit, &format!("#define LUA_CORE\n{parts}"))?;
    let sqlite = vendor.join("libsqlite3-sys/sqlite3/sqlite3.c");
    let texts = [
        preprocessed(work, &lua, &unit)?,
        preprocessed(work, &lua, &sqlite)?,
    ];
    for (text, lines) in &texts {
        let upcc = time(|| {
            let mut upcc = context.upcc("gcc");
            upcc.args(["-w", "-trans"])
                .arg(text)
                .args(["-o", "/dev/null"]);
            upcc
        })?;
        let gcc = time(|| {
            let mut gcc = Command::new("gcc");
            gcc.args(["-w", "-fsyntax-only"]).arg(text);
            gcc
        })?;
        let what = format!("{}, {lines} lines", crate::context::stem(text));
        kept.row(&what, upcc, gcc, LIMIT);
    }
    Ok(())
}

/// Preprocesses a file; returns its number of lines without markers and blank lines.
fn preprocessed(work: &Path, include: &Path, source: &Path) -> Result<(PathBuf, usize), String> {
    let output = process::must(
        Command::new("gcc")
            .args(["-E", "-I"])
            .arg(include)
            .arg(source),
        COMPILE,
    )?;
    let text = output.out();
    let path = work.join(source.with_extension("i").file_name().unwrap_or_default());
    write(&path, &text)?;
    let lines = text
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .count();
    Ok((path, lines))
}

/// Returns the median wall time in milliseconds.
fn time(command: impl Fn() -> Command) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(process::must(&mut command(), LIMIT)?.time.as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
