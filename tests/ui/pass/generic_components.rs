use message_core::prelude::*;
use std::fmt::Debug;

#[derive(Message)]
struct Wait {
    seconds: u32,
}

#[derive(Message)]
#[message(reply = Vec<T>, types(Ready<Fire>, Ready<Ice>))]
struct Ready<T>(T);

#[derive(Clone, Debug, PartialEq)]
struct Fire;
#[derive(Clone, Debug, PartialEq)]
struct Ice;

struct Cooldown<T, const SLOTS: usize> {
    of: T,
    left: [u32; SLOTS],
}

#[handlers(types(Cooldown<Fire, 1>, Cooldown<Ice, 2>))]
impl<T: Clone, const SLOTS: usize> Cooldown<T, SLOTS>
where
    T: Debug,
{
    #[on_receive]
    fn wait(&mut self, wait: &Wait, _: &mut Context<'_>) {
        for left in &mut self.left {
            *left = left.saturating_sub(wait.seconds);
        }
    }

    #[on_receive]
    fn ready(&self, _: &Ready<T>) -> Option<Vec<T>> {
        let ready = self.left.iter().filter(|&&left| left == 0);
        Some(ready.map(|_| self.of.clone()).collect())
    }

    #[cfg(any())]
    #[on_receive]
    fn absent(&mut self, _: &ThereIsNoSuch<T>) {}

    #[cfg(all())]
    #[on_receive]
    fn present(&mut self, _: &Reset) {
        self.left = [9; SLOTS];
    }
}

#[derive(Message)]
struct Reset;

// A block for one instantiation of a generic component is not generic.
#[derive(Message)]
struct Melt;

#[handlers]
impl Cooldown<Ice, 2> {
    #[on_receive]
    fn melt(&mut self, _: &Melt) -> Result<(), SendError> {
        self.left = [0; 2];
        Ok(())
    }
}

// None at link time: all are registered by hand.
#[handlers(types())]
impl<T: Send + 'static> Nobody<T> {
    #[on_receive]
    fn wait(&mut self, _: &Wait) {}
}

#[allow(dead_code)]
struct Nobody<T>(T);

fn main() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    let left = [1];
    let mage = manager.spawn((Cooldown { of: Fire, left }, Cooldown { of: Ice, left: [1, 2] }));
    assert_eq!(manager.send(mage, Wait { seconds: 1 })?.received, 2);
    assert_eq!(manager.request(mage, Ready(Fire))?, [Fire]);
    assert_eq!(manager.request(mage, Ready(Ice))?, [Ice]);
    assert_eq!(manager.send(mage, Melt)?.received, 1);
    assert_eq!(manager.request(mage, Ready(Ice))?, [Ice, Ice]);
    assert_eq!(manager.send(mage, Reset)?.received, 2);
    assert_eq!(manager.request(mage, Ready(Ice))?, []);
    Ok(())
}
