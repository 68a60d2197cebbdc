use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health(&'static str);

#[handlers]
impl Health {
    #[cfg(any())]
    #[on_receive]
    fn hurt_elsewhere(&mut self, _: &Damage) {
        self.0 = "elsewhere";
    }

    #[cfg(not(any()))]
    #[on_receive]
    fn hurt_here(&mut self, _: &Damage) {
        self.0 = "here";
    }

    #[on_receive]
    #[cfg(any())]
    fn of_a_type_that_is_not_there(&mut self, _: &ThereIsNoSuch) {}
}

// A block of which nothing is left.
#[handlers]
impl Empty {
    #[on_receive]
    #[cfg(any())]
    fn hurt(&mut self, _: &Damage) {}
}

struct Empty;

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health(""), Empty));
    manager.send(orc, Damage).unwrap();
    assert_eq!(manager.get::<Health>(orc).unwrap().0, "here");
    assert_eq!(message_core::registry().handled_by::<Health>().count(), 1);
    assert_eq!(message_core::registry().handled_by::<Empty>().count(), 0);
}
