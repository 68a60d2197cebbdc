//! The commands.

use super::{Console, Said, help, types};

/// A command.
pub struct Command {
    pub name: &'static str,
    pub parameters: &'static str,
    pub about: &'static str,
    /// Executes it with the rest of the line.
    pub(super) run: fn(&mut Console, &str) -> Said,
}

const fn command(
    name: &'static str,
    parameters: &'static str,
    about: &'static str,
    run: fn(&mut Console, &str) -> Said,
) -> Command {
    Command {
        name,
        parameters,
        about,
        run,
    }
}

/// All commands, in the order of the help.
pub const COMMANDS: &[Command] = &[
    command("help", "", "lists the commands", |_, _| Ok(help())),
    command(
        "types",
        "",
        "lists the messages and components with their fields",
        |_, _| Ok(types()),
    ),
    command(
        "templates",
        "",
        "lists the templates that can be spawned",
        |it, _| Ok(it.templates().join("\n")),
    ),
    command(
        "load",
        "FILE",
        "makes the messagees of a world file; its templates can be spawned",
        Console::load,
    ),
    command(
        "spawn",
        "TEMPLATE [NAME]",
        "makes a messagee from a template",
        Console::spawn,
    ),
    command(
        "list",
        "[PATTERN]",
        "lists messagees by name, with wildcards",
        |it, rest| it.list(rest),
    ),
    command(
        "inspect",
        "NAME",
        "shows the components of a messagee",
        |it, rest| it.inspect(rest),
    ),
    command(
        "attach",
        "NAME COMPONENT",
        "attaches a component, such as `Health(hp: 3)`",
        Console::attach,
    ),
    command(
        "change",
        "NAME [NUMBER] COMPONENT",
        "changes the given fields of a component",
        Console::change,
    ),
    command(
        "remove",
        "NAME [NUMBER] TYPE",
        "removes a component; NUMBER tells those of one type apart",
        Console::remove,
    ),
    command(
        "send",
        "WHO MESSAGE",
        "sends a message; WHO is a name, Everyone or Goblins",
        Console::send,
    ),
    command(
        "post",
        "WHO SECONDS MESSAGE",
        "posts a message with a delay",
        Console::post,
    ),
    command("pending", "", "lists the pending messages", |it, _| {
        Ok(it.pending())
    }),
    command(
        "tick",
        "[SECONDS]",
        "runs a frame, 1 second long by default",
        Console::tick,
    ),
    command(
        "explain",
        "[NUMBER]",
        "shows the cause and the outcome of the last message, or of #NUMBER",
        |it, rest| it.explain(rest),
    ),
    command(
        "wires",
        "[NUMBER on|off]",
        "lists the wires, or switches one on or off",
        Console::wires,
    ),
    command(
        "write",
        "[FILE]",
        "writes the world as a world file",
        |it, rest| it.write(rest),
    ),
    command(
        "save",
        "FILE",
        "writes the whole state to a file",
        Console::save,
    ),
    command(
        "restore",
        "FILE",
        "restores the state from a file written by `save`",
        Console::restore,
    ),
    command(
        "log",
        "FILE|off",
        "logs all inputs to a file from now on, or ends the log",
        Console::log,
    ),
    command(
        "replay",
        "FILE",
        "replays such a log, and goes to its last frame",
        Console::replay,
    ),
    command(
        "frame",
        "[NUMBER]",
        "goes to a frame of the log, and shows what was delivered in it",
        Console::frame,
    ),
    command("back", "", "goes one frame back in the log", |it, _| {
        it.step(|frame| frame.saturating_sub(1))
    }),
    command("on", "", "goes one frame on in the log", |it, _| {
        it.step(|frame| frame + 1)
    }),
    command(
        "who",
        "NAME TYPE [FIELD]",
        "goes to the last change of a component or of its field, and explains it",
        Console::who,
    ),
    command("quit", "", "ends the program", Console::quit),
];
