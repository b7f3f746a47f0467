//! Reports of the race detector (`-fupc-races`): as a program declares them in its first lines, and as a run writes
//! them to the file that `UPC_RACES_JSON` names, one JSON object per line.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use serde_json::Value;

use crate::context::read;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Two accesses that nothing orders.
    Race,
    /// Locks that threads take in opposite orders.
    LockOrder,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Race, Kind::LockOrder];

    /// Returns its name, in JSON and as a key of a program.
    fn name(self) -> &'static str {
        match self {
            Kind::Race => "race",
            Kind::LockOrder => "lock-order",
        }
    }

    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A line of a source file, which its name without folders identifies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    file: String,
    line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The essence of a report: what tests compare.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Report {
    kind: Kind,
    /// Sorted.
    places: Vec<Place>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind.name())?;
        self.places
            .iter()
            .try_for_each(|place| write!(f, " {place}"))
    }
}

impl Report {
    fn new(kind: Kind, mut places: Vec<Place>) -> Report {
        places.sort();
        Report { kind, places }
    }

    /// Reads the value of a program's line `race: 14 20` or `race: main.upc:14 other.upc:7`. main: the file that a
    /// number alone means.
    pub fn declared(kind: Kind, main: &Path, value: &str) -> Option<Report> {
        let main = main.file_name()?.to_str()?;
        let place = |word: &str| {
            let (file, line) = word.rsplit_once(':').unwrap_or((main, word));
            let line = line.parse().ok()?;
            let file = file.to_owned();
            Some(Place { file, line })
        };
        let places: Vec<Place> = value.split_whitespace().map(place).collect::<Option<_>>()?;
        let enough = match kind {
            Kind::Race => places.len() == 2,
            Kind::LockOrder => places.len() >= 2,
        };
        enough.then(|| Report::new(kind, places))
    }
}

/// The reports of one run, or of several.
#[derive(Default, Debug)]
pub struct Reports {
    pub all: BTreeSet<Report>,
    /// What races are said to be on: ``element 3 of `a` (shared int [8]) on thread 0``.
    pub elements: BTreeSet<String>,
}

impl Reports {
    /// Reads the file of a run on a number of threads.
    ///
    /// # Errors
    /// There is no such file, or a line that no program could use.
    pub fn read(file: &Path, threads: usize) -> Result<Reports, String> {
        let mut reports = Reports::default();
        for line in read(file)?.lines() {
            let wrong = |why: &str| format!("{why}: {line}");
            let value: Value = serde_json::from_str(line).map_err(|e| wrong(&e.to_string()))?;
            reports.add(&value, threads).map_err(|why| wrong(&why))?;
        }
        Ok(reports)
    }

    fn add(&mut self, value: &Value, threads: usize) -> Result<(), String> {
        let kind = text(value, "kind")?;
        let kind = Kind::named(kind).ok_or("a report of an unknown kind")?;
        text(value, "message")?;
        let accesses = value["accesses"].as_array().ok_or("no `accesses`")?;
        let places = accesses
            .iter()
            .map(|access| place(access, threads))
            .collect::<Result<Vec<Place>, String>>()?;
        match kind {
            Kind::Race => {
                if places.len() != 2 {
                    return Err("a race that is not of two accesses".to_owned());
                }
                conflict(accesses)?;
                self.elements
                    .extend(value["element"].as_str().map(str::to_owned));
            }
            Kind::LockOrder if places.len() < 2 => {
                return Err("an order of locks that is not of two places".to_owned());
            }
            Kind::LockOrder => {}
        }
        let report = Report::new(kind, places);
        if !self.all.insert(report.clone()) {
            return Err(format!("{report} is reported twice"));
        }
        Ok(())
    }

    pub fn join(&mut self, other: Reports) {
        self.all.extend(other.all);
        self.elements.extend(other.elements);
    }
}

/// Checks that at least one of the accesses of a race writes, and that each has bytes.
fn conflict(accesses: &[Value]) -> Result<(), String> {
    let mut writes = false;
    for access in accesses {
        let what = text(access, "access")?;
        writes |= what.contains("write") || what.contains("atomic");
        if access["bytes"].as_u64().is_none_or(|bytes| bytes == 0) {
            return Err("an access without `bytes`".to_owned());
        }
    }
    match writes {
        true => Ok(()),
        false => Err("a race of two reads".to_owned()),
    }
}

fn place(access: &Value, threads: usize) -> Result<Place, String> {
    let thread = access["thread"]
        .as_u64()
        .ok_or("an access without `thread`")?;
    if usize::try_from(thread).is_ok_and(|thread| thread >= threads) {
        return Err(format!("there is no thread {thread}"));
    }
    text(access, "function")?;
    let file = Path::new(text(access, "file")?).file_name();
    let file = file.ok_or("an access whose `file` has no name")?;
    let line = access["line"]
        .as_u64()
        .filter(|line| *line > 0)
        .ok_or("an access without `line`")?;
    let file = file.to_string_lossy().into_owned();
    Ok(Place { file, line })
}

/// Returns a text that is there and not empty.
fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    let text = value[key].as_str().filter(|text| !text.is_empty());
    text.ok_or_else(|| format!("no `{key}`"))
}

/// Checks what one run of a program has reported: nothing that is not declared, on standard error what is in the file.
pub fn hold(declared: &BTreeSet<Report>, reports: &Reports, stderr: &str) -> Result<(), String> {
    if let Some(alarm) = reports.all.difference(declared).next() {
        return Err(format!("a false alarm, {alarm}"));
    }
    let mut places = reports.all.iter().flat_map(|report| &report.places);
    match places.find(|place| !stderr.contains(&place.to_string())) {
        Some(place) => Err(format!("standard error does not name {place}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RACE: &str = r#"{"kind":"race","message":"m","object":"a","element":"element 3 of `a`","accesses":[
        {"thread":1,"access":"write","bytes":4,"file":"/x/t.upc","line":20,"function":"main"},
        {"thread":0,"access":"read","bytes":4,"file":"t.upc","line":14,"function":"main"}]}"#;

    fn added(text: &str, threads: usize) -> Result<Reports, String> {
        let mut reports = Reports::default();
        let value = serde_json::from_str(text).expect("the tests contain valid JSON");
        reports.add(&value, threads).map(|()| reports)
    }

    fn declared(value: &str) -> Option<Report> {
        Report::declared(Kind::Race, Path::new("/y/t.upc"), value)
    }

    #[test]
    fn a_report_equals_its_declaration() {
        let reports = added(RACE, 2).expect("the report is complete");
        assert_eq!(reports.all.first(), declared("14 20").as_ref());
        assert_eq!(reports.all.first(), declared("t.upc:20 14").as_ref());
        assert_ne!(reports.all.first(), declared("u.upc:20 14").as_ref());
        assert_eq!(
            reports.elements,
            BTreeSet::from(["element 3 of `a`".to_owned()])
        );
    }

    #[test]
    fn incomplete_declarations_are_refused() {
        for value in ["", "14", "14 x", "1 2 3", "t.upc: 3"] {
            assert_eq!(declared(value), None, "{value}");
        }
    }

    #[test]
    fn reports_that_cannot_be_are_refused() {
        let changes = [
            ("\"race\"", "\"rice\""),
            ("\"m\"", "\"\""),
            ("write", "read"),
            ("\"bytes\":4", "\"bytes\":0"),
            ("\"line\":20", "\"line\":0"),
            ("\"thread\":1", "\"thread\":2"),
            ("\"main\"", "\"\""),
        ];
        for (from, to) in changes {
            assert!(added(&RACE.replacen(from, to, 1), 2).is_err(), "{to}");
        }
    }

    #[test]
    fn a_pair_is_reported_once() {
        let mut reports = added(RACE, 2).expect("the report is complete");
        let value = serde_json::from_str(RACE).expect("it is valid JSON");
        assert!(reports.add(&value, 2).is_err());
    }

    #[test]
    fn false_alarms_and_silence_are_told_apart() {
        let reports = added(RACE, 2).expect("the report is complete");
        let both = BTreeSet::from_iter(declared("14 20").into_iter().chain(declared("1 2")));
        assert_eq!(hold(&both, &reports, "t.upc:14 t.upc:20"), Ok(()));
        assert!(hold(&both, &reports, "t.upc:14").is_err());
        assert!(hold(&BTreeSet::new(), &reports, "t.upc:14 t.upc:20").is_err());
        assert_eq!(hold(&both, &Reports::default(), ""), Ok(()));
    }
}
