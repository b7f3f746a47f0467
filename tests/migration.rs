//! Tests that every option that `docs/migration.md` names behaves as the page says: it is accepted, or rejected with a
//! message that gives the reason.

use std::path::Path;
use std::process::{Command, Output};

/// A row of a table: the options of the first column, and the text of the second.
struct Row {
    program: &'static str,
    options: Vec<String>,
    refused: bool,
}

/// Returns the rows of the page. The header of a table names the program that its options belong to.
fn rows(page: &str) -> Vec<Row> {
    let mut program = None;
    let mut rows = Vec::new();
    for line in page.lines() {
        let Some((left, right)) = line
            .strip_prefix("| ")
            .and_then(|row| row.split_once(" | "))
        else {
            continue;
        };
        let options: Vec<String> = left
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        if !options.iter().any(|option| option.starts_with('-')) {
            program = Some(if left.contains("upcrun") {
                "upcrun"
            } else {
                "upcc"
            });
            continue;
        }
        rows.push(Row {
            program: program.expect("a table has a header"),
            options,
            refused: right.starts_with("refused"),
        });
    }
    rows
}

fn run(program: &str, option: &str, source: &Path) -> Output {
    let binary = if program == "upcc" {
        env!("CARGO_BIN_EXE_upcc")
    } else {
        env!("CARGO_BIN_EXE_upcrun")
    };
    let mut command = Command::new(binary);
    command.args(shlex::split(option).expect("the page quotes properly"));
    match program {
        "upcc" => command.arg("-###").arg(source),
        _ => command.arg("-t").arg("/bin/true"),
    };
    command.output().expect("the program starts")
}

#[test]
fn every_option_is_accepted_or_refused_as_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/migration.md")).expect("the page is there");
    let source = root.join("samples/hello.upc");
    let mut wrong = Vec::new();
    let mut tried = 0;
    for row in rows(&page) {
        for option in row.options.iter().filter(|option| option.starts_with('-')) {
            let output = run(row.program, option, &source);
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            let unknown = words.contains("unknown") || words.contains("unexpected argument");
            // `-i` reads the program, which is not a UPC program in this test; and not every machine has an MPI.
            let understood = output.status.success()
                || words.contains("is not a UPC program")
                || words.contains("needs MPI, but `");
            tried += 1;
            if understood == row.refused || (row.refused && unknown) {
                wrong.push(format!(
                    "{} {option}: {}\n{words}",
                    row.program, output.status
                ));
            }
        }
    }
    assert!(tried > 80, "the page has lost its tables");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
