//! The effects of C compiler flags on the types of its target, which sema must follow.
//!
//! `-funsigned-bitfields` is not included: the output accesses bit-fields with the members' declared types, and no
//! constant has a bit-field type.

use super::IntKind;

/// What the target of the C compiler decides without flags. The default is that of the machine for which `upcc` itself
/// was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Plain `char` is unsigned.
    pub unsigned_char: bool,
    /// The type of `wchar_t`.
    pub wchar: IntKind,
    /// It has the attributes of x86 processors.
    pub x86: bool,
    /// Bit-fields without a name give a record the alignment of their types.
    pub unnamed_aligns: bool,
}

impl Default for Machine {
    fn default() -> Machine {
        // The constants have the types of the platform's C compiler.
        Machine {
            unsigned_char: std::ffi::c_char::MIN == 0,
            wchar: match cfg!(any(target_arch = "aarch64", target_arch = "arm")) {
                true => IntKind::UInt,
                false => IntKind::Int,
            },
            x86: cfg!(any(target_arch = "x86_64", target_arch = "x86")),
            unnamed_aligns: cfg!(any(target_arch = "aarch64", target_arch = "arm")),
        }
    }
}

/// The settings; the default is that of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abi {
    /// Plain `char` is unsigned (`-funsigned-char`).
    pub unsigned_char: bool,
    /// An enumeration has the smallest type that holds its values (`-fshort-enums`).
    pub short_enums: bool,
    /// The type of `wchar_t` without `-fshort-wchar`.
    pub long_wchar: IntKind,
    /// `wchar_t` is `unsigned short` (`-fshort-wchar`).
    pub short_wchar: bool,
    /// Maximum alignment of a member without `#pragma pack` (`-fpack-struct=n`), in bytes; 0: no limit.
    pub pack: u64,
    /// The target has the attributes of x86 processors.
    pub x86: bool,
    /// Bit-fields without a name give a record the alignment of their types.
    pub unnamed_aligns: bool,
}

impl Default for Abi {
    fn default() -> Abi {
        Abi::on(Machine::default())
    }
}

/// Applies a flag or its opposite.
type Set = fn(&mut Abi, bool);

/// Names after `-f`, and their settings; `-fno-` gives the opposite.
const FLAGS: [(&str, Set); 5] = [
    ("unsigned-char", |abi, on| abi.unsigned_char = on),
    ("signed-char", |abi, on| abi.unsigned_char = !on),
    ("short-enums", |abi, on| abi.short_enums = on),
    ("short-wchar", |abi, on| abi.short_wchar = on),
    ("pack-struct", |abi, on| abi.pack = u64::from(on)),
];

impl Abi {
    /// Returns the settings without flags.
    fn on(machine: Machine) -> Abi {
        Abi {
            unsigned_char: machine.unsigned_char,
            short_enums: false,
            long_wchar: machine.wchar,
            short_wchar: false,
            pack: 0,
            x86: machine.x86,
            unnamed_aligns: machine.unnamed_aligns,
        }
    }

    /// Returns the type of `wchar_t`.
    pub fn wchar(self) -> IntKind {
        match self.short_wchar {
            true => IntKind::UShort,
            false => self.long_wchar,
        }
    }

    /// Returns the settings of a C compiler's flags, of which the last takes precedence.
    pub fn of<'a>(machine: Machine, flags: impl Iterator<Item = &'a str>) -> Abi {
        let mut abi = Abi::on(machine);
        for flag in flags.filter_map(|flag| flag.strip_prefix("-f")) {
            if let Some(limit) = flag.strip_prefix("pack-struct=") {
                // The C compiler rejects an argument that is not a number.
                abi.pack = limit.parse().unwrap_or(0);
                continue;
            }
            let (name, on) = match flag.strip_prefix("no-") {
                Some(name) => (name, false),
                None => (flag, true),
            };
            if let Some((_, set)) = FLAGS.iter().find(|(known, _)| *known == name) {
                set(&mut abi, on);
            }
        }
        abi
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_flag_counts() {
        let machine = Machine {
            unsigned_char: false,
            wchar: IntKind::UInt,
            x86: false,
            unnamed_aligns: false,
        };
        let abi = |flags: &str| Abi::of(machine, flags.split(' '));
        assert_eq!(abi("-fshort-wchar").wchar(), IntKind::UShort);
        assert_eq!(abi("-fshort-wchar -fno-short-wchar").wchar(), IntKind::UInt);
        assert!(abi("-O2 -funsigned-char").unsigned_char);
        assert!(!abi("-funsigned-char -fsigned-char").unsigned_char);
        assert!(abi("-fno-signed-char -fno-short-enums").unsigned_char);
        assert_eq!(abi("-fpack-struct").pack, 1);
        assert_eq!(abi("-fpack-struct -fpack-struct=4").pack, 4);
        assert_eq!(abi("-fpack-struct=4 -fno-pack-struct").pack, 0);
        assert!(!abi("-fshort-enums -fno-short-enums").short_enums);
    }
}
