//! Invariants 3, 4, 5 and 9: the types of nodes agree with those of their operands.

use super::validate::{Check, Stage};
use super::walk::Node;
use super::{Expr, ExprFlags, ExprId, ExprKind, ExprList, InitId, InitKind};
use crate::types::{QualType, Quals, Type};
use upcc_grammar::ast::BinOp;

impl Check<'_> {
    /// True for the same type up to its own qualifiers. Types that sema could not model are like any other. After
    /// `lower` all pointers-to-shared have one type in C.
    fn is_same(&self, a: QualType, b: QualType) -> bool {
        if self.stage == Stage::Lowered && self.types.is_pts(a) && self.types.is_pts(b) {
            return true;
        }
        let bare = |ty| self.types.canon_qt(self.types.unqualified(ty));
        let (a, b) = (bare(a), bare(b));
        a == b || self.types.compatible(a, b)
    }

    /// Invariant 3.
    pub(super) fn conversions(&mut self, node: Node, e: &Expr) {
        use ExprKind::*;
        let wrong = match e.kind {
            Binary(op, a, b) => !self.are_converted(e, op, a, b),
            Assign { place, value } => {
                !self.is_same(self.ty(place), self.ty(value)) || !self.is_same(e.ty, self.ty(value))
            }
            Call(callee, args) => {
                if let Some(what) = self.call(e, callee, args) {
                    self.fail(3, node, what);
                }
                false
            }
            Cond(_, a, b) => {
                let branch = |id| self.types.is_void(e.ty) || self.is_same(self.ty(id), e.ty);
                !branch(a) || !branch(b)
            }
            CondElvis(_, b) => !self.types.is_void(e.ty) && !self.is_same(self.ty(b), e.ty),
            Comma(_, b) => !self.is_same(self.ty(b), e.ty),
            Load(place) => !self.is_same(self.ty(place), e.ty),
            Unary(..) | Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_)
            | RealPlace(_) | ImagPlace(_) | Int(_) | Number | AddrOf(_) | Decay(_)
            | PtrDiff(..) | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_)
            | VaArg(_) | Opaque | Threads | MyThread => false,
            AssignOp { .. } | IncDec { .. } | PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
        };
        if wrong {
            self.fail(3, node, "operands not converted");
        }
    }

    fn are_converted(&self, e: &Expr, op: BinOp, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.ty(a), self.ty(b));
        let arithmetic = |ty: QualType| {
            let ty = self.types.canon_qt(self.types.unqualified(ty));
            matches!(
                self.types.get(ty.ty),
                Type::Int(_) | Type::Float(_) | Type::Complex(_)
            )
        };
        let both = arithmetic(a) && arithmetic(b);
        match op {
            BinOp::And | BinOp::Or => true,
            BinOp::Shl | BinOp::Shr => !both || self.is_same(a, e.ty),
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                match (self.types.is_pointer(a), self.types.is_pointer(b)) {
                    (false, false) => !both || self.is_same(a, b),
                    // Those of different targets are compared as they are, with a warning of sema.
                    (true, true) => self.types.is_pts(a) == self.types.is_pts(b),
                    (true, false) | (false, true) => false,
                }
            }
            BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::Add
            | BinOp::Sub
            | BinOp::BitAnd
            | BinOp::BitXor
            | BinOp::BitOr => !both || (self.is_same(a, e.ty) && self.is_same(b, e.ty)),
        }
    }

    /// Returns what is wrong with the types of a call.
    fn call(&self, e: &Expr, callee: ExprId, args: ExprList) -> Option<&'static str> {
        let of = self.ty(callee);
        let function = match self.types.pointee(of) {
            Some(to) => self.types.function(to),
            None if self.types.is_unknown(of) => return None,
            None => self.types.function(of),
        };
        let Some(function) = function else {
            let unknown = self
                .types
                .pointee(of)
                .is_some_and(|to| self.types.is_unknown(to));
            return (!unknown).then_some("call of what is no function");
        };
        if !self.is_same(function.ret, e.ty) {
            return Some("a call has not the type of its function");
        }
        if !function.prototype {
            return None;
        }
        let args = self.body.list(args);
        let more = args.len() > function.params.len() && !function.variadic;
        if more || args.len() < function.params.len() {
            return Some("a call with another number of arguments than its function");
        }
        let mut pairs = args.iter().zip(&function.params);
        let fits = pairs.all(|(&arg, &param)| self.is_same(self.ty(arg), param));
        (!fits).then_some("arguments not converted")
    }

    /// Invariant 3, for `return`.
    pub(super) fn returned(&mut self, node: Node, value: ExprId) {
        if let Some(&result) = self.results.last()
            && !self.is_same(result, self.ty(value))
        {
            self.fail(3, node, "result not converted");
        }
    }

    /// Invariant 3, for the leaves of initialisers.
    pub(super) fn init(&mut self, id: InitId) {
        let init = self.body.init(id);
        if let InitKind::Expr(value) = init.kind
            && !self.types.is_array(init.ty)
            && !self.is_same(init.ty, self.ty(value))
        {
            self.fail(3, Node::Init(id), "initialiser not converted");
        }
    }

    /// Invariants 4 and 9.
    pub(super) fn pointers(&mut self, node: Node, e: &Expr) {
        use ExprKind::*;
        let agrees = match e.kind {
            PtrAdd { ptr, index, .. } => {
                // Elements of a GNU vector can be subscripted too.
                let vector = matches!(self.types.kind(self.ty(ptr)), Type::Vector(..));
                let pointer =
                    self.types.is_pointer(self.ty(ptr)) && self.is_same(self.ty(ptr), e.ty);
                (vector || pointer) && self.is_index(self.ty(index))
            }
            Deref(p) => self.points_to(self.ty(p), e.ty),
            AddrOf(place) => self.points_to(e.ty, self.ty(place)),
            Decay(place) => {
                let of = self.ty(place);
                let target = self.types.array(of).map_or(of, |(elem, _)| elem);
                self.points_to(e.ty, target)
            }
            PtrDiff(a, b) => {
                let pointer = |id| self.types.is_pointer(self.ty(id));
                pointer(a) && pointer(b) && self.types.is_integer(e.ty)
            }
            Local(_) | Object(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | Unary(..) | Binary(..) | Cond(..)
            | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
            | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => true,
            Assign { .. } | AssignOp { .. } | IncDec { .. } | Cast { .. } | Rt { .. } => true,
        };
        if !agrees {
            self.fail(4, node, "pointer, index and target do not agree");
        }
        if let Field(record, _) = e.kind
            && self.types.is_shared(self.ty(record))
            && self.types.shared_elem(e.ty).is_none_or(|(_, b)| b != 0)
        {
            self.fail(9, node, "member of a shared record without 'shared []'");
        }
    }

    /// True for a promoted integer type.
    fn is_index(&self, ty: QualType) -> bool {
        self.types.is_unknown(ty)
            || self
                .types
                .int_kind_of(ty)
                .is_some_and(|kind| kind.size() >= 4)
    }

    fn points_to(&self, pointer: QualType, target: QualType) -> bool {
        if self.types.is_unknown(pointer) || self.types.is_unknown(target) {
            return true;
        }
        let to = self.types.pointee(pointer);
        to.is_some_and(|to| {
            self.is_same(to, target) && self.types.is_shared(to) == self.types.is_shared(target)
        })
    }

    /// Invariant 5. Which of the accesses without a qualifier are strict depends on the pragma in force.
    pub(super) fn strictness(&mut self, node: Node, e: &Expr) {
        let strict = e.flags.has(ExprFlags::STRICT);
        let place = if let ExprKind::Load(place)
        | ExprKind::Assign { place, .. }
        | ExprKind::AssignOp { place, .. }
        | ExprKind::IncDec { place, .. } = e.kind
        {
            Some(self.ty(place)).filter(|&ty| self.types.is_shared(ty))
        } else {
            None
        };
        let Some(place) = place else {
            if strict && self.stage == Stage::Typed {
                self.fail(5, node, "strict, but no shared access");
            }
            return;
        };
        let quals = self.types.resolve(place).quals;
        if quals.has(Quals::STRICT) && !strict {
            self.fail(5, node, "a relaxed access to a strict object");
        }
        if quals.has(Quals::RELAXED) && strict {
            self.fail(5, node, "a strict access to a relaxed object");
        }
    }
}
