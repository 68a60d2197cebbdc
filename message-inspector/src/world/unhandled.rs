//! The sends that no receiver handles, as the world counts them.

use message_core::error::Unhandled;
use message_core::{MessageManager, Recipient};
use serde_json::{Value, json};

use crate::world::messagees::short;

/// Returns the reason without the paths of the types.
fn reason(unhandled: &Unhandled) -> String {
    let shorts = |names: &[&'static str]| names.iter().copied().map(short).collect::<Vec<_>>();
    let components = shorts(&unhandled.components);
    let handled_by = shorts(&unhandled.handled_by);
    Unhandled::reason(short(unhandled.message), &components, &handled_by)
}

pub(super) fn report(manager: &MessageManager) -> Value {
    let mut all = manager.inspect().unhandled();
    all.sort_by_key(|it| std::cmp::Reverse(it.count));
    let rows = all.iter().map(|it| {
        json!({
            "message": it.message,
            "short": short(it.message),
            "why": reason(it),
            "count": it.count,
            "sent_at": it.place.to_string(),
            "to": [],
            "last": null,
        })
    });
    rows.collect()
}

/// Returns why a messagee has not received a message that was sent to it.
pub(super) fn why(manager: &MessageManager, to: Recipient, message: &str) -> Option<String> {
    let Recipient::Id(id) = to else { return None };
    let hooks = manager.hooks(id);
    let components: Vec<_> = hooks
        .filter_map(|hook| manager.component_name(hook))
        .collect();
    let all = manager.inspect().unhandled();
    let is_it = |it: &&Unhandled| it.message == message && it.components == components;
    let found = all.iter().find(is_it)?;
    let name = manager.name(id);
    let name = name.map_or_else(|| format!("messagee {id:#}"), |name| name.to_string());
    Some(format!("{name} {}", reason(found)))
}
