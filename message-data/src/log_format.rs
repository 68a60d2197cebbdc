//! The format of a log, version 3.
//!
//! [`Log::start`](crate::Log::start) writes this format and [`Replay`](super::Replay)
//! reads it. Numbers outside of values are little-endian.
//!
//! # Head
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MSGCLOG`, `0A` |
//! | 4 | the version of the format: 3. A program rejects any other version |
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
//! its bytes. Types, inputs of other crates, world files and places are numbered from 0 in the order in which they
//! appear. Where the last part of an input is a place, it is the number of one: that of the call.
//!
//! | tag | input | parts |
//! |---|---|---|
//! | `B` | all names begin anew: what appears behind it is numbered from 0 again | |
//! | `N` | the next type | its full name |
//! | `F` | the next world file | its text |
//! | `P` | the next place | file, line, column |
//! | `t`, `tb` | a tick, the beginning of a frame | nanoseconds |
//! | `tw` | the beginning of a frame by a host that keeps both clocks | nanoseconds, scaled and unscaled |
//! | `ts` | a stage | which |
//! | `tp` | what a panic has left is settled before a frame | |
//! | `s` | a send (`s`), a send of an in–out message (`m`), a request (`r`), a request to all (`a`) | how, recipient, sender, value, place |
//! | `p` | a post | header, sender, value, place |
//! | `m` | a publication | recipient, sender, value, place |
//! | `l` | a message that another thread has posted, after the frame that takes it in | header, value, place |
//! | `lq` | a question that another thread has asked, in the same place | recipient, value, place |
//! | `c` | cancelling | which posts, sender |
//! | `+`, `-` | spawning, despawning | name, values, place; id, what happens to children, place |
//! | `h`, `u`, `e` | hooking, unhooking, enabling | id, value, place; hook, place; hook, whether, place |
//! | `f`, `b`, `bu`, `g`, `n` | parent, binding, unbinding, group, name | |
//! | `cs`, `cp`, `cf` | time scale, pause, fixed step in nanoseconds | |
//! | `cm` | memory that is not used is freed | |
//! | `mr`, `mf` | how long mail is kept, what is no longer retained | |
//! | `su`, `sl` | the end of a subscription, its pause | |
//! | `w`, `wt` | a world file or one of its templates is instantiated | file, place; file, template, name, place |
//! | `ww`, `we`, `wr` | a wire is made, enabled, removed | of the first one, its form and the place |
//! | `X` | the next type of [inputs of other crates](crate::LoggedInput) | its name |
//! | `x` | an input of another crate | the number of its type, its value, place |
//! | `=` | a component in the state in which code outside has left it | hook, value, the place where it was borrowed |
//! | `d`, `S` | a digest; after it the state, if states are kept | frame and parts, each a name and a hash; a save |
//! | `!` | an input that could not be written | what, place |
