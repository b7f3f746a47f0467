//! C text that no line of the user's becomes: the first lines of each unit, the notes at its end, and what a link adds.

use super::out::is_marker;
use super::rt::c_string;
use crate::il::{Function, ItemKind, Module};
use crate::translate::{Races, TranslateOptions};
use crate::unit::{pointer_macros, reach_macros};
use std::borrow::Cow;
use upcc_grammar::Parsed;
use upcc_grammar::ast::storage;

/// Returns the first lines of translated text: the macros that configure the headers of `upcc`, the headers, the note.
/// The text can therefore be compiled later, by itself.
pub fn head(source: &str, options: &TranslateOptions) -> String {
    let threads = options.static_threads;
    let macros = threads
        .map(|count| format!("UPCR_STATIC_THREADS={count}"))
        .into_iter()
        .chain(pointer_macros(options.pointers))
        .chain(reach_macros(options.reach))
        .chain(options.checks.then(|| "UPCR_CHECKS=1".to_owned()))
        .chain((options.races != Races::Off).then(|| "UPCR_RACES=1".to_owned()))
        .chain(options.instrument.iter().map(|_| "UPCR_INST=1".to_owned()));
    let mut text = String::new();
    for (name, value) in macros.filter_map(|text| {
        let (name, value) = text.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    }) {
        text.push_str(&format!("#define {name} {value}\n"));
    }
    text.push_str("#include \"upcr/upcr.h\"\n");
    text.push_str(&format!(
        "UPCR_UNIT(\"upcc={}\", {}, \"source={}\");\n",
        env!("CARGO_PKG_VERSION"),
        threads.unwrap_or(0),
        escaped(source)
    ));
    if let Some(instrument) = &options.instrument {
        let (low, high) = instrument.words();
        text.push_str(&format!("UPCR_INST_UNIT({low:#x}ULL, {high:#x}ULL);\n"));
    }
    text
}

/// Returns the note on inline functions in translated text: C11 6.7.4p7 leaves them without an external definition, and
/// the linker's error must be explained.
pub fn inline_functions(module: &Module, parsed: &Parsed) -> String {
    let functions = module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Function(function) if !parsed.in_system_header(item.span) => Some(function),
        ItemKind::Function(_) | ItemKind::Decl(_) | ItemKind::Text | ItemKind::Generated(_) => None,
    });
    let kinds = storage::INLINE | storage::STATIC | storage::EXTERN;
    let alone = functions.filter(|function| function.storage & kinds == storage::INLINE);
    let line = |function: &Function| {
        let object = &module.objects[function.object];
        format!(
            "UPCR_INLINE_FUNCTION({});\n",
            parsed.interner.name(object.name)
        )
    };
    alone.map(line).collect()
}

/// What a link decides, for the runtime to find in the program.
#[derive(Clone, Debug, Default)]
pub struct LinkDefaults<'a> {
    /// The default size of the shared heap: digits and a unit.
    pub heap: Option<&'a str>,
    /// The bundled tool that events are reported to.
    pub tool: Option<&'a str>,
    /// That tool records a trace.
    pub trace: bool,
    /// How many threads access one another's memory directly.
    pub pshm_width: Option<u32>,
    /// The program calls MPI itself.
    pub uses_mpi: bool,
    /// These calls raise events.
    pub mpi_events: bool,
}

/// Returns the unit that a link adds: its head, with the number of threads if no compilation has fixed it, and the
/// definitions of its defaults.
pub fn link_unit(options: &TranslateOptions, defaults: &LinkDefaults<'_>) -> String {
    let width = defaults.pshm_width.map(|width| width.to_string());
    let values = [
        ("heap", defaults.heap),
        ("tool", defaults.tool),
        ("measure", defaults.trace.then_some("trace")),
        ("width", width.as_deref()),
        ("uses_mpi", defaults.uses_mpi.then_some("1")),
    ];
    let definitions = values
        .iter()
        .filter_map(|(name, value)| value.map(|value| (name, value)))
        .map(|(name, value)| format!("const char upcr_linked_{name}[] = {};\n", c_string(value)));
    let events = match defaults.mpi_events {
        true => "#include \"upcr/mpi_calls.h\"\n",
        false => "",
    };
    head("the link", options) + &definitions.collect::<String>() + events
}

/// Returns translated text whose line markers name the files in folder `from` as files in folder `to`.
pub fn with_folder<'t>(text: &'t str, from: &str, to: &str) -> Cow<'t, str> {
    let literal = |folder: &str| {
        let mut start = c_string(folder);
        start.pop();
        start.push('/');
        start
    };
    let (from, to) = (literal(from), literal(to));
    if !text.contains(&from) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n').map(|line| match line.find('"') {
        Some(at) if is_marker(line) && line[at..].starts_with(&from) => {
            Cow::Owned(format!("{}{to}{}", &line[..at], &line[at + from.len()..]))
        }
        _ => Cow::Borrowed(line),
    });
    Cow::Owned(lines.collect())
}

/// Escapes a file name for a C string literal that is itself part of an assembler string.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            // Octal for the assembler, so that neither the C compiler nor the assembler interprets a quote, a trigraph
            // or an escape.
            0..=31 | 127 | b'"' | b'\\' | b'?' => text.push_str(&format!("\\\\{byte:03o}")),
            _ if byte.is_ascii() => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\\\{byte:03o}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_two_languages() {
        assert_eq!(escaped("a\"b\\?.upc"), "a\\\\042b\\\\134\\\\077.upc");
    }

    #[test]
    fn only_line_markers_name_another_folder() {
        let text = "# 1 \"/c/src-1/include/upc.h\" 1 3\n#line 7 \"/c/src-1/include/x\"\n\
            # 2 \"/c/src-1/includes/y\"\nchar s[] = \"/c/src-1/include/z\";\n#pragma p(\"/c/src-1/include/q\")";
        let moved = "# 1 \"/upcc/include/upc.h\" 1 3\n#line 7 \"/upcc/include/x\"\n\
            # 2 \"/c/src-1/includes/y\"\nchar s[] = \"/c/src-1/include/z\";\n#pragma p(\"/c/src-1/include/q\")";
        assert_eq!(
            with_folder(text, "/c/src-1/include", "/upcc/include"),
            moved
        );
    }

    #[test]
    fn a_link_defines_what_it_decides() {
        let defaults = LinkDefaults {
            tool: Some("measure"),
            trace: true,
            pshm_width: Some(2),
            ..LinkDefaults::default()
        };
        let text = link_unit(&TranslateOptions::default(), &defaults);
        let definitions = "const char upcr_linked_tool[] = \"measure\";\n\
            const char upcr_linked_measure[] = \"trace\";\n\
            const char upcr_linked_width[] = \"2\";\n";
        assert!(text.ends_with(definitions), "{text}");
    }
}
