//! The conversation with the editor: open documents, and which of its requests have to wait.

mod answers;

use super::analysis::Analysis;
use super::capabilities::capabilities;
use super::diagnose::Found;
use super::document::Document;
use super::flags::{Flags, clean};
use super::uri;
use super::worker::{Done, Worker};
use crate::cli::temp_files::Temps;
use crate::cli::{Exit, Failure};
use crate::driver::unsaved::Shared;
use crossbeam_channel::select;
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response,
};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, LogMessageParams, MessageType, PublishDiagnosticsParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Serves one editor on standard input and output until it says `exit`.
///
/// # Errors
/// The editor ends the conversation in another way, or sends what is not the protocol.
pub fn serve(arguments: &[String]) -> Result<Exit, Failure> {
    // Editors that could also use sockets say so.
    if let Some(other) = arguments.iter().find(|word| *word != "--stdio") {
        return Err(Failure::usage(format!(
            "`upcc lsp` does not take `{other}`: it speaks on standard input and output, and takes flags from compile_commands.json or the editor's settings"
        )));
    }
    let shared = Shared::begin();
    let temps = Temps::new(None)?;
    let (connection, threads) = Connection::stdio();
    let ended = Server::open(connection, shared, temps).and_then(Server::run);
    if let Err(End::Refused(why)) = ended {
        // The thread that reads still waits for the editor.
        return Err(broken(&why));
    }
    // The reader has ended, the writer ends with the connection.
    match (threads.join(), ended) {
        // What the reader has read is not the protocol.
        (Err(error), _) => Err(broken(&error.to_string())),
        (Ok(()), Ok(exit)) => Ok(exit),
        (Ok(()), Err(End::Silent | End::Refused(_))) => {
            Err(broken("standard input has ended without `exit`"))
        }
    }
}

/// How a conversation ends that does not end with `exit`.
enum End {
    /// Nothing more can be read.
    Silent,
    /// The editor does not keep to the protocol.
    Refused(String),
}

impl From<ProtocolError> for End {
    fn from(error: ProtocolError) -> End {
        match error.channel_is_disconnected() {
            true => End::Silent,
            false => End::Refused(error.to_string()),
        }
    }
}

fn broken(why: &str) -> Failure {
    Failure::environment(format!(
        "the conversation with the editor has ended: {why}; editors start `upcc lsp`, see docs/editors.md"
    ))
}

/// The answer to a request.
type Answer = Result<Value, (ErrorCode, String)>;

/// An open document and what is known about it.
struct Open {
    document: Document,
    uri: Uri,
    /// The last analysis, and the last one without syntax errors.
    fresh: Option<Arc<Analysis>>,
    good: Option<Arc<Analysis>>,
    /// What the last analysis found.
    found: Vec<Found>,
    /// The text differs from the file.
    unsaved: bool,
    /// The number of the last job, and whether its result is here.
    serial: u64,
    settled: bool,
}

impl Open {
    /// The analysis that answers: of the last text without syntax errors, since nothing of it is missing.
    fn best(&self) -> Option<&Arc<Analysis>> {
        self.good.as_ref().or(self.fresh.as_ref())
    }
}

struct Server {
    connection: Connection,
    worker: Worker,
    open: HashMap<PathBuf, Open>,
    /// Requests that wait for an analysis.
    waiting: Vec<Request>,
    shut_down: bool,
}

impl Server {
    /// Begins the conversation.
    fn open(connection: Connection, shared: Shared, temps: Temps) -> Result<Server, End> {
        let (id, params) = connection.initialize_start()?;
        let settings = &params["initializationOptions"]["flags"];
        let flags: Vec<String> = match settings {
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str);
                words.map(str::to_owned).collect()
            }
            Value::String(text) => crate::driver::split_words(text, "flags").unwrap_or_default(),
            _ => Vec::new(),
        };
        let answer = json!({
            "capabilities": capabilities(),
            "serverInfo": { "name": "upcc", "version": env!("CARGO_PKG_VERSION") },
        });
        connection.initialize_finish(id, answer)?;
        Ok(Server {
            connection,
            worker: Worker::start(Flags::new(flags), shared, temps),
            open: HashMap::new(),
            waiting: Vec::new(),
            shut_down: false,
        })
    }

    /// Answers until `exit`. Its status says whether `shutdown` came first, as the protocol demands.
    fn run(mut self) -> Result<Exit, End> {
        loop {
            let message = select! {
                recv(self.connection.receiver) -> message => message,
                recv(self.worker.results) -> done => {
                    if let Ok(done) = done {
                        self.analysed(done);
                    }
                    continue;
                }
            };
            match message {
                Err(_) => return Err(End::Silent),
                Ok(Message::Notification(note)) if note.method == notification::Exit::METHOD => {
                    return Ok(match self.shut_down {
                        true => Exit::Success,
                        false => Exit::Errors,
                    });
                }
                Ok(Message::Notification(note)) => self.notified(note),
                Ok(Message::Request(request)) => self.requested(request),
                // The server asks nothing.
                Ok(Message::Response(_)) => {}
            }
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // If the writer has ended, the reader ends, too.
        let _ = self.connection.sender.send(message.into());
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    /// Takes the result of a job.
    fn analysed(&mut self, done: Done) {
        let Some(open) = self.open.get_mut(&done.path) else {
            return;
        };
        // To free an analysis takes time, so the earlier ones live until the diagnostics are sent.
        let mut replaced = [None, None];
        if let Some(analysis) = done.analysis {
            if analysis.complete {
                replaced[0] = open.good.replace(Arc::clone(&analysis));
            }
            replaced[1] = open.fresh.replace(analysis);
        }
        let newest = open.serial == done.serial;
        open.settled |= newest;
        if newest {
            open.found = done.found;
            let list = open.found.iter().map(|found| found.diagnostic.clone());
            let params =
                PublishDiagnosticsParams::new(open.uri.clone(), list.collect(), Some(done.version));
            self.notify::<notification::PublishDiagnostics>(params);
        }
        if let Some(message) = done.failure {
            let typ = MessageType::ERROR;
            self.notify::<notification::LogMessage>(LogMessageParams { typ, message });
        }
        for request in std::mem::take(&mut self.waiting) {
            self.requested(request);
        }
        drop(replaced);
    }

    fn analyse(&mut self, path: &PathBuf) {
        let others = self
            .open
            .iter()
            .filter(|(other, open)| *other != path && open.unsaved);
        let unsaved = others.map(|(other, open)| (other.clone(), open.document.text.clone()));
        let unsaved = unsaved.collect();
        if let Some(open) = self.open.get_mut(path) {
            let document = &open.document;
            open.serial = self
                .worker
                .ask(path, document.version, &document.text, unsaved);
            open.settled = false;
        }
    }

    /// Analyses a document and those that include it.
    fn analyse_with_users(&mut self, path: &PathBuf) {
        self.analyse(path);
        let includes = |open: &Open| {
            let analysis = open.fresh.as_ref();
            analysis.is_some_and(|analysis| analysis.files().contains(path))
        };
        let users = self
            .open
            .iter()
            .filter(|(other, open)| *other != path && includes(open));
        let users: Vec<PathBuf> = users.map(|(other, _)| other.clone()).collect();
        users.iter().for_each(|user| self.analyse(user));
    }

    fn notified(&mut self, note: Notification) {
        let method = note.method.clone();
        let handled = match method.as_str() {
            notification::DidOpenTextDocument::METHOD => self.did_open(note),
            notification::DidChangeTextDocument::METHOD => self.did_change(note),
            notification::DidCloseTextDocument::METHOD => self.did_close(note),
            notification::DidSaveTextDocument::METHOD => {
                let params: Result<DidSaveTextDocumentParams, String> = parse(note.params);
                let saved = params.and_then(|params| path_of(&params.text_document.uri));
                if let Some(open) = saved.ok().and_then(|path| self.open.get_mut(&path)) {
                    open.unsaved = false;
                }
                // The file may be a header of the others.
                let all: Vec<PathBuf> = self.open.keys().cloned().collect();
                all.iter().for_each(|path| self.analyse(path));
                Ok(())
            }
            notification::Cancel::METHOD => self.cancel(note),
            _ => Ok(()),
        };
        if let Err(why) = handled {
            let message = format!("{method}: {why}");
            let typ = MessageType::ERROR;
            self.notify::<notification::LogMessage>(LogMessageParams { typ, message });
        }
    }

    fn did_open(&mut self, note: Notification) -> Result<(), String> {
        let params: DidOpenTextDocumentParams = parse(note.params)?;
        let document = params.text_document;
        // A text without a file has no folder in which to look for headers.
        let path = uri::to_path(&document.uri).ok_or("this document is not a file")?;
        let path = clean(&path);
        // An editor may restore a text that was never saved.
        let unsaved = std::fs::read(&path).is_ok_and(|file| file != document.text.as_bytes());
        self.open.insert(
            path.clone(),
            Open {
                document: Document {
                    version: document.version,
                    text: document.text,
                },
                uri: document.uri,
                fresh: None,
                good: None,
                found: Vec::new(),
                unsaved,
                serial: 0,
                settled: false,
            },
        );
        self.analyse_with_users(&path);
        Ok(())
    }

    fn did_change(&mut self, note: Notification) -> Result<(), String> {
        let params: DidChangeTextDocumentParams = parse(note.params)?;
        let path = path_of(&params.text_document.uri)?;
        let open = self.open.get_mut(&path);
        let open = open.ok_or_else(|| format!("{} is not open", path.display()))?;
        open.document.change(params.content_changes);
        open.document.version = params.text_document.version;
        open.unsaved = true;
        self.analyse_with_users(&path);
        Ok(())
    }

    fn did_close(&mut self, note: Notification) -> Result<(), String> {
        let params: DidCloseTextDocumentParams = parse(note.params)?;
        let path = path_of(&params.text_document.uri)?;
        self.worker.forget(&path);
        if let Some(open) = self.open.remove(&path) {
            if open.unsaved {
                // The others read the file again.
                self.analyse_with_users(&path);
            }
            let params = PublishDiagnosticsParams::new(open.uri, Vec::new(), None);
            self.notify::<notification::PublishDiagnostics>(params);
        }
        for request in std::mem::take(&mut self.waiting) {
            self.requested(request);
        }
        Ok(())
    }

    fn cancel(&mut self, note: Notification) -> Result<(), String> {
        let params: lsp_types::CancelParams = parse(note.params)?;
        let id = match params.id {
            lsp_types::NumberOrString::Number(number) => RequestId::from(number),
            lsp_types::NumberOrString::String(text) => RequestId::from(text),
        };
        if let Some(at) = self.waiting.iter().position(|request| request.id == id) {
            self.waiting.swap_remove(at);
            let code = ErrorCode::RequestCanceled as i32;
            self.send(Response::new_err(id, code, "cancelled".to_owned()));
        }
        Ok(())
    }

    /// Answers a request, or lets it wait for an analysis.
    fn requested(&mut self, request: Request) {
        if self.must_wait(&request) {
            self.waiting.push(request);
            return;
        }
        let id = request.id.clone();
        let answer = match self.shut_down {
            true => Err((
                ErrorCode::InvalidRequest,
                "the server is shut down".to_owned(),
            )),
            false => self.answer(request),
        };
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, why)) => Response::new_err(id, code as i32, why),
        });
    }

    /// True if a request needs an analysis that is being made: any at all, for edits that of the current text.
    fn must_wait(&self, request: &Request) -> bool {
        let uri = &request.params["textDocument"]["uri"];
        let uri = serde_json::from_value::<Uri>(uri.clone()).ok();
        let path = uri.and_then(|uri| path_of(&uri).ok());
        let Some(open) = path.and_then(|path| self.open.get(&path)) else {
            return false;
        };
        let exact = [
            request::Rename::METHOD,
            request::PrepareRenameRequest::METHOD,
            request::CodeActionRequest::METHOD,
        ];
        let current = exact.contains(&request.method.as_str());
        !open.settled && (current || open.best().is_none())
    }
}

fn path_of(uri: &Uri) -> Result<PathBuf, String> {
    let path = uri::to_path(uri);
    let path = path.ok_or_else(|| format!("{} is not a file", uri.as_str()))?;
    Ok(clean(&path))
}

fn parse<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
