//! Suggestions for a name that is not known: its intended spelling, or the header that declares it.

use super::{Context, Entity, SymbolTable, Tag};
use crate::headers;
use crate::types::{QualType, RecordId};
use upcc_grammar::symbol::Symbol;
use upcc_grammar::token::{KEYWORDS, OLD_WORDS};

impl SymbolTable<'_> {
    /// The suggestion for an ordinary identifier that is not declared.
    pub(super) fn undeclared_help(&self, name: &str) -> String {
        if let Some(help) = header_help(name) {
            return help;
        }
        if name.contains(['“', '”', '‘', '’', '„']) {
            return "typographic quotation marks do not quote: write \" or '".to_owned();
        }
        let visible = self.visible(name, |entity| {
            !matches!(entity, Entity::Reported | Entity::Typedef(_))
        });
        // Misspelt statement keywords such as `upc_barrier` look like names.
        let keywords = KEYWORDS.iter().map(|(keyword, _)| *keyword);
        let keywords = keywords.filter(|keyword| !keyword.starts_with('_'));
        meant(self.speller.closest(name, visible.chain(keywords)))
            .unwrap_or_else(|| "declare it, or include the header that does".to_owned())
    }

    /// The suggestion for a function that is called and not declared; `None` if there is none.
    pub(super) fn function_help(&self, name: &str) -> Option<String> {
        let function = |entity| match entity {
            Entity::Object(id) => self.objects[id].is_function,
            Entity::Local(_)
            | Entity::Typedef(_)
            | Entity::Enumerator { .. }
            | Entity::FunctionName
            | Entity::Reported => false,
        };
        header_help(name)
            .or_else(|| old_word_help(name))
            .or_else(|| meant(self.speller.closest(name, self.visible(name, function))))
    }

    /// The suggestion for a type name that is not declared.
    pub(super) fn unknown_type_help(&self, name: &str) -> String {
        let types = self.visible(name, |entity| matches!(entity, Entity::Typedef(_)));
        header_help(name)
            .or_else(|| meant(self.speller.closest(name, types)))
            .unwrap_or_else(|| {
                "declare it with `typedef`, or include the header that does".to_owned()
            })
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
    /// The suggestion for a member that a structure or union does not have.
    pub(super) fn member_help(&self, record: RecordId, name: &str) -> String {
        let body = self.types.record(record).body.as_ref();
        let fields = body.iter().flat_map(|body| &body.fields);
        let names = fields
            .filter_map(|field| field.name)
            .map(|name| self.name(name));
        let other_case = names.clone().find(|field| field.eq_ignore_ascii_case(name));
        meant(other_case.or_else(|| self.speller.closest(name, names)))
            .unwrap_or_else(|| "look at the members in its definition".to_owned())
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
    let header = headers::declaring(name)?;
    Some(format!(
        "`{name}` is declared in {header}: include that header"
    ))
}

/// Words `did you mean ...?`.
pub(super) fn meant(name: Option<&str>) -> Option<String> {
    name.map(|name| format!("did you mean `{name}`?"))
}
