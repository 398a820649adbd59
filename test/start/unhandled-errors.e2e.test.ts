/**
 * Errors that the code of models and of the config leaves behind, in a started process: the request is answered, a log line names
 * what is known, and the service continues. What the server itself did wrong ends it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../support/client.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { programOf } from '../support/programs.ts';
import { until } from '../support/waiting.ts';

const ofServer = pathToFileURL(resolve('dist/main.js')).href;

/** Each kind of code that a model may have leaves an error behind, where the label names it. */
const thing = `import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { Schema } from 'mongoose';
const perms = { all: 'crud' };
const late = (message) => new Promise((_done, failed) => setTimeout(() => failed(new Error(message)), 5));
const label = { type: String, validate: (value) => { if (value === 'validator') void late('validator failed'); return true; } };
const callable_statics = { dropped: 'r', thrown: 'r', emitted: 'r', refused: 'r', text: 'r', ofServer: 'r', pid: 'r' };
const schema = new Schema({ label }, { perms, callable_statics });
schema.statics.recount = async () => { throw new Error('recount failed'); };
schema.pre('save', function () { if (this.label === 'pre') void late('pre failed'); });
schema.post('save', function () {
  if (this.label === 'post') this.constructor.recount();
  if (this.label === 'write') void this.constructor.create({ label: { no: 'text' } });
});
schema.statics.dropped = function () { void this.recount(); return 1; };
schema.statics.thrown = () => { setTimeout(() => { throw new Error('thrown late'); }, 5); return 1; };
schema.statics.emitted = () => { setImmediate(() => new EventEmitter().emit('error', new Error('emitted'))); return 1; };
schema.statics.refused = () => { connect(1, '127.0.0.1'); return 1; };
schema.statics.text = () => { void Promise.reject('a text'); return 1; };
schema.statics.pid = () => process.pid;
schema.statics.ofServer = () => {
  const stack = 'Error: of the server\\n    at work (${ofServer}:1:1)';
  setTimeout(() => { throw Object.assign(new Error('of the server'), { stack }); }, 5);
  return 1;
};
void late('thing loaded');
export default schema;`;

const config = `const late = async (message) => { await null; throw new Error(message); };
void Promise.reject(new Error('config loaded'));
export default {
  pre_hooks: { post: (req, res, next) => { if (req.body.label === 'pre hook') hooked(); next(); } },
  post_hooks: { post: (req) => { if (req.body.label === 'post hook') void late('post hook failed'); } },
};
async function hooked() { throw new Error('pre hook failed'); }`;

type Line = Readonly<Record<string, unknown>> & {
  readonly err?: { readonly message: string; readonly stack?: string };
};

const unhandledIn = (server: ServerProcess): Line[] =>
  server
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('not handled'))
    .map((line) => JSON.parse(line) as Line);

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-unhandled-'));
  models = await writeModels({ thing });
  await writeFile(join(folder, 'dossier.config.mjs'), config);
});
afterAll(async () => {
  await models.remove();
  await rm(folder, { recursive: true });
});

const start = (workers: string, args: readonly string[]): Promise<ServerProcess> =>
  startProcess(
    { MODELS_DIR: models.folder, DATA_DIR: join(folder, `data-${workers}-${args.join()}`), WORKERS: workers },
    [],
    { program: resolve(programOf('src/main.ts')), args, folder },
  );

const post = (label: string) => ['/api/thing', { label }, 201] as const;
const call = (name: string) => [`/call/thing/${name}`, {}, 200] as const;

const left: readonly (readonly [string, readonly [string, object, number], Line])[] = [
  ['recount failed', post('post'), { model: 'thing', at: expect.stringMatching(/recount.*thing\.ts:\d+/) }],
  ['pre failed', post('pre'), { model: 'thing' }],
  ['validator failed', post('validator'), { model: 'thing' }],
  ['thing validation failed', post('write'), {}],
  ['recount failed', call('dropped'), { model: 'thing' }],
  ['thrown late', call('thrown'), { model: 'thing' }],
  ['emitted', call('emitted'), { model: 'thing' }],
  ['connect ECONNREFUSED', call('refused'), {}],
  ['string', call('text'), {}],
  [
    'pre hook failed',
    post('pre hook'),
    { hook: 'pre_hooks.post', at: expect.stringMatching(/hooked.*config\.mjs:\d+/) },
  ],
  ['post hook failed', post('post hook'), { at: expect.stringMatching(/late.*config\.mjs:1\)/) }],
];

describe.each([
  ['one process', '1', ['start']],
  ['two workers', '2', ['start']],
  ['dossier dev', '1', ['dev']],
] as const)('%s', (name, workers, args) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await start(workers, args);
    if (server.url === '') throw new Error(server.printed());
  });
  afterAll(() => server.stop());

  test('logs what the loading of files has left behind', async () => {
    const messages = (): unknown[] => unhandledIn(server).map(({ err }) => err?.message);
    await until(() => ['thing loaded', 'config loaded'].every((text) => messages().includes(text)), server.printed);
  });

  test.each(left)('continues after: %s (%j)', async (message, [path, body, status], known) => {
    const before = unhandledIn(server).length;
    expect((await send('POST', server.url + path, { body })).status).toBe(status);
    const lines = (): Line[] => unhandledIn(server).slice(before);
    const isOf = ({ err }: Line): boolean => err?.message.includes(message) === true;
    await until(() => lines().some(isOf), server.printed);
    expect(lines().find(isOf)).toMatchObject({
      ...known,
      level: 'error',
      count: expect.any(Number),
      msg: expect.stringMatching(/the service continues$/),
    });
    expect((await send('GET', `${server.url}/health`)).status).toBe(200);
  });

  test('ends after a fault of its own', async () => {
    const pid = async (): Promise<unknown> =>
      (await send('POST', `${server.url}/call/thing/pid`, { body: {} })).body['data'];
    // the end may come before the answer
    await send('POST', `${server.url}/call/thing/ofServer`, { body: {} }).catch(() => undefined);
    await until(() => server.printed().includes('the process ends'), server.printed);
    if (workers === '2') {
      await until(() => /worker [12] ended with code 1/.test(server.printed()), server.printed);
      // a kept connection to the ended worker fails
      await until(async () => typeof (await pid().catch(() => undefined)) === 'number', server.printed);
    } else if (name === 'one process') expect(await server.ended).toBe(1);
  });
});
