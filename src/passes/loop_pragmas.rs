//! Pragmas and attributes in front of loops: what a pass may make of the loop behind them.

use crate::diag::is_upc_pragma;
use crate::il::walk::{Node, visit};
use crate::il::{Body, Stmt, StmtId, StmtKind};
use upcc_grammar::ast::Span;
use upcc_grammar::lex::TokenStream;

/// What stands in front of a loop says of its form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Nothing.
    Free,
    /// They are hints for the optimiser: each loop that takes its place has them, too.
    Hinted,
    /// It must stay the loop that the user has written.
    Fixed,
}

/// Pragmas that any `for`, `while` or `do` may have in front of it, whatever is in it.
const HINTS: &[&str] = &[
    "GCC ivdep",
    "GCC novector",
    "GCC unroll",
    "clang loop",
    "nounroll",
    "omp simd",
    "unroll",
];

/// Pragmas whose loops and blocks several threads of the C language may execute.
const PARALLEL: &[&str] = &["omp", "acc"];

/// What may become of a loop.
pub fn form(stream: &TokenStream, stmt: &Stmt) -> Form {
    let attributes = stmt.trivia.map(|token| stream.attrs_in(token..=token));
    if attributes.is_some_and(|attrs| !attrs.is_empty()) {
        return Form::Fixed;
    }
    let mut form = Form::Free;
    for text in pragmas(stream, stmt) {
        if !begins_with(&text, HINTS) {
            return Form::Fixed;
        }
        form = Form::Hinted;
    }
    form
}

/// The parts of a function that several threads of the C language may execute.
pub struct Parallel {
    /// Statements behind a pragma.
    statements: Vec<Span>,
    /// Of these, loops: a pragma may be about loops inside, too (`collapse`).
    loops: Vec<Span>,
}

impl Parallel {
    /// Finds them.
    pub fn of(stream: &TokenStream, body: &Body, root: StmtId) -> Parallel {
        let mut found = Parallel {
            statements: Vec::new(),
            loops: Vec::new(),
        };
        if stream.pragmas.is_empty() {
            return found;
        }
        visit(body, Node::Stmt(root), &mut |node| {
            let Node::Stmt(id) = node else { return true };
            let stmt = body.stmt(id);
            if pragmas(stream, stmt).any(|text| begins_with(&text, PARALLEL)) {
                found.statements.push(stmt.span);
                if !matches!(stmt.kind, StmtKind::Compound(_)) {
                    found.loops.push(stmt.span);
                }
            }
            true
        });
        found
    }

    /// True for a statement in such a part.
    pub fn holds(&self, stmt: &Stmt) -> bool {
        within(&self.statements, stmt)
    }

    /// True for a statement in a loop of which a pragma may fix the form of loops inside.
    pub fn fixes(&self, stmt: &Stmt) -> bool {
        within(&self.loops, stmt)
    }
}

fn within(spans: &[Span], stmt: &Stmt) -> bool {
    let at = stmt.span.lo;
    spans.iter().any(|span| span.lo < at && at < span.hi)
}

/// The pragmas directly in front of a statement, but for our own.
fn pragmas<'a>(stream: &'a TokenStream, stmt: &Stmt) -> impl Iterator<Item = String> + 'a {
    let pragmas = match stmt.trivia {
        Some(token) => stream.pragmas_in(token..=token),
        None => &[],
    };
    let texts = pragmas.iter().map(|&pragma| stream.pragma_text(pragma));
    texts.filter(|text| !is_upc_pragma(text)).map(Into::into)
}

fn begins_with(text: &str, heads: &[&str]) -> bool {
    let words = || text.split(|c: char| c.is_whitespace() || c == '(');
    let words = || words().filter(|word| !word.is_empty());
    heads
        .iter()
        .any(|head| head.split(' ').eq(words().take(head.split(' ').count())))
}
