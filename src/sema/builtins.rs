//! The argument and result types of GNU builtin functions.
//!
//! A signature is a string of type codes, the result first. A builtin missing from the tables has a result of unknown
//! type, which converts silently: the C compiler knows the builtin, and the call is printed verbatim.
//!
//! | code | type | code | type |
//! |---|---|---|---|
//! | `v` | `void` | `f d e q` | `float`, `double`, `long double`, `_Float128` |
//! | `b` | `_Bool` | `p k` | `void *`, `const void *` |
//! | `c h s t` | `char`, `unsigned char`, `short`, `unsigned short` | `z C` | `char *`, `const char *` |
//! | `i u` | `int`, `unsigned` | `I D F E` | pointers to `int`, `double`, `float`, `long double` |
//! | `l m` | `long`, `unsigned long` (`size_t`) | `T` | the type that the first argument points at |
//! | `Z` | `char **` | `g` | `_Complex` of `d` |
//! | `x y` | `long long`, `unsigned long long` | `1` | the type of the first argument |
//! | `n o` | `__int128`, `unsigned __int128` | `_` | any argument, as it is |
//! | `?` | not modelled | `.` | further arguments of any type |

/// How sema treats a builtin function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Type codes, see the module's table.
    Signature(&'static str),
    /// The signature of the `double` function; this is its variant for the type with this suffix (`f`, `l`, `f128`
    /// ...).
    Math(&'static str, MathType),
    ChooseExpr,
    ConstantP,
    ClassifyType,
    /// `__builtin_complex (re, im)`
    Complex,
    /// Not known to sema; the C compiler may know it.
    Unknown,
}

/// The variants of a mathematical function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MathType {
    Double,
    Float,
    LongDouble,
    Float128,
}

/// Returns the builtin of this name; `None` if the name is not that of a builtin.
pub fn find(name: &str) -> Option<Builtin> {
    if let Some(rest) = name.strip_prefix("__builtin_") {
        return Some(match rest {
            "choose_expr" => Builtin::ChooseExpr,
            "constant_p" => Builtin::ConstantP,
            "classify_type" => Builtin::ClassifyType,
            "complex" => Builtin::Complex,
            _ => search(SIGNATURES, rest)
                .map(Builtin::Signature)
                .or_else(|| math(rest))
                .unwrap_or(Builtin::Unknown),
        });
    }
    if let Some(rest) = name.strip_prefix("__sync_") {
        return Some(search(SYNC, rest).map_or(Builtin::Unknown, Builtin::Signature));
    }
    let rest = name.strip_prefix("__atomic_")?;
    Some(search(ATOMIC, rest).map_or(Builtin::Unknown, Builtin::Signature))
}

/// The signature of a function of the C library whose result is not `int`. A call without a declaration has this
/// meaning if it has the right number of arguments.
pub fn library(name: &str) -> Option<(&'static str, MathType)> {
    let builtin = ALSO_LIBRARY
        .contains(&name)
        .then(|| search(SIGNATURES, name));
    if let Some(codes) = builtin.flatten().or_else(|| search(LIBRARY, name)) {
        return Some((codes, MathType::Double));
    }
    match math(name)? {
        Builtin::Math(codes, ty) if ty != MathType::Float128 && !codes.starts_with('i') => {
            Some((codes, ty))
        }
        _ => None,
    }
}

/// The tables are sorted by name (a test checks this).
fn search(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table
        .binary_search_by(|(key, _)| (*key).cmp(name))
        .ok()
        .map(|at| table[at].1)
}

fn math(name: &str) -> Option<Builtin> {
    const SUFFIXES: [(&str, MathType); 4] = [
        ("", MathType::Double),
        ("f", MathType::Float),
        ("l", MathType::LongDouble),
        ("f128", MathType::Float128),
    ];
    SUFFIXES.iter().find_map(|(suffix, ty)| {
        let base = name.strip_suffix(suffix)?;
        search(MATH, base).map(|codes| Builtin::Math(codes, *ty))
    })
}

const SIGNATURES: &[(&str, &str)] = &[
    ("FILE", "C"),
    ("FUNCTION", "C"),
    ("LINE", "i"),
    ("__clear_cache", "vpp"),
    ("__fprintf_chk", "ipiC."),
    ("__memcpy_chk", "ppkmm"),
    ("__memmove_chk", "ppkmm"),
    ("__mempcpy_chk", "ppkmm"),
    ("__memset_chk", "ppimm"),
    ("__printf_chk", "iiC."),
    ("__snprintf_chk", "izmimC."),
    ("__sprintf_chk", "izimC."),
    ("__stpcpy_chk", "zzCm"),
    ("__strcat_chk", "zzCm"),
    ("__strcpy_chk", "zzCm"),
    ("__strncat_chk", "zzCmm"),
    ("__strncpy_chk", "zzCmm"),
    ("__vsnprintf_chk", "izmimC_"),
    ("__vsprintf_chk", "izimC_"),
    ("_exit", "vi"),
    ("abort", "v"),
    ("abs", "ii"),
    ("add_overflow", "b___"),
    ("add_overflow_p", "b___"),
    ("alloca", "pm"),
    ("alloca_with_align", "pmm"),
    ("assume_aligned", "pkm."),
    ("bcmp", "ikkm"),
    ("bcopy", "vkpm"),
    ("bswap128", "oo"),
    ("bswap16", "tt"),
    ("bswap32", "uu"),
    ("bswap64", "mm"),
    ("bzero", "vpm"),
    ("calloc", "pmm"),
    ("clrsb", "ii"),
    ("clrsbl", "il"),
    ("clrsbll", "ix"),
    ("clz", "iu"),
    ("clzl", "im"),
    ("clzll", "iy"),
    ("cpu_init", "i"),
    ("cpu_is", "iC"),
    ("cpu_supports", "iC"),
    ("ctz", "iu"),
    ("ctzl", "im"),
    ("ctzll", "iy"),
    ("dynamic_object_size", "mki"),
    ("exit", "vi"),
    ("expect", "lll"),
    ("expect_with_probability", "llld"),
    ("extract_return_addr", "pp"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "ix"),
    ("fpclassify", "iiiiii_"),
    ("fprintf", "ipC."),
    ("fputs", "iCp"),
    ("frame_address", "pu"),
    ("free", "vp"),
    ("frob_return_addr", "pp"),
    ("huge_val", "d"),
    ("huge_valf", "f"),
    ("huge_valf128", "q"),
    ("huge_vall", "e"),
    ("index", "zCi"),
    ("inf", "d"),
    ("inff", "f"),
    ("inff128", "q"),
    ("infl", "e"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isdigit", "ii"),
    ("isfinite", "i_"),
    ("isgreater", "i__"),
    ("isgreaterequal", "i__"),
    ("isinf", "i_"),
    ("isinf_sign", "i_"),
    ("isless", "i__"),
    ("islessequal", "i__"),
    ("islessgreater", "i__"),
    ("islower", "ii"),
    ("isnan", "i_"),
    ("isnormal", "i_"),
    ("isprint", "ii"),
    ("isspace", "ii"),
    ("isunordered", "i__"),
    ("isupper", "ii"),
    ("labs", "ll"),
    ("llabs", "xx"),
    ("longjmp", "vpi"),
    ("malloc", "pm"),
    ("memchr", "pkim"),
    ("memcmp", "ikkm"),
    ("memcpy", "ppkm"),
    ("memmove", "ppkm"),
    ("mempcpy", "ppkm"),
    ("memset", "ppim"),
    ("mul_overflow", "b___"),
    ("mul_overflow_p", "b___"),
    ("nan", "dC"),
    ("nanf", "fC"),
    ("nanf128", "qC"),
    ("nanl", "eC"),
    ("nans", "dC"),
    ("nansf", "fC"),
    ("nansl", "eC"),
    ("object_size", "mki"),
    ("parity", "iu"),
    ("parityl", "im"),
    ("parityll", "iy"),
    ("popcount", "iu"),
    ("popcountl", "im"),
    ("popcountll", "iy"),
    ("prefetch", "vk."),
    ("printf", "iC."),
    ("putchar", "ii"),
    ("puts", "iC"),
    ("realloc", "ppm"),
    ("return_address", "pu"),
    ("rindex", "zCi"),
    ("sadd_overflow", "biiI"),
    ("saddl_overflow", "bll_"),
    ("saddll_overflow", "bxx_"),
    ("setjmp", "ip"),
    ("shuffle", "1."),
    ("signbit", "i_"),
    ("signbitf", "if"),
    ("signbitl", "ie"),
    ("smul_overflow", "biiI"),
    ("smull_overflow", "bll_"),
    ("smulll_overflow", "bxx_"),
    ("snprintf", "izmC."),
    ("speculation_safe_value", "1."),
    ("sprintf", "izC."),
    ("ssub_overflow", "biiI"),
    ("ssubl_overflow", "bll_"),
    ("ssubll_overflow", "bxx_"),
    ("stpcpy", "zzC"),
    ("stpncpy", "zzCm"),
    ("strcasecmp", "iCC"),
    ("strcat", "zzC"),
    ("strchr", "zCi"),
    ("strcmp", "iCC"),
    ("strcpy", "zzC"),
    ("strcspn", "mCC"),
    ("strdup", "zC"),
    ("strlen", "mC"),
    ("strncasecmp", "iCCm"),
    ("strncat", "zzCm"),
    ("strncmp", "iCCm"),
    ("strncpy", "zzCm"),
    ("strndup", "zCm"),
    ("strpbrk", "zCC"),
    ("strrchr", "zCi"),
    ("strspn", "mCC"),
    ("strstr", "zCC"),
    ("sub_overflow", "b___"),
    ("sub_overflow_p", "b___"),
    ("thread_pointer", "p"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("trap", "v"),
    ("uadd_overflow", "buu_"),
    ("uaddl_overflow", "bmm_"),
    ("uaddll_overflow", "byy_"),
    ("umul_overflow", "buu_"),
    ("umull_overflow", "bmm_"),
    ("umulll_overflow", "byy_"),
    ("unreachable", "v"),
    ("unwind_init", "v"),
    ("usub_overflow", "buu_"),
    ("usubl_overflow", "bmm_"),
    ("usubll_overflow", "byy_"),
    ("va_arg_pack", "i"),
    ("va_arg_pack_len", "i"),
    ("va_copy", "v__"),
    ("va_end", "v_"),
    ("va_start", "v_."),
    ("vfprintf", "ipC_"),
    ("vprintf", "iC_"),
    ("vsnprintf", "izmC_"),
    ("vsprintf", "izC_"),
];

/// Functions of the C library among [`SIGNATURES`] whose result is not `int`.
const ALSO_LIBRARY: &[&str] = &[
    "alloca", "calloc", "index", "labs", "llabs", "malloc", "memchr", "memcpy", "memmove",
    "mempcpy", "memset", "realloc", "rindex", "stpcpy", "stpncpy", "strcat", "strchr", "strcpy",
    "strcspn", "strdup", "strlen", "strncat", "strncpy", "strndup", "strpbrk", "strrchr", "strspn",
    "strstr",
];

/// Further such functions, except those of [`MATH`], whose types the codes can express.
const LIBRARY: &[(&str, &str)] = &[
    ("aligned_alloc", "pmm"),
    ("asctime", "zp"),
    ("atof", "dC"),
    ("atol", "lC"),
    ("atoll", "xC"),
    ("clock", "l"),
    ("ctime", "zp"),
    ("dcgettext", "zCCi"),
    ("dgettext", "zCC"),
    ("difftime", "dll"),
    ("drand48", "d"),
    ("fdopen", "piC"),
    ("fgets", "zzip"),
    ("fopen", "pCC"),
    ("fread", "mpmmp"),
    ("ftell", "lp"),
    ("fwrite", "mkmmp"),
    ("getcwd", "zzm"),
    ("getenv", "zC"),
    ("gettext", "zC"),
    ("gmtime", "pk"),
    ("localtime", "pk"),
    ("lrand48", "l"),
    ("lseek", "lili"),
    ("mrand48", "l"),
    ("popen", "pCC"),
    ("random", "l"),
    ("strerror", "zi"),
    ("strftime", "mzmCk"),
    ("strnlen", "mCm"),
    ("strtod", "dCZ"),
    ("strtof", "fCZ"),
    ("strtok", "zzC"),
    ("strtol", "lCZi"),
    ("strtoll", "xCZi"),
    ("strtoul", "mCZi"),
    ("strtoull", "yCZi"),
    ("strxfrm", "mzCm"),
    ("time", "lp"),
    ("tmpfile", "p"),
];

/// Each function exists for `double`, `float`, `long double` and `_Float128`.
const MATH: &[(&str, &str)] = &[
    ("acos", "dd"),
    ("acosh", "dd"),
    ("asin", "dd"),
    ("asinh", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atanh", "dd"),
    ("cabs", "dg"),
    ("cacos", "gg"),
    ("cacosh", "gg"),
    ("carg", "dg"),
    ("casin", "gg"),
    ("casinh", "gg"),
    ("catan", "gg"),
    ("catanh", "gg"),
    ("cbrt", "dd"),
    ("ccos", "gg"),
    ("ccosh", "gg"),
    ("ceil", "dd"),
    ("cexp", "gg"),
    ("cimag", "dg"),
    ("clog", "gg"),
    ("clog10", "gg"),
    ("conj", "gg"),
    ("copysign", "ddd"),
    ("cos", "dd"),
    ("cosh", "dd"),
    ("cpow", "ggg"),
    ("cproj", "gg"),
    ("creal", "dg"),
    ("csin", "gg"),
    ("csinh", "gg"),
    ("csqrt", "gg"),
    ("ctan", "gg"),
    ("ctanh", "gg"),
    ("drem", "ddd"),
    ("erf", "dd"),
    ("erfc", "dd"),
    ("exp", "dd"),
    ("exp10", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("fdim", "ddd"),
    ("floor", "dd"),
    ("fma", "dddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("frexp", "ddI"),
    ("gamma", "dd"),
    ("hypot", "ddd"),
    ("ilogb", "id"),
    ("j0", "dd"),
    ("j1", "dd"),
    ("jn", "did"),
    ("ldexp", "ddi"),
    ("lgamma", "dd"),
    ("llrint", "xd"),
    ("llround", "xd"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("logb", "dd"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("modf", "dd_"),
    ("nearbyint", "dd"),
    ("nextafter", "ddd"),
    ("nexttoward", "dde"),
    ("pow", "ddd"),
    ("pow10", "dd"),
    ("powi", "ddi"),
    ("remainder", "ddd"),
    ("remquo", "dddI"),
    ("rint", "dd"),
    ("round", "dd"),
    ("scalb", "ddd"),
    ("scalbln", "ddl"),
    ("scalbn", "ddi"),
    ("significand", "dd"),
    ("sin", "dd"),
    ("sinh", "dd"),
    ("sqrt", "dd"),
    ("tan", "dd"),
    ("tanh", "dd"),
    ("tgamma", "dd"),
    ("trunc", "dd"),
    ("y0", "dd"),
    ("y1", "dd"),
    ("yn", "did"),
];

const SYNC: &[(&str, &str)] = &[
    ("add_and_fetch", "T_T."),
    ("and_and_fetch", "T_T."),
    ("bool_compare_and_swap", "b_TT."),
    ("fetch_and_add", "T_T."),
    ("fetch_and_and", "T_T."),
    ("fetch_and_nand", "T_T."),
    ("fetch_and_or", "T_T."),
    ("fetch_and_sub", "T_T."),
    ("fetch_and_xor", "T_T."),
    ("lock_release", "v_."),
    ("lock_test_and_set", "T_T."),
    ("nand_and_fetch", "T_T."),
    ("or_and_fetch", "T_T."),
    ("sub_and_fetch", "T_T."),
    ("synchronize", "v."),
    ("val_compare_and_swap", "T_TT."),
    ("xor_and_fetch", "T_T."),
];

const ATOMIC: &[(&str, &str)] = &[
    ("add_fetch", "T_Ti"),
    ("always_lock_free", "bmk"),
    ("and_fetch", "T_Ti"),
    ("clear", "v_i"),
    ("compare_exchange", "b___bii"),
    ("compare_exchange_n", "b__Tbii"),
    ("exchange", "v___i"),
    ("exchange_n", "T_Ti"),
    ("fetch_add", "T_Ti"),
    ("fetch_and", "T_Ti"),
    ("fetch_nand", "T_Ti"),
    ("fetch_or", "T_Ti"),
    ("fetch_sub", "T_Ti"),
    ("fetch_xor", "T_Ti"),
    ("is_lock_free", "bmk"),
    ("load", "v__i"),
    ("load_n", "T_i"),
    ("nand_fetch", "T_Ti"),
    ("or_fetch", "T_Ti"),
    ("signal_fence", "vi"),
    ("store", "v__i"),
    ("store_n", "v_Ti"),
    ("sub_fetch", "T_Ti"),
    ("test_and_set", "b_i"),
    ("thread_fence", "vi"),
    ("xor_fetch", "T_Ti"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [SIGNATURES, LIBRARY, MATH, SYNC, ATOMIC] {
            for pair in table.windows(2) {
                assert!(pair[0].0 < pair[1].0, "{} before {}", pair[0].0, pair[1].0);
            }
        }
    }

    #[test]
    fn names() {
        assert_eq!(
            find("__builtin_sqrtf"),
            Some(Builtin::Math("dd", MathType::Float))
        );
        assert_eq!(
            find("__builtin_fmal"),
            Some(Builtin::Math("dddd", MathType::LongDouble))
        );
        assert_eq!(
            find("__builtin___memcpy_chk"),
            Some(Builtin::Signature("ppkmm"))
        );
        assert_eq!(find("__builtin_no_such"), Some(Builtin::Unknown));
        assert_eq!(
            find("__sync_fetch_and_add"),
            Some(Builtin::Signature("T_T."))
        );
        assert_eq!(find("memcpy"), None);
        assert_eq!(library("hypotf"), Some(("ddd", MathType::Float)));
        assert_eq!(library("ilogb"), None);
    }

    #[test]
    fn what_the_library_has_is_in_a_header() {
        let further = LIBRARY.iter().map(|(name, _)| name);
        for name in ALSO_LIBRARY.iter().chain(further) {
            assert!(library(name).is_some(), "{name}");
            assert!(crate::headers::declaring(name).is_some(), "{name}");
        }
    }
}
