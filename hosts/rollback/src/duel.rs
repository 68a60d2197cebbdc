//! Two players in one process, each with a world and a socket of its own.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ggrs::{
    DesyncDetection, Frame, GgrsError, GgrsEvent, P2PSession, PlayerType, SessionBuilder,
    SessionState,
};
use message_data::Difference;

use crate::game::Keys;
use crate::lossy::{Faults, LossySocket};
use crate::rollback::{Duel, Failure, Rollback, difference};

/// How many frames a player simulates ahead of the other's inputs.
const AHEAD: usize = 8;

/// How many frames lie between two comparisons of states.
const INTERVAL: u32 = 10;

/// How long a duel may take. It takes some seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the keys that a player holds down in a frame: they change now and then.
#[must_use]
pub fn autopilot(player: usize, frame: Frame) -> Keys {
    let beat = usize::try_from(frame).unwrap_or(0) / (5 + 2 * player) + 7 * player;
    let mixed = beat.wrapping_mul(2_654_435_761) >> 16;
    Keys {
        left: mixed & 3 == 1,
        right: mixed & 3 == 2,
        fire: mixed & 4 == 0,
    }
}

/// One of the players.
struct Peer {
    player: usize,
    session: P2PSession<Duel>,
    rollback: Rollback,
    /// The last frame whose state before it is certain: it was simulated with the inputs of both players.
    certain: Frame,
    /// The first frame in which the states differed.
    desync: Option<Frame>,
}

impl Peer {
    fn new(player: usize, socket: LossySocket, other: SocketAddr) -> Result<Self, Failure> {
        let mut builder = SessionBuilder::<Duel>::new()
            .with_num_players(2)?
            .with_max_prediction_window(AHEAD)
            .with_input_delay(1)
            .with_disconnect_timeout(PATIENCE)
            .with_desync_detection_mode(DesyncDetection::On { interval: INTERVAL });
        for handle in 0..2 {
            let kind = if handle == player {
                PlayerType::Local
            } else {
                PlayerType::Remote(other)
            };
            builder = builder.add_player(kind, handle)?;
        }
        Ok(Self {
            player,
            session: builder.start_p2p_session(socket)?,
            rollback: Rollback::new()?,
            certain: 0,
            desync: None,
        })
    }

    /// Exchanges packets, and runs the next frame if the other player is not too far behind.
    fn turn(&mut self) -> Result<(), Failure> {
        self.session.poll_remote_clients();
        for event in self.session.events() {
            if let GgrsEvent::DesyncDetected { frame, .. } = event {
                self.desync.get_or_insert(frame);
            }
        }
        if self.session.current_state() != SessionState::Running {
            return Ok(());
        }
        let keys = autopilot(self.player, self.session.current_frame());
        self.session.add_local_input(self.player, keys)?;
        let known = self.session.confirmed_frame();
        match self.session.advance_frame() {
            Ok(requests) => self.rollback.handle(requests)?,
            Err(GgrsError::PredictionThreshold) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        // The session went back before it advanced.
        self.certain = known.min(self.session.current_frame() - 1);
        Ok(())
    }
}

/// The result of a duel.
#[derive(Debug)]
pub struct Outcome {
    /// How many frames were simulated with the inputs of both players, by both.
    pub frames: Frame,
    /// How often each player's world went back.
    pub rewinds: [usize; 2],
    /// How often each ship was destroyed.
    pub lost: [u32; 2],
    /// The hashes of the states that both know for certain, of each player.
    pub hashes: [BTreeMap<Frame, u64>; 2],
    /// The first difference between the states, if there is one.
    pub difference: Option<Difference>,
}

/// Plays a duel of that many frames. `prepare` can change the players' worlds before it begins.
///
/// # Errors
///
/// Returns an error if a socket fails, or if the duel takes too long.
pub fn play(
    frames: Frame,
    faults: Faults,
    prepare: impl FnOnce(&mut [Rollback; 2]),
) -> Result<Outcome, Failure> {
    let sockets = [LossySocket::bind(faults, 1)?, LossySocket::bind(faults, 2)?];
    let [left, right] = sockets;
    let addresses = [left.address()?, right.address()?];
    let mut peers = [
        Peer::new(0, left, addresses[1])?,
        Peer::new(1, right, addresses[0])?,
    ];
    let mut worlds = [Rollback::new()?, Rollback::new()?];
    prepare(&mut worlds);
    for (peer, world) in peers.iter_mut().zip(worlds) {
        peer.rollback = world;
    }
    let begun = Instant::now();
    let certain = |peers: &[Peer; 2]| {
        let certain = peers.iter().map(|peer| peer.certain);
        certain.min().unwrap_or(0)
    };
    let is_over = |peers: &[Peer; 2]| peers.iter().all(|peer| peer.desync.is_some());
    while certain(&peers) < frames && !is_over(&peers) {
        for peer in &mut peers {
            peer.turn()?;
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("the players have only come to frame {}", certain(&peers)).into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let found = match peers.each_ref().map(|peer| peer.desync) {
        [Some(first), Some(second)] => {
            // In a game, each player sends the state to the other.
            let frame = first.min(second);
            let [mine, yours] = &mut peers;
            let states = [
                mine.rollback.state_at(frame)?,
                yours.rollback.state_at(frame)?,
            ];
            match states {
                [Some(mine), Some(yours)] => difference(&mine, &yours)?,
                _ => return Err(format!("frame {frame} is too long ago").into()),
            }
        }
        _ => None,
    };
    let end = certain(&peers);
    Ok(Outcome {
        frames: end,
        rewinds: peers.each_ref().map(|peer| peer.rollback.rewinds),
        lost: peers.each_ref().map(|peer| {
            let world = &peer.rollback.world;
            let ship = world
                .manager
                .get::<crate::game::Ship>(world.ships[peer.player]);
            ship.map_or(0, |ship| ship.lost)
        }),
        hashes: peers.map(|mut peer| {
            peer.rollback.hashes.split_off(&(end + 1));
            peer.rollback.hashes
        }),
        difference: found,
    })
}
