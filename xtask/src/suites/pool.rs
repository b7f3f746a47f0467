//! Runs the tests of many suites together, so that no processor waits for the last test of a suite.
//!
//! Tests that mostly wait have a list of their own, and one of the workers: no two of them run at the same time while there are others. A worker whose
//! list is empty takes from the other one.
//!
//! Tests of signals, time limits and lost machines share the processors with others, which can delay them beyond their limits. A test that
//! fails beside others therefore runs once more, alone. If it passes then, the report lists it as unsteady, with what went wrong.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::WAITING;
use super::test::Test;
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
    /// Failures of tests that are to run again, by position.
    aside: BTreeMap<usize, Vec<(String, String)>>,
    time: Duration,
}

/// Runs the tests, then those that must be alone. The rows are in the order of the batches.
pub fn run(processors: usize, batches: Vec<Batch>) -> Vec<Row> {
    let mut open = Vec::new();
    let (mut busy, mut waiting, mut alone) = (Vec::new(), Vec::new(), Vec::new());
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
            aside: BTreeMap::new(),
            time: Duration::ZERO,
        };
        open.push((batch.suite, Mutex::new(state)));
        for (position, test) in tests.into_iter().enumerate() {
            let list = match test.alone {
                true => &mut alone,
                false if WAITING.contains(&batch.suite) => &mut waiting,
                false => &mut busy,
            };
            list.push((suite, position, test));
        }
    }
    let lists = Lists {
        busy: busy.into(),
        waiting: waiting.into(),
    };
    let waiting = usize::from(processors > 1);
    let workers = [(processors - waiting, Kind::Busy), (waiting, Kind::Waiting)];
    let again = each(&workers, lists, &open, After::Again);
    let one = [(1, Kind::Busy)];
    each(&one, Lists::of(alone), &open, After::Failed);
    each(&one, Lists::of(again), &open, After::Failed);
    open.into_iter().map(row).collect()
}

fn broken(why: String) -> Test {
    Test::one("suite", move || Err(why.clone()))
}

type Suites = [(&'static str, Mutex<Open>)];

/// A test, with its suite and its position in that.
type Placed = (usize, usize, Test);

/// What becomes of a test that fails.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Failed,
    /// It runs again, unless [`MOST_AGAIN`] do already: so many failures are no accident.
    Again,
}

const MOST_AGAIN: usize = 10;

/// What a worker prefers.
#[derive(Clone, Copy)]
enum Kind {
    Busy,
    Waiting,
}

/// Tests that have not begun.
struct Lists {
    busy: VecDeque<Placed>,
    waiting: VecDeque<Placed>,
}

impl Lists {
    fn of(tests: Vec<Placed>) -> Lists {
        Lists {
            busy: tests.into(),
            waiting: VecDeque::new(),
        }
    }

    fn next(&mut self, kind: Kind) -> Option<Placed> {
        let (first, second) = match kind {
            Kind::Busy => (&mut self.busy, &mut self.waiting),
            Kind::Waiting => (&mut self.waiting, &mut self.busy),
        };
        first.pop_front().or_else(|| second.pop_front())
    }
}

/// Runs the tests by so many workers of each kind, and gives those that are to run again.
fn each(workers: &[(usize, Kind)], tests: Lists, suites: &Suites, after: After) -> Vec<Placed> {
    let tests = Mutex::new(tests);
    let again = Mutex::new(Vec::new());
    let workers = workers
        .iter()
        .flat_map(|&(count, kind)| std::iter::repeat_n(kind, count));
    // A poisoned lock means that another worker panicked; scope() reports that.
    let next = |kind| tests.lock().ok().and_then(|mut tests| tests.next(kind));
    let (next, again_list) = (&next, &again);
    thread::scope(|scope| {
        for kind in workers {
            scope.spawn(move || {
                while let Some((suite, position, mut test)) = next(kind) {
                    let start = Instant::now();
                    let tally = test.run();
                    let (name, open) = &suites[suite];
                    let (Ok(mut open), Ok(mut again)) = (open.lock(), again_list.lock()) else {
                        continue;
                    };
                    let failed = !tally.failures.is_empty();
                    if failed && after == After::Again && again.len() < MOST_AGAIN {
                        open.set_aside(name, position, tally, start.elapsed());
                        again.push((suite, position, test));
                    } else {
                        open.take(name, position, tally, start.elapsed());
                    }
                }
            });
        }
    });
    again
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner())
}

impl Open {
    /// A test has ended. A line tells of a failure at once, and of the end of a suite.
    fn take(&mut self, suite: &str, position: usize, mut tally: Tally, time: Duration) {
        if let Some(before) = self.aside.remove(&position)
            && tally.failures.is_empty()
        {
            tally.unsteady = before;
        }
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

    /// A test has failed, which is to run again.
    fn set_aside(&mut self, suite: &str, position: usize, tally: Tally, time: Duration) {
        for (case, _) in &tally.failures {
            println!("FAILED {suite} {case}: it runs again, alone, at the end");
        }
        self.aside.insert(position, tally.failures);
        self.time += time;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The tally of a suite with one test, which fails so many times before it passes.
    fn tally_of(failures: usize) -> Tally {
        let mut runs = 0;
        let test = Test::one("case", move || {
            runs += 1;
            match runs > failures {
                true => Ok(()),
                false => Err(format!("failure {runs}")),
            }
        });
        let batch = Batch {
            suite: "suite",
            tests: Ok(vec![test]),
        };
        run(2, vec![batch]).remove(0).tally
    }

    #[test]
    fn a_test_fails_when_it_fails_alone_too() {
        let good = tally_of(0);
        assert_eq!((good.passed, good.unsteady.len()), (1, 0));
        let unsteady = tally_of(1);
        assert_eq!((unsteady.passed, unsteady.failures.len()), (1, 0));
        assert_eq!(
            unsteady.unsteady,
            [("case".to_owned(), "failure 1".to_owned())]
        );
        let bad = tally_of(2);
        assert_eq!((bad.passed, bad.unsteady.len()), (0, 0));
        assert_eq!(bad.failures, [("case".to_owned(), "failure 2".to_owned())]);
    }
}
