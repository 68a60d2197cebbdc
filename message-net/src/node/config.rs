//! The configuration of a node.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use message_core::{Message, Request};
use message_data::Data;
use serde::Serialize;

use crate::node::accept::{Accept, Accepted};
use crate::node::posted::PostLimits;
use crate::session::SessionConfig;
use message_data::ask::write_reply;

/// The configuration of a node: what it accepts, and its limits. The name of the node is that of its link.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::NodeConfig;
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Arrive", exact)]
/// struct Arrive { walker: String }
///
/// let config = NodeConfig::new()
///     .accept::<Arrive>()
///     .resend_window(Duration::from_secs(20));
/// # let _ = config;
/// ```
#[derive(Clone, Debug)]
pub struct NodeConfig {
    /// The number of this run of the program, if it was set.
    pub(crate) incarnation: Option<u64>,
    /// The accepted types, by their full names.
    pub(crate) accepted: BTreeMap<&'static str, Arc<Accepted>>,
    pub(crate) session: SessionConfig,
    /// The maximum number of bytes of messages that wait in the world for each node.
    pub(crate) backlog: usize,
    /// The maximum length of a message.
    pub(crate) max_message: usize,
    /// The maximum number of bytes of memory that a message takes when it is read, if it was set.
    message_memory: Option<usize>,
    /// The maximum number of proxies for each node.
    pub(crate) max_proxies: usize,
    /// The maximum number of exports of this node that another one can ask for, of groups that it can export,
    /// and of exports of third nodes that it can name.
    pub(crate) max_names: usize,
    /// The limits for the posts of each node.
    pub(crate) posts: PostLimits,
    /// The maximum number of message types of each node.
    pub(crate) max_types: usize,
    /// The maximum number of messages of each sender that are handed in at once.
    pub(crate) max_per_sender: Option<usize>,
}

impl Default for NodeConfig {
    fn default() -> Self {
        Self::new()
    }
}

impl NodeConfig {
    /// Creates a configuration that accepts nothing yet.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new();
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            incarnation: None,
            accepted: BTreeMap::new(),
            session: SessionConfig::default(),
            backlog: 4 << 20,
            max_message: 1 << 20,
            message_memory: None,
            max_proxies: 1 << 14,
            max_names: 10_000,
            posts: PostLimits::default(),
            max_types: 4096,
            max_per_sender: None,
        }
    }

    /// Accepts messages of this type, from all nodes and for every receiver that the other node can know.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::{Accept, NodeConfig};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.config.accept", exact)]
    /// struct GetHp;
    ///
    /// let config = NodeConfig::new().accept::<GetHp>();
    /// # let _ = (config, Accept::anyone());
    /// ```
    #[must_use]
    pub fn accept<M: Message + Data>(self) -> Self {
        self.accept_from::<M>(Accept::anyone())
    }

    /// Accepts messages of this type as specified by `accept`.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::{Accept, NodeConfig};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.config.accept_from", exact)]
    /// struct GetHp;
    ///
    /// let config = NodeConfig::new().accept_from::<GetHp>(Accept::anyone().to_exported());
    /// # let _ = (config, Accept::anyone());
    /// ```
    #[must_use]
    pub fn accept_from<M: Message + Data>(mut self, accept: Accept) -> Self {
        self.accepted::<M>().accept = Some(accept);
        self
    }

    /// Answers requests of this type, from all nodes and for every receiver that the other node can know.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::{Accept, NodeConfig};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.config.answer", exact)]
    /// struct GetHp;
    ///
    /// let config = NodeConfig::new().answer::<GetHp>();
    /// # let _ = (config, Accept::anyone());
    /// ```
    #[must_use]
    pub fn answer<M: Request + Data>(self) -> Self
    where
        M::Reply: Serialize,
    {
        self.answer_from::<M>(Accept::anyone())
    }

    /// Answers requests of this type as specified by `accept`.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::{Accept, NodeConfig, NodeName};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.config.answer_from", exact)]
    /// struct GetHp;
    ///
    /// let config = NodeConfig::new().answer_from::<GetHp>(Accept::anyone().from([NodeName::new("hub")?]));
    /// # let _ = (config, Accept::anyone());
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn answer_from<M: Request + Data>(mut self, accept: Accept) -> Self
    where
        M::Reply: Serialize,
    {
        self.accepted::<M>().answer = Some((accept, write_reply::<M>));
        self
    }

    fn accepted<M: Message + Data>(&mut self) -> &mut Accepted {
        let entry = self.accepted.entry(M::TYPE.name());
        let accepted = entry.or_insert_with(|| {
            Arc::new(Accepted {
                of: M::TYPE,
                accept: None,
                answer: None,
            })
        });
        Arc::make_mut(accepted)
    }

    /// Sets the number of this run of the program, which must be different for each run. By default, the node
    /// derives it from the system's clock and the process; simulations set their own.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().incarnation(7);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn incarnation(mut self, number: u64) -> Self {
        self.incarnation = Some(number);
        self
    }

    /// Sets how long another node can be unreachable without any loss: 10 seconds by default.
    ///
    /// ```
    /// use message_net::NodeConfig;
    /// use std::time::Duration;
    ///
    /// let config = NodeConfig::new().resend_window(Duration::from_secs(30));
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn resend_window(mut self, window: Duration) -> Self {
        self.session.resend_window = window;
        self
    }

    /// Sets the time after which a node that has gone without a goodbye is forgotten: five minutes by default. Its
    /// proxies end then, and so does what it has posted. A node that said goodbye is forgotten at once.
    ///
    /// ```
    /// use message_net::NodeConfig;
    /// use std::time::Duration;
    ///
    /// let config = NodeConfig::new().forget_after(Duration::from_secs(60));
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn forget_after(mut self, time: Duration) -> Self {
        self.session.forget_after = time;
        self
    }

    /// Sets the silence after which a node counts as unreachable: one second by default.
    ///
    /// ```
    /// use message_net::NodeConfig;
    /// use std::time::Duration;
    ///
    /// let config = NodeConfig::new().unreachable_after(Duration::from_secs(3));
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn unreachable_after(mut self, silence: Duration) -> Self {
        self.session.unreachable_after = silence;
        self
    }

    /// Sets the time without a frame to another node after which the node sends one without content: 250
    /// milliseconds by default. Heartbeats distinguish a node that has nothing to say from one that has gone.
    ///
    /// Each pair of nodes costs two of them in this time: see [`deployment`](crate::deployment). The maximum is
    /// a quarter of [`unreachable_after`](Self::unreachable_after); larger values are reduced to it.
    ///
    /// ```
    /// use message_net::NodeConfig;
    /// use std::time::Duration;
    ///
    /// // A fourth of the heartbeats; it takes longer to find out that a node has gone.
    /// let config = NodeConfig::new()
    ///     .heartbeat(Duration::from_secs(1))
    ///     .unreachable_after(Duration::from_secs(4));
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.session.heartbeat = every;
        self
    }

    /// Sets how many bytes of messages can wait for each node before a send to it returns a
    /// [`Backlog`](message_core::error::CarryError::Backlog) error: 4 MiB by default. In addition, up to four times
    /// this amount can be in flight and not acknowledged.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().backlog(64 << 10);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn backlog(mut self, bytes: usize) -> Self {
        self.backlog = bytes;
        self.session.window_bytes = bytes.saturating_mul(4);
        self
    }

    /// Sets how many bytes and frames a second are accepted from each node: 512 MiB and 10 000 by default. All
    /// nodes without a session share the limits of one.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_traffic(1 << 20, 100);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_traffic(mut self, bytes_per_second: u64, frames_per_second: u64) -> Self {
        self.session.bytes_per_second = bytes_per_second;
        self.session.frames_per_second = frames_per_second;
        self
    }

    /// Sets how many bytes the sessions with all other nodes keep together: 512 MiB by default, and at least
    /// sixteen times the longest batch.
    ///
    /// - Half of it is for messages that were handed over and not acknowledged. When it is used up, messages wait
    ///   in the [`backlog`](Self::backlog) of their node. Another quarter is reserved in equal parts for each of
    ///   [`max_nodes`](Self::max_nodes), so nodes that acknowledge nothing do not silence the others.
    /// - A quarter is for batches that have not arrived completely. When it is used up, the session whose batch has
    ///   been incomplete for longest ends.
    /// - An eighth of that quarter, or 2 MiB if that is more, is for nodes that have no session. When it is used up,
    ///   the node whose hello has been incomplete for longest has to begin again.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_memory(128 << 20);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.session.memory = bytes;
        self
    }

    /// Sets how many bytes and frames are read from the link at once: 4 MiB and 4 096 by default. The last frame may
    /// exceed the bytes.
    ///
    /// [`receive`](crate::Node::receive) and [`flush`](crate::Node::flush) each read that much, so this limits what
    /// a frame of the program hands in. The rest waits in the link, in its order. As long as any of it waits, no
    /// node counts as silent.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_per_receive(1 << 20, 1_000);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_per_receive(mut self, bytes: usize, frames: usize) -> Self {
        self.session.bytes_per_poll = bytes;
        self.session.events_per_poll = frames;
        self
    }

    /// Sets how many messages and questions of each messagee of another node one [`receive`](crate::Node::receive) hands
    /// in. Further ones are refused, and become dead letters there. By default, only
    /// [`max_per_receive`](Self::max_per_receive) limits them. All messages of a node from outside of its messagees have
    /// one sender.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_per_sender(50);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_per_sender(mut self, messages: usize) -> Self {
        self.max_per_sender = Some(messages);
        self
    }

    /// Sets the maximum number of proxies for the messagees of each node: 16 384 by default. Further ones are refused.
    /// Each takes about 270 bytes.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_proxies(1000);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_proxies(mut self, proxies: usize) -> Self {
        self.max_proxies = proxies;
        self
    }

    /// Sets how many exports of this node each other node can ask for, how many groups it can export, and how
    /// many exports of third nodes it can name in messages: 10 000 of each by default.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_names(200);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_names(mut self, names: usize) -> Self {
        self.max_names = names;
        self
    }

    /// Sets how many messages of each node can be pending here, each with a stage, a delay or a period in its
    /// header: 10 000 by default. Further ones are refused.
    ///
    /// A message that repeats counts until its last delivery. All become dead letters when their node leaves, is
    /// restarted or is forgotten; see [`posts_outlive`](Self::posts_outlive).
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// // Only what is sent, and nothing that waits or repeats.
    /// let config = NodeConfig::new().max_posts(0);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_posts(mut self, messages: usize) -> Self {
        self.posts.number = messages;
        self
    }

    /// Sets how many bytes of messages of each node can be pending here: 16 MiB by default. Each message counts as 128
    /// bytes more than it has, and structs that are larger than their bytes count as what they take in memory. Further
    /// ones are refused.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_post_bytes(1 << 20);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_post_bytes(mut self, bytes: usize) -> Self {
        self.posts.bytes = bytes;
        self
    }

    /// Sets how many pending messages of each node can repeat: 1 000 by default. Further ones are refused. Together with
    /// [`post_times`](Self::post_times), this limits the deliveries in each frame.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_repeating_posts(10);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_repeating_posts(mut self, messages: usize) -> Self {
        self.posts.repeating = messages;
        self
    }

    /// Sets the shortest period that a message of another node can have here, and its longest delay and period: ten
    /// milliseconds and one hour by default. Other times are refused. A period of one frame is always accepted, and for
    /// the longest time a frame counts as a millisecond.
    ///
    /// ```
    /// use message_net::NodeConfig;
    /// use std::time::Duration;
    ///
    /// let config = NodeConfig::new()
    ///     .post_times(Duration::from_millis(100), Duration::from_secs(60));
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn post_times(mut self, shortest_period: Duration, longest: Duration) -> Self {
        (self.posts.shortest, self.posts.longest) = (shortest_period, longest);
        self
    }

    /// Sets whether messages of another node that are pending here stay when that node leaves, is restarted or is
    /// forgotten: `false` by default. Messages that repeat forever never stay.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().posts_outlive(true);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn posts_outlive(mut self, outlive: bool) -> Self {
        self.posts.outlive = outlive;
        self
    }

    /// Sets the maximum number of message types that another node can have: 4 096 by default. A node with more types
    /// gets no session.
    ///
    /// Nodes exchange the list of their types before anything else. What is kept of the list is 24 bytes for each type,
    /// and up to 64 KiB of reasons why types cannot be read.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_types(500);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_types(mut self, types: usize) -> Self {
        self.max_types = types;
        self
    }

    /// Sets the maximum length in bytes of a message to or from another node: 1 MiB by default.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_message(64 << 10);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_message(mut self, bytes: usize) -> Self {
        self.max_message = bytes;
        // Room for one message behind others, or for a refused message that comes back.
        self.session.max_batch = bytes.saturating_mul(2).max(2 << 20) + (2 << 20);
        self
    }

    /// Sets how many bytes of memory a message or an answer of another node can take while it is read: 64 times
    /// [`max_message`](Self::max_message) by default.
    ///
    /// An empty map is a single byte, and becomes a whole struct if all fields have defaults. A value of a plain type
    /// takes up to 24 times its bytes, and a struct of plain fields up to 40 times.
    /// [`read_message_within`](message_data::DataType::read_message_within) says what is counted.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_message_memory(4 << 20);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_message_memory(mut self, bytes: usize) -> Self {
        self.message_memory = Some(bytes);
        self
    }

    /// Returns how many bytes of memory a message can take.
    pub(crate) fn message_memory(&self) -> usize {
        let default = self.max_message.saturating_mul(64);
        self.message_memory.unwrap_or(default)
    }

    /// Sets the maximum number of nodes that can be there at the same time: 1 024 by default. If another one comes, the
    /// node that has gone for the longest time is forgotten. If none has gone, nothing is taken from the new one.
    ///
    /// ```
    /// use message_net::NodeConfig;
    ///
    /// let config = NodeConfig::new().max_nodes(64);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn max_nodes(mut self, nodes: usize) -> Self {
        self.session.max_peers = nodes;
        self
    }

    /// Keeps sessions only with nodes whose names match one of these patterns, in which `*` matches any number
    /// of characters. By default, and with an empty list, a node keeps a session with each node that its link
    /// reports.
    ///
    /// A session costs heartbeats on both sides: see [`deployment`](crate::deployment). In a world with a hub,
    /// use this for each zone that talks to nobody else. If an excluded node calls, it is notified why there is
    /// no session, once, by a [`NetTrouble`](crate::NetTrouble) in its world. Messagees of such a node cannot
    /// be [imported](crate::Node::import).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, zone) = (MessageManager::new(), NodeName::new("zone-1")?);
    /// let config = NodeConfig::new().sessions_with(["hub", "player-*"]);
    /// let mut node = Node::attach(&mut manager, network.link(zone), config);
    /// assert!(node.import(&mut manager, "player-7/hand").is_ok());
    /// let error = node.import(&mut manager, "zone-2/gate").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "there is no session with node `zone-2`: `NodeConfig::sessions_with` has `hub`, `player-*`"
    /// );
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn sessions_with<P: Into<String>>(mut self, patterns: impl IntoIterator<Item = P>) -> Self {
        let patterns = patterns.into_iter().map(Into::into);
        self.session.sessions_with = patterns.collect();
        self
    }

    /// Returns the configuration with consistent limits, independent of the order in which they were set.
    pub(crate) fn checked(mut self) -> Self {
        let session = &mut self.session;
        // Otherwise a batch of the maximum length would wait forever.
        session.window_bytes = session.window_bytes.max(session.max_batch);
        session.memory = session.memory.max(session.max_batch.saturating_mul(16));
        // Otherwise nothing would ever be read.
        session.bytes_per_poll = session.bytes_per_poll.max(1);
        session.events_per_poll = session.events_per_poll.max(1);
        session.heartbeat = session.heartbeat.min(session.unreachable_after / 4);
        self
    }
}
