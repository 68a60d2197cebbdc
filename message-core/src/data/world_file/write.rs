//! From a manager to a text that people read, and that is read back.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::address::{HookId, MessageeId};
use crate::data::data_type::DataType;
use crate::data::declared::{group_in_files, mnemonic_in_files};
use crate::data::error::DataError;
use crate::data::messages::{component_of, message_tape, name_in_files, named_tape, type_of_id};
use crate::data::recorder::Recorder;
use crate::data::scope::{Naming, Scope, hook_in_files};
use crate::data::sink::{Group as Part, Sink, Written};
use crate::data::tape::{Kind, Tape};
use crate::data::text;
use crate::data::types;
use crate::data::wire::{WireTarget, WireTerms};
use crate::data::world_file::read::literal;
use crate::data::world_file::{VERSION, WorldError};
use crate::group::Group;
use crate::registry::MessageInfo;
use crate::storage::Pools;
use crate::time::Stage;
use crate::world::{Addresses, World};

/// Which messagees [`write_world`](crate::MessageManager::write_world) writes.
///
/// ```
/// use message_core::data::Selection;
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// let camp = manager.spawn_named("camp", ());
/// manager.spawn_named("road", ());
/// let text = manager.write_world(&Selection::of([camp]))?;
/// assert!(text.contains("camp") && !text.contains("road"), "{text}");
/// # Ok::<(), message_core::data::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    only: Option<Vec<MessageeId>>,
    leaves_out: bool,
}

impl Selection {
    /// Selects all messagees.
    ///
    /// ```
    /// use message_core::data::{Selection, WorldFile};
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn_named("road", ());
    /// let text = manager.write_world(&Selection::all())?;
    /// assert!(WorldFile::parse(&text)?.messagees().eq(["road"]));
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Selects these messagees, and their descendants.
    ///
    /// ```
    /// use message_core::data::{Selection, WorldFile};
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let camp = manager.spawn_named("camp", ());
    /// let grib = manager.spawn_named("grib", ());
    /// manager.set_parent(grib, Some(camp)).expect("both are alive");
    /// let text = manager.write_world(&Selection::of([camp]))?;
    /// assert!(WorldFile::parse(&text)?.messagees().eq(["camp", "grib"]));
    /// # Ok::<(), message_core::data::WorldError>(())
    /// ```
    #[must_use]
    pub fn of(ids: impl IntoIterator<Item = MessageeId>) -> Self {
        Self {
            only: Some(ids.into_iter().collect()),
            leaves_out: false,
        }
    }

    /// Leaves out what cannot be written: components and wires whose types have no data. Without this
    /// they are an error that lists them all.
    ///
    /// ```
    /// use message_core::data::Selection;
    /// use message_core::prelude::*;
    ///
    /// struct Secret;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn_named("spy", (Secret,));
    /// assert!(manager.write_world(&Selection::all()).is_err());
    /// assert!(manager.write_world(&Selection::all().without_unwritable()).is_ok());
    /// ```
    #[must_use]
    pub fn without_unwritable(mut self) -> Self {
        self.leaves_out = true;
        self
    }
}

/// How deep messagees stand among the children of others.
const MAX_CHILDREN_DEEP: usize = 20;

/// One that is written.
struct Row {
    id: MessageeId,
    name: String,
    children: Vec<usize>,
    /// Its parent, if it does not stand among the children of that.
    parent: Option<usize>,
    components: Vec<Tape>,
    /// The type of each component that begins disabled, and its number if there are several.
    disabled: Vec<(&'static str, Option<u64>)>,
    wires: Vec<Wired>,
}

/// A wire that is written.
struct Wired {
    on: &'static MessageInfo,
    message: Tape,
    terms: WireTerms,
}

/// What is written.
struct Layout {
    rows: Vec<Row>,
    roots: Vec<usize>,
    /// All wires with their messagees, if they were not made in the order of these.
    wires: Vec<(usize, Wired)>,
    groups: Vec<(Group, Vec<usize>)>,
}

impl World {
    /// Writes messagees as a world file.
    ///
    /// # Errors
    ///
    /// All that cannot be written.
    pub(crate) fn write_world(&self, selection: &Selection) -> Result<String, WorldError> {
        let mut errors = Vec::new();
        let (mut rows, roots) = self.select(selection, &mut errors);
        self.name_rows(&mut rows);
        let names = rows.iter().map(|row| (row.id, row.name.clone()));
        let naming = || {
            Scope::Naming(Box::new(Naming {
                messagees: names.clone().collect(),
                hooks: self.name_hooks(&rows),
            }))
        };
        let (of_components, of_wires) = (naming(), naming());
        of_components.during(|| {
            self.write_components(&mut rows, selection, &mut errors);
        });
        let index = rows.iter().enumerate().map(|(index, row)| (row.id, index));
        let index: HashMap<MessageeId, usize> = index.collect();
        let mut wires = Vec::new();
        of_wires.during(|| {
            wires = self.written_wires(&index, selection, &mut errors);
        });
        if !errors.is_empty() {
            return Err(WorldError(errors));
        }
        if wires.is_sorted_by_key(|(row, _)| *row) {
            for (row, wire) in std::mem::take(&mut wires) {
                rows[row].wires.push(wire);
            }
        }
        let groups = groups_out_of_order(&self.addresses, &rows, &index);
        let written = Layout {
            rows,
            roots,
            wires,
            groups,
        };
        let mut recorder = Recorder::new();
        match self.record(&written, &mut recorder) {
            Ok(()) => {
                let mut text = text::print(&recorder.tape, 0);
                text.push('\n');
                Ok(text)
            }
            Err(error) => Err(WorldError(vec![error])),
        }
    }

    /// The messagees that are written, each before its children, and which of them stand at the top.
    fn select(&self, selection: &Selection, errors: &mut Vec<DataError>) -> (Vec<Row>, Vec<usize>) {
        let wanted: Vec<MessageeId> = match &selection.only {
            Some(only) => only.clone(),
            None => self.messagees.iter().collect(),
        };
        for &id in &wanted {
            if let Err(error) = self.check_stays(id) {
                errors.push(DataError::new(error));
            }
        }
        let asked: HashSet<MessageeId> = wanted.iter().copied().collect();
        let above =
            |id| std::iter::successors(self.addresses.parent(id), |&up| self.addresses.parent(up));
        let is_root = |&id: &MessageeId| {
            self.messagees.is_alive(id) && !above(id).any(|up| asked.contains(&up))
        };
        let mut seen = HashSet::new();
        let tops = wanted
            .into_iter()
            .filter(is_root)
            .filter(|&id| seen.insert(id));
        // Who stands too deep for a text names its parent, behind all others.
        let mut begins: VecDeque<_> = tops.map(|id| (id, None)).collect();
        let (mut rows, mut roots): (Vec<Row>, Vec<usize>) = (Vec::new(), Vec::new());
        while let Some((begin, parent)) = begins.pop_front() {
            let mut open = vec![(begin, None, 0)];
            while let Some((id, within, depth)) = open.pop() {
                let index = rows.len();
                match within {
                    Some(within) => {
                        let above: &mut Row = &mut rows[within];
                        above.children.push(index);
                    }
                    None => roots.push(index),
                }
                rows.push(Row {
                    id,
                    name: String::new(),
                    children: Vec::new(),
                    parent: parent.filter(|_| within.is_none()),
                    components: Vec::new(),
                    disabled: Vec::new(),
                    wires: Vec::new(),
                });
                let children = self.addresses.children(id).into_iter();
                if depth < MAX_CHILDREN_DEEP {
                    let children = children.rev();
                    open.extend(children.map(|child| (child, Some(index), depth + 1)));
                } else {
                    begins.extend(children.map(|child| (child, Some(index))));
                }
            }
        }
        (rows, roots)
    }

    /// Gives each a name that no other has: its own, if it is the first with that.
    fn name_rows(&self, rows: &mut [Row]) {
        let mut taken: HashSet<String> = HashSet::new();
        let mut nameless = Vec::new();
        for (index, row) in rows.iter_mut().enumerate() {
            match self.names.get(row.id) {
                Some(name) if taken.insert(name.to_string()) => row.name = name.to_string(),
                other => nameless.push((index, other)),
            }
        }
        for (index, name) in nameless {
            let stem = name.as_deref().unwrap_or("messagee");
            let mut number = 1_u64;
            let mut made = format!("{stem} {number}");
            while taken.contains(&made) {
                number += 1;
                made = format!("{stem} {number}");
            }
            taken.insert(made.clone());
            rows[index].name = made;
        }
    }

    /// How the file calls each component.
    fn name_hooks(&self, rows: &[Row]) -> HashMap<HookId, String> {
        let types = types_by_component(&self.pools);
        let mut names = HashMap::new();
        for row in rows {
            let mut counts: HashMap<&str, u64> = HashMap::new();
            for hook in self.hooks_of(row.id) {
                let at = self.find_hook(hook);
                if let Some(ty) = at.and_then(|at| types.get(&at.component)) {
                    let component = name_in_files(ty);
                    let count = counts.entry(component).or_default();
                    names.insert(hook, hook_in_files(&row.name, component, *count));
                    *count += 1;
                }
            }
        }
        names
    }

    fn write_components(
        &self,
        rows: &mut [Row],
        selection: &Selection,
        errors: &mut Vec<DataError>,
    ) {
        let by_index = types_by_component(&self.pools);
        for row in rows {
            let mut counts: HashMap<&str, u64> = HashMap::new();
            let mut disabled = Vec::new();
            for hook in self.hooks_of(row.id) {
                let Some(at) = self.find_hook(hook) else {
                    continue;
                };
                let pool = self.pools.at(at.component);
                let Some(ty) = by_index.get(&at.component) else {
                    if !selection.leaves_out {
                        let (name, id) = (pool.roster().component_name(), row.id);
                        errors.push(DataError::new(format_args!(
                            "the component `{name}` of {id} has no data: expected \
                             `#[derive(Data)]`, or `Selection::without_unwritable`"
                        )));
                    }
                    continue;
                };
                let slot = at.slot as usize;
                let written = named_tape(ty, |writer| {
                    (component_of(ty).write)(pool.any_values(), slot, writer)
                });
                match written {
                    Ok(tape) => row.components.push(tape),
                    Err(error) => {
                        errors.push(of_component(&error, ty, row.id));
                        continue;
                    }
                }
                let name = name_in_files(ty);
                let count = counts.entry(name).or_default();
                *count += 1;
                if !self.is_enabled_now(hook) {
                    disabled.push((name, *count));
                }
            }
            let numbered = disabled.into_iter().map(|(name, number)| {
                let several = counts.get(name).is_some_and(|&count| count > 1);
                (name, several.then_some(number))
            });
            row.disabled = numbered.collect();
        }
    }

    fn is_enabled_now(&self, hook: HookId) -> bool {
        self.is_enabled(hook).unwrap_or(true)
    }

    /// The wires of those who are written, in the order made.
    fn written_wires(
        &self,
        index: &HashMap<MessageeId, usize>,
        selection: &Selection,
        errors: &mut Vec<DataError>,
    ) -> Vec<(usize, Wired)> {
        let labels: HashSet<String> = index
            .keys()
            .filter_map(|&id| Some(self.names.get(id)?.to_string()))
            .collect();
        let mut wires = Vec::new();
        self.wires.each(|id, wire| {
            let Some(&row) = index.get(&wire.from) else {
                return;
            };
            let written = wire.message.with(|message| {
                type_of_id(wire.on.id())?;
                message_tape(message)
            });
            let written = written.and_then(|message| match &wire.terms.to {
                WireTarget::Name(name) if literal(name).is_some_and(|it| !labels.contains(&it)) => {
                    Err(DataError::new(format_args!(
                        "it leads to {name:?}, and nobody who is written is called so"
                    )))
                }
                _ => Ok(message),
            });
            match written {
                Ok(message) => wires.push((
                    row,
                    Wired {
                        on: wire.on,
                        message,
                        terms: wire.terms.clone(),
                    },
                )),
                Err(_) if selection.leaves_out => {}
                Err(error) => {
                    let (from, what) = (wire.from, error.what());
                    errors.push(DataError::new(format_args!("wire #{id} of {from}: {what}")));
                }
            }
        });
        wires
    }

    fn record(&self, written: &Layout, sink: &mut Recorder) -> Written {
        sink.begin(Part::Struct("World"), None)?;
        sink.field("version")?;
        sink.unsigned(VERSION.into())?;
        sink.field("messagees")?;
        sink.begin(Part::Seq, None)?;
        for &root in &written.roots {
            self.record_messagee(written, root, sink)?;
        }
        sink.end()?;
        if !written.groups.is_empty() {
            sink.field("groups")?;
            sink.begin(Part::Map, None)?;
            for (group, members) in &written.groups {
                sink.str(group_in_files(*group))?;
                sink.begin(Part::Seq, None)?;
                for &member in members {
                    sink.str(&written.rows[member].name)?;
                }
                sink.end()?;
            }
            sink.end()?;
        }
        if !written.wires.is_empty() {
            sink.field("wires")?;
            sink.begin(Part::Seq, None)?;
            for (from, wire) in &written.wires {
                record_wire(sink, Some(&written.rows[*from].name), wire)?;
            }
            sink.end()?;
        }
        sink.end()
    }

    fn record_messagee(&self, written: &Layout, index: usize, sink: &mut Recorder) -> Written {
        let row = &written.rows[index];
        sink.begin(Part::Struct("Messagee"), None)?;
        sink.field("name")?;
        sink.str(&row.name)?;
        if let Some(parent) = row.parent {
            sink.field("parent")?;
            sink.str(&written.rows[parent].name)?;
        }
        let label = self.names.get(row.id).unwrap_or_else(|| Arc::from(""));
        if *label != *row.name {
            sink.field("label")?;
            sink.str(&label)?;
        }
        if !row.components.is_empty() {
            sink.field("components")?;
            sink.begin(Part::Seq, None)?;
            for component in &row.components {
                sink.value(component, 0)?;
            }
            sink.end()?;
        }
        let mut mnemonics = self.addresses.mnemonics_of(row.id);
        mnemonics.sort_by_key(|mnemonic| mnemonic.name());
        record_strings(
            sink,
            "mnemonics",
            mnemonics.into_iter().map(mnemonic_in_files),
        )?;
        let own = self.addresses.groups_of(row.id).into_iter();
        let own = own.filter(|group| written.groups.iter().all(|(other, _)| other != group));
        record_strings(sink, "groups", own.map(group_in_files))?;
        if !row.disabled.is_empty() {
            sink.field("disabled")?;
            sink.begin(Part::Seq, None)?;
            for &(name, number) in &row.disabled {
                match number {
                    None => sink.str(name)?,
                    Some(number) => {
                        sink.begin(Part::Tuple, None)?;
                        sink.str(name)?;
                        sink.unsigned(number.into())?;
                        sink.end()?;
                    }
                }
            }
            sink.end()?;
        }
        if !row.wires.is_empty() {
            sink.field("wires")?;
            sink.begin(Part::Seq, None)?;
            for wire in &row.wires {
                record_wire(sink, None, wire)?;
            }
            sink.end()?;
        }
        if !row.children.is_empty() {
            sink.field("children")?;
            sink.begin(Part::Seq, None)?;
            for &child in &row.children {
                self.record_messagee(written, child, sink)?;
            }
            sink.end()?;
        }
        sink.end()
    }
}

fn of_component(error: &DataError, ty: &'static DataType, id: MessageeId) -> DataError {
    let what = error.what();
    DataError::new(format_args!(
        "the component `{}` of {id}: {what}",
        ty.name()
    ))
}

fn record_strings(
    sink: &mut Recorder,
    field: &'static str,
    strings: impl Iterator<Item = &'static str>,
) -> Written {
    let strings: Vec<&str> = strings.collect();
    if strings.is_empty() {
        return Ok(());
    }
    sink.field(field)?;
    sink.begin(Part::Seq, None)?;
    for string in strings {
        sink.str(string)?;
    }
    sink.end()
}

fn record_wire(sink: &mut Recorder, from: Option<&str>, wire: &Wired) -> Written {
    let Wired { on, message, terms } = wire;
    sink.begin(Part::Struct("Wire"), None)?;
    if let Some(from) = from {
        sink.field("from")?;
        sink.str(from)?;
    }
    sink.field("on")?;
    let on = name_in_files(type_of_id(on.id())?);
    let mut word = Tape::default();
    let is_word = text::checked_word(on).is_ok();
    let kind = if is_word { Kind::Word } else { Kind::Str };
    word.push_str(kind, on, (0, 0))?;
    sink.value(&word, 0)?;
    sink.field("to")?;
    match &terms.to {
        WireTarget::Name(name) => sink.str(name)?,
        WireTarget::Mnemonic(mnemonic) => {
            sink.begin(Part::NewtypeVariant("Mnemonic"), None)?;
            sink.str(mnemonic_in_files(*mnemonic))?;
            sink.end()?;
        }
        WireTarget::Group(group) => {
            sink.begin(Part::NewtypeVariant("Group"), None)?;
            sink.str(group_in_files(*group))?;
            sink.end()?;
        }
        WireTarget::Me => sink.unit_variant("Me")?,
        WireTarget::Activator => sink.unit_variant("Activator")?,
    }
    sink.field("send")?;
    sink.value(message, 0)?;
    if !terms.after.is_zero() {
        sink.field("after")?;
        sink.float(terms.after.as_secs_f64())?;
    }
    if let Some(times) = terms.times {
        sink.field("times")?;
        sink.unsigned(times.into())?;
    }
    if terms.stage != Stage::Update {
        sink.field("stage")?;
        sink.unit_variant(match terms.stage {
            Stage::FixedUpdate => "FixedUpdate",
            Stage::LateUpdate => "LateUpdate",
            Stage::EndOfFrame => "EndOfFrame",
            Stage::Immediate | Stage::Update => "Update",
        })?;
    }
    if !terms.enabled {
        sink.field("enabled")?;
        sink.bool(false)?;
    }
    sink.end()
}

/// The component types with data, by their numbers in this manager.
fn types_by_component(pools: &Pools) -> BTreeMap<u32, &'static DataType> {
    let components = types::types().filter(|ty| !ty.is_message());
    components
        .filter_map(|ty| Some((pools.index_of(ty.type_id())?, ty)))
        .collect()
}

/// The groups whose members have not joined in the order of the file.
fn groups_out_of_order(
    addresses: &Addresses,
    rows: &[Row],
    index: &HashMap<MessageeId, usize>,
) -> Vec<(Group, Vec<usize>)> {
    let mut groups = Vec::new();
    let mut seen = HashSet::new();
    for row in rows {
        for group in addresses.groups_of(row.id) {
            if !seen.insert(group) {
                continue;
            }
            let members = addresses.members(group).into_iter();
            let order: Vec<usize> = members.filter_map(|id| index.get(&id).copied()).collect();
            if !order.is_sorted() {
                groups.push((group, order));
            }
        }
    }
    groups.sort_by_key(|(group, _)| group.name());
    groups
}
