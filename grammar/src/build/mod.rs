//! What the grammar's actions do: they build the AST.
//!
//! Lists under construction live on stacks here, not in parser values: a list's value is the height of its stack when it began. That
//! works because whatever is nested in an element is complete before the element is.

mod decl;
mod expr;
mod stmt;

pub use decl::{Declaring, FunctionHead, Piece};
pub use expr::{Operation, Operator};
pub use stmt::{IfHead, OpenBlock};

use crate::ast::*;
use crate::context::{Mark, Names};
use crate::lex::Token;
use crate::symbol::Symbol;
use hashbrown::HashMap;

/// An error that an action finds.
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

/// The AST under construction and everything that is open at the parser's point.
pub struct Builder<'n> {
    pub ast: Ast,
    pub names: &'n Names,
    pub tokens: &'n [Token],
    pub complaints: Vec<Complaint>,
    /// First token of the external declaration at hand.
    pub item_start: u32,
    /// Compound statements that are open, outermost first.
    pub blocks: Vec<Block>,
    /// The function definition whose body is open.
    pub function: Option<FunctionHead>,
    /// What parameter lists changed in the meaning of names, by the token of their `(`: a function body sees it again.
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
    /// Where its statements and its local labels begin in the builder's lists.
    pub stmts: u32,
    pub labels: u32,
}

impl<'n> Builder<'n> {
    /// An empty builder; `ast` may hold nodes from before.
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

    /// Forgets the lists under construction, after a syntax error; the statements that open blocks have stay.
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

    /// The name that token `at` spells.
    pub fn symbol(&self, at: u32) -> Symbol {
        self.tokens[at as usize].symbol
    }

    /// Opens a scope.
    pub fn open(&mut self) -> Mark {
        self.names.open()
    }

    /// Reports what does not stop the parser.
    fn complain(&mut self, span: Span, message: impl Into<String>) {
        self.complaints.push(Complaint {
            span,
            message: message.into(),
        });
    }

    /// Ends an external declaration.
    pub fn item(&mut self, kind: ItemKind, span: Span) {
        self.ast.items.push(Item { kind, span });
        self.item_start = span.hi;
        self.parameter_scopes.clear();
    }
}

/// The top of a stack from `base` on, as a list of its own.
fn take<T>(stack: &mut Vec<T>, base: u32) -> Vec<T> {
    stack.drain(base as usize..).collect()
}

/// The tokens `lo..hi`.
pub fn span(lo: u32, hi: u32) -> Span {
    Span { lo, hi }
}
