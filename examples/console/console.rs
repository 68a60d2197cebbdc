//! The console: one line in, some lines out.

mod commands;

use std::error::Error;
use std::fmt::{self, Write};
use std::fs::File;
use std::time::Duration;

use message_core::post::Due;
use message_core::prelude::*;
use message_core::trace::TraceEvent;
use message_core::{AnyMessage, ManagerConfig, Posts};
use message_data::{
    self as data, DataError, Log, LogOptions, Replay, SaveOptions, Selection, WireId, WorldFile,
};
use message_format::names::suggestion;
use message_trace::Recorder;

pub use commands::COMMANDS;

use crate::village::GOBLINS;

/// Recipients that are no messagees.
pub const RECIPIENTS: [&str; 2] = ["Everyone", "Goblins"];

const NO_LOG: &str = "no log is being replayed: see `replay`";

/// The number of events that can be explained.
const EVENTS: usize = 10_000;

/// A manager that is controlled by lines of text.
pub struct Console {
    pub manager: MessageManager,
    pub files: Vec<WorldFile>,
    /// The log that is looked at, and the frame. The manager is a fork from there.
    replay: Option<(Replay, u64)>,
    /// Whether the console was left by `quit`.
    pub is_over: bool,
}

type Said = Result<String, Box<dyn Error>>;

/// A message or a component at the end of a line that was not understood.
#[derive(Debug)]
struct Misread {
    error: DataError,
    /// The bytes from where it begins to the end of the line.
    len: usize,
}

impl Misread {
    fn of(text: &str) -> impl FnOnce(DataError) -> Self {
        let len = text.len();
        move |error| Self { error, len }
    }

    /// Describes the error with the column in the line that ends with the text.
    fn in_line(&self, line: &str) -> String {
        let before = line[..line.len() - self.len].chars().count();
        match self.error.column() {
            Some(column) => format!("column {}: {}", before + column as usize, self.error.what()),
            None => self.error.to_string(),
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for Misread {}

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
            is_over: false,
        })
    }

    /// Executes a line, and returns the lines to print. A line that is empty or begins with `#` does nothing.
    pub fn obey(&mut self, line: &str) -> Said {
        let line = line.trim_end();
        if line.is_empty() || line.trim_start().starts_with('#') {
            return Ok(String::new());
        }
        let (name, rest) = word(line)?;
        let command = COMMANDS.iter().find(|command| command.name == name);
        let Some(command) = command else {
            let near = suggestion(&name, COMMANDS.iter().map(|command| command.name));
            return Err(format!("unknown command `{name}`: see `help`{near}").into());
        };
        let said = (command.run)(self, rest);
        said.map_err(|error| match error.downcast::<Misread>() {
            Ok(misread) => misread.in_line(line).into(),
            Err(error) => error,
        })
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

    /// Ends the console.
    fn quit(&mut self, rest: &str) -> Said {
        nothing_behind(rest)?;
        self.is_over = true;
        Ok(String::new())
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
        let hook = data::hook_from_text(&mut self.manager, id, component);
        let hook = hook.map_err(Misread::of(component))?;
        Ok(data::component_to_text(&self.manager, hook)?)
    }

    fn change(&mut self, rest: &str) -> Said {
        let (hook, component) = self.component(rest)?;
        let changed = data::change_from_text(&mut self.manager, hook, component);
        changed.map_err(Misread::of(component))?;
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
            let (message, to, due) = (post.message, post.recipient, self.due(post.due));
            format!("{message} from {} to {to}, due {due}", post.sender)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn due(&self, due: Due) -> String {
        let clock = self.manager.clock();
        match due {
            Due::Now(_) => "in the next frame".to_owned(),
            Due::At(time) => until(time.saturating_sub(clock.now())),
            Due::Unscaled(time) => until(time.saturating_sub(clock.unscaled_now())),
            Due::Frame(frame) => format!("in frame {frame}"),
            due => format!("{due:?}"),
        }
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
        let why = why.ok_or("nothing has been recorded of it yet")?;
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
            (None, _) => {
                let mut names = self.names();
                names.extend(RECIPIENTS.map(str::to_owned));
                let near = suggestion(name, names.iter().map(String::as_str));
                Err(format!("no messagee is called `{name}`: see `list`{near}").into())
            }
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
                return Err(format!("{what} before `{ty}`").into());
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
        Ok(data::parse_message(text, &self.manager).map_err(Misread::of(text))?)
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

/// Writes a time from now on.
fn until(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs_f64() % 60.0);
    match time.as_millis() {
        0 => "in the next frame".to_owned(),
        millis @ 1..1_000 => format!("in {millis} ms"),
        1_000..60_000 => format!("in {seconds:.1} s"),
        _ => format!("in {minutes} min {seconds:.0} s"),
    }
}

fn help() -> String {
    let lines = COMMANDS.iter().map(|it| {
        let command = format!("{} {}", it.name, it.parameters);
        format!("{command:<31} {}", it.about)
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
