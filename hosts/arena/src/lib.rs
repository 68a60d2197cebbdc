//! A small game for a window or a web page, in which everything that happens is a message.
//!
//! This library is the game without a window: it can be played by a test, by a program without graphics
//! (`drill`), and by the view (`arena`), which draws the [`Scene`] and passes keys on.
//!
//! | file | what it shows |
//! |---|---|
//! | [`keys`] | keys as messages to a group: the ship and the referee receive the same key |
//! | [`gun`] | a message that repeats while a key is held; shots that expire by a delayed message |
//! | [`bomb`] | a fuse: a delayed message with a key; a chain of explosions replaces it by a shorter one |
//! | [`shield`] | an in–out message: the shield reduces damage before the hull sees it |
//! | [`waves`] | a spawner: each enemy is a message that is due later |
//! | [`score`] | a streak that is ended by a message, which each hit replaces |
//! | [`radio`] | calls with a tag, bound to their sender; a subscriber keeps the log |
//! | [`flash`] | visual effects, which are published and pulled by the view once per frame |
//! | [`game`] | the manager, saving and loading, a log of all inputs |
//! | [`scene`], [`film`], [`pending`] | the state of the game: now, in a replay, and the messages still to come |
//! | [`pilot`], [`touch`], [`hands`] | players without a keyboard: an autopilot, and fingers on a screen |

#![forbid(unsafe_code)]

pub mod body;
pub mod bomb;
pub mod dice;
pub mod enemy;
pub mod expiry;
pub mod film;
pub mod flash;
pub mod game;
pub mod gun;
pub mod hands;
pub mod hull;
pub mod keys;
pub mod pending;
pub mod pilot;
pub mod radio;
pub mod referee;
pub mod scene;
pub mod score;
pub mod shield;
pub mod ship;
pub mod space;
pub mod touch;
pub mod waves;

pub use game::Game;
pub use keys::Button;
pub use scene::Scene;
pub use space::Vector;
