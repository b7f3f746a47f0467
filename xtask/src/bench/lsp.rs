//! How fast the language server answers about a file of 5,000 lines.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::context::{Context, write};
use crate::language_client::Client;

/// The wanted time for an answer.
const WANTED: Duration = Duration::from_millis(100);
const LINES: usize = 5000;
const ROUNDS: usize = 9;

/// A function of 20 lines; `#` is its number.
const FUNCTION: &str = "
static shared [8] double data_#[8*THREADS]; /* the data of step # */
struct item_# { int key; double value; shared struct item_# *next; };

double step_#(shared struct item_# *list, int count)
{
    double sum = 0.0; // of all values
    int i, j;
    upc_forall (i = 0; i < count && i < 8*THREADS; i++; &data_#[i]) {
        for (j = 0; j < 4; j++)
            data_#[i] += LEAST(i, j) * 0.5;
        sum += data_#[i];
    }
    while (list != NULL && list->key != count) {
        sum = sum + list->value; /* remote */
        list = list->next;
    }
    upc_barrier;
    return sum;
}
";

/// Prints a row for each kind of request, and one for diagnostics after a change.
///
/// # Errors
/// The server does not answer.
pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    let (text, functions) = source();
    let file = work.join("long.upc");
    write(&file, &text)?;
    println!(
        "language server, {} lines: median of {ROUNDS}, ms (wanted: {})",
        text.lines().count(),
        WANTED.as_millis()
    );
    let (mut client, first) = opened(context, work, &file, &text)?;
    let mut openings = vec![first];
    for _ in 1..ROUNDS {
        let (other, time) = opened(context, work, &file, &text)?;
        other.finish().map_err(|error| error.to_string())?;
        openings.push(time);
    }
    row("diagnostics after opening", &mut openings);
    // The last function is the farthest from the beginning.
    let line = |part: &str| {
        let at = text.rfind(part).unwrap_or_default();
        text[..at].matches('\n').count() as u32
    };
    let use_of_data = (line("sum += data_"), 15);
    for (what, method, at) in [
        ("hover", "hover", use_of_data),
        ("definition", "definition", use_of_data),
        ("references", "references", use_of_data),
        (
            "completion of a member",
            "completion",
            (line("list->key"), 32),
        ),
        (
            "completion of a name",
            "completion",
            (line("sum += data_"), 14),
        ),
        (
            "preparation of a rename",
            "prepareRename",
            (line("double sum"), 11),
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let answer = client.at(method, &file, at);
            times.push(client.since_sent());
            if answer.as_ref().map_or(true, Value::is_null) {
                return Err(format!("no answer to {what}: {answer:?}"));
            }
        }
        row(what, &mut times);
    }
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let version = round as i64 + 2;
        // A user types in one function.
        let at = text.match_indices("count)\n").nth(functions / 2);
        let mut typed = text.clone();
        typed.insert_str(
            at.map_or(0, |(at, name)| at + name.len() - 2),
            &round.to_string(),
        );
        client.change(&file, version, &typed);
        client.diagnostics(&file, version);
        times.push(client.since_sent());
    }
    row("diagnostics after a change", &mut times);
    // A hover right behind a change does not wait for its analysis.
    client.change(&file, 100, &format!("{text}\n"));
    client
        .at("hover", &file, use_of_data)
        .map_err(|error| error.to_string())?;
    row(
        "hover while a change is analysed",
        &mut [client.since_sent()],
    );
    client.diagnostics(&file, 100);
    client.finish().map_err(|error| error.to_string())?;
    Ok(())
}

/// Starts a server that opens the file. Returns it, and the time to its first diagnostics.
fn opened(
    context: &Context,
    work: &Path,
    file: &Path,
    text: &str,
) -> Result<(Client, Duration), String> {
    let mut command = context.upcc("gcc");
    command.arg("lsp").current_dir(work);
    let mut client = Client::start(&mut command).map_err(|error| error.to_string())?;
    client.initialize(Value::Null);
    client.open(file, text);
    let found = client.diagnostics(file, 1);
    let time = client.since_sent();
    match found.first() {
        None => Ok((client, time)),
        Some(found) => Err(format!("the file has diagnostics: {found}")),
    }
}

/// Returns a text of about [`LINES`] lines, and the number of its functions.
fn source() -> (String, usize) {
    let mut text = "#include <upc.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#define LEAST(a, b) ((a) < (b) ? (a) : (b))\n".to_owned();
    let each = FUNCTION.lines().count();
    let functions = LINES.div_ceil(each);
    for number in 0..functions {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}", FUNCTION.replace('#', &number.to_string()));
    }
    (text, functions)
}

fn row(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let middle = times[times.len() / 2].as_secs_f64() * 1e3;
    println!("  {what:<36} {middle:>8.1}");
}
