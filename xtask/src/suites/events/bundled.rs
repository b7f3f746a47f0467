//! The bundled tool `dump`: when it is active, where it writes, and what remains of its output after a crash.

use std::path::Path;

use super::clients::{Bench, THREADS};
use super::dump;
use crate::context::read;

/// Builds a program on which the tool is active by default.
fn build(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, "--inst --inst-toolname=dump @client/app.upc -o app")?;
    Ok(())
}

/// Tests `--inst-toolname=dump` at the link, which the environment overrides.
pub fn chosen(bench: &Bench, cc: &'static str) -> Result<(), String> {
    build(bench, cc)?;
    bench.launch("app", &[], 0)?;
    for thread in 0..THREADS {
        let lines = dump::read_file(&bench.work.join(format!("gasp_dump.{thread}")))?;
        dump::balanced(&lines)?;
        if lines.len() < 20 {
            return Err(format!("the dump has {} lines", lines.len()));
        }
    }
    let silent = bench.work.join("silent");
    let set = [
        ("GASP_DUMPFILE", silent.as_path()),
        ("UPC_TOOL", Path::new("none")),
    ];
    bench.launch("app", &set, 0)?;
    match silent.exists() {
        true => Err("UPC_TOOL=none does not silence the tool".to_owned()),
        false => Ok(()),
    }
}

/// Tests the streams, one file for all threads, and no file.
pub fn files(bench: &Bench, cc: &'static str) -> Result<(), String> {
    build(bench, cc)?;
    let to = |file: &Path, more: &[(&str, &Path)]| {
        let mut set = vec![("GASP_DUMPFILE", file)];
        set.extend(more);
        bench.launch("app", &set, 0)
    };
    let (out, err) = (to(Path::new("stdout"), &[])?, to(Path::new("-"), &[])?);
    for text in [out.out(), err.err()] {
        of_all_threads(&text)?;
    }
    let one = bench.work.join("one");
    to(&one, &[("GASP_FLUSH", Path::new("1"))])?;
    of_all_threads(&read(&one)?)?;
    let skipped = bench.work.join("skipped");
    to(&skipped, &[("GASP_SKIPOUTPUT", Path::new("yes"))])?;
    match read(&skipped)?.as_str() {
        "" => Ok(()),
        text => Err(format!("GASP_SKIPOUTPUT: {text}")),
    }
}

/// Checks that the text has complete lines of every thread.
fn of_all_threads(text: &str) -> Result<(), String> {
    dump::lines(text)?;
    let silent = (0..THREADS).find(|thread| {
        let head = format!("{thread}/{THREADS} ");
        !text.lines().any(|line| line.starts_with(&head))
    });
    silent.map_or(Ok(()), |thread| {
        Err(format!("nothing of thread {thread} in: {text}"))
    })
}

/// Tests a thread that dies of a signal: the dump has its last event, and the events of the thread that is stopped.
pub fn dying(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(
        cc,
        "--inst-local --inst-toolname=dump @crash/crash.upc -o crash",
    )?;
    let file = bench.work.join("dump.%");
    bench.launch("crash", &[("GASP_DUMPFILE", &file)], 128 + 11)?;
    for (thread, event) in [
        (0, "crash.upc:22:9 UPC_MEMSET START"),
        (1, "crash.upc:25:5 UPC_BARRIER START"),
    ] {
        let lines = dump::read_file(&bench.work.join(format!("dump.{thread}")))?;
        if !lines.last().is_some_and(|line| line.starts_with(event)) {
            return Err(format!(
                "thread {thread} ends otherwise than by {event}: {lines:?}"
            ));
        }
    }
    Ok(())
}

/// Tests a name that is not a bundled tool: at the link it stands for a tool of the user's, in the environment it is an
/// error.
pub fn unknown(bench: &Bench, cc: &'static str) -> Result<(), String> {
    bench.upcc(cc, "--inst --inst-toolname=gasp-tau @client/app.upc -o app")?;
    bench.launch("app", &[], 0)?;
    let output = bench.launch("app", &[("UPC_TOOL", Path::new("nonsense"))], 1)?;
    match output.err().contains("there is no tool 'nonsense'") {
        true => Ok(()),
        false => Err(output.tail()),
    }
}
