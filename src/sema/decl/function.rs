//! Function definitions (C11 6.9.1), including K&R ones.

use super::lengths::LengthMark;
use super::specs::ParamName;
use super::*;
use crate::types::{FuncType, Quals};

/// A function definition without its body.
struct Head {
    specs: DeclSpecs,
    declared: Declared,
    /// `None`: the function has no name.
    object: Option<ObjectId>,
    span: Span,
    /// How many of the current tags precede the parameters.
    outer_tags: usize,
    lengths: LengthMark,
}

impl<'a> Sema<'a> {
    /// Analyses a function definition. Also returns whether it is verbatim.
    pub(super) fn function_definition(
        &mut self,
        def: &ast::FunctionDef,
        span: Span,
    ) -> (il::ItemKind, bool) {
        // The name belongs to file scope, the parameters to the scope that the declarator leaves open.
        let head = self.head(def, span, SymbolTable::reserve);
        let function = match (head.object, self.types.function(head.declared.ty).cloned()) {
            (Some(object), Some(function)) => self.define_function(def, object, &head, function),
            (_, None) | (None, _) => {
                let message = "a body follows something that is not a function declarator";
                self.error(
                    codes::SYNTAX,
                    head.declared.name_span,
                    message,
                    "is a `;` missing before the brace?",
                );
                None
            }
        };
        self.scopes.pop();
        self.function = None;
        let verbatim = !self.touched;
        let jumps = std::mem::take(&mut self.flow.jumps_out);
        if !jumps.is_empty() && self.has_upc() {
            for jump in jumps {
                let message = "a jump out of a nested function is not supported if one of the functions contains UPC";
                let help = "return a value that the caller tests";
                self.error(codes::NESTED_FUNCTION, jump, message, help);
            }
        }
        match function {
            Some(mut function) => {
                self.complete_head(&mut function, verbatim);
                (il::ItemKind::Function(function), verbatim)
            }
            None => (il::ItemKind::Text, true),
        }
    }

    /// Adds the information on a function's head that emitted C needs if the function, or this kind of text, is not
    /// verbatim.
    fn complete_head(&mut self, function: &mut il::Function, verbatim: bool) {
        if !verbatim || self.kept {
            self.name_untagged(&function.tags);
            self.name_untagged(&function.param_tags);
            let head = function.head;
            function.attrs = self.attr_indices(head.lo, head.hi, None);
        }
    }

    /// Analyses a function nested in the current one (GNU).
    pub(in crate::sema) fn inner_function(
        &mut self,
        def: &ast::FunctionDef,
        span: Span,
    ) -> Option<il::Function> {
        let head = self.head(def, span, |sema, name, _, span| {
            sema.inner_object(name, span)
        });
        let outer = self.function.take();
        let ty = self.types.function(head.declared.ty).cloned();
        let mut function = match (head.object, ty) {
            (Some(object), Some(ty)) => self.define_function(def, object, &head, ty),
            (_, None) | (None, _) => None,
        };
        self.function = outer;
        self.scopes.pop();
        if let Some(function) = &mut function {
            self.complete_head(function, !self.touched);
        }
        function
    }

    /// Analyses the part of a function before its body, and leaves the scope of its parameters open. `object` finds the
    /// meaning of the name with the given storage class.
    fn head(
        &mut self,
        def: &ast::FunctionDef,
        span: Span,
        object: impl FnOnce(&mut SymbolTable<'a>, Symbol, u16, Span) -> ObjectId,
    ) -> Head {
        let ast = self.ast;
        let lengths = self.length_mark();
        let specs = self.specs(def.specs);
        self.no_alignas(&specs, "a function");
        let declarator = &ast[def.declarator];
        let at = record::token_span(declarator.name_tok);
        let object = declarator
            .name
            .map(|name| object(self, name, specs.storage, at));
        let base = self.attributed_declarator_base(specs.base, def.declarator, declarator.span);
        let outer_tags = self.tags.len();
        let declared = self.definition_declarator(def.declarator, base);
        Head {
            specs,
            declared,
            object,
            outer_tags,
            lengths,
            span: Span {
                lo: span.lo,
                hi: ast[def.body].span.lo,
            },
        }
    }

    fn define_function(
        &mut self,
        def: &ast::FunctionDef,
        object: ObjectId,
        head: &Head,
        mut function: FuncType,
    ) -> Option<il::Function> {
        let Head {
            specs, declared, ..
        } = head;
        let stored = Stored {
            level: match self.objects[object].local {
                true => Level::Block,
                false => Level::File,
            },
            storage: specs.storage,
            is_function: true,
            body: true,
            initialised: false,
            asm_label: false,
        };
        self.check_storage_class(stored, declared.name_span);
        let (from, end) = (specs.span.lo, self.ast[def.declarator].span.hi);
        if let Some(name) = declared.name
            && self.suspected(from, end)
        {
            let subject = self.subject(stored, name, declared.ty);
            self.check_attributes_of_specs(def.specs, subject);
            self.check_attributes_of_declarator(def.declarator, end, subject);
        }
        for decl in def.kr_decls.0..def.kr_decls.1 {
            let group = self.declaration(ast::DeclId(decl), Level::KrParams);
            self.tags.extend(group.tags);
        }
        let kr = declared.params.iter().any(|p| p.old_style);
        let mut ty = declared.ty;
        if kr {
            function.params = self.local_types(&declared.params);
            ty = QualType::plain(self.types.intern(Type::Function(function.clone())));
        }
        self.touched |= self.types.has_shared(ty);
        self.merge(object, ty, specs.storage, declared.name_span);
        let how = if attrs::may_be_replaced(specs.storage) {
            Definition::Replaceable
        } else {
            Definition::Full
        };
        self.define(object, how, declared.name_span);
        self.check_params(&declared.params);
        self.bind_function_names(head.span);
        self.already_reported.names.clear();
        self.function = Some(FunctionCx {
            object,
            name: declared.name?,
            ret: function.ret,
            variadic: function.variadic,
        });
        let mut tags = std::mem::take(&mut self.tags);
        let param_tags = tags.split_off(head.outer_tags.min(tags.len()));
        let params = self.declared_lengths(head.lengths);
        let root = self.function_body(def.body);
        self.with_lengths_of_function(head.lengths, params, root);
        Some(il::Function {
            object,
            storage: specs.storage,
            params: declared.params.iter().map(|p| p.local).collect(),
            kr,
            root,
            attrs: Vec::new(),
            head: head.span,
            tags,
            param_tags,
        })
    }
}

impl SymbolTable<'_> {
    /// The object of a nested function, which `auto` may have declared before.
    pub(super) fn inner_object(&mut self, name: Symbol, span: Span) -> ObjectId {
        if let Some(&known) = self.scopes.lookup_here(name)
            && let Entity::Object(object) = known.entity
            && self.objects[object].is_function
        {
            return object;
        }
        self.check_rebinding(name, span);
        let unknown = QualType::plain(Types::UNKNOWN);
        let object = self.new_object(name, unknown, Linkage::None, span);
        self.objects[object].local = true;
        self.bind(name, Entity::Object(object), span);
        object
    }

    /// The object of a function about to be defined; its type is `Unknown` if nothing is known about it.
    fn reserve(&mut self, name: Symbol, storage: u16, span: Span) -> ObjectId {
        let unknown = QualType::plain(Types::UNKNOWN);
        self.check_other_kind(name, unknown, span);
        let object = match self.scopes.linked(name) {
            Some(object) => object,
            None => {
                let object = self.new_object(name, unknown, objects::first_linkage(storage), span);
                self.scopes.link(name, object);
                object
            }
        };
        self.bind(name, Entity::Object(object), span);
        object
    }

    fn check_params(&mut self, params: &[ParamName]) {
        for param in params {
            let il::Local { ty, span, .. } = self.body.locals[param.local];
            if !self.types.is_complete(ty) {
                let ty = self.check_complete(ty, span);
                self.body.locals[param.local].ty = ty;
            }
        }
    }

    /// Processes the declaration of a parameter of an identifier list.
    pub(super) fn old_style_type(&mut self, name: Symbol, declared: &Declared) {
        let written = self.settle_star(declared.ty, declared.span);
        let ty = self.adjust_param(written, Quals::NONE, declared.span);
        match self.scopes.lookup_here(name).map(|b| b.entity) {
            Some(Entity::Local(local)) => {
                self.keep_length(local, written);
                let at = declared.name_span;
                let parameter = &mut self.body.locals[local];
                parameter.ty = ty;
                self.note_name(name, at.lo, Role::Declares);
                let parameter = &mut self.body.locals[local];
                // Until it is declared, its position is that in the list of names.
                let first = std::mem::replace(&mut parameter.span, at);
                if self
                    .scopes
                    .lookup_here(name)
                    .is_some_and(|b| b.span != first)
                {
                    let message = format!("parameter `{}` is declared twice", self.name(name));
                    let (note, help) = ("the first is here", "keep one");
                    self.error_with_note(codes::REDEFINED, at, message, first, note, help);
                }
            }
            _ => {
                let message = format!("`{}` is not in the list of parameters", self.name(name));
                self.error(
                    codes::BAD_PARAMETER,
                    declared.name_span,
                    message,
                    "add it to the list, or remove the declaration",
                );
            }
        }
    }

    /// Binds `__func__` and its GNU synonyms.
    pub(in crate::sema) fn bind_function_names(&mut self, span: Span) {
        for name in ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"] {
            if let Some(symbol) = self.parsed.interner.get(name) {
                self.scopes.bind(symbol, Entity::FunctionName, span);
            }
        }
    }
}

impl Nodes<'_> {
    /// Whether the current function contains UPC. Some plain C is not treated as verbatim because sema corrects it.
    fn has_upc(&self) -> bool {
        use il::{ExprKind as E, StmtKind as S};
        let in_expr = |e: &il::Expr| {
            let names_threads = matches!(e.kind, E::Threads | E::MyThread | E::SizePerThread(_));
            names_threads || self.types.has_shared(e.ty)
        };
        let in_stmt = |s: &il::Stmt| matches!(s.kind, S::Forall { .. } | S::Sync(..) | S::Fence);
        self.body.exprs.iter().any(in_expr)
            || self.body.stmts.iter().any(in_stmt)
            || self.body.locals.iter().any(|l| self.types.has_shared(l.ty))
    }

    fn local_types(&self, params: &[ParamName]) -> Vec<QualType> {
        let locals = &self.body.locals;
        params.iter().map(|p| locals[p.local].ty).collect()
    }
}
