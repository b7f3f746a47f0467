//! The conversation with the editor: open documents, requests, answers.

use super::analysis::Analysis;
use super::capabilities::capabilities;
use super::diagnose::Found;
use super::document::{self, Document};
use super::drift::Drift;
use super::flags::{Flags, clean};
use super::worker::{Done, Worker};
use super::{complete, explain, fixes, hover, navigate, rename, uri};
use crate::cli::temp_files::Temps;
use crate::cli::{Exit, Failure};
use crate::driver::unsaved::Shared;
use crate::sema::Occurrence;
use crossbeam_channel::select;
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response,
};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionParams, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams,
    GotoDefinitionParams, Hover, HoverContents, HoverParams, LogMessageParams, MarkupContent,
    MarkupKind, MessageType, PublishDiagnosticsParams, ReferenceParams, RenameParams,
    ShowMessageParams, TextDocumentPositionParams, Uri,
};
use serde::Serialize;
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

/// A name that a request points at.
struct Hit {
    analysis: Arc<Analysis>,
    drift: Drift,
    occurrence: Occurrence,
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

    fn answer(&mut self, request: Request) -> Answer {
        let params = request.params;
        match request.method.as_str() {
            request::Shutdown::METHOD => {
                self.shut_down = true;
                Ok(Value::Null)
            }
            request::HoverRequest::METHOD => self.hover(&read(params)?),
            request::GotoDefinition::METHOD => self.definition(&read(params)?),
            request::References::METHOD => self.references(&read(params)?),
            request::Completion::METHOD => self.completion(&read(params)?),
            request::PrepareRenameRequest::METHOD => self.prepare_rename(&read(params)?),
            request::Rename::METHOD => self.rename(&read(params)?),
            request::CodeActionRequest::METHOD => {
                let params: CodeActionParams = read(params)?;
                let open = self.document(&params.text_document.uri)?;
                let mut actions = fixes::actions(&open.found, params.range);
                let pages = explain::actions(&params.context.diagnostics);
                actions.extend(pages.iter().map(|action| json!(action)));
                to_value(actions)
            }
            request::ExecuteCommand::METHOD => self.execute(&read(params)?),
            method => Err((
                ErrorCode::MethodNotFound,
                format!("upcc does not answer {method}"),
            )),
        }
    }

    /// Returns the open document that a request is about.
    fn document(&self, uri: &Uri) -> Result<&Open, (ErrorCode, String)> {
        let path = path_of(uri).map_err(|why| (ErrorCode::InvalidParams, why))?;
        let open = self.open.get(&path);
        open.ok_or_else(|| {
            let why = format!("{} is not open in this editor", path.display());
            (ErrorCode::InvalidParams, why)
        })
    }

    /// Returns the name at a position: in the document's own analysis, else in that of a document that includes it.
    fn name_at(&self, at: &TextDocumentPositionParams) -> Result<Option<Hit>, (ErrorCode, String)> {
        let open = self.document(&at.text_document.uri)?;
        let Some(own) = open.best() else {
            return Ok(None);
        };
        let drift = Drift::between(&own.text, &open.document.text);
        let offset = drift.to_old(document::offset(&open.document.text, at.position));
        let place = document::position(&own.text, offset);
        let byte = offset - document::line_start(&own.text, place.line);
        let found = own.name_at(&own.path, place.line, byte).copied();
        Ok(found.map(|occurrence| Hit {
            analysis: Arc::clone(own),
            drift,
            occurrence,
        }))
    }

    /// Moves a place in the analysed text of a document to where it is in the editor.
    fn moved(&self, hit: &Hit, (path, range): navigate::Found) -> Option<navigate::Found> {
        let open = self.open.get(&path);
        let Some(open) = open.filter(|_| path == hit.analysis.path) else {
            return Some((path, range));
        };
        let old = &hit.analysis.text;
        let bytes = document::offset(old, range.start)..document::offset(old, range.end);
        let bytes = hit.drift.to_new(bytes)?;
        Some((path, document::range(&open.document.text, &bytes)))
    }

    fn hover(&self, params: &HoverParams) -> Answer {
        let at = &params.text_document_position_params;
        let shown = |text: String| {
            to_value(Hover {
                contents: HoverContents::Markup(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value: text,
                }),
                range: None,
            })
        };
        if let Some(hit) = self.name_at(at)? {
            return shown(hover::of_name(&hit.analysis, &hit.occurrence));
        }
        match self.macro_at(at)? {
            Some(found) => shown(hover::of_macro(&found.text)),
            None => Ok(Value::Null),
        }
    }

    fn macro_at(
        &self,
        at: &TextDocumentPositionParams,
    ) -> Result<Option<navigate::Macro>, (ErrorCode, String)> {
        let open = self.document(&at.text_document.uri)?;
        Ok(open.best().and_then(|own| {
            let drift = Drift::between(&own.text, &open.document.text);
            let offset = document::offset(&open.document.text, at.position);
            navigate::macro_at(own, drift.to_old(offset))
        }))
    }

    fn definition(&self, params: &GotoDefinitionParams) -> Answer {
        let at = &params.text_document_position_params;
        if let Some(hit) = self.name_at(at)? {
            let found = navigate::definition(&hit.analysis, &hit.occurrence);
            let found = found.and_then(|found| self.moved(&hit, found));
            return to_value(found.and_then(navigate::location));
        }
        if let Some(found) = self.macro_at(at)? {
            return to_value(navigate::location(found.place));
        }
        let open = self.document(&at.text_document.uri)?;
        let header = open.best().and_then(|own| {
            let drift = Drift::between(&own.text, &open.document.text);
            let offset = document::offset(&open.document.text, at.position);
            navigate::header_at(own, drift.to_old(offset))
        });
        to_value(header.and_then(navigate::location))
    }

    /// Searches the document, its headers, and the open documents of which it is a header.
    fn references(&self, params: &ReferenceParams) -> Answer {
        let at = &params.text_document_position;
        let Some(hit) = self.name_at(at)? else {
            return Ok(Value::Null);
        };
        let declarations = params.context.include_declaration;
        let own = navigate::references(&hit.analysis, &hit.occurrence, declarations);
        let mut found: Vec<navigate::Found> = own
            .into_iter()
            .filter_map(|found| self.moved(&hit, found))
            .collect();
        let place = hit
            .analysis
            .place(&mut hit.analysis.locator(), &hit.occurrence);
        for other in self.open.values() {
            let Some(analysis) = other.best().filter(|a| a.path != hit.analysis.path) else {
                continue;
            };
            let same = analysis.name_at(&place.path, place.line, place.bytes.start);
            let Some(occurrence) = same.copied() else {
                continue;
            };
            let hit = Hit {
                drift: Drift::between(&analysis.text, &other.document.text),
                analysis: Arc::clone(analysis),
                occurrence,
            };
            let more = navigate::references(&hit.analysis, &hit.occurrence, declarations);
            found.extend(more.into_iter().filter_map(|found| self.moved(&hit, found)));
        }
        found.sort_by_key(|(path, range)| (path.clone(), range.start, range.end));
        found.dedup();
        let found: Vec<_> = found.into_iter().filter_map(navigate::location).collect();
        to_value(found)
    }

    fn completion(&self, params: &CompletionParams) -> Answer {
        let at = &params.text_document_position;
        let open = self.document(&at.text_document.uri)?;
        let Some(own) = open.best() else {
            return Ok(Value::Null);
        };
        let text = &open.document.text;
        let offset = document::offset(text, at.position);
        let drift = Drift::between(&own.text, text);
        to_value(complete::at_cursor(
            own,
            &text[..offset],
            drift.to_old(offset),
        ))
    }

    /// Returns the name to rename, in an analysis of the current text.
    fn to_rename(&self, at: &TextDocumentPositionParams) -> Result<Hit, (ErrorCode, String)> {
        let failed = |why: &str| Err((ErrorCode::RequestFailed, why.to_owned()));
        let open = self.document(&at.text_document.uri)?;
        let fresh = open.fresh.as_ref();
        if fresh.is_none_or(|a| !a.complete || a.text != open.document.text) {
            return failed("the file has syntax errors: rename needs a file without them");
        }
        match self.name_at(at)? {
            Some(hit) => Ok(hit),
            None => failed("there is no name to rename here"),
        }
    }

    fn prepare_rename(&self, at: &TextDocumentPositionParams) -> Answer {
        let hit = self.to_rename(at)?;
        let range = rename::prepare(&hit.analysis, &hit.occurrence);
        to_value(range.map_err(|why| (ErrorCode::RequestFailed, why))?)
    }

    fn rename(&self, params: &RenameParams) -> Answer {
        let at = &params.text_document_position;
        let hit = self.to_rename(at)?;
        let edits = rename::edits(&hit.analysis, &hit.occurrence, &params.new_name);
        let edits = edits.map_err(|why| (ErrorCode::RequestFailed, why))?;
        to_value(json!({ "changes": { at.text_document.uri.as_str(): edits } }))
    }

    fn execute(&self, params: &ExecuteCommandParams) -> Answer {
        if params.command != explain::COMMAND {
            let why = format!("upcc has no command {}", params.command);
            return Err((ErrorCode::InvalidParams, why));
        }
        let page = explain::page(&params.arguments);
        let page = page.map_err(|why| (ErrorCode::InvalidParams, why))?;
        // Editors that ignore the result of a command show the message.
        let typ = MessageType::INFO;
        let message = page.clone();
        self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
        Ok(Value::String(page))
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

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    parse(params).map_err(|why| (ErrorCode::InvalidParams, why))
}

fn to_value(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}
