//! The order of handlers by `before` and `after`, beside priorities.

use std::error::Error;

use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

/// Each receiver adds its name.
#[derive(Message, Default)]
struct Hit(Vec<&'static str>);

/// Like [`Hit`], but no handler declares an order for it.
#[derive(Message, Default)]
struct Touch(Vec<&'static str>);

// Sorted by name, they would be Armour, Health, Log, Shield.

struct Armour;
struct Health;
struct Log(&'static str);
struct Shield;

#[handlers]
impl Armour {
    #[on_receive(after(Shield), before(Health))]
    fn hit(&self, hit: &mut Hit) {
        hit.0.push("armour");
    }

    #[on_receive]
    fn touch(&self, touch: &mut Touch) {
        touch.0.push("armour");
    }
}

#[handlers]
impl Health {
    #[on_receive]
    fn hit(&mut self, hit: &mut Hit, _: &mut Context<'_>) {
        hit.0.push("health");
    }

    #[on_receive]
    fn touch(&self, touch: &mut Touch) {
        touch.0.push("health");
    }
}

#[handlers]
impl Log {
    #[on_receive]
    fn hit(&self, hit: &mut Hit) {
        hit.0.push(self.0);
    }
}

#[handlers]
impl Shield {
    #[on_receive]
    fn hit(&self, hit: &mut Hit) {
        hit.0.push("shield");
    }

    #[on_receive]
    fn touch(&self, touch: &mut Touch) {
        touch.0.push("shield");
    }
}

// holds: send.before-after
#[test]
fn the_components_of_a_messagee_have_their_turn_as_before_and_after_say() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Health, Armour, Shield));
    let mut hit = Hit::default();
    manager.send_mut(id, &mut hit)?;
    assert_eq!(hit.0, ["shield", "armour", "health"]);
    Ok(())
}

// holds: send.before-after
#[test]
fn so_do_component_types_in_a_broadcast() -> Tested {
    let mut manager = MessageManager::new();
    for _ in 0..2 {
        manager.spawn((Health, Armour, Shield));
    }
    let mut hit = Hit::default();
    manager.send_mut(Everyone, &mut hit)?;
    let expected = ["shield", "shield", "armour", "armour", "health", "health"];
    assert_eq!(hit.0, expected);
    Ok(())
}

// holds: send.before-after, send.to-id-order
#[test]
fn those_of_which_nothing_is_said_keep_the_order_of_hooking() -> Tested {
    let mut manager = MessageManager::new();
    // On the first level are `Shield` and `Log`, of which neither runs before the other.
    let id = manager.spawn((Log("one"), Shield, Log("two"), Armour));
    let mut hit = Hit::default();
    manager.send_mut(id, &mut hit)?;
    assert_eq!(hit.0, ["one", "shield", "two", "armour"]);
    Ok(())
}

// holds: send.to-id-order
#[test]
fn the_order_is_that_of_one_message_and_of_no_other() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Health, Armour, Shield));
    let mut touch = Touch::default();
    manager.send_mut(id, &mut touch)?;
    assert_eq!(touch.0, ["health", "armour", "shield"]);
    Ok(())
}

/// Each receiver adds its name.
#[derive(Message, Default)]
struct Ring(Vec<String>);

struct Bell<T>(T);
struct Early;

#[handlers(types(Bell<u8>, Bell<&'static str>))]
impl<T: std::fmt::Display + Send + 'static> Bell<T> {
    #[on_receive(after(Early))]
    fn ring(&self, ring: &mut Ring) {
        ring.0.push(self.0.to_string());
    }
}

#[handlers]
impl Early {
    #[on_receive(priority = 0, before())]
    fn ring(&self, ring: &mut Ring) {
        ring.0.push("early".to_owned());
    }
}

// holds: send.before-after
#[test]
fn the_handlers_of_generic_components_can_be_ordered() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Bell(7_u8), Bell("bell"), Early));
    let mut ring = Ring::default();
    manager.send_mut(id, &mut ring)?;
    assert_eq!(ring.0, ["early", "7", "bell"]);
    Ok(())
}

/// Each receiver adds its name.
#[derive(Message, Default)]
struct Alarm(Vec<&'static str>);

struct Quick;
struct Slow;
struct Middle;

#[handlers]
impl Quick {
    #[on_receive(priority = 2, before(Slow))]
    fn alarm(&self, alarm: &mut Alarm) {
        alarm.0.push("quick");
    }
}

#[handlers]
impl Slow {
    #[on_receive(priority = 1, after(Middle))]
    fn alarm(&self, alarm: &mut Alarm) {
        alarm.0.push("slow");
    }
}

#[handlers]
impl Middle {
    #[on_receive(priority = 1)]
    fn alarm(&self, alarm: &mut Alarm) {
        alarm.0.push("middle");
    }
}

// holds: send.before-after
#[test]
fn what_agrees_with_the_priorities_may_be_said_too() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Slow, Middle, Quick));
    let mut alarm = Alarm::default();
    manager.send_mut(id, &mut alarm)?;
    assert_eq!(alarm.0, ["quick", "middle", "slow"]);
    Ok(())
}
