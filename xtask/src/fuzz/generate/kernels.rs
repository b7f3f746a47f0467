//! What a phase does: loops that write what the thread owns, loops that read, pointers that walk.

use super::super::model::*;
use super::{Binding, Generator, Mode, Range};

impl Generator {
    /// Statements that do one thing with one object, or several with those that are read.
    pub(super) fn kernel(&mut self) -> Vec<Stmt> {
        let object = self.rng.below(self.program.objects.len());
        match self.modes[object] {
            Mode::Read => self.reading(object),
            Mode::Owned(owner) => match self.rng.below(10) {
                0 if self.transfers(object) => self.writing_transfer(object, owner),
                1 if owner == Owner::Affinity && self.has_mine(object) => self.writing_mine(object),
                2 if self.walks(object) => self.writing_walk(object, owner),
                _ => self.writing(object, owner),
            },
            Mode::Locked(op) => self.updating(object, |generator, target| {
                generator.locked_update(target, op)
            }),
            Mode::Atomic(op) => self.updating(object, |generator, target| {
                generator.atomic_update(target, op)
            }),
        }
    }

    /// Kernels that write nothing shared.
    pub(super) fn reading_kernels(&mut self) -> Vec<Stmt> {
        let readable = self.readable();
        match readable.is_empty() {
            true => vec![self.sum(2)],
            false => {
                let object = *self.rng.pick(&readable);
                self.reading(object)
            }
        }
    }

    fn reading(&mut self, object: usize) -> Vec<Stmt> {
        match self.rng.below(12) {
            0..=1 if self.walks(object) => vec![self.walk(object, None)],
            2 if self.has_mine(object) => vec![self.mine(object, Self::sums)],
            3..=4 if self.transfers(object) => vec![self.reading_transfer(object)],
            5 if self.recasts(object) => vec![self.recast(object)],
            6 => vec![self.pointer(object)],
            7 => vec![self.sum(3)],
            _ => self.reading_loop(object),
        }
    }

    pub(super) fn sum(&mut self, depth: usize) -> Stmt {
        Stmt::Sum {
            sum: self.rng.below(SUMS),
            factor: *self.rng.pick(&[1, 1, 1, 3, 31]),
            value: self.expr(depth),
        }
    }

    /// Statements of a loop's body that write nothing shared.
    fn sums(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.number(1, 2) {
            let stmt = match self.rng.below(14) {
                0 => Stmt::If {
                    test: self.test(),
                    then: vec![self.sum(2)],
                    otherwise: match self.chance(40) {
                        true => vec![self.sum(1)],
                        false => Vec::new(),
                    },
                },
                1 => {
                    let readable = self.readable();
                    match readable.is_empty() {
                        true => self.sum(1),
                        false => {
                            let object = *self.rng.pick(&readable);
                            self.pointer(object)
                        }
                    }
                }
                2 if self.depth < 2 => self.inner_loop(),
                3 => Stmt::Fence,
                4..=5 => self.local(Self::one_sum),
                _ => self.sum(2),
            };
            body.push(stmt);
        }
        body
    }

    fn one_sum(&mut self) -> Vec<Stmt> {
        vec![self.sum(2)]
    }

    /// A variable of a block: a copy of a loop's, or any number.
    fn local(&mut self, body: impl Fn(&mut Self) -> Vec<Stmt>) -> Stmt {
        let var = self.var();
        let copied = self
            .scope
            .iter()
            .rev()
            .find(|binding| matches!(binding.range, Range::Span(_)))
            .copied();
        let (value, range) = match copied {
            Some(binding) if self.chance(60) => (Expr::Var(binding.var), binding.range),
            _ => (self.expr(1), Range::Value),
        };
        self.scope.push(Binding { var, range });
        let body = body(self);
        self.scope.pop();
        Stmt::Local { var, value, body }
    }

    /// A pointer to one element.
    fn pointer(&mut self, object: usize) -> Stmt {
        let to = self.addressed(object, 1);
        let pointer = self.var();
        self.scope.push(Binding {
            var: pointer,
            range: Range::Pointer { object, margin: 0 },
        });
        let body = vec![self.sum(2)];
        self.scope.pop();
        Stmt::Pointer { pointer, to, body }
    }

    /// A loop inside another, which only sums.
    fn inner_loop(&mut self) -> Stmt {
        let readable = self.readable();
        match readable.is_empty() || self.chance(30) {
            true => {
                let span = Span::Count(self.number(1, 5) as u32);
                self.counting(span, LoopKind::For, Self::sums)
            }
            false => {
                let object = *self.rng.pick(&readable);
                let span = self.span(object);
                let kind = self.plain_kind();
                self.counting(span, kind, Self::sums)
            }
        }
    }

    fn plain_kind(&mut self) -> LoopKind {
        match self.rng.below(6) {
            0 => LoopKind::While,
            1 => LoopKind::DoWhile,
            _ => LoopKind::For,
        }
    }

    /// All numbers of an object, or all that have neighbours, or every second or third.
    fn span(&mut self, object: usize) -> Span {
        let shape = self.program.objects[object].shape;
        let size = self.size(object);
        let scale = *self.rng.pick(&[1, 1, 1, 1, 2, 3]);
        let margin = *self.rng.pick(&[0, 0, 1, 1, 2]);
        match size / scale > 2 * margin {
            true => Span::Shape {
                shape,
                scale,
                margin,
            },
            false => Span::Shape {
                shape,
                scale: 1,
                margin: 0,
            },
        }
    }

    /// A loop with a body made in the scope of its variable.
    fn counting(
        &mut self,
        span: Span,
        kind: LoopKind,
        body: impl Fn(&mut Self) -> Vec<Stmt>,
    ) -> Stmt {
        let var = self.var();
        self.counting_of(var, span, kind, body)
    }

    fn counting_of(
        &mut self,
        var: Var,
        span: Span,
        kind: LoopKind,
        body: impl Fn(&mut Self) -> Vec<Stmt>,
    ) -> Stmt {
        let plain = matches!(kind, LoopKind::For | LoopKind::While | LoopKind::DoWhile);
        let down = matches!(kind, LoopKind::For) && self.chance(15);
        self.scope.push(Binding {
            var,
            range: Range::Span(span),
        });
        self.depth += 1;
        let mut body = body(self);
        if plain && self.chance(10) {
            let leave = Stmt::Leave {
                test: self.test(),
                ends: self.chance(40),
            };
            let at = self.rng.below(body.len() + 1);
            body.insert(at, leave);
        }
        self.depth -= 1;
        self.scope.pop();
        Stmt::Loop(Loop {
            var,
            unsigned: self.chance(25),
            wide: self.chance(30),
            pragma: matches!(kind, LoopKind::For) && self.chance(4),
            kind,
            span,
            step: *self.rng.pick(&[1, 1, 1, 1, 2, 3]),
            down,
            body,
        })
    }

    fn reading_loop(&mut self, object: usize) -> Vec<Stmt> {
        let dims = self.program.shape(object).dims.len();
        if dims > 1 && self.chance(60) {
            return vec![self.grid(object, 0, Self::sums)];
        }
        let span = self.span(object);
        let var = self.var();
        let kind = match self.rng.below(10) {
            0..=2 => LoopKind::Forall(self.any_affinity(var, span)),
            _ => self.plain_kind(),
        };
        vec![self.counting_of(var, span, kind, Self::sums)]
    }

    /// Loops over the dimensions of an object, one in the other.
    fn grid(
        &mut self,
        object: usize,
        dim: usize,
        body: impl Fn(&mut Self) -> Vec<Stmt> + Copy,
    ) -> Stmt {
        let shape = self.program.objects[object].shape;
        let dims = self.program.shapes[shape].dims.clone();
        let wide = dims[dim].size(self.program.threads) > 2;
        let margin = u32::from(wide && self.chance(40));
        let span = Span::Dim { shape, dim, margin };
        let kind = self.plain_kind();
        self.counting(span, kind, |generator| match dim + 1 == dims.len() {
            true => body(generator),
            false => vec![generator.grid(object, dim + 1, body)],
        })
    }

    /// An affinity for a loop that only reads: any.
    fn any_affinity(&mut self, var: Var, span: Span) -> Affinity {
        let Span::Shape { shape, margin, .. } = span else {
            return Affinity::Continue;
        };
        let of_shape: Vec<usize> = (0..self.program.objects.len())
            .filter(|&object| self.program.objects[object].shape == shape)
            .filter(|&object| self.program.objects[object].storage != Storage::Directory)
            .collect();
        let Some(&object) = of_shape.first() else {
            return Affinity::None;
        };
        let of = Access {
            object: *self.rng.pick(&of_shape),
            index: Index::Linear {
                var,
                scale: 1,
                offset: self.number(0, margin as usize) as i64,
                reversed: false,
            },
            path: Vec::new(),
            spelling: self.spelling(),
        };
        let of_first = Access {
            object,
            ..of.clone()
        };
        match self.rng.below(8) {
            0 => Affinity::Continue,
            1 => Affinity::None,
            2..=4 => Affinity::Number {
                of: of_first,
                over: *self.rng.pick(&[1, 1, 2, 5]),
                shift: self.number(0, 5) as u32,
            },
            _ => Affinity::Address(of),
        }
    }

    /// The first values of an object.
    pub(super) fn filling(&mut self, object: usize, owner: Owner) -> Vec<Stmt> {
        let shape = self.program.objects[object].shape;
        let span = Span::Shape {
            shape,
            scale: 1,
            margin: 0,
        };
        let var = self.var();
        let target = Access {
            object,
            index: Index::Linear {
                var,
                scale: 1,
                offset: 0,
                reversed: false,
            },
            path: Vec::new(),
            spelling: Spelling::Subscript,
        };
        let mut body = Vec::new();
        for path in self.program.leaves(object) {
            let target = Access {
                path,
                ..target.clone()
            };
            if matches!(self.program.leaf(&target), Leaf::Pointer(_)) {
                continue;
            }
            let factor = Box::new(Expr::Number(self.number(1, 100_000) as u64));
            let scaled = Expr::Binary(Binary::Mul, Box::new(Expr::Var(var)), factor);
            let offset = Box::new(Expr::Number(self.number(0, 300) as u64));
            body.push(Stmt::Store {
                target,
                op: Op::Set,
                value: Expr::Binary(Binary::Add, Box::new(scaled), offset),
                into: None,
            });
        }
        vec![self.owned_loop(var, span, owner, &target, body, true)]
    }

    /// A loop whose body is done for the elements that the thread owns.
    fn owned_loop(
        &mut self,
        var: Var,
        span: Span,
        owner: Owner,
        target: &Access,
        body: Vec<Stmt>,
        all: bool,
    ) -> Stmt {
        let offset = match (&target.index, span) {
            (
                Index::Linear {
                    scale: 1,
                    offset,
                    reversed: false,
                    ..
                },
                Span::Shape { scale: 1, .. },
            ) => Some(*offset),
            _ => None,
        };
        let directory = self.program.objects[target.object].storage == Storage::Directory;
        let simple = Access {
            path: Vec::new(),
            spelling: Spelling::Subscript,
            ..target.clone()
        };
        let forall = match owner {
            Owner::Cyclic { shift } => Some(Affinity::Number {
                of: simple.clone(),
                over: 1,
                shift,
            }),
            Owner::Blocks(over) => Some(Affinity::Number {
                of: simple.clone(),
                over,
                shift: 0,
            }),
            Owner::Affinity if !directory => Some(Affinity::Address(Access {
                spelling: self.spelling(),
                ..simple.clone()
            })),
            Owner::AffinityOf(object) => Some(Affinity::Address(Access {
                object,
                ..simple.clone()
            })),
            Owner::Reversed | Owner::Affinity => None,
        };
        let guarded = |generator: &mut Self, kind: LoopKind, body: Vec<Stmt>| {
            let guard = Stmt::Guard {
                owner,
                access: simple.clone(),
                skip: generator.chance(30),
                body,
            };
            (kind, vec![guard])
        };
        let (kind, body) = match (forall, owner, offset) {
            (Some(affinity), ..) if self.chance(60) => (LoopKind::Forall(affinity), body),
            (_, Owner::Cyclic { shift }, Some(offset)) if self.chance(60) => {
                let offset = (i64::from(shift) + offset).unsigned_abs() as u32;
                (LoopKind::Stride { offset }, body)
            }
            _ => {
                let kind = self.plain_kind();
                guarded(self, kind, body)
            }
        };
        let down = !all && matches!(kind, LoopKind::For) && self.chance(15);
        Stmt::Loop(Loop {
            var,
            unsigned: self.chance(20),
            wide: self.chance(30),
            pragma: !all && matches!(kind, LoopKind::For) && self.chance(4),
            kind,
            span,
            step: match all {
                true => 1,
                false => *self.rng.pick(&[1, 1, 1, 1, 2]),
            },
            down,
            body,
        })
    }

    fn writing(&mut self, object: usize, owner: Owner) -> Vec<Stmt> {
        let dims = self.program.shape(object).dims.len();
        if dims > 1 && self.chance(60) {
            return vec![self.grid(object, 0, |generator| {
                let target = generator.own_place(object);
                let body = generator.stores(&target);
                vec![Stmt::Guard {
                    owner,
                    access: target,
                    skip: generator.chance(30),
                    body,
                }]
            })];
        }
        let span = self.span(object);
        let var = self.var();
        self.scope.push(Binding {
            var,
            range: Range::Span(span),
        });
        self.depth += 1;
        let target = self.own_place(object);
        let body = self.stores(&target);
        self.depth -= 1;
        self.scope.pop();
        vec![self.owned_loop(var, span, owner, &target, body, false)]
    }

    /// An element of the object at the variables in scope.
    fn own_place(&mut self, object: usize) -> Access {
        loop {
            let place = self.anywhere(object, 0);
            if !matches!(place.index, Index::Free(_)) {
                return Access {
                    spelling: Spelling::Subscript,
                    ..place
                };
            }
        }
    }

    /// What is done with an element that is this thread's alone here.
    pub(super) fn stores(&mut self, target: &Access) -> Vec<Stmt> {
        let before = self.current.replace(target.clone());
        let mut body = Vec::new();
        for _ in 0..self.number(1, 2) {
            match self.rng.below(12) {
                0 => body.push(Stmt::If {
                    test: self.test(),
                    then: vec![self.store(target)],
                    otherwise: Vec::new(),
                }),
                1 => {
                    let target = target.clone();
                    body.push(self.local(move |generator| vec![generator.store(&target)]));
                }
                2 if self.depth < 2 => body.push(self.inner_loop()),
                3 => body.push(self.sum(2)),
                _ => body.push(self.store(target)),
            }
        }
        self.current = before;
        body
    }

    fn store(&mut self, element: &Access) -> Stmt {
        let same: Vec<usize> = self
            .readable()
            .into_iter()
            .filter(|&o| {
                self.program.objects[o].element == self.program.objects[element.object].element
            })
            .collect();
        if !same.is_empty() && self.chance(12) {
            let from = *self.rng.pick(&same);
            return Stmt::Copy {
                to: element.clone(),
                from: self.anywhere(from, 1),
            };
        }
        let target = Access {
            path: self.path(element.object),
            ..element.clone()
        };
        match self.program.leaf(&target) {
            Leaf::Pointer(to) => Stmt::StorePointer {
                to: self.addressed(to, 0),
                target,
            },
            leaf => Stmt::Store {
                op: self.op(leaf),
                value: self.expr(2),
                into: self.chance(12).then(|| self.rng.below(SUMS)),
                target,
            },
        }
    }

    fn op(&mut self, leaf: Leaf) -> Op {
        if self.chance(45) {
            return Op::Set;
        }
        match leaf {
            Leaf::Scalar(scalar) if scalar.is_floating() => {
                *self
                    .rng
                    .pick(&[Op::Add, Op::Sub, Op::Increment, Op::Decrement])
            }
            Leaf::Scalar(Scalar::Bool) => *self.rng.pick(&[Op::Add, Op::Xor, Op::Or, Op::Set]),
            _ => *self.rng.pick(&[
                Op::Add,
                Op::Add,
                Op::Sub,
                Op::Mul,
                Op::Xor,
                Op::Or,
                Op::And,
                Op::Shl,
                Op::Shr,
                Op::Increment,
                Op::Decrement,
                Op::BeforeIncrement,
            ]),
        }
    }

    /// Whether a pointer may go from one element to the next all over it.
    fn walks(&self, object: usize) -> bool {
        self.program.objects[object].storage != Storage::Directory
    }

    fn walk(&mut self, object: usize, owner: Option<Owner>) -> Stmt {
        let size = self.size(object);
        let margin = match size > 6 {
            true => self.rng.below(3) as u32,
            false => 0,
        };
        let kind = *self.rng.pick(&[
            WalkKind::ToEnd,
            WalkKind::Before,
            WalkKind::Counted,
            WalkKind::Backwards,
        ]);
        let step = match kind {
            WalkKind::ToEnd => 1,
            // Not beyond the place behind the last element.
            WalkKind::Before => 1 + self.rng.below(margin as usize + 1) as u32,
            WalkKind::Counted | WalkKind::Backwards => self.number(1, 3) as u32,
        };
        let outlined = self.chance(35);
        let pointer = self.var();
        let outer = match outlined {
            true => std::mem::take(&mut self.scope),
            false => self.scope.clone(),
        };
        self.scope.push(Binding {
            var: pointer,
            range: Range::Pointer { object, margin },
        });
        self.depth += 1;
        let body = match owner {
            None => self.sums(),
            Some(owner) => {
                let target = self.own_place(object);
                let body = self.stores(&target);
                vec![Stmt::Guard {
                    owner,
                    access: target,
                    skip: false,
                    body,
                }]
            }
        };
        self.depth -= 1;
        self.scope = outer;
        if outlined {
            self.scope.retain(|binding| binding.var != pointer);
        } else {
            self.scope.pop_if(|binding| binding.var == pointer);
        }
        Stmt::Walk(Walk {
            object,
            pointer,
            margin,
            step,
            kind,
            outlined,
            body,
        })
    }

    fn writing_walk(&mut self, object: usize, owner: Owner) -> Vec<Stmt> {
        // Pointers into directories have no number.
        match owner {
            Owner::AffinityOf(other)
                if self.program.objects[other].storage == Storage::Directory =>
            {
                self.writing(object, owner)
            }
            _ => vec![self.walk(object, Some(owner))],
        }
    }

    fn has_mine(&self, object: usize) -> bool {
        self.program.objects[object].storage != Storage::Directory
    }

    fn mine(&mut self, object: usize, body: impl Fn(&mut Self) -> Vec<Stmt>) -> Stmt {
        let (pointer, var) = (self.var(), self.var());
        self.scope.push(Binding {
            var,
            range: Range::Mine { object, pointer },
        });
        self.depth += 1;
        let body = body(self);
        self.depth -= 1;
        self.scope.pop();
        Stmt::Mine {
            object,
            pointer,
            var,
            body,
        }
    }

    fn writing_mine(&mut self, object: usize) -> Vec<Stmt> {
        vec![self.mine(object, |generator| {
            let target = generator.own_place(object);
            generator.stores(&target)
        })]
    }

    fn recasts(&self, object: usize) -> bool {
        let of = &self.program.objects[object];
        matches!(of.element, Element::Scalar(_))
            && matches!(
                of.storage,
                Storage::Static | Storage::AllAlloc | Storage::GlobalAlloc
            )
    }

    fn recast(&mut self, object: usize) -> Stmt {
        Stmt::Recast {
            object,
            at: self.expr(1),
            block: self.rng.below(8) as u32,
            offset: self.rng.below(9) as u32,
            sum: self.rng.below(SUMS),
        }
    }
}
