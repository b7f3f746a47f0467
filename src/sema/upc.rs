//! UPC's own statements, and its pragmas (UPC 6.6, 6.7.1).

use super::expr::Class;
use super::report::code;
use super::*;
use crate::diag::{Certainty, Edit, Help};
use il::StmtKind;
use upcc_grammar::token::{KEYWORDS, old_word};

/// The `#pragma upc strict` and `relaxed` of the unit, and the number of them that have been passed.
#[derive(Default)]
pub(super) struct Pragmas {
    list: Vec<Pragma>,
    passed: usize,
}

#[derive(Clone, Copy)]
struct Pragma {
    /// The token that the pragma precedes.
    before: u32,
    strict: bool,
    /// Bytes of the text.
    start: u32,
    end: u32,
}

/// The words that may follow `#pragma upc`.
const PRAGMA_WORDS: [&str; 4] = ["strict", "relaxed", "c_code", "upc_code"];

/// A `upc_forall` around the current statement.
#[derive(Clone, Copy)]
pub(super) struct Forall {
    /// Tokens of the loop.
    span: Span,
    /// The loop has an affinity other than `continue`.
    controls: bool,
}

impl Sema<'_> {
    /// Collects the `strict` and `relaxed` pragmas of the unit, and reports pragmas with other words.
    pub(super) fn read_pragmas(&mut self) {
        let stream = &self.parsed.stream;
        for &pragma in &stream.pragmas {
            let text = stream.pragma_text(pragma);
            let mut words = text.split_whitespace();
            let (before, start, end) = (pragma.before, pragma.start, pragma.end);
            match words.next() {
                Some("upc") => {}
                Some("upcc") => {
                    self.read_upcc_pragma(pragma, words);
                    continue;
                }
                _ => continue,
            }
            match words.next() {
                Some(word @ ("strict" | "relaxed")) => {
                    self.flow.pragmas.list.push(Pragma {
                        before,
                        strict: word == "strict",
                        start,
                        end,
                    });
                    if let Some(more) = words.next() {
                        let message = format!("`{more}` after `#pragma upc {word}` is ignored");
                        let help = "remove what follows `strict` or `relaxed`";
                        self.diags
                            .report(code::UNKNOWN_UPC_PRAGMA, start..end, message)
                            .help(help);
                    }
                }
                // The lexer has handled them; they do not affect strict and relaxed.
                Some("c_code" | "upc_code") => {}
                other => {
                    let message = match other {
                        Some(word) => format!("unknown pragma upc {word}"),
                        None => "`#pragma upc` without `strict` or `relaxed`".to_string(),
                    };
                    let near = other.and_then(|word| self.speller.closest(word, PRAGMA_WORDS));
                    let help = match near {
                        Some(word) => format!("did you mean `#pragma upc {word}`?"),
                        None => "write `#pragma upc strict` or `#pragma upc relaxed`".to_owned(),
                    };
                    self.diags
                        .report(code::UNKNOWN_UPC_PRAGMA, start..end, message)
                        .help(help);
                }
            }
        }
    }

    /// Reads the words after `#pragma upcc`.
    fn read_upcc_pragma<'a>(
        &mut self,
        pragma: upcc_grammar::lex::Pragma,
        mut words: impl Iterator<Item = &'a str>,
    ) {
        let message = match words.next() {
            Some("race_ok") => {
                let bytes = (pragma.start, pragma.end);
                self.flow.race_ok.push(pragma.before, bytes);
                match words.next() {
                    Some(more) => format!("`{more}` after `#pragma upcc race_ok` is ignored"),
                    None => return,
                }
            }
            Some(word) => format!("unknown pragma upcc {word}"),
            None => "`#pragma upcc` without `race_ok`".to_owned(),
        };
        let bytes = pragma.start..pragma.end;
        let report = self.diags.report(code::UNKNOWN_UPC_PRAGMA, bytes, message);
        report.help("write `#pragma upcc race_ok`, with nothing after it");
    }

    /// Applies the pragmas up to token `at`. They hold until the end of the block, where the caller restores the state;
    /// at file scope, until the next pragma. `place`: pragmas are allowed at this position, that is, at file scope or
    /// before the first item of a block.
    pub(super) fn take_pragmas(&mut self, at: u32, place: bool) {
        let (pragmas, nodes) = (&mut self.flow.pragmas, &mut self.symbols.nodes);
        while let Some(&pragma) = pragmas.list.get(pragmas.passed) {
            if pragma.before > at {
                break;
            }
            nodes.strict = pragma.strict;
            pragmas.passed += 1;
            if !place {
                let message = "this pragma follows a declaration or statement of its block";
                let help = "put it at file scope, or directly after the { of a block; upcc applies it from here to the end of the block";
                nodes
                    .diags
                    .report(code::PRAGMA_PLACE, pragma.start..pragma.end, message)
                    .help(help);
            }
        }
    }

    /// Reports pragmas inside an external declaration. `inside` is the whole declaration; for a function, the part
    /// before the body's first item.
    pub(super) fn check_pragma_places(&mut self, inside: Span) {
        let (list, diags) = (&self.flow.pragmas.list, &mut self.symbols.nodes.diags);
        let first = list.partition_point(|p| p.before <= inside.lo);
        for pragma in list[first..].iter().take_while(|p| p.before < inside.hi) {
            let message = "this pragma is inside a declaration";
            let help = "put it before the declaration, or directly after the { of a function's body or of a block in it";
            diags
                .report(code::PRAGMA_PLACE, pragma.start..pragma.end, message)
                .help(help);
        }
    }

    /// Warns about a UPC statement whose keyword is spelled as headers did before UPC 1.2, once for each word.
    pub(super) fn check_spelling(&mut self, word: u32) {
        let stream = &self.parsed.stream;
        let symbol = stream.tokens[word as usize].symbol;
        let Some(keyword) = old_word(symbol) else {
            return;
        };
        let bytes = stream.bytes(Span {
            lo: word,
            hi: word + 1,
        });
        let reported = self.flow.old_words.iter().find(|(old, _)| *old == symbol);
        let reported = reported.map(|(_, report)| *report);
        let report = self.diags.items().len();
        if reported.is_none() {
            self.flow.old_words.push((symbol, report));
        }
        let old = stream.token_text(word);
        let keyword = KEYWORDS.iter().find(|(_, kind)| *kind == keyword);
        let keyword = keyword.map_or("", |(spelled, _)| spelled);
        if let Some(report) = reported {
            let text = keyword.to_owned();
            return self.diags.add_edit(report, Edit::Replace { bytes, text });
        }
        let message = format!("`{old}` is not declared: it is treated as {keyword}, as in UPC 1.0");
        let span = Span {
            lo: word,
            hi: word + 1,
        };
        let help = Help::replace(
            format!("write {keyword}"),
            bytes,
            keyword,
            Certainty::Certain,
        );
        self.warn(code::OLD_SPELLING, span, message, help);
    }

    /// Analyses the expression of a synchronization statement, as if assigned to an `int` (UPC 6.6.1p2).
    pub(super) fn sync_value(&mut self, value: ast::ExprId) -> il::ExprId {
        let e = self.rvalue(value);
        let int = QualType::plain(Types::INT);
        match self.class_of(e) {
            Class::Arith | Class::Unknown => self.assign_convert(e, int, AssignContext::Assign),
            Class::Ptr(_)
            | Class::Pts(_)
            | Class::Void
            | Class::Record
            | Class::Vector
            | Class::Other => {
                let node = self.node(e);
                let message = format!(
                    "the value of a barrier is an int; a `{}` cannot be assigned to one",
                    self.show(node.ty)
                );
                self.error(
                    code::BARRIER_VALUE,
                    node.span,
                    message,
                    "give it an integer",
                );
                self.poison(node.span)
            }
        }
    }

    /// Analyses a synchronization statement (UPC 6.6.1).
    pub(super) fn sync(
        &mut self,
        kind: ast::SyncKind,
        value: Option<ast::ExprId>,
        span: Span,
    ) -> StmtKind {
        self.touched = true;
        self.check_spelling(span.lo);
        if self.in_controlling() {
            let message = "a barrier inside a upc_forall: not every thread executes it".to_string();
            self.warn(
                code::BARRIER_IN_FORALL,
                span,
                message,
                "move it after the loop, or use a plain for",
            );
            self.note_controlling();
        }
        StmtKind::Sync(kind, value.map(|value| self.sync_value(value)))
    }

    /// Analyses a `upc_forall`, in a scope of its own (UPC 6.6.2).
    pub(super) fn forall(
        &mut self,
        (init, cond, step): (ast::ForInit, Option<ast::ExprId>, Option<ast::ExprId>),
        affinity: ast::Affinity,
        body: ast::StmtId,
        span: Span,
    ) -> StmtKind {
        self.touched = true;
        self.check_spelling(span.lo);
        let init = self.for_init(init);
        let cond = cond.map(|c| self.condition(c));
        let step = step.map(|e| self.rvalue(e));
        let affinity = self.affinity(affinity);
        let controls = !matches!(affinity, il::Affinity::All);
        if controls && self.in_controlling() {
            let head = first_token(span);
            let message = "the affinity of a nested upc_forall has no effect: the outer loop has chosen the thread".to_string();
            self.warn(
                code::NESTED_FORALL,
                head,
                message,
                "use a plain for, or give the outer loop the affinity continue",
            );
            self.note_controlling();
        }
        self.flow.foralls.push(Forall { span, controls });
        let body = self.loop_body(body);
        self.flow.foralls.pop();
        StmtKind::Forall {
            init,
            cond,
            step,
            affinity,
            body,
        }
    }

    /// Analyses the affinity of a `upc_forall` (UPC 6.6.2p4).
    fn affinity(&mut self, affinity: ast::Affinity) -> il::Affinity {
        let value = match affinity {
            ast::Affinity::None | ast::Affinity::Continue => return il::Affinity::All,
            ast::Affinity::Expr(value) => value,
        };
        let e = self.rvalue(value);
        let node = self.node(e);
        match self.class(node.ty) {
            Class::Pts(_) => il::Affinity::Pts(e),
            Class::Arith if self.types.is_integer(node.ty) => il::Affinity::Int(self.promote(e)),
            Class::Unknown => il::Affinity::Int(e),
            Class::Arith
            | Class::Ptr(_)
            | Class::Void
            | Class::Record
            | Class::Vector
            | Class::Other => {
                let message = format!(
                    "the affinity of upc_forall is a `{}`, which is neither an integer nor a pointer-to-shared",
                    self.show(node.ty)
                );
                let help = if self.types.is_pointer(node.ty) {
                    "private objects have no affinity: use the address of a shared object, or an integer"
                } else {
                    "give an integer, the address of a shared object, or continue"
                };
                self.error(code::FORALL_AFFINITY, node.span, message, help);
                il::Affinity::All
            }
        }
    }

    /// Tokens of the innermost `upc_forall` around the current statement.
    pub(super) fn innermost_forall(&self) -> Option<Span> {
        self.flow.foralls.last().map(|f| f.span)
    }

    /// True inside a `upc_forall` that selects the thread. A statement that leaves the loop must restore the depth, so
    /// it is not verbatim.
    pub(super) fn in_controlling(&self) -> bool {
        self.flow.foralls.iter().any(|f| f.controls)
    }

    /// Adds the loop that selects the thread to the last report.
    fn note_controlling(&mut self) {
        let controlling = self.flow.foralls.iter().rev().find(|f| f.controls);
        if let Some(outer) = controlling.map(|f| f.span) {
            self.note(first_token(outer), "inside this upc_forall");
        }
    }
}

impl Context<'_> {
    /// Reports a jump from token `from` to a label inside a `upc_forall` that does not contain the jump (UPC 6.6.2p13).
    pub(super) fn check_jump(&mut self, label: Span, inside: Span, from: u32) -> bool {
        if (inside.lo..inside.hi).contains(&from) {
            return true;
        }
        let from = Span {
            lo: from,
            hi: from + 1,
        };
        let message =
            "a goto jumps from outside to this label in the body of a upc_forall".to_string();
        self.error(
            code::FORALL_JUMP_IN,
            label,
            message,
            "enter the loop at its beginning",
        );
        self.note(first_token(inside), "this upc_forall");
        self.note(from, "the goto");
        false
    }
}

/// The first word of a statement.
pub(super) fn first_token(span: Span) -> Span {
    Span {
        lo: span.lo,
        hi: span.lo + 1,
    }
}
