//! How far a step of pointer-to-shared arithmetic goes, in elements or bytes (UPC 6.4.2).

use super::Lower;
use super::pointer::Step;
use crate::diag::ice;
use crate::il::walk::{Node, visit};
use crate::il::{ExprId, ExprKind, LocalId, RtOp, UnOp};
use crate::types::{ArrayLen, QualType, Size, Types};
use upcc_grammar::ast::{BinOp, Span};

/// A constant and a variable part.
#[derive(Clone, Copy, Default)]
pub(super) struct Distance {
    pub(super) constant: i64,
    pub(super) variable: Option<ExprId>,
}

impl Distance {
    pub(super) fn is_zero(self) -> bool {
        self.constant == 0 && self.variable.is_none()
    }

    pub(super) fn is_known_forward(self) -> bool {
        self.constant >= 0 && self.variable.is_none()
    }
}

/// Elements in the object that a pointer steps over: the product of its dimensions.
#[derive(Clone)]
pub(super) struct Count {
    /// Of the dimensions that are constant; times THREADS where `per_thread`.
    pub(super) constant: u64,
    pub(super) per_thread: bool,
    /// The variables that keep the others.
    pub(super) lengths: Vec<LocalId>,
}

impl Count {
    const fn of_constant(constant: u64) -> Count {
        Count {
            constant,
            per_thread: false,
            lengths: Vec::new(),
        }
    }

    pub(super) fn is_constant(&self) -> bool {
        !self.per_thread && self.lengths.is_empty()
    }
}

/// How a pointer to a type steps.
pub(super) struct Layout {
    pub(super) block: u32,
    /// Size of the ultimate element, bytes.
    pub(super) size: u64,
    /// Ultimate elements in one pointed-to object.
    pub(super) count: Count,
}

impl Layout {
    /// `shared void`, as GNU C has it.
    pub(super) const BYTES: Layout = Layout {
        block: 0,
        size: 1,
        count: Count::of_constant(1),
    };

    /// The same steps in bytes.
    pub(super) fn in_bytes(&self) -> Count {
        Count {
            constant: self.count.constant * self.size,
            ..self.count.clone()
        }
    }
}

impl Lower<'_> {
    /// How a pointer to `to` steps.
    pub(super) fn layout(&self, to: QualType) -> Layout {
        let types = &*self.types;
        if types.is_void(to) {
            return Layout::BYTES;
        }
        let (elem, block) = types.shared_elem(to).unwrap_or((to, 0));
        // An empty record has size 0: nothing to divide by.
        let size = types.fixed_size(elem).unwrap_or(1);
        let count = |bytes: u64| bytes.checked_div(size).unwrap_or(1);
        let (constant, per_thread) = match types.size_of(to) {
            Some(Size::Fixed(bytes)) => (count(bytes), false),
            Some(Size::PerThread(bytes)) => (count(bytes), true),
            Some(Size::Variable) => {
                let count = self.run_time_count(to);
                return Layout { block, size, count };
            }
            None => (1, false),
        };
        let count = Count {
            per_thread,
            ..Count::of_constant(constant)
        };
        Layout { block, size, count }
    }

    /// The elements of an array with dimensions that are known at run time only.
    fn run_time_count(&self, array: QualType) -> Count {
        let mut count = Count::of_constant(1);
        let here = Span {
            lo: self.item_start,
            hi: self.item_start,
        };
        let mut at = array;
        while let Some((elem, len)) = self.types.array(at) {
            match len {
                ArrayLen::Fixed(n) => count.constant = count.constant.saturating_mul(n),
                ArrayLen::PerThread(n) => {
                    count.constant = count.constant.saturating_mul(n);
                    count.per_thread = true;
                }
                // Only types of prototypes have lengths that nothing keeps, and no pointer of those takes a step.
                ArrayLen::Variable(number) => match self.body.length_local(number) {
                    Some(local) => count.lengths.push(local),
                    None => ice(here, "a step of unknown length"),
                },
                ArrayLen::Incomplete => {}
            }
            at = elem;
        }
        count
    }

    /// True for an expression that evaluates one of these lengths: what reads the length must come behind it.
    pub(super) fn evaluates(&self, root: ExprId, lengths: &[LocalId]) -> bool {
        if lengths.is_empty() {
            return false;
        }
        let mut found = false;
        visit(&self.body, Node::Expr(root), &mut |node| {
            if let Node::Expr(e) = node
                && let ExprKind::Assign { place, .. } = self.body.expr(e).kind
                && let ExprKind::Local(local) = self.body.expr(place).kind
            {
                found |= lengths.contains(&local);
            }
            !found
        });
        found
    }

    /// `Some(r)` when the index is r * THREADS, and no bound is asked after.
    pub(super) fn whole_rounds(&self, step: Step) -> Option<i64> {
        match step.bound {
            Some(_) => None,
            None => self.multiple_of_threads(step.index),
        }
    }

    fn multiple_of_threads(&self, index: ExprId) -> Option<i64> {
        use ExprKind::*;
        if let Some(n) = self.constant(index) {
            let threads = i64::from(self.static_threads?);
            return (n % threads == 0).then_some(n / threads);
        }
        match self.body.expr(index).kind {
            Threads => Some(1),
            Cast { value, .. } if self.types.is_integer(self.ty_of(index)) => {
                self.multiple_of_threads(value)
            }
            Binary(BinOp::Mul, a, b) => match (self.constant(a), self.constant(b)) {
                (Some(n), _) => self.multiple_of_threads(b)?.checked_mul(n),
                (_, Some(n)) => self.multiple_of_threads(a)?.checked_mul(n),
                (None, None) => None,
            },
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
            | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
            | Opaque | MyThread => None,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => None,
        }
    }

    /// The index times `count`, as a distance.
    pub(super) fn distance(&mut self, step: Step, count: &Count) -> Distance {
        let Step {
            index,
            negate,
            bound,
        } = step;
        let span = self.body.expr(index).span;
        let factor = count.constant as i64;
        let constant = self.constant(index);
        let constant = constant.map(|n| if negate { n.wrapping_neg() } else { n });
        let bound = bound.filter(|bound| !bound.holds(constant));
        if let (Some(n), true, None) = (constant, count.is_constant(), bound)
            && let Some(constant) = n.checked_mul(factor)
        {
            return Distance {
                constant,
                variable: None,
            };
        }
        let mut e = self.value(index);
        if negate {
            e = self.wide(e, true);
            e = self.push(
                ExprKind::Unary(UnOp::Neg, e),
                QualType::plain(Types::PTRDIFF_T),
                span,
            );
        }
        if let Some(bound) = bound {
            e = self.index_checked(e, bound);
        }
        if factor != 1 {
            let n = self.int(factor, span);
            e = self.arithmetic(BinOp::Mul, e, n, span);
        }
        for factor in self.variable_factors(count, span) {
            e = self.arithmetic(BinOp::Mul, e, factor, span);
        }
        Distance {
            constant: 0,
            variable: Some(e),
        }
    }

    /// The factors of a count that only the run knows.
    fn variable_factors(&mut self, count: &Count, span: Span) -> Vec<ExprId> {
        let lengths = count.lengths.iter();
        let mut factors: Vec<ExprId> = lengths.map(|&l| self.body.load_local(l, span)).collect();
        if count.per_thread {
            factors.push(self.rt(RtOp::Threads, &[], Types::INT, span));
        }
        factors
    }

    /// `e / count`
    pub(super) fn divided(&mut self, mut e: ExprId, count: &Count, span: Span) -> ExprId {
        if count.constant != 1 {
            let n = self.int(count.constant as i64, span);
            e = self.arithmetic(BinOp::Div, e, n, span);
        }
        for factor in self.variable_factors(count, span) {
            e = self.arithmetic(BinOp::Div, e, factor, span);
        }
        e
    }

    /// The value of an integer constant, seen through conversions that keep it.
    pub(super) fn constant(&self, id: ExprId) -> Option<i64> {
        use ExprKind::*;
        match self.body.expr(id).kind {
            Int(n) => Some(n),
            Cast {
                value,
                implicit: true,
            } if self.types.is_integer(self.ty_of(id)) => {
                let n = self.constant(value)?;
                let kind = self.types.int_kind_of(self.ty_of(id))?;
                kind.holds(i128::from(n)).then_some(n)
            }
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
            | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => None,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => None,
        }
    }

    pub(super) fn sum(&mut self, a: Distance, b: Distance, span: Span) -> Distance {
        let variable = match (a.variable, b.variable) {
            (Some(x), Some(y)) => Some(self.arithmetic(BinOp::Add, x, y, span)),
            (x, y) => x.or(y),
        };
        Distance {
            constant: a.constant.wrapping_add(b.constant),
            variable,
        }
    }

    /// `a op b` in `ptrdiff_t`.
    pub(super) fn arithmetic(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        // One operand of full width makes the C compiler compute in it.
        let (a_wide, b_wide) = (self.is_wide(a), self.is_wide(b));
        let a = self.wide(a, !a_wide && !b_wide);
        let b = self.wide(b, false);
        self.push(
            ExprKind::Binary(op, a, b),
            QualType::plain(Types::PTRDIFF_T),
            span,
        )
    }

    fn is_wide(&self, id: ExprId) -> bool {
        self.types
            .int_kind_of(self.ty_of(id))
            .is_some_and(|k| k.size() >= 8)
    }

    /// Converts to `ptrdiff_t`; `explicit` where C would not do so by itself.
    pub(super) fn wide(&mut self, id: ExprId, explicit: bool) -> ExprId {
        let ty = QualType::plain(Types::PTRDIFF_T);
        if self.types.canon_qt(self.ty_of(id)) == ty {
            return id;
        }
        let span = self.body.expr(id).span;
        let kind = ExprKind::Cast {
            value: id,
            implicit: !explicit,
        };
        self.push(kind, ty, span)
    }

    pub(super) fn distance_expr(&mut self, d: Distance, span: Span) -> ExprId {
        match d.variable {
            None => self.int(d.constant, span),
            Some(e) if d.constant == 0 => e,
            Some(e) => {
                let (op, n) = if d.constant < 0 && d.constant != i64::MIN {
                    (BinOp::Sub, -d.constant)
                } else {
                    (BinOp::Add, d.constant)
                };
                let n = self.int(n, span);
                self.arithmetic(op, e, n, span)
            }
        }
    }
}
