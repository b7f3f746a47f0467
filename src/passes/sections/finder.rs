//! The section of one reference: its element, block, stride and extent.

use super::super::analysis::affine::Affine;
use super::super::analysis::places::{accessed, member_root};
use super::super::analysis::refs::int_value;
use super::super::analysis::stride::Stride;
use super::{Extent, Reason, Section};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprFlags, ExprId, ExprKind};
use hashbrown::HashSet;
use upcc_grammar::ast::BinOp;

/// Finds the sections of one loop's references.
pub(super) struct Finder<'a> {
    pub(super) affine: Affine<'a>,
    pub(super) step: Stride,
    /// The values of the loop variable.
    pub(super) range: Option<(i64, i64)>,
    /// What every iteration evaluates.
    pub(super) certain: &'a HashSet<ExprId>,
    /// Accesses that raise events have sections, too, and single objects are sections of one element.
    pub(super) in_place: bool,
}

impl Finder<'_> {
    /// The section of a reference, or why it has none.
    pub(super) fn section(&self, access: ExprId) -> Result<Section, Reason> {
        let (module, body) = (self.affine.module, self.affine.body);
        let types = &module.types;
        let flags = body.expr(access).flags;
        let Some(place) = accessed(body, access) else {
            return Err(Reason::Form);
        };
        if !self.in_place && self.is_instrumented(access, place) {
            return Err(Reason::Instrumented);
        }
        let mut element = member_root(body, place);
        let mut moved = self.affine.place(element);
        // An element of an array in a record, which moves: the section is that of the records.
        while moved.is_none()
            && let Some(record) = record_of(body, element)
        {
            element = record;
            moved = self.affine.place(element);
        }
        let ty = body.expr(element).ty;
        let Some((_, block)) = types.shared_elem(ty) else {
            return Err(Reason::Form);
        };
        let kind = body.expr(element).kind;
        let designates = matches!(kind, ExprKind::Deref(_))
            || (self.in_place && matches!(kind, ExprKind::Object(_)));
        if !designates || types.is_array(ty) || types.fixed_size(ty).is_none_or(|size| size == 0) {
            return Err(Reason::Form);
        }
        let Some(stride) = moved.and_then(|stride| stride.scaled(self.step)) else {
            return Err(Reason::NotAffine);
        };
        let stride = stride
            .known(module.static_threads)
            .ok_or(Reason::NotAffine)?;
        if self.may_trap(element) && !self.certain.contains(&access) {
            return Err(Reason::Conditional);
        }
        if self.is_packed(element) {
            return Err(Reason::Packed);
        }
        Ok(Section {
            element,
            strict: flags.has(ExprFlags::STRICT),
            block,
            stride,
            extent: self.extent(element, block, stride),
        })
    }

    fn extent(&self, element: ExprId, block: u32, stride: Stride) -> Extent {
        let extent = extent(block, stride, self.affine.module.static_threads);
        if let Extent::Block(step) = extent
            && self.room_in_block(element, block).is_some()
        {
            return Extent::Whole(step);
        }
        extent
    }

    /// If all elements of the loop lie in one block, as its bounds and the subscripts show: how many elements before and
    /// after them are in that block, too.
    fn room_in_block(&self, element: ExprId, block: u32) -> Option<(i64, i64)> {
        let (low, high) = self.range?;
        let Stride::Constant(each) = self.affine.place(element)? else {
            return None;
        };
        let (a, b) = (each.checked_mul(low)?, each.checked_mul(high)?);
        let position = self.affine.position(element)?;
        position.room_in_block(i64::from(block), a.min(b), a.max(b))
    }

    /// How many elements before and after a section are in the same thread's memory, side by side with it.
    pub(super) fn room(&self, section: &Section) -> (i64, i64) {
        match section.block {
            0 => (i64::MAX, i64::MAX),
            block => self
                .room_in_block(section.element, block)
                .unwrap_or_default(),
        }
    }

    /// True for an access that raises events, or whose address takes one that does.
    fn is_instrumented(&self, access: ExprId, place: ExprId) -> bool {
        let body = self.affine.body;
        let raises = |e: ExprId| {
            let flags = body.expr(e).flags;
            flags.has(ExprFlags::INSTRUMENT_GET) || flags.has(ExprFlags::INSTRUMENT_PUT)
        };
        let mut found = raises(access);
        visit(body, Node::Expr(place), &mut |node| {
            found |= matches!(node, Node::Expr(e) if raises(e));
            !found
        });
        found
    }

    /// True if the computation of an address loads through a pointer, or divides by what may be 0.
    fn may_trap(&self, element: ExprId) -> bool {
        let (types, body) = (&self.affine.module.types, self.affine.body);
        let mut found = false;
        visit(body, Node::Expr(element), &mut |node| {
            let Node::Expr(e) = node else { return true };
            let kind = body.expr(e).kind;
            if let ExprKind::Load(place) = kind {
                found |= matches!(body.expr(member_root(body, place)).kind, ExprKind::Deref(_))
                    || types.is_shared(body.expr(place).ty);
            } else if let ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) = kind {
                found |= int_value(types, body, by).is_none_or(|n| n == 0 || n == -1);
            }
            !found
        });
        found
    }

    /// True for an element of an array in a record that gives it less alignment than its type has.
    pub(super) fn is_packed(&self, element: ExprId) -> bool {
        let (types, body) = (&self.affine.module.types, self.affine.body);
        let required = types.required_align(body.expr(element).ty);
        let mut found = false;
        visit(body, Node::Expr(element), &mut |node| {
            if let Node::Expr(e) = node
                && let ExprKind::Field(record, _) = body.expr(e).kind
            {
                found |= types.align_of(body.expr(record).ty) < required;
            }
            !found
        });
        found
    }
}

/// The element whose member is the array that a place is an element of.
fn record_of(body: &Body, element: ExprId) -> Option<ExprId> {
    let mut place = element;
    while let ExprKind::Deref(pointer) = body.expr(place).kind {
        let mut pointer = pointer;
        while let ExprKind::PtrAdd { ptr, .. } = body.expr(pointer).kind {
            pointer = ptr;
        }
        let ExprKind::Decay(array) = body.expr(pointer).kind else {
            return None;
        };
        place = array;
    }
    let record = member_root(body, place);
    (record != place && matches!(body.expr(record).kind, ExprKind::Deref(_))).then_some(record)
}

/// How far a section stays in the memory of one thread.
fn extent(block: u32, stride: Stride, static_threads: Option<u32>) -> Extent {
    if block == 0 || stride == Stride::ZERO {
        return Extent::Whole(stride);
    }
    let block = i64::from(block);
    if let Some(own) = stride.in_threads(static_threads)
        && own % block == 0
    {
        // The same phase of a later block of the same thread.
        return Extent::Whole(Stride::Constant(own));
    }
    let shorter = match stride {
        Stride::Constant(n) => n.unsigned_abs() < block.unsigned_abs(),
        Stride::Threads(n) => n > 0 && n < block,
    };
    match shorter {
        true => Extent::Block(stride),
        false => Extent::Element,
    }
}
