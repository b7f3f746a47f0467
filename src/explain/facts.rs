//! Derives facts from a declaration: storage location, affinity and blocks, sizes, and the environments in which it is
//! legal.

use super::words;
use crate::il::{Module, ObjectId};
use crate::types::{QualType, RecordId, Size, TypedefId};
use std::fmt::Write;
use upcc_grammar::symbol::Interner;

/// A declared entity.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    Object(ObjectId),
    Typedef(TypedefId),
    Record(RecordId),
}

/// A line of the table: its label and its text.
pub type Fact = (&'static str, String);

/// Column at which the text of a fact begins.
const INDENT: usize = 17;

/// Writes a fact, wrapped at `width` columns.
pub fn write_fact(out: &mut String, label: &str, text: &str, width: usize) {
    wrap(out, format!("  {label:<15}"), INDENT, text, width);
}

/// Writes `text` after `line`, wrapped at `width` columns; further lines begin at column `indent`.
pub fn wrap(out: &mut String, mut line: String, indent: usize, text: &str, width: usize) {
    for word in text.split(' ') {
        let full = line.chars().count() + 1 + word.chars().count() > width;
        if full && line.len() > indent {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{}", line.trim_end());
            line = " ".repeat(indent);
        }
        if !(line.is_empty() || line.ends_with(' ')) {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// Maximum length of a chain of pointers that is explained; more levels would add no information.
const LEVELS: usize = 4;

/// The environments in which a declaration is legal.
#[derive(Clone, Copy, Debug)]
pub enum Legal<'a> {
    Both,
    /// Only with static THREADS, with the error that it causes with dynamic THREADS.
    Static(&'a str),
    /// Not examined.
    Unknown,
}

/// Returns all facts about an object (or the target of a typedef) of type `said`.
pub fn facts(module: &Module, names: &Interner, said: QualType, legal: Legal<'_>) -> Vec<Fact> {
    let types = &module.types;
    let mut list = Vec::new();
    if types.is_function(said) {
        list.push(("lives in", "the program's code, as any function".to_owned()));
        return list;
    }
    list.push(("lives in", home(module, said).to_owned()));
    if types.is_shared(said) {
        list.extend(layout(module, said));
    }
    if let Some(size) = size(module, said) {
        list.push(("size", size));
    }
    let mut target = types.pointee(types.ultimate(said));
    for _ in 0..LEVELS {
        let Some(to) = target else { break };
        if types.is_function(to) {
            break;
        }
        let place = if types.is_shared(to) {
            "shared memory"
        } else {
            "private memory of the thread that uses the pointer"
        };
        list.push((
            "points into",
            format!("{place}: {}", words::describe(module, names, to)),
        ));
        if types.is_shared(to) {
            list.extend(arithmetic(module, to));
        }
        target = types.pointee(types.ultimate(to));
    }
    if types.is_shared(said) {
        let legal = match legal {
            Legal::Both => Some("with static THREADS (-T=N) and with dynamic THREADS".to_owned()),
            Legal::Static(why) => Some(format!(
                "with static THREADS (-T=N) only. With dynamic THREADS: {why}"
            )),
            Legal::Unknown => None,
        };
        list.extend(legal.map(|legal| ("legal", legal)));
    }
    list
}

fn home(module: &Module, qt: QualType) -> &'static str {
    if module.types.is_shared(qt) {
        "shared memory: one object for all threads"
    } else {
        "private memory: each thread has its own"
    }
}

/// Affinity and blocks of a shared object.
fn layout(module: &Module, qt: QualType) -> Vec<Fact> {
    let types = &module.types;
    let Some((elem, block)) = types.shared_elem(qt) else {
        return Vec::new();
    };
    if !types.is_array(qt) {
        return vec![("affinity", "thread 0".to_owned())];
    }
    let bytes = types
        .fixed_size(elem)
        .map(|n| n * u64::from(block))
        .map_or(String::new(), |n| format!(" ({})", bytes(n)));
    let (block_size, affinity) = match block {
        0 => (
            "indefinite".to_owned(),
            "thread 0 has all elements".to_owned(),
        ),
        1 => (
            format!("1 element{bytes}, the default"),
            "element i: thread i % THREADS, phase 0".to_owned(),
        ),
        n => (
            format!("{n} elements{bytes}"),
            format!("element i: thread (i / {n}) % THREADS, phase i % {n}"),
        ),
    };
    let counted = if types.array(qt).is_some_and(|(e, _)| types.is_array(e)) {
        format!("{affinity} (i counts in row order)")
    } else {
        affinity
    };
    let mut list = vec![("block size", block_size), ("affinity", counted)];
    list.extend(blocks(module, qt, elem, block).map(|text| ("blocks", text)));
    list
}

/// The number of blocks, and the number of blocks per thread.
fn blocks(module: &Module, qt: QualType, elem: QualType, block: u32) -> Option<String> {
    if block == 0 {
        return None;
    }
    let types = &module.types;
    let (size, block) = (types.fixed_size(elem)?, u64::from(block));
    let last = |count: u64| match count % block {
        0 => String::new(),
        part => format!(", the last one of {}", elements(part)),
    };
    Some(match types.size_of(qt)? {
        Size::Fixed(bytes) => {
            let count = bytes.checked_div(size)?;
            let blocks = count.div_ceil(block);
            format!("{blocks}{}", last(count))
        }
        Size::PerThread(bytes) => {
            let count = bytes.checked_div(size)?;
            if count % block == 0 {
                format!("{} of each thread", count / block)
            } else {
                format!(
                    "{count} * THREADS / {block}, rounded up: at most {} of a thread",
                    count.div_ceil(block)
                )
            }
        }
        Size::Variable => return None,
    })
}

fn size(module: &Module, qt: QualType) -> Option<String> {
    let types = &module.types;
    let pointer = if types.is_pts(qt) {
        if types.pts_bytes == 8 {
            " (thread, phase and address packed; 16 with -fupc-pts=struct)"
        } else {
            " (thread, phase and address)"
        }
    } else {
        ""
    };
    match types.size_of(qt)? {
        Size::Fixed(n) => Some(format!("{}{pointer}", bytes(n))),
        Size::PerThread(n) => Some(format!("{n} * THREADS bytes")),
        Size::Variable => None,
    }
}

/// Describes the effect of adding to a pointer-to-shared.
fn arithmetic(module: &Module, to: QualType) -> Vec<Fact> {
    let types = &module.types;
    let Some((elem, block)) = types.shared_elem(to) else {
        return Vec::new();
    };
    if types.is_void(elem) {
        let text = "none: cast it to a pointer to a complete type first";
        return vec![("arithmetic", text.to_owned())];
    }
    let per_step = match (types.size_of(to), types.fixed_size(elem)) {
        (Some(Size::Fixed(whole)), Some(one)) if one > 0 => (whole / one).to_string(),
        (Some(Size::PerThread(whole)), Some(one)) if one > 0 => {
            format!("{} * THREADS", whole / one)
        }
        _ => return Vec::new(),
    };
    let step = match per_step.as_str() {
        "1" => "1 element".to_owned(),
        n => format!("{n} elements"),
    };
    let way = match block {
        0 => "on the same thread, as a C pointer does".to_owned(),
        1 => "dealt one to each thread in turn: to the next thread, its phase stays 0".to_owned(),
        n => format!(
            "in blocks of {n}: through the phases 0 to {} of a block, then to the next thread's",
            n - 1
        ),
    };
    vec![("arithmetic", format!("adding 1 goes {step} further, {way}"))]
}

fn bytes(n: u64) -> String {
    match n {
        1 => "1 byte".to_owned(),
        n => format!("{n} bytes"),
    }
}

fn elements(n: u64) -> String {
    match n {
        1 => "1 element".to_owned(),
        n => format!("{n} elements"),
    }
}
