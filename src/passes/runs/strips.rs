//! Strips: where the memory of a section is not mapped, a run reads it into a buffer at once, goes through the buffer, and
//! writes it back at once.
//!
//! A strip moves the reads of a run to its start and the writes to its end. That is right if
//! - nothing in the loop synchronizes or calls a function, so that no other thread can tell;
//! - every iteration makes the access, so that nothing is read or written that the program does not read or write;
//! - no other access of the loop concerns the same bytes: what `sections` does not prove is compared when the run begins.

use super::{Kind, Pointer};
use crate::il::{Body, Module};
use crate::passes::analysis::places::accessed;
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{Form, Loop, Mode, Reference};

/// The size of a buffer in bytes (`UPCR_STRIP_BYTES`).
pub const BYTES: u64 = 8192;

/// The fewest elements in a buffer.
pub(super) const FEWEST: u64 = 16;

/// Maximum number of buffers of a loop (`UPCR_STRIPS`).
pub(super) const MOST: usize = 8;

/// How a pointer goes through memory that is not mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    /// The number of the buffer.
    pub(super) number: usize,
    /// Elements in the buffer; 1 if the pointer does not move.
    pub(super) elements: u64,
    /// The loop may have more iterations than the buffer has elements.
    pub(super) ends_run: bool,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// The runtime may leave the elements where it has them: nothing else goes to memory that is not mapped before the end
    /// of the run.
    pub(super) stays: bool,
    /// Pointers, by their place in the list, whose elements must be others.
    pub(super) apart: Vec<usize>,
}

/// Plans the strips of a loop's pointers.
pub(super) fn plan(
    module: &Module,
    body: &Body,
    (found, form): (&Loop, &Form),
    pointers: &mut [Pointer],
) {
    let references = &found.references;
    if !form.movable {
        return;
    }
    let strips: Vec<Option<Strip>> = pointers
        .iter()
        .map(|pointer| strip(module, body, found, pointers, pointer))
        .collect();
    let fits = |elements| form.most_turns().is_some_and(|turns| turns <= elements);
    let planned = pointers.iter_mut().zip(strips);
    let planned = planned.filter_map(|(pointer, strip)| Some((pointer, strip?)));
    for (number, (pointer, strip)) in planned.take(MOST).enumerate() {
        pointer.strip = Some(Strip {
            number,
            ends_run: strip.elements > 1 && !fits(strip.elements),
            ..strip
        });
    }
    let is_private = |reference: &Reference| {
        let Ok(section) = reference.section else {
            return false;
        };
        let mut owners = pointers.iter();
        owners
            .any(|it| matches!(it.kind, Kind::Private(_)) && it.elements.contains(&section.element))
    };
    if references.iter().all(is_private) {
        let strips = pointers.iter_mut().filter_map(|it| it.strip.as_mut());
        if let Some(last) = strips.filter(|it| it.reads).last() {
            last.stays = !last.writes;
        }
    }
}

fn strip(
    module: &Module,
    body: &Body,
    found: &Loop,
    pointers: &[Pointer],
    pointer: &Pointer,
) -> Option<Strip> {
    let references = &found.references;
    let element = pointer.section.element;
    let size = module.types.fixed_size(body.expr(element).ty)?;
    let elements = if pointer.kind == Kind::Private(Stride::Constant(1)) {
        BYTES / size.max(1)
    } else if pointer.kind == Kind::Private(Stride::ZERO) && size <= BYTES {
        1
    } else {
        return None;
    };
    if elements != 1 && elements < FEWEST {
        return None;
    }
    let own = |reference: &&Reference| matches!(reference.section, Ok(section) if pointer.elements.contains(&section.element));
    let whole = |reference: &&Reference| {
        // A member is less than the element that the buffer is written back with.
        accessed(body, reference.access).is_some_and(|place| pointer.elements.contains(&place))
    };
    let mine = || references.iter().filter(own);
    let reads = mine().any(|it| it.mode != Mode::Write);
    let writes = mine().any(|it| it.mode != Mode::Read);
    let read_always = mine().any(|it| it.certain);
    let written_always = mine()
        .filter(whole)
        .any(|it| it.certain && it.mode != Mode::Read);
    if !read_always || (writes && !written_always) {
        return None;
    }
    // Another thread may wait to see each value of the one element.
    if writes && elements == 1 {
        return None;
    }
    let mut apart = Vec::new();
    for (index, other) in references.iter().enumerate().filter(|(_, it)| !own(it)) {
        if !writes && other.mode == Mode::Read {
            continue;
        }
        let own_ones = references.iter().enumerate().filter(|(_, it)| own(it));
        if own_ones
            .map(|(at, _)| at)
            .all(|at| found.are_independent(at, index))
        {
            continue;
        }
        let section = other.section.as_ref().ok()?;
        let at = pointers
            .iter()
            .position(|it| it.elements.contains(&section.element))?;
        let walk = pointers[at].kind;
        let known = [Stride::ZERO, Stride::Constant(1)].map(Kind::Private);
        if !known.contains(&walk) {
            return None;
        }
        if !apart.contains(&at) {
            apart.push(at);
        }
    }
    Some(Strip {
        number: 0,
        elements,
        ends_run: true,
        reads,
        writes,
        stays: false,
        apart,
    })
}
