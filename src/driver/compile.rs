//! Preprocesses, translates and compiles one source file.

use super::languages::Language;
use super::outputs::{Dependencies, local_name};
use super::runtime::{INCLUDE_IN_OBJECTS, Runtime};
use super::settings::{Options, Stop};
use super::tool::{Show, Tool};
use super::toolchain::Compiler;
use super::{columns, cpp, messages};
use crate::cli::temp_files::Temps;
use crate::cli::{Exit, Failure, streams};
use crate::emit::head::with_folder;
use crate::il::operations::RtOp;
use crate::passes::remarks::json;
use crate::rest;
use crate::translate::{
    Emit, Preprocessed, Races, SHORTEST_RUN, TranslateOptions, Translation, translate_silently,
};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The state that all files of a command line share.
pub struct Session<'a> {
    /// The command line.
    pub options: &'a Options,
    /// The user's C compiler.
    pub compiler: &'a Compiler,
    /// The headers and library of the runtime.
    pub runtime: &'a Runtime,
    /// The folder for intermediate files.
    pub temps: &'a Temps,
}

/// Intermediate text: in memory, or in an existing file.
enum Translated {
    Text(String),
    File(PathBuf),
}

impl Session<'_> {
    /// Runs the stages that the command line asks for on one input. Returns the object to link; `None` if an earlier
    /// stage is the last.
    ///
    /// # Errors
    /// Errors in the source (reported), and failures of tools and files.
    pub fn compile(
        &self,
        input: &Path,
        language: Language,
        index: usize,
    ) -> Result<Option<PathBuf>, Failure> {
        let stop = self.options.product.stop;
        let translated = match language {
            Language::Linkable if stop == Stop::Program => return Ok(Some(input.to_path_buf())),
            Language::Linkable => {
                super::log(&format!(
                    "warning: {} is for the linker, which does not run",
                    input.display()
                ));
                return Ok(None);
            }
            Language::Foreign if stop >= Stop::Object => {
                return self.assemble(input, index).map(Some);
            }
            Language::Foreign if stop == Stop::Preprocessed => {
                return self.preprocess_only(input).map(|()| None);
            }
            Language::Foreign => return Ok(None),
            Language::Upc | Language::PreprocessedUpc if stop == Stop::Preprocessed => {
                return self.preprocess_only(input).map(|()| None);
            }
            Language::Upc | Language::PreprocessedUpc => {
                Translated::Text(self.translation(input, language, index)?)
            }
            Language::TranslatedC => Translated::File(input.to_path_buf()),
        };
        if stop < Stop::Translated {
            return Ok(None);
        }
        match (stop, translated) {
            (Stop::Translated, Translated::Text(text)) => {
                self.write_translation(input, &text).map(|()| None)
            }
            (Stop::Translated, Translated::File(_)) => Ok(None),
            (_, Translated::File(file)) => self.to_object(input, &file, index),
            (_, Translated::Text(text)) => {
                let file = self.intermediate(input, index, "trans.c");
                self.write(&file, &text)?;
                self.to_object(input, &file, index)
            }
        }
    }

    /// Runs the preprocessor for `-E` and `-M`; it writes to the user's output.
    fn preprocess_only(&self, input: &Path) -> Result<(), Failure> {
        let include = self.runtime.include_dir();
        let rule = Dependencies::default();
        let mut tool = cpp::command(self.compiler, self.options, &include, input, &rule);
        if let Some(output) = &self.options.product.output {
            tool = tool.arg("-o").path(output);
        }
        let text = cpp::run(&tool, input, self.options)?;
        write_to_stdout(&text)
    }

    /// Preprocesses and translates.
    fn translation(
        &self,
        input: &Path,
        language: Language,
        index: usize,
    ) -> Result<String, Failure> {
        let own = language == Language::Upc;
        let text = match language {
            _ if own => self.preprocessed(input, index, &[])?,
            _ if self.options.messages.show == Show::Only => String::new(),
            _ => cpp::read(input)?,
        };
        if text.len() >= u32::MAX as usize {
            return Err(Failure {
                exit: Exit::Errors,
                message: format!("{} is larger than 4 GB", input.display()),
            });
        }
        let options = translate_options(self.options);
        self.options
            .messages
            .show
            .step(&format!("translate {}", input.display()));
        if self.options.messages.show == Show::Only {
            return Ok(String::new());
        }
        let name = input.to_string_lossy().into_owned();
        let mut translation = translate_silently(Preprocessed { text, name }, &options);
        // A pipe can be read only once.
        if own && input.is_file() {
            if self.options.product.fix {
                translation = self.fixed(translation, || {
                    let text = self.preprocessed(input, index, &[])?;
                    let name = input.to_string_lossy().into_owned();
                    Ok(translate_silently(Preprocessed { text, name }, &options))
                })?;
            }
            let again = |macros: &[String]| self.preprocessed(input, index, macros);
            translation = self.with_brought_headers(input, translation, &options, again)?;
        }
        let says = options.emit == Emit::C && !translation.remarks.is_empty();
        if self.options.product.record && says {
            self.write_record(input, &json(&translation.remarks))?;
        }
        translation.show(&options);
        if translation.output.is_none() && self.options.product.stop > Stop::Translated {
            self.warn_of_rest(input, &translation, &options)?;
        }
        translation.output.ok_or_else(Failure::reported)
    }

    /// Shows what the C compiler says about the declarations without errors of a unit with errors.
    fn warn_of_rest(
        &self,
        input: &Path,
        failed: &Translation,
        options: &TranslateOptions,
    ) -> Result<(), Failure> {
        let Some(text) = rest::translated(failed, &input.to_string_lossy(), options) else {
            return Ok(());
        };
        let file = self.temps.file("rest.c");
        self.write(&file, &text)?;
        // Some warnings come from passes that `-fsyntax-only` leaves out.
        let tool = self.c_compiler("-S", input, &file)?;
        let tool = tool.arg("-o").path(&self.temps.file("rest.s"));
        let said = tool.run_rewriting(self.options.messages.show, |said, _| {
            messages::of_compiler(&columns::corrected(said, &text), false, input, &file)
        });
        match said {
            // The unit has failed already.
            Err(failure) if failure == Failure::reported() => Ok(()),
            said => said,
        }
    }

    /// Writes what became of loops, beside the object or the translation (`-fsave-optimization-record`).
    fn write_record(&self, input: &Path, text: &str) -> Result<(), Failure> {
        const ENDING: &str = "opt-record.json";
        let product = &self.options.product;
        let named = product
            .output
            .as_ref()
            .filter(|_| product.stop < Stop::Program);
        let file = match named {
            Some(output) => output.with_extension(ENDING),
            None => local_name(input, ENDING),
        };
        self.write(&file, text)
    }

    /// Returns the preprocessed text of a source, with additional macros defined.
    fn preprocessed(
        &self,
        input: &Path,
        index: usize,
        macros: &[String],
    ) -> Result<String, Failure> {
        let include = self.runtime.include_dir();
        let rule = self.dependencies(input)?;
        let tool = cpp::command(self.compiler, self.options, &include, input, &rule);
        let tool = tool.args(macros.iter().cloned());
        let text = cpp::text(&tool, input, self.options)?;
        if self.options.product.keeps_temps() {
            self.write(&self.intermediate(input, index, "i"), &text)?;
        }
        Ok(text)
    }

    /// Writes the translation: `-trans` to `file.trans.c`, `--emit` to standard output, unless `-o` names a file.
    fn write_translation(&self, input: &Path, text: &str) -> Result<(), Failure> {
        let include = self.runtime.include_dir();
        let text = match self.options.product.emit {
            // It is the same wherever the cache is.
            Emit::C => with_folder(text, &include.to_string_lossy(), INCLUDE_IN_OBJECTS),
            Emit::Ast | Emit::Il | Emit::Sections | Emit::Refs | Emit::RefsJson => text.into(),
        };
        let to_stdout = match &self.options.product.output {
            Some(output) => output.as_os_str() == "-",
            None => self.options.product.emit_given || self.options.product.emit != Emit::C,
        };
        if !to_stdout {
            let file = self
                .options
                .product
                .output
                .clone()
                .unwrap_or_else(|| local_name(input, "trans.c"));
            return self.write(&file, &text);
        }
        write_to_stdout(text.as_bytes())
    }

    /// Compiles translated text.
    fn to_object(
        &self,
        input: &Path,
        file: &Path,
        index: usize,
    ) -> Result<Option<PathBuf>, Failure> {
        let options = self.options;
        let assembly = options.product.stop == Stop::Assembly;
        let output = if assembly {
            options
                .product
                .output
                .clone()
                .unwrap_or_else(|| local_name(input, "s"))
        } else {
            self.object_name(input, index)
        };
        let step = if assembly { "-S" } else { "-c" };
        let tool = self.c_compiler(step, input, file)?;
        self.with_files_beside(input, &output, &tool, |tool| {
            tool.run_rewriting(options.messages.show, |text, failed| {
                let text = match std::fs::read_to_string(file) {
                    Ok(translated) if file != input => columns::corrected(text, &translated),
                    // Users can open the headers that the text names (`write_translation`).
                    _ => text.replace(
                        &format!("{INCLUDE_IN_OBJECTS}/"),
                        &format!("{}/", self.runtime.include_dir().display()),
                    ),
                };
                messages::of_compiler(&text, failed, input, file)
            })
        })?;
        if options.messages.show != Show::Only && !output.exists() {
            return Err(Failure::environment(format!(
                "the C compiler did not create {}; UPCC_CC names the C compiler to use",
                output.display()
            )));
        }
        Ok((options.product.stop == Stop::Program).then_some(output))
    }

    /// The flags that keep gcc from making one call of equal calls in the branches of a condition: reports of races name
    /// the line of a call.
    fn separate_calls(&self) -> Result<&'static [&'static str], Failure> {
        let races = self.options.product.races != Races::Off;
        if !races || !self.compiler.is_gcc()? {
            return Ok(&[]);
        }
        Ok(&["-fno-crossjumping", "-fno-tree-tail-merge"])
    }

    /// The flags that let gcc select the address of an element's block without a jump. At `-O3` it would copy the rest
    /// of a loop's body for each block instead, and random elements would mispredict the jump.
    fn selects_of_blocks(&self, file: &Path) -> Result<&'static [&'static str], Failure> {
        if !self.compiler.is_gcc()? {
            return Ok(&[]);
        }
        // A file that cannot be read has no translation yet (`-###`), or the C compiler reports it.
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let selects = [RtOp::AtBlock, RtOp::AtLinear]
            .iter()
            .any(|op| text.contains(&*op.row().spelling));
        Ok(if selects { &["-fno-split-paths"] } else { &[] })
    }

    /// The command that compiles the translation `file` of `input`, without its output. The user's macros and header
    /// folders are left out: they have been applied already.
    fn c_compiler(&self, step: &str, input: &Path, file: &Path) -> Result<Tool, Failure> {
        let options = self.options;
        let mut tool = self
            .compiler
            .tool()
            .arg(step)
            // This was the C compilers' default when UPC was designed: headers of UPC programs define private variables
            // tentatively, as they do shared ones.
            .arg("-fcommon")
            .arg(options.flags.optimize_flag())
            .args(options.flags.line_tables())
            .args(self.selects_of_blocks(file)?.iter().copied());
        tool = tool
            .args(self.lengths_of_formats()?.iter().copied())
            .args(options.flags.all.iter().cloned())
            // Sema has warned of these at the user's own spelling. Newer C compilers reject them by default.
            .args(options.messages.warnings.silenced_in_c())
            .args(options.flags.cc.iter().cloned())
            .args(options.product.races.compiler_flags().iter().copied())
            .args(self.separate_calls()?.iter().copied())
            .arg("-isystem")
            .path(&self.runtime.include_dir())
            .arg(prefix_map(&self.runtime.include_dir(), INCLUDE_IN_OBJECTS));
        if file != input {
            // Debug information and linker messages name the source, and no object contains the name of a temporary
            // file.
            tool = tool.arg(prefix_map(file, &input.display().to_string()));
        }
        Ok(tool
            .args(options.messages.colors())
            .arg("-x")
            .arg("c")
            .path(file))
    }

    /// The options for gcc's warnings about strings that formats make longer than their place. They are part of the
    /// warning about formats, which is ours.
    fn lengths_of_formats(&self) -> Result<&'static [&'static str], Failure> {
        let options = self.options;
        let all = options.flags.all.iter().any(|flag| flag == "-Wall");
        if !options.messages.warnings.wants_lengths_of_formats(all) || !self.compiler.is_gcc()? {
            return Ok(&[]);
        }
        Ok(&["-Wformat-overflow=1", "-Wformat-truncation=1"])
    }

    /// Passes a file that is not UPC to the C compiler.
    fn assemble(&self, input: &Path, index: usize) -> Result<PathBuf, Failure> {
        let output = self.object_name(input, index);
        let options = self.options;
        let mut tool = self
            .compiler
            .tool()
            .arg("-c")
            .arg(options.flags.optimize_flag())
            .args(options.flags.all.iter().cloned())
            .args(options.flags.cpp.iter().cloned())
            .args(options.flags.cc.iter().cloned());
        if Language::of_file(&input.to_string_lossy()) != Some(Language::Foreign) {
            tool = tool.args(["-x", "assembler-with-cpp"]);
        }
        // Provides <bupc_extern.h>. The folder is searched last because its other headers are UPC.
        tool = tool.arg("-idirafter").path(&self.runtime.include_dir());
        let tool = tool.args(options.messages.colors()).path(input);
        self.with_files_beside(input, &output, &tool, |tool| {
            tool.run(options.messages.show)
        })?;
        Ok(output)
    }
}

/// Returns what the command line asks of a translation.
pub fn translate_options(options: &Options) -> TranslateOptions {
    TranslateOptions {
        static_threads: options.target.threads,
        pointers: options.target.pointers(),
        reach: options.target.reach(),
        emit: options.product.emit,
        no_verbatim: options.product.no_verbatim,
        checks: options.checks(),
        races: options.product.races,
        fences: !options.product.all_fences,
        locality: !options.product.no_locality,
        unroll: !options.product.no_unroll,
        strips: !options.product.no_strips,
        gathers: !options.product.no_gathers,
        scatters: !options.product.no_scatters,
        updates: !options.product.no_updates,
        linear: !options.product.no_linear,
        runs: options.product.runs.unwrap_or(SHORTEST_RUN),
        lines: !options.product.no_lines,
        instrument: options.events.instrument.clone(),
        debug: options.flags.is_debug(),
        far_data: options.flags.far_data(),
        ms_members: options.flags.ms_members(),
        abi: options.flags.abi(),
        remarks: options.messages.remarks,
        warnings: options.messages.warnings.clone(),
        renderer: options.messages.renderer,
    }
}

/// Returns the flag that replaces a path in debug information.
fn prefix_map(path: &Path, shown: &str) -> String {
    format!("-fdebug-prefix-map={}={shown}", path.display())
}

fn write_to_stdout(text: &[u8]) -> Result<(), Failure> {
    if !text.is_empty() && streams::is_output_closed() {
        return Err(Failure::environment(
            "cannot write standard output: it is closed",
        ));
    }
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        // A reader that closes the pipe early, such as `head`, is not a failure.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::io("write", Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}
