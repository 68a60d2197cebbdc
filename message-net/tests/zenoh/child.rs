//! Nodes in separate processes: this program again, with its role set by the environment.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use message_net::link::zenoh::{ZenohConfig, ZenohLink};
use message_net::link::{Link as _, LinkEvent};

use crate::common::name;
use crate::world::{GateFile, World};

const ROLE: &str = "MESSAGE_NET_TEST_CHILD";

/// The file to which a world writes the messages at its gate. Without it, there is only a link.
const GATE: &str = "MESSAGE_NET_TEST_GATE";

/// A node in another process that sends back everything it receives. It is killed when this value is dropped,
/// and ends when this process does.
pub(crate) struct Node(Child);

impl Node {
    /// Starts a hub that listens on an endpoint.
    pub(crate) fn hub(endpoint: &str) -> Self {
        Self::start(&mut this_program(), "hub", "hub", endpoint)
    }

    /// Starts a client of a router.
    pub(crate) fn client(node: &str, endpoint: &str) -> Self {
        Self::start(&mut this_program(), "client", node, endpoint)
    }

    /// Starts a client of a router, with a command that runs this program somewhere else.
    pub(crate) fn client_by(command: &mut Command, node: &str, endpoint: &str) -> Self {
        command.arg(std::env::current_exe().expect("this program"));
        Self::start(command, "client", node, endpoint)
    }

    /// Starts a world with a gate. Its node is a hub, or a client of one.
    pub(crate) fn world(role: &str, node: &str, endpoint: &str, gate: &GateFile) -> Self {
        Self::start_world(&mut this_program(), role, node, endpoint, gate)
    }

    /// Like [`world`](Self::world), but with a command that runs this program somewhere else.
    pub(crate) fn world_by(
        command: &mut Command,
        node: &str,
        endpoint: &str,
        gate: &GateFile,
    ) -> Self {
        command.arg(std::env::current_exe().expect("this program"));
        Self::start_world(command, "client", node, endpoint, gate)
    }

    fn start_world(
        command: &mut Command,
        role: &str,
        node: &str,
        endpoint: &str,
        gate: &GateFile,
    ) -> Self {
        command.env(GATE, gate.path());
        Self::start(command, role, node, endpoint)
    }

    fn start(command: &mut Command, role: &str, node: &str, endpoint: &str) -> Self {
        let child = command
            .args(["child::child", "--exact", "--nocapture", "--quiet"])
            .env(ROLE, format!("{role} {node} {endpoint}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        Self(child.expect("a process"))
    }

    /// Stops the process, or lets it continue.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: &str) {
        let process = self.0.id().to_string();
        let status = Command::new("kill").args([signal, &process]).status();
        assert!(status.expect("the program `kill`").success());
    }

    /// Kills the process like `kill -9`.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("a process of ours");
        self.0.wait().expect("a process of ours");
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn this_program() -> Command {
    Command::new(std::env::current_exe().expect("this program"))
}

/// Runs the other process. In this process it does nothing.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let [role, node, endpoint] = role.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{role}");
    };
    thread::spawn(|| {
        // Nothing is ever written to it: it is closed when the parent ends.
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let config = match role {
        "hub" => ZenohConfig::hub(endpoint),
        _ => ZenohConfig::client(endpoint),
    };
    if let Some(path) = std::env::var_os(GATE) {
        let mut world = World::open(node, config, |config| config);
        world.open_gate(&path);
        loop {
            world.tick();
        }
    }
    let mut link = ZenohLink::open(name(node), config).expect("a valid configuration");
    loop {
        match link.poll() {
            // If the sender is gone, there is no reply.
            Some(LinkEvent::Frame { from, frame }) => drop(link.send(&from, frame.into())),
            Some(_) => {}
            None => sleep(Duration::from_millis(1)),
        }
    }
}
