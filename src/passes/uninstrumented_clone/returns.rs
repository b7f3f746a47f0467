//! Finds functions that return to their caller exactly once. Iterations counted in advance happen only if every
//! function that the loop calls is one.

use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, ExprKind, ItemKind, Module, ObjectId, StmtId, StmtKind};
use crate::passes::analysis::effects::never_returns;
use hashbrown::{HashMap, HashSet};
use upcc_grammar::Parsed;

/// Functions of the C library that return twice or not at all, besides those of `never_returns`.
const OTHERWISE: &[&str] = &[
    "__builtin_setjmp",
    "__sigsetjmp",
    "_setjmp",
    "err",
    "error",
    "error_at_line",
    "errx",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "fork",
    "getcontext",
    "kill",
    "raise",
    "setcontext",
    "setjmp",
    "sigsetjmp",
    "swapcontext",
    "thrd_exit",
    "verr",
    "verrx",
    "vfork",
];

/// Finds these functions in a module: functions of the C library that call none of the program's, and functions of the
/// module that call only such functions.
pub fn returning(module: &Module, parsed: &Parsed) -> HashSet<ObjectId> {
    let library = |id: &ObjectId| is_library(module, parsed, *id);
    let mut found: HashSet<ObjectId> = (0..module.objects.len() as u32)
        .map(ObjectId)
        .filter(library)
        .collect();
    let mut calls: HashMap<ObjectId, HashSet<ObjectId>> = HashMap::new();
    for item in &module.items {
        if let ItemKind::Function(function) = &item.kind
            && !parsed.in_system_header(item.span)
            && item.body.nested.is_empty()
            && let Some(called) = called(&item.body, function.root)
        {
            found.insert(function.object);
            calls.insert(function.object, called);
        }
    }
    // Remove the module's functions that call any other function.
    loop {
        let leaves = |(_, called): &(&ObjectId, &HashSet<ObjectId>)| !called.is_subset(&found);
        let left: Vec<ObjectId> = calls.iter().filter(leaves).map(|(&f, _)| f).collect();
        if left.is_empty() {
            return found;
        }
        for function in left {
            found.remove(&function);
            calls.remove(&function);
        }
    }
}

fn is_library(module: &Module, parsed: &Parsed, id: ObjectId) -> bool {
    let object = &module.objects[id];
    let name = parsed.interner.name(object.name);
    let types = &module.types;
    let Some(function) = types.function(object.ty) else {
        return false;
    };
    let of_ours = |&param: &_| {
        let pointee = types.pointee(param);
        pointee.is_some_and(|to| types.is_function(to))
    };
    (name.starts_with("__builtin_")
        || parsed.in_system_header(object.span)
        || module.library.contains(&id))
        && !never_returns(name)
        && !OTHERWISE.contains(&name)
        && !function.params.iter().any(of_ours)
}

/// The functions that a statement calls; `None` if a call may lead anywhere.
pub fn called(body: &Body, root: StmtId) -> Option<HashSet<ObjectId>> {
    let mut known = true;
    let mut found = HashSet::new();
    visit(body, Node::Stmt(root), &mut |node| {
        match node {
            Node::Expr(e) => known &= call(body, e, &mut found),
            // The attribute `cleanup` causes a call.
            Node::Stmt(s) => {
                if let StmtKind::Decl(group) = &body.stmt(s).kind {
                    known &= !group.decls.iter().any(crate::il::Decl::has_attributes);
                }
            }
            Node::Init(_) => {}
        }
        known
    });
    known.then_some(found)
}

/// Records what an expression calls. Returns false if that is not known.
fn call(body: &Body, e: ExprId, found: &mut HashSet<ObjectId>) -> bool {
    use ExprKind::*;
    match body.expr(e).kind {
        Call(callee, _) => {
            let function = body.called(callee);
            found.extend(function);
            function.is_some()
        }
        Opaque => false,
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
        | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | SizePerThread(_)
        | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Threads | MyThread => true,
        Assign { .. } | AssignOp { .. } | IncDec { .. } => true,
        PtrAdd { .. } | Cast { .. } | Rt { .. } => true,
    }
}
