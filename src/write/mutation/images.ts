/** The stored images of documents: which of them a write needs, and how they are read in its unit of work. */
import type { ModelEntry } from '../../models/entry.ts';
import { type ClientSession, type Collection, modelOf, type Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import type { Services } from '../../services.ts';
import type { Images, Recorder, UnitOfWork } from '../contract.ts';
import { byId } from './mutation-list.ts';

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

type Needing = Pick<Services, 'bus' | 'recorders'>;

/** Whether writes of a model need its documents as they were: for subscribers, or for what is recorded with each write. */
export const wantsImages = ({ bus, recorders }: Needing, model: ModelEntry): boolean =>
  bus.wantsBefore(model) || isRecorded({ recorders }, model);

/** Whether a recorder needs every write of a model, with both images of its documents. */
export const isRecorded = ({ recorders }: Pick<Services, 'recorders'>, model: ModelEntry): boolean =>
  recordersOf(recorders, model).some((one) => one.needsBoth?.(model));

const known = new WeakMap<readonly Recorder[], WeakMap<ModelEntry, readonly Recorder[]>>();

/** The recorders that may need a write of a model. */
export function recordersOf(recorders: readonly Recorder[], model: ModelEntry): readonly Recorder[] {
  const ofModels = known.get(recorders) ?? new WeakMap<ModelEntry, readonly Recorder[]>();
  known.set(recorders, ofModels);
  const found = ofModels.get(model) ?? recorders.filter((one) => one.mayNeed?.(model) !== false);
  ofModels.set(model, found);
  return found;
}

/** Whether it runs code of the project. */
export const isReaction = (recorder: Recorder): boolean => recorder.react !== undefined;

/** The images of documents that recorders need: as they were, or both as they were and as they are. */
export type ImageNeed = 'none' | 'before' | 'both';

export function neededImages(recorders: readonly Recorder[], model: ModelEntry): ImageNeed {
  if (recorders.length === 0) return 'none';
  return isRecorded({ recorders }, model) ? 'both' : 'before';
}
