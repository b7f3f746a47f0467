//! Exports of a known recording, and of unusual ones: files that suite `exports` passes to other programs, and checks
//! that need no other program.
//!
//! `UPCC_EXPORTS=DIR` keeps the files.

#[path = "exports/files.rs"]
mod files;
#[path = "exports/known.rs"]
mod known;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use upcc::prof::estimate::estimate;
use upcc::prof::export::{self, Error, Format, Options, Summary, Unit};
use upcc::prof::memory::Memory;
use upcc::prof::model::{Profile, Recording};

fn options(format: Format) -> Options {
    Options {
        format,
        per_thread: false,
        unit: Unit::Nanoseconds,
    }
}

/// Exports a recording; keeps the file under this name if the suite asks for it.
fn exported(recording: &Memory, options: Options, name: &str) -> (Vec<u8>, Summary) {
    let mut bytes = Vec::new();
    let profile = recording.profile().map(|of| estimate(recording, of));
    let summary = export::export(recording, profile.as_ref(), options, &mut bytes)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    if let Some(folder) = std::env::var_os("UPCC_EXPORTS").map(PathBuf::from) {
        let file = folder.join(name);
        fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        fs::write(&file, &bytes).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
    (bytes, summary)
}

fn text(recording: &Memory, options: Options, name: &str) -> String {
    String::from_utf8(exported(recording, options, name).0).expect("text formats are UTF-8")
}

fn json(recording: &Memory, format: Format, name: &str) -> Value {
    let text = text(recording, options(format), name);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn perfetto_of_the_known_trace() {
    let (_, summary) = exported(
        &known::trace(),
        options(Format::Perfetto),
        "known.perfetto-trace",
    );
    assert_eq!((summary.cut, summary.stray), (3, 1));
    let remarks = summary.remarks();
    assert_eq!(remarks.len(), 2);
    assert!(remarks[0].starts_with("3 of the events started") && remarks[1].starts_with("1 of"));
    assert!(Summary::default().remarks().is_empty());
}

#[test]
fn timelines_of_the_known_trace() {
    let known = known::trace();
    let speedscope = json(&known, Format::Speedscope, "known.speedscope.json");
    insta::assert_snapshot!(timeline(&speedscope));
    let chrome = json(&known, Format::Chrome, "known.chrome.json");
    let opened = |phase: &str| {
        let events = chrome["traceEvents"].as_array().into_iter().flatten();
        events.filter(|event| event["ph"] == phase).count()
    };
    assert_eq!(opened("B"), opened("E"));
    assert_eq!(opened("M"), 4);
}

/// Returns the spans of a speedscope file, indented by depth, with their times.
fn timeline(file: &Value) -> String {
    let mut text = String::new();
    for profile in file["profiles"].as_array().into_iter().flatten() {
        text += &format!(
            "{} {}..{}\n",
            profile["name"].as_str().unwrap_or("?"),
            profile["startValue"],
            profile["endValue"]
        );
        let mut open: Vec<(u64, u64)> = Vec::new();
        let mut lines: Vec<(u64, usize, u64, u64)> = Vec::new();
        for event in profile["events"].as_array().into_iter().flatten() {
            let number = |name: &str| event[name].as_u64().expect("a number");
            match event["type"].as_str() {
                Some("O") => open.push((number("frame"), number("at"))),
                _ => {
                    let (frame, start) = open.pop().expect("something is open");
                    assert_eq!(frame, number("frame"), "spans nest");
                    lines.push((start, open.len(), frame, number("at")));
                }
            }
        }
        assert!(open.is_empty(), "every span ends");
        lines.sort_by_key(|(start, depth, ..)| (*start, *depth));
        for (start, depth, frame, end) in lines {
            let frame = &file["shared"]["frames"][frame as usize];
            text += &format!("{:1$}{start}..{end} {frame}\n", "", 2 + 2 * depth);
        }
    }
    text
}

#[test]
fn stacks_of_the_known_profile() {
    let known = known::profile();
    let merged = text(&known, options(Format::Collapsed), "known.collapsed");
    insta::assert_snapshot!(merged);
    let per_thread = Options {
        per_thread: true,
        unit: Unit::Microseconds,
        ..options(Format::Collapsed)
    };
    insta::assert_snapshot!(text(&known, per_thread, "threads.collapsed"));
    let sampled = json(&known, Format::Speedscope, "profile.speedscope.json");
    let weights = sampled["profiles"][0]["weights"]
        .as_array()
        .expect("weights");
    let sum: u64 = weights.iter().filter_map(Value::as_u64).sum();
    assert_eq!(sampled["profiles"][0]["endValue"], sum);
    assert_eq!(sum, 10_000_000);
}

/// The flame graph that inferno draws has each frame with the time of all frames below it.
#[test]
fn inferno_draws_the_collapsed_stacks() {
    let known = known::profile();
    let stacks = text(&known, options(Format::Collapsed), "known.collapsed");
    let mut inclusive: BTreeMap<String, u64> = BTreeMap::new();
    for line in stacks.lines() {
        let (stack, weight) = line.rsplit_once(' ').expect("a weight");
        let weight: u64 = weight.parse().expect("a number");
        for (at, _) in stack.match_indices(';').chain([(stack.len(), "")]) {
            *inclusive.entry(stack[..at].to_owned()).or_default() += weight;
        }
    }
    let mut svg = Vec::new();
    let mut options = inferno::flamegraph::Options::default();
    options.count_name = "ns".to_owned();
    options.min_width = 0.0;
    inferno::flamegraph::from_lines(&mut options, stacks.lines(), &mut svg)
        .expect("inferno takes every line");
    let svg = String::from_utf8(svg).expect("SVG is text");
    for (stack, time) in inclusive {
        let frame = stack.rsplit(';').next().unwrap_or(&stack);
        let title = format!("<title>{} ({} ns,", escaped(frame), thousands(time));
        assert!(svg.contains(&title), "no {title} in {svg}");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&apos;")
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn recordings_with_nothing_in_them() {
    let empty = Memory::new(2);
    for format in [Format::Perfetto, Format::Chrome] {
        let error = export::export(&empty, None, options(format), &mut Vec::new());
        assert!(matches!(error, Err(Error::NoTrace)));
    }
    for format in [Format::Collapsed, Format::Speedscope] {
        let error = export::export(&empty, None, options(format), &mut Vec::new());
        assert!(matches!(error, Err(Error::NoProfile)));
        let mut with = empty.clone();
        with.profile = Some(Profile {
            paths: Vec::new(),
            cells: Vec::new(),
        });
        exported(&with, options(format), &format!("empty.{format:?}"));
    }
}

#[test]
fn odd_recordings() {
    for (name, odd) in known::odd() {
        exported(
            &odd,
            options(Format::Perfetto),
            &format!("{name}.perfetto-trace"),
        );
        let file = json(&odd, Format::Speedscope, &format!("{name}.speedscope.json"));
        timeline(&file);
        json(&odd, Format::Chrome, &format!("{name}.chrome.json"));
    }
}
