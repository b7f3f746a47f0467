//! What cargo and the runtime's own script check.

use std::process::Command;
use std::time::Duration;

use super::CARGO;
use crate::context::Context;
use crate::process;
use crate::report::Tally;

pub fn fmt(context: &Context) -> Result<Tally, String> {
    Ok(Tally::one(
        "cargo fmt --check",
        pass(&mut context.cargo(&["fmt", "--all", "--check"])),
    ))
}

pub fn clippy(context: &Context) -> Result<Tally, String> {
    let args = [
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    Ok(Tally::one("cargo clippy", pass(&mut context.cargo(&args))))
}

/// All tests of the workspace; `--long` reaches them as the environment variable `UPCC_TEST_LONG`.
pub fn test(context: &Context) -> Result<Tally, String> {
    let mut cargo = context.cargo(&["test", "--quiet", "--workspace", "--no-fail-fast"]);
    if context.long {
        cargo.env("UPCC_TEST_LONG", "1");
    }
    let output = process::run(&mut cargo, CARGO)?;
    let text = output.out();
    let mut tally = Tally::default();
    for line in text.lines() {
        count(line, &mut tally);
    }
    for block in text.split("\n---- ").skip(1) {
        let (name, said) = block.split_once(" stdout ----").unwrap_or((block, ""));
        let said: Vec<&str> = said
            .lines()
            .take_while(|l| !l.starts_with("failures:"))
            .take(40)
            .collect();
        tally.add(name, Err(said.join("\n    ")));
    }
    if (!output.ok() || tally.passed == 0) && tally.failures.is_empty() {
        tally.add("cargo test", Err(output.tail()));
    }
    Ok(tally)
}

/// Reads `test result: ok. 5 passed; 0 failed; 1 ignored; ...`.
fn count(line: &str, tally: &mut Tally) {
    let Some(rest) = line.strip_prefix("test result: ") else {
        return;
    };
    for part in rest.split([';', '.']) {
        match part.split_whitespace().collect::<Vec<_>>()[..] {
            [number, "passed"] => tally.passed += number.parse::<usize>().unwrap_or(0),
            [number, "ignored"] if number != "0" => {
                tally.skip("cargo test", &format!("{number} marked #[ignore]"));
            }
            _ => {}
        }
    }
}

/// The script prints a line for each case; its last line and its status give the verdict.
pub fn runtime(context: &Context) -> Result<Tally, String> {
    let mut script = Command::new("sh");
    script
        .arg("run.sh")
        .current_dir(context.root.join("runtime-c/tests"));
    Ok(Tally::one(
        "runtime-c/tests/run.sh",
        process::must(&mut script, Duration::from_secs(600)).map(|_| ()),
    ))
}

fn pass(command: &mut Command) -> Result<(), String> {
    process::must(command, CARGO).map(|_| ())
}
