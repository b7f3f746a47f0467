//! The parts of its run that a recording lacks, in words: each view prints them at its head.

use super::model::{End, Recording, Thread, dropped};
use super::table::time;

/// The data that a view shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The events of the trace.
    Trace,
    /// The profile in the file, which limits on the trace do not affect.
    Profile,
    /// Both.
    All,
}

/// Returns a sentence for each reason why the shown data do not cover the whole run; empty if they do.
pub fn limits(of: &dyn Recording, shown: Shown) -> Vec<String> {
    let threads = of.threads();
    let raised: u64 = threads.iter().filter_map(|thread| thread.raised).sum();
    let sum = |number: &dyn Fn(&Thread) -> u64| threads.iter().map(number).sum::<u64>();
    let mut said = Vec::new();
    let mut lacks = |missing: u64, where_: &str, why: &str| {
        if missing > 0 {
            said.push(format!(
                "{missing} of {raised} events are not in the {where_}: {why}"
            ));
        }
    };
    if shown != Shown::Profile {
        lacks(
            sum(&|thread| thread.dropped(dropped::SIZE)),
            "trace",
            &format!(
                "the file was full, or could not be written ({})",
                cuts(threads)
            ),
        );
        lacks(
            sum(&|thread| thread.dropped(dropped::RATE)),
            "trace",
            "more were raised in a second than UPC_MEASURE_RATE allows",
        );
    }
    lacks(
        sum(&|thread| thread.dropped(dropped::DEPTH)),
        "recording",
        "calls deeper than UPC_MEASURE_DEPTH",
    );
    lacks(
        sum(&|thread| thread.dropped(dropped::REENTRY)),
        "recording",
        "raised while another event was recorded",
    );
    if shown != Shown::Trace {
        lacks(
            sum(&|thread| thread.paths_full),
            "profile",
            "it has UPC_MEASURE_NODES lines",
        );
    }
    let unknown = |thread: &&Thread| thread.end == End::Unknown;
    let unknown: Vec<u32> = threads
        .iter()
        .filter(unknown)
        .map(|thread| thread.id)
        .collect();
    if !unknown.is_empty() {
        said.push(format!(
            "{} how it ended: it was killed or is still running; the recording has what was written until then",
            do_not_say(&unknown, threads.len())
        ));
    }
    for thread in threads.iter().filter(|thread| thread.salvaged) {
        said.push(format!(
            "thread {} ended by {}: its launcher wrote what it had recorded up to then",
            thread.id,
            super::stat::end(thread.end)
        ));
    }
    let damages = of.damage().len();
    if damages > 0 {
        said.push(format!(
            "{damages} parts of the file are damaged or missing"
        ));
    }
    said
}

fn do_not_say(unknown: &[u32], threads: usize) -> String {
    match unknown {
        [one] => format!("thread {one} did not record"),
        all if all.len() == threads => "no thread recorded".to_owned(),
        some => {
            let some: Vec<String> = some.iter().map(u32::to_string).collect();
            format!("threads {} did not record", some.join(", "))
        }
    }
}

/// Returns when the threads' traces end.
fn cuts(threads: &[Thread]) -> String {
    /// The largest number of threads that are listed individually.
    const MOST: usize = 4;
    let cut = |thread: &Thread| {
        let at = thread.cut?.saturating_sub(thread.first);
        let of = thread.last.saturating_sub(thread.first);
        Some(format!(
            "thread {} has {} of {}",
            thread.id,
            time(at),
            time(of)
        ))
    };
    let cuts: Vec<String> = threads.iter().filter_map(cut).collect();
    match cuts.len() {
        0 => "its last events".to_owned(),
        count if count > MOST => format!("{}, and {} more", cuts[..MOST].join(", "), count - MOST),
        _ => cuts.join(", "),
    }
}
