//! What operations cost on this platform if they wait for nothing: `upcprof calibrate` measures it once, by a program of
//! its own, and `upcprof analyze` compares operations with it.

#[cfg(test)]
mod tests;

use super::model::{Kind, Recording, SiteId};
use super::pairs::{Found, Pairs, Seen, Span};
use super::table::{Cell, Table, Unit, column, time};
use crate::cli::folders;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The program that is measured.
pub const PROGRAM: &str = include_str!("calibrate.upc");

/// What the file says that it is, and the version of what it means.
const FORMAT: &str = "upcprof baseline";
const VERSION: u32 = 1;
/// An operation that was measured less often has no baseline.
const FEW: usize = 16;

/// An operation of a size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Operation {
    /// The event, `UPC_MEMGET`.
    pub event: String,
    /// Whether it is about the memory of another thread; `None`: about no thread's memory.
    pub remote: Option<bool>,
    /// The bytes that it moves.
    pub bytes: u64,
}

/// A measured operation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// What was measured.
    #[serde(flatten)]
    pub operation: Operation,
    /// The mean of the middle half of its times in nanoseconds: the clock is too coarse for a median.
    pub typical_ns: u64,
    /// How often it was measured.
    pub count: u64,
}

/// The costs of a platform.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Baseline {
    format: String,
    version: u32,
    /// The transport.
    pub network: String,
    /// THREADS of the measurement.
    pub threads: u32,
    /// The costs.
    pub operations: Vec<Measured>,
}

/// True for spans of operations of UPC with a time of their own, which a line of the program makes.
pub fn is_operation(kind: &Kind, span: &Span) -> bool {
    let is_basic = kind.group.facts().is_basic;
    is_basic && span.seen == Seen::Pair && kind.nested && span.site != SiteId::NONE
}

impl Operation {
    /// Returns the operation of a span.
    pub fn new(kind: &Kind, span: &Span) -> Operation {
        Operation {
            event: kind.name.clone(),
            remote: span.peer.map(|peer| peer != span.thread),
            bytes: span.bytes,
        }
    }
}

/// Returns the mean of the middle half of times.
fn typical(mut times: Vec<u64>) -> f64 {
    times.sort_unstable();
    let quarter = times.len() / 4;
    let half = &times[quarter..times.len() - quarter];
    half.iter().map(|&time| time as f64).sum::<f64>() / half.len().max(1) as f64
}

impl Baseline {
    /// Takes the typical times of all operations of a recording.
    pub fn measure(of: &dyn Recording) -> Baseline {
        let tables = of.tables();
        // The times of each operation, and what recording a pair has added to each.
        let mut times: BTreeMap<Operation, (Vec<u64>, u64)> = BTreeMap::new();
        let mut pairs = Pairs::new(tables);
        for thread in of.threads() {
            let mut events = of.events(thread.id);
            while let Some(event) = events.next() {
                pairs.feed(event, |found| {
                    let Found::Span(span) = found else { return };
                    let kind = tables.kind(span.kind);
                    if is_operation(kind, &span) {
                        let operation = Operation::new(kind, &span);
                        let taken = span.own.saturating_sub(span.delayed);
                        let of_it = times.entry(operation).or_default();
                        of_it.1 = of_it.1.max(thread.pair_cost);
                        of_it.0.push(taken);
                    }
                });
            }
        }
        let measured = |(operation, (times, pair_cost)): (Operation, (Vec<u64>, u64))| Measured {
            operation,
            count: times.len() as u64,
            typical_ns: (typical(times) - pair_cost as f64).max(0.0).round() as u64,
        };
        let often = times
            .into_iter()
            .filter(|(_, (times, _))| times.len() >= FEW);
        Baseline {
            format: FORMAT.to_owned(),
            version: VERSION,
            network: of.facts().network.clone(),
            threads: of.facts().threads,
            operations: often.map(measured).collect(),
        }
    }

    /// The cost of an operation; between the sizes that were measured, in proportion. `None`: it was not measured.
    pub fn cost(&self, operation: &Operation) -> Option<u64> {
        let is_it = |of: &&Measured| {
            of.operation.event == operation.event && of.operation.remote == operation.remote
        };
        let of_it = || self.operations.iter().filter(is_it);
        let size = |of: &&Measured| of.operation.bytes;
        let below = of_it()
            .filter(|of| of.operation.bytes <= operation.bytes)
            .max_by_key(size);
        let above = of_it()
            .filter(|of| of.operation.bytes >= operation.bytes)
            .min_by_key(size);
        match (below, above) {
            (Some(below), Some(above)) if above.operation.bytes > below.operation.bytes => {
                let part = (operation.bytes - below.operation.bytes) as f64
                    / (above.operation.bytes - below.operation.bytes) as f64;
                let more = above.typical_ns as f64 - below.typical_ns as f64;
                Some((below.typical_ns as f64 + part * more).round() as u64)
            }
            // Larger than all that was measured: as many bytes in a second as the largest.
            (Some(below), None) if below.operation.bytes > 0 => {
                let ratio = operation.bytes as f64 / below.operation.bytes as f64;
                Some((below.typical_ns as f64 * ratio).round() as u64)
            }
            (Some(of), _) | (None, Some(of)) => Some(of.typical_ns),
            (None, None) => None,
        }
    }

    /// The costs as a table.
    pub fn table(&self) -> Table {
        let row = |of: &Measured| {
            let memory = match of.operation.remote {
                Some(true) => "another thread".into(),
                Some(false) => "own".into(),
                None => Cell::None,
            };
            vec![
                of.operation.event.as_str().into(),
                memory,
                (of.operation.bytes > 0)
                    .then_some(of.operation.bytes)
                    .into(),
                time(of.typical_ns).into(),
                of.count.into(),
            ]
        };
        Table {
            columns: vec![
                column("event", Unit::Text),
                column("memory", Unit::Text),
                column("bytes", Unit::Count),
                column("time", Unit::Text),
                column("calls", Unit::Count),
            ],
            rows: self.operations.iter().map(row).collect(),
        }
    }

    /// The costs as JSON, the content of their file.
    ///
    /// # Errors
    /// None that can happen: all members have a form in JSON.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Reads costs.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let baseline: Baseline =
            serde_json::from_str(text).map_err(|error| format!("is no baseline: {error}"))?;
        match (baseline.format == FORMAT, baseline.version) {
            (true, VERSION) => Ok(baseline),
            (true, version) => Err(format!(
                "has version {version}, not {VERSION}: run `upcprof calibrate` again"
            )),
            (false, _) => Err("is no baseline".to_owned()),
        }
    }
}

/// Returns the file of a network's costs: in `$XDG_CONFIG_HOME/upcc`, else `~/.config/upcc`; `None`: there is no such
/// folder.
pub fn file(network: &str) -> Option<PathBuf> {
    let config = folders::of_user("XDG_CONFIG_HOME", ".config")?;
    // A recording from elsewhere names no file outside of the folder.
    let is_name = !network.is_empty() && network.chars().all(|c| c.is_ascii_alphanumeric());
    is_name.then(|| config.join(format!("upcc/baseline-{network}.json")))
}
