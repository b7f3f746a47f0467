//! Rules on where a storage class may appear (C11 6.7.1, 6.8.5p3, 6.9p2), also with an initialiser (C11 6.7.9p5).

use super::*;
use crate::sema::Places;
use crate::sema::attrs::Subject;

/// The properties of a declaration that the rules about storage classes use.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub level: Level,
    pub storage: u16,
    pub is_function: bool,
    /// The declaration has a function body.
    pub body: bool,
    pub initialised: bool,
    /// `asm ("name")`: selects the register of a register variable.
    pub asm_label: bool,
}

impl Stored {
    fn has(self, bits: u16) -> bool {
        has(self.storage, bits)
    }

    fn at_file(self) -> bool {
        self.level == Level::File
    }
}

struct Rule {
    broken: fn(Stored) -> bool,
    message: &'static str,
    help: &'static str,
}

use storage::{AUTO, EXTERN, REGISTER, STATIC, THREAD, TYPEDEF};

const DROP: &str = "remove the storage class";

const RULES: &[Rule] = &[
    Rule {
        broken: |s| s.level == Level::KrParams && s.has(AUTO | EXTERN | STATIC | THREAD | TYPEDEF),
        message: "the only storage class of a parameter is `register`",
        help: DROP,
    },
    Rule {
        broken: |s| s.level == Level::KrParams && s.initialised,
        message: "a parameter cannot have an initialiser",
        help: "the caller passes its value; assign another one in the body",
    },
    Rule {
        broken: |s| s.has(THREAD) && s.has(TYPEDEF | AUTO | REGISTER),
        message: "thread-local storage can be combined with `static` and `extern` only",
        help: "remove one of the two",
    },
    Rule {
        broken: |s| s.has(TYPEDEF) && s.body,
        message: "a `typedef` cannot have a body",
        help: "remove `typedef`",
    },
    Rule {
        broken: |s| s.has(TYPEDEF) && s.initialised,
        message: "a `typedef` cannot have an initialiser",
        help: "remove `typedef`, or write `typeof` for the type of an expression",
    },
    Rule {
        broken: |s| {
            s.level == Level::ForInit && (s.has(TYPEDEF | EXTERN | STATIC) || s.is_function)
        },
        message: "the first clause of a loop can declare only variables with automatic storage duration",
        help: "declare it before the loop",
    },
    Rule {
        broken: |s| s.is_function && s.has(REGISTER | THREAD),
        message: "a function cannot be thread-local or `register`",
        help: DROP,
    },
    Rule {
        broken: |s| s.is_function && !s.at_file() && s.has(STATIC),
        message: "a function declared in a block cannot be `static`",
        help: "declare it at file scope, or remove `static`",
    },
    Rule {
        broken: |s| s.body && !s.at_file() && s.has(EXTERN),
        message: "a nested function cannot be `extern`",
        help: "remove `extern`, or define it at file scope",
    },
    Rule {
        // gcc accepts `auto` in front of a function with a body.
        broken: |s| s.at_file() && (s.has(AUTO) && !s.body || s.has(REGISTER) && !s.asm_label),
        message: "`auto` and `register` are allowed only for variables in a block",
        help: DROP,
    },
    Rule {
        broken: |s| !s.at_file() && s.has(THREAD) && !s.has(STATIC | EXTERN),
        message: "a thread-local variable in a block must be `static` or `extern`",
        help: "add `static`",
    },
    Rule {
        broken: |s| !s.at_file() && s.has(EXTERN) && s.initialised,
        message: "an `extern` declaration in a block cannot have an initialiser",
        help: "remove `extern`, or initialise it where it is defined",
    },
];

impl SymbolTable<'_> {
    /// What the attributes of a declaration stand on.
    pub(super) fn subject(&self, stored: Stored, name: Symbol, ty: QualType) -> Subject {
        let linked = self.scopes.linked(name);
        let linkage = linked.map(|object| self.objects[object].linkage);
        let internal = stored.has(STATIC) || linkage == Some(Linkage::Internal);
        let kind = match stored.level {
            _ if stored.has(TYPEDEF) => Places::TYPEDEF,
            Level::KrParams => Places::PARAMETER,
            _ if stored.is_function && internal => Places::STATIC_FUNCTION,
            _ if stored.body => Places::DEFINED_FUNCTION,
            Level::File if stored.is_function => Places::FUNCTION,
            Level::Block | Level::ForInit if stored.is_function => Places::BLOCK_FUNCTION,
            Level::File if stored.has(STATIC) => Places::STATIC_VARIABLE,
            Level::File if stored.has(EXTERN) => Places::EXTERN_VARIABLE,
            Level::File => Places::VARIABLE,
            Level::Block | Level::ForInit if stored.has(EXTERN) => Places::BLOCK_EXTERN,
            Level::Block | Level::ForInit if stored.has(STATIC) => Places::BLOCK_STATIC,
            Level::Block | Level::ForInit => Places::LOCAL,
        };
        let place = match stored.has(THREAD) {
            true => kind | Places::THREAD_LOCAL,
            false => kind,
        };
        Subject {
            name: Some(name),
            ..self.subject_of(place, ty)
        }
    }

    /// Checks that all declarations of a variable agree on whether it is thread-local. `first`: there is none before
    /// this one.
    pub(super) fn check_thread_local(
        &mut self,
        object: ObjectId,
        storage: u16,
        first: bool,
        span: Span,
    ) {
        let here = has(storage, THREAD);
        if first {
            if here {
                self.thread_locals.insert(object);
            }
            return;
        }
        let known = &self.objects[object];
        if here == self.thread_locals.contains(&object) || known.is_function {
            return;
        }
        let (name, at) = (self.name(known.name), known.span);
        let message = match here {
            true => {
                format!("`{name}` is thread-local here, but was not declared thread-local before")
            }
            false => format!("`{name}` was declared thread-local, but not here"),
        };
        let (note, help) = ("the earlier declaration", "make the declarations agree");
        self.error_with_note(codes::REDECLARED, span, message, at, note, help);
    }
}

impl Context<'_> {
    /// Reports the first rule that a declaration breaks.
    pub(super) fn check_storage_class(&mut self, stored: Stored, span: Span) {
        // More than one class in a declaration has been reported before.
        let classes = stored.storage & (TYPEDEF | EXTERN | STATIC | AUTO | REGISTER);
        let broken = RULES.iter().find(|rule| (rule.broken)(stored));
        if let Some(rule) = broken.filter(|_| classes.count_ones() < 2) {
            self.error(codes::BAD_STORAGE, span, rule.message, rule.help);
        }
    }

    /// The first clause of a loop must not declare tags or enumerators (C11 6.8.5p3); gcc accepts untagged records.
    pub(super) fn check_loop_tags(&mut self, tags: &[il::TagDef], span: Span) {
        let tagged = tags.iter().any(|tag| match *tag {
            il::TagDef::Record(id) => self.types.record(id).tag.is_some(),
            il::TagDef::ForwardRecord(_) | il::TagDef::Enum(_) => true,
        });
        if tagged {
            let message = "the first clause of a loop cannot declare a type";
            let help = "declare the type before the loop";
            self.error(codes::BAD_STORAGE, span, message, help);
        }
    }
}
