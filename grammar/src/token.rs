//! Token kinds and the keyword table.
//!
//! A [`TokenKind`] is what a token is; a [`Term`](crate::term::Term) is the class that the grammar sees. Kinds that the
//! grammar never distinguishes (`<<` and `%`, `int` and `short`) share a terminal, which keeps the parse tables small.
//! Actions read the kind back from the token.

use crate::ast::{BasicType, BinOp, SizeOp, qual, storage};
use crate::symbol::Symbol;
use logos::{Lexer, Logos};

/// What a token is. Keywords have no pattern: they are identifiers whose symbol number is below the length of
/// [`KEYWORDS`].
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
// The non-ASCII characters of identifiers (C11 Annex D), and quotation marks, which sema reports. White space is
// excluded.
#[logos(subpattern extended = r"[^\x00-\x7f\u{80}-\u{a7}\u{a9}\u{ab}-\u{ac}\u{ae}\u{b0}-\u{b1}\u{b6}\u{bb}\u{bf}\u{d7}\u{f7}\u{1680}\u{180e}\u{2000}-\u{200a}\u{200e}-\u{2017}\u{2020}-\u{2029}\u{202f}-\u{203e}\u{2041}-\u{2053}\u{2055}-\u{205f}\u{2190}-\u{245f}\u{2500}-\u{2775}\u{2794}-\u{2bff}\u{2e00}-\u{2e7f}\u{3000}-\u{3003}\u{3008}-\u{3020}\u{3030}\u{e000}-\u{f8ff}\u{fd3e}-\u{fd3f}\u{fdd0}-\u{fdef}\u{fe45}-\u{fe46}\u{fffe}-\u{ffff}]")]
#[repr(u8)]
pub enum TokenKind {
    #[regex(r"([A-Za-z_$]|(?&extended)|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})([0-9A-Za-z_$]|(?&extended)|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*")]
    Ident,
    /// Any preprocessing number (C11 6.4.8); sema reads its value.
    /// `'` between digits is C23. In earlier standards, a quote in this position is always an error.
    #[regex(r"\.?[0-9]([eEpP][+\-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#"(L|u|U|u8)?'([^'\\\n]|\\[^\n])+'"#)]
    Char,
    #[regex(r#"(L|u|U|u8)?"([^"\\\n]|\\[^\n])*""#)]
    #[regex(r#"(L|u|U|u8)?R""#, raw_string)]
    Str,
    /// A literal without its closing quote. The lexer reports it and then treats it as a literal.
    #[regex(r#"(L|u|U|u8)?'([^'\\\n]|\\[^\n])*"#, priority = 1)]
    BadChar,
    #[regex(r#"(L|u|U|u8)?"([^"\\\n]|\\[^\n])*"#, priority = 1)]
    BadStr,
    /// Starts a directive at the beginning of a line.
    #[token("#")]
    Hash,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    OpenComment,

    #[token("[")]
    #[token("<:")]
    LBracket,
    /// The `[` right after `shared`.
    SharedLBracket,
    #[token("]")]
    #[token(":>")]
    RBracket,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    #[token("<%")]
    LBrace,
    #[token("}")]
    #[token("%>")]
    RBrace,
    #[token(".")]
    Dot,
    #[token("...")]
    Ellipsis,
    #[token("->")]
    Arrow,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[token("&")]
    Amp,
    #[token("&&")]
    AmpAmp,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("<")]
    Lt,
    #[token(">")]
    Gt,
    #[token("<=")]
    Le,
    #[token(">=")]
    Ge,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("^")]
    Caret,
    #[token("|")]
    Pipe,
    #[token("||")]
    PipePipe,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token("=")]
    Assign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("%=")]
    PercentAssign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("<<=")]
    ShlAssign,
    #[token(">>=")]
    ShrAssign,
    #[token("&=")]
    AmpAssign,
    #[token("^=")]
    CaretAssign,
    #[token("|=")]
    PipeAssign,

    // Trivia keywords, which never appear in the token list.
    Attribute,
    Extension,
    PragmaOp,

    /// A keyword that names a type.
    Basic(BasicType),

    Struct,
    Union,
    Enum,
    Typeof,

    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    Alignas,

    Const,
    Volatile,
    Restrict,
    Atomic,
    /// `_Atomic` followed by `(`: a type specifier (C11 6.7.2.4).
    AtomicType,
    Shared,
    Strict,
    Relaxed,

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

    Sizeof,
    Alignof,
    UpcLocalsizeof,
    UpcBlocksizeof,
    UpcElemsizeof,
    Real,
    Imag,

    BuiltinVaArg,
    BuiltinOffsetof,
    BuiltinTypesCompatible,
    BuiltinConvertVector,
    /// Builtins whose arguments are types or expressions.
    BuiltinWithTypes,

    Threads,
    MyThread,
    UpcForall,
    UpcNotify,
    UpcWait,
    UpcBarrier,
    UpcFence,
}

use TokenKind as K;

/// Moves past the end of a raw string literal (GNU C), whose opening quote has been read. Returns false if it has no
/// end.
fn raw_string(lexer: &mut Lexer<TokenKind>) -> bool {
    let rest = lexer.remainder();
    let body = rest.split_once('(').filter(|(delimiter, _)| {
        delimiter.len() <= 16 && !delimiter.contains([' ', '\\', ')', '"', '\t', '\n'])
    });
    let Some((delimiter, text)) = body else {
        return false;
    };
    let Some(end) = text.find(&format!("){delimiter}\"")) else {
        return false;
    };
    lexer.bump(delimiter.len() + 1 + end + delimiter.len() + 2);
    true
}

/// Every keyword spelling with its kind; the symbol number of a spelling is its index in this table.
pub const KEYWORDS: &[(&str, TokenKind)] = &[
    ("__attribute__", K::Attribute),
    ("__attribute", K::Attribute),
    ("__extension__", K::Extension),
    ("_Pragma", K::PragmaOp),
    ("void", K::Basic(BasicType::Void)),
    ("char", K::Basic(BasicType::Char)),
    ("short", K::Basic(BasicType::Short)),
    ("int", K::Basic(BasicType::Int)),
    ("long", K::Basic(BasicType::Long)),
    ("float", K::Basic(BasicType::Float)),
    ("double", K::Basic(BasicType::Double)),
    ("signed", K::Basic(BasicType::Signed)),
    ("__signed", K::Basic(BasicType::Signed)),
    ("__signed__", K::Basic(BasicType::Signed)),
    ("unsigned", K::Basic(BasicType::Unsigned)),
    ("_Bool", K::Basic(BasicType::Bool)),
    ("_Complex", K::Basic(BasicType::Complex)),
    ("__complex", K::Basic(BasicType::Complex)),
    ("__complex__", K::Basic(BasicType::Complex)),
    ("_Imaginary", K::Basic(BasicType::Imaginary)),
    ("__int128", K::Basic(BasicType::Int128)),
    ("_Float16", K::Basic(BasicType::Float16)),
    ("_Float32", K::Basic(BasicType::Float32)),
    ("_Float64", K::Basic(BasicType::Float64)),
    ("_Float128", K::Basic(BasicType::Float128)),
    ("__float128", K::Basic(BasicType::Float128)),
    ("_Float32x", K::Basic(BasicType::Float32x)),
    ("_Float64x", K::Basic(BasicType::Float64x)),
    ("__float80", K::Basic(BasicType::Float80)),
    ("_Decimal32", K::Basic(BasicType::Decimal32)),
    ("_Decimal64", K::Basic(BasicType::Decimal64)),
    ("_Decimal128", K::Basic(BasicType::Decimal128)),
    ("__builtin_va_list", K::Basic(BasicType::VaList)),
    ("__auto_type", K::Basic(BasicType::Auto)),
    ("struct", K::Struct),
    ("union", K::Union),
    ("enum", K::Enum),
    ("typeof", K::Typeof),
    ("__typeof", K::Typeof),
    ("__typeof__", K::Typeof),
    ("typedef", K::Typedef),
    ("extern", K::Extern),
    ("static", K::Static),
    ("auto", K::Auto),
    ("register", K::Register),
    ("_Thread_local", K::ThreadLocal),
    ("__thread", K::ThreadLocal),
    ("inline", K::Inline),
    ("__inline", K::Inline),
    ("__inline__", K::Inline),
    ("_Noreturn", K::Noreturn),
    ("_Alignas", K::Alignas),
    ("const", K::Const),
    ("__const", K::Const),
    ("__const__", K::Const),
    ("volatile", K::Volatile),
    ("__volatile", K::Volatile),
    ("__volatile__", K::Volatile),
    ("restrict", K::Restrict),
    ("__restrict", K::Restrict),
    ("__restrict__", K::Restrict),
    ("_Atomic", K::Atomic),
    ("shared", K::Shared),
    ("strict", K::Strict),
    ("relaxed", K::Relaxed),
    ("if", K::If),
    ("else", K::Else),
    ("switch", K::Switch),
    ("case", K::Case),
    ("default", K::Default),
    ("while", K::While),
    ("do", K::Do),
    ("for", K::For),
    ("goto", K::Goto),
    ("continue", K::Continue),
    ("break", K::Break),
    ("return", K::Return),
    ("asm", K::Asm),
    ("__asm", K::Asm),
    ("__asm__", K::Asm),
    ("__label__", K::Label),
    ("_Static_assert", K::StaticAssert),
    ("_Generic", K::Generic),
    ("sizeof", K::Sizeof),
    ("_Alignof", K::Alignof),
    ("__alignof", K::Alignof),
    ("__alignof__", K::Alignof),
    ("upc_localsizeof", K::UpcLocalsizeof),
    ("upc_blocksizeof", K::UpcBlocksizeof),
    ("upc_elemsizeof", K::UpcElemsizeof),
    ("__real", K::Real),
    ("__real__", K::Real),
    ("__imag", K::Imag),
    ("__imag__", K::Imag),
    ("__builtin_va_arg", K::BuiltinVaArg),
    ("__builtin_offsetof", K::BuiltinOffsetof),
    ("__builtin_types_compatible_p", K::BuiltinTypesCompatible),
    ("__builtin_convertvector", K::BuiltinConvertVector),
    ("__builtin_has_attribute", K::BuiltinWithTypes),
    ("THREADS", K::Threads),
    ("MYTHREAD", K::MyThread),
    ("upc_forall", K::UpcForall),
    ("upc_notify", K::UpcNotify),
    ("upc_wait", K::UpcWait),
    ("upc_barrier", K::UpcBarrier),
    ("upc_fence", K::UpcFence),
];

/// Words that `<upc.h>` defined as macros before UPC 1.2 (UPC 1.0 7.1 and its early compilers), with the keyword for
/// which each stood. Their symbol numbers follow those of [`KEYWORDS`]. They are statements where the program has not
/// declared the name.
pub const OLD_WORDS: &[(&str, TokenKind)] = &[
    ("forall", K::UpcForall),
    ("barrier", K::UpcBarrier),
    ("barrier_notify", K::UpcNotify),
    ("barrier_wait", K::UpcWait),
    ("notify", K::UpcNotify),
    ("wait", K::UpcWait),
    ("fence", K::UpcFence),
];

/// The keyword for which an old spelling stands.
pub fn old_word(symbol: Symbol) -> Option<TokenKind> {
    let row = (symbol.0 as usize).checked_sub(KEYWORDS.len())?;
    OLD_WORDS.get(row).map(|(_, kind)| *kind)
}

/// The symbols of [`OLD_WORDS`].
pub fn old_words() -> impl Iterator<Item = Symbol> {
    (KEYWORDS.len()..KEYWORDS.len() + OLD_WORDS.len()).map(|i| Symbol(i as u32))
}

/// Typedef names that exist before the first declaration.
pub const PREDECLARED_TYPES: &[&str] = &[
    "__int128_t",
    "__uint128_t",
    "__builtin_ms_va_list",
    "__builtin_sysv_va_list",
];

impl TokenKind {
    /// True for UPC's keywords (UPC 6.2p2); `UPC_MAX_BLOCK_SIZE` is a macro.
    pub fn is_upc(self) -> bool {
        matches!(
            self,
            K::Shared
                | K::Strict
                | K::Relaxed
                | K::Threads
                | K::MyThread
                | K::UpcForall
                | K::UpcNotify
                | K::UpcWait
                | K::UpcBarrier
                | K::UpcFence
                | K::UpcLocalsizeof
                | K::UpcBlocksizeof
                | K::UpcElemsizeof
        )
    }

    /// The type that a keyword names.
    pub fn basic_type(self) -> Option<BasicType> {
        match self {
            K::Basic(basic) => Some(basic),
            _ => None,
        }
    }

    /// The bit of [`storage`] a keyword stands for, 0 for other tokens.
    pub fn storage_bit(self) -> u16 {
        match self {
            K::Typedef => storage::TYPEDEF,
            K::Extern => storage::EXTERN,
            K::Static => storage::STATIC,
            K::Auto => storage::AUTO,
            K::Register => storage::REGISTER,
            K::ThreadLocal => storage::THREAD,
            K::Inline => storage::INLINE,
            K::Noreturn => storage::NORETURN,
            _ => 0,
        }
    }

    /// The bit of [`qual`] a keyword stands for, 0 for other tokens.
    pub fn qualifier_bit(self) -> u16 {
        match self {
            K::Const => qual::CONST,
            K::Volatile => qual::VOLATILE,
            K::Restrict => qual::RESTRICT,
            K::Atomic => qual::ATOMIC,
            K::Shared => qual::SHARED,
            K::Strict => qual::STRICT,
            K::Relaxed => qual::RELAXED,
            _ => 0,
        }
    }

    /// The size operator a keyword stands for.
    pub fn size_op(self) -> Option<SizeOp> {
        Some(match self {
            K::Sizeof => SizeOp::Sizeof,
            K::Alignof => SizeOp::Alignof,
            K::UpcLocalsizeof => SizeOp::UpcLocalsizeof,
            K::UpcBlocksizeof => SizeOp::UpcBlocksizeof,
            K::UpcElemsizeof => SizeOp::UpcElemsizeof,
            _ => return None,
        })
    }

    /// The infix operator a token stands for, assignments included.
    pub fn infix(self) -> Option<Infix> {
        use Infix::{Assign, Binary};
        Some(match self {
            K::Star => Binary(BinOp::Mul),
            K::Slash => Binary(BinOp::Div),
            K::Percent => Binary(BinOp::Rem),
            K::Plus => Binary(BinOp::Add),
            K::Minus => Binary(BinOp::Sub),
            K::Shl => Binary(BinOp::Shl),
            K::Shr => Binary(BinOp::Shr),
            K::Lt => Binary(BinOp::Lt),
            K::Gt => Binary(BinOp::Gt),
            K::Le => Binary(BinOp::Le),
            K::Ge => Binary(BinOp::Ge),
            K::EqEq => Binary(BinOp::Eq),
            K::NotEq => Binary(BinOp::Ne),
            K::Amp => Binary(BinOp::BitAnd),
            K::Caret => Binary(BinOp::BitXor),
            K::Pipe => Binary(BinOp::BitOr),
            K::AmpAmp => Binary(BinOp::And),
            K::PipePipe => Binary(BinOp::Or),
            K::Assign => Assign(None),
            K::StarAssign => Assign(Some(BinOp::Mul)),
            K::SlashAssign => Assign(Some(BinOp::Div)),
            K::PercentAssign => Assign(Some(BinOp::Rem)),
            K::PlusAssign => Assign(Some(BinOp::Add)),
            K::MinusAssign => Assign(Some(BinOp::Sub)),
            K::ShlAssign => Assign(Some(BinOp::Shl)),
            K::ShrAssign => Assign(Some(BinOp::Shr)),
            K::AmpAssign => Assign(Some(BinOp::BitAnd)),
            K::CaretAssign => Assign(Some(BinOp::BitXor)),
            K::PipeAssign => Assign(Some(BinOp::BitOr)),
            _ => return None,
        })
    }
}

/// An infix operator as the grammar's flat operator list sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Infix {
    Binary(BinOp),
    /// `None` is `=`.
    Assign(Option<BinOp>),
}
