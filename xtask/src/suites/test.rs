//! A test of a suite: a name and what it does. Suites hand out tests; `cargo xtask test` and the harness of `cargo test` run them.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::report::Tally;

/// What a test does. A test that fails beside others is run again.
type Run = Box<dyn FnMut() -> Tally + Send>;

pub struct Test {
    /// Unique in its suite. Parts are separated by `::`, so that a filter can name a program, or a program in one form.
    pub name: String,
    /// Other tests would disturb it: it compares times, or what the machine holds before and after.
    pub alone: bool,
    run: Run,
}

impl Test {
    /// A test with several verdicts.
    pub fn new(name: impl Into<String>, run: impl FnMut() -> Tally + Send + 'static) -> Test {
        Test {
            name: name.into().replace(' ', "-"),
            alone: false,
            run: Box::new(run),
        }
    }

    /// A test with one verdict.
    pub fn one(
        name: impl Into<String>,
        mut run: impl FnMut() -> Result<(), String> + Send + 'static,
    ) -> Test {
        let name = name.into();
        let case = name.clone();
        Test::new(name, move || Tally::one(&case, run()))
    }

    /// The same test, run while no other test runs.
    pub fn alone(self) -> Test {
        Test {
            alone: true,
            ..self
        }
    }

    /// The name with the suite's in front.
    pub fn in_suite(mut self, suite: &str) -> Test {
        self.name = format!("{suite}::{}", self.name);
        self
    }

    pub fn run(&mut self) -> Tally {
        let start = Instant::now();
        let mut tally = (self.run)();
        tally.times.push((self.name.clone(), start.elapsed()));
        tally
    }
}

/// What several tests need, made by the first of them and dropped with the last. It lives within one process.
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
    /// Err: it cannot be made, and why.
    pub fn get(&self, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
        self.0.get_or_init(make).as_ref().map_err(String::clone)
    }
}
