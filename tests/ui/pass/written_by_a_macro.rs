#![deny(warnings)]

use message_core::prelude::*;

macro_rules! counter {
    ($component:ident counts $($message:ty => $method:ident $amount:expr),*) => {
        #[derive(Default)]
        pub struct $component(u32);

        #[handlers]
        impl $component {
            $(
                #[on_receive]
                fn $method(&mut self, message: &$message, context: &mut Context<'_>) {
                    let _ = (message, context);
                    self.0 += $amount;
                }
            )*
        }

        #[handlers]
        impl $crate::$component {
            #[on_receive]
            fn reset(&mut self, _: &$crate::Reset) {
                self.0 = 0;
            }
        }
    };
}

macro_rules! generic_message {
    ($name:ident: $($instance:ty),*) => {
        #[derive(Message)]
        #[message(types($($instance),*))]
        struct $name<T>(T);
    };
}

macro_rules! generic_component {
    ($name:ident: $($instance:ty),* => $message:ty) => {
        #[allow(non_camel_case_types)]
        struct $name<T>(T);

        #[handlers(types($($instance),*))]
        impl<T: Send + 'static> $name<T> {
            #[on_receive]
            fn $name(&self, _: $message) {
                let _ = &self.0;
            }
        }
    };
}

#[derive(Message)]
pub struct Reset;

#[derive(Message)]
struct Cow;

generic_message!(Sheep: Sheep<u8>, Sheep<Vec<u8>>);
generic_component!(barn: barn<u8> => &Reset);
counter!(Herd counts Cow => cow 1, Sheep<u8> => sheep 2, Sheep<Vec<u8>> => flock 3);

fn main() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    let herd = manager.spawn((Herd::default(), barn(1_u8)));
    manager.send(herd, Cow)?;
    manager.send(herd, Sheep(1_u8))?;
    manager.send(herd, Sheep(vec![1_u8]))?;
    assert_eq!(manager.get::<Herd>(herd).unwrap().0, 6);
    assert_eq!(manager.send(herd, Reset)?.received, 2);
    assert_eq!(manager.get::<Herd>(herd).unwrap().0, 0);
    Ok(())
}
