//! Every diagnostic of `upcc`: number, severity, title and the rule it enforces. This is the single source of these
//! facts.
//!
//! Blocks of numbers: 00 driver and text, 01 syntax, 02 C declarations, 03 C expressions, 04 C statements, 05 shared
//! types and layouts, 06 shared expressions, 07 UPC statements, 08 pragmas, 09 limits of this compiler. A released code
//! keeps its meaning.

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// No code is generated.
    Error,
    /// Reported; translation continues.
    Warning,
}

/// The relation between a warning of `upcc` and the C compiler's warning of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// The C compiler has no warning of this name.
    Ours,
    /// As `Ours`, and off unless enabled by name or with `-Wextra`.
    Extra,
    /// The C compiler also has a warning of this name, about other places: the option applies to both.
    Both,
    /// The C compiler has this warning, but `upcc` suppresses it there and reports it at the user's own text.
    InPlace,
}

/// The option that governs a warning: `-Wname`, `-Wno-name`, `-Werror=name`, `-Wno-error=name`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WarningOption {
    /// The name without `-W`: gcc's name where gcc has the same warning, else `upc-...` for a warning about UPC.
    pub name: &'static str,
    /// Whether the C compiler knows the option too.
    pub reach: Reach,
}

/// The properties of a code.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// Number, unique within its severity's letter.
    pub number: u16,
    /// Severity of the diagnostics with this code.
    pub severity: Severity,
    /// The title of the diagnostic: what is wrong, in general terms.
    pub title: &'static str,
    /// The rule: a section of UPC 1.3 (`UPC 6.5.2`) or of C11 (`C11 6.7.2`).
    pub rule: &'static str,
    /// `Some` for every warning, `None` for every error.
    pub option: Option<WarningOption>,
}

/// A diagnostic code; compared by number.
pub type Code = &'static CodeInfo;

impl std::fmt::Display for CodeInfo {
    /// Formats the code: `E0501`, `W0205`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = match self.severity {
            Severity::Error => 'E',
            Severity::Warning => 'W',
        };
        write!(out, "{letter}{:04}", self.number)
    }
}

/// Finds the code spelled `E0501`, in either case.
pub fn find(spelled: &str) -> Option<Code> {
    ALL.iter()
        .find(|code| code.to_string().eq_ignore_ascii_case(spelled))
        .copied()
}

/// All warnings with their options.
pub fn warnings() -> impl Iterator<Item = (Code, WarningOption)> {
    ALL.iter()
        .filter_map(|&code| code.option.map(|option| (code, option)))
}

macro_rules! option {
    () => {
        None
    };
    ($reach:ident $name:literal) => {
        Some(WarningOption {
            name: $name,
            reach: Reach::$reach,
        })
    };
}

macro_rules! codes {
    ($($severity:ident $number:literal $name:ident $title:literal $rule:literal $($reach:ident $option:literal)?;)*) => {
        $(#[doc = $title] pub const $name: Code = &CodeInfo {
            number: $number,
            severity: Severity::$severity,
            title: $title,
            rule: $rule,
            option: option!($($reach $option)?),
        };)*
        /// All codes in ascending order of number.
        pub const ALL: &[Code] = &[$($name),*];
    };
}

codes! {
    // 00: driver and text
    Error   1 INTERNAL "internal error" "";
    Error   2 NO_HEADER "header not found" "C11 6.10.2";

    // 01: syntax
    Error   100 SYNTAX "syntax error" "C11 6.9";
    Error   101 INVALID_TOKEN "invalid token" "C11 6.4";
    Error   102 UNTERMINATED "unterminated literal or comment" "C11 6.4";
    Error   103 BAD_LITERAL "malformed constant" "C11 6.4.4";
    Error   104 UNCLOSED "unclosed bracket" "C11 6.9";
    Error   105 BAD_ATTRIBUTE "invalid attribute" "C11 6.7";

    // 02: C declarations
    Error   200 REDECLARED "redeclared with a different type or kind" "C11 6.7";
    Error   201 REDEFINED "redefined" "C11 6.9";
    Error   202 BAD_SPECIFIERS "invalid combination of declaration specifiers" "C11 6.7.2";
    Error   204 INCOMPLETE_TYPE "incomplete type" "C11 6.7";
    Error   205 BAD_ARRAY_SIZE "invalid array size" "C11 6.7.6.2";
    Error   206 BAD_ELEMENT_TYPE "invalid array element type" "C11 6.7.6.2";
    Error   207 BAD_FUNCTION_TYPE "invalid function type" "C11 6.7.6.3";
    Error   208 BAD_PARAMETER "invalid parameter" "C11 6.7.6.3";
    Error   209 BAD_BIT_FIELD "invalid bit-field" "C11 6.7.2.1";
    Error   210 DUPLICATE_MEMBER "duplicate member" "C11 6.7.2.1";
    Error   211 TAG_MISMATCH "tag used as another kind" "C11 6.7.2.3";
    Error   213 BAD_INITIALIZER "invalid initialiser" "C11 6.7.9";
    Error   214 BAD_DESIGNATOR "invalid designator" "C11 6.7.9";
    Warning 215 EXCESS_INITIALIZERS "more initialisers than elements" "C11 6.7.9" Ours "excess-initializers";
    Error   216 BAD_ALIGNMENT "invalid alignment" "C11 6.7.5";
    Error   217 STATIC_ASSERT "static assertion failed" "C11 6.7.10";
    Warning 218 IMPLICIT_INT "type defaults to int" "C11 6.7.2" InPlace "implicit-int";
    Error   219 UNKNOWN_TYPE "unknown type name" "C11 6.7.8";
    Error   221 BAD_VLA "variable length array not allowed here" "C11 6.7.6.2";
    Error   224 FLEXIBLE_ARRAY "flexible array member not allowed here" "C11 6.7.2.1";
    Error   225 LINKAGE "conflicting linkage" "C11 6.2.2";
    Warning 226 LIBRARY_DECLARATION "library function declared with a different type" "C11 7.1.4" Ours "upc-library-declaration";
    Error   227 BAD_RESTRICT "restrict on a type that is not a pointer to an object" "C11 6.7.3";
    Warning 228 FUNCTION_SPECIFIER "function specifier on a declaration of something other than a function" "C11 6.7.4" Ours "function-specifier";
    Warning 229 MISSING_INCLUDE "header not included" "C11 7.1.2" Ours "upc-missing-include";

    Error   230 NOT_CONSTANT_INITIALIZER "initialiser is not constant" "C11 6.7.9";
    Error   231 BAD_STORAGE "storage class not allowed here" "C11 6.7.1";
    Error   232 OBJECT_TOO_LARGE "type too large" "C11 6.5.3.4";
    Error   233 ENUM_OVERFLOW "enumerator out of range" "C11 6.7.2.2";
    Error   234 BAD_ATOMIC "_Atomic on a type that cannot have it" "C11 6.7.2.4";
    Error   235 FLEXIBLE_ELEMENTS "elements of a flexible array member without storage" "C11 6.7.2.1p18, GNU C";

    // 03: C expressions
    Error   300 UNDECLARED "undeclared identifier" "C11 6.5.1";
    Warning 301 IMPLICIT_FUNCTION "implicit declaration of a function" "C11 6.5.2.2" InPlace "implicit-function-declaration";
    Error   302 BAD_OPERANDS "invalid operands" "C11 6.5";
    Error   303 NOT_LVALUE "not assignable" "C11 6.5.16";
    Error   304 READ_ONLY "assignment to a const object" "C11 6.5.16";
    Error   305 BAD_ASSIGNMENT "incompatible types in assignment" "C11 6.5.16.1";
    Warning 306 POINTER_MISMATCH "incompatible pointer types" "C11 6.5.16.1" Both "incompatible-pointer-types";
    Warning 307 LOST_QUALIFIERS "qualifiers of a pointer's target are discarded" "C11 6.5.16.1" Both "discarded-qualifiers";
    Error   309 NOT_CALLABLE "called object is not a function" "C11 6.5.2.2";
    Error   310 ARGUMENT_COUNT "wrong number of arguments" "C11 6.5.2.2";
    Error   311 BAD_ARGUMENT "argument of the wrong type" "C11 6.5.2.2";
    Error   312 NO_MEMBER "no such member" "C11 6.5.2.3";
    Error   313 NOT_POINTER "not a pointer" "C11 6.5.3.2";
    Error   314 BAD_ADDRESS_OF "address cannot be taken" "C11 6.5.3.2";
    Error   315 BAD_CAST "invalid cast" "C11 6.5.4";
    Error   316 BAD_SIZEOF "size of this type is not known" "C11 6.5.3.4";
    Error   317 NOT_CONSTANT "not an integer constant expression" "C11 6.6";
    Error   318 NOT_SCALAR "scalar required" "C11 6.5";
    Error   319 BAD_GENERIC "no association matches, or several do" "C11 6.5.1.1";
    Error   320 BAD_BUILTIN "invalid use of a built-in function" "GNU C 6.59";
    Error   321 VOID_VALUE "value of a void expression used" "C11 6.3.2.2";
    Error   324 BAD_LABEL_ADDRESS "invalid label address" "GNU C 6.3";

    Warning 325 FORMAT "format that does not fit its arguments" "C11 7.21.6" InPlace "format";
    Warning 326 FORMAT_EXTRA "argument that no conversion uses" "C11 7.21.6" InPlace "format-extra-args";

    // 04: C statements
    Error   400 BREAK_OUTSIDE "break outside a loop or switch" "C11 6.8.6.3";
    Error   401 CONTINUE_OUTSIDE "continue outside a loop" "C11 6.8.6.2";
    Error   402 CASE_OUTSIDE "case or default outside a switch" "C11 6.8.1";
    Error   403 DUPLICATE_CASE "duplicate case" "C11 6.8.4.2";
    Error   404 UNDEFINED_LABEL "label used but not defined" "C11 6.8.6.1";
    Error   405 DUPLICATE_LABEL "duplicate label" "C11 6.8.1";
    Warning 407 RETURN_MISMATCH "return statement does not match the function's type" "C11 6.8.6.4" Both "return-type";
    Error   409 BAD_SWITCH "switch on a value that is not an integer" "C11 6.8.4.2";
    Error   410 BAD_ASM "invalid asm statement" "GNU C 6.47";
    Error   411 JUMP_INTO_SCOPE "jump into the scope of a variable length array" "C11 6.8.6.1";
    Warning 412 ASSIGNED_CONDITION "assignment used as a condition" "C11 6.8.4" Both "parentheses";

    // 05: shared types and layouts
    Error   500 SHARED_AUTOMATIC "shared object with automatic storage duration" "UPC 6.5.2";
    Error   501 SHARED_MEMBER "shared member of a structure or union" "UPC 6.5.1.1";
    Error   502 TWO_BLOCK_SIZES "more than one block size" "UPC 6.5";
    Error   503 STRICT_AND_RELAXED "both strict and relaxed" "UPC 6.5";
    Error   504 REFERENCE_WITHOUT_SHARED "strict or relaxed without shared" "UPC 6.5.1.1";
    Error   505 STAR_ON_POINTER "layout [*] for the target of a pointer" "UPC 6.5.1.1";
    Error   506 STAR_IN_TYPEDEF "layout [*] in a typedef" "UPC 6.5.1.1";
    Error   507 LAYOUT_ON_VOID "layout qualifier on shared void" "UPC 6.5.1.1";
    Error   508 BLOCK_SIZE_RANGE "block size out of range" "UPC 6.3.3";
    Error   509 BLOCK_SIZE_NOT_CONSTANT "block size is not an integer constant" "UPC 6.5.1.1";
    Error   510 THREADS_REQUIRED "shared array needs THREADS in one dimension" "UPC 6.5.2.1";
    Error   511 THREADS_TWICE "THREADS in more than one dimension" "UPC 6.5.2.1";
    Error   512 THREADS_FORM "THREADS may only be multiplied by a positive constant" "UPC 6.5.2.1";
    Error   513 SHARED_PARAMETER "shared parameter or function" "UPC 6.5.2";
    Error   514 SHARED_INITIALIZER "initialiser of a shared object" "UPC 6.5.2";
    Error   515 STAR_WITHOUT_SIZE "layout [*] needs an array of known size" "UPC 6.5.1.1";
    Error   516 SHARED_TOO_LARGE "shared object too large" "UPC 6.5.2.1";
    Error   517 SHARED_VLA "shared array of variable length" "UPC 6.5.2.1";
    Error   518 SHARED_THREAD_LOCAL "shared object that is thread-local or register" "UPC 6.5.2";
    Error   519 THREADS_INDEFINITE "THREADS in an array of indefinite block size" "UPC 6.5.2.1";
    Error   520 STATIC_SIZE "static shared data too large to address" "docs/runtime.md";
    Warning 521 THREADS_PRODUCT "THREADS multiplied by several constants" "UPC 6.5.2.1" Ours "upc-threads-product";

    // 06: shared expressions
    Error   600 LOCAL_TO_SHARED "pointer-to-local converted to pointer-to-shared" "UPC 6.4.3";
    Error   601 SHARED_TO_LOCAL "pointer-to-shared converted to pointer-to-local without a cast" "UPC 6.4.3";
    Warning 602 BLOCK_SIZE_MISMATCH "pointers-to-shared of different block sizes" "UPC 6.5.1.1" Ours "upc-block-size";
    Error   603 MIXED_POINTERS "pointer-to-shared and pointer-to-local in one operator" "UPC 6.4.2";
    Error   604 RELATION_INCOMPLETE "relational operator on a pointer-to-shared of incomplete type" "UPC 6.4.2";
    Error   605 ARITHMETIC_INCOMPLETE "arithmetic on a pointer-to-shared of incomplete type" "UPC 6.4.2";
    Error   606 SIZEOF_NOT_SHARED "operand of a UPC size operator is not shared" "UPC 6.4.1";
    Error   607 SHARED_INT_CAST "pointer-to-shared converted from an integer" "UPC 6.4.3";
    Error   608 SHARED_ASM "shared operand of asm" "UPC 6.4";
    Error   609 SHARED_BIT_FIELD_ADDRESS "address of a shared bit-field" "UPC 6.4.4";
    Error   610 SHARED_SIZE_DYNAMIC "size depends on THREADS in the dynamic environment" "UPC 6.4.1.1";
    Error   611 ASSIGN_THREADS "THREADS and MYTHREAD are not objects" "UPC 6.3";
    Warning 612 SHARED_TO_INT "pointer-to-shared converted to an integer" "UPC 6.4.3" Ours "upc-pointer-to-int";
    Error   613 SHARED_ATOMIC "atomic qualifier on a shared type" "UPC 6.5.1.1";
    Warning 614 REMOTE_TO_LOCAL "cast to pointer-to-local of an element of another thread" "UPC 6.4.3" Ours "upc-remote-cast";
    Warning 615 PRIVATE_IN_SHARED "address of a private object stored in shared memory" "UPC 3.4.2" Ours "upc-private-in-shared";
    Warning 616 RELAXED_SPIN "loop that waits for a relaxed access" "UPC 5.1.2.3" Ours "upc-relaxed-spin";
    Warning 617 MYTHREAD_NEVER "MYTHREAD compared with a value that it never has" "UPC 6.3.2" Ours "upc-mythread-compare";
    Warning 618 COPY_RANGE "copy beyond one thread's portion of an array" "UPC 7.2.5" Ours "upc-copy-range";
    Warning 619 INNER_SHARED_CAST "cast that makes inner pointers pointers-to-shared" "UPC 6.4.3" Ours "upc-inner-cast";
    Warning 620 NO_SUCH_THREAD "number of a thread that does not exist" "UPC 7.2.3" Ours "upc-no-such-thread";
    Warning 621 SHARED_ARGUMENT "pointer-to-shared passed to a function of the C library" "UPC 6.4.3" Ours "upc-shared-argument";
    Warning 622 NULL_HANDLE "lock or file that does not exist" "UPC 7.2.4" Ours "upc-null-handle";
    Warning 623 SHARED_UPDATE "shared object that all threads update at once" "UPC 5.1.2.3" Ours "upc-shared-update";
    Warning 624 RELAXED_SIGNAL "relaxed write that announces data" "UPC 5.1.2.3" Ours "upc-relaxed-signal";

    // 07: UPC statements
    Error   700 BARRIER_VALUE "barrier expression is not assignable to int" "UPC 6.6.1";
    Error   701 FORALL_AFFINITY "affinity is neither an integer nor a pointer-to-shared" "UPC 6.6.2";
    Error   702 FORALL_JUMP_IN "jump into a upc_forall" "UPC 6.6.2";
    Warning 703 NESTED_FORALL "nested upc_forall" "UPC 6.6.2" Ours "upc-nested-forall";
    Warning 704 BARRIER_IN_FORALL "collective inside a upc_forall body" "UPC 6.6.2" Ours "upc-barrier-in-forall";
    Warning 705 AFFINITY_CONSTANT "affinity that gives all iterations to one thread" "UPC 6.6.2" Ours "upc-affinity-constant";
    Warning 706 AFFINITY_EFFECT "side effect in an affinity" "UPC 6.6.2" Ours "upc-affinity-effect";
    Warning 707 AFFINITY_MYTHREAD "affinity that differs between threads" "UPC 6.6.2" Ours "upc-affinity-mythread";
    Warning 708 FORALL_LEFT "upc_forall left before its end" "UPC 6.6.2" Ours "upc-forall-exit";
    Warning 709 BARRIER_CONDITIONAL "barrier or collective call that some threads do not reach" "UPC 6.6.1" Ours "upc-conditional-barrier";
    Warning 710 NOTIFY_ORDER "upc_notify and upc_wait do not alternate" "UPC 6.6.1" Ours "upc-notify-wait";
    Warning 711 OLD_SPELLING "keyword spelled as in UPC 1.0" "UPC 6.2" Ours "upc-old-spelling";
    Warning 712 AFFINITY_VALUE "value of a shared object as affinity" "UPC 6.6.2" Ours "upc-affinity-value";
    Warning 713 FORALL_DEPENDENCE "iterations of a upc_forall that depend on each other" "UPC 6.6.2" Ours "upc-forall-dependence";

    Error   714 FORALL_NO_AFFINITY "upc_forall without affinity" "UPC 6.6.2";

    // 08: pragmas
    Warning 800 UNKNOWN_UPC_PRAGMA "unknown upc pragma" "UPC 6.7.1" Both "unknown-pragmas";
    Warning 801 PRAGMA_PLACE "misplaced upc pragma" "UPC 6.7.1" Ours "upc-pragma-place";

    // 09: limits of this compiler
    Error   900 UNSUPPORTED "not supported" "";
    Error   901 NESTED_FUNCTION "nested function" "GNU C 6.4";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_and_are_unique() {
        assert!(ALL.windows(2).all(|pair| pair[0].number < pair[1].number));
    }

    #[test]
    fn warnings_have_options_of_their_own() {
        for code in ALL {
            assert_eq!(
                code.severity == Severity::Warning,
                code.option.is_some(),
                "{code}"
            );
        }
        let mut names: Vec<&str> = warnings().map(|(_, option)| option.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(
            !names
                .iter()
                .any(|name| name.starts_with("no-") || name.starts_with("error"))
        );
    }

    #[test]
    fn spelling_and_lookup() {
        assert_eq!(SHARED_AUTOMATIC.to_string(), "E0500");
        assert_eq!(find("w0218"), Some(IMPLICIT_INT));
        assert_eq!(find("E0218"), None);
    }
}
