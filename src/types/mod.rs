//! C and UPC types: interned, with typedef sugar kept for printing.
//!
//! A [`TypeId`] names an interned [`Type`]; a [`QualType`] adds qualifiers and, for shared types, the block size. Types are compared through
//! [`Types::canon`], which strips typedefs; messages and emitted C print the sugar.
//!
//! Invariants:
//! - `Type::Array` carries its qualifiers on the element: the `QualType` of an array itself has none (C11 6.7.3p9; UPC: the layout qualifier
//!   applies to the ultimate element type). A *shared type* is one whose ultimate element type is shared-qualified (UPC 3.3).
//! - `block` is meaningful only with `Quals::SHARED`, and 0 without it.
//! - `[*]` never survives: sema turns it into the number `ceil(elements / THREADS)` when the array type is complete.

pub mod abi;
mod compat;
mod intern;
pub mod layout;
pub mod print;
mod query;

pub use abi::Abi;
pub use intern::Types;
pub use layout::Size;
use upcc_grammar::symbol::Symbol;

/// Qualifier bits; the same bits as `upcc_grammar::ast::qual`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals(pub u8);

impl Quals {
    pub const NONE: Quals = Quals(0);
    pub const CONST: Quals = Quals(1);
    pub const VOLATILE: Quals = Quals(2);
    pub const RESTRICT: Quals = Quals(4);
    pub const ATOMIC: Quals = Quals(8);
    pub const SHARED: Quals = Quals(16);
    pub const STRICT: Quals = Quals(32);
    pub const RELAXED: Quals = Quals(64);

    /// True when every bit of `other` is set.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
    /// The union.
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
    /// True when some bit of `other` is set.
    pub fn any(self, other: Quals) -> bool {
        self.0 & other.0 != 0
    }
    /// Without the bits of `other`.
    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
}

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A struct or union, by identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// An enumeration, by identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A typedef, by identity (two declarations of one name in two scopes are two).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypedefId(pub u32);

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
    /// Block size in elements when shared-qualified: 0 indefinite, 1 the default (UPC 6.5.1.1p9).
    pub block: u32,
}

impl QualType {
    /// The unqualified type.
    pub const fn plain(ty: TypeId) -> QualType {
        QualType {
            ty,
            quals: Quals::NONE,
            block: 0,
        }
    }

    /// The same type without qualifiers of its own (a typedef may still bring some: see [`Types::unqualified`]).
    pub const fn bare(self) -> QualType {
        QualType::plain(self.ty)
    }

    /// True when the type itself is shared-qualified here (not through a typedef, not through an array).
    pub fn marked_shared(self) -> bool {
        self.quals.has(Quals::SHARED)
    }
}

/// Integer types. Plain `char` is distinct from both others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// Plain `char` where it is unsigned ([`Abi::unsigned_char`]): the type then has this kind in place of `Char`.
    UnsignedPlainChar,
}

/// Floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float32,
    Float64,
    /// `_Float128` and `__float128`
    Float128,
    Float32x,
    Float64x,
    Decimal32,
    Decimal64,
    Decimal128,
}

/// The extent of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// `[n]`, n may be 0 (GNU).
    Fixed(u64),
    /// `[k * THREADS]` in the dynamic THREADS environment.
    PerThread(u64),
    /// `[]`
    Incomplete,
    /// Variable length; each has its own number (no two are the same type, all are compatible).
    Variable(u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
    /// GNU complex integer.
    ComplexInt(IntKind),
    Enum(EnumId),
    Record(RecordId),
    Pointer(QualType),
    Array(QualType, ArrayLen),
    Function(FuncType),
    /// GNU vector: element and number of bytes.
    Vector(TypeId, u32),
    /// The target's `va_list` record or array, opaque to us.
    VaList,
    Typedef(TypedefId),
    /// Type of something already reported, or that we do not model (some builtin): converts to and from anything silently.
    Unknown,
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FuncType {
    pub ret: QualType,
    /// Adjusted (array to pointer, function to pointer), with their qualifiers.
    pub params: Vec<QualType>,
    pub variadic: bool,
    /// False: declared with `()` or an identifier list.
    pub prototype: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// Name that emitted C gives an untagged record where it must be named; set by sema for every untagged record that is not plain, and for
    /// those of prototypes.
    pub anon_name: Option<u32>,
    /// Defined in the parameter list of a prototype, behind which its tag means nothing.
    pub prototype: bool,
    /// `None`: incomplete.
    pub body: Option<RecordBody>,
    /// Tokens of the specifier that defines it (or first mentions it).
    pub span: upcc_grammar::ast::Span,
}

/// Members and layout of a complete record.
#[derive(Clone, Debug, Default)]
pub struct RecordBody {
    pub fields: Vec<Field>,
    /// Bytes.
    pub size: u64,
    /// Bytes.
    pub align: u64,
    /// Some member (also nested in a member record) is or contains a pointer-to-shared: the definition must be printed from the IL.
    pub has_shared: bool,
    /// Some member, of a member record too, is const.
    pub has_const: bool,
    /// Some member is a variable length array (GNU): the size, and the places behind that member, are known at run time only.
    pub variable: bool,
    /// GNU `transparent_union`: an argument of any member's type converts to it.
    pub transparent: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: unnamed bit-field, or unnamed struct/union member whose fields are found through it.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// Bytes from the start of the record, for a bit-field of its storage unit.
    pub offset: u64,
    /// Bits from `offset`.
    pub bit_offset: u32,
    /// What the record keeps to for a member that is no bit-field, bytes.
    pub align: u64,
    /// Tokens of the field declarator.
    pub span: upcc_grammar::ast::Span,
    /// Tokens of the declaration's specifiers.
    pub specs_span: upcc_grammar::ast::Span,
}

/// An enumeration: the compatible integer type (GNU: unsigned int unless a value is negative or too large).
#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub anon_name: Option<u32>,
    /// Defined in the parameter list of a prototype: emitted C has its integer type instead.
    pub prototype: bool,
    /// `None`: incomplete.
    pub int: Option<IntKind>,
    pub enumerators: Vec<(Symbol, i128)>,
    pub span: upcc_grammar::ast::Span,
}

/// A typedef.
#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Symbol,
    pub target: QualType,
    pub span: upcc_grammar::ast::Span,
    /// Alignment raised by an attribute, bytes.
    pub align: Option<u64>,
}
