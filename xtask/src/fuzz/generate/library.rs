//! Makes calls of the library: transfers, locks, atomics, collective functions.

use super::super::model::*;
use super::super::print::reduce_letters;
use super::{Generator, Mode};

impl Generator {
    pub(super) fn transfers(&self, object: usize) -> bool {
        self.program.objects[object].storage != Storage::Directory && !self.has_pointers(object)
    }

    /// Returns whether a whole block has one writer.
    pub(super) fn has_block_writers(&self, object: usize, owner: Owner) -> bool {
        match owner {
            Owner::Affinity => true,
            Owner::Blocks(size) => size.is_multiple_of(self.program.run_of(object)),
            Owner::Cyclic { .. } | Owner::Reversed | Owner::AffinityOf(_) => false,
        }
    }

    fn has_pointers(&self, object: usize) -> bool {
        self.program.leaves(object).into_iter().any(|path| {
            let access = Access {
                object,
                index: Index::Free(Box::new(Expr::Number(0))),
                path,
                spelling: Spelling::Subscript,
            };
            matches!(self.program.leaf(&access), Leaf::Pointer(_))
        })
    }

    fn transfer(&mut self, object: usize, kind: TransferKind, owner: Owner) -> Transfer {
        let most = self.program.run_of(object).max(12);
        let count = self.number(1, most as usize);
        Transfer {
            kind,
            way: *self
                .rng
                .pick(&[Way::Blocking, Way::Blocking, Way::Handle, Way::Implicit]),
            object,
            first: self.expr(1),
            owner,
            count: count as u32,
            sum: self.rng.below(SUMS),
        }
    }

    pub(super) fn reading_transfer(&mut self, object: usize) -> Stmt {
        Stmt::Transfer(self.transfer(object, TransferKind::Get, Owner::Affinity))
    }

    pub(super) fn writing_transfer(&mut self, object: usize, owner: Owner) -> Vec<Stmt> {
        let element = self.program.objects[object].element;
        let sources: Vec<usize> = self
            .readable()
            .into_iter()
            .filter(|&from| self.transfers(from) && self.program.objects[from].element == element)
            .collect();
        let kind = match self.rng.below(5) {
            0..=2 if !sources.is_empty() => TransferKind::Copy(*self.rng.pick(&sources)),
            3 => match element {
                Element::Scalar(scalar) if scalar.is_floating() || scalar == Scalar::Bool => {
                    TransferKind::Set(0)
                }
                Element::Record(_) => TransferKind::Set(0),
                _ => TransferKind::Set(self.rng.below(256) as u8),
            },
            _ => TransferKind::Put,
        };
        vec![Stmt::Transfer(self.transfer(object, kind, owner))]
    }

    /// Makes a loop of updates of elements that other threads update, too.
    pub(super) fn updating(
        &mut self,
        object: usize,
        update: impl Fn(&mut Self, &Access) -> Stmt,
    ) -> Vec<Stmt> {
        let count = self.number(1, 12) as u32;
        let times = self.var();
        self.scope.push(super::Binding {
            var: times,
            range: super::Range::Span(Span::Count(count)),
        });
        let target = self.addressed(object, 1);
        let body = vec![update(self, &target)];
        self.scope.pop();
        vec![Stmt::Loop(Loop {
            var: times,
            unsigned: false,
            wide: false,
            kind: LoopKind::For,
            span: Span::Count(count),
            step: 1,
            down: false,
            pragma: false,
            body,
        })]
    }

    pub(super) fn locked_update(&mut self, element: &Access, op: Op) -> Stmt {
        let target = Access {
            path: self.path(element.object),
            ..element.clone()
        };
        let body = match self.program.leaf(&target) {
            // Only sums of floating members do not depend on the order.
            Leaf::Scalar(scalar) if scalar.is_floating() && op != Op::Add => Vec::new(),
            // Truth values depend on the order of sums.
            Leaf::Scalar(Scalar::Bool) | Leaf::Bits(Scalar::Bool, _)
                if !matches!(op, Op::Or | Op::And) =>
            {
                Vec::new()
            }
            Leaf::Scalar(_) | Leaf::Bits(..) => vec![Stmt::Store {
                target,
                op,
                value: self.expr(2),
                into: None,
            }],
            Leaf::Pointer(_) | Leaf::Record(_) => Vec::new(),
        };
        Stmt::Locked {
            lock: element.object,
            attempt: self.chance(30),
            body,
        }
    }

    pub(super) fn atomic_update(&mut self, target: &Access, op: Reduction) -> Stmt {
        let extended = matches!(
            op,
            Reduction::Add | Reduction::And | Reduction::Or | Reduction::Xor
        );
        Stmt::Atomic {
            target: target.clone(),
            op,
            operand: self.expr(2),
            strict: self.chance(30),
            extension: extended && self.chance(55),
        }
    }

    /// Makes a phase in which all threads call a collective function, if there are objects for one.
    pub(super) fn collective(&mut self) -> Option<Phase> {
        self.modes = vec![Mode::Read; self.program.objects.len()];
        let mut found: Vec<Collective> = Vec::new();
        for to in 0..self.program.objects.len() {
            for from in 0..self.program.objects.len() {
                let kinds = match to == from {
                    true => self.alone(to),
                    false => self.between(to, from),
                };
                for kind in kinds {
                    found.push(Collective {
                        kind,
                        to,
                        from,
                        in_sync: self.rng.below(4),
                        out_sync: self.rng.below(4),
                    });
                }
            }
        }
        // The function is chosen first, because there are many more ways to call some functions than others.
        let mut functions: Vec<_> = Vec::new();
        for of in &found {
            let function = std::mem::discriminant(&of.kind);
            if !functions.contains(&function) {
                functions.push(function);
            }
        }
        if functions.is_empty() {
            return None;
        }
        let function = *self.rng.pick(&functions);
        found.retain(|of| std::mem::discriminant(&of.kind) == function);
        Some(Phase::Collective(self.rng.pick(&found).clone()))
    }

    fn flat(&self, object: usize) -> bool {
        self.program.shape(object).dims.len() == 1
            && self.program.objects[object].storage != Storage::Directory
    }

    fn alone(&self, object: usize) -> Vec<CollectiveKind> {
        let one = !matches!(self.program.objects[object].storage, Storage::OneAlloc(_));
        match self.program.objects[object].element {
            Element::Scalar(scalar) if !scalar.is_floating() && self.flat(object) && one => {
                vec![CollectiveKind::Sort]
            }
            _ => Vec::new(),
        }
    }

    fn between(&mut self, to: usize, from: usize) -> Vec<CollectiveKind> {
        let objects = &self.program.objects;
        let mut kinds = Vec::new();
        if objects[to].element != objects[from].element || !self.flat(to) || !self.flat(from) {
            return kinds;
        }
        let (threads, scattered) = (
            self.program.threads,
            !matches!(objects[to].storage, Storage::OneAlloc(_)),
        );
        let (run_to, run_from) = (self.program.run_of(to), self.program.run_of(from));
        // Each thread has one block, and no more.
        let spread = |run: u32, object: usize| self.size(object) == run * threads && scattered;
        let to_spread = spread(run_to, to);
        let from_spread =
            spread(run_from, from) && !matches!(objects[from].storage, Storage::OneAlloc(_));
        if to_spread && run_from >= run_to {
            kinds.push(CollectiveKind::Broadcast);
        }
        if to_spread && run_from >= run_to * threads {
            kinds.push(CollectiveKind::Scatter);
        }
        if from_spread && run_to >= run_from * threads {
            kinds.push(CollectiveKind::Gather);
        }
        if to_spread && from_spread {
            match run_to {
                _ if run_to == run_from => kinds.push(CollectiveKind::Permute),
                _ if run_to == run_from * threads => kinds.push(CollectiveKind::GatherAll),
                _ => {}
            }
            if run_to == run_from && run_to.is_multiple_of(threads) {
                kinds.push(CollectiveKind::Exchange);
            }
        }
        kinds.extend(self.reductions(to, from));
        kinds
    }

    fn reductions(&mut self, to: usize, from: usize) -> Vec<CollectiveKind> {
        let Element::Scalar(scalar) = self.program.objects[from].element else {
            return Vec::new();
        };
        if reduce_letters(scalar).is_none() {
            return Vec::new();
        }
        let ops: &[Reduction] = match scalar.is_floating() {
            // Sums of floats may be rounded.
            true => &[Reduction::Min, Reduction::Max],
            false => &Reduction::ALL,
        };
        let op = *self.rng.pick(ops);
        let (size, into) = (self.size(from) as usize, self.size(to) as usize);
        let first = self.rng.below(size);
        let count = self.number(1, size - first) as u32;
        let mut kinds = vec![CollectiveKind::Reduce {
            op,
            first: first as u32,
            count,
            at: self.rng.below(into) as u32,
        }];
        let same = self.program.block(to) == self.program.block(from)
            && into >= size
            && self.program.objects[to].storage == self.program.objects[from].storage;
        if same {
            kinds.push(CollectiveKind::PrefixReduce {
                op,
                first: first as u32,
                count,
            });
        }
        kinds
    }
}
