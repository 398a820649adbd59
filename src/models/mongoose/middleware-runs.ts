/**
 * Which requests run the middleware of a model file, and which give its rules the document. test/models/middleware-runs.test.ts sends each
 * request of the table, and compares.
 */
import type { ModelEntry } from '../entry.ts';
import { mongooseSchema } from '../fields/mongoose-keys.ts';
import type { DocumentRule } from './document-rules.ts';
import { adviceFor, isOfMongoose } from './idle-middleware.ts';
import { type OwnMiddleware, registrationsOf, reportedMiddleware, titleOf } from './save-hooks.ts';
import { placesOf } from './schema-places.ts';

/**
 * What a request does with a document that runs code of the schema. `load` and `show`: makes a document of a stored one, to change it or for
 * virtuals and getters. `save`, `validate`: of a document. `update`: Mongoose's `findOneAndUpdate`. `prepare`: the same, for many updates in
 * one command, so that no `post` runs.
 */
type Step = 'load' | 'show' | 'save' | 'validate' | 'update' | 'prepare';

type Steps = readonly Step[];
type StepsOf = (model: ModelEntry) => Steps;

const change: StepsOf = ({ changesBySave }) => (changesBySave ? ['load', 'save'] : ['update']);
const create: StepsOf = ({ createsBySave }) => (createsBySave ? ['save'] : ['validate']);
/** Users that arrive with others are never saved: their passwords are hashed before, which their middleware often does as well. */
const fill: StepsOf = (model) => (model.name === 'user' ? ['validate'] : create(model));
const replace: StepsOf = ({ changesBySave }) => (changesBySave ? ['load', 'save'] : ['validate']);
const none: StepsOf = () => [];
const shown =
  (steps: StepsOf): StepsOf =>
  (model) => [...steps(model), ...(model.computed ? (['show'] as const) : [])];

/** The requests that read or write documents of a model, by their names in the guides. */
export const requests = {
  GET: shown(none),
  '/query': shown(none),
  '/csv': shown(none),
  POST: shown(create),
  PUT: shown(change),
  PATCH: shown(change),
  'PUT ?on= (new)': shown(create),
  'PUT ?on= (stored)': shown(change),
  '/update': shown(() => ['load', 'save']),
  DELETE: none,
  '/batch': shown((model) => [...create(model), ...change(model)]),
  'bulk insert': create,
  'bulk update': ({ changesBySave }) => (changesBySave ? ['load', 'save'] : ['prepare']),
  'bulk upsert': ({ changesBySave }) => (changesBySave ? ['load', 'save'] : ['prepare', 'validate']),
  'bulk replace': replace,
  'bulk replace (new)': (model) => (model.changesBySave ? create(model) : ['validate']),
  'bulk delete': none,
  '/setup/data': fill,
  'import (new)': fill,
  'import (stored)': ({ name, changesBySave }) =>
    changesBySave && name !== 'user' ? ['load', 'save'] : ['load', 'validate'],
  'import (export)': () => ['validate'],
  '/count': none,
  '/distinct': none,
  '/aggregate': none,
} as const satisfies Readonly<Record<string, StepsOf>>;

export type RequestName = keyof typeof requests;

/** Whether a step runs a middleware. @param isNested of nested documents, which only documents have */
function runs(step: Step, { name, when, ofDocuments, ofQueries }: OwnMiddleware, isNested: boolean): boolean {
  const isUpdate = ofQueries && !isNested && (name === 'findOneAndUpdate' || name === 'validate');
  const tests: Readonly<Record<Step, boolean>> = {
    load: ofDocuments && name === 'init',
    show: ofDocuments && name === 'init',
    save: ofDocuments && (name === 'save' || name === 'validate'),
    validate: ofDocuments && name === 'validate',
    update: isUpdate,
    prepare: isUpdate && when === 'pre',
  };
  return tests[step];
}

/** A middleware of a model file. */
export interface MiddlewareRuns {
  /** As it is registered, such as `pre('save')`. */
  readonly title: string;
  /** The path of the nested documents that have it. */
  readonly path?: string;
  /** The requests that run it; `start` for what a start of the server runs. */
  readonly runs: readonly (RequestName | 'start')[];
  /** Where no request runs it: what to use. */
  readonly instead?: string;
}

/** All middleware of a model file, at any depth and of discriminators: once each, and once for all functions that no request runs it for. */
export function middlewareRuns(model: ModelEntry): readonly MiddlewareRuns[] {
  const found = new Map<string, MiddlewareRuns>();
  for (const { schema, prefix } of placesOf(model.schema[mongooseSchema])) {
    const path = prefix.slice(0, -1);
    const at = path === '' ? {} : { path };
    const idle: OwnMiddleware[] = [];
    for (const one of reportedMiddleware(schema)) {
      const key = `${path} ${one.title}`;
      const known = found.get(key)?.runs ?? [];
      const names = requestsWith(model, (step) => runs(step, one, path !== ''));
      const all = [...names, ...(one.name === 'createCollection' && path === '' ? (['start'] as const) : [])];
      if (all.length === 0) idle.push(one);
      else found.set(key, { title: one.title, ...at, runs: [...new Set([...known, ...all])] });
    }
    for (const same of registrationsOf(idle)) {
      const title = titleOf(same);
      const key = `${path} ${title}`;
      if (!found.has(key)) found.set(key, { title, ...at, runs: [], instead: insteadOf(model, same, path) });
    }
  }
  return [...found.values()];
}

/** What to use in place of middleware that no request runs. @param path of the nested documents that have it */
function insteadOf({ changesBySave }: ModelEntry, same: readonly OwnMiddleware[], path: string): string {
  const advice = path === '' ? adviceFor(same, changesBySave) : undefined;
  if (advice !== undefined) return advice;
  const names = same.map(({ name }) => name);
  if (names.some(isOfMongoose)) return 'nested documents run that of save, validate and init only';
  return `it runs where code calls ${names.join(' or ')}`;
}

const requestsWith = (model: ModelEntry, test: (step: Step) => boolean): readonly RequestName[] =>
  (Object.entries(requests) as [RequestName, StepsOf][])
    .filter(([, steps]) => steps(model).some(test))
    .map(([name]) => name);

/** A rule that reads the document, and the requests in which it gets one. */
export interface RuleRuns extends DocumentRule {
  readonly runs: readonly RequestName[];
}

export function ruleRuns(model: ModelEntry): readonly RuleRuns[] {
  const names = requestsWith(model, (step) => step === 'save' || step === 'validate');
  return model.documentRules.map((rule) => ({ ...rule, runs: names }));
}
