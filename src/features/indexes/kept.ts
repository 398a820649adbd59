/** Missing indexes that servers have found, kept in the database: for other servers, for commands, and after a start. */
import {
  type Collection,
  type Core,
  internalCollection,
  type InternalModel,
  internalSchema,
  type Row,
  type Services,
} from '../../core.ts';
import { unlessTaken } from '../../models/database-errors.ts';
import type { SlowRead } from '../../read/contract.ts';
import type { NeededIndex } from './advice.ts';

/** Seconds after which advice is removed whose reads were not seen again: 30 days. */
const keptSeconds = 30 * 86_400;
/** Maximum advice that is kept; beyond it, what was seen least recently is removed. */
const maxKept = 200;

/** An index that is missing. `_id` is its model and its paths, `index` its paths as JSON, in their order. */
export const adviceModel = {
  name: 'index_advice',
  collection: '_dossier_index_advice',
  schema: () => {
    const schema = internalSchema({
      _id: { type: String, required: true },
      model: { type: String, required: true },
      index: { type: String, required: true },
      shape: { type: String, required: true },
      // absent in advice of earlier versions
      fixed: Number,
      first: { type: Date, required: true },
      last: { type: Date, required: true },
    });
    schema.index({ last: 1 }, { expireAfterSeconds: keptSeconds });
    return schema;
  },
} as const satisfies InternalModel;

export class AdviceStore {
  readonly #rows: Collection;

  constructor({ registry }: Pick<Services, 'registry'>) {
    this.#rows = internalCollection(registry, `_${adviceModel.name}`);
  }

  /** Keeps the advice on a slow read. @throws the driver's errors */
  async keep({ model, shape, advice, fixed, first, last }: SlowRead): Promise<void> {
    if (advice === undefined) return;
    const index = JSON.stringify(advice);
    const made = { model, index, shape, first };
    const same = { _id: `${model} ${index}` } as Row;
    // an index that serves all reads that need it must have the order of the strictest
    const update = { $set: { last }, $min: { fixed }, $setOnInsert: made };
    // another server may keep the same at this moment
    const done = await unlessTaken(() => this.#rows.updateOne(same, update, { upsert: true }));
    if (done !== undefined && done.upsertedCount > 0) await this.#prune();
  }

  /** @throws 503 */
  async list(): Promise<readonly NeededIndex[]> {
    const rows = await this.#rows.find({}, { sort: { first: 1 }, limit: maxKept }).toArray();
    return rows.map((row) => ({
      model: String(row['model']),
      index: JSON.parse(String(row['index'])) as NeededIndex['index'],
      reason: 'missing',
      for: String(row['shape']),
      since: row['first'] as Date,
      fixed: Number(row['fixed'] ?? 0),
    }));
  }

  async #prune(): Promise<void> {
    const old = this.#rows.find({}, { sort: { last: -1 }, skip: maxKept, projection: { _id: 1 } });
    const ids = (await old.toArray()).map(({ _id }) => _id);
    if (ids.length > 0) await this.#rows.deleteMany({ _id: { $in: ids } });
  }
}

export const adviceStore = ({ services }: Core): AdviceStore => new AdviceStore(services);
