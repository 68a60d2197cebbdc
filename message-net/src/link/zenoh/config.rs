//! The configuration of a link.

use std::time::Duration;

use super::endpoint;
use super::error::ZenohError;
use super::queue::Bound;
use super::reason;
#[cfg(feature = "tls")]
use super::tls::Tls;
use crate::name::NodeName;

/// The default maximum length of a frame.
const MAX_FRAME: usize = 256 << 10;
/// The default capacity of a queue, in frames and bytes.
const QUEUE: Bound = Bound {
    frames: 4_096,
    bytes: 16 << 20,
};
/// The maximum overhead that zenoh adds to a frame: the key, which contains two node names and the name of the
/// world, and some numbers.
const OVERHEAD: usize = 4_096;

/// The role of a process in the zenoh network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Router,
    Client,
    Peer,
}

/// The configuration of a [`ZenohLink`](super::ZenohLink): where the router is, and the limits.
///
/// Zenoh peers do not relay for each other. So one process of a world is its hub: it embeds the router, and the
/// others are its clients. A stand-alone router (`zenohd`) works as well; then all processes are clients.
/// Endpoints are written `tcp/host:port`, or `tls/host:port` with certificates.
///
/// A hub that other machines can reach needs certificates and the names of its nodes: see [`hub`](Self::hub) and
/// [`open_to_anyone`](Self::open_to_anyone).
///
/// ```
/// use message_net::link::zenoh::ZenohConfig;
///
/// let hub = ZenohConfig::hub("tcp/127.0.0.1:7447").world("arena");
/// let zone = ZenohConfig::client("tcp/127.0.0.1:7447").world("arena");
/// assert!(hub.check().is_ok());
/// assert!(zone.check().is_ok());
///
/// let error = ZenohConfig::client("hub.example:7447").check().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`hub.example:7447` is not an endpoint: expected `tcp/host:port` or `tls/host:port`",
/// );
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ZenohConfig {
    mode: Mode,
    listen: Vec<String>,
    connect: Vec<String>,
    world: String,
    scouting: bool,
    lease: Duration,
    max_frame: usize,
    outgoing: Bound,
    incoming: Bound,
    #[cfg(feature = "tls")]
    tls: Option<Tls>,
    only: Option<Vec<NodeName>>,
    is_open: bool,
    settings: Vec<(String, String)>,
}

impl ZenohConfig {
    fn new(mode: Mode) -> Self {
        Self {
            mode,
            listen: Vec::new(),
            connect: Vec::new(),
            world: "world".to_owned(),
            scouting: false,
            lease: Duration::from_secs(2),
            max_frame: MAX_FRAME,
            outgoing: QUEUE,
            incoming: QUEUE,
            #[cfg(feature = "tls")]
            tls: None,
            only: None,
            is_open: false,
            settings: Vec::new(),
        }
    }

    /// Returns the configuration of a hub: this process embeds a router that listens on an endpoint.
    ///
    /// An address that other machines can reach requires certificates on both sides (feature `tls`) and the names of
    /// the nodes, so that each certificate speaks for one node:
    ///
    /// ```
    /// # #[cfg(feature = "tls")]
    /// # fn open() -> Result<(), message_net::NameError> {
    /// use message_net::NodeName;
    /// use message_net::link::zenoh::{Tls, ZenohConfig};
    ///
    /// let config = ZenohConfig::hub("tls/0.0.0.0:7447")
    ///     .tls(Tls::new("authority.pem", "hub.pem", "hub.key"))
    ///     .only([NodeName::new("zone-1")?, NodeName::new("zone-2")?]);
    /// # let _ = config;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Processes on this machine can do without:
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// ZenohConfig::hub("tcp/127.0.0.1:7447").check()?;
    /// let error = ZenohConfig::hub("tcp/0.0.0.0:7447").check().unwrap_err();
    /// assert!(error.to_string().starts_with("`tcp/0.0.0.0:7447` can be reached from other machines"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hub(listen: &str) -> Self {
        Self::new(Mode::Router).and_listen(listen)
    }

    /// Returns the configuration of a client of a router, which is either embedded in a hub or stand-alone.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::client("tcp/hub.example:7447");
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn client(router: &str) -> Self {
        Self::new(Mode::Client).and_connect(router)
    }

    /// Returns the configuration of a peer that listens on an endpoint. Peers do not relay: each must reach
    /// every other one, by [`and_connect`](Self::and_connect), gossip or [`scouting`](Self::scouting). A peer cannot
    /// bind names to certificates, so one that other machines can reach has to be
    /// [open to anyone](Self::open_to_anyone).
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::peer("tcp/127.0.0.1:7447");
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn peer(listen: &str) -> Self {
        Self::new(Mode::Peer).and_listen(listen)
    }

    /// Adds an endpoint to listen on.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").and_listen("tcp/[::1]:7447");
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn and_listen(mut self, endpoint: &str) -> Self {
        self.listen.push(endpoint.to_owned());
        self
    }

    /// Adds an endpoint to connect to. A client connects to the first one that answers; a hub or a peer
    /// connects to all of them.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::peer("tcp/127.0.0.1:7447").and_connect("tcp/other.example:7447");
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn and_connect(mut self, endpoint: &str) -> Self {
        self.connect.push(endpoint.to_owned());
        self
    }

    /// Sets the name of the world, `world` by default: several worlds can share a router. It consists of the
    /// same characters as a [`NodeName`], and can have several parts separated by `/`.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::client("tcp/hub.example:7447").world("games/arena");
    /// assert!(ZenohConfig::client("tcp/hub.example:7447").world("a b").check().is_err());
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn world(mut self, name: &str) -> Self {
        name.clone_into(&mut self.world);
        self
    }

    /// Sets whether other processes are discovered by multicast; off by default.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").scouting(true);
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scouting(mut self, on: bool) -> Self {
        self.scouting = on;
        self
    }

    /// Sets how long the other side of a connection can be silent before it counts as gone; 2 s by default.
    /// Must be between 100 ms and 60 s.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    /// use std::time::Duration;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").lease(Duration::from_secs(5));
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// Sets the maximum length of a frame, in bytes: 256 KiB by default, up to 64 MiB. Use the same value for
    /// all nodes of a world: nodes and routers drop longer frames.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").max_frame(64 << 10);
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max_frame(mut self, bytes: usize) -> Self {
        self.max_frame = bytes;
        self
    }

    /// Sets how many frames and bytes wait to be sent before [`send`](crate::link::Link::send) refuses more;
    /// 4096 frames and 16 MiB by default. There is always room for one frame.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").outgoing(256, 16 << 20);
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outgoing(mut self, frames: usize, bytes: usize) -> Self {
        self.outgoing = Bound { frames, bytes };
        self
    }

    /// Sets how many frames and bytes wait for a [`poll`](crate::link::Link::poll) before incoming frames are
    /// dropped and counted; 4096 frames and 16 MiB by default. There is always room for one frame.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").incoming(256, 16 << 20);
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn incoming(mut self, frames: usize, bytes: usize) -> Self {
        self.incoming = Bound { frames, bytes };
        self
    }

    /// Encrypts all connections, and sets the certificates by which both sides authenticate each other. All
    /// endpoints must then be `tls/host:port`.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::zenoh::{Tls, ZenohConfig};
    ///
    /// let tls = Tls::new("authority.pem", "hub.pem", "hub.key");
    /// let config = ZenohConfig::hub("tls/0.0.0.0:7447").tls(tls);
    /// // The files are looked for when it is opened.
    /// assert!(config.check().is_err());
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[cfg(feature = "tls")]
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Makes a hub accept only nodes with these names, and each name only from a process with that common name
    /// in its certificate. This requires [`tls`](Self::tls), and only applies to a hub.
    ///
    /// It uses zenoh's access control: see zenoh's `access_control` section, which [`setting`](Self::setting)
    /// can also change.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::zenoh::{Tls, ZenohConfig};
    ///
    /// let tls = Tls::new("authority.pem", "hub.pem", "hub.key");
    /// let config = ZenohConfig::hub("tls/0.0.0.0:7447")
    ///     .tls(tls)
    ///     .only([NodeName::new("zone-1")?, NodeName::new("zone-2")?]);
    /// # let _ = config;
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[cfg(feature = "tls")]
    pub fn only(mut self, nodes: impl IntoIterator<Item = NodeName>) -> Self {
        self.only = Some(nodes.into_iter().collect());
        self
    }

    /// Lets any process that can reach this hub or peer be any node: no name is bound to a certificate.
    ///
    /// Without this, a configuration is refused if it listens on an address other than a loopback one, or has
    /// certificates (`tls`), and does not list its nodes (`only`). Use it in a network that you trust.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/0.0.0.0:7447");
    /// assert!(config.check().is_err());
    /// config.open_to_anyone().check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_to_anyone(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Sets any value of zenoh's own configuration, by its path and a JSON5 value, after all other settings:
    /// `.setting("transport/link/tx/lease", "5000")`. Only zenoh checks the value, so it can also open what this
    /// configuration closes.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447").setting("transport/unicast/max_sessions", "100");
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn setting(mut self, path: &str, json5: &str) -> Self {
        self.settings.push((path.to_owned(), json5.to_owned()));
        self
    }

    /// Checks the configuration as [`ZenohLink::open`](super::ZenohLink::open) does.
    ///
    /// # Errors
    ///
    /// Returns an error if an endpoint, the name of the world, a limit, a certificate file or one of zenoh's
    /// settings is not valid.
    ///
    /// ```
    /// use message_net::link::zenoh::ZenohConfig;
    ///
    /// let config = ZenohConfig::hub("tcp/127.0.0.1:7447");
    /// assert!(ZenohConfig::client("hub.example").check().is_err());
    /// config.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), ZenohError> {
        self.to_zenoh().map(drop)
    }

    pub(super) fn world_name(&self) -> &str {
        &self.world
    }

    pub(super) fn most(&self) -> usize {
        self.max_frame
    }

    pub(super) fn bounds(&self) -> (Bound, Bound) {
        (self.outgoing, self.incoming)
    }

    /// Returns how long another node with this node's name is tolerated. The token of a process that died
    /// without a goodbye lingers for a lease.
    pub(super) fn grace(&self) -> Duration {
        self.lease + self.lease / 2
    }

    /// Returns `true` if nobody can be reached without a connection to another process.
    pub(super) fn needs_others(&self) -> bool {
        self.mode != Mode::Router && !self.connect.is_empty()
    }

    /// Describes what the link tries to do, for an error that says that it cannot.
    pub(super) fn describe(&self, node: &NodeName) -> String {
        let (does, endpoints) = match self.mode {
            Mode::Client => ("connect to a router at", &self.connect),
            Mode::Router => ("be a hub at", &self.listen),
            Mode::Peer => ("be a peer at", &self.listen),
        };
        #[cfg_attr(not(feature = "tls"), expect(unused_mut, reason = "added to with tls"))]
        let mut text = format!("node `{node}` cannot {does} {}", endpoints.join(", "));
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            text += &tls.describe();
        }
        text
    }

    /// Checks everything and creates the configuration of zenoh.
    pub(super) fn to_zenoh(&self) -> Result<zenoh::Config, ZenohError> {
        self.check_limits()?;
        let encrypted = self.is_encrypted();
        for endpoint in self.listen.iter().chain(&self.connect) {
            endpoint::check(endpoint, encrypted)?;
        }
        self.check_admission(encrypted)?;
        let mut settings = Settings(zenoh::Config::default());
        settings.set("mode", self.mode.as_json())?;
        settings.set("listen/endpoints", &list(&self.listen))?;
        settings.set("connect/endpoints", &list(&self.connect))?;
        // A client's attempt fails at once, so that the link can stop and report why. The others keep trying in
        // the background.
        let timeout = if self.mode == Mode::Client { "0" } else { "-1" };
        settings.set("connect/timeout_ms", timeout)?;
        settings.set(
            "connect/exit_on_failure",
            if self.mode == Mode::Client {
                "true"
            } else {
                "false"
            },
        )?;
        settings.set(
            "connect/retry",
            "{period_init_ms:200,period_max_ms:500,period_increase_factor:1.5}",
        )?;
        settings.set("listen/timeout_ms", "0")?;
        settings.set("listen/exit_on_failure", "true")?;
        settings.set(
            "scouting/multicast/enabled",
            if self.scouting { "true" } else { "false" },
        )?;
        // A router waits for this delay before it opens.
        if self.mode == Mode::Router {
            settings.set("scouting/delay", "0")?;
        }
        self.set_transport(&mut settings)?;
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            for (path, value) in tls.settings()? {
                settings.set(path, &value)?;
            }
        }
        if let Some(nodes) = &self.only {
            if !encrypted || self.mode != Mode::Router {
                return Err(ZenohError::Only);
            }
            settings.set("access_control", &super::access::rules(&self.world, nodes))?;
        }
        for (path, value) in &self.settings {
            settings.set(path, value)?;
        }
        Ok(settings.0)
    }

    fn set_transport(&self, settings: &mut Settings) -> Result<(), ZenohError> {
        let lease = self.lease.as_millis().to_string();
        settings.set("transport/link/tx/lease", &lease)?;
        settings.set("transport/link/tx/keep_alive", "4")?;
        settings.set("transport/unicast/open_timeout", "3000")?;
        settings.set("transport/unicast/accept_timeout", "3000")?;
        settings.set("transport/unicast/max_sessions", "65536")?;
        // A megabyte of batches for each connection instead of two batches, so that a burst of frames is not
        // dropped while the connection keeps up.
        let queue = "transport/link/tx/queue";
        settings.set(&format!("{queue}/size/data"), "16")?;
        let congestion = format!("{queue}/congestion_control/drop");
        settings.set(&format!("{congestion}/wait_before_drop"), "20000")?;
        settings.set(
            &format!("{congestion}/max_wait_before_drop_fragments"),
            "100000",
        )?;
        let longest = self.max_frame + OVERHEAD;
        settings.set("transport/link/rx/max_message_size", &longest.to_string())
    }

    #[cfg_attr(
        not(feature = "tls"),
        allow(
            clippy::unused_self,
            reason = "nothing is encrypted without the feature"
        )
    )]
    fn is_encrypted(&self) -> bool {
        #[cfg(feature = "tls")]
        return self.tls.is_some();
        #[cfg(not(feature = "tls"))]
        false
    }

    /// Checks that not everyone can be a node, unless that is intended.
    fn check_admission(&self, encrypted: bool) -> Result<(), ZenohError> {
        if self.only.is_some() || self.is_open {
            return Ok(());
        }
        let is_open = |it: &&String| encrypted || !endpoint::is_loopback(it);
        match self.listen.iter().find(is_open) {
            Some(endpoint) => Err(ZenohError::Open {
                endpoint: endpoint.clone(),
                who: if encrypted {
                    "by any process with a certificate of the authority"
                } else {
                    "from other machines"
                },
            }),
            None => Ok(()),
        }
    }

    fn check_limits(&self) -> Result<(), ZenohError> {
        let limit = |what, value: u128, least: u128, most: u128| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(ZenohError::Limit {
                    what,
                    value,
                    least,
                    most,
                })
            }
        };
        limit("bytes of a frame", self.max_frame as u128, 1, 64 << 20)?;
        limit(
            "milliseconds of the lease",
            self.lease.as_millis(),
            100,
            60_000,
        )?;
        for part in self.world.split('/') {
            if NodeName::new(part).is_err() {
                return Err(ZenohError::World(self.world.clone()));
            }
        }
        limit("bytes of a world's name", self.world.len() as u128, 1, 256)
    }
}

impl Mode {
    fn as_json(self) -> &'static str {
        match self {
            Self::Router => "\"router\"",
            Self::Client => "\"client\"",
            Self::Peer => "\"peer\"",
        }
    }
}

/// Formats a list of texts as JSON.
pub(super) fn list<T: AsRef<str>>(texts: &[T]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quote(text.as_ref())).collect();
    format!("[{}]", quoted.join(","))
}

/// Formats a text as JSON.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

struct Settings(zenoh::Config);

impl Settings {
    fn set(&mut self, path: &str, json5: &str) -> Result<(), ZenohError> {
        self.0
            .insert_json5(path, json5)
            .map_err(|error| ZenohError::Setting {
                path: path.to_owned(),
                value: json5.to_owned(),
                why: reason::plain(&error.to_string()),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_checked_before_anything_is_opened() {
        let client = || ZenohConfig::client("tcp/127.0.0.1:7447");
        assert!(client().check().is_ok());
        assert!(ZenohConfig::hub("tcp/[::1]:7447").check().is_ok());
        assert!(ZenohConfig::peer("tcp/127.0.0.1:0").check().is_ok());
        for (config, expected) in [
            (client().world("a//b"), "name of a world"),
            (client().world("a*"), "name of a world"),
            (client().max_frame(0), "bytes of a frame"),
            (client().max_frame(usize::MAX), "bytes of a frame"),
            (client().lease(Duration::ZERO), "milliseconds of the lease"),
            (client().and_connect("tcp/:1"), "is not an endpoint"),
            (client().and_connect("tls/a:1"), "certificates"),
            (client().setting("no/such/path", "1"), "`no/such/path`"),
        ] {
            let error = config.check().expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn who_listens_to_other_machines_says_who_may_come() {
        let open = "tcp/0.0.0.0:7447";
        for config in [
            ZenohConfig::hub(open),
            ZenohConfig::peer(open),
            ZenohConfig::hub("tcp/127.0.0.1:7447").and_listen(open),
            ZenohConfig::client("tcp/127.0.0.1:7447").and_listen(open),
        ] {
            let error = config.check().expect_err("anybody could come").to_string();
            let expected = "`tcp/0.0.0.0:7447` can be reached from other machines";
            assert!(error.starts_with(expected), "{error}");
            assert!(error.contains("`ZenohConfig::open_to_anyone`"), "{error}");
            assert!(config.open_to_anyone().check().is_ok());
        }
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quote("a\\b\"c\n"), r#""a\\b\"c\u000a""#);
        assert_eq!(list(&["a", "b"]), r#"["a","b"]"#);
    }
}
