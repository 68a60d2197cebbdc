//! From the requests of `ggrs` to a manager and its snapshots.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use ggrs::{Config, Frame, GgrsRequest, PredictRepeatLast};
use message_core::{ManagerConfig, Snapshot};
use message_data::{self as data, Difference, Digest, SaveOptions};

use crate::game::{Keys, World};

/// The errors that a game without mistakes can have.
pub type Failure = Box<dyn std::error::Error>;

/// How many frames are kept. A difference is reported some frames late, and its frame should still be there then.
const KEPT: usize = 64;

/// The types of a session.
#[derive(Debug)]
pub struct Duel;

impl Config for Duel {
    type Input = Keys;
    type InputPredictor = PredictRepeatLast;
    /// The snapshots are in a ring of our own, whose memory is used again.
    type State = ();
    type Address = SocketAddr;
}

/// A world that can go back.
#[derive(Debug)]
pub struct Rollback {
    /// The world.
    pub world: World,
    ring: Vec<Snapshot>,
    /// The hash of the state before each frame, as of the last time that the frame was simulated.
    pub hashes: BTreeMap<Frame, u64>,
    /// How often the world went back.
    pub rewinds: usize,
    /// Calls a function before each frame, also when it is simulated again. It is for tests.
    pub meddle: Option<fn(&mut World, Frame)>,
}

impl Rollback {
    /// Creates a world that can go back.
    ///
    /// # Errors
    ///
    /// None, unless the game has a mistake.
    pub fn new() -> Result<Self, Failure> {
        let mut ring = Vec::new();
        ring.resize_with(KEPT, Snapshot::new);
        Ok(Self {
            world: World::new()?,
            ring,
            hashes: BTreeMap::new(),
            rewinds: 0,
            meddle: None,
        })
    }

    fn frame(&self) -> Frame {
        Frame::try_from(self.world.manager.clock().frame()).unwrap_or(Frame::MAX)
    }

    fn place(frame: Frame) -> usize {
        usize::try_from(frame).unwrap_or(0) % KEPT
    }

    /// Carries out requests, in their order.
    ///
    /// # Errors
    ///
    /// Returns an error if a component or a message cannot be cloned.
    pub fn handle(&mut self, requests: Vec<GgrsRequest<Duel>>) -> Result<(), Failure> {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    self.world
                        .manager
                        .snapshot_into(&mut self.ring[Self::place(frame)])?;
                    let hash = Digest::of(&self.world.manager).total();
                    self.hashes.insert(frame, hash);
                    cell.save(frame, Some(()), Some(hash.into()));
                }
                GgrsRequest::LoadGameState { frame, .. } => {
                    self.rewinds += 1;
                    self.world.manager.rewind(&self.ring[Self::place(frame)])?;
                    if self.frame() != frame {
                        return Err(format!("frame {frame} is too long ago").into());
                    }
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    let frame = self.frame();
                    if let Some(meddle) = self.meddle {
                        meddle(&mut self.world, frame);
                    }
                    let [(left, _), (right, _)] = inputs[..] else {
                        return Err("there are two players".into());
                    };
                    self.world.advance([left, right])?;
                }
            }
        }
        Ok(())
    }

    /// Returns the state before a frame as bytes, to be compared by the other player. Returns `None` if the frame is too long
    /// ago.
    ///
    /// # Errors
    ///
    /// Returns an error if a type has no data.
    pub fn state_at(&mut self, frame: Frame) -> Result<Option<Vec<u8>>, Failure> {
        let there = &self.ring[Self::place(frame)];
        if there.frame() != u64::try_from(frame).ok() {
            return Ok(None);
        }
        let manager = &mut self.world.manager;
        let now = manager.snapshot()?;
        manager.rewind(there)?;
        let bytes = data::save(manager, &SaveOptions::new())?;
        manager.rewind(&now)?;
        Ok(Some(bytes))
    }
}

/// Returns the first difference between two states of a frame.
///
/// # Errors
///
/// Returns an error if the bytes are not a state of this game.
pub fn difference(mine: &[u8], yours: &[u8]) -> Result<Option<Difference>, Failure> {
    let mine = data::restore(mine, ManagerConfig::new())?.manager;
    let yours = data::restore(yours, ManagerConfig::new())?.manager;
    Ok(Difference::between(&mine, &yours))
}
