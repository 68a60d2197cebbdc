//! The console: one line in, some lines out.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;
use std::time::Duration;

use message_core::prelude::*;
use message_core::trace::TraceEvent;
use message_core::{AnyMessage, ManagerConfig, Posts};
use message_data::{
    self as data, Log, LogOptions, Replay, SaveOptions, Selection, WireId, WorldFile,
};
use message_trace::Recorder;

use crate::village::GOBLINS;

/// Each command, its parameters, and its description.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("help", "", "lists the commands"),
    (
        "types",
        "",
        "lists the messages and components with their fields",
    ),
    ("templates", "", "lists the templates that can be spawned"),
    (
        "load",
        "FILE",
        "makes the messagees of a world file; its templates can be spawned",
    ),
    (
        "spawn",
        "TEMPLATE [NAME]",
        "makes a messagee from a template",
    ),
    (
        "list",
        "[PATTERN]",
        "lists messagees by name, with wildcards",
    ),
    ("inspect", "NAME", "shows the components of a messagee"),
    (
        "attach",
        "NAME COMPONENT",
        "attaches a component, such as `Health(hp: 3)`",
    ),
    (
        "change",
        "NAME [NUMBER] COMPONENT",
        "changes the given fields of a component",
    ),
    (
        "remove",
        "NAME [NUMBER] TYPE",
        "removes a component; NUMBER tells those of one type apart",
    ),
    (
        "send",
        "WHO MESSAGE",
        "sends a message; WHO is a name, Everyone or Goblins",
    ),
    (
        "post",
        "WHO SECONDS MESSAGE",
        "posts a message with a delay",
    ),
    ("pending", "", "lists the pending messages"),
    (
        "tick",
        "[SECONDS]",
        "runs a frame, 1 second long by default",
    ),
    (
        "explain",
        "[NUMBER]",
        "shows the cause and the outcome of the last message, or of #NUMBER",
    ),
    (
        "wires",
        "[NUMBER on|off]",
        "lists the wires, or switches one on or off",
    ),
    ("write", "[FILE]", "writes the world as a world file"),
    ("save", "FILE", "writes the whole state to a file"),
    (
        "restore",
        "FILE",
        "restores the state from a file written by `save`",
    ),
    (
        "log",
        "FILE|off",
        "logs all inputs to a file from now on, or ends the log",
    ),
    (
        "replay",
        "FILE",
        "replays such a log, and goes to its last frame",
    ),
    (
        "frame",
        "[NUMBER]",
        "goes to a frame of the log, and shows what was delivered in it",
    ),
    ("back", "", "goes one frame back in the log"),
    ("on", "", "goes one frame on in the log"),
    (
        "who",
        "NAME TYPE [FIELD]",
        "goes to the last change of a component or of its field, and explains it",
    ),
    ("quit", "", "ends the program"),
];

const NO_LOG: &str = "no log is replayed: see `replay`";

/// The number of events that can be explained.
const EVENTS: usize = 10_000;

/// The result of a line.
pub enum Answer {
    /// Lines to print.
    Text(String),
    /// The console ends.
    Quit,
}

/// A manager that is controlled by lines of text.
pub struct Console {
    pub manager: MessageManager,
    pub files: Vec<WorldFile>,
    /// The log that is looked at, and the frame. The manager is a fork from there.
    replay: Option<(Replay, u64)>,
}

type Said = Result<String, Box<dyn Error>>;

impl Console {
    /// Creates a console with the contents of a world file.
    pub fn new(file: WorldFile) -> Result<Self, Box<dyn Error>> {
        let mut manager = MessageManager::new();
        Recorder::new(EVENTS).start(&mut manager);
        file.instantiate(&mut manager)?;
        Ok(Self {
            manager,
            files: vec![file],
            replay: None,
        })
    }

    /// Executes a line. A line that is empty or begins with `#` does nothing.
    pub fn obey(&mut self, line: &str) -> Result<Answer, Box<dyn Error>> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(Answer::Text(String::new()));
        }
        let (command, rest) = word(line)?;
        let said = match command.as_str() {
            "help" => Ok(help()),
            "types" => Ok(types()),
            "templates" => Ok(self.templates().join("\n")),
            "load" => self.load(rest),
            "spawn" => self.spawn(rest),
            "list" => self.list(rest),
            "inspect" => self.inspect(rest),
            "attach" => self.attach(rest),
            "change" => self.change(rest),
            "remove" => self.remove(rest),
            "send" => self.send(rest),
            "post" => self.post(rest),
            "pending" => Ok(self.pending()),
            "tick" => self.tick(rest),
            "explain" => self.explain(rest),
            "log" => self.log(rest),
            "replay" => self.replay(rest),
            "frame" => self.frame(rest),
            "back" => self.step(|frame| frame.saturating_sub(1)),
            "on" => self.step(|frame| frame + 1),
            "who" => self.who(rest),
            "wires" => self.wires(rest),
            "write" => self.write(rest),
            "save" => self.save(rest),
            "restore" => self.restore(rest),
            "quit" => return Ok(Answer::Quit),
            other => Err(format!("unknown command `{other}`: see `help`").into()),
        };
        said.map(Answer::Text)
    }

    /// Returns the names of all templates.
    pub fn templates(&self) -> Vec<String> {
        let files = self.files.iter();
        files
            .flat_map(WorldFile::templates)
            .map(str::to_owned)
            .collect()
    }

    /// Returns the names of all messagees that have one.
    pub fn names(&self) -> Vec<String> {
        let ids = self.manager.messagees();
        ids.filter_map(|id| Some(self.manager.name(id)?.to_string()))
            .collect()
    }

    fn load(&mut self, rest: &str) -> Said {
        let (path, rest) = word(rest)?;
        nothing_behind(rest)?;
        let file = WorldFile::read(path)?;
        let made = file.instantiate(&mut self.manager)?;
        self.files.push(file);
        Ok(format!("{} messagees", made.len()))
    }

    fn spawn(&mut self, rest: &str) -> Said {
        let (template, rest) = word(rest)?;
        let name = if rest.is_empty() {
            template.clone()
        } else {
            let (name, rest) = word(rest)?;
            nothing_behind(rest)?;
            name
        };
        // Use the newest file that has it; if none has, the first one reports which templates it has.
        let has = |file: &&WorldFile| file.templates().any(|it| it == template);
        let file = self.files.iter().rev().find(has).or(self.files.first());
        let file = file.ok_or("no file is loaded")?;
        let id = file.instantiate_template(&mut self.manager, &template, name)?;
        Ok(id.to_string())
    }

    fn list(&self, rest: &str) -> Said {
        let pattern = if rest.is_empty() {
            "*".to_owned()
        } else {
            word(rest)?.0
        };
        let mut text = String::new();
        for id in self.manager.find(&pattern) {
            let components = self.manager.hooks(id).count();
            writeln!(text, "{id}: {components} components")?;
        }
        Ok(text)
    }

    fn inspect(&self, rest: &str) -> Said {
        let (name, rest) = word(rest)?;
        nothing_behind(rest)?;
        let id = self.one(&name)?;
        let mut text = format!("{id}\n");
        if let Some(parent) = self.manager.parent(id) {
            writeln!(text, "  child of {parent}")?;
        }
        for hook in self.manager.hooks(id) {
            let component = data::component_to_text(&self.manager, hook);
            let component = component.unwrap_or_else(|error| format!("({error})"));
            let disabled = if self.manager.is_enabled(hook)? {
                ""
            } else {
                " (disabled)"
            };
            writeln!(text, "  {component}{disabled}")?;
        }
        Ok(text)
    }

    fn attach(&mut self, rest: &str) -> Said {
        let (name, component) = word(rest)?;
        let id = self.one(&name)?;
        let hook = data::hook_from_text(&mut self.manager, id, component)?;
        Ok(data::component_to_text(&self.manager, hook)?)
    }

    fn change(&mut self, rest: &str) -> Said {
        let (hook, component) = self.component(rest)?;
        data::change_from_text(&mut self.manager, hook, component)?;
        Ok(data::component_to_text(&self.manager, hook)?)
    }

    fn remove(&mut self, rest: &str) -> Said {
        let (hook, ty) = self.component(rest)?;
        nothing_behind(word(ty)?.1)?;
        data::unhook_any(&mut self.manager, hook)?;
        Ok(String::new())
    }

    fn send(&mut self, rest: &str) -> Said {
        let (to, rest) = word(rest)?;
        let to = self.recipient(&to)?;
        let message = self.message(rest)?;
        let receipt = self.manager.send_any(to, message)?;
        let Receipt {
            received, failed, ..
        } = receipt;
        Ok(match failed {
            0 => format!("{received} received it"),
            _ => format!("{received} received it, {failed} failed"),
        })
    }

    fn post(&mut self, rest: &str) -> Said {
        let (to, rest) = word(rest)?;
        let to = self.recipient(&to)?;
        let (delay, rest) = word(rest)?;
        let message = self.message(rest)?;
        let header = Header::to(to).after(seconds(&delay)?);
        self.manager.post_any(header, message)?;
        Ok(format!(
            "{} pending",
            self.manager.pending_posts(Posts::all()).len()
        ))
    }

    fn pending(&self) -> String {
        let posts = self.manager.pending_posts(Posts::all());
        let lines = posts.iter().map(|post| {
            let (message, to, due) = (post.message, post.recipient, post.due);
            format!("{message} from {} to {to}, due {due:?}", post.sender)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn tick(&mut self, rest: &str) -> Said {
        let frame = if rest.is_empty() {
            Duration::from_secs(1)
        } else {
            seconds(rest)?
        };
        let report = self.manager.tick(frame);
        let delivered = report.delivered;
        Ok(format!("{delivered} delivered"))
    }

    fn explain(&self, rest: &str) -> Said {
        let recorder = Recorder::of(&self.manager).ok_or("nothing is recorded")?;
        let mut ids = recorder.events().rev().filter_map(TraceEvent::begun);
        let id = if rest.is_empty() {
            let mut sent = recorder.events().rev();
            sent.find_map(|event| event.send)
        } else {
            ids.find(|id| id.to_string().trim_start_matches('#') == rest.trim_start_matches('#'))
        };
        let why = id.and_then(|id| recorder.explain(id));
        let why = why.ok_or("nothing was recorded of it yet")?;
        Ok(why.to_string())
    }

    fn log(&mut self, rest: &str) -> Said {
        let (path, rest) = word(rest)?;
        nothing_behind(rest)?;
        if path == "off" {
            let report = Log::stop(&mut self.manager)?.ok_or("nothing is logged")?;
            return Ok(format!(
                "{} inputs in {} bytes",
                report.inputs, report.bytes
            ));
        }
        let file = File::create(&path).map_err(|error| format!("{path}: {error}"))?;
        Log::start(&mut self.manager, file, LogOptions::new())?;
        Ok(String::new())
    }

    fn replay(&mut self, rest: &str) -> Said {
        let (path, rest) = word(rest)?;
        nothing_behind(rest)?;
        let replay = Replay::open(path)?;
        let replay = replay.prepare(|manager| drop(Recorder::new(EVENTS).start(manager)));
        self.go_to(replay, u64::MAX)
    }

    fn frame(&mut self, rest: &str) -> Said {
        if rest.is_empty() {
            return self.step(|frame| frame);
        }
        let (number, rest) = word(rest)?;
        nothing_behind(rest)?;
        let number = number.parse();
        let number = number.map_err(|_| "expected the number of a frame")?;
        self.step(|_| number)
    }

    /// Goes to another frame of the log.
    fn step(&mut self, to: impl FnOnce(u64) -> u64) -> Said {
        let (replay, frame) = self.replay.take().ok_or(NO_LOG)?;
        self.go_to(replay, to(frame))
    }

    /// Goes to a frame of the log, and shows it.
    fn go_to(&mut self, mut replay: Replay, frame: u64) -> Said {
        // With an error, the log is shown as far as it can be replayed.
        let error = replay.until(frame).err();
        let frame = self.fork(replay)?;
        let recorder = Recorder::of(&self.manager).ok_or("nothing is recorded")?;
        let mut text = format!("frame {frame}\n{}", recorder.describe_frame(frame));
        if let Some(error) = error {
            writeln!(text, "{error}")?;
        }
        Ok(text)
    }

    /// Shows a replay where it is. What is done there is done in a fork, and the log stays as it is.
    fn fork(&mut self, mut replay: Replay) -> Result<u64, Box<dyn Error>> {
        self.manager = replay.run_on()?;
        let frame = self.manager.clock().frame();
        self.replay = Some((replay, frame));
        Ok(frame)
    }

    fn who(&mut self, rest: &str) -> Said {
        let (name, rest) = word(rest)?;
        let (ty, field) = word(rest)?;
        let id = self.one(&name)?;
        let (mut replay, frame) = self.replay.take().ok_or(NO_LOG)?;
        let found = replay.until(frame).map(drop);
        let found = found.and_then(|()| replay.who_changed(id, &ty, field.trim()));
        self.fork(replay)?;
        let Some(change) = found? else {
            return Ok("it has not changed in this log".to_owned());
        };
        let mut text = format!("{change}\n");
        let delivery = change.delivery.and_then(|delivery| delivery.begun());
        let recorder = Recorder::of(&self.manager);
        if let Some(why) = delivery.and_then(|id| recorder?.explain(id)) {
            write!(text, "{why}")?;
        }
        Ok(text)
    }

    fn wires(&mut self, rest: &str) -> Said {
        let wires = data::wires(&self.manager);
        if !rest.is_empty() {
            let (number, rest) = word(rest)?;
            let enabled = match rest {
                "on" => true,
                "off" => false,
                _ => return Err("expected `on` or `off`".into()),
            };
            let number = number.trim_start_matches('#');
            let is_it = |id: &WireId| id.to_string() == number;
            let id = wires.iter().map(|wire| wire.id).find(is_it);
            let id = id.ok_or_else(|| format!("there is no wire #{number}"))?;
            data::set_wire_enabled(&mut self.manager, id, enabled);
            return Ok(String::new());
        }
        let lines = wires.iter().map(ToString::to_string);
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn write(&self, rest: &str) -> Said {
        let text = data::write_world(&self.manager, &Selection::all())?;
        if rest.is_empty() {
            return Ok(text);
        }
        let (path, rest) = word(rest)?;
        nothing_behind(rest)?;
        std::fs::write(&path, text)?;
        Ok(format!("written to {path}"))
    }

    fn save(&mut self, rest: &str) -> Said {
        let (path, rest) = word(rest)?;
        nothing_behind(rest)?;
        let bytes = data::save(&mut self.manager, &SaveOptions::new())?;
        std::fs::write(&path, &bytes)?;
        Ok(format!("{} bytes written to {path}", bytes.len()))
    }

    fn restore(&mut self, rest: &str) -> Said {
        let (path, rest) = word(rest)?;
        nothing_behind(rest)?;
        let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        let restored = data::restore(&bytes, ManagerConfig::new())?;
        self.manager = restored.manager;
        Recorder::new(EVENTS).start(&mut self.manager);
        let notes = restored.notes.iter();
        let notes: Vec<String> = notes.map(|note| format!("\n{note}")).collect();
        Ok(format!(
            "{} messagees{}",
            self.manager.len(),
            notes.concat()
        ))
    }

    fn one(&self, name: &str) -> Result<MessageeId, Box<dyn Error>> {
        let mut found = self.manager.find(name);
        match (found.next(), found.next()) {
            (Some(id), None) => Ok(id),
            (None, _) => Err(format!("no messagee is called `{name}`").into()),
            _ => {
                Err(format!("several messagees are called `{name}`: expected a unique name").into())
            }
        }
    }

    /// Finds a component by its messagee, its number if there are several of its type, and its type. Returns the text
    /// that begins with the type, too.
    fn component<'l>(&self, line: &'l str) -> Result<(HookId, &'l str), Box<dyn Error>> {
        let (name, mut text) = word(line)?;
        let id = self.one(&name)?;
        let (first, rest) = word(text)?;
        let number: Option<usize> = first.parse().ok();
        if number.is_some() {
            text = rest;
        }
        let end = text.find(|it: char| it == '(' || it.is_whitespace());
        let ty = data::find(&text[..end.unwrap_or(text.len())])?;
        let is_it = |&hook: &HookId| {
            let of = data::component_type(&self.manager, hook);
            of.is_ok_and(|of| std::ptr::eq(of, ty))
        };
        let hooks: Vec<HookId> = self.manager.hooks(id).filter(is_it).collect();
        let (count, ty) = (hooks.len(), ty.short_name());
        let index = match (number, count) {
            (_, 0) => return Err(format!("`{name}` has no component `{ty}`: see `inspect`").into()),
            (None, 1) => 0,
            (Some(number), _) if (1..=count).contains(&number) => number - 1,
            _ => {
                let what =
                    format!("`{name}` has {count} `{ty}`: expected a number from 1 to {count}");
                return Err(format!("{what} in front of `{ty}`").into());
            }
        };
        Ok((hooks[index], text))
    }

    fn recipient(&self, text: &str) -> Result<Recipient, Box<dyn Error>> {
        match text {
            "Everyone" => Ok(Everyone),
            "Goblins" => Ok(GOBLINS.into()),
            name => Ok(self.one(name)?.into()),
        }
    }

    fn message(&self, text: &str) -> Result<Box<dyn AnyMessage>, Box<dyn Error>> {
        Ok(data::parse_message(text, &self.manager)?)
    }
}

/// Returns the first word of a line, or the text in `"`, and the rest of the line.
fn word(line: &str) -> Result<(String, &str), Box<dyn Error>> {
    let line = line.trim();
    if let Some(quoted) = line.strip_prefix('"') {
        let (word, rest) = quoted.split_once('"').ok_or("expected a closing `\"`")?;
        return Ok((word.to_owned(), rest.trim_start()));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if word.is_empty() {
        return Err("an argument is missing: see `help`".into());
    }
    Ok((word.to_owned(), rest.trim_start()))
}

fn nothing_behind(rest: &str) -> Result<(), Box<dyn Error>> {
    if rest.is_empty() {
        return Ok(());
    }
    Err(format!("unexpected `{rest}`: put a name with spaces in double quotes").into())
}

fn seconds(text: &str) -> Result<Duration, Box<dyn Error>> {
    let seconds: Option<f64> = text.parse().ok();
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("`{text}`: expected a number of seconds").into())
}

fn help() -> String {
    let lines = COMMANDS.iter().map(|(name, behind, what)| {
        let command = format!("{name} {behind}");
        format!("{command:<31} {what}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn types() -> String {
    let lines = data::types().map(|ty| {
        let kind = if ty.is_message() {
            "message"
        } else {
            "component"
        };
        let fields = ty.fields().join(", ");
        format!("{kind:<10} {}({fields})", ty.short_name())
    });
    lines.collect::<Vec<_>>().join("\n")
}
