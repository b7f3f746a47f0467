//! Lexes and parses preprocessed files; prints errors, and with `-t` times.

#![allow(clippy::print_stdout, clippy::print_stderr)]
use std::process::ExitCode;
use std::time::Instant;
use upcc_grammar::{lex, parse, symbol::Interner};

fn main() -> ExitCode {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let timing = files.first().is_some_and(|a| a == "-t");
    if timing {
        files.remove(0);
    }
    let mut failed = false;
    for file in files {
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if timing {
            let copy = text.clone();
            let start = Instant::now();
            let stream = lex::lex(copy, &mut Interner::default(), &mut Vec::new());
            println!(
                "{file}: {} tokens, lexed in {:?}",
                stream.tokens.len(),
                start.elapsed()
            );
        }
        let start = Instant::now();
        let parsed = parse(text);
        if timing {
            let ast = &parsed.ast;
            println!(
                "lexed and parsed in {:?}: {} items, {} expressions",
                start.elapsed(),
                ast.items.len(),
                ast.exprs.len()
            );
        }
        failed |= !parsed.errors.is_empty();
        for error in &parsed.errors {
            let line = parsed.stream.text[..error.bytes.start as usize]
                .matches('\n')
                .count()
                + 1;
            println!(
                "{file}:{line}: {} [{}] {:?}",
                error.message, error.expected, error.help
            );
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
