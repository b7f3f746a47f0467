//! The performance matrix of a UPC system (MuPC thesis, table 8.1): what an access costs in each of its patterns
//! (`samples/bench/platform.upc`), over each transport, judged by the criteria of section 8.1.

use std::path::Path;
use std::thread::available_parallelism;

use super::{Samples, THREADS, collect, compile_as, least};
use crate::context::Context;
use crate::process;

/// A way to compile and run the program.
struct Column {
    name: &'static str,
    flags: &'static [&'static str],
    /// `UPC_CACHE`
    cache: &'static str,
    threads: usize,
}

const MESSAGES: &[&str] = &["-O3", "-network=mpi", "-pshm-width=1"];
const SMP: &str = "smp";
const CACHED: &str = "messages";
const UNCACHED: &str = "no cache";
const MORE: &str = "threads x 2";

#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    Column { name: SMP, flags: &["-O3"], cache: "auto", threads: THREADS },
    Column { name: CACHED, flags: MESSAGES, cache: "auto", threads: THREADS },
    Column { name: UNCACHED, flags: MESSAGES, cache: "off", threads: THREADS },
    Column { name: MORE, flags: MESSAGES, cache: "auto", threads: 2 * THREADS },
];

/// The patterns, as the program names them.
const PATTERNS: &[&str] = &[
    "stream", "sequence", "baseline", "ring", "flush", "vector", "coalesce", "local", "private",
];

const WAYS: &[&str] = &["read", "write"];

/// "On the same scale": within half an order of magnitude.
const SCALE: f64 = 3.2;

/// A criterion of section 8.1: the time of a pattern over that of another one, at most the limit. Writes to remote memory
/// are collected, so their time is no latency, and the criterion about latencies is judged by reads.
struct Criterion {
    what: &'static str,
    column: &'static str,
    figure: &'static str,
    base: &'static str,
    limit: f64,
    ways: &'static [&'static str],
}

#[rustfmt::skip]
const CRITERIA: &[Criterion] = &[
    Criterion { what: "baseline on the scale of stream", column: CACHED, figure: "baseline", base: "stream", limit: SCALE, ways: WAYS },
    Criterion { what: "the same without the cache", column: UNCACHED, figure: "baseline", base: "stream", limit: SCALE, ways: WAYS },
    Criterion { what: "stream in shared memory on the scale of private", column: SMP, figure: "stream", base: "private", limit: SCALE, ways: WAYS },
    Criterion { what: "local on the scale of private", column: CACHED, figure: "local", base: "private", limit: SCALE, ways: WAYS },
    Criterion { what: "local an order of magnitude below stream", column: UNCACHED, figure: "local", base: "stream", limit: 0.1, ways: &["read"] },
    Criterion { what: "coalesce on the scale of local", column: CACHED, figure: "coalesce", base: "local", limit: SCALE, ways: WAYS },
    Criterion { what: "vector on the scale of local", column: CACHED, figure: "vector", base: "local", limit: SCALE, ways: WAYS },
    Criterion { what: "flush on the scale of ring", column: CACHED, figure: "flush", base: "ring", limit: SCALE, ways: WAYS },
];

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    let source = context.root.join("samples/bench/platform.upc");
    let mut samples = Samples::new();
    for column in COLUMNS {
        let program = work.join("platform");
        compile_as(context, &source, column.flags, &program)?;
        collect(&mut samples, &format!("{}.", column.name), || {
            let mut upcrun = context.upcrun(column.threads, &program);
            upcrun.envs(process::MPI).env("UPC_CACHE", column.cache);
            upcrun
        })?;
    }
    println!(
        "accesses in plain subscripts, {THREADS} threads, ns for one (MuPC thesis, table 8.1)"
    );
    let heads = COLUMNS.iter().map(|it| format!("{:>14}", it.name));
    println!("{:<16}{}", "", heads.collect::<String>());
    for (pattern, way) in PATTERNS
        .iter()
        .flat_map(|it| WAYS.iter().map(move |way| (it, way)))
    {
        let cells = COLUMNS
            .iter()
            .map(|it| Ok(format!("{:>14.2}", time(&samples, it.name, pattern, way)?)));
        let cells: String = cells.collect::<Result<_, String>>()?;
        println!("{:<16}{cells}", format!("{pattern} {way}"));
    }
    judge(&samples)
}

fn time(samples: &Samples, column: &str, pattern: &str, way: &str) -> Result<f64, String> {
    least(samples, &format!("{column}.{pattern}.{way}"))
}

/// Prints the criteria, and how many hold.
fn judge(samples: &Samples) -> Result<(), String> {
    println!("criteria of section 8.1; ! marks what does not hold");
    let (mut held, mut judged) = (0, 0);
    let mut verdict = |what: &str, ratio: f64, limit: f64| {
        let holds = ratio <= limit;
        judged += 1;
        held += usize::from(holds);
        let mark = if holds { ' ' } else { '!' };
        println!("{mark} {what:<58} {ratio:>10.2}, at most {limit}");
    };
    for it in CRITERIA {
        for way in it.ways {
            let figure = time(samples, it.column, it.figure, way)?;
            let base = time(samples, it.column, it.base, way)?;
            verdict(&format!("{}, {way}", it.what), figure / base, it.limit);
        }
    }
    // Twice the threads transfer twice as much in the same time, if each has a processor.
    let processors = available_parallelism().map_or(1, usize::from);
    if processors >= 2 * THREADS {
        for pattern in ["ring", "flush"] {
            for way in WAYS {
                let more = time(samples, MORE, pattern, way)?;
                let few = time(samples, CACHED, pattern, way)?;
                let what = format!("bandwidth of {pattern} grows with the threads, {way}");
                verdict(&what, more / few, SCALE);
            }
        }
    } else {
        println!(
            "  not judged with {processors} processors: bandwidths of ring and flush that grow with the threads"
        );
    }
    println!("{held} of {judged} hold");
    Ok(())
}
