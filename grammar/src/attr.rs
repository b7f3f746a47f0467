//! Parses attributes on demand: names and arguments.

use crate::actions::Builder;
use crate::ast::*;
use crate::context::Names;
use crate::lex::{Attr, Token, TokenStream, lex_again};
use crate::parse::run;
use crate::symbol::{Interner, Symbol};
use crate::term::Term;
use crate::token::TokenKind as K;
use std::ops::Range;

/// One attribute of a list: `name`, `name(args)`, `ns::name(args)`.
#[derive(Clone, Debug)]
pub struct AttrItem {
    /// The name as written, underscores included; for `ns::name` it is `name`.
    pub name: Symbol,
    /// The tokens of name and arguments, which lie after [`TokenStream::program_len`].
    pub span: Span,
    /// Arguments as expressions; `None` if they are not expressions (a type, or not C at all).
    pub args: Option<Vec<ExprId>>,
}

/// Parses the attributes that `attr` lists. Appends its tokens to the stream and its argument expressions to the AST.
pub fn parse_attr_args(
    stream: &mut TokenStream,
    ast: &mut Ast,
    interner: &mut Interner,
    attr: Attr,
    is_typedef: &mut dyn FnMut(Symbol) -> bool,
) -> Vec<AttrItem> {
    let tokens = lex_again(stream, inside(stream, attr), interner, &mut Vec::new());
    let mut items = Vec::new();
    let mut at = tokens.start;
    while at < tokens.end {
        // Treat everything between attributes as a comma. An attribute's name may be a keyword (`const`).
        let name = stream.tokens[at as usize].symbol;
        if name == Token::NO_SYMBOL {
            at += 1;
            continue;
        }
        let kind = |i: u32| {
            if i < tokens.end {
                Some(stream.tokens[i as usize].kind)
            } else {
                None
            }
        };
        if kind(at + 1) == Some(K::Colon) {
            at += 1;
            continue;
        }
        let end = match kind(at + 1) {
            Some(K::LParen) => closing_paren(stream, at + 1, tokens.end),
            _ => at + 1,
        };
        let span = Span { lo: at, hi: end };
        let args = if end > at + 3 {
            arguments(stream, ast, interner, at + 2..end - 1, is_typedef)
        } else {
            Some(Vec::new())
        };
        items.push(AttrItem { name, span, args });
        at = end;
    }
    items
}

/// Returns the bytes between the brackets of an attribute.
fn inside(stream: &TokenStream, attr: Attr) -> Range<u32> {
    let text = &stream.text[attr.start as usize..attr.end as usize];
    let (open, close) = if text.starts_with(['[', '<']) {
        ('[', ']')
    } else {
        ('(', ')')
    };
    let strip = |text: &str| -> Option<(usize, usize)> {
        let first = text.find(open)? + 1;
        let second = first + text[first..].find(open)? + 1;
        let last = text.rfind(close)?;
        Some((second, text[..last].rfind(close)?))
    };
    let (from, to) = strip(text)
        .filter(|(from, to)| from <= to)
        .unwrap_or((text.len(), text.len()));
    attr.start + from as u32..attr.start + to as u32
}

/// Returns the index after the `)` that closes the `(` at `open`, or `end`.
fn closing_paren(stream: &TokenStream, open: u32, end: u32) -> u32 {
    let mut depth = 0u32;
    for at in open..end {
        match stream.tokens[at as usize].kind {
            K::LParen => depth += 1,
            K::RParen => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    end
}

fn arguments(
    stream: &TokenStream,
    ast: &mut Ast,
    interner: &Interner,
    range: Range<u32>,
    is_typedef: &mut dyn FnMut(Symbol) -> bool,
) -> Option<Vec<ExprId>> {
    let tokens = &stream.tokens[range.start as usize..range.end as usize];
    // Nearly all arguments are single tokens between commas.
    let simple = tokens.len() % 2 == 1
        && tokens.iter().enumerate().all(|(i, t)| {
            if i % 2 == 0 {
                simple_kind(t).is_some()
            } else {
                t.kind == K::Comma
            }
        });
    if simple {
        let exprs = tokens
            .iter()
            .enumerate()
            .filter_map(|(i, t)| Some((i as u32, simple_kind(t)?)));
        return Some(
            exprs
                .map(|(i, kind)| {
                    ast.push_expr(Expr {
                        kind,
                        span: Span {
                            lo: range.start + i,
                            hi: range.start + i + 1,
                        },
                    })
                })
                .collect(),
        );
    }
    let mut types: Vec<Symbol> = tokens
        .iter()
        .filter(|t| t.kind == K::Ident)
        .map(|t| t.symbol)
        .collect();
    types.sort_unstable();
    types.dedup();
    types.retain(|&name| is_typedef(name));
    let names = Names::new(interner.len(), types, []);
    let mut builder = Builder::new(std::mem::take(ast), &names, &stream.tokens);
    let result = run(&mut builder, Term::StartArgs, range);
    let list = result.ok().map(|list| builder.end_exprs(list));
    *ast = builder.ast;
    list.map(|list| ast.expr_list(list).to_vec())
}

/// The expression that a single token forms.
fn simple_kind(token: &Token) -> Option<ExprKind> {
    match token.kind {
        K::Ident => Some(ExprKind::Name(token.symbol)),
        K::Number => Some(ExprKind::Number),
        K::Str => Some(ExprKind::Str),
        K::Char => Some(ExprKind::Char),
        _ => None,
    }
}
