//! Writes a tape as `MessagePack`.

use rmp::encode;

use crate::pack::SOME_OF_NOTHING;
use crate::tape::{Empty, Kind, Tape, Token};

/// Writing to a vector does not fail.
const TO_MEMORY: &str = "a vector takes what is written to it";

/// Appends the value whose first token has the index `at`. Returns the index after it.
pub(crate) fn pack(tape: &Tape, at: usize, bytes: &mut Vec<u8>) -> usize {
    let (mut at, mut somes) = (at, 0_u8);
    // `Some` and newtypes are written as what they hold.
    while matches!(tape.tokens[at].kind, Kind::Some | Kind::Wrapped) {
        somes += u8::from(tape.tokens[at].kind == Kind::Some);
        at += 1;
    }
    let token = tape.tokens[at];
    match token.kind {
        Kind::Unit if Empty::of(token) == Empty::Unit => nothing(somes, bytes),
        Kind::Nil => nothing(somes, bytes),
        Kind::Named => {
            encode::write_map_len(bytes, 1).expect(TO_MEMORY);
            encode::write_str(bytes, tape.str(token)).expect(TO_MEMORY);
            return pack(tape, at + 1, bytes);
        }
        Kind::Seq | Kind::Tuple => {
            encode::write_array_len(bytes, token.len()).expect(TO_MEMORY);
            return entries(tape, at, bytes);
        }
        Kind::Fields | Kind::Map => {
            encode::write_map_len(bytes, token.len()).expect(TO_MEMORY);
            return entries(tape, at, bytes);
        }
        _ => plain(tape, token, bytes),
    }
    at + 1
}

/// Appends a struct as a list of its fields, if it has exactly these, in this order. Returns whether it does.
pub(crate) fn pack_fields(tape: &Tape, names: &[&str], bytes: &mut Vec<u8>) -> bool {
    let is_struct = |it: &&Token| it.kind == Kind::Fields && it.len() as usize == names.len();
    let Some(whole) = tape.tokens.first().filter(is_struct) else {
        return false;
    };
    let fields = tape.entries(0).map(|entry| entry.start);
    let found = fields.clone().map(|key| tape.str(tape.tokens[key]));
    if !found.eq(names.iter().copied()) {
        return false;
    }
    encode::write_array_len(bytes, whole.len()).expect(TO_MEMORY);
    for key in fields {
        pack(tape, key + 1, bytes);
    }
    true
}

fn entries(tape: &Tape, at: usize, bytes: &mut Vec<u8>) -> usize {
    let end = tape.tokens[at].end_of();
    let mut next = at + 1;
    while next < end {
        next = pack(tape, next, bytes);
    }
    end
}

/// Appends nothing inside this number of `Some`.
fn nothing(somes: u8, bytes: &mut Vec<u8>) {
    if somes == 0 {
        encode::write_nil(bytes).expect(TO_MEMORY);
    } else {
        encode::write_ext_meta(bytes, 1, SOME_OF_NOTHING).expect(TO_MEMORY);
        bytes.push(somes);
    }
}

/// Appends a value that contains no others.
fn plain(tape: &Tape, token: Token, bytes: &mut Vec<u8>) {
    let written = match token.kind {
        Kind::Bool => return encode::write_bool(bytes, token.data != 0).expect(TO_MEMORY),
        Kind::Negative => encode::write_sint(bytes, token.data.cast_signed()).map(drop),
        Kind::Natural => encode::write_uint(bytes, token.data).map(drop),
        Kind::Float => encode::write_f64(bytes, f64::from_bits(token.data)),
        Kind::Single => encode::write_f32(bytes, token.single()),
        Kind::Char => encode::write_str(bytes, token.character().encode_utf8(&mut [0; 4])),
        Kind::Bytes | Kind::WideNegative | Kind::WideNatural => {
            encode::write_bin(bytes, tape.bytes(token))
        }
        Kind::Unit if Empty::of(token) == Empty::Tuple => {
            encode::write_array_len(bytes, 0).map(drop)
        }
        Kind::Unit => encode::write_map_len(bytes, 0).map(drop),
        _ => encode::write_str(bytes, tape.str(token)),
    };
    written.expect(TO_MEMORY);
}
