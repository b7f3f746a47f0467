//! Tests of the command on a recording made by the writer: what users see.

use super::cli::upcprof;
use super::compute;
use super::export::perfetto::proto;
use super::fixture::{random, sample};
use super::format::{LoopEntry, MAJOR};
use super::memory::Memory;
use super::model::{Arg, Count, Group, Phase, dropped};
use super::profile::CUTS;
use super::writer::{Shape, write};
use crate::cli::{Exit, Failure};
use serde_json::Value as Json;
use std::path::Path;

const SHAPE: Shape = Shape {
    block: 8,
    ticks: 2,
    ends: true,
};

/// Returns the command's output. The recording is `heat.upcprof` in a folder where `heat.upc` is the only source.
fn run(words: &str) -> Result<String, Failure> {
    let mut memory = sample();
    memory.profile = Some(compute::profile(&memory));
    run_on(&write(&memory, &SHAPE), words)
}

fn run_on(bytes: &[u8], words: &str) -> Result<String, Failure> {
    let answer = written_on(bytes, words)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn written_on(bytes: &[u8], words: &str) -> Result<Vec<u8>, Failure> {
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
    Ok(std::fs::read(at("out")).unwrap())
}

/// Runs several commands and joins their outputs.
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
        "profile --by region",
    ]));
}

/// Returns the sum of a column of all rows.
fn sum(json: &Json, column: &str) -> u128 {
    let rows = json["rows"].as_array().into_iter().flatten();
    rows.filter_map(|row| row[column].as_u64().map(u128::from))
        .sum()
}

#[test]
fn any_two_views_agree_in_every_sum() {
    for memory in [sample(), random(5, 3, 200), random(9, 4, 100)] {
        let mut memory = memory;
        memory.profile = Some(compute::profile(&memory));
        let bytes = write(&memory, &SHAPE);
        let json = |words: &str| -> Json {
            let text = run_on(&bytes, &format!("{words} --format json")).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let all = json("profile --internal --top 0");
        let whole = u128::from(all["time"]["threads_ns"].as_u64().unwrap());
        for by in CUTS.iter().map(|(name, _)| name) {
            for more in [
                "--internal --top 0",
                "--top 2",
                "--filter LOCAL,WAIT --top 0",
                "--report GET,PUT --per-thread --top 0",
                "--from-trace --internal --top 0",
            ] {
                let words = format!("profile --by {by} {more}");
                let view = json(&words);
                let others = ["outside_events_ns", "not_shown_ns", "left_out_ns"];
                let others = others.map(|name| u128::from(view[name].as_u64().unwrap()));
                let time = sum(&view, "self_ns") + others.iter().sum::<u128>();
                assert_eq!(time, whole, "{words}");
                // The text has the same sum: its rows, and what it leaves out.
                let csv = run_on(&bytes, &format!("{words} --format csv")).unwrap();
                let csv = csv.lines().filter(|line| !line.starts_with('#'));
                let csv: String = csv.flat_map(|line| [line, "\n"]).collect();
                let mut csv = csv::Reader::from_reader(csv.as_bytes());
                let head = csv.headers().unwrap().clone();
                let at = head.iter().position(|name| name == "self_ns").unwrap();
                let rows = csv
                    .records()
                    .map(|row| row.unwrap()[at].parse::<u128>().unwrap_or(0));
                assert_eq!(rows.sum::<u128>() + others[2], whole, "{words}");
            }
            let view = json(&format!("profile --by {by} --internal --top 0"));
            if !["region", "peer", "array"].contains(by) {
                assert_eq!(sum(&view, "calls"), sum(&all, "calls"), "{by}");
            }
            // Sums of random sizes do not fit.
            let fits = sum(&all, "bytes") < u128::from(u64::MAX);
            if fits && !["peer", "array"].contains(by) {
                assert_eq!(sum(&view, "bytes"), sum(&all, "bytes"), "{by}");
                assert_eq!(sum(&view, "remote"), sum(&all, "remote"), "{by}");
            }
        }
        let stacks = run_on(&bytes, "export --format collapsed").unwrap();
        let weight = |line: &str| line.rsplit(' ').next()?.parse::<u128>().ok();
        assert_eq!(stacks.lines().filter_map(weight).sum::<u128>(), whole);
    }
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

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn json_says_what_it_is_of() {
    let stat = json(&run("stat --format json").unwrap());
    assert_eq!(stat["per_thread"][1]["ended"], "signal 11");
    assert_eq!(stat["facts"]["threads"], "2");
    let profile = json(&run("profile --by array --format json").unwrap());
    let rows = profile["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["array"] == "grid"));
    for (command, of) in [("stat", stat), ("profile", profile)] {
        assert_eq!(of["format"], format!("upcprof {command}"));
        assert_eq!(of["version"], 2);
        assert_eq!(of["run"]["program"], "./heat");
        assert_eq!(of["run"]["arguments"][1], "100");
        assert_eq!(of["run"]["threads"], 2);
        assert_eq!(of["run"]["started"], "2023-11-14 22:13:20 UTC");
        assert_eq!(of["time"]["run_ns"], 12_500);
        assert_eq!(of["time"]["threads_ns"], 25_000);
        assert_eq!(of["units"]["_ns"], "nanoseconds");
        assert_eq!(of["incomplete"], Json::Array(Vec::new()));
    }
}

/// A run whose trace was ended by a limit inside two functions.
fn cut_short() -> Memory {
    let mut memory = sample();
    for thread in 0..2 {
        let events = &mut memory.events[thread];
        events.retain(|event| event.time < 5_500);
        let get = memory.tables.kind_named("UPC_GET").unwrap();
        let of = &mut memory.threads[thread];
        let event = events.iter().find(|event| event.kind == get).unwrap();
        memory.counts.push(Count {
            thread: of.id,
            kind: get,
            phase: Phase::Start,
            site: event.site,
            raised: 4_000_000,
            recorded: 3,
        });
        of.raised = Some(8_000_020);
        of.dropped = vec![(dropped::SIZE, 8_000_000)];
        of.last = 1_000_000_000;
    }
    memory
}

#[test]
fn every_view_of_a_limited_recording_says_so() {
    let bytes = write(&cut_short(), &SHAPE);
    let said = "16000000 of 16000040 events are not in the trace";
    for (words, head) in [
        ("profile", "./heat: 2 threads"),
        ("profile --per-thread", "./heat: 2 threads"),
        ("profile --format csv", "# incomplete: "),
        ("profile --format json", "{"),
        ("stat", "incomplete: "),
        ("stat --format csv", "# incomplete: "),
        ("stat --format json", "{"),
        ("dump", "# incomplete: "),
        ("dump --thread 1", "# incomplete: "),
        ("export --format collapsed", "./heat (incomplete: "),
        (
            "export --format collapsed --per-thread",
            "UPC thread 0 (incomplete: ",
        ),
        ("export --format perfetto", ""),
        ("export --format speedscope", "{"),
        ("export --format chrome", "{"),
    ] {
        let answer = match words.contains("perfetto") {
            true => {
                let trace = written_on(&bytes, words).unwrap();
                String::from_utf8_lossy(&proto::uncompressed(&trace)).into_owned()
            }
            false => run_on(&bytes, words).unwrap(),
        };
        assert!(answer.starts_with(head), "{words}: {answer}");
        let at = answer
            .find(said)
            .unwrap_or_else(|| panic!("{words}: {answer}"));
        assert!(at < 1_500, "{words}: not at its head");
    }
    let each = run_on(&bytes, "export --format collapsed --per-thread").unwrap();
    assert!(each.lines().all(|line| line.contains(said)), "{each}");
    let mut full = sample();
    full.profile = Some(compute::profile(&full));
    full.threads[0].paths_full = 7;
    let expected = "7 of 70 events are not in the profile";
    let answer = run_on(&write(&full, &SHAPE), "profile").unwrap();
    assert!(answer.contains(expected), "{answer}");
}

#[test]
fn counts_are_exact_and_times_end_where_the_trace_does() {
    let bytes = write(&cut_short(), &SHAPE);
    let profile = json(&run_on(&bytes, "profile --format json").unwrap());
    let rows = profile["rows"].as_array().unwrap();
    let row = |event: &str| rows.iter().find(|row| row["event"] == event).unwrap();
    assert_eq!(row("UPC_GET")["calls"], 8_000_000);
    // The time of the events in the trace only.
    assert_eq!(row("UPC_GET")["avg_ns"], 100);
    assert_eq!(row("UPC_GET")["self_ns"], 600);
    // Open from 1000 and 1007 to the last event at 5250 and 5257.
    assert_eq!(row("C_FUNC")["total_ns"], 2 * 4_250);
}

/// Names that a hostile program or file may have, with text that must not be sent to a terminal.
#[test]
fn nothing_in_a_recording_commands_the_terminal() {
    let evil = "\x1b]0;title\x07\u{9b}31m\rline\nnext";
    let mut memory = sample();
    memory.facts.program = evil.to_owned();
    memory.facts.args = vec![evil.to_owned()];
    memory.facts.counters = vec![evil.to_owned()];
    memory.facts.settings = vec![evil.to_owned()];
    for event in memory.events.iter_mut().flatten() {
        let note = memory.tables.kinds[event.kind.0 as usize].group == Group::Note;
        event.counters = if note { Vec::new() } else { vec![1] };
    }
    for text in memory.tables.texts.iter_mut().skip(1) {
        *text += evil;
    }
    for kind in memory
        .tables
        .kinds
        .iter_mut()
        .filter(|kind| kind.group == Group::User)
    {
        kind.name += evil;
    }
    for thread in &mut memory.threads {
        thread.host = evil.to_owned();
    }
    memory.profile = Some(compute::profile(&memory));
    let bytes = write(&memory, &SHAPE);
    for words in [
        "profile --by line",
        "profile --by callpath",
        "profile --by array",
        "profile --by event --format csv",
        "profile --by callpath --format json",
        "stat",
        "stat --format csv",
        "stat --format json",
        "dump",
        "export --format collapsed",
        "export --format speedscope",
        "export --format chrome",
    ] {
        let answer = run_on(&bytes, words).unwrap();
        let command = answer.chars().find(|&c| c.is_control() && c != '\n');
        assert_eq!(command, None, "{words}: {answer}");
        assert!(!answer.contains("\nnext"), "{words}: {answer}");
    }
}

#[test]
fn local_accesses_without_instrumentation_have_no_number() {
    let local = |instrumented: bool| {
        let mut memory = sample();
        memory.facts.has_local = instrumented;
        let answer = run_on(
            &write(&memory, &SHAPE),
            "profile --event GET,LOCK --format json",
        );
        let rows = json(&answer.unwrap())["rows"].clone();
        let row = |event: &str| {
            let rows = rows.as_array().unwrap().iter();
            let mut of_event = rows.filter(|row| row["event"] == event);
            of_event.next().unwrap()["local"].clone()
        };
        (row("UPC_GET"), row("UPC_NB_GET_INIT"))
    };
    assert_eq!(local(false), (Json::Null, 0.into()));
    assert_eq!(local(true), (0.into(), 0.into()));
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
fn ratios_are_columns() {
    let mut memory = sample();
    memory.facts.counters = vec!["instructions".to_owned(), "cycles".to_owned()];
    for event in memory.events.iter_mut().flatten() {
        let note = memory.tables.kinds[event.kind.0 as usize].group == Group::Note;
        event.counters = if note { Vec::new() } else { vec![3, 400] };
    }
    let bytes = write(&memory, &SHAPE);
    let get = |words: &str, column: &str| {
        let profile = json(&run_on(&bytes, &format!("profile --format json {words}")).unwrap());
        let rows = profile["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["event"] == "UPC_GET").unwrap();
        row[column].as_f64()
    };
    assert_eq!(get("--top 0", "instructions/cycles"), Some(0.0075));
    assert_eq!(get("--ratio cycles/calls", "cycles/calls"), Some(400.0));
    assert_eq!(get("--ratio cycles/calls", "instructions/cycles"), None);
    let text = run_on(&bytes, "profile --by event --event UPC_GET").unwrap();
    assert!(text.contains("instructions/cycles"), "{text}");
    assert!(text.contains("0.007"), "{text}");
    let csv = run_on(&bytes, "profile --format csv --ratio instructions/cycles").unwrap();
    assert!(csv.contains(",0.0075,"), "{csv}");
    let error = run_on(&bytes, "profile --ratio cycles/misses").unwrap_err();
    let expected = "--ratio: `cycles/misses` is not A/B of these numbers of the recording: instructions, cycles, calls, bytes, self";
    assert_eq!(error.message, expected);
}

#[test]
fn loops_are_regions_and_accesses_of_a_line_have_columns() {
    let mut memory = sample();
    memory.add_loop(LoopEntry::For, "heat.upc", (13, 5), (16, 5));
    // Both accesses of the loop are on one line now, and both are reads.
    let get = memory.tables.kind_named("UPC_GET").unwrap();
    let put = memory.tables.kind_named("UPC_PUT").unwrap();
    for site in &mut memory.tables.sites {
        if site.line == 15 {
            site.line = 14;
        }
    }
    for event in memory.events.iter_mut().flatten() {
        if event.kind == put {
            event.kind = get;
            let args = [event.args[0], Arg::Unknown, event.args[1], event.args[3]];
            event.args = args.to_vec();
        }
    }
    let bytes = write(&memory, &SHAPE);
    let answer = |words: &str| run_on(&bytes, words).unwrap();
    let rows = |words: &str| {
        let all: Json = serde_json::from_str(&answer(words)).unwrap();
        all["rows"].as_array().unwrap().clone()
    };
    let regions = rows("profile --by region --format json");
    let of_loop = regions.iter().find(|row| row["region"] == "for loop");
    let of_loop = of_loop.expect("the loop is a region");
    assert_eq!(of_loop["line"], "heat.upc:13");
    let lines = rows("profile --format json");
    let gets: Vec<&Json> = lines
        .iter()
        .filter(|row| row["event"] == "UPC_GET")
        .collect();
    let columns: Vec<&Json> = gets.iter().map(|row| &row["column"]).collect();
    assert_eq!(columns, [&Json::from(12), &Json::from(9)]);
    let sum: u64 = gets.iter().filter_map(|row| row["self_ns"].as_u64()).sum();
    assert_eq!(of_loop["self_ns"].as_u64(), Some(sum));
    // A line with one place of each event needs no column.
    assert!(answer("profile").contains("column"));
    assert!(!run("profile").unwrap().contains("column"));
    let paths = answer("profile --by callpath");
    assert!(
        paths.contains("main > for loop heat.upc:13 > UPC_GET heat.upc:14"),
        "{paths}"
    );
    let stacks = answer("export --format collapsed");
    assert!(
        stacks.contains(";for loop (heat.upc:13);get grid[i]"),
        "{stacks}"
    );
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
fn bad_files_are_named() {
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
    newer[8] = MAJOR as u8 + 1;
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
        match upcprof(words.map(str::to_owned).to_vec()) {
            // Its library may not be installed here.
            Err(failure) if *name == "otf2" => {
                assert!(failure.message.contains("libotf2"), "{}", failure.message);
                continue;
            }
            done => assert_eq!(done.unwrap(), Exit::Success),
        }
        let written = |folder: &Path| -> u64 {
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let files = files.filter(|file| file.file_name().to_string_lossy() != "heat.upcprof");
            files.map(|file| file.metadata().unwrap().len()).sum()
        };
        let size = written(folder.path()) + written(Path::new(&at("out")));
        assert!(size > 100, "{name}: {size}");
    }
}

#[test]
fn a_part_of_a_trace_is_exported() {
    let marks = |words: &str| {
        let text = run(&format!("export --format chrome {words}")).unwrap();
        let all: Json = serde_json::from_str(&text).unwrap();
        let events = all["traceEvents"].as_array().unwrap().clone();
        let with_time = events.into_iter().filter(|event| event["ph"] != "M");
        with_time
            .map(|event| {
                let time = event["ts"].as_f64().unwrap();
                (event["tid"].as_u64().unwrap(), time)
            })
            .collect::<Vec<_>>()
    };
    let all = marks("--from 0");
    let mut times: Vec<f64> = all.iter().map(|(_, time)| *time).collect();
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    let late = marks(&format!("--from {}", middle / 1e6));
    assert!(!late.is_empty() && late.len() < all.len());
    assert!(late.iter().all(|(_, time)| *time >= middle));
    let one = marks("--thread 1");
    assert!(!one.is_empty() && one.iter().all(|(thread, _)| *thread == 2));
    let wrong = run("export --format chrome --thread 99").unwrap_err();
    assert!(wrong.message.contains("the run has threads 0 to"));
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
    // The same file given twice is the run once, and the repetition is reported.
    for name in ["t0", "t1"] {
        std::fs::write(at(name), write(&sample(), &SHAPE)).unwrap();
    }
    let recording = super::reader::open(&[at("t0").into(), at("t1").into()]).unwrap();
    use super::model::Recording as _;
    assert!(
        recording
            .damage()
            .iter()
            .all(|damage| damage.message.contains("repeated"))
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
    assert!(message.contains("a different run"), "{message}");
}
