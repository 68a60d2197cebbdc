//! Writes the log of a manager: every input from outside, before it runs.
//!
//! The manager's methods pass their inputs first. While no log is written, each only checks a flag.

use std::any::{Any, TypeId};
use std::io::{self, Write};
use std::panic::Location;
use std::sync::Arc;

use message_format::DataError;
use xxhash_rust::xxh3::xxh3_64;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::component::{Bundle, Component};
use crate::data::log::input::{How, Input, Packed, Value};
use crate::data::log::options::{LogError, LogOptions, LogReport};
use crate::data::log::writing::{Log, Touched, packed};
use crate::data::save::{SaveOptions, save};
use crate::data::scope::Scope;
use crate::data::types::of_pool;
use crate::data::wire::Wire;
use crate::data::world_file::WorldFile;
use crate::header::Header;
use crate::identity::Identity;
use crate::inlet::Letter;
use crate::message::AnyMessage;
use crate::structure::Structure;
use crate::world::{LogSlot, World};

type Place = &'static Location<'static>;

/// The log of a manager, to which every input from outside is passed before it runs. It borrows the
/// structure, because the values of components are read from there.
#[derive(Clone, Copy)]
pub(crate) struct InputLog<'w> {
    slot: &'w LogSlot,
    structure: &'w Structure,
    identity: &'w Arc<Identity>,
}

impl World {
    /// Returns the log of inputs, if one is written.
    #[inline]
    pub(crate) fn input_log(&self) -> Option<InputLog<'_>> {
        self.outside.log.is_on().then_some(InputLog {
            slot: &self.outside.log,
            structure: &self.structure,
            identity: &self.common.identity,
        })
    }

    /// Starts a log, which begins with a save.
    pub(crate) fn start_log(
        &mut self,
        writer: Box<dyn Write + Send>,
        options: LogOptions,
    ) -> Result<(), LogError> {
        if self.outside.log.is_on() {
            return Err(LogError::Started);
        }
        let start = save(self, &SaveOptions::new())?;
        let log = Log::begin(writer, options, &start)?;
        self.outside.log.start(log);
        // Each message that is published is logged from now on.
        self.mail.end_run();
        Ok(())
    }
}

impl InputLog<'_> {
    /// Ends the log, after writing the components that were changed since the last input.
    pub(crate) fn stop(self) -> io::Result<Option<LogReport>> {
        self.write(&mut |_| {});
        let log = self.slot.stop::<Log>();
        log.map(|log| log.end()).transpose()
    }

    /// Calls a function with the log, in a scope where ids are numbers of this manager.
    fn during(self, act: &mut dyn FnMut(&mut Log)) {
        self.slot
            .with(|log| Scope::numbered(self.identity).during(|| act(log)));
    }

    /// Writes the components that were changed from outside, followed by what `make` writes.
    #[cold]
    fn write(self, make: &mut dyn FnMut(&mut Log)) {
        self.during(&mut |log| {
            self.write_touched(log);
            make(log);
        });
    }

    /// Writes the beginning of a frame, after the digest that is due then.
    pub(crate) fn frame(self, world: &World, input: &Input) {
        let options = self.slot.with(|log: &mut Log| log.digests());
        let (every, keep) = options.unwrap_or_default();
        if every != 0 && world.common.time.frame.is_multiple_of(every) {
            // A component that was changed from outside is written before.
            self.write(&mut |_| {});
            self.input(&Input::Digest(world.digest()));
            if keep && let Ok(state) = save(world, &SaveOptions::new()) {
                self.input(&Input::State(Packed(state)));
            }
        }
        self.input(input);
    }

    /// Writes an input without values.
    pub(crate) fn input(self, input: &Input) {
        self.write(&mut |log| log.write(input));
    }

    /// Marks that an input cannot be written.
    pub(crate) fn impure(self, what: &str, place: Place) {
        self.write(&mut |log| log.impure(what.to_owned(), place));
    }

    pub(crate) fn send(
        self,
        how: How,
        to: Recipient,
        sender: Sender,
        message: &dyn AnyMessage,
        place: Place,
    ) {
        self.message(message, place, &|value| Input::Send(how, to, sender, value));
    }

    pub(crate) fn post(
        self,
        header: &Header,
        sender: Sender,
        message: &dyn AnyMessage,
        place: Place,
    ) {
        self.message(message, place, &|value| Input::Post(*header, sender, value));
    }

    pub(crate) fn publish(
        self,
        to: Recipient,
        sender: Sender,
        message: &dyn AnyMessage,
        place: Place,
    ) {
        self.message(message, place, &|value| Input::Publish(to, sender, value));
    }

    pub(crate) fn letter(self, letter: &Letter) {
        let input = |value| Input::Letter(letter.header, value);
        self.message(&*letter.message, letter.place, &input);
    }

    /// Writes an input with a message.
    #[cold]
    pub(crate) fn message(
        self,
        message: &dyn AnyMessage,
        place: Place,
        input: &dyn Fn(Value) -> Input,
    ) {
        self.write(&mut |log| match message_value(log, message) {
            Ok(value) => log.write(&input(value)),
            Err(error) => log.impure(format!("a `{}`: {}", message.name(), error.what()), place),
        });
    }

    /// Writes that a messagee is spawned with these components.
    #[cold]
    pub(crate) fn spawn<B: Bundle>(self, name: Option<&str>, bundle: &B, place: Place) {
        let mut components: Vec<&dyn Any> = Vec::new();
        bundle.look(&mut |component| components.push(component));
        self.components("a spawning", &components, place, &|values| {
            Input::Spawn(name.map(str::to_owned), values)
        });
    }

    /// Writes that a component is hooked.
    #[cold]
    pub(crate) fn hook(self, id: MessageeId, component: &dyn Any, place: Place) {
        self.components("a hooking", &[component], place, &|mut values| {
            Input::Hook(id, values.remove(0))
        });
    }

    fn components(
        self,
        what: &str,
        components: &[&dyn Any],
        place: Place,
        input: &dyn Fn(Vec<Value>) -> Input,
    ) {
        self.write(&mut |log| {
            let values = components.iter().map(|it| component_value(log, *it));
            match values.collect::<Result<_, String>>() {
                Ok(values) => log.write(&input(values)),
                Err(why) => log.impure(format!("{what}: {why}"), place),
            }
        });
    }

    /// Writes that a world file is instanced, or a template of it under a name.
    pub(crate) fn file(self, file: &WorldFile, template: Option<(&str, &str)>) {
        self.write(&mut |log| {
            let number = log.file(file.source());
            log.write(&match template {
                None => Input::World(number),
                Some((template, name)) => {
                    Input::Template(number, template.to_owned(), name.to_owned())
                }
            });
        });
    }

    /// Writes that a wire is made.
    pub(crate) fn wire(self, wire: &Wire, place: Place) {
        self.write(&mut |log| match wire.saved() {
            Ok(saved) => log.write(&Input::Wire(saved)),
            Err(error) => log.impure(format!("a wire: {}", error.what()), place),
        });
    }

    /// Remembers that a component is borrowed to be changed. Its new value is written with the next input.
    #[cold]
    pub(crate) fn touched(self, hook: HookId, place: Place) {
        self.during(&mut |log| {
            if !log.touched.iter().any(|touched| touched.hook == hook) {
                let value = self.pack_hooked(hook).and_then(|(_, value)| value.ok());
                let before = value.map_or(0, |value| xxh3_64(&value.0));
                log.touched.push(Touched {
                    hook,
                    before,
                    place,
                });
            }
        });
    }

    /// Like [`touched`](Self::touched), for the first component of type `C` of a messagee.
    pub(crate) fn touched_of<C: Component>(self, id: MessageeId, place: Place) {
        if let Ok(hook) = self.structure.hook_of::<C>(id) {
            self.touched(hook, place);
        }
    }

    /// Like [`touched`](Self::touched), for all components of a type.
    #[cold]
    pub(crate) fn touched_all<C: Component>(self, place: Place) {
        let index = self.structure.pools.index_of(TypeId::of::<C>());
        let pool = index.and_then(|index| self.structure.pools.get(index));
        let Some(pool) = pool else {
            return;
        };
        for slot in 0..pool.len() {
            self.touched(self.structure.keys.hook_in(pool, slot), place);
        }
    }

    /// Writes the components that were changed from outside since the last input.
    fn write_touched(self, log: &mut Log) {
        for touched in std::mem::take(&mut log.touched) {
            let hook = touched.hook;
            let Some(name) = self.structure.component_name(hook) else {
                continue;
            };
            let Some((ty, value)) = self.pack_hooked(hook) else {
                let what = format!("a `{name}` was borrowed to be changed, and it has no data");
                log.impure(what, touched.place);
                continue;
            };
            let Ok(value) = value else {
                // Still borrowed, at a desk: its value is written with the next input.
                log.touched.push(touched);
                continue;
            };
            if xxh3_64(&value.0) != touched.before
                && let Some((number, _)) = log.number(ty)
            {
                log.write(&Input::Left(hook, Value(number, value)));
            }
        }
    }

    /// Packs the value of a component, if its type has data.
    fn pack_hooked(self, hook: HookId) -> Option<(TypeId, Result<Packed, DataError>)> {
        let at = self.structure.find_hook(hook)?;
        let pool = self.structure.pools.at(at.component);
        let ty = of_pool(pool)?;
        let (component, values) = (ty.component()?, pool.any_values());
        let value = packed(|writer| (component.write)(values, at.slot as usize, writer));
        Some((ty.type_id(), value))
    }
}

fn message_value(log: &mut Log, message: &dyn AnyMessage) -> Result<Value, DataError> {
    let any: &dyn Any = message;
    let Some((number, ty)) = log.number(any.type_id()) else {
        return Err(DataError::new("its type has no data"));
    };
    let data = ty.message();
    let data = data.ok_or_else(|| DataError::new("its data is that of a component"))?;
    let value = packed(|writer| (data.write)(message, writer))?;
    Ok(Value(number, value))
}

fn component_value(log: &mut Log, component: &dyn Any) -> Result<Value, String> {
    let Some((number, ty)) = log.number(component.type_id()) else {
        return Err("a component has no data".to_owned());
    };
    let name = ty.name();
    let data = ty.component();
    let data = data.ok_or_else(|| format!("`{name}` is a message"))?;
    let value = packed(|writer| (data.write_any)(component, writer));
    let value = value.map_err(|error| format!("a `{name}`: {}", error.what()))?;
    Ok(Value(number, value))
}
