//! Run-time lengths of arrays to which pointers-to-shared point, as in `shared [3] int (*p)[m]`.
//!
//! Emitted C has one type for all pointers-to-shared, so the C compiler does not keep such a length. A local variable
//! of the function holds it: the length is stored where C evaluates the size expression (C11 6.7.6.2p5), and pointer
//! arithmetic and `sizeof` read it from the variable.

use super::*;
use crate::diag::codes;
use crate::il::{Decl, ExprFlags, ExprKind};
use crate::types::{ArrayLen, Size};
use ast::BinOp;

const LENGTH: QualType = QualType::plain(Types::PTRDIFF_T);
const SIZE_T: QualType = QualType::plain(Types::SIZE_T);

/// The remaining work for an entry of [`il::Body::lengths`].
#[derive(Clone, Copy)]
pub(super) struct Unfinished {
    /// The value, until it is stored.
    value: Option<(il::ExprId, Span)>,
    /// The variable has no declaration yet.
    undeclared: bool,
}

/// A number of lengths: entries after it belong to what is read next.
#[derive(Clone, Copy)]
pub(super) struct LengthMark(usize);

impl Nodes<'_> {
    pub(super) fn length_mark(&self) -> LengthMark {
        LengthMark(self.body.lengths.len())
    }

    /// Registers the length `value` of an array with shared elements of type `elem`, in a block or a prototype.
    pub(super) fn run_time_length(
        &mut self,
        elem: QualType,
        value: il::ExprId,
        span: Span,
    ) -> Option<ArrayLen> {
        let (ty, number) = self.types.variable_array(elem);
        let local = self.new_local(None, LENGTH, 0, span);
        // Nodes that were discarded have removed their lengths from the body.
        self.unfinished.truncate(self.body.lengths.len());
        self.body.lengths.push((number, local));
        self.body.roles.push((local, "length"));
        self.unfinished.push(Unfinished {
            value: Some((value, span)),
            undeclared: true,
        });
        self.touched = true;
        self.types.array(QualType::plain(ty)).map(|(_, len)| len)
    }

    /// The variables and values of the lengths since `mark` that have not been stored.
    fn take_lengths(&mut self, mark: LengthMark) -> Vec<(il::LocalId, il::ExprId, Span)> {
        let entries = self.body.lengths.iter().zip(&mut self.unfinished);
        let since = entries.skip(mark.0);
        since
            .filter_map(|(&(_, local), state)| {
                let (value, span) = state.value.take()?;
                Some((local, value, span))
            })
            .collect()
    }

    /// Drops the lengths of the declarators read since `mark`, which were those of a prototype: it evaluates no sizes.
    pub(super) fn drop_lengths(&mut self, mark: LengthMark) {
        self.body.lengths.truncate(mark.0);
        let since = mark.0.min(self.unfinished.len());
        self.unfinished.truncate(since);
    }

    /// The declarations that evaluate the sizes before a declaration.
    pub(super) fn declared_lengths(&mut self, mark: LengthMark) -> Vec<Decl> {
        let taken = self.take_lengths(mark);
        if self.unevaluated > 0
            && let Some(&(.., span)) = taken.first()
        {
            self.misplaced_length(span);
        }
        taken
            .into_iter()
            .map(|(local, value, _)| Decl::Length { local, value })
            .collect()
    }

    /// The declarations of a function's lengths, and the evaluation of its parameters' lengths, before its body.
    pub(super) fn with_lengths_of_function(
        &mut self,
        mark: LengthMark,
        params: Vec<Decl>,
        root: il::StmtId,
    ) {
        for (.., span) in self.take_lengths(mark) {
            self.misplaced_length(span);
        }
        let entries = self.body.lengths.iter().zip(&mut self.unfinished);
        let undeclared = entries.skip(mark.0).filter_map(|(&(_, local), state)| {
            std::mem::take(&mut state.undeclared).then_some(Decl::Local {
                local,
                init: None,
                attrs: Vec::new(),
                asm_label: None,
            })
        });
        let mut decls: Vec<Decl> = undeclared.collect();
        if decls.is_empty() {
            return;
        }
        decls.extend(params);
        let lo = self.body.stmts[root].span.lo;
        let span = Span { lo, hi: lo };
        let group = il::DeclGroup {
            span,
            verbatim: false,
            tags: Vec::new(),
            decls,
        };
        let group = self.body.push_stmt(il::StmtKind::Decl(group), span, false);
        if let il::StmtKind::Compound(block) = &mut self.body.stmts[root].kind {
            block.items.insert(0, group);
        }
    }

    /// `e`, preceded by the evaluation of the sizes read since `mark`. An unevaluated operand leaves them to the
    /// enclosing expression.
    pub(super) fn behind_lengths(&mut self, mark: LengthMark, e: il::ExprId) -> il::ExprId {
        if self.unevaluated > 0 {
            return e;
        }
        let mut result = e;
        for (local, value, span) in self.take_lengths(mark).into_iter().rev() {
            let place = self.push_expr(ExprKind::Local(local), LENGTH, span, ExprFlags::default());
            let value = self.cast_implicit(value, LENGTH);
            let store = ExprKind::Assign { place, value };
            let store = self.push_expr(store, LENGTH, span, ExprFlags::default());
            let il::Expr { ty, span, .. } = self.node(result);
            let both = ExprKind::Comma(store, result);
            result = self.push_expr(both, ty, span, ExprFlags::default());
        }
        result
    }

    /// The number of shared elements in `ty`, an array with run-time dimensions: the product of the constant
    /// dimensions, whether THREADS is a factor, and the other dimensions.
    fn dimensions(&self, ty: QualType) -> (u64, bool, Vec<il::LocalId>) {
        let (mut count, mut per_thread, mut lengths) = (1u64, false, Vec::new());
        let mut at = ty;
        while let Some((elem, len)) = self.types.array(at) {
            match len {
                ArrayLen::Fixed(n) => count = count.saturating_mul(n),
                ArrayLen::PerThread(n) => (count, per_thread) = (count.saturating_mul(n), true),
                ArrayLen::Variable(number) => lengths.extend(self.body.length_local(number)),
                // Only complete types have a size.
                ArrayLen::Incomplete => {}
            }
            at = elem;
        }
        (count, per_thread, lengths)
    }

    fn size_int(&mut self, n: u64, span: Span) -> il::ExprId {
        self.int_node(n as i64, SIZE_T, span, false)
    }

    fn size_binary(&mut self, op: BinOp, a: il::ExprId, b: il::ExprId, span: Span) -> il::ExprId {
        let kind = ExprKind::Binary(op, a, b);
        self.push_expr(kind, SIZE_T, span, ExprFlags::default())
    }

    /// The product of `factor` and the lengths.
    fn product(&mut self, factor: u64, lengths: &[il::LocalId], span: Span) -> il::ExprId {
        let mut product = self.size_int(factor, span);
        for &local in lengths {
            let place = ExprKind::Local(local);
            let place = self.push_expr(place, LENGTH, span, ExprFlags::default());
            let length = self.value_of(place);
            let length = self.cast_implicit(length, SIZE_T);
            product = self.size_binary(BinOp::Mul, product, length, span);
        }
        product
    }

    fn threads_size(&mut self, span: Span) -> il::ExprId {
        self.push_expr(
            ExprKind::SizePerThread(1),
            SIZE_T,
            span,
            ExprFlags::default(),
        )
    }

    /// The `sizeof` of an array of shared elements, in bytes, if a dimension is known only at run time.
    pub(super) fn run_time_size(&mut self, ty: QualType, span: Span) -> Option<il::ExprId> {
        let (elem, _) = self.types.shared_elem(ty)?;
        if self.types.size_of(ty) != Some(Size::Variable) {
            return None;
        }
        let bytes = self.types.fixed_size(elem)?;
        let (count, per_thread, lengths) = self.dimensions(ty);
        let size = self.product(count.saturating_mul(bytes), &lengths, span);
        if !per_thread {
            return Some(size);
        }
        let threads = self.threads_size(span);
        Some(self.size_binary(BinOp::Mul, size, threads, span))
    }

    /// The `upc_localsizeof` of such an array: the whole blocks of the thread that has the most of them (UPC 6.4.1.1).
    pub(super) fn run_time_local_size(&mut self, ty: QualType, span: Span) -> Option<il::ExprId> {
        let (elem, block) = self.types.shared_elem(ty)?;
        if block == 0 {
            return self.run_time_size(ty, span);
        }
        if self.types.size_of(ty) != Some(Size::Variable) {
            return None;
        }
        let bytes = self.types.fixed_size(elem)?;
        let (count, per_thread, lengths) = self.dimensions(ty);
        let count = self.product(count, &lengths, span);
        let blocks = self.quotient_up(count, u64::from(block), span);
        let rounds = match per_thread {
            true => blocks,
            false => {
                let threads = self.threads_size(span);
                let one = self.size_int(1, span);
                let more = self.size_binary(BinOp::Sub, threads, one, span);
                let sum = self.size_binary(BinOp::Add, blocks, more, span);
                let threads = self.threads_size(span);
                self.size_binary(BinOp::Div, sum, threads, span)
            }
        };
        let portion = self.size_int(u64::from(block).saturating_mul(bytes), span);
        Some(self.size_binary(BinOp::Mul, rounds, portion, span))
    }

    /// `a / n`, rounded up.
    fn quotient_up(&mut self, a: il::ExprId, n: u64, span: Span) -> il::ExprId {
        let more = self.size_int(n - 1, span);
        let sum = self.size_binary(BinOp::Add, a, more, span);
        let n = self.size_int(n, span);
        self.size_binary(BinOp::Div, sum, n, span)
    }
}

impl Context<'_> {
    /// Reports a shared object whose size is not known before run time.
    pub(super) fn shared_of_variable_length(&mut self, span: Span) {
        let message = "the size of a shared array must be a constant, or a constant times THREADS";
        let help = "allocate it with `upc_all_alloc` or a similar function";
        self.error(codes::SHARED_VLA, span, message, help);
    }

    /// Reports the size expression of an array of shared elements at a position where it cannot be evaluated exactly
    /// once.
    pub(super) fn misplaced_length(&mut self, span: Span) {
        let message =
            "the length of an array of shared elements must be known at compile time here";
        let help = "declare a typedef or a pointer of this type before the statement, and use that";
        self.error(codes::SHARED_VLA, span, message, help);
    }
}
