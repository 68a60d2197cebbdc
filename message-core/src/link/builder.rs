//! The registry by hand, for types that link-time collection cannot find.

use std::panic::Location;

use crate::handler::{HandlerRow, Receives};
use crate::link::{Entry, extension};
use crate::message::Message;
use crate::registry::{MessageRow, PUBLISHED, Place, Registry, RegistryError};

impl Registry {
    /// Begins a registry with all that was linked in, to add by hand what could not be listed. It
    /// takes effect with [`RegistryBuilder::publish`], which has to come before the first manager.
    ///
    /// ```
    /// use message_core::{NoReply, Registry};
    /// use message_core::prelude::*;
    ///
    /// struct Sample<const BITS: u32>;
    ///
    /// impl<const BITS: u32> Message for Sample<BITS> {
    ///     type Reply = NoReply;
    ///     const NAME: &'static str = if BITS == 8 { "sample.8" } else { "sample.16" };
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().message::<Sample<8>>().publish()?;
    /// assert!(registry.message_named("sample.8").is_some());
    /// assert!(registry.message_named("sample.16").is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder(Vec::new())
    }
}

/// Adds to the registry, by hand, what could not be collected at link time: instantiations of
/// generic messages and components that cannot be listed where they are declared.
///
/// It starts from everything that was linked in, and has to be published before the first
/// manager is made and before the first call of [`registry()`](crate::registry()).
///
/// ```
/// use message_core::Registry;
/// use message_core::prelude::*;
/// use message_core::NoReply;
///
/// /// Anything that has a name can be logged about.
/// trait Named: Send + 'static { const NAME: &'static str; }
///
/// struct About<T>(T);
///
/// impl<T: Named> Message for About<T> {
///     type Reply = NoReply;
///     const NAME: &'static str = T::NAME;
/// }
///
/// struct Log<T> { last: Option<T>, lines: usize }
///
/// // An empty list: none at link time, all by hand.
/// #[handlers(types())]
/// impl<T: Named + Clone> Log<T> {
///     #[on_receive]
///     fn write(&mut self, about: &About<T>) {
///         self.last = Some(about.0.clone());
///         self.lines += 1;
///     }
/// }
/// # #[derive(Clone)]
/// # struct Weather;
/// # impl Named for Weather { const NAME: &'static str = "about weather"; }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// Registry::builder().handler::<Log<Weather>, About<Weather>>().publish()?;
///
/// let mut manager = MessageManager::new();
/// let log = manager.spawn((Log::<Weather> { last: None, lines: 0 },));
/// manager.send(log, About(Weather))?;
/// assert_eq!(manager.get::<Log<Weather>>(log)?.lines, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is registered before `publish`"]
pub struct RegistryBuilder(Vec<Entry>);

impl RegistryBuilder {
    /// Adds a message type. One that is known already, by being linked in or by one of its
    /// handlers, stays as it is. Without it a message that the derive cannot list is
    /// [`SendErrorKind::Unregistered`](crate::SendErrorKind::Unregistered).
    ///
    /// ```
    /// use message_core::{NoReply, Registry};
    /// use message_core::prelude::*;
    ///
    /// struct Slot<const N: usize>;
    ///
    /// impl<const N: usize> Message for Slot<N> {
    ///     type Reply = NoReply;
    ///     const NAME: &'static str = ["slot.first", "slot.second"][N];
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// Registry::builder().message::<Slot<0>>().message::<Slot<1>>().publish()?;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Slot<1>>(), |_, _| {});
    /// assert_eq!(manager.send(Everyone, Slot::<1>)?.received, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn message<M: Message>(mut self) -> Self {
        let caller = Location::caller();
        let (file, line) = (caller.file(), caller.line());
        let place = Place { file, line };
        let row = MessageRow::untagged(M::FACTS, place);
        self.0.push(Entry::Message(row));
        self
    }

    /// Adds the handler of `M` on `C`, and the message type `M` with it. One that is known
    /// already stays as it is.
    ///
    /// ```
    /// use message_core::{NoReply, Registry};
    /// use message_core::prelude::*;
    ///
    /// struct Put<const N: usize>;
    ///
    /// impl<const N: usize> Message for Put<N> {
    ///     type Reply = NoReply;
    ///     const NAME: &'static str = ["put.first", "put.second"][N];
    /// }
    ///
    /// struct Shelf<const N: usize> { things: u32 }
    ///
    /// #[handlers(types())] // None at link time.
    /// impl<const N: usize> Shelf<N> {
    ///     #[on_receive]
    ///     fn put(&mut self, _: &Put<N>) { self.things += 1; }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// Registry::builder().handler::<Shelf<1>, Put<1>>().publish()?;
    ///
    /// let mut manager = MessageManager::new();
    /// let shelf = manager.spawn((Shelf::<1> { things: 0 },));
    /// manager.send(shelf, Put::<1>)?;
    /// assert_eq!(manager.get::<Shelf<1>>(shelf)?.things, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn handler<C: Receives<M>, M: Message>(mut self) -> Self {
        let rows = const { &[Some(HandlerRow::of::<C, M>())] };
        self.0.push(Entry::Handlers(rows, None));
        self
    }

    /// Publishes the registry for the whole process.
    ///
    /// # Errors
    ///
    /// [`RegistryError::AlreadyPublished`] when there is one already, which stays as it is;
    /// otherwise those of [`try_registry`](crate::try_registry).
    ///
    /// ```
    /// use message_core::{Registry, RegistryError};
    ///
    /// let registry = Registry::builder().publish()?;
    /// assert!(std::ptr::eq(registry, message_core::registry()));
    ///
    /// let again = Registry::builder().publish();
    /// assert!(matches!(again, Err(RegistryError::AlreadyPublished)));
    /// # Ok::<(), RegistryError>(())
    /// ```
    pub fn publish(self) -> Result<&'static Registry, RegistryError> {
        match PUBLISHED.make_first(|| extension::publish_first(self.0)) {
            Ok(published) => published.as_ref().map_err(Clone::clone),
            Err(_) => Err(RegistryError::AlreadyPublished),
        }
    }

    /// Extends the registry by the types that were added, linked in or loaded since it was published.
    /// Without a published registry this is [`publish`](Self::publish). See
    /// [`extend_registry()`](crate::extend_registry()) for what an extension keeps and what it changes.
    /// Several threads can extend it at once, also while another publishes it on first use.
    ///
    /// A manager that had components of a type before the type had any handlers never finds these.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`extend_registry()`](crate::extend_registry()). The registry stays as it
    /// is.
    ///
    /// ```
    /// use message_core::{NoReply, Registry};
    /// use message_core::prelude::*;
    ///
    /// struct Lift<const N: usize>;
    ///
    /// impl<const N: usize> Message for Lift<N> {
    ///     type Reply = NoReply;
    ///     const NAME: &'static str = ["lift.first", "lift.second"][N];
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::all(), |_, _| {});
    /// assert!(manager.send(Everyone, Lift::<1>).is_err()); // Nobody knows of it.
    ///
    /// Registry::builder().message::<Lift<1>>().extend()?;
    /// assert_eq!(manager.send(Everyone, Lift::<1>)?.received, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(self) -> Result<&'static Registry, RegistryError> {
        extension::extend(&self.0)
    }
}
