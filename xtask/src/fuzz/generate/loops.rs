//! Makes loops over objects: plain loops, nests over dimensions, and loops that distribute their iterations.

use super::super::model::*;
use super::{Binding, Generator, Range};

impl Generator {
    pub(super) fn plain_kind(&mut self) -> LoopKind {
        match self.rng.below(6) {
            0 => LoopKind::While,
            1 => LoopKind::DoWhile,
            _ => LoopKind::For,
        }
    }

    /// Returns the numbers of all elements, or of those that have neighbours, or of every second or third element.
    pub(super) fn span(&mut self, object: usize) -> Span {
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

    /// Makes a loop whose body is made in the scope of its variable.
    pub(super) fn counting(
        &mut self,
        var: Var,
        span: Span,
        kind: LoopKind,
        body: impl Fn(&mut Self) -> Vec<Stmt>,
    ) -> Stmt {
        let plain = matches!(kind, LoopKind::For | LoopKind::While | LoopKind::DoWhile);
        let down = matches!(kind, LoopKind::For) && self.chance(15);
        let forall = matches!(kind, LoopKind::Forall(_));
        // Nothing jumps out of a upc_forall.
        let escape = self.escape.take_if(|_| forall);
        self.scope.push(Binding {
            var,
            range: Range::Span(span),
        });
        self.depth += 1;
        let mut body = body(self);
        self.escape = self.escape.or(escape);
        if self.chance(25)
            && let Some(derived) = self.derived(var, span)
        {
            body.insert(0, derived);
        }
        if plain && self.chance(15) {
            let leave = Stmt::Leave {
                test: self.test(),
                ends: self.chance(30),
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

    pub(super) fn reading_loop(&mut self, object: usize) -> Vec<Stmt> {
        let dims = self.program.shape(object).dims.len();
        if dims > 1 && self.chance(60) {
            return vec![self.grid(object, 0, Self::sums)];
        }
        let span = self.span(object);
        let var = self.var();
        let kind = match self.rng.below(10) {
            0..=2 => LoopKind::Forall(self.any_affinity(var, span)),
            3 => LoopKind::Again,
            _ => self.plain_kind(),
        };
        vec![self.counting(var, span, kind, Self::sums)]
    }

    /// Makes nested loops over the dimensions of an object.
    pub(super) fn grid(
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
        let var = self.var();
        let kind = match self.chance(25) {
            true => LoopKind::Forall(self.any_affinity(var, span)),
            false => self.plain_kind(),
        };
        self.counting(var, span, kind, |generator| match dim + 1 == dims.len() {
            true => body(generator),
            false => vec![generator.grid(object, dim + 1, body)],
        })
    }

    /// Makes nested loops that write. The outer loop distributes so many rows at a time. The inner loops go through these rows, whatever their affinity
    /// is.
    pub(super) fn dealt_rows(&mut self, object: usize, rows: u32) -> Stmt {
        let var = self.var();
        let row = Access {
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
        let span = Span::Dim {
            shape: self.program.objects[object].shape,
            dim: 0,
            margin: 0,
        };
        let affinity = Affinity::Number {
            of: row,
            over: rows,
            spread: false,
            shift: 0,
        };
        self.counting(var, span, LoopKind::Forall(affinity), |generator| {
            vec![generator.grid(object, 1, |generator| {
                let target = generator.own_place(object);
                generator.stores(&target)
            })]
        })
    }

    /// Returns any affinity, for a loop that only reads.
    pub(super) fn any_affinity(&mut self, var: Var, span: Span) -> Affinity {
        let (shape, margin) = match span {
            Span::Shape { shape, margin, .. } => (shape, margin),
            Span::Dim { .. } | Span::Rest { .. } | Span::Count(_) => {
                return self.affinity_anywhere(var);
            }
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
            2 => Affinity::Number {
                of: of_first,
                over: self.number(1, 40) as u32,
                spread: true,
                shift: [0, 3][self.rng.below(2)],
            },
            3 | 4 => Affinity::Number {
                of: of_first,
                over: *self.rng.pick(&[1, 1, 2, 5]),
                spread: false,
                shift: self.number(0, 5) as u32,
            },
            _ => Affinity::Address(of),
        }
    }

    /// Returns an affinity for a loop whose variable is not the number of an element.
    fn affinity_anywhere(&mut self, var: Var) -> Affinity {
        let objects: Vec<usize> = (0..self.program.objects.len())
            .filter(|&object| self.program.objects[object].storage != Storage::Directory)
            .collect();
        let kind = self.rng.below(8);
        if objects.is_empty() || kind < 2 {
            return [Affinity::Continue, Affinity::None][kind % 2].clone();
        }
        let object = *self.rng.pick(&objects);
        let of = |index| Access {
            object,
            index,
            path: Vec::new(),
            spelling: Spelling::Subscript,
        };
        match kind {
            2..=4 => Affinity::Number {
                of: of(Index::Linear {
                    var,
                    scale: 1,
                    offset: 0,
                    reversed: false,
                }),
                over: 1,
                spread: false,
                shift: self.number(0, 5) as u32,
            },
            _ => Affinity::Address(of(Index::Free(Box::new(Expr::Var(var))))),
        }
    }

    /// Makes the loops that store the first values of an object.
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

    /// Makes a loop whose body is executed for the elements that the thread owns.
    pub(super) fn owned_loop(
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
        let simple = Access {
            path: Vec::new(),
            spelling: Spelling::Subscript,
            ..target.clone()
        };
        let forall = self.affinity(owner, &simple);
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

    /// Returns the affinity that gives the iterations to their owner; `None` if there is none.
    fn affinity(&mut self, owner: Owner, simple: &Access) -> Option<Affinity> {
        let directory = self.program.objects[simple.object].storage == Storage::Directory;
        match owner {
            Owner::Cyclic { shift } => Some(Affinity::Number {
                of: simple.clone(),
                over: 1,
                spread: false,
                shift,
            }),
            Owner::Blocks(over) => Some(Affinity::Number {
                of: simple.clone(),
                over,
                spread: false,
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
        }
    }
}
