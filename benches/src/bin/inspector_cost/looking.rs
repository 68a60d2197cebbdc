//! A client that looks at the inspector: it reads the stream and, once a second, asks the questions of a page.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The queries of the page's views; the server's own thread answers all of them.
const QUESTIONS: &[&str] = &["now", "timeline?frames=60&limit=3000", "flow", "letters"];

pub(crate) struct Looking {
    over: Arc<AtomicBool>,
    reads: JoinHandle<io::Result<()>>,
    asks: JoinHandle<io::Result<()>>,
}

fn ask(address: SocketAddr, path: &str) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let head =
        format!("GET /api/v1/{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    Ok(stream)
}

fn answer(address: SocketAddr, path: &str) -> io::Result<String> {
    let mut text = String::new();
    ask(address, path)?.read_to_string(&mut text)?;
    Ok(text)
}

impl Looking {
    /// Connects to the world that was attached last. Returns when its stream is open.
    pub(crate) fn at_the_newest_world(address: SocketAddr) -> io::Result<Self> {
        let hello = answer(address, "hello")?;
        let ids = hello.split("\"id\":").skip(1);
        let ids = ids.filter_map(|rest| {
            let end = rest.find(|it: char| !it.is_ascii_digit())?;
            rest[..end].parse::<usize>().ok()
        });
        let world = ids.max().ok_or(io::ErrorKind::NotFound)?;
        let mut events = BufReader::new(ask(address, &format!("worlds/{world}/events"))?);
        let mut line = String::new();
        while !line.starts_with("data:") {
            line.clear();
            if events.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let reads = thread::spawn(move || io::copy(&mut events, &mut io::sink()).map(|_| ()));
        let over = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&over);
        let asks = thread::spawn(move || {
            let mut at = 0;
            while !is_over.load(Ordering::Acquire) {
                // A page shows one view and queries it once a second.
                if at % 20 == 0 {
                    let question = QUESTIONS[at / 20 % QUESTIONS.len()];
                    answer(address, &format!("worlds/{world}/{question}"))?;
                }
                at += 1;
                thread::sleep(Duration::from_millis(50));
            }
            Ok(())
        });
        Ok(Self { over, reads, asks })
    }

    /// Waits until the stream ends, which happens when the world is detached.
    pub(crate) fn end(self) -> io::Result<()> {
        self.over.store(true, Ordering::Release);
        let ended = [self.reads.join(), self.asks.join()];
        for it in ended {
            it.map_err(|_| io::Error::other("who looks has panicked"))??;
        }
        Ok(())
    }
}
