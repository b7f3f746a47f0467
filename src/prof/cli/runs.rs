//! The command lines of `upcprof diff` and `upcprof scale`, which read several recordings.

use super::super::model::Recording;
use super::super::names::shown_json;
use super::super::reader;
use super::super::runs::diff::{Diff, WATCHED, Watched, diff, slower};
use super::super::runs::scale::{Scaling, Work, scale};
use super::super::runs::{self, By, CUTS, Summary, common};
use super::super::source::Sources;
use super::super::table::Format;
use super::{
    Stop, Words, chosen, expanded, flag, free_list, list, number, report_damage, style, value_of,
    valued, wide, words,
};
use crate::cli::{Exit, Failure, Output};
use clap::{Arg, ArgMatches, Command};
use std::io::Write as _;
use std::path::PathBuf;

const FORMATS: Words<Format> = &[("text", Format::Text), ("json", Format::Json)];

fn common_options(command: Command, fail_on: (&'static str, String)) -> Command {
    command
        .arg(chosen("by", "line", CUTS, "what a row represents"))
        .arg(free_list("fail-on", fail_on.0, fail_on.1))
        .arg(valued("top", "N", "the first N rows; 0: all").default_value("20"))
        .arg(wide())
        .arg(free_list(
            "source-dir",
            "DIR",
            "also look here for the source text of lines".to_owned(),
        ))
        .arg(chosen("format", "text", FORMATS, "format of the output"))
}

fn files(name: &'static str, help: &'static str) -> Arg {
    valued(name, "FILE", help).num_args(1..)
}

/// Returns the command `diff` without the output.
pub(super) fn diff_command() -> Command {
    let watched = words(WATCHED).join(", ");
    let command = Command::new("diff")
        .about("Compares two revisions of a program: what got faster or slower, and whether that is noise")
        .after_help(
            "Recordings of one run each say nothing about noise. Record several:\n  upcprof diff --before old*.upcprof --after new*.upcprof",
        )
        .arg(
            Arg::new("FILE")
                .num_args(0..=2)
                .help("a recording of the old revision, and one of the new"),
        )
        .arg(files("before", "more recordings of the old revision"))
        .arg(files("after", "more recordings of the new revision"));
    common_options(
        command,
        (
            "WHAT>PERCENT",
            format!(
                "end with status 1 if this got slower by more than PERCENT, and not by chance: {watched}; of a row, percent of the time of all threads"
            ),
        ),
    )
}

/// Returns the command `scale` without the output.
pub(super) fn scale_command() -> Command {
    let command = Command::new("scale")
        .about("Shows speed-up and efficiency over numbers of threads, and the lines that stop scaling")
        .after_help(
            "Record the same program with several numbers of threads, several times each if you can:\n  for n in 1 2 4 8; do upcrun -n $n -profile -tracefile heat-$n.upcprof ./heat; done\n  upcprof scale heat-*.upcprof",
        )
        .arg(
            Arg::new("FILE")
                .required(true)
                .num_args(2..)
                .help("recordings of runs with different numbers of threads"),
        )
        .arg(flag(
            "weak",
            "the work grows with the number of threads (weak scaling)",
        ));
    common_options(
        command,
        (
            "LIMIT",
            "end with status 1 if LIMIT holds with the most threads: efficiency<PERCENT, or row>PERCENT, which a row loses of the time of all threads".to_owned(),
        ),
    )
}

/// Reads the recordings, each name the file or files of one run.
fn summaries(sides: &[Vec<String>], by: By) -> Result<Vec<Vec<Summary>>, Failure> {
    let mut opened = Vec::new();
    for name in sides.iter().flatten() {
        let mut paths = Vec::new();
        expanded(name, &mut paths)?;
        let recording =
            reader::open(&paths).map_err(|error| Failure::environment(error.to_string()))?;
        opened.push((recording, paths));
    }
    let all: Vec<&dyn Recording> = opened.iter().map(|(of, _)| of as &dyn Recording).collect();
    let from = common(&all).ok_or_else(|| {
        Failure::environment("these recordings have neither all a profile nor all events")
    })?;
    let mut read = opened.iter();
    let mut result = Vec::new();
    for names in sides {
        let mut of_side = Vec::new();
        for (name, (recording, paths)) in names.iter().zip(read.by_ref()) {
            of_side.push(Summary::new(recording, name, from, by));
            report_damage(recording, paths);
        }
        result.push(of_side);
    }
    Ok(result)
}

/// Reads recordings, each name the file or files of one run. Times are those of the profiles, or else of the traces.
pub(super) fn one_side(names: &[String], by: By) -> Result<Vec<Summary>, Failure> {
    let sides = summaries(&[names.to_vec()], by)?;
    Ok(sides.into_iter().flatten().collect())
}

fn is_json(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("format").map(String::as_str) == Some("json")
}

/// The options that both commands have.
struct Asked {
    by: By,
    top: usize,
    sources: Sources,
}

fn asked(matches: &ArgMatches) -> Result<Asked, Failure> {
    let by = matches.get_one::<String>("by");
    let top: usize = number(matches, "top")?.unwrap_or(0);
    let folders = list(matches, "source-dir").into_iter().map(PathBuf::from);
    Ok(Asked {
        by: by.and_then(|by| value_of(CUTS, by)).unwrap_or(By::Line),
        top: if top == 0 { usize::MAX } else { top },
        sources: Sources::new(folders.collect()),
    })
}

/// Compares two revisions. Returns the failure that `--fail-on` asks for.
pub(super) fn run_diff(matches: &ArgMatches, out: &mut Output) -> Result<Option<Failure>, Stop> {
    let mut asked = asked(matches)?;
    let limits = diff_limits(matches)?;
    let files = list(matches, "FILE");
    let (first, second) = match &files[..] {
        [] => (None, None),
        [before, after] => (Some(before), Some(after)),
        _ => return Err(Failure::usage("give a recording of each revision: OLD NEW").into()),
    };
    let side = |first: Option<&String>, name| -> Vec<String> {
        first
            .cloned()
            .into_iter()
            .chain(list(matches, name))
            .collect()
    };
    let names = [side(first, "before"), side(second, "after")];
    if names.iter().any(Vec::is_empty) {
        return Err(Failure::usage(
            "give recordings of both revisions: OLD NEW, or --before OLD... --after NEW...",
        )
        .into());
    }
    let mut sides = summaries(&names, asked.by)?;
    let (after, before) = (
        sides.pop().unwrap_or_default(),
        sides.pop().unwrap_or_default(),
    );
    same_threads(&before, &after)?;
    let diff = diff(&before, &after);
    let sides = runs::Sides {
        before: &before,
        after: &after,
        by: asked.by,
    };
    match is_json(matches) {
        true => writeln!(out, "{}", shown_json(&runs::diff_json(sides, &diff)))?,
        false => {
            let style = style(out, matches.get_flag("wide"));
            runs::diff_text(sides, &diff, asked.top, &mut asked.sources, style, out)?;
        }
    }
    Ok(slower_than(&diff, &limits))
}

pub(super) fn same_threads(before: &[Summary], after: &[Summary]) -> Result<(), Failure> {
    let mut all = before.iter().chain(after);
    let Some(first) = all.next() else {
        return Ok(());
    };
    match all.find(|run| run.threads != first.threads) {
        None => Ok(()),
        Some(other) => Err(Failure::environment(format!(
            "{} has {} threads and {} has {}: `upcprof scale` compares numbers of threads",
            first.file, first.threads, other.file, other.threads
        ))),
    }
}

fn percent(word: &str) -> Option<f64> {
    let percent = word.trim().parse::<f64>().ok();
    percent.filter(|percent| *percent >= 0.0)
}

fn diff_limits(matches: &ArgMatches) -> Result<Vec<(Watched, f64)>, Failure> {
    let limit = |word: &String| {
        let parts = word.split_once('>');
        let parts = parts
            .and_then(|(what, limit)| Some((value_of(WATCHED, what.trim())?, percent(limit)?)));
        parts.ok_or_else(|| {
            Failure::usage(format!(
                "--fail-on: `{word}` is not WHAT>PERCENT, as in `run>5`; WHAT is one of {}",
                words(WATCHED).join(", ")
            ))
        })
    };
    list(matches, "fail-on").iter().map(limit).collect()
}

fn slower_than(diff: &Diff, limits: &[(Watched, f64)]) -> Option<Failure> {
    limits.iter().find_map(|&(watched, limit)| {
        let percent = slower(diff, watched).filter(|percent| *percent > limit)?;
        let what = match watched {
            Watched::Run => "the run got slower by",
            Watched::Threads => "the time of all threads grew by",
            Watched::Row => "a row takes more of the time of all threads than before:",
        };
        Some(Failure {
            exit: Exit::Errors,
            message: format!("{what} {percent:.1} %, more than the {limit} % of --fail-on"),
        })
    })
}

/// A limit of `scale --fail-on`.
#[derive(Clone, Copy)]
enum Limit {
    Efficiency(f64),
    Row(f64),
}

fn scale_limits(matches: &ArgMatches) -> Result<Vec<Limit>, Failure> {
    let limit = |word: &String| {
        let efficiency = word
            .split_once('<')
            .filter(|(what, _)| what.trim() == "efficiency");
        let row = word
            .split_once('>')
            .filter(|(what, _)| what.trim() == "row");
        let efficiency = efficiency
            .and_then(|(_, limit)| percent(limit))
            .map(Limit::Efficiency);
        let row = row.and_then(|(_, limit)| percent(limit)).map(Limit::Row);
        efficiency.or(row).ok_or_else(|| {
            Failure::usage(format!(
                "--fail-on: `{word}` is neither efficiency<PERCENT nor row>PERCENT"
            ))
        })
    };
    list(matches, "fail-on").iter().map(limit).collect()
}

/// Shows scaling. Returns the failure that `--fail-on` asks for.
pub(super) fn run_scale(matches: &ArgMatches, out: &mut Output) -> Result<Option<Failure>, Stop> {
    let mut asked = asked(matches)?;
    let limits = scale_limits(matches)?;
    let work = match matches.get_flag("weak") {
        true => Work::More,
        false => Work::Same,
    };
    let all = summaries(&[list(matches, "FILE")], asked.by)?;
    let all: Vec<Summary> = all.into_iter().flatten().collect();
    let Some(scaling) = scale(&all, work) else {
        return Err(Failure::environment(
            "all recordings have the same number of threads: `upcprof diff` compares those",
        )
        .into());
    };
    match is_json(matches) {
        true => writeln!(
            out,
            "{}",
            shown_json(&runs::scale_json((&all, asked.by), &scaling))
        )?,
        false => {
            let style = style(out, matches.get_flag("wide"));
            let of = (&all[..], asked.by);
            runs::scale_text(of, &scaling, asked.top, &mut asked.sources, style, out)?;
        }
    }
    Ok(limits
        .into_iter()
        .find_map(|limit| exceeded(&scaling, limit)))
}

fn exceeded(scaling: &Scaling, limit: Limit) -> Option<Failure> {
    let threads = scaling.last().threads;
    let message = match limit {
        Limit::Efficiency(least) => {
            let efficiency = scaling.efficiency(scaling.last());
            (efficiency < least).then(|| {
                format!("{threads} threads have an efficiency of {efficiency:.1} %, less than the {least} % of --fail-on")
            })
        }
        Limit::Row(most) => {
            let worst = scaling.rows.first().map(|row| scaling.loss_percent(row))?;
            (worst > most).then(|| {
                format!("a row loses {worst:.1} % of the time of {threads} threads, more than the {most} % of --fail-on")
            })
        }
    };
    message.map(|message| Failure {
        exit: Exit::Errors,
        message,
    })
}
