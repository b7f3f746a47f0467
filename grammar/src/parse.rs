//! The parser's entry: runs the generated parser, and again behind every syntax error.

use crate::ast::*;
use crate::attr;
use crate::build::{ActionError, Builder};
use crate::context::{Names, TermIter};
use crate::error::{MAX_ERRORS, SyntaxError};
use crate::explain;
use crate::lex::{Attr, TokenStream, lex};
use crate::recover::{self, Resume};
use crate::source_map::SourceMap;
use crate::symbol::{Interner, Symbol};
use crate::token::{PREDECLARED_TYPES, Term};
use lalrpop_util::ParseError;
use std::ops::Range;

/// A translation unit, parsed.
#[derive(Debug)]
pub struct Parsed {
    pub stream: TokenStream,
    pub ast: Ast,
    pub interner: Interner,
    /// Files and lines of the text.
    pub source_map: SourceMap,
    /// In source order. What they concern is missing from the AST or a `StmtKind::Error` in it.
    pub errors: Vec<SyntaxError>,
}

impl Parsed {
    /// Whether a token range begins in a system header; ours count as such.
    pub fn in_system_header(&self, span: Span) -> bool {
        let start = self.stream.bytes(span).start;
        self.source_map.lookup(start).system_header
    }

    /// The attributes that one `__attribute__` or `[[ ]]` lists. Identifiers in arguments are typedef names if `is_typedef` says so.
    pub fn attr_items(
        &mut self,
        attr: Attr,
        is_typedef: &mut dyn FnMut(Symbol) -> bool,
    ) -> Vec<attr::AttrItem> {
        attr::parse_attr_args(
            &mut self.stream,
            &mut self.ast,
            &mut self.interner,
            attr,
            is_typedef,
        )
    }
}

/// What the generated parser answers for an error.
pub(crate) type Failure = ParseError<u32, Term, ActionError>;

/// Runs the generated parser on a range of tokens; `start` says what they should be.
pub(crate) fn run(
    builder: &mut Builder<'_>,
    start: Term,
    range: Range<u32>,
) -> Result<u32, Failure> {
    let terms = TermIter::new(builder.names, builder.tokens, start, range);
    crate::upc::StartParser::new().parse(builder, terms)
}

/// Lexes and parses preprocessed text (less than 4 GiB).
pub fn parse(text: String) -> Parsed {
    let source_map = SourceMap::from_preprocessed(&text);
    let mut interner = Interner::default();
    let mut errors = Vec::new();
    let stream = lex(text, &mut interner, &mut errors);
    let types: Vec<Symbol> = PREDECLARED_TYPES
        .iter()
        .map(|name| interner.intern(name))
        .collect();
    let names = Names::new(interner.len(), types);
    let mut builder = Builder::new(Ast::default(), &names, &stream.tokens);
    let lexical = errors.len();
    parse_unit(&mut builder, &stream, &mut errors);
    for complaint in std::mem::take(&mut builder.complaints) {
        errors.push(SyntaxError::new(
            stream.bytes(complaint.span),
            complaint.message,
        ));
    }
    let ast = builder.ast;
    if errors.len() > lexical && lexical > 0 || !errors.is_sorted_by_key(|e| e.bytes.start) {
        errors.sort_by_key(|e| e.bytes.start);
    }
    Parsed {
        stream,
        ast,
        interner,
        source_map,
        errors,
    }
}

/// Parses all items, going on after errors.
fn parse_unit(builder: &mut Builder<'_>, stream: &TokenStream, errors: &mut Vec<SyntaxError>) {
    let end = stream.program_len;
    let mut resume = Resume::unit(0);
    let limit = errors.len() + MAX_ERRORS;
    loop {
        let (start, range) = match resume.block_end {
            Some(block_end) => (Term::StartBlock, resume.at..block_end),
            None => (Term::StartUnit, resume.at..end),
        };
        match run(builder, start, range) {
            Ok(_) if resume.block_end.is_none() => return,
            Ok(_) => resume = recover::leave_block(builder, stream, resume),
            Err(failure) => {
                let at = explain::place(&failure, &resume, end);
                errors.push(explain::explain(&failure, at, builder.names, stream));
                if errors.len() >= limit {
                    let bytes = stream.bytes(Span { lo: at, hi: at });
                    errors.push(SyntaxError::new(
                        bytes,
                        "too many syntax errors: the rest of the file is not looked at",
                    ));
                    recover::give_up(builder, end);
                    return;
                }
                let after_semicolon = explain::wants_semicolon(&failure);
                resume = recover::resume_after(builder, stream, resume, at, after_semicolon);
            }
        }
    }
}
