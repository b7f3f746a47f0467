//! Makes pointers into objects: to one element, over all elements, relative to another pointer, to the thread's own elements; and casts.

use super::super::model::*;
use super::{Binding, Generator, Range};

impl Generator {
    /// Makes a pointer to one element.
    pub(super) fn pointer(&mut self, object: usize) -> Stmt {
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

    /// Returns whether a pointer may move over the whole object.
    pub(super) fn walks(&self, object: usize) -> bool {
        self.program.objects[object].storage != Storage::Directory
    }

    pub(super) fn walk(&mut self, object: usize, owner: Option<Owner>) -> Stmt {
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
            // The pointer must not pass the place after the last element.
            WalkKind::Before => 1 + self.rng.below(margin as usize + 1) as u32,
            WalkKind::Counted | WalkKind::Backwards => self.number(1, 3) as u32,
        };
        let outlined = self.chance(35);
        let pointer = self.var();
        let outer = match outlined {
            true => std::mem::take(&mut self.scope),
            false => self.scope.clone(),
        };
        // A separate function knows no label and no element of its caller.
        let escape = self.escape.take_if(|_| outlined);
        let current = self.current.take_if(|_| outlined);
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
        self.escape = self.escape.or(escape);
        if outlined {
            self.current = current;
        }
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

    /// Makes a loop over the elements after the target of a pointer into an object.
    pub(super) fn ahead(&mut self, object: usize, writes: bool) -> Stmt {
        let (shape, size) = (self.program.objects[object].shape, self.size(object));
        let (pointer, var) = (self.var(), self.var());
        let from = self.rng.below(size.div_ceil(2) as usize) as u32;
        let margin = match size - from > 3 {
            true => self.rng.below(2) as u32,
            false => 0,
        };
        let to = Access {
            object,
            index: Index::Free(Box::new(Expr::Number(u64::from(from)))),
            path: Vec::new(),
            spelling: Spelling::Subscript,
        };
        let own = Access {
            index: Index::Ahead {
                pointer,
                var,
                offset: i64::from(margin),
            },
            ..to.clone()
        };
        self.scope.push(Binding {
            var,
            range: Range::Ahead {
                object,
                pointer,
                margin,
            },
        });
        self.depth += 1;
        // The loop may become a upc_forall.
        let escape = self.escape.take();
        let body = match writes {
            true => self.stores(&own),
            false => self.sums(),
        };
        self.escape = escape;
        self.depth -= 1;
        self.scope.pop();
        let (kind, body) = match (writes, self.chance(60)) {
            (_, true) => (LoopKind::Forall(Affinity::Address(own)), body),
            (false, false) => (self.plain_kind(), body),
            (true, false) => {
                let guard = Stmt::Guard {
                    owner: Owner::Affinity,
                    access: own,
                    skip: false,
                    body,
                };
                (self.plain_kind(), vec![guard])
            }
        };
        Stmt::Pointer {
            pointer,
            to,
            body: vec![Stmt::Loop(Loop {
                var,
                unsigned: self.chance(20),
                wide: self.chance(30),
                pragma: false,
                kind,
                span: Span::Rest {
                    shape,
                    from,
                    margin,
                },
                step: *self.rng.pick(&[1, 1, 1, 2]),
                down: false,
                body,
            })],
        }
    }

    /// Makes a function that copies elements of an object to others of it, which may be the same. Only one thread calls
    /// it.
    pub(super) fn shift(&mut self, object: usize, thread: u32) -> Stmt {
        let size = self.size(object);
        let distance = self.number(0, (size as usize / 2).min(9)) as u32;
        let first = self.rng.below((size - distance) as usize) as u32;
        let count = self.number(1, (size - distance - first) as usize) as u32;
        let mut from = [first, first + distance];
        if self.chance(50) {
            from.swap(0, 1);
        }
        let (pointers, var) = ([self.var(), self.var()], self.var());
        let element = |pointer| Access {
            object,
            index: Index::Ahead {
                pointer,
                var,
                offset: 0,
            },
            path: Vec::new(),
            spelling: Spelling::Subscript,
        };
        let read = Expr::Read {
            access: element(pointers[1]),
            cast: true,
        };
        let scaled = Expr::Binary(Binary::Mul, Box::new(read), Box::new(Expr::Number(3)));
        let store = Stmt::Store {
            target: element(pointers[0]),
            op: Op::Set,
            value: Expr::Binary(Binary::Add, Box::new(scaled), Box::new(Expr::Var(var))),
            into: None,
        };
        let kind = self.plain_kind();
        let down = matches!(kind, LoopKind::For) && self.chance(15);
        let copying = Stmt::Loop(Loop {
            var,
            unsigned: self.chance(20),
            wide: self.chance(30),
            pragma: false,
            kind,
            span: Span::Count(count),
            step: 1,
            down,
            body: vec![store],
        });
        let number = Box::new(Expr::Number(u64::from(thread)));
        Stmt::If {
            test: Expr::Binary(Binary::Equal, Box::new(Expr::MyThread), number),
            then: vec![Stmt::Outlined {
                object,
                pointers,
                from,
                body: vec![copying],
            }],
            otherwise: Vec::new(),
        }
    }

    pub(super) fn writing_walk(&mut self, object: usize, owner: Owner) -> Vec<Stmt> {
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

    pub(super) fn has_mine(&self, object: usize) -> bool {
        self.program.objects[object].storage != Storage::Directory
    }

    pub(super) fn mine(&mut self, object: usize, body: impl Fn(&mut Self) -> Vec<Stmt>) -> Stmt {
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

    pub(super) fn writing_mine(&mut self, object: usize) -> Vec<Stmt> {
        vec![self.mine(object, |generator| {
            let target = generator.own_place(object);
            generator.stores(&target)
        })]
    }

    pub(super) fn recasts(&self, object: usize) -> bool {
        let of = &self.program.objects[object];
        matches!(of.element, Element::Scalar(_))
            && matches!(
                of.storage,
                Storage::Static | Storage::AllAlloc | Storage::GlobalAlloc
            )
    }

    pub(super) fn recast(&mut self, object: usize) -> Stmt {
        let generic = self.chance(30);
        let own = self.program.block(object);
        let block = match generic {
            // A phase that the new type does not have would be undefined (UPC 6.4.3p3).
            true => *self.rng.pick(&[0, 1, own, own + 1, own + 5]),
            false => self.rng.below(8) as u32,
        };
        Stmt::Recast {
            object,
            at: self.expr(1),
            block,
            generic,
            offset: self.rng.below(9) as u32,
            sum: self.rng.below(SUMS),
        }
    }
}
