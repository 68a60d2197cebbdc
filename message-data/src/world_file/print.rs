//! The text of a world file, from what is written.

use message_core::Stage;
use message_format::tape::Kind;
use message_format::{DataError, Writer, Written, text};
use serde::ser::{Serialize, Serializer};

use crate::declared::{group_in_files, mnemonic_in_files};
use crate::messages::{name_in_files, type_of_id};
use crate::wire::WireTarget;
use crate::world_file::VERSION;
use crate::world_file::layout::{Layout, Wired};

impl Layout {
    /// Returns the text.
    pub(super) fn print(&self) -> Result<String, DataError> {
        let mut writer = Writer::new();
        self.record(&mut writer)?;
        let mut text = text::print(&writer.tape, 0);
        text.push('\n');
        Ok(text)
    }

    fn record(&self, sink: &mut Writer) -> Written {
        sink.begin_variant("World", Kind::Fields)?;
        sink.field("version", &VERSION)?;
        sink.field_name("messagees")?;
        sink.begin(Kind::Seq)?;
        for &root in &self.roots {
            self.record_messagee(root, sink)?;
        }
        sink.end()?;
        if !self.groups.is_empty() {
            sink.field_name("groups")?;
            sink.begin(Kind::Map)?;
            for (group, members) in &self.groups {
                group_in_files(*group).serialize(&mut *sink)?;
                sink.collect_seq(members.iter().map(|&member| &self.rows[member].name))?;
            }
            sink.end()?;
        }
        record_list(sink, "wires", &self.wires, |sink, (from, wire)| {
            record_wire(sink, Some(&self.rows[*from].name), wire)
        })?;
        sink.end()
    }

    fn record_messagee(&self, index: usize, sink: &mut Writer) -> Written {
        let row = &self.rows[index];
        sink.begin_variant("Messagee", Kind::Fields)?;
        sink.field("name", &row.name)?;
        if let Some(parent) = row.parent {
            sink.field("parent", &self.rows[parent].name)?;
        }
        let label = row.label.as_deref().unwrap_or_default();
        if label != row.name {
            sink.field("label", &label)?;
        }
        record_list(sink, "components", &row.components, |sink, it| {
            sink.value(it, 0)
        })?;
        record_list(sink, "mnemonics", &row.mnemonics, |sink, it| {
            mnemonic_in_files(*it).serialize(sink)
        })?;
        let own = row.groups.iter();
        let own = own.filter(|group| self.groups.iter().all(|(other, _)| other != *group));
        record_list(sink, "groups", own, |sink, it| {
            group_in_files(*it).serialize(sink)
        })?;
        record_list(sink, "disabled", &row.disabled, |sink, &(name, number)| {
            let Some(number) = number else {
                return name.serialize(sink);
            };
            (name, number).serialize(sink)
        })?;
        record_list(sink, "wires", &row.wires, |sink, wire| {
            record_wire(sink, None, wire)
        })?;
        record_list(sink, "children", &row.children, |sink, &child| {
            self.record_messagee(child, sink)
        })?;
        sink.end()
    }
}

/// Records a list as a field, unless it is empty.
fn record_list<T>(
    sink: &mut Writer,
    field: &'static str,
    items: impl IntoIterator<Item = T>,
    mut record: impl FnMut(&mut Writer, T) -> Written,
) -> Written {
    let mut items = items.into_iter().peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    sink.field_name(field)?;
    sink.begin(Kind::Seq)?;
    for item in items {
        record(sink, item)?;
    }
    sink.end()
}

fn record_wire(sink: &mut Writer, from: Option<&str>, wire: &Wired) -> Written {
    let Wired { on, message, terms } = wire;
    sink.begin_variant("Wire", Kind::Fields)?;
    if let Some(from) = from {
        sink.field("from", &from)?;
    }
    sink.field_name("on")?;
    let on = name_in_files(type_of_id(on.id)?);
    sink.word(on)?;
    sink.field_name("to")?;
    match &terms.to {
        WireTarget::Name(name) => name.serialize(&mut *sink)?,
        WireTarget::Mnemonic(mnemonic) => {
            sink.begin_variant("Mnemonic", Kind::Wrapped)?;
            mnemonic_in_files(*mnemonic).serialize(&mut *sink)?;
            sink.end()?;
        }
        WireTarget::Group(group) => {
            sink.begin_variant("Group", Kind::Wrapped)?;
            group_in_files(*group).serialize(&mut *sink)?;
            sink.end()?;
        }
        WireTarget::Me => sink.word("Me")?,
        WireTarget::Activator => sink.word("Activator")?,
    }
    sink.field_name("send")?;
    sink.value(message, 0)?;
    if !terms.after.is_zero() {
        sink.field("after", &terms.after.as_secs_f64())?;
    }
    if let Some(times) = terms.times {
        sink.field("times", &times)?;
    }
    if terms.stage != Stage::Update {
        sink.field_name("stage")?;
        sink.word(match terms.stage {
            Stage::FixedUpdate => "FixedUpdate",
            Stage::LateUpdate => "LateUpdate",
            Stage::EndOfFrame => "EndOfFrame",
            Stage::Immediate | Stage::Update => "Update",
        })?;
    }
    if !terms.enabled {
        sink.field("enabled", &false)?;
    }
    sink.end()
}
