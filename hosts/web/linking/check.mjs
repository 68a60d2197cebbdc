// Loads a program as a page does, and compares what its functions return with what is expected.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

const expected = {
    messages: 4,
    handlers: 5,
    data_types: 2,
    mnemonics: 1,
    own_handlers: 1,
    recorded_without_a_clock: 4,
    recorded_with_a_clock: 30,
    a_full_inlet_times_out: 1,
};
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
const returned = Object.fromEntries(
    Object.keys(expected).map((name) => [name, instance.exports[name]()]),
);
assert.deepEqual(returned, expected);
