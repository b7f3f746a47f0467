//! Finds numbers that no thread has: threads count from 0 to THREADS-1 (UPC 6.3.2). Checks comparisons with MYTHREAD
//! and arguments of `upc_affinitysize`.
//!
//! Skips comparisons with one static thread, where the code for other threads is intentionally dead.

use super::*;
use crate::diag::codes;

/// Checks one expression.
pub(super) fn check(cx: &mut Cx<'_>, e: ExprId) {
    comparison(cx, e);
    if cx.library_call(e) == Some("upc_affinitysize")
        && let Some(&thread) = cx.arguments(e).get(2)
    {
        affinity_size(cx, thread);
    }
}

/// The third argument of `upc_affinitysize` is the number of a thread (UPC 7.2.3.5p5).
fn affinity_size(cx: &mut Cx<'_>, thread: ExprId) {
    let exists = match (cx.constant(thread), cx.module.static_threads) {
        (Some(n), Some(threads)) => (0..i128::from(threads)).contains(&n),
        (Some(n), None) => n >= 0,
        (None, _) => !matches!(cx.kind(cx.without_casts(thread)), ExprKind::Threads),
    };
    if !exists {
        let message = format!("there is no thread `{}`", cx.text(thread));
        let help = "threads are numbered from 0 to THREADS-1";
        cx.warn(codes::NO_SUCH_THREAD, cx.span(thread), message, help);
    }
}

fn comparison(cx: &mut Cx<'_>, e: ExprId) {
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
                "is less than THREADS, which is {} in this translation",
                threads.unwrap_or_default()
            )
        }
        None if matches!(cx.kind(cx.without_casts(other)), ExprKind::Threads) => {
            "is between 0 and THREADS-1".to_string()
        }
        Some(_) | None => return,
    };
    let always = if op == BinOp::Eq { "false" } else { "true" };
    let message = format!("`{}` is always {always}: MYTHREAD {what}", cx.text(e));
    let help = "the last thread is THREADS-1, the first is 0";
    cx.warn(codes::MYTHREAD_NEVER, cx.span(e), message, help);
}
