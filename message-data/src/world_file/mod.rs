//! World files, as a program has them: read, checked, with their templates baked.
//!
//! All values of a file are on one tape, which is the text with its tokens. A component is the place where its fields
//! begin on that tape, and an override is the place where the fields begin that are put over them. Templates and
//! messagees share what they have in common, so reading takes memory in proportion to the text. A file is checked and
//! instantiated from what was read once, and every error has its place.

mod instance;
mod layout;
mod merge;
mod mistakes;
mod naming;
mod options;
mod outfit;
mod print;
mod read;
mod timing;
mod whole;
mod write;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use message_core::registry::MessageInfo;
use message_core::{Group, Mnemonic};
use message_format::DataError;
use message_format::steps::step;
use message_format::tape::Tape;

use crate::data_type::DataType;
use crate::wire::{WireTarget, WireTerms};
pub use instance::Instance;
pub(crate) use instance::Instancing;
pub(crate) use merge::{keys, merge};
pub use mistakes::WorldError;
pub(crate) use naming::Called;
pub use options::WorldOptions;
use outfit::Outfit;
use outfit::Templates;
pub use whole::write_world;
pub use write::Selection;

/// The name in place of a message type for a filter that all messages pass.
const ANY: &str = "Any";

/// The version of the format.
const VERSION: u64 = 1;

/// A world file that was read and checked: templates, messagees and wires.
///
/// [`read`](Self::read) checks everything that can be checked without a manager, reports all mistakes at once, and
/// changes nothing. [`instantiate`](crate::WorldFile::instantiate) makes the content of the file, all of it or
/// nothing, as often as it is called. [`WorldOptions`] limit how many mistakes are reported and how large the content
/// may become.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Data, WorldFile};
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
/// let made = file.instantiate(&mut manager)?;
/// let grib = made.get("grib").expect("the file has it");
/// assert_eq!(manager.get::<Vigour>(grib)?.max, 12);
/// assert_eq!(manager.parent(grib), made.get("camp"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Format, version 1
///
/// A world file is UTF-8 text in the syntax of [RON](https://docs.rs/ron). The names in front of parentheses can be
/// left out where only one is possible (`World`, `Template`, `Messagee`, `Wire`). All fields except `version`, the
/// `name` of a messagee and `from`, `on`, `to`, `send` or `cancel` of a wire can be left out, too. An unknown field is always an
/// error.
///
/// | part | field | meaning |
/// |---|---|---|
/// | `World` | `version` | 1 |
/// | | `plugins` | the names of the [plugins](mod@message_core::plugin) that the file needs, which have to be loaded when it is read |
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
/// | | `overhear` | filters by which it overhears messages to others: a message type, or `Any`, with `from`, `to`, `tagged`, `hidden`, `once`, `stage`, `with_retained` |
/// | `Messagee` | `name` | by which the file speaks of it; no other has it |
/// | | `label` | the name that it is given in the manager, if that is another, or `""` for none |
/// | | `from`, `components`, `overrides`, `disabled`, `groups`, `wires`, `overhear` | as for a template |
/// | | `parent` | the name of its parent |
/// | | `children` | a list of `Messagee(…)` whose parent it is |
/// | | `mnemonics` | the mnemonics that are bound to it |
/// | `Wire` | `from` | the name of the messagee that has to receive the message |
/// | | `on` | the message type that it waits for |
/// | | `when` | conditions on the fields of that message, all of which have to hold: `(amount: AtLeast(3), kind: Fire)` |
/// | | `to` | a name in this file, with wildcards or without, or a list of them; `Me`, `Sender`, `Activator`, `Parent`, `Children`, `Siblings`; `Mnemonic("…")`, `Group("…")`; `Named("…")` for names in the whole manager |
/// | | `send` | the message that it posts; `It` is the one that it has received, and `It("amount")` a field of that |
/// | | `cancel` | instead of `to` and `send`: the key of the pending message that it cancels |
/// | | `after`, `after_frames` | seconds or frames until the message is due |
/// | | `every`, `every_frames`, `deliveries` | the period of a message that repeats, and how often it is delivered; without the latter always |
/// | | `key` | the key under which it is pending, which belongs to the wire's messagee |
/// | | `keep_phase`, `unless_pending` | what happens if one is pending under the key; otherwise it is replaced |
/// | | `unscaled`, `if_alive`, `retain`, `tied_to_sender` | as for a [header](message_core::post::HeaderBuilder) |
/// | | `stage` | `FixedUpdate`, `Update`, `LateUpdate` or `EndOfFrame`; `Update` without it |
/// | | `times` | how often it fires; always without it |
/// | | `enabled` | it fires; `true` without it |
///
/// A component or a message is the name of its type (the short one, the full one, or an alias) with its fields:
/// `Health(hp: 8)`. The name alone means the defaults of all fields: `Health`. A type that serde does not write as a
/// struct is put in parentheses: `State(Idle)`, `Names(["a", "b"])`. A name that is not a word is written
/// `("game::Health", (hp: 8))`. A [`MessageeId`](message_core::MessageeId) in them is the name of a messagee anywhere in the
/// file. A [`HookId`](message_core::HookId) is that name followed by the type of a component: `"grib/Health"`, or
/// `"grib/Health#2"` for the second one of the type. Nothing is posted or subscribed in a file, so a
/// [`Ticket`](message_core::Ticket) or a [`SubscriptionId`](message_core::SubscriptionId) cannot be written, but an `Option` of one
/// can be `None`. The id of a messagee or a component that is gone is written as `None` if the field is an `Option`.
///
/// An override replaces whole fields: values nested in a field are not merged. There has to be one component of its
/// type. No template is used twice for one messagee, directly or indirectly. A component that a template disables
/// stays disabled. A group that several templates name is joined once. The wires of templates come before those of
/// the messagee itself, and begin at it.
///
/// The sender and the recipient of a filter are written like `Pulled(from: Messagee("lever"), to: Group("Bells"))`: in
/// place of an id is the name of a messagee, as in a component.
///
/// The names that wires lead to are those of messagees in the same instance of the file. In a wire of a template that is
/// instantiated alone, they are names of the manager, like the names in its components.
///
/// A condition is `Is(…)`, `Not(…)`, `AtLeast(…)`, `AtMost(…)`, or a value alone, which is the same as `Is(…)`. A field
/// of a field is written as in `{"at.x": AtMost(2.5)}`.
///
/// Mnemonics and groups are written with their declared name, or with the last part of that name.
///
/// # Untrusted files
///
/// Reading takes time and memory proportional to the length of the text, whatever it says. A component of a
/// template is read again for each messagee that overrides it, and a value with mistakes is read again to find
/// further ones. This is limited to a total of 16 times the text; values beyond that are not checked until
/// [`instantiate`](crate::WorldFile::instantiate).
///
/// A messagee is made from at most 100 templates. `instantiate` can create much more than the text contains, since each
/// messagee gets the components of its templates; [`max_expanded`](WorldOptions::max_expanded) limits that.
#[derive(Clone)]
pub struct WorldFile(Arc<Content>);

/// The content of a file that was read.
#[derive(Debug, Default)]
struct Content {
    file: Option<Arc<str>>,
    options: WorldOptions,
    /// The length of the source, with which the text of the tape begins.
    source_len: usize,
    tape: Tape,
    templates: Templates,
    /// The numbers of the templates, sorted by name.
    templates_by_name: Vec<u32>,
    messagees: Vec<Spec>,
    /// The numbers of the messagees, sorted by name.
    messagees_by_name: Vec<u32>,
    /// The wires of the world itself, each with the messagee that it begins at.
    wires: Vec<(u32, WireSpec)>,
    groups: Vec<(Group, Vec<u32>)>,
    /// The messagees that wires lead to, by the texts of the names.
    led_to: HashMap<String, Arc<[u32]>>,
}

impl fmt::Debug for WorldFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldFile")
            .field("file", &self.0.file)
            .field("templates", &self.0.templates.0.len())
            .field("messagees", &self.0.messagees.len())
            .finish_non_exhaustive()
    }
}

/// A filter by which a messagee overhears.
#[derive(Clone, Copy, Debug)]
struct OverhearSpec {
    /// The type of the messages, unless all are overheard.
    of: Option<&'static MessageInfo>,
    /// Where the fields of the filter begin on the tape.
    at: u32,
    place: u32,
}

/// A messagee.
#[derive(Debug)]
struct Spec {
    /// The token of its name.
    name: u32,
    /// The token of its name in the manager, if that is another one.
    label: Option<u32>,
    outfit: Outfit,
    parent: Option<u32>,
    mnemonics: Box<[(Mnemonic, u32)]>,
}

/// A wire whose messagee is known.
#[derive(Clone, Debug)]
struct WireSpec {
    on: &'static MessageInfo,
    to: SpecTarget,
    send: Option<SpecSend>,
    place: u32,
    /// Its target is in `to`.
    terms: WireTerms,
    times: Option<u64>,
    enabled: bool,
}

/// The target of a wire.
#[derive(Clone, Debug)]
enum SpecTarget {
    /// Messagees of the same instance: the tokens of their names, with wildcards or without.
    Own(Box<[u32]>),
    Other(WireTarget),
}

/// The message of its own that a wire posts.
#[derive(Clone, Debug)]
enum SpecSend {
    /// Where the fields of the message begin on the tape.
    Plain(&'static DataType, u32),
    /// The fields, with any values for those that are taken from the received message.
    Filled(&'static DataType, Arc<Tape>),
}

/// Converts the number of a token, a messagee or a template. A text has less than 4 GiB, so 32 bits are enough.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a text has fewer tokens than 2^32")
}

impl Content {
    /// Returns the string or the word at a token.
    fn str(&self, token: u32) -> &str {
        self.tape.str(self.tape.tokens[token as usize])
    }

    /// Returns the place of a token in the text.
    fn place(&self, token: u32) -> u32 {
        self.tape.tokens[token as usize].start
    }

    fn name_of(&self, messagee: u32) -> &str {
        self.str(self.messagees[messagee as usize].name)
    }

    fn label_of(&self, spec: &Spec) -> &str {
        self.str(spec.label.unwrap_or(spec.name))
    }

    /// Returns the messagee with this name in the file.
    fn find_messagee(&self, name: &str) -> Option<u32> {
        find(&self.messagees_by_name, name, |it| self.name_of(it))
    }

    fn find_template(&self, name: &str) -> Option<u32> {
        let names = |it: u32| self.str(self.templates.0[it as usize].name);
        find(&self.templates_by_name, name, names)
    }

    /// Returns the text that was read.
    fn source(&self) -> &str {
        &self.tape.text[..self.source_len]
    }
}

/// Sorts numbers by their names, and those with the same name by number.
fn sorted_by_name<'n>(
    numbers: impl Iterator<Item = u32>,
    name: impl Fn(u32) -> &'n str,
) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_by(|&a, &b| compare(name(a), name(b)));
    numbers
}

fn compare(a: &str, b: &str) -> Ordering {
    step(a.len().min(b.len()) + 1);
    a.cmp(b)
}

/// Returns the first of the sorted numbers that has a name.
fn find<'n>(sorted: &[u32], wanted: &str, name: impl Fn(u32) -> &'n str) -> Option<u32> {
    let first = sorted.partition_point(|&it| compare(name(it), wanted).is_lt());
    let found = sorted.get(first).copied();
    found.filter(|&it| name(it) == wanted)
}

impl WorldFile {
    /// Reads and checks a file. Changes nothing.
    ///
    /// # Errors
    ///
    /// Returns all mistakes in it, each with file, line and column, what was found, and what was expected.
    ///
    /// ```
    /// use message_data::WorldFile;
    ///
    /// let error = WorldFile::read("no/such/world.ron").expect_err("there is none");
    /// assert!(error.to_string().starts_with("no/such/world.ron: "), "{error}");
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Self, WorldError> {
        WorldOptions::new().read(path)
    }

    /// Reads and checks a text that is not in a file, such as one that is part of the program.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Self::read), without a file.
    ///
    /// ```
    /// use message_data::WorldFile;
    ///
    /// let error = WorldFile::parse("World(version: 1, messages: [])").expect_err("a typo");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "1:19: `World` has no field `messages`; it has `version`, `plugins`, `templates`, `messagees`, \
    ///      `wires`, `groups`; did you mean `messagees`?"
    /// );
    /// ```
    pub fn parse(text: &str) -> Result<Self, WorldError> {
        WorldOptions::new().parse(text)
    }

    /// Reads and checks a text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Self::read), without a file, and an error if the bytes are a text in another
    /// encoding.
    ///
    /// ```
    /// use message_data::WorldFile;
    ///
    /// assert!(WorldFile::from_bytes(b"World(version: 1)").is_ok());
    /// let error = WorldFile::from_bytes(b"World(version: \xff)").expect_err("that is no UTF-8");
    /// assert!(error.to_string().starts_with("1:16: the byte 0xff is not"), "{error}");
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WorldError> {
        WorldOptions::new().from_bytes(bytes)
    }

    /// Returns the names of the templates, in the order of the file.
    ///
    /// ```
    /// use message_data::WorldFile;
    ///
    /// let text = r#"World(version: 1, templates: {"orc": Template(), "elf": Template()})"#;
    /// assert!(WorldFile::parse(text)?.templates().eq(["orc", "elf"]));
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    pub fn templates(&self) -> impl Iterator<Item = &str> {
        let templates = self.0.templates.0.iter();
        templates.map(|template| self.0.str(template.name))
    }

    /// Returns the names of the messagees in the file, each before its children.
    ///
    /// ```
    /// use message_data::WorldFile;
    ///
    /// let text = r#"World(version: 1, messagees: [(name: "a", children: [(name: "b")]), (name: "c")])"#;
    /// assert!(WorldFile::parse(text)?.messagees().eq(["a", "b", "c"]));
    /// # Ok::<(), message_data::WorldError>(())
    /// ```
    pub fn messagees(&self) -> impl Iterator<Item = &str> {
        self.0.messagees.iter().map(|it| self.0.str(it.name))
    }

    /// Reads the file in a log.
    pub(crate) fn logged(text: &str) -> Result<Self, DataError> {
        Self::parse(text).map_err(|error| {
            let first = error.into_first();
            first.unwrap_or_else(|| DataError::new("the world file has mistakes"))
        })
    }

    /// Returns the text that was read.
    pub(crate) fn source(&self) -> &str {
        self.0.source()
    }
}
