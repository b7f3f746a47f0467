//! The command line of `upcprof export`.

use super::super::compute;
use super::super::estimate::estimate;
use super::super::export::{self, FORMATS};
use super::super::limits::{Shown, limits};
use super::super::model::Recording;
use super::super::select::Selection;
use super::super::window::Window;
use super::{Done, flag, list, no_trace, period, seconds, threads, valued};
use crate::cli::{Failure, Output};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command};
use std::io::{self, Write as _};

/// Returns the command `export` without the files and the output.
pub(super) fn command() -> Command {
    let formats: Vec<&str> = FORMATS.iter().map(|(name, ..)| *name).collect();
    let lines = FORMATS
        .iter()
        .map(|(name, _, help)| format!("  {name:12}{help}\n"));
    Command::new("export")
        .about("Writes the recording in a format of other tools")
        .after_help(format!("Formats:\n{}", lines.collect::<String>()))
        .arg(
            valued("format", "NAME", "the format")
                .required(true)
                .value_parser(PossibleValuesParser::new(formats))
                .hide_possible_values(true),
        )
        .arg(threads())
        .args(period())
        .arg(flag(
            "per-thread",
            "collapsed stacks of each thread, not of all together",
        ))
        .arg(flag(
            "microseconds",
            "collapsed stacks in microseconds, not nanoseconds",
        ))
}

/// Exports the recording, or the part of its trace that the command line selects.
pub(super) fn run(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    let threads = list(matches, "thread");
    let mut selection = Selection::of_threads(of.facts(), &threads).map_err(Failure::usage)?;
    selection.from = seconds(matches, "from")?;
    selection.to = seconds(matches, "to")?;
    match ["from", "to", "thread"]
        .iter()
        .any(|name| matches.contains_id(name))
    {
        true if !of.has_trace() => Err(no_trace().into()),
        true => export_all(&Window::new(of, &selection), matches, out),
        false => export_all(of, matches, out),
    }
}

fn export_all(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    let name = matches.get_one::<String>("format");
    let format = FORMATS
        .iter()
        .find(|(format, ..)| Some(*format) == name.map(String::as_str));
    let Some((_, format, _)) = format else {
        return Err(Failure::usage("--format: unknown format").into());
    };
    if *format == export::Format::Perfetto && out.is_terminal() {
        return Err(Failure::usage(
            "this format cannot be written to a terminal: give a file with -o",
        )
        .into());
    }
    let profile = match (of.profile(), of.has_trace(), format) {
        (Some(profile), ..) => Some(estimate(of, profile)),
        (None, true, export::Format::Collapsed) => Some(estimate(of, &compute::profile(of))),
        (None, ..) => None,
    };
    let options = export::Options {
        format: *format,
        per_thread: matches.get_flag("per-thread"),
        unit: match matches.get_flag("microseconds") {
            true => export::Unit::Microseconds,
            false => export::Unit::Nanoseconds,
        },
    };
    match export::export(of, profile.as_ref(), options, &mut *out) {
        Ok(summary) => {
            let from_trace = *format != export::Format::Collapsed || of.profile().is_none();
            let shown = match from_trace && of.has_trace() {
                true => Shown::Trace,
                false => Shown::Profile,
            };
            let limits = limits(of, shown).into_iter();
            let limits = limits.map(|limit| format!("incomplete: {limit}"));
            for remark in limits.chain(summary.remarks()) {
                // Errors of a closed stream are ignored.
                let _ = writeln!(io::stderr(), "upcprof: note: {remark}");
            }
            Ok(())
        }
        Err(export::Error::Io(error)) => Err(error.into()),
        Err(error) => Err(Failure::environment(error.to_string()).into()),
    }
}
