//! Walks over a body: children of a node, all nodes below a statement, copies of a statement.
//!
//! The walks keep their own stack, so the nesting depth of the program does not use the call stack.

use super::{
    Affinity, AsmOperand, Block, Body, Decl, DeclGroup, Expr, ExprFlags, ExprId, ExprKind,
    ExprList, ForInit, Init, InitId, InitKind, Stmt, StmtId, StmtKind,
};

/// A node of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    Expr(ExprId),
    Stmt(StmtId),
    Init(InitId),
}

/// Calls `f` with every direct child of an expression.
pub fn expr_children(body: &Body, id: ExprId, f: &mut (impl FnMut(Node) + ?Sized)) {
    use ExprKind::*;
    match body.exprs[id].kind {
        Local(_) | Object(_) | Str | Int(_) | Number | SizePerThread(_) | LabelAddr(_) | Opaque
        | Threads | MyThread => {}
        CompoundLit(init) => f(Node::Init(init)),
        Deref(e)
        | Field(e, _)
        | RealPlace(e)
        | ImagPlace(e)
        | Load(e)
        | AddrOf(e)
        | Decay(e)
        | Unary(_, e)
        | SizeofPlace(e)
        | VaArg(e) => f(Node::Expr(e)),
        IncDec { place, .. } => f(Node::Expr(place)),
        Cast { value, .. } => f(Node::Expr(value)),
        Binary(_, a, b) | PtrDiff(a, b) | CondElvis(a, b) | Comma(a, b) => both(f, a, b),
        PtrAdd { ptr, index, .. } => both(f, ptr, index),
        Assign { place, value } | AssignOp { place, value, .. } => both(f, place, value),
        Cond(a, b, c) => {
            both(f, a, b);
            f(Node::Expr(c));
        }
        Call(callee, args) => {
            f(Node::Expr(callee));
            list_children(body, args, f);
        }
        Rt { args, .. } => list_children(body, args, f),
        StmtExpr(stmt) => f(Node::Stmt(stmt)),
    }
}

fn both(f: &mut (impl FnMut(Node) + ?Sized), a: ExprId, b: ExprId) {
    f(Node::Expr(a));
    f(Node::Expr(b));
}

fn list_children(body: &Body, list: ExprList, f: &mut (impl FnMut(Node) + ?Sized)) {
    for &e in &body.lists[list.start as usize..(list.start + list.len) as usize] {
        f(Node::Expr(e));
    }
}

/// Calls `f` with every direct child of a statement.
pub fn stmt_children(body: &Body, id: StmtId, f: &mut (impl FnMut(Node) + ?Sized)) {
    use StmtKind::*;
    match &body.stmts[id].kind {
        Null | Goto(_) | Break | Continue | Return(None) | Sync(_, None) | Fence | Scope(..) => {}
        Compound(block) => block.items.iter().for_each(|&s| f(Node::Stmt(s))),
        Nested(id) => f(Node::Stmt(body.nested(*id).root)),
        Expr(e) | GotoExpr(e) | Return(Some(e)) | Sync(_, Some(e)) => f(Node::Expr(*e)),
        If(c, a, b) => {
            f(Node::Expr(*c));
            f(Node::Stmt(*a));
            b.iter().for_each(|&s| f(Node::Stmt(s)));
        }
        Switch(c, s) | While(c, s) => {
            f(Node::Expr(*c));
            f(Node::Stmt(*s));
        }
        DoWhile(s, c) => {
            f(Node::Stmt(*s));
            f(Node::Expr(*c));
        }
        For {
            init,
            cond,
            step,
            body: inner,
        } => loop_children(init, *cond, *step, *inner, f),
        Forall {
            init,
            cond,
            step,
            affinity,
            body: inner,
        } => {
            match affinity {
                Affinity::All => {}
                Affinity::Int(e) | Affinity::Pts(e) => f(Node::Expr(*e)),
            }
            loop_children(init, *cond, *step, *inner, f);
        }
        Label(_, s) | Default(s) => f(Node::Stmt(*s)),
        Case(lo, hi, s) => {
            f(Node::Expr(*lo));
            hi.iter().for_each(|&e| f(Node::Expr(e)));
            f(Node::Stmt(*s));
        }
        Asm { outputs, inputs } => outputs
            .iter()
            .chain(inputs)
            .for_each(|o| f(Node::Expr(o.value))),
        Decl(group) => group_children(group, f),
    }
}

fn loop_children(
    init: &ForInit,
    cond: Option<ExprId>,
    step: Option<ExprId>,
    body: StmtId,
    f: &mut (impl FnMut(Node) + ?Sized),
) {
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => f(Node::Expr(*e)),
        ForInit::Decl(group) => group_children(group, f),
    }
    cond.into_iter().chain(step).for_each(|e| f(Node::Expr(e)));
    f(Node::Stmt(body));
}

/// Returns the initialisers of a declaration.
pub fn group_inits(group: &DeclGroup) -> impl Iterator<Item = InitId> + '_ {
    group.decls.iter().filter_map(|decl| match decl {
        Decl::Local { init, .. } | Decl::Object { init, .. } => *init,
        Decl::Typedef { .. } | Decl::StaticAssert | Decl::Length { .. } | Decl::Shared { .. } => {
            None
        }
    })
}

fn group_children(group: &DeclGroup, f: &mut (impl FnMut(Node) + ?Sized)) {
    for decl in &group.decls {
        match decl {
            Decl::Local { init, .. } | Decl::Object { init, .. } => {
                init.iter().for_each(|&init| f(Node::Init(init)));
            }
            Decl::Length { value, .. } => f(Node::Expr(*value)),
            Decl::Typedef { .. } | Decl::StaticAssert | Decl::Shared { .. } => {}
        }
    }
}

/// Calls `f` with every direct child of an initialiser.
pub fn init_children(body: &Body, id: InitId, f: &mut (impl FnMut(Node) + ?Sized)) {
    match &body.inits[id].kind {
        InitKind::Expr(e) => f(Node::Expr(*e)),
        InitKind::List(items) => items.iter().for_each(|(_, init)| f(Node::Init(*init))),
    }
}

/// Calls `f` with `root` and every node below it, parents first. A node for which `f` returns false is not entered.
pub fn visit(body: &Body, root: Node, f: &mut dyn FnMut(Node) -> bool) {
    let mut stack = Vec::with_capacity(32);
    stack.push(root);
    while let Some(node) = stack.pop() {
        if !f(node) {
            continue;
        }
        let below = stack.len();
        // One closure for all kinds, which the compiler can expand in place: walks are half the time of the lints.
        let push = &mut |n| stack.push(n);
        match node {
            Node::Expr(e) => expr_children(body, e, push),
            Node::Stmt(s) => stmt_children(body, s, push),
            Node::Init(i) => init_children(body, i, push),
        }
        if stack.len() > below + 1 {
            stack[below..].reverse();
        }
    }
}

/// Copies statements and expressions within a body, with a hook that may replace an expression by another.
///
/// Locals, labels and tags are not renamed: the copy must stand in a scope of its own, and the original must not
/// contain labels.
pub struct Copier<'a> {
    /// Returns the replacement of an original expression in the copy, or `None` for a plain copy of it.
    pub replace: &'a mut dyn FnMut(&mut Body, ExprId) -> Option<ExprId>,
}

/// Copies a statement without changes.
pub fn copy_stmt(body: &mut Body, id: StmtId) -> StmtId {
    Copier {
        replace: &mut |_, _| None,
    }
    .stmt(body, id)
}

/// Copies an expression without changes, for use outside its scope.
pub fn copy_expr_out_of_scope(body: &mut Body, id: ExprId) -> ExprId {
    Copier {
        replace: &mut |_, _| None,
    }
    .expr_out_of_scope(body, id)
}

/// Copies an expression without changes.
pub fn copy_expr(body: &mut Body, id: ExprId) -> ExprId {
    Copier {
        replace: &mut |_, _| None,
    }
    .expr(body, id)
}

impl Copier<'_> {
    /// Copies an expression.
    pub fn expr(&mut self, body: &mut Body, id: ExprId) -> ExprId {
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            if let Some(other) = (self.replace)(body, id) {
                return other;
            }
            let original = body.exprs[id];
            let kind = self.expr_kind(body, original.kind);
            body.exprs.push(Expr { kind, ..original });
            ExprId(body.exprs.len() as u32 - 1)
        })
    }

    /// Copies an expression for use outside its scope. The copy is printed from the IL: its tokens may name what that scope
    /// declares (IL invariants 6 and 10).
    pub fn expr_out_of_scope(&mut self, body: &mut Body, id: ExprId) -> ExprId {
        let first_copied = body.exprs.next_key();
        let copied = self.expr(body, id);
        for node in &mut body.exprs[first_copied..] {
            node.flags = node.flags.without(ExprFlags::VERBATIM);
        }
        copied
    }

    fn expr_kind(&mut self, body: &mut Body, kind: ExprKind) -> ExprKind {
        use ExprKind::*;
        let mut go = |e| self.expr(body, e);
        match kind {
            Local(_) | Object(_) | Str | Int(_) | Number | SizePerThread(_) | LabelAddr(_)
            | Opaque | Threads | MyThread => kind,
            CompoundLit(init) => CompoundLit(self.init(body, init)),
            Deref(e) => Deref(go(e)),
            Field(e, i) => Field(go(e), i),
            RealPlace(e) => RealPlace(go(e)),
            ImagPlace(e) => ImagPlace(go(e)),
            Load(e) => Load(go(e)),
            AddrOf(e) => AddrOf(go(e)),
            Decay(e) => Decay(go(e)),
            Unary(op, e) => Unary(op, go(e)),
            SizeofPlace(e) => SizeofPlace(go(e)),
            VaArg(e) => VaArg(go(e)),
            IncDec { place, post, dec } => IncDec {
                place: go(place),
                post,
                dec,
            },
            Cast { value, implicit } => Cast {
                value: go(value),
                implicit,
            },
            Binary(op, a, b) => Binary(op, go(a), go(b)),
            PtrDiff(a, b) => PtrDiff(go(a), go(b)),
            CondElvis(a, b) => CondElvis(go(a), go(b)),
            Comma(a, b) => Comma(go(a), go(b)),
            PtrAdd { ptr, index, negate } => PtrAdd {
                ptr: go(ptr),
                index: go(index),
                negate,
            },
            Assign { place, value } => Assign {
                place: go(place),
                value: go(value),
            },
            AssignOp {
                op,
                place,
                value,
                compute,
            } => AssignOp {
                op,
                place: go(place),
                value: go(value),
                compute,
            },
            Cond(a, b, c) => Cond(go(a), go(b), go(c)),
            Call(callee, args) => Call(go(callee), self.list(body, args)),
            Rt {
                op,
                args,
                ty_arg,
                field,
            } => Rt {
                op,
                args: self.list(body, args),
                ty_arg,
                field,
            },
            StmtExpr(stmt) => StmtExpr(self.stmt(body, stmt)),
        }
    }

    fn list(&mut self, body: &mut Body, list: ExprList) -> ExprList {
        let copied: Vec<ExprId> = (list.start..list.start + list.len)
            .map(|i| self.expr(body, body.lists[i as usize]))
            .collect();
        let start = body.lists.len() as u32;
        body.lists.extend(copied);
        ExprList {
            start,
            len: list.len,
        }
    }

    /// Copies an initialiser.
    pub fn init(&mut self, body: &mut Body, id: InitId) -> InitId {
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            let Init {
                ref kind,
                ty,
                span,
                verbatim,
            } = body.inits[id];
            let kind = match kind {
                InitKind::Expr(e) => {
                    let e = *e;
                    InitKind::Expr(self.expr(body, e))
                }
                InitKind::List(items) => {
                    let items = items.clone();
                    InitKind::List(
                        items
                            .into_iter()
                            .map(|(path, init)| (path, self.init(body, init)))
                            .collect(),
                    )
                }
            };
            body.inits.push(Init {
                kind,
                ty,
                span,
                verbatim,
            });
            InitId(body.inits.len() as u32 - 1)
        })
    }

    fn group(&mut self, body: &mut Body, group: DeclGroup) -> DeclGroup {
        let decls = group
            .decls
            .into_iter()
            .map(|decl| match decl {
                Decl::Local {
                    local,
                    init: i,
                    attrs,
                    asm_label,
                } => Decl::Local {
                    local,
                    init: i.map(|i| self.init(body, i)),
                    attrs,
                    asm_label,
                },
                Decl::Object {
                    object,
                    storage,
                    init: i,
                    ty,
                    attrs,
                    asm_label,
                } => Decl::Object {
                    object,
                    storage,
                    init: i.map(|i| self.init(body, i)),
                    ty,
                    attrs,
                    asm_label,
                },
                Decl::Typedef { typedef, attrs } => Decl::Typedef { typedef, attrs },
                Decl::Length { local, value } => Decl::Length {
                    local,
                    value: self.expr(body, value),
                },
                Decl::StaticAssert | Decl::Shared { .. } => decl,
            })
            .collect();
        DeclGroup { decls, ..group }
    }

    /// Copies the init clause of a loop.
    pub fn for_init(&mut self, body: &mut Body, init: ForInit) -> ForInit {
        match init {
            ForInit::None => ForInit::None,
            ForInit::Expr(e) => ForInit::Expr(self.expr(body, e)),
            ForInit::Decl(group) => ForInit::Decl(self.group(body, group)),
        }
    }

    fn operands(&mut self, body: &mut Body, operands: Vec<AsmOperand>) -> Vec<AsmOperand> {
        operands
            .into_iter()
            .map(|o| AsmOperand {
                value: self.expr(body, o.value),
                span: o.span,
            })
            .collect()
    }

    /// Copies a statement.
    pub fn stmt(&mut self, body: &mut Body, id: StmtId) -> StmtId {
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            let original = body.stmts[id].clone();
            let kind = self.stmt_kind(body, original.kind);
            body.stmts.push(Stmt { kind, ..original });
            StmtId(body.stmts.len() as u32 - 1)
        })
    }

    fn stmt_kind(&mut self, body: &mut Body, kind: StmtKind) -> StmtKind {
        use StmtKind::*;
        match kind {
            Null
            | Goto(_)
            | Break
            | Continue
            | Return(None)
            | Sync(_, None)
            | Fence
            | Scope(..) => kind,
            Compound(block) => {
                let items = block.items.iter().map(|&s| self.stmt(body, s)).collect();
                Compound(Block {
                    items,
                    local_labels: block.local_labels,
                })
            }
            Nested(id) => {
                let mut function = body.nested(id).clone();
                function.root = self.stmt(body, function.root);
                Nested(body.push_nested(function))
            }
            Expr(e) => Expr(self.expr(body, e)),
            GotoExpr(e) => GotoExpr(self.expr(body, e)),
            Return(Some(e)) => Return(Some(self.expr(body, e))),
            Sync(what, Some(e)) => Sync(what, Some(self.expr(body, e))),
            If(c, a, b) => If(
                self.expr(body, c),
                self.stmt(body, a),
                b.map(|b| self.stmt(body, b)),
            ),
            Switch(c, s) => Switch(self.expr(body, c), self.stmt(body, s)),
            While(c, s) => While(self.expr(body, c), self.stmt(body, s)),
            DoWhile(s, c) => DoWhile(self.stmt(body, s), self.expr(body, c)),
            For {
                init,
                cond,
                step,
                body: inner,
            } => {
                let init = self.for_init(body, init);
                let [cond, step] = [cond, step].map(|e| e.map(|e| self.expr(body, e)));
                For {
                    init,
                    cond,
                    step,
                    body: self.stmt(body, inner),
                }
            }
            Forall {
                init,
                cond,
                step,
                affinity,
                body: inner,
            } => {
                let init = self.for_init(body, init);
                let [cond, step] = [cond, step].map(|e| e.map(|e| self.expr(body, e)));
                let affinity = match affinity {
                    Affinity::All => Affinity::All,
                    Affinity::Int(e) => Affinity::Int(self.expr(body, e)),
                    Affinity::Pts(e) => Affinity::Pts(self.expr(body, e)),
                };
                Forall {
                    init,
                    cond,
                    step,
                    affinity,
                    body: self.stmt(body, inner),
                }
            }
            Label(name, s) => Label(name, self.stmt(body, s)),
            Default(s) => Default(self.stmt(body, s)),
            Case(lo, hi, s) => Case(
                self.expr(body, lo),
                hi.map(|e| self.expr(body, e)),
                self.stmt(body, s),
            ),
            Asm { outputs, inputs } => Asm {
                outputs: self.operands(body, outputs),
                inputs: self.operands(body, inputs),
            },
            Decl(group) => Decl(self.group(body, group)),
        }
    }
}
