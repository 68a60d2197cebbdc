//! The manager's names of messagees.

use std::panic::Location;
use std::sync::Arc;

use crate::address::MessageeId;
use crate::component::Bundle;
#[cfg(feature = "data")]
use crate::data::Input;
use crate::error::MessageeError;
use crate::manager::MessageManager;

impl MessageManager {
    /// Names a messagee, for people and files. A new name replaces the old one, and an empty name removes it.
    /// Several messagees can have the same name.
    ///
    /// Wherever the id is printed, the name follows it: in errors, reports, dead letters and traces.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let pilot = manager.spawn(());
    /// manager.set_name(pilot, "Red Baron")?;
    /// assert_eq!(pilot.to_string(), "0v0 \"Red Baron\"");
    ///
    /// manager.despawn(pilot)?;
    /// let error = manager.set_name(pilot, "Late Baron").unwrap_err();
    /// assert_eq!(error.to_string(), "messagee 0v0 \"Red Baron\" is gone");
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn set_name(
        &mut self,
        id: MessageeId,
        name: impl Into<Arc<str>>,
    ) -> Result<(), MessageeError> {
        let name = name.into();
        #[cfg(feature = "data")]
        self.world
            .log_input(|| Input::SetName(id, name.as_ref().to_owned()));
        self.change(|world| {
            world.structure.check_stays(id)?;
            world.common.names.set(id, name);
            Ok(())
        })
    }

    /// Returns the name of a messagee; `None` if it has none.
    ///
    /// The name of one that is gone is known until its place has another messagee with a name, or
    /// [`shrink_to_fit`](Self::shrink_to_fit) forgets it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let goblin = manager.spawn_named("goblin", ());
    /// assert_eq!(manager.name(goblin).as_deref(), Some("goblin"));
    /// manager.set_name(goblin, "")?;
    /// assert_eq!(manager.name(goblin), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn name(&self, id: MessageeId) -> Option<Arc<str>> {
        self.world.common.names.get(id)
    }

    /// Spawns a messagee with a name, like [`spawn`](Self::spawn) followed by [`set_name`](Self::set_name).
    /// The messagee already has the name when it is notified of its components.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn_named("Tank 7", (Gun,));
    /// assert_eq!(tank.to_string(), "0v0 \"Tank 7\"");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`spawn`](Self::spawn).
    #[track_caller]
    pub fn spawn_named<B: Bundle>(&mut self, name: impl Into<Arc<str>>, bundle: B) -> MessageeId {
        let (name, place) = (name.into(), Location::caller());
        #[cfg(feature = "data")]
        self.log_spawn(Some(&name), &bundle, place);
        self.change(|world| {
            let id = world.structure.keys.reserve_messagee();
            world.common.names.set(id, name);
            world.changes().spawn(id, bundle, place);
            id
        })
    }

    /// Returns the living messagees whose whole name matches a pattern, in the order of their places, like
    /// [`messagees`](Self::messagees).
    ///
    /// In a pattern, `*` matches any number of characters, including none, and `?` matches one character. A
    /// `\` escapes the next character. Matching is case-sensitive. A messagee without a name is never found.
    ///
    /// With wildcards, a search takes time proportional to the number of names. Without them, the name is looked up
    /// in an index, which the first such search builds.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = ["goblin 1", "goblin 2"].map(|name| manager.spawn_named(name, ()));
    /// let king = manager.spawn_named("goblin king", ());
    /// assert!(manager.find("goblin*").eq([first, second, king]));
    /// assert!(manager.find("goblin ?").eq([first, second]));
    /// assert!(manager.find("goblin").eq([]));
    /// ```
    pub fn find(&self, pattern: &str) -> impl Iterator<Item = MessageeId> + use<> {
        let names = &self.world.common.names;
        self.world.structure.find_named(names, pattern).into_iter()
    }
}
