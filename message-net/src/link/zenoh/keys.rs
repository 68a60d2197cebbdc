//! The key expressions of a world.
//!
//! A frame is published under `<world>/to/<receiver>/<sender>`, so that a node subscribes to one key expression
//! and a router can restrict who may publish there. A node that is present holds a liveliness token under
//! `<world>/alive/<node>/<instance>`. The instance differs for each process that is opened, which distinguishes
//! two nodes of the same name.

use crate::name::NodeName;

/// The longest instance in a token, in bytes: an id of zenoh and one of a process take less. Tokens are remembered,
/// and keys can be as long as a frame.
const LONGEST: usize = 64;

/// Creates and parses the keys of one world.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    world: String,
}

impl Keys {
    pub(super) fn new(world: &str) -> Self {
        Self {
            world: world.to_owned(),
        }
    }

    /// Returns the key under which `from` publishes frames for `to`.
    pub(super) fn frame(&self, to: &str, from: &str) -> String {
        format!("{}/to/{to}/{from}", self.world)
    }

    /// Returns the key expression for all frames to `to`.
    pub(super) fn frames(&self, to: &NodeName) -> String {
        self.frame(to.as_str(), "*")
    }

    /// Returns the key of the token for one instance of a node.
    pub(super) fn token(&self, node: &str, instance: &str) -> String {
        format!("{}/alive/{node}/{instance}", self.world)
    }

    /// Returns the key expression for all tokens of the world.
    pub(super) fn tokens(&self) -> String {
        self.token("*", "*")
    }

    /// Returns the node that published under a key, or `None` if the key does not contain a valid name.
    pub(super) fn sender(&self, key: &str) -> Option<NodeName> {
        let (_, from) = self.two_last(key, "/to/")?;
        NodeName::new(from).ok()
    }

    /// Returns the node and the instance of a token, or `None` if the key does not contain a valid name, or if the
    /// instance is too long.
    pub(super) fn alive<'k>(&self, key: &'k str) -> Option<(NodeName, &'k str)> {
        let (node, instance) = self.two_last(key, "/alive/")?;
        if instance.len() > LONGEST {
            return None;
        }
        Some((NodeName::new(node).ok()?, instance))
    }

    fn two_last<'k>(&self, key: &'k str, kind: &str) -> Option<(&'k str, &'k str)> {
        let rest = key.strip_prefix(&self.world)?.strip_prefix(kind)?;
        let (first, last) = rest.split_once('/')?;
        (!last.contains('/')).then_some((first, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_made() {
        let keys = Keys::new("games/arena");
        let key = keys.frame("hub", "zone-1");
        assert_eq!(key, "games/arena/to/hub/zone-1");
        let from = keys.sender(&key).expect("a sender");
        assert_eq!(from.as_str(), "zone-1");

        let key = keys.token("zone-1", "a1.77");
        let (node, instance) = keys.alive(&key).expect("a token");
        assert_eq!((node.as_str(), instance), ("zone-1", "a1.77"));
    }

    #[test]
    fn keys_of_another_world_or_form_are_nobodys() {
        let keys = Keys::new("arena");
        for key in [
            "arenas/to/hub/zone",
            "arena/to/hub",
            "arena/to/hub/zone/more",
            "arena/to/hub/zo ne",
            "arena/alive/hub/1",
            "arena",
            "",
        ] {
            assert_eq!(keys.sender(key), None, "{key}");
        }
        assert!(keys.alive("arena/to/hub/zone").is_none());
        let token = |len| keys.token("zone", &"1".repeat(len));
        assert!(keys.alive(&token(LONGEST)).is_some());
        assert!(keys.alive(&token(LONGEST + 1)).is_none());
    }
}
