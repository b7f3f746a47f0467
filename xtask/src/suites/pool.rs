//! Runs the tests of many suites together, so that no processor waits for the last test of a suite.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::test::Test;
use crate::context::Context;
use crate::report::{Row, Tally};

/// The tests of one suite, or why there are none.
pub struct Batch {
    pub suite: &'static str,
    pub tests: Result<Vec<Test>, String>,
}

/// What is still to run of a suite, and what came of the rest.
struct Open {
    left: usize,
    /// By position: the report has the order of the list.
    done: BTreeMap<usize, Tally>,
    time: Duration,
}

/// Runs the tests in order, as many at a time as the machine has processors, then those that must be alone. The rows are in the order of the batches.
pub fn run(context: &Context, batches: Vec<Batch>) -> Vec<Row> {
    let mut open = Vec::new();
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    for (suite, batch) in batches.into_iter().enumerate() {
        let tests = match batch.tests {
            Ok(tests) if tests.is_empty() => {
                vec![broken("there are no such tests".to_owned())]
            }
            Ok(tests) => tests,
            Err(why) => vec![broken(why)],
        };
        let state = Open {
            left: tests.len(),
            done: BTreeMap::new(),
            time: Duration::ZERO,
        };
        open.push((batch.suite, Mutex::new(state)));
        for (position, test) in tests.into_iter().enumerate() {
            let list = if test.alone {
                &mut alone
            } else {
                &mut together
            };
            list.push((suite, position, test));
        }
    }
    each(context.jobs, together, &open);
    each(1, alone, &open);
    open.into_iter().map(row).collect()
}

fn broken(why: String) -> Test {
    Test::one("suite", move || Err(why))
}

type Suites = [(&'static str, Mutex<Open>)];

fn each(jobs: usize, tests: Vec<(usize, usize, Test)>, suites: &Suites) {
    let tests = Mutex::new(tests.into_iter());
    // A poisoned lock means that another worker panicked; scope() reports that.
    let next = || tests.lock().ok().and_then(|mut tests| tests.next());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some((suite, position, test)) = next() {
                    let start = Instant::now();
                    let tally = test.run();
                    let (name, open) = &suites[suite];
                    if let Ok(mut open) = open.lock() {
                        open.take(name, position, tally, start.elapsed());
                    }
                }
            });
        }
    });
}

impl Open {
    /// A test has ended. A line tells of a failure at once, and of the end of a suite.
    fn take(&mut self, suite: &str, position: usize, tally: Tally, time: Duration) {
        for (case, _) in &tally.failures {
            println!("FAILED {suite} {case}");
        }
        self.done.insert(position, tally);
        self.time += time;
        self.left -= 1;
        if self.left == 0 {
            println!("{suite}: done");
        }
    }
}

fn row((suite, open): (&'static str, Mutex<Open>)) -> Row {
    let mut tally = Tally::default();
    // No worker is left that could hold the lock; one that panicked has ended the run.
    let open = open
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    let time = open.time;
    open.done.into_values().for_each(|part| tally.join(part));
    Row { suite, tally, time }
}
