/** The cases of the client in Node. */
import 'fake-indexeddb/auto';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { openLine } from '../support/broken-line.ts';
import { documents } from './cases/documents.ts';
import { histories } from './cases/histories.ts';
import { lives } from './cases/lives.ts';
import { type Redirecting, redirects } from './cases/redirects.ts';
import { retries } from './cases/retries.ts';
import { sessions } from './cases/sessions.ts';
import { syncs } from './cases/syncs.ts';
import { watches, type Watching } from './cases/watches.ts';
import { openRedirecting } from './redirecting.ts';
import { openLibrary } from './server.ts';

let given: Watching & Redirecting;
let line: Awaited<ReturnType<typeof openLine>>;
let redirecting: Awaited<ReturnType<typeof openRedirecting>>;
beforeAll(async () => {
  const opened = await openLibrary();
  line = await openLine(opened.given.url);
  redirecting = await openRedirecting();
  const watching = { line: line.url, cut: line.breakAll, cuts: Number(process.env['CLIENT_CUTS'] ?? 3) };
  given = { ...opened.given, ...watching, redirecting: redirecting.url, received: redirecting.received };
});
afterAll(() => {
  line.close();
  redirecting.close();
});

describe.each(Object.entries({ documents, sessions, retries, redirects, syncs, histories }))('%s', (_, cases) => {
  test.each(Object.entries(cases))('%s', (_name, run) => run(given));
});

describe.each([
  ['by Server-Sent Events, since Node.js 20 has no WebSocket', undefined],
  ['by a WebSocket that the program sets', WebSocket],
])('watches %s', (_, platform) => {
  const before = globalThis.WebSocket;
  beforeAll(() => void Object.assign(globalThis, { WebSocket: platform }));
  afterAll(() => void Object.assign(globalThis, { WebSocket: before }));
  test.each(Object.entries({ ...watches, ...lives }))('%s', (_name, run) => run(given));
});
