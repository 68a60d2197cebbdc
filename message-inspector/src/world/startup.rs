//! Declared types and names that are not connected to anything.

use message_core::{MessageManager, registry::MessageInfo};
use message_data::{self as data, declared_groups, declared_mnemonics};
use serde_json::{Value, json};

use crate::world::messagees::short;

pub(super) fn report(manager: &MessageManager) -> Value {
    let unused = manager.inspect().unused_messages();
    let unhandled = unused.iter().map(|info: &&MessageInfo| {
        json!({
            "message": info.name,
            "short": short(info.name),
            "place": info.place.to_string(),
        })
    });
    let unbound = declared_mnemonics().filter(|&it| manager.bound(it).is_none());
    let empty = declared_groups().filter(|&it| manager.members(it).next().is_none());
    let wires = data::wires(manager);
    let wires = wires.iter().map(|wire| {
        let id = wire.id.to_string();
        json!({ "id": id, "text": wire.to_string(), "enabled": wire.enabled })
    });
    json!({
        "unhandled": unhandled.collect::<Vec<_>>(),
        "unbound": unbound.map(|it| json!({ "mnemonic": it.name() })).collect::<Vec<_>>(),
        "empty_groups": empty.map(|it| json!({ "group": it.name() })).collect::<Vec<_>>(),
        "wires": wires.collect::<Vec<_>>(),
    })
}
