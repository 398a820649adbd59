/** Which unhandled errors end a process: decided by whose code is in the stack, which no text of a caller can change. */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { badRequest, internal } from '../../../src/errors/errors.ts';
import type { Launch } from '../../../src/start/launch.ts';
import { UnhandledErrors } from '../../../src/workers/unhandled-errors.ts';

const own = pathToFileURL(resolve('dist/chunk-ABC.js')).href;
const ofStore = pathToFileURL(resolve('packages/store/dist/index.js')).href;
const installed = '/srv/app/node_modules/dossier/dist/main.js';
const installedStore = '/srv/app/node_modules/dossier-store/dist/index.js';
const mongoose = '/srv/app/node_modules/mongoose/lib/model.js';
const ofDossier = '/srv/app/node_modules/dossier/node_modules/express/lib/router.js';
const models = resolve('models');
const model = join(models, 'thing.model.js');
const helper = '/srv/app/lib/mail.js';

/** An error with the frames, from the innermost one. */
function errorAt(frames: readonly string[], message = 'broken', error = new Error(message)): Error {
  const lines = frames.map((file) => `    at work (${file}:3:5)`);
  return Object.assign(error, { stack: [`Error: ${message}`, ...lines].join('\n') });
}

interface Received {
  readonly ends: boolean;
  readonly lines: readonly (readonly unknown[])[];
}

function receive(...errors: readonly unknown[]): Received {
  const lines: unknown[][] = [];
  const log = { error: (...line: unknown[]) => void lines.push(line) } as unknown as Launch['log'];
  const unhandled = new UnhandledErrors();
  unhandled.logTo({ log, settings: { models_dir: './models' } as Launch['settings'] });
  let ends = false;
  for (const error of errors) unhandled.receive('unhandledRejection', error, () => (ends = true));
  return { ends, lines };
}

const timer = 'node:internal/timers';

describe('an unhandled error ends the process', () => {
  test.each([
    ['the server', [own]],
    ['the server, when it called Node', [timer, own]],
    ['the server, called by a package', [own, mongoose]],
    ['the store', [ofStore, own]],
    ['an installed server', [installed, mongoose]],
    ['an installed store', [installedStore, timer]],
  ])('of %s', (_, frames) => {
    const { ends, lines } = receive(errorAt(frames));
    expect(ends).toBe(true);
    expect(lines).toEqual([[expect.stringMatching(/the process ends$/), expect.any(Error), { count: 1 }]]);
  });
});

describe('the service continues after an unhandled error', () => {
  test.each([
    ['of a model', [model, own]],
    ['of what a model calls', [helper, mongoose, model]],
    ['of the server, called by a model', [own, mongoose, model]],
    ['of a package', [mongoose, timer]],
    ['of a package that the server has called', [mongoose, own]],
    ['of a package inside of the server’s', [ofDossier, installed]],
    ['of Node alone', [timer]],
    ['without frames', []],
  ])('%s', (_, frames) => expect(receive(errorAt(frames)).ends).toBe(false));

  test.each([
    ['a failure of a request', errorAt([own], 'Bad request', badRequest('no'))],
    ['model code that does not end', errorAt([own], 'Internal error', internal(undefined))],
    ['a value that is no error', 'text'],
    ['nothing', undefined],
    ['an object with the names of an error', { stack: errorAt([own]).stack, message: 'broken' }],
    ['an error without a stack', Object.assign(new Error('broken'), { stack: undefined })],
    ['an error with another message than its stack', Object.assign(errorAt([own]), { message: 'other' })],
  ])('of %s', (_, error) => expect(receive(error).ends).toBe(false));

  test.each([
    ['with a frame of the server in its message', `no\n    at work (${own}:1:1)`],
    ['with many', Array.from({ length: 9 }, () => `    at work (${own}:1:1)`).join('\n')],
  ])('of Node, %s', (_, message) => {
    expect(receive(errorAt([timer], message)).ends).toBe(false);
    expect(receive(errorAt([mongoose], message)).ends).toBe(false);
  });
});

test('the line names the model, the place and the hook, and counts', () => {
  const inHook = `    at recount (${helper}:7:1)\n    at pre_hooks.post (${own}:1:1)`;
  const ofHook = Object.assign(new Error('broken'), { stack: `Error: broken\n${inHook}` });
  const { lines } = receive(errorAt([mongoose, model, own]), ofHook, 'text');
  expect(lines.map(([, , known]) => known)).toEqual([
    { model: 'thing', at: `work (${join('models', 'thing.model.js')}:3)`, count: 1 },
    { hook: 'pre_hooks.post', at: expect.stringMatching(/^recount \(.*mail\.js:7\)$/), count: 2 },
    { count: 3 },
  ]);
});

test('what comes before there is a log is logged first', () => {
  const messages: string[] = [];
  const unhandled = new UnhandledErrors();
  let ends = 0;
  unhandled.receive('uncaughtException', errorAt([own]), () => (ends += 1));
  expect(ends).toBe(0);
  const log = { error: (message: string) => void messages.push(message) } as unknown as Launch['log'];
  unhandled.logTo({ log, settings: { models_dir: '/nowhere' } as Launch['settings'] });
  expect(messages).toEqual(['an exception was not handled: the process ends']);
  expect(ends).toBe(1);
});
