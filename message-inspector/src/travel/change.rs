//! A change of a component, as pages see it.

use message_core::{MessageManager, MessageeId};
use message_data::{self as data, Change};
use serde_json::{Value, json};

use crate::builder::Builder;
use crate::history::event;
use crate::world::cut;

/// The maximum length of a value, in bytes.
const LONGEST: usize = 4_096;

/// Returns a messagee whose component may be shown.
pub(super) fn shown(
    manager: &MessageManager,
    settings: &Builder,
    messagee: &str,
    component: &str,
) -> Result<MessageeId, String> {
    let id = manager.inspect().parse_messagee(messagee);
    let id = id.ok_or_else(|| format!("no messagee {messagee} is alive in this frame"))?;
    let hook = manager.hooks(id).find(|&hook| {
        let ty = data::component_type(manager, hook);
        ty.is_ok_and(|ty| ty.name() == component)
    });
    let hook = hook.ok_or_else(|| {
        format!("messagee {messagee} has no component `{component}` with data in this frame")
    })?;
    let name = manager.component_name(hook).unwrap_or_default();
    if settings.hidden.contains(name) {
        return Err(format!("`{component}` is hidden"));
    }
    Ok(id)
}

/// Returns a value, without the end of a long one.
pub(super) fn text(text: &str) -> String {
    cut(text.to_owned(), LONGEST)
}

pub(super) fn told(change: &Change) -> Value {
    let delivery = change.delivery.as_ref();
    let begun = delivery.and_then(message_core::trace::TraceEvent::begun);
    json!({
        "found": true,
        "frame": change.frame,
        "before": change.before.as_deref().map(text),
        "after": text(&change.after),
        "delivery": delivery.map(event::told),
        "cause": begun.map(message_core::TraceId::get),
        "place": change.place.as_ref().map(ToString::to_string),
        "sent_at": change.sent_at.as_ref().map(ToString::to_string),
    })
}
