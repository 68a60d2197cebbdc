//! The manager's world files and wires.

use std::panic::Location;
use std::sync::Arc;

use crate::address::{HookId, MessageeId};
use crate::data::Input;
use crate::data::{DataError, Instanced, Selection, Wire, WireId, WireInfo, WorldError, WorldFile};
use crate::data::{Scope, Wires, print_tape};
use crate::manager::MessageManager;

impl MessageManager {
    /// Makes what a world file says: its messagees with all they have, and its wires. Returns the ids by
    /// the names of the file.
    ///
    /// All of it is made, or nothing. Messagees are told of their components when all are there. A file
    /// can be instanced several times, and several files in one manager.
    ///
    /// # Errors
    ///
    /// What this manager has already: a mnemonic that is bound. Then nothing has changed, and the next
    /// messagee has the id that it would have had.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(DOCS_WORLD_GATE = "docs.WorldGate");
    ///
    /// let text = r#"World(version: 1, messagees: [(name: "gate", mnemonics: ["WorldGate"])])"#;
    /// let file = WorldFile::parse(text)?;
    /// let mut manager = MessageManager::new();
    /// let made = manager.instance(&file)?;
    /// assert_eq!(manager.bound(DOCS_WORLD_GATE), made.get("gate"));
    ///
    /// let error = manager.instance(&file).expect_err("it is bound");
    /// assert!(error.to_string().contains("`docs.WorldGate` is bound to"), "{error}");
    /// assert_eq!(manager.len(), 1);
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn instance(&mut self, file: &WorldFile) -> Result<Instanced, WorldError> {
        let place = Location::caller();
        self.world.log_file(file, None);
        self.change(|world| file.instance_in(world, place))
    }

    /// Makes one messagee of a template of a world file, with that name.
    ///
    /// A messagee's id in the components is the name of one that this manager has.
    ///
    /// # Errors
    ///
    /// A template that the file does not have; a name that no messagee has, or more than one. Then
    /// nothing has changed.
    ///
    /// ```
    /// use message_core::data::{Data, WorldFile};
    /// use message_core::prelude::*;
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
    /// let grey = manager.instance_template(&file, "wolf", "grey")?;
    /// assert_eq!(manager.get::<Teeth>(grey)?.count, 42);
    /// let error = manager.instance_template(&file, "wulf", "brown").expect_err("a typo");
    /// assert_eq!(error.to_string(), "there is no template `wulf`; there are `wolf`; did you mean `wolf`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn instance_template(
        &mut self,
        file: &WorldFile,
        template: &str,
        name: impl Into<Arc<str>>,
    ) -> Result<MessageeId, WorldError> {
        let (name, place) = (name.into(), Location::caller());
        self.world.log_file(file, Some((template, &name)));
        self.change(|world| file.template_in(world, template, name, place))
    }

    /// Writes messagees as a world file: their names, components, families, mnemonics, groups and wires.
    ///
    /// What is written is read back to the same, under new ids. One without a name, or with the name of
    /// another, is given a name that the file alone knows.
    ///
    /// # Errors
    ///
    /// All components and wires that cannot be written, because their types have no data or they speak
    /// of a messagee that is not written or that is gone. See [`Selection::without_unwritable`]. In an `Option`,
    /// the id of a messagee that is gone is not an error: it is written as `None`.
    ///
    /// ```
    /// use message_core::data::{Data, Selection};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Hinges", exact)]
    /// struct Hinges { rust: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn_named("gate", (Hinges { rust: 3 },));
    /// let text = manager.write_world(&Selection::all())?;
    /// assert_eq!(
    ///     text,
    ///     "World(version: 1, messagees: [Messagee(name: \"gate\", components: [Hinges(rust: 3)])])\n"
    /// );
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    pub fn write_world(&self, selection: &Selection) -> Result<String, WorldError> {
        selection.write(&self.world)
    }

    /// What ids are in a text about this manager.
    pub(crate) fn names_in_scope(&self) -> Scope {
        self.world.names_in_scope()
    }

    /// Writes a component by the name of its type, as it stands in a world file. An id is the name of
    /// its messagee, or `"#7v2"` if that has none, or not alone; so is the id of a component or a
    /// subscription. A ticket and a cursor are printed for people alone.
    ///
    /// # Errors
    ///
    /// A hook that is gone, a type without data, or what its `Serialize` returns.
    ///
    /// ```
    /// use message_core::data::Data;
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Lock", exact)]
    /// struct Lock { turns: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let gate = manager.spawn((Lock { turns: 2 },));
    /// let hook = manager.hook_of::<Lock>(gate)?;
    /// assert_eq!(manager.component_to_text(hook)?, "Lock(turns: 2)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn component_to_text(&self, hook: HookId) -> Result<String, DataError> {
        let tape = Scope::Shown.during(|| self.world.component_tape(hook))?;
        Ok(print_tape(&tape))
    }

    /// Makes a wire: when its messagee receives a message of a type, it posts another.
    ///
    /// The sender of what it posts is its messagee. It fires where a subscriber would hear: not for a
    /// message that is consumed. It does not count as a receiver, and ends with its messagee.
    ///
    /// # Errors
    ///
    /// A messagee that is gone, a wire that fires zero times or posts at once, a message that can neither
    /// be cloned nor written; with the place of the call.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.manager_wire_Knock")]
    /// struct DocsManagerWireKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = || Wire::on::<DocsManagerWireKnock>(door).send("dog", DocsManagerWireKnock);
    /// assert!(manager.wire(wire()).is_ok());
    /// assert!(manager.wire(wire().times(0)).is_err());
    /// ```
    ///
    /// # Panics
    ///
    /// As [`settle`](Self::settle), which comes first.
    #[track_caller]
    pub fn wire(&mut self, wire: Wire) -> Result<WireId, DataError> {
        let place = Location::caller();
        self.world.log_wire(&wire, place);
        let made = self.change(|world| world.add_wire(wire, place));
        made.map_err(|error| error.in_code(place))
    }

    /// Returns all wires, in the order in which they were made.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// assert!(MessageManager::new().wires().is_empty());
    /// ```
    #[must_use]
    pub fn wires(&self) -> Vec<WireInfo> {
        Wires::of(&self.world).list()
    }

    /// Enables or disables a wire. Returns `false` if it has ended.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.manager_wire_enabled_Knock")]
    /// struct DocsManagerWireEnabledKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn_named("door", ());
    /// let wire = Wire::on::<DocsManagerWireEnabledKnock>(door);
    /// let id = manager.wire(wire.send("door", DocsManagerWireEnabledKnock).times(1))?;
    /// assert!(manager.set_wire_enabled(id, false));
    /// manager.send(door, DocsManagerWireEnabledKnock).expect("it is alive");
    /// assert_eq!(manager.wires()[0].left, Some(1), "it has not fired");
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// As [`settle`](Self::settle), which comes first.
    pub fn set_wire_enabled(&mut self, id: WireId, enabled: bool) -> bool {
        self.settle();
        self.world
            .log_input(|| Input::EnableWire(id.number(), enabled));
        Wires::of(&self.world).set_enabled(id, enabled)
    }

    /// Ends a wire. Returns `false` if it has ended already. What it has posted stays.
    ///
    /// ```
    /// use message_core::data::{Data, Wire};
    /// use message_core::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// #[data(name = "docs.manager_wire_remove_Knock")]
    /// struct DocsManagerWireRemoveKnock;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let wire = Wire::on::<DocsManagerWireRemoveKnock>(door);
    /// let id = manager.wire(wire.send("dog", DocsManagerWireRemoveKnock))?;
    /// assert!(manager.remove_wire(id) && !manager.remove_wire(id));
    /// # Ok::<(), message_core::data::DataError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// As [`settle`](Self::settle), which comes first.
    pub fn remove_wire(&mut self, id: WireId) -> bool {
        self.world.log_input(|| Input::RemoveWire(id.number()));
        self.change(|world| {
            let (wires, subscriptions) = Wires::of_mut(world);
            wires.remove(id, subscriptions)
        })
    }
}
