/**
 * The embedded store in a process of its own, so that it is reached as another engine is. Prints its URL when it is ready.
 * With a folder as its argument it keeps its data there. BUILT_STORE says where its compiled program is; else the sources are run.
 */
import type * as Store from '../src/index.ts';

const [dir] = process.argv.slice(2);
const { open } = (await import(process.env['BUILT_STORE'] ?? '../src/index.ts')) as typeof Store;
const store = await open({ thread: false, ...(dir === undefined ? {} : { dir }) });
process.stdout.write(`${store.url}\n`);
process.on('SIGTERM', () => void store.close().then(() => process.exit(0)));
