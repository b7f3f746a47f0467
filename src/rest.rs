//! The rest of a unit with errors: what the C compiler can warn of in spite of them.
//!
//! An error ends the translation before the C compiler runs, which would hide its warnings of all other lines. So the
//! declarations with errors are taken out of the text, and what remains is translated again:
//!
//! - A function with an error in its body keeps its head. Its new body uses the parameters and the static functions and
//!   variables that the old one names, so that the C compiler does not call them unused.
//! - Any other declaration with an error disappears. What uses it then has an error in the next round.
//!
//! Lines keep their numbers. There are no warnings of functions with errors, because those could follow from the errors.

use crate::diag::{ByteSpan, Diagnostics, Severity, WarningPolicy};
use crate::translate::{Preprocessed, TranslateOptions, Translation, translate_silently};
use hashbrown::HashSet;
use std::fmt::Write as _;
use std::ops::Range;
use upcc_grammar::Parsed;
use upcc_grammar::ast::{
    Ast, DeclKind, DeclaratorId, Derived, FunctionDef, Item, ItemKind, Params, Span, storage,
};
use upcc_grammar::symbol::Symbol;

/// The most rounds. Each one follows uses of what the one before took out.
const ROUNDS: usize = 4;

/// Translates what has no errors of a unit whose translation ended with errors. Returns the C text; `None`: nothing is
/// left that could be translated.
pub fn translated(failed: &Translation, name: &str, options: &TranslateOptions) -> Option<String> {
    // The first translation has shown the warnings, and some may have been its errors.
    let mut warnings = WarningPolicy::default();
    warnings.suppress = true;
    let options = TranslateOptions {
        warnings,
        ..options.clone()
    };
    let again = |text: String| {
        let name = name.to_owned();
        translate_silently(Preprocessed { text, name }, &options)
    };
    let mut rest = again(without_errors(&failed.parsed, &failed.diags)?);
    for _ in 1..ROUNDS {
        if rest.output.is_some() {
            break;
        }
        rest = again(without_errors(&rest.parsed, &rest.diags)?);
    }
    rest.output
}

/// The text of a unit without the declarations that have errors. `None`: an error belongs to no declaration.
fn without_errors(parsed: &Parsed, diags: &Diagnostics) -> Option<String> {
    let items = &parsed.ast.items;
    let mut wrong: Vec<(usize, bool)> = Vec::new();
    for error in diags.items() {
        if error.code.severity != Severity::Error {
            continue;
        }
        let at = error.span.as_ref()?.start;
        let begins = |item: &Item| parsed.stream.bytes(item.span).start;
        let after = items.partition_point(|item| begins(item) <= at);
        let index = after.checked_sub(1)?;
        wrong.push((index, in_body(parsed, &items[index], at)));
    }
    // The head of a function counts before its body.
    wrong.sort_unstable();
    wrong.dedup_by_key(|&mut (index, _)| index);
    let mut text = String::with_capacity(parsed.stream.text.len());
    let mut copied = 0;
    let statics = static_names(parsed, &wrong);
    for (index, in_body) in wrong {
        let item = &items[index];
        let (range, stands_in) = match &item.kind {
            ItemKind::Function(function) if in_body => {
                let body = parsed.ast[function.body].span;
                let mut names = used(parsed, body, &statics);
                names.extend(parameters(&parsed.ast, function.declarator));
                let range = parsed.stream.bytes(body);
                (
                    range,
                    format!("{{ {}for (;;) {{}} }}", uses(parsed, &names)),
                )
            }
            ItemKind::Function(_) | ItemKind::Decl(_) | ItemKind::Asm(_) | ItemKind::Empty => {
                let names = used(parsed, item.span, &statics);
                let uses = uses(parsed, &names);
                let function = format!(
                    "static __attribute__((unused)) void upcc_names_{index}(void) {{ {uses}}}"
                );
                (parsed.stream.bytes(item.span), function)
            }
        };
        text += &parsed.stream.text[copied..range.start as usize];
        text += &stands_in;
        text += &lines_of(parsed, range.clone());
        copied = range.end as usize;
    }
    text += &parsed.stream.text[copied..];
    Some(text)
}

/// Whether a byte of an item is in the body of a function.
fn in_body(parsed: &Parsed, item: &Item, at: u32) -> bool {
    let ItemKind::Function(FunctionDef { body, .. }) = item.kind else {
        return false;
    };
    parsed.stream.bytes(parsed.ast[body].span).start < at
}

/// What a range of the text leaves behind: its line breaks, line markers and `#pragma GCC diagnostic`.
fn lines_of(parsed: &Parsed, range: ByteSpan) -> String {
    let Range { start, end } = range;
    let text = &parsed.stream.text[start as usize..end as usize];
    let mut lines = String::new();
    for line in text.split('\n').skip(1) {
        let directive = line.strip_prefix('#').unwrap_or_default().trim_start();
        let kept = directive.starts_with(|first: char| first.is_ascii_digit())
            || directive.starts_with("pragma GCC diagnostic");
        lines.push('\n');
        lines += if kept { line } else { "" };
    }
    lines
}

/// The names with internal linkage at file scope, without those of declarations that are taken out.
fn static_names(parsed: &Parsed, wrong: &[(usize, bool)]) -> HashSet<Symbol> {
    let ast = &parsed.ast;
    let mut names = HashSet::new();
    let mut taken_out = HashSet::new();
    for (index, item) in ast.items.iter().enumerate() {
        let out = wrong.contains(&(index, false));
        for (declarator, is_static) in declarators(ast, item) {
            let name = ast[declarator].name;
            let into = if out { &mut taken_out } else { &mut names };
            into.extend(name.filter(|_| out || is_static));
        }
    }
    names.retain(|name| !taken_out.contains(name));
    names
}

/// The declarators of an item, and whether it says `static`.
fn declarators(ast: &Ast, item: &Item) -> Vec<(DeclaratorId, bool)> {
    let (specs, declarators) = match &item.kind {
        ItemKind::Function(function) => (function.specs, vec![function.declarator]),
        ItemKind::Decl(decl) => match &ast[*decl].kind {
            DeclKind::Vars { specs, declarators } => {
                let all = declarators.iter().map(|each| each.declarator);
                (*specs, all.collect())
            }
            DeclKind::StaticAssert(_) => return Vec::new(),
        },
        ItemKind::Asm(_) | ItemKind::Empty => return Vec::new(),
    };
    let is_static = ast[specs].storage & storage::STATIC != 0;
    let each = declarators.into_iter();
    each.map(|declarator| (declarator, is_static)).collect()
}

/// The names of a function's parameters.
fn parameters(ast: &Ast, declarator: DeclaratorId) -> Vec<Symbol> {
    let first = ast[declarator].derived.first();
    let Some(Derived::Function { params, .. }) = first else {
        return Vec::new();
    };
    match params {
        Params::Names(names) => names.iter().map(|&(name, _)| name).collect(),
        Params::Prototype { params, .. } => {
            let own = params.iter().filter(|param| !param.forward);
            own.filter_map(|param| ast[param.declarator].name).collect()
        }
    }
}

/// Those of `names` that a range of tokens contains.
fn used(parsed: &Parsed, span: Span, names: &HashSet<Symbol>) -> Vec<Symbol> {
    let tokens = &parsed.stream.tokens[span.lo as usize..span.hi as usize];
    let found = tokens.iter().map(|token| token.symbol);
    found.filter(|symbol| names.contains(symbol)).collect()
}

/// Statements that use each name.
fn uses(parsed: &Parsed, names: &[Symbol]) -> String {
    let mut seen = HashSet::new();
    let mut text = String::new();
    for name in names.iter().filter(|&name| seen.insert(name)) {
        let _ = write!(text, "(void)({}); ", parsed.interner.name(*name));
    }
    text
}
