use message_data::Data;
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize)]
struct Mind {
    sight: u32,
}

fn main() {}
