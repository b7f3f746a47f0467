//! Describes a type in words: "pointer to array of 4 shared int in blocks of 3".

use crate::il::Module;
use crate::types::{ArrayLen, FuncType, QualType, Quals, Type};
use upcc_grammar::symbol::Interner;

/// Describes the type as a phrase. Typedefs that hide sharing or indirection are expanded; others are named.
pub fn describe(module: &Module, names: &Interner, qt: QualType) -> String {
    let types = &module.types;
    let qt = match *types.get(qt.ty) {
        Type::Typedef(_) if !is_opaque(module, qt) => types.resolve(qt),
        _ => qt,
    };
    match types.get(qt.ty) {
        Type::Pointer(to) => format!(
            "{}pointer to {}",
            qualifiers(qt),
            describe(module, names, *to)
        ),
        Type::Array(elem, len) => {
            let extent = match *len {
                ArrayLen::Fixed(n) => format!("{n} "),
                ArrayLen::PerThread(1) => "THREADS ".to_owned(),
                ArrayLen::PerThread(n) => format!("{n} * THREADS "),
                ArrayLen::Incomplete => "unknown length of ".to_owned(),
                ArrayLen::Variable(_) => "variable length of ".to_owned(),
            };
            let elem = describe(module, names, *elem);
            let many = matches!(len, ArrayLen::Fixed(n) if *n != 1)
                || matches!(len, ArrayLen::PerThread(_));
            let plural = PLURALS
                .iter()
                .filter(|_| many)
                .find_map(|(one, more)| Some(format!("{more}{}", elem.strip_prefix(one)?)));
            format!("array of {extent}{}", plural.unwrap_or(elem))
        }
        Type::Function(f) => function(module, names, f),
        Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Enum(_)
        | Type::Record(_)
        | Type::Vector(..)
        | Type::VaList
        | Type::Typedef(_)
        | Type::Unknown => {
            let base = types.display(qt.bare(), names);
            format!("{}{base}{}", qualifiers(qt), blocks(qt))
        }
    }
}

/// Plural forms of the beginning of a phrase after "array of 8".
const PLURALS: [(&str, &str); 2] = [("array of", "arrays of"), ("pointer to", "pointers to")];

/// True for a typedef whose name is sufficient: its type is private and neither pointer, array nor function.
fn is_opaque(module: &Module, qt: QualType) -> bool {
    let types = &module.types;
    // The qualifiers of the use are printed with the name.
    !types.has_shared(types.resolve(qt.bare()))
        && !types.is_pointer(qt)
        && !types.is_array(qt)
        && !types.is_function(qt)
}

fn function(module: &Module, names: &Interner, f: &FuncType) -> String {
    let mut params: Vec<String> = f
        .params
        .iter()
        .map(|&p| describe(module, names, p))
        .collect();
    if f.variadic {
        params.push("...".to_owned());
    }
    let takes = match (f.prototype, params.is_empty()) {
        (false, _) => " (parameters not declared)".to_owned(),
        (true, true) => " without parameters".to_owned(),
        (true, false) => format!(" taking ({})", params.join("; ")),
    };
    let gives = if module.types.is_void(f.ret) {
        "returning nothing".to_owned()
    } else {
        format!("returning {}", describe(module, names, f.ret))
    };
    format!("function{takes}, {gives}")
}

const WORDS: [(Quals, &str); 7] = [
    (Quals::STRICT, "strict "),
    (Quals::RELAXED, "relaxed "),
    (Quals::SHARED, "shared "),
    (Quals::CONST, "const "),
    (Quals::VOLATILE, "volatile "),
    (Quals::RESTRICT, "restricted "),
    (Quals::ATOMIC, "atomic "),
];

/// The qualifiers, each followed by a space.
fn qualifiers(qt: QualType) -> String {
    let has = |(bit, word): &(Quals, &'static str)| qt.quals.has(*bit).then_some(*word);
    WORDS.iter().filter_map(has).collect()
}

/// The part of the phrase that describes the block size.
fn blocks(qt: QualType) -> String {
    match qt.block {
        _ if !qt.marked_shared() => String::new(),
        0 => ", all of it on one thread".to_owned(),
        1 => String::new(),
        n => format!(" in blocks of {n}"),
    }
}
