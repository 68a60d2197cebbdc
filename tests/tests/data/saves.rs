//! Saving a manager and going on from the save.

use std::time::Duration;

use message_core::error::Limit;
use message_core::lifecycle::{Hooked, Restored};
use message_core::post::Interval;
use message_core::prelude::*;
use message_core::{PostKey, Ticket};
use message_data::{self as data, Data, Digest, RestoreNote, SaveError, SaveOptions};
use serde::{Deserialize, Serialize};

mnemonic!(BOSS, HERO);
group!(CREW);
tag!(LOUD);

const STEP: Duration = Duration::from_millis(10);

/// Notes all that it receives.
#[derive(Data, Serialize, Deserialize, Default, Debug, PartialEq)]
#[data(name = "saves.Diary")]
#[serde(default)]
pub(crate) struct Diary {
    label: u32,
    heard: Vec<String>,
    friend: Option<MessageeId>,
    own: Option<HookId>,
    ticket: Option<Ticket>,
}

#[derive(Data, Serialize, Deserialize, Default, Debug, PartialEq)]
#[data(name = "saves.Stone")]
#[serde(default)]
struct Stone {
    weight: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "saves.Note", exact)]
struct Note {
    text: String,
    about: Option<MessageeId>,
}

/// Asked for by everyone, answered in the order of delivery.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[data(name = "saves.Roll")]
struct Roll(Vec<u32>);

#[handlers]
impl Diary {
    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) {
        let line = format!("{} at {:?}", note.text, cx.clock().now());
        self.heard.push(line);
    }

    #[on_receive]
    fn roll(&mut self, roll: &mut Roll) {
        roll.0.push(self.label);
    }

    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {
        self.heard.push("hooked".to_owned());
    }
}

/// Receives `Restored` when it is restored.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "saves.Waker")]
#[serde(default)]
struct Waker {
    label: u32,
    woken: Vec<u32>,
}

#[handlers]
impl Waker {
    #[on_receive]
    fn wake(&mut self, restored: &Restored, cx: &mut Context<'_>) {
        assert_eq!(restored.messagee, cx.me());
        self.woken.push(self.label);
    }
}

/// Without data.
struct Socket;

#[derive(Message)]
struct Ring;

fn note(text: &str) -> Note {
    Note {
        text: text.to_owned(),
        about: None,
    }
}

fn diary(label: u32) -> Diary {
    Diary {
        label,
        ..Diary::default()
    }
}

pub(crate) fn saved(manager: &mut MessageManager) -> Vec<u8> {
    data::save(manager, &SaveOptions::new()).expect("it can be saved")
}

pub(crate) fn restored(bytes: &[u8]) -> MessageManager {
    let restored = data::restore(bytes, ManagerConfig::new());
    let restored = restored.expect("it can be restored");
    assert_eq!(restored.notes, []);
    restored.manager
}

/// Restores the manager from a save, and checks that saving it again gives the same bytes.
pub(crate) fn twin(manager: &mut MessageManager) -> MessageManager {
    let bytes = saved(manager);
    let mut twin = restored(&bytes);
    assert!(
        saved(&mut twin) == bytes,
        "a save of what was restored differs"
    );
    twin
}

fn roll(manager: &mut MessageManager, to: impl Into<Recipient>) -> Vec<u32> {
    let mut roll = Roll(Vec::new());
    manager.send_mut(to, &mut roll).expect("it can be sent");
    roll.0
}

// holds: saves.save-of-restored
#[test]
fn an_empty_manager_comes_back() {
    let mut manager = twin(&mut MessageManager::new());
    assert_eq!(manager.clock().frame(), 0);
    manager.spawn((diary(1),));
    assert_eq!(roll(&mut manager, Everyone), [1]);
}

// holds: saves.saved
#[test]
fn components_run_in_the_order_in_which_they_ran() -> Result<(), MessageeError> {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..20)
        .map(|label| manager.spawn((diary(label), Stone::default())))
        .collect();
    for at in [3, 0, 11, 7] {
        manager.despawn(ids[at])?;
    }
    for at in [5, 19, 2] {
        let hook = manager.hook_of::<Diary>(ids[at])?;
        manager.set_enabled(hook, false)?;
    }
    manager.spawn((Stone { weight: 3 }, diary(77)));
    let mut other = twin(&mut manager);
    let order = roll(&mut manager, Everyone);
    assert_eq!(order.len(), 14);
    assert_eq!(roll(&mut other, Everyone), order);
    // Enabling also continues in the same order.
    for manager in [&mut manager, &mut other] {
        let ids: Vec<MessageeId> = manager.iter::<Diary>().map(|(id, _)| id).collect();
        let disabled = ids.into_iter().filter_map(|id| {
            let hook = manager.hook_of::<Diary>(id).ok()?;
            (!manager.is_enabled(hook).ok()?).then_some(hook)
        });
        let disabled: Vec<HookId> = disabled.collect();
        assert_eq!(disabled.len(), 3);
        manager.set_enabled(disabled[1], true)?;
    }
    let order = roll(&mut manager, Everyone);
    assert_eq!(order.len(), 15);
    assert_eq!(roll(&mut other, Everyone), order);
    Ok(())
}

// holds: saves.saved
#[test]
fn hooks_of_a_messagee_keep_their_order() -> Result<(), MessageeError> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((diary(0), Waker::default(), diary(1)));
    let hooks: Vec<HookId> = (2..8)
        .map(|label| manager.hook(id, diary(label)))
        .collect::<Result<_, _>>()?;
    manager.unhook::<Diary>(hooks[1])?;
    manager.set_enabled(hooks[3], false)?;
    manager.set_enabled(hooks[3], true)?;
    manager.set_name(id, "it")?;
    let mut other = twin_woken(&mut manager);
    let order = roll(&mut manager, id);
    assert_eq!(order, [0, 1, 2, 4, 5, 6, 7]);
    let id = other.find("it").next().expect("it is there");
    assert_eq!(roll(&mut other, id), order);
    Ok(())
}

/// Like [`twin`], but for components that handle `Restored`: the second save is not compared.
fn twin_woken(manager: &mut MessageManager) -> MessageManager {
    restored(&saved(manager))
}

// holds: saves.goes-on
#[test]
fn the_same_ids_are_given_out_next() -> Result<(), MessageeError> {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..12)
        .map(|label| manager.spawn((diary(label),)))
        .collect();
    for at in [4, 9, 1] {
        manager.despawn(ids[at])?;
    }
    manager.spawn(());
    manager.despawn(ids[7])?;
    let mut other = twin(&mut manager);
    for manager in [&mut manager, &mut other] {
        for label in 0..6 {
            let friend = Some(manager.spawn((diary(label),)));
            manager.spawn((Diary {
                friend,
                ..diary(100 + label)
            },));
        }
    }
    assert_same(&mut manager, &mut other);
    Ok(())
}

/// Asserts that both managers have the same contents, ids and order included.
fn assert_same(one: &mut MessageManager, other: &mut MessageManager) {
    assert!(saved(one) == saved(other), "the managers differ");
}

// holds: saves.saved
#[test]
fn families_names_mnemonics_and_groups_come_back() -> Result<(), MessageeError> {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..8).map(|label| manager.spawn((diary(label),))).collect();
    for (child, parent) in [(3, 0), (1, 0), (2, 0), (5, 1), (4, 1), (6, 7)] {
        manager.set_parent(ids[child], Some(ids[parent]))?;
    }
    manager.set_parent(ids[3], Some(ids[1]))?;
    for at in [5, 2, 0] {
        manager.join(CREW, ids[at])?;
    }
    manager.bind(BOSS, ids[6])?;
    for (at, name) in [(0, "root"), (6, "boss"), (7, "old")] {
        manager.set_name(ids[at], name)?;
    }
    let mut other = twin(&mut manager);
    let find =
        |manager: &MessageManager, name: &str| manager.find(name).next().expect("it is there");
    let root = find(&other, "root");
    for (to, from) in [
        (Recipient::Group(CREW), Recipient::Group(CREW)),
        (Down(ids[0]), Down(root)),
        (Recipient::Mnemonic(BOSS), Recipient::Mnemonic(BOSS)),
        (Up(BOSS), Up(BOSS)),
    ] {
        let order = roll(&mut manager, to);
        assert!(!order.is_empty());
        assert_eq!(roll(&mut other, from), order);
    }
    assert_eq!(other.bound(BOSS), Some(find(&other, "boss")));
    assert_eq!(other.bound(HERO), None);
    assert_eq!(other.find("*").count(), 3);
    Ok(())
}

// holds: saves.saved, saves.goes-on
#[test]
fn the_clock_goes_on_to_the_nanosecond() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    manager.set_time_scale(0.37)?;
    for nanoseconds in [16_666_667, 1, 123_456_789] {
        manager.begin_frame(Duration::from_nanos(nanoseconds));
    }
    manager.run_stage(Stage::FixedUpdate);
    let mut other = twin(&mut manager);
    assert_eq!(other.clock(), manager.clock());
    for manager in [&mut manager, &mut other] {
        manager.run_stage(Stage::FixedUpdate);
        manager.set_paused(true);
        manager.tick(STEP);
    }
    assert_eq!(other.clock(), manager.clock());
    let mut other = twin(&mut manager);
    for manager in [&mut manager, &mut other] {
        assert!(manager.clock().is_paused());
        manager.set_paused(false);
        manager.tick(Duration::from_nanos(98_765_432));
    }
    assert_eq!(other.clock(), manager.clock());
    Ok(())
}

// holds: time.fixed-step-saved
#[test]
fn a_fixed_step_that_was_set_later_goes_on() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    manager.tick(Duration::from_millis(40));
    let before = saved(&mut manager);
    manager.set_fixed_step(Duration::from_millis(7));
    manager.begin_frame(Duration::from_millis(40));
    let mut other = twin(&mut manager);
    assert_eq!(other.clock(), manager.clock());
    assert_eq!(other.clock().fixed_step(), Duration::from_millis(7));
    for manager in [&mut manager, &mut other] {
        manager.run_stage(Stage::FixedUpdate);
        assert_eq!(manager.tick(Duration::from_millis(10)).fixed_steps, 7);
    }
    assert_eq!(Digest::of(&other), Digest::of(&manager));
    let step = Duration::from_millis(9);
    let config = ManagerConfig::new().fixed_step(step);
    // The fixed step of the configuration is not part of the state.
    let restored = data::restore(&before, config.clone())?;
    assert_eq!(restored.manager.clock().fixed_step(), step);
    let restored = data::restore(&saved(&mut manager), config)?;
    assert_eq!(
        restored.manager.clock().fixed_step(),
        Duration::from_millis(7)
    );
    assert!(restored.notes.is_empty(), "{:?}", restored.notes);
    Ok(())
}

// holds: saves.goes-on, saves.saved
#[test]
fn what_is_pending_is_delivered_when_it_would_have_been() -> Result<(), Box<dyn std::error::Error>>
{
    let mut manager = MessageManager::new();
    let id = manager.spawn((diary(1),));
    manager.bind(BOSS, id)?;
    let other_one = manager.spawn((diary(2),));
    let later = |ms| Header::to(id).after(Duration::from_millis(ms));
    for text in ["a", "b", "c", "d", "e"] {
        // In a batch.
        manager.post(later(25), note(text))?;
    }
    manager.post(Header::to(Everyone).stage(Stage::LateUpdate), note("late"))?;
    manager.post(
        Header::to(BOSS).after_frames(2).tags(LOUD),
        note("by frames"),
    )?;
    manager.post(
        Header::to(id).after(Duration::from_millis(31)).unscaled(),
        note("unscaled"),
    )?;
    manager.post(
        Header::to(id).every(Duration::from_millis(7)).times(9),
        note("drip"),
    )?;
    manager.post(Header::to(id).every_frames(2).key("beat"), note("beat"))?;
    manager.speak_for(other_one)?.post(
        Header::to(id)
            .after_frames(4)
            .tied_to_sender()
            .key(("mine", 3)),
        note("bound"),
    )?;
    manager.tick(STEP);
    let mut other = twin(&mut manager);
    assert_eq!(
        listed(&other),
        listed(&manager),
        "the list of the pending messages"
    );
    assert!(other.has_pending("beat"));
    for frame in 0..12 {
        let (ours, theirs) = (manager.tick(STEP), other.tick(STEP));
        assert_eq!(theirs, ours);
        assert_eq!(diaries(&other), diaries(&manager));
        assert_same(&mut manager, &mut other);
        if frame == 1 {
            for manager in [&mut manager, &mut other] {
                let id = manager.bound(BOSS).expect("it is bound");
                let second = manager
                    .iter::<Diary>()
                    .map(|(id, _)| id)
                    .find(|it| *it != id);
                manager.despawn(second.expect("there are two"))?;
            }
        }
        let again = twin(&mut other);
        assert_eq!(listed(&again), listed(&other));
    }
    let heard = diaries(&manager).concat();
    assert!(heard.iter().any(|line| line.starts_with("unscaled")));
    assert!(!heard.iter().any(|line| line.starts_with("bound")));
    Ok(())
}

pub(crate) fn listed(manager: &MessageManager) -> Vec<String> {
    let posts = manager
        .pending_posts(message_core::Posts::all())
        .into_iter();
    let posts = posts.map(|post| {
        format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?}",
            post.message,
            post.stage,
            post.due,
            post.posted,
            post.tags,
            post.key.map(|key| key.to_string().len()),
            post.deliveries,
        )
    });
    posts.collect()
}

fn diaries(manager: &MessageManager) -> Vec<Vec<String>> {
    let diaries = manager
        .iter::<Diary>()
        .map(|(_, diary)| diary.heard.clone());
    diaries.collect()
}

// holds: saves.ids-inside
#[test]
fn ids_and_tickets_in_components_mean_the_same() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let gone = manager.spawn(());
    let friend = manager.spawn((diary(1),));
    manager.despawn(gone)?;
    let ticket = manager.post(Header::to(friend).after_frames(5), note("far"))?;
    let over = manager.post(Header::to(friend).after_frames(1), note("near"))?;
    manager.tick(STEP);
    let id = manager.spawn((Diary {
        friend: Some(friend),
        ticket: Some(ticket),
        ..diary(2)
    },));
    let own = manager.hook_of::<Diary>(id)?;
    manager.get_mut::<Diary>(id)?.own = Some(own);
    manager.spawn((Diary {
        friend: Some(gone),
        ticket: Some(over),
        ..diary(3)
    },));
    let mut other = twin(&mut manager);
    let by_label = |label| {
        let mut all = other.iter::<Diary>();
        let (id, diary) = all.find(|(_, diary)| diary.label == label)?;
        Some((id, diary.friend, diary.own, diary.ticket))
    };
    let (first, ..) = by_label(1).expect("it is there");
    let (second, friend, own, ticket) = by_label(2).expect("it is there");
    assert_eq!(
        (friend, own),
        (Some(first), other.hook_of::<Diary>(second).ok())
    );
    let (_, gone, _, over) = by_label(3).expect("it is there");
    assert!(!other.is_alive(gone.expect("it was written")));
    assert!(!other.has_pending(over.expect("it was written")));
    let ticket = ticket.expect("it was written");
    assert_eq!(
        other.pending_posts(message_core::Posts::all())[0].ticket,
        ticket
    );
    assert_eq!(other.cancel(ticket), 1);
    Ok(())
}

// holds: saves.restored-told
#[test]
fn components_are_told_that_they_were_restored_instead_of_hooked() {
    let mut manager = MessageManager::new();
    manager.spawn((
        Waker {
            label: 1,
            ..Waker::default()
        },
        diary(5),
    ));
    manager.spawn((Waker {
        label: 2,
        ..Waker::default()
    },));
    let before = diaries(&manager);
    let restored = twin_woken(&mut manager);
    assert_eq!(diaries(&restored), before);
    let woken: Vec<Vec<u32>> = restored
        .iter::<Waker>()
        .map(|(_, it)| it.woken.clone())
        .collect();
    assert_eq!(woken, [[1], [2]]);
}

// holds: saves.types-without-data, saves.left-out
#[test]
fn all_types_that_cannot_be_saved_are_listed() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    for _ in 0..3 {
        manager.spawn((Socket, Stone::default()));
    }
    manager.post(Header::to(Everyone).after_frames(1), Ring)?;
    let Err(SaveError::NoData { types }) = data::save(&mut manager, &SaveOptions::new()) else {
        panic!("it cannot be saved");
    };
    let told: Vec<(usize, usize)> = types.iter().map(|it| (it.components, it.posts)).collect();
    assert_eq!(told, [(0, 1), (3, 0)]);
    let error = SaveError::NoData { types }.to_string();
    assert!(
        error.contains("Ring` (1 pending)") && error.contains("Socket` (3 components)"),
        "{error}"
    );
    for options in [
        SaveOptions::new().leave_out::<Socket>().leave_out::<Ring>(),
        SaveOptions::new()
            .leave_out_named("Socket")
            .leave_out_named("Ring"),
        SaveOptions::new().leave_out_without_data(),
    ] {
        let bytes = data::save(&mut manager, &options).expect("nothing else is there");
        let mut other = restored(&bytes);
        assert_eq!(other.iter::<Stone>().count(), 3);
        assert_eq!(other.iter::<Socket>().count(), 0);
        assert!(!other.has_pending(message_core::Posts::all()));
        // The free places of the hooks are used again.
        let id = other.spawn((diary(1),));
        assert_eq!(roll(&mut other, id), [1]);
    }
    Ok(())
}

#[test]
fn a_component_that_is_borrowed_for_good_is_an_error() -> Result<(), MessageeError> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Waker::default(),));
    manager.spawn((Stone::default(),));
    let desk = manager.desk();
    std::mem::forget(desk.get_mut::<Waker>(id)?);
    let error = data::save(&mut manager, &SaveOptions::new()).expect_err("it is borrowed");
    assert!(error.to_string().contains("borrowed"), "{error}");
    Ok(())
}

#[test]
fn another_fixed_step_is_noted() {
    let bytes = saved(&mut MessageManager::new());
    let config = ManagerConfig::new().fixed_step(STEP);
    let restored = data::restore(&bytes, config).expect("it is a save");
    assert!(matches!(
        restored.notes[..],
        [RestoreNote::OtherFixedStep { .. }]
    ));
}

// holds: saves.saved
#[test]
fn a_key_of_a_messagee_finds_its_message() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((diary(1),));
    let header = Header::to(Everyone).every_frames(3).key("reload").build()?;
    assert_eq!(header.period(), Some(Interval::Frames(3)));
    manager.speak_for(id)?.post(&header, note("reload"))?;
    let mut other = twin(&mut manager);
    let id = other.iter::<Diary>().next().expect("it is there").0;
    assert!(other.has_pending(PostKey::from("reload").of(id)));
    other.speak_for(id)?.post(&header, note("again"))?;
    assert_eq!(other.pending_posts(message_core::Posts::all()).len(), 1);
    Ok(())
}

// holds: saves.foreign-id
#[test]
fn an_id_of_another_manager_cannot_be_saved() {
    let mut other = MessageManager::new();
    let stranger = other.spawn(());
    let mut manager = MessageManager::new();
    manager.spawn((Diary {
        friend: Some(stranger),
        ..diary(1)
    },));
    let error = data::save(&mut manager, &SaveOptions::new()).expect_err("it is strange");
    let error = error.to_string();
    assert!(
        error.contains("Diary") && error.contains("to another manager"),
        "{error}"
    );
}

/// Spawns, and panics.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "saves.Bomb")]
struct Bomb;

#[handlers]
impl Bomb {
    #[on_receive]
    fn explode(&self, _: &Note, cx: &mut Context<'_>) {
        cx.spawn((Stone::default(),));
        panic!("it explodes");
    }
}

// holds: saves.settled
#[test]
fn a_manager_in_which_changes_wait_is_settled_before_it_is_saved() {
    let mut manager = MessageManager::new();
    let bomb = manager.spawn((Bomb,));
    let sent = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        manager.send(bomb, note("now"))
    }));
    assert!(sent.is_err());
    let unsettled = Digest::of(&manager);
    let restored = restored(&saved(&mut manager));
    assert_eq!(manager.iter::<Stone>().count(), 1);
    assert_eq!(restored.iter::<Stone>().count(), 1);
    assert_eq!(Digest::of(&restored), Digest::of(&manager));
    let part = unsettled.difference(&Digest::of(&manager));
    assert_eq!(part.as_deref(), Some("the structure"));
}

// holds: saves.ids-inside
#[test]
fn ids_that_are_gone_stay_gone_and_names_of_the_dead_are_known() -> Result<(), MessageeError> {
    let mut manager = MessageManager::new();
    let ghost = manager.spawn_named("ghost", ());
    manager.spawn((Diary {
        friend: Some(ghost),
        ..diary(1)
    },));
    manager.despawn(ghost)?;
    let mut other = twin(&mut manager);
    let ghost = other
        .iter::<Diary>()
        .next()
        .and_then(|(_, diary)| diary.friend);
    let ghost = ghost.expect("it was written");
    assert_eq!(other.name(ghost).as_deref(), Some("ghost"));
    let born = other.spawn(());
    assert!(!other.is_alive(ghost) && other.is_alive(born));
    Ok(())
}

// holds: saves.not-saved
#[test]
fn the_configuration_is_that_of_the_call() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    for at in 0..5 {
        manager.post(Header::to(Everyone).after_frames(3), note(&at.to_string()))?;
        manager.publish(Everyone, note("letter"))?;
    }
    let config = ManagerConfig::new().max_pending(3).max_published(2);
    let restored = data::restore(&saved(&mut manager), config);
    let mut manager = restored.expect("nothing is lost").manager;
    assert_eq!(manager.pending_posts(message_core::Posts::all()).len(), 5);
    let full = manager.post(Header::to(Everyone).after_frames(1), note("more"));
    assert!(matches!(
        full.map_err(SendError::into_kind),
        Err(SendErrorKind::AtLimit {
            limit: Limit::Pending { .. },
            ..
        })
    ));
    let full = manager.publish(Everyone, note("more"));
    assert!(matches!(
        full.map_err(SendError::into_kind),
        Err(SendErrorKind::AtLimit {
            limit: Limit::Published(_),
            ..
        })
    ));
    manager.tick(STEP);
    assert_eq!(manager.inbox::<Note>().iter().count(), 5);
    assert!(manager.publish(Everyone, note("more")).is_ok());
    Ok(())
}
