//! The server, which runs on its own thread with its own runtime.
//!
//! It receives the reports of worlds, answers requests, and feeds the streams ten times per second. When the
//! handle is dropped, so are the runtime and every connection.

mod guard;
mod limited;
mod query;
mod reply;
mod requests;
mod streams;
mod travels;

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{future, io};

use axum::Router;
use tokio::runtime;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval};

use crate::shared::{Batch, Shared, lock};
use limited::{Limited, Line};
use requests::Server;

/// The interval at which streams are fed.
const TICK: Duration = Duration::from_millis(100);
/// Ticks per second.
const SECOND: u32 = 10;

/// Starts the thread. It ends when `ended` is notified or its sender is dropped.
pub(crate) fn start(
    shared: Arc<Shared>,
    listener: TcpListener,
    batches: mpsc::Sender<Batch>,
    incoming: mpsc::Receiver<Batch>,
    ended: oneshot::Receiver<()>,
) -> io::Result<JoinHandle<()>> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    let address = listener.local_addr()?;
    let thread = thread::Builder::new().name("message-inspector".to_owned());
    thread.spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
                return;
            };
            let connections = Arc::new(Semaphore::new(shared.settings.connections));
            let server = Arc::new(Server::new(Arc::clone(&shared), batches, address.port()));
            tokio::spawn(take(incoming));
            tokio::spawn(feed(Arc::clone(&server)));
            let app = Router::new()
                .fallback(requests::answer)
                .with_state(Arc::clone(&server));
            let limited = Limited::new(listener, connections, shared.settings.deadline);
            let app = app.into_make_service_with_connect_info::<Line>();
            tokio::spawn(future::IntoFuture::into_future(axum::serve(limited, app)));
            // An error means that the handle was dropped, which also ends the server.
            let _ = ended.await;
        });
    })
}

/// Receives the reports of worlds.
async fn take(mut batches: mpsc::Receiver<Batch>) {
    while let Some(Batch {
        world,
        reading,
        recorded,
        seen,
    }) = batches.recv().await
    {
        let used = lock(&world.history).take(reading, recorded, seen);
        if let Some(used) = used {
            // If enough recorders are in reserve, it is dropped.
            let _ = world.used.try_send(used);
        }
        // Let requests run between batches.
        tokio::task::yield_now().await;
    }
}

/// Feeds the streams, and checks who is looking.
async fn feed(server: Arc<Server>) {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut count = 0_u32;
    loop {
        ticks.tick().await;
        count = count.wrapping_add(1);
        server.tick(count.is_multiple_of(SECOND));
    }
}
