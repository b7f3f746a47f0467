//! Labels of statements (C11 6.8.1): each is defined once and used where it is known.

use super::hints::replaced;
use super::jumps::RegionId;
use super::report::code;
use super::*;
use hashbrown::HashMap;
use upcc_grammar::token::TokenKind;

/// Labels of a function, or of a block with `__label__`.
#[derive(Default)]
pub(super) struct LabelScope {
    /// `None`: accepts every name; the function's own scope.
    pub(super) declared: Option<Vec<Symbol>>,
    pub(super) labels: HashMap<Symbol, Label>,
}

#[derive(Default)]
pub(super) struct Label {
    /// The first token that names it.
    first: Option<u32>,
    defined: Option<Span>,
    /// The spans of its uses, and whether each is a jump inside the function.
    used: Vec<(Span, bool)>,
    /// Innermost `upc_forall` around the definition.
    forall: Option<Span>,
    /// Innermost region around the definition.
    region: RegionId,
}

impl Sema<'_> {
    fn label(&mut self, name: Symbol) -> Option<&mut Label> {
        let scope = self.flow.labels.iter_mut().rev().find(|s| {
            s.declared
                .as_ref()
                .is_none_or(|names| names.contains(&name))
        })?;
        Some(scope.labels.entry(name).or_default())
    }

    /// True if an enclosing block declares the label as its own.
    fn is_declared_label(&self, name: Symbol) -> bool {
        let declared = self.flow.labels.iter().filter_map(|s| s.declared.as_ref());
        declared.into_iter().any(|names| names.contains(&name))
    }

    pub(super) fn define_label(&mut self, name: Symbol, span: Span) {
        let Some(label) = self.label(name) else {
            return;
        };
        let first = label.defined.replace(span);
        self.note_label(name, span.lo, Role::Defines);
        let (forall, region) = (self.innermost_forall(), self.flow.regions.innermost());
        if let Some(label) = self.label(name) {
            (label.forall, label.region) = (forall, region);
        }
        if let Some(first) = first {
            let message = format!("label `{}` is defined twice", self.name(name));
            self.error_with_note(
                code::DUPLICATE_LABEL,
                span,
                message,
                first,
                "the first is here",
                "rename one of them",
            );
        }
    }

    /// Records the use of a label, which may be defined later. `jump`: it is a jump inside the function.
    pub(super) fn use_label(&mut self, name: Symbol, span: Span, jump: bool) {
        if let Some(label) = self.label(name) {
            label.used.push((span, jump));
        }
        if let Some(word) = self.label_word(name, span) {
            self.note_label(name, word.lo, Role::Uses);
        }
    }

    /// Records a token that names a label.
    fn note_label(&mut self, name: Symbol, token: u32, role: Role) {
        let Some(label) = self.label(name) else {
            return;
        };
        let named = Named::Label(*label.first.get_or_insert(token));
        let none = QualType::plain(Types::VOID);
        self.occurrences.add(token, named, role, none);
    }

    /// Opens the scope of the labels that a block declares with `__label__`.
    pub(super) fn declare_labels(&mut self, names: &[Symbol], block: Span) {
        self.check_local_labels(names, block);
        self.flow.labels.push(LabelScope {
            declared: Some(names.to_vec()),
            labels: HashMap::new(),
        });
        for &name in names {
            // The declarations stand at the beginning of the block.
            let word = self.tokens_of(name, block).next();
            if let Some(word) = word {
                self.note_label(name, word, Role::Declares);
            }
        }
    }

    pub(super) fn close_labels(&mut self) {
        let Some(scope) = self.flow.labels.pop() else {
            return;
        };
        let mut missing = Vec::new();
        let mut defined: Vec<Symbol> = scope
            .labels
            .iter()
            .filter_map(|(&name, label)| label.defined.map(|_| name))
            .collect();
        // Sorted, so that suggestions do not depend on the order of the map.
        defined.sort_unstable_by_key(|name| name.0);
        // Sorted, so that messages have a fixed order.
        let mut labels: Vec<(Symbol, Label)> = scope.labels.into_iter().collect();
        labels.sort_unstable_by_key(|(name, _)| name.0);
        for (name, label) in labels {
            if label.defined.is_some() {
                for &(from, _) in label.used.iter().filter(|(_, jump)| *jump) {
                    self.check_guard(label.region, from);
                }
            }
            match (label.defined, label.forall) {
                (None, _) if self.flow.incomplete => {}
                // A nested function may jump to labels that an enclosing block declares.
                (None, _) if scope.declared.is_none() && self.is_declared_label(name) => {
                    for &(at, _) in &label.used {
                        self.use_label(name, at, false);
                        self.flow.jumps_out.push(at);
                    }
                }
                (None, _) => missing.extend(label.used.first().map(|&(span, _)| (name, span))),
                (Some(at), Some(forall)) => {
                    // Report each label only once.
                    let _ = label
                        .used
                        .iter()
                        .all(|(from, _)| self.check_jump(at, forall, from.lo));
                }
                (Some(_), None) => {}
            }
        }
        missing.sort_by_key(|(_, span)| span.lo);
        for (name, span) in missing {
            let message = format!(
                "label `{}` is used but not defined in this function",
                self.name(name)
            );
            let near = self.speller.closest(
                self.name(name),
                defined.iter().map(|&label| self.name(label)),
            );
            let word = self.label_word(name, span);
            let span = word.unwrap_or(span);
            let near = near.filter(|_| word.is_some());
            let help = near.map(|near| replaced(near, self.parsed.stream.bytes(span)));
            let help = help.unwrap_or_else(|| "define the label, or correct its name".into());
            self.error(code::UNDEFINED_LABEL, span, message, help);
        }
    }
}

impl Context<'_> {
    /// The name in `goto name`, in `&&name`, or among the labels at the end of `asm goto`.
    fn label_word(&self, name: Symbol, span: Span) -> Option<Span> {
        let lo = self.tokens_of(name, span).next_back()?;
        Some(Span { lo, hi: lo + 1 })
    }

    /// The tokens of a span that are this identifier.
    fn tokens_of(
        &self,
        name: Symbol,
        span: Span,
    ) -> impl DoubleEndedIterator<Item = u32> + use<'_> {
        let tokens = &self.parsed.stream.tokens;
        (span.lo..span.hi).filter(move |&at| {
            let token = &tokens[at as usize];
            token.symbol == name && token.kind == TokenKind::Ident
        })
    }

    /// Checks that a block declares each of its `__label__` names once.
    fn check_local_labels(&mut self, names: &[Symbol], block: Span) {
        for (at, &name) in names.iter().enumerate() {
            if !names[..at].contains(&name) {
                continue;
            }
            let mut places = self.tokens_of(name, block);
            let two = (places.next(), places.next());
            drop(places);
            if let (Some(first), Some(second)) = two {
                let message = format!(
                    "label `{}` is declared twice in this block",
                    self.name(name)
                );
                let (first, second) = (record::token_span(first), record::token_span(second));
                let code = code::DUPLICATE_LABEL;
                self.error_with_note(
                    code,
                    second,
                    message,
                    first,
                    "the first is here",
                    "keep one",
                );
            }
        }
    }
}
