//! Conversions of a program's recipients, headers and filters to those of the manager.

use std::time::Duration;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::post::HeaderBuilder;
use message_core::prelude::*;
use message_core::{Group, Mnemonic, TagSet};

use super::line::Hand;
use super::state::{at, messagee, with};
use crate::program::{After, Every, Head, Hears, IMMEDIATE, NO_STAGE, TAG_OF_NOTES, Tie, To};

mnemonic!(FIRST, SECOND);
group!(REDS, BLUES);
tag!(LOW, MIDDLE, pub(super) HIGH);

pub(super) const MNEMONICS: [Mnemonic; 2] = [FIRST, SECOND];
pub(super) const GROUPS: [Group; 2] = [REDS, BLUES];
pub(super) const STAGES: [Stage; 4] = [
    Stage::Update,
    Stage::LateUpdate,
    Stage::EndOfFrame,
    Stage::FixedUpdate,
];

pub(super) fn recipient(to: To, hand: &impl Hand) -> Option<Recipient> {
    Some(match to {
        To::Id(number) => messagee(number)?.into(),
        To::All => Everyone,
        To::AllButMe => EveryoneElse,
        To::Myself => Me,
        To::Back => hand.back()?.into(),
        To::UpFrom(number) => Up(messagee(number)?),
        To::DownFrom(number) => Down(messagee(number)?),
        To::UpFromBound(number) => Up(MNEMONICS[number]),
        To::Bound(number) => MNEMONICS[number].into(),
        To::Group(number) => GROUPS[number].into(),
        To::Part(number) => with(|state| at(&state.hooks, number))?.into(),
    })
}

fn tags(set: u8) -> TagSet {
    let mut tags = TagSet::default();
    for (bit, tag) in [(1, LOW), (2, MIDDLE), (TAG_OF_NOTES, HIGH)] {
        if set & bit != 0 {
            tags |= tag;
        }
    }
    tags
}

pub(super) fn header(to: Recipient, head: Head) -> HeaderBuilder {
    let milliseconds = Duration::from_millis;
    let mut header = Header::to(to).tags(tags(head.tags));
    header = match head.stage {
        NO_STAGE => header,
        IMMEDIATE => header.stage(Stage::Immediate),
        stage => header.stage(STAGES[stage]),
    };
    header = match head.after {
        After::Now => header,
        After::Milliseconds(delay) => header.after(milliseconds(delay)),
        After::Frames(delay) => header.after_frames(delay),
    };
    header = match head.every {
        Every::Once => header,
        Every::Milliseconds(period, times) => header.every(milliseconds(period)).times(times),
        Every::Frames(period, times) => header.every_frames(period).times(times),
    };
    if head.unscaled {
        header = header.unscaled();
    }
    if head.retains {
        header = header.retain();
    }
    match head.tie {
        Tie::No => header,
        Tie::Bound => header.tied_to_sender(),
        Tie::IfAlive => header.if_alive(),
        Tie::Require => header.require(1),
        Tie::Key => header.key("beat"),
    }
}

pub(super) fn filter<M: Message>(hears: Hears, hand: &impl Hand) -> Filter<M> {
    let mut filter = Filter::of::<M>().tagged(tags(hears.tags));
    if let Some(from) = hears.from.and_then(messagee) {
        filter = filter.from(from);
    }
    if let Some(to) = hears.to.and_then(|to| recipient(to, hand)) {
        filter = filter.to(to);
    }
    if hears.once {
        filter = filter.once();
    }
    if hears.hidden {
        filter = filter.hidden();
    }
    if let Some(stage) = hears.stage {
        filter = filter.stage(STAGES[stage]);
    }
    if hears.retained {
        filter = filter.with_retained();
    }
    filter
}

pub(super) fn receipt(receipt: Receipt) -> String {
    let Receipt {
        received, pending, ..
    } = receipt;
    let consumed = if receipt.consumed { ", consumed" } else { "" };
    format!("{received} received, {pending} pending{consumed}")
}
