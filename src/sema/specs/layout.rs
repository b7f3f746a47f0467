//! Qualifier lists and layout qualifiers (UPC 6.5.1.1).

use super::*;
use crate::target::Pointers;
use crate::types::ArrayLen;
use upcc_grammar::ast::Layout;

/// Block size that represents `[*]` until the array is complete. It exceeds every legal block size.
pub(in crate::sema) const STAR: u32 = u32::MAX;

impl Sema<'_> {
    /// Returns `ty` with the qualifiers of a list, and checks UPC's rules on the list.
    pub(super) fn qualified(&mut self, ty: QualType, list: &ast::Quals, span: Span) -> QualType {
        if list.bits == 0 && list.layouts.is_empty() {
            return ty;
        }
        let mut quals = quals_of(list);
        let elem = self.types.ultimate(ty);
        let already = elem.quals;
        let at = if list.upc_span == Span::default() {
            span
        } else {
            list.upc_span
        };
        if quals.any(Quals::STRICT.with(Quals::RELAXED)) {
            quals = self.check_reference_quals(quals, list, ty, at);
        }
        if quals.has(Quals::RESTRICT) && !self.may_be_restricted(elem) {
            let message = format!(
                "`restrict` on `{}`, which is not a pointer to an object type",
                self.show(ty)
            );
            let help = "remove it, or put it after the `*` of a pointer";
            self.error(codes::BAD_RESTRICT, span, message, help);
            quals = quals.without(Quals::RESTRICT);
        }
        if quals.has(Quals::ATOMIC) && !self.may_be_atomic(ty, span) {
            quals = quals.without(Quals::ATOMIC);
        }
        if !quals.has(Quals::SHARED) {
            return self.types.qualify(ty, quals, 0);
        }
        // The type is a private array whose length comes from a typedef or typeof.
        if self.is_variable(ty) {
            let message = "`shared` cannot qualify a variable length array";
            let help = "write `shared` into the typedef of the array";
            self.error(codes::SHARED_VLA, at, message, help);
            return QualType::plain(Types::UNKNOWN);
        }
        if quals.with(already).has(Quals::ATOMIC) {
            let message = "a shared type cannot be `_Atomic`";
            let help = "use `strict`, a lock, or the UPC atomics library";
            self.error(codes::SHARED_ATOMIC, at, message, help);
            quals = quals.without(Quals::ATOMIC);
        }
        let written = self.block_size(list);
        let block = match written {
            Some((block, at)) if already.has(Quals::SHARED) && block != elem.block => {
                let message = format!(
                    "the type is already shared, with {}: this layout qualifier specifies a different one",
                    layout_words(elem.block)
                );
                let help =
                    "remove the layout qualifier here, or make the typedef's type not shared";
                self.error(codes::TWO_BLOCK_SIZES, at, message, help);
                self.label_typedef(ty, |to| {
                    let named = layout_words(to.block);
                    to.quals
                        .has(Quals::SHARED)
                        .then(|| format!("shared with {named} here"))
                });
                elem.block
            }
            Some((block, _)) => block,
            None if already.has(Quals::SHARED) => elem.block,
            None => 1,
        };
        if let Some((_, at)) = written
            && self.types.is_void(elem)
        {
            let message = "`shared void` cannot have a layout qualifier: a generic pointer-to-shared can point to objects of every block size";
            self.error(codes::LAYOUT_ON_VOID, at, message, "write `shared void`");
            return self.types.qualify(ty, quals, 1);
        }
        self.types.qualify(ty, quals, block)
    }

    /// The block size of a list's layout qualifier, and its span.
    fn block_size(&mut self, list: &ast::Quals) -> Option<(u32, Span)> {
        let &(layout, span) = list.layouts.first()?;
        if let Some(&(_, second)) = list.layouts.get(1) {
            let message = "more than one layout qualifier for the same type";
            self.error_with_note(
                codes::TWO_BLOCK_SIZES,
                second,
                message,
                span,
                "the first is here",
                "keep one",
            );
        }
        let block = match layout {
            Layout::Empty => 0,
            Layout::Star => STAR,
            Layout::Expr(e) => self.block_size_value(e, span),
        };
        Some((block, span))
    }

    fn block_size_value(&mut self, e: ast::ExprId, span: Span) -> u32 {
        let (value, unknown) = self.scratch(|s| {
            let e = s.rvalue(e);
            (s.try_const_int(e), s.types.is_unknown(s.ty(e)))
        });
        let max = self.opts.max_block_size;
        match value {
            // Already reported.
            None if unknown => 1,
            Some(n) if n >= 0 && n <= i128::from(max) => n as u32,
            Some(n) => {
                let message =
                    format!("block size {n} is not between 0 and UPC_MAX_BLOCK_SIZE ({max})");
                let help = self.block_size_help(
                    n,
                    "choose a smaller block size, or `[]` to keep all elements on one thread",
                );
                self.error(codes::BLOCK_SIZE_RANGE, span, message, help);
                1
            }
            None => {
                let message = "the block size is not an integer constant expression";
                let help = if self.opts.static_threads.is_none() {
                    "write a constant; `[*]` spreads an array evenly; THREADS is a constant only with `-T=N`"
                } else {
                    "write a constant; `[*]` spreads an array evenly"
                };
                self.error(codes::BLOCK_SIZE_NOT_CONSTANT, span, message, help);
                1
            }
        }
    }
}

impl Context<'_> {
    /// Checks that a type may be atomic, which arrays and functions may not (C11 6.7.2.4p3, 6.7.3p3).
    pub(super) fn may_be_atomic(&mut self, ty: QualType, span: Span) -> bool {
        let what = match self.types.kind(ty) {
            Type::Array(..) => "an array",
            Type::Function(_) => "a function",
            _ => return true,
        };
        let message = format!("`_Atomic` on `{}`, which is {what}", self.show(ty));
        let help = "make the elements or the pointer's target atomic";
        self.error(codes::BAD_ATOMIC, span, message, help);
        false
    }

    /// True for pointers to object types, which alone may be `restrict` (C11 6.7.3p2).
    fn may_be_restricted(&self, ty: QualType) -> bool {
        match self.types.pointee(ty) {
            Some(to) => !self.types.is_function(to),
            None => self.types.is_unknown(ty),
        }
    }

    fn check_reference_quals(
        &mut self,
        quals: Quals,
        list: &ast::Quals,
        ty: QualType,
        at: Span,
    ) -> Quals {
        let both = Quals::STRICT.with(Quals::RELAXED);
        let already = self.types.ultimate(ty).quals;
        if quals.with(already).has(both) {
            self.strict_and_relaxed(list, ty);
            return quals.without(Quals::RELAXED);
        }
        if !quals.with(already).has(Quals::SHARED) {
            let message = "`strict` and `relaxed` qualify shared types only";
            self.error(
                codes::REFERENCE_WITHOUT_SHARED,
                at,
                message,
                "add `shared`, or remove the qualifier",
            );
            return quals.without(both);
        }
        quals
    }

    /// Reports the second of the two qualifiers, and shows the position of the first: in the same list or in a typedef.
    fn strict_and_relaxed(&mut self, list: &ast::Quals, ty: QualType) {
        let message = "the type is both `strict` and `relaxed`";
        let help = "keep the one you mean";
        let (here, first, there) = match (list.strict, list.relaxed) {
            (Some(strict), Some(relaxed)) => {
                let (first, second) = if strict.lo < relaxed.lo {
                    (strict, relaxed)
                } else {
                    (relaxed, strict)
                };
                let code = codes::STRICT_AND_RELAXED;
                return self.error_with_note(
                    code,
                    second,
                    message,
                    first,
                    "the first is here",
                    help,
                );
            }
            (Some(strict), None) => (strict, Quals::RELAXED, "relaxed"),
            (None, Some(relaxed)) => (relaxed, Quals::STRICT, "strict"),
            // The caller has found one of them in the list.
            (None, None) => return,
        };
        self.error(codes::STRICT_AND_RELAXED, here, message, help);
        self.label_typedef(ty, |to| {
            to.quals
                .has(first)
                .then(|| format!("`{there}` is specified here"))
        });
    }

    /// Adds to the last report the innermost typedef of `ty` for whose ultimate element type `describe` returns a text.
    fn label_typedef(&mut self, mut ty: QualType, describe: impl Fn(QualType) -> Option<String>) {
        let mut found = None;
        while let Type::Typedef(id) = *self.types.get(ty.ty) {
            let typedef = self.types.typedef(id);
            let Some(text) = describe(self.types.ultimate(typedef.target)) else {
                break;
            };
            (ty, found) = (typedef.target, Some((typedef.span, text)));
        }
        if let Some((span, text)) = found {
            self.note(span, &text);
        }
    }

    /// Suggestions for a block size that is out of range: another size, or pointers-to-shared that can represent this
    /// one.
    fn block_size_help(&self, size: i128, other: &str) -> String {
        let most = Pointers::Struct.max_block_size();
        let larger = self.opts.max_block_size < most && (0..=i128::from(most)).contains(&size);
        match larger {
            true => format!(
                "{other}; or compile all files with -fupc-pts=struct, whose pointers-to-shared can represent this block size"
            ),
            false => other.to_owned(),
        }
    }

    /// Replaces `[*]` in a declared type by the block size `ceil(elements / THREADS)` (UPC 6.5.1.1p12).
    pub(in crate::sema) fn settle_star(&mut self, ty: QualType, span: Span) -> QualType {
        if !self.has_star(ty) {
            return ty;
        }
        let elem = self.types.ultimate(ty);
        if elem.block != STAR {
            let message = "layout qualifier `[*]` for the target of a pointer: the block size can be computed only in the declaration of an array";
            self.error(
                codes::STAR_ON_POINTER,
                span,
                message,
                "give the block size, or `[]`",
            );
            return self.replace_star(ty, 1);
        }
        let block = self.star_block(ty, span);
        self.replace_star(ty, block)
    }

    /// The block size that `[*]` denotes; 0 after an error, which fits every array.
    fn star_block(&mut self, ty: QualType, span: Span) -> u32 {
        let (mut count, mut per_thread) = (1u64, false);
        let mut at = self.types.resolve(ty);
        while let Type::Array(elem, len) = *self.types.get(at.ty) {
            match len {
                ArrayLen::Fixed(n) => count = count.saturating_mul(n),
                ArrayLen::PerThread(n) => {
                    (count, per_thread) = (count.saturating_mul(n), true);
                }
                ArrayLen::Incomplete | ArrayLen::Variable(_) => {
                    let message = "layout qualifier `[*]` needs the size of the array to compute the block size";
                    self.error(
                        codes::STAR_WITHOUT_SIZE,
                        span,
                        message,
                        "give the array its size, or write the block size",
                    );
                    return 0;
                }
            }
            at = self.types.resolve(elem);
        }
        let threads = match self.opts.static_threads {
            Some(n) if !per_thread => u64::from(n.max(1)),
            // `count` is already the number of elements per thread. Without THREADS in a dimension, the caller reports
            // the array.
            Some(_) | None => 1,
        };
        let block = count.div_ceil(threads);
        if block > u64::from(self.opts.max_block_size) {
            let message = format!(
                "`[*]` gives this array block size {block}, more than UPC_MAX_BLOCK_SIZE ({})",
                self.opts.max_block_size
            );
            let help = self.block_size_help(
                i128::from(block),
                "use a smaller array or a smaller block size",
            );
            self.error(codes::BLOCK_SIZE_RANGE, span, message, help);
            return 1;
        }
        (block as u32).max(1)
    }

    /// True if a shared qualifier in the type is still `[*]`.
    pub(in crate::sema) fn has_star(&self, ty: QualType) -> bool {
        if !self.types.has_shared(ty) {
            return false;
        }
        if ty.marked_shared() && ty.block == STAR {
            return true;
        }
        match self.types.get(ty.ty) {
            &Type::Pointer(to) | &Type::Array(to, _) => self.has_star(to),
            // The block sizes of parameters have been determined.
            Type::Function(f) => self.has_star(f.ret),
            _ => false,
        }
    }

    pub(in crate::sema) fn replace_star(&mut self, ty: QualType, block: u32) -> QualType {
        let own = if ty.marked_shared() && ty.block == STAR {
            QualType { block, ..ty }
        } else {
            ty
        };
        let inner = match self.types.get(ty.ty).clone() {
            Type::Pointer(to) if self.has_star(to) => {
                let to = self.replace_star(to, block);
                self.types.pointer_to(to)
            }
            Type::Array(elem, len) if self.has_star(elem) => {
                let elem = self.replace_star(elem, block);
                self.types.array_of(elem, len)
            }
            Type::Function(f) if self.has_star(f.ret) => {
                let ret = self.replace_star(f.ret, block);
                self.types
                    .intern(Type::Function(crate::types::FuncType { ret, ..f }))
            }
            _ => ty.ty,
        };
        QualType { ty: inner, ..own }
    }
}

fn layout_words(block: u32) -> String {
    match block {
        0 => "indefinite block size".into(),
        STAR => "layout `[*]`".into(),
        n => format!("block size {n}"),
    }
}
