//! Additional code of checked units (`-fupc-checks`): indices stay within the bounds of declared arrays (C11 6.5.6p8),
//! phases within the block size (UPC 6.4.3p3). The operations themselves do all other checks, through the checking
//! forms in the runtime's headers.

use super::Lower;
use super::pointer::Pts;
use crate::il::{ExprId, ExprKind, LocalId, RtOp};
use crate::types::{ArrayLen, QualType, Types};
use upcc_grammar::ast::Span;

/// The use of a pointer that is being built.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// Its value is used; it may temporarily point anywhere: `a - 1`.
    Value,
    /// A place is accessed through it.
    Place {
        /// The place's address is taken, so one past the end of an array is allowed.
        past: bool,
        /// The innermost subscript so far, as text for a message.
        text: Option<Span>,
    },
}

impl Use {
    /// A place that is read or written.
    pub(super) fn access() -> Use {
        Use::Place {
            past: false,
            text: None,
        }
    }

    /// The use for the place whose address is the pointer.
    pub(super) fn of_place(self) -> Use {
        match self {
            Use::Value => Use::Place {
                past: true,
                text: None,
            },
            Use::Place { .. } => self,
        }
    }

    /// The use for the pointer operand of an addition: only the operand of a subscript (`bounded`) must itself be
    /// within bounds.
    pub(super) fn of_operand(self, bounded: bool) -> Use {
        if bounded { self } else { Use::Value }
    }

    /// The same use, with the text of a place on the path.
    pub(super) fn with_text(self, span: Span) -> Use {
        match self {
            Use::Place { past, .. } if span.hi > span.lo => Use::Place {
                past,
                text: Some(span),
            },
            Use::Value | Use::Place { .. } => self,
        }
    }
}

/// The number of elements of a dimension.
#[derive(Clone, Copy)]
enum Extent {
    Constant(u64),
    /// The value times THREADS.
    PerThread(u64),
    /// The value of this variable.
    Length(LocalId),
}

/// The dimension that bounds an index.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    extent: Extent,
    past: bool,
    text: Option<Span>,
}

impl Bound {
    /// True for a constant index that is within bounds for every THREADS.
    pub(super) fn holds(&self, index: Option<i64>) -> bool {
        let least = match self.extent {
            Extent::Constant(count) | Extent::PerThread(count) => count,
            Extent::Length(_) => return false,
        };
        index
            .and_then(|n| u64::try_from(n).ok())
            .is_some_and(|n| n < least + u64::from(self.past))
    }

    /// The variable that holds the number of elements.
    pub(super) fn length(&self) -> Option<LocalId> {
        match self.extent {
            Extent::Constant(_) | Extent::PerThread(_) => None,
            Extent::Length(local) => Some(local),
        }
    }
}

impl Lower<'_> {
    /// The use for `&a[i]`, which is the addition itself with the text of the whole (C11 6.5.3.2p3): a place, unlike
    /// `a + i`.
    pub(super) fn subscript_address(&self, id: ExprId, used: Use) -> Use {
        let e = self.body.expr(id);
        let behind = |operand| e.span.lo < self.body.expr(operand).span.lo;
        if let (
            Use::Value,
            ExprKind::PtrAdd {
                ptr,
                index,
                negate: false,
            },
        ) = (used, e.kind)
            && behind(ptr)
            && behind(index)
        {
            used.of_place().with_text(e.span)
        } else {
            used
        }
    }

    /// The bound of an index that is added to `ptr` on the path to a place.
    pub(super) fn bound(&self, ptr: ExprId, used: Use) -> Option<Bound> {
        let Use::Place { past, text } = used else {
            return None;
        };
        let ExprKind::Decay(array) = self.body.expr(ptr).kind else {
            return None;
        };
        if !self.checks {
            return None;
        }
        let extent = match self.types.array(self.ty_of(array))?.1 {
            ArrayLen::Fixed(count) if self.is_open_end(array, count) => return None,
            ArrayLen::Fixed(count) => Extent::Constant(count),
            ArrayLen::PerThread(count) => Extent::PerThread(count),
            ArrayLen::Variable(number) => Extent::Length(self.body.length_local(number)?),
            ArrayLen::Incomplete => return None,
        };
        Some(Bound { extent, past, text })
    }

    /// True for `int tail[1]` at the end of a record: by old convention it stands for as many elements as were
    /// allocated.
    fn is_open_end(&self, array: ExprId, count: u64) -> bool {
        let ExprKind::Field(record, index) = self.body.expr(array).kind else {
            return false;
        };
        let fields = self.types.record_id(self.ty_of(record)).and_then(|id| {
            let body = self.types.record(id).body.as_ref()?;
            Some(body.fields.len())
        });
        count <= 1 && fields == Some(index as usize + 1)
    }

    /// Builds `upcr_index(index, count, per_thread, past, "text")`.
    pub(super) fn index_checked(&mut self, index: ExprId, bound: Bound) -> ExprId {
        let span = bound.text.unwrap_or(self.body.expr(index).span);
        let (count, per_thread) = match bound.extent {
            Extent::Constant(count) => (self.int(count as i64, span), false),
            Extent::PerThread(count) => (self.int(count as i64, span), true),
            Extent::Length(local) => (self.body.load_local(local, span), false),
        };
        let args = [
            index,
            count,
            self.int(i64::from(per_thread), span),
            self.int(i64::from(bound.past), span),
        ];
        self.rt(RtOp::Index, &args, Types::PTRDIFF_T, span)
    }

    /// Checks the phase in the conversion `id` of a generic pointer to a pointer with phases.
    pub(super) fn phase_checked(
        &mut self,
        p: Pts,
        from: QualType,
        to: QualType,
        id: ExprId,
    ) -> Pts {
        let block = self.types.shared_elem(to).map_or(0, |(_, block)| block);
        if !self.checks || block < 2 || !self.types.is_void(from) || self.types.is_void(to) {
            return p;
        }
        let span = self.body.expr(id).span;
        let ty = self.ty_of(id);
        let value = self.finish(p, ty, span);
        let block = self.int(i64::from(block), span);
        Pts::value(
            self.body.rt(RtOp::WithPhase, &[value, block], ty, span),
            false,
        )
    }
}
