//! Which of several measurements of a cost counts.

use super::{Cost, Setting};
use std::collections::BTreeMap;

/// Which of several measurements of a cost counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// The lowest: whatever else happens makes operations slower.
    Lowest,
    /// The median. A message is served, and a thread that shares a processor gets it, at once or later, by chance, and a
    /// program has all of these times.
    Median,
}

impl Choice {
    /// The choice for a setting.
    pub(super) fn of(setting: &Setting) -> Choice {
        match setting.is_mapped() {
            true => Choice::Lowest,
            false => Choice::Median,
        }
    }

    /// What the measured program is called with, so that it chooses among its repetitions in the same way.
    pub(super) fn argument(self) -> Option<&'static str> {
        match self {
            Choice::Lowest => None,
            Choice::Median => Some("typical"),
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
        let (first, half) = (*costs.first()?, costs.len() / 2);
        let middle = &costs[(costs.len() - 1) / 2..=half];
        Some(match (self, middle) {
            (Choice::Lowest, _) => first,
            (Choice::Median, [below, above]) => Cost {
                time: below.time.plus(above.time).times(0.5),
                ..first
            },
            (Choice::Median, _) => costs[half],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cost, means};
    use super::{Choice, Setting};
    use std::collections::BTreeMap;

    #[test]
    fn the_lowest_or_the_median_of_measurements_counts() {
        let all = [(2, 3.0), (4, 9.0), (2, 8.0), (8, 7.0), (2, 4.0), (4, 1.0)];
        let all = all.map(|(threads, mean)| cost(threads, mean));
        assert_eq!(means(&Choice::Lowest.of_all(&all)), [3.0, 1.0, 7.0]);
        assert_eq!(means(&Choice::Median.of_all(&all)), [4.0, 5.0, 7.0]);
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
        assert_eq!(of("mpi"), Choice::Median);
    }
}
