/** Removes soft-deleted documents permanently when their time in the trash is over, with their histories. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  commit,
  type Filter,
  type ModelActor,
  type ModelEntry,
  modelOf,
  type ObjectId,
  type Row,
  type Services,
} from '../../core.ts';
import { userData } from '../../ports/core.ts';
import type { SweepUse } from '../../ports/parts.ts';
import { operatorOn } from '../../transfer/operator.ts';
import { sessionOf } from '../../write/commit.ts';
import { deletionsWith, removeRecordsOf } from '../../write/deletions.ts';
import { isRefusedByReaction } from '../../write/mutation/reactions.ts';
import type { Writer } from '../../write/mutation/writer.ts';
import { transaction } from '../../write/transaction.ts';
import { trashOption } from './model-options.ts';
import { trashOrigin } from './recorder.ts';

/** Documents that are removed together: others write meanwhile. */
export const batchSize = 500;

export const hasTrash = ({ options }: ModelEntry): boolean => options.added.valueOf(trashOption) !== undefined;

export async function emptyTrash(services: Services, use: SweepUse): Promise<void> {
  const trash = new Trash(services, use);
  for (const model of linkingFirst(services.registry.served.filter(hasTrash)))
    if (!use.signal.aborted) await trash.empty(model);
}

/** The models, those that link to others first, as far as links are in no circle. */
function linkingFirst(models: readonly ModelEntry[]): readonly ModelEntry[] {
  const left = [...models];
  const ordered: ModelEntry[] = [];
  while (left.length > 0) {
    const isLinked = ({ name }: ModelEntry): boolean =>
      left.some((other) => other.name !== name && other.links.some((link) => !link.stamp && link.model === name));
    const next = left.findIndex((model) => !isLinked(model));
    ordered.push(...left.splice(Math.max(0, next), 1));
  }
  return ordered;
}

/** A deleted document, and when it was deleted. */
interface Deleted {
  readonly _id: unknown;
  readonly updatedAt: Date;
}

class Trash {
  readonly #now: Date;
  readonly #reported = new Set<string>();

  constructor(
    private readonly services: Services,
    private readonly use: SweepUse,
  ) {
    this.#now = services.clock();
  }

  async empty(model: ModelEntry): Promise<void> {
    let last: Deleted | undefined;
    while (!this.use.signal.aborted) {
      const due = await this.#dueAfter(model, last);
      last = due.at(-1);
      if (last === undefined) return;
      const held = await this.#removeDeletedWith(model, due);
      await this.#remove(
        model,
        due.filter(({ _id }) => !held.has(String(_id))).map(({ _id }) => _id),
        { updatedAt: { $lte: this.#dueBefore(model) } },
      );
      await nextTurn();
    }
  }

  /** Documents that were deleted before this time are due. */
  #dueBefore({ options }: ModelEntry): Date {
    return new Date(this.#now.getTime() - (options.added.valueOf(trashOption) ?? Infinity));
  }

  #dueAfter(model: ModelEntry, last: Deleted | undefined): Promise<readonly Deleted[]> {
    const due = { _deleted: true, updatedAt: { $lte: this.#dueBefore(model) } };
    const after =
      last === undefined
        ? {}
        : {
            $or: [{ updatedAt: { $gt: last.updatedAt } }, { updatedAt: last.updatedAt, _id: { $gt: last._id } }],
          };
    const found = modelOf(model).collection.find<Deleted>({ $and: [due, after] } as Filter, {
      projection: { updatedAt: 1 },
      sort: { updatedAt: 1, _id: 1 },
      limit: batchSize,
    });
    return found.toArray();
  }

  /**
   * Removes what a cascade has deleted with documents, before these.
   * @returns the ids of documents that stay, because something that was deleted with them is not due yet
   */
  async #removeDeletedWith(model: ModelEntry, due: readonly Deleted[]): Promise<ReadonlySet<string>> {
    const held = new Set<string>();
    const roots = due.map(({ _id }) => _id);
    for (const { root, of, ids, at } of await deletionsWith(operatorOn(this.services, model), roots)) {
      const other = this.services.registry.served.find(({ name }) => name === of);
      if (other === undefined || !hasTrash(other)) continue;
      if (at > this.#dueBefore(other)) held.add(String(root));
      else
        for (let from = 0; from < ids.length; from += batchSize)
          await this.#remove(other, ids.slice(from, from + batchSize), { updatedAt: at });
    }
    return held;
  }

  /** @param state that documents must still have: another caller may have restored them */
  async #remove(model: ModelEntry, ids: readonly unknown[], state: Filter): Promise<void> {
    if (ids.length === 0) return;
    const filter = { _id: { $in: ids }, _deleted: true, ...state };
    try {
      const removed = this.use.dryRun === true ? await rowsOf(model, filter) : await this.#removeRows(model, filter);
      for (const { _id } of removed) this.#report(model.name, String(_id));
    } catch (error) {
      if (!isRefusedByReaction(error)) throw error;
      await this.#removeOthers(model, ids, state, error);
    }
  }

  /** Removes those documents of which no reaction refuses the removal. */
  async #removeOthers(model: ModelEntry, ids: readonly unknown[], state: Filter, error: unknown): Promise<void> {
    if (ids.length === 1)
      return this.services.log.error(
        `${model.name} ${String(ids[0])} stays in the trash: its removal is refused`,
        error,
      );
    const half = Math.ceil(ids.length / 2);
    for (const part of [ids.slice(0, half), ids.slice(half)]) await this.#remove(model, part, state);
  }

  /** A document that stays, because nothing is removed, is found once more with its cascade. */
  #report(model: string, id: string): void {
    const key = `${model} ${id}`;
    if (this.use.onRemoved === undefined || this.#reported.has(key)) return;
    this.#reported.add(key);
    this.use.onRemoved({ model, id });
  }

  #removeRows(model: ModelEntry, filter: Filter): Promise<readonly Row[]> {
    const { services } = this;
    const writer: Writer = { services, user: undefined, origin: { via: trashOrigin }, silent: true };
    return transaction(writer, async (inner) => {
      const before = await rowsOf(model, filter, inner);
      const ids = before.map(({ _id }) => _id);
      await commit(inner, {
        kind: 'remove',
        model,
        filter: { $and: [filter, { _id: { $in: ids } }] },
        many: { before },
      });
      if (model.name === 'user') await services.of(userData).removeAll(ids as ObjectId[], inner);
      const actor: ModelActor = { ...operatorOn(services, model), unit: inner.unit };
      await removeRecordsOf(actor, ...ids);
      return before;
    });
  }
}

const rowsOf = async (model: ModelEntry, filter: Filter, unit: Pick<Writer, 'unit'> = {}): Promise<readonly Row[]> =>
  await modelOf(model)
    .collection.find(filter, { batchSize: batchSize + 1, ...sessionOf(unit) })
    .toArray();
