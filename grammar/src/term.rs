//! Terminals of the grammar: the classes of tokens that it distinguishes.

use crate::ast::BasicType;
use crate::token::TokenKind;
use crate::token::TokenKind as K;

/// Defines the terminals from a table: first those that are no tokens, then each with the kinds that it stands for.
macro_rules! terms {
    (
        { $($(#[$class_doc:meta])* $class:ident,)* }
        $($(#[$doc:meta])* $term:ident = $kinds:pat,)*
    ) => {
        /// A terminal of the grammar.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Term {
            $($(#[$class_doc])* $class,)*
            $($(#[$doc])* $term,)*
        }

        impl TokenKind {
            /// The terminal that stands for this kind.
            pub fn term(self) -> Term {
                match self {
                    $($kinds => Term::$term,)*
                }
            }
        }
    };
}

terms! {
    {
        /// Selects what to parse, as the first terminal: a unit, the rest of a block, or attribute arguments.
        StartUnit,
        StartBlock,
        StartArgs,
        /// The class of a name.
        Type,
        Variable,
    }

    /// An identifier. The terminal after it gives its class: [`Term::Type`], [`Term::Variable`], or the terminal of the
    /// keyword for which an old spelling stands.
    Name = K::Ident,
    Number = K::Number,
    Char = K::Char | K::BadChar,
    Str = K::Str | K::BadStr,
    LBracket = K::LBracket,
    SharedLBracket = K::SharedLBracket,
    RBracket = K::RBracket,
    LParen = K::LParen,
    RParen = K::RParen,
    LBrace = K::LBrace,
    RBrace = K::RBrace,
    Dot = K::Dot,
    Ellipsis = K::Ellipsis,
    Arrow = K::Arrow,
    /// `++ --`
    IncDec = K::PlusPlus | K::MinusMinus,
    Amp = K::Amp,
    AmpAmp = K::AmpAmp,
    Star = K::Star,
    /// `+ -`
    PlusMinus = K::Plus | K::Minus,
    /// `~ ! __real__ __imag__`
    UnaryOp = K::Tilde | K::Bang | K::Real | K::Imag,
    /// Binary operators that are not also unary, including compound assignments.
    BinaryOp = K::Slash | K::Percent | K::Shl | K::Shr | K::Lt | K::Gt | K::Le | K::Ge | K::EqEq
        | K::NotEq | K::Caret | K::Pipe | K::PipePipe | K::StarAssign | K::SlashAssign
        | K::PercentAssign | K::PlusAssign | K::MinusAssign | K::ShlAssign | K::ShrAssign
        | K::AmpAssign | K::CaretAssign | K::PipeAssign,
    Assign = K::Assign,
    Question = K::Question,
    Colon = K::Colon,
    /// `;`, and what the lexer keeps out of the token list.
    Semi = K::Semi | K::Hash | K::LineComment | K::OpenComment | K::Attribute | K::Extension
        | K::PragmaOp,
    Comma = K::Comma,
    /// Type specifiers that stand alone.
    LoneType = K::Basic(BasicType::Void | BasicType::VaList | BasicType::Auto),
    /// Type specifiers that combine with others.
    BasicType = K::Basic(_),
    /// `struct union`
    Record = K::Struct | K::Union,
    Enum = K::Enum,
    Typeof = K::Typeof,
    AtomicType = K::AtomicType,
    /// Storage-class and function specifiers except `static`.
    Storage = K::Typedef | K::Extern | K::Auto | K::Register | K::ThreadLocal | K::Inline
        | K::Noreturn,
    Static = K::Static,
    Alignas = K::Alignas,
    /// `const volatile restrict _Atomic`
    Qualifier = K::Const | K::Volatile | K::Restrict | K::Atomic,
    Shared = K::Shared,
    /// `strict relaxed`
    Consistency = K::Strict | K::Relaxed,
    If = K::If,
    Else = K::Else,
    Switch = K::Switch,
    Case = K::Case,
    Default = K::Default,
    While = K::While,
    Do = K::Do,
    For = K::For,
    Goto = K::Goto,
    Continue = K::Continue,
    Break = K::Break,
    Return = K::Return,
    Asm = K::Asm,
    Label = K::Label,
    StaticAssert = K::StaticAssert,
    Generic = K::Generic,
    SizeOp = K::Sizeof | K::Alignof | K::UpcLocalsizeof | K::UpcBlocksizeof | K::UpcElemsizeof,
    VaArg = K::BuiltinVaArg,
    Offsetof = K::BuiltinOffsetof,
    TypesCompatible = K::BuiltinTypesCompatible,
    ConvertVector = K::BuiltinConvertVector,
    BuiltinWithTypes = K::BuiltinWithTypes,
    /// `THREADS MYTHREAD`
    UpcConst = K::Threads | K::MyThread,
    Forall = K::UpcForall,
    /// `upc_notify upc_wait upc_barrier`
    Sync = K::UpcNotify | K::UpcWait | K::UpcBarrier,
    Fence = K::UpcFence,
}
