//! Dead letters: posted messages that could not be delivered, or reached too few.

use crate::address::Recipient;
use crate::caught::FirstPanic;
use crate::error::{Absence, SendError, SendErrorKind, Undelivered};
use crate::lifecycle::DeadLetter;
use crate::message::{AnyMessage, OwnedMessage};
use crate::post::schedule::Unposted;
use crate::receipt::Receipt;
use crate::report::Report;
use crate::send::{Extras, Sent};
use crate::trace::Traced;
use crate::world::{Notice, World};

impl Sent<'_> {
    /// Delivers a message whose sender can no longer get an error. If anything goes wrong, the message
    /// becomes a dead letter.
    pub(crate) fn deliver_in_full(&self, message: &mut dyn OwnedMessage) {
        let result = self.send(message);
        self.bury_unless_received(result, message);
    }

    /// Makes a dead letter of a message unless it was received by as many as it requires.
    #[inline]
    pub(crate) fn bury_unless_received(
        &self,
        result: Result<Receipt, SendError>,
        message: &mut dyn OwnedMessage,
    ) {
        if let Some((why, got)) = self.shortfall(result) {
            self.bury(why, got, message.take());
        }
    }

    /// Returns why a message that was posted counts as not delivered, if it does, and how many have
    /// received it.
    #[inline]
    pub(super) fn shortfall(
        &self,
        result: Result<Receipt, SendError>,
    ) -> Option<(Undelivered, usize)> {
        match result {
            Ok(receipt) => {
                let got = receipt.receivers();
                (got < self.wanted()).then(|| (self.why_unreceived(got), got))
            }
            Err(error) => self.undelivered(error),
        }
    }

    #[cold]
    fn undelivered(&self, error: SendError) -> Option<(Undelivered, usize)> {
        let why = match (error.kind(), error.to()) {
            // A messagee that is leaving now will be gone when the dead letter is sent.
            (SendErrorKind::Absent(Absence::Gone | Absence::Leaving), Some(to)) => {
                Undelivered::Gone { to }
            }
            (SendErrorKind::Absent(Absence::Unbound), Some(Recipient::Mnemonic(mnemonic))) => {
                let mnemonic = mnemonic.name();
                Undelivered::Unbound { mnemonic }
            }
            _ => return Some((Undelivered::Refused { error }, 0)),
        };
        // It may end quietly when its recipient is gone.
        let if_alive = self.extras.posted.is_some_and(|it| it.mark.if_alive);
        (!if_alive).then_some((why, 0))
    }

    /// Returns the error if fewer have received a message than its header requires.
    pub(crate) fn shortage(&self, result: &Result<Receipt, SendError>) -> Option<SendError> {
        let got = result.as_ref().ok()?.receivers();
        (got < self.wanted()).then(|| self.not_received(got, self.why_unreceived(got)))
    }

    /// Returns the error of a message that fewer have received than its header requires.
    #[cold]
    pub(crate) fn not_received(&self, got: usize, why: Undelivered) -> SendError {
        let wanted = self.wanted();
        self.error(SendErrorKind::NotReceived { wanted, got, why })
    }

    /// Returns why fewer have received a message than its header requires.
    #[cold]
    fn why_unreceived(&self, got: usize) -> Undelivered {
        if got > 0 {
            return Undelivered::TooFew;
        }
        if let Recipient::Group(group) = self.to
            && self.world.structure.addresses.members(group).is_empty()
        {
            let group = group.name();
            return Undelivered::EmptyGroup { group };
        }
        let table = self.facts.table();
        let has_handler = table.is_some_and(|table| self.has_handler(table));
        if has_handler || self.has_listener() {
            Undelivered::Filtered
        } else {
            Undelivered::NoHandler
        }
    }

    /// Makes a dead letter of a message, if anybody hears of dead letters or it is to be reported.
    #[cold]
    pub fn bury(&self, why: Undelivered, got: usize, message: Option<Box<dyn AnyMessage>>) {
        let world = self.world;
        let dead_letters = &world.waiting.failures.dead_letters;
        dead_letters.set(dead_letters.get() + 1);
        self.trace(|| Traced::Died { why: why.clone() });
        // An error that no caller gets, or a requirement that was not met.
        let fails = self.wanted() > 0
            || matches!(
                why,
                Undelivered::Refused { .. }
                    | Undelivered::NotCloned
                    | Undelivered::Unwired { .. }
                    | Undelivered::Elsewhere { .. }
            );
        let is_reported = fails && world.common.config.reports();
        if fails {
            world.waiting.failures.has_fatal_letter.set(true);
            world.waiting.pending.mark_unsettled();
        }
        let is_told = !self.reporting().death && world.listen.may_be_heard::<DeadLetter>();
        if !is_told && !is_reported {
            return;
        }
        let place = self.place;
        let letter = DeadLetter {
            envelope: self.envelope(),
            name: self.message(),
            id: self.facts.id,
            message,
            wanted: self.wanted(),
            got,
            why,
        };
        let pending = &world.waiting.pending;
        pending.later(self.extras.number, move |world| {
            let notice = Notice::new(Recipient::Everyone, place);
            match (is_told, is_reported) {
                (true, true) => notice.tell_or_report(world, letter, Report::DeadLetter),
                (false, _) => world.report(&Report::DeadLetter(letter)),
                (true, false) => notice.tell(world, letter),
            }
        });
    }
}

/// Makes dead letters of the messages that were bound to senders that are gone: of all of them, also if
/// the `Drop` of one panics that nobody hears of.
pub(crate) fn bury_bound(world: &World, bound: Vec<Unposted>) {
    let mut panics = FirstPanic::default();
    for Unposted { found, message } in bound {
        let record = found.record;
        let Some(sender) = record.sender else {
            continue;
        };
        let posted = record.posted(world.common.time.now());
        let extras = Extras::NONE.posted(&posted).numbered(found.traced);
        let (facts, place) = (found.facts, record.meta.place);
        let sent = Sent::of_type(facts, world, sender.into(), record.to, place).with(&extras);
        let why = Undelivered::SenderDespawned { id: sender };
        panics.catch(|| sent.bury(why, 0, Some(message)));
    }
    panics.resume();
}
