//! Makes the statements by which a phase writes and reads an object.

use super::super::model::*;
use super::{Binding, Generator, Mode, Range};

impl Generator {
    /// Makes statements that do one thing with one object, or several things with the objects that are only read.
    pub(super) fn kernel(&mut self) -> Vec<Stmt> {
        let object = self.rng.below(self.program.objects.len());
        match self.modes[object] {
            Mode::Read => self.reading(object),
            Mode::Owned(owner) => match self.rng.below(10) {
                0 | 4 | 5 if self.transfers(object) && self.has_block_writers(object, owner) => {
                    self.writing_transfer(object, owner)
                }
                1 if owner == Owner::Affinity && self.has_mine(object) => self.writing_mine(object),
                2 if self.walks(object) => self.writing_walk(object, owner),
                3 if owner == Owner::Affinity && self.walks(object) => {
                    vec![self.ahead(object, true)]
                }
                _ => self.writing(object, owner),
            },
            Mode::Single(thread) => vec![self.shift(object, thread)],
            Mode::Locked(op) => self.updating(object, |generator, target| {
                generator.locked_update(target, op)
            }),
            Mode::Atomic(op) => self.updating(object, |generator, target| {
                generator.atomic_update(target, op)
            }),
        }
    }

    /// Makes statements that write no shared object.
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
            8 if self.walks(object) => vec![self.ahead(object, false)],
            7 => vec![self.sum(3)],
            9 => vec![self.escape()],
            _ => self.reading_loop(object),
        }
    }

    pub(super) fn sum(&mut self, depth: usize) -> Stmt {
        Stmt::Sum {
            sum: self.rng.below(SUMS),
            factor: *self.rng.pick(&[1, 1, 1, 3, 31]),
            value: match self.chance(25) {
                true => self.read(0).unwrap_or(Expr::MyThread),
                false => self.expr(depth),
            },
        }
    }

    /// Makes statements of a loop's body that write no shared object.
    pub(super) fn sums(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.number(1, 2) {
            let stmt = match (self.rng.below(18), self.escape) {
                (0 | 14, Some(label)) => Stmt::Jump {
                    test: self.test(),
                    label,
                },
                (0, _) => Stmt::If {
                    test: self.test(),
                    then: vec![self.sum(2)],
                    otherwise: match self.chance(40) {
                        true => vec![self.sum(1)],
                        false => Vec::new(),
                    },
                },
                (1, _) => {
                    let readable = self.readable();
                    match readable.is_empty() {
                        true => self.sum(1),
                        false => {
                            let object = *self.rng.pick(&readable);
                            self.pointer(object)
                        }
                    }
                }
                (2..=3, _) if self.depth < 2 => self.inner_loop(),
                (4, _) => match self.chance(50) {
                    true => Stmt::Fence,
                    false => self.mark(),
                },
                (5..=6, _) => self.local(Self::one_sum),
                (7..=8, _) => match self.depth < 2 && self.chance(30) {
                    true => self.framed(&|generator| vec![generator.inner_loop()]),
                    false => self.framed(&Self::one_sum),
                },
                _ => self.sum(2),
            };
            body.push(stmt);
        }
        body
    }

    pub(super) fn one_sum(&mut self) -> Vec<Stmt> {
        vec![self.sum(2)]
    }

    /// Makes a variable of a block: a copy of a loop's variable, or any number.
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

    /// Makes a variable that follows the loop's variable, first at one distance and then at another, and reads through
    /// it. `None`: the loop does not leave out the elements at both ends.
    pub(super) fn derived(&mut self, of: Var, span: Span) -> Option<Stmt> {
        let Span::Shape {
            shape,
            scale: 1,
            margin,
        } = span
        else {
            return None;
        };
        let distance = i64::from(margin);
        let mut offsets = [-distance, distance];
        if self.chance(50) {
            offsets.swap(0, 1);
        }
        let var = self.var();
        let range = Range::Span(Span::Shape {
            shape,
            scale: 1,
            margin: 0,
        });
        // With no other variable in scope, the reads go through this one where that is possible.
        let scope = std::mem::replace(&mut self.scope, vec![Binding { var, range }]);
        let bodies = [0, 1].map(|_| match self.read(0) {
            Some(value) => vec![Stmt::Sum {
                sum: self.rng.below(SUMS),
                factor: 3,
                value,
            }],
            None => Vec::new(),
        });
        self.scope = scope;
        let [near, far] = bodies;
        (margin > 0).then_some(Stmt::Derived {
            var,
            of,
            offsets,
            near,
            far,
        })
    }

    /// Makes an inner loop, which only sums.
    pub(super) fn inner_loop(&mut self) -> Stmt {
        let readable = self.readable();
        let var = self.var();
        let object = match readable.is_empty() {
            true => None,
            false => Some(*self.rng.pick(&readable)),
        };
        let span = match object {
            Some(object) if self.chance(15) && self.walks(object) => {
                return self.walk(object, None);
            }
            Some(object) if self.chance(70) => self.span(object),
            _ => Span::Count(self.number(1, 5) as u32),
        };
        let kind = match self.rng.below(8) {
            0..=2 => LoopKind::Forall(self.any_affinity(var, span)),
            3 => LoopKind::Again,
            _ => self.plain_kind(),
        };
        self.counting(var, span, kind, Self::sums)
    }

    pub(super) fn writing(&mut self, object: usize, owner: Owner) -> Vec<Stmt> {
        let dims = self.program.shape(object).dims.len();
        let row = self.program.shape(object).row(self.program.threads);
        if let Owner::Blocks(size) = owner
            && dims > 1
            && size.is_multiple_of(row)
            && self.chance(60)
        {
            return vec![self.dealt_rows(object, size / row)];
        }
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

    /// Returns the element of the object at the variables in scope.
    pub(super) fn own_place(&mut self, object: usize) -> Access {
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

    /// Makes statements for an element that only this thread accesses here.
    pub(super) fn stores(&mut self, target: &Access) -> Vec<Stmt> {
        let before = self.current.replace(target.clone());
        let mut body = Vec::new();
        for _ in 0..self.number(1, 2) {
            match self.rng.below(14) {
                4 => {
                    let target = target.clone();
                    body.push(self.framed(&move |generator| vec![generator.store(&target)]));
                }
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
            spelling: self.spelling(),
            ..element.clone()
        };
        match self.program.leaf(&target) {
            Leaf::Pointer(_) if self.chance(50) => Stmt::StepPointer {
                target,
                by: self.number(1, 4) as u32,
                down: self.chance(40),
            },
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
}
