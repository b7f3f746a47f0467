//! The interning table: one [`TypeId`] for each distinct type, with its canonical form.

use super::*;
use crate::ids::TiVec;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// All types of a translation unit.
pub struct Types {
    pub(super) types: TiVec<TypeId, Type>,
    /// Canonical form of each type: no typedef at any depth, parameters and results unqualified.
    pub(super) canon: TiVec<TypeId, QualType>,
    /// Whether the type mentions `shared` below its own qualifiers.
    pub(super) mentions_shared: TiVec<TypeId, bool>,
    pub(super) facts: TiVec<TypeId, Facts>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    pub records: TiVec<RecordId, Record>,
    pub enums: TiVec<EnumId, Enum>,
    pub typedefs: TiVec<TypedefId, Typedef>,
    /// Number of the next variable length array type.
    next_vla: u32,
    /// Size of a pointer-to-shared: 8, or 16 with `-DUPCR_PTS_STRUCT`.
    pub pts_bytes: u64,
    /// The effects of C compiler flags.
    pub abi: Abi,
}

/// Properties of a type that are queried often. Chains of typedefs and arrays of arrays are followed once, when the
/// type is interned.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// The type below the typedefs at its top.
    resolved: QualType,
    /// The ultimate element type.
    ultimate: QualType,
    /// The type below its arrays, and below typedefs that have no alignment of their own.
    pub(super) aligned_as: TypeId,
    pub(super) extent: Extent,
    /// A variable length array is part of the type, at array level or behind pointers.
    pub(super) variably_modified: bool,
}

/// All dimensions of an array of arrays together; for a type that is not an array, one element.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Number of ultimate elements, saturated: to be multiplied by THREADS if `per_thread`; the product of the constant
    /// dimensions if `variable`.
    pub(super) count: u64,
    pub(super) per_thread: bool,
    pub(super) variable: bool,
    pub(super) incomplete: bool,
}

impl Extent {
    const ONE: Extent = Extent {
        count: 1,
        per_thread: false,
        variable: false,
        incomplete: false,
    };

    fn times(mut self, len: ArrayLen) -> Extent {
        match len {
            ArrayLen::Fixed(n) => self.count = self.count.saturating_mul(n),
            ArrayLen::PerThread(n) => {
                (self.count, self.per_thread) = (self.count.saturating_mul(n), true);
            }
            ArrayLen::Variable(_) => self.variable = true,
            ArrayLen::Incomplete => self.incomplete = true,
        }
        self
    }
}

impl Default for Types {
    fn default() -> Self {
        Types::new(Abi::default())
    }
}

const INT_KINDS: [IntKind; 14] = [
    IntKind::Bool,
    IntKind::Char,
    IntKind::SChar,
    IntKind::UChar,
    IntKind::Short,
    IntKind::UShort,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LongLong,
    IntKind::ULongLong,
    IntKind::Int128,
    IntKind::UInt128,
];
const FLOAT_KINDS: [FloatKind; 12] = [
    FloatKind::Float16,
    FloatKind::Float,
    FloatKind::Double,
    FloatKind::LongDouble,
    FloatKind::Float32,
    FloatKind::Float64,
    FloatKind::Float128,
    FloatKind::Float32x,
    FloatKind::Float64x,
    FloatKind::Decimal32,
    FloatKind::Decimal64,
    FloatKind::Decimal128,
];
const FIRST_INT: u32 = 3;
const FIRST_FLOAT: u32 = FIRST_INT + INT_KINDS.len() as u32;

/// Ids of the types that every unit has, in the order in which [`Types::new`] interns them.
impl Types {
    pub const VOID: TypeId = TypeId(0);
    pub const UNKNOWN: TypeId = TypeId(1);
    pub const VA_LIST: TypeId = TypeId(2);
    pub const BOOL: TypeId = Types::int_kind(IntKind::Bool);
    pub const CHAR: TypeId = Types::int_kind(IntKind::Char);
    pub const INT: TypeId = Types::int_kind(IntKind::Int);
    pub const UINT: TypeId = Types::int_kind(IntKind::UInt);
    pub const LONG: TypeId = Types::int_kind(IntKind::Long);
    /// `size_t` of the target.
    pub const SIZE_T: TypeId = Types::int_kind(IntKind::ULong);
    /// `ptrdiff_t` of the target.
    pub const PTRDIFF_T: TypeId = Types::int_kind(IntKind::Long);
    pub const DOUBLE: TypeId = Types::float_kind(FloatKind::Double);

    /// Returns the id of an integer type.
    pub const fn int_kind(kind: IntKind) -> TypeId {
        let place = match kind {
            IntKind::UnsignedPlainChar => IntKind::Char,
            kind => kind,
        };
        TypeId(FIRST_INT + place as u32)
    }

    /// Returns the id of a floating type.
    pub const fn float_kind(kind: FloatKind) -> TypeId {
        TypeId(FIRST_FLOAT + kind as u32)
    }

    /// Creates a table with the basic types.
    pub fn new(abi: Abi) -> Types {
        let mut t = Types {
            types: TiVec::with_capacity(4096),
            canon: TiVec::with_capacity(4096),
            mentions_shared: TiVec::with_capacity(4096),
            facts: TiVec::with_capacity(4096),
            table: HashTable::with_capacity(4096),
            hasher: DefaultHashBuilder::default(),
            records: TiVec::new(),
            enums: TiVec::new(),
            typedefs: TiVec::new(),
            next_vla: 0,
            pts_bytes: 8,
            abi,
        };
        t.intern(Type::Void);
        t.intern(Type::Unknown);
        t.intern(Type::VaList);
        for kind in INT_KINDS {
            let kind = match kind {
                IntKind::Char if abi.unsigned_char => IntKind::UnsignedPlainChar,
                kind => kind,
            };
            t.intern(Type::Int(kind));
        }
        for kind in FLOAT_KINDS {
            t.intern(Type::Float(kind));
        }
        debug_assert!(t.get(Types::int_kind(IntKind::UInt128)) == &Type::Int(IntKind::UInt128));
        debug_assert!(
            t.get(Types::float_kind(FloatKind::Decimal128)) == &Type::Float(FloatKind::Decimal128)
        );
        t
    }

    /// Returns the id of a type, and creates it on first use.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        let hash = self.hasher.hash_one(&ty);
        if let Some(&found) = self.table.find(hash, |&i| self.types[TypeId(i)] == ty) {
            return TypeId(found);
        }
        let id = self.types.next_key();
        let mentions = self.below(&ty);
        // Reserve the slot before interning the canonical form, which may be this very type.
        let form = self.canonical_form(&ty);
        self.types.push(ty);
        self.canon.push(QualType::plain(id));
        self.mentions_shared.push(mentions);
        self.facts.push(self.facts_of(id));
        let Types {
            table,
            types,
            hasher,
            ..
        } = self;
        table.insert_unique(hash, id.0, |&i| hasher.hash_one(&types[TypeId(i)]));
        self.canon[id] = match form {
            Canonical::Itself => QualType::plain(id),
            Canonical::Of(qt) => qt,
            Canonical::Type(ty) => QualType::plain(self.intern(ty)),
        };
        id
    }

    fn facts_of(&self, id: TypeId) -> Facts {
        let itself = QualType::plain(id);
        let known = |qt: QualType| self.facts[qt.ty];
        let other = Facts {
            resolved: itself,
            ultimate: itself,
            aligned_as: id,
            extent: Extent::ONE,
            variably_modified: false,
        };
        match *self.get(id) {
            Type::Typedef(typedef) => {
                let typedef = self.typedef(typedef);
                let target = typedef.target;
                Facts {
                    resolved: self.resolve(target),
                    ultimate: self.ultimate(target),
                    aligned_as: typedef.align.map_or(known(target).aligned_as, |_| id),
                    ..known(target)
                }
            }
            Type::Array(elem, len) => Facts {
                ultimate: self.ultimate(elem),
                aligned_as: known(elem).aligned_as,
                extent: known(elem).extent.times(len),
                variably_modified: matches!(len, ArrayLen::Variable(_))
                    || known(elem).variably_modified,
                ..other
            },
            Type::Pointer(to) => Facts {
                variably_modified: known(to).variably_modified,
                ..other
            },
            _ => other,
        }
    }

    /// Returns the type of an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Always false: the table contains the basic types.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Returns the canonical form of a type: types with equal canonical forms are the same type. A typedef may add
    /// qualifiers.
    pub fn canon(&self, id: TypeId) -> QualType {
        self.canon[id]
    }

    /// Returns the canonical form of a qualified type.
    pub fn canon_qt(&self, qt: QualType) -> QualType {
        merge(self.canon(qt.ty), qt)
    }

    /// Strips the typedefs at the top, and collects their qualifiers; sugar further down stays.
    pub fn resolve(&self, qt: QualType) -> QualType {
        merge(self.facts[qt.ty].resolved, qt)
    }

    /// Returns the ultimate element type, with arrays stripped (UPC 3.3). An array's own qualifiers are those of its
    /// element.
    pub fn ultimate(&self, qt: QualType) -> QualType {
        let facts = &self.facts[qt.ty];
        match self.get(facts.resolved.ty) {
            Type::Array(..) => facts.ultimate,
            _ => merge(facts.ultimate, qt),
        }
    }

    fn below(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(t) | Type::Array(t, _) => self.has_shared(*t),
            Type::Function(f) => {
                self.has_shared(f.ret) || f.params.iter().any(|&p| self.has_shared(p))
            }
            Type::Typedef(id) => self.has_shared(self.typedefs[*id].target),
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Enum(_)
            | Type::Record(_)
            | Type::Vector(..)
            | Type::VaList
            | Type::Unknown => false,
        }
    }

    fn canonical_form(&self, ty: &Type) -> Canonical {
        match ty {
            Type::Pointer(t) => Canonical::when(self.canon_qt(*t), *t, Type::Pointer),
            Type::Array(t, len) => Canonical::when(self.canon_qt(*t), *t, |t| Type::Array(t, *len)),
            Type::Vector(t, bytes) if self.canon(*t).ty != *t => {
                Canonical::Type(Type::Vector(self.canon(*t).ty, *bytes))
            }
            Type::Function(f) => {
                let bare = |t: QualType| {
                    let mut c = self.canon_qt(t);
                    c.quals = Quals(c.quals.0 & Quals::SHARED.0);
                    c
                };
                if bare(f.ret) == f.ret && f.params.iter().all(|&p| bare(p) == p) {
                    return Canonical::Itself;
                }
                let params = f.params.iter().map(|&p| bare(p)).collect();
                Canonical::Type(Type::Function(FuncType {
                    ret: bare(f.ret),
                    params,
                    ..*f
                }))
            }
            Type::Typedef(id) => Canonical::Of(self.canon_qt(self.typedefs[*id].target)),
            Type::Vector(..)
            | Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Enum(_)
            | Type::Record(_)
            | Type::VaList
            | Type::Unknown => Canonical::Itself,
        }
    }
}

/// The way to the canonical form of a new type.
enum Canonical {
    Itself,
    Of(QualType),
    Type(Type),
}

impl Canonical {
    fn when(canon: QualType, given: QualType, make: impl FnOnce(QualType) -> Type) -> Canonical {
        if canon == given {
            Canonical::Itself
        } else {
            Canonical::Type(make(canon))
        }
    }
}

/// The target of a typedef with the qualifiers of its use; the use's block size takes precedence (declarations are
/// checked for agreement).
fn merge(target: QualType, used: QualType) -> QualType {
    let block = if used.quals.has(Quals::SHARED) {
        used.block
    } else {
        target.block
    };
    QualType {
        ty: target.ty,
        quals: target.quals.with(used.quals),
        block,
    }
}

/// Constructors of types.
impl Types {
    /// Returns the pointer to `to`.
    pub fn pointer_to(&mut self, to: QualType) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// Returns the array of `elem`.
    pub fn array_of(&mut self, elem: QualType, len: ArrayLen) -> TypeId {
        self.intern(Type::Array(elem, len))
    }

    /// Creates a variable length array type, distinct from every other. Also returns its number.
    pub fn variable_array(&mut self, elem: QualType) -> (TypeId, u32) {
        let number = self.next_vla;
        self.next_vla += 1;
        (self.array_of(elem, ArrayLen::Variable(number)), number)
    }

    /// Creates a new record without a body.
    pub fn new_record(
        &mut self,
        is_union: bool,
        tag: Option<Symbol>,
        span: upcc_grammar::ast::Span,
    ) -> RecordId {
        self.records.push(Record {
            is_union,
            tag,
            anon_name: None,
            prototype: false,
            body: None,
            span,
        });
        RecordId(self.records.len() as u32 - 1)
    }

    /// Creates a new enumeration without a body.
    pub fn new_enum(&mut self, tag: Option<Symbol>, span: upcc_grammar::ast::Span) -> EnumId {
        self.enums.push(Enum {
            tag,
            anon_name: None,
            prototype: false,
            int: None,
            enumerators: Vec::new(),
            touched: false,
            span,
        });
        EnumId(self.enums.len() as u32 - 1)
    }

    /// Creates a new typedef and the type that names it.
    pub fn new_typedef(&mut self, typedef: Typedef) -> (TypedefId, TypeId) {
        self.typedefs.push(typedef);
        let id = TypedefId(self.typedefs.len() as u32 - 1);
        (id, self.intern(Type::Typedef(id)))
    }

    /// Returns the type that names a typedef.
    pub fn typedef_type(&mut self, id: TypedefId) -> TypeId {
        self.intern(Type::Typedef(id))
    }

    /// Returns `qt` with additional qualifiers. On an array they apply to its ultimate element (C11 6.7.3p9, UPC
    /// 6.5.2.1p7). `block` counts only if `quals` has `SHARED`.
    pub fn qualify(&mut self, qt: QualType, quals: Quals, block: u32) -> QualType {
        if quals == Quals::NONE {
            return qt;
        }
        let top = self.resolve(qt);
        let Type::Array(elem, len) = *self.get(top.ty) else {
            let block = if quals.has(Quals::SHARED) {
                block
            } else {
                qt.block
            };
            return QualType {
                ty: qt.ty,
                quals: qt.quals.with(quals),
                block,
            };
        };
        let elem = self.qualify(elem, quals, block);
        QualType::plain(self.array_of(elem, len))
    }

    /// Returns the type with `shared`, `strict` and `relaxed` removed from its ultimate element.
    pub fn unshared(&mut self, qt: QualType) -> QualType {
        let top = self.resolve(qt);
        if let Type::Array(elem, len) = *self.get(top.ty) {
            let elem = self.unshared(elem);
            return QualType::plain(self.array_of(elem, len));
        }
        let upc = Quals::SHARED.with(Quals::STRICT).with(Quals::RELAXED);
        let own = self.resolve(QualType::plain(qt.ty)).quals;
        QualType {
            ty: if own.any(upc) { top.ty } else { qt.ty },
            quals: top.quals.without(upc),
            block: 0,
        }
    }

    /// Returns the type without any qualifier of its own or of its typedefs. Sugar is kept where it adds no qualifiers.
    pub fn unqualified(&self, qt: QualType) -> QualType {
        // The qualifiers of the type itself say nothing of the typedef, which may add the same ones.
        let top = self.resolve(QualType::plain(qt.ty));
        let same = top.quals == Quals::NONE;
        QualType::plain(if same { qt.ty } else { top.ty })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A typedef and its use may have the same qualifiers.
    #[test]
    fn no_qualifier_hides_behind_an_equal_one() {
        let mut types = Types::new(Abi::default());
        let all = [
            Quals::CONST,
            Quals::SHARED,
            Quals::SHARED.with(Quals::STRICT),
        ];
        for own in all {
            let target = types.qualify(QualType::plain(Types::INT), own, 0);
            let typedef = Typedef {
                name: Symbol(0),
                target,
                span: upcc_grammar::ast::Span { lo: 0, hi: 0 },
                align: None,
            };
            let (_, ty) = types.new_typedef(typedef);
            for used in all.into_iter().chain([Quals::NONE]) {
                let place = types.qualify(QualType::plain(ty), used, 0);
                let value = types.unqualified(place);
                assert_eq!(types.canon_qt(value), QualType::plain(Types::INT));
                let private = types.unshared(place);
                assert!(!types.is_shared(private), "{own:?} {used:?}");
            }
        }
    }
}
