//! The iterations of loops whose number the compiler does not know, from how often a recorded run made their references.

use super::work::{Cause, Work};
use crate::references::Formula;
use std::collections::BTreeMap;

/// How the names of formulas for unknown iterations and calls begin: `turns(41)`, `calls(f)`.
const UNKNOWN: [&str; 2] = ["turns(", "calls("];

/// The formula has only names of the program's own.
pub fn is_known(count: &Formula) -> bool {
    let is_unknown = |name: &str| UNKNOWN.iter().any(|it| name.starts_with(it));
    !count.names().any(is_unknown)
}

/// Returns the values of the names `turns(LINE)` in the recorded run. `value`: the values of other names; `remote`: the
/// part of accesses that concern other threads where elements are anywhere.
pub fn recorded(work: &Work, value: &dyn Fn(&str) -> f64, remote: f64) -> BTreeMap<String, f64> {
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    for row in &work.rows {
        let count = row.known.as_ref().and_then(|it| it.count.as_ref());
        let Some(count) = count.filter(|_| matches!(row.cause, Cause::Read | Cause::Write)) else {
            continue;
        };
        let made = match row.local > 0.0 {
            true => row.count + row.local,
            false => row.count / remote.max(f64::MIN_POSITIVE),
        };
        if let Some((name, turns)) = solved(count, made, value) {
            // A line with several references has the count of them all, and one that is not always made too few.
            let known = found.entry(name).or_insert(turns);
            *known = known.max(turns);
        }
    }
    found
}

/// Solves a formula for its only unknown number of iterations, in which it is linear.
fn solved(count: &Formula, made: f64, value: &dyn Fn(&str) -> f64) -> Option<(String, f64)> {
    let mut unknown = count
        .names()
        .filter(|name| UNKNOWN.iter().any(|it| name.starts_with(it)));
    let name = unknown.next()?.to_owned();
    if unknown.any(|other| *other != name) {
        return None;
    }
    let at = |turns: f64| count.evaluate(&|it| if it == name { turns } else { value(it) });
    let (none, one, two) = (at(0.0), at(1.0), at(2.0));
    let each = one - none;
    let is_linear = (two - none - 2.0 * each).abs() <= each.abs() * 1e-6;
    let turns = (made - none) / each;
    (is_linear && each > 0.0 && turns >= 1.0).then_some((name, turns))
}
