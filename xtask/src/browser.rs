//! A page in a headless Chromium, driven through its DevTools protocol as a person would use it: keys, clicks, wheel.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

use crate::{process, tools};

/// The longest wait for an answer of the browser.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    last_id: u64,
    /// Errors of the page: exceptions, what its console and the browser's log call an error, requests to a network.
    errors: Vec<String>,
    loaded: bool,
    /// The browser's own files, removed with it.
    _profile: TempDir,
}

impl Browser {
    /// Starts the browser with a window of this size in pixels.
    ///
    /// # Errors
    /// It does not start, or does not answer.
    pub fn start(width: u32, height: u32) -> Result<Browser, String> {
        let program = tools::chromium().ok_or("Chromium is not installed")?;
        let profile = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut child = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--window-size={width},{height}"))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|e| format!("cannot run {program}: {e}"))?;
        let connected = child
            .stderr
            .take()
            .ok_or_else(|| "no standard error".to_owned())
            .and_then(connect);
        let socket = match connected {
            Ok(socket) => socket,
            Err(why) => {
                process::end_group(&child);
                let _ = child.wait();
                return Err(why);
            }
        };
        let mut browser = Browser {
            child,
            socket,
            session: String::new(),
            last_id: 0,
            errors: Vec::new(),
            loaded: false,
            _profile: profile,
        };
        browser.attach()?;
        Ok(browser)
    }

    fn attach(&mut self) -> Result<(), String> {
        let target = self.command("Target.createTarget", json!({ "url": "about:blank" }))?;
        let id = target["targetId"].clone();
        let attached = self.command(
            "Target.attachToTarget",
            json!({ "targetId": id, "flatten": true }),
        )?;
        self.session = text(&attached["sessionId"])?;
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.command(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(())
    }

    /// Sends a command and returns its result.
    ///
    /// # Errors
    /// The browser refuses it, or does not answer in time.
    pub fn command(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method });
        message["params"] = params;
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        let failed = |error: tungstenite::Error| format!("{method}: {error}");
        self.socket
            .send(Message::text(message.to_string()))
            .map_err(failed)?;
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let message = self
                .receive()
                .map_err(|error| format!("{method}: {error}"))?;
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(format!("{method}: {error}")),
                    None => Ok(message["result"].clone()),
                };
            }
        }
        Err(format!("{method}: no answer"))
    }

    /// Receives a message, and notes what it says about the page.
    fn receive(&mut self) -> Result<Value, String> {
        let message = self.socket.read().map_err(|e| e.to_string())?;
        let Message::Text(text) = message else {
            return Ok(Value::Null);
        };
        let message: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.exceptionThrown") => {
                self.errors.push(params["exceptionDetails"].to_string())
            }
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => {
                self.errors.push(params["args"].to_string());
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.errors.push(params["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                if !url.starts_with("file:") && !url.starts_with("about:") {
                    self.errors.push(format!("a request to {url}"));
                }
            }
            _ => {}
        }
        Ok(message)
    }

    /// Opens a file, with what follows `#` in its address.
    ///
    /// # Errors
    /// It does not load.
    pub fn open(&mut self, file: &Path, fragment: &str) -> Result<(), String> {
        // Without a page between, another fragment would only scroll.
        self.navigate("about:blank")?;
        self.navigate(&format!("file://{}#{fragment}", file.display()))
    }

    fn navigate(&mut self, url: &str) -> Result<(), String> {
        self.loaded = false;
        self.command("Page.navigate", json!({ "url": url }))?;
        let deadline = Instant::now() + PATIENCE;
        while !self.loaded && Instant::now() < deadline {
            self.receive()?;
        }
        self.loaded
            .then_some(())
            .ok_or_else(|| format!("{url} does not load"))
    }

    /// Returns the value of an expression in the page; waits for a promise.
    ///
    /// # Errors
    /// It throws an exception.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let answer = self.command(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        )?;
        match answer.get("exceptionDetails") {
            Some(exception) => Err(format!("{expression}: {exception}")),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Checks that an expression becomes true soon.
    ///
    /// # Errors
    /// It does not.
    pub fn expect(&mut self, expression: &str) -> Result<(), String> {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let value = self.evaluate(expression)?;
            if value == Value::Bool(true) {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(format!("not true: {expression} is {value}"));
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the page has drawn what it was asked to.
    ///
    /// # Errors
    /// Those of [`Browser::expect`].
    pub fn frame(&mut self) -> Result<(), String> {
        self.evaluate(
            "window.framed = false; requestAnimationFrame(() => { window.framed = true; })",
        )?;
        self.expect("framed")
    }

    /// Presses and releases a key, `w` or `Enter`.
    ///
    /// # Errors
    /// Those of [`Browser::command`].
    pub fn key(&mut self, key: &str) -> Result<(), String> {
        let mut down = json!({ "type": "keyDown", "key": key });
        match key {
            "Enter" => down["text"] = "\r".into(),
            key if key.chars().count() == 1 => down["text"] = key.into(),
            _ => {}
        }
        self.command("Input.dispatchKeyEvent", down)?;
        self.command(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key }),
        )
        .map(|_| ())
    }

    /// Types a text.
    ///
    /// # Errors
    /// Those of [`Browser::command`].
    pub fn write(&mut self, text: &str) -> Result<(), String> {
        self.command("Input.insertText", json!({ "text": text }))
            .map(|_| ())
    }

    /// Scrolls to the first element of a selector, and returns its middle.
    ///
    /// # Errors
    /// There is no such element.
    pub fn middle(&mut self, selector: &str) -> Result<(f64, f64), String> {
        let selector = json!(selector);
        let middle = self.evaluate(&format!(
            "(() => {{ const it = document.querySelector({selector}); it.scrollIntoView({{ block: 'center' }}); const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ))?;
        let part = |at: usize| middle[at].as_f64().ok_or_else(|| format!("no {selector}"));
        Ok((part(0)?, part(1)?))
    }

    /// Clicks the first element of a selector.
    ///
    /// # Errors
    /// There is no such element.
    pub fn click(&mut self, selector: &str) -> Result<(), String> {
        let (x, y) = self.middle(selector)?;
        self.mouse("mouseMoved", x, y)?;
        self.mouse("mousePressed", x, y)?;
        self.mouse("mouseReleased", x, y)
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64) -> Result<(), String> {
        let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.command("Input.dispatchMouseEvent", params).map(|_| ())
    }

    /// Turns the wheel with the Ctrl key over the middle of an element.
    ///
    /// # Errors
    /// There is no such element.
    pub fn ctrl_wheel(&mut self, selector: &str, pixels: i32) -> Result<(), String> {
        const CTRL: u32 = 2;
        let (x, y) = self.middle(selector)?;
        let params = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": pixels, "modifiers": CTRL });
        self.command("Input.dispatchMouseEvent", params).map(|_| ())
    }

    /// Lets the page believe that the user prefers light or dark pages.
    ///
    /// # Errors
    /// Those of [`Browser::command`].
    pub fn prefer(&mut self, scheme: &str) -> Result<(), String> {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": [feature] }),
        )
        .map(|_| ())
    }

    /// Returns a picture of the window as PNG in base64.
    ///
    /// # Errors
    /// Those of [`Browser::command`].
    pub fn picture(&mut self) -> Result<String, String> {
        let answer = self.command("Page.captureScreenshot", json!({ "format": "png" }))?;
        text(&answer["data"])
    }

    /// Returns the errors of the page so far, and forgets them.
    pub fn errors(&mut self) -> Vec<String> {
        std::mem::take(&mut self.errors)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        process::end_group(&self.child);
        let _ = self.child.wait();
    }
}

fn text(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| format!("not a text: {value}"))
}

/// Connects to the address that the browser prints when it is ready.
fn connect(stderr: ChildStderr) -> Result<WebSocket<TcpStream>, String> {
    let mut lines = BufReader::new(stderr).lines();
    let mut said = Vec::new();
    let address = loop {
        match lines.next() {
            Some(Ok(line)) => match line.strip_prefix("DevTools listening on ") {
                Some(address) => break address.to_owned(),
                None => said.push(line),
            },
            Some(Err(_)) | None => return Err(format!("Chromium ends: {}", said.join("\n"))),
        }
    };
    // The pipe is read on, so that the browser can never wait for it.
    thread::spawn(move || lines.for_each(drop));
    let host = address
        .strip_prefix("ws://")
        .and_then(|rest| rest.split('/').next());
    let host = host.ok_or_else(|| format!("no address: {address}"))?;
    let stream = TcpStream::connect(host).map_err(|e| format!("{host}: {e}"))?;
    stream
        .set_read_timeout(Some(PATIENCE))
        .map_err(|e| e.to_string())?;
    tungstenite::client(address.as_str(), stream)
        .map(|(socket, _)| socket)
        .map_err(|e| format!("{address}: {e}"))
}
