/** Histories of documents: who changed what and when, documents as they were, and what becomes of deleted ones (docs/history.md). */
import type { Feature, RecorderParts } from '../feature.ts';
import { historyConfig } from './config.ts';
import { historyForgotten } from './forget.ts';
import { historyOption, trashOption } from './model-options.ts';
import { entryModel } from './models.ts';
import { histories } from './operations.ts';
import { past } from './past.ts';
import { HistoryRecorder } from './recorder.ts';
import { sweepOf } from './sweep.ts';

const historyRecorder = (parts: RecorderParts): HistoryRecorder => new HistoryRecorder(parts);

export const history: Feature = {
  name: 'history',
  ...historyConfig,
  operations: [histories],
  past,
  modelOptions: [historyOption, trashOption],
  accountEvents: [historyForgotten],
  sweep: sweepOf,
  incompleteAfterCrash: 'the history of documents',
  models: [entryModel],
  recorders: [historyRecorder],
};
