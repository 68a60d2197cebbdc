//! The settings of an inspector before it serves.

use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use message_core::{Component, HookId, ManagerConfig, MessageManager};

use crate::sources;
use crate::token::{Choice, Token};
use crate::{Inspector, InspectorError};

/// Describes a component of one type, or says why that is impossible.
pub(crate) type Show = fn(&MessageManager, HookId) -> Result<String, &'static str>;

/// Prepares the manager of a replay.
pub(crate) type Prepare = Arc<dyn Fn(&mut MessageManager) + Send + Sync>;

/// Sets up an [`Inspector`].
///
/// ```
/// use message_inspector::Inspector;
///
/// let inspector = Inspector::builder().writable(true).history(5_000).serve("127.0.0.1:0")?;
/// assert!(inspector.url().starts_with("http://127.0.0.1:"));
/// # Ok::<(), message_inspector::InspectorError>(())
/// ```
#[derive(Clone)]
pub struct Builder {
    pub(crate) writable: bool,
    pub(crate) token: Choice,
    pub(crate) hosts: Vec<String>,
    pub(crate) budget: usize,
    pub(crate) history: usize,
    pub(crate) flight: Option<u64>,
    pub(crate) crashes: Option<PathBuf>,
    pub(crate) replays_with: ManagerConfig,
    pub(crate) prepare: Option<Prepare>,
    pub(crate) contents: bool,
    pub(crate) streams: usize,
    pub(crate) connections: usize,
    pub(crate) deadline: Duration,
    pub(crate) editor: String,
    pub(crate) sources: Option<PathBuf>,
    pub(crate) hidden: BTreeSet<&'static str>,
    pub(crate) shown: BTreeMap<&'static str, Show>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            writable: false,
            token: Choice::Random,
            hosts: Vec::new(),
            budget: 2_000,
            history: 20_000,
            flight: None,
            crashes: None,
            replays_with: ManagerConfig::default(),
            prepare: None,
            contents: true,
            streams: 32,
            connections: 128,
            deadline: Duration::from_secs(10),
            editor: sources::VSCODE.to_owned(),
            sources: None,
            hidden: BTreeSet::new(),
            shown: BTreeMap::new(),
        }
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("writable", &self.writable)
            .field("token", &self.token)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Allows pages to change the worlds: to send messages, to cancel posts, to pause the clock. This is
    /// disabled by default.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().writable(true).serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn writable(mut self, writable: bool) -> Self {
        self.writable = writable;
        self
    }

    /// Sets the token that each request needs: at least 16 characters, each a letter, a digit, `-` or `_`. By
    /// default, each server makes a random one.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// let inspector = Inspector::builder().token("f3Kq-8ZpL_x20vNd").serve("127.0.0.1:0")?;
    /// assert!(inspector.url().ends_with("/?token=f3Kq-8ZpL_x20vNd"));
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Choice::Given(Token::new(token.into()));
        self
    }

    /// Answers requests without a token, so that every user and every program on this machine can look. The address
    /// must be a loopback address.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// let inspector = Inspector::builder().without_token().serve("127.0.0.1:0")?;
    /// assert_eq!(inspector.url(), format!("http://{}/", inspector.address()));
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    #[must_use]
    pub fn without_token(mut self) -> Self {
        self.token = Choice::Without;
        self
    }

    /// Sets how long a client may take to send a request and to receive its answer: 10 seconds by default. A
    /// client that takes longer loses its connection, and so does one that is idle for that long. A stream of
    /// events ends when its client receives nothing for that long.
    ///
    /// ```
    /// use message_inspector::Inspector;
    /// use std::time::Duration;
    ///
    /// let builder = Inspector::builder().deadline(Duration::from_secs(60));
    /// assert!(builder.serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Allows a host name, without a port, by which the server can be reached. IP addresses and `localhost`
    /// are always allowed.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().host("workstation.lan").serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into().to_ascii_lowercase());
        self
    }

    /// Sets the link by which lines of source open in an editor, or no link if it is empty. In the link, `{file}` is
    /// replaced by the absolute path without its leading `/`, `{line}` by the line, and `{column}` by the column or
    /// 1. The default is `vscode://file/{file}:{line}:{column}`.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// let builder = Inspector::builder().editor("idea://open?file=/{file}&line={line}");
    /// assert!(builder.serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn editor(mut self, link: impl Into<String>) -> Self {
        self.editor = link.into();
        self
    }

    /// Sets the folder to which the compiler's relative paths refer. By default, it is the nearest folder with a
    /// `Cargo.lock`, from the current directory upwards.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().sources("/home/ann/game").serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn sources(mut self, folder: impl Into<PathBuf>) -> Self {
        self.sources = Some(folder.into());
        self
    }

    /// Sets the maximum number of events that are traced in one frame: 2 000 by default.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().budget(500).serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn budget(mut self, events: usize) -> Self {
        self.budget = events.max(1);
        self
    }

    /// Sets how many events of each world the server keeps: 20 000 by default, about 300 bytes each.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().history(1_000).serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn history(mut self, events: usize) -> Self {
        self.history = events.max(1);
        self
    }

    /// Sets how many of the last frames of each world are kept in memory as a log of inputs, so that the page can go back
    /// to them: 3 600 by default. With 0, nothing is kept. Between this number and twice as many are there.
    ///
    /// By default, nothing is kept of a world whose state takes more than 4 MiB, because saving it again and again would
    /// hold it up. Setting a number, or a writable page, asks for it all the same.
    ///
    /// A [`FlightRecorder`](message_data::FlightRecorder) keeps them from [`attach`](Inspector::attach) on, whether
    /// somebody looks or not. It saves the state once in this number of frames, and takes the memory of two states and of
    /// up to 64 MiB of inputs. A manager has one log at a time, so there is none if the program writes one before it
    /// attaches the manager, and the program cannot start one afterwards. There is none either if the state cannot be
    /// saved. The page says so.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Log, LogOptions};
    /// use message_inspector::Inspector;
    ///
    /// let mut inspector = Inspector::builder().flight_recorder(0).serve("127.0.0.1:0")?;
    /// let mut manager = MessageManager::new();
    /// inspector.attach(&mut manager, "world");
    /// // The program keeps a log of its own.
    /// Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn flight_recorder(mut self, frames: u64) -> Self {
        self.flight = Some(frames);
        self
    }

    /// Writes the [last frames](Self::flight_recorder) of a world to a file in this folder when a panic drops its
    /// manager. The name of the file is the name of the world and its number, such as `town-0.log`; the page shows it.
    /// By default, nothing is written.
    ///
    /// The file can be dropped onto the page of the same program.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().write_on_panic("crashes").serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn write_on_panic(mut self, folder: impl Into<PathBuf>) -> Self {
        self.crashes = Some(folder.into());
        self
    }

    /// Sets a function that prepares the manager of each replay, as [`Replay::prepare`](message_data::Replay::prepare)
    /// does: a log has no closures, so a program whose subscribers matter subscribes again in it. It is called on the
    /// thread of the replay.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_inspector::Inspector;
    ///
    /// let builder = Inspector::builder().prepare(|manager| {
    ///     manager.subscribe(Filter::all(), |_, _| {});
    /// });
    /// assert!(builder.serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn prepare(
        mut self,
        prepare: impl Fn(&mut MessageManager) + Send + Sync + 'static,
    ) -> Self {
        self.prepare = Some(Arc::new(prepare));
        self
    }

    /// Sets the limits of the managers of replays, as [`Replay::config`](message_data::Replay::config) does. They should
    /// be those of the recorded managers. The default is [`ManagerConfig::default`]. Replays report nothing, wherever these
    /// limits report to: what fails again was reported before.
    ///
    /// ```
    /// use message_core::ManagerConfig;
    /// use message_inspector::Inspector;
    ///
    /// let builder = Inspector::builder().replay_config(ManagerConfig::new().max_depth(20));
    /// assert!(builder.serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn replay_config(mut self, config: ManagerConfig) -> Self {
        self.replays_with = config;
        self
    }

    /// Sets whether the contents of messages are shown, using `Debug`. They are shown by default.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().contents(false).serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn contents(mut self, contents: bool) -> Self {
        self.contents = contents;
        self
    }

    /// Never shows the values of a component type.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// struct Password(String);
    ///
    /// assert!(Inspector::builder().hide::<Password>().serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn hide<C: Component>(mut self) -> Self {
        self.hidden.insert(type_name::<C>());
        self
    }

    /// Shows the values of a component type using its `Debug`, if it has no data.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// #[derive(Debug)]
    /// struct Speed(f32);
    ///
    /// assert!(Inspector::builder().show::<Speed>().serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn show<C: Component + Debug>(mut self) -> Self {
        self.shown.insert(type_name::<C>(), |manager, hook| {
            let owner = manager.owner(hook).map_err(|_| "it is gone")?;
            if manager.hooks_of::<C>(owner).count() > 1 {
                return Err("the messagee has several of this type");
            }
            let component = manager.get::<C>(owner);
            let component = component.map_err(|_| "it cannot be read now")?;
            Ok(format!("{:?}", &*component))
        });
        self
    }

    /// Starts the server on an address such as `127.0.0.1:7000`; port 0 picks a free port.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be parsed or listened on, if other machines can reach it although
    /// the token is [switched off](Self::without_token), if the token is invalid, or if the system has no random
    /// numbers.
    ///
    /// ```
    /// use message_inspector::{Inspector, InspectorError};
    ///
    /// let refused = Inspector::builder().without_token().serve("0.0.0.0:0");
    /// assert!(matches!(refused, Err(InspectorError::NeedsToken { .. })));
    /// ```
    pub fn serve(self, address: impl AsRef<str>) -> Result<Inspector, InspectorError> {
        Inspector::start(self, address.as_ref())
    }
}
