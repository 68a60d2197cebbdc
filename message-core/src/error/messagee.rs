//! The error of changing or reaching a messagee or a component.

use crate::address::{HookId, MessageeId};

/// The reason why a messagee or a component could not be changed or reached. Nothing was changed.
///
/// ```
/// use message_core::prelude::*;
///
/// struct Hat;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// let error = manager.get::<Hat>(orc).err();
/// assert!(matches!(error, Some(MessageeError::NoComponent { .. })));
/// manager.despawn(orc)?;
/// assert_eq!(manager.despawn(orc), Err(MessageeError::Gone { id: orc }));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageeError {
    /// The messagee was despawned, or is about to be.
    #[error("messagee {id} is gone")]
    Gone {
        /// The messagee.
        id: MessageeId,
    },
    /// The messagee was despawned in this dispatch. It is alive until the outermost send returns, and
    /// can be changed no more.
    #[error("messagee {id} was despawned during this dispatch and cannot be changed")]
    Leaving {
        /// The messagee.
        id: MessageeId,
    },
    /// The id of the messagee was given out by another manager.
    #[error("the id {id} belongs to another manager")]
    OtherManager {
        /// The messagee.
        id: MessageeId,
    },
    /// The messagee was spawned in this dispatch and comes alive when the outermost send
    /// returns.
    #[error(
        "messagee {id} cannot be reached yet: it was spawned during this dispatch, and is alive when the \
         outermost send returns"
    )]
    NotYetSpawned {
        /// The messagee.
        id: MessageeId,
    },
    /// The messagee is a proxy: its components are in another manager.
    #[error("messagee {id} is in another manager, and so are its components")]
    Elsewhere {
        /// The proxy.
        id: MessageeId,
    },
    /// The outbox of a proxy was closed.
    #[error("there is no outbox {number}: it was closed, or belongs to another manager")]
    NoOutbox {
        /// Its number.
        number: u32,
    },
    /// The component was unhooked, or is about to be, or the messagee is gone.
    #[error("no component is hooked as {hook}")]
    NotHooked {
        /// The hook.
        hook: HookId,
    },
    /// The component was hooked in this dispatch and can be reached when the outermost send
    /// returns.
    #[error(
        "the component of hook {hook} cannot be reached yet: it was hooked during this dispatch, and is \
         attached when the outermost send returns"
    )]
    NotYetHooked {
        /// The hook.
        hook: HookId,
    },
    /// The id of the hook was given out by another manager.
    #[error("the hook {hook} belongs to another manager")]
    HookOfOtherManager {
        /// The hook.
        hook: HookId,
    },
    /// The hooked component is of another type than the one asked for.
    #[error("hook {hook} holds a `{found}`, not a `{expected}`")]
    WrongComponent {
        /// The hook.
        hook: HookId,
        /// The type that was asked for.
        expected: &'static str,
        /// The type of the component.
        found: &'static str,
    },
    /// The messagee has no component of the type.
    #[error("messagee {id} has no component `{component}`")]
    NoComponent {
        /// The messagee.
        id: MessageeId,
        /// The type that was asked for.
        component: &'static str,
    },
    /// The component is in use: it runs further up the call chain, or is borrowed already.
    #[error(
        "component `{component}` of messagee {id} is busy: it is running or borrowed; a handler has its \
         own component as `self`"
    )]
    Busy {
        /// The messagee.
        id: MessageeId,
        /// The type of the component.
        component: &'static str,
    },
    /// The mnemonic is bound already.
    #[error("`{mnemonic}` is already bound to messagee {to}")]
    AlreadyBound {
        /// The name of the mnemonic.
        mnemonic: &'static str,
        /// The messagee that it is bound to.
        to: MessageeId,
    },
    /// The mnemonic is not bound to that messagee: it is bound to another, or to none.
    #[error("`{mnemonic}` is not bound to messagee {id}: {}", bound_to(*.to))]
    NotBound {
        /// The name of the mnemonic.
        mnemonic: &'static str,
        /// The messagee that was to give it up.
        id: MessageeId,
        /// The messagee that it is bound to, if any.
        to: Option<MessageeId>,
    },
    /// A handler or a subscriber tried to subscribe for another messagee than its own. What that
    /// subscription sent would come from the other one.
    #[error(
        "a subscription for messagee {id} cannot be made by {}: expected its own messagee or one \
         spawned during this dispatch",
        maker(*.me)
    )]
    NotOneself {
        /// The messagee that was to own the subscription.
        id: MessageeId,
        /// The messagee that the handler or subscriber sends as; `None` for a subscriber without an
        /// owner.
        me: Option<MessageeId>,
    },
    /// The messagee would become its own ancestor.
    #[error("messagee {parent} cannot be the parent of {child}: it is {child} or descends from it")]
    Cycle {
        /// The messagee that was to get a parent.
        child: MessageeId,
        /// The parent that was refused.
        parent: MessageeId,
    },
}

fn maker(id: Option<MessageeId>) -> String {
    let nobody = || "a subscriber without an owner".to_owned();
    id.map_or_else(nobody, |id| format!("messagee {id}"))
}

fn bound_to(id: Option<MessageeId>) -> String {
    let nobody = || "no messagee is bound to it".to_owned();
    id.map_or_else(nobody, |id| format!("it is bound to messagee {id}"))
}
