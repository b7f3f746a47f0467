//! Finds calls with a lock or a file that does not exist: a null pointer, or a variable, an element or a member that
//! nothing sets (UPC 7.2.4, 7.4).
//!
//! Does not warn of variables that another unit may set, of an array one of whose elements is set, and of what a test
//! may have found to be null.

use super::*;
use crate::diag::codes;
use parts::{Part, Parts, Root};

/// Functions whose first argument is a lock that exists. `upc_lock_free` and `upc_all_lock_free` accept null.
const OF_LOCKS: [&str; 3] = ["upc_lock", "upc_lock_attempt", "upc_unlock"];

/// Functions whose first argument is a file that is open, apart from those that read and write it.
const OF_FILES: [&str; 9] = [
    "upc_all_fclose",
    "upc_all_fcntl",
    "upc_all_fget_size",
    "upc_all_fpreallocate",
    "upc_all_fseek",
    "upc_all_fset_size",
    "upc_all_fsync",
    "upc_all_ftest_async",
    "upc_all_fwait_async",
];

/// What a function takes.
#[derive(Clone, Copy)]
enum Handle {
    Lock,
    File,
}

impl Handle {
    fn taken_by(function: &str) -> Option<Handle> {
        let transfers = |prefix: &str| function.starts_with(prefix);
        if OF_LOCKS.contains(&function) {
            Some(Handle::Lock)
        } else if OF_FILES.contains(&function)
            || transfers("upc_all_fread_")
            || transfers("upc_all_fwrite_")
        {
            Some(Handle::File)
        } else {
            None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Handle::Lock => "lock",
            Handle::File => "file",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Handle::Lock => {
                "allocate the lock before it is used: upc_all_lock_alloc, which all threads call, gives them the same lock"
            }
            Handle::File => {
                "open the file before it is used: upc_all_fopen, which all threads call, gives them the same file"
            }
        }
    }
}

/// The locals of a function of which parts may be null for ever.
#[derive(Default)]
pub(super) struct Unset {
    declared: HashSet<LocalId>,
    set: Parts,
}

impl Unset {
    pub(super) fn of(cx: &Cx<'_>, effects: &Effects) -> Unset {
        let mut unset = Unset::default();
        if effects.opaque {
            return unset;
        }
        visit(cx.body, Node::Stmt(cx.function.root), &mut |node| {
            if let Node::Stmt(s) = node
                && let StmtKind::Decl(group) = cx.stmt(s)
            {
                for decl in &group.decls {
                    if let Decl::Local { local, init, .. } = decl {
                        unset.declared.insert(*local);
                        let root = Root::Local(*local);
                        let set = |init: &InitId| unset.set.add_initialised(cx.body, root, *init);
                        init.iter().for_each(set);
                    }
                }
            }
            true
        });
        unset.set.add_set_by(cx.module, cx.body);
        unset
    }

    fn is_never_set(&self, local: LocalId, part: &Part) -> bool {
        self.declared.contains(&local) && !self.set.meets(part)
    }
}

/// Checks one expression.
pub(super) fn check(cx: &mut Cx<'_>, e: ExprId) {
    let Some(name) = cx.library_call(e) else {
        return;
    };
    let (Some(handle), Some(&argument)) = (Handle::taken_by(name), cx.arguments(e).first()) else {
        return;
    };
    let what = handle.name();
    if unit::is_null(cx.body, argument) {
        // At the call, because NULL may have the place of a system header.
        let message = format!("`{name}` gets a null pointer where it needs a {what}");
        cx.warn(codes::NULL_HANDLE, cx.span(e), message, handle.help());
        return;
    }
    let Some(declared) = never_set(cx, argument) else {
        return;
    };
    let message = format!(
        "`{name}` needs a {what}, but nothing assigns one to `{}`",
        cx.text(argument)
    );
    cx.warn(
        codes::NULL_HANDLE,
        cx.span(argument),
        message,
        handle.help(),
    );
    cx.note(declared, "declared here");
}

/// The declaration of the variable that an argument reads, if nothing gives it a value other than null.
fn never_set(cx: &Cx<'_>, argument: ExprId) -> Option<Span> {
    let ExprKind::Load(place) = cx.kind(cx.without_casts(argument)) else {
        return None;
    };
    let part = Part::of(cx.module, cx.body, place)?;
    match part.root {
        Root::Local(local) => {
            let never = cx.unset.is_never_set(local, &part);
            never.then(|| cx.body.local(local).span)
        }
        Root::Object(object) => {
            let never = cx.unit.is_never_set(object, &part);
            never.then(|| cx.object(object).span)
        }
    }
}
