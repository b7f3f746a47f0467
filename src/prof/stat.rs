//! `upcprof stat`: the facts of a run.

use super::model::{Clocks, End, Phase, Recording};
use super::processors::processors;
use super::table::{Cell, Column, Table, Unit, bytes, column, time};
use hashbrown::HashMap;
use std::time::UNIX_EPOCH;

/// Returns the facts as names and values.
pub fn facts(of: &dyn Recording) -> Vec<(&'static str, String)> {
    let facts = of.facts();
    let threads = of.threads();
    let first = threads.iter().map(|thread| thread.first).min().unwrap_or(0);
    let last = threads.iter().map(|thread| thread.last).max().unwrap_or(0);
    let events: u64 = threads.iter().filter_map(|thread| thread.events).sum();
    let raised: u64 = threads.iter().filter_map(|thread| thread.raised).sum();
    let mut command = facts.program.clone();
    for arg in &facts.args {
        command = command + " " + arg;
    }
    let has = match (of.has_trace(), of.profile().is_some(), facts.has_paths) {
        (true, true, _) => "trace and profile",
        (true, false, _) => "trace",
        (false, true, true) => "profile",
        (false, true, false) => "profile without call paths",
        (false, false, _) => "facts only",
    };
    let static_threads = match facts.static_threads {
        0 => String::new(),
        _ => ", static".to_owned(),
    };
    let mut rows = vec![
        ("program", command),
        ("threads", format!("{}{static_threads}", facts.threads)),
        (
            "processors",
            processors(of).map_or(String::new(), |count| count.to_string()),
        ),
        ("network", facts.network.clone()),
        ("started", facts.started.map_or(String::new(), utc)),
        ("time", time(last - first)),
        ("clocks", clocks(facts.clocks)),
        ("holds", has.to_owned()),
        ("events raised", count_or(raised)),
        ("events in trace", count_or(events)),
        (
            "file",
            format!(
                "{}, format {}.{}, runtime {}",
                bytes(facts.file_bytes),
                facts.version.0,
                facts.version.1,
                facts.runtime
            ),
        ),
        ("counters", facts.counters.join(", ")),
        ("settings", facts.settings.join(", ")),
    ];
    if events > 0 && of.has_trace() {
        let each = format!("{:.2} bytes", facts.file_bytes as f64 / events as f64);
        let before = rows.iter().position(|(name, _)| *name == "counters");
        rows.insert(before.unwrap_or(rows.len()), ("file per event", each));
    }
    rows.retain(|(_, value)| !value.is_empty());
    rows
}

fn count_or(count: u64) -> String {
    match count {
        0 => String::new(),
        count => count.to_string(),
    }
}

fn clocks(of: Clocks) -> String {
    match of {
        Clocks::One => String::new(),
        Clocks::Compared(machines, error) => {
            format!("of {machines} machines, compared to {}", time(error))
        }
        Clocks::Apart(machines) => {
            format!(
                "of {machines} machines, not compared: only times of the same machine can be compared"
            )
        }
    }
}

/// Formats a moment as `2026-11-21 08:00:00 UTC`.
pub fn utc(at: std::time::SystemTime) -> String {
    let [year, month, date, hour, minute, second] = calendar(at);
    format!("{year}-{month:02}-{date:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Returns year, month, day, hour, minute and second of a moment, UTC.
pub fn calendar(at: std::time::SystemTime) -> [u64; 6] {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, seconds) = (since / 86_400, since % 86_400);
    // Days since 1 March of year 0, so that a leap day is the last of its year.
    let day = days + 719_468;
    let era = day / 146_097;
    let of_era = day % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = year + era * 400 + next;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    [year, month, date, hour, minute, second]
}

/// Returns a table with one row for each thread.
pub fn threads(of: &dyn Recording) -> Table {
    let columns: Vec<Column> = [
        ("thread", Unit::Count),
        ("host", Unit::Text),
        ("process", Unit::Count),
        ("time", Unit::Time),
        ("raised", Unit::Count),
        ("in trace", Unit::Count),
        ("file", Unit::Bytes),
        ("pair cost", Unit::Time),
        ("ended", Unit::Text),
        ("left out", Unit::Text),
    ]
    .iter()
    .map(|(heading, unit)| column(heading, *unit))
    .collect();
    let rows = of.threads().iter().map(|thread| {
        let mut left_out: Vec<String> = thread
            .dropped
            .iter()
            .map(|(why, count)| format!("{count} ({why})"))
            .collect();
        if thread.paths_full > 0 {
            left_out.push(format!(
                "{} in the profile without paths of their own",
                thread.paths_full
            ));
        }
        vec![
            u64::from(thread.id).into(),
            thread.host.as_str().into(),
            Some(u64::from(thread.process))
                .filter(|&process| process > 0)
                .into(),
            (thread.last - thread.first.min(thread.last)).into(),
            thread.raised.into(),
            thread.events.into(),
            thread.bytes.into(),
            Some(thread.pair_cost)
                .filter(|&cost| cost > 0 && of.has_trace())
                .into(),
            match thread.salvaged {
                true => format!("{}; saved by the launcher", end(thread.end)).into(),
                false => end(thread.end).into(),
            },
            if left_out.is_empty() {
                Cell::None
            } else {
                left_out.join(", ").into()
            },
        ]
    });
    Table {
        rows: rows.collect(),
        columns,
    }
}

/// Describes in words how a thread ended.
pub fn end(end: End) -> String {
    match end {
        End::Unknown => "unknown: killed, or the file is truncated".to_owned(),
        End::Exit(0) => "exit".to_owned(),
        End::Exit(status) => format!("exit, status {status}"),
        End::GlobalExit(status) => format!("upc_global_exit({status})"),
        End::Signal(signal) => format!("signal {signal}"),
        End::WithJob => "with the job".to_owned(),
        End::Vanished(status) => format!("_exit({status})"),
    }
}

/// Returns a table with one row for each kind of event: how often it was raised and is in the trace. Only starts and
/// atomic events are counted.
pub fn kinds(of: &dyn Recording) -> Table {
    let mut counts: HashMap<&str, (u64, u64)> = HashMap::new();
    let tables = of.tables();
    let mut counted = vec![false; of.threads().len()];
    for count in of.counts() {
        match counted.get_mut(count.thread as usize) {
            Some(counted) => *counted = true,
            None => continue,
        }
        if count.phase != Phase::End {
            let (raised, recorded) = counts.entry(&tables.kind(count.kind).name).or_default();
            *raised += count.raised;
            *recorded += count.recorded;
        }
    }
    // Threads that ended before writing counts.
    for thread in of
        .threads()
        .iter()
        .filter(|thread| !counted[thread.id as usize])
    {
        if !of.has_trace() {
            continue;
        }
        let mut events = of.events(thread.id);
        while let Some(event) = events.next() {
            if event.phase != Phase::End {
                let (raised, recorded) = counts.entry(&tables.kind(event.kind).name).or_default();
                *raised += event.weight;
                *recorded += 1;
            }
        }
    }
    let mut counts: Vec<(&str, (u64, u64))> = counts.into_iter().collect();
    counts.retain(|(_, (raised, _))| *raised > 0);
    counts.sort_by_key(|(name, (raised, _))| (std::cmp::Reverse(*raised), *name));
    let columns = [
        ("event", Unit::Text),
        ("raised", Unit::Count),
        ("in trace", Unit::Count),
    ];
    let recorded = |number: u64| of.has_trace().then_some(number);
    Table {
        columns: columns
            .iter()
            .map(|(heading, unit)| column(heading, *unit))
            .collect(),
        rows: counts
            .into_iter()
            .map(|(name, (raised, in_trace))| {
                vec![name.into(), raised.into(), recorded(in_trace).into()]
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_are_dates() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_700_000_000, "2023-11-14 22:13:20 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), date);
        }
    }
}
