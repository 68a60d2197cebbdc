//! The text of a world file, from what is written.

use message_core::internals::NameKind;
use message_format::tape::Kind;
use message_format::{DataError, TextOptions, Writer, Written, text};
use serde::ser::{Serialize, Serializer};

use crate::declared::name_in_files;
use crate::wire::Action;
use crate::world_file::VERSION;
use crate::world_file::layout::{Layout, Wired, WiredTo};

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
                name_in_files(NameKind::Group, group.name()).serialize(&mut *sink)?;
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
            name_in_files(NameKind::Mnemonic, it.name()).serialize(sink)
        })?;
        let own = row.groups.iter();
        let own = own.filter(|group| self.groups.iter().all(|(other, _)| other != *group));
        record_list(sink, "groups", own, |sink, it| {
            name_in_files(NameKind::Group, it.name()).serialize(sink)
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
        record_list(sink, "overhear", &row.overhears, |sink, it| {
            sink.value(it, 0)
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
    sink.begin_variant("Wire", Kind::Fields)?;
    if let Some(from) = from {
        sink.field("from", &from)?;
    }
    sink.field_name("on")?;
    sink.word(wire.on)?;
    if !wire.when.is_empty() {
        sink.field_name("when")?;
        sink.begin(Kind::Map)?;
        for (path, test) in &wire.when {
            path.serialize(&mut *sink)?;
            sink.value(&text::read(&test.to_string(), TextOptions::new())?, 0)?;
        }
        sink.end()?;
    }
    if let Action::Cancel(key) = wire.action {
        sink.field("cancel", &key.to_string())?;
    } else {
        sink.field_name("to")?;
        record_target(sink, &wire.to)?;
        sink.field_name("send")?;
        match &wire.message {
            Some(message) => sink.value(message, 0)?,
            None => sink.word("It")?,
        }
    }
    let mut timing = Writer::new();
    wire.timing.serialize(&mut timing)?;
    let timing = timing.tape;
    if timing.tokens[0].is_container() {
        for (field, value) in timing.parts(0) {
            sink.field_name(field.map_or("", |field| timing.str(timing.tokens[field])))?;
            sink.value(&timing, value)?;
        }
    }
    sink.end()
}

fn record_target(sink: &mut Writer, to: &WiredTo) -> Written {
    match to {
        WiredTo::Own(names) => match &**names {
            [name] => name.serialize(sink),
            names => sink.collect_seq(names),
        },
        WiredTo::Other(to) => match to.text() {
            None => sink.word(to.word()),
            Some(text) => {
                sink.begin_variant(to.word(), Kind::Wrapped)?;
                text.serialize(&mut *sink)?;
                sink.end()
            }
        },
    }
}
