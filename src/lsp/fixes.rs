//! Code actions that apply the suggestions of diagnostics.

use super::diagnose::{Found, Offer};
use lsp_types::{CodeActionKind, Diagnostic, Range};
use serde_json::{Map, Value, json};

/// Returns an action for each suggestion with edits of the diagnostics that touch a range.
pub fn actions(found: &[Found], range: Range) -> Vec<Value> {
    let touches = |found: &&Found| {
        let own = found.diagnostic.range;
        own.start <= range.end && range.start <= own.end
    };
    let touched = found.iter().filter(touches);
    let actions = touched.flat_map(|found| {
        let offers = found.offers.iter();
        offers.map(|offer| action(offer, &found.diagnostic))
    });
    actions.collect()
}

fn action(offer: &Offer, diagnostic: &Diagnostic) -> Value {
    let files = offer.edits.iter();
    let changes: Map<String, Value> = files
        .map(|(file, edits)| (file.as_str().to_owned(), json!(edits)))
        .collect();
    json!({
        "title": offer.title,
        "kind": CodeActionKind::QUICKFIX,
        "diagnostics": [diagnostic],
        "isPreferred": offer.certain,
        "edit": { "changes": changes },
    })
}
