//! The answers to requests.

use super::super::drift::Drift;
use super::super::{complete, document, explain, fixes, hover, navigate, rename};
use super::{Answer, Open, Server, parse, path_of};
use crate::lsp::analysis::Analysis;
use crate::sema::Occurrence;
use lsp_server::{ErrorCode, Request};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionParams, CompletionParams, ExecuteCommandParams, GotoDefinitionParams, Hover,
    HoverContents, HoverParams, MarkupContent, MarkupKind, MessageType, ReferenceParams,
    RenameParams, ShowMessageParams, TextDocumentPositionParams, Uri, notification,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

/// A name that a request points at.
struct Hit {
    analysis: Arc<Analysis>,
    drift: Drift,
    occurrence: Occurrence,
}

impl Server {
    pub(super) fn answer(&mut self, request: Request) -> Answer {
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

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    parse(params).map_err(|why| (ErrorCode::InvalidParams, why))
}

fn to_value(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}
