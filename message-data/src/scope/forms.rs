//! The forms of ids and names, which the impls of serde in `message-core` ask for.

use std::num::NonZeroU64;

use message_core::internals::{
    Form, Forms, FormsRow, IdKind, Key, Keyed, Name, NameKind, TicketForm, name,
};
use message_core::{HookId, MessageeId, Ticket};
use message_format::ids::{A_HOOK, A_MESSAGEE, A_SUBSCRIPTION};

use crate::declared;
use crate::scope::found::{MARK, shown};
use crate::scope::{
    NO_NAME, STAYS, Scope, abroad, names_outside, number_of, numbered, numbered_or_asked, ticket,
};

/// Writes and reads ids and names as the [`Scope`] of the thread says.
#[derive(Debug)]
struct InScope;

message_core::registry_row!(&FormsRow(&InScope));

impl Forms for InScope {
    fn expected(&self, kind: IdKind) -> &'static str {
        match kind {
            IdKind::Messagee => A_MESSAGEE,
            IdKind::Hook => A_HOOK,
            IdKind::Subscription => A_SUBSCRIPTION,
        }
    }

    fn write_id(&self, kind: IdKind, key: Key) -> Result<Form, String> {
        if kind == IdKind::Messagee
            && let Some(at) = abroad::list(MessageeId::of_key(key))
        {
            return Ok(Form::Number(at as u64));
        }
        let name = Scope::with(|scope| match (scope, kind) {
            (Scope::Naming(names), IdKind::Messagee) => {
                names.messagee(MessageeId::of_key(key)).map(Some)
            }
            (Scope::Naming(names), IdKind::Hook) => names.hook(HookId::of_key(key)).map(Some),
            (Scope::Shown, IdKind::Messagee) => Ok(Some(shown(MessageeId::of_key(key)))),
            (Scope::Shown, _) => Ok(Some(format!("{MARK}{key}"))),
            (Scope::Found(found), _) if found.numbered.is_some() => found.exact(key).map(Some),
            (Scope::Named(_) | Scope::Found(_) | Scope::Listed, IdKind::Messagee) => {
                Err("a value is being read".to_owned())
            }
            _ => Ok(None),
        })?;
        match name {
            Some(name) => Ok(Form::Text(name)),
            None => number_of(key).map(Form::Number),
        }
    }

    fn read_number(&self, kind: IdKind, number: u64) -> Result<Key, String> {
        if kind == IdKind::Messagee
            && let Some((id, len)) = abroad::listed(number)
        {
            let id = id.map(MessageeId::key);
            return id.ok_or_else(|| format!("there is no id {number}: {len} came with the value"));
        }
        let numbered = numbered_or_asked().map_err(|what| match kind {
            IdKind::Messagee | IdKind::Hook if what == NO_NAME => {
                let expected = self.expected(kind);
                format!("expected {expected}, found the number {number}")
            }
            _ => what,
        })?;
        let Some(numbered) = numbered else {
            return Key::from_halves(0, u32::MAX).ok_or_else(|| "a life is never zero".to_owned());
        };
        let is_known = number & u64::from(u32::MAX) < numbered.ends[kind as usize];
        let key = is_known.then(|| Key::of_number(number, numbered.identity.number));
        key.flatten()
            .ok_or_else(|| format!("{number} is not the number of an id"))
    }

    fn read_text(&self, kind: IdKind, text: &str) -> Result<Key, String> {
        let expected = match kind {
            IdKind::Messagee => "expected the number of a messagee",
            IdKind::Hook => "expected the number of a component",
            IdKind::Subscription => "expected the number of a subscription",
        };
        Scope::with(|scope| match (scope, kind) {
            (Scope::Named(names), IdKind::Messagee) => names.messagee(text).map(MessageeId::key),
            (Scope::Named(names), IdKind::Hook) => names.hook(text).map(HookId::key),
            (Scope::Found(found), IdKind::Messagee) => found.messagee(text).map(MessageeId::key),
            (_, IdKind::Messagee) => Err(expected.to_owned()),
            (Scope::Found(found), _) => found.key(text),
            (Scope::Listing | Scope::Listed, _) => Err(STAYS.to_owned()),
            (Scope::Named(_) | Scope::Naming(_) | Scope::Shown, IdKind::Subscription) => {
                Err(NO_NAME.to_owned())
            }
            (Scope::Shown, _) => Err("a value is being written".to_owned()),
            _ => Err(expected.to_owned()),
        })
    }

    fn is_shown(&self) -> bool {
        Scope::is_shown()
    }

    fn write_ticket(&self, own: Ticket, number: Option<NonZeroU64>) -> Result<TicketForm, String> {
        ticket::write(number, own.receipt())
    }

    fn read_ticket(&self, form: Option<TicketForm>) -> Result<Ticket, String> {
        ticket::read(form.unwrap_or_default())
    }

    fn manager_of_cursors(&self) -> Result<u64, String> {
        Ok(numbered()?.identity.serial)
    }

    fn write_name(&self, kind: NameKind, name: &'static str) -> &'static str {
        if Scope::is_of_texts() && !Scope::is_for_abroad() {
            declared::name_in_files(kind, name)
        } else {
            name
        }
    }

    fn read_name(&self, kind: NameKind, text: &str) -> Result<&'static Name, String> {
        match kind {
            NameKind::Key if Scope::is_from_abroad() => names_outside::read(text),
            _ if Scope::is_from_abroad() => declared::find_exact(kind, text),
            NameKind::Mnemonic | NameKind::Group | NameKind::Tag if Scope::is_of_texts() => {
                declared::find(kind, text).map_err(|error| error.to_string())
            }
            _ => Ok(name(text)),
        }
    }

    fn has_tags_below(&self) -> bool {
        Scope::is_of_texts()
    }
}
