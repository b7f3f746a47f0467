//! Reads attributes that change types or layout, and `#pragma pack`. All other attributes go to the C compiler unread.

use super::specs::has;
use super::*;
use crate::diag::codes;
use crate::types::{FloatKind, IntKind, Type, TypeId};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use upcc_grammar::ast::storage;
use upcc_grammar::parse_attr_args;

/// The attributes that sema reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttrKind {
    Packed,
    Aligned,
    Mode,
    VectorSize,
    TransparentUnion,
}

/// The names of the attributes, without the underscores that may surround them.
const NAMES: [(&str, AttrKind); 5] = [
    ("packed", AttrKind::Packed),
    ("aligned", AttrKind::Aligned),
    ("mode", AttrKind::Mode),
    ("vector_size", AttrKind::VectorSize),
    ("transparent_union", AttrKind::TransparentUnion),
];

/// Alignment of `aligned` without an argument: the largest alignment of the target.
const BIGGEST_ALIGNMENT: u64 = 16;

/// One attribute that sema reads.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// Index of the token it precedes.
    before: u32,
    kind: AttrKind,
    /// Bytes of its arguments without the parentheses; empty if it has none.
    args: (u32, u32),
    /// The argument, if it is more than a number or a word.
    expr: Option<ast::ExprId>,
}

/// A `#pragma pack`.
#[derive(Clone, Debug)]
enum PackOp {
    /// `pack ()`
    Reset,
    Set(u64),
    Push {
        id: Option<String>,
        value: Option<u64>,
    },
    Pop {
        id: Option<String>,
        value: Option<u64>,
    },
}

/// The attributes and pack pragmas of a unit, collected once.
pub(super) struct Attributes {
    words: Vec<Word>,
    pack_ops: Vec<(u32, PackOp)>,
    /// Number of `pack_ops` that have taken effect.
    pack_done: usize,
    /// Maximum alignment of a member in bytes; 0: no limit.
    pack: u64,
    /// The limit to which `#pragma pack ()` returns.
    own_pack: u64,
    pack_stack: Vec<(Option<String>, u64)>,
}

impl Attributes {
    /// Collects the attributes and pragmas. Arguments that are expressions are parsed into the AST. `pack` is the
    /// initial limit.
    pub(super) fn read(parsed: &mut Parsed, pack: u64) -> Attributes {
        let mut words: Vec<(usize, Word)> = Vec::new();
        for (at, attr) in parsed.stream.attrs.iter().enumerate() {
            let text = &parsed.stream.text;
            scan_attribute(text, attr.start, attr.end, |name, args| {
                if let Some(kind) = kind_named(&text[name]) {
                    let (before, expr) = (attr.before, None);
                    words.push((
                        at,
                        Word {
                            before,
                            kind,
                            args,
                            expr,
                        },
                    ));
                }
            });
        }
        parse_arguments(parsed, &mut words);
        let words = words.into_iter().map(|(_, word)| word).collect();
        let stream = &parsed.stream;
        let pack_ops = stream.pragmas.iter().filter_map(|&pragma| {
            let text = stream.pragma_text(pragma);
            Some((pragma.before, pack_op(text.strip_prefix("pack")?.trim())?))
        });
        Attributes {
            words,
            pack_ops: pack_ops.collect(),
            pack_done: 0,
            pack,
            own_pack: pack,
            pack_stack: Vec::new(),
        }
    }

    /// The attributes before one of the tokens `lo..=hi`.
    fn within(&self, lo: u32, hi: u32) -> &[Word] {
        let from = self.words.partition_point(|w| w.before < lo);
        let rest = &self.words[from..];
        &rest[..rest.partition_point(|w| w.before <= hi)]
    }

    /// The limit of `#pragma pack` at a token; queries must be in ascending order of tokens.
    fn pack_at(&mut self, token: u32) -> u64 {
        while let Some((before, op)) = self.pack_ops.get(self.pack_done)
            && *before <= token
        {
            match op.clone() {
                PackOp::Reset => self.pack = self.own_pack,
                PackOp::Set(n) => self.pack = n,
                PackOp::Push { id, value } => {
                    self.pack_stack.push((id, self.pack));
                    self.pack = value.unwrap_or(self.pack);
                }
                PackOp::Pop { id, value } => {
                    let to = match &id {
                        Some(_) => self.pack_stack.iter().rposition(|(i, _)| *i == id),
                        None => self.pack_stack.len().checked_sub(1),
                    };
                    if let Some(to) = to {
                        self.pack = self.pack_stack[to].1;
                        self.pack_stack.truncate(to);
                    }
                    self.pack = value.unwrap_or(self.pack);
                }
            }
            self.pack_done += 1;
        }
        self.pack
    }
}

/// Parses the arguments of `aligned` and `vector_size` that are more than a number.
fn parse_arguments(parsed: &mut Parsed, words: &mut [(usize, Word)]) {
    let text = |parsed: &Parsed, word: &Word| {
        let (start, end) = (word.args.0 as usize, word.args.1 as usize);
        parsed.stream.text[start..end].trim().to_string()
    };
    let mut type_names: Option<HashSet<Symbol>> = None;
    for (attr, word) in words {
        let wanted = matches!(word.kind, AttrKind::Aligned | AttrKind::VectorSize);
        let argument = text(parsed, word);
        if !wanted || argument.is_empty() || argument.parse::<i128>().is_ok() {
            continue;
        }
        let names = type_names.get_or_insert_with(|| named_types(&parsed.ast));
        let attr = parsed.stream.attrs[*attr];
        let Parsed {
            stream,
            ast,
            interner,
            ..
        } = parsed;
        let items = parse_attr_args(stream, ast, interner, attr, &mut |name| {
            names.contains(&name)
        });
        word.expr = items
            .iter()
            .filter(|item| parsed.stream.bytes(item.span).contains(&word.args.0))
            .find_map(|item| item.args.as_ref()?.first().copied());
    }
}

/// The names that any declaration uses as a typedef name.
fn named_types(ast: &Ast) -> HashSet<Symbol> {
    let all = ast.specs.iter().flat_map(|s| &s.types);
    all.filter_map(|t| match *t {
        ast::TypeSpec::Name(name, _) => Some(name),
        _ => None,
    })
    .collect()
}

/// The attribute of a name, with or without underscores around it; `None` if sema does not read it.
fn kind_named(name: &str) -> Option<AttrKind> {
    let name = name.trim_matches('_');
    NAMES
        .iter()
        .find(|(n, _)| *n == name)
        .map(|&(_, kind)| kind)
}

/// The text of an attribute without `vector_size` and `mode`, which the declared type already includes. Used for
/// declarations printed from their types.
pub fn without_type_attributes(text: &str) -> Cow<'_, str> {
    let mut holes = Vec::new();
    scan_attribute(text, 0, text.len() as u32, |name, (_, close)| {
        if matches!(
            kind_named(&text[name.clone()]),
            Some(AttrKind::VectorSize | AttrKind::Mode)
        ) {
            let end = if close == 0 {
                name.end
            } else {
                close as usize + 1
            };
            holes.push(name.start..end);
        }
    });
    let mut text = Cow::Borrowed(text);
    for hole in holes.into_iter().rev() {
        text.to_mut().replace_range(hole, "");
    }
    text
}

/// Calls `found` with the bytes of each attribute's name and of its arguments.
fn scan_attribute(
    text: &str,
    start: u32,
    end: u32,
    mut found: impl FnMut(Range<usize>, (u32, u32)),
) {
    let bytes = text.as_bytes();
    let (mut at, end) = (start as usize, end as usize);
    // Skip `__attribute__` itself: the list begins after its parentheses; C23 uses brackets.
    while at < end && bytes[at] != b'(' && bytes[at] != b'[' {
        at += 1;
    }
    while at < end {
        if !bytes[at].is_ascii_alphabetic() && bytes[at] != b'_' {
            at += 1;
            continue;
        }
        let name = at;
        while at < end && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            at += 1;
        }
        let name = name..at;
        while at < end && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let mut args = (0, 0);
        if at < end && bytes[at] == b'(' {
            let open = at;
            at = closing(bytes, open, end);
            args = (open as u32 + 1, at as u32);
        }
        found(name, args);
    }
}

/// The parenthesis that closes the one at `open`, or `end`. Parentheses in string literals are skipped.
fn closing(bytes: &[u8], open: usize, end: usize) -> usize {
    let (mut depth, mut quoted, mut at) = (0usize, false, open);
    while at < end {
        match bytes[at] {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
        at += 1;
    }
    end
}

/// Parses the text after `pack` in the pragma; `None` if gcc ignores it too.
fn pack_op(text: &str) -> Option<PackOp> {
    let list = text.strip_prefix('(')?.split(')').next()?;
    let mut parts = list.split(',').map(str::trim).filter(|p| !p.is_empty());
    let Some(first) = parts.next() else {
        return Some(PackOp::Reset);
    };
    if let Ok(n) = first.parse() {
        return Some(PackOp::Set(n));
    }
    let (mut id, mut value) = (None, None);
    for part in parts {
        match part.parse() {
            Ok(n) => value = Some(n),
            Err(_) => id = Some(part.to_string()),
        }
    }
    match first {
        "push" => Some(PackOp::Push { id, value }),
        "pop" => Some(PackOp::Pop { id, value }),
        _ => None,
    }
}

/// The layout attributes of a record, field, variable or typedef.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct LayoutAttrs {
    pub packed: bool,
    /// Alignment in bytes.
    pub align: Option<u64>,
    pub transparent: bool,
}

impl LayoutAttrs {
    /// Combines two sets of attributes.
    pub(super) fn and(self, other: LayoutAttrs) -> LayoutAttrs {
        LayoutAttrs {
            packed: self.packed | other.packed,
            align: self.align.max(other.align),
            transparent: self.transparent | other.transparent,
        }
    }
}

impl Sema<'_> {
    /// Limit of `#pragma pack` at a token, in bytes; 0: none.
    pub(super) fn pack_at(&mut self, token: u32) -> u64 {
        self.attributes.pack_at(token)
    }

    /// Layout attributes before one of the tokens `lo..=hi`, except those inside `skip` (a record specifier, up to the
    /// token after its brace).
    pub(super) fn layout_attrs(&mut self, lo: u32, hi: u32, skip: Option<Span>) -> LayoutAttrs {
        let mut found = LayoutAttrs::default();
        if self.attributes.words.is_empty() {
            return found;
        }
        for word in self.attributes.within(lo, hi).to_vec() {
            if skip.is_some_and(|s| word.before > s.lo && word.before <= s.hi) {
                continue;
            }
            match word.kind {
                AttrKind::Packed => found.packed = true,
                AttrKind::TransparentUnion => found.transparent = true,
                AttrKind::Aligned => found.align = found.align.max(self.aligned_value(word)),
                AttrKind::Mode | AttrKind::VectorSize => {}
            }
        }
        found
    }

    /// Layout attributes in declaration specifiers, which apply to every declarator.
    pub(super) fn specs_attrs(&mut self, id: ast::SpecsId) -> LayoutAttrs {
        if self.attributes.words.is_empty() {
            return LayoutAttrs::default();
        }
        let ast = self.ast;
        let specs = &ast[id];
        let body = specs.types.iter().find_map(|t| match *t {
            ast::TypeSpec::Record(r) => ast[r].members.is_some().then(|| ast[r].span),
            ast::TypeSpec::Enum(e) => ast[e].items.is_some().then(|| ast[e].span),
            _ => None,
        });
        self.layout_attrs(specs.span.lo, specs.span.hi, body)
    }

    /// Layout attributes of one declarator, which ends before token `hi`.
    pub(super) fn declarator_attrs(&mut self, id: ast::DeclaratorId, hi: u32) -> LayoutAttrs {
        let lo = self.ast[id].span.lo;
        self.layout_attrs(lo + 1, hi, None)
    }

    fn aligned_value(&mut self, word: Word) -> Option<u64> {
        if word.args == (0, 0) {
            return Some(BIGGEST_ALIGNMENT);
        }
        let n = self.attr_number(word)?;
        let value = u64::try_from(n).ok().filter(|n| n.is_power_of_two());
        if value.is_none() {
            let message = format!("{n} is not an alignment: it must be a positive power of two");
            self.bad_attribute(word, message, "write a power of two, for example 16");
        }
        value
    }

    /// The value of an attribute's only argument.
    fn attr_number(&mut self, word: Word) -> Option<i128> {
        let (start, end) = (word.args.0 as usize, word.args.1 as usize);
        let text = self.parsed.stream.text[start..end].trim();
        if let Ok(n) = text.parse() {
            return Some(n);
        }
        let arg = word.expr?;
        self.folded(arg, "the argument of the attribute")
    }

    /// Applies `mode` and `vector_size` in declaration specifiers.
    pub(super) fn attributed_base(&mut self, base: QualType, specs: Span) -> QualType {
        self.retyped(base, specs.lo, specs.hi, &[])
    }

    /// Applies `mode` and `vector_size` after a declarator that ends before token `end.hi`: they change the base type.
    pub(super) fn attributed_declarator_base(
        &mut self,
        base: QualType,
        id: ast::DeclaratorId,
        end: Span,
    ) -> QualType {
        let ast = self.ast;
        self.retyped(base, ast[id].span.lo + 1, end.hi, &ast[id].derived)
    }

    fn retyped(&mut self, base: QualType, lo: u32, hi: u32, derived: &[ast::Derived]) -> QualType {
        if self.attributes.words.is_empty() {
            return base;
        }
        let in_params = |at: u32| {
            derived.iter().any(|d| match d {
                ast::Derived::Function { span, .. } => at > span.lo && at < span.hi,
                ast::Derived::Pointer(_) | ast::Derived::Array { .. } => false,
            })
        };
        let mut ty = base;
        for word in self.attributes.within(lo, hi).to_vec() {
            let new = match word.kind {
                _ if in_params(word.before) => None,
                AttrKind::Mode => self.moded(ty, word),
                AttrKind::VectorSize => self.vector(ty, word),
                AttrKind::Packed | AttrKind::Aligned | AttrKind::TransparentUnion => None,
            };
            if let Some(new) = new {
                let old = self.types.resolve(ty);
                ty = QualType { ty: new, ..old };
            }
        }
        ty
    }

    fn vector(&mut self, base: QualType, word: Word) -> Option<TypeId> {
        let bytes = self.attr_number(word)?;
        let elem = self.types.canon_qt(base).ty;
        if !self.types.is_arithmetic(base) {
            return None;
        }
        let size = self.types.fixed_size(base)?;
        match u32::try_from(bytes) {
            Ok(n) if n > 0 && u64::from(n) % size == 0 => {
                Some(self.types.intern(Type::Vector(elem, n)))
            }
            _ => {
                let message =
                    format!("vector size {bytes} is not a multiple of the element's {size}");
                self.bad_attribute(word, message, "use a multiple of the element's size");
                None
            }
        }
    }
}

impl Context<'_> {
    /// Reports the argument of an attribute.
    fn bad_attribute(&mut self, word: Word, message: String, help: &str) {
        let (lo, hi) = (word.before, word.before + 1);
        self.error(codes::BAD_ATTRIBUTE, Span { lo, hi }, message, help);
    }

    fn moded(&mut self, base: QualType, word: Word) -> Option<TypeId> {
        let text = &self.parsed.stream.text[word.args.0 as usize..word.args.1 as usize];
        let mode = text.trim().trim_matches('_');
        if let Some(rest) = mode.strip_prefix('V')
            && let Some(digits) = rest.find(|c: char| !c.is_ascii_digit())
        {
            let count: u32 = rest[..digits].parse().ok()?;
            let elem = machine_mode(&rest[digits..], self.types.int_kind_of(base))?;
            let size = self.types.fixed_size(QualType::plain(elem))?;
            return Some(self.types.intern(Type::Vector(elem, size as u32 * count)));
        }
        if let Some(&(_, kind)) = COMPLEX_MODES.iter().find(|(n, _)| *n == mode) {
            return Some(self.types.intern(Type::Complex(kind)));
        }
        machine_mode(mode, self.types.int_kind_of(base))
    }
}

const COMPLEX_MODES: [(&str, FloatKind); 4] = [
    ("SC", FloatKind::Float),
    ("DC", FloatKind::Double),
    ("XC", FloatKind::LongDouble),
    ("TC", FloatKind::Float128),
];

/// The type of a machine mode (GNU `mode`), with the signedness of `base`.
fn machine_mode(mode: &str, base: Option<IntKind>) -> Option<TypeId> {
    let int = match mode {
        "QI" | "byte" => IntKind::SChar,
        "HI" => IntKind::Short,
        "SI" => IntKind::Int,
        "DI" | "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
            IntKind::Long
        }
        "TI" => IntKind::Int128,
        "HF" => return Some(Types::float_kind(FloatKind::Float16)),
        "SF" => return Some(Types::float_kind(FloatKind::Float)),
        "DF" => return Some(Types::DOUBLE),
        "XF" => return Some(Types::float_kind(FloatKind::LongDouble)),
        "TF" => return Some(Types::float_kind(FloatKind::Float128)),
        _ => return None,
    };
    let signed = base.is_none_or(IntKind::is_signed);
    Some(Types::int_kind(if signed {
        int
    } else {
        int.to_unsigned()
    }))
}

/// True for a definition that another may replace: GNU `extern inline`.
pub(super) fn may_be_replaced(storage: u16) -> bool {
    has(storage, storage::INLINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        scan_attribute(text, 0, text.len() as u32, |name, args| {
            found.push((
                text[name].to_string(),
                text[args.0 as usize..args.1 as usize].to_string(),
            ));
        });
        found
    }

    #[test]
    fn attributes_are_distinguished() {
        let own = |s: &str| s.to_string();
        assert_eq!(
            words("__attribute__ ((__packed__, aligned (4), section(\"a)b\"), const))"),
            [
                (own("__packed__"), own("")),
                (own("aligned"), own("4")),
                (own("section"), own("\"a)b\"")),
                (own("const"), own("")),
            ]
        );
        assert_eq!(words("[[gnu::packed]]").last().unwrap().0, "packed");
        assert_eq!(words("__attribute__(("), []);
    }

    #[test]
    fn pack_pragmas() {
        assert!(matches!(
            pack_op("(push, 1)"),
            Some(PackOp::Push {
                id: None,
                value: Some(1)
            })
        ));
        assert!(matches!(pack_op("()"), Some(PackOp::Reset)));
        assert!(matches!(pack_op("( 4 )"), Some(PackOp::Set(4))));
        assert!(matches!(
            pack_op("(pop, name)"),
            Some(PackOp::Pop {
                id: Some(_),
                value: None
            })
        ));
        assert!(pack_op("show").is_none());
    }
}
