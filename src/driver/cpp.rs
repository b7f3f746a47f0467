//! The preprocessor: the user's C compiler with `-E`, the runtime's headers and UPC's predefined macros.

use super::columns::without_escapes;
use super::missing;
use super::outputs::Dependencies;
use super::settings::{Options, Stop};
use super::tool::{Show, Tool};
use super::toolchain::Compiler;
use crate::cli::Failure;
use crate::target::Pointers;
use crate::translate::Races;
use std::io::Read as _;
use std::path::Path;
use std::process::Output;
use upcc_grammar::SyntaxKind;

/// Feature macros of the optional libraries (UPC 1.3, library specification; GASP A.5.5), each predefined as 1.
const LIBRARIES: &[&str] = &[
    "__UPC_ATOMIC__",
    "__UPC_CASTABLE__",
    "__UPC_COLLECTIVE__",
    "__UPC_IO__",
    "__UPC_NB__",
    "__UPC_PUPC__",
    "__UPC_TICK__",
];

/// Returns the macros of UPC 1.3, section 6.7.2, and those of the available libraries, as `-D` flags.
pub fn predefined(threads: Option<u32>, pointers: Pointers) -> Vec<String> {
    let mut flags = vec![
        "-D__UPC__=1".to_owned(),
        "-D__UPC_VERSION__=201311L".to_owned(),
        format!("-DUPC_MAX_BLOCK_SIZE={}", pointers.max_block_size()),
    ];
    match threads {
        Some(count) => flags.extend([
            "-D__UPC_STATIC_THREADS__=1".to_owned(),
            format!("-DTHREADS={count}"),
        ]),
        None => flags.push("-D__UPC_DYNAMIC_THREADS__=1".to_owned()),
    }
    flags.extend(LIBRARIES.iter().map(|name| format!("-D{name}=1")));
    flags
}

/// Returns the command that preprocesses `input` to standard output.
pub fn command(
    compiler: &Compiler,
    options: &Options,
    include: &Path,
    input: &Path,
    dependencies: &Dependencies,
) -> Tool {
    let mut tool = base(compiler, options)
        .arg(options.flags.optimize_flag())
        .args(options.messages.colors())
        .args(predefined(
            options.target.threads,
            options.target.pointers(),
        ))
        .args(
            options
                .events
                .instrument
                .as_ref()
                .map(|_| "-D__UPC_PUPC_INST__=1"),
        )
        .args((options.product.races != Races::Off).then_some("-D__UPC_RACES__=1"))
        .args(options.flags.cpp.iter().cloned());
    tool = with_headers(tool, include);
    if options.deps.asked && options.product.stop > Stop::Preprocessed {
        if !options.deps.file {
            tool = tool.arg("-MF").path(&dependencies.file);
        }
        if !options.deps.target {
            tool = tool.arg("-MQ").path(&dependencies.target);
        }
    }
    tool.arg("-x").arg("c").path(input)
}

/// Returns the preprocessor with the flags that apply to every stage.
pub fn base(compiler: &Compiler, options: &Options) -> Tool {
    let tool = compiler
        .tool()
        .arg("-E")
        .args(options.flags.all.iter().cloned());
    // `-g3` keeps all macro definitions in the text. The macros would then be applied twice, and the compiler's own be
    // defined twice.
    let macros = |flag: &String| flag.starts_with("-g") && flag.ends_with('3');
    tool.args(options.flags.all.iter().any(macros).then_some("-g2"))
}

/// Adds the runtime's headers to a command: after all of the user's folders, whose headers of the same names take
/// precedence, and before the system's.
pub fn with_headers(mut tool: Tool, include: &Path) -> Tool {
    // The folders of this variable would come after the runtime's headers.
    let folders = std::env::var_os("C_INCLUDE_PATH").unwrap_or_default();
    let folders = std::env::split_paths(&folders).filter(|_| !folders.is_empty());
    for folder in folders {
        let here = folder.as_os_str().is_empty();
        let folder = if here { Path::new(".") } else { &folder };
        tool = tool.arg("-isystem").path(folder);
    }
    tool.arg("-isystem").path(include)
}

/// Runs a command that preprocesses `input`, and returns its output. If the command fails, runs it again with the
/// source's folder searched for `<x.h>`, as Berkeley's compiler did. This is only the second attempt because such a
/// folder precedes the system's, and may contain headers of the same names. A header that is not found is reported as a
/// diagnostic.
///
/// # Errors
/// Those of [`Tool::capture`].
pub fn run(tool: &Tool, input: &Path, options: &Options) -> Result<Vec<u8>, Failure> {
    match attempted(tool, input, options)? {
        Some((tool, output)) => tool.finish(output),
        None => Ok(Vec::new()),
    }
}

/// As [`run`], for a text that is translated: without the warnings of literals that do not end, which the translation
/// reports as errors.
///
/// # Errors
/// Those of [`Tool::capture`].
pub fn text(tool: &Tool, input: &Path, options: &Options) -> Result<String, Failure> {
    let Some((tool, mut output)) = attempted(tool, input, options)? else {
        return Ok(String::new());
    };
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.contains(UNTERMINATED) {
        return tool.finish(output).map(to_text);
    }
    let text = to_text(std::mem::take(&mut output.stdout));
    let rest = without_unterminated(&said, &text);
    output.stderr = rest.into_bytes();
    tool.finish(output).map(|_| text)
}

/// What C compilers say about a literal that does not end on its line.
const UNTERMINATED: &str = "missing terminating ";

/// Leaves out the messages about literals that do not end on lines where the preprocessed text has such literals. In a
/// macro that nothing uses, only the preprocessor sees them.
fn without_unterminated(said: &str, text: &str) -> String {
    let parsed = upcc_grammar::parse(text.to_owned());
    let errors = parsed.errors.iter();
    let errors = errors.filter(|error| error.kind == SyntaxKind::Unterminated);
    let places: Vec<String> = errors
        .map(|error| {
            let at = parsed.source_map.lookup(error.bytes.start);
            format!("{}:{}:", parsed.source_map.file(at.file), at.line)
        })
        .collect();
    let (mut kept, mut skips) = (String::new(), false);
    for line in said.split_inclusive('\n') {
        let plain = without_escapes(line);
        if plain.contains(": warning: ") || plain.contains(": error: ") {
            skips =
                plain.contains(UNTERMINATED) && places.iter().any(|place| plain.starts_with(place));
        } else if plain.trim_end().ends_with(" generated.") {
            // clang counts the messages that are left out, too.
            continue;
        }
        kept += if skips { "" } else { line };
    }
    kept
}

/// Runs a command that preprocesses `input` once or twice. Returns the command and the output of the attempt that
/// counts; `None` if commands are only printed.
fn attempted(
    tool: &Tool,
    input: &Path,
    options: &Options,
) -> Result<Option<(Tool, Output)>, Failure> {
    let Some(first) = tool.attempt(options.messages.show)? else {
        return Ok(None);
    };
    // A pipe can be read only once.
    if !first.status.success() && input.is_file() {
        let folder = input.parent().filter(|folder| *folder != Path::new(""));
        let again = tool
            .clone()
            .arg("-I")
            .path(folder.unwrap_or(Path::new(".")));
        if let Some(second) = again.attempt(Show::Nothing)?
            && second.status.success()
        {
            return Ok(Some((again, second)));
        }
    }
    if !first.status.success() {
        let said = String::from_utf8_lossy(&first.stderr);
        if missing::report(&said, options) {
            return Err(Failure::reported());
        }
    }
    Ok(Some((tool.clone(), first)))
}

/// Converts bytes to text. Bytes that are not UTF-8 can only occur in a literal (a Latin-1 string), where an octal
/// escape means the same.
pub fn to_text(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\{byte:03o}")));
    }
    text
}

/// Reads a file that is already preprocessed; `-` is standard input.
///
/// # Errors
/// An environment failure if it cannot be read.
pub fn read(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map(|_| bytes),
        false => std::fs::read(path),
    };
    let text = to_text(read.map_err(|error| Failure::io("read", path, &error))?);
    if text.starts_with('#') {
        return Ok(text);
    }
    // Text without line markers belongs to the file itself.
    let name = match path == Path::new("-") {
        true => "<stdin>".into(),
        false => path.to_string_lossy(),
    };
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    Ok(format!("# 1 \"{name}\"\n{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_environment_is_announced() {
        let dynamic = predefined(None, Pointers::default()).join(" ");
        assert!(dynamic.contains("__UPC_DYNAMIC_THREADS__=1") && !dynamic.contains("THREADS=4"));
        let fixed = predefined(Some(4), Pointers::Struct).join(" ");
        assert!(fixed.contains("-DTHREADS=4") && !fixed.contains("DYNAMIC"));
    }

    #[test]
    fn other_encodings_keep_their_bytes() {
        assert_eq!(
            to_text(b"char *s = \"caf\xe9\";".to_vec()),
            "char *s = \"caf\\351\";"
        );
        assert_eq!(to_text("é".into()), "é");
    }
}
