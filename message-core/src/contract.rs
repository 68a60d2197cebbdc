//! The rules that the framework guarantees, one bullet each. This module has no items.
//!
//! Each rule has an id, which is also its anchor: `contract#send.depth-first` links to the rule `send.depth-first`.
//! A test names the rules that it checks by their ids, in a comment above its attributes:
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
//! | **component** | a `Send + 'static` value that can receive messages; its handlers are declared in [`#[handlers]`](macro@crate::handlers) blocks |
//! | **messagee** | an addressable participant: one [`MessageeId`](crate::MessageeId), any number of components hooked to it |
//! | **hook** | to attach a component to a messagee's id; a [`HookId`](crate::HookId) identifies one attached component |
//! | **mnemonic** | a well-known address, declared with [`mnemonic!`](crate::mnemonic!) where it is used, and bound to at most one messagee at run time |
//! | **manager** | [`MessageManager`](crate::MessageManager): one closed messaging system; several coexist |
//! | **outside** | code that calls a manager and is not run by it: not in a handler, a subscriber or an interceptor |
//! | **recipient** | the address of a send: see [`Recipient`](crate::Recipient) |
//! | **receiver** | a component or a subscriber that gets a message |
//! | **outermost send** | a send from outside, or the delivery of a post: not a send within another one |
//! | **dispatch** | everything that happens from the beginning of an outermost send until it returns |
//! | **kept** | waits for a receiver that is busy |
//! | **newborn** | a messagee that was spawned in the current dispatch and is not alive yet |
//! | **leaving** | about to be unhooked or despawned |
//! | **dead letter** | a message that could not be delivered, with the reason: see [`DeadLetter`](crate::lifecycle::DeadLetter) |
//! | **name** | a label of a messagee for people and files; not unique, searchable with wildcards |
//! | **group** | a well-known address of many messagees that join and leave, declared with [`group!`](crate::group!) |
//! | **family** | the ancestors and descendants of a messagee, addressed with [`Up`](crate::Up()) and [`Down`](crate::Down()) |
//! | **tag** | a label of messages that subscriptions filter by, declared with [`tag!`](crate::tag!) |
//! | **header** | the settings of a post: its recipient, stage, delay, period, key and so on; see [`Header`](crate::Header) |
//! | **stage** | the part of the frame in which a posted message is delivered: see [`Stage`](crate::Stage) |
//! | **pass** | one run of a stage; `FixedUpdate` can have none or several in a frame |
//! | **pending** | posted but not yet delivered |
//! | **subscription** | a closure that receives every message that passes its filter, whatever the recipient is |
//! | **interceptor** | a subscription that receives a message before anyone else, and can change or consume it |
//! | **overhearing** | delivery to a messagee's own handlers of messages that pass a filter, although they were sent to others |
//! | **retained** | kept as the last message of its type and recipient, for subscriptions that are made later |
//! | **place** | the file, the line and the column of a call or a declaration; in a file or bytes, the position |
//! | **slot** | the number of a messagee in its manager; an id such as `7v2` has a slot and a generation |
//! | **data** | a component or message type that can be written and read by name |
//! | **world file** | a text that describes templates, messagees and wires |
//! | **template** | a named set of components in a world file |
//! | **save** | the whole state of a manager as bytes |
//! | **snapshot** | the state of a manager in memory, which [`rewind`](crate::MessageManager::rewind) goes back to |
//! | **log** | every input of a manager from outside, in order; a **replay** repeats it |
//! | **journal** | a folder with a state and a log of the inputs after it, from which a manager recovers |
//! | **digest** | a hash of the state, part by part |
//! | **wire** | a rule stored as data: when its messagee receives a message of one type, it posts another |
//! | **mailbox** | the double-buffered, pull-based side: messages published in one frame can be read in the next |
//! | **letter** | a published message in a mailbox |
//! | **inlet** | the way into a manager from other threads: see [`Inlet`](crate::Inlet) |
//! | **proxy** | a messagee that represents one of another manager |
//! | **node** | the part of `message-net` that connects a manager to those of other processes |
//! | **plugin** | a library of messages and components that is loaded at run time |
//! | **statement** | the description of a plugin or a shared crate, and of its build, that its file contains |
//! | **recorder** | the last events of a manager, in memory: see `message_trace::Recorder` |
//!
//! # Message identity
//!
//! - <a id="identity.same-everywhere"></a>[`M::ID`](crate::Message::ID) is the same in every build and on
//!   every machine.
//! - <a id="identity.from-path-or-name"></a>The id of a message type is derived from the path of the type, or from
//!   `#[message(name = "…")]` if there is one.
//! - <a id="identity.zero-unknown"></a>The id zero is never assigned; it means unknown.
//! - <a id="identity.duplicates-reported"></a>If two types have the same id, an error names the places of both before
//!   any message is delivered.
//! - <a id="identity.type-in-function"></a>The path of a type declared inside a function is that of the
//!   function's module. Two such types with the same name in one module need explicit names.
//! - <a id="identity.index-from-names"></a>Each message type also has a dense index, assigned from the sorted list of
//!   names. It does not depend on link order.
//! - <a id="identity.extended-behind"></a>Types that [extend](#plugins) the registry at run time are numbered after
//!   that list.
//! - <a id="identity.linked-entries"></a>The registry contains every entry of every linked crate, whether or not
//!   the program uses code of that crate. This holds with and without LTO, and on WebAssembly.
//! - <a id="identity.exact-type"></a>Types are matched exactly: a message never reaches a handler of a look-alike
//!   type.
//! - <a id="identity.debug-clone-optional"></a>`Debug` and `Clone` are used if the type implements them. Neither
//!   is required.
//!
//! # Sending
//!
//! - <a id="send.depth-first"></a>A send is depth first and immediate: when it returns, every receiver has run, except
//!   those that receive the message later. These are receivers that are [busy](#reentrancy.busy-kept), that wait
//!   [behind kept messages](#reentrancy.waits-behind-kept), that are [newborn](#reentrancy.newborn-send) or [newly
//!   hooked](#reentrancy.new-hook-send); subscriptions with a [stage](#subscriptions.stage); and messagees behind a
//!   [proxy](#proxies.written-to-outbox).
//! - <a id="send.receipt"></a>The [`Receipt`](crate::Receipt) says how many receivers the message has reached,
//!   how many it will reach, and whether it was consumed.
//! - <a id="send.receipt-saturates"></a>The counts of a receipt saturate: `received` at 4 294 967 295; `pending`,
//!   `failed` and `unreached` at 65 535 each. `at_least` and `require` compare with these counts.
//! - <a id="send.nobody-is-no-error"></a>It is not an error if a send has no receivers.
//! - <a id="send.mut-in-out"></a>`send_mut` is in–out: later handlers and the sender see the changes that a handler
//!   makes to the message.
//! - <a id="send.request-first-answer"></a>`request` asks the receivers in delivery order, stops at the first
//!   answer and returns it. The remaining receivers are not asked.
//! - <a id="send.request-none"></a>A handler that returns `None` has not answered, and does not count as a
//!   receiver.
//! - <a id="send.request-all"></a>`request_all` collects every answer.
//! - <a id="send.to-id-order"></a>A send to an id visits its components in order of priority, then of hooking.
//! - <a id="send.before-after"></a>Among component types with equal priority, the handler of one runs before that of
//!   another if `before` or `after` says so. This also holds for a send to everyone.
//! - <a id="send.contradictory-order"></a>If `before` and `after` form a cycle, or contradict a priority, an error
//!   names the cycle before any message is delivered.
//! - <a id="send.everyone-order"></a>A send to everyone goes component type by component type: higher priority
//!   first, then by type name. The components of each type are visited in storage order.
//! - <a id="send.everyone-order-repeatable"></a>The order of a send to everyone is the same in every run of the same
//!   program on the same inputs. It can change when a component is hooked, unhooked, enabled or disabled.
//! - <a id="send.parallel-same-results"></a>A send to everyone may run a handler that is marked `parallel` on
//!   several threads (feature `rayon`). The results are the same on any number of threads, even on one. This
//!   holds for return values, the order between component types, receipts, failures (reported in storage order)
//!   and panics.
//! - <a id="send.everyone-panic"></a>Under the default [`PanicPolicy`](crate::PanicPolicy), a send to everyone calls
//!   all components of a type even if one of them panics, whether it calls them in parallel or one by one. The first
//!   panic in storage order then propagates to the caller, and no later component type receives the message.
//! - <a id="send.everyone-else"></a>`EveryoneElse` excludes all components of the sender's messagee.
//! - <a id="send.everyone-else-dead-sender"></a>A message posted to `EveryoneElse` whose sender has since
//!   been despawned is delivered to everyone.
//! - <a id="send.up-down-order"></a>`Up` refers to the messagee, then its ancestors. `Down` refers to the messagee,
//!   then its descendants, each before its own children.
//! - <a id="send.up-down-mnemonic"></a>`Up` and `Down` take an id or a mnemonic. A mnemonic is looked up when the
//!   message is sent; for a posted message, that is when it is delivered.
//! - <a id="send.break-consumes"></a>A handler that returns `ControlFlow::Break` consumes the message: no later
//!   receiver gets it, whatever the recipient was. A component that was busy does not get it later either.
//! - <a id="send.break-at-messagee"></a>A handler that returns [`Break(StopAt::Messagee)`](crate::handler::StopAt)
//!   consumes the message for all receivers except the other components of its messagee. These still receive it, the
//!   busy ones later.
//! - <a id="send.break-at-messagee-everyone"></a>If the message was sent to everyone, the other components of the
//!   messagee receive it at once, in the order of their types. They do not wait for the turn of their types.
//! - <a id="send.break-at-messagee-hook"></a>If the message was sent to a hook, no other component receives it.
//! - <a id="send.handler-error"></a>A handler that returns an error counts as a receiver and does not stop the others.
//!   When the outermost send returns, the manager sends the error to everyone as
//!   [`HandlerFailed`](crate::lifecycle::HandlerFailed).
//! - <a id="send.failure-while-telling"></a>A failure that happens while another failure is being announced is not
//!   announced itself, but reported; see [Failures](#failures).
//! - <a id="send.to-hook"></a>A send to a hook reaches only that component, if it is enabled and not leaving.
//! - <a id="send.hook-gone"></a>A send to a hook whose component is gone fails with
//!   [`Gone`](crate::Absence::Gone).
//! - <a id="send.hook-of-other-manager"></a>A send to a hook of another manager fails with
//!   [`OtherManager`](crate::Absence::OtherManager).
//! - <a id="send.to-group"></a>A send to a group reaches its members, in the order in which they joined.
//! - <a id="send.empty-group"></a>A send to a group without members is not an error.
//! - <a id="send.nobody-to-reply-to"></a>A reply to a message from outside or from the manager fails with
//!   [`NobodyToReplyTo`](crate::SendErrorKind::NobodyToReplyTo).
//! - <a id="send.boxed"></a>A message whose type is not known at the call is sent in a box. `send_any`,
//!   `request_any`, `post_any` and `publish_any` do the same as `send`, `request`, `post` and `publish` of the
//!   message itself, including errors.
//! - <a id="send.boxed-answer"></a>`request_any` returns its answer in a box. The answer has the message's reply
//!   type.
//! - <a id="send.boxed-no-reply-type"></a>A `request_any` of a message without a reply type fails with
//!   [`NoReplyType`](crate::SendErrorKind::NoReplyType) before anyone receives the message.
//! - <a id="send.unbox"></a>A message in a box can be downcast to its own type. The message of a dead letter can be
//!   sent again.
//! - <a id="send.addressee"></a>[`addressee`](crate::Context::addressee) is the one messagee that a message was sent
//!   to. For an id, this is its messagee; for `Me`, the sender; for a hook, its owner. For a mnemonic, it is the
//!   messagee that the mnemonic was bound to when the message was sent.
//! - <a id="send.addressee-same-for-all"></a>The addressee is the same for handlers, for messagees that overhear,
//!   for subscribers, and for those that receive the message later because it was retained. It stays the same if
//!   the mnemonic has since been bound to another messagee.
//! - <a id="send.addressee-of-many"></a>A message that is sent to many has no addressee.
//! - <a id="send.sender-stamped"></a>The manager stamps the sender, which cannot be forged.
//! - <a id="send.me-from-outside"></a>Sending to `Me` or `EveryoneElse` from outside fails with
//!   [`NoSender`](crate::SendErrorKind::NoSender).
//!
//! # Re-entrancy
//!
//! - <a id="reentrancy.send-to-anyone"></a>A handler may send to anyone, including itself.
//! - <a id="reentrancy.busy-kept"></a>While a component is running, it is **busy**. A `send` to it is kept, and
//!   delivered as soon as the component is free. Kept messages are delivered in the order sent.
//! - <a id="reentrancy.busy-request"></a>A `request` or `send_mut` that would reach a busy component fails with
//!   [`Busy`](crate::SendErrorKind::Busy) before anyone receives the message.
//! - <a id="reentrancy.shared-nests"></a>`&self` handlers of one component may nest.
//! - <a id="reentrancy.waits-behind-kept"></a>A send waits behind messages that are kept for its receiver, or that a
//!   send under way will leave for it, even if the receiver could take the message now. So whatever one messagee sends
//!   to another messagee's only component is received in the order sent.
//! - <a id="reentrancy.request-ignores-kept"></a>A `request` or a `send_mut` does not wait behind kept messages:
//!   it sees the component as it is.
//! - <a id="reentrancy.read-others"></a>A handler can read several other components at the same time.
//! - <a id="reentrancy.no-borrow-across-send"></a>A handler cannot hold a borrow of another component across a send:
//!   this is a compile error.
//! - <a id="reentrancy.addresses-at-once"></a>In a handler, mnemonics, groups, parents, names, and whether a component
//!   is enabled change at once. Every later lookup and send sees the change.
//! - <a id="reentrancy.existence-waits"></a>In a handler, `spawn`, `hook`, `unhook`, `despawn` and new subscriptions
//!   return their ids and errors at once. They take effect when the outermost send returns, in the order in which they
//!   were requested. Ending, pausing and resuming a subscription take effect at once.
//! - <a id="reentrancy.looks-as-before"></a>Until the outermost send returns, `is_alive`, `get`, `iter` and
//!   `find` see the messagees as they were before.
//! - <a id="reentrancy.newborn-named"></a>A messagee that was spawned in the same dispatch can be given a name.
//! - <a id="reentrancy.leaving-keeps-addresses"></a>A leaving messagee keeps its groups, its family, its
//!   mnemonics and its name until it is gone.
//! - <a id="reentrancy.leaving-mnemonic-rebound"></a>A mnemonic of a leaving messagee can be bound to another messagee
//!   before the leaving one is gone.
//! - <a id="reentrancy.leaving-unchangeable"></a>A leaving messagee can no longer be changed: the call fails with
//!   [`Leaving`](crate::Absence::Leaving).
//! - <a id="reentrancy.receivers-at-begin"></a>The receivers of a send are those present when it began, except those
//!   that are disabled or leaving when their turn comes. A component that is enabled in between is not among them.
//! - <a id="reentrancy.switched-meanwhile"></a>Only the beginning of the send and the turn of the component count. A
//!   component that is disabled and enabled again in between receives the message. A component that was disabled when
//!   the send began does not.
//! - <a id="reentrancy.leaving-skipped"></a>Once the removal of a component or messagee has been requested, it is
//!   leaving and every send skips it. Only the manager's farewell reaches it: `Unhooking` or `Despawning`.
//! - <a id="reentrancy.leaving"></a>A message whose only recipient is a messagee that is leaving fails with
//!   [`Leaving`](crate::Absence::Leaving), whether it is sent, requested, posted or published. So does a message to the
//!   hook of a component that is leaving. A send that had already begun does not fail; it only
//!   [skips](#reentrancy.leaving-skipped) those that are leaving.
//! - <a id="reentrancy.newborn-send"></a>A message sent to an id that was spawned in the same dispatch is
//!   delivered right after the messagee comes alive. It comes after the [`Hooked`](crate::lifecycle::Hooked)
//!   messages and before any later change.
//! - <a id="reentrancy.newborn-by-other-address"></a>A message that reaches a newborn through a mnemonic, a group or a
//!   family is delivered to it like a message sent to its id. The other receivers get it at once.
//! - <a id="reentrancy.newborn-order"></a>Messages that wait for one messagee are delivered in the order sent.
//! - <a id="reentrancy.newborn-request"></a>A `request` or a `send_mut` that would reach a newborn fails with
//!   [`NotYetThere`](crate::Absence::NotYetThere) before anyone receives the message.
//! - <a id="reentrancy.new-hook-send"></a>A message sent to a hook made in the same dispatch is delivered right
//!   after its component is attached. It comes after the [`Hooked`](crate::lifecycle::Hooked) messages and before
//!   any later change.
//! - <a id="reentrancy.new-hook-unhooked"></a>A component that is hooked and unhooked in the same dispatch,
//!   before it is attached, receives only its farewell, [`Unhooking`](crate::lifecycle::Unhooking).
//! - <a id="reentrancy.new-hook-disabled"></a>Disabling or enabling a component that was hooked in the same dispatch is
//!   a change of its own, later than the hooking. It is announced in its turn, before any change that was requested
//!   after it.
//! - <a id="reentrancy.new-hook-request"></a>A `request` or a `send_mut` to a hook made in the same dispatch
//!   fails with [`NotYetThere`](crate::Absence::NotYetThere).
//! - <a id="reentrancy.mnemonic-when-sent"></a>A message that waits for a receiver or a newborn goes to the
//!   messagee that its mnemonic was bound to when it was sent.
//! - <a id="reentrancy.bounds"></a>[`ManagerConfig`](crate::ManagerConfig) bounds the nesting depth and the
//!   number of kept deliveries. A send past a bound fails with an error that names the message type, the
//!   recipient and the chain of running handlers. Messages accepted earlier are still delivered.
//! - <a id="reentrancy.kept-full-lost-for-one"></a>If a message cannot be kept for a busy receiver, only that receiver
//!   loses it. All others receive it, including subscribers with their own stage, and its header can still retain it.
//! - <a id="reentrancy.cycle-named"></a>If the send that fails at a bound would have called a handler that is
//!   already running, with a message of the same type, the error names the cycle. It lists who receives which
//!   message and where it was sent; each hop leads to the next, and the last to the first again.
//! - <a id="reentrancy.cycle-through-busy"></a>The chain and the cycle consist of the handlers that are running when
//!   the bound is reached. They do not include the steps that led to a kept message before it was delivered.
//! - <a id="reentrancy.chain-is-no-cycle"></a>A chain of different messages is not a cycle. Neither is a chain that
//!   moves from messagee to messagee, as along a list, since it may come to an end.
//! - <a id="reentrancy.default-depth"></a>By default, sends can be nested 80 deep. In a debug build they use at
//!   most half of a 2 MiB stack.
//! - <a id="reentrancy.changes-unbounded"></a>The number of changes that a dispatch can request is not bounded: a
//!   handler of `Hooked` that always hooks another component never ends.
//! - <a id="reentrancy.panic-to-caller"></a>By default, a panic in a handler propagates to the caller of the
//!   outermost send.
//! - <a id="reentrancy.panic-loses-nothing"></a>After a panic, nothing stays borrowed and nothing that was queued is
//!   lost. The next call that may change the manager, or [`settle`](crate::MessageManager::settle), carries out the
//!   queued work first.
//! - <a id="reentrancy.panic-under-way"></a>A message is under way while its send runs. If a panic ends the send,
//!   nobody else receives the message: neither the receivers behind the one that panicked, nor those that were
//!   busy, nor a subscription with a stage. The message is not retained.
//! - <a id="reentrancy.panic-left-order"></a>Work that a panic has left behind is carried out receiver by receiver,
//!   starting with the one that has waited longest; each receives all messages that are kept for it. A message that is
//!   kept for several receivers is delivered to one after the other. The changes follow, in the order in which they
//!   were requested. Every send first delivers the messages that are kept for receivers freed by a panic.
//! - <a id="reentrancy.panic-after-result"></a>If the panic happens after the call has produced its result,
//!   the result is dropped.
//! - <a id="reentrancy.drop-panic-family"></a>Things that end together are dropped one by one: the components, the
//!   closures, the messages tied to the sender and the retained messages of a messagee and its family. If a `Drop`
//!   panics, the others are still dropped, and the first panic propagates to the caller.
//! - <a id="reentrancy.limit-names-remedy"></a>An error at a limit names the manager's setting and the remedy.
//! - <a id="reentrancy.unhook-policy"></a>With [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook), a panic
//!   affects only the component that panicked. It receives nothing more and is unhooked when the outermost send
//!   returns, and its messagee receives [`HandlerPanicked`](crate::lifecycle::HandlerPanicked).
//! - <a id="reentrancy.unhook-goes-on"></a>With `PanicPolicy::Unhook`, delivery continues after a panic. All
//!   other receivers get the message, a request goes to the next receiver that answers, and queued messages go to
//!   everyone except the component that panicked.
//! - <a id="reentrancy.unhook-subscriber"></a>With `PanicPolicy::Unhook`, a subscriber that panics is
//!   unsubscribed. Its owner is notified, or everyone if it has no owner.
//! - <a id="reentrancy.unhook-panic-outside"></a>With `PanicPolicy::Unhook`, a panic outside handlers and subscribers,
//!   such as in the `Drop` of a message, still propagates to the caller.
//! - <a id="reentrancy.panicked-counts"></a>With `PanicPolicy::Unhook`, a component that panics counts as failed and a
//!   subscriber that panics as a receiver. An interceptor that panics has let the message pass.
//! - <a id="reentrancy.panicked-not-called"></a>A component that has panicked is never called again, not even for a
//!   farewell. The messagee's other components receive `Unhooking` and, once the component is gone, `HandlerPanicked`,
//!   before any change that was requested later.
//! - <a id="reentrancy.panicked-drop-panics"></a>If a component that has panicked panics again when it is dropped, the
//!   same `HandlerPanicked` reports both panics.
//! - <a id="reentrancy.payload-drop-panics"></a>If the `Drop` of the payload of such a panic panics, that panic does
//!   not propagate either.
//!
//! # Messagees
//!
//! - <a id="messagees.stale-id"></a>Ids are generational: a stale id never reaches a newcomer. Sending to a stale
//!   id fails with [`Gone`](crate::Absence::Gone).
//! - <a id="messagees.unhook-gives-back"></a>`unhook` returns the component. The messagee's other components
//!   stay.
//! - <a id="messagees.unhook-leaving"></a>A component that is unhooked, from outside or in a handler, is leaving
//!   while its [`Unhooking`](crate::lifecycle::Unhooking) is delivered: no send reaches it, and it cannot be
//!   unhooked again.
//! - <a id="messagees.unhook-panic"></a>If a handler panics while `Unhooking` is delivered, the component is
//!   dropped, and unhooked by the next call.
//! - <a id="messagees.speaks-for-messagee"></a>A component speaks for the messagee that it is hooked to: its sends come
//!   from that messagee. Hooking a component to another messagee's id, even in a handler, therefore lets it speak in
//!   that messagee's name.
//! - <a id="messagees.as-messagee-alive"></a>[`speak_for`](crate::MessageManager::speak_for) speaks for a messagee as
//!   long as the messagee is alive. Once it has died, every send fails with [`Gone`](crate::Absence::Gone).
//! - <a id="messagees.as-messagee-offers"></a>`speak_for` offers what a context offers: sending, posting,
//!   publishing, reading and cancelling through it happen in the messagee's name. Everything else belongs to the
//!   manager itself and takes effect at once.
//! - <a id="messagees.despawn-takes-along"></a>`despawn` also removes the messagee's components, its mnemonics
//!   and its children, unless the children are to be [re-parented](crate::Children::Reparent).
//! - <a id="messagees.disabled"></a>A disabled component stays hooked and receives nothing until it is enabled
//!   again.
//! - <a id="messagees.disabled-told"></a>After a component has been disabled or enabled, its messagee is notified
//!   when the outermost send returns. It receives [`Disabled`](crate::lifecycle::Disabled), which also reaches
//!   the component itself, or [`Enabled`](crate::lifecycle::Enabled).
//! - <a id="messagees.same-type-twice"></a>Several components of the same type may be hooked to one messagee.
//! - <a id="messagees.hooks-of-order"></a>`hook_of` returns the hook of the first component of a type; `hooks_of`
//!   returns the hooks of all of them, in hooking order. A handler and the manager find the same hooks.
//! - <a id="messagees.iter-all"></a>`iter_all` returns each messagee that has components of all listed types, once, with
//!   the first of each type. They come in the storage order of the first type. In a handler, those with a component that
//!   is mutably borrowed are left out.
//! - <a id="messagees.iter-all-mut"></a>`iter_all_mut` does the same with mutable references. It panics if a type is listed
//!   twice.
//! - <a id="messagees.parent-cycle"></a>A parent that would form a cycle is rejected.
//! - <a id="messagees.lifecycle-told"></a>The manager sends a messagee [`Hooked`](crate::lifecycle::Hooked) after a
//!   component was attached, [`Despawning`](crate::lifecycle::Despawning) before the messagee is despawned, and
//!   [`Unhooking`](crate::lifecycle::Unhooking) before each component is removed. A notification that no one would
//!   receive is not sent, and so not traced.
//! - <a id="messagees.mnemonic-bound-once"></a>Binding a mnemonic that is already bound, or unbinding one that is
//!   bound to another messagee, is an error.
//! - <a id="messagees.mnemonic-freed"></a>The mnemonics of a despawned messagee become free again.
//! - <a id="messagees.mnemonic-unbound"></a>Sending to an unbound mnemonic fails with
//!   [`Unbound`](crate::Absence::Unbound).
//! - <a id="messagees.other-manager"></a>Using an id or a hook of another manager is an error that says so.
//! - <a id="messagees.managers-share-no-id"></a>Managers that are alive at the same time never share an id. At
//!   most 65 535 can be alive; creating one more fails with
//!   [`TooManyManagers`](crate::RegistryError::TooManyManagers).
//! - <a id="messagees.dropped-manager-ids"></a>If `n` managers are alive when one is dropped, its ids, hooks,
//!   subscriptions and tickets refer to nothing in the next 65 534 − `n` managers that are made. In a later manager
//!   they may refer to something else.
//! - <a id="messagees.errors-change-nothing"></a>A call that returns an error has changed nothing, with these
//!   exceptions. [`post_each`](#headers.post-each-fails) and [`publish_each`](#mail.publish-each-stops) keep what they
//!   did before the error. A message has been received by some in three cases: its receivers are [too
//!   few](#required.not-received), a request [fails](#failures.request-source) at them, or it cannot be
//!   [kept](#reentrancy.kept-full-lost-for-one) for a busy receiver.
//! - <a id="messagees.set-name"></a>A messagee can have a name. `set_name` sets it; an empty name removes it.
//! - <a id="messagees.spawn-named"></a>`spawn_named` sets the name before the messagee is notified of its
//!   components.
//! - <a id="messagees.names-may-repeat"></a>Names need not be unique.
//! - <a id="messagees.find"></a>`find` returns the messagees that are alive and whose whole name matches a pattern, in
//!   the order of their slots.
//! - <a id="messagees.find-pattern"></a>In a pattern, `*` matches any characters, `?` matches one, and `\` makes
//!   the next character literal. Matching is case-sensitive.
//! - <a id="messagees.find-exact"></a>A pattern without `*` and `?` is looked up in an index: `find`, and a wire
//!   that fires, visit only the messagees with that name. The first such search builds the index; until then
//!   names have no extra cost.
//! - <a id="messagees.id-prints-name"></a>An id prints its name: `7v2 "Red Baron"`. So does everything that
//!   contains an id: errors, reports, dead letters, recipients and senders.
//! - <a id="messagees.name-escaped"></a>Quotes and line breaks in a name are escaped when it is printed.
//! - <a id="messagees.print-without-name"></a>`{:#}` omits the name.
//! - <a id="messagees.name-of-gone"></a>The name of a messagee that is gone stays known until its slot has another
//!   messagee with a name, `shrink_to_fit` forgets it, or the manager is dropped.
//! - <a id="messagees.newcomer-has-own-name"></a>A newcomer never has another messagee's name.
//! - <a id="messagees.print-width"></a>Ids, hooks, subscriptions, recipients, senders and receivers print with
//!   the requested width, fill and alignment, and are never truncated.
//! - <a id="messagees.name-changes-no-delivery"></a>A name does not affect delivery.
//! - <a id="messagees.leaving-subscriptions"></a>The subscriptions of a messagee end as soon as it is leaving,
//!   including those made in the same dispatch.
//! - <a id="messagees.despawn-ends"></a>A despawned messagee leaves its groups, its subscriptions end, and the
//!   messages retained for it are forgotten.
//! - <a id="messagees.despawn-bound-messages"></a>When a messagee is despawned, each message that it has posted with
//!   `tied_to_sender` becomes a dead letter, even if the `Drop` of another such message panics.
//!
//! # Headers
//!
//! - <a id="headers.reusable"></a>A header is built once and used for any number of messages. It is `Copy` and
//!   can be readdressed.
//! - <a id="headers.contradiction"></a>A header that contradicts itself is never ignored: building it is an error.
//!   `Immediate` excludes a delay, a period, a key, `tied_to_sender`, `until_unhooked` and `if_alive`. A header has at
//!   most one delay, and at most one of `every`, `every_frames` and `every_pass`. A delay in time excludes a period in
//!   frames, and the reverse. `times` requires a period, `keep_phase` and `unless_pending` require a key, and
//!   `unscaled` requires a delay or a period in time. A period of zero, `times` of zero, and `retain` with a period are
//!   errors. So is a period in frames with `FixedUpdate`, where `every_pass` follows the passes. See
//!   [`HeaderError`](crate::HeaderError).
//! - <a id="headers.post-takes"></a>A post accepts a header, a reference to one, or a builder.
//! - <a id="headers.post-contradiction"></a>If the header passed to a post contradicts itself, nothing is posted,
//!   and the post fails with [`SendErrorKind::Header`](crate::SendErrorKind::Header).
//! - <a id="headers.read-back"></a>Every setting of a header can be read again.
//! - <a id="headers.default-stage"></a>A header without a stage is `Immediate`, unless it has a delay or a period; then
//!   its stage is `Update`.
//! - <a id="headers.immediate-is-send"></a>Posting with stage `Immediate` is a send, and the ticket holds its
//!   receipt.
//! - <a id="headers.post-to"></a>`post_to` is like `post`, but replaces the recipient of the header.
//! - <a id="headers.post-each"></a>`post_each` posts each message that an iterator yields, in that order, as
//!   separate posts would.
//! - <a id="headers.post-each-fails"></a>`post_each` stops at the first post that fails. The error contains the
//!   reason and the number of messages posted before it. These stay posted.
//! - <a id="headers.post-to-gone"></a>Posting to a messagee or a hook that is gone is an error at once.
//! - <a id="headers.recipient-goes-later"></a>If a message was posted to a messagee or hook that is gone when the
//!   message is due, the message becomes a dead letter.
//! - <a id="headers.mnemonic-when-delivered"></a>A mnemonic that a message was posted to is looked up when the
//!   message is delivered.
//! - <a id="headers.if-alive"></a>With `if_alive`, a message whose messagee or hook is gone, or whose mnemonic is
//!   not bound, does not become a dead letter.
//! - <a id="headers.sender-from-outside"></a>A post from outside to `Me` or `EveryoneElse`, or with a header that ties
//!   the message to its sender, fails at once with [`NoSender`](crate::SendErrorKind::NoSender).
//! - <a id="headers.max-pending"></a>At most [`max_pending`](crate::ManagerConfig::max_pending) messages can be
//!   pending. One more fails with [`Limit::Pending`](crate::error::Limit::Pending), and no accepted message is
//!   lost.
//! - <a id="headers.replace-is-not-more"></a>Replacing a message under its key does not count as one more
//!   pending message.
//! - <a id="headers.envelope"></a>The [`Envelope`](crate::Envelope) that a receiver sees contains the sender, the
//!   recipient, the tags, the stage, and the place of the sending call. It also says when the message was posted
//!   and when it was due (time and frame).
//!
//! # Time and stages
//!
//! - <a id="time.tick"></a>A [`tick`](crate::MessageManager::tick) is one frame: the frame number and the clock
//!   advance, the mailboxes swap, and the inlet is drained. Then `FixedUpdate` runs as often as the fixed step
//!   says, followed by `Update`, `LateUpdate` and `EndOfFrame`.
//! - <a id="time.frame-in-pieces"></a>`begin_frame` and `run_stage` do the parts of a `tick` one by one.
//! - <a id="time.due-order"></a>A pass delivers the messages that are due, sorted by due time; those due at the same
//!   time are delivered in the order posted. Nothing is delivered early. Messages that are late because of a long frame
//!   are still delivered in order.
//! - <a id="time.frame-delay"></a>A message with a delay in frames is due when its frame begins, at the time of that
//!   frame. For `FixedUpdate`, this can be later than the fixed time.
//! - <a id="time.unscaled-behind"></a>Messages that wait on the unscaled clock come after the rest of a pass, in their
//!   own order, because the two clocks cannot be compared.
//! - <a id="time.delivery-is-outermost"></a>Each delivery of a pass is an outermost send: its changes are settled
//!   before the next delivery.
//! - <a id="time.stage-to-come"></a>A message that is posted without a delay for a later stage of the same frame
//!   is delivered in this frame.
//! - <a id="time.own-stage-next-pass"></a>A message that is posted during the pass of its own stage waits for the next
//!   pass of that stage, so every pass ends.
//! - <a id="time.fixed-follows"></a>The fixed time follows the scaled time in whole steps and never runs ahead of
//!   it.
//! - <a id="time.max-fixed-steps"></a>A frame takes at most
//!   [`max_fixed_steps`](crate::ManagerConfig::max_fixed_steps) steps. Further steps that it owes are skipped,
//!   and the fixed time jumps over them.
//! - <a id="time.fixed-time-in-pass"></a>In a pass of `FixedUpdate` the time is the fixed time.
//! - <a id="time.set-fixed-step"></a>[`set_fixed_step`](crate::MessageManager::set_fixed_step) takes effect at
//!   once: the fixed time stays where it is, and the steps that the frame still owes are counted again.
//! - <a id="time.fixed-step-saved"></a>A fixed step set with `set_fixed_step` is part of a save; the step of the
//!   configuration is not.
//! - <a id="time.begin-frame-with"></a>A frame of [`begin_frame_with`](crate::MessageManager::begin_frame_with)
//!   advances both clocks by the host's values, to the nanosecond. The manager's scale and pause do not affect
//!   it.
//! - <a id="time.scale-from-next-frame"></a>Scale and pause affect the scaled time from the next frame on.
//! - <a id="time.paused"></a>While the scaled time is paused, frames and the unscaled time continue,
//!   `FixedUpdate` has no passes, and the other stages deliver messages without a delay.
//! - <a id="time.repeat-period"></a>A repeating message is due again one period after it was due, however late it
//!   was delivered. After a long frame its deliveries come in order, the oldest first.
//! - <a id="time.repeat-one-value"></a>A repeating message is a single value: a change that a receiver makes to it is
//!   still there at the next delivery.
//! - <a id="time.repeat-ends"></a>A repeating message ends with its first delivery to a messagee or a hook that
//!   is gone. If it goes to a mnemonic that is not bound, it continues.
//! - <a id="time.max-repeats"></a>In one frame, over all passes of its stage, a repeating message is delivered at
//!   most [`max_repeats_per_frame`](crate::ManagerConfig::max_repeats_per_frame) times, but one delivery is
//!   always allowed.
//! - <a id="time.repeats-skipped"></a>Deliveries of a repeating message that are due beyond
//!   `max_repeats_per_frame` are skipped. The message is next due at the first time of its series that the pass
//!   has not reached, whatever clock it waits on.
//! - <a id="time.skipped-counted"></a>Skipped deliveries count towards a message's `times`.
//!   [`FrameReport::skipped_repeats`](crate::FrameReport::skipped_repeats) counts them.
//! - <a id="time.every-pass"></a>A message with `every_pass` is delivered once in each pass of its stage, even
//!   after a long frame.
//! - <a id="time.cancelled-never-delivered"></a>A cancelled message is never delivered, not even in the pass that
//!   is under way.
//! - <a id="time.cancel-by"></a>Messages can be cancelled by a [`Ticket`](crate::Ticket), by a key, by sender, or
//!   by recipient and message type: see [`Posts`](crate::Posts).
//! - <a id="time.cancel-drop-panics"></a>All selected messages are cancelled before the first one is dropped. If
//!   the `Drop` of one panics, the others are still dropped, and the first panic propagates to the caller.
//! - <a id="time.take-out"></a>Messages that are taken out are no longer pending, as if cancelled. The caller
//!   gets them in the order in which they were due.
//! - <a id="time.take-out-header"></a>A message that is taken out comes with a header that contains the rest of
//!   its delay and of its deliveries. If it is posted at once with that header, it is due when it would have
//!   been.
//! - <a id="time.take-out-repeating"></a>A repeating message is not taken out while it is being delivered.
//! - <a id="time.key-replaces"></a>Posting under a key replaces the message that is pending under that key,
//!   whatever its type and recipient.
//! - <a id="time.keep-phase"></a>With `keep_phase`, a message is due when the message that it replaces would have been
//!   due next, if the same clock measures both. The number of its deliveries is its own.
//! - <a id="time.unless-pending"></a>With `unless_pending`, a post drops its message if one is already pending under
//!   its key, and returns the ticket of that one. A repeating message stays pending while it is delivered.
//! - <a id="time.until-unhooked"></a>With `until_unhooked`, a message is cancelled when the component is unhooked or
//!   its messagee is despawned. Posting it for a component that is gone or leaving is an error.
//! - <a id="time.key-post-fails"></a>If a post under a key fails, the message that is pending under it stays.
//! - <a id="time.key-drop-panics"></a>If the `Drop` of the message that a key replaces panics, the new message is
//!   pending.
//! - <a id="time.key-is-senders"></a>Each sender has its own keys, and so does the outside. A shared key is the same
//!   for all.
//! - <a id="time.key-cancels"></a>Cancelling by the name of a key cancels the message under the canceller's own
//!   key.
//! - <a id="time.pending-listed"></a>Pending messages can be listed in the order in which they are due.
//! - <a id="time.soonest-posts"></a>[`soonest_posts`](crate::Inspect::soonest_posts) lists the first
//!   pending messages without visiting all of them.
//! - <a id="time.full-names-most"></a>When too many messages are pending, the error names the type that most of
//!   them have, and the place that posted most messages of that type.
//! - <a id="time.full-names-cycle"></a>When too many messages are pending because a handler posts what it is
//!   handling to a receiver that is running, the error names the cycle.
//! - <a id="time.saturates"></a>Times and frames saturate at their maximum: the last time is 292 years after the
//!   manager was made, and the last frame is 2^64 - 1.
//! - <a id="time.panic-in-pass"></a>After a panic in a pass, the next pass of that stage delivers the rest. It also
//!   delivers the messages that had fallen due again in that pass, and those that have fallen due since. They are
//!   sorted by due time; those due at the same time are delivered in the order posted.
//!
//! # Subscriptions
//!
//! - <a id="subscriptions.every-message"></a>A subscription receives every message that passes its filter,
//!   whatever the recipient is.
//! - <a id="subscriptions.of-id"></a>A subscription to a type that is given by its id receives the same messages as one
//!   to the type itself, in the same order, each as a `dyn AnyMessage`.
//! - <a id="subscriptions.order"></a>Subscriptions receive a message after the addressed components, by
//!   [priority](#subscriptions.priority), then in the order subscribed, whether they listen to one type or to all
//!   types.
//! - <a id="subscriptions.priority"></a>The priority of a subscription is 0 by default; a higher priority comes first.
//!   Interceptors are ordered among themselves, and so are the other subscriptions.
//! - <a id="subscriptions.unreceived-heard"></a>Subscriptions hear a message even if no component receives it.
//! - <a id="subscriptions.failed-unheard"></a>Subscriptions do not hear a message whose send fails because the
//!   recipient is gone or unbound.
//! - <a id="subscriptions.filter-all"></a>`from`, `to`, `tagged` and every `when` must hold. `tagged` matches any of
//!   its tags. An empty set is no condition. If `from`, `to` or `tagged` is set twice, the last value wins.
//! - <a id="subscriptions.same-words"></a>[`Posts`](crate::Posts), `message_trace::TraceFilter` and the selections of
//!   mail have the same methods to choose by: `from`, `to` and `tagged`.
//! - <a id="subscriptions.tags-below"></a>[`DAMAGE.and_below()`](crate::Tag::and_below) is the set of the tag `damage`
//!   itself and of all tags below it: those that the program declares with names that begin with `damage.`. It does not
//!   include tags of libraries that are loaded later.
//! - <a id="subscriptions.to-id"></a>`to` with an id matches messages that are sent to that messagee alone: by
//!   id, `Me`, or a mnemonic bound to it.
//! - <a id="subscriptions.to-hook"></a>`to` with a hook matches messages that are sent to that hook.
//! - <a id="subscriptions.to-mnemonic-when-sent"></a>A mnemonic in a filter, or as the recipient of a message,
//!   refers to the messagee that it was bound to when the message was sent. This holds for interceptors, for
//!   subscribers with and without a stage, for overhearing, and for kept messages.
//! - <a id="subscriptions.when-asked-last"></a>The predicate of a `when` is called last. It sees the message as
//!   the subscriber would receive it: after the components, or before them for an interceptor.
//! - <a id="subscriptions.when-running"></a>While a predicate is running, a `request` or a `send_mut` that passes the
//!   rest of its filter fails, and the predicate is not called.
//! - <a id="subscriptions.when-panics"></a>A predicate that panics counts as a subscriber that panics.
//! - <a id="subscriptions.returns"></a>A subscriber may return nothing, `bool` or `ControlFlow<()>`. An
//!   interceptor may return nothing or `ControlFlow<()>`.
//! - <a id="subscriptions.returns-false"></a>A subscriber that returns `false` does not count as a receiver, and a
//!   `once` subscription then stays subscribed.
//! - <a id="subscriptions.returns-break"></a>When a subscriber returns `Break`, the subscribers after it, and
//!   those that are busy, do not receive the message.
//! - <a id="subscriptions.filter-data"></a>With the feature `serde`, a filter without a predicate can be written and
//!   read as data, except its message type. Writing one with a predicate is an error.
//! - <a id="subscriptions.printed"></a>The `Debug` output of a filter shows every setting. For a predicate, it only
//!   shows that there is one.
//! - <a id="subscriptions.paused"></a>A paused subscription receives nothing until it is resumed, and keeps its
//!   place in the order.
//! - <a id="subscriptions.pause-at-once"></a>Pausing and resuming take effect at once, even in a handler, and
//!   even for a subscription that was made in the same dispatch.
//! - <a id="subscriptions.pause-under-way"></a>A message under way does not reach a subscription that has been paused
//!   or resumed since the message was sent.
//! - <a id="subscriptions.pause-kept"></a>A message that is kept for a subscription, or waits for its stage, is
//!   not delivered if the subscription is paused when the turn of the message comes.
//! - <a id="subscriptions.hidden"></a>A hidden subscription does not count as a receiver.
//! - <a id="subscriptions.once"></a>A `once` subscription ends with the first message that it receives.
//! - <a id="subscriptions.stage"></a>A subscription with a stage receives its messages in the next pass of that
//!   stage, after the posted messages.
//! - <a id="subscriptions.stage-waits-from-end"></a>A message starts to wait for the stage of a subscription when
//!   its send ends. Messages are received in the order in which they started to wait.
//! - <a id="subscriptions.stage-consumed"></a>A message that is consumed before its stage does not reach a
//!   subscription with a stage, no matter who consumes it.
//! - <a id="subscriptions.stage-ended"></a>If a subscription with a stage has ended by the time the send ends, it
//!   is not counted as pending.
//! - <a id="subscriptions.stage-once"></a>A `once` subscription accepts no other message while one waits for its
//!   stage.
//! - <a id="subscriptions.once-ended-when-called"></a>A `once` subscription has ended as soon as it is called:
//!   `unsubscribe` returns `false` from then on.
//! - <a id="subscriptions.once-kept"></a>A `once` subscription has not ended while its one message is still kept
//!   for it.
//! - <a id="subscriptions.before"></a>An interceptor ([`before`](crate::Filter::before)) runs first. It may
//!   change the message, and may consume it; then nobody receives the message.
//! - <a id="subscriptions.before-counts"></a>An interceptor counts as a receiver only of the messages that it consumes.
//! - <a id="subscriptions.consumed-unheard"></a>A message that a component consumes does not reach subscribers.
//! - <a id="subscriptions.made-in-handler"></a>A subscription made in a handler takes effect when the outermost
//!   send returns.
//! - <a id="subscriptions.ended-in-handler"></a>A subscription that is ended in a handler receives nothing from
//!   that moment on.
//! - <a id="subscriptions.busy-kept"></a>A subscriber that is running is busy like a component: a `send` is
//!   kept for it and delivered as soon as it is free.
//! - <a id="subscriptions.busy-request"></a>A `request` or `send_mut` that a busy subscriber would receive
//!   fails with [`Busy`](crate::SendErrorKind::Busy).
//! - <a id="subscriptions.busy-before"></a>While an interceptor is running, a message that it would receive
//!   waits, for all receivers.
//! - <a id="subscriptions.busy-before-dead-letter"></a>If delivery fails after a message has waited for an
//!   interceptor, the message becomes a dead letter.
//! - <a id="subscriptions.sender"></a>A subscriber's sends come from its owner, or from `Outside` if it has none.
//! - <a id="subscriptions.owner"></a>In a handler or a subscriber, a new subscription can only be owned by the
//!   messagee itself, or by one that was spawned in the same dispatch. Any other owner fails with
//!   [`NotOneself`](crate::MessageeError::NotOneself).
//! - <a id="subscriptions.unsubscribe-all"></a>[`unsubscribe_all`](crate::MessageManager::unsubscribe_all) ends all
//!   subscriptions of a messagee, including overhearing and those made in the same dispatch, even if the `Drop` of a
//!   closure panics. The messagee stays.
//! - <a id="subscriptions.drop-order"></a>When an owner or the manager is dropped, the closures are dropped in
//!   the order subscribed.
//! - <a id="subscriptions.drop-panics"></a>A manager drops all of its closures even if the `Drop` of one panics.
//! - <a id="subscriptions.cost-of-change"></a>Making or ending a subscription costs the same, however many there are.
//!   The exception is making one with a higher priority than others: this takes time proportional to the number of
//!   subscriptions to its type.
//! - <a id="subscriptions.cost-of-send"></a>The cost of a send does not depend on how many subscriptions filter by `to`
//!   for other recipients, or by `from` for other senders. Filters with `Me` or a mnemonic are evaluated at each send,
//!   because these can refer to something else each time.
//! - <a id="subscriptions.retain"></a>A message whose header says `retain` is kept as the last one of its
//!   type and recipient, unless an interceptor consumes it.
//! - <a id="subscriptions.retained-by-name"></a>A message retained under a mnemonic or a group belongs to that
//!   name, and outlives the messagees that bear it.
//! - <a id="subscriptions.retained-for-hook"></a>A message retained for a hook is forgotten with the hook's
//!   component.
//! - <a id="subscriptions.with-retained"></a>A subscription made with `with_retained` immediately receives the
//!   retained messages that pass its filter, in the order in which they were retained.
//! - <a id="subscriptions.retained-holder"></a>For retained messages, a mnemonic of the filter or of the message
//!   refers to the messagee that it is bound to when the subscription takes effect or is resumed.
//! - <a id="subscriptions.retained-while-paused"></a>When a paused subscription with `with_retained` is resumed,
//!   it receives the messages that were retained during the pause and pass its filter. It receives each once, in
//!   the order in which they were retained. If a handler resumes it, they are delivered when the outermost send
//!   returns.
//! - <a id="subscriptions.retained-drop-order"></a>Messages that are forgotten with a messagee are dropped in the
//!   order in which they were retained.
//!
//! # Overhearing
//!
//! - <a id="overhearing.own-handlers"></a>Messages that pass the filter of an
//!   [`overhear`](crate::MessageManager::overhear) are also delivered to that messagee's own handlers, although they
//!   were sent to others. They are delivered in the turn of the subscription, with the same sender, recipient and
//!   envelope.
//! - <a id="overhearing.is-overheard"></a>[`is_overheard`](crate::Context::is_overheard) returns whether the
//!   message is overheard.
//! - <a id="overhearing.not-twice"></a>A message that reaches the messagee anyway is not overheard.
//! - <a id="overhearing.not-own"></a>A messagee does not overhear its own messages.
//! - <a id="overhearing.no-loop"></a>A messagee does not overhear messages that its own overhearing leads to in the
//!   same dispatch, even through busy receivers, so sends do not loop. Announcements of changes begin anew: a messagee
//!   that overhears `Hooked` and spawns each time never ends, like a handler of `Hooked` that does so.
//! - <a id="overhearing.anew"></a>A message that is received in a stage, or because it was retained, is received anew.
//!   A messagee overhears the messages that this leads to, even if its own overhearing led to the first one.
//! - <a id="overhearing.decided-when-sent"></a>Whether a messagee overhears a message is decided when the message
//!   is sent, by the mnemonic, the group or the family at that time.
//! - <a id="overhearing.retained"></a>With a filter that asks for retained messages, a messagee overhears all that pass
//!   the filter. Exceptions are messages that it sent itself, and messages that reached it when they were sent. A
//!   messagee that came alive later overhears messages that were sent to everyone. A messagee that received a message
//!   through a mnemonic, and has since handed the mnemonic on, does not overhear the message again.
//! - <a id="overhearing.ended-while-waiting"></a>A message that waits for a running component, or for a stage, is
//!   not overheard if the subscription has ended or is paused by then.
//! - <a id="overhearing.once"></a>A `once` overhearing ends when the first component has received a message. The
//!   messagee's other components also receive that message.
//! - <a id="overhearing.counts"></a>Each component that overhears counts as a receiver, unless the filter is
//!   hidden.
//! - <a id="overhearing.consumes-and-fails"></a>A component that overhears can consume a message, and can fail, like
//!   any other receiver. Its answer is dropped.
//! - <a id="overhearing.disabled"></a>A component that is disabled or leaving overhears nothing.
//! - <a id="overhearing.busy"></a>A running component overhears as soon as it is free. A `request` or `send_mut`
//!   that it would overhear fails with [`Busy`](crate::SendErrorKind::Busy).
//! - <a id="overhearing.ends"></a>Overhearing ends with its messagee, and can be ended and paused like any
//!   subscription.
//! - <a id="overhearing.owner"></a>In a handler, only the messagee itself, or one that was spawned in the same
//!   dispatch, can be made to overhear.
//!
//! # Types as data
//!
//! With the crate `message-data`: see `message_data::Data`.
//!
//! - <a id="data.message-or-component"></a>In files, saves and logs, a type with data is a message if it is one in the
//!   program, and otherwise a component.
//! - <a id="data.found-by-name"></a>A type is looked up by its full name, by the last part of that name, or by an
//!   alias, in this order.
//! - <a id="data.duplicate-name"></a>Two types with the same full name are rejected at start-up, before a manager
//!   exists. Looking up a short name or an alias that several types share is an error. Both errors name the
//!   places.
//! - <a id="data.formats"></a>Text uses RON syntax. Bytes are `MessagePack` with field names.
//! - <a id="data.read-back"></a>A written value is read back as the same value, bit for bit, including
//!   floating-point numbers. In text, only the sign of a NaN is kept.
//! - <a id="data.unordered"></a>Equal values have equal text and equal bytes, even if the order of their hash maps
//!   differs. A map is written sorted by its written keys. A `HashSet` of the standard library or of `hashbrown` is
//!   written sorted by its written elements. Text is sorted by number and letter, bytes by byte. Entries with the same
//!   key keep their order.
//! - <a id="data.order-kept"></a>A `BTreeMap`, a map or set of `indexmap`, and every list keep their order. A map
//!   of an unknown type is sorted, and so is a map that is flattened into a struct. If the order of entries
//!   matters, use a list.
//! - <a id="data.sorted"></a>To serde, any other set is a list. `#[serde(serialize_with = "message_data::sorted")]`
//!   writes it sorted.
//! - <a id="data.every-representation"></a>Every value that can be read back from JSON, from the crate `ron` or
//!   from bytes can be read back from a text. This holds whatever serde representation its type uses and whatever
//!   names it has.
//! - <a id="data.reads-ron"></a>A text that the crate `ron` reads is read as the same value, apart from the
//!   differences that `message_data::text_format` lists.
//! - <a id="data.struct-names"></a>The text of a component or a message begins with the name of its type. Within
//!   a value, structs are written without their names, and read with or without them.
//! - <a id="data.text-extensions"></a>A text can enable syntax extensions for itself. `TextOptions` enables them
//!   for every text.
//! - <a id="data.unknown-field-in-text"></a>In a text, a field that a struct does not have is an error, also in
//!   nested structs. The error has the line and column, the existing fields and the nearest name.
//! - <a id="data.unknown-field-in-bytes"></a>In bytes, a field that a struct does not have is skipped.
//! - <a id="data.fields-may-differ"></a>Fields can be added, removed and moved between the writer and the
//!   reader of bytes.
//! - <a id="data.upgrade"></a>The type's `upgrade` changes the fields of an earlier version before they are read.
//! - <a id="data.compatible"></a>`assert_compatible` fails if the program can no longer read a type in a version and
//!   shape that the file records. It also fails if the file does not record a type in its current shape. The error
//!   lists each difference and what to do.
//! - <a id="data.compatible-record"></a>Updating the file adds types. It removes those that cannot be read only on
//!   request. A damaged file is an error with its place, and stays as it is.
//! - <a id="data.readers-are-safe"></a>No text and no bytes can make a reader panic, or allocate memory for a length
//!   that they merely claim.
//! - <a id="data.memory"></a>Reading bytes from another program can be limited in memory. Structs in a list, a map or a
//!   box that become larger than their bytes then are an error with its place.
//! - <a id="data.readers-are-linear"></a>Reading or writing a text takes time proportional to its length.
//! - <a id="data.nesting-limit"></a>Values can be nested at most 128 levels deep.
//! - <a id="data.id-needs-manager"></a>An id can be written and read only in a world file, a save, a log or a
//!   text about a manager. Anywhere else it is an error.
//! - <a id="data.shape"></a>The `shape` of a type describes what the type reads from bytes: its fields, their
//!   types, and which may be missing. It is determined by reading.
//! - <a id="data.shape-reads"></a>`reads` checks whether one program can read what another one writes, and returns the
//!   first difference. That can be a changed type, a required field that is missing, or a variant that the reader
//!   lacks.
//! - <a id="data.shape-from-stranger"></a>A shape from an untrusted source takes memory in proportion to its
//!   length, and never causes a panic.
//!
//! # Plugins
//!
//! - <a id="plugins.extend-at-work"></a>The registry can be extended while managers are running, by a loaded library or
//!   by hand.
//! - <a id="plugins.extend-on-any-thread"></a>Several threads can extend the registry at the same time, even
//!   while another thread publishes it on first use. The registry contains everything that they add.
//! - <a id="plugins.indices-stay"></a>Existing indices stay. New message types and component types are sorted by name
//!   and follow the others. Indices therefore depend on the order in which libraries are loaded; ids do not.
//! - <a id="plugins.late-handler-order"></a>Handlers that are added later run where they would have run if they had
//!   been there from the start: by priority, then by `before` and `after`, then by type name.
//! - <a id="plugins.taken-up"></a>An existing manager picks up new types when a component of a new type is first
//!   hooked, or when its next frame begins.
//! - <a id="plugins.take-up-loses-nothing"></a>When a manager picks up new types, messages that wait in it are
//!   still delivered, and every listener continues to hear what it heard before.
//! - <a id="plugins.before-taken-up"></a>Until a manager has picked up a new type, it sends, posts and publishes
//!   messages of that type as if nobody handled them.
//! - <a id="plugins.publish-before-taken-up"></a>A handler that publishes a type that the manager has not picked
//!   up gets [`Unregistered`](crate::SendErrorKind::Unregistered).
//! - <a id="plugins.component-without-handlers"></a>A component without handlers is never mistaken for one of a type
//!   that is added later.
//! - <a id="plugins.refused-duplicate"></a>A type with the id of another type is rejected, and the error has the places
//!   of both. So is a component type, or a type with data, that has the name of another.
//! - <a id="plugins.refused-context"></a>A late handler with a context is rejected if the other handlers of its
//!   component type take none. The error has the places of both.
//! - <a id="plugins.refused-leaves-nothing"></a>A rejected library leaves nothing behind: the registry stays as
//!   it is, and the library's types, handlers and names cannot be found later.
//! - <a id="plugins.statement-first"></a>A plugin's statement is read from the bytes of its file before any of
//!   its code runs.
//! - <a id="plugins.file-refused"></a>A file is rejected if it is not a complete library for this machine, or a library
//!   without a statement. A plugin is rejected if it has its own message-core, is from another compiler or build, or
//!   has a copy of a crate that the program has. It is also rejected if it was built with another build of a shared
//!   crate: its sources, generated sources, features or other settings, or those of its dependencies. The error states
//!   what the plugin has and what the program has.
//! - <a id="plugins.loaded-twice"></a>A plugin with the name of a loaded plugin is rejected. The error has the name and
//!   the file.
//! - <a id="plugins.checked-copy"></a>The file that is loaded is the one that was checked: both steps use the same copy
//!   of it. It is an error if the copy is gone or was changed in between.
//! - <a id="plugins.never-unloaded"></a>A plugin is never unloaded.
//! - <a id="plugins.world-file-names"></a>A world file that names a plugin that is not loaded is an error at that
//!   place, which lists the loaded plugins. Nothing else about the file is reported then.
//!
//! # World files
//!
//! With the crate `message-data`. The format is that of `message_data::WorldFile`.
//!
//! - <a id="world-files.reading-changes-nothing"></a>Reading a world file changes nothing.
//! - <a id="world-files.all-mistakes"></a>Reading a world file checks everything that can be checked without a
//!   manager, including each field of each component and message. Mistakes are reported together, each with file,
//!   line and column, what was found, what was expected, and the nearest name.
//! - <a id="world-files.mistakes-bounded"></a>The first mistakes of the text are reported, at most 100 or as many
//!   as `WorldOptions::max_mistakes` allows, together with the number of further mistakes.
//! - <a id="world-files.linear"></a>Reading a text and reporting its mistakes take time and memory proportional
//!   to its length, whatever it says. The contents of a template are shared by the messagees that are made from
//!   it.
//! - <a id="world-files.read-again"></a>Values are read again with their overrides, or without the fields that
//!   are wrong, up to a total of 16 times the text. Beyond that, values are not checked until `instantiate`.
//! - <a id="world-files.suggestions"></a>The nearest name is searched for among the first 10 000 names, for the first
//!   100 unknown names, and only for names of up to 64 characters. Longer names are cut where they are printed.
//! - <a id="world-files.expanded"></a>A file is rejected if its components and wires would take more than 256 MiB,
//!   counting those of its templates for each messagee, unless `WorldOptions::max_expanded` allows it. `instantiate`
//!   creates no more than that.
//! - <a id="world-files.all-or-nothing"></a>`instantiate` makes everything in a file or nothing. After an error the
//!   manager is as before: no id is used up, no mnemonic is bound, and nobody has joined a group.
//! - <a id="world-files.in-handler"></a>In a handler or a subscriber, `instantiate` and `instantiate_template` return
//!   ids and errors at once. Names, families, mnemonics and groups are set at once. The messagees come alive when the
//!   outermost send returns; until then, messages that are sent to them wait, as for other newborns.
//! - <a id="world-files.mnemonic-bound"></a>It is an error if a mnemonic of a file is already bound.
//! - <a id="world-files.id-is-name"></a>The id of a messagee in a component or a message is written as the
//!   messagee's name in the file. The messagee can come before or after that place.
//! - <a id="world-files.instanced-again"></a>When a file is instantiated again, its names refer to the newly made
//!   messagees.
//! - <a id="world-files.hook-is-name"></a>The id of a component is the name of its messagee followed by its type:
//!   `"grib/Health"`, or `"grib/Health#2"` for the second of a type.
//! - <a id="world-files.no-tickets"></a>A ticket and the id of a subscription have no meaning in a world file:
//!   reading or writing one is an error with its place.
//! - <a id="world-files.templates"></a>A messagee made from templates has their components, joins their groups,
//!   and has their wires, before its own.
//! - <a id="world-files.templates-bounded"></a>A messagee can be made from at most 100 templates.
//! - <a id="world-files.template-disables"></a>A component that a template disables starts disabled.
//! - <a id="world-files.complete-before-hooked"></a>Messagees are alive, and have their components, families,
//!   mnemonics, groups, names and wires, before the first of them receives [`Hooked`](crate::lifecycle::Hooked).
//! - <a id="world-files.disabled-told-nothing"></a>A component that starts disabled receives no notification of that.
//! - <a id="world-files.declared-names"></a>Mnemonics, groups and tags are written by their declared names, or by
//!   the last part of these. This also holds in the fields of components and messages.
//! - <a id="world-files.undeclared-name"></a>A mnemonic, group or tag that the program does not declare is an
//!   error.
//! - <a id="world-files.tags-below"></a>In a set of tags in a text, `"damage.*"` is read as the tag `damage` and
//!   all tags below it. The set is written tag by tag.
//! - <a id="world-files.message-by-name"></a>In a message that is read by name, the id of a messagee is the name of one
//!   in the manager, or the id as it prints: `"#7v2"`. A text of this form is never a name.
//! - <a id="world-files.ambiguous-name"></a>In a message that is read by name, a name that several messagees
//!   share is an error.
//! - <a id="world-files.print-and-read"></a>A printed message or component is read back as the same value, unless
//!   it contains a ticket or a cursor, which are printed for people only.
//! - <a id="world-files.printed"></a>A component or a message can be printed, whatever ids it contains. The id of a
//!   component or of a subscription is printed and read as `"#7v2"`.
//! - <a id="world-files.hook-from-text"></a>`hook_from_text` hooks a component from a text in which ids are written as
//!   in a message that is read by name: names refer to messagees that are alive. After an error, nothing has changed
//!   and no id is used up.
//! - <a id="world-files.hook-in-handler"></a>In a handler or a subscriber, `hook_from_text` and `unhook_any` take effect
//!   when the outermost send returns, like `hook` and `unhook`. Hooks and errors are returned at once.
//! - <a id="world-files.change-from-text"></a>`change_from_text` replaces those fields of a component that the text
//!   gives, each as a whole; `change_field_from_text` replaces one. A text without named fields replaces the component,
//!   and `()` changes nothing. After an error, the component is as before.
//! - <a id="world-files.change-keeps"></a>Fields that the text of a change does not give keep their values, including
//!   tickets, cursors and ids of what is gone. A field that serde skips gets its default. If the component contains
//!   an id of another manager or a name that the program does not declare, the change is an error.
//! - <a id="world-files.change-at-once"></a>In a handler, `change_from_text` takes effect at once. It is an error if
//!   the component is running, is leaving or is not attached yet. So a change is never lost, nor made to another value.
//! - <a id="world-files.unhook-any"></a>`unhook_any` unhooks a component whatever its type, and drops it.
//! - <a id="world-files.override"></a>An override replaces fields of the only component of its type, each as a
//!   whole.
//! - <a id="world-files.overhear"></a>A messagee overhears by the filters that the file gives it, before the first
//!   [`Hooked`](crate::lifecycle::Hooked). The senders and recipients in them are named like messagees in components.
//! - <a id="world-files.write-world"></a>The output of `write_world` is read back to the same components, names,
//!   families, mnemonics, groups with the same order of members, disabled components, wires and overhearing. Ids and
//!   the storage order are new. A filter with a predicate, or one that is paused, cannot be written.
//! - <a id="world-files.gone"></a>`write_world` writes the id of a messagee or a component that is gone as `None`
//!   if it is in an `Option`. Anywhere else such an id is an error, which says that it is gone. All of these
//!   errors are reported together.
//!
//! # Wires
//!
//! - <a id="wires.fires"></a>A wire fires when its messagee receives a message of the type that it waits for, whatever
//!   the recipient is, even if none of its components handles the type. It does not fire if the message has been
//!   consumed before.
//! - <a id="wires.not-a-receiver"></a>A wire does not count as a receiver.
//! - <a id="wires.mnemonic-when-sent"></a>For a wire, a mnemonic refers to the messagee that it was bound to when the
//!   message was sent. Groups and families are those of that moment.
//! - <a id="wires.post-in-order"></a>Wires post in the order in which they were made. They never send.
//! - <a id="wires.sender"></a>The sender of a wire's posts is the wire's messagee.
//! - <a id="wires.own-names"></a>A name in a wire of a world file refers to the messagee of the same instance, whatever
//!   that messagee is called in the manager.
//! - <a id="wires.template-alone"></a>If a template is instantiated alone, a name in its wires refers to the messagee
//!   with that name in the manager. It is an error if there is none, or more than one.
//! - <a id="wires.names-bounded"></a>The different names with wildcards in the wires of a file may have up to 2 000
//!   characters together. It is an error if the ids of a template's targets take more than
//!   `WorldOptions::max_expanded`.
//! - <a id="wires.name-when-fired"></a>`Named` is looked up in the manager when the wire fires; a mnemonic and a
//!   group are looked up when the message is delivered.
//! - <a id="wires.name-of-several"></a>If several messagees have the name that a wire posts to, the wire posts to each.
//!   Those of a file come in the order of the file, and those of the manager in the order of `find`.
//! - <a id="wires.family"></a>`Parent`, `Children` and `Siblings` are those of the wire's messagee at the time when the
//!   wire fires.
//! - <a id="wires.activator"></a>`Sender` is the sender of the message that the wire has received. `Activator` is the
//!   sender of the message that began the chain of wires, even if wires of the chain post with delays. A message that a
//!   handler sends or posts begins a new chain.
//! - <a id="wires.pass-on"></a>A wire that sends `It` posts a copy of the message that it has received.
//! - <a id="wires.fill"></a>A field of the posted message that is written as `It("path")` gets the value of that field
//!   of the received message. The types of both fields have to agree, which is checked when the wire is made.
//! - <a id="wires.conditions"></a>A wire fires only if each of its conditions holds for the received message. It does
//!   not count as fired otherwise. A condition that could never hold is an error when the wire is made. Values are
//!   equal if the field's type reads them as the same value; integers are compared exactly.
//! - <a id="wires.left-out"></a>For a wire, an option that serde leaves out of a received message is `None`. A
//!   condition on another field that serde leaves out, or `It` with its path, is an error when the wire is made.
//! - <a id="wires.header"></a>A wire can post with any setting of a header except the recipient: delay, period,
//!   deliveries, stage and so on. Contradictions between them are errors when the wire is made.
//! - <a id="wires.key"></a>The key of a wire's post belongs to the wire's messagee, like a key of its handlers.
//! - <a id="wires.cancel"></a>A wire can cancel what its messagee has pending under a key, instead of posting.
//! - <a id="wires.times"></a>A wire fires as many times as it specifies, then ends.
//! - <a id="wires.ended-by-number"></a>A wire ends with its messagee. It can be ended, disabled and enabled by
//!   its number.
//! - <a id="wires.in-handler"></a>Handlers can make, enable, disable and end wires. A wire that is made in a handler
//!   fires for messages that are sent after the outermost send has returned; the other changes take effect at once.
//! - <a id="wires.impossible-refused"></a>A wire that could never post is rejected. The error says what was
//!   expected, and has the place in the file or of the call.
//! - <a id="wires.dead-letter"></a>A message that a wire cannot post becomes a dead letter, and is reported. The reason
//!   can be that there is nobody at its target, that its target is the sender of a message from outside, that a value
//!   of the received message does not fit, or a limit.
//! - <a id="wires.cost"></a>Only message types that wires wait for cost more. Other types, and a manager without wires,
//!   pay nothing.
//!
//! # Saves
//!
//! With the crate `message-data`. The format is that of `message_data::save_format`.
//!
//! - <a id="saves.goes-on"></a>A restored manager continues as the saved one would have. It delivers the same messages
//!   in the same order at the same times, and the next ids have the same slots and generations.
//! - <a id="saves.save-of-restored"></a>A save of a restored manager is equal, byte by byte, to the save that it
//!   was restored from.
//! - <a id="saves.saved"></a>A save contains the components in storage order, enabled flags, hooks in their
//!   order, families, names, and mnemonics and groups in their order. It contains the clock, the pending messages
//!   with all settings of their headers, the retained messages and whom they reached, and the published messages.
//!   It contains overhearing, with the messages that wait for a stage and the retained messages that it has
//!   missed; wires; and the counts of failures and dead letters.
//! - <a id="saves.not-saved"></a>A save does not contain subscriptions with closures, traces, the inlet, the
//!   configuration, or places in the source. After a restore, messages posted before the save have the place of the
//!   call of `restore`.
//! - <a id="saves.ids-inside"></a>Ids and tickets inside components and messages refer to the same things in the
//!   restored manager as in the saved one.
//! - <a id="saves.subscription-ids"></a>An overhearing has the same subscription id after a restore. If the program
//!   makes the subscriptions with closures again in the same order, they have the same ids, too.
//! - <a id="saves.foreign-id"></a>An id of another manager cannot be saved.
//! - <a id="saves.mail-retention"></a>The retention of mail is saved for each type, including types without data.
//! - <a id="saves.types-without-data"></a>If types without data are present, saving fails. The error lists all of them,
//!   each with a count.
//! - <a id="saves.left-out"></a>Whatever is left out of a save is missing afterwards. A component that was left
//!   out has been unhooked.
//! - <a id="saves.restored-told"></a>When everything is in place, each component receives `lifecycle::Restored` once,
//!   and not [`Hooked`](crate::lifecycle::Hooked).
//! - <a id="saves.settled"></a>Before a manager is saved, the work that a panic has left behind is carried out.
//! - <a id="saves.unknown-type"></a>A type that the program does not have is noted and skipped, with its components,
//!   hooks and messages. A field that a type does not have is skipped as well.
//! - <a id="saves.earlier-version"></a>Values of an earlier version are upgraded when a save is restored.
//! - <a id="saves.newer-version"></a>A newer version of a type or of the format is an error that names both
//!   versions.
//! - <a id="saves.damaged"></a>A save that is cut off, damaged or made up is rejected with the place of the
//!   error, or yields a manager. It never causes a panic, and takes no more memory than a multiple of its own
//!   length. A rejected save creates nothing.
//! - <a id="saves.error-names"></a>If a value cannot be read, the error names its type and the field, and for a
//!   component also the messagee.
//! - <a id="saves.to-file"></a>`save_to` writes a file that is complete or, after a failure, the one from before.
//!
//! # Snapshots
//!
//! - <a id="snapshots.goes-back"></a>[`rewind`](crate::MessageManager::rewind) takes a manager back to a
//!   [snapshot](crate::Snapshot), in place. This includes components and whether they are enabled, families, names,
//!   mnemonics, groups and the clock. It includes messages that are pending, retained, published, or waiting for the
//!   stage of a subscriber. It also includes wires, overhearing, and the counts of failures and dead letters.
//! - <a id="snapshots.same-again"></a>After a rewind, the same calls lead to the same deliveries and the same state, and
//!   give out the same ids and tickets.
//! - <a id="snapshots.ids"></a>An id, hook or ticket from before the snapshot means the same as then. One that was
//!   given out since refers to nothing until it is given out again, perhaps for something else.
//! - <a id="snapshots.any-order"></a>A manager can go back to any of its snapshots, any number of times, and forward
//!   from one to a later one.
//! - <a id="snapshots.unannounced"></a>A rewind sends no messages: nothing that it removes or brings back is announced.
//! - <a id="snapshots.clone"></a>Components and messages are cloned. [`#[handlers]`](macro@crate::handlers) and the
//!   derive of a message find out whether the type is `Clone`; [`cloned!`](crate::cloned!) declares it for other types.
//! - <a id="snapshots.not-cloned"></a>Taking a snapshot fails if a component, or a message that is pending, retained,
//!   published or waiting for a stage, is not known to be `Clone`. The error names the type, and the messagee or
//!   recipient of the first such value. Nothing is changed, and an earlier snapshot that was to be replaced stays.
//! - <a id="snapshots.clone-panics"></a>If a `Clone` panics, a rewind has changed nothing, and the snapshot that was
//!   being taken is empty.
//! - <a id="snapshots.drop-panics"></a>A rewind drops the values that it replaces one by one. The first panic of a
//!   `Drop` propagates when all have been dropped.
//! - <a id="snapshots.subscriptions-back"></a>A rewind ends the subscriptions that were made since the snapshot, and
//!   brings back those that have ended since. Those that were paused or resumed since are again as they were.
//! - <a id="snapshots.closures-kept"></a>As long as a snapshot with a subscription exists, the closure of the
//!   subscription is not dropped, even if the subscription ends. Once no such snapshot is left, taking the next
//!   snapshot drops the closure.
//! - <a id="snapshots.captures-stay"></a>The values that closures have captured are not rewound.
//! - <a id="snapshots.outside-stays"></a>A rewind does not affect the messages in the [inlet](crate::MessageManager::inlet)
//!   and its handles, cursors outside the manager, traces, the counts of unhandled sends, and the carrier. The carrier is
//!   notified of the messagees that are gone. A proxy that is back leads to nobody if the carrier has forgotten it.
//! - <a id="snapshots.settled"></a>Before a snapshot is taken, and before a rewind, the work that a panic has left behind is
//!   carried out.
//! - <a id="snapshots.own"></a>A rewind to a snapshot of another manager, or to an empty one, is an error.
//! - <a id="snapshots.memory"></a>Taking a snapshot in place of an earlier one of the same state reuses its memory: it
//!   allocates less than a tenth of what the earlier one took.
//! - <a id="snapshots.not-logged"></a>A log cannot repeat a rewind: it is marked as impure there, and the manager
//!   [reports](crate::report::Report::NotLogged) that.
//!
//! # Proxies
//!
//! With the crate `message-net`: see `message_net::proxy`. Its nodes transport the messages sent to them. Any other
//! [carrier](crate::carrier) decides itself where messages wait.
//!
//! - <a id="proxies.stands-for"></a>A proxy is a messagee that represents a messagee of another manager. Like any other
//!   messagee, it has a name, mnemonics, groups and a family, but it has no components.
//! - <a id="proxies.written-to-outbox"></a>A message sent to a proxy, whatever its recipient is, is written to the
//!   proxy's outbox as bytes, with its sender and the ids in it. It is written after the addressed components of this
//!   manager have received it, with their changes, and before a subscriber hears it.
//! - <a id="proxies.counts"></a>A proxy counts as a receiver.
//! - <a id="proxies.consumed-before"></a>A message that is consumed before it reaches the proxy is not written.
//! - <a id="proxies.everyone-is-here"></a>`Everyone` refers to this manager only.
//! - <a id="proxies.post-to-id"></a>A post to the id of a proxy is written at once, with its header. Stage, delay
//!   and conditions apply on the other side, and the ticket cancels nothing.
//! - <a id="proxies.post-to-many"></a>A post to a group, a family or a mnemonic of a proxy waits in this manager.
//! - <a id="proxies.by-position"></a>An outbox opened by position contains a message without its field names if
//!   the message is a struct that writes exactly the fields that it reads from a list. A save has the names.
//! - <a id="proxies.elsewhere"></a>A request or an in–out message that would reach a proxy, and mail to a proxy, fail
//!   with [`Elsewhere`](crate::Absence::Elsewhere) before anyone receives the message.
//! - <a id="proxies.mail-to-many"></a>Mail to a group or a family is only for the messagees of this manager; proxies
//!   are left out.
//! - <a id="proxies.unwritable"></a>A message to a proxy alone that cannot be written to its outbox fails with
//!   [`NotCarried`](crate::SendErrorKind::NotCarried). The reason is [`Backlog`](crate::error::CarryError::Backlog) if
//!   the outbox is full, [`Unreachable`](crate::error::CarryError::Unreachable) if it is blocked or closed, and
//!   [`NotWritten`](crate::error::CarryError::NotWritten) if the message cannot be written as bytes.
//! - <a id="proxies.foreign-id"></a>A message that contains an id of a third manager cannot be written for a proxy.
//!   The error names the message and the id.
//! - <a id="proxies.unreached"></a>If a message cannot be written to the outbox of a proxy that is one of several
//!   receivers, the others receive the message. [`Receipt::unreached`](crate::Receipt::unreached) counts the proxy, and
//!   a dead letter to the proxy has the error.
//! - <a id="proxies.not-relayed"></a>Messages whose sender is a proxy are not forwarded to proxies. Sent to a proxy
//!   alone, such a message fails with [`NotRelayed`](crate::error::CarryError::NotRelayed); among several receivers,
//!   proxies are skipped.
//! - <a id="proxies.tell-undelivered"></a>With `tell_undelivered`, a message that did not arrive becomes a dead
//!   letter with the reason.
//! - <a id="proxies.carrier-saved"></a>The state of a `SavedCarrier`, and its proxies, are saved with the manager.
//! - <a id="proxies.saved"></a>Outboxes, proxies and waiting messages are saved and logged. `outboxes` and
//!   `proxies` find them again.
//! - <a id="proxies.traced"></a>A trace has an event for each message that is written for a proxy.
//! - <a id="proxies.carrier"></a>A manager has at most one [`Carrier`](crate::carrier::Carrier). The manager passes it
//!   each message to a proxy, with the destination of the proxy, and the end of each messagee. The outboxes of
//!   `message_net::proxy` are such a carrier.
//!
//! # Worlds across machines
//!
//! With the crate `message-net`.
//!
//! - <a id="net.between-frames"></a>Before a frame, a node delivers what has arrived, as sends and posts in the
//!   names of proxies. After a frame, it hands out the messages that were sent to proxies.
//! - <a id="net.no-callback"></a>No code of a node runs inside a send, and no other thread calls into the
//!   manager.
//! - <a id="net.in-order-once"></a>For each pair of messagees, messages are received in the order sent, and none
//!   is received twice.
//! - <a id="net.short-cut"></a>Nothing is lost while the link is up, nor during a cut that is shorter than the
//!   resend window.
//! - <a id="net.long-cut"></a>After a cut that is longer than the resend window, or after a node was restarted, lost
//!   messages other than questions are counted and reported. For each message that was sent, the sending world learns
//!   that it was received, why it is a dead letter, or that it may be lost.
//! - <a id="net.ids-mean-the-same"></a>An id in a message refers to the same messagee on both sides. So does the
//!   sender.
//! - <a id="net.foreign-id"></a>A question or an answer that contains an id of a third manager is an error for the
//!   messagee that asked.
//! - <a id="net.reachable-by"></a>A messagee can be reached only by nodes that have imported it, or that have received
//!   a message from it or with its id.
//! - <a id="net.import-twice"></a>Two imports of one name yield one proxy.
//! - <a id="net.proxy-ends"></a>A proxy ends when its messagee does, and when its node leaves, is restarted or is
//!   forgotten.
//! - <a id="net.forgotten"></a>A node that has said goodbye is forgotten at once, and one that has gone without a
//!   goodbye after a time; nothing of it stays. There is room for any number of nodes, one after the other.
//! - <a id="net.waiting-dead-letter"></a>Messages that wait for a node when it goes, and messages that a node refuses,
//!   become dead letters of the sender, with the reason. This holds even if the proxy or the sender has ended.
//! - <a id="net.refusal-lost"></a>The notice that a message was refused can itself be lost in a long cut. The message
//!   then counts as lost, and everyone is notified of the number of such messages when the nodes meet again.
//! - <a id="net.accepts"></a>A node accepts the message types that its configuration names, from the senders that
//!   it names.
//! - <a id="net.malformed"></a>Input that is malformed, too long, too frequent or not accepted is refused, counted and
//!   reported. It never causes a panic.
//! - <a id="net.bounded"></a>What a node keeps for another node is bounded: proxies, names, waiting posts, and unread
//!   answers.
//! - <a id="net.message-memory"></a>The memory that a message or an answer takes when it is read is bounded, and so is
//!   that of the pending posts of a node. A message that takes more is refused.
//! - <a id="net.bounded-together"></a>What a node keeps for all other nodes together is bounded, too. Nodes without a
//!   session share a small part of that room and the frames of one node, so they keep no other node out.
//! - <a id="net.per-receive"></a>A node reads a limited number of bytes and frames at once; the others wait in the link
//!   and come next. While any of them wait, no other node counts as silent. After a frame that was longer than the time
//!   after which a node is silent, no node counts as silent either, unless the frame before was as long.
//! - <a id="net.identity"></a>Only numbers that a node has issued, and that another node has sent back, decide about a
//!   session. If a stranger makes up frames under the name of a node, these do not end its session and hide no loss.
//!   They do not keep the node out once the stranger has left.
//! - <a id="net.refused-hello"></a>A node has no session with a run of another node if it cannot accept the list of
//!   types of that run. Both worlds are notified that the other node is down, with the reason.
//! - <a id="net.sender-node"></a>A handler can find out which node the sender of a message is on, also in a replay and
//!   in a restored world.
//! - <a id="net.per-sender"></a>The configuration can limit how many messages of each sender are delivered before a
//!   frame. Further messages are refused.
//! - <a id="net.causes"></a>If the managers on both sides are traced, the cause of a message from another node is a
//!   send on that node. `explain` shows the number, the node and the source line of that send. A message from a manager
//!   that is not traced has no cause, and spends no byte on one.
//! - <a id="net.answers-lead-back"></a>If the managers on both sides are traced, the cause of an answer from another node is
//!   the delivery there that has answered or failed: `explain` names its number, its node and frame, and the handler's
//!   line of source. It goes on to the send of the question.
//! - <a id="net.dead-letters-lead-back"></a>The cause of a dead letter for a message to another node is the send of the
//!   message. If that node has refused it, `explain` names the node, the frame there and the reason.
//! - <a id="net.trace-context"></a>If the events of both managers are emitted with the ids of Trace Context, everything
//!   that a message leads to on another node belongs to the trace of the message.
//! - <a id="net.endless-post"></a>When the run of a node ends, its posts that are pending on other nodes end too, and
//!   become dead letters. The configuration of such another node can let those stay that do not repeat forever.
//! - <a id="net.shared-key"></a>A post from another node with a shared key is refused.
//! - <a id="net.no-false-refusal"></a>A node cannot refuse more messages than it was sent, nor answer questions
//!   that it was not asked.
//! - <a id="net.import-renamed"></a>An imported messagee that loses its name keeps its proxy; the name leads
//!   to the next one.
//! - <a id="net.shapes-compared"></a>When nodes meet, the shapes of their message types are compared. A type that
//!   cannot be read is refused, naming both shapes; the other types work.
//! - <a id="net.by-position"></a>Between equal shapes, a message is sent without its field names. If the shapes differ,
//!   it is sent with them, and a message that comes without them is refused.
//! - <a id="net.sessions"></a>A node keeps sessions with the nodes that its configuration names; by default, with
//!   all nodes.
//! - <a id="net.left-out"></a>A node that is left out of the sessions is notified once, and nothing is imported
//!   from it.
//! - <a id="net.one-answer"></a>A question to a proxy has one answer: the reply, or the reason why there is none.
//! - <a id="net.answered"></a>The answer to a question to a proxy is delivered to the asker as an `Answered`, at
//!   the latest when the time limit has passed.
//! - <a id="net.node-told"></a>Everyone is notified when a node has come or gone.
//! - <a id="net.watched-told"></a>Those who watch a proxy are notified when it cannot be reached, is back, or has
//!   ended. If its node leaves, they are only notified of the end.
//! - <a id="net.group-spans"></a>A group that is exported by several nodes spans them. A message sent to it reaches the
//!   local members, then those of each other node in the order there.
//! - <a id="net.logged"></a>Everything that a node delivers is an input of the log, even if the node is attached
//!   after the log began: a replay needs no network.
//! - <a id="net.one-node"></a>A manager has one node. Attaching another one is an error that names both, until
//!   the first is detached or dropped.
//! - <a id="net.saved"></a>A save of a world with a node contains its proxies and the messages that wait for
//!   other nodes. The node itself belongs to the run.
//! - <a id="net.restored"></a>When a new node is attached to a restored world, it ends the proxies, and notifies those
//!   who watched or asked them. Waiting messages become dead letters.
//! - <a id="net.panic"></a>A handler may panic while it is notified of a node, an end or a dead letter. All
//!   others are still notified, and the node completes its work, before the first panic propagates.
//! - <a id="net.intercepted"></a>An interceptor can change or consume messages from another node like local ones.
//!   A consumed message counts as received.
//!
//! # Rooms
//!
//! With the crate `message-rooms`: see `message_rooms::Rooms`. Its proxies are those [above](#proxies), with these
//! differences.
//!
//! - <a id="rooms.names"></a>Each room has a name of its own. Adding a room with the name of another one fails with
//!   `RoomError::Twin`, which has the name and the other room.
//! - <a id="rooms.frame"></a>A frame first delivers what has arrived in each room, and then calls `tick`, or the
//!   program's own function, once for each room.
//! - <a id="rooms.same-result"></a>The result does not depend on the number of threads.
//! - <a id="rooms.next-frame"></a>A message to a proxy arrives when the next frame begins. Messages from the first room
//!   come first, then those from the second, and so on, each room's in the order sent.
//! - <a id="rooms.one-proxy"></a>In each room, one proxy represents a messagee of another room. `proxy` returns the
//!   same one again while it is alive.
//! - <a id="rooms.header"></a>The header of a post to a proxy applies in the other room, including its key. A header
//!   with `until_unhooked` fails with [`NotCarried`](crate::SendErrorKind::NotCarried).
//! - <a id="rooms.reply"></a>The sender of a message from another room is the sender's proxy in this room. A reply to
//!   it arrives when the next frame begins.
//! - <a id="rooms.outside"></a>If a message was sent to a proxy from outside, its sender in the other room is a proxy,
//!   too, but nothing can be sent to that proxy.
//! - <a id="rooms.ids"></a>Ids in messages are translated: the receiver gets the id that each messagee has in its room,
//!   or that of its proxy.
//! - <a id="rooms.carried"></a>A message of a type that `carried!` lists is cloned, unless it may contain ids. Any
//!   other message is written as data. If its type has no data, the send fails with
//!   [`NotWritten`](crate::error::CarryError::NotWritten).
//! - <a id="rooms.groups"></a>A message to a group also reaches members in other rooms whose proxies have joined it. If
//!   the group spans the rooms, the message reaches all members in all rooms.
//! - <a id="rooms.ends"></a>When a messagee has ended, its proxies end in the next frame, after the messages that it
//!   has sent were delivered.
//! - <a id="rooms.dead-letters"></a>A message that cannot be delivered in the other room becomes a dead letter in the
//!   sender's room, one frame later.
//! - <a id="rooms.panics"></a>If a room panics in its frame, the error names the room. The rest of its messages are
//!   delivered, the other rooms finish the frame, and all rooms can continue.
//! - <a id="rooms.moves"></a>A messagee that moves to another room takes along its components in their order, whether they
//!   are enabled, its name, its groups and its mnemonics. Ids in its components are translated.
//! - <a id="rooms.moves-posts"></a>The pending messages to it and to its components move along, with the time that is left.
//!   Those that it has posted to others stay, and its proxy is their sender. A message that a wire has posted keeps its
//!   `Activator`.
//! - <a id="rooms.moves-left"></a>Its old id is gone, and everyone in the room that it has left receives `Moved`. In
//!   that room, its proxy is bound to its mnemonics and takes its place in the family. A proxy that is among its
//!   ancestors keeps its own parent.
//! - <a id="rooms.moves-followed"></a>Its proxies in all rooms follow it, and messages under way to it arrive.
//! - <a id="rooms.moves-refused"></a>If a component or a pending message cannot be written, the move fails with an
//!   error that lists the types. It also fails if another messagee in the new room is bound to one of its mnemonics.
//!   Nothing has changed then.
//! - <a id="rooms.moves-asked"></a>A handler requests a move by sending `MoveTo` to `ROOMS`. It takes place before the
//!   next frame. If it fails, the request becomes a dead letter.
//! - <a id="rooms.ask"></a>A question to a proxy, asked with `ask`, arrives like a message. Its answer, an `Answered`,
//!   arrives one frame later, and ids in it are translated.
//! - <a id="rooms.ask-unanswered"></a>If the messagee has ended, if nobody there answers, if a handler fails or panics, or if
//!   the time limit has passed, the asker receives an `Answered` with the reason. An answer that comes later is dropped.
//! - <a id="rooms.ask-moved"></a>A question follows a messagee that moves to another room, and the answer follows one that
//!   has asked. The rooms give out different tickets.
//! - <a id="rooms.digest"></a>A digest of the rooms contains the digest of each of them, their proxies, and the messages
//!   between them.
//! - <a id="rooms.log"></a>The log of a room contains what comes from other rooms, so it can be replayed without them.
//! - <a id="rooms.journal"></a>Rooms with a journal that are opened again, also after their process was killed, are as they
//!   were after the last complete frame: all of them, and the messages between them. A message without data cannot leave
//!   such a room.
//!
//! # Required receivers and dead letters
//!
//! - <a id="required.not-received"></a>With `require(n)`, it is a failure if fewer than `n` receivers that are not
//!   hidden receive the message. A message that is delivered at once then fails with
//!   [`NotReceived`](crate::SendErrorKind::NotReceived); a posted one becomes a
//!   [`DeadLetter`](crate::lifecycle::DeadLetter).
//! - <a id="required.busy-count"></a>Busy receivers count towards the number that `require(n)` asks for.
//! - <a id="required.at-least"></a>[`Receipt::at_least`](crate::Receipt::at_least) makes the same check on a
//!   receipt that `require(n)` makes on a send.
//! - <a id="required.by-default"></a>[`ManagerConfig::require`](crate::ManagerConfig::require) sets the number of
//!   receivers that is required if the header does not say. It applies to messages to one messagee: by id, `Me` or a
//!   mnemonic.
//! - <a id="required.default-exempt"></a>`ManagerConfig::require` does not apply to messages to many recipients,
//!   requests, or the manager's own messages.
//! - <a id="required.dead-letter-told"></a>A dead letter is sent to everyone right after the failure, with the envelope
//!   of the message and the reason (see [`Undelivered`](crate::error::Undelivered)). It contains the message, unless
//!   the message is still needed: because it repeats and is not `Clone`, or because somebody receives it later.
//! - <a id="required.cancelled"></a>A cancelled message does not become a dead letter.
//! - <a id="required.lost"></a>If a message was kept for components that then leave, are disabled or panic, it
//!   becomes one dead letter when the outermost send ends: [`Lost`](crate::error::Undelivered::Lost). The dead
//!   letter names each of these components with the reason, and counts those that received the message. A
//!   component that overhears counts unless it is hidden. A send that required receivers has returned by then, so
//!   only the dead letter reports the loss.
//! - <a id="required.lost-whole"></a>A message can wait as a whole: for an interceptor, or for a newborn or a new
//!   component that it was sent to alone. It is then delivered like a post that is due. If its recipient is leaving, it
//!   becomes a dead letter; if it hits a limit, the dead letter has the error.
//! - <a id="required.not-lost"></a>A message that a busy receiver misses because somebody consumed it does not become a
//!   dead letter. Neither does a message that a subscription misses because it ended, was paused, or was `once`. The
//!   same holds for messages that were posted with `if_alive`, retained messages that are forgotten, messages that are
//!   dropped with the manager, and the manager's own messages that were kept.
//!
//! # Failures
//!
//! - <a id="failures.untold-reported"></a>A failure that nobody is notified of is reported. Such failures are a handler
//!   that returns an error; a panic under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook); and a dead letter if
//!   receivers were required or a limit was hit. So is a message that [could not be kept](#failures.not-kept), if its
//!   sender ignores the error.
//! - <a id="failures.told"></a>Somebody has been notified of a failure if a component, a subscriber or an
//!   interceptor, hidden or not, has received the [`HandlerFailed`](crate::lifecycle::HandlerFailed),
//!   [`HandlerPanicked`](crate::lifecycle::HandlerPanicked) or [`DeadLetter`](crate::lifecycle::DeadLetter). A
//!   handler that declines it has not been notified.
//! - <a id="failures.not-kept"></a>Whether a message that could not be kept is a failure of its own is decided once,
//!   when the outermost send ends. It is not if a handler has failed in that send, before or after, or if a dead letter
//!   was made that is reported when nobody receives it. Several such messages in one outermost send count as one
//!   failure.
//! - <a id="failures.report-to"></a>[`ManagerConfig::report_to`](crate::ManagerConfig::report_to) selects where
//!   reports go: to stderr, nowhere, or to a function or a closure.
//! - <a id="failures.repeats-counted"></a>By default, the first report of each kind is printed in full, with
//!   place and chain. Repeats are counted; the second, fourth, eighth and so on is printed with its reason, and
//!   the totals are printed when the manager is dropped.
//! - <a id="failures.tracing"></a>`warn` of the crate `message-trace`, given to `report_to`, emits each report as a
//!   `WARN` event of the crate `tracing`.
//! - <a id="failures.reported-when"></a>A report is made when the outermost send returns. No handler is running
//!   then.
//! - <a id="failures.report-panics"></a>A panic of the function that receives reports propagates to the caller.
//! - <a id="failures.receipt-outside"></a>The receipt of a send from outside counts the failures of everything that the
//!   send has led to, including kept messages.
//! - <a id="failures.receipt-in-handler"></a>The receipt of a send in a handler counts only the failures of its own
//!   deliveries.
//! - <a id="failures.frame-report"></a>[`FrameReport::failures`](crate::FrameReport::failures) counts the
//!   failures of a frame.
//! - <a id="failures.request-source"></a>The source of a request's error is the error of the first handler that
//!   failed.
//! - <a id="failures.unused-messages"></a>[`unused_messages`](crate::Inspect::unused_messages) returns the message
//!   types that have no handler in the program, and that nobody in this manager has subscribed to, has published, or
//!   has read the mailbox of. A subscription to all types does not count.
//!
//! # Messages that nobody handles
//!
//! - <a id="unhandled.counted"></a>[`unhandled`](crate::Inspect::unhandled) counts each send, `send_mut` and request,
//!   and each post when it is due, if all of these hold. Its recipient is one existing messagee, by id, `Me` or a
//!   mnemonic. None of the messagee's components has a handler for the message type. No listener has received the
//!   message.
//! - <a id="unhandled.not-counted"></a>Messages to `Everyone`, `EveryoneElse`, a group, `Up`, `Down` or a hook do
//!   not count. Neither do messages that are retained, published, refused, sent to a proxy, or sent by the
//!   manager itself.
//! - <a id="unhandled.has-handler"></a>A component with a handler handles the message even if it is disabled, declines
//!   it or fails.
//! - <a id="unhandled.listeners"></a>A subscriber that receives the message or waits for it, and an interceptor that
//!   consumes it, have received it. A hidden subscriber and one that declines have not.
//! - <a id="unhandled.entries"></a>There is one entry for each message type and list of component types in hook order.
//!   It has the number of sends, the place of the last one, and up to three component types of the program that would
//!   handle the message, sorted by name. Entries are sorted by message, then by components.
//! - <a id="unhandled.reset"></a>[`reset_unhandled`](crate::MessageManager::reset_unhandled) forgets all entries. They
//!   are not saved.
//! - <a id="unhandled.frame-report"></a>[`FrameReport::unhandled`](crate::FrameReport::unhandled) counts the sends of
//!   a frame, whether entries were forgotten or not.
//! - <a id="unhandled.report-once"></a>If [`report_unhandled`](crate::ManagerConfig::report_unhandled) is set,
//!   the first send of each entry is reported when the outermost send ends, once until the next reset.
//!
//! # Mailboxes
//!
//! - <a id="mail.next-frame"></a>Messages published in one frame are available in the next, all at once. Until then,
//!   [`published`](crate::MessageManager::published) shows them.
//! - <a id="mail.before-first-frame"></a>Messages published before the first frame are available in the first.
//! - <a id="mail.no-receiver"></a>No handler, subscriber or interceptor receives published messages.
//! - <a id="mail.chosen"></a>Letters are selected by recipient, sender and the tags of their type, in any
//!   combination, and with iterator adaptors. They come in the order published.
//! - <a id="mail.last-choice-counts"></a>If both `to` and `reaching` are called, the last call wins.
//! - <a id="mail.to-id"></a>`to` with an id selects messages that were published to that messagee alone: by id,
//!   `Me`, or a mnemonic that was bound to it when they were published.
//! - <a id="mail.to-mnemonic"></a>`to` with a mnemonic refers to the messagee that the mnemonic is bound to now.
//! - <a id="mail.to-many"></a>`to` with `Everyone`, a group, `Up` or `Down` selects messages that were published
//!   to exactly that recipient.
//! - <a id="mail.to-hook"></a>A message published to a hook is for the hook's messagee, with the hook as its
//!   recipient. `to` with a hook selects messages that were published to exactly that hook.
//! - <a id="mail.family-of-mnemonic"></a>`Up` and `Down` of a mnemonic refer to the family of the messagee that
//!   it is bound to, both when the mail is published and when it is read.
//! - <a id="mail.reaching"></a>`reaching` a messagee selects the messages that a send would have delivered to it. These
//!   are its own mail, and mail to everyone, to everyone else unless it is the sender, to its current groups, and to
//!   its current family by `Up` and `Down`.
//! - <a id="mail.inbox-any"></a>[`inbox_any`](crate::MessageManager::inbox_any) returns messages of all types together,
//!   in the order published.
//! - <a id="mail.boxed"></a>A message that is published in a box is in the mailbox of its type. It is found, counted
//!   and retained like a message that is published as its own type.
//! - <a id="mail.publish-each"></a>`publish_each` publishes messages to one recipient, each as `publish` would,
//!   in iterator order, until the first error.
//! - <a id="mail.publish-each-stops"></a>Messages that `publish_each` has published before an error, or before
//!   the iterator panics, stay published.
//! - <a id="mail.writer"></a>A [`MailWriter`](crate::MailWriter) publishes messages to one recipient, each as
//!   `publish` would. The place of its letters is that of the call that made the writer. Its letters stay
//!   published, whatever happens to the writer.
//! - <a id="mail.writer-checks"></a>The call that makes a writer returns an error if nothing can be published to
//!   the recipient. If there is no room for a message, the call that publishes the message fails.
//! - <a id="mail.read-alike"></a>Reading works the same in handlers and outside.
//! - <a id="mail.unchanged-in-frame"></a>A handler can send and publish while it reads: the readable messages do
//!   not change during a frame.
//! - <a id="mail.errors"></a>Publishing to a messagee that is gone, to an unbound mnemonic, or to `Me` and
//!   `EveryoneElse` from outside is an error, as for a send.
//! - <a id="mail.stays"></a>A letter stays when its messagee or its sender is gone, and is never for a newcomer in that
//!   slot.
//! - <a id="mail.desk"></a>From outside, a [`Desk`](crate::Desk) can read and publish mail and change components
//!   at the same time.
//! - <a id="mail.desk-order"></a>Messages published while others are being read keep the order in which they were
//!   published.
//! - <a id="mail.desk-borrows"></a>A `Desk` borrows each component separately, whatever its handlers are. Borrowing one
//!   that is already borrowed fails with [`Busy`](crate::MessageeError::Busy). An iteration over all components of the
//!   type panics at a borrowed one instead of skipping it.
//! - <a id="mail.retention"></a>Retention is set for each message type: a message published in frame f is
//!   available in frames f + 1 to f + retention. Without a setting, it is available for one frame.
//! - <a id="mail.inbox-is-last-frame"></a>`inbox` contains the messages published in the last frame. Older
//!   messages are read with a cursor.
//! - <a id="mail.fixed-once"></a>In a pass of `FixedUpdate`, `inbox` contains the messages published from the frame of
//!   the last such pass up to the last frame. So a handler that reads in every pass finds each message once, whether a
//!   frame has no pass, one or several. A pass that panics counts. With a retention of 0, nothing is found.
//! - <a id="mail.fixed-bound"></a>Messages are kept for a pass beyond their retention only if a handler read their type
//!   in the last pass, or while time advances toward the first pass. Reading in a subscriber keeps nothing, because
//!   subscribers are absent from a replay: it finds what is kept for handlers, and the last frame. At most
//!   [`max_published`](crate::ManagerConfig::max_published) messages are kept; the oldest are dropped first. They are
//!   not found outside passes.
//! - <a id="mail.cursor"></a>A [`Cursor`](crate::mailbox::Cursor) continues where it stopped, over all retained frames,
//!   and counts the messages that were dropped in between.
//! - <a id="mail.published-too"></a>[`published`](crate::MessageManager::published) with `with_inbox` contains the messages
//!   of the inbox, then those of this frame.
//! - <a id="mail.cursor-published"></a>With a cursor, `published` contains everything up to now that the cursor has not
//!   read. The cursor can stop within a frame, and continue there in the next.
//! - <a id="mail.cursor-new"></a>A new cursor has missed nothing. Neither has one that was last used with another
//!   manager.
//! - <a id="mail.full"></a>Publishing more than [`max_published`](crate::ManagerConfig::max_published) messages
//!   in a frame fails with [`Limit::Published`](crate::error::Limit::Published), and no accepted message is lost.
//! - <a id="mail.swap-cost"></a>The swap touches only message types that were published or that can be read.
//! - <a id="mail.dropped-once"></a>A letter is dropped once, when a frame begins. By then, every mailbox is already in
//!   its state for the new frame.
//! - <a id="mail.drop-panics"></a>If several letters of any types panic in `Drop`, all are dropped, and then the first
//!   panic propagates.
//!
//! # Other threads
//!
//! - <a id="threads.inlet"></a>[`manager.inlet()`](crate::MessageManager::inlet) returns a handle that can be
//!   cloned and used by several threads at once.
//! - <a id="threads.same-place"></a>All inlets of a manager lead to the same queue, even after the manager has
//!   moved to another thread.
//! - <a id="threads.delivered-when"></a>A message posted through an inlet is delivered when the manager's next
//!   frame begins, by `tick` or by `begin_frame`. This is after the clock has advanced and the mailboxes have
//!   swapped, and before `FixedUpdate`.
//! - <a id="threads.order"></a>The posts of each thread are delivered in the order in which it made them. Between
//!   threads, the only order is that in which posts reach the inlet.
//! - <a id="threads.without-stage"></a>A message in the inlet without a stage is delivered as an outermost send of its
//!   own, which is settled before the next.
//! - <a id="threads.with-stage"></a>A message in the inlet with a stage or a delay is posted when it is drained. Its
//!   stage is that of the same frame, and its delay counts from the beginning of the frame.
//! - <a id="threads.sender"></a>The sender of a message posted through an inlet is `Outside`, and its place is
//!   that of the posting call.
//! - <a id="threads.drain-ends"></a>Draining takes the messages that were in the inlet when it began. Messages
//!   posted meanwhile wait for the next frame: a thread that keeps posting cannot hold up a frame.
//! - <a id="threads.capacity"></a>The inlet holds [`inlet_capacity`](crate::ManagerConfig::inlet_capacity)
//!   messages, at least one, and takes memory only for those that wait in it.
//! - <a id="threads.full"></a>If the inlet is full, `try_post` fails with [`Full`](crate::InletError::Full).
//!   `post` waits for room, and fails with [`TimedOut`](crate::InletError::TimedOut) if there is none in time.
//! - <a id="threads.error-gives-back"></a>Every error of posting through an inlet returns the message.
//! - <a id="threads.cannot-wait"></a>Where no thread can wait (WebAssembly without threads, and
//!   `wasm32-unknown-unknown`), `post` fails with `TimedOut` at once if there is no room. So does `wait` if the answer
//!   is not there.
//! - <a id="threads.refused-at-once"></a>Messages that no manager would accept from outside are rejected at once, in
//!   the posting thread. These are messages to `Me` or `EveryoneElse`, with a header that is tied to the sender or
//!   contradicts itself, or of a type that is not in the registry.
//! - <a id="threads.dead-letter"></a>If delivery fails after the inlet has accepted a message, the message
//!   becomes a dead letter that contains it. With `if_alive`, a message in the inlet whose messagee or hook is
//!   gone when it is drained does not become a dead letter.
//! - <a id="threads.panic-while-drained"></a>After a panic while the inlet is drained, the remaining messages are
//!   left for the next frame, in order. Until then they take room in the inlet.
//! - <a id="threads.closed"></a>Once a manager is dropped, posting fails with
//!   [`Closed`](crate::InletError::Closed) for every thread, including those that wait for room.
//! - <a id="threads.dropped-once"></a>Messages that are still in the inlet are dropped with the manager, each
//!   once.
//! - <a id="threads.ask"></a>A question that is [asked](crate::Inlet::ask) through an inlet waits in the queue, and
//!   takes up room there, like a message. When it is drained, it is a request from outside, whose place is that of the
//!   asking call.
//! - <a id="threads.ask-settled"></a>The answer becomes available when everything that follows from the question is
//!   settled, and before the next message is drained.
//! - <a id="threads.ask-errors"></a>Every question gets an answer, or an [`AskError`](crate::AskError) with the reason
//!   why there is none. The recipient is gone, nobody has answered, or the manager has refused the question; the inlet
//!   is full, the manager was dropped, or a handler has panicked. A question does not become a dead letter.
//! - <a id="threads.ask-timeout"></a>Waiting for an answer ends at the timeout. The answer can still come later.
//! - <a id="threads.ask-dropped"></a>If the future of an answer is dropped, only the answer is lost. The question
//!   is delivered as if somebody were waiting.
//! - <a id="threads.ask-woken"></a>An answer or an error wakes the waker of the last poll once. No lock is held then.
//!
//! # Memory
//!
//! - <a id="memory.shrink-to-fit"></a>[`shrink_to_fit`](crate::MessageManager::shrink_to_fit) frees all memory that is
//!   not in use, and forgets the names of messagees that are gone. A few bytes remain for each slot that messagees,
//!   components and subscriptions have taken, so that stale ids stay stale.
//! - <a id="memory.reserve"></a>[`reserve`](crate::MessageManager::reserve) makes room for more messagees with the
//!   components of a bundle. Spawning them then does not move existing components.
//! - <a id="memory.kept-room"></a>Until `shrink_to_fit` is called, the memory that messagees, components and letters
//!   have used is kept for the next ones, however many frames need less.
//! - <a id="memory.changes-nothing"></a>`shrink_to_fit` changes nothing else: not which messages are delivered
//!   nor their order, not the id of the next messagee, not the storage order.
//! - <a id="memory.managers-gone"></a>A process keeps two bytes for each manager that is gone, at most 128 KiB in
//!   total.
//! - <a id="memory.dropped-once"></a>A manager that is dropped drops each component, message and closure once,
//!   beginning with those of the inlet.
//! - <a id="memory.drop-panics"></a>If several values panic in `Drop` when a manager is dropped, all are dropped,
//!   and then the first panic propagates. No panic propagates if the thread is already unwinding.
//!
//! # Logs and replays
//!
//! With the crate `message-data`: see `message_data::Replay`. The format is that of `message_data::log_format`.
//!
//! - <a id="logs.same-inputs"></a>The same inputs from outside, to the same program, lead to the same state, bit
//!   for bit. Addresses, threads, hash seeds and link order do not affect what is delivered.
//! - <a id="logs.hash-of-ids"></a>Ids hash the same in every manager.
//! - <a id="logs.start-log"></a>`Log::start` begins the log with the state as a save.
//! - <a id="logs.inputs-written"></a>Every input is written before it runs. Inputs are frames with their time in
//!   nanoseconds; sends, posts, publications and cancels, of the manager and of `speak_for`; and spawning, hooking and
//!   all other changes. The letters that a frame takes out of the inlet are inputs as well. So are the components that
//!   were borrowed mutably, written before the next input with the values that the borrow left.
//! - <a id="logs.is-replaying"></a>While inputs are repeated, `is_replaying` returns `true`, in handlers and subscribers as
//!   well.
//! - <a id="logs.not-in-replay"></a>A subscription with `not_in_replay` is not called while inputs are repeated. It does
//!   not count as a receiver.
//! - <a id="logs.settled"></a>Work that a panic has left behind is carried out before a frame begins. That is an input
//!   of its own, so a panic in it is repeated as well.
//! - <a id="logs.foreign-inputs"></a>A `LoggedInput` of another crate is written with its name, and a replay lets the
//!   crate repeat it. If the program does not know the name, the replay ends with an error.
//! - <a id="logs.sink"></a>An [`InputSink`](crate::input::InputSink) receives every input before it runs. This does not
//!   require the crate `message-data`.
//! - <a id="logs.handlers-not-written"></a>The actions of handlers are not written, because they happen again in a
//!   replay.
//! - <a id="logs.unwritable"></a>An input that cannot be written, because its type has no data or it is a closure,
//!   marks the log as impure, with the place of the call. So does a component that was borrowed mutably and cannot be
//!   written. A replay stops there with an error.
//! - <a id="logs.questions"></a>A question that another thread has [asked](crate::Inlet::ask) is an input. A replay
//!   asks it again in the same place, and the answer goes nowhere. Questions that other threads ask during a replay
//!   are dropped with [`Dropped`](crate::AskError::Dropped), as messages are.
//! - <a id="logs.replay"></a>A replay restores the first state of the log and repeats each input.
//! - <a id="logs.replay-panics"></a>A replay catches the panics of inputs. If the last input panics, the result
//!   contains the panic's message, and the manager is as the panic has left it.
//! - <a id="logs.places"></a>A log has the file, the line and the column of each call that leads to messages, and
//!   stores each of these places once. The trace of a replay shows them. A message of a wire that was made in the log
//!   has no line.
//! - <a id="logs.as-far-as"></a>After an error, `run_on` returns the manager in the state that the replay has reached.
//! - <a id="logs.until"></a>`until` goes to the state after a frame, right before the next one begins, forward or back.
//!   Going back starts from the last key frame before it.
//! - <a id="logs.back"></a>`back` goes back to the last key frame from before a frame, or to the first state of the log,
//!   and replays nothing.
//! - <a id="logs.key-frames"></a>Key frames are kept within a number of bytes: if they take more, every other one is
//!   dropped.
//! - <a id="logs.run-on"></a>`run_on` makes the manager of a replay an ordinary one, which receives from other threads
//!   and can be logged. The replay keeps its log, and can go to any frame again.
//! - <a id="logs.who-changed"></a>`who_changed` finds the last change of a field before the current place of the
//!   replay, and names the frame, the delivery or the call from outside, and its line. A change back to an earlier
//!   value counts. The end of the component does not, nor does a change that is undone within the same input.
//! - <a id="logs.flight-recorder"></a>A flight recorder keeps the inputs of at least the last n frames, but no more
//!   than twice as many, with the state before them. It keeps fewer if they take too many bytes, or if a log cannot
//!   repeat one of them. It writes them to a file on request, and when a panic drops the manager.
//! - <a id="logs.flight-copied"></a>While somebody takes the log of a flight recorder, the manager waits until at most
//!   128 KiB are copied, however long the log is.
//! - <a id="logs.digest"></a>A digest hashes the clock, the structure, the pending, retained and published
//!   messages, overhearing, wires, proxies, and each component type in storage order.
//! - <a id="logs.digest-ids"></a>Ids in a digest consist of slot and generation, without the manager.
//! - <a id="logs.digest-leaves-out"></a>A digest omits everything that has no data, and subscriptions with closures.
//! - <a id="logs.difference"></a>At each digest of the log, a replay compares the state. The first difference is an
//!   error that names the frame and the component type. It also names the messagee and the field if a second replay, or
//!   the recorded state, reveals them.
//! - <a id="logs.difference-between"></a>`Difference::between` returns the first difference between two managers: the
//!   part, and for a component also the messagee, and the field with both values.
//! - <a id="logs.restored"></a>A log begins with a save, so components receive `lifecycle::Restored` in a replay,
//!   but not in the recorded run. If the handlers of `Restored` have changed the state, and a replay or a sync
//!   test differs, the error names the part that they changed.
//! - <a id="logs.wrong-value"></a>A log whose checksums are right but whose inputs do not fit the program is rejected,
//!   and the error has the place. Examples are a component of another type, or a value that cannot be read. Such a log
//!   never causes a panic.
//! - <a id="logs.cut-off"></a>A log that is cut off in the middle of an input is replayed up to that input.
//! - <a id="logs.changed"></a>A log with a wrong checksum is rejected, and the error has the place. A log that was
//!   changed and has the right checksum is read as it is.
//!
//! # Journals
//!
//! With the feature `files` of the crate `message-data`: see `message_data::journal`.
//!
//! - <a id="journal.new"></a>Opening an empty folder, or one that is not there, makes a new manager.
//! - <a id="journal.recovers"></a>Opening a journal restores its newest state and repeats the inputs after it. The
//!   manager then is in the state that the same inputs lead to without a journal.
//! - <a id="journal.prepare"></a>The function that prepares a manager is called before inputs are repeated.
//! - <a id="journal.segments"></a>A new segment begins after a number of frames or bytes, when the next frame begins.
//!   It starts with the state at that time. Each segment is a log.
//! - <a id="journal.kept"></a>When a segment is complete and synced, older segments beyond the number to keep are
//!   removed.
//! - <a id="journal.flush"></a>Inputs are handed over to the operating system before each of them runs, when a frame
//!   begins, or in the first frame after a time, depending on the configuration. `flush` does so at once.
//! - <a id="journal.kill"></a>What was handed over survives the process, however it ends. An input that is incomplete at the
//!   end of the newest file is left out.
//! - <a id="journal.power-failure"></a>What was synced survives a power failure.
//! - <a id="journal.damage"></a>Damage before the end of the newest file is an error with the file, the place, and how
//!   far the journal can be recovered. A journal is never recovered to a state that never existed.
//! - <a id="journal.as-far-as"></a>The error of [damage](#journal.damage) contains the manager in the state that could
//!   be recovered.
//! - <a id="journal.accept-loss"></a>With `accept_loss`, the journal is recovered up to the damage.
//! - <a id="journal.damaged-state"></a>If the newest state is damaged, an older one is restored, and the inputs of all
//!   segments after it are repeated.
//! - <a id="journal.no-state"></a>If no state can be restored, opening fails and leaves the files as they are.
//! - <a id="journal.not-saved"></a>Opening fails if the manager cannot be saved.
//! - <a id="journal.input-not-logged"></a>An input that cannot be logged is reported at once, with its place, and
//!   counted in the report of the next frame. The next segment begins with the next frame, but no sooner than 60 frames
//!   after the last attempt.
//! - <a id="journal.full-disk"></a>A file that cannot be written is reported at once, and the status of the journal
//!   shows it.
//! - <a id="journal.goes-on-unlogged"></a>The manager then continues without the journal. Every 60 frames, the journal
//!   tries to begin a segment, and is complete again when it can. If only the state cannot be saved, the last segment
//!   continues.
//! - <a id="journal.stops"></a>With `stop_on_failure`, an input that cannot be logged panics instead of running. The
//!   manager accepts inputs again once a segment with its state has been synced; each frame that is requested tries
//!   that.
//! - <a id="journal.locked"></a>A journal that is open cannot be opened by another manager or process. The lock ends
//!   with the manager, the journal or the process, however that ends. On Unix, processes that it has forked hold the
//!   lock as well, until they end.
//! - <a id="journal.panics-again"></a>If the last input panics when it is repeated, the report says so, and the manager
//!   is as the panic has left it.
//! - <a id="journal.crash-loop"></a>With `skip_after(n)`, the last input is left out after n recoveries in a row that
//!   did not finish. If that input is a frame, the letters that it takes in are left out with it.
//!
//! # Seeing
//!
//! - <a id="seeing.numbers"></a>While a manager is traced, each send, post and publication has a number, and so
//!   has each delivery. A send records the number of the delivery that it was made in, and its place in the
//!   source.
//! - <a id="seeing.look"></a>A trace sink can look at the components before and after each call of a receiver.
//! - <a id="seeing.causes-go-along"></a>Numbers and causes are carried through busy queues, newborns, stages,
//!   delays, retention, mailboxes and the inlet.
//! - <a id="seeing.outside-no-cause"></a>Messages from outside have no cause.
//! - <a id="seeing.repeats-one-send"></a>All deliveries of a repeating message belong to the one send.
//! - <a id="seeing.posted-before"></a>A message posted before tracing began gets its number when it is delivered,
//!   and has no cause.
//! - <a id="seeing.numbers-go-on"></a>Each manager has its own numbers. They continue when tracing is switched on
//!   again.
//! - <a id="seeing.cause-of-change"></a>If a handler requests a change, its delivery is the cause of the change
//!   and of the manager's notifications about it. The cause of a `HandlerFailed` is the delivery that failed;
//!   that of a `DeadLetter` is the message that died.
//! - <a id="seeing.cause-of-letter"></a>Reading a mailbox is not a delivery. Inside `with_cause`, sends have the
//!   number of the letter as their cause. Afterwards, also after a panic, the cause is what it was before.
//! - <a id="seeing.cause-through-inlet"></a>If a handler got an inlet from its context, its delivery is the cause
//!   of the messages posted through that inlet.
//! - <a id="seeing.explain-chain"></a>`explain` shows the chain from the outermost cause to a delivery or a send:
//!   who sent what to whom, where and when, and who received it.
//! - <a id="seeing.explain-outcome"></a>`explain` shows what became of the last message: who received it and with
//!   what outcome, who was skipped and why, what it waits for, why it was not delivered.
//! - <a id="seeing.explain-unhandled"></a>If one messagee was sent a message that
//!   [nobody handles](#messages-that-nobody-handles), the trace and `explain` name its component types and up to three
//!   that would handle the message.
//! - <a id="seeing.explain-gaps"></a>If a chain leads to an event that was overwritten or left out, `explain` says so.
//! - <a id="seeing.sinks"></a>There can be one [sink](crate::trace::TraceSink) of each type. Each receives every event,
//!   except those that happen while it is borrowed. While all sinks are full, no events are made.
//! - <a id="seeing.recorder-room"></a>A recorder keeps as many events as it has room for. The oldest events are
//!   dropped first, and counted.
//! - <a id="seeing.recorder-filter"></a>Events can be filtered by message type, sender, recipient, tags, and the
//!   messagees that they involve, both when they are recorded and when they are read.
//! - <a id="seeing.wall-clock"></a>The wall time of an event comes from the configured
//!   [clock](crate::ManagerConfig::wall_clock), or else from the standard library. It counts from when the
//!   manager was first traced.
//! - <a id="seeing.later-than-before"></a>The time of each event is later than that of the one before it, whatever the
//!   clock shows.
//! - <a id="seeing.no-clock-needed"></a>Nothing else in a manager reads a clock, so a manager works on platforms
//!   without one.
//! - <a id="seeing.limited-recorder"></a>A limited recorder keeps the first events that it has room for.
//! - <a id="seeing.limited-counts"></a>While a limited recorder is in use, it counts for each message type how
//!   often receivers were called. The count equals the number of call events in a recorder with enough room, even
//!   after the limited one is full.
//! - <a id="seeing.names-printed"></a>Explanations, recorded events, the titles of Chrome tracks and `tracing`
//!   events contain the names of messagees.
//! - <a id="seeing.names-in-json"></a>JSON lines contain the names of messagees in separate fields:
//!   `sender_name`, `recipient_name`, `receiver_name`.
//! - <a id="seeing.name-when-printed"></a>A messagee in a recording has its name at the time of printing. After
//!   the manager has been dropped, no name is printed.
//! - <a id="seeing.chrome"></a>A recording can be written as Chrome trace JSON, with a track for each
//!   messagee and an arrow from each send to each of its deliveries.
//! - <a id="seeing.json-lines"></a>A recording can be written as JSON lines.
//! - <a id="seeing.tracing"></a>Each event can be emitted as an event of the `tracing` crate.
//! - <a id="seeing.trace-context"></a>With the feature `trace-context` of `message-trace`, these events have the ids of
//!   W3C Trace Context: a trace for each outermost cause, and a span for each send and delivery.
//! - <a id="seeing.changes-nothing"></a>Tracing does not affect delivery.
//! - <a id="seeing.cost"></a>While nothing is traced, no message is printed and no clock is read.
//!
//! # Asking
//!
//! The queries that consoles, inspectors and editors make of a manager are read-only.
//!
//! - <a id="asking.serial"></a>Each manager of a process has a [`serial`](crate::Inspect::serial) that no
//!   other manager has or has had.
//! - <a id="asking.messagee-written"></a>[`parse_messagee`](crate::Inspect::parse_messagee) finds a living messagee by
//!   the text of its id. It accepts no other text.
//! - <a id="asking.component-name"></a>[`component_name`](crate::Structure::component_name) returns the name
//!   of a component's type while the component is hooked.
//! - <a id="asking.component-type"></a>With the crate `message-data`, `component_type` returns the name under which
//!   texts refer to the type of a component, while the component is hooked.
//! - <a id="asking.pending-len"></a>[`pending_len`](crate::Inspect::pending_len) returns the number of
//!   messages that `pending_posts` lists.
//! - <a id="asking.dead-letters"></a>[`dead_letter_count`](crate::Inspect::dead_letter_count) counts every dead
//!   letter.
//! - <a id="asking.pending-message"></a>With the crate `message-data`, `pending_message` shows a message while it
//!   is pending.
//! - <a id="asking.addresses-of"></a>With the crate `message-data`, `mnemonics_of` and `groups_of` list the addresses
//!   that a messagee currently has.
//! - <a id="asking.declared"></a>With the crate `message-data`, `declared_mnemonics` and `declared_groups` of that crate
//!   list everything that the program declares, each once, by name.
