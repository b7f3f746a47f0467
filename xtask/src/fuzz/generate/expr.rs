//! Makes expressions, and the elements that they read.

use super::super::model::*;
use super::{Binding, Generator, Mode, Range};

impl Generator {
    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.chance(25) {
            return self.operand(depth);
        }
        let left = Box::new(self.expr(depth - 1));
        match self.rng.below(24) {
            0 => Expr::Not(left),
            7 => Expr::Comma(left, Box::new(self.expr(depth - 1))),
            8..=9 => self.pick(depth).unwrap_or(*left),
            1 => Expr::Negative(left),
            2 => {
                let (test, no) = (self.test(), self.expr(depth - 1));
                Expr::Choose(Box::new(test), left, Box::new(no))
            }
            3 => Expr::Binary(Binary::Div(self.odd()), left, Box::new(Expr::Number(0))),
            4 => Expr::Binary(Binary::Rem(self.odd()), left, Box::new(Expr::Number(0))),
            5 => Expr::Binary(
                Binary::Shl(self.rng.below(8) as u32),
                left,
                Box::new(Expr::Number(0)),
            ),
            6 => Expr::Binary(
                Binary::Shr(self.rng.below(8) as u32),
                left,
                Box::new(Expr::Number(0)),
            ),
            _ => {
                let op = *self.rng.pick(&[
                    Binary::Add,
                    Binary::Add,
                    Binary::Add,
                    Binary::Sub,
                    Binary::Sub,
                    Binary::Mul,
                    Binary::Xor,
                    Binary::And,
                    Binary::Or,
                    Binary::Less,
                    Binary::Equal,
                    Binary::Both,
                    Binary::Either,
                ]);
                let right = self.expr(depth - 1);
                Expr::Binary(op, left, Box::new(right))
            }
        }
    }

    fn odd(&mut self) -> u32 {
        *self.rng.pick(&[3, 5, 7, 11, 101])
    }

    /// Makes a condition that often differs between iterations.
    pub(super) fn test(&mut self) -> Expr {
        let left = match self.vars().last() {
            Some(&var) if self.chance(40) => Expr::Var(var),
            _ => self.expr(1),
        };
        let rest = Expr::Binary(Binary::And, Box::new(left), Box::new(Expr::Number(7)));
        let right = Box::new(Expr::Number(self.rng.below(8) as u64));
        let op = *self.rng.pick(&[Binary::Less, Binary::Equal]);
        Expr::Binary(op, Box::new(rest), right)
    }

    fn operand(&mut self, depth: usize) -> Expr {
        let vars: Vec<Var> = self
            .scope
            .iter()
            .filter(|binding| !matches!(binding.range, Range::Pointer { .. }))
            .map(|binding| binding.var)
            .collect();
        match self.rng.below(14) {
            0 => Expr::Number(self.rng.below(1000) as u64),
            1 => Expr::MyThread,
            2 => Expr::Sum(self.rng.below(SUMS)),
            3..=4 if !vars.is_empty() => Expr::Var(*self.rng.pick(&vars)),
            5 => self.query().unwrap_or(Expr::Threads),
            _ => self.read(depth).unwrap_or(Expr::Number(3)),
        }
    }

    /// Makes a choice between two elements of an object.
    fn pick(&mut self, depth: usize) -> Option<Expr> {
        let readable = self.readable();
        if readable.is_empty() {
            return None;
        }
        let object = *self.rng.pick(&readable);
        let yes = Access {
            path: self.path(object),
            ..self.addressed(object, depth)
        };
        let no = Access {
            path: yes.path.clone(),
            ..self.addressed(object, depth)
        };
        match self.program.leaf(&yes) {
            Leaf::Scalar(_) | Leaf::Bits(..) => Some(Expr::Pick {
                test: Box::new(self.test()),
                yes,
                no,
                by_value: self.chance(40),
            }),
            Leaf::Pointer(_) | Leaf::Record(_) => None,
        }
    }

    /// Returns the objects that any thread may read at any place in this phase.
    pub(super) fn readable(&self) -> Vec<usize> {
        (0..self.program.objects.len())
            .filter(|&object| self.modes[object] == Mode::Read)
            .collect()
    }

    pub(super) fn read(&mut self, depth: usize) -> Option<Expr> {
        if let Some(current) = self.current.clone()
            && self.chance(20)
        {
            return self.value_of(current);
        }
        let readable = self.readable();
        // Objects that a variable in scope can index are preferred.
        let near: Vec<usize> = readable
            .iter()
            .copied()
            .filter(|&object| !self.indices(object).is_empty())
            .collect();
        let objects = match near.is_empty() || self.chance(15) {
            true => readable,
            false => near,
        };
        if objects.is_empty() {
            return None;
        }
        let object = *self.rng.pick(&objects);
        let access = self.anywhere(object, depth);
        self.value_of(access)
    }

    /// Reads a number in an element, or in the target of an element that is a pointer.
    fn value_of(&mut self, element: Access) -> Option<Expr> {
        let path = self.path(element.object);
        let access = Access { path, ..element };
        let cast = self.chance(50);
        match self.program.leaf(&access) {
            Leaf::Pointer(to) if self.modes[to] == Mode::Read => Some(Expr::Read {
                access: Access {
                    object: to,
                    index: Index::Stored(Box::new(access)),
                    path: Vec::new(),
                    spelling: Spelling::Subscript,
                },
                cast,
            }),
            Leaf::Pointer(_) | Leaf::Record(_) => None,
            Leaf::Scalar(_) | Leaf::Bits(..) => Some(Expr::Read { access, cast }),
        }
    }

    /// Returns the path to a random member.
    pub(super) fn path(&mut self, object: usize) -> Vec<Step> {
        let leaves = self.program.leaves(object);
        if leaves.is_empty() {
            return Vec::new();
        }
        let mut access = Access {
            object,
            index: Index::Free(Box::new(Expr::Number(0))),
            path: self.rng.pick(&leaves).clone(),
            spelling: Spelling::Subscript,
        };
        if let (Some(count), Some(&var)) = (self.program.items(&access), self.vars().last())
            && self.chance(50)
        {
            access.path.pop();
            access.path.push(Step::Turn { var, count });
        }
        access.path
    }

    fn query(&mut self) -> Option<Expr> {
        let objects: Vec<usize> = (0..self.program.objects.len())
            .filter(|&object| self.program.objects[object].storage != Storage::Directory)
            .collect();
        if objects.is_empty() {
            return None;
        }
        let object = *self.rng.pick(&objects);
        let access = self.addressed(object, 0);
        let other = self.addressed(object, 0);
        let dealt = self.program.block(object) > 0;
        let declared = self.program.objects[object].storage == Storage::Static;
        Some(match self.rng.below(9) {
            6 => Expr::Query(Query::ResetPhase, access),
            7 if dealt => Expr::Query(Query::Portion, access),
            8 if declared => Expr::Query(Query::Sizes, access),
            0 => Expr::Query(Query::Thread, access),
            1 => Expr::Query(Query::Phase, access),
            2 => Expr::Query(Query::Place, access),
            3 => Expr::Query(Query::IsFirst, access),
            4 => Expr::Difference(access, other),
            _ => Expr::Compare(*self.rng.pick(&Relation::ALL), access, other),
        })
    }

    /// Returns an element, if possible one that the variables in scope index.
    pub(super) fn anywhere(&mut self, object: usize, depth: usize) -> Access {
        let indices = self.indices(object);
        let index = match indices.is_empty() || self.chance(10) {
            false => {
                let binding = self.rng.pick(&indices).clone();
                self.around(&binding)
            }
            true => Index::Free(Box::new(self.free(depth))),
        };
        Access {
            object,
            index,
            path: Vec::new(),
            spelling: self.spelling(),
        }
    }

    /// Returns an element whose address can be taken, so not one through a private pointer.
    pub(super) fn addressed(&mut self, object: usize, depth: usize) -> Access {
        let access = self.anywhere(object, depth);
        match access.index {
            Index::Mine { .. } => Access {
                index: Index::Free(Box::new(Expr::MyThread)),
                ..access
            },
            _ => access,
        }
    }

    pub(super) fn spelling(&mut self) -> Spelling {
        match self.rng.below(12) {
            0 => Spelling::Star,
            1 => Spelling::Address,
            2 => Spelling::Cast {
                strict: self.chance(50),
            },
            _ => Spelling::Subscript,
        }
    }

    /// Returns an index that moves through the object without order.
    fn free(&mut self, depth: usize) -> Expr {
        let factor = Expr::Number(self.number(1, 40) as u64);
        let moving = match depth {
            0 => match self.vars().last() {
                Some(var) => Expr::Var(*var),
                None => Expr::MyThread,
            },
            _ => self.operand(depth - 1),
        };
        let scaled = Expr::Binary(Binary::Mul, Box::new(moving), Box::new(factor));
        let offset = Box::new(Expr::Number(self.rng.below(50) as u64));
        Expr::Binary(Binary::Add, Box::new(scaled), offset)
    }

    fn vars(&self) -> Vec<Var> {
        self.scope
            .iter()
            .filter(|binding| !matches!(binding.range, Range::Pointer { .. }))
            .map(|binding| binding.var)
            .collect()
    }

    /// Returns the sets of variables in scope that can index an object.
    fn indices(&self, object: usize) -> Vec<Vec<Binding>> {
        let shape = self.program.objects[object].shape;
        let dims = self.program.shapes[shape].dims.len();
        let mut found: Vec<Vec<Binding>> = Vec::new();
        for binding in &self.scope {
            let fits = match binding.range {
                Range::Span(Span::Shape { shape: of, .. }) => of == shape,
                Range::Pointer { object: of, .. } | Range::Ahead { object: of, .. } => of == object,
                Range::Mine { object: of, .. } => of == object,
                Range::Span(Span::Dim { .. } | Span::Rest { .. } | Span::Count(_))
                | Range::Value => false,
            };
            if fits {
                found.push(vec![*binding]);
            }
        }
        let grid: Vec<Binding> = (0..dims)
            .filter_map(|at| {
                let fits = |binding: &&Binding| {
                    matches!(binding.range, Range::Span(Span::Dim { shape: of, dim, .. }) if of == shape && dim == at)
                };
                self.scope.iter().rev().find(fits).copied()
            })
            .collect();
        if grid.len() == dims {
            found.push(grid);
        }
        found
    }

    /// Returns an index at or near that of the variables.
    fn around(&mut self, bindings: &[Binding]) -> Index {
        let near = |generator: &mut Generator, margin: u32| {
            generator.number(0, 2 * margin as usize) as i64 - i64::from(margin)
        };
        let first = bindings[0];
        match first.range {
            Range::Span(Span::Shape { scale, margin, .. }) => {
                let scale = match self.chance(70) {
                    true => i64::from(scale),
                    false => 1,
                };
                Index::Linear {
                    var: first.var,
                    scale,
                    offset: near(self, margin),
                    reversed: self.chance(12),
                }
            }
            Range::Span(Span::Dim { .. }) => {
                let indices = bindings.iter().map(|binding| match binding.range {
                    Range::Span(Span::Dim { margin, .. }) => (binding.var, near(self, margin)),
                    _ => (binding.var, 0),
                });
                Index::Grid(indices.collect())
            }
            Range::Pointer { margin, .. } => Index::Through {
                pointer: first.var,
                offset: near(self, margin),
            },
            Range::Ahead {
                pointer, margin, ..
            } => Index::Ahead {
                pointer,
                var: first.var,
                offset: near(self, margin),
            },
            Range::Mine { pointer, .. } => Index::Mine {
                pointer,
                var: first.var,
            },
            Range::Span(Span::Rest { .. } | Span::Count(_)) | Range::Value => {
                Index::Free(Box::new(Expr::Var(first.var)))
            }
        }
    }
}
