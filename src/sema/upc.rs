//! UPC's own statements, and its pragmas (UPC 6.6, 6.7.1).

use super::expr::Class;
use super::report::code;
use super::*;

/// The `#pragma upc strict` and `relaxed` of the unit, and how many of them lie behind us.
#[derive(Default)]
pub(super) struct Pragmas {
    /// Token that the pragma precedes, and whether it is `strict`. Empty until the first function.
    list: Option<Vec<(u32, bool)>>,
    passed: usize,
}

impl Sema<'_> {
    /// Takes in the pragmas before token `at`, at file scope.
    pub(super) fn file_pragmas(&mut self, at: u32) {
        self.block_pragmas(at);
    }

    /// Takes in the pragmas up to token `at`: they hold until the block ends, when its caller restores the state.
    pub(super) fn block_pragmas(&mut self, at: u32) {
        if self.flow.pragmas.list.is_none() {
            self.flow.pragmas.list = Some(self.upc_pragmas());
        }
        let pragmas = &mut self.flow.pragmas;
        while let Some(&(before, strict)) = pragmas
            .list
            .as_ref()
            .and_then(|list| list.get(pragmas.passed))
        {
            if before > at {
                break;
            }
            self.flow.strict = strict;
            pragmas.passed += 1;
        }
    }

    /// All pragmas of the unit that say `strict` or `relaxed`; other words are reported.
    fn upc_pragmas(&mut self) -> Vec<(u32, bool)> {
        let parsed = self.parsed;
        let stream = &parsed.stream;
        let mut list = Vec::new();
        for pragma in &stream.pragmas {
            let text = stream.pragma_text(*pragma);
            let mut words = text.split_whitespace();
            if words.next() != Some("upc") {
                continue;
            }
            match words.next() {
                Some("strict") => list.push((pragma.before, true)),
                Some("relaxed") => list.push((pragma.before, false)),
                // `#pragma upc c_code`, `upc_code` and the like of other compilers.
                other => {
                    let span = Span {
                        lo: pragma.before,
                        hi: pragma.before,
                    };
                    let message = format!("unknown pragma upc {}", other.unwrap_or_default());
                    self.warn(
                        code::UNKNOWN_UPC_PRAGMA,
                        span,
                        message,
                        "write `#pragma upc strict` or `#pragma upc relaxed`",
                    );
                }
            }
        }
        list
    }

    /// The expression of a synchronization statement: as if assigned to an `int` (UPC 6.6.1p2).
    pub(super) fn sync_value(&mut self, value: ast::ExprId) -> il::ExprId {
        let e = self.rvalue(value);
        let int = QualType::plain(Types::INT);
        match self.class_of(e) {
            Class::Arith | Class::Unknown => self.assign_convert(e, int, AssignContext::Assign),
            Class::Ptr(_)
            | Class::Pts(_)
            | Class::Void
            | Class::Record
            | Class::Vector
            | Class::Other => {
                let node = self.node(e);
                let message = format!(
                    "the value of a barrier is an int; a `{}` cannot be assigned to one",
                    self.show(node.ty)
                );
                self.error(
                    code::BARRIER_VALUE,
                    node.span,
                    message,
                    "give it an integer",
                );
                self.poison(node.span)
            }
        }
    }

    /// The affinity of a `upc_forall` (UPC 6.6.2p3).
    pub(super) fn affinity(&mut self, affinity: ast::Affinity) -> il::Affinity {
        let value = match affinity {
            ast::Affinity::None | ast::Affinity::Continue => return il::Affinity::All,
            ast::Affinity::Expr(value) => value,
        };
        let e = self.rvalue(value);
        let node = self.node(e);
        match self.class(node.ty) {
            Class::Pts(_) => il::Affinity::Pts(e),
            Class::Arith if self.types.is_integer(node.ty) => il::Affinity::Int(self.promote(e)),
            Class::Unknown => il::Affinity::Int(e),
            Class::Arith
            | Class::Ptr(_)
            | Class::Void
            | Class::Record
            | Class::Vector
            | Class::Other => {
                let message = format!(
                    "the affinity of upc_forall is a `{}`, neither an integer nor a pointer-to-shared",
                    self.show(node.ty)
                );
                let help = if self.types.is_pointer(node.ty) {
                    "private objects have no affinity: give the address of a shared one, or an integer"
                } else {
                    "give an integer, the address of a shared object, or continue"
                };
                self.error(code::FORALL_AFFINITY, node.span, message, help);
                il::Affinity::All
            }
        }
    }
}
