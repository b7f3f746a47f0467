//! One platform of what was measured at several times.

use super::choice::Choice;
use super::{Cost, Platform, Setting};
use std::collections::BTreeMap;

impl Platform {
    /// Joins what was measured of one platform at several times. Of each cost the mean without the outer quarters counts, also
    /// in shared memory: the lowest one of several times is a lucky one, and that of another number of threads is not. Its
    /// interval has the intervals of all. `None`: there are no measurements.
    ///
    /// # Errors
    /// The place of a measurement that is of another platform than the first one, and what differs.
    pub fn joined(all: Vec<Platform>) -> Result<Option<Platform>, (usize, String)> {
        let mut all = all.into_iter().enumerate();
        let Some((_, mut joined)) = all.next() else {
            return Ok(None);
        };
        for (place, other) in all {
            joined.add(other).map_err(|why| (place, why))?;
        }
        let all = joined
            .settings
            .iter_mut()
            .flat_map(|it| it.costs.values_mut());
        for costs in all {
            *costs = with_all_intervals(Choice::Middle.of_all(costs), costs);
        }
        Ok(Some(joined))
    }

    /// Adds the costs of a measurement to those of others.
    fn add(&mut self, other: Platform) -> Result<(), String> {
        same("processors", self.processors, other.processors)?;
        same("machines", self.machines, other.machines)?;
        if self.processor_caches == 0 {
            self.processor_caches = other.processor_caches;
        }
        for setting in other.settings {
            let is_same =
                |it: &&mut Setting| (&it.network, it.cache) == (&setting.network, setting.cache);
            match self.settings.iter_mut().find(is_same) {
                Some(known) => known.add(setting)?,
                None => self.settings.push(setting),
            }
        }
        Ok(())
    }
}

impl Setting {
    fn add(&mut self, other: Setting) -> Result<(), String> {
        same("cache-line", self.cache_line, other.cache_line)?;
        same("cache-lines", self.cache_lines, other.cache_lines)?;
        same("cache-most", self.cache_most, other.cache_most)?;
        for (name, costs) in other.costs {
            self.costs.entry(name).or_default().extend(costs);
        }
        Ok(())
    }
}

fn same(what: &str, first: u32, other: u32) -> Result<(), String> {
    match first == other {
        true => Ok(()),
        false => Err(format!("{what} = {other} in place of {first}")),
    }
}

/// The chosen costs, with intervals that have those of all measurements.
fn with_all_intervals(mut chosen: Vec<Cost>, all: &[Cost]) -> Vec<Cost> {
    let mut ends: BTreeMap<(u32, u64), (f64, f64)> = BTreeMap::new();
    for cost in all {
        let ends = ends
            .entry((cost.threads, cost.amount))
            .or_insert((f64::INFINITY, f64::NEG_INFINITY));
        *ends = (ends.0.min(cost.time.low), ends.1.max(cost.time.high));
    }
    for cost in &mut chosen {
        if let Some(&(low, high)) = ends.get(&(cost.threads, cost.amount)) {
            (cost.time.low, cost.time.high) = (low, high);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::Time;
    use super::{Cost, Platform, Setting};

    fn measured(network: &str, [low, mean, high]: [f64; 3]) -> Platform {
        let cost = |threads: u32| Cost {
            threads,
            amount: 0,
            time: Time { low, mean, high }.times(f64::from(threads)),
        };
        Platform {
            name: "here".to_owned(),
            processors: 2,
            machines: 1,
            processor_caches: 0,
            settings: vec![Setting {
                network: network.to_owned(),
                cache: None,
                cache_line: 1024,
                cache_lines: 1024,
                cache_most: 0,
                costs: [("barrier".to_owned(), vec![cost(2), cost(4)])].into(),
            }],
        }
    }

    fn costs(of: &Platform, setting: usize) -> Vec<[f64; 4]> {
        let costs = of.settings[setting].costs["barrier"].iter();
        costs
            .map(|it| {
                [
                    f64::from(it.threads),
                    it.time.low,
                    it.time.mean,
                    it.time.high,
                ]
            })
            .collect()
    }

    #[test]
    fn the_median_of_several_times_counts() {
        let times = [[2.0, 3.0, 4.0], [1.0, 7.0, 9.0], [3.0, 4.0, 8.0]];
        for network in ["mpi", "smp"] {
            let all = times.iter().map(|it| measured(network, *it)).collect();
            let joined = Platform::joined(all).expect("one platform").expect("costs");
            let wanted = [[2.0, 2.0, 8.0, 18.0], [4.0, 4.0, 16.0, 36.0]];
            assert_eq!(costs(&joined, 0), wanted, "{network}");
        }
    }

    #[test]
    fn networks_that_only_one_measurement_has_are_kept() {
        let all = vec![
            measured("smp", [1.0, 2.0, 3.0]),
            measured("mpi", [10.0, 20.0, 30.0]),
        ];
        let joined = Platform::joined(all).expect("one platform").expect("costs");
        assert_eq!(costs(&joined, 0)[0], [2.0, 2.0, 4.0, 6.0]);
        assert_eq!(costs(&joined, 1)[0], [2.0, 20.0, 40.0, 60.0]);
    }

    #[test]
    fn measurements_of_other_platforms_are_not_joined() {
        let of = || measured("mpi", [1.0; 3]);
        let mut larger = of();
        larger.processors = 4;
        let wrong = Platform::joined(vec![of(), of(), larger]);
        assert_eq!(wrong, Err((2, "processors = 4 in place of 2".to_owned())));
        let mut lines = of();
        lines.settings[0].cache_line = 64;
        let wrong = Platform::joined(vec![of(), lines]);
        assert_eq!(
            wrong,
            Err((1, "cache-line = 64 in place of 1024".to_owned()))
        );
        assert_eq!(Platform::joined(Vec::new()), Ok(None));
    }
}
