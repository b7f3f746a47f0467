//! `--explain-decl`: explains a declaration from the command line in words and with a picture.

use super::compile::Session;
use super::cpp;
use super::languages::Language;
use crate::cli::{Exit, Failure};
use crate::explain::{self, Charset, SOURCE_NAME, Style};
use crate::translate::TranslateOptions;
use std::fs;

/// The width of a picture in columns.
const WIDTH: usize = 80;

impl Session<'_> {
    /// Explains the declarations given on the command line. They may use declarations of the input files.
    ///
    /// # Errors
    /// Errors in the declarations, reported; failures of the preprocessor.
    pub fn explain(&self, arguments: &[String]) -> Result<Exit, Failure> {
        let mut failed = false;
        for (at, argument) in arguments.iter().enumerate() {
            if at > 0 {
                super::print("\n");
            }
            failed |= !self.explain_one(argument)?;
        }
        if failed {
            Err(Failure::reported())
        } else {
            Ok(Exit::Success)
        }
    }

    /// Returns true if the declaration is explained, false if it has errors, which have been reported.
    fn explain_one(&self, argument: &str) -> Result<bool, Failure> {
        let text = self.declaration_text(argument)?;
        let options = TranslateOptions {
            static_threads: self.options.target.threads,
            pointers: self.options.target.pointers(),
            warnings: self.options.messages.warnings.clone(),
            renderer: self.options.messages.renderer,
            ..TranslateOptions::default()
        };
        let style = Style {
            charset: Charset::of_locale(|name| std::env::var(name).ok()),
            width: WIDTH,
        };
        let explanation = explain::explain(&text, &options, style);
        if !explanation.diags.items().is_empty() {
            let parsed = &explanation.parsed;
            let renderer = &self.options.messages.renderer;
            renderer.print(&explanation.diags, &parsed.source_map, &parsed.stream.text);
        }
        match explanation.text {
            Some(text) => {
                super::print(&text);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Returns the declaration after the text of the user's files, preprocessed with the user's macros. THREADS stays
    /// as written.
    fn declaration_text(&self, argument: &str) -> Result<String, Failure> {
        let file = self.temps.file("declaration.upc");
        fs::write(&file, explain::completed(argument))
            .map_err(|error| Failure::io("write", &file, &error))?;
        let mut tool = cpp::base(self.compiler, self.options)
            .args(cpp::predefined(None, self.options.target.pointers()))
            .args(self.options.flags.cpp.iter().cloned());
        tool = cpp::with_headers(tool, &self.runtime.include_dir());
        for (input, language) in self.options.inputs() {
            match language {
                Language::Upc | Language::PreprocessedUpc => {
                    let whole = fs::canonicalize(input)
                        .map_err(|error| Failure::io("read", input, &error))?;
                    tool = tool.arg("-include").path(&whole);
                }
                Language::TranslatedC | Language::Foreign | Language::Linkable => {
                    return Err(Failure::usage(format!(
                        "{} is not a UPC source: `--explain-decl` reads declarations from sources and headers",
                        input.display()
                    )));
                }
            }
        }
        let tool = tool.arg("-x").arg("c").path(&file);
        let text = cpp::to_text(tool.capture(self.options.messages.show)?);
        Ok(text.replace(
            &format!("\"{}\"", file.display()),
            &format!("\"{SOURCE_NAME}\""),
        ))
    }
}
