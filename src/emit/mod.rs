//! The only writer of C text.
//!
//! Verbatim parts are copied from the user's text. The rest is printed from the IL, statement by statement on
//! the user's lines, so that the output has the layout of the input and few line markers. After `lower` (IL invariant
//! 8) the IL contains only C and runtime operations.
//!
//! Files: `out` text and lines, `types` declarators, `debug` the additions of `-g`, `record` definitions of tags,
//! `decl` declarations and functions, `stmt` statements, `expr` expressions and their precedence, `rt` runtime
//! operations, `sites` the sites of performance events, `unused` which declarations are left out, `head` what no line of
//! the user's becomes.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

mod debug;
mod decl;
mod expr;
mod flexible;
pub mod head;
mod out;
mod races;
mod record;
mod rt;
mod sites;
mod stmt;
mod types;
mod unused;
mod vla;

use crate::il::validate::Valid;
use crate::il::{Body, Item, ItemKind, Linkage, Module, ObjectId};
use crate::passes::remarks::Remark;
use crate::translate::Races;
use hashbrown::HashSet;
use out::Out;
use upcc_grammar::Parsed;
use upcc_grammar::lex::Token;
use upcc_grammar::symbol::Interner;
use upcc_grammar::token::TokenKind;

/// Options of the writer.
#[derive(Clone, Copy, Debug)]
pub struct EmitOptions<'a> {
    /// The first lines of the output ([`head::head`]).
    pub head: &'a str,
    /// Write `#line` directives that name the user's files.
    pub lines: bool,
    /// Write debug information: types name the targets of pointers-to-shared.
    pub debug: bool,
    /// Print verbatim parts of the module's items from the IL too.
    pub no_verbatim: bool,
    /// Which functions the C compiler instruments for the detection of data races.
    pub races: Races,
    /// What the passes did, which instrumented code tells its tool.
    pub remarks: &'a [Remark],
}

/// Writes a lowered and validated module as C.
pub fn emit(valid: Valid<'_>, parsed: &Parsed, options: EmitOptions<'_>) -> String {
    let module = valid.module();
    let mut out = Out::new(
        &parsed.stream,
        &parsed.source_map,
        &module.patches,
        options.lines,
    );
    out.put(options.head);
    out.put(&sites::table(module, parsed, options.remarks));
    let empty = Body::default();
    let mut emitter = Emitter {
        out,
        module,
        names: &parsed.interner,
        body: &empty,
        record_names: types::RecordNames::default(),
        canonical: false,
        vlas: vla::Vlas::default(),
        no_verbatim: options.no_verbatim,
        races: options.races,
        unrecorded: match options.races {
            Races::Off | Races::All => HashSet::new(),
            Races::On => races::unrecorded(module),
        },
        tags_done: HashSet::new(),
        alignas: tokens_of(TokenKind::Alignas, &parsed.stream.tokens),
        debug: options
            .debug
            .then(|| debug::Debug::new(&parsed.stream.text)),
    };
    emitter.library();
    // The token up to which text has been written.
    let mut cursor = 0;
    let mut unused = unused::unused(module, parsed).into_iter().peekable();
    for (index, item) in module.items.iter().enumerate() {
        match unused.next_if_eq(&index) {
            Some(_) => {
                let from = emitter.out.end_before(cursor);
                let to = emitter.out.end_before(item.span.hi).max(from);
                emitter.out.leave_out(from..to);
                cursor = item.span.hi.max(cursor);
            }
            None => emitter.item(item, &mut cursor),
        }
    }
    let Emitter { mut out, .. } = emitter;
    let end = parsed.stream.text.len() as u32;
    let start = out.end_before(cursor);
    out.copy_in_step(start..end, None);
    out.end_line();
    if defines_void_main(module, &parsed.interner) {
        out.put("UPCR_VOID_MAIN;\n");
    }
    out.text
}

/// The indices of the tokens of one kind.
fn tokens_of(kind: TokenKind, tokens: &[Token]) -> Vec<u32> {
    let all = (0u32..).zip(tokens);
    all.filter(|(_, token)| token.kind == kind)
        .map(|(at, _)| at)
        .collect()
}

/// `void main`, as in old programs: C leaves the exit status undefined.
fn defines_void_main(module: &Module, names: &Interner) -> bool {
    let Some(main) = names.get("main") else {
        return false;
    };
    module.items.iter().any(|item| match &item.kind {
        ItemKind::Function(function) => {
            let object = &module.objects[function.object];
            let types = &module.types;
            object.name == main
                && object.linkage == Linkage::External
                && types
                    .function(object.ty)
                    .is_some_and(|f| types.is_void(f.ret))
        }
        ItemKind::Decl(_) | ItemKind::Text | ItemKind::Generated(_) => false,
    })
}

/// The state of the writer.
struct Emitter<'a> {
    out: Out<'a>,
    module: &'a Module,
    names: &'a Interner,
    /// Arenas of the current item.
    body: &'a Body,
    record_names: types::RecordNames,
    /// Print types without typedef names, which may not be visible.
    canonical: bool,
    /// Print verbatim parts from the IL too.
    no_verbatim: bool,
    /// Which functions the C compiler instruments for the detection of data races.
    races: Races,
    /// The functions below which no access is recorded for it.
    unrecorded: HashSet<ObjectId>,
    /// Variable length arrays of the current item.
    vlas: vla::Vlas,
    /// Records whose definition has been written.
    tags_done: HashSet<u32>,
    /// The `_Alignas` tokens, ascending.
    alignas: Vec<u32>,
    /// The descriptions written for debuggers; `None` without `-g`.
    debug: Option<debug::Debug>,
}

impl<'a> Emitter<'a> {
    /// True if a part is copied from its tokens, given whether it is verbatim.
    fn is_copied(&self, verbatim: bool) -> bool {
        verbatim && !self.no_verbatim
    }

    /// Declares the functions of the C library that the unit calls before it declares them: the C compiler does not
    /// know all of them.
    fn library(&mut self) {
        self.canonical = true;
        for &id in &self.module.library {
            let object = &self.module.objects[id];
            let text = self.declare(object.ty, self.names.name(object.name));
            self.out.put(&format!("extern {text};\n"));
        }
        self.canonical = false;
    }

    /// Writes an item, preceded by the text between the previous item and this one.
    fn item(&mut self, item: &'a Item, cursor: &mut u32) {
        crate::progress::at(item.span.lo);
        let from = self.out.end_before(*cursor);
        if item.verbatim {
            let to = self.out.end_before(item.span.hi).max(from);
            let start = match self.not_followed(item) {
                "" => from,
                attribute => {
                    let start = self.out.start_of(item.span.lo).max(from);
                    self.out.copy_in_step(from..start, None);
                    self.out.put(attribute);
                    start
                }
            };
            self.out.copy_in_step(start..to, None);
            *cursor = item.span.hi.max(*cursor);
            return;
        }
        let generated = item.span.lo >= item.span.hi;
        if !generated {
            let to = self.out.start_of(item.span.lo).max(from);
            self.out.copy_in_step(from..to, Some(item.span.lo));
            self.out.trim();
            *cursor = item.span.hi;
        }
        self.body = &item.body;
        self.vlas = self.find_vlas(&item.body);
        self.debug_begin(item);
        let start = self.out.text.len();
        if generated {
            self.out.end_line();
            self.out.free = true;
            // Declarations of a block are not visible at file scope.
            self.canonical = true;
        }
        match &item.kind {
            ItemKind::Function(function) => {
                self.function(function, item.span, self.not_followed(item));
            }
            ItemKind::Decl(group) => self.group(group),
            ItemKind::Text => {
                let to = self.out.end_before(item.span.hi);
                let from = self.out.start_of(item.span.lo);
                self.out.copy_in_step(from..to, None);
            }
            ItemKind::Generated(function) => {
                self.generated_function(function);
            }
        }
        if generated {
            self.out.free = !self.out.lines;
            self.canonical = false;
            self.out.end_line();
        }
        self.debug_end(start);
    }
}
