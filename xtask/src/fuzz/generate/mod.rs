//! Makes random programs from seeds. They are free of races by construction.

mod control;
mod expr;
mod kernels;
mod library;
mod loops;
mod objects;
mod pointers;

use super::model::*;
use crate::rng::Rng;

/// Returns the program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let threads = *rng.pick(&[1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8]);
    let mut generator = Generator {
        program: Program {
            seed,
            threads,
            fixed: rng.below(3) == 0,
            strict: rng.below(8) == 0,
            records: Vec::new(),
            shapes: Vec::new(),
            objects: Vec::new(),
            phases: Vec::new(),
        },
        rng,
        modes: Vec::new(),
        scope: Vec::new(),
        next: 1,
        depth: 0,
        current: None,
        escape: None,
    };
    generator.objects();
    generator.fill();
    for _ in 0..2 + generator.rng.below(4) {
        let phase = match generator.rng.below(4) {
            0 => generator.collective(),
            _ => None,
        };
        let phase = phase.unwrap_or_else(|| generator.phase());
        generator.program.phases.push(phase);
    }
    generator.program
}

struct Generator {
    rng: Rng,
    program: Program,
    /// What this phase may do with each object.
    modes: Vec<Mode>,
    /// The variables of the loops around the current statement.
    scope: Vec<Binding>,
    next: Var,
    /// The nesting depth of loops.
    depth: usize,
    /// The element that only this thread writes here. It may read the element, too.
    current: Option<Access>,
    /// The label after the loops around the current statement. None of these loops is a `upc_forall`.
    escape: Option<Var>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Owned(Owner),
    /// This thread alone accesses the object, and in any order.
    Single(u32),
    /// Threads update the object under the lock of its number.
    Locked(Op),
    Atomic(Reduction),
}

/// A variable, and the objects that it may index.
#[derive(Clone, Copy)]
struct Binding {
    var: Var,
    range: Range,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    Span(Span),
    /// A pointer-to-shared into this object, at least so far from both ends.
    Pointer {
        object: usize,
        margin: u32,
    },
    /// An offset from the target of a pointer-to-shared, at least so far from both ends.
    Ahead {
        object: usize,
        pointer: Var,
        margin: u32,
    },
    /// A private pointer to the thread's own elements.
    Mine {
        object: usize,
        pointer: Var,
    },
    Value,
}

impl Generator {
    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    fn number(&mut self, low: usize, high: usize) -> usize {
        low + self.rng.below(high - low + 1)
    }

    fn var(&mut self) -> Var {
        self.next += 1;
        self.next
    }

    fn size(&self, object: usize) -> u32 {
        self.program.size(object)
    }

    /// Makes the first phase, in which every object gets values.
    fn fill(&mut self) {
        let mut body = Vec::new();
        self.modes = vec![Mode::Read; self.program.objects.len()];
        for object in 0..self.program.objects.len() {
            let owner = self.owner(object);
            self.modes[object] = Mode::Owned(owner);
        }
        for object in 0..self.program.objects.len() {
            let Mode::Owned(owner) = self.modes[object] else {
                continue;
            };
            body.extend(self.filling(object, owner));
        }
        self.program.phases.push(Phase::Compute {
            body,
            split: None,
            named: false,
        });
    }

    fn phase(&mut self) -> Phase {
        let count = self.program.objects.len();
        self.modes = Vec::new();
        for object in 0..count {
            let mode = self.mode(object);
            self.modes.push(mode);
        }
        let chosen = self.rng.below(count);
        if self.modes.iter().all(|mode| *mode == Mode::Read) {
            self.modes[chosen] = Mode::Owned(self.owner(chosen));
        }
        let mut body = Vec::new();
        for _ in 0..self.number(2, 5) {
            let kernel = self.kernel();
            let framed = match self.rng.below(20) {
                0..=1 => vec![Stmt::Event {
                    event: self.rng.below(EVENTS),
                    body: kernel,
                }],
                2 => vec![Stmt::Uninstrumented { body: kernel }],
                _ => kernel,
            };
            body.extend(framed);
        }
        let split = self.chance(20).then(|| {
            let modes = self.modes.clone();
            // Other threads may not have reached the end of the phase.
            let split = self.reading_kernels();
            self.modes = modes;
            split
        });
        Phase::Compute {
            body,
            split,
            named: self.chance(20),
        }
    }

    fn mode(&mut self, object: usize) -> Mode {
        let element = self.program.objects[object].element;
        match self.rng.below(20) {
            0..=9 => Mode::Read,
            10..=15 => Mode::Owned(self.owner(object)),
            16 => match element {
                Element::Scalar(_) if self.walks(object) => {
                    Mode::Single(self.rng.below(self.program.threads as usize) as u32)
                }
                Element::Scalar(_) | Element::Record(_) | Element::Pointer(_) => {
                    Mode::Owned(self.owner(object))
                }
            },
            17..=18 => match element {
                Element::Scalar(scalar) if !scalar.is_floating() => {
                    Mode::Locked(*self.rng.pick(&[Op::Add, Op::Xor, Op::Or, Op::And]))
                }
                // Sums of members in one place depend on their order.
                Element::Record(_) if self.program.has_union(object) => Mode::Locked(Op::Xor),
                Element::Record(_) => Mode::Locked(*self.rng.pick(&[Op::Add, Op::Xor])),
                _ => Mode::Read,
            },
            _ => match element {
                Element::Scalar(scalar) if super::print::has_atomics(scalar) => {
                    Mode::Atomic(*self.rng.pick(Reduction::ATOMIC))
                }
                _ => Mode::Owned(self.owner(object)),
            },
        }
    }

    /// Chooses which thread writes each element of an object in a phase.
    fn owner(&mut self, object: usize) -> Owner {
        let (size, run) = (self.size(object) as usize, self.program.run_of(object));
        let row = self.program.shape(object).row(self.program.threads);
        match self.rng.below(10) {
            0 | 2 if row > 1 => Owner::Blocks(row * self.number(1, 2) as u32),
            0..=1 => Owner::Cyclic {
                shift: self.number(4, 9) as u32,
            },
            2 => Owner::Blocks(self.number(1, size) as u32),
            3 => Owner::Blocks(run),
            4 => Owner::Blocks(2 * run),
            5 => Owner::Reversed,
            6 => {
                let shape = self.program.objects[object].shape;
                let others: Vec<usize> = (0..self.program.objects.len())
                    .filter(|&o| self.program.objects[o].shape == shape)
                    .filter(|&o| self.program.objects[o].storage != Storage::Directory)
                    .collect();
                match others.is_empty() {
                    true => Owner::Affinity,
                    false => Owner::AffinityOf(*self.rng.pick(&others)),
                }
            }
            _ => Owner::Affinity,
        }
    }
}
