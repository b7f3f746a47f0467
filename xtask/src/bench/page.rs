//! The page of `upcprof report` for many events: its size, and how often a second it draws the timeline anew.

use std::path::Path;
use std::process::Command;

use super::events::{file_of, in_trace, measured};
use super::{Kept, LIMIT, compile_as};
use crate::browser::Browser;
use crate::context::Context;
use crate::process;

/// The rounds of the program `reading` that make about a million events, and about ten million.
const ROUNDS: &[u32] = &[2_000, 20_000];
/// The size of a page in MB that none may exceed, and the milliseconds of a frame, of which there are 60 a second; a
/// browser draws none earlier, so that a part of a millisecond is measured beyond.
const MEGABYTES: f64 = 30.0;
const FRAME: f64 = 1e3 / 60.0;
const EARLIEST: f64 = 1.05;
/// The parts of the run that are in view while it is panned through.
const IN_VIEW: &[f64] = &[0.5, 0.05, 0.0005];

/// Makes the pages, opens them and pans through the run.
pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let source = context.root.join("xtask/bench/reading.upc");
    println!("pages of upcprof report");
    for rounds in ROUNDS {
        let program = work.join(format!("page-{rounds}"));
        let define = format!("-DROUNDS={rounds}");
        compile_as(
            context,
            &source,
            &["-inst", "-inst-functions", &define],
            &program,
        )?;
        process::must(&mut measured(context, &program, Some("trace"), &[]), LIMIT)?;
        let recording = file_of(&program);
        let upcprof = |words: &[&str]| {
            let mut upcprof = Command::new(&context.upcprof);
            upcprof.args(words).arg(&recording);
            process::must(&mut upcprof, LIMIT)
        };
        let events = in_trace(&upcprof(&["stat"])?.out())?;
        let page = recording.with_extension("html");
        let name = page.to_string_lossy();
        upcprof(&["report", "--no-baseline", "-o", &name])?;
        let bytes = std::fs::metadata(&page).map_err(|e| e.to_string())?.len();
        let what = format!("page of {:.1} million events", events / 1e6);
        kept.row(&format!("{what}, MB"), bytes as f64 / 1e6, MEGABYTES, 1.0);
        let mut browser = Browser::start(1400, 1000)?;
        browser.open(&page, "")?;
        for part in IN_VIEW {
            let frame = panned(&mut browser, *part)?;
            let what = format!("{what}, ms a frame, {} % in view", part * 100.0);
            kept.row(&what, frame, FRAME, EARLIEST);
        }
    }
    Ok(())
}

/// Returns the milliseconds from frame to frame while a part of the run is in view and moves by a hundredth of it in each.
fn panned(browser: &mut Browser, part: f64) -> Result<f64, String> {
    let pan = format!(
        "new Promise((done) => {{
            const length = (data.run.last - data.run.first) * {part};
            go(clampRange(data.run.first, data.run.first + length));
            let frames = -10, from = 0;
            const next = (now) => {{
                if (frames === 0) from = now;
                if (frames === 120) {{ done((now - from) / frames); return; }}
                frames += 1;
                go(clampRange(place.from + length / 100, place.to + length / 100));
                requestAnimationFrame(next);
            }};
            requestAnimationFrame(next);
        }})"
    );
    let frame = browser.evaluate(&pan)?;
    frame
        .as_f64()
        .ok_or_else(|| format!("no time of a frame: {frame}"))
}
