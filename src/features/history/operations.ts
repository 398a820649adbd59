/** Histories of documents: `/history`. */
import type { ModelContext } from '../../context.ts';
import {
  anyValue,
  date,
  documentMark,
  flag,
  id,
  integer,
  type JsonSchema,
  listOf,
  message,
  object,
  orNull,
  successAnswer,
  text,
} from '../../docs/openapi/shapes.ts';
import { badBody, badParameter, deletedDocument, unknownRevision } from '../../errors/errors.ts';
import { type Answer, json, success } from '../../operations/answer.ts';
import { ownCheck } from '../../operations/body-check.ts';
import { letter, type ModelOperation, type OperationGroup } from '../../operations/operation.ts';
import { parametersNamed } from '../../query/parameter-table.ts';
import { forget } from './forget.ts';
import { listOfDocument, listOfModel, operations as kinds } from './lists.ts';
import { hasHistory } from './model-options.ts';
import { entryOfRevision, subjectOf } from './reading.ts';
import { revert } from './revert.ts';
import { documentThen, isReadable } from './visible.ts';

const change = object({ path: text }, { from: anyValue('The value before'), to: anyValue('The value after') });

/** Fields that some entries have. */
const rareFields = { by: id, for: id, omitted: flag };

const fields = {
  rev: integer,
  at: date,
  who: orNull(id),
  via: orNull(text),
  op: { enum: kinds },
  request_id: orNull(text),
  changes: listOf(change),
};

const pageOf = (entry: JsonSchema): JsonSchema =>
  object({ data: listOf(entry), limit: integer }, { next_cursor: text });

export const histories: OperationGroup = {
  title: 'History',
  after: 'Documents',
  operations: [
    {
      name: 'history.list',
      http: { method: 'GET', path: '/history/:model/:id' },
      summary: 'Lists the entries of a document, the newest first',
      access: letter('r'),
      hasModel: hasHistory,
      hook: 'history',
      input: { query: parametersNamed('limit', 'after') },
      answers: { 200: pageOf(object(fields, rareFields)) },
      run: listOfDocument,
    },
    {
      name: 'history.forget',
      http: { method: 'DELETE', path: '/history/:model/:id' },
      summary: 'Removes the history of a document; admins only',
      access: letter('d'),
      hasModel: hasHistory,
      answers: { 200: successAnswer },
      run: async (context) => {
        await forget(context);
        return success('history removed');
      },
    },
    // before the path with any revision
    {
      name: 'history.revert',
      http: { method: 'POST', path: '/history/:model/:id/revert' },
      summary: 'Changes a document to what it was after an entry',
      access: letter('u'),
      hasModel: hasHistory,
      hook: 'revert',
      input: {
        query: parametersNamed('_silence'),
        body: {
          schema: object({ rev: ownCheck({ ...integer, minimum: 1 }) }),
          refuse: () => badBody('send {"rev": <the number of an entry>}'),
        },
        condition: 'If-Match',
      },
      conflicts: true,
      answers: { 200: object({ ...message, kept: listOf(text) }, { data: documentMark }) },
      run: async (context) => {
        const { data: document, kept } = await revert(context);
        return success(`${context.model.name} updated`, {
          ...(document === undefined ? {} : { data: document }),
          kept,
        });
      },
    },
    {
      name: 'history.get',
      http: { method: 'GET', path: '/history/:model/:id/:rev' },
      summary: 'Shows a document after an entry',
      access: letter('r'),
      hasModel: hasHistory,
      hook: 'history',
      answers: { 200: object({ data: documentMark, rev: integer, at: date }) },
      run: show,
    },
    {
      name: 'history.all',
      http: { method: 'GET', path: '/history/:model' },
      summary: 'Lists the entries of all documents of a model',
      access: letter('r'),
      readsMany: true,
      hasModel: hasHistory,
      hook: 'history',
      input: { query: parametersNamed('limit', 'after', 'since', 'until', 'who', 'op') },
      answers: { 200: pageOf(object({ id: text, ...fields }, rareFields)) },
      run: listOfModel,
    },
  ] satisfies readonly ModelOperation[],
};

/** @throws 404 for an entry that the caller may not see */
async function show(context: ModelContext): Promise<Answer> {
  const { model, params } = context;
  const given = params['rev'] ?? '';
  if (!/^\d{1,9}$/.test(given) || Number(given) < 1)
    throw badParameter('rev', `must be a whole number from 1, got ${JSON.stringify(given.slice(0, 40))}`);
  const subject = await subjectOf(context, params['id']);
  const rebuilt = await entryOfRevision(context, subject, Number(given));
  if (rebuilt === undefined) throw unknownRevision(model.name, subject.id, Number(given));
  const { row, before, after } = rebuilt;
  if (!isReadable(subject, after === 'none' ? before : after))
    throw unknownRevision(model.name, subject.id, Number(given));
  if (typeof after !== 'object') throw deletedDocument(model.name, subject.id);
  return json({ data: documentThen(subject, after), rev: row.rev, at: row.at.toISOString() });
}
