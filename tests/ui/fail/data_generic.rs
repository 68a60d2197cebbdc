use message_data::Data;
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize)]
struct Cooldown<T>(T);

fn main() {}
