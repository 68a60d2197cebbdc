//! The text of a world file, from what is written.

use message_format::tape::{Kind, Tape};
use message_format::{DataError, Group as Part, Recorder, Sink, Written, text};

use crate::data::declared::{group_in_files, mnemonic_in_files};
use crate::data::messages::{name_in_files, type_of_id};
use crate::data::wire::WireTarget;
use crate::data::world_file::VERSION;
use crate::data::world_file::layout::{Layout, Wired};
use crate::time::Stage;

impl Layout {
    /// Returns the text.
    pub(super) fn print(&self) -> Result<String, DataError> {
        let mut recorder = Recorder::new();
        self.record(&mut recorder)?;
        let mut text = text::print(&recorder.tape, 0);
        text.push('\n');
        Ok(text)
    }

    fn record(&self, sink: &mut Recorder) -> Written {
        sink.begin(Part::StructVariant("World"), None)?;
        sink.field("version")?;
        sink.unsigned(VERSION.into())?;
        sink.field("messagees")?;
        sink.begin(Part::Seq, None)?;
        for &root in &self.roots {
            self.record_messagee(root, sink)?;
        }
        sink.end()?;
        if !self.groups.is_empty() {
            sink.field("groups")?;
            sink.begin(Part::Map, None)?;
            for (group, members) in &self.groups {
                sink.str(group_in_files(*group))?;
                sink.begin(Part::Seq, None)?;
                for &member in members {
                    sink.str(&self.rows[member].name)?;
                }
                sink.end()?;
            }
            sink.end()?;
        }
        record_list(sink, "wires", &self.wires, |sink, (from, wire)| {
            record_wire(sink, Some(&self.rows[*from].name), wire)
        })?;
        sink.end()
    }

    fn record_messagee(&self, index: usize, sink: &mut Recorder) -> Written {
        let row = &self.rows[index];
        sink.begin(Part::StructVariant("Messagee"), None)?;
        sink.field("name")?;
        sink.str(&row.name)?;
        if let Some(parent) = row.parent {
            sink.field("parent")?;
            sink.str(&self.rows[parent].name)?;
        }
        let label = row.label.as_deref().unwrap_or_default();
        if label != row.name {
            sink.field("label")?;
            sink.str(label)?;
        }
        record_list(sink, "components", &row.components, |sink, it| {
            sink.value(it, 0)
        })?;
        record_list(sink, "mnemonics", &row.mnemonics, |sink, it| {
            sink.str(mnemonic_in_files(*it))
        })?;
        let own = row.groups.iter();
        let own = own.filter(|group| self.groups.iter().all(|(other, _)| other != *group));
        record_list(sink, "groups", own, |sink, it| {
            sink.str(group_in_files(*it))
        })?;
        record_list(sink, "disabled", &row.disabled, |sink, &(name, number)| {
            let Some(number) = number else {
                return sink.str(name);
            };
            sink.begin(Part::Tuple, None)?;
            sink.str(name)?;
            sink.unsigned(number.into())?;
            sink.end()
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
    sink: &mut Recorder,
    field: &'static str,
    items: impl IntoIterator<Item = T>,
    mut record: impl FnMut(&mut Recorder, T) -> Written,
) -> Written {
    let mut items = items.into_iter().peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    sink.field(field)?;
    sink.begin(Part::Seq, None)?;
    for item in items {
        record(sink, item)?;
    }
    sink.end()
}

fn record_wire(sink: &mut Recorder, from: Option<&str>, wire: &Wired) -> Written {
    let Wired { on, message, terms } = wire;
    sink.begin(Part::StructVariant("Wire"), None)?;
    if let Some(from) = from {
        sink.field("from")?;
        sink.str(from)?;
    }
    sink.field("on")?;
    let on = name_in_files(type_of_id(on.id)?);
    let mut word = Tape::default();
    let is_word = text::is_name(on);
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
