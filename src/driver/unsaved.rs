//! Analyses text that an editor has not saved, with the flags by which its file is compiled: preprocessor, parser and
//! sema, without a translation.
//!
//! The text goes to the preprocessor through a file in a folder of its own, so that `#include "x.h"` does not find
//! headers beside it by accident. A `#line` names the real file, and `-iquote` adds its folder.
//!
//! After an analysis, the preprocessor for the next text is started ahead: it waits for the text at `/dev/stdin`, beside
//! which there are no headers either. A tenth of the time from a change to its diagnostics is the start of a C compiler.

use super::config::{Defaults, Environment};
use super::outputs::Dependencies;
use super::overlay::{Overlay, Unsaved};
use super::runtime::Runtime;
use super::settings::Options;
use super::tool::{Begun, Show, Tool};
use super::toolchain::Compiler;
use super::{brought, compile, cpp, mpi};
use crate::cli::Failure;
use crate::cli::temp_files::Temps;
use crate::diag::Diagnostics;
use crate::translate::{Analysed, TranslateOptions, analyse};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use upcc_grammar::Parsed;

/// How a file is compiled.
pub struct Unit {
    options: Options,
    compiler: Compiler,
    runtime: Arc<Runtime>,
    folder: PathBuf,
    file: PathBuf,
    /// The preprocessor that waits for the next text.
    ahead: Option<Begun>,
    /// The command of the next one.
    next: Option<Tool>,
}

/// The file name by which a preprocessor that was started ahead reads its text.
const STANDARD_INPUT: &str = "/dev/stdin";

/// The runtime, whose headers all units use. It is looked for once, while the editor and the server still introduce
/// themselves: to check its files takes as long as to parse 1,000 lines.
pub struct Shared {
    search: Option<JoinHandle<Result<Runtime, Failure>>>,
    found: Option<Arc<Runtime>>,
}

impl Shared {
    /// Begins to look for the runtime.
    pub fn begin() -> Shared {
        Shared {
            search: Some(std::thread::spawn(Runtime::locate)),
            found: None,
        }
    }

    /// Returns the runtime. Looks for it again if that failed before, or if its files have gone.
    ///
    /// # Errors
    /// Those of [`Runtime::locate`].
    pub fn runtime(&mut self) -> Result<Arc<Runtime>, Failure> {
        if let Some(search) = self.search.take() {
            let found = search.join().ok().and_then(Result::ok);
            self.found = found.map(Arc::new);
        }
        if let Some(found) = self.found.as_ref().filter(|found| found.is_there()) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(Runtime::locate()?);
        self.found = Some(Arc::clone(&found));
        Ok(found)
    }
}

impl Drop for Shared {
    /// Waits for the search, which may be unpacking files.
    fn drop(&mut self) {
        if let Some(search) = self.search.take() {
            // Nobody needs the result, or the message of a panic, which has been printed.
            let _ = search.join();
        }
    }
}

/// A message of the C preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CppMessage {
    /// The file, as the preprocessor names it.
    pub file: String,
    /// Line and column in bytes, from 1.
    pub line: u32,
    pub column: u32,
    /// False: a warning.
    pub error: bool,
    pub text: String,
    /// The line of the unit's own file that includes `file`, if another includes it.
    pub included: Option<u32>,
}

/// What became of an analysis.
pub enum Outcome {
    Analysed(Box<Understood>),
    /// The preprocessor failed.
    NotPreprocessed(Vec<CppMessage>),
    /// The text is no longer of interest.
    Stale,
}

/// An analysed unit.
pub struct Understood {
    pub unit: Analysed,
    /// Warnings of the preprocessor.
    pub messages: Vec<CppMessage>,
    /// Warnings about headers that the unit should include, in spans of another preprocessed text.
    pub brought: Option<(Diagnostics, Parsed)>,
}

/// Options of the preprocessor that write dependencies, with their value in the next word.
const DEPENDENCIES_WITH_VALUE: &[&str] = &["-MF", "-MT", "-MQ", "-MJ"];

impl Unit {
    /// Returns how `file` is compiled by a command with `flags` that runs in `folder`. The flags may name inputs and
    /// outputs, which have no meaning here.
    ///
    /// # Errors
    /// A usage failure for flags that `upcc` refuses, an environment failure if there is no C compiler.
    pub fn new(
        file: &Path,
        folder: &Path,
        flags: &[String],
        runtime: Arc<Runtime>,
    ) -> Result<Unit, Failure> {
        let mut args = front_end_flags(flags, folder, file);
        args.extend(["-x".to_owned(), "upc".to_owned()]);
        args.push(file.to_string_lossy().into_owned());
        let defaults = Defaults::find(&args, &Environment::read())?;
        let mut options = Options::parse(defaults.words.into_iter().chain(args))?;
        mpi::stand_in(&mut options);
        if options.target.uses_mpi {
            let flags = mpi::flags(&options)?;
            options.flags.cpp.extend(flags.compile);
        }
        let compiler = Compiler::from_env()?;
        options.flags.machine = compiler.machine(&options.flags.all)?;
        Ok(Unit {
            options,
            compiler,
            runtime,
            folder: folder.to_path_buf(),
            file: file.to_path_buf(),
            ahead: None,
            next: None,
        })
    }

    /// Starts the preprocessor for the next text. That it cannot be started is reported when the text arrives.
    pub fn start_ahead(&mut self) {
        if let Some(next) = self.next.take() {
            self.ahead = next.begin().ok();
        }
    }

    /// Ends the preprocessor that waits for the next text.
    pub fn end_ahead(&mut self) {
        self.ahead = None;
    }

    /// Returns the folder in which the unit is compiled: relative names of its headers start there.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Analyses `text` as the contents of the file, and `unsaved` as those of headers. `stale` is asked between the steps
    /// whether to go on.
    ///
    /// # Errors
    /// The preprocessor cannot be started, or the text cannot be written to `temps`.
    pub fn analyse(
        &mut self,
        text: &str,
        unsaved: &Unsaved,
        temps: &Temps,
        stale: &dyn Fn() -> bool,
    ) -> Result<Outcome, Failure> {
        let beside = self.beside().to_string_lossy();
        let flags = self.options.flags.cpp.iter();
        let given = flags.filter_map(|flag| flag.strip_prefix("-I"));
        let roots = std::iter::once(&*beside).chain(given);
        let overlay = Overlay::new(roots, &self.folder, unsaved, temps)?;
        let (preprocessed, messages) = match self.preprocess(text, &overlay, temps, &[])? {
            (Some(preprocessed), messages) => (preprocessed, messages),
            (None, messages) => return Ok(Outcome::NotPreprocessed(messages)),
        };
        if stale() {
            return Ok(Outcome::Stale);
        }
        let options = compile::translate_options(&self.options);
        let unit = analyse(preprocessed, &options);
        if stale() {
            return Ok(Outcome::Stale);
        }
        let (unit, brought) = self.with_brought(unit, text, (&overlay, temps), &options)?;
        Ok(Outcome::Analysed(Box::new(Understood {
            unit,
            messages,
            brought,
        })))
    }

    /// The folder of the file.
    fn beside(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    /// Preprocesses the text. `None`: the preprocessor failed, and its messages say why.
    fn preprocess(
        &mut self,
        text: &str,
        overlay: &Overlay,
        temps: &Temps,
        macros: &[String],
    ) -> Result<(Option<String>, Vec<CppMessage>), Failure> {
        let written = temps.file("text.upc");
        let name = self.file.to_string_lossy().into_owned();
        let quoted_name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let text = format!("#line 1 \"{quoted_name}\"\n{text}");
        let from_file = |tool: &Tool| {
            fs::write(&written, &text).map_err(|error| Failure::io("write", &written, &error))?;
            tool.attempt(Show::Nothing)
        };
        let tool = self.preprocessor(&written, overlay, macros);
        let piped = self.preprocessor(Path::new(STANDARD_INPUT), overlay, macros);
        let mut output = match self.ahead.take_if(|begun| begun.is(&piped)) {
            Some(begun) => Some(begun.feed(text.as_bytes())?),
            None => from_file(&tool)?,
        };
        if macros.is_empty() {
            self.next = Some(piped);
        }
        // As `cpp::run` does for `<x.h>` in the source's folder.
        if output.as_ref().is_some_and(|out| !out.status.success()) {
            let second = from_file(&tool.clone().arg("-I").path(self.beside()))?;
            if second.as_ref().is_some_and(|out| out.status.success()) {
                output = second;
            }
        }
        let Some(output) = output else {
            return Ok((Some(String::new()), Vec::new()));
        };
        let said = overlay.restored(String::from_utf8_lossy(&output.stderr).into_owned());
        let messages = messages(&said, &name);
        if output.status.success() {
            let text = overlay.restored(cpp::to_text(output.stdout));
            let text = without_temporary(text, &written.to_string_lossy(), &quoted_name);
            let text = without_temporary(text, STANDARD_INPUT, &quoted_name);
            return Ok((Some(text), messages));
        }
        if messages.is_empty() {
            // It printed no message with a place.
            tool.finish(output)?;
        }
        Ok((None, messages))
    }

    /// The command that preprocesses a text with the unsaved headers of an overlay.
    fn preprocessor(&self, input: &Path, overlay: &Overlay, macros: &[String]) -> Tool {
        let include = self.runtime.include_dir();
        let rule = Dependencies::default();
        let beside = self.beside();
        let quoted = overlay.of(&beside.to_string_lossy()).map(Path::new);
        let in_overlay = |word: String| {
            let root = word.strip_prefix("-I");
            let place = root.and_then(|root| overlay.of(root));
            place.map_or(word.clone(), |place| format!("-I{place}"))
        };
        let tool = cpp::command(&self.compiler, &self.options, &include, input, &rule)
            .map(in_overlay)
            .args(macros.iter().cloned())
            .arg("-fno-diagnostics-color");
        quoted
            .into_iter()
            .chain([beside])
            .fold(tool, |tool, folder| tool.arg("-iquote").path(folder))
            .without_input()
            .in_folder(&self.folder)
    }

    /// As [`compile::Session::with_brought_headers`].
    fn with_brought(
        &mut self,
        first: Analysed,
        text: &str,
        (overlay, temps): (&Overlay, &Temps),
        options: &TranslateOptions,
    ) -> Result<(Analysed, Option<(Diagnostics, Parsed)>), Failure> {
        let missing = brought::missing(&first.diags, &first.parsed);
        let ours = self.runtime.include_dir().join("upc.h");
        if missing.is_empty() || !brought::includes(&first.parsed, &ours) {
            return Ok((first, None));
        }
        let switches = brought::switches(&missing);
        let (Some(text), _) = self.preprocess(text, overlay, temps, &switches)? else {
            return Ok((first, None));
        };
        let second = analyse(text, options);
        let (before, after) = (first.diags.error_count(), second.diags.error_count());
        if after > before || (after == before && before > 0) {
            return Ok((first, None));
        }
        let report = brought::report(&missing, options.warnings.clone(), &first.parsed);
        Ok((second, Some((report, first.parsed))))
    }
}

/// Gives the line markers in front of a text the name of its file in place of that of the preprocessor's input, which
/// soon has the text of another document.
fn without_temporary(mut text: String, temporary: &str, quoted_name: &str) -> String {
    let end = text.find(&format!("# 1 \"{quoted_name}\"")).unwrap_or(0);
    let head = text[..end].replace(&format!("\"{temporary}\""), &format!("\"{quoted_name}\""));
    text.replace_range(..end, &head);
    text
}

/// Returns the flags that matter before the passes: without inputs, outputs and dependencies.
fn front_end_flags(flags: &[String], folder: &Path, file: &Path) -> Vec<String> {
    let mut kept = Vec::with_capacity(flags.len());
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        if word == "-o" || DEPENDENCIES_WITH_VALUE.contains(&word.as_str()) {
            words.next();
            continue;
        }
        let itself = !word.starts_with('-') && folder.join(word) == file;
        if itself || word.starts_with("-M") || word.starts_with("-o") || word == "-c" {
            continue;
        }
        kept.push(word.clone());
    }
    kept
}

/// Reads the messages of a C compiler. `own` is the unit's own file.
fn messages(text: &str, own: &str) -> Vec<CppMessage> {
    let mut found = Vec::new();
    let mut included = None;
    for line in text.lines() {
        let from = line.trim_start().strip_prefix("In file included from ");
        if let Some(place) = from.or_else(|| line.trim_start().strip_prefix("from ")) {
            let number = place
                .strip_prefix(own)
                .and_then(|rest| rest.strip_prefix(':'))
                .map(|rest| rest.trim_end_matches([',', ':']));
            let number = number.and_then(|rest| rest.split(':').next()?.parse().ok());
            included = number.or(included);
            continue;
        }
        let kinds = [
            (": fatal error: ", true),
            (": error: ", true),
            (": warning: ", false),
        ];
        let hit = kinds
            .iter()
            .find_map(|&(kind, error)| Some((line.split_once(kind)?, error)));
        let Some(((place, text), error)) = hit else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (column, row, file) = (parts.next(), parts.next(), parts.next());
        let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
        let (Some(column), Some(row), Some(file)) = (number(column), number(row), file) else {
            continue;
        };
        found.push(CppMessage {
            file: file.to_owned(),
            line: row,
            column,
            error,
            text: text.to_owned(),
            included: included.take().filter(|_| file != own),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_compilers() {
        let text = "In file included from /p/b.h:2,\n                 from /p/a.upc:7:\n/p/c.h:1:10: fatal error: x.h: No such file\n    1 | #include <x.h>\ncompilation terminated.\n/p/a.upc:3:2: warning: #warning w\n";
        let found = messages(text, "/p/a.upc");
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].file.as_str(), found[0].line), ("/p/c.h", 1));
        assert_eq!((found[0].included, found[0].error), (Some(7), true));
        assert_eq!(found[0].text, "x.h: No such file");
        assert_eq!((found[1].line, found[1].column), (3, 2));
        assert_eq!((found[1].included, found[1].error), (None, false));
    }

    #[test]
    fn flags_without_files() {
        let flags = "-c -O2 -o a.o -MD -MF a.d -T=4 src/a.upc -DX".split(' ');
        let flags: Vec<String> = flags.map(str::to_owned).collect();
        let kept = front_end_flags(&flags, Path::new("/p"), Path::new("/p/src/a.upc"));
        assert_eq!(kept, ["-O2", "-T=4", "-DX"]);
    }
}
