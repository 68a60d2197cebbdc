//! From a world file to messagees: all of it or nothing.
//!
//! Which ids the messagees will have is known before any is given out, so every component and message is
//! read first, with these ids in the place of names. Only what nothing can go wrong with comes then.

use std::any::Any;
use std::collections::HashMap;
use std::panic::Location;
use std::sync::Arc;

use crate::address::{HookId, MessageeId};
use crate::data::data_type::ComponentData;
use crate::data::error::{DataError, no_such};
use crate::data::messages::{component_of, copy_of, message_of};
use crate::data::reader::{Reader, Unknown};
use crate::data::scope::{Called, Scope};
use crate::data::wire::Wire;
use crate::data::world_file::{Outfit, Part, WireSpec, WorldError, WorldFile};
use crate::message::AnyMessage;
use crate::world::World;

/// The ids of the messagees that were made of a world file, by the names that the file gives them.
///
/// ```
/// use message_core::data::WorldFile;
/// use message_core::prelude::*;
///
/// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate"), (name: "lever")])"#)?;
/// let mut manager = MessageManager::new();
/// let made = manager.instance(&file)?;
/// assert_eq!(made.get("gate"), manager.find("gate").next());
/// assert_eq!((made.get("bell"), made.len()), (None, 2));
/// assert!(made.iter().map(|(name, _)| name).eq(["gate", "lever"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instanced {
    /// In the order of the file.
    made: Vec<(String, MessageeId)>,
    by_name: HashMap<String, MessageeId>,
}

impl Instanced {
    /// Returns the messagee that the file calls so.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    /// use message_core::prelude::*;
    ///
    /// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate")])"#)?;
    /// let mut manager = MessageManager::new();
    /// let gate = manager.instance(&file)?.get("gate");
    /// assert!(gate.is_some_and(|gate| manager.is_alive(gate)));
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<MessageeId> {
        self.by_name.get(name).copied()
    }

    /// Returns all names and ids, in the order of the file: each before its children.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    /// use message_core::prelude::*;
    ///
    /// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate")])"#)?;
    /// let mut manager = MessageManager::new();
    /// for (name, id) in manager.instance(&file)?.iter() {
    ///     assert_eq!(manager.name(id).as_deref(), Some(name));
    /// }
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, MessageeId)> {
        self.made.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// Returns how many messagees were made.
    ///
    /// ```
    /// assert_eq!(message_core::data::Instanced::default().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.made.len()
    }

    /// Returns `true` if the file has no messagees.
    ///
    /// ```
    /// assert!(message_core::data::Instanced::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }
}

/// A component that was read, and how it is attached.
type Ready = (ComponentData, Box<dyn Any + Send>);

/// The components of each messagee, and the message of each wire.
type Values = (Vec<Vec<Ready>>, Vec<Box<dyn AnyMessage>>);

impl WorldFile {
    fn component(&self, part: &Part) -> Result<Ready, DataError> {
        let data = component_of(part.ty);
        let mut reader = Reader::behind_name(&self.tape, part.at, Unknown::Refused);
        let value = (data.read)(&mut reader).map_err(|error| self.placed(error, part.place))?;
        Ok((data, value))
    }

    /// The components that somebody begins with.
    fn components(&self, outfit: &Outfit, errors: &mut Vec<DataError>) -> Vec<Ready> {
        let mut ready = Vec::new();
        for part in &outfit.parts {
            match self.component(part) {
                Ok(component) => ready.push(component),
                Err(error) => errors.push(error),
            }
        }
        ready
    }

    /// The messages that wires post.
    fn messages<'w>(
        &self,
        wires: impl Iterator<Item = &'w WireSpec>,
        errors: &mut Vec<DataError>,
    ) -> Vec<Box<dyn AnyMessage>> {
        let mut messages = Vec::new();
        for wire in wires {
            let data = message_of(wire.send);
            let mut reader = Reader::behind_name(&self.tape, wire.at, Unknown::Refused);
            match (data.read)(&mut reader) {
                Ok(message) => messages.push(message),
                Err(error) => errors.push(self.placed(error, wire.place)),
            }
        }
        messages
    }

    /// What the names in the file mean, with the ids of its messagees and of their components, one after
    /// the other.
    fn called(&self, ids: &[MessageeId], hooks: Vec<HookId>) -> Called {
        let mut called = Called::default();
        let mut hooks = hooks.into_iter();
        for (spec, &id) in self.messagees.iter().zip(ids) {
            let types = spec.outfit.parts.iter().map(|part| part.ty);
            let own = types.zip(hooks.by_ref()).collect();
            called.add(spec.name.clone(), id, own);
        }
        called
    }

    /// Reads what stands in the file, with ids in the place of names.
    fn read_values(
        &self,
        ids: &[MessageeId],
        hooks: Vec<HookId>,
    ) -> Result<Values, Vec<DataError>> {
        let mut errors = Vec::new();
        let (mut components, mut messages) = (Vec::new(), Vec::new());
        Scope::Named(Box::new(self.called(ids, hooks))).during(|| {
            for spec in &self.messagees {
                components.push(self.components(&spec.outfit, &mut errors));
            }
            messages = self.messages(self.wires.iter().map(|(_, wire)| wire), &mut errors);
        });
        if errors.is_empty() {
            Ok((components, messages))
        } else {
            Err(errors)
        }
    }

    /// Makes in a manager what the file says.
    ///
    /// # Errors
    ///
    /// What the manager has already. Then nothing has changed.
    pub(crate) fn instance_in(
        &self,
        world: &mut World,
        place: &'static Location<'static>,
    ) -> Result<Instanced, WorldError> {
        let mut errors = Vec::new();
        for spec in &self.messagees {
            for &(mnemonic, at) in &spec.mnemonics {
                if let Some(to) = world.binding_that_stays(mnemonic) {
                    let (name, by) = (mnemonic.name(), &spec.name);
                    let what = format!(
                        "the mnemonic `{name}` is bound to {to} already: `{by}` cannot have it, too; \
                         unbind it first, or take it out of one of the files"
                    );
                    errors.push(self.placed(DataError::new(what), at));
                }
            }
        }
        let ids = world.keys.upcoming_messagees(self.messagees.len());
        let names = self.messagees.iter().map(|it| it.name.clone());
        let made: Vec<(String, MessageeId)> = names.zip(ids.iter().copied()).collect();
        let by_name: HashMap<String, MessageeId> = made.iter().cloned().collect();
        let parts = self.messagees.iter().map(|it| it.outfit.parts.len()).sum();
        let read = self.read_values(&ids, world.keys.upcoming_hooks(parts));
        let (components, messages) = match read {
            Ok(read) if errors.is_empty() => read,
            Ok(_) => return Err(WorldError(errors)),
            Err(more) => {
                errors.extend(more);
                return Err(WorldError(errors));
            }
        };
        let wires = self.wires.iter().map(|(_, wire)| wire);
        self.check_copies(world, wires.zip(&messages), &mut errors);
        if !errors.is_empty() {
            return Err(WorldError(errors));
        }
        self.make(world, &ids, components);
        for ((from, wire), message) in self.wires.iter().zip(messages) {
            make_wire(world, ids[*from], wire, message, place);
        }
        for &id in &ids {
            world.announce_spawned(id, place);
        }
        Ok(Instanced { made, by_name })
    }

    /// A wire could not post a message that cannot be copied.
    fn check_copies<'m>(
        &self,
        world: &World,
        wires: impl Iterator<Item = (&'m WireSpec, &'m Box<dyn AnyMessage>)>,
        errors: &mut Vec<DataError>,
    ) {
        for (wire, message) in wires {
            if let Err(error) = copy_of(&**message, world) {
                errors.push(self.placed(error, wire.place));
            }
        }
    }

    /// Makes the messagees, with these ids.
    fn make(&self, world: &mut World, ids: &[MessageeId], components: Vec<Vec<Ready>>) {
        for (spec, &id) in self.messagees.iter().zip(ids) {
            let reserved = world.keys.reserve_messagee();
            assert_eq!(
                reserved, id,
                "nothing has been spawned since the ids were foreseen"
            );
            world.names.set(id, Arc::clone(&spec.label));
        }
        for ((spec, &id), own) in self.messagees.iter().zip(ids).zip(components) {
            world.enter_messagee(id);
            dress(world, id, &spec.outfit, own);
            if let Some(parent) = spec.parent {
                world.addresses.set_parent(id, Some(ids[parent]));
            }
            for &(mnemonic, _) in &spec.mnemonics {
                world.addresses.bind(mnemonic, id);
            }
        }
        for (group, members) in &self.groups {
            for &member in members {
                world.addresses.set_membership(*group, ids[member], true);
            }
        }
        for (spec, &id) in self.messagees.iter().zip(ids) {
            for &group in &spec.outfit.groups {
                world.addresses.set_membership(group, id, true);
            }
        }
    }

    /// Makes one messagee of a template in a manager. Names in its components are those of that manager.
    ///
    /// # Errors
    ///
    /// A template that the file does not have; a name that no messagee has. Then nothing has changed.
    pub(crate) fn template_in(
        &self,
        world: &mut World,
        template: &str,
        name: Arc<str>,
        place: &'static Location<'static>,
    ) -> Result<MessageeId, WorldError> {
        let Some(found) = self.templates.iter().find(|it| it.name == template) else {
            let known: Vec<&str> = self.templates().collect();
            let error = no_such("there is no template", template, "there are", &known);
            return Err(WorldError::of(vec![error], self.file.as_ref()));
        };
        let (mut ready, mut messages) = (Vec::new(), Vec::new());
        let mut errors = Vec::new();
        world.names_in_scope().during(|| {
            ready = self.components(&found.outfit, &mut errors);
            messages = self.messages(found.wires.iter(), &mut errors);
        });
        self.check_copies(world, found.wires.iter().zip(&messages), &mut errors);
        if !errors.is_empty() {
            return Err(WorldError(errors));
        }
        let id = world.keys.reserve_messagee();
        world.names.set(id, name);
        world.enter_messagee(id);
        dress(world, id, &found.outfit, ready);
        for &group in &found.outfit.groups {
            world.addresses.set_membership(group, id, true);
        }
        for (wire, message) in found.wires.iter().zip(messages) {
            make_wire(world, id, wire, message, place);
        }
        world.announce_spawned(id, place);
        Ok(id)
    }
}

/// Makes a wire that was checked.
fn make_wire(
    world: &mut World,
    from: MessageeId,
    wire: &WireSpec,
    message: Box<dyn AnyMessage>,
    place: &'static Location<'static>,
) {
    let made = Wire::of_file(from, wire.on, &wire.terms).with_message(message);
    let made = world.add_wire(made, place);
    debug_assert!(made.is_ok(), "the file was checked: {made:?}");
}

/// Attaches components to one who was inserted just now.
fn dress(world: &mut World, id: MessageeId, outfit: &Outfit, components: Vec<Ready>) {
    for (index, (data, value)) in components.into_iter().enumerate() {
        let hook = world.keys.reserve_hook();
        (data.attach)(world, hook, id, value);
        if outfit.disabled.contains(&index) {
            world.begin_disabled(hook);
        }
    }
}
