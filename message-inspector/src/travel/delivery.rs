//! The value of a component before and after one delivery.

use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, TraceSink, Traced};
use message_core::{HookId, MessageManager, Structure};
use message_data::{self as data, component_to_text};
use message_trace::Recorder;
use serde_json::{Value, json};

use super::change::text;
use crate::builder::Builder;
use crate::history::event;

/// A delivery, described so that another run of its frame has it, too: trace ids are numbered anew in each run.
pub(super) struct Wanted {
    pub(super) frame: u64,
    /// The number of deliveries before it in its frame.
    before: usize,
    messagee: String,
    hook: String,
}

impl Wanted {
    /// Finds a delivery among the recorded ones.
    pub(super) fn of(
        manager: &MessageManager,
        settings: &Builder,
        delivery: u64,
    ) -> Result<Self, String> {
        let unknown = || format!("delivery #{delivery} is not among those that were followed");
        let recorder = Recorder::of(manager).ok_or_else(unknown)?;
        let calls = || {
            let events = recorder.events();
            events.filter(|it| matches!(it.what, Traced::Called { .. }))
        };
        let is_it = |it: &&TraceEvent| it.what.delivery().map(TraceId::get) == Some(delivery);
        let called = calls().find(is_it).ok_or_else(unknown)?;
        let frame = called.moment.frame;
        let Traced::Called {
            receiver: Receiver::Component { component, .. },
            hook: Some(hook),
            ..
        } = called.what
        else {
            return Err(format!("delivery #{delivery} called no component"));
        };
        if settings.hidden.contains(component) {
            return Err(format!("`{component}` is hidden"));
        }
        let first = recorder.events().next().map(|it| it.moment.frame);
        if recorder.len() >= recorder.capacity() && first >= Some(frame) {
            return Err(format!("frame {frame} has more events than are followed"));
        }
        let in_frame = calls().filter(|it| it.moment.frame == frame);
        let before = in_frame.take_while(|it| !is_it(it)).count();
        let messagee = called.what.receiver().and_then(Receiver::messagee);
        Ok(Self {
            frame,
            before,
            messagee: messagee.map(|id| format!("{id:#}")).unwrap_or_default(),
            hook: hook.to_string(),
        })
    }

    /// Reads the component in the frame that begins now.
    pub(super) fn watch(&self, manager: &mut MessageManager) -> Result<(), String> {
        let id = manager.inspect().parse_messagee(&self.messagee);
        let hook = id.and_then(|id| manager.hooks(id).find(|it| it.to_string() == self.hook));
        let hook = hook.ok_or_else(|| {
            format!(
                "the component was created in frame {} and has no earlier value",
                self.frame
            )
        })?;
        if let Err(error) = data::component_type(manager, hook) {
            return Err(error.to_string());
        }
        manager.set_trace_sink(Some(Values {
            hook,
            frame: self.frame,
            left: self.before,
            last: None,
            found: None,
            before: None,
            after: None,
            is_done: false,
        }));
        Ok(())
    }

    /// Returns what was read.
    pub(super) fn told(&self, manager: &mut MessageManager) -> Result<Value, String> {
        let values: Option<Values> = manager.set_trace_sink(None);
        let values = values.filter(|it| it.is_done);
        let values = values.ok_or("this delivery was not replayed")?;
        let found = values.found.as_ref();
        let component = found.and_then(|it| match it.what {
            Traced::Called {
                receiver: Receiver::Component { component, .. },
                ..
            } => Some(component),
            _ => None,
        });
        let receiver = found.and_then(|it| it.what.receiver()?.messagee());
        Ok(json!({
            "found": true,
            "frame": self.frame,
            "messagee": self.messagee,
            "name": receiver.and_then(event::name_of),
            "component": component,
            "field": "",
            "before": values.before.as_deref().map(text),
            "after": values.after.as_deref().map(text),
            "delivery": found.map(event::told),
            "cause": found.and_then(|it| it.what.delivery()).map(TraceId::get),
            "place": Value::Null,
            "sent_at": Value::Null,
        }))
    }
}

/// Reads a component around each delivery of a frame, up to the wanted one.
struct Values {
    hook: HookId,
    frame: u64,
    /// The number of deliveries before the wanted one.
    left: usize,
    /// The value at the last look. It cannot be read while a handler has it.
    last: Option<String>,
    found: Option<TraceEvent>,
    before: Option<String>,
    after: Option<String>,
    is_done: bool,
}

impl TraceSink for Values {
    fn event(&mut self, event: TraceEvent) {
        let is_it = |found: &TraceEvent| found.what.delivery() == event.what.delivery();
        match &event.what {
            Traced::Called { .. } if self.found.is_none() && event.moment.frame == self.frame => {
                if self.left > 0 {
                    self.left -= 1;
                } else {
                    self.before = self.last.take();
                    self.found = Some(event);
                }
            }
            Traced::Returned { .. } if self.found.as_ref().is_some_and(is_it) => {
                self.after = self.last.take();
                self.is_done = true;
            }
            _ => {}
        }
    }

    fn is_full(&self) -> bool {
        self.is_done
    }

    fn look(&mut self, structure: &Structure) {
        if !self.is_done {
            self.last = component_to_text(structure, self.hook).ok();
        }
    }
}
