/** Brings the copy of a collection up to date, by `GET /changes` (docs/changes.md). */
import { DossierError } from '../error.ts';
import { filterPairs, queryOf } from '../query.ts';
import type { Transport } from '../transport.ts';
import type { Abortable } from '../types/options.ts';
import type { SyncChange, SyncStore } from './store.ts';

export interface SyncOptions<Filter, Field extends string> extends Abortable {
  /** Fields of the model itself, not those of linked documents. */
  readonly filter?: Filter;
  readonly fields?: readonly Field[];
  /** Documents or changes in one answer; 100 by default. */
  readonly limit?: number;
}

export interface SyncResult {
  /** Rows that were written or deleted; those that a walk has written again are counted too. */
  readonly changes: number;
}

/** What the position of a store says: whose copy it is and of what, and where it continues. */
interface Place {
  /** The user, unless the client has a key. */
  readonly user: string | null;
  /** The collection with the filter and the fields. */
  readonly of: string;
  /** The next page of the walk through all documents, or the position after it. */
  readonly next: { readonly after: string } | { readonly since: string };
}

interface Row<Id> {
  readonly _id: Id;
}

/** An answer of the walk, which has documents, or of what has changed since. */
type Answer<Document, Id> =
  | {
      readonly data: readonly Document[];
      readonly next_cursor?: string;
      readonly position?: string;
      readonly more?: never;
    }
  | { readonly data: readonly SyncChange<Document, Id>[]; readonly position: string; readonly more: boolean };

/** How often one call begins again, so that it ends where the server keeps answering with a 410. */
const maxBeginnings = 3;

/** @throws DossierError, and what the store throws; a later call continues where the store stands */
export async function sync<Document, Id>(
  transport: Transport,
  model: string,
  store: SyncStore<Document, Id>,
  { filter, fields = [], limit, signal }: SyncOptions<unknown, string>,
): Promise<SyncResult> {
  const pairs = pairsOf(filter);
  const path = `/changes/${encodeURIComponent(model)}`;
  const [of, { user, checkUser }] = [path + queryOf({ fields }, pairs), callerOf(transport)];
  let [changes, beginnings, begins] = [0, 0, false];
  for (;;) {
    const from = await store.position();
    const place = placeOf(from);
    if (place !== undefined && place.user !== user) {
      // what another user could read must not be seen by this one until the walk is over
      await store.clear();
      continue;
    }
    const next = begins || place?.of !== of ? undefined : place.next;
    begins = false;
    try {
      const query = queryOf({ fields, limit, ...next }, pairs);
      const answer = await transport.json<Answer<Document, Id>>({
        method: 'GET',
        path: path + query,
        signal,
        repeat: 'safe',
      });
      checkUser();
      signal?.throwIfAborted();
      const batch = batchOf(answer, next === undefined);
      if (!(await store.apply(batch.changes, JSON.stringify({ user, of, next: batch.next } satisfies Place), from)))
        continue;
      changes += answer.data.length;
      if (isWhole(answer, next === undefined)) return { changes };
    } catch (error) {
      begins = error instanceof DossierError && error.status === 410 && next !== undefined;
      if (!begins || ++beginnings > maxBeginnings) throw error;
    }
  }
}

/** Whether the copy is what a list gives: a walk of one page is one read, and needs no changes after it. */
const isWhole = ({ more, position }: Answer<unknown, unknown>, isFirst: boolean): boolean =>
  more === false || (more === undefined && isFirst && position !== undefined);

/** What an answer changes in the copy, and what is requested next. The first page of a walk marks what the copy has; its last one sweeps. */
function batchOf<Document, Id>(
  answer: Answer<Document, Id>,
  isFirst: boolean,
): { readonly changes: readonly SyncChange<Document, Id>[]; readonly next: Place['next'] } {
  if (answer.more !== undefined) return { changes: answer.data, next: { since: answer.position } };
  const { data, position, next_cursor: after = '' } = answer;
  const rows = data.map((item): SyncChange<Document, Id> => ({ event: 'put', id: (item as Row<Id>)._id, item }));
  return {
    changes: [
      ...(isFirst ? [{ event: 'mark' } as const] : []),
      ...rows,
      ...(position === undefined ? [] : [{ event: 'sweep' } as const]),
    ],
    next: position === undefined ? { after } : { since: position },
  };
}

/** @throws TypeError for a filter that an address cannot express */
function pairsOf(filter: unknown): NonNullable<ReturnType<typeof filterPairs>> {
  const pairs = filterPairs(filter);
  if (pairs === undefined) throw new TypeError('this filter of sync is too long, or has operators of query only');
  return pairs;
}

function placeOf(text: string | undefined): Place | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Place);
}

/** The user, and a check that throws when another one has signed in meanwhile, or none. */
function callerOf(transport: Transport): { readonly user: string | null; readonly checkUser: () => void } {
  const { caller } = transport;
  const user = transport.apikey === undefined ? (caller ?? null) : null;
  const checkUser = (): void => {
    if (caller !== transport.caller)
      throw new DossierError(401, { message: 'Signed out', err: 'the session of this sync has ended' });
  };
  return { user, checkUser };
}
