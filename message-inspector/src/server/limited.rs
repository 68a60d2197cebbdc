//! Connections: their number is limited, and slow ones are closed.
//!
//! Further connections wait in the queue of the operating system. A connection has a deadline for each exchange, from
//! the first byte of a request to the last of its answer. Bytes that drip in or out do not extend it, and a
//! client without the token has one exchange, so its place is soon free again. Only a stream of events can last: it is
//! closed when its client takes nothing for as long.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// The pause after an error of accepting, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Limited {
    listener: TcpListener,
    connections: Arc<Semaphore>,
    deadline: Duration,
}

impl Limited {
    pub(super) fn new(
        listener: TcpListener,
        connections: Arc<Semaphore>,
        deadline: Duration,
    ) -> Self {
        Self {
            listener,
            connections,
            deadline,
        }
    }
}

impl Listener for Limited {
    type Io = Watched<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.connections).acquire_owned().await else {
                // The semaphore is never closed.
                sleep(PAUSE).await;
                continue;
            };
            if let Ok((stream, address)) = self.listener.accept().await {
                // Without it, small answers are delayed; on an error they still are.
                let _ = stream.set_nodelay(true);
                return (Watched::new(stream, self.deadline, permit), address);
            }
            sleep(PAUSE).await;
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Tells a connection what its requests have found out about it.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Arc<AtomicBool>);

impl Line {
    /// Notes that the answer is a stream of events, which has no end in time.
    pub(super) fn streams(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_stream(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Connected<IncomingStream<'_, Limited>> for Line {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        stream.io().line.clone()
    }
}

/// A connection that ends when it takes too long.
pub(super) struct Watched<S> {
    stream: S,
    line: Line,
    deadline: Duration,
    due: Pin<Box<Sleep>>,
    /// Whether something was written since the last read, so that the next read begins another exchange.
    answered: bool,
    _permit: OwnedSemaphorePermit,
}

impl<S> Watched<S> {
    fn new(stream: S, deadline: Duration, permit: OwnedSemaphorePermit) -> Self {
        Self {
            stream,
            line: Line::default(),
            deadline,
            due: Box::pin(sleep(deadline)),
            answered: false,
            _permit: permit,
        }
    }

    fn restart(&mut self) {
        // Unlike `reset`, it accepts any deadline.
        self.due.set(sleep(self.deadline));
    }

    /// Waits for the client until the deadline.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let over = self.due.as_mut().poll(cx);
        over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if polled.is_pending() && !self.line.is_stream() {
            return self.wait(cx);
        }
        if polled.is_ready() && std::mem::take(&mut self.answered) {
            self.restart();
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if polled.is_pending() {
            return self.wait(cx);
        }
        self.answered = true;
        if self.line.is_stream() {
            self.restart();
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::runtime;
    use tokio::time::Instant;

    use super::*;

    const DEADLINE: Duration = Duration::from_secs(10);
    const STEP: Duration = Duration::from_secs(1);

    /// Runs a test with a clock that advances at once when nobody has anything to do.
    fn run<T>(test: impl Future<Output = T>) -> io::Result<T> {
        let mut runtime = runtime::Builder::new_current_thread();
        Ok(runtime
            .enable_time()
            .start_paused(true)
            .build()?
            .block_on(test))
    }

    /// Returns a connection through which at most `room` bytes are under way, and the client's end.
    fn connected(room: usize) -> (Watched<DuplexStream>, DuplexStream) {
        let (ours, client) = duplex(room);
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned();
        let permit = permit.expect("there is one");
        (Watched::new(ours, DEADLINE, permit), client)
    }

    fn is_late<T>(done: &io::Result<T>) -> bool {
        done.as_ref()
            .is_err_and(|error| error.kind() == io::ErrorKind::TimedOut)
    }

    #[test]
    fn a_request_that_drips_in_ends_at_the_deadline() -> io::Result<()> {
        run(async {
            let (mut ours, mut client) = connected(64);
            let begun = Instant::now();
            let dripping = tokio::spawn(async move {
                while client.write_u8(b'a').await.is_ok() {
                    sleep(STEP).await;
                }
            });
            let read = ours.read_to_end(&mut Vec::new()).await;
            assert!(is_late(&read), "{read:?}");
            assert_eq!(begun.elapsed(), DEADLINE);
            drop(ours);
            assert!(dripping.await.is_ok());
        })
    }

    #[test]
    fn an_answer_that_drips_out_ends_at_the_deadline() -> io::Result<()> {
        run(async {
            let (mut ours, mut client) = connected(8);
            let begun = Instant::now();
            tokio::spawn(async move {
                while client.read_u8().await.is_ok() {
                    sleep(STEP).await;
                }
            });
            let written = ours.write_all(&[0; 1_000]).await;
            assert!(is_late(&written), "{written:?}");
            assert_eq!(begun.elapsed(), DEADLINE);
        })
    }

    #[test]
    fn each_exchange_has_its_own_deadline_and_an_idle_connection_ends() -> io::Result<()> {
        run(async {
            let (mut ours, mut client) = connected(64);
            for _ in 0..5 {
                client.write_all(b"?").await?;
                assert_eq!(ours.read_u8().await?, b'?');
                ours.write_all(b"!").await?;
                assert_eq!(client.read_u8().await?, b'!');
                sleep(DEADLINE / 2).await;
            }
            let idle = ours.read_u8().await;
            assert!(is_late(&idle), "{idle:?}");
            Ok(())
        })?
    }

    #[test]
    fn a_stream_lasts_while_its_client_reads_and_ends_when_it_takes_nothing() -> io::Result<()> {
        run(async {
            let (mut ours, mut client) = connected(8);
            client.write_all(b"?").await?;
            assert_eq!(ours.read_u8().await?, b'?');
            ours.line.streams();
            for _ in 0..5 {
                ours.write_all(b"event").await?;
                client.read_exact(&mut [0; 5]).await?;
                sleep(DEADLINE * 2).await;
            }
            let begun = Instant::now();
            let written = ours.write_all(&[0; 100]).await;
            assert!(is_late(&written), "{written:?}");
            assert_eq!(begun.elapsed(), DEADLINE);
            Ok(())
        })?
    }
}
