//! Pragmas and attributes in front of loops, and the changes to the loop that they permit.

use crate::diag::is_upc_pragma;
use crate::il::walk::{Node, visit};
use crate::il::{Body, Stmt, StmtId, StmtKind};
use upcc_grammar::ast::Span;
use upcc_grammar::lex::TokenStream;

/// The constraint that pragmas and attributes put on the form of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// No constraint.
    Free,
    /// They are hints for the optimiser: each loop that replaces this one gets them too.
    Hinted,
    /// The loop must keep the form that the user wrote.
    Fixed,
}

/// Pragmas that may precede any `for`, `while` or `do`, whatever it contains.
const HINTS: &[&str] = &[
    "GCC ivdep",
    "GCC novector",
    "GCC unroll",
    "clang loop",
    "nounroll",
    "unroll",
];

/// Pragmas whose loops and blocks several threads of the C language may execute.
const PARALLEL: &[&str] = &["omp", "acc"];

/// Returns the constraint on a loop.
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
    /// Statements after a pragma.
    statements: Vec<Span>,
    /// The loops among them: a pragma may also concern loops inside (`collapse`).
    loops: Vec<Span>,
}

impl Parallel {
    /// Finds the parts in a function.
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

    /// True for a statement inside such a part.
    pub fn holds(&self, stmt: &Stmt) -> bool {
        within(&self.statements, stmt)
    }

    /// True for a statement inside a loop whose pragma may fix the form of inner loops.
    pub fn fixes(&self, stmt: &Stmt) -> bool {
        within(&self.loops, stmt)
    }

    /// True for a loop on which no pragma or attribute puts a constraint.
    pub fn leaves_free(&self, stream: &TokenStream, stmt: &Stmt) -> bool {
        form(stream, stmt) == Form::Free && !self.fixes(stmt)
    }
}

fn within(spans: &[Span], stmt: &Stmt) -> bool {
    let at = stmt.span.lo;
    spans.iter().any(|span| span.lo < at && at < span.hi)
}

/// The pragmas directly in front of a statement, except those of UPC.
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
