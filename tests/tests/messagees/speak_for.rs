//! Acting on behalf of a messagee from outside: it offers the same operations as a context.

use std::time::Duration;

use crate::common::Tested;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::{PostKey, SpeakingFor};

mnemonic!(DOCTOR);

#[derive(Message, Clone, Debug, PartialEq)]
struct Call(u32);

#[derive(Message)]
#[message(reply = MessageeId)]
struct WhoAsks;

#[derive(Default)]
struct Ears {
    heard: Vec<(Sender, u32)>,
}

#[handlers]
impl Ears {
    #[on_receive]
    fn hear(&mut self, call: &Call, cx: &mut Context<'_>) {
        self.heard.push((cx.sender(), call.0));
    }

    #[on_receive]
    fn who(&self, _: &WhoAsks, cx: &mut Context<'_>) -> Option<MessageeId> {
        cx.sender().id()
    }
}

fn heard(manager: &MessageManager, id: MessageeId) -> Vec<(Sender, u32)> {
    let ears = manager.get::<Ears>(id).expect("it is alive");
    ears.heard.clone()
}

/// Does what a handler could do as well.
fn live(own: &mut SpeakingFor<'_>, other: MessageeId) -> Tested {
    let me = own.me();
    own.bind(DOCTOR, other)?;
    own.send(DOCTOR, Call(1))?;
    own.send_any(DOCTOR, Box::new(Call(2)))?;
    own.post(
        Header::to(EveryoneElse).after_frames(1).key("call"),
        Call(3),
    )?;
    own.post_to(Me, Header::to(DOCTOR).after_frames(1), Call(4))?;
    own.publish(Me, Call(5))?;
    assert_eq!(own.request(other, WhoAsks)?, me);
    assert_eq!(own.published::<Call>().to(Me).count(), 1);
    assert_eq!(own.pending_posts(Posts::all().to(Me)).len(), 1);
    assert!(own.has_pending("call"));
    assert_eq!(own.get::<Ears>(other)?.heard.len(), 2);
    let child = own.spawn(());
    own.set_parent(child, Some(me))?;
    assert_eq!(own.children(me).collect::<Vec<_>>(), [child]);
    own.desk()?.publish(Me, Call(6))?;
    own.with_cause(None, |own| own.publish(other, Call(7)))?;
    Ok(())
}

// holds: messagees.as-messagee-offers
#[test]
fn who_speaks_for_a_messagee_does_what_its_handlers_can() -> Tested {
    let mut manager = MessageManager::new();
    let me = manager.spawn((Ears::default(),));
    let other = manager.spawn((Ears::default(),));
    live(&mut manager.speak_for(me)?, other)?;
    let sender = Sender::Messagee(me);
    assert_eq!(heard(&manager, other), [(sender, 1), (sender, 2)]);
    manager.tick(Duration::ZERO);
    assert_eq!(heard(&manager, other).last(), Some(&(sender, 3)));
    assert_eq!(heard(&manager, me), [(sender, 4)]);
    let own = manager.speak_for(me)?;
    let mine: Vec<u32> = own.inbox::<Call>().to(Me).iter().map(|it| it.0).collect();
    assert_eq!(mine, [5, 6]);
    assert_eq!(own.inbox_any().from(me).count(), 3);
    Ok(())
}

// holds: time.key-cancels, time.key-is-senders
#[test]
fn a_name_of_a_post_stands_for_the_key_of_the_messagee_that_is_spoken_for() -> Tested {
    let mut manager = MessageManager::new();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let later = |to: MessageeId| Header::to(to).after_frames(9).key("call");
    manager.speak_for(one)?.post(later(one), Call(1))?;
    manager.speak_for(two)?.post(later(two), Call(2))?;
    assert_eq!(manager.speak_for(one)?.cancel("call"), 1);
    assert!(!manager.speak_for(one)?.has_pending("call"));
    assert!(manager.speak_for(two)?.has_pending(PostKey::from("call")));
    Ok(())
}

// holds: messagees.as-messagee-alive
#[test]
fn who_is_gone_cannot_be_spoken_for() -> Tested {
    let mut manager = MessageManager::new();
    let (me, other) = (manager.spawn(()), manager.spawn((Ears::default(),)));
    let mut own = manager.speak_for(me)?;
    let gone = |error: &SendError| {
        *error.kind() == SendErrorKind::Absent(Absence::Gone) && error.to() == Some(me.into())
    };
    let later = Header::to(other).after_frames(1).build()?;
    for is_gone in [false, true] {
        if is_gone {
            own.despawn(me)?;
        }
        let posted = own.post(&later, Call(1));
        assert_eq!(posted.is_err_and(|error| gone(&error)), is_gone);
    }
    assert!(own.send(other, Call(1)).is_err_and(|error| gone(&error)));
    assert!(own.publish(other, Call(1)).is_err_and(|error| gone(&error)));
    assert!(own.desk().is_err());
    assert!(heard(&manager, other).is_empty());
    Ok(())
}
