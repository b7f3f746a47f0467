//! `upcprof diff`: what got faster or slower between two revisions, and whether that is noise.

use super::align::Lines;
use super::noise::{Times, Verdict, judge, mean};
use super::{Key, Summary};
use std::collections::{BTreeMap, BTreeSet};

/// Rows that take less than this part of the time of all threads on both sides, in thousandths, are not judged: each
/// row that is judged makes it harder to tell the others from noise.
const LEAST: u64 = 1;

/// A row of both revisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name in the new revision; `None`: the new one does not have it.
    pub after: Option<Key>,
    /// Its name in the old revision; `None`: the old one does not have it.
    pub before: Option<Key>,
    /// The thread time of all runs.
    pub times: Times,
    /// The number of events on average of all runs, before and after.
    pub counts: (u64, u64),
    /// What the difference is; `None`: too small to be judged.
    pub verdict: Option<Verdict>,
}

/// The comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diff {
    /// The time from start to end.
    pub run: (Times, Verdict),
    /// The time of all threads: the sum of the rows.
    pub threads: (Times, Verdict),
    /// The rows, the largest change first.
    pub rows: Vec<Row>,
}

/// Compares the runs of two revisions, at least one of each.
pub fn diff(before: &[Summary], after: &[Summary]) -> Diff {
    let of = |number: fn(&Summary) -> u64| {
        let times = Times {
            before: before.iter().map(number).collect(),
            after: after.iter().map(number).collect(),
        };
        let verdict = judge(&[&times])[0];
        (times, verdict)
    };
    let threads = of(|run| run.time);
    let mut rows = rows(before, after);
    let whole = mean(&threads.0.before).max(mean(&threads.0.after));
    let is_large = |row: &&mut Row| {
        let larger = mean(&row.times.before).max(mean(&row.times.after));
        larger.saturating_mul(1000) >= whole.saturating_mul(LEAST)
    };
    let mut large: Vec<&mut Row> = rows.iter_mut().filter(is_large).collect();
    let family: Vec<&Times> = large.iter().map(|row| &row.times).collect();
    let verdicts = judge(&family);
    for (row, verdict) in large.iter_mut().zip(verdicts) {
        row.verdict = Some(verdict);
    }
    rows.sort_by(|a, b| {
        let size = |row: &Row| row.times.change().unsigned_abs();
        size(b)
            .cmp(&size(a))
            .then_with(|| (&a.after, &a.before).cmp(&(&b.after, &b.before)))
    });
    Diff {
        run: of(|run| run.run),
        threads,
        rows,
    }
}

fn rows(before: &[Summary], after: &[Summary]) -> Vec<Row> {
    let lines = Lines::new(before, after);
    // By the name in the new revision, and whether the new revision has it.
    let mut names: BTreeMap<(Key, bool), Option<Key>> = BTreeMap::new();
    for key in after.iter().flat_map(|run| run.rows.keys()) {
        names.insert((key.clone(), true), None);
    }
    let old: BTreeSet<&Key> = before.iter().flat_map(|run| run.rows.keys()).collect();
    for key in old {
        let name = lines.key(key);
        let is_there = lines.has_all(key) && names.contains_key(&(name.clone(), true));
        match is_there {
            true => names.insert((name, true), Some(key.clone())),
            false => names.insert((key.clone(), false), Some(key.clone())),
        };
    }
    let row = |((name, is_there), old): ((Key, bool), Option<Key>)| {
        let after_name = is_there.then_some(name);
        let times = |runs: &[Summary], key: &Option<Key>| -> Vec<u64> {
            let time = |run: &Summary| key.as_ref().map_or(0, |key| run.time_of(key));
            runs.iter().map(time).collect()
        };
        let count = |runs: &[Summary], key: &Option<Key>| {
            let row = |run: &Summary| key.as_ref().and_then(|key| run.rows.get(key).copied());
            let counts: Vec<u64> = runs
                .iter()
                .map(|run| row(run).map_or(0, |row| row.count))
                .collect();
            mean(&counts)
        };
        Row {
            times: Times {
                before: times(before, &old),
                after: times(after, &after_name),
            },
            counts: (count(before, &old), count(after, &after_name)),
            before: old,
            after: after_name,
            verdict: None,
        }
    };
    names.into_iter().map(row).collect()
}

/// What `--fail-on` watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watched {
    /// The time from start to end.
    Run,
    /// The time of all threads.
    Threads,
    /// The time of any row, as a part of the time of all threads before.
    Row,
}

/// The values of [`Watched`] by name.
pub const WATCHED: &[(&str, Watched)] = &[
    ("run", Watched::Run),
    ("threads", Watched::Threads),
    ("row", Watched::Row),
];

/// Returns by how many percent it got slower; `None`: it did not, or that may be noise. If nothing is known about noise,
/// each difference counts.
pub fn slower(diff: &Diff, watched: Watched) -> Option<f64> {
    let counts = |verdict: Verdict, times: &Times| match verdict {
        Verdict::Slower => true,
        Verdict::Unknown => times.change() > 0,
        Verdict::Faster | Verdict::Noise => false,
    };
    let of = |(times, verdict): &(Times, Verdict)| match counts(*verdict, times) {
        true => times.percent(),
        false => None,
    };
    match watched {
        Watched::Run => of(&diff.run),
        Watched::Threads => of(&diff.threads),
        Watched::Row => {
            let whole = mean(&diff.threads.0.before).max(1);
            let worst = diff.rows.iter().filter(|row| {
                row.verdict
                    .is_some_and(|verdict| counts(verdict, &row.times))
            });
            let worst = worst.map(|row| row.times.change()).max()?;
            Some(worst as f64 * 100.0 / whole as f64)
        }
    }
}
