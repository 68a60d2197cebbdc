//! A send to one component that nobody listens to ends where it begins. This must make no difference:
//! random programs run once as they are, and once with everything heard or traced or with panics caught, so
//! that every message is delivered in all steps.

use std::ops::ControlFlow;

use crate::random_programs::{Move, Tap, Unsaid, assert_same, limits, run};
use message_core::prelude::*;
use message_core::{AnyMessage, PanicPolicy};
use message_trace::Recorder;

// holds: seeing.changes-nothing, subscriptions.hidden
#[test]
fn whether_a_message_takes_the_short_way_or_the_long_way_makes_no_difference() {
    let mut lines = 0;
    for dice in 0..60 {
        let panics = dice % 3 == 2;
        let short = run(dice, [false, panics], limits(), |_| {});
        lines += short.len();
        let heard = run(dice, [false, panics], limits(), |manager| {
            manager.subscribe(Filter::all().hidden(), |_: &dyn AnyMessage, _| {});
        });
        assert_same(dice, &short, &heard, "heard");
        let intercepted = run(dice, [false, panics], limits(), |manager| {
            let pass =
                |_: &mut dyn AnyMessage, _: &mut SubscriberContext<'_>| ControlFlow::Continue(());
            manager.subscribe(Filter::all().hidden().before(), pass);
        });
        assert_same(dice, &short, &intercepted, "intercepted");
        let one_type = run(dice, [false, panics], limits(), |manager| {
            manager.subscribe(Filter::of::<Tap>().hidden(), |_: &Tap, _| {});
            manager.subscribe(Filter::of::<Move>().hidden(), |_: &Move, _| {});
        });
        assert_same(dice, &short, &one_type, "some types heard");
        let traced = run(dice, [false, panics], limits(), |manager| {
            Recorder::new(16).start(manager);
        });
        assert_same(dice, &short, &traced, "traced");
        if panics {
            continue;
        }
        let guarded = run(
            dice,
            [false, panics],
            limits().panic_policy(PanicPolicy::Unhook),
            |_| {},
        );
        assert_same(dice, &short, &guarded, "guarded");
    }
    assert!(lines > 40_000, "{lines}");
}

// holds: seeing.changes-nothing
#[test]
fn in_which_list_others_listen_makes_no_difference() {
    let mut lines = 0;
    for dice in 0..60 {
        let panics = dice % 3 == 2;
        // It never hears anything, and makes the numbers of all others the same.
        let alone = run(dice, [true, panics], limits(), |manager| {
            manager.subscribe(Filter::of::<Unsaid>().hidden(), |_: &Unsaid, _| {});
        });
        lines += alone.len();
        let beside_any = run(dice, [true, panics], limits(), |manager| {
            manager.subscribe(Filter::all().hidden(), |_: &dyn AnyMessage, _| {});
        });
        assert_same(dice, &alone, &beside_any, "beside one to all types");
        let beside_picky = run(dice, [true, panics], limits(), |manager| {
            let stranger = MessageManager::new().spawn(());
            let picky = Filter::of::<Tap>().from(stranger).hidden();
            manager.subscribe(picky, |_: &Tap, _| unreachable!("a stranger says nothing"));
        });
        assert_same(dice, &alone, &beside_picky, "beside one that hears nothing");
        let traced = run(dice, [true, panics], limits(), |manager| {
            manager.subscribe(Filter::of::<Unsaid>().hidden(), |_: &Unsaid, _| {});
            Recorder::new(16).start(manager);
        });
        assert_same(dice, &alone, &traced, "traced");
    }
    assert!(lines > 20_000, "{lines}");
}
