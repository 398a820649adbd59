/** Drafts of documents: the edits of a form, and the revision that they were made on. */
import { useEffect, useState } from 'react';
import { isSecret } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { draftText, keepDraft, readDraft } from '../drafts.ts';
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

function read(key: string, { fields }: Pick<OwnModel, 'fields'>): Draft | undefined {
  try {
    const { edits, before, tag } = readDraft(key) as Kept;
    // a field may have gone since
    const known = edits.filter(([path]) => Object.hasOwn(fields, path));
    return known.length === 0 ? undefined : { edits: new Map(known), before: new Map(before), tag };
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
  return draftText({ edits: open, before: replaced, ...(tag === undefined ? {} : { tag }) } satisfies Kept);
}

/** What was kept of a form before. */
export const useDraft = (key: string, model: OwnModel): Draft | undefined => useState(() => read(key, model))[0];

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
  useEffect(() => keepDraft(key, text), [key, text]);
}
