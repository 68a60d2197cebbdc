// Loads a program as a page does, and compares what its functions return with what is expected.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});

function returns(name, expected) {
    assert.equal(instance.exports[name](), expected, name);
}

// holds: identity.linked-entries
returns('messages', 4);

// holds: identity.linked-entries
returns('handlers', 5);

// holds: identity.linked-entries
returns('data_types', 2);

// holds: identity.linked-entries
returns('mnemonics', 1);

// holds: identity.linked-entries
returns('own_handlers', 1);

// holds: seeing.no-clock-needed, seeing.later-than-before
returns('recorded_without_a_clock', 4);

// holds: seeing.wall-clock
returns('recorded_with_a_clock', 30);

// holds: threads.cannot-wait
returns('a_full_inlet_times_out', 1);
