//! Tags and sets of them: declared where they are used, the same wherever their names are.

use std::collections::BTreeSet;

use crate::common::{Note, Tested, slot, stage};
use message_core::prelude::*;
use message_core::{Tag, TagSet};
use message_tests_polite::renamed_crate::{COMBAT, Damage, PHYSICAL};
use message_tests_polite::through_engine::{Rung, SOUND};

tag! {
    /// Messages about the decisions of enemies.
    pub AI,
    FIRE, WATER,
    NAMED = "tags.named",
}

/// Declares tags of its own.
mod weather {
    use message_core::prelude::*;

    tag!(pub(crate) FIRE);
    tag!(pub(crate) RAIN = "weather.rain", pub(crate) SNOW,);
}

/// Declares the address of another place by name.
mod elsewhere {
    message_core::tag!(pub(crate) RENAMED = "tags.named");
}

/// Has tags by its type, of other modules and crates.
#[derive(Message)]
#[message(tags(AI, weather::RAIN, message_tests_polite::renamed_crate::COMBAT))]
struct Storm;

/// Is generic, and has tags.
#[derive(Message)]
#[message(types(Wrapped<u8>, Wrapped<char>), tags(WATER, FIRE))]
struct Wrapped<T>(T);

/// Names one tag twice.
#[derive(Message)]
#[message(tags(NAMED, elsewhere::RENAMED))]
struct Twice;

/// Returns the tags that a receiver sees on this message.
fn tags_of<M: Message>(message: M, tags: TagSet) -> Result<TagSet, Box<dyn std::error::Error>> {
    let (mut manager, _, actor) = stage();
    let (put, get) = slot();
    let mut put = Some(put);
    manager.subscribe(Filter::of::<M>().once(), move |_, cx| {
        let put = put.take().expect("it is called once");
        put(cx.envelope().tags);
    });
    manager.post(&Header::to(actor).tags(tags).build()?, message)?;
    Ok(get())
}

// Declarations and names.

#[test]
fn a_tag_is_named_by_the_path_of_its_declaration_or_by_the_name_it_is_given() {
    assert_eq!(AI.name(), "identity::tags::AI");
    assert_eq!(weather::SNOW.name(), "identity::tags::weather::SNOW");
    assert_eq!(weather::RAIN.name(), "weather.rain");
    assert_eq!(COMBAT.name(), "message_tests_polite::renamed_crate::COMBAT");
    assert_eq!(PHYSICAL.name(), "polite.physical");
    assert_eq!(SOUND.name(), "message_tests_polite::through_engine::SOUND");
}

#[test]
fn two_tags_are_the_same_when_their_names_are() {
    assert_eq!(NAMED, elsewhere::RENAMED);
    assert_ne!(FIRE, weather::FIRE);
    assert_eq!(TagSet::from(NAMED), elsewhere::RENAMED.into());
    assert!((NAMED | FIRE).contains(elsewhere::RENAMED));
    assert_eq!((NAMED | elsewhere::RENAMED).iter().count(), 1);
}

#[test]
fn a_tag_that_is_declared_in_a_function_has_the_path_of_its_module() {
    fn one() -> Tag {
        tag!(LOCAL);
        LOCAL
    }
    fn two() -> Tag {
        tag!(LOCAL, FIRE);
        assert_eq!(FIRE, super_fire());
        LOCAL
    }
    fn super_fire() -> Tag {
        FIRE
    }
    assert_eq!(one().name(), "identity::tags::LOCAL");
    assert_eq!(one(), two());
}

#[test]
fn a_tag_is_a_constant_and_a_key_and_a_group_or_a_mnemonic_may_have_its_name() {
    mnemonic!(SHARED = "tags.shared");
    const BOTH: [Tag; 2] = [FIRE, WATER];
    tag!(TAGGED = "tags.shared");
    assert_eq!(SHARED.name(), TAGGED.name());
    let mut keys: Vec<Tag> = BOTH.into_iter().chain([FIRE]).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 2);
    let set: std::collections::HashSet<Tag> = [NAMED, elsewhere::RENAMED].into();
    assert_eq!(set.len(), 1);
    assert_eq!(format!("{:?}", weather::RAIN), r#"Tag("weather.rain")"#);
}

// Sets.

#[test]
fn tags_combine_by_union() {
    let both = FIRE | WATER;
    assert!(both.contains(FIRE) && both.contains(WATER) && !both.contains(AI));
    assert_eq!(both | FIRE, both);
    assert_eq!(both | both, both);
    assert_eq!(both | TagSet::EMPTY, both);
    assert_eq!(TagSet::EMPTY | both, both);
    assert_eq!(FIRE | both, both);
    assert_eq!(FIRE | FIRE, FIRE.into());
    let three = both | (AI | FIRE);
    assert_eq!(three.iter().count(), 3);

    let mut grown = TagSet::EMPTY;
    grown |= WATER;
    assert_eq!(grown, WATER.into());
    grown |= AI | FIRE;
    assert_eq!(grown, three);
}

#[test]
fn a_set_does_not_depend_on_the_order_in_which_it_was_made() {
    let sets = [
        FIRE | WATER | AI,
        AI | WATER | FIRE,
        WATER | (AI | FIRE),
        [AI, AI, WATER, FIRE].into_iter().collect(),
    ];
    for set in sets {
        assert_eq!(set, sets[0]);
        assert!(set.iter().eq(sets[0].iter()));
        assert_eq!(format!("{set:?}"), format!("{:?}", sets[0]));
    }
    assert_ne!(sets[0], FIRE | WATER);
    assert_ne!(FIRE | WATER, FIRE | AI);
}

#[test]
fn a_set_tells_what_is_in_it_and_what_it_shares_with_another() {
    let set = FIRE | AI;
    assert!(set.intersects(FIRE) && !set.intersects(WATER));
    assert!(set.intersects(WATER | AI) && !set.intersects(WATER | COMBAT));
    assert!(!set.intersects(weather::FIRE));
    assert!(!set.intersects(TagSet::EMPTY) && !TagSet::EMPTY.intersects(set));
    assert!(!TagSet::EMPTY.contains(AI) && !TagSet::EMPTY.intersects(TagSet::EMPTY));
    assert!(!set.is_empty() && TagSet::EMPTY.is_empty());
    assert_eq!(TagSet::default(), TagSet::EMPTY);
    assert_eq!([].into_iter().collect::<TagSet>(), TagSet::EMPTY);
    assert!(TagSet::EMPTY.iter().next().is_none());
    let mut names: Vec<&str> = set.iter().map(Tag::name).collect();
    names.sort_unstable();
    assert_eq!(names, ["identity::tags::AI", "identity::tags::FIRE"]);
}

#[test]
fn a_set_prints_the_names_of_its_tags() {
    assert_eq!(format!("{:?}", TagSet::EMPTY), "{}");
    assert_eq!(
        format!("{:?}", TagSet::from(AI)),
        r#"{"identity::tags::AI"}"#
    );
    let both = format!("{:?}", AI | NAMED);
    assert!(both.contains(r#""identity::tags::AI""#) && both.contains(r#""tags.named""#));
}

/// Declares more tags than a set of one word can hold.
macro_rules! many {
    ($($row:ident)+) => {
        mod many {
            $(pub(super) mod $row {
                message_core::tag!(A, B, C, D, E, F, G, H);
                pub(crate) const ALL: [message_core::Tag; 8] = [A, B, C, D, E, F, G, H];
            })+
        }

        const MANY: &[[Tag; 8]] = &[$(many::$row::ALL),+];
    };
}

many!(a b c d e f g h i j k l m n o p);

#[test]
fn a_set_of_any_of_many_tags_is_that_of_its_names() {
    let all: Vec<Tag> = MANY.iter().flatten().copied().collect();
    let mut lottery = 7_u64;
    let mut draw = |below: usize| {
        lottery = lottery
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(lottery >> 33).expect("31 bits fit") % below
    };
    let mut drawn: Vec<(TagSet, BTreeSet<Tag>)> = vec![(TagSet::EMPTY, BTreeSet::new())];
    for round in 0..3_000 {
        // Sets of two grow out of sets that were made before; those of few tags come often.
        let tag = all[draw(all.len())];
        let (mut set, mut names) = drawn[draw(drawn.len())].clone();
        if round % 3 == 0 {
            let (other, its) = &drawn[draw(drawn.len())];
            set |= *other;
            names.extend(its);
        }
        set |= tag;
        names.insert(tag);
        drawn.push((set, names));
    }
    for _ in 0..20_000 {
        let (set, names) = &drawn[draw(drawn.len())];
        let (other, others) = &drawn[draw(drawn.len())];
        assert!(set.iter().eq(names.iter().copied()));
        assert_eq!(set == other, names == others);
        assert_eq!(set.intersects(*other), !names.is_disjoint(others));
        let tag = all[draw(all.len())];
        assert_eq!(set.contains(tag), names.contains(&tag));
        assert_eq!(set.intersects(tag), names.contains(&tag));
        assert_eq!((*set | *other) == *set, others.is_subset(names));
        let again: TagSet = names.iter().rev().copied().collect();
        assert_eq!(again, *set);
    }
    let lengths: BTreeSet<usize> = drawn.iter().map(|(_, names)| names.len()).collect();
    assert!(lengths.contains(&3) && lengths.last() > Some(&8));
}

#[test]
fn sets_can_be_made_on_several_threads() {
    let threads = [(); 4].map(|()| {
        std::thread::spawn(|| {
            (0..200).fold(TagSet::EMPTY, |set, round| match round % 3 {
                0 => set | SOUND,
                1 => PHYSICAL | set,
                _ => set | (COMBAT | weather::SNOW),
            })
        })
    });
    let sets = threads.map(|thread| thread.join().expect("it ends"));
    assert!(sets.iter().all(|set| *set == sets[0]));
    assert_eq!(sets[0], SOUND | PHYSICAL | COMBAT | weather::SNOW);
}

// Tags of messages.

// holds: headers.envelope
#[test]
fn a_message_type_has_tags_by_default_and_a_header_adds_others() -> Tested {
    assert_eq!(tags_of(Note(""), TagSet::EMPTY)?, TagSet::EMPTY);
    assert_eq!(tags_of(Note(""), AI.into())?, AI.into());
    let storm = AI | weather::RAIN | COMBAT;
    assert_eq!(tags_of(Storm, TagSet::EMPTY)?, storm);
    assert_eq!(tags_of(Storm, AI | FIRE)?, storm | FIRE);
    assert_eq!(tags_of(Twice, TagSet::EMPTY)?, NAMED.into());
    Ok(())
}

// holds: headers.envelope
#[test]
fn generic_messages_and_those_of_other_crates_have_their_tags() -> Tested {
    assert_eq!(tags_of(Wrapped(1_u8), TagSet::EMPTY)?, FIRE | WATER);
    assert_eq!(tags_of(Wrapped('a'), TagSet::EMPTY)?, FIRE | WATER);
    let damage = Damage { amount: 1 };
    assert_eq!(tags_of(damage, TagSet::EMPTY)?, COMBAT | PHYSICAL);
    assert_eq!(tags_of(Rung(1_u64), TagSet::EMPTY)?, SOUND.into());
    let Wrapped(number) = Wrapped(2_u8);
    assert_eq!(number, 2);
    Ok(())
}

// holds: subscriptions.filter-all
#[test]
fn a_message_that_is_sent_without_a_header_has_the_tags_of_its_type() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    manager.subscribe(Filter::all().tagged(weather::RAIN), move |message, _| {
        told.add(message.name());
    });
    manager.send(actor, Storm)?;
    manager.send_mut(actor, &mut Storm)?;
    manager.send(actor, Wrapped('a'))?;
    assert_eq!(log.take(), [Storm::NAME, Storm::NAME]);
    Ok(())
}

// holds: headers.envelope, subscriptions.filter-all
#[test]
fn a_message_that_is_cancelled_while_it_is_received_keeps_its_tags() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.subscribe(Filter::of::<Note>().before(), move |_, cx| {
        assert_eq!(cx.cancel(Posts::of::<Note>()), 1);
        let header = Header::to(actor).after_frames(9).build();
        let header = header.expect("it is whole");
        cx.post(&header, Storm).expect("it is there");
        std::ops::ControlFlow::Continue(())
    });
    let told = log.clone();
    manager.subscribe(Filter::of::<Note>().tagged(WATER), move |_, cx| {
        assert_eq!(cx.envelope().tags, WATER.into());
        told.add("heard");
    });
    let header = Header::to(actor).every_frames(1).tags(WATER).build()?;
    manager.post(&header, Note("a"))?;
    manager.tick(std::time::Duration::ZERO);
    assert_eq!(log.take(), ["actor: a", "heard"]);
    Ok(())
}
