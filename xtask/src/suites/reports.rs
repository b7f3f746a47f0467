//! The page of `upcprof report` in a headless Chromium: opened, zoomed, searched, clicked, in light and dark. Its
//! console must stay without errors, and nothing may be loaded from anywhere. `UPDATE=1` writes the picture of
//! `docs/upcprof.md` again.

mod counters;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::test::Test;
use crate::browser::Browser;
use crate::context::{COMPILE, Context, RUN, forever, write};
use crate::process;

/// The costs of shared memory, as far as predictions need them.
const PLATFORM: &str = "format = \"upcc platform 1\"\nname = \"here\"\n[[setting]]\nnetwork = \"smp\"\n[setting.cost]\n\"baseline.read\" = [[2, 100]]\n\"local.read\" = [[2, 100]]\n";

/// The test that needs counters of the processor.
const PROCESSOR: &str = "counters of the processor";

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("reports")?).as_path();
    Ok(vec![
        Test::one("a page in use", move || used(context, work)),
        Test::one("names with HTML", move || hostile(context, work)),
        Test::one("difference and scaling", move || compared(context, work)),
        Test::one("counters of the system", move || {
            counters::of_system(context, work)
        }),
        Test::new(PROCESSOR, move || {
            counters::of_processor(context, work, PROCESSOR)
        }),
    ])
}

/// Compiles a program of `tests/reports`.
fn compile(context: &Context, work: &Path, name: &str) -> Result<PathBuf, String> {
    let program = work.join(name);
    let mut upcc = context.upcc("gcc");
    upcc.args(["-O", "--inst-local", "--inst-functions"]);
    // The recording names the source as the compiler was given it.
    upcc.current_dir(context.root.join("tests/reports"))
        .arg(format!("{name}.upc"));
    process::must(upcc.arg("-o").arg(&program), COMPILE)?;
    Ok(program)
}

/// The command that runs a program and records it.
fn upcrun(
    context: &Context,
    program: &Path,
    threads: u32,
    recording: &Path,
) -> Result<Command, String> {
    let mut upcrun = Command::new(&context.upcrun);
    upcrun.args(["-n", &threads.to_string(), "-trace", "-tracefile"]);
    // The page has the name by which the program was started: no folder of this machine.
    let (folder, name) = program
        .parent()
        .zip(program.file_name())
        .ok_or("a program without a folder")?;
    upcrun.current_dir(folder).arg(recording);
    upcrun.arg(Path::new(".").join(name));
    Ok(upcrun)
}

/// Runs a program and returns its recording.
fn record(context: &Context, program: &Path, threads: u32, run: u32) -> Result<PathBuf, String> {
    let recording = program.with_extension(format!("{threads}-{run}.upcprof"));
    let mut upcrun = upcrun(context, program, threads, &recording)?;
    let printed = process::must(&mut upcrun, RUN)?.out();
    match printed.trim() {
        "PASS" => Ok(recording),
        _ => Err(format!("the program printed {printed:?}")),
    }
}

/// Makes the page of a recording.
fn report(context: &Context, recording: &Path, more: &[(&str, &Path)]) -> Result<PathBuf, String> {
    let page = recording.with_extension("html");
    let mut report = Command::new(&context.upcprof);
    report.arg("report").arg(recording).arg("-o").arg(&page);
    report
        .arg("--source-dir")
        .arg(context.root.join("tests/reports"));
    for (option, file) in more {
        report.arg(option).arg(file);
    }
    process::must(&mut report, RUN)?;
    Ok(page)
}

/// Compiles a program of `tests/reports`, runs it and makes the page.
fn page(context: &Context, work: &Path, name: &str) -> Result<PathBuf, String> {
    let program = compile(context, work, name)?;
    report(context, &record(context, &program, 4, 0)?, &[])
}

/// The colours of the frames of the flame graph, in the page's language.
const COLOURS: &str = "Array.from(document.querySelectorAll('#flame-graph button'), (box) => box.style.background).join()";

/// A page with older recordings and with those of other numbers of threads.
fn compared(context: &Context, work: &Path) -> Result<(), String> {
    let work = work.join("compared");
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let program = compile(context, &work, "heat")?;
    let (new, old) = (
        record(context, &program, 4, 0)?,
        record(context, &program, 4, 1)?,
    );
    let few = record(context, &program, 2, 0)?;
    let platform = work.join("here.platform");
    write(&platform, PLATFORM)?;
    let options = [
        ("--before", old.as_path()),
        ("--scale", few.as_path()),
        ("--platform", platform.as_path()),
        ("--sizes", Path::new("STEPS=10,20,40")),
    ];
    let page = report(context, &new, &options)?;
    let mut browser = Browser::start(1400, 1000)?;
    browser.open(&page, "")?;
    // All of the time before is in a frame, or gone.
    browser
        .expect("totals(flameBefore.own)[0] > 0 && flameBefore.own.every((time) => time >= 0)")?;
    browser.expect("document.querySelectorAll('#difference tr').length > 2")?;
    browser.evaluate(&format!("window.changed = {COLOURS}"))?;
    browser.evaluate("byId('flame-colour').value = 'state'; byId('flame-colour').dispatchEvent(new Event('change'))")?;
    browser.expect(&format!("{COLOURS} !== changed && !showsChange()"))?;
    // Older recordings have no times of one thread.
    browser.evaluate(
        "byId('flame-colour').value = 'change'; byId('flame-thread').value = '1'; drawFlame()",
    )?;
    browser.expect("!showsChange()")?;
    browser.evaluate("byId('flame-thread').value = ''; drawFlame()")?;
    browser.expect(&format!("showsChange() && {COLOURS} === changed && changeText(0, flameTotals.own.map(() => 0)).includes('before ')"))?;
    browser.expect("document.querySelectorAll('#scaling circle').length === 2 && document.querySelectorAll('#scaling polyline').length >= 2")?;
    browser.expect("document.querySelector('#scaling').textContent.includes('speed-up')")?;
    browser.expect("document.querySelectorAll('#forecast svg').length === 2")?;
    browser.expect(
        "document.querySelectorAll('#forecast svg')[1].querySelectorAll('circle').length === 3",
    )?;
    browser
        .expect("document.querySelectorAll('#forecast table')[1].textContent.includes('STEPS')")?;
    without_errors(&mut browser)
}

fn used(context: &Context, work: &Path) -> Result<(), String> {
    let page = page(context, work, "heat")?;
    let mut browser = Browser::start(1400, 1000)?;
    for scheme in ["light", "dark"] {
        browser.prefer(scheme)?;
        browser.open(&page, "")?;
        zoomed(&mut browser)?;
        critical(&mut browser)?;
        consistent(&mut browser)?;
        findings(&mut browser)?;
        searched(&mut browser)?;
        selected(&mut browser)?;
        arrays(&mut browser)?;
        without_errors(&mut browser)?;
    }
    if std::env::var_os("UPDATE").is_some() {
        pictured(context, &mut browser, &page)?;
    }
    linked(&mut browser, &page)?;
    without_errors(&mut browser)
}

/// Writes the picture of the documentation again.
fn pictured(context: &Context, browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.prefer("light")?;
    browser.open(page, "")?;
    browser.expect("byId('range').textContent !== ''")?;
    let picture = STANDARD
        .decode(browser.picture()?)
        .map_err(|e| e.to_string())?;
    let file = context.root.join("docs/images/report.png");
    fs::write(&file, picture).map_err(|e| format!("{}: {e}", file.display()))
}

fn without_errors(browser: &mut Browser) -> Result<(), String> {
    match browser.errors().as_slice() {
        [] => Ok(()),
        errors => Err(format!("errors of the page: {}", errors.join("\n"))),
    }
}

/// Zooms by keys and by the wheel, pans, and shows the whole run again.
fn zoomed(browser: &mut Browser) -> Result<(), String> {
    browser.expect("place.from === data.run.first && place.to === data.run.last")?;
    browser.key("w")?;
    browser.expect(
        "Math.abs((place.to - place.from) / (data.run.last - data.run.first) - 0.5) < 0.01",
    )?;
    browser.ctrl_wheel("#tracks", -200)?;
    browser.expect("(place.to - place.from) / (data.run.last - data.run.first) < 0.45")?;
    browser.evaluate("window.before = place.from")?;
    browser.key("a")?;
    browser.expect("place.from < before")?;
    // The address says where the page is.
    browser.expect("/#t=\\d/.test(location.hash)")?;
    browser.key("0")?;
    browser.expect("place.from === data.run.first && place.to === data.run.last")?;
    // Something is drawn: the first row has the colour of a state somewhere.
    browser.expect(
        "(() => { const pen = tracks.getContext('2d'); const y = (AXIS + ROW / 2) * devicePixelRatio; const row = pen.getImageData(GUTTER * devicePixelRatio, y, tracks.width - GUTTER * devicePixelRatio, 1).data; return new Set(Array.from(row.keys()).filter((at) => at % 4 === 0).map((at) => row.slice(at, at + 4).join())).size > 2; })()",
    )
}

/// The timeline has the critical path, also through the thread that computes longer: others may lack a processor for as
/// long.
fn critical(browser: &mut Browser) -> Result<(), String> {
    browser.expect("/; critical path: .*thread 1 /.test(byId('range').textContent)")?;
    // The first click moves the mouse away from the timeline, which shows where it is.
    browser.click("#show-critical")?;
    browser.frame()?;
    browser.evaluate("window.without = tracks.toDataURL()")?;
    browser.click("#show-critical")?;
    browser.expect("tracks.toDataURL() !== without")?;
    browser.click("#show-critical")?;
    browser.expect("tracks.toDataURL() === without")?;
    browser.click("#show-critical")
}

/// Any two views agree in their sums: the levels of the timeline, and the sections that are made of the profile.
fn consistent(browser: &mut Browser) -> Result<(), String> {
    browser.expect(
        "data.timeline.widths.every((_, level) => { const a = timesInView(0), b = timesInView(level); return a.events === b.events && a.sums.every((time, state) => Math.abs(time - b.sums[state]) < 1); })",
    )?;
    browser.expect(
        "sum(data.balance.times.flat()) === data.run.whole && sum(flameTotals.own) === data.run.whole && totals(flameTotals.own)[0] === data.run.whole",
    )?;
    browser
        .expect("data.balance.times.every((times, thread) => sum(times) === sum(ownTimes(thread)))")
}

/// A click on a finding leads to its moment, its line and its thread.
fn findings(browser: &mut Browser) -> Result<(), String> {
    browser.click(".finding .to-moment")?;
    browser.expect(
        "place.finding === 0 && document.querySelector('.finding').classList.contains('chosen')",
    )?;
    browser.expect(
        "(({ from, to }) => place.from <= from && to <= place.to)(data.findings[0].moment)",
    )?;
    // On a busy machine the costliest one may be at the end of the program, which has no line.
    browser.evaluate(
        "window.clicked = Number(document.querySelector('.finding .to-line').dataset.finding)",
    )?;
    browser.click(".finding .to-line")?;
    browser.expect(
        "document.querySelector('.source tr.chosen')?.dataset.line === data.findings[clicked].place",
    )?;
    browser.key("n")?;
    browser.expect(
        "place.finding === (clicked + 1) % data.findings.filter((it) => it.is_large).length",
    )?;
    browser.key("Escape")?;
    browser.expect("place.finding === null")
}

/// A search finds a function, and Enter leads to its call path.
fn searched(browser: &mut Browser) -> Result<(), String> {
    browser.key("/")?;
    browser.expect("document.activeElement === byId('search')")?;
    browser.write("relax")?;
    browser.expect("document.querySelectorAll('#results button').length > 0")?;
    browser.key("Enter")?;
    browser.expect(
        "byId('results').hidden && place.path !== null && pathFrame(place.path).label === 'relax'",
    )?;
    browser.expect("byId('flame-note').textContent.startsWith('relax: ')")?;
    browser.click("#flame-reset")?;
    browser.expect("place.path === null")
}

/// A click on the timeline says what is there, with links.
fn selected(browser: &mut Browser) -> Result<(), String> {
    browser.click("#tracks")?;
    browser.expect("byId('selected').textContent.includes('thread ') && place.thread !== null")?;
    browser.click("#selected a:last-child")?;
    browser.click("#balance-bars .row:nth-child(2) button")?;
    browser.expect("document.querySelector('#balance-bars .chosen button').textContent === `thread ${place.thread}`")
}

/// The slider of the block size changes the part of the accesses that are local.
fn arrays(browser: &mut Browser) -> Result<(), String> {
    browser.click("#block-best")?;
    browser.evaluate("window.best = localWith(arrayShown(), blockSizes[byId('block').value])")?;
    browser.click("#block-declared")?;
    browser.expect("localWith(arrayShown(), blockSizes[byId('block').value]) < best")?;
    browser.expect("byId('array-note').textContent.includes('elements')")
}

/// A link to a place opens there.
fn linked(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "t=0.000100,0.000300&thread=2&line=nonsense&array=999")?;
    browser.expect("place.thread === 2 && place.array === null && place.from >= data.run.first && place.to <= data.run.last")?;
    browser.expect("Math.abs(place.to - place.from - 200000) < 1")
}

/// Names in a recording are never HTML or script, whatever they contain.
fn hostile(context: &Context, work: &Path) -> Result<(), String> {
    let page = page(context, work, "hostile")?;
    let mut browser = Browser::start(1000, 800)?;
    browser.open(&page, "line=%3Cimg%20src%3Dx%20onerror%3Dstolen%3D1%3E%3A1")?;
    browser.expect("data.files.some((name) => name.includes('</script><script>'))")?;
    // Every name is shown once by each way to show it.
    browser.key("/")?;
    browser.write("<")?;
    browser.expect("document.querySelectorAll('#results button').length > 1")?;
    browser.expect("byId('findings').textContent.length > 0")?;
    browser.expect("typeof stolen === 'undefined'")?;
    browser.expect("document.scripts.length === 2 && document.images.length === 0 && document.querySelectorAll('svg, iframe').length === 0")?;
    without_errors(&mut browser)
}
