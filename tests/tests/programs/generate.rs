//! Random programs.

use crate::program::{
    After, End, Every, Head, Hears, IMMEDIATE, Kind, Line, NO_STAGE, Program, Script, Step, Tie,
    To, What,
};

/// A small generator of random numbers: splitmix64.
pub(crate) struct Lots {
    state: u64,
    /// Every other line is about names, retained messages and who listens.
    is_about_listening: bool,
}

impl Lots {
    pub(crate) fn new(state: u64) -> Self {
        Self {
            state,
            is_about_listening: false,
        }
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut drawn = self.state;
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        drawn ^ (drawn >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.draw() >> 33).expect("31 bits fit") % end
    }

    /// Returns `true` once in `times` calls on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns one of the messagees that are likely to exist.
    fn who(&mut self) -> usize {
        self.below(12)
    }

    fn kind(&mut self) -> Kind {
        self.of(&[Kind::Actor, Kind::Actor, Kind::Calm, Kind::Quick])
    }

    fn what(&mut self) -> What {
        self.of(&[What::Act, What::Act, What::Note])
    }

    fn to(&mut self) -> To {
        match self.below(14) {
            0 => To::All,
            1 => To::AllButMe,
            2 => To::Myself,
            3 => To::Back,
            4 => To::UpFrom(self.who()),
            5 => To::DownFrom(self.who()),
            6 => To::UpFromBound(self.below(2)),
            7 | 8 => To::Bound(self.below(2)),
            9 | 10 => To::Group(self.below(2)),
            11 => To::Part(self.below(6)),
            _ => To::Id(self.who()),
        }
    }

    fn head(&mut self) -> Head {
        let milliseconds = 1 + self.below(40) as u64;
        let frames = 1 + self.below(3) as u64;
        let times = 1 + self.below(3) as u64;
        let (after, every) = match self.below(8) {
            0..4 => (After::Now, Every::Once),
            4 => (After::Milliseconds(milliseconds), Every::Once),
            5 => (After::Frames(frames), Every::Once),
            6 => (After::Now, Every::Milliseconds(milliseconds + 3, times)),
            _ => (After::Now, Every::Frames(frames, times)),
        };
        Head {
            stage: self.of(&[0, 0, 1, 2, 3, 3, IMMEDIATE, NO_STAGE]),
            after,
            every,
            unscaled: self.once_in(6),
            tie: self.of(&[
                Tie::No,
                Tie::No,
                Tie::No,
                Tie::No,
                Tie::No,
                Tie::No,
                Tie::Bound,
                Tie::IfAlive,
                Tie::Require,
                Tie::Key,
            ]),
            tags: self.tags(),
            retains: self.once_in(3),
        }
    }

    /// Picks tags, usually none.
    fn tags(&mut self) -> u8 {
        self.of(&[0, 0, 0, 0, 1, 2, 4, 5])
    }

    /// Picks the recipient that a filter asks for: rarely the sender or a family.
    fn filtered(&mut self) -> To {
        match self.below(6) {
            0 | 1 => To::Bound(self.of(&[0, 0, 0, 1])),
            2 | 3 => To::Id(self.who()),
            4 => self.of(&[To::All, To::Myself, To::AllButMe]),
            _ => match self.to() {
                To::Back => To::Group(0),
                to => to,
            },
        }
    }

    fn hears(&mut self) -> Hears {
        let (who, stage) = (self.who(), self.below(4));
        Hears {
            what: self.what(),
            from: self.once_in(6).then_some(who),
            to: self.once_in(3).then(|| self.filtered()),
            tags: self.tags(),
            once: self.once_in(4),
            hidden: self.once_in(4),
            stage: self.once_in(5).then_some(stage),
            retained: self.once_in(2),
        }
    }

    /// Returns a post that is delivered soon and usually retained.
    fn retaining(&mut self) -> Line {
        let stage = self.of(&[0, IMMEDIATE, NO_STAGE, NO_STAGE]);
        let head = Head {
            stage,
            after: After::Now,
            every: Every::Once,
            unscaled: false,
            tie: self.of(&[Tie::No, Tie::No, Tie::Require]),
            tags: self.tags(),
            retains: !self.once_in(4),
        };
        Line::Post(head, self.to(), self.what())
    }

    /// Generates a line about one of few messagees and names, so that many lines concern the same ones.
    fn line_about_listening(&mut self, scripts: usize) -> Line {
        let (who, script) = (self.below(3), self.below(scripts));
        let name = self.of(&[0, 0, 0, 1]);
        match self.below(12) {
            0..3 => self.retaining(),
            3 => Line::Subscribe(self.hears()),
            4 => Line::Follow(self.hears(), script, self.once_in(2).then(|| self.who())),
            5 => Line::Overhear(who, self.hears()),
            6 | 7 => Line::Listen(self.below(4), self.once_in(2)),
            8 => Line::Bind(name, who),
            9 => Line::Unbind(name, who),
            10 => Line::Send(To::Bound(name), self.what()),
            _ => match self.below(3) {
                0 => Line::Join(self.below(2), who),
                1 => Line::Leave(self.below(2), who),
                _ => Line::Enable(self.below(6), self.once_in(2)),
            },
        }
    }

    fn line(&mut self, scripts: usize) -> Line {
        if self.is_about_listening && self.once_in(2) {
            return self.line_about_listening(scripts);
        }
        let (who, script) = (self.who(), self.below(scripts));
        match self.below(47) {
            0 | 1 => {
                let parts = (0..=self.below(3)).map(|_| (self.kind(), self.below(scripts)));
                let parts = parts.collect();
                Line::Spawn(parts, self.once_in(3).then_some(who % 3))
            }
            2 | 3 => Line::Despawn(who, self.once_in(2)),
            4 | 5 => Line::Hook(who, self.kind(), script),
            6 => Line::Unhook(self.below(6)),
            7 => Line::Enable(self.below(6), self.once_in(2)),
            8 | 9 => Line::Parent(who, (!self.once_in(4)).then(|| self.who())),
            10 => Line::Bind(self.below(2), who),
            11 => Line::Unbind(self.below(2), who),
            12 => Line::Join(self.below(2), who),
            13 => Line::Leave(self.below(2), who),
            14 => Line::Name(who, self.below(3)),
            15 => Line::Find(self.below(3)),
            16 => Line::Subscribe(self.hears()),
            17 => Line::Intercept(self.hears(), self.once_in(4)),
            18 => Line::Overhear(who, self.hears()),
            19 => Line::Unsubscribe(self.below(4)),
            20 => Line::Listen(self.below(4), self.once_in(2)),
            21 => Line::Publish(self.to()),
            22 => Line::Read(who, self.once_in(2)),
            23 => Line::Tour(self.to()),
            24 => Line::Ask(self.to()),
            25 => Line::AskAll(self.to()),
            26 => Line::Cancel(self.below(6)),
            27 => Line::CancelKey,
            28 => Line::Wire(who, self.what(), self.head(), self.to(), self.what()),
            29 if self.once_in(2) => Line::Scale(self.of(&[0, 50, 100, 100, 200, 400])),
            29 => Line::Pause(self.once_in(2)),
            30..35 => Line::Post(self.head(), self.to(), self.what()),
            37 | 38 => Line::Letter(self.head(), self.to(), self.what()),
            39 => Line::Forget(self.to(), self.what()),
            35 | 36 => Line::Follow(self.hears(), script, self.once_in(2).then(|| self.who())),
            _ => Line::Send(self.to(), self.what()),
        }
    }
}

/// Generates the program with that number.
pub(crate) fn program(number: u64) -> Program {
    let mut lots = Lots {
        state: number.wrapping_mul(0x2545_f491_4f6c_dd1d),
        is_about_listening: false,
    };
    lots.is_about_listening = lots.once_in(2);
    let scripts = 1 + lots.below(5);
    let panics = lots.once_in(3);
    let script = |lots: &mut Lots| Script {
        lines: (0..lots.below(4)).map(|_| lots.line(scripts)).collect(),
        end: match lots.below(6) {
            0 if lots.once_in(2) => End::StopsAtMessagee,
            0 => End::Consumes,
            1 if panics && lots.once_in(2) => End::Panics,
            1 => End::Fails,
            _ => End::Returns,
        },
    };
    let mut all_scripts: Vec<Script> = (0..scripts).map(|_| script(&mut lots)).collect();
    let mut steps = Vec::new();
    for _ in 0..=lots.below(3) {
        let parts = (0..=lots.below(2)).map(|_| (lots.kind(), lots.below(scripts)));
        let parts = parts.collect();
        steps.push(Step::Do(Line::Spawn(parts, None)));
    }
    if lots.is_about_listening && lots.once_in(2) {
        // The first messagee hands its name on while somebody listens for it.
        all_scripts[0].lines.insert(0, Line::Unbind(0, 0));
        if lots.once_in(2) {
            all_scripts[0].lines.insert(1, Line::Bind(0, lots.below(3)));
        }
        steps.push(Step::Do(Line::Bind(0, 0)));
        for _ in 0..=lots.below(2) {
            let hears = Hears {
                to: Some(To::Bound(0)),
                ..lots.hears()
            };
            steps.push(Step::Do(match lots.below(3) {
                0 => Line::Subscribe(hears),
                1 => Line::Follow(hears, lots.below(scripts), None),
                _ => Line::Overhear(lots.below(3), hears),
            }));
        }
        steps.push(Step::Do(Line::Send(To::Bound(0), lots.what())));
    }
    for _ in 0..4 + lots.below(28) {
        steps.push(match lots.below(16) {
            0..4 => Step::Frame(1 + lots.below(30) as u64),
            4 if lots.once_in(3) => Step::Save,
            5 if panics && lots.once_in(4) => Step::Settle,
            _ => Step::Do(lots.line(scripts)),
        });
    }
    Program {
        scripts: all_scripts,
        far: if lots.once_in(4) {
            1 + lots.below(2)
        } else {
            0
        },
        caught: lots.once_in(2),
        steps,
    }
}
