/** Reads the stored images of documents in the unit of work of a write. */
import type { ModelEntry } from '../../models/entry.ts';
import { type ClientSession, type Collection, modelOf, type Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import type { Images, UnitOfWork } from '../contract.ts';
import { byId } from './bulk-outcome.ts';

/** What a read or a write belongs to. */
export interface InUnit {
  readonly unit?: UnitOfWork | undefined;
}

/** Options of a command in a unit of work. */
export const sessionOf = ({ unit }: InUnit): { session?: ClientSession } =>
  unit?.session === undefined ? {} : { session: unit.session };

export const collectionOf = (model: ModelEntry): Collection => modelOf(model).collection;

export const imageOf = async (model: ModelEntry, filter: Filter, writer: InUnit): Promise<Row | undefined> =>
  (await collectionOf(model).findOne<Row>(filter, sessionOf(writer))) ?? undefined;

/** The documents of a filter. */
export const imagesOf = async (model: ModelEntry, filter: Filter, writer: InUnit): Promise<Images> =>
  byId(await collectionOf(model).find<Row>(filter, sessionOf(writer)).toArray());

export const idsOf = (images: Images): readonly unknown[] => [...images.values()].map(({ _id }) => _id);

/** The documents with these ids. */
export const rowsOf = async (model: ModelEntry, ids: readonly unknown[], writer: InUnit): Promise<Row[]> =>
  await collectionOf(model)
    .find({ _id: { $in: ids } } as Filter, { batchSize: ids.length + 1, ...sessionOf(writer) })
    .toArray();
