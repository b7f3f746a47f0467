//! Terminals of the grammar: the classes of tokens that it distinguishes.

use crate::ast::BasicType;
use crate::token::TokenKind;
use crate::token::TokenKind as K;

/// A terminal of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Term {
    /// Not tokens: the first terminal selects what to parse (a unit, the rest of a block, attribute arguments).
    StartUnit,
    StartBlock,
    StartArgs,
    /// An identifier. The terminal after it gives its class: [`Term::Type`], [`Term::Variable`], or the terminal of the
    /// keyword for which an old spelling stands.
    Name,
    Type,
    Variable,
    Number,
    Char,
    Str,
    LBracket,
    SharedLBracket,
    RBracket,
    LParen,
    RParen,
    LBrace,
    RBrace,
    Dot,
    Ellipsis,
    Arrow,
    /// `++ --`
    IncDec,
    Amp,
    AmpAmp,
    Star,
    /// `+ -`
    PlusMinus,
    /// `~ ! __real__ __imag__`
    UnaryOp,
    /// Binary operators that are not also unary, including compound assignments.
    BinaryOp,
    Assign,
    Question,
    Colon,
    Semi,
    Comma,
    /// Type specifiers that combine with others.
    BasicType,
    /// Type specifiers that stand alone.
    LoneType,
    /// `struct union`
    Record,
    Enum,
    Typeof,
    AtomicType,
    /// Storage-class and function specifiers except `static`.
    Storage,
    Static,
    Alignas,
    /// `const volatile restrict _Atomic`
    Qualifier,
    Shared,
    /// `strict relaxed`
    Consistency,
    If,
    Else,
    Switch,
    Case,
    Default,
    While,
    Do,
    For,
    Goto,
    Continue,
    Break,
    Return,
    Asm,
    Label,
    StaticAssert,
    Generic,
    SizeOp,
    VaArg,
    Offsetof,
    TypesCompatible,
    ConvertVector,
    BuiltinWithTypes,
    /// `THREADS MYTHREAD`
    UpcConst,
    Forall,
    /// `upc_notify upc_wait upc_barrier`
    Sync,
    Fence,
}

impl TokenKind {
    /// The terminal that stands for this kind.
    pub fn term(self) -> Term {
        match self {
            K::Ident => Term::Name,
            K::Number => Term::Number,
            K::Char | K::BadChar => Term::Char,
            K::Str | K::BadStr => Term::Str,
            K::LBracket => Term::LBracket,
            K::SharedLBracket => Term::SharedLBracket,
            K::RBracket => Term::RBracket,
            K::LParen => Term::LParen,
            K::RParen => Term::RParen,
            K::LBrace => Term::LBrace,
            K::RBrace => Term::RBrace,
            K::Dot => Term::Dot,
            K::Ellipsis => Term::Ellipsis,
            K::Arrow => Term::Arrow,
            K::PlusPlus | K::MinusMinus => Term::IncDec,
            K::Amp => Term::Amp,
            K::AmpAmp => Term::AmpAmp,
            K::Star => Term::Star,
            K::Plus | K::Minus => Term::PlusMinus,
            K::Tilde | K::Bang | K::Real | K::Imag => Term::UnaryOp,
            K::Assign => Term::Assign,
            K::Question => Term::Question,
            K::Colon => Term::Colon,
            K::Semi => Term::Semi,
            K::Comma => Term::Comma,
            K::Slash
            | K::Percent
            | K::Shl
            | K::Shr
            | K::Lt
            | K::Gt
            | K::Le
            | K::Ge
            | K::EqEq
            | K::NotEq
            | K::Caret
            | K::Pipe
            | K::PipePipe => Term::BinaryOp,
            K::StarAssign
            | K::SlashAssign
            | K::PercentAssign
            | K::PlusAssign
            | K::MinusAssign
            | K::ShlAssign
            | K::ShrAssign
            | K::AmpAssign
            | K::CaretAssign
            | K::PipeAssign => Term::BinaryOp,
            K::Basic(BasicType::Void | BasicType::VaList | BasicType::Auto) => Term::LoneType,
            K::Basic(_) => Term::BasicType,
            K::Struct | K::Union => Term::Record,
            K::Enum => Term::Enum,
            K::Typeof => Term::Typeof,
            K::AtomicType => Term::AtomicType,
            K::Typedef
            | K::Extern
            | K::Auto
            | K::Register
            | K::ThreadLocal
            | K::Inline
            | K::Noreturn => Term::Storage,
            K::Static => Term::Static,
            K::Alignas => Term::Alignas,
            K::Const | K::Volatile | K::Restrict | K::Atomic => Term::Qualifier,
            K::Shared => Term::Shared,
            K::Strict | K::Relaxed => Term::Consistency,
            K::If => Term::If,
            K::Else => Term::Else,
            K::Switch => Term::Switch,
            K::Case => Term::Case,
            K::Default => Term::Default,
            K::While => Term::While,
            K::Do => Term::Do,
            K::For => Term::For,
            K::Goto => Term::Goto,
            K::Continue => Term::Continue,
            K::Break => Term::Break,
            K::Return => Term::Return,
            K::Asm => Term::Asm,
            K::Label => Term::Label,
            K::StaticAssert => Term::StaticAssert,
            K::Generic => Term::Generic,
            K::Sizeof | K::Alignof | K::UpcLocalsizeof | K::UpcBlocksizeof | K::UpcElemsizeof => {
                Term::SizeOp
            }
            K::BuiltinVaArg => Term::VaArg,
            K::BuiltinOffsetof => Term::Offsetof,
            K::BuiltinTypesCompatible => Term::TypesCompatible,
            K::BuiltinConvertVector => Term::ConvertVector,
            K::BuiltinWithTypes => Term::BuiltinWithTypes,
            K::Threads | K::MyThread => Term::UpcConst,
            K::UpcForall => Term::Forall,
            K::UpcNotify | K::UpcWait | K::UpcBarrier => Term::Sync,
            K::UpcFence => Term::Fence,
            // The lexer keeps these out of the token list.
            K::Hash
            | K::LineComment
            | K::OpenComment
            | K::Attribute
            | K::Extension
            | K::PragmaOp => Term::Semi,
        }
    }
}
