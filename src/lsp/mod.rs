//! `upcc lsp`: a language server. It speaks the Language Server Protocol on standard input and output.
//!
//! Data flows one way; each arrow carries one type.
//!
//! ```text
//!  editor
//!     |  didOpen, didChange                      server.rs
//!     v
//!  Document          text and version            document.rs
//!     |  Job: text and flags, to a thread        worker.rs, flags.rs
//!     v
//!  Analysis          preprocessed text, AST,     analysis.rs
//!     |              types, which token names what
//!     |  lookups by file, line and column
//!     v
//!  answers           hover.rs, navigate.rs, complete.rs, rename.rs, diagnose.rs, fixes.rs, explain.rs
//! ```
//!
//! The front end of the compiler makes the analysis: the preprocessor with the flags of `compile_commands.json`, the
//! parser and sema (`driver::unsaved`). Sema records which token names what (`sema::occurrences`), so the server
//! resolves no name itself.
//!
//! One thread analyses, and always the newest text of a document; an older one is dropped between the steps. Requests
//! are answered at once from the last analysis without syntax errors. A [`drift::Drift`] maps places between the text
//! that was analysed and the one in the editor. Only a document that has not been analysed at all, a rename and code actions wait.

mod analysis;
mod capabilities;
mod chain;
mod complete;
mod diagnose;
mod document;
mod drift;
mod explain;
mod fixes;
mod flags;
mod hover;
mod navigate;
mod rename;
mod server;
mod uri;
mod worker;

pub use server::serve;
