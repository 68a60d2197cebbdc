// Runs test programs for wasm32-wasip1, and compares what fails with a list:
//
//     node suite.mjs FOLDER LIST            # what fails and is not in the list is an error
//     node suite.mjs FOLDER LIST --write    # runs everything, and writes the list, with reasons
//
// A panic ends a program there. Then it is started again with the tests that it has not come to. A line of
// the list is `PROGRAM TEST`; what is listed is not run. A name in the list that no program has is an
// error.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, list, mode] = process.argv.slice(2);
const writes = mode === '--write';
const wasi = fileURLToPath(new URL('wasi.mjs', import.meta.url));

function run(file, args) {
    const node = ['--no-warnings', '--stack-size=4000', wasi, file, ...args];
    const { stdout, stderr, status, error } = spawnSync(process.execPath, node, {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        timeout: 600_000,
    });
    return { stdout: stdout ?? '', stderr: `${stderr ?? ''}${error ?? ''}`, status };
}

// The newest file of each program.
function programs() {
    const newest = new Map();
    for (const name of readdirSync(folder)) {
        const [, program] = /^(.+)-[0-9a-f]{16}\.wasm$/.exec(name) ?? [];
        if (program === undefined) continue;
        const file = join(folder, name);
        const time = statSync(file).mtimeMs;
        if (time > (newest.get(program)?.time ?? 0)) newest.set(program, { program, file, time });
    }
    return [...newest.values()].sort((one, other) => (one.program < other.program ? -1 : 1));
}

// Why a test fails, by what its program says last when that is not captured.
function reason(file, test) {
    const { stdout, stderr } = run(file, ['--exact', '--nocapture', test]);
    const output = stdout + stderr;
    if (/failed to spawn thread|not supported on this platform/.test(output)) return 'It needs a thread, a process or a clock that is not there.';
    if (/Maximum call stack|stack overflow/.test(output)) return 'It needs a deeper stack.';
    if (/memory allocation of|capacity overflow/.test(output)) return 'It needs more memory than there is in 32 bits.';
    if (/panicked at |resume_unwind/.test(output)) return 'It panics, which ends a program there; the test catches the panic or expects it.';
    return 'It fails without a panic, or only where output is captured.';
}

const passed = [];
const ignored = [];
const failed = [];
const listed = new Map();
for (const line of readFileSync(list, 'utf8').split('\n')) {
    const [program, test] = line.split(' ');
    if (!test || line.startsWith('#')) continue;
    if (!listed.has(program)) listed.set(program, new Set());
    listed.get(program).add(test);
}

for (const { program, file } of programs()) {
    const lines = run(file, ['--list', '--format', 'terse']).stdout.split('\n');
    const tests = lines.filter((line) => line.endsWith(': test')).map((line) => line.slice(0, -6));
    const expected = listed.get(program) ?? new Set();
    let left = writes ? tests : tests.filter((test) => !expected.delete(test));
    const counts = [passed.length, failed.length];
    while (left.length > 0) {
        const { stdout, stderr } = run(file, ['--exact', '--test-threads=1', ...left]);
        const over = new Set();
        for (const [, test, what] of stdout.matchAll(/^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/gm)) {
            over.add(test);
            if (what === 'ok') passed.push(`${program} ${test}`);
            if (what === 'ignored') ignored.push(`${program} ${test}`);
            if (what === 'FAILED') failed.push({ file, program, test, output: stdout });
        }
        const behind = left.filter((test) => !over.has(test));
        // The first of those that have no result was running when the program ended.
        const [ended] = behind;
        if (ended !== undefined) failed.push({ file, program, test: ended, output: stderr });
        left = behind.slice(1);
    }
    console.log(`${program}: ${passed.length - counts[0]} passed, ${failed.length - counts[1]} failed`);
}

console.log(`${passed.length} passed, ${failed.length} failed, ${ignored.length} ignored`);
if (writes) {
    const before = readFileSync(list, 'utf8').split('\n');
    const head = before.slice(0, before.findIndex((line) => !line.startsWith('#')));
    const by = new Map();
    for (const { file, program, test } of failed) {
        const why = reason(file, test);
        by.set(why, [...(by.get(why) ?? []), `${program} ${test}`]);
    }
    const groups = [...by].sort().map(([why, tests]) => {
        const lines = tests.sort();
        console.log(`${lines.length}: ${why}`);
        return ['', `# ${why}`, ...lines];
    });
    writeFileSync(list, [...head, ...groups.flat(), ''].join('\n'));
} else {
    for (const { program, test, output } of failed) {
        console.error(`\n== ${program} ${test}\n${output.slice(-2000)}`);
    }
    const unknown = [...listed].flatMap(([program, tests]) => [...tests].map((test) => `${program} ${test}`));
    for (const name of unknown) console.error(`${list}: there is no test ${name}`);
    if (passed.length === 0) console.error(`no test in ${folder} has passed`);
    process.exitCode = failed.length + unknown.length > 0 || passed.length === 0 ? 1 : 0;
}
