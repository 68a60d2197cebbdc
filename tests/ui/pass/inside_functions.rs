use message_core::prelude::*;

fn count() -> u32 {
    #[derive(Message)]
    struct Tick;

    #[derive(Message)]
    #[message(reply = T, types(Total<u32>))]
    struct Total<T>(T);

    struct Clock(u32);

    #[handlers]
    impl Clock {
        #[on_receive]
        fn tick(&mut self, _: &Tick) {
            self.0 += 1;
        }

        #[on_receive]
        fn total(&self, total: &Total<u32>) -> u32 {
            self.0 + total.0
        }
    }

    let mut manager = MessageManager::new();
    let clock = manager.spawn((Clock(0),));
    manager.send(clock, Tick).unwrap();
    manager.request(clock, Total(10)).unwrap()
}

fn main() {
    assert_eq!(count(), 11);
}
