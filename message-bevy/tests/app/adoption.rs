//! Messagees that are already there get entities: those of a save, of a world file, and those of handlers.

#[cfg(feature = "hierarchy")]
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::{Entity, Name};
use message_bevy::Message;
use message_bevy::prelude::*;
use message_data::{self as data, Data, SaveOptions};
use serde::{Deserialize, Serialize};

use crate::{Damage, GetHp, Health, Tested, app, id_of, is_alive, orc, with};

#[derive(Data, Serialize, Deserialize)]
#[data(name = "bevy.Hull", exact)]
struct Hull {
    left: u32,
}

#[derive(Message, Clone, Data, Serialize, Deserialize)]
#[data(name = "bevy.Ram")]
struct Ram;

#[handlers]
impl Hull {
    #[on_receive]
    fn ram(&mut self, _: &Ram, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.left -= 1;
        if self.left == 0 {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }
}

fn name(app: &bevy_app::App, entity: Entity) -> Option<&str> {
    app.world().get::<Name>(entity).map(Name::as_str)
}

#[test]
fn an_adopted_messagee_lives_and_dies_with_its_entity() -> Tested {
    let mut app = app();
    let [one, two] = with(&mut app, |manager| {
        [1, 2].map(|hp| manager.spawn((Health { hp },)))
    });
    let first = app.world_mut().spawn(Messagee::adopt(one)).id();
    let second = app.world_mut().spawn(Messagee::adopt(two)).id();
    assert_eq!(id_of(&app, first), one);
    app.world_mut().send(second, Damage { amount: 1 })?;
    assert_eq!(with(&mut app, |manager| manager.request(two, GetHp))?, 1);
    app.world_mut().despawn(first);
    assert!(!is_alive(&mut app, one));
    with(&mut app, |manager| manager.despawn(two))?;
    app.update();
    assert!(app.world().get_entity(second).is_err());
    Ok(())
}

#[test]
fn an_entity_that_has_a_name_gives_it_and_another_one_gets_it() -> Tested {
    let mut app = app();
    let [one, two] = with(&mut app, |manager| [manager.spawn(()), manager.spawn(())]);
    with(&mut app, |manager| {
        manager.set_name(one, "one")?;
        manager.set_name(two, "two")
    })?;
    let kept = app.world_mut().spawn(Messagee::adopt(one)).id();
    assert_eq!(name(&app, kept), Some("one"));
    let given = (Name::new("zwei"), Messagee::adopt(two));
    let given = app.world_mut().spawn(given).id();
    assert_eq!(name(&app, given), Some("zwei"));
    let told = with(&mut app, |manager| manager.name(two));
    assert_eq!(told.as_deref(), Some("zwei"));
    Ok(())
}

#[test]
fn all_messagees_are_adopted_once_with_their_families() -> Tested {
    let mut app = app();
    let kept = orc(&mut app, 8);
    let [turret, tank, barrel] = with(&mut app, |manager| {
        let family = [(); 3].map(|()| manager.spawn(()));
        let [turret, tank, barrel] = family;
        manager.set_parent(turret, Some(tank))?;
        manager.set_parent(barrel, Some(turret))?;
        Ok::<_, MessageeError>(family)
    })?;
    let adopted = Messenger::adopt_all(app.world_mut());
    let ids: Vec<_> = adopted.iter().map(|it| id_of(&app, *it)).collect();
    assert_eq!(ids, [turret, tank, barrel]);
    assert!(!adopted.contains(&kept));
    assert!(Messenger::adopt_all(app.world_mut()).is_empty());
    #[cfg(feature = "hierarchy")]
    {
        let parent = |it: Entity| app.world().get::<ChildOf>(it).map(ChildOf::parent);
        let [turret, tank, barrel] = [adopted[0], adopted[1], adopted[2]];
        assert_eq!(parent(turret), Some(tank));
        assert_eq!(parent(barrel), Some(turret));
        assert_eq!(parent(tank), None);
    }
    let parent = |id| with(&mut app, |manager| manager.parent(id));
    assert_eq!(
        [turret, tank, barrel].map(parent),
        [Some(tank), None, Some(turret)]
    );
    Ok(())
}

#[test]
#[cfg(feature = "hierarchy")]
fn an_entity_that_is_a_child_gives_its_parent() {
    let mut app = app();
    let [old, child] = with(&mut app, |manager| [manager.spawn(()), manager.spawn(())]);
    let set = with(&mut app, |manager| manager.set_parent(child, Some(old)));
    set.expect("both are alive");
    let new = orc(&mut app, 8);
    let entity = app
        .world_mut()
        .spawn((Messagee::adopt(child), ChildOf(new)));
    let entity = entity.id();
    assert_eq!(
        app.world().get::<ChildOf>(entity).map(ChildOf::parent),
        Some(new)
    );
    let parent = with(&mut app, |manager| manager.parent(child));
    assert_eq!(parent, Some(id_of(&app, new)));
}

#[test]
#[should_panic(expected = "(`grom`): expected a messagee that is alive")]
fn a_messagee_that_is_gone_is_not_adopted() {
    let mut app = app();
    let id = with(&mut app, |manager| manager.spawn(()));
    let gone = with(&mut app, |manager| manager.despawn(id));
    gone.expect("it was alive");
    app.world_mut()
        .spawn((Name::new("grom"), Messagee::adopt(id)));
}

#[test]
#[should_panic(expected = "expected a messagee without an entity, but it belongs to")]
fn a_messagee_with_an_entity_is_not_adopted_by_another_one() {
    let mut app = app();
    let orc = orc(&mut app, 8);
    let id = id_of(&app, orc);
    app.world_mut().spawn(Messagee::adopt(id));
}

/// Saves the world, and puts a restored manager in its place.
fn reload(app: &mut bevy_app::App) -> Result<MessageManager, Box<dyn std::error::Error>> {
    let mut messenger = app.world_mut().resource_mut::<Messenger>();
    let save = data::save(messenger.manager(), &SaveOptions::new())?;
    let restored = data::restore(&save, messenger.config().clone())?;
    Ok(Messenger::replace(app.world_mut(), restored.manager))
}

#[test]
fn a_restored_manager_replaces_the_one_of_the_app_with_all_bridges() -> Tested {
    use bevy_ecs::message::Messages;
    let mut app = app();
    app.hear::<Ram>();
    let hull = (Name::new("bow"), Messagee::new((Hull { left: 2 },)));
    let before = app.world_mut().spawn(hull).id();
    app.update();
    let mut old = reload(&mut app)?;
    assert!(app.world().get_entity(before).is_err());
    assert_eq!(old.find("bow").count(), 1, "it is returned as it was");

    let after = Messenger::adopt_all(app.world_mut())[0];
    assert_eq!(name(&app, after), Some("bow"));
    let id = id_of(&app, after);
    let inlet = app.world().resource::<MessageInlet>().clone();
    inlet.try_post(Header::to(id), Ram)?;
    app.update();
    let heard = |app: &mut bevy_app::App| {
        let mut heard = app.world_mut().resource_mut::<Messages<Heard<Ram>>>();
        heard.drain().count()
    };
    assert_eq!(heard(&mut app), 1);
    assert_eq!(
        with(&mut app, |manager| manager
            .get::<Hull>(id)
            .map(|hull| hull.left))?,
        1
    );
    // The old manager goes on by itself, and the entity ends with its messagee.
    old.send(Everyone, Ram)?;
    app.update();
    assert_eq!(heard(&mut app), 0);
    app.world_mut().send(after, Ram)?;
    app.update();
    assert!(app.world().get_entity(after).is_err());
    Ok(())
}

#[test]
#[should_panic(expected = "was replaced by an assignment, so it is not connected to Bevy")]
fn a_manager_that_was_assigned_is_refused() {
    let mut app = app();
    with(&mut app, |manager| *manager = MessageManager::new());
    app.update();
}
