//! String literals (C11 6.4.5), with adjacent ones joined.

use super::unit::{Prefix, Unit, next_unit};
use super::{LitError, StringLiteral};
use crate::sema::Context;
use crate::types::Abi;
use upcc_grammar::ast;

impl Context<'_> {
    /// Returns kind and length if the expression is a string literal, in parentheses or not. Reports no errors: `expr`
    /// does.
    pub fn string_literal(&mut self, mut id: ast::ExprId) -> Option<StringLiteral> {
        while let ast::ExprKind::Paren(inner) = self.ast[id].kind {
            id = inner;
        }
        let node = &self.ast[id];
        match node.kind {
            ast::ExprKind::Str => self.string_of(node.span).ok(),
            _ => None,
        }
    }

    /// The literal that the tokens of a span form.
    pub(in crate::sema) fn string_of(&self, span: ast::Span) -> Result<StringLiteral, LitError> {
        let stream = &self.parsed.stream;
        let abi = self.types.abi;
        let texts = (span.lo..span.hi).map(|token| stream.token_text(token));
        let (prefix, units) = string_length(texts, abi)?;
        Ok(StringLiteral {
            elem: prefix.string_kind(abi),
            len: units + 1,
        })
    }
}

/// The prefix of adjacent string literals, and their number of code units without the final zero.
fn string_length<'t>(
    tokens: impl Iterator<Item = &'t str> + Clone,
    abi: Abi,
) -> Result<(Prefix, u64), LitError> {
    let mut units = 0;
    let prefix = each_unit(tokens, abi, |_, width| units += width)?;
    Ok((prefix, units))
}

/// The prefix of adjacent string literals, and their `strlen`: the number of code units before the first zero.
pub fn string_extent<'t>(
    tokens: impl Iterator<Item = &'t str> + Clone,
    abi: Abi,
) -> Result<(Prefix, u64), LitError> {
    let (mut units, mut ended) = (0, false);
    let prefix = each_unit(tokens, abi, |unit, width| {
        ended |= matches!(unit, Unit::Code(0) | Unit::Char('\0'));
        units += if ended { 0 } else { width };
    })?;
    Ok((prefix, units))
}

/// Passes each element of adjacent string literals to `take`, with its number of code units. Returns their common
/// prefix.
fn each_unit<'t>(
    tokens: impl Iterator<Item = &'t str> + Clone,
    abi: Abi,
    mut take: impl FnMut(Unit, u64),
) -> Result<Prefix, LitError> {
    let mut prefix = Prefix::None;
    for text in tokens.clone() {
        match Prefix::split_string(text)?.0 {
            Prefix::None => {}
            new if prefix == Prefix::None || prefix == new => prefix = new,
            _ => return Err(LitError::MixedPrefixes),
        }
    }
    let width = |unit| match (unit, prefix) {
        (Unit::Code(_), _) => 1,
        (Unit::Char(c), Prefix::None | Prefix::Utf8) => c.len_utf8() as u64,
        (Unit::Char(c), Prefix::Char16) => c.len_utf16() as u64,
        (Unit::Char(c), Prefix::Wide) if abi.short_wchar => c.len_utf16() as u64,
        (Unit::Char(_), Prefix::Char32 | Prefix::Wide) => 1,
    };
    for text in tokens {
        let (_, mut body, raw) = Prefix::split_string(text)?;
        if raw {
            body.chars()
                .for_each(|c| take(Unit::Char(c), width(Unit::Char(c))));
            continue;
        }
        while let Some(unit) = next_unit(&mut body)? {
            take(unit, width(unit));
        }
    }
    Ok(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sema::literal::ABI;

    #[test]
    fn strings() {
        let length = |tokens: &[&'static str]| string_length(tokens.iter().copied(), ABI);
        assert_eq!(length(&["\"abc\"", "\"de\""]), Ok((Prefix::None, 5)));
        assert_eq!(length(&["\"a\"", "L\"b\\x41\""]), Ok((Prefix::Wide, 3)));
        assert_eq!(length(&["u\"\\U0001F600\""]), Ok((Prefix::Char16, 2)));
        assert_eq!(length(&["u8\"\\u00e9\""]), Ok((Prefix::Utf8, 2)));
        assert_eq!(length(&["u\"a\"", "L\"b\""]), Err(LitError::MixedPrefixes));
        assert_eq!(length(&["\"\\1012\""]), Ok((Prefix::None, 2)));
        assert_eq!(
            length(&["LR\"x(a\\n)\")x\"", "\"b\""]),
            Ok((Prefix::Wide, 6))
        );
        assert_eq!(
            string_extent(["\"ab\\0c\"", "\"d\""].into_iter(), ABI),
            Ok((Prefix::None, 2))
        );
    }
}
