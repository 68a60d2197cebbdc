//! Running a server on the internet: who may come, and what each peer can cost.
//!
//! A server that anybody can reach meets programs that were written to break it, old versions of its own clients, and
//! connections that vanish without a word. This page lists what bounds them. All limits are per node unless it says
//! otherwise, and what exceeds them is refused and reported: as a dead letter of its sender, a
//! [`NetTrouble`](crate::NetTrouble) of this node, or in [`SessionCounters`](crate::SessionCounters).
//!
//! # Who may come
//!
//! - A hub that other machines can reach needs certificates of both sides and the list of its nodes
//!   (`ZenohConfig::tls` and `only`, with the feature `tls`), so that each certificate speaks for one name. Anything else is
//!   refused unless the program says `open_to_anyone()`; then any process that reaches the hub can be any node that is not
//!   there.
//! - A session begins when each side has sent back a number that the other one has just made. Frames that somebody makes up
//!   change no number of this node, and end no session.
//! - Nothing is accepted that [`accept`](crate::NodeConfig::accept) and its relatives do not name. Types, groups and
//!   mnemonics are found by their full names only.
//!
//! # What a peer can cost
//!
//! | limit | default | set by |
//! |---|---|---|
//! | nodes that are there at the same time | 1 024 | [`max_nodes`](crate::NodeConfig::max_nodes) |
//! | memory of all sessions together, strangers at most 1/32 of it | 512 MiB | [`max_memory`](crate::NodeConfig::max_memory) |
//! | bytes and frames that one `receive` reads, of all nodes | 4 MiB, 4 096 | [`max_per_receive`](crate::NodeConfig::max_per_receive) |
//! | messages of one sender that one `receive` hands in | all | [`max_per_sender`](crate::NodeConfig::max_per_sender) |
//! | bytes and frames a second | 512 MiB, 10 000 | [`max_traffic`](crate::NodeConfig::max_traffic) |
//! | length of a hello, and its message types | 1 MiB, 4 096 | [`max_types`](crate::NodeConfig::max_types) |
//! | length of a message | 1 MiB | [`max_message`](crate::NodeConfig::max_message) |
//! | memory that a message takes | 64 times its longest length | [`max_message_memory`](crate::NodeConfig::max_message_memory) |
//! | messages that wait for a node here | 4 MiB | [`backlog`](crate::NodeConfig::backlog) |
//! | proxies for its messagees | 16 384 | [`max_proxies`](crate::NodeConfig::max_proxies) |
//! | exports it asks for, groups it exports, exports of third nodes it names | 10 000 each | [`max_names`](crate::NodeConfig::max_names) |
//! | its pending posts: number, bytes, repeating | 10 000, 16 MiB, 1 000 | [`max_posts`](crate::NodeConfig::max_posts), [`max_post_bytes`](crate::NodeConfig::max_post_bytes), [`max_repeating_posts`](crate::NodeConfig::max_repeating_posts) |
//! | their shortest period, and longest delay | 10 ms, 1 h | [`post_times`](crate::NodeConfig::post_times) |
//! | a node that vanished is forgotten after | 5 min | [`forget_after`](crate::NodeConfig::forget_after) |
//!
//! A node that says goodbye is forgotten at once, with its proxies, its posts and everything else that was kept for it.
//! [`Node::forget`](crate::Node::forget) forgets one on request, and [`Node::peers`](crate::Node::peers) lists them with
//! their counts.
//!
//! # What is not bounded
//!
//! - What only a type knows of its memory: what the defaults of its fields allocate, and lists of large structures in
//!   untagged or internally tagged enums and in flattened fields, which serde reads from a buffer of its own. Accept such
//!   messages from trusted nodes only, or lower `max_message`.
//! - The number of messages that a node sends over minutes or days. Handlers find out the node of a sender by
//!   [`sender_node`](crate::SenderNode::sender_node), so they can count and ban, and the program can
//!   [forget](crate::Node::forget) a node.
//! - The work of your handlers.
//!
//! # Before you open the port
//!
//! - Lower the limits to what your clients need: a game with 64 players needs neither 1 024 nodes nor 10 000 posts of each.
//! - Call [`receive`](crate::Node::receive) with the real time between calls. After a pause, such as in a debugger, frames
//!   that have arrived meanwhile are read before a node counts as silent.
//! - Log every [`NetTrouble`](crate::NetTrouble). An honest client causes none.
//!
//! Next: [the limits of a deployment with many nodes](crate::deployment).
