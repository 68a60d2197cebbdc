//! From one world to many.
//!
//! A world is one manager with its messagees. When one machine is too small, or the players are elsewhere,
//! there are several worlds: a server with zones, a client for each player, a simulation that is split. They
//! should communicate as before: with the same `send`, a sender to reply to, and a documented order. And when a
//! machine goes down, somebody has to know.
//!
//! # A node for each manager
//!
//! Each world has a [`Node`](crate::Node), and each node has a name. A node *exports* messagees under names.
//! Another node *imports* them, and gets a messagee of its own manager that represents the remote one: a
//! **proxy**.
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::Data;
//! use message_net::link::{MemoryNetwork, MemorySettings};
//! use message_net::{Node, NodeConfig, NodeName};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! // Both programs have the types of the messages. `Data` is what makes them writable.
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "guide.Greet", exact)]
//! struct Greet { words: String }
//!
//! #[derive(Default)]
//! struct Person { heard: Vec<String> }
//!
//! #[handlers]
//! impl Person {
//!     #[on_receive]
//!     fn greet(&mut self, greet: &Greet, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         self.heard.push(greet.words.clone());
//!         if greet.words == "hello" {
//!             // The sender is a proxy: the answer is an ordinary send.
//!             cx.reply(Greet { words: "hello yourself".to_owned() })?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let network = MemoryNetwork::new(1, MemorySettings::new());
//! let connect = |manager: &mut MessageManager, name: &str| {
//!     let name = NodeName::new(name).expect("letters only");
//!     // Nothing is taken from the network that is not accepted here.
//!     let config = NodeConfig::new().accept::<Greet>();
//!     Node::attach(manager, network.link(name), config)
//! };
//! let (mut london, mut paris) = (MessageManager::new(), MessageManager::new());
//! let mut at_london = connect(&mut london, "london");
//! let mut at_paris = connect(&mut paris, "paris");
//!
//! let jeanne = paris.spawn((Person::default(),));
//! at_paris.export(&mut paris, jeanne, "paris/jeanne")?;
//!
//! let john = london.spawn((Person::default(),));
//! let far = at_london.import(&mut london, "paris/jeanne")?;
//! london.speak_for(john)?.send(far, Greet { words: "hello".to_owned() })?;
//!
//! for _ in 0..20 {
//!     network.advance(1);
//!     at_london.tick(&mut london, Duration::from_millis(16));
//!     at_paris.tick(&mut paris, Duration::from_millis(16));
//! }
//! assert_eq!(paris.get::<Person>(jeanne)?.heard, ["hello"]);
//! assert_eq!(london.get::<Person>(john)?.heard, ["hello yourself"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `zenoh` the link is a `ZenohLink`, and nothing else changes. The example `cluster` is such
//! a program: a hub and two zones that run as three processes.
//!
//! # What is the same, and what is not
//!
//! The same: `send` and `post` with every header; groups, families, names, mnemonics, subscriptions and
//! interceptors on this side; an id in a message refers to the same messagee on both sides; a despawned
//! messagee is gone everywhere.
//!
//! Not the same:
//!
//! - The receipt of a send to a proxy says that the message was accepted, not that it was received.
//! - A `request` needs its answer at once, which is impossible across nodes. Use [`ask`](message_data::ask::Ask) instead:
//!   the answer comes later as an [`Answered`](message_data::ask::Answered), and so does the reason if there is none.
//! - A stage and a delay in the header of a post are counted in the receiving world.
//! - `Everyone` is everyone in this world. A group that is [exported](crate::Node::export_group) spans the
//!   worlds: its members also receive messages from every node that exports the group, if the type is accepted.
//!   A group has no list of nodes; to receive from certain nodes only, use
//!   [`accept_from`](crate::NodeConfig::accept_from).
//! - A node keeps a session with every node of the network, unless
//!   [`sessions_with`](crate::NodeConfig::sessions_with) names the ones that it needs.
//! - Messages from one world are not forwarded to a third one: worlds that communicate are connected directly.
//!   A message can refer to a messagee of a third world if it was imported by name.
//!
//! # When it fails
//!
//! Three things can happen to a connection, and the node reports which one:
//!
//! 1. **A short cut.** Nothing arrives for a second: those who [watch](crate::Watch) a proxy receive
//!    [`Unreachable`](crate::Reach::Unreachable). Messages wait. When the connection is back, they arrive in
//!    order, none twice and none lost, and the watchers receive [`Back`](crate::Reach::Back).
//! 2. **A long cut**: silence for longer than [`unreachable_after`](crate::NodeConfig::unreachable_after) and
//!    [`resend_window`](crate::NodeConfig::resend_window) together. Everyone receives
//!    [`NodeDown`](crate::NodeDown). Messages not yet handed to the network become dead letters; a new send
//!    returns an error at once. If the node comes back, everyone receives [`NodeUp`](crate::NodeUp), the
//!    proxies work again, and [`MessagesLost`](crate::MessagesLost) says how many messages did not arrive.
//! 3. **The other program has ended**, or was restarted. Its messagees are gone: their proxies are despawned,
//!    the watchers receive [`Ended`](crate::Reach::Ended), and questions are answered with
//!    [`Gone`](message_data::ask::Unanswered::Gone). Messages in flight are lost, and reported as lost. Import the names
//!    again at the next `NodeUp`.
//! 4. **The other program never comes back.** It was killed, or its machine is gone. After
//!    [`forget_after`](crate::NodeConfig::forget_after), five minutes by default, its node is forgotten, as at the end
//!    of its program: proxies end, and nothing of it stays. [`forget`](crate::Node::forget) does so at once.
//!
//! | what you want to know | where to find it |
//! |---|---|
//! | Was it accepted? | the receipt, or the error: `Gone`, or `NotCarried` with the reason (`Backlog`, `Unreachable`). For a message to several receivers, the receipt's `unreached` counts those that were not reached, and each has a dead letter |
//! | Did it arrive? | nothing reports that; have the receiver reply, or use `ask` |
//! | How fast is a failure noticed? | after a silence of [`unreachable_after`](crate::NodeConfig::unreachable_after), one second by default, it is `Unreachable`; when another [`resend_window`](crate::NodeConfig::resend_window), ten seconds by default, has passed in silence, `NodeDown`. [`heartbeat`](crate::NodeConfig::heartbeat) sets how often an idle node gives a sign of life |
//! | Why did it not arrive? | a dead letter: refused by the other node, unknown name, too long |
//! | How many were lost? | `MessagesLost`, and [`PeerCounts`](crate::PeerCounts) |
//! | Is it still there? | `Watch` |
//! | What is wrong on the network? | [`NetTrouble`](crate::NetTrouble): what was refused, and from whom |
//!
//! Each message has a fate: it is received, it is a dead letter, or it is among those that `MessagesLost` counts. The
//! notice that the other node has refused a message can be lost in a long cut, along with the reason; then the message
//! counts as lost.
//!
//! A node says from time to time which messages it has taken. If its program dies, those of the last moment count as
//! lost, although some may have been received. If you need to know that something was done, have the receiver reply.
//!
//! If one of your handlers panics while it is notified of any of this, the others are still notified. The node
//! finishes its work; then the first panic propagates to the caller of the node.
//!
//! # One node, and its run
//!
//! A manager has one node: a second [`attach`](crate::Node::attach) panics, and
//! [`try_attach`](crate::Node::try_attach) returns an error that names both. A node belongs to one run of the
//! program. A save contains the proxies of the world and the messages that wait for other nodes, but no node,
//! because the other worlds have moved on in the meantime. So attach a new node to a restored world. It ends
//! the earlier proxies: their watchers receive [`Ended`](crate::Reach::Ended), questions are answered, and
//! waiting messages become dead letters. Then import the names again. To the other nodes, this looks like a
//! restart.
//!
//! **The guarantee**, for each pair of messagees: messages from one to the other are received in the order
//! sent, and none twice. Nothing is lost while the connection lives, or over a cut that is shorter than the
//! resend window. After a longer cut, or a restart, lost messages are counted and reported. A cut cannot be
//! distinguished from a dead machine, so for a while the outcome is unknown; that is what `Unreachable` means.
//!
//! # Whom to trust
//!
//! A node accepts only the message types that its configuration names, from the nodes that it names. Only
//! exports, and messagees that have sent something to the other node, can be reached. A sender cannot be
//! forged: messages from a node speak only for that node's messagees. The link identifies the node: over zenoh,
//! certificates on both sides (feature `tls`) and the hub's list of nodes guarantee the identity, and a hub that
//! other machines can reach is refused without them. A hub that is `open_to_anyone` lets every process pose as
//! every node; run it only in a network that you trust. Even there, a process that makes up frames under the name
//! of a node, and does not read those for it, cannot end the session of that node. One that reads them can, and
//! keeps the node out only as long as it goes on.
//!
//! Strangers cost a node little, each of them and all together: the [memory](crate::NodeConfig::max_memory) for them
//! is bounded, and so are the [frames](crate::NodeConfig::max_traffic) that they can send in a second, and those that
//! are [read at once](crate::NodeConfig::max_per_receive).
//!
//! Malformed frames, unreadable batches and floods are refused, counted and reported by `NetTrouble`. Nothing
//! that comes over the network makes a node panic or stops the world.
//!
//! # Two versions of a program
//!
//! When nodes meet, they exchange descriptions of their message types. A field that was added on one side is
//! ignored on the other, or has its default there. A type that cannot be read because a field has a different
//! type is refused, with both shapes named; all other types work. See [`Shape`](message_data::Shape).
//!
//! If both programs have the same shape for a type, as is usual, its messages are sent without field names, and
//! are read faster. This needs no configuration. A type that does not write what it reads, because of
//! `skip_serializing_if` or a field with two names, keeps its field names.
//!
//! # Testing it
//!
//! [`MemoryNetwork`](crate::link::MemoryNetwork) is a network within one process, with loss, delay,
//! duplication, reordering, cuts and slow readers, all determined by a seed: the seed reproduces a failing run.
//! A node's deliveries to its world are recorded like all other inputs: the
//! [log](message_data::Log::start) of one world replays them without a network.
