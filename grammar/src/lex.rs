//! The lexer: turns preprocessed text into a [`TokenStream`].
//!
//! Everything the grammar does not see is kept outside the token list: line markers (the source map scans for them
//! itself), pragmas, attributes, `__extension__`.

use crate::ast::{BasicType, Span};
use crate::error::{MAX_ERRORS, SyntaxError, SyntaxKind};
use crate::keyword_fallback;
use crate::symbol::{Interner, Symbol};
use crate::token::{KEYWORDS, OLD_WORDS, TokenKind};
use logos::{Lexer, Logos};
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// One token. `start..end` are bytes of [`TokenStream::text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    /// The name of an identifier or keyword; [`Token::NO_SYMBOL`] for other tokens.
    pub symbol: Symbol,
}

impl Token {
    /// The value of [`Token::symbol`] for a token without a name.
    pub const NO_SYMBOL: Symbol = Symbol(u32::MAX);

    /// True for identifiers and keywords.
    pub fn is_word(&self) -> bool {
        self.symbol != Token::NO_SYMBOL
    }
}

/// A `#pragma` line or a `_Pragma` operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// Index of the token it precedes.
    pub before: u32,
    /// Bytes from `#` or `_Pragma` to the end of the line or the `)`.
    pub start: u32,
    pub end: u32,
}

/// `__attribute__((...))` or `[[...]]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attr {
    /// Index of the token it precedes.
    pub before: u32,
    /// Bytes from `__attribute__` or `[[` to the closing bracket.
    pub start: u32,
    pub end: u32,
}

/// The tokens of a translation unit and the trivia between them.
#[derive(Debug, Default)]
pub struct TokenStream {
    /// The preprocessed text.
    pub text: String,
    /// The tokens of the program, then the tokens of attributes parsed on demand (from [`TokenStream::program_len`]
    /// on).
    pub tokens: Vec<Token>,
    /// Number of `tokens` that belong to the program.
    pub program_len: u32,
    /// In source order.
    pub pragmas: Vec<Pragma>,
    /// In source order.
    pub attrs: Vec<Attr>,
}

impl TokenStream {
    /// The bytes of a token range. An empty range gives the empty position before its token.
    pub fn bytes(&self, span: Span) -> Range<u32> {
        let start = self
            .tokens
            .get(span.lo as usize)
            .map_or(self.text.len() as u32, |t| t.start);
        if span.hi <= span.lo {
            return start..start;
        }
        let end = self
            .tokens
            .get(span.hi as usize - 1)
            .map_or(self.text.len() as u32, |t| t.end);
        start..end
    }

    /// The text of a token range, including the trivia between its tokens.
    pub fn slice(&self, span: Span) -> &str {
        let range = self.bytes(span);
        &self.text[range.start as usize..range.end as usize]
    }

    /// The text of token `index`; empty after the last token.
    pub fn token_text(&self, index: u32) -> &str {
        self.slice(Span {
            lo: index,
            hi: index + 1,
        })
    }

    /// The attributes that precede one of the tokens `range` (a range over `before`).
    pub fn attrs_in(&self, range: RangeInclusive<u32>) -> &[Attr] {
        let lo = self.attrs.partition_point(|a| a.before < *range.start());
        let hi = self.attrs.partition_point(|a| a.before <= *range.end());
        &self.attrs[lo..hi.max(lo)]
    }

    /// The pragmas that precede one of the tokens `range` (a range over `before`).
    pub fn pragmas_in(&self, range: RangeInclusive<u32>) -> &[Pragma] {
        let lo = self.pragmas.partition_point(|p| p.before < *range.start());
        let hi = self.pragmas.partition_point(|p| p.before <= *range.end());
        &self.pragmas[lo..hi.max(lo)]
    }

    /// The text of a pragma, without `#pragma` or `_Pragma("` and `")`.
    pub fn pragma_text(&self, pragma: Pragma) -> Cow<'_, str> {
        pragma_words(&self.text[pragma.start as usize..pragma.end as usize])
    }
}

/// The text of a `#pragma` line or a `_Pragma` operator.
fn pragma_words(text: &str) -> Cow<'_, str> {
    if let Some(line) = text.strip_prefix('#') {
        let line = line.trim_start();
        return Cow::Borrowed(line.strip_prefix("pragma").unwrap_or(line).trim());
    }
    let quoted = text
        .split_once('"')
        .and_then(|(_, rest)| rest.rsplit_once('"'))
        .map_or("", |(body, _)| body);
    Cow::Owned(
        quoted
            .replace("\\\"", "\"")
            .replace("\\\\", "\\")
            .trim()
            .to_owned(),
    )
}

/// Lexes a whole translation unit. Reports literals without an end and bytes that start no token, and continues after
/// them.
pub fn lex(text: String, interner: &mut Interner, errors: &mut Vec<SyntaxError>) -> TokenStream {
    for (spelling, _) in KEYWORDS.iter().chain(OLD_WORDS) {
        interner.intern(spelling);
    }
    let mut stream = TokenStream {
        tokens: Vec::with_capacity(text.len() / 4),
        ..TokenStream::default()
    };
    let mut scanner = Scanner {
        lexer: TokenKind::lexer(&text),
        stream: &mut stream,
        interner,
        errors,
        base: 0,
        upc_qualifiers: Vec::new(),
        gnu_words: Vec::new(),
        float_names: Vec::new(),
        unclosed_until: 0,
        c_code: false,
    };
    scanner.run();
    let (qualifiers, gnu_words) = (scanner.upc_qualifiers, scanner.gnu_words);
    keyword_fallback::upc_qualifiers(&mut stream.tokens, &qualifiers);
    keyword_fallback::gnu_words(&mut stream.tokens, &gnu_words);
    stream.program_len = stream.tokens.len() as u32;
    stream.text = text;
    stream
}

/// Lexes `stream.text[range]` again, with attributes opened, and appends the tokens. Returns their indices.
pub fn lex_again(
    stream: &mut TokenStream,
    range: Range<u32>,
    interner: &mut Interner,
    errors: &mut Vec<SyntaxError>,
) -> Range<u32> {
    // Move the text out so that the stream can grow while it is read.
    let text = std::mem::take(&mut stream.text);
    let first = stream.tokens.len() as u32;
    let (pragmas, attrs) = (stream.pragmas.len(), stream.attrs.len());
    let slice = &text[range.start as usize..range.end as usize];
    let mut scanner = Scanner {
        lexer: TokenKind::lexer(slice),
        stream,
        interner,
        errors,
        base: range.start,
        upc_qualifiers: Vec::new(),
        gnu_words: Vec::new(),
        float_names: Vec::new(),
        unclosed_until: 0,
        c_code: false,
    };
    scanner.run();
    // Trivia inside an attribute does not belong in the program's lists.
    stream.pragmas.truncate(pragmas);
    stream.attrs.truncate(attrs);
    stream.text = text;
    first..stream.tokens.len() as u32
}

struct Scanner<'a, 't> {
    lexer: Lexer<'t, TokenKind>,
    stream: &'a mut TokenStream,
    interner: &'a mut Interner,
    errors: &'a mut Vec<SyntaxError>,
    /// Tokens that are `shared`, `strict` or `relaxed`.
    upc_qualifiers: Vec<u32>,
    /// Tokens that are keywords only in GNU C, or not in C90: see [`keyword_fallback::gnu_words`].
    gnu_words: Vec<u32>,
    /// gcc's floating types that this text declares itself.
    float_names: Vec<Symbol>,
    /// Position at which the search for the end of an attribute failed: attributes that begin before it have no end
    /// either.
    unclosed_until: usize,
    /// True after `#pragma upc c_code`: UPC's keywords are names.
    c_code: bool,
    /// Byte offset of the lexer's source in the text.
    base: u32,
}

impl<'t> Scanner<'_, 't> {
    fn run(&mut self) {
        while let Some(result) = self.lexer.next() {
            match result {
                Ok(kind) => self.token(kind),
                Err(()) => self.stray(),
            }
        }
    }

    fn token(&mut self, kind: TokenKind) {
        let span = self.lexer.span();
        match kind {
            TokenKind::Ident => self.identifier(),
            TokenKind::LParen => {
                if let Some(last) = self.stream.tokens.last_mut()
                    && last.kind == TokenKind::Atomic
                {
                    last.kind = TokenKind::AtomicType;
                }
                self.push(kind, span);
            }
            TokenKind::LBracket => match self.stream.tokens.last().map(|t| t.kind) {
                Some(TokenKind::LBracket) => self.c23_attribute(),
                Some(TokenKind::Shared) => self.push(TokenKind::SharedLBracket, span),
                _ => self.push(kind, span),
            },
            TokenKind::Hash => self.directive(span.start),
            TokenKind::LineComment => {}
            TokenKind::OpenComment => match self.lexer.remainder().find("*/") {
                Some(at) => self.lexer.bump(at + 2),
                None => {
                    self.error(
                        span,
                        SyntaxKind::Unterminated,
                        "comment without `*/` at its end",
                    );
                    self.lexer.bump(self.lexer.remainder().len());
                }
            },
            TokenKind::BadChar | TokenKind::BadStr => {
                let what = if kind == TokenKind::BadChar {
                    "character constant without `'` at its end"
                } else {
                    "string literal without `\"` at its end"
                };
                self.error(span.clone(), SyntaxKind::Unterminated, what);
                self.push(kind, span);
            }
            TokenKind::Char => {
                if self.lexer.slice().ends_with("''") && !self.lexer.slice().ends_with("\\''") {
                    self.error(span.clone(), SyntaxKind::Token, "empty character constant");
                }
                self.push(kind, span);
            }
            _ => self.push(kind, span),
        }
    }

    fn push(&mut self, kind: TokenKind, span: Range<usize>) {
        self.push_named(kind, span, Token::NO_SYMBOL);
    }

    fn push_named(&mut self, kind: TokenKind, span: Range<usize>, symbol: Symbol) {
        self.stream.tokens.push(Token {
            kind,
            start: self.base + span.start as u32,
            end: self.base + span.end as u32,
            symbol,
        });
    }

    fn identifier(&mut self) {
        let span = self.lexer.span();
        let symbol = self.interner.intern(self.lexer.slice());
        match KEYWORDS.get(symbol.0 as usize) {
            None => self.push_named(TokenKind::Ident, span, symbol),
            Some((_, TokenKind::Attribute)) => {
                let start = span.start;
                if self.skip_parens() {
                    self.push_attr(start);
                } else {
                    self.error(
                        span,
                        SyntaxKind::Attribute,
                        "`__attribute__` without its list in `((` and `))`",
                    );
                }
            }
            Some((_, TokenKind::Extension)) => {}
            Some((_, TokenKind::PragmaOp)) => {
                let start = span.start;
                if self.skip_parens() {
                    let end = self.lexer.span().end;
                    self.pragma(start..end);
                } else {
                    self.error(
                        span,
                        SyntaxKind::Attribute,
                        "`_Pragma` without a string in parentheses",
                    );
                }
            }
            Some((_, kind)) if self.declares_float_name(*kind, symbol) => {
                self.push_named(TokenKind::Ident, span, symbol);
            }
            Some((_, kind)) if self.c_code && kind.is_upc() => {
                self.push_named(TokenKind::Ident, span, symbol);
            }
            Some((_, kind)) => {
                if let TokenKind::Shared | TokenKind::Strict | TokenKind::Relaxed = kind {
                    self.upc_qualifiers.push(self.stream.tokens.len() as u32);
                }
                if keyword_fallback::GNU_WORDS.contains(&self.lexer.slice()) {
                    self.gnu_words.push(self.stream.tokens.len() as u32);
                }
                self.push_named(*kind, span, symbol);
            }
        }
    }

    /// Whether `_Float64` and similar keywords are names in this text. For a compiler without these keywords, glibc
    /// writes `typedef double _Float64;` and `typedef __float128 _Float128;`; no other text has such a keyword after a
    /// floating type.
    fn declares_float_name(&mut self, kind: TokenKind, symbol: Symbol) -> bool {
        use BasicType::{Double, Float, Float32, Float32x, Float64, Float64x, Float128};
        if !matches!(
            kind.basic_type(),
            Some(Float32 | Float64 | Float128 | Float32x | Float64x)
        ) {
            return false;
        }
        let last = self.stream.tokens.last();
        let last = last.and_then(|token| token.kind.basic_type());
        if matches!(last, Some(Float | Double | Float128)) && !self.float_names.contains(&symbol) {
            self.float_names.push(symbol);
        }
        self.float_names.contains(&symbol)
    }

    fn push_attr(&mut self, start: usize) {
        let end = self.lexer.span().end as u32;
        let before = self.stream.tokens.len() as u32;
        self.stream.attrs.push(Attr {
            before,
            start: self.base + start as u32,
            end: self.base + end,
        });
    }

    /// Reads a balanced `( ... )`. Returns false, and reads nothing, if none follows or it has no end.
    fn skip_parens(&mut self) -> bool {
        let mut ahead = self.lexer.clone();
        ahead.next() == Some(Ok(TokenKind::LParen))
            && self.skip_to_close(ahead, TokenKind::LParen, TokenKind::RParen, 1)
    }

    /// Reads the attribute after `[[`. Its second `[` has been read; the first is the last token.
    fn c23_attribute(&mut self) {
        let span = self.lexer.span();
        let ahead = self.lexer.clone();
        if !self.skip_to_close(ahead, TokenKind::LBracket, TokenKind::RBracket, 2) {
            self.push(TokenKind::LBracket, span);
        } else if let Some(open) = self.stream.tokens.pop() {
            self.push_attr((open.start - self.base) as usize);
        }
    }

    /// Moves past the bracket that closes the `depth` brackets open at `ahead`. Returns false, and reads nothing, if
    /// there is none.
    fn skip_to_close(
        &mut self,
        mut ahead: Lexer<'t, TokenKind>,
        open: TokenKind,
        close: TokenKind,
        mut depth: u32,
    ) -> bool {
        if ahead.span().start < self.unclosed_until {
            return false;
        }
        while depth > 0 {
            match ahead.next() {
                Some(Ok(kind)) if kind == open => depth += 1,
                Some(Ok(kind)) if kind == close => depth -= 1,
                // A pragma or line marker between the operands of an attribute.
                Some(Ok(TokenKind::Hash)) => ahead.bump(line_len(ahead.remainder())),
                // An attribute cannot contain a statement, so the closing bracket is missing.
                Some(Ok(TokenKind::Semi | TokenKind::LBrace | TokenKind::RBrace)) | None => {
                    self.unclosed_until = ahead.span().start;
                    return false;
                }
                Some(_) => {}
            }
        }
        self.lexer = ahead;
        true
    }

    /// Handles a `#` at the start of a line: a pragma, a line marker, or another directive that the preprocessor leaves
    /// in place (`#ident`).
    fn directive(&mut self, hash: usize) {
        let before =
            self.lexer.source()[..hash].trim_end_matches([' ', '\t', '\r', '\x0b', '\x0c']);
        if !(before.is_empty() || before.ends_with('\n')) {
            return self.error(hash..hash + 1, SyntaxKind::Token, "stray `#` in program");
        }
        let rest = self.lexer.remainder();
        let line = &rest[..line_len(rest)];
        let word = line.trim_start();
        let name = &word[..word
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(word.len())];
        let end = hash + 1 + line.trim_end().len();
        match name {
            "pragma" => self.pragma(hash..end),
            // Line markers, the null directive, and directives that `-dD` and system headers leave behind.
            "" | "line" | "ident" | "sccs" | "define" | "undef" | "assert" | "unassert"
            | "include" | "warning" => {}
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {}
            _ => self.error(
                hash..end,
                SyntaxKind::Token,
                "directive that the preprocessor does not know",
            ),
        }
        self.lexer.bump(line.len());
    }

    /// Records a pragma. `upc c_code` and `upc upc_code` (Berkeley UPC, GUPC) select the language whose keywords apply
    /// from that point on.
    fn pragma(&mut self, bytes: Range<usize>) {
        let said = pragma_words(&self.lexer.source()[bytes.clone()]);
        let mut words = said.split_whitespace();
        match (words.next(), words.next()) {
            (Some("upc"), Some("c_code")) => self.c_code = true,
            (Some("upc"), Some("upc_code")) => self.c_code = false,
            _ => {}
        }
        self.stream.pragmas.push(Pragma {
            before: self.stream.tokens.len() as u32,
            start: self.base + bytes.start as u32,
            end: self.base + bytes.end as u32,
        });
    }

    /// Reports a byte that starts no token, once for a run of such bytes.
    fn stray(&mut self) {
        let span = self.lexer.span();
        let at = self.base + span.start as u32;
        let adjacent = self
            .errors
            .last()
            .is_some_and(|e| e.bytes.end == at && e.message.starts_with("stray"));
        if let (true, Some(last)) = (adjacent, self.errors.last_mut()) {
            last.bytes.end = self.base + span.end as u32;
            return;
        }
        let message = match self.lexer.slice().chars().next() {
            Some(c) if c.is_whitespace() => {
                format!(
                    "stray white space U+{:04X} in program: write a blank",
                    c as u32
                )
            }
            _ => format!("stray `{}` in program", shown(self.lexer.slice())),
        };
        self.error(span, SyntaxKind::Token, message);
    }

    fn error(&mut self, span: Range<usize>, kind: SyntaxKind, message: impl Into<String>) {
        let bytes = self.base + span.start as u32..self.base + span.end as u32;
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(SyntaxError::new(bytes, kind, message));
        }
    }
}

/// Formats stray text for a message: non-ASCII characters stay as they are.
fn shown(text: &str) -> String {
    let visible = |c: char| !c.is_ascii() && !c.is_control();
    let escaped = |c: char| match visible(c) {
        true => c.to_string(),
        false => c.escape_default().to_string(),
    };
    text.chars().map(escaped).collect()
}

/// Bytes up to the end of the line, without its newline.
fn line_len(text: &str) -> usize {
    text.bytes().position(|b| b == b'\n').unwrap_or(text.len())
}
