//! Handlers reach Bevy's world through commands, which are applied after the stage.

use bevy_app::Update;
use bevy_ecs::error::{BevyError, ErrorContext, FallbackErrorHandler};
use bevy_ecs::prelude::{Component, IntoScheduleConfigs, ResMut, Resource, World};
use bevy_ecs::world::EntityWorldMut;
use message_bevy::Message;
use message_bevy::prelude::*;

use crate::{Damage, Tested, app, id_of, with};

#[derive(Resource, Default)]
struct Log(Vec<&'static str>);

#[derive(Component)]
struct Marked;

#[derive(Message, Clone)]
struct Act;

struct Actor;

#[handlers]
impl Actor {
    #[on_receive]
    fn act(&mut self, _: &Act, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let me = cx.me();
        cx.queue(|world: &mut World| world.resource_mut::<Log>().0.push("command"))?;
        cx.queue_for(me, |mut entity: EntityWorldMut<'_>| {
            entity.insert(Marked);
        })?;
        cx.queue(|world: &mut World| {
            world.spawn(Messagee::new((Actor,)));
        })?;
        Ok(())
    }
}

#[test]
fn they_are_applied_after_the_stage_and_before_the_systems_behind_it() -> Tested {
    fn before(mut log: ResMut<'_, Log>) {
        log.0.push("update");
    }
    fn after(mut log: ResMut<'_, Log>) {
        log.0.push("behind");
    }
    let mut app = app();
    app.init_resource::<Log>()
        .add_systems(Update, before)
        .add_systems(Delivery::Update, after.after(MessageSystems::Deliver));
    let actor = app.world_mut().spawn(Messagee::new((Actor,))).id();
    let id = id_of(&app, actor);
    with(&mut app, |manager| {
        manager.post(Header::to(id).stage(Stage::Update), Act)
    })?;
    app.update();
    assert_eq!(
        app.world().resource::<Log>().0,
        ["update", "command", "behind"]
    );
    assert!(app.world().get::<Marked>(actor).is_some());
    // The second actor was spawned by a command, with its messagee.
    assert_eq!(with(&mut app, |manager| manager.len()), 2);
    Ok(())
}

#[test]
fn a_command_is_no_receiver_and_is_dropped_where_there_is_no_bevy() -> Tested {
    let mut app = app();
    app.init_resource::<Log>();
    let actor = app.world_mut().spawn(Messagee::new((Actor,))).id();
    let receipt = app.world_mut().send(actor, Act)?;
    assert_eq!((receipt.received, receipt.failed), (1, 0));
    let mut alone = MessageManager::new();
    let id = alone.spawn((Actor,));
    let receipt = alone.send(id, Act)?;
    assert_eq!((receipt.received, receipt.failed), (1, 0));
    Ok(())
}

#[test]
fn what_a_subscriber_queues_is_applied_too() -> Tested {
    let mut app = app();
    app.init_resource::<Log>();
    with(&mut app, |manager| {
        manager.subscribe(Filter::of::<Damage>(), |_, cx| {
            let queued =
                cx.queue(|world: &mut World| world.resource_mut::<Log>().0.push("subscriber"));
            queued.expect("it is not nested");
        });
    });
    app.world_mut().send(Everyone, Damage { amount: 1 })?;
    assert!(app.world().resource::<Log>().0.is_empty());
    app.update();
    assert_eq!(app.world().resource::<Log>().0, ["subscriber"]);
    Ok(())
}

#[test]
fn what_a_command_sends_is_applied_after_the_next_stage_so_every_stage_ends() -> Tested {
    #[derive(Message)]
    struct Again;
    struct Echo(u32);
    #[handlers]
    impl Echo {
        #[on_receive]
        fn again(&mut self, _: &Again, cx: &mut Context<'_>) -> Result<(), SendError> {
            self.0 += 1;
            let me = cx.me();
            cx.queue(move |world: &mut World| {
                let _ = world.send(me, Again);
            })
        }
    }
    let mut app = app();
    let echo = app.world_mut().spawn(Messagee::new((Echo(0),))).id();
    let id = id_of(&app, echo);
    app.world_mut().send(echo, Again)?;
    app.update();
    let count = with(&mut app, |manager| {
        manager.get::<Echo>(id).map(|echo| echo.0)
    })?;
    assert!((2..8).contains(&count), "{count}");
    Ok(())
}

#[test]
fn a_command_that_fails_is_told_to_the_error_handler() -> Tested {
    use std::sync::atomic::{AtomicU32, Ordering};
    static TOLD: AtomicU32 = AtomicU32::new(0);
    fn tell(_: BevyError, _: ErrorContext) {
        TOLD.fetch_add(1, Ordering::Relaxed);
    }
    let mut app = app();
    app.insert_resource(FallbackErrorHandler(tell));
    with(&mut app, |manager| {
        manager.subscribe(Filter::of::<Damage>(), |_, cx| {
            let queued = cx.queue(|_: &mut World| Err::<(), BevyError>("out of paint".into()));
            queued.expect("it is not nested");
        });
    });
    app.world_mut().send(Everyone, Damage { amount: 1 })?;
    app.update();
    assert_eq!(TOLD.load(Ordering::Relaxed), 1);
    Ok(())
}
