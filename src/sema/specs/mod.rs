//! Declaration specifiers: type, qualifiers and storage class.

use super::record::token_span;
use super::*;
use crate::diag::{Certainty, Edit, Help, codes};
use crate::types::{FloatKind, IntKind, Quals, Type, TypeId};
use upcc_grammar::ast::{BasicType, SpecsId, TypeSpec, qual, storage};
use upcc_grammar::token::TokenKind;

mod declarator;
mod layout;

pub(super) use declarator::{Declared, ParamName};

/// The contents of declaration specifiers.
pub(super) struct DeclSpecs {
    /// The type, with the specifiers' qualifiers. `[*]` is still a placeholder.
    pub base: QualType,
    /// Bits of `ast::storage`.
    pub storage: u16,
    /// `__auto_type`: the type comes from the initialiser.
    pub auto_type: bool,
    /// `typeof (expression)` gives the type.
    pub from_typeof: bool,
    /// Alignment by `_Alignas`, in bytes; `None` also for `_Alignas (0)`, which has no effect.
    pub align: Option<u64>,
    /// `_Alignas` with any valid operand, 0 included.
    pub alignas: bool,
    pub span: Span,
}

/// The largest alignment that gcc supports.
const MAX_ALIGNMENT: u64 = 1 << 28;

impl<'a> Sema<'a> {
    /// Returns the type that a type name denotes.
    pub fn type_name(&mut self, id: ast::TypeNameId) -> QualType {
        let (ty, specs) = self.type_name_and_specs(id);
        self.no_alignas(&specs, "a type name");
        ty
    }

    /// Returns the type of the type name of a compound literal, which is an object and may therefore be aligned.
    pub(super) fn literal_type_name(&mut self, id: ast::TypeNameId) -> QualType {
        let (ty, specs) = self.type_name_and_specs(id);
        self.check_alignas(&specs, ty);
        ty
    }

    fn type_name_and_specs(&mut self, id: ast::TypeNameId) -> (QualType, DeclSpecs) {
        let ast = self.ast;
        let name = &ast[id];
        let before = self.tags.len();
        let specs = self.specs(name.specs);
        let declared = self.declarator(name.declarator, specs.base);
        self.check_attributes_of_specs(name.specs, Places::TYPE);
        let end = self.ast[name.declarator].span.hi;
        self.check_attributes_of_declarator(name.declarator, end, Places::TYPE);
        // A type defined in an expression is printed before the statement, so the expression only names it.
        let defines = |tag: &il::TagDef| !matches!(tag, il::TagDef::ForwardRecord(_));
        self.touched |= self.tags.iter().skip(before).any(defines);
        self.touched |= self.types.has_shared(declared.ty);
        (self.settle_star(declared.ty, declared.span), specs)
    }

    /// Reads declaration specifiers, and defines the tags in them.
    pub(super) fn specs(&mut self, id: SpecsId) -> DeclSpecs {
        let ast = self.ast;
        let specs = &ast[id];
        let auto_type = specs.types.as_slice() == [TypeSpec::Basic(BasicType::Auto)];
        self.check_storage(specs);
        let bare = self.specified_type(specs);
        let bare = self.attributed_base(bare, specs);
        let base = self.qualified(bare, &specs.quals, specs.span);
        let (align, alignas) = self.alignas(&specs.aligns, specs.span);
        self.touched |= self.types.has_shared(base);
        DeclSpecs {
            base,
            storage: specs.storage,
            auto_type,
            from_typeof: matches!(specs.types[..], [TypeSpec::TypeofExpr(_)]),
            align,
            alignas,
            span: specs.span,
        }
    }

    fn specified_type(&mut self, specs: &'a ast::Specs) -> QualType {
        match specs.types.as_slice() {
            [] => {
                let help = self.write_int(specs.span);
                self.warn(
                    codes::IMPLICIT_INT,
                    specs.span,
                    "type defaults to `int`",
                    help,
                );
                QualType::plain(Types::INT)
            }
            &[one] => self.type_spec(one, specs.span),
            several => self.combined(several, specs.span),
        }
    }

    fn type_spec(&mut self, spec: TypeSpec, span: Span) -> QualType {
        match spec {
            TypeSpec::Basic(basic) => QualType::plain(self.basic_types(&[spec], basic, span)),
            TypeSpec::Record(id) => QualType::plain(self.record_spec(id)),
            TypeSpec::Enum(id) => QualType::plain(self.enum_spec(id)),
            TypeSpec::Name(symbol, token) => self.named_type(symbol, token),
            TypeSpec::TypeofExpr(e) => deep(|| self.typeof_expr(e)),
            TypeSpec::TypeofType(name) => deep(|| self.type_name(name)),
            TypeSpec::Atomic(name) => {
                let ty = self.type_name(name);
                let quals = self.types.resolve(ty).quals;
                let at = self.ast[name].span;
                if !self.may_be_atomic(ty, at) {
                    return ty;
                }
                if quals != Quals::NONE {
                    let message = format!(
                        "`_Atomic()` cannot be applied to the qualified type `{}`",
                        self.show(ty)
                    );
                    let help = "write the qualifier outside the parentheses";
                    self.error(codes::BAD_ATOMIC, at, message, help);
                }
                self.types.qualify(ty, Quals::ATOMIC, 0)
            }
        }
    }

    /// The type of several type specifiers: only keywords, except for `_Complex` beside a typedef name (GNU).
    fn combined(&mut self, list: &[TypeSpec], span: Span) -> QualType {
        let first = list.iter().find_map(|s| match *s {
            TypeSpec::Basic(basic) => Some(basic),
            _ => None,
        });
        let other = list.iter().find(|s| !matches!(s, TypeSpec::Basic(_)));
        match (other, first) {
            (None, Some(first)) => QualType::plain(self.basic_types(list, first, span)),
            (Some(&other), Some(BasicType::Complex)) if list.len() == 2 => {
                let elem = self.type_spec(other, span);
                self.complex_of(elem)
                    .unwrap_or_else(|| self.bad_specifiers(span))
            }
            _ => self.bad_specifiers(span),
        }
    }

    /// The strictest of the operands of `_Alignas`, and whether any operand is valid; 0 is, but has no effect.
    fn alignas(&mut self, aligns: &[ast::AlignSpec], span: Span) -> (Option<u64>, bool) {
        let (mut strictest, mut valid) = (None, false);
        for &align in aligns {
            let value = match align {
                ast::AlignSpec::Type(name) => {
                    let ty = self.type_name(name);
                    if !self.types.is_complete(ty) && self.types.is_record(ty) {
                        let message = format!("alignment of incomplete type `{}`", self.show(ty));
                        let at = self.ast[name].span;
                        let help = "define the type first";
                        self.error(codes::BAD_SIZEOF, at, message, help);
                        continue;
                    }
                    i128::from(self.types.align_of(ty))
                }
                ast::AlignSpec::Expr(e) => {
                    let (value, touched) =
                        self.watching(|s| s.folded(e, "the operand of `_Alignas`"));
                    let Some(value) = value else { continue };
                    if let (true, Ok(bytes)) = (touched, u64::try_from(value)) {
                        let first = self.ast[e].span.lo;
                        self.alignments.insert(first, bytes);
                    }
                    value
                }
            };
            match u64::try_from(value) {
                Ok(0) => valid = true,
                Ok(n) if n.is_power_of_two() && n > MAX_ALIGNMENT => {
                    let message = format!("alignment {n}: at most {MAX_ALIGNMENT} is supported");
                    let help = "write a smaller power of two";
                    self.error(codes::BAD_ALIGNMENT, span, message, help);
                }
                Ok(n) if n.is_power_of_two() => {
                    (strictest, valid) = (strictest.max(Some(n)), true);
                }
                _ => {
                    let message =
                        format!("{value} is not an alignment: it must be a positive power of two");
                    self.error(
                        codes::BAD_ALIGNMENT,
                        span,
                        message,
                        "write a power of two, for example 16",
                    );
                }
            }
        }
        (strictest, valid)
    }

    /// Returns the value of an integer constant expression, and drops its nodes.
    pub(super) fn folded(&mut self, id: ast::ExprId, what: &str) -> Option<i128> {
        self.scratch(|s| s.const_int(id, what))
    }

    /// Runs `work`, then drops the nodes it has created.
    pub(super) fn scratch<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let mark = Mark::of(&self.body);
        let result = work(self);
        mark.rewind(&mut self.body);
        result
    }
}

impl SymbolTable<'_> {
    /// Declares the typedefs that gcc predefines.
    pub(super) fn predeclare(&mut self) {
        let char_pointer = self.types.pointer_to(QualType::plain(Types::CHAR));
        let names = [
            ("__int128_t", Types::int_kind(IntKind::Int128)),
            ("__uint128_t", Types::int_kind(IntKind::UInt128)),
            ("__builtin_ms_va_list", char_pointer),
            ("__builtin_sysv_va_list", Types::VA_LIST),
        ];
        for (name, target) in names {
            if let Some(name) = self.parsed.interner.get(name) {
                let (span, target) = (Span::default(), QualType::plain(target));
                let typedef = crate::types::Typedef {
                    name,
                    target,
                    span,
                    align: None,
                };
                let (id, _) = self.types.new_typedef(typedef);
                self.scopes.bind(name, Entity::Typedef(id), span);
            }
        }
    }

    fn named_type(&mut self, symbol: Symbol, token: u32) -> QualType {
        self.note_name(symbol, token, Role::Uses);
        if let Some(Entity::Typedef(id)) = self.lookup(symbol) {
            return QualType::plain(self.types.typedef_type(id));
        }
        let span = Span {
            lo: token,
            hi: token + 1,
        };
        if self.lookup(symbol) != Some(Entity::Reported) {
            let message = format!("unknown type name `{}`", self.name(symbol));
            let help = self.unknown_type_help(self.name(symbol), self.parsed.stream.bytes(span));
            self.error(codes::UNKNOWN_TYPE, span, message, help);
        }
        QualType::plain(Types::UNKNOWN)
    }
}

impl Context<'_> {
    /// The suggestion to write the type that specifiers lack: behind them, or in front of the declarator.
    fn write_int(&self, specs: Span) -> Help {
        let lo = specs.hi.max(specs.lo);
        let declarator = self.parsed.stream.bytes(Span { lo, hi: lo + 1 });
        let text = "int ".to_owned();
        let edit = Edit::Before {
            bytes: declarator,
            text,
        };
        Help::edit("write the type: `int`", edit, Certainty::Certain)
    }

    /// Checks that there is at most one storage class; `_Thread_local` combines with `static` and `extern` (C11
    /// 6.7.1p2).
    fn check_storage(&mut self, specs: &ast::Specs) {
        const CLASSES: [(TokenKind, u16); 5] = [
            (TokenKind::Typedef, storage::TYPEDEF),
            (TokenKind::Extern, storage::EXTERN),
            (TokenKind::Static, storage::STATIC),
            (TokenKind::Auto, storage::AUTO),
            (TokenKind::Register, storage::REGISTER),
        ];
        if let Some(token) = specs.repeated {
            let span = token_span(token);
            let message = format!("`{}` twice", self.parsed.stream.slice(span));
            self.error(codes::BAD_SPECIFIERS, span, message, "remove one");
        }
        let all = CLASSES.iter().fold(0, |all, (_, bit)| all | bit);
        if (specs.storage & all).count_ones() < 2 {
            return;
        }
        let mut words = (specs.span.lo..specs.span.hi).filter(|&at| {
            let kind = self.parsed.stream.tokens[at as usize].kind;
            CLASSES.iter().any(|&(class, _)| class == kind)
        });
        if let (Some(first), Some(second)) = (words.next(), words.next()) {
            let spelled = |at| self.parsed.stream.token_text(at).to_owned();
            let message = format!(
                "`{}` and `{}` in one declaration",
                spelled(first),
                spelled(second)
            );
            let (first, second) = (token_span(first), token_span(second));
            let code = codes::BAD_SPECIFIERS;
            self.error_with_note(
                code,
                second,
                message,
                first,
                "the first is here",
                "keep one",
            );
        }
    }

    fn bad_specifiers(&mut self, span: Span) -> QualType {
        let message = "these type specifiers cannot be combined";
        self.error(
            codes::BAD_SPECIFIERS,
            span,
            message,
            "is a `;` or a type name missing before this?",
        );
        QualType::plain(Types::UNKNOWN)
    }

    /// The complex type over an arithmetic type.
    fn complex_of(&mut self, elem: QualType) -> Option<QualType> {
        let ty = match *self.types.kind(elem) {
            Type::Float(kind) => Type::Complex(kind),
            Type::Int(kind) => Type::ComplexInt(kind),
            _ => return None,
        };
        Some(QualType::plain(self.types.intern(ty)))
    }

    /// The type of a list of keywords, in any order.
    fn basic_types(&mut self, list: &[TypeSpec], first: BasicType, span: Span) -> TypeId {
        if let [_] = list
            && let Some(ty) = single(first)
        {
            return ty;
        }
        let mut words = Words::default();
        for spec in list {
            if let TypeSpec::Basic(basic) = *spec {
                words.add(basic);
            }
        }
        let complex = words.take(COMPLEX);
        let found = words.lookup();
        match (found, complex) {
            (Some(ty), false) => ty,
            (Some(ty), true) => {
                self.complex_of(QualType::plain(ty))
                    .unwrap_or_else(|| self.bad_specifiers(span))
                    .ty
            }
            (None, true) if words == Words::default() => {
                self.types.intern(Type::Complex(FloatKind::Double))
            }
            (None, _) => self.bad_specifiers(span).ty,
        }
    }

    /// Reports `_Alignas` where it is not allowed (C11 6.7.5p2); `what` names the entity it would align.
    pub(super) fn no_alignas(&mut self, specs: &DeclSpecs, what: &str) {
        if specs.alignas {
            let message = format!("`_Alignas` cannot be applied to {what}");
            let help = "only objects and members can have an alignment of their own: remove it";
            self.error(codes::BAD_ALIGNMENT, specs.span, message, help);
        }
    }

    /// Reports an `_Alignas` that would lower the alignment of a type (C11 6.7.5p4).
    pub(super) fn check_alignas(&mut self, specs: &DeclSpecs, ty: QualType) {
        let natural = self.types.align_of(ty);
        if let Some(align) = specs.align
            && align < natural
        {
            let message = format!(
                "alignment {align} is weaker than that of `{}`, which is {natural}",
                self.show(ty)
            );
            let help = "only a packed structure can lower an alignment";
            self.error(codes::BAD_ALIGNMENT, specs.span, message, help);
        }
    }
}

/// Lengths of the arenas, to which they can be rewound.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    exprs: usize,
    stmts: usize,
    locals: usize,
    inits: usize,
    lists: usize,
    vlas: usize,
    lengths: usize,
    roles: usize,
}

impl Mark {
    pub(super) fn of(body: &il::Body) -> Mark {
        Mark {
            exprs: body.exprs.len(),
            stmts: body.stmts.len(),
            locals: body.locals.len(),
            inits: body.inits.len(),
            lists: body.lists.len(),
            vlas: body.vlas.len(),
            lengths: body.lengths.len(),
            roles: body.roles.len(),
        }
    }

    pub(super) fn rewind(self, body: &mut il::Body) {
        body.exprs.truncate(self.exprs);
        body.stmts.truncate(self.stmts);
        body.locals.truncate(self.locals);
        body.inits.truncate(self.inits);
        body.lists.truncate(self.lists);
        body.vlas.truncate(self.vlas);
        body.lengths.truncate(self.lengths);
        body.roles.truncate(self.roles);
    }
}

/// The type of a keyword that stands alone; `None` if it needs further checks.
fn single(basic: BasicType) -> Option<TypeId> {
    Some(match basic {
        BasicType::Void => Types::VOID,
        BasicType::VaList => Types::VA_LIST,
        BasicType::Bool => Types::BOOL,
        BasicType::Char => Types::CHAR,
        BasicType::Short => Types::int_kind(IntKind::Short),
        BasicType::Int | BasicType::Signed => Types::INT,
        BasicType::Unsigned => Types::UINT,
        BasicType::Long => Types::LONG,
        BasicType::Int128 => Types::int_kind(IntKind::Int128),
        BasicType::Float => Types::float_kind(FloatKind::Float),
        BasicType::Double => Types::DOUBLE,
        BasicType::Float16 => Types::float_kind(FloatKind::Float16),
        BasicType::Float32 => Types::float_kind(FloatKind::Float32),
        BasicType::Float64 => Types::float_kind(FloatKind::Float64),
        BasicType::Float128 => Types::float_kind(FloatKind::Float128),
        BasicType::Float32x => Types::float_kind(FloatKind::Float32x),
        BasicType::Float64x => Types::float_kind(FloatKind::Float64x),
        BasicType::Float80 => Types::float_kind(FloatKind::LongDouble),
        BasicType::Decimal32 => Types::float_kind(FloatKind::Decimal32),
        BasicType::Decimal64 => Types::float_kind(FloatKind::Decimal64),
        BasicType::Decimal128 => Types::float_kind(FloatKind::Decimal128),
        BasicType::Auto => Types::UNKNOWN,
        BasicType::Complex | BasicType::Imaginary => return None,
    })
}

/// The counted keywords of a type.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Words {
    bits: u16,
    longs: u8,
    /// A keyword that combines only with `_Complex`.
    alone: Option<TypeId>,
    twice: bool,
}

const CHAR: u16 = 1;
const SHORT: u16 = 2;
const INT: u16 = 4;
const SIGNED: u16 = 8;
const UNSIGNED: u16 = 16;
const DOUBLE: u16 = 32;
const COMPLEX: u16 = 64;
const INT128: u16 = 128;

/// The valid combinations (C11 6.7.2p2): bits, number of `long`, type. `int` beside another keyword and redundant
/// `signed` have been removed before.
const COMBINATIONS: &[(u16, u8, TypeId)] = &[
    (CHAR, 0, Types::CHAR),
    (SIGNED | CHAR, 0, Types::int_kind(IntKind::SChar)),
    (UNSIGNED | CHAR, 0, Types::int_kind(IntKind::UChar)),
    (SHORT, 0, Types::int_kind(IntKind::Short)),
    (UNSIGNED | SHORT, 0, Types::int_kind(IntKind::UShort)),
    (INT, 0, Types::INT),
    (UNSIGNED, 0, Types::UINT),
    (0, 1, Types::LONG),
    (UNSIGNED, 1, Types::int_kind(IntKind::ULong)),
    (0, 2, Types::int_kind(IntKind::LongLong)),
    (UNSIGNED, 2, Types::int_kind(IntKind::ULongLong)),
    (INT128, 0, Types::int_kind(IntKind::Int128)),
    (UNSIGNED | INT128, 0, Types::int_kind(IntKind::UInt128)),
    (DOUBLE, 0, Types::DOUBLE),
    (DOUBLE, 1, Types::float_kind(FloatKind::LongDouble)),
];

impl Words {
    fn add(&mut self, basic: BasicType) {
        let bit = match basic {
            BasicType::Long => {
                self.longs = self.longs.saturating_add(1);
                return;
            }
            BasicType::Char => CHAR,
            BasicType::Short => SHORT,
            BasicType::Int => INT,
            BasicType::Signed => SIGNED,
            BasicType::Unsigned => UNSIGNED,
            BasicType::Double => DOUBLE,
            BasicType::Complex => COMPLEX,
            BasicType::Int128 => INT128,
            other => {
                self.twice |= self.alone.is_some();
                self.alone = single(other).or(Some(Types::UNKNOWN));
                return;
            }
        };
        self.twice |= self.bits & bit != 0;
        self.bits |= bit;
    }

    /// Removes a keyword. Returns whether it was present.
    fn take(&mut self, bit: u16) -> bool {
        let was = self.bits & bit != 0;
        self.bits &= !bit;
        was
    }

    fn lookup(mut self) -> Option<TypeId> {
        if self.twice {
            return None;
        }
        if let Some(ty) = self.alone {
            return (self.bits == 0 && self.longs == 0).then_some(ty);
        }
        if self.bits & SIGNED != 0 && self.bits & (CHAR | UNSIGNED | DOUBLE) == 0 {
            self.bits &= !SIGNED;
            if self.bits == 0 && self.longs == 0 {
                self.bits = INT;
            }
        }
        if self.bits & INT != 0
            && self.bits & !(INT | CHAR | DOUBLE | INT128) | u16::from(self.longs) != 0
            && self.bits & (CHAR | DOUBLE | INT128) == 0
        {
            self.bits &= !INT;
        }
        COMBINATIONS
            .iter()
            .find(|&&(bits, longs, _)| bits == self.bits && longs == self.longs)
            .map(|&(_, _, ty)| ty)
    }
}

/// True if the specifiers have the storage class.
pub(super) fn has(storage: u16, class: u16) -> bool {
    storage & class != 0
}

/// Converts the qualifier bits of an AST list to those of types.
fn quals_of(quals: &ast::Quals) -> Quals {
    // Both modules guarantee the same bits.
    Quals((quals.bits & 0x7f) as u8)
}

const _: () = assert!(
    qual::RELAXED == 64 && Quals::RELAXED.0 == 64 && qual::SHARED == 16 && Quals::SHARED.0 == 16
);
const _: () = assert!(storage::NORETURN == 128);
