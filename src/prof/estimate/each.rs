//! Estimates the time of an event that was counted but not timed, from the timed events at its place.

use crate::prof::model::{Cell, Group, KindId, Profile, Samples, SiteId};
use hashbrown::HashMap;

/// The average time of an event in nanoseconds, and its error.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Each {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// The rule for discarding samples that do not represent the other events: those longer than `times` times the mean of
/// the rest plus `more` nanoseconds, at most the fraction `part` of all. Such a sample is one in which the system
/// preempted the thread.
struct Trim {
    part: f64,
    times: f64,
    more: f64,
}

const TRIM: Trim = Trim {
    part: 0.01,
    times: 16.0,
    more: 4_000.0,
};
/// Locks that a thread had to wait for are always timed, so those that were only counted were free.
const TRIM_LOCKS: Trim = Trim {
    part: 0.5,
    times: 4.0,
    more: 0.0,
};

/// If a cell has fewer samples than this, those of the same place on other paths and threads are used.
const FEW: u64 = 8;

/// The data that the cells of a place have in common: its samples, and the own time and number of all its timed events.
#[derive(Default)]
struct Place {
    samples: Samples,
    own: u64,
    timed: u64,
}

/// The means of all places.
pub struct Means(HashMap<(KindId, SiteId), Place>);

impl Means {
    /// Returns the means of a profile.
    pub fn new(profile: &Profile) -> Means {
        let mut places: HashMap<_, Place> = HashMap::new();
        for (key, cell) in &profile.cells {
            let Some(frame) = profile.frame(key.path) else {
                continue;
            };
            let place = places.entry((frame.kind, frame.site)).or_default();
            place.samples.add(&cell.samples);
            place.own = place.own.saturating_add(cell.own);
            place.timed = place.timed.saturating_add(cell.timed);
        }
        Means(places)
    }

    /// Returns the estimate for one event of a cell that was not timed: from its samples, else from those of its place,
    /// else from the events that were timed for other reasons. `None`: there is no such data.
    pub fn of(&self, place: (KindId, SiteId), group: Group, cell: &Cell) -> Option<Each> {
        let place = self.0.get(&place)?;
        let trim = match group {
            Group::Lock => &TRIM_LOCKS,
            _ => &TRIM,
        };
        let samples = [&cell.samples, &place.samples];
        let sampled = samples.iter().find(|samples| samples.number() >= FEW);
        let each = sampled
            .and_then(|samples| trimmed(samples, trim))
            .or_else(|| of_timed(cell, trim))
            .or_else(|| {
                let mean = (place.timed > 0).then(|| place.own as f64 / place.timed as f64)?;
                Some(Each { mean, error: mean })
            })?;
        let most = samples.iter().find_map(|samples| samples.most());
        Some(match most {
            Some(most) if most < each.mean => Each {
                mean: most,
                error: each.error.min(most),
            },
            Some(_) | None => each,
        })
    }
}

/// Samples of similar length: their number and mean.
#[derive(Clone, Copy)]
struct Class {
    count: f64,
    mean: f64,
}

fn trimmed(samples: &Samples, trim: &Trim) -> Option<Each> {
    let class = |&(count, time): &(u64, u64)| Class {
        count: count as f64,
        mean: time as f64 / count as f64,
    };
    let counted = samples.classes.iter().filter(|(count, _)| *count > 0);
    let mut classes: Vec<Class> = counted.map(class).collect();
    classes.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    let number: f64 = classes.iter().map(|class| class.count).sum();
    let most = (number * trim.part).max(1.0).min(number - 1.0);
    let rest = mean(&without(&classes, most, 0.0))?;
    mean(&without(&classes, most, rest.mean * trim.times + trim.more))
}

/// Returns the classes, in descending order, without up to `most` samples of those longer than `limit`.
fn without(classes: &[Class], mut most: f64, limit: f64) -> Vec<Class> {
    let mut rest = classes.to_vec();
    for class in rest.iter_mut().filter(|class| class.mean > limit) {
        let less = most.min(class.count);
        class.count -= less;
        most -= less;
    }
    rest
}

/// Returns the mean of all samples, and its standard error.
fn mean(classes: &[Class]) -> Option<Each> {
    let number: f64 = classes.iter().map(|class| class.count).sum();
    if number <= 0.0 {
        return None;
    }
    let sum: f64 = classes.iter().map(|class| class.count * class.mean).sum();
    let mean = sum / number;
    // Within a class the longest sample is up to twice the shortest.
    let square = |class: &Class| (class.mean - mean).powi(2) + (class.mean / 5.0).powi(2);
    let squares: f64 = classes
        .iter()
        .map(|class| class.count * square(class))
        .sum();
    Some(Each {
        mean,
        error: squares.sqrt() / number,
    })
}

/// Returns the estimate for a cell without samples: the mean of its timed events, without the longest if that is an
/// outlier.
fn of_timed(cell: &Cell, trim: &Trim) -> Option<Each> {
    if cell.timed == 0 {
        return None;
    }
    let (timed, own) = (cell.timed as f64, cell.own as f64);
    let longest = own.min(cell.max as f64);
    let rest = (own - longest) / (timed - 1.0).max(1.0);
    let is_apart = timed > 1.0 && longest > rest * trim.times + trim.more;
    let mean = if is_apart { rest } else { own / timed };
    // The variance is unknown; the standard deviation is assumed to equal the mean.
    let error = mean / timed.sqrt();
    Some(Each { mean, error })
}
