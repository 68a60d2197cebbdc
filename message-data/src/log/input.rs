//! The inputs that a manager receives from outside, in the form of a log.
//!
//! Names are short because there are many inputs: the name of each variant is one or two letters, and its parts are
//! identified by position.

use message_core::{
    Children, Group, Header, HookId, MessageeId, Mnemonic, Posts, Recipient, Sender, Stage,
    SubscriptionId,
};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::log::digest::Digest;
use crate::log::short::{recipient, sender};
use crate::wire::SavedWire;

/// A component or a message: the number of its type in the log, and its value as `MessagePack`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Value(pub(crate) u32, pub(crate) Packed);

/// The number of a place in the log.
pub(crate) type At = u32;

/// Bytes that are serialized as one block.
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
    #[serde(rename = "m")]
    Mut,
}

/// One input.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum LogInput {
    /// The names of types, world files, types of inputs and places begin anew: those that appear behind it are numbered
    /// from 0.
    #[serde(rename = "B")]
    Anew,
    /// The next type, by its full name. Types are numbered in the order in which they appear.
    #[serde(rename = "N")]
    Type(String),
    #[serde(rename = "t")]
    Tick(u64),
    #[serde(rename = "tb")]
    BeginFrame(u64),
    /// The scaled and the unscaled time, as given by the host.
    #[serde(rename = "tw")]
    BeginFrameWith(u64, u64),
    #[serde(rename = "ts")]
    RunStage(Stage),
    /// Settles what a panic has left, before a frame.
    #[serde(rename = "tp")]
    Settle,
    #[serde(rename = "s")]
    Send(
        How,
        #[serde(with = "recipient")] Recipient,
        #[serde(with = "sender")] Sender,
        Value,
        At,
    ),
    #[serde(rename = "p")]
    Post(Header, #[serde(with = "sender")] Sender, Value, At),
    #[serde(rename = "m")]
    Publish(
        #[serde(with = "recipient")] Recipient,
        #[serde(with = "sender")] Sender,
        Value,
        At,
    ),
    /// A message that another thread has posted, at the beginning of the frame that takes it in.
    #[serde(rename = "l")]
    Letter(Header, Value, At),
    /// Like `Letter`, but a question.
    #[serde(rename = "lq")]
    Question(#[serde(with = "recipient")] Recipient, Value, At),
    #[serde(rename = "c")]
    Cancel(Posts, Sender),
    #[serde(rename = "+")]
    Spawn(Option<String>, Vec<Value>, At),
    #[serde(rename = "-")]
    Despawn(MessageeId, Children, At),
    #[serde(rename = "h")]
    Hook(MessageeId, Value, At),
    #[serde(rename = "u")]
    Unhook(HookId, At),
    #[serde(rename = "e")]
    SetEnabled(HookId, bool, At),
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
    /// [`shrink_to_fit`](message_core::MessageManager::shrink_to_fit)
    #[serde(rename = "cm")]
    ShrinkToFit,
    /// The number of frames for which messages of a type are kept. The type is given by the bits of its id.
    #[serde(rename = "mr")]
    SetRetention(u64, u64),
    #[serde(rename = "mf")]
    Forget(u64, Recipient),
    #[serde(rename = "su")]
    Unsubscribe(SubscriptionId),
    #[serde(rename = "sl")]
    SetListening(SubscriptionId, bool),
    /// The text of the next world file. Files are numbered in the order in which they appear.
    #[serde(rename = "F")]
    File(String),
    /// A whole world file is made.
    #[serde(rename = "w")]
    World(u32, At),
    /// A messagee is made from a template of a world file, with a name.
    #[serde(rename = "wt")]
    Template(u32, String, String, At),
    #[serde(rename = "ww")]
    Wire(Box<SavedWire>, At),
    #[serde(rename = "we")]
    EnableWire(u64, bool),
    #[serde(rename = "wr")]
    RemoveWire(u64),
    /// The next type of inputs of another crate, by its name. Types are numbered in the order in which they appear.
    #[serde(rename = "X")]
    InputType(String),
    /// An input of another crate: the number of its type, and its value.
    #[serde(rename = "x")]
    Foreign(u32, Packed, At),
    /// The next place: its file, line and column. Places are numbered in the order in which they appear.
    #[serde(rename = "P")]
    Place(String, u32, u32),
    /// A component in the state in which code outside has left it.
    #[serde(rename = "=")]
    Left(HookId, Value, At),
    /// The digest of the state at this point, to be compared.
    #[serde(rename = "d")]
    Digest(Digest),
    /// The state of the preceding digest, as a save.
    #[serde(rename = "S")]
    State(Packed),
    /// An input that could not be written: its description.
    #[serde(rename = "!")]
    Impure(String, At),
}

impl LogInput {
    /// Returns `true` if it names a type, a world file, a type of inputs or a place for those behind it, or ends the
    /// names so far.
    pub(crate) fn declares(&self) -> bool {
        matches!(
            self,
            Self::Anew | Self::Type(_) | Self::File(_) | Self::InputType(_) | Self::Place(..)
        )
    }

    /// Returns `true` if it begins a frame.
    pub(crate) fn begins_frame(&self) -> bool {
        matches!(
            self,
            Self::Tick(_) | Self::BeginFrame(_) | Self::BeginFrameWith(..)
        )
    }

    /// Returns the number of the place of the call, if the log has it.
    pub(crate) fn at(&self) -> Option<At> {
        match *self {
            Self::Send(.., at)
            | Self::Post(.., at)
            | Self::Publish(.., at)
            | Self::Letter(.., at)
            | Self::Question(.., at)
            | Self::Spawn(.., at)
            | Self::Despawn(.., at)
            | Self::Hook(.., at)
            | Self::Unhook(_, at)
            | Self::SetEnabled(.., at)
            | Self::World(_, at)
            | Self::Template(.., at)
            | Self::Wire(_, at)
            | Self::Foreign(.., at)
            | Self::Left(.., at)
            | Self::Impure(_, at) => Some(at),
            _ => None,
        }
    }

    /// Returns `true` if a replay repeats it: it neither declares nor describes something.
    pub(crate) fn is_repeated(&self) -> bool {
        let describes = matches!(self, Self::Digest(_) | Self::State(_) | Self::Impure(..));
        !describes && !self.declares()
    }
}
