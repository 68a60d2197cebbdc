//! The messagees of a world: the tree, the search, and the details of each messagee.

use message_core::{HookId, MessageManager, MessageeId};
use message_data as data;
use serde_json::{Value, json};

use crate::builder::Builder;
use crate::shared::{Answer, Refusal};
use crate::world::later::{self, Numbers};

/// How many messagees one search looks at.
const LOOKED_AT: usize = 20_000;
/// The maximum length of a component's text, and of the texts of its fields together, in bytes.
const LONGEST: usize = 4_096;

pub(super) fn short(name: &str) -> &str {
    // Keep the arguments of a generic type.
    let head = name.find('<').unwrap_or(name.len());
    let begin = name[..head].rfind([':', '.']).map_or(0, |at| at + 1);
    &name[begin..]
}

pub(super) fn find(manager: &MessageManager, id: &str) -> Result<MessageeId, Refusal> {
    let found = manager.inspect().parse_messagee(id);
    found.ok_or_else(|| Refusal::unknown(format!("no messagee {id} is alive")))
}

pub(super) fn list(
    manager: &MessageManager,
    parent: Option<&str>,
    search: Option<String>,
    after: Option<&str>,
    limit: usize,
) -> Answer {
    let search = search.filter(|search| !search.trim().is_empty());
    let mut rows = Vec::new();
    let mut next = None;
    let mut behind = after.is_none();
    let mut take = |id: MessageeId| {
        if rows.len() == limit {
            next = rows.last().map(|(id, _)| *id);
            return false;
        }
        rows.push((id, row(manager, id)));
        true
    };
    let mut pass = |id: MessageeId| {
        let is_behind = behind;
        behind |= after == Some(&*format!("{id:#}"));
        is_behind
    };
    let mut cut = None;
    if let Some(search) = &search {
        let search = Search::new(manager, search);
        for (looked, id) in manager.messagees().enumerate() {
            if looked == LOOKED_AT {
                cut = Some(id);
                break;
            }
            if search.finds(manager, id) && pass(id) && !take(id) {
                break;
            }
        }
    } else {
        match parent {
            None | Some("none") => {
                let roots = manager.messagees();
                for id in roots.filter(|&id| manager.parent(id).is_none()) {
                    if pass(id) && !take(id) {
                        break;
                    }
                }
            }
            Some(parent) => {
                for id in manager.children(find(manager, parent)?) {
                    if pass(id) && !take(id) {
                        break;
                    }
                }
            }
        }
    }
    let rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
    Ok(json!({
        "total": manager.len(),
        "rows": rows,
        "next": next.map(|id| format!("{id:#}")),
        "cut": cut.is_some(),
    }))
}

/// The text that is searched for.
struct Search {
    text: String,
    by_name: Vec<MessageeId>,
}

impl Search {
    fn new(manager: &MessageManager, text: &str) -> Self {
        let text = text.trim().to_lowercase();
        let has_wildcard = text.contains(['*', '?']);
        let mut by_name: Vec<MessageeId> = if has_wildcard {
            manager.find(&text).collect()
        } else {
            Vec::new()
        };
        by_name.sort_unstable();
        Self { text, by_name }
    }

    fn finds(&self, manager: &MessageManager, id: MessageeId) -> bool {
        let text = &*self.text;
        if self.by_name.binary_search(&id).is_ok() || format!("{id:#}") == text {
            return true;
        }
        let has = |name: &str| name.to_lowercase().contains(text);
        manager.name(id).is_some_and(|name| has(&name))
            || manager
                .hooks(id)
                .filter_map(|hook| manager.component_name(hook))
                .any(has)
            || manager.mnemonics_of(id).iter().any(|it| has(it.name()))
            || manager.groups_of(id).iter().any(|it| has(it.name()))
    }
}

fn row(manager: &MessageManager, id: MessageeId) -> Value {
    let components = manager.hooks(id).map(|hook| component(manager, hook));
    json!({
        "id": format!("{id:#}"),
        "name": manager.name(id).as_deref(),
        "parent": manager.parent(id).map(|id| format!("{id:#}")),
        "children": manager.children(id).count(),
        "mnemonics": manager.mnemonics_of(id).iter().map(|it| it.name()).collect::<Vec<_>>(),
        "groups": manager.groups_of(id).iter().map(|it| it.name()).collect::<Vec<_>>(),
        "proxy": manager.is_proxy(id),
        "components": components.collect::<Vec<_>>(),
    })
}

fn component(manager: &MessageManager, hook: HookId) -> Value {
    let name = manager.component_name(hook).unwrap_or_default();
    json!({
        "hook": hook.to_string(),
        "component": name,
        "short": short(name),
        "enabled": manager.is_enabled(hook).unwrap_or(false),
    })
}

/// Returns a messagee with all details known here; the server adds what it has received and sent.
pub(super) fn one(
    manager: &MessageManager,
    settings: &Builder,
    numbers: &mut Numbers,
    id: &str,
) -> Answer {
    let id = find(manager, id)?;
    let mut all = row(manager, id);
    let components = manager.hooks(id).map(|hook| {
        let mut all = component(manager, hook);
        let name = manager.component_name(hook).unwrap_or_default();
        let value = value(manager, settings, hook, name);
        let (form, value, why) = match value {
            Ok((form, value)) => (Some(form), Some(value), None),
            Err(why) => (None, None, Some(why)),
        };
        let handles = message_core::registry().handlers();
        let handles = handles.filter(|it| it.component == name);
        let mut handles: Vec<_> = handles.map(|handler| handler.message).collect();
        handles.dedup();
        all["value"] = value.into();
        all["form"] = form.into();
        all["why"] = why.into();
        all["handles"] = handles.into();
        all["values"] = values(manager, hook, form).into();
        let data = data::component_type(manager, hook).ok();
        all["data"] = data.map(data::DataType::name).into();
        all["fields"] = data.map(data::DataType::fields).unwrap_or_default().into();
        all
    });
    all["components"] = components.collect::<Vec<_>>().into();
    let mut path = Vec::new();
    let mut above = manager.parent(id);
    while let Some(id) = above.filter(|_| path.len() < 100) {
        let name = manager.name(id);
        path.push(json!({ "id": format!("{id:#}"), "name": name.as_deref() }));
        above = manager.parent(id);
    }
    path.reverse();
    all["path"] = path.into();
    all["pending"] = later::to(manager, settings, numbers, id, 50).into();
    Ok(all)
}

/// Returns the text of a component and its form.
pub(super) fn value(
    manager: &MessageManager,
    settings: &Builder,
    hook: HookId,
    name: &str,
) -> Result<(&'static str, String), String> {
    if settings.hidden.contains(name) {
        return Err("hidden".to_owned());
    }
    let (form, text) = match (
        data::component_to_text(manager, hook),
        settings.shown.get(name),
    ) {
        (Ok(text), _) => ("data", text),
        (Err(_), Some(show)) => ("debug", show(manager, hook)?),
        (Err(_), None) => return Err("not shown".to_owned()),
    };
    Ok((form, cut(text, LONGEST)))
}

/// Returns the fields of a component whose data is shown, as far as they are not too long.
fn values(manager: &MessageManager, hook: HookId, form: Option<&str>) -> Vec<Value> {
    let fields = data::component_fields(manager, hook).ok();
    let fields = fields.filter(|_| form == Some("data")).unwrap_or_default();
    let mut left = LONGEST;
    let fields = fields.into_iter().map_while(|(field, value)| {
        left = left.checked_sub(field.len())?;
        let value = Some(value).filter(|value| value.len() <= left);
        left -= value.as_ref().map_or(0, String::len);
        Some(json!({ "field": field, "value": value }))
    });
    fields.collect()
}

/// Truncates a text that is too long.
pub(crate) fn cut(mut text: String, longest: usize) -> String {
    if text.len() > longest {
        let end = (0..=longest).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or_default());
        text.push('…');
    }
    text
}
