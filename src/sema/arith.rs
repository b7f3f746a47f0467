//! Integer arithmetic as the target does it: a value of an [`IntKind`] is kept in an `i128` (its bits, for
//! `unsigned __int128`).

use crate::types::IntKind;
use upcc_grammar::ast::BinOp;

/// Conversion rank (C11 6.3.1.1); a signed type and its unsigned counterpart share one.
pub fn rank(kind: IntKind) -> u8 {
    use IntKind::*;
    match kind {
        Bool => 0,
        Char | SChar | UChar | UnsignedPlainChar => 1,
        Short | UShort => 2,
        Int | UInt => 3,
        Long | ULong => 4,
        LongLong | ULongLong => 5,
        Int128 | UInt128 => 6,
    }
}

/// Integer promotion of a type (for bit-fields: [`promote_bits`]).
pub fn promote(kind: IntKind) -> IntKind {
    if rank(kind) < rank(IntKind::Int) {
        IntKind::Int
    } else {
        kind
    }
}

/// Integer promotion of a bit-field of `bits` bits. A field wider than `int` keeps its declared type, with which gcc
/// computes, up to the width it remembers.
pub fn promote_bits(kind: IntKind, bits: u32) -> IntKind {
    if bits < 32 || (bits == 32 && kind.is_signed()) {
        IntKind::Int
    } else if bits == 32 {
        IntKind::UInt
    } else {
        kind
    }
}

/// The common type of the usual arithmetic conversions, after promotion (C11 6.3.1.8).
pub fn common(a: IntKind, b: IntKind) -> IntKind {
    let (a, b) = (promote(a), promote(b));
    let (low, high) = if rank(a) < rank(b) || (rank(a) == rank(b) && a.is_signed()) {
        (a, b)
    } else {
        (b, a)
    };
    // `high` has the greater rank, or the same rank and is unsigned if either is.
    if high.is_signed() && !low.is_signed() && high.bits() <= low.bits() {
        high.to_unsigned()
    } else {
        high
    }
}

/// Returns the value converted to `kind`, modulo its width (`_Bool`: not zero).
pub fn wrap(value: i128, kind: IntKind) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(value != 0);
    }
    let shift = 128 - kind.bits();
    if kind.is_signed() {
        value << shift >> shift
    } else {
        ((value as u128) << shift >> shift) as i128
    }
}

/// Computes `a op b` for operands of type `kind` (for shifts: the type of `a`; the count may have any type). `None`:
/// division by zero or a negative shift count, which a constant must not contain.
pub fn binary(op: BinOp, a: i128, b: i128, kind: IntKind) -> Option<i128> {
    let wide_unsigned = kind == IntKind::UInt128;
    let (ua, ub) = (a as u128, b as u128);
    let value = match op {
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Div | BinOp::Rem if b == 0 => return None,
        BinOp::Div if wide_unsigned => (ua / ub) as i128,
        BinOp::Rem if wide_unsigned => (ua % ub) as i128,
        BinOp::Div => a.wrapping_div(b),
        BinOp::Rem => a.wrapping_rem(b),
        BinOp::Shl | BinOp::Shr => return shift(op, a, b, kind),
        BinOp::BitAnd => a & b,
        BinOp::BitXor => a ^ b,
        BinOp::BitOr => a | b,
        BinOp::Eq => (a == b).into(),
        BinOp::Ne => (a != b).into(),
        BinOp::Lt => if wide_unsigned { ua < ub } else { a < b }.into(),
        BinOp::Gt => if wide_unsigned { ua > ub } else { a > b }.into(),
        BinOp::Le => if wide_unsigned { ua <= ub } else { a <= b }.into(),
        BinOp::Ge => if wide_unsigned { ua >= ub } else { a >= b }.into(),
        BinOp::And => (a != 0 && b != 0).into(),
        BinOp::Or => (a != 0 || b != 0).into(),
    };
    Some(match op {
        BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Gt
        | BinOp::Le
        | BinOp::Ge
        | BinOp::And
        | BinOp::Or => value,
        _ => wrap(value, kind),
    })
}

/// Shifts a value. A count of the width or more leaves 0 or the sign, as when gcc folds such shifts.
fn shift(op: BinOp, a: i128, count: i128, kind: IntKind) -> Option<i128> {
    if count < 0 {
        return None;
    }
    let beyond = count >= i128::from(kind.bits());
    Some(match op {
        BinOp::Shl if beyond => 0,
        BinOp::Shl => wrap(a.wrapping_shl(count as u32), kind),
        _ if beyond => {
            if kind.is_signed() && a < 0 {
                -1
            } else {
                0
            }
        }
        _ if kind.is_signed() => a >> count,
        _ => ((a as u128) >> count) as i128,
    })
}
