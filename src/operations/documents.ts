/** Documents and counts: `/api`, `/update`, `/count`. */
import type { ModelContext } from '../context.ts';
import { fieldsOrOperators } from '../docs/openapi/advanced.ts';
import { documentAnswer, positionedPage, replaceAnswer } from '../docs/openapi/answers.ts';
import {
  anyValue,
  changeMark,
  count as number,
  documentMark,
  type JsonSchema,
  listOf,
  mapOf,
  message,
  newDocumentMark,
  object,
  text,
} from '../docs/openapi/shapes.ts';
import { badParameter } from '../errors/errors.ts';
import type { ShapedDocument } from '../policy/shaped.ts';
import { parametersNamed, positionedParameters } from '../query/parameter-table.ts';
import { aggregate } from '../read/aggregate.ts';
import { planDistinct } from '../read/distinct.ts';
import { explainCount, explainList, explainPipeline } from '../read/explain.ts';
import * as read from '../read/index.ts';
import { create } from '../write/create.ts';
import { change } from '../write/edit.ts';
import { jsonPatchOperations, maxPatchOperations } from '../write/patch/json-patch.ts';
import { jsonPatchType, mergePatchType } from '../write/patch/media-types.ts';
import { patch } from '../write/patch/patch.ts';
import type { WriteAnswer } from '../write/perform.ts';
import { remove } from '../write/remove.ts';
import { upsert } from '../write/upsert.ts';
import { type Answer, bytes, creationAnswer, data, json, success } from './answer.ts';
import { type Input, letter, type ModelOperation, type OperationGroup } from './operation.ts';
import { withExplain } from './reading/explain.ts';
import { countIntent, distinctIntent, documentIntent, listIntent, pastIntent } from './reading/intents.ts';
import { positionFor } from './reading/position.ts';
import { changeIntent, patchIntent, removeIntent, upsertIntent, valuesIntent } from './write-intents.ts';

/** RFC 7396: `null` removes a field. */
const mergePatch: JsonSchema = { type: 'object', additionalProperties: {} };

/** RFC 6902, 4. */
const jsonPatch: JsonSchema = {
  ...listOf({
    type: 'object',
    required: ['op', 'path'],
    properties: { op: { enum: jsonPatchOperations }, path: text, from: text, value: {} },
  }),
  maxItems: maxPatchOperations,
};

const writeParameters = parametersNamed('password_override', '_silence');
const changing: Input = {
  query: [...writeParameters, ...parametersNamed('_cascade')],
  body: { schema: changeMark },
  condition: 'If-Match',
};

const saving = (name: ModelOperation['name'], method: 'PUT' | 'POST', summary: string): ModelOperation => ({
  name,
  http: { method, path: '/update/:model/:id' },
  summary,
  access: letter('u'),
  hook: 'update',
  writesDocument: true,
  input: changing,
  conflicts: true,
  answers: { 200: replaceAnswer },
  run: async (context) => changedAnswer(context, await change(context, changeIntent(context), true)),
});

export const documents: OperationGroup = {
  title: 'Documents',
  operations: [
    {
      name: 'documents.get',
      http: { method: 'GET', path: '/api/:model/:id' },
      summary: 'Reads a document',
      access: letter('r'),
      hook: 'getOne',
      input: {
        query: parametersNamed('populate', 'autopopulate', 'showDeleted', 'fields', 'at'),
        condition: 'If-None-Match',
      },
      failures: [410],
      answers: { 200: object({ data: documentMark }) },
      run: async (context) =>
        context.query['at'] === undefined
          ? bytes(await read.one(context, documentIntent(context)))
          : data(await documentAt(context)),
    },
    withExplain(
      {
        name: 'documents.list',
        http: { method: 'GET', path: '/api/:model' },
        summary: 'Lists documents',
        access: letter('r'),
        readsMany: true,
        hook: 'get',
        input: { query: positionedParameters, condition: 'If-None-Match' },
        answers: { 200: positionedPage },
        run: async (context) => {
          const intent = listIntent(context, context.grant.policy);
          const position = context.query['position'] === undefined ? undefined : await positionFor(context);
          return bytes(await read.list(context, intent, position));
        },
      },
      (context) => explainList(context, listIntent(context, context.grant.policy)),
    ),
    {
      name: 'documents.create',
      http: { method: 'POST', path: '/api/:model' },
      summary: 'Creates a document',
      access: letter('c'),
      hook: 'post',
      writesDocument: true,
      input: { query: writeParameters, body: { schema: newDocumentMark } },
      conflicts: true,
      answers: { 201: documentAnswer },
      run: async (context) => createdAnswer(context, await create(context, valuesIntent(context))),
    },
    {
      name: 'documents.upsert',
      http: { method: 'PUT', path: '/api/:model' },
      summary: 'Creates a document, or changes the one with the same unique values',
      access: { kind: 'perOperation', letters: ['c', 'u'] },
      hook: 'upsert',
      writesDocument: true,
      input: {
        query: [...parametersNamed('on'), ...writeParameters],
        body: { schema: newDocumentMark },
        condition: 'If-Match',
      },
      conflicts: true,
      failures: [410],
      answers: { 200: replaceAnswer, 201: documentAnswer },
      run: async (context) => {
        const done = await upsert(context, upsertIntent(context));
        return done.isNew ? createdAnswer(context, done) : changedAnswer(context, done);
      },
    },
    {
      name: 'documents.change',
      http: { method: 'PUT', path: '/api/:model/:id' },
      summary: 'Changes the given fields',
      access: letter('u'),
      hook: 'put',
      writesDocument: true,
      input: changing,
      conflicts: true,
      answers: { 200: replaceAnswer },
      run: async (context) => changedAnswer(context, await change(context, changeIntent(context))),
    },
    {
      name: 'documents.patch',
      http: { method: 'PATCH', path: '/api/:model/:id' },
      summary: 'Changes fields, by operators, a merge patch or a JSON Patch',
      access: letter('u'),
      hook: 'patch',
      writesDocument: true,
      input: {
        query: writeParameters,
        body: { schema: fieldsOrOperators, types: { [mergePatchType]: mergePatch, [jsonPatchType]: jsonPatch } },
        condition: 'If-Match',
      },
      conflicts: true,
      answers: { 200: replaceAnswer },
      run: async (context) => changedAnswer(context, await patch(context, patchIntent(context))),
    },
    {
      name: 'documents.delete',
      http: { method: 'DELETE', path: '/api/:model/:id' },
      summary: 'Deletes a document, softly by default',
      access: letter('d'),
      hook: 'delete',
      writesDocument: true,
      input: { query: parametersNamed('_permaDelete', '_cascade', '_silence'), condition: 'If-Match' },
      // `_cascade` may delete thousands of documents
      isMultiStep: true,
      conflicts: true,
      answers: { 200: object({ ...message, deleted: mapOf(number), unlinked: mapOf(number) }) },
      run: async (context) =>
        success(`${context.model.name} deleted`, { ...(await remove(context, removeIntent(context))) }),
    },
    saving('documents.save', 'PUT', 'Loads, changes and saves a document'),
    saving('documents.saveByPost', 'POST', 'Loads, changes and saves a document, as PUT does'),
    withExplain(
      {
        name: 'documents.count',
        http: { method: 'GET', path: '/count/:model' },
        summary: 'Counts documents',
        access: letter('r'),
        readsMany: true,
        hook: 'count',
        input: { query: parametersNamed('filter', 'showDeleted') },
        answers: { 200: object({ count: number }) },
        run: async (context) => json({ count: await read.count(context, countIntent(context)) }),
      },
      (context) => explainCount(context, countIntent(context)),
    ),
    withExplain(
      {
        name: 'documents.distinct',
        http: { method: 'GET', path: '/distinct/:model/:path' },
        summary: 'Lists the values of a field, the most frequent first',
        access: letter('r'),
        readsMany: true,
        hook: 'distinct',
        input: { query: parametersNamed('filter', 'search', 'limit', 'showDeleted') },
        answers: { 200: object({ data: listOf(object({ value: anyValue('A value of the field'), count: number })) }) },
        run: async (context) => bytes(await aggregate(context, await planDistinct(context, distinctIntent(context)))),
      },
      async (context) => explainPipeline(context, await planDistinct(context, distinctIntent(context))),
    ),
  ] satisfies readonly ModelOperation[],
};

/** The document as it was at a time. @throws 400 for a model without history */
async function documentAt(context: ModelContext): Promise<ShapedDocument> {
  const { model, past } = context;
  if (past?.keeps(model) !== true) throw badParameter('at', `${model.name} has no history`);
  return past.at(context, pastIntent(context));
}

function createdAnswer({ model, services }: ModelContext, { id, data }: WriteAnswer): Answer {
  const base = services.settings.api_url ?? '';
  return creationAnswer(`${base}/api/${model.name}/${encodeURIComponent(id)}`, `${model.name} created`, data);
}

const changedAnswer = ({ model }: ModelContext, { data, ignored }: WriteAnswer): Answer =>
  success(`${model.name} updated`, {
    ...(data === undefined ? {} : { data }),
    ...(ignored === undefined ? {} : { ignored }),
  });
