//! Lines of several threads on one pipe, file or terminal: no line may contain a part of another.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::context::Context;
use crate::report::Tally;
use crate::suites::faults::Programs;
use crate::suites::test::Test;
use crate::tools;

/// The target of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    Pipe,
    /// A pipe that is read so slowly that it is full most of the time.
    SlowPipe,
    File,
    Terminal,
}

const TARGETS: &[To] = &[To::Pipe, To::SlowPipe, To::File, To::Terminal];
/// The values in `lines.upc`.
const LINES: usize = 60;
const THREADS: usize = 8;

/// Returns tests of both streams with all targets.
pub fn tests(context: &'static Context, work: &'static Path) -> Vec<Test> {
    let programs = Programs::new("lines");
    let mut tests = Vec::new();
    for &to in TARGETS {
        for stream in ["stdout", "stderr"] {
            let name = format!("lines on {stream} to {to:?}");
            let programs = programs.clone();
            tests.push(Test::new(name.clone(), move || {
                if to == To::Terminal && !tools::answers("script", &["--version"]) {
                    return Tally::skipped(&name, "needs script");
                }
                let text = programs
                    .get(context, work, &name)
                    .and_then(|program| output(context, work, program, stream, to));
                Tally::one(&name, text.and_then(|text| judge(&text)))
            }));
        }
    }
    tests
}

fn output(
    context: &Context,
    work: &Path,
    program: &Path,
    stream: &str,
    to: To,
) -> Result<Vec<u8>, String> {
    let mut command = context.upcrun(THREADS, program);
    if to == To::Terminal {
        command = Command::new("script");
        command.args([
            "-qec",
            "\"$UPCRUN\" -n 8 \"$PROGRAM\" $STREAM </dev/null",
            "/dev/null",
        ]);
        command
            .env("UPCRUN", &context.upcrun)
            .env("PROGRAM", program)
            .env("STREAM", stream);
    } else {
        command.arg(stream);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let path = work.join(format!("lines-{stream}.out"));
    let sink = match to {
        To::File => Stdio::from(File::create(&path).map_err(|e| e.to_string())?),
        To::Pipe | To::SlowPipe | To::Terminal => Stdio::piped(),
    };
    if stream == "stderr" && to != To::Terminal {
        command.stderr(sink);
    } else {
        command.stdout(sink);
    }
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let text = read(&mut child, to);
    let status = child.wait().map_err(|e| e.to_string())?;
    if !status.success() {
        return Err(format!("ends with {status}"));
    }
    match to {
        To::File => fs::read(&path).map_err(|e| e.to_string()),
        To::Pipe | To::SlowPipe | To::Terminal => text,
    }
}

/// Returns everything read from the pipe.
fn read(child: &mut Child, to: To) -> Result<Vec<u8>, String> {
    let pipe = child
        .stdout
        .take()
        .map(|pipe| Box::new(pipe) as Box<dyn Read>);
    let pipe = pipe.or_else(|| {
        child
            .stderr
            .take()
            .map(|pipe| Box::new(pipe) as Box<dyn Read>)
    });
    let mut text = Vec::new();
    let mut part = [0; 5000];
    let Some(mut pipe) = pipe else {
        return Ok(text);
    };
    loop {
        let n = pipe.read(&mut part).map_err(|e| e.to_string())?;
        if n == 0 {
            return Ok(text);
        }
        text.extend_from_slice(&part[..n]);
        if to == To::SlowPipe {
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Checks that all lines are complete, and that the last words come together at the end.
fn judge(text: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(text).replace('\r', "");
    let (lines, rest) = text.rsplit_once('\n').unwrap_or_default();
    let mut counts = [0; THREADS];
    for line in lines.lines() {
        // The last words of threads that have ended may precede the lines of the others.
        let mut line = line;
        while let Some(rest) = line.strip_prefix("end") {
            line = rest;
        }
        let thread = whole(line).ok_or_else(|| {
            let start: String = line.chars().take(60).collect();
            format!("a line of {} bytes is not whole: {start}", line.len())
        })?;
        counts[thread] += 1;
    }
    if counts != [LINES; THREADS] || !text.ends_with("end") {
        return Err(format!(
            "lines of each thread: {counts:?}, at the end `{rest}`"
        ));
    }
    Ok(())
}

/// Returns the thread that printed the line; `None`: the line is not one thread's.
fn whole(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split(' ').collect();
    let [thread, length, text, again] = words[..] else {
        return None;
    };
    let number: usize = thread.parse().ok().filter(|&n| n < THREADS)?;
    let letter = char::from(b'a' + u8::try_from(number).ok()?);
    let fits =
        thread == again && length.parse() == Ok(text.len()) && text.chars().all(|c| c == letter);
    fits.then_some(number)
}
