//! The events that a program of `tests/events` raises, as comments in the order of execution.
//!
//! ```text
//! a[1] = 5;              //= 3 UPC_PUT @1 is_relaxed=1, dst=a[1], src=*, n=4
//! upc_forall (...) {     //#loop
//!     //= loop:3 UPC_FORALL START
//! ```
//! A mark belongs to its line or, alone in a line, to the last line with other contents. It consists, in this order,
//! of: the threads (`t=0`, `t!=0`, `t=last`, `t!=last`, `n>1`, `n=1`; all by default); `remote` if it only applies where
//! each thread is on a machine of its own, `local` if only where not; the place (the column; `LABEL:COLUMN` for a line
//! that ends in `//#LABEL`, `LABEL-1:COLUMN` for the one before; `-`: no place); the event; START, END or ATOMIC unless
//! it is a pair reported at once; for accesses `@K`, affinity to thread K modulo THREADS; the arguments; and after `->`
//! the additional arguments of the end. In arguments `$n` is THREADS, `$4n` 4 * THREADS, `$(4n+1)` one more, `$t`
//! MYTHREAD, `$u` the next thread, `$p` the bytes of a pointer-to-shared, `$[4n]` an extent as in a type, `[4*THREADS]`
//! with dynamic THREADS, and private addresses are `*`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::table::Table;
use crate::context::read;

/// A thread of a run, and the instrumentation of its program.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    pub thread: usize,
    pub threads: usize,
    /// Static THREADS.
    pub fixed: bool,
    pub mode: &'a Mode,
}

/// Flags of instrumentation.
#[derive(Clone, Debug, Default)]
pub struct Mode {
    /// `--inst-local`
    pub local: bool,
    /// `--inst-functions`
    pub functions: bool,
    /// `--inst-only`: the symbols listed.
    pub only: Option<BTreeSet<String>>,
    /// `-fupc-pts=struct`
    pub structs: bool,
    /// Each thread is on a machine of its own.
    pub apart: bool,
}

impl Mode {
    fn pointer_bytes(&self) -> usize {
        if self.structs { 16 } else { 8 }
    }
}

/// An event that the program raises.
#[derive(Debug)]
pub struct Mark {
    conditions: Vec<Condition>,
    /// Line and column; 0 and 0: no place.
    place: (usize, usize),
    /// The symbol without `GASP_`, or the name of a user event.
    pub event: String,
    /// For an event that only the runtime reports, within an operation: the operation's event, without which it does
    /// not occur.
    within: Option<String>,
    phase: Phase,
    /// The thread of the accessed place, modulo THREADS.
    affinity: Option<Affinity>,
    arguments: String,
    results: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Pair,
    Start,
    End,
    Atomic,
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    /// `t=N`, or `t!=N`
    Thread(usize, bool),
    /// `t=last`, or `t!=last`
    LastThread(bool),
    /// `n=N`
    Threads(usize),
    /// `n>N`
    MoreThreads(usize),
    /// `remote`, or `local`
    Apart(bool),
}

#[derive(Clone, Copy, Debug)]
enum Affinity {
    Thread(usize),
    Own,
    Next,
}

impl Mark {
    /// Returns whether it depends on which threads share a machine.
    pub fn distinguishes(&self) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|condition| matches!(condition, Condition::Apart(_)))
    }

    /// Returns the lines of the dump in the form of [`super::dump::lines`]; empty if the event does not occur in the
    /// setting.
    pub fn lines(&self, file: &str, table: &Table, setting: Setting) -> Vec<String> {
        if !self.is_raised(table, setting) {
            return Vec::new();
        }
        let place = match self.place {
            (0, 0) => "-".to_owned(),
            (line, column) => format!("{file}:{line}:{column}"),
        };
        let line = |kind: &str, arguments: &str| {
            format!("{place} {} {kind} {{ {arguments} }}", self.event)
        };
        let arguments = fill(&self.arguments, setting);
        let all = match &self.results {
            Some(results) if arguments.is_empty() => fill(results, setting),
            Some(results) => format!("{arguments}, {}", fill(results, setting)),
            None => arguments.clone(),
        };
        match self.phase {
            Phase::Pair => vec![line("START", &arguments), line("END", &all)],
            Phase::Start => vec![line("START", &arguments)],
            Phase::End => vec![line("END", &all)],
            Phase::Atomic => vec![line("ATOMIC", &arguments)],
        }
    }

    fn is_raised(&self, table: &Table, setting: Setting) -> bool {
        let holds = |condition: &Condition| match *condition {
            Condition::Thread(n, equal) => (setting.thread == n) == equal,
            Condition::LastThread(equal) => (setting.thread + 1 == setting.threads) == equal,
            Condition::Threads(n) => setting.threads == n,
            Condition::MoreThreads(n) => setting.threads > n,
            Condition::Apart(apart) => setting.mode.apart == apart,
        };
        let mode = setting.mode;
        let remote = self
            .affinity
            .is_none_or(|affinity| affinity.thread(setting) != setting.thread);
        let flagged = match (table.symbol(&self.event), &mode.only) {
            // User events are always raised.
            (None, _) => true,
            (Some(symbol), Some(only)) => {
                let within = self.within.as_ref().and_then(|event| table.symbol(event));
                only.contains(&symbol) && within.is_none_or(|symbol| only.contains(&symbol))
            }
            (Some(_), None) => self.event != "C_FUNC" || mode.functions,
        };
        self.conditions.iter().all(holds) && flagged && (remote || mode.local)
    }
}

impl Affinity {
    fn thread(self, setting: Setting) -> usize {
        match self {
            Affinity::Thread(k) => k % setting.threads,
            Affinity::Own => setting.thread,
            Affinity::Next => (setting.thread + 1) % setting.threads,
        }
    }
}

/// Replaces the placeholders for numbers of the setting.
fn fill(text: &str, setting: Setting) -> String {
    let mut parts = text.split('$');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let sum = part.strip_prefix('(').and_then(|p| p.split_once(')'));
        let extent = part.strip_prefix('[').and_then(|p| p.split_once(']'));
        let (number, rest) = if let Some((sum, rest)) = sum {
            let number: usize = sum.split('+').map(|t| term(t, setting)).sum();
            (number.to_string(), rest)
        } else if let Some((text, rest)) = extent {
            let number = match text.strip_suffix('n') {
                Some("") if !setting.fixed => "THREADS".to_owned(),
                Some(factor) if !setting.fixed => format!("{factor}*THREADS"),
                _ => term(text, setting).to_string(),
            };
            (format!("[{number}]"), rest)
        } else {
            let letter = part.find(|c: char| c.is_ascii_alphabetic());
            let (text, rest) = part.split_at(letter.map_or(part.len(), |at| at + 1));
            (term(text, setting).to_string(), rest)
        };
        filled.push_str(&number);
        filled.push_str(rest);
    }
    filled
}

/// Evaluates `4n`, `u` or `1`.
fn term(text: &str, setting: Setting) -> usize {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = digits.parse().unwrap_or(1);
    factor
        * match &text[digits.len()..] {
            "n" => setting.threads,
            "t" => setting.thread,
            "u" => (setting.thread + 1) % setting.threads,
            "p" => setting.mode.pointer_bytes(),
            _ => 1,
        }
}

/// Reads all marks of a program.
///
/// # Errors
/// A mark that cannot be parsed.
pub fn read_marks(source: &Path, table: &Table) -> Result<Vec<Mark>, String> {
    let text = read(source)?;
    let labels: HashMap<&str, usize> = text
        .lines()
        .enumerate()
        .filter_map(|(i, line)| Some((line.rsplit_once("//#")?.1.trim(), i + 1)))
        .collect();
    let mut marks = Vec::new();
    let mut last = 0;
    for (i, line) in text.lines().enumerate() {
        let marked = line.split_once("//=");
        if marked.is_none_or(|(code, _)| !code.trim().is_empty()) {
            last = i + 1;
        }
        if let Some((_, mark)) = marked {
            let read = read_mark(mark.trim(), last, &labels, table);
            let mut mark =
                read.ok_or_else(|| format!("{}:{}: no mark", source.display(), i + 1))?;
            let around = operation(&marks, mark.place);
            let is_open =
                |around: &&Mark| around.phase == Phase::Start && around.event != mark.event;
            if of_runtime(&mark.event) || around.filter(is_open).is_some() {
                mark.within = around.map(|around| around.event.clone());
            }
            marks.push(mark);
        }
    }
    Ok(marks)
}

/// Returns whether only the runtime reports the event.
fn of_runtime(event: &str) -> bool {
    event.starts_with("UPC_CACHE_") || event.ends_with("_DATA")
}

/// Returns the operation at this place.
fn operation(marks: &[Mark], place: (usize, usize)) -> Option<&Mark> {
    let mut here = marks.iter().rev().filter(|mark| mark.place == place);
    here.find(|mark| !of_runtime(&mark.event))
}

fn read_mark(
    text: &str,
    line: usize,
    labels: &HashMap<&str, usize>,
    table: &Table,
) -> Option<Mark> {
    let mut rest = text;
    let mut conditions = Vec::new();
    while let Some(condition) = read_condition(first(rest)) {
        conditions.push(condition);
        rest = behind_first(rest);
    }
    let place = match first(rest) {
        "-" => (0, 0),
        place => match place.split_once(':') {
            Some((label, column)) => (labelled(label, labels)?, column.parse().ok()?),
            None => (line, place.parse().ok()?),
        },
    };
    rest = behind_first(rest);
    let event = first(rest).to_owned();
    rest = behind_first(rest);
    let phase = match first(rest) {
        "START" => Some(Phase::Start),
        "END" => Some(Phase::End),
        "ATOMIC" => Some(Phase::Atomic),
        _ => None,
    };
    if phase.is_some() {
        rest = behind_first(rest);
    }
    let phase = phase.unwrap_or(if table.is_reported_once(&event) {
        Phase::Atomic
    } else {
        Phase::Pair
    });
    let affinity = match first(rest).strip_prefix('@') {
        Some("t") => Some(Affinity::Own),
        Some("u") => Some(Affinity::Next),
        Some(thread) => Some(Affinity::Thread(thread.parse().ok()?)),
        None => None,
    };
    if affinity.is_some() {
        rest = behind_first(rest);
    }
    let (arguments, results) = match rest.split_once("->") {
        Some((arguments, results)) => (arguments, Some(results.trim().to_owned())),
        None => (rest, None),
    };
    // Accesses must name the thread whose memory they access.
    let access = ["UPC_GET", "UPC_PUT"].contains(&event.as_str());
    let arguments = arguments.trim().to_owned();
    (!event.is_empty() && access == affinity.is_some()).then_some(Mark {
        conditions,
        place,
        event,
        within: None,
        phase,
        affinity,
        arguments,
        results,
    })
}

/// Returns the line of `LABEL`, or of `LABEL-1`.
fn labelled(label: &str, labels: &HashMap<&str, usize>) -> Option<usize> {
    let (label, before) = label.split_once('-').unwrap_or((label, "0"));
    labels.get(label)?.checked_sub(before.parse().ok()?)
}

fn read_condition(word: &str) -> Option<Condition> {
    let number = |text: &str| text.parse().ok();
    if word == "remote" || word == "local" {
        return Some(Condition::Apart(word == "remote"));
    }
    if word == "t!=last" {
        return Some(Condition::LastThread(false));
    }
    if let Some(n) = word.strip_prefix("t!=") {
        return Some(Condition::Thread(number(n)?, false));
    }
    if word == "t=last" {
        return Some(Condition::LastThread(true));
    }
    if let Some(n) = word.strip_prefix("t=") {
        return Some(Condition::Thread(number(n)?, true));
    }
    if let Some(n) = word.strip_prefix("n>") {
        return Some(Condition::MoreThreads(number(n)?));
    }
    Some(Condition::Threads(number(word.strip_prefix("n=")?)?))
}

fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

fn behind_first(text: &str) -> &str {
    text.trim_start()[first(text).len()..].trim_start()
}
