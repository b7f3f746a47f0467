//! The command line of `upcprof analyze`.

use super::super::analyze::{self, Analysis, KINDS, Kind};
use super::super::model::Recording;
use super::super::names::shown_json;
use super::super::source::Sources;
use super::super::table::Format;
use super::{
    Stop, Words, calibrate, chosen, free_list, list, no_trace, number, ratio, ratios, valued,
};
use crate::cli::{Exit, Failure, Output};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command};
use std::io::Write as _;
use std::path::PathBuf;

const FORMATS: Words<Format> = &[("text", Format::Text), ("json", Format::Json)];

/// Returns the command without the arguments that all commands have.
pub(super) fn command() -> Command {
    let names = KINDS.iter().map(|described| described.name);
    let rows = KINDS
        .iter()
        .map(|described| format!("  {:20}{}\n", described.name, described.title));
    Command::new("analyze")
        .about("Says why the program is slow: what costs time, at which line, and what to try")
        .after_help(format!("Kinds of findings:\n{}", rows.collect::<String>()))
        .arg(
            valued("explain", "KIND", "print what a kind of finding means")
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .exclusive(true),
        )
        .arg(free_list(
            "fail-on",
            "KIND>SHARE",
            "end with status 1 if findings of this kind cost more than SHARE percent of the thread time".to_owned(),
        ))
        .arg(valued("top", "N", "the first N findings; 0: all").default_value("10"))
        .arg(free_list("source-dir", "DIR", "also look here for the source text of lines".to_owned()))
        .arg(chosen("format", "text", FORMATS, "format of the output"))
        .arg(ratio())
        .args(calibrate::options())
}

/// Prints the page that `--explain` asks for. False: it is not given.
pub(super) fn explain(matches: &ArgMatches) -> Result<bool, Stop> {
    let name = matches.get_one::<String>("explain");
    let Some(described) = name.and_then(|name| analyze::kind_named(name)) else {
        return Ok(false);
    };
    let mut out = Output::open(None)?;
    analyze::explain(described, &mut out)?;
    out.finish()?;
    Ok(true)
}

/// A limit of `--fail-on`.
struct Limit {
    kind: Kind,
    percent: f64,
}

fn limits(matches: &ArgMatches) -> Result<Vec<Limit>, Failure> {
    let limit = |word: &String| {
        let parts = word.split_once('>');
        let kind = parts.and_then(|(kind, _)| analyze::kind_named(kind.trim()));
        let percent = parts.and_then(|(_, percent)| percent.trim().parse::<f64>().ok());
        match (kind, percent) {
            (Some(described), Some(percent)) if percent >= 0.0 => Ok(Limit {
                kind: described.kind,
                percent,
            }),
            _ => Err(Failure::usage(format!(
                "--fail-on: `{word}` is not KIND>SHARE, as in `{}>5`",
                KINDS[0].name
            ))),
        }
    };
    list(matches, "fail-on").iter().map(limit).collect()
}

/// Analyses the recording and writes the findings. Returns the failure that `--fail-on` asks for.
pub(super) fn run(
    of: &dyn Recording,
    matches: &ArgMatches,
    out: &mut Output,
) -> Result<Option<Failure>, Stop> {
    if !of.has_trace() {
        return Err(no_trace().into());
    }
    let limits = limits(matches)?;
    let top: usize = number(matches, "top")?.unwrap_or(0);
    let baseline = calibrate::baseline_of(of, matches)?;
    // Without the option, findings have the ratios that are unlike those of the program.
    let asked = match list(matches, "ratio").is_empty() {
        true => Vec::new(),
        false => ratios(of, matches)?,
    };
    let analysis = analyze::analyze_with(of, baseline.as_ref(), &asked);
    let word = matches.get_one::<String>("format").map(String::as_str);
    match word {
        Some("json") => writeln!(out, "{}", shown_json(&analyze::json(of, &analysis)))?,
        _ => {
            let folders = list(matches, "source-dir").into_iter().map(PathBuf::from);
            let mut sources = Sources::new(folders.collect());
            let top = if top == 0 { usize::MAX } else { top };
            analyze::text(of, &analysis, top, &mut sources, out)?;
        }
    }
    Ok(exceeded(&analysis, &limits))
}

/// Returns the failure for the first limit that findings exceed.
fn exceeded(analysis: &Analysis, limits: &[Limit]) -> Option<Failure> {
    limits.iter().find_map(|limit| {
        let of_kind = analysis.findings.iter().filter(|it| it.kind == limit.kind);
        let percent: f64 = of_kind.map(|it| analyze::share(analysis, it)).sum();
        (percent > limit.percent).then(|| Failure {
            exit: Exit::Errors,
            message: format!(
                "{} costs {percent:.1} % of the thread time, more than the {} % of --fail-on",
                limit.kind.described().name,
                limit.percent
            ),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::memory::Memory;
    use super::super::super::model::{Arg, Shared};
    use super::super::super::writer::{Shape, write};
    use super::super::upcprof;
    use crate::cli::Exit;

    /// Thread 2 of four reaches each barrier 40 us after the others, which have taken 20 us.
    fn late_thread() -> Vec<u8> {
        let mut m = Memory::new(4);
        let site = m.site("a.upc", 20, 5, "");
        for step in 0..10 {
            let start = step * 60_000;
            // What the barrier orders.
            let place = Arg::Shared(Shared {
                thread: 1,
                addr: 0x5000 + 64 * step,
                phase: None,
            });
            let args = [Arg::Int(1), Arg::Unknown, place, Arg::Size(8)];
            m.pair(0, (start + 100, start + 200), "UPC_GET", site, &args);
            for thread in 0..4 {
                let arrives = start + if thread == 2 { 60_000 } else { 20_000 };
                let args = [Arg::Int(0), Arg::Int(0)];
                m.pair(
                    thread,
                    (arrives, start + 60_000),
                    "UPC_BARRIER",
                    site,
                    &args,
                );
            }
        }
        let shape = Shape {
            block: 8,
            ticks: 2,
            ends: true,
        };
        write(&m, &shape)
    }

    #[test]
    fn findings_above_a_limit_end_with_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(at("late.upcprof"), late_thread()).unwrap();
        let status = |limits: &str| {
            let words = ["analyze", "--no-baseline", "--fail-on", limits, "-o"];
            let words = words.map(str::to_owned).into_iter();
            match upcprof(words.chain([at("out"), at("late.upcprof")]).collect()) {
                Ok(exit) => (exit, String::new()),
                Err(failure) => (failure.exit, failure.message),
            }
        };
        let (exit, message) = status("late-thread>40");
        assert_eq!(exit, Exit::Errors);
        assert!(message.starts_with("late-thread costs 50."), "{message}");
        assert!(
            message.ends_with("more than the 40 % of --fail-on"),
            "{message}"
        );
        // The findings are written all the same.
        assert!(
            std::fs::read_to_string(at("out"))
                .unwrap()
                .contains("a.upc:20")
        );
        for (limits, expected) in [
            ("late-thread>60", Exit::Success),
            ("redundant-barrier>0", Exit::Success),
            ("redundant-barrier>0,late-thread>1", Exit::Errors),
            ("late-thread", Exit::Usage),
            ("early-thread>5", Exit::Usage),
            ("late-thread>-1", Exit::Usage),
        ] {
            assert_eq!(status(limits).0, expected, "{limits}");
        }
    }
}
