//! Finds where parsing resumes after a syntax error.
//!
//! The generated parser has lost its stack, but the builder knows which compound statements were open. Parsing resumes
//! with the next statement of the innermost one, then with the rest of the enclosing block, and so on out to file
//! scope.

use crate::actions::{Block, Builder};
use crate::ast::*;
use crate::lex::TokenStream;
use crate::token::{TokenKind as K, old_word};

/// Where to resume, and in which context.
#[derive(Clone, Copy, Debug)]
pub struct Resume {
    /// First token to parse.
    pub at: u32,
    /// The `}` of the innermost open block, if in one.
    pub block_end: Option<u32>,
}

impl Resume {
    /// Resumes with external declarations, from `at` on.
    pub fn unit(at: u32) -> Resume {
        Resume {
            at,
            block_end: None,
        }
    }
}

/// Resumes after the error at token `at`; with `semicolon`, as if a `;` preceded it.
pub fn resume_after(
    builder: &mut Builder<'_>,
    stream: &TokenStream,
    last: Resume,
    at: u32,
    semicolon: bool,
) -> Resume {
    let record = match semicolon {
        true => finished_record(builder, stream, at),
        false => None,
    };
    builder.abandon();
    let end = stream.program_len;
    let Some(&block) = builder.blocks.last() else {
        builder.names.unwind(0);
        let semicolon = semicolon
            && begins_anew(stream, at)
            && open_brackets(stream, builder.item_start, at).is_empty();
        let next = if semicolon && at > builder.item_start {
            if let Some(ty) = record {
                return end_with_record(builder, ty, at);
            }
            at
        } else {
            end_of_item(stream, builder.item_start, at.max(last.at), end)
        };
        return skip_item(builder, next);
    };
    builder.names.unwind(block.depth);
    // If the error is at the token where parsing last resumed, that token cannot begin a statement and is skipped.
    let next = if semicolon && at > last.at && begins_anew(stream, at) {
        at
    } else {
        end_of_statement(stream, block.token, at, end)
    };
    if next >= end {
        return close_function(builder, end);
    }
    if stream.tokens[next as usize].kind == K::RBrace {
        builder.lost_statement(next);
        return leave(builder, stream, next);
    }
    let next = if next == last.at { next + 1 } else { next };
    builder.lost_statement(next);
    in_block(builder, stream, next)
}

/// The structure, union or enumeration at file scope that ends in front of token `at`.
fn finished_record(builder: &mut Builder<'_>, stream: &TokenStream, at: u32) -> Option<TypeSpec> {
    if !builder.blocks.is_empty() {
        return None;
    }
    // The parser may have read its `}` without having made a node of it.
    let known = builder.record_up_to(at);
    known.or_else(|| {
        let (keyword, tag) = record_head(stream, builder.item_start, at.checked_sub(1)?)?;
        builder.read_record(keyword, tag, at)
    })
}

/// The keyword and the tag of the structure, union or enumeration whose `}` is token `brace`.
pub fn record_head(stream: &TokenStream, from: u32, brace: u32) -> Option<(u32, Option<u32>)> {
    let kind = |i: u32| stream.tokens.get(i as usize).map(|token| token.kind);
    if kind(brace) != Some(K::RBrace) {
        return None;
    }
    let mut depth = 0u32;
    let mut open = (from..=brace).rev();
    let open = open.find(|&i| {
        match kind(i) {
            Some(K::RBrace) => depth += 1,
            Some(K::LBrace) => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let before = |i: u32| i.checked_sub(1).filter(|&i| i >= from);
    let tag = before(open).filter(|&i| kind(i) == Some(K::Ident));
    let keyword = before(tag.unwrap_or(open))?;
    matches!(kind(keyword), Some(K::Struct | K::Union | K::Enum)).then_some((keyword, tag))
}

/// Ends a declaration at file scope behind a structure, union or enumeration, as if a `;` followed it.
fn end_with_record(builder: &mut Builder<'_>, ty: TypeSpec, next: u32) -> Resume {
    let whole = Span {
        lo: builder.item_start,
        hi: next,
    };
    let specs = builder.ast.push_specs(Specs {
        span: whole,
        types: vec![ty],
        ..Specs::default()
    });
    let declaration = builder.empty_declaration(specs, whole.lo, whole.hi);
    builder.function = None;
    builder.item(ItemKind::Decl(declaration), whole);
    Resume::unit(next)
}

/// Called when the rest of a block has been parsed up to its `}`: continues with the enclosing block.
pub fn leave_block(builder: &mut Builder<'_>, stream: &TokenStream, done: Resume) -> Resume {
    builder.abandon();
    leave(
        builder,
        stream,
        done.block_end.unwrap_or(stream.program_len),
    )
}

/// Covers the remaining tokens when there are too many errors.
pub fn give_up(builder: &mut Builder<'_>, end: u32) {
    builder.abandon();
    builder.blocks.clear();
    builder.function = None;
    skip_item(builder, end);
}

/// True if token `at` looks like the first token of a statement or declaration: a keyword, or a word at the start of a
/// line.
fn begins_anew(stream: &TokenStream, at: u32) -> bool {
    if at >= stream.program_len || at == 0 {
        return false;
    }
    let token = &stream.tokens[at as usize];
    let gap = stream.tokens[at as usize - 1].end as usize..token.start as usize;
    let next = stream.tokens.get(at as usize + 1).map(|next| next.kind);
    match token.kind {
        K::RBrace => true,
        // A keyword in the place of a name.
        _ if matches!(next, Some(K::Assign | K::Comma | K::LBracket)) && token.kind != K::Ident => {
            false
        }
        K::Ident | K::LBrace | K::Star | K::LParen => stream.text[gap].contains('\n'),
        _ => token.is_word(),
    }
}

fn in_block(builder: &Builder<'_>, stream: &TokenStream, at: u32) -> Resume {
    let open = builder.blocks.last().map_or(at, |b| b.token);
    Resume {
        at,
        block_end: Some(closing_brace(stream, open)),
    }
}

/// Leaves the innermost block, whose `}` is token `brace`, and the blocks that end directly after it.
fn leave(builder: &mut Builder<'_>, stream: &TokenStream, mut brace: u32) -> Resume {
    let end = stream.program_len;
    let kind = |i: u32| stream.tokens[i as usize].kind;
    loop {
        let mut next = (brace + 1).min(end);
        let [.., Block { token, depth, .. }, left] = builder.blocks[..] else {
            return close_function(builder, next);
        };
        let block = builder.salvage_block(next);
        builder.names.unwind(depth);
        block.into_iter().for_each(|b| builder.block_item(b));
        if next < end && left.token > 0 && kind(left.token - 1) == K::LParen {
            // It was a statement expression: the rest of the enclosing statement is lost.
            next = end_of_statement(stream, token, next, end);
            builder.lost_statement(next);
        } else if next < end && kind(next) == K::Else {
            next += 1;
        }
        if next >= end {
            return close_function(builder, end);
        }
        if kind(next) != K::RBrace {
            return in_block(builder, stream, next);
        }
        brace = next;
    }
}

/// Ends the current function definition with the statements that the parser has accepted.
fn close_function(builder: &mut Builder<'_>, next: u32) -> Resume {
    let mut body = None;
    while let Some(block) = builder.salvage_block(next) {
        body = Some(block);
        if !builder.blocks.is_empty() {
            builder.block_item(block);
        }
    }
    builder.names.unwind(0);
    let (Some(head), Some(body)) = (builder.function.take(), body) else {
        return skip_item(builder, next);
    };
    let decls = builder.ast.decls.len() as u32;
    let def = FunctionDef {
        specs: head.specs,
        declarator: head.declarator,
        kr_decls: (decls, decls),
        body,
    };
    let whole = Span {
        lo: builder.item_start,
        hi: next,
    };
    builder.item(ItemKind::Function(def), whole);
    Resume::unit(next)
}

/// Resumes at file scope. The skipped tokens become an empty item.
fn skip_item(builder: &mut Builder<'_>, next: u32) -> Resume {
    builder.function = None;
    if next > builder.item_start {
        builder.item(
            ItemKind::Empty,
            Span {
                lo: builder.item_start,
                hi: next,
            },
        );
    }
    Resume::unit(next)
}

/// The `}` that closes the `{` at `open`, or the end.
fn closing_brace(stream: &TokenStream, open: u32) -> u32 {
    let mut depth = 0u32;
    for at in open..stream.program_len {
        match stream.tokens[at as usize].kind {
            K::LBrace => depth += 1,
            K::RBrace => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    stream.program_len
}

/// The brackets open before token `at`, starting at `from`.
fn open_brackets(stream: &TokenStream, from: u32, at: u32) -> Vec<u32> {
    let mut open = Vec::new();
    for i in from..at.min(stream.program_len) {
        step(stream, &mut open, i);
    }
    open
}

/// Updates the open brackets for token `i`.
fn step(stream: &TokenStream, open: &mut Vec<u32>, i: u32) {
    let kind = |i: u32| stream.tokens[i as usize].kind;
    match kind(i) {
        K::LBrace | K::LParen | K::LBracket | K::SharedLBracket => open.push(i),
        K::RParen | K::RBracket if open.last().is_some_and(|&o| kind(o) != K::LBrace) => {
            open.pop();
        }
        K::RBrace => {
            // A brace also closes unclosed parentheses.
            while open.pop().is_some_and(|o| kind(o) != K::LBrace) {}
        }
        K::Semi => {
            while open
                .last()
                .is_some_and(|&o| kind(o) != K::LBrace && !is_for_paren(stream, o))
            {
                open.pop();
            }
        }
        _ => {}
    }
}

fn is_for_paren(stream: &TokenStream, open: u32) -> bool {
    let Some(before) = open.checked_sub(1) else {
        return false;
    };
    let word = stream.tokens[before as usize];
    let keyword = old_word(word.symbol).unwrap_or(word.kind);
    stream.tokens[open as usize].kind == K::LParen && matches!(keyword, K::For | K::UpcForall)
}

/// The index after the statement in which token `at` is wrong, in the block that begins at `block`; the `}` of the
/// block if that comes first.
fn end_of_statement(stream: &TokenStream, block: u32, at: u32, end: u32) -> u32 {
    let mut open = open_brackets(stream, block + 1, at);
    for i in at..end {
        match stream.tokens[i as usize].kind {
            // The body of a statement whose head is wrong: it is still parsed.
            K::LBrace
                if !has_brace(stream, &open)
                    && i > at
                    && stream.tokens[i as usize - 1].kind == K::RParen
                    && only_for(stream, &open) =>
            {
                return i;
            }
            K::RBrace if !has_brace(stream, &open) => return i,
            _ => {}
        }
        step(stream, &mut open, i);
        if stream.tokens[i as usize].kind == K::Semi && open.is_empty() {
            return i + 1;
        }
    }
    end
}

fn has_brace(stream: &TokenStream, open: &[u32]) -> bool {
    open.iter()
        .any(|&o| stream.tokens[o as usize].kind == K::LBrace)
}

fn only_for(stream: &TokenStream, open: &[u32]) -> bool {
    open.iter().all(|&o| is_for_paren(stream, o))
}

/// The index after the external declaration that begins at `start` and in which token `at` is wrong.
fn end_of_item(stream: &TokenStream, start: u32, at: u32, end: u32) -> u32 {
    let mut open = open_brackets(stream, start, at);
    for i in at..end {
        let kind = stream.tokens[i as usize].kind;
        let body = kind == K::RBrace
            && open
                .iter()
                .find(|&&o| stream.tokens[o as usize].kind == K::LBrace)
                .is_none_or(|&o| is_body(stream, o));
        step(stream, &mut open, i);
        if open.is_empty() {
            let next = stream.tokens.get(i as usize + 1).map(|t| t.kind);
            match kind {
                K::Semi => return i + 1,
                // The brace of a body ends the declaration; another brace ends it only if no continuation follows.
                K::RBrace
                    if next != Some(K::Semi)
                        && (body
                            || !matches!(
                                next,
                                Some(
                                    K::Ident
                                        | K::Star
                                        | K::Comma
                                        | K::Assign
                                        | K::LParen
                                        | K::LBracket
                                )
                            )) =>
                {
                    return i + 1;
                }
                _ => {}
            }
        }
    }
    end
}

/// True if the `{` at `open` begins a function body, and not a type or an initialiser.
fn is_body(stream: &TokenStream, open: u32) -> bool {
    open > 0 && matches!(stream.tokens[open as usize - 1].kind, K::RParen | K::Semi)
}
