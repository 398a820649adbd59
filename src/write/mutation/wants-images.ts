/** Whether writes of a model need its documents as they were: for subscribers, or for what is recorded with each write. */
import type { ModelEntry } from '../../models/entry.ts';
import type { Services } from '../../services.ts';

type Needing = Pick<Services, 'bus' | 'recorders'>;

export const wantsImages = ({ bus, recorders }: Needing, model: ModelEntry): boolean =>
  bus.wantsBefore(model) || isRecorded({ recorders }, model);

/** Whether a recorder needs every write of a model, with both images of its documents. */
export const isRecorded = ({ recorders }: Pick<Services, 'recorders'>, model: ModelEntry): boolean =>
  recorders.some((one) => one.needsBoth?.(model));
