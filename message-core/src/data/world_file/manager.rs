//! The manager's world files and wires.

use std::panic::Location;
use std::sync::Arc;

use crate::address::{HookId, MessageeId};
use crate::data::{DataError, Instanced, Selection, Wire, WireId, WireInfo, WorldError, WorldFile};
use crate::data::{DataInput, Instancing, LogInput, Scope, Wires};
use crate::manager::MessageManager;

impl MessageManager {
    /// Makes what a world file describes: its messagees with everything they have, and its wires. Returns the
    /// ids by their names in the file.
    ///
    /// Either all of it is made or nothing. Messagees are notified of their components once everything
    /// exists. A file can be instanced several times, and a manager can instance several files.
    ///
    /// # Errors
    ///
    /// Returns an error if a mnemonic of the file is already bound in this manager, if the message of a wire
    /// can neither be cloned nor written, or if a value cannot be read. Parsing reads each value, except those
    /// beyond its [limit](crate::contract#world-files.read-again). Nothing has changed then, and the next
    /// messagee gets the id that it would have had anyway.
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
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn instance(&mut self, file: &WorldFile) -> Result<Instanced, WorldError> {
        let place = Location::caller();
        let outermost = self.data_input(&DataInput::World(file));
        outermost.change(|world| Instancing { world, file, place }.instance())
    }

    /// Makes one messagee from a template of a world file and gives it that name.
    ///
    /// A messagee id in the components is written as the name of a messagee that this manager has.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no such template, if a name belongs to no messagee or to more than one,
    /// if the message of a wire can neither be cloned nor written, or if a value cannot be read. Nothing has
    /// changed then.
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
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn instance_template(
        &mut self,
        file: &WorldFile,
        template: &str,
        name: impl Into<Arc<str>>,
    ) -> Result<MessageeId, WorldError> {
        let (name, place) = (name.into(), Location::caller());
        let outermost = self.data_input(&DataInput::Template(file, template, &name));
        outermost.change(|world| Instancing { world, file, place }.template(template, name))
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

    /// Writes a component by the name of its type, as in a world file. An id is written as the name of its
    /// messagee, or as `"#7v2"` if the messagee has no name, shares its name with another, or has a name that
    /// begins with `#`. The id of a component or a subscription is always written like `"#7v2"`. A ticket or a
    /// cursor is printed for people only: it cannot be read back.
    ///
    /// # Errors
    ///
    /// Returns an error if the hook is gone or belongs to another manager, if the type has no data, or if its
    /// `Serialize` returns one.
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
        Ok(message_format::text::print(&tape, 0))
    }

    /// Makes a wire: when its messagee receives a message of a type, it posts another.
    ///
    /// The sender of what it posts is its messagee. It fires where a subscriber would hear the message, so it
    /// does not fire for a consumed message. It does not count as a receiver, and ends with its messagee.
    ///
    /// # Errors
    ///
    /// Returns an error, with the place of the call, if the messagee is gone, if the wire fires zero times or
    /// posts at once, or if the message can neither be cloned nor written.
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
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first.
    #[track_caller]
    pub fn wire(&mut self, wire: Wire) -> Result<WireId, DataError> {
        let place = Location::caller();
        let outermost = self.data_input(&DataInput::Wire(&wire, place));
        let made = outermost.change(|world| world.add_wire(wire, place));
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
        Wires::of(&self.world.outside.wires).list()
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
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn set_wire_enabled(&mut self, id: WireId, enabled: bool) -> bool {
        let input = LogInput::EnableWire(id.number(), enabled);
        let outermost = self.data_input(&DataInput::Plain(input));
        outermost.change(|world| Wires::of(&world.outside.wires).set_enabled(id, enabled))
    }

    /// Ends a wire. Returns `false` if it has already ended. Messages that it has posted stay pending.
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
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn remove_wire(&mut self, id: WireId) -> bool {
        let input = LogInput::RemoveWire(id.number());
        let outermost = self.data_input(&DataInput::Plain(input));
        outermost.change(|world| {
            let wires = Wires::of_mut(&mut world.outside.wires);
            wires.remove(id, &mut world.listen.subscriptions)
        })
    }
}
