/** The client of the server that serves this page. */
import { createClient, DossierError } from 'dossier-client';
import { hasWork } from '../leaving.ts';
import { endSignInAgain, signInAgain } from '../session/again.ts';
import { notedFetch } from './connection.ts';
import type { Models } from './document.ts';
import { TabStorage } from './tab-storage.ts';
import { reportingFetch } from './written.ts';

/** The address of the API: that of the page without `/console`, whatever a proxy puts in front. */
export const apiUrl = new URL('.', window.location.href).href.replace(/\/$/, '');

/** Runs work while no other tab does, where the browser has locks: on pages over TLS, and of this machine. */
const alone = (work: () => Promise<void>): Promise<void> =>
  (navigator as Partial<Pick<Navigator, 'locks'>>).locks?.request('dossier session', work) ?? work();

const storage = new TabStorage(`dossier ${apiUrl}`, window.sessionStorage, {
  channel: new BroadcastChannel(`dossier ${apiUrl}`),
  get all() {
    return window.localStorage;
  },
  alone,
  received: () => {
    endSignInAgain();
    changed();
  },
  signedOut: () => void leave(),
});

export const client = createClient<Models>({
  url: apiUrl,
  storage,
  fetch: reportingFetch(apiUrl, notedFetch),
  sessionEnded: () =>
    signInAgain(Date.parse(storage.tokens?.refresh_token_expires ?? '') < Date.now() ? 'expired' : 'ended'),
});

const changed = (): void => void client.dispatchEvent(new Event('session'));

/** Ends the session of this tab, since the user has signed out in another one. A page with unsaved work stays for the user to sign in. */
async function leave(): Promise<void> {
  const before = storage.getItem();
  if (hasWork()) await signInAgain('signed out');
  if (storage.getItem() !== before) return;
  storage.removeItem();
  changed();
}

/** Signs out, in all tabs. */
export async function signOut(): Promise<void> {
  const { user } = client;
  try {
    await client.logout();
  } finally {
    if (user !== undefined) storage.signOut(user);
  }
}

/** Takes the session of another tab, if there is one. */
export const sharedSession: Promise<void> = storage.mayBeShared ? storage.ask() : Promise.resolve();

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with a query string; undefined values are left out. */
export function pathOf(path: string, query: Values = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Sends a request and reads its answer as JSON. @throws DossierError */
export async function send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  return (await (await client.request(path, { method, body })).json()) as Answer;
}

/** Pages that are read at most of a list that is shown as a whole. */
const maxPages = 10;

/** All rows of a list that has pages, up to 1000. @throws DossierError */
export async function allRows<Row>(path: string): Promise<readonly Row[]> {
  const all: Row[] = [];
  let after: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const answer = await send<RowPage<Row>>('GET', pathOf(path, { limit: 100, after }));
    all.push(...answer.data);
    after = answer.next_cursor;
    if (after === undefined) break;
  }
  return all;
}

interface RowPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string;
}

/** The text of an error for the person at the screen. */
export const textOf = (error: unknown): string =>
  error instanceof DossierError ? (error.status === 0 ? 'The server does not answer.' : error.err) : String(error);

/** The id of the request that has failed; undefined without an answer. */
export const requestOf = (error: unknown): string | undefined =>
  error instanceof DossierError ? error.requestId : undefined;

export const statusOf = (error: unknown): number => (error instanceof DossierError ? error.status : 0);
