/** The image of the Dockerfile, built and run: `npm run test:image`, since building takes minutes. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildImage, canBuild, configOf, Container, type ImageConfig } from '../support/buildah.ts';
import { send } from '../support/client.ts';
import { freePort } from '../support/ports.ts';

const isWanted = process.env['IMAGE'] === 'true' && canBuild();
const title = 'the image (npm run test:image, as root, with buildah and debootstrap)';

/** The limit for the bytes on top of the base image. */
const maxBytes = 60 * 1024 * 1024;

const model = `import { defineModel } from 'dossier';
export default defineModel({ title: { type: String, required: true } }, { perms: { all: 'crud' } });
`;

(isWanted ? describe : describe.skip)(title, () => {
  let config: ImageConfig;
  let image: string;
  let container: Container;
  let folder: string;
  let port: number;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    image = await buildImage();
    config = await configOf(image);
    folder = await mkdtemp(join(tmpdir(), 'dossier-image-'));
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'models'));
    await writeFile(join(folder, 'models/book.ts'), model);
    await mkdir(join(folder, 'data'), { mode: 0o700 });
    await chown(join(folder, 'data'), 1000, 1000);
    port = await freePort();
    const environment = { PORT: String(port), SHARED_SECRET: 'a text that only this container has 0123456789' };
    const volumes = [`${folder}/models:/app/models:ro`, `${folder}/data:/data`];
    container = await Container.of(image, environment, volumes);
  }, 1_800_000);

  afterAll(async () => {
    server?.kill('SIGKILL');
    await container.remove();
    await rm(folder, { recursive: true });
  });

  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

  /** Starts the server with the image's entry point, and waits until it listens. */
  async function start(): Promise<void> {
    const process = container.start([...config.Entrypoint, ...config.Cmd]);
    server = process;
    for await (const line of createInterface({ input: process.stdout! })) if (/listens on/.test(line)) return;
    throw new Error('the server has ended before it listened');
  }

  const pid = async (): Promise<number> => Number(await readFile(join(folder, 'data/lock.pid'), 'utf8'));

  /** Stops the server like a runtime: by a signal to the process of the container. @returns the exit code */
  async function stop(): Promise<number | null> {
    const ended = once(server!, 'exit') as Promise<[number | null]>;
    process.kill(await pid(), 'SIGTERM');
    const [code] = await ended;
    return code;
  }

  const healthCheck = (): Promise<string> => {
    const [kind, ...command] = config.Healthcheck.Test;
    expect(kind).toBe('CMD');
    return container.run(command);
  };

  test('is small, and contains the packed packages without sources and development dependencies', async () => {
    const root = await container.mount();
    const modules = join(root, 'app/node_modules');
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Readonly<Record<string, { readonly dev?: boolean }>>;
    };
    const development = Object.keys(packages).filter((path) => packages[path]?.dev === true);
    expect(development).toContain('node_modules/typescript');
    expect(development.filter((path) => existsSync(join(root, 'app', path)))).toEqual([]);
    const shipped = await readdir(modules);
    for (const name of shipped.filter((one) => one.startsWith('dossier'))) {
      const found = await readdir(join(modules, name));
      expect({ name, sources: found.filter((one) => /^(src|test|bench|scripts|node_modules)$/.test(one)) }).toEqual({
        name,
        sources: [],
      });
    }
    expect((await readdir(join(root, 'app'))).sort()).toEqual(['models', 'node_modules']);
    const size = Number((await container.run(['du', '-sb', '/app'])).split('\t')[0]);
    expect(size).toBeLessThan(maxBytes);
  });

  test('does not run as root, and only its folders of data and backups are writable', async () => {
    expect(config.User).toBe('node');
    expect(await container.run(['id', '-u'])).toBe('1000');
    const skipped = ['/proc', '/sys', '/dev'].flatMap((path) => ['-path', path, '-o']).slice(0, -1);
    const writable = ['find', '/', '(', ...skipped, ')', '-prune', '-o', '-type', 'd', '-writable', '-print'];
    const found = await container.run(['sh', '-c', `${writable.map((one) => `'${one}'`).join(' ')} 2>/dev/null; true`]);
    // without the temporary folders of the base image and the home of the user
    const own = found.split('\n').filter((path) => !/^\/(tmp|var\/tmp|run\/lock|home\/node)(\/|$)/.test(path));
    expect(own.sort()).toEqual(['/backups', '/data']);
  });

  test('serves, is healthy, stops in an orderly way, and keeps its data until the next start', async () => {
    await expect(healthCheck()).rejects.toMatchObject({ code: 1 });
    await start();
    await healthCheck();
    expect((await send('GET', url('/health'))).status).toBe(200);
    expect((await readFile(`/proc/${await pid()}/status`, 'utf8')).match(/^Uid:\s+(\d+)/m)?.[1]).toBe('1000');
    expect((await send('POST', url('/api/book'), { body: { title: 'Emma' } })).status).toBe(201);
    expect(await stop()).toBe(0);
    await start();
    const { body } = await send('GET', url('/api/book'));
    expect(body).toMatchObject({ data: [{ title: 'Emma' }] });
    expect(await stop()).toBe(0);
  }, 180_000);

  test('runs the other commands too', async () => {
    const command = [...config.Entrypoint, 'check', '--json'];
    expect(JSON.parse(await container.run(command))).toMatchObject({ ok: true, documents: 1 });
  });
});
