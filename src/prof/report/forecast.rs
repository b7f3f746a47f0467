//! The graphs of predicted times, by number of threads and by size.

use crate::platform::Time;
use crate::prof::predict::Prediction;
use crate::prof::table::time;
use serde::Serialize;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
/// What differs, if it is the number of threads.
pub const THREADS: &str = "threads";
/// Space around the curve, for its labels.
const MARGIN: f64 = 24.0;

/// A graph, ready to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// What differs from point to point: `threads`, or a parameter of the program.
    over: String,
    /// What is the same for all points.
    setting: String,
    notes: Vec<String>,
    width: f64,
    height: f64,
    points: Vec<Point>,
    /// Points as SVG has them: the expected times, and the outline of the intervals.
    line: String,
    area: String,
    /// The time at the upper end.
    most: String,
}

/// A prediction.
#[derive(Clone, Debug, Serialize)]
struct Point {
    value: i64,
    x: f64,
    y: f64,
    time: String,
    low: String,
    high: String,
}

impl Forecast {
    /// Draws predictions for several values of `over`, in this order.
    pub fn new(over: &str, of: &[(i64, Prediction)], notes: Vec<String>) -> Forecast {
        let setting = of.first().map_or(String::new(), |(_, it)| match over {
            THREADS => format!("over {}, each with a processor of its own", it.setting),
            _ => format!("on {} threads over {}", it.threads, it.setting),
        });
        let most = of.iter().map(|(_, it)| it.time.high).fold(1.0, f64::max);
        let last = of.len().saturating_sub(1).max(1) as f64;
        let x = |at: usize| rounded(MARGIN + (WIDTH - 2.0 * MARGIN) * at as f64 / last);
        let y =
            |time: f64| rounded(HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * time.max(0.0) / most);
        let text = |it: f64| time(it.max(0.0).round() as u64);
        let curve = |end: fn(&Time) -> f64| {
            let ends = of.iter().enumerate();
            ends.map(move |(at, (_, it))| format!("{},{}", x(at), y(end(&it.time))))
                .collect::<Vec<String>>()
        };
        let mut area = curve(|it| it.high);
        area.extend(curve(|it| it.low).into_iter().rev());
        let point = |(at, (value, it)): (usize, &(i64, Prediction))| Point {
            value: *value,
            x: x(at),
            y: y(it.time.mean),
            time: text(it.time.mean),
            low: text(it.time.low),
            high: text(it.time.high),
        };
        Forecast {
            over: over.to_owned(),
            setting,
            notes,
            width: WIDTH,
            height: HEIGHT,
            points: of.iter().enumerate().map(point).collect(),
            line: curve(|it| it.mean).join(" "),
            area: area.join(" "),
            most: text(most),
        }
    }
}

fn rounded(it: f64) -> f64 {
    (it * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::{Forecast, Prediction, THREADS, Time};

    #[test]
    fn times_become_a_curve() {
        let predicted = |threads, low, mean, high| Prediction {
            threads,
            setting: "smp".to_owned(),
            load: 1.0,
            time: Time { low, mean, high },
            rows: Vec::new(),
            notes: Vec::new(),
        };
        let of = [
            (2, predicted(2, 500.0, 1000.0, 2000.0)),
            (4, predicted(4, 0.0, 500.0, 1000.0)),
        ];
        let graph = Forecast::new(THREADS, &of, Vec::new());
        assert_eq!(graph.line, "24,130 696,183");
        assert_eq!(graph.area, "24,24 696,130 696,236 24,183");
        assert_eq!(graph.most, "2.000 us");
        assert_eq!(graph.setting, "over smp, each with a processor of its own");
        let by_size = Forecast::new("N", &of, Vec::new());
        assert_eq!(by_size.setting, "on 2 threads over smp");
        assert_eq!(by_size.points[1].value, 4);
    }
}
