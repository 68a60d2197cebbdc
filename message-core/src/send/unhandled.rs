//! Sends to one messagee that nobody handles: they are counted, traced and reported.
//!
//! All of this lies behind the exit for messagees without stops, so a send that somebody handles pays nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::address::{Recipient, Sender};
use crate::error::Unhandled;
use crate::handler::RouteTable;
use crate::message::MessageIndex;
use crate::registry::Registry;
use crate::report::Report;
use crate::send::{Delivery, Sent};
use crate::storage::{FEW, HookRef, Record};
use crate::trace::Traced;

/// The most component types that are named as those that would handle a message.
const MOST_NAMED: usize = 3;

/// A message type, and the component types of a messagee in hook order. Layouts would not do: their numbers are reused.
type Pair = (MessageIndex, SmallVec<[u32; FEW]>);

/// The sends that nobody has handled.
#[derive(Default)]
pub(crate) struct UnhandledSends {
    /// The sends since they were reset, by message type and components.
    pub(crate) pairs: RefCell<BTreeMap<Pair, Unhandled>>,
    /// The number of sends since the manager was made.
    pub(crate) total: Cell<u64>,
}

impl UnhandledSends {
    /// Returns all entries, sorted by message, then by components.
    pub(crate) fn sorted(&self) -> Vec<Unhandled> {
        let mut all: Vec<Unhandled> = self.pairs.borrow().values().cloned().collect();
        all.sort_by(|a, b| (a.message, &a.components).cmp(&(b.message, &b.components)));
        all
    }
}

impl Delivery<'_> {
    /// Meets a messagee of which no component handles the message.
    #[cold]
    pub(super) fn meet_no_handler(&self, table: &RouteTable) {
        // If somebody may hear it, this is asked when all of them were.
        let subscriptions = &self.sent.world.listen.subscriptions;
        if !subscriptions.may_hear(table, self.sent) {
            self.note_unhandled(table);
        }
    }

    /// Counts a message that nobody has received, if it was sent to one messagee that has no handler for it.
    #[cold]
    pub(crate) fn note_unhandled(&self, table: &RouteTable) {
        let (sent, world) = (self.sent, self.sent.world);
        let is_to_one = matches!(
            sent.to,
            Recipient::Id(_) | Recipient::Me | Recipient::Mnemonic(_)
        );
        // A retained message is received by those who come later.
        if !is_to_one || sent.sender == Sender::Manager || sent.is_retained() {
            return;
        }
        let Recipient::Id(id) = sent.resolved_to() else {
            return;
        };
        let Some(record) = world.structure.messagees.here(id) else {
            return;
        };
        if !sent.stops(table, record).is_empty() {
            return;
        }
        let components = world.structure.messagees.components(record);
        let pair = (table.index, components.map(|at| at.component).collect());
        let unhandled = &world.waiting.failures.unhandled;
        unhandled.total.set(unhandled.total.get() + 1);
        let mut pairs = unhandled.pairs.borrow_mut();
        let new = || describe(sent, table, record);
        let entry = pairs.entry(pair).or_insert_with(new);
        entry.count += 1;
        entry.place = sent.place;
        sent.trace(|| Traced::Unhandled {
            messagee: id,
            components: entry.components.as_slice().into(),
            handled_by: entry.handled_by.as_slice().into(),
        });
        if entry.count == 1 && world.common.config.report_unhandled {
            let first = entry.clone();
            world.later(move |world| world.report(&Report::Unhandled(first)));
        }
    }
}

/// Describes a message that a messagee does not handle, not counted yet.
fn describe(sent: &Sent<'_>, table: &RouteTable, record: &Record) -> Unhandled {
    let structure = &sent.world.structure;
    let components = structure.messagees.components(record);
    let name = |at: HookRef| structure.pools.at(at.component).component_name();
    let registry = Registry::published();
    let handling = table.in_order().filter_map(|route| {
        let info = registry?.component_at(route.component)?;
        Some(info.name)
    });
    let mut handled_by: Vec<&'static str> = handling.collect();
    handled_by.sort_unstable();
    handled_by.truncate(MOST_NAMED);
    Unhandled {
        message: sent.message(),
        components: components.map(name).collect(),
        handled_by,
        count: 0,
        place: sent.place,
    }
}
