//! Access control for a hub that knows its nodes, written as rules for zenoh.
//!
//! Everything that is not allowed is denied. A process whose certificate has a node's name as common name may
//! publish frames as that node, receive the frames for it, hold its tokens, and see all tokens of the world.

use super::config::{list, quote};
use super::keys::Keys;
use crate::name::NodeName;

/// Writes the section `access_control` of zenoh's configuration.
pub(super) fn rules(world: &str, nodes: &[NodeName]) -> String {
    let keys = Keys::new(world);
    let mut rules = vec![rule(
        "tokens",
        &[
            "declare_liveliness_subscriber",
            "liveliness_query",
            "liveliness_token",
            "reply",
        ],
        &["egress"],
        &keys.tokens(),
    )];
    rules.push(rule(
        "watch",
        &["declare_liveliness_subscriber", "liveliness_query"],
        &["ingress"],
        &keys.tokens(),
    ));
    let mut subjects = Vec::new();
    let mut policies = Vec::new();
    for node in nodes {
        let name = node.as_str();
        let id = |what: &str| format!("{what} {name}");
        let own = [
            rule(
                &id("publish"),
                &["put"],
                &["ingress"],
                &keys.frame("*", name),
            ),
            rule(
                &id("subscribe"),
                &["declare_subscriber"],
                &["ingress"],
                &keys.frames(node),
            ),
            rule(
                &id("receive"),
                &["put", "declare_subscriber"],
                &["egress"],
                &keys.frames(node),
            ),
            rule(
                &id("alive"),
                &["liveliness_token"],
                &["ingress"],
                &keys.token(name, "*"),
            ),
        ];
        rules.extend(own);
        let subject = quote(&id("certificate"));
        subjects.push(format!(
            "{{id:{subject},cert_common_names:{}}}",
            list(&[name])
        ));
        let ids = ["publish", "subscribe", "receive", "alive"].map(id);
        let ids: Vec<&str> = ids
            .iter()
            .map(String::as_str)
            .chain(["tokens", "watch"])
            .collect();
        policies.push(format!("{{rules:{},subjects:[{subject}]}}", list(&ids)));
    }
    format!(
        "{{enabled:true,default_permission:\"deny\",rules:[{}],subjects:[{}],policies:[{}]}}",
        rules.join(","),
        subjects.join(","),
        policies.join(","),
    )
}

fn rule(id: &str, messages: &[&str], flows: &[&str], key: &str) -> String {
    format!(
        "{{id:{},permission:\"allow\",messages:{},flows:{},key_exprs:{}}}",
        quote(id),
        list(messages),
        list(flows),
        list(&[key]),
    )
}
