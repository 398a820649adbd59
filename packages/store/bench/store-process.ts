/**
 * The embedded store in its own process, so that it is reached like another engine. Prints its URL when it is ready. An
 * optional argument is the data folder. BUILT_STORE is the path of its compiled program; without it the sources run.
 */
import type * as Store from '../src/index.ts';

const [dir] = process.argv.slice(2);
const { open } = (await import(process.env['BUILT_STORE'] ?? '../src/index.ts')) as typeof Store;
const store = await open({ thread: false, ...(dir === undefined ? {} : { dir }) });
process.stdout.write(`${store.url}\n`);
process.on('SIGTERM', () => void store.close().then(() => process.exit(0)));
