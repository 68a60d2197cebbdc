//! Queries of the registry.

use message_core::MessageId;
use message_core::lifecycle::{
    DeadLetter, Despawning, Disabled, Enabled, HandlerFailed, HandlerPanicked, Hooked, Restored,
    Unhooking,
};
use message_core::prelude::*;
use message_core::{
    registry,
    registry::{HandlerInfo, MessageInfo, Place},
    try_registry,
};

/// Labels of message types.
mod tags {
    message_core::tag!(pub(super) COMBAT, pub(super) LOGGED);
}

use tags::LOGGED;

const STRUCK_AT: u32 = line!() + 1;
#[derive(Message)]
#[message(name = "game.struck", tags(tags::COMBAT, LOGGED))]
struct Struck {
    amount: u32,
}

#[derive(Message)]
#[message(name = "game.healed")]
struct Healed {
    amount: u32,
}

/// A message without a handler.
#[derive(Message)]
#[message(name = "game.whisper")]
struct Whisper;

#[derive(Message)]
#[message(name = "game.of", types(Of<u8>, Of<u16>))]
struct Of<T>(T);

struct Armour {
    left: u32,
}

const ABSORB_AT: u32 = line!() + 4;
#[handlers]
impl Armour {
    #[on_receive(priority = 5)]
    fn absorb(&mut self, struck: &mut Struck) {
        let absorbed = struck.amount.min(self.left);
        self.left -= absorbed;
        struck.amount -= absorbed;
    }
}

struct Body {
    hp: u32,
}

#[handlers]
impl Body {
    #[on_receive]
    fn struck(&mut self, struck: &Struck) {
        self.hp = self.hp.saturating_sub(struck.amount);
    }

    #[on_receive]
    fn healed(&mut self, healed: &Healed, cx: &mut Context<'_>) {
        if cx.is_alive(cx.me()) {
            self.hp += healed.amount;
        }
    }
}

struct Account {
    total: u32,
}

#[handlers]
impl Account {
    #[on_receive]
    fn add(&mut self, struck: &Struck) {
        self.total += struck.amount;
    }

    #[on_receive]
    fn of(&mut self, of: &Of<u8>) {
        self.total += u32::from(of.0);
    }
}

/// A component without handlers.
struct Silent;

fn names<'a>(messages: impl Iterator<Item = &'a MessageInfo>) -> Vec<&'a str> {
    messages.map(|info| info.name).collect()
}

fn methods<'a>(handlers: impl Iterator<Item = &'a HandlerInfo>) -> Vec<&'a str> {
    handlers.map(|handler| handler.method).collect()
}

#[test]
fn the_registry_finds_a_message_type_by_name() {
    let found = registry().message_named("game.healed");
    assert_eq!(found.map(|info| info.id), Some(Healed::ID));
    assert!(registry().message_named("game.heale").is_none());
    assert!(registry().message_named("").is_none());
}

#[test]
fn the_registry_finds_a_message_type_by_id() {
    let found = registry().message(Healed::ID);
    assert_eq!(found.map(|info| info.name), Some("game.healed"));
    assert!(registry().message(MessageId::from_bits(42)).is_none());
}

#[test]
fn the_registry_lists_all_message_types_those_of_the_manager_included() {
    let own = [
        "game.healed",
        "game.of<u16>",
        "game.of<u8>",
        "game.struck",
        "game.whisper",
        DeadLetter::NAME,
        Despawning::NAME,
        Disabled::NAME,
        Enabled::NAME,
        HandlerFailed::NAME,
        HandlerPanicked::NAME,
        Hooked::NAME,
        Restored::NAME,
        Unhooking::NAME,
    ];
    let mut listed = names(registry().messages());
    assert_eq!(listed.len(), registry().messages().len());
    listed.retain(|name| name.starts_with("game.") || name.contains("::lifecycle::"));
    assert_eq!(listed, own);
}

#[test]
fn the_registry_knows_who_handles_what_in_the_order_of_a_broadcast() {
    let handlers = registry().handlers_of(Struck::ID);
    // The one with priority, then by the names of the component types.
    assert_eq!(methods(handlers), ["absorb", "add", "struck"]);
    assert_eq!(methods(registry().handlers_of(Whisper::ID)), [""; 0]);
    assert_eq!(methods(registry().handlers_of(MessageId::UNKNOWN)), [""; 0]);
}

#[test]
fn the_registry_tells_what_each_handler_is() {
    let absorb = registry().handlers_of(Struck::ID).next();
    let absorb = absorb.expect("it is handled");
    assert_eq!(absorb.component, std::any::type_name::<Armour>());
    assert_eq!(absorb.message, "game.struck");
    assert_eq!(absorb.method, "absorb");
    assert_eq!(absorb.priority, 5);
    let place = Place {
        file: file!(),
        line: ABSORB_AT,
    };
    assert_eq!(absorb.place, place);
}

#[test]
fn the_registry_lists_every_handler_by_message() {
    let all: Vec<&HandlerInfo> = registry().handlers().collect();
    assert!(all.is_sorted_by_key(|handler| handler.message));
    let own = all.iter().filter(|it| it.message.starts_with("game."));
    let own: Vec<&str> = own.map(|handler| handler.method).collect();
    assert_eq!(own, ["healed", "of", "absorb", "add", "struck"]);
}

#[test]
fn the_registry_knows_which_message_types_nobody_handles() {
    let is_handled = |message: &&MessageInfo| registry().handlers_of(message.id).next().is_some();
    let mut unhandled = names(registry().messages().filter(|it| !is_handled(it)));
    unhandled.retain(|name| name.starts_with("game."));
    assert_eq!(unhandled, ["game.of<u16>", "game.whisper"]);
}

#[test]
fn the_registry_lists_the_component_types_that_have_handlers() {
    let components = registry().components().map(|component| component.name);
    let expected = [
        std::any::type_name::<Account>(),
        std::any::type_name::<Armour>(),
        std::any::type_name::<Body>(),
    ];
    assert_eq!(components.collect::<Vec<_>>(), expected);
    assert!(registry().component::<Silent>().is_none());
    let armour = registry().component::<Armour>().expect("it has handlers");
    assert_eq!(armour.name, std::any::type_name::<Armour>());
    let place = Place {
        file: file!(),
        line: ABSORB_AT,
    };
    assert_eq!(armour.place, place);
}

#[test]
fn the_registry_knows_what_a_component_type_handles() {
    assert_eq!(
        methods(registry().handled_by::<Body>()),
        ["healed", "struck"]
    );
    assert_eq!(methods(registry().handled_by::<Silent>()), [""; 0]);
}

#[test]
fn the_registry_knows_which_component_types_can_be_busy() {
    let busy = |name: &str| {
        let mut components = registry().components();
        let component = components.find(|it| it.name == name);
        component.map(|it| it.can_be_busy)
    };
    assert_eq!(busy(std::any::type_name::<Body>()), Some(true));
    assert_eq!(busy(std::any::type_name::<Account>()), Some(false));
}

#[test]
fn the_registry_lists_the_tags_of_a_message_type() {
    let struck = registry().message(Struck::ID).expect("it is linked in");
    assert_eq!(struck.tags, tags::COMBAT | LOGGED);
    let healed = registry().message(Healed::ID).expect("it is linked in");
    assert!(healed.tags.is_empty());
}

#[test]
fn the_registry_tells_where_a_message_type_is_declared() {
    let struck = registry().message(Struck::ID).expect("it is linked in");
    let place = Place {
        file: file!(),
        line: STRUCK_AT,
    };
    assert_eq!(struck.place, place);
    assert_eq!(struck.place.to_string(), format!("{}:{STRUCK_AT}", file!()));
}

#[test]
fn the_registry_is_the_same_each_time_it_is_asked() {
    let again = try_registry().expect("no two ids are the same");
    assert!(std::ptr::eq(registry(), again));
}

#[test]
fn what_the_registry_lists_is_what_happens() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((
        Body { hp: 10 },
        Account { total: 0 },
        Armour { left: 3 },
        Silent,
    ));
    let receipt = manager.send(id, Struck { amount: 5 })?;
    assert_eq!(
        receipt.received as usize,
        registry().handlers_of(Struck::ID).count()
    );
    assert_eq!(manager.get::<Body>(id)?.hp, 8);
    assert_eq!(manager.get::<Account>(id)?.total, 2);
    assert_eq!(manager.send(id, Whisper)?.received, 0);
    assert_eq!(manager.send(id, Of(3_u8))?.received, 1);
    assert_eq!(manager.send(id, Of(3_u16))?.received, 0);
    assert_eq!(manager.send(id, Healed { amount: 1 })?.received, 1);
    Ok(())
}
