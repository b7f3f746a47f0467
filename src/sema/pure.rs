//! Functions of the C library that compute a value of their arguments and do nothing else: loops that call them may be
//! rewritten like others.

use crate::ids::TiVec;
use crate::il::{Object, ObjectId};
use hashbrown::HashSet;
use upcc_grammar::symbol::{Interner, Symbol};

/// Functions of `<math.h>`, for `double`; those for `float` and `long double` have an `f` or an `l` after the name.
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "log",
    "log10",
    "log1p",
    "log2",
    "lround",
    "nearbyint",
    "pow",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Functions of `<stdlib.h>` and `<ctype.h>`.
const OTHERS: &[&str] = &["abs", "labs", "llabs", "tolower", "toupper"];

/// The functions of these names that the unit declares and does not define.
pub(super) fn pure_functions(
    names: &Interner,
    objects: &TiVec<ObjectId, Object>,
) -> HashSet<ObjectId> {
    let variants = |name: &&str| [name.to_string(), format!("{name}f"), format!("{name}l")];
    let mathematics = MATHEMATICS.iter().flat_map(variants);
    let all = mathematics.chain(OTHERS.iter().map(ToString::to_string));
    let spellings = all.flat_map(|name| [format!("__builtin_{name}"), name]);
    let symbols: HashSet<Symbol> = spellings.filter_map(|name| names.get(&name)).collect();
    let known =
        |object: &Object| object.is_function && !object.defined && symbols.contains(&object.name);
    objects
        .iter_enumerated()
        .filter(|(_, object)| known(object))
        .map(|(id, _)| id)
        .collect()
}
