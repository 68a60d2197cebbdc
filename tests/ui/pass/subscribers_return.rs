// holds: subscriptions.returns
//! A subscriber returns nothing, `bool` or `ControlFlow<()>`, an interceptor nothing or `ControlFlow<()>`,
//! and the types of a closure's parameters need not be written.

use std::ops::ControlFlow;

use message_core::prelude::*;

#[derive(Message, Debug)]
struct Damage {
    amount: u32,
}

fn main() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    let mut sums = Vec::new();
    manager.subscribe(Filter::of::<Damage>(), move |damage, _| {
        sums.push(damage.amount)
    });
    manager.subscribe(Filter::of::<Damage>(), |damage, _| damage.amount > 9);
    manager.subscribe(Filter::all(), |message, _| {
        message.downcast_ref::<Damage>().is_none()
    });
    manager.subscribe(Filter::of::<Damage>().before(), |damage, _| {
        damage.amount -= 1
    });
    manager.subscribe(Filter::of::<Damage>().before(), |damage, cx| {
        if damage.amount == 0 {
            return ControlFlow::Break(());
        }
        assert_eq!(cx.sender(), Sender::Outside);
        ControlFlow::Continue(())
    });
    manager.subscribe(
        Filter::of::<Damage>().when(|damage| damage.amount > 99),
        |_, _| panic!("never"),
    );
    manager.subscribe(
        Filter::all()
            .when(|message| message.downcast_ref::<Damage>().is_some())
            .before(),
        |_, _| (),
    );
    manager.subscribe(Filter::of::<Damage>(), |damage, cx| {
        if damage.amount > 5 {
            let _ = cx.cancel("attack");
        }
        match damage.amount {
            7 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    let orc = manager.spawn(());
    assert_eq!(manager.send(orc, Damage { amount: 8 })?.received, 2);
    Ok(())
}
