//! The components of messagees that are alive, as text and from text.

use std::any::{Any, TypeId};
use std::panic::Location;
use std::sync::Arc;

use message_core::input::Input;
use message_core::internals::{Changes, Pool, World, hook, unhook};
use message_core::{Absence, HookId, MessageeError, MessageeId, Structure};
use message_format::tape::{Kind, Tape, Token};
use message_format::{DataError, Reader, Unknown, Writer, text};

use crate::actor::Actor;
use crate::data_type::{ComponentData, DataType};
use crate::messages::{NamedText, component_of, name_in_files, named_tape, names_in, no_data};
use crate::scope::{Found, Numbered, Scope};
use crate::types::{find_component, of_pool};
use crate::world_file::{keys, merge};

/// Writes a component by the name of its type, as in a world file. An id is written as the name of its
/// messagee, or as `"#7v2"` if the messagee has no name, shares its name with another, or has a name that
/// begins with `#`. The id of a component or a subscription is always written like `"#7v2"`. A ticket or a
/// cursor is printed for people only: it cannot be read back.
///
/// # Errors
///
/// Returns an error if the hook is gone or belongs to another manager, if the component is running, if the type has no
/// data, or if its `Serialize` returns one.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Lock", exact)]
/// struct Lock { turns: u32 }
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn((Lock { turns: 2 },));
/// let hook = manager.hook_of::<Lock>(gate)?;
/// assert_eq!(data::component_to_text(&manager, hook)?, "Lock(turns: 2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn component_to_text(structure: &Structure, hook: HookId) -> Result<String, DataError> {
    let (pool, slot) = pool_of(structure, hook)?;
    let ty = component_type(structure, hook)?;
    let write = component_of(ty).write;
    let written = || {
        named_tape(name_in_files(ty), |writer| {
            write(pool.any_values(), slot, writer)
        })
    };
    Ok(text::print(&Scope::Shown.during(written)?, 0))
}

/// Writes each field of a component, after its name, as [`component_to_text`] does. Returns none if the component has
/// no named fields.
///
/// # Errors
///
/// Returns the same errors as [`component_to_text`].
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Bar", exact)]
/// struct Bar { length: u32, is_bent: bool }
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn((Bar { length: 2, is_bent: false },));
/// let fields = data::component_fields(&manager, manager.hook_of::<Bar>(gate)?)?;
/// let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
/// assert_eq!(fields, [("length", "2"), ("is_bent", "false")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn component_fields(
    structure: &Structure,
    hook: HookId,
) -> Result<Vec<(String, String)>, DataError> {
    let (pool, slot) = pool_of(structure, hook)?;
    let write = component_of(component_type(structure, hook)?).write;
    let mut writer = Writer::new();
    Scope::Shown.during(|| write(pool.any_values(), slot, &mut writer))?;
    let tape = &mut writer.tape;
    if !name_fields(tape, 0) {
        return Ok(Vec::new());
    }
    let field = |key: usize| {
        let name = tape.str(tape.tokens[key]).to_owned();
        (name, text::print(tape, key + 1))
    };
    Ok(keys(&tape.tokens, 0).map(field).collect())
}

/// Returns the type of a component.
///
/// # Errors
///
/// Returns an error if the hook is gone or belongs to another manager, or if the type has no data.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Knob", exact)]
/// struct Knob { size: u32 }
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn((Knob { size: 2 },));
/// let hook = manager.hook_of::<Knob>(gate)?;
/// assert_eq!(data::component_type(&manager, hook)?.name(), "docs.Knob");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn component_type(structure: &Structure, hook: HookId) -> Result<&'static DataType, DataError> {
    let (pool, _) = pool_of(structure, hook)?;
    of_pool(pool).ok_or_else(|| no_data("component", pool.component_name()))
}

/// Hooks a component from a text that begins with the name of its type: `Health(hp: 3)`.
///
/// Ids are written as in [`parse_message`](crate::parse_message). In a handler, the component is hooked when the
/// outermost send returns, as by [`Context::hook`](message_core::Context::hook). Messages can be sent to its hook at
/// once.
///
/// # Errors
///
/// Returns an error if the messagee is gone or is leaving, if the type does not exist, or if the text does not fit it.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[serde(default)]
/// #[data(name = "docs.Bolt")]
/// struct Bolt { length: u32 }
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn(());
/// let hook = data::hook_from_text(&mut manager, gate, "Bolt(length: 3)")?;
/// assert_eq!(manager.hook_of::<Bolt>(gate), Ok(hook));
///
/// let error = data::hook_from_text(&mut manager, gate, "Bolt(lenght: 3)").expect_err("a typo");
/// assert_eq!(
///     error.to_string(),
///     "1:6: `Bolt` has no field `lenght`; it has `length`; did you mean `length`?"
/// );
/// # Ok::<(), data::DataError>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
#[track_caller]
pub fn hook_from_text(
    actor: &mut impl Actor,
    id: MessageeId,
    source: &str,
) -> Result<HookId, DataError> {
    let place = Location::caller();
    let part = Part::of_text(source, &actor.settled().structure)?;
    hook_part(actor, id, part, place).map_err(DataError::new)
}

/// Changes the fields of a component that a text gives: `Health(hp: 3)`. The others stay as they are.
///
/// Each field is replaced as a whole, like one that is overridden in a [world file](crate::WorldFile). A text without
/// named fields, such as that of an enum, replaces the whole component. Ids are written as in
/// [`parse_message`](crate::parse_message). A field that serde skips gets its default.
///
/// In a handler, the change takes effect at once, as by [`Context::get_mut`](message_core::Context::get_mut).
///
/// # Errors
///
/// Returns an error if the hook is gone or is leaving, if the component is running, if its type has no data or is not
/// the one that the text names, or if a field does not fit. The component has not changed then.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Latch", exact)]
/// struct Latch { weight: u32, is_open: bool }
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn((Latch { weight: 9, is_open: false },));
/// let hook = manager.hook_of::<Latch>(gate)?;
/// data::change_from_text(&mut manager, hook, "Latch(is_open: true)")?;
/// assert_eq!(data::component_to_text(&manager, hook)?, "Latch(weight: 9, is_open: true)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
#[track_caller]
pub fn change_from_text(
    actor: &mut impl Actor,
    hook: HookId,
    source: &str,
) -> Result<(), DataError> {
    let read = |_: &World| NamedText::read(source, find_component);
    change(actor, hook, read).map_err(|error| error.in_text(source))
}

/// Like [`change_from_text`], but changes one field, of which the text is the value: `3`. The place in an error is that
/// in this text.
///
/// # Errors
///
/// Returns the same errors as [`change_from_text`], and one if the component has no such field.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(name = "docs.Bracket", exact)]
/// struct Bracket { weight: u32, holes: Vec<u8> }
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn((Bracket { weight: 9, holes: vec![] },));
/// let hook = manager.hook_of::<Bracket>(gate)?;
/// data::change_field_from_text(&mut manager, hook, "holes", "[3, 4]")?;
/// assert_eq!(data::component_to_text(&manager, hook)?, "Bracket(weight: 9, holes: [3, 4])");
///
/// let error = data::change_field_from_text(&mut manager, hook, "weight", "much").expect_err("no number");
/// assert_eq!(error.to_string(), "1:1: expected an integer, found `much`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
#[track_caller]
pub fn change_field_from_text(
    actor: &mut impl Actor,
    hook: HookId,
    field: &str,
    source: &str,
) -> Result<(), DataError> {
    let read = |world: &World| {
        let ty = component_type(&world.structure, hook)?;
        NamedText::of_field(ty, field, source)
    };
    change(actor, hook, read).map_err(|error| error.in_text(source))
}

/// Unhooks a component of any type, and drops it.
///
/// In a handler, it is dropped when the outermost send returns, as by
/// [`Context::unhook`](message_core::Context::unhook).
///
/// # Errors
///
/// Returns [`MessageeError::NotHooked`] if the hook is gone, is leaving or belongs to another manager.
///
/// ```
/// use message_core::prelude::*;
/// use message_data as data;
///
/// struct Hinge;
///
/// let mut manager = MessageManager::new();
/// let gate = manager.spawn((Hinge,));
/// for hook in manager.hooks(gate) {
///     data::unhook_any(&mut manager, hook)?;
/// }
/// assert_eq!(manager.hooks(gate).count(), 0);
/// # Ok::<(), MessageeError>(())
/// ```
///
/// # Panics
///
/// Panics if a handler that is notified of the change panics, if dropping the component does, and under the same
/// conditions as [`settle`](message_core::MessageManager::settle), which is called first.
#[track_caller]
pub fn unhook_any(actor: &mut impl Actor, hook: HookId) -> Result<(), MessageeError> {
    let place = Location::caller();
    actor.act(
        (),
        |()| Input::Unhook(hook, place),
        |world, ()| unhook(world, hook, place),
    )
}

/// A component that was read, and the functions of its type.
pub(crate) struct Part {
    pub(crate) data: ComponentData,
    pub(crate) value: Box<dyn Any + Send>,
}

impl Part {
    fn of_text(source: &str, structure: &Structure) -> Result<Self, DataError> {
        let read = || {
            let text = NamedText::read(source, find_component)?;
            let data = component_of(text.ty);
            let names = Scope::Found(Box::new(names_in(structure)));
            let value = names.during(|| (data.read)(&mut text.reader()))?;
            Ok(Self { data, value })
        };
        read().map_err(|error: DataError| error.in_text(source))
    }

    pub(crate) fn type_id(&self) -> TypeId {
        (*self.value).type_id()
    }

    /// Attaches the component to a messagee that is alive.
    pub(crate) fn attach(self, changes: &mut Changes<'_>, hook: HookId, id: MessageeId) {
        (self.data.attach)(changes, hook, id, self.value);
    }
}

/// Hooks a component that was read.
pub(crate) fn hook_part(
    actor: &mut impl Actor,
    id: MessageeId,
    part: Part,
    place: &'static Location<'static>,
) -> Result<HookId, MessageeError> {
    actor.act(
        part,
        |part| Input::Hook(id, &*part.value, place),
        |world, part| {
            let of = part.type_id();
            let attach = move |changes: &mut Changes<'_>, hook| part.attach(changes, hook, id);
            hook(world, id, of, attach, place)
        },
    )
}

/// Puts the fields of a text over those of a component, as an input of the caller's line.
#[track_caller]
fn change(
    actor: &mut impl Actor,
    hook: HookId,
    read: impl FnOnce(&World) -> Result<NamedText, DataError>,
) -> Result<(), DataError> {
    let place = Location::caller();
    // Otherwise a sink would see the component as an earlier panic has left it.
    actor.settled();
    actor.act(
        (),
        |()| Input::ComponentMut(hook, place),
        |world, ()| put(world, hook, read),
    )
}

fn put(
    world: &World,
    hook: HookId,
    read: impl FnOnce(&World) -> Result<NamedText, DataError>,
) -> Result<(), DataError> {
    let structure = &world.structure;
    structure.owner(hook).map_err(DataError::new)?;
    let text = read(world)?;
    let (pool, slot) = pool_as(structure, hook, text.ty).map_err(|it| it.at(text.place))?;
    let data = component_of(text.ty);
    // The component is written as it is read, with the ids and the tickets that it has.
    let found = Found {
        numbered: Some(Arc::new(Numbered::with_posts(world))),
        ..names_in(structure)
    };
    let value = Scope::Found(Box::new(found)).during(|| {
        let mut writer = Writer::new();
        (data.write)(pool.any_values(), slot, &mut writer)?;
        let (tape, tokens) = put_over(text, &writer.tape)?;
        (data.read)(&mut Reader::apart(&tape, &tokens, Unknown::Refused))
    })?;
    (data.replace)(pool.any_values(), slot, value)
}

/// Puts the fields of a text over those of a value. Returns the tokens of the result, and the tape they are of.
fn put_over(text: NamedText, value: &Tape) -> Result<(Tape, Vec<Token>), DataError> {
    let (mut tape, mut tokens) = (text.tape, Vec::new());
    let whole = tape.tokens.len();
    tape.append(value, 0)?;
    name_fields(&mut tape, whole);
    let layer = |at: usize| u32::try_from(at).map_err(|_| DataError::too_large());
    merge(&tape, &[layer(whole)?, layer(text.content)?], &mut tokens)?;
    Ok((tape, tokens))
}

/// Returns `true` if a value has named fields. A struct is written as a map if it flattens another, or if a name is no
/// word: such a map becomes fields.
fn name_fields(tape: &mut Tape, at: usize) -> bool {
    let is_named = |key: usize| tape.tokens[key].kind == Kind::Str;
    if tape.tokens[at].kind == Kind::Map && keys(&tape.tokens, at).all(is_named) {
        tape.tokens[at].kind = Kind::Fields;
    }
    tape.tokens[at].kind == Kind::Fields
}

/// Replaces a component with another one of its type.
pub(crate) fn replace(
    structure: &Structure,
    hook: HookId,
    ty: &DataType,
    part: Part,
) -> Result<(), DataError> {
    let (pool, slot) = pool_as(structure, hook, ty)?;
    (part.data.replace)(pool.any_values(), slot, part.value)
}

/// Returns the pool and the slot of a component of this type.
fn pool_as<'s>(
    structure: &'s Structure,
    hook: HookId,
    ty: &DataType,
) -> Result<(&'s Pool, usize), DataError> {
    let (pool, slot) = pool_of(structure, hook)?;
    if pool.type_of() == ty.type_id() {
        return Ok((pool, slot));
    }
    let known = of_pool(pool).map_or(pool.component_name(), DataType::name);
    Err(DataError::new(format_args!(
        "a component of type `{}` cannot replace that of hook {hook}, which has type `{known}`",
        ty.name()
    )))
}

pub(crate) fn pool_of(structure: &Structure, hook: HookId) -> Result<(&Pool, usize), DataError> {
    structure.pool_of(hook).ok_or_else(|| {
        let why = Absence::Gone;
        DataError::new(MessageeError::NotHooked { hook, why })
    })
}
