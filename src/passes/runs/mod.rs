//! Runs: a counted loop goes through the memory of one thread by private pointers, as far as its sections stay there.
//!
//! ```text
//! for (i = 0; i < n; i++) s += a[i];            // shared [B] double a[...]
//! ```
//!
//! becomes
//!
//! ```text
//! long count = n - i, done = 0;
//! while (done < count) {
//!     long run = count - done;
//!     shared [B] double *at = &a[i];
//!     run = min(run, elements from at to the end of its block);
//!     double *own = upcr_local_nn(at);
//!     for (long turn = 0; turn < run; turn++, i++)
//!         s += own[turn];
//!     done += run;
//! }
//! ```
//!
//! A section that moves by whole blocks (`b[k][j]` along a column, if rows are blocks) has a private pointer that moves
//! from thread to thread with an addition and a comparison (`upcr_walk`). A strict access whose elements lie in another
//! thread each (`shared int a[N]`, `a[i]`) has a pointer-to-shared that moves on by one element, in place of a division for
//! each access, if THREADS is dynamic; so has a relaxed one where memory may not be mapped.
//!
//! The owner and the address are computed once for a block, and the inner loop is one that the C compiler vectorises,
//! also if the block has affinity to another thread. Sections that stay in one thread to the end of the loop need no
//! outer loop. The iterations run in their order, and each makes the accesses that it made before, in the same order, so
//! the memory model permits the change wherever a relaxed access is a plain load or store: where the memory is mapped.
//! Where it may not be (`UPCR_REMOTE`), a run goes through a buffer (`strips`), or a test for each run selects a copy of
//! the loop with the accesses as they were.
//!
//! Runs after `locality` and `uninstrumented_clone`, whose loops it processes. Strict accesses stay strict: they get
//! pointers-to-shared only. Accesses that raise events stay as they are.

mod gathers;
mod places;
mod pointers;
mod rewrite;
mod scatters;
mod strips;
mod turns;

use super::analysis::effects;
use super::analysis::linear::Relation;
use super::analysis::places::{accessed, same_value};
use super::analysis::stride::Stride;
use super::each_function;
use super::remarks::{About, Record, Remark, on_one_line, quoted};
use super::sections::{self, Extent, Form, Loop, Reason, Reference, Section};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, Module, StmtId, StmtKind};
use crate::types::Types;
pub use gathers::TURNS as GATHERED;
use hashbrown::HashSet;
pub use strips::BYTES as STRIP_BYTES;
use strips::Strip;
use upcc_grammar::Parsed;

/// Options of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The fewest iterations in a block for which the loop goes through blocks.
    pub shortest: u32,
    /// Memory of other threads may not be mapped.
    pub remote: bool,
    /// Go through buffers there: sections, and elements that a subscript selects.
    pub strips: bool,
    pub gathers: bool,
    /// Collect writes to elements that a subscript selects, by thread.
    pub scatters: bool,
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
}

/// The fewest iterations in a block, without `-fupc-runs`: computing owner and address of one reference takes as long as
/// about four iterations.
pub const SHORTEST: u32 = 16;

/// Maximum number of references of a loop: each has a pointer.
const MOST_REFERENCES: usize = 32;

/// Rewrites the loops of every function of the module.
pub fn run(module: &mut Module, parsed: &Parsed, options: Options, remarks: &mut Vec<Remark>) {
    each_function(module, |module, body, function| {
        let root = function.root;
        if !has_candidates(&module.types, body, root) {
            return;
        }
        let escaped = effects::escaped(body, root);
        for found in sections::find(module, parsed, body, root, &escaped) {
            let moved = rewrite_one(module, body, &found, options);
            remark_on(parsed, body, &found, (options, &moved), remarks);
        }
    });
}

/// True for a function with a loop and a shared access: for all others, no loop is looked at.
fn has_candidates(types: &Types, body: &Body, root: StmtId) -> bool {
    let (mut loops, mut accesses) = (false, false);
    visit(body, Node::Stmt(root), &mut |node| {
        match node {
            Node::Stmt(s) => {
                loops |= matches!(
                    body.stmt(s).kind,
                    StmtKind::For { .. } | StmtKind::While(..) | StmtKind::DoWhile(..)
                );
            }
            Node::Expr(e) => {
                accesses |=
                    accessed(body, e).is_some_and(|place| types.is_shared(body.expr(place).ty));
            }
            Node::Init(_) => {}
        }
        !(loops && accesses)
    });
    loops && accesses
}

/// The elements that a loop reads or writes together where memory is not mapped, in no order of their own.
#[derive(Default)]
struct Moved {
    gathered: Vec<ExprId>,
    scattered: Vec<ExprId>,
}

impl Moved {
    fn of(planned: &Planned) -> Moved {
        let places = planned.gathers.iter().flat_map(|it| it.places.clone());
        Moved {
            gathered: places.collect(),
            scattered: planned.scatters.clone(),
        }
    }

    fn gathers(&self, reference: &Reference) -> bool {
        let mut place = reference.foreseen.into_iter();
        place.any(|it| self.gathered.contains(&it))
    }

    fn scatters(&self, reference: &Reference) -> bool {
        let mut place = reference.written.into_iter();
        place.any(|it| self.scattered.contains(&it))
    }
}

/// What becomes of a loop.
#[derive(Default)]
struct Planned {
    pointers: Vec<Pointer>,
    gathers: Vec<gathers::Gather>,
    /// The places of writes that are collected.
    scatters: Vec<ExprId>,
}

fn planned(module: &Module, body: &Body, found: &Loop, options: Options) -> Planned {
    let Ok(form) = &found.form else {
        return Planned::default();
    };
    let mut pointers = pointers(body, found, options);
    if pointers.len() > MOST_REFERENCES {
        return Planned::default();
    }
    if options.strips {
        strips::plan(module, body, (found, form), &mut pointers);
    }
    let gathers = match options.gathers {
        true => gathers::plan(module, body, found, &pointers),
        false => Vec::new(),
    };
    let scatters = match options.scatters {
        true => scatters::plan(module, body, found, &pointers),
        false => Vec::new(),
    };
    Planned {
        pointers,
        gathers,
        scatters,
    }
}

/// How a reference reaches memory that is not mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// A buffer has the elements of a run; references with the same number share it.
    Strip(usize),
    /// A message for a run brings its elements.
    Gather,
    /// Messages collect the elements of a run.
    Scatter,
}

/// Returns how each reference of a loop reaches memory that is not mapped; `None`: by itself.
#[must_use]
pub fn moves(module: &Module, body: &Body, found: &Loop, options: Options) -> Vec<Option<Move>> {
    let planned = planned(module, body, found, options);
    let moved = Moved::of(&planned);
    let of_reference = |reference: &Reference| {
        let element = reference.section.ok()?.element;
        let mut pointers = planned.pointers.iter();
        let at = pointers.position(|it| it.all().any(|(known, _)| known == element))?;
        planned.pointers[at].strip.as_ref().map(|_| Move::Strip(at))
    };
    let all = found.references.iter().map(|reference| {
        if moved.gathers(reference) {
            Some(Move::Gather)
        } else if moved.scatters(reference) {
            Some(Move::Scatter)
        } else {
            of_reference(reference)
        }
    });
    all.collect()
}

/// Rewrites a loop.
fn rewrite_one(module: &mut Module, body: &mut Body, found: &Loop, options: Options) -> Moved {
    let Ok(form) = &found.form else {
        return Moved::default();
    };
    let planned = planned(module, body, found, options);
    if planned.pointers.is_empty() && planned.gathers.is_empty() && planned.scatters.is_empty() {
        return Moved::default();
    }
    let moved = Moved::of(&planned);
    let most_threads = planned
        .pointers
        .iter()
        .filter_map(|pointer| most_threads(pointer, options))
        .min();
    let plan = rewrite::Plan {
        stmt: found.stmt,
        form,
        most_threads,
        pointers: planned.pointers,
        gathers: planned.gathers,
        scatters: planned.scatters,
        remote: options.remote,
    };
    rewrite::rewrite(module, body, &plan);
    moved
}

/// Says for each reference of a loop what becomes of it.
fn remark_on(
    parsed: &Parsed,
    body: &Body,
    found: &Loop,
    (options, moved): (Options, &Moved),
    remarks: &mut Vec<Remark>,
) {
    if let Err(reason) = &found.form {
        remarks.push(Remark {
            span: body.stmt(found.stmt).span,
            text: format!("the shared accesses of this loop stay as they are: {reason}"),
            about: About::KeptLoop,
        });
    }
    for reference in &found.references {
        let span = reference.span(body);
        let name = quoted(parsed, span);
        let (section, certain) = (reference.section, reference.certain);
        let (is_gathered, is_scattered) = (moved.gathers(reference), moved.scatters(reference));
        let text = match section {
            Err(_) if is_gathered => format!("{name} is gathered where memory is not mapped"),
            _ if is_scattered => {
                format!("{name} is scattered, and collected by thread, where memory is not mapped")
            }
            Err(reason) => format!("{name} stays as it is: {reason}"),
            Ok(section) if is_gathered => {
                let fate = fate(&name, section, (certain, found), options);
                format!("{fate}, and is gathered where memory is not mapped")
            }
            Ok(section) => fate(&name, section, (certain, found), options),
        };
        let kind = section
            .ok()
            .and_then(|it| kind(it, certain, found, options));
        let record = Record {
            reference: on_one_line(parsed, span),
            access: reference.mode.name(),
            stride: section.ok().map(|it| it.stride.to_string()),
            block_size: section.ok().map(|it| it.block),
            outcome: match kind {
                Some(Kind::Private(_) | Kind::Strided(_)) => "private pointer",
                Some(Kind::Shared(_)) => "pointer-to-shared",
                None if is_gathered => "gathered",
                None if is_scattered => "scattered",
                None => "none",
            },
            raises_events: section == Err(Reason::Instrumented),
        };
        remarks.push(Remark {
            span,
            text,
            about: About::Reference(record),
        });
    }
}

/// What becomes of a reference with a section.
fn fate(name: &str, section: Section, (certain, found): (bool, &Loop), options: Options) -> String {
    let Section { block, stride, .. } = section;
    let shortest = options.shortest;
    match (kind(section, certain, found, options), section.extent) {
        (Some(Kind::Private(_)), Extent::Block(_)) => {
            format!("{name} goes through each block of {block} elements by a private pointer")
        }
        (Some(Kind::Private(_)), _) => {
            format!("{name} stays with one thread and goes by a private pointer")
        }
        (Some(Kind::Strided(_)), _) => {
            format!(
                "{name} goes from thread to thread by a private pointer that moves by whole blocks"
            )
        }
        (Some(Kind::Shared(Stride::ZERO)), _) => {
            format!("{name} stays with one thread and goes by a pointer-to-shared: it is strict")
        }
        (Some(Kind::Shared(_)), _) => {
            format!("{name} goes from thread to thread by a pointer-to-shared that moves by one")
        }
        (None, _) if section.strict => {
            format!("{name} stays as it is: the access is strict")
        }
        (None, Extent::Block(_)) if few_turns(found, options) => {
            format!("{name} stays as it is: the loop has few iterations")
        }
        (None, Extent::Block(_)) => format!(
            "{name} stays as it is: a block of {block} elements has fewer than {shortest} iterations of stride {stride} (-fupc-runs)"
        ),
        (None, _) => {
            format!(
                "{name} stays as it is: with stride {stride} each element may be in another thread"
            )
        }
    }
}

/// A pointer that goes through a section.
struct Pointer {
    section: Section,
    kind: Kind,
    /// The element places that it replaces.
    elements: Vec<ExprId>,
    /// Other elements of the same block, each with its distance from these.
    shifted: Vec<(ExprId, i64)>,
    /// How it goes through memory that is not mapped; `None`: the accesses there stay as they are.
    strip: Option<Strip>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A private pointer; each iteration moves by this many elements of the thread's own portion.
    Private(Stride),
    /// A private pointer that each iteration moves by this many blocks, from thread to thread. All memory is mapped.
    Strided(i64),
    /// A pointer-to-shared that each iteration moves by one element or not at all: steps without a division.
    Shared(Stride),
}

/// The pointers of a loop.
fn pointers(body: &Body, found: &Loop, options: Options) -> Vec<Pointer> {
    let mut pointers: Vec<Pointer> = Vec::new();
    for reference in &found.references {
        let Ok(section) = reference.section else {
            continue;
        };
        let Some(kind) = kind(section, reference.certain, found, options) else {
            continue;
        };
        let element = section.element;
        let same = |known: &&mut Pointer| {
            let alike = Section {
                element,
                ..known.section
            };
            alike == section
                && known.kind == kind
                && same_value(body, known.section.element, element)
        };
        match pointers.iter_mut().find(same) {
            Some(known) => known.elements.push(element),
            None => pointers.push(Pointer {
                section,
                kind,
                elements: vec![element],
                shifted: Vec::new(),
                strip: None,
            }),
        }
    }
    if !options.remote {
        join_neighbours(body, found, &mut pointers);
    }
    // What only takes part in the address of another one is read once with it.
    let all = pointers.iter().flat_map(Pointer::all);
    let inner: HashSet<ExprId> = all.flat_map(|(it, _)| below(body, it)).collect();
    pointers.retain(|pointer| !pointer.elements.iter().all(|e| inner.contains(e)));
    pointers
}

impl Pointer {
    /// The elements that it replaces, each with its distance from the first.
    fn all(&self) -> impl Iterator<Item = (ExprId, i64)> {
        let own = self.elements.iter().map(|&it| (it, 0));
        own.chain(self.shifted.iter().copied())
    }
}

/// Lets a pointer lead to the elements of others that lie in the same block at a fixed distance: `row[j - 1]` and `row[j + 1]`. The C
/// compiler then knows that they are one object.
fn join_neighbours(body: &Body, found: &Loop, pointers: &mut Vec<Pointer>) {
    let reference = |element: ExprId| {
        let is_own =
            |it: &&Reference| matches!(it.section, Ok(section) if section.element == element);
        found.references.iter().find(is_own)
    };
    let mut kept: Vec<Pointer> = Vec::new();
    for pointer in std::mem::take(pointers) {
        let is_whole = |it: &Pointer| {
            matches!(it.kind, Kind::Private(Stride::Constant(_)))
                && matches!(it.section.extent, Extent::Whole(_))
        };
        let distance = |first: &Pointer| {
            let (a, b) = (
                reference(first.elements[0])?,
                reference(pointer.elements[0])?,
            );
            let same = first.kind == pointer.kind && first.section.stride == pointer.section.stride;
            let types = (
                body.expr(first.section.element).ty,
                body.expr(pointer.section.element).ty,
            );
            let Relation::After(n) = a.position.as_ref()?.relation(body, b.position.as_ref()?)
            else {
                return None;
            };
            let fits = -a.room.0 <= n && n <= a.room.1;
            (same && is_whole(first) && is_whole(&pointer) && types.0 == types.1 && fits)
                .then_some(n)
        };
        let joined = kept
            .iter()
            .enumerate()
            .find_map(|(at, it)| Some((at, distance(it)?)));
        match joined {
            Some((at, n)) => {
                let elements = pointer.elements.iter().map(|&it| (it, n));
                kept[at].shifted.extend(elements);
            }
            None => kept.push(pointer),
        }
    }
    *pointers = kept;
}

/// The expressions inside an element.
fn below(body: &Body, element: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    visit(body, Node::Expr(element), &mut |node| {
        found.extend(match node {
            Node::Expr(e) if e != element => Some(e),
            Node::Expr(_) | Node::Stmt(_) | Node::Init(_) => None,
        });
        true
    });
    found
}

/// The pointer for a section; `None`: the accesses stay as they are.
fn kind(section: Section, certain: bool, found: &Loop, options: Options) -> Option<Kind> {
    let at_least = u64::from(options.shortest);
    let block = u64::from(section.block);
    let private = match section.extent {
        _ if section.strict => None,
        Extent::Whole(walk) => Some(walk),
        Extent::Block(_) if few_turns(found, options) => None,
        Extent::Block(step) => {
            let long = match step {
                Stride::Constant(n) => block / n.unsigned_abs() >= at_least,
                // With two threads, at least.
                Stride::Threads(n) => block / (2 * n.unsigned_abs()) >= at_least,
            };
            long.then_some(step)
        }
        Extent::Element => None,
    };
    let shared = match section.stride {
        Stride::ZERO | Stride::Constant(1) => Some(Kind::Shared(section.stride)),
        Stride::Constant(-1) if block == 1 => Some(Kind::Shared(section.stride)),
        Stride::Constant(_) | Stride::Threads(_) => None,
    };
    let strided = strided(section, options).map(Kind::Strided);
    // With static THREADS the divisions are by constants, and clang takes minutes to evaluate nests of such loops with
    // constant bounds at compile time.
    let dynamic = options.static_threads.is_none();
    // A pointer-to-shared moves in iterations without the access, too.
    let shared = shared.filter(|_| certain && dynamic);
    private.map(Kind::Private).or(strided).or(shared)
}

/// True for a loop with fewer iterations than the pointers of a block are worth.
fn few_turns(found: &Loop, options: Options) -> bool {
    let turns = found.form.as_ref().ok().and_then(Form::most_turns);
    turns.is_some_and(|turns| 2 * turns < u64::from(options.shortest))
}

/// The number of blocks by which a relaxed section moves from thread to thread, if all memory is mapped. With static
/// THREADS, neighbouring elements of a cyclic array need no division either.
fn strided(section: Section, options: Options) -> Option<i64> {
    let Stride::Constant(n) = section.stride else {
        return None;
    };
    let block = i64::from(section.block);
    let is_cheap = options.static_threads.is_some() && n.unsigned_abs() == 1;
    let moves = section.extent == Extent::Element && !section.strict && !is_cheap;
    (moves && !options.remote && block > 0 && n % block == 0).then(|| n / block)
}

/// The largest number of threads with which a block has iterations enough, if that depends on it.
fn most_threads(pointer: &Pointer, options: Options) -> Option<i64> {
    match (pointer.kind, pointer.section.extent) {
        (Kind::Private(_), Extent::Block(Stride::Threads(n))) => {
            let block = i64::from(pointer.section.block);
            Some(block / n.saturating_mul(i64::from(options.shortest)))
        }
        (Kind::Private(_) | Kind::Strided(_) | Kind::Shared(_), _) => None,
    }
}
