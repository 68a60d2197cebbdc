//! The content of a manager in a world file: messagees with everything they have, in the order of the file.
//!
//! All of it is taken from the manager first, so that every mistake is reported at once. Components and messages are
//! on tapes by then, with names in place of ids.

use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::iter::successors;
use std::rc::Rc;
use std::sync::Arc;

use message_core::internals::{Common, Subscription, Subscriptions, World};
use message_core::{AnyMessage, Group, HookId, MessageeId, Mnemonic, Structure};
use message_format::DataError;
use message_format::tape::Tape;
use serde::ser::Serialize;

use crate::data_type::DataType;
use crate::messages::{component_of, name_in_files, named_tape, type_of_id};
use crate::save::id_of;
use crate::scope::{Naming, Scope};
use crate::types::of_pool;
use crate::wire::{Action, WireTarget, WireTest, Wires, shown_tape};
use crate::world_file::naming::hook_in_files;
use crate::world_file::timing::Timing;
use crate::world_file::{ANY, Selection};

/// The maximum depth of messagees among the children of others.
const MAX_CHILDREN_DEEP: usize = 20;

/// A messagee that is written.
pub(super) struct Row {
    id: MessageeId,
    /// Its name in the file.
    pub(super) name: String,
    /// Its own name, if it has one.
    pub(super) label: Option<Arc<str>>,
    pub(super) children: Vec<usize>,
    /// Its parent, if it is not among the parent's children in the file.
    pub(super) parent: Option<usize>,
    pub(super) components: Vec<Tape>,
    /// Ordered by name.
    pub(super) mnemonics: Vec<Mnemonic>,
    /// In the order in which it joined them.
    pub(super) groups: Vec<Group>,
    /// The type of each component that begins disabled, and its number if there are several.
    pub(super) disabled: Vec<(&'static str, Option<u64>)>,
    pub(super) wires: Vec<Wired>,
    /// The filters by which it overhears, after the names of the message types.
    pub(super) overhears: Vec<Tape>,
}

/// A wire that is written.
pub(super) struct Wired {
    pub(super) on: &'static str,
    pub(super) to: WiredTo,
    pub(super) action: Action,
    pub(super) when: Vec<(String, WireTest)>,
    pub(super) message: Option<Tape>,
    pub(super) timing: Timing,
}

/// The target of a wire that is written.
pub(super) enum WiredTo {
    /// The names in the file, in which no character is a wildcard.
    Own(Vec<String>),
    Other(WireTarget),
}

/// The content that is written.
pub(super) struct Layout {
    /// The rows, each before its children.
    pub(super) rows: Vec<Row>,
    /// The rows at the top level.
    pub(super) roots: Vec<usize>,
    /// All wires with their messagees, if the wires were not made in the order of the messagees.
    pub(super) wires: Vec<(usize, Wired)>,
    /// The groups whose members did not join in the order of the file.
    pub(super) groups: Vec<(Group, Vec<usize>)>,
}

/// The content taken from a manager so far, and the errors for what cannot be written.
struct Gathering<'w> {
    structure: &'w Structure,
    common: &'w Common,
    selection: &'w Selection,
    rows: Vec<Row>,
    roots: Vec<usize>,
    errors: Vec<DataError>,
}

impl Layout {
    /// Takes the messagees of a selection from a manager.
    ///
    /// # Errors
    ///
    /// Returns everything that cannot be written.
    pub(super) fn of(world: &World, selection: &Selection) -> Result<Self, Vec<DataError>> {
        let World {
            structure,
            common,
            outside,
            listen,
            ..
        } = world;
        let mut gathering = Gathering {
            structure,
            common,
            selection,
            rows: Vec::new(),
            roots: Vec::new(),
            errors: Vec::new(),
        };
        gathering.select();
        gathering.name_rows();
        let naming = Rc::new(gathering.naming());
        Scope::Naming(Rc::clone(&naming)).during(|| gathering.write_components());
        let rows = gathering.rows.iter().enumerate();
        let index: HashMap<MessageeId, usize> = rows.map(|(index, row)| (row.id, index)).collect();
        Scope::Naming(Rc::clone(&naming))
            .during(|| gathering.write_overhearing(&listen.subscriptions, &index));
        let wires = Wires::of(&outside.wires);
        let mut wires = Scope::Naming(naming).during(|| gathering.written_wires(wires, &index));
        let Gathering {
            mut rows,
            roots,
            errors,
            ..
        } = gathering;
        if !errors.is_empty() {
            return Err(errors);
        }
        if wires.is_sorted_by_key(|(row, _)| *row) {
            for (row, wire) in std::mem::take(&mut wires) {
                rows[row].wires.push(wire);
            }
        }
        let groups = groups_out_of_order(structure, &rows, &index);
        Ok(Self {
            rows,
            roots,
            wires,
            groups,
        })
    }
}

impl Gathering<'_> {
    /// Finds the messagees that are written, each before its children, and determines which are at the top level.
    fn select(&mut self) {
        let structure = self.structure;
        let wanted: Vec<MessageeId> = match &self.selection.only {
            Some(only) => only.clone(),
            None => structure.messagees().collect(),
        };
        for &id in &wanted {
            if let Err(error) = structure.check_stays(id) {
                self.errors.push(DataError::new(error));
            }
        }
        let asked: HashSet<MessageeId> = wanted.iter().copied().collect();
        let is_root = |&id: &MessageeId| {
            let mut above = successors(structure.parent(id), |&up| structure.parent(up));
            structure.is_alive(id) && !above.any(|up| asked.contains(&up))
        };
        let mut seen = HashSet::new();
        let tops = wanted
            .into_iter()
            .filter(is_root)
            .filter(|&id| seen.insert(id));
        // A messagee that is too deep for a text names its parent, after all others.
        let mut begins: VecDeque<_> = tops.map(|id| (id, None)).collect();
        while let Some((begin, parent)) = begins.pop_front() {
            let mut open: Vec<(_, Option<usize>, usize)> = vec![(begin, None, 0)];
            while let Some((id, within, depth)) = open.pop() {
                let index = self.rows.len();
                match within {
                    Some(within) => self.rows[within].children.push(index),
                    None => self.roots.push(index),
                }
                self.rows.push(Row {
                    id,
                    name: String::new(),
                    label: self.structure.name(id),
                    children: Vec::new(),
                    parent: parent.filter(|_| within.is_none()),
                    components: Vec::new(),
                    mnemonics: self.structure.mnemonics_of(id),
                    groups: self.structure.groups_of(id),
                    disabled: Vec::new(),
                    wires: Vec::new(),
                    overhears: Vec::new(),
                });
                let children: Vec<MessageeId> = structure.children(id).collect();
                if depth < MAX_CHILDREN_DEEP {
                    let children = children.into_iter().rev();
                    open.extend(children.map(|child| (child, Some(index), depth + 1)));
                } else {
                    let children = children.into_iter();
                    begins.extend(children.map(|child| (child, Some(index))));
                }
            }
        }
    }

    /// Gives each row a unique name: its own, if it is the first with that name.
    fn name_rows(&mut self) {
        let mut taken: HashSet<String> = HashSet::new();
        let mut nameless = Vec::new();
        for (index, row) in self.rows.iter_mut().enumerate() {
            match row.label.clone() {
                Some(name) if taken.insert(name.to_string()) => row.name = name.to_string(),
                other => nameless.push((index, other)),
            }
        }
        // Up to which number the names with each stem are taken.
        let mut numbers: HashMap<Option<Arc<str>>, u64> = HashMap::new();
        for (index, name) in nameless {
            let number = numbers.entry(name.clone()).or_default();
            let stem = name.as_deref().unwrap_or("messagee");
            self.rows[index].name = loop {
                *number += 1;
                let made = format!("{stem} {number}");
                if taken.insert(made.clone()) {
                    break made;
                }
            };
        }
    }

    /// Returns the names that the file has for ids.
    fn naming(&self) -> Naming {
        let structure = self.structure;
        let names = self.rows.iter().map(|row| (row.id, row.name.clone()));
        let (messagees, hooks) = (names.collect::<HashMap<_, _>>(), self.name_hooks());
        let all_hooks = structure
            .messagees
            .iter()
            .flat_map(|id| structure.hooks(id));
        let other_hooks = all_hooks.filter(|hook| !hooks.contains_key(hook)).collect();
        let all = structure.messagees();
        let other_messagees = all.filter(|id| !messagees.contains_key(id)).collect();
        Naming {
            messagees,
            hooks,
            other_messagees,
            other_hooks,
            identity: Arc::clone(&self.common.identity),
            met_gone: Cell::new(false),
        }
    }

    /// Returns the name of each component in the file.
    fn name_hooks(&self) -> HashMap<HookId, String> {
        let mut names = HashMap::new();
        for row in &self.rows {
            let mut counts: HashMap<&str, u64> = HashMap::new();
            for hook in self.structure.hooks(row.id) {
                let pool = self.structure.pool_of(hook);
                if let Some(ty) = pool.and_then(|(pool, _)| of_pool(pool)) {
                    let component = name_in_files(ty);
                    let count = counts.entry(component).or_default();
                    names.insert(hook, hook_in_files(&row.name, component, *count));
                    *count += 1;
                }
            }
        }
        names
    }

    /// Writes the components of each messagee.
    fn write_components(&mut self) {
        let structure = self.structure;
        for row in &mut self.rows {
            let mut counts: HashMap<&str, u64> = HashMap::new();
            let mut disabled = Vec::new();
            for hook in structure.hooks(row.id) {
                let Some((pool, slot)) = structure.pool_of(hook) else {
                    continue;
                };
                let Some(ty) = of_pool(pool) else {
                    if !self.selection.leaves_out {
                        let (name, id) = (pool.component_name(), row.id);
                        self.errors.push(DataError::new(format_args!(
                            "the component `{name}` of {id} has no data: expected \
                             `#[derive(Data)]`, or `Selection::without_unwritable`"
                        )));
                    }
                    continue;
                };
                let written = named_tape(name_in_files(ty), |writer| {
                    (component_of(ty).write)(pool.any_values(), slot, writer)
                });
                match written {
                    Ok(tape) => row.components.push(tape),
                    Err(error) => {
                        self.errors.push(of_component(&error, ty, row.id));
                        continue;
                    }
                }
                let name = name_in_files(ty);
                let count = counts.entry(name).or_default();
                *count += 1;
                if !structure.is_enabled(hook).unwrap_or(true) {
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

    /// Finds the filters by which messagees overhear.
    fn write_overhearing(&mut self, all: &Subscriptions, index: &HashMap<MessageeId, usize>) {
        let mut in_order: Vec<&Subscription> = all.records.iter().flatten().collect();
        in_order.sort_unstable_by_key(|it| it.number);
        for it in in_order.into_iter().filter(|it| it.is_open()) {
            let Some((owner, &row)) = it.overhearer().and_then(|id| Some((id, index.get(&id)?)))
            else {
                continue;
            };
            let of = it
                .of
                .map_or(Ok(ANY), |of| type_of_id(id_of(of)).map(name_in_files));
            let written = of.and_then(|of| match (it.asks, it.is_paused()) {
                (true, _) => Err(DataError::new("its filter has a predicate, which is code")),
                (_, true) => Err(DataError::new(
                    "it is paused, which a world file cannot express",
                )),
                _ => named_tape(of, |writer| it.terms.serialize(writer)),
            });
            match written {
                Ok(tape) => self.rows[row].overhears.push(tape),
                Err(_) if self.selection.leaves_out => {}
                Err(error) => {
                    let (id, what) = (it.id(), error.what());
                    self.errors.push(DataError::new(format_args!(
                        "{owner} overhears by subscription {id}: {what}"
                    )));
                }
            }
        }
    }

    /// Returns the target of a wire with names in place of ids.
    fn written_target(
        &self,
        to: &WireTarget,
        index: &HashMap<MessageeId, usize>,
    ) -> Result<WiredTo, DataError> {
        let WireTarget::Messagees(ids) = to else {
            return Ok(WiredTo::Other(to.clone()));
        };
        let mut names = Vec::new();
        for id in ids {
            let Some(&row) = index.get(id) else {
                return Err(DataError::new(format_args!(
                    "it leads to {id}, which is not among the messagees that are written"
                )));
            };
            let with_escapes = self.rows[row].name.chars().flat_map(|it| {
                let escape = matches!(it, '*' | '?' | '\\').then_some('\\');
                escape.into_iter().chain([it])
            });
            names.push(with_escapes.collect());
        }
        Ok(WiredTo::Own(names))
    }

    /// Returns the wires of the messagees that are written, in the order made.
    fn written_wires(
        &mut self,
        wires: &Wires,
        index: &HashMap<MessageeId, usize>,
    ) -> Vec<(usize, Wired)> {
        let (leaves_out, mut errors) = (self.selection.leaves_out, Vec::new());
        let mut written_wires = Vec::new();
        wires.each(|id, wire| {
            let Some(&row) = index.get(&wire.from) else {
                return;
            };
            let written = type_of_id(wire.on.id).and_then(|on| {
                let shown = |message: &dyn AnyMessage| shown_tape(message, &wire.terms.fields);
                let message = wire.message.as_ref();
                let message = message.map(|message| message.with(shown)).transpose()?;
                let timing = Timing::of(&wire.terms.header, wire.left, wire.enabled)?;
                Ok(Wired {
                    on: name_in_files(on),
                    to: self.written_target(&wire.terms.to, index)?,
                    action: wire.terms.action,
                    when: wire.terms.when.clone(),
                    message,
                    timing,
                })
            });
            match written {
                Ok(it) => written_wires.push((row, it)),
                Err(_) if leaves_out => {}
                Err(error) => {
                    let (from, what) = (wire.from, error.what());
                    errors.push(DataError::new(format_args!("wire #{id} of {from}: {what}")));
                }
            }
        });
        self.errors.append(&mut errors);
        written_wires
    }
}

fn of_component(error: &DataError, ty: &'static DataType, id: MessageeId) -> DataError {
    let what = error.what();
    DataError::new(format_args!(
        "the component `{}` of {id}: {what}",
        ty.name()
    ))
}

/// Returns the groups whose members did not join in the order of the file.
fn groups_out_of_order(
    structure: &Structure,
    rows: &[Row],
    index: &HashMap<MessageeId, usize>,
) -> Vec<(Group, Vec<usize>)> {
    let mut groups = Vec::new();
    let mut seen = HashSet::new();
    for row in rows {
        for &group in &row.groups {
            if !seen.insert(group) {
                continue;
            }
            let members = structure.members(group);
            let order: Vec<usize> = members.filter_map(|id| index.get(&id).copied()).collect();
            if !order.is_sorted() {
                groups.push((group, order));
            }
        }
    }
    groups.sort_by_key(|(group, _)| group.name());
    groups
}
