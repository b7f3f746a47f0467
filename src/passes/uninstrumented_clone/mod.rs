//! Gives innermost loops a copy without events, which the C compiler can vectorise:
//! - counted loops, with accesses whose elements follow from the counter: the copy runs as many iterations as the
//!   measurement wants counted without a report (`counted`);
//! - loops whose instrumented accesses all go through unchanging pointers of indefinite block size: all elements of
//!   such a pointer have affinity to one thread, so one test before the loop finds out whether they are local;
//! - all others: the copy runs while no tool is active.
//!
//! Runs after `locality`, whose loops it may process.

mod counted;
mod returns;

use crate::il::walk::{Node, copy_stmt, visit};
use crate::il::{
    Body, Decl, ExprFlags, ExprId, ExprKind, ForInit, ItemKind, LocalId, Module, RtOp, StmtId,
    StmtKind, UnOp,
};
use crate::passes::analysis::effects::{self, Effects};
use crate::passes::analysis::loop_pragmas::{self, Parallel};
use crate::passes::analysis::places::raises_events;
use crate::types::{QualType, Quals, Types};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::Parsed;
use upcc_grammar::ast::{BinOp, Span};

/// Maximum number of pointers tested before one loop.
const MOST_POINTERS: usize = 6;

const INSTRUMENTED: ExprFlags =
    ExprFlags(ExprFlags::INSTRUMENT_GET.0 | ExprFlags::INSTRUMENT_PUT.0);

/// Maximum number of nodes of a loop that gets a copy: in a larger one, the work costs more than its events.
const MOST_NODES: usize = 2000;

/// Gives innermost loops a version without events. `local_events`: accesses to the thread's own elements raise events
/// too.
pub fn run(module: &mut Module, parsed: &Parsed, local_events: bool) {
    let mut sites = HashMap::new();
    let returning = returns::returning(module, parsed);
    for index in 0..module.items.len() {
        let item = &mut module.items[index];
        let ItemKind::Function(function) = &item.kind else {
            continue;
        };
        if item.verbatim {
            continue;
        }
        let root = function.root;
        let mut body = std::mem::take(&mut item.body);
        let loops = innermost_loops(&module.types, &body, root);
        let escaped = match loops.is_empty() {
            true => HashSet::new(),
            false => effects::escaped(&body, root),
        };
        let parallel = Parallel::of(&parsed.stream, &body, root);
        for stmt in loops {
            let of_loop = loop_pragmas::form(&parsed.stream, body.stmt(stmt));
            if of_loop == loop_pragmas::Form::Fixed || parallel.fixes(body.stmt(stmt)) {
                continue;
            }
            let mut form = counted::Form {
                sites: &mut sites,
                returning: &returning,
                local_events,
                may_count: of_loop == loop_pragmas::Form::Free && !parallel.holds(body.stmt(stmt)),
            };
            add_uninstrumented(module, &mut body, stmt, &escaped, &mut form);
        }
        module.items[index].body = body;
    }
}

fn add_uninstrumented(
    module: &mut Module,
    body: &mut Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
    form: &mut counted::Form,
) {
    let effects = Effects::of(module, body, stmt, escaped);
    if effects.jumps() || effects.opaque || defines_tags(body, stmt) {
        return;
    }
    if form.may_count
        && let Some(plan) = counted::plan(module, body, stmt, escaped, form.returning)
    {
        return counted::rewrite(module, body, stmt, &plan, form);
    }
    let pointers = match form.local_events {
        true => None,
        false => pointers(&module.types, body, stmt, &effects),
    };
    add_version(body, stmt, &pointers.unwrap_or_default());
}

/// The loops of a function that contain no other loop and at least one instrumented access.
fn innermost_loops(types: &Types, body: &Body, root: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Stmt(id) = node
            && is_loop(body, id)
            && is_innermost_and_instrumented(types, body, id)
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

fn is_innermost_and_instrumented(types: &Types, body: &Body, id: StmtId) -> bool {
    let (mut inner, mut instrumented, mut nodes) = (false, false, 0);
    visit(body, Node::Stmt(id), &mut |node| {
        nodes += 1;
        match node {
            Node::Stmt(s) => {
                let forall = matches!(body.stmt(s).kind, StmtKind::Forall { .. });
                inner |= s != id && (is_loop(body, s) || forall);
            }
            Node::Expr(e) => instrumented |= raises_events(types, body, e),
            Node::Init(_) => {}
        }
        !inner && nodes <= MOST_NODES
    });
    instrumented && !inner && nodes <= MOST_NODES
}

/// The pointers through which all instrumented accesses of the loop go. `None`: there is an access of another kind.
fn pointers(types: &Types, body: &Body, stmt: StmtId, effects: &Effects) -> Option<Vec<LocalId>> {
    let mut all = true;
    let mut found: Vec<LocalId> = Vec::new();
    visit(body, Node::Stmt(stmt), &mut |node| {
        let Node::Expr(e) = node else { return true };
        if raises_events(types, body, e) {
            match base(types, body, e) {
                Some(p) if effects.sets(p) || effects.escaped.contains(&p) => all = false,
                Some(p) if !found.contains(&p) => found.push(p),
                Some(_) => {}
                None => all = false,
            }
        }
        all
    });
    (all && found.len() <= MOST_POINTERS).then_some(found)
}

/// True if the loop defines a type, which the copies would define twice, or only one of them.
fn defines_tags(body: &Body, stmt: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(stmt), &mut |node| {
        if let Node::Stmt(s) = node {
            found |= if let StmtKind::Decl(group)
            | StmtKind::For {
                init: ForInit::Decl(group),
                ..
            } = &body.stmt(s).kind
            {
                let local = |decl: &Decl| matches!(decl, Decl::Local { .. });
                !group.tags.is_empty() || !group.decls.iter().all(local)
            } else {
                false
            };
        }
        !found
    });
    found
}

/// The pointer variable of an access: `*p`, `p[i]`, `p[i].x`, where p has indefinite block size.
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

/// Writes `if (no tool is active || all pointers point at this thread's elements) loop without events; else loop`.
fn add_version(body: &mut Body, stmt: StmtId, pointers: &[LocalId]) {
    let span = body.stmt(stmt).span;
    let line = Span {
        lo: span.lo,
        hi: span.lo,
    };
    let clone = without_events(body, |body| copy_stmt(body, stmt));
    // In braces, so that an `if` at its end does not bind the `else`.
    let clone = body.compound(vec![clone], line);
    let int = QualType::plain(Types::INT);
    let on = body.rt(RtOp::InstOn, &[], int, line);
    let mut test = body.push_expr(
        ExprKind::Unary(UnOp::Not, on),
        int,
        line,
        ExprFlags::default(),
    );
    let mine = pointers.iter().map(|&p| is_mine(body, p, line));
    if let Some(mine) = mine
        .collect::<Vec<_>>()
        .into_iter()
        .reduce(|a, b| binary(body, BinOp::And, a, b, line))
    {
        test = binary(body, BinOp::Or, test, mine, line);
    }
    let original = body.move_stmt(stmt);
    body.stmts[stmt].kind = StmtKind::If(test, clone, Some(original));
}

/// Returns the result of `copy`, with no access instrumented.
fn without_events<T>(body: &mut Body, copy: impl FnOnce(&mut Body) -> T) -> T {
    let first_copied = body.exprs.next_key();
    let made = copy(body);
    for copied in &mut body.exprs[first_copied..] {
        copied.flags = copied.flags.without(INSTRUMENTED);
    }
    made
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
