/** A process that opens a store in a folder, with other limits if they are given as JSON, and prints its address; tests kill it. */
import { type Limits, open } from '../../src/index.ts';

const [dir, limits = '{}'] = process.argv.slice(2);
const store = await open({
  ...(dir === undefined ? {} : { dir }),
  limits: JSON.parse(limits) as Partial<Limits>,
  onFatal: (error) => process.stderr.write(`${error.message}\n`),
});
process.stdout.write(`${store.url}\n`);
process.once('SIGTERM', () => void store.close().finally(() => process.exit()));
