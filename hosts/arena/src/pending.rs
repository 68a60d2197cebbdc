//! What is still to come: the messages that are posted and not yet due, as rows of a table.

use std::time::Duration;

use message_core::post::{Due, PendingPost};
use message_core::prelude::*;

/// A message that is still to come.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of its type.
    pub message: String,
    /// Who has posted it.
    pub from: String,
    /// Whom it is for.
    pub to: String,
    /// How long it takes until it is due, if it waits for a time.
    pub due_in: Option<Duration>,
    /// The stage in which it is delivered.
    pub stage: Stage,
    /// How often it is delivered, if it ends; it repeats if that is not once.
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

/// What is pending, in the order in which it is due.
pub fn rows(manager: &MessageManager) -> Vec<Row> {
    let posts = manager.pending_posts(Posts::all());
    posts.iter().map(|post| row(manager, post)).collect()
}
