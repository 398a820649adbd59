/** The order in which each user has views, own and shared ones: a list of ids for each account. */
import { type Collection, type Core, internalCollection, ObjectId } from '../../core.ts';
import { badValue } from '../../errors/errors.ts';

/** Ids in the order of one user. */
export const maxOrdered = 1000;
export const orderRule = `must be a list of at most ${maxOrdered} different ids of views`;

interface OrderRow {
  /** Of the user. */
  readonly _id: ObjectId;
  readonly ids: readonly string[];
}

/** The place of a view in the order of a user, from 0; null for one that it does not have. */
export type PlaceOf = (id: string) => number | null;

export const viewOrders = (core: Core): ViewOrders => new ViewOrders(core);

export class ViewOrders {
  readonly #rows: Collection<OrderRow>;

  constructor({ services }: Core) {
    this.#rows = internalCollection(services.registry, '_view_order');
  }

  async places(user: string): Promise<PlaceOf> {
    const row = await this.#rows.findOne({ _id: new ObjectId(user) });
    const places = new Map(row?.ids.map((id, at) => [id, at]));
    return (id) => places.get(id) ?? null;
  }

  /** Replaces the order of a user. The ids are not looked at: one that the user does not see has no effect. @throws 400 */
  async set(user: string, ids: readonly string[]): Promise<void> {
    if (new Set(ids).size < ids.length) throw badValue('order', 'uniqueItems', orderRule);
    await this.#rows.updateOne({ _id: new ObjectId(user) }, { $set: { ids } }, { upsert: true });
  }
}
