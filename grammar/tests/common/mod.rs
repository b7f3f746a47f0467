//! What several test files need.
#![allow(dead_code)]

use upcc_grammar::ast::*;
use upcc_grammar::{Parsed, parse};

/// Parses text that must be right.
pub fn good(text: &str) -> Parsed {
    let parsed = parse(text.to_owned());
    assert!(parsed.errors.is_empty(), "{text}\n{:?}", parsed.errors);
    check(&parsed);
    parsed
}

/// Messages of the errors of a text.
pub fn errors(text: &str) -> Vec<String> {
    let parsed = parse(text.to_owned());
    check(&parsed);
    parsed.errors.into_iter().map(|e| e.message).collect()
}

/// The invariants that hold for every text, right or wrong.
pub fn check(parsed: &Parsed) {
    let ast = &parsed.ast;
    let mut next = 0;
    for item in &ast.items {
        assert_eq!(item.span.lo, next, "items partition the tokens");
        assert!(item.span.hi > item.span.lo);
        next = item.span.hi;
    }
    assert_eq!(next, parsed.stream.program_len, "items reach the end");
    for (id, expr) in ast.exprs.iter().enumerate() {
        assert!(expr.span.lo < expr.span.hi && expr.span.hi <= parsed.stream.tokens.len() as u32);
        let operands: Vec<ExprId> = match expr.kind {
            ExprKind::Paren(a) | ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) => {
                vec![a, b]
            }
            ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Cond(a, b, c) => [Some(a), b, Some(c)].into_iter().flatten().collect(),
            ExprKind::Call(f, list) => {
                let mut all = vec![f];
                all.extend(ast.expr_list(list));
                all
            }
            _ => Vec::new(),
        };
        assert!(
            operands.iter().all(|o| (o.0 as usize) < id),
            "operands come first"
        );
    }
    for error in &parsed.errors {
        assert!(error.bytes.start <= error.bytes.end);
        assert!(error.bytes.end as usize <= parsed.stream.text.len());
        assert!(
            parsed
                .stream
                .text
                .is_char_boundary(error.bytes.start as usize)
        );
    }
}

/// A small deterministic generator of numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}
