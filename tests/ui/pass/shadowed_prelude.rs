#![allow(dead_code, non_camel_case_types, unused_macros)]

// The names that expansions could trip over, all of them taken.
mod core {}
mod std {}
mod message_core {}
mod inventory {}

struct Option;
struct Result;
struct Some;
struct None;
struct Ok;
struct Err;
struct Box;
struct Vec;
struct String;
struct PhantomData;
struct Outcome;
struct Shared;
struct Exclusive;
struct Context;
struct Place;
struct Entry;
struct Collector;
struct Probe;
struct str;
struct bool;
struct u32;
struct u64;
struct usize;

trait Send {}
trait Sync {}
trait Sized {}
trait Clone {}
trait Debug {}
trait Component {}
trait Receives {}
trait HandlerReturn {}
trait Request {}

macro_rules! concat { () => { compile_error!("shadowed") }; }
macro_rules! line { () => { compile_error!("shadowed") }; }
macro_rules! file { () => { compile_error!("shadowed") }; }
macro_rules! module_path { () => { compile_error!("shadowed") }; }
macro_rules! stringify { () => { compile_error!("shadowed") }; }
macro_rules! submit { () => { compile_error!("shadowed") }; }

mod labels {
    ::message_core::tag!(pub(super) OPTION, pub(super) STR);
}

#[derive(::message_core::Message)]
#[message(tags(labels::OPTION, labels::STR))]
struct Block;

#[derive(::message_core::Message)]
#[message(reply = Option)]
struct Message;

#[derive(::message_core::Message)]
#[message(reply = HasReply<T>, types(Handler<str>))]
struct Handler<T>(T);

struct HasReply<T>(T);

struct Register;

#[::message_core::handlers]
impl Register {
    #[::message_core::on_receive]
    fn register(&mut self, message: &Block, context: &mut ::message_core::Context<'_>) {
        let (_, _) = (message, context);
    }

    #[::message_core::on_receive]
    fn receive(&self, this: &Message) -> Option {
        let _ = this;
        Option
    }
}

struct This<T>(T);

#[::message_core::handlers(types(This<str>))]
impl<T: 'static + ::core::marker::Send> This<T> {
    #[::message_core::on_receive]
    fn returned(&self, _: &Handler<T>) -> ::core::option::Option<HasReply<T>> {
        let _ = &self.0;
        ::core::option::Option::None
    }
}

fn main() {
    let mut manager = ::message_core::MessageManager::new();
    let id = manager.spawn((Register, This(str)));
    assert_eq!(manager.send(id, Block).unwrap().received, 1);
    assert!(manager.request(id, Message).is_ok());
    assert!(manager.request(id, Handler(str)).is_err());
}
