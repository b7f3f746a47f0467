//! The command line of `upcprof report`.

use super::super::model::Recording;
use super::super::report;
use super::super::source::Sources;
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
        .args(calibrate::options())
}

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
    report::report(of, baseline.as_ref(), sources, out)?;
    Ok(())
}
