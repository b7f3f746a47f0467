//! Measures the samples with `-fupc-races` against the same without it. The wanted ratio is at most ten.

use std::path::Path;
use std::process::Command;

use super::events::{COARSE, FINE, build};
use super::{LIMIT, THREADS, row};
use crate::context::Context;
use crate::process;

/// The number of runs of each program; the least time counts, because other load on the machine only adds time.
const ROUNDS: usize = 3;

/// A program runs at most this many times as long with the detection of races.
const WANTED: f64 = 10.0;

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    println!(
        "-fupc-races: ms, the least of {ROUNDS} runs, against the same without; ! marks those above {WANTED}"
    );
    let mut held = 0;
    for sample in COARSE.iter().chain(FINE) {
        let (plain, checked) = build(context, work, sample, "-fupc-races")?;
        let mut least = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            for (least, program) in least.iter_mut().zip([&plain, &checked]) {
                let mut upcrun: Command = context.upcrun(THREADS, program);
                let time = process::must(upcrun.args(sample.args), LIMIT)?.time;
                *least = least.min(time.as_secs_f64() * 1e3);
            }
        }
        let [without, with] = least;
        let holds = with / without <= WANTED;
        held += usize::from(holds);
        row(
            &format!("{} {}", if holds { ' ' } else { '!' }, sample.name),
            with,
            without,
        );
    }
    println!("{held} of {} hold", COARSE.len() + FINE.len());
    Ok(())
}
