//! Expressions: AST to IL, one file for each kind. This file has the entry point, the dispatch, and the creation of
//! nodes.
//!
//! Nodes without text of their own (the `Deref` in `p->f`, the `PtrAdd` in `a[i]`) have an empty span. Loads, decays
//! and implicit conversions have the span of their operand, whose text has the same meaning in C.

mod calls;
mod casts;
mod copies;
mod members;
mod names;
mod operators;
mod pointers;
mod referenced;
mod sizes;
mod special;

use super::report::code;
use super::*;
use crate::diag::{Certainty, Edit, Help};
use crate::types::{Quals, Type};
use il::{ExprFlags, ExprKind};
pub(super) use referenced::PtsUse;

/// The class of a type for the operators.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Class {
    /// Already reported, or not modelled: allowed everywhere, without errors.
    Unknown,
    Void,
    Arith,
    /// Pointer to a private type.
    Ptr(QualType),
    /// Pointer-to-shared.
    Pts(QualType),
    Record,
    Vector,
    /// Array or function: not the type of a value.
    Other,
}

impl Sema<'_> {
    /// Analyses an expression to a place or a value; nothing is decayed or loaded.
    pub fn expr(&mut self, id: ast::ExprId) -> il::ExprId {
        deep(|| self.expr_inner(id))
    }

    /// Analyses an expression to a value: places are loaded, arrays and functions decay.
    pub fn rvalue(&mut self, id: ast::ExprId) -> il::ExprId {
        let e = self.expr(id);
        self.value_of(e)
    }

    /// Returns the type of an unevaluated expression.
    pub fn expr_type(&mut self, id: ast::ExprId) -> QualType {
        self.unevaluated(|s| {
            let e = s.expr(id);
            s.ty(e)
        })
    }

    /// Returns the type of the operand of `typeof`, which must not be a bit-field.
    pub(in crate::sema) fn typeof_expr(&mut self, id: ast::ExprId) -> QualType {
        self.unevaluated(|s| {
            let e = s.expr(id);
            if s.field_bits(e).is_some() {
                let span = s.ast[id].span;
                let help = "name the member's declared type";
                s.error(
                    code::BAD_SIZEOF,
                    span,
                    "`typeof` cannot be applied to a bit-field",
                    help,
                );
            }
            s.ty(e)
        })
    }

    /// Runs `work` and drops the nodes it has created, unless they include the size of a variable length array.
    pub(super) fn unevaluated<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let mark = specs::Mark::of(&self.body);
        let sizes = (self.body.vlas.len(), self.body.lengths.len());
        self.unevaluated += 1;
        let result = work(self);
        self.unevaluated -= 1;
        if (self.body.vlas.len(), self.body.lengths.len()) == sizes {
            mark.rewind(&mut self.body);
        }
        result
    }

    fn expr_inner(&mut self, id: ast::ExprId) -> il::ExprId {
        use ast::ExprKind as A;
        let ast::Expr { kind, span } = self.ast[id];
        match kind {
            A::Name(symbol) => self.name_expr(symbol, span),
            A::Number => self.number_expr(span),
            A::Char => self.char_expr(span),
            A::Str => self.string_expr(span),
            A::Paren(inner) => {
                let e = self.expr(inner);
                self.body.exprs[e].span = span;
                e
            }
            A::Unary(op, operand) => self.unary_expr(op, operand, span),
            A::Binary(op, a, b) => {
                let left = self.rvalue(a);
                let right = self.rvalue(b);
                self.binary_values(op, left, right, span)
            }
            A::Assign(None, a, b) => self.assign_expr(a, b, span),
            A::Assign(Some(op), a, b) => self.assign_op_expr(op, a, b, span),
            A::Cond(c, a, b) => self.cond_expr(c, a, b, span),
            A::Comma(a, b) => {
                let left = self.rvalue(a);
                let right = self.rvalue(b);
                let ty = self.ty(right);
                self.make(ExprKind::Comma(left, right), ty, span, &[left, right])
            }
            A::Index(a, b) => self.index_expr(a, b, span),
            A::Call(callee, args) => self.call_expr(callee, args, span),
            A::Member(base, field) => self.member_expr(base, field, span),
            A::Arrow(base, field) => self.arrow_expr(base, field, span),
            A::Cast(to, operand) => self.cast_expr(to, operand, span),
            A::CompoundLit(ty, init) => self.compound_literal(ty, init, span),
            A::SizeExpr(op, operand) => self.size_of_expr(op, operand, span),
            A::SizeType(op, ty) => self.size_of_type(op, ty, span),
            A::StmtExpr(body) => self.statement_expr(body, span),
            A::LabelAddr(label) => self.label_address(label, span),
            A::Generic(control, list) => self.generic_expr(control, list, span),
            A::VaArg(list, ty) => self.va_arg_expr(list, ty, span),
            A::Offsetof(ty, designator) => self.offsetof_expr(ty, designator, span),
            A::TypesCompatible(a, b) => self.types_compatible_expr(a, b, span),
            A::ConvertVector(operand, ty) => self.convert_vector(operand, ty, span),
            A::BuiltinWithTypes(_) => self.opaque(QualType::plain(Types::UNKNOWN), span),
            A::Threads => self.threads_expr(span),
            A::MyThread => self.push_expr(
                ExprKind::MyThread,
                QualType::plain(Types::INT),
                span,
                ExprFlags::default(),
            ),
        }
    }

    /// Analyses a controlling expression, and checks that it is a scalar.
    pub(super) fn condition(&mut self, id: ast::ExprId) -> il::ExprId {
        let e = self.rvalue(id);
        self.require_scalar(e);
        if let ast::ExprKind::Assign(None, place, _) = self.ast[id].kind {
            let (whole, place) = (self.ast[id].span, self.ast[place].span);
            self.assigned_condition(whole, place.hi);
        }
        e
    }
}

impl Context<'_> {
    /// Warns about a condition that assigns: parentheses around it, as in `while ((c = next()))`, say that it is meant.
    fn assigned_condition(&mut self, span: Span, operator: u32) {
        let message = "this condition is an assignment, not a comparison";
        let stream = &self.parsed.stream;
        let (whole, sign) = (
            stream.bytes(span),
            stream.bytes(Span {
                lo: operator,
                hi: operator + 1,
            }),
        );
        let compare = Help::replace(
            "write `==` to compare",
            sign.clone(),
            "==",
            Certainty::Maybe,
        );
        let before = Edit::Before {
            bytes: whole.clone(),
            text: "(".to_owned(),
        };
        let words = "if it is meant, put parentheses around it";
        let mut keep = Help::edit(words, before, Certainty::Maybe);
        keep.edits.push(Edit::After {
            bytes: whole,
            text: ")".to_owned(),
        });
        self.diags
            .report(code::ASSIGNED_CONDITION, sign, message)
            .help(compare)
            .help(keep);
    }
}

impl Nodes<'_> {
    // ---- nodes

    /// Returns the node of an id.
    pub(super) fn node(&self, id: il::ExprId) -> il::Expr {
        self.body.exprs[id]
    }

    /// Returns the type of a node.
    pub(super) fn ty(&self, id: il::ExprId) -> QualType {
        self.body.exprs[id].ty
    }

    pub(super) fn is_verbatim(&self, id: il::ExprId) -> bool {
        self.node(id).flags.has(ExprFlags::VERBATIM)
    }

    /// Adds a node over `operands`. It is verbatim if they are and its type does not mention `shared`, and constant if
    /// it folds.
    pub(super) fn make(
        &mut self,
        kind: ExprKind,
        ty: QualType,
        span: Span,
        operands: &[il::ExprId],
    ) -> il::ExprId {
        self.make_flagged(kind, ty, span, operands, ExprFlags::default())
    }

    /// Adds a node as `make` does, with more flags.
    pub(super) fn make_flagged(
        &mut self,
        kind: ExprKind,
        ty: QualType,
        span: Span,
        operands: &[il::ExprId],
        mut flags: ExprFlags,
    ) -> il::ExprId {
        let exprs = &self.body.exprs;
        if !self.types.has_shared(ty)
            && operands
                .iter()
                .all(|&e| exprs[e].flags.has(ExprFlags::VERBATIM))
        {
            flags = flags.with(ExprFlags::VERBATIM);
        }
        if self.folder().is_const(kind, ty) {
            flags = flags.with(ExprFlags::CONST);
        }
        self.push_expr(kind, ty, span, flags)
    }

    /// Adds a node that the IL does not model: opaque if it is verbatim, else of the given kind.
    pub(super) fn unmodelled(
        &mut self,
        kind: ExprKind,
        ty: QualType,
        span: Span,
        operands: &[il::ExprId],
    ) -> il::ExprId {
        if operands.iter().all(|&e| self.is_verbatim(e)) && span.lo != span.hi {
            return self.opaque(ty, span);
        }
        self.make(kind, ty, span, operands)
    }

    /// Adds an expression whose meaning is given by its tokens.
    pub(super) fn opaque(&mut self, ty: QualType, span: Span) -> il::ExprId {
        self.push_expr(ExprKind::Opaque, ty, span, ExprFlags::VERBATIM)
    }

    /// Adds a placeholder for an expression with an error.
    pub(super) fn poison(&mut self, span: Span) -> il::ExprId {
        self.opaque(QualType::plain(Types::UNKNOWN), span)
    }

    /// Adds an integer constant; the caller decides whether it is verbatim.
    pub(super) fn int_node(
        &mut self,
        value: i64,
        ty: QualType,
        span: Span,
        verbatim: bool,
    ) -> il::ExprId {
        let flags = if verbatim {
            ExprFlags::VERBATIM.with(ExprFlags::CONST)
        } else {
            ExprFlags::CONST
        };
        self.push_expr(ExprKind::Int(value), ty, span, flags)
    }

    /// True if the node designates an object or function.
    pub(super) fn is_place(&self, id: il::ExprId) -> bool {
        self.body.is_place(id)
    }

    /// Loads a place; arrays and functions decay; values are unchanged.
    pub(super) fn value_of(&mut self, id: il::ExprId) -> il::ExprId {
        let node = self.node(id);
        match *self.types.kind(node.ty) {
            Type::Array(elem, _) => {
                let elem = self.types.array(node.ty).map_or(elem, |(elem, _)| elem);
                let ty = QualType::plain(self.types.pointer_to(elem));
                self.make(ExprKind::Decay(id), ty, node.span, &[id])
            }
            Type::Function(_) => {
                let ty = QualType::plain(self.types.pointer_to(node.ty.bare()));
                self.make(ExprKind::Decay(id), ty, node.span, &[id])
            }
            _ if self.is_place(id) => {
                if self.types.has_shared(node.ty)
                    && self.types.is_shared(node.ty)
                    && !self.types.is_complete(node.ty)
                {
                    self.incomplete_access(id);
                    return self.poison(node.span);
                }
                let ty = self.types.unqualified(node.ty);
                let strict = self.access_flags(node.ty);
                self.make_flagged(ExprKind::Load(id), ty, node.span, &[id], strict)
            }
            _ => id,
        }
    }

    /// Reports an access to an object of incomplete type, of a variable once.
    fn incomplete_access(&mut self, place: il::ExprId) {
        let node = self.node(place);
        if let ExprKind::Object(object) = node.kind
            && !self.accessed.insert(object)
        {
            return;
        }
        let message = format!(
            "access to an object of incomplete type `{}`",
            self.show(node.ty)
        );
        let help = self
            .lock_help(node.ty)
            .unwrap_or("cast the pointer to a pointer to a complete type, or define the type");
        self.error(code::INCOMPLETE_TYPE, node.span, message, help);
        self.note_declaration(place);
    }

    /// `STRICT` for a strict access to a shared place: its own qualifier decides, else the pragma in force (UPC
    /// 6.5.1.1p7).
    pub(super) fn access_flags(&self, place: QualType) -> ExprFlags {
        if !self.types.has_shared(place) || !self.types.is_shared(place) {
            return ExprFlags::default();
        }
        let quals = self.types.resolve(place).quals;
        let strict = quals.has(Quals::STRICT) || (self.strict && !quals.has(Quals::RELAXED));
        if strict {
            ExprFlags::STRICT
        } else {
            ExprFlags::default()
        }
    }

    pub(super) fn class_of(&self, id: il::ExprId) -> Class {
        self.class(self.ty(id))
    }

    /// Reports a value that cannot be compared with zero.
    pub(super) fn require_scalar(&mut self, e: il::ExprId) -> bool {
        match self.class_of(e) {
            Class::Unknown | Class::Arith | Class::Ptr(_) | Class::Pts(_) => true,
            Class::Vector => true,
            Class::Void | Class::Record | Class::Other => {
                let node = self.node(e);
                let message = format!(
                    "a value of type `{}` cannot be used as a condition",
                    self.show(node.ty)
                );
                self.error(
                    code::NOT_SCALAR,
                    node.span,
                    message,
                    "test one of its members, or a value computed from it",
                );
                false
            }
        }
    }
}

impl Context<'_> {
    /// Returns the class of a type.
    pub(super) fn class(&self, qt: QualType) -> Class {
        match *self.types.kind(qt) {
            Type::Void => Class::Void,
            Type::Int(_)
            | Type::Enum(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_) => Class::Arith,
            Type::Pointer(to) if self.types.has_shared(to) && self.types.is_shared(to) => {
                Class::Pts(to)
            }
            Type::Pointer(to) => Class::Ptr(to),
            Type::Record(_) => Class::Record,
            Type::Vector(..) => Class::Vector,
            Type::VaList | Type::Unknown => Class::Unknown,
            // A canonical form is never a typedef.
            Type::Array(..) | Type::Function(_) | Type::Typedef(_) => Class::Other,
        }
    }
}
