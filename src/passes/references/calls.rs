//! How often a thread calls the functions of a unit, and how much it computes, as formulas in the program's parameters.

use super::Unit;
use crate::il::walk::{Node, visit};
use crate::il::{ExprId, ExprKind, ObjectId};
use crate::references::Formula;
use hashbrown::HashMap;
use std::cell::RefCell;

/// The function that each thread calls once.
const MAIN: &str = "main";

/// The innermost loop that repeats something, by its number; `None`: no loop does.
type At = Option<usize>;

/// The functions of a unit, with the calls of each.
pub(super) struct Calls<'a> {
    units: &'a [Unit<'a>],
    /// By the function that is called: the callers, by their place in the list, and where in them.
    callers: HashMap<ObjectId, Vec<(usize, At)>>,
    /// Functions that something else than a call names, so that they may be called from anywhere.
    named: Vec<ObjectId>,
    known: RefCell<HashMap<ObjectId, Option<Formula>>>,
}

impl<'a> Calls<'a> {
    pub(super) fn new(units: &'a [Unit<'a>]) -> Calls<'a> {
        let mut calls = Calls {
            units,
            callers: HashMap::new(),
            named: Vec::new(),
            known: RefCell::default(),
        };
        for (number, unit) in units.iter().enumerate() {
            let places = unit.places();
            for (e, at) in places {
                let body = unit.body;
                if let ExprKind::Call(callee, _) = body.expr(e).kind
                    && let Some(object) = function_of(unit, callee)
                {
                    calls.callers.entry(object).or_default().push((number, at));
                }
            }
            calls.named.extend(unit.addresses());
        }
        calls
    }

    /// How often a thread calls a function: once, if the unit does not call it. The calls that a function makes of itself
    /// are a factor `calls(NAME)`, and so are those by a pointer.
    pub(super) fn of(&self, function: ObjectId) -> Formula {
        self.outside(function).unwrap_or_default()
    }

    /// How often a thread calls a function, if the unit tells that: it calls the function, or that is `main`.
    pub(super) fn known(&self, function: ObjectId) -> Option<Formula> {
        let unit = self.units.first()?;
        let name = unit.module.objects[function].name;
        let is_main = unit.parsed.interner.name(name) == MAIN;
        let is_called = self.callers.contains_key(&function);
        (is_called || is_main).then(|| self.of(function))
    }

    /// The same as [`Calls::of`]; `None`: the calls are being counted, because the function calls itself.
    fn outside(&self, function: ObjectId) -> Option<Formula> {
        if let Some(known) = self.known.borrow().get(&function) {
            return known.clone();
        }
        let (Some(callers), false) = (self.callers.get(&function), self.named.contains(&function))
        else {
            return Some(match self.named.contains(&function) {
                true => self.unknown(function),
                false => Formula::number(1),
            });
        };
        self.known.borrow_mut().insert(function, None);
        let (mut sum, mut recursive) = (Formula::default(), false);
        for &(unit, at) in callers {
            let unit = &self.units[unit];
            let Some(calls) = self.outside(unit.function.object) else {
                recursive = true;
                continue;
            };
            let more = unit.times(at).and_then(|it| it.times(&calls));
            if let Some(all) = more.and_then(|it| sum.plus(&it)) {
                sum = all;
            }
        }
        let found = match recursive {
            true => sum.times(&self.unknown(function)).unwrap_or(sum),
            false => sum,
        };
        self.known
            .borrow_mut()
            .insert(function, Some(found.clone()));
        Some(found)
    }

    fn unknown(&self, function: ObjectId) -> Formula {
        let unit = &self.units[0];
        let name = unit.module.objects[function].name;
        Formula::name(&format!("calls({})", unit.parsed.interner.name(name)))
    }

    /// The expressions that a thread evaluates, on average: what a loop repeats counts as often as it does.
    pub(super) fn work(&self) -> Formula {
        let mut sum = Formula::default();
        for unit in self.units {
            let calls = self.of(unit.function.object);
            for (at, number) in unit.expressions() {
                let more = unit.work_at(at, number, &calls);
                if let Some(more) = more.and_then(|it| sum.plus(&it)) {
                    sum = more;
                }
            }
        }
        sum
    }
}

/// The function that an expression designates.
fn function_of(unit: &Unit<'_>, mut e: ExprId) -> Option<ObjectId> {
    loop {
        let kind = unit.body.expr(e).kind;
        if let ExprKind::Decay(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::Cast { value: inner, .. } = kind
        {
            e = inner;
        } else if let ExprKind::Object(object) = kind {
            return unit.module.objects[object].is_function.then_some(object);
        } else {
            return None;
        }
    }
}

impl Unit<'_> {
    /// The expressions of the function, each with the innermost loop that repeats it.
    fn places(&self) -> Vec<(ExprId, At)> {
        let mut found: HashMap<ExprId, At> = HashMap::new();
        let mut order = Vec::new();
        visit(self.body, Node::Stmt(self.function.root), &mut |node| {
            if let Node::Expr(e) = node
                && found.insert(e, None).is_none()
            {
                order.push(e);
            }
            true
        });
        // The outer loops come first.
        for (at, it) in self.loops.iter().enumerate() {
            visit(self.body, Node::Stmt(it.stmt), &mut |node| {
                if let Node::Expr(e) = node {
                    found.insert(e, Some(at));
                }
                true
            });
        }
        let all = order.into_iter();
        all.map(|e| (e, found.get(&e).copied().flatten())).collect()
    }

    /// The functions that something else than a call names.
    fn addresses(&self) -> Vec<ObjectId> {
        let (mut named, mut called) = (Vec::new(), Vec::new());
        visit(self.body, Node::Stmt(self.function.root), &mut |node| {
            if let Node::Expr(e) = node {
                let kind = self.body.expr(e).kind;
                if let ExprKind::Object(object) = kind
                    && self.module.objects[object].is_function
                {
                    named.push(object);
                }
                if let ExprKind::Call(callee, _) = kind {
                    called.extend(function_of(self, callee));
                }
            }
            true
        });
        for it in called {
            if let Some(at) = named.iter().position(|other| *other == it) {
                named.swap_remove(at);
            }
        }
        named
    }

    /// How many expressions are in each loop, those of loops in it left out, and in no loop.
    fn expressions(&self) -> Vec<(At, i64)> {
        let mut by_loop: HashMap<At, i64> = HashMap::new();
        for (_, at) in self.places() {
            *by_loop.entry(at).or_default() += 1;
        }
        let mut by_loop: Vec<(At, i64)> = by_loop.into_iter().collect();
        by_loop.sort_unstable();
        by_loop
    }

    /// How often a thread evaluates so many expressions of a loop, in all.
    fn work_at(&self, at: At, number: i64, calls: &Formula) -> Option<Formula> {
        let times = self.times(at)?.times(calls)?;
        times.times(&Formula::number(number))
    }

    /// The expressions that a thread evaluates in each loop, those of loops in it left out.
    pub(super) fn work_of_loops(&self, calls: &Formula) -> Vec<Option<Formula>> {
        let mut of_loops = vec![Some(Formula::default()); self.loops.len()];
        for (at, number) in self.expressions() {
            if let Some(at) = at {
                of_loops[at] = self.work_at(Some(at), number, calls);
            }
        }
        of_loops
    }

    /// How often the function runs what is in a loop, each time that it is called.
    pub(super) fn times(&self, at: At) -> Option<Formula> {
        let Some(at) = at else {
            return Some(Formula::number(1));
        };
        let mut counter = self.counter();
        let mut product = Formula::number(1);
        for it in self.around(at).into_iter().chain([at]) {
            let turns = counter.enter(&self.loops[it], self.line(it))?;
            product = product.times(&turns)?;
        }
        Some(product)
    }
}
