//! The names of messagees: they change at once, like addresses.

use std::sync::Arc;

use crate::address::MessageeId;
use crate::error::MessageeError;
use crate::world::World;

impl World {
    pub(crate) fn set_name(&self, id: MessageeId, name: Arc<str>) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        self.common.names.set(id, name);
        Ok(())
    }

    /// Those who are alive now and whose name matches a pattern, in the order of their places.
    pub(crate) fn find_named(&self, pattern: &str) -> Vec<MessageeId> {
        self.common
            .names
            .find(pattern, |id| self.structure.messagees.is_alive(id))
    }
}
