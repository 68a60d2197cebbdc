//! The shop: a manager with one messagee.

use std::collections::BTreeMap;

use message_core::prelude::*;

mnemonic! {
    /// The shop, while it is open.
    pub SHOP,
}

/// Asks how many of an item are there.
#[derive(Message, Debug)]
#[message(reply = u32)]
pub struct GetStock {
    pub item: String,
}

/// Buys an item. The answer is how many are left, or `None` if it was sold out.
#[derive(Message, Debug)]
#[message(reply = Option<u32>)]
pub struct Buy {
    pub item: String,
}

/// Closes the shop.
#[derive(Message, Debug)]
pub struct Close;

#[derive(Default)]
struct Shelf {
    items: BTreeMap<String, u32>,
}

#[handlers]
impl Shelf {
    /// Declines for an item that the shop does not sell.
    #[on_receive]
    fn stock(&self, stock: &GetStock) -> Option<u32> {
        self.items.get(&stock.item).copied()
    }

    #[on_receive]
    fn buy(&mut self, buy: &Buy) -> Result<Option<u32>, HandlerError> {
        let left = self.items.get_mut(&buy.item);
        let left = left.ok_or_else(|| format!("there are no {}s here", buy.item))?;
        let rest = left.checked_sub(1);
        *left = rest.unwrap_or(0);
        Ok(rest)
    }

    #[on_receive]
    fn close(&mut self, _: &Close, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.despawn(cx.me())
    }
}

/// Returns a manager with a shop that has two apples.
pub fn open() -> Result<MessageManager, MessageeError> {
    let mut manager = MessageManager::new();
    let items = BTreeMap::from([("apple".to_owned(), 2)]);
    let shop = manager.spawn((Shelf { items },));
    manager.bind(SHOP, shop)?;
    Ok(manager)
}
