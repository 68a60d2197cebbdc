use message_data::Data;
use serde::Serialize;

#[derive(Data, Serialize)]
struct Name<'a>(&'a str);

fn main() {}
