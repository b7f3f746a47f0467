//! The exports of `upcprof`, read by independent programs.
//!
//! `tests/exports.rs` writes exports of recordings whose every event is known, and of unusual ones. Perfetto traces are
//! decoded with Perfetto's own message definitions and interpreted as its trace processor does
//! (`tests/exports/perfetto_text.py`); speedscope files are validated against speedscope's own schema. Collapsed stacks
//! are passed to inferno, in `tests/exports.rs` itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::CARGO;
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, files, forever, read, stem, write};
use crate::process;
use crate::report::Tally;
use crate::tools;

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("exports")?).as_path();
    Ok(vec![
        Test::new("known and odd recordings", move || {
            recordings(context, work)
                .unwrap_or_else(|why| Tally::one("known and odd recordings", Err(why)))
        }),
        Test::one("a program, its run, its exports", move || {
            ring(context, work, &context.root.join("tests/exports"))
        }),
    ])
}

/// Checks the exports that `tests/exports.rs` writes.
fn recordings(context: &Context, work: &Path) -> Result<Tally, String> {
    let scripts = context.root.join("tests/exports");
    let mut tally = Tally::default();
    let written = work.join("written");
    fs::create_dir_all(&written).map_err(|e| format!("{}: {e}", written.display()))?;
    process::must(
        context
            .cargo(&["test", "--package", "upcc", "--test", "exports"])
            .env("UPCC_EXPORTS", &written),
        CARGO,
    )?;
    for file in files(&written, "perfetto-trace")? {
        tally.add(
            &format!("Perfetto: {}", stem(&file)),
            perfetto(&scripts, &file),
        );
    }
    for file in files(&written, "json")? {
        // `odd.speedscope.json`, `odd.chrome.json`
        let name = stem(&file);
        let mut check = match Path::new(&name).extension().and_then(|e| e.to_str()) {
            Some("speedscope") => {
                let mut check = python(&scripts, "speedscope_check.py");
                check.arg(tools::speedscope_schema());
                check
            }
            Some("chrome") => python(&scripts, "chrome_check.py"),
            _ => return Err(format!("{}: of no known format", file.display())),
        };
        check.arg(&file);
        tally.add(&name, passes(&mut check));
    }
    Ok(tally)
}

/// Returns the command for a script of the tests.
fn python(scripts: &Path, name: &str) -> Command {
    let mut python = Command::new(tools::python());
    python.arg(scripts.join(name));
    python
}

fn passes(check: &mut Command) -> Result<(), String> {
    process::must(check, RUN).map(|_| ())
}

/// Checks that the trace is valid, and, if its text is known, every track, slice, argument, counter and arrow.
/// `UPDATE=1` writes the texts again.
fn perfetto(scripts: &Path, trace: &Path) -> Result<(), String> {
    let expected = scripts.join(format!("{}.perfetto.txt", stem(trace)));
    let mut show = python(scripts, "perfetto_text.py");
    if !expected.exists() {
        return passes(show.arg(trace));
    }
    let shown = process::must(show.arg("--text").arg(trace), RUN)?.out();
    if std::env::var_os("UPDATE").is_some() {
        return write(&expected, &shown);
    }
    let expected = read(&expected)?;
    let mut lines = expected.lines().zip(shown.lines());
    match lines.position(|(expected, shown)| expected != shown) {
        Some(at) => Err(format!(
            "line {}: expected\n      {}\n    Perfetto shows\n      {}",
            at + 1,
            expected.lines().nth(at).unwrap_or_default(),
            shown.lines().nth(at).unwrap_or_default()
        )),
        None if expected.lines().count() != shown.lines().count() => {
            Err("Perfetto shows fewer or more lines than expected".to_owned())
        }
        None => Ok(()),
    }
}

/// The events of `tests/exports/ring.upc` on each of its threads, by name. `sum` has affinity to thread 0, whose
/// accesses to it are local.
const RING: &[(&str, [usize; 3])] = &[
    ("main", [1, 1, 1]),
    ("exchange", [3, 3, 3]),
    ("step", [3, 3, 3]),
    ("put cell[right]", [12, 12, 12]),
    ("get sum", [0, 2, 2]),
    ("put sum", [0, 1, 1]),
    ("upc_all_lock_alloc", [1, 1, 1]),
    ("upc_lock", [1, 1, 1]),
    ("upc_unlock", [1, 1, 1]),
    ("upc_barrier", [4, 4, 4]),
    ("upc_collective_exit", [1, 1, 1]),
];

/// Events in which no other event happens.
const LEAVES: &[&str] = &[
    "put cell[right]",
    "get sum",
    "put sum",
    "upc_all_lock_alloc",
    "upc_lock",
    "upc_unlock",
    "upc_barrier",
];

/// A program that was run, and its recordings.
struct Recorded<'c> {
    context: &'c Context,
    work: &'c Path,
}

impl Recorded<'_> {
    /// Returns the recording of a run with this flag.
    fn recording(&self, flag: &str) -> PathBuf {
        self.work.join(format!("ring{flag}.upcprof"))
    }

    fn compile(&self, source: &Path) -> Result<(), String> {
        let mut upcc = self.context.upcc("gcc");
        upcc.args(["--inst", "--inst-functions"]).arg(source);
        process::must(upcc.arg("-o").arg(self.work.join("ring")), COMPILE).map(|_| ())
    }

    /// Returns the time in nanoseconds that recording adds to a pair, by thread.
    fn pair_costs(&self, recording: &Path) -> Result<BTreeMap<String, u64>, String> {
        let mut stat = Command::new(&self.context.upcprof);
        stat.args(["stat", "--format", "json"]).arg(recording);
        let stat = process::must(&mut stat, RUN)?.out();
        let stat: serde_json::Value = serde_json::from_str(&stat).map_err(|e| e.to_string())?;
        let threads = stat["per_thread"].as_array().ok_or("no threads in stat")?;
        let cost = |of: &serde_json::Value| {
            let thread = format!("UPC thread {}", of["thread"].as_u64()?);
            Some((thread, of["pair_cost_ns"].as_u64()?))
        };
        let costs: Option<_> = threads.iter().map(cost).collect();
        costs.ok_or_else(|| format!("no cost of pairs in {stat}"))
    }

    /// Runs the program with this flag of `upcrun`; returns a function that exports the recording and returns the
    /// file's path.
    fn run(&self, flag: &str) -> Result<impl Fn(&str) -> Result<PathBuf, String>, String> {
        let recording = self.recording(flag);
        let mut run = Command::new(&self.context.upcrun);
        run.args(["-n", "3", flag, "-tracefile"]).arg(&recording);
        process::must(run.arg(self.work.join("ring")), RUN)?;
        Ok(move |format: &str| {
            let out = recording.with_extension(format);
            // An archive needs a new folder.
            if out.is_dir() {
                fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
            }
            let mut upcprof = Command::new(&self.context.upcprof);
            upcprof.args(["export", "--format", format]).arg(&recording);
            process::must(upcprof.arg("-o").arg(&out), RUN)?;
            Ok(out)
        })
    }
}

/// Tests a program from its source to the exports of its run.
fn ring(context: &Context, work: &Path, scripts: &Path) -> Result<(), String> {
    let program = Recorded { context, work };
    program.compile(&scripts.join("ring.upc"))?;
    let export = program.run("-trace")?;
    let mut perfetto = python(scripts, "perfetto_text.py");
    perfetto.arg("--sums").arg(export("perfetto")?);
    let shown = process::must(&mut perfetto, RUN)?.out();
    let perfetto = sums(&shown);
    let mut speedscope = python(scripts, "speedscope_check.py");
    speedscope.arg("--sums").arg(tools::speedscope_schema());
    speedscope.arg(export("speedscope")?);
    let speedscope = sums(&process::must(&mut speedscope, RUN)?.out());
    passes(python(scripts, "chrome_check.py").arg(export("chrome")?))?;
    // Perfetto also shows which thread a lock comes from.
    let without_marks = |sums: Sums| -> Sums {
        let marks = |name: &str| name.starts_with("lock from thread");
        sums.into_iter()
            .filter(|((_, name), _)| !marks(name))
            .collect()
    };
    let perfetto = without_marks(perfetto);
    if perfetto != speedscope {
        return Err(format!(
            "Perfetto shows {perfetto:?}, speedscope {speedscope:?}"
        ));
    }
    let expected = RING.iter().flat_map(|(name, counts)| {
        counts
            .iter()
            .enumerate()
            .map(|(thread, count)| ((format!("UPC thread {thread}"), (*name).to_owned()), *count))
    });
    let expected: BTreeMap<_, _> = expected.filter(|(_, count)| *count > 0).collect();
    let counts: BTreeMap<_, _> = perfetto
        .iter()
        .map(|(key, (count, _))| (key.clone(), *count))
        .collect();
    if counts != expected {
        return Err(format!(
            "exports have {counts:?}, the program does {expected:?}"
        ));
    }
    let costs = program.pair_costs(&program.recording("-trace"))?;
    own_times(&export("collapsed")?, &spans(&shown), &costs)?;
    otf2(&export("otf2")?, &expected)?;
    drawn(&export("gnuplot")?)?;
    let export = program.run("-profile")?;
    let mut speedscope = python(scripts, "speedscope_check.py");
    speedscope.arg("--sums").arg(tools::speedscope_schema());
    let shown = process::must(speedscope.arg(export("speedscope")?), RUN)?.out();
    let names = |sums: &Sums| -> BTreeSet<(String, String)> { sums.keys().cloned().collect() };
    let (profiled, traced) = (names(&sums(&shown)), names(&perfetto));
    // Events too short for the clock have no weight.
    let barriers = profiled.iter().filter(|(_, name)| name == "upc_barrier");
    match profiled.is_subset(&traced) && barriers.count() == 3 {
        true => read(&export("collapsed")?).map(|_| ()),
        false => Err(format!(
            "the profile has {profiled:?}, the trace {traced:?}"
        )),
    }
}

/// Reads an OTF2 archive with the library's own program: each event is entered and left as often as the program raises
/// it.
fn otf2(folder: &Path, expected: &BTreeMap<(String, String), usize>) -> Result<(), String> {
    let mut print = Command::new("otf2-print");
    let shown = process::must(print.arg(folder.join("trace.otf2")), RUN)?.out();
    for phase in ["ENTER", "LEAVE"] {
        let event = |line: &str| {
            let rest = line.strip_prefix(phase)?.trim_start();
            let thread = rest.split(' ').next()?;
            let name = rest.split_once("Region: \"")?.1.rsplit_once('"')?.0;
            Some((format!("UPC thread {thread}"), name.to_owned()))
        };
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for key in shown.lines().filter_map(event) {
            *counts.entry(key).or_default() += 1;
        }
        if counts != *expected {
            return Err(format!(
                "{phase}: OTF2 has {counts:?}, the program does {expected:?}"
            ));
        }
    }
    match shown.contains("RMA_PUT") && shown.contains("RMA_GET") {
        true => Ok(()),
        false => Err(format!("no transfers in {shown}")),
    }
}

/// Has gnuplot draw the pictures.
fn drawn(out: &Path) -> Result<(), String> {
    let folder = out.parent().unwrap_or(Path::new("."));
    let script = out.with_extension("gnuplot.gp");
    let mut gnuplot = Command::new("gnuplot");
    let warnings = process::must(gnuplot.current_dir(folder).arg(&script), RUN)?.err();
    if !warnings.trim().is_empty() {
        return Err(format!("gnuplot: {warnings}"));
    }
    let picture = read(&out.with_extension("gnuplot.timeline.svg"))?;
    match picture.matches("<polygon").count() {
        0..10 => Err(format!("nearly nothing is drawn: {picture}")),
        _ => Ok(()),
    }
}

/// The number and nanoseconds of spans by thread and name.
type Sums = BTreeMap<(String, String), (usize, u64)>;

fn sums(text: &str) -> Sums {
    let line = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        let key = (words.next()?, words.next()?);
        Some((
            key,
            (words.next()?.parse().ok()?, words.next()?.parse().ok()?),
        ))
    };
    text.lines().filter_map(line).collect()
}

/// The nanoseconds of each span, by thread and name.
type Spans = BTreeMap<(String, String), Vec<u64>>;

fn spans(text: &str) -> Spans {
    let line = |line: &str| {
        let mut words = line.split('\t');
        let key = (words.next()?.to_owned(), words.next()?.to_owned());
        let times: Result<_, _> = words.skip(2).map(str::parse).collect();
        Some((key, times.ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Checks collapsed stacks of all threads together: for a name in which nothing is nested, the time below its frames is
/// the time of its spans without the cost of recording them.
fn own_times(collapsed: &Path, spans: &Spans, costs: &BTreeMap<String, u64>) -> Result<(), String> {
    let text = read(collapsed)?;
    for name in LEAVES {
        let of_name = spans.iter().filter(|((_, of), _)| of == name);
        let without = |(thread, times): (&String, &Vec<u64>)| -> u64 {
            let cost = costs.get(thread).copied().unwrap_or(0);
            times.iter().map(|time| time.saturating_sub(cost)).sum()
        };
        let expected: u64 = of_name
            .map(|((thread, _), times)| without((thread, times)))
            .sum();
        let weight = |line: &str| -> Option<u64> {
            let (stack, weight) = line.rsplit_once(' ')?;
            let frame = stack.rsplit(';').next()?;
            let of = frame.split(" (").next()? == *name;
            of.then(|| weight.parse().ok())?
        };
        let found: u64 = text.lines().filter_map(weight).sum();
        if found != expected {
            return Err(format!(
                "collapsed stacks give {name} {found} ns, the trace {expected}"
            ));
        }
    }
    Ok(())
}
