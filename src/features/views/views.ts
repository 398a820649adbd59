/** The saved views of a server: who has made them, and who sees and changes them. */
import {
  changeRow,
  type Collection,
  commit,
  type Context,
  type Core,
  Failure,
  forbidden,
  insertRow,
  internalCollection,
  type ModelEntry,
  ObjectId,
  policyFor,
  removeRow,
  shapeValue,
  tooMany,
  unknownDocument,
  writerOf,
} from '../../core.ts';
import { checkNames } from './body.ts';
import type { ViewAnswer, ViewRow, ViewValues } from './contract.ts';
import type { Figure } from './figures/contract.ts';
import type { PlaceOf } from './order.ts';

/** Maximum views of one user. */
const maxViews = 200;

export const savedViews = (core: Core): SavedViews => new SavedViews(core);

/** Subscribers are notified of its writes. */
const loud = { silent: false } as const;

/** A caller with an account. */
interface Caller {
  readonly context: Context;
  readonly user: string;
}

export class SavedViews {
  readonly #rows: Collection<ViewRow>;
  readonly #model: ModelEntry;

  constructor(private readonly core: Core) {
    this.#model = core.services.registry.internal('_view');
    this.#rows = internalCollection(core.services.registry, '_view');
  }

  /** @throws 400 for too many */
  async create({ context, user }: Caller, model: string, values: ViewValues): Promise<ViewRow> {
    const writer = writerOf(context, loud);
    const now = this.core.services.clock();
    const user_id = new ObjectId(user);
    const row: ViewRow = { _id: new ObjectId(), user_id, model, ...values, created_at: now, changed_at: now };
    await commit(writer, insertRow(this.#model, row));
    // counted afterwards, so that concurrent requests cannot exceed the limit
    if ((await this.#rows.countDocuments({ user_id })) > maxViews) {
      await commit(writer, removeRow(this.#model, { _id: row._id }));
      throw tooMany('views of one user', maxViews);
    }
    return row;
  }

  /**
   * The caller's own ones, and those that are shared of models that the caller may read, the oldest first. They may be fewer than asked
   * for: shared ones that name a path which the caller may not read are left out.
   * @param after the id of the one before
   */
  async list({ context, user }: Caller, limit: number, after?: string): Promise<readonly ViewRow[]> {
    const { registry } = context.services;
    const models = registry.served.filter((one) => policyFor(context.principal, one).permits('r'));
    const filter = {
      ...(after === undefined ? {} : { _id: { $gt: new ObjectId(after) } }),
      $or: [{ user_id: new ObjectId(user) }, { shared: true, model: { $in: models.map(({ name }) => name) } }],
    };
    return this.#rows.find(filter).sort({ _id: 1 }).limit(limit).toArray();
  }

  /** One that the caller may change. @throws 403 for a shared one of others, 404 */
  async changeable(caller: Caller, id: string): Promise<ViewRow> {
    const row = await this.#rows.findOne({ _id: new ObjectId(id) });
    if (row === null || !isVisible(row, caller)) throw unknownDocument('view', id);
    if (!mayChange(row, caller)) throw forbidden('a shared view is changed by its owner and by admins');
    return row;
  }

  /** @throws 404 when it has just ended, or is no longer shared */
  async change(caller: Caller, row: ViewRow, values: Partial<ViewValues>): Promise<ViewRow> {
    const update = { $set: { ...values, changed_at: this.core.services.clock() } };
    const filter = stillChangeable(row, caller);
    const change = changeRow(this.#model, filter, update);
    const after = await commit(writerOf(caller.context, loud), change);
    if (after === null) throw unknownDocument('view', String(row._id));
    return after as unknown as ViewRow;
  }

  /** @throws 404 when it has just ended, or is no longer shared */
  async remove(caller: Caller, row: ViewRow): Promise<void> {
    const removal = removeRow(this.#model, stillChangeable(row, caller));
    if ((await commit(writerOf(caller.context, loud), removal)) === null)
      throw unknownDocument('view', String(row._id));
  }
}

const isOwn = ({ user_id }: ViewRow, { user }: Caller): boolean => user_id.toHexString() === user;

const mayChange = (row: ViewRow, caller: Caller): boolean =>
  isOwn(row, caller) || (row.shared && caller.context.principal.admin);

/** The row while the caller may change it: its owner may stop sharing it at any moment. */
const stillChangeable = (row: ViewRow, caller: Caller): Partial<ViewRow> => ({
  _id: row._id,
  ...(isOwn(row, caller) ? { user_id: row.user_id } : { shared: true }),
});

/** Whether a caller sees a view: an own one, or a shared one of which the caller may read the model and each path that it names. */
export function isVisible(row: ViewRow, caller: Caller): boolean {
  const { context } = caller;
  if (isOwn(row, caller)) return true;
  const model = context.services.registry.find(row.model);
  if (!row.shared || model === undefined || !policyFor(context.principal, model).permits('r')) return false;
  try {
    checkNames(context, model, row);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** A view as the caller sees it. */
export const viewAnswer = (row: ViewRow, caller: Caller, placeOf: PlaceOf): ViewAnswer => ({
  id: String(row._id),
  ...{ model: row.model, title: row.title, shared: row.shared },
  filter: shapeValue(row.filter == null ? null : JSON.parse(row.filter)),
  ...{ search: row.search ?? null, sort: row.sort ?? null, fields: row.fields ?? null, deleted: row.deleted ?? null },
  figure: row.figure == null ? null : (JSON.parse(row.figure) as Figure),
  ...{ own: isOwn(row, caller), may_change: mayChange(row, caller), place: placeOf(String(row._id)) },
  ...{ created_at: row.created_at, changed_at: row.changed_at },
});
