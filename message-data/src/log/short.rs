//! Short forms of the parts that most inputs have: the sender and the recipient.

/// `None` for a sender outside, and a number for a messagee.
pub(super) mod sender {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Error as _, Serialize, Serializer};

    use message_core::MessageeId;
    use message_core::Sender;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub(in crate::log) fn serialize<S: Serializer>(
        sender: &Sender,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match sender {
            Sender::Outside => None::<MessageeId>.serialize(serializer),
            Sender::Messagee(id) => Some(id).serialize(serializer),
            _ => Err(S::Error::custom("the manager sends nothing from outside")),
        }
    }

    pub(in crate::log) fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<Sender, D::Error> {
        let id = Option::<MessageeId>::deserialize(deserializer)?;
        Ok(id.map_or(Sender::Outside, Sender::Messagee))
    }
}

/// A number for a messagee, and the recipient's own form for any other.
pub(super) mod recipient {
    use std::fmt;

    use serde::de::value::MapAccessDeserializer;
    use serde::de::{Deserialize, Deserializer, IntoDeserializer, MapAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use message_core::MessageeId;
    use message_core::Recipient;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub(in crate::log) fn serialize<S: Serializer>(
        to: &Recipient,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match to {
            Recipient::Id(id) => id.serialize(serializer),
            other => other.serialize(serializer),
        }
    }

    pub(in crate::log) fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<Recipient, D::Error> {
        deserializer.deserialize_any(Form)
    }

    struct Form;

    impl<'d> Visitor<'d> for Form {
        type Value = Recipient;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a recipient")
        }

        fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Recipient, E> {
            MessageeId::deserialize(number.into_deserializer()).map(Recipient::Id)
        }

        fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Recipient, E> {
            Recipient::deserialize(name.into_deserializer())
        }

        fn visit_map<A: MapAccess<'d>>(self, map: A) -> Result<Recipient, A::Error> {
            Recipient::deserialize(MapAccessDeserializer::new(map))
        }
    }
}
