//! From a running program to the line of source that killed the knight.
//!
//! The example `skirmish` is a battle: a squad of the castle against an ogre and its goblins. The knight
//! dies in the fight, and it is not obvious why. This page finds out.
//!
//! # 1. Start it
//!
//! ```sh
//! cargo run --release --features inspect --example skirmish -- --inspect
//! ```
//!
//! The program prints `look at http://127.0.0.1:7707/?token=…` (another port if that one is taken) and fights one
//! turn per second, forever. Open the address in a browser, with its random token; from then on, the browser has it as
//! a cookie. The page is served by the program itself; it needs no network.
//!
//! The view **Now** shows how many messages of each type are delivered, how many posts are pending, and what
//! has failed. Sends that nobody received are listed with the reason: in the example `showcase`, which components the
//! door has, and which one would open it. The keys `1` to `9` open the views. If the inspector is writable, as it is
//! here, `p` pauses the clock and `s` steps one frame. `?` lists all keys.
//!
//! # 2. Find the delivery
//!
//! Press `4` for the **Timeline**, then `/`, and type `knight`. Each box is a delivery; the newest frame
//! comes first. A box with a red border has failed, and one with a dashed border was received by nobody. Deliveries of
//! one kind are folded into one box with their count. A search looks through all that is kept, however long ago the
//! knight died. A word behind `-` leaves something out: `knight -Advance`. The buttons lead back page by page. The
//! timeline does not move while you point at it. The messages that the manager itself sends when messagees come and go
//! are shown on request.
//!
//! *Lanes* show the same as a row for each type or messagee, in which a box is as wide as all that the delivery led
//! to. The wheel zooms.
//!
//! # 3. Follow its cause
//!
//! Choose the first box, `Damage → knight` in the frame in which it died. **Cause** begins with the answer: the knight
//! received a blow, which the ogre sent at `examples/skirmish/chase.rs:42`. That is the line that killed the knight.
//! Below it are the steps back to the `Update` to everyone, sent in `game.rs`, with which it began. Each step names its
//! sender, receiver, handler and place, and can be selected in turn. A place opens in your
//! [editor](crate::Builder::editor). The consequences of the delivery are listed below.
//!
//! A messagee that is gone is still listed in **Messagees** (`2`), with the line that despawned it. Its last values are
//! known if somebody looked while it was there.
//!
//! # 4. See the whole
//!
//! Press `3` for the **Flow**: an arrow for each message type between two types of components. The wider it
//! is, the more messages are delivered. Choose a node to see only the messages it sends and receives. The same
//! numbers are in a table below. *Save as* text or Mermaid downloads the arrows, sorted and without counts, as
//! `message_trace::Flow` writes them: a project can commit the file and see changes in review.
//!
//! # 5. Change something
//!
//! An inspector that is [writable](crate::Builder::writable) can also act. In the **Console** (`7`), type
//! `send goblin* Damage(amount: 3)`; `Tab` completes names, messages and fields. The answer has a receipt for
//! each receiver, and a link to the consequences of its message. **Later** (`5`) shows the next ten seconds
//! as an axis with each repetition. A pending message can be cancelled or delivered now.
//!
//! *Change* on a messagee's page shows the fields of a component with data, each with its value as text. A value that
//! does not fit changes nothing, and the error is shown at its field. Like a message from the console, a change is an
//! input from outside: a log repeats it.
//!
//! # 6. Go back
//!
//! It does not matter if you open the page late: from [`attach`](crate::Inspector::attach) on, a flight recorder keeps the
//! inputs of at least the last 3 600 frames. **Time** (`9`) shows the first recorded frame and the size of the recording.
//! *Go back in time* opens a copy as another world; the running one continues. A slider selects any of its frames; `,` and
//! `.` step back and forward. Every other view shows the state in that frame, and the causes of at least the 60 frames
//! before it.
//!
//! *Who changed this?* on a messagee's page goes to the last change of a component or of one field: the value before and
//! after, the handler, and the message, whose cause is one click away. *The last change before this frame* goes further
//! back. *Run on from here* leaves the log: the copy continues on its own from that frame, and can be paused, stepped and
//! changed. The log itself does not change.
//!
//! *Download* saves the log as a file, even after the manager is gone. With
//! [`write_on_panic`](crate::Builder::write_on_panic), a panic writes it, too. A log from there
//! or from [`Log`](message_data::Log) opens like a recording when it is dropped onto the page of the program that wrote
//! it. Another build of the program opens it if it [can still read its types](message_data::guide).
//!
//! A replay runs the program's handlers again, on a thread of its own, so the inspector must be
//! [writable](crate::Builder::writable). Handlers that reach outside the manager ask
//! [`is_replaying`](message_core::MessageManager::is_replaying). Subscribers are closures, which no log has:
//! [`Builder::prepare`](crate::Builder::prepare) subscribes again.
//!
//! # 7. Break
//!
//! To set a break, choose a message type and a messagee (or *anyone*) in **Time**. When such a message is delivered, the
//! clock is paused before the next frame. The top of the page shows which delivery it was, with a link to its cause. You
//! can then step the world or resume it. Breaks are active only while a page is open.
//!
//! # In your own program
//!
//! Call [`attach`](crate::Inspector::attach) for each manager, [`update`](crate::Inspector::update) once per frame,
//! even while the game is paused, and [`detach`](crate::Inspector::detach) before the manager is dropped. With
//! several managers, such as the rooms of `message-rooms`, the page offers a choice of worlds.
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
//! # Cost
//!
//! While no page is open, an inspector costs nothing that can be measured, apart from the flight recorder below. In a
//! world without data, which cannot be recorded, a frame of 100 000 sends takes 14 317 287 instructions with an inspector
//! attached and 14 318 502 without one (`inspector_cost` in `message-benches`, under callgrind).
//!
//! While somebody looks, frames with up to 2 000 events are traced in full. A busier frame becomes a sample.
//! After a sample, no frame is traced until fifty times its cost has passed, but for at most five seconds.
//! Requests to a world are answered between frames: half a millisecond per frame, but at least one answer.
//! A frame in which nothing is recorded is reported to the server at most 100 times per second, because waking
//! its thread takes longer than everything else that such a frame costs.
//!
//! The flight recorder is on whether somebody looks or not. Handlers cost it nothing, because a log has only what comes
//! from outside. A message that is sent from outside takes about 4 600 instructions to be written to memory, and a frame
//! about 25 000 (under callgrind). Every 3 600 frames the state is saved: 2 400 instructions for each messagee with one
//! small component. A world is not recorded at all if its state takes more than 4 MiB, unless
//! [the program asks for it](crate::Builder::flight_recorder).
//!
//! The test `load` runs an hour of frames with ten pages open on a world in which 1 000 messagees come and go in each
//! frame. The least memory allocated was 35 976 KiB in its fourth tenth and 35 990 KiB in its last.
//!
//! # Opening a recording
//!
//! A file written by `message_trace::write_json_lines` can be dropped onto the page, or opened with
//! *Open recording*. The page shows what the recording contains. Pending messages and the wiring are only
//! available from a running program. A recording can also be opened after the program has ended, as long as the
//! page is open.
//!
//! ```no_run
//! use message_core::prelude::*;
//! use message_trace::{Recorder, TraceFilter};
//! use std::fs::File;
//! use std::time::Duration;
//!
//! let mut manager = MessageManager::new();
//! Recorder::new(100_000).with_contents().start(&mut manager);
//! manager.tick(Duration::from_millis(16));
//! let recorder = Recorder::stop(&mut manager).expect("it was started");
//! message_trace::write_json_lines(&recorder, &TraceFilter::all(), File::create("battle.jsonl")?)?;
//! # Ok::<(), std::io::Error>(())
//! ```
