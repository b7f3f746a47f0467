//! Completion: members behind `.` and `->`, else the names that begin with what has been typed.

use super::analysis::Analysis;
use super::{chain, document};
use crate::headers;
use crate::il::Linkage;
use crate::sema::Named;
use crate::types::QualType;
use lsp_types::{CompletionItem, CompletionItemKind};
use std::collections::HashSet;
use upcc_grammar::token::KEYWORDS;

/// Returns what may stand at the end of `before`, the text in front of the cursor. `offset`: of the cursor, in the
/// analysed text.
pub fn at_cursor(analysis: &Analysis, before: &str, offset: usize) -> Vec<CompletionItem> {
    let prefix = &before[document::word(before, before.len())];
    if is_member(&before[..before.len() - prefix.len()]) {
        return match chain::before_cursor(before) {
            Some(chain) => members(analysis, &chain, offset, prefix),
            None => Vec::new(),
        };
    }
    if prefix.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    match before[..before.len() - prefix.len()].trim_end() {
        front if front[document::word(front, front.len())] == *"goto" => {
            labels(analysis, prefix, offset)
        }
        _ if prefix.is_empty() => Vec::new(),
        _ => names(analysis, prefix, offset),
    }
}

fn labels(analysis: &Analysis, prefix: &str, offset: usize) -> Vec<CompletionItem> {
    let all = chain::labels(analysis, offset).map(|label| analysis.spelling(label));
    let begun = all.filter(|name| name.starts_with(prefix));
    let detail = "label of this function";
    let kind = CompletionItemKind::REFERENCE;
    begun
        .map(|name| item(name, kind, detail.to_owned()))
        .collect()
}

/// True if what follows `front` is the name of a member, or the decimals of a number.
fn is_member(front: &str) -> bool {
    let front = front.trim_end();
    front.ends_with("->") || (front.ends_with('.') && !front.ends_with("..."))
}

fn members(
    analysis: &Analysis,
    chain: &chain::Chain,
    offset: usize,
    prefix: &str,
) -> Vec<CompletionItem> {
    let module = &analysis.unit.module;
    let names = &analysis.unit.parsed.interner;
    let Some((id, whole)) = chain::record(analysis, chain, offset) else {
        return Vec::new();
    };
    let shared = module.types.is_shared(whole)
        || module
            .types
            .pointee(whole)
            .is_some_and(|to| module.types.is_shared(to));
    let fields = chain::members(&module.types, id).into_iter();
    let items = fields.map(|(symbol, field)| {
        let name = names.name(symbol);
        let declared = module.types.declare(field.ty, name, names);
        let detail = match shared {
            true => format!("{declared} (part of a shared object)"),
            false => declared,
        };
        item(name, CompletionItemKind::FIELD, detail)
    });
    items
        .filter(|item| item.label.starts_with(prefix))
        .collect()
}

/// Locals first, then names of the unit, keywords, and names of libraries with the header to include.
fn names(analysis: &Analysis, prefix: &str, offset: usize) -> Vec<CompletionItem> {
    let module = &analysis.unit.module;
    let interner = &analysis.unit.parsed.interner;
    let mut items = Items {
        list: Vec::new(),
        known: HashSet::new(),
        prefix,
    };
    let declare = |name: &str, ty: QualType| module.types.declare(ty, name, interner);
    for local in chain::visible_locals(analysis, offset).iter().rev() {
        let name = analysis.spelling(local);
        items.add(name, CompletionItemKind::VARIABLE, || {
            declare(name, local.ty)
        });
    }
    for object in module.objects.iter().filter(|object| !object.local) {
        let name = interner.name(object.name);
        let kind = match object.is_function {
            true => CompletionItemKind::FUNCTION,
            false => CompletionItemKind::VARIABLE,
        };
        let own = match object.linkage {
            Linkage::None => continue,
            Linkage::Internal | Linkage::External => kind,
        };
        items.add(name, own, || declare(name, object.ty));
    }
    for occurrence in &analysis.unit.occurrences {
        let (kind, what) = match occurrence.named {
            Named::Typedef(_) => (CompletionItemKind::CLASS, "type"),
            Named::Enumerator(_) => (CompletionItemKind::ENUM_MEMBER, "enumeration constant"),
            Named::Object(_)
            | Named::Local(_)
            | Named::Record(_)
            | Named::Enum(_)
            | Named::Member(..)
            | Named::Label(_) => continue,
        };
        items.add(analysis.spelling(occurrence), kind, || what.to_owned());
    }
    for (keyword, _) in KEYWORDS {
        let kind = CompletionItemKind::KEYWORD;
        items.add(keyword, kind, || "keyword".to_owned());
    }
    for (name, header) in headers::library_names(prefix) {
        items.add(name, CompletionItemKind::FUNCTION, || {
            format!("in <{header}>")
        });
    }
    items.list
}

struct Items<'a> {
    list: Vec<CompletionItem>,
    known: HashSet<String>,
    prefix: &'a str,
}

impl Items<'_> {
    fn add(&mut self, name: &str, kind: CompletionItemKind, detail: impl FnOnce() -> String) {
        // Names of the implementation are for those who ask for them.
        let reserved = name.starts_with("__") && !self.prefix.starts_with('_');
        if name.starts_with(self.prefix) && !reserved && self.known.insert(name.to_owned()) {
            let mut item = item(name, kind, detail());
            item.sort_text = Some(format!("{:06}", self.list.len()));
            self.list.push(item);
        }
    }
}

fn item(name: &str, kind: CompletionItemKind, detail: String) -> CompletionItem {
    CompletionItem {
        label: name.to_owned(),
        kind: Some(kind),
        detail: Some(detail),
        ..CompletionItem::default()
    }
}
