//! Declarators: writes types in C.
//!
//! `shared`, layout, `strict` and `relaxed` disappear; a pointer-to-shared is `upcr_pts_t`. A typedef name is used
//! where its own declaration was written, that is, unless it names a shared type.

use super::Emitter;
use crate::diag::known;
use crate::types::{
    ArrayLen, FloatKind, FuncType, IntKind, QualType, Quals, RecordId, Type, TypeId, TypedefId,
    Types,
};
use hashbrown::HashMap;

/// The names of records without a tag.
#[derive(Default)]
pub(super) struct RecordNames {
    filled: bool,
    typedefs: HashMap<RecordId, TypedefId>,
    /// The record, and the index of its member, in which a record is defined.
    owners: HashMap<RecordId, (RecordId, u32)>,
}

impl RecordNames {
    fn fill(&mut self, types: &Types) {
        self.filled = true;
        for (i, typedef) in types.typedefs.iter().enumerate() {
            if let Type::Record(id) = *types.get(typedef.target.ty)
                && typedef.target.quals == Quals::NONE
            {
                self.typedefs.entry(id).or_insert(TypedefId(i as u32));
            }
        }
        for (i, record) in types.records.iter().enumerate() {
            let fields = record.body.iter().flat_map(|b| &b.fields);
            for (index, field) in fields.enumerate() {
                if let Some(inner) = types.record_id(types.ultimate(field.ty)) {
                    self.owners
                        .entry(inner)
                        .or_insert((RecordId(i as u32), index as u32));
                }
            }
        }
    }
}

/// A declaration: specifiers, and what stands on both sides of the declared name.
struct Parts {
    base: String,
    left: String,
    right: Vec<Right>,
}

enum Right {
    Text(String),
    Params(FuncType),
}

impl Emitter<'_> {
    /// Returns a type name, without qualifiers at the top level.
    pub(super) fn type_name(&mut self, ty: TypeId) -> String {
        let bare = QualType::plain(ty);
        let bare = match self.module.types.resolve(bare).quals {
            Quals::NONE => bare,
            // For a typedef of a qualified type: values have no qualifiers.
            _ => self.module.types.resolve(bare).bare(),
        };
        self.declare(bare, "")
    }

    /// Returns the declaration of `declarator` with a type.
    pub(super) fn declare(&mut self, qt: QualType, declarator: &str) -> String {
        let mut text = String::new();
        self.write_declaration(&mut text, qt, declarator);
        text
    }

    /// Appends a declaration. Parameters within parameters are written to the same text, so the time stays linear.
    fn write_declaration(&mut self, text: &mut String, qt: QualType, declarator: &str) {
        let Parts { base, left, right } = self.declarator_parts(qt, declarator);
        text.push_str(&base);
        let starts_with_extent =
            matches!(right.first(), Some(Right::Text(it)) if it.starts_with('['));
        let bare = left.is_empty() && declarator.is_empty();
        if !(bare && (right.is_empty() || starts_with_extent)
            || declarator.starts_with('[') && left.is_empty())
        {
            text.push(' ');
        }
        text.push_str(&left);
        text.push_str(declarator);
        self.write_right(text, right);
    }

    fn write_right(&mut self, text: &mut String, right: Vec<Right>) {
        for part in right {
            match part {
                Right::Text(it) => text.push_str(&it),
                Right::Params(function) => self.write_params(text, &function),
            }
        }
    }

    /// Returns the specifiers and the declarator of a declaration.
    pub(super) fn split_declaration(&mut self, qt: QualType, declarator: &str) -> (String, String) {
        let Parts { base, left, right } = self.declarator_parts(qt, declarator);
        let mut declarator = left + declarator;
        self.write_right(&mut declarator, right);
        (base, declarator)
    }

    /// Takes a declaration apart.
    fn declarator_parts(&mut self, mut qt: QualType, declarator: &str) -> Parts {
        use Type::*;
        let types = &self.module.types;
        let (mut left, mut right) = (String::new(), Vec::new());
        loop {
            qt = self.visible(qt);
            match types.get(qt.ty) {
                Pointer(to) if types.is_shared(*to) => {
                    let quals = qt.quals.without(Quals::RESTRICT);
                    let name = self.pointer_name(*to);
                    let base = format!("{}{name}", qualifiers(quals));
                    return Parts { base, left, right };
                }
                Pointer(to) => {
                    let to = self.visible(*to);
                    let quals = qualifiers(qt.quals);
                    let bare = left.is_empty() && declarator.is_empty() && right.is_empty();
                    let quals = if bare { quals.trim_end() } else { &quals };
                    left.insert_str(0, quals);
                    left.insert(0, '*');
                    if matches!(types.get(to.ty), Array(..) | Function(_)) {
                        left.insert(0, '(');
                        right.push(Right::Text(")".to_owned()));
                    }
                    qt = to;
                }
                Array(elem, len) => {
                    right.push(Right::Text(format!("[{}]", self.extent(*len))));
                    qt = *elem;
                }
                Function(f) => {
                    right.push(Right::Params(f.clone()));
                    qt = f.ret;
                }
                Void | Int(_) | Float(_) | Complex(_) | ComplexInt(_) | Enum(_) | Record(_)
                | Vector(..) | VaList | Typedef(_) | Unknown => break,
            }
        }
        // A typedef of a pointer-to-shared is not a pointer in C.
        if types.is_pts(qt) {
            qt.quals = qt.quals.without(Quals::RESTRICT);
        }
        let base = format!("{}{}", qualifiers(qt.quals), self.base_name(qt.ty));
        Parts { base, left, right }
    }

    /// The type with each typedef that is not declared in C replaced by its target.
    pub(super) fn visible(&self, mut qt: QualType) -> QualType {
        let types = &self.module.types;
        while let Type::Typedef(id) = *types.get(qt.ty) {
            let target = types.typedef(id).target;
            if self.is_usable(id) {
                break;
            }
            // Resolve one level and keep the qualifiers of the use.
            qt = QualType {
                quals: target.quals.with(qt.quals),
                ..target
            };
        }
        qt
    }

    /// True for a typedef whose declaration is written to the output.
    pub(super) fn is_usable(&self, id: TypedefId) -> bool {
        let types = &self.module.types;
        let typedef = types.typedef(id);
        if types.is_shared(typedef.target) {
            return false;
        }
        !self.canonical
            || matches!(
                types.kind(typedef.target),
                Type::Record(_) | Type::VaList | Type::Unknown
            )
    }

    fn extent(&mut self, len: ArrayLen) -> String {
        match len {
            ArrayLen::Fixed(n) => n.to_string(),
            ArrayLen::PerThread(1) => "UPCR_THREADS".to_string(),
            ArrayLen::PerThread(n) => format!("{n} * UPCR_THREADS"),
            ArrayLen::Incomplete => String::new(),
            ArrayLen::Variable(number) => {
                if let Some(name) = self.length_name(number) {
                    return name;
                }
                let size = self.body.vlas.iter().find(|(n, _)| *n == number);
                match size {
                    Some(&(_, Some(size))) => self.expr_aside(size),
                    _ => "*".to_string(),
                }
            }
        }
    }

    fn write_params(&mut self, text: &mut String, f: &FuncType) {
        if !f.prototype {
            return text.push_str("()");
        }
        text.push('(');
        for (index, &param) in f.params.iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            stacker::maybe_grow(64 * 1024, 4 << 20, || {
                self.write_declaration(text, param, "");
            });
        }
        match (f.variadic, f.params.is_empty()) {
            (true, true) => text.push_str("..."),
            (true, false) => text.push_str(", ..."),
            (false, true) => text.push_str("void"),
            (false, false) => {}
        }
        text.push(')');
    }

    fn base_name(&mut self, ty: TypeId) -> String {
        let types = &self.module.types;
        match *types.get(ty) {
            Type::Void => "void".into(),
            Type::Int(kind) => kind.name().into(),
            Type::Float(kind) => float_name(kind).into(),
            Type::Complex(kind) => format!("_Complex {}", float_name(kind)),
            Type::ComplexInt(kind) => format!("_Complex {}", kind.name()),
            Type::Enum(id) => {
                let e = types.enumeration(id);
                match (e.tag, e.anon_name) {
                    _ if e.prototype => e.int.unwrap_or(IntKind::UInt).name().into(),
                    (Some(tag), _) => format!("enum {}", self.names.name(tag)),
                    (None, Some(n)) => format!("enum upcc_anon_{n}"),
                    (None, None) => e.int.unwrap_or(IntKind::UInt).name().into(),
                }
            }
            Type::Record(id) => self.record_name(id),
            Type::Vector(elem, bytes) => {
                let elem = self.type_name(elem);
                format!("__attribute__((__vector_size__({bytes}))) {elem}")
            }
            Type::VaList => "__builtin_va_list".into(),
            Type::Typedef(id) => self.names.name(types.typedef(id).name).into(),
            // An error has been reported.
            Type::Unknown => "int".into(),
            // `split_declaration` removes these.
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => String::new(),
        }
    }

    fn record_name(&mut self, id: RecordId) -> String {
        let types = &self.module.types;
        let record = types.record(id);
        let keyword = keyword(record.is_union);
        if let (Some(tag), false) = (record.tag, record.prototype) {
            return format!("{keyword} {}", self.names.name(tag));
        }
        if let Some(n) = record.anon_name {
            return format!("{keyword} upcc_anon_{n}");
        }
        if !self.record_names.filled {
            self.record_names.fill(types);
        }
        if let Some(&typedef) = self.record_names.typedefs.get(&id) {
            return self.names.name(types.typedef(typedef).name).into();
        }
        self.record_by_owner(id)
    }

    /// Writes a record without any name as the type of the member for which it was defined.
    fn record_by_owner(&mut self, id: RecordId) -> String {
        let types = &self.module.types;
        let span = types.record(id).span;
        let owner = self.record_names.owners.get(&id).copied();
        let (owner, index) = known(owner, span, "a record that nothing names");
        let body = types.record(owner).body.as_ref();
        let field = body.and_then(|body| body.fields.get(index as usize));
        let named = field.and_then(|field| Some((field.name?, field.ty)));
        let (name, ty) = known(named, span, "a record of a member without a name");
        let mut member = self.names.name(name).to_string();
        let mut ty = ty;
        while let Some((elem, _)) = types.array(ty) {
            member.push_str("[0]");
            ty = elem;
        }
        let owner = self.record_name(owner);
        format!("__typeof__((({owner} *)0)->{member})")
    }
}

/// A floating type in a spelling that both gcc and clang accept.
fn float_name(kind: FloatKind) -> &'static str {
    if kind == FloatKind::Float128 {
        "UPCR_FLOAT128"
    } else {
        kind.name()
    }
}

/// `struct` or `union`.
pub(super) fn keyword(is_union: bool) -> &'static str {
    if is_union { "union" } else { "struct" }
}

/// C's qualifiers, each followed by a space.
pub(super) fn qualifiers(quals: Quals) -> String {
    const NAMES: [(Quals, &str); 4] = [
        (Quals::CONST, "const "),
        (Quals::VOLATILE, "volatile "),
        (Quals::RESTRICT, "__restrict "),
        (Quals::ATOMIC, "_Atomic "),
    ];
    NAMES
        .iter()
        .filter(|(bit, _)| quals.has(*bit))
        .map(|(_, name)| *name)
        .collect()
}
