//! Each invariant is broken in ways that a pass might break it; the validator must report it. `validate` itself has
//! further tests.

use super::validate::{Stage, validate};
use super::{Body, Expr, ExprFlags, ExprId, ExprKind, RtOp, StmtKind};
use crate::diag::{Diagnostics, WarningPolicy};
use crate::passes;
use crate::sema::{SemaOptions, analyse};
use crate::types::{QualType, Quals, Types};

/// Returns the validator's report for a text, lowered if `stage` requires it, after `break_it` has changed its last
/// item's body.
fn said(stage: Stage, text: &str, break_it: impl FnOnce(&mut Body)) -> String {
    let mut parsed = upcc_grammar::parse(text.to_owned());
    let mut diags = Diagnostics::new(WarningPolicy::default());
    let mut module = analyse(&mut parsed, SemaOptions::of_tests(), &mut diags);
    assert!(!diags.has_errors(), "{text}");
    if stage == Stage::Lowered {
        passes::run(&mut module, &parsed, passes::Plan::default());
    }
    let report = |module: &_| {
        validate(module, stage).map_or_else(|broken| broken.to_string(), |()| String::new())
    };
    assert_eq!(report(&module), "", "{text}");
    let item = module
        .items
        .iter_mut()
        .rfind(|item| !item.body.exprs.is_empty());
    break_it(&mut item.expect("an item with expressions").body);
    report(&module)
}

/// Returns the expressions for which `wanted` holds.
fn find(body: &Body, wanted: impl Fn(&ExprKind) -> bool) -> Vec<ExprId> {
    let ids = body.exprs.iter_enumerated();
    let found = ids.filter(|(_, e)| wanted(&e.kind));
    let found: Vec<ExprId> = found.map(|(id, _)| id).collect();
    assert!(!found.is_empty(), "no such expression");
    found
}

/// Changes every expression of a kind.
fn change(body: &mut Body, wanted: impl Fn(&ExprKind) -> bool, how: impl Fn(&mut Expr)) {
    for id in find(body, wanted) {
        how(&mut body.exprs[id]);
    }
}

fn holds(report: &str, what: &str) {
    assert!(report.contains(what), "no `{what}` in `{report}`");
}

const INDEXED: &str =
    "shared int a[THREADS]; int f(int i, shared int *p) { a[i] = 1; return a[i] + p[i]; }\n";

#[test]
fn operands_come_first() {
    let report = said(Stage::Typed, INDEXED, |body| {
        let indexed = find(body, |kind| matches!(kind, ExprKind::PtrAdd { .. }));
        let index_of = |body: &Body, id: ExprId| match body.expr(id).kind {
            ExprKind::PtrAdd { index, .. } => index,
            _ => unreachable!("a subscript"),
        };
        let later = index_of(body, indexed[indexed.len() - 1]);
        if let ExprKind::PtrAdd { index, .. } = &mut body.exprs[indexed[0]].kind {
            *index = later;
        }
    });
    holds(&report, "invariant 1: operand not before its user");
}

#[test]
fn places_are_places_and_values_are_values() {
    let report = said(Stage::Typed, INDEXED, |body| {
        let loads = find(body, |kind| matches!(kind, ExprKind::Load(_)));
        body.exprs[loads[1]].kind = ExprKind::Load(loads[0]);
    });
    holds(&report, "invariant 2: operand is not a place");
    let array = "shared int a[THREADS]; int f(void) { return sizeof a + a[0]; }\n";
    let report = said(Stage::Typed, array, |body| {
        let arrays = find(body, |kind| matches!(kind, ExprKind::Decay(_)));
        let ExprKind::Decay(place) = body.exprs[arrays[0]].kind else {
            unreachable!("an array");
        };
        body.exprs[arrays[0]].ty = body.exprs[place].ty;
    });
    holds(&report, "invariant 2: value of array or function type");
}

/// Every implicit conversion in these texts has a user that must report its absence.
#[test]
fn conversions_are_explicit() {
    const HEAD: &str = "shared long l; shared int *p; long g(long n, ...); _Bool b; struct s { long m; shared int *q; };\n";
    for (text, what) in [
        ("void f(int i) { l = i; }", "operands not converted"),
        ("void f(short i) { l = l + i; }", "operands not converted"),
        ("int f(short i) { return l < i; }", "operands not converted"),
        (
            "int f(short i) { return (l, i) << l; }",
            "operands not converted",
        ),
        ("int f(void) { return p == 0; }", "operands not converted"),
        ("void f(int i) { p = i ? p : 0; }", "operands not converted"),
        ("void f(void) { p = 0; }", "operands not converted"),
        ("void f(void) { b = p; }", "operands not converted"),
        ("void f(int i) { l = g(i); }", "arguments not converted"),
        ("long f(int i) { return l, i; }", "result not converted"),
        (
            "shared int *f(void) { l = 0; return 0; }",
            "result not converted",
        ),
        ("_Bool f(void) { return p; }", "result not converted"),
        (
            "void f(int i) { shared int *q = 0; l = 0; }",
            "initialiser not converted",
        ),
        (
            "void f(int i) { struct s s = {i, p}; l = 0; }",
            "initialiser not converted",
        ),
        (
            "void f(int i) { long n(void) { return i; } l = n(); }",
            "result not converted",
        ),
    ] {
        let report = said(Stage::Typed, &format!("{HEAD}{text}\n"), |body| {
            let conversion =
                |kind: &ExprKind| matches!(kind, ExprKind::Cast { implicit: true, .. });
            for id in find(body, conversion) {
                let ExprKind::Cast { value, .. } = body.expr(id).kind else {
                    continue;
                };
                body.exprs[id].ty = body.expr(value).ty;
            }
        });
        holds(&report, &format!("invariant 3: {what}"));
    }
}

#[test]
fn calls_fit_their_functions() {
    let text = "shared int a[THREADS]; int g(int n); int f(void) { return g(a[0]); }\n";
    let report = said(Stage::Typed, text, |body| {
        let call = |kind: &ExprKind| matches!(kind, ExprKind::Call(..));
        change(body, call, |e| {
            if let ExprKind::Call(_, args) = &mut e.kind {
                args.len = 0;
            }
        });
    });
    holds(
        &report,
        "invariant 3: a call with another number of arguments",
    );
    let report = said(Stage::Typed, text, |body| {
        let call = |kind: &ExprKind| matches!(kind, ExprKind::Call(..));
        change(body, call, |e| e.ty = QualType::plain(Types::LONG));
    });
    holds(
        &report,
        "invariant 3: a call has not the type of its function",
    );
}

#[test]
fn pointers_agree_with_their_targets() {
    type Wanted = fn(&ExprKind) -> bool;
    let kinds: [Wanted; 3] = [
        |kind| matches!(kind, ExprKind::Deref(_)),
        |kind| matches!(kind, ExprKind::Decay(_)),
        |kind| matches!(kind, ExprKind::PtrAdd { .. }),
    ];
    for wanted in kinds {
        let report = said(Stage::Typed, INDEXED, |body| {
            change(body, wanted, |e| e.ty = QualType::plain(Types::LONG));
        });
        holds(
            &report,
            "invariant 4: pointer, index and target do not agree",
        );
    }
    let report = said(Stage::Typed, INDEXED, |body| {
        for id in find(body, |kind| matches!(kind, ExprKind::PtrAdd { .. })) {
            if let ExprKind::PtrAdd { index, .. } = body.expr(id).kind {
                body.exprs[index].ty = QualType::plain(Types::CHAR);
            }
        }
    });
    holds(
        &report,
        "invariant 4: pointer, index and target do not agree",
    );
}

#[test]
fn strictness_is_that_of_the_object() {
    let text = "strict shared int s; relaxed shared int r; void f(void) { s = 1; r = 2; s++; r += 3; r = s; s = r; }\n";
    let access = |kind: &ExprKind| {
        matches!(
            kind,
            ExprKind::Load(_)
                | ExprKind::Assign { .. }
                | ExprKind::AssignOp { .. }
                | ExprKind::IncDec { .. }
        )
    };
    let report = said(Stage::Typed, text, |body| {
        change(body, access, |e| {
            e.flags = e.flags.without(ExprFlags::STRICT)
        });
    });
    holds(&report, "invariant 5: a relaxed access to a strict object");
    let report = said(Stage::Typed, text, |body| {
        change(body, access, |e| e.flags = e.flags.with(ExprFlags::STRICT));
    });
    holds(&report, "invariant 5: a strict access to a relaxed object");
}

#[test]
fn what_is_verbatim_is_c() {
    let report = said(Stage::Typed, INDEXED, |body| {
        let place = |kind: &ExprKind| matches!(kind, ExprKind::Deref(_));
        change(body, place, |e| e.flags = e.flags.with(ExprFlags::VERBATIM));
    });
    holds(
        &report,
        "invariant 6: verbatim, of a type with shared in it",
    );
    let report = said(Stage::Typed, INDEXED, |body| {
        let sum = |kind: &ExprKind| matches!(kind, ExprKind::Binary(..));
        change(body, sum, |e| e.flags = e.flags.with(ExprFlags::VERBATIM));
    });
    holds(
        &report,
        "invariant 6: verbatim, with an operand that is not",
    );
    let barrier = "shared int a[THREADS]; void f(void) { a[0] = 1; upc_barrier; }\n";
    let report = said(Stage::Typed, barrier, |body| {
        for stmt in &mut body.stmts {
            stmt.verbatim |= matches!(stmt.kind, StmtKind::Sync(..));
        }
    });
    holds(&report, "invariant 6: verbatim UPC statement");
    let report = said(Stage::Typed, INDEXED, |body| {
        let index = |kind: &ExprKind| matches!(kind, ExprKind::Int(_));
        change(body, index, |e| {
            e.kind = ExprKind::Opaque;
            e.flags = e.flags.without(ExprFlags::VERBATIM);
        });
    });
    holds(&report, "invariant 7: opaque, not verbatim");
}

#[test]
fn no_pointer_to_shared_is_left() {
    let text = "shared int *p, *q; int f(int n) { while (p) if (q || n < 2) n++; for (; p;) n--; return n; }\n";
    let pts = |body: &Body| {
        let found = find(body, |kind| matches!(kind, ExprKind::Load(_)));
        let pointers = found.into_iter().map(|id| body.expr(id).ty);
        // The only loads that are not of `int`.
        let mut others = pointers.filter(|ty| ty.ty != Types::INT);
        others.next().expect("a pointer-to-shared")
    };
    let report = said(Stage::Lowered, text, |body| {
        let ty = pts(body);
        for id in find(body, |kind| matches!(kind, ExprKind::Binary(..))) {
            if let ExprKind::Binary(_, _, right) = body.expr(id).kind {
                body.exprs[right].ty = ty;
            }
        }
    });
    holds(&report, "invariant 8: UPC after lower");
    let conditions: [fn(&StmtKind) -> Option<ExprId>; 3] = [
        |kind| match *kind {
            StmtKind::While(cond, _) => Some(cond),
            _ => None,
        },
        |kind| match *kind {
            StmtKind::For { cond, .. } => cond,
            _ => None,
        },
        |kind| match *kind {
            StmtKind::If(cond, ..) => Some(cond),
            _ => None,
        },
    ];
    for condition in conditions {
        let report = said(Stage::Lowered, text, |body| {
            let ty = pts(body);
            let found: Vec<ExprId> = body
                .stmts
                .iter()
                .filter_map(|stmt| condition(&stmt.kind))
                .collect();
            assert!(!found.is_empty());
            found.into_iter().for_each(|cond| body.exprs[cond].ty = ty);
        });
        holds(&report, "invariant 8: UPC statement after lower");
    }
}

#[test]
fn static_initialisers_are_constant() {
    let text = "struct { shared int *p; int n; } s = {0, 3};\n";
    let report = said(Stage::Lowered, text, |body| {
        let number = |kind: &ExprKind| matches!(kind, ExprKind::Int(_));
        change(body, number, |e| {
            e.kind = ExprKind::Rt {
                op: RtOp::MyThread,
                args: super::ExprList::default(),
                ty_arg: None,
                field: 0,
            };
            e.flags = ExprFlags::default();
        });
    });
    holds(
        &report,
        "invariant 8: a static initialiser that is not constant",
    );
}

#[test]
fn members_of_shared_records_have_no_block_size() {
    let text =
        "struct s { int m; }; shared [3] struct s a[3 * THREADS]; int f(void) { return a[1].m; }\n";
    let report = said(Stage::Typed, text, |body| {
        let member = |kind: &ExprKind| matches!(kind, ExprKind::Field(..));
        change(body, member, |e| {
            assert!(e.ty.quals.has(Quals::SHARED));
            e.ty.block = 3;
        });
    });
    holds(
        &report,
        "invariant 9: member of a shared record without 'shared []'",
    );
}
