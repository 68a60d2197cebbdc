//! The limits of a deployment with many nodes, with the calculations behind them.
//!
//! # Every pair of nodes has a session
//!
//! Unless [configured otherwise](#what-to-do), a node opens a session with each node that its link reports,
//! whether or not they have anything to say to each other. So `n` nodes in one world have `n × (n − 1) / 2`
//! sessions. A side that has sent nothing for one [`heartbeat`](crate::NodeConfig::heartbeat) (250 ms by
//! default) sends a frame without content. That is 4 frames a second from each side.
//!
//! Measured with 2, 16 and 64 idle nodes in memory (test `deployment`): 8.0 frames and 320 bytes a second for
//! each pair, or 40 bytes a frame, with names of nine bytes. The overhead of zenoh, TCP and IP is not included.
//! The rows below extrapolate from these figures:
//!
//! | nodes | sessions | frames a second, all | bytes a second, all | frames a second, each node sends |
//! |---:|---:|---:|---:|---:|
//! | 16 | 120 | 960 | 38 KB | 60 |
//! | 64 | 2 016 | 16 128 | 645 KB | 252 |
//! | 256 | 32 640 | 261 120 | 10.4 MB | 1 020 |
//! | 1 000 | 499 500 | 3 996 000 | 160 MB | 3 996 |
//!
//! With a heartbeat of one second and an `unreachable_after` of four, all figures drop to a quarter: two frames
//! a second for each pair, as the same test measures.
//!
//! # The router is the first limit
//!
//! With one router, all of these frames pass through it. The throughput of a router:
//!
//! | source | throughput |
//! |---|---|
//! | measured for this crate, two cores with nothing else running (`net_compare` in benches/RESULTS.md) | 2 100 000 puts of 64 bytes a second between two processes, over one router |
//! | zenoh's blog, 13 July 2021 ("Zenoh performance: a stroll in Rust async wonderland") | more than 3.5 million messages of 8 bytes a second, more than 45 Gb/s with messages of 1 MB, 35 µs |
//! | zenoh's blog, 30 September 2022 ("Zenoh Bahamut takes flight", version 0.6) | more than 51 Gb/s, 15 µs |
//! | National Taiwan University, in zenoh's blog, 21 March 2023 ("Comparing the performance of Zenoh, MQTT, Kafka, and DDS") | at most 67 Gb/s, 5 µs at best |
//!
//! The blog figures are for one publisher and one subscriber, on machines tuned for the purpose. These sources
//! give no figures that we could find for a thousand clients of one router.
//!
//! Heartbeats alone amount to `4 × n × (n − 1)` frames a second, each a put of about 40 bytes:
//!
//! | nodes | heartbeat | frames a second | of 2 100 000 | of 3 500 000 |
//! |---:|---:|---:|---:|---:|
//! | 64 | 250 ms | 16 128 | 0.8 % | 0.5 % |
//! | 256 | 250 ms | 261 120 | 12 % | 7 % |
//! | 725 | 250 ms | 2 099 600 | 100 % | 60 % |
//! | 1 000 | 250 ms | 3 996 000 | 1.9 × | 1.1 × |
//! | 1 000 | 1 s | 999 000 | 48 % | 29 % |
//! | 1 000 | 5 s | 199 800 | 10 % | 6 % |
//!
//! With the default settings, 1 000 nodes in one world with one router therefore do not work. With a heartbeat
//! of 5 s and an [`unreachable_after`](crate::NodeConfig::unreachable_after) of 20 s (and therefore a resend
//! window of 30 s or more), the heartbeats fit, but a dead node is noticed late. This is a calculated upper
//! bound: no such deployment has been tested, and a router that forwards to a thousand connections may carry
//! fewer frames.
//!
//! # What else grows
//!
//! - **Keys and tokens.** Each node declares two subscriptions and one liveliness token, and is notified of the
//!   token of every other node: `n × (n − 1)` notices when all nodes start, about a million for 1 000 nodes.
//!   Other projects have met this quadratic growth, too: a zenoh bridge to another middleware (pull request 696
//!   of `zenoh-plugin-ros2dds`) narrows its liveliness subscriptions for this reason.
//! - **Memory.** An idle session takes about 4.4 KB on each side, measured as the resident memory of a process
//!   with 64 and 128 nodes (test `what_a_session_takes_in_memory` of `deployment`, which is run alone). So a
//!   node with 999 peers uses 4.4 MB for them. Queued data comes on top: up to
//!   [`backlog`](crate::NodeConfig::backlog), and four times that in the session, for each other node. The
//!   memory that zenoh uses in the router was not measured.
//! - **Time.** Each [`receive`](crate::Node::receive) and [`flush`](crate::Node::flush) iterates over all
//!   peers.
//! - **[`max_nodes`](crate::NodeConfig::max_nodes)** limits the number of nodes that are there at the same time: 1 024
//!   by default. Further nodes are refused, and each refusal is reported by [`NetTrouble`](crate::NetTrouble). Nodes
//!   that have gone make room: those with a goodbye at once, the others after
//!   [`forget_after`](crate::NodeConfig::forget_after) or when another one comes.
//!
//! # What to do
//!
//! List the nodes that a node talks to with [`sessions_with`](crate::NodeConfig::sessions_with). A hub with 999
//! zones that have sessions with it alone has 999 sessions instead of 499 500: 7 992 heartbeats a second in
//! total, 4 from each zone (test `with_a_hub_there_are_as_many_sessions_as_zones` of `deployment`, with 64
//! nodes: 8.0 for each session). The number of token notices stays the same.
//!
//! Sessions exist only within one world of the link. Nodes that do not talk to each other can also be placed in
//! different worlds: with `ZenohConfig::world`, regions can share a router without sessions between them.
//! Twenty worlds of 50 nodes have 24 500 sessions and 196 000 heartbeats a second, a twentieth of the load of
//! one world with 1 000 nodes.
