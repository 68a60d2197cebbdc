//! From one world to many.
//!
//! A world is one manager with its messagees. When one machine is too small, or the players sit somewhere
//! else, there are several: a server with zones, a client for each player, a simulation that is split. They
//! should talk as before: the same `send`, a sender that can be answered, an order that is written down. And
//! when a machine goes, somebody has to know.
//!
//! # A node for each manager
//!
//! Each world has a [`Node`](crate::Node) and each node a name. A node *exports* messagees under names;
//! another one *imports* them, and gets a messagee of its own manager that stands for the one over there: a
//! **proxy**.
//!
//! ```
//! use message_core::data::Data;
//! use message_core::prelude::*;
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
//!     let config = NodeConfig::new(name.clone()).accept::<Greet>();
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
//! london.as_messagee(john)?.send(far, Greet { words: "hello".to_owned() })?;
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
//! With the feature `zenoh` the link is a `ZenohLink`, and nothing else changes. The example `cluster` is
//! such a program: a hub and two zones, as three processes.
//!
//! # What is the same, and what is not
//!
//! The same: `send` and `post` with every header; groups, families, names, mnemonics, subscriptions and
//! interceptors on this side; an id in a message means the same messagee on both sides; a despawned
//! messagee is gone everywhere.
//!
//! Not the same:
//!
//! - The receipt of a send to a proxy says that the message was taken, not that it was received.
//! - A `request` needs its answer at once, and that cannot be. [`ask`](crate::Ask) asks, and the answer
//!   comes later as an [`Answered`](crate::Answered); so does the reason why there is none.
//! - A stage and a delay in the header of a post count where it arrives.
//! - `Everyone` is everyone in this world. A group that is [exported](crate::Node::export_group) spans
//!   the worlds: its members receive what any node sends to it that exports the group, too, if the type is
//!   accepted. A group has no list of nodes; to hear from some nodes alone, say so with
//!   [`accept_from`](crate::NodeConfig::accept_from).
//! - A node keeps a session with each node of the network, unless
//!   [`sessions_with`](crate::NodeConfig::sessions_with) names those that it needs.
//! - What comes from one world is not carried on to a third one: worlds that talk are connected with each
//!   other. A messagee of a third world can be named in a message if it was imported by name.
//!
//! # When it fails
//!
//! Three things can happen to a connection, and you are told which one:
//!
//! 1. **A short cut.** Nothing comes for a second: who [watches](crate::Watch) a proxy is told
//!    [`Unreachable`](crate::Reach::Unreachable). Messages wait. When the connection is back, they arrive in
//!    their order, none twice and none lost, and who watches is told [`Back`](crate::Reach::Back).
//! 2. **A long cut**, longer than [`resend_window`](crate::NodeConfig::resend_window). Everyone is told
//!    [`NodeDown`](crate::NodeDown). What was not yet handed to the network becomes dead letters; a new send
//!    is an error at once. If the node comes back, [`NodeUp`](crate::NodeUp) says so, the proxies work
//!    again, and [`MessagesLost`](crate::MessagesLost) says how many did not arrive.
//! 3. **The other program has ended**, or was started again. Its messagees are gone: their proxies are
//!    despawned, who watches is told [`Ended`](crate::Reach::Ended), and questions are answered by
//!    [`Gone`](crate::Unanswered::Gone). What was under way is lost and told. Import the names again when
//!    `NodeUp` says that it is `restarted`.
//!
//! | what you want to know | what tells you |
//! |---|---|
//! | Was it taken? | the receipt, or the error: `Backlog`, `Unreachable`, `Gone`. Of a message to several, the receipt's `unreached` counts those who were not reached, and each has a dead letter |
//! | Did it arrive? | nothing tells that; let the receiver answer, or `ask` |
//! | How fast is it noticed? | silence of [`unreachable_after`](crate::NodeConfig::unreachable_after), a second, is `Unreachable`; of `resend_window`, ten seconds, is `NodeDown`. [`heartbeat`](crate::NodeConfig::heartbeat) says how often a node that has nothing to say lets hear of it |
//! | Why did it not arrive? | a dead letter: refused by the other node, unknown name, too long |
//! | How many were lost? | `MessagesLost`, and [`PeerCounts`](crate::PeerCounts) |
//! | Is it still there? | `Watch` |
//! | What is wrong on the network? | [`NetTrouble`](crate::NetTrouble): what was refused, from whom |
//!
//! That the other node has refused a message can be lost in a long cut, with the reason. When the nodes meet
//! again, a `NetTrouble` tells how many there are, and they count as
//! [`refused_there`](crate::PeerCounts::refused_there).
//!
//! What a program that has died had received and not handled is gone with it, and nobody can tell: to know
//! that something was done, let it be answered.
//!
//! A handler of yours that panics when it is told of all this does not stop the others from being told. The
//! node does the rest of its work; then the first panic goes on to who has called the node.
//!
//! # One node, and its run
//!
//! A manager has one node: a second [`attach`](crate::Node::attach) panics, and
//! [`try_attach`](crate::Node::try_attach) is an error that names both. A node is of one run of the program. A
//! save has the proxies of the world, and what waits for other nodes, but no node: the other worlds have gone
//! on meanwhile. So in a world that was restored, attach a new node. It ends the proxies of before: who
//! watches them is told [`Ended`](crate::Reach::Ended), questions are answered, what waits becomes dead
//! letters. Then import the names again. For the other nodes, it was started again.
//!
//! **What is promised**, for each pair of messagees: what one sends to the other is received in the order
//! sent, nothing twice. Nothing is lost while the connection lives, nor over a cut that is shorter than the
//! resend window. After a longer cut, or a restart, what was lost is counted and told. A cut cannot be told
//! from a machine that has died, and so for a while nobody knows; that is what `Unreachable` means.
//!
//! # Whom to trust
//!
//! A node accepts nothing but the message types that its configuration names, from the nodes that it names;
//! only what was exported, or has sent something there, can be reached. A sender cannot be forged: what
//! comes from a node speaks for that node's messagees. The link says which node it is: over zenoh,
//! certificates of both sides (feature `tls`) and the router's access rules make sure of it. Without
//! them, run it in a network that you trust.
//!
//! A malformed frame, a batch that cannot be read, a flood: refused, counted, told by `NetTrouble`. Nothing
//! that comes over the network makes a node panic, or the world stop.
//!
//! # Two versions of a program
//!
//! When nodes meet, they tell each other what their message types look like. A field that was added on one
//! side is passed over on the other, or has its default there. A type that cannot be read, since a field
//! has another type, is refused with both shapes named; all other types work. See
//! [`Shape`](message_core::data::Shape).
//!
//! Between two programs whose shapes of a type are equal, as they mostly are, a message goes without the names
//! of its fields, and is read faster. Nothing has to be done for that. A type that writes what it does not read, by
//! `skip_serializing_if` or two names of a field, keeps its names.
//!
//! # Testing it
//!
//! [`MemoryNetwork`](crate::link::MemoryNetwork) is a network in one process, with loss, delay, duplication,
//! reordering, cuts and slow readers, all determined by a seed: a failing run is repeated by its seed. What
//! a node hands to its world are inputs like all others: a [log](message_core::MessageManager::start_log)
//! of one world repeats what happened to it, without any network.
