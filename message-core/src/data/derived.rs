//! The written forms that serde derives, of types that other rooms have.
//!
//! A form consists of names and of an order, so each type here has the name of its original, and its fields or variants
//! in their order.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::address::{Recipient, Sender};
use crate::header::key::To;
use crate::header::{Delay, PostKey, Repeat};
use crate::message::MessageId;
use crate::post::schedule::{Lane, PostMeta, Series};
use crate::post::{Named, Posts};
use crate::time::{Stage, Timeline};
use crate::world::Children;

macro_rules! derived {
    ($($type:ident),* $(,)?) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    form::$type::serialize(self, serializer)
                }
            }

            impl<'d> Deserialize<'d> for $type {
                fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
                    form::$type::deserialize(deserializer)
                }
            }
        )*
    };
}

derived! {
    Children, Delay, Lane, MessageId, Named, PostKey, PostMeta, Posts, Recipient, Repeat, Sender, Series, Stage,
    Timeline, To,
}

mod form {
    use std::collections::VecDeque;
    use std::panic::Location;

    use serde::{Deserialize, Serialize};

    use crate::address::{HookId, MessageeId};
    use crate::group::Group;
    use crate::header::key::Text;
    use crate::mnemonic::Mnemonic;
    use crate::post::Ticket;
    use crate::tag::TagSet;

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Children")]
    pub(super) enum Children {
        Follow,
        Reparent,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Delay")]
    pub(super) enum Delay {
        None,
        Time(u64),
        Unscaled(u64),
        Frames(u64),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Lane")]
    pub(super) struct Lane {
        reached: [u64; 3],
        begun: VecDeque<(u64, u64)>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::MessageId")]
    pub(super) struct MessageId(u64);

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Named")]
    pub(super) enum Named {
        Ticket(Ticket),
        Key(super::PostKey),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::PostKey")]
    pub(super) struct PostKey {
        name: Text,
        number: Option<u64>,
        whose: super::To,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::To")]
    pub(super) enum To {
        Own,
        Of(MessageeId),
        Shared,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::PostMeta")]
    pub(super) struct PostMeta {
        #[serde(skip, default = "Location::caller")]
        place: &'static Location<'static>,
        time: u64,
        frame: u64,
        tags: TagSet,
        require: u32,
        stage: super::Stage,
        timeline: super::Timeline,
        retain: bool,
        if_alive: bool,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Posts")]
    pub(super) struct Posts {
        named: Option<super::Named>,
        message: Option<super::MessageId>,
        from: Option<super::Sender>,
        to: Option<super::Recipient>,
        tags: Option<TagSet>,
        stage: Option<super::Stage>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Recipient")]
    pub(super) enum Recipient {
        Id(MessageeId),
        Me,
        Everyone,
        EveryoneElse,
        Mnemonic(Mnemonic),
        Group(Group),
        Up(MessageeId),
        Down(MessageeId),
        UpFrom(Mnemonic),
        DownFrom(Mnemonic),
        Hook(HookId),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Repeat")]
    pub(super) struct Repeat {
        period: u64,
        times: Option<u64>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Sender")]
    pub(super) enum Sender {
        Outside,
        Manager,
        Messagee(MessageeId),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Series")]
    pub(super) struct Series {
        period: u64,
        times: Option<u64>,
        frame: u64,
        in_frame: u32,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Stage")]
    pub(super) enum Stage {
        Immediate,
        FixedUpdate,
        Update,
        LateUpdate,
        EndOfFrame,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "super::Timeline")]
    pub(super) enum Timeline {
        Scaled,
        Unscaled,
        Frames,
    }
}
