//! Exports a trace to speedscope's own format and to Chrome's: one thread after the other, as opening and closing
//! events.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::Summary;
use super::label::{label, title};
use super::nest::{Nest, Span, Step};
use crate::prof::limits::Shown;
use crate::prof::model::{Recording, Tables, Thread};
use crate::prof::names::shown;

/// An element of a thread's spans.
enum Mark {
    Open(Span),
    Close,
    /// A span without duration.
    Point(Span),
}

/// Returns the lanes of selected threads, as pairs of a thread and a pthread: the pthreads that have events, and the
/// first one of each thread.
pub fn lanes(recording: &dyn Recording) -> impl Iterator<Item = (&Thread, u32)> {
    let threads = recording.threads().iter();
    let selected = threads.filter(|thread| recording.is_selected(thread.id));
    selected.flat_map(|thread| {
        let others = recording.pthreads(thread.id).into_iter();
        std::iter::once(0)
            .chain(others)
            .map(move |pthread| (thread, pthread))
    })
}

/// Returns the name of a lane.
pub fn name_of(thread: &Thread, pthread: u32) -> String {
    match pthread {
        0 => format!("UPC thread {}", thread.id),
        _ => format!("UPC thread {}, pthread {pthread}", thread.id),
    }
}

/// Reports the marks of one pthread with their times, and returns the time of its end.
fn marks(
    recording: &dyn Recording,
    (thread, pthread): (&Thread, u32),
    summary: &mut Summary,
    mut emit: impl FnMut(Mark, u64) -> io::Result<()>,
) -> io::Result<u64> {
    let (mut nest, mut steps) = (Nest::default(), Vec::new());
    let mut stream = recording.pthread_events(thread.id, pthread);
    let mut put = |nest: &Nest, steps: &[Step], summary: &mut Summary| {
        steps.iter().try_for_each(|step| {
            let mark = match *step {
                Step::Open(span) => {
                    summary.spans += 1;
                    Mark::Open(span)
                }
                Step::Resume(span) => Mark::Open(span),
                Step::Close(_) | Step::Split(_) => Mark::Close,
                Step::Cut(_) => {
                    summary.cut += 1;
                    Mark::Close
                }
                Step::Point(span) => Mark::Point(span),
                Step::Stray => {
                    summary.stray += 1;
                    return Ok(());
                }
            };
            emit(mark, nest.now())
        })
    };
    while let Some(event) = stream.next() {
        summary.events += 1;
        nest.take(recording.tables(), event, &mut steps);
        put(&nest, &steps, summary)?;
    }
    nest.finish(thread.end_of_trace(nest.now()), &mut steps);
    put(&nest, &steps, summary)?;
    Ok(nest.now())
}

/// The frames of a speedscope file: each name and place once.
#[derive(Default)]
pub struct Frames {
    known: HashMap<Span, usize>,
    list: Vec<Value>,
}

impl Frames {
    pub fn of(&mut self, tables: &Tables, span: Span) -> usize {
        let list = &mut self.list;
        *self.known.entry(span).or_insert_with(|| {
            let mut frame = json!({ "name": label(tables, span.kind, span.site) });
            if let Some(site) = tables.site(span.site).filter(|site| site.line > 0) {
                frame["file"] = shown(tables.text(site.file)).into();
                frame["line"] = site.line.into();
                if site.column > 0 {
                    frame["col"] = site.column.into();
                }
            }
            list.push(frame);
            list.len() - 1
        })
    }
}

/// Writes the parts of a speedscope file around its profiles. The frames come last because only then are all of them
/// known.
pub fn speedscope_file(
    recording: &dyn Recording,
    out: &mut dyn Write,
    profiles: impl FnOnce(&mut dyn Write, &mut Frames) -> io::Result<Summary>,
) -> io::Result<Summary> {
    let shown = match recording.has_trace() {
        true => Shown::Trace,
        false => Shown::Profile,
    };
    let name = Value::from(title(recording, shown));
    write!(
        out,
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"upcprof {}\",\"name\":{name},\"profiles\":[",
        env!("CARGO_PKG_VERSION")
    )?;
    let mut frames = Frames::default();
    let summary = profiles(out, &mut frames)?;
    write!(out, "\n],\"shared\":{{\"frames\":[")?;
    for (at, frame) in frames.list.iter().enumerate() {
        write!(out, "{}\n{frame}", comma(at))?;
    }
    writeln!(out, "\n]}}}}")?;
    Ok(summary)
}

/// Writes a speedscope file with one `evented` profile for each pthread.
pub fn speedscope(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<Summary> {
    speedscope_file(recording, out, |out, frames| {
        let mut summary = Summary::default();
        for (at, (thread, pthread)) in lanes(recording).enumerate() {
            write!(
                out,
                "{}\n{{\"type\":\"evented\",\"name\":\"{}\",\"unit\":\"nanoseconds\",\"startValue\":{},\"events\":[",
                comma(at),
                name_of(thread, pthread),
                thread.first
            )?;
            let (mut open, mut first) = (Vec::new(), true);
            let mut event = |letter: char, frame: usize, time: u64| {
                let comma = if first { "" } else { "," };
                first = false;
                write!(
                    out,
                    "{comma}\n{{\"type\":\"{letter}\",\"frame\":{frame},\"at\":{}}}",
                    time.max(thread.first)
                )
            };
            let end = marks(
                recording,
                (thread, pthread),
                &mut summary,
                |mark, time| match mark {
                    Mark::Open(span) => {
                        let frame = frames.of(recording.tables(), span);
                        open.push(frame);
                        event('O', frame, time)
                    }
                    Mark::Close => open.pop().map_or(Ok(()), |frame| event('C', frame, time)),
                    Mark::Point(span) => {
                        let frame = frames.of(recording.tables(), span);
                        event('O', frame, time)?;
                        event('C', frame, time)
                    }
                },
            )?;
            write!(out, "],\"endValue\":{}}}", end.max(thread.first))?;
        }
        Ok(summary)
    })
}

/// Writes Chrome's JSON, which many viewers read, with times in microseconds; the threads are those of one process.
pub fn chrome(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let process = json!({"ph": "M", "pid": 1, "name": "process_name", "args": {"name": title(recording, Shown::Trace)}});
    write!(
        out,
        "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{process}"
    )?;
    let threads = recording.threads().len() as u64;
    let mut others = 1;
    for (thread, pthread) in lanes(recording) {
        // Numbers for the viewer: threads first.
        let id = match pthread {
            0 => u64::from(thread.id) + 1,
            _ => threads + others,
        };
        others += u64::from(pthread != 0);
        let name = json!({"ph": "M", "pid": 1, "tid": id, "name": "thread_name", "args": {"name": name_of(thread, pthread)}});
        write!(out, ",\n{name}")?;
        let mut texts: HashMap<Span, String> = HashMap::new();
        let tables = recording.tables();
        marks(recording, (thread, pthread), &mut summary, |mark, time| {
            let (phase, span) = match mark {
                Mark::Open(span) => ("B", Some(span)),
                Mark::Close => ("E", None),
                Mark::Point(span) => ("i", Some(span)),
            };
            let text =
                span.map(|span| &*texts.entry(span).or_insert_with(|| described(tables, span)));
            write!(
                out,
                ",\n{{\"ph\":\"{phase}\",\"pid\":1,\"tid\":{id},\"ts\":{}.{:03}{}}}",
                time / 1000,
                time % 1000,
                text.map_or("", String::as_str)
            )
        })?;
    }
    writeln!(out, "\n]}}")?;
    Ok(summary)
}

/// Returns name, category and place of a span, as members of a JSON object that follow others.
fn described(tables: &Tables, span: Span) -> String {
    let name = Value::from(label(tables, span.kind, span.site));
    let of = tables.kind(span.kind).group.facts().word;
    let place = tables.site(span.site).map(
        |site| json!({"file": shown(tables.text(site.file)), "line": site.line, "column": site.column}),
    );
    let args = place.map_or(String::new(), |place| format!(",\"args\":{place}"));
    format!(",\"name\":{name},\"cat\":\"{of}\"{args}")
}

pub fn comma(at: usize) -> &'static str {
    if at == 0 { "" } else { "," }
}
