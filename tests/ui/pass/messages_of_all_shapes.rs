use message_core::prelude::*;
use std::sync::Arc;

#[derive(Message)]
struct Unit;

#[derive(Message)]
struct Tuple(u32, Arc<str>);

#[derive(Message)]
struct Named {
    amount: u32,
}

#[derive(Message)]
enum Choice {
    This,
    That { amount: u32 },
}

#[derive(Message)]
#[message(reply = Result<bool, String>)]
struct Fallible;

#[derive(Message)]
#[message(reply = ())]
struct Acknowledge;

#[derive(Message)]
#[message(reply = Option<bool>, name = "shapes.maybe")]
struct Maybe;

#[derive(Message)]
#[message(reply = &'static str)]
struct Text;

#[derive(Message)]
#[message(reply = Vec<T>, types(List<u8>, List<Arc<str>>))]
struct List<T>(T);

#[derive(Message)]
#[message(reply = [T; N], name = "shapes.array", types(Array<u8, 2>, crate::Array<u8, 3>))]
struct Array<T, const N: usize = 2>([T; N])
where
    T: Copy;

#[derive(Message)]
#[message(types(Either<u8, Vec<u8>>))]
enum Either<A, B: IntoIterator<Item = A>> {
    One(A),
    Many(B),
}

#[derive(Default)]
struct All {
    sum: u32,
}

#[handlers]
impl All {
    #[on_receive]
    fn unit(&mut self, _: &Unit) {
        self.sum += 1;
    }

    #[on_receive]
    fn tuple(&mut self, &Tuple(amount, ref text): &Tuple) -> bool {
        self.sum += amount;
        text.is_empty()
    }

    #[on_receive]
    fn named(&mut self, Named { amount }: &mut Named) -> std::ops::ControlFlow<()> {
        self.sum += std::mem::take(amount);
        std::ops::ControlFlow::Break(())
    }

    #[on_receive]
    fn choice(&mut self, choice: &Choice) -> Result<bool, std::num::ParseIntError> {
        match choice {
            Choice::This => self.sum += "8".parse::<u32>()?,
            Choice::That { amount } => self.sum += amount,
        }
        Ok(true)
    }

    #[on_receive]
    fn fallible(&self, _: &Fallible) -> Result<bool, String> {
        Err("no".to_owned())
    }

    #[on_receive]
    fn acknowledge(&self, _: &Acknowledge) {}

    #[on_receive]
    fn maybe(&self, _: &Maybe) -> Option<Option<bool>> {
        Some(None)
    }

    #[on_receive]
    fn text(&self, _: &Text) -> &'static str {
        "text"
    }

    #[on_receive]
    fn list(&self, list: &List<u8>) -> Result<Vec<u8>, SendError> {
        Ok(vec![list.0])
    }

    #[on_receive]
    fn array(&self, array: &Array<u8, 3>) -> [u8; 3] {
        array.0
    }

    #[on_receive]
    fn either(&mut self, either: &Either<u8, Vec<u8>>) {
        match either {
            Either::One(one) => self.sum += u32::from(*one),
            Either::Many(many) => self.sum += many.iter().map(|&one| u32::from(one)).sum::<u32>(),
        }
    }
}

fn main() -> Result<(), SendError> {
    let mut manager = MessageManager::new();
    let all = manager.spawn((All::default(),));
    manager.send(all, Unit)?;
    assert_eq!(manager.send(all, Tuple(1, "x".into()))?.received, 0);
    let mut named = Named { amount: 3 };
    assert!(manager.send_mut(all, &mut named)?.consumed);
    assert_eq!(named.amount, 0);
    manager.send(all, Choice::This)?;
    manager.send(all, Choice::That { amount: 2 })?;
    manager.send(all, Either::<u8, Vec<u8>>::One(5))?;
    manager.send(all, Either::Many(vec![5_u8, 5]))?;
    assert_eq!(manager.get::<All>(all).map(|all| all.sum).ok(), Some(30));
    assert_eq!(manager.request(all, Fallible)?, Err("no".to_owned()));
    manager.request(all, Acknowledge)?;
    assert_eq!(manager.request(all, Maybe)?, None);
    assert_eq!(manager.request(all, Text)?, "text");
    assert_eq!(manager.request(all, List(4))?, [4]);
    assert_eq!(manager.request(all, Array([1, 2, 3]))?, [1, 2, 3]);
    assert_eq!(Array::<u8, 3>::NAME, "shapes.array<u8, 3>");
    assert!(List::<Arc<str>>::NAME.ends_with("::List<Arc<str>>"));
    assert!(Either::<u8, Vec<u8>>::NAME.ends_with("::Either<u8, Vec<u8>>"));
    assert_eq!(Maybe::NAME, "shapes.maybe");
    Ok(())
}
