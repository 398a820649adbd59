/** `dossier backup` and `dossier restore`: copies of the data folder, also while a server uses it. */
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolder } from '../../adapters/make-folder.ts';
import { withProgress } from '../progress.ts';
import { printLine, type Terminal } from '../terminal.ts';

interface Flags {
  readonly json?: true;
}

export const backupCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('backup')
    .description('Writes a consistent copy of the embedded store into a new file, also while a server uses it')
    .argument('<file>', 'the new file, which only its owner can read')
    .option('--json', 'print the result as JSON')
    .action((file: string, flags: Flags) => backup(file, flags, terminal));

export const restoreCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('restore')
    .description('Puts a backup in place of the data in DATA_DIR, and keeps what was there')
    .argument('<file>', 'the file that dossier backup has written')
    .option('--json', 'print the result as JSON')
    .action((file: string, flags: Flags) => restore(file, flags, terminal));

async function backup(file: string, { json }: Flags, terminal: Terminal): Promise<void> {
  const { settings, copies } = await prepare('backup');
  // a backup that is refused leaves no folder
  if (await copies.hasData(settings.data_dir)) makeFolder(dirname(resolve(file)));
  const { size } = await withProgress(terminal, 'copying', () => copies.backup(settings.data_dir, file));
  printLine(terminal.output, json === true ? JSON.stringify({ file, size }) : `${file}: ${size} bytes`);
}

async function restore(file: string, { json }: Flags, terminal: Terminal): Promise<void> {
  const { settings, copies, restoredFile } = await prepare('restore');
  const dir = settings.data_dir;
  const { kept } = await withProgress(terminal, 'checking', () => copies.restore(file, dir));
  await writeFile(restoredFile(settings), '');
  if (json === true) return printLine(terminal.output, JSON.stringify({ dir, kept }));
  printLine(
    terminal.output,
    `${dir} has the data of ${file}${kept === undefined ? '' : `; what was there is in ${kept}`}`,
  );
}

/** @returns the data folder, and the functions for it @throws Error where the data are in a MongoDB */
async function prepare(command: string) {
  const [{ storeCopies, restoredFile }, { projectLaunch }] = await Promise.all([
    import('../../database/embedded-store.ts'),
    import('../options.ts'),
  ]);
  const { settings } = await projectLaunch({});
  if (settings.mongodb_url !== undefined)
    throw new Error(
      `${command} works on the embedded store, and MONGODB_URL is set. For data of "dossier store", unset it: ` +
        `"MONGODB_URL= npx dossier ${command} <file>" with DATA_DIR as the store has it${command === 'restore' ? ', which must be stopped' : ''}. ` +
        'For MongoDB, use mongodump and mongorestore',
    );
  return { settings, copies: await storeCopies(), restoredFile };
}
