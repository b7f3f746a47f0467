//! The command line of `upcprof report`.

use super::super::model::Recording;
use super::super::predict::{Changes, Prediction};
use super::super::report::{self, Compared, Forecast, More, Scaling};
use super::super::runs::diff::diff;
use super::super::runs::scale::{Work, scale};
use super::super::runs::{By, From, Summary, words};
use super::super::source::Sources;
use super::prepared::{self, Prepared};
use super::{Done, calibrate, flag, free_list, list, runs, valued};
use crate::cli::{Failure, Output};
use clap::{ArgMatches, Command};
use std::path::PathBuf;

/// Returns the command without the arguments that all commands have.
pub(super) fn command() -> Command {
    Command::new("report")
        .about("Writes one page of HTML: findings, timeline, flame graph, threads, source, arrays")
        .after_help(
            "The page is one file, needs no network, and opens in any browser:\n  upcprof report sweep.upcprof -o report.html\n  upcprof report new.upcprof --before old*.upcprof -o report.html\n  upcprof report sweep-8.upcprof --scale sweep-1.upcprof sweep-4.upcprof -o report.html",
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
        .arg(valued("before", "FILE", "show the difference from these recordings").num_args(1..))
        .arg(valued("scale", "FILE", "show the speed-up over these recordings with other numbers of threads").num_args(1..))
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
    let compared = compared(of, matches)?;
    let more = More {
        baseline: baseline.as_ref(),
        sources,
        forecast: forecast(of, matches)?,
        compared: compared.as_ref(),
        scaling: scaling(of, matches)?,
    };
    report::report(of, more, out)?;
    Ok(())
}

/// Adds up the recording of the page, as its sections do.
fn summary(of: &dyn Recording, by: By) -> Summary {
    Summary::new(of, "this recording", From::Profile, by)
}

/// Compares with the recordings of `--before`.
fn compared(of: &dyn Recording, matches: &ArgMatches) -> Result<Option<Compared>, Failure> {
    let names = list(matches, "before");
    if names.is_empty() {
        return Ok(None);
    }
    let diff_by = |by: By| {
        let before = runs::one_side(&names, by)?;
        let now = [summary(of, by)];
        runs::same_threads(&before, &now)?;
        Ok::<_, Failure>((diff(&before, &now), words::runs(&before)))
    };
    let (paths, runs) = diff_by(By::Callpath)?;
    let (lines, _) = diff_by(By::Line)?;
    Ok(Some(Compared { paths, lines, runs }))
}

/// Draws the scaling of this recording and those of `--scale`.
fn scaling(of: &dyn Recording, matches: &ArgMatches) -> Result<Option<Scaling>, Failure> {
    let names = list(matches, "scale");
    if names.is_empty() {
        return Ok(None);
    }
    let mut all = runs::one_side(&names, By::Line)?;
    all.push(summary(of, By::Line));
    match scale(&all, Work::Same) {
        Some(scaling) => Ok(Some(Scaling::new(&scaling, By::Line))),
        None => Err(Failure::environment(
            "--scale: all recordings have the same number of threads: --before compares those",
        )),
    }
}
