//! Questions to messagees of other rooms.

use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use message_data::ask::{Answered, Ask, AskError, AskTicket, Unanswered};
use serde::{Deserialize, Serialize};

use crate::common::House;

/// Asks a [`Sage`] something.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Riddle", reply = (u32, MessageeId))]
#[data(name = "rooms.Riddle", exact)]
enum Riddle {
    Double(u32),
    Decline,
    Fail,
    Panic,
    End,
}

/// Asks a messagee that nobody handles.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Unheard", reply = u32)]
#[data(name = "rooms.Unheard", exact)]
struct Unheard;

/// Makes an [`Asker`] ask.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.AskAbout")]
#[data(name = "rooms.AskAbout", exact)]
struct AskAbout {
    whom: MessageeId,
    riddle: Riddle,
    within: Duration,
}

#[derive(Data, Serialize, Deserialize, Debug)]
#[data(name = "rooms.Sage", exact)]
struct Sage;

#[handlers]
impl Sage {
    #[on_receive]
    fn riddle(
        &mut self,
        riddle: &Riddle,
        cx: &mut Context<'_>,
    ) -> Result<Option<(u32, MessageeId)>, HandlerError> {
        match riddle {
            Riddle::Double(number) => Ok(Some((number * 2, cx.me()))),
            Riddle::Decline => Ok(None),
            Riddle::Fail => Err("it is too hard".into()),
            Riddle::Panic => panic!("a sage has lost its mind"),
            Riddle::End => {
                cx.despawn(cx.me())?;
                Ok(Some((0, cx.me())))
            }
        }
    }
}

/// A question, the messagee that was asked, and the answer.
type Heard = (AskTicket, MessageeId, Result<(u32, MessageeId), Unanswered>);

#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(name = "rooms.Asker", exact)]
struct Asker {
    asked: Vec<AskTicket>,
    heard: Vec<Heard>,
}

#[handlers]
impl Asker {
    #[on_receive]
    fn ask(&mut self, ask: &AskAbout, cx: &mut Context<'_>) -> Result<(), AskError> {
        let asking = cx.ask(ask.whom, ask.riddle.clone());
        self.asked.push(asking.within(ask.within)?);
        Ok(())
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<Riddle>) {
        let Answered {
            ticket,
            from,
            answer,
        } = answered;
        self.heard.push((*ticket, *from, answer.clone()));
    }
}

/// Three rooms, an asker in the first, and a sage in the second whom it knows.
struct Court {
    house: House,
    asker: (usize, MessageeId),
    sage: MessageeId,
    known: MessageeId,
}

const LONG: Duration = Duration::from_secs(9);

impl Court {
    fn new() -> Self {
        let mut house = House::new(3);
        let asker = house.manager(0).spawn((Asker::default(),));
        let sage = house.manager(1).spawn((Sage,));
        let [here, there] = [house.ids[0], house.ids[1]];
        let known = house.rooms.proxy(here, there, sage).unwrap();
        Self {
            house,
            asker: (0, asker),
            sage,
            known,
        }
    }

    fn ask(&mut self, riddle: Riddle, within: Duration) {
        let ((room, asker), whom) = (self.asker, self.known);
        let ask = AskAbout {
            whom,
            riddle,
            within,
        };
        self.house.manager(room).send(asker, ask).unwrap();
    }

    fn heard(&self) -> Vec<Result<u32, Unanswered>> {
        let (room, asker) = self.asker;
        let manager = self.house.rooms.manager(self.house.ids[room]);
        let asker = manager.get::<Asker>(asker).unwrap();
        let told = asker.heard.iter().map(|(ticket, _, _)| ticket);
        assert!(told.eq(&asker.asked[..asker.heard.len()]), "in order");
        let answers = asker.heard.iter().map(|(_, _, answer)| answer.clone());
        answers
            .map(|answer| answer.map(|(number, _)| number))
            .collect()
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.house.frame();
        }
    }
}

// holds: rooms.ask
#[test]
fn the_answer_arrives_two_frames_later() {
    let mut court = Court::new();
    court.ask(Riddle::Double(4), LONG);
    court.frames(1);
    assert_eq!(court.heard(), []);
    court.frames(1);
    assert_eq!(court.heard(), [Ok(8)]);
    let manager = court.house.manager(0);
    let asker = manager.get::<Asker>(court.asker.1).unwrap();
    let (_, from, answer) = &asker.heard[0];
    // The sage has named itself, and is known here by its proxy.
    assert_eq!(
        (*from, answer.as_ref().unwrap().1),
        (court.known, court.known)
    );
}

// holds: rooms.ask-unanswered
#[test]
fn whoever_asks_is_told_why_there_is_no_answer() {
    let mut court = Court::new();
    for riddle in [
        Riddle::Decline,
        Riddle::Fail,
        Riddle::End,
        Riddle::Double(1),
    ] {
        court.ask(riddle, LONG);
    }
    court.frames(2);
    let heard = court.heard();
    assert!(
        matches!(&heard[0], Err(Unanswered::NoAnswer { .. })),
        "{heard:?}"
    );
    assert!(
        matches!(&heard[1], Err(Unanswered::HandlerFailed { why }) if why.contains("too hard")),
        "{heard:?}"
    );
    // It has ended while it was asked, and the last question comes after its end.
    assert_eq!(heard[2..], [Ok(0), Err(Unanswered::Gone)]);

    let mut court = Court::new();
    court.ask(Riddle::Double(1), LONG);
    let sage = court.sage;
    court.house.manager(1).despawn(sage).unwrap();
    court.frames(2);
    assert_eq!(court.heard(), [Err(Unanswered::Gone)]);

    let (asker, known) = (court.house.ears[0], court.house.proxy(0, 1));
    let manager = court.house.manager(0);
    let mut asker = manager.speak_for(asker).unwrap();
    asker.ask(known, Unheard).within(LONG).unwrap();
    let local = asker.me();
    let error = asker.ask(local, Unheard).within(LONG).unwrap_err();
    assert!(matches!(error, AskError::NoProxy { id } if id == local));
}

// holds: rooms.ask-unanswered, rooms.panics
#[test]
fn whoever_asks_is_told_of_a_panic() {
    let mut court = Court::new();
    court.ask(Riddle::Panic, LONG);
    court.ask(Riddle::Double(3), LONG);
    let error = court.house.rooms.frame(crate::common::FRAME).unwrap_err();
    assert!(error.to_string().contains("lost its mind"), "{error}");
    court.frames(1);
    assert_eq!(court.heard(), [Err(Unanswered::panicked()), Ok(6)]);
}

// holds: rooms.ask-unanswered
#[test]
fn an_answer_that_comes_too_late_is_not_told() {
    let mut court = Court::new();
    court.ask(Riddle::Double(4), Duration::from_millis(1));
    court.frames(1);
    assert_eq!(court.heard(), [Err(Unanswered::TimedOut)]);
    court.frames(3);
    assert_eq!(court.heard().len(), 1);
}

// holds: rooms.ask-moved
#[test]
fn a_question_follows_a_messagee_that_moves() {
    for to in [0, 2] {
        let mut court = Court::new();
        court.ask(Riddle::Double(5), LONG);
        let [from, to] = [court.house.ids[1], court.house.ids[to]];
        court.house.rooms.move_to(from, court.sage, to).unwrap();
        court.frames(2);
        assert_eq!(court.heard(), [Ok(10)]);
    }
}

// holds: rooms.ask-moved
#[test]
fn the_answer_follows_the_messagee_that_has_asked() {
    for to in [1, 2] {
        // It moves before the question has arrived, or while the answer is under way.
        for frames in [0, 1] {
            let mut court = Court::new();
            court.ask(Riddle::Double(6), LONG);
            court.frames(frames);
            let (_, asker) = court.asker;
            let [from, there] = [court.house.ids[0], court.house.ids[to]];
            let moved = court.house.rooms.move_to(from, asker, there).unwrap();
            court.asker = (to, moved);
            court.frames(4);
            assert_eq!(court.heard(), [Ok(12)], "to {to} after {frames} frames");
            // The tickets of another room are different ones.
            let sage = court
                .house
                .rooms
                .proxy(there, court.house.ids[1], court.sage);
            court.known = sage.unwrap();
            if to == 2 {
                court.ask(Riddle::Double(7), LONG);
                court.frames(2);
                assert_eq!(court.heard(), [Ok(12), Ok(14)]);
            }
        }
    }
}
