//! Element references: `a[i + d][...]` of a declared shared array, `p[i + d][...]` through a pointer-to-shared.

use crate::il::{Body, ExprId, ExprKind, LocalId, ObjectId, UnOp};
use crate::types::{ArrayLen, QualType, Type, Types};
use upcc_grammar::ast::BinOp;

/// The start of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A declared shared array: thread 0, phase 0.
    Array(ObjectId),
    /// A pointer-to-shared in a local variable.
    Local(LocalId),
    /// A pointer-to-shared in a private variable with static storage.
    Object(ObjectId),
}

/// An element of a shared array, selected by subscripts.
#[derive(Clone, Debug)]
pub struct ElemRef {
    pub base: Base,
    /// Ultimate element type, shared-qualified.
    pub elem: QualType,
    pub block: u32,
    /// Number of ultimate elements in one step of the outermost subscript.
    pub row: u64,
    /// The outermost `PtrAdd`: from the base to the row.
    pub step: ExprId,
    /// Its pointer operand: `Decay` of the array, or the `Load` of the pointer.
    pub start: ExprId,
    /// The outermost subscript.
    pub outer: ExprId,
    /// Inner subscripts, each with the number of ultimate elements in one step.
    pub inner: Vec<(ExprId, u64)>,
}

/// Strips value-preserving conversions that sema added: widening of integers.
pub fn strip_widening(types: &Types, body: &Body, mut id: ExprId) -> ExprId {
    while let ExprKind::Cast { value, .. } = body.exprs[id].kind {
        let (to, from) = (body.exprs[id].ty, body.exprs[value].ty);
        let (Some(to), Some(from)) = (types.int_kind_of(to), types.int_kind_of(from)) else {
            break;
        };
        if to.size() < from.size()
            || (to.size() == from.size() && to.is_signed() != from.is_signed())
        {
            break;
        }
        id = value;
    }
    id
}

/// Returns `Some(d)` if the expression is `var + d` with a constant d. An unsigned `var + d` narrower than 64 bits may
/// wrap around, so it counts as affine only if d is 0.
pub fn offset_from(types: &Types, body: &Body, id: ExprId, var: LocalId) -> Option<i64> {
    use ExprKind::*;
    let inner = strip_widening(types, body, id);
    match body.exprs[inner].kind {
        Load(place) => matches!(body.exprs[place].kind, Local(l) if l == var).then_some(0),
        Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            let kind = types.int_kind_of(body.exprs[inner].ty)?;
            let constant = |e| int_value(types, body, e);
            let d = match (offset_from(types, body, a, var), constant(b), op) {
                (Some(d), Some(c), BinOp::Add) => d.checked_add(c)?,
                (Some(d), Some(c), _) => d.checked_sub(c)?,
                (None, _, BinOp::Add) => {
                    offset_from(types, body, b, var)?.checked_add(constant(a)?)?
                }
                _ => return None,
            };
            (kind.is_signed() || kind.size() == 8 || d == 0).then_some(d)
        }
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
        | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
        | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => {
            None
        }
        Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
        PtrAdd { .. } | Cast { .. } | Rt { .. } => None,
    }
}

/// The value of an integer constant expression of signs, sums, differences, products and quotients.
pub fn int_value(types: &Types, body: &Body, id: ExprId) -> Option<i64> {
    let id = strip_widening(types, body, id);
    let kind = body.exprs[id].kind;
    if let ExprKind::Int(n) = kind {
        return Some(n);
    }
    let value = |e| int_value(types, body, e);
    let n = if let ExprKind::Unary(sign @ (UnOp::Plus | UnOp::Neg), a) = kind {
        let a = value(a)?;
        if sign == UnOp::Plus {
            a
        } else {
            a.checked_neg()?
        }
    } else if let ExprKind::Binary(op, a, b) = kind {
        let (a, b) = (value(a)?, value(b)?);
        // A negative number may stand for a large one of an unsigned type.
        let divides = matches!(op, BinOp::Div | BinOp::Rem);
        if divides && (a < 0 || b < 0) {
            return None;
        }
        i64::try_from(fold(op, a.into(), b.into())?).ok()?
    } else {
        return None;
    };
    // A narrow or unsigned result may have wrapped around.
    let fits =
        i32::try_from(n).is_ok() && (n >= 0 || types.int_kind_of(body.exprs[id].ty)?.is_signed());
    fits.then_some(n)
}

/// The value of an operation on two constants. `None`: it has none, or is not one of sums, products and quotients.
pub fn fold(op: BinOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Rem => a.checked_rem(b),
        BinOp::Shl
        | BinOp::Shr
        | BinOp::Lt
        | BinOp::Gt
        | BinOp::Le
        | BinOp::Ge
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::BitAnd
        | BinOp::BitXor
        | BinOp::BitOr
        | BinOp::And
        | BinOp::Or => None,
    }
}

/// Reads a place as an element reference. The place must be an element of ultimate type, not a row or a member.
pub fn elem_ref(types: &Types, body: &Body, place: ExprId) -> Option<ElemRef> {
    let elem = body.exprs[place].ty;
    if types.is_array(elem) || !types.is_shared(elem) {
        return None;
    }
    subscripts(types, body, place, elem)
}

/// Returns the element that a place is or lies in, and its reference: `a[i]` of `a[i].names[k]`.
pub fn element_around(types: &Types, body: &Body, mut place: ExprId) -> Option<(ExprId, ElemRef)> {
    loop {
        if let Some(element) = elem_ref(types, body, place) {
            return Some((place, element));
        }
        if let ExprKind::Field(inner, _) = body.exprs[place].kind {
            place = inner;
        } else if let ExprKind::Deref(address) = body.exprs[place].kind {
            place = member_array(body, address)?.0;
        } else {
            return None;
        }
    }
}

/// Returns the array and the subscript of an address in an array that has a place, such as a member.
pub fn member_array(body: &Body, address: ExprId) -> Option<(ExprId, ExprId)> {
    let ExprKind::PtrAdd {
        ptr,
        index,
        negate: false,
    } = body.exprs[address].kind
    else {
        return None;
    };
    if let ExprKind::Decay(array) = body.exprs[ptr].kind {
        return Some((array, index));
    }
    None
}

/// Reads the address of an element or of a row as an element reference, as in the affinity `&a[i]`.
pub fn address_ref(types: &Types, body: &Body, address: ExprId) -> Option<ElemRef> {
    use ExprKind::*;
    match body.exprs[address].kind {
        Cast {
            value,
            implicit: true,
        } => address_ref(types, body, value),
        // `&a[i]`, or `a[i]` if that is a row.
        AddrOf(place) | Decay(place) => {
            let elem = types.ultimate(body.exprs[place].ty);
            subscripts(types, body, place, elem)
        }
        // `p + i`
        PtrAdd { .. } => {
            let to = types.pointee(body.exprs[address].ty)?;
            from_pointer(types, body, address, types.ultimate(to))
        }
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | Load(_) | Unary(..) | Binary(..) | PtrDiff(..)
        | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
        | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => None,
        Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
        Cast { .. } | Rt { .. } => None,
    }
}

fn subscripts(types: &Types, body: &Body, place: ExprId, elem: QualType) -> Option<ElemRef> {
    if let ExprKind::Deref(ptr) = body.exprs[place].kind {
        from_pointer(types, body, ptr, elem)
    } else {
        None
    }
}

/// Strips `PtrAdd`s, from the innermost subscript outwards.
fn from_pointer(types: &Types, body: &Body, mut ptr: ExprId, elem: QualType) -> Option<ElemRef> {
    use ExprKind::*;
    let mut inner = Vec::new();
    loop {
        let PtrAdd {
            ptr: from,
            index,
            negate: false,
        } = body.exprs[ptr].kind
        else {
            return None;
        };
        let step = ultimate_elements(types, types.pointee(body.exprs[ptr].ty)?)?;
        let base = match body.exprs[from].kind {
            Decay(array) => match body.exprs[array].kind {
                Object(object) => Base::Array(object),
                Deref(outer) => {
                    inner.push((index, step));
                    ptr = outer;
                    continue;
                }
                Local(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_)
                | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
                | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
                | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
                | Opaque | Threads | MyThread => return None,
                Assign { .. } | AssignOp { .. } | IncDec { .. } => return None,
                PtrAdd { .. } | Cast { .. } | Rt { .. } => return None,
            },
            Load(place) => match body.exprs[place].kind {
                Local(local) => Base::Local(local),
                Object(object) if !types.is_shared(body.exprs[place].ty) => Base::Object(object),
                Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
                | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
                | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
                | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
                | Opaque | Threads | MyThread => return None,
                Assign { .. } | AssignOp { .. } | IncDec { .. } => return None,
                PtrAdd { .. } | Cast { .. } | Rt { .. } => return None,
            },
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | AddrOf(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => return None,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => return None,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => return None,
        };
        inner.reverse();
        let (elem, block) = (types.ultimate(elem), types.shared_elem(elem)?.1);
        return Some(ElemRef {
            base,
            elem,
            block,
            row: step,
            step: ptr,
            start: from,
            outer: index,
            inner,
        });
    }
}

/// Number of ultimate elements in a type: the product of its dimensions.
pub(in crate::passes) fn ultimate_elements(types: &Types, mut ty: QualType) -> Option<u64> {
    let mut count = 1u64;
    while let Type::Array(elem, len) = *types.kind(ty) {
        match len {
            ArrayLen::Fixed(n) if n > 0 => count = count.checked_mul(n)?,
            ArrayLen::Fixed(_)
            | ArrayLen::PerThread(_)
            | ArrayLen::Incomplete
            | ArrayLen::Variable(_) => return None,
        }
        ty = elem;
    }
    Some(count)
}
