//! The key expressions of a world.
//!
//! A frame is published under `<world>/to/<receiver>/<sender>`, so that a node subscribes to one key
//! expression and a router can be told who may publish there. A node that is there holds a liveliness
//! token under `<world>/alive/<node>/<instance>`. The instance differs in each process that is opened,
//! which is how two nodes of one name are told apart.

use crate::name::NodeName;

/// Makes and reads the keys of one world.
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

    /// Under which `from` publishes what is for `to`.
    pub(super) fn frame(&self, to: &str, from: &str) -> String {
        format!("{}/to/{to}/{from}", self.world)
    }

    /// Everything that is for `to`.
    pub(super) fn frames(&self, to: &NodeName) -> String {
        self.frame(to.as_str(), "*")
    }

    /// The token of one instance of a node.
    pub(super) fn token(&self, node: &str, instance: &str) -> String {
        format!("{}/alive/{node}/{instance}", self.world)
    }

    /// All tokens of the world.
    pub(super) fn tokens(&self) -> String {
        self.token("*", "*")
    }

    /// Reads who published under a key, or `None` if no node can be called so.
    pub(super) fn sender(&self, key: &str) -> Option<NodeName> {
        let (_, from) = self.two_last(key, "/to/")?;
        NodeName::new(from).ok()
    }

    /// Reads node and instance of a token, or `None` if no node can be called so.
    pub(super) fn alive<'k>(&self, key: &'k str) -> Option<(NodeName, &'k str)> {
        let (node, instance) = self.two_last(key, "/alive/")?;
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
    }
}
