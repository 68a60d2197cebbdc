//! Enabling and disabling in a handler: who receives messages in transit, and when notices of it are sent.

use crate::common::{Actor, Do, Ear, Log, Note, Tested, stage};
use message_core::lifecycle::{Disabled, Enabled, Hooked};
use message_core::prelude::*;

/// Enables or disables components, in turn, when it hears a word.
struct Toggler(Vec<(HookId, bool)>);

#[handlers]
impl Toggler {
    #[on_receive(priority = 1)]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let mut all = self.0.iter();
        all.try_for_each(|&(hook, enabled)| cx.set_enabled(hook, enabled))
    }
}

// holds: reentrancy.switched-meanwhile, reentrancy.receivers-at-begin
#[test]
fn one_that_is_disabled_and_enabled_again_before_its_turn_receives_the_message() -> Tested {
    for to_everyone in [true, false] {
        let (mut manager, log) = (MessageManager::new(), Log::default());
        let id = manager.spawn((
            Toggler(Vec::new()),
            Ear::new("was on", &log),
            Actor::new("was off", &log),
        ));
        let hooks: Vec<HookId> = manager.hooks(id).collect();
        let (on, off) = (hooks[1], hooks[2]);
        manager.set_enabled(off, false)?;
        let all = [
            (on, false),
            (off, true),
            (off, false),
            (off, true),
            (on, true),
        ];
        manager.get_mut::<Toggler>(id)?.0 = all.into();
        let to = if to_everyone { Everyone } else { id.into() };
        assert_eq!(manager.send(to, Note("!"))?.received, 2);
        assert_eq!(log.take(), ["was on: !"]);
        assert!(manager.is_enabled(on)? && manager.is_enabled(off)?);
    }
    Ok(())
}

// holds: reentrancy.switched-meanwhile, reentrancy.receivers-at-begin
#[test]
fn whether_one_overhears_is_asked_when_the_send_begins_and_when_its_turn_comes() -> Tested {
    let (mut manager, log, one) = stage();
    let spy = manager.spawn((Ear::new("was on", &log), Actor::new("was off", &log)));
    let hooks: Vec<HookId> = manager.hooks(spy).collect();
    let (on, off) = (hooks[0], hooks[1]);
    manager.set_enabled(off, false)?;
    manager.hook(one, Toggler(vec![(on, false), (off, true), (on, true)]))?;
    manager.overhear(spy, Filter::of::<Note>())?;
    manager.send(one, Note("!"))?;
    assert_eq!(log.take(), ["actor: !", "was on: !"]);
    Ok(())
}

/// Logs when it is enabled or disabled.
struct Told(Log);

#[handlers]
impl Told {
    #[on_receive]
    fn disabled(&mut self, _: &Disabled) {
        self.0.add("disabled");
    }

    #[on_receive]
    fn enabled(&mut self, _: &Enabled) {
        self.0.add("enabled");
    }
}

// holds: reentrancy.new-hook-disabled, messagees.disabled-told
#[test]
fn a_hook_of_the_same_dispatch_is_told_to_be_disabled_before_any_later_change() -> Tested {
    for is_new in [true, false] {
        let (mut manager, log, actor) = stage();
        let old = manager.hook(actor, Told(log.clone()))?;
        let (new, told) = (Told(log.clone()), log.clone());
        manager.subscribe(Filter::of::<Hooked>(), move |_, _| told.add("hooked"));
        let script = Do::new(move |cx| {
            let hook = if is_new {
                cx.hook(actor, new).expect("it is alive")
            } else {
                old
            };
            cx.set_enabled(hook, false).expect("it is hooked");
            cx.spawn((Ear::new("later", &Log::default()),));
        });
        manager.send(actor, script)?;
        let expected: &[_] = if is_new {
            &["hooked", "disabled", "disabled", "hooked"]
        } else {
            &["disabled", "hooked"]
        };
        assert_eq!(log.take(), expected);
    }
    Ok(())
}

// holds: reentrancy.new-hook-disabled, messagees.disabled-told
#[test]
fn each_change_of_a_hook_of_the_same_dispatch_is_told_in_its_turn() -> Tested {
    let (mut manager, log, actor) = stage();
    let (new, told) = (Told(log.clone()), log.clone());
    manager.subscribe(Filter::of::<Hooked>(), move |_, _| told.add("hooked"));
    let script = Do::new(move |cx| {
        let hook = cx.hook(actor, new).expect("it is alive");
        cx.set_enabled(hook, false).expect("it is hooked");
        cx.spawn((Ear::new("later", &Log::default()),));
        cx.set_enabled(hook, true).expect("it is hooked");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["hooked", "disabled", "hooked", "enabled"]);
    Ok(())
}
