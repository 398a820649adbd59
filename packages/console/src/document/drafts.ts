/**
 * Edits that survive a reload of the tab, and the end of the session: kept in the tab's storage, for the user, the model and the document,
 * until they are saved or discarded. Passwords are never kept.
 */
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import { isSecret } from '../api/fields.ts';
import type { Edits } from './edits.ts';

export interface Draft {
  readonly edits: Edits;
  /** The values that they replace, as far as these are known: by path. */
  readonly before: Edits;
  /** The entity tag of the document that was edited; undefined for a new one. */
  readonly tag: string | undefined;
}

interface Kept {
  readonly edits: Entries;
  readonly before: Entries;
  readonly tag?: string;
}

type Entries = readonly (readonly [path: string, value: unknown])[];

/** @param id undefined for a new document */
export const draftKey = (model: string, id: string | undefined): string =>
  JSON.stringify(['dossier.draft', client.user, model, id ?? null]);

function read(key: string): Draft | undefined {
  try {
    const { edits, before, tag } = JSON.parse(window.sessionStorage.getItem(key) ?? '') as Kept;
    return { edits: new Map(edits), before: new Map(before), tag };
  } catch {
    // none, or one of another version of the console
    return undefined;
  }
}

/** The text that is kept of edits; undefined where there are none. */
function textOf({ edits, before, tag }: Draft): string | undefined {
  const open = [...edits].filter(([path, value]) => !isSecret(path) && value !== undefined);
  if (open.length === 0) return undefined;
  const replaced = open.filter(([path]) => before.has(path)).map(([path]) => [path, before.get(path) ?? null] as const);
  const kept: Kept = { edits: open, before: replaced, ...(tag === undefined ? {} : { tag }) };
  return JSON.stringify(kept, (name, value: unknown) => (isSecret(name) ? undefined : value));
}

function keep(key: string, text: string | undefined): void {
  const { sessionStorage } = window;
  sessionStorage.removeItem(key);
  if (text === undefined) return;
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // without room the edits live as long as the page
  }
}

/** What was kept of a form before. */
export const useDraft = (key: string): Draft | undefined => useState(() => read(key))[0];

interface Beginning {
  /** The edits that were kept, with what they replace; undefined where there are none, or where the document is as it was. */
  readonly stale: Draft | undefined;
  /** Ends what was kept, as the edits are discarded or saved. */
  readonly end: () => void;
}

/** @param tag of the document as it is now: another user may have changed it since the edits */
export function useBeginning(draft: Draft | undefined, tag: string | undefined): Beginning {
  const [stale, setStale] = useState(draft?.tag === tag ? undefined : draft);
  return { stale, end: () => setStale(undefined) };
}

/** Keeps the edits of a form while it has any. */
export function useKept(key: string, draft: Draft): void {
  const text = textOf(draft);
  useEffect(() => keep(key, text), [key, text]);
}

/** Ends what is kept of a form that is left. */
export const dropDraft = (key: string): void => keep(key, undefined);
