//! Runs the tests of many suites together, so that no processor waits for the last test of a suite.
//!
//! Tests that mostly wait have a list and a worker of their own, in addition to one worker for each processor: no two of them run at the same time
//! while there are others. A worker whose list is empty takes from the other one. The other workers have a lower priority: a program over messages,
//! whose threads hand the processor to one another, takes ten times as long beside a compiler of the same priority.
//!
//! Tests of signals, time limits and lost machines share the processors with others, which can delay them beyond their
//! limits. A test that fails in parallel with others therefore runs once more, alone. If it passes then, the report
//! lists it as unsteady, with the first error.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::thread;

use super::WAITING;
use super::test::Test;
use crate::report::{Cost, Row, Tally};

/// The tests of one suite, or the reason why there are none.
pub struct Batch {
    pub suite: &'static str,
    pub tests: Result<Vec<Test>, String>,
}

/// The number of a suite's tests that remain to be run, and the results so far.
struct Open {
    left: usize,
    /// By position: the report keeps the order of the list.
    done: BTreeMap<usize, Tally>,
    /// Failures of tests that run again, by position.
    aside: BTreeMap<usize, Vec<(String, String)>>,
    cost: Cost,
}

/// Runs the tests, then those that must run alone. The rows are in the order of the batches.
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
            cost: Cost::default(),
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
    let workers = [(processors, Kind::Busy), (1, Kind::Waiting)];
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

/// A test, with its suite and its position in the suite.
type Placed = (usize, usize, Test);

/// What happens after a test fails.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Failed,
    /// It runs again, unless [`MOST_AGAIN`] tests do already: that many failures are not accidental.
    Again,
}

const MOST_AGAIN: usize = 10;

/// By how much the nice value of tests that compute is higher than that of tests that wait. Linux has one for each thread, which its children inherit.
const LOWER: i32 = 10;

/// What a worker prefers.
#[derive(Clone, Copy)]
enum Kind {
    Busy,
    Waiting,
}

/// The tests that have not started.
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

/// Runs the tests with that many workers of each kind, and returns those that must run again.
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
                if let (Kind::Busy, After::Again) = (kind, after) {
                    // Without it tests take longer, no more.
                    let _ = rustix::process::nice(LOWER);
                }
                while let Some((suite, position, mut test)) = next(kind) {
                    let tally = test.run();
                    let (name, open) = &suites[suite];
                    let (Ok(mut open), Ok(mut again)) = (open.lock(), again_list.lock()) else {
                        continue;
                    };
                    let failed = !tally.failures.is_empty();
                    if failed && after == After::Again && again.len() < MOST_AGAIN {
                        open.set_aside(name, position, tally);
                        again.push((suite, position, test));
                    } else {
                        open.take(name, position, tally);
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
    /// Records the result of a test. Prints a line at once for a failure, and at the end of a suite.
    fn take(&mut self, suite: &str, position: usize, mut tally: Tally) {
        if let Some(before) = self.aside.remove(&position)
            && tally.failures.is_empty()
        {
            tally.unsteady = before;
        }
        for (case, _) in &tally.failures {
            println!("FAILED {suite} {case}");
        }
        self.spend(&tally);
        self.done.insert(position, tally);
        self.left -= 1;
        if self.left == 0 {
            println!("{suite}: done");
        }
    }

    /// Records a failed test that will run again.
    fn set_aside(&mut self, suite: &str, position: usize, tally: Tally) {
        for (case, _) in &tally.failures {
            println!("FAILED {suite} {case}: it runs again, alone, at the end");
        }
        self.spend(&tally);
        self.aside.insert(position, tally.failures);
    }

    fn spend(&mut self, tally: &Tally) {
        tally.costs.iter().for_each(|(_, cost)| self.cost += *cost);
    }
}

fn row((suite, open): (&'static str, Mutex<Open>)) -> Row {
    let mut tally = Tally::default();
    // No worker that could hold the lock is left; one that panicked has ended the run.
    let open = open
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    let cost = open.cost;
    open.done.into_values().for_each(|part| tally.join(part));
    Row { suite, tally, cost }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the tally of a suite with one test, which fails this number of times before it passes.
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
