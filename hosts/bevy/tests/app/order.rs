//! Stages are delivered after Bevy's schedules, and what handlers queue is applied in the same frame.

use bevy::ecs::world::EntityWorldMut;
use bevy::prelude::*;
use message_bevy::Message;
use message_bevy::prelude::*;

use crate::app;

#[derive(Message, Clone)]
struct Mark(&'static str);

#[derive(Component, Default, PartialEq, Debug)]
struct Marks(Vec<&'static str>);

/// Writes what it receives into the component of its entity.
struct Scribe;

#[handlers]
impl Scribe {
    #[on_receive]
    fn mark(&mut self, mark: &Mark, cx: &mut Context<'_>) -> Result<(), SendError> {
        let word = mark.0;
        cx.queue_for(cx.me(), move |mut entity: EntityWorldMut<'_>| {
            if let Some(mut marks) = entity.get_mut::<Marks>() {
                marks.0.push(word);
            }
        })
    }
}

fn mark(word: &'static str) -> impl Fn(Messaging<'_, '_>) -> Result {
    move |mut messaging| {
        messaging.send(Everyone, Mark(word))?;
        Ok(())
    }
}

#[derive(Resource, Default)]
struct Seen(Vec<usize>);

fn look(marks: Query<'_, '_, &Marks>, mut seen: ResMut<'_, Seen>) {
    seen.0.extend(marks.iter().map(|marks| marks.0.len()));
}

#[test]
fn a_mirrored_value_is_seen_in_the_schedule_after_the_stage() {
    let mut app = app();
    app.init_resource::<Seen>()
        .add_systems(Update, (mark("one"), mark("two"), look).chain())
        .add_systems(Delivery::Update, look.after(MessageSystems::Deliver))
        .add_systems(PostUpdate, look);
    let scribe = (Marks::default(), Messagee::new((Scribe,)));
    let scribe = app.world_mut().spawn(scribe).id();
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [0, 2, 2]);
    let marks = app.world().get::<Marks>(scribe);
    assert_eq!(marks, Some(&Marks(vec!["one", "two"])));
}

fn mark_each(
    scribes: Query<'_, '_, Entity, With<Marks>>,
    mut messaging: Messaging<'_, '_>,
) -> Result {
    for scribe in &scribes {
        messaging.send(scribe, Mark("one"))?;
    }
    Ok(())
}

#[derive(Resource, Default)]
struct Heard(Vec<&'static str>);

#[test]
fn bridges_carry_messages_to_readers_and_observers_after_the_stage() {
    let mut app = app();
    app.init_resource::<Heard>()
        .hear::<Mark>()
        .trigger_on::<Mark>()
        .add_observer(
            |it: On<'_, '_, Received<Mark>>, mut heard: ResMut<'_, Heard>| {
                heard.0.push(it.message.0);
            },
        )
        .add_systems(
            PostUpdate,
            |mut marks: MessageReader<'_, '_, message_bevy::Heard<Mark>>,
             mut heard: ResMut<'_, Heard>| {
                heard.0.extend(marks.read().map(|_| "read"));
            },
        )
        .add_systems(Update, mark_each);
    app.world_mut()
        .spawn((Marks::default(), Messagee::new((Scribe,))));
    app.update();
    assert_eq!(app.world().resource::<Heard>().0, ["one", "read"]);
}
