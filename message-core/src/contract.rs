//! The rules that the framework keeps, one bullet each. There is no code here.
//!
//! Each rule has an id, which is also its anchor: `contract#send.depth-first` links to the rule `send.depth-first`.
//! A test names the rules that it holds by their ids, in a comment above its attributes:
//!
//! ```text
//! // holds: send.depth-first, send.receipt
//! #[test]
//! fn a_send_returns_when_everyone_has_run() {
//! ```
//!
//! The script `.ci/contract` writes the table of rules and tests to `tests/CONTRACT.md`. It fails if a rule has no
//! test, or if a test names an id that does not exist.
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
//! | **name** | a label of a messagee for people and files; not unique, found with wildcards |
//! | **group** | a well-known address of many messagees that join and leave, declared with [`group!`](crate::group!) |
//! | **tag** | a label of messages that subscriptions filter by, declared with [`tag!`](crate::tag!) |
//! | **header** | the front of the envelope of a posted message: see [`Header`](crate::Header) |
//! | **stage** | when in the frame a posted message is delivered: see [`Stage`](crate::Stage) |
//! | **pending** | posted, and not yet delivered |
//! | **subscription** | a closure that receives every message that passes its filter, whatever the recipient is |
//! | **overhearing** | a messagee's own handlers receive what a filter passes, though it was sent to others |
//! | **data** | a component or message type that can be written and read by name |
//! | **world file** | a text of templates, messagees and wires |
//! | **template** | a named set of components in a world file |
//! | **save** | the whole state of a manager in bytes |
//! | **log** | every input of a manager from outside, in order; a **replay** repeats it |
//! | **digest** | a hash of the state, part by part |
//! | **wire** | data: when this is received here, post that to there, after a delay, so many times |
//! | **mailbox** | the double-buffered, pull side: what was published in one frame is found in the next |
//! | **inlet** | the way into a manager from other threads: see [`Inlet`](crate::Inlet) |
//! | **plugin** | a library of messages and components that is loaded while the program runs |
//! | **statement** | what a plugin or a shared crate says of itself and its build, in its file |
//! | **recorder** | the last events of a manager, in memory: see `trace::Recorder` |
//!
//! # Message identity
//!
//! - <a id="identity.same-everywhere"></a>[`M::ID`](crate::Message::ID) is the same in every build and on
//!   every machine.
//! - <a id="identity.from-path-or-name"></a>The id of a message type is made from the type's path, or from
//!   `#[message(name = "…")]`.
//! - <a id="identity.zero-unknown"></a>The id zero is never used and means unknown.
//! - <a id="identity.duplicates-reported"></a>Two types with one id are reported with both places before any
//!   message flows.
//! - <a id="identity.type-in-function"></a>A type that is declared inside a function has the path of the
//!   function's module, so two of one name in one module need names of their own.
//! - <a id="identity.index-from-names"></a>The dense index is numbered from the sorted list of names; it does
//!   not depend on the order of linking.
//! - <a id="identity.extended-behind"></a>What [extends](#plugins) the registry is numbered behind that list.
//! - <a id="identity.linked-entries"></a>Every entry of a crate that is linked is in the registry, whether
//!   the program uses code of the crate or not: with and without LTO, on WebAssembly too.
//! - <a id="identity.exact-type"></a>A type is matched exactly: a message never reaches a handler of a
//!   look-alike type.
//! - <a id="identity.debug-clone-optional"></a>`Debug` and `Clone` are picked up where the type has them, and
//!   neither is required.
//!
//! # Sending
//!
//! - <a id="send.depth-first"></a>A send is depth first and immediate: when it returns, every receiver has
//!   run, except those that receive the message later: who is [busy](#reentrancy.busy-kept), waits
//!   [behind kept messages](#reentrancy.waits-behind-kept), is a [newborn](#reentrancy.newborn-send) or a
//!   [new hook](#reentrancy.new-hook-send), a subscription with a [stage](#subscriptions.stage), and who is
//!   behind a [proxy](#proxies.written-to-outbox).
//! - <a id="send.receipt"></a>The [`Receipt`](crate::Receipt) tells how many received it, how many will, and
//!   whether it was consumed.
//! - <a id="send.receipt-saturates"></a>The counts of a receipt saturate: at 4 294 967 295 received, and at
//!   65 535 each that will receive it, failed or were not reached. `at_least` and `require` compare with these
//!   counts.
//! - <a id="send.nobody-is-no-error"></a>Nobody being there to hear a send is no error.
//! - <a id="send.mut-in-out"></a>`send_mut` is in–out: what a handler writes, later handlers and the sender
//!   see.
//! - <a id="send.request-first-answer"></a>`request` asks in the order of delivery, stops at the first answer
//!   and returns it; those behind are not asked.
//! - <a id="send.request-none"></a>A handler that returns `None` has not answered, and counts as not having
//!   received.
//! - <a id="send.request-all"></a>`request_all` collects every answer.
//! - <a id="send.to-id-order"></a>To an id: its components in order of priority, then of hooking.
//! - <a id="send.before-after"></a>Where `before` or `after` says that the handler of one component type runs
//!   before that of another, with the same priority, it does; so it is in a broadcast.
//! - <a id="send.contradictory-order"></a>A circle of `before` and `after`, or one that contradicts a
//!   priority, is an error that names it, before any message flows.
//! - <a id="send.everyone-order"></a>To everyone: component type by component type, higher priority first,
//!   then by type name; each type's components in storage order.
//! - <a id="send.everyone-order-repeatable"></a>The order of a send to everyone is the same in every run of
//!   the same program on the same inputs; hooking, unhooking and enabling change it.
//! - <a id="send.parallel-same-results"></a>A send to everyone may run a handler that is marked `parallel` on
//!   several threads (feature `rayon`). What it returns, the order between component types, receipts,
//!   failures (told in storage order) and panics are the same on any number of threads, also on one.
//! - <a id="send.everyone-panic"></a>Under the default [`PanicPolicy`](crate::PanicPolicy), a send to everyone
//!   calls all components of a type even if one panics, whether they are called in parallel or in turn; then
//!   the first panic in storage order goes to the caller, and no component type behind receives the message.
//! - <a id="send.everyone-else"></a>`EveryoneElse` leaves out all components of the sender's messagee.
//! - <a id="send.everyone-else-dead-sender"></a>A message posted to `EveryoneElse` whose sender has since
//!   been despawned is delivered to everyone.
//! - <a id="send.up-down-order"></a>`Up` is the messagee, then its ancestors; `Down` the messagee, then its
//!   descendants, each before its own children.
//! - <a id="send.up-down-mnemonic"></a>`Up` and `Down` take an id, or a mnemonic, which is looked up when the
//!   message is delivered.
//! - <a id="send.break-consumes"></a>A handler that returns `ControlFlow::Break` consumes the message: nobody
//!   behind it receives it, whatever the recipient was, and a component that was busy does not get it later.
//! - <a id="send.handler-error"></a>A handler that returns an error counts as having received, stops nobody
//!   else, and is reported as [`HandlerFailed`](crate::lifecycle::HandlerFailed) to everyone when the
//!   outermost send returns.
//! - <a id="send.failure-while-telling"></a>A failure on the way of telling a failure is reported and not
//!   told; see [Failures](#failures).
//! - <a id="send.to-hook"></a>To a hook: that one component, if it is enabled and not leaving.
//! - <a id="send.hook-gone"></a>A send to a hook whose component is gone is
//!   [`HookGone`](crate::SendErrorKind::HookGone).
//! - <a id="send.hook-of-other-manager"></a>A send to a hook of another manager is
//!   [`HookOfOtherManager`](crate::SendErrorKind::HookOfOtherManager).
//! - <a id="send.to-group"></a>To a group: its members, in the order in which they joined.
//! - <a id="send.empty-group"></a>A group without members is no error.
//! - <a id="send.nobody-to-reply-to"></a>A reply to a message that came from outside or from the manager is
//!   [`NobodyToReplyTo`](crate::SendErrorKind::NobodyToReplyTo).
//! - <a id="send.boxed"></a>A message whose type is not known where it is sent goes in a box: `send_any`,
//!   `request_any`, `post_any` and `publish_any` do what `send`, `request`, `post` and `publish` of the
//!   message itself do, errors included.
//! - <a id="send.boxed-answer"></a>The answer to `request_any` comes in a box, and is of the message's reply
//!   type.
//! - <a id="send.boxed-no-reply-type"></a>A `request_any` of a message without a reply type is
//!   [`NoReplyType`](crate::SendErrorKind::NoReplyType), and nobody has received it.
//! - <a id="send.unbox"></a>A message in a box can be taken out as its own type, and the message of a dead
//!   letter can be sent again.
//! - <a id="send.addressee"></a>[`addressee`](crate::Context::addressee) is the one messagee that a message
//!   was sent to: what an id names, the sender for `Me`, whom a mnemonic was bound to when the message was
//!   sent, the owner of a hook.
//! - <a id="send.addressee-same-for-all"></a>The addressee is the same for handlers, for those who overhear,
//!   for subscribers, and for those who receive the message later because it was retained, also when the
//!   mnemonic was bound to another since.
//! - <a id="send.addressee-of-many"></a>What is sent to many has no addressee.
//! - <a id="send.sender-stamped"></a>The sender is stamped by the manager and cannot be forged.
//! - <a id="send.me-from-outside"></a>`Me` and `EveryoneElse` from outside are errors.
//!
//! # Re-entrancy
//!
//! - <a id="reentrancy.send-to-anyone"></a>A handler may send to anyone, itself included.
//! - <a id="reentrancy.busy-kept"></a>A component that is running is **busy**: a `send` to it is kept and
//!   delivered, in the order sent, as soon as it is free.
//! - <a id="reentrancy.busy-request"></a>A `request` or `send_mut` that would reach a busy component fails
//!   with [`Busy`](crate::SendErrorKind::Busy), and nobody has received it then.
//! - <a id="reentrancy.shared-nests"></a>`&self` handlers of one component may nest.
//! - <a id="reentrancy.waits-behind-kept"></a>A send to a component for which messages are kept, or will be
//!   when a send that is under way ends, waits behind them, also where the component could take it: what one
//!   messagee sends to another's only component is received in the order sent.
//! - <a id="reentrancy.request-ignores-kept"></a>A `request` or a `send_mut` does not wait behind messages
//!   that are kept: it looks at the component as it is.
//! - <a id="reentrancy.read-others"></a>A handler can read several components side by side.
//! - <a id="reentrancy.no-borrow-across-send"></a>A borrow of another component cannot be held across a send:
//!   that is a compile error.
//! - <a id="reentrancy.addresses-at-once"></a>Addresses change at once, existence waits. Mnemonics, groups,
//!   parents, names, and whether a component is enabled, change at once in a handler, and every later look
//!   and send sees the change.
//! - <a id="reentrancy.existence-waits"></a>Spawn, hook, unhook, despawn and new subscriptions give their ids and
//!   errors at once and take effect when the outermost send returns, in the order asked for. Ending, pausing
//!   and resuming a subscription take effect at once.
//! - <a id="reentrancy.looks-as-before"></a>Until the outermost send returns, `is_alive`, `get`, `iter` and
//!   `find` see the messagees as they were.
//! - <a id="reentrancy.newborn-named"></a>A messagee that was spawned in the same dispatch can be named.
//! - <a id="reentrancy.leaving-keeps-addresses"></a>A messagee that is leaving keeps its groups, its family,
//!   its mnemonics and its name until it is gone.
//! - <a id="reentrancy.leaving-mnemonic-rebound"></a>A mnemonic of a messagee that is leaving can be bound to
//!   another before it is gone.
//! - <a id="reentrancy.leaving-unchangeable"></a>A messagee that is leaving can be changed no more: that is
//!   [`Leaving`](crate::MessageeError::Leaving).
//! - <a id="reentrancy.receivers-at-begin"></a>The receivers of a send are those present when it began, less
//!   those who are disabled or leaving when their turn comes; one that is enabled meanwhile is not among
//!   them.
//! - <a id="reentrancy.switched-meanwhile"></a>Only these two moments count. A component that is disabled and
//!   enabled again in between receives the message. One that was disabled when the send began does not.
//! - <a id="reentrancy.leaving-skipped"></a>A component or messagee that is going to be unhooked or despawned
//!   is skipped from then on by every send, and only the manager's farewell reaches it.
//! - <a id="reentrancy.leaving"></a>A message whose only recipient is a messagee that is leaving fails with
//!   [`Leaving`](crate::SendErrorKind::Leaving), whether it is sent, requested, posted or published. A
//!   message to the hook of a component that is leaving fails with
//!   [`HookLeaving`](crate::SendErrorKind::HookLeaving). A send that began before is completed.
//! - <a id="reentrancy.newborn-send"></a>A message sent to an id that was spawned in the same dispatch is
//!   delivered right after it comes alive, behind its [`Hooked`](crate::lifecycle::Hooked) messages and
//!   before any later change.
//! - <a id="reentrancy.newborn-by-other-address"></a>A message sent to a mnemonic or a group of a newborn, or
//!   to a family that it is in, is delivered to the newborn like one sent to its id: the others receive that
//!   at once.
//! - <a id="reentrancy.newborn-order"></a>What waits for one messagee is delivered in the order sent.
//! - <a id="reentrancy.newborn-request"></a>A `request` or a `send_mut` that would reach a newborn fails with
//!   [`NotYetSpawned`](crate::SendErrorKind::NotYetSpawned), and nobody has received it then.
//! - <a id="reentrancy.new-hook-send"></a>A message sent to a hook of the same dispatch is delivered right
//!   after its component is attached, behind its [`Hooked`](crate::lifecycle::Hooked) messages and before any
//!   later change.
//! - <a id="reentrancy.new-hook-unhooked"></a>A component that is unhooked in the dispatch that hooked it,
//!   before it is attached, receives nothing but its farewell, [`Unhooking`](crate::lifecycle::Unhooking).
//! - <a id="reentrancy.new-hook-disabled"></a>To disable or to enable a component of the same dispatch is a
//!   later change, too. It is told before any change that was asked for after it.
//! - <a id="reentrancy.new-hook-request"></a>A `request` or a `send_mut` to a hook of the same dispatch fails
//!   with [`NotYetHooked`](crate::SendErrorKind::NotYetHooked).
//! - <a id="reentrancy.mnemonic-when-sent"></a>What waits for a receiver or a newborn goes to the messagee
//!   that its mnemonic was bound to when it was sent.
//! - <a id="reentrancy.bounds"></a>Nesting depth and kept deliveries are bounded by
//!   [`ManagerConfig`](crate::ManagerConfig); past a bound the send fails with an error that names the
//!   message type, the recipient and the chain of running handlers, and what was accepted before is still
//!   delivered.
//! - <a id="reentrancy.kept-full-lost-for-one"></a>What cannot be kept for a busy receiver is lost for that
//!   one alone: the others receive it, subscribers with a stage of their own and retention included.
//! - <a id="reentrancy.cycle-named"></a>If the send that fails at a bound would have called a handler that is
//!   running, with a message of the same type, the error names the cycle: who receives which message, and where
//!   it was sent, each hop leading to the next and the last to the first again.
//! - <a id="reentrancy.cycle-through-busy"></a>Chain and cycle are those of the handlers that are running when
//!   the bound is reached. What led to a kept message before it was delivered is not among them.
//! - <a id="reentrancy.chain-is-no-cycle"></a>A chain of different messages is no cycle, nor is one that goes on
//!   from messagee to messagee, as along a list: it may have an end.
//! - <a id="reentrancy.default-depth"></a>By default 80 sends may be nested: in a debug build they take at
//!   most half of a stack of 2 MiB.
//! - <a id="reentrancy.changes-unbounded"></a>The number of changes that a dispatch asks for is not bounded:
//!   a handler of `Hooked` that always hooks another component goes on for ever.
//! - <a id="reentrancy.panic-to-caller"></a>By default a panic in a handler goes to the caller of the
//!   outermost send.
//! - <a id="reentrancy.panic-loses-nothing"></a>After a panic nothing stays borrowed, and nothing that was
//!   queued is lost: the next call that may change the manager, or [`settle`](crate::MessageManager::settle),
//!   carries it out first.
//! - <a id="reentrancy.panic-under-way"></a>A message is under way while its send runs. If a panic ends the send,
//!   nobody else receives the message: neither the receivers behind the one that panicked, nor those that were
//!   busy, nor a subscription with a stage. The message is not retained.
//! - <a id="reentrancy.panic-left-order"></a>Work that a panic has left behind is carried out receiver by
//!   receiver, starting with the one that has waited longest; each receives all messages that are kept for it.
//!   The changes follow, in the order in which they were requested. Every send first delivers the messages that
//!   are kept for receivers freed by a panic. A message that is kept for several receivers is delivered to one
//!   after the other.
//! - <a id="reentrancy.panic-after-result"></a>If the panic happens after the call has produced its result,
//!   the result is dropped.
//! - <a id="reentrancy.drop-panic-family"></a>What ends together (the components, closures, and bound and
//!   retained messages of a messagee and its family) is dropped one by one. If a `Drop` panics, the others
//!   are dropped all the same, and the first panic goes to the caller.
//! - <a id="reentrancy.limit-names-remedy"></a>An error at a limit names the setting of the manager and the
//!   remedy.
//! - <a id="reentrancy.unhook-policy"></a>With [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook) a panic
//!   ends with the component: it receives nothing from then on and is unhooked when the outermost send
//!   returns, and its messagee is told by [`HandlerPanicked`](crate::lifecycle::HandlerPanicked).
//! - <a id="reentrancy.unhook-goes-on"></a>With `PanicPolicy::Unhook` delivery goes on after a panic: to all
//!   others, for a request to the next who answers, and of what was queued to everyone but the one that
//!   panicked.
//! - <a id="reentrancy.unhook-subscriber"></a>With `PanicPolicy::Unhook` a subscriber that panics is
//!   unsubscribed; its owner is told, or everyone if it has none.
//! - <a id="reentrancy.unhook-panic-outside"></a>With `PanicPolicy::Unhook` a panic outside of handlers and
//!   subscribers, as in the `Drop` of a message, goes to the caller as ever.
//! - <a id="reentrancy.panicked-counts"></a>A component that panics counts as one that has failed, a
//!   subscriber as one that has received, an interceptor as one that has let the message pass.
//! - <a id="reentrancy.panicked-not-called"></a>A component that has panicked is called for nothing more, not
//!   even a farewell: the messagee's others hear `Unhooking`, then, when it is gone, `HandlerPanicked`,
//!   before any change that was asked for later.
//! - <a id="reentrancy.panicked-drop-panics"></a>If a component that has panicked panics again when it is
//!   dropped, the same `HandlerPanicked` tells of that too.
//! - <a id="reentrancy.payload-drop-panics"></a>A panic payload whose own `Drop` panics ends there, too.
//!
//! # Messagees
//!
//! - <a id="messagees.stale-id"></a>Ids are generational: a stale id never reaches a newcomer; sending to it
//!   is [`Gone`](crate::SendErrorKind::Gone).
//! - <a id="messagees.unhook-gives-back"></a>`unhook` gives the component back; the messagee's other
//!   components stay.
//! - <a id="messagees.unhook-leaving"></a>From outside as in a handler, a component that is unhooked is
//!   leaving while its [`Unhooking`](crate::lifecycle::Unhooking) is told: no send reaches it, and it cannot
//!   be unhooked again.
//! - <a id="messagees.unhook-panic"></a>If a handler panics while `Unhooking` is told, the component is
//!   dropped, and unhooked by the next call.
//! - <a id="messagees.speaks-for-messagee"></a>A component speaks for the messagee that it is hooked to: what
//!   it sends comes from that one. So hooking a component to another's id, from a handler too, lends that
//!   one's name to the component.
//! - <a id="messagees.as-messagee-alive"></a>[`as_messagee`](crate::MessageManager::as_messagee) speaks for a
//!   messagee as long as that is alive; when it has died since, every send is
//!   [`Gone`](crate::SendErrorKind::Gone).
//! - <a id="messagees.as-messagee-offers"></a>`as_messagee` offers what a context offers: what is sent,
//!   posted, published, read and cancelled through it is so in the messagee's name. The rest is the manager's
//!   own, and takes effect at once.
//! - <a id="messagees.despawn-takes-along"></a>`despawn` takes along the messagee's components, its
//!   mnemonics, and its children, unless they are to be [re-parented](crate::Children::Reparent).
//! - <a id="messagees.disabled"></a>A disabled component stays and receives nothing until it is enabled
//!   again.
//! - <a id="messagees.disabled-told"></a>When a component was disabled or enabled, its messagee is told, when
//!   the outermost send returns, by [`Disabled`](crate::lifecycle::Disabled), which the component itself
//!   receives too, or by [`Enabled`](crate::lifecycle::Enabled).
//! - <a id="messagees.same-type-twice"></a>Components of one type may be hooked more than once to one
//!   messagee.
//! - <a id="messagees.hooks-of-order"></a>`hook_of` finds the hook of the first component of a type,
//!   `hooks_of` those of all, in the order of hooking; a handler finds the same as the manager.
//! - <a id="messagees.parent-cycle"></a>A parent that would make a cycle is refused.
//! - <a id="messagees.lifecycle-told"></a>The manager tells a messagee of
//!   [`Hooked`](crate::lifecycle::Hooked) after a component was attached,
//!   [`Despawning`](crate::lifecycle::Despawning) before it is despawned, and
//!   [`Unhooking`](crate::lifecycle::Unhooking) before each component goes. One that nobody can hear is not
//!   sent, and so not traced.
//! - <a id="messagees.mnemonic-bound-once"></a>Binding a bound mnemonic, or unbinding one that is bound to
//!   another, is an error.
//! - <a id="messagees.mnemonic-freed"></a>A despawned messagee's mnemonics are free again.
//! - <a id="messagees.mnemonic-unbound"></a>Sending to an unbound mnemonic is
//!   [`Unbound`](crate::SendErrorKind::Unbound).
//! - <a id="messagees.other-manager"></a>An id or a hook of another manager is an error that says so.
//! - <a id="messagees.managers-share-no-id"></a>Managers that are alive at the same time never share an id:
//!   65 535 can be, and one more is [`TooManyManagers`](crate::RegistryError::TooManyManagers).
//! - <a id="messagees.dropped-manager-ids"></a>If `n` managers are alive when one is dropped, the
//!   ids, hooks, subscriptions and tickets that it has given out mean nothing in the 65 534 − `n` managers
//!   that are made next. In a later one, they can mean something else.
//! - <a id="messagees.errors-change-nothing"></a>A call that returns an error has changed nothing, with these
//!   exceptions. [`post_each`](#headers.post-each-fails) and [`publish_each`](#mail.publish-each-stops) keep
//!   what they did before the error. A message stays received by those who received it if they are
//!   [too few](#required.not-received), if a request [fails](#failures.request-source) at them, and if it cannot
//!   be [kept](#reentrancy.kept-full-lost-for-one) for a busy receiver.
//! - <a id="messagees.set-name"></a>A messagee can have a name. `set_name` gives it one, an empty name takes
//!   it away.
//! - <a id="messagees.spawn-named"></a>`spawn_named` gives the name before the messagee is told of its
//!   components.
//! - <a id="messagees.names-may-repeat"></a>Names need not differ.
//! - <a id="messagees.find"></a>`find` returns the messagees that are alive and whose whole name matches a
//!   pattern, in the order of their places.
//! - <a id="messagees.find-pattern"></a>In a pattern `*` stands for any characters, `?` for one, and `\`
//!   makes the next character stand for itself. Upper and lower case differ.
//! - <a id="messagees.find-exact"></a>A pattern without `*` and `?` is looked up in an index: `find`, and a wire
//!   that fires, visit only the messagees with that name. The first such search builds the index; until then
//!   names have no extra cost.
//! - <a id="messagees.id-prints-name"></a>An id prints its name: `7v2 "Red Baron"`. So does all that holds an
//!   id: errors, reports, dead letters, recipients and senders.
//! - <a id="messagees.name-escaped"></a>Quotes and line breaks in a name are escaped when it is printed.
//! - <a id="messagees.print-without-name"></a>`{:#}` leaves the name out.
//! - <a id="messagees.name-of-gone"></a>The name of a messagee that is gone is known until its place has
//!   another messagee with a name, `shrink_to_fit` forgets it, or the manager is dropped.
//! - <a id="messagees.newcomer-has-own-name"></a>A newcomer never has the name of another.
//! - <a id="messagees.print-width"></a>Ids, hooks, subscriptions, recipients, senders and receivers print
//!   with the width, fill and alignment that is asked for, and are never cut off.
//! - <a id="messagees.name-changes-no-delivery"></a>A name changes nothing of what is delivered.
//! - <a id="messagees.leaving-subscriptions"></a>The subscriptions of a messagee end as soon as it is
//!   leaving, those of the same dispatch, too.
//! - <a id="messagees.despawn-ends"></a>A despawned messagee leaves its groups, its subscriptions end, and
//!   what was retained for it is forgotten.
//! - <a id="messagees.despawn-bound-messages"></a>Each of the messages that a despawned messagee has posted
//!   with a `bound` header becomes a dead letter, also if the `Drop` of another panics.
//!
//! # Headers
//!
//! - <a id="headers.reusable"></a>A header is built once and used for any number of messages; it is `Copy`,
//!   and can be readdressed.
//! - <a id="headers.contradiction"></a>What contradicts itself is an error when it is built, and never
//!   ignored: no recipient, a delay or a period with `Immediate`, a delay in time and one in frames, two such
//!   periods, a delay in time with a period in frames, a period of zero, zero times, `times` without a
//!   period, `unscaled` with nothing to measure, a key, `bound` or `if_alive` with `Immediate`, `retain` with
//!   a period, a period in frames with `FixedUpdate`, whose passes `every_pass` follows. See
//!   [`HeaderError`](crate::HeaderError).
//! - <a id="headers.post-takes"></a>A post takes a header, a reference to one, or a builder.
//! - <a id="headers.post-contradiction"></a>If the header that a post takes contradicts itself, nothing is
//!   posted, and the error of the post is [`SendErrorKind::Header`](crate::SendErrorKind::Header).
//! - <a id="headers.read-back"></a>All that a header says can be read back.
//! - <a id="headers.default-stage"></a>A header without a stage is `Immediate`; one with a delay or a period
//!   is for `Update`.
//! - <a id="headers.immediate-is-send"></a>Posting with stage `Immediate` is a send, and the ticket tells its
//!   receipt.
//! - <a id="headers.post-to"></a>`post_to` posts to another recipient than the header's own; for the rest it
//!   is `post`.
//! - <a id="headers.post-each"></a>`post_each` posts each message that an iterator yields, in that order, as
//!   separate posts would.
//! - <a id="headers.post-each-fails"></a>`post_each` ends at the first post that fails: the error tells why,
//!   and how many were posted before. These stay posted.
//! - <a id="headers.post-to-gone"></a>Posting to a messagee or a hook that is gone is an error at once.
//! - <a id="headers.recipient-goes-later"></a>A posted message whose messagee or hook goes later becomes a
//!   dead letter.
//! - <a id="headers.mnemonic-when-delivered"></a>The mnemonic that a message was posted to is looked up when
//!   the message is delivered.
//! - <a id="headers.if-alive"></a>With `if_alive`, a message whose messagee or hook has gone, or whose
//!   mnemonic nobody is bound to, is no dead letter.
//! - <a id="headers.sender-from-outside"></a>`Me` and `EveryoneElse` from outside are errors at once, and so
//!   are headers that tie a message to its sender (`bound`).
//! - <a id="headers.max-pending"></a>[`max_pending`](crate::ManagerConfig::max_pending) messages may be
//!   pending; one more is [`QueueFull`](crate::SendErrorKind::QueueFull), and nothing that was accepted is
//!   lost.
//! - <a id="headers.replace-is-not-more"></a>Replacing a message under its key does not count as one more
//!   pending message.
//! - <a id="headers.envelope"></a>The [`Envelope`](crate::Envelope) that a receiver sees tells the sender,
//!   the recipient, when the message was posted and when it was due (time and frame), its tags, its stage and
//!   the place of the sending call.
//!
//! # Time and stages
//!
//! - <a id="time.tick"></a>A [`tick`](crate::MessageManager::tick) is one frame: the frame number and the
//!   clock advance, the mailboxes swap, the inlet is drained, then `FixedUpdate` runs as often as the fixed
//!   step says, then `Update`, `LateUpdate`, `EndOfFrame`.
//! - <a id="time.frame-in-pieces"></a>`begin_frame` and `run_stage` are the pieces of a `tick`.
//! - <a id="time.due-order"></a>A pass delivers what is due, in order of due time, equal ones in the order
//!   posted. Nothing is early; what is late by a long frame is delivered in order.
//! - <a id="time.frame-delay"></a>A delay by frames falls due when its frame begins, at the time of that
//!   (which for `FixedUpdate` can be later than the fixed time).
//! - <a id="time.unscaled-behind"></a>What waits on the unscaled clock comes behind the rest of a pass, in
//!   its own order: the two clocks cannot be compared.
//! - <a id="time.delivery-is-outermost"></a>Each delivery of a pass is an outermost send: what it changes is
//!   settled before the next one.
//! - <a id="time.stage-to-come"></a>A message posted without a delay for a stage that is still to come in the
//!   frame is delivered in this frame.
//! - <a id="time.own-stage-next-pass"></a>A message posted during the pass of its own stage waits for the
//!   next pass of it: every pass ends.
//! - <a id="time.fixed-follows"></a>The fixed time follows the scaled time in whole steps and never runs
//!   ahead.
//! - <a id="time.max-fixed-steps"></a>A frame takes
//!   [`max_fixed_steps`](crate::ManagerConfig::max_fixed_steps) at most; what it owes beyond is left out, and
//!   the fixed time leaps over it.
//! - <a id="time.fixed-time-in-pass"></a>In a pass of `FixedUpdate` the time is the fixed time.
//! - <a id="time.set-fixed-step"></a>[`set_fixed_step`](crate::MessageManager::set_fixed_step) holds at once:
//!   the fixed time stays where it is, and the steps that the frame still owes are counted again.
//! - <a id="time.fixed-step-saved"></a>The fixed step that `set_fixed_step` has set is part of a save; the
//!   step of the configuration is not.
//! - <a id="time.begin-frame-with"></a>A frame of
//!   [`begin_frame_with`](crate::MessageManager::begin_frame_with) advances both clocks by what the host
//!   says, to the nanosecond; scale and pause of the manager do not act on it.
//! - <a id="time.scale-from-next-frame"></a>Scale and pause act on the scaled time from the next frame on.
//! - <a id="time.paused"></a>While the scaled time stands still, frames and the unscaled time go on,
//!   `FixedUpdate` has no passes, and the other stages deliver what has no delay.
//! - <a id="time.repeat-period"></a>A message that repeats is due again one period after it was due, however
//!   late it was delivered; after a long frame its deliveries come in order, the oldest first.
//! - <a id="time.repeat-one-value"></a>A message that repeats is one value: what a receiver writes into it is
//!   there the next time.
//! - <a id="time.repeat-ends"></a>A message that repeats ends with its first delivery to a messagee or a hook
//!   that is gone; to a mnemonic that is not bound it goes on.
//! - <a id="time.max-repeats"></a>In one frame, over all passes of its stage, a message that repeats is
//!   delivered [`max_repeats_per_frame`](crate::ManagerConfig::max_repeats_per_frame) times at most, and may
//!   be delivered at least once.
//! - <a id="time.repeats-skipped"></a>Deliveries of a message that repeats which are due beyond
//!   `max_repeats_per_frame` are skipped: it is next due at the first time of its series that the pass has
//!   not reached, on whatever clock it waits.
//! - <a id="time.skipped-counted"></a>Skipped deliveries count among a message's `times`, and
//!   [`FrameReport::skipped_repeats`](crate::FrameReport::skipped_repeats) counts them.
//! - <a id="time.every-pass"></a>A message with `every_pass` is delivered once in each pass of its stage,
//!   also after a long frame.
//! - <a id="time.cancelled-never-delivered"></a>What was cancelled is never delivered, not even in the pass
//!   that is under way.
//! - <a id="time.cancel-by"></a>A [`Ticket`](crate::Ticket) cancels, and so do a key, a sender, and a
//!   recipient with a message type: see [`Posts`](crate::Posts).
//! - <a id="time.cancel-drop-panics"></a>All messages that are meant are cancelled before the first is
//!   dropped. If the `Drop` of one panics, the others are dropped all the same, and the first panic goes to
//!   the caller.
//! - <a id="time.take-out"></a>What was taken out is as if it was cancelled, and comes to the caller in the
//!   order in which it was due.
//! - <a id="time.take-out-header"></a>What was taken out has a header of what is left of its delay and of its
//!   deliveries: posted with that at once, it is due when it would have been.
//! - <a id="time.take-out-repeating"></a>A message that repeats and is being delivered is not taken out.
//! - <a id="time.key-replaces"></a>Posting under a key replaces the message that is pending under it,
//!   whatever its type and recipient.
//! - <a id="time.key-post-fails"></a>If a post under a key fails, the message that is pending under it stays.
//! - <a id="time.key-drop-panics"></a>If the `Drop` of the message that a key replaces panics, the new one is
//!   pending.
//! - <a id="time.key-is-senders"></a>A key is the sender's own, and from outside there is one more; a shared
//!   key is the same for all.
//! - <a id="time.key-cancels"></a>The name of a key cancels the message under the key of who cancels.
//! - <a id="time.pending-listed"></a>Pending messages can be listed in the order in which they are due.
//! - <a id="time.soonest-posts"></a>[`soonest_posts`](crate::MessageManager::soonest_posts) lists the first
//!   of the pending messages without looking at all.
//! - <a id="time.full-names-most"></a>When too many messages are pending, the error says of which type most
//!   of them are, and which place posted most messages of that type.
//! - <a id="time.full-names-cycle"></a>When too many messages are pending, the error names the cycle when a
//!   handler posts what it is handling to a receiver that is running.
//! - <a id="time.saturates"></a>Times and frames that would be past their end saturate: the last time is 292
//!   years after the manager was made, the last frame 2^64 - 1.
//! - <a id="time.panic-in-pass"></a>After a panic in a pass, the next pass of that stage delivers what was
//!   left of it, what had fallen due again in it and what has fallen due since, in order of due time, equal
//!   ones in the order posted.
//!
//! # Subscriptions
//!
//! - <a id="subscriptions.every-message"></a>A subscription receives every message that passes its filter,
//!   whatever the recipient is.
//! - <a id="subscriptions.order"></a>Subscriptions receive after the addressed components, in the order
//!   subscribed, whether they listen to one type or to all.
//! - <a id="subscriptions.unreceived-heard"></a>Subscriptions hear a message that nobody is there to receive.
//! - <a id="subscriptions.failed-unheard"></a>Subscriptions do not hear a message that fails with an error
//!   because the recipient is gone or unbound.
//! - <a id="subscriptions.filter-all"></a>`from`, `to` and `tags` must all hold, and every `when`; `tags`
//!   asks for any of them, and an empty set is no condition, as for [`Posts`](crate::Posts).
//! - <a id="subscriptions.to-id"></a>`to` an id is what is sent to that messagee alone, by id, `Me` or a
//!   mnemonic bound to it.
//! - <a id="subscriptions.to-hook"></a>`to` a hook is what is sent to that hook.
//! - <a id="subscriptions.to-mnemonic-when-sent"></a>A mnemonic that a filter asks for, or that a message
//!   was sent to, stands for the messagee that it was bound to when the message was sent. This holds for
//!   interceptors, for subscribers with and without a stage, for overhearing, and for what is kept.
//! - <a id="subscriptions.when-asked-last"></a>The predicate of a `when` is asked last, about the message as
//!   the subscriber would receive it: after the components, for an interceptor before them.
//! - <a id="subscriptions.when-running"></a>A predicate that is running refuses a `request` or a `send_mut`
//!   that passes the rest of its filter, without asking.
//! - <a id="subscriptions.when-panics"></a>A predicate that panics is a subscriber that panics.
//! - <a id="subscriptions.returns"></a>A subscriber may return nothing, `bool` or `ControlFlow<()>`; an
//!   interceptor returns nothing or `ControlFlow<()>`.
//! - <a id="subscriptions.returns-false"></a>A subscriber that returns `false` has not received, and if it is
//!   `once` it goes on.
//! - <a id="subscriptions.returns-break"></a>When a subscriber returns `Break`, the subscribers behind it,
//!   and those who are busy, do not receive the message.
//! - <a id="subscriptions.read-back"></a>All that a filter says can be read back, but for its predicate.
//! - <a id="subscriptions.paused"></a>A subscription that is paused receives nothing until it is resumed, and
//!   keeps its place in the order.
//! - <a id="subscriptions.pause-at-once"></a>Pausing and resuming take effect at once, also in a handler, and
//!   also for a subscription that was made in the same dispatch.
//! - <a id="subscriptions.pause-under-way"></a>A message that is under way does not reach a subscription that
//!   was paused or resumed since it was sent.
//! - <a id="subscriptions.pause-kept"></a>What was kept for a subscription, or waits for its stage, is not
//!   delivered if the subscription is paused when its turn comes.
//! - <a id="subscriptions.hidden"></a>A hidden subscription does not count as a receiver.
//! - <a id="subscriptions.once"></a>A subscription that is `once` ends with the first message it receives.
//! - <a id="subscriptions.stage"></a>A subscription with a stage receives its messages in the next pass of
//!   that stage, behind the posted ones.
//! - <a id="subscriptions.stage-waits-from-end"></a>A message starts to wait for the stage of a subscription when
//!   its send ends. Messages are received in the order in which they started to wait.
//! - <a id="subscriptions.stage-consumed"></a>A message that is consumed before its stage does not reach a
//!   subscription with a stage, no matter who consumes it.
//! - <a id="subscriptions.stage-ended"></a>If a subscription with a stage has ended by the time the send ends, it
//!   is not counted as pending.
//! - <a id="subscriptions.stage-once"></a>A subscription that is `once` accepts no other message while one waits
//!   for its stage.
//! - <a id="subscriptions.once-ended-when-called"></a>A subscription that is `once` has ended as soon as it
//!   is called: `unsubscribe` returns `false` from then on.
//! - <a id="subscriptions.once-kept"></a>While the one message of a subscription that is `once` is still kept
//!   for it, it has not ended.
//! - <a id="subscriptions.before"></a>An interceptor ([`before`](crate::Filter::before)) runs first, may
//!   change the message, and may consume it: then nobody receives it.
//! - <a id="subscriptions.before-counts"></a>An interceptor counts as a receiver of what it consumes.
//! - <a id="subscriptions.consumed-unheard"></a>A message that a component consumes does not reach the
//!   subscribers.
//! - <a id="subscriptions.made-in-handler"></a>Subscriptions that are made in a handler take effect when the
//!   outermost send returns.
//! - <a id="subscriptions.ended-in-handler"></a>A subscription that is ended in a handler receives nothing
//!   more at once.
//! - <a id="subscriptions.busy-kept"></a>A subscriber that is running is busy like a component: a `send` is
//!   kept for it and delivered as soon as it is free.
//! - <a id="subscriptions.busy-request"></a>A `request` or `send_mut` that a busy subscriber would receive
//!   fails with [`SubscriberBusy`](crate::SendErrorKind::SubscriberBusy).
//! - <a id="subscriptions.busy-before"></a>While an interceptor is running, a message that it would receive
//!   waits, for everybody.
//! - <a id="subscriptions.busy-before-dead-letter"></a>What goes wrong with a message after it has waited for
//!   an interceptor is a dead letter.
//! - <a id="subscriptions.sender"></a>What a subscriber sends comes from its owner, or from `Outside`.
//! - <a id="subscriptions.owner"></a>In a handler or a subscriber only the own messagee can be the owner of a
//!   new subscription, or one that was spawned in the same dispatch: everybody else is
//!   [`NotOneself`](crate::MessageeError::NotOneself).
//! - <a id="subscriptions.drop-order"></a>When an owner or the manager goes, the closures are dropped in the
//!   order subscribed.
//! - <a id="subscriptions.drop-panics"></a>A manager drops all of its closures also if the `Drop` of one
//!   panics.
//! - <a id="subscriptions.cost-of-change"></a>To make or to end a subscription costs the same however many
//!   there are.
//! - <a id="subscriptions.cost-of-send"></a>A send costs the same however many subscriptions ask by `to` for
//!   other recipients, or by `from` for other senders (`Me` and a mnemonic stand for another from send to
//!   send: their filters are asked at each).
//! - <a id="subscriptions.retain"></a>A message whose header says `retain` is kept as the last one of its
//!   type and recipient, unless an interceptor consumes it.
//! - <a id="subscriptions.retained-by-name"></a>What was retained under a mnemonic or a group belongs to that
//!   name, and outlives the messagees that bear it.
//! - <a id="subscriptions.retained-for-hook"></a>What was retained for a hook is forgotten with its
//!   component.
//! - <a id="subscriptions.with-retained"></a>A subscription that asks for it by `with_retained` receives what
//!   was kept and passes its filter at once, in the order in which it was retained.
//! - <a id="subscriptions.retained-holder"></a>For retained messages, a mnemonic of the filter or of the message
//!   refers to the messagee that it is bound to when the subscription takes effect, or when it is resumed.
//! - <a id="subscriptions.retained-while-paused"></a>When a paused subscription with `with_retained` is resumed,
//!   it receives the messages that were retained during the pause and pass its filter, in the order in which they
//!   were retained, each once. If a handler resumes it, they are delivered when the outermost send returns.
//! - <a id="subscriptions.retained-drop-order"></a>What is forgotten with a messagee is dropped in the order
//!   in which it was retained.
//!
//! # Overhearing
//!
//! - <a id="overhearing.own-handlers"></a>What passes the filter of an
//!   [`overhear`](crate::MessageManager::overhear) is delivered to that messagee's own handlers too, though
//!   it was sent to others: among the subscribers, in the order subscribed, under the same sender, recipient
//!   and envelope.
//! - <a id="overhearing.is-overheard"></a>[`is_overheard`](crate::Context::is_overheard) tells whether the
//!   message is overheard.
//! - <a id="overhearing.not-twice"></a>What reaches the messagee anyway is not overheard.
//! - <a id="overhearing.not-own"></a>A messagee does not overhear what it sends itself.
//! - <a id="overhearing.no-loop"></a>A messagee does not overhear what its own overhearing leads to in the
//!   same dispatch, through busy receivers too: so no send loops. (Changes are told anew: one that overhears
//!   `Hooked` and spawns each time goes on for ever, as a handler of it would.)
//! - <a id="overhearing.anew"></a>A message that is received in a stage, or because it was retained, is received
//!   anew: a messagee overhears what it leads to, even if its own overhearing led to the message.
//! - <a id="overhearing.decided-when-sent"></a>Whether a messagee overhears a message is decided when the message
//!   is sent, by the mnemonic, the group or the family at that time.
//! - <a id="overhearing.retained"></a>With a filter that asks for retained messages, a messagee overhears all
//!   that pass the filter, except those that it sent itself and those that reached it when they were sent. A
//!   messagee that came alive later overhears messages that were sent to everyone. A messagee that received a
//!   message through a mnemonic, and has since handed the mnemonic on, does not overhear the message again.
//! - <a id="overhearing.ended-while-waiting"></a>What waits for a component that is running, or for a stage,
//!   is not overheard if the subscription has ended or is paused then.
//! - <a id="overhearing.once"></a>An overhearing that is `once` ends when the first component has received a
//!   message; the others of its messagee receive that message, too.
//! - <a id="overhearing.counts"></a>Each component that overhears counts as a receiver, unless the filter is
//!   hidden.
//! - <a id="overhearing.consumes-and-fails"></a>A component that overhears consumes and fails as others do;
//!   what it answers is dropped.
//! - <a id="overhearing.disabled"></a>A component that is disabled or leaving overhears nothing.
//! - <a id="overhearing.busy"></a>A component that is running overhears as soon as it is free, and a
//!   `request` or `send_mut` that it would overhear is [`Busy`](crate::SendErrorKind::Busy).
//! - <a id="overhearing.ends"></a>Overhearing ends with its messagee, and can be ended and paused as any
//!   subscription.
//! - <a id="overhearing.owner"></a>In a handler only the own messagee, or one that was spawned in the same
//!   dispatch, can be made to overhear.
//!
//! # Types as data
//!
//! With the feature `data`: see `data::Data`.
//!
//! - <a id="data.message-or-component"></a>A type with data that is a message is one in files, saves and
//!   logs; any other is a component.
//! - <a id="data.found-by-name"></a>A type is found by its full name, by the last part of that, or by an
//!   alias, in this order.
//! - <a id="data.duplicate-name"></a>Two types with the same full name are rejected at start-up, before a manager
//!   exists. Looking up a short name or an alias that several types share is an error. Both errors name the
//!   places.
//! - <a id="data.formats"></a>Text is in RON syntax; bytes are `MessagePack` with field names.
//! - <a id="data.read-back"></a>What is written is read back to the same value, bit for bit, also
//!   floating-point numbers; but of a NaN only the sign is kept in text.
//! - <a id="data.unordered"></a>Equal values have equal text and equal bytes, even if the order of their hash
//!   maps differs. A map is written sorted by its written keys, and a `HashSet` of the standard library or of
//!   `hashbrown` by its written elements: in text by number and letter, in bytes by byte. Entries with the same
//!   key keep their order.
//! - <a id="data.order-kept"></a>A `BTreeMap`, a map or set of `indexmap`, and every list keep their order. A map
//!   of an unknown type is sorted, and so is a map that is flattened into a struct. If the order of entries
//!   matters, use a list.
//! - <a id="data.sorted"></a>To serde, any other set is a list. `#[serde(serialize_with = "data::sorted")]`
//!   writes it sorted.
//! - <a id="data.every-representation"></a>Every value that can be read back from JSON, from the crate `ron` or
//!   from bytes can be read back from a text, whatever serde representation its type uses and whatever names it
//!   has.
//! - <a id="data.reads-ron"></a>A text that the crate `ron` reads is read as the same value, apart from the
//!   differences that `data::text_format` lists.
//! - <a id="data.struct-names"></a>The text of a component or a message begins with the name of its type. Within
//!   a value, structs are written without their names, and read with or without them.
//! - <a id="data.text-extensions"></a>A text can enable syntax extensions for itself. `TextOptions` enables them
//!   for every text.
//! - <a id="data.unknown-field-in-text"></a>In a text, a field that a struct does not have is an error,
//!   nested too, with line and column, the fields that there are and the nearest name.
//! - <a id="data.unknown-field-in-bytes"></a>In bytes a field that a struct does not have is passed over.
//! - <a id="data.fields-may-differ"></a>Fields can be added, removed and moved between the writer and the
//!   reader of bytes.
//! - <a id="data.upgrade"></a>The fields of an earlier version are changed by the type's `upgrade` before
//!   they are read.
//! - <a id="data.readers-are-safe"></a>No text and no bytes make a reader panic, or allocate by a length that
//!   they claim.
//! - <a id="data.readers-are-linear"></a>Reading or writing a text takes time proportional to its length.
//! - <a id="data.nesting-limit"></a>Values are nested 128 levels deep at most.
//! - <a id="data.id-needs-manager"></a>An id is written and read only in a world file, a save, a log or a
//!   text about a manager; anywhere else it is an error.
//! - <a id="data.shape"></a>The `shape` of a type tells what it reads of bytes: its fields, their types, and
//!   which may be missing. It is found out by reading.
//! - <a id="data.shape-reads"></a>`reads` tells whether one program reads what another one writes, or the
//!   first difference: what changed its type, a field that is needed and missing, a variant that the reader
//!   lacks.
//! - <a id="data.shape-from-stranger"></a>A shape from a stranger takes memory in proportion to its length,
//!   and never panics.
//!
//! # Plugins
//!
//! - <a id="plugins.extend-at-work"></a>The registry can be extended while managers are at work: by what a
//!   library brings that was loaded, or by hand.
//! - <a id="plugins.extend-on-any-thread"></a>Several threads can extend the registry at the same time, even
//!   while another thread publishes it on first use. The registry contains everything that they add.
//! - <a id="plugins.indices-stay"></a>Indices that exist stay. New message types and component types are
//!   sorted by name and come behind the others, so indices depend on the order in which libraries are loaded;
//!   ids do not.
//! - <a id="plugins.late-handler-order"></a>Handlers that come late run where they would if they had been
//!   there: by priority, then as `before` and `after` say, then by type name.
//! - <a id="plugins.taken-up"></a>A manager that was made before takes up what is new when a component of a
//!   new type is first hooked, or when its next frame begins.
//! - <a id="plugins.take-up-loses-nothing"></a>When a manager takes up what is new, what waits in it goes on,
//!   and what was heard is heard.
//! - <a id="plugins.before-taken-up"></a>Until a manager has taken up what is new, it sends, posts and
//!   publishes that as if nobody handled it.
//! - <a id="plugins.publish-before-taken-up"></a>A handler that publishes a type that the manager has not
//!   taken up gets [`Unregistered`](crate::SendErrorKind::Unregistered).
//! - <a id="plugins.component-without-handlers"></a>A component without handlers is never taken for one of a
//!   type that comes late.
//! - <a id="plugins.refused-duplicate"></a>A type that has the id of another, or a component type or type
//!   with data that has the name of another, is refused with both places.
//! - <a id="plugins.refused-context"></a>A late handler with a context on a component type whose other
//!   handlers take none is refused with both places.
//! - <a id="plugins.refused-leaves-nothing"></a>What is refused leaves nothing behind: the registry stays as
//!   it is, and types, handlers and names of the refused library are not found later.
//! - <a id="plugins.not-with-linkme"></a>With the feature `linkme`, `extend_registry` and `plugin!` are
//!   compile errors.
//! - <a id="plugins.statement-first"></a>A plugin's statement is read from the bytes of its file before
//!   anything of it runs.
//! - <a id="plugins.file-refused"></a>A file that is no whole library for the machine, a library without a
//!   statement, a plugin with a message-core of its own, of another compiler or build, of another build of a
//!   shared crate, or with a copy of a crate that the program has, is refused with both sides.
//! - <a id="plugins.loaded-twice"></a>A plugin whose name is loaded already is refused with both sides.
//! - <a id="plugins.checked-copy"></a>What is checked is what is loaded: a copy of the file. A copy that is
//!   gone or changed in between is an error.
//! - <a id="plugins.never-unloaded"></a>A plugin is never unloaded.
//! - <a id="plugins.world-file-names"></a>A world file that names a plugin that is not loaded is an error at
//!   that place, which says which are loaded; nothing else of the file is reported then.
//!
//! # World files
//!
//! With the feature `data`. The format is that of `data::WorldFile`.
//!
//! - <a id="world-files.reading-changes-nothing"></a>Reading a world file changes nothing.
//! - <a id="world-files.all-mistakes"></a>Reading a world file checks all that can be checked without a
//!   manager, each field of each component and message included, and reports mistakes together, each with
//!   file, line and column, what was found, what was expected, and the nearest name.
//! - <a id="world-files.mistakes-bounded"></a>The first mistakes of the text are reported, at most 100 or as many
//!   as `WorldOptions::max_mistakes` allows, together with the number of further mistakes.
//! - <a id="world-files.linear"></a>Reading a text and reporting its mistakes take time and memory proportional
//!   to its length, whatever it says. The contents of a template are shared by the messagees that are made from
//!   it.
//! - <a id="world-files.read-again"></a>Values are read again with their overrides, or without the fields that
//!   are wrong, up to a total of 16 times the text. Beyond that, values are not checked until `instance`.
//! - <a id="world-files.suggestions"></a>The nearest name is searched for among the first 10 000 names, for the
//!   first 100 unknown names, and only for names of at most 64 characters. Longer names are cut where they are
//!   printed.
//! - <a id="world-files.expanded"></a>A file is rejected if its components and wires would take more than 256 MiB
//!   with those of templates written out for each messagee, unless `WorldOptions::max_expanded` allows it.
//!   `instance` creates no more than that.
//! - <a id="world-files.all-or-nothing"></a>`instance` makes all of a file or nothing. After an error the
//!   manager is as before: no id is used up, no mnemonic is bound, nobody has joined a group.
//! - <a id="world-files.mnemonic-bound"></a>A mnemonic of a file that is bound already is an error.
//! - <a id="world-files.id-is-name"></a>The id of a messagee in a component or a message is its name in the
//!   file, before it or behind it.
//! - <a id="world-files.instanced-again"></a>When a file is instanced again, the names in it are those of the
//!   new messagees.
//! - <a id="world-files.hook-is-name"></a>The id of a component is the name of its messagee with its type
//!   behind it: `"grib/Health"`, and `"grib/Health#2"` for the second of a type.
//! - <a id="world-files.no-tickets"></a>A ticket and the id of a subscription have no meaning in a world
//!   file: reading and writing one is an error with its place.
//! - <a id="world-files.templates"></a>Who is made from templates has their components, joins their groups,
//!   and has their wires, before its own.
//! - <a id="world-files.templates-bounded"></a>A messagee is made from at most 100 templates.
//! - <a id="world-files.template-disables"></a>A component that a template disables begins disabled.
//! - <a id="world-files.complete-before-hooked"></a>Messagees are alive, and have their components, families,
//!   mnemonics, groups, names and wires, before the first of them is told
//!   [`Hooked`](crate::lifecycle::Hooked).
//! - <a id="world-files.disabled-told-nothing"></a>A component that begins disabled is told nothing of it.
//! - <a id="world-files.declared-names"></a>Mnemonics, groups and tags are named as they are declared, or by
//!   the last part of that, in the fields of components and messages, too.
//! - <a id="world-files.undeclared-name"></a>A mnemonic, group or tag that the program does not declare is an
//!   error.
//! - <a id="world-files.message-by-name"></a>In a message that is read by name, the id of a messagee is the
//!   name of one that the manager has, or `"#7v2"`: how the id prints.
//! - <a id="world-files.ambiguous-name"></a>In a message that is read by name, a name that several messagees
//!   have is an error.
//! - <a id="world-files.print-and-read"></a>A message or a component that is printed is read again to the
//!   same, unless it has a ticket or a cursor: these are printed for people alone.
//! - <a id="world-files.printed"></a>A component or a message can be printed whatever ids it has. The id of a
//!   component or of a subscription is printed and read as `"#7v2"`.
//! - <a id="world-files.override"></a>An override replaces fields of the one component of its type that is
//!   there, whole fields each.
//! - <a id="world-files.write-world"></a>What `write_world` writes is read back to the same components,
//!   names, families, mnemonics, groups with the same order of members, disabled components and wires. Ids
//!   and the storage order are new.
//! - <a id="world-files.gone"></a>`write_world` writes the id of a messagee or a component that is gone as `None`
//!   if it is in an `Option`. Anywhere else such an id is an error, which says that it is gone. All of these
//!   errors are reported together.
//!
//! # Wires
//!
//! - <a id="wires.fires"></a>A wire fires when its messagee receives a message of the type that it waits for,
//!   by whatever recipient, also if none of its components handles that; not if the message is consumed
//!   before.
//! - <a id="wires.not-a-receiver"></a>A wire does not count as a receiver.
//! - <a id="wires.mnemonic-when-sent"></a>To a wire, a mnemonic stands for whom it was bound to when the
//!   message was sent, and a group and a family are those of that moment.
//! - <a id="wires.post-in-order"></a>Wires post, in the order in which they were made; they never send.
//! - <a id="wires.sender"></a>The sender of what wires post is their messagee.
//! - <a id="wires.name-when-fired"></a>A name that a wire posts to is looked up when the wire fires, a
//!   mnemonic and a group when the message is delivered.
//! - <a id="wires.name-of-several"></a>If several messagees have the name that a wire posts to, the wire
//!   posts to each, in the order of `find`.
//! - <a id="wires.times"></a>A wire fires as often as it says, then it has ended.
//! - <a id="wires.ended-by-number"></a>A wire ends with its messagee, and can be ended, disabled and enabled
//!   by its number.
//! - <a id="wires.impossible-refused"></a>A wire that could never post is refused with what was expected, and
//!   with the place in the file or of the call.
//! - <a id="wires.dead-letter"></a>What a wire cannot post is a dead letter, and reported: to a name that
//!   nobody has, to the sender of a message that comes from outside, or past a limit.
//! - <a id="wires.cost"></a>Only message types that wires wait for are heard by them: other types, and a
//!   manager without wires, pay nothing.
//!
//! # Saves
//!
//! With the feature `data`. The format is that of `data::save_format`.
//!
//! - <a id="saves.goes-on"></a>A manager that is restored goes on as the one that was saved: the same is
//!   delivered, in the same order, at the same times, and ids of the same places and generations are given out
//!   next.
//! - <a id="saves.save-of-restored"></a>A save of a restored manager is equal to the save that it was made
//!   of, byte by byte.
//! - <a id="saves.saved"></a>Saved are components in their storage order, enabled flags, hooks in their
//!   order, families, names, mnemonics and groups in their order, the clock, what is pending with all that a
//!   header says, what is retained and whom it reached, what is published, overhearing with what waits for a
//!   stage and what it has missed of the retained, wires, and the counts of failures and dead letters.
//! - <a id="saves.not-saved"></a>Not saved are subscriptions, traces, the inlet, the configuration, and
//!   places in the source: what was posted before seems to be posted by the call of `restore`.
//! - <a id="saves.ids-inside"></a>Ids and tickets inside components and messages mean in the restored manager
//!   what they meant in the saved one.
//! - <a id="saves.foreign-id"></a>An id of another manager cannot be saved.
//! - <a id="saves.mail-retention"></a>For how long mail of a type is retained is saved, also of a type
//!   without data.
//! - <a id="saves.types-without-data"></a>All types that are there and have no data are told at once, with
//!   how many there are.
//! - <a id="saves.left-out"></a>What is left out of a save is not there afterwards; a component that is left
//!   out has been unhooked.
//! - <a id="saves.restored-told"></a>A component is told `lifecycle::Restored` and not
//!   [`Hooked`](crate::lifecycle::Hooked), once, when all is there.
//! - <a id="saves.settled"></a>Before a manager is saved, work that a panic has left behind is carried out.
//! - <a id="saves.unknown-type"></a>A type that the program does not have is noted and passed over, with its
//!   components, hooks and messages; so is a field.
//! - <a id="saves.earlier-version"></a>Values of an earlier version are upgraded when a save is restored.
//! - <a id="saves.newer-version"></a>A newer version of a type or of the format is an error that names both.
//! - <a id="saves.damaged"></a>A save that is cut off, damaged or made up is refused with its place, or makes
//!   a manager; it never panics, takes no more memory than a multiple of its own length, and what is refused
//!   makes nothing.
//! - <a id="saves.error-names"></a>If a value cannot be read, the error names its type and the field, and for a
//!   component also the messagee.
//!
//! # Proxies
//!
//! With the feature `data`: see `proxy`. The crate `message-net` carries what they are sent.
//!
//! - <a id="proxies.stands-for"></a>A proxy is a messagee that stands for one of another manager. It has a
//!   name, mnemonics, groups and a family as any other, and no components.
//! - <a id="proxies.written-to-outbox"></a>What is sent to a proxy, by whatever recipient, is written to its
//!   outbox as bytes, with its sender and the ids in it: when the addressed components of this manager have
//!   had it and as these have left it, before a subscriber hears it.
//! - <a id="proxies.counts"></a>A proxy counts as a receiver.
//! - <a id="proxies.consumed-before"></a>What is consumed before it comes to the proxy is not written.
//! - <a id="proxies.everyone-is-here"></a>`Everyone` means this manager.
//! - <a id="proxies.post-to-id"></a>A post to the id of a proxy is written at once, with its header: stage,
//!   delay and conditions are for the other side, and the ticket cancels nothing.
//! - <a id="proxies.post-to-many"></a>A post to a group, a family or a mnemonic of a proxy waits here.
//! - <a id="proxies.by-position"></a>An outbox that was opened by position has a message without the names of
//!   its fields, if it is a struct that writes the fields that it reads from a list, and no others. A save
//!   has the names.
//! - <a id="proxies.elsewhere"></a>A request or an in–out message that would reach a proxy, and mail to one,
//!   is [`Elsewhere`](crate::SendErrorKind::Elsewhere), and nobody has received it then.
//! - <a id="proxies.mail-to-many"></a>Mail to a group or a family is for the messagees of this manager.
//! - <a id="proxies.unwritable"></a>More than the outbox holds is [`Backlog`](crate::SendErrorKind::Backlog),
//!   while it is blocked or closed [`Unreachable`](crate::SendErrorKind::Unreachable), and what cannot be
//!   written [`NotWritten`](crate::SendErrorKind::NotWritten), if it was sent to the proxy alone.
//! - <a id="proxies.unreached"></a>If the proxy is one of several receivers, the others receive the message,
//!   [`Receipt::unreached`](crate::Receipt::unreached) counts the proxy, and a dead letter to the proxy has that
//!   error.
//! - <a id="proxies.not-relayed"></a>What a proxy sends is not carried on: to a proxy alone it is
//!   [`NotRelayed`](crate::SendErrorKind::NotRelayed), of several receivers proxies are passed over.
//! - <a id="proxies.tell-undelivered"></a>What did not arrive is a dead letter, by `tell_undelivered`, with
//!   the reason.
//! - <a id="proxies.saved"></a>Outboxes, proxies and what waits are saved and logged; `outboxes` and
//!   `proxies` find them again.
//! - <a id="proxies.traced"></a>A trace has an event for each message that is written for a proxy.
//!
//! # Worlds across machines
//!
//! With the crate `message-net`.
//!
//! - <a id="net.between-frames"></a>A node hands in what has come, before a frame, as sends and posts in the
//!   names of proxies; and hands out what was sent to proxies, behind a frame.
//! - <a id="net.no-callback"></a>Nothing of a node runs inside of a send, and no other thread calls into the
//!   manager.
//! - <a id="net.in-order-once"></a>For each pair of messagees what is sent is received in the order sent, and
//!   nothing twice.
//! - <a id="net.short-cut"></a>Nothing is lost while the link lives, nor over a cut that is shorter than the
//!   resend window.
//! - <a id="net.long-cut"></a>After a cut that is longer than the resend window, or when a node was started
//!   again, what was lost is counted and told.
//! - <a id="net.ids-mean-the-same"></a>An id in a message means the same messagee on both sides; so does the
//!   sender.
//! - <a id="net.reachable-by"></a>A messagee can be reached by a node that has imported it or has had a
//!   message from it, or with it, and by no other.
//! - <a id="net.import-twice"></a>Two imports of one name are one proxy.
//! - <a id="net.proxy-ends"></a>A proxy ends when its messagee does, and when its node leaves or is started
//!   again.
//! - <a id="net.waiting-dead-letter"></a>What waits for a node when that has gone, and what a node refuses,
//!   is a dead letter of the sender, with the reason.
//! - <a id="net.refusal-lost"></a>That a message was refused can itself be lost in a long cut: then everyone
//!   is told how many there are, when the nodes meet again.
//! - <a id="net.accepts"></a>A node accepts the message types that its configuration names, from whom it
//!   says.
//! - <a id="net.malformed"></a>What is malformed, too long, too much or not accepted is refused, counted and
//!   told; it never panics.
//! - <a id="net.bounded"></a>What a node keeps of another one is bounded: proxies, names, posts that wait,
//!   answers that are not read.
//! - <a id="net.endless-post"></a>A post from another node that repeats without end ends when the run of its
//!   node does.
//! - <a id="net.shared-key"></a>A post from another node with a shared key is refused.
//! - <a id="net.no-false-refusal"></a>A node cannot refuse more than it was sent, nor answer what it was not
//!   asked.
//! - <a id="net.import-renamed"></a>An imported messagee that loses its name keeps its proxy; the name leads
//!   to the next one.
//! - <a id="net.shapes-compared"></a>When nodes meet, the shapes of their message types are compared. A type
//!   that cannot be read is refused with both shapes named, and the others work.
//! - <a id="net.by-position"></a>Between equal shapes a message goes without the names of its fields. If the
//!   shapes differ it goes with them, and a list of fields is refused.
//! - <a id="net.sessions"></a>A node keeps sessions with the nodes that its configuration names, all of them
//!   by default.
//! - <a id="net.left-out"></a>A node that is left out of the sessions is told so once, and nothing is
//!   imported from it.
//! - <a id="net.one-answer"></a>A question to a proxy has one answer: the reply, or why there is none.
//! - <a id="net.answered"></a>The answer to a question to a proxy comes as an `Answered` to who has asked, at
//!   the latest when its time is over.
//! - <a id="net.node-told"></a>Everyone is told that a node has come or gone.
//! - <a id="net.watched-told"></a>Who watches a proxy is told when it cannot be reached, is back, or has
//!   ended.
//! - <a id="net.group-spans"></a>A group that is exported by several nodes spans them: what is sent to it
//!   reaches the members here, then those of each other node, in their orders there.
//! - <a id="net.logged"></a>What a node hands in are inputs of the log, also if it is attached after the log
//!   began: a replay needs no network.
//! - <a id="net.one-node"></a>A manager has one node. Another one is an error that names both, until the
//!   first is detached or dropped.
//! - <a id="net.saved"></a>A save of a world with a node has its proxies, and what waits for other nodes; the
//!   node is of the run.
//! - <a id="net.restored"></a>In the restored world a new node ends the proxies, tells those who watch or
//!   have asked them, and what waits becomes dead letters.
//! - <a id="net.panic"></a>If a handler panics that is told of a node, an end or a dead letter, all others
//!   are told, and the node does the rest of its work, before the first panic goes on.
//! - <a id="net.intercepted"></a>An interceptor changes or consumes what comes from another node as what is
//!   sent here; what is consumed counts as received.
//!
//! # Required receivers and dead letters
//!
//! - <a id="required.not-received"></a>With `require(n)`, fewer than n receivers that are not hidden are
//!   [`NotReceived`](crate::SendErrorKind::NotReceived) when the message is delivered at once, and a
//!   [`DeadLetter`](crate::lifecycle::DeadLetter) when it was posted.
//! - <a id="required.busy-count"></a>Receivers that are busy count among those that `require(n)` asks for.
//! - <a id="required.at-least"></a>[`Receipt::at_least`](crate::Receipt::at_least) asks the same of a receipt
//!   as `require(n)` of a send.
//! - <a id="required.by-default"></a>[`ManagerConfig::require`](crate::ManagerConfig::require) says how many
//!   receivers a message to one messagee requires (by id, `Me` or mnemonic) whose header does not say.
//! - <a id="required.default-exempt"></a>`ManagerConfig::require` does not hold for what is sent to many, for
//!   requests, and for the manager's own messages.
//! - <a id="required.dead-letter-told"></a>A dead letter is told to everyone right after, with its envelope, which
//!   part failed (see [`Undelivered`](crate::error::Undelivered)), and the message, unless that is still wanted:
//!   it repeats and is not `Clone`, or somebody receives it later.
//! - <a id="required.cancelled"></a>A message that is cancelled is no dead letter.
//! - <a id="required.lost"></a>If a message was kept for components that then leave, are disabled or panic, it
//!   becomes one dead letter when the outermost send ends: [`Lost`](crate::error::Undelivered::Lost). The dead
//!   letter names each of these components with the reason, and counts those that received the message. A
//!   component that overhears counts unless it is hidden. A send that required receivers has returned by then, so
//!   only the dead letter reports the loss.
//! - <a id="required.lost-whole"></a>A message can wait as a whole, either for an interceptor, or for a newborn
//!   or a new component that it was sent to alone. It is then delivered like a post that is due. If its recipient
//!   is leaving, it becomes a dead letter; if it hits a limit, the dead letter has the error.
//! - <a id="required.not-lost"></a>None of these becomes a dead letter: a message that a busy receiver misses
//!   because somebody consumed it; a message that a subscription misses because it ended, was paused, or was
//!   `once`; a message that was posted with `if_alive`; a retained message that is forgotten; messages that are
//!   dropped with the manager; and the manager's own messages that were kept.
//!
//! # Failures
//!
//! - <a id="failures.untold-reported"></a>What nobody is told of is reported: a handler that returns an
//!   error, a panic under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook), a dead letter if receivers
//!   were required or a limit was hit, and a message that could not be kept, if its sender ignores that and
//!   nothing else has failed in that outermost send.
//! - <a id="failures.told"></a>A failure is told if a component, a subscriber or an interceptor, hidden or
//!   not, has received the [`HandlerFailed`](crate::lifecycle::HandlerFailed),
//!   [`HandlerPanicked`](crate::lifecycle::HandlerPanicked) or [`DeadLetter`](crate::lifecycle::DeadLetter).
//!   A handler that declines it has not been told.
//! - <a id="failures.not-kept"></a>Whether a message that could not be kept is a failure is decided once, when
//!   the outermost send ends. It is a failure unless, before or after, a handler has failed or a dead letter was
//!   made that is reported if nobody receives it. Several such messages in one outermost send count as one
//!   failure.
//! - <a id="failures.report-to"></a>[`ManagerConfig::report_to`](crate::ManagerConfig::report_to) chooses
//!   where reports go: to stderr, nowhere, or to a function.
//! - <a id="failures.repeats-counted"></a>Without a choice the first report of each kind is printed in full,
//!   with place and chain; repeats are counted, and told with their reason at the second, fourth, eighth time
//!   and so on, and counted up when the manager is dropped.
//! - <a id="failures.tracing"></a>With the feature `tracing` each report is a `WARN` event, too, unless the
//!   manager emits all of its events.
//! - <a id="failures.reported-when"></a>A report comes when the outermost send returns. No handler is running
//!   then.
//! - <a id="failures.report-panics"></a>A panic of the function that reports go to is passed on to the
//!   caller.
//! - <a id="failures.receipt-outside"></a>The receipt of a send from outside counts the failures of all that
//!   it has led to, messages that were kept included.
//! - <a id="failures.receipt-in-handler"></a>The receipt of a send in a handler counts the failures of its
//!   own deliveries.
//! - <a id="failures.frame-report"></a>[`FrameReport::failures`](crate::FrameReport::failures) counts the
//!   failures of a frame.
//! - <a id="failures.request-source"></a>A request that fails has the error of the first handler that failed
//!   as its source.
//! - <a id="failures.unused-messages"></a>[`unused_messages`](crate::MessageManager::unused_messages) are the
//!   message types without a handler in the program that nobody subscribes to, has published, or has read the
//!   mailbox of in this manager. A subscription to all types does not count.
//! - <a id="failures.report-unused"></a>If [`report_unused`](crate::ManagerConfig::report_unused) asks for
//!   it, the unused message types are reported once, when the second frame begins.
//!
//! # Messages that nobody handles
//!
//! - <a id="unhandled.counted"></a>[`unhandled`](crate::MessageManager::unhandled) counts each send, `send_mut`,
//!   request, and post when it is due, if it is for one messagee by its id, by `Me` or by a mnemonic, that messagee
//!   is there, none of its components has a handler for the message type, and no listener has received the message.
//! - <a id="unhandled.not-counted"></a>What is sent to `Everyone`, `EveryoneElse`, a group, `Up`, `Down` or a hook
//!   does not count, and neither does what is retained, published, refused, sent to a proxy, or sent by the manager
//!   itself.
//! - <a id="unhandled.has-handler"></a>A component with a handler handles the message even if it is disabled, declines
//!   it or fails.
//! - <a id="unhandled.listeners"></a>A subscriber that receives the message or waits for it, and an interceptor that
//!   consumes it, have received it. A hidden subscriber and one that declines have not.
//! - <a id="unhandled.entries"></a>There is one entry for each message type and list of component types in hook order.
//!   It has the number of sends, the place of the last one, and up to three component types of the program that
//!   handle the message, sorted by name. Entries are sorted by message, then by components.
//! - <a id="unhandled.reset"></a>[`reset_unhandled`](crate::MessageManager::reset_unhandled) forgets all entries. They
//!   are not saved.
//! - <a id="unhandled.frame-report"></a>[`FrameReport::unhandled`](crate::FrameReport::unhandled) counts the sends of
//!   a frame, whether entries were forgotten or not.
//! - <a id="unhandled.report-once"></a>If [`report_unhandled`](crate::ManagerConfig::report_unhandled) asks for it, the
//!   first send of each entry is reported when the outermost send ends, once until the next reset.
//!
//! # Mailboxes
//!
//! - <a id="mail.next-frame"></a>What is published in a frame is found in the next, all of it at once; until
//!   then [`pending`](crate::MessageManager::pending) looks at it.
//! - <a id="mail.before-first-frame"></a>What is published before the first frame is found in the first.
//! - <a id="mail.no-receiver"></a>No handler, subscriber or interceptor receives what is published.
//! - <a id="mail.chosen"></a>Letters are chosen by recipient and sender, in any combination, and by what an
//!   iterator can ask; they come in the order published.
//! - <a id="mail.last-choice-counts"></a>Of `to` and `reaching` the last one counts.
//! - <a id="mail.to-id"></a>`to` an id is what was published to that messagee alone: by id, `Me`, or a
//!   mnemonic that was bound to it when it was published.
//! - <a id="mail.to-mnemonic"></a>`to` a mnemonic stands for whom it is bound to now.
//! - <a id="mail.to-many"></a>`to` `Everyone`, a group, `Up` or `Down` is what was published to just that.
//! - <a id="mail.to-hook"></a>What is published to a hook is for its messagee, and bears the hook as its
//!   recipient: `to` a hook finds what was written to just that.
//! - <a id="mail.family-of-mnemonic"></a>`Up` and `Down` of a mnemonic mean the family of whom it is bound to
//!   when the mail is published, and when it is asked for.
//! - <a id="mail.reaching"></a>`reaching` a messagee is what a send would have reached it with: its own mail,
//!   that to everyone (and to everyone else, unless it is the sender), to the groups it is in now, and to its
//!   kin by `Up` and `Down` as it is now.
//! - <a id="mail.inbox-any"></a>[`inbox_any`](crate::MessageManager::inbox_any) finds all types at once, in
//!   the order sent.
//! - <a id="mail.boxed"></a>A message that is published in a box is in the mailbox of its type: it is found,
//!   counted and retained as one that is published by its type.
//! - <a id="mail.publish-each"></a>`publish_each` publishes messages to one recipient, each as `publish`
//!   would, in the order of the iterator, until the first error.
//! - <a id="mail.publish-each-stops"></a>What `publish_each` has published before an error, or before the
//!   iterator panics, is found.
//! - <a id="mail.writer"></a>A [`MailWriter`](crate::MailWriter) publishes messages to one recipient, each as `publish`
//!   would. The place of its letters is that of the call that made it. What it has published
//!   stays, whatever becomes of the writer.
//! - <a id="mail.writer-checks"></a>The call that makes a writer returns the error if nothing can be published to the
//!   recipient. A message that finds no room is refused by the call that publishes it.
//! - <a id="mail.read-alike"></a>Reading works alike in handlers and outside.
//! - <a id="mail.unchanged-in-frame"></a>A handler can send and publish while it reads: what can be read does
//!   not change during a frame.
//! - <a id="mail.errors"></a>Publishing to who is gone, to an unbound mnemonic, or to `Me` and `EveryoneElse`
//!   from outside is an error, as for a send.
//! - <a id="mail.stays"></a>A letter stays when its messagee or its sender goes, and is never for a newcomer
//!   in that place.
//! - <a id="mail.desk"></a>At a [`Desk`](crate::Desk) mail is read and published and components are changed
//!   side by side, from outside.
//! - <a id="mail.desk-order"></a>What is published while somebody looks at what is pending comes in the order
//!   sent all the same.
//! - <a id="mail.desk-borrows"></a>At a `Desk` each component is borrowed for itself, whatever its handlers
//!   are; one that is borrowed already is [`Busy`](crate::MessageeError::Busy), and a walk over all of its
//!   type panics there: none is passed over.
//! - <a id="mail.retention"></a>Retention is set for each message type: what is published in frame f is found
//!   in the frames f + 1 to f + retention; one frame without it.
//! - <a id="mail.inbox-is-last-frame"></a>`inbox` is what was published in the last frame; what is older is
//!   read by a cursor.
//! - <a id="mail.cursor"></a>A [`Cursor`](crate::mailbox::Cursor) reads on where it stopped, over all frames
//!   that are retained, and counts what was dropped in between.
//! - <a id="mail.cursor-new"></a>A cursor that is new has missed nothing, and so has one that was last used
//!   with another manager.
//! - <a id="mail.full"></a>More than [`max_published`](crate::ManagerConfig::max_published) messages in a
//!   frame are [`MailboxFull`](crate::SendErrorKind::MailboxFull), and nothing of what was accepted is lost.
//! - <a id="mail.swap-cost"></a>The swap touches only message types that were written, or that can be read.
//! - <a id="mail.dropped-once"></a>A letter is dropped once, when a frame begins, and every mailbox is
//!   already as the new frame has it.
//! - <a id="mail.drop-panics"></a>If the `Drop` of several letters panics, of one type or of more, all are
//!   dropped, and then the first panic goes on.
//!
//! # Other threads
//!
//! - <a id="threads.inlet"></a>[`manager.inlet()`](crate::MessageManager::inlet) is a handle that can be
//!   cloned and used by several threads at once.
//! - <a id="threads.same-place"></a>All inlets of a manager lead to the same place, also when it is moved to
//!   another thread.
//! - <a id="threads.delivered-when"></a>What is posted through an inlet is delivered when the manager's next
//!   frame begins, by `tick` or by `begin_frame`: after the clock has advanced and the mailboxes have
//!   swapped, before `FixedUpdate`.
//! - <a id="threads.order"></a>What each thread posts is delivered in the order in which it posted it.
//!   Between threads there is no order but that of their posts reaching the inlet.
//! - <a id="threads.without-stage"></a>A message in the inlet without a stage is an outermost send of its
//!   own, settled before the next.
//! - <a id="threads.with-stage"></a>A message in the inlet with a stage or a delay is posted when it is
//!   drained: a stage is that of the same frame, and a delay counts from the beginning of it.
//! - <a id="threads.sender"></a>The sender of what is posted through an inlet is `Outside`, and the place is
//!   that of the posting call.
//! - <a id="threads.drain-ends"></a>As much is drained as lay in the inlet when the draining began. What is
//!   posted meanwhile waits for the next frame: a thread that keeps posting cannot hold a frame up.
//! - <a id="threads.capacity"></a>The inlet holds [`inlet_capacity`](crate::ManagerConfig::inlet_capacity)
//!   messages, one at least, and takes memory only for those that wait in it.
//! - <a id="threads.full"></a>One message more than the inlet holds is [`Full`](crate::InletError::Full) with
//!   `try_post`; `post` waits for room, and is [`TimedOut`](crate::InletError::TimedOut) if there is none in
//!   time.
//! - <a id="threads.error-gives-back"></a>Each error of an inlet gives the message back.
//! - <a id="threads.cannot-wait"></a>Where no thread can wait (WebAssembly without threads, and
//!   `wasm32-unknown-unknown`), `post` is `TimedOut` at once.
//! - <a id="threads.refused-at-once"></a>What no manager would take from outside (`Me`, `EveryoneElse`,
//!   `bound`, a header that contradicts itself, a type that is not in the registry) is refused at once, in
//!   the posting thread.
//! - <a id="threads.dead-letter"></a>What goes wrong with a message after the inlet has taken it is a dead
//!   letter that has the message. With `if_alive`,
//!   a message in the inlet whose messagee or hook is gone when it is drained is no dead letter.
//! - <a id="threads.panic-while-drained"></a>A panic while the inlet is drained leaves the rest for the next
//!   frame, in order; until then that takes room in the inlet.
//! - <a id="threads.closed"></a>A manager that is dropped is [`Closed`](crate::InletError::Closed) for every
//!   thread that posts, also for those who wait for room.
//! - <a id="threads.dropped-once"></a>What still lay in the inlet is dropped with the manager, each message
//!   once.
//!
//! # Memory
//!
//! - <a id="memory.shrink-to-fit"></a>[`shrink_to_fit`](crate::MessageManager::shrink_to_fit) frees all
//!   memory that is not in use, and forgets the names of messagees that are gone. What stays is a few bytes
//!   for each place that messagees, components and subscriptions have taken, so that stale ids stay stale.
//! - <a id="memory.kept-room"></a>Until then, the room that messagees, components and letters have taken is
//!   kept for the next ones, however many frames need less.
//! - <a id="memory.changes-nothing"></a>`shrink_to_fit` changes nothing else: not what is delivered nor in
//!   which order, not the id of the next messagee, not the storage order.
//! - <a id="memory.managers-gone"></a>A process remembers two bytes of each manager that is gone, and at most
//!   128 KiB in all.
//! - <a id="memory.dropped-once"></a>A manager that is dropped drops each component, message and closure
//!   once, the inlet's first.
//! - <a id="memory.drop-panics"></a>If the `Drop` of several panics when a manager is dropped, all are
//!   dropped, and then the first panic goes on; none does while the thread is unwinding already.
//!
//! # Logs and replays
//!
//! With the feature `data`: see `data::Replay`. The format is that of `data::log_format`.
//!
//! - <a id="logs.same-inputs"></a>The same inputs from outside, on the same program, lead to the same state,
//!   bit for bit. No address, thread, hash seed or order of linking shows in what is delivered.
//! - <a id="logs.hash-of-ids"></a>Ids hash the same in every manager.
//! - <a id="logs.start-log"></a>`start_log` begins the log with the state as a save.
//! - <a id="logs.inputs-written"></a>Every input is written before it runs: frames with their time in
//!   nanoseconds, sends, posts, publications and cancels, of the manager and of `as_messagee`; spawning,
//!   hooking and all other changes; the letters that a frame takes out of the inlet; and the components that
//!   were borrowed mutably, as they were left, before the next input.
//! - <a id="logs.handlers-not-written"></a>What a handler does is not written: it happens again.
//! - <a id="logs.unwritable"></a>What cannot be written, because its type has no data or it is a closure,
//!   marks the log with the place of the call. A replay stops there with an error.
//! - <a id="logs.replay"></a>A replay restores the first state, and does each input again.
//! - <a id="logs.replay-panics"></a>A replay catches a panic that was caught; a panic of the last input goes
//!   on.
//! - <a id="logs.digest"></a>A digest hashes the clock, the structure, what is pending, retained and
//!   published, and each component type in storage order.
//! - <a id="logs.digest-ids"></a>Ids in a digest are places and generations, without the manager.
//! - <a id="logs.digest-leaves-out"></a>What has no data is not in a digest, nor are subscriptions.
//! - <a id="logs.difference"></a>At each digest of the log a replay compares the state. The first difference
//!   is an error that names the frame and the component type, and the messagee and the field if a second
//!   replay, or the recorded state, shows them.
//! - <a id="logs.restored"></a>A log begins with a save, so components receive `lifecycle::Restored` in
//!   a replay, but not in the recorded run. If its handlers have changed the state and a replay or a sync test differs, the error names the part that they changed.
//! - <a id="logs.wrong-value"></a>A log whose checksums are right but whose inputs do not fit the program is
//!   rejected with the place: a component of another type, or a value that cannot be read. It never panics.
//! - <a id="logs.cut-off"></a>A log that is cut off in the middle of an input is repeated up to there.
//! - <a id="logs.changed"></a>A log whose checksum is wrong is refused with the place. One that was changed and
//!   has the right checksum is read as what it says.
//!
//! # Seeing
//!
//! - <a id="seeing.numbers"></a>While a manager is traced, each send, post and publication has a number, and
//!   so has each delivery; a send knows the number of the delivery it was made in, and its place in the
//!   source.
//! - <a id="seeing.causes-go-along"></a>Numbers and causes go along through busy queues, newborns, stages,
//!   delays, retention, mailboxes and the inlet.
//! - <a id="seeing.outside-no-cause"></a>What comes from outside has no cause.
//! - <a id="seeing.repeats-one-send"></a>Each delivery of a message that repeats is of the one send.
//! - <a id="seeing.posted-before"></a>What was posted before the tracing began gets its number when it is
//!   delivered, and no cause.
//! - <a id="seeing.numbers-go-on"></a>Managers number apart, and numbers go on when tracing is switched on
//!   again.
//! - <a id="seeing.cause-of-change"></a>What a handler asks to be changed, and what the manager then says of
//!   it, is caused by the delivery that asked; a `HandlerFailed` by the delivery that failed; a `DeadLetter`
//!   by the message that died.
//! - <a id="seeing.cause-of-letter"></a>Reading a mailbox is no delivery: what is done about a letter has its
//!   number for a cause where `with_cause` says so; afterwards, also after a panic, the cause is what it was.
//! - <a id="seeing.cause-through-inlet"></a>What is posted through an inlet that a handler was given by its
//!   context is caused by that delivery.
//! - <a id="seeing.explain-chain"></a>`explain` tells the chain from the outermost cause to a delivery or a
//!   send: who sent what to whom, where and when, and who received it.
//! - <a id="seeing.explain-outcome"></a>`explain` tells what became of the last message: who received it and
//!   how it went, who was passed over and why, what it waits for, why it was not delivered.
//! - <a id="seeing.explain-unhandled"></a>If one messagee was sent a message that
//!   [nobody handles](#messages-that-nobody-handles), the trace and `explain` name its component types and up to three
//!   that would handle the message.
//! - <a id="seeing.explain-gaps"></a>A chain that leads to what was overwritten or left out says so.
//! - <a id="seeing.recorder-room"></a>A recorder keeps as many events as it has room for; the oldest go
//!   first, and are counted.
//! - <a id="seeing.recorder-filter"></a>Events are chosen by message type, messagee and tags, when they are
//!   recorded and when they are read.
//! - <a id="seeing.wall-clock"></a>The wall time of an event is that of the
//!   [clock](crate::ManagerConfig::wall_clock) which the configuration gives, and else of the standard
//!   library, since the manager was traced for the first time.
//! - <a id="seeing.later-than-before"></a>Each event is later than the one before, whatever the clock shows.
//! - <a id="seeing.no-clock-needed"></a>Nothing else in a manager asks what time it is, so that a manager
//!   works where there is no clock.
//! - <a id="seeing.limited-recorder"></a>A limited recorder keeps the first events that it has room for.
//! - <a id="seeing.limited-counts"></a>While a limited recorder is in use it counts, for each message type,
//!   how often receivers were called: as often as a recorder with enough room has an event of a call, also
//!   after it is full.
//! - <a id="seeing.names-printed"></a>Explanations, recorded events, the titles of Chrome tracks and
//!   `tracing` events say the names of messagees.
//! - <a id="seeing.names-in-json"></a>JSON lines have the names of messagees in fields of their own:
//!   `sender_name`, `recipient_name`, `receiver_name`.
//! - <a id="seeing.name-when-printed"></a>The name of a messagee in what is recorded is that at the time of
//!   printing; after the manager has been dropped none is printed.
//! - <a id="seeing.chrome"></a>A recording can be written as Chrome trace JSON, with a track for each
//!   messagee and an arrow from each send to each of its deliveries.
//! - <a id="seeing.json-lines"></a>A recording can be written as JSON lines.
//! - <a id="seeing.tracing"></a>Each event can be one of the `tracing` crate.
//! - <a id="seeing.changes-nothing"></a>Tracing changes nothing of what is delivered.
//! - <a id="seeing.cost"></a>Disabled tracing costs a send less than 1 %.
//!
//! # Asking
//!
//! What consoles, inspectors and editors ask of a manager only reads.
//!
//! - <a id="asking.serial"></a>Each manager of a process has a [`serial`](crate::MessageManager::serial) that
//!   no other has or had.
//! - <a id="asking.messagee-written"></a>[`messagee_written`](crate::MessageManager::messagee_written) finds
//!   a messagee that is alive by the text of its id, and by no other text.
//! - <a id="asking.component-name"></a>[`component_name`](crate::MessageManager::component_name) is the name
//!   of a component's type while it is hooked.
//! - <a id="asking.pending-len"></a>[`pending_len`](crate::MessageManager::pending_len) counts what
//!   `pending_posts` lists.
//! - <a id="asking.dead-letters"></a>[`dead_letters`](crate::MessageManager::dead_letters) counts every dead
//!   letter.
//! - <a id="asking.pending-message"></a>With the feature `data`, `pending_message` shows a message while it
//!   is pending.
//! - <a id="asking.addresses-of"></a>With the feature `data`, `mnemonics_of` and `groups_of` list the
//!   addresses that a messagee has now.
//! - <a id="asking.declared"></a>With the feature `data`, `data::declared_mnemonics` and
//!   `data::declared_groups` list all that the program declares, each once, by name.
