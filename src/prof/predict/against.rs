//! A prediction beside a recording of what it predicts, by line and by cause.

use super::super::names::shown;
use super::super::table::{Cell, Table, Unit, column};
use super::model::Prediction;
use super::print::{nanoseconds, place_of};
use super::work::Work;
use std::collections::BTreeMap;

/// What the time of a program that is not in operations is called.
const COMPUTING: &str = "computing";

/// The time of a thread that goes to operations of a cause in a line.
#[derive(Clone, PartialEq, Default, Debug)]
struct Pair {
    predicted: f64,
    measured: f64,
    /// The operations of a thread.
    predicted_count: Option<f64>,
    measured_count: Option<f64>,
}

/// A prediction beside a recording, by line and cause.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Against {
    pairs: BTreeMap<(String, &'static str), Pair>,
    /// The recorded run: a thread's time by line and cause contains what recording takes.
    pub run: f64,
}

impl Against {
    /// Compares a prediction with a recorded run of as many threads.
    #[must_use]
    pub fn new(prediction: &Prediction, recorded: &Work) -> Against {
        let mut all = Against {
            run: recorded.run,
            ..Against::default()
        };
        for row in &prediction.rows {
            let (place, cause) = match &row.place {
                Some(place) => (place_of(Some(place)), row.cause),
                None => (place_of(None), COMPUTING),
            };
            let pair = all.pairs.entry((place, cause)).or_default();
            pair.predicted += row.time.mean;
            pair.predicted_count = added(pair.predicted_count, row.count);
        }
        for row in &recorded.rows {
            let key = (place_of(Some(&row.place)), row.cause.name());
            let pair = all.pairs.entry(key).or_default();
            pair.measured += row.recorded;
            pair.measured_count = added(pair.measured_count, Some(row.count));
        }
        let pair = all.pairs.entry((place_of(None), COMPUTING)).or_default();
        pair.measured += recorded.computing;
        all
    }

    /// The sums of causes, the largest difference first.
    #[must_use]
    pub fn causes(&self) -> Table {
        let mut sums: BTreeMap<&'static str, Pair> = BTreeMap::new();
        for ((_, cause), pair) in &self.pairs {
            let sum = sums.entry(cause).or_default();
            sum.predicted += pair.predicted;
            sum.measured += pair.measured;
        }
        let mut rows: Vec<(&'static str, Pair)> = sums.into_iter().collect();
        rows.sort_by(|a, b| b.1.apart().total_cmp(&a.1.apart()));
        let row = |(cause, pair): &(&'static str, Pair)| {
            let times = pair.times();
            std::iter::once((*cause).into()).chain(times).collect()
        };
        Table {
            columns: vec![
                column("cause", Unit::Text),
                column("predicted", Unit::Time),
                column("measured", Unit::Time),
                column("difference", Unit::Time),
            ],
            rows: rows.iter().map(row).collect(),
        }
    }

    /// The lines, the largest difference first.
    #[must_use]
    pub fn lines(&self, top: usize) -> Table {
        let mut rows: Vec<_> = self.pairs.iter().collect();
        rows.sort_by(|a, b| b.1.apart().total_cmp(&a.1.apart()));
        let count = |it: Option<f64>| it.map(|it| it.max(0.0).round() as u64).into();
        let row = |&((place, cause), pair): &(&(String, &'static str), &Pair)| {
            let mut row: Vec<Cell> = vec![shown(place).into_owned().into(), (*cause).into()];
            row.extend(pair.times());
            row.extend([count(pair.predicted_count), count(pair.measured_count)]);
            row
        };
        Table {
            columns: vec![
                column("line", Unit::Text),
                column("cause", Unit::Text),
                column("predicted", Unit::Time),
                column("measured", Unit::Time),
                column("difference", Unit::Time),
                column("predicted count", Unit::Count),
                column("measured count", Unit::Count),
            ],
            rows: rows.iter().take(top).map(row).collect(),
        }
    }
}

impl Pair {
    fn apart(&self) -> f64 {
        (self.predicted - self.measured).abs()
    }

    fn times(&self) -> [Cell; 3] {
        [
            nanoseconds(self.predicted).into(),
            nanoseconds(self.measured).into(),
            Cell::Change((self.predicted - self.measured).round() as i64),
        ]
    }
}

fn added(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::Against;
    use crate::platform::Time;
    use crate::prof::predict::tests::{row, work};
    use crate::prof::predict::{Cause, Place, Predicted, Prediction};
    use crate::references::Class;

    /// What is on one side only is beside nothing, and the largest difference comes first.
    #[test]
    fn lines_of_both_stand_side_by_side() {
        let mut fence = row(Cause::Fence, Class::Baseline, 3.0, None);
        (fence.place.line, fence.recorded) = (9, 700.0);
        let mut read = row(Cause::Read, Class::Baseline, 5.0, None);
        read.recorded = 50.0;
        let recorded = work(4, 1000.0, vec![read.clone(), fence]);
        let of = |place: Option<Place>, cause, time: f64, count| Predicted {
            place,
            event: String::new(),
            cause,
            count,
            time: Time::exactly(time),
        };
        let prediction = Prediction {
            threads: 4,
            setting: String::new(),
            load: 1.0,
            time: Time::exactly(1160.0),
            rows: vec![
                of(Some(read.place), Cause::Read.name(), 60.0, Some(5.0)),
                of(None, "computing", 900.0, None),
                of(None, "computing by one thread", 200.0, None),
            ],
            notes: Vec::new(),
        };
        let against = Against::new(&prediction, &recorded);
        let json = against.lines(usize::MAX).json();
        let seen = json.as_array().expect("rows").iter().map(|row| {
            let cell = |name: &str| row[name].clone();
            (
                cell("cause"),
                cell("predicted_ns"),
                cell("measured_ns"),
                cell("difference_ns"),
            )
        });
        let wanted = [
            ("fences", 0, 700, -700),
            ("computing", 1100, 1000, 100),
            ("remote reads", 60, 50, 10),
        ];
        let wanted = wanted.map(|(cause, a, b, c)| (cause.into(), a.into(), b.into(), c.into()));
        assert_eq!(seen.collect::<Vec<_>>(), wanted);
    }
}
