//! Fires wires: finds those of the messagees that receive a message, and posts or cancels what they say.

use std::panic::Location;

use message_core::error::Undelivered;
use message_core::internals::{
    Frame, PostCall, Sent, Subscribed, World, activated_by, cancel_posts,
};
use message_core::{
    AnyMessage, MessageeId, Posts, Recipient, SendError, SendErrorKind, Sender, SubscriptionId,
};
use message_format::DataError;

use crate::messages::copy_of;
use crate::wire::live::{Fired, drop_unused};
use crate::wire::values::Received;
use crate::wire::{Action, WireTarget, WireTerms, Wires};

/// Fires the wires of the messagees that receive this message.
pub(super) fn fire_wires(of: usize, message: &dyn AnyMessage, sent: &Sent<'_>, by: SubscriptionId) {
    let world = sent.world;
    let wires = Wires::of(&world.outside.wires);
    let mut received = Received::new(message, world);
    for id in wires.waiting_for(of, |from| sent.was_meant(from)) {
        let Some((from, terms)) = wires.ready(id) else {
            continue;
        };
        let stays =
            world.structure.messagees.is_alive(from) && !world.structure.messagees.is_leaving(from);
        if !stays || !received.satisfies(&terms.when) {
            continue;
        }
        let Some(fired) = wires.fire(id) else {
            continue;
        };
        if fired.is_last {
            drop_unused(world);
        }
        let owner = Some(from);
        let frame = Frame::of_subscription(sent, Subscribed { id: by, owner });
        let firing = Firing {
            frame: &frame,
            from,
            terms: &terms,
            fired: &fired,
        };
        firing.act(&mut received);
    }
}

/// A wire that fires.
struct Firing<'f> {
    frame: &'f Frame<'f>,
    from: MessageeId,
    terms: &'f WireTerms,
    fired: &'f Fired,
}

impl Firing<'_> {
    fn act(&self, received: &mut Received<'_>) {
        let world = self.frame.sent.world;
        if let Action::Cancel(key) = self.terms.action {
            let key: Posts = key.into();
            let key = key.seen_from(Sender::Messagee(self.from));
            cancel_posts(world, &key);
            return;
        }
        let to = match self.recipients(world) {
            Ok(to) => to,
            Err(why) => return self.bury(received.message, why),
        };
        for to in to {
            if let Err(why) = self.post(to, received) {
                self.bury(received.message, why);
            }
        }
    }

    /// Returns the recipients to which the wire posts.
    fn recipients(&self, world: &World) -> Result<Vec<Recipient>, Undelivered> {
        let (structure, from) = (&world.structure, self.from);
        let found: Vec<MessageeId> = match &self.terms.to {
            WireTarget::Mnemonic(mnemonic) => return Ok(vec![Recipient::Mnemonic(*mnemonic)]),
            WireTarget::Group(group) => return Ok(vec![Recipient::Group(*group)]),
            WireTarget::Sender => return self.one(self.frame.sent.sender),
            WireTarget::Activator => return self.one(self.frame.sent.activator()),
            WireTarget::Me => vec![from],
            WireTarget::Messagees(ids) => ids.clone(),
            WireTarget::Named(pattern) => {
                let found = structure.find(pattern);
                found
                    .filter(|&id| structure.check_stays(id).is_ok())
                    .collect()
            }
            WireTarget::Parent => structure.parent(from).into_iter().collect(),
            WireTarget::Children => structure.children(from).collect(),
            WireTarget::Siblings => {
                let parent = structure.parent(from);
                let all = parent
                    .into_iter()
                    .flat_map(|parent| structure.children(parent));
                all.filter(|&id| id != from).collect()
            }
        };
        if found.is_empty() {
            let why = format!("nobody is at its target, {}", self.terms.to).into();
            return Err(Undelivered::Unwired { why });
        }
        Ok(found.into_iter().map(Recipient::Id).collect())
    }

    /// Returns a sender as the recipient.
    fn one(&self, sender: Sender) -> Result<Vec<Recipient>, Undelivered> {
        if let Sender::Messagee(id) = sender {
            return Ok(vec![Recipient::Id(id)]);
        }
        let message = self.fired.message.as_ref();
        let message = message.map(|message| message.with(AnyMessage::name));
        let kind = SendErrorKind::NobodyToReplyTo { sender };
        let error = SendError::of(message, None, kind);
        Err(Undelivered::Refused { error })
    }

    /// Posts the message to a recipient.
    fn post(&self, to: Recipient, received: &mut Received<'_>) -> Result<(), Undelivered> {
        let activator = self.frame.sent.activator();
        let header = activated_by(self.terms.header.with_recipient(to), activator);
        let message = self.message(received).map_err(|error| {
            let why = error.what().into();
            Undelivered::Unwired { why }
        })?;
        let (place, held) = (self.fired.place, &mut Some(message));
        let call = PostCall::new(to, &header, held);
        let posted = PostCall { place, ..call }.post_anew(self.frame);
        posted
            .map(drop)
            .map_err(|error| Undelivered::Refused { error })
    }

    /// Returns the message to post.
    fn message(&self, received: &mut Received<'_>) -> Result<Box<dyn AnyMessage>, DataError> {
        let world = self.frame.sent.world;
        match &self.fired.message {
            None => copy_of(received.message, world),
            Some(message) if self.terms.fields.is_empty() => {
                message.with(|message| copy_of(message, world))
            }
            Some(message) => message.with(|message| received.fill(message, &self.terms.fields)),
        }
    }

    /// Reports the message as a dead letter, as if it were addressed to the wire's own messagee.
    #[cold]
    fn bury(&self, received: &dyn AnyMessage, why: Undelivered) {
        let bury = |message: &dyn AnyMessage| {
            let (world, to) = (self.frame.sent.world, Recipient::Id(self.from));
            let sender = Sender::Messagee(self.from);
            let place: &'static Location<'static> = self.fired.place;
            let sent = Sent {
                parent: Some(self.frame),
                ..Sent::of_type(message.facts(), world, sender, to, place)
            };
            sent.bury(why, 0, copy_of(message, world).ok());
        };
        match &self.fired.message {
            Some(message) => message.with(bury),
            None => bury(received),
        }
    }
}
