//! Messages about changes: components that come and go, messagees that go, and a manager that is restored.

use crate::address::{HookId, MessageeId};
use crate::message::Message;

/// A message about one component.
pub(crate) trait AboutComponent: Message {
    fn new(messagee: MessageeId, hook: HookId, component: &'static str) -> Self;
}

/// Declares messages about one component.
macro_rules! about_component {
    ($($(#[$doc:meta])* pub struct $message:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $message {
            /// The messagee that has the component.
            pub messagee: MessageeId,
            /// The hook of the component.
            pub hook: HookId,
            /// The type of the component.
            pub component: &'static str,
        }

        impl AboutComponent for $message {
            fn new(messagee: MessageeId, hook: HookId, component: &'static str) -> Self {
                Self {
                    messagee,
                    hook,
                    component,
                }
            }
        }
    )*};
}

about_component! {
    /// A component has been attached to the messagee. Sent to the messagee, the new component
    /// included, right after.
    ///
    /// ```
    /// use message_core::lifecycle::Hooked;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Body { hooked: Vec<HookId> }
    ///
    /// #[handlers]
    /// impl Body {
    ///     #[on_receive]
    ///     fn note(&mut self, hooked: &Hooked) { self.hooked.push(hooked.hook); }
    /// }
    ///
    /// struct Hat;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Body::default(),));
    /// let hat = manager.hook(orc, Hat)?;
    /// assert_eq!(manager.get::<Body>(orc)?.hooked.last(), Some(&hat));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Hooked;

    /// A component is about to be taken from the messagee. Sent to the messagee, that component
    /// included, right before; when the whole messagee goes, after [`Despawning`], once for each
    /// component.
    ///
    /// ```
    /// use message_core::lifecycle::Unhooking;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Body { lost: Vec<HookId> }
    ///
    /// #[handlers]
    /// impl Body {
    ///     #[on_receive]
    ///     fn note(&mut self, unhooking: &Unhooking) { self.lost.push(unhooking.hook); }
    /// }
    ///
    /// struct Hat;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Body::default(),));
    /// let hat = manager.hook(orc, Hat)?;
    /// manager.unhook::<Hat>(hat)?;
    /// assert_eq!(manager.get::<Body>(orc)?.lost, [hat]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Unhooking;

    /// A component was disabled and is enabled again. Sent to the messagee, that component included, when
    /// the outermost send returns.
    ///
    /// ```
    /// use message_core::lifecycle::{Disabled, Enabled};
    /// use message_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Radio { switched: Vec<bool> }
    ///
    /// #[handlers]
    /// impl Radio {
    ///     #[on_receive]
    ///     fn on(&mut self, _: &Enabled) { self.switched.push(true); }
    ///
    ///     #[on_receive]
    ///     fn off(&mut self, _: &Disabled) { self.switched.push(false); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let id = manager.spawn((Radio::default(),));
    /// let Some(radio) = manager.hooks(id).next() else { unreachable!() };
    /// manager.set_enabled(radio, false)?;
    /// manager.set_enabled(radio, true)?;
    /// assert_eq!(manager.get::<Radio>(id)?.switched, [false, true]);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub struct Enabled;

    /// A component was disabled. Sent to the messagee, that component included, when the outermost send
    /// returns: it is the only message that a disabled component receives. See [`Enabled`].
    ///
    /// ```
    /// use message_core::lifecycle::Disabled;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Radio { silenced: u32 }
    ///
    /// #[handlers]
    /// impl Radio {
    ///     #[on_receive]
    ///     fn off(&mut self, _: &Disabled) { self.silenced += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let id = manager.spawn(());
    /// let radio = manager.hook(id, Radio::default())?;
    /// manager.set_enabled(radio, false)?;
    /// assert_eq!(manager.get::<Radio>(id)?.silenced, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Disabled;

    /// The manager was made from a save, by `restore` of the crate `message-data`. Sent once to each component that
    /// handles it, instead of [`Hooked`](crate::lifecycle::Hooked), when everything is there: messagee by
    /// messagee in the order of their ids, the components of each in the order of hooking. Disabled
    /// components do not receive it.
    ///
    /// ```
    /// use message_core::lifecycle::Restored;
    /// use message_core::prelude::*;
    ///
    /// /// The device is not saved: it is opened again.
    /// struct Speakers { volume: u32, device: Option<String> }
    ///
    /// #[handlers]
    /// impl Speakers {
    ///     #[on_receive]
    ///     fn open(&mut self, _: &Restored) { self.device = Some("hw:0".into()); }
    /// }
    /// ```
    pub struct Restored;
}

/// The messagee is about to be removed. Sent to the messagee while all who go with it are still
/// there.
///
/// ```
/// use message_core::lifecycle::Despawning;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// struct Will(mpsc::Sender<&'static str>);
///
/// #[handlers]
/// impl Will {
///     #[on_receive]
///     fn read(&mut self, _: &Despawning) {
///         let _ = self.0.send("my axe goes to my son");
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// let (log, wills) = mpsc::channel();
/// let orc = manager.spawn((Will(log),));
/// manager.despawn(orc)?;
/// assert_eq!(wills.recv()?, "my axe goes to my son");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Despawning {
    /// The messagee.
    pub messagee: MessageeId,
}
