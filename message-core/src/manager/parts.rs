//! Changes with components whose types are not known here: what a log repeats.

use std::any::Any;
use std::panic::Location;
use std::sync::Arc;

use crate::address::{HookId, MessageeId, Recipient};
use crate::data::{ComponentData, DataError, DataType, Part, ReplayedLetters};
use crate::error::MessageeError;
use crate::manager::MessageManager;
use crate::message::MessageIndex;
use crate::storage::LayoutId;
use crate::world::{World, part_with};

type Place = &'static Location<'static>;

impl MessageManager {
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// Replaces letters from other threads with those of a log, or takes letters from other threads again.
    pub(crate) fn hear_from_log(&mut self, letters: Option<ReplayedLetters>) {
        self.replayed = letters;
    }

    /// Like [`spawn`](Self::spawn), or [`spawn_named`](Self::spawn_named) if there is a name.
    pub(crate) fn spawn_parts(
        &mut self,
        name: Option<Arc<str>>,
        parts: Vec<Part>,
        place: Place,
    ) -> MessageeId {
        self.change(|world| {
            let id = world.structure.keys.reserve_messagee();
            if let Some(name) = name {
                world.common.names.set(id, name);
            }
            let mut changes = world.changes();
            changes.enter(id, LayoutId::EMPTY);
            for (data, component) in parts {
                let hook = changes.structure().keys.reserve_hook();
                (data.attach)(&mut changes, hook, id, component);
            }
            changes.announce_spawned(id, place);
            id
        })
    }

    /// Like [`hook`](Self::hook), but for a component of any type.
    pub(crate) fn hook_part(
        &mut self,
        id: MessageeId,
        (data, component): Part,
        place: Place,
    ) -> Result<HookId, MessageeError> {
        self.change(|world| {
            world.structure.check_hookable(id)?;
            let hook = world.structure.keys.reserve_hook();
            let mut changes = world.changes();
            (data.attach)(&mut changes, hook, id, component);
            changes.announce_hooked(id, hook, place);
            Ok(hook)
        })
    }

    /// Like [`unhook`](Self::unhook), but for a component of any type.
    pub(crate) fn unhook_any(
        &mut self,
        hook: HookId,
        place: Place,
    ) -> Result<Option<Box<dyn Any + Send>>, MessageeError> {
        self.change(|world| {
            world.structure.check_hook(hook)?;
            if let Some(at) = world.structure.find_hook(hook) {
                part_with(world, hook, at, place);
            }
            Ok(world.changes().detach(hook))
        })
    }

    /// Replaces a component with another one of its type.
    ///
    /// # Errors
    ///
    /// Returns an error if the component does not exist, or has another type.
    pub(crate) fn replace_part(
        &mut self,
        hook: HookId,
        ty: &DataType,
        data: ComponentData,
        component: Box<dyn Any + Send>,
    ) -> Result<(), DataError> {
        self.change(|world| {
            let Some(at) = world.structure.find_hook(hook) else {
                return Err(DataError::new(MessageeError::NotHooked { hook }));
            };
            if world.structure.pools.index_of(ty.type_id()) != Some(at.component) {
                let (name, known) = (
                    ty.name(),
                    world.structure.component_name(hook).unwrap_or_default(),
                );
                return Err(DataError::new(format_args!(
                    "a `{name}` cannot take the place of hook {hook}, which is a `{known}`"
                )));
            }
            let values = world.structure.pools.at_mut(at.component).any_values_mut();
            (data.replace)(values, at.slot as usize, component);
            Ok(())
        })
    }

    /// Like [`set_mail_retention`](Self::set_mail_retention), but for a message type by its number.
    pub(crate) fn set_any_mail_retention(&mut self, of: MessageIndex, frames: u64) {
        self.world.mail.set_retention(of, frames);
    }

    /// Like [`forget_retained`](Self::forget_retained), but for a message type by its number.
    pub(crate) fn forget_any_retained(&mut self, of: MessageIndex, to: Recipient) {
        self.settle();
        drop(self.world.listen.retained.get_mut().take(of, to));
    }
}
