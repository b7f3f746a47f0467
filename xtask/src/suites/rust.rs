//! Checks by cargo and by the runtime's own script.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::CARGO;
use super::test::Test;
use crate::context::Context;
use crate::process;
use crate::report::Tally;

pub fn fmt(context: &Context) -> Result<Tally, String> {
    Ok(Tally::one(
        "cargo fmt --check",
        pass(&mut context.cargo(&["fmt", "--all", "--check"])),
    ))
}

/// Lints the workspace. Where clippy is the compiler of the build (see .ci/run), that has been done, and cargo repeats
/// what it printed.
pub fn clippy(context: &Context) -> Result<Tally, String> {
    const BUILD: &[&str] = &["test", "--quiet", "--workspace", "--no-run"];
    const CHECK: &[&str] = &["clippy", "--quiet", "--workspace", "--all-targets"];
    let wrapper = std::env::var_os("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    let built = Path::new(&wrapper).ends_with("clippy-driver");
    let mut cargo = context.cargo(if built { BUILD } else { CHECK });
    let verdict = process::must(&mut cargo, CARGO).and_then(|output| {
        let text = output.err();
        match text.lines().any(|line| line.starts_with("warning")) {
            true => Err(text),
            false => Ok(()),
        }
    });
    Ok(Tally::one("cargo clippy", verdict))
}

/// Returns all test targets of the workspace; `--long` is passed to them as the environment variable `UPCC_TEST_LONG`.
pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let mut binaries = binaries(context)?;
    // The harness of the suites, which this run executes itself.
    binaries.retain(|binary| binary.name != "suites");
    let test = |binary: Binary| Test::new(binary.name.clone(), move || run_tests(context, &binary));
    Ok(binaries.into_iter().map(test).collect())
}

/// A test program, and the folder of its package, in which it runs.
struct Binary {
    name: String,
    program: PathBuf,
    package: PathBuf,
}

/// Builds the tests.
fn binaries(context: &Context) -> Result<Vec<Binary>, String> {
    let mut cargo = context.cargo(&["test", "--quiet", "--workspace", "--no-run"]);
    cargo.arg("--message-format=json-render-diagnostics");
    let output = process::must(&mut cargo, CARGO)?;
    let messages = output.out();
    let artifacts = messages.lines().map(|line| {
        let message: Value = serde_json::from_str(line).map_err(|e| format!("cargo: {e}"))?;
        Ok(binary(&message))
    });
    artifacts.filter_map(Result::transpose).collect()
}

/// Returns `None` if the message is about something else.
fn binary(message: &Value) -> Option<Binary> {
    let program = PathBuf::from(message["executable"].as_str()?);
    let package = Path::new(message["manifest_path"].as_str()?).parent()?;
    (message["profile"]["test"] == true).then(|| Binary {
        name: message["target"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        program,
        package: package.to_path_buf(),
    })
}

fn run_tests(context: &Context, binary: &Binary) -> Tally {
    let mut command = Command::new(&binary.program);
    command
        .arg("--quiet")
        .current_dir(&binary.package)
        // As cargo does.
        .env("CARGO_MANIFEST_DIR", &binary.package);
    if context.long {
        command.env("UPCC_TEST_LONG", "1");
    }
    let mut tally = Tally::default();
    let output = match process::run(&mut command, CARGO) {
        Ok(output) => output,
        Err(why) => return Tally::one(&binary.name, Err(why)),
    };
    let text = output.out();
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
        let name = format!("{} {name}", binary.name);
        tally.add(&name, Err(said.join("\n    ")));
    }
    if !output.ok() && tally.failures.is_empty() {
        tally.add(&binary.name, Err(output.tail()));
    }
    tally
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

fn pass(command: &mut Command) -> Result<(), String> {
    process::must(command, CARGO).map(|_| ())
}
