//! Several message types that are posted in turns and are due together: each batch is delivered a
//! part at a time, in the order of posting.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::common::Log;

const FRAME: Duration = Duration::from_millis(10);

#[derive(Message)]
struct Red(u32);

#[derive(Message)]
struct Green(u32);

/// Its handler takes a context.
#[derive(Message)]
struct Blue(u32);

struct Painter {
    log: Log,
    /// The posts that are cancelled when the blue message with this number arrives.
    cancels: Vec<(u32, Ticket)>,
    /// At which number of blue another red is posted for this frame.
    posts_at: Option<u32>,
}

#[handlers]
impl Painter {
    #[on_receive]
    fn red(&mut self, red: &Red) {
        self.log.add(format!("red {}", red.0));
    }

    #[on_receive]
    fn green(&mut self, green: &Green) {
        self.log.add(format!("green {}", green.0));
    }

    #[on_receive]
    fn blue(&mut self, blue: &Blue, cx: &mut Context<'_>) {
        self.log.add(format!("blue {}", blue.0));
        for (_, ticket) in self.cancels.iter().filter(|(at, _)| *at == blue.0) {
            assert_eq!(cx.cancel(*ticket), 1);
        }
        if self.posts_at == Some(blue.0) {
            let again = cx.post(Header::to(Me).stage(Stage::Update), Red(u32::MAX));
            assert!(again.is_ok());
        }
    }
}

/// Posts `many` messages, switching kinds after every `turn` of them. Returns their tickets and log lines in order.
fn paint(
    manager: &mut MessageManager,
    painter: MessageeId,
    many: u32,
    turn: u32,
) -> Vec<(Ticket, String)> {
    let later = Header::to(painter).after_frames(1).build();
    let later = later.expect("it is complete");
    let post = |number: u32| {
        let (posted, colour) = match number / turn % 3 {
            0 => (manager.post(&later, Red(number)), "red"),
            1 => (manager.post(&later, Green(number)), "green"),
            _ => (manager.post(&later, Blue(number)), "blue"),
        };
        let ticket = posted.expect("the painter is alive");
        (ticket, format!("{colour} {number}"))
    };
    (0..many).map(post).collect()
}

fn painter(log: &Log) -> Painter {
    Painter {
        log: log.clone(),
        cancels: Vec::new(),
        posts_at: None,
    }
}

// holds: time.due-order
#[test]
fn equal_due_times_come_in_the_order_posted_also_when_types_take_turns() {
    for turn in [1, 2, 5, 40, 700] {
        let (mut manager, log) = (MessageManager::new(), Log::default());
        let painter = manager.spawn((painter(&log),));
        let posted = paint(&mut manager, painter, 3_000, turn);
        assert_eq!(manager.tick(FRAME).delivered, 3_000);
        let said: Vec<String> = posted.into_iter().map(|(_, said)| said).collect();
        assert_eq!(log.take(), said, "in turns of {turn}");
    }
}

// holds: time.cancelled-never-delivered, time.own-stage-next-pass
#[test]
fn what_is_cancelled_in_the_pass_is_not_delivered_when_its_turn_comes() {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let id = manager.spawn((painter(&log),));
    let mut posted = paint(&mut manager, id, 3_000, 3);
    // Blue 6 cancels all of the batch of green that is left but the last few.
    let is_green = |(_, said): &(Ticket, String)| said.starts_with("green");
    let greens: Vec<Ticket> = posted[9..2_900]
        .iter()
        .filter(|it| is_green(it))
        .map(|(ticket, _)| *ticket)
        .collect();
    let component = manager.get_mut::<Painter>(id).expect("it has one");
    component.cancels = greens.iter().map(|&ticket| (6, ticket)).collect();
    component.posts_at = Some(6);
    posted.retain(|(ticket, _)| !greens.contains(ticket));
    assert_eq!(manager.tick(FRAME).delivered, posted.len());
    let said: Vec<String> = posted.into_iter().map(|(_, said)| said).collect();
    assert_eq!(log.take(), said);
    // A message posted in the pass waits for the next one.
    assert_eq!(manager.tick(FRAME).delivered, 1);
    assert_eq!(log.take(), [format!("red {}", u32::MAX)]);
}
