/** The memory of the commands that move data does not grow with the documents: `npm run test:moving` moves a million. */
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { newFolder } from './folders.ts';

const count = Number(process.env['MOVED_DOCUMENTS'] ?? 3000);
const timeout = 60_000 + count * 5;
const maxMegabytes = 300;

const model = `import { defineModel } from 'dossier';
export default defineModel({ title: { type: String, required: true }, place: { type: String, index: true }, value: Number, note: String });
`;

function* lines(): Generator<string> {
  for (let at = 0; at < count; at++) {
    const id = `6741f1a9${at.toString(16).padStart(16, '0')}`;
    const value = { $numberDouble: `${at / 10 + 0.05}` };
    const stored = {
      _id: { $oid: id },
      title: `Reading ${at}`,
      place: `place-${at % 997}`,
      value,
      note: 'x'.repeat(150),
    };
    yield `${JSON.stringify(stored)}\n`;
  }
}

let folder: string;
beforeAll(async () => {
  folder = await newFolder();
  await mkdir(join(folder, 'models'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules/dossier'), 'junction');
  await writeFile(join(folder, 'models/reading.ts'), model);
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'reading.ndjson')));
}, timeout);

/**
 * Prints the peak memory in kilobytes when the process ends. On Linux `maxRSS` is at least the memory of the parent,
 * because it survives fork and exec: the kernel's `VmHWM` does not.
 */
const report = `
  import { readFileSync } from 'node:fs';
  const peak = () => process.platform === 'linux'
    ? /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
    : process.resourceUsage().maxRSS;
  process.on('exit', () => process._rawDebug('peak', peak()));`;

/** @returns the output of the command, and its peak memory in megabytes */
async function run(...args: string[]): Promise<{ output: string; megabytes: number }> {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(report)}`];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, resolve('bin/dossier.mjs'), ...args],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' },
    },
  );
  return { output: stdout, megabytes: Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024 };
}

test(
  'documents are imported, checked and exported in little memory',
  async () => {
    const imported = await run('import', 'reading.ndjson');
    expect(imported.output).toBe(`reading: ${count} documents\n`);
    const checked = await run('check');
    expect(checked.output).toMatch(
      new RegExp(
        `^Right reading: there are no perms.*\n(?:Advice .*\n)*Model reading \\(.*\\): changes are one atomic update\nNo faults in 2 models and ${count} documents\n$`,
      ),
    );
    const exported = await run('export', 'reading', '--out', 'out');
    expect(exported.output).toBe(`reading: ${count} documents in out/reading.ndjson\n`);
    const most = Math.max(...[imported, checked, exported].map(({ megabytes }) => megabytes));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(maxMegabytes);
  },
  timeout * 3,
);
