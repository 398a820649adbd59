/** Whether writes of a model need its documents as they were: for subscribers, or for what is recorded with each write. */
import type { ModelEntry } from '../../models/entry.ts';
import type { Services } from '../../services.ts';
import type { Mutation, Recorder } from '../contract.ts';

type Needing = Pick<Services, 'bus' | 'recorders'>;

export const wantsImages = ({ bus, recorders }: Needing, model: ModelEntry): boolean =>
  bus.wantsBefore(model) || isRecorded({ recorders }, model);

/** Whether a recorder needs every write of a model, with both images of its documents. */
export const isRecorded = ({ recorders }: Pick<Services, 'recorders'>, model: ModelEntry): boolean =>
  recorders.some((one) => one.needsBoth?.(model));

/** The images of documents that recorders need: as they were, or both as they were and as they are. */
export type Wanted = 'none' | 'before' | 'both';

export function wantedBy(recorders: readonly Recorder[], { model }: Mutation): Wanted {
  if (recorders.length === 0) return 'none';
  return isRecorded({ recorders }, model) ? 'both' : 'before';
}
