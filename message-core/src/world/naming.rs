//! The names of messagees: they change at once, like addresses.

use std::sync::Arc;

use crate::address::MessageeId;
use crate::error::MessageeError;
use crate::world::World;

impl World {
    /// Names a messagee that was just reserved.
    pub(crate) fn name_newborn(&self, id: MessageeId, name: Arc<str>) {
        self.names.set(id, name);
    }

    pub(crate) fn set_name(&self, id: MessageeId, name: Arc<str>) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        self.names.set(id, name);
        Ok(())
    }

    /// The name of a messagee, also of one that is gone, as long as it is known.
    pub(crate) fn name(&self, id: MessageeId) -> Option<Arc<str>> {
        self.names.get(id)
    }

    /// Those who are alive now and whose name matches a pattern, in the order of their places.
    pub(crate) fn find_named(&self, pattern: &str) -> Vec<MessageeId> {
        self.names.find(pattern, |id| self.messagees.is_alive(id))
    }
}
