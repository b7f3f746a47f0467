//! Reads attributes that change types or layout, and `#pragma pack`. Of all other attributes it checks only the form:
//! `table` lists them, `arguments` and `positions` check them, `scan` finds them in the text; `modes` has the machine
//! modes.

use super::specs::has;
use super::*;
use crate::diag::codes;
use crate::types::{Type, TypeId};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use upcc_grammar::ast::storage;
use upcc_grammar::parse_attr_args;

mod arguments;
mod modes;
mod positions;
mod scan;
mod table;

pub(super) use arguments::Subject;
pub use positions::Positions;
use scan::scan_attribute;
pub use table::{ANY_NUMBER, Argument, Places, ROWS, Row};

/// The attributes that sema reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttrKind {
    Packed,
    Aligned,
    Mode,
    VectorSize,
    TransparentUnion,
}

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
    /// There are none before the tokens between these two.
    gap: Cell<(u32, u32)>,
    suspects: arguments::Suspects,
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
    /// Collects the attributes and pragmas. Arguments that are expressions are parsed into the AST. `abi` has the
    /// initial limit of `#pragma pack`.
    pub(super) fn read(parsed: &mut Parsed, abi: Abi) -> Attributes {
        let mut words: Vec<(usize, Word)> = Vec::new();
        let text = &parsed.stream.text;
        let mut suspects = arguments::Suspects::new(text);
        // Texts in which there was nothing to remember. A header repeats a few of them all the time.
        let (mut plain, mut next) = ([""; 8], 0);
        for (at, attr) in parsed.stream.attrs.iter().enumerate() {
            let whole = &text[attr.start as usize..attr.end as usize];
            if plain.contains(&whole) {
                continue;
            }
            let known = (words.len(), suspects.len());
            // The rules for attributes in brackets are those of C23.
            let gnu = whole.starts_with('_');
            scan_attribute(text, attr.start, attr.end, |name, args| {
                let row = table::find(&text[name.clone()]);
                // The C compilers ignore attributes of other processors.
                let Some(row) = row.filter(|row| abi.x86 || !row.x86) else {
                    return;
                };
                let before = attr.before;
                let right = !gnu || suspects.examine(text, before, row, name, args);
                if let Some(kind) = row.reads.filter(|_| right) {
                    let expr = None;
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
            if (words.len(), suspects.len()) == known {
                plain[next] = whole;
                next = (next + 1) % plain.len();
            }
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
            gap: Cell::default(),
            suspects,
            pack_ops: pack_ops.collect(),
            pack_done: 0,
            pack: abi.pack,
            own_pack: abi.pack,
            pack_stack: Vec::new(),
        }
    }

    /// The attributes before one of the tokens `lo..=hi`.
    fn within(&self, lo: u32, hi: u32) -> &[Word] {
        let (after, before) = self.gap.get();
        if after < lo && hi < before {
            return &[];
        }
        let from = self.words.partition_point(|w| w.before < lo);
        let rest = &self.words[from..];
        let found = &rest[..rest.partition_point(|w| w.before <= hi)];
        if found.is_empty() {
            let last = from.checked_sub(1).map_or(0, |at| self.words[at].before);
            let next = rest.first().map_or(u32::MAX, |w| w.before);
            self.gap.set((last, next));
        }
        found
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
    table::find(name)?.reads
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

/// Tells of a token in declaration specifiers whether an attribute in front of it belongs to their struct, union or
/// enum specifier: it stands in it, or follows the brace.
fn in_tag(ast: &Ast, specs: &ast::Specs) -> impl Fn(u32) -> bool + use<> {
    let tag = specs.types.iter().find_map(|t| match *t {
        ast::TypeSpec::Record(r) => Some((ast[r].span, ast[r].members.is_some())),
        ast::TypeSpec::Enum(e) => Some((ast[e].span, ast[e].items.is_some())),
        _ => None,
    });
    move |at| {
        tag.is_some_and(|(span, defined)| {
            at > span.lo && (at < span.hi || defined && at == span.hi)
        })
    }
}

/// Tells of a token in a declarator whether an attribute in front of it stands among the parameters or in an array's
/// brackets.
fn in_brackets(declarator: &ast::Declarator) -> impl Fn(u32) -> bool + use<'_> {
    |at| {
        declarator.derived.iter().any(|d| match d {
            ast::Derived::Function { span, .. } | ast::Derived::Array { span, .. } => {
                at > span.lo && at < span.hi
            }
            ast::Derived::Pointer(_) => false,
        })
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

    /// Layout attributes before one of the tokens `lo..=hi`.
    pub(super) fn layout_attrs(&mut self, lo: u32, hi: u32) -> LayoutAttrs {
        self.layout_attrs_without(lo, hi, |_| false)
    }

    /// Layout attributes before one of the tokens `lo..=hi`, except those before tokens that `skip` excludes.
    fn layout_attrs_without(
        &mut self,
        lo: u32,
        hi: u32,
        skip: impl Fn(u32) -> bool,
    ) -> LayoutAttrs {
        let mut found = LayoutAttrs::default();
        if self.attributes.words.is_empty() {
            return found;
        }
        for word in self.attributes.within(lo, hi).to_vec() {
            if skip(word.before) {
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
        self.layout_attrs_without(specs.span.lo, specs.span.hi, in_tag(ast, specs))
    }

    /// Layout attributes of one declarator, which ends before token `hi`.
    pub(super) fn declarator_attrs(&mut self, id: ast::DeclaratorId, hi: u32) -> LayoutAttrs {
        let ast = self.ast;
        let lo = ast[id].span.lo + 1;
        self.layout_attrs_without(lo, hi, in_brackets(&ast[id]))
    }

    fn aligned_value(&mut self, word: Word) -> Option<u64> {
        if word.args == (0, 0) {
            return Some(BIGGEST_ALIGNMENT);
        }
        let n = self.attr_number(word)?;
        let value = u64::try_from(n).ok().filter(|n| n.is_power_of_two());
        // gcc only warns of an alignment of 0.
        if value.is_none() && !(n == 0 && self.attributes.suspects.gcc()) {
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
    pub(super) fn attributed_base(&mut self, base: QualType, specs: &ast::Specs) -> QualType {
        let (lo, hi) = (specs.span.lo, specs.span.hi);
        self.retyped(base, lo, hi, in_tag(self.ast, specs), false)
    }

    /// Applies `mode` and `vector_size` after a declarator that ends before token `end.hi`: they change the base type.
    pub(super) fn attributed_declarator_base(
        &mut self,
        base: QualType,
        id: ast::DeclaratorId,
        end: Span,
    ) -> QualType {
        let ast = self.ast;
        let lo = ast[id].span.lo + 1;
        let own = ast[id].derived.is_empty();
        self.retyped(base, lo, end.hi, in_brackets(&ast[id]), own)
    }

    /// Applies `mode` and `vector_size`. `own`: they stand on something of this type, and on nothing derived from it.
    fn retyped(
        &mut self,
        base: QualType,
        lo: u32,
        hi: u32,
        skip: impl Fn(u32) -> bool,
        own: bool,
    ) -> QualType {
        if self.attributes.words.is_empty() {
            return base;
        }
        let mut ty = base;
        for word in self.attributes.within(lo, hi).to_vec() {
            let new = match word.kind {
                _ if skip(word.before) => None,
                AttrKind::Mode if own && self.unfit_mode(ty, word) => None,
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
        let boolean = elem == Types::BOOL;
        if self.types.is_record(base) || self.types.is_void(base) || boolean {
            let message = format!(
                "`{}` is no type for the elements of a vector",
                self.show(base)
            );
            self.bad_attribute(word, message, "use an integer or floating type");
            return None;
        }
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
}

/// True for a definition that another may replace: GNU `extern inline`.
pub(super) fn may_be_replaced(storage: u16) -> bool {
    has(storage, storage::INLINE)
}

#[cfg(test)]
mod tests {
    use super::*;

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
