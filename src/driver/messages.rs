//! Rewrites the messages of the C compiler and the linker in the user's terms: sources instead of temporary files and
//! objects, the program instead of the runtime.

use super::runtime::INCLUDE_IN_OBJECTS;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Prefixes of names that only occur in generated code.
const GENERATED: &[&str] = &["upcr_", "UPCR_", "upcc_"];

/// What upcc leaves to the C compiler, by a word of its messages about it.
const LEFT_TO_C: &[(&str, &str)] = &[
    ("attribute", "the arguments of attributes"),
    ("asm", "the operands of asm statements"),
];

/// Rewrites the C compiler's messages about the translation `file` of `input`.
pub fn of_compiler(text: &str, failed: bool, input: &Path, file: &Path) -> String {
    let (shown, temporary) = (input.to_string_lossy(), file.to_string_lossy());
    let text = without_reported(text);
    let mut message = text.replace(&*temporary, &format!("{shown} (translated)"));
    // An unknown option, a broken installation or a warning that the user has turned into an error is not caused by the
    // translated text.
    let about_text = message.contains(": error: ")
        && !message.contains("[-Werror")
        && message
            .lines()
            .any(|line| line.contains(": error: ") && has_line_number(line));
    if !failed || !about_text {
        return message;
    }
    let ours = GENERATED.iter().any(|name| message.contains(name));
    let left = LEFT_TO_C.iter().find(|(word, _)| message.contains(word));
    if let (false, Some((_, what))) = (ours, left) {
        message.push_str(&format!(
            "upcc: {shown}: upcc leaves {what} to the C compiler\n"
        ));
        return message;
    }
    let version = env!("CARGO_PKG_VERSION");
    message.push_str(&if ours {
        format!("upcc: {shown}: the C compiler rejects text that upcc generated: this is a bug in upcc {version}, please report it;")
    } else {
        format!("upcc: {shown}: the C compiler rejects code that upcc accepted; if the code is correct, this is a bug in upcc {version}, please report it;")
    });
    message.push_str(" -save-temps keeps the rejected text in a file that ends in .trans.c\n");
    message
}

/// What C compilers say about an assignment that is a condition, which sema has reported (W0412). They have further
/// messages under the same option, so that it cannot be off there.
const ASSIGNED: [&str; 2] = [
    "suggest parentheses around assignment used as truth value",
    "using the result of an assignment as a condition without parentheses",
];

/// Leaves out the messages that sema has reported, with their excerpts and notes.
fn without_reported(text: &str) -> Cow<'_, str> {
    if !ASSIGNED.iter().any(|words| text.contains(words)) {
        return text.into();
    }
    let (mut kept, mut skips) = (String::new(), false);
    // `file: In function ...`, which gcc says in front of the first message about a function.
    let mut function = "";
    for line in text.split_inclusive('\n') {
        let message = [": warning: ", ": error: "]
            .iter()
            .any(|kind| line.contains(kind));
        if message {
            skips = ASSIGNED.iter().any(|words| line.contains(words));
        } else if line.contains(": In function ") {
            (function, skips) = (line, true);
            continue;
        } else if line.trim_end().ends_with(" generated.") {
            // clang counts the messages that are left out, too.
            continue;
        }
        if !skips {
            kept += std::mem::take(&mut function);
            kept += line;
        }
    }
    kept.into()
}

/// Matches `file:12:3: error:`.
fn has_line_number(line: &str) -> bool {
    let place = line.split(": error: ").next().unwrap_or_default();
    place
        .split(':')
        .any(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The names that the linker's messages may contain.
pub struct LinkNames<'a> {
    /// Temporary objects and the sources they come from.
    pub objects: Vec<(PathBuf, PathBuf)>,
    /// The runtime library, if it is linked.
    pub runtime: Option<PathBuf>,
    /// Returns the source line that uses a shared object which no object defines; `None`: it is not a shared object.
    pub shared_use: &'a dyn Fn(&str) -> Option<String>,
    /// Inline functions that only their own units define.
    pub inline: Vec<String>,
}

/// Lines that follow from another line, or that name tools which users have not called.
const EMPTY_WORDS: &[&str] = &[
    "collect2: error: ld returned",
    ": error: linker command failed with exit code",
    "final link failed",
    "' isn't defined",
    ": warning: relocation against `",
];

impl LinkNames<'_> {
    /// Rewrites the linker's messages.
    pub fn retell(&self, text: &str, failed: bool) -> String {
        if !failed {
            return self.renamed(text);
        }
        let mut message: Vec<String> = Vec::new();
        let mut function = (String::new(), String::new());
        for line in text.lines() {
            let line = self.renamed(without_program(line));
            if let Some((place, name)) = in_function(&line) {
                function = (place.to_owned(), name.to_owned());
            } else if !EMPTY_WORDS.iter().any(|words| line.contains(words)) {
                let line = self.line(&line, &function);
                if !message.contains(&line) {
                    message.push(line);
                }
            }
        }
        if message.is_empty() {
            return self.renamed(text);
        }
        message.push(String::new());
        message.join("\n")
    }

    /// Rewrites one line of the linker's. `function`: the object and the name of the function that the linker named
    /// before.
    fn line(&self, line: &str, function: &(String, String)) -> String {
        if let Some((place, symbol)) = undefined(line) {
            return self.undefined(place, symbol, function);
        }
        if let Some((place, rest)) = line.split_once(": multiple definition of `") {
            let (name, first) = rest.split_once("'; ").unwrap_or((rest, ""));
            // `a.o:a.c:3: first defined here`, without the line where there are no line tables.
            let first = first.trim_end_matches(": first defined here");
            let (object, line) = first.split_once(':').unwrap_or((first, ""));
            return format!(
                "{}: error: `{name}` is defined here and at {}",
                self.place(place, &function.0),
                self.place(line, object)
            );
        }
        match line.strip_prefix("cannot find ") {
            Some(library) => format!("upcc: error: cannot find {library}"),
            None => line.to_owned(),
        }
    }

    fn undefined(&self, place: &str, symbol: &str, function: &(String, String)) -> String {
        let symbol = symbol.strip_prefix("__real_").unwrap_or(symbol);
        if symbol == "main" {
            return "upcc: error: the program has no main".to_owned();
        }
        let (object, name) = function;
        if let Some(place) = (self.shared_use)(symbol) {
            return format!("{place}: error: no object defines the shared object `{symbol}`");
        }
        let place = self.place(place, object);
        let inside = match name.as_str() {
            "" => String::new(),
            name => format!(" (in function `{name}`)"),
        };
        if self.inline.iter().any(|name| name == symbol) {
            return format!(
                "{place}: error: undefined reference to `{symbol}`{inside}: by C11 6.7.4p7, its inline definition is not an external definition; write `static inline`, or declare it again in one file with `extern`"
            );
        }
        format!("{place}: error: undefined reference to `{symbol}`{inside}")
    }

    /// Returns the place to report: the object if the linker knows no line, or if the place is in one of the runtime's
    /// headers.
    fn place<'a>(&self, place: &'a str, object: &'a str) -> &'a str {
        match bare(self.without_object(place)) {
            "" => object,
            place if place.starts_with('(') || Path::new(place).starts_with(INCLUDE_IN_OBJECTS) => {
                object
            }
            place => place,
        }
    }

    /// Returns a place without the object in front of a source and a line, which the linker names for data: there is no
    /// function to name before.
    fn without_object<'a>(&self, place: &'a str) -> &'a str {
        let Some((object, rest)) = place.split_once(':') else {
            return place;
        };
        let is_source = |(_, source): &(PathBuf, PathBuf)| *source == *Path::new(object);
        let is_object = object.ends_with(".o") || self.objects.iter().any(is_source);
        let has_line = rest.rsplit_once(':').is_some_and(|(source, line)| {
            !source.starts_with('(') && line.bytes().all(|b| b.is_ascii_digit())
        });
        if is_object && has_line { rest } else { place }
    }

    /// Replaces temporary and internal names.
    fn renamed(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (object, source) in &self.objects {
            text = text.replace(&*object.to_string_lossy(), &source.to_string_lossy());
        }
        if let Some(runtime) = &self.runtime {
            text = text.replace(&*runtime.to_string_lossy(), "the UPC runtime");
        }
        text = text.replace("__wrap_main", "main");
        match std::env::current_dir() {
            Ok(here) => text.replace(&format!("{}/", here.display()), ""),
            Err(_) => text,
        }
    }
}

/// Removes a leading `/usr/bin/ld: `.
fn without_program(line: &str) -> &str {
    let is_linker = |program: &str| {
        let name = program.rsplit('/').next().unwrap_or_default();
        name == "ld" || name.starts_with("ld.") || name.ends_with("-ld")
    };
    match line.split_once(": ") {
        Some((program, rest)) if is_linker(program) => rest.trim_start_matches("error: "),
        _ => line,
    }
}

/// ``place: in function `f':``
fn in_function(line: &str) -> Option<(&str, &str)> {
    let (place, name) = line.split_once(": in function `")?;
    Some((place, name.strip_suffix("':")?))
}

/// ``place: undefined reference to `name'``, and the variants for hidden symbols and of other linkers.
fn undefined(line: &str) -> Option<(&str, &str)> {
    let (place, name) = line.split_once(": undefined reference to ")?;
    let place = place.trim_end_matches(": error");
    Some((place, name.trim_matches(['`', '\'', '"'])))
}

/// Returns a place without the part in brackets that names a section.
fn bare(place: &str) -> &str {
    place.split(":(").next().unwrap_or(place)
}

/// Returns the line of the user's source at an offset in an object's section, found by the tool that comes with the
/// linker. Code inlined from the runtime's headers belongs to the line that calls it.
pub fn source_line(object: &Path, section: &str, offset: u64) -> Option<String> {
    let output = std::process::Command::new("addr2line")
        .args(["-i", "-e"])
        .arg(object)
        .args(["-j", section, &format!("{offset:#x}")])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let place = text
        .lines()
        .find(|line| !line.starts_with('?') && !Path::new(line).starts_with(INCLUDE_IN_OBJECTS))?;
    let place = place.split(" (discriminator").next().unwrap_or(place);
    let here = std::env::current_dir().ok()?;
    let prefix = format!("{}/", here.display());
    Some(place.strip_prefix(&prefix).unwrap_or(place).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let names = LinkNames {
            objects: vec![("/tmp/upcc-x/0/a.o".into(), "sub/a.upc".into())],
            runtime: Some("/cache/libupcr.a".into()),
            shared_use: &|name| (name == "far").then(|| "a.upc:9".to_owned()),
            inline: vec!["in".to_owned()],
        };
        names.retell(text, true)
    }

    #[test]
    fn undefined_names() {
        let ld = "/usr/bin/ld: /tmp/upcc-x/0/a.o: in function `main':\n/src/a.upc:7: undefined reference to `foo'\n/usr/bin/ld: /src/a.upc:8: undefined reference to `far'\n/usr/bin/ld: a.out: hidden symbol `far' isn't defined\n/usr/bin/ld: final link failed: bad value\ncollect2: error: ld returned 1 exit status\n";
        assert_eq!(
            rewritten(ld),
            "/src/a.upc:7: error: undefined reference to `foo` (in function `main`)\na.upc:9: error: no object defines the shared object `far`\n"
        );
        let without_lines = "ld: /tmp/upcc-x/0/a.o: in function `f':\na.c:(.text+0x5): undefined reference to `g'\n";
        assert_eq!(
            rewritten(without_lines),
            "a.c: error: undefined reference to `g` (in function `f`)\n"
        );
        let data = "ld: /tmp/upcc-x/0/a.o:/src/a.upc:2: undefined reference to `in'\nld: b.o:/src/b.upc:3: undefined reference to `g'\n";
        assert_eq!(
            rewritten(data),
            "/src/a.upc:2: error: undefined reference to `in`: by C11 6.7.4p7, its inline definition is not an external definition; write `static inline`, or declare it again in one file with `extern`\n/src/b.upc:3: error: undefined reference to `g`\n"
        );
        let gold = "/src/a.upc:5: error: undefined reference to 'z'\n";
        assert_eq!(
            rewritten(gold),
            "/src/a.upc:5: error: undefined reference to `z`\n"
        );
    }

    #[test]
    fn names_of_ours_do_not_show() {
        let no_main = "/usr/bin/ld: /cache/libupcr.a(launch.o): in function `__wrap_main':\nlaunch.c:(.text+0x1f4): undefined reference to `main'\n";
        assert_eq!(rewritten(no_main), "upcc: error: the program has no main\n");
        let twice = "/usr/bin/ld: b.o: in function `f':\n/src/b.upc:4: multiple definition of `f'; /tmp/upcc-x/0/a.o:/src/a.upc:3: first defined here\n";
        assert_eq!(
            rewritten(twice),
            "/src/b.upc:4: error: `f` is defined here and at /src/a.upc:3\n"
        );
        assert_eq!(rewritten("something else\n"), "something else\n");
    }

    #[test]
    fn errors_of_the_c_compiler_are_owned() {
        let (input, file) = (Path::new("a.upc"), Path::new("/tmp/upcc-x/0/a.trans.c"));
        let message = |text: &str| of_compiler(text, true, input, file);
        let generated = message("a.upc:3:1: error: 'upcr_nothing' undeclared\n");
        assert!(generated.contains("this is a bug in upcc") && generated.contains("-save-temps"));
        let undeclared = message("a.upc:3:1: error: 'x' undeclared\n");
        assert!(undeclared.contains("if the code is correct, this is a bug"));
        let asm = message("a.upc:3:1: error: impossible constraint in 'asm'\n");
        assert!(asm.ends_with("upcc leaves the operands of asm statements to the C compiler\n"));
        for users in [
            "cc1: error: unrecognized option\n",
            "a.upc:3:1: error: unused variable 'x' [-Werror=unused-variable]\n",
        ] {
            assert_eq!(message(users), users);
        }
        assert_eq!(
            of_compiler("a.upc:3: warning: x\n", false, input, file),
            "a.upc:3: warning: x\n"
        );
    }
}
