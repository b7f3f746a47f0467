//! Objects and functions: linkage, redeclaration, definition (C11 6.2.2, 6.7, 6.9.2).

use super::*;

/// The extent to which an object is defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::sema) enum Definition {
    /// Not declared: called without a declaration.
    Implicit,
    None,
    Tentative,
    /// GNU `extern inline`: another definition may replace it.
    Replaceable,
    Full,
}

impl Sema<'_> {
    #[expect(
        clippy::too_many_arguments,
        reason = "one call, all of a declarator's facts"
    )]
    pub(super) fn object_decl(
        &mut self,
        group: &Group,
        d: &ast::InitDeclarator,
        name: Symbol,
        ty: QualType,
        storage: u16,
        declared: &Declared,
        attrs: LayoutAttrs,
    ) -> Decl {
        let span = declared.name_span;
        let ty = self.library_type(name, ty, span).unwrap_or(ty);
        let known = self.objects.len();
        let object = self.declare(name, ty, storage, group.level, span);
        self.guard_scope(ty, span);
        self.check_variable_object(ty, storage, name, span);
        self.check_thread_local(object, storage, object.0 as usize == known, span);
        self.mark_aligned(object, attrs.align);
        let is_function = self.types.is_function(ty);
        let mut ty = ty;
        let init = d.init.filter(|_| !is_function).map(|init| {
            self.define(object, Definition::Full, span);
            self.check_shared_initializer(ty, span);
            // The initialiser may mention the object.
            let shared = self.types.contains_shared(ty);
            self.note_movable(object, group.level, shared);
            let (init, complete) = self.initializer(init, ty, Initialised::STATIC);
            let verbatim = self.body.inits[init].verbatim;
            self.note_movable(object, group.level, !verbatim);
            ty = complete;
            self.complete_object(object, complete);
            init
        });
        if d.init.is_some() && is_function {
            let message = format!("function `{}` cannot have an initialiser", self.name(name));
            self.error(
                codes::BAD_INITIALIZER,
                span,
                message,
                "remove the initialiser, or declare a pointer to a function",
            );
        } else if init.is_none() && !is_function && !has(storage, storage::EXTERN) {
            let level = match group.level {
                Level::File => Definition::Tentative,
                Level::Block | Level::ForInit | Level::KrParams => Definition::Full,
            };
            self.define(object, level, span);
            if group.level != Level::File {
                ty = self.check_complete(ty, span);
            } else if self.types.is_void(ty) {
                let message = format!("`{}` is declared `void`", self.name(name));
                self.error(
                    codes::INCOMPLETE_TYPE,
                    span,
                    message,
                    "give it an object type",
                );
            }
        }
        self.check_threads(ty, storage, span);
        Decl::Object {
            object,
            storage,
            init,
            ty,
            attrs: Vec::new(),
            asm_label: d.asm_label,
        }
    }
}

impl SymbolTable<'_> {
    /// Checks that an object with linkage or static storage has a size known at compile time (C11 6.7.6.2p2).
    fn check_variable_object(&mut self, ty: QualType, storage: u16, name: Symbol, span: Span) {
        let linked = has(storage, storage::EXTERN) && !self.types.is_function(ty);
        let wrong = match linked {
            true => self.types.is_variably_modified(ty),
            false => has(storage, storage::STATIC) && self.is_variable(ty),
        };
        // At file scope, the error in its size has already been reported.
        if wrong && self.function.is_some() {
            if self.is_variable(ty) && self.types.is_shared(ty) {
                return self.shared_of_variable_length(span);
            }
            let class = if linked { "extern" } else { "static" };
            let message = format!(
                "`{}` is {class}, but has a variable length",
                self.name(name)
            );
            let help = "use a constant size, or allocate the array";
            self.error(codes::BAD_VLA, span, message, help);
        }
    }

    /// Records that a static object of a block may move to file scope under another name, because C does not accept its
    /// initialiser. Expressions that name it are then not copied from their text.
    pub(super) fn note_movable(&mut self, object: ObjectId, level: Level, moves: bool) {
        if level != Level::File && moves {
            self.movable.insert(object);
        }
    }

    /// Declares an object or function with static storage, and merges it with its earlier declarations.
    pub(super) fn declare(
        &mut self,
        name: Symbol,
        ty: QualType,
        storage: u16,
        level: Level,
        span: Span,
    ) -> ObjectId {
        if level != Level::File && has(storage, storage::STATIC) && !self.types.is_function(ty) {
            return self.block_static(name, ty, span);
        }
        if has(storage, storage::AUTO) && self.types.is_function(ty) {
            let object = self.inner_object(name, span);
            self.merge(object, ty, storage, span);
            return object;
        }
        self.check_other_kind(name, ty, span);
        let object = match self.scopes.linked(name) {
            Some(object) => {
                self.merge(object, ty, storage, span);
                object
            }
            None => {
                let object = self.new_object(name, ty, first_linkage(storage), span);
                self.scopes.link(name, object);
                object
            }
        };
        self.bind(name, Entity::Object(object), span);
        object
    }

    /// Checks that the name does not designate an entity without linkage in this scope.
    pub(super) fn check_other_kind(&mut self, name: Symbol, ty: QualType, span: Span) {
        let Some(&old) = self.scopes.lookup_here(name) else {
            return;
        };
        let conflict = match old.entity {
            Entity::Object(id) => self.objects[id].linkage == Linkage::None,
            Entity::Local(_) | Entity::Typedef(_) | Entity::Enumerator { .. } => true,
            Entity::FunctionName | Entity::Reported => false,
        };
        if conflict {
            self.conflict(name, ty, span, old.entity, old.span);
        }
    }

    /// Declares a block-scope `static`, which has no linkage. A shared one is printed at file scope, under a name of
    /// its own.
    fn block_static(&mut self, name: Symbol, ty: QualType, span: Span) -> ObjectId {
        self.check_rebinding(name, span);
        let object = self.new_object(name, ty, Linkage::None, span);
        self.objects[object].local = true;
        if self.types.is_shared(ty) {
            self.names_made += 1;
            let function = self.function.as_ref().map_or("", |f| self.name(f.name));
            let emitted = format!("upcc_{function}_{}_{}", self.name(name), self.names_made);
            self.objects[object].emit_name = Some(emitted);
        }
        self.bind(name, Entity::Object(object), span);
        object
    }

    pub(super) fn new_object(
        &mut self,
        name: Symbol,
        ty: QualType,
        linkage: Linkage,
        span: Span,
    ) -> ObjectId {
        self.objects.push(il::Object {
            name,
            ty,
            linkage,
            emit_name: None,
            is_function: self.types.is_function(ty),
            defined: false,
            local: false,
            align: None,
            span,
        });
        self.definitions.push(Definition::None);
        self.declared.push(span);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// Merges a further declaration of an object with linkage.
    pub(super) fn merge(&mut self, object: ObjectId, ty: QualType, storage: u16, span: Span) {
        let old = &self.objects[object];
        let (old_ty, name, at, linkage) = (old.ty, old.name, old.span, old.linkage);
        if self.types.is_unknown(old_ty) {
            let is_function = self.types.is_function(ty);
            let entry = &mut self.objects[object];
            entry.ty = ty;
            entry.is_function = is_function;
            let fresh = self.definitions[object] == Definition::None;
            // A nested function keeps its lack of linkage.
            if fresh && linkage != Linkage::None {
                entry.linkage = first_linkage(storage);
            }
            return;
        }
        if self.definitions[object] == Definition::Implicit {
            self.definitions[object] = Definition::None;
            let library = self.library.iter().position(|&known| known == object);
            let other = library.filter(|_| !self.types.compatible(old_ty, ty));
            if let Some(at) = other {
                self.library.remove(at);
            }
            // As in gcc, a function that was called without a declaration may turn out to return no value, and it need
            // not be the library's.
            let function = self.types.function(ty);
            if function.is_some_and(|f| self.types.is_void(f.ret)) || other.is_some() {
                self.objects[object].ty = ty;
                return;
            }
        }
        if !self.types.compatible(old_ty, ty) {
            self.conflict(name, ty, span, Entity::Object(object), at);
            // Later code is checked against the later declaration, which is based on more of the program.
            self.objects[object].ty = ty;
            return;
        }
        let composite = self.types.composite(old_ty, ty);
        self.objects[object].ty = composite;
        let is_static = has(storage, storage::STATIC);
        // Later declarations of a function inherit its linkage; those of an object do so only with `extern` (C11
        // 6.2.2p4-5).
        let verbatim =
            !has(storage, storage::STATIC | storage::EXTERN) && !self.types.is_function(ty);
        if verbatim && linkage == Linkage::Internal {
            let message = format!("`{}` was declared static, but is not here", self.name(name));
            let (note, help) = ("the earlier declaration", "add `static` or `extern` here");
            self.error_with_note(codes::LINKAGE, span, message, at, note, help);
        }
        if is_static && linkage == Linkage::External {
            let message = format!(
                "`{}` is static here, but was not declared static before",
                self.name(name)
            );
            self.error_with_note(
                codes::LINKAGE,
                span,
                message,
                at,
                "the earlier declaration",
                "add `static` to the first declaration, or remove it here",
            );
        }
    }

    /// Returns the header's type for a program's own declaration of a library function that differs from the header's,
    /// as in old programs. If calls have the same meaning, the program's declaration is reported and the header's type
    /// stays in force. `None` for all other declarations.
    fn library_type(&mut self, name: Symbol, ty: QualType, span: Span) -> Option<QualType> {
        let object = self.scopes.linked(name)?;
        let header = &self.objects[object];
        let (header_ty, at, name) = (header.ty, header.span, self.name(name));
        let variant = (name.starts_with("upc_") || name.starts_with("bupc_"))
            && self.parsed.in_system_header(at)
            && !self.types.compatible(header_ty, ty)
            && self.types.same_calls(header_ty, ty);
        if !variant {
            return None;
        }
        let message = format!(
            "`{name}` is declared as `{}` here, but is treated as the library's `{}`",
            self.show(ty),
            self.show(header_ty)
        );
        self.error_with_note(
            codes::LIBRARY_DECLARATION,
            span,
            message,
            at,
            "the declaration in the header",
            "remove the declaration: the header contains it",
        );
        // The C compiler must not see the program's text of the declaration.
        self.touched = true;
        Some(header_ty)
    }

    /// Records a definition; two full ones are an error (C11 6.9p5).
    pub(super) fn define(&mut self, object: ObjectId, how: Definition, span: Span) {
        let was = self.definitions[object];
        let entry = &mut self.objects[object];
        if was == Definition::Full && how == Definition::Full {
            let (name, first) = (entry.name, entry.span);
            let message = format!("`{}` is defined a second time", self.name(name));
            self.error_with_note(
                codes::REDEFINED,
                span,
                message,
                first,
                "the first definition is here",
                "keep one, or rename the other",
            );
            return;
        }
        entry.defined = true;
        let (name, ty) = (entry.name, entry.ty);
        let names_it = self.parsed.stream.tokens.get(span.lo as usize);
        if names_it.is_some_and(|token| token.symbol == name) {
            self.occurrences
                .add(span.lo, Named::Object(object), Role::Defines, ty);
        }
        let entry = &mut self.objects[object];
        if how > was {
            entry.span = span;
            self.declared[object.0 as usize] = span;
            self.definitions[object] = how;
        }
    }

    /// Completes the type of an object by its initialiser.
    fn complete_object(&mut self, object: ObjectId, ty: QualType) {
        let old = self.objects[object].ty;
        if self.types.compatible(old, ty) {
            let composite = self.types.composite(old, ty);
            self.objects[object].ty = composite;
        }
    }

    fn mark_aligned(&mut self, object: ObjectId, align: Option<u64>) {
        let entry = &mut self.objects[object];
        entry.align = entry.align.max(align);
    }

    /// Declares a function that is called without a declaration (C89 6.3.2.2), with a warning.
    pub fn implicit_function(&mut self, name: Symbol, args: u32, span: Span) -> ObjectId {
        if let Some(object) = self.scopes.linked(name)
            && self.objects[object].is_function
        {
            self.scopes.bind(name, Entity::Object(object), span);
            return object;
        }
        let library = self.library_function(name, args);
        let known = library.is_some();
        let function = Type::Function(library.unwrap_or(crate::types::FuncType {
            ret: QualType::plain(Types::INT),
            params: Vec::new(),
            variadic: false,
            prototype: false,
        }));
        let message = format!("implicit declaration of function `{}`", self.name(name));
        let help = self
            .function_help(self.name(name), self.parsed.stream.bytes(span))
            .unwrap_or_else(|| "include the header that declares it".into());
        self.warn(codes::IMPLICIT_FUNCTION, span, message, help);
        let ty = QualType::plain(self.types.intern(function));
        let object = self.new_object(name, ty, Linkage::External, span);
        self.definitions[object] = Definition::Implicit;
        if known {
            self.library.push(object);
        }
        self.scopes.link(name, object);
        self.scopes.bind(name, Entity::Object(object), span);
        object
    }

    /// Applies the rules that hold only at the end of the unit: a tentative array without a size has one element, and a
    /// tentative definition of a record type needs its members (C11 6.9.2p5, 6.9.2p3).
    pub(in crate::sema) fn finish(&mut self) {
        for at in self.objects.keys() {
            let ty = self.objects[at].ty;
            if self.definitions[at] == Definition::Tentative
                && let Some((elem, ArrayLen::Incomplete)) = self.types.array(ty)
            {
                let complete = QualType::plain(self.types.array_of(elem, ArrayLen::Fixed(1)));
                let span = self.objects[at].span;
                self.check_threads(complete, 0, span);
                self.objects[at].ty = complete;
            } else if self.definitions[at] == Definition::Tentative
                && (self.types.is_record(ty) || matches!(self.types.kind(ty), Type::Enum(_)))
                && !self.types.is_complete(ty)
            {
                let message = format!(
                    "the type `{}` of this object is never completed",
                    self.show(ty)
                );
                let help = self
                    .lock_help(ty)
                    .unwrap_or("define the type, or declare a pointer to it");
                let span = self.objects[at].span;
                self.error(codes::INCOMPLETE_TYPE, span, message, help);
            }
        }
    }
}

impl Nodes<'_> {
    /// Checks that `inline` and `_Noreturn` apply to functions (C11 6.7.4p1). Returns the storage class without them,
    /// because the C compiler must not see them.
    pub(super) fn check_function_specifier(
        &mut self,
        ty: QualType,
        storage: u16,
        name: Symbol,
        span: Span,
    ) -> u16 {
        if self.types.is_function(ty) || self.types.is_unknown(ty) {
            return storage;
        }
        let words = [
            (storage::INLINE, "inline"),
            (storage::NORETURN, "_Noreturn"),
        ];
        let mut kept = storage;
        for (bit, word) in words.into_iter().filter(|&(bit, _)| has(storage, bit)) {
            let message = format!(
                "`{word}` in the declaration of `{}`, which is not a function",
                self.name(name)
            );
            self.warn(codes::FUNCTION_SPECIFIER, span, message, "drop it");
            self.touched = true;
            kept &= !bit;
        }
        kept
    }
}

/// The linkage of a first declaration with linkage.
pub(super) fn first_linkage(storage: u16) -> Linkage {
    if has(storage, storage::STATIC) {
        Linkage::Internal
    } else {
        Linkage::External
    }
}
