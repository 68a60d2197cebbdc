//! Refusals of a send before anybody has received the message.

use std::ops::ControlFlow;

use crate::error::{Receiver, SendError, SendErrorKind};
use crate::handler::{Route, RouteTable};
use crate::send::audience::Met;
use crate::send::callee::Callee;
use crate::send::{ReceiverSlot, Sent, Unborn, Waiting};
use crate::storage::Pool;

impl Sent<'_> {
    #[cold]
    pub(super) fn too_deep(&self) -> SendErrorKind {
        SendErrorKind::TooDeep {
            to: *self.to,
            message: self.message(),
            limit: self.world.common.config.max_depth,
            chain: self.chain_at_limit(),
        }
    }

    /// Returns the error of a send that cannot wait for its receivers.
    #[cold]
    pub(super) fn cannot_wait(&self, waiting: &Waiting<'_>) -> SendError {
        let message = self.message();
        if let Some(&id) = waiting.proxies.first() {
            return SendErrorKind::Elsewhere { id, message }.into();
        }
        let intercepting = waiting.intercepting.map(|(spot, _)| spot);
        let busy = intercepting.or(waiting.busy.first().copied());
        match (waiting.unborn, busy) {
            (None, Some(spot)) => self.busy(spot),
            (unborn, _) => match unborn.expect("who cannot receive is busy or not yet alive") {
                Unborn::Messagee(id) => SendErrorKind::NotYetSpawned { id, message }.into(),
                Unborn::Component(hook) => SendErrorKind::NotYetHooked { hook, message }.into(),
            },
        }
    }

    /// Checks that no receiver is busy, before any of them is called.
    pub(super) fn check_free(&self, table: &RouteTable) -> Result<(), SendError> {
        let (world, message) = (self.world, self.message());
        let (mut busy, mut proxy, mut newborn) = (None, None, None);
        let mut find_busy = |route: &Route, pool: &Pool, slot| {
            let found = pool.find_busy(slot, route.row.shared, self.except());
            busy = found.map(|slot| Callee::new(route, pool, slot).spot());
            match busy {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        };
        let _ = self.find_audience()?.visit(&world.structure, table, |met| {
            match met {
                Met::Messagee(record) => {
                    for stop in &*self.stops(table, record) {
                        let (pool, slot) = stop.at(record, &world.structure);
                        find_busy(table.route(stop.route), pool, Some(slot))?;
                    }
                }
                Met::Component(Callee { route, pool, slot }) => find_busy(route, pool, Some(slot))?,
                Met::Pool { route, pool } => find_busy(route, pool, None)?,
                Met::Proxy(id) => {
                    proxy.get_or_insert(id);
                }
                Met::Newborn(id) => {
                    newborn.get_or_insert(id);
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(id) = proxy {
            return Err(SendErrorKind::Elsewhere { id, message }.into());
        }
        if let Some(id) = newborn {
            return Err(SendErrorKind::NotYetSpawned { id, message }.into());
        }
        if busy.is_none() && world.listen.subscriptions.any_listens(table.index) {
            busy = self.find_busy_listener();
        }
        busy.map_or(Ok(()), |spot| Err(self.busy(spot)))
    }

    #[cold]
    fn busy(&self, spot: ReceiverSlot) -> SendError {
        let (to, message, chain) = (*self.to, self.message(), self.chain());
        let error = match spot.receiver(self) {
            Receiver::Subscription(subscription) => SendErrorKind::SubscriberBusy {
                to,
                message,
                subscription,
                chain,
            },
            Receiver::Component {
                messagee: id,
                component,
            } => SendErrorKind::Busy {
                to,
                message,
                id,
                component,
                chain,
            },
        };
        error.into()
    }
}
