/** Documents as they were at a time. */
import type { ModelActor, PastDocuments } from '../../context.ts';
import { deletedDocument, Failure, unknownDocument } from '../../errors/errors.ts';
import type { Row } from '../../models/mongoose.ts';
import type { ShapedDocument } from '../../policy/shaped.ts';
import type { PastIntent } from '../../read/contract.ts';
import { hasHistory } from './model-options.ts';
import { entryAtTime, oldestEntry, type Subject, subjectOf } from './reading.ts';
import type { State } from './states.ts';
import { documentThen, isReadable } from './visible.ts';

export const historyReader: PastDocuments = {
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
