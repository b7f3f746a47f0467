//! The actions of the grammar, which build the AST.
//!
//! Lists under construction live on the builder's stacks, not in parser values. The value of a list is the height of
//! its stack when the list began. This works because everything nested in an element is complete before the element is.

mod decl;
mod expr;
mod init;
mod stmt;

pub use decl::{Declaring, FunctionHead, Specifier};
pub use expr::{Operation, Operator};
pub use stmt::{IfHead, OpenBlock};

use crate::ast::*;
use crate::context::{Mark, Names};
use crate::lex::Token;
use crate::symbol::Symbol;
use hashbrown::HashMap;

/// An error that a grammar action reports.
#[derive(Debug, Clone)]
pub enum ActionError {
    /// A declaration ends at this token without `;`.
    EndOfDeclaration(u32),
    /// Anything else, with the offending token.
    Message(u32, String),
}

/// An error that does not stop the parser.
#[derive(Debug)]
pub struct Complaint {
    pub span: Span,
    pub message: String,
}

/// The AST under construction, and everything that is open at the parser's position.
pub struct Builder<'n> {
    pub ast: Ast,
    pub names: &'n Names,
    pub tokens: &'n [Token],
    pub complaints: Vec<Complaint>,
    /// First token of the external declaration in progress.
    pub item_start: u32,
    /// Open compound statements, outermost first.
    pub blocks: Vec<Block>,
    /// The function definition whose body is open.
    pub function: Option<FunctionHead>,
    /// The changes that parameter lists made to the meaning of names, by the token of their `(`. A function body
    /// applies them again.
    parameter_scopes: HashMap<u32, Vec<(Symbol, bool)>>,
    exprs: Vec<ExprId>,
    operators: Vec<(Operator, ExprId)>,
    quals: Vec<Quals>,
    suffixes: Vec<Derived>,
    params: Vec<Param>,
    param_names: Vec<(Symbol, u32)>,
    members: Vec<Member>,
    fields: Vec<FieldDeclarator>,
    enumerators: Vec<Enumerator>,
    init_declarators: Vec<InitDeclarator>,
    init_items: Vec<InitItem>,
    designators: Vec<Designator>,
    stmts: Vec<StmtId>,
    labels: Vec<Symbol>,
    heads: Vec<stmt::Head>,
    asm_operands: Vec<AsmOperand>,
}

/// An open compound statement.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its `{`.
    pub token: u32,
    /// Scopes open inside it.
    pub depth: u32,
    /// Indices of its first statement and first local label in the builder's lists.
    pub stmts: u32,
    pub labels: u32,
}

impl<'n> Builder<'n> {
    /// Creates an empty builder; `ast` may already hold nodes.
    pub fn new(ast: Ast, names: &'n Names, tokens: &'n [Token]) -> Builder<'n> {
        Builder {
            ast,
            names,
            tokens,
            complaints: Vec::new(),
            item_start: 0,
            blocks: Vec::new(),
            function: None,
            parameter_scopes: HashMap::new(),
            exprs: Vec::new(),
            operators: Vec::new(),
            quals: Vec::new(),
            suffixes: Vec::new(),
            params: Vec::new(),
            param_names: Vec::new(),
            members: Vec::new(),
            fields: Vec::new(),
            enumerators: Vec::new(),
            init_declarators: Vec::new(),
            init_items: Vec::new(),
            designators: Vec::new(),
            stmts: Vec::new(),
            labels: Vec::new(),
            heads: Vec::new(),
            asm_operands: Vec::new(),
        }
    }

    /// Discards the lists under construction, after a syntax error. The statements of open blocks stay.
    pub fn abandon(&mut self) {
        self.exprs.clear();
        self.operators.clear();
        self.quals.clear();
        self.suffixes.clear();
        self.params.clear();
        self.param_names.clear();
        self.members.clear();
        self.fields.clear();
        self.enumerators.clear();
        self.init_declarators.clear();
        self.init_items.clear();
        self.designators.clear();
        if self.blocks.is_empty() {
            self.stmts.clear();
            self.labels.clear();
        }
        self.heads.clear();
        self.asm_operands.clear();
    }

    /// The symbol of the name at token `at`.
    pub fn symbol(&self, at: u32) -> Symbol {
        self.tokens[at as usize].symbol
    }

    /// Opens a scope.
    pub fn open(&mut self) -> Mark {
        self.names.open()
    }

    /// Reports an error that does not stop the parser.
    fn complain(&mut self, span: Span, message: impl Into<String>) {
        self.complaints.push(Complaint {
            span,
            message: message.into(),
        });
    }

    /// Finishes an external declaration.
    pub fn item(&mut self, kind: ItemKind, span: Span) {
        self.ast.items.push(Item { kind, span });
        self.item_start = span.hi;
        self.parameter_scopes.clear();
    }
}

/// Removes the part of a stack from `base` on and returns it as a list.
fn take<T>(stack: &mut Vec<T>, base: u32) -> Vec<T> {
    stack.drain(base as usize..).collect()
}

/// The span of the tokens `lo..hi`.
pub fn span(lo: u32, hi: u32) -> Span {
    Span { lo, hi }
}
