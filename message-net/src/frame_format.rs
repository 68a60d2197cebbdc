//! The format of frames between nodes, version 3.
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
//! | 0 | 5 | `CE 4D 4E 00 03`: `MN`, then the version of the protocol in 16 bits |
//! | 1 | 1 | the kind: 0 hello, 1 welcome, 2 data, 3 bye, 4 refuse, 5 challenge |
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
//! | 4 | the sender's tag: a number from 1 on that it has issued for its next session, or for this one |
//! | 5, 6 | the receiver's run and tag, from its last hello; 0 and 0 if there was none |
//! | 7, 8 | the receiver's tag in the last session in which the sender accepted a batch from that run, and the number of the last piece of the last one; 0 and 0 if there is none |
//! | 9 | the longest batch that the sender accepts, in bytes |
//!
//! A run issues each tag once, in ascending order, and independently of what it receives. A session is identified
//! by the runs and tags of both sides. It begins on each side when it receives a hello or welcome that names that
//! side's own run and tag. The side that ends a session takes a new tag. Fields 7 and 8 of a hello that names this
//! tag then determine exactly how many messages were lost. A peer's tag is only compared and sent back: if a hello
//! of a run has a lower tag than the one before, the receiver takes a new tag as well, because one of the two is
//! late or not of that node.
//!
//! A hello that does not belong to the session of its receiver is answered with a challenge.
//!
//! # Data: 10 fields
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5, 6 | the tags of the sender and of the receiver: of which session the frame is |
//! | 7 | the sender has accepted all pieces of the receiver up to this number; 0 if none |
//! | 8 | 64 bits: bit n is set if the sender also has the piece with number field 7 + 2 + n |
//! | 9 | an array of up to 64 pieces |
//!
//! A piece is an array of three fields:
//!
//! | field | what |
//! |---|---|
//! | 0 | its number, counted from 1 in each session and direction |
//! | 1 | 0 a whole batch, 1 the first part of one, 2 a further part, 3 the last part |
//! | 2 | `bin`: its bytes |
//!
//! The first batch of a session is the sender's hello to the application on the other side, and contains no
//! message. At most 64 pieces are in flight at a time. A frame without pieces serves as an acknowledgement and
//! a sign of life.
//!
//! # Bye: 8 fields
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5, 6 | the tags of the sender and of the receiver: which session ends |
//! | 7 | the number of the last piece of the last batch that the sender has accepted; 0 if none |
//!
//! # Refuse: 8 fields
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5, 6 | the tags of the sender and of the receiver: which session ends, because the receiver's hello is not accepted; 0 and 0 if none does |
//! | 7 | text: why the receiver is not accepted, up to 512 bytes |
//!
//! # Challenge: 7 fields
//!
//! Asks whether a hello was sent by the node whose name it has.
//!
//! | field | what |
//! |---|---|
//! | 4 | the receiver's run |
//! | 5 | the tag of the sender's next session |
//! | 6 | the receiver's tag, from the hello |
//!
//! A node that has no session, and has issued the tag in field 6 for the next one, answers with a hello that names
//! the tag in field 5. Any other node ignores the challenge. The answer ends the session of the challenger.
