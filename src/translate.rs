//! From preprocessed text to C text: the seam between the driver and the stages of the compiler.

use crate::diag::{Diagnostics, Renderer, WarningPolicy, codes};
use upcc_grammar::source_map::SourceMap;
use upcc_grammar::token::TokenKind;
use upcc_grammar::{Parsed, ast};

/// Largest block size of a layout qualifier: `UPC_MAX_BLOCK_SIZE`.
pub const MAX_BLOCK_SIZE: u32 = (1 << 20) - 1;

/// What the translation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Emit {
    /// The syntax tree, as text.
    Ast,
    /// The typed tree, as text.
    Il,
    /// C.
    #[default]
    C,
}

impl Emit {
    const NAMES: [(&'static str, Emit); 3] = [("ast", Emit::Ast), ("il", Emit::Il), ("c", Emit::C)];

    /// The kind that `--emit=name` asks for.
    pub fn named(name: &str) -> Option<Emit> {
        Self::NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, emit)| emit)
    }

    /// What [`Emit::named`] takes.
    pub fn names() -> [&'static str; 3] {
        Self::NAMES.map(|(name, _)| name)
    }
}

/// A translation unit after the preprocessor.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text, with line markers.
    pub text: String,
    /// The file it came from, as the user named it.
    pub name: String,
}

/// What governs a translation.
#[derive(Clone, Copy, Debug)]
pub struct TranslateOptions {
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// What to give out.
    pub emit: Emit,
    /// Put `#line` directives into C text.
    pub lines: bool,
    /// Which warnings count.
    pub warnings: WarningPolicy,
    /// How diagnostics are shown on standard error.
    pub renderer: Renderer,
}

/// Translates a unit. `None`: it has errors, which have been shown. Warnings are shown in any case.
pub fn translate(input: Preprocessed, options: &TranslateOptions) -> Option<String> {
    let mut diags = Diagnostics::new(options.warnings);
    let parsed = upcc_grammar::parse(input.text);
    for error in &parsed.errors {
        let item = diags.report(codes::SYNTAX, error.bytes.clone(), error.message.clone());
        item.here(error.expected.clone());
        item.help.extend(error.help.clone());
    }
    let output = translate_parsed(&parsed, options, &mut diags);
    if !diags.items().is_empty() {
        let map = SourceMap::from_preprocessed(&parsed.stream.text);
        options.renderer.print(&diags, &map, &parsed.stream.text);
    }
    output.filter(|_| !diags.has_errors())
}

/// Everything after the parser.
fn translate_parsed(
    parsed: &Parsed,
    options: &TranslateOptions,
    diags: &mut Diagnostics,
) -> Option<String> {
    match options.emit {
        Emit::C => plain_c(parsed, options, diags),
        Emit::Ast | Emit::Il => {
            diags.report_unit(
                codes::NOT_LINKED,
                "internal: front end not linked, so there is no tree to print",
            );
            None
        }
    }
}

/// Passes a unit without UPC through.
fn plain_c(parsed: &Parsed, options: &TranslateOptions, diags: &mut Diagnostics) -> Option<String> {
    let upc = parsed
        .stream
        .tokens
        .iter()
        .position(|token| is_upc(token.kind));
    if let Some(index) = upc {
        let index = index as u32;
        let span = parsed.stream.bytes(ast::Span {
            lo: index,
            hi: index + 1,
        });
        diags.report(
            codes::NOT_LINKED,
            span,
            "internal: front end not linked, UPC cannot be translated",
        );
        return None;
    }
    let threads = options.static_threads.unwrap_or(0);
    Some(format!(
        "#include \"upcr/upcr.h\"\nUPCR_PROGRAM_THREADS({threads});\n{}",
        parsed.stream.text
    ))
}

/// Whether a token belongs to UPC and not to C.
fn is_upc(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Shared
            | TokenKind::SharedLBracket
            | TokenKind::Threads
            | TokenKind::MyThread
            | TokenKind::UpcLocalsizeof
            | TokenKind::UpcBlocksizeof
            | TokenKind::UpcElemsizeof
            | TokenKind::UpcForall
            | TokenKind::UpcNotify
            | TokenKind::UpcWait
            | TokenKind::UpcBarrier
            | TokenKind::UpcFence
    )
}
