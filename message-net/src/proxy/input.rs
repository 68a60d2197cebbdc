//! The inputs of outboxes and proxies, in logs.

use message_core::MessageManager;
use serde::{Deserialize, Serialize};

use crate::name::NodeName;
use crate::proxy::{self, OutboxId};
use message_data::LoggedInput;

/// The form in which messages are written to an outbox.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Form {
    /// With the names of their fields.
    #[serde(rename = "n")]
    Named,
    #[serde(rename = "p")]
    ByPosition,
    /// Fields by position, for the node of this name.
    #[serde(rename = "t")]
    To(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ProxyInput {
    /// An outbox is opened with a capacity.
    #[serde(rename = "o")]
    Open(u64, Form),
    #[serde(rename = "c")]
    Close(u32),
    #[serde(rename = "b")]
    Block(u32, bool),
    #[serde(rename = "t")]
    Take(u32),
    #[serde(rename = "p")]
    Spawn(u32),
}

message_data::logged_input!(ProxyInput);

impl LoggedInput for ProxyInput {
    const NAME: &'static str = "message_net.proxy";

    fn repeat(self, manager: &mut MessageManager) {
        let size = |logged| usize::try_from(logged).unwrap_or(usize::MAX);
        match self {
            Self::Open(capacity, Form::Named) => _ = proxy::open_outbox(manager, size(capacity)),
            Self::Open(capacity, Form::ByPosition) => {
                proxy::open_outbox_by_position(manager, size(capacity));
            }
            Self::Open(capacity, Form::To(node)) => match NodeName::new(&node) {
                Ok(node) => _ = proxy::open_outbox_to(manager, &node, size(capacity)),
                // The log was changed by hand.
                Err(_) => _ = proxy::open_outbox_by_position(manager, size(capacity)),
            },
            Self::Close(id) => proxy::close_outbox(manager, OutboxId(id)),
            Self::Block(id, is_blocked) => {
                proxy::set_outbox_blocked(manager, OutboxId(id), is_blocked);
            }
            Self::Take(id) => drop(proxy::take_outbox(manager, OutboxId(id))),
            Self::Spawn(id) => drop(proxy::spawn_proxy(manager, OutboxId(id))),
        }
    }
}
