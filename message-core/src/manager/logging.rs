//! Writing every input of a manager to a log, before it runs.

use std::any::Any;
use std::io::Write;
use std::panic::Location;
use std::time::Duration;

use crate::address::{Recipient, Sender};
use crate::component::Bundle;
use crate::data::{How, Input, LogError, LogOptions, LogReport};
use crate::error::SendError;
use crate::header::Header;
use crate::manager::{AsMessagee, MessageManager};
use crate::message::{AnyMessage, Message, Request};
use crate::post::{Ticket, post_anew};
use crate::receipt::Receipt;
use crate::send::Program;
use crate::time::nanoseconds;

impl MessageManager {
    /// Writes all that comes into this manager from outside to a log from now on, each input before it
    /// runs, so that a [`Replay`](crate::data::Replay) can repeat it.
    ///
    /// The log begins with the [saved](Self::save) state. Inputs are what is called on the manager: its
    /// frames with their time, sends, posts, publications, spawning and all other changes; what other
    /// threads have posted, when it is taken in; and the components that were borrowed mutably, as they
    /// were left. What cannot be written, such as a message without [data](crate::data::Data) or a new
    /// subscriber, marks the log as impure, with its place; a replay stops there.
    ///
    /// The writer is called for each input. Give a [`BufWriter`](std::io::BufWriter) if the log need not
    /// have what came right before a crash. If it fails, nothing more is written, and
    /// [`stop_log`](Self::stop_log) returns the error.
    ///
    /// # Errors
    ///
    /// If a log is being written already, the state cannot be saved, or the writer fails.
    ///
    /// ```
    /// use message_core::data::{LogOptions, Replay};
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join(format!("docs-{}.log", std::process::id()));
    /// let mut manager = MessageManager::new();
    /// manager.start_log(std::fs::File::create(&path)?, LogOptions::new())?;
    /// manager.spawn(());
    /// manager.tick(Duration::from_millis(16));
    /// manager.stop_log()?;
    ///
    /// let replayed = Replay::open(&path)?.run()?;
    /// assert_eq!(replayed.manager.digest(), manager.digest());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start_log(
        &mut self,
        writer: impl Write + Send + 'static,
        options: LogOptions,
    ) -> Result<(), LogError> {
        self.settle();
        self.world.start_log(Box::new(writer), options)
    }

    /// Ends the log, and returns what was written to it; `None` if none was being written.
    ///
    /// # Errors
    ///
    /// The first error of the writer.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// assert!(MessageManager::new().stop_log()?.is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stop_log(&mut self) -> std::io::Result<Option<LogReport>> {
        self.world.stop_log()
    }

    /// Like [`send`](Self::send), but for when inputs are logged. Kept out of line, so that other sends do
    /// not pay for it.
    #[cold]
    #[inline(never)]
    pub(super) fn send_logged<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<Receipt, SendError> {
        self.world
            .log_send(How::Send, to, Sender::Outside, &message, place);
        self.send_on(to, place, &mut Some(message))
    }

    /// Like [`request`](Self::request), but for when inputs are logged.
    #[cold]
    #[inline(never)]
    pub(super) fn request_logged<M: Request>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        self.world
            .log_send(How::Request, to, Sender::Outside, &message, place);
        self.request_in_full(to, place, message)
    }

    /// Like [`post`](Self::post), but for when inputs are logged.
    #[cold]
    #[inline(never)]
    pub(super) fn post_logged<M: Message>(
        &mut self,
        header: &Header,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<Ticket, SendError> {
        self.world
            .log_post(header, Sender::Outside, &message, place);
        self.outermost(|world| post_anew(Program(world), header.to, header, place, message))
    }

    pub(super) fn log_spawn<B: Bundle>(
        &mut self,
        name: Option<&str>,
        bundle: &B,
        place: &'static Location<'static>,
    ) {
        if self.world.outside.log.is_on() {
            self.settle();
            let mut components: Vec<&dyn Any> = Vec::new();
            bundle.look(&mut |component| components.push(component));
            self.world.log_spawn(name, &components, place);
        }
    }

    pub(super) fn log_frame(&self, input: impl FnOnce(u64) -> Input, dt: Duration) {
        if self.world.outside.log.is_on() {
            self.world.log_digest();
            self.world.log_input(|| input(nanoseconds(dt)));
        }
    }
}

impl AsMessagee<'_> {
    pub(super) fn log_send(
        &self,
        how: How,
        to: Recipient,
        message: &dyn AnyMessage,
        place: &'static Location<'static>,
    ) {
        let sender = Sender::Messagee(self.me());
        self.world.log_send(how, to, sender, message, place);
    }

    pub(super) fn log_post(
        &self,
        header: &Header,
        message: &dyn AnyMessage,
        place: &'static Location<'static>,
    ) {
        let sender = Sender::Messagee(self.me());
        self.world.log_post(header, sender, message, place);
    }
}
