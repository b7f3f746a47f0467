//! The graph of speed-up over numbers of threads.

use super::paths::short;
use crate::prof::runs::scale::{Point as Measured, Scaling as Of};
use crate::prof::runs::{By, curve_text, finding_text, fitted, words};
use crate::prof::table::{time, time_change};
use serde::Serialize;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// Space around the curves, for labels.
const MARGIN: f64 = 28.0;
/// The number of points of a fitted curve.
const STEPS: u32 = 64;
/// The number of rows of the table.
const MOST: usize = 12;

/// The graph, ready to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Scaling {
    width: f64,
    height: f64,
    points: Vec<Point>,
    /// Points as SVG has them: what was measured, what the numbers of threads promise, and the fitted curve.
    measured: String,
    ideal: String,
    fitted: Option<String>,
    /// The speed-up at the upper end.
    most: String,
    /// What the curve says, and which line stops scaling.
    curve: String,
    finding: String,
    rows: Vec<Row>,
}

/// A number of threads.
#[derive(Clone, Debug, Serialize)]
struct Point {
    threads: u32,
    runs: usize,
    x: f64,
    y: f64,
    run: String,
    speedup: String,
    efficiency: String,
}

/// A row that loses time.
#[derive(Clone, Debug, Serialize)]
struct Row {
    name: String,
    event: String,
    loss: String,
    share: String,
}

fn rounded(it: f64) -> f64 {
    (it * 10.0).round() / 10.0
}

/// Where a number of threads and a speed-up are in the graph.
struct Axes {
    first: f64,
    last: f64,
    most: f64,
}

impl Axes {
    fn x(&self, threads: f64) -> f64 {
        let part = (threads - self.first) / (self.last - self.first).max(1.0);
        rounded(MARGIN + (WIDTH - 2.0 * MARGIN) * part)
    }

    fn y(&self, speedup: f64) -> f64 {
        rounded(HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * speedup.max(0.0) / self.most)
    }

    fn point(&self, threads: f64, speedup: f64) -> String {
        format!("{},{}", self.x(threads), self.y(speedup))
    }
}

impl Scaling {
    /// Draws the scaling of a program. by: what its rows are.
    pub fn new(of: &Of, by: By) -> Scaling {
        let first = f64::from(of.points[0].threads);
        let last = f64::from(of.last().threads);
        let speedups = of.points.iter().map(|point| of.speedup(point));
        let axes = Axes {
            first,
            last,
            most: speedups.fold(last / first.max(1.0), f64::max),
        };
        let point = |point: &Measured| Point {
            threads: point.threads,
            runs: point.runs,
            x: axes.x(f64::from(point.threads)),
            y: axes.y(of.speedup(point)),
            run: time(point.run),
            speedup: format!("{:.2}", of.speedup(point)),
            efficiency: format!("{:.1} %", of.efficiency(point)),
        };
        let measured = of.points.iter();
        let measured: Vec<String> = measured
            .map(|point| axes.point(f64::from(point.threads), of.speedup(point)))
            .collect();
        let curve = of.curve.map(|curve| {
            let step = (of.last().threads.div_ceil(STEPS)).max(1);
            let threads = (of.points[0].threads..=of.last().threads).step_by(step as usize);
            let points =
                threads.map(|threads| axes.point(f64::from(threads), fitted(of, &curve, threads)));
            points.collect::<Vec<String>>().join(" ")
        });
        Scaling {
            width: WIDTH,
            height: HEIGHT,
            points: of.points.iter().map(point).collect(),
            measured: measured.join(" "),
            ideal: format!(
                "{} {}",
                axes.point(first, 1.0),
                axes.point(last, last / first.max(1.0))
            ),
            fitted: curve,
            most: format!("{:.1} times as fast", axes.most),
            curve: short(&curve_text(of)),
            finding: finding_text(of, by),
            rows: of
                .rows
                .iter()
                .take(MOST)
                .map(|row| Row {
                    name: short(&words::name(&row.key, by)),
                    event: words::event(&row.key).map_or(String::new(), short),
                    loss: time_change(row.loss()),
                    share: format!("{:.1} %", of.loss_percent(row)),
                })
                .collect(),
        }
    }
}
