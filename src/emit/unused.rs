//! Declarations of library functions that the program never names. They are left out of the C text: the headers of a
//! system declare hundreds of functions, and a reader of the C text looks for the program.

use crate::il::{Decl, Item, ItemKind, Module};
use hashbrown::HashMap;
use upcc_grammar::Parsed;
use upcc_grammar::token::TokenKind;

/// The indices of the items, ascending, that only declare functions of system headers that nothing else names.
pub(super) fn unused(module: &Module, parsed: &Parsed) -> Vec<usize> {
    let items = module.items.iter().enumerate();
    let candidates: Vec<(usize, Vec<&str>)> = items
        .filter_map(|(index, item)| Some((index, declared(item, module, parsed)?)))
        .collect();
    let names = candidates.iter().flat_map(|(_, names)| names);
    // How often each function is named, less its declarations.
    let mut uses: HashMap<&str, i64> = HashMap::new();
    for name in names {
        *uses.entry(*name).or_default() -= 1;
    }
    let mut name = |word: &str| {
        if let Some(count) = uses.get_mut(word) {
            *count += 1;
        }
    };
    let stream = &parsed.stream;
    for (token, index) in stream.tokens.iter().zip(0..stream.program_len) {
        if token.kind == TokenKind::Ident {
            name(stream.token_text(index));
        }
    }
    // Attributes and pragmas, such as `malloc (fclose, 1)` or `weak f`.
    let attrs = stream.attrs.iter().map(|a| (a.start, a.end));
    let pragmas = stream.pragmas.iter().map(|p| (p.start, p.end));
    for (start, end) in attrs.chain(pragmas) {
        let text = &stream.text[start as usize..end as usize];
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .for_each(&mut name);
    }
    let unused = |names: &[&str]| names.iter().all(|name| uses[name] == 0);
    let left_out = candidates.iter().filter(|(_, names)| unused(names));
    left_out.map(|(index, _)| *index).collect()
}

/// The functions that an item of a system header declares, if it does nothing else.
fn declared<'a>(item: &Item, module: &Module, parsed: &'a Parsed) -> Option<Vec<&'a str>> {
    let ItemKind::Decl(group) = &item.kind else {
        return None;
    };
    let pragmas = parsed.stream.pragmas_in(item.span.lo..=item.span.hi);
    let alone = group.tags.is_empty() && pragmas.is_empty();
    if !alone || !parsed.in_system_header(item.span) {
        return None;
    }
    let names = group.decls.iter().map(|decl| {
        if let Decl::Object { object, .. } = decl {
            let object = &module.objects[*object];
            object
                .is_function
                .then(|| parsed.interner.name(object.name))
        } else {
            None
        }
    });
    names.collect()
}
