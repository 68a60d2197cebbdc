//! W8: handlers that send on, in objects of one component or of two.

use message_core::prelude::*;

use super::setting::Setting;
use crate::compare::{HOPS, Size, Trial};
use crate::work::{Checksum, Pass, PassTwo, Relay, Total};

struct Hop {
    relay: Relay,
    next: Option<MessageeId>,
}

#[handlers]
impl Hop {
    #[on_receive]
    fn pass(&mut self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
        let hops = self.relay.pass(pass.hops);
        if let Some(next) = self.next {
            cx.send(next, Pass { hops })?;
        }
        Ok(())
    }

    #[on_receive]
    fn pass_two(&mut self, pass: &PassTwo, cx: &mut Context<'_>) -> Result<(), SendError> {
        let hops = self.relay.pass(pass.hops);
        if let Some(next) = self.next {
            cx.send(next, PassTwo { hops })?;
        }
        Ok(())
    }
}

/// The second component of an object of two, which sends nothing.
#[derive(Default)]
struct Echo(Relay);

#[handlers]
impl Echo {
    #[on_receive]
    fn pass_two(&mut self, pass: &PassTwo) {
        self.0.pass(pass.hops);
    }
}

/// The chains of W8 or W8-two.
struct Chains<const TWO: bool> {
    manager: MessageManager,
    /// The total of the setting's subscriber.
    heard: Total,
    heads: Vec<MessageeId>,
    passes: usize,
}

pub(super) fn prepare(size: Size, setting: Setting) -> Box<dyn Trial> {
    prepare_for::<false>(size, setting)
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    prepare_for::<true>(size, Setting::Plain)
}

fn prepare_for<const TWO: bool>(size: Size, setting: Setting) -> Box<dyn Trial> {
    let mut manager = setting.manager();
    let mut spawn = |next| {
        let relay = Relay::default();
        let hop = Hop { relay, next };
        if TWO {
            manager.spawn((hop, Echo::default()))
        } else {
            manager.spawn((hop,))
        }
    };
    let chain = |_| {
        let end = spawn(None);
        (1..HOPS).fold(end, |next, _| spawn(Some(next)))
    };
    Box::new(Chains::<TWO> {
        heads: (0..size.objects).map(chain).collect(),
        heard: setting.listen(&mut manager),
        manager,
        passes: size.passes,
    })
}

impl<const TWO: bool> Trial for Chains<TWO> {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &head in &self.heads {
                let receipt = if TWO {
                    self.manager.send(head, PassTwo { hops: 1 })
                } else {
                    self.manager.send(head, Pass { hops: 1 })
                };
                let received = 1 + u32::from(TWO);
                assert_eq!(receipt.expect("it is alive").received, received);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (chain, &head) in self.heads.iter().enumerate() {
            let mut next = Some(head);
            for hop in 0..HOPS {
                let at = next.expect("a chain has that many hops");
                let here = self.manager.get::<Hop>(at).expect("it is alive");
                sum.add(chain * HOPS + hop, &here.relay);
                if TWO {
                    let echo = self
                        .manager
                        .get::<Echo>(at)
                        .expect("it was spawned with one");
                    sum.add(chain * HOPS + hop, &echo.0);
                }
                next = here.next;
            }
        }
        self.manager = MessageManager::new();
        sum.value().wrapping_add(self.heard.checksum())
    }
}
