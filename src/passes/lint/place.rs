//! Checks private pointers to other threads' data, private addresses in shared memory, and copies beyond one thread's
//! portion.

use super::*;
use crate::diag::codes;
use crate::types::{ArrayLen, Size};

/// Checks one expression.
pub(super) fn check(cx: &mut Cx<'_>, e: ExprId) {
    use ExprKind::*;
    match cx.kind(e) {
        Cast {
            value,
            implicit: false,
        } => remote_to_local(cx, e, value),
        Assign { place, value } => private_in_shared(cx, place, value),
        Call(..) => copy_range(cx, e),
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
        | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | SizePerThread(_)
        | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => {}
        AssignOp { .. } | IncDec { .. } => {}
        PtrAdd { .. } | Cast { .. } | Rt { .. } => {}
    }
}

// ---- casts to pointer-to-local

/// `factor * MYTHREAD + rest`.
#[derive(Clone, Copy)]
struct Affine {
    factor: i128,
    rest: i128,
}

fn affine(cx: &Cx<'_>, e: ExprId) -> Option<Affine> {
    deep(|| affine_of(cx, e))
}

fn affine_of(cx: &Cx<'_>, e: ExprId) -> Option<Affine> {
    use BinOp::*;
    use ExprKind::*;
    if cx.is_mythread(e) {
        return Some(Affine { factor: 1, rest: 0 });
    }
    match cx.kind(e) {
        Int(_) => cx.constant(e).map(|rest| Affine { factor: 0, rest }),
        Cast { value, .. } if cx.module.types.is_integer(cx.ty(e)) => affine(cx, value),
        Binary(op, a, b) => {
            let (a, b) = (affine(cx, a)?, affine(cx, b)?);
            match op {
                Add => Some(Affine {
                    factor: a.factor.checked_add(b.factor)?,
                    rest: a.rest.checked_add(b.rest)?,
                }),
                Sub => Some(Affine {
                    factor: a.factor.checked_sub(b.factor)?,
                    rest: a.rest.checked_sub(b.rest)?,
                }),
                Mul if a.factor == 0 => scaled(b, a.rest),
                Mul if b.factor == 0 => scaled(a, b.rest),
                Mul | Div | Rem | Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor
                | BitOr | And | Or => None,
            }
        }
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | PtrDiff(..)
        | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
        | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => None,
        Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
        PtrAdd { .. } | Cast { .. } | Rt { .. } => None,
    }
}

fn scaled(a: Affine, by: i128) -> Option<Affine> {
    Some(Affine {
        factor: a.factor.checked_mul(by)?,
        rest: a.rest.checked_mul(by)?,
    })
}

/// A pointer with casts and `&*` removed.
fn pointer_of(cx: &Cx<'_>, e: ExprId) -> ExprId {
    let e = cx.without_casts(e);
    if let ExprKind::AddrOf(place) = cx.kind(e)
        && let ExprKind::Deref(ptr) = cx.kind(place)
    {
        return ptr;
    }
    e
}

/// The array and the subscript of `&a[i]` or `a + i`, where `a` is a declared array of one dimension.
fn element<'a>(cx: &Cx<'a>, e: ExprId) -> Option<(&'a Object, ExprId)> {
    let e = pointer_of(cx, e);
    let ExprKind::PtrAdd {
        ptr,
        index,
        negate: false,
    } = cx.kind(e)
    else {
        return None;
    };
    let to = cx.module.types.pointee(cx.ty(e))?;
    let ExprKind::Decay(array) = cx.kind(ptr) else {
        return None;
    };
    if let ExprKind::Object(object) = cx.kind(array)
        && !cx.module.types.is_array(to)
    {
        Some((cx.object(object), index))
    } else {
        None
    }
}

/// Reports a cast to pointer-to-local of an element that is a fixed number of blocks away from MYTHREAD's own.
fn remote_to_local(cx: &mut Cx<'_>, cast: ExprId, value: ExprId) {
    let types = &cx.module.types;
    let to_local = types.is_pointer(cx.ty(cast)) && !types.is_pts(cx.ty(cast));
    if !to_local || !types.is_pts(cx.ty(value)) {
        return;
    }
    let Some((object, index)) = element(cx, value) else {
        return;
    };
    let Some((_, block)) = types.shared_elem(object.ty).filter(|&(_, block)| block > 0) else {
        return;
    };
    let Some(Affine { factor, rest }) = affine(cx, index) else {
        return;
    };
    if factor != i128::from(block) {
        return;
    }
    let away = rest.div_euclid(i128::from(block));
    let remote = match cx.module.static_threads {
        Some(threads) => away.rem_euclid(i128::from(threads.max(1))) != 0,
        // With one thread, every element is the thread's own. For a distance above one block, THREADS may divide the
        // distance.
        None => away.abs() == 1,
    };
    if !remote {
        return;
    }
    let message = format!(
        "a pointer-to-local to `{}[{}]`, which has affinity to another thread",
        cx.name_of(object),
        cx.text(index)
    );
    let help = "a pointer-to-local can point only to elements with affinity to its own thread: keep a pointer-to-shared, or use upc_cast";
    cx.warn(codes::REMOTE_TO_LOCAL, cx.span(cast), message, help);
}

// ---- private addresses in shared memory

/// A private variable whose address is taken.
struct Private {
    name: upcc_grammar::symbol::Symbol,
    automatic: bool,
}

/// The pointer to which a value adds numbers.
fn base_pointer(cx: &Cx<'_>, value: ExprId) -> ExprId {
    let mut pointer = cx.without_casts(value);
    while let ExprKind::PtrAdd { ptr, .. } = cx.kind(pointer) {
        pointer = cx.without_casts(ptr);
    }
    pointer
}

/// The variable to which the value points, or into which it points.
fn private_variable(cx: &Cx<'_>, value: ExprId) -> Option<Private> {
    let types = &cx.module.types;
    let mut pointer = base_pointer(cx, value);
    // A pointer variable that holds one address only.
    if let ExprKind::Load(from) = cx.kind(pointer)
        && let ExprKind::Local(local) = cx.kind(from)
        && !cx.escaped.contains(&local)
        && let Some(&initial) = cx.initial.get(&local)
    {
        pointer = base_pointer(cx, initial);
    }
    let (ExprKind::AddrOf(place) | ExprKind::Decay(place)) = cx.kind(pointer) else {
        return None;
    };
    let root = cx.kind(crate::passes::analysis::effects::root_of(cx.body, place));
    if let ExprKind::Local(local) = root {
        Some(Private {
            name: cx.body.locals[local].name?,
            automatic: true,
        })
    } else if let ExprKind::Object(object) = root {
        let object = cx.object(object);
        let private =
            !object.is_function && !types.is_function(object.ty) && !types.is_shared(object.ty);
        private.then_some(Private {
            name: object.name,
            automatic: false,
        })
    } else {
        None
    }
}

/// Where a store goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The same place for all threads: a declared object, or an element that constants select.
    Common,
    /// What a pointer points to: this may be memory that only this thread knows.
    Pointed,
    /// An element that a variable selects: this may be the thread's own.
    Selected,
}

impl Target {
    fn of(cx: &Cx<'_>, mut place: ExprId) -> Target {
        loop {
            let kind = cx.kind(place);
            place = if let ExprKind::Object(_) = kind {
                return Target::Common;
            } else if let ExprKind::PtrAdd { ptr, index, .. } = kind {
                if cx.constant(index).is_none() {
                    return Target::Selected;
                }
                ptr
            } else if let ExprKind::Field(inner, _)
            | ExprKind::Deref(inner)
            | ExprKind::Decay(inner)
            | ExprKind::Cast { value: inner, .. } = kind
            {
                inner
            } else {
                return Target::Pointed;
            };
        }
    }
}

/// Reports `shared_place = &private`, unless the place may be the thread's own: a thread may store its own private
/// addresses.
fn private_in_shared(cx: &mut Cx<'_>, place: ExprId, value: ExprId) {
    let types = &cx.module.types;
    let ty = cx.ty(place);
    if !types.is_shared(ty) || !types.is_pointer(ty) || types.is_pts(types.unqualified(ty)) {
        return;
    }
    let Some(variable) = private_variable(cx, value) else {
        return;
    };
    let own = match Target::of(cx, place) {
        Target::Common => false,
        Target::Pointed => !variable.automatic,
        Target::Selected => true,
    };
    if own {
        return;
    }
    let message = format!(
        "the address of the private object `{}` is stored in shared memory: it is valid on this thread only",
        cx.parsed.interner.name(variable.name)
    );
    let help = "a pointer that all threads can follow is a pointer-to-shared to a shared object: `shared T *shared p`";
    cx.warn(codes::PRIVATE_IN_SHARED, cx.span(value), message, help);
}

// ---- copies

/// The copy functions with a number of bytes as third argument, each with the indices of its pointer-to-shared
/// arguments.
const COPIES: [(&str, &[usize]); 4] = [
    ("upc_memcpy", &[0, 1]),
    ("upc_memget", &[1]),
    ("upc_memput", &[0]),
    ("upc_memset", &[0]),
];

/// Reports a copy from or to the start of a declared array, of more bytes than thread 0 has of the array.
fn copy_range(cx: &mut Cx<'_>, call: ExprId) {
    let Some(name) = cx.library_call(call) else {
        return;
    };
    let base = name.trim_end_matches('i').trim_end_matches("_nb");
    let Some((_, shared)) = COPIES.iter().find(|(known, _)| *known == base) else {
        return;
    };
    let args = cx.arguments(call);
    let Some(&count) = args.get(2) else {
        return;
    };
    for &at in *shared {
        let Some(object) = args.get(at).and_then(|&arg| start_of_array(cx, arg)) else {
            continue;
        };
        let Some(portion) = first_portion(cx, object) else {
            continue;
        };
        let beyond = if let ExprKind::SizePerThread(bytes) = cx.kind(cx.without_casts(count)) {
            bytes >= portion
        } else {
            cx.constant(count).is_some_and(|n| n > i128::from(portion))
        };
        if beyond {
            let message = format!(
                "`{name}` of {} bytes at the start of `{}`: thread 0 has {portion} of it, and the function works on the memory of one thread",
                cx.text(count),
                cx.name_of(object)
            );
            let help = "copy each thread's portion with a call of its own, which gets a pointer to the portion's first element";
            cx.warn(codes::COPY_RANGE, cx.span(count), message, help);
        }
    }
}

/// The declared shared array of definite block size to whose start an argument points.
fn start_of_array<'a>(cx: &Cx<'a>, arg: ExprId) -> Option<&'a Object> {
    let mut e = pointer_of(cx, arg);
    if let ExprKind::PtrAdd { ptr, index, .. } = cx.kind(e)
        && cx.constant(index) == Some(0)
    {
        e = ptr;
    }
    let (ExprKind::Decay(place) | ExprKind::AddrOf(place)) = cx.kind(e) else {
        return None;
    };
    if let ExprKind::Object(object) = cx.kind(place) {
        Some(cx.object(object))
    } else {
        None
    }
}

/// Bytes of a shared array that thread 0 has, if they are the same for every number of threads above 1.
fn first_portion(cx: &Cx<'_>, object: &Object) -> Option<u64> {
    let types = &cx.module.types;
    let (elem, block) = types.shared_elem(object.ty)?;
    let (size, block) = (types.fixed_size(elem)?.max(1), u64::from(block));
    types.array(object.ty)?;
    if block == 0 || has_unknown_size(cx, object.ty) {
        return None;
    }
    match (types.size_of(object.ty)?, cx.module.static_threads) {
        (Size::PerThread(bytes), _) => (bytes / size).is_multiple_of(block).then_some(bytes),
        (Size::Fixed(_), Some(1)) => None,
        (Size::Fixed(bytes), Some(threads)) => {
            let round = block.checked_mul(u64::from(threads))?;
            let count = bytes / size;
            Some((count / round * block + (count % round).min(block)) * size)
        }
        (Size::Fixed(_) | Size::Variable, _) => None,
    }
}

fn has_unknown_size(cx: &Cx<'_>, ty: QualType) -> bool {
    matches!(
        cx.module.types.array(ty),
        Some((_, ArrayLen::Incomplete | ArrayLen::Variable(_)))
    )
}
