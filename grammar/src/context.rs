//! Tracks which identifiers are typedef names during parsing.
//!
//! One cell per symbol holds its current meaning, and an undo log restores the meanings at the end of a scope. The
//! token iterator reads the cells while the grammar's actions write them, so all state is behind `Cell`.

use crate::lex::Token;
use crate::symbol::Symbol;
use crate::term::Term;
use crate::token::{TokenKind, old_word};
use std::cell::{Cell, RefCell};

/// Bit of a meaning: the name is a typedef name at this point.
const TYPEDEF: u8 = 1;
/// Bit of a meaning: the name has been declared before, as anything.
const SEEN: u8 = 2;

/// Bit of a meaning: an old spelling of a UPC keyword that is not declared at this point.
const OLD_WORD: u8 = 4;
/// The bits that give the class of a name.
const CLASS: u8 = TYPEDEF | OLD_WORD;

/// A position in the undo log, to return to when the scope ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(u32);

#[derive(Clone, Copy, Debug)]
struct Change {
    symbol: Symbol,
    old: u8,
    /// Number of scopes that were open.
    depth: u32,
}

/// The meanings of all names at the parser's position.
#[derive(Debug)]
pub struct Names {
    meaning: Vec<Cell<u8>>,
    log: RefCell<Vec<Change>>,
    depth: Cell<u32>,
    /// Index of the token that the parser requested last.
    lookahead: Cell<u32>,
}

impl Names {
    /// Creates the meanings of `symbols` names. Only `types` are typedef names and only `old_words` are old spellings
    /// of keywords.
    pub fn new(
        symbols: usize,
        types: impl IntoIterator<Item = Symbol>,
        old_words: impl IntoIterator<Item = Symbol>,
    ) -> Names {
        let meaning = vec![Cell::new(0); symbols];
        for symbol in types {
            meaning[symbol.0 as usize].set(TYPEDEF | SEEN);
        }
        for symbol in old_words {
            meaning[symbol.0 as usize].set(OLD_WORD);
        }
        Names {
            meaning,
            log: RefCell::default(),
            depth: Cell::new(0),
            lookahead: Cell::new(0),
        }
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&self, symbol: Symbol, is_typedef: bool) {
        let cell = &self.meaning[symbol.0 as usize];
        let old = cell.get();
        let new = SEEN | if is_typedef { TYPEDEF } else { 0 };
        cell.set(new);
        // Most names are never typedef names: only a change of class needs an undo entry.
        if (old ^ new) & CLASS != 0 {
            self.log.borrow_mut().push(Change {
                symbol,
                old: old | SEEN,
                depth: self.depth.get(),
            });
        }
    }

    /// True if the name is a typedef name at this point.
    pub fn is_typedef(&self, symbol: Symbol) -> bool {
        self.meaning[symbol.0 as usize].get() & TYPEDEF != 0
    }

    /// True if the name is an old spelling of a keyword and is not declared at this point.
    fn is_old_word(&self, symbol: Symbol) -> bool {
        self.meaning[symbol.0 as usize].get() & OLD_WORD != 0
    }

    /// The names that are typedef names at this point.
    pub fn typedefs(&self) -> impl Iterator<Item = Symbol> + '_ {
        (0..self.meaning.len() as u32)
            .map(Symbol)
            .filter(|&symbol| self.is_typedef(symbol))
    }

    /// True if the name has been declared anywhere before.
    pub fn is_known(&self, symbol: Symbol) -> bool {
        self.meaning[symbol.0 as usize].get() & SEEN != 0
    }

    /// Opens a scope.
    pub fn open(&self) -> Mark {
        self.depth.set(self.depth.get() + 1);
        Mark(self.log.borrow().len() as u32)
    }

    /// Ends the scope for which `open` returned `mark`.
    pub fn close(&self, mark: Mark) {
        self.depth.set(self.depth.get().saturating_sub(1));
        self.rewind(mark);
    }

    /// Ends a scope that turned out not to be one: its declarations stay.
    pub fn forget(&self, _mark: Mark) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }

    /// Ends the scope and returns its changes, as (name, became a typedef name), oldest first.
    pub fn close_and_keep(&self, mark: Mark) -> Vec<(Symbol, bool)> {
        let kept = {
            let log = self.log.borrow();
            log[mark.0 as usize..]
                .iter()
                .map(|c| (c.symbol, self.is_typedef(c.symbol)))
                .collect()
        };
        self.close(mark);
        kept
    }

    /// The current position in the undo log.
    pub fn mark(&self) -> Mark {
        Mark(self.log.borrow().len() as u32)
    }

    /// Undoes the declarations since `mark`; the scope stays open.
    pub fn rewind(&self, mark: Mark) {
        let mut log = self.log.borrow_mut();
        while log.len() > mark.0 as usize
            && let Some(change) = log.pop()
        {
            self.meaning[change.symbol.0 as usize].set(change.old);
        }
    }

    /// Number of open scopes.
    pub fn depth(&self) -> u32 {
        self.depth.get()
    }

    /// Ends all scopes deeper than `depth`, after a syntax error.
    pub fn unwind(&self, depth: u32) {
        let mut log = self.log.borrow_mut();
        while let Some(change) = log.last().copied()
            && change.depth > depth
        {
            self.meaning[change.symbol.0 as usize].set(change.old);
            log.pop();
        }
        self.depth.set(depth);
    }

    /// Index of the parser's lookahead token.
    pub fn lookahead(&self) -> u32 {
        self.lookahead.get()
    }
}

/// Feeds a range of tokens to the parser. An identifier becomes two terminals.
pub struct TermIter<'n> {
    names: &'n Names,
    tokens: &'n [Token],
    next: u32,
    end: u32,
    /// The first terminal, which selects what to parse.
    start: Option<Term>,
    /// The name whose class is the next terminal.
    name: Option<Symbol>,
}

impl<'n> TermIter<'n> {
    /// Iterates over the tokens `range`, preceded by the terminal `start`.
    pub fn new(
        names: &'n Names,
        tokens: &'n [Token],
        start: Term,
        range: std::ops::Range<u32>,
    ) -> TermIter<'n> {
        TermIter {
            names,
            tokens,
            next: range.start,
            end: range.end,
            start: Some(start),
            name: None,
        }
    }
}

impl TermIter<'_> {
    /// The class of the name before `next` at this point.
    #[inline]
    fn class(&self, symbol: Symbol) -> Term {
        if self.names.is_typedef(symbol) {
            Term::Type
        } else if self.names.is_old_word(symbol) {
            self.old_statement(symbol).unwrap_or(Term::Variable)
        } else {
            Term::Variable
        }
    }

    /// The terminal of the keyword whose old spelling is the name before `next`, if the context fits that keyword and
    /// cannot fit an undeclared name.
    fn old_statement(&self, symbol: Symbol) -> Option<Term> {
        use TokenKind as K;
        let before = self.next.checked_sub(2)?;
        let begins = matches!(
            self.tokens[before as usize].kind,
            K::Semi | K::LBrace | K::RBrace | K::RParen | K::Colon | K::Else | K::Do
        );
        let rest = self.tokens.get(self.next as usize..self.end as usize)?;
        let next = rest.first().filter(|_| begins)?;
        let keyword = old_word(symbol)?;
        let fits = match (keyword, next.kind) {
            (K::UpcForall, K::LParen) => has_semicolon(rest),
            (K::UpcForall, _) => false,
            (_, K::Semi) => true,
            (K::UpcFence, _) => false,
            // In parentheses it is the argument of an undeclared function.
            (_, K::Number | K::Char | K::Threads | K::MyThread) => true,
            (_, K::Ident) => {
                self.names.is_known(next.symbol) && !self.names.is_typedef(next.symbol)
            }
            _ => false,
        };
        fits.then(|| keyword.term())
    }
}

/// Whether the parentheses that begin `tokens` contain a `;` at their own level, which the arguments of a call never
/// do.
fn has_semicolon(tokens: &[Token]) -> bool {
    let mut open = 0u32;
    for token in tokens {
        match token.kind {
            TokenKind::LParen | TokenKind::LBrace => open += 1,
            TokenKind::RParen | TokenKind::RBrace if open <= 1 => return false,
            TokenKind::RParen | TokenKind::RBrace => open -= 1,
            TokenKind::Semi if open == 1 => return true,
            _ => {}
        }
    }
    false
}

impl Iterator for TermIter<'_> {
    type Item = (u32, Term, u32);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(symbol) = self.name.take() {
            // The parser asks for this only after the reductions that the name itself triggered.
            return Some((self.next, self.class(symbol), self.next));
        }
        if let Some(start) = self.start.take() {
            return Some((self.next, start, self.next));
        }
        let at = self.next;
        self.names.lookahead.set(at);
        if at >= self.end {
            return None;
        }
        let token = &self.tokens[at as usize];
        self.next = at + 1;
        if token.kind == TokenKind::Ident {
            self.name = Some(token.symbol);
        }
        Some((at, token.kind.term(), at + 1))
    }
}
