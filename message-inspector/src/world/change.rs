//! Changes of components that a page asks for, as text. They come from outside and are written to logs.

use message_core::MessageManager;
use message_data as data;
use serde_json::json;

use crate::builder::Builder;
use crate::shared::{Answer, Change, Refusal};
use crate::world::messagees;

/// Changes a component, and returns the result for the page. A text that does not fit changes nothing.
pub(super) fn obey(manager: &mut MessageManager, settings: &Builder, change: &Change) -> Answer {
    let Change {
        messagee,
        hook,
        field,
        value,
    } = change;
    let id = messagees::find(manager, messagee)?;
    let found = manager.hooks(id).find(|it| it.to_string() == *hook);
    let none = || Refusal::unknown(format!("messagee {id:#} has no component with hook {hook}"));
    let hook = found.ok_or_else(none)?;
    let name = manager.component_name(hook).unwrap_or_default();
    if settings.hidden.contains(name) {
        return Err(Refusal::new(403, "hidden", format!("`{name}` is hidden")));
    }
    let changed = match &**field {
        "" => data::change_from_text(manager, hook, value),
        field => data::change_field_from_text(manager, hook, field, value),
    };
    let error = changed.err();
    Ok(json!({
        "ok": error.is_none(),
        "text": error.as_ref().map(data::DataError::what),
        "line": error.as_ref().and_then(data::DataError::line),
        "column": error.as_ref().and_then(data::DataError::column),
    }))
}
