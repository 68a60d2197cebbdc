//! The rows of the table: the name of each workload, its size and its goal.

use super::size::{HOPS, Size, Unit};
use super::workload::{Departure, Workload};

/// The properties of a workload.
pub(super) struct Row {
    pub(super) workload: Workload,
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The goal: the maximum ratio of message-core to the floor, if there is one.
    pub(super) target: Option<f64>,
    pub(super) departure: Option<Departure>,
    pub(super) size: Size,
    pub(super) unit: Unit,
}

impl Row {
    const fn new(
        workload: Workload,
        name: &'static str,
        title: &'static str,
        size: Size,
        unit: Unit,
    ) -> Self {
        Self {
            workload,
            name,
            title,
            target: None,
            departure: None,
            size,
            unit,
        }
    }

    /// Sets the maximum ratio to the floor.
    const fn target(mut self, target: f64) -> Self {
        self.target = Some(target);
        self
    }

    /// Sets the row that this one departs from, and the maximum ratio to message-core's time for it.
    const fn departs(mut self, from: Workload, goal: f64) -> Self {
        self.departure = Some(Departure { from, goal });
        self
    }
}

/// One send per object, shuffled.
const SENDS: Size = Size::of_objects(10_000, 50);
const BROADCASTS: Size = Size::of_objects(1_000, 2_000);
const POSTS: Size = Size::of_messages(1_000_000, 10_000, 1).in_frames(1_000);
const MAIL: Size = Size::of_messages(1_000_000, 10_000, 1);
/// One object for each address, or the members of 100 groups of 8, or 250 families of 4.
const NAMED: Size = Size::of_objects(1_000, 500);
const GROUPED: Size = Size::of_objects(800, 625);
const CHAINS: Size = Size::of_objects(10_000 / HOPS, 100);

/// All rows in the order of the table, which is that of [`Workload`].
pub(super) const ROWS: [Row; if cfg!(feature = "rooms") { 50 } else { 48 }] = [
    Row::new(
        Workload::W1,
        "W1",
        "a send to one of 10 000 objects of 4 components, 15 kinds, shuffled",
        SENDS,
        Unit::Object,
    )
    .target(2.0),
    Row::new(
        Workload::W1Two,
        "W1-two",
        "W1, each kind handled by two of the four components, a send",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 2.0),
    Row::new(
        Workload::W1Second,
        "W1-second",
        "W1, each kind also handled by a component type that nobody has",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.05),
    Row::new(
        Workload::W1Watched,
        "W1-watched",
        "W1 while a hidden subscriber to all types hears each message",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 2.5),
    Row::new(
        Workload::W1PastType,
        "W1-past-type",
        "W1 while a hidden subscriber asks for another type",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.1),
    Row::new(
        Workload::W1PastTo,
        "W1-past-to",
        "W1 while a hidden subscriber to all types asks for another recipient",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.1),
    Row::new(
        Workload::W1PastFrom,
        "W1-past-from",
        "W1 while a hidden subscriber to all types asks for another sender",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.1),
    Row::new(
        Workload::W1PastMany,
        "W1-past-many",
        "W1 while 10 000 hidden subscribers to all types ask for other senders",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.1),
    Row::new(
        Workload::W1PastTag,
        "W1-past-tag",
        "W1 while a hidden subscriber to all types asks for a tag",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.1),
    Row::new(
        Workload::W1Unhook,
        "W1-unhook",
        "W1 where a handler that panics is unhooked",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W1, 1.3),
    Row::new(
        Workload::W1Mnemonic,
        "W1-mnemonic",
        "a send to one of 1 000 objects of 4 components by its mnemonic, 15 kinds, shuffled",
        NAMED,
        Unit::Object,
    )
    .departs(Workload::W1Mnemonic, 1.5),
    Row::new(
        Workload::W1Group,
        "W1-group",
        "a send to one of 100 groups of 8 objects, 15 kinds, shuffled, a delivery",
        GROUPED,
        Unit::Object,
    )
    .departs(Workload::W1Group, 1.5),
    Row::new(
        Workload::W1Up,
        "W1-up",
        "a send up one of 250 families of 4 objects, 15 kinds, shuffled, a delivery",
        NAMED,
        Unit::Object,
    )
    .departs(Workload::W1Up, 1.5),
    Row::new(
        Workload::W1Traced,
        "W1-traced",
        "W1 while a recorder keeps the last 4 096 events",
        SENDS,
        Unit::Object,
    ),
    Row::new(
        Workload::W2Of1k,
        "W2-1k",
        "a broadcast to 1 000 objects of 2 reacting components, a delivery",
        BROADCASTS,
        Unit::Component,
    )
    .target(1.15),
    Row::new(
        Workload::W2Of100k,
        "W2-100k",
        "a broadcast to 100 000 objects of 2 reacting components, a delivery",
        Size::of_objects(100_000, 20),
        Unit::Component,
    )
    .target(1.15),
    Row::new(
        Workload::W2Of1M,
        "W2-1M",
        "a broadcast to 1 000 000 objects of 2 reacting components, a delivery",
        Size::of_objects(1_000_000, 4),
        Unit::Component,
    )
    .target(1.15),
    Row::new(
        Workload::W2Layouts,
        "W2-layouts",
        "W2-1k beside 5 000 objects that do not react, no two with the same list of components",
        BROADCASTS,
        Unit::Component,
    )
    .departs(Workload::W2Of1k, 1.05),
    Row::new(
        Workload::W2Context,
        "W2-context",
        "W2-1k with handlers that take a context, a delivery",
        BROADCASTS,
        Unit::Component,
    ),
    Row::new(
        Workload::W2Dying,
        "W2-dying",
        "W2-context, one object in a hundred despawns itself in each broadcast",
        BROADCASTS,
        Unit::Component,
    )
    .departs(Workload::W2Context, 1.5),
    Row::new(
        Workload::W3Out,
        "W3-out",
        "a request and its reply, from outside, shuffled",
        SENDS,
        Unit::Object,
    )
    .target(3.0),
    Row::new(
        Workload::W3In,
        "W3-in",
        "a request and its reply, from another object's handler, shuffled",
        SENDS,
        Unit::Object,
    )
    .target(3.0),
    Row::new(
        Workload::W3Two,
        "W3-two",
        "W3-out, two components are asked: the first declines, the second answers",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W3Out, 2.0),
    Row::new(
        Workload::W3Watched,
        "W3-watched",
        "W3-out while a hidden subscriber to all types hears each request",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W3Out, 2.5),
    Row::new(
        Workload::W3Unhook,
        "W3-unhook",
        "W3-out where a handler that panics is unhooked",
        SENDS,
        Unit::Object,
    )
    .departs(Workload::W3Out, 1.3),
    Row::new(
        Workload::W4,
        "W4",
        "a send to one object of 15 handlers, the kind known only at run time",
        Size::of_messages(100_000, 1, 5),
        Unit::Message,
    )
    .target(1.4),
    Row::new(
        Workload::W5,
        "W5",
        "1 000 000 messages due over 1 000 frames, posted and delivered, a message",
        POSTS,
        Unit::Message,
    )
    .target(2.0),
    Row::new(
        Workload::W5Cancel,
        "W5-cancel",
        "the same, with every second one cancelled before the first frame",
        POSTS,
        Unit::Message,
    )
    .target(1.3),
    Row::new(
        Workload::W5Context,
        "W5-context",
        "W5 with a handler that takes a context",
        POSTS,
        Unit::Message,
    )
    .departs(Workload::W5, 1.3),
    Row::new(
        Workload::W5Word,
        "W5-word",
        "W5-context with a message of one integer field",
        POSTS,
        Unit::Message,
    )
    .departs(Workload::W5, 1.3),
    Row::new(
        Workload::W5Mixed,
        "W5-mixed",
        "W5 with four message types in turn, from 10 000 senders",
        POSTS,
        Unit::Message,
    )
    .departs(Workload::W5, 1.5),
    Row::new(
        Workload::W5Batch,
        "W5-batch",
        "1 000 000 messages due over 1 000 frames, posted in batches of 100 and delivered",
        POSTS,
        Unit::Message,
    )
    .target(6.0),
    Row::new(
        Workload::W5Heard,
        "W5-heard",
        "W5 while a hidden subscriber hears each message",
        POSTS,
        Unit::Message,
    )
    .departs(Workload::W5, 2.0),
    Row::new(
        Workload::W5Header,
        "W5-header",
        "W5 with a condition in each header",
        POSTS,
        Unit::Message,
    )
    .departs(Workload::W5, 2.0),
    Row::new(
        Workload::W5Two,
        "W5-two",
        "W5 with two components of each object that handle the message, a message",
        POSTS,
        Unit::Message,
    )
    .departs(Workload::W5, 2.0),
    Row::new(
        Workload::W5Ten,
        "W5-ten",
        "100 000 messages, ten of them posted in each frame and due in one of the next 1 000",
        Size::of_messages(100_000, 10_000, 1).in_frames(1_000),
        Unit::Message,
    )
    .target(0.6),
    Row::new(
        Workload::W5One,
        "W5-one",
        "20 000 messages, one of them posted in each frame and due in one of the next 1 000",
        Size::of_messages(20_000, 10_000, 1).in_frames(1_000),
        Unit::Message,
    )
    .target(2.5),
    Row::new(
        Workload::W6,
        "W6",
        "1 000 000 messages published to 10 000 recipients, each reads its own",
        MAIL,
        Unit::Message,
    )
    .target(2.0),
    Row::new(
        Workload::W6Pass,
        "W6-pass",
        "1 000 000 messages published, one reader goes through all in the order written",
        MAIL,
        Unit::Message,
    ),
    Row::new(
        Workload::W6Batch,
        "W6-batch",
        "1 000 000 messages published in batches of 100, one reader goes through all",
        MAIL,
        Unit::Message,
    )
    .target(2.0),
    Row::new(
        Workload::W7,
        "W7",
        "a message to 1 000 subscribers, a subscriber",
        BROADCASTS,
        Unit::Object,
    )
    .target(1.0),
    Row::new(
        Workload::W8,
        "W8",
        "a cascade of 8 nested sends, a hop",
        CHAINS,
        Unit::Hop,
    )
    .target(5.0),
    Row::new(
        Workload::W8Two,
        "W8-two",
        "W8, each message handled by two components of its object, a hop",
        CHAINS,
        Unit::Hop,
    )
    .departs(Workload::W8, 2.0),
    Row::new(
        Workload::W8Watched,
        "W8-watched",
        "W8 while a hidden subscriber to all types hears each message, a hop",
        CHAINS,
        Unit::Hop,
    )
    .departs(Workload::W8, 2.5),
    Row::new(
        Workload::W8Unhook,
        "W8-unhook",
        "W8 where a handler that panics is unhooked, a hop",
        CHAINS,
        Unit::Hop,
    )
    .departs(Workload::W8, 1.3),
    Row::new(
        Workload::W9,
        "W9",
        "10 000 objects of 4 components despawned shuffled and spawned again, an object",
        Size::of_objects(10_000, 20),
        Unit::Object,
    ),
    Row::new(
        Workload::W9Fifth,
        "W9-fifth",
        "a fifth component hooked to 10 000 objects of 4, shuffled, and unhooked, an object",
        Size::of_objects(10_000, 20),
        Unit::Object,
    ),
    Row::new(
        Workload::W9Many,
        "W9-many",
        "1 000 subscriptions and names come and go while 1 000 others stay, one of each",
        Size::of_objects(1_000, 100),
        Unit::Object,
    ),
    #[cfg(feature = "rooms")]
    Row::new(
        Workload::W10,
        "W10",
        "a send from a handler to one of 1 000 objects in another room, with the frame that delivers it, shuffled",
        Size::of_objects(1_000, 100),
        Unit::Object,
    )
    .departs(Workload::W10, 3.0),
    #[cfg(feature = "rooms")]
    Row::new(
        Workload::W10Frame,
        "W10-frame",
        "a frame of 8 rooms, each with 100 objects that compute and send 100 messages, one of them to another room",
        Size::of_objects(1, 20),
        Unit::Object,
    ),
];
