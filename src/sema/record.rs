//! Struct, union and enum specifiers.

use super::attrs::LayoutAttrs;
use super::flexible::MemberPlace;
use super::*;
use crate::diag::codes;
use crate::il::TagDef;
use crate::types::layout::{LARGEST, Member, RecordRules};
use crate::types::{EnumId, Field, IntKind, RecordId, Type, TypeId};

impl<'a> Sema<'a> {
    /// Analyses a struct or union specifier: a reference, or a definition, which is added to `tags`.
    pub(super) fn record_spec(&mut self, id: ast::RecordId) -> TypeId {
        let ast = self.ast;
        let spec = &ast[id];
        let tag_span = Span {
            lo: spec.tag_tok,
            hi: spec.tag_tok + 1,
        };
        let record = match (&spec.members, spec.tag) {
            (None, Some(tag)) => self.mentioned_record(spec.is_union, tag, tag_span),
            (None, None) => return Types::UNKNOWN,
            (Some(_), None) => self.types.new_record(spec.is_union, None, spec.span),
            (Some(_), Some(tag)) => self.defined_record(spec.is_union, tag, tag_span, spec.span),
        };
        if spec.tag.is_some() {
            self.note_tag(Tag::Record(record), spec.tag_tok, spec.members.is_some());
        }
        let ty = self.types.intern(Type::Record(record));
        if let Some(members) = &spec.members {
            deep(|| self.define_record(record, spec, members));
        }
        ty
    }

    fn define_record(
        &mut self,
        id: RecordId,
        spec: &'a ast::RecordSpec,
        members: &'a [ast::Member],
    ) {
        self.defining.push(id);
        let place = if spec.is_union {
            Places::UNION
        } else {
            Places::STRUCT
        };
        self.check_attributes_of_tag(spec.span, spec.tag_tok, place);
        let open = spec.tag_tok + 1;
        let attrs = self
            .layout_attrs(spec.span.lo + 1, open)
            .and(self.layout_attrs(spec.span.hi, spec.span.hi));
        let (list, touched) = self.watching(|s| s.members(members, attrs));
        let rules = RecordRules {
            is_union: spec.is_union,
            align: attrs.align,
            pack: self.pack_at(spec.span.hi - 1),
            transparent: attrs.transparent,
        };
        self.enter_members(id, &list);
        let mut body = self.types.lay_out(list, rules);
        body.touched = touched || body.has_shared;
        self.touched |= body.touched;
        if body.size > LARGEST {
            let tag = spec.tag.map(|_| token_span(spec.tag_tok));
            let kind = if spec.is_union { "union" } else { "structure" };
            let message = format!("this {kind} has more than {LARGEST} bytes");
            let at = tag.unwrap_or(token_span(spec.span.lo));
            self.error(codes::OBJECT_TOO_LARGE, at, message, "use smaller members");
        }
        self.types.records[id].body = Some(body);
        self.defining.pop();
        self.tags.push(TagDef::Record(id));
    }

    fn members(&mut self, members: &'a [ast::Member], record: LayoutAttrs) -> Vec<Member> {
        let mut list = Vec::with_capacity(members.len());
        for (at, member) in members.iter().enumerate() {
            match member {
                ast::Member::StaticAssert(check) => self.static_assert(check),
                ast::Member::Fields {
                    specs,
                    declarators,
                    span,
                } => {
                    let last = at + 1 == members.len();
                    self.fields(*specs, declarators, *span, last, record, &mut list);
                }
            }
        }
        list
    }

    fn fields(
        &mut self,
        specs_id: ast::SpecsId,
        declarators: &[ast::FieldDeclarator],
        span: Span,
        last: bool,
        record: LayoutAttrs,
        list: &mut Vec<Member>,
    ) {
        let specs = self.specs(specs_id);
        let mut common = self.specs_attrs(specs_id);
        common.align = common.align.max(specs.align);
        common.packed |= record.packed;
        if declarators.is_empty() {
            self.check_alignas(&specs, specs.base);
            self.unnamed_member(specs.base, span, specs.span, common, list);
        }
        if !declarators.is_empty() {
            self.check_attributes_of_specs(specs_id, Places::MEMBER);
        }
        for (at, field) in declarators.iter().enumerate() {
            let last = last && at + 1 == declarators.len();
            // As in gcc, an unnamed structure counts as a member with a name.
            let named = |m: &Member| m.field.name.is_some() || self.types.is_record(m.field.ty);
            let place = match (last, list.iter().any(named)) {
                (false, _) => MemberPlace::Inner,
                (true, false) => MemberPlace::Only,
                (true, true) => MemberPlace::Last,
            };
            let member = self.declared_field(&specs, field, common, place);
            if let (Some(&record), Some(declarator)) = (self.defining.last(), field.declarator) {
                let named = Named::Member(record, list.len() as u32);
                let token = self.ast[declarator].name_tok;
                self.occurrences
                    .add(token, named, Role::Defines, member.field.ty);
            }
            list.push(member);
        }
    }

    fn declared_field(
        &mut self,
        specs: &specs::DeclSpecs,
        field: &ast::FieldDeclarator,
        common: LayoutAttrs,
        place: MemberPlace,
    ) -> Member {
        let (name, mut ty, at, own) = match field.declarator {
            Some(declarator) => {
                let base = self.attributed_declarator_base(specs.base, declarator, field.span);
                let declared = self.declarator(declarator, base);
                let attrs = self.declarator_attrs(declarator, field.span.hi);
                let end = field.span.hi;
                if self.suspected(declared.span.lo, end) {
                    let subject = self.subject_of(Places::MEMBER, declared.ty);
                    self.check_attributes_of_declarator(declarator, end, subject);
                }
                let ty = self.settle_star(declared.ty, field.span);
                (declared.name, ty, declared.name_span, attrs)
            }
            None => (None, specs.base, field.span, LayoutAttrs::default()),
        };
        ty = self.check_member(ty, at);
        ty = self.check_flexible(ty, at, place);
        match field.bits {
            Some(_) => self.no_alignas(specs, "a bit-field"),
            None => self.check_alignas(specs, ty),
        }
        let attrs = common.and(own);
        let bits = field.bits.map(|e| self.field_width(e, ty, name, at));
        Member {
            field: Field {
                name,
                ty: if field.bits.is_some() && !self.types.is_integer(ty) {
                    QualType::plain(Types::INT)
                } else {
                    ty
                },
                bits,
                offset: 0,
                bit_offset: 0,
                align: 1,
                span: field.span,
                specs_span: specs.span,
            },
            packed: attrs.packed,
            align: attrs.align,
        }
    }

    fn field_width(&mut self, e: ast::ExprId, ty: QualType, name: Option<Symbol>, at: Span) -> u32 {
        let width = self.folded(e, "the width of a bit-field");
        if self.types.is_unknown(ty) {
            return width.and_then(|w| u32::try_from(w).ok()).unwrap_or(1);
        }
        let Some(kind) = self.types.int_kind_of(ty) else {
            let message = format!(
                "a bit-field must have an integer type, not `{}`",
                self.show(ty)
            );
            self.error(codes::BAD_BIT_FIELD, at, message, "use `int` or `unsigned`");
            return 1;
        };
        match width {
            None => 1,
            Some(0) if name.is_some() => {
                let message = "a bit-field with a name cannot have width 0";
                self.error(
                    codes::BAD_BIT_FIELD,
                    at,
                    message,
                    "remove the name, or give the bit-field a width",
                );
                1
            }
            Some(w) if w >= 0 && w <= i128::from(kind.bits()) => w as u32,
            Some(w) => {
                let message = format!(
                    "width {w} of a bit-field of type `{}`, which has {} bits",
                    kind.name(),
                    kind.bits()
                );
                self.error(
                    codes::BAD_BIT_FIELD,
                    at,
                    message,
                    "use a smaller width or a larger type",
                );
                1
            }
        }
    }

    // ---- enumerations

    /// Analyses an enum specifier: a reference, or a definition, whose constants are bound in the current scope.
    pub(super) fn enum_spec(&mut self, id: ast::EnumId) -> TypeId {
        let ast = self.ast;
        let spec = &ast[id];
        let tag_span = Span {
            lo: spec.tag_tok,
            hi: spec.tag_tok + 1,
        };
        let here = spec.items.is_some();
        let found = spec.tag.and_then(|tag| {
            let binding = if here {
                self.scopes.lookup_tag_here(tag)
            } else {
                self.scopes.lookup_tag(tag)
            };
            binding.copied()
        });
        let known = match found {
            Some(scope::Binding {
                entity: Tag::Enum(id),
                ..
            }) if !here || self.types.enumeration(id).int.is_none() => Some(id),
            Some(binding) => {
                self.enum_conflict(spec, tag_span, binding.entity, binding.span);
                None
            }
            None => None,
        };
        let id = known.unwrap_or_else(|| {
            let id = self.types.new_enum(spec.tag, spec.span);
            if let Some(tag) = spec.tag {
                self.scopes.bind_tag(tag, Tag::Enum(id), tag_span);
            }
            id
        });
        if spec.tag.is_some() {
            self.note_tag(Tag::Enum(id), spec.tag_tok, here);
        }
        let ty = self.types.intern(Type::Enum(id));
        if let Some(items) = &spec.items {
            self.types.enums[id].span = spec.span;
            self.define_enum(id, ty, spec, items);
        }
        ty
    }

    fn define_enum(
        &mut self,
        id: EnumId,
        ty: TypeId,
        spec: &'a ast::EnumSpec,
        items: &'a [ast::Enumerator],
    ) {
        let (mut next, mut kind) = (0i128, IntKind::Int);
        let (mut low, mut high) = (0i128, 0i128);
        let mut list = Vec::with_capacity(items.len());
        let mut touched = false;
        for item in items {
            match item.value {
                Some(e) => {
                    let (value, upc) = self.watching(|s| s.enumerator_value(e));
                    touched |= upc;
                    if let Some((value, of)) = value {
                        (next, kind) = (value, of);
                    }
                }
                None if !kind.holds(next) => {
                    self.enumerator_overflow(item, next);
                    (next, kind) = (0, IntKind::Int);
                }
                None => {}
            }
            (low, high) = (low.min(next), high.max(next));
            list.push((item.name, next));
            let after = Span {
                lo: item.tok + 1,
                hi: item.tok + 1,
            };
            self.check_attributes(after, |_| false, Places::ENUMERATOR.into());
            self.bind_enumerator(item, next, Types::int_kind(kind));
            next = next.saturating_add(1);
        }
        self.check_attributes_of_tag(spec.span, spec.tag_tok, Places::ENUM);
        let attrs = self
            .layout_attrs(spec.span.lo + 1, spec.tag_tok + 1)
            .and(self.layout_attrs(spec.span.hi, spec.span.hi));
        let int = enum_int(low, high, attrs.packed || self.types.abi.short_enums);
        for (item, &(_, value)) in items.iter().zip(&list) {
            if !IntKind::Int.holds(value) {
                self.bind(
                    item.name,
                    Entity::Enumerator { value, ty },
                    token_span(item.tok),
                );
            }
        }
        let enumeration = &mut self.types.enums[id];
        enumeration.int = Some(int);
        enumeration.enumerators = list;
        enumeration.touched = touched;
        self.tags.push(TagDef::Enum(id));
    }

    /// Returns the value of an enumerator, and the type in which the next one is counted: `int`, or a wider one that
    /// the value needs (GNU).
    fn enumerator_value(&mut self, e: ast::ExprId) -> Option<(i128, IntKind)> {
        self.scratch(|s| {
            s.unevaluated(|s| {
                let e = s.rvalue(e);
                let value = s.const_value(e, "the value of an enumerator")?;
                let own = s.types.int_kind_of(s.body.exprs[e].ty);
                let wide = own.filter(|_| !IntKind::Int.holds(value));
                Some((value, wide.unwrap_or(IntKind::Int)))
            })
        })
    }
}

impl SymbolTable<'_> {
    fn mentioned_record(&mut self, is_union: bool, tag: Symbol, span: Span) -> RecordId {
        if let Some(&binding) = self.scopes.lookup_tag(tag) {
            match binding.entity {
                Tag::Record(id) if self.types.record(id).is_union == is_union => return id,
                Tag::Record(_) | Tag::Enum(_) => self.tag_mismatch(tag, span, binding.span),
            }
        }
        let id = self.types.new_record(is_union, Some(tag), span);
        self.scopes.bind_tag(tag, Tag::Record(id), span);
        self.tags.push(TagDef::ForwardRecord(id));
        id
    }

    /// Handles `struct S;` alone, which declares the tag in this scope whatever its meaning outside (C11 6.7.2.3p7).
    pub(super) fn forward_tag(&mut self, id: ast::RecordId) {
        let ast = self.ast;
        let spec = &ast[id];
        if let (Some(tag), None) = (spec.tag, &spec.members)
            && self.scopes.depth() > 0
            && self.scopes.lookup_tag_here(tag).is_none()
        {
            let record = self.types.new_record(spec.is_union, Some(tag), spec.span);
            self.scopes.bind_tag(tag, Tag::Record(record), spec.span);
            self.tags.push(TagDef::ForwardRecord(record));
        }
    }

    fn defined_record(&mut self, is_union: bool, tag: Symbol, at: Span, span: Span) -> RecordId {
        if let Some(&binding) = self.scopes.lookup_tag_here(tag) {
            match binding.entity {
                Tag::Record(id) if self.types.record(id).is_union == is_union => {
                    if self.types.record(id).body.is_none() && !self.defining.contains(&id) {
                        self.types.records[id].span = span;
                        return id;
                    }
                    let message = format!("`{}` is defined a second time", self.name(tag));
                    self.error_with_note(
                        codes::REDEFINED,
                        at,
                        message,
                        binding.span,
                        "the first definition is here",
                        "rename one, or guard the header that is included twice",
                    );
                }
                Tag::Record(_) | Tag::Enum(_) => self.tag_mismatch(tag, at, binding.span),
            }
        }
        let id = self.types.new_record(is_union, Some(tag), span);
        self.scopes.bind_tag(tag, Tag::Record(id), at);
        id
    }

    fn bind_enumerator(&mut self, item: &ast::Enumerator, value: i128, ty: TypeId) {
        let span = token_span(item.tok);
        if let Some(&other) = self.scopes.lookup_here(item.name)
            && other.entity != Entity::Reported
        {
            let message = format!("`{}` is already declared", self.name(item.name));
            self.error_with_note(
                codes::REDECLARED,
                span,
                message,
                other.span,
                "declared here",
                "rename one",
            );
        }
        self.bind(item.name, Entity::Enumerator { value, ty }, span);
    }
}

impl Context<'_> {
    fn tag_mismatch(&mut self, tag: Symbol, at: Span, first: Span) {
        let message = format!("`{}` is the tag of another kind of type", self.name(tag));
        self.error_with_note(
            codes::TAG_MISMATCH,
            at,
            message,
            first,
            "declared here",
            "use the same keyword, or another tag",
        );
    }

    fn unnamed_member(
        &mut self,
        ty: QualType,
        span: Span,
        specs_span: Span,
        attrs: LayoutAttrs,
        list: &mut Vec<Member>,
    ) {
        let Some(id) = self.types.record_id(ty) else {
            return; // gcc warns that nothing is declared, and so does the C compiler later.
        };
        let named = self.types.record(id).tag.is_some()
            || matches!(self.types.get(ty.ty), Type::Typedef(_));
        if named && !self.opts.ms_members {
            return; // It declares at most its tag.
        }
        let ty = self.check_member(ty, span);
        list.push(Member {
            field: Field {
                name: None,
                ty,
                bits: None,
                offset: 0,
                bit_offset: 0,
                align: 1,
                span,
                specs_span,
            },
            packed: attrs.packed,
            align: attrs.align,
        });
    }

    /// Checks the rules for every member: it has an object type and is not shared (UPC 6.5.1.1p4).
    fn check_member(&mut self, ty: QualType, at: Span) -> QualType {
        if self.types.is_function(ty) {
            let message = "a member cannot be a function";
            self.error(
                codes::BAD_FUNCTION_TYPE,
                at,
                message,
                "make it a pointer to a function",
            );
            return QualType::plain(Types::UNKNOWN);
        }
        if self.types.is_shared(ty) {
            let message = "a member cannot be shared: the object as a whole is shared or not";
            let help = "qualify the object, or make the member a pointer-to-shared (`shared T *p`)";
            self.error(codes::SHARED_MEMBER, at, message, help);
            let elem = self.types.ultimate(ty);
            return QualType::plain(elem.ty);
        }
        let incomplete = match *self.types.kind(ty) {
            Type::Void => true,
            Type::Record(id) => self.types.record(id).body.is_none(),
            _ => false,
        };
        if incomplete {
            let message = format!("member of incomplete type `{}`", self.show(ty));
            let help = "define the type first, or use a pointer to it";
            self.error(codes::INCOMPLETE_TYPE, at, message, help);
            return QualType::plain(Types::UNKNOWN);
        }
        ty
    }

    fn enum_conflict(&mut self, spec: &ast::EnumSpec, at: Span, other: Tag, first: Span) {
        let Some(tag) = spec.tag else { return };
        match other {
            Tag::Record(_) => self.tag_mismatch(tag, at, first),
            Tag::Enum(_) => {
                let message = format!("`enum {}` is defined a second time", self.name(tag));
                self.error_with_note(
                    codes::REDEFINED,
                    at,
                    message,
                    first,
                    "the first definition is here",
                    "rename one, or guard the header that is included twice",
                );
            }
        }
    }

    fn enumerator_overflow(&mut self, item: &ast::Enumerator, value: i128) {
        let message = format!(
            "the value of `{}` would be {value}, which the type of the previous enumerator cannot hold",
            self.name(item.name)
        );
        let help =
            "give it a value that fits, or give the previous enumerator a wider type: `1LL << 31`";
        self.error(codes::ENUM_OVERFLOW, token_span(item.tok), message, help);
    }
}

impl SymbolTable<'_> {
    /// Marks the tags from index `from` on, which a prototype's parameters define. Two prototypes may define the same
    /// tags; emitted C defines them all before the declaration.
    pub(super) fn close_prototype(&mut self, from: usize) {
        let types = &mut self.nodes.context.types;
        for tag in &self.tags[from..] {
            match *tag {
                TagDef::Record(id) => types.records[id].prototype = true,
                TagDef::Enum(id) => types.enums[id].prototype = true,
                TagDef::ForwardRecord(_) => {}
            }
        }
    }

    /// Assigns the names that emitted C needs to the untagged records and enumerations of a declaration that is not
    /// verbatim.
    pub(super) fn name_untagged(&mut self, tags: &[TagDef]) {
        let types = &mut self.nodes.context.types;
        for &tag in tags {
            let (tagged, name) = match tag {
                TagDef::Record(id) => {
                    let record = &mut types.records[id];
                    let tagged = record.tag.is_some() && !record.prototype;
                    (tagged, &mut record.anon_name)
                }
                TagDef::Enum(id) => {
                    let enumeration = &mut types.enums[id];
                    (enumeration.tag.is_some(), &mut enumeration.anon_name)
                }
                TagDef::ForwardRecord(_) => continue,
            };
            if !tagged {
                self.names_made += 1;
                *name = Some(self.names_made);
            }
        }
    }
}

/// The span of one token.
pub(super) fn token_span(token: u32) -> Span {
    Span {
        lo: token,
        hi: token + 1,
    }
}

/// The integer type that gcc assigns to an enumeration with values `low..=high`.
fn enum_int(low: i128, high: i128, packed: bool) -> IntKind {
    use IntKind::{Int, Int128, Long, SChar, Short, UChar, UInt, UInt128, ULong, UShort};
    let kinds: &[IntKind] = match (packed, low < 0) {
        (false, false) => &[UInt, ULong, UInt128],
        (false, true) => &[Int, Long, Int128],
        (true, false) => &[UChar, UShort, UInt, ULong, UInt128],
        (true, true) => &[SChar, Short, Int, Long, Int128],
    };
    let fits = |kind: &&IntKind| kind.holds(low) && kind.holds(high);
    kinds.iter().find(fits).copied().unwrap_or(Int128)
}
