/** The client of the server that serves this page. */
import { createClient, DossierError } from 'dossier-client';
import { notedFetch } from './connection.ts';
import type { Models } from './document.ts';
import { tabStorage } from './tab-storage.ts';
import { reportingFetch } from './written.ts';

/** The address of the API: that of the page without `/console`, whatever a proxy puts in front. */
export const apiUrl = new URL('.', window.location.href).href.replace(/\/$/, '');

export const client = createClient<Models>({
  url: apiUrl,
  storage: tabStorage(window.sessionStorage, new BroadcastChannel('dossier session')),
  fetch: reportingFetch(apiUrl, notedFetch),
});

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

/** The text of an error for the person at the screen. */
export const textOf = (error: unknown): string =>
  error instanceof DossierError ? (error.status === 0 ? 'The server does not answer.' : error.err) : String(error);

/** The id of the request that has failed; undefined without an answer. */
export const requestOf = (error: unknown): string | undefined =>
  error instanceof DossierError ? error.requestId : undefined;

export const statusOf = (error: unknown): number => (error instanceof DossierError ? error.status : 0);
