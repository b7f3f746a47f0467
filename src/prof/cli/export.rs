//! The command line of `upcprof export`.

use super::super::compute;
use super::super::estimate::estimate;
use super::super::export::{self, FORMATS, Files, Several};
use super::super::limits::{Shown, limits};
use super::super::model::Recording;
use super::super::select::Selection;
use super::super::window::Window;
use super::{Done, flag, list, no_trace, period, seconds, threads, valued};
use crate::cli::{Failure, Output};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command};
use std::io::{self, Write};
use std::path::Path;

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
pub(super) fn run(of: &dyn Recording, matches: &ArgMatches, out: To) -> Done {
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

/// Where an export is written to.
pub(super) enum To<'o> {
    /// One file.
    One(&'o mut Output),
    /// Several files, whose names the output gives.
    Several(Several, &'o str),
}

/// Returns the format of the command line.
fn format(matches: &ArgMatches) -> Result<export::Format, Failure> {
    let name = matches.get_one::<String>("format");
    let format = FORMATS
        .iter()
        .find(|(format, ..)| Some(*format) == name.map(String::as_str));
    let format = format.map(|(_, format, _)| *format);
    format.ok_or_else(|| Failure::usage("--format: unknown format"))
}

/// Returns how the output of this command line names several files; `None`: it is one.
pub(super) fn several(matches: &ArgMatches) -> Result<Option<Several>, Failure> {
    let several = format(matches)?.several();
    match several {
        Some(Several::Folder | Several::Archive) if !matches.contains_id("output") => Err(
            Failure::usage("this format has several files: give their folder with -o"),
        ),
        Some(Several::Endings) if !matches.contains_id("output") => Err(Failure::usage(
            "this format has several files: give their name without ending with -o",
        )),
        several => Ok(several),
    }
}

/// Files whose names the output gives.
struct Named<'o> {
    several: Several,
    output: &'o str,
}

impl Files for Named<'_> {
    fn path(&self, name: &str) -> String {
        match self.several {
            Several::Folder | Several::Archive => {
                format!("{}/{name}", self.output.trim_end_matches('/'))
            }
            Several::Endings => {
                let known = [".prv", ".csv", ".gp"];
                let base = known.iter().find_map(|end| self.output.strip_suffix(end));
                format!("{}.{name}", base.unwrap_or(self.output))
            }
        }
    }

    fn file(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.several == Several::Folder {
            std::fs::create_dir_all(self.output)?;
        }
        let mut out = Output::open(Some(&self.path(name)))
            .map_err(|error| io::Error::other(error.message))?;
        write(&mut out)?;
        out.finish()
    }
}

fn export_all(of: &dyn Recording, matches: &ArgMatches, out: To) -> Done {
    let format = format(matches)?;
    let profile = match (of.profile(), of.has_trace(), format) {
        (Some(profile), ..) => Some(estimate(of, profile)),
        (None, true, export::Format::Collapsed | export::Format::Tau | export::Format::Gnuplot) => {
            Some(estimate(of, &compute::profile(of)))
        }
        (None, ..) => None,
    };
    // TAU has a total time for each step of a path; loops have none.
    let profile = match format {
        export::Format::Tau => profile,
        _ => profile.map(|profile| profile.with_loops(of.tables())),
    };
    let done = match out {
        To::Several(Several::Archive, output) => Ok(export::otf2::write(of, Path::new(output))?),
        To::Several(several, output) => {
            let mut files = Named { several, output };
            export::export_files(of, profile.as_ref(), format, &mut files)
        }
        To::One(out) if format == export::Format::Perfetto && out.is_terminal() => {
            return Err(Failure::usage(
                "this format cannot be written to a terminal: give a file with -o",
            )
            .into());
        }
        To::One(out) => {
            let options = export::Options {
                format,
                per_thread: matches.get_flag("per-thread"),
                unit: match matches.get_flag("microseconds") {
                    true => export::Unit::Microseconds,
                    false => export::Unit::Nanoseconds,
                },
            };
            export::export(of, profile.as_ref(), options, out)
        }
    };
    match done {
        Ok(summary) => {
            let shows_profile = [export::Format::Collapsed, export::Format::Tau].contains(&format);
            let from_trace = !shows_profile || of.profile().is_none();
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
