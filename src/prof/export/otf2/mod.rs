//! Exports a trace to OTF2 by means of its C library, where that is installed: `writer.c`, which reads lines of text, is
//! compiled and started.
//!
//! Each pthread is a location, each kind of event at a place a region, and accesses to the memory of other threads are
//! RMA operations.

use super::Summary;
use super::label::label;
use super::nest::{Nest, Span, Step};
use super::timeline::{lanes, name_of};
use crate::cli::Failure;
use crate::cli::temp_files::Temps;
use crate::driver::toolchain::Compiler;
use crate::prof::model::{Direction, Event, Group, Phase, Recording, Tables, Thread};
use crate::prof::names::shown;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::UNIX_EPOCH;

/// The program that calls the library.
const WRITER: &str = include_str!("writer.c");

/// Writes the archive `FOLDER/trace.otf2`.
///
/// # Errors
/// The recording has no events; the library is not installed; the folder exists or cannot be written.
pub fn write(recording: &dyn Recording, folder: &Path) -> Result<Summary, Failure> {
    if !recording.has_trace() {
        return Err(Failure::environment(super::Error::NoTrace.to_string()));
    }
    if folder.exists() {
        return Err(Failure::environment(format!(
            "{} exists: an OTF2 archive needs a folder of its own, which -o names",
            folder.display()
        )));
    }
    let temps = Temps::new(None)?;
    let mut child = Command::new(compiled(&temps)?)
        .arg(folder)
        .arg("trace")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::io("start", Path::new("the writer of OTF2"), &error))?;
    let summary = match child.stdin.take() {
        Some(to) => lines(recording, &mut BufWriter::new(to)),
        None => Ok(Summary::default()),
    };
    finished(child)?;
    summary.map_err(|error| Failure::io("write", folder, &error))
}

/// Waits for the writer.
fn finished(child: Child) -> Result<(), Failure> {
    let ended = child.wait_with_output();
    let ended = ended.map_err(|error| Failure::environment(format!("OTF2: {error}")))?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(Failure::environment(format!(
            "OTF2: {}",
            shown(String::from_utf8_lossy(&ended.stderr).trim())
        ))),
    }
}

/// Compiles the program.
fn compiled(temps: &Temps) -> Result<PathBuf, Failure> {
    let (source, program) = (temps.file("otf2.c"), temps.file("otf2"));
    fs::write(&source, WRITER).map_err(|error| Failure::io("write", &source, &error))?;
    let config = Command::new("otf2-config")
        .args(["--cflags", "--ldflags", "--libs"])
        .output();
    let flags = match config {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        // Where that program is missing, the library may still be where the compiler looks.
        Ok(_) | Err(_) => "-lotf2".to_owned(),
    };
    let compiler = Compiler::from_env()?.program(&temps.file(""))?;
    let output = Command::new(&compiler)
        .arg("-O1")
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .args(flags.split_ascii_whitespace())
        .output()
        .map_err(|error| Failure::io("start", &compiler, &error))?;
    if output.status.success() {
        return Ok(program);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    let why = why.lines().find(|line| line.contains("error"));
    Err(Failure::environment(format!(
        "the OTF2 library cannot be used ({}): install it with its headers (Debian: libotf2-trace-dev)",
        shown(why.unwrap_or("the compiler failed"))
    )))
}

/// The regions by their numbers.
#[derive(Default)]
struct Regions {
    known: HashMap<Span, usize>,
    list: Vec<Span>,
}

impl Regions {
    fn number(&mut self, span: Span) -> usize {
        let list = &mut self.list;
        *self.known.entry(span).or_insert_with(|| {
            list.push(span);
            list.len() - 1
        })
    }
}

/// Writes the lines that the program reads.
fn lines(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut regions = Regions::default();
    let threads = recording.threads();
    // The first pthreads have the numbers of their threads.
    let mut others = threads.len();
    let mut numbered: Vec<(usize, &Thread, u32)> = Vec::new();
    for (thread, pthread) in lanes(recording) {
        let number = match pthread {
            0 => thread.id as usize,
            _ => {
                others += 1;
                others - 1
            }
        };
        numbered.push((number, thread, pthread));
    }
    numbered.sort_by_key(|(number, ..)| *number);
    for (number, thread, pthread) in &numbered {
        events(
            recording,
            (*number, thread, *pthread),
            &mut regions,
            &mut summary,
            out,
        )?;
    }
    let tables = recording.tables();
    for (number, span) in regions.list.iter().enumerate() {
        define(tables, number, *span, out)?;
    }
    for (number, thread, pthread) in numbered {
        writeln!(
            out,
            "l {number} {}\n{}",
            thread.id,
            name_of(thread, pthread)
        )?;
    }
    let first = threads.iter().map(|thread| thread.first).min().unwrap_or(0);
    let last = threads.iter().map(|thread| thread.last).max().unwrap_or(0);
    let started = recording.facts().started.unwrap_or(UNIX_EPOCH);
    let started = started.duration_since(UNIX_EPOCH).unwrap_or_default();
    writeln!(
        out,
        "t {} {first} {last} {}",
        threads.len(),
        started.as_nanos()
    )?;
    out.flush()?;
    Ok(summary)
}

fn define(tables: &Tables, number: usize, span: Span, out: &mut dyn Write) -> io::Result<()> {
    let (file, line) = match tables.site(span.site) {
        Some(site) => (shown(tables.text(site.file)), site.line),
        None => ("".into(), 0),
    };
    let role = tables.kind(span.kind).group.facts().otf2;
    let name = label(tables, span.kind, span.site);
    writeln!(out, "r {number} {role} {line}\n{name}\n{file}")
}

/// Writes the events of a lane.
fn events(
    recording: &dyn Recording,
    (lane, thread, pthread): (usize, &Thread, u32),
    regions: &mut Regions,
    summary: &mut Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tables = recording.tables();
    let (mut nest, mut steps) = (Nest::default(), Vec::new());
    let mut stream = recording.pthread_events(thread.id, pthread);
    while let Some(event) = stream.next() {
        summary.events += 1;
        nest.take(tables, event, &mut steps);
        if let Some((letter, peer)) = transfer(tables, event)
            && (peer as usize) < recording.threads().len()
        {
            writeln!(out, "{letter} {lane} {} {peer} {}", nest.now(), event.bytes)?;
        }
        put(tables, (lane, nest.now()), &steps, regions, summary, out)?;
    }
    nest.finish(thread.end_of_trace(nest.now()), &mut steps);
    put(tables, (lane, nest.now()), &steps, regions, summary, out)
}

/// Returns the kind of an operation on the memory of another thread that ends, and that thread. Transfers in the
/// background are those of the calls that start them.
fn transfer(tables: &Tables, event: &Event) -> Option<(char, u32)> {
    let traffic = event.traffic?;
    let peer = traffic.peer(event.thread);
    let ends = event.phase == Phase::End && tables.kind(event.kind).nested;
    let letter = match traffic.direction {
        Direction::Get => 'G',
        Direction::Put | Direction::Copy => 'P',
    };
    (ends && event.bytes > 0 && peer != event.thread).then_some((letter, peer))
}

fn put(
    tables: &Tables,
    (lane, now): (usize, u64),
    steps: &[Step],
    regions: &mut Regions,
    summary: &mut Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    for step in steps {
        let mut write = |letters: &str, span: Span| {
            let region = regions.number(span);
            letters
                .chars()
                .try_for_each(|letter| writeln!(out, "{letter} {lane} {now} {region}"))
        };
        match *step {
            Step::Open(span) => {
                summary.spans += 1;
                write("E", span)?;
            }
            Step::Resume(span) => write("E", span)?,
            Step::Close(span) | Step::Split(span) => write("X", span)?,
            Step::Cut(span) => {
                summary.cut += 1;
                write("X", span)?;
            }
            Step::Point(span) if tables.kind(span.kind).group != Group::Note => {
                write("EX", span)?;
            }
            Step::Point(_) => {}
            Step::Stray => summary.stray += 1,
        }
    }
    Ok(())
}
