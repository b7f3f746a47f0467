//! Machine modes (GNU `mode`): which words they are, and the types they stand for.

use super::Word;
use crate::sema::Context;
use crate::types::{FloatKind, IntKind, QualType, Type, TypeId, Types};

/// Whether a word has the form of a machine mode: `SI`, `V4SF`, `SC`. Which of them exist depends on the processor.
pub(super) fn is_mode(word: &str) -> bool {
    const WORDS: [&str; 7] = [
        "byte",
        "word",
        "pointer",
        "unwind_word",
        "libgcc_cmp_return",
        "libgcc_shift_count",
        "libgcc_bid_decimal",
    ];
    let word = word.trim_matches('_');
    let element = match word.strip_prefix('V') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            rest.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        Some(_) | None => word,
    };
    // Integers, floating types, decimal and complex ones, fixed-point ones.
    let kind = element.ends_with(['I', 'F', 'D', 'C', 'Q', 'A', 'B', 'K', 'M', 'N']);
    let sizes = "BQHSDTOXCEPIUKMV0123456789";
    let known = element.len() >= 2 && kind && element.starts_with(|c| sizes.contains(c));
    WORDS.contains(&word) || known && element.chars().all(|c| c.is_ascii_alphanumeric())
}

impl Context<'_> {
    /// Reports a mode of another class of types than `base`: integers, or floating types.
    pub(super) fn unfit_mode(&mut self, base: QualType, word: Word) -> bool {
        let text = &self.parsed.stream.text[word.args.0 as usize..word.args.1 as usize];
        let mode = text.trim().trim_matches('_');
        let Some(mode_type) = self.moded(base, word).map(QualType::plain) else {
            return false;
        };
        let vector = matches!(self.types.kind(mode_type), Type::Vector(..));
        let integer = self.types.is_integer(mode_type);
        let fits = match self.types.kind(base) {
            Type::Int(_) | Type::Enum(_) => integer || vector,
            Type::Float(_) => !integer && !matches!(self.types.kind(mode_type), Type::Complex(_)),
            Type::Record(_) => false,
            _ => !self.types.is_void(base),
        };
        if !fits {
            let message = format!(
                "machine mode `{mode}` does not fit type `{}`",
                self.show(base)
            );
            let help = "QI, HI, SI, DI and TI are integers, SF, DF, XF and TF floating types";
            self.bad_attribute(word, message, help);
        }
        !fits
    }

    /// The type that a mode gives to something of type `base`; `None` if the mode is not modelled.
    pub(super) fn moded(&mut self, base: QualType, word: Word) -> Option<TypeId> {
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
