//! The languages of input files, by their endings and by `-x`.

use crate::cli::Failure;

/// The contents of an input file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// UPC, which includes C.
    Upc,
    /// Preprocessed UPC.
    PreprocessedUpc,
    /// C that `upcc` has generated.
    TranslatedC,
    /// Assembler, C++, Fortran: passed to the C compiler.
    Foreign,
    /// Objects, archives, linker scripts.
    Linkable,
}

/// File name endings and their language; the longest that fits wins.
const ENDINGS: &[(&str, Language)] = &[
    (".trans.c", Language::TranslatedC),
    (".upc", Language::Upc),
    (".c", Language::Upc),
    (".i", Language::PreprocessedUpc),
    (".upci", Language::PreprocessedUpc),
    (".uph", Language::Upc),
    (".s", Language::Foreign),
    (".S", Language::Foreign),
    (".sx", Language::Foreign),
    (".cc", Language::Foreign),
    (".cp", Language::Foreign),
    (".cxx", Language::Foreign),
    (".cpp", Language::Foreign),
    (".c++", Language::Foreign),
    (".C", Language::Foreign),
    (".f", Language::Foreign),
    (".F", Language::Foreign),
    (".f90", Language::Foreign),
    (".F90", Language::Foreign),
    (".o", Language::Linkable),
    (".a", Language::Linkable),
    (".so", Language::Linkable),
    (".lo", Language::Linkable),
    (".obj", Language::Linkable),
];

/// The names that `-x` accepts; `none` restores the language of the ending.
const LANGUAGES: &[(&str, Option<Language>)] = &[
    ("upc", Some(Language::Upc)),
    ("c", Some(Language::Upc)),
    ("upc-header", Some(Language::Upc)),
    ("c-header", Some(Language::Upc)),
    ("upc-cpp-output", Some(Language::PreprocessedUpc)),
    ("cpp-output", Some(Language::PreprocessedUpc)),
    ("trans-c", Some(Language::TranslatedC)),
    ("assembler", Some(Language::Foreign)),
    ("assembler-with-cpp", Some(Language::Foreign)),
    ("none", None),
];

impl Language {
    /// Returns the language by the ending; `None` if the ending is unknown.
    pub fn of_file(name: &str) -> Option<Language> {
        let shared_version = name.contains(".so.").then_some(Language::Linkable);
        ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending))
            .map(|&(_, language)| language)
            .or(shared_version)
    }
}

/// Returns the language that `-x` names; `None` for `none`.
pub fn language_named(name: &str) -> Result<Option<Language>, Failure> {
    LANGUAGES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, language)| *language)
        .ok_or_else(|| {
            let known: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
            Failure::usage(format!(
                "`-x {name}`: unknown language; known: {}",
                known.join(", ")
            ))
        })
}
