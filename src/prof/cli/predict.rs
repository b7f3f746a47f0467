//! The command line of `upcprof predict`.

use super::super::model::Recording;
use super::super::names::shown_json;
use super::super::predict::{
    self, Blocks, Change, Changes, Prediction, Shown, SourcesAsked, Target, Work,
};
use super::super::simulate::{Machine, Scripts, Simulation};
use super::super::table::Format;
use super::{
    Done, Words, chosen, colours, flag, free_list, list, no_trace, number, seconds, valued,
};
use crate::cli::{Failure, Output};
use crate::platform::Platform;
use clap::{ArgAction, ArgMatches, Command};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const FORMATS: Words<Format> = &[("text", Format::Text), ("json", Format::Json)];

/// Returns the command without the arguments that all commands have.
pub(super) fn command() -> Command {
    let repeated = |name, value, help| valued(name, value, help).action(ArgAction::Append);
    Command::new("predict")
        .about("Predicts the time of the program on more threads, with another size, over another network, or changed")
        .after_help("Changes: threads=N, machines=N, network=NAME, block(ARRAY)=N, gather(LINE), cache=on, cache=off, cache-line=BYTES, latency*X, bandwidth*X, compute*X, NAME=N. Several in one --what-if are separated by commas.\nupcrun -calibrate -o here.platform measures a platform; docs/predict.md says what a prediction knows.")
        .arg(valued("platform", "FILE", "the costs of the platform").required(true))
        .arg(valued("threads", "N", "predict this number of threads"))
        .arg(valued("machines", "N", "on this number of machines of the platform"))
        .arg(valued("network", "NAME", "over this network"))
        .arg(valued("time", "SECONDS", "what the recorded run takes when it is not recorded"))
        .arg(flag("weak", "more threads have more work, where the compiler does not know the counts"))
        .arg(repeated("define", "NAME=N", "a parameter of the program: a macro, or a name in the formulas of upcc --emit=refs").short('D'))
        .arg(repeated("given", "NAME=N", "the value of a name in these formulas in the recorded run"))
        .arg(repeated("what-if", "CHANGE", "compare with a change"))
        .arg(repeated("search", "WHAT", "compare the values of block(ARRAY), threads or cache-line, the best one first"))
        .arg(flag("simulate", "also replay the trace with contention for memory, links and locks, with the threads of the prediction"))
        .arg(free_list("refs", "FILE", "references that upcc --emit=refs-json has written".to_owned()))
        .arg(valued("upcc-flags", "FLAGS", "flags with which upcc translates the sources").allow_hyphen_values(true))
        .arg(free_list("source-dir", "DIR", "also look here for the sources".to_owned()))
        .arg(valued("top", "N", "the first N rows; 0: all").default_value("20"))
        .arg(chosen("format", "text", FORMATS, "format of the output"))
}

/// Returns names and numbers.
fn numbers(matches: &ArgMatches, option: &str) -> Result<BTreeMap<String, i64>, Failure> {
    let pairs = list(matches, option).into_iter().map(|word| {
        let pair = word.split_once('=');
        let number = pair.and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let (name, number) =
            number.ok_or_else(|| Failure::usage(format!("--{option}: `{word}` is not NAME=N")))?;
        Ok((name.to_owned(), number))
    });
    pairs.collect()
}

fn platform(matches: &ArgMatches) -> Result<Platform, Failure> {
    let path = matches.get_one::<String>("platform");
    let path = Path::new(path.map_or("", String::as_str));
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    Platform::parse(&text).map_err(|why| Failure::environment(format!("{} {why}", path.display())))
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
) -> Result<(Vec<(String, Changes)>, Vec<(String, Changes)>), Failure> {
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
    Ok((what_if, searched))
}

fn named(change: &Change) -> String {
    match change {
        Change::Block(array, n) => format!("block({array})={n}"),
        Change::Threads(n) => format!("threads={n}"),
        Change::CacheLine(n) => format!("cache-line={n}"),
        other => format!("{other:?}"),
    }
}

/// Predicts and writes.
pub(super) fn run(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    let platform = platform(matches)?;
    let first = asked(matches)?;
    let words = |name: &str| {
        let text = matches.get_one::<String>(name).map_or("", String::as_str);
        shlex::split(text).ok_or_else(|| Failure::usage(format!("--{name}: a quote is not closed")))
    };
    let mut sources = SourcesAsked {
        files: list(matches, "refs")
            .into_iter()
            .map(PathBuf::from)
            .collect(),
        flags: words("upcc-flags")?,
        folders: list(matches, "source-dir")
            .into_iter()
            .map(PathBuf::from)
            .collect(),
    };
    let (references, mut notes) = predict::references(of, &sources)?;
    let work = Work::new(of, references.as_ref());
    let later = match first.parameters.is_empty() || !sources.files.is_empty() {
        true => None,
        false => {
            let macros = first.parameters.iter().filter(|(name, _)| is_name(name));
            let macros = macros.map(|(name, value)| format!("-D{name}={value}"));
            sources.flags.extend(macros);
            let (references, more) = predict::references(of, &sources)?;
            notes.extend(
                more.into_iter()
                    .filter(|it| !notes.contains(it))
                    .collect::<Vec<_>>(),
            );
            Some(Work::new(of, references.as_ref()))
        }
    };
    let blocks = Blocks::new(of);
    let values = numbers(matches, "given")?;
    let measured = seconds(matches, "time")?.map(|time| time as f64);
    let target = Target {
        platform: &platform,
        network: None,
        was_cached: None,
        measured,
        weak: matches.get_flag("weak"),
        values: &values,
        later: later.as_ref(),
        blocks: &blocks,
    };
    let predict =
        |changes: &Changes| predict::predict(&work, &target, changes).map_err(Failure::environment);
    let prediction = predict(&first)?;
    let (mut asked_for, mut simulations) = (vec![("-".to_owned(), first.clone())], Vec::new());
    let (what_if, searched) = variants(matches, &first, &blocks)?;
    asked_for.extend(what_if.iter().chain(&searched).cloned());
    if matches.get_flag("simulate") {
        simulations = simulate(of, &work, &target, &asked_for)?;
    }
    let of_all = |all: Vec<(String, Changes)>| {
        let all = all.into_iter().map(|(name, it)| Ok((name, predict(&it)?)));
        all.collect::<Result<Vec<(String, Prediction)>, Failure>>()
    };
    let mut others = of_all(what_if)?;
    let mut searched = of_all(searched)?;
    searched.sort_by(|a, b| a.1.time.mean.total_cmp(&b.1.time.mean));
    others.extend(searched);
    let top: usize = number(matches, "top")?.unwrap_or(0);
    let shown = Shown {
        first: &prediction,
        measured,
        others: &others,
        simulations: &simulations,
        top: if top == 0 { usize::MAX } else { top },
        notes: &notes,
    };
    match super::value_of(
        FORMATS,
        matches
            .get_one::<String>("format")
            .map_or("", String::as_str),
    ) {
        Some(Format::Json) => writeln!(out, "{}", shown_json(&predict::json(of, &shown)))?,
        _ => {
            let colour = colours(out);
            predict::text(of, &shown, colour, out)?;
        }
    }
    Ok(())
}

/// Replays the trace for each variant.
fn simulate(
    of: &dyn Recording,
    work: &Work,
    target: &Target<'_>,
    variants: &[(String, Changes)],
) -> Result<Vec<(String, Simulation)>, Failure> {
    if !of.has_trace() {
        return Err(no_trace());
    }
    let row = |event: &str, file: &str, line: u32, column: u32| {
        let at = work.rows.iter().position(|row| {
            let place = &row.place;
            row.event == event && (place.line, place.column) == (line, column) && place.file == file
        })?;
        Some((at, work.rows[at].cause))
    };
    let scripts = Scripts::new(of, row);
    let simulated = variants.iter().map(|(name, changes)| {
        let scales = predict::scales(work, target, changes).map_err(Failure::environment)?;
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

/// True for what can be a macro.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
