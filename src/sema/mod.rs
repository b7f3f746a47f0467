//! AST to IL: resolves scopes and types, makes conversions explicit, folds constants, and checks UPC's constraints.
//!
//! The entry point is [`analyse`]. It processes one external declaration after another; all errors of a file are
//! collected, and none stops the analysis. `Type::Unknown` is the type of an expression that has already been reported
//! (or is not modelled): it converts silently, so that one mistake causes one message.
//!
//! Four parts, each built on the next: [`Sema`] walks the AST; [`SymbolTable`] has names and objects; [`Nodes`] makes
//! typed IL nodes (conversions, operators, folding, lengths); [`Context`] has the types and reports messages. A function
//! belongs to the innermost part that has what it needs, and a file may have functions of several.
//!
//! Files: `context`, `nodes`, `symbol_table` the parts; `scope` names; `specs/*` specifiers, layout qualifiers and
//! declarators to types; `record` struct, union, enum; `attrs/*` attributes; `decl/*` declarations,
//! linkage, function definitions; `init` initialisers; `static_init` which of them are constant; `literal`
//! constants; `arith` integer arithmetic; `consteval` folding; `expr/*` expressions; `convert` conversions and
//! compatibility; `stmt` statements; `labels` their labels; `jumps` regions that no jump may enter; `returns`
//! `return`; `upc` UPC's statements and pragmas;
//! `race_ok` the pragma for the detection of races; `builtins` GNU builtin functions; `report` the wording of
//! messages; `hints` suggestions for unknown names; `occurrences` which token names what, for tools.
//!
//! # The interface between declarations and expressions
//!
//! Declarations provide (with their file in parentheses):
//! - `type_name(ast::TypeNameId) -> QualType` (specs)
//! - `declaration(ast::DeclId, Level) -> il::DeclGroup` (decl): `Level::Block` for block items, `Level::ForInit` for
//!   the first clause of a loop
//! - `initializer(ast::InitId, QualType, Initialised) -> (il::InitId, QualType)` (init): returns the type completed
//!   (`int a[] = {1, 2}`)
//! - `lookup(Symbol) -> Option<Entity>`, `scopes.push()`, `scopes.pop()` (scope)
//! - `lookup_member(RecordId, Symbol) -> Option<MemberPath>` (members): field indices from the record down through
//!   unnamed members
//! - `implicit_function(Symbol, u32, Span) -> ObjectId` (decl): C89's implicit declaration, with a warning
//! - all of `types`
//!
//! Expressions provide:
//! - `expr(ast::ExprId) -> il::ExprId` (expr): a place or a value, with nothing decayed or loaded
//! - `rvalue(ast::ExprId) -> il::ExprId` (expr): loaded and decayed
//! - `expr_type(ast::ExprId) -> QualType` (expr): for `typeof`; unevaluated, places keep their qualifiers, arrays stay
//!   arrays
//! - `const_int(ast::ExprId, what: &str) -> Option<i128>` (consteval): reports "`what` is not an integer constant
//!   expression"
//! - `try_const_int(il::ExprId) -> Option<i128>` (consteval): reports nothing
//! - `assign_convert(il::ExprId, QualType, AssignContext) -> il::ExprId` (convert): as by assignment; the operand may
//!   be a place, which is loaded first
//! - `function_body(ast::StmtId) -> il::StmtId` (stmt): the body in the function's own scope, which the caller has
//!   opened and filled with parameters
//! - `string_literal(ast::ExprId) -> Option<StringLiteral>` (literal): kind and length if the expression is a string
//!   literal, parenthesised or not
//!
//! All code adds nodes through `push_expr`, which maintains `touched`.

use crate::diag::Diagnostics;
use crate::ids::TiVec;
use crate::il;
use crate::types::{Abi, QualType, RecordId, Types};
use occurrences::Occurrences;
use std::ops::{Deref, DerefMut};
use upcc_grammar::Parsed;
use upcc_grammar::ast::{self, Ast, Span};
use upcc_grammar::symbol::Symbol;

mod arith;
mod attrs;
mod builtin_fold;
mod builtins;
mod consteval;
mod context;
mod convert;
mod decl;
mod declared;
mod expr;
mod flexible;
mod formats;
mod hints;
mod init;
mod jumps;
mod labels;
mod lengths;
mod literal;
mod members;
mod nodes;
mod occurrences;
mod pure;
mod race_ok;
mod record;
mod report;
mod returns;
mod scope;
mod specs;
mod static_init;
mod stmt;
mod switch;
mod symbol_table;
mod upc;

pub use attrs::{
    ANY_NUMBER, Argument, Places, Positions, ROWS as ATTRIBUTES, Row as Attribute,
    without_type_attributes,
};
pub use context::Context;
pub use convert::AssignContext;
pub use hints::{UsedAs, include_help};
pub use literal::StringLiteral;
pub use members::MemberPath;
pub use nodes::Nodes;
pub use occurrences::{Named, Occurrence, Role};
pub use scope::{Binding, Entity, Scopes, Tag};
pub use symbol_table::{FunctionCx, SymbolTable};

/// The options that the translation environment determines.
#[derive(Clone, Copy, Debug)]
pub struct SemaOptions {
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// Largest block size of a layout qualifier.
    pub max_block_size: u32,
    /// Size of a pointer-to-shared in bytes: 8 (packed) or 16.
    pub pts_bytes: u32,
    /// Records with a tag and typedef names of records, alone in a member declaration, are unnamed members
    /// (`-fms-extensions`).
    pub ms_members: bool,
    /// The effects of C compiler flags on its types.
    pub abi: Abi,
    /// Mark accesses that take no part in the detection of races (`#pragma upcc race_ok`).
    pub races: bool,
    /// Keep the IL of verbatim declarations outside system headers, as if UPC touched them (`-fupc-no-verbatim`).
    pub keep_verbatim: bool,
    /// Keep the bodies of verbatim functions outside system headers, for `passes::inst`; they stay verbatim.
    pub keep_bodies: bool,
}

#[cfg(test)]
impl SemaOptions {
    /// Dynamic THREADS, packed pointers-to-shared, and nothing kept.
    pub(crate) fn of_tests() -> SemaOptions {
        SemaOptions {
            static_threads: None,
            max_block_size: 1 << 20,
            pts_bytes: 8,
            ms_members: false,
            abi: Abi::default(),
            races: false,
            keep_verbatim: false,
            keep_bodies: false,
        }
    }
}

/// The position of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    File,
    Block,
    /// First clause of a `for` or `upc_forall`.
    ForInit,
    /// Declarations of the parameters of a K&R definition.
    KrParams,
}

/// The walk over the AST. Its functions analyse specifiers, declarations, expressions, statements and their parts.
pub struct Sema<'a> {
    symbols: SymbolTable<'a>,
    pub items: Vec<il::Item>,
    /// The current external declaration is printed from the IL even if verbatim.
    kept: bool,
    /// The state that statements and expressions keep between nodes.
    pub flow: stmt::Flow,
    attributes: attrs::Attributes,
    /// What the current initialiser is for.
    initialised: init::Initialised,
}

impl<'a> Deref for Sema<'a> {
    type Target = SymbolTable<'a>;

    fn deref(&self) -> &SymbolTable<'a> {
        &self.symbols
    }
}

impl DerefMut for Sema<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.symbols
    }
}

/// Analyses a translation unit, and parses attribute arguments into its AST. The module is complete even after errors;
/// the caller checks `diags` to decide whether to continue.
pub fn analyse(parsed: &mut Parsed, opts: SemaOptions, diags: &mut Diagnostics) -> il::Module {
    analyse_unit(parsed, opts, diags, Occurrences::default()).0
}

/// As [`analyse`]. Also returns which tokens name what, in the order of tokens.
pub fn analyse_named(
    parsed: &mut Parsed,
    opts: SemaOptions,
    diags: &mut Diagnostics,
) -> (il::Module, Vec<Occurrence>) {
    let (module, occurrences) = analyse_unit(parsed, opts, diags, Occurrences::wanted());
    (module, occurrences.finish())
}

fn analyse_unit(
    parsed: &mut Parsed,
    opts: SemaOptions,
    diags: &mut Diagnostics,
    occurrences: Occurrences,
) -> (il::Module, Occurrences) {
    let attributes = attrs::Attributes::read(parsed, opts.abi);
    let parsed = &*parsed;
    let mut types = Types::new(opts.abi);
    types.pts_bytes = u64::from(opts.pts_bytes);
    let mut context = Context::new(parsed, diags, opts, types);
    context.occurrences = occurrences;
    let mut sema = Sema {
        symbols: SymbolTable::new(Nodes::new(context)),
        items: Vec::with_capacity(parsed.ast.items.len()),
        kept: false,
        flow: stmt::Flow::default(),
        attributes,
        initialised: init::Initialised::AUTOMATIC,
    };
    sema.predeclare();
    // gcc has them outside functions too, as empty strings.
    sema.bind_function_names(Span { lo: 0, hi: 0 });
    sema.read_pragmas();
    for &item in &parsed.ast.items {
        crate::progress::at(item.span.lo);
        sema.item(item);
    }
    sema.finish();
    sema.check_race_ok();
    sema.check_alias_targets();
    let Sema { symbols, items, .. } = sema;
    let context = symbols.nodes.context;
    let module = il::Module {
        pure: pure::pure_functions(&parsed.interner, &symbols.objects),
        library: symbols.library,
        types: context.types,
        objects: symbols.objects,
        items,
        static_threads: opts.static_threads,
        sites: TiVec::new(),
        loops: Vec::new(),
        patches: Vec::new(),
        alignments: context.alignments,
    };
    (module, context.occurrences)
}

impl Sema<'_> {
    /// Runs `work` with `touched` cleared. Returns its result and whether it touched anything; `touched` keeps both.
    fn watching<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, bool) {
        let before = std::mem::take(&mut self.touched);
        let result = work(self);
        let touched = self.touched;
        self.touched |= before;
        (result, touched)
    }
}

/// Runs `work` with a stack that grows on the heap, so that deep recursion does not exhaust the thread's stack.
pub(crate) fn deep<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, work)
}
