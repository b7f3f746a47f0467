//! Which conditions may select threads: those that depend on MYTHREAD, or on what could come from it.
//!
//! A value is *plain* if it cannot be the number of a thread, or come from it: constants, floating values, what functions
//! of the C library return, elements of arrays, and variables that only such values are assigned to. Elements that
//! MYTHREAD selects, scalar shared objects and private globals are not plain: they may be tokens, or copies of MYTHREAD.

use super::*;
use crate::il::ForInit;
use crate::passes::analysis::loops::stepped;

/// What is known of the locals of a function.
pub(super) struct Guards {
    /// Locals that may depend on the thread.
    varied: HashSet<LocalId>,
    /// Locals that the third clause of a loop steps.
    stepped: HashSet<LocalId>,
}

impl Guards {
    pub(super) fn of(cx: &Cx<'_>) -> Guards {
        let mut guards = Guards {
            varied: cx.function.params.iter().copied().collect(),
            stepped: HashSet::new(),
        };
        guards.varied.extend(&cx.escaped);
        let mut values = Vec::new();
        visit(cx.body, Node::Stmt(cx.function.root), &mut |node| {
            match node {
                Node::Expr(e) => values.extend(assigned(cx, e)),
                Node::Stmt(s) => guards.head(cx, s, &mut values),
                Node::Init(_) => {}
            }
            true
        });
        // Each round follows one more assignment between variables; what is left then may be anything.
        for _ in 0..4 {
            let before = guards.varied.len();
            for &(local, value) in &values {
                if !guards.varied.contains(&local) && !guards.is_plain(cx, value) {
                    guards.varied.insert(local);
                }
            }
            if guards.varied.len() == before {
                return guards;
            }
        }
        guards.varied.extend(values.iter().map(|&(local, _)| local));
        guards
    }

    fn head(&mut self, cx: &Cx<'_>, s: StmtId, values: &mut Vec<(LocalId, ExprId)>) {
        let group = if let StmtKind::Decl(group) = cx.stmt(s) {
            Some(group)
        } else if let StmtKind::For { init, step, .. } | StmtKind::Forall { init, step, .. } =
            cx.stmt(s)
        {
            let by = step.and_then(|step| stepped(cx.module, cx.body, step));
            self.stepped.extend(by.map(|(local, _)| local));
            if let ForInit::Decl(group) = init {
                Some(group)
            } else {
                None
            }
        } else {
            None
        };
        for decl in group.iter().flat_map(|group| &group.decls) {
            if let Decl::Local {
                local,
                init: Some(init),
                ..
            } = decl
            {
                match cx.body.init(*init).kind {
                    InitKind::Expr(value) => values.push((*local, value)),
                    InitKind::List(_) => drop(self.varied.insert(*local)),
                }
            }
        }
    }

    /// True for a variable that may depend on the thread.
    pub(super) fn varies(&self, local: LocalId) -> bool {
        self.varied.contains(&local)
    }

    /// True for the condition of a branch that may select threads.
    pub(super) fn selects(&self, cx: &Cx<'_>, cond: ExprId) -> bool {
        !self.is_plain(cx, cond)
    }

    /// True for the condition of a loop that compares what depends on the thread for equality. That its bounds depend on
    /// the thread is usual where threads share work.
    pub(super) fn picks(&self, cx: &Cx<'_>, cond: ExprId) -> bool {
        let mut found = cx.is_mythread(cond);
        visit(cx.body, Node::Expr(cond), &mut |node| {
            if let Node::Expr(e) = node
                && let ExprKind::Binary(BinOp::Eq | BinOp::Ne, ..) | ExprKind::Unary(UnOp::Not, _) =
                    cx.kind(e)
            {
                found |= !self.is_plain(cx, e);
            }
            !found
        });
        found
    }

    /// True for the condition of a loop that may wait for another thread.
    pub(super) fn waits(&self, cx: &Cx<'_>, cond: ExprId) -> bool {
        let mut found = false;
        visit(cx.body, Node::Expr(cond), &mut |node| {
            if let Node::Expr(e) = node {
                let kind = cx.kind(e);
                found |= matches!(kind, ExprKind::Call(..));
                found |= matches!(kind, ExprKind::Load(place) if cx.module.types.is_shared(cx.ty(place)));
            }
            !found
        });
        found
    }

    fn is_plain(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        let types = &cx.module.types;
        let mut plain = true;
        visit(cx.body, Node::Expr(e), &mut |node| {
            let Node::Expr(e) = node else {
                plain = false;
                return false;
            };
            // A number of a thread is an integer.
            let ty = cx.ty(e);
            if types.is_arithmetic(ty) && !types.is_integer(ty) && !cx.kind(e).has_side_effects() {
                return false;
            }
            plain &= self.is_plain_node(cx, e);
            plain && !matches!(cx.kind(e), ExprKind::Load(_) | ExprKind::Call(..))
        });
        plain
    }

    fn is_plain_node(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        use ExprKind::*;
        match cx.kind(e) {
            Int(_) | Number | Threads | SizePerThread(_) => true,
            Unary(..) | Binary(..) | Cast { .. } | Cond(..) | CondElvis(..) | Comma(..) => true,
            Load(place) => self.is_plain_place(cx, place),
            Call(..) => cx.library_call(e).is_some_and(|name| !name.contains("upc")),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | AddrOf(_) | Decay(_) | PtrDiff(..) | SizeofPlace(_) | StmtExpr(_)
            | LabelAddr(_) | VaArg(_) | Opaque | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } | PtrAdd { .. } | Rt { .. } => false,
        }
    }

    /// True for a variable that is plain, and for an element that loops or plain values select.
    fn is_plain_place(&self, cx: &Cx<'_>, place: ExprId) -> bool {
        if let ExprKind::Local(local) = cx.kind(place) {
            return !self.varied.contains(&local);
        }
        let (mut plain, mut selected) = (true, false);
        visit(cx.body, Node::Expr(place), &mut |node| {
            let Node::Expr(e) = node else {
                plain = false;
                return false;
            };
            let kind = cx.kind(e);
            selected |= matches!(kind, ExprKind::PtrAdd { .. });
            plain &= !matches!(kind, ExprKind::MyThread) && !kind.has_side_effects();
            if let ExprKind::Load(of) = kind
                && let ExprKind::Local(local) = cx.kind(of)
            {
                let is_pointer = cx.module.types.is_pointer(cx.ty(of));
                plain &=
                    is_pointer || self.stepped.contains(&local) || !self.varied.contains(&local);
            }
            plain
        });
        plain && selected
    }
}

/// The local that an expression assigns to, and the value.
fn assigned(cx: &Cx<'_>, e: ExprId) -> Option<(LocalId, ExprId)> {
    let (ExprKind::Assign { place, value } | ExprKind::AssignOp { place, value, .. }) = cx.kind(e)
    else {
        return None;
    };
    let root = crate::passes::analysis::effects::root_of(cx.body, place);
    if let ExprKind::Local(local) = cx.kind(root) {
        Some((local, value))
    } else {
        None
    }
}
