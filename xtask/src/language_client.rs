//! A client of `upcc lsp`, as an editor is one: for the tests of the server and for its benchmark.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest wait for a message: a server that is this late is stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server and the conversation with it.
pub struct Client {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications that have not been asked for yet.
    notifications: VecDeque<Value>,
    last_id: i64,
    /// When the last message was ready to be sent.
    sent: Instant,
}

/// The name of a file as the protocol writes it; names of tests need no escapes.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// Starts the server, without a word to it.
    ///
    /// # Errors
    /// It does not start.
    pub fn start(command: &mut Command) -> std::io::Result<Client> {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = pipes.stderr(Stdio::piped()).spawn()?;
        let input = server.stdin.take();
        let (sender, messages) = channel();
        if let Some(output) = server.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                while let Some(message) = read(&mut output) {
                    if sender.send(message).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Client {
            server,
            input,
            messages,
            notifications: VecDeque::new(),
            last_id: 0,
            sent: Instant::now(),
        })
    }

    /// Begins the conversation; returns what the server can do.
    pub fn initialize(&mut self, options: Value) -> Value {
        let mut params = json!({ "processId": null, "rootUri": null, "capabilities": {} });
        params["initializationOptions"] = options;
        let answer = self.request("initialize", params);
        self.notify("initialized", json!({}));
        answer.unwrap_or_default()
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // A server that has ended is noticed when it should answer.
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.sent = Instant::now();
        self.send_raw(framed.as_bytes());
    }

    /// The time since the last message was sent, without what this client took to write it.
    pub fn since_sent(&self) -> Duration {
        self.sent.elapsed()
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.send(&message);
    }

    /// Sends a request without waiting; returns its number.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        message["params"] = params;
        self.send(&message);
        id
    }

    /// Waits for the answer to a request: its result, or its error.
    ///
    /// # Errors
    /// The error that the server answers; `null` if it answers nothing.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        while let Ok(message) = self.messages.recv_timeout(PATIENCE) {
            if message["id"] == json!(id) {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.notifications.push_back(message);
        }
        Err(Value::Null)
    }

    /// Asks and waits.
    ///
    /// # Errors
    /// As [`Client::answer`].
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Waits for a notification that satisfies a condition, and drops those before it.
    pub fn notification(&mut self, method: &str, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        loop {
            let message = match self.notifications.pop_front() {
                Some(message) => message,
                None => self.messages.recv_timeout(PATIENCE).ok()?,
            };
            if message["method"] == method && wanted(&message["params"]) {
                return Some(message["params"].clone());
            }
        }
    }

    /// Waits for the diagnostics of a version of a document.
    pub fn diagnostics(&mut self, path: &Path, version: i64) -> Vec<Value> {
        let uri = uri(path);
        let wanted = |params: &Value| params["uri"] == uri && params["version"] == version;
        let params = self.notification("textDocument/publishDiagnostics", wanted);
        match params.map(|mut params| params["diagnostics"].take()) {
            Some(Value::Array(list)) => list,
            _ => panic!("the server sends no diagnostics of version {version}"),
        }
    }

    /// Opens a document.
    pub fn open(&mut self, path: &Path, text: &str) {
        let document = json!({
            "uri": uri(path), "languageId": "upc", "version": 1, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the text of a document.
    pub fn change(&mut self, path: &Path, version: i64, text: &str) {
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri(path), "version": version },
                "contentChanges": [{ "text": text }],
            }),
        );
    }

    /// Asks about a position.
    ///
    /// # Errors
    /// As [`Client::answer`].
    pub fn at(
        &mut self,
        method: &str,
        path: &Path,
        (line, column): (u32, u32),
    ) -> Result<Value, Value> {
        let params = json!({
            "textDocument": { "uri": uri(path) },
            "position": { "line": line, "character": column },
            "context": { "includeDeclaration": true, "triggerKind": 1 },
        });
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Ends the conversation as the protocol demands; returns how the server ends.
    ///
    /// # Errors
    /// The server cannot be waited for.
    pub fn finish(mut self) -> std::io::Result<(ExitStatus, String)> {
        let _ = self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.end()
    }

    /// Closes the server's input; returns how it ends and its standard error.
    ///
    /// # Errors
    /// The server cannot be waited for.
    pub fn end(mut self) -> std::io::Result<(ExitStatus, String)> {
        drop(self.input.take());
        let mut text = String::new();
        if let Some(mut errors) = self.server.stderr.take() {
            errors.read_to_string(&mut text)?;
        }
        Ok((self.server.wait()?, text))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that fails leaves no server behind.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Reads one message; `None` at the end.
fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length:") {
            length = number.trim().parse().ok()?;
        }
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
