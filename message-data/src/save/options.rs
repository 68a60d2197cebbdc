//! Options for what is left out of a save.

use std::any::TypeId;

/// The types that [`save`](crate::save) leaves out.
///
/// A component that is left out is missing from the restored manager, and so is its hook. A message that is left out
/// was never posted, retained or published.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, SaveOptions};
///
/// struct Socket; // Nothing to be saved.
///
/// let mut manager = MessageManager::new();
/// manager.spawn((Socket,));
/// assert!(data::save(&mut manager, &SaveOptions::new()).is_err());
/// assert!(data::save(&mut manager, &SaveOptions::new().leave_out::<Socket>()).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SaveOptions {
    types: Vec<TypeId>,
    names: Vec<String>,
    without_data: bool,
}

impl SaveOptions {
    /// Returns options that leave nothing out.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, SaveOptions};
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn(());
    /// assert!(data::save(&mut manager, &SaveOptions::new()).is_ok());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves out the components or messages of a type.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, Data, SaveOptions};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "options.Blink")]
    /// struct Blink;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).after_frames(1), Blink)?;
    /// let bytes = data::save(&mut manager, &SaveOptions::new().leave_out::<Blink>())?;
    /// let restored = data::restore(&bytes, ManagerConfig::new())?;
    /// assert!(!restored.manager.has_pending(Posts::all()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_out<T: 'static>(mut self) -> Self {
        self.types.push(TypeId::of::<T>());
        self
    }

    /// Leaves out the components or messages of the type with this name: the full name, or the last part of it. A
    /// name that no type has leaves nothing out.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, SaveOptions};
    ///
    /// struct Texture;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn((Texture,));
    /// assert!(data::save(&mut manager, &SaveOptions::new().leave_out_named("Texture")).is_ok());
    /// ```
    pub fn leave_out_named(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    /// Leaves out everything whose type has no [`Data`](crate::Data).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{self as data, SaveOptions};
    ///
    /// struct Window;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn((Window,));
    /// assert!(data::save(&mut manager, &SaveOptions::new().leave_out_without_data()).is_ok());
    /// ```
    pub fn leave_out_without_data(mut self) -> Self {
        self.without_data = true;
        self
    }

    /// Returns `true` if a type with this name is left out.
    pub(super) fn leaves_out(&self, of: TypeId, name: &str) -> bool {
        let is_name = |wanted: &String| {
            let before = name.strip_suffix(wanted.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
        };
        self.types.contains(&of) || self.names.iter().any(is_name)
    }

    pub(super) fn leaves_out_without_data(&self) -> bool {
        self.without_data
    }
}
