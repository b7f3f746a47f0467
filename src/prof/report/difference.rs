//! What changed since older recordings: the flame graph of the difference, and the lines that changed most.

use super::costs::Costs;
use super::encode::Numbers;
use super::paths::{OUTSIDE, Path, Paths, short};
use crate::prof::model::{PathId, Profile, Tables};
use crate::prof::runs::diff::{Diff, Row};
use crate::prof::runs::noise::mean;
use crate::prof::runs::{By, Key, path_key, verdict_word, whole_text, words};
use crate::prof::table::{time, time_change};
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of lines of each table.
const MOST: usize = 12;

/// The comparisons of older recordings with that of the page.
#[derive(Clone, Debug)]
pub struct Compared {
    /// By call path.
    pub paths: Diff,
    /// By line.
    pub lines: Diff,
    /// What the older recordings are: `3 runs of ./heat with 2 threads`.
    pub runs: String,
}

/// The differences as data of the page.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Paths, and their own nanoseconds before.
    pub before: Numbers,
    /// The time of paths that are gone.
    pub gone: u64,
    /// For the template.
    #[serde(skip)]
    shown: Shown,
}

/// What the template shows.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    runs: String,
    /// The time of the run and of all threads, in words.
    run: String,
    threads: String,
    lines: Vec<Line>,
    /// Call paths that only the older recordings have.
    gone: Vec<(String, String)>,
}

/// A line that changed.
#[derive(Clone, Debug, Serialize)]
struct Line {
    name: String,
    event: String,
    change: String,
    before: String,
    after: String,
    verdict: &'static str,
}

impl Difference {
    /// Returns the own time before of each path of the page. profile: that of `costs`.
    pub fn new(
        of: &Compared,
        (tables, profile): (&Tables, &Profile),
        costs: &Costs,
        paths: &mut Paths,
    ) -> Difference {
        let places = places((tables, profile), costs, paths);
        let mut before: BTreeMap<Path, u64> = BTreeMap::new();
        let mut gone: Vec<(String, u64)> = Vec::new();
        for row in &of.paths.rows {
            let time = mean(&row.times.before);
            let found = row.after.as_ref().and_then(|key| places.get(key));
            match found {
                Some(found) => divide(time, found, &mut before),
                None if time > 0 => gone.push((name(row, By::Callpath), time)),
                None => {}
            }
        }
        gone.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let numbers = before.into_iter();
        Difference {
            before: numbers
                .flat_map(|(path, time)| [u64::from(path), time])
                .collect(),
            gone: gone.iter().map(|(_, time)| time).sum(),
            shown: Shown {
                runs: short(&of.runs),
                run: whole_text(&of.lines.run.0, of.lines.run.1),
                threads: whole_text(&of.lines.threads.0, of.lines.threads.1),
                lines: of.lines.rows.iter().take(MOST).map(line).collect(),
                gone: gone
                    .into_iter()
                    .take(MOST)
                    .map(|(name, ns)| (name, time(ns)))
                    .collect(),
            },
        }
    }

    /// Returns what the template shows.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }
}

/// Returns the paths of the page by the names that they have in comparisons, with their own times. Several columns of a
/// line have one name.
fn places(
    (tables, profile): (&Tables, &Profile),
    costs: &Costs,
    paths: &mut Paths,
) -> BTreeMap<Key, BTreeMap<Path, u64>> {
    let mut own: BTreeMap<Path, u64> = BTreeMap::new();
    for row in &costs.rows {
        *own.entry(row.path).or_default() += row.own;
    }
    let mut places: BTreeMap<Key, BTreeMap<Path, u64>> = BTreeMap::new();
    let mut add = |key: Key, path: Path| {
        let time = own.get(&path).copied().unwrap_or(0);
        places.entry(key).or_default().insert(path, time);
    };
    add(Key::Outside, OUTSIDE);
    for (at, path) in paths.of_profile(profile).into_iter().enumerate().skip(1) {
        add(path_key(tables, profile, PathId(at as u32)), path);
    }
    places
}

/// Divides a time among paths in proportion to their own times.
fn divide(time: u64, among: &BTreeMap<Path, u64>, to: &mut BTreeMap<Path, u64>) {
    let whole: u128 = among.values().map(|own| u128::from(*own)).sum();
    let mut left = time;
    for (at, (path, own)) in among.iter().enumerate() {
        let part = match (u128::from(time) * u128::from(*own)).checked_div(whole) {
            _ if at + 1 == among.len() => left,
            Some(part) => (part as u64).min(left),
            None => 0,
        };
        left -= part;
        *to.entry(*path).or_default() += part;
    }
}

/// The name of a row in the new recording, or else in the old ones.
fn name(row: &Row, by: By) -> String {
    let key = row.after.as_ref().or(row.before.as_ref());
    key.map_or(String::new(), |key| short(&words::name(key, by)))
}

fn line(row: &Row) -> Line {
    let key = row.after.as_ref().or(row.before.as_ref());
    Line {
        name: name(row, By::Line),
        event: key.and_then(words::event).map_or(String::new(), short),
        change: time_change(row.times.change()),
        before: time(mean(&row.times.before)),
        after: time(mean(&row.times.after)),
        verdict: verdict_word(row.verdict),
    }
}
