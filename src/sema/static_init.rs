//! Checks that initialisers of objects with static storage are constant (C11 6.7.9p4), by gcc's rules.
//!
//! gcc folds more than C11 6.6 requires (`0 * x`, `x && 0`, built-in functions), so a report needs proof that an
//! expression cannot fold. Expressions that might fold are left to the C compiler.

use super::report::code;
use super::{Context, Nodes, SymbolTable, deep};
use crate::il::{Expr, ExprId, ExprKind, LocalId, ObjectId, UnOp};
use crate::sema::consteval::Value;
use crate::types::{IntKind, QualType, Quals, Type};
use upcc_grammar::ast::{BinOp, Span};

/// What is known about the value of an expression before the program runs.
#[derive(Clone, Copy)]
enum Known {
    /// A number; the value, if it is an integer.
    Number(Option<i128>),
    /// The address of an object or function, if known, plus a number.
    Address(Option<ObjectId>),
    /// Not a constant, and not made constant by any arithmetic with constants.
    Never(Never),
    Perhaps,
}

#[derive(Clone, Copy)]
struct Never {
    at: ExprId,
    why: Why,
    /// The variable that alone determines the value, if there is one.
    of: Option<Variable>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Reads a variable, calls a function, assigns.
    Run,
    /// The address of an automatic or thread-local object.
    Automatic,
    /// A narrowed or negated address, which an object file cannot represent.
    Address,
    DivisionByZero,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    Object(ObjectId),
    Local(LocalId),
}

fn never(at: ExprId, why: Why) -> Known {
    Known::Never(Never { at, why, of: None })
}

impl SymbolTable<'_> {
    /// Reports an initialiser of an object with static storage that is certainly not constant.
    pub(super) fn check_static(&mut self, e: ExprId) {
        let Known::Never(found) = self.known(e) else {
            return;
        };
        let span = self.body.exprs[found.at].span;
        let span = if span.lo < span.hi {
            span
        } else {
            self.body.exprs[e].span
        };
        let (why, help) = self.explained(found.why, span);
        let message = format!("the initialiser of an object with static storage {why}");
        self.error(code::NOT_CONSTANT_INITIALIZER, span, message, help);
    }

    fn known(&self, id: ExprId) -> Known {
        match self.folder().value(id) {
            Some(Value::Int(v)) => Known::Number(Some(v)),
            Some(Value::Float(_)) => Known::Number(None),
            None => deep(|| self.known_node(id)),
        }
    }

    fn known_node(&self, id: ExprId) -> Known {
        match self.node_of(id).kind {
            ExprKind::Number => Known::Number(None),
            ExprKind::LabelAddr(_) => Known::Address(None),
            ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Comma(..) => never(id, Why::Run),
            ExprKind::Call(callee, args) if args.len == 0 || self.is_own_function(callee) => {
                never(id, Why::Run)
            }
            ExprKind::Load(place) => self.known_value(id, place),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.known_place(place),
            ExprKind::Cast { value, .. } => self.known_cast(id, value),
            ExprKind::Unary(op, e) => match (op, self.known(e)) {
                (UnOp::Plus | UnOp::Neg | UnOp::BitNot, Known::Never(n)) => Known::Never(n),
                (UnOp::Plus, known) => known,
                (UnOp::Neg | UnOp::BitNot, Known::Address(_)) => never(id, Why::Address),
                _ => Known::Perhaps,
            },
            ExprKind::Binary(op, a, b) => self.known_binary(id, op, a, b),
            ExprKind::PtrAdd { ptr, index, .. } => {
                sum(id, self.known(ptr), self.known(index), false)
            }
            ExprKind::PtrDiff(a, b) => match (self.known(a), self.known(b)) {
                (Known::Address(Some(x)), Known::Address(Some(y))) if x != y => {
                    never(id, Why::Address)
                }
                _ => Known::Perhaps,
            },
            ExprKind::Cond(c, a, b) => match (self.known(c), self.known(a), self.known(b)) {
                (Known::Number(Some(c)), a, b) => {
                    if c != 0 {
                        a
                    } else {
                        b
                    }
                }
                (Known::Never(n), Known::Number(Some(x)), Known::Number(Some(y))) if x != y => {
                    Known::Never(n)
                }
                _ => Known::Perhaps,
            },
            _ => Known::Perhaps,
        }
    }

    /// True for a function defined in this file. The C compiler may know the results of others, which may be builtins.
    fn is_own_function(&self, callee: ExprId) -> bool {
        match self.node_of(callee).kind {
            ExprKind::AddrOf(f) | ExprKind::Decay(f) => self.is_own_function(f),
            ExprKind::Object(id) => self.objects[id].defined,
            _ => false,
        }
    }

    /// The value read from a place. gcc knows the values of some constant objects.
    fn known_value(&self, id: ExprId, place: ExprId) -> Known {
        let node = self.node_of(place);
        if node.ty.quals.has(Quals::CONST) || self.types.canon_qt(node.ty).quals.has(Quals::CONST) {
            return Known::Perhaps;
        }
        let read = |of| {
            let why = Why::Run;
            Known::Never(Never { at: id, why, of })
        };
        match node.kind {
            ExprKind::Object(object) => read(Some(Variable::Object(object))),
            ExprKind::Local(local) => read(Some(Variable::Local(local))),
            ExprKind::Field(base, _) => match self.known_value(id, base) {
                Known::Never(_) => read(None),
                _ => Known::Perhaps,
            },
            ExprKind::Deref(ptr) => match self.known(ptr) {
                Known::Never(_) | Known::Address(Some(_)) => read(None),
                Known::Number(_) | Known::Address(None) | Known::Perhaps => Known::Perhaps,
            },
            _ => Known::Perhaps,
        }
    }

    /// The address of a place.
    fn known_place(&self, place: ExprId) -> Known {
        match self.node_of(place).kind {
            ExprKind::Object(object) if self.thread_locals.contains(&object) => {
                never(place, Why::Automatic)
            }
            ExprKind::Object(object) => Known::Address(Some(object)),
            ExprKind::Str => Known::Address(None),
            ExprKind::Local(_) => never(place, Why::Automatic),
            ExprKind::CompoundLit(_) if self.function.is_some() => never(place, Why::Automatic),
            ExprKind::CompoundLit(_) => Known::Address(None),
            ExprKind::Field(base, _) => self.known_place(base),
            ExprKind::Deref(ptr) => self.known(ptr),
            _ => Known::Perhaps,
        }
    }

    fn known_cast(&self, id: ExprId, value: ExprId) -> Known {
        let to = self.node_of(id).ty;
        match (self.known(value), self.types.kind(to)) {
            // An object's existence can be known even if its address is not.
            (Known::Never(_) | Known::Address(_), Type::Int(IntKind::Bool)) => Known::Perhaps,
            (Known::Never(n), Type::Int(_) | Type::Enum(_) | Type::Pointer(_) | Type::Float(_)) => {
                Known::Never(n)
            }
            (Known::Address(of), Type::Pointer(_)) => Known::Address(of),
            (Known::Address(of), Type::Int(_) | Type::Enum(_)) => match self.is_address_wide(to) {
                true => Known::Address(of),
                false => never(id, Why::Address),
            },
            (Known::Number(_), Type::Float(_)) => Known::Number(None),
            // The folder handles the others.
            _ => Known::Perhaps,
        }
    }

    fn known_binary(&self, id: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Known {
        let (x, y) = (self.known(a), self.known(b));
        match op {
            BinOp::Add | BinOp::Sub => sum(id, x, y, op == BinOp::Sub),
            BinOp::Mul => match (x, y) {
                (Known::Never(n), Known::Number(Some(factor)))
                | (Known::Number(Some(factor)), Known::Never(n))
                    if factor != 0 =>
                {
                    Known::Never(n)
                }
                (Known::Address(_), Known::Number(Some(factor)))
                | (Known::Number(Some(factor)), Known::Address(_))
                    if !(0..=1).contains(&factor) =>
                {
                    never(id, Why::Address)
                }
                (Known::Never(p), Known::Never(q)) => both(p, q),
                _ => Known::Perhaps,
            },
            BinOp::Div | BinOp::Rem => match (x, y) {
                (Known::Number(Some(_)), Known::Number(Some(0)))
                    if self.types.is_integer(self.node_of(b).ty) =>
                {
                    never(id, Why::DivisionByZero)
                }
                _ => Known::Perhaps,
            },
            _ => Known::Perhaps,
        }
    }
}

impl Nodes<'_> {
    fn node_of(&self, id: ExprId) -> &Expr {
        &self.body.exprs[id]
    }
}

impl Context<'_> {
    fn explained(&self, why: Why, span: Span) -> (String, &'static str) {
        let later = "assign the value in a function, before it is used";
        match why {
            Why::Run => {
                let text = self.parsed.stream.slice(span);
                (
                    format!("is not constant: `{text}` gets its value at run time"),
                    later,
                )
            }
            Why::Automatic => (
                "holds an address that differs between calls or threads".to_owned(),
                "make the object static, or assign its address in a function",
            ),
            Why::Address => (
                "converts an address to a number, but only a pointer or an integer of its size can hold it".to_owned(),
                later,
            ),
            Why::DivisionByZero => ("divides by zero".to_owned(), "correct the divisor"),
        }
    }

    fn is_address_wide(&self, ty: QualType) -> bool {
        self.types.int_kind_of(ty).map(IntKind::size) == Some(IntKind::Long.size())
    }
}

/// The sum or difference of two values.
fn sum(id: ExprId, x: Known, y: Known, negate: bool) -> Known {
    match (x, y) {
        (Known::Address(of), Known::Number(_)) => Known::Address(of),
        (Known::Number(_), Known::Address(_)) if negate => never(id, Why::Address),
        (Known::Number(_), Known::Address(of)) => Known::Address(of),
        (Known::Never(n), Known::Number(_)) | (Known::Number(_), Known::Never(n)) => {
            Known::Never(n)
        }
        // The value of a variable may be an address, but not a constant one.
        (Known::Never(n), Known::Address(_)) | (Known::Address(_), Known::Never(n))
            if n.why == Why::Run =>
        {
            Known::Never(n)
        }
        (Known::Never(p), Known::Never(q)) => both(p, q),
        _ => Known::Perhaps,
    }
}

/// Combines two values. Functions of two different variables cannot cancel out.
fn both(p: Never, q: Never) -> Known {
    match (p.of, q.of) {
        (Some(a), Some(b)) if a != b => Known::Never(Never { of: None, ..p }),
        _ => Known::Perhaps,
    }
}
