//! Published and retained messages in a save.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::mailbox::Cursor;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::saves::{restored, saved, twin};

mnemonic!(READER);
group!(CROWD);
tag!(BRIGHT);

const STEP: Duration = Duration::from_millis(10);

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[data(name = "mail.Flash")]
struct Flash(u32);

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[data(name = "mail.Rumour", exact)]
struct Rumour {
    about: MessageeId,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[data(name = "mail.Weather")]
struct Weather(String);

/// Returns everything that can be read about each letter.
fn letters(manager: &MessageManager) -> Vec<String> {
    let mail = manager.inbox_any().iter().map(|mail| {
        format!(
            "{} {:?} {:?} {:?} {:?}",
            mail.name(),
            mail.recipient(),
            mail.sender(),
            mail.published(),
            mail.downcast_ref::<Flash>()
        )
    });
    let typed = manager
        .inbox::<Flash>()
        .iter()
        .map(|mail| format!("{}", mail.0));
    mail.chain(typed).collect()
}

fn publish(manager: &mut MessageManager, round: u32) -> Result<(), Box<dyn std::error::Error>> {
    let reader = manager.bound(READER).expect("it is bound");
    let second = manager.group_members_first();
    manager.publish(Everyone, Flash(round))?;
    manager.publish(Everyone, Flash(round + 1))?;
    manager.publish(reader, Flash(round + 2))?;
    manager.publish(READER, Rumour { about: second })?;
    manager.publish(CROWD, Flash(round + 3))?;
    manager.speak_for(second)?.publish(Me, Flash(round + 4))?;
    manager.publish(Up(second), Flash(round + 5))?;
    Ok(())
}

trait FirstMember {
    fn group_members_first(&self) -> MessageeId;
}

impl FirstMember for MessageManager {
    fn group_members_first(&self) -> MessageeId {
        self.find("second").next().expect("it has a name")
    }
}

// holds: saves.saved, saves.goes-on
#[test]
fn what_is_published_is_found_in_the_next_frame() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Rumour>(3);
    let reader = manager.spawn(());
    manager.bind(READER, reader)?;
    let second = manager.spawn_named("second", ());
    manager.join(CROWD, second)?;
    manager.set_parent(second, Some(reader))?;
    for round in 0..4 {
        publish(&mut manager, 10 * round)?;
        let mut other = twin(&mut manager);
        assert_eq!(letters(&other), letters(&manager));
        for manager in [&mut manager, &mut other] {
            manager.tick(STEP);
            publish(manager, 1000)?;
        }
        let expected = letters(&manager);
        assert!(expected.len() > 10);
        assert_eq!(letters(&other), expected);
        let own = |manager: &MessageManager| {
            let second = manager.group_members_first();
            let to = manager
                .inbox::<Flash>()
                .to(second)
                .iter()
                .map(|mail| mail.0)
                .collect();
            let from = manager
                .inbox::<Flash>()
                .from(second)
                .iter()
                .map(|mail| mail.0)
                .collect();
            let about = manager.inbox::<Rumour>().to(READER).iter();
            let about = about.filter(|mail| mail.about == second).count();
            let to: Vec<u32> = to;
            let from: Vec<u32> = from;
            (to, from, about)
        };
        assert_eq!(own(&other), own(&manager));
        for manager in [&mut manager, &mut other] {
            manager.tick(STEP);
        }
        assert_eq!(letters(&other), letters(&manager));
        let mut again = twin(&mut other);
        again.tick(STEP);
        other.tick(STEP);
        assert_eq!(letters(&again), letters(&other));
    }
    Ok(())
}

// holds: saves.mail-retention
#[test]
fn a_mailbox_keeps_letters_for_as_long_as_it_did() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Flash>(3);
    manager.publish(Everyone, Flash(1))?;
    manager.tick(STEP);
    manager.tick(STEP);
    let mut other = twin(&mut manager);
    for frame in 0..4 {
        let read = |manager: &MessageManager| {
            let mut cursor = message_core::mailbox::Cursor::new();
            manager.inbox::<Flash>().since(&mut cursor).count()
        };
        assert_eq!(read(&other), usize::from(frame < 2));
        assert_eq!(read(&other), read(&manager));
        manager.tick(STEP);
        other.tick(STEP);
    }
    Ok(())
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[data(name = "mail.Step")]
struct Step;

/// Collects the flashes that it finds in each pass of `FixedUpdate`.
#[derive(Data, Serialize, Deserialize, Default)]
#[data(name = "mail.Collector")]
struct Collector(Vec<u32>);

#[handlers]
impl Collector {
    #[on_receive]
    fn step(&mut self, _: &Step, cx: &mut Context<'_>) {
        self.0
            .extend(cx.inbox::<Flash>().iter().map(|flash| flash.0));
        assert_eq!(cx.inbox_any().count(), cx.inbox::<Flash>().count());
    }
}

// holds: saves.goes-on, mail.fixed-once
#[test]
fn mail_that_waits_for_a_fixed_pass_is_saved() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    manager.set_fixed_step(6 * STEP);
    let collector = manager.spawn((Collector::default(),));
    let header = Header::to(collector).stage(Stage::FixedUpdate).every_pass();
    manager.post(header, Step)?;
    for frame in 0..60 {
        manager.publish(Everyone, Flash(frame))?;
        manager.tick(STEP);
        manager = twin(&mut manager);
    }
    let collectors = manager.iter::<Collector>();
    let found: Vec<_> = collectors.flat_map(|(_, it)| it.0.clone()).collect();
    assert!(found.into_iter().eq(0..60));
    Ok(())
}

// holds: saves.saved
#[test]
fn retained_messages_are_told_to_those_who_ask() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let second = manager.spawn_named("second", ());
    for (to, text) in [
        (Recipient::Everyone, "rain"),
        (second.into(), "fog"),
        (Recipient::Everyone, "sun"),
    ] {
        let header = Header::to(to).retain().tags(BRIGHT);
        manager.post(header, Weather(text.to_owned()))?;
    }
    manager.post(Header::to(Everyone).retain(), Flash(7))?;
    let mut other = twin(&mut manager);
    let told = |manager: &mut MessageManager| {
        let (log, heard) = std::sync::mpsc::channel();
        let filter = Filter::of::<Weather>().with_retained().tagged(BRIGHT);
        manager.subscribe(filter, move |weather, cx| {
            let about = format!(
                "{} {:?} {:?}",
                weather.0,
                cx.envelope().tags,
                cx.envelope().posted
            );
            log.send(about).expect("it is listened to");
        });
        heard.try_iter().collect::<Vec<String>>()
    };
    let expected = told(&mut manager);
    assert_eq!(expected.len(), 2);
    assert!(expected[0].starts_with("fog") && expected[1].starts_with("sun"));
    assert_eq!(told(&mut other), expected);
    let second = other.find("second").next().expect("it has a name");
    other.despawn(second)?;
    assert_eq!(told(&mut other).len(), 1);
    assert!(other.forget_retained::<Flash>(Everyone));
    Ok(())
}

// holds: saves.mail-retention
#[test]
fn how_long_mail_of_a_type_without_data_is_retained_is_saved() {
    /// Has no data.
    #[derive(Message)]
    struct Murmur;
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Murmur>(3);
    manager.publish(Everyone, Murmur).expect("there is room");
    // Until after the first pass of `FixedUpdate`, for which mail is kept.
    for _ in 0..5 {
        manager.tick(STEP);
    }
    let bytes = saved(&mut manager);
    let mut again = restored(&bytes);
    assert!(saved(&mut again) == bytes);
    for manager in [&mut manager, &mut again] {
        manager.publish(Everyone, Murmur).expect("there is room");
        let mut found = Vec::new();
        for _ in 0..5 {
            manager.tick(Duration::from_millis(1));
            let mut cursor = message_core::mailbox::Cursor::new();
            found.push(manager.inbox::<Murmur>().since(&mut cursor).count());
        }
        assert_eq!(found, [1, 1, 1, 0, 0]);
    }
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "mail.Subscriber")]
struct Subscriber {
    read: Vec<u32>,
    cursor: Cursor<Flash>,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "mail.Look")]
struct Look;

#[handlers]
impl Subscriber {
    #[on_receive]
    fn look(&mut self, _: &Look, cx: &mut Context<'_>) {
        let inbox = cx.inbox::<Flash>().since(&mut self.cursor);
        self.read.extend(inbox.iter().map(|flash| flash.0));
    }
}

// holds: saves.goes-on
#[test]
fn a_cursor_in_a_component_reads_on_where_it_stopped() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    manager.set_mail_retention::<Flash>(3);
    let id = manager.spawn_named("reader", (Subscriber::default(),));
    manager.publish(Everyone, Flash(1))?;
    manager.tick(STEP);
    manager.send(id, Look)?;
    manager.publish(Everyone, Flash(2))?;
    manager.tick(STEP);
    let mut restored = restored(&saved(&mut manager));
    for manager in [&mut manager, &mut restored] {
        let id = manager.find("reader").next().ok_or("it is there")?;
        manager.send(id, Look)?;
        assert_eq!(manager.get::<Subscriber>(id)?.read, [1, 2]);
    }
    Ok(())
}

// holds: saves.goes-on
#[test]
fn a_cursor_in_a_component_still_tells_what_it_has_missed() -> Result<(), Box<dyn std::error::Error>>
{
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("reader", (Subscriber::default(),));
    for number in 0..5 {
        manager.publish(Everyone, Flash(number))?;
        manager.tick(STEP);
        if number % 4 == 0 {
            manager.send(id, Look)?;
        }
    }
    let restored = restored(&saved(&mut manager));
    for manager in [&manager, &restored] {
        let id = manager.find("reader").next().ok_or("it is there")?;
        let reader = manager.get::<Subscriber>(id)?;
        assert_eq!((&*reader.read, reader.cursor.missed()), (&[0, 4][..], 3));
    }
    Ok(())
}
