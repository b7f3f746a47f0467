//! Suggestions for a name that is not known: its intended spelling, or the header that declares it.

use super::{Context, Entity, SymbolTable, Tag};
use crate::diag::{ByteSpan, Certainty, Edit, Help};
use crate::headers;
use crate::types::{QualType, RecordId};
use upcc_grammar::symbol::Symbol;
use upcc_grammar::token::{KEYWORDS, OLD_WORDS};

/// Members that a suggestion lists at most.
const MEMBERS_SHOWN: usize = 8;

/// What stands where a name is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsedAs {
    Value,
    Function,
    Type,
}

impl SymbolTable<'_> {
    /// The suggestion for an ordinary identifier that is not declared, at `at`.
    pub(super) fn undeclared_help(&self, name: &str, at: ByteSpan) -> Help {
        if let Some(help) = self.include(name, UsedAs::Value, at.clone()) {
            return help;
        }
        if name.contains(['“', '”', '‘', '’', '„']) {
            return "typographic quotation marks do not quote: write \" or '".into();
        }
        let visible = self.visible(name, |entity| {
            !matches!(entity, Entity::Reported | Entity::Typedef(_))
        });
        // Misspelt statement keywords such as `upc_barrier` look like names.
        let keywords = KEYWORDS.iter().map(|(keyword, _)| *keyword);
        let keywords = keywords.filter(|keyword| !keyword.starts_with('_'));
        let near = self.speller.closest(name, visible.chain(keywords));
        self.meant_name(near, at)
            .unwrap_or_else(|| "declare it, or include the header that does".into())
    }

    /// The suggestion for a function that is called and not declared; `None` if there is none.
    pub(super) fn function_help(&self, name: &str, at: ByteSpan) -> Option<Help> {
        let function = |entity| match entity {
            Entity::Object(id) => self.objects[id].is_function,
            Entity::Local(_)
            | Entity::Typedef(_)
            | Entity::Enumerator { .. }
            | Entity::FunctionName
            | Entity::Reported => false,
        };
        let near = || self.speller.closest(name, self.visible(name, function));
        self.include(name, UsedAs::Function, at.clone())
            .or_else(|| old_word_help(name).map(Help::from))
            .or_else(|| self.meant_name(near(), at))
    }

    /// The suggestion for a type name that is not declared.
    pub(super) fn unknown_type_help(&self, name: &str, at: ByteSpan) -> Help {
        let types = self.visible(name, |entity| matches!(entity, Entity::Typedef(_)));
        self.include(name, UsedAs::Type, at.clone())
            .or_else(|| self.meant_name(self.speller.closest(name, types), at))
            .unwrap_or_else(|| "declare it with `typedef`, or include the header that does".into())
    }

    /// The suggestion to write a declared name at `at`, with its declaration if that is the user's.
    fn meant_name(&self, near: Option<&str>, at: ByteSpan) -> Option<Help> {
        let help = replaced(near?, at);
        let symbol = self.parsed.interner.get(near?);
        let binding = symbol.and_then(|symbol| self.scopes.lookup(symbol));
        let declared = binding.map(|binding| binding.span);
        let declared = declared.filter(|&span| !self.parsed.in_system_header(span));
        Some(match declared {
            Some(span) => {
                let label = format!("`{}` is declared here", near?);
                help.with_other(self.parsed.stream.bytes(span), label)
            }
            None => help,
        })
    }

    /// The suggestion to include the header that declares a name of the library.
    fn include(&self, name: &str, used: UsedAs, at: ByteSpan) -> Option<Help> {
        include_help(name, used, at)
    }

    /// The suggestion for a structure or union that is not defined: another tag, if one is similar.
    pub(super) fn incomplete_help(&self, ty: QualType) -> Option<String> {
        if let Some(help) = self.lock_help(ty) {
            return Some(help.to_owned());
        }
        let tag = self.name(self.types.record(self.types.record_id(ty)?).tag?);
        let symbols = self.all_symbols();
        let defined = |tag| match tag {
            Tag::Record(id) => self.types.record(id).body.is_some(),
            Tag::Enum(_) => false,
        };
        let tags = symbols.filter(|&symbol| {
            self.scopes
                .lookup_tag(symbol)
                .is_some_and(|binding| defined(binding.entity))
        });
        meant(
            self.speller
                .closest(tag, tags.map(|symbol| self.name(symbol))),
        )
    }

    /// Names in scope of the wanted kind. Reserved names of system headers are excluded, unless `like` is reserved too.
    fn visible(&self, like: &str, wanted: impl Fn(Entity) -> bool) -> impl Iterator<Item = &str> {
        let reserved = like.starts_with('_');
        self.all_symbols()
            .filter(move |&symbol| reserved || !self.name(symbol).starts_with("__"))
            .filter(move |&symbol| self.lookup(symbol).is_some_and(&wanted))
            .map(|symbol| self.name(symbol))
    }
}

impl Context<'_> {
    /// The suggestion for a member, named at `at`, that a structure or union does not have.
    pub(super) fn member_help(&self, record: RecordId, name: &str, at: ByteSpan) -> Help {
        let body = self.types.record(record).body.as_ref();
        let fields = body.iter().flat_map(|body| &body.fields);
        let named = fields.filter_map(|field| Some((self.name(field.name?), field.span)));
        let names = || named.clone().map(|(name, _)| name);
        let other_case = names().find(|field| field.eq_ignore_ascii_case(name));
        if let Some(near) = other_case.or_else(|| self.speller.closest(name, names())) {
            let help = replaced(near, at);
            let declared = named.clone().find(|(name, _)| *name == near);
            let declared = declared.filter(|(_, span)| !self.parsed.in_system_header(*span));
            return match declared {
                Some((_, span)) => {
                    let label = format!("`{near}` is declared here");
                    help.with_other(self.parsed.stream.bytes(span), label)
                }
                None => help,
            };
        }
        let shown = names().take(MEMBERS_SHOWN);
        let list: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
        if list.is_empty() {
            return "look at the members in its definition".into();
        }
        let more = names().skip(MEMBERS_SHOWN).count();
        let rest = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("its members are {}{rest}", list.join(", ")).into()
    }

    /// The suggestion for an object of type `upc_lock_t`, which UPC 1.0 allowed: locks are created at run time.
    pub(super) fn lock_help(&self, ty: QualType) -> Option<&'static str> {
        let tag = self.types.record(self.types.record_id(ty)?).tag?;
        (self.name(tag) == "upcr_lock").then_some(
            "a lock is allocated at run time: declare `upc_lock_t *lock;`, assign `lock = upc_all_lock_alloc();` on every thread, and write `lock` in place of `&lock`",
        )
    }

    /// The symbols of the unit; none if suggestions have used up their time budget.
    fn all_symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        let all = self.parsed.interner.len() as u32;
        let shown = if self.speller.spend(u64::from(all)) {
            all
        } else {
            0
        };
        (0..shown).map(Symbol)
    }
}

/// The suggestion for a call of a name that was a macro in UPC 1.0: `barrier(1)` may also be a function of another
/// unit.
fn old_word_help(name: &str) -> Option<String> {
    let (_, kind) = OLD_WORDS.iter().find(|(old, _)| *old == name)?;
    let (keyword, _) = KEYWORDS.iter().find(|(_, other)| other == kind)?;
    Some(format!(
        "declare the function, or write {keyword} if you mean the UPC statement"
    ))
}

/// Names the header that declares a name of the library.
pub fn header_help(name: &str) -> Option<String> {
    // Keywords are names only where UPC is off (`#pragma upc c_code`); comments of headers mention them.
    if KEYWORDS.iter().any(|(keyword, _)| *keyword == name) {
        return None;
    }
    let header = headers::declaring(name)?;
    Some(format!(
        "`{name}` is declared in {header}: include that header"
    ))
}

/// The suggestion to include the header that declares a name of the library, for the name at `bytes`.
pub fn include_help(name: &str, used: UsedAs, bytes: ByteSpan) -> Option<Help> {
    let (words, header) = (header_help(name)?, headers::declaring(name)?);
    // A lower-case name of C's library may be a variable that the user forgot to declare.
    let meant = match used {
        UsedAs::Function | UsedAs::Type => true,
        UsedAs::Value => name.starts_with("upc_") || name == name.to_ascii_uppercase(),
    };
    let certainty = match meant && headers::is_standard(&header) {
        true => Certainty::Certain,
        false => Certainty::Maybe,
    };
    Some(Help::edit(
        words,
        Edit::Include { bytes, header },
        certainty,
    ))
}

/// Words `did you mean ...?`.
pub(super) fn meant(name: Option<&str>) -> Option<String> {
    name.map(|name| format!("did you mean `{name}`?"))
}

/// The suggestion to write `near` in place of the name at `bytes`. Names that begin with `upc_` are reserved: only the
/// one of UPC can be meant.
pub(super) fn replaced(near: &str, bytes: ByteSpan) -> Help {
    let certainty = match near.starts_with("upc_") {
        true => Certainty::Certain,
        false => Certainty::Maybe,
    };
    Help::replace(format!("did you mean `{near}`?"), bytes, near, certainty)
}
