//! The manager's proxies and outboxes.

use message_core::{MessageManager, MessageeError, MessageeId};
use message_data::Logged;

use crate::name::NodeName;
use crate::proxy::input::{Form, ProxyInput};
use crate::proxy::{Letters, Outbox, OutboxId, Outboxes};

/// Opens an outbox for messages to messagees of another manager. See [`proxy`](crate::proxy).
///
/// The capacity limits the bytes of the messages that wait in the outbox; each message counts as 32 bytes
/// more than it has. A message that does not fit is refused: its sender gets
/// [`Backlog`](message_core::error::CarryError::Backlog).
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let proxy = proxy::spawn_proxy(&mut manager, out)?;
/// assert!(manager.is_proxy(proxy));
/// # Ok::<(), MessageeError>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn open_outbox(manager: &mut MessageManager, capacity: usize) -> OutboxId {
    add_outbox(manager, capacity, Form::Named)
}

/// Opens an outbox in which messages are written as lists of their values, without the names of their
/// fields, for a program whose types have the same [shapes](message_data::DataType::shape). This is
/// shorter, and faster to read. In all other respects the outbox works like one from
/// [`open_outbox`](open_outbox).
///
/// This applies to a message that is a struct with named fields, has
/// [`fields_by_position`](message_data::DataType::fields_by_position), and writes these fields and no
/// others. Values inside its fields keep their names.
/// [`is_by_position`](crate::proxy::Letter::is_by_position) returns whether a letter is written this way,
/// and [`to_named_bytes`](crate::proxy::Letter::to_named_bytes) restores the names.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::proxy;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.HourStruck", exact)]
/// struct HourStruck { hour: u32, quarter: u32 }
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox_by_position(&mut manager, 1 << 20);
/// let bell = proxy::spawn_proxy(&mut manager, out)?;
/// manager.send(bell, HourStruck { hour: 3, quarter: 1 })?;
/// let letters = proxy::take_outbox(&mut manager, out);
/// let letter = letters.letters().next().expect("it was carried");
/// assert_eq!(letter.bytes(), [0x92, 3, 1]);
/// let read = letter.message_type().read_message(letter.bytes(), letter.ids())?;
/// assert_eq!(read.downcast_ref::<HourStruck>().map(|struck| struck.hour), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn open_outbox_by_position(manager: &mut MessageManager, capacity: usize) -> OutboxId {
    add_outbox(manager, capacity, Form::ByPosition)
}

/// Opens an outbox for messages to a node. They are written by position.
pub(crate) fn open_outbox_to(
    manager: &mut MessageManager,
    node: &NodeName,
    capacity: usize,
) -> OutboxId {
    let form = Form::To(node.as_str().to_owned());
    let id = add_outbox(manager, capacity, form);
    let outboxes = manager.carrier_mut::<Outboxes>();
    outboxes.nodes.insert(id.0, node.clone());
    id
}

fn add_outbox(manager: &mut MessageManager, capacity: usize, form: Form) -> OutboxId {
    let by_position = form != Form::Named;
    let input = ProxyInput::Open(capacity as u64, form);
    manager.foreign_input(&Logged::new(&input));
    let outbox = Outbox::new(capacity, by_position);
    OutboxId(manager.carrier_mut::<Outboxes>().add(outbox))
}

fn outbox_mut(manager: &mut MessageManager, id: OutboxId) -> Option<&mut Outbox> {
    manager.carrier::<Outboxes>()?;
    let outboxes: &mut Outboxes = manager.carrier_mut();
    outboxes.open.get_mut().get_mut(&id.0)
}

/// Closes an outbox. What waits in it is dropped, and what is sent to its proxies from now on is
/// [`Unreachable`](message_core::error::CarryError::Unreachable); they stay until they are despawned.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::proxy;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Hail", exact)]
/// struct Hail { by: u32 }
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let proxy = proxy::spawn_proxy(&mut manager, out)?;
/// proxy::close_outbox(&mut manager, out);
/// let error = manager.send(proxy, Hail { by: 1 });
/// assert!(error.unwrap_err().to_string().ends_with("cannot be reached now"));
/// # Ok::<(), MessageeError>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn close_outbox(manager: &mut MessageManager, id: OutboxId) {
    manager.foreign_input(&Logged::new(&ProxyInput::Close(id.0)));
    let outboxes = manager.carrier_mut::<Outboxes>();
    outboxes.open.get_mut().remove(&id.0);
    outboxes.nodes.remove(&id.0);
}

/// Blocks an outbox, or opens it again. While it is blocked, what is sent to its proxies is
/// [`Unreachable`](message_core::error::CarryError::Unreachable) for who sends it; what waits in it stays.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::proxy;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Call", exact)]
/// struct Call { by: u32 }
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let proxy = proxy::spawn_proxy(&mut manager, out)?;
/// proxy::set_outbox_blocked(&mut manager, out, true);
/// assert!(manager.send(proxy, Call { by: 1 }).is_err());
/// proxy::set_outbox_blocked(&mut manager, out, false);
/// assert_eq!(manager.send(proxy, Call { by: 1 })?.received, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn set_outbox_blocked(manager: &mut MessageManager, id: OutboxId, is_blocked: bool) {
    let changes = |outbox: &mut Outbox| outbox.is_blocked != is_blocked;
    if !outbox_mut(manager, id).is_some_and(changes) {
        return;
    }
    manager.foreign_input(&Logged::new(&ProxyInput::Block(id.0, is_blocked)));
    if let Some(outbox) = outbox_mut(manager, id) {
        outbox.is_blocked = is_blocked;
    }
}

/// Spawns a proxy: a messagee that represents one of another manager. Messages that reach it are written
/// to the outbox.
///
/// It can be sent and posted to, be in groups and families, have a name and mnemonics, and be the sender
/// of messages that are sent through [`speak_for`](MessageManager::speak_for). It has no components. When a
/// message is posted to it by id, the header applies on the other side, including stage and delay.
/// Messages that are sent to everyone stay in this manager.
///
/// # Errors
///
/// [`MessageeError::NoOutbox`] if the outbox is closed.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// group!(CREW);
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let proxy = proxy::spawn_proxy(&mut manager, out)?;
/// manager.join(CREW, proxy)?;
/// assert!(manager.hook(proxy, 7).is_err(), "its components are elsewhere");
/// # Ok::<(), MessageeError>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn spawn_proxy(
    manager: &mut MessageManager,
    outbox: OutboxId,
) -> Result<MessageeId, MessageeError> {
    if outbox_mut(manager, outbox).is_none() {
        return Err(MessageeError::NoOutbox { number: outbox.0 });
    }
    let input = ProxyInput::Spawn(outbox.0);
    Ok(manager.spawn_proxy(outbox.0, &Logged::new(&input)))
}

/// Returns the proxies that are alive, in the order of their places.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// let mut manager = MessageManager::new();
/// manager.spawn(());
/// let out = proxy::open_outbox(&mut manager, 1000);
/// let proxy = proxy::spawn_proxy(&mut manager, out)?;
/// assert!(proxy::proxies(&manager).eq([proxy]));
/// # Ok::<(), MessageeError>(())
/// ```
pub fn proxies(manager: &MessageManager) -> impl Iterator<Item = MessageeId> {
    manager.messagees().filter(|&id| manager.is_proxy(id))
}

/// Returns the outboxes that are open, in the order opened: also those of a save.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// let mut manager = MessageManager::new();
/// let (first, second) = (proxy::open_outbox(&mut manager, 1000), proxy::open_outbox(&mut manager, 1000));
/// proxy::close_outbox(&mut manager, first);
/// assert!(proxy::outboxes(&manager).eq([second]));
/// ```
pub fn outboxes(manager: &MessageManager) -> impl Iterator<Item = OutboxId> {
    let outboxes: Option<&Outboxes> = manager.carrier();
    let numbers = outboxes.map(|outboxes| outboxes.open.borrow().keys().copied().collect());
    let numbers: Vec<u32> = numbers.unwrap_or_default();
    numbers.into_iter().map(OutboxId)
}

/// Takes the messages out of an outbox, in the order sent; none if it was closed.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::proxy;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Knell", exact)]
/// struct Knell { times: u32 }
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let bell = proxy::spawn_proxy(&mut manager, out)?;
/// manager.post(Header::to(bell).after_frames(9), Knell { times: 2 })?;
/// let letters = proxy::take_outbox(&mut manager, out);
/// let letter = letters.letters().next().expect("it was carried at once");
/// assert_eq!((letter.proxy(), letter.message_type().name()), (bell, "docs.Knell"));
/// assert!(letter.header().is_some_and(|header| header.delay().is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn take_outbox(manager: &mut MessageManager, id: OutboxId) -> Letters {
    let mut letters = Letters::default();
    take_outbox_into(manager, id, &mut letters);
    letters
}

/// Like [`take_outbox`](take_outbox), but replaces letters that were taken before. Their memory is
/// reused for the next messages, so taking letters in every frame allocates nothing.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::proxy::{self, Letters};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Chime", exact)]
/// struct Chime { times: u32 }
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let bell = proxy::spawn_proxy(&mut manager, out)?;
/// let mut letters = Letters::default();
/// for times in 1..=3 {
///     manager.send(bell, Chime { times })?;
///     proxy::take_outbox_into(&mut manager, out, &mut letters);
///     assert_eq!(letters.len(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
pub fn take_outbox_into(manager: &mut MessageManager, id: OutboxId, letters: &mut Letters) {
    letters.clear();
    let has_letters = |outbox: &mut Outbox| !outbox.letters.is_empty();
    if !outbox_mut(manager, id).is_some_and(has_letters) {
        return;
    }
    manager.foreign_input(&Logged::new(&ProxyInput::Take(id.0)));
    if let Some(outbox) = outbox_mut(manager, id) {
        std::mem::swap(&mut outbox.letters, letters);
    }
}

/// Notes when a messagee has ended, once: see [`take_ended`](take_ended). This changes nothing of
/// the manager's state. For who has told others of the messagee and has to tell them of its end.
///
/// # Errors
///
/// If it is not alive.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// let mut manager = MessageManager::new();
/// let [orc, elf] = [manager.spawn(()), manager.spawn(())];
/// proxy::watch_end(&mut manager, orc)?;
/// manager.despawn(elf)?;
/// manager.despawn(orc)?;
/// assert_eq!(proxy::take_ended(&mut manager), [orc]);
/// assert!(proxy::take_ended(&mut manager).is_empty());
/// # Ok::<(), MessageeError>(())
/// ```
pub fn watch_end(manager: &mut MessageManager, id: MessageeId) -> Result<(), MessageeError> {
    manager.speak_for(id)?;
    manager.carrier_mut::<Outboxes>().watched.insert(id);
    Ok(())
}

/// Returns those who have ended since the last call, of those whose end is
/// [watched](watch_end), in the order in which they have.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// assert!(proxy::take_ended(&mut MessageManager::new()).is_empty());
/// ```
pub fn take_ended(manager: &mut MessageManager) -> Vec<MessageeId> {
    if manager.carrier::<Outboxes>().is_none() {
        return Vec::new();
    }
    std::mem::take(&mut manager.carrier_mut::<Outboxes>().ended)
}
