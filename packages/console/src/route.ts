/** The views of the console in the part of the address behind `#`, such as `#/documents/film?sort=-year`. */
import { useSyncExternalStore } from 'react';
import { onMove, shownHash } from './leaving.ts';

export interface Place {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** A typed part of an address may not be validly encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Values = Readonly<Record<string, string | undefined>>;

/** The address of a view. Empty values are left out. */
export function hrefOf(path: readonly string[], query: Values = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** The last part of the address of a form for a new document. */
export const newPart = 'new';

/** The path of a document's view. One whose id is that of a form has one part more. */
export const documentPath = (model: string, id: string | number): readonly string[] => [
  ...['documents', model, String(id)],
  ...(id === newPart ? ['document'] : []),
];

export function go(path: readonly string[], query: Values = {}): void {
  window.location.hash = hrefOf(path, query);
}

/** The address of this view with other values of its query; undefined removes one. */
export function changedHref(values: Values): string {
  const { path, query } = placeOf(window.location.hash);
  return hrefOf(path, { ...Object.fromEntries(query), ...values });
}

/** Changes values of the query of this view; undefined removes one. */
export function change(values: Values): void {
  window.location.hash = changedHref(values);
}

/** The view that is shown. */
export const usePlace = (): Place => placeOf(useSyncExternalStore(onMove, shownHash));
