//! Pointers-to-shared: arithmetic, conversions, comparison (UPC 6.4.2, 6.4.3).
//!
//! A [`Pts`] collects a chain of subscripts and members, which becomes one runtime operation if the layout allows:
//! `a[i][j]` is one step of `i * columns + j` elements.

use super::Lower;
use super::checks::{Bound, Use};
use super::distance::{Distance, Layout};
use crate::il::{ExprFlags, ExprId, ExprKind, ObjectId, RtOp, UnOp};
use crate::types::{QualType, Size, TypeId, Types};
use std::cmp::Ordering;
use upcc_grammar::ast::{BinOp, Span};

/// Arrays have linear images if their blocks are multiples of this many bytes (`UPCR_LINEAR_PAGE`).
const LINEAR_PAGE: u64 = 4096;

/// A pointer-to-shared under construction: `index` elements, then `bytes` bytes, past its base.
#[derive(Clone, Copy)]
pub(super) struct Pts {
    base: Base,
    /// Block size and element size in bytes of the elements that `index` counts.
    block: u32,
    size: u64,
    index: Distance,
    bytes: Distance,
    /// The base has phase 0.
    base_phase_zero: bool,
    /// The phase of the result is 0, whatever it was before.
    drop_phase: bool,
}

#[derive(Clone, Copy)]
enum Base {
    Value(ExprId),
    /// The first byte of a static shared object.
    Static(ObjectId),
}

/// A step of pointer arithmetic.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) index: ExprId,
    /// `pointer - index`
    pub(super) negate: bool,
    /// The dimension that bounds the index.
    pub(super) bound: Option<Bound>,
}

impl Step {
    /// A step without a bound.
    pub(super) fn unbounded(index: ExprId, negate: bool) -> Step {
        Step {
            index,
            negate,
            bound: None,
        }
    }
}

impl Pts {
    /// The place of a static shared object.
    pub(super) fn object(object: ObjectId) -> Pts {
        Pts::at(Base::Static(object), true)
    }

    /// A pointer whose value has been computed.
    pub(super) fn value(value: ExprId, phase_zero: bool) -> Pts {
        Pts::at(Base::Value(value), phase_zero)
    }

    fn at(base: Base, base_phase_zero: bool) -> Pts {
        Pts {
            base,
            block: 1,
            size: 1,
            index: Distance::default(),
            bytes: Distance::default(),
            base_phase_zero,
            drop_phase: false,
        }
    }

    /// True if the phase is 0 before `drop_phase` is applied.
    fn phase_is_zero(&self) -> bool {
        if !self.bytes.is_zero() {
            return true;
        }
        if self.index.is_zero() {
            self.base_phase_zero
        } else {
            self.block == 1
        }
    }

    /// True if the pointer is not null in any execution without undefined behaviour.
    fn is_never_null(&self) -> bool {
        matches!(self.base, Base::Static(_)) || !self.index.is_zero() || !self.bytes.is_zero()
    }

    /// The same pointer, `offset` bytes further inside the object to which it points.
    pub(super) fn member(mut self, offset: u64) -> Pts {
        self.bytes.constant = self.bytes.constant.wrapping_add(offset as i64);
        self.drop_phase = true;
        self
    }
}

impl Lower<'_> {
    /// A pointer-to-shared value that has been computed.
    pub(super) fn pts_value(&self, value: ExprId) -> Pts {
        let zero = match self.types.pointee(self.ty_of(value)) {
            Some(to) if !self.types.is_void(to) => {
                self.types.shared_elem(to).is_some_and(|(_, b)| b <= 1)
            }
            _ => false,
        };
        Pts::at(Base::Value(value), zero)
    }

    /// Lowers an expression of pointer-to-shared type.
    pub(super) fn pts(&mut self, id: ExprId) -> Pts {
        self.pts_used(id, Use::Value)
    }

    /// Lowers an expression of pointer-to-shared type for a given use.
    pub(super) fn pts_used(&mut self, id: ExprId, used: Use) -> Pts {
        stacker::maybe_grow(64 * 1024, 4 << 20, || self.pts_kind(id, used))
    }

    fn pts_kind(&mut self, id: ExprId, used: Use) -> Pts {
        use ExprKind::*;
        match self.body.expr(id).kind {
            Decay(place) | AddrOf(place) => self.shared_place(place, used.of_place()),
            PtrAdd { ptr, index, negate } => {
                let to = self.types.pointee(self.ty_of(ptr));
                let used = self.subscript_address(id, used);
                let bound = self.bound(ptr, used);
                let p = self.pts_used(ptr, used.of_operand(bound.is_some()));
                match to {
                    Some(to) => self.advance(
                        p,
                        to,
                        Step {
                            index,
                            negate,
                            bound,
                        },
                    ),
                    None => p,
                }
            }
            Cast { value, .. } if self.is_pts(value) => {
                let (from, to) = (
                    self.types.pointee(self.ty_of(value)),
                    self.types.pointee(self.ty_of(id)),
                );
                let mut p = self.pts(value);
                if let (Some(from), Some(to)) = (from, to) {
                    p.drop_phase |= self.drops_phase(from, to);
                    p = self.phase_checked(p, from, to, id);
                }
                p
            }
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => self.opaque(id),
            Assign { .. } | AssignOp { .. } | IncDec { .. } => self.opaque(id),
            Cast { .. } | Rt { .. } => self.opaque(id),
        }
    }

    fn opaque(&mut self, id: ExprId) -> Pts {
        let value = self.opaque_pts(id);
        self.pts_value(value)
    }

    /// True if a conversion between pointers to these types sets the phase to zero (UPC 6.4.3p2, p3).
    fn drops_phase(&self, from: QualType, to: QualType) -> bool {
        let layout = |t| self.types.shared_elem(t).map_or((t, 1), |(e, b)| (e, b));
        let ((from_elem, from_block), (to_elem, to_block)) = (layout(from), layout(to));
        if self.types.is_void(to) {
            return false;
        }
        if self.types.is_void(from) {
            return to_block <= 1;
        }
        let sizes = (
            self.types.fixed_size(from_elem),
            self.types.fixed_size(to_elem),
        );
        from_block != to_block || sizes.0 != sizes.1 || sizes.0.is_none()
    }

    /// `p + index` elements of type `to`, or `p - index`.
    pub(super) fn advance(&mut self, p: Pts, to: QualType, step: Step) -> Pts {
        let span = self.body.expr(step.index).span;
        let layout = self.layout(to);
        let mut lengths = layout.count.lengths.clone();
        lengths.extend(step.bound.and_then(|bound| bound.length()));
        match p.base {
            Base::Value(base) if self.evaluates(base, &lengths) => {
                let ty = self.generic_pts();
                let start = self.settled(p, span);
                let value = self.address(start, false, ty, span);
                let (local, decl) = self.temp(value, ty, span);
                let start = Pts::value(self.body.load_local(local, span), start.base_phase_zero);
                let end = self.advanced(start, &layout, step);
                let end = self.finish(end, ty, span);
                let end = self.stmt_expr(vec![decl], end, span);
                Pts::value(end, layout.block == 1)
            }
            Base::Value(_) | Base::Static(_) => self.advanced(p, &layout, step),
        }
    }

    fn advanced(&mut self, p: Pts, layout: &Layout, step: Step) -> Pts {
        let span = self.body.expr(step.index).span;
        if layout.block == 0 {
            let mut p = p;
            let step = self.distance(step, &layout.in_bytes());
            p.bytes = self.sum(p.bytes, step, span);
            return p;
        }
        if let (1, true, true, Some(rounds)) = (
            layout.block,
            layout.count.is_constant(),
            p.index.is_zero() && matches!(p.base, Base::Value(_)),
            self.whole_rounds(step),
        ) {
            // `p += THREADS` leads to the next element of the same thread.
            let bytes = (layout.count.constant * layout.size) as i64;
            let mut p = p;
            let distance = bytes.wrapping_mul(if step.negate { -rounds } else { rounds });
            p.bytes.constant = p.bytes.constant.wrapping_add(distance);
            return p;
        }
        let fits = p.bytes.is_zero()
            && !p.drop_phase
            && (p.index.is_zero() || (p.block, p.size) == (layout.block, layout.size));
        let mut p = if fits { p } else { self.settled(p, span) };
        let step = self.distance(step, &layout.count);
        p.index = self.sum(p.index, step, span);
        (p.block, p.size) = (layout.block, layout.size);
        p
    }

    /// Computes the steps of a pointer so far.
    fn settled(&mut self, p: Pts, span: Span) -> Pts {
        let zero = p.drop_phase || p.phase_is_zero();
        let ty = self.generic_pts();
        let value = self.finish(p, ty, span);
        Pts::at(Base::Value(value), zero)
    }

    /// The type `shared void *`.
    fn generic_pts(&mut self) -> QualType {
        let void = QualType {
            quals: crate::types::Quals::SHARED,
            block: 1,
            ..QualType::plain(Types::VOID)
        };
        QualType::plain(self.types.pointer_to(void))
    }

    /// The pointer as a value of type `ty`, with the phase that the language requires.
    pub(super) fn finish(&mut self, p: Pts, ty: QualType, span: Span) -> ExprId {
        let needs_reset = p.drop_phase && !p.phase_is_zero();
        let e = self.address(p, false, ty, span);
        if needs_reset {
            return self.body.rt(RtOp::Resetphase, &[e], ty, span);
        }
        e
    }

    /// The pointer to an existing object, whose phase does not matter, and whether the phase is 0.
    pub(super) fn place_address(&mut self, p: Pts, ty: QualType, span: Span) -> (ExprId, bool) {
        let e = self.address(p, true, ty, span);
        if p.phase_is_zero() {
            return (e, true);
        }
        // For an element of a declared array, the phase need not be computed.
        if let ExprKind::Rt { op, .. } = &mut self.body.exprs[e].kind
            && *op == RtOp::AtB
        {
            *op = RtOp::AtB0;
            return (e, true);
        }
        (e, false)
    }

    /// The same for an object that is accessed: it is not one past the end of an array.
    pub(super) fn access_address(&mut self, p: Pts, ty: QualType, span: Span) -> (ExprId, bool) {
        let one_block = !self.checks && self.blocks_per_thread(p).is_some_and(Ordering::is_le);
        let (e, phase_zero) = self.place_address(p, ty, span);
        if one_block && matches!(self.body.expr(e).kind, ExprKind::Rt { op: RtOp::AtB0, .. }) {
            self.set_op(e, RtOp::AtBlock);
        }
        (e, phase_zero)
    }

    /// Lets the access `at` a place, whose address this is, go by the linear image of the array, if each thread has one block of whole
    /// pages. The address is no pointer-to-shared then.
    pub(super) fn use_linear_image(&mut self, address: ExprId, p: Pts, at: Span) {
        let block = p.size.saturating_mul(u64::from(p.block));
        let has_image = self.linear
            && block.is_multiple_of(LINEAR_PAGE)
            && self.blocks_per_thread(p) == Some(Ordering::Equal);
        if !has_image {
            return;
        }
        let member = if let ExprKind::Rt {
            op: RtOp::Field | RtOp::Add0,
            args,
            ..
        } = self.body.expr(address).kind
        {
            self.body.list(args).first().copied()
        } else {
            None
        };
        let element = member.unwrap_or(address);
        if !self.is_variable_element(element) {
            return;
        }
        self.set_op(element, RtOp::AtLinear);
        self.by_linear_image.push(at);
        if member.is_some() {
            self.set_op(address, RtOp::Add0);
        }
    }

    /// True for the address of an element of a declared array whose index is not constant.
    fn is_variable_element(&self, address: ExprId) -> bool {
        let ExprKind::Rt { op, args, .. } = self.body.expr(address).kind else {
            return false;
        };
        let index = self.body.list(args).get(1).copied();
        matches!(op, RtOp::AtB | RtOp::AtB0 | RtOp::AtBlock)
            && index.is_some_and(|it| !matches!(self.body.expr(it).kind, ExprKind::Int(_)))
    }

    fn set_op(&mut self, address: ExprId, new: RtOp) {
        if let ExprKind::Rt { op, .. } = &mut self.body.exprs[address].kind {
            *op = new;
        }
    }

    /// For an element of a declared array, compares the size of the array with that of one block for each thread.
    fn blocks_per_thread(&self, p: Pts) -> Option<Ordering> {
        let Base::Static(object) = p.base else {
            return None;
        };
        let block = p.size.saturating_mul(u64::from(p.block));
        match self.types.size_of(self.objects[object].ty)? {
            Size::PerThread(bytes) => Some(bytes.cmp(&block)),
            Size::Fixed(bytes) => self
                .static_threads
                .map(|threads| bytes.cmp(&block.saturating_mul(u64::from(threads)))),
            Size::Variable => None,
        }
    }

    /// The pointer with an unspecified phase. `in_bounds`: it points to an object, which in a declared array lies at or
    /// after the array's start; other pointers may temporarily point before it, as in `p = a - 1`.
    pub(super) fn address(&mut self, p: Pts, in_bounds: bool, ty: QualType, span: Span) -> ExprId {
        let (mut e, is_static) = match p.base {
            Base::Value(e) => (e, false),
            Base::Static(object) => {
                let object_ty = self.objects[object].ty;
                let place = self.push(ExprKind::Object(object), object_ty, span);
                (self.body.rt(RtOp::Static, &[place], ty, span), true)
            }
        };
        if !p.index.is_zero() {
            let from_start = is_static && (in_bounds || p.index.is_known_forward());
            let index = self.distance_expr(p.index, span);
            let size = self.int(p.size as i64, span);
            e = if p.block == 1 {
                let op = if from_start { RtOp::At1 } else { RtOp::Add1 };
                self.body.rt(op, &[e, index, size], ty, span)
            } else {
                let op = if from_start { RtOp::AtB } else { RtOp::AddB };
                let block = self.int(i64::from(p.block), span);
                self.body.rt(op, &[e, index, size, block], ty, span)
            };
        }
        if !p.bytes.is_zero() {
            let in_object = p.drop_phase && p.bytes.variable.is_none();
            let phase_zero = if p.index.is_zero() {
                p.base_phase_zero
            } else {
                p.block == 1
            };
            let op = if in_object || !phase_zero {
                RtOp::Field
            } else {
                RtOp::Add0
            };
            let bytes = self.distance_expr(p.bytes, span);
            e = self.body.rt(op, &[e, bytes], ty, span);
        }
        e
    }

    /// `upcr_local` of a pointer, converted to the private pointer type `ty`.
    pub(super) fn cast_to_local(&mut self, value: ExprId, ty: QualType, span: Span) -> ExprId {
        let from = self.ty_of(value);
        let p = self.pts(value);
        let op = if p.is_never_null() {
            RtOp::LocalNn
        } else {
            RtOp::Local
        };
        let (address, _) = self.place_address(p, from, span);
        let void_ptr = self.types.pointer_to(QualType::plain(Types::VOID));
        let local = self.rt(op, &[address], void_ptr, span);
        if self.types.canon_qt(ty).ty == void_ptr {
            return local;
        }
        self.push(
            ExprKind::Cast {
                value: local,
                implicit: false,
            },
            ty,
            span,
        )
    }

    /// Lowers `==`, `!=` and relations between pointers-to-shared.
    pub(super) fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        if !matches!(op, BinOp::Eq | BinOp::Ne) {
            let to = self.types.pointee(self.ty_of(a));
            let difference = self.difference(a, b, to, false, span);
            let zero = self.int(0, span);
            let zero = self.wide(zero, false);
            return self.push(
                ExprKind::Binary(op, difference, zero),
                QualType::plain(Types::INT),
                span,
            );
        }
        let equal = if self.is_null(b) {
            self.null_test(a, span)
        } else if self.is_null(a) {
            self.null_test(b, span)
        } else {
            let (ta, tb) = (self.ty_of(a), self.ty_of(b));
            let (a, b) = (self.pts(a), self.pts(b));
            let (a, b) = (
                self.address(a, false, ta, span),
                self.address(b, false, tb, span),
            );
            self.rt(RtOp::Eq, &[a, b], Types::INT, span)
        };
        if op == BinOp::Eq {
            equal
        } else {
            self.not(equal, span)
        }
    }

    /// Builds `upcr_is_null(p)`.
    pub(super) fn null_test(&mut self, p: ExprId, span: Span) -> ExprId {
        let ty = self.ty_of(p);
        let p = self.pts(p);
        let (p, _) = self.place_address(p, ty, span);
        self.rt(RtOp::IsNull, &[p], Types::INT, span)
    }

    /// Builds `!e`.
    pub(super) fn not(&mut self, e: ExprId, span: Span) -> ExprId {
        self.push(
            ExprKind::Unary(UnOp::Not, e),
            QualType::plain(Types::INT),
            span,
        )
    }

    /// True for a null pointer constant, converted or not.
    pub(super) fn is_null(&self, id: ExprId) -> bool {
        use ExprKind::*;
        match self.body.expr(id).kind {
            Int(0) => true,
            Cast { value, .. } => {
                (self.types.is_pointer(self.ty_of(id)) || self.types.is_integer(self.ty_of(id)))
                    && self.is_null(value)
            }
            Rt { op: RtOp::Null, .. } => true,
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
            | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
            | Opaque | Threads | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Rt { .. } => false,
        }
    }

    /// `a - b` where both point to `to`: in elements of `to`; unless `exact`, only the sign of the result is right.
    pub(super) fn difference(
        &mut self,
        a: ExprId,
        b: ExprId,
        to: Option<QualType>,
        exact: bool,
        span: Span,
    ) -> ExprId {
        let (ta, tb) = (self.ty_of(a), self.ty_of(b));
        let (pa, pb) = (self.pts(a), self.pts(b));
        let (a, b) = (self.finish(pa, ta, span), self.finish(pb, tb, span));
        let layout = to.map_or(Layout::BYTES, |to| self.layout(to));
        let ty: TypeId = Types::PTRDIFF_T;
        let (e, divisor) = match layout.block {
            0 => (self.rt(RtOp::Diff0, &[a, b], ty, span), layout.in_bytes()),
            1 => {
                let size = self.int(layout.size as i64, span);
                (self.rt(RtOp::Diff1, &[a, b, size], ty, span), layout.count)
            }
            block => {
                let size = self.int(layout.size as i64, span);
                let block = self.int(i64::from(block), span);
                let args = [a, b, size, block];
                (self.rt(RtOp::DiffB, &args, ty, span), layout.count)
            }
        };
        if !exact {
            return e;
        }
        if !self.evaluates(e, &divisor.lengths) {
            return self.divided(e, &divisor, span);
        }
        let (local, decl) = self.temp(e, QualType::plain(ty), span);
        let e = self.body.load_local(local, span);
        let e = self.divided(e, &divisor, span);
        self.stmt_expr(vec![decl], e, span)
    }

    /// Builds `UPCR_NULL`.
    pub(super) fn null(&mut self, ty: QualType, span: Span) -> ExprId {
        let list = self.body.push_list(&[]);
        let kind = ExprKind::Rt {
            op: RtOp::Null,
            args: list,
            ty_arg: None,
            field: 0,
        };
        self.body.push_expr(kind, ty, span, ExprFlags::CONST)
    }
}
