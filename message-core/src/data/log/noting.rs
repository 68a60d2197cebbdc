//! Writes the log of a manager: every input from outside, before it runs.
//!
//! The manager's methods call these functions first. While no log is written, each call only checks a flag.

use std::any::{Any, TypeId};
use std::io::{self, Write};
use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::data::data_type::{DataKind, DataType};
use crate::data::error::DataError;
use crate::data::log::input::{How, Input, Packed, Value};
use crate::data::log::options::{LogError, LogOptions, LogReport};
use crate::data::log::writing::{Log, Touched, packed};
use crate::data::save::{SaveOptions, save};
use crate::data::scope::Scope;
use crate::data::types::of_type;
use crate::data::wire::Wire;
use crate::data::world_file::WorldFile;
use crate::header::Header;
use crate::inlet::Letter;
use crate::message::AnyMessage;
use crate::storage::{Hook, Pools};
use crate::world::World;
use xxhash_rust::xxh3::xxh3_64;

type Place = &'static Location<'static>;

impl World {
    /// Calls a function with the log, in a scope where ids are numbers of this manager.
    fn during(&self, act: &mut dyn FnMut(&mut Log)) {
        self.outside
            .log
            .with(|log| Scope::numbered(&self.common.identity).during(|| act(log)));
    }

    /// Writes the components that were changed from outside, followed by what `make` writes.
    #[cold]
    fn write_to_log(&self, make: &mut dyn FnMut(&mut Log)) {
        self.during(&mut |log| {
            self.write_touched(log);
            make(log);
        });
    }

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

    pub(crate) fn stop_log(&mut self) -> io::Result<Option<LogReport>> {
        // What was changed since the last input.
        self.write_to_log(&mut |_| {});
        let log = self.outside.log.stop::<Log>();
        log.map(|log| log.end()).transpose()
    }

    /// Writes the digest that is due at the beginning of this frame.
    pub(crate) fn log_digest(&self) {
        // Zero without a log.
        let (every, keep) = self
            .outside
            .log
            .with(|log: &mut Log| log.digests())
            .unwrap_or_default();
        if every == 0 || !self.common.time.frame.is_multiple_of(every) {
            return;
        }
        // A component that was changed from outside is written before.
        self.write_to_log(&mut |_| {});
        let digest = self.digest();
        let state = keep.then(|| save(self, &SaveOptions::new()));
        self.write_to_log(&mut |log| {
            log.write(&Input::Digest(digest.clone()));
            if let Some(Ok(state)) = &state {
                log.write(&Input::State(Packed(state.clone())));
            }
        });
    }

    /// Writes an input without values.
    #[inline]
    pub(crate) fn log_input(&self, input: impl FnOnce() -> Input) {
        if self.outside.log.is_on() {
            let mut input = Some(input);
            self.write_to_log(&mut |log| {
                if let Some(input) = input.take() {
                    log.write(&input());
                }
            });
        }
    }

    /// Marks in the log that an input cannot be written.
    #[inline]
    pub(crate) fn log_impure(&self, what: &str, place: Place) {
        if self.outside.log.is_on() {
            self.write_to_log(&mut |log| log.impure(what.to_owned(), place));
        }
    }

    #[inline]
    pub(crate) fn log_send(
        &self,
        how: How,
        to: Recipient,
        sender: Sender,
        message: &dyn AnyMessage,
        place: Place,
    ) {
        if self.outside.log.is_on() {
            self.log_message(message, place, &|value| Input::Send(how, to, sender, value));
        }
    }

    #[inline]
    pub(crate) fn log_post(
        &self,
        header: &Header,
        sender: Sender,
        message: &dyn AnyMessage,
        place: Place,
    ) {
        if self.outside.log.is_on() {
            self.log_message(message, place, &|value| Input::Post(*header, sender, value));
        }
    }

    #[inline]
    pub(crate) fn log_publish(
        &self,
        to: Recipient,
        sender: Sender,
        message: &dyn AnyMessage,
        place: Place,
    ) {
        if self.outside.log.is_on() {
            self.log_message(message, place, &|value| Input::Publish(to, sender, value));
        }
    }

    #[inline]
    pub(crate) fn log_undelivered(
        &self,
        proxy: MessageeId,
        sender: Sender,
        message: &dyn AnyMessage,
        why: &str,
        place: Place,
    ) {
        if self.outside.log.is_on() {
            self.log_message(message, place, &|value| {
                Input::Undelivered(proxy, sender, value, why.to_owned())
            });
        }
    }

    pub(crate) fn log_letter(&self, letter: &Letter) {
        if self.outside.log.is_on() {
            let input = |value| Input::Letter(letter.header, value);
            self.log_message(&*letter.message, letter.place, &input);
        }
    }

    #[cold]
    #[inline(never)]
    fn log_message(&self, message: &dyn AnyMessage, place: Place, input: &dyn Fn(Value) -> Input) {
        self.write_to_log(&mut |log| match message_value(log, message) {
            Ok(value) => log.write(&input(value)),
            Err(error) => log.impure(format!("a `{}`: {}", message.name(), error.what()), place),
        });
    }

    /// Writes that a messagee is spawned with these components.
    pub(crate) fn log_spawn(&self, name: Option<&str>, components: &[&dyn Any], place: Place) {
        self.write_to_log(&mut |log| {
            let values: Result<Vec<Value>, String> = components
                .iter()
                .map(|component| component_value(log, *component))
                .collect();
            match values {
                Ok(values) => log.write(&Input::Spawn(name.map(str::to_owned), values)),
                Err(what) => log.impure(format!("a spawning: {what}"), place),
            }
        });
    }

    /// Writes that a component is hooked.
    pub(crate) fn log_hook(&self, id: MessageeId, component: &dyn Any, place: Place) {
        self.write_to_log(&mut |log| match component_value(log, component) {
            Ok(value) => log.write(&Input::Hook(id, value)),
            Err(what) => log.impure(format!("a hooking: {what}"), place),
        });
    }

    /// Writes that a world file is instanced, or a template of it under a name.
    pub(crate) fn log_file(&self, file: &WorldFile, template: Option<(&str, &str)>) {
        if self.outside.log.is_on() {
            self.write_to_log(&mut |log| {
                let number = log.file(file.source());
                log.write(&match template {
                    None => Input::World(number),
                    Some((template, name)) => {
                        Input::Template(number, template.to_owned(), name.to_owned())
                    }
                });
            });
        }
    }

    /// Writes that a wire is made.
    pub(crate) fn log_wire(&self, wire: &Wire, place: Place) {
        if self.outside.log.is_on() {
            self.write_to_log(&mut |log| match wire.saved() {
                Ok(saved) => log.write(&Input::Wire(saved)),
                Err(error) => log.impure(format!("a wire: {}", error.what()), place),
            });
        }
    }

    /// Remembers that a component is borrowed to be changed. Its new value is written with the next input.
    #[cold]
    pub(crate) fn log_touched(&self, hook: HookId, place: Place) {
        self.during(&mut |log| {
            if !log.touched.iter().any(|touched| touched.hook == hook) {
                let before = self.hash_hooked(hook).unwrap_or_default();
                log.touched.push(Touched {
                    hook,
                    before,
                    place,
                });
            }
        });
    }

    /// Remembers that all components of a type are borrowed to be changed.
    #[cold]
    pub(crate) fn log_touched_all(&self, component: TypeId, place: Place) {
        let index = self.structure.pools.index_of(component);
        let pool = index.and_then(|index| self.structure.pools.get(index));
        let Some(pool) = pool else {
            return;
        };
        for slot in 0..pool.roster().len() {
            self.log_touched(self.structure.keys.hook_in(pool, slot), place);
        }
    }

    /// Writes the components that were changed from outside since the last input.
    fn write_touched(&self, log: &mut Log) {
        for touched in std::mem::take(&mut log.touched) {
            let hook = touched.hook;
            let Some(at) = self.structure.find_hook(hook) else {
                continue;
            };
            let pool = self.structure.pools.at(at.component);
            let name = pool.roster().component_name();
            let Some(ty) = data_type_at(&self.structure.pools, at.component) else {
                let what = format!("a `{name}` was borrowed to be changed, and it has no data");
                log.impure(what, touched.place);
                continue;
            };
            let Ok(value) = pack_attached(&self.structure.pools, at, ty) else {
                // Still borrowed, at a desk: its value is written with the next input.
                log.touched.push(touched);
                continue;
            };
            if xxh3_64(&value.0) != touched.before
                && let Some((number, _)) = log.number(ty.type_id())
            {
                log.write(&Input::Left(hook, Value(number, value)));
            }
        }
    }

    fn hash_hooked(&self, hook: HookId) -> Option<u64> {
        let at = self.structure.find_hook(hook)?;
        let ty = data_type_at(&self.structure.pools, at.component)?;
        let value = pack_attached(&self.structure.pools, at, ty).ok()?;
        Some(xxh3_64(&value.0))
    }
}

/// Returns the data type of the component type with this index, if it has data.
fn data_type_at(pools: &Pools, component: u32) -> Option<&'static DataType> {
    pools.type_of(component).and_then(of_type)
}

/// Packs the value of a component.
fn pack_attached(pools: &Pools, at: Hook, ty: &'static DataType) -> Result<Packed, DataError> {
    let DataKind::Component(component) = &ty.kind else {
        return Err(DataError::new("a message is no component"));
    };
    let values = pools.at(at.component).any_values();
    packed(|writer| (component.write)(values, at.slot as usize, writer))
}

fn message_value(log: &mut Log, message: &dyn AnyMessage) -> Result<Value, DataError> {
    let any: &dyn Any = message;
    let Some((number, ty)) = log.number(any.type_id()) else {
        return Err(DataError::new("its type has no data"));
    };
    match &ty.kind {
        DataKind::Message(data) => {
            let value = packed(|writer| (data.write)(message, writer))?;
            Ok(Value(number, value))
        }
        DataKind::Component(_) => Err(DataError::new("its data is that of a component")),
    }
}

fn component_value(log: &mut Log, component: &dyn Any) -> Result<Value, String> {
    let Some((number, ty)) = log.number(component.type_id()) else {
        return Err("a component has no data".to_owned());
    };
    match &ty.kind {
        DataKind::Component(data) => {
            let value = packed(|writer| (data.write_any)(component, writer));
            let value = value.map_err(|error| format!("a `{}`: {}", ty.name(), error.what()))?;
            Ok(Value(number, value))
        }
        DataKind::Message(_) => Err(format!("`{}` is a message", ty.name())),
    }
}
