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
//! - [`M::ID`](crate::Message::ID) is the same in every build and on every machine; it is made
//!   from the type's path, or from `#[message(name = "…")]`. Zero is never used and means unknown.
//! - Two types with one id are reported with both places before any message flows. A type that is
//!   declared inside a function has the path of the function's module, so two of one name in one
//!   module need names of their own.
//! - The dense index is numbered from the sorted list of names; it does not depend on the order of
//!   linking. What [extends](#plugins) the registry is numbered behind that.
//! - Every entry of a crate that is linked is in the registry, whether the program uses code of the crate
//!   or not: with and without LTO, on WebAssembly too.
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
//! - To an id: its components in order of priority, then of hooking. Where `before` or `after` says
//!   that the handler of one component type runs before that of another, with the same priority, it
//!   does; so it is in a broadcast. A circle of `before` and `after`, or one that contradicts a priority, is an error
//!   that names it, before any message flows.
//! - To everyone: component type by component type, higher priority first, then by type name; each
//!   type's components in storage order. That order is the same in every run of the same program on
//!   the same inputs; hooking, unhooking and enabling change it.
//! - A send to everyone may run a handler that is marked `parallel` on several threads (feature
//!   `rayon`). What it returns, the order between component types, receipts, failures (told in storage
//!   order) and panics are the same on any number of threads, also on one. All components of the type
//!   are called, even if one panics, whether they are called in parallel or in turn; then the first
//!   panic in storage order goes to the caller, and no component type behind receives the message.
//! - `EveryoneElse` leaves out all components of the sender's messagee. What somebody posted to it who
//!   then died goes to everyone.
//! - `Up` is the messagee, then its ancestors; `Down` the messagee, then its descendants, each
//!   before its own children. Both take an id, or a mnemonic, which is looked up when the message is
//!   delivered.
//! - A handler that returns `ControlFlow::Break` consumes the message: nobody behind it receives
//!   it, whatever the recipient was, and a component that was busy does not get it later.
//! - A handler that returns an error counts as having received, stops nobody else, and is reported
//!   as [`HandlerFailed`](crate::lifecycle::HandlerFailed) to everyone when the outermost send
//!   returns. A failure on the way of telling a failure is reported and not told; see
//!   [Failures](#failures).
//! - To a hook: that one component, if it is enabled and not leaving. A hook whose component is gone is
//!   [`HookGone`](crate::SendError::HookGone), one of another manager is
//!   [`HookOfOtherManager`](crate::SendError::HookOfOtherManager).
//! - To a group: its members, in the order in which they joined. A group without members is no
//!   error.
//! - A reply to a message that came from outside or from the manager is
//!   [`NobodyToReplyTo`](crate::SendError::NobodyToReplyTo).
//! - A message whose type is not known where it is sent goes in a box: `send_any`, `request_any`,
//!   `post_any` and `publish_any` do what `send`, `request`, `post` and `publish` of the message itself
//!   do, errors included. The answer comes in a box, and is of the message's reply type; a
//!   `request_any` of a message without one is [`NoReplyType`](crate::SendError::NoReplyType), and
//!   nobody has received it.
//! - A message in a box can be taken out as its own type, and the message of a dead letter can be sent
//!   again.
//! - [`addressee`](crate::Context::addressee) is the one messagee that a message was sent to: what an id
//!   names, the sender for `Me`, whom a mnemonic was bound to when the message was sent, the owner of a
//!   hook. It is the same for handlers, for those who overhear and for subscribers, also when the
//!   mnemonic was bound to another since. What is sent to many has none.
//! - The sender is stamped by the manager and cannot be forged. `Me` and `EveryoneElse` from outside
//!   are errors.
//!
//! # Re-entrancy
//!
//! - A handler may send to anyone, itself included. A component that is running is **busy**: a
//!   `send` to it is kept and delivered, in the order sent, as soon as it is free; a `request` or
//!   `send_mut` that would reach it fails with [`Busy`](crate::SendError::Busy), and nobody has
//!   received it then. `&self` handlers of one component may nest.
//! - A send to a component for which messages are kept, or will be when a send that is under way ends,
//!   waits behind them, also where the component could take it: what one messagee sends to another's
//!   only component is received in the order sent. A `request` or a `send_mut` waits for nothing: it looks
//!   at the component as it is.
//! - A handler can read several components side by side. A borrow of another component cannot be held
//!   across a send: that is a compile error.
//! - Addresses change at once, existence waits. Mnemonics, groups, parents, names, and whether a
//!   component is enabled, change at once in a handler, and every later look and send sees the change.
//!   Spawn, hook, unhook, despawn and subscriptions give their ids and errors at once and take effect
//!   when the outermost send returns, in the order asked for: until then `is_alive`, `get`, `iter` and
//!   `find` see the messagees as they were. A messagee that was spawned in the same dispatch can be
//!   named. One that is leaving keeps its groups, its family, its mnemonics and its name until it is
//!   gone; a mnemonic of it can be bound to another before. It can be changed no more: that is
//!   [`Leaving`](crate::MessageeError::Leaving).
//! - The receivers of a send are those present when it began, less those who are disabled or leaving
//!   when their turn comes; one that is enabled meanwhile is not among them. One that is going to be
//!   despawned or unhooked is skipped from then on by every send: a send to it alone returns a receipt
//!   of zero, and only the manager's farewell reaches it.
//! - A message sent to an id that was spawned in the same dispatch is delivered right after it comes
//!   alive, behind its [`Hooked`](crate::lifecycle::Hooked) messages and before any later change. So is
//!   one that is sent to a mnemonic or a group of it, or to a family that it is in: the others receive
//!   that at once. What waits for one messagee is delivered in the order sent. A `request` or a
//!   `send_mut` that would reach it fails with
//!   [`NotYetSpawned`](crate::SendError::NotYetSpawned), and nobody has received it then.
//! - A message sent to a hook of the same dispatch is delivered right after its component is attached,
//!   behind its [`Hooked`](crate::lifecycle::Hooked) messages and before any later change; one that is
//!   unhooked before that receives nothing. To disable it is a later change, too. A `request` or a
//!   `send_mut` to it fails with [`NotYetHooked`](crate::SendError::NotYetHooked).
//! - What waits for a receiver or a newborn goes to the messagee that its mnemonic was bound to when it
//!   was sent.
//! - Nesting depth and kept deliveries are bounded by [`ManagerConfig`](crate::ManagerConfig); past
//!   a bound the send fails with an error that names the message type, the recipient and the chain
//!   of running handlers, and what was accepted before is still delivered. What cannot be kept for a
//!   busy receiver is lost for that one alone: the others receive it, subscribers with a stage of
//!   their own and retention included. If a cycle led there, the
//!   error names it: who receives which message, and where it was sent, each hop leading to the next
//!   and the last to the first again. A cycle through busy receivers is named too, although it is not
//!   in the chain of what is running. A chain of different messages is no cycle, and one that goes on
//!   from messagee to messagee, as along a list, may have an end: it is called a chain, and its last
//!   round is named. By default 80 sends may be nested: in a debug build they take at most half of a
//!   stack of 2 MiB. The number of changes
//!   that a dispatch asks for is not bounded: a handler of `Hooked` that always hooks another
//!   component goes on for ever.
//! - By default a panic in a handler goes to the caller of the outermost send. Nothing stays
//!   borrowed, and nothing that was queued is lost: the next call that may change the manager, or
//!   [`settle`](crate::MessageManager::settle), carries it out first. If the panic comes after the
//!   call has its result, that is dropped.
//! - What ends together (the components, closures, and bound and retained messages of a messagee and
//!   its family) is dropped one by one. If a `Drop` panics, the others are dropped all the same, and
//!   the first panic goes to the caller.
//! - An error at a limit names the setting of the manager and the remedy.
//! - With [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook) a panic ends with the component: it
//!   receives nothing from then on and is unhooked when the outermost send returns, its messagee is
//!   told by [`HandlerPanicked`](crate::lifecycle::HandlerPanicked), and delivery goes on: to all
//!   others, for a request to the next who answers, and of what was queued to everyone but the one
//!   that panicked. A subscriber that panics is unsubscribed; its owner is told, or everyone if it has
//!   none. A panic outside of handlers and subscribers, as in the `Drop` of a message, goes to the
//!   caller as ever.
//! - A component that panics counts as one that has failed, a subscriber as one that has received, an
//!   interceptor as one that has let the message pass. It is called for nothing more, not even a
//!   farewell: the messagee's others hear `Unhooking`, then, when it is gone, `HandlerPanicked`, before
//!   any change that was asked for later. If it panics when it is dropped, the same message tells of
//!   that too. A panic payload whose own `Drop` panics ends there, too.
//!
//! # Messagees
//!
//! - Ids are generational: a stale id never reaches a newcomer; sending to it is
//!   [`Gone`](crate::SendError::Gone).
//! - `unhook` gives the component back; the messagee's other components stay. From outside as in a
//!   handler it is leaving while its [`Unhooking`](crate::lifecycle::Unhooking) is told: no send
//!   reaches it, and it cannot be unhooked again. If a handler panics then, it is dropped, and unhooked
//!   by the next call.
//! - A component speaks for the messagee that it is hooked to: what it sends comes from that one. So
//!   hooking a component to another's id, from a handler too, lends that one's name to the component.
//! - [`as_messagee`](crate::MessageManager::as_messagee) speaks for a messagee as long as that is
//!   alive; when it has died since, every send is [`Gone`](crate::SendError::Gone).
//!   It offers what a context offers: what is sent, posted, published, read and cancelled through it
//!   is so in the messagee's name. The rest is the manager's own, and takes effect at once.
//! - `despawn` takes along the messagee's components, its mnemonics, and its children, unless they
//!   are to be [re-parented](crate::Children::Reparent).
//! - A disabled component stays and receives nothing until it is enabled again. When the outermost send
//!   returns, its messagee is told by [`Disabled`](crate::lifecycle::Disabled), which the component
//!   itself receives too, or by [`Enabled`](crate::lifecycle::Enabled).
//! - Components of one type may be hooked more than once to one messagee. `hook_of` finds the hook of
//!   the first of a type, `hooks_of` those of all, in the order of hooking; a handler finds the same as
//!   the manager.
//! - A parent that would make a cycle is refused.
//! - The manager tells a messagee of [`Hooked`](crate::lifecycle::Hooked) after a component was
//!   attached, [`Despawning`](crate::lifecycle::Despawning) before it is despawned, and
//!   [`Unhooking`](crate::lifecycle::Unhooking) before each component goes.
//! - Binding a bound mnemonic, or unbinding one that is bound to another, is an error; a despawned
//!   messagee's mnemonics are free again. Sending to an unbound mnemonic is
//!   [`Unbound`](crate::SendError::Unbound).
//! - An id or a hook of another manager is an error that says so. Managers that are alive at the same
//!   time never share an id: 65 535 can be, and one more is
//!   [`TooManyManagers`](crate::RegistryError::TooManyManagers). What a dropped manager has given out,
//!   ids, hooks, subscriptions and tickets, never means something of a later one, however many
//!   managers come and go.
//! - An error changes nothing.
//! - A messagee can have a name. `set_name` gives it one, an empty name takes it away; `spawn_named`
//!   gives it before the messagee is told of its components. Names need not differ.
//! - `find` returns the messagees that are alive and whose whole name matches a pattern, in the order
//!   of their places. In a pattern `*` stands for any characters, `?` for one, and `\` makes the next
//!   character stand for itself. Upper and lower case differ.
//! - <a id="messagees.find-exact"></a>A pattern without `*` and `?` is looked up in an index: `find`, and a
//!   wire that fires, look only at those that bear the name. Until the first such search names cost nothing
//!   more.
//! - An id prints its name: `7v2 "Red Baron"`. So does all that holds an id: errors, reports, dead
//!   letters, recipients and senders. Quotes and line breaks in a name are escaped. `{:#}` leaves the
//!   name out.
//! - The name of a messagee that is gone is known until its place has another messagee with a name,
//!   `shrink_to_fit` forgets it, or the manager is dropped. A newcomer never has the name of another.
//! - Ids, hooks, subscriptions, recipients, senders and receivers print with the width, fill and
//!   alignment that is asked for, and are never cut off.
//! - A name changes nothing of what is delivered.
//! - The subscriptions of a messagee end as soon as it is leaving, those of the same dispatch, too.
//! - A despawned messagee leaves its groups, its subscriptions end, the messages that it has posted
//!   with a `bound` header become dead letters, and what was retained for it is forgotten. Each of
//!   the bound messages becomes a dead letter, also if the `Drop` of another panics.
//!
//! # Headers
//!
//! - A header is built once and used for any number of messages; it is `Copy`, and can be
//!   readdressed.
//! - What contradicts itself is an error when it is built, and never ignored: no recipient, a delay
//!   or a period with `Immediate`, a delay in time and one in frames, two such periods, a delay in
//!   time with a period in frames, a period of zero, zero times, `times` without a period, `unscaled`
//!   with nothing to measure, a key, `bound` or `if_alive` with `Immediate`, `retain` with a period,
//!   a period in frames with `FixedUpdate`, whose passes `every_pass` follows. See
//!   [`HeaderError`](crate::HeaderError).
//! - A post takes a header, a reference to one, or a builder. If that contradicts itself, nothing is
//!   posted, and the error of the post is [`SendError::Header`](crate::SendError::Header).
//! - All that a header says can be read back.
//! - A header without a stage is `Immediate`; one with a delay or a period is for `Update`.
//! - Posting with stage `Immediate` is a send, and the ticket tells its receipt.
//! - `post_to` posts to another recipient than the header's own; for the rest it is `post`.
//! - `post_each` posts what an iterator yields, in that order, as so many posts would. At the first
//!   that fails it ends: the error tells why, and how many were posted before. These stay posted.
//! - Posting to a messagee or a hook that is gone is an error at once; one that goes later makes the
//!   message a dead letter. A mnemonic is looked up when the message is delivered. With `if_alive`, a
//!   message whose messagee or hook has gone, or whose mnemonic nobody is bound to, is no dead
//!   letter.
//! - `Me` and `EveryoneElse` from outside are errors at once, and so are headers that tie a message
//!   to its sender (`bound`).
//! - [`max_pending`](crate::ManagerConfig::max_pending) messages may be pending; one more is
//!   [`QueueFull`](crate::SendError::QueueFull), and nothing that was accepted is lost. Replacing a
//!   message under its key is not one more.
//! - The [`Envelope`](crate::Envelope) that a receiver sees tells the sender, the recipient, when the
//!   message was posted and when it was due (time and frame), its tags, its stage and the place of
//!   the sending call.
//!
//! # Time and stages
//!
//! - A [`tick`](crate::MessageManager::tick) is one frame: the frame number and the clock advance, the
//!   mailboxes swap, the inlet is drained, then `FixedUpdate` runs as often as the fixed step says,
//!   then `Update`, `LateUpdate`, `EndOfFrame`. `begin_frame` and `run_stage` are the pieces.
//! - A pass delivers what is due, in order of due time, equal ones in the order posted. Nothing is
//!   early; what is late by a long frame is delivered in order.
//! - A delay by frames falls due when its frame begins, at the time of that (which for
//!   `FixedUpdate` can be later than the fixed time). What waits on the
//!   unscaled clock comes behind the rest of a pass, in its own order: the two clocks cannot be
//!   compared.
//! - Each delivery of a pass is an outermost send: what it changes is settled before the next one.
//! - A message posted without a delay for a stage that is still to come in the frame is delivered in
//!   this frame. One posted during the pass of its own stage waits for the next pass of it: every
//!   pass ends.
//! - The fixed time follows the scaled time in whole steps and never runs ahead. A frame takes
//!   [`max_fixed_steps`](crate::ManagerConfig::max_fixed_steps) at most; what it owes beyond is left
//!   out, and the fixed time leaps over it. In a pass of `FixedUpdate` the time is the fixed time.
//! - [`set_fixed_step`](crate::MessageManager::set_fixed_step) holds at once: the fixed time stays where
//!   it is, and the steps that the frame still owes are counted again. It is part of a save; the step of
//!   the configuration is not.
//! - A frame of [`begin_frame_with`](crate::MessageManager::begin_frame_with) advances both clocks by
//!   what the host says, to the nanosecond; scale and pause of the manager do not act on it.
//! - Scale and pause act on the scaled time from the next frame on. While it stands still, frames
//!   and the unscaled time go on, `FixedUpdate` has no passes, and the other stages deliver what
//!   has no delay.
//! - A message that repeats is due again one period after it was due, however late it was delivered;
//!   after a long frame its deliveries come in order, the oldest first. It is one value: what a
//!   receiver writes into it is there the next time. It ends with its first delivery to a messagee
//!   or a hook that is gone; to a mnemonic that is not bound it goes on.
//! - In one frame, over all passes of its stage, a message that repeats is delivered
//!   [`max_repeats_per_frame`](crate::ManagerConfig::max_repeats_per_frame) times at most, and may be
//!   delivered once at least. Deliveries that are due beyond this are skipped: it is next due at the
//!   first time of its series that the pass has not reached, on whatever clock it waits. Skipped
//!   deliveries count among its `times`, and
//!   [`FrameReport::skipped_repeats`](crate::FrameReport::skipped_repeats) counts them.
//! - A message with `every_pass` is delivered once in each pass of its stage, also after a long frame.
//! - What was cancelled is never delivered, not even in the pass that is under way. A
//!   [`Ticket`](crate::Ticket) cancels, and so do a key, a sender, and a recipient with a message
//!   type: see [`Posts`](crate::Posts). All messages that are meant are cancelled before the first is
//!   dropped. If the `Drop` of one panics, the others are dropped all the same, and the first panic
//!   goes to the caller.
//! - What was taken out is as if it was cancelled, and comes to the caller in the order in which it was
//!   due, with a header of what is left of its delay and of its deliveries: posted with that at once, it
//!   is due when it would have been. A message that repeats and is being delivered stays.
//! - Posting under a key replaces the message that is pending under it, whatever its type and
//!   recipient; if the post fails, that one stays. If the `Drop` of the replaced message panics, the
//!   new one is pending. A key is the sender's own, and from outside there is one more; a shared
//!   key is the same for all. The name of a key cancels the message under the key of who cancels.
//! - Pending messages can be listed in the order in which they are due.
//!   [`soonest_posts`](crate::MessageManager::soonest_posts) lists the first of them without looking at all.
//! - When too many messages are pending, the error says of which type most of them are, and which
//!   place posted most messages of that type; and names the cycle when a handler posts what it is handling.
//! - Times and frames that would be past their end saturate: the last time is 292 years after the
//!   manager was made, the last frame 2^64 - 1.
//! - After a panic in a pass, the next pass of that stage delivers what was left of it, what had fallen
//!   due again in it and what has fallen due since, in order of due time, equal ones in the order
//!   posted.
//!
//! # Subscriptions
//!
//! - A subscription receives every message that passes its filter, whatever the recipient is, after the
//!   addressed components, in the order subscribed, whether it listens to one type or to all. What
//!   nobody is there to receive is heard; what fails with an error, because the recipient is gone or
//!   unbound, is not.
//! - `from`, `to` and `tags` must all hold, and every `when`; `tags` asks for any of them, and an empty
//!   set is no condition, as for [`Posts`](crate::Posts). `to` an id is what is sent to that messagee
//!   alone, by id, `Me` or a mnemonic bound to it; `to` a hook is what is sent to that hook. What waits
//!   was sent to whom its mnemonic was bound to then.
//! - The predicate of a `when` is asked last, about the message as the subscriber would receive it:
//!   after the components, for an interceptor before them. One that is running refuses a `request` or a
//!   `send_mut` that passes the rest of its filter, without asking. A predicate that panics is a
//!   subscriber that panics.
//! - A subscriber may return nothing, `bool` or `ControlFlow<()>`. With `false` it has not received,
//!   and if it is `once` it goes on; with `Break` the subscribers behind it, and those who are busy,
//!   do not receive the message. An interceptor returns nothing or `ControlFlow<()>`.
//! - All that a filter says can be read back, but for its predicate.
//! - A subscription that is paused receives nothing until it is resumed, and keeps its place in the
//!   order. Pausing and resuming take effect at once, also in a handler, and of one that was made in the
//!   same dispatch: a message that is under way does not reach one that was paused or resumed since it
//!   was sent, and what was kept for one, or waits for its stage, is not delivered if it is paused when
//!   its turn comes.
//! - A hidden subscription does not count as a receiver. One that is `once` ends with the first
//!   message it receives. One with a stage receives its messages in the next pass of that stage,
//!   behind the posted ones.
//! - A subscription that is `once` has ended as soon as it is called: `unsubscribe` returns `false`
//!   from then on. While its one message is still kept for it, it has not.
//! - An interceptor ([`before`](crate::Filter::before)) runs first, may change the message, and may
//!   consume it: then nobody receives it. It counts as a receiver of what it consumes.
//! - A message that a component consumes does not reach the subscribers.
//! - Subscriptions that are made in a handler take effect when the outermost send returns; one that
//!   is ended in a handler receives nothing more at once.
//! - A subscriber that is running is busy like a component: a `send` is kept for it and delivered as
//!   soon as it is free; a `request` or `send_mut` that it would receive fails with
//!   [`SubscriberBusy`](crate::SendError::SubscriberBusy). While an interceptor is running, a message
//!   that it would receive waits, for everybody; what then goes wrong with it is a dead letter.
//! - What a subscriber sends comes from its owner, or from `Outside`. So in a handler or a subscriber
//!   only the own messagee can be the owner of a new subscription, or one that was spawned in the same
//!   dispatch: everybody else is [`NotOneself`](crate::MessageeError::NotOneself).
//! - When an owner or the manager goes, the closures are dropped in the order subscribed. A manager
//!   drops all of them also if the `Drop` of one panics.
//! - To make or to end a subscription costs the same however many there are, and a send costs the same
//!   however many ask by `to` for other recipients (`Me` and a mnemonic stand for another from send to
//!   send: their filters are asked at each).
//! - A message whose header says `retain` is kept as the last one of its type and recipient, unless an
//!   interceptor consumes it. What was retained under a mnemonic or a group belongs to that name, and
//!   outlives the messagees that bear it; what was retained for a hook is forgotten with its
//!   component. A subscription that asks for it by `with_retained` receives what was kept and passes
//!   its filter at once, in the order in which it was retained. What is forgotten with a messagee is
//!   dropped in that order.
//!
//! # Overhearing
//!
//! - What passes the filter of an [`overhear`](crate::MessageManager::overhear) is delivered to that
//!   messagee's own handlers too, though it was sent to others: among the subscribers, in the order
//!   subscribed, under the same sender, recipient and envelope.
//!   [`is_overheard`](crate::Context::is_overheard) tells.
//! - What reaches the messagee anyway is not overheard, nor what it sends itself, nor what its own
//!   overhearing leads to in the same dispatch, through busy receivers too: so no send loops. (Changes
//!   are told anew: one that overhears `Hooked` and spawns each time goes on for ever, as a handler of
//!   it would.)
//! - That a messagee overhears a message is decided when the message is sent. What waits for a
//!   component that is running, or for a stage, is not delivered if the subscription has ended or is
//!   paused then. One that is `once` ends when the first component has received a message; the others
//!   of its messagee receive that message, too.
//! - Each component that overhears counts as a receiver, unless the filter is hidden. It consumes and
//!   fails as others do; what it answers is dropped. One that is disabled or leaving overhears nothing.
//!   One that is running overhears as soon as it is free, and a `request` or `send_mut` that it would
//!   overhear is [`Busy`](crate::SendError::Busy).
//! - Overhearing ends with its messagee, and can be ended and paused as any subscription. In a handler
//!   only the own messagee, or one that was spawned in the same dispatch, can be made to overhear.
//!
//! # Types as data
//!
//! With the feature `data`: see `data::Data`.
//!
//! - A type with data that is a message is one in files, saves and logs; any other is a component.
//! - A type is found by its full name, by the last part of that, or by an alias, in this order. Two of one
//!   name are an error that names both places.
//! - Text is in RON syntax; bytes are `MessagePack` with field names. What is written is read back to the
//!   same value, bit for bit, also floating-point numbers; but of a NaN only the sign is kept in text.
//! - In a text, a field that a struct does not have is an error, nested too, with line and column, the
//!   fields that there are and the nearest name. In bytes it is passed over.
//! - Fields can be added, removed and moved between the writer and the reader of bytes. Those of an
//!   earlier version are changed by the type's `upgrade` before they are read.
//! - No text and no bytes make a reader panic, or allocate by a length that they claim. Values are nested
//!   128 levels deep at most.
//! - An id is written and read only in a world file, a save, a log or a text about a manager; anywhere
//!   else it is an error.
//! - The `shape` of a type tells what it reads of bytes: its fields, their types, and which may be missing.
//!   It is found out by reading. `reads` tells whether one program reads what another one writes, or the
//!   first difference: what changed its type, a field that is needed and missing, a variant that the
//!   reader lacks. A shape from a stranger takes memory in proportion to its length, and never panics.
//!
//! # Plugins
//!
//! Held by tests in the workspace's `tests` crate, and, where a library is loaded, in the crate
//! `message-plugin`.
//!
//! - The registry can be extended while managers are at work: by what a library brings that was loaded, or
//!   by hand. Indices that exist stay. New message types and component types are sorted by name and come
//!   behind the others, so indices depend on the order in which libraries are loaded; ids do not.
//! - Handlers that come late run where they would if they had been there: by priority, then as `before` and
//!   `after` say, then by type name.
//! - A manager that was made before takes up what is new when a component of a new type is first hooked, or
//!   when its next frame begins. What waits in it goes on, and what was heard is heard. Until then it sends,
//!   posts and publishes what is new as if nobody handled it; a handler that publishes a type that the
//!   manager has not taken up gets [`Unregistered`](crate::SendError::Unregistered).
//! - A component without handlers is never taken for one of a type that comes late.
//! - A type that has the id of another, or a component type or type with data that has the name of another,
//!   is refused with both places; so is a late handler with a context on a component type whose other
//!   handlers take none. What is refused leaves nothing behind: the registry stays as it is, and types,
//!   handlers and names of the refused library are not found later.
//! - With the feature `linkme`, `extend_registry` and `plugin!` are compile errors.
//! - A plugin's statement is read from the bytes of its file before anything of it runs. A file that is no
//!   whole library for the machine, a library without a statement, a plugin with a message-core of its own,
//!   of another compiler or build, of another build of a shared crate, or with a copy of a crate that the
//!   program has, is refused with both sides; so is one whose name is loaded already.
//! - What is checked is what is loaded: a copy of the file. A copy that is gone or changed in between is an
//!   error. A plugin is never unloaded.
//! - A world file that names a plugin that is not loaded is an error at that place, which says which are
//!   loaded; nothing else of the file is reported then.
//!
//! # World files
//!
//! With the feature `data`. The format is that of `data::WorldFile`.
//!
//! - Reading a world file changes nothing. It checks all that can be checked without a manager, each
//!   field of each component and message included, and reports mistakes together, each with file,
//!   line and column, what was found, what was expected, and the nearest name.
//! - <a id="world-files.mistakes-bounded"></a>The first mistakes of the text are reported, 100 unless
//!   `WorldOptions::max_mistakes` says otherwise, and how many more there are.
//! - <a id="world-files.linear"></a>Reading and reporting take time and memory in proportion to the text,
//!   whatever the text says. What templates say is shared by those who are made from them.
//! - <a id="world-files.read-again"></a>Values are read again, with what overrides them or without what is
//!   wrong in them, up to 16 times the text altogether. What is beyond is first checked by `instance`.
//! - <a id="world-files.suggestions"></a>The nearest name is looked for among the first 10 000, for the first
//!   100 unknown names, and not for a name of more than 64 characters. Longer names are cut where they are
//!   printed.
//! - <a id="world-files.expanded"></a>A file whose components and wires would have more than 256 MiB if those
//!   of templates were written out for each messagee is refused, unless `WorldOptions::max_expanded` allows
//!   it. `instance` makes no more than that.
//! - `instance` makes all of a file or nothing. After an error the manager is as before: no id is used up,
//!   no mnemonic is bound, nobody has joined a group. A mnemonic that is bound already is an error.
//! - The id of a messagee in a component or a message is its name in the file, before it or behind it.
//!   Instanced again, the names are those of the new messagees. The id of a component is the name of its
//!   messagee with its type behind it: `"grib/Health"`, and `"grib/Health#2"` for the second of a type.
//! - A ticket and the id of a subscription have no meaning in a world file: reading and writing one is an
//!   error with its place.
//! - <a id="world-files.templates"></a>Who is made from templates has their components, joins their groups,
//!   and has their wires, before its own. A component that a template disables begins disabled. One messagee
//!   is made from at most 100 templates.
//! - Messagees are alive, and have their components, families, mnemonics, groups, names and wires, before
//!   the first of them is told [`Hooked`](crate::lifecycle::Hooked). A component that begins disabled is
//!   told nothing of it.
//! - Mnemonics, groups and tags are named as they are declared, or by the last part of that, in the fields
//!   of components and messages, too. A name that the program does not declare is an error.
//! - In a message that is read by name, the id of a messagee is the name of one that the manager has, or
//!   `"#7v2"`: how the id prints. A name that several have is an error. A message or a component that is
//!   printed is read again to the same.
//! - An override replaces fields of the one component of its type that is there, whole fields each.
//! - What `write_world` writes is read back to the same components, names, families, mnemonics, groups
//!   with the same order of members, disabled components and wires. Ids and the storage order are new.
//!
//! # Wires
//!
//! - A wire fires when its messagee receives a message of the type that it waits for, by whatever
//!   recipient, also if none of its components handles that; not if the message is consumed before. It
//!   does not count as a receiver. A mnemonic stands for whom it was bound to when the message was sent.
//! - Wires post, in the order in which they were made; they never send. The sender of what they post is
//!   their messagee. A name is looked up when the wire fires, a mnemonic and a group when the message is
//!   delivered. If several messagees have the name, the wire posts to each, in the order of `find`.
//! - A wire fires as often as it says, then it has ended. It ends with its messagee, and can be ended,
//!   disabled and enabled by its number.
//! - A wire that could never post is refused with what was expected, and with the place in the file or of
//!   the call.
//! - What a wire cannot post is a dead letter, and reported: to a name that nobody has, to the sender of a
//!   message that comes from outside, or past a limit.
//! - Only message types that wires wait for are heard by them: other types, and a manager without wires,
//!   pay nothing.
//!
//! # Saves
//!
//! With the feature `data`. The format is that of `data::save_format`.
//!
//! - A manager that is restored goes on as the one that was saved: the same is delivered, in the same
//!   order, at the same times, and the same ids are given out next, counted from where the manager began.
//!   So a save of it is equal to the save that it was made of, byte by byte.
//! - Saved are components in their storage order, enabled flags, hooks in their order, families, names,
//!   mnemonics and groups in their order, the clock, what is pending with all that a header says, what is
//!   retained, what is published, overhearing with what waits for a stage, wires, and the counts of
//!   failures and dead letters.
//! - Not saved are subscriptions, traces, the inlet, the configuration, and places in the source: what was
//!   posted before seems to be posted by the call of `restore`.
//! - Ids and tickets inside components and messages mean in the restored manager what they meant in the
//!   saved one. An id of another manager cannot be saved.
//! - For how long mail of a type is retained is saved, also of a type without data.
//! - All types that are there and have no data are told at once, with how many there are. What is left out
//!   is not there afterwards; a component that is left out has been unhooked.
//! - A component is told `lifecycle::Restored` and not
//!   [`Hooked`](crate::lifecycle::Hooked), once, when all is there.
//! - A type that the program does not have is noted and passed over, with its components, hooks and
//!   messages; so is a field. Values of an earlier version are upgraded; a newer version of a type or of
//!   the format is an error that names both.
//! - A save that is cut off, damaged or made up is refused with its place, or makes a manager; it never
//!   panics, takes no more memory than a multiple of its own length, and what is refused makes nothing.
//!
//! # Proxies
//!
//! With the feature `data`: see `proxy`. The crate `message-net` carries what they are sent.
//!
//! - A proxy is a messagee that stands for one of another manager. It has a name, mnemonics, groups and a
//!   family as any other, and no components.
//! - What is sent to it, by whatever recipient, is written to its outbox as bytes, with its sender and the
//!   ids in it: when the addressed components of this manager have had it and as these have left it, before a
//!   subscriber hears it. It counts as a receiver.
//!   What is consumed before it comes to the proxy is not. `Everyone` means this manager.
//! - A post to the id of a proxy is written at once, with its header: stage, delay and conditions are for the
//!   other side, and the ticket cancels nothing. A post to a group, a family or a mnemonic waits here.
//! - An outbox that was opened by position has a message without the names of its fields, if it is a struct
//!   that writes the fields that it reads from a list, and no others. A save has the names.
//! - A request or an in–out message that would reach a proxy, and mail to one, is
//!   [`Elsewhere`](crate::SendError::Elsewhere), and nobody has received it then. Mail to a group or a family is
//!   for those of this manager.
//! - More than the outbox holds is [`Backlog`](crate::SendError::Backlog), while it is blocked or closed
//!   [`Unreachable`](crate::SendError::Unreachable), and what cannot be written
//!   [`NotWritten`](crate::SendError::NotWritten); the other receivers have it.
//! - What a proxy sends is not carried on: to a proxy alone it is
//!   [`NotRelayed`](crate::SendError::NotRelayed), of several receivers proxies are passed over.
//! - What did not arrive is a dead letter, by `tell_undelivered`, with the reason.
//! - Outboxes, proxies and what waits are saved and logged; `outboxes` and `proxies` find them again.
//! - A trace has an event for each message that is written for a proxy.
//!
//! # Worlds across machines
//!
//! With the crate `message-net`.
//!
//! - A node hands in what has come, before a frame, as sends and posts in the names of proxies; and hands
//!   out what was sent to proxies, behind a frame. Nothing of it runs inside of a send, and no other thread
//!   calls into the manager.
//! - For each pair of messagees what is sent is received in the order sent, and nothing twice.
//! - Nothing is lost while the link lives, nor over a cut that is shorter than the resend window. After a
//!   longer cut, or when a node was started again, what was lost is counted and told.
//! - An id in a message means the same messagee on both sides; so does the sender. A messagee can be
//!   reached by a node that has imported it or has had a message from it, or with it, and by no other.
//! - Two imports of one name are one proxy. It ends when its messagee does, and when its node leaves or is
//!   started again.
//! - What waits for a node when that has gone, and what a node refuses, is a dead letter of the sender, with
//!   the reason. That it was refused can itself be lost in a long cut: then everyone is told how many there
//!   are, when the nodes meet again.
//! - A node accepts the message types that its configuration names, from whom it says. What is malformed,
//!   too long, too much or not accepted is refused, counted and told; it never panics.
//! - What a node keeps of another one is bounded: proxies, names, posts that wait, answers that are not
//!   read. A post that repeats without end ends when the run of its node does; a shared key is refused.
//! - A node cannot refuse more than it was sent, nor answer what it was not asked.
//! - An imported messagee that loses its name keeps its proxy; the name leads to the next one.
//! - When nodes meet, the shapes of their message types are compared. A type that cannot be read is
//!   refused with both shapes named, and the others work.
//! - Between equal shapes a message goes without the names of its fields. If the shapes differ it goes with
//!   them, and a list of fields is refused.
//! - A node keeps sessions with the nodes that its configuration names, all of them by default. A node that is
//!   left out is told so once, and nothing is imported from it.
//! - A question to a proxy has one answer: the reply, or why there is none. It comes as an `Answered` to who
//!   has asked, at the latest when its time is over.
//! - Everyone is told that a node has come or gone; who watches a proxy is told when it cannot be reached,
//!   is back, or has ended.
//! - A group that is exported by several nodes spans them: what is sent to it reaches the members here, then
//!   those of each other node, in their orders there.
//! - What a node hands in are inputs of the log, also if it is attached after the log began: a replay needs
//!   no network.
//! - A manager has one node. Another one is an error that names both, until the first is detached or dropped.
//! - A save of a world with a node has its proxies, and what waits for other nodes; the node is of the run. In
//!   the restored world a new node ends the proxies, tells those who watch or have asked them, and what
//!   waits becomes dead letters.
//! - If a handler panics that is told of a node, an end or a dead letter, all others are told, and the node
//!   does the rest of its work, before the first panic goes on.
//! - An interceptor changes or consumes what comes from another node as what is sent here; what is consumed
//!   counts as received.
//!
//! # Required receivers and dead letters
//!
//! - With `require(n)`, fewer than n receivers that are not hidden are
//!   [`NotReceived`](crate::SendError::NotReceived) when the message is delivered at once, and a
//!   [`DeadLetter`](crate::lifecycle::DeadLetter) when it was posted. Receivers that are busy count.
//!   [`Receipt::at_least`](crate::Receipt::at_least) asks the same of a receipt.
//! - [`ManagerConfig::require`](crate::ManagerConfig::require) says how many a message to one messagee
//!   requires (by id, `Me` or mnemonic) whose header does not say. It does not hold for what is sent to
//!   many, for requests, and for the manager's own messages.
//! - A dead letter is told to everyone right after, with the message, its envelope, and which part
//!   failed: see [`Undelivered`](crate::error::Undelivered). A message that is cancelled is no dead
//!   letter.
//!
//! # Failures
//!
//! - What nobody is told of is reported: a handler that returns an error, a panic under
//!   [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook), a dead letter if receivers were required or a
//!   limit was hit, and a message that could not be kept, if its sender ignores that and nothing else
//!   has failed in that outermost send. A failure is told if a component, a subscriber or an
//!   interceptor, hidden or not, has received the
//!   [`HandlerFailed`](crate::lifecycle::HandlerFailed),
//!   [`HandlerPanicked`](crate::lifecycle::HandlerPanicked) or
//!   [`DeadLetter`](crate::lifecycle::DeadLetter). A handler that declines it has not been told.
//! - [`ManagerConfig::report_to`](crate::ManagerConfig::report_to) chooses where reports go: to stderr,
//!   nowhere, or to a function. Without a choice the first of each kind is printed in full, with place
//!   and chain; repeats are counted, and told with their reason at the second, fourth, eighth time and
//!   so on, and counted up when the manager is dropped. With the feature `tracing` each is a `WARN` event, too, unless the
//!   manager emits all of its events.
//! - A report comes when the outermost send returns. No handler is running then. A panic of the
//!   function goes to the caller.
//! - The receipt of a send from outside counts the failures of all that it has led to, messages that
//!   were kept included. The receipt of a send in a handler counts those of its own deliveries.
//!   [`FrameReport::failures`](crate::FrameReport::failures) counts those of a frame.
//! - A request that fails has the error of the first handler that failed as its source.
//! - [`unused_messages`](crate::MessageManager::unused_messages) are the message types without a
//!   handler in the program that nobody subscribes to, has published, or has read the mailbox of in
//!   this manager. A subscription to all types does not count. If
//!   [`report_unused`](crate::ManagerConfig::report_unused) asks for it, they are reported once, when
//!   the second frame begins.
//!
//! # Mailboxes
//!
//! - What is published in a frame is found in the next, all of it at once; until then
//!   [`pending`](crate::MessageManager::pending) looks at it. What is published before the first frame
//!   is found in the first. No handler, subscriber or interceptor receives it.
//! - Letters are chosen by recipient and sender, in any combination, and by what an iterator can ask;
//!   they come in the order published. Of `to` and `reaching` the last one counts.
//! - `to` an id is what was published to that messagee alone: by id, `Me`, or a mnemonic that was
//!   bound to it when it was published. A mnemonic stands for whom it is bound to now; `Everyone`, a
//!   group, `Up` and `Down` for what was published to just that. What is published to a hook is for its
//!   messagee, and bears the hook as its recipient: `to` a hook finds what was written to just that.
//!   `Up` and `Down` of a mnemonic mean the family of whom it is bound to when the mail is published,
//!   and when it is asked for.
//! - `reaching` a messagee is what a send would have reached it with: its own mail, that to everyone
//!   (and to everyone else, unless it is the sender), to the groups it is in now, and to its kin by
//!   `Up` and `Down` as it is now.
//! - [`inbox_any`](crate::MessageManager::inbox_any) finds all types at once, in the order sent.
//! - A message that is published in a box is in the mailbox of its type: it is found, counted and
//!   retained as one that is published by its type.
//! - `publish_each` publishes messages to one recipient, each as `publish` would, in the order of the
//!   iterator, until the first error. What was published before an error, or before the iterator
//!   panics, is found.
//! - Reading works alike in handlers and outside. A handler can send and publish while it reads: what
//!   can be read does not change during a frame.
//! - Publishing to who is gone, to an unbound mnemonic, or to `Me` and `EveryoneElse` from outside is
//!   an error, as for a send. A letter stays when its messagee or its sender goes, and is never for a
//!   newcomer in that place.
//! - At a [`Desk`](crate::Desk) mail is read and published and components are changed side by side,
//!   from outside. What is published while somebody looks at what is pending comes in the order sent
//!   all the same.
//!   Each component is borrowed for itself, whatever its handlers are; one that is borrowed already is
//!   [`Busy`](crate::MessageeError::Busy), and a walk over all of its type panics there: none is passed
//!   over.
//! - Retention is set for each message type: what is published in frame f is found in the frames f + 1
//!   to f + retention; one frame without it. `inbox` is what was published in the last frame; what is
//!   older is read by a cursor.
//! - A [`Cursor`](crate::mailbox::Cursor) reads on where it stopped, over all frames that are retained, and
//!   counts what was dropped in between. One that is new has missed nothing, and so has one that was
//!   last used with another manager.
//! - More than [`max_published`](crate::ManagerConfig::max_published) messages in a frame are
//!   [`MailboxFull`](crate::SendError::MailboxFull), and nothing of what was accepted is lost.
//! - The swap touches only message types that were written, or that can be read. A letter is dropped
//!   once, when a frame begins, and every mailbox is already as the new frame has it. If the `Drop` of
//!   several letters panics, of one type or of more, all are dropped, and then the first panic goes on.
//!
//! # Other threads
//!
//! - [`manager.inlet()`](crate::MessageManager::inlet) is a handle that can be cloned and used by
//!   several threads at once. All inlets of a manager lead to the same place, also when it is moved to
//!   another thread.
//! - What is posted through it is delivered when the manager's next frame begins, by `tick` or by
//!   `begin_frame`: after the clock has advanced and the mailboxes have swapped, before `FixedUpdate`.
//! - What each thread posts is delivered in the order in which it posted it. Between threads there is
//!   no order but that of their posts reaching the inlet.
//! - A message without a stage is an outermost send of its own, settled before the next. One with a
//!   stage or a delay is posted at that moment: a stage is that of the same frame, and a delay counts
//!   from the beginning of it.
//! - The sender is `Outside`, and the place is that of the posting call.
//! - As much is drained as lay in the inlet when the draining began. What is posted meanwhile waits for
//!   the next frame: a thread that keeps posting cannot hold a frame up.
//! - The inlet holds [`inlet_capacity`](crate::ManagerConfig::inlet_capacity) messages, one at least,
//!   and takes memory only for those that wait in it. One more is [`Full`](crate::InletError::Full)
//!   with `try_post`; `post` waits for room, and is [`TimedOut`](crate::InletError::TimedOut) if
//!   there is none in time. Each error gives the message back. Where no thread can wait (WebAssembly
//!   without threads, and `wasm32-unknown-unknown`), `post` is `TimedOut` at once.
//! - What no manager would take from outside (`Me`, `EveryoneElse`, `bound`, a header that
//!   contradicts itself, a type that is not in the registry) is refused at once, in the posting
//!   thread. What goes wrong later is a dead letter that has the message.
//! - A panic while it is drained leaves the rest for the next frame, in order; until then that takes
//!   room in the inlet.
//! - A manager that is dropped is [`Closed`](crate::InletError::Closed) for every thread that posts,
//!   also for those who wait for room. What still lay in the inlet is dropped with the manager, each
//!   message once.
//!
//! # Memory
//!
//! - [`shrink_to_fit`](crate::MessageManager::shrink_to_fit) gives back all memory that is not in use,
//!   and forgets the names of messagees that are gone. What stays is a few bytes for each place that
//!   messagees, components and subscriptions have taken, so that stale ids stay stale.
//! - At the beginning of every 64th frame a manager gives back by itself the memory of which less than
//!   a quarter was needed since the last such frame. What is needed every few frames is kept. After a
//!   peak it takes two or three such frames until all of it is given back.
//! - Giving back memory changes nothing else: not what is delivered nor in which order, not the id of
//!   the next messagee, not the storage order.
//! - What a process remembers of managers that are gone, so that their ids never come again, does not
//!   grow with how many there were.
//! - A manager that is dropped drops each component, message and closure once, the inlet's first. If
//!   the `Drop` of several panics, all are dropped, and then the first panic goes on; none does while
//!   the thread is unwinding already.
//!
//! # Logs and replays
//!
//! With the feature `data`: see `data::Replay`. The format is that of `data::log_format`.
//!
//! - The same inputs from outside, on the same program, lead to the same state, bit for bit. No address,
//!   thread, hash seed or order of linking shows in what is delivered. Ids hash the same in every manager.
//! - `start_log` begins the log with the state as a save. Every input is written before it runs: frames with
//!   their time in nanoseconds, sends, posts, publications and cancels, of the manager and of
//!   `as_messagee`; spawning, hooking and all other changes; the letters that a frame takes out of the
//!   inlet; and the components that were borrowed mutably, as they were left, before the next input.
//! - What a handler does is not written: it happens again.
//! - What cannot be written, because its type has no data or it is a closure, marks the log with the
//!   place of the call. A replay stops there with an error.
//! - A replay restores the first state, and does each input again. A panic that was caught is caught; one
//!   of the last input goes on.
//! - A digest hashes the clock, the structure, what is pending, retained and published, and each
//!   component type in storage order. Ids in it count from where the manager began. What has no data is
//!   not in it, nor are subscriptions.
//! - At each digest of the log a replay compares the state. The first difference is an error that names
//!   the frame and the component type, and the messagee and the field if a second replay, or the recorded
//!   state, shows them.
//! - A log that is cut off in the middle of an input is repeated up to there. One that was changed is
//!   refused with the place.
//!
//! # Seeing
//!
//! - While a manager is traced, each send, post and publication has a number, and so has each
//!   delivery; a send knows the number of the delivery it was made in, and its place in the source.
//!   Numbers and causes go along through busy queues, newborns, stages, delays, retention, mailboxes
//!   and the inlet. What comes from outside has no cause. Each delivery of a message that repeats is of
//!   the one send; what was posted before the tracing began gets its number when it is delivered, and
//!   no cause. Managers number apart, and numbers go on when tracing is switched on again.
//! - What a handler asks to be changed, and what the manager then says of it, is caused by the delivery
//!   that asked; a `HandlerFailed` by the delivery that failed; a `DeadLetter` by the message that
//!   died.
//! - Reading a mailbox is no delivery: what is done about a letter has its number for a cause where
//!   `with_cause` says so; afterwards, also after a panic, the cause is what it was. What is posted
//!   through an inlet that a handler was given by its context is caused by that delivery.
//! - `explain` tells the chain from the outermost cause to a delivery or a send (who sent what to whom,
//!   where and when, and who received it), and what became of the last message: who received it and how
//!   it went, who was passed over and why, what it waits for, why it was not delivered. A chain that
//!   leads to what was overwritten or left out says so.
//! - A recorder keeps as many events as it has room for; the oldest go first, and are counted. Events
//!   are chosen by message type, messagee and tags, when they are recorded and when they are read.
//! - The wall time of an event is that of the [clock](crate::ManagerConfig::wall_clock) which the
//!   configuration gives, and else of the standard library, since the manager was traced for the first
//!   time. Each event is later than the one before, whatever the clock shows. Nothing else in a manager
//!   asks what time it is, so that a manager works where there is no clock.
//! - A limited recorder keeps the first events that it has room for. While it is in use it counts, for each
//!   message type, how often receivers were called: as often as a recorder with enough room has an event
//!   of a call, also after it is full.
//! - Explanations, recorded events, the titles of Chrome tracks and `tracing` events say the names of
//!   messagees. JSON lines have them in fields of their own: `sender_name`, `recipient_name`,
//!   `receiver_name`. The name is that at the time of printing; after the manager has been dropped none
//!   is printed.
//! - A recording can be written as Chrome trace JSON, with a track for each messagee and an arrow from
//!   each send to each of its deliveries, and as JSON lines; and each event can be one of the `tracing`
//!   crate.
//! - Tracing changes nothing of what is delivered. Disabled tracing costs a send less than 1 %.
//!
//! # Asking
//!
//! What consoles, inspectors and editors ask of a manager only reads.
//!
//! - Each manager of a process has a [`serial`](crate::MessageManager::serial) that no other has or had.
//! - [`messagee_written`](crate::MessageManager::messagee_written) finds a messagee that is alive by the text of
//!   its id, and by no other text.
//! - [`component_name`](crate::MessageManager::component_name) is the name of a component's type while it is
//!   hooked.
//! - [`pending_len`](crate::MessageManager::pending_len) counts what `pending_posts` lists;
//!   [`dead_letters`](crate::MessageManager::dead_letters) counts every dead letter.
//! - With the feature `data`, `pending_message` shows a message while it is pending; `mnemonics_of` and
//!   `groups_of` list the addresses that a messagee has now; `data::declared_mnemonics` and
//!   `data::declared_groups` list all that the program declares, each once, by name.
