//! Declarations, initialisers, function definitions.

use super::Emitter;
use super::expr::Prec;
use super::out::on_one_line;
use super::races;
use super::rt::string_literal;
use crate::diag::known;
use crate::il::{
    Decl, DeclGroup, Function, InitId, InitKind, LocalId, ObjectId, PathElem, SharedDef,
};
use crate::sema::without_type_attributes;
use crate::types::{QualType, Size, Type, TypedefId};
use upcc_grammar::ast::{Span, storage};
use upcc_grammar::lex::Attr;
use upcc_grammar::token::TokenKind;

/// A declaration with one declarator, split into the parts that C joins.
struct Parts {
    /// Storage class, attributes and type specifiers.
    specifiers: String,
    declarator: String,
    init: Option<InitId>,
}

/// The subobject to which a path of designators leads.
pub(super) struct Designated {
    /// The text of the designators.
    pub text: String,
    pub ty: QualType,
    /// The last step is an unnamed member.
    unnamed: bool,
}

impl Emitter<'_> {
    pub(super) fn object_name(&self, id: ObjectId) -> String {
        let object = &self.module.objects[id];
        match &object.emit_name {
            Some(name) => name.clone(),
            None => self.names.name(object.name).to_string(),
        }
    }

    pub(super) fn local_name(&self, id: LocalId) -> String {
        match self.body.local(id).name {
            Some(name) => self.names.name(name).to_string(),
            None => {
                let roles = &self.body.roles;
                let role = roles.binary_search_by_key(&id, |r| r.0);
                let role = role.map_or("t", |at| roles[at].1);
                format!("upcc_{role}{}", id.0)
            }
        }
    }

    /// Writes a declaration: the definitions of its specifiers, then one declaration for each declarator.
    pub(super) fn group(&mut self, group: &DeclGroup) {
        if self.is_copied(group.verbatim) && group.span.lo < group.span.hi {
            let bytes = self.out.stream.bytes(group.span);
            self.out.copy(bytes, None);
            if !self.out.text.ends_with(';') {
                self.out.put(";");
            }
            group.decls.iter().for_each(|d| self.name_lengths(d));
            return;
        }
        self.tags(&group.tags);
        let aligned = self.alignment_specifiers(group.span);
        for decl in &group.decls {
            self.decl(decl, group.span, &aligned);
            self.name_lengths(decl);
        }
    }

    /// The `_Alignas(...)` specifiers among the tokens of a declaration, outside any braces.
    fn alignment_specifiers(&self, span: Span) -> String {
        let tokens = &self.out.stream.tokens;
        let mut text = String::new();
        let first = self.alignas.partition_point(|&at| at < span.lo);
        if self.alignas.get(first).is_none_or(|&at| at >= span.hi) {
            return text;
        }
        let mut braces = 0u32;
        let mut i = span.lo;
        while i < span.hi {
            let kind = tokens[i as usize].kind;
            if kind == TokenKind::LBrace {
                braces += 1;
            } else if kind == TokenKind::RBrace {
                braces = braces.saturating_sub(1);
            } else if braces == 0 && kind == TokenKind::Assign {
                break;
            } else if braces == 0 && kind == TokenKind::Alignas {
                let end = self.closing_paren(i + 1, span.hi);
                text.push_str(&self.alignment_specifier(Span { lo: i, hi: end }));
                i = end;
                continue;
            }
            i += 1;
        }
        text
    }

    /// Returns one `_Alignas(...)` and a space, with the value of its operand if that contains UPC.
    pub(super) fn alignment_specifier(&self, span: Span) -> String {
        // The operand follows the keyword and a parenthesis.
        match self.module.alignments.get(&(span.lo + 2)) {
            Some(bytes) => format!("_Alignas({bytes}) "),
            None => on_one_line(self.out.stream.slice(span)) + " ",
        }
    }

    /// Index after the `)` that closes the `(` at token `open`.
    pub(super) fn closing_paren(&self, open: u32, limit: u32) -> u32 {
        let mut depth = 0u32;
        for i in open..limit {
            let kind = self.out.stream.tokens[i as usize].kind;
            if kind == TokenKind::LParen {
                depth += 1;
            } else if kind == TokenKind::RParen {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
        }
        limit
    }

    fn decl(&mut self, decl: &Decl, span: Span, aligned: &str) {
        match decl {
            Decl::Shared {
                object,
                def,
                bytes,
                align,
            } => {
                self.separate(span);
                self.shared_storage(*object, *def, *bytes, *align);
            }
            Decl::Typedef { typedef, attrs } => {
                if self.is_usable(*typedef) {
                    self.separate(span);
                    self.typedef(*typedef, attrs);
                }
            }
            Decl::Length { local, value } => {
                self.separate(span);
                let name = self.local_name(*local);
                self.out.put(&format!("{name} = "));
                self.expr(*value, Prec::Assign);
                self.out.put(";");
            }
            // Sema has checked it. Its text may contain UPC.
            Decl::StaticAssert => {}
            Decl::Local { .. } | Decl::Object { .. } => {
                self.separate(span);
                if let Some(parts) = self.parts(decl, aligned) {
                    self.out.put(&parts.specifiers);
                    self.out.space();
                    self.declarator(&parts);
                    self.out.put(";");
                }
            }
        }
    }

    /// Places the following text on the declaration's line, after the text that is already there.
    fn separate(&mut self, span: Span) {
        if self.out.free {
            self.out.stay();
        } else if self.out.at_line_start() && self.out.flat == 0 {
            let at = self.out.start_of(span.lo);
            self.out.go_to(at);
        } else {
            self.out.space();
        }
    }

    fn shared_storage(&mut self, object: ObjectId, def: SharedDef, bytes: u64, align: u64) {
        let name = self.object_name(object);
        let symbol = self.shared_symbol(object);
        self.out.put(&symbol);
        let define = match def {
            SharedDef::Extern => return,
            SharedDef::Define => "UPCR_SHARED_DEFINE",
            SharedDef::Common => "UPCR_SHARED_DEFINE_COMMON",
            SharedDef::Local => "UPCR_SHARED_DEFINE_LOCAL",
        };
        let description = self.description(object, &name, bytes);
        self.out.put(&format!(
            " {define}({name}, {bytes}, {align}); {description}"
        ));
        let place = self.debug_place(object);
        self.out.put(&place);
    }

    /// `UPCR_SHARED_DESCRIBE(...)`: the properties of a shared object, for messages, checks and debuggers.
    fn description(&self, object: ObjectId, symbol: &str, bytes: u64) -> String {
        let types = &self.module.types;
        let object = &self.module.objects[object];
        let (elem, block) = types.shared_elem(object.ty).unwrap_or((object.ty, 0));
        let size = match types.is_array(object.ty) {
            true => types.fixed_size(elem).unwrap_or(0),
            // The elements of a flexible array member belong to the object.
            false => bytes,
        };
        let elements = |bytes: u64| bytes.checked_div(size).unwrap_or(1);
        let (count, per_thread) = match types.size_of(object.ty) {
            _ if !types.is_array(object.ty) => (1, 0),
            Some(Size::Fixed(bytes)) => (elements(bytes), 0),
            Some(Size::PerThread(bytes)) => (elements(bytes), 1),
            // A tentative array without extent has one element (C11 6.9.2p2).
            Some(Size::Variable) | None => (1, 0),
        };
        let name = string_literal(self.names.name(object.name));
        let ty = string_literal(&types.display(object.ty, self.names));
        format!(
            "UPCR_SHARED_DESCRIBE({symbol}, {name}, {ty}, {size}, {count}, {block}, {per_thread});"
        )
    }

    fn typedef(&mut self, id: TypedefId, attrs: &[u32]) {
        let typedef = self.module.types.typedef(id);
        let name = self.names.name(typedef.name).to_string();
        let attrs = self.attributes(attrs);
        // A typedef's own name must not be printed as its type.
        let target = typedef.target;
        let text = self.declare(target, &name);
        // The C compiler does not see the uses that the writer expands.
        let unused = if self.out.indent > 0 {
            " __attribute__((__unused__))"
        } else {
            ""
        };
        self.out.put(&format!("typedef {attrs}{text}{unused};"));
    }

    /// Text of an attribute of a declaration that is printed from its type.
    pub(super) fn attribute(&self, attr: &Attr) -> String {
        let text = &self.out.stream.text[attr.start as usize..attr.end as usize];
        on_one_line(&without_type_attributes(text))
    }

    fn attributes(&self, attrs: &[u32]) -> String {
        let stream = self.out.stream;
        attrs
            .iter()
            .filter_map(|&i| stream.attrs.get(i as usize))
            .map(|a| self.attribute(a) + " ")
            .collect()
    }

    fn parts(&mut self, decl: &Decl, aligned: &str) -> Option<Parts> {
        let (name, ty, storage, init, attrs, asm_label) = match decl {
            Decl::Local {
                local,
                init,
                attrs,
                asm_label,
            } => {
                let l = self.body.local(*local);
                let (ty, storage) = (l.ty, l.storage);
                (
                    self.local_name(*local),
                    ty,
                    storage,
                    *init,
                    attrs,
                    asm_label,
                )
            }
            Decl::Object {
                object,
                storage,
                init,
                ty,
                attrs,
                asm_label,
            } => (
                self.object_name(*object),
                *ty,
                *storage,
                *init,
                attrs,
                asm_label,
            ),
            Decl::Typedef { .. }
            | Decl::StaticAssert
            | Decl::Length { .. }
            | Decl::Shared { .. } => return None,
        };
        let (base, mut declarator) = self.split_declaration(ty, &name);
        if let Some(label) = asm_label {
            declarator.push(' ');
            declarator.push_str(&on_one_line(self.out.stream.slice(*label)));
        }
        let specifiers = format!(
            "{}{aligned}{}{base}",
            self.attributes(attrs),
            storage_words(storage)
        );
        Some(Parts {
            specifiers,
            declarator,
            init,
        })
    }

    fn declarator(&mut self, parts: &Parts) {
        self.out.put(&parts.declarator);
        if let Some(init) = parts.init {
            self.out.put(" = ");
            self.init(init);
        }
    }

    /// Returns the declaration in a loop's first clause as one declaration, with its `;`; `None` if C needs several.
    pub(super) fn joined_group(&mut self, group: &DeclGroup) -> Option<String> {
        if self.computes_lengths(group) {
            return None;
        }
        if self.is_copied(group.verbatim) && group.span.lo < group.span.hi {
            let before = self.out.aside_begin();
            self.group(group);
            return Some(self.out.aside_end(before));
        }
        if !group.tags.is_empty() {
            return None;
        }
        let aligned = self.alignment_specifiers(group.span);
        let mut all = Vec::new();
        for decl in &group.decls {
            all.push(self.parts(decl, &aligned)?);
        }
        let (first, rest) = all.split_first()?;
        if rest.iter().any(|p| p.specifiers != first.specifiers) {
            return None;
        }
        let before = self.out.aside_begin();
        self.out.put(&first.specifiers);
        for (i, parts) in all.iter().enumerate() {
            self.out.put(if i == 0 { " " } else { ", " });
            self.declarator(parts);
        }
        self.out.put(";");
        Some(self.out.aside_end(before))
    }

    /// Writes an initialiser.
    pub(super) fn init(&mut self, id: InitId) {
        let body = self.body;
        let init = body.init(id);
        if self.is_copied(init.verbatim) && init.span.lo < init.span.hi {
            let bytes = self.out.stream.bytes(init.span);
            return self.out.copy(bytes, None);
        }
        stacker::maybe_grow(64 * 1024, 4 << 20, || match &init.kind {
            InitKind::Expr(e) => self.expr(*e, Prec::Assign),
            InitKind::List(_) if self.is_zero(id) => self.out.put("0"),
            InitKind::List(_) => self.init_braced(id),
        });
    }

    /// Whether an initialiser is the `{}` of a scalar.
    fn is_zero(&self, id: InitId) -> bool {
        let init = self.body.init(id);
        matches!(&init.kind, InitKind::List(items) if items.is_empty())
            && self.module.types.is_scalar(init.ty)
    }

    /// Writes an initialiser in braces.
    pub(super) fn init_braced(&mut self, id: InitId) {
        let body = self.body;
        self.out.put("{");
        match &body.init(id).kind {
            InitKind::Expr(e) => self.expr(*e, Prec::Assign),
            InitKind::List(items) => {
                let ty = body.init(id).ty;
                if self.is_zero(id) {
                    self.out.put("0");
                }
                let mut first = true;
                let mut rest = &items[..];
                while let Some((path, child)) = rest.first() {
                    let together = self.flexible_items(ty, rest);
                    match together {
                        0 => self.init_item(ty, "", path, *child, &mut first),
                        n => self.init_flexible(ty, &rest[..n], &mut first),
                    }
                    rest = &rest[together.max(1)..];
                }
            }
        }
        self.out.put("}");
    }

    /// Writes one item of a list with its designators. The items of an unnamed member's list join those around it.
    pub(super) fn init_item(
        &mut self,
        ty: QualType,
        prefix: &str,
        path: &[PathElem],
        child: InitId,
        first: &mut bool,
    ) {
        let body = self.body;
        let Designated {
            text,
            ty: member,
            unnamed,
        } = self.designators(ty, prefix, path);
        if let (true, InitKind::List(items)) = (unnamed, &body.init(child).kind) {
            stacker::maybe_grow(64 * 1024, 4 << 20, || {
                for (path, inner) in items {
                    self.init_item(member, &text, path, *inner, first);
                }
            });
            return;
        }
        if !std::mem::take(first) {
            self.out.put(", ");
        }
        if !text.is_empty() {
            self.out.put(&text);
            self.out.put(" = ");
        }
        self.init(child);
    }

    /// Follows a path from the subobject of type `ty` that `prefix` designates.
    pub(super) fn designators(&self, ty: QualType, prefix: &str, path: &[PathElem]) -> Designated {
        let types = &self.module.types;
        let (mut text, mut ty, mut unnamed) = (prefix.to_string(), ty, false);
        for step in path {
            unnamed = false;
            if let (Type::Vector(elem, _), PathElem::Index(n)) = (types.kind(ty), step) {
                // C cannot designate the elements of a vector: the first element stands for the whole vector, and the
                // others follow it.
                if *n > 0 {
                    text.clear();
                }
                ty = QualType::plain(*elem);
                continue;
            }
            match *step {
                PathElem::Field(index) => {
                    let name = self.field_name(ty, index);
                    unnamed = name.is_empty();
                    if !unnamed {
                        text.push('.');
                        text.push_str(&name);
                    }
                    ty = self.member_of(ty, index).ty;
                }
                PathElem::Index(n) => {
                    text.push_str(&format!("[{n}]"));
                    ty = types.array(ty).map_or(ty, |(elem, _)| elem);
                }
                PathElem::Range(a, b) => {
                    text.push_str(&format!("[{a} ... {b}]"));
                    ty = types.array(ty).map_or(ty, |(elem, _)| elem);
                }
            }
        }
        Designated { text, ty, unnamed }
    }

    /// Writes a function definition. attribute: written in front of it.
    pub(super) fn function(&mut self, function: &Function, span: Span, attribute: &str) {
        self.tags(&function.tags);
        let at = self.out.start_of(span.lo);
        self.out.go_to(at);
        let head = self.function_head(function);
        self.out.put(attribute);
        self.out.put(&head);
        self.out.space();
        if attribute == races::NOT_FOLLOWED {
            self.vlas.at_start.push_str(races::NOT_FOLLOWED_BODY);
        }
        self.name_param_lengths(function);
        self.stmt(function.root);
    }

    /// Writes an initialiser function and its registration.
    pub(super) fn generated_function(&mut self, function: &Function) {
        let head = self.function_head(function);
        let name = self.object_name(function.object);
        let on_a_line = self.out.lines;
        if on_a_line {
            // The whole function is placed on the line of the declaration, which messages then name.
            let at = self.out.start_of(function.head.lo);
            self.out.free = false;
            self.out.go_to(at);
            self.out.flat += 1;
        }
        self.out.put(&head);
        self.stmt(function.root);
        self.out.flat -= u32::from(on_a_line);
        match on_a_line {
            true => self.out.put(&format!(" UPCR_INIT({name});")),
            false => self.out.own_line(&format!("UPCR_INIT({name});")),
        }
    }

    fn function_head(&mut self, function: &Function) -> String {
        let object = &self.module.objects[function.object];
        let mut declarator = self.object_name(function.object);
        let mut kr_params = Vec::new();
        let ty = self.module.types.function(object.ty);
        let ty = known(ty, object.span, "a function of another type");
        let mut list = Vec::new();
        let mut tags = self.tags_of_params(function);
        for &param in &function.params {
            let ty = self.body.local(param).ty;
            let storage = storage_words(self.body.local(param).storage);
            let name = self.local_name(param);
            let tags = tags.remove(&param).unwrap_or_default();
            if function.kr {
                list.push(name.clone());
                let text = self.declare_param(param, ty, &name, &tags);
                kr_params.push((self.body.local(param).span.lo, format!(" {storage}{text};")));
            } else {
                let attrs = self.param_attributes(self.body.local(param).span);
                let text = self.declare_param(param, ty, &name, &tags);
                list.push(format!("{storage}{text}{attrs}"));
            }
        }
        // Sizes of arrays may mention earlier parameters.
        kr_params.sort_by_key(|&(at, _)| at);
        let kr_params: String = kr_params.into_iter().map(|(_, text)| text).collect();
        let forward = self.forward_params(function);
        if ty.variadic {
            list.push("...".into());
        } else if list.is_empty() && ty.prototype {
            list.push("void".into());
        }
        declarator.push_str(&format!("({forward}{})", list.join(", ")));
        let text = self.declare(ty.ret, &declarator);
        let attrs = self.own_attributes(function);
        format!(
            "{attrs}{}{text}{kr_params}",
            storage_words(function.storage)
        )
    }

    /// The forward declarations (GNU) of parameters, recognised by their position: their text precedes that of an
    /// earlier parameter.
    fn forward_params(&mut self, function: &Function) -> String {
        let mut forward = Vec::new();
        let mut last = 0;
        for &param in function.params.iter().filter(|_| !function.kr) {
            let (ty, span) = (self.body.local(param).ty, self.body.local(param).span);
            if span.lo < last && span.lo < span.hi {
                let name = self.local_name(param);
                forward.push((span.lo, self.declare(ty, &name) + "; "));
            }
            last = last.max(span.lo);
        }
        forward.sort_by_key(|&(at, _)| at);
        forward.into_iter().map(|(_, text)| text).collect()
    }

    /// The function's attributes, without those of its parameters.
    fn own_attributes(&self, function: &Function) -> String {
        let of_param = |index: u32| {
            let Some(attr) = self.out.stream.attrs.get(index as usize) else {
                return false;
            };
            let spans = function.params.iter().map(|&p| self.body.local(p).span);
            spans
                .filter(|s| s.lo < s.hi)
                .any(|s| s.lo < attr.before && attr.before <= s.hi)
        };
        let own: Vec<u32> = function
            .attrs
            .iter()
            .copied()
            .filter(|&a| !of_param(a))
            .collect();
        self.attributes(&own)
    }

    /// Attributes among the tokens of a parameter, or directly after it.
    fn param_attributes(&self, span: Span) -> String {
        if span.lo >= span.hi {
            return String::new();
        }
        let stream = self.out.stream;
        stream
            .attrs_in(span.lo + 1..=span.hi)
            .iter()
            .map(|a| format!(" {}", self.attribute(a)))
            .filter(|text| text.contains("__attribute"))
            .collect()
    }
}

/// Storage classes and function specifiers, each followed by a space.
fn storage_words(bits: u16) -> String {
    const WORDS: [(u16, &str); 8] = [
        (storage::TYPEDEF, "typedef "),
        (storage::EXTERN, "extern "),
        (storage::STATIC, "static "),
        (storage::AUTO, "auto "),
        (storage::REGISTER, "register "),
        (storage::THREAD, "__thread "),
        // This spelling is valid in every C standard.
        (storage::INLINE, "__inline__ "),
        (storage::NORETURN, "_Noreturn "),
    ];
    WORDS
        .iter()
        .filter(|(bit, _)| bits & bit != 0)
        .map(|(_, word)| *word)
        .collect()
}
