//! C and UPC types: interned, with typedef sugar kept for printing.
//!
//! A [`TypeId`] names an interned [`Type`]. A [`QualType`] adds qualifiers and, for shared types, the block size. Types
//! are compared through [`Types::canon`], which strips typedefs; messages and emitted C print the sugar.
//!
//! Invariants:
//! - `Type::Array` has its qualifiers on the element: the `QualType` of an array itself has none (C11 6.7.3p9; UPC: the
//!   layout qualifier applies to the ultimate element type). A *shared type* is one whose ultimate element type is
//!   shared-qualified (UPC 3.3).
//! - `block` is meaningful only with `Quals::SHARED`; without it, `block` is 0.
//! - `[*]` does not remain: sema replaces it by the number `ceil(elements / THREADS)` when the array type is complete.

pub mod abi;
mod compat;
mod intern;
pub mod layout;
pub mod print;
mod query;

pub use abi::{Abi, Machine};
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

    /// True if all bits of `other` are set.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
    /// Returns the union of the bits.
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
    /// True if any bit of `other` is set.
    pub fn any(self, other: Quals) -> bool {
        self.0 & other.0 != 0
    }
    /// Returns the qualifiers without the bits of `other`.
    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
}

crate::ids::ids! {
    /// The id of an interned type.
    TypeId;
    /// The id of a struct or union; each has its own.
    RecordId;
    /// The id of an enumeration; each has its own.
    EnumId;
    /// The id of a typedef; two declarations of one name in two scopes have two ids.
    TypedefId;
}

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
    /// Block size in elements if shared-qualified: 0 is indefinite, 1 the default (UPC 6.5.1.1p9).
    pub block: u32,
}

impl QualType {
    /// Returns the unqualified type.
    pub const fn plain(ty: TypeId) -> QualType {
        QualType {
            ty,
            quals: Quals::NONE,
            block: 0,
        }
    }

    /// Returns the same type without qualifiers of its own (a typedef may still add some: see [`Types::unqualified`]).
    pub const fn bare(self) -> QualType {
        QualType::plain(self.ty)
    }

    /// True if the type itself is shared-qualified, not through a typedef or an array.
    pub fn marked_shared(self) -> bool {
        self.quals.has(Quals::SHARED)
    }
}

/// Integer types. Plain `char` is distinct from `signed char` and `unsigned char`.
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
    /// Plain `char` if it is unsigned ([`Abi::unsigned_char`]): the type then has this kind instead of `Char`.
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
    /// Variable length; each array has its own number (no two are the same type, all are compatible).
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
    /// The target's `va_list` record or array, which is opaque to upcc.
    VaList,
    Typedef(TypedefId),
    /// The type of an expression that has been reported, or that upcc does not model (some builtins): converts to and
    /// from any type silently.
    Unknown,
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FuncType {
    pub ret: QualType,
    /// Adjusted parameter types (array to pointer, function to pointer), with their qualifiers.
    pub params: Vec<QualType>,
    pub variadic: bool,
    /// False if declared with `()` or an identifier list.
    pub prototype: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// The name of an untagged record in emitted C, where it must be named. Sema sets it for every untagged record that
    /// is not plain, and for those of prototypes.
    pub anon_name: Option<u32>,
    /// Defined in the parameter list of a prototype, after which its tag has no meaning.
    pub prototype: bool,
    /// `None` if incomplete.
    pub body: Option<RecordBody>,
    /// Tokens of the specifier that defines it (or that mentions it first).
    pub span: upcc_grammar::ast::Span,
}

/// Members and layout of a complete record.
#[derive(Clone, Debug, Default)]
pub struct RecordBody {
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// A member (also one of a member record) is or contains a pointer-to-shared, so the definition must be printed
    /// from the IL.
    pub has_shared: bool,
    /// UPC takes part in the definition, also in a size or a width (`sizeof` of a shared array).
    pub touched: bool,
    /// A member, also one of a member record, is const.
    pub has_const: bool,
    /// A member is a variable length array (GNU): the size, and the offsets after that member, are known only at run
    /// time.
    pub variable: bool,
    /// GNU `transparent_union`: an argument of any member's type converts to it.
    pub transparent: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: an unnamed bit-field, or an unnamed struct or union member through which its fields are found.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// Offset in bytes from the start of the record; for a bit-field, that of its storage unit.
    pub offset: u64,
    /// Offset in bits from `offset`.
    pub bit_offset: u32,
    /// The alignment in the record of a member that is not a bit-field, in bytes.
    pub align: u64,
    /// Tokens of the field declarator.
    pub span: upcc_grammar::ast::Span,
    /// Tokens of the declaration's specifiers.
    pub specs_span: upcc_grammar::ast::Span,
}

/// An enumeration. `int` is its compatible integer type (GNU: unsigned int unless a value is negative or too large).
#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub anon_name: Option<u32>,
    /// Defined in the parameter list of a prototype: emitted C uses its integer type instead.
    pub prototype: bool,
    /// `None` if incomplete.
    pub int: Option<IntKind>,
    pub enumerators: Vec<(Symbol, i128)>,
    /// UPC takes part in a value.
    pub touched: bool,
    pub span: upcc_grammar::ast::Span,
}

/// A typedef.
#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Symbol,
    pub target: QualType,
    pub span: upcc_grammar::ast::Span,
    /// Alignment raised by an attribute, in bytes.
    pub align: Option<u64>,
}
