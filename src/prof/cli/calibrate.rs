//! The command line of `upcprof calibrate`, and of the options by which other commands use what it has measured.

use super::super::baseline::{self, Baseline, PROGRAM};
use super::super::model::Recording;
use super::super::reader;
use super::super::table::Format;
use super::{Done, Stop, flag, list, style, valued};
use crate::cli::temp_files::Temps;
use crate::cli::tools::{beside, must};
use crate::cli::{Failure, Output};
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;

/// Returns the command.
pub(super) fn command() -> Command {
    Command::new("calibrate")
        .about("Measures what operations cost on this platform, for upcprof analyze")
        .after_help(
            "Run it once, while the machine does nothing else. The result is kept in ~/.config/upcc for each network.\nWhat follows -- is passed to upcrun: upcprof calibrate --network mpi -- -hosts a,b",
        )
        .arg(valued("threads", "N", "with this many threads").short('n').default_value("2"))
        .arg(valued("network", "NAME", "with this network").default_value("smp"))
        .arg(valued("output", "FILE", "write the costs to FILE").short('o'))
        .arg(Arg::new("UPCRUN").last(true).num_args(0..).help("options of upcrun"))
}

/// Returns the options of commands that compare with the costs.
pub(super) fn options() -> [Arg; 2] {
    [
        valued(
            "baseline",
            "FILE",
            "compare operations with the costs in this file of upcprof calibrate -o",
        ),
        flag(
            "no-baseline",
            "do not compare with what upcprof calibrate has measured",
        )
        .conflicts_with("baseline"),
    ]
}

/// Returns the costs that the options ask for, else those that `calibrate` has kept for the network of the recording.
pub(super) fn baseline_of(
    of: &dyn Recording,
    matches: &ArgMatches,
) -> Result<Option<Baseline>, Failure> {
    let read = |path: &Path| {
        let text =
            std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
        let baseline = Baseline::parse(&text);
        baseline.map_err(|why| Failure::environment(format!("{} {why}", path.display())))
    };
    if let Some(path) = matches.get_one::<String>("baseline") {
        return read(Path::new(path)).map(Some);
    }
    let kept = baseline::file(&of.facts().network).filter(|path| path.exists());
    match kept.filter(|_| !matches.get_flag("no-baseline")) {
        Some(path) => read(&path).map(Some),
        None => Ok(None),
    }
}

/// Compiles, runs and measures the program, and keeps the costs.
pub(super) fn run(matches: &ArgMatches) -> Done {
    let word = |name| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let (threads, network) = (word("threads"), word("network"));
    let kept = matches.get_one::<String>("output").map(PathBuf::from);
    let kept = kept.or_else(|| baseline::file(&network)).ok_or_else(|| {
        Failure::environment("there is no folder for the result: set HOME, or give a file with -o")
    })?;
    let folder = Temps::new(None)?;
    let (source, program, trace) = (
        folder.file("calibrate.upc"),
        folder.file("calibrate"),
        folder.file("calibrate.upcprof"),
    );
    std::fs::write(&source, PROGRAM).map_err(|error| Failure::io("write", &source, &error))?;
    let network = format!("-network={network}");
    let words: [&OsStr; 6] = [
        "-O".as_ref(),
        "--inst-local".as_ref(),
        network.as_ref(),
        source.as_os_str(),
        "-o".as_ref(),
        program.as_os_str(),
    ];
    must("upcc", process::Command::new(beside("upcc")?).args(words))?;
    let mut upcrun = process::Command::new(beside("upcrun")?);
    upcrun.args(["-n", &threads]).args(list(matches, "UPCRUN"));
    upcrun
        .args(["-trace", "-tracefile"])
        .arg(&trace)
        .arg(&program);
    must("upcrun", &mut upcrun)?;
    let recording =
        reader::open(&[trace]).map_err(|error| Failure::environment(error.to_string()))?;
    let baseline = Baseline::measure(&recording);
    keep(&baseline, &kept)?;
    let mut out = Output::open(None)?;
    let style = style(&out, true);
    baseline.table().write(Format::Text, style, &mut out)?;
    writeln!(out, "\nwritten to {}", kept.display())?;
    out.finish()?;
    Ok(())
}

fn keep(baseline: &Baseline, path: &Path) -> Result<(), Stop> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    }
    let text = baseline.json().map_err(io::Error::from)?;
    let mut out = Output::open(path.to_str())?;
    writeln!(out, "{text}")?;
    out.finish()?;
    Ok(())
}
