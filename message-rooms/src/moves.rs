//! Messagees that move to another room.

use message_core::post::{PendingPost, TakenPost};
use message_core::{
    Children, HookId, Message, MessageManager, MessageeId, Mnemonic, Recipient, Sender,
};
use message_data::{Data, tell_undelivered};
use serde::{Deserialize, Serialize};

use crate::content::{CarriedHeader, Content};
use crate::desk::{Desk, ROOMS, Request};
use crate::error::{MoveError, RoomPanic};
use crate::far::{Far, RoomId, Who};
use crate::gateway::{Gateway, follow, local, sender};
use crate::luggage::{pack, pending, unpack};
use crate::passage::Refusal;
use crate::room::{Room, settle};
use crate::rooms::Rooms;
use message_data::ask::{ASKS, AskerMoved, FirstPanic};

/// Asks the rooms to move a messagee to another room: send it to [`ROOMS`].
///
/// The messagee moves before the next frame, as by [`Rooms::move_to`]. If it cannot move, the message becomes a dead
/// letter with the reason.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_rooms::{MoveTo, ROOMS, RoomId, Rooms};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Leave { through: RoomId }
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.rooms.Walker", exact)]
/// struct Walker { steps: u32 }
///
/// #[handlers]
/// impl Walker {
///     #[on_receive]
///     fn leave(&mut self, leave: &Leave, cx: &mut Context<'_>) -> Result<(), SendError> {
///         let (who, room) = (cx.me(), leave.through);
///         cx.send(ROOMS, MoveTo { who, room }).map(drop)
///     }
/// }
///
/// let mut rooms = Rooms::new();
/// let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
/// let walker = rooms.manager_mut(hall).spawn((Walker { steps: 3 },));
/// rooms.manager_mut(hall).send(walker, Leave { through: attic })?;
/// rooms.frame(Duration::from_millis(16))?;
/// assert!(!rooms.manager(hall).is_alive(walker));
/// assert_eq!(rooms.manager(attic).iter::<Walker>().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Copy, Debug)]
#[message(name = "message_rooms.MoveTo")]
#[data(name = "message_rooms.MoveTo", exact)]
pub struct MoveTo {
    /// The messagee, or a proxy for it.
    pub who: MessageeId,
    /// The room that it moves to.
    pub room: RoomId,
}

/// A messagee has moved to another room. Sent to everyone in the room that it has left, when the next frame begins.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::{Moved, Rooms};
/// use std::sync::mpsc;
/// use std::time::Duration;
///
/// let mut rooms = Rooms::new();
/// let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
/// let (log, lines) = mpsc::channel();
/// rooms.manager_mut(hall).subscribe(Filter::of::<Moved>(), move |moved, _| {
///     let _ = log.send(*moved);
/// });
/// let owl = rooms.manager_mut(hall).spawn(());
/// let new = rooms.move_to(hall, owl, attic)?;
/// rooms.frame(Duration::from_millis(16))?;
/// let moved = lines.recv()?;
/// assert_eq!(moved.from, owl);
/// assert_eq!(rooms.home(hall, moved.to)?, Some((attic, new)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Copy, Debug)]
#[message(name = "message_rooms.Moved")]
#[data(name = "message_rooms.Moved", exact)]
pub struct Moved {
    /// The id that it had. It is gone.
    pub from: MessageeId,
    /// Its proxy.
    pub to: MessageeId,
}

impl Rooms {
    /// Moves a messagee to another room. Returns its new id.
    ///
    /// It takes along its components, its name, its groups, its mnemonics, and the pending messages to it. The ids in
    /// them are translated, so each component type and each message type needs [data](message_data::Data), or
    /// [`carried!`](crate::carried) for a message. Whatever other messagees send to it arrives, also what is under way.
    ///
    /// In the room that it leaves, its old id is gone, and [`Moved`] is sent to everyone. A proxy takes its place: it is
    /// bound to the mnemonics, has the parent and the children, and is the sender of the messages that the messagee has
    /// posted to others. Its proxies in other rooms follow it. In the other room it has no family.
    ///
    /// Subscriptions, overhearing, wires, mail and retained messages do not move.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such room, if the messagee is a proxy or not alive, if somebody else is bound to
    /// one of its mnemonics there, or if components or pending messages cannot be written or read. Nothing has changed
    /// then.
    ///
    /// # Panics
    ///
    /// Panics if a handler panics that is notified of the change; the messagee has moved nevertheless. Also panics under
    /// the same conditions as [`settle`](MessageManager::settle), which is called first.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_rooms::Rooms;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "docs.rooms.Cat", exact)]
    /// struct Cat { lives: u32 }
    ///
    /// let mut rooms = Rooms::new();
    /// let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
    /// let cat = rooms.manager_mut(hall).spawn((Cat { lives: 9 },));
    /// let moved = rooms.move_to(hall, cat, attic)?;
    /// assert_eq!(rooms.manager(attic).get::<Cat>(moved)?.lives, 9);
    /// assert!(!rooms.manager(hall).is_alive(cat));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to(
        &mut self,
        from: RoomId,
        id: MessageeId,
        to: RoomId,
    ) -> Result<MessageeId, MoveError> {
        self.check(to)?;
        let old = Far::messagee(from, id);
        match self.home_of(from, id)? {
            home if home == old => {}
            Far { room, .. } => return Err(MoveError::Proxy { id, room }),
        }
        if from == to {
            return Ok(id);
        }
        for room in &mut self.all {
            room.manager.settle();
        }
        let [here, there] = pair(&mut self.all, from, to);
        check_mnemonics(here, there, old, id)?;
        let packed = pack(here, id)?;
        let (new, components) = unpack(packed, there, old, id, here.name(id))?;

        // From here on, everything is done, even if a handler panics.
        let mut panic = FirstPanic::default();
        let old_hooks: Vec<HookId> = here.hooks(id).collect();
        for (component, is_enabled) in components {
            let hook = panic.catch(|| component.hook(there, new));
            if let (Some(Ok(hook)), false) = (hook, is_enabled) {
                panic.catch(|| drop(there.set_enabled(hook, false)));
            }
        }
        settle(there, &mut panic);
        let hooks: Hooks = old_hooks.into_iter().zip(there.hooks(new)).collect();
        for group in here.groups_of(id) {
            there.join(group, new).expect("it was just spawned");
        }
        let mnemonics = here.mnemonics_of(id);
        for &mnemonic in &mnemonics {
            rebind(there, mnemonic, new);
        }
        let address = Far::messagee(to, new);
        for room in self.ids().filter(|&room| room != from) {
            follow(self.manager_mut(room), old, address);
        }
        let here = self.manager_mut(from);
        let proxy = follow(here, old, address).expect("it leaves this room");
        take_place(here, id, proxy);
        let (from, to) = (id, proxy);
        panic.catch(|| here.send(ASKS, AskerMoved { from, to }).map(drop));
        settle(here, &mut panic);
        for mnemonic in mnemonics {
            rebind(here, mnemonic, proxy);
        }
        for post in take_posts(here, id, &hooks) {
            panic.catch(|| self.post_again(post, old, address, &hooks));
        }
        let here = self.manager_mut(old.room);
        panic.catch(|| drop(here.despawn_with(id, Children::Reparent)));
        panic.resume();
        Ok(new)
    }

    /// Posts a message that was pending again: in the new room if it was for the messagee, or else on behalf of its proxy.
    fn post_again(&mut self, post: TakenPost, old: Far, new: Far, hooks: &Hooks) {
        let [here, there] = pair(&mut self.all, old.room, new.room);
        let proxy = local(here, new);
        let hook = |hook| hooks.iter().find(|it| it.0 == hook).map(|it| it.1);
        let to = match post.header.recipient() {
            Recipient::Me => Some(new.who.recipient(there)),
            to if to == old.who.recipient(here) => Some(new.who.recipient(there)),
            Recipient::Hook(to) => hook(to).map(Recipient::Hook),
            _ => None,
        };
        let until = post.header.ends_with().and_then(hook);
        let (sender, spare) = (post.sender, post.message.try_clone());
        let posted = if let Some(to) = to {
            take_along(here, there, &post, to, until)
        } else {
            let mut from = here.speak_for(proxy).expect("it was just spawned");
            let posted = from.post_any(post.header, post.message);
            posted.map(drop).map_err(Refusal::from)
        };
        // A message that cannot be posted would have become a dead letter.
        if let (Err(error), Some(spare)) = (posted, spare) {
            tell_undelivered(here, proxy, sender, spare, error.to_string());
        }
    }

    /// Carries out what was requested in the last frame. Returns the rooms in which a handler has panicked.
    pub(crate) fn carry_out_requests(&mut self) -> Vec<RoomPanic> {
        let mut panics = Vec::new();
        for room in self.ids() {
            for Request { sender, wanted } in Desk::requests(self.manager_mut(room)) {
                let mut panic = FirstPanic::default();
                let moved = panic.catch(|| self.carry_out(room, wanted));
                if let Some(Err(why)) = moved {
                    let here = self.manager_mut(room);
                    let sender = sender.map_or(Sender::Outside, Sender::Messagee);
                    let (wanted, why) = (Box::new(wanted), why.to_string());
                    panic.catch(|| tell_undelivered(here, ROOMS, sender, wanted, why));
                }
                panics.extend(self.all[room.at()].panic(panic));
            }
        }
        panics
    }

    fn carry_out(&mut self, room: RoomId, wanted: MoveTo) -> Result<(), MoveError> {
        let MoveTo { who: id, room: to } = wanted;
        // An earlier request may have moved it.
        let Far { room, who } = Gateway::seen(self.manager(room)).far_of(id);
        match who {
            Who::Messagee(number) => {
                let id = number.id_in(self.manager(room));
                self.move_to(room, id, to).map(drop)
            }
            _ => Err(MoveError::Proxy { id, room }),
        }
    }
}

/// Returns the managers of two rooms.
fn pair(rooms: &mut [Room], one: RoomId, other: RoomId) -> [&mut MessageManager; 2] {
    let pair = rooms.get_disjoint_mut([one.at(), other.at()]);
    let pair = pair.expect("they are two rooms, and were checked");
    pair.map(|room| &mut room.manager)
}

/// Checks that the mnemonics of a messagee are free in another room, or bound to its proxy.
fn check_mnemonics(
    here: &MessageManager,
    there: &MessageManager,
    old: Far,
    id: MessageeId,
) -> Result<(), MoveError> {
    let gateway = Gateway::seen(there);
    let mnemonics = here.mnemonics_of(id).into_iter().filter(|&mnemonic| {
        let bound = there.bound(mnemonic);
        bound.is_some_and(|other| gateway.target_of(other) != Some(old))
    });
    let mnemonics: Vec<_> = mnemonics.map(Mnemonic::name).collect();
    if mnemonics.is_empty() {
        return Ok(());
    }
    Err(MoveError::Bound { id, mnemonics })
}

/// Binds a mnemonic to a messagee instead of the one that it is bound to.
fn rebind(manager: &mut MessageManager, mnemonic: Mnemonic, id: MessageeId) {
    if let Some(bound) = manager.bound(mnemonic) {
        manager.unbind(mnemonic, bound).expect("it is bound");
    }
    manager.bind(mnemonic, id).expect("it is free now");
}

/// Lets a proxy take the place of a messagee in its family. A proxy from an earlier stay may be in the family already: if
/// it is an ancestor, it keeps its parent.
fn take_place(here: &mut MessageManager, id: MessageeId, proxy: MessageeId) {
    let _ = here.set_parent(proxy, here.parent(id));
    let children: Vec<_> = here.children(id).filter(|&child| child != proxy).collect();
    for child in children {
        let set = here.set_parent(child, Some(proxy));
        set.expect("the proxy is not below it");
    }
}

/// The components of a messagee that moves: before, and after.
type Hooks = Vec<(HookId, HookId)>;

/// Takes out the pending messages to a messagee and its components, and those that it has posted.
fn take_posts(here: &mut MessageManager, id: MessageeId, hooks: &Hooks) -> Vec<TakenPost> {
    let mut pending = pending(here, id, hooks.iter().map(|&(hook, _)| hook));
    // Messages that are due at the same time stay in the order in which they were posted.
    pending.sort_by_key(|post| post.posted.frame);
    let take = |post: &PendingPost| here.take_posts(post.ticket);
    pending.iter().flat_map(take).collect()
}

/// Posts a message of `here` in the room that its messagee has moved to.
fn take_along(
    here: &MessageManager,
    there: &mut MessageManager,
    post: &TakenPost,
    to: Recipient,
    until: Option<HookId>,
) -> Result<(), Refusal> {
    let gateway = Gateway::seen(here);
    let header = CarriedHeader::of(&post.header.with_end(None), gateway)?;
    let content = Content::of(&*post.message, gateway)?;
    let from = post.sender.id().map(|id| gateway.far_of(id));
    let from = sender(there, from.unwrap_or(gateway.own(Who::Outside)));
    let header = header.read(to, there)?.with_end(until);
    let message = content.read(there)?;
    there.speak_for(from)?.post_any(header, message)?;
    Ok(())
}
