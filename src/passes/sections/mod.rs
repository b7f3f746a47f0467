//! Sections: the elements of a shared array that the references of a counted loop touch.
//!
//! A reference whose address moves by the same number of elements in each iteration touches a *section*: it has a first
//! element, a stride, and as many elements as the loop has iterations. A section lies in one thread's memory, side by
//! side, as long as it stays in one block; or for ever, if the block size is indefinite, or if the stride is a multiple
//! of THREADS blocks.
//!
//! The analysis changes nothing. Its result is data: `runs`, `locality`, `uninstrumented_clone`, warnings and `--emit=refs` read
//! it, and `--emit=sections` prints it.

mod affinity;
mod dependences;
mod derived;
mod finder;
mod foreseen;
mod in_place;
mod iterations;
mod nests;
mod own;
mod owner;
mod print;
mod reasons;
mod walkers;

pub use dependences::{Dependence, Distance, are_distinct, declared};
pub use in_place::in_place;
pub use iterations::{Iterations, is_on_one_thread, of_forall};
pub use nests::{all_of_functions, of_functions};
pub use owner::{OwnRef, Owned, Owner, PointerBase, owned};
pub use print::print;
pub use reasons::{LoopReason, Reason};
pub use walkers::Walker;

use super::analysis::affine::Affine;
use super::analysis::certain::visit_certain;
use super::analysis::effects::{Effects, has_continue};
use super::analysis::linear::Position;
use super::analysis::loop_pragmas::{self, Parallel};
use super::analysis::loops::{self, Count, changes, invariant};
use super::analysis::places::{accessed, member_root, place_span};
use super::analysis::stride::Stride;
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, ExprKind, ForInit, LocalId, Module, StmtId, StmtKind, Turns};
use crate::types::{Quals, Types};
use dependences::Touched;
use finder::Finder;
use foreseen::Foreseen;
use hashbrown::{HashMap, HashSet};
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;
use walkers::Steps;

/// The most shared accesses of a loop that has sections: each pair of them is compared.
const MOST_ACCESSES: usize = 256;

/// A loop that makes shared accesses.
pub struct Loop {
    pub stmt: StmtId,
    /// How it counts, or why its iterations cannot be told before it runs.
    pub form: Result<Form, LoopReason>,
    /// The shared accesses of its body, in source order.
    pub references: Vec<Reference>,
    /// The pairs of them that may concern the same bytes, one of them to write, in source order.
    pub dependences: Vec<Dependence>,
    /// The accesses that touch the own memory of the thread that makes them, in each iteration. Where `of_functions` has
    /// found the loop; nothing rewrites what is found here.
    pub own: HashSet<ExprId>,
}

impl Loop {
    /// True if two references, by their places in the list, never touch the same bytes, or only to read them.
    pub fn are_independent(&self, a: usize, b: usize) -> bool {
        let (first, second) = (a.min(b), a.max(b));
        let mut all = self.dependences.iter();
        !all.any(|it| (it.first, it.second) == (first, second))
    }
}

/// The form of a loop that counts.
pub struct Form {
    pub count: Count,
    /// The first iteration is made in any case: `do`.
    pub tests_last: bool,
    /// The value of the variable in the first iteration, if the loop sets it.
    pub start: Option<ExprId>,
    /// The least and the greatest value of the variable in an iteration, if start and bound are constants.
    pub range: Option<(i64, i64)>,
    pub body: StmtId,
    /// Variables that each iteration sets once, from the loop variable, before it uses them.
    pub derived: HashMap<LocalId, ExprId>,
    /// Variables that each iteration sets once, before it uses them, to values that are foreseen: computed from the loop
    /// variable, and from memory that the loop does not change.
    pub foreseen: HashMap<LocalId, ExprId>,
    /// Variables other than the loop variable that each iteration steps.
    pub walkers: Vec<Walker>,
    /// The number of last statements of the body that only step variables.
    pub tail: usize,
    /// Other parts of the third clause.
    pub others: Vec<ExprId>,
    /// The expressions of the body that every iteration evaluates.
    certain: HashSet<ExprId>,
    /// Each access stays in its iteration, also one that raises events.
    in_place: bool,
    /// The body may end the loop: `break`, `return`, `goto`.
    pub exits: bool,
    /// Something in the body synchronizes, other than a function that it calls.
    pub syncs: bool,
    /// Nothing in the body synchronizes, calls a function or ends the loop: relaxed accesses may move to its start or its end.
    pub movable: bool,
}

impl Form {
    /// The greatest number of iterations, if start and bound are constants.
    pub fn most_turns(&self) -> Option<u64> {
        let (low, high) = self.range?;
        let Stride::Constant(step) = self.count.step else {
            return None;
        };
        let span = u64::try_from(high.checked_sub(low)?).unwrap_or(0);
        Some(span / step.unsigned_abs() + 1)
    }
}

/// A shared access.
pub struct Reference {
    /// The access itself: a load, an assignment or the like.
    pub access: ExprId,
    pub mode: Mode,
    /// Every iteration makes it.
    pub certain: bool,
    /// What it touches, or why that is unknown.
    pub section: Result<Section, Reason>,
    /// Where the element is, if that is linear.
    pub position: Option<Position>,
    /// The same for one iteration: also if the third clause changes a part of it.
    pub beside: Option<Position>,
    /// How many elements before and after the section lie side by side with it in the same thread's memory.
    pub room: (i64, i64),
    /// For a read: its place, if the address can be computed before the loop begins.
    pub foreseen: Option<ExprId>,
    /// For a relaxed write to a whole element, wherever that is: its place.
    pub written: Option<ExprId>,
}

impl Reference {
    /// What it accesses.
    pub fn place(&self, body: &Body) -> Option<ExprId> {
        accessed(body, self.access)
    }

    /// The tokens of the accessed place.
    pub fn span(&self, body: &Body) -> Span {
        let access = body.expr(self.access).span;
        accessed(body, self.access).map_or(access, |place| place_span(body, place, access))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Read,
    Write,
    ReadWrite,
}

impl Mode {
    /// The words of remarks and prints.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::ReadWrite => "read and write",
        }
    }
}

/// The elements that a reference touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// The place of the element: the accessed place, or the record of which it is a member.
    pub element: ExprId,
    /// The access is strict.
    pub strict: bool,
    /// Block size in elements; 0 is indefinite.
    pub block: u32,
    /// Elements from one iteration to the next.
    pub stride: Stride,
    pub extent: Extent,
}

/// How far a section stays in the memory of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// To the end of the loop. One iteration moves by this many elements of the thread's own portion.
    Whole(Stride),
    /// To the end of a block, where more than one iteration may be: the elements that one moves. If it is a multiple of
    /// THREADS, it is positive, and longer than the block with enough threads.
    Block(Stride),
    /// Each iteration may lead to another thread.
    Element,
}

/// The innermost loops of a function that make shared accesses, in source order.
pub fn find(
    module: &Module,
    parsed: &Parsed,
    body: &Body,
    root: StmtId,
    escaped: &HashSet<LocalId>,
) -> Vec<Loop> {
    let parallel = Parallel::of(&parsed.stream, body, root);
    let mut found = Vec::new();
    for stmt in innermost(body, root) {
        // Those of its head are made once, or belong to the bound.
        let accesses = shared_accesses(&module.types, body, body_of(body, stmt));
        if accesses.is_empty() {
            continue;
        }
        let fixed = loop_pragmas::form(&parsed.stream, body.stmt(stmt))
            == loop_pragmas::Form::Fixed
            || parallel.fixes(body.stmt(stmt));
        let form = match fixed {
            true => Err(LoopReason::Pragma),
            false => form_of(module, body, stmt, escaped),
        };
        found.push(described(module, body, stmt, &accesses, form));
    }
    found
}

/// A loop whose form is known, with its references.
fn described(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    accesses: &[ExprId],
    form: Result<(Form, Effects), LoopReason>,
) -> Loop {
    let form = match accesses.len() > MOST_ACCESSES {
        true => Err(LoopReason::Large),
        false => form,
    };
    let (references, dependences) = match &form {
        Ok((form, effects)) => references(module, body, form, effects, accesses),
        Err(_) => Default::default(),
    };
    Loop {
        stmt,
        form: form.map(|(form, _)| form),
        references,
        dependences,
        own: HashSet::new(),
    }
}

/// The loops that contain no other loop.
fn innermost(body: &Body, root: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Stmt(s) = node
            && is_loop(body, s)
            && !matches!(body.stmt(s).kind, StmtKind::Forall { .. })
            && !has_loops(body, s)
            && body.stmt(s).turns != Turns::Few
        {
            found.push(s);
        }
        true
    });
    found
}

fn is_loop(body: &Body, s: StmtId) -> bool {
    use StmtKind::*;
    matches!(
        body.stmt(s).kind,
        For { .. } | While(..) | DoWhile(..) | Forall { .. }
    )
}

/// The body of a loop; of another statement, itself.
fn body_of(body: &Body, s: StmtId) -> StmtId {
    use StmtKind::*;
    if let For { body: inner, .. }
    | Forall { body: inner, .. }
    | While(_, inner)
    | DoWhile(inner, _) = body.stmt(s).kind
    {
        return inner;
    }
    s
}

/// True for a loop with a loop in it.
pub(super) fn has_loops(body: &Body, stmt: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(stmt), &mut |node| {
        found |= matches!(node, Node::Stmt(s) if s != stmt && is_loop(body, s));
        !found
    });
    found
}

/// The shared accesses in a statement, in source order.
pub(super) fn shared_accesses(types: &Types, body: &Body, stmt: StmtId) -> Vec<ExprId> {
    let mut found = Vec::new();
    visit(body, Node::Stmt(stmt), &mut |node| {
        if let Node::Expr(e) = node
            && accessed(body, e).is_some_and(|place| types.is_shared(body.expr(place).ty))
        {
            found.push(e);
        }
        true
    });
    found
}

/// The shared accesses in the body of a loop, in source order.
#[must_use]
pub fn accesses(types: &Types, body: &Body, stmt: StmtId) -> Vec<ExprId> {
    shared_accesses(types, body, body_of(body, stmt))
}

/// Finds out how a loop counts. Returns the effects of its body, too.
fn form_of(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
) -> Result<(Form, Effects), LoopReason> {
    let effects = Effects::of(module, body, body_of(body, stmt), escaped);
    form_with(module, body, stmt, effects)
}

/// The same, with what the body changes.
fn form_with(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    mut effects: Effects,
) -> Result<(Form, Effects), LoopReason> {
    let inner = body_of(body, stmt);
    let (init, cond, step) = if let StmtKind::For {
        init, cond, step, ..
    }
    | StmtKind::Forall {
        init, cond, step, ..
    } = &body.stmt(stmt).kind
    {
        (init, *cond, *step)
    } else if let StmtKind::While(cond, _) | StmtKind::DoWhile(_, cond) = body.stmt(stmt).kind {
        (&ForInit::None, Some(cond), None)
    } else {
        return Err(LoopReason::NotCounted);
    };
    let tests_last = matches!(body.stmt(stmt).kind, StmtKind::DoWhile(..));
    let Steps {
        count,
        mut walkers,
        tail,
        others,
    } = walkers::of(module, body, (cond, step), inner, &effects)?;
    for &other in &others {
        effects.include(module, body, Node::Expr(other));
    }
    if tests_last && count.guard.is_some() {
        return Err(LoopReason::NotCounted);
    }
    if effects.pinned {
        return Err(LoopReason::Pinned);
    }
    if effects.opaque {
        return Err(LoopReason::Opaque);
    }
    // In the tail, the variable is set once, by its own step.
    let by_step = step.is_none() && !effects.escaped.contains(&count.var);
    if changes(module, body, count.var, &effects) && !by_step {
        return Err(LoopReason::Variable);
    }
    effects.written.extend(walkers.iter().map(|it| it.local));
    if !invariant(module, body, count.bound, count.var, &effects) {
        return Err(LoopReason::Bound);
    }
    let certain = certain(body, inner, effects.calls);
    // A step inside an expression would have to be made before an exit, or not.
    if !effects.exits {
        let mut within = walkers::within(module, body, (inner, count.var), &effects, &certain);
        // The last statements of the body are steps of their own.
        within.retain(|it| {
            let apart = |other: &ExprId| !walkers::mentions(body, *other, it.local);
            walkers.iter().all(|known| known.local != it.local) && others.iter().all(apart)
        });
        walkers.extend(within);
    }
    let strides = walkers::strides(&count, &walkers);
    let derived = derived::of(module, body, inner, (&count, &strides), &effects);
    let foreseen = foreseen::values(module, body, (inner, count.var), &effects);
    let form = Form {
        tests_last,
        foreseen,
        start: loops::start(body, init, count.var),
        range: loops::range(module, body, init, &count),
        count,
        body: inner,
        derived,
        walkers,
        tail,
        others,
        certain,
        in_place: false,
        exits: effects.exits,
        syncs: effects.syncs,
        movable: !effects.calls && !effects.syncs && !effects.exits,
    };
    Ok((form, effects))
}

fn references(
    module: &Module,
    body: &Body,
    form: &Form,
    effects: &Effects,
    accesses: &[ExprId],
) -> (Vec<Reference>, Vec<Dependence>) {
    let affine = Affine {
        module,
        body,
        var: form.count.var,
        effects,
        derived: &form.derived,
        walkers: &walkers::strides(&form.count, &form.walkers),
    };
    let finder = Finder {
        affine,
        step: form.count.step,
        range: form.range,
        certain: &form.certain,
        in_place: form.in_place,
    };
    let foreseen = Foreseen {
        module,
        body,
        var: form.count.var,
        effects,
        values: &form.foreseen,
    };
    // What the third clause changes stays during an iteration.
    let within =
        (!form.others.is_empty()).then(|| Effects::of(module, body, form.body, &effects.escaped));
    let reference = |&access: &ExprId| {
        let (mode, certain) = (mode(body, access), finder.certain.contains(&access));
        let section = finder.section(access);
        let moves = match section {
            Ok(section) => !section.strict,
            Err(reason) => reason == Reason::NotAffine,
        };
        let reads = moves && mode == Mode::Read && certain;
        let writes = moves && mode == Mode::Write;
        // A section's element may be the record whose member is read.
        let element = element_of(body, access, &section);
        let beside = within
            .as_ref()
            .map_or(affine, |effects| Affine { effects, ..affine });
        Reference {
            position: element.and_then(|it| affine.locate(it)),
            beside: element.and_then(|it| beside.locate(it)),
            room: section
                .as_ref()
                .map_or((0, 0), |section| finder.room(section)),
            written: accessed(body, access)
                .filter(|&it| writes && is_element(module, body, it) && !finder.is_packed(it)),
            access,
            mode,
            certain,
            section,
            foreseen: element
                .filter(|_| !module.types.is_pts(body.local(form.count.var).ty))
                .filter(|&it| reads && foreseen.is_element(it) && !finder.is_packed(it)),
        }
    };
    let references: Vec<Reference> = accesses.iter().map(reference).collect();
    let touched = references.iter().map(|it| {
        let element = element_of(body, it.access, &it.section);
        Touched {
            position: it.position.as_ref(),
            unit: element.and_then(|it| affine.place(it)),
        }
    });
    let touched: Vec<Touched> = touched.collect();
    let extent = dependences::Extent {
        step: form.count.step,
        range: form.range,
        most_turns: form.most_turns(),
    };
    let dependences = dependences::find(module, body, &extent, &references, &touched);
    (references, dependences)
}

/// True for a place that is an element of known size, and no volatile one.
fn is_element(module: &Module, body: &Body, place: ExprId) -> bool {
    let (types, expr) = (&module.types, body.expr(place));
    matches!(expr.kind, ExprKind::Deref(_))
        && !types.is_array(expr.ty)
        && !expr.ty.quals.has(Quals::VOLATILE)
        && types.fixed_size(expr.ty).is_some_and(|size| size > 0)
}

/// The element that an access touches, whole or in part.
fn element_of(body: &Body, access: ExprId, section: &Result<Section, Reason>) -> Option<ExprId> {
    match section {
        Ok(section) => Some(section.element),
        Err(_) => accessed(body, access).map(|place| member_root(body, place)),
    }
}

/// The expressions that every iteration of a loop with this body evaluates. `may_end`: a call in it may end the iteration, and the
/// program.
fn certain(body: &Body, inner: StmtId, may_end: bool) -> HashSet<ExprId> {
    let mut certain = HashSet::new();
    if !may_end && !has_continue(body, inner) {
        for root in before_exits(body, inner) {
            visit_certain(body, root, &mut |node| {
                if let Node::Expr(e) = node {
                    certain.insert(e);
                }
            });
        }
    }
    certain
}

/// The part of a loop's body in front of the first jump out of it: whole statements, and the test of an `if` with a jump.
fn before_exits(body: &Body, inner: StmtId) -> Vec<Node> {
    let mut rest = vec![inner];
    let mut found = Vec::new();
    while let Some(stmt) = rest.pop() {
        if !has_exits(body, Node::Stmt(stmt)) {
            found.push(Node::Stmt(stmt));
            continue;
        }
        if let StmtKind::Compound(block) = &body.stmt(stmt).kind {
            rest.extend(block.items.iter().rev());
            continue;
        }
        if let StmtKind::If(test, ..) = body.stmt(stmt).kind
            && !has_exits(body, Node::Expr(test))
        {
            found.push(Node::Expr(test));
        }
        break;
    }
    found
}

/// True for a statement or an expression with a jump in it, also within a switch.
fn has_exits(body: &Body, root: Node) -> bool {
    let mut found = false;
    visit(body, root, &mut |node| {
        found |= matches!(node, Node::Stmt(s) if matches!(
            body.stmt(s).kind,
            StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoExpr(_)
        ));
        !found
    });
    found
}

/// Whether an access reads, writes, or both.
pub fn mode(body: &Body, access: ExprId) -> Mode {
    let kind = body.expr(access).kind;
    if let ExprKind::Load(_) = kind {
        Mode::Read
    } else if let ExprKind::Assign { .. } = kind {
        Mode::Write
    } else {
        Mode::ReadWrite
    }
}
