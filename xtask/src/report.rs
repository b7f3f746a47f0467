//! What suites found, and the table at the end.

use std::time::Duration;

/// The answer of one suite.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    /// Case and what went wrong.
    pub failures: Vec<(String, String)>,
    /// Cases that failed beside other tests and passed when they ran again alone, and what had gone wrong.
    pub unsteady: Vec<(String, String)>,
    /// Cases that did not run, and why.
    pub skipped: Vec<(String, String)>,
    /// Tests and how long each took.
    pub times: Vec<(String, Duration)>,
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

    /// A case that did not run.
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
        self.times.extend(other.times);
    }
}

/// One line of the table.
pub struct Row {
    pub suite: &'static str,
    pub tally: Tally,
    /// Of all its tests, which run side by side with others.
    pub time: Duration,
}

/// How many of the slowest tests the report names.
const SLOWEST: usize = 10;

/// Time that the processes which this one has waited for, and theirs, have had a processor (`cutime` and `cstime` of
/// proc(5)).
fn processors() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    // The unit is 10 ms on every Linux.
    Duration::from_millis(ticks * 10)
}

/// Prints failures, the table and, alone on the last line, the counts. True: nothing failed.
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
        "\n{:<13} {:>7} {:>7} {:>8} {:>8}",
        "suite", "passed", "failed", "not run", "time"
    );
    let mut sum = [0; 3];
    for row in rows {
        let counts = [
            row.tally.passed,
            row.tally.failures.len(),
            row.tally.skipped.len(),
        ];
        println!(
            "{:<13} {:>7} {:>7} {:>8} {:>6.1} s",
            row.suite,
            counts[0],
            counts[1],
            counts[2],
            row.time.as_secs_f64()
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
    print_slowest(rows);
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

fn print_slowest(rows: &[Row]) {
    let times = rows
        .iter()
        .flat_map(|row| row.tally.times.iter().map(|time| (row.suite, time)));
    let mut times: Vec<_> = times.collect();
    times.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
    for (suite, (name, time)) in times.into_iter().take(SLOWEST) {
        println!("{:>6.1} s {suite}::{name}", time.as_secs_f64());
    }
}
