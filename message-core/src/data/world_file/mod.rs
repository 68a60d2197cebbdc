//! World files, as a program has them: read, checked, with their templates baked.
//!
//! All values of a file stay on one tape, which is the text with its tokens. A component is where its
//! fields begin on that tape; a component with overrides is a copy of the tokens, of the same text. So a
//! file is checked and instanced from what was read once, and every error has its place.

mod instance;
mod layout;
mod print;
mod read;
mod write;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use instance::Instanced;
pub use write::Selection;

use crate::data::data_type::DataType;
use crate::data::error::DataError;
use crate::data::tape::Tape;
use crate::data::text::decode;
use crate::data::wire::WireTerms;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::registry::MessageInfo;

/// The version of the format.
const VERSION: u64 = 1;

/// A world file that was read and checked: templates, messagees and wires.
///
/// [`read`](Self::read) checks everything that can be checked without a manager, reports all mistakes at
/// once, and changes nothing. [`instance`](crate::MessageManager::instance) makes what the file says,
/// all of it or nothing, as often as it is called.
///
/// ```
/// use message_core::data::{Data, WorldFile};
/// use message_core::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[serde(default)]
/// #[data(name = "docs.Vigour")]
/// struct Vigour { hp: u32, max: u32 }
///
/// let file = WorldFile::parse(
///     r#"World(
///         version: 1,
///         templates: {
///             "creature": Template(components: [Vigour(hp: 8, max: 8)]),
///             "goblin": Template(from: ["creature"], overrides: [Vigour(max: 12)]),
///         },
///         messagees: [
///             Messagee(name: "camp", children: [Messagee(name: "grib", from: ["goblin"])]),
///         ],
///     )"#,
/// )?;
/// let mut manager = MessageManager::new();
/// let made = manager.instance(&file)?;
/// let grib = made.get("grib").expect("the file has it");
/// assert_eq!(manager.get::<Vigour>(grib)?.max, 12);
/// assert_eq!(manager.parent(grib), made.get("camp"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Format, version 1
///
/// A text in UTF-8 and in the syntax of [RON](https://docs.rs/ron). The names in front of parentheses can
/// be left out where only one is possible (`World`, `Template`, `Messagee`, `Wire`). All fields but
/// `version`, the `name` of a messagee and `from`, `on`, `to`, `send` of a wire can be left out, too. An
/// unknown field is an error, everywhere.
///
/// | part | field | meaning |
/// |---|---|---|
/// | `World` | `version` | 1 |
/// | | `plugins` | the names of the [plugins](mod@crate::plugin) that the file needs, which have to be loaded when it is read |
/// | | `templates` | a map of names to `Template(…)` |
/// | | `messagees` | a list of `Messagee(…)` |
/// | | `wires` | a list of `Wire(…)`, each with `from` |
/// | | `groups` | a map of groups to the names of messagees, which join in this order, before those that say it themselves |
/// | `Template` | `from` | names of templates whose components, groups and wires come first |
/// | | `components` | components that are added |
/// | | `overrides` | components whose fields are put over those that are there |
/// | | `disabled` | the types of components that begin disabled; `("Mind", 2)` is the second of that type |
/// | | `groups` | the groups that are joined |
/// | | `wires` | a list of `Wire(…)` without `from` |
/// | `Messagee` | `name` | by which the file speaks of it; no other has it |
/// | | `label` | the name that it is given in the manager, if that is another, or `""` for none |
/// | | `from`, `components`, `overrides`, `disabled`, `groups`, `wires` | as for a template |
/// | | `parent` | the name of its parent |
/// | | `children` | a list of `Messagee(…)` whose parent it is |
/// | | `mnemonics` | the mnemonics that are bound to it |
/// | `Wire` | `from` | the name of the messagee that has to receive the message |
/// | | `on` | the message type that it waits for |
/// | | `to` | a name, with wildcards or without; `Mnemonic("…")`, `Group("…")`, `Me`, `Activator` |
/// | | `send` | the message that it posts |
/// | | `after` | seconds until it is due; 0 without it |
/// | | `times` | how often it fires; always without it |
/// | | `stage` | `FixedUpdate`, `Update`, `LateUpdate` or `EndOfFrame`; `Update` without it |
/// | | `enabled` | it fires; `true` without it |
///
/// A component or a message is the name of its type (the short one, the full one, or an alias) with its
/// fields: `Health(hp: 8)`. The name alone is all fields by default: `Health`. A type that serde does not
/// write as a struct stands in the parentheses: `State(Idle)`, `Names(["a", "b"])`. A name that is no
/// word is written `("game::Health", (hp: 8))`. A [`MessageeId`](crate::MessageeId) in them is the name of
/// a messagee in the file, before it or behind it. A [`HookId`](crate::HookId) is that name with the type
/// of a component behind it: `"grib/Health"`, or `"grib/Health#2"` for the second one of the type. Nothing
/// is posted or subscribed in a file, so a [`Ticket`](crate::Ticket) and a
/// [`SubscriptionId`](crate::SubscriptionId) cannot stand there; `None` of one can. The id of a messagee or a
/// component that is gone is written as `None`, if the field is an `Option`.
///
/// An override replaces whole fields: what is nested in a field is not put together. There has to be one
/// component of its type. No template is used twice for one messagee, by whatever way. A component that a
/// template disables stays so. A group that several templates name is joined once. The wires of templates
/// come before those of the messagee itself, and begin at it.
///
/// Mnemonics and groups have the names by which they are declared, or the last part of that name.
#[derive(Clone)]
pub struct WorldFile {
    file: Option<Arc<str>>,
    /// The text of the tape begins with the source, which is so long.
    source_len: usize,
    tape: Tape,
    templates: Vec<Template>,
    messagees: Vec<Spec>,
    /// Each with the messagee that it begins at.
    wires: Vec<(usize, WireSpec)>,
    groups: Vec<(Group, Vec<usize>)>,
}

impl fmt::Debug for WorldFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldFile")
            .field("file", &self.file)
            .field("templates", &self.templates.len())
            .field("messagees", &self.messagees.len())
            .field("wires", &self.wires.len())
            .finish_non_exhaustive()
    }
}

/// A component.
#[derive(Clone, Debug)]
struct Part {
    ty: &'static DataType,
    /// Where what stands behind the name begins on the tape.
    at: usize,
    /// Where it is named in the text.
    place: u32,
}

/// What a messagee begins with.
#[derive(Clone, Debug, Default)]
struct Outfit {
    parts: Vec<Part>,
    /// Which of the parts begin disabled.
    disabled: BTreeSet<usize>,
    /// The groups that it joins, in this order.
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Template {
    name: String,
    outfit: Outfit,
    wires: Vec<WireSpec>,
}

/// A messagee.
#[derive(Clone, Debug)]
struct Spec {
    name: String,
    label: Arc<str>,
    outfit: Outfit,
    parent: Option<usize>,
    mnemonics: Vec<(Mnemonic, u32)>,
}

/// A wire of who is known.
#[derive(Clone, Debug)]
struct WireSpec {
    on: &'static MessageInfo,
    send: &'static DataType,
    /// Where the fields of the message begin on the tape.
    at: usize,
    place: u32,
    terms: WireTerms,
}

impl WorldFile {
    /// Reads and checks a file. Nothing is changed anywhere.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, each with file, line and column, what was found, and what was expected.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    ///
    /// let error = WorldFile::read("no/such/world.ron").expect_err("there is none");
    /// assert!(error.to_string().starts_with("no/such/world.ron: "), "{error}");
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let file: Arc<str> = path.display().to_string().into();
        let bytes = std::fs::read(path).map_err(|error| {
            let what = format!("the file cannot be read: {error}");
            WorldError::of(vec![DataError::new(what)], Some(&file))
        })?;
        Self::of_bytes(&bytes, Some(&file))
    }

    /// Reads and checks a text that is in no file, such as one that is part of the program.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read), without a file.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    ///
    /// let error = WorldFile::parse("World(version: 1, messages: [])").expect_err("a typo");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "1:19: `World` has no field `messages`; it has `version`, `plugins`, `templates`, `messagees`, \
    ///      `wires`, `groups`; did you mean `messagees`?"
    /// );
    /// ```
    pub fn parse(text: &str) -> Result<Self, WorldError> {
        read::read(text, None).map_err(|errors| WorldError::of(errors, None))
    }

    /// Reads and checks a text of which it is not known whether it is UTF-8.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read), without a file; bytes that are a text in another encoding.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    ///
    /// assert!(WorldFile::from_bytes(b"World(version: 1)").is_ok());
    /// let error = WorldFile::from_bytes(b"World(version: \xff)").expect_err("that is no UTF-8");
    /// assert!(error.to_string().starts_with("1:16: the byte 0xff is not"), "{error}");
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WorldError> {
        Self::of_bytes(bytes, None)
    }

    fn of_bytes(bytes: &[u8], file: Option<&Arc<str>>) -> Result<Self, WorldError> {
        let text = decode(bytes).map_err(|error| WorldError::of(vec![error], file))?;
        let read = read::read(&text, file.cloned());
        read.map_err(|errors| WorldError::of(errors, file))
    }

    /// Returns the names of the templates, in the order of the file.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    ///
    /// let text = r#"World(version: 1, templates: {"orc": Template(), "elf": Template()})"#;
    /// assert!(WorldFile::parse(text)?.templates().eq(["orc", "elf"]));
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    pub fn templates(&self) -> impl Iterator<Item = &str> {
        self.templates.iter().map(|template| template.name.as_str())
    }

    /// Returns the names by which the file speaks of its messagees, each before its children.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    ///
    /// let text = r#"World(version: 1, messagees: [(name: "a", children: [(name: "b")]), (name: "c")])"#;
    /// assert!(WorldFile::parse(text)?.messagees().eq(["a", "b", "c"]));
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    pub fn messagees(&self) -> impl Iterator<Item = &str> {
        self.messagees.iter().map(|it| it.name.as_str())
    }

    /// The file that a log has.
    pub(crate) fn logged(text: &str) -> Result<Self, DataError> {
        let first = |error: WorldError| error.0.into_iter().next();
        Self::parse(text).map_err(|error| {
            first(error).unwrap_or_else(|| DataError::new("the world file has mistakes"))
        })
    }

    /// The text that was read.
    pub(crate) fn source(&self) -> &str {
        &self.tape.text[..self.source_len]
    }

    /// An error at a place of the text.
    fn placed(&self, error: DataError, place: u32) -> DataError {
        let error = error.at(place).in_text(self.source());
        match &self.file {
            Some(file) => error.in_file(file),
            None => error,
        }
    }
}

/// All that is wrong with a world file, or with what is to be written as one.
///
/// It prints one mistake in each line, as compilers do.
///
/// ```
/// use message_core::data::WorldFile;
///
/// let text = "World(\n    version: 2,\n    messagees: [Messagee(nam: \"a\")],\n)";
/// let error = WorldFile::parse(text).expect_err("it has mistakes");
/// let lines: Vec<_> = error.errors().iter().map(|error| error.line()).collect();
/// assert_eq!(lines, [Some(2), Some(3), Some(3)]);
/// assert_eq!(error.to_string().lines().count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct WorldError(Vec<DataError>);

impl WorldError {
    fn of(errors: Vec<DataError>, file: Option<&Arc<str>>) -> Self {
        let errors = errors.into_iter();
        Self(match file {
            Some(file) => errors.map(|error| error.in_file(file)).collect(),
            None => errors.collect(),
        })
    }

    /// Returns the mistakes, in the order of the text. There is at least one.
    ///
    /// ```
    /// use message_core::data::WorldFile;
    ///
    /// let error = WorldFile::parse("World()").expect_err("it has no version");
    /// assert_eq!(error.errors()[0].what(), "the world has no version: expected `version: 1`");
    /// ```
    #[must_use]
    pub fn errors(&self) -> &[DataError] {
        &self.0
    }
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fmt::Display::fmt(error, f)?;
        }
        Ok(())
    }
}

impl std::error::Error for WorldError {}
