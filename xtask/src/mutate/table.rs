//! The mistakes to plant, each with the form of random programs that must fail because of it.

/// A mistake in one place.
pub struct Mistake {
    pub name: &'static str,
    /// Path in the project.
    pub file: &'static str,
    /// Text that occurs in the file once.
    pub old: &'static str,
    pub new: &'static str,
    /// The effect of the mistake.
    pub breaks: &'static str,
    /// The form in which a random program fails.
    pub form: &'static str,
}

#[rustfmt::skip] // two lines per row
pub const MISTAKES: &[Mistake] = &[
    Mistake { name: "locality-last", file: "src/passes/locality/rewrite.rs", breaks: "a thread leaves out the last of its iterations of an upc_forall over cyclic elements",
        old: "let span = self.plus(span, -1);", new: "let span = self.plus(span, -2);", form: "gcc" },
    Mistake { name: "locality-neighbour", file: "src/passes/locality/rewrite.rs", breaks: "the element in front of a thread's block is taken for its own",
        old: "w.plus(begin, front)", new: "w.plus(begin, front.min(0))", form: "gcc" },
    Mistake { name: "locality-minus", file: "src/passes/analysis/refs.rs", breaks: "the index i - 1 is taken for i + 1",
        old: "(Some(d), Some(c), _) => d.checked_sub(c)?,", new: "(Some(d), Some(c), _) => d.checked_add(c)?,", form: "gcc" },
    Mistake { name: "locality-spread", file: "src/passes/locality/rewrite.rs", breaks: "with the affinity i * THREADS / N, a thread begins with an iteration of the one before it",
        old: "let most = self.plus(most, -1);", new: "let most = self.plus(most, -2);", form: "gcc" },
    Mistake { name: "own-part", file: "runtime-c/include/upcr/access.h", breaks: "an element that MYTHREAD selects is taken for that of the thread before",
        old: "upcr_make((upcr_size)mythread, 0,", new: "upcr_make((upcr_size)(mythread - (mythread != 0)), 0,", form: "gcc" },
    Mistake { name: "runs-block", file: "src/passes/runs/pointers.rs", breaks: "a run goes one element beyond its block",
        old: "self.int(i64::from(block) - 1)", new: "self.int(i64::from(block))", form: "static-O0" },
    Mistake { name: "runs-derived", file: "src/passes/sections/derived.rs", breaks: "a variable that a loop sets twice is taken for the value that it has first",
        old: "&& settings_of(body, inner, local) == 1", new: "&& settings_of(body, inner, local) > 0", form: "static-O0" },
    Mistake { name: "strips-certain", file: "src/passes/runs/strips.rs", breaks: "elements that only some iterations write are written back with what a buffer had",
        old: "if !read_always || (writes && !written_always) {", new: "if !read_always && !writes {", form: "apart-auto" },
    Mistake { name: "strips-apart", file: "src/passes/runs/strips.rs", breaks: "a buffer does not see what the same loop writes to its elements",
        old: "        if !apart.contains(&at) {", new: "        if apart.contains(&at) {", form: "apart-auto" },
    Mistake { name: "scatters-apart", file: "src/passes/runs/scatters.rs", breaks: "writes are collected that the same loop reads, or updates",
        old: "chosen.contains(&other) || found.are_independent(at, other)", new: "other < usize::MAX || found.are_independent(at, other)", form: "apart-auto" },
    Mistake { name: "linear-order", file: "runtime-c/src/transport/smp/linear.c", breaks: "in the linear image of an array, a thread's block has the place of another's",
        old: "void *at = image + t * block;", new: "void *at = image + (images->threads - 1 - t) * block;", form: "gcc" },
    Mistake { name: "lower-phase", file: "src/passes/lower/pointer.rs", breaks: "a pointer that is cast to another block size keeps its phase",
        old: "from_block != to_block || sizes.0", new: "sizes.0", form: "gcc" },
    Mistake { name: "emit-parentheses", file: "src/emit/expr.rs", breaks: "a - (b - c) loses its parentheses",
        old: "Prec::Sum => Prec::Product,", new: "Prec::Sum => Prec::Sum,", form: "gcc" },
    Mistake { name: "types-bit-fields", file: "src/types/layout.rs", breaks: "members after bit-fields that cross a storage unit lie elsewhere than for the C compiler",
        old: "if straddles && !member.packed && self.rules.pack == 0 {", new: "if straddles && member.packed && self.rules.pack == 0 {", form: "static" },
    Mistake { name: "header-difference", file: "runtime-c/include/upcr/divide.h", breaks: "differences of pointers into blocks forget the phases",
        old: "(local - phases) * UPCR_THREADS + threads", new: "local * UPCR_THREADS + threads", form: "gcc" },
    Mistake { name: "header-remote-bits", file: "runtime-c/include/upcr/access_remote.h", breaks: "of a bit-field on another machine only the lowest bit is written",
        old: "upcr_mask_.upcr_fields_.f = -1; ", new: "upcr_mask_.upcr_fields_.f = 1; ", form: "apart" },
    Mistake { name: "collective-layout", file: "runtime-c/src/collective/layout.c", breaks: "reductions that start within a block read the wrong elements of the threads before it",
        old: "((size_t)thread < first ? layout->block * layout->size : 0)", new: "0", form: "gcc" },
    Mistake { name: "cache-stale", file: "runtime-c/src/cache/writeback.c", breaks: "the cache keeps what it read before a barrier",
        old: "    forget();\n", new: "", form: "apart-auto" },
];
