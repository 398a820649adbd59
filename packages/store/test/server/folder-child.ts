/**
 * Opens a store in a folder and prints the reason if it does not open. As root it becomes another user first, because the system lets root
 * read and write every file.
 */
import { open } from '../../src/index.ts';

const [dir = '', uid = ''] = process.argv.slice(2);
if (uid !== '') {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
void open({ dir, thread: false })
  .then((store) => store.close().then(() => 'opened'))
  .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  .then((text) => process.stdout.write(text));
