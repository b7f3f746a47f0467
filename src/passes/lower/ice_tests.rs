//! What the types of an IL cannot say ends in an internal error, and never in code that does something else.

use crate::diag::{Diagnostics, WarningPolicy};
use crate::il::{Body, ExprKind, Module};
use crate::sema::{SemaOptions, analyse};
use crate::types::Types;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the message with which `lower` ends after `break_it` has changed the bodies.
fn ended(text: &str, break_it: impl Fn(&mut Body, &mut Types)) -> String {
    let mut parsed = upcc_grammar::parse(text.to_owned());
    let mut diags = Diagnostics::new(WarningPolicy::default());
    let mut module = analyse(&mut parsed, SemaOptions::of_tests(), &mut diags);
    assert!(!diags.has_errors(), "{text}");
    let Module { items, types, .. } = &mut module;
    items
        .iter_mut()
        .for_each(|item| break_it(&mut item.body, types));
    let lowered = catch_unwind(AssertUnwindSafe(|| {
        super::run(&mut module, &parsed.interner, super::Style::default())
    }));
    let panic = lowered.expect_err("lower succeeds");
    let message = panic.downcast_ref::<String>().cloned();
    message.unwrap_or_default()
}

#[test]
fn a_member_that_is_not_there() {
    let text = "struct s { int m; }; shared struct s x; int f(void) { return x.m; }\n";
    let message = ended(text, |body, _| {
        for e in &mut body.exprs {
            if let ExprKind::Field(_, index) = &mut e.kind {
                *index = 9;
            }
        }
    });
    assert!(message.contains("a member of no record"), "{message}");
}

#[test]
fn the_initialiser_of_an_array_without_a_length() {
    let text = "shared [] char x[4] = \"abc\";\n";
    let message = ended(text, |body, types| {
        let open = types.array_of(
            crate::types::QualType::plain(Types::CHAR),
            crate::types::ArrayLen::Incomplete,
        );
        for e in &mut body.exprs {
            if matches!(e.kind, ExprKind::Str) {
                e.ty.ty = open;
            }
        }
    });
    assert!(message.contains("an array of unknown length"), "{message}");
}
