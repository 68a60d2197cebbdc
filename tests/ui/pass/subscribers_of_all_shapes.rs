//! Whatever can be called with a message and a context can subscribe.

use std::ops::ControlFlow;

use message_core::AnyMessage;
use message_core::prelude::*;

#[derive(Message, Debug)]
struct Damage {
    amount: u32,
}

type Boxed = Box<dyn FnMut(&Damage, &mut SubscriberContext<'_>) + Send>;

struct Watcher;

impl Watcher {
    fn watch(damage: &Damage, cx: &mut SubscriberContext<'_>) {
        assert!(damage.amount < 9 && cx.sender() == Sender::Outside);
    }
}

fn hear_any(message: &dyn AnyMessage, _: &mut SubscriberContext<'_>) {
    assert!(message.downcast_ref::<Damage>().is_some());
}

fn hear<M: Message>(_: &M, _: &mut SubscriberContext<'_>) {}

fn soften(damage: &mut Damage, _: &mut SubscriberContext<'_>) -> ControlFlow<()> {
    damage.amount /= 2;
    ControlFlow::Continue(())
}

fn count<M: Message>(manager: &mut MessageManager, mut count: impl FnMut() + Send + 'static) {
    manager.subscribe(Filter::of::<M>(), move |_, _| count());
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Damage>(), Watcher::watch);
    manager.subscribe(Filter::of::<Damage>(), hear::<Damage>);
    manager.subscribe(Filter::of(), hear::<Damage>);
    manager.subscribe(Filter::all(), hear_any);
    manager.subscribe(Filter::of::<Damage>().before(), soften);
    manager.subscribe(Filter::all().before(), |_, _| ControlFlow::Continue(()));
    let boxed: Boxed = Box::new(|_, _| ());
    manager.subscribe(Filter::of::<Damage>(), boxed);
    count::<Damage>(&mut manager, || ());
    let id = manager.spawn(());
    assert_eq!(manager.send(id, Damage { amount: 16 })?.received, 6);
    Ok(())
}
