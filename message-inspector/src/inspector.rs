//! The handle on the simulation's side.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::{fmt, io};

use message_core::MessageManager;
use tokio::sync::{mpsc, oneshot};

use crate::builder::Builder;
use crate::error::InspectorError;
use crate::flight::Flight;
use crate::server;
use crate::shared::{BATCHES, Batch, Shared};
use crate::world::World;

/// A page that shows what happens in one or more managers, together with its server.
///
/// The server stops when the inspector is dropped.
///
/// ```
/// use message_core::prelude::*;
/// use message_inspector::Inspector;
///
/// let mut manager = MessageManager::new();
/// let mut inspector = Inspector::serve("127.0.0.1:0")?;
/// inspector.attach(&mut manager, "world");
/// manager.tick(std::time::Duration::from_millis(16));
/// inspector.update(&mut manager);
/// # Ok::<(), message_inspector::InspectorError>(())
/// ```
pub struct Inspector {
    shared: Arc<Shared>,
    address: SocketAddr,
    worlds: Vec<World>,
    batches: mpsc::Sender<Batch>,
    /// Stops the server when it is dropped.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspector")
            .field("address", &self.address)
            .field("worlds", &self.worlds.len())
            .finish_non_exhaustive()
    }
}

impl Inspector {
    /// Returns a builder, for settings other than the defaults.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert!(Inspector::builder().writable(true).serve("127.0.0.1:0").is_ok());
    /// ```
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Starts a read-only server with a random token on an address such as `127.0.0.1:7000`; port 0 picks a
    /// free port.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Builder::serve`].
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// let inspector = Inspector::serve("127.0.0.1:0")?;
    /// assert!(inspector.address().ip().is_loopback());
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    pub fn serve(address: impl AsRef<str>) -> Result<Self, InspectorError> {
        Self::builder().serve(address)
    }

    pub(crate) fn start(settings: Builder, address: &str) -> Result<Self, InspectorError> {
        let wrong = |error| InspectorError::Address {
            address: address.to_owned(),
            error,
        };
        let nothing = || io::Error::new(io::ErrorKind::InvalidInput, "it leads nowhere");
        let wanted = address.to_socket_addrs().map_err(wrong)?.next();
        let wanted = wanted.ok_or_else(|| wrong(nothing()))?;
        let token = settings.token.for_server(wanted)?;
        let listen = |error| InspectorError::Listen {
            address: wanted,
            error,
        };
        let listener = TcpListener::bind(wanted).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let shared = Arc::new(Shared {
            settings,
            token,
            worlds: Mutex::default(),
            made: AtomicUsize::new(0),
            open_logs: Arc::default(),
        });
        let (batches, incoming) = mpsc::channel(BATCHES);
        let (end, ended) = oneshot::channel();
        let thread = server::start(
            Arc::clone(&shared),
            listener,
            batches.clone(),
            incoming,
            ended,
        )
        .map_err(InspectorError::Thread)?;
        Ok(Self {
            shared,
            address,
            worlds: Vec::new(),
            batches,
            end: Some(end),
            thread: Some(thread),
        })
    }

    /// Returns the address that the server is listening on.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// assert_ne!(Inspector::serve("127.0.0.1:0")?.address().port(), 0);
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the page, which contains the token. The page opens with the token once; then the
    /// browser has a cookie for it.
    ///
    /// ```
    /// use message_inspector::Inspector;
    ///
    /// let inspector = Inspector::serve("127.0.0.1:0")?;
    /// assert!(inspector.url().starts_with(&format!("http://{}/?token=", inspector.address())));
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    #[must_use]
    pub fn url(&self) -> String {
        match &self.shared.token {
            Some(token) => format!("http://{}/?token={}", self.address, token.as_str()),
            None => format!("http://{}/", self.address),
        }
    }

    /// Shows a manager under a name. A manager that is already attached gets the new name. From now on, its last frames
    /// are [recorded](Builder::flight_recorder).
    ///
    /// [Detach](Self::detach) a manager before it is dropped. Otherwise its page says that the world is not
    /// running, and the inspector keeps the manager's resources.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_inspector::Inspector;
    ///
    /// let (mut town, mut cellar) = (MessageManager::new(), MessageManager::new());
    /// let mut inspector = Inspector::serve("127.0.0.1:0")?;
    /// inspector.attach(&mut town, "town");
    /// inspector.attach(&mut cellar, "cellar");
    /// assert!(inspector.is_attached(&town) && inspector.is_attached(&cellar));
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    pub fn attach(&mut self, manager: &mut MessageManager, name: impl Into<String>) {
        self.detach(manager);
        let (id, name) = (self.shared.next_world(), name.into());
        let flight = Flight::start(manager, &self.shared.settings, &name, id, false);
        let (slot, asked, spare) = self.shared.list(id, name, flight, None);
        self.worlds
            .push(World::new(slot, manager.inspect().serial(), asked, spare));
    }

    /// Stops showing a manager. Returns `true` if it was attached. Its history can still be viewed.
    /// Call this before the manager is dropped.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_inspector::Inspector;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut inspector = Inspector::serve("127.0.0.1:0")?;
    /// inspector.attach(&mut manager, "world");
    /// assert!(inspector.detach(&mut manager));
    /// assert!(!inspector.detach(&mut manager));
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    pub fn detach(&mut self, manager: &mut MessageManager) -> bool {
        let serial = manager.inspect().serial();
        let Some(at) = self.worlds.iter().position(|it| it.serial() == serial) else {
            return false;
        };
        self.worlds.remove(at).end(manager);
        true
    }

    /// Returns `true` if the manager is attached.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_inspector::Inspector;
    ///
    /// let manager = MessageManager::new();
    /// assert!(!Inspector::serve("127.0.0.1:0")?.is_attached(&manager));
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    #[must_use]
    pub fn is_attached(&self, manager: &MessageManager) -> bool {
        let serial = manager.inspect().serial();
        self.worlds.iter().any(|it| it.serial() == serial)
    }

    /// Reports the last frame of a manager to the server, and carries out the requests of pages. Call this once
    /// per frame, while no message is being delivered. Call it even while the world is paused: requests of pages
    /// are only answered here.
    ///
    /// This never blocks. While nobody looks, its cost is not measurable. It does nothing for a manager
    /// that is not attached.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_inspector::Inspector;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut inspector = Inspector::serve("127.0.0.1:0")?;
    /// inspector.attach(&mut manager, "world");
    /// for _ in 0..10 {
    ///     manager.tick(Duration::from_millis(16));
    ///     inspector.update(&mut manager);
    /// }
    /// # Ok::<(), message_inspector::InspectorError>(())
    /// ```
    pub fn update(&mut self, manager: &mut MessageManager) {
        let serial = manager.inspect().serial();
        if let Some(world) = self.worlds.iter_mut().find(|it| it.serial() == serial) {
            world.update(manager, &self.shared.settings, &self.batches);
        }
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        for world in self.shared.all() {
            world.attached.store(false, Ordering::Release);
        }
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A server that panicked has already reported it on stderr.
            let _ = thread.join();
        }
    }
}
