//! A small HTTP client, and a world that answers it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_inspector::Inspector;
use serde_json::Value;

pub type Tested = Result<(), Box<dyn std::error::Error>>;

/// A response: status, headers and body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// Returns the status and the code of an error.
    pub fn code(&self) -> (u16, String) {
        let code = self.json()["code"].as_str().unwrap_or_default().to_owned();
        (self.status, code)
    }
}

/// A client.
#[derive(Clone, Debug)]
pub struct Client {
    pub address: SocketAddr,
    /// The header lines after the first.
    pub headers: Vec<String>,
}

impl Client {
    /// Returns a client that has the token of the inspector, if there is one.
    pub fn new(inspector: &Inspector) -> Self {
        let stranger = Self::stranger(inspector.address());
        match inspector.url().split_once("?token=") {
            Some((_, token)) => stranger.with_token(token),
            None => stranger,
        }
    }

    /// Returns a client without a token.
    pub fn stranger(address: SocketAddr) -> Self {
        let headers = vec![format!("Host: {address}")];
        Self { address, headers }
    }

    pub fn with_token(&self, token: &str) -> Self {
        let line = format!("Authorization: Bearer {token}");
        self.with("Authorization", &line)
    }

    /// Replaces the headers of that name by that line.
    pub fn with(&self, name: &str, line: &str) -> Self {
        let mut this = self.clone();
        let begin = format!("{name}:");
        this.headers.retain(|header| !header.starts_with(&begin));
        if !line.is_empty() {
            this.headers.push(line.to_owned());
        }
        this
    }

    /// Adds the headers that a POST needs.
    pub fn posting(&self) -> Self {
        let this = self.with("X-Message-Inspector", "X-Message-Inspector: 1");
        this.with("Content-Type", "Content-Type: application/json")
    }

    fn open(&self, method: &str, path: &str, body: &[u8]) -> std::io::Result<TcpStream> {
        let mut stream = TcpStream::connect(self.address)?;
        // A test that waits forever reports nothing.
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let headers = self.headers.join("\r\n");
        let len = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{headers}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        // A server that refuses the head may not read the body.
        let _ = stream.write_all(body);
        Ok(stream)
    }

    pub fn ask(&self, method: &str, path: &str, body: &str) -> std::io::Result<Answer> {
        self.ask_with(method, path, body.as_bytes())
    }

    pub fn ask_with(&self, method: &str, path: &str, body: &[u8]) -> std::io::Result<Answer> {
        let mut text = String::new();
        self.open(method, path, body)?.read_to_string(&mut text)?;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Ok(Answer {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        })
    }

    /// Returns a whole response, whose body need not be text.
    pub fn bytes(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open("GET", path, b"")?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    pub fn get(&self, path: &str) -> std::io::Result<Answer> {
        self.ask("GET", path, "")
    }

    pub fn post(&self, path: &str, body: &str) -> std::io::Result<Answer> {
        self.posting().ask("POST", path, body)
    }

    /// Opens a log as a world.
    pub fn upload(&self, log: &[u8]) -> std::io::Result<Answer> {
        let kind = "Content-Type: application/octet-stream";
        let posting = self.posting().with("Content-Type", kind);
        posting.ask_with("POST", "/api/v1/logs?name=dropped.log", log)
    }

    pub fn events(&self, path: &str) -> std::io::Result<Events> {
        let stream = self.open("GET", path, b"")?;
        Ok(Events(BufReader::new(stream)))
    }
}

/// A stream of events. Anything between the events, such as chunk sizes, is skipped.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// Returns the name and data of the next event.
    pub fn read(&mut self) -> std::io::Result<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(event) = line.strip_prefix("event: ") {
                event.trim_end().clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Ok((name, serde_json::from_str(data)?));
            }
        }
    }

    /// Reads until there is an event of that name that matches.
    pub fn until(&mut self, wanted: &str, fits: impl Fn(&Value) -> bool) -> std::io::Result<Value> {
        loop {
            let (name, data) = self.read()?;
            if name == wanted && fits(&data) {
                return Ok(data);
            }
        }
    }
}

/// Asks again until the answer matches, or until a minute has passed.
pub fn until(
    mut get: impl FnMut() -> Result<Value, String>,
    fits: impl Fn(&Value) -> bool,
) -> Result<Value, String> {
    let begun = Instant::now();
    loop {
        let told = get()?;
        if fits(&told) {
            return Ok(told);
        }
        if begun.elapsed() > Duration::from_secs(60) {
            return Err(format!("a minute later, the answer is still {told}"));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs frames of the world while `test` runs on another thread, until it has finished. `test` can poll
/// until a condition holds.
pub fn while_running(
    manager: &mut MessageManager,
    inspector: &mut Inspector,
    mut frame: impl FnMut(&mut MessageManager),
    test: impl FnOnce(Client) -> Result<(), String> + Send,
) -> Tested {
    let client = Client::new(inspector);
    let over = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        let tester = scope.spawn(|| {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(client)));
            over.store(true, Ordering::Release);
            result
        });
        while !over.load(Ordering::Acquire) {
            frame(manager);
            inspector.update(manager);
            thread::sleep(Duration::from_millis(1));
        }
        tester.join()
    });
    match result {
        Ok(Ok(result)) => result.map_err(Into::into),
        Ok(Err(panic)) | Err(panic) => std::panic::resume_unwind(panic),
    }
}
