//! What one event takes that was counted and not timed, from those that were timed at its place.

use crate::prof::model::{Cell, Group, KindId, Profile, Samples, SiteId};
use hashbrown::HashMap;

/// What an event takes on average, nanoseconds, and by how much that may be wrong.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Each {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// Which samples say nothing of the other events: those longer than so many times the mean of the rest and so many nanoseconds, at most so large a
/// part of all. A sample in which the system took the thread from its processor is one of them.
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
/// Locks that had to be waited for are always timed: those that were only counted were free.
const TRIM_LOCKS: Trim = Trim {
    part: 0.5,
    times: 4.0,
    more: 0.0,
};

/// Fewer samples are taken together with those of the same place on other paths and threads.
const FEW: u64 = 8;

/// What the cells of a place know together: its samples, and the own time and number of all its events that were timed.
#[derive(Default)]
struct Place {
    samples: Samples,
    own: u64,
    timed: u64,
}

/// The means of all places.
pub struct Means(HashMap<(KindId, SiteId), Place>);

impl Means {
    /// Of a profile.
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

    /// What one of the events of a cell takes that were not timed: by its samples, by those of its place, by the events that were timed for other
    /// reasons. `None`: nothing tells.
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

/// Samples of about the same length: how many, and their mean.
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

/// Without up to `most` of those that are longer than `limit`, of classes in descending order.
fn without(classes: &[Class], mut most: f64, limit: f64) -> Vec<Class> {
    let mut rest = classes.to_vec();
    for class in rest.iter_mut().filter(|class| class.mean > limit) {
        let less = most.min(class.count);
        class.count -= less;
        most -= less;
    }
    rest
}

/// The mean of all, and its standard error.
fn mean(classes: &[Class]) -> Option<Each> {
    let number: f64 = classes.iter().map(|class| class.count).sum();
    if number <= 0.0 {
        return None;
    }
    let sum: f64 = classes.iter().map(|class| class.count * class.mean).sum();
    let mean = sum / number;
    // Within a class the longest is up to twice the shortest.
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

/// Of a cell without samples: the mean of those that were timed, without the longest where it is none of them.
fn of_timed(cell: &Cell, trim: &Trim) -> Option<Each> {
    if cell.timed == 0 {
        return None;
    }
    let (timed, own) = (cell.timed as f64, cell.own as f64);
    let longest = own.min(cell.max as f64);
    let rest = (own - longest) / (timed - 1.0).max(1.0);
    let is_apart = timed > 1.0 && longest > rest * trim.times + trim.more;
    let mean = if is_apart { rest } else { own / timed };
    // How much they differ is not known: by as much as their mean.
    let error = mean / timed.sqrt();
    Some(Each { mean, error })
}
