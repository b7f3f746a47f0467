//! What is asked for: `threads=64`, `block(a)=16`, `gather(line)`, `cache=off`, `latency*10`.

use std::collections::{BTreeMap, BTreeSet};

/// A change.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// `threads=N`
    Threads(u32),
    /// `machines=N`
    Machines(u32),
    /// `network=NAME`
    Network(String),
    /// `block(ARRAY)=N`
    Block(String, u64),
    /// `gather(LINE)` or `gather(FILE:LINE)`
    Gather(String),
    /// `cache=on`, `cache=off`
    Cache(bool),
    /// `cache-line=BYTES`
    CacheLine(u64),
    /// `latency*FACTOR`
    Latency(f64),
    /// `bandwidth*FACTOR`
    Bandwidth(f64),
    /// `compute*FACTOR`
    Compute(f64),
    /// `NAME=N`: a parameter of the program.
    Parameter(String, i64),
}

/// All changes together.
#[derive(Clone, PartialEq, Debug)]
pub struct Changes {
    /// THREADS.
    pub threads: Option<u32>,
    /// The machines.
    pub machines: Option<u32>,
    /// The transport.
    pub network: Option<String>,
    /// Block sizes in elements, by array.
    pub blocks: BTreeMap<String, u64>,
    /// Lines whose references are gathered.
    pub gathered: BTreeSet<String>,
    /// Remote memory is cached.
    pub cache: Option<bool>,
    /// Bytes of a line of the cache.
    pub cache_line: Option<u64>,
    /// By how much a message takes longer.
    pub latency: f64,
    /// By how much more bytes are moved in the same time.
    pub bandwidth: f64,
    /// By how much computing takes longer.
    pub compute: f64,
    /// Values of the program's parameters.
    pub parameters: BTreeMap<String, i64>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes {
            threads: None,
            machines: None,
            network: None,
            blocks: BTreeMap::new(),
            gathered: BTreeSet::new(),
            cache: None,
            cache_line: None,
            latency: 1.0,
            bandwidth: 1.0,
            compute: 1.0,
            parameters: BTreeMap::new(),
        }
    }
}

impl Changes {
    /// These changes and another one.
    #[must_use]
    pub fn with(&self, change: &Change) -> Changes {
        let mut all = self.clone();
        match change {
            Change::Threads(n) => all.threads = Some(*n),
            Change::Machines(n) => all.machines = Some(*n),
            Change::Network(name) => all.network = Some(name.clone()),
            Change::Block(array, n) => {
                all.blocks.insert(array.clone(), *n);
            }
            Change::Gather(line) => {
                all.gathered.insert(line.clone());
            }
            Change::Cache(on) => all.cache = Some(*on),
            Change::CacheLine(bytes) => all.cache_line = Some(*bytes),
            Change::Latency(by) => all.latency *= by,
            Change::Bandwidth(by) => all.bandwidth *= by,
            Change::Compute(by) => all.compute *= by,
            Change::Parameter(name, n) => {
                all.parameters.insert(name.clone(), *n);
            }
        }
        all
    }
}

/// Reads a change.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn parse(text: &str) -> Result<Change, String> {
    let wrong = || {
        format!(
            "`{text}` is no change: give threads=N, machines=N, network=NAME, block(ARRAY)=N, gather(LINE), cache=on, cache=off, cache-line=BYTES, latency*X, bandwidth*X, compute*X or NAME=N"
        )
    };
    let text = text.trim();
    if let Some((what, factor)) = text.split_once('*') {
        let factor: f64 = factor.trim().parse().map_err(|_| wrong())?;
        if !factor.is_finite() || factor <= 0.0 {
            return Err(wrong());
        }
        return match what.trim() {
            "latency" => Ok(Change::Latency(factor)),
            "bandwidth" => Ok(Change::Bandwidth(factor)),
            "compute" => Ok(Change::Compute(factor)),
            _ => Err(wrong()),
        };
    }
    if let Some(line) = inside(text, "gather") {
        return Ok(Change::Gather(line.to_owned()));
    }
    let (what, value) = text.split_once('=').ok_or_else(wrong)?;
    let (what, value) = (what.trim(), value.trim());
    let number = || {
        value
            .parse::<u64>()
            .ok()
            .filter(|n| *n > 0)
            .ok_or_else(wrong)
    };
    let small = || u32::try_from(number()?).map_err(|_| wrong());
    if let Some(array) = inside(what, "block") {
        return Ok(Change::Block(array.to_owned(), number()?));
    }
    match (what, value) {
        ("threads", _) => Ok(Change::Threads(small()?)),
        ("machines", _) => Ok(Change::Machines(small()?)),
        ("network", name) => Ok(Change::Network(name.to_owned())),
        ("cache", "on") => Ok(Change::Cache(true)),
        ("cache", "off") => Ok(Change::Cache(false)),
        ("cache", _) | ("", _) => Err(wrong()),
        ("cache-line", _) => Ok(Change::CacheLine(number()?)),
        (name, _) => {
            let value = value.parse().map_err(|_| wrong())?;
            Ok(Change::Parameter(name.to_owned(), value))
        }
    }
}

/// What is in the parentheses of `name(...)`.
fn inside<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(name)?.strip_prefix('(')?;
    inner.strip_suffix(')').filter(|inner| !inner.is_empty())
}

/// Reads what to search for, `block(a)`, `threads` or `cache-line`, and returns the changes to compare. `each`: the
/// elements of an array for each thread.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn search(text: &str, each: impl Fn(&str) -> Option<u64>) -> Result<Vec<Change>, String> {
    let powers = |from: u32, to: u64| {
        let all = (from..63).map(|shift| 1u64 << shift);
        all.take_while(move |n| *n <= to)
    };
    if let Some(array) = inside(text, "block") {
        let each = each(array).ok_or_else(|| {
            format!("`{array}` is no static shared array of the recorded program")
        })?;
        let sizes = powers(0, each).chain((!each.is_power_of_two()).then_some(each));
        return Ok(sizes.map(|n| Change::Block(array.to_owned(), n)).collect());
    }
    match text {
        "threads" => Ok(powers(0, 4096).map(|n| Change::Threads(n as u32)).collect()),
        "cache-line" => Ok(powers(6, 8192).map(Change::CacheLine).collect()),
        _ => Err(format!(
            "`{text}` is nothing to search for: give block(ARRAY), threads or cache-line"
        )),
    }
}
