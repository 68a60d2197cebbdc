//! Inputs whose effects depend on how they were made, and state that only a later input reveals.

use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::{Data, Digest, Log, LogOptions, LogReport, Replay};
use message_net::proxy;
use serde::{Deserialize, Serialize};

use crate::logs::Shared;

const FRAME: Duration = Duration::from_millis(16);

group!(CREW = "repeated.crew");

/// Cannot be cloned.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[data(name = "repeated.Command", exact)]
#[message(reply = u32)]
struct Command(u32);

#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(name = "repeated.Sailor", exact)]
struct Sailor {
    heard: Vec<u32>,
    letters: u32,
    friend: Option<MessageeId>,
}

#[handlers]
impl Sailor {
    #[on_receive]
    fn command(&mut self, command: &mut Command) -> u32 {
        self.heard.push(command.0);
        command.0 += 1;
        command.0
    }

    #[on_receive]
    fn dead_letter(&mut self, _: &DeadLetter) {
        self.letters += 1;
    }
}

/// Logs what `act` does with a manager, and checks that the replay leads to the same state.
fn check(mut manager: MessageManager, act: impl FnOnce(&mut MessageManager)) -> LogReport {
    let file = Shared::default();
    Log::start(&mut manager, file.clone(), LogOptions::new()).unwrap();
    act(&mut manager);
    let report = Log::stop(&mut manager).unwrap().unwrap();
    if report.impure.is_empty() {
        let replayed = Replay::of_bytes(file.bytes()).run().unwrap();
        let difference = Digest::of(&manager).difference(&Digest::of(&replayed.manager));
        assert_eq!(difference, None);
    }
    report
}

fn with_proxy() -> MessageManager {
    let mut manager = MessageManager::new();
    let out = proxy::open_outbox(&mut manager, 10_000);
    let proxy = proxy::spawn_proxy(&mut manager, out).unwrap();
    let sailor = manager.spawn((Sailor::default(),));
    for member in [sailor, proxy] {
        manager.join(CREW, member).unwrap();
    }
    manager
}

// holds: logs.same-inputs, proxies.elsewhere
#[test]
fn an_in_out_message_that_would_reach_a_proxy_reaches_nobody_again() {
    check(with_proxy(), |manager| {
        assert!(manager.send_mut(CREW, &mut Command(1)).is_err());
    });
}

// holds: logs.same-inputs, proxies.elsewhere
#[test]
fn a_request_to_all_that_would_reach_a_proxy_reaches_nobody_again() {
    check(with_proxy(), |manager| {
        assert!(manager.request_all(CREW, Command(1)).is_err());
    });
}

// holds: logs.same-inputs
#[test]
fn an_in_out_message_that_cannot_wait_for_a_stage_is_lost_again() {
    let mut manager = MessageManager::new();
    let [one, other] = [(); 2].map(|()| manager.spawn((Sailor::default(),)));
    manager
        .overhear(other, Filter::of::<Command>().stage(Stage::Update))
        .unwrap();
    check(manager, |manager| {
        manager.send_mut(one, &mut Command(1)).unwrap();
        manager.tick(FRAME);
    });
}

// holds: logs.unwritable
#[test]
fn a_component_that_cannot_be_written_after_a_borrow_marks_the_log() {
    let mut manager = MessageManager::new();
    let one = manager.spawn((Sailor::default(),));
    let stranger = MessageManager::new().spawn(());
    let report = check(manager, |manager| {
        manager.get_mut::<Sailor>(one).unwrap().friend = Some(stranger);
        manager.tick(FRAME);
        manager.get_mut::<Sailor>(one).unwrap().friend = None;
        manager.tick(FRAME);
    });
    assert_eq!(report.impure.len(), 1, "{report:?}");
}

// holds: logs.same-inputs
#[test]
fn the_names_of_those_that_are_gone_are_forgotten_again() {
    let mut manager = MessageManager::new();
    manager.spawn(());
    check(manager, |manager| {
        let gone = manager.spawn_named("gone", ());
        manager.despawn(gone).unwrap();
        assert!(manager.name(gone).is_some());
        manager.shrink_to_fit();
        assert!(manager.name(gone).is_none());
    });
}

// holds: logs.same-inputs, saves.goes-on
#[test]
fn a_proxy_comes_behind_retained_messages_like_the_messagee_before_it() {
    let mut manager = with_proxy();
    let out = proxy::outboxes(&manager).next().unwrap();
    manager
        .post(
            Header::to(Everyone).retain().stage(Stage::Immediate),
            Command(1),
        )
        .unwrap();
    let newcomer = manager.spawn(());
    manager.despawn(newcomer).unwrap();
    check(manager, |manager| {
        proxy::spawn_proxy(manager, out).unwrap();
    });
}

struct Anchor;

// holds: logs.same-inputs
#[test]
fn a_component_that_has_another_type_stays_hooked_again() {
    let mut manager = MessageManager::new();
    let sailor = manager.spawn((Sailor::default(),));
    let hook = manager.hook_of::<Sailor>(sailor).unwrap();
    check(manager, |manager| {
        assert!(manager.unhook::<Anchor>(hook).is_err());
    });
}

// holds: saves.goes-on
#[test]
fn mail_is_kept_longer_after_a_pass_also_in_a_restored_manager() {
    let mut manager = MessageManager::new();
    manager.tick(FRAME * 4);
    check(manager, |manager| manager.set_mail_retention::<Command>(2));
}
