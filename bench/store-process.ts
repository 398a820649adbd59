/** The embedded store in a process of its own, so that both servers reach it the same way. Prints its URL. */
import { open } from '../src/store/index.ts';

const store = await open({ thread: false });
process.stdout.write(`${store.url}\n`);
process.on('SIGTERM', () => void store.close().then(() => process.exit(0)));
