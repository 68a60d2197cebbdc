//! A customer, who speaks as much HTTP as is needed here.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Sends a request. Returns the status and the text of the reply.
pub fn request(to: SocketAddr, method: &str, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(to)?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    let (head, text) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
    let status = head.split(' ').nth(1).unwrap_or("no status");
    Ok(format!("{status} {text}"))
}
