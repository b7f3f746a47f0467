//! The results of suites, and the table at the end.

use std::path::Path;
use std::time::Duration;

use crate::context;

/// The result of one suite.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    /// The case and the error.
    pub failures: Vec<(String, String)>,
    /// Cases that failed in parallel with other tests and passed when they ran again alone, with the first error.
    pub unsteady: Vec<(String, String)>,
    /// Cases that did not run, and the reason.
    pub skipped: Vec<(String, String)>,
    /// Tests and what they cost.
    pub costs: Vec<(String, Cost)>,
}

/// What tests cost.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// From beginning to end, beside other tests.
    pub time: Duration,
    /// The processor time of their commands.
    pub processors: Duration,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.time += other.time;
        self.processors += other.processors;
    }
}

impl Tally {
    pub fn one(case: &str, verdict: Result<(), String>) -> Tally {
        let mut tally = Tally::default();
        tally.add(case, verdict);
        tally
    }

    pub fn add(&mut self, case: &str, verdict: Result<(), String>) {
        match verdict {
            Ok(()) => self.passed += 1,
            Err(why) => self.failures.push((case.to_string(), why)),
        }
    }

    /// Returns the tally of a case that did not run.
    pub fn skipped(case: &str, why: &str) -> Tally {
        let mut tally = Tally::default();
        tally.skip(case, why);
        tally
    }

    pub fn skip(&mut self, case: &str, why: &str) {
        self.skipped.push((case.to_string(), why.to_string()));
    }

    pub fn join(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
        self.unsteady.extend(other.unsteady);
        self.skipped.extend(other.skipped);
        self.costs.extend(other.costs);
    }
}

/// One line of the table.
pub struct Row {
    pub suite: &'static str,
    pub tally: Tally,
    /// The total of all its tests, which run in parallel with others.
    pub cost: Cost,
}

/// How many of the costliest tests the report names.
const COSTLIEST: usize = 40;

/// Returns the processor time of the terminated and waited-for children of this process, and of theirs (`cutime` and
/// `cstime` of proc(5)).
fn processors() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    // The unit is 10 ms on every Linux.
    Duration::from_millis(ticks * 10)
}

/// Writes the cost of every test to a file: the suite, the test, its seconds and those of processors.
///
/// # Errors
/// The file cannot be written.
pub fn write_costs(rows: &[Row], file: &Path) -> Result<(), String> {
    let mut text = String::from("suite,test,seconds,processors\n");
    for row in rows {
        for (name, cost) in &row.tally.costs {
            let (time, processors) = (cost.time.as_secs_f64(), cost.processors.as_secs_f64());
            text += &format!("{},{name:?},{time:.2},{processors:.2}\n", row.suite);
        }
    }
    context::write(file, &text)
}

/// Prints failures, the table and, as a separate last line, the counts. Returns true if nothing failed.
pub fn print(rows: &[Row], time: Duration) -> bool {
    for row in rows {
        for (case, why) in &row.tally.failures {
            println!("\nFAILED {} {case}\n    {}", row.suite, why.trim_end());
        }
    }
    for row in rows {
        for (case, why) in &row.tally.unsteady {
            let why = why.trim_end();
            println!(
                "\nUNSTEADY {} {case}, which passed alone\n    {why}",
                row.suite
            );
        }
    }
    println!(
        "\n{:<13} {:>7} {:>7} {:>8} {:>8} {:>10}",
        "suite", "passed", "failed", "not run", "time", "processors"
    );
    let mut sum = [0; 3];
    for row in rows {
        let counts = [
            row.tally.passed,
            row.tally.failures.len(),
            row.tally.skipped.len(),
        ];
        println!(
            "{:<13} {:>7} {:>7} {:>8} {:>6.1} s {:>8.1} s",
            row.suite,
            counts[0],
            counts[1],
            counts[2],
            row.cost.time.as_secs_f64(),
            row.cost.processors.as_secs_f64()
        );
        for (total, count) in sum.iter_mut().zip(counts) {
            *total += count;
        }
    }
    for row in rows {
        for (case, why) in &row.tally.skipped {
            println!("{} {case} not run: {why}", row.suite);
        }
    }
    print_costliest(rows);
    let skipped = if sum[2] > 0 {
        format!(", {} skipped", sum[2])
    } else {
        String::new()
    };
    println!(
        "{:.1} s, in which processors worked {:.1} s",
        time.as_secs_f64(),
        processors().as_secs_f64()
    );
    println!("\n{} passed, {} failed{skipped}", sum[0], sum[1]);
    sum[1] == 0
}

/// Prints the tests with the most processor time: other tests do not add to it, unlike to the time that passes.
fn print_costliest(rows: &[Row]) {
    let costs = rows
        .iter()
        .flat_map(|row| row.tally.costs.iter().map(|cost| (row.suite, cost)));
    let mut costs: Vec<_> = costs.collect();
    costs.sort_by_key(|(_, (_, cost))| std::cmp::Reverse(cost.processors));
    println!("the costliest tests, by processor time:");
    for (suite, (name, cost)) in costs.into_iter().take(COSTLIEST) {
        println!(
            "{:>6.1} s {:>6.1} s {suite}::{name}",
            cost.time.as_secs_f64(),
            cost.processors.as_secs_f64()
        );
    }
}
