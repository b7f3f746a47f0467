//! Sizes and alignments, and the layout of records: x86-64 System V as gcc does it.

use super::*;

/// Size of a type or object, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Fixed(u64),
    /// This much times THREADS (dynamic THREADS environment).
    PerThread(u64),
    /// Known at run time only.
    Variable,
}

impl Types {
    /// Size of a type: `None` when it is incomplete. `void` and functions have size 1 (GNU). Saturates at `u64::MAX`.
    pub fn size_of(&self, qt: QualType) -> Option<Size> {
        let mut factor = 1u64;
        let (mut per_thread, mut variable) = (false, false);
        let mut qt = self.resolve(qt);
        while let Type::Array(elem, len) = *self.get(qt.ty) {
            match len {
                ArrayLen::Fixed(n) => factor = factor.saturating_mul(n),
                ArrayLen::PerThread(n) => (factor, per_thread) = (factor.saturating_mul(n), true),
                ArrayLen::Incomplete => return None,
                ArrayLen::Variable(_) => variable = true,
            }
            qt = self.resolve(elem);
        }
        let bytes = self.scalar_size(qt.ty)?.saturating_mul(factor);
        Some(match (variable, per_thread) {
            (true, _) => Size::Variable,
            (false, true) => Size::PerThread(bytes),
            (false, false) => Size::Fixed(bytes),
        })
    }

    /// Size where it is a constant.
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

    /// Alignment in bytes: that of the ultimate element, or what an attribute of a typedef says. 1 where the type is incomplete.
    pub fn align_of(&self, mut qt: QualType) -> u64 {
        loop {
            return match *self.get(qt.ty) {
                Type::Typedef(id) => {
                    let typedef = self.typedef(id);
                    match typedef.align {
                        Some(align) => align,
                        None => {
                            qt = typedef.target;
                            continue;
                        }
                    }
                }
                Type::Array(elem, _) => {
                    qt = elem;
                    continue;
                }
                Type::Void | Type::Function(_) | Type::Unknown => 1,
                Type::Int(kind) | Type::ComplexInt(kind) => kind.size(),
                Type::Float(kind) | Type::Complex(kind) => kind.size(),
                Type::Enum(id) => self.enumeration(id).int.map_or(1, IntKind::size),
                Type::Record(id) => self.record(id).body.as_ref().map_or(1, |b| b.align),
                Type::Pointer(_) | Type::VaList => POINTER,
                Type::Vector(_, bytes) => u64::from(bytes.next_power_of_two()),
            };
        }
    }
}

/// Size and alignment of a pointer-to-local, and alignment of either form of pointer-to-shared.
const POINTER: u64 = 8;
const VA_LIST_SIZE: u64 = 24;
