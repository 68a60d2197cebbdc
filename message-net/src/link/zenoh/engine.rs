//! The thread of a link: it opens the zenoh session, passes frames to it, and closes it.
//!
//! Frames are put with congestion control `Drop`. With `Block`, a stalled receiver would block this thread and
//! the router's forwarding thread for all other receivers, too, and zenoh would close the connection after five
//! seconds. The session layer above resends dropped frames.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ::zenoh::bytes::ZBytes;
use ::zenoh::qos::CongestionControl;
use ::zenoh::sample::SampleKind;
use ::zenoh::{Session, Wait as _};

use super::config::ZenohConfig;
use super::counts::Counters;
use super::keys::Keys;
use super::memory::{self, Memory};
use super::queue::{Addressed, Inbox, Outbox};
use super::reason;
use crate::link::LinkEvent;
use crate::name::NodeName;

/// The shortest and the longest pause between two attempts to open a session.
const RETRY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_millis(500));
/// How often the thread checks the connection when there is nothing to send.
const LOOK: Duration = Duration::from_millis(100);

/// How long zenoh may try to reconnect before the session is given up and a new one is opened. Opening one
/// reveals the reason, and gets zenoh out of whatever it is stuck in.
const GIVE_UP: Duration = Duration::from_secs(10);
/// How long no frame must be dropped before the next drop is reported again.
const QUIET: Duration = Duration::from_secs(5);

/// The state shared by the caller of a link, its thread and zenoh's callbacks.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) keys: Keys,
    pub(super) max_frame: usize,
    pub(super) outbox: Outbox,
    pub(super) inbox: Inbox,
    pub(super) counters: Arc<Counters>,
    pub(super) memory: Arc<Memory>,
}

/// Reports a panic of the link's thread.
pub(super) struct Alarm(pub(super) Arc<Shared>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text = "the thread of the link panicked and has ended".to_owned();
            self.0.inbox.tell(LinkEvent::Trouble(text));
        }
    }
}

/// The state of a link's thread.
pub(super) struct Engine {
    pub(super) node: NodeName,
    pub(super) config: ZenohConfig,
    pub(super) zenoh: ::zenoh::Config,
    pub(super) shared: Arc<Shared>,
}

/// The declarations of a zenoh session. They are dropped with it.
type Declared = (
    ::zenoh::pubsub::Subscriber<()>,
    ::zenoh::pubsub::Subscriber<()>,
    ::zenoh::liveliness::LivelinessToken,
);

impl Engine {
    /// Opens a session, serves it until the link is closed, and closes it.
    pub(super) fn run(self) {
        while let Some((session, declared)) = self.open() {
            self.serve(&session);
            // Frames that were sent before the link was dropped are still transmitted.
            self.put(&session, self.shared.outbox.take(Duration::ZERO));
            drop(declared);
            // Zenoh waits for up to ten seconds. Whether its goodbye gets through does not matter: the others
            // notice anyway.
            let _ = session.close().wait();
        }
    }

    /// Tries until a session is open. Returns `None` if the link is closed before that.
    fn open(&self) -> Option<(Session, Declared)> {
        let mut pause = RETRY.0;
        let mut told = String::new();
        loop {
            if self.shared.outbox.is_closing() {
                return None;
            }
            let (opened, heard) = reason::listen(|| self.try_open());
            let error = match opened {
                Ok(open) => return Some(open),
                Err(error) => why(&error.to_string(), heard),
            };
            if error != told {
                self.trouble(&format!(
                    "{}: {error}; it keeps trying",
                    self.config.describe(&self.node)
                ));
                told = error;
            }
            if self.shared.outbox.pause(pause) {
                return None;
            }
            pause = (pause * 3 / 2).min(RETRY.1);
        }
    }

    fn try_open(&self) -> ::zenoh::Result<(Session, Declared)> {
        let session = ::zenoh::open(self.zenoh.clone()).wait()?;
        let declared = self.declare(&session)?;
        Ok((session, declared))
    }

    /// Declares the subscription before the token, because anyone who sees the token can send.
    fn declare(&self, session: &Session) -> ::zenoh::Result<Declared> {
        let shared = &self.shared;
        let instance = format!("{}.{}", session.zid(), std::process::id());
        let number = shared.inbox.begin(&instance);

        let frames = session
            .declare_subscriber(shared.keys.frames(&self.node))
            .callback({
                let shared = Arc::clone(shared);
                move |sample| {
                    if sample.kind() == SampleKind::Put {
                        shared.arrived(sample.key_expr().as_str(), sample.payload());
                    } else {
                        shared.counters.strange.add();
                    }
                }
            })
            .wait()?;
        let tokens = session
            .liveliness()
            .declare_subscriber(shared.keys.tokens())
            .history(true)
            .callback({
                let shared = Arc::clone(shared);
                move |sample| {
                    let is_there = sample.kind() == SampleKind::Put;
                    shared.noticed(number, sample.key_expr().as_str(), is_there);
                }
            })
            .wait()?;
        let own = shared.keys.token(self.node.as_str(), &instance);
        let token = session.liveliness().declare_token(own).wait()?;
        Ok((frames, tokens, token))
    }

    /// Passes frames to zenoh as they come, and checks the connection, until the link is closed or the
    /// connection has been lost for too long.
    fn serve(&self, session: &Session) {
        let mut lost: Option<Instant> = None;
        let mut overflow = Overflow::default();
        while !self.shared.outbox.is_closing() {
            let frames = self.shared.outbox.take(LOOK);
            self.put(session, frames);
            for instance in self.shared.inbox.rivals() {
                let by = other(&instance);
                self.shared.inbox.tell(LinkEvent::NameTaken { by });
            }
            if overflow.is_news(self.shared.counters.overflowed.get()) {
                self.trouble(&format!(
                    "node `{}` drops incoming frames: it is polled too rarely",
                    self.node
                ));
            }
            if self.config.needs_others() {
                if has_others(session) {
                    lost = None;
                } else if let Some(since) = lost {
                    if since.elapsed() > GIVE_UP {
                        return;
                    }
                } else {
                    lost = Some(Instant::now());
                    self.trouble(&format!(
                        "node `{}` has lost its connection; it keeps trying to connect",
                        self.node
                    ));
                }
            }
        }
    }

    fn put(&self, session: &Session, frames: impl IntoIterator<Item = Addressed>) {
        let shared = &self.shared;
        for (to, frame) in frames {
            let key = shared.keys.frame(to.as_str(), self.node.as_str());
            let put = session
                .put(key, memory::payload(frame))
                .congestion_control(CongestionControl::Drop)
                .express(false)
                .wait();
            match put {
                Ok(()) => shared.counters.sent.add(),
                Err(_) => shared.counters.unsent.add(),
            }
        }
    }

    fn trouble(&self, text: &str) {
        let event = LinkEvent::Trouble(text.to_owned());
        self.shared.inbox.tell(event);
    }
}

impl Shared {
    /// Takes a frame that was published under a key of this node.
    fn arrived(&self, key: &str, frame: &ZBytes) {
        let counters = &self.counters;
        let counter = match self.keys.sender(key) {
            None => &counters.strange,
            Some(_) if frame.len() > self.max_frame => &counters.too_long,
            Some(from) => {
                if self.inbox.push(from, self.memory.copy(frame)) {
                    &counters.received
                } else {
                    &counters.overflowed
                }
            }
        };
        counter.add();
    }

    /// Takes note that a token has appeared or vanished.
    fn noticed(&self, session: u64, key: &str, is_there: bool) {
        match self.keys.alive(key) {
            Some((node, instance)) => self.inbox.noticed(session, &node, instance, is_there),
            None => self.counters.strange.add(),
        }
    }
}

/// Returns the reason why no session could be opened: the warnings that were logged, or else the error.
fn why(error: &str, mut heard: Vec<String>) -> String {
    heard.retain(|warning| warning != error);
    if heard.is_empty() {
        heard.push(error.to_owned());
    }
    let reasons: Vec<String> = heard.iter().map(|text| reason::plain(text)).collect();
    reasons.join(" ")
}

/// When frames were last seen to be dropped, so that continuous drops are reported only once.
#[derive(Debug, Default)]
struct Overflow {
    count: u64,
    last: Option<Instant>,
}

impl Overflow {
    /// Updates the count of dropped frames. Returns `true` if it is to be reported.
    fn is_news(&mut self, count: u64) -> bool {
        if count == self.count {
            return false;
        }
        self.count = count;
        let now = Instant::now();
        let last = self.last.replace(now);
        last.is_none_or(|last| now.duration_since(last) > QUIET)
    }
}

/// Returns `true` if the session is connected to another process.
fn has_others(session: &Session) -> bool {
    let info = session.info();
    info.routers_zid().wait().next().is_some() || info.peers_zid().wait().next().is_some()
}

/// Describes the location of an instance for a person.
fn other(instance: &str) -> String {
    match instance.split_once('.') {
        Some((zid, process)) => format!("process {process}, session {zid} of zenoh"),
        None => format!("session {instance} of zenoh"),
    }
}
