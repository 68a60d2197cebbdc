//! What the framework promises, sentence by sentence. There is no code here.
//!
//! Each sentence is held by a test of that meaning in the workspace's `tests` crate.
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | **message** | a `Send + 'static` struct or enum with [`#[derive(Message)]`](crate::Message) |
//! | **component** | a `Send + 'static` value that can receive messages; its handlers stand in [`#[handlers]`](macro@crate::handlers) blocks |
//! | **messagee** | an addressable participant: one [`MessageeId`](crate::MessageeId), any number of components hooked to it |
//! | **hook** | attaching a component to a messagee's id; a [`HookId`](crate::HookId) names one attached component |
//! | **mnemonic** | a well-known address, declared with [`mnemonic!`](crate::mnemonic!) where it is used, bound at run time to at most one messagee |
//! | **manager** | [`MessageManager`](crate::MessageManager): one closed messaging system; several coexist |
//! | **recipient** | where a send goes: see [`Recipient`](crate::Recipient) |
//!
//! # Message identity
//!
//! - [`M::ID`](crate::Message::ID) is the same in every build and on every machine; it is made
//!   from the type's path, or from `#[message(name = "…")]`. Zero is never used and means unknown.
//! - Two types with one id are reported with both places before any message flows. A type that is
//!   declared inside a function has the path of the function's module, so two of one name in one
//!   module need names of their own.
//! - The dense index is numbered from the sorted list of names; it does not depend on the order of
//!   linking.
//! - A type is matched exactly: a message never reaches a handler of a look-alike type.
//! - `Debug` and `Clone` are picked up where the type has them, and neither is required.
//!
//! # Sending
//!
//! - A send is depth first and immediate: when it returns, every receiver has run, except those
//!   that were busy.
//! - The [`Receipt`](crate::Receipt) tells how many received it, how many will, and whether it was
//!   consumed. Nobody being there to hear it is no error.
//! - `send_mut` is in–out: what a handler writes, later handlers and the sender see.
//! - `request` asks in the order of delivery, stops at the first answer and returns it; those
//!   behind are not asked. A handler that returns `None` has not answered, and counts as not having
//!   received. `request_all` collects every answer.
//! - To an id: its components in order of priority, then of hooking.
//! - To everyone: component type by component type, higher priority first, then by type name; each
//!   type's components in storage order. That order is the same in every run of the same program on
//!   the same inputs; hooking, unhooking and enabling change it.
//! - `EveryoneElse` leaves out all components of the sender's messagee.
//! - `Up` is the messagee, then its ancestors; `Down` the messagee, then its descendants, each
//!   before its own children.
//! - A handler that returns `ControlFlow::Break` consumes the message: nobody behind it receives
//!   it, whatever the recipient was, and whoever was busy does not get it later.
//! - A handler that returns an error counts as having received, stops nobody else, and is reported
//!   as [`HandlerFailed`](crate::lifecycle::HandlerFailed) to everyone when the outermost send
//!   returns. A failure on the way of telling a failure is not told.
//! - The sender is stamped by the manager and cannot be forged. `Me` and `EveryoneElse` from outside
//!   are errors.
//!
//! # Re-entrancy
//!
//! - A handler may send to anyone, itself included. A component that is running is **busy**: a
//!   `send` to it is kept and delivered, in the order sent, as soon as it is free; a `request` or
//!   `send_mut` that would reach it fails with [`Busy`](crate::SendError::Busy), and nobody has
//!   received it then. `&self` handlers of one component may nest.
//! - A borrow of another component cannot be held across a send: that is a compile error.
//! - Spawn, hook, unhook, despawn, enable, parents and mnemonics in a handler: ids and errors come at
//!   once, the change when the outermost send returns, in the order asked for. Until then
//!   `is_alive`, `get` and `iter` see the messagees as they were.
//! - The receivers of a send are those present when it began. One that is going to be despawned or
//!   unhooked is skipped from then on by every send: a send to it alone returns a receipt of zero,
//!   and only the manager's farewell reaches it.
//! - A message sent to an id that was spawned in the same dispatch is delivered right after it comes
//!   alive, behind its [`Hooked`](crate::lifecycle::Hooked) messages and before any later change.
//! - Nesting depth and kept deliveries are bounded by [`ManagerConfig`](crate::ManagerConfig); past
//!   a bound the send fails with an error that names the message type, the recipient and the chain
//!   of running handlers, and what was accepted before is still delivered. The number of changes
//!   that a dispatch asks for is not bounded: a handler of `Hooked` that always hooks another
//!   component goes on for ever.
//! - A panic in a handler goes to the caller of the outermost send. Nothing stays borrowed, and
//!   nothing that was queued is lost: the next call that may change the manager, or
//!   [`settle`](crate::MessageManager::settle), carries it out first.
//!
//! # Messagees
//!
//! - Ids are generational: a stale id never reaches a newcomer; sending to it is
//!   [`Gone`](crate::SendError::Gone).
//! - `unhook` gives the component back; the messagee's other components stay.
//! - `despawn` takes along the messagee's components, its mnemonics, and its children, unless they
//!   are to be [re-parented](crate::Children::Reparent).
//! - A disabled component stays and receives nothing until it is enabled again.
//! - Components of one type may be hooked more than once to one messagee.
//! - A parent that would make a cycle is refused.
//! - The manager tells a messagee of [`Hooked`](crate::lifecycle::Hooked) after a component was
//!   attached, [`Despawning`](crate::lifecycle::Despawning) before it is despawned, and
//!   [`Unhooking`](crate::lifecycle::Unhooking) before each component goes.
//! - Binding a bound mnemonic, or unbinding one that is bound to another, is an error; a despawned
//!   messagee's mnemonics are free again. Sending to an unbound mnemonic is
//!   [`Unbound`](crate::SendError::Unbound).
//! - An id or a hook of another manager is an error that says so.
//! - An error changes nothing.
