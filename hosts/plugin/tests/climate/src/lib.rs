//! A message whose fields depend on a feature, on a setting and on a generated source.
#![forbid(unsafe_code)]

use message_core::data;
use message_core::prelude::*;

message_core::shared!(data);

include!(concat!(env!("OUT_DIR"), "/depth.rs"));

#[cfg(feature = "wide")]
pub type Width = u64;
#[cfg(not(feature = "wide"))]
pub type Width = u32;

#[derive(Message, Default)]
#[message(name = "climate.Rain")]
pub struct Rain {
    pub width: Width,
    pub depth: Depth,
    #[cfg(stormy)]
    pub gusts: [u64; 8],
}
