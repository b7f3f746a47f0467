//! The effects of C compiler flags on the types of its target, which sema must follow.
//!
//! `-funsigned-bitfields` is not included: the output accesses bit-fields with the members' declared types, and no
//! constant has a bit-field type.

/// The settings; the default is that of the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abi {
    /// Plain `char` is unsigned (`-funsigned-char`).
    pub unsigned_char: bool,
    /// An enumeration has the smallest type that holds its values (`-fshort-enums`).
    pub short_enums: bool,
    /// `wchar_t` is `unsigned short` (`-fshort-wchar`).
    pub short_wchar: bool,
    /// Maximum alignment of a member without `#pragma pack` (`-fpack-struct=n`), in bytes; 0: no limit.
    pub pack: u64,
}

impl Default for Abi {
    fn default() -> Abi {
        Abi {
            unsigned_char: !cfg!(any(target_arch = "x86_64", target_arch = "x86")),
            short_enums: false,
            short_wchar: false,
            pack: 0,
        }
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
    /// Returns the settings of a C compiler's flags, of which the last takes precedence.
    pub fn of<'a>(flags: impl Iterator<Item = &'a str>) -> Abi {
        let mut abi = Abi::default();
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
        let abi = |flags: &str| Abi::of(flags.split(' '));
        assert!(abi("-O2 -funsigned-char").unsigned_char);
        assert!(!abi("-funsigned-char -fsigned-char").unsigned_char);
        assert!(abi("-fno-signed-char -fno-short-enums").unsigned_char);
        assert_eq!(abi("-fpack-struct").pack, 1);
        assert_eq!(abi("-fpack-struct -fpack-struct=4").pack, 4);
        assert_eq!(abi("-fpack-struct=4 -fno-pack-struct").pack, 0);
        assert!(!abi("-fshort-enums -fno-short-enums").short_enums);
    }
}
