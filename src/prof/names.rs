//! Formats values of arguments in the user's terms (places in shared memory, operations, flags), and texts so that they
//! are safe to print.

use super::model::{Arg, ArgKind, Facts, Object, Shared, Tables};
use crate::text::printable;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns a text of the recording as printed in a line: nothing in it controls the terminal or ends the line.
pub fn shown(text: &str) -> Cow<'_, str> {
    match printable(text) {
        shown if shown.contains(['\n', '\t']) => {
            Cow::Owned(shown.replace('\n', "\\n").replace('\t', "\\t"))
        }
        shown => shown,
    }
}

/// Formats JSON for a terminal: control characters that JSON allows verbatim are escaped. They only occur in its
/// strings.
pub fn shown_json(json: &Json) -> String {
    let text = format!("{json:#}");
    let is_command = |c: char| c.is_control() && c != '\n';
    if !text.contains(is_command) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_command(letter) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(letter))),
            false => shown.push(letter),
        }
    }
    shown
}

/// `upc_op_t`, by bit.
const OPERATIONS: [&str; 17] = [
    "UPC_ADD",
    "UPC_MULT",
    "UPC_AND",
    "UPC_OR",
    "UPC_XOR",
    "UPC_LOGAND",
    "UPC_LOGOR",
    "UPC_MIN",
    "UPC_MAX",
    "UPC_GET",
    "UPC_SET",
    "UPC_CSWAP",
    "UPC_SUB",
    "UPC_INC",
    "UPC_DEC",
    "UPC_FUNC",
    "UPC_NONCOMM_FUNC",
];

/// `upc_flag_t`, by bit.
const FLAGS: [&str; 6] = [
    "UPC_IN_ALLSYNC",
    "UPC_IN_MYSYNC",
    "UPC_IN_NOSYNC",
    "UPC_OUT_ALLSYNC",
    "UPC_OUT_MYSYNC",
    "UPC_OUT_NOSYNC",
];

/// Flags of `upc_all_fopen`, by bit.
const FILE_FLAGS: [&str; 11] = [
    "UPC_RDONLY",
    "UPC_WRONLY",
    "UPC_RDWR",
    "UPC_INDIVIDUAL_FP",
    "UPC_COMMON_FP",
    "UPC_APPEND",
    "UPC_CREATE",
    "UPC_EXCL",
    "UPC_STRONG_CA",
    "UPC_TRUNC",
    "UPC_DELETE_ON_CLOSE",
];

/// `gasp_upc_reduction_t`.
const REDUCTIONS: [&str; 11] = ["C", "UC", "S", "US", "I", "UI", "L", "UL", "F", "D", "LD"];

/// Appends the value of an argument; `kind` is its kind in the event's signature.
pub fn push_arg(
    text: &mut String,
    facts: &Facts,
    tables: &Tables,
    arg: &Arg,
    kind: Option<ArgKind>,
) {
    // Writing to a String cannot fail.
    let _ = match (arg, kind) {
        (Arg::Unknown, _) => write!(text, "?"),
        (Arg::Int(bits), Some(ArgKind::Flags)) => {
            push_bits(text, &FLAGS, *bits);
            Ok(())
        }
        (Arg::Int(bits), Some(ArgKind::FileFlags)) => {
            push_bits(text, &FILE_FLAGS, *bits);
            Ok(())
        }
        (Arg::Int(bits), Some(ArgKind::Operation)) => {
            push_bits(text, &OPERATIONS, *bits);
            Ok(())
        }
        (Arg::Int(code), Some(ArgKind::Reduction)) => {
            let name = usize::try_from(*code)
                .ok()
                .and_then(|code| REDUCTIONS.get(code));
            match name {
                Some(name) => write!(text, "{name}"),
                None => write!(text, "{code}"),
            }
        }
        (Arg::Int(int), _) => write!(text, "{int}"),
        (Arg::Size(size), _) => write!(text, "{size}"),
        (Arg::Address(0), Some(ArgKind::Handle)) => write!(text, "complete"),
        (Arg::Address(0), _) => write!(text, "(nil)"),
        (Arg::Address(address), _) => write!(text, "{address:#x}"),
        (Arg::Shared(place), Some(ArgKind::Lock)) => {
            text.push_str("lock ");
            let phase = Some(0);
            push_place(text, facts, tables, Shared { phase, ..*place });
            Ok(())
        }
        (Arg::Shared(place), _) => {
            push_place(text, facts, tables, *place);
            Ok(())
        }
        (Arg::Text(id), _) => write!(text, "{:?}", tables.text(*id)),
        (Arg::Real(real), _) => write!(text, "{real}"),
    };
}

/// Appends the names of all bits, and the bits without a name as a number.
fn push_bits(text: &mut String, names: &[&str], bits: i64) {
    let mut left = bits;
    let mut between = "";
    for (bit, name) in names.iter().enumerate() {
        if bits & 1 << bit != 0 {
            text.push_str(between);
            text.push_str(name);
            left &= !(1 << bit);
            between = "|";
        }
    }
    if left != 0 || between.is_empty() {
        let _ = write!(text, "{between}{left}");
    }
}

/// Appends a place: the element of the static shared object that contains it, and thread and address.
pub fn push_place(text: &mut String, facts: &Facts, tables: &Tables, place: Shared) {
    if place.addr == 0 {
        text.push_str("<null>");
        return;
    }
    if push_object(text, facts, tables, place) {
        text.push(' ');
    }
    let _ = write!(text, "<thread={} ", place.thread);
    if let Some(phase) = place.phase {
        let _ = write!(text, "phase={phase} ");
    }
    let _ = write!(text, "addrfield={:#x}>", place.addr);
}

/// Appends the element of a static shared object that contains this byte, `a[3]`. Returns false if there is none.
pub fn push_object(text: &mut String, facts: &Facts, tables: &Tables, place: Shared) -> bool {
    let Some(id) = tables.object_at(place) else {
        return false;
    };
    let object = &tables.objects[id.0 as usize];
    push_element(text, facts.threads, tables, object, place);
    true
}

fn push_element(text: &mut String, threads: u32, tables: &Tables, object: &Object, place: Shared) {
    text.push_str(tables.text(object.name));
    let total = object.blocks.saturating_mul(object.block_bytes) / object.elem_bytes.max(1);
    let offset = place.addr - object.addr;
    if total > 1 && object.block_bytes > 0 {
        push_indices(
            text,
            threads,
            tables.text(object.type_name),
            object,
            total,
            place,
        );
    }
    match offset % object.elem_bytes.max(1) {
        0 => {}
        inside => {
            let _ = write!(text, "+{inside}");
        }
    }
}

fn push_indices(
    text: &mut String,
    threads: u32,
    type_name: &str,
    object: &Object,
    total: u64,
    place: Shared,
) {
    let offset = place.addr - object.addr;
    let block = (offset / object.block_bytes)
        .saturating_mul(threads.into())
        .saturating_add(place.thread.into());
    let in_block = offset % object.block_bytes;
    let element = block
        .saturating_mul(object.block_bytes / object.elem_bytes.max(1))
        .saturating_add(in_block / object.elem_bytes.max(1));
    let extents = extents(type_name, threads);
    let extents = extents.filter(|extents| extents.iter().product::<u64>() == total);
    let (mut left, mut size) = (element, total);
    for extent in extents.unwrap_or(vec![total]) {
        size /= extent;
        let _ = write!(text, "[{}]", left / size);
        left %= size;
    }
}

/// Returns the extents in the brackets at the end of an array's type; `None` if they are not all numbers (times
/// THREADS).
fn extents(type_name: &str, threads: u32) -> Option<Vec<u64>> {
    let mut rest = type_name.trim_end();
    let mut extents = Vec::new();
    while let Some(inner) = rest.strip_suffix(']') {
        let open = inner.rfind('[')?;
        let factor = |word: &str| match word.trim() {
            "THREADS" => Some(u64::from(threads)),
            number => number.parse().ok(),
        };
        let factors: Option<Vec<u64>> = inner[open + 1..].split('*').map(factor).collect();
        let extent = factors?.into_iter().try_fold(1u64, u64::checked_mul)?;
        extents.push(extent);
        rest = inner[..open].trim_end();
    }
    extents.reverse();
    let product = extents
        .iter()
        .try_fold(1u64, |product, &extent| product.checked_mul(extent));
    product.filter(|&product| product > 0).map(|_| extents)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value that the headers define for this name.
    fn header_value(name: &str) -> u64 {
        let include = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c/include");
        for header in ["upc_types.h", "upcr/atomic_ops.h", "upcr/collective_ops.h"] {
            let text = std::fs::read_to_string(include.join(header)).unwrap();
            let define = format!("#define {name} ");
            if let Some(line) = text.lines().find_map(|line| line.strip_prefix(&define)) {
                return line.trim().parse().unwrap();
            }
        }
        panic!("{name} is in no header");
    }

    #[test]
    fn names_are_those_of_the_headers() {
        for names in [&OPERATIONS[..], &FLAGS] {
            for (bit, name) in names.iter().enumerate() {
                assert_eq!(header_value(name), 1 << bit, "{name}");
            }
        }
    }

    #[test]
    fn bits_have_names() {
        let text = |bits| {
            let mut text = String::new();
            push_bits(&mut text, &FLAGS, bits);
            text
        };
        assert_eq!(text(0), "0");
        assert_eq!(text(9), "UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC");
        assert_eq!(text(65), "UPC_IN_ALLSYNC|64");
    }

    #[test]
    fn extents_of_types() {
        assert_eq!(
            extents("shared [4] double[10*THREADS][3]", 4),
            Some(vec![40, 3])
        );
        assert_eq!(extents("shared int", 4), Some(vec![]));
        assert_eq!(extents("shared int[n]", 4), None);
        assert_eq!(extents("]", 4), None);
    }
}
