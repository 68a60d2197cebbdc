//! One header for many recipients: `post_to`.

use std::time::Duration;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;

#[derive(Message)]
struct Burn;

#[derive(Message)]
struct Light {
    whom: Recipient,
}

#[derive(Default)]
struct Wood {
    burnt: Vec<Sender>,
}

#[handlers]
impl Wood {
    #[on_receive]
    fn burn(&mut self, _: &Burn, cx: &mut Context<'_>) {
        self.burnt.push(cx.sender());
    }
}

#[derive(Default)]
struct Match {
    used: u32,
}

#[handlers]
impl Match {
    #[on_receive]
    fn light(&mut self, light: &Light, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let soon = Header::to(Everyone).after_frames(1).build()?;
        cx.post_to(light.whom, &soon, Burn)?;
        self.used += 1;
        Ok(())
    }
}

fn burnt(manager: &MessageManager, id: MessageeId) -> Vec<Sender> {
    let wood = manager.get::<Wood>(id).expect("it is alive");
    wood.burnt.clone()
}

fn frames(manager: &mut MessageManager, count: usize) {
    for _ in 0..count {
        manager.tick(Duration::ZERO);
    }
}

/// Returns a manager with two messagees that have wood.
fn forest() -> (MessageManager, MessageeId, MessageeId) {
    let mut manager = MessageManager::new();
    let oak = manager.spawn((Wood::default(),));
    let elm = manager.spawn((Wood::default(),));
    (manager, oak, elm)
}

// holds: headers.post-to
#[test]
fn it_goes_to_the_given_recipient_alone_whatever_the_header_says() {
    let (mut manager, oak, elm) = forest();
    let header = Header::to(oak).after_frames(2).build().expect("complete");
    for _ in 0..3 {
        manager.post_to(elm, &header, Burn).expect("it is alive");
    }
    frames(&mut manager, 2);
    assert_eq!(burnt(&manager, oak), []);
    assert_eq!(burnt(&manager, elm), [Sender::Outside; 3]);
}

// holds: headers.post-to
#[test]
fn a_recipient_that_is_no_messagee_will_do() {
    let (mut manager, oak, elm) = forest();
    let header = Header::to(oak).after_frames(1).build().expect("complete");
    manager.post_to(Everyone, &header, Burn).expect("always");
    frames(&mut manager, 1);
    assert_eq!(burnt(&manager, oak).len(), 1);
    assert_eq!(burnt(&manager, elm).len(), 1);
}

// holds: headers.post-to, headers.immediate-is-send
#[test]
fn with_stage_immediate_it_is_delivered_at_once() {
    let (mut manager, oak, elm) = forest();
    let header = Header::to(oak).build().expect("complete");
    manager.post_to(elm, &header, Burn).expect("it is alive");
    assert_eq!(burnt(&manager, elm).len(), 1);
    assert_eq!(burnt(&manager, oak), []);
}

// holds: headers.post-to, messagees.as-messagee-offers
#[test]
fn a_handler_and_who_speaks_for_a_messagee_are_its_senders() {
    let (mut manager, oak, _) = forest();
    let hand = manager.spawn((Match::default(),));
    let light = Light { whom: oak.into() };
    manager.send(hand, light).expect("it is alive");
    let header = Header::to(Everyone).after_frames(1).build();
    let header = header.expect("complete");
    let mut speaker = manager.speak_for(oak).expect("it is alive");
    speaker.post_to(Me, &header, Burn).expect("it is alive");
    assert_eq!(manager.get::<Match>(hand).expect("it is alive").used, 1);
    frames(&mut manager, 1);
    assert_eq!(burnt(&manager, oak), [hand.into(), oak.into()]);
}

// holds: headers.post-to-gone
#[test]
fn who_is_gone_is_an_error_that_names_the_messagee_and_the_message() {
    let (mut manager, oak, elm) = forest();
    let header = Header::to(oak).after_frames(1).build().expect("complete");
    manager.post_to(elm, &header, Burn).expect("it is alive");
    manager.despawn(elm).expect("it is alive");
    let error = manager.post_to(elm, &header, Burn);
    let message = Burn::NAME;
    assert_eq!(
        error,
        Err(SendError::new(
            message,
            elm,
            SendErrorKind::Absent(Absence::Gone)
        ))
    );
    frames(&mut manager, 1);
    assert_eq!(burnt(&manager, oak), []);
}

// holds: headers.post-to
#[test]
fn what_it_posts_is_found_by_its_recipient() {
    let (mut manager, oak, elm) = forest();
    let header = Header::to(oak).after_frames(1).build().expect("complete");
    let ticket = manager.post_to(elm, &header, Burn).expect("it is alive");
    assert!(manager.has_pending(Posts::all().to(elm)));
    assert!(!manager.has_pending(Posts::all().to(oak)));
    assert_eq!(manager.cancel(ticket), 1);
}

mnemonic!(HEARTH);
group!(LOGS);

// holds: headers.post-to, headers.mnemonic-when-delivered
#[test]
fn from_a_handler_it_goes_to_who_is_meant_when_it_is_due() -> Result<(), Box<dyn std::error::Error>>
{
    let (mut manager, oak, elm) = forest();
    let torch = manager.spawn((Match::default(), Wood::default()));
    for whom in [Me, HEARTH.into(), LOGS.into(), EveryoneElse] {
        manager.send(torch, Light { whom })?;
    }
    manager.bind(HEARTH, oak)?;
    manager.join(LOGS, elm)?;
    frames(&mut manager, 1);
    let from = Sender::Messagee(torch);
    assert_eq!(burnt(&manager, torch), [from]);
    assert_eq!(burnt(&manager, oak), [from; 2]);
    assert_eq!(burnt(&manager, elm), [from; 2]);
    Ok(())
}
