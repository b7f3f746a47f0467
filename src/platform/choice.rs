//! Which of several measurements of a cost counts.

use super::{Cost, Setting, Time};
use std::collections::BTreeMap;

/// Which of several measurements of a cost counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// The lowest: whatever else happens makes operations slower.
    Lowest,
    /// The mean without the lowest quarter and the highest one. A message is served, and a thread that shares a processor gets
    /// it, at once or later, by chance, and a program has all of these times. Often they are of two kinds: of a few
    /// measurements, the median is one of the first or of the second kind, and the mean lies between.
    Middle,
}

impl Choice {
    /// The choice for a setting.
    pub(super) fn of(setting: &Setting) -> Choice {
        match setting.is_mapped() {
            true => Choice::Lowest,
            false => Choice::Middle,
        }
    }

    /// What the measured program is called with, so that it chooses among its repetitions in the same way.
    pub(super) fn argument(self) -> Option<&'static str> {
        match self {
            Choice::Lowest => None,
            Choice::Middle => Some("typical"),
        }
    }

    /// One cost for each number of threads and amount.
    pub(super) fn of_all(self, costs: &[Cost]) -> Vec<Cost> {
        let mut groups: BTreeMap<(u32, u64), Vec<Cost>> = BTreeMap::new();
        for cost in costs {
            let group = groups.entry((cost.threads, cost.amount)).or_default();
            group.push(*cost);
        }
        let groups = groups.into_values();
        groups.filter_map(|it| self.of_group(it)).collect()
    }

    fn of_group(self, mut costs: Vec<Cost>) -> Option<Cost> {
        costs.sort_by(|a, b| a.time.mean.total_cmp(&b.time.mean));
        let outer = match self {
            Choice::Lowest => return costs.first().copied(),
            Choice::Middle => (costs.len() + 1) / 4,
        };
        let middle = &costs[outer..costs.len() - outer];
        let all = middle.iter().map(|it| it.time).reduce(Time::plus)?;
        Some(Cost {
            time: all.times(1.0 / middle.len() as f64),
            ..*middle.first()?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cost, means};
    use super::{Choice, Cost, Setting};
    use std::collections::BTreeMap;

    #[test]
    fn the_lowest_or_the_middle_of_measurements_counts() {
        let all = [(2, 3.0), (4, 9.0), (2, 8.0), (8, 7.0), (2, 4.0), (4, 1.0)];
        let all = all.map(|(threads, mean)| cost(threads, mean));
        assert_eq!(means(&Choice::Lowest.of_all(&all)), [3.0, 1.0, 7.0]);
        assert_eq!(means(&Choice::Middle.of_all(&all)), [4.0, 5.0, 7.0]);
    }

    #[test]
    fn the_middle_is_a_mean_without_the_outer_quarters() {
        let of = |all: &[f64]| {
            let all: Vec<Cost> = all.iter().map(|mean| cost(2, *mean)).collect();
            means(&Choice::Middle.of_all(&all))
        };
        assert_eq!(of(&[900.0, 6.0, 4.0, 8.0, 1.0]), [6.0]);
        assert_eq!(of(&[3.0, 3.0, 4.0, 9.0, 9.0]), [16.0 / 3.0]);
        assert_eq!(of(&[1.0, 9.0]), [5.0]);
        assert_eq!(of(&[]), [0.0; 0]);
    }

    #[test]
    fn messages_have_typical_costs() {
        let of = |network: &str| {
            Choice::of(&Setting {
                network: network.to_owned(),
                cache: None,
                cache_line: 1024,
                cache_lines: 1024,
                cache_most: 0,
                costs: BTreeMap::new(),
            })
        };
        assert_eq!(of("smp").argument(), None);
        assert_eq!(of("mpi"), Choice::Middle);
    }
}
