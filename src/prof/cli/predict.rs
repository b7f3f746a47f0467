//! The command line of `upcprof predict`.

use super::super::model::Recording;
use super::super::names::shown_json;
use super::super::predict::{self, Against, Blocks, Change, Changes, Prediction, Shown};
use super::super::reader;
use super::super::simulate::{Machine, Scripts, Simulation};
use super::super::table::Format;
use super::prepared::{self, Prepared, numbers};
use super::{Done, Words, chosen, flag, free_list, list, no_trace, number, style, valued, wide};
use crate::cli::{Failure, Output};
use clap::{ArgAction, ArgMatches, Command};
use std::io::Write as _;

const FORMATS: Words<Format> = &[("text", Format::Text), ("json", Format::Json)];

/// Returns the command without the arguments that all commands have.
pub(super) fn command() -> Command {
    let repeated = |name, value, help| valued(name, value, help).action(ArgAction::Append);
    Command::new("predict")
        .about("Predicts the time of the program on more threads, with another size, over another network, or changed")
        .after_help("Changes: threads=N, machines=N, network=NAME, block(ARRAY)=N, gather(LINE), cache=on, cache=off, cache-line=BYTES, latency*X, bandwidth*X, compute*X, NAME=N. Several in one --what-if are separated by commas.\nupcrun -calibrate -o here.platform measures a platform; docs/predict.md says what a prediction knows.")
        .args(prepared::options(true))
        .arg(valued("threads", "N", "predict this number of threads"))
        .arg(valued("machines", "N", "on this number of machines of the platform"))
        .arg(valued("network", "NAME", "over this network"))
        .arg(repeated("define", "NAME=N", "a parameter of the program: a macro, or a name in the formulas of upcc --emit=refs").short('D'))
        .arg(repeated("what-if", "CHANGE", "compare with a change"))
        .arg(repeated("search", "WHAT", "compare the values of block(ARRAY), threads or cache-line, the best one first"))
        .arg(valued("against", "FILE", "compare the prediction with a recording of such a run, by line and by cause"))
        .arg(flag("simulate", "also replay the trace with contention for memory, links and locks, with the threads of the prediction"))
        .arg(free_list("source-dir", "DIR", "also look here for the sources".to_owned()))
        .arg(valued("top", "N", "the first N rows; 0: all").default_value("20"))
        .arg(wide())
        .arg(chosen("format", "text", FORMATS, "format of the output"))
}

/// The changes of the options that are about the prediction itself.
fn asked(matches: &ArgMatches) -> Result<Changes, Failure> {
    let positive = |name| {
        let n: Option<u32> = number(matches, name)?;
        match n {
            Some(0) => Err(Failure::usage(format!("--{name}: give a number from 1 on"))),
            n => Ok(n),
        }
    };
    Ok(Changes {
        threads: positive("threads")?,
        machines: positive("machines")?,
        network: matches.get_one::<String>("network").cloned(),
        parameters: numbers(matches, "define")?,
        ..Changes::default()
    })
}

/// Changes with a name each.
fn variants(
    matches: &ArgMatches,
    first: &Changes,
    blocks: &Blocks,
) -> Result<[Vec<(String, Changes)>; 2], Failure> {
    let what_if = list(matches, "what-if").into_iter().map(|word| {
        let mut changes = first.clone();
        for part in word.split(',') {
            let change = predict::parse(part).map_err(Failure::usage)?;
            changes = changes.with(&change);
        }
        Ok((word, changes))
    });
    let what_if: Vec<(String, Changes)> = what_if.collect::<Result<_, Failure>>()?;
    let mut searched = Vec::new();
    for word in list(matches, "search") {
        let all = predict::search(&word, |array| blocks.each(array)).map_err(Failure::usage)?;
        searched.extend(all.iter().map(|it| (named(it), first.with(it))));
    }
    Ok([what_if, searched])
}

fn named(change: &Change) -> String {
    match change {
        Change::Block(array, n) => format!("block({array})={n}"),
        Change::Threads(n) => format!("threads={n}"),
        Change::CacheLine(n) => format!("cache-line={n}"),
        other => format!("{other:?}"),
    }
}

/// The recording with which a prediction is compared.
fn recorded(matches: &ArgMatches) -> Result<Option<predict::Work>, Failure> {
    let Some(path) = matches.get_one::<String>("against") else {
        return Ok(None);
    };
    let recording = reader::open(&[path.into()]);
    let recording = recording.map_err(|error| Failure::environment(error.to_string()))?;
    let recorded = predict::Work::new(&recording, None);
    match number::<u32>(matches, "threads")? {
        Some(threads) if threads != recorded.threads => Err(Failure::usage(format!(
            "--against: the recording {path} has {} threads, and --threads asks for {threads}: leave --threads out",
            recorded.threads
        ))),
        Some(_) | None => Ok(Some(recorded)),
    }
}

/// Predicts and writes.
pub(super) fn run(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    let mut first = asked(matches)?;
    let recorded = recorded(matches)?;
    if let Some(recorded) = &recorded {
        first.threads = first.threads.or(Some(recorded.threads));
    }
    let prepared = Prepared::new(of, matches)?;
    let prediction = prepared.predict(of, &first)?;
    let [what_if, searched] = variants(matches, &first, &prepared.blocks)?;
    let mut simulations = Vec::new();
    if matches.get_flag("simulate") {
        let all = std::iter::once(("-".to_owned(), first));
        let all: Vec<(String, Changes)> = all
            .chain(what_if.iter().chain(&searched).cloned())
            .collect();
        simulations = simulate(of, &prepared, &all)?;
    }
    let of_all = |all: Vec<(String, Changes)>| {
        let all = all.into_iter();
        let all = all.map(|(name, changes)| Ok((name, prepared.predict(of, &changes)?)));
        all.collect::<Result<Vec<(String, Prediction)>, Failure>>()
    };
    let mut others = of_all(what_if)?;
    let mut searched = of_all(searched)?;
    searched.sort_by(|a, b| a.1.time.mean.total_cmp(&b.1.time.mean));
    others.extend(searched);
    let against = recorded.map(|it| Against::new(&prediction, &it));
    let top: usize = number(matches, "top")?.unwrap_or(0);
    let notes = prepared.notes();
    let shown = Shown {
        first: &prediction,
        measured: prepared.measured,
        others: &others,
        simulations: &simulations,
        against: against.as_ref(),
        top: if top == 0 { usize::MAX } else { top },
        notes: &notes,
    };
    let word = matches.get_one::<String>("format").map(String::as_str);
    match word {
        Some("json") => writeln!(out, "{}", shown_json(&predict::json(of, &shown)))?,
        _ => {
            let style = style(out, matches.get_flag("wide"));
            predict::text(of, &shown, style, out)?;
        }
    }
    Ok(())
}

/// Replays the trace for each variant.
fn simulate(
    of: &dyn Recording,
    prepared: &Prepared,
    variants: &[(String, Changes)],
) -> Result<Vec<(String, Simulation)>, Failure> {
    if !of.has_trace() {
        return Err(no_trace());
    }
    let row = |event: &str, file: &str, line: u32, column: u32| {
        let rows = &prepared.work.rows;
        let at = rows.iter().position(|row| {
            let place = &row.place;
            row.event == event && (place.line, place.column) == (line, column) && place.file == file
        })?;
        Some((at, rows[at].cause))
    };
    let scripts = Scripts::new(of, row);
    let simulated = variants.iter().map(|(name, changes)| {
        let scales = prepared.scales(of, changes)?;
        if scales.threads > MOST_SIMULATED {
            return Err(Failure::usage(format!(
                "{} threads: at most {MOST_SIMULATED} are simulated",
                scales.threads
            )));
        }
        let machine = Machine {
            threads: scales.threads,
            of_machine: scales.of_machine,
        };
        Ok((name.clone(), scripts.simulate(&scales, machine)))
    });
    simulated.collect()
}

/// The most threads of a simulation.
const MOST_SIMULATED: u32 = 4096;
