//! The cost of operations for growing numbers of threads, over messages between threads of this machine that do not
//! reach one another's memory: messages and memory, counted by `tests/scale/messages.upc` and compared with bounds that
//! grow with the logarithm; and samples on 64 threads. `UPDATE=1` writes the table of `docs/scale.md` again.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::context::{COMPILE, Context, files, forever, stem};
use crate::process;
use crate::report::Tally;
use crate::suites::test::Test;

const FLAGS: &[&str] = &["-O", "-network=mpi", "-pshm-width=1"];
/// The thread counts, each thread a group of its own; a normal run leaves the last one out.
const COUNTS: &[usize] = &[2, 4, 8, 16, 32, 64];
/// The number of threads, and how many of them share memory: groups exchange messages as threads do.
const GROUPED: (usize, usize) = (16, 4);
/// The largest number of bytes of the runtime's memory for each other thread.
const BYTES_PER_THREAD: f64 = 64.0;
/// The samples of a normal run.
const FEW_SAMPLES: &[&str] = &["hello", "pi"];
const MOST: usize = 64;
/// The time limit; that many processes on a few processors are slow.
const LIMIT: Duration = Duration::from_secs(900);
const START: &str = "<!-- measured -->";
const END: &str = "<!-- end -->";

/// An operation that the program measures.
struct Operation {
    /// Its name in the program's output.
    key: &'static str,
    /// Its name in the table.
    text: &'static str,
    /// The largest number of messages of the busiest thread: `level` for each level of a binary tree over the groups,
    /// and `once`.
    level: f64,
    once: f64,
}

const fn of(key: &'static str, text: &'static str, level: f64, once: f64) -> Operation {
    Operation {
        key,
        text,
        level,
        once,
    }
}

const OPERATIONS: &[Operation] = &[
    of("barrier", "`upc_barrier`", 1.0, 0.0),
    of(
        "split_barrier",
        "`upc_notify v`, `upc_wait v`, named",
        1.0,
        0.0,
    ),
    of("free_lock", "`upc_lock`, `upc_unlock`, free", 0.0, 4.0),
    of(
        "all_alloc",
        "`upc_all_alloc`, `upc_all_free`, 64 bytes",
        2.0,
        1.0,
    ),
    of("growing_alloc", "the same, 6 MB: the heap grows", 3.0, 2.0),
    of("global_alloc", "`upc_global_alloc`, `upc_free`", 0.0, 2.0),
    of("large_free", "the same, 36 MB: pages go back", 2.0, 4.0),
    of(
        "strided_put",
        "`bupc_memput_fstrided`, 64 elements",
        0.0,
        2.0,
    ),
    of(
        "strided_get",
        "`bupc_memget_fstrided`, 64 elements",
        0.0,
        2.0,
    ),
    of("broadcast", "`upc_all_broadcast`, 8 bytes", 3.0, 0.0),
    of("long_broadcast", "the same, 256 KB", 4.0, 0.0),
    of("scatter", "`upc_all_scatter`, 8 bytes", 3.0, 0.0),
    of("gather", "`upc_all_gather`, 8 bytes", 3.0, 0.0),
    of("gather_all", "`upc_all_gather_all`, 8 bytes", 4.0, 0.0),
    of("exchange", "`upc_all_exchange`, 8 bytes", 3.0, 0.0),
    of("permute", "`upc_all_permute`, 8 bytes", 2.0, 4.0),
    of("reduce", "`upc_all_reduceD`", 3.0, 0.0),
    of("prefix_reduce", "`upc_all_prefix_reduceD`", 4.0, 14.0),
    of("value_reduce", "`bupc_allv_reduce_all`", 4.0, 0.0),
    of("value_gather", "`bupc_allv_gather_all`", 5.0, 0.0),
];

/// All threads take one lock at the same time: the total number of messages divided by the number of threads, which is
/// independent of the thread count.
const WANTED: (&str, &str, f64) = (
    "wanted_lock",
    "`upc_lock`, `upc_unlock`, wanted by all (mean)",
    5.0,
);

/// The output of one run: two numbers for each key.
struct Measured {
    threads: usize,
    groups: usize,
    values: HashMap<String, (f64, f64)>,
}

impl Measured {
    fn get(&self, key: &str) -> Result<(f64, f64), String> {
        self.values
            .get(key)
            .copied()
            .ok_or_else(|| format!("the program says nothing of `{key}`"))
    }

    /// Returns the additional barriers in an operation: threads that share memory meet before and after one of them
    /// sends for all.
    fn meetings(&self) -> f64 {
        if self.groups == self.threads {
            0.0
        } else {
            2.0
        }
    }

    /// Returns the levels of a binary tree over the groups.
    fn levels(&self) -> f64 {
        f64::from(self.groups.next_power_of_two().trailing_zeros())
    }
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("scale")?).as_path();
    let messages = Test::new("messages", move || {
        messages(context, work).unwrap_or_else(|why| Tally::one("messages", Err(why)))
    });
    let mut tests = vec![messages.alone()];
    for path in files(&context.root.join("samples"), "upc")? {
        if context.long || FEW_SAMPLES.contains(&stem(&path).as_str()) {
            let name = format!("sample::{}", stem(&path));
            tests.push(Test::one(name, move || sample(context, work, &path)).alone());
        }
    }
    Ok(tests)
}

/// Measures every number of threads, and compares the results with the bounds.
fn messages(context: &Context, work: &Path) -> Result<Tally, String> {
    let update = std::env::var_os("UPDATE").is_some();
    let program = work.join("messages");
    let mut upcc = context.upcc("gcc");
    upcc.args(FLAGS)
        .arg(context.root.join("tests/scale/messages.upc"))
        .arg("-o")
        .arg(&program);
    process::must(&mut upcc, COMPILE)?;
    let mut tally = Tally::default();
    let mut runs = Vec::new();
    for &threads in COUNTS {
        if threads == MOST && !context.long && !update {
            continue;
        }
        let measured = measure(context, &program, threads, 1)?;
        tally.add(&format!("{threads} threads"), judge(&measured));
        runs.push(measured);
    }
    let grouped = measure(context, &program, GROUPED.0, GROUPED.1)?;
    tally.add("threads in groups", judge(&grouped));
    if update {
        write(context, &runs, &grouped)?;
    }
    Ok(tally)
}

fn measure(
    context: &Context,
    program: &Path,
    threads: usize,
    width: usize,
) -> Result<Measured, String> {
    let mut upcrun = context.upcrun(threads, program);
    upcrun
        .env("UPC_PSHM_WIDTH", width.to_string())
        .env("UPC_SHARED_HEAP_SIZE", "160MB")
        .envs(process::MPI);
    let output = process::must(&mut upcrun, LIMIT)?;
    let mut values = HashMap::new();
    for line in output.out().lines() {
        let Some((key, numbers)) = line.split_once(": ") else {
            continue;
        };
        let numbers: Vec<f64> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
        if let [first, second] = numbers[..] {
            values.insert(key.to_owned(), (first, second));
        }
    }
    Ok(Measured {
        threads,
        groups: threads.div_ceil(width),
        values,
    })
}

/// Compares the results with the bounds.
fn judge(measured: &Measured) -> Result<(), String> {
    let mut wrong = String::new();
    let mut hold = |what: &str, value: f64, most: f64| {
        // A thread that has waited for a long time occasionally sends a message about it.
        if value > most + 0.5 {
            let _ = write!(wrong, "{what}: {value} is more than {most}; ");
        }
    };
    for operation in OPERATIONS {
        let level = operation.level + measured.meetings();
        let most = level * measured.levels() + operation.once;
        hold(operation.key, measured.get(operation.key)?.0, most);
    }
    hold(WANTED.0, measured.get(WANTED.0)?.1, WANTED.2);
    let others = (measured.threads - 1) as f64;
    let bytes = measured.get("memory")?.0 / others;
    hold("bytes for each other thread", bytes, BYTES_PER_THREAD);
    // Each of the other threads is asked once; some may be polling already.
    let woken = measured.get("woken")?.1 * measured.threads as f64;
    if measured.groups == measured.threads && woken < others / 2.0 {
        let _ = write!(
            wrong,
            "of {others} sleeping threads messages have woken {woken}; "
        );
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong),
    }
}

/// Writes the table of the page.
fn write(context: &Context, runs: &[Measured], grouped: &Measured) -> Result<(), String> {
    let page = context.root.join("docs/scale.md");
    let text = fs::read_to_string(&page).map_err(|e| format!("{}: {e}", page.display()))?;
    let (Some(start), Some(end)) = (text.find(START), text.find(END)) else {
        return Err(format!("{} has no place for the table", page.display()));
    };
    let columns: Vec<&Measured> = runs.iter().chain([grouped]).collect();
    let mut table = String::from("\n| messages of the busiest thread |");
    for run in &columns {
        let _ = match run.groups == run.threads {
            true => write!(table, " {} |", run.threads),
            false => write!(table, " {} in {} |", run.threads, run.groups),
        };
    }
    table.push_str(" bound |\n|---|");
    table.push_str(&"---|".repeat(columns.len() + 1));
    for operation in OPERATIONS {
        let _ = write!(table, "\n| {} |", operation.text);
        for run in &columns {
            let _ = write!(table, " {} |", number(run.get(operation.key)?.0));
        }
        let _ = write!(table, " {} |", bound(operation));
    }
    let _ = write!(table, "\n| {} |", WANTED.1);
    for run in &columns {
        let _ = write!(table, " {} |", number(run.get(WANTED.0)?.1));
    }
    let _ = write!(table, " {} |", WANTED.2);
    table.push_str("\n| **memory** |");
    table.push_str(&" |".repeat(columns.len() + 1));
    table.push_str("\n| our bytes for each other thread |");
    for run in &columns {
        let bytes = run.get("memory")?.0 / (run.threads - 1) as f64;
        let _ = write!(table, " {} |", number(bytes));
    }
    let _ = write!(table, " {BYTES_PER_THREAD} |");
    table.push_str("\n| private memory of the largest process, MB |");
    for run in &columns {
        let _ = write!(table, " {:.1} |", run.get("memory")?.1 / 1024.0);
    }
    table.push_str(" |\n\n");
    let head = start + START.len();
    let new = format!("{}\n{table}{}", &text[..head], &text[end..]);
    fs::write(&page, new).map_err(|e| format!("{}: {e}", page.display()))
}

fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Formats `3 L + 2`.
fn bound(operation: &Operation) -> String {
    let level = match operation.level {
        0.0 => String::new(),
        1.0 => "L".to_owned(),
        times => format!("{times} L"),
    };
    match (level.is_empty(), operation.once) {
        (true, once) => format!("{once}"),
        (false, 0.0) => level,
        (false, once) => format!("{level} + {once}"),
    }
}

/// Runs a sample on many more threads than there are processors.
fn sample(context: &Context, work: &Path, path: &Path) -> Result<(), String> {
    let name = stem(path);
    let program = work.join(&name);
    let mut upcc = context.upcc("gcc");
    upcc.args(FLAGS).arg(path).arg("-o").arg(&program);
    process::must(&mut upcc, COMPILE)?;
    let mut upcrun = context.upcrun(MOST, &program);
    let output = process::must(upcrun.envs(process::MPI), LIMIT)?;
    let ok = format!("{name}: OK");
    // A launcher collects the lines of several processes in an unspecified order.
    match output.out().lines().any(|line| line.starts_with(&ok)) {
        true => Ok(()),
        false => Err(format!("no line says OK: {}", output.tail())),
    }
}
