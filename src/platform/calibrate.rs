//! Measures a platform, for `upcrun -calibrate`: compiles `measure.upc`, and runs it over each network on several numbers
//! of threads.

use super::operations::{Axis, named};
use super::table::title;
use super::{CACHE_LINE, CACHE_LINES, Cost, Platform, Setting, Time};
use crate::cli::temp_files::Temps;
use crate::cli::tools::{beside, must};
use crate::cli::{Failure, log};
use crate::target::Network;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

/// The program that is measured.
const PROGRAM: &str = include_str!("measure.upc");

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The networks.
    pub networks: Vec<Network>,
    /// The largest number of threads.
    pub most_threads: u32,
    /// Shorter repetitions, and few numbers of threads.
    pub quick: bool,
    /// The machines among which `UPC_NODES` divides the threads; 1: this one.
    pub machines: u32,
}

impl Wanted {
    /// The numbers of threads: powers of two up to the largest.
    fn threads(&self) -> Vec<u32> {
        let all = (1..).map(|shift| 1u32 << shift);
        let all: Vec<u32> = all.take_while(|n| *n <= self.most_threads).collect();
        match (self.quick, all.is_empty()) {
            (_, true) => vec![self.most_threads],
            (true, false) => all[..1].to_vec(),
            (false, false) => all,
        }
    }

    /// The milliseconds that a repetition takes.
    fn milliseconds(&self) -> &'static str {
        if self.quick { "0.2" } else { "2.5" }
    }
}

/// Compiles the program for each network, runs it and collects the costs.
///
/// # Errors
/// A compilation or a run fails, or prints something else than costs.
pub fn measure(wanted: &Wanted) -> Result<Platform, Failure> {
    let folder = Temps::new(None)?;
    let source = folder.file("measure.upc");
    std::fs::write(&source, PROGRAM).map_err(|error| Failure::io("write", &source, &error))?;
    let mut settings = Vec::new();
    for &network in &wanted.networks {
        let program = folder.file(network.name());
        compile(&source, network, &program)?;
        let caches: &[Option<bool>] = match network {
            Network::Smp => &[None],
            Network::Mpi | Network::Ucx => &[Some(true), Some(false)],
        };
        for &cache in caches {
            let of_network = Run {
                wanted,
                network,
                program: program.clone(),
                cache,
            };
            settings.push(of_network.setting()?);
        }
    }
    let processors = available_parallelism().map_or(1, usize::from);
    Ok(Platform {
        name: "measured by upcrun -calibrate".to_owned(),
        processors: u32::try_from(processors).unwrap_or(u32::MAX),
        machines: wanted.machines,
        settings,
    })
}

fn compile(source: &Path, network: Network, program: &Path) -> Result<(), Failure> {
    let mut upcc = Command::new(beside("upcc")?);
    upcc.arg("-O3")
        .arg(format!("-network={}", network.name()))
        .arg(source)
        .arg("-o")
        .arg(program);
    must("upcc", &mut upcc).map(|_| ())
}

/// The runs for one setting.
struct Run<'a> {
    wanted: &'a Wanted,
    network: Network,
    program: PathBuf,
    cache: Option<bool>,
}

impl Run<'_> {
    fn setting(&self) -> Result<Setting, Failure> {
        let mut costs: BTreeMap<String, Vec<Cost>> = BTreeMap::new();
        for threads in self.wanted.threads() {
            self.report(threads);
            let text = must("upcrun", &mut self.upcrun(threads)?)?;
            for line in text.lines() {
                let (name, cost) = cost(line, threads).ok_or_else(|| {
                    Failure::environment(format!("the measured program printed `{line}`"))
                })?;
                costs.entry(name).or_default().push(cost);
            }
        }
        Ok(Setting {
            network: self.network.name().to_owned(),
            cache: self.cache,
            cache_line: CACHE_LINE,
            cache_lines: CACHE_LINES,
            costs,
        })
    }

    /// Says what is measured now: it takes some time.
    fn report(&self, threads: u32) {
        let title = title(self.network.name(), self.cache);
        log("upcrun", &format!("measuring {title} on {threads} threads"));
    }

    fn upcrun(&self, threads: u32) -> Result<Command, Failure> {
        let mut upcrun = Command::new(beside("upcrun")?);
        upcrun.args(["-n", &threads.to_string()]);
        match self.cache {
            Some(true) => {
                let (line, lines) = (CACHE_LINE.to_string(), CACHE_LINES.to_string());
                upcrun.args(["-cache=on", "-cache-line", &line, "-cache-lines", &lines]);
            }
            Some(false) => {
                upcrun.arg("-cache=off");
            }
            None => {}
        }
        // Threads of one machine would share memory, and the network would not be measured.
        if self.cache.is_some() {
            upcrun.args(["-pshm-width", "1"]);
        }
        upcrun.arg(&self.program).arg(self.wanted.milliseconds());
        upcrun.arg(self.wanted.machines.to_string());
        // Options for other runs are none for these.
        upcrun.env_remove("UPCRUN_FLAGS");
        Ok(upcrun)
    }
}

/// The operation and the cost in a line `NAME BYTES MEDIAN LOW HIGH`.
fn cost(line: &str, threads: u32) -> Option<(String, Cost)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [name, bytes, mean, low, high] = words[..] else {
        return None;
    };
    let bytes: u64 = bytes.parse().ok()?;
    let number = |word: &str| word.parse::<f64>().ok().filter(|it| it.is_finite());
    let time = Time {
        low: number(low)?,
        mean: number(mean)?,
        high: number(high)?,
    };
    let axis = named(name)?.axis;
    (axis == Axis::Bytes || bytes == 0).then(|| {
        let cost = Cost {
            threads,
            bytes,
            time,
        };
        (name.to_owned(), cost)
    })
}
