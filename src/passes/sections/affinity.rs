//! The element that the affinity of an `upc_forall` names by its address, whose thread runs the iteration (UPC 6.6.2).

use super::super::analysis::affine::Affine;
use super::super::analysis::linear::Position;
use super::super::analysis::places::member_root;
use super::super::analysis::residue::Residue;
use super::super::analysis::stride::Stride;
use crate::il::{ExprId, ExprKind};

/// The element to which a pointer-to-shared leads.
pub(super) struct Named {
    expr: Expr,
    /// Block size of its layout.
    pub block: u32,
}

#[derive(Clone, Copy)]
enum Expr {
    /// `&place`
    Place(ExprId),
    Pointer(ExprId),
}

/// Finds the element that an affinity names. Casts from other types than pointers-to-shared have none.
pub(super) fn named(affine: &Affine, affinity: ExprId) -> Option<Named> {
    let (types, body) = (&affine.module.types, affine.body);
    let mut pointer = affinity;
    while let ExprKind::Cast { value, .. } = body.expr(pointer).kind {
        let kept = types.is_pts(body.expr(value).ty);
        pointer = kept.then_some(value)?;
    }
    let (expr, ty) = if let ExprKind::AddrOf(place) = body.expr(pointer).kind {
        let place = member_root(body, place);
        (Expr::Place(place), body.expr(place).ty)
    } else {
        (
            Expr::Pointer(pointer),
            types.pointee(body.expr(pointer).ty)?,
        )
    };
    let (_, block) = types.shared_elem(ty)?;
    Some(Named { expr, block })
}

impl Named {
    /// Elements from one value of the loop variable to the next.
    pub(super) fn stride(&self, affine: &Affine) -> Option<Stride> {
        match self.expr {
            Expr::Place(place) => affine.place(place),
            Expr::Pointer(pointer) => affine.pointer(pointer),
        }
    }

    pub(super) fn position(&self, affine: &Affine) -> Option<Position> {
        match self.expr {
            Expr::Place(place) => affine.locate(place),
            Expr::Pointer(pointer) => affine.locate_target(pointer),
        }
    }

    pub(super) fn residue(&self, affine: &Affine) -> Option<Residue> {
        match self.expr {
            Expr::Place(place) => affine.position(place),
            Expr::Pointer(pointer) => affine.target(pointer),
        }
    }
}
