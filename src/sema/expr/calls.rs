//! Function calls (C11 6.5.2.2), including builtins.

use super::*;
use crate::sema::builtin_fold;
use crate::sema::builtins::{self, Builtin, MathType};
use crate::types::{FloatKind, FuncType, IntKind};

impl Sema<'_> {
    pub(super) fn call_expr(
        &mut self,
        callee: ast::ExprId,
        args: ast::ExprList,
        span: Span,
    ) -> il::ExprId {
        let ast::Expr {
            kind,
            span: callee_span,
        } = self.ast[callee];
        let name = match kind {
            ast::ExprKind::Name(name) => Some(name),
            _ => None,
        };
        let function = match name {
            Some(name) if self.lookup(name).is_none() => match builtins::find(self.name(name)) {
                Some(builtin) => return self.builtin_call(builtin, name, callee_span, args, span),
                // The library's functions return pointers, and its names are reserved: guessing `int` would cause more
                // errors.
                None if self.name(name).starts_with("upc_") => {
                    self.undeclared(name, callee_span);
                    self.poison(callee_span)
                }
                None => {
                    let object = self.implicit_function(name, args.len, callee_span);
                    self.object_expr(object, callee_span)
                }
            },
            _ => self.expr(callee),
        };
        let function = self.value_of(function);
        let Some(signature) = self.called_type(function) else {
            return self.call_of_no_function(function, args, span);
        };
        self.call_function(function, signature, name, args, span)
    }

    fn call_of_no_function(
        &mut self,
        function: il::ExprId,
        args: ast::ExprList,
        span: Span,
    ) -> il::ExprId {
        let node = self.node(function);
        if self.class(node.ty) != Class::Unknown {
            let message = format!("a `{}` cannot be called", self.show(node.ty));
            self.error(
                code::NOT_CALLABLE,
                node.span,
                message,
                "call a function or a pointer to function",
            );
        }
        let list = self.loose_arguments(args);
        self.finish_call(function, list, QualType::plain(Types::UNKNOWN), span)
    }

    fn call_function(
        &mut self,
        function: il::ExprId,
        signature: QualType,
        name: Option<Symbol>,
        args: ast::ExprList,
        span: Span,
    ) -> il::ExprId {
        let Some((ret, count, variadic, prototype)) = self
            .types
            .function(signature)
            .map(|f| (f.ret, f.params.len(), f.variadic, f.prototype))
        else {
            return self.poison(span);
        };
        let ast = self.ast;
        let given = ast.expr_list(args);
        if prototype && (given.len() < count || (given.len() > count && !variadic)) {
            let extra = given.get(count).map(|&arg| ast[arg].span);
            let extra = extra.zip(given.last().map(|&arg| ast[arg].span));
            let place = match extra {
                Some((first, last)) => first.to(last),
                None => last_token(span),
            };
            self.wrong_count(function, name, given.len(), count, variadic, place);
        }
        let mark = self.flow.pending.len();
        for (at, &arg) in given.iter().enumerate() {
            let e = self.rvalue(arg);
            let param = if prototype {
                self.types
                    .function(signature)
                    .and_then(|f| f.params.get(at).copied())
            } else {
                None
            };
            let e = match param {
                Some(param) => {
                    let number = at as u32 + 1;
                    let reports = self.diags.items().len();
                    let e = self.assign_convert(e, param, AssignContext::Argument(number, name));
                    if self.diags.items().len() > reports {
                        self.note_parameter(function, number);
                    }
                    e
                }
                None => self.variable_argument(e),
            };
            self.flow.pending.push(e);
        }
        if let Some(format) = name.and_then(|name| self.format_of(function, name)) {
            let arguments = self.flow.pending[mark..].to_vec();
            self.check_format(format, &arguments);
        }
        let list = self.take_pending(mark);
        let ty = self.types.unqualified(ret);
        self.finish_call(function, list, ty, span)
    }

    /// Moves the arguments collected since `mark` to the body's pool.
    fn take_pending(&mut self, mark: usize) -> il::ExprList {
        let arguments = self.flow.pending.drain(mark..);
        let lists = &mut self.symbols.nodes.body.lists;
        let start = lists.len() as u32;
        lists.extend(arguments);
        il::ExprList {
            start,
            len: lists.len() as u32 - start,
        }
    }

    /// Analyses arguments of a call whose parameters are not known, and applies the default promotions.
    fn loose_arguments(&mut self, args: ast::ExprList) -> il::ExprList {
        let mark = self.flow.pending.len();
        let ast = self.ast;
        for &arg in ast.expr_list(args) {
            let e = self.rvalue(arg);
            let e = self.variable_argument(e);
            self.flow.pending.push(e);
        }
        self.take_pending(mark)
    }

    // ---- builtins

    fn builtin_call(
        &mut self,
        builtin: Builtin,
        name: Symbol,
        name_span: Span,
        args: ast::ExprList,
        span: Span,
    ) -> il::ExprId {
        let (codes, math) = match builtin {
            Builtin::ChooseExpr => return self.choose_expr(args, span),
            Builtin::ConstantP => return self.constant_p(args, span),
            Builtin::ClassifyType => return self.classify_type(args, span),
            Builtin::Signature(codes) => (codes, MathType::Double),
            Builtin::Math(codes, math) => (codes, math),
            Builtin::Complex => ("?__", MathType::Double),
            Builtin::Unknown => ("?.", MathType::Double),
        };
        let callee = self.opaque(QualType::plain(Types::UNKNOWN), name_span);
        let mut codes = codes.bytes();
        let result = codes.next().unwrap_or(b'?');
        let list = self.builtin_arguments(codes, math, name, args, span);
        let given: &[il::ExprId] =
            &self.body.lists[list.start as usize..(list.start + list.len) as usize];
        let first = given.first().copied();
        let ty = match (builtin, result) {
            (Builtin::Complex, _) => {
                let given = given.to_vec();
                self.builtin_complex(&given)
            }
            (_, b'T') => first
                .and_then(|e| self.types.pointee(self.ty(e)))
                .map_or(QualType::plain(Types::UNKNOWN), |to| {
                    self.types.unqualified(to)
                }),
            (_, b'1') => first.map_or(QualType::plain(Types::UNKNOWN), |e| self.ty(e)),
            _ => self.coded_type(result, math),
        };
        let given = &self.body.lists[list.start as usize..(list.start + list.len) as usize];
        if let Some(value) = self.fold_builtin(self.name(name), given) {
            let verbatim = given.iter().all(|&e| self.is_verbatim(e));
            // No function that folds has a result of more than 64 bits.
            return self.int_node(value as i64, ty, span, verbatim);
        }
        let constant = given
            .iter()
            .all(|&e| self.node(e).flags.has(ExprFlags::CONST))
            && builtin_fold::floating(self.name(name), given.len()).is_some();
        let call = self.finish_call(callee, list, ty, span);
        if constant {
            let flags = &mut self.body.exprs[call].flags;
            *flags = flags.with(ExprFlags::CONST);
        }
        call
    }

    fn builtin_arguments(
        &mut self,
        codes: std::str::Bytes,
        math: MathType,
        name: Symbol,
        args: ast::ExprList,
        span: Span,
    ) -> il::ExprList {
        let mark = self.flow.pending.len();
        let ast = self.ast;
        let given = ast.expr_list(args);
        let fixed = codes.clone().filter(|&code| code != b'.').count();
        let open = fixed != codes.len();
        if given.len() < fixed || (given.len() > fixed && !open) {
            let message = format!(
                "`{}` takes {}{fixed} argument{}, {} given",
                self.name(name),
                if open { "at least " } else { "" },
                if fixed == 1 { "" } else { "s" },
                given.len()
            );
            self.error(
                code::ARGUMENT_COUNT,
                span,
                message,
                "see the manual of the C compiler for its arguments",
            );
        }
        let mut codes = codes.filter(|&code| code != b'.');
        for (at, &arg) in given.iter().enumerate() {
            let e = self.rvalue(arg);
            let e = match codes.next() {
                None => self.variable_argument(e),
                Some(b'_') => self.raw_argument(e, name),
                Some(b'T') => match self
                    .flow
                    .pending
                    .get(mark)
                    .and_then(|&first| self.types.pointee(self.ty(first)))
                {
                    Some(to) => self.assign_convert(
                        e,
                        to,
                        AssignContext::Argument(at as u32 + 1, Some(name)),
                    ),
                    None => e,
                },
                Some(code) => {
                    let ty = self.coded_type(code, math);
                    self.assign_convert(e, ty, AssignContext::Argument(at as u32 + 1, Some(name)))
                }
            };
            self.flow.pending.push(e);
        }
        self.take_pending(mark)
    }
}

fn last_token(span: Span) -> Span {
    Span {
        lo: span.hi.saturating_sub(1).max(span.lo),
        hi: span.hi,
    }
}

impl Nodes<'_> {
    /// The function type to which a pointer value points.
    fn called_type(&self, function: il::ExprId) -> Option<QualType> {
        self.types
            .pointee(self.ty(function))
            .filter(|&to| self.types.is_function(to))
    }

    /// Converts an argument without a parameter.
    fn variable_argument(&mut self, e: il::ExprId) -> il::ExprId {
        let node = self.node(e);
        if self.types.is_void(node.ty) {
            self.error(
                code::VOID_VALUE,
                node.span,
                "this argument has no value: its type is void",
                "pass a value",
            );
            return self.poison(node.span);
        }
        self.promote_argument(e)
    }

    fn wrong_count(
        &mut self,
        function: il::ExprId,
        name: Option<Symbol>,
        given: usize,
        count: usize,
        variadic: bool,
        span: Span,
    ) {
        let callee = match name {
            Some(name) => format!("`{}`", self.name(name)),
            None => format!("a `{}`", self.show(self.ty(function))),
        };
        let message = format!(
            "{callee} takes {}{count} argument{}, {given} given",
            if variadic { "at least " } else { "" },
            if count == 1 { "" } else { "s" }
        );
        let mut help = if given < count {
            "add the missing arguments".to_owned()
        } else {
            "remove the extra arguments".to_owned()
        };
        if let Some(prototype) = self.prototype_of(function) {
            help += &format!(": `{prototype}`");
        }
        self.error(code::ARGUMENT_COUNT, span, message, help);
        self.note_declaration(function);
    }

    /// Checks an argument of a builtin that takes it unconverted: the C compiler's operation cannot access shared
    /// memory.
    fn raw_argument(&mut self, e: il::ExprId, name: Symbol) -> il::ExprId {
        let node = self.node(e);
        if let Class::Pts(_) = self.class(node.ty) {
            let message = format!(
                "`{}` cannot take a `{}`",
                self.name(name),
                self.show(node.ty)
            );
            let help = "cast it to a pointer-to-local if the object has affinity to MYTHREAD, or use the functions of <upc_atomic.h> and <upc.h>";
            self.error(code::SHARED_TO_LOCAL, node.span, message, help);
            return self.poison(node.span);
        }
        e
    }

    fn finish_call(
        &mut self,
        function: il::ExprId,
        list: il::ExprList,
        ty: QualType,
        span: Span,
    ) -> il::ExprId {
        let args = &self.body.lists[list.start as usize..(list.start + list.len) as usize];
        let verbatim = self.is_verbatim(function)
            && !self.types.has_shared(ty)
            && args.iter().all(|&e| self.is_verbatim(e));
        let flags = if verbatim {
            ExprFlags::VERBATIM
        } else {
            ExprFlags::default()
        };
        self.push_expr(ExprKind::Call(function, list), ty, span, flags)
    }
}

impl Context<'_> {
    /// The type that a code of the table in `builtins` denotes.
    fn coded_type(&mut self, code: u8, math: MathType) -> QualType {
        let int = Types::int_kind;
        let kind = |math| match math {
            MathType::Double => FloatKind::Double,
            MathType::Float => FloatKind::Float,
            MathType::LongDouble => FloatKind::LongDouble,
            MathType::Float128 => FloatKind::Float128,
        };
        let real = |math| Types::float_kind(kind(math));
        let ty = match code {
            b'v' => Types::VOID,
            b'b' => Types::BOOL,
            b'c' => Types::CHAR,
            b'h' => int(IntKind::UChar),
            b's' => int(IntKind::Short),
            b't' => int(IntKind::UShort),
            b'i' => Types::INT,
            b'u' => Types::UINT,
            b'l' => Types::LONG,
            b'm' => Types::SIZE_T,
            b'x' => int(IntKind::LongLong),
            b'y' => int(IntKind::ULongLong),
            b'n' => int(IntKind::Int128),
            b'o' => int(IntKind::UInt128),
            b'd' => real(math),
            b'g' => self.types.intern(Type::Complex(kind(math))),
            b'f' => real(MathType::Float),
            b'e' => real(MathType::LongDouble),
            b'q' => real(MathType::Float128),
            b'p' | b'k' => self.pointer_of(Types::VOID, code == b'k'),
            b'z' | b'C' => self.pointer_of(Types::CHAR, code == b'C'),
            b'Z' => {
                let string = self.pointer_of(Types::CHAR, false);
                self.pointer_of(string, false)
            }
            b'I' => self.pointer_of(Types::INT, false),
            b'D' => self.pointer_of(Types::DOUBLE, false),
            b'F' => self.pointer_of(real(MathType::Float), false),
            b'E' => self.pointer_of(real(MathType::LongDouble), false),
            _ => Types::UNKNOWN,
        };
        QualType::plain(ty)
    }

    /// The type of the function of the C library with this name, if its result is not `int` and it takes this number of
    /// arguments.
    pub(in crate::sema) fn library_function(
        &mut self,
        name: Symbol,
        args: u32,
    ) -> Option<FuncType> {
        let (codes, math) = builtins::library(self.name(name))?;
        let mut types = codes.bytes().map(|code| self.coded_type(code, math));
        let ret = types.next()?;
        let params: Vec<QualType> = types.collect();
        (params.len() == args as usize).then_some(FuncType {
            ret,
            params,
            variadic: false,
            prototype: true,
        })
    }

    fn pointer_of(&mut self, ty: crate::types::TypeId, constant: bool) -> crate::types::TypeId {
        let quals = if constant { Quals::CONST } else { Quals::NONE };
        self.types.pointer_to(QualType {
            ty,
            quals,
            block: 0,
        })
    }
}
