//! Finds relaxed flags that announce data: `data = x; flag = 1;`, where a loop of the unit waits for the flag. The write of
//! the flag may become visible first (UPC 5.1.2.3p3).
//!
//! Does not warn if anything between the two writes could order them: strict accesses, fences, barriers, calls, asm, and
//! jumps; nor if they write the same array.

use super::*;
use crate::diag::codes;
use crate::il::ExprFlags;
use crate::passes::analysis::effects::root_of;
use hashbrown::HashMap;
use outline::Mark;

/// A loop with more nodes does more than wait.
const MOST_NODES: usize = 200;

/// Adds the shared objects for which loops of a body wait, each with the place of the read.
pub(super) fn awaited(
    module: &Module,
    parsed: &Parsed,
    body: &Body,
    found: &mut HashMap<Signal, Span>,
) {
    for (s, _) in body.stmts.iter_enumerated() {
        let Some(spin::Wait { cond, .. }) = spin::wait(body, s) else {
            continue;
        };
        let (mut reads, mut own, mut calls) = (Vec::new(), Own::default(), false);
        visit(body, Node::Expr(cond), &mut |node| {
            if let Node::Expr(e) = node {
                let kind = body.exprs[e].kind;
                if let ExprKind::Load(place) = kind
                    && module.types.is_shared(body.exprs[place].ty)
                {
                    reads.extend(signal_of(body, place).map(|signal| (signal, body.exprs[e].span)));
                } else if let ExprKind::Local(local) = kind {
                    own.locals.insert(local);
                } else if let ExprKind::Object(object) = kind {
                    own.objects.insert(object);
                }
                calls |= matches!(kind, ExprKind::Call(..));
            }
            !calls
        });
        if !calls && !reads.is_empty() && only_waits(module, parsed, body, s, &own) {
            for (signal, span) in reads {
                found.entry(signal).or_insert(span);
            }
        }
    }
}

/// The variables in the condition of a loop.
#[derive(Default)]
struct Own {
    locals: HashSet<LocalId>,
    objects: HashSet<ObjectId>,
}

impl Own {
    /// True if the place is, or is in, one of the variables.
    fn contains(&self, body: &Body, place: ExprId) -> bool {
        let root = body.exprs[root_of(body, place)].kind;
        matches!(root, ExprKind::Local(local) if self.locals.contains(&local))
            || matches!(root, ExprKind::Object(object) if self.objects.contains(&object))
    }
}

/// True if a loop changes neither shared memory nor what its condition depends on: it calls only functions of the C
/// library, such as `sched_yield`.
fn only_waits(module: &Module, parsed: &Parsed, body: &Body, stmt: StmtId, own: &Own) -> bool {
    let (mut waits, mut nodes) = (true, 0);
    visit(body, Node::Stmt(stmt), &mut |node| {
        nodes += 1;
        waits &= nodes <= MOST_NODES;
        if let Node::Expr(e) = node {
            let kind = body.exprs[e].kind;
            if let ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. } = kind
            {
                waits &=
                    !own.contains(body, place) && !module.types.is_shared(body.exprs[place].ty);
            }
            // A function may change what it gets the address of.
            if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = kind {
                waits &= module.types.is_shared(body.exprs[place].ty) || !own.contains(body, place);
            }
            if let ExprKind::Call(callee, _) = kind {
                waits &= body.called(callee).is_some_and(|function| {
                    let object = &module.objects[function];
                    let name = parsed.interner.name(object.name);
                    parsed.in_system_header(object.span) && !name.starts_with("upc_")
                });
            }
        }
        waits
    });
    waits
}

/// A declared object, or a member of it or of its elements.
pub(super) type Signal = (ObjectId, Option<u32>);

/// What a place is, or is in.
fn signal_of(body: &Body, mut place: ExprId) -> Option<Signal> {
    let mut member = None;
    loop {
        let kind = body.exprs[place].kind;
        place = if let ExprKind::Object(object) = kind {
            return Some((object, member));
        } else if let ExprKind::Field(inner, index) = kind {
            member = Some(index);
            inner
        } else if let ExprKind::Deref(inner)
        | ExprKind::Decay(inner)
        | ExprKind::PtrAdd { ptr: inner, .. } = kind
        {
            inner
        } else {
            return None;
        };
    }
}

/// Checks the statements directly inside a block.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let StmtKind::Compound(block) = cx.stmt(stmt) else {
        return;
    };
    if !cx.unit.awaits_any() {
        return;
    }
    let mut data: Option<ExprId> = None;
    for &item in &block.items {
        if let (Some(data), &StmtKind::Expr(e)) = (data, cx.stmt(item)) {
            flag(cx, e, data);
        }
        let ordered = cx.outline.has(Mark::Orders, item) || cx.outline.has(Mark::Leaves, item);
        data = match cx.outline.last_put(item) {
            _ if ordered => None,
            Some(put) => Some(put),
            None => data,
        };
    }
}

/// Reports an expression that writes an awaited object after this write of data.
fn flag(cx: &mut Cx<'_>, e: ExprId, data: ExprId) {
    let (Some(place), Some(written)) = (relaxed_put(cx, e), relaxed_put(cx, data)) else {
        return;
    };
    let Some(signal) = signal_of(cx.body, place) else {
        return;
    };
    let Some(read) = cx.unit.awaited(signal) else {
        return;
    };
    if signal_of(cx.body, written) == Some(signal) || has_call(cx, e) {
        return;
    }
    let (flag, text) = (cx.text(place), cx.text(written));
    let message = format!(
        "the relaxed write of `{flag}` may become visible before the write of `{text}`: a thread that waits for `{flag}` may then read the old data"
    );
    let help = "declare the object for which threads wait `strict shared`: then earlier writes are complete when it changes";
    cx.warn(codes::RELAXED_SIGNAL, cx.span(e), message, help);
    cx.note(cx.span(data), "this write may be late");
    cx.note(read, "a thread waits here");
}

fn has_call(cx: &Cx<'_>, e: ExprId) -> bool {
    let mut found = false;
    visit(cx.body, Node::Expr(e), &mut |node| {
        found |= matches!(node, Node::Expr(e) if matches!(cx.kind(e), ExprKind::Call(..)));
        !found
    });
    found
}

/// The place that an expression writes, if that is a relaxed write of shared memory.
pub(super) fn relaxed_put(cx: &Cx<'_>, e: ExprId) -> Option<ExprId> {
    let (ExprKind::Assign { place, .. }
    | ExprKind::AssignOp { place, .. }
    | ExprKind::IncDec { place, .. }) = cx.kind(e)
    else {
        return None;
    };
    let relaxed = !cx.body.exprs[e].flags.has(ExprFlags::STRICT);
    (relaxed && cx.module.types.is_shared(cx.ty(place))).then_some(place)
}
