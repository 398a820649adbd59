/**
 * The packages as npm packs them, installed into an empty folder: unpacked into `node_modules`, beside links to the dependencies that
 * their `package.json` declares, which the repository has. So it needs no network, takes a second, and an undeclared dependency or file
 * is missing as it would be for a user. With PACKED_INSTALL=npm, npm installs them from its registry (test/long.env).
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const shell = process.platform === 'win32';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

interface Tarball {
  readonly name: string;
  readonly file: string;
}

export interface Packed {
  readonly tarballs: readonly Tarball[];
  /** Installs the packages into a folder. */
  readonly installInto: (folder: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Builds and packs the root and all workspaces. */
export async function packAll(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-packed-'));
  await run(npm, ['run', 'build'], { shell });
  const flags = [
    '--ignore-scripts',
    '--json',
    '--workspaces',
    '--include-workspace-root',
    '--pack-destination',
    folder,
  ];
  const { stdout } = await run(npm, ['pack', ...flags], { shell, maxBuffer: 1e8 });
  const packed = Object.values(JSON.parse(stdout) as Readonly<Record<string, { name: string; filename: string }>>);
  const tarballs = packed.map(({ name, filename }) => ({ name, file: join(folder, filename) }));
  const install = process.env['PACKED_INSTALL'] === 'npm' ? installByNpm : installByLinks;
  return {
    tarballs,
    installInto: (target) => install(tarballs, target),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function installByNpm(tarballs: readonly Tarball[], folder: string): Promise<void> {
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run(npm, ['install', ...flags, ...tarballs.map(({ file }) => file)], { cwd: folder, shell });
}

async function installByLinks(tarballs: readonly Tarball[], folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  const manifests = await Promise.all(tarballs.map((tarball) => unpack(tarball, modules)));
  const own = new Set(tarballs.map(({ name }) => name));
  const declared = new Set(manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies)));
  for (const name of declared) {
    if (own.has(name)) continue;
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve('node_modules', name), join(modules, name), 'junction');
  }
  for (const { name, bin = {} } of manifests)
    for (const [command, file] of Object.entries(bin)) {
      await chmod(join(modules, name, file), 0o755);
      await symlink(join('..', name, file), join(modules, '.bin', command), 'file');
    }
}

/** @returns its `package.json` */
async function unpack({ name, file }: Tarball, modules: string): Promise<Manifest> {
  const target = join(modules, name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
  return JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as Manifest;
}
