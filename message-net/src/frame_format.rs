//! The format of frames between nodes, version 1.
//!
//! The data that a [`Link`](crate::link::Link) carries. A frame is exactly one `MessagePack` array, with
//! nothing after it. A number is a positive fixint or `uint` of any width that holds it; `MessagePack` numbers
//! are big-endian.
//!
//! # Each frame
//!
//! | field | bytes | what |
//! |---|---|---|
//! | | 1 | `9x`: an array of x fields |
//! | 0 | 5 | `CE 4D 4E 00 01`: `MN`, then the version of the protocol in 16 bits |
//! | 1 | 1 | the kind: 0 hello, 1 welcome, 2 data, 3 bye, 4 refuse |
//! | 2 | 2 to 66 | text: the name of the sender, up to 64 bytes of UTF-8. A frame is refused if the link names a different sender |
//! | 3 | 1 to 9 | the run of the sender: identifies the incarnation of its node |
//! | … | | the fields of the kind |
//!
//! The first four fields are the same in later versions, so a node can tell which version a peer speaks. A
//! frame of another version is refused, and the refusal names both versions.
//!
//! # Hello and welcome: 10 fields
//!
//! A hello requests a session and an answer; a welcome answers a hello of the session.
//!
//! | field | what |
//! |---|---|
//! | 4 | the sender's tag, from 1 to 2^48: the lowest epoch that it agrees to |
//! | 5, 6 | the receiver's run and tag, from its last hello; 0 and 0 if there was none |
//! | 7, 8 | the last epoch in which the sender accepted a batch from that run, and the number of the last piece of the last one; 0 and 0 if there is none |
//! | 9 | the longest batch that the sender accepts, in bytes |
//!
//! The epoch of a session is the larger of the two tags. The session begins on each side when it receives a
//! hello or welcome that names that side's own run and tag. The side that ends a session continues with a tag
//! one larger than the session's epoch; a hello with a larger tag than before ends the session on the other
//! side. Fields 7 and 8 then determine exactly how many messages were lost.
//!
//! # Data: 9 fields
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5 | the epoch |
//! | 6 | the sender has accepted all pieces of the receiver up to this number; 0 if none |
//! | 7 | 64 bits: bit n is set if the sender also has the piece with number field 6 + 2 + n |
//! | 8 | an array of up to 64 pieces |
//!
//! A piece is an array of three fields:
//!
//! | field | what |
//! |---|---|
//! | 0 | its number, counted from 1 in each epoch and direction |
//! | 1 | 0 a whole batch, 1 the first part of one, 2 a further part, 3 the last part |
//! | 2 | `bin`: its bytes |
//!
//! The first batch of an epoch is the sender's hello to the application on the other side, and contains no
//! message. At most 64 pieces are in flight at a time. A frame without pieces serves as an acknowledgement and
//! a sign of life.
//!
//! # Bye: 7 fields
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5 | the epoch that ends |
//! | 6 | the number of the last piece of the last batch that the sender has accepted; 0 if none |
//!
//! # Refuse: 6 fields
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5 | text: why the receiver is not accepted, up to 512 bytes |
