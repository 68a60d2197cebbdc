//! What comes into a manager from outside, as a log has it.
//!
//! Names are short, for there are many inputs: each variant has a letter or two, and its parts have
//! their places.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
use crate::data::log::digest::Digest;
use crate::data::log::short::{recipient, sender};
use crate::data::wire::SavedWire;
use crate::group::Group;
use crate::header::Header;
use crate::mnemonic::Mnemonic;
use crate::post::Posts;
use crate::time::Stage;
use crate::world::Children;

/// A component or a message: the number of its type in the log, and its value as `MessagePack`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Value(pub(crate) u32, pub(crate) Packed);

/// Bytes that stand in one piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Packed(pub(crate) Vec<u8>);

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'d> Deserialize<'d> for Packed {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Packed;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Packed, E> {
                Ok(Packed(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum How {
    #[serde(rename = "s")]
    Send,
    #[serde(rename = "r")]
    Request,
    #[serde(rename = "a")]
    RequestAll,
}

/// One input.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Input {
    /// The next type, by its full name; types are numbered as they come.
    #[serde(rename = "N")]
    Type(String),
    #[serde(rename = "t")]
    Tick(u64),
    #[serde(rename = "tb")]
    BeginFrame(u64),
    /// The scaled and the unscaled time, as the host says.
    #[serde(rename = "tw")]
    BeginFrameWith(u64, u64),
    #[serde(rename = "ts")]
    RunStage(Stage),
    #[serde(rename = "s")]
    Send(
        How,
        #[serde(with = "recipient")] Recipient,
        #[serde(with = "sender")] Sender,
        Value,
    ),
    #[serde(rename = "p")]
    Post(Header, #[serde(with = "sender")] Sender, Value),
    #[serde(rename = "m")]
    Publish(
        #[serde(with = "recipient")] Recipient,
        #[serde(with = "sender")] Sender,
        Value,
    ),
    /// What another thread has posted, at the beginning of the frame that it is taken in.
    #[serde(rename = "l")]
    Letter(Header, Value),
    #[serde(rename = "c")]
    Cancel(Posts, Sender),
    #[serde(rename = "+")]
    Spawn(Option<String>, Vec<Value>),
    #[serde(rename = "-")]
    Despawn(MessageeId, Children),
    #[serde(rename = "h")]
    Hook(MessageeId, Value),
    #[serde(rename = "u")]
    Unhook(HookId),
    #[serde(rename = "e")]
    SetEnabled(HookId, bool),
    #[serde(rename = "f")]
    SetParent(MessageeId, Option<MessageeId>),
    #[serde(rename = "b")]
    Bind(Mnemonic, MessageeId),
    #[serde(rename = "bu")]
    Unbind(Mnemonic, MessageeId),
    #[serde(rename = "g")]
    SetMember(Group, MessageeId, bool),
    #[serde(rename = "n")]
    SetName(MessageeId, String),
    #[serde(rename = "cs")]
    SetScale(f64),
    #[serde(rename = "cp")]
    SetPaused(bool),
    #[serde(rename = "cf")]
    SetFixedStep(u64),
    /// For how many frames messages of a type are kept: the bits of its id.
    #[serde(rename = "mr")]
    SetRetention(u64, u64),
    #[serde(rename = "mf")]
    Forget(u64, Recipient),
    #[serde(rename = "su")]
    Unsubscribe(SubscriptionId),
    #[serde(rename = "sl")]
    SetListening(SubscriptionId, bool),
    /// The text of the next world file; files are numbered as they come.
    #[serde(rename = "F")]
    File(String),
    /// All of a world file is made.
    #[serde(rename = "w")]
    World(u32),
    /// A messagee is made of a template of a world file, with a name.
    #[serde(rename = "wt")]
    Template(u32, String, String),
    #[serde(rename = "ww")]
    Wire(SavedWire),
    #[serde(rename = "we")]
    EnableWire(u64, bool),
    #[serde(rename = "wr")]
    RemoveWire(u64),
    /// An outbox is opened, with so much room.
    #[serde(rename = "xo")]
    OpenOutbox(u64),
    /// The same for one without the names of fields.
    #[serde(rename = "xn")]
    OpenOutboxByPosition(u64),
    #[serde(rename = "xc")]
    CloseOutbox(u32),
    #[serde(rename = "xb")]
    BlockOutbox(u32, bool),
    #[serde(rename = "xt")]
    TakeOutbox(u32),
    #[serde(rename = "xp")]
    SpawnProxy(u32),
    /// What was sent to a proxy did not arrive.
    #[serde(rename = "xu")]
    Undelivered(MessageeId, #[serde(with = "sender")] Sender, Value, String),
    /// A component as somebody outside has left it.
    #[serde(rename = "=")]
    Left(HookId, Value),
    /// The state here, to compare it.
    #[serde(rename = "d")]
    Digest(Digest),
    /// The state of the digest before, as a save.
    #[serde(rename = "S")]
    State(Packed),
    /// Something that could not be written: what, and where it was called.
    #[serde(rename = "!")]
    Impure(String, String),
}
