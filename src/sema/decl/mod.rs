//! Declarations and function definitions.

use super::attrs::LayoutAttrs;
use super::init::Initialised;
use super::specs::{DeclSpecs, Declared, has};
use super::*;
use crate::diag::codes;
use crate::il::{Decl, Linkage, ObjectId};
use crate::types::{ArrayLen, Type, Typedef};
use upcc_grammar::ast::storage;

mod classes;
mod function;
mod objects;
mod shared;

use classes::Stored;
pub(super) use objects::Definition;

/// The common parts of the declarators of the current declaration.
struct Group<'s> {
    id: ast::SpecsId,
    specs: &'s DeclSpecs,
    attrs: LayoutAttrs,
    level: Level,
}

impl<'a> Sema<'a> {
    /// Analyses an external declaration.
    pub(super) fn item(&mut self, item: ast::Item) {
        self.touched = false;
        let own = !self.in_system_header(item.span);
        self.unfinished.clear();
        self.kept = self.opts.keep_verbatim && own;
        self.tags.clear();
        self.flow.regions = Default::default();
        self.check_pragma_places(match item.kind {
            ast::ItemKind::Function(def) => Span {
                hi: self.ast[def.body].span.lo + 1,
                ..item.span
            },
            // Tokens that a syntax error has cost have no pragma positions.
            ast::ItemKind::Empty => Span::default(),
            ast::ItemKind::Decl(_) | ast::ItemKind::Asm(_) => item.span,
        });
        let (kind, verbatim) = match item.kind {
            ast::ItemKind::Function(def) => self.function_definition(&def, item.span),
            ast::ItemKind::Decl(id) => {
                let group = self.declaration(id, Level::File);
                let verbatim = group.verbatim;
                (il::ItemKind::Decl(group), verbatim)
            }
            ast::ItemKind::Asm(_) => (il::ItemKind::Text, true),
            ast::ItemKind::Empty => {
                self.lost(item.span);
                (il::ItemKind::Text, true)
            }
        };
        let verbatim = verbatim && (!self.kept || matches!(kind, il::ItemKind::Text));
        let wanted = own && self.opts.keep_bodies && matches!(kind, il::ItemKind::Function(_));
        // The arenas keep their memory for the next item. A verbatim item is printed from its text, so its nodes are
        // discarded.
        let body = if verbatim && !wanted {
            specs::Mark::default().rewind(&mut self.body);
            il::Body::default()
        } else {
            self.body.take_contents()
        };
        self.items.push(il::Item {
            span: item.span,
            verbatim,
            kind,
            body,
        });
    }

    /// Analyses a declaration, and binds its names in the innermost scope.
    pub fn declaration(&mut self, id: ast::DeclId, level: Level) -> il::DeclGroup {
        let ast = self.ast;
        let declaration = &ast[id];
        let outer_tags = std::mem::take(&mut self.tags);
        let (mut decls, touched) = self.watching(|s| match &declaration.kind {
            ast::DeclKind::StaticAssert(check) => {
                s.static_assert(check);
                vec![Decl::StaticAssert]
            }
            ast::DeclKind::Vars { specs, declarators } => s.declarators(*specs, declarators, level),
        });
        let tags = std::mem::replace(&mut self.tags, outer_tags);
        if level == Level::ForInit {
            self.check_loop_tags(&tags, declaration.span);
        }
        if touched || self.kept {
            self.name_untagged(&tags);
        }
        // An attribute of a local variable may call a function at the end of its scope, which passes must know.
        if (touched || self.kept || level != Level::File)
            && let ast::DeclKind::Vars { specs, declarators } = &declaration.kind
        {
            self.collect_attrs(*specs, declarators, &mut decls);
        }
        il::DeclGroup {
            span: declaration.span,
            verbatim: !touched,
            tags,
            decls,
        }
    }

    fn declarators(
        &mut self,
        specs_id: ast::SpecsId,
        declarators: &'a [ast::InitDeclarator],
        level: Level,
    ) -> Vec<Decl> {
        let ast = self.ast;
        if declarators.is_empty()
            && let [ast::TypeSpec::Record(record)] = ast[specs_id].types[..]
        {
            self.forward_tag(record);
        }
        let mark = self.length_mark();
        let specs = self.specs(specs_id);
        let mut attrs = self.specs_attrs(specs_id);
        attrs.align = attrs.align.max(specs.align);
        let group = Group {
            id: specs_id,
            specs: &specs,
            attrs,
            level,
        };
        let mut decls = Vec::with_capacity(declarators.len());
        let parameters = level == Level::KrParams;
        for declarator in declarators {
            let decl = self.init_declarator(&group, declarator);
            // The function evaluates the lengths of its parameters at its start.
            if !parameters {
                decls.extend(self.declared_lengths(mark));
            }
            decls.extend(decl);
        }
        if !parameters {
            decls.extend(self.declared_lengths(mark));
        }
        decls
    }

    fn init_declarator(&mut self, group: &Group, d: &ast::InitDeclarator) -> Option<Decl> {
        let ast = self.ast;
        let specs = group.specs;
        if specs.auto_type {
            return self.auto_typed(group, d);
        }
        let end = d.asm_label.unwrap_or(ast[d.declarator].span);
        let base = self.attributed_declarator_base(specs.base, d.declarator, end);
        let declared = self.declarator(d.declarator, base);
        let attrs = group.attrs.and(self.declarator_attrs(d.declarator, end.hi));
        self.touched |= self.types.has_shared(declared.ty);
        let name = declared.name?;
        let stored = Stored {
            level: group.level,
            storage: specs.storage,
            is_function: self.types.is_function(declared.ty)
                && !has(specs.storage, storage::TYPEDEF),
            body: false,
            initialised: d.init.is_some(),
            asm_label: d.asm_label.is_some(),
        };
        let unaligned = match group.level {
            _ if has(specs.storage, storage::TYPEDEF) => Some("a typedef"),
            _ if has(specs.storage, storage::REGISTER) => Some("a `register` object"),
            Level::KrParams => Some("a parameter"),
            _ if stored.is_function => Some("a function"),
            _ => None,
        };
        match unaligned {
            Some(what) => self.no_alignas(specs, what),
            None => self.check_alignas(specs, declared.ty),
        }
        self.check_storage_class(stored, declared.name_span);
        if self.suspected(ast[group.id].span.lo, end.hi) {
            let subject = self.subject(stored, name, declared.ty);
            self.check_attributes_of_specs(group.id, subject);
            self.check_attributes_of_declarator(d.declarator, end.hi, subject);
        }
        if group.level == Level::KrParams {
            self.old_style_type(name, &declared);
            return None;
        }
        if has(specs.storage, storage::TYPEDEF) {
            return Some(self.typedef(name, &declared, attrs));
        }
        let ty = self.settle_star(declared.ty, declared.span);
        let (ty, storage) =
            self.check_shared(ty, specs.storage, group.level, &declared, specs.from_typeof);
        let storage = self.check_function_specifier(ty, storage, name, declared.name_span);
        let object = self.types.is_function(ty)
            || group.level == Level::File
            || has(storage, storage::EXTERN | storage::STATIC);
        Some(if object {
            self.object_decl(group, d, name, ty, storage, &declared, attrs)
        } else {
            self.local_decl(d, name, ty, storage, &declared)
        })
    }

    fn local_decl(
        &mut self,
        d: &ast::InitDeclarator,
        name: Symbol,
        ty: QualType,
        storage: u16,
        declared: &Declared,
    ) -> Decl {
        let mut ty = ty;
        if d.init.is_none() {
            ty = self.check_complete(ty, declared.name_span);
        }
        self.check_rebinding(name, declared.name_span);
        let local = self.new_local(Some(name), ty, storage, declared.name_span);
        self.bind(name, Entity::Local(local), declared.name_span);
        self.guard_scope(ty, declared.name_span);
        let init = d.init.map(|init| {
            self.check_variable_init(init, ty);
            let (init, complete) = self.initializer(init, ty, Initialised::AUTOMATIC);
            self.body.locals[local].ty = complete;
            self.occurrences.complete(declared.name_span.lo, complete);
            init
        });
        Decl::Local {
            local,
            init,
            attrs: Vec::new(),
            asm_label: d.asm_label,
        }
    }

    /// Analyses GNU `__auto_type name = value;`, where the name is visible only after the value.
    fn auto_typed(&mut self, group: &Group, d: &ast::InitDeclarator) -> Option<Decl> {
        let ast = self.ast;
        let declarator = &ast[d.declarator];
        let name = declarator.name?;
        let span = record::token_span(declarator.name_tok);
        let value = match d.init.map(|init| &ast[init].kind) {
            Some(&ast::InitKind::Expr(e)) => self.rvalue(e),
            Some(ast::InitKind::List(_)) | None => {
                let message = "`__auto_type` needs an initialiser that is an expression";
                self.error(codes::BAD_INITIALIZER, span, message, "write the type");
                return None;
            }
        };
        let il::Expr {
            ty,
            flags,
            span: at,
            ..
        } = self.body.exprs[value];
        let ty = self.types.unqualified(ty);
        self.touched |= self.types.has_shared(ty);
        let init = self.body.push_init(
            il::InitKind::Expr(value),
            ty,
            at,
            flags.has(il::ExprFlags::VERBATIM),
        );
        if group.level == Level::File || has(group.specs.storage, storage::STATIC) {
            let object = self.declare(name, ty, group.specs.storage, group.level, span);
            self.define(object, Definition::Full, span);
            self.note_movable(object, group.level, !flags.has(il::ExprFlags::VERBATIM));
            return Some(Decl::Object {
                object,
                storage: group.specs.storage,
                init: Some(init),
                ty,
                attrs: Vec::new(),
                asm_label: d.asm_label,
            });
        }
        let local = self.new_local(Some(name), ty, group.specs.storage, span);
        self.check_rebinding(name, span);
        self.bind(name, Entity::Local(local), span);
        self.guard_scope(ty, span);
        Some(Decl::Local {
            local,
            init: Some(init),
            attrs: Vec::new(),
            asm_label: d.asm_label,
        })
    }

    fn typedef(&mut self, name: Symbol, declared: &Declared, attrs: LayoutAttrs) -> Decl {
        let ty = self.typedef_star(declared.ty, declared.span);
        if attrs.transparent
            && let Some(id) = self.types.record_id(ty)
            && let Some(body) = &mut self.types.records[id].body
        {
            body.transparent = true;
        }
        if let Some(&old) = self.scopes.lookup_here(name) {
            let same = match old.entity {
                Entity::Typedef(id) => {
                    let target = self.types.typedef(id).target;
                    self.types.compatible(target, ty)
                }
                Entity::Reported => true,
                Entity::Object(_)
                | Entity::Local(_)
                | Entity::Enumerator { .. }
                | Entity::FunctionName => false,
            };
            if !same {
                self.conflict(name, ty, declared.name_span, old.entity, old.span);
            }
        }
        let (typedef, _) = self.types.new_typedef(Typedef {
            name,
            target: ty,
            span: declared.name_span,
            align: attrs.align,
        });
        self.bind(name, Entity::Typedef(typedef), declared.name_span);
        self.guard_scope(ty, declared.name_span);
        Decl::Typedef {
            typedef,
            attrs: Vec::new(),
        }
    }

    /// Checks a `_Static_assert`.
    pub(super) fn static_assert(&mut self, check: &ast::StaticAssert) {
        if self.folded(check.cond, "the condition of `_Static_assert`") != Some(0) {
            return;
        }
        let message = match check.message {
            Some(text) => format!(
                "static assertion failed: {}",
                self.parsed.stream.slice(text)
            ),
            None => "static assertion failed".to_string(),
        };
        let span = self.ast[check.cond].span;
        self.error(
            codes::STATIC_ASSERT,
            span,
            message,
            "the condition is 0 here",
        );
    }
}

impl SymbolTable<'_> {
    /// Checks that a name without linkage is declared once in its scope.
    fn check_rebinding(&mut self, name: Symbol, span: Span) {
        let Some(&old) = self.scopes.lookup_here(name) else {
            return;
        };
        if matches!(old.entity, Entity::Reported | Entity::FunctionName) {
            return;
        }
        let message = format!(
            "`{}` is declared a second time in this scope",
            self.name(name)
        );
        self.error_with_note(
            codes::REDEFINED,
            span,
            message,
            old.span,
            "the first declaration is here",
            "rename one",
        );
    }

    /// Reports that a name was declared as something else.
    fn conflict(&mut self, name: Symbol, ty: QualType, span: Span, old: Entity, at: Span) {
        let was = match old {
            Entity::Object(id) => self.show(self.objects[id].ty),
            Entity::Local(id) => self.show(self.body.locals[id].ty),
            Entity::Typedef(id) => format!("typedef {}", self.show(self.types.typedef(id).target)),
            Entity::Enumerator { .. } => "an enumeration constant".to_string(),
            Entity::FunctionName | Entity::Reported => return,
        };
        let message = format!(
            "`{}` is declared as `{}` here, but was `{was}`",
            self.name(name),
            self.show(ty)
        );
        self.error_with_note(
            codes::REDECLARED,
            span,
            message,
            at,
            "the earlier declaration",
            "make the declarations agree",
        );
    }

    /// Checks that an object with automatic storage has a complete type at its declaration.
    fn check_complete(&mut self, ty: QualType, span: Span) -> QualType {
        if self.types.is_complete(ty) || self.types.is_unknown(ty) {
            return ty;
        }
        // gcc treats a forward enum as an int; the C compiler reports any error.
        if matches!(self.types.kind(ty), Type::Enum(_)) {
            return ty;
        }
        let (code, help) = if matches!(self.types.array(ty), Some((_, ArrayLen::Incomplete))) {
            let help = "give its size, or an initialiser".to_owned();
            (codes::BAD_ARRAY_SIZE, help)
        } else {
            if !self.missed(ty) {
                return QualType::plain(Types::UNKNOWN);
            }
            let help = self.incomplete_help(ty);
            let help =
                help.unwrap_or_else(|| "define the type first, or use a pointer to it".to_owned());
            (codes::INCOMPLETE_TYPE, help)
        };
        let message = format!("the size of `{}` is not known here", self.show(ty));
        self.error(code, span, message, help);
        QualType::plain(Types::UNKNOWN)
    }

    /// Adds the attributes of each declarator, as indices into the stream's list.
    fn collect_attrs(
        &mut self,
        specs: ast::SpecsId,
        declarators: &[ast::InitDeclarator],
        decls: &mut [Decl],
    ) {
        let ast = self.ast;
        let body = ast[specs].types.iter().find_map(|t| match *t {
            ast::TypeSpec::Record(r) => ast[r].members.is_some().then(|| ast[r].span),
            ast::TypeSpec::Enum(e) => ast[e].items.is_some().then(|| ast[e].span),
            _ => None,
        });
        let span = ast[specs].span;
        let common = self.attr_indices(span.lo, span.hi, body);
        // The order is the same, though not every declarator has produced a declaration.
        let mut rest = declarators.iter();
        for decl in decls {
            let (name, list) = match decl {
                Decl::Local { local, attrs, .. } => (self.body.locals[*local].name, attrs),
                Decl::Object { object, attrs, .. } => (Some(self.objects[*object].name), attrs),
                Decl::Typedef { typedef, attrs } => {
                    (Some(self.types.typedef(*typedef).name), attrs)
                }
                Decl::StaticAssert | Decl::Length { .. } | Decl::Shared { .. } => continue,
            };
            let own = rest.find(|d| ast[d.declarator].name == name);
            let mut all = common.clone();
            if let Some(d) = own {
                let end = d.asm_label.unwrap_or(ast[d.declarator].span).hi;
                all.extend(self.attr_indices(ast[d.declarator].span.lo + 1, end, None));
            }
            *list = all;
        }
    }
}

impl Context<'_> {
    fn in_system_header(&self, span: Span) -> bool {
        let start = self.parsed.stream.bytes(span).start;
        self.parsed.source_map.lookup(start).system_header
    }

    /// Indices of the attributes before one of the tokens `lo..=hi`, except those of a tag defined in the specifiers.
    fn attr_indices(&self, lo: u32, hi: u32, skip: Option<Span>) -> Vec<u32> {
        let attrs = &self.parsed.stream.attrs;
        let from = attrs.partition_point(|a| a.before < lo);
        let skipped = |at: u32| skip.is_some_and(|s| at > s.lo && at <= s.hi);
        attrs[from..]
            .iter()
            .zip(from as u32..)
            .take_while(|(a, _)| a.before <= hi)
            .filter(|(a, _)| !skipped(a.before))
            .map(|(_, i)| i)
            .collect()
    }
}
