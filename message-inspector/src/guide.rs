//! From a running program to the line of source that killed the knight.
//!
//! The example `skirmish` is a battle: a squad of the castle against an ogre and its goblins. In the fight
//! the knight dies, and it is not obvious why. This page finds out.
//!
//! # 1. Start it
//!
//! ```sh
//! cargo run --release --example skirmish -- --inspect
//! ```
//!
//! The program prints `look at http://127.0.0.1:7707/` (another port if that one is taken) and fights one
//! turn a second, without end. Open the address in a browser. The page comes from the program itself; it
//! needs no network.
//!
//! The view **Now** shows how many messages of each type are delivered, how many posts are pending, and what
//! has failed. `1` to `8` open the views; if the inspector is writable, as it is here, `p` pauses the clock and `s` steps
//! one frame; `?` lists all keys.
//!
//! # 2. Find the delivery
//!
//! Press `4` for the **Timeline**, then `/`, and write `knight`. Each box is a delivery; the newest frame
//! stands first. A box with a red border has failed. The timeline stands still while you point at it. What
//! the manager itself sends, when messagees come and go, is shown if you ask for it.
//!
#![cfg_attr(doc, doc = concat!("![The timeline: a row for each frame, a box for each delivery](data:image/png;base64,", include_str!("../pictures/timeline.png.txt"), ")"))]
//!
//! # 3. Follow its cause
//!
//! Choose the first box, `Damage → knight` in the frame in which it died. **Cause** shows all that led to it:
//! an `Update` to everyone, sent in `game.rs`; the ogre, which received it; and the blow, sent at
//! `examples/skirmish/chase.rs:42`. That is the line that killed the knight. Each step names its sender, its receiver, its handler and its place,
//! and can be chosen in turn. Below stands what the delivery led to.
//!
#![cfg_attr(doc, doc = concat!("![A cause chain, from the line of source that began it](data:image/png;base64,", include_str!("../pictures/cause.png.txt"), ")"))]
//!
//! # 4. See the whole
//!
//! Press `3` for the **Flow**: an arrow for each message type between two types of components; the wider it
//! is, the more are delivered. Choose a node to see only what comes from it and goes to it. The same
//! numbers stand in a table below.
//!
#![cfg_attr(doc, doc = concat!("![The flow: components, and arrows between them](data:image/png;base64,", include_str!("../pictures/flow.png.txt"), ")"))]
//!
//! # 5. Change something
//!
//! An inspector that is [writable](crate::Builder::writable) can act, too. In the **Console** (`7`) write
//! `send goblin* Damage(amount: 3)`; `Tab` completes names, messages and fields. The answer has a receipt for
//! each receiver, and a link to what its message led to. In **Later** (`5`) a pending message can be
//! cancelled, or delivered now.
//!
//! # In a program of your own
//!
//! Call [`attach`](crate::Inspector::attach) for each manager, [`update`](crate::Inspector::update) once a frame,
//! also while the game is paused, and [`detach`](crate::Inspector::detach) before the manager is dropped. With
//! several managers the page has a choice of worlds.
//!
//! ```
//! use message_core::prelude::*;
//! use message_inspector::Inspector;
//! use std::time::Duration;
//!
//! let mut inspector = Inspector::serve("127.0.0.1:0")?;
//! let mut town = MessageManager::new();
//! inspector.attach(&mut town, "town");
//! for _ in 0..100 {
//!     town.tick(Duration::from_millis(16));
//!     inspector.update(&mut town);
//! }
//! inspector.detach(&mut town);
//! drop(town);
//! # Ok::<(), message_inspector::InspectorError>(())
//! ```
//!
//! # What it costs
//!
//! While nobody looks: nothing. A frame of 100 000 sends takes 14 317 287 instructions with an inspector
//! attached, and 14 318 502 without one (`inspector_cost` in `message-benches`, under callgrind).
//!
//! While somebody looks: frames with up to 2 000 events are traced in full. A busier frame is a sample, after
//! which as many frames are left alone as take fifty times what the sample has cost, for five seconds at most. What a page asks
//! of a world is answered between frames, in half a millisecond of each or one answer, if that takes longer.
//! A frame of which nothing is recorded is told to the server 100 times a second at most: to wake its thread takes
//! longer than all else that such a frame costs.
//!
//! The test `load` runs an hour of frames with ten pages open at a world in which 1 000 messagees come and go in each
//! frame. The least memory allocated was 35 976 KiB in its fourth tenth and 35 990 KiB in its last.
//!
//! # A recording instead of a program
//!
//! A file that `Recorder::write_json_lines` has written can be dropped onto the page, or chosen with
//! *Open recording*. It answers as far as it knows: what is pending, and how things are wired, only a
//! running program can tell. A recording can also be opened when the program has ended, as long as the
//! page is open.
//!
//! ```no_run
//! use message_core::prelude::*;
//! use message_core::trace::{Recorder, TraceFilter};
//! use std::fs::File;
//! use std::time::Duration;
//!
//! let mut manager = MessageManager::new();
//! manager.start_recording(Recorder::new(100_000).with_contents());
//! manager.tick(Duration::from_millis(16));
//! let recorder = manager.stop_recording().expect("it was started");
//! recorder.write_json_lines(&TraceFilter::all(), File::create("battle.jsonl")?)?;
//! # Ok::<(), std::io::Error>(())
//! ```
