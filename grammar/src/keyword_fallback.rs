//! Keywords that a text takes for names: those of UPC in plain C, and those of GNU C in programs for a strict standard.

use crate::lex::Token;
use crate::term::Term;
use crate::token::TokenKind;
use TokenKind as K;

/// Spellings that are names under `-std=c99` and its like (`asm`, `typeof`) or under C90.
pub const GNU_WORDS: [&str; 4] = ["asm", "typeof", "inline", "restrict"];

/// Settles what `shared`, `strict` and `relaxed`, at `candidates`, are.
pub fn upc_qualifiers(tokens: &mut [Token], candidates: &[u32]) {
    for keyword in [K::Shared, K::Strict, K::Relaxed] {
        upc_qualifier(tokens, candidates, keyword);
    }
}

/// Makes [`GNU_WORDS`], at `candidates`, names where the text uses them so: no place has both a keyword and a name of one spelling.
pub fn gnu_words(tokens: &mut [Token], candidates: &[u32]) {
    let is_name = |&&at: &&u32| names(tokens, at as usize);
    let named: Vec<_> = candidates
        .iter()
        .filter(is_name)
        .map(|&at| tokens[at as usize].symbol)
        .collect();
    if named.is_empty() {
        return;
    }
    for &at in candidates {
        let token = &mut tokens[at as usize];
        if named.contains(&token.symbol) {
            token.kind = K::Ident;
        }
    }
}

/// Whether what stands around a keyword of GNU C can only stand around a name.
fn names(tokens: &[Token], at: usize) -> bool {
    let kind_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let before = kind_at(at.checked_sub(1));
    let Some(next) = kind_at(Some(at + 1)) else {
        return false;
    };
    if matches!(before, Some(K::Dot | K::Arrow)) {
        return true;
    }
    match tokens[at].kind {
        K::Typeof => next != K::LParen,
        K::Asm => !matches!(
            next,
            K::LParen | K::Volatile | K::Const | K::Inline | K::Goto
        ),
        // A specifier stands before another, or before a declarator.
        K::Inline => {
            let closes = matches!(next, K::Comma | K::RParen | K::LBracket | K::RBracket);
            before != Some(K::Asm) && (closes || follows_name(next))
        }
        K::Restrict => follows_name(next),
        _ => false,
    }
}

/// A token that stands behind a name, and never behind a qualifier or specifier.
fn follows_name(kind: TokenKind) -> bool {
    let operator = kind != K::Star && kind.infix().is_some();
    operator || matches!(kind, K::Semi | K::Colon | K::Question | K::Dot | K::Arrow)
}

/// Makes a qualifier of UPC an ordinary name throughout a text that uses it as a name and nowhere as a qualifier: plain C programs have
/// variables called `strict` or `shared`, and they are to compile too.
fn upc_qualifier(tokens: &mut [Token], candidates: &[u32], keyword: TokenKind) {
    let mut named = false;
    let positions = || candidates.iter().map(|&i| i as usize);
    for i in positions().filter(|&i| tokens[i].kind == keyword) {
        let member = i > 0 && matches!(tokens[i - 1].kind, K::Dot | K::Arrow);
        match tokens.get(i + 1).map_or(Term::Semi, |t| t.kind.term()) {
            _ if member => named = true,
            // Only a qualifier stands before a name or another specifier.
            Term::Name
            | Term::BasicType
            | Term::LoneType
            | Term::Record
            | Term::Enum
            | Term::Typeof
            | Term::AtomicType => return,
            Term::Storage | Term::Static | Term::Qualifier | Term::Shared | Term::Consistency => {
                return;
            }
            // Either may stand here.
            Term::Star | Term::LParen | Term::SharedLBracket | Term::LBracket => {}
            _ => named = true,
        }
    }
    if !named {
        return;
    }
    for i in positions() {
        if tokens[i].kind == keyword {
            tokens[i].kind = K::Ident;
            if let Some(next) = tokens.get_mut(i + 1)
                && next.kind == K::SharedLBracket
            {
                next.kind = K::LBracket;
            }
        }
    }
}
