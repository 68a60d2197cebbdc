//! Nodes in processes of their own: this program again, told by the environment what to be.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use message_net::link::zenoh::{ZenohConfig, ZenohLink};
use message_net::link::{Link as _, LinkEvent};

use crate::common::name;
use crate::world::{GateFile, World};

const ROLE: &str = "MESSAGE_NET_TEST_CHILD";

/// The file in which a world writes down what comes to its gate. Without it, there is only a link.
const GATE: &str = "MESSAGE_NET_TEST_GATE";

/// A node in another process that sends back what it receives. It is killed when this is dropped, and
/// ends when this process does.
pub(crate) struct Node(Child);

impl Node {
    /// Starts a hub that listens at an endpoint.
    pub(crate) fn hub(endpoint: &str) -> Self {
        Self::start(&mut this_program(), "hub", "hub", endpoint)
    }

    /// Starts a client of a router.
    pub(crate) fn client(node: &str, endpoint: &str) -> Self {
        Self::start(&mut this_program(), "client", node, endpoint)
    }

    /// Starts a client of a router by a command that runs this program somewhere else.
    pub(crate) fn client_by(command: &mut Command, node: &str, endpoint: &str) -> Self {
        command.arg(std::env::current_exe().expect("this program"));
        Self::start(command, "client", node, endpoint)
    }

    /// Starts a world with a gate, whose node is a hub or a client of one.
    pub(crate) fn world(role: &str, node: &str, endpoint: &str, gate: &GateFile) -> Self {
        Self::start_world(&mut this_program(), role, node, endpoint, gate)
    }

    /// The same, by a command that runs this program somewhere else.
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

    /// Stops it from running, or lets it run on.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: &str) {
        let process = self.0.id().to_string();
        let status = Command::new("kill").args([signal, &process]).status();
        assert!(status.expect("the program `kill`").success());
    }

    /// Kills it, as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("a process of ours");
        self.0.wait().expect("a process of ours");
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn this_program() -> Command {
    Command::new(std::env::current_exe().expect("this program"))
}

/// The other process. In this one it does nothing.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let [role, node, endpoint] = role.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{role}");
    };
    thread::spawn(|| {
        // Nothing is written to it: it is closed when the parent ends.
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
            // Who cannot be answered any more is not.
            Some(LinkEvent::Frame { from, frame }) => drop(link.send(&from, frame.into())),
            Some(_) => {}
            None => sleep(Duration::from_millis(1)),
        }
    }
}
