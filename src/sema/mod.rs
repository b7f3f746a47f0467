//! AST to IL: scopes, types, conversions made explicit, constants folded, UPC's constraints checked.
//!
//! Entry: [`analyse`]. One external declaration at a time; all errors of a file are collected, none stops the analysis.
//! `Type::Unknown` is the type of what has been reported already (or is not modelled): it converts silently, so one mistake gives one message.
//!
//! Files: `scope` names and linkage; `specs` specifiers and declarators to types; `record` struct, union, enum and their layout; `attrs` attributes that
//! change types; `decl` declarations and function definitions; `init` initialisers; `literal` constants; `consteval` folding; `expr/*` expressions; `convert`
//! conversions and compatibility; `stmt` statements; `upc` UPC constraints; `builtins` GNU builtin functions.

use crate::diag::Diagnostics;
use crate::il;
use crate::types::{QualType, Types};
use upcc_grammar::Parsed;
use upcc_grammar::ast;

/// What the translation environment fixes.
#[derive(Clone, Copy, Debug)]
pub struct SemaOptions {
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// Largest block size of a layout qualifier.
    pub max_block_size: u32,
}

/// The state of an analysis: the AST it reads, the module it builds.
pub struct Sema<'a> {
    pub parsed: &'a Parsed,
    pub diags: &'a mut Diagnostics,
    pub opts: SemaOptions,
    pub module: il::Module,
    /// Arenas of the external declaration in work.
    pub body: il::Body,
}

/// Analyses a translation unit. The module is complete even after errors; the caller asks `diags` whether to go on.
pub fn analyse(parsed: &Parsed, opts: SemaOptions, diags: &mut Diagnostics) -> il::Module {
    let _ = (parsed, opts, diags);
    il::Module { types: Types::default(), objects: Vec::new(), items: Vec::new(), static_threads: opts.static_threads }
}

// The seam between declarations (decl, specs, record, init, attrs, scope) and expressions (expr, convert, consteval, stmt):
//
//   declarations give                                              expressions give
//   fn type_name(&mut self, ast::TypeNameId) -> QualType           fn expr(&mut self, ast::ExprId) -> il::ExprId        place or value, nothing decayed
//   fn declaration(&mut self, ast::DeclId, Level) -> DeclGroup     fn rvalue(&mut self, ast::ExprId) -> il::ExprId      loaded, decayed
//   fn initializer(&mut self, ast::InitId, QualType)               fn const_int(&mut self, ast::ExprId, what) -> Option<i128>   reports if not constant
//        -> (il::InitId, QualType)   type completed                fn try_const_int(&mut self, il::ExprId) -> Option<i128>      silent
//   fn lookup(&self, Symbol) -> Option<Entity>                     fn assign_convert(&mut self, il::ExprId, QualType, AssignContext) -> il::ExprId
//   fn push_scope / pop_scope                                      fn function_body(&mut self, ast::StmtId) -> il::StmtId
//   fn lookup_member(RecordId, Symbol) -> Option<path>             fn expr_type(&mut self, ast::ExprId) -> QualType     typeof, sizeof: unevaluated
//   types.size_of / align_of / is_complete / compatible / composite / display
