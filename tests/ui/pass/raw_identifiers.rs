use message_core::prelude::*;

#[allow(non_camel_case_types)]
#[derive(Message)]
struct r#move {
    r#type: u32,
}

#[allow(non_camel_case_types)]
struct r#match(u32);

#[handlers]
impl r#match {
    #[on_receive]
    fn r#fn(&mut self, r#move { r#type }: &r#move, r#in: &mut Context<'_>) {
        let _ = r#in.me();
        self.0 = *r#type;
    }
}

fn main() {
    assert!(r#move::NAME.ends_with("::move"));
    let mut manager = MessageManager::new();
    let id = manager.spawn((r#match(0),));
    manager.send(id, r#move { r#type: 3 }).unwrap();
    assert_eq!(manager.get::<r#match>(id).unwrap().0, 3);
    let handler = message_core::registry().handled_by::<r#match>().next().unwrap();
    assert_eq!(handler.method, "fn");
}
