//! Types of every form that serde knows, and random values of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Unit;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Newtype(pub(crate) i32);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Pair(pub(crate) i8, pub(crate) String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Inner {
    pub(crate) name: String,
    pub(crate) weight: f32,
    pub(crate) marks: Vec<Option<bool>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    Nothing,
    One(u64),
    Deep(Box<Choice>),
    Struct(Inner),
    Two(i16, char),
    Named { x: f64, y: Option<Box<Choice>> },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Everything {
    pub(crate) flag: bool,
    pub(crate) small: i8,
    pub(crate) large: i64,
    pub(crate) natural: u64,
    pub(crate) wide: i128,
    pub(crate) float: f64,
    pub(crate) single: f32,
    pub(crate) letter: char,
    pub(crate) text: String,
    pub(crate) unit: (),
    pub(crate) tuple: (u8, String),
    pub(crate) nothing: Unit,
    pub(crate) newtype: Newtype,
    pub(crate) pair: Pair,
    pub(crate) maybe: Option<Newtype>,
    pub(crate) twice: Option<Option<u8>>,
    pub(crate) list: Vec<Choice>,
    pub(crate) map: BTreeMap<String, Inner>,
    pub(crate) numbers: BTreeMap<i32, (f32,)>,
}

/// A generator of numbers (Steele and others, splitmix64).
pub(crate) struct Lottery(pub(crate) u64);

impl Lottery {
    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.draw() % end
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Draws a number; small ones are as likely as large ones.
    fn number(&mut self) -> u64 {
        let bits = self.below(64);
        self.draw() >> bits
    }

    fn float(&mut self) -> f64 {
        let odd = [
            0.0,
            -0.0,
            1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            5e-324,
        ];
        match self.below(3) {
            0 => odd[usize::try_from(self.below(7)).expect("it is small")],
            1 => f64::from(i16::from_le_bytes([self.draw() as u8, self.draw() as u8])) / 8.0,
            _ => Some(f64::from_bits(self.draw()))
                .filter(|float| !float.is_nan())
                .unwrap_or(0.5),
        }
    }

    fn single(&mut self) -> f32 {
        let bits = u32::try_from(self.draw() >> 32).expect("half of the bits");
        Some(f32::from_bits(bits))
            .filter(|single| !single.is_nan())
            .unwrap_or(0.1)
    }

    fn letter(&mut self) -> char {
        let letters = [
            'a', 'Z', '_', ' ', '"', '\'', '\\', '\n', '\t', '\0', 'é', '\u{202e}', '🦀', '\u{7f}',
        ];
        letters[usize::try_from(self.below(14)).expect("it is small")]
    }

    fn text(&mut self) -> String {
        (0..self.below(9)).map(|_| self.letter()).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() { Some(make(self)) } else { None }
    }

    fn newtype(&mut self) -> Newtype {
        Newtype(i32::try_from(self.number() >> 33).expect("31 bits") - 1000)
    }

    fn inner(&mut self) -> Inner {
        Inner {
            name: self.text(),
            weight: self.single(),
            marks: (0..self.below(4)).map(|_| self.maybe(Self::flag)).collect(),
        }
    }

    fn choice(&mut self, depth: u32) -> Choice {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => Choice::Nothing,
            1 => Choice::One(self.number()),
            2 => Choice::Struct(self.inner()),
            3 => Choice::Two(
                i16::try_from(self.below(9)).expect("small") - 4,
                self.letter(),
            ),
            4 => Choice::Deep(Box::new(self.choice(depth - 1))),
            _ => Choice::Named {
                x: self.float(),
                y: self.maybe(|lottery| Box::new(lottery.choice(depth - 1))),
            },
        }
    }

    pub(crate) fn everything(&mut self) -> Everything {
        Everything {
            flag: self.flag(),
            small: i8::try_from(self.below(256) as i64 - 128).expect("it is in range"),
            large: self.number().cast_signed(),
            natural: self.number(),
            wide: i128::from(self.number().cast_signed()) * i128::from(self.number()),
            float: self.float(),
            single: self.single(),
            letter: self.letter(),
            text: self.text(),
            unit: (),
            tuple: (self.below(256) as u8, self.text()),
            nothing: Unit,
            newtype: self.newtype(),
            pair: Pair(-1, self.text()),
            maybe: self.maybe(Self::newtype),
            twice: self.maybe(|lottery| lottery.maybe(|lottery| lottery.below(9) as u8)),
            list: (0..self.below(4)).map(|_| self.choice(3)).collect(),
            map: (0..self.below(3))
                .map(|_| (self.text(), self.inner()))
                .collect(),
            numbers: (0..self.below(3))
                .map(|_| (self.newtype().0, (self.single(),)))
                .collect(),
        }
    }
}
