//! The error of changing or reaching a messagee or a component.

use crate::address::{HookId, MessageeId};

/// The reason why a messagee or a component cannot be reached.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// manager.despawn(orc)?;
/// let error = manager.send(orc, Ping).expect_err("it was despawned");
/// assert_eq!(*error.kind(), SendErrorKind::Absent(Absence::Gone));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Absence {
    /// It was despawned or unhooked.
    #[error("it is gone")]
    Gone,
    /// The id was given out by another manager.
    #[error("the id belongs to another manager")]
    OtherManager,
    /// It was despawned or unhooked in this dispatch. It receives nothing more, and cannot be changed.
    #[error("it was despawned or unhooked in this dispatch")]
    Leaving,
    /// It was spawned or hooked in this dispatch. A send waits until it is there.
    #[error(
        "it was spawned or hooked in this dispatch, and is not there until the outermost send returns"
    )]
    NotYetThere,
    /// No messagee is bound to the mnemonic.
    #[error("no messagee is bound to it")]
    Unbound,
    /// It is a proxy: its components are in another manager, where only sends and posts reach them.
    #[error(
        "it is in another manager, where only sends and posts reach it; to get an answer, use `ask` of message-net"
    )]
    Elsewhere,
}

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
/// assert_eq!(manager.despawn(orc), Err(MessageeError::Absent { id: orc, why: Absence::Gone }));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageeError {
    /// The messagee cannot be reached or changed.
    #[error("messagee {id} cannot be reached: {why}")]
    Absent {
        /// The messagee.
        id: MessageeId,
        /// The reason.
        why: Absence,
    },
    /// The outbox of a proxy was closed.
    #[error("there is no outbox {number}: it was closed, or belongs to another manager")]
    NoOutbox {
        /// Its number.
        number: u32,
    },
    /// The component cannot be reached or changed.
    #[error("the component of hook {hook} cannot be reached: {why}")]
    NotHooked {
        /// The hook.
        hook: HookId,
        /// The reason.
        why: Absence,
    },
    /// The hooked component is of another type than the one asked for.
    #[error("hook {hook} has a component of type `{found}`: expected `{expected}`")]
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
        "component `{component}` of messagee {id} is busy: it is running or borrowed; a handler has access to \
         its own component through `self`"
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
    #[error(
        "`{mnemonic}` is not bound to messagee {id}: {}",
        .to.map_or_else(|| "no messagee is bound to it".to_owned(), |id| format!("it is bound to messagee {id}"))
    )]
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
        "{} cannot subscribe for messagee {id}: expected its own messagee, or one spawned in this dispatch",
        .me.map_or_else(|| "a subscriber without an owner".to_owned(), |id| format!("messagee {id}"))
    )]
    NotOneself {
        /// The messagee that was to own the subscription.
        id: MessageeId,
        /// The messagee that the handler or subscriber sends as; `None` for a subscriber without an
        /// owner.
        me: Option<MessageeId>,
    },
    /// The messagee would become its own ancestor.
    #[error(
        "messagee {parent} cannot be the parent of {child}: it is {child} itself or one of its descendants"
    )]
    Cycle {
        /// The messagee that was to get a parent.
        child: MessageeId,
        /// The parent that was refused.
        parent: MessageeId,
    },
}
