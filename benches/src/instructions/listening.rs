//! Mail, subscriptions and recorders.

use std::hint::black_box;
use std::time::Duration;

use message_core::prelude::*;
use message_trace::Recorder;

use crate::{Function, OBJECTS, OPERATIONS, Round};

pub(crate) const FUNCTIONS: [Function; 7] = [
    Function::new("publish-read", publish_read),
    Function::new("hear", hear),
    Function::new("send-watched", send_watched),
    Function::new("send-past", send_past),
    Function::new("send-past-many", send_past_many),
    Function::new("send-traced", send_traced),
    Function::new("subscribe", subscribe),
];

#[derive(Message)]
struct Mail(u64);

#[derive(Message)]
struct Beat(u64);

#[derive(Message)]
struct News(u64);

#[derive(Message)]
struct Seen(u64);

#[derive(Message)]
struct Unseen(u64);

#[derive(Message)]
struct Unheard(u64);

#[derive(Message)]
struct Noted(u64);

#[derive(Default)]
struct Drum(u64);

#[handlers]
impl Drum {
    #[on_receive]
    fn on_beat(&mut self, beat: &Beat) {
        self.0 = self.0.wrapping_add(beat.0);
    }
}

sums!(Stage of Seen, Booth of Unseen, Cell of Unheard, Ledger of Noted);

/// Publishes a message to each of the objects in turn; they read it in the next frame.
fn publish_read() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn(())).collect();
    Box::new(move || {
        for (&id, number) in ids.iter().cycle().zip(0..OPERATIONS as u64) {
            let published = manager.publish(id, Mail(black_box(number)));
            published.expect("everyone is alive");
        }
        manager.tick(Duration::ZERO);
        let mut sum = 0_u64;
        for &id in &ids {
            for mail in manager.inbox::<Mail>().to(id) {
                sum = sum.wrapping_add(mail.0);
            }
        }
        black_box(sum);
    })
}

/// Sends to one object, with a subscriber that hears the messages.
fn hear() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Drum(0),))).collect();
    let mut sum = 0_u64;
    manager.subscribe(Filter::of::<Beat>(), move |beat, _| {
        sum = black_box(sum.wrapping_add(beat.0));
    });
    Box::new(move || {
        for (&id, number) in ids.iter().cycle().zip(0..OPERATIONS as u64) {
            let sent = manager.send(id, Beat(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

/// Sends with a hidden subscriber to the type, which hears the messages.
fn send_watched() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Stage(0),))).collect();
    let mut sum = 0_u64;
    manager.subscribe(Filter::of::<Seen>().hidden(), move |seen, _| {
        sum = black_box(sum.wrapping_add(seen.0));
    });
    Box::new(move || {
        for (&id, number) in ids.iter().cycle().zip(0..OPERATIONS as u64) {
            let sent = manager.send(id, Seen(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

/// Sends with a hidden subscriber to the type that listens for another recipient.
fn send_past() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Booth(0),))).collect();
    let nobody = manager.spawn(());
    let filter = Filter::of::<Unseen>().to(nobody).hidden();
    manager.subscribe(filter, |_, _| unreachable!("nothing is sent there"));
    Box::new(move || {
        for (&id, number) in ids.iter().cycle().zip(0..OPERATIONS as u64) {
            let sent = manager.send(id, Unseen(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

/// Sends with 10 000 hidden subscribers to the type that listen for other senders.
fn send_past_many() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Cell(0),))).collect();
    for _ in 0..10_000 {
        let filter = Filter::of::<Unheard>().from(manager.spawn(())).hidden();
        manager.subscribe(filter, |_, _| unreachable!("nothing is sent by them"));
    }
    Box::new(move || {
        for (&id, number) in ids.iter().cycle().zip(0..OPERATIONS as u64) {
            let sent = manager.send(id, Unheard(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

/// Sends while a recorder keeps the latest events.
fn send_traced() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Ledger(0),))).collect();
    Recorder::new(OPERATIONS).start(&mut manager);
    Box::new(move || {
        for (&id, number) in ids.iter().cycle().zip(0..OPERATIONS as u64) {
            let sent = manager.send(id, Noted(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

/// Adds subscriptions, which hear one message and are then removed while others stay.
fn subscribe() -> Round {
    let mut manager = MessageManager::new();
    let subscriber = || {
        let mut sum = 0_u64;
        move |news: &News, _: &mut SubscriberContext<'_>| sum = black_box(sum.wrapping_add(news.0))
    };
    for _ in 0..OBJECTS {
        manager.subscribe(Filter::of::<News>(), subscriber());
    }
    let mut subscriptions = Vec::with_capacity(OBJECTS);
    Box::new(move || {
        for number in 0..OPERATIONS / OBJECTS {
            let come = |_| manager.subscribe(Filter::of::<News>(), subscriber());
            subscriptions.extend((0..OBJECTS).map(come));
            let heard = manager.send(Everyone, News(black_box(number as u64)));
            assert!(heard.is_ok());
            for subscription in subscriptions.drain(..) {
                assert!(manager.unsubscribe(subscription));
            }
        }
    })
}
