//! Writes the log of a manager: a sink of its inputs.

use std::any::{Any, TypeId};
use std::io::{self, Write};
use std::panic::Location;
use std::sync::Arc;

use message_core::input::{ForeignInput, Input, InputSink, Way};
use message_core::internals::{Inside as _, Pool, nanoseconds};
use message_core::report::Report;
use message_core::{AnyMessage, HookId, MessageManager, Sender, Structure};
use message_format::DataError;
use xxhash_rust::xxh3::xxh3_64;

use crate::Digest;
use crate::log::foreign::LoggedInput;
use crate::log::input::{At, How, LogInput, Packed, Value};
use crate::log::options::{LogError, LogOptions, LogReport};
use crate::log::writing::{Log, Output, Touched, packed};
use crate::save::{SaveOptions, save_world};
use crate::scope::Scope;
use crate::types::of_pool;
use crate::wire::Wire;
use crate::world_file::WorldFile;

type Place = &'static Location<'static>;

/// The inputs that `data` adds to those of the core.
#[derive(Debug)]
pub(crate) enum DataInput<'a> {
    /// A world file is instantiated.
    World(&'a WorldFile, Place),
    /// A template is instantiated under a name.
    Template(&'a WorldFile, &'a str, &'a str, Place),
    /// An input that is logged as it is.
    Plain(LogInput),
}

impl ForeignInput for DataInput<'_> {
    fn pass_to(&self, sink: &mut dyn Any) {
        if let Some(log) = sink.downcast_mut::<Log>() {
            log.write_data(self);
        }
    }
}

/// The making of a wire.
#[derive(Debug)]
pub(crate) struct WireInput(pub(crate) Wire, pub(crate) Place);

impl ForeignInput for WireInput {
    fn pass_to(&self, sink: &mut dyn Any) {
        if let Some(log) = sink.downcast_mut::<Log>() {
            log.write_wire(self);
        }
    }
}

impl Log {
    /// Writes all that comes into this manager from outside to a log from now on, each input before it
    /// runs, so that a [`Replay`](crate::Replay) can repeat it.
    ///
    /// The log begins with the [saved](crate::save) state. Inputs are what is called on the manager: its
    /// frames with their time, sends, posts, publications, spawning and all other changes; what other
    /// threads have posted, when it is taken in; and the components that were borrowed mutably, as they
    /// were left. What cannot be written, such as a message without [data](crate::Data) or a new
    /// subscriber, marks the log as impure, with its place; a replay stops there.
    ///
    /// The writer is called for each input. Give a [`BufWriter`](std::io::BufWriter) if the log need not
    /// have what came right before a crash. If it fails, nothing more is written, and
    /// [`stop`](Self::stop) returns the error.
    ///
    /// # Errors
    ///
    /// Returns an error if a log is already being written, if the state cannot be saved, or if the writer fails.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Digest, Log, LogOptions, Replay};
    /// use std::time::Duration;
    ///
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join(format!("docs-{}.log", std::process::id()));
    /// let mut manager = MessageManager::new();
    /// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
    /// manager.spawn(());
    /// manager.tick(Duration::from_millis(16));
    /// Log::stop(&mut manager)?;
    ///
    /// let replayed = Replay::open(&path)?.run()?;
    /// assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
    pub fn start(
        manager: &mut MessageManager,
        writer: impl Write + Send + 'static,
        options: LogOptions,
    ) -> Result<(), LogError> {
        Self::begin_output(manager, Box::new(writer), options, 0)
    }

    /// Begins a log, after that many inputs.
    pub(crate) fn begin_output(
        manager: &mut MessageManager,
        output: Box<dyn Output>,
        options: LogOptions,
        inputs: u64,
    ) -> Result<(), LogError> {
        manager.settle();
        if manager.world().waiting.pending.is_observed() {
            return Err(LogError::Started);
        }
        let start = save_world(manager.world(), &SaveOptions::new())?;
        let identity = &manager.world().common.identity;
        let log = Self::begin(output, options, identity, &start, inputs)?;
        manager.set_input_sink(Some(Box::new(log)));
        Ok(())
    }

    /// Ends the log, and returns what was written to it; `None` if none was being written.
    ///
    /// # Errors
    ///
    /// The first error of the writer.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Log};
    ///
    /// assert!(Log::stop(&mut MessageManager::new())?.is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stop(manager: &mut MessageManager) -> io::Result<Option<LogReport>> {
        Self::detach(manager).map(|log| log.end()).transpose()
    }

    /// Takes the log of a manager, in which everything is written.
    pub(crate) fn detach(manager: &mut MessageManager) -> Option<Box<Self>> {
        let sink = manager.set_input_sink(None)?;
        let any: &dyn Any = &*sink;
        if !any.is::<Log>() {
            manager.set_input_sink(Some(sink));
            return None;
        }
        let any: Box<dyn Any> = sink;
        let Ok(mut log) = any.downcast::<Log>() else {
            unreachable!("it is a log");
        };
        log.during(manager, |log| log.write_touched(manager, false));
        Some(log)
    }
}

impl InputSink for Log {
    fn input(&mut self, input: &Input<'_>, manager: &MessageManager) {
        let structure: &Structure = manager;
        let taken = self.during(manager, |log| {
            match *input {
                Input::ComponentMut(hook, place) => log.touch(structure, hook, place),
                Input::GetMut(id, component, place) => {
                    let is_of_type = |(pool, _): (&Pool, usize)| pool.type_of() == component;
                    let mut hooks = structure.hooks(id);
                    if let Some(hook) =
                        hooks.find(|&it| structure.pool_of(it).is_some_and(is_of_type))
                    {
                        log.touch(structure, hook, place);
                    }
                }
                Input::IterMut(component, place) => {
                    let Structure { pools, keys, .. } = structure;
                    if let Some(index) = pools.index_with_pool(component) {
                        let pool = pools.at(index);
                        for slot in 0..pool.len() {
                            log.touch(structure, keys.hook_in(pool, slot), place);
                        }
                    }
                }
                _ => return log.take(input, manager),
            }
            Ok(())
        });
        if let Err(why) = taken {
            // The input has not run, and does not run.
            panic!("{why}");
        }
    }
}

impl Log {
    /// Calls a function in a scope where ids are numbers of this manager.
    fn during<T>(&mut self, manager: &MessageManager, act: impl FnOnce(&mut Self) -> T) -> T {
        let done = Scope::Numbered(Arc::clone(&self.ids)).during(|| act(self));
        for what in self.untold() {
            manager.world().report(&Report::NotLogged(what));
        }
        done
    }

    /// Writes an input, and what comes before it.
    ///
    /// # Errors
    ///
    /// Returns why the input cannot be written, if it is refused then. It must not run.
    fn take(&mut self, input: &Input<'_>, manager: &MessageManager) -> Result<(), String> {
        self.may_refuse = false;
        // At a desk, components may still be borrowed.
        self.write_touched(
            manager,
            matches!(input, Input::Arrived(Way::Published(_), ..)),
        );
        let begins_frame = matches!(
            input,
            Input::Tick(_) | Input::BeginFrame(_) | Input::BeginFrameWith(..)
        );
        if begins_frame {
            self.begin_frame(manager);
        }
        // The frame that takes in a letter has begun. What has to be settled has happened.
        let is_of_past = matches!(
            input,
            Input::Settle | Input::Arrived(Way::Drained(_) | Way::DrainedQuestion(_), ..)
        );
        let refuses = self.refuses() && !is_of_past;
        if refuses {
            self.make_up(manager, begins_frame)?;
        }
        if begins_frame {
            self.write_digest(manager);
        }
        if refuses {
            return self.write_or_refuse(input, manager);
        }
        self.write_input(input);
        Ok(())
    }

    fn write_or_refuse(
        &mut self,
        input: &Input<'_>,
        manager: &MessageManager,
    ) -> Result<(), String> {
        let before = self.report.inputs;
        let write = |log: &mut Self| log.refusing(|log| log.write_input(input));
        let mut written = write(self);
        if self.has_failed() {
            // A segment with the state before the input can take it.
            self.report.inputs = before;
            written = self.make_up(manager, true).and_then(|()| write(self));
        }
        if written.is_err() {
            self.report.inputs = before;
        }
        written
    }

    /// Writes the digest that is due when a frame begins.
    fn write_digest(&mut self, manager: &MessageManager) {
        let (every, keep) = self.digests();
        if every != 0 && manager.clock().frame().is_multiple_of(every) {
            self.write(&LogInput::Digest(Digest::of(manager)));
            if keep && let Ok(state) = save_world(manager.world(), &SaveOptions::new()) {
                self.write(&LogInput::State(Packed(state)));
            }
        }
    }

    #[allow(clippy::too_many_lines, reason = "an arm for each input")]
    fn write_input(&mut self, input: &Input<'_>) {
        let plain = match *input {
            Input::Tick(dt) => LogInput::Tick(nanoseconds(dt)),
            Input::BeginFrame(dt) => LogInput::BeginFrame(nanoseconds(dt)),
            Input::BeginFrameWith(scaled, unscaled) => {
                LogInput::BeginFrameWith(nanoseconds(scaled), nanoseconds(unscaled))
            }
            Input::RunStage(stage) => LogInput::RunStage(stage),
            Input::Settle => LogInput::Settle,
            Input::Arrived(way, sender, message, place) => {
                return self.write_message(message, place, |value, at| match way {
                    Way::Sent(to) => LogInput::Send(How::Send, to, sender, value, at),
                    Way::SentMut(to) => LogInput::Send(How::Mut, to, sender, value, at),
                    Way::Asked(to) => LogInput::Send(How::Request, to, sender, value, at),
                    Way::AskedAll(to) => LogInput::Send(How::RequestAll, to, sender, value, at),
                    Way::Posted(header) => LogInput::Post(header, sender, value, at),
                    Way::Published(to) => LogInput::Publish(to, sender, value, at),
                    Way::Drained(header) => LogInput::Letter(header, value, at),
                    Way::DrainedQuestion(to) => LogInput::Question(to, value, at),
                    other => unreachable!("{other:?} is from another version of message-core"),
                });
            }
            Input::Cancel(posts) => LogInput::Cancel(posts, Sender::Outside),
            Input::Spawn(name, components, place) => {
                let mut all: Vec<&dyn Any> = Vec::new();
                components.each(&mut |component| all.push(component));
                let spawn = |values, at| LogInput::Spawn(name.map(str::to_owned), values, at);
                return self.write_components("a spawning", &all, place, spawn);
            }
            Input::Hook(id, component, place) => {
                let hook = |mut values: Vec<Value>, at| LogInput::Hook(id, values.remove(0), at);
                return self.write_components("a hooking", &[component], place, hook);
            }
            Input::Despawn(id, children, place) => {
                LogInput::Despawn(id, children, self.place(place))
            }
            Input::SetName(id, name) => LogInput::SetName(id, name.to_owned()),
            Input::SetParent(child, parent) => LogInput::SetParent(child, parent),
            Input::Bind(mnemonic, id) => LogInput::Bind(mnemonic, id),
            Input::Unbind(mnemonic, id) => LogInput::Unbind(mnemonic, id),
            Input::SetMember(group, id, member) => LogInput::SetMember(group, id, member),
            Input::Unhook(hook, place) => LogInput::Unhook(hook, self.place(place)),
            Input::SetEnabled(hook, enabled, place) => {
                LogInput::SetEnabled(hook, enabled, self.place(place))
            }
            Input::Subscribe(place) => {
                return self.impure("a subscriber, which is a closure".to_owned(), place);
            }
            Input::Overhear(place) => {
                return self.impure("an overhearing, which may have closures".to_owned(), place);
            }
            Input::Unsubscribe(id) => LogInput::Unsubscribe(id),
            Input::SetListening(id, listening) => LogInput::SetListening(id, listening),
            Input::ForgetRetained(message, to) => LogInput::Forget(message.to_bits(), to),
            Input::SetMailRetention(message, frames) => {
                LogInput::SetRetention(message.to_bits(), frames)
            }
            Input::SetTimeScale(scale) => LogInput::SetScale(scale),
            Input::SetPaused(paused) => LogInput::SetPaused(paused),
            Input::SetFixedStep(step) => LogInput::SetFixedStep(nanoseconds(step)),
            Input::ShrinkToFit => LogInput::ShrinkToFit,
            Input::Rewind(place) => {
                return self.impure(
                    "a rewind, whose snapshot is not in the log".to_owned(),
                    place,
                );
            }
            Input::Foreign(input) => return input.pass_to(self),
            Input::GetMut(..) | Input::ComponentMut(..) | Input::IterMut(..) => return,
            ref other => unreachable!("{other:?} is from another version of message-core"),
        };
        self.write(&plain);
    }

    fn write_data(&mut self, input: &DataInput<'_>) {
        match *input {
            DataInput::World(file, place) => {
                let (number, at) = (self.file(file.source()), self.place(place));
                self.write(&LogInput::World(number, at));
            }
            DataInput::Template(file, template, name, place) => {
                let (number, at) = (self.file(file.source()), self.place(place));
                let (template, name) = (template.to_owned(), name.to_owned());
                self.write(&LogInput::Template(number, template, name, at));
            }
            DataInput::Plain(ref input) => self.write(input),
        }
    }

    fn write_wire(&mut self, WireInput(wire, place): &WireInput) {
        let saved = wire.saved();
        let saved = saved.map_err(|error| format!("a wire: {}", error.what()));
        self.write_or_mark(saved, place, |saved, at| LogInput::Wire(saved.into(), at));
    }

    /// Writes an input with its place, or marks that it could not be written, and why.
    fn write_or_mark<V>(
        &mut self,
        value: Result<V, String>,
        place: Place,
        input: impl FnOnce(V, At) -> LogInput,
    ) {
        match value {
            Ok(value) => {
                let at = self.place(place);
                self.write(&input(value, at));
            }
            Err(what) => self.impure(what, place),
        }
    }

    /// Writes an input of another crate.
    pub(super) fn write_foreign<I: LoggedInput>(&mut self, input: &I, place: Place) {
        let value = self.packed(|writer| input.serialize(writer));
        let value = value.map(|value| (self.input_number(I::NAME), value));
        let value = value.map_err(|error| error.what().to_owned());
        self.write_or_mark(value, place, |(number, value), at| {
            LogInput::Foreign(number, value, at)
        });
    }

    fn write_message(
        &mut self,
        message: &dyn AnyMessage,
        place: Place,
        input: impl FnOnce(Value, At) -> LogInput,
    ) {
        let value = message_value(self, message);
        let value = value.map_err(|error| format!("a `{}`: {}", message.name(), error.what()));
        self.write_or_mark(value, place, input);
    }

    fn write_components(
        &mut self,
        what: &str,
        components: &[&dyn Any],
        place: Place,
        input: impl FnOnce(Vec<Value>, At) -> LogInput,
    ) {
        let values = components.iter().map(|it| component_value(self, *it));
        let values = values.collect::<Result<_, String>>();
        let values = values.map_err(|why| format!("{what}: {why}"));
        self.write_or_mark(values, place, input);
    }

    /// Remembers that a component is borrowed to be changed. Its new value is written with the next input.
    fn touch(&mut self, structure: &Structure, hook: HookId, place: Place) {
        if self.touched.iter().any(|touched| touched.hook == hook) {
            return;
        }
        let value = pack_hooked(structure, hook).and_then(|(_, value)| value.ok());
        let before = value.map_or(0, |value| xxh3_64(&value.0));
        self.touched.push(Touched {
            hook,
            before,
            place,
        });
    }

    /// Writes the components that were changed from outside since the last input.
    fn write_touched(&mut self, structure: &Structure, at_desk: bool) {
        for touched in std::mem::take(&mut self.touched) {
            let hook = touched.hook;
            let Some(name) = structure.component_name(hook) else {
                continue;
            };
            let Some((ty, value)) = pack_hooked(structure, hook) else {
                let what = format!("a `{name}` was borrowed mutably, but it has no data");
                self.impure(what, touched.place);
                continue;
            };
            let value = match value {
                Ok(value) => value,
                Err(_) if at_desk => {
                    // Its value is written with the next input.
                    self.touched.push(touched);
                    continue;
                }
                Err(error) => {
                    let why = error.what();
                    let what =
                        format!("a `{name}` was borrowed mutably, and cannot be written: {why}");
                    self.impure(what, touched.place);
                    continue;
                }
            };
            if xxh3_64(&value.0) != touched.before
                && let Some((number, _)) = self.number(ty)
            {
                let at = self.place(touched.place);
                self.write(&LogInput::Left(hook, Value(number, value), at));
            }
        }
    }
}

/// Packs the value of a component, if its type has data.
fn pack_hooked(structure: &Structure, hook: HookId) -> Option<(TypeId, Result<Packed, DataError>)> {
    let (pool, slot) = structure.pool_of(hook)?;
    let ty = of_pool(pool)?;
    let (component, values) = (ty.component()?, pool.any_values());
    let value = packed(|writer| (component.write)(values, slot, writer));
    Some((ty.type_id(), value))
}

fn message_value(log: &mut Log, message: &dyn AnyMessage) -> Result<Value, DataError> {
    let any: &dyn Any = message;
    let Some((number, ty)) = log.number(any.type_id()) else {
        return Err(DataError::new("its type has no data"));
    };
    let data = ty.message();
    let data = data.ok_or_else(|| DataError::new("it is a component"))?;
    let value = log.packed(|writer| (data.write)(message, writer))?;
    Ok(Value(number, value))
}

fn component_value(log: &mut Log, component: &dyn Any) -> Result<Value, String> {
    let Some((number, ty)) = log.number(component.type_id()) else {
        return Err("a component has no data".to_owned());
    };
    let name = ty.name();
    let data = ty.component();
    let data = data.ok_or_else(|| format!("`{name}` is a message"))?;
    let value = log.packed(|writer| (data.write_any)(component, writer));
    let value = value.map_err(|error| format!("a `{name}`: {}", error.what()))?;
    Ok(Value(number, value))
}
