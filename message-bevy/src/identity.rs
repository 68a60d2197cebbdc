//! The id of a messagee in the component of its entity, and its reflection.

use std::sync::OnceLock;

#[cfg(feature = "reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use message_core::MessageeId;
#[cfg(feature = "reflect")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An id that is set once, when the component is inserted.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(opaque, Clone, Debug, Serialize, Deserialize),
    type_path = "message_bevy"
)]
pub(crate) struct Identity(OnceLock<MessageeId>);

impl Identity {
    pub(crate) fn get(&self) -> Option<MessageeId> {
        self.0.get().copied()
    }

    /// Sets the id. Fails if it is set.
    pub(crate) fn set(&self, id: MessageeId) -> Result<(), MessageeId> {
        self.0.set(id)
    }
}

/// Writes the id as text, for inspectors and for readers of a scene.
#[cfg(feature = "reflect")]
impl Serialize for Identity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.get().map(|id| id.to_string());
        text.serialize(serializer)
    }
}

/// Reads the text and forgets it: a messagee that is spawned for the scene has an id of its own.
#[cfg(feature = "reflect")]
impl<'de> Deserialize<'de> for Identity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<String>::deserialize(deserializer)?;
        Ok(Self::default())
    }
}
