//! Lowers shared places, and reads and writes of them.

use super::Lower;
use super::checks::Use;
use super::events::AccessEvents;
use super::pointer::Pts;
use crate::diag::{ice, known};
use crate::il::operations::{AccessOp, Direction};
use crate::il::{Expr, ExprFlags, ExprId, ExprKind, RtOp};
use crate::types::{Field, QualType, TypeId, Types};
use upcc_grammar::ast::Span;

/// A shared object that is accessed.
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// The pointer to the object, or to the record around a bit-field.
    pub(super) address: ExprId,
    /// The phase is known to be 0.
    phase_zero: bool,
    /// Type of the values.
    pub(super) ty: QualType,
    pub(super) strict: bool,
    /// The object may lack the alignment of its type.
    unaligned: bool,
    /// A strict read before which no write of this thread is pending.
    settled: bool,
    pub(super) bits: Option<Bits>,
    /// It raises events.
    pub(super) events: Option<AccessEvents>,
}

/// A bit-field: the record of which it is a member, directly or through nested records.
#[derive(Clone, Copy)]
pub(super) struct Bits {
    record: TypeId,
    /// Index in `Body::paths`.
    path: u32,
}

/// A shared object whose leaves an initialiser stores: its address is computed once, however deep it lies.
#[derive(Clone, Copy)]
pub(super) struct Aggregate {
    place: ExprId,
    address: Pts,
    align: u64,
}

impl Lower<'_> {
    /// A shared place that is not a bit-field, as the aggregate for the places inside it.
    pub(super) fn aggregate_at(&mut self, place: ExprId) -> Aggregate {
        Aggregate {
            place,
            address: self.shared_place(place, Use::access()),
            align: self.alignment(place),
        }
    }

    fn known_aggregate(&self, place: ExprId) -> Option<Aggregate> {
        self.aggregate.filter(|known| known.place == place)
    }

    /// The address of a shared place that is not a bit-field; `used` is the use of the address.
    pub(super) fn shared_place(&mut self, place: ExprId, used: Use) -> Pts {
        use ExprKind::*;
        if let Some(known) = self.known_aggregate(place) {
            return known.address;
        }
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            match self.body.expr(place).kind {
                Object(object) => Pts::object(object),
                Deref(ptr) => {
                    let used = used.with_text(self.body.expr(place).span);
                    self.pts_used(ptr, used)
                }
                Field(record, index) => {
                    let offset = self.field(record, index).offset;
                    self.shared_place(record, used).member(offset)
                }
                RealPlace(whole) => self.shared_place(whole, used),
                ImagPlace(whole) => {
                    let half = self.half_of(whole);
                    self.shared_place(whole, used).member(half)
                }
                // No other place is shared (invariant 2).
                Local(_) | Str | CompoundLit(_) | Int(_) | Number | Load(_) | AddrOf(_)
                | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..)
                | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_)
                | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => self.no_place(place),
                Assign { .. } | AssignOp { .. } | IncDec { .. } => self.no_place(place),
                PtrAdd { .. } | Cast { .. } | Rt { .. } => self.no_place(place),
            }
        })
    }

    fn no_place(&self, place: ExprId) -> ! {
        let e = self.body.expr(place);
        ice(
            e.span,
            &format!("a shared place that is none: {:?}", e.kind),
        )
    }

    /// Returns the member of a record that a `Field` names.
    pub(super) fn field(&self, record: ExprId, index: u32) -> &Field {
        let id = self.types.record_id(self.ty_of(record));
        let body = id.and_then(|id| self.types.record(id).body.as_ref());
        let field = body.and_then(|body| body.fields.get(index as usize));
        known(field, self.body.expr(record).span, "a member of no record")
    }

    /// Returns the size of the real part of a complex object.
    fn half_of(&self, whole: ExprId) -> u64 {
        let Expr { ty, span, .. } = *self.body.expr(whole);
        known(self.types.fixed_size(ty), span, "a complex of unknown size") / 2
    }

    /// The alignment that a place is known to have: less than its type's in packed records.
    pub(super) fn alignment(&self, place: ExprId) -> u64 {
        if let Some(known) = self.known_aggregate(place) {
            return known.align;
        }
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            let kind = self.body.expr(place).kind;
            if let ExprKind::Deref(ptr) = kind {
                self.alignment_of_target(ptr)
            } else if let ExprKind::Field(record, index) = kind {
                let offset = self.field(record, index).offset;
                alignment_at(self.alignment(record), offset)
            } else if let ExprKind::RealPlace(whole) = kind {
                self.alignment(whole)
            } else if let ExprKind::ImagPlace(whole) = kind {
                let half = self.half_of(whole);
                alignment_at(self.alignment(whole), half)
            } else {
                self.types.align_of(self.ty_of(place))
            }
        })
    }

    /// The alignment that the target of a pointer is known to have. It is derived as C compilers do: through subscripts
    /// and addresses, not through variables.
    fn alignment_of_target(&self, ptr: ExprId) -> u64 {
        let Some(to) = self.types.pointee(self.ty_of(ptr)) else {
            return 1;
        };
        let declared = self.types.align_of(to);
        let kind = self.body.expr(ptr).kind;
        if let ExprKind::Decay(place) | ExprKind::AddrOf(place) = kind {
            self.alignment(place).min(declared)
        } else if let ExprKind::PtrAdd { ptr, .. } = kind {
            self.alignment_of_target(ptr)
        } else if let ExprKind::Cast {
            value,
            implicit: true,
        } = kind
            && self.is_pts(value)
        {
            self.alignment_of_target(value).min(declared)
        } else {
            declared
        }
    }

    /// Prepares the access to a shared place by a node with these flags.
    pub(super) fn access(&mut self, place: ExprId, flags: ExprFlags, span: Span) -> Access {
        let ty = self.value_type(self.ty_of(place));
        let strict = flags.has(ExprFlags::STRICT);
        let settled = flags.has(ExprFlags::SETTLED);
        let (object, bits) = if let ExprKind::Field(record, index) = self.body.expr(place).kind
            && self.field(record, index).bits.is_some()
        {
            self.bit_field(record, index)
        } else {
            (place, None)
        };
        let object_ty = self.ty_of(object);
        let pointer = QualType::plain(self.types.pointer_to(object_ty));
        let unaligned = self.alignment(object) < self.types.required_align(object_ty);
        let p = self.shared_place(object, Use::access());
        let (address, phase_zero) = self.access_address(p, pointer, span);
        let events = self.access_events(place, flags, span);
        // Only UPCR_GET0 and UPCR_PUT0 take such an address.
        if events.is_none() && phase_zero && !strict && bits.is_none() {
            let at = self.body.expr(place).span;
            self.use_linear_image(address, p, at);
        }
        Access {
            address,
            phase_zero,
            ty,
            strict,
            unaligned,
            settled,
            bits,
            events,
        }
    }

    /// The record to name in an access to bit-field `index` of `record`, and the path to the field. A record without a
    /// name of its own, or printed as an unnamed member, is accessed through the record around it.
    fn bit_field(&mut self, record: ExprId, index: u32) -> (ExprId, Option<Bits>) {
        let (mut record, mut path) = (record, vec![index]);
        while let ExprKind::Field(outer, i) = self.body.expr(record).kind {
            let unnamed_member = self.field(outer, i).name.is_none();
            if self.is_named(self.ty_of(record)) && !unnamed_member {
                break;
            }
            path.push(i);
            record = outer;
        }
        path.reverse();
        self.body.paths.push(path);
        let bits = Bits {
            record: self.value_type(self.ty_of(record)).ty,
            path: self.body.paths.len() as u32 - 1,
        };
        (record, Some(bits))
    }

    pub(super) fn is_named(&self, ty: QualType) -> bool {
        self.types.record_id(ty).is_none_or(|id| {
            let record = self.types.record(id);
            record.tag.is_some() || record.anon_name.is_some()
        })
    }

    /// Reads a shared object.
    pub(super) fn get(&mut self, a: Access, span: Span) -> ExprId {
        self.access_op(Direction::Get, a, &[a.address], span)
    }

    /// Writes a shared object; the result is the stored value.
    pub(super) fn put(&mut self, a: Access, value: ExprId, span: Span) -> ExprId {
        self.access_op(Direction::Put, a, &[a.address, value], span)
    }

    /// Accesses a shared object as one of another type, without a result.
    pub(super) fn access_as(
        &mut self,
        direction: Direction,
        a: Access,
        ty: QualType,
        value: ExprId,
        span: Span,
    ) -> ExprId {
        let a = Access {
            ty,
            phase_zero: false,
            ..a
        };
        let access = self.access_op(direction, a, &[a.address, value], span);
        self.body.exprs[access].ty = QualType::plain(Types::VOID);
        access
    }

    fn access_op(
        &mut self,
        direction: Direction,
        a: Access,
        args: &[ExprId],
        span: Span,
    ) -> ExprId {
        let mut all = self.event_of_access(direction, &a, span);
        let op = RtOp::Access(AccessOp {
            direction,
            strict: a.strict,
            settled: a.settled && direction == Direction::Get && all.is_empty(),
            phase_zero: a.phase_zero && !a.strict && a.bits.is_none(),
            bits: a.bits.is_some(),
            site: !all.is_empty(),
        });
        all.extend_from_slice(args);
        let args = self.body.push_list(&all);
        let (ty_arg, field) = match a.bits {
            Some(bits) => (bits.record, bits.path),
            None => (a.ty.ty, 0),
        };
        let kind = ExprKind::Rt {
            op,
            args,
            ty_arg: Some(ty_arg),
            field,
        };
        let flags = if a.unaligned {
            ExprFlags::UNALIGNED
        } else {
            ExprFlags::default()
        };
        self.body.push_expr(kind, a.ty, span, flags)
    }

    /// Copies the address of an access that would be computed twice into a temporary. Returns the declaration, and the
    /// access through the temporary.
    pub(super) fn pin(&mut self, a: Access, span: Span) -> (Vec<crate::il::StmtId>, Access) {
        if self.is_fixed_address(a.address) {
            return (Vec::new(), a);
        }
        let ty = self.ty_of(a.address);
        let (local, decl) = self.temp(a.address, ty, span);
        let address = self.body.load_local(local, span);
        (vec![decl], Access { address, ..a })
    }

    /// True for the address of a static object plus constants, which may be computed twice.
    fn is_fixed_address(&self, id: ExprId) -> bool {
        use ExprKind::*;
        match self.body.expr(id).kind {
            Rt {
                op: RtOp::Static, ..
            } => true,
            Rt {
                op:
                    RtOp::Field
                    | RtOp::Add0
                    | RtOp::At1
                    | RtOp::AtB
                    | RtOp::AtB0
                    | RtOp::AtBlock
                    | RtOp::AtLinear,
                args,
                ..
            } => self
                .body
                .list(args)
                .iter()
                .all(|&a| matches!(self.body.expr(a).kind, Int(_)) || self.is_fixed_address(a)),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
            | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
            | Opaque | Threads | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
        }
    }
}

/// The alignment at `offset` bytes after an address with alignment `align`.
fn alignment_at(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}
