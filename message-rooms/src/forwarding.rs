//! The pending messages of a messagee that moves to another room.

use std::collections::HashMap;
use std::time::Duration;

use message_core::post::{Interval, TakenPost};
use message_core::{Header, HookId, MessageManager, MessageeId, Posts, Recipient, Sender};

use crate::caught::FirstPanic;
use crate::column::column_for;
use crate::far::Far;
use crate::gateway::{Gateway, local};
use crate::passage::{CarriedHeader, Taken};
use crate::room::read;

/// Posts the pending messages of a messagee that moves again.
pub(crate) struct Forwarding<'r> {
    pub(crate) here: &'r mut MessageManager,
    pub(crate) there: &'r mut MessageManager,
    /// The id that it had.
    pub(crate) id: MessageeId,
    pub(crate) new: MessageeId,
    /// The proxy that takes its place.
    pub(crate) proxy: MessageeId,
    /// Its components, before and after.
    pub(crate) hooks: Vec<(HookId, HookId)>,
    /// The new addresses of those that have moved, including its own.
    pub(crate) moved: &'r HashMap<Far, Far>,
}

impl Forwarding<'_> {
    pub(crate) fn run(&mut self, panic: &mut FirstPanic) {
        let to_hooks = self.hooks.iter().map(|&(hook, _)| Posts::all().to(hook));
        let whole = [Posts::all().to(self.id), Posts::all().from(self.id)];
        let pending = to_hooks.chain(whole);
        let mut pending: Vec<_> = pending
            .flat_map(|posts| self.here.pending_posts(posts))
            .collect();
        // Messages that are due at the same time stay in the order in which they were posted.
        pending.sort_by_key(|post| post.posted.frame);
        let posts: Vec<TakenPost> = pending
            .iter()
            .flat_map(|post| self.here.take_posts(post.ticket))
            .collect();
        for post in posts {
            panic.catch(|| match self.recipient(&post.header) {
                Some(to) => self.forward(post, to),
                None => self.post_again(post),
            });
        }
    }

    /// Returns the recipient in the new room, if a message is for the messagee or a component of it.
    fn recipient(&self, header: &Header) -> Option<Recipient> {
        match header.recipient() {
            Recipient::Id(id) if id == self.id => Some(Recipient::Id(self.new)),
            // It has posted this to itself.
            Recipient::Me => Some(Recipient::Id(self.new)),
            Recipient::Hook(hook) => self.new_hook(hook).map(Recipient::Hook),
            _ => None,
        }
    }

    fn new_hook(&self, hook: HookId) -> Option<HookId> {
        let found = self.hooks.iter().find(|&&(old, _)| old == hook);
        found.map(|&(_, new)| new)
    }

    /// Returns the address of a messagee that the old room knows by an id.
    fn far_of(&self, id: MessageeId) -> Far {
        let far = Gateway::seen(self.here).far_of(id);
        self.moved.get(&far).copied().unwrap_or(far)
    }

    /// Posts a message in the new room.
    fn forward(&mut self, post: TakenPost, to: Recipient) {
        let TakenPost {
            header,
            sender,
            message,
            ..
        } = post;
        let until = header.ends_with().and_then(|hook| self.new_hook(hook));
        let header = CarriedHeader::of(&ending_with(&header, None), &|id| self.far_of(id));
        let content = if column_for(message.id()).is_some() {
            Ok(Taken::Typed(message))
        } else {
            Taken::written(&*message, &|id| self.far_of(id))
        };
        let from = sender.id().map(|id| self.far_of(id));
        let there = &mut *self.there;
        let from = from.map(|from| local(there, from));
        let read = header.and_then(|header| {
            let header = header.read(to, |far| local(there, far))?;
            Ok((ending_with(&header, until), read(content?, there)?))
        });
        let (header, message) = read.expect("its messagee was found to be able to leave");
        let spare = message.try_clone();
        let posted = match from.map(|from| there.speak_for(from)) {
            Some(Ok(mut from)) => from.post_any(header, message),
            _ => there.post_any(header, message),
        };
        if let (Err(error), Some(message)) = (posted, spare) {
            let sender = from.map_or(Sender::Outside, Sender::Messagee);
            there.report_undelivered(self.new, sender, message, error.to_string().into());
        }
    }

    /// Posts a message to others again, on behalf of the proxy.
    fn post_again(&mut self, post: TakenPost) {
        let TakenPost {
            header, message, ..
        } = post;
        let spare = message.try_clone();
        let from = self.here.speak_for(self.proxy);
        let mut from = from.expect("the proxy was just spawned");
        if let (Err(error), Some(message)) = (from.post_any(header, message), spare) {
            let (proxy, sender) = (self.proxy, Sender::Messagee(self.proxy));
            let why = error.to_string().into();
            self.here.report_undelivered(proxy, sender, message, why);
        }
    }
}

/// Returns a header with another end.
fn ending_with(header: &Header, until: Option<HookId>) -> Header {
    let mut new = Header::to(header.recipient())
        .stage(header.stage())
        .tags(header.tags());
    new = match header.delay() {
        Some(Interval::Time(delay)) => new.after(delay),
        Some(Interval::Unscaled(delay)) => new.after(delay).unscaled(),
        Some(Interval::Frames(frames)) => new.after_frames(frames),
        _ => match header.period() {
            // It is due now, and not after its period.
            Some(Interval::Time(_) | Interval::Unscaled(_)) => new.after(Duration::ZERO),
            _ => new,
        },
    };
    new = match header.period() {
        Some(Interval::Time(period)) => new.every(period),
        Some(Interval::Unscaled(period)) => new.every(period).unscaled(),
        Some(Interval::Frames(frames)) => new.every_frames(frames),
        Some(_) => new.every_pass(),
        None => new,
    };
    if let (Some(_), Some(times)) = (header.period(), header.times()) {
        new = new.times(times);
    }
    if let Some(receivers) = header.required() {
        new = new.require(receivers);
    }
    if let Some(key) = header.key() {
        new = new.key(key);
    }
    if header.is_tied_to_sender() {
        new = new.tied_to_sender();
    }
    if header.is_if_alive() {
        new = new.if_alive();
    }
    if header.is_retained() {
        new = new.retain();
    }
    if let Some(hook) = until {
        new = new.until_unhooked(hook);
    }
    new.build().expect("it was a header before")
}
