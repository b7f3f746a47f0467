//! The model: equation 6.1 of the thesis, with counts and costs for another number of threads, size or platform.

mod expected;
mod memory;
mod own;
mod updates;

use super::costs::Costs;
use super::shape::Shape;
use super::work::{Cause, Place, Row, Work};
use super::{Blocks, Changes, turns};
use crate::platform::{Platform, Setting, Time};
use crate::references::Formula;
use own::{Base, base};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The value of a name in a formula that nobody has given: so large that the highest power counts.
const LARGE: f64 = 10_000.0;
/// By how much what is read may differ from the whole array.
const WHOLE: f64 = 0.1;
/// Less than this part of the remote accesses that a random distribution would make: only borders are remote.
const BORDER: f64 = 0.5;
/// The part, as a power, of too large costs that is the program's own, and not chance of what was measured on that number of
/// threads: the costs on other numbers of threads have a chance of their own. Both are about as large.
const OF_PROGRAM: f64 = 0.5;
/// By so much do costs exceed what the measured time leaves for them if that is worth a note.
const NOTED: f64 = 1.05;

/// What is predicted.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The costs.
    pub platform: &'a Platform,
    /// The network to predict for; `None`: that of the recording.
    pub network: Option<&'a str>,
    /// The network of the recording has its cache, or not, in the run that was timed.
    pub was_cached: Option<bool>,
    /// Nanoseconds of the recorded run when it was not recorded, if somebody has measured them.
    pub measured: Option<f64>,
    /// More threads have more work, where the compiler does not know it.
    pub weak: bool,
    /// The values of parameters in the recorded run.
    pub values: &'a BTreeMap<String, i64>,
    /// The same recording with what the compiler knows of the program that is predicted, if that is another one.
    pub later: Option<&'a Work>,
    /// What the trace tells of block sizes.
    pub blocks: &'a Blocks,
}

/// A predicted row.
#[derive(Clone, PartialEq, Debug)]
pub struct Predicted {
    /// Where; `None`: the program's own time.
    pub place: Option<Place>,
    /// The event, or nothing.
    pub event: String,
    /// Why it takes time.
    pub cause: &'static str,
    /// The operations of a thread.
    pub count: Option<f64>,
    /// The time of a thread.
    pub time: Time,
}

/// A predicted run.
#[derive(Clone, PartialEq, Debug)]
pub struct Prediction {
    /// THREADS.
    pub threads: u32,
    /// The setting of the platform.
    pub setting: String,
    /// The threads of a processor.
    pub load: f64,
    /// The time of the run.
    pub time: Time,
    /// What it consists of, the most time first.
    pub rows: Vec<Predicted>,
    /// What the prediction lacks, in sentences.
    pub notes: Vec<String>,
}

/// The costs of a run on so many threads.
fn costs_of<'a>(
    work: &Work,
    target: &Target<'a>,
    setting: &'a Setting,
    threads: u32,
    changes: &'a Changes,
) -> Costs<'a> {
    Costs {
        platform: target.platform,
        setting,
        at: target.platform.placement(threads, changes.machines),
        changes,
        before: work.threads,
        between: 0.0,
        longer: 0.0,
        missing: RefCell::new(BTreeSet::new()),
    }
}

/// How a row of the recording becomes one of the predicted run.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Scale {
    /// How many times as many operations there are.
    pub growth: f64,
    /// Nanoseconds of one.
    pub each: f64,
    /// The part of it in which the memory of the other thread serves nobody else.
    pub occupied: f64,
    /// Nanoseconds for which it occupies the link of a machine.
    pub link: f64,
    /// Only neighbours are accessed.
    pub is_border: bool,
}

/// How a recording becomes the predicted run.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Scales {
    /// THREADS.
    pub threads: u32,
    /// The threads of a machine.
    pub of_machine: u32,
    /// How many times as long a thread computes.
    pub computing: f64,
    /// By row.
    pub rows: Vec<Scale>,
}

/// Returns the scales of a run.
///
/// # Errors
/// A sentence that says why that is not possible.
pub fn scales(work: &Work, target: &Target<'_>, changes: &Changes) -> Result<Scales, String> {
    with_model(work, target, changes, |model| model.scales())
}

/// Predicts a run.
///
/// # Errors
/// A sentence that says why that is not possible.
pub fn predict(work: &Work, target: &Target<'_>, changes: &Changes) -> Result<Prediction, String> {
    with_model(work, target, changes, |model| model.predict())
}

fn with_model<T>(
    work: &Work,
    target: &Target<'_>,
    changes: &Changes,
    f: impl FnOnce(&Model<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let setting = |network: &str, cache: Option<bool>| {
        let found = target.platform.setting(network, cache);
        found.ok_or_else(|| {
            format!("the platform has no costs of network {network} with what is asked for")
        })
    };
    let network = changes.network.as_deref().or(target.network);
    let before = setting(&work.network, target.was_cached)?;
    let after = setting(network.unwrap_or(&work.network), changes.cache)?;
    let none = Changes::default();
    let threads = changes.threads.unwrap_or(work.threads);
    let same = before.network == after.network;
    let before = costs_of(work, target, before, work.threads, &none);
    let mut model = Model {
        work,
        target,
        changes,
        before,
        after: costs_of(work, target, after, threads, changes),
        base: Base::default(),
        factor: 1.0,
        turns: BTreeMap::new(),
    };
    model.turns = turns::recorded(
        work,
        &|name| model.value(false, name),
        remote_part(work.threads),
    );
    model.find_waits_when_recorded()?;
    let beside = model.part_beside_updates();
    let own = (beside, model.before.setting.is_mapped());
    model.base = base(work, &model.recorded()?, target.measured, own);
    model.base.updating = model.part_of_updates();
    model.find_waits()?;
    if let Some(exceeds) = model.base.exceeds.filter(|_| same) {
        model.factor = match threads == work.threads {
            true => 1.0 / exceeds,
            false => exceeds.powf(-OF_PROGRAM),
        };
    }
    f(&model)
}

struct Model<'a> {
    work: &'a Work,
    target: &'a Target<'a>,
    changes: &'a Changes,
    before: Costs<'a>,
    after: Costs<'a>,
    /// The program's own time in the recorded run.
    base: Base,
    /// How many times as much as the platform says operations of the recorded run cost, where they stay the same: as much as
    /// the measured time leaves for them. On other numbers of threads, only a part of the difference counts.
    factor: f64,
    /// The iterations of loops, as recorded.
    turns: BTreeMap<String, f64>,
}

impl Model<'_> {
    /// How the accesses of a row follow one another, in the recorded run or in the predicted one.
    fn shape(&self, at: usize, row: &Row, later: bool) -> Result<Shape, String> {
        Ok(Shape {
            at_once: self.at_once(at, later)?,
            ..self.shape_with_hits(at, row, later)?
        })
    }

    /// The same, of accesses by themselves.
    fn shape_with_hits(&self, at: usize, row: &Row, later: bool) -> Result<Shape, String> {
        let cache = self.before.cache();
        let recorded = self.shape_of(at, row, false)?;
        let expected = cache.map(|it| recorded.misses(it));
        Ok(Shape {
            expected,
            ..self.shape_of(at, row, later)?
        })
    }

    fn shape_of(&self, at: usize, row: &Row, later: bool) -> Result<Shape, String> {
        let costs = self.costs(later);
        let of = match self.target.later.filter(|_| later) {
            Some(other) => &other.rows[at],
            None => row,
        };
        let count = self.count_of(at, row, later)?;
        let known = of.known.as_ref();
        let value =
            |it: Option<&Formula>| it.map(|it| it.evaluate(&|name| self.value(later, name)));
        let all = value(known.and_then(|it| it.count.as_ref()));
        let phase = value(known.and_then(|it| it.phase.as_ref()));
        let flushes = self.work.flushes.max(1.0);
        let phase = match (all, phase) {
            (Some(all), Some(phase)) if all > 0.0 => count * (phase / all).min(1.0),
            _ => count / flushes,
        };
        let repeats = value(known.and_then(|it| it.repeats.as_ref())).unwrap_or(1.0);
        let (_, transfer) = costs.transfer(row);
        let turns = value(known.and_then(|it| it.turns.as_ref()));
        let others = f64::from(costs.at.threads.saturating_sub(1));
        let walked = self.walked(row, later);
        let walked = walked.map(|(bytes, each)| (bytes / each).ceil());
        let block = row.array.as_ref().filter(|_| later);
        let block = block.and_then(|array| self.changes.blocks.get(array));
        Ok(Shape {
            run: Shape::run(transfer, turns, row.bytes, block.map(|it| *it as f64)),
            bytes: row.bytes,
            phase,
            first: 1.0 / repeats.max(1.0),
            step: known.and_then(|it| it.step).map(|it| it as f64),
            among: row.array_bytes.map(|it| match self.is_border(row) {
                true => (it * others).min(phase * row.bytes),
                false => it * others,
            }),
            owners: walked.map_or(others, |it| it.min(others)),
            // To the others belongs what these read: they have it.
            active: walked
                .map(|owners| costs.at.threads.saturating_sub(owners as u32))
                .filter(|it| *it > 0),
            at_once: 1.0,
            expected: None,
        })
    }

    /// The costs of the recorded run, or those of the predicted one.
    fn costs(&self, later: bool) -> &Costs<'_> {
        if later { &self.after } else { &self.before }
    }

    /// The operations of a row that concern other threads, in the recorded run or in the predicted one.
    fn count_of(&self, at: usize, row: &Row, later: bool) -> Result<f64, String> {
        match later {
            true => self.count(at, row),
            false => Ok(row.count),
        }
    }

    fn scales(&self) -> Result<Scales, String> {
        let work = self.work;
        let rows = work.rows.iter().enumerate().map(|(at, row)| {
            let count = self.count(at, row)?;
            let shape = self.shape(at, row, true)?;
            let each = self.after.each(row, &shape).mean * self.factor;
            Ok(Scale {
                growth: if row.count > 0.0 {
                    count / row.count
                } else {
                    0.0
                },
                each,
                occupied: self.after.occupied(each),
                link: self.after.link(row.bytes),
                is_border: self.is_border(row),
            })
        });
        let machines = self
            .changes
            .machines
            .unwrap_or(self.target.platform.machines);
        let threads = self.after.at.threads;
        Ok(Scales {
            threads,
            of_machine: threads.div_ceil(machines.max(1)),
            computing: self.computing() * self.changes.compute,
            rows: rows.collect::<Result<_, String>>()?,
        })
    }

    fn predict(&self) -> Result<Prediction, String> {
        let (work, after) = (self.work, &self.after);
        let threads = after.at.threads;
        let mut notes = Vec::new();
        if work.threads == 1 && threads > 1 {
            notes.push(
                "a run on one thread has no remote accesses: record one on two threads or more"
                    .to_owned(),
            );
        }
        if let Some(exceeds) = self.base.exceeds.filter(|it| *it > NOTED) {
            let taken = match self.factor < 1.0 {
                true => format!(", and they are taken to cost {:.2} of that", self.factor),
                false => String::new(),
            };
            notes.push(format!(
                "the costs of the recorded operations are {exceeds:.1} times what the measured time leaves for them: the platform is another one, or the program overlaps them{taken}"
            ));
        }
        notes.extend(self.slower_memory());
        notes.extend(self.without_effect());
        let mut rows = self.own_rows();
        for (at, row) in work.rows.iter().enumerate() {
            rows.extend(self.row(at, row)?);
        }
        rows.sort_by(|a, b| b.time.mean.total_cmp(&a.time.mean));
        let time = rows
            .iter()
            .fold(Time::default(), |sum, it| sum.plus(it.time));
        for (operation, from) in after.missing.borrow().iter() {
            notes.push(match from.as_str() {
                "" => format!("the platform has no cost of {operation}: it is taken as 0"),
                from => {
                    format!("the platform has no cost of {operation}: that of {from} stands for it")
                }
            });
        }
        Ok(Prediction {
            threads,
            setting: after.setting.title(),
            load: after.at.load,
            time,
            rows,
            notes,
        })
    }

    /// Says which parameters change nothing.
    fn without_effect(&self) -> Vec<String> {
        let formulas = |it: &Work| {
            let known = it.rows.iter().filter_map(|row| row.known.clone());
            let known = known.flat_map(|known| [known.count, known.turns]);
            let all: Vec<Formula> = known.chain([it.amount.clone()]).flatten().collect();
            all
        };
        let all = formulas(self.work);
        let differ = self
            .target
            .later
            .is_some_and(|later| formulas(later) != all);
        let has = |name: &str| all.iter().any(|it| it.names().any(|known| known == name));
        let names = self.changes.parameters.keys();
        let names = names.filter(|name| !differ && !has(name));
        names
            .map(|name| format!("nothing that is known of the program depends on {name}"))
            .collect()
    }

    /// How many times as long computing takes because threads share processors.
    fn load(&self) -> f64 {
        self.after.at.load.max(1.0) / self.before.at.load.max(1.0)
    }

    /// The accesses of a row in the recorded run, to own memory as well, as the compiler counts them.
    fn accesses(&self, row: &Row) -> Option<f64> {
        let count = row.known.as_ref()?.count.as_ref()?;
        Some(count.evaluate(&|name| self.value(false, name)))
    }

    /// True if few of a row's accesses are remote: those at the borders of a thread's part.
    fn is_border(&self, row: &Row) -> bool {
        let random = remote_part(self.work.threads);
        let is_access = matches!(row.cause, Cause::Read | Cause::Write);
        let all = self.accesses(row).filter(|_| is_access);
        all.is_some_and(|all| row.count < BORDER * random * all)
    }

    /// True if a loop over threads makes a row's accesses, and nearly all of them are remote: the program itself chooses other
    /// threads, such as those before this one. More threads make no larger part of them remote.
    fn is_of_others(&self, row: &Row) -> bool {
        let count = row.known.as_ref().and_then(|it| it.count.as_ref());
        let counts_threads = count.is_some_and(|it| it.names().any(|name| name == "MYTHREAD"));
        let least = (1.0 + remote_part(self.work.threads)) / 2.0;
        let all = self.accesses(row).filter(|_| counts_threads);
        all.is_some_and(|all| row.count > least * all)
    }

    /// Somebody has given the value of a name, or the recording tells it.
    fn has_value(&self, name: &str) -> bool {
        let given = |of: &BTreeMap<String, i64>| of.contains_key(name);
        let is_given = given(self.target.values) || given(&self.changes.parameters);
        ["THREADS", "MYTHREAD"].contains(&name) || is_given || self.turns.contains_key(name)
    }

    /// A name's value in the recorded run, and in the predicted one.
    fn value(&self, later: bool, name: &str) -> f64 {
        let threads = match later {
            true => self.after.at.threads,
            false => self.work.threads,
        };
        let changed = self.changes.parameters.get(name).filter(|_| later);
        match (name, changed.or_else(|| self.target.values.get(name))) {
            ("THREADS", _) => f64::from(threads),
            ("MYTHREAD", _) => (f64::from(threads) - 1.0) / 2.0,
            (_, Some(value)) => *value as f64,
            (_, None) => self.turns.get(name).copied().unwrap_or(LARGE),
        }
    }

    /// How many times as large a formula is in the predicted run.
    fn ratio(&self, before: Option<&Formula>, after: Option<&Formula>) -> Option<f64> {
        let before = before?.evaluate(&|name| self.value(false, name));
        let after = after?.evaluate(&|name| self.value(true, name));
        (before > 0.0 && after >= 0.0).then(|| after / before)
    }

    /// How many times as much a thread computes.
    fn growth(&self) -> f64 {
        let work = self.work;
        let later = self.target.later.unwrap_or(work);
        self.ratio(work.amount.as_ref(), later.amount.as_ref())
            .unwrap_or_else(|| match self.target.weak {
                true => 1.0,
                false => f64::from(work.threads) / f64::from(self.after.at.threads),
            })
    }

    /// How many times as many operations a row has.
    fn growth_of(&self, at: usize, row: &Row) -> f64 {
        let later = self.target.later.map(|it| &it.rows[at]).unwrap_or(row);
        let count = |it: &Row| it.known.as_ref().and_then(|it| it.count.clone());
        self.ratio(count(row).as_ref(), count(later).as_ref())
            .unwrap_or_else(|| self.growth())
    }

    /// The operations of a row that concern other threads.
    fn count(&self, at: usize, row: &Row) -> Result<f64, String> {
        let later = self.target.later.map(|it| &it.rows[at]).unwrap_or(row);
        let turns = |it: &Row| it.known.as_ref().and_then(|it| it.turns.clone());
        let growth = self.growth_of(at, row);
        let spread = self.spread(row);
        let visits = |it: &Row| it.visits.clone().filter(turns::is_known);
        let visits = self.ratio(visits(row).as_ref(), visits(later).as_ref());
        let remote = match row.cause {
            Cause::Read | Cause::Write if self.is_border(row) => {
                let along = self.ratio(turns(row).as_ref(), turns(later).as_ref());
                row.count * along.unwrap_or(1.0) * spread
            }
            Cause::Read | Cause::Write => row.count * growth * spread,
            Cause::BulkRead | Cause::BulkWrite => row.count * spread * visits.unwrap_or(1.0),
            Cause::Lock | Cause::Atomic | Cause::Fence => row.count * visits.unwrap_or(growth),
            Cause::Barrier | Cause::Reduce | Cause::Broadcast => row.count * visits.unwrap_or(1.0),
        };
        let block = row.array.as_ref().and_then(|array| {
            let block = self.changes.blocks.get(array)?;
            Some(self.target.blocks.factor(array, *block))
        });
        Ok(remote * block.transpose()?.unwrap_or(1.0))
    }

    /// The bytes of an array that each thread walks through from its beginning, and those of the part of a thread. `None`:
    /// the elements are others, or not the whole array was read in the recorded run, so that nothing tells where the walk
    /// begins.
    fn walked(&self, row: &Row, later: bool) -> Option<(f64, f64)> {
        let known = row.known.as_ref().filter(|it| it.step.is_some())?;
        let each = row.array_bytes.filter(|it| *it > 0.0)?;
        let (phase, repeats) = (known.phase.as_ref()?, known.repeats.as_ref()?);
        let bytes = |later: bool| {
            let value = |it: &Formula| it.evaluate(&|name| self.value(later, name));
            value(phase) / value(repeats).max(1.0) * row.bytes
        };
        let whole = each * f64::from(self.work.threads);
        let was_all = (bytes(false) / whole - 1.0).abs() < WHOLE;
        (was_all && !self.is_border(row)).then(|| (bytes(later), each))
    }

    /// How many times as many accesses of a row are remote. Where all threads walk through the same part of an array, the
    /// thread to which least of it belongs takes longest.
    fn spread(&self, row: &Row) -> f64 {
        let (before, after) = (self.work.threads, self.after.at.threads);
        if self.is_border(row) {
            let most = sides(before, after);
            let chooses = row.known.as_ref().is_some_and(|it| it.step.is_none());
            // If the first thread and the last one are neighbours, too, then all have two sides on two threads already. Otherwise
            // the geometric mean is by the same factor too much or too little.
            return match row.is_ring {
                Some(true) if chooses => 1.0,
                None if chooses => most.sqrt(),
                Some(_) | None => most,
            };
        }
        match self.walked(row, true) {
            Some((bytes, each)) if before > 1 && bytes > 0.0 => {
                let others = f64::from(after.saturating_sub(1));
                let own = (bytes - each * others).clamp(0.0, each);
                (1.0 - own / bytes) / remote_part(before)
            }
            Some(_) | None if self.is_of_others(row) => 1.0,
            Some(_) | None => spread(before, after),
        }
    }

    fn row(&self, at: usize, row: &Row) -> Result<Option<Predicted>, String> {
        let count = self.count(at, row)?;
        let shape = self.shape(at, row, true)?;
        let each = self.after.beyond(row, &shape).times(self.factor);
        let alone = self.after.at.threads == 1;
        Ok((!alone && count > 0.0).then(|| Predicted {
            place: Some(row.place.clone()),
            event: row.event.clone(),
            cause: row.cause.name(),
            count: Some(count),
            time: each.times(count),
        }))
    }
}

/// The part of accesses that concern other threads, where elements are anywhere.
fn remote_part(threads: u32) -> f64 {
    1.0 - 1.0 / f64::from(threads.max(1))
}

/// How many times as many sides with a neighbour beyond it a thread between others has, as those of the recorded run have
/// on average. The first thread and the last one have one side; they wait for the others.
fn sides(before: u32, after: u32) -> f64 {
    let most = f64::from(after.saturating_sub(1).min(2));
    match before > 1 {
        true => most / (2.0 * remote_part(before)),
        false => 1.0,
    }
}

/// How many times as many accesses of a thread concern other threads, where elements are anywhere: (n - 1) / n for n
/// threads.
fn spread(before: u32, after: u32) -> f64 {
    if before > 1 {
        remote_part(after) / remote_part(before)
    } else {
        1.0
    }
}
