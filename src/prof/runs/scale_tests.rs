//! Scaling of recordings whose lines follow known laws.

use super::diff_tests::command;
use super::scale::{Scaling, Work, scale};
use super::{By, From, Key, Summary};
use crate::cli::Exit;
use crate::prof::fixture::random;
use crate::prof::memory::Memory;
use crate::prof::model::{Arg, End};
use serde_json::Value as Json;

/// The work that the threads share, and what one thread does while the others wait in a barrier.
const WORK: u64 = 1_000_000;
const SERIAL: u64 = 50_000;

/// A run of a program in which thread 0 works alone before the threads share the work; `grows`: there is more work with
/// more threads.
fn run(threads: u32, grows: bool) -> Memory {
    let mut m = Memory::new(threads);
    m.facts.program = "./heat".to_owned();
    let barrier = m.site("heat.upc", 10, 5, "");
    let work = m.site("heat.upc", 20, 5, "");
    let signature = m.text("void work(void)");
    m.tables.sites[work.0 as usize].type_name = Some(signature);
    let each = if grows {
        WORK
    } else {
        WORK / u64::from(threads)
    };
    for me in 0..threads {
        let arrives = if me == 0 { SERIAL } else { 0 };
        let args = [Arg::Int(0), Arg::Int(0)];
        m.pair(me, (arrives, SERIAL), "UPC_BARRIER", barrier, &args);
        let args = [Arg::Text(signature)];
        m.pair(me, (SERIAL, SERIAL + each), "C_FUNC", work, &args);
        m.threads[me as usize].end = End::Exit(0);
    }
    m
}

fn scaling(of: &[Memory], work: Work) -> Scaling {
    let all: Vec<Summary> = of
        .iter()
        .map(|of| Summary::new(of, "heat.upcprof", From::Trace, By::Line))
        .collect();
    scale(&all, work).expect("there are several numbers of threads")
}

fn is_line(key: &Key, line: u32) -> bool {
    matches!(key, Key::Path(steps) if steps[0].line == line)
}

#[test]
fn what_one_thread_does_alone_limits_all() {
    let all = [run(1, false), run(2, false), run(4, false), run(8, false)];
    let scaling = scaling(&all, Work::Same);
    let speedups: Vec<f64> = scaling
        .points
        .iter()
        .map(|point| scaling.speedup(point))
        .collect();
    for (point, speedup) in scaling.points.iter().zip(speedups) {
        let time = SERIAL + WORK / u64::from(point.threads);
        assert_eq!(point.run, time);
        assert!((speedup - (SERIAL + WORK) as f64 / time as f64).abs() < 1e-9);
        let efficiency = speedup * 100.0 / f64::from(point.threads);
        assert!((scaling.efficiency(point) - efficiency).abs() < 1e-9);
    }
    // Amdahl: all threads take 50 us more for each further thread.
    let curve = scaling.curve.unwrap();
    assert!((curve.work - (SERIAL + WORK) as f64).abs() < 1.0);
    assert!((curve.serial - SERIAL as f64).abs() < 1.0 && curve.crosstalk < 1e-3);
    assert!((curve.limit().unwrap() - 21.0).abs() < 1e-3);
    let worst = &scaling.rows[0];
    assert!(is_line(&worst.key, 10), "{worst:?}");
    assert_eq!(worst.times, [0, SERIAL, 3 * SERIAL, 7 * SERIAL]);
    assert_eq!(worst.loss(), 7 * SERIAL as i64);
    let share = scaling.loss_percent(worst);
    assert!(
        (share - 35_000_000.0 / (8.0 * 175_000.0)).abs() < 1e-9,
        "{share}"
    );
}

#[test]
fn losses_of_rows_are_that_of_the_program() {
    let all = [
        random(1, 2, 1500),
        random(2, 2, 1400),
        random(3, 4, 1500),
        random(4, 6, 900),
    ];
    let scaling = scaling(&all, Work::Same);
    assert_eq!(scaling.points[0].runs, 2);
    for (at, point) in scaling.points.iter().enumerate().skip(1) {
        let loss: i64 = scaling.rows.iter().map(|row| row.losses[at]).sum();
        let whole = point.time as i64 - scaling.points[0].time as i64;
        // The mean of each row is rounded.
        assert!(
            (loss - whole).unsigned_abs() <= scaling.rows.len() as u64,
            "{loss} {whole}"
        );
    }
}

#[test]
fn more_work_for_more_threads_is_no_loss() {
    let all = [run(1, true), run(2, true), run(4, true)];
    let weak = scaling(&all, Work::More);
    let last = weak.last();
    assert!((weak.efficiency(last) - 100.0).abs() < 1e-9);
    assert!((weak.speedup(last) - 4.0).abs() < 1e-9);
    let work = weak.rows.iter().find(|row| is_line(&row.key, 20)).unwrap();
    assert_eq!(work.losses, [0, 0, 0]);
    // Taken for the same work, it is one.
    let strong = scaling(&all, Work::Same);
    assert!(is_line(&strong.rows[0].key, 20));
    assert_eq!(strong.rows[0].loss(), 3 * WORK as i64);
}

#[test]
fn the_same_number_of_threads_is_no_scaling() {
    let one = Summary::new(&run(2, false), "a", From::Trace, By::Line);
    assert!(scale(&[one.clone(), one], Work::Same).is_none());
}

fn files() -> Vec<(&'static str, Memory)> {
    vec![
        ("n1.upcprof", run(1, false)),
        ("n2.upcprof", run(2, false)),
        ("n4.upcprof", run(4, false)),
        ("m4.upcprof", run(4, false)),
        ("n8.upcprof", run(8, false)),
    ]
}

const ALL: &str = "n1.upcprof n2.upcprof n8.upcprof n4.upcprof m4.upcprof";

#[test]
fn the_command_names_the_line_that_stops_scaling() {
    let mut text = String::new();
    for words in ["scale", "scale --by event --top 1", "scale --weak"] {
        let (answer, exit) = command(&files(), &format!("{words} {ALL}"));
        assert_eq!(exit, Ok(Exit::Success));
        text += &format!("$ upcprof {words} {ALL}\n{answer}\n");
    }
    insta::assert_snapshot!(text);
    let (answer, _) = command(&files(), &format!("scale --format json {ALL}"));
    let json: Json = serde_json::from_str(&answer).unwrap();
    assert_eq!(json["points"][2]["runs"], 2);
    assert_eq!(json["rows"][0]["line"], 10);
    assert_eq!(
        json["rows"][0]["losses_ns"],
        serde_json::json!([0, 50_000, 150_000, 350_000])
    );
    assert_eq!(json["runs"][2]["threads"], 8);
}

#[test]
fn the_exit_status_is_the_verdict() {
    for (words, expected) in [
        // The efficiency is 75 %, and the barrier takes 25 %.
        ("--fail-on efficiency<74", None),
        ("--fail-on efficiency<76", Some(Exit::Errors)),
        ("--fail-on row>26", None),
        ("--fail-on row>24", Some(Exit::Errors)),
        ("--fail-on row<24", Some(Exit::Usage)),
    ] {
        let (_, exit) = command(&files(), &format!("scale {words} {ALL}"));
        assert_eq!(exit.err().map(|failure| failure.exit), expected, "{words}");
    }
    let (_, exit) = command(&files(), "scale n4.upcprof m4.upcprof");
    assert!(exit.unwrap_err().message.contains("`upcprof diff`"));
}
