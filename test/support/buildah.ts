/**
 * Containers without a daemon and without a registry of images: Debian's buildah builds and runs them with chroot isolation, over a base
 * that debootstrap makes and that has this process's Node. The base and the layers stay in the folder `dossier-image` of the system's
 * folder for temporary files, so that only the first run takes minutes.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = join(tmpdir(), 'dossier-image');
const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
const chroot = ['--isolation', 'chroot'];
const baseImage = 'localhost/dossier-base';

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Whether this machine can build and run containers. */
export const canBuild = (): boolean =>
  process.platform === 'linux' && process.getuid?.() === 0 && isThere('buildah') && isThere('debootstrap');

/** @returns standard output */
async function buildah(...args: string[]): Promise<string> {
  const { stdout } = await run('buildah', [...store, ...args], { maxBuffer: 1e8 });
  return stdout.trim();
}

/** Builds the Dockerfile of the repository. @returns the name of the image */
export async function buildImage(): Promise<string> {
  await mkdir(folder, { recursive: true });
  const known = await buildah('images', '--format', '{{.Name}}');
  if (!known.split('\n').includes(baseImage)) await buildBase();
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache', '--loglevel', 'error']);
  const image = 'localhost/dossier';
  const volume = ['--volume', `${cache.trim()}:/root/.npm`];
  const base = ['--build-arg', `NODE_IMAGE=${baseImage}`];
  await buildah('bud', ...chroot, '--layers', '--format', 'docker', ...base, ...volume, '--tag', image, resolve('.'));
  return image;
}

/** A minimal Debian with Node, npm and the user `node`, as the official image of Node has them. */
async function buildBase(): Promise<void> {
  const root = await mkdtemp(join(folder, 'base-'));
  try {
    await run('debootstrap', ['--variant=minbase', 'bookworm', root, 'http://deb.debian.org/debian'], {
      maxBuffer: 1e8,
    });
    await cp(process.execPath, join(root, 'usr/local/bin/node'));
    const npm = 'lib/node_modules/npm';
    await cp(join(dirname(process.execPath), '..', npm), join(root, 'usr/local', npm), { recursive: true });
    await symlink(`../${npm}/bin/npm-cli.js`, join(root, 'usr/local/bin/npm'));
    await run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
    const file = join(folder, 'Basefile');
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    await writeFile(file, `FROM scratch\nCOPY . /\nENV ${path}\n`);
    await buildah('bud', ...chroot, '--file', file, '--tag', baseImage, root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What an image says about its containers. */
export interface ImageConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export async function configOf(image: string): Promise<ImageConfig> {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', image)) as {
    Docker: { config: ImageConfig };
  };
  return Docker.config;
}

/** A container of an image; its commands run as the user of the image. */
export class Container {
  private constructor(
    private readonly name: string,
    private readonly flags: readonly string[],
  ) {}

  /** @param volumes `from:to`, as buildah has them */
  static async of(image: string, environment: Readonly<Record<string, string>>, volumes: readonly string[]) {
    const variables = Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`);
    return new Container(await buildah('from', image), [...variables, ...volumes.map((one) => `--volume=${one}`)]);
  }

  /** Runs a command to its end. @throws when it fails @returns standard output */
  run(command: readonly string[]): Promise<string> {
    return buildah(...this.#arguments(command));
  }

  start(command: readonly string[]): ChildProcess {
    return spawn('buildah', [...store, ...this.#arguments(command)], { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Its files, from outside. */
  mount(): Promise<string> {
    return buildah('mount', this.name);
  }

  async remove(): Promise<void> {
    await buildah('rm', this.name);
  }

  #arguments = (command: readonly string[]): string[] => ['run', ...chroot, ...this.flags, this.name, '--', ...command];
}
