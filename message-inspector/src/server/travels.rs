//! Requests about logs: opening one as a world, and going through it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::Response;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::query::Query;
use super::reply;
use super::requests::{Server, nowhere, read_body};
use crate::shared::{Refusal, Slot, lock};
use crate::travel::{self, Order, Room};

/// The maximum size of a log that is opened, in bytes.
pub(super) const LOG: usize = 64 << 20;
/// How long the first state of a log may take to be restored.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of letters of the name of a log.
const NAME: usize = 100;

/// Opens a log that a page sends.
pub(super) async fn upload(
    server: &Arc<Server>,
    query: &Query,
    body: Body,
) -> Result<Response<Body>, Refusal> {
    // Before the body is read, so that the bytes of all logs are bounded.
    let room = Room::take(&server.shared)?;
    let log = read_body(body, LOG).await?;
    let name = query.get("name").unwrap_or("log");
    let name = name.chars().take(NAME).collect();
    open(server, name, log.into(), room).await
}

/// Opens what the flight recorder of a world has.
pub(super) async fn open_recording(
    server: &Arc<Server>,
    world: &Slot,
) -> Result<Response<Body>, Refusal> {
    let room = Room::take(&server.shared)?;
    let recorder = lock(&world.flight).recorder()?;
    let log = recorder.bytes();
    open(server, format!("{}, recorded", world.name), log, room).await
}

async fn open(
    server: &Arc<Server>,
    name: String,
    log: Vec<u8>,
    room: Room,
) -> Result<Response<Body>, Refusal> {
    let opened = travel::open(&server.shared, server.batches.clone(), name, log, room)?;
    match timeout(PATIENCE, opened).await {
        Ok(Ok(world)) => Ok(reply::data(&json!({ "world": world? }))),
        Ok(Err(_)) => Err(Refusal::bad(
            "the log cannot be replayed: the program panicked",
        )),
        Err(_) => {
            let text = "the first state of the log has not been restored yet: look for it among the worlds";
            Err(Refusal::new(504, "asleep", text))
        }
    }
}

/// Answers a request about a log that is open.
pub(super) fn travel(world: &Slot, what: &[&str], body: &Value) -> Result<Response<Body>, Refusal> {
    let none = || Refusal::unknown("this world is not a replay");
    let travel = world.travel.as_ref().ok_or_else(none)?;
    let order = match *what {
        [] => return Ok(reply::data(&travel.told())),
        ["close"] => {
            world.attached.store(false, Ordering::Release);
            return Ok(reply::data(&json!({ "ok": true })));
        }
        ["go"] => {
            let frame = body["frame"].as_u64();
            Order::Go(frame.ok_or_else(|| Refusal::bad("expected `{\"frame\": NUMBER}`"))?)
        }
        ["on"] => Order::RunOn,
        ["delivery"] => {
            let id = body["id"].as_u64();
            Order::Delivery(id.ok_or_else(|| Refusal::bad("expected `{\"id\": TRACE ID}`"))?)
        }
        ["who"] => {
            let text = |field: &str| body[field].as_str().map(str::to_owned);
            let wrong = || {
                Refusal::bad("expected `{\"messagee\": ID, \"component\": TYPE, \"field\": TEXT}`")
            };
            Order::Who {
                messagee: text("messagee").ok_or_else(wrong)?,
                component: text("component").ok_or_else(wrong)?,
                field: text("field").unwrap_or_default(),
            }
        }
        _ => return Err(nowhere()),
    };
    travel.order(order).map(|told| reply::data(&told))
}
