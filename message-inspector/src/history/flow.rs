//! A summary of the senders, receivers and message types of all deliveries.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, TraceOutcome, Traced};
use message_core::{MessageId, MessageeId, Sender};
use message_trace::{Flow, TraceFilter};
use serde_json::{Value, json};

use super::event::name_of;
use super::{History, short};

/// One end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Outside,
    Manager,
    Subscriber,
    Unknown,
    Component(&'static str),
    Messagee(MessageeId),
}

impl Node {
    fn id(self) -> String {
        match self {
            Self::Outside => "outside".to_owned(),
            Self::Manager => "manager".to_owned(),
            Self::Subscriber => "subscriber".to_owned(),
            Self::Unknown => "unknown".to_owned(),
            Self::Component(name) => format!("component {name}"),
            Self::Messagee(id) => format!("messagee {id:#}"),
        }
    }

    fn told(self) -> Value {
        let (kind, label) = match self {
            Self::Outside => ("outside", "outside".to_owned()),
            Self::Manager => ("manager", "the manager".to_owned()),
            Self::Subscriber => ("subscriber", "subscribers".to_owned()),
            Self::Unknown => ("unknown", "unknown".to_owned()),
            Self::Component(name) => ("component", short(name).to_owned()),
            Self::Messagee(id) => ("messagee", name_of(id).unwrap_or_else(|| format!("{id:#}"))),
        };
        let messagee = match self {
            Self::Messagee(id) => Some(format!("{id:#}")),
            _ => None,
        };
        json!({ "id": self.id(), "label": label, "kind": kind, "messagee": messagee })
    }
}

#[derive(Default)]
struct Edge {
    message: &'static str,
    id: Option<MessageId>,
    count: u64,
    failed: u64,
}

fn receiver_node(receiver: Receiver, by_type: bool) -> Node {
    match receiver {
        Receiver::Component { component, .. } if by_type => Node::Component(component),
        Receiver::Subscription { .. } if by_type => Node::Subscriber,
        _ => receiver.messagee().map_or(Node::Subscriber, Node::Messagee),
    }
}

/// Returns the component type whose handler sent it.
fn sender_by_type(
    send: Option<&TraceEvent>,
    begins: &HashMap<TraceId, &TraceEvent>,
) -> Option<Node> {
    let Traced::Sent {
        cause: Some(cause), ..
    } = &send?.what
    else {
        return None;
    };
    let receiver = begins.get(cause)?.what.receiver()?;
    Some(receiver_node(receiver, true))
}

impl History {
    /// Returns the types that send to each other, whatever the counts.
    pub(crate) fn flow_of_types(&self) -> Flow {
        Flow::of_events(self.events(), &TraceFilter::all())
    }

    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "estimates of deliveries"
    )]
    pub(crate) fn flow(&self, by_type: bool, message: Option<&str>, limit: usize) -> Value {
        let begins = self.begins();
        let failed = self.events().filter_map(|event| match &event.what {
            Traced::Returned {
                delivery,
                outcome: TraceOutcome::Failed | TraceOutcome::Panicked,
                ..
            } => Some(*delivery),
            _ => None,
        });
        let failed: HashSet<TraceId> = failed.collect();
        let mut edges: BTreeMap<(Node, Node, &str), Edge> = BTreeMap::new();
        for event in self.events() {
            let Traced::Called {
                delivery, receiver, ..
            } = &event.what
            else {
                continue;
            };
            if message.is_some_and(|message| message != event.message) {
                continue;
            }
            let plain = match event.sender {
                Sender::Outside => Node::Outside,
                Sender::Manager => Node::Manager,
                Sender::Messagee(_) if by_type => Node::Unknown,
                Sender::Messagee(id) => Node::Messagee(id),
                _ => Node::Unknown,
            };
            let from = match (by_type, event.sender) {
                (true, Sender::Messagee(_)) => {
                    let send = event.send.and_then(|send| begins.get(&send)).copied();
                    sender_by_type(send, &begins).unwrap_or(plain)
                }
                _ => plain,
            };
            let to = receiver_node(*receiver, by_type);
            let edge = edges.entry((from, to, event.message)).or_default();
            (edge.message, edge.id) = (event.message, Some(event.message_id));
            edge.count += 1;
            edge.failed += u64::from(failed.contains(delivery));
        }
        let span = match (self.events().next(), self.events().next_back()) {
            (Some(first), Some(last)) => last.wall.saturating_sub(first.wall),
            _ => Duration::ZERO,
        };
        let seconds = span.as_secs_f64();
        let mut edges: Vec<_> = edges.into_iter().collect();
        edges.sort_by(|a, b| b.1.count.cmp(&a.1.count).then(a.0.cmp(&b.0)));
        let left_out = edges.len().saturating_sub(limit);
        edges.truncate(limit);
        let nodes: std::collections::BTreeSet<Node> = edges
            .iter()
            .flat_map(|((from, to, _), _)| [*from, *to])
            .collect();
        let edges = edges.iter().map(|((from, to, _), edge)| {
            let weight = edge.id.map_or(1.0, |id| self.weight(id));
            let count = (edge.count as f64 * weight).round();
            json!({
                "from": from.id(),
                "to": to.id(),
                "message": edge.message,
                "short": short(edge.message),
                "count": count as u64,
                "rate": if seconds > 0.0 { count / seconds } else { 0.0 },
                "failed": edge.failed,
            })
        });
        json!({
            "seconds": seconds,
            "complete": self.reading.complete,
            "nodes": nodes.into_iter().map(Node::told).collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
            "left_out": left_out,
        })
    }
}
