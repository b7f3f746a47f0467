//! Folds calls of builtin functions with constant arguments: gcc accepts them as integer constant expressions, in case
//! labels and array sizes.

use super::arith;
use super::literal::{self, Prefix};
use super::{Nodes, il};
use crate::il::ExprKind;
use crate::types::IntKind;
use upcc_grammar::ast::BinOp;

impl Nodes<'_> {
    /// Returns the value of a call of builtin `name` whose arguments have been converted to its parameters' types;
    /// `None` if it does not fold.
    pub(super) fn fold_builtin(&self, name: &str, args: &[il::ExprId]) -> Option<i128> {
        let name = name.strip_prefix("__builtin_")?;
        match (name, args) {
            ("strlen", &[text]) => self.literal_length(text),
            ("expect" | "expect_with_probability", &[value, ..]) => self.try_const_int(value),
            ("add_overflow_p", &[a, b, like]) => self.overflows(BinOp::Add, a, b, like),
            ("sub_overflow_p", &[a, b, like]) => self.overflows(BinOp::Sub, a, b, like),
            ("mul_overflow_p", &[a, b, like]) => self.overflows(BinOp::Mul, a, b, like),
            (_, &[value]) => bits(name, self.try_const_int(value)?),
            _ => None,
        }
    }

    /// The `strlen` of a string literal.
    fn literal_length(&self, mut e: il::ExprId) -> Option<i128> {
        loop {
            let node = &self.body.exprs[e];
            match node.kind {
                ExprKind::Cast { value, .. } => e = value,
                ExprKind::Decay(place) => e = place,
                ExprKind::Str => {
                    let stream = &self.parsed.stream;
                    let tokens = (node.span.lo..node.span.hi)
                        .map(|token| stream.token_text(token))
                        .filter(|text| text.contains('"'));
                    return match literal::string_extent(tokens, self.types.abi).ok()? {
                        (Prefix::None | Prefix::Utf8, length) => Some(length.into()),
                        (Prefix::Char16 | Prefix::Char32 | Prefix::Wide, _) => None,
                    };
                }
                _ => return None,
            }
        }
    }

    /// Whether the exact result of an operation does not fit into the type of `like`.
    fn overflows(&self, op: BinOp, a: il::ExprId, b: il::ExprId, like: il::ExprId) -> Option<i128> {
        let operand = |e: il::ExprId| {
            let value = self.try_const_int(e)?;
            let kind = self.types.int_kind_of(self.body.exprs[e].ty)?;
            // Exceeds the range of an i128.
            (value >= 0 || kind != IntKind::UInt128).then_some(value)
        };
        let (a, b) = (operand(a)?, operand(b)?);
        self.try_const_int(like)?;
        let kind = self.types.int_kind_of(self.body.exprs[like].ty)?;
        let exact = match op {
            BinOp::Add => a.checked_add(b)?,
            BinOp::Sub => a.checked_sub(b)?,
            _ => a.checked_mul(b)?,
        };
        let fits = arith::wrap(exact, kind) == exact && (exact >= 0 || kind.is_signed());
        Some((!fits).into())
    }
}

/// A function of floating-point values.
#[derive(Clone, Copy)]
pub(super) enum Floating {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

/// The functions that gcc folds and whose result is exact, or exact if it is an integer. Casts of other results to
/// integers are unlikely to be intended as constants.
const FLOATING: [(&str, Floating); 12] = [
    ("ceil", Floating::One(f64::ceil)),
    ("copysign", Floating::Two(f64::copysign)),
    ("fabs", Floating::One(f64::abs)),
    (
        "fdim",
        Floating::Two(|x, y| if x > y { x - y } else { 0.0 }),
    ),
    ("floor", Floating::One(f64::floor)),
    ("fmax", Floating::Two(f64::max)),
    ("fmin", Floating::Two(f64::min)),
    ("fmod", Floating::Two(|x, y| x % y)),
    ("pow", Floating::Two(f64::powf)),
    ("round", Floating::One(f64::round)),
    ("sqrt", Floating::One(f64::sqrt)),
    ("trunc", Floating::One(f64::trunc)),
];

/// The floating-point builtin of this name, of any type, that takes `args` arguments.
pub(super) fn floating(name: &str, args: usize) -> Option<Floating> {
    let name = name.strip_prefix("__builtin_")?;
    let bases = ["", "f", "l"].iter().filter_map(|s| name.strip_suffix(s));
    let mut found = bases.filter_map(|base| FLOATING.iter().find(|(known, _)| *known == base));
    let function = found.next()?.1;
    let wanted = match function {
        Floating::One(_) => 1,
        Floating::Two(_) => 2,
    };
    (args == wanted).then_some(function)
}

/// Functions of one integer, named without `__builtin_`. The suffixes `l` and `ll` stand for 64 bits, no suffix for 32.
fn bits(name: &str, value: i128) -> Option<i128> {
    match name {
        "abs" => return i32::try_from(value).ok()?.checked_abs().map(i128::from),
        "labs" | "llabs" => return i64::try_from(value).ok()?.checked_abs().map(i128::from),
        "bswap16" => return Some((value as u16).swap_bytes().into()),
        "bswap32" => return Some((value as u32).swap_bytes().into()),
        "bswap64" => return Some((value as u64).swap_bytes().into()),
        _ => {}
    }
    let base = name.strip_suffix("ll").or_else(|| name.strip_suffix('l'));
    let width = if base.is_some() { 64 } else { 32 };
    // Move the value to the upper end of 64 bits, so that leading bits count alike for both widths.
    let low = value as u64 & (u64::MAX >> (64 - width));
    let high = low << (64 - width);
    let count = match base.unwrap_or(name) {
        "clz" if low != 0 => high.leading_zeros(),
        "ctz" if low != 0 => low.trailing_zeros(),
        "ffs" if low != 0 => low.trailing_zeros() + 1,
        "ffs" => 0,
        "popcount" => low.count_ones(),
        "parity" => low.count_ones() % 2,
        "clrsb" => {
            let sign = if high >> 63 == 1 { !high } else { high };
            sign.leading_zeros().min(width) - 1
        }
        _ => return None,
    };
    Some(count.into())
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn as_gcc_has_them() {
        let cases = [
            ("bswap16", 0x1234, 0x3412),
            ("bswap32", 1, 1 << 24),
            ("bswap64", 1, 1 << 56),
            ("clz", 1, 31),
            ("clzll", 1, 63),
            ("ctzl", 1 << 40, 40),
            ("ffs", 0, 0),
            ("ffs", 8, 4),
            ("popcount", -1, 32),
            ("popcountl", -1, 64),
            ("parity", 7, 1),
            ("clrsb", 0, 31),
            ("clrsb", -1, 31),
            ("clrsb", 1 << 29, 1),
            ("clrsbll", -2, 62),
            ("abs", -4, 4),
            ("llabs", -5, 5),
        ];
        for (name, value, expected) in cases {
            assert_eq!(bits(name, value), Some(expected), "{name} {value}");
        }
        assert_eq!(bits("clz", 0), None);
        assert_eq!(bits("ceil", 0), None);
    }
}
