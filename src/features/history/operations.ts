/** Histories of documents: `/history`. */
import {
  type Answer,
  badBody,
  badParameter,
  json,
  type JsonSchema,
  letter,
  type ModelContext,
  type ModelOperation,
  type OperationGroup,
  ownCheck,
  parametersNamed,
  shapes,
  success,
} from '../../core.ts';
import { deletedDocument, unknownRevision } from '../../errors/errors.ts';
import { forget } from './forget.ts';
import { listOfDocument, listOfModel, operations as kinds } from './lists.ts';
import { hasHistory } from './model-options.ts';
import { entryOfRevision, subjectOf } from './reading.ts';
import { revert } from './revert.ts';
import { documentThen, isReadable } from './visible.ts';

const change = shapes.object(
  { path: shapes.text },
  { from: shapes.anyValue('The value before'), to: shapes.anyValue('The value after') },
);

/** Fields that some entries have. */
const rareFields = { by: shapes.id, for: shapes.id, omitted: shapes.flag };

const fields = {
  rev: shapes.integer,
  at: shapes.date,
  who: shapes.orNull(shapes.id),
  via: shapes.orNull(shapes.text),
  op: { enum: kinds },
  request_id: shapes.orNull(shapes.text),
  changes: shapes.listOf(change),
};

const pageOf = (entry: JsonSchema): JsonSchema =>
  shapes.object({ data: shapes.listOf(entry), limit: shapes.integer }, { next_cursor: shapes.text });

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
      answers: { 200: pageOf(shapes.object(fields, rareFields)) },
      run: listOfDocument,
    },
    {
      name: 'history.forget',
      http: { method: 'DELETE', path: '/history/:model/:id' },
      summary: 'Removes the history of a document; admins only',
      access: letter('d'),
      hasModel: hasHistory,
      answers: { 200: shapes.successAnswer },
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
          schema: shapes.object({ rev: ownCheck({ ...shapes.integer, minimum: 1 }) }),
          refuse: () => badBody('send {"rev": <the number of an entry>}'),
        },
        condition: 'If-Match',
      },
      conflicts: true,
      answers: {
        200: shapes.object({ ...shapes.message, kept: shapes.listOf(shapes.text) }, { data: shapes.documentMark }),
      },
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
      answers: { 200: shapes.object({ data: shapes.documentMark, rev: shapes.integer, at: shapes.date }) },
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
      answers: { 200: pageOf(shapes.object({ id: shapes.text, ...fields }, rareFields)) },
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
