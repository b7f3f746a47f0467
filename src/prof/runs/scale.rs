//! `upcprof scale`: speed-up and efficiency over runs with different numbers of threads, and the lines that keep the
//! program from scaling.
//!
//! A program scales if more threads do the same work in the same thread time. What a line takes more than with the fewest
//! threads is its loss. The losses of all rows add up to that of the program.

use super::fit::{Curve, fit};
use super::noise::mean;
use super::{Key, Summary};
use std::collections::{BTreeMap, BTreeSet};

/// What runs with more threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// The same work: strong scaling.
    Same,
    /// More work, in proportion to the number of threads: weak scaling.
    More,
}

/// The runs with one number of threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// THREADS.
    pub threads: u32,
    /// The number of runs.
    pub runs: usize,
    /// The mean time from start to end, in nanoseconds, and the shortest and longest one.
    pub run: u64,
    /// The shortest and the longest time from start to end.
    pub range: (u64, u64),
    /// The mean time of all threads.
    pub time: u64,
    /// The part of the thread time, in percent, in which threads had no processor; `None`: not recorded.
    pub delayed: Option<u64>,
}

/// A row over the numbers of threads.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub key: Key,
    /// The mean thread time for each point.
    pub times: Vec<u64>,
    /// For each point: the time more than that of the first point, in proportion to the work; negative: it scales better.
    pub losses: Vec<i64>,
    /// The curve, if it can be fitted.
    pub curve: Option<Curve>,
}

/// Scaling of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Scaling {
    /// What the runs do.
    pub work: Work,
    /// By the number of threads, the fewest first; at least two.
    pub points: Vec<Point>,
    /// The curve of the thread time of the program.
    pub curve: Option<Curve>,
    /// The rows, the largest loss with the most threads first.
    pub rows: Vec<Row>,
}

/// Computes the scaling; `None`: all runs have the same number of threads.
pub fn scale(runs: &[Summary], work: Work) -> Option<Scaling> {
    let mut by_threads: BTreeMap<u32, Vec<&Summary>> = BTreeMap::new();
    for run in runs {
        by_threads.entry(run.threads).or_default().push(run);
    }
    let points: Vec<Point> = by_threads.values().filter_map(|runs| point(runs)).collect();
    let first = points.first()?.threads;
    if points.len() < 2 {
        return None;
    }
    let factor = |threads: u32| match work {
        Work::Same => 1.0,
        Work::More => f64::from(threads) / f64::from(first.max(1)),
    };
    let curve = |times: &[u64]| {
        let of =
            |(point, &time): (&Point, &u64)| (point.threads, time as f64 / factor(point.threads));
        let points: Vec<(u32, f64)> = points.iter().zip(times).map(of).collect();
        fit(&points)
    };
    let keys: BTreeSet<&Key> = runs.iter().flat_map(|run| run.rows.keys()).collect();
    let row = |key: &Key| {
        let time = |runs: &Vec<&Summary>| {
            let times: Vec<u64> = runs.iter().map(|run| run.time_of(key)).collect();
            mean(&times)
        };
        let times: Vec<u64> = by_threads.values().map(time).collect();
        let losses = points.iter().zip(&times).map(|(point, &time)| {
            let ideal = times[0] as f64 * factor(point.threads);
            time as i64 - ideal.round() as i64
        });
        Row {
            key: key.clone(),
            losses: losses.collect(),
            curve: curve(&times),
            times,
        }
    };
    let mut rows: Vec<Row> = keys.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.loss().cmp(&a.loss()).then_with(|| a.key.cmp(&b.key)));
    let whole: Vec<u64> = points.iter().map(|point| point.time).collect();
    Some(Scaling {
        work,
        curve: curve(&whole),
        rows,
        points,
    })
}

fn point(runs: &[&Summary]) -> Option<Point> {
    let all: Vec<u64> = runs.iter().map(|run| run.run).collect();
    let times: Vec<u64> = runs.iter().map(|run| run.time).collect();
    let delayed: Option<Vec<u64>> = runs.iter().map(|run| run.delayed).collect();
    let time = mean(&times);
    Some(Point {
        threads: runs.first()?.threads,
        runs: runs.len(),
        run: mean(&all),
        range: (*all.iter().min()?, *all.iter().max()?),
        time,
        delayed: delayed.map(|delayed| mean(&delayed).saturating_mul(100) / time.max(1)),
    })
}

impl Row {
    /// The loss with the most threads.
    pub fn loss(&self) -> i64 {
        self.losses.last().copied().unwrap_or(0)
    }
}

impl Scaling {
    /// The run time with the fewest threads through that of this point; for more work, times the ratio of the work.
    pub fn speedup(&self, point: &Point) -> f64 {
        let first = &self.points[0];
        let ratio = first.run as f64 / point.run.max(1) as f64;
        match self.work {
            Work::Same => ratio,
            Work::More => ratio * f64::from(point.threads) / f64::from(first.threads.max(1)),
        }
    }

    /// The speed-up as a part of that which the number of threads promises, in percent.
    pub fn efficiency(&self, point: &Point) -> f64 {
        let first = f64::from(self.points[0].threads);
        self.speedup(point) * 100.0 * first / f64::from(point.threads.max(1))
    }

    /// The point with the most threads.
    pub fn last(&self) -> &Point {
        // There are at least two points.
        &self.points[self.points.len() - 1]
    }

    /// The loss of a row with the most threads, in percent of their time.
    pub fn loss_percent(&self, row: &Row) -> f64 {
        row.loss() as f64 * 100.0 / self.last().time.max(1) as f64
    }
}
