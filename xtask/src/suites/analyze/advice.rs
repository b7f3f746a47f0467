//! The advice of findings is tried: each program with a planted fault is changed as its finding advises (`-DADVISED`), and
//! what it saves is compared with what the finding promised.

use std::path::Path;

use super::super::test::Test;
use super::{Case, Planted, programs};
use crate::bench::part;
use crate::context::{Context, forever, stem};

/// By how much the saved time may be less than the promised one, and more than the most that the finding names, in percent of
/// that. What names no most promises its cost.
const ERROR: f64 = 25.0;
/// The number of threads: each has a processor on the machines of the tests.
pub(super) const THREADS: u32 = 2;
/// How often both programs run, one after the other. An odd number has a median.
const ROUNDS: usize = 15;

/// What the advice of a finding has brought: nanoseconds of thread time, medians of the rounds.
pub struct Tried {
    /// The name of the program.
    pub name: String,
    /// What the finding costs, and the most that its advice may save, if it says so.
    pub promised: f64,
    pub most: Option<f64>,
    /// By how much less time the changed program takes than the program of its round.
    pub saved: f64,
}

impl Tried {
    /// The most that the finding promises.
    pub fn most(&self) -> f64 {
        self.most.unwrap_or(self.promised)
    }

    /// True if the advice has saved what the finding promises.
    pub fn is_kept(&self) -> bool {
        let least = self.promised * (1.0 - ERROR / 100.0);
        let most = self.most() * (1.0 + ERROR / 100.0);
        self.promised > 0.0 && self.saved >= least && self.saved <= most
    }
}

/// A case of a long run. It runs alone: what other tests take from a processor is more than what some advice saves.
pub(super) fn test(case: Case) -> Test {
    let name = format!("{}::advice", stem(case.source));
    let run = move || {
        let tried = case.tried()?;
        match tried.is_kept() {
            true => Ok(()),
            false => Err(format!(
                "the finding promises {:.1} ms, at most {:.1} ms, and its advice saves {:.1} ms",
                tried.promised / 1e6,
                tried.most() / 1e6,
                tried.saved / 1e6
            )),
        }
    };
    Test::one(name, run).alone()
}

/// Returns the programs with planted faults, by their names.
///
/// # Errors
/// A program cannot be read.
pub fn faults(context: &Context) -> Result<Vec<String>, String> {
    let programs = programs(context)?;
    let names = programs.iter().filter(|(_, of)| is_tried(of));
    Ok(names.map(|(source, _)| stem(source)).collect())
}

fn is_tried(planted: &Planted) -> bool {
    planted.finding.is_some() && !planted.only_mpi
}

/// Tries the advice for the planted faults of these programs.
///
/// # Errors
/// A program cannot be compiled or run.
pub fn all<'n>(
    context: &'static Context,
    names: &'n [String],
) -> Result<impl Iterator<Item = Result<Tried, String>> + 'n, String> {
    let work = forever(context.fresh("advice")?).as_path();
    let programs = programs(context)?.into_iter();
    let chosen = programs.filter(|(source, of)| is_tried(of) && names.contains(&stem(source)));
    let case = move |(source, planted)| Case {
        context,
        work,
        source,
        planted,
        threads: THREADS,
        is_mpi: false,
        is_advised: false,
    };
    Ok(chosen.map(move |it| case(it).tried()))
}

impl Case {
    fn tried(self) -> Result<Tried, String> {
        let advised = Case {
            is_advised: true,
            ..self
        };
        let programs = (self.compile()?, advised.compile()?);
        let mut rounds = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            rounds.push((self.measured(&programs.0)?, advised.measured(&programs.1)?));
        }
        let of = |number: fn(&(Measured, Measured)) -> f64| {
            part(rounds.iter().map(number).collect(), 2).unwrap_or(0.0)
        };
        let says_most = rounds.iter().any(|(before, _)| before.most.is_some());
        Ok(Tried {
            name: stem(self.source),
            promised: of(|(before, _)| before.promised),
            most: says_most.then(|| of(|(before, _)| before.most.unwrap_or(before.promised))),
            saved: of(|(before, after)| before.whole - after.whole),
        })
    }

    fn measured(self, program: &Path) -> Result<Measured, String> {
        self.record(program)?;
        let json = self.analyze()?;
        Ok(Measured {
            whole: json["whole_ns"].as_f64().ok_or("no time in the JSON")?,
            promised: json["findings"][0]["cost_ns"].as_f64().unwrap_or(0.0),
            most: json["findings"][0]["at_most_ns"].as_f64(),
        })
    }
}

/// Nanoseconds of a run.
struct Measured {
    /// All threads, if each has a processor.
    whole: f64,
    /// The first finding.
    promised: f64,
    most: Option<f64>,
}
