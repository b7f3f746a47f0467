//! Conversions: promotions, usual arithmetic conversions, conversions as by assignment (C11 6.3, 6.5.16.1; UPC 6.4.3).

use super::expr::{Class, PtsUse};
use super::report::code;
use super::*;
use crate::diag::{Certainty, Edit, Help};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use il::{ExprFlags, ExprKind};

/// The purpose of a conversion, as messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignContext {
    Assign,
    Init,
    /// The argument with this number, from 1, of the function with this name, if it has one.
    Argument(u32, Option<Symbol>),
    Return,
}

/// The components of an arithmetic type.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Arith {
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
    ComplexInt(IntKind),
}

impl Nodes<'_> {
    /// Adds an implicit conversion, unless the type is already the same.
    pub(super) fn cast_implicit(&mut self, e: il::ExprId, to: QualType) -> il::ExprId {
        let node = self.node(e);
        if self.types.canon(node.ty.ty) == self.types.canon(to.ty) {
            return e;
        }
        self.make(
            ExprKind::Cast {
                value: e,
                implicit: true,
            },
            to.bare(),
            node.span,
            &[e],
        )
    }

    /// Converts as by assignment (C11 6.5.16.1, UPC 6.4.3) to the unqualified target type, and reports values that do
    /// not convert. A place is loaded first.
    pub fn assign_convert(
        &mut self,
        value: il::ExprId,
        target: QualType,
        context: AssignContext,
    ) -> il::ExprId {
        let e = self.value_of(value);
        let to = self.types.unqualified(target);
        let from = self.ty(e);
        if self.types.canon(from.ty) == self.types.canon(to.ty) {
            return e;
        }
        match (self.class(from), self.class(to)) {
            (_, Class::Unknown) => e,
            (Class::Unknown, _) | (Class::Arith, Class::Arith) | (Class::Ptr(_), Class::Ptr(_)) => {
                self.convert_local(e, to, PtsUse::Assign(context))
            }
            // Integers and pointers to private types: the C compiler reports any error.
            (Class::Arith, Class::Ptr(_)) if self.types.is_integer(from) => {
                self.cast_implicit(e, to)
            }
            (Class::Ptr(_), Class::Arith) if self.types.is_integer(to) => self.cast_implicit(e, to),
            (Class::Pts(_), Class::Arith) if self.types.int_kind_of(to) == Some(IntKind::Bool) => {
                self.cast_implicit(e, to)
            }
            (Class::Ptr(_) | Class::Pts(_) | Class::Arith, Class::Pts(_))
            | (Class::Pts(_), Class::Ptr(_) | Class::Arith) => {
                self.convert_pts(e, to, PtsUse::Assign(context))
            }
            (Class::Vector, Class::Vector)
                if self.types.fixed_size(from) == self.types.fixed_size(to) =>
            {
                self.cast_implicit(e, to)
            }
            (Class::Record, Class::Record)
                if self.types.record_id(from) == self.types.record_id(to) =>
            {
                e
            }
            (_, Class::Record) if self.is_transparent(from, to, context) => {
                self.cast_implicit(e, to)
            }
            _ => self.incompatible(e, to, context),
        }
    }

    fn incompatible(&mut self, e: il::ExprId, to: QualType, context: AssignContext) -> il::ExprId {
        let node = self.node(e);
        if self.types.is_void(node.ty) {
            let message = format!(
                "{} an expression without a value to type {}: its own type is `void`",
                doing(self, context),
                self.quoted(to)
            );
            self.error(
                code::VOID_VALUE,
                node.span,
                message,
                "call it as a statement, or make the function return a value",
            );
        } else {
            let message = format!(
                "{} incompatible types: {} to {}",
                doing(self, context),
                self.quoted(node.ty),
                self.quoted(to)
            );
            let code = if let AssignContext::Argument(..) = context {
                code::BAD_ARGUMENT
            } else {
                code::BAD_ASSIGNMENT
            };
            let help = self.instead_of_incompatible(node.ty, to, node.span);
            self.error(code, node.span, message, help);
            self.note_declaration(e);
        }
        self.poison(node.span)
    }

    /// The way out for a value of another type: a `*` or a `&`, if that is all that is missing.
    fn instead_of_incompatible(&self, from: QualType, to: QualType, span: Span) -> Help {
        let same = |a: Option<QualType>, b: QualType| {
            a.is_some_and(|a| self.types.compatible_unqualified(a, b))
        };
        let (words, text) = if same(self.types.pointee(from), to) {
            (
                "write `*` in front of it: it is a pointer to such a value",
                "*",
            )
        } else if same(self.types.pointee(to), from) {
            ("write `&` in front of it: its address is wanted", "&")
        } else {
            return "use a value of the right type, or a member of it".into();
        };
        let text = text.to_owned();
        let bytes = self.parsed.stream.bytes(span);
        Help::edit(words, Edit::Before { bytes, text }, Certainty::Maybe)
    }

    /// True for an integer constant expression of value 0, or one cast to `void *` (C11 6.3.2.3p3).
    pub(super) fn is_null_constant(&self, mut e: il::ExprId) -> bool {
        let node = self.node(e);
        if !node.flags.has(ExprFlags::CONST) {
            return false;
        }
        if let Type::Pointer(to) = *self.types.kind(node.ty) {
            match node.kind {
                ExprKind::Cast { value, .. }
                    if self.types.is_void(to) && to.quals == Default::default() =>
                {
                    e = value
                }
                _ => return false,
            }
        }
        self.types.is_integer(self.ty(e)) && self.try_const_int(e) == Some(0)
    }

    /// Width of the bit-field from which a value was read or to which it was assigned.
    fn value_bits(&self, e: il::ExprId) -> Option<u32> {
        let place = match self.node(e).kind {
            ExprKind::Load(place)
            | ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. } => place,
            ExprKind::Field(..) => e,
            _ => return None,
        };
        self.field_bits(place)
    }

    /// Width of a place that is a bit-field.
    pub(super) fn field_bits(&self, place: il::ExprId) -> Option<u32> {
        let ExprKind::Field(base, index) = self.node(place).kind else {
            return None;
        };
        let record = self.types.record_id(self.ty(base))?;
        self.types
            .record(record)
            .body
            .as_ref()?
            .fields
            .get(index as usize)?
            .bits
    }

    /// The type of a value after the integer promotions; other types are unchanged.
    fn promoted(&self, e: il::ExprId) -> Option<Arith> {
        Some(match self.arith(self.ty(e))? {
            Arith::Int(kind) => Arith::Int(match self.value_bits(e) {
                Some(bits) => arith::promote_bits(kind, bits),
                None => arith::promote(kind),
            }),
            other => other,
        })
    }

    /// Integer promotion of a value (C11 6.3.1.1p2).
    pub(super) fn promote(&mut self, e: il::ExprId) -> il::ExprId {
        match self.promoted(e) {
            Some(Arith::Int(kind)) => self.cast_implicit(e, QualType::plain(Types::int_kind(kind))),
            Some(_) | None => e,
        }
    }

    /// Default argument promotions (C11 6.5.2.2p6).
    pub(super) fn promote_argument(&mut self, e: il::ExprId) -> il::ExprId {
        match self.promoted(e) {
            Some(Arith::Float(FloatKind::Float)) => {
                self.cast_implicit(e, QualType::plain(Types::DOUBLE))
            }
            _ => self.promote(e),
        }
    }

    /// Applies the usual arithmetic conversions (C11 6.3.1.8). Returns both converted operands and their type; `None`
    /// unless both are arithmetic.
    pub(super) fn usual_conversions(
        &mut self,
        a: il::ExprId,
        b: il::ExprId,
    ) -> Option<(il::ExprId, il::ExprId, QualType)> {
        let common = common(self.promoted(a)?, self.promoted(b)?);
        let ty = QualType::plain(self.arith_type(common));
        Some((self.cast_implicit(a, ty), self.cast_implicit(b, ty), ty))
    }

    /// The type in which `place op= value` is computed.
    pub(super) fn common_type(&mut self, a: il::ExprId, b: il::ExprId) -> Option<QualType> {
        let common = common(self.promoted(a)?, self.promoted(b)?);
        Some(QualType::plain(self.arith_type(common)))
    }

    /// The promoted type of an integer place or value.
    pub(super) fn promoted_type(&mut self, e: il::ExprId) -> Option<QualType> {
        let promoted = self.promoted(e)?;
        Some(QualType::plain(self.arith_type(promoted)))
    }
}

impl Context<'_> {
    /// True if a union parameter accepts the value because a member has its type. This holds for transparent unions;
    /// the C compiler checks the attribute.
    fn is_transparent(&self, from: QualType, to: QualType, context: AssignContext) -> bool {
        let AssignContext::Argument(..) = context else {
            return false;
        };
        let Some(record) = self.types.record_id(to).map(|id| self.types.record(id)) else {
            return false;
        };
        let Some(body) = record.body.as_ref().filter(|_| record.is_union) else {
            return false;
        };
        let pointer = matches!(self.class(from), Class::Ptr(_) | Class::Arith);
        body.fields.iter().any(|f| {
            self.types.compatible_unqualified(f.ty, from)
                || (pointer && self.types.is_pointer(f.ty))
        })
    }

    // ---- arithmetic

    fn arith(&self, qt: QualType) -> Option<Arith> {
        Some(match *self.types.kind(qt) {
            Type::Int(_) | Type::Enum(_) => Arith::Int(self.types.int_kind_of(qt)?),
            Type::Float(kind) => Arith::Float(kind),
            Type::Complex(kind) => Arith::Complex(kind),
            Type::ComplexInt(kind) => Arith::ComplexInt(kind),
            _ => return None,
        })
    }

    fn arith_type(&mut self, a: Arith) -> TypeId {
        match a {
            Arith::Int(kind) => Types::int_kind(kind),
            Arith::Float(kind) => Types::float_kind(kind),
            Arith::Complex(kind) => self.types.intern(Type::Complex(kind)),
            Arith::ComplexInt(kind) => self.types.intern(Type::ComplexInt(kind)),
        }
    }
}

/// Subject and verb of a message about a conversion.
pub(super) fn doing(types: &Context, context: AssignContext) -> String {
    match context {
        AssignContext::Assign => "assignment converts".into(),
        AssignContext::Init => "initialisation converts".into(),
        AssignContext::Argument(n, Some(name)) => {
            format!("argument {n} of `{}` converts", types.name(name))
        }
        AssignContext::Argument(n, None) => format!("argument {n} converts"),
        AssignContext::Return => "return converts".into(),
    }
}

fn common(a: Arith, b: Arith) -> Arith {
    use Arith::*;
    match (a, b) {
        (Int(x), Int(y)) => Int(arith::common(x, y)),
        (Float(x), Float(y)) => Float(wider(x, y)),
        (Float(x), Int(_)) | (Int(_), Float(x)) => Float(x),
        (Complex(x), Complex(y) | Float(y)) | (Float(x), Complex(y)) => Complex(wider(x, y)),
        (Complex(x), Int(_) | ComplexInt(_)) | (Int(_) | ComplexInt(_), Complex(x)) => Complex(x),
        (Float(x), ComplexInt(_)) | (ComplexInt(_), Float(x)) => Complex(x),
        // The parts of complex integers are not promoted.
        (ComplexInt(x), ComplexInt(y)) if x == y => ComplexInt(x),
        (ComplexInt(x), ComplexInt(y)) if x.bits() < 32 && y.bits() < 32 => {
            let first = (x.bits(), !x.is_signed()) >= (y.bits(), !y.is_signed());
            ComplexInt(if first { x } else { y })
        }
        (ComplexInt(x), ComplexInt(y) | Int(y)) | (Int(x), ComplexInt(y)) => {
            ComplexInt(arith::common(x, y))
        }
    }
}

/// The floating type of greater rank. Among types with the same values, gcc prefers the interchange type, then the
/// standard one.
fn wider(a: FloatKind, b: FloatKind) -> FloatKind {
    if float_rank(a) >= float_rank(b) { a } else { b }
}

fn float_rank(kind: FloatKind) -> u8 {
    use FloatKind::*;
    match kind {
        Float16 => 0,
        Float => 1,
        Float32 => 2,
        Float32x => 3,
        Double => 4,
        Float64 => 5,
        Float64x => 6,
        LongDouble => 7,
        Float128 => 8,
        // The C compiler reports mixing decimal and binary types as an error.
        Decimal32 => 9,
        Decimal64 => 10,
        Decimal128 => 11,
    }
}
