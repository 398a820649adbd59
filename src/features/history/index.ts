/** Histories of documents: who changed what and when, documents as they were, and what becomes of deleted ones (docs/history.md). */
import type { Core, RecorderParts, Sweep } from '../../ports/parts.ts';
import { provide } from '../../ports/port.ts';
import { pastDocuments } from '../../read/ports.ts';
import type { Feature } from '../feature.ts';
import { crashGap, recorder, sweep } from '../ports.ts';
import { historyConfig } from './config.ts';
import { historyForgotten } from './forget.ts';
import { historyOption, trashOption } from './model-options.ts';
import { entryModel } from './models.ts';
import { histories } from './operations.ts';
import { historyReader } from './past.ts';
import { isPruned, Pruner } from './pruning.ts';
import { HistoryRecorder } from './recorder.ts';
import { emptyTrash, hasTrash } from './trash.ts';

/** What is removed when it is due: deleted documents, and old entries. */
function sweepOf({ services }: Core): Sweep | undefined {
  const { served } = services.registry;
  if (!served.some((model) => hasTrash(model) || isPruned(model))) return undefined;
  const pruning = new Pruner(services);
  return async (use) => {
    await emptyTrash(services, use);
    await pruning.run(use);
  };
}

const historyRecorder = (parts: RecorderParts): HistoryRecorder => new HistoryRecorder(parts);

export const history: Feature = {
  name: 'history',
  config: historyConfig,
  operations: [histories],
  modelOptions: [historyOption, trashOption],
  accountEvents: [historyForgotten],
  models: [entryModel],
  provides: [
    provide(pastDocuments, () => historyReader),
    provide(sweep, sweepOf),
    provide(crashGap, () => 'the history of documents'),
    provide(recorder, historyRecorder),
  ],
};
