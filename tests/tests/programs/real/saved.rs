//! Saving a manager, and continuing with the restored one.

use message_core::Ticket;
use message_core::prelude::*;
use message_data::{self as data, Data, SaveOptions};
use serde::{Deserialize, Serialize};

use super::state::with;
use super::{config, hear_failures};

message_core::cloned!(Made);

/// The objects that the program has made, saved to be restored with the manager.
#[derive(Data, Serialize, Deserialize, Default, Debug, Clone)]
#[serde(default)]
pub(super) struct Made {
    ids: Vec<MessageeId>,
    hooks: Vec<HookId>,
    tickets: Vec<Ticket>,
}

pub(super) fn restored(manager: &mut MessageManager) -> MessageManager {
    // The consequences belong to what is made.
    manager.settle();
    let shelf = manager.find("shelf").next().expect("it stays");
    *manager.get_mut::<Made>(shelf).expect("it stays") = with(|state| Made {
        ids: state.ids.clone(),
        hooks: state.hooks.clone(),
        tickets: state.tickets.clone(),
    });
    let bytes = data::save(manager, &SaveOptions::new()).expect("all is data");
    let config = config(&with(|state| state.program.clone()));
    let back = data::restore(&bytes, config).expect("it was just saved");
    assert_eq!(back.notes, []);
    let mut manager = back.manager;
    let shelf = manager.find("shelf").next().expect("it was saved");
    let made = std::mem::take(&mut *manager.get_mut::<Made>(shelf).expect("it was saved"));
    with(|state| {
        (state.ids, state.hooks, state.tickets) = (made.ids, made.hooks, made.tickets);
        state.subscriptions.clear();
        state.inlet = manager.inlet();
    });
    hear_failures(&mut manager);
    manager
}
