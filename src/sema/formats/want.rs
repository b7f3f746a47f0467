//! What conversions take: the types of C11 7.21.6.1 and 7.21.6.2, and which conversion fits a type.

use super::Family;
use super::parse::{Conversion, Length, Number};
use crate::sema::Context;
use crate::types::{FloatKind, IntKind, QualType, Quals, Types};

/// The type of value that a conversion of `printf` takes, or that `scanf` stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// The integer type of this kind, or of the other signedness.
    Int(IntKind),
    Float(FloatKind),
    /// A string of `char`, or characters.
    Text,
    /// A string of `wchar_t`, or characters.
    Wide,
    /// A pointer to `void`.
    Pointer,
    /// `%n`: a pointer to an integer of this kind.
    Count(IntKind),
}

/// Why a conversion is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misuse {
    Unknown,
    Length,
    Flag(char),
    Precision,
}

/// A conversion letter: the flags it has a meaning for, and whether a precision has one.
struct Row {
    letters: &'static str,
    flags: &'static str,
    precision: bool,
}

const PRINTF: [Row; 6] = [
    row("di", "-+ 0'I", true),
    row("u", "-0'I", true),
    row("oxXbB", "-#0", true),
    row("fFeEgGaA", "-+ #0'I", true),
    row("sS", "-", true),
    row("cCp", "-", false),
];

const fn row(letters: &'static str, flags: &'static str, precision: bool) -> Row {
    Row {
        letters,
        flags,
        precision,
    }
}

/// The letters of `strftime`, with those of glibc.
const STRFTIME: &str = "aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUvVwWxXyYzZ+";

/// Returns what a conversion takes; `Ok(None)`: no argument.
pub fn wanted(conversion: &Conversion, family: Family) -> Result<Option<Want>, Misuse> {
    match family {
        Family::Strftime if STRFTIME.contains(conversion.letter) => Ok(None),
        Family::Strftime => Err(Misuse::Unknown),
        Family::Printf if conversion.letter == 'm' => Ok(None),
        Family::Printf => printf(conversion).map(Some),
        Family::Scanf => scanf(conversion).map(Some),
    }
}

fn printf(conversion: &Conversion) -> Result<Want, Misuse> {
    let &Conversion { letter, length, .. } = conversion;
    let want = match (letter, length) {
        ('d' | 'i', length) => Want::Int(signed(length)),
        ('u' | 'o' | 'x' | 'X' | 'b' | 'B', length) => Want::Int(unsigned(signed(length))),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', Length::None | Length::Long) => {
            Want::Float(FloatKind::Double)
        }
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', Length::LongDouble) => {
            Want::Float(FloatKind::LongDouble)
        }
        ('c', Length::None | Length::Long) | ('C', Length::None) => Want::Int(IntKind::Int),
        ('s', Length::None) => Want::Text,
        ('s', Length::Long) | ('S', Length::None) => Want::Wide,
        ('p', Length::None) => Want::Pointer,
        ('n', length) => return Ok(Want::Count(signed(length))),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' | 'c' | 'C' | 's' | 'S' | 'p', _) => {
            return Err(Misuse::Length);
        }
        _ => return Err(Misuse::Unknown),
    };
    let row = PRINTF.iter().find(|row| row.letters.contains(letter));
    let row = row.ok_or(Misuse::Unknown)?;
    if let Some(flag) = conversion.flags.chars().find(|&f| !row.flags.contains(f)) {
        return Err(Misuse::Flag(flag));
    }
    match conversion.precision == Number::None || row.precision {
        true => Ok(want),
        false => Err(Misuse::Precision),
    }
}

fn scanf(conversion: &Conversion) -> Result<Want, Misuse> {
    Ok(match (conversion.letter, conversion.length) {
        ('d' | 'i' | 'n', length) => Want::Int(signed(length)),
        ('u' | 'o' | 'x' | 'X', length) => Want::Int(unsigned(signed(length))),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', length) => Want::Float(match length {
            Length::None => FloatKind::Float,
            Length::Long => FloatKind::Double,
            Length::LongDouble => FloatKind::LongDouble,
            _ => return Err(Misuse::Length),
        }),
        ('s' | 'c' | '[', Length::None) => Want::Text,
        ('s' | 'c' | '[', Length::Long) | ('S' | 'C', Length::None) => Want::Wide,
        ('p', Length::None) => Want::Pointer,
        ('s' | 'c' | '[' | 'S' | 'C' | 'p', _) => return Err(Misuse::Length),
        _ => return Err(Misuse::Unknown),
    })
}

fn signed(length: Length) -> IntKind {
    match length {
        Length::None => IntKind::Int,
        Length::Char => IntKind::SChar,
        Length::Short => IntKind::Short,
        Length::Long | Length::IntMax | Length::Size | Length::PtrDiff => IntKind::Long,
        Length::LongLong | Length::LongDouble => IntKind::LongLong,
    }
}

/// The unsigned type of the same width; for plain `char` too.
pub fn unsigned(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Char | SChar | UChar | UnsignedPlainChar => UChar,
        Short | UShort => UShort,
        Int | UInt => UInt,
        Long | ULong => ULong,
        LongLong | ULongLong => ULongLong,
        Int128 | UInt128 => UInt128,
        Bool => Bool,
    }
}

impl Context<'_> {
    /// Whether a value of this type, after the default argument promotions, is what a conversion of `printf` takes.
    pub(super) fn prints(&self, want: Want, ty: QualType) -> bool {
        let target = self.types.pointee(ty);
        match want {
            // Narrow types arrive as `int`.
            Want::Int(kind) => self.types.int_kind_of(ty).is_some_and(|given| {
                let narrow = |kind| matches!(unsigned(kind), IntKind::UChar | IntKind::UShort);
                let int = |kind| match narrow(kind) || kind == IntKind::Bool {
                    true => IntKind::UInt,
                    false => unsigned(kind),
                };
                int(given) == int(kind)
            }),
            Want::Float(kind) => self.is_float(ty, kind),
            Want::Text => target.is_some_and(|to| self.is_char(to)),
            Want::Wide => target.is_some_and(|to| self.is_wide(to)),
            Want::Pointer => target.is_some() && !self.types.is_pts(ty),
            Want::Count(kind) => target.is_some_and(|to| self.is_int(to, kind)),
        }
    }

    /// Whether `scanf` can store such a value where a pointer of this type points to. `allocates`: it stores the address
    /// of memory that it allocates.
    pub(super) fn scans(&self, want: Want, ty: QualType, allocates: bool) -> bool {
        let Some(to) = self.types.pointee(ty).filter(|_| !self.types.is_pts(ty)) else {
            return false;
        };
        let inner = if allocates {
            self.types.pointee(to)
        } else {
            Some(to)
        };
        let Some(to) = inner else { return false };
        !self.types.resolve(to).quals.has(Quals::CONST)
            && match want {
                Want::Int(kind) | Want::Count(kind) => self.is_int(to, kind),
                Want::Float(kind) => self.is_float(to, kind),
                Want::Text => self.is_char(to),
                Want::Wide => self.is_wide(to),
                Want::Pointer => self.types.is_pointer(to),
            }
    }

    fn is_int(&self, ty: QualType, kind: IntKind) -> bool {
        let given = self.types.int_kind_of(ty);
        given.is_some_and(|given| unsigned(given) == unsigned(kind))
    }

    fn is_char(&self, ty: QualType) -> bool {
        self.is_int(ty, IntKind::Char)
    }

    fn is_wide(&self, ty: QualType) -> bool {
        self.is_int(ty, self.types.abi.wchar())
    }

    /// gcc's names of further floating types are other types with the same values.
    fn is_float(&self, ty: QualType, kind: FloatKind) -> bool {
        use FloatKind::*;
        let crate::types::Type::Float(given) = *self.types.kind(ty) else {
            return false;
        };
        given == kind
            || matches!(
                (given, kind),
                (Float32, Float) | (Float64 | Float32x, Double) | (Float64x, LongDouble)
            )
    }

    /// The conversion that fits a value of this type, with the other parts of `conversion` as far as they do; `None` if
    /// there is none.
    pub(super) fn fitting(&self, conversion: &Conversion, ty: QualType) -> Option<String> {
        let letter = conversion.letter;
        let text = &conversion.text;
        if let Some(kind) = self.types.int_kind_of(ty) {
            let length = self.length_of(ty, kind)?;
            if letter == 's' && matches!(kind, IntKind::Char | IntKind::UnsignedPlainChar) {
                let head: String = text.chars().take(conversion.after_width).collect();
                return Some(format!("{head}c"));
            }
            let is_unsigned = !kind.is_signed() && unsigned(kind) != IntKind::UShort;
            let letter = match letter {
                'i' | 'o' | 'x' | 'X' => letter,
                'u' if !kind.is_signed() => 'u',
                _ if is_unsigned && kind != IntKind::UChar && kind != IntKind::Bool => 'u',
                _ => 'd',
            };
            // A precision of `%.2f` has another meaning for an integer.
            let integer = "diouxX".contains(conversion.letter);
            let head = if integer {
                conversion.before_length
            } else {
                conversion.after_width
            };
            let head: String = text.chars().take(head).collect();
            return Some(format!("{head}{length}{letter}"));
        }
        let head: String = text.chars().take(conversion.before_length).collect();
        let is_floating = "fFeEgGaA".contains(letter);
        let floating = if is_floating { letter } else { 'f' };
        if self.is_float(ty, FloatKind::Double) || self.is_float(ty, FloatKind::Float) {
            return Some(format!("{head}{floating}"));
        }
        if self.is_float(ty, FloatKind::LongDouble) {
            return Some(format!("{head}L{floating}"));
        }
        let to = self.types.pointee(ty).filter(|_| !self.types.is_pts(ty))?;
        let plain = conversion.flags.chars().all(|flag| flag == '-');
        (plain && self.is_char(to)).then(|| format!("{head}s"))
    }

    /// The length modifier for an integer type. Types of C's headers have their own.
    fn length_of(&self, ty: QualType, kind: IntKind) -> Option<&'static str> {
        let named = |names: &[&str]| names.iter().any(|name| self.is_named(ty, name));
        if named(&["size_t", "ssize_t"]) {
            return Some("z");
        }
        if named(&["ptrdiff_t"]) {
            return Some("t");
        }
        if named(&["intmax_t", "uintmax_t"]) {
            return Some("j");
        }
        Some(match unsigned(kind) {
            IntKind::ULong => "l",
            IntKind::ULongLong => "ll",
            IntKind::UInt128 => return None,
            _ => "",
        })
    }

    /// Whether a type is the typedef of this name, or one of it.
    fn is_named(&self, ty: QualType, wanted: &str) -> bool {
        let mut ty = ty;
        while let crate::types::Type::Typedef(id) = *self.types.get(ty.ty) {
            let typedef = self.types.typedef(id);
            if self.name(typedef.name) == wanted {
                return true;
            }
            ty = typedef.target;
        }
        false
    }

    /// The conversion of `scanf` that stores into such an object.
    pub(super) fn fitting_scan(&self, conversion: &Conversion, to: QualType) -> Option<String> {
        let head: String = conversion
            .text
            .chars()
            .take(conversion.before_length)
            .collect();
        let letter = conversion.letter;
        if let Some(kind) = self.types.int_kind_of(to) {
            let length = match unsigned(kind) {
                IntKind::UChar => "hh",
                IntKind::UShort => "h",
                _ => self.length_of(to, kind)?,
            };
            let letter = match letter {
                'i' | 'o' | 'x' | 'X' | 'n' => letter,
                _ if kind.is_signed() => 'd',
                _ => 'u',
            };
            return (kind != IntKind::Bool).then(|| format!("{head}{length}{letter}"));
        }
        let letter = if "fFeEgGaA".contains(letter) {
            letter
        } else {
            'f'
        };
        let lengths = [
            (FloatKind::Float, ""),
            (FloatKind::Double, "l"),
            (FloatKind::LongDouble, "L"),
        ];
        let length = lengths
            .into_iter()
            .find(|(kind, _)| self.is_float(to, *kind))?
            .1;
        Some(format!("{head}{length}{letter}"))
    }

    /// The name of the type that a conversion takes.
    pub(super) fn want_name(&self, want: Want, conversion: &Conversion) -> String {
        let by_length = match (conversion.length, want) {
            (Length::IntMax, Want::Int(kind)) if kind.is_signed() => Some("intmax_t"),
            (Length::IntMax, Want::Int(_)) => Some("uintmax_t"),
            (Length::Size, Want::Int(kind)) if kind.is_signed() => Some("ssize_t"),
            (Length::Size, Want::Int(_)) => Some("size_t"),
            (Length::PtrDiff, Want::Int(kind)) if kind.is_signed() => Some("ptrdiff_t"),
            _ => None,
        };
        let ty = |ty| self.show(QualType::plain(ty));
        match want {
            Want::Int(_) if by_length.is_some() => by_length.unwrap_or_default().to_owned(),
            Want::Int(kind) => ty(Types::int_kind(kind)),
            Want::Float(kind) => ty(Types::float_kind(kind)),
            Want::Text => "char".to_owned(),
            Want::Wide => "wchar_t".to_owned(),
            Want::Pointer => "void *".to_owned(),
            Want::Count(kind) => format!("{} *", ty(Types::int_kind(kind))),
        }
    }
}
