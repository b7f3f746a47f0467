//! Makes a failing program small: phases, statements, expressions and sizes go as long as it fails in the same way.

use std::time::{Duration, Instant};

use super::model::*;
use super::visit::{self, Visitor};

/// Tries smaller programs until none of them fails or the time is over.
pub fn reduce(
    program: &Program,
    limit: Duration,
    fails: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let end = Instant::now() + limit;
    let mut reducer = Reducer {
        best: program.clone(),
        fails,
        end,
    };
    loop {
        let before = weight(&reducer.best);
        reducer.phases();
        reducer.statements();
        reducer.expressions();
        reducer.loops();
        reducer.sizes();
        if weight(&reducer.best) >= before || Instant::now() > end {
            return reducer.best;
        }
    }
}

/// How much there is of a program.
fn weight(program: &Program) -> usize {
    let mut copy = program.clone();
    let sizes: u32 = copy
        .shapes
        .iter()
        .flat_map(|s| &s.dims)
        .map(|d| d.count)
        .sum();
    let mut parts = copy.phases.len() * 4 + sizes as usize + copy.threads as usize;
    visit::lists(&mut copy, &mut |list| parts += list.len() * 4);
    Visitor {
        expr: &mut |expr| parts += usize::from(!matches!(expr, Expr::Number(_))),
        access: &mut |_| {},
    }
    .program(&mut copy);
    parts
}

struct Reducer<'a> {
    best: Program,
    fails: &'a mut dyn FnMut(&Program) -> bool,
    end: Instant,
}

impl Reducer<'_> {
    /// Takes a program if it fails, too.
    fn attempt(&mut self, change: impl FnOnce(&mut Program)) -> bool {
        if Instant::now() > self.end {
            return false;
        }
        let mut smaller = self.best.clone();
        change(&mut smaller);
        let taken = (self.fails)(&smaller);
        if taken {
            self.best = smaller;
        }
        taken
    }

    fn phases(&mut self) {
        let mut at = self.best.phases.len();
        while at > 0 {
            at -= 1;
            self.attempt(|program| _ = program.phases.remove(at));
        }
        for at in 0..self.best.phases.len() {
            self.attempt(|program| {
                if let Phase::Compute { split, named, .. } = &mut program.phases[at] {
                    *split = None;
                    *named = false;
                }
            });
        }
    }

    /// Removes statements, first halves of lists, then single ones, outer ones first; what stands in an `if` or in a block may take its place.
    fn statements(&mut self) {
        let count = |program: &Program| {
            let mut lists = 0;
            visit::lists(&mut program.clone(), &mut |_| lists += 1);
            lists
        };
        let mut number = 0;
        while number < count(&self.best) {
            let length = length_of(&self.best, number);
            if length > 2 {
                self.attempt(|program| in_list(program, number, |list| list.truncate(length / 2)));
                self.attempt(|program| {
                    in_list(program, number, |list| _ = list.drain(..list.len() / 2));
                });
            }
            let mut at = length_of(&self.best, number);
            while at > 0 {
                at -= 1;
                let removed = self.attempt(|program| {
                    in_list(program, number, |list| _ = list.remove(at));
                });
                if !removed && is_frame(&self.best, number, at) {
                    self.attempt(|program| {
                        in_list(program, number, |list| {
                            let body = in_frame(&list.remove(at)).unwrap_or_default();
                            list.splice(at..at, body);
                        });
                    });
                }
            }
            number += 1;
        }
    }

    fn expressions(&mut self) {
        let mut number = 0;
        while let Some(expr) = expr_at(&self.best, number) {
            if !matches!(expr, Expr::Number(_)) {
                let simpler = [Expr::Number(1)].into_iter().chain(operands(&expr));
                for simpler in simpler {
                    let taken = self.attempt(|program| {
                        at_expr(program, number, &mut |expr| *expr = simpler.clone());
                    });
                    if taken {
                        break;
                    }
                }
            }
            number += 1;
        }
    }

    /// Loops and accesses in their simplest spelling.
    fn loops(&mut self) {
        for change in SIMPLER {
            let mut number = 0;
            while number < 200 {
                let mut met = false;
                let mut changed = false;
                let mut candidate = self.best.clone();
                let mut seen = 0;
                visit::lists(&mut candidate, &mut |list| {
                    for stmt in list {
                        if seen == number {
                            met = true;
                            changed = change(stmt);
                        }
                        seen += 1;
                    }
                });
                if !met {
                    break;
                }
                if changed {
                    self.attempt(|program| *program = candidate);
                }
                number += 1;
            }
        }
    }

    fn sizes(&mut self) {
        for shape in 0..self.best.shapes.len() {
            for dim in 0..self.best.shapes[shape].dims.len() {
                for divisor in [8, 4, 2] {
                    let count = self.best.shapes[shape].dims[dim].count / divisor;
                    if count > 0 {
                        self.attempt(|p| p.shapes[shape].dims[dim].count = count);
                    }
                }
            }
        }
        for threads in [1, 2, 3] {
            if threads < self.best.threads && self.attempt(|program| program.threads = threads) {
                break;
            }
        }
        if self.best.strict {
            self.attempt(|program| program.strict = false);
        }
        for object in visit::objects(&self.best) {
            self.attempt(|program| program.objects[object].storage = Storage::Static);
            if self.best.objects[object].strict {
                self.attempt(|program| program.objects[object].strict = false);
            }
            if self.best.objects[object].block != Block::Cyclic {
                self.attempt(|program| program.objects[object].block = Block::Cyclic);
            }
            if self.best.objects[object].element != Element::Scalar(Scalar::Int) {
                self.attempt(|program| {
                    program.objects[object].element = Element::Scalar(Scalar::Int);
                });
            }
        }
        for record in 0..self.best.records.len() {
            self.attempt(|program| program.records[record].packed = false);
            self.attempt(|program| program.records[record].union = false);
            for field in 0..self.best.records[record].fields.len() {
                if !matches!(
                    self.best.records[record].fields[field],
                    Field::Scalar(Scalar::Int)
                ) {
                    self.attempt(|program| {
                        program.records[record].fields[field] = Field::Scalar(Scalar::Int);
                    });
                }
            }
        }
    }
}

type Simpler = fn(&mut Stmt) -> bool;

/// Each true: it has changed the statement.
const SIMPLER: &[Simpler] = &[
    |stmt| match stmt {
        Stmt::Loop(of) if of.unsigned || of.wide || of.down || of.pragma || of.step != 1 => {
            (of.unsigned, of.wide, of.down, of.pragma, of.step) = (false, false, false, false, 1);
            true
        }
        _ => false,
    },
    |stmt| match stmt {
        Stmt::Loop(of)
            if matches!(
                of.kind,
                LoopKind::While | LoopKind::DoWhile | LoopKind::Again
            ) =>
        {
            of.kind = LoopKind::For;
            true
        }
        Stmt::Walk(of) if of.outlined => {
            of.outlined = false;
            true
        }
        Stmt::Guard { skip, .. } if *skip => {
            *skip = false;
            true
        }
        Stmt::Store { into, .. } if into.is_some() => {
            *into = None;
            true
        }
        _ => false,
    },
    |stmt| match stmt {
        Stmt::Store { op, .. } if *op != Op::Set => {
            *op = Op::Set;
            true
        }
        Stmt::Loop(Loop {
            span: Span::Shape { margin, .. },
            ..
        }) if *margin > 0 => {
            *margin = 0;
            true
        }
        Stmt::Sum { factor, .. } if *factor != 1 => {
            *factor = 1;
            true
        }
        _ => false,
    },
];

/// Does something to list `number` of a program.
fn in_list(program: &mut Program, number: usize, change: impl FnOnce(&mut Vec<Stmt>)) {
    let (mut at, mut change) = (0, Some(change));
    visit::lists(program, &mut |list| {
        if at == number
            && let Some(change) = change.take()
        {
            change(list);
        }
        at += 1;
    });
}

fn length_of(program: &Program, number: usize) -> usize {
    let mut length = 0;
    in_list(&mut program.clone(), number, |list| length = list.len());
    length
}

/// The statements of one that may stand in its place: it declares nothing.
fn in_frame(stmt: &Stmt) -> Option<Vec<Stmt>> {
    match stmt {
        Stmt::If { then: body, .. }
        | Stmt::Ordered { body, .. }
        | Stmt::Skip { body, .. }
        | Stmt::Escape { body, .. }
        | Stmt::Event { body, .. }
        | Stmt::Uninstrumented { body } => Some(body.clone()),
        Stmt::Switch { cases, .. } => {
            Some(cases.iter().flat_map(|case| case.body.clone()).collect())
        }
        _ => None,
    }
}

fn is_frame(program: &Program, number: usize, at: usize) -> bool {
    let mut found = false;
    in_list(&mut program.clone(), number, |list| {
        found = list.get(at).and_then(in_frame).is_some();
    });
    found
}

fn at_expr(program: &mut Program, number: usize, change: &mut dyn FnMut(&mut Expr)) {
    let mut at = 0;
    Visitor {
        expr: &mut |expr| {
            if at == number {
                change(expr);
            }
            at += 1;
        },
        access: &mut |_| {},
    }
    .program(program);
}

fn expr_at(program: &Program, number: usize) -> Option<Expr> {
    let mut found = None;
    at_expr(&mut program.clone(), number, &mut |expr| {
        found = Some(expr.clone());
    });
    found
}

/// The expressions that one is made of.
fn operands(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Not(value) | Expr::Negative(value) => vec![*value.clone()],
        Expr::Binary(_, left, right) | Expr::Comma(left, right) => {
            vec![*left.clone(), *right.clone()]
        }
        Expr::Pick { test, yes, no, .. } => [yes, no]
            .into_iter()
            .map(|access| Expr::Read {
                access: access.clone(),
                cast: true,
            })
            .chain([*test.clone()])
            .collect(),
        Expr::Choose(test, yes, no) => vec![*test.clone(), *yes.clone(), *no.clone()],
        Expr::Number(_)
        | Expr::Var(_)
        | Expr::MyThread
        | Expr::Threads
        | Expr::Sum(_)
        | Expr::Read { .. }
        | Expr::Query(..)
        | Expr::Difference(..)
        | Expr::Compare(..) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::generate;
    use super::super::print::{Dialect, print};
    use super::*;

    /// What a mistake in the translator needs stays, and hardly anything else: the rest of an empty program is its frame.
    #[test]
    fn programs_become_small() {
        let text = |program: &Program| print(program, Dialect::Upc);
        let lines = |program: &Program| text(program).lines().count();
        let limit = Duration::from_secs(60);
        for part in [
            "upc_forall (",
            "(shared void *)&",
            "upc_memcpy(",
            "upc_lock(",
            "].f0",
            "#pragma upc strict",
        ] {
            let having = |program: &Program| text(program).contains(part);
            let program = (1..300).map(generate).find(having).expect(part);
            let small = reduce(&program, limit, &mut |program| having(program));
            let mut empty = small.clone();
            empty.phases.clear();
            let extra = lines(&small) - lines(&empty);
            assert!(having(&small) && small.phases.len() == 1);
            assert!(extra < 50, "{part}: {extra} lines\n{}", text(&small));
        }
    }
}
