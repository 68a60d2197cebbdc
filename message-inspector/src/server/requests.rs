//! The requests, which are answered from the history or by the world itself at its next update.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::iter::successors;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, Response};
use message_core::Tag;
use message_data as data;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::limited::Line;
use super::query::Query;
use super::streams::Streams;
use super::{guard, reply, travels};
use crate::api;
use crate::flight::{file_name, may_export};
use crate::history::{Search, Wanted, short};
use crate::page::FILES;
use crate::shared::{Answer, Ask, Batch, Change, Job, Refusal, Shared, Slot, detached, lock};
use crate::sources;
use crate::travel;

/// The maximum size of the body of a POST, in bytes.
const BODY: usize = 64 * 1024;
/// The maximum number of rows in a list.
const LIST: usize = 500;
/// How long a world may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a world is watched after a request.
const GLANCE: Duration = Duration::from_secs(3);

pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    /// For the worlds of open logs.
    pub(super) batches: mpsc::Sender<Batch>,
    port: u16,
    streams: Mutex<Streams>,
    /// When each world was last asked for.
    asked: Mutex<HashMap<usize, Instant>>,
}

impl Server {
    pub(super) fn new(shared: Arc<Shared>, batches: mpsc::Sender<Batch>, port: u16) -> Self {
        Self {
            shared,
            batches,
            port,
            streams: Mutex::default(),
            asked: Mutex::default(),
        }
    }

    /// Feeds the streams, and notifies worlds of whether anybody is looking.
    pub(super) fn tick(&self, is_second: bool) {
        let worlds = self.shared.all();
        let mut asked = lock(&self.asked);
        asked.retain(|_, at| at.elapsed() < GLANCE);
        for world in worlds {
            if is_second {
                lock(&world.history).second();
            }
            let mut streams = lock(&self.streams);
            streams.feed(&world);
            let watched = asked.contains_key(&world.id) || streams.watch(&world);
            world.watched.store(watched, Ordering::Relaxed);
        }
    }

    /// Returns the world of a path, and starts watching it.
    pub(super) fn world(&self, id: &str) -> Result<Arc<Slot>, Refusal> {
        let world = id.parse().ok().and_then(|id| self.shared.world(id));
        let world = world.ok_or_else(|| Refusal::unknown(format!("there is no world `{id}`")))?;
        lock(&self.asked).insert(world.id, Instant::now());
        world.watched.store(true, Ordering::Relaxed);
        Ok(world)
    }

    fn hello(&self) -> Value {
        let settings = &self.shared.settings;
        let worlds = self.shared.all();
        // A log that was closed is not listed.
        let worlds = worlds
            .iter()
            .filter(|it| it.is_attached() || it.travel.is_none());
        let worlds = worlds.map(|world| {
            json!({
                "id": world.id,
                "name": world.name,
                "attached": world.is_attached(),
                "replay": world.travel.is_some(),
            })
        });
        json!({
            "version": api::VERSION,
            "server": env!("CARGO_PKG_VERSION"),
            "writable": settings.writable,
            "worlds": worlds.collect::<Vec<_>>(),
            "editor": sources::editor(settings),
            "limits": {
                "body": BODY,
                "list": LIST,
                "events": settings.history,
                "streams": settings.streams,
                "log": travels::LOG,
                "logs": travel::MOST,
            },
        })
    }

    fn events(&self, world: Arc<Slot>, query: &Query) -> Result<Response<Body>, Refusal> {
        let mut streams = lock(&self.streams);
        if streams.len() >= self.shared.settings.streams {
            return Err(Refusal::new(429, "busy", "too many streams are open"));
        }
        let wants_trace = query.get("trace") == Some("1");
        Ok(reply::stream(streams.open(world, wants_trace)))
    }
}

/// Asks the world itself.
async fn ask(world: &Slot, ask: Ask) -> Answer {
    if !world.is_attached() {
        return Err(detached());
    }
    let (answer, answered) = oneshot::channel();
    world.queue(Job { ask, answer })?;
    match timeout(PATIENCE, answered).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(detached()),
        Err(_) => {
            let text = "the world has not called `update` for two seconds";
            Err(Refusal::new(504, "asleep", text))
        }
    }
}

pub(super) async fn answer(
    State(server): State<Arc<Server>>,
    ConnectInfo(line): ConnectInfo<Line>,
    request: Request,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let token = server.shared.token.as_ref();
    let query = Query::of(parts.uri.query()).and_then(|query| {
        guard::check_token(&parts.headers, &query, server.port, token)?;
        Ok(query)
    });
    // Otherwise, a client without the token could keep its place forever, with a request now and then.
    let is_last = query.is_err();
    let answer = answer_or_refuse(&server, &line, &parts, query, body).await;
    let response = answer.unwrap_or_else(|refusal| reply::refused(&refusal));
    if is_last {
        return reply::closing(response);
    }
    response
}

/// Answers a request whose query is an error if it does not have the token.
async fn answer_or_refuse(
    server: &Arc<Server>,
    line: &Line,
    parts: &Parts,
    query: Result<Query, Refusal>,
    body: Body,
) -> Result<Response<Body>, Refusal> {
    let settings = &server.shared.settings;
    guard::check_place(&parts.headers, server.port, settings)?;
    let path = parts.uri.path();
    let Some(path) = path.strip_prefix("/api/") else {
        let file = FILES.iter().find(|file| file.path == path);
        let file = file.ok_or_else(|| Refusal::unknown(format!("there is no file `{path}`")))?;
        guard::check_method(&parts.method, &Method::GET)?;
        if let Some(token) = &server.shared.token
            && path == "/"
            && parts.uri.query().is_some()
        {
            query?;
            return Ok(reply::welcome(&guard::cookie(server.port), token));
        }
        return Ok(reply::file(file));
    };
    let query = query?;
    let steps: Vec<&str> = path.split('/').collect();
    let wanted = match steps[..] {
        ["v1", "worlds", _, "console" | "clock" | "break"]
        | ["v1", "worlds", _, "later", _, _]
        | ["v1", "worlds", _, "messagees", _, "change"]
        | ["v1", "worlds", _, "recording", "start" | "open"]
        | ["v1", "worlds", _, "travel", _]
        | ["v1", "worlds", _, "breaks", _, "remove"]
        | ["v1", "logs"] => Method::POST,
        _ => Method::GET,
    };
    guard::check_method(&parts.method, &wanted)?;
    if let ["v1", "logs"] = steps[..] {
        guard::check_change(&parts.headers, settings, "application/octet-stream")?;
        return travels::upload(server, &query, body).await;
    }
    let body = if wanted == Method::POST {
        guard::check_change(&parts.headers, settings, "application/json")?;
        let bytes = read_body(body, BODY).await?;
        let read = serde_json::from_slice(&bytes);
        read.map_err(|error| Refusal::bad(format!("the body is not JSON: {error}")))?
    } else {
        Value::Null
    };
    match steps[..] {
        ["v1", "hello"] => Ok(reply::data(&server.hello())),
        ["v1", "worlds", world, "events"] => {
            let stream = server.events(server.world(world)?, &query)?;
            line.streams();
            Ok(stream)
        }
        ["v1", "worlds", world, "recording", "log"] => {
            let world = server.world(world)?;
            may_export(settings)?;
            let recorder = lock(&world.flight).recorder()?;
            let name = file_name(&world.name, world.id, "log");
            Ok(reply::download(recorder.bytes(), &name))
        }
        ["v1", "worlds", world, "flow", form @ ("text" | "mermaid")] => {
            let world = server.world(world)?;
            let flow = lock(&world.history).flow_of_types();
            let (text, kind) = match form {
                "text" => (flow.to_string(), "flow.txt"),
                _ => (flow.to_mermaid(), "flow.mmd"),
            };
            let name = file_name(&world.name, world.id, kind);
            Ok(reply::download(text.into_bytes(), &name))
        }
        ["v1", "worlds", world, "recording"] => {
            let world = server.world(world)?;
            let told = lock(&world.flight).told(settings);
            Ok(reply::data(&told))
        }
        ["v1", "worlds", world, "recording", "open"] => {
            let world = server.world(world)?;
            travels::open_recording(server, &world).await
        }
        ["v1", "worlds", world, "travel", ref what @ ..] => {
            let world = server.world(world)?;
            travels::travel(&world, what, &body)
        }
        ["v1", "worlds", world, ref what @ ..] => {
            let world = server.world(world)?;
            let answer = read(&world, what, &query);
            let answer = match answer? {
                Some(answer) => answer,
                None => ask_world(server, &world, what, &query, &body).await?,
            };
            Ok(reply::data(&answer))
        }
        _ => Err(nowhere()),
    }
}

/// Reads a body of at most this many bytes.
pub(super) async fn read_body(body: Body, most: usize) -> Result<Bytes, Refusal> {
    to_bytes(body, most).await.map_err(|error| {
        if is_late(&error) {
            return Refusal::new(408, "slow", "the body took too long to arrive");
        }
        let text = format!("the body: expected at most {most} bytes");
        Refusal::new(413, "body", text)
    })
}

/// Returns whether an error comes from the deadline of the connection.
fn is_late(error: &(dyn Error + 'static)) -> bool {
    let mut sources = successors(Some(error), |&error| error.source());
    sources.any(|error| {
        let error = error.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
    })
}

pub(super) fn nowhere() -> Refusal {
    Refusal::unknown("there is nothing at this path: see the module `message_inspector::api`")
}

/// Answers a request from the history. Returns `None` if the world has to be asked.
fn read(world: &Slot, what: &[&str], query: &Query) -> Result<Option<Value>, Refusal> {
    let history = || lock(&world.history);
    Ok(Some(match *what {
        ["now"] => history().now(world),
        ["letters"] => history().letters(),
        ["types"] => types(),
        ["flow"] => {
            let by_type = match query.get("by") {
                None | Some("type") => true,
                Some("messagee") => false,
                Some(other) => {
                    let text = format!("`by={other}`: expected `type` or `messagee`");
                    return Err(Refusal::bad(text));
                }
            };
            let limit = query.number("limit", LIST, LIST)?;
            history().flow(by_type, query.get("message"), limit)
        }
        ["timeline"] => {
            let wanted = Wanted {
                frames: query.number("frames", 60, 600)?,
                before: query.some_number("before")?,
                message: query.text("message"),
                messagee: query.text("messagee"),
                search: Search::of(query.get("search").unwrap_or_default())
                    .map_err(Refusal::bad)?,
                limit: query.number("limit", 2_000, 10_000)?,
            };
            history().timeline(&wanted)
        }
        ["cause", id] => {
            let wrong = |_| Refusal::bad(format!("`{id}`: expected the number of a trace id"));
            let id: u64 = id.parse().map_err(wrong)?;
            let cause = history().cause(id);
            cause.ok_or_else(|| Refusal::unknown(format!("nothing is recorded for #{id}")))?
        }
        _ => return Ok(None),
    }))
}

/// Answers a request by asking the world, or carries it out there.
async fn ask_world(
    server: &Server,
    world: &Slot,
    what: &[&str],
    query: &Query,
    body: &Value,
) -> Answer {
    let search = query.text("search");
    match *what {
        ["messagees"] => {
            let limit = query.number("limit", 100, LIST)?.max(1);
            let (parent, after) = (query.text("parent"), query.text("after"));
            let asked = Ask::Messagees {
                parent,
                search,
                after,
                limit,
            };
            let mut told = ask(world, asked).await?;
            told["gone"] = lock(&world.history).gone(query.get("search"));
            Ok(told)
        }
        ["messagees", id] => {
            let told = ask(world, Ask::Messagee(id.to_owned())).await;
            let gone = |refusal| lock(&world.history).gone_messagee(id).ok_or(refusal);
            let mut told = told.or_else(gone)?;
            let (received, sent) = lock(&world.history).of_messagee(id, 50);
            told["received"] = received;
            told["sent"] = sent;
            Ok(told)
        }
        ["messagees", id, "change"] => {
            let text = |field: &str| body[field].as_str().map(str::to_owned);
            let wrong =
                || Refusal::bad("expected `{\"hook\": ID, \"field\": TEXT, \"value\": TEXT}`");
            let change = Change {
                messagee: id.to_owned(),
                hook: text("hook").ok_or_else(wrong)?,
                field: text("field").unwrap_or_default(),
                value: text("value").ok_or_else(wrong)?,
            };
            ask(world, Ask::Change(change)).await
        }
        ["later"] => {
            let limit = query.number("limit", 200, LIST)?;
            ask(world, Ask::Later { search, limit }).await
        }
        ["later", post, act @ ("cancel" | "deliver")] => {
            let wrong = |_| Refusal::bad(format!("`{post}`: expected the number of a post"));
            let post = post.parse().map_err(wrong)?;
            let act = match act {
                "cancel" => Ask::Cancel(post),
                _ => Ask::Deliver(post),
            };
            ask(world, act).await
        }
        ["startup"] => ask(world, Ask::Startup).await,
        ["unhandled"] => {
            // A world that is detached counts no more.
            let counted = if world.is_attached() {
                ask(world, Ask::Unhandled).await?
            } else {
                Value::Null
            };
            let counted = counted.as_array().cloned().unwrap_or_default();
            Ok(lock(&world.history).unheard(counted))
        }
        ["breaks"] => ask(world, Ask::Breaks).await,
        ["break"] => {
            let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
            let (message, messagee) = (text("message"), text("messagee"));
            ask(world, Ask::Break { message, messagee }).await
        }
        ["breaks", id, "remove"] => {
            let wrong = |_| Refusal::bad(format!("`{id}`: expected the number of a break"));
            ask(world, Ask::Unbreak(id.parse().map_err(wrong)?)).await
        }
        ["recording", "start"] => ask(world, Ask::Record).await,
        ["console", "complete"] => {
            let line = query.text("line").unwrap_or_default();
            ask(world, Ask::Complete(line)).await
        }
        ["console"] => {
            let line = body["line"].as_str();
            let line = line.ok_or_else(|| Refusal::bad("expected `{\"line\": TEXT}`"))?;
            let done = ask(world, Ask::Console(line.to_owned())).await?;
            let told = json!({
                "line": line,
                "by": "page",
                "ok": done["ok"],
                "text": done["text"],
                "trace": done["sent"][0]["trace"],
            });
            lock(&server.streams).tell(world, "console", &told);
            Ok(done)
        }
        ["clock"] => ask(world, clock(body)?).await,
        _ => Err(nowhere()),
    }
}

fn clock(body: &Value) -> Result<Ask, Refusal> {
    let Value::Object(fields) = body else {
        return Err(Refusal::bad(
            "expected an object with `paused`, `scale` or `step`",
        ));
    };
    let (mut paused, mut scale, mut step) = (None, None, None);
    for (field, value) in fields {
        let wrong = |wanted: &str| Refusal::bad(format!("`{field}`: expected {wanted}"));
        match &**field {
            "paused" => paused = Some(value.as_bool().ok_or_else(|| wrong("true or false"))?),
            "scale" => scale = Some(value.as_f64().ok_or_else(|| wrong("a number"))?),
            "step" => step = Some(value.as_u64().ok_or_else(|| wrong("a number of frames"))?),
            _ => return Err(wrong("one of `paused`, `scale` and `step`")),
        }
    }
    Ok(Ask::Clock {
        paused,
        scale,
        step,
    })
}

/// Returns the types that the program declares.
fn types() -> Value {
    let registry = message_core::registry();
    // Data has its own name, so a type is matched by the place of its declaration.
    let data_of = |name: &str, file: &str, is_message: bool| {
        let own = data::find(name).ok();
        let mut declared = data::types();
        own.or_else(|| {
            declared.find(|ty| ty.place().file == file && ty.short_name() == short(name))
        })
        .filter(|ty| ty.is_message() == is_message)
    };
    let messages = registry.messages().map(|info| {
        let handlers = registry.handlers_of(info.id).map(|it| {
            json!({
                "component": it.component,
                "handler": it.method,
                "priority": it.priority,
                "place": it.place.to_string(),
            })
        });
        let data = data_of(info.name, info.place.file, true);
        json!({
            "message": info.name,
            "short": short(info.name),
            "place": info.place.to_string(),
            "tags": info.tags.iter().map(Tag::name).collect::<Vec<_>>(),
            "data": data.is_some(),
            "fields": data.map(data::DataType::fields).unwrap_or_default(),
            "handlers": handlers.collect::<Vec<_>>(),
        })
    });
    let messages: Vec<_> = messages.collect();
    let components = registry.components().map(|info| {
        let handles = registry.handlers();
        let handles = handles.filter(|it| it.component == info.name);
        let mut handles: Vec<_> = handles.map(|handler| handler.message).collect();
        handles.dedup();
        let data = data_of(info.name, info.place.file, false);
        json!({
            "component": info.name,
            "short": short(info.name),
            "place": info.place.to_string(),
            "data": data.is_some(),
            "fields": data.map(data::DataType::fields).unwrap_or_default(),
            "handles": handles,
        })
    });
    json!({ "messages": messages, "components": components.collect::<Vec<_>>() })
}
