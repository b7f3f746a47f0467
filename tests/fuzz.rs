//! Tests damaged programs: truncated and mutated texts cause no panic and no hang, and every error has a place in the
//! text.
//!
//! The corpus is every program of `tests/programs`, `tests/diagnostics` and `samples`, preprocessed. `UPCC_TEST_LONG`
//! in the environment runs many more cases. A failing text is kept in the target folder and named.

#[path = "common/rng.rs"]
mod rng;

use std::fs;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rng::Rng;
use upcc::events::{EventSet, Instrument};
use upcc::translate::{Emit, Preprocessed, TranslateOptions, translate_silently};

/// The time limit for a text; the slowest takes a small part of it.
const LIMIT: Duration = Duration::from_secs(20);
/// The time for all cases together, in a normal run and in a long one.
const BUDGET: Duration = Duration::from_secs(20);
const BUDGET_LONG: Duration = Duration::from_secs(1200);
/// The number of damages to one text.
const DAMAGES: usize = 4;
/// The stack size of the thread that translates, the same as in the driver.
const STACK: usize = 256 << 20;

#[test]
fn damaged_programs_end_with_located_errors() {
    let corpus = corpus();
    assert!(
        corpus.len() > 20,
        "only {} programs to damage",
        corpus.len()
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (send, cases) = mpsc::sync_channel::<(String, String)>(1);
    let (answer, verdicts) = mpsc::channel();
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            for (name, text) in cases {
                if answer.send((name, front(text))).is_err() {
                    return;
                }
            }
        })
        .unwrap();
    let budget = if std::env::var_os("UPCC_TEST_LONG").is_some() {
        BUDGET_LONG
    } else {
        BUDGET
    };
    let end = Instant::now() + budget;
    let mut rng = Rng::new(1);
    let mut failures = Vec::new();
    let mut done = 0;
    for round in 0.. {
        // Each text is damaged once at least, however slow the machine is.
        if Instant::now() > end && round >= corpus.len() {
            break;
        }
        done = round + 1;
        let (source, text) = &corpus[round % corpus.len()];
        let damaged = damage(&mut rng, text);
        let name = format!("fuzz-{round}.i");
        // The text is written first: a stack overflow ends this process, and the file shows the cause.
        fs::write(folder.join("fuzz-last.i"), &damaged).unwrap();
        send.send((name.clone(), damaged.clone())).unwrap();
        let verdict = match verdicts.recv_timeout(LIMIT) {
            Ok((_, verdict)) => verdict,
            Err(_) => Err(format!("no end after {LIMIT:?}")),
        };
        if let Err(why) = verdict {
            fs::write(folder.join(&name), &damaged).unwrap();
            failures.push(format!(
                "{} from {source}: {why}",
                folder.join(&name).display()
            ));
            assert!(
                !failures.last().unwrap().contains("no end"),
                "{}",
                failures.join("\n")
            );
        }
        if failures.len() >= 20 {
            break;
        }
    }
    println!("{done} cases");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(done >= corpus.len(), "only {done} cases in {budget:?}");
}

/// Translates a text as far as its errors allow; a debug build also validates the IL. Err: it panicked, or an error has
/// no place in the text.
fn front(text: String) -> Result<(), String> {
    let length = text.len();
    let mut events = Instrument::new();
    events.local = true;
    events.events = EventSet::all();
    let options = TranslateOptions {
        emit: Emit::C,
        lines: true,
        // Every second text raises all events.
        instrument: (length % 2 == 1).then_some(events),
        ..TranslateOptions::default()
    };
    let input = Preprocessed {
        text,
        name: "fuzz.upc".to_string(),
    };
    let translation = catch_unwind(AssertUnwindSafe(|| translate_silently(input, &options)));
    let diags = match translation {
        Ok(translation) => translation.diags,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            return Err(format!("panic: {}", said.unwrap_or_default()));
        }
    };
    let placed = |span: &Range<u32>| span.start <= span.end && span.end as usize <= length;
    match diags
        .items()
        .iter()
        .find(|item| item.message.is_empty() || !item.span.as_ref().is_some_and(placed))
    {
        Some(item) => Err(format!(
            "{} `{}` at {:?} of {length}",
            item.code, item.message, item.span
        )),
        None => Ok(()),
    }
}

/// Returns names and preprocessed texts.
fn corpus() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["tests/programs", "tests/diagnostics", "samples"] {
        let entries = fs::read_dir(root.join(folder)).expect("a folder of programs");
        files.extend(
            entries
                .map(|e| e.expect("a readable folder").path())
                .filter(|p| p.extension().is_some_and(|e| e == "upc")),
        );
    }
    files.sort();
    let texts = files.iter().filter_map(|file| {
        let output = Command::new(env!("CARGO_BIN_EXE_upcc"))
            .arg("-E")
            .arg(file)
            .output()
            .expect("upcc starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success() && !text.is_empty()).then(|| (file.display().to_string(), text))
    });
    texts.collect()
}

/// Splits a text into words, numbers, literals, single signs and runs of blanks.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = 2;
    for (at, c) in text.char_indices() {
        if at > start && (kind(c) == 2 || kind(c) != last) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = kind(c);
    }
    pieces.push(&text[start..]);
    pieces
}

/// Returns the text with a few random damages, most of them near its end, where the program's own lines are.
fn damage(rng: &mut Rng, text: &str) -> String {
    let mut pieces: Vec<String> = pieces(text).into_iter().map(str::to_string).collect();
    for _ in 0..1 + rng.below(DAMAGES) {
        if pieces.len() < 4 {
            break;
        }
        let own = pieces.len() - (pieces.len() / 3).max(1);
        let place = |rng: &mut Rng| {
            if rng.below(4) == 0 {
                rng.below(own)
            } else {
                own + rng.below(pieces.len() - own)
            }
        };
        let (at, other) = (place(rng), place(rng));
        match rng.below(9) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[at].clone()),
            2 => pieces.swap(at, other),
            3 => pieces.insert(at, pieces[other].clone()),
            4 => pieces[at] = pieces[other].clone(),
            5 => pieces.truncate(at + 1),
            6 => drop(pieces.drain(at.min(other)..at.max(other).min(at.min(other) + 40))),
            7 => pieces[at] = flip(rng, &pieces[at]),
            _ => pieces.insert(at, SIGNS[rng.below(SIGNS.len())].to_string()),
        }
    }
    pieces.concat()
}

/// Signs to insert besides those of the text itself.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "(", ")", "{", "}", "[", "]", "[*]", ";", ",", "*", "&", "shared ", " shared [", "strict ", "typedef ", "struct ", "\"", "'", "/*", "\\", "#", "...",
    "upc_forall ", "upc_barrier ", "sizeof ", "upc_blocksizeof ", "THREADS", "0x", "1e", "99999999999999999999", "-1", "__attribute__((", "_Generic(", "\0", "é",
    "__asm__(", "->", "({", "case ", ":", "?", "enum {", "void ", "static ", "=", "__builtin_va_arg(", "[0 ... 3]=", "union ", "goto ", "\n# 7 \"x.c\" 1\n", "\n#pragma upc strict\n",
];

/// Returns the token with one character changed.
fn flip(rng: &mut Rng, piece: &str) -> String {
    let mut chars: Vec<char> = piece.chars().collect();
    let at = rng.below(chars.len().max(1));
    if let Some(c) = chars.get_mut(at) {
        *c = char::from(rng.below(256) as u8);
    }
    chars.into_iter().collect()
}
