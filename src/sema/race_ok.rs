//! `#pragma upcc race_ok`: the accesses of the statement or declaration that follows take no part in the detection of
//! data races (`-fupc-races`).
//!
//! A statement becomes a block that begins with a [`Scope::RaceOk`]. A declaration must stay in its block, and so must
//! an expression that is the last item of a block: it may be the value of a statement expression. They follow the scope
//! in the user's block.

use super::jumps::Guard;
use super::report::code;
use super::*;
use il::{Block, Scope, StmtKind};
use std::ops::Range;

/// The pragmas of a unit, in order.
#[derive(Default)]
pub(super) struct RaceOk(Vec<Place>);

struct Place {
    /// The first token of what the pragma concerns.
    before: u32,
    /// Bytes of the text.
    start: u32,
    end: u32,
    /// A statement or declaration begins with this token.
    applied: bool,
}

impl RaceOk {
    /// Adds a pragma that precedes a token.
    pub(super) fn push(&mut self, before: u32, (start, end): (u32, u32)) {
        self.0.push(Place {
            before,
            start,
            end,
            applied: false,
        });
    }

    /// The indices of the pragmas directly in front of a token.
    fn before(&self, token: u32) -> Range<usize> {
        let first = self.0.partition_point(|place| place.before < token);
        first..self.0.partition_point(|place| place.before <= token)
    }

    /// Returns the number of a pragma in front of a token.
    fn number(&self, token: u32) -> Option<u32> {
        self.before(token).next().map(|index| index as u32)
    }

    /// Applies the pragmas in front of a token. Returns the number of one.
    fn apply(&mut self, token: u32) -> Option<u32> {
        let places = self.before(token);
        self.0[places].iter_mut().for_each(|it| it.applied = true);
        self.number(token)
    }

    /// Lets the pragmas in front of a label concern the labelled statement.
    fn pass_on(&mut self, label: u32, inner: u32) {
        let places = self.before(label);
        self.0[places].iter_mut().for_each(|it| it.before = inner);
    }
}

/// How a statement takes the pragma in front of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In a block of its own.
    Block,
    /// A declaration: in the user's block.
    Declaration,
    /// The statement after the label, which begins with this token, takes it.
    Labelled(u32),
    /// It cannot.
    Never,
}

impl Sema<'_> {
    fn race_ok_form(&self, id: ast::StmtId) -> Form {
        use ast::StmtKind as A;
        match &self.ast[id].kind {
            A::Label(_, inner)
            | A::Case(_, inner)
            | A::CaseRange(_, _, inner)
            | A::Default(inner) => Form::Labelled(self.ast[*inner].span.lo),
            A::Decl(_) => Form::Declaration,
            A::NestedFunction(_) | A::Error => Form::Never,
            A::Compound(_)
            | A::Expr(_)
            | A::If(..)
            | A::Switch(..)
            | A::While(..)
            | A::DoWhile(..)
            | A::For { .. }
            | A::Forall { .. }
            | A::Goto(_)
            | A::GotoExpr(_)
            | A::Break
            | A::Continue
            | A::Return(_)
            | A::Asm(_)
            | A::Sync(..)
            | A::Fence => Form::Block,
        }
    }

    /// Analyses a statement. If it follows the pragma, it gets a block of its own.
    pub(super) fn statement(&mut self, id: ast::StmtId) -> il::StmtId {
        let span = self.ast[id].span;
        let number = match self.race_ok_form(id) {
            Form::Block => self.flow.race_ok.apply(span.lo),
            Form::Labelled(inner) => {
                self.flow.race_ok.pass_on(span.lo, inner);
                None
            }
            Form::Declaration | Form::Never => None,
        };
        let Some(number) = number else {
            return self.statement_itself(id);
        };
        let mark = self.flow.regions.mark();
        self.flow.regions.enter(Guard::RaceOk, span);
        let stmt = self.statement_itself(id);
        self.flow.regions.leave(mark, span.hi);
        if self.opts.races {
            self.touched = true;
            self.body.race_ok_block(stmt, number);
        }
        stmt
    }

    /// Analyses a statement of a block, of which it is the last item or not. It stays in its block.
    pub(super) fn item_statement(
        &mut self,
        id: ast::StmtId,
        last: bool,
        items: &mut Vec<il::StmtId>,
    ) -> il::StmtId {
        let form = self.race_ok_form(id);
        let value = last && matches!(self.ast[id].kind, ast::StmtKind::Expr(_));
        let span = self.ast[id].span;
        if !value && form != Form::Declaration {
            return self.statement(id);
        }
        let Some(number) = self.flow.race_ok.apply(span.lo) else {
            return self.statement_itself(id);
        };
        if self.opts.races {
            self.touched = true;
            let scope = Scope::RaceOk(number);
            items.push(self.body.push_scope(scope, span.lo));
        }
        self.statement_itself(id)
    }

    /// Ends the scope of the declaration that has just been added to a block, if it has one.
    pub(super) fn end_race_ok(&mut self, id: ast::StmtId, items: &mut Vec<il::StmtId>) {
        let span = self.ast[id].span;
        if !self.opts.races || self.race_ok_form(id) != Form::Declaration {
            return;
        }
        if let Some(number) = self.flow.race_ok.number(span.lo) {
            let end = Scope::RaceOkEnd(number);
            items.push(self.body.push_scope(end, span.hi.saturating_sub(1)));
        }
    }

    /// Reports the pragmas that no statement follows.
    pub(super) fn check_race_ok(&mut self) {
        // A syntax error may have cost the statement.
        if !self.parsed.errors.is_empty() {
            return;
        }
        let diags = &mut self.symbols.nodes.diags;
        for place in self.flow.race_ok.0.iter().filter(|place| !place.applied) {
            let message = "no statement or declaration of a function follows this pragma";
            let help = "put it on the line in front of the statement whose accesses may race";
            diags
                .report(code::PRAGMA_PLACE, place.start..place.end, message)
                .help(help);
        }
    }
}

impl il::Body {
    /// Puts a statement into a block of its own, after a scope.
    fn race_ok_block(&mut self, id: il::StmtId, number: u32) {
        let at = self.stmt(id).span.lo;
        let scope = self.push_scope(Scope::RaceOk(number), at);
        let inner = self.move_stmt(id);
        let block = Block {
            local_labels: Vec::new(),
            items: vec![scope, inner],
        };
        let stmt = &mut self.stmts[id];
        (stmt.kind, stmt.verbatim) = (StmtKind::Compound(block), false);
    }
}
