//! The GNU attributes whose use is checked (GNU C 6.33, 6.34, 6.38, 6.39). Where gcc only warns, a use is right here.
//! Attributes that are not in the table go to the C compiler unread.

use super::AttrKind;
use super::positions::Positions;
use std::ops::BitOr;

/// What an attribute can stand on, as a set of kinds of declarations. The last three members are properties that a
/// declaration may have besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places(u32);

impl BitOr for Places {
    type Output = Places;

    fn bitor(self, other: Places) -> Places {
        self.or(other)
    }
}

macro_rules! places {
    ($($bit:literal $place:ident $name:literal;)*) => {
        impl Places {
            $(#[doc = $name] pub const $place: Places = Places(1 << $bit);)*
        }

        /// What the places are called in a message.
        const NAMES: &[(Places, &str)] = &[$((Places::$place, $name)),*];
    };
}

places! {
    0 FUNCTION "a function";
    1 STATIC_FUNCTION "a `static` function";
    2 BLOCK_FUNCTION "a function declared in a block";
    3 DEFINED_FUNCTION "a function definition";
    4 VARIABLE "the definition of a variable";
    5 STATIC_VARIABLE "a `static` variable";
    6 EXTERN_VARIABLE "an `extern` variable";
    7 BLOCK_STATIC "a `static` variable of a block";
    8 BLOCK_EXTERN "an `extern` variable of a block";
    9 LOCAL "a local variable";
    10 TYPEDEF "a typedef";
    11 MEMBER "a member";
    12 PARAMETER "a parameter";
    13 STRUCT "a structure";
    14 UNION "a union";
    15 ENUM "an enumeration";
    16 ENUMERATOR "an enumeration constant";
    17 TYPE "a type";
    18 POINTER_RESULT "a function that returns a pointer";
    19 FUNCTION_POINTER "a pointer to a function";
    20 THREAD_LOCAL "a thread-local variable";
}

impl Places {
    pub const NONE: Places = Places(0);
    /// All kinds of declarations.
    pub const ALL: Places = Places((1 << 18) - 1);
    pub const FILE_FUNCTIONS: Places = Places::FUNCTION.or(Places::STATIC_FUNCTION);
    pub const FUNCTIONS: Places = Places::FILE_FUNCTIONS
        .or(Places::BLOCK_FUNCTION)
        .or(Places::DEFINED_FUNCTION);
    /// Variables at file scope.
    pub const VARIABLES: Places = Places::VARIABLE
        .or(Places::STATIC_VARIABLE)
        .or(Places::EXTERN_VARIABLE);
    /// Declarations that the linker sees.
    pub const LINKED: Places = Places::FUNCTIONS
        .or(Places::VARIABLE)
        .or(Places::EXTERN_VARIABLE)
        .without(Places::STATIC_FUNCTION);
    pub const RECORDS: Places = Places::STRUCT.or(Places::UNION);

    pub(super) const fn or(self, other: Places) -> Places {
        Places(self.0 | other.0)
    }

    const fn without(self, other: Places) -> Places {
        Places(self.0 & !other.0)
    }

    /// Whether the sets have a common member.
    pub fn meets(self, other: Places) -> bool {
        self.0 & other.0 != 0
    }

    /// What a common member of the sets is called in a message.
    pub(super) fn common(self, other: Places) -> &'static str {
        let both = |place: Places| self.meets(place) && other.meets(place);
        let found = NAMES.iter().find(|(place, _)| both(*place));
        found.map_or("this declaration", |(_, name)| name)
    }
}

/// The kind of argument that an attribute needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// Any expression: a wrong one only draws a warning, or is checked where the type is known.
    Any,
    /// Also names that are not declared.
    Names,
    /// Every argument is a string literal.
    Text,
    /// A string literal; those after the first are not checked.
    FirstText,
    /// One of these string literals.
    TextOf(&'static [&'static str]),
    /// One of these identifiers, with or without underscores around it.
    WordOf(&'static [&'static str]),
    /// Every argument is a string literal of the form `name@version`.
    Version,
    /// A string literal that names a function or variable of this translation unit.
    Symbol,
    /// A string literal that names any function or variable.
    Weak,
    /// An alignment in bytes.
    PowerOfTwo,
    /// An integer from 0 to 65535.
    Priority,
    /// The name of a machine mode.
    Mode,
    /// The name of a function.
    Function,
    /// The name of a function; another name is wrong everywhere if it is not declared.
    Deallocator,
}

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name without the underscores that may surround it.
    pub name: &'static str,
    /// Least number of arguments.
    pub least: u8,
    /// Largest number of arguments; [`ANY_NUMBER`]: no limit.
    pub most: u8,
    /// The first argument.
    pub argument: Argument,
    /// Where gcc refuses a wrong argument.
    pub on: Places,
    /// Where gcc refuses the attribute.
    pub refused: Places,
    /// The arguments must fit the function.
    pub positions: Option<Positions>,
    /// clang, too, refuses a wrong number of arguments on every declaration.
    pub clang: bool,
    /// Exists only for x86 processors.
    pub x86: bool,
    /// The attribute changes types or layout.
    pub(super) reads: Option<AttrKind>,
}

/// The number of arguments is not limited.
pub const ANY_NUMBER: u8 = u8::MAX;

const fn row(name: &'static str, least: u8, most: u8) -> Row {
    Row {
        name,
        least,
        most,
        argument: Argument::Any,
        on: Places::NONE,
        refused: Places::NONE,
        positions: None,
        clang: false,
        x86: false,
        reads: None,
    }
}

impl Row {
    const fn takes(mut self, argument: Argument, on: Places) -> Row {
        (self.argument, self.on) = (argument, on);
        self
    }

    const fn refused(mut self, refused: Places) -> Row {
        self.refused = refused;
        self
    }

    const fn fits(mut self, positions: Positions) -> Row {
        self.positions = Some(positions);
        self
    }

    const fn clang(mut self) -> Row {
        self.clang = true;
        self
    }

    const fn x86(mut self) -> Row {
        self.x86 = true;
        self
    }

    const fn reads(mut self, kind: AttrKind) -> Row {
        self.reads = Some(kind);
        self
    }
}

/// The attribute of a name, with or without underscores around it.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    let name = name.trim_matches('_');
    let at = ROWS.binary_search_by(|row| row.name.cmp(name)).ok()?;
    Some(&ROWS[at])
}

use Argument::{
    Deallocator, FirstText, Function, Mode, Names, PowerOfTwo, Priority, Symbol, Text, TextOf,
    Version, Weak, WordOf,
};

const F: Places = Places::FUNCTIONS;
/// Functions that are not definitions, so that another name may stand for them.
const NAMED: Places = Places::FILE_FUNCTIONS;
const STORED: Places = F.or(Places::VARIABLES).or(Places::BLOCK_STATIC);
const RECORDS: Places = Places::RECORDS;
const OF_CALL: Places = F.or(Places::FUNCTION_POINTER);
/// What some attributes of functions are refused on; gcc drops them from types with a warning.
const NO_FUNCTION: Places = Places::ALL
    .without(F)
    .without(RECORDS)
    .without(Places::ENUM)
    .without(Places::TYPE);
const NO_SECTION: Places = NO_FUNCTION.without(STORED);
const NOT_PUBLIC: Places = Places::LOCAL
    .or(Places::BLOCK_STATIC)
    .or(Places::STATIC_FUNCTION)
    .or(Places::STATIC_VARIABLE);
const UNALIGNED: Places = Places::PARAMETER.or(Places::ENUMERATOR);

/// The sets of registers that a function can clear.
const REGISTERS: &[&str] = &[
    "skip",
    "used-gpr-arg",
    "used-gpr",
    "used-arg",
    "used",
    "all-gpr-arg",
    "all-gpr",
    "all-arg",
    "all",
    "leafy-gpr-arg",
    "leafy-gpr",
    "leafy-arg",
    "leafy",
];

/// All attributes, in the order of their names.
pub static ROWS: &[Row] = &[
    row("access", 1, 3)
        .takes(
            WordOf(&["read_only", "read_write", "write_only", "none"]),
            OF_CALL,
        )
        .fits(Positions::Access),
    row("alias", 1, 1)
        .takes(Symbol, NAMED)
        .refused(Places::VARIABLE),
    row("aligned", 0, 1)
        .reads(AttrKind::Aligned)
        .refused(UNALIGNED)
        .clang(),
    row("alloc_align", 1, 1),
    row("alloc_size", 1, 2),
    row("always_inline", 0, 0),
    row("artificial", 0, 0),
    row("assume_aligned", 1, 2),
    row("cdecl", 0, 0).x86(),
    row("cf_check", 0, 0).x86(),
    row("cleanup", 1, 1).takes(Function, Places::LOCAL),
    row("cold", 0, 0),
    row("common", 0, 0),
    row("const", 0, 0).clang(),
    row("constructor", 0, 1).takes(Priority, F),
    row("deprecated", 0, 1).takes(Text, Places::ALL),
    row("designated_init", 0, 0),
    row("destructor", 0, 1).takes(Priority, F),
    row("error", 1, 1),
    row("externally_visible", 0, 0),
    row("fallthrough", 0, 0),
    row("fastcall", 0, 0).x86(),
    row("fentry_name", 1, 1).x86(),
    row("fentry_section", 1, 1).x86(),
    row("flatten", 0, 0),
    row("force_align_arg_pointer", 0, 0).x86(),
    row("format", 3, 3)
        .takes(Names, Places::NONE)
        .fits(Positions::Format),
    row("format_arg", 1, 1).fits(Positions::FormatArg),
    row("function_return", 1, 1).x86(),
    row("gcc_struct", 0, 0).x86(),
    row("gnu_inline", 0, 0),
    row("hot", 0, 0),
    row("ifunc", 1, 1).takes(Symbol, NAMED),
    row("indirect_branch", 1, 1).x86(),
    row("indirect_return", 0, 0).x86(),
    row("interrupt", 0, 0).x86(),
    row("leaf", 0, 0),
    row("malloc", 0, 2).takes(Deallocator, Places::POINTER_RESULT),
    row("may_alias", 0, 0),
    row("mode", 1, 1)
        .reads(AttrKind::Mode)
        .takes(Mode, Places::ALL),
    row("ms_abi", 0, 0).x86(),
    row("ms_hook_prologue", 0, 0).x86(),
    row("ms_struct", 0, 0).x86(),
    row("naked", 0, 0).x86(),
    row("no_address_safety_analysis", 0, 0),
    row("no_caller_saved_registers", 0, 0).x86(),
    row("no_icf", 0, 0),
    row("no_instrument_function", 0, 0).refused(NO_FUNCTION),
    row("no_profile_instrument_function", 0, 0),
    row("no_reorder", 0, 0),
    row("no_sanitize", 1, ANY_NUMBER).takes(Text, F),
    row("no_sanitize_address", 0, 0),
    row("no_sanitize_coverage", 0, 0),
    row("no_sanitize_thread", 0, 0),
    row("no_sanitize_undefined", 0, 0),
    row("no_split_stack", 0, 0).refused(NO_FUNCTION),
    row("no_stack_limit", 0, 0).refused(NO_FUNCTION),
    row("no_stack_protector", 0, 0),
    row("nocf_check", 0, 0).x86(),
    row("noclone", 0, 0),
    row("nocommon", 0, 0),
    row("nodirect_extern_access", 0, 0).x86(),
    row("noinit", 0, 0).refused(Places::LOCAL),
    row("noinline", 0, 0),
    row("noipa", 0, 0),
    row("nonstring", 0, 0),
    row("noplt", 0, 0),
    row("noreturn", 0, 0).clang(),
    row("nothrow", 0, 0),
    row("optimize", 1, ANY_NUMBER),
    row("packed", 0, 0).reads(AttrKind::Packed).clang(),
    row("patchable_function_entry", 1, 2),
    row("pure", 0, 0).clang(),
    row("regparm", 1, 1).x86(),
    row("retain", 0, 0),
    row("returns_nonnull", 0, 0).fits(Positions::Result),
    row("returns_twice", 0, 0),
    row("scalar_storage_order", 1, 1).takes(TextOf(&["big-endian", "little-endian"]), RECORDS),
    row("section", 1, 1).takes(Text, STORED).refused(NO_SECTION),
    row("sentinel", 0, 1),
    row("simd", 0, 1).takes(TextOf(&["inbranch", "notinbranch"]), F),
    row("sseregparm", 0, 0).x86(),
    row("stack_protect", 0, 0),
    row("stdcall", 0, 0).x86(),
    row("symver", 1, ANY_NUMBER).takes(Version, STORED),
    row("sysv_abi", 0, 0).x86(),
    row("tainted_args", 0, 0),
    row("target", 1, ANY_NUMBER).takes(Text, F),
    row("target_clones", 1, ANY_NUMBER).takes(FirstText, F),
    row("thiscall", 0, 0).x86(),
    row("tls_model", 1, 1).takes(
        TextOf(&[
            "local-exec",
            "initial-exec",
            "local-dynamic",
            "global-dynamic",
        ]),
        Places::THREAD_LOCAL,
    ),
    row("transparent_union", 0, 0)
        .reads(AttrKind::TransparentUnion)
        .clang(),
    row("unavailable", 0, 1).takes(Text, Places::ALL).clang(),
    row("uninitialized", 0, 0),
    row("unused", 0, 0).clang(),
    row("used", 0, 0),
    row("vector_size", 1, 1).reads(AttrKind::VectorSize).clang(),
    row("visibility", 1, 1)
        .takes(
            TextOf(&["default", "hidden", "protected", "internal"]),
            Places::LINKED,
        )
        .clang(),
    row("warn_if_not_aligned", 0, 1)
        .takes(PowerOfTwo, Places::ALL)
        .refused(UNALIGNED.or(STORED).or(Places::LOCAL)),
    row("warn_unused", 0, 0),
    row("warn_unused_result", 0, 0),
    row("warning", 1, 1),
    row("weak", 0, 0).refused(NOT_PUBLIC),
    row("weakref", 0, 1).takes(Weak, NAMED).refused(
        Places::FUNCTION
            .or(Places::VARIABLE)
            .or(Places::EXTERN_VARIABLE),
    ),
    row("zero_call_used_regs", 1, 1)
        .takes(TextOf(REGISTERS), F)
        .refused(NO_FUNCTION),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(ROWS.is_sorted_by(|a, b| a.name < b.name));
        assert_eq!(find("__section__").map(|row| row.name), Some("section"));
        assert_eq!(find("sections"), None);
    }
}
