//! Words the messages of syntax errors.

use crate::actions::ActionError;
use crate::context::Names;
use crate::error::{SyntaxError, SyntaxKind};
use crate::fix::{Certainty, Edit, Help};
use crate::lex::{Token, TokenStream};
use crate::parse::Failure;
use crate::recover::Resume;
use crate::spell::closest;
use crate::symbol::Interner;
use crate::syntax_help::{innermost_open, missing_comma, slip, untyped_parameter};
use crate::token::{KEYWORDS, TokenKind};
use lalrpop_util::ParseError;

/// Descriptions of sets of acceptable terminals, most specific first: if the set contains the terminal, the words
/// describe it well enough.
const FRIENDLY: &[(&str, &str)] = &[
    (";", "`;`"),
    (")", "`)`"),
    ("]", "`]`"),
    ("}", "`}`"),
    (":", "`:`"),
    (",", "`,`"),
    ("name", "a name"),
    ("type", "a type name"),
    ("variable", "a name that is not a type"),
    ("(", "`(`"),
    ("{", "`{`"),
    ("string", "a string literal"),
    ("while", "`while`"),
    ("=", "`=`"),
    ("[", "`[`"),
];

/// Tokens that end something: if one is missing at the end of a line, the mistake is on that line, not on the next.
const ENDS: &[&str] = &["`;`", "`)`", "`]`", "`,`"];

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

/// The token at which an error is; `end` if the text ends too early.
pub fn place(failure: &Failure, resume: &Resume, end: u32) -> u32 {
    let at = match failure {
        // The terminal for the class of a name comes after the name.
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

/// True if a `;` would have been accepted before the offending token.
pub fn wants_semicolon(failure: &Failure) -> bool {
    matches!(
        failure,
        ParseError::User {
            error: ActionError::EndOfDeclaration(_)
        }
    ) || accepts(failure, ";") && !accepts(failure, "if") && !at_item(failure)
}

/// The context of an error, besides the parser's own report.
pub struct Scene<'a> {
    pub stream: &'a TokenStream,
    pub names: &'a Names,
    pub interner: &'a Interner,
    /// First token of the external declaration in progress.
    pub item_start: u32,
}

impl Scene<'_> {
    /// Token `i` of the program.
    pub fn token(&self, i: u32) -> Option<&Token> {
        let inside = i < self.stream.program_len;
        self.stream.tokens.get(i as usize).filter(|_| inside)
    }

    /// True for a name that has not been declared before.
    pub fn stranger(&self, i: u32) -> bool {
        self.token(i)
            .is_some_and(|t| t.kind == TokenKind::Ident && !self.names.is_known(t.symbol))
    }

    /// The keyword that an undeclared name at token `i` nearly spells.
    fn meant(&self, i: u32) -> Option<&'static str> {
        let keywords = KEYWORDS.iter().map(|(name, _)| *name);
        // Spellings with underscores are for system headers.
        let plain = keywords.filter(|name| !name.starts_with('_'));
        self.stranger(i)
            .then(|| closest(self.stream.token_text(i), plain))?
    }
}

/// Words the error at token `at`.
pub fn explain(failure: &Failure, at: u32, scene: &Scene<'_>) -> SyntaxError {
    if let ParseError::User {
        error: ActionError::Message(_, message),
    } = failure
    {
        return SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message.clone());
    }
    if let Some((word, keyword)) = misspelt(at, scene) {
        let message = format!(
            "`{}` is not a keyword and is not declared",
            scene.stream.token_text(word)
        );
        let mut error = SyntaxError::new(scene.bytes(word), SyntaxKind::Misspelt, message);
        // Names that begin with `upc_` are reserved.
        let certainty = match keyword.starts_with("upc_") {
            true => Certainty::Certain,
            false => Certainty::Maybe,
        };
        let help = format!("did you mean `{keyword}`?");
        let bytes = scene.bytes(word);
        error.help = Some(Help::replace(help, bytes, keyword, certainty));
        return error;
    }
    if let Some(error) = slip(at, accepts(failure, "if"), scene) {
        return error;
    }
    if let Some(unknown) = unknown_type(failure, at, scene) {
        return unknown_type_error(unknown, scene);
    }
    if at >= scene.stream.program_len
        && let Some(error) = unclosed(at, scene)
    {
        return error;
    }
    expected_error(failure, at, scene)
}

/// Words `expected X before Y`, or `expected X after Y` if `Y` ends its line and the missing token belongs there.
fn expected_error(failure: &Failure, at: u32, scene: &Scene<'_>) -> SyntaxError {
    let stream = scene.stream;
    let found = match scene.token(at) {
        Some(_) => format!("`{}`", short(stream.token_text(at))),
        None => "the end of the file".to_owned(),
    };
    let new_line = at.checked_sub(1).filter(|&before| {
        let gap = scene.bytes(before).end as usize..scene.bytes(at).start as usize;
        before >= scene.item_start && stream.text[gap].contains('\n')
    });
    // At the end of a line, a missing `;` is the likeliest error.
    let expected = match new_line {
        Some(_) if accepts(failure, ";") && !accepts(failure, "if") && !at_item(failure) => {
            Some("`;`")
        }
        _ => first_expected(failure),
    };
    let Some(what) = expected else {
        let message = format!("unexpected {found}");
        return SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message);
    };
    if let Some(before) = new_line.filter(|_| ENDS.contains(&what)) {
        let message = format!(
            "expected {what} after `{}`",
            short(stream.token_text(before))
        );
        let end = scene.bytes(before).end;
        let mut error = SyntaxError::new(end..end, SyntaxKind::Order, message);
        error.help = Some(missing(what, before, scene));
        error.other = opened_by(what, at, scene);
        return error;
    }
    if what == "`)`"
        && let Some(error) = missing_comma(at, scene)
    {
        return error;
    }
    let message = format!("expected {what} before {found}");
    let mut error = SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message);
    let reserved = reserved_word(at, scene).filter(|_| accepts(failure, "name"));
    error.help = reserved.or_else(|| called_statement(at, scene));
    error.other = opened_by(what, at, scene);
    if error.help.is_none() && error.other.is_some() && at > scene.item_start {
        error.help = Some(missing(what, at - 1, scene));
    }
    error
}

/// Help for a word of UPC that stands at token `at`, or in front of it as in `int shared = 3`, in the place of a name.
fn reserved_word(at: u32, scene: &Scene<'_>) -> Option<Help> {
    let is_upc = |i: u32| scene.kind(i).is_some_and(TokenKind::is_upc);
    let ends_name = matches!(
        scene.kind(at),
        Some(
            TokenKind::Assign
                | TokenKind::Semi
                | TokenKind::Comma
                | TokenKind::PlusPlus
                | TokenKind::MinusMinus
        )
    );
    let before = at.checked_sub(1).filter(|&i| ends_name && is_upc(i));
    let word = before.or_else(|| is_upc(at).then_some(at))?;
    let name = scene.stream.token_text(word);
    let help = format!(
        "`{name}` is a keyword of UPC: choose another name, or put `#pragma upc c_code` in front of code that is C"
    );
    Some(help.into())
}

/// Help to write a missing token behind token `before`. Only for a `;` at the end of a line there is one place.
fn missing(what: &str, before: u32, scene: &Scene<'_>) -> Help {
    let certainty = match what {
        "`;`" if !may_be_macro(before, scene) => Certainty::Certain,
        _ => Certainty::Maybe,
    };
    let words = format!(
        "add {what} behind `{}`",
        short(scene.stream.token_text(before))
    );
    let edit = Edit::After {
        bytes: scene.bytes(before),
        text: what.trim_matches('`').to_owned(),
    };
    Help::edit(words, edit, certainty)
}

/// Whether what ends with token `before` may be the call of a macro that is not defined, and that would need no `;`.
fn may_be_macro(before: u32, scene: &Scene<'_>) -> bool {
    if scene.kind(before) != Some(TokenKind::RParen) {
        return false;
    }
    let word = innermost_open(before, scene).and_then(|open| open.checked_sub(1));
    word.is_none_or(|word| scene.stranger(word))
}

/// The bracket for which a closing one is expected at token `at`, and its label.
fn opened_by(what: &str, at: u32, scene: &Scene<'_>) -> Option<(std::ops::Range<u32>, String)> {
    let opening = match what {
        "`)`" => "(",
        "`]`" => "[",
        _ => return None,
    };
    let open = innermost_open(at, scene)?;
    let label = format!("this `{opening}` is not closed");
    (scene.stream.token_text(open) == opening).then(|| (scene.bytes(open), label))
}

/// Help for `upc_barrier()`: UPC's statements are not functions.
fn called_statement(at: u32, scene: &Scene<'_>) -> Option<Help> {
    use TokenKind::{LParen, RParen, UpcBarrier, UpcFence, UpcNotify, UpcWait};
    let kind = |i: u32| scene.token(i).map(|t| t.kind);
    // upc_fence takes no expression, so its `(` is already wrong.
    let at = match kind(at) {
        Some(LParen) => at + 1,
        _ => at,
    };
    let word = at.checked_sub(2)?;
    let empty = kind(at) == Some(RParen) && kind(at - 1) == Some(LParen);
    let statement = matches!(kind(word)?, UpcBarrier | UpcNotify | UpcWait | UpcFence);
    let name = scene.stream.token_text(word);
    let words = format!("`{name}` is a statement, not a function: write `{name};`");
    let bytes = scene.bytes(at - 1).start..scene.bytes(at).end;
    (empty && statement).then(|| Help::replace(words, bytes, "", Certainty::Certain))
}

/// Finds an undeclared name, in the statement that ends at token `at`, that nearly spells a keyword. Returns its token
/// and that keyword.
fn misspelt(at: u32, scene: &Scene<'_>) -> Option<(u32, &'static str)> {
    /// Number of tokens searched: a statement begins near its error.
    const REACH: u32 = 40;
    let from = scene.item_start.max(at.saturating_sub(REACH));
    let begins = |i: &u32| {
        use TokenKind::{LBrace, RBrace, Semi};
        scene
            .token(*i)
            .is_some_and(|t| matches!(t.kind, Semi | LBrace | RBrace))
    };
    // The three parts of a `for` are separated by semicolons.
    let parens = (from..at).rev().take_while(|&i| {
        scene
            .token(i)
            .is_some_and(|t| !matches!(t.kind, TokenKind::LBrace | TokenKind::RBrace))
    });
    let head = parens.filter(|&i| {
        i + 1 < at
            && scene
                .token(i + 1)
                .is_some_and(|t| t.kind == TokenKind::LParen)
    });
    let start = (from..at).rev().find(begins).map_or(from, |i| i + 1);
    let same_statement = (start..=at).chain(head);
    same_statement
        .filter_map(|i| Some((i, scene.meant(i)?)))
        .find(|(i, keyword)| fits(*i, keyword, scene))
}

/// Whether a keyword fits token `i` better than a name does, judged by the next token: some keywords need a `(` after
/// them, the others cannot have one.
fn fits(i: u32, keyword: &str, scene: &Scene<'_>) -> bool {
    let next = scene.token(i + 1).map(|t| t.kind);
    let called = next == Some(TokenKind::LParen);
    match keyword {
        "for" | "upc_forall" | "while" | "if" | "switch" | "sizeof" => called,
        _ => !called,
    }
}

/// Reports the name at token `unknown`, which is not a type but stands in the place of one.
fn unknown_type_error(unknown: u32, scene: &Scene<'_>) -> SyntaxError {
    let name = scene.stream.token_text(unknown);
    let message = format!("unknown type name `{name}`");
    let mut error = SyntaxError::new(scene.bytes(unknown), SyntaxKind::UnknownType, message);
    let meant = closest(
        name,
        scene
            .names
            .typedefs()
            .map(|symbol| scene.interner.name(symbol)),
    );
    let replaced = |meant: &str| {
        let words = format!("did you mean `{meant}`?");
        Help::replace(words, scene.bytes(unknown), meant, Certainty::Maybe)
    };
    error.help = untyped_parameter(unknown, scene).or_else(|| meant.map(replaced));
    error
}

/// Reports a file that ends inside brackets. Names the bracket that most likely lacks its counterpart.
fn unclosed(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let stream = scene.stream;
    let mut open: Vec<u32> = Vec::new();
    let mut suspect = None;
    for i in scene.item_start..at {
        match stream.tokens[i as usize].kind {
            TokenKind::LBrace => open.push(i),
            TokenKind::RBrace => {
                let opened = open.pop()?;
                // A `}` that is indented less than the line of its `{` belongs to an outer `{`.
                if suspect.is_none() && indentation(stream, i) < indentation(stream, opened) {
                    suspect = Some(opened);
                }
            }
            _ => {}
        }
    }
    let opened = suspect
        .or(open.last().copied())
        .filter(|_| !open.is_empty())?;
    let message = "expected `}` before the end of the file";
    let mut error = SyntaxError::new(scene.bytes(at), SyntaxKind::Unclosed, message);
    error.other = Some((scene.bytes(opened), "this `{` is not closed".to_owned()));
    Some(error)
}

/// Number of blanks at the start of the line of token `i`.
fn indentation(stream: &TokenStream, i: u32) -> usize {
    let before = &stream.text[..stream.tokens[i as usize].start as usize];
    let line = &stream.text[before.rfind('\n').map_or(0, |at| at + 1)..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn first_expected(failure: &Failure) -> Option<&'static str> {
    if let ParseError::User { .. } = failure {
        return Some("`;`");
    }
    let has = |terminals: &[&str]| terminals.iter().all(|t| accepts(failure, t));
    if has(&["if"]) {
        return Some("a statement or `}`");
    }
    if at_item(failure) {
        return Some("a declaration");
    }
    // Where declarations and expressions are allowed, `;` and other terminals are among many.
    let places: [(&[&str], &str); 5] = [
        (&["typedef", ";", "}"], "a member or `}`"),
        // After a declarator. The declarator of a function could be followed by parameter declarations.
        (&["typedef", ";", "="], "`;`"),
        (&["typedef", ";", "name"], "a name or `;`"),
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

/// The token of a name where only a type makes sense: `foo x`, or `foo *x` in a list of parameters or members.
fn unknown_type(failure: &Failure, at: u32, scene: &Scene<'_>) -> Option<u32> {
    if accepts(failure, "type") && !accepts(failure, "variable") && scene.stranger(at) {
        return Some(at);
    }
    let before = at.checked_sub(1)?;
    let declares = scene
        .token(at)
        .is_some_and(|t| t.is_word() || t.kind == TokenKind::Star);
    let begins = before
        .checked_sub(1)
        .and_then(|i| scene.token(i))
        .is_none_or(|t| {
            use TokenKind::{
                Colon, Comma, Const, Extern, LBrace, LParen, RBrace, Register, Semi, Shared,
                Static, Typedef, Volatile,
            };
            let starts = [
                Semi, LBrace, RBrace, LParen, Comma, Colon, Static, Extern, Const, Volatile,
                Register, Typedef, Shared,
            ];
            starts.contains(&t.kind)
        });
    (declares && begins && scene.stranger(before)).then_some(before)
}

/// A token's text, truncated if it is long.
fn short(text: &str) -> String {
    const MAX: usize = 40;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
