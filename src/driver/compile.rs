//! One source file: preprocess, translate, compile.

use super::exit::{Exit, Failure};
use super::options::{Language, Options, Stop};
use super::outputs::{Dependencies, local_name};
use super::runtime::Runtime;
use super::temp_files::Temps;
use super::tool::Show;
use super::toolchain::Compiler;
use super::{columns, cpp, messages};
use crate::diag::silenced_in_c;
use crate::translate::{Emit, Preprocessed, TranslateOptions, translate_silently};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What all files of a command line share.
pub struct Session<'a> {
    /// The command line.
    pub options: &'a Options,
    /// The user's C compiler.
    pub compiler: &'a Compiler,
    /// Our headers and library.
    pub runtime: &'a Runtime,
    /// Where intermediate files go.
    pub temps: &'a Temps,
}

/// Intermediate text: in memory, or a file that is there already.
enum Translated {
    Text(String),
    File(PathBuf),
}

impl Session<'_> {
    /// Takes one input as far as the command line says. The result is the object to link; `None` if the stages end before.
    ///
    /// # Errors
    /// Errors in the source (reported) and whatever tools and files have in store.
    pub fn compile(
        &self,
        input: &Path,
        language: Language,
        index: usize,
    ) -> Result<Option<PathBuf>, Failure> {
        let stop = self.options.stop;
        let translated = match language {
            Language::Linkable if stop == Stop::Program => return Ok(Some(input.to_path_buf())),
            Language::Linkable => {
                super::say(&format!(
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

    /// `-E`, `-M`: the preprocessor writes where the user says.
    fn preprocess_only(&self, input: &Path) -> Result<(), Failure> {
        let include = self.runtime.include_dir();
        let rule = Dependencies::default();
        let mut tool = cpp::command(self.compiler, self.options, &include, input, &rule);
        if let Some(output) = &self.options.output {
            tool = tool.arg("-o").path(output);
        }
        let text = cpp::run(&tool, input, self.options.show)?;
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
            _ if self.options.show == Show::Only => String::new(),
            _ => cpp::read(input)?,
        };
        if text.len() >= u32::MAX as usize {
            return Err(Failure {
                exit: Exit::Errors,
                message: format!("{} is larger than 4 GB", input.display()),
            });
        }
        let options = TranslateOptions {
            static_threads: self.options.threads,
            pointers: self.options.pointers(),
            reach: self.options.reach(),
            emit: self.options.emit,
            print_plain: self.options.print_plain,
            checks: self.options.checks(),
            lines: !self.options.no_lines,
            instrument: self.options.instrument.clone(),
            debug: self.options.is_debug(),
            far_data: self.options.far_data(),
            ms_members: self.options.ms_members(),
            abi: self.options.abi(),
            warnings: self.options.warnings.clone(),
            renderer: self.options.renderer,
        };
        self.options
            .show
            .step(&format!("translate {}", input.display()));
        if self.options.show == Show::Only {
            return Ok(String::new());
        }
        let name = input.to_string_lossy().into_owned();
        let mut translation = translate_silently(Preprocessed { text, name }, &options);
        // A pipe can be read once.
        if own && input.is_file() {
            let again = |macros: &[String]| self.preprocessed(input, index, macros);
            translation = self.with_brought_headers(input, translation, &options, again)?;
        }
        translation.shown(&options).ok_or_else(Failure::reported)
    }

    /// The text of a source behind the preprocessor, which gets further macros.
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
        let text = cpp::to_text(cpp::run(&tool, input, self.options.show)?);
        if self.options.keeps_temps() {
            self.write(&self.intermediate(input, index, "i"), &text)?;
        }
        Ok(text)
    }

    /// `-trans` writes `file.trans.c`, `--emit` standard output, unless `-o` names a file.
    fn write_translation(&self, input: &Path, text: &str) -> Result<(), Failure> {
        let to_stdout = match &self.options.output {
            Some(output) => output.as_os_str() == "-",
            None => self.options.emit_given || self.options.emit != Emit::C,
        };
        if !to_stdout {
            let file = self
                .options
                .output
                .clone()
                .unwrap_or_else(|| local_name(input, "trans.c"));
            return self.write(&file, text);
        }
        write_to_stdout(text.as_bytes())
    }

    /// Compiles translated text. The user's macros and header folders have done their work and must not come in again.
    fn to_object(
        &self,
        input: &Path,
        file: &Path,
        index: usize,
    ) -> Result<Option<PathBuf>, Failure> {
        let options = self.options;
        let assembly = options.stop == Stop::Assembly;
        let output = if assembly {
            options
                .output
                .clone()
                .unwrap_or_else(|| local_name(input, "s"))
        } else {
            self.object_name(input, index)
        };
        let mut tool = self
            .compiler
            .tool()
            .arg(if assembly { "-S" } else { "-c" })
            // UPC's time had it as the default: headers of UPC programs define private variables tentatively, as they do shared ones.
            .arg("-fcommon")
            // Sema has warned of these, at the user's own spelling; newer C compilers refuse them outright.
            .args(silenced_in_c())
            .arg(options.optimize_flag())
            .args(options.line_tables());
        tool = tool
            .args(options.all.iter().cloned())
            .args(options.cc.iter().cloned())
            .args(self.gdb_define())
            .arg("-isystem")
            .path(&self.runtime.include_dir());
        if file != input {
            // Debug information and linkers speak of the source, and no name of a temporary file gets into an object.
            let map = format!("-fdebug-prefix-map={}={}", file.display(), input.display());
            tool = tool.arg(map);
        }
        let tool = tool.args(options.colors()).arg("-x").arg("c").path(file);
        self.with_files_beside(input, &output, &tool, |tool| {
            tool.run_reported_again(options.show, |text, failed| {
                let text = match std::fs::read_to_string(file) {
                    Ok(translated) if file != input => columns::mended(text, &translated),
                    _ => text.to_owned(),
                };
                messages::of_compiler(&text, failed, input, file)
            })
        })?;
        if options.show != Show::Only && !output.exists() {
            return Err(Failure::environment(format!(
                "the C compiler has not made {}; UPCC_CC names the one to use",
                output.display()
            )));
        }
        Ok((options.stop == Stop::Program).then_some(output))
    }

    /// Where gdb finds its part: programs to be debugged name the file. A path that would need escapes in assembler is left out.
    fn gdb_define(&self) -> Option<String> {
        let script = self
            .runtime
            .gdb_script()
            .filter(|_| self.options.is_debug())?;
        let script = script.to_str()?;
        let plain = !script.contains(['"', '\\', '\n']);
        plain.then(|| format!("-DUPCR_GDB_SCRIPT=\"{script}\""))
    }

    /// Leaves a file that is not UPC to the C compiler.
    fn assemble(&self, input: &Path, index: usize) -> Result<PathBuf, Failure> {
        let output = self.object_name(input, index);
        let options = self.options;
        let mut tool = self
            .compiler
            .tool()
            .arg("-c")
            .arg(options.optimize_flag())
            .args(options.all.iter().cloned())
            .args(options.cpp.iter().cloned())
            .args(options.cc.iter().cloned());
        if Language::of_file(&input.to_string_lossy()) != Some(Language::Foreign) {
            tool = tool.args(["-x", "assembler-with-cpp"]);
        }
        // For <bupc_extern.h>; behind all other folders, as its neighbours are UPC.
        tool = tool.arg("-idirafter").path(&self.runtime.include_dir());
        let tool = tool.args(options.colors()).path(input);
        self.with_files_beside(input, &output, &tool, |tool| tool.run(options.show))?;
        Ok(output)
    }
}

fn write_to_stdout(text: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        // A reader that has seen enough, as `head`, is no failure.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::io("write", Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}
