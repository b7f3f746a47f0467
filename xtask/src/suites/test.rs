//! A test of a suite: a name and a function. Suites return tests; `cargo xtask test` and the harness of `cargo test`
//! run them.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::process;
use crate::report::{Cost, Tally};

/// The function of a test. A test that fails in parallel with others is run again.
type Run = Box<dyn FnMut() -> Tally + Send>;

pub struct Test {
    /// Unique in its suite. Parts are separated by `::`, so that a filter can name a program, or a program in one form.
    pub name: String,
    /// Other tests would disturb it: it compares times, or the state of the machine before and after.
    pub alone: bool,
    run: Run,
}

impl Test {
    /// Returns a test with several verdicts.
    pub fn new(name: impl Into<String>, run: impl FnMut() -> Tally + Send + 'static) -> Test {
        Test {
            name: name.into().replace(' ', "-"),
            alone: false,
            run: Box::new(run),
        }
    }

    /// Returns a test with one verdict.
    pub fn one(
        name: impl Into<String>,
        mut run: impl FnMut() -> Result<(), String> + Send + 'static,
    ) -> Test {
        let name = name.into();
        let case = name.clone();
        Test::new(name, move || Tally::one(&case, run()))
    }

    /// Returns the same test, run while no other test runs.
    pub fn alone(self) -> Test {
        Test {
            alone: true,
            ..self
        }
    }

    /// Prefixes the name with the suite's.
    pub fn in_suite(mut self, suite: &str) -> Test {
        self.name = format!("{suite}::{}", self.name);
        self
    }

    pub fn run(&mut self) -> Tally {
        let (start, spent) = (Instant::now(), process::spent());
        let mut tally = (self.run)();
        let cost = Cost {
            time: start.elapsed(),
            processors: process::spent() - spent,
        };
        tally.costs.push((self.name.clone(), cost));
        tally
    }
}

/// A value that several tests need, made by the first of them and dropped with the last. It exists within one process.
pub struct Shared<T>(Arc<OnceLock<Result<T, String>>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Shared(Arc::new(OnceLock::new()))
    }
}

impl<T> Shared<T> {
    /// Returns the value. Err: the reason why it cannot be made.
    pub fn get(&self, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
        self.0.get_or_init(make).as_ref().map_err(String::clone)
    }
}
