use message_data::Data;
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize)]
#[data(nmae = "Health")]
struct Misspelled;

#[derive(Data, Serialize, Deserialize)]
#[data(name = "my health", alias = "")]
struct NoWord;

#[derive(Data, Serialize, Deserialize)]
#[data(version = 0)]
struct Zero;

#[derive(Data, Serialize, Deserialize)]
#[data(upgrade = up)]
struct Unversioned;

#[derive(Data, Serialize, Deserialize)]
#[data(exact, exact)]
struct Twice;

fn main() {}
