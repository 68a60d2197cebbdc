//! Finds the last change of a field: a replay that compares the field around each delivery.

use std::collections::HashMap;
use std::fmt;

use message_core::error::Receiver;
use message_core::internals::{Key, Keyed as _};
use message_core::trace::{SourcePlace, TraceEvent, TraceId, TraceSink, Traced};
use message_core::{HookId, MessageManager, MessageeId, Structure, registry};
use message_format::{DataError, Writer, part_of, text};

use crate::components::component_type;
use crate::data_type::DataType;
use crate::log::replay::Replay;
use crate::log::replayed::ReplayError;
use crate::messages::component_of;
use crate::scope::Scope;
use crate::types::find_component;

/// The last change of a field, from [`Replay::who_changed`].
///
/// It prints as one line.
///
/// ```
/// use message_data::Change;
///
/// fn line(field: &str, change: &Change) -> String {
///     let place = change.place.as_ref().map_or_else(String::new, |place| format!(", {place}"));
///     format!("`{field}` is {} since frame {}{place}", change.after, change.frame)
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The frame in which it was changed.
    pub frame: u64,
    /// The number of inputs in the log before the one that led to it.
    pub input: u64,
    /// The value before, as text. `None` if the component was not there.
    pub before: Option<String>,
    /// The value after.
    pub after: String,
    /// The delivery in which it was changed: the event that the receiver was called. `None` if it was changed from
    /// outside, or because the component came alive.
    pub delivery: Option<TraceEvent>,
    /// The line of source: of the handler, or else of the call from outside. `None` if that is not known.
    pub place: Option<SourcePlace>,
    /// The place that the delivered message was sent from, if it was sent after the last key frame.
    pub sent_at: Option<SourcePlace>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.before.as_deref().unwrap_or("nothing");
        write!(f, "frame {}: from {before} to {}", self.frame, self.after)?;
        match &self.delivery {
            Some(delivery) => {
                write!(f, " by `{}` from {}", delivery.message, delivery.sender)?;
                if let Traced::Called {
                    receiver, handler, ..
                } = &delivery.what
                {
                    write!(f, ", received by {receiver}")?;
                    handler.iter().try_for_each(|it| write!(f, " in `{it}`"))?;
                }
            }
            None => f.write_str(" between deliveries")?,
        }
        let mut places = [("at", &self.place), ("sent at", &self.sent_at)].into_iter();
        places.try_for_each(|(what, place)| match place {
            Some(place) => write!(f, ", {what} {place}"),
            None => Ok(()),
        })
    }
}

impl Replay {
    /// Finds the last change of a field before the place where the replay is, and goes there: to right after the input
    /// that led to it. That the messagee or the component has ended is no change. Returns `None` if the log does not have
    /// one; the replay stays where it is then.
    ///
    /// The messagee is the one with the place and the generation of `id`, which may be an id of another manager of this
    /// replay. `component` is the name of the type; of several components, it is the first. `field` is a field, a path
    /// such as `mind.sight` or `hits[2]`, or empty for all fields.
    ///
    /// The log is replayed from the last key frame on, then from the one before it, until there is a change. If
    /// [`prepare`](Self::prepare) starts a recorder, it explains the change.
    ///
    /// # Errors
    ///
    /// Returns an error if no component type with data has that name, or if it has no such field, or the errors of
    /// [`run`](Self::run); a state that differs from a digest is none.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Data, Log, LogOptions, Replay};
    /// use serde::{Deserialize, Serialize};
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(exact, name = "docs.Sting")]
    /// struct Sting { by: u32 }
    ///
    /// #[derive(Data, Serialize, Deserialize, Default)]
    /// #[data(name = "docs.Hero")]
    /// #[serde(default)]
    /// struct Hero { hp: u32 }
    ///
    /// #[handlers]
    /// impl Hero {
    ///     #[on_receive]
    ///     fn sting(&mut self, sting: &Sting) { self.hp -= sting.by; }
    /// }
    ///
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join(format!("docs-who-{}.log", std::process::id()));
    /// let mut manager = MessageManager::new();
    /// let hero = manager.spawn((Hero { hp: 9 },));
    /// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
    /// for frame in 1..=100 {
    ///     if frame == 40 {
    ///         manager.post(Header::to(hero).after_frames(2), Sting { by: 3 })?;
    ///     }
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// Log::stop(&mut manager)?;
    ///
    /// let mut replay = Replay::open(&path)?;
    /// replay.until(100)?;
    /// let change = replay.who_changed(hero, "Hero", "hp")?.expect("it was stung");
    /// assert_eq!((change.frame, &*change.after), (41, "6"));
    /// assert_eq!(change.place.map(|place| place.file).as_deref(), Some(file!()));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn who_changed(
        &mut self,
        id: MessageeId,
        component: &str,
        field: &str,
    ) -> Result<Option<Change>, ReplayError> {
        let field = Field::new(id, component, field)?;
        let run = self.run_mut()?;
        field.check(&run.manager)?;
        let mut end = run.next;
        loop {
            let key = self.key_frames.before_entry(end);
            let mut run = self.begin(key)?;
            let from = run.next;
            let (mut value, mut last) = (field.read(&run.manager), None);
            while run.next < end {
                let at = run.next;
                run.step()?;
                let now = field.read(&run.manager);
                if now.is_some() && now != value {
                    last = Some(at);
                }
                value = now;
            }
            if let Some(at) = last {
                return self.change_at(at, &field).map(Some);
            }
            if key.is_none() {
                return Ok(None);
            }
            end = from;
        }
    }

    /// Goes to right after an input, and says how it has changed a field.
    fn change_at(&mut self, at: usize, field: &Field) -> Result<Change, ReplayError> {
        let mut run = self.begin(self.key_frames.before_entry(at + 1))?;
        // It is traced from here on, so that it is known where a message was sent that is delivered later.
        let watch = Watch::of(field.clone(), &run.manager);
        run.manager.set_trace_sink(Some(watch));
        run.up_to(at)?;
        let watch: Option<Watch> = run.manager.set_trace_sink(None);
        let mut watch = watch.expect("it was set before");
        // Nothing is borrowed between two inputs: if there is no value, there is no component.
        (watch.value, watch.last) = (field.read(&run.manager), None);
        run.manager.set_trace_sink(Some(watch));
        let (input, call) = (run.repeated, run.place_of(at)?);
        run.step()?;
        look(&mut run.manager);
        let watch: Option<Watch> = run.manager.set_trace_sink(None);
        let mut watch = watch.expect("it was set before");
        let Seen {
            before,
            after,
            by: delivery,
        } = watch.last.unwrap_or_default();
        let handler = delivery.as_ref().map(handler_place);
        let sent = delivery.as_ref().and_then(|it| it.send);
        let change = Change {
            frame: run.frame(),
            input,
            before,
            after,
            place: handler.unwrap_or(call),
            sent_at: sent.and_then(|sent| watch.sent.remove(&sent)),
            delivery,
        };
        self.run = Some(run);
        Ok(change)
    }
}

/// Compares the field of a watch between two inputs.
fn look(manager: &mut MessageManager) {
    let watch: Option<Watch> = manager.set_trace_sink(None);
    if let Some(mut watch) = watch {
        watch.look(manager);
        manager.set_trace_sink(Some(watch));
    }
}

/// Returns the line of the handler that was called.
fn handler_place(called: &TraceEvent) -> Option<SourcePlace> {
    let Traced::Called {
        receiver: Receiver::Component { component, .. },
        handler: Some(method),
        ..
    } = &called.what
    else {
        return None;
    };
    let mut all = registry().handlers_of(called.message_id);
    let it = all.find(|it| it.component == *component && it.method == *method)?;
    Some(SourcePlace {
        file: it.place.file.into(),
        line: it.place.line,
        column: 0,
    })
}

/// A field of a component of a messagee.
#[derive(Clone)]
struct Field {
    /// The messagee, as a number of its manager.
    messagee: u64,
    ty: &'static DataType,
    path: String,
}

impl Field {
    fn new(id: MessageeId, component: &str, field: &str) -> Result<Self, DataError> {
        Ok(Self {
            messagee: id.key().number(),
            ty: find_component(component)?,
            path: field.to_owned(),
        })
    }

    /// Checks that there is such a field, if a component is there to tell.
    fn check(&self, structure: &Structure) -> Result<(), DataError> {
        let first = self.path.split(['.', '[']).find(|it| !it.is_empty());
        let fields = self.ty.fields();
        let is_known = |first: &str| fields.is_empty() || fields.contains(&first);
        if first.is_none_or(is_known) || self.read(structure).is_some() {
            return Ok(());
        }
        let (ty, path) = (self.ty.short_name(), &self.path);
        let what = format!("`{ty}` has no field `{path}`: expected one of {fields:?}");
        Err(DataError::new(what))
    }

    /// Returns the value as text, if it is there and nobody has borrowed it.
    fn read(&self, structure: &Structure) -> Option<String> {
        let manager = structure.keys.messagees.borrow().manager;
        let id = MessageeId::of_key(Key::of_number(self.messagee, manager)?);
        let is_it = |&hook: &HookId| {
            let ty = component_type(structure, hook);
            ty.is_ok_and(|ty| std::ptr::eq(ty, self.ty))
        };
        let (pool, slot) = structure.pool_of(structure.hooks(id).find(is_it)?)?;
        let mut writer = Writer::new();
        let write = component_of(self.ty).write;
        let written = Scope::Shown.during(|| write(pool.any_values(), slot, &mut writer));
        written.ok()?;
        let at = part_of(&writer.tape, &self.path)?;
        Some(text::print(&writer.tape, at))
    }
}

/// A change that was seen.
#[derive(Default)]
struct Seen {
    before: Option<String>,
    after: String,
    /// The call in which it happened.
    by: Option<TraceEvent>,
}

/// The number of places that are kept.
const MOST_SENT: usize = 1 << 20;

/// Compares a field before and after each call.
struct Watch {
    field: Field,
    /// The value at the last look.
    value: Option<String>,
    last: Option<Seen>,
    /// The calls that are running, the innermost last.
    running: Vec<TraceEvent>,
    /// The places that the messages were sent from.
    sent: HashMap<TraceId, SourcePlace>,
}

impl Watch {
    fn of(field: Field, structure: &Structure) -> Self {
        Self {
            value: field.read(structure),
            field,
            last: None,
            running: Vec::new(),
            sent: HashMap::new(),
        }
    }
}

impl TraceSink for Watch {
    fn event(&mut self, event: TraceEvent) {
        match &event.what {
            Traced::Sent { place, .. } => {
                if self.sent.len() >= MOST_SENT {
                    self.sent.clear();
                }
                self.sent
                    .extend(event.send.map(|send| (send, place.clone())));
            }
            Traced::Called { .. } => self.running.push(event),
            Traced::Returned { .. } => drop(self.running.pop()),
            _ => {}
        }
    }

    fn look(&mut self, structure: &Structure) {
        let now = self.field.read(structure);
        let by = self.running.last();
        // It may be borrowed by the call.
        if now.is_none() || now == self.value {
            return;
        }
        self.last = Some(Seen {
            before: std::mem::replace(&mut self.value, now.clone()),
            after: now.unwrap_or_default(),
            by: by.cloned(),
        });
    }
}
