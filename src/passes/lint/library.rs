//! Finds pointers-to-shared among the variable arguments of the C library's functions, such as `printf` and `scanf`:
//! sema does not convert these arguments, so it does not see that a pointer-to-local is expected (UPC 6.4.3).
//!
//! Functions of the program may take pointers-to-shared with `va_arg`, and are not checked.

use super::*;
use crate::diag::codes;

/// Checks one expression.
pub(super) fn check(cx: &mut Cx<'_>, e: ExprId) {
    let Some(name) = cx.library_call(e) else {
        return;
    };
    let types = &cx.module.types;
    let Some(function) = cx.callee(e).and_then(|it| types.function(it.ty)) else {
        return;
    };
    if !function.variadic {
        return;
    }
    let fixed = function.params.len();
    for (at, &argument) in cx.arguments(e).iter().enumerate().skip(fixed) {
        let ty = cx.ty(argument);
        if !types.is_pts(ty) {
            continue;
        }
        let message = format!(
            "`{name}` cannot use a pointer-to-shared: argument {} is a `{}`",
            at + 1,
            types.display(ty, &cx.parsed.interner)
        );
        let help = if name.contains("scanf") {
            "read into a private variable, and assign its value to the shared object"
        } else {
            "pass the value of the shared object; copy a string to private memory with upc_memget; show a pointer by its upc_threadof, upc_phaseof and upc_addrfield"
        };
        cx.warn(codes::SHARED_ARGUMENT, cx.span(argument), message, help);
    }
}
