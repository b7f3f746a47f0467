//! What is known about frequent syntax errors beyond the sets of the parser: the bracket that lacks its counterpart, an
//! `else` that has lost its `if`, operators that do not exist.

use crate::ast::Span;
use crate::error::{SyntaxError, SyntaxKind};
use crate::fix::{Certainty, Edit, Help};
use crate::recover::record_head;
use crate::syntax_error::Scene;
use crate::token::TokenKind::{self, *};
use std::ops::Range;

/// Operators of other languages, and what they are in C.
const FOREIGN_OPERATORS: [(&str, &str); 3] = [("=>", ">="), ("=<", "<="), ("<>", "!=")];

/// Words an error at token `at` that is one of the frequent slips.
pub fn slip(at: u32, wants_statement: bool, scene: &Scene<'_>) -> Option<SyntaxError> {
    match scene.kind(at)? {
        Else if wants_statement => Some(lonely_else(at, scene)),
        Gt | Lt => foreign_operator(at, scene).or_else(|| parts_with_commas(at, scene)),
        RParen => parts_with_commas(at, scene).or_else(|| no_affinity(at, scene)),
        LBracket => second_layout(at, scene).or_else(|| misplaced_layout(at, scene)),
        Semi => parts_with_commas(at, scene).or_else(|| fourth_part(at, scene)),
        _ => parts_with_commas(at, scene),
    }
}

/// `f("text" x)`: words for an argument that begins at token `at`, on the line of the one before, without a comma.
pub fn missing_comma(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let begins = matches!(
        scene.kind(at)?,
        Ident | Number | Char | Str | Threads | MyThread | Sizeof
    );
    let before = at.checked_sub(1)?;
    let open = innermost_open(at, scene).filter(|&open| scene.kind(open) == Some(LParen))?;
    let called = open.checked_sub(1).and_then(|word| scene.kind(word)) == Some(Ident);
    if !begins || !called || before == open {
        return None;
    }
    let message = format!("expected `,` or `)` before `{}`", scene.word(at));
    let mut error = SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message);
    error.other = Some((scene.bytes(open), "the list begins here".into()));
    let words = format!("add `,` behind `{}`", scene.word(before));
    let (bytes, text) = (scene.bytes(before), ",".to_owned());
    error.help = Some(Help::edit(
        words,
        Edit::After { bytes, text },
        Certainty::Maybe,
    ));
    Some(error)
}

/// `for (i = 0, i < n; i++)`: commas in the places of semicolons.
fn parts_with_commas(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let open = innermost_open(at, scene).filter(|&open| scene.kind(open) == Some(LParen))?;
    let word = open.checked_sub(1)?;
    let wanted = match scene.keyword(word)? {
        For => 2,
        UpcForall => 3,
        _ => return None,
    };
    let close = behind_brackets(open, scene.end(), scene)? - 1;
    let marks = separators(open, close, scene)?;
    let is_comma = |&mark: &u32| scene.kind(mark) == Some(Comma);
    let first = marks.iter().copied().find(is_comma)?;
    let semicolons = marks.iter().filter(|mark| !is_comma(mark)).count();
    // With two semicolons, only the affinity lacks its own: a comma in the first part is one of C, and so is one in front of
    // another step.
    let steps = |i: u32| matches!(scene.kind(i), Some(PlusPlus | MinusMinus | Assign));
    let of_c =
        semicolons == 2 && (first == marks[0] || (first..close).any(steps) && marks[2] == first);
    if semicolons >= wanted || marks.len() < wanted || of_c {
        return None;
    }
    let name = scene.word(word);
    let message = format!("the parts in the parentheses of `{name}` are separated by `;`");
    let mut error = SyntaxError::new(scene.bytes(first), SyntaxKind::Order, message);
    error.other = Some((scene.bytes(word), format!("this {name}")));
    let mut help: Help = "write `;` in place of `,`".into();
    if marks.len() == wanted {
        let commas = marks.iter().filter(|mark| is_comma(mark));
        let replaced = commas.map(|&mark| Edit::Replace {
            bytes: scene.bytes(mark),
            text: ";".to_owned(),
        });
        help.edits = replaced.collect();
    }
    error.help = Some(help);
    Some(error)
}

/// `for (i = 0; i < n; i++; i)`: only upc_forall has a fourth part.
fn fourth_part(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let open = innermost_open(at, scene).filter(|&open| scene.kind(open) == Some(LParen))?;
    let word = open.checked_sub(1)?;
    let marks = separators(open, at, scene)?;
    let before = marks.iter().filter(|&&mark| scene.kind(mark) == Some(Semi));
    if scene.keyword(word)? != For || before.count() != 2 {
        return None;
    }
    behind_brackets(open, scene.end(), scene)?;
    let message = "this `for` has a fourth part".to_owned();
    let mut error = SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message);
    error.other = Some((scene.bytes(word), "this for".into()));
    error.help = Some(Help::replace(
        "write `upc_forall`, whose fourth part chooses the thread of each iteration, or remove the part",
        scene.bytes(word),
        "upc_forall",
        Certainty::Maybe,
    ));
    Some(error)
}

/// The commas and semicolons between the brackets at `open` and `close`, outside inner ones.
fn separators(open: u32, close: u32, scene: &Scene<'_>) -> Option<Vec<u32>> {
    let mut marks = Vec::new();
    let mut i = open + 1;
    while i < close {
        match scene.kind(i) {
            Some(LParen | LBracket | SharedLBracket | LBrace) => {
                i = behind_brackets(i, close, scene)?;
                continue;
            }
            Some(Comma | Semi) => marks.push(i),
            _ => {}
        }
        i += 1;
    }
    Some(marks)
}

/// `shared [2][4] int a[N]`: a layout qualifier has one block size.
fn second_layout(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let close = at.checked_sub(1)?;
    if scene.kind(close) != Some(RBracket) {
        return None;
    }
    let open = innermost_open(close, scene)?;
    if scene.kind(open) != Some(SharedLBracket) {
        return None;
    }
    let message = "a layout qualifier has one block size";
    let mut error = SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message);
    error.other = Some((
        scene.bytes(open).start..scene.bytes(close).end,
        "the block size".into(),
    ));
    let help = "write the number of elements of a block, as in `shared [2*4]`: blocks follow the order of the elements in memory";
    error.help = Some(help.into());
    Some(error)
}

/// The token behind the `}` of a structure, union or enumeration without `;`, if the declaration of something else
/// begins there, on a later line, and token `at` shows it: `struct p { ... }` and `shared struct q x;` below it.
pub fn ended_record(at: u32, scene: &Scene<'_>) -> Option<u32> {
    let specifier = |&i: &u32| {
        let kind = scene.kind(i);
        matches!(
            kind,
            Some(
                Shared
                    | Strict
                    | Relaxed
                    | Static
                    | Extern
                    | Const
                    | Volatile
                    | Typedef
                    | Register
                    | Inline
            )
        )
    };
    let from = scene.item_start;
    let mut brace = at.checked_sub(1)?;
    while brace > from {
        if scene.kind(brace) == Some(RBracket) {
            brace = innermost_open(brace, scene)?;
            if scene.kind(brace) != Some(SharedLBracket) {
                return None;
            }
        } else if !specifier(&brace) {
            break;
        }
        brace -= 1;
    }
    record_head(scene.stream, from, brace).filter(|_| brace + 1 < at)?;
    let gap = scene.bytes(brace).end..scene.bytes(brace + 1).start;
    scene.text(&gap).contains('\n').then_some(brace + 1)
}

/// The innermost bracket that is open in front of token `at`.
pub fn innermost_open(at: u32, scene: &Scene<'_>) -> Option<u32> {
    let mut closed = 0u32;
    (scene.item_start..at).rev().find(|&i| match scene.kind(i) {
        Some(RParen | RBracket | RBrace) => {
            closed += 1;
            false
        }
        Some(LParen | LBracket | SharedLBracket | LBrace) => {
            closed = match closed.checked_sub(1) {
                Some(closed) => closed,
                None => return true,
            };
            false
        }
        _ => false,
    })
}

/// The token behind the bracket that closes the one at `open`, if it comes before token `end`.
fn behind_brackets(open: u32, end: u32, scene: &Scene<'_>) -> Option<u32> {
    let mut depth = 0u32;
    for i in open..end {
        match scene.kind(i) {
            Some(LParen | LBracket | SharedLBracket | LBrace) => depth += 1,
            Some(RParen | RBracket | RBrace) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

/// Explains an `else` where a statement must begin.
fn lonely_else(at: u32, scene: &Scene<'_>) -> SyntaxError {
    let message = "this `else` has no `if`";
    let mut error = SyntaxError::new(scene.bytes(at), SyntaxKind::Order, message);
    let block = innermost_open(at, scene);
    let from = block.map_or(scene.item_start, |open| open + 1);
    if let Some((word, body)) = last_if(from, at, scene) {
        if scene.kind(body) == Some(Semi) {
            let bytes = scene.bytes(body);
            error.other = Some((
                bytes.clone(),
                "this `;` is all that the `if` governs".into(),
            ));
            let words = "remove the `;` behind the condition";
            error.help = Some(Help::replace(words, bytes, "", Certainty::Maybe));
        } else if scene.kind(body) != Some(LBrace) {
            let label = "the `if` governs only the next statement";
            error.other = Some((scene.bytes(word), label.into()));
            error.help = Some("enclose the statements that the `if` governs in `{` and `}`".into());
        }
        return error;
    }
    let Some(open) = block.filter(|&open| opens_if(open, scene)) else {
        return error;
    };
    error.other = Some((scene.bytes(open), "this `{` is not closed".into()));
    let (bytes, text) = (scene.bytes(at), "} ".to_owned());
    let edit = Edit::Before { bytes, text };
    let words = "close the block of the `if` with `}` in front of `else`";
    error.help = Some(Help::edit(words, edit, Certainty::Maybe));
    error
}

/// The last `if` between `from` and `at` outside inner braces, and the first token of what it governs.
fn last_if(from: u32, at: u32, scene: &Scene<'_>) -> Option<(u32, u32)> {
    let (mut i, mut found) = (from, None);
    while i < at {
        match scene.kind(i) {
            Some(If) => {
                let body = behind_brackets(i + 1, at, scene)?;
                found = Some((i, body));
                i = body;
            }
            Some(LBrace) => i = behind_brackets(i, at, scene)?,
            _ => i += 1,
        }
    }
    found
}

/// Whether the `{` at `open` belongs to an `if`.
fn opens_if(open: u32, scene: &Scene<'_>) -> bool {
    let Some(before) = open
        .checked_sub(1)
        .filter(|&i| scene.kind(i) == Some(RParen))
    else {
        return false;
    };
    let condition = innermost_open(before, scene);
    condition.is_some_and(|paren| paren > 0 && scene.kind(paren - 1) == Some(If))
}

/// `x => 0`: two tokens that are none together.
fn foreign_operator(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let before = at.checked_sub(1)?;
    let bytes = scene.bytes(before).start..scene.bytes(at).end;
    let written = scene.text(&bytes);
    let (_, meant) = FOREIGN_OPERATORS.iter().find(|(odd, _)| *odd == written)?;
    let message = format!("`{written}` is not an operator of C");
    let help = format!("did you mean `{meant}`?");
    let mut error = SyntaxError::new(bytes.clone(), SyntaxKind::Order, message);
    error.help = Some(Help::replace(help, bytes, *meant, Certainty::Certain));
    Some(error)
}

/// `upc_forall (i = 0; i < n; i++)`.
fn no_affinity(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let open = innermost_open(at, scene).filter(|&open| scene.kind(open) == Some(LParen))?;
    let word = open.checked_sub(1)?;
    let bytes = scene.bytes(word);
    let semicolons = (open..at).filter(|&i| scene.kind(i) == Some(Semi)).count();
    if scene.keyword(word) != Some(UpcForall) || semicolons != 2 {
        return None;
    }
    let message = "this upc_forall has no affinity: it is the fourth part in the parentheses";
    let end = scene.bytes(at).start;
    let mut error = SyntaxError::new(end..end, SyntaxKind::NoAffinity, message);
    error.other = Some((bytes, "this upc_forall".into()));
    error.help = Some(
        "add `; &a[i]` to run iteration `i` on the thread of `a[i]`, `; i` to deal iterations out in turn, or `; continue` to run all of them on every thread"
            .into(),
    );
    Some(error)
}

/// `shared int *[4] p`: a layout qualifier that is not next to `shared`.
fn misplaced_layout(at: u32, scene: &Scene<'_>) -> Option<SyntaxError> {
    let from = scene.item_start;
    let begins = |i: &u32| {
        matches!(
            scene.kind(*i),
            Some(Semi | LBrace | RBrace | LParen | Comma)
        )
    };
    let start = (from..at).rev().find(begins).map_or(from, |i| i + 1);
    let shared = (start..at).find(|&i| scene.kind(i) == Some(Shared))?;
    let end = behind_brackets(at, scene.end(), scene)?;
    if scene.kind(end)? != Ident && scene.kind(end)? != Star {
        return None;
    }
    let bytes = scene.bytes(at).start..scene.bytes(end - 1).end;
    let layout = scene.text(&bytes).to_owned();
    let message = format!("`{layout}` is not next to `shared`, so it is no layout qualifier");
    let mut error = SyntaxError::new(bytes.clone(), SyntaxKind::Order, message);
    let words = format!("write `shared {layout}`");
    let text = format!(" {layout}");
    let shared = scene.bytes(shared);
    error.other = Some((shared.clone(), "its place is behind this word".into()));
    let edit = Edit::After {
        bytes: shared,
        text,
    };
    let mut help = Help::edit(words, edit, Certainty::Maybe);
    help.edits.push(Edit::Replace {
        bytes,
        text: String::new(),
    });
    error.help = Some(help);
    Some(error)
}

/// Help for a name at token `at` that stands alone between commas or parentheses: `int add(int a, b)`.
pub fn untyped_parameter(at: u32, scene: &Scene<'_>) -> Option<Help> {
    let before = at.checked_sub(1)?;
    let ends = matches!(scene.kind(at + 1), Some(Comma | RParen));
    if scene.kind(before) != Some(Comma) || !ends {
        return None;
    }
    let begins = |i: &u32| matches!(scene.kind(*i), Some(Comma | LParen));
    let start = (scene.item_start..before).rev().find(begins)? + 1;
    // The words of the parameter before, without its name.
    let words: Vec<&str> = (start..before.checked_sub(1)?)
        .take_while(|&i| scene.kind(i).is_some_and(|kind| kind != LBracket))
        .map(|i| scene.word(i))
        .collect();
    let ty = words.join(" ");
    if ty.is_empty() {
        return None;
    }
    let text = format!(
        "each parameter needs its own type: write `{ty} {}`",
        scene.word(at)
    );
    let edit = Edit::Before {
        bytes: scene.bytes(at),
        text: format!("{ty} "),
    };
    Some(Help::edit(text, edit, Certainty::Maybe))
}

impl Scene<'_> {
    /// The bytes of a token.
    pub fn bytes(&self, token: u32) -> Range<u32> {
        let hi = (token + 1).min(self.stream.program_len);
        self.stream.bytes(Span { lo: token, hi })
    }

    /// The number of tokens of the program.
    fn end(&self) -> u32 {
        self.stream.program_len
    }

    pub fn kind(&self, i: u32) -> Option<TokenKind> {
        self.token(i).map(|token| token.kind)
    }

    /// The kind of a token, which may be spelled as in UPC 1.0.
    fn keyword(&self, i: u32) -> Option<TokenKind> {
        let token = self.token(i)?;
        Some(crate::token::old_word(token.symbol).unwrap_or(token.kind))
    }

    fn word(&self, i: u32) -> &str {
        self.stream.token_text(i)
    }

    fn text(&self, bytes: &Range<u32>) -> &str {
        &self.stream.text[bytes.start as usize..bytes.end as usize]
    }
}
