//! The format of batches between nodes, version 3.
//!
//! What a session carries, inside of [frames](crate::frame_format): first a hello, then batches of entries.
//! All of it is `MessagePack`. A number is a positive fixint or `uint` of any width that holds it.
//!
//! # Hello
//!
//! The first batch of a session, up to 1 MiB. Both sides send one.
//!
//! | what | form |
//! |---|---|
//! | the version of this format: 3. A node refuses another one, with both named | number |
//! | the message types of the sender, up to 65 536, in the order of their names, each once | array |
//!
//! Each type is an array of four:
//!
//! | what | form |
//! |---|---|
//! | its full name | text |
//! | its version | number |
//! | its [`Shape`](message_core::data::Shape) | text |
//! | if the sender reads a list of its fields: see [by position](#by-position) | true or false |
//!
//! From then on the sender names a type by its place in its own list, counted from 0.
//!
//! # Entries
//!
//! Each further batch is entries, one behind the other. An entry is an array; its first value says what it
//! is. If one cannot be read, the rest of its batch is not read, and the world is told of it.
//!
//! | number | parts | what | values behind the number |
//! |---|---|---|---|
//! | 0 | 5 to 8 | a message | receiver, sender, type, content; then as far as it has them ids, header, ticket |
//! | 1 | 3 | a message did not arrive | `bin`: the entry as it came; text: why |
//! | 2 | 2 | a messagee of the sender has ended | handle |
//! | 3 | 2 | the sender wants to know of an export | text: its name, without the node |
//! | 4 | 3 | an export is known by this handle; or is not there any more | text: its name; handle or nil |
//! | 5 | 3 | a group spans the two nodes; or does so no more | text: its name; true or false |
//! | 6 | 4 | the answer to a question | ticket; ids and `bin`: the reply; or a number and text: why there is none |
//! | 7 | 2 | the proxy of a handle is gone: the receiver can forget the handle | handle |
//! | 8 | 2 | there is a proxy for this handle; if its messagee has ended, entry 2 answers | handle |
//! | 9 | 1 | a session has begun, and the sender has no proxies but for the handles of entry 8 | |
//! | 10 | 2 | so many messages of this run of the receiver were refused: behind the entries that have told which ones, as those may be lost | number |
//!
//! Names are kept up to 1 024 bytes.
//!
//! # Handles
//!
//! A handle is a number of 32 bits that a node gives to one of its messagees, for one other node. It stands
//! for nobody at any other node, and no two messagees have it in turn while the other node may know it.
//!
//! # Messages
//!
//! | value | form |
//! |---|---|
//! | receiver | a recipient, below |
//! | sender | nil if it was sent from outside of all messagees; otherwise its handle. It is one of the sending node's own: another is refused |
//! | type | its place in the sender's hello |
//! | content | `bin`: as [`message_to_bytes`](message_core::data::message_to_bytes) writes it, or [by position](#by-position) |
//! | ids | array of up to 65 536 messagees, below: those that stand in the content, which has their places in this array |
//! | header | nil for a send; `bin`: the header of a post, as [`to_bytes`](message_core::data::to_bytes) writes it, up to 4 096 bytes. Its recipient means nothing |
//! | ticket | nil; or the number of a question, whose answer bears it |
//!
//! The last three are left out from the end: a message without ids, sent without a header, has 5 parts. A
//! reader takes an empty array of ids, and nil, too.
//!
//! # By position
//!
//! The content of a message that is a struct with named fields is a map of names to values. It can be an array
//! of the values alone, in the order of the fields in the shape, if
//!
//! - the versions and the texts of the shapes in both hellos are equal, and
//! - the receiver's hello says that it reads a list of the type's fields.
//!
//! All fields are there then, also those that may be missing. A struct that stands in a field is a map with
//! names, as ever. A message that leaves a field out, or writes its fields in another order than it reads them, goes
//! with names; both forms can follow each other. An array for a type whose shapes differ is refused, with the
//! reader's shape. Replies to questions, and questions, have names.
//!
//! A node of version 2 of this format has no array in the place of a map, and no fourth part of a type in its
//! hello. The two refuse each other.
//!
//! # Recipients
//!
//! A recipient is of the node that receives the batch:
//!
//! | form | who |
//! |---|---|
//! | number | a handle that this node has given |
//! | text | the name of an export |
//! | array of 0 and a text | who is bound to the exported mnemonic of that name |
//! | array of 1 and a text | the members of the exported group of that name |
//! | nil | nobody: what is outside of all messagees |
//!
//! A messagee among the ids:
//!
//! | form | who |
//! |---|---|
//! | number | one of the sending node's own, by its handle |
//! | text, `node/name` | an export of a third node |
//! | array of one recipient | one of the receiving node's |
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
