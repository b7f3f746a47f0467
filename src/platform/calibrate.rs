//! Measures a platform, for `upcrun -calibrate`: compiles `measure.upc`, and runs it over each network on several numbers
//! of threads.

use super::choice::Choice;
use super::operations::{Axis, OPERATIONS, named};
use super::table::title;
use super::{CACHE_LINE, CACHE_LINES, CACHE_MOST, Cost, Platform, Setting, Time, processor_caches};
use crate::cli::temp_files::Temps;
use crate::cli::tools::{beside, must};
use crate::cli::{Failure, log};
use crate::target::Network;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

/// The program that is measured: its files, the one that is compiled first.
const PROGRAM: [(&str, &str); 2] = [
    ("measure.upc", include_str!("measure.upc")),
    ("patterns.h", include_str!("patterns.h")),
];

/// The most runs of the program with the same options.
const MOST_ROUNDS: usize = 5;

/// How long costs are measured.
#[derive(PartialEq, Eq, Debug)]
pub struct Effort {
    /// Its name, as a value of `-calibrate`.
    name: &'static str,
    /// Measures on few threads only.
    few_threads: bool,
    /// The milliseconds that a repetition takes.
    milliseconds: &'static str,
    /// How often most operations are repeated, at most `MOST_REPEATS` of the program.
    repetitions: &'static str,
    /// Measures once for both settings of the cache what it does not change.
    shares: bool,
    /// Measures everything several times, because whole runs differ.
    runs_again: bool,
}

/// All efforts. The first is the usual one, and takes less than a minute; the others take some seconds, one to two minutes
/// and several minutes.
#[rustfmt::skip]
static EFFORTS: [Effort; 4] = [
    Effort { name: "usual", few_threads: false, milliseconds: "1", repetitions: "5", shares: true, runs_again: false },
    Effort { name: "quick", few_threads: true, milliseconds: "0.2", repetitions: "5", shares: true, runs_again: false },
    Effort { name: "thorough", few_threads: false, milliseconds: "1", repetitions: "7", shares: false, runs_again: false },
    Effort { name: "full", few_threads: false, milliseconds: "1", repetitions: "7", shares: false, runs_again: true },
];

impl Effort {
    /// The effort that is meant where none is named.
    pub fn usual() -> &'static Effort {
        &EFFORTS[0]
    }

    /// The values of `-calibrate`, as the table of options has them.
    #[cfg(test)]
    pub fn names() -> String {
        EFFORTS.each_ref().map(|it| it.name).join("|")
    }

    /// The effort of a value of `-calibrate`, which may be left out.
    pub fn named(value: &str) -> Option<&'static Effort> {
        match value {
            "" => Some(Effort::usual()),
            _ => EFFORTS.iter().find(|it| it.name == value),
        }
    }
}

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The networks.
    pub networks: Vec<Network>,
    /// The largest number of threads.
    pub most_threads: u32,
    /// How long.
    pub effort: &'static Effort,
    /// The machines among which `UPC_NODES` divides the threads; 1: this one.
    pub machines: u32,
}

impl Wanted {
    /// The numbers of threads: powers of two up to the largest.
    fn threads(&self) -> Vec<u32> {
        let all = (1..).map(|shift| 1u32 << shift);
        let all: Vec<u32> = all.take_while(|n| *n <= self.most_threads).collect();
        match (self.effort.few_threads, all.is_empty()) {
            (_, true) => vec![self.most_threads],
            (true, false) => all[..1].to_vec(),
            (false, false) => all,
        }
    }
}

/// Compiles the program for each network, runs it and collects the costs.
///
/// # Errors
/// A compilation or a run fails, or prints something else than costs.
pub fn measure(wanted: &Wanted) -> Result<Platform, Failure> {
    let folder = Temps::new(None)?;
    for (name, text) in PROGRAM {
        let file = folder.file(name);
        std::fs::write(&file, text).map_err(|error| Failure::io("write", &file, &error))?;
    }
    let source = folder.file(PROGRAM[0].0);
    let mut runs = Vec::new();
    for &network in &wanted.networks {
        let program = folder.file(network.name());
        compile(&source, network, &program)?;
        let caches: &[Option<bool>] = match network {
            Network::Smp => &[None],
            Network::Mpi | Network::Ucx => &[Some(true), Some(false)],
        };
        runs.extend(caches.iter().map(|&cache| Run {
            wanted,
            network,
            program: program.clone(),
            cache,
        }));
    }
    let mut settings: Vec<Setting> = runs.iter().map(Run::empty).collect();
    for round in 0..MOST_ROUNDS {
        for (run, setting) in runs.iter().zip(&mut settings) {
            if round < run.rounds() {
                run.measure(setting)?;
            }
        }
    }
    share_alike(&mut settings);
    let processors = available_parallelism().map_or(1, usize::from);
    for setting in &mut settings {
        let choice = Choice::of(setting);
        for (name, costs) in &mut setting.costs {
            *costs = choice.of_all(costs);
            if named(name).is_some_and(|it| it.axis == Axis::Bytes) {
                never_less(costs);
            }
        }
    }
    Ok(Platform {
        name: "measured by upcrun -calibrate".to_owned(),
        processors: u32::try_from(processors).unwrap_or(u32::MAX),
        machines: wanted.machines,
        processor_caches: processor_caches::bytes(Path::new(processor_caches::PROCESSORS)),
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
    /// The setting without costs.
    fn empty(&self) -> Setting {
        Setting {
            network: self.network.name().to_owned(),
            cache: self.cache,
            cache_line: CACHE_LINE,
            cache_lines: CACHE_LINES,
            cache_most: match self.cache {
                Some(true) => CACHE_MOST,
                Some(false) | None => 0,
            },
            costs: BTreeMap::new(),
        }
    }

    /// How often everything is measured. What else the machine does, and where its processes happen to lie in memory, makes
    /// whole runs slower. Over messages it also matters which threads share a processor, which the system decides anew for
    /// each run: more runs see more of that than more repetitions do.
    fn rounds(&self) -> usize {
        match (self.wanted.effort.runs_again, Choice::of(&self.empty())) {
            (false, _) => 1,
            (true, Choice::Lowest) => 2,
            (true, Choice::Middle) => MOST_ROUNDS,
        }
    }

    /// Measures all costs once more.
    fn measure(&self, setting: &mut Setting) -> Result<(), Failure> {
        for threads in self.wanted.threads() {
            self.report(threads);
            let text = must("upcrun", &mut self.upcrun(threads)?)?;
            for line in text.lines() {
                let (name, cost) = cost(line, threads).ok_or_else(|| {
                    Failure::environment(format!("the measured program printed `{line}`"))
                })?;
                setting.costs.entry(name).or_default().push(cost);
            }
        }
        Ok(())
    }

    /// The operations that only the run with the cache measures.
    fn left_out(&self) -> Vec<&'static str> {
        match (self.wanted.effort.shares, self.cache) {
            (true, Some(false)) => {
                let alike = OPERATIONS.iter().filter(|it| it.is_alike(0));
                alike.map(|it| it.name).collect()
            }
            (true, Some(true) | None) | (false, _) => Vec::new(),
        }
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
        upcrun
            .arg(&self.program)
            .arg(self.wanted.effort.milliseconds);
        upcrun.arg(self.wanted.machines.to_string());
        upcrun.arg(self.wanted.effort.repetitions);
        upcrun.args(Choice::of(&self.empty()).argument());
        upcrun.args(self.left_out());
        // Options for other runs are none for these.
        upcrun.env_remove("UPCRUN_FLAGS");
        Ok(upcrun)
    }
}

/// Gives all settings of a network what was measured in the others of costs that the cache does not change.
fn share_alike(settings: &mut [Setting]) {
    let all = settings.to_vec();
    for setting in settings {
        let others = |it: &&Setting| it.network == setting.network && it.cache != setting.cache;
        for (name, costs) in all.iter().filter(others).flat_map(|it| &it.costs) {
            let is_alike = |it: &&Cost| named(name).is_some_and(|of| of.is_alike(it.amount));
            let alike: Vec<Cost> = costs.iter().filter(is_alike).copied().collect();
            if !alike.is_empty() {
                setting.costs.entry(name.clone()).or_default().extend(alike);
            }
        }
    }
}

/// Makes costs of transfers never less for more bytes on as many threads: where they are, that is chance, and all of them get
/// their mean (the pool-adjacent-violators algorithm of isotonic regression). The costs are in the order of threads and bytes.
fn never_less(costs: &mut [Cost]) {
    for of_threads in costs.chunk_by_mut(|a, b| a.threads == b.threads) {
        let mut pools: Vec<(Time, usize)> = Vec::new();
        for cost in of_threads.iter() {
            let mut pool = (cost.time, 1);
            while let Some((time, count)) = pools.pop_if(|(time, _)| time.mean > pool.0.mean) {
                let sum = time.times(count as f64).plus(pool.0.times(pool.1 as f64));
                let all = count + pool.1;
                pool = (sum.times(1.0 / all as f64), all);
            }
            pools.push(pool);
        }
        let times = pools
            .into_iter()
            .flat_map(|(time, count)| std::iter::repeat_n(time, count));
        for (cost, time) in of_threads.iter_mut().zip(times) {
            cost.time = time;
        }
    }
}

/// The operation and the cost in a line `NAME AMOUNT MEDIAN LOW HIGH`.
fn cost(line: &str, threads: u32) -> Option<(String, Cost)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [name, amount, mean, low, high] = words[..] else {
        return None;
    };
    let amount: u64 = amount.parse().ok()?;
    let number = |word: &str| word.parse::<f64>().ok().filter(|it| it.is_finite());
    let time = Time {
        low: number(low)?,
        mean: number(mean)?,
        high: number(high)?,
    };
    let axis = named(name)?.axis;
    (axis != Axis::Threads || amount == 0).then(|| {
        let cost = Cost {
            threads,
            amount,
            time,
        };
        (name.to_owned(), cost)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cost, means};
    use super::{Cost, Setting, never_less, share_alike};

    fn setting(cache: bool, mean: f64) -> Setting {
        let costs = || vec![cost(2, 2.0 * mean), cost(4, 4.0 * mean)];
        Setting {
            network: "mpi".to_owned(),
            cache: Some(cache),
            cache_line: 1024,
            cache_lines: 1024,
            cache_most: 0,
            costs: ["barrier", "hit.read"]
                .map(|it| (it.to_owned(), costs()))
                .into(),
        }
    }

    #[test]
    fn what_the_cache_does_not_change_was_measured_in_all_settings() {
        let mut both = [setting(true, 300.0), setting(false, 100.0)];
        share_alike(&mut both);
        let of = |setting: &Setting, name: &str| means(&setting.costs[name]);
        assert_eq!(of(&both[0], "barrier"), [600.0, 1200.0, 200.0, 400.0]);
        assert_eq!(of(&both[1], "barrier"), [200.0, 400.0, 600.0, 1200.0]);
        assert_eq!(of(&both[0], "hit.read"), [600.0, 1200.0]);
    }

    #[test]
    fn what_a_run_has_left_out_comes_from_the_other() {
        let mut both = [setting(true, 300.0), setting(false, 100.0)];
        both[1].costs.remove("barrier");
        both[1].costs.remove("hit.read");
        share_alike(&mut both);
        assert_eq!(means(&both[0].costs["barrier"]), [600.0, 1200.0]);
        assert_eq!(means(&both[1].costs["barrier"]), [600.0, 1200.0]);
        assert!(!both[1].costs.contains_key("hit.read"));
    }

    /// Short transfers may be served by lines of the cache. Longer ones pass it.
    #[test]
    fn long_transfers_were_measured_in_all_settings() {
        let transfer = |amount: u64, mean: f64| Cost {
            amount,
            ..cost(2, mean)
        };
        let mut both = [(true, 1.0), (false, 3.0)].map(|(cache, times)| Setting {
            costs: [(
                "bulk.read".to_owned(),
                vec![transfer(512, 100.0 * times), transfer(4096, 200.0 * times)],
            )]
            .into(),
            ..setting(cache, 0.0)
        });
        share_alike(&mut both);
        assert_eq!(means(&both[0].costs["bulk.read"]), [100.0, 200.0, 600.0]);
        assert_eq!(means(&both[1].costs["bulk.read"]), [300.0, 600.0, 200.0]);
    }

    #[test]
    fn more_bytes_never_cost_less() {
        let all = [(8, 4.0), (64, 2.0), (512, 6.0), (4096, 1.0), (32768, 9.0)];
        let mut costs: Vec<Cost> = [2, 4]
            .into_iter()
            .flat_map(|threads| {
                all.map(|(amount, mean)| Cost {
                    amount,
                    ..cost(threads, f64::from(threads) * mean)
                })
            })
            .collect();
        never_less(&mut costs);
        let of_two = [3.0, 3.0, 3.5, 3.5, 9.0].map(|mean| 2.0 * mean);
        let wanted: Vec<f64> = [1.0, 2.0]
            .into_iter()
            .flat_map(|times| of_two.map(|mean| mean * times))
            .collect();
        assert_eq!(means(&costs), wanted);
    }
}
