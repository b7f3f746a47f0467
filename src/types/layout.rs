//! Sizes and alignments, and the layout of records: x86-64 System V and AArch64 as implemented by gcc.

use super::*;

/// Size of a type or object, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Fixed(u64),
    /// This number times THREADS (dynamic THREADS environment).
    PerThread(u64),
    /// Known only at run time.
    Variable,
}

impl Types {
    /// Returns the size of a type; `None` if it is incomplete. `void` and functions have size 1 (GNU). Saturates at
    /// `u64::MAX`.
    pub fn size_of(&self, qt: QualType) -> Option<Size> {
        let extent = self.facts[qt.ty].extent;
        if extent.incomplete {
            return None;
        }
        let elem = self.ultimate(qt).ty;
        let bytes = self.scalar_size(elem)?.saturating_mul(extent.count);
        let mut variable = extent.variable;
        if let Type::Record(id) = *self.get(elem) {
            variable |= self.record(id).body.as_ref().is_some_and(|b| b.variable);
        }
        Some(match (variable, extent.per_thread) {
            (true, _) => Size::Variable,
            (false, true) => Size::PerThread(bytes),
            (false, false) => Size::Fixed(bytes),
        })
    }

    /// Returns the size if it is a constant.
    pub fn fixed_size(&self, qt: QualType) -> Option<u64> {
        match self.size_of(qt) {
            Some(Size::Fixed(n)) => Some(n),
            Some(Size::PerThread(_) | Size::Variable) | None => None,
        }
    }

    fn scalar_size(&self, ty: TypeId) -> Option<u64> {
        Some(match *self.get(ty) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => kind.size(),
            Type::Float(kind) => kind.size(),
            Type::Complex(kind) => 2 * kind.size(),
            Type::ComplexInt(kind) => 2 * kind.size(),
            Type::Enum(id) => self.enumeration(id).int?.size(),
            Type::Record(id) => self.record(id).body.as_ref()?.size,
            Type::Pointer(to) if self.is_shared(to) => self.pts_bytes,
            Type::Pointer(_) => POINTER,
            Type::Vector(_, bytes) => u64::from(bytes),
            Type::VaList => VA_LIST_SIZE,
            // Callers have stripped arrays and typedefs.
            Type::Array(..) | Type::Typedef(_) | Type::Unknown => return None,
        })
    }

    /// Returns the alignment that a C compiler assumes for an object accessed as this type, even if a typedef lowers
    /// it.
    pub fn required_align(&self, qt: QualType) -> u64 {
        self.align_of(qt).max(self.align_of(self.canon_qt(qt)))
    }

    /// Returns the alignment in bytes: that of the ultimate element, or the one set by an attribute of a typedef. 1 if
    /// the type is incomplete.
    pub fn align_of(&self, qt: QualType) -> u64 {
        match *self.get(self.facts[qt.ty].aligned_as) {
            // A typedef without an alignment of its own has been resolved.
            Type::Typedef(id) => self.typedef(id).align.unwrap_or(1),
            Type::Void | Type::Function(_) | Type::Unknown | Type::Array(..) => 1,
            Type::Int(kind) | Type::ComplexInt(kind) => kind.size(),
            Type::Float(kind) | Type::Complex(kind) => kind.size(),
            Type::Enum(id) => self.enumeration(id).int.map_or(1, IntKind::size),
            Type::Record(id) => self.record(id).body.as_ref().map_or(1, |b| b.align),
            Type::Pointer(_) | Type::VaList => POINTER,
            Type::Vector(_, bytes) => u64::from(bytes.next_power_of_two()),
        }
    }
}

/// Size and alignment of a pointer-to-local, and alignment of either form of pointer-to-shared.
const POINTER: u64 = 8;
const VA_LIST_SIZE: u64 = 24;
/// Size of the largest object: pointer differences in it must be representable.
pub const LARGEST: u64 = i64::MAX as u64;

/// A member before layout.
#[derive(Clone, Debug)]
pub struct Member {
    /// The member; its offset is not yet computed.
    pub field: Field,
    /// By attribute of the member or of its record.
    pub packed: bool,
    /// Alignment by attribute or `_Alignas`, in bytes.
    pub align: Option<u64>,
}

/// The properties of a record, besides its members, that determine its layout.
#[derive(Clone, Copy, Default, Debug)]
pub struct RecordRules {
    pub is_union: bool,
    /// Attribute `aligned` of the record, in bytes.
    pub align: Option<u64>,
    /// Limit of `#pragma pack`, in bytes; 0: no limit.
    pub pack: u64,
    pub transparent: bool,
}

impl Types {
    /// Computes the offset of every member.
    pub fn lay_out(&self, members: Vec<Member>, rules: RecordRules) -> RecordBody {
        let mut place = Placing {
            types: self,
            rules,
            end: 0,
            align: rules.align.unwrap_or(1).max(1),
        };
        let mut fields = Vec::with_capacity(members.len());
        let (mut has_shared, mut has_const, mut variable) = (false, false, false);
        for member in members {
            has_const |= self.contains_const(member.field.ty);
            has_shared |= self.contains_shared(member.field.ty);
            variable |= self.size_of(member.field.ty) == Some(Size::Variable);
            fields.push(place.member(member));
        }
        let align = place.align;
        let bytes = place.end.div_ceil(8).next_multiple_of(u128::from(align));
        RecordBody {
            fields,
            size: u64::try_from(bytes).unwrap_or(u64::MAX),
            align,
            has_shared,
            touched: false,
            has_const,
            variable,
            transparent: rules.transparent,
        }
    }

    /// True for a const type, or one with a const member.
    fn contains_const(&self, ty: QualType) -> bool {
        self.ultimate(ty).quals.has(Quals::CONST) || self.has_const_member(ty)
    }

    /// True if a record, or the element of an array of records, has const members.
    pub fn has_const_member(&self, ty: QualType) -> bool {
        let record = self.record_id(self.ultimate(ty));
        let body = record.and_then(|id| self.record(id).body.as_ref());
        body.is_some_and(|b| b.has_const)
    }

    /// True if an object of the type contains a pointer-to-shared.
    pub fn contains_shared(&self, ty: QualType) -> bool {
        if self.has_shared(ty) {
            return true;
        }
        match self.record_id(self.ultimate(ty)) {
            Some(id) => self.record(id).body.as_ref().is_some_and(|b| b.has_shared),
            None => false,
        }
    }
}

/// The state of a layout: the position of the next member.
struct Placing<'t> {
    types: &'t Types,
    rules: RecordRules,
    /// Bits used so far; for a union, by its largest member.
    end: u128,
    /// Alignment in bytes.
    align: u64,
}

impl Placing<'_> {
    fn member(&mut self, member: Member) -> Field {
        match member.field.bits {
            Some(width) => self.bit_field(member, width),
            None => self.whole(member),
        }
    }

    /// Applies the limit of `#pragma pack` to an alignment.
    fn limited(&self, align: u64) -> u64 {
        if self.rules.pack == 0 {
            align
        } else {
            align.min(self.rules.pack)
        }
    }

    fn whole(&mut self, member: Member) -> Field {
        let mut field = member.field;
        let natural = if member.packed {
            1
        } else {
            self.types.align_of(field.ty)
        };
        let align = self.limited(natural.max(member.align.unwrap_or(1)));
        self.align = self.align.max(align);
        // A flexible array member has no size of its own.
        let bits = u128::from(self.types.fixed_size(field.ty).unwrap_or(0)) * 8;
        let start = if self.rules.is_union {
            0
        } else {
            self.end.next_multiple_of(u128::from(align) * 8)
        };
        self.end = self.end.max(start + bits);
        field.offset = u64::try_from(start / 8).unwrap_or(u64::MAX);
        field.align = align;
        field
    }

    /// Places a bit-field by the System V rules as gcc implements them: it lies in the storage unit of its type unless
    /// it is packed; a named one gives the record the alignment of its type; one of width 0 ends the unit. On AArch64 one
    /// without a name gives the alignment, too.
    fn bit_field(&mut self, member: Member, width: u32) -> Field {
        let mut field = member.field;
        let unit = u128::from(self.types.fixed_size(field.ty).unwrap_or(4)) * 8;
        let type_align = self.types.align_of(field.ty);
        let mut start = if self.rules.is_union { 0 } else { self.end };
        let own = member.align.map_or(1, |a| u128::from(self.limited(a)) * 8);
        if width == 0 {
            // Packing has no effect on it.
            start = start.next_multiple_of((u128::from(type_align) * 8).max(own));
        } else {
            start = start.next_multiple_of(own);
            let align_bits = u128::from(type_align) * 8;
            let straddles =
                (start % align_bits + u128::from(width)).div_ceil(align_bits) > unit / align_bits;
            if straddles && !member.packed && self.rules.pack == 0 {
                start = start.next_multiple_of(align_bits);
            }
        }
        if field.name.is_some() || self.types.abi.unnamed_aligns {
            let from_type = if width == 0 {
                type_align
            } else if self.rules.pack != 0 {
                self.limited(type_align)
            } else if member.packed {
                1
            } else {
                type_align
            };
            self.align = self.align.max(from_type).max((own / 8) as u64);
        }
        self.end = self.end.max(start + u128::from(width));
        let (mut base, mut within) = (start - start % unit, start % unit);
        if within + u128::from(width) > unit {
            (base, within) = (start - start % 8, start % 8);
        }
        field.offset = u64::try_from(base / 8).unwrap_or(u64::MAX);
        field.bit_offset = within as u32;
        field
    }
}
