//! Making what a world file describes, and writing a world as one.

use std::panic::Location;
use std::sync::Arc;

use message_core::input::Input;
use message_core::internals::{Inside as _, World};
use message_core::{MessageManager, MessageeId};

use crate::actor::Actor;
use crate::world_file::layout::Layout;
use crate::{DataInput, Instance, Instancing, Selection, WorldError, WorldFile};

impl WorldFile {
    /// Makes what a world file describes: its messagees with everything they have, and its wires. Returns the
    /// ids by their names in the file.
    ///
    /// Either all of it is made or nothing. Messagees are notified of their components once everything
    /// exists. A file can be instantiated several times, and a manager can instantiate several files.
    ///
    /// In a handler, all of it comes alive when the outermost send returns, like what is
    /// [spawned](message_core::Context::spawn). Messages can be sent to it at once.
    ///
    /// # Errors
    ///
    /// Returns an error if a mnemonic of the file is already bound in this manager, if the message of a wire
    /// can neither be cloned nor written, or if a value cannot be read. Parsing reads each value, except those
    /// beyond its [limit](message_core::contract#world-files.read-again). Nothing has changed then, and the next
    /// messagee gets the id that it would have had anyway.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::WorldFile;
    ///
    /// mnemonic!(DOCS_WORLD_GATE = "docs.WorldGate");
    ///
    /// let text = r#"World(version: 1, messagees: [(name: "gate", mnemonics: ["WorldGate"])])"#;
    /// let file = WorldFile::parse(text)?;
    /// let mut manager = MessageManager::new();
    /// let made = file.instantiate(&mut manager)?;
    /// assert_eq!(manager.bound(DOCS_WORLD_GATE), made.get("gate"));
    ///
    /// let error = file.instantiate(&mut manager).expect_err("it is bound");
    /// assert!(error.to_string().contains("`docs.WorldGate` is already bound to"), "{error}");
    /// assert_eq!(manager.len(), 1);
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    ///
    /// A component that loads a level when it is asked to:
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{WorldError, WorldFile};
    ///
    /// #[derive(Message)]
    /// struct Enter(WorldFile);
    ///
    /// #[derive(Default)]
    /// struct Levels { made: usize }
    ///
    /// #[handlers]
    /// impl Levels {
    ///     #[on_receive]
    ///     fn enter(&mut self, enter: &Enter, cx: &mut Context<'_>) -> Result<(), WorldError> {
    ///         self.made += enter.0.instantiate(cx)?.len();
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let levels = manager.spawn((Levels::default(),));
    /// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate")])"#)?;
    /// manager.send(levels, Enter(file))?;
    /// assert_eq!((manager.len(), manager.find("gate").count()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](MessageManager::settle).
    #[track_caller]
    pub fn instantiate(&self, actor: &mut impl Actor) -> Result<Instance, WorldError> {
        let place = Location::caller();
        actor.act(
            DataInput::World(self, place),
            |input| Input::Foreign(input),
            |world, _| self.instancing(world, place).instance(),
        )
    }

    /// Makes one messagee from a template of a world file and gives it that name.
    ///
    /// A messagee id in the components is written as the name of a messagee that is alive in this manager.
    ///
    /// In a handler, the messagee comes alive when the outermost send returns, like one that is
    /// [spawned](message_core::Context::spawn). Messages can be sent to it at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no such template, if a name belongs to no messagee or to more than one,
    /// if the message of a wire can neither be cloned nor written, or if a value cannot be read. Nothing has
    /// changed then.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Data, WorldFile};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize, Default)]
    /// #[serde(default)]
    /// #[data(name = "docs.Teeth")]
    /// struct Teeth { count: u32 }
    ///
    /// let text = r#"World(version: 1, templates: {"wolf": (components: [Teeth(count: 42)])})"#;
    /// let file = WorldFile::parse(text)?;
    /// let mut manager = MessageManager::new();
    /// let grey = file.instantiate_template(&mut manager, "wolf", "grey")?;
    /// assert_eq!(manager.get::<Teeth>(grey)?.count, 42);
    /// let error = file.instantiate_template(&mut manager, "wulf", "brown").expect_err("a typo");
    /// assert_eq!(error.to_string(), "there is no template `wulf`; there are `wolf`; did you mean `wolf`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](MessageManager::settle).
    #[track_caller]
    pub fn instantiate_template(
        &self,
        actor: &mut impl Actor,
        template: &str,
        name: impl Into<Arc<str>>,
    ) -> Result<MessageeId, WorldError> {
        let (name, place) = (name.into(), Location::caller());
        actor.act(
            DataInput::Template(self, template, &name, place),
            |input| Input::Foreign(input),
            |world, _| {
                let name = Arc::clone(&name);
                self.instancing(world, place).template(template, name)
            },
        )
    }

    fn instancing<'w>(
        &'w self,
        world: &'w World,
        place: &'static Location<'static>,
    ) -> Instancing<'w> {
        Instancing {
            world,
            file: self,
            place,
        }
    }
}

/// Writes messagees as a world file: their names, components, families, mnemonics, groups and wires.
///
/// Reading the text back gives the same, under new ids. A messagee without a name, or with the name of
/// another, gets a name that exists only in the file.
///
/// # Errors
///
/// Returns all components and wires that cannot be written, because their types have no data or because
/// they refer to a messagee that is not written or that is gone. See [`Selection::without_unwritable`].
/// In an `Option`, the id of a messagee that is gone is not an error: it is written as `None`.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Selection};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Hinges", exact)]
/// struct Hinges { rust: u32 }
///
/// let mut manager = MessageManager::new();
/// manager.spawn_named("gate", (Hinges { rust: 3 },));
/// let text = data::write_world(&manager, &Selection::all())?;
/// assert_eq!(
///     text,
///     "World(version: 1, messagees: [Messagee(name: \"gate\", components: [Hinges(rust: 3)])])\n"
/// );
/// # Ok::<(), message_data::WorldError>(())
/// ```
pub fn write_world(manager: &MessageManager, selection: &Selection) -> Result<String, WorldError> {
    let error_of = |errors| WorldError::of(errors, None);
    let layout = Layout::of(manager.world(), selection).map_err(error_of)?;
    layout.print().map_err(|error| error_of(vec![error]))
}
