//! Definitions of structs, unions and enumerations in declarations that are not verbatim.
//!
//! A record without pointers-to-shared and without other tags in it keeps its text, with a name inserted if it had
//! none. Other records are printed member by member; attributes and pragmas stay at their positions among the members.

use super::Emitter;
use super::types::keyword;
use crate::diag::is_upc_pragma;
use crate::il::{Function, LocalId, TagDef};
use crate::types::{EnumId, Field, Record, RecordId};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::ast::Span;
use upcc_grammar::token::TokenKind;

impl Emitter<'_> {
    /// Writes the tags that a declaration defines, each as a declaration of its own.
    pub(super) fn tags(&mut self, tags: &[TagDef]) {
        self.tags_between(tags, ["", ";"]);
    }

    /// Returns operands of the comma operator that define the tags and have no effect. They lie in C's scope of the
    /// parameter whose type contains the tags.
    pub(super) fn tags_as_operands(&mut self, tags: &[TagDef]) -> String {
        let before = self.out.aside_begin();
        // Use the size of a pointer: a mentioned record need not be complete.
        self.tags_between(tags, ["(void)sizeof(", " *), "]);
        self.out.aside_end(before)
    }

    /// Returns the tags to define in front of each parameter's declaration. Tags of prototypes have names of their own
    /// and may be defined in front of the first parameter.
    pub(super) fn tags_of_params(&self, function: &Function) -> HashMap<LocalId, Vec<TagDef>> {
        let types = &self.module.types;
        let mut params = function.params.clone();
        params.sort_by_key(|&param| self.body.local(param).span.lo);
        let mut of_params: HashMap<LocalId, Vec<TagDef>> = HashMap::new();
        for &tag in &function.param_tags {
            let (at, anywhere) = match tag {
                TagDef::Record(id) | TagDef::ForwardRecord(id) => {
                    let record = types.record(id);
                    (record.span.lo, record.prototype)
                }
                TagDef::Enum(id) => {
                    let enumeration = types.enumeration(id);
                    (enumeration.span.lo, enumeration.prototype)
                }
            };
            let behind = |param: &&LocalId| anywhere || at < self.body.local(**param).span.hi;
            let param = params.iter().find(behind).or(params.last());
            if let Some(&param) = param {
                of_params.entry(param).or_default().push(tag);
            }
        }
        of_params
    }

    /// Writes each tag's definition, or mention, between two texts.
    fn tags_between(&mut self, tags: &[TagDef], around: [&str; 2]) {
        let inline = self.unnamed_members(tags);
        for tag in tags {
            match *tag {
                TagDef::Record(id) if !inline.contains(&id) => self.record_definition(id, around),
                TagDef::Record(_) => {}
                TagDef::ForwardRecord(id) => {
                    let record = self.module.types.record(id);
                    if let Some(tag) = record.tag {
                        let text = format!("{} {}", keyword(record.is_union), self.names.name(tag));
                        self.tag_start(record.span, around);
                        self.out.put(&text);
                        self.out.put(around[1]);
                    }
                }
                TagDef::Enum(id) => self.enum_definition(id, around),
            }
        }
    }

    /// The records that are unnamed members of others, which print them.
    fn unnamed_members(&self, tags: &[TagDef]) -> HashSet<RecordId> {
        let types = &self.module.types;
        let records = tags.iter().filter_map(|t| match t {
            TagDef::Record(id) => Some(types.record(*id)),
            TagDef::ForwardRecord(_) | TagDef::Enum(_) => None,
        });
        records
            .flat_map(|r| r.body.iter().flat_map(|b| &b.fields))
            .filter(|f| f.name.is_none() && f.bits.is_none())
            .filter_map(|f| types.record_id(f.ty))
            .collect()
    }

    fn tag_start(&mut self, span: Span, around: [&str; 2]) {
        if self.out.flat > 0 || !self.out.at_line_start() {
            self.out.space();
        } else {
            let at = self.out.start_of(span.lo);
            self.out.go_to(at);
        }
        self.out.put(around[0]);
    }

    fn record_definition(&mut self, id: RecordId, around: [&str; 2]) {
        let record = self.module.types.record(id);
        if record.tag.is_none() && record.anon_name.is_none() && !self.tags_done.insert(id.0) {
            return;
        }
        self.tag_start(record.span, around);
        self.record_body(id, true);
        self.out.put(around[1]);
    }

    /// Writes `struct tag { members }` with its attributes. An unnamed member has no tag, even if a name was generated
    /// for it.
    fn record_body(&mut self, id: RecordId, named: bool) {
        let record = self.module.types.record(id);
        let Some(open) = self.open_brace(record.span) else {
            let name = self.type_name_of_record(record);
            return self.out.put(&name);
        };
        let printed = self.no_verbatim
            || (record.prototype && record.tag.is_some())
            || record.body.as_ref().is_some_and(|b| b.touched)
            || self.defines_tags(record.span, open);
        if !printed {
            return self.copy_record(record, open, named);
        }
        let name = if named {
            self.type_name_of_record(record)
        } else {
            String::new()
        };
        let leading = self.attributes_before(record.span.lo + 1..=open);
        self.out
            .put(&format!("{}{leading} {name}", keyword(record.is_union)).replace("  ", " "));
        self.out.space();
        self.out.put("{");
        self.out.indent += 1;
        let fields = record.body.as_ref().map_or(&[][..], |b| &b.fields);
        let mut last = open;
        for field in fields {
            self.member(field, &mut last);
        }
        self.out.indent -= 1;
        let close = self.out.start_of(record.span.hi - 1);
        self.out.go_to_close(close);
        self.out.put("}");
        let trailing = self.attributes_before(record.span.hi..=record.span.hi);
        self.out.put(&trailing);
    }

    /// The tag, or the generated name; empty for an unnamed member.
    fn type_name_of_record(&self, record: &Record) -> String {
        match (record.tag, record.anon_name) {
            (Some(tag), _) if !record.prototype => self.names.name(tag).to_string(),
            (_, Some(n)) => format!("upcc_anon_{n}"),
            (_, None) => String::new(),
        }
    }

    /// Copies the record's own text, with its generated name before the brace.
    fn copy_record(&mut self, record: &Record, open: u32, named: bool) {
        let name = match record.tag {
            None if named => self.type_name_of_record(record),
            _ => String::new(),
        };
        self.copy_tag(record.span, open, &name);
    }

    /// Copies the text of a tag's definition with its attributes, and inserts a name before the brace at token `open`.
    fn copy_tag(&mut self, span: Span, open: u32, name: &str) {
        let brace = self.out.start_of(open);
        let head = self.out.start_of(span.lo)..brace;
        self.out.copy(head, None);
        self.out.space();
        if !name.is_empty() {
            self.out.put(name);
            self.out.space();
        }
        let to = self.out.end_before(span.hi);
        self.out.copy(brace..to, None);
        let trailing = self.attributes_before(span.hi..=span.hi);
        self.out.put(&trailing);
    }

    fn member(&mut self, field: &Field, last: &mut u32) {
        let start = field.specs_span.lo;
        for &pragma in self.out.stream.pragmas_in(*last + 1..=start) {
            let text = self.out.stream.pragma_text(pragma);
            if !is_upc_pragma(&text) {
                self.out.own_line(&format!("#pragma {text}"));
            }
        }
        let at = self.out.start_of(field.span.lo.max(start));
        self.out.go_to(at);
        // Attributes in front of the specifiers, between them and the declarator, and after the declarator.
        let [before, behind] = self.around_tag(field.specs_span);
        let specs = [
            self.attributes_before(before.lo..=before.hi),
            self.attributes_before(behind.lo + 1..=behind.hi),
        ]
        .concat();
        let own = match field.span.lo {
            lo if lo < field.span.hi => {
                self.attributes_before(lo.max(field.specs_span.hi) + 1..=field.span.hi)
            }
            _ => String::new(),
        };
        let aligned = self.member_alignment(before) + &self.member_alignment(behind);
        self.out.put(format!("{specs}{own}").trim_start());
        self.out.space();
        self.out.put(&aligned);
        match (field.name, field.bits) {
            (None, None) if self.module.types.is_record(field.ty) => {
                if let Some(id) = self.module.types.record_id(field.ty) {
                    stacker::maybe_grow(64 * 1024, 4 << 20, || self.record_body(id, false));
                }
            }
            (name, bits) => {
                let name = name.map_or(String::new(), |n| self.names.name(n).to_string());
                let text = self.declare(field.ty, &name);
                self.out.put(&text);
                if let Some(bits) = bits {
                    self.out.put(&format!(" : {bits}"));
                }
            }
        }
        self.out.put(";");
        *last = field.span.hi.max(field.specs_span.hi);
    }

    /// The specifiers of a member before and after the tag that they define. Attributes and alignments of the tag are
    /// the tag's own.
    fn around_tag(&self, specs: Span) -> [Span; 2] {
        let kind = |i: u32| self.out.stream.tokens[i as usize].kind;
        let Some(open) = self.open_brace(specs) else {
            let end = Span {
                lo: specs.hi,
                ..specs
            };
            return [specs, end];
        };
        let keyword = (specs.lo..open).rev().find(|&i| {
            matches!(
                kind(i),
                TokenKind::Struct | TokenKind::Union | TokenKind::Enum
            )
        });
        let close = (open..specs.hi)
            .rev()
            .find(|&i| kind(i) == TokenKind::RBrace);
        let before = Span {
            hi: keyword.unwrap_or(open),
            ..specs
        };
        let behind = Span {
            lo: close.map_or(specs.hi, |close| close + 1),
            ..specs
        };
        [before, behind]
    }

    fn member_alignment(&self, specs: Span) -> String {
        let stream = self.out.stream;
        let mut text = String::new();
        for i in specs.lo..specs.hi {
            if stream.tokens[i as usize].kind == TokenKind::Alignas {
                let hi = self.closing_paren(i + 1, specs.hi);
                text.push_str(&self.alignment_specifier(Span { lo: i, hi }));
            }
        }
        text
    }

    /// Attributes that precede one of the tokens, each preceded by a space.
    fn attributes_before(&self, tokens: std::ops::RangeInclusive<u32>) -> String {
        let stream = self.out.stream;
        stream
            .attrs_in(tokens)
            .iter()
            .map(|a| format!(" {}", self.attribute(a)))
            .collect()
    }

    fn open_brace(&self, span: Span) -> Option<u32> {
        (span.lo..span.hi).find(|&i| self.out.stream.tokens[i as usize].kind == TokenKind::LBrace)
    }

    /// True for a body that contains other bodies: their tags are defined before it, and not again in it.
    fn defines_tags(&self, span: Span, open: u32) -> bool {
        let inner = Span {
            lo: open + 1,
            ..span
        };
        self.open_brace(inner).is_some()
    }

    /// Writes an enumeration: its text, or its values if it contains UPC.
    fn enum_definition(&mut self, id: EnumId, around: [&str; 2]) {
        let e = self.module.types.enumeration(id);
        if e.prototype {
            return;
        }
        self.tag_start(e.span, around);
        let open = self.open_brace(e.span);
        let copied = open.filter(|&open| !e.touched && !self.defines_tags(e.span, open));
        if let Some(open) = copied {
            let name = e.anon_name.filter(|_| e.tag.is_none());
            let name = name.map_or(String::new(), |n| format!("upcc_anon_{n}"));
            self.copy_tag(e.span, open, &name);
        } else {
            let name = match (e.tag, e.anon_name) {
                (Some(tag), _) => self.names.name(tag).to_string(),
                (None, Some(n)) => format!("upcc_anon_{n}"),
                (None, None) => String::new(),
            };
            let items: Vec<String> = e
                .enumerators
                .iter()
                .map(|(name, value)| format!("{} = {value}", self.names.name(*name)))
                .collect();
            self.out
                .put(&format!("enum {name} {{ {} }}", items.join(", ")));
        }
        self.out.put(around[1]);
    }
}
