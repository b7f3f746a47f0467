//! Queries about types. All of them look through typedefs.

use super::*;

impl Types {
    /// Returns the type without its typedefs.
    pub fn kind(&self, qt: QualType) -> &Type {
        self.get(self.canon(qt.ty).ty)
    }

    /// True for a shared type: its ultimate element type is shared-qualified.
    pub fn is_shared(&self, qt: QualType) -> bool {
        if !self.has_shared(qt) {
            return false;
        }
        self.ultimate(qt).marked_shared()
    }

    /// Returns the ultimate element type and block size of a shared type.
    pub fn shared_elem(&self, qt: QualType) -> Option<(QualType, u32)> {
        let elem = self.ultimate(qt);
        elem.marked_shared().then_some((elem, elem.block))
    }

    /// True for a pointer-to-shared.
    pub fn is_pts(&self, qt: QualType) -> bool {
        matches!(*self.kind(qt), Type::Pointer(to) if self.is_shared(to))
    }

    /// True if `shared` occurs anywhere in the type: through pointers, arrays, functions and typedefs, but not through
    /// members of records.
    pub fn has_shared(&self, qt: QualType) -> bool {
        qt.marked_shared() || self.mentions_shared[qt.ty]
    }

    /// Returns the target type of a pointer.
    pub fn pointee(&self, qt: QualType) -> Option<QualType> {
        match *self.get(self.resolve(qt).ty) {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// Returns the element type and extent of an array.
    pub fn array(&self, qt: QualType) -> Option<(QualType, ArrayLen)> {
        match *self.get(self.resolve(qt).ty) {
            Type::Array(elem, len) => Some((elem, len)),
            _ => None,
        }
    }

    /// Returns a function type.
    pub fn function(&self, qt: QualType) -> Option<&FuncType> {
        match self.get(self.resolve(qt).ty) {
            Type::Function(f) => Some(f),
            _ => None,
        }
    }

    /// Returns the record of a struct or union type.
    pub fn record_id(&self, qt: QualType) -> Option<RecordId> {
        match *self.kind(qt) {
            Type::Record(id) => Some(id),
            _ => None,
        }
    }

    /// Returns a record by id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    /// Returns a typedef by id.
    pub fn typedef(&self, id: TypedefId) -> &Typedef {
        &self.typedefs[id]
    }

    /// Returns an enumeration by id.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id]
    }

    /// Returns the integer kind of an integer type; for an enumeration, that of its compatible type (int while it is
    /// incomplete).
    pub fn int_kind_of(&self, qt: QualType) -> Option<IntKind> {
        match *self.kind(qt) {
            Type::Int(kind) => Some(kind),
            Type::Enum(id) => Some(self.enumeration(id).int.unwrap_or(IntKind::UInt)),
            _ => None,
        }
    }

    pub fn is_void(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Void)
    }

    pub fn is_unknown(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Unknown)
    }

    pub fn is_pointer(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Pointer(_))
    }

    pub fn is_array(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Array(..))
    }

    pub fn is_function(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Function(_))
    }

    pub fn is_record(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Record(_))
    }

    /// True for integer types and enumerations.
    pub fn is_integer(&self, qt: QualType) -> bool {
        matches!(self.kind(qt), Type::Int(_) | Type::Enum(_))
    }

    /// True for integers, enumerations, floating and complex types.
    pub fn is_arithmetic(&self, qt: QualType) -> bool {
        matches!(
            self.kind(qt),
            Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Complex(_) | Type::ComplexInt(_)
        )
    }

    /// True for arithmetic types and pointers.
    pub fn is_scalar(&self, qt: QualType) -> bool {
        self.is_arithmetic(qt) || self.is_pointer(qt)
    }

    /// True if the size of an object of the type is known, at least at run time.
    pub fn is_complete(&self, qt: QualType) -> bool {
        if self.facts[qt.ty].extent.incomplete {
            return false;
        }
        match *self.get(self.ultimate(qt).ty) {
            Type::Array(..) | Type::Void => false,
            Type::Record(id) => self.record(id).body.is_some(),
            Type::Enum(id) => self.enumeration(id).int.is_some(),
            Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Vector(..)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Unknown => true,
        }
    }

    /// True for a type that contains a variable length array at array level or behind pointers (C11 6.7.6p3).
    pub fn is_variably_modified(&self, qt: QualType) -> bool {
        self.facts[qt.ty].variably_modified
    }
}

impl IntKind {
    /// Size in bytes (= alignment).
    pub const fn size(self) -> u64 {
        match self {
            IntKind::Bool
            | IntKind::Char
            | IntKind::SChar
            | IntKind::UChar
            | IntKind::UnsignedPlainChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
        }
    }

    /// True for signed types.
    pub const fn is_signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UnsignedPlainChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => false,
        }
    }

    /// Number of bits, including the sign; 1 for `_Bool`.
    pub const fn bits(self) -> u32 {
        match self {
            IntKind::Bool => 1,
            _ => self.size() as u32 * 8,
        }
    }

    /// Returns the unsigned type of the same size.
    pub const fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UnsignedPlainChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => self,
        }
    }

    /// True if the type can hold the value.
    pub const fn holds(self, value: i128) -> bool {
        match self {
            IntKind::Bool => value == 0 || value == 1,
            IntKind::Int128 => true,
            IntKind::UInt128 => value >= 0,
            _ => {
                let bits = self.bits();
                if self.is_signed() {
                    let half = 1i128 << (bits - 1);
                    value >= -half && value < half
                } else {
                    value >= 0 && value < 1i128 << bits
                }
            }
        }
    }
}

impl FloatKind {
    /// Size in bytes (= alignment) on x86-64.
    pub const fn size(self) -> u64 {
        match self {
            FloatKind::Float16 => 2,
            FloatKind::Float | FloatKind::Float32 | FloatKind::Decimal32 => 4,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x | FloatKind::Decimal64 => {
                8
            }
            FloatKind::LongDouble
            | FloatKind::Float128
            | FloatKind::Float64x
            | FloatKind::Decimal128 => 16,
        }
    }
}
