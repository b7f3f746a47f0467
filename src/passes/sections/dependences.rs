//! Dependences: which two references of a loop may touch the same element, at least one of them to write it, and how many
//! iterations apart. The tests are the greatest common divisor of the strides, and Banerjee's bounds where those of the
//! loop variable are constants.

use super::super::analysis::linear::{Position, Relation};
use super::super::analysis::places::member_root;
use super::super::analysis::stride::Stride;
use super::{Mode, Reference};
use crate::il::{Body, ExprId, ExprKind, Module, ObjectId};

/// Two references of a loop, by their places in its list, that are not independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dependence {
    pub first: usize,
    pub second: usize,
    pub distance: Distance,
}

/// How far two references of a loop are apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// The first touches what the second touches this many iterations before; 0: in the same iteration.
    Iterations(i64),
    /// Both touch one element in every iteration.
    Always,
    Unknown,
}

/// What a reference touches.
pub(super) struct Touched<'a> {
    pub(super) position: Option<&'a Position>,
    /// Elements by which it moves when the loop variable grows by one.
    pub(super) unit: Option<Stride>,
}

/// A loop, as far as dependences go.
pub(super) struct Extent {
    pub(super) step: Stride,
    /// The least and the greatest value of the loop variable.
    pub(super) range: Option<(i64, i64)>,
    pub(super) most_turns: Option<u64>,
}

/// The dependences of a loop whose references touch these elements.
pub(super) fn find(
    module: &Module,
    body: &Body,
    extent: &Extent,
    references: &[Reference],
    touched: &[Touched],
) -> Vec<Dependence> {
    let mut found = Vec::new();
    for second in 0..references.len() {
        for first in 0..second {
            let (a, b) = (&references[first], &references[second]);
            if a.mode == Mode::Read && b.mode == Mode::Read {
                continue;
            }
            let distance = match are_apart(module, body, (a, b)) {
                true => None,
                false => distance(body, extent, &touched[first], &touched[second]),
            };
            found.extend(distance.map(|distance| Dependence {
                first,
                second,
                distance,
            }));
        }
    }
    found
}

/// True for references to different declared objects, or to different members of records.
fn are_apart(module: &Module, body: &Body, (a, b): (&Reference, &Reference)) -> bool {
    let (Some(a), Some(b)) = (a.place(body), b.place(body)) else {
        return false;
    };
    let (x, y) = (declared(body, a), declared(body, b));
    (x.is_some() && y.is_some() && x != y) || are_other_members(module, body, a, b)
}

/// True for two members of records of one type that lie at different places in it, neither of them a bit-field.
fn are_other_members(module: &Module, body: &Body, a: ExprId, b: ExprId) -> bool {
    let (Some((x, i)), Some((y, j))) = (outer_member(body, a), outer_member(body, b)) else {
        return false;
    };
    let types = &module.types;
    let (x, y) = (body.expr(x).ty, body.expr(y).ty);
    let (Some(record), Some(other)) = (types.record_id(x), types.record_id(y)) else {
        return false;
    };
    let Some(layout) = types.record(record).body.as_ref() else {
        return false;
    };
    let is_whole = |at: u32| {
        layout
            .fields
            .get(at as usize)
            .is_some_and(|field| field.bits.is_none())
    };
    let is_struct = !types.record(record).is_union;
    record == other && i != j && is_struct && is_whole(i) && is_whole(j)
}

/// The record that an accessed element is, and the member of it that is accessed.
fn outer_member(body: &Body, mut place: ExprId) -> Option<(ExprId, u32)> {
    let root = member_root(body, place);
    while let ExprKind::Field(record, member) = body.expr(place).kind {
        if record == root {
            return Some((record, member));
        }
        place = record;
    }
    None
}

/// How far two references are apart; `None`: they are independent.
fn distance(body: &Body, extent: &Extent, a: &Touched, b: &Touched) -> Option<Distance> {
    let (Some(at), Some(of), Some(by), Some(other)) = (a.position, b.position, a.unit, b.unit)
    else {
        return Some(Distance::Unknown);
    };
    let offset = match at.relation(body, of) {
        Relation::Distinct => return None,
        Relation::Unknown => return Some(Distance::Unknown),
        Relation::After(n) => n,
    };
    if by == other {
        return along(extent, by, offset);
    }
    let (Stride::Constant(by), Stride::Constant(other)) = (by, other) else {
        return Some(Distance::Unknown);
    };
    let divisor = gcd(by, other);
    if divisor != 0 && offset % divisor != 0 {
        return None;
    }
    // by * x - other * y = offset, for two values of the loop variable?
    let reaches = extent.range.and_then(|(low, high)| {
        let ends = |n: i64| Some((n.checked_mul(low)?, n.checked_mul(high)?));
        let ((a, b), (c, d)) = (ends(by)?, ends(other.checked_neg()?)?);
        let least = a.min(b).checked_add(c.min(d))?;
        let most = a.max(b).checked_add(c.max(d))?;
        Some((least..=most).contains(&offset))
    });
    (reaches != Some(false)).then_some(Distance::Unknown)
}

/// The distance of two references that move alike, the second `offset` elements after the first.
fn along(extent: &Extent, unit: Stride, offset: i64) -> Option<Distance> {
    if unit == Stride::ZERO {
        return (offset == 0).then_some(Distance::Always);
    }
    let step = unit.scaled(extent.step);
    let distance = match step {
        Some(Stride::Constant(n)) if offset % n != 0 => return None,
        Some(Stride::Constant(n)) => offset / n,
        // A multiple of n elements is one of n * THREADS, or not.
        Some(Stride::Threads(n)) if offset % n != 0 => return None,
        Some(Stride::Threads(_)) if offset == 0 => 0,
        Some(Stride::Threads(_)) | None => return Some(Distance::Unknown),
    };
    let beyond = extent
        .most_turns
        .is_some_and(|turns| distance.unsigned_abs() >= turns);
    (!beyond).then_some(Distance::Iterations(distance))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 {
        a.saturating_abs()
    } else {
        gcd(b, a % b)
    }
}

/// True for two places in two declared arrays.
pub fn are_distinct(body: &Body, a: ExprId, b: ExprId) -> bool {
    let (a, b) = (declared(body, a), declared(body, b));
    a.is_some() && b.is_some() && a != b
}

/// The declared object that a place is in, if no pointer leads there.
pub fn declared(body: &Body, mut place: ExprId) -> Option<ObjectId> {
    loop {
        let kind = body.expr(place).kind;
        place = if let ExprKind::Object(object) = kind {
            return Some(object);
        } else if let ExprKind::Field(inner, _)
        | ExprKind::Deref(inner)
        | ExprKind::Decay(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::PtrAdd { ptr: inner, .. } = kind
        {
            inner
        } else {
            return None;
        };
    }
}
