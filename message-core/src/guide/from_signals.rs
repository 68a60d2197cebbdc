//! Coming from signals and slots: what corresponds to `connect`, `emit` and a slot.
//!
//! | signals and slots | here |
//! |---|---|
//! | object | messagee with components |
//! | slot | a method with `#[on_receive]` |
//! | `emit signal(x)` | `send` to everyone, to a group, or to a mnemonic |
//! | `connect(a, signal, b, slot)` | nothing, if the recipient is an address; otherwise `subscribe` with a filter `from(a)` |
//! | `disconnect` | `unsubscribe`, `unsubscribe_all` for all of one owner, or a disabled component |
//! | a queued connection | `post` to a stage |
//! | a connection to an object in another thread | an [`Inlet`](crate::Inlet) |
//! | `QObject::sender()` | [`Context::sender`](crate::Context::sender) |
//! | `QTimer::singleShot` | a [`Header`](crate::Header) with `after` |
//! | `installEventFilter` | an interceptor: [`before()`](crate::Filter::before) |
//! | object tree | family: `set_parent`, `Up`, `Down` |
//!
//! An example with this crate: an orc is hurt and dies, and a score counts it.
//!
//! ```
//! use message_core::prelude::*;
//!
//! mnemonic!(SCORE);
//!
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! #[derive(Message)]
//! struct Died;
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn take_damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!         if self.hp == 0 {
//!             cx.send(SCORE, Died)?;
//!             cx.despawn(cx.me())?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Score { deaths: u32 }
//!
//! #[handlers]
//! impl Score {
//!     #[on_receive]
//!     fn count(&mut self, _: &Died) { self.deaths += 1; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let score = manager.spawn((Score::default(),));
//! manager.bind(SCORE, score)?;
//! let orc = manager.spawn((Health { hp: 10 },));
//!
//! manager.send(orc, Damage { amount: 10 })?;
//! assert_eq!(manager.get::<Score>(score)?.deaths, 1);
//! assert!(!manager.is_alive(orc));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same in C++ with Qt (not compiled here):
//!
//! ```text
//! class Health : public QObject {
//!     Q_OBJECT
//! public:
//!     explicit Health(int hp) : hp(hp) {}
//! public slots:
//!     void takeDamage(int amount) {
//!         hp = std::max(0, hp - amount);
//!         if (hp == 0) {
//!             emit died();
//!             deleteLater();
//!         }
//!     }
//! signals:
//!     void died();
//! private:
//!     int hp;
//! };
//!
//! class Score : public QObject {
//!     Q_OBJECT
//! public:
//!     int deaths = 0;
//! public slots:
//!     void count() { ++deaths; }
//! };
//!
//! Score score;
//! auto *orc = new Health(10);
//! QObject::connect(orc, &Health::died, &score, &Score::count);
//! orc->takeDamage(10);
//! Q_ASSERT(score.deaths == 1);
//! ```
//!
//! # What is better there
//!
//! - A connection says exactly who hears whom. Here, the wiring is in the recipients of the sends, and in
//!   filters; to see it, use a recorder and `explain`.
//! - A signal is a plain function call with several arguments, and needs no separate type.
//! - A direct connection may call a slot of an object that is already running, without any `Busy`. If you
//!   know what you are doing, that is shorter.
//!
//! # What is better here
//!
//! - No connections are needed: messagees spawned later are included at once.
//! - No dangling receivers: a stale id is an error, never undefined behaviour. While a handler runs, nobody
//!   else can change its component.
//! - Receivers can answer, consume and change a message, in a documented order.
//! - A message is a value: it can be delayed, repeated, cancelled, retained, recorded and read later.
