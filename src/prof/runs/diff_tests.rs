//! Comparisons of recordings with known differences: times, lines and verdicts are exact.

use super::align::Lines;
use super::diff::{Diff, Row, Watched, diff, slower};
use super::noise::Verdict;
use super::{By, From, Key, Step, Summary};
use crate::cli::{Exit, Failure};
use crate::prof::cli::upcprof;
use crate::prof::compute;
use crate::prof::estimate::estimate;
use crate::prof::fixture::{asked, random, sample};
use crate::prof::memory::Memory;
use crate::prof::model::{Arg, End, Recording, Shared};
use crate::prof::profile::{By as Cut, view};
use crate::prof::select::Selection;
use crate::prof::source::Sources;
use crate::prof::table::Cell;
use crate::prof::writer::{Shape, write};
use serde_json::Value as Json;
use std::slice::from_ref;

/// The places of a revision: a file, the line of a read, and whether a write follows in the next line.
struct Code {
    file: &'static str,
    line: u32,
    writes: bool,
}

const OLD: Code = Code {
    file: "heat.upc",
    line: 10,
    writes: false,
};
const NEW: Code = Code {
    file: "heat.upc",
    line: 12,
    writes: true,
};

/// A run with two threads that make ten reads of `get` ns each, perhaps ten writes of 40 ns, and a barrier of 500 ns, 5
/// lines behind the read.
fn run(code: &Code, get: u64) -> Memory {
    let mut m = Memory::new(2);
    m.facts.program = "./heat".to_owned();
    let read = m.site(code.file, code.line, 5, "a[i]");
    let written = m.site(code.file, code.line + 1, 5, "b[i]");
    let barrier = m.site(code.file, code.line + 5, 5, "");
    for me in 0..2 {
        let place = Arg::Shared(Shared {
            thread: 1 - me,
            addr: 0x100,
            phase: None,
        });
        let mut now = 1_000;
        for _ in 0..10 {
            let args = [Arg::Int(1), Arg::Unknown, place, Arg::Size(8)];
            m.pair(me, (now, now + get), "UPC_GET", read, &args);
            now += get + 100;
            if code.writes {
                let args = [Arg::Int(1), place, Arg::Unknown, Arg::Size(8)];
                m.pair(me, (now, now + 40), "UPC_PUT", written, &args);
                now += 100;
            }
        }
        let args = [Arg::Int(0), Arg::Int(0)];
        m.pair(me, (now, now + 500), "UPC_BARRIER", barrier, &args);
        m.threads[me as usize].end = End::Exit(0);
    }
    m
}

fn summary(of: &Memory, by: By) -> Summary {
    Summary::new(of, "heat.upcprof", From::Trace, by)
}

fn compare(before: &[Memory], after: &[Memory], by: By) -> Diff {
    let side =
        |runs: &[Memory]| -> Vec<Summary> { runs.iter().map(|of| summary(of, by)).collect() };
    diff(&side(before), &side(after))
}

fn line(file: &str, line: u32, event: &str) -> Option<Key> {
    Some(Key::Path(vec![Step {
        file: file.to_owned(),
        line,
        event: event.to_owned(),
        function: None,
    }]))
}

fn row(diff: &Diff, before: Option<Key>, after: Option<Key>) -> &Row {
    let names = (before, after);
    let is_it = |row: &&Row| (&row.before, &row.after) == (&names.0, &names.1);
    diff.rows.iter().find(is_it).expect("the row is there")
}

#[test]
fn a_line_that_moved_is_the_same_line() {
    let diff = compare(&[run(&OLD, 1_000)], &[run(&NEW, 300)], By::Line);
    let get = row(
        &diff,
        line("heat.upc", 10, "UPC_GET"),
        line("heat.upc", 12, "UPC_GET"),
    );
    assert_eq!((get.times.change(), get.counts), (-14_000, (20, 20)));
    assert_eq!(get.verdict, Some(Verdict::Unknown));
    let barrier = row(
        &diff,
        line("heat.upc", 15, "UPC_BARRIER"),
        line("heat.upc", 17, "UPC_BARRIER"),
    );
    assert_eq!(barrier.times.change(), 0);
    let put = row(&diff, None, line("heat.upc", 13, "UPC_PUT"));
    assert_eq!((put.times.change(), put.counts), (800, (0, 20)));
    let outside = row(&diff, Some(Key::Outside), Some(Key::Outside));
    // Behind each write there are 60 ns.
    assert_eq!(outside.times.change(), 2 * 10 * 60);
    assert_eq!(diff.rows.len(), 4);
    assert_eq!(diff.threads.0.change(), -14_000 + 800 + 1_200);
}

#[test]
fn a_file_with_another_name_or_folder_is_the_same_file() {
    for file in ["v2/heat.upc", "heat2.upc"] {
        let code = Code { file, ..NEW };
        let diff = compare(&[run(&OLD, 1_000)], &[run(&code, 300)], By::Line);
        row(
            &diff,
            line("heat.upc", 10, "UPC_GET"),
            line(file, 12, "UPC_GET"),
        );
    }
}

#[test]
fn a_line_that_is_gone_is_no_new_line_with_its_number() {
    // The new revision writes where the old one reads.
    let mut new = run(&OLD, 1_000);
    let get = new.tables.kind_named("UPC_GET").unwrap();
    let put = new.tables.kind_named("UPC_PUT").unwrap();
    for event in new.events.iter_mut().flatten() {
        if event.kind == get {
            event.kind = put;
        }
    }
    let diff = compare(&[run(&OLD, 1_000)], &[new], By::Line);
    assert_eq!(
        row(&diff, line("heat.upc", 10, "UPC_GET"), None)
            .times
            .change(),
        -20_000
    );
    assert_eq!(
        row(&diff, None, line("heat.upc", 10, "UPC_PUT"))
            .times
            .change(),
        20_000
    );
}

#[test]
fn a_call_path_is_followed_through_lines_that_moved() {
    let code = |line| {
        let mut m = run(&Code { line, ..OLD }, 1_000);
        let signature = m.text("void step(int n)");
        let main = m.site("heat.upc", line - 3, 1, "");
        m.tables.sites[main.0 as usize].type_name = Some(signature);
        for me in 0..2_usize {
            let last = m.threads[me].last + 1;
            let (mut start, mut end) = (m.events[me][0].clone(), m.events[me][1].clone());
            for (event, time) in [(&mut start, 900), (&mut end, last)] {
                event.time = time;
                event.kind = m.tables.kind_named("C_FUNC").unwrap();
                event.site = main;
                event.args = vec![Arg::Text(signature)];
                event.traffic = None;
                event.bytes = 0;
            }
            m.events[me].insert(0, start);
            m.events[me].push(end);
            m.threads[me].last = last;
        }
        m
    };
    let diff = compare(&[code(10)], &[code(20)], By::Callpath);
    let path = |line: u32| {
        let step = |line, event: &str, function: Option<&str>| Step {
            file: "heat.upc".to_owned(),
            line,
            event: event.to_owned(),
            function: function.map(str::to_owned),
        };
        Some(Key::Path(vec![
            step(line - 3, "C_FUNC", Some("step")),
            step(line, "UPC_GET", None),
        ]))
    };
    assert_eq!(row(&diff, path(10), path(20)).times.change(), 0);
    assert!(
        diff.rows
            .iter()
            .all(|row| row.before.is_some() && row.after.is_some())
    );
}

#[test]
fn repetitions_tell_a_change_from_noise() {
    let runs = |times: [u64; 3], code: &Code| times.map(|get| run(code, get));
    let faster = compare(
        &runs([1_000, 1_010, 1_020], &OLD),
        &runs([500, 505, 530], &OLD),
        By::Line,
    );
    let key = || line("heat.upc", 10, "UPC_GET");
    assert_eq!(row(&faster, key(), key()).verdict, Some(Verdict::Faster));
    assert_eq!(
        (faster.run.1, faster.threads.1),
        (Verdict::Faster, Verdict::Faster)
    );
    assert_eq!(slower(&faster, Watched::Row), None);
    let noise = compare(
        &runs([1_000, 1_300, 900], &OLD),
        &runs([1_100, 1_250, 1_000], &OLD),
        By::Line,
    );
    assert_eq!(row(&noise, key(), key()).verdict, Some(Verdict::Noise));
    assert_eq!(
        (noise.run.1, slower(&noise, Watched::Run)),
        (Verdict::Noise, None)
    );
    // Three reads in four take longer, so do the runs: 10 * 1000 of 1000 + 10 * 1100 + 500.
    let slow = compare(
        &runs([1_000, 1_001, 999], &OLD),
        &runs([2_000, 2_001, 1_999], &OLD),
        By::Line,
    );
    let percent = slower(&slow, Watched::Run).unwrap();
    assert!(
        (percent - 10_000.0 * 100.0 / 12_500.0).abs() < 1e-6,
        "{percent}"
    );
    let percent = slower(&slow, Watched::Row).unwrap();
    assert!(
        (percent - 20_000.0 * 100.0 / 25_000.0).abs() < 1e-6,
        "{percent}"
    );
}

#[test]
fn rows_are_all_of_the_time_and_equal_those_of_the_profile() {
    for of in [sample(), random(5, 3, 2000), run(&NEW, 700)] {
        let whole: u64 = of
            .threads
            .iter()
            .map(crate::prof::model::Thread::time)
            .sum();
        let profile = estimate(&of, &compute::profile(&of));
        for (by, cut) in [
            (By::Line, Cut::Line),
            (By::Event, Cut::Event),
            (By::Thread, Cut::Thread),
            (By::Callpath, Cut::Callpath),
            (By::Region, Cut::Region),
        ] {
            let summary = summary(&of, by);
            let sum: u64 = summary.rows.values().map(|row| row.time).sum();
            assert_eq!((sum, summary.time), (whole, whole), "{by:?}");
            let all = asked(cut);
            let selection = Selection::new(&of.facts, of.tables(), &[], &[], &[]).unwrap();
            let view = view(
                &of,
                &profile,
                &selection,
                &all,
                &mut Sources::new(Vec::new()),
            );
            let at = view
                .table
                .columns
                .iter()
                .position(|column| column.name == "self_ns");
            let shown = view.table.rows.iter().map(|row| match row[at.unwrap()] {
                Cell::Number(time) => time,
                _ => 0,
            });
            assert_eq!(shown.sum::<u64>(), whole, "{by:?}");
            assert_eq!(view.others.outside, summary.time_of(&Key::Outside));
            assert_eq!(view.others.rest, 0);
        }
        let nothing = compare(from_ref(&of), from_ref(&of), By::Line);
        assert!(nothing.rows.iter().all(|row| row.times.change() == 0));
    }
    let (before, after) = (random(5, 3, 2000), random(6, 3, 2100));
    for by in [By::Line, By::Event, By::Thread, By::Callpath, By::Region] {
        let diff = compare(from_ref(&before), from_ref(&after), by);
        let sum: i64 = diff.rows.iter().map(|row| row.times.change()).sum();
        assert_eq!(sum, diff.threads.0.change(), "{by:?}");
    }
}

#[test]
fn no_two_old_rows_become_one() {
    let (before, after) = (random(7, 2, 3000), random(8, 2, 3000));
    let (before, after) = (summary(&before, By::Line), summary(&after, By::Line));
    let lines = Lines::new(from_ref(&before), &[after]);
    let kept = before.rows.keys().filter(|key| lines.has_all(key));
    let mut names: Vec<Key> = kept.map(|key| lines.key(key)).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert!(all > 20);
    assert_eq!(names.len(), all);
}

/// Runs the command on files: each word with `.upcprof` is the name of one. Returns its output, and what it ended with.
pub(super) fn command(files: &[(&str, Memory)], words: &str) -> (String, Result<Exit, Failure>) {
    let shape = Shape {
        block: 8,
        ticks: 1,
        ends: true,
    };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, memory) in files {
        std::fs::write(at(name), write(memory, &shape)).unwrap();
    }
    let word = |word: &str| match word.ends_with(".upcprof") {
        true => at(word),
        false => word.to_owned(),
    };
    let mut args: Vec<String> = words.split(' ').map(word).collect();
    args.extend(["-o".to_owned(), at("out")]);
    let exit = upcprof(args);
    let text = std::fs::read_to_string(at("out")).unwrap_or_default();
    (text.replace(&at(""), ""), exit)
}

fn files() -> Vec<(&'static str, Memory)> {
    let mut killed = run(&OLD, 1_040);
    killed.threads[1].end = End::Unknown;
    vec![
        ("a1.upcprof", run(&OLD, 1_000)),
        ("a2.upcprof", run(&OLD, 1_020)),
        ("a3.upcprof", killed),
        ("b1.upcprof", run(&NEW, 2_000)),
        ("b2.upcprof", run(&NEW, 2_030)),
        ("b3.upcprof", run(&NEW, 2_010)),
    ]
}

#[test]
fn the_command_shows_a_table() {
    let mut text = String::new();
    for words in [
        "diff a1.upcprof b1.upcprof",
        "diff a1.upcprof b1.upcprof --before a2.upcprof a3.upcprof --after b2.upcprof b3.upcprof --top 2",
        "diff --by event --before a1.upcprof a2.upcprof --after b1.upcprof b2.upcprof",
        "diff --by callpath a1.upcprof b1.upcprof",
    ] {
        let (answer, exit) = command(&files(), words);
        assert_eq!(exit, Ok(Exit::Success));
        text += &format!("$ upcprof {words}\n{answer}\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn json_has_each_run() {
    let words = "diff --format json a1.upcprof b1.upcprof --before a2.upcprof --after b2.upcprof";
    let (answer, _) = command(&files(), words);
    let json: Json = serde_json::from_str(&answer).unwrap();
    assert_eq!(json["format"], "upcprof diff");
    assert_eq!(json["before"][1]["file"], "a2.upcprof");
    let rows = json["rows"].as_array().unwrap();
    let get = rows
        .iter()
        .find(|row| row["after"]["event"] == "UPC_GET")
        .unwrap();
    assert_eq!(
        (&get["before"]["line"], &get["after"]["line"]),
        (&10.into(), &12.into())
    );
    assert_eq!(get["before_ns"], serde_json::json!([20_000, 20_400]));
    assert_eq!(get["change_ns"], 20_100);
    assert_eq!(get["difference"], "slower");
    let put = rows
        .iter()
        .find(|row| row["after"]["event"] == "UPC_PUT")
        .unwrap();
    assert!(put["before"].is_null() && put["change_percent"].is_null());
}

#[test]
fn the_exit_status_is_the_verdict() {
    let status = |words: &str| match command(&files(), words).1 {
        Ok(exit) => (exit, String::new()),
        Err(failure) => (failure.exit, failure.message),
    };
    let (exit, message) = status("diff a1.upcprof b1.upcprof --fail-on run>50");
    assert_eq!(exit, Exit::Errors);
    // 12.5 us became 23.5 us.
    assert!(message.contains("88.0 %, more than the 50 %"), "{message}");
    for (words, expected) in [
        ("diff a1.upcprof b1.upcprof --fail-on run>90", Exit::Success),
        (
            "diff b1.upcprof a1.upcprof --fail-on run>0,threads>0",
            Exit::Success,
        ),
        ("diff b1.upcprof a1.upcprof --fail-on row>0", Exit::Success),
        ("diff a1.upcprof b1.upcprof --fail-on row>50", Exit::Errors),
        ("diff a1.upcprof b1.upcprof --fail-on walk>5", Exit::Usage),
        ("diff a1.upcprof", Exit::Usage),
        ("diff --before a1.upcprof", Exit::Usage),
        ("diff a1.upcprof gone.upcprof", Exit::Environment),
    ] {
        assert_eq!(status(words).0, expected, "{words}");
    }
    let mut more = files();
    more.push(("c.upcprof", random(3, 4, 200)));
    let (_, exit) = command(&more, "diff a1.upcprof c.upcprof");
    let message = exit.unwrap_err().message;
    assert!(
        message.contains("2 threads") && message.contains("has 4: `upcprof scale`"),
        "{message}"
    );
}
