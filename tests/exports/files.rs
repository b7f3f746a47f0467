//! Exports that have several files, read back by readers of their own, which follow the formats' descriptions.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use upcc::prof::compute;
use upcc::prof::estimate::{Estimate, estimate};
use upcc::prof::export::{Files, Format, Summary, export_files};
use upcc::prof::memory::Memory;
use upcc::prof::model::{Group, Recording};

use super::known;

/// Files in memory.
#[derive(Default)]
struct Written(BTreeMap<String, Vec<u8>>);

impl Files for Written {
    fn path(&self, name: &str) -> String {
        format!("out.{name}")
    }

    fn file(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        assert!(self.0.insert(name.to_owned(), bytes).is_none(), "{name}");
        Ok(())
    }
}

impl Written {
    fn text(&self, name: &str) -> &str {
        let bytes = self.0.get(name).unwrap_or_else(|| panic!("no {name}"));
        std::str::from_utf8(bytes).expect("the files are text")
    }
}

fn exported(of: &Memory, format: Format) -> (Written, Estimate, Summary) {
    let profile = match of.profile() {
        Some(profile) => profile.clone(),
        None => compute::profile(of),
    };
    let estimate = estimate(of, &profile);
    let mut files = Written::default();
    let summary = export_files(of, Some(&estimate), format, &mut files)
        .unwrap_or_else(|error| panic!("{format:?}: {error}"));
    (files, estimate, summary)
}

/// All recordings, with their names.
fn recordings() -> Vec<(String, Memory)> {
    let known = [("trace", known::trace()), ("profile", known::profile())];
    let known = known.map(|(name, of)| (name.to_owned(), of));
    let odd = known::odd()
        .into_iter()
        .map(|(name, of)| (name.to_string(), of));
    known.into_iter().chain(odd).collect()
}

// ---- TAU ------------------------------------------------------------------------------------------------------------

/// A line of a TAU profile; times in nanoseconds.
#[derive(Debug)]
struct Timer {
    name: String,
    calls: u64,
    inside: u64,
    own: u64,
    total: u64,
    group: String,
}

/// Microseconds with three digits.
fn nanoseconds(word: &str) -> u64 {
    let (whole, rest) = word.split_once('.').expect("three digits");
    assert_eq!(rest.len(), 3, "{word}");
    let number = |digits: &str| digits.parse::<u64>().expect("digits");
    number(whole) * 1000 + number(rest)
}

fn timer(line: &str) -> Timer {
    let (name, rest) = line
        .strip_prefix('"')
        .expect("a name")
        .split_once('"')
        .expect("its end");
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let [calls, inside, own, total, "0", group] = words[..] else {
        panic!("{line}");
    };
    let group = group
        .strip_prefix("GROUP=\"")
        .and_then(|group| group.strip_suffix('"'));
    Timer {
        name: name.to_owned(),
        calls: calls.parse().expect("calls"),
        inside: inside.parse().expect("events inside"),
        own: nanoseconds(own),
        total: nanoseconds(total),
        group: group.expect("a group").to_owned(),
    }
}

/// Returns the timers of a file, and the sums of bytes by name.
fn tau(text: &str) -> (Vec<Timer>, BTreeMap<String, f64>) {
    let mut lines = text.lines();
    let mut count = |of: &str| -> usize {
        let line = lines.next().expect("a count");
        let (count, what) = line.split_once(' ').expect("a count");
        assert_eq!(what, of);
        let count = count.parse().expect("a number");
        if count > 0 {
            assert!(lines.next().is_some_and(|line| line.starts_with("# ")));
        }
        count
    };
    let number = count("templated_functions_MULTI_TIME");
    let rest: Vec<&str> = text.lines().skip(2 + number).collect();
    let timers = text.lines().skip(2).take(number).map(timer).collect();
    assert_eq!(rest[0], "0 aggregates");
    let (events, what) = rest[1].split_once(' ').expect("a count");
    let events: usize = events.parse().expect("a number");
    assert_eq!(what, "userevents");
    assert_eq!(rest.len(), 2 + events + usize::from(events > 0));
    let bytes = rest.iter().skip(3).map(|line| {
        let (name, numbers) = line[1..].split_once('"').expect("a name");
        let numbers: Vec<f64> = numbers
            .split_ascii_whitespace()
            .map(|number| number.parse().expect("a number"))
            .collect();
        let [number, max, min, mean, _] = numbers[..] else {
            panic!("{line}");
        };
        assert!(min <= mean && mean <= max, "{line}");
        (name.to_owned(), number * mean)
    });
    (timers, bytes.collect())
}

#[test]
fn tau_has_the_times_of_each_thread() {
    for (name, of) in recordings() {
        let (files, estimate, _) = exported(&of, Format::Tau);
        assert_eq!(files.0.len(), of.threads().len(), "{name}");
        for thread in of.threads() {
            let (timers, bytes) = tau(files.text(&format!("profile.{}.0.0", thread.id)));
            let (paths, names): (Vec<&Timer>, Vec<&Timer>) = timers
                .iter()
                .partition(|timer| timer.group == "TAU_CALLPATH");
            let whole = names.iter().find(|timer| timer.name == ".TAU application");
            let whole = whole.unwrap_or_else(|| panic!("{name}: {timers:#?}"));
            assert_eq!(whole.total, thread.time(), "{name}");
            let sum = |timers: &[&Timer], of: fn(&Timer) -> u64| -> u64 {
                timers.iter().map(|timer| of(timer)).sum()
            };
            assert_eq!(sum(&names, |of| of.own), thread.time(), "{name}");
            assert_eq!(
                sum(&paths, |of| of.own) + whole.own,
                thread.time(),
                "{name}"
            );
            let cells = estimate.profile.cells.iter();
            let cells = cells.filter(|(key, _)| key.thread == thread.id);
            let calls: u64 = cells.clone().map(|(_, cell)| cell.count).sum();
            for timers in [&names, &paths] {
                let own = sum(timers, |of| of.calls);
                let application = u64::from(timers.iter().any(|of| of.name == whole.name));
                assert_eq!(own, calls + application, "{name}");
            }
            // Each event is inside another one, or inside the whole.
            assert_eq!(sum(&names, |of| of.inside), calls, "{name}");
            let known: BTreeSet<&str> = names.iter().map(|of| of.name.as_str()).collect();
            for path in paths {
                assert!(
                    path.name.split(" => ").all(|step| known.contains(step)),
                    "{path:?}"
                );
                assert!(path.own <= path.total || path.total == 0, "{path:?}");
            }
            let moved: u64 = cells.map(|(_, cell)| cell.bytes).sum();
            assert_eq!(bytes.values().sum::<f64>().round() as u64, moved, "{name}");
        }
    }
}

// ---- Paraver ----------------------------------------------------------------------------------------------------------

fn numbers(text: &str) -> Vec<u64> {
    let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("{text}"));
    text.split(':').map(number).collect()
}

/// Returns the values of a section of event types, by type.
fn meanings(pcf: &str) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut types = BTreeMap::new();
    for section in pcf
        .split("\n\n")
        .filter(|of| of.starts_with("EVENT_TYPE\n"))
    {
        let mut lines = section.lines().skip(1);
        let first = |line: &str| -> Vec<u64> {
            line.split_ascii_whitespace()
                .map_while(|word| word.parse().ok())
                .collect()
        };
        let of_type = first(lines.next().expect("a type"));
        assert_eq!(of_type.len(), 2, "{section}");
        let values = lines.skip(1).map(|line| first(line)[0]);
        types.insert(of_type[1], values.collect());
    }
    types
}

#[test]
fn paraver_has_states_events_and_transfers_in_order() {
    for (name, of) in recordings().into_iter().filter(|(_, of)| of.has_trace()) {
        let (files, estimate, summary) = exported(&of, Format::Paraver);
        let text = files.text("prv");
        let head = text.lines().next().unwrap_or_default();
        assert!(head.starts_with("#Paraver ("), "{head}");
        let (_, objects) = head.split_once("):").expect("the objects");
        let last = of.threads().iter().map(|thread| thread.last).max();
        let lanes: u64 = objects
            .rsplit_once('(')
            .expect("tasks")
            .1
            .trim_end_matches(')')
            .split(',')
            .map(|task| numbers(task)[0])
            .sum();
        let expected = format!(
            "{}_ns:1({lanes}):1:{}(",
            last.unwrap_or(0),
            of.threads().len()
        );
        assert!(objects.starts_with(&expected), "{name}: {head}");
        let types = meanings(files.text("pcf"));
        let (mut now, mut moved, mut opened, mut closed) = (0, 0, 0, 0);
        let mut states: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let record = numbers(line);
            assert!(record[5] >= now, "{name}: {line} comes after {now}");
            now = record[5];
            assert!((1..=lanes).contains(&record[1]), "{line}");
            let lane = (record[3], record[4]);
            match record[0] {
                1 => {
                    assert_eq!(record.len(), 8, "{line}");
                    let end = states.insert(lane, record[6]).unwrap_or(record[5]);
                    assert!(end == record[5] && record[6] > record[5], "{name}: {line}");
                }
                2 => {
                    for pair in record[6..].chunks(2) {
                        let known = &types[&pair[0]];
                        assert!(known.is_empty() || known.contains(&pair[1]), "{line}");
                    }
                    let event = record[6..].chunks(2).find(|pair| pair[0] == 64_000_001);
                    opened += u64::from(event.is_some_and(|pair| pair[1] != 0));
                    closed += u64::from(event.is_some_and(|pair| pair[1] == 0));
                }
                3 => {
                    assert_eq!(record.len(), 15, "{line}");
                    assert!(record[11] >= record[5] && record[3] != record[9], "{line}");
                    moved += record[13];
                }
                _ => panic!("{line}"),
            }
        }
        assert_eq!(opened, closed, "{name}");
        assert!(opened >= summary.cut, "{name}");
        let tables = of.tables();
        let cells = estimate.profile.cells.iter();
        let remote = cells.filter(|(key, _)| {
            let kind = estimate
                .profile
                .frame(key.path)
                .map(|frame| tables.kind(frame.kind));
            let moves = kind.is_some_and(|kind| kind.nested && kind.group != Group::Lock);
            moves && key.peer.is_some_and(|peer| peer != key.thread)
        });
        let remote: u64 = remote.map(|(_, cell)| cell.bytes).sum();
        if name == "trace" {
            assert_eq!(moved, remote);
        }
        let rows = files.text("row");
        assert!(
            rows.contains(&format!("LEVEL THREAD SIZE {lanes}\n")),
            "{rows}"
        );
    }
}

// ---- gnuplot ----------------------------------------------------------------------------------------------------------

#[test]
fn tables_for_gnuplot_have_all_time() {
    for (name, of) in recordings().into_iter().filter(|(_, of)| of.has_trace()) {
        let (files, estimate, _) = exported(&of, Format::Gnuplot);
        let mut spans = csv::Reader::from_reader(files.text("csv").as_bytes());
        let column = |head: &csv::StringRecord, wanted: &str| {
            head.iter().position(|of| of == wanted).expect("a column")
        };
        let head = spans.headers().expect("headings").clone();
        let (start, end) = (column(&head, "start_ns"), column(&head, "end_ns"));
        for row in spans.records() {
            let row = row.expect("a row with a cell for each column");
            let time = |at: usize| row[at].parse::<u64>().expect("a time");
            assert!(time(start) <= time(end), "{name}: {row:?}");
        }
        let counts = files.text("counts.csv");
        let tables: Vec<&str> = counts.split("\n\n\n").collect();
        assert_eq!(tables.len(), 3 + of.facts().counters.len(), "{name}");
        let sum = |table: &str| -> u64 {
            let mut rows = csv::Reader::from_reader(table.trim_end().as_bytes());
            let rows = rows.records().map(|row| row.expect("a row"));
            let cells = rows.map(|row| -> u64 {
                let numbers = row.iter().skip(1).map(|cell| cell.parse::<u64>());
                numbers.map(|number| number.expect("a number")).sum()
            });
            cells.sum()
        };
        let of_cells = |value: fn(&upcc::prof::model::Cell) -> u64| -> u64 {
            let cells = estimate.profile.cells.iter();
            cells.map(|(_, cell)| value(cell)).sum()
        };
        assert_eq!(sum(tables[0]), of_cells(|cell| cell.own), "{name}");
        assert_eq!(sum(tables[1]), of_cells(|cell| cell.count), "{name}");
        assert_eq!(sum(tables[2]), of_cells(|cell| cell.bytes), "{name}");
        let script = files.text("gp");
        assert!(
            script.contains("'out.csv'") && script.contains("'out.counts.csv'"),
            "{script}"
        );
        for name in &of.facts().counters {
            assert!(script.contains(&format!("'out.{name}.svg'")), "{script}");
        }
    }
}
