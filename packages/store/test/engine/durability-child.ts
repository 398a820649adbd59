/** A process that opens a store in a folder and prints its address; the durability test kills it. */
import { open } from '../../src/index.ts';

const [dir] = process.argv.slice(2);
const store = await open({
  ...(dir === undefined ? {} : { dir }),
  onFatal: (error) => process.stderr.write(`${error.message}\n`),
});
process.stdout.write(`${store.url}\n`);
