//! What to write instead of a function of the C library that gets a pointer-to-shared, or of UPC that gets a
//! pointer-to-local (UPC 7.2.5).

/// The function, the number of the argument, and the way out.
type Row = (&'static [&'static str], u32, &'static str);

const INTO: &str =
    "to copy into shared memory use upc_memput, or upc_memcpy if the source is shared, too";
const OUT_OF: &str =
    "to copy out of shared memory use upc_memget, or upc_memcpy if the destination is shared, too";
const TEXT: &str = "copy the bytes to a private array with upc_memget, and pass the array";
const RESULT: &str =
    "let it write to a private array, and copy that to shared memory with upc_memput";

const ROWS: [Row; 9] = [
    (
        &["memset", "bzero"],
        1,
        "to set bytes of shared memory use upc_memset",
    ),
    (&["memcpy", "memmove", "strcpy", "strncpy"], 1, INTO),
    (&["memcpy", "memmove", "strcpy", "strncpy"], 2, OUT_OF),
    (&["free"], 1, "to free shared memory use upc_free"),
    (
        &[
            "printf", "puts", "strlen", "atoi", "atol", "atof", "strtol", "strtod",
        ],
        1,
        TEXT,
    ),
    (&["memcmp", "strcmp", "strncmp", "strcat"], 1, TEXT),
    (&["memcmp", "strcmp", "strncmp", "strcat"], 2, TEXT),
    (&["fputs", "fwrite", "sscanf"], 1, TEXT),
    (
        &["sprintf", "snprintf", "fgets", "gets", "fread"],
        1,
        RESULT,
    ),
];

/// The same for functions that need a pointer-to-shared.
const NEED_SHARED: [Row; 6] = [
    (
        &["upc_memcpy"],
        1,
        "both places of upc_memcpy are shared: to copy from shared to private memory use upc_memget",
    ),
    (
        &["upc_memcpy"],
        2,
        "both places of upc_memcpy are shared: to copy from private to shared memory use upc_memput",
    ),
    (
        &["upc_memget"],
        2,
        "upc_memget copies from shared memory: to copy into it use upc_memput, between private places memcpy",
    ),
    (
        &["upc_memput"],
        1,
        "upc_memput copies into shared memory: to copy out of it use upc_memget, between private places memcpy",
    ),
    (
        &["upc_memset"],
        1,
        "to set bytes of private memory use memset",
    ),
    (
        &["upc_free", "upc_all_free"],
        1,
        "keep what the allocation functions of UPC return in a pointer-to-shared (`shared T *`); to free private memory, as of malloc, use free",
    ),
];

/// The way out for an argument, a pointer-to-shared, of a function with this name.
pub(super) fn instead_of(function: &str, argument: u32) -> Option<&'static str> {
    find(&ROWS, function, argument)
}

/// The way out for an argument, a pointer-to-local, of a function with this name.
pub(super) fn instead_of_shared(function: &str, argument: u32) -> Option<&'static str> {
    find(&NEED_SHARED, function, argument)
}

fn find(rows: &[Row], function: &str, argument: u32) -> Option<&'static str> {
    rows.iter()
        .find(|(names, at, _)| *at == argument && names.contains(&function))
        .map(|&(_, _, help)| help)
}
