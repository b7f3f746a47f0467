//! The command line of `upcprof report`.

use super::super::model::Recording;
use super::super::predict::{Changes, Prediction};
use super::super::report::{self, Compared, Forecast, More, Scaling};
use super::super::runs::diff::diff;
use super::super::runs::scale::{Work, scale};
use super::super::runs::{By, From, Summary, words};
use super::super::source::Sources;
use super::prepared::{self, Prepared};
use super::{Done, calibrate, flag, free_list, list, ratio, ratios, runs, valued};
use crate::cli::{Failure, Output};
use clap::{ArgAction, ArgMatches, Command};
use std::collections::BTreeMap;
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
        .arg(ratio())
        .args(prepared::options(false))
        .arg(
            valued("sizes", "NAME=N1,N2,...", "also predict these values of a macro or of a name in the formulas of upcc --emit=refs")
                .action(ArgAction::Append),
        )
        .args(calibrate::options())
}

/// Predicts the run for powers of two of threads, each with a processor of its own, and for the sizes that are asked for.
fn forecasts(of: &dyn Recording, matches: &ArgMatches) -> Result<Vec<Forecast>, Failure> {
    let sizes = sizes(matches)?;
    if list(matches, "platform").is_empty() {
        return match sizes.is_empty() {
            true => Ok(Vec::new()),
            false => Err(Failure::usage(
                "--sizes predicts times: give the costs of the platform with --platform FILE",
            )),
        };
    }
    let prepared = Prepared::new(of, matches)?;
    let of_threads = (1..=MOST_THREADS.ilog2()).map(|shift| {
        let threads = 1u32 << shift;
        let changes = Changes {
            threads: Some(threads),
            machines: Some(threads),
            ..Changes::default()
        };
        (i64::from(threads), changes)
    });
    let of_sizes = |(name, values): &(String, Vec<i64>)| {
        let of_value = |value: &i64| {
            let changes = Changes {
                parameters: BTreeMap::from([(name.clone(), *value)]),
                ..Changes::default()
            };
            (*value, changes)
        };
        (name.clone(), values.iter().map(of_value).collect())
    };
    let mut graphs: Vec<(String, Vec<(i64, Changes)>)> =
        vec![(report::THREADS.to_owned(), of_threads.collect())];
    graphs.extend(sizes.iter().map(of_sizes));
    let mut forecasts = Vec::new();
    for (over, points) in graphs {
        let predicted = points.into_iter();
        let predicted =
            predicted.map(|(value, changes)| Ok((value, prepared.predict(of, &changes)?)));
        let predicted: Vec<(i64, Prediction)> = predicted.collect::<Result<_, Failure>>()?;
        let mut notes = match forecasts.is_empty() {
            true => prepared.notes(),
            false => Vec::new(),
        };
        // The same changes for each value lack the same things.
        let lacking = predicted.iter().flat_map(|(_, it)| &it.notes);
        for note in lacking.filter(|_| over != report::THREADS) {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        forecasts.push(Forecast::new(&over, &predicted, notes));
    }
    Ok(forecasts)
}

/// The names and values of `--sizes`.
fn sizes(matches: &ArgMatches) -> Result<Vec<(String, Vec<i64>)>, Failure> {
    let words = list(matches, "sizes").into_iter().map(|word| {
        let parsed = word.split_once('=').and_then(|(name, values)| {
            let values = values.split(',').map(|it| it.trim().parse::<i64>().ok());
            let values: Vec<i64> = values.collect::<Option<_>>()?;
            (!name.is_empty()).then(|| (name.to_owned(), values))
        });
        parsed.ok_or_else(|| {
            Failure::usage(format!(
                "--sizes: `{word}` is not NAME=N1,N2,... with whole numbers"
            ))
        })
    });
    words.collect()
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
        forecasts: forecasts(of, matches)?,
        compared: compared.as_ref(),
        scaling: scaling(of, matches)?,
        ratios: ratios(of, matches)?,
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
