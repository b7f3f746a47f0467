//! The command line of `upcprof report`.

use super::super::model::Recording;
use super::super::predict::{Changes, Prediction};
use super::super::report::{self, Forecast};
use super::super::source::Sources;
use super::prepared::{self, Prepared};
use super::{Done, calibrate, flag, free_list, list};
use crate::cli::{Failure, Output};
use clap::{ArgMatches, Command};
use std::path::PathBuf;

/// Returns the command without the arguments that all commands have.
pub(super) fn command() -> Command {
    Command::new("report")
        .about("Writes one page of HTML: findings, timeline, flame graph, threads, source, arrays")
        .after_help(
            "The page is one file, needs no network, and opens in any browser:\n  upcprof report sweep.upcprof -o report.html",
        )
        .arg(free_list(
            "source-dir",
            "DIR",
            "also look here for source files".to_owned(),
        ))
        .arg(flag(
            "no-source",
            "leave the text of source files out of the page",
        ))
        .args(prepared::options(false))
        .args(calibrate::options())
}

/// Predicts the run for powers of two of threads, each with a processor of its own.
fn forecast(of: &dyn Recording, matches: &ArgMatches) -> Result<Option<Forecast>, Failure> {
    if matches.get_one::<String>("platform").is_none() {
        return Ok(None);
    }
    let prepared = Prepared::new(of, matches)?;
    let threads = (0..=MOST_THREADS.ilog2()).map(|shift| 1u32 << shift);
    let predicted = threads.filter(|n| *n > 1).map(|n| {
        let changes = Changes {
            threads: Some(n),
            machines: Some(n),
            ..Changes::default()
        };
        prepared.predict(of, &changes)
    });
    let predicted: Vec<Prediction> = predicted.collect::<Result<_, Failure>>()?;
    Ok(Some(Forecast::new(&predicted, prepared.notes())))
}

/// The largest number of threads of the graph.
const MOST_THREADS: u32 = 1024;

/// Writes the page.
pub(super) fn run(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    if !of.has_trace() && of.profile().is_none() {
        return Err(Failure::environment("this recording has neither a profile nor events").into());
    }
    if out.is_terminal() {
        return Err(Failure::usage(
            "a page cannot be written to a terminal: give a file with -o, as in -o report.html",
        )
        .into());
    }
    let folders = list(matches, "source-dir").into_iter().map(PathBuf::from);
    let mut sources = Sources::new(folders.collect());
    let sources = (!matches.get_flag("no-source")).then_some(&mut sources);
    let baseline = calibrate::baseline_of(of, matches)?;
    let forecast = forecast(of, matches)?;
    report::report(of, baseline.as_ref(), (sources, forecast), out)?;
    Ok(())
}
