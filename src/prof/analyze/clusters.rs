//! Threads that behave alike: they spend the same time on the same events. One of each cluster represents the others.

use super::super::model::Recording;
use super::Part;
use super::shares::Shares;
use std::collections::BTreeMap;

/// Threads are alike if their times differ by less than this part of the time of the longer one, in percent.
const ALIKE: u64 = 10;

/// The times of a thread by part.
type Times = BTreeMap<Part, u64>;

/// Threads that are alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// The thread whose times are nearest to the mean.
    pub representative: u32,
    /// All of them.
    pub threads: Vec<u32>,
    /// What their mean differs from that of the largest cluster in most, and the nanoseconds more.
    pub differs: Option<(Part, i64)>,
}

/// Returns the clusters, the largest first; of equals the one with the lowest thread.
pub(super) fn clusters(of: &dyn Recording, shares: &Shares) -> Vec<Cluster> {
    let times: Vec<Times> = of
        .threads()
        .iter()
        .map(|thread| shares.of_thread(thread))
        .collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (thread, mine) in times.iter().enumerate() {
        let to = |group: &Vec<usize>| distance(mine, &times[group[0]]);
        let nearest = (0..groups.len()).min_by_key(|&at| to(&groups[at]));
        match nearest.filter(|&at| are_alike(mine, &times[groups[at][0]])) {
            Some(at) => groups[at].push(thread),
            None => groups.push(vec![thread]),
        }
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    let means: Vec<Times> = groups.iter().map(|group| mean(&times, group)).collect();
    let cluster = |(group, of_group): (&Vec<usize>, &Times)| {
        let nearest = group
            .iter()
            .min_by_key(|&&at| distance(&times[at], of_group));
        Cluster {
            representative: nearest.map_or(0, |&at| at as u32),
            threads: group.iter().map(|&at| at as u32).collect(),
            differs: largest_difference(&means[0], of_group),
        }
    };
    groups.iter().zip(&means).map(cluster).collect()
}

fn of(times: &Times, part: Part) -> u64 {
    times.get(&part).copied().unwrap_or(0)
}

fn parts<'t>(a: &'t Times, b: &'t Times) -> impl Iterator<Item = Part> + 't {
    let only_b = b.keys().filter(|part| !a.contains_key(*part));
    a.keys().chain(only_b).copied()
}

fn distance(a: &Times, b: &Times) -> u64 {
    parts(a, b)
        .map(|part| of(a, part).abs_diff(of(b, part)))
        .sum()
}

fn are_alike(a: &Times, b: &Times) -> bool {
    let longer = a.values().sum::<u64>().max(b.values().sum());
    distance(a, b).saturating_mul(100) <= longer.saturating_mul(ALIKE)
}

fn mean(times: &[Times], group: &[usize]) -> Times {
    let mut sums = Times::new();
    for (&part, &time) in group.iter().flat_map(|&at| &times[at]) {
        *sums.entry(part).or_default() += time;
    }
    for sum in sums.values_mut() {
        *sum /= group.len() as u64;
    }
    sums
}

fn largest_difference(from: &Times, to: &Times) -> Option<(Part, i64)> {
    let difference = |part| (part, of(to, part) as i64 - of(from, part) as i64);
    let all = parts(from, to)
        .map(difference)
        .filter(|(_, more)| *more != 0);
    all.max_by_key(|(part, more)| (more.unsigned_abs(), *part))
}

/// Formats numbers of threads as ranges: `0, 2-5`.
pub fn ranges(threads: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &thread in threads {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == thread => *last = thread,
            _ => ranges.push((thread, thread)),
        }
    }
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let ranges: Vec<String> = ranges.iter().map(range).collect();
    ranges.join(", ")
}
