//! Clients that are slow on purpose: none keeps the place of another for long.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use message_inspector::Inspector;

use crate::client::{Client, Tested};
use crate::world::world;

const HELLO: &str = "/api/v1/hello";
const TOKEN: &str = "0123456789-abcDEF_";
/// More than the server has places for.
const CLIENTS: usize = 200;
const DEADLINE: Duration = Duration::from_millis(500);
/// Far more time than the places of all clients need to become free three times.
const LIMIT: Duration = Duration::from_secs(30);
/// How often each client does a little.
const STEP: Duration = Duration::from_millis(50);

/// Held by the test that runs: a process can open few files, and each test opens some hundreds.
static TURN: Mutex<()> = Mutex::new(());

/// Fails if an honest client does not get in while others hold connections: they send `first`, then do `little` again
/// and again, and come back when they are thrown out.
fn others_get_in(
    inspector: &Inspector,
    first: &str,
    little: impl Fn(&mut TcpStream) -> std::io::Result<()> + Sync,
) -> Tested {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let address = inspector.address();
    let connect = |address: &SocketAddr| -> std::io::Result<TcpStream> {
        let mut stream = TcpStream::connect_timeout(address, STEP / 10)?;
        stream.write_all(first.as_bytes())?;
        stream.set_nonblocking(true)?;
        Ok(stream)
    };
    let honest = Client::new(inspector);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let mut clients: Vec<_> = (0..CLIENTS).map(|_| connect(&address).ok()).collect();
        let (over, little) = (&over, &little);
        scope.spawn(move || {
            while !over.load(Ordering::Acquire) {
                for client in &mut clients {
                    let done = client.as_mut().map(little);
                    if !matches!(done, Some(Ok(()))) {
                        *client = connect(&address).ok();
                    }
                }
                thread::sleep(STEP);
            }
        });
        let begun = Instant::now();
        let answers = (0..3).map(|_| honest.get(HELLO).map(|answer| answer.status));
        let answers = answers.collect::<Result<Vec<_>, _>>();
        over.store(true, Ordering::Release);
        assert_eq!(answers?, [200; 3]);
        assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
        Ok(())
    })
}

fn shown() -> Result<Inspector, message_inspector::InspectorError> {
    let builder = Inspector::builder().token(TOKEN).writable(true);
    builder.deadline(DEADLINE).serve("127.0.0.1:0")
}

/// Sends one more byte.
fn drip(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(b" ")
}

/// Reads at most `most` bytes, if there are any.
fn take(stream: &mut TcpStream, most: usize) -> std::io::Result<()> {
    match stream.read(&mut vec![0; most]) {
        Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
        Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
        _ => Ok(()),
    }
}

#[test]
fn requests_that_drip_in_do_not_keep_others_out() -> Tested {
    let inspector = shown()?;
    others_get_in(&inspector, "GET / HTTP/1.1\r\nX: ", drip)
}

#[test]
fn bodies_that_drip_in_do_not_keep_others_out() -> Tested {
    let mut manager = world()?;
    let mut inspector = shown()?;
    inspector.attach(&mut manager, "world");
    let first = format!(
        "POST /api/v1/worlds/0/clock HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\
         X-Message-Inspector: 1\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
        inspector.address()
    );
    others_get_in(&inspector, &first, drip)
}

#[test]
fn a_body_that_is_late_is_refused() -> Tested {
    let inspector = shown()?;
    let client = Client::new(&inspector).with("Content-Length", "Content-Length: 9");
    let head = client.posting().headers.join("\r\n");
    let mut stream = TcpStream::connect(inspector.address())?;
    let request = format!("POST /api/v1/worlds/0/clock HTTP/1.1\r\n{head}\r\n\r\n{{");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    assert!(
        answer.starts_with("HTTP/1.1 408 ") && answer.contains("\"slow\""),
        "{answer}"
    );
    Ok(())
}

#[test]
fn clients_without_the_token_that_ask_again_and_again_do_not_keep_others_out() -> Tested {
    let inspector = shown()?;
    let host = inspector.address();
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
    others_get_in(&inspector, "", |stream| {
        stream.write_all(request.as_bytes())?;
        take(stream, 1 << 16)
    })
}
