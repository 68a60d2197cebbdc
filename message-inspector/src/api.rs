//! The HTTP interface between the page and the server, version 1.
//!
//! JSON over HTTP/1.1: `GET` reads, `POST` changes, and one stream of server-sent events per world
//! pushes updates. All paths begin with `/api/v1/`. A later version either keeps every field that is
//! listed here or gets a new version number. Fields can be added, so readers must ignore unknown fields.
//! An absent field is written as `null` unless stated otherwise.
//!
//! # Common to all requests
//!
//! - **Host**: the header `Host` must be an IP address, `localhost`, or a name that
//!   [`Builder::host`](crate::Builder::host) allows, with the port of the server. Others are refused with 421 `host`.
//! - **Origin**: if a request has the header `Origin`, it must be `http://` and an allowed host. Others
//!   are refused with 403 `origin`. `Sec-Fetch-Site: cross-site` and `same-site` are refused likewise.
//! - **Token**: unless it is [switched off](crate::Builder::without_token), each request below `/api/` must
//!   include the token of the server, as `Authorization: Bearer TOKEN`, as the parameter `token=TOKEN` of the query,
//!   or as the cookie `message-inspector-PORT`. Without it: 401 `token`. The static files do not need one. The address
//!   that [`Inspector::url`](crate::Inspector::url) returns is `http://HOST:PORT/?token=TOKEN`. It sets the cookie
//!   (`HttpOnly`, `SameSite=Strict`, until the browser ends) and redirects to `http://HOST:PORT/`.
//! - **Time**: a request and its answer must be transferred within the [deadline](crate::Builder::deadline). Otherwise
//!   the connection ends, after 408 `slow` if the body is late. Connections are kept alive for requests with the token
//!   only, and for no longer than the deadline.
//! - **POST** needs the header `X-Message-Inspector: 1` (else 403 `header`),
//!   `Content-Type: application/json` (else 415 `content-type`), a body of at most 64 KiB (else 413
//!   `body`), and a server that is [writable](crate::Builder::writable) (else 403 `read-only`). `POST logs` has a body of
//!   at most 64 MiB, with `Content-Type: application/octet-stream`.
//! - **Page**: the static files are served with a strict `Content-Security-Policy`: scripts and styles are
//!   loaded only from the server's own files; inline code and other hosts are not allowed.
//! - **Errors**: status 4xx or 5xx, and `{"error": TEXT, "code": CODE}`. `TEXT` says what was wrong and
//!   what was expected, for people; `CODE` is one of those named here. The others are 400 `bad` (a parameter or
//!   body that cannot be read), 404 `unknown` (path, world, messagee, trace id or post), 405 `method`,
//!   429 `busy` (too many requests are waiting for the world, or too many streams are open), 504 `asleep` (the
//!   world did not call [`update`](crate::Inspector::update) for two seconds), 410 `detached` (the world
//!   is no longer attached).
//! - **Types of values**: an *id* of a messagee or hook is a text such as `"3v1"`. A *trace id* is a
//!   number. A *time* is a number of seconds, unless its name ends in `_ns`. A *place* is `"file:line"` or
//!   `"file:line:column"`. *Message* and *component* are the full names of types; `short` is the part of
//!   a name after its last `::` or `.`.
//!
//! # GET hello
//!
//! | field | value |
//! |---|---|
//! | `version` | 1 |
//! | `server` | the version of this crate |
//! | `writable` | whether POSTs are allowed |
//! | `worlds` | list of `{"id": NUMBER, "name": TEXT, "attached": BOOL, "replay": BOOL}`; `id` is the `{world}` of the paths below; `replay` is `true` for an open log |
//! | `editor` | `{"link": TEXT, "sources": FOLDER}`: the [link](crate::Builder::editor) that opens a place, and the [folder](crate::Builder::sources) of relative places |
//! | `limits` | `{"body": BYTES, "list": ROWS, "events": EVENTS, "streams": STREAMS, "log": BYTES, "logs": LOGS}`: the limits of a POST, of a list, of the history of a world, of the streams of all pages together, of a log that is opened, and of the logs that are open at the same time |
//!
//! # POST logs
//!
//! Query: `name=TEXT`, the name of the world. The body is a log that this program has written, as
//! [`Log`](message_data::Log) or a [`FlightRecorder`](message_data::FlightRecorder) does. It opens as another world,
//! which is replayed on its own thread. Everything that can be asked of a world can be asked of it; what changes a world is
//! refused with 409 `replay` until it has left the log (`travel/on`).
//!
//! `{"world": NUMBER}`. 400 `bad` if the bytes are no log of this program, 429 `busy` if four logs are open already.
//!
//! All paths that follow are relative to `/api/v1/worlds/{world}/`.
//!
//! # GET now
//!
//! | field | value |
//! |---|---|
//! | `frame` | number of the frame |
//! | `time` | simulated time |
//! | `scale` | time scale |
//! | `paused` | whether the clock is paused |
//! | `stepping` | how many frames are left to step |
//! | `broke` | the MET of `GET breaks` |
//! | `fps` | frames per second of wall time, over the last second |
//! | `messagees` | how many are alive |
//! | `pending` | the backlog: how many posts are pending |
//! | `delivered` | total deliveries since somebody began to look (estimated when sampled) |
//! | `rate` | deliveries per second |
//! | `failures` | failed handlers since the world was created |
//! | `dead_letters` | dead letters since the world was created |
//! | `skipped_repeats` | repetitions skipped since the world was created |
//! | `messages` | list, the most frequent first: `{"message", "short", "total": NUMBER, "rate": NUMBER, "spark": [NUMBER; up to 60]}`; `spark` has the deliveries of each of the last seconds, the newest last |
//! | `sampling` | see below |
//! | `dropped` | `{"events": N, "batches": N, "commands": N}`: trace events dropped because the frame had too many, batches dropped because the server was too slow, requests refused because the queue was full |
//!
//! `sampling` is `{"count_every": N, "trace_every": N, "budget": N, "complete": BOOL, "foreign": BOOL}`:
//! all 0 and `false` before the first frame is reported. A sampled frame represents the last `N` frames; `N`
//! varies with the cost of samples. Its deliveries are counted, and at most the first `budget` of its events
//! are traced. `complete` is `true` while every event of every frame is traced. `foreign` is `true` if the
//! program records by itself and the inspector copies its events.
//!
//! # GET events
//!
//! A stream of server-sent events (`text/event-stream`). Query: `trace=1` adds the events `trace`.
//! While a stream of a world is open, the world is watched. Each `data` is one line of JSON:
//!
//! | event | data |
//! |---|---|
//! | `now` | same as `GET now`; at most ten per second, and only after frames have passed |
//! | `trace` | `{"events": [EVENT, …]}`, at most 500 of the newest since the last one |
//! | `console` | `{"line": TEXT, "by": "page", "ok": BOOL, "text": TEXT, "trace": ID or null}`: the result of a `POST console` by any page |
//! | `lost` | `{"count": N}`: `N` events of this stream were dropped because it was read too slowly |
//! | `end` | `{}`: the world is no longer attached |
//!
//! A comment line is sent after every five seconds without events.
//!
//! # EVENT
//!
//! A step of a message. The fields are those of a line of `message_trace::write_json_lines` (absent ones are
//! omitted), so one reader can parse both recordings and the live page. There are some additional fields:
//!
//! | field | value |
//! |---|---|
//! | `event` | `sent`, `arrived`, `came back`, `called`, `erred`, `returned`, `passed over`, `unhandled`, `waits`, `settled`, `refused`, `died`, `cancelled` or `replaced` |
//! | `send` | trace id of the send |
//! | `delivery` | trace id of the delivery (`called`, `erred`, `returned`) |
//! | `cause` | trace id of the delivery or send that led to it (`sent`); omitted when it came from outside |
//! | `message`, `tags` | its type and its tags |
//! | `sender`, `sender_name` | in words (`messagee 3v1`, `outside`, `the manager`); its name |
//! | `recipient`, `recipient_name` | in words, as the sender wrote it; its name |
//! | `receiver`, `receiver_name` | the component or subscription that was called, skipped, or is waited for, in words; the name of its messagee |
//! | `frame`, `time`, `wall` | frame, simulated time and wall time; **times in nanoseconds** here |
//! | `from`, `from_send`, `place` | of `arrived`: the node that the message has arrived from; the number of its send there; the line of source there |
//! | `cause`, `from`, `from_frame`, `from_number`, `place`, `why` | of `came back`: the send here; the node that has answered or refused it; its frame; the number there; the line of source of the handler; the reason, unless it was answered |
//! | `by`, `place`, `stage`, `contents` | of `sent`: `send`, `post`, …; the line of source; the stage; the `Debug` text |
//! | `handler` | of `called`: the method |
//! | `why` | of `erred`, `returned`, `passed over`, `unhandled`, `waits`, `refused`, `died`: the error, outcome or reason |
//! | `received`, `pending` | of `settled`: the receipt |
//! | `sender_id`, `recipient_id`, `receiver_id` | *not in recordings*: ids of the messagees |
//! | `hook`, `component` | *not in recordings*: id and type of the receiving component (`called`); `component` also of `erred`, `returned`, `passed over` |
//! | `place` | *not in recordings*: of `called`, the line of source of the handler |
//!
//! # GET messagees
//!
//! Query: `parent=ID` (children of it) or `parent=none` (roots, the default) or `search=TEXT`; `after=ID`
//! continues after that row; `limit=N` (100, at most 500). A search finds names by wildcard (`goblin*`;
//! without a wildcard any name that contains the text), ids (`3v1`), and parts of component types,
//! mnemonics and groups. It is case-insensitive.
//!
//! `{"total": N, "rows": [ROW, …], "next": ID or null, "cut": BOOL, "gone": [ROW, …]}`; `next` is the value to pass as `after`.
//! `total` is how many are alive in the world; `cut` is `true` if a search stopped after 20 000 messagees.
//! `ROW`:
//!
//! | field | value |
//! |---|---|
//! | `id` | its id |
//! | `name` | its name, or `null` |
//! | `parent` | id, or `null` |
//! | `children` | how many it has |
//! | `mnemonics`, `groups` | lists of names |
//! | `proxy` | whether it represents a messagee of another node |
//! | `components` | list of `{"hook": ID, "component": TYPE, "short": TEXT, "enabled": BOOL}` |
//!
//! # GET messagees/{id}
//!
//! A `ROW`, whose components also have the fields `value` (text in RON syntax or `Debug`, or `null`),
//! `form` (`"data"`, `"debug"` or `null`), `why` (why there is no value: `hidden`, `not shown`, or an error;
//! else `null`), `handles` (list of message types), `data` (the name of its data, or `null`), `fields` (list of names),
//! `values` (list of `{"field": NAME, "value": TEXT or null}`: the first fields of data; those that are too long have no
//! text), and:
//!
//! | field | value |
//! |---|---|
//! | `path` | list of `{"id", "name"}` from the root to its parent |
//! | `received` | the last EVENTs `called` of it, newest first, at most 50 |
//! | `sent` | the last EVENTs `sent` by it, newest first, at most 50 |
//! | `pending` | the POSTs (see `later`) that are addressed to it, at most 50, of the 5 000 that are due first |
//!
//! A messagee that is gone can still be asked for if it has received something while somebody looked: the history keeps
//! 2 000. Its row, in `gone` too (at most 50, the last first), has the values after the last frame in which it received
//! something, and `"gone": {"frame": N, "read": N, "place": PLACE, "cause": ID or null}`: when it was gone, when its
//! values were read, and the line and the delivery that despawned it, if the end was traced.
//!
//! # POST messagees/{id}/change
//!
//! Body `{"hook": ID, "field": NAME, "value": TEXT}`. Changes a component with data: one field, to a value in RON syntax; or,
//! without `field`, those that a text such as `Health(hp: 3)` gives. The change is an input from outside, which a log
//! repeats.
//!
//! `{"ok": BOOL, "text": TEXT or null, "line": N or null, "column": N or null}`. A value that does not fit returns
//! `ok: false` with status 200, the reason and its place in `value`, and nothing is changed. 404 `unknown` for another
//! component, 403 `hidden` for one that is [hidden](crate::Builder::hide).
//!
//! # GET flow
//!
//! Query: `by=type` (default) or `by=messagee`; `message=TYPE` (only that type); `limit=N` (edges, 500).
//! Computed from the traced deliveries of the history, scaled by the counted ones.
//!
//! `{"seconds": S, "complete": BOOL, "nodes": [NODE, …], "edges": [EDGE, …], "left_out": N}`: the number of
//! seconds of wall time covered; whether all deliveries were traced; how many edges did not fit.
//! `NODE`: `{"id": TEXT, "label": TEXT, "kind": "component" | "messagee" | "outside" | "manager" |
//! "subscriber" | "unknown", "messagee": ID or null}`.
//! `EDGE`: `{"from": NODE id, "to": NODE id, "message", "short", "count": N, "rate": per second,
//! "failed": N}`. By type, the sender of a delivery is the component whose handler sent it.
//!
//! # GET flow/text and GET flow/mermaid
//!
//! The same arrows between types as a file to keep, `application/octet-stream`: as sorted lines, or as a flowchart of
//! Mermaid. Without counts, so it changes only when another arrow is seen. See `message_trace::Flow`.
//!
//! # GET timeline
//!
//! Query: `frames=N` (the last N frames with such deliveries, 60, at most 600), `before=FRAME` (only earlier frames),
//! `message=TYPE`, `messagee=ID` (sender or receiver), `search=WORDS` (type, sender, receiver, component, handler or
//! outcome contain each word, and none behind `-`; at most 16), `limit=N` (deliveries, 2000, at most 10000).
//!
//! `{"frames": [{"frame": N, "time": S, "cut": BOOL, "deliveries": [DELIVERY, …]}, …], "lanes": [LANE, …],
//! "left_out": N, "kept": {"first", "last"}}`; the oldest frame first. `cut` is `true` if the budget of events ran out in this frame.
//! `kept` has the first and the last frame with events, or `null`.
//! `DELIVERY` is a delivery, or a send that reached nobody:
//!
//! | field | value |
//! |---|---|
//! | `id` | trace id, to be used with `cause/{id}` |
//! | `send` | trace id of its send, or `null` |
//! | `cause` | trace id of the cause of the send, or `null` |
//! | `message`, `short` | its type |
//! | `lane` | number in `lanes`: the receiver's messagee |
//! | `from`, `to` | sender and receiver in words, names included |
//! | `recipient` | the recipient in words, as the sender wrote it |
//! | `component`, `handler` | the component and handler that were called, or `null` |
//! | `at_ns`, `took_ns` | wall time of the call, and how long it ran; `took_ns` is `null` if unknown |
//! | `outcome` | text: `returned`, `declined`, `failed: WHY`, `panicked`, why it was refused or died, `nobody received it: WHY`, … |
//! | `bad` | whether that is an error |
//! | `unheard` | whether nobody received it |
//!
//! `LANE`: `{"id": ID or null, "label": TEXT}`, in the order of first use.
//!
//! # GET cause/{id}
//!
//! For the trace id of a send or a delivery. 404 `unknown` if the history has nothing about it.
//!
//! `{"id", "chain": [EVENT, …], "unknown": ID or null, "outcome": [EVENT, …], "led_to": [STEP, …],
//! "left_out": N}`. `chain` leads from the outermost cause to the given id: sends (`sent`, with `place`) and
//! deliveries (`called`) in turn. `unknown` is the cause of its first link, if the history no longer has it.
//! `outcome` is what became of its send. `STEP` is `{"depth": N, "event": EVENT}` with an event `sent` or
//! `called`, in depth-first order; at most 500.
//!
//! # GET later
//!
//! Query: `search=TEXT` (message, sender, recipient or key contains it), `limit=N` (200, at most 500).
//!
//! `{"frame", "time", "unscaled_time", "paused", "scale", "total": N, "posts": [POST, …], "left_out": N,
//! "cut": BOOL}`, in due order. `total` is how many are pending; a search looks only at the 5 000 that are
//! due first, and `cut` is `true` if there are more. `POST`:
//!
//! | field | value |
//! |---|---|
//! | `post` | number of the post, to be used below |
//! | `message`, `short`, `tags` | its type and tags |
//! | `contents` | its `Debug` text, or `null` if contents are not shown |
//! | `from`, `to` | sender and recipient in words; `from_id`, `to_id` are ids or `null` |
//! | `stage` | `FixedUpdate`, `Update`, … |
//! | `due` | `{"kind": "now" \| "time" \| "frame" \| "unscaled", "at": NUMBER}`: seconds or a frame |
//! | `left` | seconds of its clock until then, or `null` for a frame |
//! | `posted` | `{"frame", "time"}` |
//! | `key` | text or `null` |
//! | `deliveries` | how many are left; `null` when it repeats forever |
//! | `period` | the time from one delivery to the next, as `500ms`, `3 frames` or `pass`; `null` when it does not repeat |
//! | `period_seconds` | that time in seconds, or `null` if it is none |
//!
//! # POST later/{post}/cancel and POST later/{post}/deliver
//!
//! Body `{}`. `{"ok": true}`, or 404 `unknown` if it is no longer pending. `deliver` makes it due
//! immediately: a copy is posted by its sender, without delay, key and repetition, and delivered in the next
//! pass of its stage. The post itself is cancelled unless it repeats. 400 `bad` for a message that can neither be
//! cloned nor written as data.
//!
//! # GET letters
//!
//! Dead letters and failures of the history, grouped.
//!
//! `{"dead": [GROUP, …], "failed": [GROUP, …], "refused": [GROUP, …], "left_out": N, "complete": BOOL, "total":
//! {"dead_letters": N, "failures": N}}`. `GROUP`: `{"message", "short", "why": TEXT, "component": TYPE or
//! null, "handler": TEXT or null, "sent_at": PLACE or null, "handled_at": PLACE or null, "count": N,
//! "first_frame", "last_frame", "last": trace id or null, "sample": EVENT}`, most frequent first.
//!
//! # GET unhandled
//!
//! Sends that nobody received, by message and reason.
//!
//! `{"sends": [{"message", "short", "why": TEXT, "count": N, "sent_at": PLACE or null, "to": [TEXT; at most 6], "last":
//! trace id or null}, …]}`. Sends to one messagee are counted by the world since it was created; sends to several are
//! counted while they are traced. `to` has the recipients that the history knows.
//!
//! # GET console/complete
//!
//! Query: `line=TEXT` up to the cursor. `{"begin": N, "words": [{"word": TEXT, "kind": "command" | "name" |
//! "mnemonic" | "group" | "message" | "field" | "variant", "about": TEXT}, …]}`: each word can replace what
//! follows the first `begin` characters; at most 50.
//!
//! # POST console
//!
//! Body `{"line": TEXT}`. Commands: `send WHO MESSAGE`, `post WHO SECONDS MESSAGE`, `help`. `WHO` is a
//! name with wildcards (each messagee found receives one), an id such as `#3v1`, `Everyone`, `@Mnemonic` or
//! `%Group`; a name with blanks is put in `"`. `MESSAGE` is text in RON syntax: `Damage(amount: 3)`.
//!
//! `{"ok": BOOL, "text": TEXT, "sent": [{"to": TEXT, "trace": ID or null, "receipt": {"received", "pending",
//! "failed", "consumed"} or null, "post": N or null, "error": TEXT or null}, …]}`; at most 100 receivers by
//! wildcard. A line that cannot be parsed returns `ok: false` with status 200, and nothing is sent.
//! `trace` can be passed to `cause/{id}` once the next frame has passed.
//!
//! # POST clock
//!
//! Body with any of `{"paused": BOOL, "scale": NUMBER, "step": N}`. `step` runs `N` frames (at most
//! 1000) and pauses again. Returns `{"frame", "time", "scale", "paused", "stepping"}`. It takes effect
//! in the next frame of the program.
//!
//! # GET breaks
//!
//! `{"breaks": [BREAK, …], "met": MET or null}`. `BREAK`: `{"break": NUMBER, "message": TYPE, "short": TEXT, "messagee":
//! TEXT or null}`. `MET` is the delivery that has paused the world, until it goes on: `{"break": NUMBER, "event": EVENT}`
//! with an event `called`.
//!
//! # POST break
//!
//! Body `{"message": TYPE, "messagee": TEXT}`. Pauses the clock before the next frame when a message of this type, given
//! by its full name or its `short`, is delivered to a messagee, given by its id or its name; without `messagee`, to
//! anyone. The frame in which it is delivered ends first. Then `POST clock` steps or goes on. Breaks hold while the
//! world is looked at. Answers like `GET breaks`; 404 `unknown` for another type, 429 `busy` if there are 16.
//!
//! # POST breaks/{break}/remove
//!
//! Body `{}`. Answers like `GET breaks`.
//!
//! # GET recording
//!
//! The [flight recorder](crate::Builder::flight_recorder) of the world.
//!
//! | field | value |
//! |---|---|
//! | `recording` | whether inputs are kept |
//! | `why` | why they are not, or `null` |
//! | `from`, `to` | the frames that the log can be replayed to: its first state, and its newest frame; `null` if there is no log |
//! | `bytes` | its size |
//! | `frames` | how many frames are kept, at least; 0 if that is switched off |
//! | `file` | the file to which a panic writes it, or `null` |
//! | `exportable` | whether `GET recording/log` has it |
//!
//! # GET recording/log
//!
//! The log as a file, `application/octet-stream`, also while the world is not attached any more: what
//! [`Replay`](message_data::Replay) replays. It has the values of all components and messages, so an inspector that
//! [hides](crate::Builder::hide) a type or the [contents](crate::Builder::contents) of messages refuses it with
//! 403 `hidden`. 404 `unknown` if there is none.
//!
//! # POST recording/start
//!
//! Body `{}`. Starts the recorder if it is not on, as when the program has ended its own log, or when a state can be saved
//! now. Answers like `GET recording`.
//!
//! # POST recording/open
//!
//! Body `{}`. Opens a copy of the log of the recorder, like `POST logs`.
//!
//! # GET travel
//!
//! Where the replay of an open log is; 404 `unknown` for another world.
//!
//! | field | value |
//! |---|---|
//! | `first`, `last` | the frames of the log; `last` becomes less if the log cannot be replayed to its end |
//! | `frame` | the frame that is shown: the state right before the next one begins, or right after a change |
//! | `goal` | the frame that the replay goes to, or `null` |
//! | `working` | whether it has not arrived yet, or a change is looked for |
//! | `forked_at` | the frame in which the log was left, or `null` |
//! | `trouble` | why the log cannot be replayed further, or `null` |
//! | `change` | CHANGE, or `null` before one was looked for in this frame |
//!
//! `CHANGE`: `{"messagee": ID, "component": NAME, "field": TEXT}` as asked for; and `{"error": TEXT}`, `{"found": false,
//! "name": TEXT or null}` if the log has none before this frame, or `{"found": true, "name": TEXT or null, "frame": N,
//! "before": TEXT or null, "after": TEXT, "delivery": EVENT or null, "cause": trace id or null, "place": PLACE or null,
//! "sent_at": PLACE or null}`. `name` is that of the messagee, and `delivery` the event that the receiver was called.
//!
//! # POST travel/go, travel/who, travel/delivery, travel/on and travel/close
//!
//! Each answers at once, all but the last like `GET travel`. A later `go` replaces the goal of an earlier one.
//!
//! - `go`, body `{"frame": N}`: goes to that frame, or to the nearest one that the log has.
//! - `who`, body `{"messagee": ID, "component": NAME, "field": TEXT}`: goes to the last change of that component before
//!   this frame ends. `component` is the `data` of a component; `field` may be empty or a path such as `hits[2]`.
//! - `delivery`, body `{"id": trace id}`: goes to the frame of that delivery. The CHANGE has the component that was called,
//!   before and after the delivery, whether or not it has changed; `component` is the name of its type. Trace ids are
//!   numbered anew then, and `cause` is the new one of the delivery.
//! - `on`, body `{}`: leaves the log. The world goes on by itself from this frame, at its own pace, and can be changed.
//!   `go` returns to the log, which stays as it is.
//! - `close`, body `{}`: ends the world. `{"ok": true}`.
//!
//! # GET startup
//!
//! | field | value |
//! |---|---|
//! | `unhandled` | list of `{"message", "short", "place"}`: types that currently have no handling component and no subscriber |
//! | `unbound` | list of `{"mnemonic": NAME}`: declared but not bound |
//! | `empty_groups` | list of `{"group": NAME}`: declared but without members |
//! | `wires` | list of `{"id": N, "text": TEXT, "enabled": BOOL}` |
//!
//! # GET types
//!
//! | field | value |
//! |---|---|
//! | `messages` | list of `{"message", "short", "place", "tags", "data": BOOL, "fields": [TEXT], "handlers": [{"component", "handler", "priority", "place"}]}` |
//! | `components` | list of `{"component", "short", "place", "data": BOOL, "fields": [TEXT], "handles": [TYPE]}` |

/// The version of the interface that this module describes. It is part of every path: `/api/v1/`.
///
/// ```
/// assert_eq!(message_inspector::api::VERSION, 1);
/// ```
pub const VERSION: u32 = 1;
