//! The format of a log, version 1.
//!
//! [`Log::start`](crate::Log::start) writes this format and [`Replay`](super::Replay)
//! reads it. Numbers outside of values are little-endian.
//!
//! # Head
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MSGCLOG`, `0A` |
//! | 4 | the version of the format: 1. A program rejects any other version |
//! | 8 | the length of the save that follows |
//! | 8 | XXH3-64 of the save |
//! | … | the initial state, as a [save](super::save_format) |
//!
//! # Inputs
//!
//! Then, for each input up to the end of the file:
//!
//! | bytes | what |
//! |---|---|
//! | 1 to 5 | the length, 7 bits per byte, the lowest first; the highest bit is set in all bytes but the last |
//! | … | the input, as `MessagePack`: a map from its tag to a list of its parts |
//! | 4 | the low half of XXH3-64 of the input |
//!
//! An id is a number: the place in the low 32 bits, the generation above. A recipient that is a messagee is just such
//! a number, and so is a sender. The sender of an input from outside is `nil`. A value is the number of its type and
//! its bytes. Types, inputs of other crates and world files are numbered from 0 in the order in which they appear.
//!
//! | tag | input | parts |
//! |---|---|---|
//! | `N` | the next type | its full name |
//! | `F` | the next world file | its text |
//! | `t`, `tb` | a tick, the beginning of a frame | nanoseconds |
//! | `tw` | the beginning of a frame by a host that keeps both clocks | nanoseconds, scaled and unscaled |
//! | `ts` | a stage | which |
//! | `tp` | what a panic has left is settled before a frame | |
//! | `s` | a send (`s`), a request (`r`), a request to all (`a`) | how, recipient, sender, value |
//! | `p` | a post | header, sender, value |
//! | `m` | a publication | recipient, sender, value |
//! | `l` | a message that another thread has posted, after the frame that takes it in | header, value |
//! | `lq` | a question that another thread has asked, in the same place | recipient, value |
//! | `c` | cancelling | which posts, sender |
//! | `+`, `-` | spawning, despawning | name and values; id and what happens to children |
//! | `h`, `u`, `e` | hooking, unhooking, enabling | id and value; hook; hook and whether |
//! | `f`, `b`, `bu`, `g`, `n` | parent, binding, unbinding, group, name | |
//! | `cs`, `cp`, `cf` | time scale, pause, fixed step in nanoseconds | |
//! | `mr`, `mf` | how long mail is kept, what is no longer retained | |
//! | `su`, `sl` | the end of a subscription, its pause | |
//! | `w`, `wt` | a world file or one of its templates is instantiated | file; file, template, name |
//! | `ww`, `we`, `wr` | a wire is made, enabled, removed | |
//! | `X` | the next type of [inputs of other crates](crate::LoggedInput) | its name |
//! | `x` | an input of another crate | the number of its type, its value |
//! | `=` | a component in the state in which code outside has left it | hook, value |
//! | `d`, `S` | a digest; after it the state, if states are kept | frame and parts, each a name and a hash; a save |
//! | `!` | an input that could not be written | what, place |
