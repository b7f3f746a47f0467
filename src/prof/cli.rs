//! The command line of `upcprof`.

mod analyze;
mod calibrate;
mod export;
mod predict;
mod prepared;
mod profile;
mod report;
mod runs;
mod top;

use super::groups::group_words;
use super::limits::Shown;
use super::model::Recording;
use super::names::{shown, shown_json};
use super::ratios::{self, Ratio};
use super::reader;
use super::select::Selection;
use super::table::{Format, Style};
use super::{dump, head, stat};
use crate::cli::{Exit, Failure, Output, system_text};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::io::{self, Write};
use std::path::PathBuf;

/// Words that stand for values.
type Words<T> = &'static [(&'static str, T)];

const TABLE_FORMATS: Words<Format> = &[
    ("text", Format::Text),
    ("json", Format::Json),
    ("csv", Format::Csv),
];

/// The number of damages that are reported individually.
const MOST_REPORTED: usize = 10;

/// Returns the whole command, from which help, manual page and completions are made.
pub fn command() -> Command {
    let dump = Command::new("dump")
        .about("Prints one line per event: THREAD/THREADS SECONDS> [FILE:LINE:COLUMN] EVENT START|END|ATOMIC { ARGUMENTS }")
        .args(selecting())
        .args(period())
        .arg(valued("top", "N", "the first N of them"));
    let stat = Command::new("stat")
        .about("Prints facts of the run: threads, time, events by kind, bytes, limits")
        .arg(chosen(
            "format",
            "text",
            TABLE_FORMATS,
            "format of the output",
        ))
        .arg(wide());
    let mut all = Command::new("upcprof")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Shows recordings that upcrun -trace and -profile made of a UPC program")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .arg_required_else_help(true);
    let report = report::command();
    let output = || valued("output", "FILE", "write to FILE").short('o');
    for sub in [
        analyze::command(),
        report,
        profile::command(),
        stat,
        dump,
        export::command(),
        predict::command(),
    ] {
        all = all.subcommand(
            sub.arg(output()).arg(
                Arg::new("FILE")
                    .required(true)
                    .num_args(1..)
                    .help("the recording, or those of its threads (F% names them all)"),
            ),
        );
    }
    for sub in [runs::diff_command(), runs::scale_command()] {
        all = all.subcommand(sub.arg(output()));
    }
    all.subcommand(top::command().arg(output()))
        .subcommand(calibrate::command())
}

fn words<T>(of: Words<T>) -> Vec<&'static str> {
    of.iter().map(|(word, _)| *word).collect()
}

fn valued(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

fn chosen<T>(name: &'static str, default: &'static str, of: Words<T>, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_parser(PossibleValuesParser::new(words(of)))
        .default_value(default)
        .help(help)
}

fn free_list(name: &'static str, value: &'static str, help: String) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(help)
}

fn listed(name: &'static str, value: &'static str, of: &[&'static str]) -> Arg {
    free_list(name, value, String::new()).value_parser(PossibleValuesParser::new(of.to_vec()))
}

/// Returns the option that selects threads.
fn threads() -> Arg {
    let help = "these threads: numbers, or ranges 0-3";
    free_list("thread", "N", help.to_owned())
}

/// Returns the options that select a part of the run.
fn period() -> [Arg; 2] {
    [
        valued("from", "SECONDS", "from this time of the run on"),
        valued("to", "SECONDS", "up to this time"),
    ]
}

/// Returns the options that select events.
fn selecting() -> [Arg; 3] {
    [
        threads(),
        free_list(
            "event",
            "NAME",
            format!(
                "these events: UPC_GET, an event of your own, or {}",
                group_words()
            ),
        ),
        free_list(
            "line",
            "PLACE",
            "these places: FILE:LINE, FILE or LINE".to_owned(),
        ),
    ]
}

/// Returns the option that names ratios.
fn ratio() -> Arg {
    let help = "show A/B: two counters of the recording, or calls, bytes or self (nanoseconds)";
    free_list("ratio", "A/B", help.to_owned())
}

/// Returns the ratios to show.
fn ratios(of: &dyn Recording, matches: &ArgMatches) -> Result<Vec<Ratio>, Failure> {
    let asked = ratios::asked(&of.facts().counters, &list(matches, "ratio"));
    asked.map_err(|error| Failure::usage(format!("--ratio: {error}")))
}

/// Runs `upcprof`.
///
/// # Errors
/// Usage failures; files that cannot be read or written; files that are not recordings.
pub fn upcprof(args: Vec<String>) -> Result<Exit, Failure> {
    let words = std::iter::once("upcprof".to_owned()).chain(args);
    let matches = match command().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() => {
            // Help and version; errors of a closed output are ignored.
            let _ = error.print();
            return Ok(Exit::Success);
        }
        Err(error) => {
            let text = error.to_string();
            return Err(Failure::usage(
                text.strip_prefix("error: ").unwrap_or(&text).trim_end(),
            ));
        }
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Failure::usage("no command: `upcprof --help` lists them"));
    };
    if name == "analyze" && ended(analyze::explain(matches), "standard output")? {
        return Ok(Exit::Success);
    }
    if name == "calibrate" {
        ended(calibrate::run(matches), "standard output")?;
        return Ok(Exit::Success);
    }
    let path = matches.get_one::<String>("output");
    if name == "export"
        && let (Some(several), Some(path)) = (export::several(matches)?, path)
    {
        let done = open(matches).and_then(|(recording, paths)| {
            let to = export::To::Several(several, path);
            export::run(&recording, matches, to)?;
            report_damage(&recording, &paths);
            Ok(())
        });
        return ended(done, path).map(|()| Exit::Success);
    }
    let mut out = Output::open(path.map(String::as_str))?;
    let out_name = out.name();
    let done = match name {
        "diff" => runs::run_diff(matches, &mut out),
        "scale" => runs::run_scale(matches, &mut out),
        "top" => top::run(matches, &mut out).map(|()| None),
        _ => of_one(name, matches, &mut out),
    };
    let done = done.and_then(|verdict| Ok((verdict, out.finish()?).0));
    match ended(done, &out_name)? {
        None => Ok(Exit::Success),
        Some(failure) => Err(failure),
    }
}

/// Opens the recording of the command line.
fn open(matches: &ArgMatches) -> Result<(reader::Opened, Vec<PathBuf>), Stop> {
    let paths = paths(matches)?;
    let recording =
        reader::open(&paths).map_err(|error| Failure::environment(error.to_string()))?;
    Ok((recording, paths))
}

/// Runs a command that shows one recording. Returns the failure that its verdict is.
fn of_one(name: &str, matches: &ArgMatches, out: &mut Output) -> Result<Option<Failure>, Stop> {
    let (recording, paths) = open(matches)?;
    let done = match name {
        "analyze" => analyze::run(&recording, matches, out),
        "report" => report::run(&recording, matches, out).map(|()| None),
        "predict" => predict::run(&recording, matches, out).map(|()| None),
        "dump" => run_dump(&recording, matches, out).map(|()| None),
        "stat" => run_stat(&recording, matches, out).map(|()| None),
        "profile" => profile::run(&recording, matches, out).map(|()| None),
        _ => export::run(&recording, matches, export::To::One(out)).map(|()| None),
    };
    report_damage(&recording, &paths);
    done
}

/// Returns what a command has done. A reader that has closed the pipe is no failure.
fn ended<T: Default>(done: Result<T, Stop>, out_name: &str) -> Result<T, Failure> {
    match done {
        Ok(done) => Ok(done),
        Err(Stop::Failure(failure)) => Err(failure),
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(T::default()),
        Err(Stop::Io(error)) => Err(Failure::environment(format!(
            "cannot write {out_name}: {}",
            system_text(&error)
        ))),
    }
}

/// The reason why a command stops early.
enum Stop {
    Io(io::Error),
    Failure(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

type Done = Result<(), Stop>;

/// Returns how tables are shown: in a terminal, with colours and as wide as it is, unless the user wants all columns.
fn style(out: &Output, is_wide: bool) -> Style {
    let is_terminal = out.is_terminal();
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let width = size.map_or(0, |size| usize::from(size.ws_col));
    Style {
        colour: is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        width: (is_terminal && !is_wide && width > 0).then_some(width),
    }
}

/// Returns the option for all columns.
fn wide() -> Arg {
    flag(
        "wide",
        "all columns, also those that do not fit into the terminal",
    )
}

/// Returns the files; `F%` stands for the existing files of all threads.
fn paths(matches: &ArgMatches) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for name in list(matches, "FILE") {
        expanded(&name, &mut paths)?;
    }
    Ok(paths)
}

/// Adds the files that a name stands for.
fn expanded(name: &str, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let path = PathBuf::from(name);
    if !name.contains('%') || path.exists() {
        paths.push(path);
        return Ok(());
    }
    let of_threads = (0..).map(|thread: u32| PathBuf::from(name.replace('%', &thread.to_string())));
    let before = paths.len();
    paths.extend(of_threads.take_while(|path| path.exists()));
    if paths.len() == before {
        return Err(Failure::environment(format!(
            "cannot read {name}: there is no {}",
            name.replace('%', "0")
        )));
    }
    Ok(())
}

fn list(matches: &ArgMatches, name: &str) -> Vec<String> {
    let values = matches.get_many::<String>(name);
    values.into_iter().flatten().cloned().collect()
}

/// Returns the value of a word that clap has checked against `of`.
fn value_of<T: Copy>(of: Words<T>, word: &str) -> Option<T> {
    let row = of.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    row.map(|(_, value)| *value)
}

fn values_of<T: Copy>(of: Words<T>, matches: &ArgMatches, name: &str) -> Vec<T> {
    let words = list(matches, name);
    words.iter().filter_map(|word| value_of(of, word)).collect()
}

fn number<T: std::str::FromStr>(matches: &ArgMatches, name: &str) -> Result<Option<T>, Failure> {
    let Some(word) = matches.get_one::<String>(name) else {
        return Ok(None);
    };
    let number = word.parse().map(Some);
    number.map_err(|_| Failure::usage(format!("--{name}: `{word}` is not a valid number")))
}

/// Returns a time on the command line in nanoseconds.
fn seconds(matches: &ArgMatches, name: &str) -> Result<Option<u64>, Failure> {
    let seconds: Option<f64> = number(matches, name)?;
    match seconds {
        Some(seconds) if !seconds.is_finite() || seconds < 0.0 => Err(Failure::usage(format!(
            "--{name}: this is not a time of a run"
        ))),
        seconds => Ok(seconds.map(|seconds| (seconds * 1e9).round() as u64)),
    }
}

fn selection(of: &dyn Recording, matches: &ArgMatches) -> Result<Selection, Failure> {
    let (threads, events, lines) = (
        list(matches, "thread"),
        list(matches, "event"),
        list(matches, "line"),
    );
    Selection::new(of.facts(), of.tables(), &threads, &events, &lines).map_err(Failure::usage)
}

fn format(matches: &ArgMatches) -> Format {
    let word = matches.get_one::<String>("format");
    word.and_then(|word| value_of(TABLE_FORMATS, word))
        .unwrap_or(Format::Text)
}

fn run_dump(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    if !of.has_trace() {
        return Err(no_trace().into());
    }
    let mut selection = selection(of, matches)?;
    selection.from = seconds(matches, "from")?;
    selection.to = seconds(matches, "to")?;
    dump::dump(of, &selection, number(matches, "top")?, &mut *out)?;
    Ok(())
}

fn no_trace() -> Failure {
    Failure::environment(
        "this recording has no events: run the program with `upcrun -trace` to record them",
    )
}

fn run_stat(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    let facts = stat::facts(of);
    let (threads, kinds) = (stat::threads(of), stat::kinds(of));
    match format(matches) {
        Format::Json => {
            let facts = facts
                .into_iter()
                .map(|(name, value)| (name.replace(' ', "_"), value.into()));
            let facts: serde_json::Map<String, serde_json::Value> = facts.collect();
            let mut all = head::json(of, "stat", Shown::All);
            all.insert("facts".to_owned(), facts.into());
            all.insert("file_bytes".to_owned(), of.facts().file_bytes.into());
            all.insert("per_thread".to_owned(), threads.json());
            all.insert("events".to_owned(), kinds.json());
            writeln!(out, "{}", shown_json(&all.into()))?;
        }
        // A file has one table: that of the threads.
        Format::Csv => {
            head::write(of, Shown::All, Format::Csv, &mut *out)?;
            threads.write(Format::Csv, Style::default(), &mut *out)?;
        }
        Format::Text => {
            head::write(of, Shown::All, Format::Text, &mut *out)?;
            let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
            for (name, value) in facts {
                writeln!(out, "{name:width$}  {}", shown(&value))?;
            }
            for table in [threads, kinds] {
                writeln!(out)?;
                table.write(Format::Text, style(out, matches.get_flag("wide")), out)?;
            }
        }
    }
    Ok(())
}

/// Reports missing and damaged data on standard error.
fn report_damage(of: &dyn Recording, paths: &[PathBuf]) {
    let damage = of.damage();
    let mut err = io::stderr().lock();
    let file = match paths {
        [path] => path.display().to_string(),
        _ => "the recording".to_owned(),
    };
    let mut warn = |text: String| {
        // Errors of a closed stream are ignored.
        let _ = writeln!(err, "upcprof: warning: {}: {}", shown(&file), shown(&text));
    };
    for damage in damage.iter().take(MOST_REPORTED) {
        let thread = damage
            .thread
            .map_or(String::new(), |thread| format!("thread {thread}, "));
        warn(format!(
            "{thread}byte {}: {}",
            damage.offset, damage.message
        ));
    }
    if damage.len() > MOST_REPORTED {
        warn(format!(
            "{} more damaged places",
            damage.len() - MOST_REPORTED
        ));
    }
}
