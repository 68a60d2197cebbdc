//! The pages: the handlers of axum, on a thread with a runtime of its own.

use std::io;
use std::net::TcpListener;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use message_core::prelude::*;
use message_core::{AskError, Inlet};
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::shop::{Buy, Close, GetStock, SHOP};

/// How long a customer waits for the shop.
const PATIENCE: Duration = Duration::from_secs(10);

/// The text of a page, or an HTTP status with a reason.
type Page = Result<String, (StatusCode, String)>;

/// The thread that serves the pages.
pub struct Pages {
    ended: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Pages {
    /// Stops serving when all replies are sent.
    pub fn stop(self) {
        let _ = self.ended.send(());
        crate::join(self.thread);
    }
}

/// Serves the pages of a shop.
pub fn start(listener: TcpListener, shop: Inlet) -> io::Result<Pages> {
    listener.set_nonblocking(true)?;
    let (ended, end) = oneshot::channel();
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let router = Router::new()
        .route("/stock/{item}", get(stock))
        .route("/buy/{item}", post(buy))
        .route("/close", post(close))
        .with_state(shop);
    let serve = async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let end = async {
            let _ = end.await;
        };
        axum::serve(listener, router)
            .with_graceful_shutdown(end)
            .await
    };
    let thread = thread::spawn(move || {
        if let Err(error) = runtime.block_on(serve) {
            eprintln!("the pages are not served any more: {error}");
        }
    });
    Ok(Pages { ended, thread })
}

async fn stock(State(shop): State<Inlet>, Path(item): Path<String>) -> Page {
    let left = ask(&shop, GetStock { item }).await?;
    Ok(format!("{left} left"))
}

async fn buy(State(shop): State<Inlet>, Path(item): Path<String>) -> Page {
    match ask(&shop, Buy { item }).await? {
        Some(left) => Ok(format!("sold, {left} left")),
        None => Err((StatusCode::CONFLICT, "sold out".to_owned())),
    }
}

/// Posts, since there is nothing to answer.
async fn close(State(shop): State<Inlet>) -> Page {
    match shop.try_post(Header::to(SHOP), Close) {
        Ok(()) => Ok("good night".to_owned()),
        Err(error) => Err((StatusCode::SERVICE_UNAVAILABLE, error.to_string())),
    }
}

/// Asks the shop. Says in the terms of HTTP why there is no answer.
async fn ask<M>(shop: &Inlet, message: M) -> Result<M::Reply, (StatusCode, String)>
where
    M: message_core::Request<Reply: Send>,
{
    let Ok(answer) = timeout(PATIENCE, shop.ask(SHOP, message)).await else {
        let late = "the shop takes too long".to_owned();
        return Err((StatusCode::GATEWAY_TIMEOUT, late));
    };
    answer.map_err(|error| {
        let status = match error {
            AskError::NoAnswer(_) => StatusCode::NOT_FOUND,
            AskError::Gone(_) => StatusCode::GONE,
            AskError::Full { .. } | AskError::Closed { .. } => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, error.to_string())
    })
}
