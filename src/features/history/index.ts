/** Histories of documents: who changed what and when, documents as they were, and what becomes of deleted ones (docs/history.md). */
import type { PastDocuments } from '../../context.ts';
import {
  type Core,
  crashGap,
  Failure,
  type Feature,
  type ModelActor,
  provide,
  recorder,
  type RecorderParts,
  type Row,
  unknownDocument,
} from '../../core.ts';
import { deletedDocument } from '../../errors/errors.ts';
import type { ShapedDocument } from '../../policy/shaped.ts';
import type { Sweep } from '../../ports/parts.ts';
import type { PastIntent } from '../../read/contract.ts';
import { pastDocuments } from '../../read/ports.ts';
import { sweep } from '../ports.ts';
import { historyConfig } from './config.ts';
import { historyForgotten } from './forget.ts';
import { hasHistory, historyOption, trashOption } from './model-options.ts';
import { entryModel } from './models.ts';
import { histories } from './operations.ts';
import { isPruned, Pruner } from './pruning.ts';
import { entryAtTime, oldestEntry, type Subject, subjectOf } from './reading.ts';
import { HistoryRecorder } from './recorder.ts';
import type { State } from './states.ts';
import { emptyTrash, hasTrash } from './trash.ts';
import { documentThen, isReadable } from './visible.ts';

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

const historyReader: PastDocuments = {
  keeps: hasHistory,
  async at(actor, intent) {
    const subject = await subjectOf(actor, intent.id);
    const state = await stateAt(actor, subject, intent.time);
    return documentOf(actor, subject, state, intent);
  },
};

/** @throws 404 before the document existed, 410 where entries are gone */
async function stateAt(actor: ModelActor, subject: Subject, time: Date): Promise<State> {
  const last = await entryAtTime(actor, subject, time);
  if (last !== undefined) return last.after;
  const first = await oldestEntry(actor, subject);
  if (first === undefined) throw gone(actor, subject);
  const { before } = first;
  if (before === 'none') return before;
  // the document as it was since its last change that no entry has
  return typeof before === 'object' ? stateOfBase(before, time) : 'unknown';
}

function stateOfBase(base: Readonly<Row>, time: Date): State {
  const [created, updated] = [base['createdAt'], base['updatedAt']];
  if (created instanceof Date && created > time) return 'none';
  return updated instanceof Date && updated <= time ? base : 'unknown';
}

function documentOf(
  actor: ModelActor,
  subject: Subject,
  state: State,
  { showDeleted, fields }: PastIntent,
): ShapedDocument {
  const { name } = actor.model;
  if (state === 'unknown') throw gone(actor, subject);
  if (!isReadable(subject, state)) throw unknownDocument(name, subject.id);
  if (state['_deleted'] === true && !showDeleted) throw deletedDocument(name, subject.id);
  return documentThen(subject, state, fields);
}

const gone = ({ model }: ModelActor, { id }: Subject): Failure =>
  new Failure(410, 'History gone', `the history of ${model.name} ${id} does not reach back to this time`);
