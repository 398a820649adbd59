/** What a start says about a data folder that this process cannot use, and that it leaves the folder as it is. */
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { onPosix } from '../../../../test/support/needs.ts';
import { DamagedFile, DiskFault, faultOf } from '../../src/storage/faults.ts';
import { folderFault } from '../../src/storage/folder.ts';
import { bundled, type ChildProgram } from './child-program.ts';

/** The user that the store runs as, where the tests run as root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? nobody : (process.getuid?.() ?? 0);

let program: ChildProgram;
let root: string;
/** A folder with data. */
let prepared: string;
beforeAll(() => {
  program = bundled('folder-child.ts');
  root = mkdtempSync(join(tmpdir(), 'folders-'));
  chmodSync(root, 0o755);
  prepared = mkdtempSync(join(root, 'folder-'));
  own(prepared);
  expect(start(prepared)).toBe('opened');
});
afterAll(() => {
  program.remove();
  for (const name of readdirSync(root))
    if (name !== 'file' && !name.startsWith('link')) chmodSync(join(root, name), 0o700);
  rmSync(root, { recursive: true });
});

const start = (dir: string): string => program.run(dir, isRoot ? String(nobody) : '').stdout;

/** A folder with data, which belong to the user of the store. */
function newFolder(): string {
  const dir = mkdtempSync(join(root, 'folder-'));
  cpSync(prepared, dir, { recursive: true });
  for (const path of [dir, ...readdirSync(dir).map((name) => join(dir, name))]) own(path);
  return dir;
}

function own(path: string): void {
  if (isRoot) chownSync(path, nobody, nobody);
}

/** Replaces a file by a folder. */
function makeFolder(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(path);
  own(path);
}

interface Case {
  readonly name: string;
  /** Makes the folder unusable. @returns the folder to open, where it is another one */
  readonly make: (dir: string) => string | undefined;
  /** The text, in which `DIR` stands for the folder, `ROOT` for the one around it, and `USERS` for what follows a mode. */
  readonly says: string;
}

const denied = 'this process has no permission. It belongs to the user';

const cases: readonly Case[] = [
  {
    name: 'cannot be entered',
    make: (dir) => void chmodSync(dir, 0o000),
    says: `The data folder DIR cannot be written: ${denied}`,
  },
  {
    name: 'cannot be written',
    make: (dir) => void chmodSync(dir, 0o555),
    says: `The data folder DIR cannot be written: ${denied}`,
  },
  ...['lock', 'lock.pid', 'store.db'].flatMap((file): Case[] => [
    {
      name: `has a ${file} without permissions`,
      make: (dir) => void chmodSync(join(dir, file), 0o000),
      says: `The file DIR/${file} cannot be written: ${denied}`,
    },
    {
      name: `has a ${file} that is read-only`,
      make: (dir) => void chmodSync(join(dir, file), 0o444),
      says: `The file DIR/${file} cannot be written: ${denied}`,
    },
    {
      name: `has a folder ${file}`,
      make: (dir) => void makeFolder(join(dir, file)),
      says: `DIR/${file} is a folder, where the data folder has a file.`,
    },
  ]),
  ...['secret', 'account.json'].map((file): Case => ({
    name: `has a ${file} that cannot be read`,
    make: (dir) => {
      writeFileSync(join(dir, file), 'text');
      own(join(dir, file));
      chmodSync(join(dir, file), 0o000);
      return undefined;
    },
    says: `The file DIR/${file} cannot be read: ${denied}`,
  })),
  {
    name: 'has a lock that is another file',
    make: (dir) => void writeFileSync(join(dir, 'lock'), 'a text that is not a database'.repeat(100)),
    says: 'The file DIR/lock is not a lock of a data folder. It has no data: remove it, and start again.',
  },
  {
    name: 'is a file',
    make: () => {
      writeFileSync(join(root, 'file'), '');
      return join(root, 'file');
    },
    says: 'The data folder ROOT/file is a file.',
  },
  {
    name: 'is below a file',
    make: () => join(root, 'file', 'data'),
    says: 'The data folder ROOT/file/data cannot be created: ROOT/file is a file.',
  },
  {
    name: 'is a link to nothing',
    make: () => {
      symlinkSync(join(root, 'nothing'), join(root, 'link'));
      return join(root, 'link');
    },
    says: 'The data folder ROOT/link is a link to a path that does not exist.',
  },
  {
    name: 'cannot be created',
    make: (dir) => {
      chmodSync(dir, 0o555);
      return join(dir, 'data', 'store');
    },
    says: `The data folder DIR/data/store cannot be created: DIR cannot be written: ${denied}`,
  },
];

function check({ make, says }: Case): void {
  const folder = newFolder();
  const said = start(make(folder) ?? folder);
  expect(said.replaceAll(folder, 'DIR').replaceAll(root, 'ROOT')).toContain(says);
  expect(said).not.toMatch(/damaged|move it away|start empty/);
  if (says.includes(denied))
    expect(said).toMatch(
      new RegExp(
        `belongs to the user ${user} and the group \\d+ with the mode [0-7]{3}; the process runs as the user ${user} with the groups [\\d, ]+\\. Change the owner or the mode, or run it as another user\\.$`,
      ),
    );
}

for (const one of cases) onPosix(`a data folder that ${one.name}`, () => Promise.resolve(check(one)));

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

test('a system error without an obstacle names the folder, and a full disk is called full', () => {
  const folder = newFolder();
  expect(folderFault(folder, systemError('ENOSPC')).message).toBe(`The disk of the data folder ${folder} is full.`);
  expect(folderFault(folder, systemError('EMFILE')).message).toBe(
    `The data folder ${folder} cannot be used: EMFILE: it failed.`,
  );
  const other = new Error('another error');
  expect(folderFault(folder, other)).toBe(other);
});

test('an extended code of SQLite is that of the disk or of the content', () => {
  // a folder that is read-only, a damaged file system, a damaged index
  for (const [code, kind] of [
    [1544, DiskFault],
    [8458, DiskFault],
    [779, DamagedFile],
  ] as const)
    expect(faultOf('store.db', systemError(`UNKNOWN_SQLITE_ERROR_${code}`))).toBeInstanceOf(kind);
});
