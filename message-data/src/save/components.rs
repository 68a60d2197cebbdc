//! The components of one type, in storage order, so that broadcasts run as before.

use message_core::Structure;
use message_core::internals::Pool;
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::data_type::ComponentData;
use crate::save::Restoring;
use crate::save::catalog::Catalog;
use crate::save::chunks::{Body, put};
use crate::save::error::{RestoreError, SaveError};
use crate::save::keys::messagee_at;
use crate::save::structure::{Found, Owners};

/// The header before the values.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The number of the type.
    of: u32,
    /// The number of enabled components. They come first.
    enabled: u32,
    /// The hook of each component.
    hooks: Vec<u32>,
}

/// The components that are saved, by type, and the hooks of those that are left out.
pub(super) struct Components<'w> {
    pub(super) saved: Vec<(&'w Pool, (u32, ComponentData))>,
    pub(super) left_out: Vec<u32>,
}

impl<'w> Components<'w> {
    pub(super) fn of(structure: &'w Structure, catalog: &mut Catalog<'_>) -> Self {
        let (mut saved, mut left_out) = (Vec::new(), Vec::new());
        for pool in structure.pools.iter().filter(|pool| pool.len() > 0) {
            match catalog.component(pool.type_of(), pool.component_name(), pool.len()) {
                Some(known) => saved.push((pool, known)),
                None => left_out.extend(pool.hooks()),
            }
        }
        Self { saved, left_out }
    }
}

pub(super) fn write(
    pool: &Pool,
    (of, data): (u32, ComponentData),
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let hooks = pool.hooks();
    let head = Head {
        of,
        enabled: u32::try_from(pool.active()).expect("components are counted in 32 bits"),
        hooks: hooks.collect(),
    };
    let name = pool.component_name();
    put(packer, name, &head)?;
    let values = pool.any_values();
    for slot in 0..pool.len() {
        let written = packer.write(|writer| (data.write)(values, slot, writer));
        written.map_err(SaveError::of(name))?;
    }
    Ok(())
}

impl Restoring {
    pub(super) fn read_components(
        &mut self,
        body: &mut Body<'_>,
        owners: &mut Owners,
    ) -> Result<(), RestoreError> {
        let Self { world, types, .. } = self;
        let Head { of, enabled, hooks } = body.read()?;
        let known = types.component(of, body)?;
        if enabled as usize > hooks.len() {
            let what = format!("{enabled} of {} components are enabled", hooks.len());
            return Err(body.wrong(what));
        }
        if std::mem::replace(&mut known.was_read, true) {
            return Err(body.wrong("the components of a type are listed twice"));
        }
        known.components = hooks.len();
        let Some((ty, data)) = known.component_data() else {
            for hook in hooks {
                let found = owners.find(hook, Found::PassedOver);
                found.map_err(|what| body.wrong(what))?;
                body.next()?;
            }
            return Ok(());
        };
        for hook in hooks {
            let found = owners.find(hook, Found::Attached);
            let owner = found.map_err(|what| body.wrong(what))?;
            let (hook, owner) = (
                world.structure.keys.hook_at(hook),
                messagee_at(&world.structure.keys, owner),
            );
            let (Some(hook), Some(owner)) = (hook, owner) else {
                return Err(body.wrong("the hook or the messagee does not exist"));
            };
            let tape = body.next()?;
            let component = known.read(tape, data.read, &format_args!(" of messagee {owner}"));
            let component = component.map_err(|error| body.error(&error))?;
            (data.attach)(&mut world.changes(), hook, owner, component);
        }
        let pools = &mut world.structure.pools;
        if let Some(index) = pools.index_with_pool(ty.type_id()) {
            let pool = pools.at_mut(index);
            for slot in (enabled as usize..pool.len()).rev() {
                // All are enabled, and the last one stays where it is when it is disabled.
                pool.set_enabled(slot, false);
            }
        }
        Ok(())
    }
}
