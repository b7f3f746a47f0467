//! The tests of the runtime alone, in C: the jobs of a script.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::test::{Shared, Test};
use crate::context::{Context, forever};
use crate::process;

/// The time limit of a job.
const JOB: Duration = Duration::from_secs(600);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let build: &Path = forever(context.fresh("runtime")?).as_path();
    let list = process::must(&mut script(context, &["-list"]), JOB)?.out();
    let libraries: Shared<()> = Shared::default();
    let test = |job: &str| {
        let (job, libraries) = (job.to_owned(), libraries.clone());
        Test::one(job.replace(' ', "::"), move || {
            libraries.get(|| {
                process::must(script(context, &["-libraries"]).arg(build), JOB).map(|_| ())
            })?;
            let words: Vec<&str> = job.split(' ').collect();
            let mut script = script(context, &["-job"]);
            process::must(script.arg(build).args(words), JOB).map(|_| ())
        })
    };
    Ok(list.lines().map(test).collect())
}

fn script(context: &Context, words: &[&str]) -> Command {
    let mut script = Command::new("sh");
    script
        .arg("run.sh")
        .args(words)
        .current_dir(context.root.join("runtime-c/tests"))
        .env("UPCC", &context.upcc);
    if context.long {
        script.env("UPCR_TESTS_LONG", "1");
    }
    script
}
