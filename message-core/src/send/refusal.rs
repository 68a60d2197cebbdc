//! Refusals of a send before anybody has received the message.

use std::ops::ControlFlow;

use crate::error::{Absence, Limit, Receiver, SendError, SendErrorKind};
use crate::handler::{Route, RouteTable};
use crate::send::{Callee, Met, ReceiverSlot, Sent, Waiting};
use crate::storage::Pool;
use crate::structure::Unborn;

impl Sent<'_> {
    /// Returns the error of the send.
    #[cold]
    pub(crate) fn error(&self, why: SendErrorKind) -> SendError {
        SendError::new(self.message(), self.to, why)
    }

    /// Returns the error of a limit that the send reached.
    #[cold]
    pub(crate) fn at_limit(&self, limit: Limit) -> SendError {
        let chain = self.chain().at_limit(self.place, |link| {
            self.message() == link.message
                && match link.receiver {
                    Receiver::Component { messagee, .. } => {
                        (self.world.structure).is_meant(messagee, self.to, self.sender)
                    }
                    // A subscriber may listen to the messages of one sender.
                    Receiver::Subscription { .. } => self.place == link.place,
                }
        });
        self.error(SendErrorKind::AtLimit { limit, chain })
    }

    /// Returns the error of a send that cannot wait for its receivers.
    #[cold]
    pub(super) fn cannot_wait(&self, waiting: &Waiting<'_>) -> SendError {
        let message = self.message();
        if let Some(&id) = waiting.proxies.first() {
            return SendError::absent(message, id, Absence::Elsewhere);
        }
        let newborn = waiting.newborns.first().copied().map(Unborn::Messagee);
        match waiting.unborn.or(newborn) {
            Some(Unborn::Messagee(id)) => SendError::absent(message, id, Absence::NotYetThere),
            Some(Unborn::Component(hook)) => SendError::absent(message, hook, Absence::NotYetThere),
            // A receiver that exists but cannot receive is busy.
            None => self.busy(waiting.busy[0]),
        }
    }

    /// Checks that no receiver is busy, before any of them is called.
    pub(super) fn check_free(&self, table: &RouteTable) -> Result<(), SendError> {
        let (world, mut waiting) = (self.world, Waiting::default());
        let (mut busy, except) = (None, self.except());
        let mut find_busy = |route: &Route, pool: &Pool, slot| {
            let found = pool.find_busy(slot, route.row.shared, except);
            busy = found.map(|slot| Callee::new(route, pool, slot).spot());
            busy.map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
        };
        let _ = self.find_audience()?.visit(&world.structure, table, |met| {
            match met {
                Met::Messagee(record) => {
                    for stop in &*self.stops(table, record) {
                        let callee = stop.callee(table, record, &world.structure);
                        find_busy(callee.route, callee.pool, Some(callee.slot))?;
                    }
                }
                Met::Component(Callee { route, pool, slot }) => find_busy(route, pool, Some(slot))?,
                Met::Pool { route, pool } => find_busy(route, pool, None)?,
                Met::Proxy(id) => waiting.proxies.push(id),
                Met::Newborn(id) => waiting.newborns.push(id),
            }
            ControlFlow::Continue(())
        });
        if busy.is_none() && world.listen.subscriptions.any_listens(table.index) {
            busy = self.find_busy_listener();
        }
        waiting.busy.extend(busy);
        if waiting.is_for_later() {
            return Ok(());
        }
        Err(self.cannot_wait(&waiting))
    }

    #[cold]
    fn busy(&self, spot: ReceiverSlot) -> SendError {
        let (receiver, chain) = (spot.receiver(self), self.chain());
        self.error(SendErrorKind::Busy { receiver, chain })
    }
}
