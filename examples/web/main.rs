//! A shop as a web page: the handlers of axum ask a manager, which runs its frames on another thread.
//!
//! A handler of axum gets an inlet as its state. It [asks](message_core::Inlet::ask) and awaits the answer, which comes
//! when the manager begins its next frame. So the shop needs no locks and is not async, and requests of several
//! customers cannot disturb each other: they take their turns in the inlet. Each reason why there is no answer has an
//! HTTP status (`pages.rs`).
//!
//! The program starts the server on a free port, sends a few requests to it, and prints the replies. With `--port`, it
//! runs until it is stopped. Try `curl -X POST localhost:8080/buy/apple`.
//!
//! Run it with `cargo run --release -p message-web --example web`.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod client;
mod pages;
mod shop;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The duration of a frame.
const FRAME: Duration = Duration::from_millis(5);

const USAGE: arguments::Usage = arguments::Usage {
    name: "web",
    about: "A shop as a web page, whose handlers ask a manager.",
    options: &[("--port NUMBER", "serve on this port until stopped")],
    look: &[
        (
            "web/pages.rs",
            "a page asks the manager and awaits the answer; each refusal is an HTTP status",
        ),
        ("web/shop.rs", "the shop knows neither threads nor HTTP"),
    ],
};

fn main() -> Result<(), Box<dyn Error>> {
    let given = USAGE.read();
    let port = USAGE.number(&given, "--port", 0).try_into()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let address = listener.local_addr()?;
    println!("http://{address}");
    if given.has("--port") {
        return serve(listener, |_| {
            loop {
                thread::park();
            }
        });
    }
    for line in serve(listener, visit)? {
        println!("{line}");
    }
    Ok(())
}

/// Runs the shop and its pages while a visitor is on another thread. Returns the visitor's result.
fn serve<T: Send + 'static>(
    listener: TcpListener,
    visitor: impl FnOnce(SocketAddr) -> Result<T, std::io::Error> + Send + 'static,
) -> Result<T, Box<dyn Error>> {
    let address = listener.local_addr()?;
    let mut shop = shop::open()?;
    let pages = pages::start(listener, shop.inlet())?;
    let visiting = thread::spawn(move || visitor(address));
    while !visiting.is_finished() {
        shop.tick(FRAME);
        thread::sleep(FRAME);
    }
    pages.stop();
    Ok(join(visiting)?)
}

/// Buys what there is, and something that there is not.
fn visit(shop: SocketAddr) -> Result<Vec<String>, std::io::Error> {
    let requests = [
        ("GET", "/stock/apple"),
        ("POST", "/buy/apple"),
        ("POST", "/buy/apple"),
        ("POST", "/buy/apple"),
        ("GET", "/stock/apple"),
        ("GET", "/stock/unicorn"),
        ("POST", "/close"),
        ("GET", "/stock/apple"),
    ];
    let reply = |(method, path)| {
        let reply = client::request(shop, method, path)?;
        Ok(format!("{method} {path}: {reply}"))
    };
    requests.into_iter().map(reply).collect()
}

/// Returns the result of a thread. If it panicked, resumes the panic.
fn join<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}
