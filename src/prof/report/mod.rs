//! `upcprof report`: one page of HTML that shows a recording, and needs nothing but a browser.
//!
//! ```text
//! Recording -> analyze::Analysis -> findings --------------------------+
//!           -> events, spans -> Lanes, Arrows, Accesses, Moments ------+-> Data -> page (HTML)
//!           -> estimate::Estimate -> Costs -> Flame, Matrix, ... ------+
//! ```
//!
//! Each section has a file with its data, and one in `page/` that draws them. Sections refer to each other by threads,
//! times, paths and lines. Whatever a recording says is data: the page has it in one block of JSON, and in text that
//! the template escapes; its own script and style are the only ones that the browser may run.

mod arrows;
mod balance;
mod costs;
mod difference;
mod distribution;
mod encode;
mod findings;
mod flame;
mod forecast;
mod matrix;
mod page;
mod paths;
mod scaling;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod timeline;

use super::analyze::analyze;
use super::baseline::Baseline;
use super::compute;
use super::estimate::estimate;
use super::limits::{Shown, limits};
use super::model::{Recording, Thread};
use super::names::shown;
use super::pairs::{Found, Pairs};
use super::ratios::Ratio;
use super::source::Sources;
use super::stat;
use costs::Costs;
pub use difference::Compared;
use difference::Difference;
pub use forecast::{Forecast, THREADS};
use paths::{Paths, short};
pub use scaling::Scaling;
use serde::Serialize;
pub use state::State;
use std::io::{self, Write};

/// The time of a run and of its threads.
#[derive(Clone, Debug, Serialize)]
struct Run {
    program: String,
    threads: u32,
    /// Nanoseconds of the first and of the last event.
    first: u64,
    last: u64,
    /// The time of all threads in nanoseconds.
    whole: u64,
}

/// All data of the page.
#[derive(Clone, Debug, Serialize)]
struct Data {
    run: Run,
    states: &'static [state::Described],
    #[serde(flatten)]
    paths: paths::Data,
    findings: Vec<findings::Finding>,
    /// `None`: the recording has no trace.
    timeline: Option<timeline::Timeline>,
    arrows: arrows::Data,
    /// The critical path: thread, first and last nanosecond of each leg.
    critical: Vec<(u32, u64, u64)>,
    flame: flame::Flame,
    matrix: matrix::Matrix,
    balance: balance::Balance,
    /// The time of all threads by category, in words. Empty: the recording has no trace.
    #[serde(skip)]
    categories: Vec<balance::Category>,
    sources: Vec<source::File>,
    /// The counters and ratios that each line has.
    counters: Vec<String>,
    ratios: Vec<String>,
    distribution: distribution::Distribution,
    /// `None`: no older recordings were given.
    difference: Option<Difference>,
    /// `None`: no runs with other numbers of threads were given.
    #[serde(skip)]
    scaling: Option<Scaling>,
    /// Empty: no platform was given.
    #[serde(skip)]
    forecasts: Vec<Forecast>,
    /// The facts of the run, and what the recording lacks.
    facts: Vec<(&'static str, String)>,
    incomplete: Vec<String>,
}

/// What one pass over the events collects.
#[derive(Default)]
struct Traced {
    timeline: Option<timeline::Timeline>,
    arrows: arrows::Data,
    distribution: distribution::Distribution,
    moments: findings::Moments,
}

/// Writes the page of a recording that has a trace or a profile.
///
/// # Errors
/// Those of `out`.
pub fn report(of: &dyn Recording, more: More, out: &mut dyn Write) -> io::Result<()> {
    page::write(&data(of, more), out)
}

/// What a page shows beside the recording.
#[derive(Default)]
pub struct More<'m> {
    /// What operations cost on the platform of the run.
    pub baseline: Option<&'m Baseline>,
    /// Where to read source text; `None`: the page has none.
    pub sources: Option<&'m mut Sources>,
    /// The graphs of predictions.
    pub forecasts: Vec<Forecast>,
    /// The comparison with older recordings.
    pub compared: Option<&'m Compared>,
    /// The graph of runs with several numbers of threads.
    pub scaling: Option<Scaling>,
    /// Ratios of what each line has counted.
    pub ratios: Vec<Ratio>,
}

fn data(of: &dyn Recording, more: More) -> Data {
    let mut paths = Paths::new(of.tables());
    let analysis = of.has_trace().then(|| analyze(of, more.baseline));
    let traced = match of.has_trace() {
        true => traced(of, &mut paths),
        false => Traced::default(),
    };
    let computed;
    let profile = match of.profile() {
        Some(profile) => profile,
        None => {
            computed = compute::profile(of);
            &computed
        }
    };
    let estimate = estimate(of, profile).with_loops(of.tables());
    let costs = Costs::new(of, &estimate, &mut paths);
    let difference = more.compared.map(|compared| {
        let profile = (of.tables(), &estimate.profile);
        Difference::new(compared, profile, &costs, &mut paths)
    });
    let findings = analysis.as_ref().map_or_else(Vec::new, |analysis| {
        findings::findings(of, analysis, &traced.moments)
    });
    let legs = analysis.iter().flat_map(|it| &it.critical.legs);
    let critical = legs.map(|leg| (leg.thread, leg.from, leg.to)).collect();
    let (flame, matrix, balance) = (
        flame::Flame::new(&costs),
        matrix::Matrix::new(&costs, &paths),
        balance::Balance::new(&costs, &paths),
    );
    let mut paths = paths.into_data();
    let sources = source::files(&costs, &paths, &more.ratios, more.sources);
    for file in &mut paths.files {
        *file = short(file);
    }
    Data {
        run: run(of),
        states: &state::STATES,
        paths,
        findings,
        timeline: traced.timeline,
        arrows: traced.arrows,
        critical,
        flame,
        matrix,
        balance,
        categories: analysis.as_ref().map_or_else(Vec::new, balance::categories),
        sources,
        counters: of.facts().counters.iter().map(|name| short(name)).collect(),
        ratios: more.ratios.iter().map(|it| short(&it.name)).collect(),
        distribution: traced.distribution,
        difference,
        scaling: more.scaling,
        forecasts: more.forecasts,
        facts: facts(of),
        incomplete: incomplete(of),
    }
}

fn run(of: &dyn Recording) -> Run {
    let threads = of.threads();
    let times = threads.iter().map(Thread::time);
    let program = match of.facts().program.as_str() {
        "" => "UPC program",
        name => name,
    };
    Run {
        program: short(program),
        threads: threads.len() as u32,
        first: threads.iter().map(|it| it.first).min().unwrap_or(0),
        last: threads.iter().map(|it| it.last).max().unwrap_or(0),
        whole: times.fold(0, u64::saturating_add),
    }
}

fn facts(of: &dyn Recording) -> Vec<(&'static str, String)> {
    let facts = stat::facts(of).into_iter();
    facts.map(|(name, value)| (name, short(&value))).collect()
}

fn incomplete(of: &dyn Recording) -> Vec<String> {
    let limits = limits(of, Shown::All).into_iter();
    limits.map(|limit| shown(&limit).into_owned()).collect()
}

/// Reads all events once.
fn traced(of: &dyn Recording, paths: &mut Paths) -> Traced {
    let tables = of.tables();
    let mut lanes = timeline::Lanes::default();
    let mut arrows = arrows::Arrows::new(of);
    let mut accesses = distribution::Accesses::new(of);
    let mut moments = findings::Moments::default();
    let mut pairs = Pairs::new(tables);
    let mut events = of.merged();
    while let Some(event) = events.next() {
        lanes.event(of, event, paths);
        arrows.event(tables, event);
        pairs.feed(event, |found| {
            arrows.found(tables, &found);
            if let Found::Span(span) = found {
                accesses.span(of, &span);
                moments.span(&span);
            }
        });
    }
    Traced {
        timeline: Some(lanes.finish(of, paths)),
        arrows: arrows.finish(tables, paths),
        distribution: accesses.finish(of),
        moments,
    }
}
