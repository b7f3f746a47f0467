//! Where the objects and functions that messages speak of are declared.

use super::{Nodes, il};
use crate::il::ExprKind;
use upcc_grammar::ast::Span;
use upcc_grammar::token::TokenKind;

/// Characters of a declaration that a suggestion quotes at most.
const LONGEST: usize = 120;
/// Characters of an expression that a message quotes at most.
const SHORT: usize = 40;

impl Nodes<'_> {
    /// The name, where it is declared, of the variable, array or function that an expression reads, calls or takes the
    /// address of.
    fn declaration(&self, mut e: il::ExprId) -> Option<Span> {
        loop {
            e = match self.node(e).kind {
                ExprKind::Object(id) => return self.declared.get(id.0 as usize).copied(),
                ExprKind::Local(id) => return Some(self.body.locals[id].span),
                ExprKind::Field(inner, _)
                | ExprKind::Deref(inner)
                | ExprKind::Load(inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Decay(inner)
                | ExprKind::Cast { value: inner, .. }
                | ExprKind::PtrAdd { ptr: inner, .. } => inner,
                _ => return None,
            }
        }
    }

    /// The same, if the declaration is the user's own.
    fn own_declaration(&self, e: il::ExprId) -> Option<Span> {
        let place = self.declaration(e)?;
        (!self.parsed.in_system_header(place)).then_some(place)
    }

    /// Adds to the last report where the object that `e` accesses is declared.
    pub(super) fn note_declaration(&mut self, e: il::ExprId) {
        if let Some(place) = self.own_declaration(e) {
            let name = self.parsed.stream.token_text(place.lo);
            let text = format!("`{name}` is declared here");
            self.note(place, &text);
        }
    }

    /// Adds to the last report the declaration of parameter `number`, from 1, of the function that is called.
    pub(super) fn note_parameter(&mut self, function: il::ExprId, number: u32) {
        let Some(place) = self.own_declaration(function) else {
            return;
        };
        let parameters = self.parameters(place);
        let index = (number as usize).checked_sub(1);
        if let Some(&parameter) = index.and_then(|index| parameters.get(index)) {
            self.note(parameter, "the parameter is declared here");
        }
    }

    /// The prototype of the function that is called, as its declaration writes it; `None` if it is long, or not in the
    /// source.
    pub(super) fn prototype_of(&self, function: il::ExprId) -> Option<String> {
        let place = self.declaration(function)?;
        let parameters = self.parameters(place);
        let words: Vec<String> = parameters.iter().map(|&span| self.words(span)).collect();
        let name = self.parsed.stream.token_text(place.lo);
        let text = format!("{name}({})", words.join(", "));
        (!parameters.is_empty() && text.len() <= LONGEST).then_some(text)
    }

    /// The text of a few tokens, as the user wrote it; `None`: it is long or has several lines.
    pub(super) fn short_text(&self, span: Span) -> Option<&str> {
        let bytes = self.parsed.stream.bytes(span);
        let text = &self.parsed.stream.text[bytes.start as usize..bytes.end as usize];
        (text.len() <= SHORT && !text.contains('\n')).then_some(text)
    }

    /// The tokens of a parameter, without the underscores of names in system headers.
    fn words(&self, span: Span) -> String {
        let mut text = String::new();
        for at in span.lo..span.hi {
            let word = self.parsed.stream.token_text(at);
            let word = word.trim_start_matches("__");
            let word = match word {
                // Spellings of `restrict` that only headers use.
                "restrict" | "restrict__" => continue,
                word => word,
            };
            let apart =
                !text.is_empty() && !text.ends_with('*') && !matches!(word, "[" | "]" | ")");
            if apart {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    /// The parameters of the function whose name in its declaration is at `place`: the tokens between the commas of the
    /// list behind the name.
    fn parameters(&self, place: Span) -> Vec<Span> {
        let tokens = &self.parsed.stream.tokens;
        let kind = |at: u32| tokens.get(at as usize).map(|token| token.kind);
        let open = place.lo + 1;
        if kind(open) != Some(TokenKind::LParen) {
            return Vec::new();
        }
        let (mut depth, mut lo, mut list) = (0u32, open + 1, Vec::new());
        for at in open..tokens.len() as u32 {
            match kind(at) {
                Some(TokenKind::LParen | TokenKind::LBracket | TokenKind::SharedLBracket) => {
                    depth += 1;
                }
                Some(TokenKind::RParen | TokenKind::RBracket) => {
                    depth -= 1;
                    if depth == 0 {
                        list.push(Span { lo, hi: at });
                        return list;
                    }
                }
                Some(TokenKind::Comma) if depth == 1 => {
                    list.push(Span { lo, hi: at });
                    lo = at + 1;
                }
                Some(TokenKind::Semi | TokenKind::LBrace) | None => return Vec::new(),
                Some(_) => {}
            }
        }
        Vec::new()
    }
}
