//! The IL nodes of the current external declaration, and all that needs no more than nodes and types: conversions,
//! operators on operands with types, folding, lengths.

use super::lengths::Unfinished;
use super::{Context, il};
use crate::types::QualType;
use std::ops::{Deref, DerefMut};
use upcc_grammar::ast::Span;

/// Typed IL nodes. Its functions know no names: they take and return nodes.
pub struct Nodes<'a> {
    pub(super) context: Context<'a>,
    /// Arenas of the current external declaration.
    pub body: il::Body,
    /// Set when a node that is not verbatim (IL invariant 6) is found, also in an unevaluated operand. Code that needs
    /// this for a part of the source clears it before and restores it with `|=` after.
    pub touched: bool,
    /// The strict pragma is in force (UPC 6.7.1).
    pub(super) strict: bool,
    /// Parallel to [`il::Body::lengths`].
    pub(super) unfinished: Vec<Unfinished>,
    /// Number of unevaluated operands that enclose the current node.
    pub(super) unevaluated: u32,
}

impl<'a> Deref for Nodes<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

impl DerefMut for Nodes<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.context
    }
}

impl<'a> Nodes<'a> {
    pub(super) fn new(context: Context<'a>) -> Nodes<'a> {
        Nodes {
            context,
            body: il::Body::default(),
            touched: false,
            strict: false,
            unfinished: Vec::new(),
            unevaluated: 0,
        }
    }
}

impl Nodes<'_> {
    /// Adds an expression. All expressions are added through this function, so that `touched` is right.
    pub fn push_expr(
        &mut self,
        kind: il::ExprKind,
        ty: QualType,
        span: Span,
        flags: il::ExprFlags,
    ) -> il::ExprId {
        self.touched |= !flags.has(il::ExprFlags::VERBATIM);
        self.body.exprs.push(il::Expr {
            kind,
            ty,
            span,
            flags,
        });
        il::ExprId(self.body.exprs.len() as u32 - 1)
    }
}
