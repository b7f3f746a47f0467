//! The headers that ship with the compiler, and the lookup of the header that declares a name.

use include_dir::{Dir, include_dir};
use std::sync::OnceLock;

/// `runtime-c/include`.
pub const INCLUDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/runtime-c/include");

/// The C library names that programs use most.
const C_HEADERS: &[(&str, &str)] = &[
    ("alloca.h", "alloca"),
    ("assert.h", "assert static_assert"),
    (
        "ctype.h",
        "isalnum isalpha isdigit islower isprint ispunct isspace isupper isxdigit tolower toupper",
    ),
    ("errno.h", "errno EINVAL ENOMEM ERANGE EINTR"),
    (
        "float.h",
        "DBL_EPSILON DBL_MAX DBL_MIN DBL_DIG FLT_EPSILON FLT_MAX FLT_MIN",
    ),
    (
        "complex.h",
        "cabs carg cexp cimag clog complex conj cpow creal csqrt",
    ),
    ("inttypes.h", "PRId64 PRIu64 PRIx64 PRId32 PRIu32"),
    ("libintl.h", "dcgettext dgettext gettext"),
    (
        "limits.h",
        "CHAR_BIT CHAR_MAX INT_MAX INT_MIN LONG_MAX LONG_MIN LLONG_MAX LLONG_MIN SHRT_MAX UCHAR_MAX UINT_MAX ULONG_MAX ULLONG_MAX",
    ),
    (
        "math.h",
        "acos asin atan atan2 cbrt ceil cos cosh exp exp2 fabs fabsf floor fmax fmin fmod hypot INFINITY isinf isnan ldexp lround log log10 log2 M_PI NAN pow round sin sinh sqrt sqrtf tan tanh trunc",
    ),
    ("omp.h", "omp_get_thread_num omp_get_num_threads"),
    (
        "pthread.h",
        "pthread_create pthread_join pthread_mutex_lock pthread_t pthread_mutex_t",
    ),
    ("sched.h", "sched_yield"),
    (
        "signal.h",
        "raise signal sigaction SIGINT SIGSEGV SIGTERM SIGUSR1",
    ),
    ("stdarg.h", "va_arg va_end va_list va_start"),
    ("stdbool.h", "bool true false"),
    (
        "stddef.h",
        "NULL offsetof ptrdiff_t size_t wchar_t max_align_t",
    ),
    (
        "stdint.h",
        "int8_t int16_t int32_t int64_t intptr_t uint8_t uint16_t uint32_t uint64_t uintptr_t INT32_MAX INT64_MAX UINT32_MAX UINT64_MAX SIZE_MAX",
    ),
    (
        "stdio.h",
        "FILE EOF BUFSIZ fclose fdopen feof fflush fgetc fgets fopen fprintf fputc fputs fread fscanf fseek ftell fwrite getc getchar perror popen printf putchar puts remove rename scanf setbuf setvbuf snprintf sprintf sscanf stderr stdin stdout tmpfile vfprintf vprintf vsnprintf",
    ),
    (
        "stdlib.h",
        "abort abs aligned_alloc atexit atof atoi atol atoll bsearch calloc div drand48 EXIT_FAILURE EXIT_SUCCESS exit free getenv labs llabs lrand48 malloc mrand48 qsort rand RAND_MAX random realloc srand srand48 srandom strtod strtof strtol strtoll strtoul strtoull system",
    ),
    (
        "string.h",
        "memchr memcmp memcpy memmove mempcpy memset stpcpy stpncpy strcat strchr strcmp strcpy strcspn strdup strerror strlen strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtok strxfrm",
    ),
    ("strings.h", "bzero index rindex strcasecmp strncasecmp"),
    ("sys/time.h", "gettimeofday"),
    (
        "time.h",
        "asctime clock CLOCK_MONOTONIC clock_gettime CLOCKS_PER_SEC ctime difftime gmtime localtime nanosleep strftime time time_t",
    ),
    (
        "unistd.h",
        "access close fork getcwd getpid gethostname lseek read sleep sysconf unlink usleep write",
    ),
];

/// Further headers of C, of which the table above has no name.
const MORE_HEADERS: &[&str] = &[
    "dlfcn.h",
    "dirent.h",
    "fcntl.h",
    "fenv.h",
    "iso646.h",
    "locale.h",
    "malloc.h",
    "stdalign.h",
    "stdatomic.h",
    "stdnoreturn.h",
    "sys/mman.h",
    "sys/resource.h",
    "sys/stat.h",
    "sys/types.h",
    "sys/wait.h",
    "tgmath.h",
    "threads.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

/// The names of the headers of `upcc`, and of those of C that programs use most.
pub fn names() -> impl Iterator<Item = &'static str> {
    let ours = INCLUDE.files().filter_map(|file| file.path().to_str());
    let of_c = C_HEADERS.iter().map(|(header, _)| *header);
    ours.chain(of_c).chain(MORE_HEADERS.iter().copied())
}

/// The header that declares `name`: `<upc.h>`.
pub fn declaring(name: &str) -> Option<String> {
    let in_c = || {
        C_HEADERS
            .iter()
            .find(|(_, names)| names.split(' ').any(|known| known == name))
            .map(|(header, _)| *header)
    };
    let header = ours(name).or_else(in_c).or_else(|| of_integers(name))?;
    Some(format!("<{header}>"))
}

/// Headers that are not C's own: a program may have functions with names of theirs.
const NOT_OF_C: &[&str] = &[
    "<alloca.h>",
    "<libintl.h>",
    "<omp.h>",
    "<pthread.h>",
    "<sched.h>",
    "<strings.h>",
    "<sys/time.h>",
    "<unistd.h>",
];

/// Whether a header is one of C or UPC, whose names no program may use for other functions (C11 7.1.3).
pub fn is_standard(header: &str) -> bool {
    !NOT_OF_C.contains(&header)
}

/// Finds names of `<inttypes.h>` and `<stdint.h>` by pattern, because they are too many for a list: `PRIxPTR`,
/// `uint_fast16_t`, `UINT8_MAX`, `INT64_C`.
fn of_integers(name: &str) -> Option<&'static str> {
    let form = ["PRI", "SCN"].iter().find_map(|p| name.strip_prefix(p));
    if form.is_some_and(|form| {
        let size = form.strip_prefix(|letter: char| "diouxX".contains(letter));
        let size = size.map(|size| size.trim_start_matches("LEAST").trim_start_matches("FAST"));
        size.is_some_and(|size| ["8", "16", "32", "64", "MAX", "PTR"].contains(&size))
    }) {
        return Some("inttypes.h");
    }
    let lower = name.to_ascii_lowercase();
    let rest = lower
        .strip_prefix('u')
        .unwrap_or(&lower)
        .strip_prefix("int")?;
    let rest = rest
        .trim_start_matches("_least")
        .trim_start_matches("_fast");
    let size = ["8", "16", "32", "64", "max", "ptr"]
        .iter()
        .find_map(|size| rest.strip_prefix(size))?;
    let is_type = size == "_t" && lower == name;
    let is_macro = ["_max", "_min", "_c"].contains(&size) && name == name.to_ascii_uppercase();
    (is_type || is_macro).then_some("stdint.h")
}

/// Finds the header of `upcc` that declares `name`.
fn ours(name: &str) -> Option<&'static str> {
    let names = library();
    let found = names.binary_search_by_key(&name, |&(known, _)| known);
    found.ok().map(|at| names[at].1)
}

/// Returns the names of UPC's libraries that begin with `prefix`, sorted, each with its header.
pub fn library_names(prefix: &str) -> Vec<(&'static str, &'static str)> {
    let matching = library()
        .iter()
        .filter(|(name, _)| name.starts_with(prefix));
    matching.copied().collect()
}

/// The names of UPC's libraries, sorted, each with its header. Of the headers that have a name, it is the one with the
/// shortest name of its own: `upc.h` includes most of what the others declare.
fn library() -> &'static [(&'static str, &'static str)] {
    static LIBRARY: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut names: Vec<(&str, &str)> = INCLUDE
            .files()
            .filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
            .flat_map(|(header, text)| library_words(text).map(move |word| (word, header)))
            .collect();
        names.sort_by_key(|&(name, header)| (name, header.len(), header));
        names.dedup_by_key(|&mut (name, _)| name);
        names
    })
}

/// The words of a header that look like names of UPC's libraries, outside comments.
fn library_words(text: &'static str) -> impl Iterator<Item = &'static str> {
    let code = text.split("/*").enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once("*/").map_or("", |(_, code)| code),
    });
    let lines = code.flat_map(str::lines);
    let lines = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|word| {
        let ours = ["upc_", "UPC_", "bupc_"].iter().any(|start| {
            word.strip_prefix(start)
                .is_some_and(|rest| !rest.is_empty())
        });
        // Guards against double inclusion are not for users.
        ours && !word.ends_with('_') && !word.ends_with("_H")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_names() {
        assert_eq!(declaring("upc_all_alloc").as_deref(), Some("<upc.h>"));
        assert_eq!(declaring("printf").as_deref(), Some("<stdio.h>"));
        assert_eq!(declaring("upc_nothing_like_this"), None);
        assert_eq!(declaring("all_alloc"), None);
        // Only comments of our headers have this name.
        assert_eq!(declaring("upc_cray"), None);
        for name in ["PRIu64", "SCNxPTR", "PRIdFAST16"] {
            assert_eq!(declaring(name).as_deref(), Some("<inttypes.h>"), "{name}");
        }
        for name in [
            "uint64_t",
            "int_fast8_t",
            "uintmax_t",
            "UINT8_MAX",
            "INT64_C",
        ] {
            assert_eq!(declaring(name).as_deref(), Some("<stdint.h>"), "{name}");
        }
        for name in ["int8", "uint8_T", "intern_t", "PRI64", "INT_FAST"] {
            assert_eq!(declaring(name), None, "{name}");
        }
    }
}
