//! Constructors with which sema and the passes add nodes to a body.

use super::{
    Block, Body, Decl, DeclGroup, Expr, ExprFlags, ExprId, ExprKind, ExprList, Function, Init,
    InitId, InitKind, Local, LocalId, NestedId, ObjectId, RtOp, Scope, Stmt, StmtId, StmtKind,
    Turns,
};
use crate::types::{QualType, TypeId};
use upcc_grammar::ast::Span;

impl Decl {
    /// True for a variable with attributes, one of which may call a function at the end of its scope.
    pub fn has_attributes(&self) -> bool {
        matches!(self, Decl::Local { attrs, .. } if !attrs.is_empty())
    }
}

impl Body {
    /// Moves the contents out into a body that takes no more memory than it needs. This body keeps its memory, so that
    /// bodies that are made one after another do not each grow from nothing.
    pub fn take_contents(&mut self) -> Body {
        Body {
            exprs: self.exprs.drain(..).collect(),
            stmts: self.stmts.drain(..).collect(),
            locals: self.locals.drain(..).collect(),
            roles: self.roles.drain(..).collect(),
            inits: self.inits.drain(..).collect(),
            lists: self.lists.drain(..).collect(),
            vlas: self.vlas.drain(..).collect(),
            lengths: self.lengths.drain(..).collect(),
            param_lengths: self.param_lengths.drain(..).collect(),
            paths: self.paths.drain(..).collect(),
            nested: self.nested.drain(..).collect(),
        }
    }

    /// Returns an expression by id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    /// True for a place (invariant 2).
    pub fn is_place(&self, mut id: ExprId) -> bool {
        while let ExprKind::Field(record, _) = self.expr(id).kind {
            id = record;
        }
        self.expr(id).kind.is_place()
    }

    /// The function of a call, if it is called by name.
    pub fn called(&self, callee: ExprId) -> Option<ObjectId> {
        let ExprKind::Decay(function) = self.expr(callee).kind else {
            return None;
        };
        if let ExprKind::Object(object) = self.expr(function).kind {
            Some(object)
        } else {
            None
        }
    }

    /// Returns a statement by id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id]
    }

    /// Returns an initialiser by id.
    pub fn init(&self, id: InitId) -> &Init {
        &self.inits[id]
    }

    /// Returns a local variable by id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id]
    }

    /// The variable that holds the length of the array of shared elements with this number.
    pub fn length_local(&self, number: u32) -> Option<LocalId> {
        let found = self.lengths.binary_search_by_key(&number, |l| l.0).ok()?;
        Some(self.lengths[found].1)
    }

    /// The expressions of a list.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Appends an expression. Its operands must have been pushed before (invariant 1).
    pub fn push_expr(
        &mut self,
        kind: ExprKind,
        ty: QualType,
        span: Span,
        flags: ExprFlags,
    ) -> ExprId {
        self.exprs.push(Expr {
            kind,
            ty,
            span,
            flags,
        });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// Appends a list of expressions.
    pub fn push_list(&mut self, list: &[ExprId]) -> ExprList {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(list);
        ExprList {
            start,
            len: list.len() as u32,
        }
    }

    /// Appends a statement.
    pub fn push_stmt(&mut self, kind: StmtKind, span: Span, verbatim: bool) -> StmtId {
        self.stmts.push(Stmt {
            kind,
            span,
            verbatim,
            instrumented: false,
            turns: Turns::Unknown,
            trivia: None,
        });
        StmtId(self.stmts.len() as u32 - 1)
    }

    /// Appends a statement from the user's text, with the pragmas and attributes in front of it.
    pub fn push_written(&mut self, kind: StmtKind, span: Span, verbatim: bool) -> StmtId {
        let id = self.push_stmt(kind, span, verbatim);
        self.stmts[id].trivia = (span.lo < span.hi).then_some(span.lo);
        id
    }

    /// Appends a scope on the line of token `at`.
    pub fn push_scope(&mut self, scope: Scope, at: u32) -> StmtId {
        self.push_stmt(StmtKind::Scope(scope), Span { lo: at, hi: at }, false)
    }

    /// Moves a statement, with the pragmas and attributes in front of it, so that another can take its place.
    pub fn move_stmt(&mut self, id: StmtId) -> StmtId {
        let slot = &mut self.stmts[id];
        let moved = Stmt {
            kind: std::mem::replace(&mut slot.kind, StmtKind::Null),
            trivia: slot.trivia.take(),
            ..*slot
        };
        self.stmts.push(moved);
        StmtId(self.stmts.len() as u32 - 1)
    }

    /// Appends an initialiser.
    pub fn push_init(
        &mut self,
        kind: InitKind,
        ty: QualType,
        span: Span,
        verbatim: bool,
    ) -> InitId {
        self.inits.push(Init {
            kind,
            ty,
            span,
            verbatim,
        });
        InitId(self.inits.len() as u32 - 1)
    }

    /// Creates a new temporary, without a declaration.
    pub fn push_temp(&mut self, ty: QualType, span: Span) -> LocalId {
        self.locals.push(Local {
            name: None,
            ty,
            storage: 0,
            span,
        });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Appends an integer constant that has no text.
    pub fn int(&mut self, value: i64, ty: TypeId, span: Span) -> ExprId {
        self.push_expr(
            ExprKind::Int(value),
            QualType::plain(ty),
            span,
            ExprFlags::CONST,
        )
    }

    /// Appends a runtime operation without a type argument.
    pub fn rt(&mut self, op: RtOp, args: &[ExprId], ty: QualType, span: Span) -> ExprId {
        self.rt_typed(op, args, None, ty, span)
    }

    /// Appends a runtime operation on an object of type `ty_arg`.
    pub fn rt_typed(
        &mut self,
        op: RtOp,
        args: &[ExprId],
        ty_arg: Option<TypeId>,
        ty: QualType,
        span: Span,
    ) -> ExprId {
        let args = self.push_list(args);
        let kind = ExprKind::Rt {
            op,
            args,
            ty_arg,
            field: 0,
        };
        self.push_expr(kind, ty, span, ExprFlags::default())
    }

    /// Appends a read of a local variable.
    pub fn load_local(&mut self, local: LocalId, span: Span) -> ExprId {
        let ty = self.local(local).ty;
        let place = self.push_expr(ExprKind::Local(local), ty, span, ExprFlags::default());
        self.push_expr(
            ExprKind::Load(place),
            QualType::plain(ty.ty),
            span,
            ExprFlags::default(),
        )
    }

    /// Adds a function nested in the item's function.
    pub fn push_nested(&mut self, function: Function) -> NestedId {
        self.nested.push(function);
        NestedId(self.nested.len() as u32 - 1)
    }

    /// Returns a function nested in the item's function.
    pub fn nested(&self, id: NestedId) -> &Function {
        &self.nested[id]
    }

    /// Appends the declaration of a local variable with the initial value `value`.
    pub fn declare_local(&mut self, local: LocalId, value: ExprId, span: Span) -> StmtId {
        let ty = self.local(local).ty;
        let init = self.push_init(InitKind::Expr(value), ty, span, false);
        let group = DeclGroup {
            span,
            verbatim: false,
            tags: Vec::new(),
            decls: vec![Decl::Local {
                local,
                init: Some(init),
                attrs: Vec::new(),
                asm_label: None,
            }],
        };
        self.push_stmt(StmtKind::Decl(group), span, false)
    }

    /// Appends a compound statement.
    pub fn compound(&mut self, items: Vec<StmtId>, span: Span) -> StmtId {
        let block = Block {
            local_labels: Vec::new(),
            items,
        };
        self.push_stmt(StmtKind::Compound(block), span, false)
    }
}
