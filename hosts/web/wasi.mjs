// Runs a program for wasm32-wasip1: `node wasi.mjs PROGRAM ARGUMENTS...`, with the files of this machine.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...others] = process.argv.slice(2);
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...others],
    env: process.env,
    preopens: { '/': '/' },
    returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
