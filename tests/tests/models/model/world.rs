//! The components under test, and what can be done to them by hand. All components log what they
//! hear; an active one also takes steps of its own when it receives a [`Batch`].

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use message_core::lifecycle::{Despawning, Unhooking};
use message_core::prelude::*;
use message_core::{Bundle, Children, Component, Mnemonic};

use super::naive::Model;
use super::{send, step};

/// A message to be logged.
#[derive(Message)]
pub(crate) struct Ping(pub(crate) u32);

/// Makes the active component with that label take steps.
#[derive(Message)]
pub(crate) struct Batch {
    pub(crate) label: u32,
}

pub(crate) struct Active(pub(crate) u32, pub(crate) Shared);
pub(crate) struct Late(pub(crate) u32, pub(crate) Shared);
pub(crate) struct Plain(pub(crate) u32, pub(crate) Shared);

#[handlers]
impl Active {
    #[on_receive(priority = 1)]
    fn ping(&mut self, ping: &Ping) {
        self.1.lock().heard.push((ping.0, self.0));
    }

    #[on_receive]
    fn batch(&mut self, batch: &Batch, cx: &mut Context<'_>) -> ControlFlow<()> {
        if batch.label != self.0 {
            return ControlFlow::Continue(());
        }
        let me = Some(cx.me());
        let steps = self.1.lock().below(6);
        for _ in 0..steps {
            step(&self.1, cx, me);
        }
        self.1.lock().become_free(self.0);
        ControlFlow::Break(())
    }
}

#[handlers]
impl Late {
    #[on_receive]
    fn ping(&mut self, ping: &Ping) {
        self.1.lock().heard.push((ping.0, self.0));
    }

    // Despawning and unhooking take more steps if somebody listens.
    #[on_receive]
    fn despawning(&self, _: &Despawning, cx: &mut Context<'_>) {
        self.say_goodbye(cx);
    }

    #[on_receive]
    fn unhooking(&self, _: &Unhooking, cx: &mut Context<'_>) {
        self.say_goodbye(cx);
    }
}

impl Late {
    /// Sends a message while a messagee is leaving, if that was requested from outside.
    fn say_goodbye(&self, cx: &mut Context<'_>) {
        let mut model = self.1.lock();
        if model.leaves {
            model.busy.push(self.0);
            drop(model);
            send(&self.1, cx, Some(cx.me()));
            let mut model = self.1.lock();
            model.goodbyes += 1;
            model.become_free(self.0);
        }
    }
}

#[handlers]
impl Plain {
    #[on_receive]
    fn ping(&self, ping: &Ping) {
        self.1.lock().heard.push((ping.0, self.0));
    }
}

#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Model>>);

impl Shared {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(Model::new(seed))))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Model> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operations available both from outside and in a handler.
pub(crate) trait Hand {
    fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId;
    fn hook<C: Component>(&mut self, id: MessageeId, part: C) -> Result<HookId, MessageeError>;
    fn unhook<C: Component>(&mut self, hook: HookId) -> Result<(), MessageeError>;
    fn despawn(&mut self, id: MessageeId, children: Children) -> Result<(), MessageeError>;
    fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError>;
    fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError>;
    fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError>;
    fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError>;
    fn send<M: Message>(&mut self, to: Recipient, message: M) -> Result<Receipt, SendError>;
}

macro_rules! hand {
    ($hand:ty, $unhook:expr) => {
        impl Hand for $hand {
            fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
                self.spawn(bundle)
            }
            fn hook<C: Component>(
                &mut self,
                id: MessageeId,
                part: C,
            ) -> Result<HookId, MessageeError> {
                self.hook(id, part)
            }
            fn unhook<C: Component>(&mut self, hook: HookId) -> Result<(), MessageeError> {
                $unhook(self, hook)
            }
            fn despawn(&mut self, id: MessageeId, children: Children) -> Result<(), MessageeError> {
                self.despawn_with(id, children)
            }
            fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
                self.set_enabled(hook, enabled)
            }
            fn set_parent(
                &mut self,
                child: MessageeId,
                parent: Option<MessageeId>,
            ) -> Result<(), MessageeError> {
                self.set_parent(child, parent)
            }
            fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
                self.bind(mnemonic, id)
            }
            fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
                self.unbind(mnemonic, id)
            }
            fn send<M: Message>(
                &mut self,
                to: Recipient,
                message: M,
            ) -> Result<Receipt, SendError> {
                self.send(to, message)
            }
        }
    };
}

hand!(MessageManager, |manager: &mut MessageManager, hook| {
    manager.unhook::<C>(hook).map(drop)
});
hand!(Context<'_>, Context::unhook);
