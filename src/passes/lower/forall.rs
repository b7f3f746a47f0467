//! Lowers `upc_forall` to a verbatim loop with a test of the affinity (UPC 6.6.2).
//!
//! ```c
//! {
//!     const int upcc_t0 = upcr_forall_depth;
//!     upcr_forall_depth = upcc_t0 + 1;
//!     for (init; cond; step) {
//!         if (owner == UPCR_MYTHREAD || upcc_t0 > 0) { body }
//!     }
//!     upcr_forall_depth = upcc_t0;
//! }
//! ```
//! The affinity is the first operand of the test because every thread evaluates it in every iteration. `continue` in
//! the body continues the generated loop.

use super::Lower;
use crate::il::walk::{Node, expr_children, init_children, stmt_children};
use crate::il::{
    Affinity, Block, Body, ExprId, ExprKind, ForInit, LocalId, RtOp, StmtId, StmtKind,
};
use crate::types::{QualType, Quals, Types};
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;
use upcc_grammar::ast::{BinOp, Span};
use upcc_grammar::symbol::Symbol;

/// A controlling loop around the current statement.
pub(super) struct Frame {
    /// The variable that holds the depth outside the loop.
    pub(super) saved: LocalId,
    /// The nest of controlling loops that contains the loop, and the loop's range of numbers in that nest.
    nest: Rc<Nest>,
    range: Range<u32>,
}

/// Labels and loops of a nest of controlling loops. One walk numbers them; a walk at every level would take quadratic
/// time in the depth.
#[derive(Default)]
struct Nest {
    /// The numbers of the labels, ascending; blocks may have labels of the same name.
    labels: HashMap<Symbol, Vec<u32>>,
    /// The numbers of the labels in each inner loop.
    loops: HashMap<StmtId, Range<u32>>,
}

const INT: QualType = QualType::plain(Types::INT);

impl Lower<'_> {
    /// Lowers the loop, whose three clauses have been lowered.
    pub(super) fn forall(
        &mut self,
        id: StmtId,
        (init, cond, step): (ForInit, Option<ExprId>, Option<ExprId>),
        affinity: Affinity,
        body: StmtId,
    ) -> StmtKind {
        // Generated nodes have no text of their own.
        let lo = self.body.stmt(id).span.lo;
        let span = Span { lo, hi: lo };
        let mine = match affinity {
            Affinity::All => {
                self.stmt(body);
                return StmtKind::For {
                    init,
                    cond,
                    step,
                    body,
                };
            }
            Affinity::Int(e) => self.index_is_mine(e, span),
            Affinity::Pts(e) => self.place_is_mine(e, span),
        };
        let depth = self.depth(span);
        let depth = self.push(ExprKind::Load(depth), INT, span);
        let ty = QualType {
            quals: Quals::CONST,
            ..INT
        };
        let (saved, save) = self.temp(depth, ty, span);
        let raise = self.set_depth(saved, 1, span);
        let test = self.runs_here(mine, saved, span);
        let around = self.foralls.last().map(|outer| Rc::clone(&outer.nest));
        let known = around.and_then(|nest| Some((nest.loops.get(&id)?.clone(), nest)));
        let (range, nest) =
            known.unwrap_or_else(|| (0..u32::MAX, Rc::new(Nest::of(&self.body, body))));
        let frame = Frame { saved, nest, range };
        self.foralls.push(frame);
        self.stmt(body);
        self.foralls.pop();
        let braced = if let StmtKind::Compound(_) = self.body.stmt(body).kind {
            body
        } else {
            self.body.compound(vec![body], span)
        };
        let guarded = self
            .body
            .push_stmt(StmtKind::If(test, braced, None), span, false);
        let kind = StmtKind::For {
            init,
            cond,
            step,
            body: guarded,
        };
        let whole = self.body.push_stmt(kind, span, false);
        // A pragma of the loop must stay directly in front of it.
        self.body.stmts[whole].trivia = self.body.stmts[id].trivia.take();
        let lower = self.restore_depth(saved, span);
        StmtKind::Compound(Block {
            local_labels: Vec::new(),
            items: vec![save, raise, whole, lower],
        })
    }

    /// Builds `mine || saved > 0`.
    fn runs_here(&mut self, mine: ExprId, saved: LocalId, span: Span) -> ExprId {
        let outside = self.body.load_local(saved, span);
        let zero = self.int(0, span);
        let nested = self.push(ExprKind::Binary(BinOp::Gt, outside, zero), INT, span);
        self.push(ExprKind::Binary(BinOp::Or, mine, nested), INT, span)
    }

    /// Builds `upcr_forall_skip(e) == 0`, which rounds the remainder down for a negative e too, like the loops of
    /// `locality`. For values beyond `ptrdiff_t`, builds `e % THREADS == UPCR_MYTHREAD`.
    fn index_is_mine(&mut self, e: ExprId, span: Span) -> ExprId {
        let e = self.value(e);
        let ty = self.value_type(self.ty_of(e));
        let fits = self
            .types
            .int_kind_of(ty)
            .is_some_and(|k| k.size() < 8 || (k.size() == 8 && k.is_signed()));
        if fits {
            let e = self.implicit_cast(e, QualType::plain(Types::PTRDIFF_T), span);
            let skip = self.rt(RtOp::ForallSkip, &[e], Types::PTRDIFF_T, span);
            let zero = self.body.int(0, Types::PTRDIFF_T, span);
            return self.push(ExprKind::Binary(BinOp::Eq, skip, zero), INT, span);
        }
        let threads = self.rt(RtOp::Threads, &[], Types::INT, span);
        let threads = self.implicit_cast(threads, ty, span);
        let rest = self.push(ExprKind::Binary(BinOp::Rem, e, threads), ty, span);
        self.is_me(rest, span)
    }

    /// Builds `(int)upcr_threadof(e) == UPCR_MYTHREAD`.
    fn place_is_mine(&mut self, e: ExprId, span: Span) -> ExprId {
        let ty = self.ty_of(e);
        let p = self.pts(e);
        let p = self.address(p, false, ty, span);
        let thread = self.rt(RtOp::Threadof, &[p], Types::SIZE_T, span);
        self.is_me(thread, span)
    }

    fn is_me(&mut self, thread: ExprId, span: Span) -> ExprId {
        let thread = self.as_int(thread, span);
        let me = self.rt(RtOp::MyThread, &[], Types::INT, span);
        self.push(ExprKind::Binary(BinOp::Eq, thread, me), INT, span)
    }

    fn as_int(&mut self, value: ExprId, span: Span) -> ExprId {
        if self.types.canon_qt(self.ty_of(value)) == INT {
            return value;
        }
        let kind = ExprKind::Cast {
            value,
            implicit: false,
        };
        self.push(kind, INT, span)
    }

    fn depth(&mut self, span: Span) -> ExprId {
        self.rt(RtOp::ForallDepth, &[], Types::INT, span)
    }

    /// Builds `upcr_forall_depth = saved + more;`.
    fn set_depth(&mut self, saved: LocalId, more: i64, span: Span) -> StmtId {
        let place = self.depth(span);
        let mut value = self.body.load_local(saved, span);
        if more != 0 {
            let more = self.int(more, span);
            value = self.push(ExprKind::Binary(BinOp::Add, value, more), INT, span);
        }
        let assign = self.push(ExprKind::Assign { place, value }, INT, span);
        self.expr_stmt(assign, span)
    }

    /// Builds `upcr_forall_depth = saved;`.
    pub(super) fn restore_depth(&mut self, saved: LocalId, span: Span) -> StmtId {
        self.set_depth(saved, 0, span)
    }

    /// Lowers a `goto`. One that leaves controlling loops restores the depth outside the outermost loop that it leaves.
    pub(super) fn goto(&mut self, label: Symbol, span: Span) -> StmtKind {
        // An outer loop contains all labels of its inner loops.
        let kept = self.foralls.partition_point(|frame| frame.has(label));
        let Some(left) = self.foralls.get(kept) else {
            return StmtKind::Goto(label);
        };
        let restore = self.restore_depth(left.saved, span);
        let goto = self.body.push_stmt(StmtKind::Goto(label), span, false);
        StmtKind::Compound(Block {
            local_labels: Vec::new(),
            items: vec![restore, goto],
        })
    }
}

impl Frame {
    fn has(&self, label: Symbol) -> bool {
        let numbers = self.nest.labels.get(&label).map_or(&[][..], Vec::as_slice);
        let first = numbers.partition_point(|&number| number < self.range.start);
        numbers.get(first).is_some_and(|&n| n < self.range.end)
    }
}

impl Nest {
    fn of(body: &Body, root: StmtId) -> Nest {
        let mut nest = Nest::default();
        let mut next = 0;
        // Each loop is pushed twice. The second entry, below the loop's contents, marks its end.
        let mut stack = vec![Node::Stmt(root)];
        let mut children = Vec::new();
        while let Some(node) = stack.pop() {
            let push = &mut |child| children.push(child);
            match node {
                Node::Expr(e) => expr_children(body, e, push),
                Node::Init(i) => init_children(body, i, push),
                Node::Stmt(s) => {
                    let kind = &body.stmt(s).kind;
                    if let StmtKind::Label(name, _) = *kind {
                        nest.labels.entry(name).or_default().push(next);
                        next += 1;
                    } else if let StmtKind::Forall { .. } = kind {
                        if let Some(open) = nest.loops.get_mut(&s) {
                            open.end = next;
                            continue;
                        }
                        nest.loops.insert(s, next..next);
                        stack.push(node);
                    }
                    stmt_children(body, s, push);
                }
            }
            stack.extend(children.drain(..).rev());
        }
        nest
    }
}
