//! What to write instead of a function of the C library that gets a pointer-to-shared (UPC 7.2.5).

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

/// The way out for an argument of a function with this name.
pub(super) fn instead_of(function: &str, argument: u32) -> Option<&'static str> {
    ROWS.iter()
        .find(|(names, at, _)| *at == argument && names.contains(&function))
        .map(|&(_, _, help)| help)
}
