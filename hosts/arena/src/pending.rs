//! The pending messages, which are posted and not yet due, as rows of a table.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::post::{Due, PendingPost};
use message_core::prelude::*;

/// A pending message.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of its message type.
    pub message: String,
    /// The sender.
    pub from: String,
    /// The recipient.
    pub to: String,
    /// The time until it is due, if it waits for a time.
    pub due_in: Option<Duration>,
    /// The stage in which it is delivered.
    pub stage: Stage,
    /// The number of deliveries, if it is finite; the message repeats unless this is 1.
    pub deliveries: Option<u64>,
    /// The key it was posted under.
    pub key: Option<String>,
}

fn who(manager: &MessageManager, id: MessageeId) -> String {
    let name = manager.name(id);
    name.map_or_else(|| id.to_string(), |name| name.to_string())
}

fn last_part(path: &str) -> String {
    let last = path.rsplit(['.', ':']).next();
    last.unwrap_or(path).to_owned()
}

fn row(manager: &MessageManager, post: &PendingPost) -> Row {
    let clock = manager.clock();
    Row {
        message: last_part(post.message),
        from: match post.sender {
            Sender::Messagee(id) => who(manager, id),
            _ => "outside".to_owned(),
        },
        to: match post.recipient {
            Recipient::Id(id) => who(manager, id),
            Recipient::Mnemonic(mnemonic) => match manager.bound(mnemonic) {
                Some(id) => who(manager, id),
                None => last_part(mnemonic.name()),
            },
            Recipient::Group(group) => last_part(group.name()),
            Me => match post.sender {
                Sender::Messagee(id) => who(manager, id),
                _ => "me".to_owned(),
            },
            Everyone => "everyone".to_owned(),
            other => last_part(&other.to_string()),
        },
        due_in: match post.due {
            Due::Now(time) | Due::At(time) => Some(time.saturating_sub(clock.now())),
            Due::Unscaled(time) => Some(time.saturating_sub(clock.unscaled_now())),
            _ => None,
        },
        stage: post.stage,
        deliveries: post.deliveries,
        key: post.key.map(|key| key.to_string()),
    }
}

/// Returns the pending messages in due order.
pub fn rows(manager: &MessageManager) -> Vec<Row> {
    let posts = manager.pending_posts(Posts::all());
    posts.iter().map(|post| row(manager, post)).collect()
}
