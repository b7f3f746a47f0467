//! Comparisons of MYTHREAD with what it never is (UPC 6.3.2): it counts from 0 to THREADS-1.
//!
//! Silent with one static thread, where the code for other threads is dead by intention.

use super::*;
use crate::diag::codes;

/// Checks one expression.
pub(super) fn check(cx: &mut Cx<'_>, e: ExprId) {
    let ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) = cx.kind(e) else {
        return;
    };
    let other = match (cx.is_mythread(a), cx.is_mythread(b)) {
        (true, false) => b,
        (false, true) => a,
        (true, true) | (false, false) => return,
    };
    let threads = cx.module.static_threads;
    let what = match cx.constant(other) {
        _ if threads == Some(1) => return,
        Some(n) if n < 0 => "is never negative".to_string(),
        Some(n) if threads.is_some_and(|t| n >= i128::from(t)) => {
            format!(
                "is less than THREADS, {} in this translation",
                threads.unwrap_or_default()
            )
        }
        None if matches!(cx.kind(cx.without_casts(other)), ExprKind::Threads) => {
            "goes from 0 to THREADS-1".to_string()
        }
        Some(_) | None => return,
    };
    let always = if op == BinOp::Eq { "false" } else { "true" };
    let message = format!("`{}` is always {always}: MYTHREAD {what}", cx.text(e));
    let help = "the last thread is THREADS-1, the first is 0";
    cx.warn(codes::MYTHREAD_NEVER, cx.span(e), message, help);
}
