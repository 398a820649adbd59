/** Removes the entries of histories that are older than the model keeps them. */
import { type Collection, internalCollection, makeYielder, type ModelEntry, type Services } from '../../core.ts';
import type { SweepUse } from '../../ports/parts.ts';
import { decodeContent, encodeContent } from './content.ts';
import { documentKey, entriesOf, rowKey } from './keys.ts';
import { historyOption } from './model-options.ts';
import { rowsName } from './models.ts';
import { wholeEvery } from './recorder.ts';
import { type EntryRow, HistoryRows } from './rows.ts';
import { lastEntry, rebuild } from './states.ts';
import { batchSize } from './trash.ts';

export const isPruned = ({ options }: ModelEntry): boolean =>
  options.added.valueOf(historyOption)?.keepMs !== undefined;

/** Milliseconds by which the clocks of servers may differ. */
const clocksMs = 60_000;

/** Until when entries of a model have been looked at: those that have become too old, and those that have been added. */
interface Progress {
  readonly cutoff: Date;
  readonly run: Date;
}

type Span = { readonly $gt?: Date; readonly $lte: Date };

export class Pruner {
  readonly #progress = new Map<string, Progress>();
  readonly #entries: Collection<EntryRow>;
  readonly #history: HistoryRows;

  constructor(private readonly services: Pick<Services, 'registry' | 'clock'>) {
    this.#history = new HistoryRows(services.registry);
    this.#entries = internalCollection(services.registry, rowsName);
  }

  async run(use: SweepUse): Promise<void> {
    for (const model of this.services.registry.served.filter(isPruned))
      if (!use.signal.aborted) await this.#prune(model, use);
  }

  async #prune(model: ModelEntry, use: SweepUse): Promise<void> {
    const { keepMs = Infinity } = model.options.added.valueOf(historyOption) ?? {};
    const run = this.services.clock();
    const cutoff = new Date(run.getTime() - keepMs);
    const last = this.#progress.get(model.name);
    // what has become too old, and documents whose new entries take the place of old ones
    await this.#examine(model, { ...(last && { $gt: last.cutoff }), $lte: cutoff }, { cutoff, use });
    if (last !== undefined)
      await this.#examine(model, { $gt: new Date(last.run.getTime() - clocksMs), $lte: run }, { cutoff, use });
    if (!use.signal.aborted && use.dryRun !== true) this.#progress.set(model.name, { cutoff, run });
  }

  async #examine(model: ModelEntry, at: Span, task: { readonly cutoff: Date; readonly use: SweepUse }): Promise<void> {
    let last: EntryRow | undefined;
    const pruned = new Set<string>();
    do {
      const below =
        last === undefined ? {} : { $or: [{ at: { $lt: last.at } }, { at: last.at, _id: { $lt: last._id } }] };
      const filter = { $and: [{ model: model.name, at }, below] };
      const rows = await this.#entries
        .find(filter, { sort: { at: -1, _id: -1 }, limit: batchSize, projection: { content: 0 } })
        .toArray();
      for (const { document } of rows) {
        if (task.use.signal.aborted || pruned.has(document)) continue;
        pruned.add(document);
        await this.#pruneDocument(model, document, task);
      }
      if (pruned.size > maxRemembered) pruned.clear();
      last = rows.at(-1);
    } while (last !== undefined && !task.use.signal.aborted);
  }

  /** Removes the entries before the first one that is kept, which becomes a whole one. */
  async #pruneDocument(
    model: ModelEntry,
    id: string,
    { cutoff, use }: { readonly cutoff: Date; readonly use: SweepUse },
  ): Promise<void> {
    const key = documentKey(model, id);
    const newest = await this.#last(entriesOf(key));
    if (newest === undefined) return;
    // nothing of a removed document is kept in any case
    const min = newest.operation === 'remove' ? 0 : (model.options.added.valueOf(historyOption)?.min ?? 1);
    const upTo = await this.#last({ ...entriesOf(key, 0, newest.rev - min), at: { $lte: cutoff } });
    if (upTo === undefined) return;
    const old = entriesOf(key, 0, upTo.rev);
    const entries =
      use.dryRun === true ? await this.#entries.countDocuments(old) : await this.#remove(key, upTo, newest);
    use.onRemoved?.({ model: model.name, id, entries });
  }

  async #remove(key: string, upTo: EntryRow, newest: EntryRow): Promise<number> {
    const isAll = upTo.rev === newest.rev;
    if (!isAll) await this.#makeWhole(key, upTo.rev + 1);
    const count = await this.#history.removeEntries(key, upTo.rev);
    if (isAll) await this.#history.removePlaceholders(key);
    return count;
  }

  /** Adds the document as it was to an entry, where reading will begin. */
  async #makeWhole(key: string, rev: number): Promise<void> {
    const rows = this.#entries.find(entriesOf(key, rev - wholeEvery, rev), { sort: { _id: 1 } });
    const first = await lastEntry(rebuild(rows, makeYielder()));
    if (first === undefined || first.row.rev !== rev || first.row.whole === true || typeof first.before !== 'object')
      return;
    const content = encodeContent({ ...decodeContent(first.row.content), before: { ...first.before } });
    await this.#entries.updateOne({ _id: rowKey(key, rev) }, { $set: { content, whole: true } });
  }

  async #last(filter: object): Promise<EntryRow | undefined> {
    const options = { sort: { _id: -1 }, projection: { content: 0 } } as const;
    return (await this.#entries.findOne(filter, options)) ?? undefined;
  }
}

/** Documents of which it is known that they have been pruned. */
const maxRemembered = 100_000;
