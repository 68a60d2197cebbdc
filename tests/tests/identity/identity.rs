//! Message identity: names, ids and indices, and the properties detected from a message's type.

use std::error::Error;

use message_core::AnyMessage;
use message_core::MessageId;
use message_core::prelude::*;
use message_core::{registry, registry::MessageIndex};

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct Plain {
    number: u32,
}

#[derive(Message)]
#[message(name = "game.damage")]
struct Named;

mod inner {
    use message_core::prelude::*;

    #[derive(Message)]
    pub(super) struct Plain {
        pub(super) number: u32,
    }
}

/// A name whose 64-bit FNV-1a hash is zero, from the algorithm's home page.
const HASHES_TO_ZERO: &str = "77kepQFQ8Kl";

#[derive(Message)]
#[message(name = "77kepQFQ8Kl")]
struct Unlucky;

// holds: identity.from-path-or-name
#[test]
fn the_id_comes_from_the_path_of_the_type() {
    assert_eq!(Plain::NAME, "identity::identity::Plain");
    assert_eq!(inner::Plain::NAME, "identity::identity::inner::Plain");
    assert_eq!(Plain::ID, MessageId::of_name("identity::identity::Plain"));
    assert_eq!(
        inner::Plain::ID,
        MessageId::of_name("identity::identity::inner::Plain")
    );
}

// holds: identity.from-path-or-name
#[test]
fn the_id_comes_from_the_name_where_one_is_given() {
    assert_eq!(Named::NAME, "game.damage");
    assert_eq!(Named::ID, MessageId::of_name("game.damage"));
}

/// Has a type of the same name as the test below, which therefore needs a name of its own.
fn local_elsewhere() -> &'static str {
    #[derive(Message)]
    #[message(name = "identity::elsewhere::Local")]
    struct Local;

    Local::NAME
}

// holds: identity.type-in-function
#[test]
fn a_type_in_a_function_has_the_path_of_the_functions_module() {
    #[derive(Message)]
    struct Local;

    assert_eq!(Local::NAME, "identity::identity::Local");
    assert_eq!(local_elsewhere(), "identity::elsewhere::Local");
    let name = |id| registry().message(id).map(|info| info.name);
    let other = MessageId::of_name(local_elsewhere());
    assert_eq!(name(Local::ID), Some(Local::NAME));
    assert_eq!(name(other), Some(local_elsewhere()));
}

// holds: identity.same-everywhere
#[test]
fn the_id_is_the_same_in_every_build_and_on_every_machine() {
    // Computed by another program: FNV-1a with 64 bits.
    assert_eq!(Named::ID.to_bits(), 0x5546_8008_9775_c2ea);
    assert_eq!(Plain::ID.to_bits(), 0x63b0_5c0a_d5c2_ae27);
    assert_eq!(inner::Plain::ID.to_bits(), 0xfd01_825c_5a60_f151);
    assert_eq!(Carry::<Loud>::ID.to_bits(), 0xa289_79d7_7036_db16);
}

#[test]
fn the_id_is_known_at_compile_time() {
    const ID: MessageId = Named::ID;
    const BITS: u64 = MessageId::of_name("game.damage").to_bits();
    assert_eq!(ID, MessageId::from_bits(BITS));
}

#[test]
fn the_id_goes_through_a_file_as_64_bits_and_prints_as_sixteen_digits() {
    let id = Named::ID;
    assert_eq!(MessageId::from_bits(id.to_bits()), id);
    assert_eq!(id.to_string(), "554680089775c2ea");
    assert_eq!(format!("{id:?}"), "MessageId(554680089775c2ea)");
    assert_eq!(MessageId::UNKNOWN.to_string(), "0000000000000000");
}

// holds: identity.zero-unknown
#[test]
fn zero_is_never_used_and_means_unknown() {
    assert_eq!(MessageId::UNKNOWN.to_bits(), 0);
    assert!(registry().message(MessageId::UNKNOWN).is_none());
    let mut ids = registry().messages().map(|info| info.id);
    assert!(ids.all(|id| id != MessageId::UNKNOWN));
}

// holds: identity.zero-unknown
#[test]
fn a_name_that_hashes_to_zero_has_another_id() {
    assert_eq!(Unlucky::NAME, HASHES_TO_ZERO);
    assert_eq!(Unlucky::ID.to_bits(), 1);
    let found = registry().message(Unlucky::ID);
    assert_eq!(found.map(|info| info.name), Some(HASHES_TO_ZERO));
    let found = registry().message_named(HASHES_TO_ZERO);
    assert_eq!(found.map(|info| info.id), Some(Unlucky::ID));
}

// holds: identity.index-from-names
#[test]
fn the_dense_index_is_numbered_from_the_sorted_list() {
    let names: Vec<&str> = registry().messages().map(|info| info.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    for (number, message) in registry().messages().enumerate() {
        assert_eq!(message.index.get(), number);
    }
    for (name, index) in [
        (Plain::NAME, Plain::index()),
        (inner::Plain::NAME, inner::Plain::index()),
        (Named::NAME, Named::index()),
        (Carry::<Loud>::NAME, Carry::<Loud>::index()),
    ] {
        let position = sorted.iter().position(|it| *it == name);
        assert_eq!(index.map(MessageIndex::get), position);
        assert!(position.is_some(), "{name} is linked in");
    }
}

mod matching {
    //! Types that look alike, and which of them receive what.

    use message_core::prelude::*;

    use super::{Plain, Tested, inner};

    #[derive(Message)]
    struct Outer(Plain);

    #[derive(Message)]
    #[message(types(Of<u8>, Of<u16>))]
    struct Of<T>(T);

    #[derive(Default)]
    struct Log {
        seen: Vec<String>,
    }

    #[handlers]
    impl Log {
        #[on_receive]
        fn plain(&mut self, plain: &Plain) {
            self.seen.push(format!("plain {}", plain.number));
        }

        #[on_receive]
        fn narrow(&mut self, of: &Of<u8>) {
            self.seen.push(format!("narrow {}", of.0));
        }
    }

    // holds: identity.exact-type
    #[test]
    fn a_message_never_reaches_a_handler_of_a_look_alike_type() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Log::default(),));
        let alike = inner::Plain { number: 1 };
        assert_eq!(alike.number, 1);
        assert_eq!(manager.send(id, alike)?, Receipt::default());
        assert_eq!(manager.send(id, Of(2_u16))?, Receipt::default());
        assert_eq!(manager.get::<Log>(id)?.seen.len(), 0);
        manager.send(id, Plain { number: 3 })?;
        manager.send(id, Of(4_u8))?;
        assert_eq!(manager.get::<Log>(id)?.seen, ["plain 3", "narrow 4"]);
        Ok(())
    }

    // holds: identity.exact-type
    #[test]
    fn a_message_never_reaches_a_handler_of_a_type_it_wraps() -> Tested {
        let mut manager = MessageManager::new();
        let id = manager.spawn((Log::default(),));
        let outer = Outer(Plain { number: 5 });
        assert_eq!(outer.0.number, 5);
        assert_eq!(manager.send(id, outer)?, Receipt::default());
        assert_eq!(manager.get::<Log>(id)?.seen.len(), 0);
        Ok(())
    }

    // holds: identity.exact-type
    #[test]
    fn an_unknown_message_of_whatever_type_is_matched_exactly_too() {
        let message: &dyn message_core::AnyMessage = &Plain { number: 6 };
        assert_eq!(message.downcast_ref::<Plain>().map(|it| it.number), Some(6));
        assert!(message.downcast_ref::<inner::Plain>().is_none());
        assert!(message.downcast_ref::<Outer>().is_none());
        assert!(message.is::<Plain>());
        assert!(!message.is::<inner::Plain>());
        assert!(!message.is::<Outer>());
        assert_eq!((message.name(), message.id()), (Plain::NAME, Plain::ID));
    }
}

#[derive(Message, Debug, Clone, PartialEq)]
struct Both {
    number: u32,
}

#[derive(Message, Debug)]
struct OnlyDebug {
    #[allow(dead_code, reason = "read by Debug")]
    number: u32,
}

#[derive(Message, Clone)]
struct OnlyClone {
    number: u32,
}

#[derive(Debug, Clone)]
struct Loud;

struct Mute;

#[derive(Message, Debug, Clone)]
#[message(types(Carry<Loud>, Carry<Mute>))]
struct Carry<T: Send + 'static>(T);

/// Publishes the registry: only then is it known what a type offers.
fn publish() {
    assert!(registry().messages().len() > 0);
}

fn shown(message: &dyn AnyMessage) -> String {
    publish();
    format!("{message:?}")
}

// holds: identity.debug-clone-optional
#[test]
fn debug_is_picked_up_where_the_type_has_it() {
    assert_eq!(shown(&Both { number: 3 }), "Both { number: 3 }");
    assert_eq!(shown(&OnlyDebug { number: 4 }), "OnlyDebug { number: 4 }");
}

// holds: identity.debug-clone-optional
#[test]
fn clone_is_picked_up_where_the_type_has_it() {
    publish();
    let both: &dyn AnyMessage = &Both { number: 3 };
    let copy = both.try_clone().expect("it is `Clone`");
    assert_eq!(copy.downcast_ref(), Some(&Both { number: 3 }));
    let only: &dyn AnyMessage = &OnlyClone { number: 5 };
    let copy = only.try_clone().expect("it is `Clone`");
    let copy = copy.downcast_ref::<OnlyClone>();
    assert_eq!(copy.map(|it| it.number), Some(5));
}

// holds: identity.debug-clone-optional
#[test]
fn neither_is_required() {
    let plain: &dyn AnyMessage = &Plain { number: 1 };
    assert_eq!(shown(plain), "identity::identity::Plain { .. }");
    assert!(plain.try_clone().is_none());
    assert_eq!(
        shown(&OnlyClone { number: 1 }),
        "identity::identity::OnlyClone { .. }"
    );
    let only: &dyn AnyMessage = &OnlyDebug { number: 1 };
    assert!(only.try_clone().is_none());
}

// holds: identity.debug-clone-optional
#[test]
fn each_instantiation_of_a_generic_message_offers_what_its_arguments_allow() {
    let loud: &dyn AnyMessage = &Carry(Loud);
    assert_eq!(shown(loud), "Carry(Loud)");
    assert!(loud.try_clone().is_some());
    let mute: &dyn AnyMessage = &Carry(Mute);
    assert_eq!(shown(mute), "identity::identity::Carry<Mute> { .. }");
    assert!(mute.try_clone().is_none());
}
