//! Syntax errors in words.

use crate::ast::Span;
use crate::build::ActionError;
use crate::context::Names;
use crate::error::SyntaxError;
use crate::lex::TokenStream;
use crate::parse::Failure;
use crate::recover::Resume;
use crate::token::TokenKind;
use lalrpop_util::ParseError;

/// What a set of acceptable terminals amounts to, most telling first: if the terminal is among them, the words say enough.
const FRIENDLY: &[(&str, &str)] = &[
    (";", "';'"),
    (")", "')'"),
    ("]", "']'"),
    ("}", "'}'"),
    (":", "':'"),
    (",", "','"),
    ("name", "a name"),
    ("type", "a type name"),
    ("variable", "a name that is no type"),
    ("(", "'('"),
    ("{", "'{'"),
    ("string", "a string literal"),
    ("while", "'while'"),
    ("=", "'='"),
    ("[", "'['"),
];

/// Terminals whose quoted name is what the user writes; others stay unmentioned in lists.
const LITERAL: &[&str] = &[";", ")", "]", "}", ":", ",", "=", "(", "{", "["];

fn expected(failure: &Failure) -> &[String] {
    match failure {
        ParseError::UnrecognizedToken { expected, .. }
        | ParseError::UnrecognizedEof { expected, .. } => expected,
        ParseError::InvalidToken { .. }
        | ParseError::ExtraToken { .. }
        | ParseError::User { .. } => &[],
    }
}

fn accepts(failure: &Failure, terminal: &str) -> bool {
    expected(failure)
        .iter()
        .any(|e| e.trim_matches('"') == terminal)
}

/// The token an error is at; `end` if the text ends too early.
pub fn place(failure: &Failure, resume: &Resume, end: u32) -> u32 {
    let at = match failure {
        // The class of a name stands behind it.
        ParseError::UnrecognizedToken {
            token: (lo, _, hi), ..
        }
        | ParseError::ExtraToken { token: (lo, _, hi) } => {
            if lo == hi {
                lo.saturating_sub(1)
            } else {
                *lo
            }
        }
        ParseError::UnrecognizedEof { .. } => resume.block_end.unwrap_or(end),
        ParseError::InvalidToken { location } => *location,
        ParseError::User {
            error: ActionError::EndOfDeclaration(at) | ActionError::Message(at, _),
        } => *at,
    };
    at.max(resume.at)
}

/// True if a `;` would have been right before the offending token.
pub fn wants_semicolon(failure: &Failure) -> bool {
    matches!(
        failure,
        ParseError::User {
            error: ActionError::EndOfDeclaration(_)
        }
    ) || accepts(failure, ";") && !accepts(failure, "if") && !at_item(failure)
}

/// The error at token `at`, in words.
pub fn explain(failure: &Failure, at: u32, names: &Names, stream: &TokenStream) -> SyntaxError {
    let span = Span {
        lo: at,
        hi: (at + 1).min(stream.program_len),
    };
    let bytes = stream.bytes(span);
    if let ParseError::User {
        error: ActionError::Message(_, message),
    } = failure
    {
        return SyntaxError::new(bytes, message.clone());
    }
    if let Some(unknown) = unknown_type(failure, at, names, stream) {
        let bytes = stream.bytes(Span {
            lo: unknown,
            hi: unknown + 1,
        });
        let message = format!("unknown type name '{}'", stream.token_text(unknown));
        let help = Some("declare it with 'typedef', or include the header that does".to_owned());
        return SyntaxError {
            bytes,
            message,
            expected: String::new(),
            help,
        };
    }
    let found = if at >= stream.program_len {
        "the end of the file".to_owned()
    } else {
        format!("'{}'", short(stream.token_text(at)))
    };
    let message = match first_expected(failure) {
        Some(what) => format!("expected {what} before {found}"),
        None => format!("unexpected {found}"),
    };
    let literals: Vec<String> = LITERAL
        .iter()
        .filter(|t| accepts(failure, t))
        .map(|t| format!("'{t}'"))
        .collect();
    let expected = if literals.len() > 1 {
        literals.join(" ")
    } else {
        String::new()
    };
    SyntaxError {
        bytes,
        message,
        expected,
        help: None,
    }
}

fn first_expected(failure: &Failure) -> Option<&'static str> {
    if let ParseError::User { .. } = failure {
        return Some("';'");
    }
    let has = |terminals: &[&str]| terminals.iter().all(|t| accepts(failure, t));
    if has(&["if"]) {
        return Some("a statement or '}'");
    }
    if at_item(failure) {
        return Some("a declaration");
    }
    // Where declarations and expressions may stand, `;` and others are one of many.
    let places: [(&[&str], &str); 4] = [
        (&["typedef", ";", "}"], "a member or '}'"),
        (&["typedef", ";", "name"], "a name or ';'"),
        (&["number"], "an expression"),
        (&["typedef", "void"], "a type"),
    ];
    if let Some((_, words)) = places.iter().find(|(terminals, _)| has(terminals)) {
        return Some(words);
    }
    FRIENDLY
        .iter()
        .find(|(terminal, _)| accepts(failure, terminal))
        .map(|(_, words)| *words)
}

/// True where an external declaration may begin.
fn at_item(failure: &Failure) -> bool {
    accepts(failure, "typedef") && accepts(failure, "asm") && !accepts(failure, "=")
}

/// The token of a name that stands where only a type makes sense: `foo x`, `foo *x` in a list of parameters or members.
fn unknown_type(failure: &Failure, at: u32, names: &Names, stream: &TokenStream) -> Option<u32> {
    let token = |i: u32| {
        stream
            .tokens
            .get(i as usize)
            .filter(|_| i < stream.program_len)
    };
    let stranger =
        |i: u32| token(i).is_some_and(|t| t.kind == TokenKind::Ident && !names.is_known(t.symbol));
    if accepts(failure, "type") && !accepts(failure, "variable") && stranger(at) {
        return Some(at);
    }
    let before = at.checked_sub(1)?;
    let declares = token(at).is_some_and(|t| t.is_word() || t.kind == TokenKind::Star);
    let begins = before.checked_sub(1).and_then(token).is_none_or(|t| {
        use TokenKind::{
            Colon, Comma, Const, Extern, LBrace, LParen, RBrace, Register, Semi, Shared, Static,
            Typedef, Volatile,
        };
        let starts = [
            Semi, LBrace, RBrace, LParen, Comma, Colon, Static, Extern, Const, Volatile, Register,
            Typedef, Shared,
        ];
        starts.contains(&t.kind)
    });
    (declares && begins && stranger(before)).then_some(before)
}

/// A token's text, cut if it is long.
fn short(text: &str) -> String {
    const MAX: usize = 40;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
