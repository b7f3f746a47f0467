//! The entry point of the parser: runs the generated parser, and restarts it after each syntax error.

use crate::actions::{ActionError, Builder};
use crate::ast::*;
use crate::attr;
use crate::context::{Names, TermIter};
use crate::error::{MAX_ERRORS, SyntaxError, SyntaxKind};
use crate::lex::{Attr, TokenStream, lex};
use crate::recover::{self, Resume};
use crate::source_map::SourceMap;
use crate::symbol::{Interner, Symbol};
use crate::syntax_error::{self, Scene};
use crate::syntax_help::ended_record;
use crate::term::Term;
use crate::token::{PREDECLARED_TYPES, old_words};
use hashbrown::HashSet;
use lalrpop_util::ParseError;
use std::ops::Range;

/// A parsed translation unit.
#[derive(Debug)]
pub struct Parsed {
    pub stream: TokenStream,
    pub ast: Ast,
    pub interner: Interner,
    /// Files and lines of the text.
    pub source_map: SourceMap,
    /// In source order. The offending text is missing from the AST, or is a `StmtKind::Error` in it.
    pub errors: Vec<SyntaxError>,
}

impl Parsed {
    /// Whether a token range begins in a system header. The headers of `upcc` count as such.
    pub fn in_system_header(&self, span: Span) -> bool {
        let start = self.stream.bytes(span).start;
        self.source_map.lookup(start).system_header
    }

    /// The attributes that one `__attribute__` or `[[ ]]` lists. Identifiers in arguments are typedef names if
    /// `is_typedef` returns true for them.
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

/// The error type of the generated parser.
pub(crate) type Failure = ParseError<u32, Term, ActionError>;

/// Runs the generated parser on a range of tokens; `start` selects what to parse.
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
    let names = Names::new(interner.len(), types, old_words());
    let ast = Ast::for_tokens(stream.tokens.len());
    let mut builder = Builder::new(ast, &names, &stream.tokens);
    let lexical = errors.len();
    parse_unit(&mut builder, &stream, &interner, &mut errors);
    for complaint in std::mem::take(&mut builder.complaints) {
        errors.push(SyntaxError::new(
            stream.bytes(complaint.span),
            SyntaxKind::Order,
            complaint.message,
        ));
    }
    let parsed = errors.split_off(lexical);
    let own = parsed
        .into_iter()
        .filter(|error| !follows(error, &errors, &stream.text));
    let mut own: Vec<SyntaxError> = own.collect();
    // Report an unknown type name only once.
    let mut unknown = HashSet::new();
    own.retain(|error| {
        let name = error.bytes.start as usize..error.bytes.end as usize;
        error.kind != SyntaxKind::UnknownType || unknown.insert(stream.text[name].to_owned())
    });
    errors.extend(own);
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

/// Whether the error follows from an earlier lexical error: text after an unterminated literal or comment may have been
/// swallowed, and a token that is not valid is missing from its line.
fn follows(error: &SyntaxError, lexical: &[SyntaxError], text: &str) -> bool {
    let at = error.bytes.start;
    let before = lexical.partition_point(|earlier| earlier.bytes.start <= at);
    lexical[..before].iter().any(|earlier| {
        let between = &text[earlier.bytes.start as usize..at as usize];
        earlier.kind == SyntaxKind::Unterminated || !between.contains('\n')
    })
}

/// Parses all items and recovers after errors.
fn parse_unit(
    builder: &mut Builder<'_>,
    stream: &TokenStream,
    interner: &Interner,
    errors: &mut Vec<SyntaxError>,
) {
    let end = stream.program_len;
    let mut resume = Resume::unit(0);
    let mut last = None;
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
                let at = syntax_error::place(&failure, &resume, end);
                let scene = Scene {
                    stream,
                    names: builder.names,
                    interner,
                    item_start: builder.item_start,
                };
                let at = ended_record(at, &scene)
                    .filter(|&next| next > resume.at)
                    .unwrap_or(at);
                let error = syntax_error::explain(&failure, at, &scene);
                // A misspelt keyword begins its statement, so the tokens after it belong to that statement.
                let misspelt = error.kind == SyntaxKind::Misspelt;
                // Parsing that resumes at the wrong token may reject it again; at file scope, it may have accepted
                // nothing since the last error. Such errors are not reported.
                let same = resume.block_end.is_none() && at == resume.at;
                let again = last.replace(at).is_some_and(|last| last == at || same);
                if !again {
                    errors.push(error);
                }
                if errors.len() >= limit {
                    let bytes = stream.bytes(Span { lo: at, hi: at });
                    errors.push(SyntaxError::new(
                        bytes,
                        SyntaxKind::TooMany,
                        "too many syntax errors: the rest of the file is skipped",
                    ));
                    recover::give_up(builder, end);
                    return;
                }
                let after_semicolon = !misspelt && syntax_error::wants_semicolon(&failure);
                resume = recover::resume_after(builder, stream, resume, at, after_semicolon);
            }
        }
    }
}
