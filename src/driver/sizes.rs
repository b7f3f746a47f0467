//! `-show-sizes`: the sizes of types, from the C compiler's own macros.

use super::settings::Options;
use super::tool::Show;
use super::toolchain::Compiler;
use crate::cli::Failure;

/// Types, and the macros that give their sizes.
const TYPES: &[(&str, &str)] = &[
    ("short", "__SIZEOF_SHORT__"),
    ("int", "__SIZEOF_INT__"),
    ("long", "__SIZEOF_LONG__"),
    ("long long", "__SIZEOF_LONG_LONG__"),
    ("float", "__SIZEOF_FLOAT__"),
    ("double", "__SIZEOF_DOUBLE__"),
    ("long double", "__SIZEOF_LONG_DOUBLE__"),
    ("size_t", "__SIZEOF_SIZE_T__"),
    ("ptrdiff_t", "__SIZEOF_PTRDIFF_T__"),
    ("wchar_t", "__SIZEOF_WCHAR_T__"),
    ("void *", "__SIZEOF_POINTER__"),
];

/// Returns a table with a line for each type, and the limits of pointers-to-shared.
///
/// # Errors
/// Those of starting the C compiler.
pub fn table(compiler: &Compiler, options: &Options) -> Result<String, Failure> {
    let tool = compiler.tool().args(options.flags.all.iter().cloned());
    let macros = tool
        .args(["-E", "-dM", "-x", "c", "/dev/null"])
        .capture(Show::Nothing)?;
    let macros = String::from_utf8_lossy(&macros);
    let size = |name: &str| {
        macros.lines().find_map(|line| {
            let (found, value) = line.strip_prefix("#define ")?.split_once(' ')?;
            (found == name).then_some(value)
        })
    };
    let mut text = String::new();
    for (name, value) in TYPES
        .iter()
        .filter_map(|(name, known)| Some((name, size(known)?)))
    {
        text.push_str(&format!("{name:<24}{value}\n"));
    }
    let pointers = options.target.pointers();
    for (name, value) in [
        ("shared void *", pointers.bytes()),
        ("UPC_MAX_BLOCK_SIZE", pointers.max_block_size()),
        ("largest THREADS", pointers.max_threads()),
    ] {
        text.push_str(&format!("{name:<24}{value}\n"));
    }
    Ok(text)
}
