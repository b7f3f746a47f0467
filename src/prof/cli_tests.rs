//! The command on a recording that the writer wrote: what users see.

use super::cli::upcprof;
use super::compute;
use super::fixture::sample;
use super::writer::{Shape, write};
use crate::driver::{Exit, Failure};
use std::path::Path;

const SHAPE: Shape = Shape {
    block: 8,
    ticks: 2,
    ends: true,
};

/// What the command writes. The recording is `heat.upcprof` in a folder where `heat.upc` is the only source.
fn run(words: &str) -> Result<String, Failure> {
    let mut memory = sample();
    memory.profile = Some(compute::profile(&memory));
    run_on(&write(&memory, &SHAPE), words)
}

fn run_on(bytes: &[u8], words: &str) -> Result<String, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("heat.upcprof"), bytes).unwrap();
    let source: String = (1..=40).map(|line| format!("    line {line};\n")).collect();
    std::fs::write(at("heat.upc"), source).unwrap();
    let mut args: Vec<String> = words.split(' ').map(str::to_owned).collect();
    if words.starts_with("profile") {
        args.extend(["--source-dir".to_owned(), at("")]);
    }
    args.extend(["-o".to_owned(), at("out"), at("heat.upcprof")]);
    let exit = upcprof(args)?;
    assert_eq!(exit, Exit::Success);
    Ok(std::fs::read_to_string(at("out")).unwrap())
}

/// Runs several commands and puts what they say below each other.
fn session(commands: &[&str]) -> String {
    let answers = commands.iter().map(|words| {
        let answer = run(words).unwrap_or_else(|failure| format!("error: {}\n", failure.message));
        format!("$ upcprof {words}\n{answer}\n")
    });
    answers.collect()
}

#[test]
fn every_cut_of_a_profile() {
    insta::assert_snapshot!(session(&[
        "profile",
        "profile --by event",
        "profile --by thread",
        "profile --by peer",
        "profile --by callpath",
        "profile --by array",
    ]));
}

#[test]
fn sorts_and_filters() {
    insta::assert_snapshot!(session(&[
        "profile --by event --sort calls,type --top 3",
        "profile --by event --sort MAX",
        "profile --by event --filter local,wait",
        "profile --by event --filter GLOBAL,WAITNOTIFY",
        "profile --report PUT,GET --sort SRC",
        "profile --report BARRIER --per-thread",
        "profile --report MEMORY --format csv",
        "profile --line heat.upc:14 --thread 1 --format json",
        "profile --event solve,LOCK --from-trace",
    ]));
}

#[test]
fn facts_and_events() {
    insta::assert_snapshot!(session(&[
        "stat",
        "stat --format csv",
        "dump",
        "dump --thread 1 --event GET",
        "dump --line 20 --from 0.00001 --to 0.000011",
        "dump --top 2",
    ]));
}

#[test]
fn json_is_json() {
    let stat: serde_json::Value =
        serde_json::from_str(&run("stat --format json").unwrap()).unwrap();
    assert_eq!(stat["per_thread"][1]["ended"], "signal 11");
    assert_eq!(stat["threads"], "2");
    let profile = run("profile --by array --format json").unwrap();
    let profile: serde_json::Value = serde_json::from_str(&profile).unwrap();
    assert!(
        profile
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["array"] == "grid")
    );
}

#[test]
fn a_profile_of_the_trace_is_that_of_the_blocks() {
    for by in ["line", "event", "thread", "peer", "callpath"] {
        let blocks = run(&format!("profile --by {by} --format csv")).unwrap();
        let trace = run(&format!("profile --by {by} --format csv --from-trace")).unwrap();
        assert_eq!(blocks, trace);
    }
}

#[test]
fn what_makes_no_sense_is_one_clear_error() {
    insta::assert_snapshot!(session(&[
        "dump --thread 2",
        "dump --thread x",
        "dump --event UPC_NOTHING",
        "dump --line other.upc",
        "dump --from -1",
        "dump --top many",
        "profile --report THINGS",
        "profile --by colour",
        "profile --sort SIZE",
        "export --format svg",
    ]));
}

#[test]
fn bad_files_are_told() {
    let error = |bytes: &[u8]| {
        let message = run_on(bytes, "stat").unwrap_err().message;
        let name = message
            .split_whitespace()
            .find(|word| word.ends_with("heat.upcprof"));
        let folder = Path::new(name.unwrap())
            .parent()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
            + "/";
        message.replace(&folder, "") + "\n"
    };
    let good = write(&sample(), &SHAPE);
    let mut newer = good.clone();
    newer[8] = 3;
    let errors = [
        error(b""),
        error(b"#!/bin/sh\n and more"),
        error(&newer),
        error(&good[..30]),
    ];
    insta::assert_snapshot!(errors.concat());
    let missing = upcprof(vec!["stat".to_owned(), "nothing.upcprof".to_owned()]).unwrap_err();
    assert_eq!(missing.exit, Exit::Environment);
    assert_eq!(
        missing.message,
        "cannot read nothing.upcprof: No such file or directory"
    );
}

#[test]
fn a_run_without_trace_has_a_profile_alone() {
    let mut memory = sample();
    memory.profile = Some(compute::profile(&memory));
    memory.events.iter_mut().for_each(Vec::clear);
    let bytes = write(&memory, &SHAPE);
    assert!(run_on(&bytes, "profile").unwrap().contains("UPC_BARRIER"));
    assert!(
        run_on(&bytes, "stat")
            .unwrap()
            .contains("holds    profile\n"),
        "{}",
        run_on(&bytes, "stat").unwrap()
    );
    for words in ["dump", "profile --from-trace", "export --format perfetto"] {
        let message = run_on(&bytes, words).unwrap_err().message;
        assert!(message.contains("upcrun -trace"), "{message}");
    }
}

#[test]
fn every_export_is_reached() {
    for (name, ..) in super::export::FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(at("heat.upcprof"), write(&sample(), &SHAPE)).unwrap();
        let words = [
            "export",
            "--format",
            name,
            "-o",
            &at("out"),
            &at("heat.upcprof"),
        ];
        upcprof(words.map(str::to_owned).to_vec()).unwrap();
        assert!(std::fs::metadata(at("out")).unwrap().len() > 100, "{name}");
    }
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("heat.upcprof");
    let mut memory = sample();
    memory.profile = Some(compute::profile(&memory));
    memory.events.iter_mut().for_each(Vec::clear);
    std::fs::write(&recording, write(&memory, &SHAPE)).unwrap();
    let answer = folder.path().join("answer");
    let words = |command: &str| {
        let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        words.extend([
            recording.display().to_string(),
            "-o".to_owned(),
            answer.display().to_string(),
        ]);
        words
    };
    let names = || {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert!(upcprof(words("export --format perfetto")).is_err());
    assert_eq!(names(), ["heat.upcprof"]);
    upcprof(words("stat")).unwrap();
    let first = std::fs::read(&answer).unwrap();
    assert!(!first.is_empty());
    assert!(upcprof(words("export --format perfetto")).is_err());
    assert_eq!(std::fs::read(&answer).unwrap(), first);
    assert_eq!(names(), ["answer", "heat.upcprof"]);
}

#[test]
fn files_of_threads_are_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // The same file twice is the run once, said to come again.
    for name in ["t0", "t1"] {
        std::fs::write(at(name), write(&sample(), &SHAPE)).unwrap();
    }
    let recording = super::reader::open(&[at("t0").into(), at("t1").into()]).unwrap();
    use super::model::Recording as _;
    assert!(
        recording
            .damage()
            .iter()
            .all(|damage| damage.message.contains("again"))
    );
    upcprof(
        ["stat", "-o", &at("out"), &at("t%")]
            .map(str::to_owned)
            .to_vec(),
    )
    .unwrap();
    let mut other = sample();
    other.facts.program = "./other".to_owned();
    std::fs::write(at("t1"), write(&other, &SHAPE)).unwrap();
    let message = upcprof(vec!["stat".to_owned(), at("t%")])
        .unwrap_err()
        .message;
    assert!(message.contains("another run"), "{message}");
}
