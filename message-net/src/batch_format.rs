//! The format of batches between nodes, version 7.
//!
//! The data that a session carries inside [frames](crate::frame_format): first a hello, then batches of
//! entries. Everything is encoded as `MessagePack`. A number is a positive fixint or `uint` of any width that
//! holds it.
//!
//! # Hello
//!
//! The first batch of a session, up to 1 MiB. Both sides send one.
//!
//! | what | form |
//! |---|---|
//! | the version of this format: 7. A node refuses any other version, and names both | number |
//! | the message types of the sender, sorted by name, without duplicates. A node accepts up to 4 096 by default | array |
//!
//! Each type is an array of four:
//!
//! | what | form |
//! |---|---|
//! | its full name | text |
//! | its version | number |
//! | its [`Shape`](message_data::Shape) | text |
//! | whether the sender reads a list of its fields: see [by position](#by-position) | true or false |
//!
//! From then on the sender identifies a type by its index in its own list, counted from 0.
//!
//! # Entries
//!
//! Each further batch is a sequence of entries. An entry is an array; its first value is the kind of entry. A `bin`
//! between entries is [a message that follows another one](#messages-that-follow-another-one). If an entry cannot be
//! read, the rest of its batch is skipped and the failure is reported to the world.
//!
//! | number | parts | what | values behind the number |
//! |---|---|---|---|
//! | 0 | 5 to 8 | a message | receiver, sender, type, content; then ids, header and ticket, as far as present |
//! | 1 | 3 or 4 | a message was not accepted | `bin`: the message, as an entry of kind 0; text: why; the [step](#steps) that has refused it |
//! | 2 | 2 | a messagee of the sender has ended | handle |
//! | 3 | 2 | the sender is interested in an export | text: its name, without the node |
//! | 4 | 3 | an export is known by this handle, or no longer exists | text: its name; handle or nil |
//! | 5 | 3 | a group spans the two nodes, or no longer does | text: its name; true or false |
//! | 6 | 4 or 5 | the answer to a question | ticket; ids and `bin`: the reply; or a number and text: why there is none; the [step](#steps) that has answered |
//! | 7 | 2 | the proxy of a handle is gone: the receiver can forget the handle | handle |
//! | 8 | 2 | there is a proxy for this handle; if its messagee has ended, entry 2 answers | handle |
//! | 9 | 1 | a session has begun, and the sender has no proxies except those for the handles in entries of kind 8 | |
//! | 10 | 4 | how many messages of this run of the receiver the sender has taken: see [below](#taken) | number; numbers of refused messages and refused questions among them |
//! | 11 | 3 to 5 | the send that the next message of the batch comes from: see [below](#causes) | number of the send; number of its line or nil; text: the line, or nil; `bin`: the ids of its trace |
//!
//! Names of up to 1 024 bytes are kept.
//!
//! # Handles
//!
//! A handle is a 32-bit number that a node assigns to one of its messagees, for use by one other node. It means
//! nothing to any other node, and it is not reused for another messagee while the other node may know it.
//!
//! # Messages
//!
//! | value | form |
//! |---|---|
//! | receiver | a recipient, below |
//! | sender | nil if the message was sent from outside of all messagees; otherwise the sender's handle. It must belong to the sending node, or the message is refused |
//! | type | its index in the sender's hello |
//! | content | `bin`: as [`message_to_bytes`](message_data::message_to_bytes) writes it, or [by position](#by-position) |
//! | ids | array of up to 65 536 messagees, in the form below: the content refers to them by their index in this array |
//! | header | nil for a send; `bin`: the header of a post, as [`to_bytes`](message_data::to_bytes) writes it, up to 4 096 bytes. The recipient in the header is ignored |
//! | ticket | nil; or the number of a question, which the answer repeats |
//!
//! The last three values are omitted from the end: a message without ids, sent without a header, has 5 parts. A
//! reader also accepts an empty array of ids, and nil.
//!
//! The names of mnemonics, groups and tags in a message are full names.
//!
//! # Messages that follow another one
//!
//! A `bin` between entries is the content of another message with the receiver, the sender and the type of the last
//! message before it in the batch. That message has no ids, no header and no ticket, its sender is nil or a handle, and
//! the name of its receiver has up to 64 bytes. A cause or other entries can come in between.
//!
//! # Taken
//!
//! A node counts the messages of the other node's run that it has received or refused, as long as it knows the other
//! node. It sends the numbers in an entry of kind 10: at the beginning of each session, with other entries, and at the
//! latest after a heartbeat. Refusals and answers of these messages precede the entry. So the other node finds out which
//! refusals are lost. When a run ends, what was sent to it, is not lost and was not taken counts as lost.
//!
//! If the first entry of this kind in a session does not contain all messages of earlier sessions that were not lost,
//! one of the nodes has forgotten the other one. The messages in question count as lost.
//!
//! # Causes
//!
//! While the manager of a sender is traced, an entry of kind 11 precedes each message. A line of source is named when it
//! first occurs in a session, such as `src/zone.rs:12:9`, in up to 256 bytes. The first 256 lines are numbered from 0 on,
//! and later causes contain the number alone. Further lines are named each time. The last value is the trace id and the
//! parent id of [Trace Context](https://www.w3.org/TR/trace-context/), 16 and 8 bytes. The last two values are omitted
//! from the end.
//!
//! # Steps
//!
//! If a cause preceded a message, its refusal, or its answer if it is a question, has a last value that leads back: an
//! array of two to four.
//!
//! | what | form |
//! |---|---|
//! | the number of the send, from the cause | number |
//! | the frame in which the message was refused or answered | number |
//! | the number of the delivery that has answered or failed; or of the message's arrival, if no handler did. Omitted if the manager is not traced | number |
//! | the line of source of the handler, in up to 256 bytes; omitted if there is none | text |
//!
//! # By position
//!
//! The content of a message that is a struct with named fields is a map of names to values. It can be an array
//! of the values alone, in the order of the fields in the shape, if
//!
//! - the versions and the texts of the shapes in both hellos are equal, and
//! - the receiver's hello says that it reads a list of the type's fields.
//!
//! Such an array contains all fields, including optional ones. A struct nested in a field is still a map with
//! names. A message that leaves a field out, or writes its fields in a different order than it reads them, is
//! sent with names; both forms can appear in the same batch. If the shapes of a type differ, an array is
//! refused, and the refusal contains the reader's shape. Questions and their replies are always sent with
//! names.
//!
//! Nodes that use other versions of this format are refused. In version 6 each message is an entry. Version 5 has no
//! steps, version 4 has no causes, and version 3 counts only refusals in an entry of kind 10.
//!
//! # Recipients
//!
//! A recipient belongs to the node that receives the batch:
//!
//! | form | who |
//! |---|---|
//! | number | a handle that this node has assigned |
//! | text | the name of an export |
//! | array of 0 and a text | the messagee bound to the exported mnemonic of that name |
//! | array of 1 and a text | the members of the exported group of that name |
//! | nil | nobody: the outside of all messagees |
//!
//! A messagee among the ids:
//!
//! | form | who |
//! |---|---|
//! | number | one of the sending node's own messagees, by its handle |
//! | text, `node/name` | an export of a third node |
//! | array of one recipient | one of the receiving node's messagees |
//!
//! # Why there is no answer
//!
//! | number | what |
//! |---|---|
//! | 0 | there was no answer in time |
//! | 1 | the messagee that was asked has ended |
//! | 2 | its node cannot be reached |
//! | 3 | the request was refused |
//! | 4 | nobody has answered |
//! | 5 | the answer cannot be written, or read |
//! | 6 | a handler has failed |
