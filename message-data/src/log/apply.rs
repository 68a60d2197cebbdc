//! Applies one input again.

use std::any::Any;
use std::panic::Location;
use std::time::Duration;

use message_core::input::{Components, Input};
use message_core::internals::{Inside as _, LayoutId, World};
use message_core::trace::SourcePlace;
use message_core::{AnyMessage, MessageId, MessageManager, registry};
use message_format::tape::Tape;
use message_format::{DataError, Reader, Unknown, in_value, pack};

use crate::components::{Part, hook_part, replace, unhook_any};
use crate::data_type::DataType;
use crate::log::foreign::InputRow;
use crate::log::input::{At, How, LogInput, Value};
use crate::scope::reading_numbers;
use crate::types::find;
use crate::wire::{Wire, WireId};
use crate::world_file::WorldFile;

/// Applies an input again. Its result is ignored: it is the same as when the log was written.
///
/// # Errors
///
/// Returns an error if the input does not fit the program: a type has changed, or a value cannot be read.
///
/// All calls in here have the place of the call of this function.
#[allow(clippy::too_many_lines, reason = "an arm for each input")]
#[track_caller]
pub(super) fn apply(
    manager: &mut MessageManager,
    input: LogInput,
    known: &Known,
) -> Result<(), DataError> {
    let place = Location::caller();
    manager.repeat_call(Some((place, known.place(input.at()))));
    match input {
        LogInput::Tick(dt) => drop(manager.tick(Duration::from_nanos(dt))),
        LogInput::BeginFrame(dt) => drop(manager.begin_frame(Duration::from_nanos(dt))),
        LogInput::BeginFrameWith(scaled, unscaled) => {
            let [scaled, unscaled] = [scaled, unscaled].map(Duration::from_nanos);
            let _ = manager.begin_frame_with(scaled, unscaled);
        }
        LogInput::RunStage(stage) => drop(manager.run_stage(stage)),
        LogInput::Settle => manager.settle(),
        LogInput::Send(how, to, sender, value, _) => {
            let message = message(&value, known, manager)?;
            match how {
                How::Request => drop(manager.speaking_as(sender).request_any(to, message)),
                How::Send => drop(manager.speaking_as(sender).send_any(to, message)),
                How::RequestAll => manager.send_now(sender, to, message, true),
                How::Mut => manager.send_now(sender, to, message, false),
            }
        }
        LogInput::Post(header, sender, value, _) => {
            let message = message(&value, known, manager)?;
            drop(manager.speaking_as(sender).post_any(header, message));
        }
        LogInput::Publish(to, sender, value, _) => {
            let message = message(&value, known, manager)?;
            drop(manager.speaking_as(sender).publish_any(to, message));
        }
        LogInput::Cancel(posts, _) => drop(manager.cancel(posts)),
        LogInput::Spawn(name, values, _) => {
            let parts = values.iter().map(|it| component(it, known, manager));
            let parts = Parts(parts.collect::<Result<_, DataError>>()?);
            let outermost = manager.input(|| Input::Spawn(name.as_deref(), &parts, place));
            outermost.change(|world| {
                let id = world.structure.keys.reserve_messagee();
                if let Some(name) = name {
                    world.structure.names.set(id, name.into());
                }
                let mut changes = world.changes();
                changes.enter(id, LayoutId::EMPTY);
                for part in parts.0 {
                    let hook = changes.structure.keys.reserve_hook();
                    part.attach(&mut changes, hook, id);
                }
                changes.announce_spawned(id, place);
            });
        }
        LogInput::Despawn(id, children, _) => drop(manager.despawn_with(id, children)),
        LogInput::Hook(id, value, _) => {
            let part = component(&value, known, manager)?;
            drop(hook_part(manager, id, part, place));
        }
        LogInput::Unhook(hook, _) => drop(unhook_any(manager, hook)),
        LogInput::SetEnabled(hook, enabled, _) => drop(manager.set_enabled(hook, enabled)),
        LogInput::SetParent(child, parent) => drop(manager.set_parent(child, parent)),
        LogInput::Bind(mnemonic, id) => drop(manager.bind(mnemonic, id)),
        LogInput::Unbind(mnemonic, id) => drop(manager.unbind(mnemonic, id)),
        LogInput::SetMember(group, id, true) => drop(manager.join(group, id)),
        LogInput::SetMember(group, id, false) => drop(manager.leave(group, id)),
        LogInput::SetName(id, name) => drop(manager.set_name(id, name)),
        LogInput::SetScale(scale) => drop(manager.set_time_scale(scale)),
        LogInput::SetPaused(paused) => manager.set_paused(paused),
        LogInput::SetFixedStep(step) => manager.set_fixed_step(Duration::from_nanos(step)),
        LogInput::ShrinkToFit => manager.shrink_to_fit(),
        LogInput::SetRetention(message, frames) => {
            let info = registry().message(MessageId::from_bits(message));
            let info = info.ok_or_else(|| DataError::new("a message type no longer exists"))?;
            let outermost = manager.input(|| Input::SetMailRetention(info.id, frames));
            outermost.0.mail.set_retention(info.index, frames);
        }
        LogInput::Forget(message, to) => {
            let info = registry().message(MessageId::from_bits(message));
            if let Some(info) = info {
                let outermost = manager.input(|| Input::ForgetRetained(info.id, to));
                let forget =
                    |world: &mut World| world.listen.retained.get_mut().take(info.index, to);
                drop(outermost.change(forget));
            }
        }
        LogInput::Unsubscribe(id) => drop(manager.unsubscribe(id)),
        LogInput::SetListening(id, listening) => drop(manager.set_listening(id, listening)),
        LogInput::World(file, _) => drop(known.file(file)?.instantiate(manager)),
        LogInput::Template(file, template, name, _) => {
            drop(
                known
                    .file(file)?
                    .instantiate_template(manager, &template, name),
            );
        }
        LogInput::Wire(saved, _) => {
            let wire = reading_numbers(manager.world(), || Wire::of_saved(&saved))?;
            drop(crate::add_wire(manager, wire));
        }
        LogInput::EnableWire(id, on) => {
            _ = crate::set_wire_enabled(manager, WireId::of_log(id), on);
        }
        LogInput::RemoveWire(id) => _ = crate::remove_wire(manager, WireId::of_log(id)),
        LogInput::Foreign(number, value, _) => {
            let row = known.inputs.get(number as usize);
            let row = row.ok_or_else(|| DataError::new("an input whose name is not in the log"))?;
            reading_numbers(manager.world(), || row.read(&value))?(manager);
        }
        LogInput::Left(hook, value, _) => {
            let ty = known.ty(&value)?;
            let part = component(&value, known, manager)?;
            let world = manager.input(|| Input::ComponentMut(hook, place)).0;
            replace(&world.structure, hook, ty, part)?;
        }
        // The caller handles these.
        LogInput::Anew
        | LogInput::Type(_)
        | LogInput::File(_)
        | LogInput::InputType(_)
        | LogInput::Place(..)
        | LogInput::Letter(..)
        | LogInput::Question(..)
        | LogInput::Digest(_)
        | LogInput::State(_)
        | LogInput::Impure(..) => {}
    }
    Ok(())
}

/// The components of a spawn.
struct Parts(Vec<Part>);

impl Components for Parts {
    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a dyn Any)) {
        for part in &self.0 {
            visit(&*part.value);
        }
    }
}

fn component(value: &Value, known: &Known, manager: &MessageManager) -> Result<Part, DataError> {
    let ty = known.ty(value)?;
    let Some(data) = ty.component() else {
        return Err(other_kind(ty, "a component", "a message"));
    };
    let value = read(value, ty, manager, data.read)?;
    Ok(Part { data, value })
}

fn other_kind(ty: &DataType, was: &str, is: &str) -> DataError {
    let name = ty.name();
    DataError::new(format_args!(
        "`{name}` was {was} when the log was written, and is now {is}"
    ))
}

pub(super) fn message(
    value: &Value,
    known: &Known,
    manager: &MessageManager,
) -> Result<Box<dyn AnyMessage>, DataError> {
    let ty = known.ty(value)?;
    let Some(data) = ty.message() else {
        return Err(other_kind(ty, "a message", "a component"));
    };
    read(value, ty, manager, data.read)
}

/// The types, world files and places that the log has named so far.
#[derive(Default)]
pub(super) struct Known {
    pub(super) types: Vec<&'static DataType>,
    pub(super) files: Vec<WorldFile>,
    pub(super) inputs: Vec<&'static InputRow>,
    pub(super) places: Vec<SourcePlace>,
}

impl Known {
    fn ty(&self, value: &Value) -> Result<&'static DataType, DataError> {
        let ty = self.types.get(value.0 as usize).copied();
        ty.ok_or_else(|| DataError::new("a value of a type whose name is not in the log"))
    }

    /// Returns a place for the trace.
    pub(super) fn place(&self, at: Option<At>) -> SourcePlace {
        let place = at.and_then(|at| self.places.get(at as usize)).cloned();
        place.unwrap_or(SourcePlace::LOGGED)
    }

    /// Takes note of what an entry names.
    pub(super) fn learn(&mut self, entry: &LogInput) -> Result<(), DataError> {
        match entry {
            LogInput::Anew => *self = Self::default(),
            LogInput::Type(name) => self.types.push(find(name)?),
            LogInput::File(text) => self.files.push(WorldFile::logged(text)?),
            LogInput::InputType(name) => self.inputs.push(InputRow::find(name)?),
            &LogInput::Place(ref file, line, column) => {
                let file = file.clone().into();
                self.places.push(SourcePlace { file, line, column });
            }
            _ => {}
        }
        Ok(())
    }

    fn file(&self, number: u32) -> Result<&WorldFile, DataError> {
        let file = self.files.get(number as usize);
        file.ok_or_else(|| DataError::new("a world file that the log does not have"))
    }
}

fn read<T>(
    value: &Value,
    ty: &DataType,
    manager: &MessageManager,
    read: fn(&mut Reader<'_>) -> Result<T, DataError>,
) -> Result<T, DataError> {
    let value = reading_numbers(manager.world(), || {
        let mut tape = Tape::default();
        let value = pack::read(&value.1.0, &mut tape)
            .and_then(|_| read(&mut Reader::new(&tape, 0, Unknown::Noted)));
        value.map_err(|error| in_value(error, &tape, ty.name(), &""))
    });
    // The place is that of the input: this one counts from where the value begins.
    value.map_err(|error| DataError::new(error.what()))
}
