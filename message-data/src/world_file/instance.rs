//! Makes messagees from a world file: all of it or nothing.
//!
//! The ids of the messagees are known before any is given out, so every component and message is read first, with
//! these ids in place of names. Only steps that cannot fail come after that: the messagees get their ids and addresses at
//! once, and come alive with the changes of the outermost send.

use std::collections::{HashMap, HashSet};
use std::panic::Location;
use std::sync::Arc;

use message_core::internals::{
    Changes, FirstPanic, IdKeys, Keyed, Keys, LayoutId, Terms, Unborn, World, literal, overhear,
};
use message_core::{AnyMessage, HookId, MessageeId, Structure};
use message_format::names::{Short, no_such};
use message_format::tape::Token;
use message_format::{DataError, Reader, Unknown, names};

use crate::components::Part;
use crate::data_type::ComponentData;
use crate::messages::{component_of, copy_of, message_of, names_in};
use crate::scope::{Scope, nobody};
use crate::wire::{Live, MessageCell, WireTarget, WireTerms, enter};
use crate::world_file::merge::merge;
use crate::world_file::mistakes::{MAX_SUGGESTIONS, Mistakes};
use crate::world_file::naming::Ids;
use crate::world_file::outfit::{MESSAGEE, Outfit, Stop};
use crate::world_file::read::wires::Wild;
use crate::world_file::{
    Content, OverhearSpec, SpecSend, SpecTarget, WireSpec, WorldError, WorldFile, naming,
};

/// The ids of the messagees that were made from a world file, by their names in the file.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::WorldFile;
///
/// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate"), (name: "lever")])"#)?;
/// let mut manager = MessageManager::new();
/// let made = file.instantiate(&mut manager)?;
/// assert_eq!(made.get("gate"), manager.find("gate").next());
/// assert_eq!((made.get("bell"), made.len()), (None, 2));
/// assert!(made.iter().map(|(name, _)| name).eq(["gate", "lever"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// In the order of the file.
    made: Vec<(String, MessageeId)>,
    by_name: HashMap<String, MessageeId>,
}

impl Instance {
    /// Returns the messagee with this name in the file.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::WorldFile;
    ///
    /// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate")])"#)?;
    /// let mut manager = MessageManager::new();
    /// let gate = file.instantiate(&mut manager)?.get("gate");
    /// assert!(gate.is_some_and(|gate| manager.is_alive(gate)));
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<MessageeId> {
        self.by_name.get(name).copied()
    }

    /// Returns all names and ids, in the order of the file: each before its children.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::WorldFile;
    ///
    /// let file = WorldFile::parse(r#"World(version: 1, messagees: [(name: "gate")])"#)?;
    /// let mut manager = MessageManager::new();
    /// for (name, id) in file.instantiate(&mut manager)?.iter() {
    ///     assert_eq!(manager.name(id).as_deref(), Some(name));
    /// }
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, MessageeId)> {
        self.made.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// Returns the number of messagees made.
    ///
    /// ```
    /// assert_eq!(message_data::Instance::default().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.made.len()
    }

    /// Returns `true` if the file has no messagees.
    ///
    /// ```
    /// assert!(message_data::Instance::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }
}

/// A component that was read, and how it begins.
struct Ready {
    part: Part,
    begins_disabled: bool,
}

/// Messagees that have their ids and addresses, and come alive later.
#[derive(Default)]
struct Newborns {
    messagees: Vec<Newborn>,
    wires: Vec<Live>,
    overhearing: Vec<(MessageeId, Vec<(OverhearSpec, Terms)>)>,
}

struct Newborn {
    id: MessageeId,
    components: Vec<(HookId, Ready)>,
}

/// If the manager is dropped before they come alive, their components are dropped one by one.
impl Drop for Newborns {
    fn drop(&mut self) {
        let mut panics = FirstPanic::default();
        let messagees = self.messagees.drain(..);
        panics.drop_each(messagees.flat_map(|newborn| newborn.components));
        panics.drop_each(self.wires.drain(..));
        panics.resume_from_drop();
    }
}

/// The values that are being read for a manager, and the mistakes in them.
struct Reading<'c> {
    content: &'c Content,
    mistakes: Mistakes,
    /// The tokens of a component with overrides.
    tokens: Vec<Token>,
}

impl<'c> Reading<'c> {
    fn new(content: &'c Content) -> Self {
        Self {
            content,
            mistakes: Mistakes::new(content.options.max_mistakes),
            tokens: Vec::new(),
        }
    }

    /// Reads the components that a messagee begins with, or one that is made from a template.
    fn components(&mut self, outfit: &Outfit, owner: u32) -> Vec<Ready> {
        let mut ready = Vec::new();
        let mut layers = Vec::new();
        self.content.templates.each(outfit, owner, |stop| {
            for (index, part) in (0..).zip(&stop.outfit().parts) {
                stop.layers(index, &mut layers);
                let begins_disabled = stop.is_disabled(index);
                let data = component_of(part.ty);
                match self.component(data, &layers) {
                    Ok(part) => ready.push(Ready {
                        part,
                        begins_disabled,
                    }),
                    Err(error) => self.mistakes.note_once(error.at(part.place)),
                }
            }
        });
        ready
    }

    fn component(&mut self, data: ComponentData, layers: &[u32]) -> Result<Part, DataError> {
        let tape = &self.content.tape;
        let mut reader = if let [at] = *layers {
            Reader::behind_name(tape, at as usize, Unknown::Refused)
        } else {
            merge(tape, layers, &mut self.tokens)?;
            Reader::apart(tape, &self.tokens, Unknown::Refused)
        };
        let value = (data.read)(&mut reader)?;
        Ok(Part { data, value })
    }

    /// Reads the messages that wires post.
    fn messages<'w>(
        &mut self,
        wires: impl Iterator<Item = &'w WireSpec>,
    ) -> Vec<Option<Box<dyn AnyMessage>>> {
        let mut messages = Vec::new();
        for wire in wires {
            let (ty, tape, at) = match &wire.send {
                None => {
                    messages.push(None);
                    continue;
                }
                Some(SpecSend::Plain(ty, at)) => (ty, &self.content.tape, *at as usize),
                Some(SpecSend::Filled(ty, tape)) => (ty, &**tape, 0),
            };
            let mut reader = Reader::behind_name(tape, at, Unknown::Refused);
            match (message_of(ty).read)(&mut reader) {
                Ok(message) => messages.push(Some(message)),
                Err(error) => self.mistakes.note_once(error.at(wire.place)),
            }
        }
        messages
    }

    /// Reads the filters by which a messagee overhears.
    fn filters(&mut self, outfit: &Outfit) -> Vec<(OverhearSpec, Terms)> {
        let mut filters = Vec::new();
        for spec in self.content.templates.overhears(outfit) {
            let (tape, at) = (&self.content.tape, spec.at as usize);
            match Reader::behind_name(tape, at, Unknown::Refused).read() {
                Ok(filter) => filters.push((spec, filter)),
                Err(error) => self.mistakes.note_once(error.at(spec.place)),
            }
        }
        filters
    }

    /// Finds the messagees of a manager that the wires of a template lead to.
    fn targets(&mut self, wires: &[&WireSpec], structure: &Structure) -> Vec<WireTarget> {
        let content = self.content;
        let (mut targets, mut known, mut wild) = (Vec::new(), HashMap::new(), Wild::default());
        let mut bytes = 0;
        for wire in wires {
            let names = match &wire.to {
                SpecTarget::Other(to) => {
                    targets.push(to.clone());
                    continue;
                }
                SpecTarget::Own(names) => names,
            };
            for &at in names {
                let (name, place) = (content.str(at), content.tape.tokens[at as usize].start);
                if !known.contains_key(name) {
                    if let Err(error) = wild.add(name) {
                        self.mistakes.note_once(error.at(place));
                        return targets;
                    }
                    known.insert(name, structure.find(name).collect::<Vec<_>>());
                }
                let count = known[name].len();
                let is_one = count == 1 || (count > 1 && literal(name).is_none());
                if !is_one {
                    self.mistakes.note(place, || {
                        let names = structure.messagees().filter_map(|id| structure.name(id));
                        let (names, shown) = (names.collect::<Vec<_>>(), Short(name));
                        DataError::new(match count {
                            0 => nobody(name, names.iter().map(|name| &**name)),
                            _ => format!("{count} messagees are called `{shown}`: expected one, or a `*` in the name"),
                        })
                    });
                }
                bytes += (count * size_of::<MessageeId>()) as u64;
                if bytes > content.options.max_expanded {
                    let most = content.options.max_expanded;
                    let what = format!(
                        "the ids of the messagees that the wires lead to take more than {most} bytes: make \
                         fewer wires, or raise `WorldOptions::max_expanded`"
                    );
                    self.mistakes.note_once(DataError::new(what).at(place));
                    return targets;
                }
            }
            let all = names.iter().flat_map(|&at| &known[content.str(at)]);
            targets.push(each_once(all.copied()));
        }
        targets
    }

    /// Notes a mistake for each mnemonic that is already bound in the manager.
    fn check_mnemonics(&mut self, structure: &Structure) {
        let content = self.content;
        for spec in &content.messagees {
            for &(mnemonic, at) in &spec.mnemonics {
                if let Some(to) = structure.binding_that_stays(mnemonic) {
                    self.mistakes.note(at, || {
                        let (name, by) = (mnemonic.name(), Short(content.str(spec.name)));
                        DataError::new(format_args!(
                            "the mnemonic `{name}` is already bound to {to}, so `{by}` cannot have it; unbind it \
                             first, or remove it from one of the files"
                        ))
                    });
                }
            }
        }
    }
}

impl Content {
    /// Returns all wires, with the messagees that they begin at.
    fn all_wires(&self) -> Vec<(u32, &WireSpec)> {
        let mut all = Vec::new();
        for (from, spec) in (0..).zip(&self.messagees) {
            let wires = self.templates.wires(&spec.outfit).into_iter();
            all.extend(wires.map(|wire| (from, wire)));
        }
        all.extend(self.wires.iter().map(|(from, wire)| (*from, wire)));
        all
    }

    /// Returns the ids of the messagees and of their components, none of which has been given out.
    fn upcoming_ids(&self, keys: &IdKeys) -> Ids {
        let mut first_hooks = Vec::with_capacity(self.messagees.len());
        let mut hooks = 0;
        for spec in &self.messagees {
            first_hooks.push(hooks);
            let each = |stop: Stop<'_, '_>| hooks += stop.outfit().parts.len();
            self.templates.each(&spec.outfit, MESSAGEE, each);
        }
        Ids {
            messagees: upcoming(&keys.messagees.borrow(), self.messagees.len()),
            hooks: upcoming(&keys.hooks.borrow(), hooks),
            first_hooks,
        }
    }
}

/// Returns the ids of the next keys that are given out.
fn upcoming<T: Keyed>(keys: &Keys, count: usize) -> Vec<T> {
    let free = keys.free.iter().rev();
    let free = free.map(|&place| (place, keys.generation(place)));
    let fresh = (keys.places..).map(|place| (place, 0));
    let places = free.chain(fresh).take(count);
    let ids = places.map(|(place, generation)| keys.manager.key(generation, place));
    ids.map(T::of_key).collect()
}

type Place = &'static Location<'static>;

/// The reading of a world file for a manager, whose messagees come alive later.
pub(crate) struct Instancing<'w> {
    pub(crate) world: &'w World,
    pub(crate) file: &'w WorldFile,
    /// The call that makes them.
    pub(crate) place: Place,
}

impl Instancing<'_> {
    /// Makes the content of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if a mnemonic of the file is already bound, if the message of a wire cannot be copied, or
    /// if a value cannot be read. Nothing is changed then.
    pub(crate) fn instance(self) -> Result<Instance, WorldError> {
        let content = &*self.file.0;
        let mut reading = Reading::new(content);
        reading.check_mnemonics(&self.world.structure);
        let upcoming = content.upcoming_ids(&self.world.structure.keys);
        let ids = upcoming.messagees.clone();
        let wires = content.all_wires();
        let (mut components, mut messages, mut filters) = (Vec::new(), Vec::new(), Vec::new());
        naming::scope(&self.file.0, Some(upcoming)).during(|| {
            names::at_most(MAX_SUGGESTIONS, || {
                for spec in &content.messagees {
                    components.push(reading.components(&spec.outfit, MESSAGEE));
                    filters.push(reading.filters(&spec.outfit));
                }
                messages = reading.messages(wires.iter().map(|(_, wire)| *wire));
            });
        });
        let copied = wires.iter().map(|(_, wire)| *wire).zip(&messages);
        self.check(reading, copied)?;
        let mut newborns = self.reserve(&ids, components);
        for ((from, wire), message) in wires.into_iter().zip(messages) {
            let to = match &wire.to {
                SpecTarget::Other(to) => to.clone(),
                SpecTarget::Own(names) => {
                    let found = names.iter().flat_map(|&name| content.led_to(name));
                    each_once(found.map(|&it| ids[it as usize]))
                }
            };
            let from = ids[from as usize];
            newborns.wires.push(self.wire(from, wire, to, message));
        }
        newborns.overhearing = ids.iter().copied().zip(filters).collect();
        self.make_later(newborns);
        let names = content.messagees.iter().map(|it| content.str(it.name));
        let made: Vec<(String, MessageeId)> = names.map(str::to_owned).zip(ids).collect();
        let by_name = made.iter().cloned().collect();
        Ok(Instance { made, by_name })
    }

    /// Makes one messagee from a template. Names in its components are those of the manager.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not have the template, if a name belongs to no messagee or to several, if
    /// the message of a wire cannot be copied, or if a value cannot be read. Nothing is changed then.
    pub(crate) fn template(self, template: &str, name: Arc<str>) -> Result<MessageeId, WorldError> {
        let content = &*self.file.0;
        let Some(found) = content.find_template(template) else {
            let known: Vec<&str> = self.file.templates().collect();
            let error = no_such("there is no template", template, "there are", &known);
            return Err(WorldError::of(vec![error], content.file.as_ref()));
        };
        let outfit = &content.templates.0[found as usize].outfit;
        let mut reading = Reading::new(content);
        let wires = content.templates.wires(outfit);
        let (mut ready, mut messages, mut filters) = (Vec::new(), Vec::new(), Vec::new());
        let names = Scope::Found(Box::new(names_in(&self.world.structure)));
        names.during(|| {
            names::at_most(MAX_SUGGESTIONS, || {
                ready = reading.components(outfit, found);
                filters = reading.filters(outfit);
                messages = reading.messages(wires.iter().copied());
            });
        });
        let targets = reading.targets(&wires, &self.world.structure);
        self.check(reading, wires.iter().copied().zip(&messages))?;
        let id = self.world.structure.keys.reserve_messagee();
        self.world.structure.names.set(id, name);
        let wires = wires.into_iter().zip(targets).zip(messages);
        let wires = wires.map(|((wire, to), message)| self.wire(id, wire, to, message));
        let newborns = Newborns {
            messagees: vec![self.announce(id, ready)],
            wires: wires.collect(),
            overhearing: vec![(id, filters)],
        };
        self.join_groups(id, outfit);
        self.make_later(newborns);
        Ok(id)
    }

    /// # Errors
    ///
    /// Returns the mistakes in what was read. If there are none, returns those of the wires whose message cannot be
    /// copied: they could not post it.
    fn check<'m>(
        &self,
        mut reading: Reading<'_>,
        wires: impl Iterator<Item = (&'m WireSpec, &'m Option<Box<dyn AnyMessage>>)>,
    ) -> Result<(), WorldError> {
        if reading.mistakes.count() == 0 {
            for (wire, message) in wires {
                if let Some(message) = message
                    && let Err(error) = copy_of(&**message, self.world)
                {
                    reading.mistakes.note_once(error.at(wire.place));
                }
            }
        }
        if reading.mistakes.count() == 0 {
            return Ok(());
        }
        let content = reading.content;
        Err(reading
            .mistakes
            .into_error(content.source(), content.file.as_ref()))
    }

    /// Gives out these ids to the messagees of the file, with their names and addresses.
    fn reserve(&self, ids: &[MessageeId], components: Vec<Vec<Ready>>) -> Newborns {
        let (structure, content) = (&self.world.structure, &*self.file.0);
        for (spec, &id) in content.messagees.iter().zip(ids) {
            let reserved = structure.keys.reserve_messagee();
            assert_eq!(
                reserved, id,
                "nothing has been spawned since the ids were foreseen"
            );
            structure.names.set(id, content.label_of(spec).into());
        }
        let mut newborns = Newborns::default();
        let addresses = &structure.addresses;
        for ((spec, &id), own) in content.messagees.iter().zip(ids).zip(components) {
            newborns.messagees.push(self.announce(id, own));
            if let Some(parent) = spec.parent {
                let parent = Some(ids[parent as usize]);
                addresses.families.borrow_mut().set_parent(id, parent);
            }
            for &(mnemonic, _) in &spec.mnemonics {
                addresses.bind(mnemonic, id);
            }
        }
        for (group, members) in &content.groups {
            for &member in members {
                let mut groups = addresses.groups.borrow_mut();
                groups.add(*group, ids[member as usize]);
            }
        }
        for (spec, &id) in content.messagees.iter().zip(ids) {
            self.join_groups(id, &spec.outfit);
        }
        newborns
    }

    /// Announces a messagee, and gives out the ids of its components. Messages can be sent to it at once.
    fn announce(&self, id: MessageeId, components: Vec<Ready>) -> Newborn {
        let structure = &self.world.structure;
        let types = components.iter().map(|it| it.part.type_id()).collect();
        let expected = &structure.expected;
        expected.announce(Unborn::Messagee(id), id, types);
        let components = components.into_iter();
        let components = components.map(|it| (structure.keys.reserve_hook(), it));
        Newborn {
            id,
            components: components.collect(),
        }
    }

    /// Returns a wire that was checked.
    fn wire(
        &self,
        from: MessageeId,
        wire: &WireSpec,
        to: WireTarget,
        message: Option<Box<dyn AnyMessage>>,
    ) -> Live {
        let terms = WireTerms {
            to,
            ..wire.terms.clone()
        };
        Live {
            from,
            on: wire.on,
            message: message.map(MessageCell::new),
            terms: terms.into(),
            left: wire.times,
            enabled: wire.enabled,
            place: self.place,
        }
    }

    /// Queues the making of messagees for the end of the outermost send.
    fn make_later(&self, newborns: Newborns) {
        let place = self.place;
        self.world.later(move |world| make(world, newborns, place));
    }

    fn join_groups(&self, id: MessageeId, outfit: &Outfit) {
        let mut groups = self.world.structure.addresses.groups.borrow_mut();
        for group in self.file.0.templates.groups(outfit) {
            groups.add(group, id);
        }
    }
}

/// Brings messagees to life that have their ids.
fn make(world: &mut World, mut newborns: Newborns, place: Place) {
    let mut ids = Vec::with_capacity(newborns.messagees.len());
    for Newborn { id, components } in std::mem::take(&mut newborns.messagees) {
        dress(world.changes(), id, components);
        ids.push(id);
    }
    for wire in std::mem::take(&mut newborns.wires) {
        enter(world, wire);
    }
    for (id, filters) in &newborns.overhearing {
        for (spec, filter) in filters {
            overhear(world, *id, spec.of, *filter);
        }
    }
    let mut changes = world.changes();
    for id in ids {
        changes.announce_spawned(id, place);
    }
}

/// Returns the target with these messagees. One that several names mean is there once.
fn each_once(ids: impl Iterator<Item = MessageeId>) -> WireTarget {
    let mut seen = HashSet::new();
    WireTarget::Messagees(ids.filter(|&id| seen.insert(id)).collect())
}

/// Adds a messagee with these components.
fn dress(mut changes: Changes<'_>, id: MessageeId, components: Vec<(HookId, Ready)>) {
    changes.enter(id, LayoutId::EMPTY);
    for (hook, ready) in components {
        ready.part.attach(&mut changes, hook, id);
        if ready.begins_disabled {
            let structure = &mut *changes.structure;
            if let Some(at) = structure.find_hook(hook)
                && structure.switch(at, false)
            {
                structure.move_switched(hook);
            }
        }
    }
}
