//! A cabin: its position, its stops, its capacity.

use std::collections::BTreeSet;
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::building::GROUND;
use crate::doors::Open;
use crate::messages::{AllClear, DoorsClosed, FireAlarm, HowFar, Left, MayBoard, StopAt};

group! {
    /// All cabins of the building.
    pub CABINS,
}

const PER_FLOOR: Duration = Duration::from_secs(2);
const ROOM: usize = 4;

/// The cabin has reached the next floor. Posted by the cabin to itself.
#[derive(Message, Debug)]
pub struct NextFloor;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Waiting,
    Driving { up: bool },
    AtFloor,
}

/// Drives. Its doors are a separate component: see `doors.rs`.
#[derive(Debug)]
pub struct Cabin {
    floor: usize,
    up: bool,
    doing: Doing,
    stops: BTreeSet<usize>,
    riders: usize,
    is_emergency: bool,
}

impl Cabin {
    pub fn new() -> Self {
        Self {
            floor: GROUND,
            up: true,
            doing: Doing::Waiting,
            stops: BTreeSet::new(),
            riders: 0,
            is_emergency: false,
        }
    }

    /// Continues in its direction while there are stops ahead, and turns around otherwise.
    fn go_on(&mut self, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.stops.remove(&self.floor) {
            self.doing = Doing::AtFloor;
            return self.open_doors(cx);
        }
        if self.stops.is_empty() {
            self.doing = Doing::Waiting;
            return Ok(());
        }
        let is_ahead = |stop: &usize| (*stop > self.floor) == self.up;
        if !self.stops.iter().any(is_ahead) {
            self.up = !self.up;
        }
        self.doing = Doing::Driving { up: self.up };
        cx.post(Header::to(Me).after(PER_FLOOR), NextFloor)?;
        Ok(())
    }

    /// Posts instead of sending: the cabin must be able to answer when waiting passengers ask for room, and a
    /// running component cannot answer a request.
    fn open_doors(&self, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let soon = Header::to(Me).after(Duration::from_secs(1)).key("open");
        cx.post(soon, Open { floor: self.floor })?;
        Ok(())
    }
}

#[handlers]
impl Cabin {
    #[on_receive]
    fn how_far(&self, from: &HowFar) -> Option<usize> {
        let distance = self.floor.abs_diff(from.floor) + 2 * self.stops.len();
        (!self.is_emergency).then_some(distance)
    }

    #[on_receive]
    fn stop_at(&mut self, stop: &StopAt, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.doing == Doing::AtFloor && self.floor == stop.floor {
            return self.open_doors(cx);
        }
        self.stops.insert(stop.floor);
        if self.doing == Doing::Waiting {
            self.go_on(cx)?;
        }
        Ok(())
    }

    #[on_receive]
    fn next_floor(&mut self, _: &NextFloor, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if let Doing::Driving { up } = self.doing {
            self.floor = if up { self.floor + 1 } else { self.floor - 1 };
        }
        self.go_on(cx)
    }

    #[on_receive]
    fn closed(&mut self, _: &DoorsClosed, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.go_on(cx)
    }

    #[on_receive]
    fn may_board(&mut self, passenger: &MayBoard) -> bool {
        let has_room = self.riders < ROOM && !self.is_emergency;
        if has_room {
            self.riders += 1;
            self.stops.insert(passenger.to);
        }
        has_room
    }

    #[on_receive]
    fn left(&mut self, _: &Left) {
        self.riders -= 1;
    }

    /// Clears its stops, and drives to the ground floor.
    #[on_receive]
    fn fire(&mut self, _: &FireAlarm, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.is_emergency = true;
        self.stops = BTreeSet::from([GROUND]);
        match self.doing {
            Doing::Waiting => self.go_on(cx)?,
            Doing::AtFloor if cx.cancel("open") > 0 => self.go_on(cx)?,
            Doing::AtFloor | Doing::Driving { .. } => {}
        }
        Ok(())
    }

    #[on_receive]
    fn all_clear(&mut self, _: &AllClear) {
        self.is_emergency = false;
    }
}
