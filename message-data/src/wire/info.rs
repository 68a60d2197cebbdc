//! The list of a manager's wires, for tools.

use std::fmt;

use message_core::{Header, MessageeId, Stage};

use crate::wire::{WireId, WireTarget, WireTest};

/// A wire as [`wires`](crate::wires) lists it.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(exact, name = "docs.wire_info_Knock")]
/// struct DocsWireInfoKnock { loud: bool }
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn_named("door", ());
/// let wire = Wire::on::<DocsWireInfoKnock>(door);
/// data::add_wire(&mut manager, wire.send("dog", DocsWireInfoKnock { loud: true }).times(2))?;
/// let wires = data::wires(&manager);
/// assert_eq!((wires[0].message.as_str(), wires[0].left), ("wire_info_Knock(loud: true)", Some(2)));
/// assert!(wires[0].to_string().ends_with("-> Named(\"dog\"): wire_info_Knock(loud: true), 2 times"));
/// # Ok::<(), message_data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WireInfo {
    /// The wire.
    pub id: WireId,
    /// The messagee that the wire belongs to. It has to receive the message that the wire waits for.
    pub from: MessageeId,
    /// The name of the message type that it waits for.
    pub on: &'static str,
    /// The target that it posts to.
    pub to: WireTarget,
    /// The action, as a world file writes it: the message to post, `It`, or the key to cancel. A message without data
    /// is given by its name.
    pub message: String,
    /// The header of the message that it posts. Its recipient has no meaning.
    pub header: Header,
    /// The conditions on fields of the received message.
    pub when: Vec<(String, WireTest)>,
    /// How many more times it fires; `None` if there is no limit.
    pub left: Option<u64>,
    /// `true` if it fires. See [`set_wire_enabled`](crate::set_wire_enabled).
    pub enabled: bool,
}

/// Formats the wire as `#0: 3v0 "lever" on game::Opened -> Named("bell"): Ring(times: 3), after 2.5s, 1 times`.
impl fmt::Display for WireInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            from,
            on,
            to,
            message,
            header,
            ..
        } = self;
        write!(f, "#{id}: {from} on {on}")?;
        for (field, test) in &self.when {
            write!(f, ", {field}: {test}")?;
        }
        write!(f, " -> {to}: {message}")?;
        if let Some(delay) = header.delay() {
            write!(f, ", after {delay}")?;
        }
        if let Some(period) = header.period() {
            write!(f, ", every {period}")?;
        }
        if let Some(key) = header.key() {
            write!(f, ", key {key}")?;
        }
        if let Some(left) = self.left {
            write!(f, ", {left} times")?;
        }
        if header.stage() != Stage::Update {
            write!(f, ", in {}", header.stage())?;
        }
        f.write_str(if self.enabled { "" } else { ", disabled" })
    }
}
