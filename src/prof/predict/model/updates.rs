//! Updates of elements anywhere, `table[i] ^= x`, that are the program's own time: all where memory is mapped, those of own
//! elements over messages. The platform says what they take, and other loops may grow otherwise.

use super::super::work::{Cause, Row};
use super::{Model, remote_part};
use crate::references::Formula;

/// The part of its time by the number of its expressions that the program beside the updates has at least: the processor's
/// cache may hold more of the elements than in the measurement of updates.
const BESIDE: f64 = 0.5;

impl Model<'_> {
    /// The part of what threads compute at the same time in the recorded run, from 0 to 1, that the updates take.
    pub(super) fn part_of_updates(&self) -> f64 {
        let most = self.beside().map_or(1.0, |part| 1.0 - BESIDE * part);
        let all = self.base.together.max(f64::MIN_POSITIVE);
        (self.updating(false) / all).min(most.min(1.0))
    }

    /// The part of its expressions, from 0 to 1, that a thread evaluates in other loops than those of updates in the recorded run.
    fn beside(&self) -> Option<f64> {
        let value = |of: &Formula| of.evaluate(&|name| self.value(false, name));
        let all = value(self.work.amount.as_ref()?);
        let beside = value(self.work.beside_updates.as_ref()?);
        (all > 0.0).then(|| (beside / all).clamp(0.0, 1.0))
    }

    /// The part of its recorded own time, from 0 to 1, that belongs to no loop of updates over messages: these send messages there,
    /// and what else they do is in the platform's cost of an update.
    pub(super) fn part_beside_updates(&self) -> f64 {
        let are_known = self.before.knows_updates() && !self.before.setting.is_mapped();
        let beside = self.beside().filter(|_| are_known);
        beside.unwrap_or(1.0)
    }

    /// How many times as long threads compute at the same time as in the recorded run.
    pub(super) fn computing(&self) -> f64 {
        let (updating, before) = (self.base.updating, self.updating(false));
        let later = self.target.later.unwrap_or(self.work);
        let beside = (
            self.work.beside_updates.as_ref(),
            later.beside_updates.as_ref(),
        );
        let all = self.growth() * self.load();
        if updating <= 0.0 {
            return all;
        }
        let beside = self.ratio(beside.0, beside.1);
        let beside = beside.map_or(all, |growth| growth * self.load());
        updating * self.updating(true) / before + (1.0 - updating) * beside
    }

    /// Nanoseconds of the updates that are own time in the recorded run, or in the predicted one.
    pub(super) fn updating(&self, later: bool) -> f64 {
        let rows = self.work.rows.iter().enumerate();
        let updates = rows.filter(|(_, row)| row.cause == Cause::Read && row.updates_anywhere());
        let times = updates.map(|(at, row)| {
            let made = match row.local > 0.0 {
                true => row.count + row.local,
                false => row.count / remote_part(self.work.threads).max(f64::MIN_POSITIVE),
            };
            let growth = if later { self.growth_of(at, row) } else { 1.0 };
            let costs = self.costs(later);
            let own = match costs.setting.is_mapped() {
                true => 1.0,
                false => 1.0 - remote_part(costs.at.threads),
            };
            made * growth * own * self.update(row, later)
        });
        times.sum()
    }

    /// Nanoseconds of an update. Those of elements that the processor's cache holds take the longer the more threads share a
    /// processor; of the others, the platform says what as many threads take.
    fn update(&self, row: &Row, later: bool) -> f64 {
        let (cached, missed) = self.before.own_update(row);
        match later {
            true => cached * self.load() + self.after.own_update(row).1,
            false => cached + missed,
        }
    }
}
