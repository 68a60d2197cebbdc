//! Links with functions that wait for events.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::thread::sleep;
use std::time::{Duration, Instant};

use message_net::NodeName;
use message_net::link::zenoh::{ZenohConfig, ZenohLink};
use message_net::link::{Link, LinkError, LinkEvent};
use zenoh::Wait as _;
#[cfg(feature = "tls")]
use zenoh::handlers::FifoChannelHandler;
use zenoh::liveliness::LivelinessToken;
#[cfg(feature = "tls")]
use zenoh::{pubsub::Subscriber, sample::Sample};

/// How long to wait for something before the test fails.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// Prints that a test is skipped, bypassing the captured output.
pub(crate) fn skip(what: &str) {
    // If nobody reads it, nothing else can be done.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}

pub(crate) fn name(text: &str) -> NodeName {
    NodeName::new(text).expect("a name")
}

/// Returns a loopback port on which nobody listens.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.local_addr().expect("a port").port()
}

pub(crate) fn endpoint(port: u16) -> String {
    format!("tcp/127.0.0.1:{port}")
}

pub(crate) fn hub(port: u16) -> Tapped {
    Tapped::open("hub", ZenohConfig::hub(&endpoint(port)))
}

pub(crate) fn client(node: &str, port: u16) -> Tapped {
    Tapped::open(node, ZenohConfig::client(&endpoint(port)))
}

/// A plain zenoh client that knows nothing about links, opened with additional settings.
pub(crate) struct Stranger(zenoh::Session);

impl Stranger {
    pub(crate) fn open(endpoint: &str, settings: &[(&str, String)]) -> Self {
        let mut config = zenoh::Config::default();
        let mut set = |path: &str, value: &str| {
            config.insert_json5(path, value).expect("a valid setting");
        };
        set("mode", "\"client\"");
        set("connect/endpoints", &format!("[\"{endpoint}\"]"));
        set("connect/timeout_ms", "60000");
        set("scouting/multicast/enabled", "false");
        for (path, value) in settings {
            set(path, value);
        }
        Self(zenoh::open(config).wait().expect("a router"))
    }

    pub(crate) fn put(&self, key: &str, payload: &[u8]) {
        self.0.put(key, payload).wait().expect("a session");
    }

    pub(crate) fn delete(&self, key: &str) {
        self.0.delete(key).wait().expect("a session");
    }

    pub(crate) fn token(&self, key: &str) -> LivelinessToken {
        let token = self.0.liveliness().declare_token(key.to_owned());
        token.wait().expect("a session")
    }

    #[cfg(feature = "tls")]
    pub(crate) fn subscribe(&self, key: &str) -> Subscriber<FifoChannelHandler<Sample>> {
        let subscriber = self.0.declare_subscriber(key.to_owned());
        subscriber.wait().expect("a session")
    }
}

/// A link, and the polled events that have not been asked for.
pub(crate) struct Tapped {
    pub(crate) link: ZenohLink,
    log: Vec<LinkEvent>,
}

impl Tapped {
    pub(crate) fn open(node: &str, config: ZenohConfig) -> Self {
        let link = ZenohLink::open(name(node), config).expect("a valid configuration");
        let log = Vec::new();
        Self { link, log }
    }

    /// Finds an event among those that were kept, or polls until one is found or the time is over. Other polled
    /// events are kept.
    pub(crate) fn within<T>(
        &mut self,
        time: Duration,
        find: impl Fn(&LinkEvent) -> Option<T>,
    ) -> Option<T> {
        let found = |(at, event)| Some((at, find(event)?));
        if let Some((at, found)) = self.log.iter().enumerate().find_map(found) {
            self.log.remove(at);
            return Some(found);
        }
        let start = Instant::now();
        loop {
            match self.link.poll() {
                Some(event) => match find(&event) {
                    Some(found) => return Some(found),
                    None => self.log.push(event),
                },
                None if start.elapsed() > time => return None,
                None => sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Like [`within`](Self::within), but fails the test if nothing is found within the deadline.
    pub(crate) fn until<T>(&mut self, what: &str, find: impl Fn(&LinkEvent) -> Option<T>) -> T {
        self.within(DEADLINE, find).unwrap_or_else(|| {
            let others = |event: &&LinkEvent| !matches!(event, LinkEvent::Frame { .. });
            let log: Vec<_> = self.log.iter().filter(others).collect();
            panic!("{}: no {what} after {log:?}", self.link.name())
        })
    }

    pub(crate) fn until_came(&mut self, node: &str) {
        let came = LinkEvent::Came(name(node));
        self.until(&format!("{came:?}"), |event| (*event == came).then_some(()));
    }

    pub(crate) fn until_went(&mut self, node: &str) {
        let went = LinkEvent::Went(name(node));
        self.until(&format!("{went:?}"), |event| (*event == went).then_some(()));
    }

    /// Waits for a trouble event that contains a text, and returns its text.
    pub(crate) fn until_trouble(&mut self, part: &str) -> String {
        self.until(&format!("trouble with `{part}`"), |event| match event {
            LinkEvent::Trouble(text) if text.contains(part) => Some(text.clone()),
            _ => None,
        })
    }

    /// Waits for a frame, and returns it with its sender.
    pub(crate) fn frame(&mut self) -> (String, Vec<u8>) {
        self.until("frame", frame)
    }

    /// Sends a frame as soon as the link accepts it.
    pub(crate) fn send(&mut self, to: &str, frame: &[u8]) {
        let start = Instant::now();
        while let Err(error) = self.link.send(&name(to), frame.to_vec().into()) {
            let passes = matches!(error, LinkError::Full | LinkError::Unknown(_));
            assert!(passes && start.elapsed() < DEADLINE, "{error}");
            sleep(Duration::from_millis(2));
        }
    }

    /// Sends a frame to a node that sends it back, and repeats that until it comes back: then both directions
    /// are open.
    pub(crate) fn echo(&mut self, to: &str, mark: &str) {
        let start = Instant::now();
        loop {
            self.send(to, mark.as_bytes());
            let echo = LinkEvent::Frame {
                from: name(to),
                frame: mark.as_bytes().to_vec(),
            };
            let is_echo = |event: &LinkEvent| (*event == echo).then_some(());
            if self.within(Duration::from_millis(200), is_echo).is_some() {
                return;
            }
            assert!(start.elapsed() < DEADLINE, "no echo of {mark}");
        }
    }

    /// Sends a frame to another link of this process, and one back.
    #[cfg(feature = "tls")]
    pub(crate) fn echo_with(&mut self, other: &mut Self) {
        let (own, to) = (self.link.name().clone(), other.link.name().clone());
        self.send(to.as_str(), b"ping");
        assert_eq!(other.frame(), (own.to_string(), b"ping".to_vec()));
        other.send(own.as_str(), b"pong");
        assert_eq!(self.frame(), (to.to_string(), b"pong".to_vec()));
    }

    /// Polls all available events, and returns those since the last call that have not been asked for.
    pub(crate) fn rest(&mut self) -> Vec<LinkEvent> {
        while let Some(event) = self.link.poll() {
            self.log.push(event);
        }
        std::mem::take(&mut self.log)
    }
}

/// Reads a frame and its sender from an event.
pub(crate) fn frame(event: &LinkEvent) -> Option<(String, Vec<u8>)> {
    match event {
        LinkEvent::Frame { from, frame } => Some((from.to_string(), frame.clone())),
        _ => None,
    }
}
