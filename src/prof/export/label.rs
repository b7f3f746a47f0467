//! The names of events for people to read: UPC's terms, with the text of the accessed expression.

use crate::prof::limits::{Shown, limits};
use crate::prof::model::{Frame, Group, KindId, LOST, OFF, ON, Recording, SiteId, Tables, TextId};
use crate::prof::names::shown;

/// Returns the name of an event at a place: `main`, `get a[i]`, `upc_barrier`, `malloc`; for a user's event, the name
/// it was given.
pub fn label(tables: &Tables, kind: KindId, site: SiteId) -> String {
    let of = tables.kind(kind);
    let text = |id: Option<TextId>| id.map(|id| tables.text(id)).filter(|text| !text.is_empty());
    let name = tables.site(site).and_then(|site| text(site.name));
    match of.group {
        Group::User | Group::Loop => shown(&of.name).into_owned(),
        Group::Note => note(&of.name).to_owned(),
        Group::Function => {
            let signature = tables.site(site).and_then(|site| text(site.type_name));
            shown(signature.map_or("(function)", function_name)).into_owned()
        }
        Group::Io => of.name.replacen("UPCC_", "upc_", 1).to_ascii_lowercase(),
        Group::Mpi => shown(name.unwrap_or(&of.name)).into_owned(),
        Group::Semaphore | Group::Post => {
            of.name.replacen("UPCC_", "bupc_", 1).to_ascii_lowercase()
        }
        _ => match (of.name.as_str(), name) {
            ("UPC_GET", Some(name)) => shown(&format!("get {name}")).into_owned(),
            ("UPC_PUT", Some(name)) => shown(&format!("put {name}")).into_owned(),
            (symbol, _) => symbol
                .strip_prefix("C_")
                .unwrap_or(symbol)
                .to_ascii_lowercase(),
        },
    }
}

/// Returns the label of a note that the recording contains.
fn note(name: &str) -> &str {
    match name {
        OFF => "recording off",
        ON => "recording on",
        LOST => "events lost",
        other => other,
    }
}

/// Returns `label` and the place, `get a[i] (stencil.upc:42)`, for formats whose frames are text only.
pub fn label_and_place(tables: &Tables, frame: &Frame) -> String {
    let label = label(tables, frame.kind, frame.site);
    match tables.site(frame.site) {
        Some(site) if site.line > 0 => {
            format!("{label} ({}:{})", shown(tables.text(site.file)), site.line)
        }
        Some(_) | None => label,
    }
}

/// Returns the program's name for titles, with a remark if the recording does not cover the whole run.
pub fn title(recording: &dyn Recording, what: Shown) -> String {
    let program = match recording.facts().program.as_str() {
        "" => "UPC program",
        name => name,
    };
    remarked(&shown(program), recording, what)
}

/// Returns a name for titles, with a remark if the recording does not cover the whole run.
pub fn remarked(name: &str, recording: &dyn Recording, what: Shown) -> String {
    match limits(recording, what).as_slice() {
        [] => name.to_owned(),
        limits => format!("{name} (incomplete: {})", limits.join("; ")),
    }
}

/// Returns the function's name in its signature: the text before the first parenthesis that does not begin a pointer's
/// declarator.
fn function_name(signature: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut parts = signature.match_indices('(').map(|(at, _)| at);
    let end = parts.find(|&at| !signature[at + 1..].trim_start().starts_with('*'));
    let before = signature[..end.unwrap_or(signature.len())].trim_end();
    let name = before.trim_end_matches(is_name);
    match &before[name.len()..] {
        "" => signature,
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_functions() {
        for (signature, name) in [
            ("int main(int argc, char **argv)", "main"),
            ("void (*handler(int))(int)", "handler"),
            ("static shared [4] double *row (void)", "row"),
            ("solve", "solve"),
            ("()", "()"),
            ("", ""),
        ] {
            assert_eq!(function_name(signature), name);
        }
    }
}
