#![deny(warnings)]

use message_core::prelude::*;

#[derive(Message)]
pub struct Damage;

#[deprecated]
#[derive(Message)]
pub struct Hurt;

#[deprecated]
pub struct Old;

pub struct Health;

#[handlers]
impl Health {
    #[deprecated]
    #[on_receive]
    pub fn damage(&mut self, _: &Damage) {}

    #[allow(deprecated)]
    #[on_receive]
    pub fn hurt(&mut self, _: &Hurt) {}
}

#[allow(deprecated)]
#[handlers]
impl Old {
    #[on_receive]
    pub fn damage(&mut self, _: &Damage) {}
}

fn main() {}
