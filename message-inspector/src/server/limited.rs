//! Connections: their number is limited, and idle ones are closed.
//!
//! Further connections wait in the queue of the operating system.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The time after which an idle connection is closed.
const IDLE: Duration = Duration::from_secs(30);
/// The pause after an error of accepting, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Limited {
    listener: TcpListener,
    connections: Arc<Semaphore>,
}

impl Limited {
    pub(super) fn new(listener: TcpListener, connections: Arc<Semaphore>) -> Self {
        Self {
            listener,
            connections,
        }
    }
}

impl Listener for Limited {
    type Io = Watched;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Watched, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.connections).acquire_owned().await else {
                // The semaphore is never closed.
                sleep(IDLE).await;
                continue;
            };
            if let Ok((stream, address)) = self.listener.accept().await {
                // Without it, small answers are delayed; on an error they still are.
                let _ = stream.set_nodelay(true);
                return (Watched::new(stream, permit), address);
            }
            sleep(PAUSE).await;
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when it is idle.
pub(super) struct Watched {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Watched {
    fn new(stream: TcpStream, permit: OwnedSemaphorePermit) -> Self {
        Self {
            stream,
            idle: Box::pin(sleep(IDLE)),
            _permit: permit,
        }
    }

    fn moved<T>(
        &mut self,
        cx: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.idle.as_mut().reset(Instant::now() + IDLE);
            return polled;
        }
        match self.idle.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.moved(cx, polled)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.moved(cx, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
