//! Estimates the times of all events from those of the timed events: the one estimate that every view shows.
//!
//! A thread's time is divided into parts. Each part belongs to the innermost event that was being timed then, or to
//! none. An event that was only counted lies in the part of the event around it, and takes from that part the average
//! time of similar events (`each`), but no more than is left. So the parts never add up to more than the thread's time,
//! whatever a sample contains.

mod each;
#[cfg(test)]
mod tests;

use super::model::{Cell, Frame, Group, Profile, Recording, Tables};
use each::{Each, Means};

/// The counts of a profile, and the estimated times of all its events.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Its `total` and `own` cover the number of events in `timed`: all, or none if there is nothing to estimate from.
    pub profile: Profile,
    /// The standard error of each cell's `own` in nanoseconds; 0 if all events were timed.
    pub errors: Vec<u64>,
    /// Each thread's time outside of all events.
    pub outside: Vec<u64>,
}

/// Estimates the times of a profile of the recording: its own profile, or one computed from its events.
pub fn estimate(of: &dyn Recording, profile: &Profile) -> Estimate {
    let means = Means::new(profile);
    let mut whole = Estimate {
        profile: profile.clone(),
        errors: vec![0; profile.cells.len()],
        outside: Vec::new(),
    };
    let mut cells: Vec<Vec<usize>> = vec![Vec::new(); of.threads().len()];
    for (at, (key, _)) in profile.cells.iter().enumerate() {
        let Some(frame) = profile.frame(key.path) else {
            continue;
        };
        let cell = &mut whole.profile.cells[at].1;
        if cell.timed == 0 {
            (cell.total, cell.own) = (0, 0);
        }
        // Transfers continue in the background and are not part of the thread's time.
        if !of.tables().kind(frame.kind).nested {
            cell.own = 0;
        } else if let Some(cells) = cells.get_mut(key.thread as usize) {
            cells.push(at);
        }
    }
    for (thread, cells) in of.threads().iter().zip(cells) {
        let time = thread.time();
        let mut parts = Parts::new(of, profile, &cells);
        parts.bound(time as f64);
        parts.claim(of.tables(), profile, &means, thread.pair_error as f64);
        parts.meet();
        let outside = parts.write(&mut whole, time);
        whole.outside.push(outside);
    }
    for (_, cell) in &mut whole.profile.cells {
        include_average(cell);
    }
    whole
}

/// Removes a time that belongs to no event, and extends the range from the shortest to the longest event to their
/// average. The average of an estimate may lie outside of the range of the events that were timed.
fn include_average(cell: &mut Cell) {
    if cell.timed == 0 {
        cell.total = 0;
    }
    if let Some(average) = cell.total.checked_div(cell.timed) {
        (cell.min, cell.max) = (cell.min.min(average), cell.max.max(average));
    }
}

/// Sets the total time of a cell all of whose events were timed. The measured times contain what it took to record the
/// events inside, so the shortest and the longest one are reduced like the total.
fn set_measured(cell: &mut Cell, total: u64) {
    let reduced = |time: u64| {
        let time = u128::from(time) * u128::from(total) / u128::from(cell.total);
        u64::try_from(time).unwrap_or(u64::MAX)
    };
    if cell.timed > 0 && cell.total > 0 {
        (cell.min, cell.max) = (reduced(cell.min), reduced(cell.max));
    }
    cell.total = total;
}

/// Returns the number of a cell's events whose times are known or can be estimated.
fn recorded(cell: &Cell) -> u64 {
    cell.count.saturating_sub(cell.missed)
}

/// Returns whether a frame is an event that contains other events.
fn is_scope(tables: &Tables, frame: &Frame) -> bool {
    let group = tables.kind(frame.kind).group;
    matches!(group, Group::Function | Group::Forall | Group::User)
}

/// A cell's part of its thread's time.
struct Part {
    /// The cell's index in the profile.
    cell: usize,
    path: usize,
    own: f64,
    /// The time that its untimed events take, and the error of that time.
    claim: f64,
    error: f64,
    /// In a profile without paths: events happen inside this part, and the recording does not show which.
    is_around: bool,
}

/// The division of a thread's time.
struct Parts {
    /// The parts in the order of their paths, parents first.
    parts: Vec<Part>,
    /// The index of each path's parent; 0 is the root.
    parents: Vec<usize>,
    outside: f64,
}

impl Parts {
    /// Returns the measured times.
    fn new(of: &dyn Recording, profile: &Profile, cells: &[usize]) -> Parts {
        let has_paths = of.facts().has_paths;
        let part = |&at: &usize| {
            let (key, cell) = &profile.cells[at];
            let frame = profile.frame(key.path);
            Part {
                cell: at,
                path: key.path.0 as usize,
                own: if cell.timed > 0 { cell.own as f64 } else { 0.0 },
                claim: 0.0,
                error: 0.0,
                is_around: !has_paths && frame.is_some_and(|frame| is_scope(of.tables(), frame)),
            }
        };
        let mut parts: Vec<Part> = cells.iter().map(part).collect();
        parts.sort_by_key(|part| part.path);
        // A parent that does not precede its path is an error in the file.
        let parent = |(at, frame): (usize, &Frame)| {
            Some(frame.parent.0 as usize).filter(|parent| *parent < at)
        };
        let parents = profile.paths.iter().enumerate().skip(1);
        let parents = parents.map(|row| parent(row).unwrap_or(0));
        Parts {
            parts,
            parents: std::iter::once(0).chain(parents).collect(),
            outside: 0.0,
        }
    }

    /// Limits the measured times to the thread's time: two clocks may differ slightly, and a file may contain wrong
    /// values.
    fn bound(&mut self, time: f64) {
        let measured: f64 = self.parts.iter().map(|part| part.own).sum();
        if measured > time {
            let scale = time / measured;
            self.parts.iter_mut().for_each(|part| part.own *= scale);
        }
        self.outside = (time - measured).max(0.0);
    }

    /// Sets the times that untimed events claim.
    fn claim(&mut self, tables: &Tables, profile: &Profile, means: &Means, pair_error: f64) {
        for part in &mut self.parts {
            let cell = &profile.cells[part.cell].1;
            let untimed = recorded(cell).saturating_sub(cell.timed) as f64;
            let frame = &profile.paths[part.path];
            let of_cell = || {
                means.of(
                    (frame.kind, frame.site),
                    tables.kind(frame.kind).group,
                    cell,
                )
            };
            if let Some(Each { mean, error }) = (untimed > 0.0).then(of_cell).flatten() {
                part.claim = untimed * mean;
                part.error = untimed * (error + pair_error);
            }
        }
    }

    /// Gives each part the time that it claims from the part around it. If that part has too little time, all claims on
    /// it are reduced in proportion.
    fn meet(&mut self) {
        let mut claims = vec![0.0; self.parents.len()];
        for part in &self.parts {
            claims[self.parents[part.path]] += part.claim;
        }
        let mut has = vec![0.0; self.parents.len()];
        has[0] = self.outside;
        has[0] += self.around().map(|part| part.own).sum::<f64>();
        // The fraction of the claims on a path that is met, and the fraction of the path's own time that is left.
        let met = |claims: f64, has: f64| if claims > has { has / claims } else { 1.0 };
        let left = |claims: f64, has: f64| {
            if claims > 0.0 && has > 0.0 {
                ((has - claims) / has).max(0.0)
            } else {
                1.0
            }
        };
        let mut first = 0;
        while first < self.parts.len() {
            let path = self.parts[first].path;
            let parent = self.parents[path];
            let same = |part: &&mut Part| part.path == path;
            let scale = met(claims[parent], has[parent]);
            for part in self.parts[first..].iter_mut().take_while(same) {
                part.claim *= scale;
                part.error = part.error.min(has[parent]);
                part.own += part.claim;
                has[path] += part.own;
                first += 1;
            }
        }
        let of_root = left(claims[0], has[0]);
        self.outside *= of_root;
        for part in &mut self.parts {
            part.own *= left(claims[part.path], has[part.path]);
            part.own *= if part.is_around { of_root } else { 1.0 };
        }
    }

    fn around(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.is_around)
    }

    /// Writes the times of all cells, and returns the rest of the thread's time.
    fn write(&self, whole: &mut Estimate, mut left: u64) -> u64 {
        let inside = self.inside(&whole.profile);
        for (part, inside) in self.parts.iter().zip(inside) {
            let cell = &mut whole.profile.cells[part.cell].1;
            let all_timed = cell.timed >= recorded(cell);
            let own = (part.own as u64).min(left);
            let total = (part.own + inside) as u64;
            left -= own;
            whole.errors[part.cell] = part.error as u64;
            // The user's own events may overlap: an event that begins inside another may end after it.
            if all_timed {
                set_measured(cell, total.min(cell.total).max(own));
            } else {
                cell.total = total.max(own);
            }
            cell.own = own;
            if part.claim > 0.0 || part.error > 0.0 {
                cell.timed = recorded(cell);
            }
        }
        left
    }

    /// Returns, for each part, the time inside it. If a path has several parts, one for each peer thread, the time is
    /// shared in proportion to the measured time and the number of events.
    fn inside(&self, profile: &Profile) -> Vec<f64> {
        let mut inside = vec![0.0; self.parents.len()];
        let mut weights = vec![0.0; self.parents.len()];
        let weight = |part: &Part| {
            let cell: &Cell = &profile.cells[part.cell].1;
            cell.total.saturating_sub(cell.own) as f64 + cell.count as f64
        };
        for part in &self.parts {
            inside[part.path] += part.own;
            weights[part.path] += weight(part);
        }
        // At first each sum includes the path's own time, for its parent.
        for path in (1..self.parents.len()).rev() {
            inside[self.parents[path]] += inside[path];
        }
        for part in &self.parts {
            inside[part.path] -= part.own;
        }
        let share = |part: &Part| inside[part.path] * weight(part) / weights[part.path].max(1.0);
        self.parts.iter().map(share).collect()
    }
}
