//! The shared references of loops (`--emit=refs`): partitions and patterns as in section 6.5 of Zhang's thesis on MuPC, and
//! counts. What loops do and what references touch comes from `sections`.

mod calls;
mod counts;

use super::analysis::effects::{self, Effects};
use super::analysis::linear::Relation;
use super::analysis::stride::Stride;
use super::remarks::on_one_line;
use super::sections::{self, Extent, Loop, Section, has_loops};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprFlags, ExprId, ExprKind, Function, Module, StmtId, StmtKind};
use crate::passes::analysis::places::{accessed, member_root};
use crate::passes::runs::{self, Move};
use crate::references::{self, Class, Formula, References, Transfer};
use calls::Calls;
use counts::Counter;
use hashbrown::{HashMap, HashSet};
use upcc_grammar::Parsed;

/// Accesses this far apart, in bytes, are close to each other: those of the thesis's pattern *coalesce* lie in a line of
/// the cache.
const CLOSE: u64 = 1024;
/// A block has this many times as many elements as lie between two references that are mostly in one block.
const ALONG: u64 = 8;

/// Finds the references to shared memory in the loops of a unit, but not in those of system headers. `moving`: what `runs`
/// does in a program whose threads have no common memory.
#[must_use]
pub fn find(module: &Module, parsed: &Parsed, moving: runs::Options) -> References {
    let functions = sections::all_of_functions(module, parsed);
    let units: Vec<Unit> = functions
        .map(|(function, body, loops)| {
            Unit {
                module,
                parsed,
                function,
                body,
                inside: Vec::new(),
                syncs: Vec::new(),
                moving,
                loops,
            }
            .prepared()
        })
        .collect();
    let calls = Calls::new(&units);
    let mut all = References {
        loops: Vec::new(),
        regions: Vec::new(),
        work: Some(calls.work()),
    };
    for unit in &units {
        all.regions.extend(unit.regions(&calls));
        all.loops.extend(unit.described(&calls));
    }
    all
}

/// A function with its loops, the outer ones before those in them.
struct Unit<'a> {
    module: &'a Module,
    parsed: &'a Parsed,
    function: &'a Function,
    body: &'a Body,
    loops: Vec<Loop>,
    /// The statements in each loop, itself left out.
    inside: Vec<HashSet<StmtId>>,
    /// Something in each loop synchronizes, other than a function that it calls.
    syncs: Vec<bool>,
    moving: runs::Options,
}

impl Unit<'_> {
    fn prepared(mut self) -> Self {
        self.inside = self.loops.iter().map(|it| self.inside(it)).collect();
        let escaped = effects::escaped(self.body, self.function.root);
        let syncs = |it: &Loop| Effects::of(self.module, self.body, it.stmt, &escaped).syncs;
        self.syncs = self.loops.iter().map(syncs).collect();
        self
    }

    /// The loops around one, the outermost first.
    fn around(&self, at: usize) -> Vec<usize> {
        let stmt = self.loops[at].stmt;
        let all = (0..at).filter(|&outer| self.inside[outer].contains(&stmt));
        all.collect()
    }

    fn described(&self, calls: &Calls<'_>) -> Vec<references::Loop> {
        let calls = calls.of(self.function.object);
        let mut partition = 0;
        let work = self.work_of_loops(&calls).into_iter().enumerate();
        let described = work.map(|it| self.describe(it, &calls, &mut partition));
        described.filter(|it| !it.references.is_empty()).collect()
    }

    /// The lines of the function and of its loops.
    fn regions(&self, calls: &Calls<'_>) -> Vec<references::Region> {
        // A function that the unit does not call is called by another one, nobody knows how often.
        let calls = calls.known(self.function.object);
        let region = |stmt: StmtId, count: Option<Formula>| {
            let span = self.body.stmt(stmt).span;
            let (file, first, _) = self.place(span);
            let end = self.parsed.stream.bytes(span).end.saturating_sub(1);
            let last = self.parsed.source_map.lookup(end).line.max(first);
            references::Region {
                file,
                first,
                last,
                count,
            }
        };
        let whole = region(self.function.root, calls.clone());
        let loops = self.loops.iter().enumerate().map(|(at, it)| {
            let times = self.times(Some(at));
            let count = times.zip(calls.as_ref());
            region(it.stmt, count.and_then(|(a, b)| a.times(b)))
        });
        std::iter::once(whole).chain(loops).collect()
    }

    /// The statements in a loop, itself left out.
    fn inside(&self, found: &Loop) -> HashSet<StmtId> {
        let mut inside = HashSet::new();
        visit(self.body, Node::Stmt(found.stmt), &mut |node| {
            if let Node::Stmt(s) = node
                && s != found.stmt
            {
                inside.insert(s);
            }
            true
        });
        inside
    }

    /// Describes a loop with its work. `calls`: how often the function is called.
    fn describe(
        &self,
        (at, work): (usize, Option<Formula>),
        calls: &Formula,
        partition: &mut u32,
    ) -> references::Loop {
        let (found, around) = (&self.loops[at], self.around(at));
        let mut counter = self.counter();
        let mut outer = Some(calls.clone());
        for &it in &around {
            let turns = counter.enter(&self.loops[it], self.line(it));
            outer = outer.zip(turns).and_then(|(a, b)| a.times(&b));
        }
        let turns = counter.enter(found, self.line(at));
        let count = outer.zip(turns.as_ref()).and_then(|(a, b)| a.times(b));
        let (file, line, _) = self.place(self.body.stmt(found.stmt).span);
        let form = found.form.as_ref().ok();
        let name = form.and_then(|form| self.body.local(form.count.var).name);
        references::Loop {
            file,
            line,
            keyword: if let StmtKind::Forall { .. } = self.body.stmt(found.stmt).kind {
                "upc_forall".to_owned()
            } else {
                "loop".to_owned()
            },
            variable: name.map(|name| self.parsed.interner.name(name).to_owned()),
            references: self.references(at, &around, count.as_ref(), partition),
            turns,
            work,
        }
    }

    fn counter(&self) -> Counter<'_> {
        Counter {
            module: self.module,
            parsed: self.parsed,
            body: self.body,
            means: HashMap::new(),
        }
    }

    /// The line of a loop.
    fn line(&self, at: usize) -> u32 {
        self.place(self.body.stmt(self.loops[at].stmt).span).1
    }

    /// The file, the line and the column of tokens.
    fn place(&self, span: upcc_grammar::ast::Span) -> (String, u32, u32) {
        let at = self.parsed.stream.bytes(span).start;
        let map = &self.parsed.source_map;
        let loc = map.lookup(at);
        let column = at - map.line_range(at).start + 1;
        (map.file(loc.file).to_owned(), loc.line, column)
    }

    /// The accesses of a loop that are in no loop in it, each with its number in the loop's list if it has one.
    fn accesses(&self, at: usize) -> Vec<(ExprId, Option<usize>)> {
        let found = &self.loops[at];
        let mut in_inner = HashSet::new();
        for other in &self.loops[at + 1..] {
            if self.inside[at].contains(&other.stmt) {
                in_inner.extend(sections::accesses(
                    &self.module.types,
                    self.body,
                    other.stmt,
                ));
            }
        }
        let all = sections::accesses(&self.module.types, self.body, found.stmt);
        let own = all.into_iter().filter(|it| !in_inner.contains(it));
        own.map(|it| (it, found.references.iter().position(|r| r.access == it)))
            .collect()
    }

    fn references(
        &self,
        at: usize,
        around: &[usize],
        count: Option<&Formula>,
        partition: &mut u32,
    ) -> Vec<references::Reference> {
        let found = &self.loops[at];
        let accesses = self.accesses(at);
        let mut own: HashSet<ExprId> = found.own.clone();
        own.extend(around.iter().flat_map(|it| &self.loops[*it].own));
        let groups = self.groups(found, &accesses, &own);
        let mut known: HashMap<usize, (u32, u32)> = HashMap::new();
        for &group in &groups {
            let next = known.len() as u32 + *partition + 1;
            let entry = known.entry(group).or_insert((next, 0));
            entry.1 += 1;
        }
        *partition += known.len() as u32;
        let moves = self.moves(at);
        let reference = |(&(access, number), &group): (&(ExprId, Option<usize>), &usize)| {
            let (partition, members) = known[&group];
            let own = own.contains(&access);
            let section = number.map(|it| found.references[it].section);
            let moved = number.and_then(|it| moves.get(it).copied().flatten());
            let of_list = number.map(|it| &found.references[it]);
            let (class, transfer) = self.class((access, of_list), moved, members > 1, own);
            let again = self.again(access, around);
            let element = self.element(access, number.map(|it| &found.references[it]));
            let (_, line, column) = self.place(self.span(access));
            let step = match section {
                Some(Ok(section)) => self.step(&section),
                Some(Err(_)) | None => None,
            };
            let buffer = match moved.filter(|_| class != Class::Local) {
                Some(Move::Strip(number)) => Some(number as u32),
                Some(Move::Gather | Move::Scatter) | None => None,
            };
            references::Reference {
                line,
                column,
                text: on_one_line(self.parsed, self.span(access)),
                mode: self.mode(access),
                class,
                transfer,
                array: self.array(element),
                bytes: self
                    .module
                    .types
                    .fixed_size(
                        self.body
                            .expr(accessed(self.body, access).unwrap_or(access))
                            .ty,
                    )
                    .unwrap_or(0),
                block: self
                    .module
                    .types
                    .shared_elem(self.body.expr(element).ty)
                    .map_or(0, |(_, block)| block),
                step,
                again: again.map(|outer| self.line(outer)),
                repeats: again.and_then(|outer| self.turns(around, outer)),
                phase: self.phase(at, around),
                maybe: number.is_none_or(|it| !found.references[it].certain),
                count: count.cloned(),
                buffer,
                partition,
            }
        };
        joined(accesses.iter().zip(&groups).map(reference))
    }

    /// What `runs` makes of the references of a loop in a program whose threads have no common memory.
    fn moves(&self, at: usize) -> Vec<Option<Move>> {
        let found = &self.loops[at];
        if has_loops(self.body, found.stmt) {
            return Vec::new();
        }
        runs::moves(self.module, self.body, found, self.moving)
    }

    /// How often a loop around another one runs, each time that the program comes to it.
    fn turns(&self, around: &[usize], outer: usize) -> Option<Formula> {
        let mut counter = self.counter();
        let mut turns = None;
        for &it in around.iter().take_while(|it| **it <= outer) {
            turns = counter.enter(&self.loops[it], self.line(it));
        }
        turns
    }

    /// How often a loop runs until the thread may synchronize: in an iteration of the innermost loop around that
    /// synchronizes, or in a call of the function.
    fn phase(&self, at: usize, around: &[usize]) -> Option<Formula> {
        let mut counter = self.counter();
        let mut product = Formula::number(1);
        for &it in around.iter().chain([&at]) {
            let turns = counter.enter(&self.loops[it], self.line(it))?;
            product = match self.syncs[it] {
                false => product.times(&turns)?,
                true => Formula::number(1),
            };
        }
        Some(product)
    }

    /// The outermost loop around of which each iteration touches what the one before has touched.
    fn again(&self, access: ExprId, around: &[usize]) -> Option<usize> {
        let stands = |it: &&usize| {
            let outer = &self.loops[**it];
            // Cached data is gone after a barrier.
            if self.syncs[**it] {
                return false;
            }
            let reference = outer.references.iter().find(|r| r.access == access);
            reference
                .is_some_and(|r| matches!(r.section, Ok(section) if section.stride == Stride::ZERO))
        };
        around.iter().copied().find(|it| stands(&it))
    }

    fn span(&self, access: ExprId) -> upcc_grammar::ast::Span {
        let of = self.body.expr(access).span;
        accessed(self.body, access).map_or(of, |place| {
            super::analysis::places::place_span(self.body, place, of)
        })
    }

    fn mode(&self, access: ExprId) -> references::Mode {
        match sections::mode(self.body, access) {
            sections::Mode::Read => references::Mode::Read,
            sections::Mode::Write => references::Mode::Write,
            sections::Mode::ReadWrite => references::Mode::ReadWrite,
        }
    }

    /// The element that an access touches.
    fn element(&self, access: ExprId, reference: Option<&sections::Reference>) -> ExprId {
        match reference.map(|it| it.section) {
            Some(Ok(section)) => section.element,
            Some(Err(_)) | None => {
                let place = accessed(self.body, access).unwrap_or(access);
                member_root(self.body, place)
            }
        }
    }

    /// The name of the declared array in which a place is.
    fn array(&self, place: ExprId) -> Option<String> {
        let object = sections::declared(self.body, place)?;
        let name = self.module.objects[object].name;
        Some(self.parsed.interner.name(name).to_owned())
    }

    /// Bytes from one access to the next in the memory of a thread.
    fn step(&self, section: &Section) -> Option<u64> {
        let size = self
            .module
            .types
            .fixed_size(self.body.expr(section.element).ty)?;
        match section.extent {
            Extent::Whole(Stride::Constant(n)) | Extent::Block(Stride::Constant(n)) => {
                Some(n.unsigned_abs() * size)
            }
            Extent::Whole(Stride::Threads(_)) | Extent::Block(Stride::Threads(_)) => None,
            Extent::Element => None,
        }
    }

    /// The pattern of an access, and how it moves. `moved`: what `runs` makes of it where memory is not mapped.
    fn class(
        &self,
        (access, reference): (ExprId, Option<&sections::Reference>),
        moved: Option<Move>,
        has_company: bool,
        own: bool,
    ) -> (Class, Transfer) {
        let strict = self.body.expr(access).flags.has(ExprFlags::STRICT);
        if own {
            return (Class::Local, Transfer::Single);
        }
        if strict {
            return (Class::Baseline, Transfer::Strict);
        }
        let along = reference
            .and_then(|it| it.section.ok())
            .and_then(|section| match section.extent {
                Extent::Whole(along) | Extent::Block(along) => Some(along),
                Extent::Element => None,
            });
        let class = match (along, has_company) {
            (Some(_), _) => Class::Vector,
            (None, true) => Class::Coalesce,
            (None, false) => Class::Baseline,
        };
        let transfer = match (moved, along) {
            (None, _) => Transfer::Single,
            (Some(Move::Strip(_)), Some(Stride::ZERO)) => Transfer::Once,
            (Some(Move::Strip(_)), _) => Transfer::Strip,
            (Some(Move::Gather), Some(_)) => Transfer::Strided,
            (Some(Move::Gather), None) => Transfer::Gather,
            (Some(Move::Scatter), _) if self.steps(access) => Transfer::Append,
            (Some(Move::Scatter), _) => Transfer::Scatter,
        };
        (class, transfer)
    }

    /// True if an access steps what leads to its place.
    fn steps(&self, access: ExprId) -> bool {
        let place = accessed(self.body, access).unwrap_or(access);
        let mut found = false;
        visit(self.body, Node::Expr(place), &mut |node| {
            if let Node::Expr(e) = node {
                found |= matches!(self.body.expr(e).kind, ExprKind::IncDec { .. });
            }
            true
        });
        found
    }

    /// The partition of each access, by the number of its first member: accesses of one kind to elements close to each
    /// other in the memory of one thread, between which there is no dependence, and each of which a loop cannot move
    /// together with those of other iterations.
    fn groups(
        &self,
        found: &Loop,
        accesses: &[(ExprId, Option<usize>)],
        own: &HashSet<ExprId>,
    ) -> Vec<usize> {
        let mut groups: Vec<usize> = Vec::new();
        for (at, &(_, number)) in accesses.iter().enumerate() {
            let with = (0..at).find(|&other| match (number, accesses[other].1) {
                (Some(a), Some(b)) => self.are_close(found, (b, a), own),
                _ => false,
            });
            groups.push(with.map_or(at, |other| groups[other]));
        }
        groups
    }

    fn are_close(&self, found: &Loop, (a, b): (usize, usize), own: &HashSet<ExprId>) -> bool {
        let (x, y) = (&found.references[a], &found.references[b]);
        let (Some(at), Some(of)) = (&x.beside, &y.beside) else {
            return false;
        };
        let places = (
            self.element(x.access, Some(x)),
            self.element(y.access, Some(y)),
        );
        let types = &self.module.types;
        let Some((_, block)) = types.shared_elem(self.body.expr(places.0).ty) else {
            return false;
        };
        let size = types.fixed_size(self.body.expr(places.0).ty).unwrap_or(0);
        let Relation::After(n) = at.relation(self.body, of) else {
            return false;
        };
        // Elements near to each other may be in different blocks: in long blocks, hardly ever.
        let along = n.unsigned_abs().saturating_mul(ALONG) <= u64::from(block);
        let are_alike = own.contains(&x.access) == own.contains(&y.access);
        x.mode == y.mode
            && are_alike
            && (n == 0 || block == 0 || along)
            && n.unsigned_abs().saturating_mul(size) < CLOSE
            && found.are_independent(a, b)
    }
}

/// The copies of a reference in a loop that was written out become one, which is made as often as all of them, and is local
/// if all are.
fn joined(all: impl Iterator<Item = references::Reference>) -> Vec<references::Reference> {
    let mut found: Vec<references::Reference> = Vec::new();
    for it in all {
        let place = |it: &references::Reference| (it.line, it.column, it.mode, it.text.clone());
        match found.iter_mut().find(|known| place(known) == place(&it)) {
            Some(known) => {
                let sum = known.count.as_ref().zip(it.count.as_ref());
                known.count = sum.and_then(|(a, b)| a.plus(b));
                let phases = known.phase.as_ref().zip(it.phase.as_ref());
                known.phase = phases.and_then(|(a, b)| a.plus(b));
                known.maybe |= it.maybe;
                if known.class == Class::Local {
                    (known.class, known.transfer) = (it.class, it.transfer);
                    (known.buffer, known.partition) = (it.buffer, it.partition);
                }
            }
            None => found.push(it),
        }
    }
    found
}
