//! Declarators: derive the type of a name from a base type and the declarator around the name.

use super::*;
use crate::types::layout::LARGEST;
use crate::types::{ArrayLen, FuncType};
use upcc_grammar::ast::{ArraySize, BinOp, DeclaratorId, Derived, ExprKind, Params};
use upcc_grammar::token::TokenKind;

/// The result of a declarator.
pub(in crate::sema) struct Declared {
    pub name: Option<Symbol>,
    /// The name's token; the whole declarator if it has no name.
    pub name_span: Span,
    /// The type; `[*]` is still a placeholder.
    pub ty: QualType,
    pub span: Span,
    /// Number of pointers, arrays and functions that the declarator adds to its base type.
    pub derived: usize,
    /// Parameters of a function definition's own list.
    pub params: Vec<ParamName>,
}

/// A parameter of a function definition.
#[derive(Clone, Copy)]
pub(in crate::sema) struct ParamName {
    pub local: il::LocalId,
    /// The parameter is from an identifier list: its type is `int` unless a declaration gives another.
    pub old_style: bool,
}

impl<'a> Sema<'a> {
    /// Applies a declarator to a base type.
    pub(in crate::sema) fn declarator(&mut self, id: DeclaratorId, base: QualType) -> Declared {
        self.apply_declarator(id, base, false)
    }

    /// Applies the declarator of a function definition. The scope of its parameters is left open for the body; the
    /// caller closes it.
    pub(in crate::sema) fn definition_declarator(
        &mut self,
        id: DeclaratorId,
        base: QualType,
    ) -> Declared {
        let ast = self.ast;
        if !matches!(ast[id].derived.first(), Some(Derived::Function { .. })) {
            self.scopes.push();
        }
        self.apply_declarator(id, base, true)
    }

    fn apply_declarator(&mut self, id: DeclaratorId, base: QualType, definition: bool) -> Declared {
        let ast = self.ast;
        let declarator = &ast[id];
        let mut ty = base;
        let mut names = Vec::new();
        for (at, derived) in declarator.derived.iter().enumerate().rev() {
            ty = match derived {
                Derived::Pointer(quals) => {
                    let pointer = self.types.pointer_to(ty);
                    self.qualified(QualType::plain(pointer), quals, declarator.span)
                }
                Derived::Array { size, span, .. } => self.array_type(ty, *size, *span),
                Derived::Function { params, span } => {
                    let own = definition && at == 0;
                    self.function_type(ty, params, *span, own.then_some(&mut names))
                }
            };
        }
        let name_span = match declarator.name {
            Some(_) => Span {
                lo: declarator.name_tok,
                hi: declarator.name_tok + 1,
            },
            None => declarator.span,
        };
        Declared {
            name: declarator.name,
            name_span,
            ty,
            span: declarator.span,
            derived: declarator.derived.len(),
            params: names,
        }
    }

    // ---- functions

    fn function_type(
        &mut self,
        ret: QualType,
        params: &'a Params,
        span: Span,
        own: Option<&mut Vec<ParamName>>,
    ) -> QualType {
        let ret = self.check_result(ret, span);
        let function = match params {
            Params::Names(names) => {
                if let Some(own) = own {
                    self.scopes.push();
                    for &(name, token) in names {
                        own.push(self.old_style_param(name, token));
                    }
                }
                FuncType {
                    ret,
                    params: Vec::new(),
                    variadic: false,
                    prototype: false,
                }
            }
            Params::Prototype { params, variadic } => {
                self.scopes.push();
                let types = match own {
                    Some(own) => deep(|| self.param_types(params, Some(own))),
                    None => {
                        let tags = self.tags.len();
                        let types = deep(|| self.scratch(|s| s.param_types(params, None)));
                        self.close_prototype(tags);
                        self.scopes.pop();
                        types
                    }
                };
                FuncType {
                    ret,
                    params: types,
                    variadic: *variadic,
                    prototype: !params.is_empty() || *variadic,
                }
            }
        };
        QualType::plain(self.types.intern(Type::Function(function)))
    }

    /// Returns the adjusted parameter types; none for `(void)`. Named parameters are bound, and kept in `own` for a
    /// definition.
    fn param_types(
        &mut self,
        params: &[ast::Param],
        mut own: Option<&mut Vec<ParamName>>,
    ) -> Vec<QualType> {
        let lengths = self.length_mark();
        let mut types = Vec::with_capacity(params.len());
        // Parameters that so far have only a forward declaration.
        let mut forward: Vec<(Symbol, il::LocalId)> = Vec::new();
        for param in params {
            let specs = self.specs(param.specs);
            self.no_alignas(&specs, "a parameter");
            let base = self.attributed_declarator_base(specs.base, param.declarator, param.span);
            let declared = self.declarator(param.declarator, base);
            let end = param.span.hi;
            if self.suspected(specs.span.lo, end) {
                let subject = self.subject_of(Places::PARAMETER, declared.ty);
                self.check_attributes_of_specs(param.specs, subject);
                self.check_attributes_of_declarator(param.declarator, end, subject);
            }
            let nameless = declared.name.is_none();
            if params.len() == 1 && nameless && self.types.is_void(declared.ty) {
                return Vec::new();
            }
            let written = self.settle_star(declared.ty, param.span);
            let ty = self.adjusted_param(written, param);
            if !param.forward {
                types.push(ty);
            }
            if own.is_none() && nameless {
                continue;
            }
            let at = declared.name_span;
            let known = forward
                .iter()
                .position(|&(name, _)| declared.name == Some(name));
            let local = match known {
                // Sizes of other parameters may already mention it.
                Some(known) => {
                    let local = forward.swap_remove(known).1;
                    self.check_forward(local, ty, at);
                    local
                }
                None => {
                    let local = self.new_local(declared.name, ty, specs.storage, at);
                    if let Some(name) = declared.name {
                        self.bind_param(name, local, at);
                    }
                    local
                }
            };
            if param.forward {
                forward.extend(declared.name.map(|name| (name, local)));
                continue;
            }
            if let Some(own) = own.as_deref_mut() {
                self.keep_length(local, written);
                own.push(ParamName {
                    local,
                    old_style: false,
                });
            }
        }
        for (name, local) in forward {
            let message = format!(
                "parameter `{}` has only a forward declaration",
                self.name(name)
            );
            let at = self.body.locals[local].span;
            self.error(
                codes::BAD_PARAMETER,
                at,
                message,
                "declare it again after the `;`",
            );
        }
        if own.is_none() {
            self.drop_lengths(lengths);
        }
        types
    }

    // ---- arrays

    fn array_type(&mut self, elem: QualType, size: ArraySize, span: Span) -> QualType {
        let elem = self.check_element(elem, span);
        let len = match size {
            ArraySize::None => ArrayLen::Incomplete,
            ArraySize::Star => {
                let (ty, number) = self.types.variable_array(elem);
                self.body.vlas.push((number, None));
                return QualType::plain(ty);
            }
            ArraySize::Expr(e) => match self.array_len(e, elem, span) {
                Some(len) => len,
                None => return QualType::plain(self.types.variable_array(elem).0),
            },
        };
        let len = self.possible_length(elem, len, span);
        QualType::plain(self.types.array_of(elem, len))
    }

    /// Returns the extent of an array; `None` if it is variable and was reported or recorded by number.
    fn array_len(&mut self, e: ast::ExprId, elem: QualType, span: Span) -> Option<ArrayLen> {
        let mark = Mark::of(&self.body);
        let value = self.rvalue(e);
        if let Some(n) = self.try_const_int(value) {
            mark.rewind(&mut self.body);
            return Some(ArrayLen::Fixed(self.checked_extent(n, span)));
        }
        let ty = self.body.exprs[value].ty;
        if self.types.is_unknown(ty) {
            return None;
        }
        if !self.types.is_integer(ty) {
            let message = format!(
                "the size of an array must be an integer, not `{}`",
                self.show(ty)
            );
            self.error(
                codes::BAD_ARRAY_SIZE,
                span,
                message,
                "convert it to an integer type",
            );
            // No follow-up error for a shared array: THREADS may have been intended.
            return match self.opts.static_threads {
                None if self.types.is_shared(elem) => Some(ArrayLen::PerThread(1)),
                None | Some(_) => None,
            };
        }
        if self.types.is_shared(elem) {
            let fixed = self.scopes.depth() == 0;
            let per_thread = self.opts.static_threads.is_none() && self.mentions_threads(e);
            return match fixed || per_thread {
                true => Some(self.shared_extent(e, elem, span)),
                false => self.run_time_length(elem, value, span),
            };
        }
        if self.types.is_unknown(elem) {
            return Some(ArrayLen::Fixed(1));
        }
        if self.scopes.depth() == 0 {
            let threads = self.mentions_threads(e);
            let (message, help) = if threads {
                (
                    "the size of this array depends on THREADS, which is not a constant in the dynamic THREADS environment",
                    "compile with `-T=N`, or allocate the array",
                )
            } else {
                (
                    "variable length array at file scope",
                    "use a constant size, or allocate the array",
                )
            };
            self.error(codes::BAD_VLA, span, message, help);
            return None;
        }
        let (ty, number) = self.types.variable_array(elem);
        self.body.vlas.push((number, Some(value)));
        match *self.types.get(ty) {
            Type::Array(_, len) => Some(len),
            // `variable_array` returns arrays only.
            _ => None,
        }
    }

    /// Returns the extent of a shared array in the dynamic THREADS environment (UPC 6.5.2.1p2-3).
    fn shared_extent(&mut self, e: ast::ExprId, elem: QualType, span: Span) -> ArrayLen {
        let block = self.types.ultimate(elem).block;
        if !self.mentions_threads(e) {
            self.shared_of_variable_length(span);
            return ArrayLen::PerThread(1);
        }
        let (code, message, help) = if block == 0 {
            (
                codes::THREADS_INDEFINITE,
                "THREADS in the size of a shared array with indefinite block size: all elements have affinity to one thread".to_string(),
                "remove THREADS or the `[]`, or compile with `-T=N`",
            )
        } else if self.counts_threads(elem) {
            (
                codes::THREADS_TWICE,
                "THREADS in a second dimension of a shared array".to_string(),
                "keep it in one dimension, or compile with `-T=N`",
            )
        } else {
            match self.threads_factor(e) {
                Some((k, factors)) if k > 0 && k <= i64::MAX as i128 => {
                    self.threads_product(factors, k, span);
                    return ArrayLen::PerThread(k as u64);
                }
                Some((k, _)) => (
                    codes::THREADS_FORM,
                    format!("the factor of THREADS is {k}, but it must be positive"),
                    "use a positive constant",
                ),
                None if self.threads_tokens(e).nth(1).is_some() => (
                    codes::THREADS_FORM,
                    "THREADS may appear only once in the size of a shared array".to_string(),
                    "write the size as `THREADS` times a constant, or compile with `-T=N`",
                ),
                None => (
                    codes::THREADS_FORM,
                    "the size of a shared array must be THREADS or a product of THREADS and constants, without other operators and casts".to_string(),
                    "write the size as `THREADS` times a constant, or compile with `-T=N`",
                ),
            }
        };
        self.error(code, span, message, help);
        ArrayLen::PerThread(1)
    }

    /// Returns the k of a product that contains THREADS once, at any position and parenthesised or not, as in
    /// `k * THREADS` or `2 * (THREADS * 3)`; also the number of its factors.
    fn threads_factor(&mut self, e: ast::ExprId) -> Option<(i128, usize)> {
        let mut threads = self.threads_tokens(e);
        let at = threads.next()?;
        if threads.next().is_some() {
            return None;
        }
        drop(threads);
        let mut e = self.unparenthesised(e);
        let (mut factor, mut factors) = (1i128, 0);
        while let ExprKind::Binary(BinOp::Mul, a, b) = self.ast[e].kind {
            let (product, constant) = match at < self.ast[a].span.hi {
                true => (a, b),
                false => (b, a),
            };
            let constant = self.scratch(|s| {
                let value = s.rvalue(constant);
                s.try_const_int(value)
            })?;
            factor = factor.saturating_mul(constant);
            factors += 1;
            e = self.unparenthesised(product);
        }
        matches!(self.ast[e].kind, ExprKind::Threads).then_some((factor, factors))
    }
}

impl SymbolTable<'_> {
    fn old_style_param(&mut self, name: Symbol, token: u32) -> ParamName {
        let span = Span {
            lo: token,
            hi: token + 1,
        };
        let local = self.new_local(Some(name), QualType::plain(Types::INT), 0, span);
        self.bind_param(name, local, span);
        ParamName {
            local,
            old_style: true,
        }
    }

    fn bind_param(&mut self, name: Symbol, local: il::LocalId, span: Span) {
        if let Some(&other) = self.scopes.lookup_here(name)
            && matches!(other.entity, Entity::Local(_))
        {
            let message = format!("parameter `{}` is declared twice", self.name(name));
            self.error_with_note(
                codes::REDEFINED,
                span,
                message,
                other.span,
                "the first is here",
                "rename one",
            );
        }
        self.bind(name, Entity::Local(local), span);
    }
}

impl Nodes<'_> {
    /// Records the length of a parameter that is declared as an array of variable length.
    pub(in crate::sema) fn keep_length(&mut self, local: il::LocalId, written: QualType) {
        if let Some((_, ArrayLen::Variable(number))) = self.types.array(written) {
            self.body.param_lengths.push((local, number));
        }
    }

    /// Checks that a parameter has the type of its forward declaration.
    fn check_forward(&mut self, local: il::LocalId, ty: QualType, at: Span) {
        let first = self.body.locals[local].clone();
        if !self.types.compatible(first.ty, ty) && !self.types.is_unknown(ty) {
            let message = format!(
                "this parameter is a `{}`, but its forward declaration is a `{}`",
                self.show(ty),
                self.show(first.ty)
            );
            let (note, help) = ("the forward declaration is here", "give both the same type");
            self.error_with_note(codes::BAD_PARAMETER, at, message, first.span, note, help);
        }
    }

    pub(in crate::sema) fn new_local(
        &mut self,
        name: Option<Symbol>,
        ty: QualType,
        storage: u16,
        span: Span,
    ) -> il::LocalId {
        self.body.locals.push(il::Local {
            name,
            ty,
            storage,
            span,
        });
        il::LocalId(self.body.locals.len() as u32 - 1)
    }
}

impl Context<'_> {
    /// Returns the adjusted type of a parameter (C11 6.7.6.3p7-8), which must not be a shared object (UPC 6.5.2p9).
    fn adjusted_param(&mut self, ty: QualType, param: &ast::Param) -> QualType {
        let quals = self.param_array_quals(param);
        self.adjust_param(ty, quals, param.span)
    }

    fn param_array_quals(&mut self, param: &ast::Param) -> Quals {
        let ast = self.ast;
        match ast[param.declarator].derived.first() {
            Some(Derived::Array { quals, .. }) => quals_of(quals),
            _ => Quals::NONE,
        }
    }

    /// Adjusts the type of a parameter: arrays and functions become pointers.
    pub(in crate::sema) fn adjust_param(
        &mut self,
        ty: QualType,
        quals: Quals,
        span: Span,
    ) -> QualType {
        if let Some((elem, _)) = self.types.array(ty) {
            let pointer = QualType::plain(self.types.pointer_to(elem));
            return self.types.qualify(pointer, quals, 1);
        }
        if self.types.is_function(ty) {
            return QualType::plain(self.types.pointer_to(ty));
        }
        if self.types.is_shared(ty) {
            let message = format!(
                "a parameter cannot be shared: `{}` is passed by value",
                self.show(ty)
            );
            self.error(
                codes::SHARED_PARAMETER,
                span,
                message,
                "remove `shared`, or pass a pointer-to-shared",
            );
            return self.types.unqualified(ty);
        }
        ty
    }

    fn check_result(&mut self, ret: QualType, span: Span) -> QualType {
        if self.types.is_array(ret) || self.types.is_function(ret) {
            let message = format!("a function cannot return `{}`", self.show(ret));
            self.error(
                codes::BAD_FUNCTION_TYPE,
                span,
                message,
                "return a pointer to it",
            );
            return QualType::plain(Types::UNKNOWN);
        }
        if self.types.is_shared(ret) {
            let message = "the result of a function cannot be shared: it is a value";
            self.error(
                codes::SHARED_PARAMETER,
                span,
                message,
                "remove `shared`, or return a pointer-to-shared",
            );
            return self.types.unqualified(ret);
        }
        ret
    }

    /// Returns a length with which the array does not exceed the size limit of an object. Shared arrays are distributed
    /// over the threads: `check_shared` checks them.
    fn possible_length(&mut self, elem: QualType, len: ArrayLen, span: Span) -> ArrayLen {
        let (ArrayLen::Fixed(n), Some(size)) = (len, self.types.fixed_size(elem)) else {
            return len;
        };
        if self.types.is_shared(elem) || u128::from(n) * u128::from(size) <= u128::from(LARGEST) {
            return len;
        }
        let message = format!("this array has {n} elements of {size} bytes: more than {LARGEST}");
        self.error(codes::OBJECT_TOO_LARGE, span, message, "use a smaller size");
        ArrayLen::Fixed(1)
    }

    fn check_element(&mut self, elem: QualType, span: Span) -> QualType {
        let (code, help) = match self.types.kind(elem) {
            Type::Void => (codes::BAD_ELEMENT_TYPE, "use `char` for bytes"),
            Type::Function(_) => (
                codes::BAD_ELEMENT_TYPE,
                "make it an array of pointers to functions",
            ),
            Type::Array(_, ArrayLen::Incomplete) => {
                (codes::BAD_ELEMENT_TYPE, "give all dimensions but the first")
            }
            Type::Record(_) if !self.types.is_complete(elem) => (
                codes::INCOMPLETE_TYPE,
                self.lock_help(elem).unwrap_or(
                    "define the type before this declaration, or make it an array of pointers",
                ),
            ),
            _ => return elem,
        };
        let message = format!("array of `{}`", self.show(elem));
        self.error(code, span, message, help);
        QualType::plain(Types::UNKNOWN)
    }

    fn checked_extent(&mut self, n: i128, span: Span) -> u64 {
        match u64::try_from(n) {
            Ok(n) if n <= i64::MAX as u64 => n,
            _ => {
                let (message, help) = if n < 0 {
                    (
                        format!("the size of this array is negative ({n})"),
                        "use a positive size",
                    )
                } else {
                    (
                        format!("this array is too large ({n} elements)"),
                        "use a smaller size",
                    )
                };
                self.error(codes::BAD_ARRAY_SIZE, span, message, help);
                1
            }
        }
    }

    /// Checks the number of factors beside THREADS: UPC allows one, other compilers any number.
    fn threads_product(&mut self, factors: usize, k: i128, span: Span) {
        if factors > 1 {
            let message = format!("THREADS is multiplied by {factors} constants");
            let help = format!(
                "write `{k}*THREADS`: without `-T=N`, UPC allows one constant beside THREADS"
            );
            self.warn(codes::THREADS_PRODUCT, span, message, help);
        }
    }

    fn unparenthesised(&self, mut e: ast::ExprId) -> ast::ExprId {
        while let ExprKind::Paren(inner) = self.ast[e].kind {
            e = inner;
        }
        e
    }

    fn mentions_threads(&self, e: ast::ExprId) -> bool {
        self.threads_tokens(e).next().is_some()
    }

    /// The positions of THREADS in an expression.
    fn threads_tokens(&self, e: ast::ExprId) -> impl Iterator<Item = u32> {
        let span = self.ast[e].span;
        let tokens = &self.parsed.stream.tokens;
        (span.lo..span.hi).filter(|&i| tokens[i as usize].kind == TokenKind::Threads)
    }

    /// True if a dimension of the array type is a multiple of THREADS.
    pub(in crate::sema) fn counts_threads(&self, ty: QualType) -> bool {
        let mut at = ty;
        while let Some((elem, len)) = self.types.array(at) {
            if matches!(len, ArrayLen::PerThread(_)) {
                return true;
            }
            at = elem;
        }
        false
    }
}
