//! Overhearing in a save.

use std::ops::ControlFlow;
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::{self as data, Data, SaveError, SaveOptions};
use serde::{Deserialize, Serialize};

use crate::saves::{restored, saved, twin};

tag!(SECRET);
mnemonic!(CROWN);

const STEP: Duration = Duration::from_millis(10);

#[derive(Data, Serialize, Deserialize, Default, Debug, PartialEq)]
#[data(name = "overhearing.Spy")]
#[serde(default)]
struct Spy {
    label: u32,
    heard: Vec<String>,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "overhearing.Whisper")]
struct Whisper(u32);

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "overhearing.Shout")]
struct Shout(u32);

#[handlers]
impl Spy {
    #[on_receive]
    fn whisper(&mut self, whisper: &Whisper) {
        self.heard.push(format!("whisper {}", whisper.0));
    }

    #[on_receive]
    fn shout(&mut self, shout: &Shout) {
        self.heard.push(format!("shout {}", shout.0));
    }
}

fn spy(label: u32) -> Spy {
    Spy {
        label,
        heard: Vec::new(),
    }
}

fn run(manager: &mut MessageManager) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    let [king, queen] = ["king", "queen"].map(|name| manager.find(name).next());
    let (king, queen) = (king.ok_or("no king")?, queen.ok_or("no queen")?);
    let mut receipts = Vec::new();
    for at in 0..3 {
        receipts.push(manager.send(king, Whisper(at))?.received);
        receipts.push(manager.speak_for(king)?.send(queen, Shout(at))?.received);
        manager.post(Header::to(queen).tags(SECRET), Whisper(10 + at))?;
        let frame = manager.tick(STEP);
        receipts.push(u32::try_from(frame.delivered)?);
    }
    Ok(receipts)
}

// holds: saves.saved, saves.goes-on
#[test]
fn overhearing_comes_back_by_itself() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let king = manager.spawn_named("king", ());
    let queen = manager.spawn_named("queen", ());
    let spies: Vec<MessageeId> = (0..7).map(|label| manager.spawn((spy(label),))).collect();
    let closure = manager.subscribe(Filter::all(), |_, _| {});
    manager.overhear(spies[0], Filter::of::<Whisper>().to(king))?;
    manager.overhear(spies[1], Filter::all().from(king))?;
    manager.overhear(spies[2], Filter::of::<Whisper>().tagged(SECRET).hidden())?;
    manager.overhear(spies[3], Filter::of::<Shout>().once())?;
    let paused = manager.overhear(spies[4], Filter::of::<Shout>())?;
    manager.set_listening(paused, false);
    manager.overhear(spies[5], Filter::all().to(queen).stage(Stage::LateUpdate))?;
    manager.overhear(spies[6], Filter::of::<Shout>().once().stage(Stage::Update))?;
    // It waits for the stage.
    manager.speak_for(king)?.send(queen, Shout(77))?;
    assert!(manager.unsubscribe(closure));
    let bytes = saved(&mut manager);
    let again = data::restore(&bytes, ManagerConfig::new())?;
    let owners: Vec<u32> = again
        .overhearing
        .iter()
        .map(|(id, _)| again.manager.get::<Spy>(*id).expect("a spy").label)
        .collect();
    // The third one has had its message.
    assert_eq!(owners, [0, 1, 2, 4, 5, 6]);
    let mut other = twin(&mut manager);
    // With a typed subscription the list becomes one of the type.
    for manager in [&mut manager, &mut other] {
        let id = manager.subscribe(Filter::of::<Shout>(), |_, _| {});
        assert!(manager.unsubscribe(id));
    }
    let expected = run(&mut manager)?;
    assert_eq!(run(&mut other)?, expected);
    let heard = |manager: &MessageManager| -> Vec<Vec<String>> {
        manager
            .iter::<Spy>()
            .map(|(_, spy)| spy.heard.clone())
            .collect()
    };
    let expected = heard(&manager);
    assert!(expected[5].contains(&"shout 77".to_owned()));
    assert!(expected[6].contains(&"shout 77".to_owned()));
    assert_eq!(expected[4], [""; 0]);
    assert_eq!(heard(&other), expected);
    assert!(saved(&mut other) == saved(&mut manager));
    // One of them can be switched on again by its subscription.
    let mut again = again;
    let (_, again_paused) = again.overhearing[3];
    assert_eq!(again_paused.to_string(), paused.to_string());
    assert!(again.manager.set_listening(again_paused, true));
    run(&mut again.manager)?;
    assert_eq!(heard(&again.manager)[4].len(), 3);
    Ok(())
}

#[test]
fn a_predicate_cannot_be_saved() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((spy(1),));
    let loud = manager.overhear(id, Filter::of::<Shout>().when(|shout| shout.0 > 3))?;
    let error = data::save(&mut manager, &SaveOptions::new()).expect_err("it is a closure");
    assert!(matches!(error, SaveError::Predicates { count: 1 }));
    assert!(manager.unsubscribe(loud));
    let mut manager = restored(&saved(&mut manager));
    assert_eq!(manager.send(Everyone, Shout(4))?.received, 1);
    Ok(())
}

// holds: saves.saved, saves.save-of-restored, overhearing.retained, subscriptions.retained-while-paused
#[test]
fn whom_retained_messages_reached_and_what_was_missed_come_back()
-> Result<(), Box<dyn std::error::Error>> {
    #[derive(Message, Clone)]
    struct WithoutData;

    let mut manager = MessageManager::new();
    let king = manager.spawn_named("king", (spy(0),));
    let queen = manager.spawn_named("queen", (spy(1),));
    manager.bind(CROWN, king)?;
    manager.post(Header::to(Everyone).retain(), WithoutData)?;
    manager.post(Header::to(Everyone).retain(), Shout(1))?;
    manager.post(Header::to(CROWN).retain(), Whisper(2))?;
    manager.unbind(CROWN, king)?;
    manager.bind(CROWN, queen)?;
    let newcomer = manager.spawn_named("newcomer", (spy(2),));
    let paused = manager.overhear(queen, Filter::all().with_retained())?;
    manager.set_listening(paused, false);
    manager.post(Header::to(Everyone).retain(), Whisper(3))?;
    manager.post(Header::to(king).retain(), Shout(4))?;
    let options = SaveOptions::new().leave_out_without_data();
    let bytes = data::save(&mut manager, &options)?;
    let mut again = data::restore(&bytes, ManagerConfig::new())?;
    assert!(data::save(&mut again.manager, &options)? == bytes);
    let other = &mut again.manager;
    let (_, other_paused) = again.overhearing[0];
    let newcomer_there = other.find("newcomer").next().ok_or("no newcomer")?;
    for (manager, paused, newcomer) in [
        (&mut manager, paused, newcomer),
        (other, other_paused, newcomer_there),
    ] {
        let filter = Filter::all().with_retained();
        manager.set_listening(paused, true);
        manager.overhear(newcomer, filter.clone())?;
        let [king, queen] = ["king", "queen"].map(|name| manager.find(name).next());
        let (king, queen) = (king.ok_or("no king")?, queen.ok_or("no queen")?);
        manager.overhear(king, filter.clone())?;
        let heard = |id| manager.get::<Spy>(id).map(|spy| spy.heard.clone());
        let reached = ["shout 1", "whisper 2", "whisper 3", "shout 4"];
        assert_eq!(heard(king)?, reached);
        assert_eq!(
            heard(queen)?,
            ["shout 1", "whisper 2", "whisper 3", "shout 4"]
        );
        assert_eq!(
            heard(newcomer)?,
            ["whisper 3", "shout 1", "whisper 2", "shout 4"]
        );
    }
    Ok(())
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "overhearing.Glutton")]
#[serde(default)]
struct Glutton {}

#[handlers]
impl Glutton {
    /// Sends a smaller one to itself, which waits, and consumes each.
    #[on_receive]
    fn shout(&mut self, shout: &Shout, cx: &mut Context<'_>) -> ControlFlow<()> {
        if let Some(smaller) = shout.0.checked_sub(1) {
            cx.send(Me, Shout(smaller)).expect("it is kept");
        }
        ControlFlow::Break(())
    }
}

// holds: saves.goes-on, subscriptions.stage-consumed
#[test]
fn what_was_consumed_before_a_save_is_not_overheard_in_its_stage()
-> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let glutton = manager.spawn((Glutton {},));
    let listener = manager.spawn_named("listener", (spy(1),));
    manager.overhear(listener, Filter::of::<Shout>().stage(Stage::Update))?;
    manager.send(glutton, Shout(1))?;
    let mut manager = restored(&saved(&mut manager));
    manager.tick(STEP);
    let listener = manager.find("listener").next().ok_or("no listener")?;
    assert!(manager.get::<Spy>(listener)?.heard.is_empty());
    Ok(())
}

// holds: saves.subscription-ids
#[test]
fn subscriptions_have_the_ids_that_they_had() -> Result<(), Box<dyn std::error::Error>> {
    fn subscribe(manager: &mut MessageManager) -> Vec<String> {
        let ids = (0..3).map(|_| manager.subscribe(Filter::of::<Shout>(), |_, _| {}));
        ids.map(|id| id.to_string()).collect()
    }
    let mut manager = MessageManager::new();
    let mut made = subscribe(&mut manager);
    let spies = [1, 2].map(|label| manager.spawn((spy(label),)));
    let [one, two] = spies.map(|it| manager.overhear(it, Filter::of::<Shout>()));
    let (one, two) = (one?, two?);
    assert!(manager.unsubscribe(one));
    let again = data::restore(&saved(&mut manager), ManagerConfig::new())?;
    let mut other = again.manager;
    let ids: Vec<String> = again
        .overhearing
        .iter()
        .map(|(_, id)| id.to_string())
        .collect();
    assert_eq!(ids, [two.to_string()]);
    // The ids of closures are given out again in the same order, and then the others.
    assert_eq!(subscribe(&mut other), made);
    made = subscribe(&mut manager);
    assert_eq!(subscribe(&mut other), made);
    assert!(saved(&mut other) == saved(&mut manager));
    Ok(())
}
