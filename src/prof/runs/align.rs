//! Which line of a new revision is which line of the old one.
//!
//! A recording has no source text. It has the events of each line, in the order of lines, with the expressions that
//! they access. The longest common subsequence of both sequences tells which lines are the same, as in a comparison of
//! two texts.

use super::{Key, Place, Step, Summary};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Places by file, those of all runs of a side.
type Places = BTreeMap<String, BTreeSet<Place>>;

/// Whether an old and a new name are those of the same file.
type Rule<'r> = &'r dyn Fn(&String, &String) -> bool;

/// An event on a line of a file.
type At = (String, u32, String);

/// The lines of the old revision in the new one.
#[derive(Clone, Default, Debug)]
pub struct Lines {
    /// The files by their old names.
    files: BTreeMap<String, String>,
    /// The new lines of files that have changed.
    moved: BTreeMap<At, u32>,
}

impl Lines {
    /// Compares the places of two revisions.
    pub fn new(before: &[Summary], after: &[Summary]) -> Lines {
        let (before, after) = (all(before), all(after));
        let files = files(&before, &after);
        let mut moved = BTreeMap::new();
        for (old, new) in &files {
            let of = |places: &Places, file: &String| -> Vec<Place> {
                places.get(file).into_iter().flatten().cloned().collect()
            };
            for (from, to) in matches(&of(&before, old), &of(&after, new)) {
                moved.insert((old.clone(), from.line, from.event), to);
            }
        }
        Lines { files, moved }
    }

    /// Returns the name that a row of the old revision has in the new one; its own if the new one does not have it.
    pub fn key(&self, key: &Key) -> Key {
        match key {
            Key::Path(steps) => Key::Path(steps.iter().map(|step| self.step(step)).collect()),
            Key::Event(_) | Key::Thread(_) | Key::NoRegion | Key::Outside => key.clone(),
        }
    }

    fn step(&self, step: &Step) -> Step {
        let at = (step.file.clone(), step.line, step.event.clone());
        match (self.files.get(&step.file), self.moved.get(&at)) {
            (Some(file), Some(line)) => Step {
                file: file.clone(),
                line: *line,
                ..step.clone()
            },
            _ => step.clone(),
        }
    }

    /// Returns whether the new revision has each line of this row of the old one.
    pub fn has_all(&self, key: &Key) -> bool {
        let has = |step: &Step| {
            let at = (step.file.clone(), step.line, step.event.clone());
            step.line == 0 || self.moved.contains_key(&at)
        };
        match key {
            Key::Path(steps) => steps.iter().all(has),
            Key::Event(_) | Key::Thread(_) | Key::NoRegion | Key::Outside => true,
        }
    }
}

fn all(runs: &[Summary]) -> Places {
    let mut all = Places::new();
    for (file, places) in runs.iter().flat_map(|run| &run.places) {
        all.entry(file.clone())
            .or_default()
            .extend(places.iter().cloned());
    }
    all
}

/// Pairs the files of both revisions: by name, by the last part of the name, and those that are the only ones left.
fn files(before: &Places, after: &Places) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut old: BTreeSet<&String> = before.keys().collect();
    let mut new: BTreeSet<&String> = after.keys().collect();
    let base = |name: &String| Path::new(name).file_name().map(ToOwned::to_owned);
    let same = |old: &String, new: &String| old == new;
    let same_base = |old: &String, new: &String| base(old) == base(new);
    let rules: [Rule; 2] = [&same, &same_base];
    for is_same in rules {
        for file in old.clone() {
            let found = new.iter().find(|other| is_same(file, other)).copied();
            if let Some(other) = found {
                files.insert(file.clone(), other.clone());
                old.remove(file);
                new.remove(other);
            }
        }
    }
    if let ([file], [other]) = (&Vec::from_iter(old)[..], &Vec::from_iter(new)[..]) {
        files.insert((*file).clone(), (*other).clone());
    }
    files
}

/// Returns the places that both revisions have, with their new lines.
fn matches(before: &[Place], after: &[Place]) -> Vec<(Place, u32)> {
    let what = |place: &Place| (place.event.clone(), place.texts.clone());
    let old: Vec<_> = before.iter().map(what).collect();
    let new: Vec<_> = after.iter().map(what).collect();
    let equal = |op: DiffOp| match op {
        DiffOp::Equal {
            old_index,
            new_index,
            len,
        } => (0..len)
            .map(|at| (before[old_index + at].clone(), after[new_index + at].line))
            .collect(),
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => Vec::new(),
    };
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    ops.into_iter().flat_map(equal).collect()
}
