//! Innermost loops whose watched accesses all go through unchanging pointers of indefinite block size: such a pointer's elements lie with one
//! thread, so whether they are local is asked once, in front of the loop. If all are, a copy without events runs, which the C compiler can vectorise.
//!
//! Runs behind `locality`, whose loops it may meet, and only where local accesses raise no events.

use crate::il::walk::{Copier, Node, visit};
use crate::il::{
    Body, Decl, ExprFlags, ExprId, ExprKind, ForInit, ItemKind, LocalId, Module, RtOp, StmtId,
    StmtKind,
};
use crate::passes::locality::effects::{self, Effects};
use crate::types::{QualType, Quals, Types};
use hashbrown::HashSet;
use upcc_grammar::ast::{BinOp, Span};

/// Pointers that are asked about in front of one loop.
const MOST_POINTERS: usize = 6;

const WATCHED: ExprFlags = ExprFlags(ExprFlags::WATCH_GET.0 | ExprFlags::WATCH_PUT.0);

/// Gives such loops a version without events.
pub fn run(module: &mut Module) {
    for item in &mut module.items {
        let ItemKind::Function(function) = &item.kind else {
            continue;
        };
        if item.plain {
            continue;
        }
        let loops = innermost_loops(&item.body, function.root);
        if loops.is_empty() {
            continue;
        }
        let escaped = effects::escaped(&item.body, function.root);
        for stmt in loops {
            if let Some(pointers) = pointers(&module.types, &item.body, stmt, &escaped) {
                add_version(&mut item.body, stmt, &pointers);
            }
        }
    }
}

/// The loops of a function that hold no other and some watched access.
fn innermost_loops(body: &Body, root: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Stmt(id) = node
            && is_loop(body, id)
            && is_innermost_and_watched(body, id)
        {
            found.push(id);
        }
        true
    });
    found
}

fn is_loop(body: &Body, id: StmtId) -> bool {
    matches!(
        body.stmt(id).kind,
        StmtKind::For { .. } | StmtKind::While(..) | StmtKind::DoWhile(..)
    )
}

fn is_innermost_and_watched(body: &Body, id: StmtId) -> bool {
    let (mut inner, mut watched) = (false, false);
    visit(body, Node::Stmt(id), &mut |node| {
        match node {
            Node::Stmt(s) => {
                let forall = matches!(body.stmt(s).kind, StmtKind::Forall { .. });
                inner |= s != id && (is_loop(body, s) || forall);
            }
            Node::Expr(e) => watched |= is_watched(body, e),
            Node::Init(_) => {}
        }
        !inner
    });
    watched && !inner
}

fn is_watched(body: &Body, e: ExprId) -> bool {
    let flags = body.expr(e).flags;
    flags.has(ExprFlags::WATCH_GET) || flags.has(ExprFlags::WATCH_PUT)
}

/// The pointers that all watched accesses of the loop go through. `None`: there is an access of another kind, or the loop cannot be copied.
fn pointers(
    types: &Types,
    body: &Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
) -> Option<Vec<LocalId>> {
    let effects = Effects::of(body, stmt, escaped);
    if effects.jumps || effects.opaque || defines_tags(body, stmt) {
        return None;
    }
    let mut all = true;
    let mut found: Vec<LocalId> = Vec::new();
    visit(body, Node::Stmt(stmt), &mut |node| {
        let Node::Expr(e) = node else { return true };
        if is_watched(body, e) {
            match base(types, body, e) {
                Some(p) if effects.written.contains(&p) || escaped.contains(&p) => all = false,
                Some(p) if !found.contains(&p) => found.push(p),
                Some(_) => {}
                None => all = false,
            }
        }
        all
    });
    (all && found.len() <= MOST_POINTERS).then_some(found)
}

/// A type that is defined in the loop would be defined twice, or in one of the copies only.
fn defines_tags(body: &Body, stmt: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(stmt), &mut |node| {
        if let Node::Stmt(s) = node {
            found |= match &body.stmt(s).kind {
                StmtKind::Decl(group)
                | StmtKind::For {
                    init: ForInit::Decl(group),
                    ..
                } => {
                    let local = |decl: &Decl| matches!(decl, Decl::Local { .. });
                    !group.tags.is_empty() || !group.decls.iter().all(local)
                }
                _ => false,
            };
        }
        !found
    });
    found
}

/// The pointer variable that an access goes through: `*p`, `p[i]`, `p[i].x`, p of indefinite block size.
fn base(types: &Types, body: &Body, access: ExprId) -> Option<LocalId> {
    let (ExprKind::Load(place)
    | ExprKind::Assign { place, .. }
    | ExprKind::AssignOp { place, .. }
    | ExprKind::IncDec { place, .. }) = body.expr(access).kind
    else {
        return None;
    };
    let ExprKind::Deref(mut pointer) = body.expr(effects::root_of(body, place)).kind else {
        return None;
    };
    while let ExprKind::PtrAdd { ptr, .. } = body.expr(pointer).kind {
        pointer = ptr;
    }
    let ExprKind::Load(variable) = body.expr(pointer).kind else {
        return None;
    };
    let ExprKind::Local(local) = body.expr(variable).kind else {
        return None;
    };
    let ty = body.local(local).ty;
    let (_, block) = types.shared_elem(types.pointee(ty)?)?;
    (block == 0 && !ty.quals.has(Quals::VOLATILE)).then_some(local)
}

/// `if (all pointers point at this thread's elements) loop without events; else loop`.
fn add_version(body: &mut Body, stmt: StmtId, pointers: &[LocalId]) {
    let span = body.stmt(stmt).span;
    let line = Span {
        lo: span.lo,
        hi: span.lo,
    };
    let first_copied = body.exprs.len();
    let quiet = Copier {
        replace: &mut |_, _| None,
    }
    .stmt(body, stmt);
    // In braces: an `if` at its end must not take the `else`.
    let quiet = body.compound(vec![quiet], line);
    for copied in &mut body.exprs[first_copied..] {
        copied.flags = copied.flags.without(WATCHED);
    }
    let tests: Vec<ExprId> = pointers.iter().map(|&p| is_mine(body, p, line)).collect();
    let Some(test) = tests
        .into_iter()
        .reduce(|a, b| binary(body, BinOp::And, a, b, line))
    else {
        return;
    };
    let original = body.stmt(stmt).clone();
    let loud = body.push_stmt(original.kind, span, false);
    body.stmts[stmt.0 as usize].kind = StmtKind::If(test, quiet, Some(loud));
}

fn is_mine(body: &mut Body, pointer: LocalId, span: Span) -> ExprId {
    let size = QualType::plain(Types::SIZE_T);
    let value = body.load_local(pointer, span);
    let owner = body.rt(RtOp::Threadof, &[value], size, span);
    let flags = ExprFlags::default();
    let me = body.push_expr(ExprKind::MyThread, QualType::plain(Types::INT), span, flags);
    let cast = ExprKind::Cast {
        value: me,
        implicit: false,
    };
    let me = body.push_expr(cast, size, span, flags);
    binary(body, BinOp::Eq, owner, me, span)
}

fn binary(body: &mut Body, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
    let kind = ExprKind::Binary(op, a, b);
    let int = QualType::plain(Types::INT);
    body.push_expr(kind, int, span, ExprFlags::default())
}
