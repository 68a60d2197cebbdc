//! Rules of the Rust API guidelines that no lint checks: see `docs/guidelines.md`. Most of them are checked by the
//! compiler.

use std::error::Error;

use message_core::error::{SharedError, Undelivered};
use message_core::lifecycle::HandlerPanicked;
use message_core::post::PostEachError;
use message_core::prelude::*;
use message_core::time::ClockError;
use message_core::{
    HeaderError, Inlet, InletError, ManagerConfig, MessageeError, RegistryError, TagSet,
};
use message_data::ask::{AskError, Unanswered};
use message_data::{
    DataError, LogError, ReplayError, RestoreError, SaveError, ShapeDifference, WorldError,
};
use message_net::link::{LinkError, MemoryLink, MemoryNetwork};
use message_net::{DownReason, NameError, Node, NodeError};
use message_rooms::{FrameError, MoveError, RoomError, Rooms};
use message_trace::Recorder;

/// Checks C-GOOD-ERR: errors can be boxed, sent to other threads, and wrapped by types that require all that.
fn is_good_error<E: Error + Send + Sync + 'static>() {}

fn is_send<T: Send>() {}

fn is_send_and_sync<T: Send + Sync>() {}

#[derive(Message)]
struct Ping;

#[test]
fn every_error_can_be_sent_to_other_threads_and_wrapped() {
    is_good_error::<ClockError>();
    is_good_error::<DataError>();
    is_good_error::<HandlerPanicked>();
    is_good_error::<HeaderError>();
    is_good_error::<InletError<Ping>>();
    is_good_error::<LogError>();
    is_good_error::<MessageeError>();
    is_good_error::<PostEachError>();
    is_good_error::<RegistryError>();
    is_good_error::<ReplayError>();
    is_good_error::<RestoreError>();
    is_good_error::<SaveError>();
    is_good_error::<SendError>();
    is_good_error::<ShapeDifference>();
    is_good_error::<Undelivered>();
    is_good_error::<WorldError>();
    // message-net
    is_good_error::<AskError>();
    is_good_error::<DownReason>();
    is_good_error::<LinkError>();
    is_good_error::<NameError>();
    is_good_error::<NodeError>();
    is_good_error::<Unanswered>();
    // message-rooms
    is_good_error::<FrameError>();
    is_good_error::<MoveError>();
    is_good_error::<RoomError>();
}

#[test]
fn what_can_be_sent_to_other_threads_is() {
    is_send::<ManagerConfig>();
    is_send::<MessageManager>();
    is_send::<MemoryLink>();
    is_send::<Node>();
    is_send::<Rooms>();
    is_send_and_sync::<Inlet>();
    is_send_and_sync::<MemoryNetwork>();
    is_send_and_sync::<MessageeId>();
    is_send_and_sync::<Receipt>();
    is_send_and_sync::<Recorder>();
    is_send_and_sync::<SharedError>();
}

/// C-DEBUG-NONEMPTY, and the texts of errors as the standard library has them: they begin in lower case or with a name,
/// and end without a full stop.
#[test]
fn errors_print_one_sentence_without_a_full_stop() {
    fn check(error: &impl Error) {
        let text = error.to_string();
        assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
        assert!(!format!("{error:?}").is_empty());
    }
    let mut manager = MessageManager::new();
    let gone = manager.spawn(());
    manager.despawn(gone).expect("it is alive");
    check(&manager.send(gone, Ping).expect_err("it is gone"));
    check(&manager.set_name(gone, "x").expect_err("it is gone"));
    check(&message_net::NodeName::new("").expect_err("it is empty"));
    check(&message_data::from_text::<u8>("x").expect_err("no number"));
}

/// C-COLLECT
#[test]
fn a_set_of_tags_is_collected_and_extended() {
    tag!(HOT, COLD, WET);
    let mut set: TagSet = [HOT, COLD].into_iter().collect();
    set.extend([COLD, WET]);
    assert_eq!(set, HOT | COLD | WET);
    set.extend([]);
    assert_eq!(set, HOT | COLD | WET);
}
