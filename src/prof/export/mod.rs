//! Exports recordings to the formats of other tools: `upcprof export FILE --format NAME -o OUT`.
//!
//! Each export uses only the model. Those of traces stream: memory does not grow with the number of events.

mod gnuplot;
mod label;
pub(in crate::prof) mod nest;
pub mod otf2;
mod paraver;
pub(in crate::prof) mod perfetto;
mod stacks;
mod tau;
mod timeline;

use std::fmt;
use std::io::{self, Write};

use super::estimate::Estimate;
use super::model::Recording;
pub use label::{label, label_and_place};
pub use stacks::Unit;

/// A format that recordings are exported to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Perfetto's TrackEvent protobuf: ui.perfetto.dev.
    Perfetto,
    /// speedscope's JSON: www.speedscope.app.
    Speedscope,
    /// Collapsed stacks: inferno, flamegraph.pl, speedscope.
    Collapsed,
    /// Chrome's trace events as JSON, for small traces.
    Chrome,
    /// Paraver's records, and what they mean: three files.
    Paraver,
    /// TAU's profiles: a file for each thread.
    Tau,
    /// Spans and counts as tables, with a script of gnuplot that draws them: three files.
    Gnuplot,
    /// OTF2, by its C library: a folder.
    Otf2,
}

impl Format {
    /// Returns how the output names the files of a format that has several.
    pub fn several(self) -> Option<Several> {
        match self {
            Format::Perfetto | Format::Speedscope | Format::Collapsed | Format::Chrome => None,
            Format::Paraver | Format::Gnuplot => Some(Several::Endings),
            Format::Tau => Some(Several::Folder),
            Format::Otf2 => Some(Several::Archive),
        }
    }
}

/// How the output names several files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Several {
    /// It is the folder that they are in.
    Folder,
    /// They differ in their endings.
    Endings,
    /// It is a folder that a library of its own writes ([`otf2::write`]).
    Archive,
}

/// The files of an export.
pub trait Files {
    /// Returns the path of a file, by its name in the folder or its ending.
    fn path(&self, name: &str) -> String;

    /// Writes a file.
    ///
    /// # Errors
    /// It cannot be written.
    fn file(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// The formats by name, with the purpose of each.
pub const FORMATS: &[(&str, Format, &str)] = &[
    (
        "perfetto",
        Format::Perfetto,
        "timeline with arrows and counters, for ui.perfetto.dev",
    ),
    (
        "speedscope",
        Format::Speedscope,
        "timeline, or profile where there is no trace, for speedscope.app",
    ),
    (
        "collapsed",
        Format::Collapsed,
        "call paths with their own time, for flame graphs",
    ),
    (
        "chrome",
        Format::Chrome,
        "timeline as JSON, for small traces and other viewers",
    ),
    (
        "paraver",
        Format::Paraver,
        "timeline with transfers, for Paraver: -o OUT writes OUT.prv, OUT.pcf and OUT.row",
    ),
    (
        "tau",
        Format::Tau,
        "profile of each thread, for pprof and ParaProf of TAU: -o is a folder",
    ),
    (
        "gnuplot",
        Format::Gnuplot,
        "tables and a script that draws them: -o OUT writes OUT.csv, OUT.counts.csv and OUT.gp",
    ),
    (
        "otf2",
        Format::Otf2,
        "timeline for Vampir and other readers of OTF2, where its library is installed: -o is a new folder",
    ),
];

/// The options of an export.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The format.
    pub format: Format,
    /// One set of collapsed stacks for each thread instead of one for all threads.
    pub per_thread: bool,
    /// The unit of collapsed stacks.
    pub unit: Unit,
}

/// The numbers of events and spans that an export has processed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Events read.
    pub events: u64,
    /// Spans or stacks written.
    pub spans: u64,
    /// Spans whose end is not in the recording.
    pub cut: u64,
    /// Ends whose start is not in the recording; they are left out.
    pub stray: u64,
}

impl Summary {
    /// Returns remarks for the user on events that did not fit.
    pub fn remarks(&self) -> Vec<String> {
        let losses = [
            (
                self.cut,
                "started but have no end in the recording: they are shown to end with the enclosing construct or with their thread",
            ),
            (
                self.stray,
                "ended but have no start in the recording: they are left out",
            ),
        ];
        let losses = losses.iter().filter(|(count, _)| *count > 0);
        losses
            .map(|(count, what)| format!("{count} of the events {what}"))
            .collect()
    }
}

/// The reason why an export fails.
#[derive(Debug)]
pub enum Error {
    /// The output cannot be written.
    Io(io::Error),
    /// The recording has no trace, and the format needs one.
    NoTrace,
    /// The recording has neither profile nor trace.
    NoProfile,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => error.fmt(f),
            Error::NoTrace => f.write_str(
                "this recording has no events, which this format needs: run the program with `upcrun -trace`",
            ),
            Error::NoProfile => f.write_str("this recording has neither a profile nor events"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

/// Exports a recording. `profile` is its own profile or one computed from its events.
pub fn export(
    recording: &dyn Recording,
    profile: Option<&Estimate>,
    options: Options,
    out: &mut dyn Write,
) -> Result<Summary, Error> {
    let trace = || recording.has_trace().then_some(()).ok_or(Error::NoTrace);
    let profile = || profile.ok_or(Error::NoProfile);
    let summary = match options.format {
        Format::Perfetto => {
            trace()?;
            perfetto::write(recording, out)
        }
        Format::Chrome => {
            trace()?;
            timeline::chrome(recording, out)
        }
        Format::Speedscope if recording.has_trace() => timeline::speedscope(recording, out),
        Format::Speedscope => stacks::speedscope(recording, profile()?, out),
        Format::Collapsed => {
            stacks::collapsed(recording, profile()?, options.per_thread, options.unit, out)
        }
        Format::Paraver | Format::Tau | Format::Gnuplot | Format::Otf2 => {
            return Err(io::Error::from(io::ErrorKind::InvalidInput).into());
        }
    };
    Ok(summary?)
}

/// Exports a recording to a format that has several files ([`Format::several`]).
///
/// # Errors
/// The recording lacks what the format needs; those of the files.
pub fn export_files(
    recording: &dyn Recording,
    profile: Option<&Estimate>,
    format: Format,
    files: &mut dyn Files,
) -> Result<Summary, Error> {
    let trace = || recording.has_trace().then_some(()).ok_or(Error::NoTrace);
    let profile = || profile.ok_or(Error::NoProfile);
    let summary = match format {
        Format::Paraver => {
            trace()?;
            paraver::write(recording, files)
        }
        Format::Tau => tau::write(recording, profile()?, files),
        Format::Gnuplot => {
            trace()?;
            gnuplot::write(recording, profile()?, files)
        }
        Format::Perfetto
        | Format::Speedscope
        | Format::Collapsed
        | Format::Chrome
        | Format::Otf2 => {
            return Err(io::Error::from(io::ErrorKind::InvalidInput).into());
        }
    };
    Ok(summary?)
}
