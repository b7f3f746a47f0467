//! Constant folding on the IL: integers exactly as the target computes them, floating-point values in `double`, and
//! addresses based on a constant pointer (the `offsetof` idiom).
//!
//! [`ExprFlags::CONST`] marks the nodes that fold, so a query about any other node is free. The flag is set when a node
//! is created ([`Folder::is_const`]); the value is computed on demand.

use super::builtin_fold::{self, Floating};
use super::literal::{self, Number};
use super::report::code;
use super::{Nodes, Sema, arith, deep};
use crate::il::{self, Body, Expr, ExprFlags, ExprId, ExprKind, UnOp};
use crate::types::{FloatKind, IntKind, QualType, Type, Types};
use upcc_grammar::ast::{self, BinOp};
use upcc_grammar::lex::TokenStream;

/// A folded value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// An integer (the bits, for an `unsigned __int128`) or a pointer.
    Int(i128),
    Float(f64),
}

impl Sema<'_> {
    /// Returns the value of an integer constant expression. If it is not one, reports an error that names it `what`,
    /// and returns `None`. The nodes are dropped.
    pub fn const_int(&mut self, id: ast::ExprId, what: &str) -> Option<i128> {
        self.unevaluated(|s| {
            let e = s.rvalue(id);
            s.const_value(e, what)
        })
    }
}

impl Nodes<'_> {
    /// Returns the folder for the current body.
    pub(super) fn folder(&self) -> Folder<'_> {
        Folder {
            types: &self.types,
            body: &self.body,
            stream: &self.parsed.stream,
        }
    }

    /// Returns the value of a node. If it is not constant, reports an error that names it `what`, and returns `None`.
    pub(super) fn const_value(&mut self, e: il::ExprId, what: &str) -> Option<i128> {
        let value = self.try_const_int(e);
        let node = self.body.exprs[e];
        if value.is_none() && !self.types.is_unknown(node.ty) {
            let by_size = self.contains(e, |kind| matches!(kind, ExprKind::SizePerThread(_)));
            let by_threads = self.contains(e, |kind| matches!(kind, ExprKind::Threads));
            let code = if by_size {
                code::SHARED_SIZE_DYNAMIC
            } else {
                code::NOT_CONSTANT
            };
            let help = if !self.types.is_integer(node.ty) {
                "cast the value to an integer type"
            } else if by_size || by_threads {
                "THREADS is a constant only in the static THREADS environment: set the number with -T, or remove THREADS from this expression"
            } else {
                "use a value that is known at compile time"
            };
            self.error(
                code,
                node.span,
                format!("{what} is not an integer constant expression"),
                help,
            );
        }
        value
    }

    /// Returns the value of a node that is an integer constant expression, without reporting errors.
    pub fn try_const_int(&self, id: il::ExprId) -> Option<i128> {
        self.folder().int(id)
    }

    /// True if the tokens of `id` include those of a node of such a kind.
    pub(super) fn contains(&self, id: il::ExprId, kind: impl Fn(&ExprKind) -> bool) -> bool {
        let span = self.body.exprs[id].span;
        let inside = |e: &&Expr| e.span.lo >= span.lo && e.span.hi <= span.hi;
        self.body.exprs.iter().filter(inside).any(|e| kind(&e.kind))
    }
}

impl Value {
    /// The value as a truth value.
    pub fn truth(self) -> bool {
        match self {
            Value::Int(v) => v != 0,
            Value::Float(v) => v != 0.0,
        }
    }

    fn float(self) -> f64 {
        match self {
            Value::Int(v) => v as f64,
            Value::Float(v) => v,
        }
    }
}

/// Folds expressions of one body.
#[derive(Clone, Copy)]
pub struct Folder<'a> {
    pub types: &'a Types,
    pub body: &'a Body,
    pub stream: &'a TokenStream,
}

impl<'a> Folder<'a> {
    /// Returns the value of an integer constant expression.
    pub fn int(self, id: ExprId) -> Option<i128> {
        match self.value(id)? {
            Value::Int(v) if self.types.is_integer(self.node(id).ty) => Some(v),
            Value::Int(_) | Value::Float(_) => None,
        }
    }

    /// Returns the value of a constant arithmetic or pointer expression.
    pub fn value(self, id: ExprId) -> Option<Value> {
        let node = self.node(id);
        if !node.flags.has(ExprFlags::CONST) {
            return None;
        }
        deep(|| self.fold(node))
    }

    fn node(self, id: ExprId) -> &'a Expr {
        &self.body.exprs[id]
    }

    fn has_const(self, id: ExprId) -> bool {
        self.node(id).flags.has(ExprFlags::CONST)
    }

    /// Whether a node of this kind and type, whose operands are in the body, folds.
    pub fn is_const(self, kind: ExprKind, ty: QualType) -> bool {
        match kind {
            ExprKind::Int(_) => true,
            ExprKind::Number => self.folds_to(ty),
            ExprKind::Deref(e)
            | ExprKind::Field(e, _)
            | ExprKind::AddrOf(e)
            | ExprKind::Decay(e) => self.has_const(e),
            ExprKind::Cast { value, .. } => {
                self.has_const(value) && self.folds_to(ty) && self.folds_to(self.node(value).ty)
            }
            ExprKind::Unary(op, e) => self.has_const(e) && !matches!(op, UnOp::Real | UnOp::Imag),
            ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
                self.has_const(a)
                    && (self.has_const(b)
                        || self.value(a).is_some_and(|v| {
                            v.truth() == matches!(kind, ExprKind::Binary(BinOp::Or, ..))
                        }))
            }
            ExprKind::Binary(op @ (BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr), a, b) => {
                self.has_const(a) && self.has_const(b) && self.right_operand_folds(op, b)
            }
            ExprKind::Binary(_, a, b) | ExprKind::PtrDiff(a, b) => {
                self.has_const(a) && self.has_const(b)
            }
            ExprKind::PtrAdd { ptr, index, .. } => self.has_const(ptr) && self.has_const(index),
            ExprKind::Cond(c, a, b) => {
                self.has_const(c)
                    && match (self.has_const(a), self.has_const(b)) {
                        (true, true) => true,
                        (false, false) => false,
                        (first, _) => self.value(c).is_some_and(|v| v.truth() == first),
                    }
            }
            ExprKind::CondElvis(a, b) => self.has_const(a) && self.has_const(b),
            ExprKind::Local(_)
            | ExprKind::Object(_)
            | ExprKind::Str
            | ExprKind::CompoundLit(_)
            | ExprKind::RealPlace(_)
            | ExprKind::ImagPlace(_)
            | ExprKind::Load(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Comma(..)
            | ExprKind::Call(..)
            | ExprKind::SizePerThread(_)
            | ExprKind::SizeofPlace(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::VaArg(_)
            | ExprKind::Opaque
            | ExprKind::Threads
            | ExprKind::MyThread
            | ExprKind::Rt { .. } => false,
        }
    }

    fn folds_to(self, qt: QualType) -> bool {
        matches!(
            self.types.kind(qt),
            Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_)
        )
    }

    /// A constant expression cannot divide by zero or shift by a negative count.
    fn right_operand_folds(self, op: BinOp, b: ExprId) -> bool {
        match self.value(b) {
            Some(Value::Int(v)) if matches!(op, BinOp::Shl | BinOp::Shr) => v >= 0,
            Some(Value::Int(v)) => v != 0,
            Some(Value::Float(_)) => true,
            None => false,
        }
    }

    fn fold(self, node: &Expr) -> Option<Value> {
        match node.kind {
            ExprKind::Int(v) => Some(Value::Int(self.int_bits(v, node.ty))),
            ExprKind::Number => self.number(node),
            ExprKind::Cast { value, .. } => self.convert(self.value(value)?, node.ty),
            ExprKind::Unary(op, e) => self.unary(op, self.value(e)?, node.ty),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                // If the right operand does not fold, the left one decides the result.
                let left = !self.has_const(b) || self.value(a)?.truth();
                let decided = left == (op == BinOp::Or);
                let truth = if !self.has_const(b) {
                    op == BinOp::Or
                } else if decided {
                    left
                } else {
                    self.value(b)?.truth()
                };
                Some(Value::Int(truth.into()))
            }
            ExprKind::Binary(op, a, b) => self.binary(op, a, b),
            ExprKind::Cond(c, a, b) => self.value(if self.value(c)?.truth() { a } else { b }),
            ExprKind::CondElvis(a, b) => match self.value(a)? {
                v if v.truth() => Some(v),
                _ => self.value(b),
            },
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.place(place).map(Value::Int),
            ExprKind::PtrAdd { ptr, index, negate } => {
                let (Value::Int(base), Value::Int(n)) = (self.value(ptr)?, self.value(index)?)
                else {
                    return None;
                };
                let bytes = n.wrapping_mul(self.element_size(self.node(ptr).ty)?);
                let address = if negate {
                    base.wrapping_sub(bytes)
                } else {
                    base.wrapping_add(bytes)
                };
                Some(Value::Int(arith::wrap(address, IntKind::ULong)))
            }
            ExprKind::Call(callee, args) => self.call(callee, args, node.ty),
            ExprKind::PtrDiff(a, b) => {
                let (Value::Int(x), Value::Int(y)) = (self.value(a)?, self.value(b)?) else {
                    return None;
                };
                arith::wrap(x.wrapping_sub(y), IntKind::Long)
                    .checked_div(self.element_size(self.node(a).ty)?)
                    .map(Value::Int)
            }
            _ => None,
        }
    }

    /// Folds a floating-point builtin with constant arguments.
    fn call(self, callee: ExprId, args: il::ExprList, ty: QualType) -> Option<Value> {
        let name = self.stream.token_text(self.node(callee).span.lo);
        let args = &self.body.lists[args.start as usize..(args.start + args.len) as usize];
        let value = match (builtin_fold::floating(name, args.len())?, args) {
            (Floating::One(f), &[x]) => f(self.value(x)?.float()),
            (Floating::Two(f), &[x, y]) => f(self.value(x)?.float(), self.value(y)?.float()),
            (Floating::One(_) | Floating::Two(_), _) => return None,
        };
        self.convert(Value::Float(value), ty)
    }

    /// The address of a place that is based on a constant pointer.
    fn place(self, id: ExprId) -> Option<i128> {
        let node = self.node(id);
        match node.kind {
            ExprKind::Deref(ptr) => match self.value(ptr)? {
                Value::Int(v) => Some(v),
                Value::Float(_) => None,
            },
            ExprKind::Field(base, index) => {
                let address = deep(|| self.place(base))?;
                let record = self.types.record_id(self.node(base).ty)?;
                let field = self
                    .types
                    .record(record)
                    .body
                    .as_ref()?
                    .fields
                    .get(index as usize)?;
                field
                    .bits
                    .is_none()
                    .then(|| address.wrapping_add(i128::from(field.offset)))
            }
            _ => None,
        }
    }

    fn element_size(self, pointer: QualType) -> Option<i128> {
        let to = self.types.pointee(pointer)?;
        if self.types.is_shared(to) {
            return None;
        }
        self.types.fixed_size(to).map(i128::from)
    }

    /// The value of an [`ExprKind::Int`]: its 64 bits interpreted by its type.
    fn int_bits(self, bits: i64, ty: QualType) -> i128 {
        match self.types.int_kind_of(ty) {
            Some(kind) if !kind.is_signed() => i128::from(bits as u64),
            Some(_) | None => i128::from(bits),
        }
    }

    fn number(self, node: &Expr) -> Option<Value> {
        // The span may include parentheses around the constant.
        let number = (node.span.lo..node.span.hi)
            .find_map(|token| literal::number(self.stream.token_text(token)).ok())?;
        match number {
            Number::Int {
                value,
                imaginary: false,
                ..
            } => self.convert(Value::Int(value as i128), node.ty),
            Number::Float {
                value,
                imaginary: false,
                ..
            } => self.convert(Value::Float(value), node.ty),
            Number::Int { .. } | Number::Float { .. } => None,
        }
    }

    fn convert(self, value: Value, to: QualType) -> Option<Value> {
        Some(match *self.types.kind(to) {
            Type::Int(_) | Type::Enum(_) => {
                let kind = self.types.int_kind_of(to)?;
                match value {
                    Value::Int(v) => Value::Int(arith::wrap(v, kind)),
                    Value::Float(v) if kind == IntKind::Bool => Value::Int((v != 0.0).into()),
                    // As gcc does, fold a value that does not fit to the nearest value of the type.
                    Value::Float(v) => Value::Int(saturate(v as i128, kind)),
                }
            }
            Type::Float(FloatKind::Float | FloatKind::Float32) => {
                Value::Float(f64::from(value.float() as f32))
            }
            Type::Float(_) => Value::Float(value.float()),
            Type::Pointer(_) => match value {
                Value::Int(v) => Value::Int(arith::wrap(v, IntKind::ULong)),
                Value::Float(_) => return None,
            },
            _ => return None,
        })
    }

    fn unary(self, op: UnOp, value: Value, ty: QualType) -> Option<Value> {
        let value = match (op, value) {
            (UnOp::Plus, v) => v,
            (UnOp::Not, v) => Value::Int((!v.truth()).into()),
            (UnOp::Neg, Value::Int(v)) => Value::Int(v.wrapping_neg()),
            (UnOp::Neg, Value::Float(v)) => Value::Float(-v),
            (UnOp::BitNot, Value::Int(v)) => Value::Int(!v),
            (UnOp::BitNot | UnOp::Real | UnOp::Imag, _) => return None,
        };
        self.convert(value, ty)
    }

    fn binary(self, op: BinOp, a: ExprId, b: ExprId) -> Option<Value> {
        let ty = self.node(a).ty;
        match (self.value(a)?, self.value(b)?) {
            (Value::Int(x), Value::Int(y)) => {
                let kind = self.types.int_kind_of(ty).unwrap_or(IntKind::ULong);
                arith::binary(op, x, y, kind).map(Value::Int)
            }
            (Value::Float(x), Value::Float(y)) => {
                let value = float_binary(op, x, y)?;
                if let Value::Float(_) = value {
                    self.convert(value, ty)
                } else {
                    Some(value)
                }
            }
            (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => None,
        }
    }
}

/// The value of the type that is nearest to `value`.
fn saturate(value: i128, kind: IntKind) -> i128 {
    let bits = kind.bits();
    if bits == 128 {
        return if kind.is_signed() {
            value
        } else {
            value.max(0)
        };
    }
    let (low, high) = if kind.is_signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    };
    value.clamp(low, high)
}

fn float_binary(op: BinOp, x: f64, y: f64) -> Option<Value> {
    Some(match op {
        BinOp::Mul => Value::Float(x * y),
        BinOp::Div => Value::Float(x / y),
        BinOp::Add => Value::Float(x + y),
        BinOp::Sub => Value::Float(x - y),
        BinOp::Lt => Value::Int((x < y).into()),
        BinOp::Gt => Value::Int((x > y).into()),
        BinOp::Le => Value::Int((x <= y).into()),
        BinOp::Ge => Value::Int((x >= y).into()),
        BinOp::Eq => Value::Int((x == y).into()),
        BinOp::Ne => Value::Int((x != y).into()),
        BinOp::And => Value::Int((x != 0.0 && y != 0.0).into()),
        BinOp::Or => Value::Int((x != 0.0 || y != 0.0).into()),
        BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr => {
            return None;
        }
    })
}
