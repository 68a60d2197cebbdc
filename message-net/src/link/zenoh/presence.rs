//! Node presence, as reported by liveliness tokens.
//!
//! A node is present while at least one of its instances holds a token. Changes are not queued one by one: a
//! node that changed is marked, and the difference between the last reported state and the current one is
//! reported. So a flapping token costs no memory. Another instance with this node's own name is a rival. It is
//! reported once it has been present for longer than the token of a dead process can linger.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::name::NodeName;

/// The maximum number of tokens that are remembered. Further tokens are ignored, so that nobody can exhaust the
/// memory.
const MOST_TOKENS: usize = 65_536;

/// The tokens of a world, as one node sees them.
#[derive(Debug)]
pub(super) struct Presence {
    own: NodeName,
    instance: String,
    grace: Duration,
    nodes: HashMap<NodeName, Seen>,
    tokens: usize,
    rivals: HashMap<String, Rival>,
}

#[derive(Debug, Default)]
struct Seen {
    instances: HashSet<String>,
    told: bool,
    /// Whether it was absent at some time since it was last reported.
    away: bool,
    marked: bool,
}

#[derive(Debug)]
struct Rival {
    since: Instant,
    told: bool,
}

/// The change of a node's presence since it was last reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) went: bool,
    pub(super) came: bool,
}

impl Presence {
    pub(super) fn new(own: NodeName, grace: Duration) -> Self {
        Self {
            own,
            instance: String::new(),
            grace,
            nodes: HashMap::new(),
            tokens: 0,
            rivals: HashMap::new(),
        }
    }

    /// Sets the instance that this node itself is from now on, and forgets all tokens. Returns the nodes that
    /// are newly marked as changed.
    pub(super) fn begin(&mut self, instance: &str) -> Vec<NodeName> {
        instance.clone_into(&mut self.instance);
        self.rivals.clear();
        self.tokens = 0;
        let mut marked = Vec::new();
        for (node, seen) in &mut self.nodes {
            if !seen.instances.is_empty() {
                seen.instances.clear();
                seen.away = true;
                if !std::mem::replace(&mut seen.marked, true) {
                    marked.push(node.clone());
                }
            }
        }
        marked.sort();
        marked
    }

    /// Returns `true` if a node is present.
    pub(super) fn has(&self, node: &NodeName) -> bool {
        self.nodes
            .get(node)
            .is_some_and(|seen| !seen.instances.is_empty())
    }

    /// Adds a token. Returns `true` if the node is newly marked as changed.
    pub(super) fn appeared(&mut self, node: &NodeName, instance: &str, now: Instant) -> bool {
        if *node == self.own {
            if instance != self.instance && self.rivals.len() < MOST_TOKENS {
                let fresh = || Rival {
                    since: now,
                    told: false,
                };
                self.rivals.entry(instance.to_owned()).or_insert_with(fresh);
            }
            return false;
        }
        if self.tokens >= MOST_TOKENS {
            return false;
        }
        let seen = self.nodes.entry(node.clone()).or_default();
        if seen.instances.insert(instance.to_owned()) {
            self.tokens += 1;
        }
        seen.instances.len() == 1 && !std::mem::replace(&mut seen.marked, true)
    }

    /// Removes a token. Returns `true` if the node is newly marked as changed.
    pub(super) fn vanished(&mut self, node: &NodeName, instance: &str) -> bool {
        if *node == self.own {
            self.rivals.remove(instance);
            return false;
        }
        let Some(seen) = self.nodes.get_mut(node) else {
            return false;
        };
        if !seen.instances.remove(instance) {
            return false;
        }
        self.tokens -= 1;
        if !seen.instances.is_empty() {
            return false;
        }
        seen.away = true;
        !std::mem::replace(&mut seen.marked, true)
    }

    /// Clears the mark of a node, and returns the change to report.
    pub(super) fn take(&mut self, node: &NodeName) -> Change {
        let Some(seen) = self.nodes.get_mut(node) else {
            return Change {
                went: false,
                came: false,
            };
        };
        seen.marked = false;
        let there = !seen.instances.is_empty();
        let change = Change {
            went: seen.told && seen.away,
            came: there && (!seen.told || seen.away),
        };
        seen.told = there;
        seen.away = false;
        if !there {
            self.nodes.remove(node);
        }
        change
    }

    /// Returns the rivals that have been present for longer than the grace period and have not been reported
    /// yet.
    pub(super) fn rivals(&mut self, now: Instant) -> Vec<String> {
        let grace = self.grace;
        let due = |rival: &Rival| !rival.told && now.duration_since(rival.since) >= grace;
        self.rivals
            .iter_mut()
            .filter(|(_, rival)| due(rival))
            .map(|(instance, rival)| {
                rival.told = true;
                instance.clone()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(3);

    fn node(name: &str) -> NodeName {
        NodeName::new(name).expect("a name")
    }

    fn presence() -> Presence {
        let mut presence = Presence::new(node("me"), GRACE);
        presence.begin("1");
        presence
    }

    fn change(went: bool, came: bool) -> Change {
        Change { went, came }
    }

    #[test]
    fn a_node_is_there_while_one_of_its_instances_is() {
        let (mut presence, zone, now) = (presence(), node("zone"), Instant::now());
        assert!(presence.appeared(&zone, "a", now));
        assert!(!presence.appeared(&zone, "b", now));
        assert_eq!(presence.take(&zone), change(false, true));
        assert!(!presence.vanished(&zone, "a"));
        assert!(presence.has(&zone));
        assert!(presence.vanished(&zone, "b"));
        assert!(!presence.has(&zone));
        assert_eq!(presence.take(&zone), change(true, false));
        assert_eq!(presence.tokens, 0);
        assert!(presence.nodes.is_empty());
    }

    #[test]
    fn a_node_that_was_away_between_two_calls_went_and_came() {
        let (mut presence, zone, now) = (presence(), node("zone"), Instant::now());
        presence.appeared(&zone, "a", now);
        presence.take(&zone);
        assert!(presence.vanished(&zone, "a"));
        assert!(!presence.appeared(&zone, "b", now));
        assert_eq!(presence.take(&zone), change(true, true));
    }

    #[test]
    fn a_node_that_came_and_went_between_two_calls_is_not_told() {
        let (mut presence, zone, now) = (presence(), node("zone"), Instant::now());
        assert!(presence.appeared(&zone, "a", now));
        assert!(!presence.vanished(&zone, "a"));
        assert_eq!(presence.take(&zone), change(false, false));
        assert!(presence.nodes.is_empty());
    }

    #[test]
    fn another_of_this_name_is_a_rival_when_it_outlasts_the_grace() {
        let (mut presence, me, now) = (presence(), node("me"), Instant::now());
        presence.appeared(&me, "1", now);
        presence.appeared(&me, "2", now);
        presence.appeared(&me, "3", now);
        presence.vanished(&me, "3");
        assert!(presence.rivals(now).is_empty());
        assert_eq!(presence.rivals(now + GRACE), ["2"]);
        assert!(presence.rivals(now + 2 * GRACE).is_empty(), "told once");
        assert!(!presence.has(&me));
    }

    #[test]
    fn tokens_beyond_the_bound_are_ignored() {
        let (mut presence, now) = (presence(), Instant::now());
        for i in 0..=MOST_TOKENS {
            presence.appeared(&node("zone"), &i.to_string(), now);
        }
        assert_eq!(presence.tokens, MOST_TOKENS);
    }
}
