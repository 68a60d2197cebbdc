//! What a handler can do besides touching its own component.

use std::cell::{Ref, RefMut};
use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::component::{Bundle, Component};
use crate::dispatch::call::{Farewell, Frame, Header};
use crate::error::{MessageeError, SendError};
use crate::message::{Message, Request};
use crate::mnemonic::Mnemonic;
use crate::receipt::Receipt;
use crate::world::{Children, Presence, World};

/// What a handler sees of the delivery it was called for, and through which it acts: the optional
/// third parameter of an `#[on_receive]` method.
///
/// Messages sent through it are delivered at once, before the call returns. Structural changes
/// (spawn, hook, unhook, despawn, enable, parents, mnemonics) return ids and errors at once, and
/// take effect when the outermost send returns, in the order asked for; what is going to be
/// unhooked or despawned receives nothing from then on but the manager's own farewell.
///
/// Borrows of other components come from `&mut` borrows of the context, so none can be held
/// across a send:
///
/// ```compile_fail,E0499
/// use message_core::prelude::*;
///
/// # #[derive(Message)] struct Poke;
/// # struct Health { hp: u32 }
/// fn poke(cx: &mut Context<'_>, who: MessageeId) -> Result<u32, Box<dyn std::error::Error>> {
///     let health = cx.get::<Health>(who)?;
///     cx.send(who, Poke)?; // error: `health` is still in use below
///     Ok(health.hp)
/// }
/// ```
#[derive(Debug)]
pub struct Context<'a> {
    frame: Frame<'a>,
}

impl<'a> Context<'a> {
    #[inline]
    pub(super) fn new(frame: Frame<'a>) -> Self {
        Self { frame }
    }

    fn world(&self) -> &'a World {
        self.frame.header.world
    }

    /// The header of a message that the running handler sends.
    #[inline]
    fn header<'b, M: Message>(
        &'b self,
        to: &'b Recipient,
        place: &'static Location<'static>,
    ) -> Header<'b> {
        Header {
            parent: Some(&self.frame),
            depth: self.frame.header.depth + 1,
            ..Header::outside::<M>(self.world(), Sender::Messagee(self.frame.me), to, place)
        }
    }

    /// The messagee whose component is receiving.
    #[must_use]
    pub fn me(&self) -> MessageeId {
        self.frame.me
    }

    /// The component that is receiving.
    #[must_use]
    pub fn my_hook(&self) -> HookId {
        self.frame.hook
    }

    /// Who sent the message. Stamped by the manager, so it can be trusted.
    #[must_use]
    pub fn sender(&self) -> Sender {
        self.frame.header.sender
    }

    /// Whether the message was sent by the messagee that is receiving it.
    #[must_use]
    pub fn is_from_me(&self) -> bool {
        self.sender() == Sender::Messagee(self.frame.me)
    }

    /// Where the message was sent to, as the sender wrote it.
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        *self.frame.header.to
    }

    /// Where in the source the message was sent.
    #[must_use]
    pub fn place(&self) -> &'static Location<'static> {
        self.frame.header.place
    }

    /// Sends a message, as [`MessageManager::send`](crate::MessageManager::send) does, with the
    /// receiving messagee as its sender. A receiver that is running already gets it as soon as
    /// it is free.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::send`](crate::MessageManager::send), and
    /// [`SendError::TooDeep`] and [`SendError::TooManyKept`] past the manager's limits.
    #[track_caller]
    #[inline]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let to = to.into();
        let header = self.header::<M>(&to, Location::caller());
        self.world().send(&header, message)
    }

    /// Sends an in–out message: what receivers write into it is there when the call returns.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send); and, since the message cannot be kept,
    /// [`SendError::Busy`] when a receiver is running already and
    /// [`SendError::NotYetSpawned`]. Then nobody has received it.
    #[track_caller]
    #[inline]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let to = to.into();
        let header = self.header::<M>(&to, Location::caller());
        self.world().send_mut(&header, message)
    }

    /// Asks, and returns the first answer in the order of delivery.
    ///
    /// # Errors
    ///
    /// Those of [`send_mut`](Self::send_mut), and [`SendError::NoAnswer`].
    #[track_caller]
    #[inline]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        let to = to.into();
        let header = self.header::<M>(&to, Location::caller());
        self.world().request(&header, message)
    }

    /// Asks, and returns every answer with who gave it, in the order of delivery.
    ///
    /// # Errors
    ///
    /// Those of [`send_mut`](Self::send_mut). That nobody answers is no error.
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let to = to.into();
        let header = self.header::<M>(&to, Location::caller());
        self.world().request_all(&header, message)
    }

    /// Sends a message back to the sender of the one being received.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send), and [`SendError::NoSender`] when the sender is no
    /// messagee.
    #[track_caller]
    pub fn reply<M: Message>(&mut self, message: M) -> Result<Receipt, SendError> {
        match self.sender() {
            Sender::Messagee(id) => self.send(id, message),
            Sender::Outside | Sender::Manager => Err(SendError::NoSender {
                to: Recipient::Me,
                message: M::NAME,
            }),
        }
    }

    /// Spawns a messagee with these components. Its id can be written to at once: it receives
    /// what was sent to it right after it comes alive, before any later change is made. So what
    /// is [hooked](Self::hook) to it separately does not receive that yet, and its parent, if it
    /// is given one, is not reached by `Up` yet.
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        let (world, place) = (self.world(), Location::caller());
        let id = world.reserve_messagee();
        let mut types = Vec::new();
        B::types(&mut |component| types.push(component));
        world.announce(id, types);
        world.later(move |world| world.insert(id, bundle, place));
        id
    }

    /// Hooks a component to a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_stays(id)?;
        let hook = world.reserve_hook();
        world.pending.reserve_hook(hook, id);
        world.later(move |world| {
            let stays = world.check_hook(hook).is_ok();
            world.attach(hook, id, component);
            if !stays {
                world.mark_unhooking(hook);
            }
            world.announce_hooked(id, hook, place);
        });
        Ok(hook)
    }

    /// Unhooks a component, which is dropped. From now on it receives nothing but its
    /// [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn unhook(&mut self, hook: HookId) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_hook(hook)?;
        world.pending.forget_hook(hook);
        world.mark_unhooking(hook);
        world.later(move |world| {
            if let Some(at) = world.hooks.get(hook) {
                world.next(Box::new(move |world| drop(world.detach(hook))));
                world.announce_unhooking(at.owner, hook, Some(Farewell::Hook(hook)), place);
            }
        });
        Ok(())
    }

    /// Despawns a messagee and its descendants. From now on they receive nothing but their
    /// [`Despawning`](crate::lifecycle::Despawning) and
    /// [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Despawns a messagee, and does with its children as told.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.check_stays(id)?;
        world.mark_despawning(id, children);
        world.later(move |world| world.despawn(id, children, place));
        Ok(())
    }

    /// Enables or disables a component. A disabled one stays, and receives nothing.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_hook(hook)?;
        world.later(move |world| world.set_enabled(hook, enabled));
        Ok(())
    }

    /// Makes one messagee the last child of another, or nobody's.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`], [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_parent(child, parent)?;
        world.pending.expect_parent(child, parent);
        world.later(move |world| world.families.set_parent(child, parent));
        Ok(())
    }

    /// Binds a mnemonic to a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_bind(mnemonic, id)?;
        world.pending.expect_binding(mnemonic, Some(id));
        world.later(move |world| {
            world.bindings.insert(mnemonic, id);
        });
        Ok(())
    }

    /// Frees a mnemonic that is bound to that messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`], [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_unbind(mnemonic, id)?;
        world.pending.expect_binding(mnemonic, None);
        world.later(move |world| {
            world.bindings.remove(&mnemonic);
        });
        Ok(())
    }

    /// The messagee that is bound to a mnemonic.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world().bindings.get(&mnemonic).copied()
    }

    /// The messagee's parent; `None` when it has none or is not alive.
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.world().parent(id)
    }

    /// The messagee's children in the order in which they came; none when it is not alive.
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> {
        self.world().children(id)
    }

    /// Whether the messagee is alive now. One that is going to be despawned at the end of the
    /// outermost send still is; one that was spawned in this dispatch is not yet.
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        matches!(
            self.world().presence(id),
            Presence::Alive | Presence::Leaving
        )
    }

    /// Borrows the first component of type `C` of a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running with `&mut self`, this handler's own component
    /// included; [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::NotYetSpawned`], [`MessageeError::OtherManager`].
    pub fn get<C: Component>(&mut self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        self.world().get(id)
    }

    /// Borrows the first component of type `C` of a messagee, to change it.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running, this handler's own component included;
    /// otherwise those of [`get`](Self::get).
    pub fn get_mut<C: Component>(
        &mut self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        self.world().get_mut(id)
    }

    /// Every component of type `C` with its messagee, in storage order, the disabled ones last.
    /// Those that are running with `&mut self` are left out.
    pub fn iter<C: Component>(&mut self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        self.world().iter()
    }
}
