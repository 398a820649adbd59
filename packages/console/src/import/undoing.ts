/** Undoes an import: what it has created is deleted, what it has changed is reverted, unless it was changed since. */
import type { BatchAnswer, BatchOperation, HistoryEntry } from 'dossier-client';
import { client, statusOf } from '../api/client.ts';
import { type Id, isId, valueAt } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { pathTo } from '../api/writes.ts';

/** What an undo has done. */
export interface Undone {
  readonly deleted: number;
  readonly reverted: number;
  /** Documents that stay as they are: changed since, without history, or without a right of the caller. */
  readonly kept: number;
}

interface Written {
  readonly isNew: boolean;
  /** The entity tag after the last write; undefined where the caller may not read what it consists of. */
  readonly tag: string | undefined;
  /** The ids of the requests that have written it. */
  readonly requests: readonly string[];
}

/** Documents of one batch of deletions, and those that are reverted at a time. */
const [batch, atOnce] = [100, 4];

/** Entries of a history that are read to find the one before the import. */
const maxEntries = 20;

export class Undoing {
  readonly #written = new Map<Id, Written>();
  /** Written documents of which the answer has no id. */
  #unknown = 0;
  /** Undefined before an undo. */
  undone: Undone | undefined;

  constructor(readonly model: OwnModel) {}

  /** The documents that it has written, and that are not undone. */
  get size(): number {
    return this.#written.size + this.#unknown;
  }

  /** Remembers a write that has succeeded. @param request the id of its request */
  add({ status, body }: BatchAnswer, request: string | null): void {
    const id = valueAt(body.data, '_id');
    if (!isId(id)) {
      this.#unknown++;
      return;
    }
    const before = this.#written.get(id);
    this.#written.set(id, {
      isNew: before?.isNew ?? status === created,
      tag: tagOf(body.data),
      requests: [...(before?.requests ?? []), ...(request === null ? [] : [request])],
    });
  }

  /** Can be called again after a failure: what is undone is not tried twice. @throws DossierError */
  async run(inform: () => void): Promise<void> {
    const all = [...this.#written];
    const report = (deleted: number, reverted: number): void => {
      const before = this.undone ?? { deleted: 0, reverted: 0 };
      this.undone = { deleted: before.deleted + deleted, reverted: before.reverted + reverted, kept: this.size };
      inform();
    };
    // the last first: what links to others is created after these
    const fresh = all.filter(([, { isNew }]) => isNew).reverse();
    for (let at = 0; at < fresh.length; at += batch) report(await this.#remove(fresh.slice(at, at + batch)), 0);
    const changed = this.model.history === true ? all.filter(([, { isNew }]) => !isNew) : [];
    for (let at = 0; at < changed.length; at += atOnce) {
      const part = changed.slice(at, at + atOnce);
      const done = await Promise.all(part.map(([id, written]) => this.#revert(id, written)));
      report(0, done.filter(Boolean).length);
    }
    report(0, 0);
  }

  /** @returns the number of those that were deleted */
  async #remove(part: readonly (readonly [Id, Written])[]): Promise<number> {
    const known = part.filter(([, { tag }]) => tag !== undefined);
    if (known.length === 0) return 0;
    const operations = known.map(([id, { tag = '' }]): BatchOperation => ({
      method: 'DELETE',
      path: pathTo(this.model.name, id),
      headers: { 'If-Match': tag },
    }));
    const answers = await client.batch(operations, { atomic: false });
    const gone = known.filter((_, at) => isDone(answers[at]?.status));
    for (const [id] of gone) this.#written.delete(id);
    return gone.length;
  }

  async #revert(id: Id, { tag, requests }: Written): Promise<boolean> {
    const model = client.model(this.model.name);
    try {
      if (tag === undefined) return false;
      const { data } = await model.history(id, { limit: maxEntries });
      const before = entryBefore(data, requests);
      if (before === undefined) return false;
      await model.revert(id, before.rev, { ifMatch: tag });
      this.#written.delete(id);
      return true;
    } catch (error) {
      if ([403, 404, 409, 412].includes(statusOf(error))) return false;
      throw error;
    }
  }
}

const [created, notFound] = [201, 404];

const isDone = (status = 0): boolean => (status >= 200 && status < 300) || status === notFound;

/** The tag that `If-Match` takes (docs/proxy.md). */
function tagOf(document: unknown): string | undefined {
  const [revision, changed] = [valueAt(document, '__v'), valueAt(document, 'updatedAt')];
  if (typeof revision !== 'number' || typeof changed !== 'string') return undefined;
  return `"${revision}-${Date.parse(changed)}"`;
}

/** The newest entry before those of the import, as long as nothing comes after these. */
function entryBefore(entries: readonly HistoryEntry[], requests: readonly string[]): HistoryEntry | undefined {
  const isOwn = ({ request_id }: HistoryEntry): boolean => request_id !== null && requests.includes(request_id);
  const [newest] = entries;
  return newest === undefined || !isOwn(newest) ? undefined : entries.find((entry) => !isOwn(entry));
}
