//! The program's own time: what the costs of operations do not explain of a recorded run, and how it grows.

use super::super::costs::Costs;
use super::super::work::{Cause, Row, Work};
use super::{Model, Predicted, sides};
use crate::platform::Time;
use crate::references::Formula;

/// The program's own time in the recorded run, as far as the platform's costs do not explain its time.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Base {
    /// Nanoseconds of computing that threads do at the same time.
    pub(super) together: f64,
    /// The part of it, from 0 to 1, that loops take which update elements anywhere in mapped memory.
    pub(super) updating: f64,
    /// Nanoseconds of computing that one thread does while the others wait.
    alone: f64,
    /// Nanoseconds of waiting.
    waiting: f64,
    /// How many times what the measured time leaves for operations their costs are, if that is not the same.
    pub(super) exceeds: Option<f64>,
}

/// The cost of an operation of each row in the recorded run, beyond what it costs if it concerns no other thread; and that.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    beyond: Vec<f64>,
    own: Vec<f64>,
}

/// The own time of a recorded run, accesses to the thread's own memory included. `beside`: the part of the recorded own time that
/// belongs to no loop of updates. `is_mapped`: loads and stores of shared memory are own time, but have events.
pub(super) fn base(
    work: &Work,
    costs: &Recorded,
    measured: Option<f64>,
    (beside, is_mapped): (f64, bool),
) -> Base {
    let rows = || work.rows.iter().zip(&costs.beyond);
    let accesses = work.rows.iter().zip(&costs.own);
    let accesses: f64 = accesses.map(|(row, own)| row.count * own).sum();
    let recorded = work.computing + accesses;
    let (computing, waiting, exceeds) = match measured {
        Some(time) => {
            let all: f64 = rows().map(|(row, each)| row.count * each).sum();
            let least = least(work, time) * beside;
            let own = match is_mapped {
                true => time - all,
                false => own(recorded, beside, (time, all))
                    .min(recorded)
                    .max(time - DEARER * all),
            };
            let own = own.max(least);
            let left = time - own;
            let explains = (all - left).abs() > left * EXACT;
            (own, 0.0, explains.then(|| all / left))
        }
        None => {
            let barriers = rows().filter(|(row, _)| row.cause == Cause::Barrier);
            let waited = barriers.map(|(row, each)| (row.recorded - row.count * each).max(0.0));
            // The mean of the threads; the thread with the most to do waits for none.
            let waited: f64 = waited.sum::<f64>() - work.computing * work.serial / 2.0;
            (recorded, waited.max(0.0), None)
        }
    };
    // Loops of updates send messages, for which threads have more time or less by chance.
    let serial = work.serial * beside;
    Base {
        updating: 0.0,
        together: computing * (1.0 - serial),
        alone: computing * serial,
        waiting,
        exceeds,
    }
}

/// Differences up to this part are those of the arithmetic.
const EXACT: f64 = 1e-9;
/// The part by which what the platform says of all operations of a run is wrong: whole calibrations differ as much.
const OF_COSTS: f64 = 0.15;
/// The part of the own time in the recording that a thread has when it is not recorded, and by how much that may be wrong:
/// from half of it to all.
const OF_RECORDED: (f64, f64) = (0.7, 0.25);

/// Nanoseconds by which any time may be wrong.
const EXACT_TIME: f64 = 1.0;
/// Operations take at most so many times what the platform says.
const DEARER: f64 = 2.0;

/// The own time over messages, of which there are two measurements: what the platform's costs leave of the measured time, and
/// what was recorded. Each counts by the inverse of its variance.
fn own(recorded: f64, beside: f64, (time, costs): (f64, f64)) -> f64 {
    let of = |error: f64| error.max(EXACT_TIME).powi(-2);
    let (by_costs, by_recording) = (of(OF_COSTS * costs), of(OF_RECORDED.1 * recorded));
    let sum = (time - costs) * by_costs + OF_RECORDED.0 * recorded * beside * by_recording;
    sum / (by_costs + by_recording)
}

/// The part of the own time in the recording that a thread has at least when it is not recorded. What events take counts
/// there, and what delivers messages.
const OWN: f64 = 0.5;

/// The nanoseconds of own time that a recorded run has at least, of these in all.
fn least(work: &Work, time: f64) -> f64 {
    let part = work.computing / work.run.max(f64::MIN_POSITIVE);
    time * part.min(1.0) * OWN
}

/// The steps in which a thread's own time in the recorded run is found: each halves the error.
const HALVES: usize = 40;
/// Nanoseconds by which each answer takes longer, to count the answers for which a thread waits.
const LONGER: f64 = 1e6;

/// Where an operation waits for several threads, so that it has a cost of its own for those that compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meets {
    AtBarriers,
    AtFences,
    Nowhere,
}

impl Meets {
    fn of(row: &Row, costs: &Costs<'_>) -> Meets {
        match row.cause {
            Cause::Barrier => Meets::AtBarriers,
            Cause::Fence if row.spreads && costs.knows_busy_fences() => Meets::AtFences,
            _ => Meets::Nowhere,
        }
    }
}

/// What a thread's operations take.
#[derive(Clone, Copy, Default, Debug)]
struct Waits {
    /// Nanoseconds, if all others answer at once, and come to barriers at the same time.
    pub(super) together: f64,
    /// Answers for which it waits, one after another.
    answers: f64,
    /// Barriers.
    barriers: f64,
    /// Fences of which the platform says how long they take among threads that compute.
    fences: f64,
    /// How often it begins to wait: for an answer, for several ones, or at a barrier.
    all: f64,
}

impl Waits {
    /// Adds so many operations: the nanoseconds of all of them if answers come at once, and if each takes `LONGER`.
    fn add(&mut self, meets: Meets, count: f64, (together, longer): (f64, f64)) {
        let answers = (longer - together) / LONGER;
        let of = |what: Meets| if meets == what { count } else { 0.0 };
        let (barriers, fences) = (of(Meets::AtBarriers), of(Meets::AtFences));
        self.together += together;
        self.answers += answers;
        self.barriers += barriers;
        self.fences += fences;
        self.all += answers.min(count) + barriers + fences;
    }

    /// Nanoseconds for which a thread computes between two waits, of so many in all, if its processor has no other one.
    fn between(&self, own: f64, costs: &Costs<'_>) -> f64 {
        own / costs.at.load.max(1.0) / self.all.max(1.0)
    }

    /// Nanoseconds of the operations of a thread that computes for so long.
    fn time(&self, own: f64, costs: &Costs<'_>) -> f64 {
        let between = self.between(own, costs);
        self.together
            + self.answers * costs.answer_longer(between)
            + self.barriers * costs.barrier_longer(between)
            + self.fences * costs.fence_longer(between)
    }
}

/// Says how long a thread computes between its waits, and how much longer it waits for that.
fn set(costs: &mut Costs<'_>, waits: Waits, own: f64) {
    costs.between = waits.between(own, costs);
    costs.longer = costs.answer_longer(costs.between);
}

impl Model<'_> {
    /// Finds how long a thread of the recorded run computes between its waits. Its own time is what the operations do not
    /// take, which take the longer the more the others compute.
    pub(super) fn find_waits_when_recorded(&mut self) -> Result<(), String> {
        let work = self.work;
        self.before.longer = 0.0;
        let together = self.recorded()?.beyond;
        self.before.longer = LONGER;
        let longer = self.recorded()?.beyond;
        let mut waits = Waits::default();
        for (row, each) in work.rows.iter().zip(together.into_iter().zip(longer)) {
            let times = (row.count * each.0, row.count * each.1);
            waits.add(Meets::of(row, &self.before), row.count, times);
        }
        let Some(time) = self.target.measured else {
            set(&mut self.before, waits, work.computing);
            return Ok(());
        };
        let (mut low, mut high) = (0.0, (time - waits.together).max(0.0));
        for _ in 0..HALVES {
            let own = (low + high) / 2.0;
            match own + waits.time(own, &self.before) > time {
                true => high = own,
                false => low = own,
            }
        }
        set(&mut self.before, waits, low.max(least(work, time)));
        Ok(())
    }

    /// Finds how long a thread of the predicted run computes between its waits.
    pub(super) fn find_waits(&mut self) -> Result<(), String> {
        let work = self.work;
        self.after.longer = 0.0;
        let together = self.rows_of_all()?;
        self.after.longer = LONGER;
        let longer = self.rows_of_all()?;
        let mut waits = Waits::default();
        for (row, both) in work.rows.iter().zip(together.iter().zip(&longer)) {
            if let (Some(together), Some(longer)) = both {
                let times = (together.time.mean, longer.time.mean);
                let meets = Meets::of(row, &self.after);
                waits.add(meets, together.count.unwrap_or(0.0), times);
            }
        }
        let own = self.own_rows();
        let own = own.iter().map(|it| it.time.mean).sum();
        set(&mut self.after, waits, own);
        Ok(())
    }

    /// What is predicted of each row.
    fn rows_of_all(&self) -> Result<Vec<Option<Predicted>>, String> {
        let rows = self.work.rows.iter().enumerate();
        rows.map(|(at, row)| self.row(at, row)).collect()
    }

    /// What operations cost in the recorded run.
    pub(super) fn recorded(&self) -> Result<Recorded, String> {
        let rows = self.work.rows.iter().enumerate();
        let beyond = rows.map(|(at, row)| {
            let shape = self.shape(at, row, false)?;
            let beyond = self.before.beyond(row, &shape).mean;
            // The time of the run is that of a thread between others.
            let is_line = self.is_border(row) && row.is_ring != Some(true);
            Ok(match is_line {
                true => beyond * sides(self.work.threads, self.work.threads),
                false => beyond,
            })
        });
        let own = self.work.rows.iter().zip(0..).map(|(row, at)| {
            let shape = self.shape(at, row, false)?;
            let each = self.before.each(row, &shape).mean;
            Ok(self.before.own(row, &shape).mean.min(each))
        });
        Ok(Recorded {
            beyond: beyond.collect::<Result<_, String>>()?,
            own: own.collect::<Result<_, String>>()?,
        })
    }

    /// The rows of the program's own time.
    pub(super) fn own_rows(&self) -> Vec<Predicted> {
        let base = &self.base;
        let growth = self.growth();
        let (before, after) = (&self.before, &self.after);
        let load = self.load();
        let threads = f64::from(after.at.threads) / f64::from(before.at.threads);
        let compute = self.changes.compute;
        // Threads that share a memory may be slower than the load says.
        let memory = after.memory() / before.memory().max(f64::MIN_POSITIVE) / load;
        let own = |cause, mean: f64| Predicted {
            place: None,
            event: String::new(),
            cause,
            count: None,
            time: Time {
                low: mean,
                mean,
                high: mean * memory.max(1.0),
            },
        };
        let rows = [
            own(
                "computing",
                (base.together * self.computing() + self.finding()) * compute,
            ),
            own(
                "computing by one thread",
                base.alone * growth * threads * compute,
            ),
            own(
                "waiting for the slowest thread",
                base.waiting * growth * load * compute,
            ),
        ];
        rows.into_iter().filter(|row| row.time.mean > 0.0).collect()
    }

    /// What finding the threads of elements takes more than it took in the recorded run.
    fn finding(&self) -> f64 {
        let later = self.target.later.unwrap_or(self.work);
        let of = |work: &Work, is_later: bool, each: f64| {
            let known = |it: &&Formula| it.names().all(|name| self.has_value(name));
            let counts = work.finds.iter().filter(known);
            let counts = counts.map(|it| it.evaluate(&|name| self.value(is_later, name)));
            counts.sum::<f64>() * each
        };
        let before = of(self.work, false, self.before.find()) * self.growth() * self.load();
        let after = of(later, true, self.after.find());
        match self.after.find() > 0.0 {
            true => after - before,
            false => 0.0,
        }
    }
}
