//! Proxies: messages to messagees of other managers.

use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::AnyMessage;
use message_core::carrier::{Carrier, Carrying};
use message_core::error::{CarryError, Undelivered};
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::registry::MessageIndex;
use message_data::{
    self as data, Data, Digest, Log, LogOptions, Logged, LoggedInput, Replay, SaveOptions,
    SavedCarrier,
};
use message_net::proxy::{self, Letters, OutboxId};
use serde::{Deserialize, Serialize};

group!(PROXIED);
mnemonic!(FAR);
tag!(LOUD);

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(exact)]
struct Call {
    by: MessageeId,
    words: String,
}

#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[data(exact)]
struct Small(u32);

#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = u32)]
struct Count;

#[derive(Message)]
struct WithoutData;

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
struct Ear {
    heard: Vec<u32>,
    consumes: bool,
}

#[handlers]
impl Ear {
    #[on_receive]
    fn small(&mut self, small: &mut Small) -> std::ops::ControlFlow<()> {
        self.heard.push(small.0);
        small.0 += 1;
        if self.consumes {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }

    #[on_receive]
    fn count(&self, _: &Count) -> u32 {
        u32::try_from(self.heard.len()).expect("few")
    }
}

fn world() -> (MessageManager, OutboxId, MessageeId) {
    let mut manager = MessageManager::new();
    let out = proxy::open_outbox(&mut manager, 10_000);
    let proxy = proxy::spawn_proxy(&mut manager, out).expect("it is open");
    (manager, out, proxy)
}

fn smalls(letters: &Letters) -> Vec<u32> {
    let values = letters.letters().map(|letter| {
        let message = letter.message_type().read_message(letter.bytes(), &[]);
        let message = message.expect("it was written");
        message.downcast_ref::<Small>().expect("one of these").0
    });
    values.collect()
}

fn dead_letters(manager: &mut MessageManager) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&lines);
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        log.lock().expect("no panic").push(letter.to_string());
    });
    lines
}

// holds: proxies.written-to-outbox, proxies.counts
#[test]
fn what_is_sent_to_a_proxy_goes_into_its_outbox_with_sender_and_ids() {
    let (mut manager, out, proxy) = world();
    let [orc, elf] = [manager.spawn(()), manager.spawn(())];
    let words = "ho".to_owned();
    let call = Call { by: elf, words };
    let receipt = manager
        .speak_for(orc)
        .expect("alive")
        .send(proxy, call.clone());
    assert_eq!(receipt.map(|receipt| receipt.received), Ok(1));
    let letters = proxy::take_outbox(&mut manager, out);
    let letter = letters.letters().next().expect("one");
    assert_eq!(letters.len(), 1);
    assert_eq!((letter.proxy(), letter.sender().id()), (proxy, Some(orc)));
    assert_eq!((letter.ids(), letter.header()), (&[elf][..], None));
    let read = letter
        .message_type()
        .read_message(letter.bytes(), &[orc])
        .expect("it was written");
    assert_eq!(read.downcast_ref::<Call>().map(|call| call.by), Some(orc));
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
}

// holds: proxies.stands-for, proxies.written-to-outbox, proxies.counts, proxies.everyone-is-here
#[test]
fn a_proxy_is_reached_by_mnemonic_group_and_family_and_everyone_is_of_this_manager() {
    let (mut manager, out, proxy) = world();
    let orc = manager.spawn((Ear::default(),));
    manager.bind(FAR, proxy).expect("free");
    for member in [orc, proxy] {
        manager.join(PROXIED, member).expect("alive");
    }
    manager.set_parent(proxy, Some(orc)).expect("no circle");
    let mut send = |to: Recipient| manager.send(to, Small(1)).map(|it| it.received);
    assert_eq!(send(FAR.into()), Ok(1));
    assert_eq!(send(PROXIED.into()), Ok(2));
    assert_eq!(send(Up(proxy)), Ok(2));
    assert_eq!(send(Down(orc)), Ok(2));
    assert_eq!(send(Everyone), Ok(1));
    // Changes that local receivers have made to it are included.
    assert_eq!(smalls(&proxy::take_outbox(&mut manager, out)), [1, 2, 2, 2]);
}

/// Sends a number to the proxy when it is poked.
struct Echo(MessageeId);

#[derive(Message)]
struct Poke;

#[handlers]
impl Echo {
    #[on_receive]
    fn poke(&mut self, _: &Poke, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.0, Small(2))?;
        Ok(())
    }
}

// holds: proxies.written-to-outbox
#[test]
fn what_a_subscriber_leads_to_is_written_behind_what_it_has_heard() {
    for of_a_group in [false, true] {
        let (mut manager, out, proxy) = world();
        let ear = manager.spawn((Ear::default(),));
        manager.join(PROXIED, ear).expect("alive");
        manager.join(PROXIED, proxy).expect("alive");
        let echo = manager.spawn((Echo(proxy),));
        let mut is_first = true;
        manager.subscribe(Filter::of::<Small>(), move |_, cx| {
            if std::mem::take(&mut is_first) {
                cx.send(echo, Poke).expect("it is free");
            }
        });
        let mut sender = manager.speak_for(echo).expect("alive");
        let receipt = if of_a_group {
            sender.send(PROXIED, Small(0))
        } else {
            sender.send(proxy, Small(1))
        };
        assert_eq!(receipt.map(|it| it.pending), Ok(0));
        let letters = proxy::take_outbox(&mut manager, out);
        let senders: Vec<_> = letters.letters().map(|it| it.sender().id()).collect();
        assert_eq!(senders, [Some(echo); 2], "one pair");
        assert_eq!(smalls(&letters), [1, 2], "in the order sent");
    }
}

// holds: proxies.consumed-before
#[test]
fn what_is_consumed_before_it_comes_to_a_proxy_is_not_carried() {
    let (mut manager, out, proxy) = world();
    let orc = manager.spawn((Ear {
        consumes: true,
        ..Ear::default()
    },));
    for member in [orc, proxy] {
        manager.join(PROXIED, member).expect("alive");
    }
    let receipt = manager.send(PROXIED, Small(1)).expect("sent");
    assert_eq!((receipt.received, receipt.consumed), (1, true));
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
}

// holds: proxies.post-to-id
#[test]
fn what_a_header_says_is_for_the_other_side() {
    let (mut manager, out, proxy) = world();
    let later = Header::to(proxy)
        .after(Duration::from_secs(2))
        .tags(LOUD)
        .require(1);
    let ticket = manager.post(later, Small(4)).expect("posted");
    assert!(!manager.has_pending(ticket), "it waits elsewhere");
    manager
        .post(&Header::to(proxy).build().expect("plain"), Small(5))
        .expect("posted");
    manager
        .post(Header::to(proxy).tags(LOUD), Small(6))
        .expect("posted");
    let letters = proxy::take_outbox(&mut manager, out);
    let says = |at: usize| {
        let letter = letters.letters().nth(at).expect("three");
        let header = letter.header()?;
        Some((header.delay().is_some(), header.tags(), header.required()))
    };
    assert_eq!(says(0), Some((true, LOUD.into(), Some(1))));
    assert_eq!(says(1), None);
    assert_eq!(says(2), Some((false, LOUD.into(), None)));
}

// holds: proxies.post-to-many
#[test]
fn what_is_posted_to_a_group_is_carried_when_it_is_due() {
    let (mut manager, out, proxy) = world();
    manager.join(PROXIED, proxy).expect("alive");
    let later = Header::to(PROXIED).after_frames(2);
    manager.post(later, Small(1)).expect("posted");
    manager.tick(Duration::from_millis(16));
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
    manager.tick(Duration::from_millis(16));
    assert_eq!(smalls(&proxy::take_outbox(&mut manager, out)), [1]);
}

// holds: proxies.elsewhere
#[test]
fn a_request_an_in_out_message_and_mail_to_a_proxy_are_errors_and_reach_nobody() {
    let (mut manager, out, proxy) = world();
    let orc = manager.spawn((Ear::default(),));
    for member in [orc, proxy] {
        manager.join(PROXIED, member).expect("alive");
    }
    let elsewhere = |error: SendError| {
        *error.kind() == SendErrorKind::Absent(Absence::Elsewhere)
            && error.to() == Some(proxy.into())
    };
    assert!(elsewhere(manager.request(proxy, Count).expect_err("far")));
    assert!(elsewhere(manager.request(PROXIED, Count).expect_err("far")));
    assert!(elsewhere(
        manager.request_all(PROXIED, Count).expect_err("far")
    ));
    assert!(elsewhere(
        manager.send_mut(PROXIED, &mut Small(1)).expect_err("far")
    ));
    assert!(elsewhere(
        manager.publish(proxy, Small(1)).expect_err("far")
    ));
    assert!(manager.get::<Ear>(orc).expect("alive").heard.is_empty());
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
    let error = manager.request(proxy, Count).expect_err("far").to_string();
    assert!(error.contains("`ask`"), "{error}");
}

// holds: proxies.stands-for
#[test]
fn a_proxy_has_no_components() {
    let (mut manager, _, proxy) = world();
    let error = manager.hook(proxy, Ear::default());
    assert_eq!(
        error,
        Err(MessageeError::Absent {
            id: proxy,
            why: Absence::Elsewhere
        })
    );
    assert_eq!(manager.hooks(proxy).count(), 0);
    assert_eq!(proxy::proxies(&manager).collect::<Vec<_>>(), [proxy]);
    manager.despawn(proxy).expect("alive");
    assert!(!manager.is_proxy(proxy) && proxy::proxies(&manager).next().is_none());
    let gone = manager.send(proxy, Small(1));
    assert!(matches!(
        gone.map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Gone))
    ));
    let newcomer = manager.spawn((Ear::default(),));
    assert_eq!(
        manager.send(newcomer, Small(1)).map(|it| it.received),
        Ok(1)
    );
}

// holds: proxies.unwritable
#[test]
fn more_than_an_outbox_holds_is_an_error_for_who_sends_it() {
    let mut manager = MessageManager::new();
    let out = proxy::open_outbox(&mut manager, 100);
    let proxy = proxy::spawn_proxy(&mut manager, out).expect("open");
    let mut sent = 0;
    let error = loop {
        match manager.send(proxy, Small(sent)) {
            Ok(_) => sent += 1,
            Err(error) => break error,
        }
    };
    let why = CarryError::Backlog { capacity: 100 };
    let full = SendError::new(Small::NAME, proxy, SendErrorKind::NotCarried { why });
    assert_eq!((error, sent), (full, 3));
    assert_eq!(smalls(&proxy::take_outbox(&mut manager, out)), [0, 1, 2]);
    assert!(manager.send(proxy, Small(3)).is_ok());
}

// holds: proxies.unwritable
#[test]
fn while_an_outbox_is_blocked_what_waits_in_it_stays() {
    let (mut manager, out, proxy) = world();
    manager.send(proxy, Small(1)).expect("open");
    proxy::set_outbox_blocked(&mut manager, out, true);
    let error = manager.send(proxy, Small(2));
    assert!(matches!(
        error.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::Unreachable,
            ..
        })
    ));
    proxy::set_outbox_blocked(&mut manager, out, false);
    manager.send(proxy, Small(3)).expect("open");
    assert_eq!(smalls(&proxy::take_outbox(&mut manager, out)), [1, 3]);
    proxy::close_outbox(&mut manager, out);
    let error = manager.send(proxy, Small(4));
    assert!(matches!(
        error.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::Unreachable,
            ..
        })
    ));
    let error = proxy::spawn_proxy(&mut manager, out).expect_err("closed");
    assert_eq!(
        error.to_string(),
        "there is no outbox 0: it was closed, or belongs to another manager"
    );
}

/// Collects the dead letters: their recipient, the reason, and the number of the message.
fn letters(manager: &mut MessageManager) -> Receiver<(Recipient, Undelivered, Option<u32>)> {
    let (put, letters) = channel();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
        let message = letter.message.as_ref();
        let small = message.and_then(|message| message.downcast_ref::<Small>());
        let said = (
            letter.envelope.recipient,
            letter.why.clone(),
            small.map(|small| small.0),
        );
        put.send(said).expect("it is awaited");
    });
    letters
}

// holds: proxies.unreached
#[test]
fn a_member_that_is_not_reached_is_counted_and_has_a_dead_letter_with_the_reason() {
    let (mut manager, out, near) = world();
    let [blocked, full] = [1000, 1].map(|capacity| proxy::open_outbox(&mut manager, capacity));
    let [unreachable, backlog] =
        [blocked, full].map(|out| proxy::spawn_proxy(&mut manager, out).expect("it is open"));
    proxy::set_outbox_blocked(&mut manager, blocked, true);
    let ear = manager.spawn((Ear::default(),));
    for member in [unreachable, near, backlog, ear] {
        manager.join(PROXIED, member).expect("alive");
    }
    let letters = letters(&mut manager);
    for number in 1..3 {
        let receipt = manager.send(PROXIED, Small(number)).expect("some have it");
        assert_eq!((receipt.received, receipt.unreached), (2, 2));
        let said: Vec<_> = letters.try_iter().collect();
        let [first, second] = &said[..] else {
            panic!("{said:?}");
        };
        let why = |why: &Undelivered| match why {
            Undelivered::Refused { error } => error.clone(),
            why => panic!("{why:?}"),
        };
        assert_eq!(first.0, unreachable.into());
        let not_carried =
            |id, why| SendError::new(Small::NAME, id, SendErrorKind::NotCarried { why });
        assert_eq!(
            why(&first.1),
            not_carried(unreachable, CarryError::Unreachable)
        );
        assert_eq!(second.0, backlog.into());
        let error = why(&second.1);
        assert!(matches!(
            error.kind(),
            SendErrorKind::NotCarried {
                why: CarryError::Backlog { .. }
            }
        ));
        assert_eq!(error.to(), Some(backlog.into()));
    }
    assert_eq!(manager.inspect().dead_letter_count(), 4);
    assert_eq!(smalls(&proxy::take_outbox(&mut manager, out)), [2, 3]);

    // A ticket reports it too, and a family is treated like a group.
    let ticket = manager.post(Header::to(PROXIED), Small(7)).expect("posted");
    let receipt = ticket.receipt().expect("it was delivered at once");
    assert_eq!((receipt.received, receipt.unreached), (2, 2));
    manager
        .set_parent(unreachable, Some(ear))
        .expect("no circle");
    let receipt = manager.send(Down(ear), Small(8)).expect("one has it");
    assert_eq!((receipt.received, receipt.unreached), (1, 1));
    // To it alone it is an error, and no dead letter.
    letters.try_iter().for_each(drop);
    manager.bind(FAR, unreachable).expect("free");
    for to in [Recipient::Id(unreachable), FAR.into()] {
        let error = manager.send(to, Small(9));
        assert!(
            matches!(
                error.map_err(SendError::into_kind),
                Err(SendErrorKind::NotCarried {
                    why: CarryError::Unreachable,
                    ..
                })
            ),
            "{to}"
        );
    }
    assert!(letters.try_recv().is_err());
}

// holds: proxies.unreached
#[test]
fn what_is_posted_to_a_group_has_a_dead_letter_for_each_member_that_is_not_reached() {
    let (mut manager, out, proxy) = world();
    let ear = manager.spawn((Ear::default(),));
    for member in [ear, proxy] {
        manager.join(PROXIED, member).expect("alive");
    }
    proxy::set_outbox_blocked(&mut manager, out, true);
    let letters = letters(&mut manager);
    let later = Header::to(PROXIED).after_frames(1);
    manager.post(later, WithoutData).expect("posted");
    manager.post(later, Small(1)).expect("posted");
    let report = manager.tick(Duration::from_millis(16));
    assert_eq!(report.dead_letters, 2);
    let said: Vec<_> = letters.try_iter().map(|said| (said.0, said.2)).collect();
    // The members here have changed it.
    assert_eq!(said, [(proxy.into(), None), (proxy.into(), None)]);
    assert_eq!(manager.get::<Ear>(ear).expect("alive").heard, [1]);
}

// holds: proxies.unreached, reentrancy.leaving
#[test]
fn a_proxy_that_is_leaving_receives_nothing_more() {
    let (mut manager, out, proxy) = world();
    manager.join(PROXIED, proxy).expect("alive");
    let ear = manager.spawn(());
    manager.subscribe(Filter::of::<Small>().to(ear), move |_, cx| {
        cx.despawn(proxy).expect("alive");
        let later = Header::to(proxy).after_frames(1);
        let refused = [
            cx.send(proxy, Small(1)).err(),
            cx.request(proxy, Count).err(),
            cx.post(later, Small(1)).err(),
        ];
        for error in refused {
            assert!(matches!(
                error,
                Some(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(proxy.into())
            ));
        }
        let receipt = cx.send(PROXIED, Small(2)).expect("it is passed over");
        assert_eq!((receipt.received, receipt.unreached), (0, 0));
    });
    assert_eq!(manager.send(ear, Small(0)).map(|it| it.received), Ok(1));
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
}

// holds: proxies.unwritable
#[test]
fn a_message_without_data_cannot_be_carried_and_the_others_receive_it() {
    let (mut manager, out, proxy) = world();
    let error = manager.send(proxy, WithoutData).expect_err("no data");
    let text = error.to_string();
    assert!(
        text.contains("WithoutData` has no data: expected `#[derive(Data)]`"),
        "{text}"
    );
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
}

// holds: proxies.foreign-id
#[test]
fn a_message_with_an_id_of_a_third_manager_cannot_be_carried() {
    let (mut manager, out, proxy) = world();
    let own = manager.spawn(());
    let stranger = MessageManager::new().spawn(());
    let call = |by| Call {
        by,
        words: "who is it".to_owned(),
    };
    let sent = manager.send(proxy, call(stranger));
    let posted = manager.post(Header::to(proxy).after_frames(1), call(stranger));
    for error in [
        sent.expect_err("a stranger"),
        posted.expect_err("a stranger"),
    ] {
        let text = error.to_string();
        assert!(
            text.ends_with(
                "Call` belongs to another manager: expected one of the sending manager, or a proxy there"
            ),
            "{text}"
        );
        assert!(
            text.contains(&format!("messagee {stranger} in `")),
            "{text}"
        );
    }
    for by in [own, proxy] {
        manager
            .send(proxy, call(by))
            .expect("it is of this manager");
    }
    let letters = proxy::take_outbox(&mut manager, out);
    let ids: Vec<_> = letters.letters().map(|letter| letter.ids()[0]).collect();
    assert_eq!(ids, [own, proxy]);
}

// holds: proxies.not-relayed
#[test]
fn what_a_proxy_sends_is_not_carried_on() {
    let (mut manager, out, proxy) = world();
    let other = proxy::spawn_proxy(&mut manager, out).expect("open");
    let orc = manager.spawn((Ear::default(),));
    for member in [orc, other] {
        manager.join(PROXIED, member).expect("alive");
    }
    let mut from = manager.speak_for(proxy).expect("alive");
    let error = from.send(other, Small(1));
    assert!(matches!(
        error.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::NotRelayed,
            ..
        })
    ));
    let error = from.post(Header::to(other).after_frames(1), Small(1));
    assert!(matches!(
        error.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::NotRelayed,
            ..
        })
    ));
    assert_eq!(from.send(PROXIED, Small(1)).map(|it| it.received), Ok(1));
    assert!(proxy::take_outbox(&mut manager, out).is_empty());
}

// holds: proxies.counts, subscriptions.to-id
#[test]
fn subscriptions_and_interceptors_see_what_is_sent_to_a_proxy() {
    let (mut manager, out, proxy) = world();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let listens = Filter::of::<Small>().to(proxy);
    manager.subscribe(listens, move |small, cx| {
        log.lock()
            .expect("no panic")
            .push((small.0, cx.envelope().recipient));
    });
    let changes = Filter::of::<Small>().before();
    manager.subscribe(
        changes,
        |small: &mut Small, _: &mut SubscriberContext<'_>| small.0 *= 10,
    );
    let receipt = manager.send(proxy, Small(1)).expect("sent");
    assert_eq!(receipt.received, 2);
    assert_eq!(
        *heard.lock().expect("no panic"),
        [(10, Recipient::Id(proxy))]
    );
    assert_eq!(smalls(&proxy::take_outbox(&mut manager, out)), [10]);
}

// holds: proxies.tell-undelivered
#[test]
fn what_did_not_arrive_is_a_dead_letter_with_the_reason() {
    let (mut manager, _, proxy) = world();
    let orc = manager.spawn(());
    let lines = dead_letters(&mut manager);
    message_data::tell_undelivered(
        &mut manager,
        proxy,
        orc.into(),
        Box::new(Small(1)),
        "zone-3 has gone",
    );
    let lines = lines.lock().expect("no panic");
    assert_eq!(lines.len(), 1);
    assert!(
        lines[0].ends_with("was not delivered: zone-3 has gone"),
        "{lines:?}"
    );
}

#[test]
fn a_type_that_is_only_sent_to_proxies_is_used() {
    #[derive(Message, Data, Serialize, Deserialize)]
    struct OnlyAbroad;
    let (mut manager, _, proxy) = world();
    let is_unused = |manager: &MessageManager| {
        let unused = manager.inspect().unused_messages();
        unused.iter().any(|it| it.id == OnlyAbroad::ID)
    };
    assert!(is_unused(&manager));
    manager.send(proxy, OnlyAbroad).expect("open");
    assert!(!is_unused(&manager));
}

// holds: proxies.saved
#[test]
fn proxies_and_what_waits_in_outboxes_are_saved_and_replayed() {
    let path = std::env::temp_dir().join(format!("proxies-{}.log", std::process::id()));
    let mut manager = MessageManager::new();
    let early = proxy::open_outbox(&mut manager, 5_000);
    let first = proxy::spawn_proxy(&mut manager, early).expect("open");
    let file = std::fs::File::create(&path).expect("a folder for this");
    let options = LogOptions::new().digest_every(1);
    Log::start(&mut manager, file, options).expect("it can be saved");
    let out = proxy::open_outbox(&mut manager, 10_000);
    let proxy = proxy::spawn_proxy(&mut manager, out).expect("open");
    let orc = manager.spawn((Ear::default(),));
    manager.send(first, Small(7)).expect("open");
    manager
        .post(Header::to(proxy).after_frames(1), Small(8))
        .expect("open");
    manager.tick(Duration::from_millis(16));
    manager
        .speak_for(proxy)
        .expect("alive")
        .send(orc, Small(9))
        .expect("alive");
    assert_eq!(proxy::take_outbox(&mut manager, early).len(), 1);
    proxy::set_outbox_blocked(&mut manager, early, true);
    message_data::tell_undelivered(
        &mut manager,
        first,
        Sender::Outside,
        Box::new(Small(7)),
        "lost",
    );
    manager.tick(Duration::from_millis(16));
    Log::stop(&mut manager).expect("the disk has room");

    let replayed = Replay::open(&path).expect("whole").run().expect("the same");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));

    let save = data::save(&mut manager, &message_data::SaveOptions::new()).expect("all has data");
    let restored = data::restore(&save, ManagerConfig::new()).expect("whole");
    let mut restored = restored.manager;
    let again = data::save(&mut restored, &message_data::SaveOptions::new()).expect("all has data");
    assert_eq!(save, again);
    assert!(proxy::outboxes(&restored).eq(proxy::outboxes(&manager)));
    assert!(proxy::outboxes(&restored).any(|it| it == out));
    let waits = proxy::take_outbox(&mut restored, out);
    assert_eq!(smalls(&waits), [8]);
    assert_eq!(proxy::proxies(&restored).count(), 2);
    let blocked = proxy::proxies(&restored).next().expect("two");
    let error = restored.send(blocked, Small(1));
    assert!(matches!(
        error.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::Unreachable,
            ..
        })
    ));
}

// holds: proxies.traced
#[test]
fn what_is_written_for_another_manager_is_an_event_of_the_trace() {
    use message_core::trace::Traced;
    use message_trace::Recorder;
    let (mut manager, _, proxy) = world();
    Recorder::new(100).start(&mut manager);
    manager.send(proxy, Small(1)).expect("open");
    manager
        .post(Header::to(proxy).after_frames(2), Small(2))
        .expect("open");
    let recorder = Recorder::stop(&mut manager).expect("it was started");
    let carried = recorder.events().filter(|event| {
        let is_carried = matches!(event.what, Traced::Carried { proxy: it } if it == proxy);
        is_carried && event.send.is_some()
    });
    assert_eq!(carried.count(), 2);
}

// holds: proxies.traced
#[test]
fn a_post_that_is_not_written_is_no_event_of_the_trace() {
    use message_core::trace::Traced;
    use message_trace::Recorder;
    let (mut manager, out, proxy) = world();
    Recorder::new(100).start(&mut manager);
    proxy::set_outbox_blocked(&mut manager, out, true);
    let refused = manager.post(Header::to(proxy).after_frames(2), Small(2));
    assert!(matches!(
        refused.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried { .. })
    ));
    let recorder = Recorder::stop(&mut manager).expect("it was started");
    let mut events = recorder.events();
    assert!(events.all(|event| !matches!(event.what, Traced::Carried { .. })));
}

/// Begins to be written, and fails or panics then.
#[derive(Message, Data, Deserialize, Default)]
#[serde(default)]
struct Torn {
    words: String,
    panics: bool,
}

impl Serialize for Torn {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error as _, SerializeSeq as _};
        let mut list = serializer.serialize_seq(Some(3))?;
        list.serialize_element(&self.words)?;
        assert!(!self.panics, "it is torn");
        Err(S::Error::custom("it is torn"))
    }
}

// holds: proxies.unwritable
#[test]
fn what_cannot_be_written_leaves_nothing_among_what_is_carried() {
    let (mut manager, out, proxy) = world();
    manager.send(proxy, Small(1)).expect("it is carried");
    for panics in [false, true, false] {
        let words = "words".to_owned();
        let torn = Torn { words, panics };
        let sent = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            manager.send(proxy, torn).expect_err("it is torn")
        }));
        assert_eq!(sent.is_err(), panics);
        let by = manager.spawn(());
        let words = "whole".to_owned();
        manager
            .send(proxy, Call { by, words })
            .expect("it is carried");
        let letters = proxy::take_outbox(&mut manager, out);
        let call = letters.letters().last().expect("it is there");
        assert_eq!(call.ids(), [by]);
        let read = call.message_type().read_message(call.bytes(), call.ids());
        let read = read.expect("it contains nothing else");
        assert_eq!(read.downcast_ref::<Call>().map(|call| call.by), Some(by));
        assert_eq!(letters.len(), letters.letters().count());
    }
}

#[test]
fn letters_can_be_taken_in_the_place_of_those_before() {
    let (mut manager, out, proxy) = world();
    let mut letters = Letters::default();
    for number in 0..3 {
        manager.send(proxy, Small(number)).expect("it is carried");
        manager.send(proxy, Small(9)).expect("it is carried");
        proxy::take_outbox_into(&mut manager, out, &mut letters);
        assert_eq!(smalls(&letters), [number, 9]);
        assert!(letters.bytes() >= 2, "{}", letters.bytes());
    }
    proxy::take_outbox_into(&mut manager, out, &mut letters);
    assert!(letters.is_empty());
    assert_eq!(proxy::take_outbox(&mut manager, out).len(), 0);
}

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(exact)]
struct Nested {
    call: Option<Call>,
    pairs: Vec<(u8, String)>,
}

/// Leaves a field out that is empty.
#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone, Default)]
#[serde(default)]
struct Sparse {
    first: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<u8>,
    third: u8,
}

/// Writes the same fields in another order than it reads them.
#[derive(Message, Data, Deserialize, Debug, PartialEq, Clone)]
#[data(exact)]
struct Turned {
    first: u8,
    second: u8,
}

impl Serialize for Turned {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut fields = serializer.serialize_struct("Turned", 2)?;
        fields.serialize_field("second", &self.second)?;
        fields.serialize_field("first", &self.first)?;
        fields.end()
    }
}

/// Reads its field by its name alone.
#[derive(Message, Data, Serialize, Debug, PartialEq, Clone)]
#[data(exact)]
struct Named {
    only: u8,
}

impl<'d> Deserialize<'d> for Named {
    fn deserialize<D: serde::Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'d> serde::de::Visitor<'d> for Visitor {
            type Value = Named;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: serde::de::MapAccess<'d>>(self, mut map: A) -> Result<Named, A::Error> {
                use serde::de::Error as _;
                let mut only = None;
                while let Some(name) = map.next_key::<String>()? {
                    only = (name == "only").then(|| map.next_value()).transpose()?;
                }
                let only = only.ok_or_else(|| A::Error::missing_field("only"))?;
                Ok(Named { only })
            }
        }
        deserializer.deserialize_struct("Named", &["only"], Visitor)
    }
}

/// Sends a message to a proxy whose outbox leaves names out, reads it as it was written and with its names.
/// Returns the bytes, and if they are a list.
fn by_position<M: Message + Data + Clone + PartialEq + std::fmt::Debug>(
    message: &M,
    manager: &mut MessageManager,
) -> (Vec<u8>, bool) {
    let out = proxy::open_outbox_by_position(manager, 10_000);
    let proxy = proxy::spawn_proxy(manager, out).expect("open");
    manager.send(proxy, message.clone()).expect("open");
    let letters = proxy::take_outbox(manager, out);
    let letter = letters.letters().next().expect("it was sent");
    let named = letter.to_named_bytes().expect("it was written");
    let expected = message_data::message_to_bytes(message, &mut letter.ids().to_vec());
    assert_eq!(named, expected.expect("it has data"));
    for bytes in [letter.bytes(), &named] {
        let read = letter.message_type().read_message(bytes, letter.ids());
        let read = read.expect("it was written");
        assert_eq!(read.downcast_ref::<M>(), Some(message));
    }
    (letter.bytes().to_vec(), letter.is_by_position())
}

// holds: proxies.by-position
#[test]
fn an_outbox_can_leave_out_the_names_of_a_messages_fields() {
    let mut manager = MessageManager::new();
    let by = manager.spawn(());
    let words = "no".to_owned();
    let call = Call { by, words };
    let (bytes, is_list) = by_position(&call, &mut manager);
    assert_eq!((&bytes[..], is_list), (&b"\x92\x00\xa2no"[..], true));

    // Values nested in its fields keep their names.
    let pairs = vec![(1, "one".to_owned()), (2, "two".to_owned())];
    let call = Some(call);
    let (bytes, is_list) = by_position(&Nested { call, pairs }, &mut manager);
    assert!(is_list && bytes.windows(5).any(|part| part == b"words"));
    assert!(!bytes.windows(5).any(|part| part == b"pairs"));
}

// holds: proxies.by-position
#[test]
fn a_message_that_writes_other_fields_than_it_reads_from_a_list_keeps_their_names() {
    let mut manager = MessageManager::new();
    let whole = Sparse {
        first: 1,
        second: Some(2),
        third: 3,
    };
    assert_eq!(
        by_position(&whole, &mut manager),
        (vec![0x93, 1, 2, 3], true)
    );
    let sparse = Sparse {
        second: None,
        ..whole
    };
    assert!(!by_position(&sparse, &mut manager).1);
    assert!(
        !by_position(
            &Turned {
                first: 1,
                second: 2
            },
            &mut manager
        )
        .1
    );
    assert!(!by_position(&Named { only: 7 }, &mut manager).1);
    assert!(Named::TYPE.fields_by_position().is_empty());
    assert_eq!(Named::TYPE.fields(), ["only"]);
}

// holds: proxies.by-position, proxies.saved
#[test]
fn what_waits_without_names_is_saved_with_them_and_replayed() {
    let path = std::env::temp_dir().join(format!("positions-{}.log", std::process::id()));
    let mut manager = MessageManager::new();
    let by = manager.spawn(());
    let file = std::fs::File::create(&path).expect("a folder for this");
    let options = LogOptions::new().digest_every(1);
    Log::start(&mut manager, file, options).expect("it can be saved");
    // Room for two without their names, and for one with them.
    let out = proxy::open_outbox_by_position(&mut manager, 2 * (32 + 6) + 6);
    let proxy = proxy::spawn_proxy(&mut manager, out).expect("open");
    let call = |words: &str| Call {
        by,
        words: words.to_owned(),
    };
    manager.send(proxy, call("one")).expect("room");
    manager.send(proxy, call("two")).expect("room");
    let full = manager.send(proxy, call("three"));
    assert!(matches!(
        full.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::Backlog { .. },
            ..
        })
    ));
    manager.tick(Duration::from_millis(16));
    Log::stop(&mut manager).expect("the disk has room");

    let replayed = Replay::open(&path).expect("whole").run().expect("the same");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(&manager));

    let options = message_data::SaveOptions::new();
    let save = data::save(&mut manager, &options).expect("all has data");
    assert!(save.windows(5).any(|part| part == b"words"));
    let restored = data::restore(&save, ManagerConfig::new()).expect("whole");
    let mut restored = restored.manager;
    assert_eq!(
        data::save(&mut restored, &options).expect("all has data"),
        save
    );
    let proxy = proxy::proxies(&restored).next().expect("one");
    let full = restored.send(proxy, Small(1));
    assert!(matches!(
        full.map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::Backlog { .. },
            ..
        })
    ));
    let letters = proxy::take_outbox(&mut restored, out);
    let bytes: Vec<_> = letters.letters().map(|letter| letter.bytes()).collect();
    assert_eq!(bytes, [b"\x92\x00\xa3one", b"\x92\x00\xa3two"]);
}

/// Counts what is carried to each place, and keeps nothing.
#[derive(Debug, Default)]
struct Tolls(Mutex<BTreeMap<u32, u64>>);

impl Carrier for Tolls {
    fn carry(&self, to: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
        *self.0.lock().expect("no panic").entry(to).or_default() += 1;
        Ok(())
    }

    fn has_carried(&self, _: MessageIndex) -> bool {
        true
    }

    fn note_end(&mut self, _: MessageeId) {}
}

impl SavedCarrier for Tolls {
    const NAME: &'static str = "proxies.tolls";

    type State = BTreeMap<u32, u64>;

    fn state(&self) -> Option<Self::State> {
        Some(self.0.lock().expect("no panic").clone())
    }

    fn restored(
        state: Self::State,
        destinations: &[u32],
        _: &'static Location<'static>,
    ) -> Result<Self, String> {
        match destinations.iter().find(|&&to| to > 9) {
            None => Ok(Self(state.into())),
            Some(to) => Err(format!("there is no road {to}")),
        }
    }
}

message_data::saved_carrier!(Tolls);

#[derive(Debug, Serialize, Deserialize)]
struct BuildRoad(u32);

impl LoggedInput for BuildRoad {
    const NAME: &'static str = "proxies.build_road";

    fn repeat(self, manager: &mut MessageManager) {
        road(manager, self.0);
    }
}

message_data::logged_input!(BuildRoad);

fn road(manager: &mut MessageManager, to: u32) -> MessageeId {
    manager.carrier_mut::<Tolls>();
    manager.spawn_proxy(to, &Logged::new(&BuildRoad(to)))
}

fn tolls(manager: &MessageManager) -> BTreeMap<u32, u64> {
    let carrier = manager.carrier::<Tolls>().expect("it is there");
    carrier.state().expect("it is always saved")
}

// holds: proxies.carrier-saved
#[test]
fn a_carrier_is_restored_with_its_proxies() {
    let mut manager = MessageManager::new();
    let [near, far] = [2, 7].map(|to| road(&mut manager, to));
    manager.set_name(far, "far").expect("it is alive");
    manager.send(near, Small(1)).expect("it is carried");
    let save = data::save(&mut manager, &SaveOptions::new()).expect("it can be saved");

    let restored = data::restore(&save, ManagerConfig::new()).expect("it is known");
    assert_eq!(restored.notes, []);
    let mut manager = restored.manager;
    let far = manager.find("far").next().expect("it is there");
    assert!(manager.is_proxy(far));
    manager.send(far, Small(2)).expect("it is carried");
    assert_eq!(tolls(&manager), BTreeMap::from([(2, 1), (7, 1)]));
}

// holds: proxies.carrier-saved
#[test]
fn a_carrier_refuses_destinations_that_it_does_not_have() {
    let mut manager = MessageManager::new();
    road(&mut manager, 10);
    let save = data::save(&mut manager, &SaveOptions::new()).expect("it can be saved");
    let error = data::restore(&save, ManagerConfig::new()).expect_err("it has no such road");
    let error = error.to_string();
    assert!(error.contains("in `PRXY`: there is no road 10"), "{error}");
}
