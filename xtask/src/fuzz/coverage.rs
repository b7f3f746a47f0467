//! What random programs are made of: each part of the language that they are to test is in some of those of a normal run.

use super::generate::generate;
use super::print::{Dialect, print};
use super::{FIRST, PROGRAMS, STEP, seeds};

/// Text that at least so many have of the programs with all seeds. A normal run has its share of them.
#[rustfmt::skip] // a group a line
const PARTS: &[(usize, &[&str])] = &[
    // Layouts and types.
    (10, &["shared [*] ", "shared [] ", "shared [2] ", "static shared int ", "][", "packed", " : 1;", "double ", "float ", "_Bool ", "unsigned short ", "long long ", "__int128 ", "long double ", "float _Complex ", "double _Complex ", "union r", "_Bool f"]),
    // Where objects come from.
    (10, &["upc_all_alloc(", "upc_global_alloc(", "= upc_alloc("]),
    // Pointers.
    (5, &["upc_phaseof(&", "upc_addrfield(", "upc_resetphase(", "upc_affinitysize(", "upc_elemsizeof(", "upc_blocksizeof(", "(shared void *)&", "*)&B0_[k_])", " != e", " < e", "-= 3;", "++)", "static void walk", " ? &a", ")).f0", "(*(strict shared", "(*(relaxed shared", "] >= &a", "] != &a", "    ++a", " = B0_ + (0);", "    ++a"]),
    // Functions whose pointers may lead to the same elements.
    (10, &["static void shift"]),
    // Loops.
    (5, &["upc_forall (", "; continue) {", "; &a", "while (", "do {", "+= THREADS", "break;", "continue;", "#pragma GCC ivdep", "switch (", "default:\n", "goto skip", "goto out", "goto again"]),
    // Order and synchronization.
    (10, &["upc_notify;", "upc_notify 2", "upc_wait;", "upc_barrier 2 * THREADS", "upc_lock(", "upc_lock_attempt(", "upc_fence", "#pragma upc strict", "<upc_strict.h>", "static strict shared"]),
    // Events of the program's own, and parts that raise no others.
    (20, &["pupc_event_start(", "pupc_event_atomic(", "    #pragma pupc off"]),
    // Transfers and atomics.
    (5, &["upc_memget(", "upc_memput(", "upc_memset(", "upc_memcpy(", "upc_memget_nb(", "upc_memget_nbi(", "upc_memput_nb(", "upc_atomic_strict(", "upc_atomic_relaxed(", "bupc_atomic"]),
    // Collective functions.
    (2, &["upc_all_broadcast(", "upc_all_scatter(", "upc_all_gather(", "upc_all_gather_all(", "upc_all_exchange(", "upc_all_permute(", "upc_all_sort(", "upc_all_reduce", "upc_all_prefix_reduce"]),
];

#[test]
fn the_programs_of_a_normal_run_have_all_parts() {
    let texts: Vec<String> = seeds(FIRST, PROGRAMS)
        .skip(STEP - 1)
        .step_by(STEP)
        .map(|seed| print(&generate(seed), Dialect::Upc))
        .collect();
    let mut rare = Vec::new();
    let nests = texts.iter().filter(|text| has_nest(text)).count();
    assert!(
        nests >= 20 / STEP,
        "upc_forall within upc_forall in {nests} programs"
    );
    let moved = texts.iter().filter(|text| moves_derived(text)).count();
    assert!(
        moved >= 10 / STEP,
        "variables that follow another in {moved} programs"
    );
    for (least, part) in PARTS
        .iter()
        .flat_map(|(least, parts)| parts.iter().map(move |part| (*least, *part)))
    {
        let count = texts.iter().filter(|text| text.contains(part)).count();
        if count < (least / STEP).max(1) {
            rare.push(format!("`{part}` in {count} programs"));
        }
    }
    assert!(rare.is_empty(), "{}", rare.join("\n"));
}

/// True if a variable that follows a loop's variable is moved to another distance.
fn moves_derived(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.any(|line| line.starts_with('i') && line.contains(" = i"))
}

/// True if a `upc_forall` stands in the body of another.
fn has_nest(text: &str) -> bool {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut outer = None;
    for line in text.lines() {
        let depth = indentation(line);
        outer = outer.filter(|&of| depth > of);
        if line.trim_start().starts_with("upc_forall (") {
            if outer.is_some() {
                return true;
            }
            outer = Some(depth);
        }
    }
    false
}
