//! The program's own time: what the costs of operations do not explain of a recorded run, and how it grows.

use super::super::work::{Cause, Work};
use super::{Model, Predicted, sides};
use crate::platform::Time;
use crate::references::Formula;

/// The program's own time in the recorded run, as far as the platform's costs do not explain its time.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Base {
    /// Nanoseconds of computing that threads do at the same time.
    together: f64,
    /// Nanoseconds of computing that one thread does while the others wait.
    alone: f64,
    /// Nanoseconds of waiting.
    waiting: f64,
    /// The costs exceed the measured time by this factor.
    pub(super) exceeds: Option<f64>,
}

/// The cost of an operation of each row in the recorded run, beyond what it costs if it concerns no other thread; and that.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    beyond: Vec<f64>,
    own: Vec<f64>,
}

/// The own time of a recorded run, accesses to the thread's own memory included.
pub(super) fn base(work: &Work, costs: &Recorded, measured: Option<f64>) -> Base {
    let rows = || work.rows.iter().zip(&costs.beyond);
    let (computing, waiting, exceeds) = match measured {
        Some(time) => {
            let all: f64 = rows().map(|(row, each)| row.count * each).sum();
            let exceeds = (all > time).then(|| all / time);
            ((time - all).max(0.0), 0.0, exceeds)
        }
        None => {
            let barriers = rows().filter(|(row, _)| row.cause == Cause::Barrier);
            let waited = barriers.map(|(row, each)| (row.recorded - row.count * each).max(0.0));
            // The mean of the threads; the thread with the most to do waits for none.
            let waited: f64 = waited.sum::<f64>() - work.computing * work.serial / 2.0;
            let accesses = work.rows.iter().zip(&costs.own);
            let accesses: f64 = accesses.map(|(row, own)| row.count * own).sum();
            (work.computing + accesses, waited.max(0.0), None)
        }
    };
    Base {
        together: computing * (1.0 - work.serial),
        alone: computing * work.serial,
        waiting,
        exceeds,
    }
}

/// The steps in which the part of its time is found in which a thread computes: each halves the error.
const HALVES: usize = 40;

/// The part of its time in which a thread computes that waits `asked` nanoseconds for others, which would answer at once.
fn busy_part(own: f64, asked: f64) -> f64 {
    match own > 0.0 {
        true => own / (own + asked),
        false => 0.0,
    }
}

impl Model<'_> {
    /// How long a thread would wait for the answers of others that wait as well. `costs`: nanoseconds of its operations if
    /// the others never compute, and if they always do.
    fn asked(&self, later: bool, (idle, busy): (f64, f64)) -> f64 {
        let costs = if later { &self.after } else { &self.before };
        let most = costs.busy_most().mean;
        match most > 0.0 {
            true => (busy - idle) / most * costs.asked(),
            false => 0.0,
        }
    }

    /// The part of its time in which a thread of the recorded run computes and is in no barrier.
    pub(super) fn apart_when_recorded(&self) -> f64 {
        let rows = self.work.rows.iter();
        let barriers = rows.filter(|row| row.cause == Cause::Barrier);
        let time = self.target.measured.unwrap_or(self.work.computing);
        let count = barriers.map(|row| row.count).sum();
        self.before.part_apart(time, count)
    }

    /// The same of the predicted run.
    pub(super) fn apart(&self) -> Result<f64, String> {
        let mut count = 0.0;
        for (at, row) in self.work.rows.iter().enumerate() {
            if row.cause == Cause::Barrier {
                count += self.count(at, row)?;
            }
        }
        let own = self.own_rows();
        let time = own.iter().map(|it| it.time.mean).sum();
        Ok(self.after.part_apart(time, count))
    }

    /// The part of its time in which a thread of the recorded run computes. Its own time is what the operations do not take,
    /// which take the longer the more of the time the others compute.
    pub(super) fn busy_when_recorded(&mut self) -> Result<f64, String> {
        let work = self.work;
        let mut costs = [0.0; 2];
        for (busy, all) in [0.0, 1.0].into_iter().zip(&mut costs) {
            self.before.busy = busy;
            let rows = work.rows.iter().zip(self.recorded()?.beyond);
            *all = rows.map(|(row, each)| row.count * each).sum();
        }
        let [idle, busy] = costs;
        let asked = self.asked(false, (idle, busy));
        let Some(time) = self.target.measured else {
            return Ok(busy_part(work.computing, asked));
        };
        let (mut low, mut high) = (0.0, (time - idle).max(0.0));
        for _ in 0..HALVES {
            let own = (low + high) / 2.0;
            match own + idle + (busy - idle) * busy_part(own, asked) > time {
                true => high = own,
                false => low = own,
            }
        }
        Ok(busy_part(low, asked))
    }

    /// The part of its time in which a thread of the predicted run computes.
    pub(super) fn busy(&mut self) -> Result<f64, String> {
        let work = self.work;
        let mut costs = [0.0; 2];
        for (busy, all) in [0.0, 1.0].into_iter().zip(&mut costs) {
            self.after.busy = busy;
            for (at, row) in work.rows.iter().enumerate() {
                *all += self.row(at, row)?.map_or(0.0, |it| it.time.mean);
            }
        }
        let own = self.own_rows();
        let own = own.iter().map(|it| it.time.mean).sum();
        let [idle, busy] = costs;
        Ok(busy_part(own, self.asked(true, (idle, busy))))
    }

    /// What operations cost in the recorded run.
    pub(super) fn recorded(&self) -> Result<Recorded, String> {
        let rows = self.work.rows.iter().enumerate();
        let beyond = rows.map(|(at, row)| {
            let shape = self.shape(at, row, false)?;
            let beyond = self.before.beyond(row, &shape).mean;
            // The time of the run is that of a thread between others.
            Ok(match self.is_border(row) {
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
                (base.together * growth * load + self.finding()) * compute,
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
