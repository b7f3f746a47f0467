//! Programs with one planted fault each, analysed by `upcprof analyze`: `tests/analyze`. The fault is the first finding,
//! and costs what the program says that it costs. Programs without fault have no finding.

pub mod advice;
mod running;
mod several;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::test::Test;
use crate::context::{COMPILE, Context, files, forever, read, stem};
use crate::process;
use crate::report::Tally;
use crate::tools::{self, Need};

/// The largest share of the thread time, in percent, of a finding in a program without fault.
const CLEAN: f64 = 2.0;
/// By how much a cost may differ from the planted one, in percent of that.
const ERROR: f64 = 15.0;
/// The numbers of threads of a normal run, and of a long one; and those of a long run over MPI.
const THREADS: &[u32] = &[2];
const CLEAN_THREADS: &[u32] = &[2];
const LONG_THREADS: &[u32] = &[2, 4, 8, 64];
const MPI_THREADS: &[u32] = &[2, 4];
/// How often a program without fault runs until it has no finding: what other programs do to a thread is one. And how often
/// one over MPI runs until its finding names the target.
const ATTEMPTS: usize = 6;
/// The time limit of a run; that many processes on a few processors are slow.
const RUN: Duration = Duration::from_secs(300);

/// What a program declares in its first lines.
struct Planted {
    /// `// finding: KIND LINE [thread N]`, or none: a program without fault.
    finding: Option<(String, u64, Option<u64>)>,
    /// `// loop: TEXT`: what the finding says about the loop around it.
    around: Option<String>,
    /// `// why: TEXT`: what a sentence of its evidence says.
    why: Option<String>,
    /// `// network: mpi`: the fault is one only where each access is a message.
    only_mpi: bool,
    /// `// threads: N...`: the numbers of threads of a normal run, if others than [`THREADS`] and
    /// [`CLEAN_THREADS`].
    threads: Vec<u32>,
    /// `// flags: FLAG...`
    flags: Vec<String>,
    /// `// distance: NS`: each thread is on a machine of its own. The distance is simulated, except over MPI.
    distance: Option<String>,
}

/// What a program prints behind `PASS`: the nanoseconds that its fault costs, and those of the critical path that are for
/// it, if it knows them.
#[derive(Clone, Copy)]
struct Cost {
    time: Option<f64>,
    critical: Option<f64>,
}

/// A program in one form.
#[derive(Clone, Copy)]
struct Case {
    context: &'static Context,
    work: &'static Path,
    source: &'static Path,
    planted: &'static Planted,
    threads: u32,
    is_mpi: bool,
    /// Changed as the finding advises.
    is_advised: bool,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("analyze")?).as_path();
    let mut tests = Vec::new();
    for (source, planted) in programs(context)? {
        let case = |threads, is_mpi| Case {
            context,
            work,
            source,
            planted,
            threads,
            is_mpi,
            is_advised: false,
        };
        if planted.only_mpi {
            tests.push(case(planted.threads[0], true).test());
            continue;
        }
        let threads = if context.long {
            LONG_THREADS
        } else {
            &planted.threads
        };
        tests.extend(threads.iter().map(|&threads| case(threads, false).test()));
        if context.long {
            tests.extend(
                MPI_THREADS
                    .iter()
                    .map(|&threads| case(threads, true).test()),
            );
            if planted.finding.is_some() {
                tests.push(advice::test(case(advice::THREADS, false)));
            }
        }
    }
    tests.extend(several::tests(context)?);
    Ok(tests)
}

/// The programs with what they declare.
fn programs(context: &Context) -> Result<Vec<(&'static Path, &'static Planted)>, String> {
    let of = |source: PathBuf| {
        let planted: &Planted = forever(planted(&source)?);
        Ok((forever(source).as_path(), planted))
    };
    let sources = files(&context.root.join("tests/analyze"), "upc")?;
    sources.into_iter().map(of).collect()
}

fn planted(source: &Path) -> Result<Planted, String> {
    let text = read(source)?;
    let value = |key: &str| {
        let start = format!("// {key}: ");
        text.lines().find_map(|line| line.strip_prefix(&start))
    };
    let wrong = || {
        format!(
            "{}: `// finding: KIND LINE [thread N]` or none",
            source.display()
        )
    };
    let words: Vec<&str> = value("finding").ok_or_else(wrong)?.split(' ').collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| wrong());
    let finding = match words[..] {
        ["none"] => None,
        [kind, line] => Some((kind.to_owned(), number(line)?, None)),
        [kind, line, "thread", thread] => {
            Some((kind.to_owned(), number(line)?, Some(number(thread)?)))
        }
        _ => return Err(wrong()),
    };
    let default = if finding.is_some() {
        THREADS
    } else {
        CLEAN_THREADS
    };
    let threads = value("threads").map(|list| list.split(' ').map(|it| it.parse()).collect());
    let threads: Result<Vec<u32>, _> = threads.unwrap_or_else(|| Ok(default.to_vec()));
    Ok(Planted {
        finding,
        threads: threads.map_err(|e| format!("{}: {e}", source.display()))?,
        flags: value("flags")
            .map(|flags| flags.split(' ').map(str::to_owned).collect())
            .unwrap_or_default(),
        around: value("loop").map(str::to_owned),
        why: value("why").map(str::to_owned),
        only_mpi: value("network") == Some("mpi"),
        distance: value("distance").map(str::to_owned),
    })
}

impl Case {
    fn name(&self) -> String {
        let network = if self.is_mpi { "-mpi" } else { "" };
        let advised = if self.is_advised { "-advised" } else { "" };
        format!(
            "{}::{}-threads{network}{advised}",
            stem(self.source),
            self.threads
        )
    }

    fn test(self) -> Test {
        let name = self.name();
        Test::new(name.clone(), move || {
            let missing = self.is_mpi.then(|| tools::missing(&[Need::OpenMpi]));
            match missing.flatten() {
                Some(why) => Tally::skipped(&name, &why),
                None => Tally::one(&name, self.check()),
            }
        })
    }

    /// A program without fault tries again: one of the processors may be slower meanwhile, which makes a thread late. So
    /// does one over MPI: a target without a processor does not answer either, and does not compute.
    fn check(&self) -> Result<(), String> {
        let attempts = match self.planted.finding {
            Some(_) if !self.is_mpi => 1,
            _ => ATTEMPTS,
        };
        let program = self.compile()?;
        for _ in 1..attempts {
            if matches!(self.check_once(&program), Ok(Ok(()))) {
                return Ok(());
            }
        }
        self.check_once(&program)?
    }

    /// Runs the program once. The inner result is about the cost.
    fn check_once(&self, program: &Path) -> Result<Result<(), String>, String> {
        let cost = self.record(program)?;
        let json = self.analyze()?;
        let findings = json["findings"]
            .as_array()
            .ok_or("no findings in the JSON")?;
        match &self.planted.finding {
            Some(finding) => {
                let around = findings.first().and_then(|first| first["loop"].as_str());
                if self.planted.around.is_some() && around != self.planted.around.as_deref() {
                    return Err(format!("the finding is {around:?}"));
                }
                let found = is_found(finding, cost, findings)?;
                match self.planted.why.as_deref() {
                    Some(why) if !says(findings.first(), why) => {
                        Err(format!("no evidence says {why:?}: {findings:#?}"))
                    }
                    _ => Ok(found),
                }
            }
            None => Ok(is_clean(findings)),
        }
    }

    fn analyze(&self) -> Result<serde_json::Value, String> {
        let mut analyze = Command::new(&self.context.upcprof);
        analyze.args(["analyze", "--no-baseline", "--format", "json"]);
        let text = process::must(analyze.arg(self.recording()), RUN)?.out();
        serde_json::from_str(&text).map_err(|e| e.to_string())
    }

    /// Where the program of this form is recorded.
    fn recording(&self) -> PathBuf {
        let name = self.name().replace("::", "-");
        self.work.join(name).with_extension("upcprof")
    }

    /// True if each thread is on a node of its own.
    fn is_apart(&self) -> bool {
        self.planted.distance.is_some() || self.planted.only_mpi
    }

    /// The distance between nodes that `upcrun` makes.
    fn made_distance(&self) -> Option<&'static String> {
        self.planted.distance.as_ref().filter(|_| !self.is_mpi)
    }

    /// Compiles the program, beside its recording.
    fn compile(&self) -> Result<PathBuf, String> {
        let program = self.recording().with_extension("exe");
        let mut upcc = self.context.upcc("gcc");
        upcc.args(["-O", "--inst-local"]).args(&self.planted.flags);
        if self.is_mpi {
            upcc.arg("-network=mpi");
        }
        if self.is_advised {
            upcc.arg("-DADVISED");
        }
        if self.is_apart() {
            upcc.arg("-pshm-width=1");
        }
        if let Some(distance) = self.made_distance() {
            upcc.arg(format!("-DDISTANCE={distance}"));
        }
        process::must(upcc.arg(self.source).arg("-o").arg(&program), COMPILE)?;
        Ok(program)
    }

    /// Runs the program and writes the recording. Returns what the program says that its fault costs.
    fn record(&self, program: &Path) -> Result<Cost, String> {
        let mut run = Command::new(&self.context.upcrun);
        if self.is_apart() {
            run.arg("-cache=off");
        }
        if let Some(distance) = self.made_distance() {
            run.args(["-pshm-delay", distance]);
        }
        run.args(["-n", &self.threads.to_string(), "-trace", "-tracefile"]);
        run.arg(self.recording()).arg(program).envs(process::MPI);
        let printed = process::must(&mut run, RUN)?.out();
        let mut words = printed.split_whitespace();
        if words.next() != Some("PASS") {
            return Err(format!("the program printed {printed:?}"));
        }
        let mut number = || words.next().map(str::parse).transpose();
        let wrong = |e| format!("the program printed {printed:?}: {e}");
        Ok(Cost {
            time: number().map_err(wrong)?,
            critical: number().map_err(wrong)?,
        })
    }
}

/// The planted fault is the first finding; the inner result says whether it costs what it should.
fn is_found(
    (kind, line, thread): &(String, u64, Option<u64>),
    cost: Cost,
    findings: &[serde_json::Value],
) -> Result<Result<(), String>, String> {
    let is_it = |it: &serde_json::Value| {
        it["kind"] == kind.as_str()
            && it["line"] == *line
            && thread.is_none_or(|thread| it["thread"] == thread)
    };
    let Some(first) = findings.first().filter(|first| is_it(first)) else {
        return Err(format!(
            "the first finding is not {kind} at line {line}, thread {thread:?}: {findings:#?}"
        ));
    };
    let is_near = |member: &str, planted: Option<f64>| {
        let found = first[member].as_f64().unwrap_or(0.0);
        match planted {
            Some(cost) if (found - cost).abs() * 100.0 > cost * ERROR => Err(format!(
                "{member} of {kind} is {:.1} ms, and not {:.1} ms: {first:#}",
                found / 1e6,
                cost / 1e6
            )),
            _ => Ok(()),
        }
    };
    Ok(is_near("cost_ns", cost.time).and_then(|()| is_near("critical_ns", cost.critical)))
}

/// True if a sentence of a finding's evidence has this text.
fn says(finding: Option<&serde_json::Value>, text: &str) -> bool {
    let why = finding.and_then(|finding| finding["why"].as_array());
    let mut sentences = why.into_iter().flatten().filter_map(|why| why.as_str());
    sentences.any(|sentence| sentence.contains(text))
}

fn is_clean(findings: &[serde_json::Value]) -> Result<(), String> {
    let share = |it: &serde_json::Value| it["cost_percent"].as_f64().unwrap_or(100.0);
    match findings.iter().find(|it| share(it) > CLEAN) {
        None => Ok(()),
        Some(finding) => Err(format!("a finding in a program without fault: {finding:#}")),
    }
}
