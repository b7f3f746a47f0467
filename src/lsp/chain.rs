//! The expression in front of a cursor behind `.` or `->`, read backwards from text that need not parse, and its type
//! in the last analysis.

use super::analysis::Analysis;
use super::document::word;
use crate::sema::{Named, Occurrence, Role};
use crate::types::{Field, QualType, RecordId, Types};
use upcc_grammar::symbol::Symbol;
use upcc_grammar::token::{KEYWORDS, TokenKind};

/// A step from an expression to the next: `[i]`, `(x)`, `.name` or `->name`, a leading `*`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Index,
    Call,
    Member(String),
    Deref,
    AddressOf,
}

/// What a chain begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// A variable or function.
    Name(String),
    /// A value that is converted to a type: the type's tag or typedef name, and the number of `*` behind it.
    Cast { name: String, stars: usize },
}

/// The beginning of an expression and the steps from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    pub base: Base,
    pub steps: Vec<Step>,
}

/// Returns the expression whose member is being typed at the end of `text`; `None` if no member is.
pub fn before_cursor(text: &str) -> Option<Chain> {
    let text = text[..word(text, text.len()).start].trim_end();
    let whole = match text.strip_suffix("->") {
        Some(whole) => whole,
        None => text
            .strip_suffix('.')
            .filter(|whole| !whole.ends_with('.'))?,
    };
    postfix(whole).map(|(chain, _)| chain)
}

/// Reads a postfix expression that ends at the end of `text`. Returns it and the text in front of it.
fn postfix(text: &str) -> Option<(Chain, &str)> {
    let mut steps = Vec::new();
    let mut rest = text.trim_end();
    loop {
        if rest.ends_with(']') {
            rest = &rest[..opening(rest)?];
            rest = rest.trim_end();
            steps.push(Step::Index);
            continue;
        }
        if rest.ends_with(')') {
            let open = opening(rest)?;
            let front = rest[..open].trim_end();
            let last = word(front, front.len());
            let called =
                front.ends_with([')', ']']) || (!last.is_empty() && !is_keyword(&front[last]));
            if called {
                rest = front;
                steps.push(Step::Call);
                continue;
            }
            let mut chain = unary(&rest[open + 1..rest.len() - 1])?;
            chain.steps.extend(steps.into_iter().rev());
            return Some((chain, front));
        }
        let name = word(rest, rest.len());
        if name.is_empty() || rest.as_bytes()[name.start].is_ascii_digit() {
            return None;
        }
        let front = rest[..name.start].trim_end();
        let name = rest[name].to_owned();
        let member = front.strip_suffix("->").or_else(|| front.strip_suffix('.'));
        match member {
            Some(front) => {
                steps.push(Step::Member(name));
                rest = front.trim_end();
            }
            None => {
                steps.reverse();
                let base = Base::Name(name);
                return Some((Chain { base, steps }, front));
            }
        }
    }
}

/// Reads the contents of parentheses: a postfix expression behind casts, `*` and `&`. Of casts, the first counts.
fn unary(text: &str) -> Option<Chain> {
    let (mut chain, mut front) = postfix(text)?;
    loop {
        front = front.trim_end();
        if let Some(rest) = front.strip_suffix('*') {
            chain.steps.push(Step::Deref);
            front = rest;
        } else if let Some(rest) = front.strip_suffix('&') {
            chain.steps.push(Step::AddressOf);
            front = rest;
        } else if front.ends_with(')') {
            let open = opening(front)?;
            let base = cast(&front[open + 1..front.len() - 1])?;
            let steps = Vec::new();
            chain = Chain { base, steps };
            front = &front[..open];
        } else {
            // An operation has another type.
            return front.is_empty().then_some(chain);
        }
    }
}

/// Reads the type of a cast: the last of its words that can be a name, in front of its `*`.
fn cast(text: &str) -> Option<Base> {
    let stars = text.matches('*').count();
    let specifiers = text.split('*').next()?;
    // `shared [n]`
    let outside = specifiers
        .split('[')
        .enumerate()
        .map(|(at, part)| match at {
            0 => part,
            _ => part.split_once(']').map_or("", |(_, behind)| behind),
        });
    let words = outside.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let keyword = |word: &str| KEYWORDS.iter().any(|(keyword, _)| *keyword == word);
    let name = words
        .filter(|word| !word.is_empty() && !keyword(word))
        .last()?;
    let name = name.to_owned();
    Some(Base::Cast { name, stars })
}

/// True for words that parentheses follow without a call.
fn is_keyword(word: &str) -> bool {
    [
        "if",
        "while",
        "for",
        "switch",
        "return",
        "upc_forall",
        "sizeof",
    ]
    .contains(&word)
}

/// Returns the place of the bracket that the last one of `text` closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Returns the structure or union that a chain names, with the type of its expression. `offset`: of the cursor, in the
/// analysed text.
pub fn record(analysis: &Analysis, chain: &Chain, offset: usize) -> Option<(RecordId, QualType)> {
    let types = &analysis.unit.module.types;
    let (mut ty, mut stars) = match &chain.base {
        Base::Name(name) => (type_of_name(analysis, name, offset)?, 0),
        Base::Cast { name, stars } => (named_type(analysis, name)?, *stars),
    };
    let mut address = false;
    for step in &chain.steps {
        // The `*` of a cast are not part of the type that it names.
        if stars > 0 && matches!(step, Step::Deref | Step::Index) {
            stars -= 1;
            continue;
        }
        // `&x` and what follows it cancel.
        if std::mem::take(&mut address) && matches!(step, Step::Deref | Step::Index) {
            continue;
        }
        ty = match step {
            Step::Index | Step::Deref => target(types, ty)?,
            Step::Call => {
                let function = types
                    .function(ty)
                    .or_else(|| types.function(types.pointee(ty)?));
                function?.ret
            }
            Step::Member(name) => {
                let id = record_of(types, ty)?;
                let fields = members(types, id);
                let names = &analysis.unit.parsed.interner;
                let found = fields
                    .into_iter()
                    .find(|(symbol, _)| names.name(*symbol) == name);
                found?.1.ty
            }
            Step::AddressOf => {
                address = true;
                ty
            }
        };
    }
    record_of(types, ty).map(|id| (id, ty))
}

/// The record of a type, or of what it points to.
fn record_of(types: &Types, ty: QualType) -> Option<RecordId> {
    types
        .record_id(ty)
        .or_else(|| types.record_id(target(types, ty)?))
}

/// What a pointer points to, or the element of an array.
fn target(types: &Types, ty: QualType) -> Option<QualType> {
    types
        .pointee(ty)
        .or_else(|| types.array(ty).map(|(elem, _)| elem))
}

/// Returns the members of a record, those of unnamed members included.
pub fn members(types: &Types, id: RecordId) -> Vec<(Symbol, &Field)> {
    let mut found = Vec::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let fields = types.record(id).body.iter().flat_map(|body| &body.fields);
        for field in fields {
            match field.name {
                Some(name) => found.push((name, field)),
                None => open.extend(types.record_id(field.ty)),
            }
        }
    }
    found
}

/// Returns the type that has this typedef name or tag, the last one of the unit.
fn named_type(analysis: &Analysis, name: &str) -> Option<QualType> {
    let types = &analysis.unit.module.types;
    let symbol = analysis.unit.parsed.interner.get(name)?;
    let mut typedefs = types.typedefs.iter().rev();
    if let Some(typedef) = typedefs.find(|typedef| typedef.name == symbol) {
        return Some(typedef.target);
    }
    let mut used = analysis.unit.occurrences.iter().rev();
    let tag =
        used.find(|o| matches!(o.named, Named::Record(id) if types.record(id).tag == Some(symbol)));
    tag.map(|occurrence| occurrence.ty)
}

/// Returns the type of an ordinary name that is visible at a place of the analysed text.
fn type_of_name(analysis: &Analysis, name: &str, offset: usize) -> Option<QualType> {
    let locals = visible_locals(analysis, offset);
    let local = locals.iter().rev().find(|o| analysis.spelling(o) == name);
    if let Some(local) = local {
        return Some(local.ty);
    }
    let names = &analysis.unit.parsed.interner;
    let symbol = names.get(name)?;
    let objects = &analysis.unit.module.objects;
    let mut objects = objects
        .iter()
        .filter(|object| object.name == symbol && !object.local);
    objects.next().map(|object| object.ty)
}

/// Returns the declarations of the locals and block-scope statics that are visible at a place of the analysed text,
/// outer ones first.
pub fn visible_locals(analysis: &Analysis, offset: usize) -> Vec<Occurrence> {
    let cursor = analysis.token_at(offset);
    let inside = in_function(analysis, cursor).take_while(|o| o.token < cursor);
    let declared = inside.filter(|o| o.role != Role::Uses && is_local(analysis, o));
    declared
        .filter(|o| reaches(analysis, o.token, cursor))
        .copied()
        .collect()
}

/// Returns the labels of the function around a place of the analysed text.
pub fn labels(analysis: &Analysis, offset: usize) -> impl Iterator<Item = &Occurrence> {
    let all = in_function(analysis, analysis.token_at(offset));
    all.filter(|o| matches!(o.named, Named::Label(_)) && o.role == Role::Defines)
}

/// Returns the occurrences in the declaration around a token.
fn in_function(analysis: &Analysis, token: u32) -> impl Iterator<Item = &Occurrence> {
    let items = &analysis.unit.module.items;
    let after = items.partition_point(|item| item.span.lo < token);
    let span = after.checked_sub(1).map(|at| items[at].span);
    let (lo, hi) = span.map_or((0, 0), |span| (span.lo, span.hi));
    let occurrences = &analysis.unit.occurrences;
    let first = occurrences.partition_point(|o| o.token < lo);
    occurrences[first..]
        .iter()
        .take_while(move |o| o.token < hi)
}

fn is_local(analysis: &Analysis, occurrence: &Occurrence) -> bool {
    match occurrence.named {
        Named::Local(_) => true,
        Named::Object(id) => analysis.unit.module.objects[id].local,
        Named::Typedef(_)
        | Named::Enumerator(_)
        | Named::Record(_)
        | Named::Enum(_)
        | Named::Member(..)
        | Named::Label(_) => false,
    }
}

/// True if the block around `declared` is still open at `cursor`.
fn reaches(analysis: &Analysis, declared: u32, cursor: u32) -> bool {
    let tokens = &analysis.unit.parsed.stream.tokens;
    let mut depth = 0i32;
    for token in tokens
        .get(declared as usize..cursor as usize)
        .unwrap_or_default()
    {
        match token.kind {
            TokenKind::LBrace => depth += 1,
            TokenKind::RBrace => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, Vec<Step>)> {
        let chain = before_cursor(text)?;
        match chain.base {
            Base::Name(name) => Some((name, chain.steps)),
            Base::Cast { name, stars } => {
                Some((format!("({name}{})", "*".repeat(stars)), chain.steps))
            }
        }
    }

    #[test]
    fn chains_are_read_backwards() {
        let member = |name: &str| Step::Member(name.to_owned());
        let of = |base: &str, steps: Vec<Step>| Some((base.to_owned(), steps));
        assert_eq!(read("x = p->"), of("p", vec![]));
        assert_eq!(read("f(a, b[i].ne"), of("b", vec![Step::Index]));
        assert_eq!(
            read("q->next [ f(1) ] . val->"),
            of("q", vec![member("next"), Step::Index, member("val")])
        );
        assert_eq!(read("g(1)(2)."), of("g", vec![Step::Call, Step::Call]));
        assert_eq!(read("if (x) p."), of("p", vec![]));
        assert_eq!(read("return (*p)."), of("p", vec![Step::Deref]));
        assert_eq!(
            read("(&a[1])->x"),
            of("a", vec![Step::Index, Step::AddressOf])
        );
        assert_eq!(read("x = a + b"), None);
        assert_eq!(read("3."), None);
        assert_eq!(read("f(int a, ..."), None);
        assert_eq!(read("((struct s *)p)->"), of("(s*)", vec![]));
        assert_eq!(
            read("(*(shared [2] node_t *)f(x)[1])."),
            of("(node_t*)", vec![Step::Deref])
        );
        assert_eq!(read("((int)x + y)->"), None);
    }
}
