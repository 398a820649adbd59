/** The OpenAPI 3.1 document for one caller: the models and methods on which they have some right. */
import { packageVersion } from '../../adapters/package-root.ts';
import type { ModelEntry, ReverseLink } from '../../models/entry.ts';
import { hasObjectIds } from '../../models/fields/document-id.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import type { Interceptor } from '../../operations/interceptor.ts';
import {
  bodyOverHttp,
  type Input,
  isClosedToScopes,
  isOfModel,
  type Operation,
  type OperationGroup,
  type PlainOperation,
} from '../../operations/operation.ts';
import { mayCall, reversesFor } from '../../policy/calls.ts';
import { maySee } from '../../policy/grants.ts';
import { type Policy, policyFor } from '../../policy/policy.ts';
import { passesFor, type Principal } from '../../policy/principal.ts';
import type { ServerJson } from '../../policy/shaped.ts';
import { stage } from './advanced.ts';
import { failureComponents, failuresOf } from './failures.ts';
import { byKind, type KindSchema, ofAnyKind } from './kinds.ts';
import { exportLimit, parameterComponents } from './parameters.ts';
import { answerSchema, sentDocument, sentSchema } from './schemas.ts';
import { explainAnswer, failure, type JsonSchema, modelDescription, object, withReferences } from './shapes.ts';

export interface DocumentParts {
  readonly groups: readonly OperationGroup[];
  /** Those of the server, whose headers requests may carry. */
  readonly interceptors: readonly Interceptor[];
  readonly models: readonly ModelEntry[];
  readonly principal: Principal;
  /** The public base URL. */
  readonly url: string | undefined;
}

interface Entry {
  readonly tags: readonly string[];
  readonly [name: string]: unknown;
}

/** The operations by path and method. */
type Paths = Record<string, Record<string, Entry>>;

/** The operations described so far. */
interface Described extends Pick<DocumentParts, 'interceptors'> {
  readonly paths: Paths;
  /** The names of its operations. */
  readonly ids: Set<string>;
}

/** Makes the document in steps of a few milliseconds: one for each operation of a model, and for each model's schemas. */
export function* openApi(parts: DocumentParts): Generator<undefined, ServerJson> {
  const { groups, interceptors, models, principal, url } = parts;
  const seen = models.filter((model) => maySee(principal, model));
  const names = new Set(seen.map(({ name }) => name));
  const described: Described = { interceptors, paths: {}, ids: new Set() };
  for (const { title, operations } of groups)
    for (const operation of operations)
      for (const model of modelsOf(operation, seen, principal)) {
        for (const name of functionsOf(operation, model, principal)) add(described, operation, title, { model, name });
        yield;
      }
  const { paths } = described;
  const named = new Map(models.map((model) => [model.name, model]));
  const reversesOf = (model: ModelEntry): readonly ReverseLink[] =>
    reversesFor(principal, model, (name) => named.get(name));
  const schemas: object = { _explained: explainAnswer, _failure: failure, _model: modelDescription, _stage: stage };
  for (const model of seen) {
    Object.assign(schemas, schemasOf(policyFor(principal, model), names, reversesOf(model)));
    yield;
  }
  // built from models and tables alone: nothing here accesses documents (test/architecture/imports.test.ts)
  const document: object = {
    openapi: '3.1.0',
    info: { title: 'Dossier', version: packageVersion(), description: 'A REST interface over documents of models.' },
    servers: [{ url: url ?? '/' }],
    tags: tagsIn(paths).map((name) => ({ name })),
    paths,
    components: {
      schemas,
      parameters: parameterComponents(interceptors),
      responses: failureComponents,
      securitySchemes,
    },
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
  };
  return document as ServerJson;
}

const tagsIn = (paths: Paths): string[] => [
  ...new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags))),
];

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  apikeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  apikey: { type: 'apiKey', in: 'query', name: 'apikey' },
  jwt: { type: 'apiKey', in: 'query', name: 'jwt' },
} as const;

function schemasOf(policy: Policy, known: ReadonlySet<string>, reverses: readonly ReverseLink[]): object {
  const { name, schema } = policy.model;
  const of = (own: ModelSchema): Policy => ({ ...policy, model: { ...policy.model, schema: own } });
  const shown = (own: ModelSchema): JsonSchema => answerSchema(of(own), known, reverses);
  const created = (own: ModelSchema): JsonSchema => sentSchema(of(own), 'create');
  const changed = sentDocument(policy, 'change');
  const key = schema.kindKey;
  // callers who may not read the key cannot tell the kinds apart
  const isKeyShown = policy.shownView.shows(key) && policy.described.describes(key);
  const isKeySent = isKeyShown && policy.pathRight('c', key) !== 'none';
  const components = (isNamed: boolean, parts: Omit<KindSchema, 'schema'>): object =>
    isNamed ? byKind({ ...parts, schema }) : { [parts.name]: ofAnyKind(schema, parts.schemaFor) };
  return {
    ...components(isKeyShown, { name, title: name, schemaFor: shown, isShown: true }),
    ...components(isKeySent, {
      name: `${name}.create`,
      title: `${name} to create`,
      schemaFor: created,
      isShown: false,
    }),
    [`${name}.change`]: changed,
  };
}

/**
 * The models that have an operation; `undefined` represents an operation without a model. Empty when the caller may not use it.
 */
export function modelsOf(
  operation: Operation,
  seen: readonly ModelEntry[],
  principal: Principal,
): readonly (ModelEntry | undefined)[] {
  if (!isOfModel(operation)) return mayUse(operation, principal) ? [undefined] : [];
  const { access, requiredOption, hasModel } = operation;
  const offered = seen.filter(
    (model) =>
      hasModel?.(model) !== false && (requiredOption === undefined || model.options.advanced_queries[requiredOption]),
  );
  const letters = access.kind === 'letter' ? [access.letter] : access.letters;
  return offered.filter((model) => letters?.some((letter) => policyFor(principal, model).permits(letter)) !== false);
}

function mayUse(operation: PlainOperation, principal: Principal): boolean {
  const { access } = operation;
  const { user, admin, scopes } = principal;
  if (scopes !== undefined && isClosedToScopes(operation, scopes)) return false;
  if (access.kind === 'right') return policyFor(principal, access.model).permits(access.letter);
  if (access.kind === 'group') return passesFor(principal, access.group);
  if (access.kind === 'open') return access.isForAdmins !== true || admin;
  return access.kind === 'admin' ? admin : user !== undefined;
}

/** The functions that the caller may call by a row of `/call`; `undefined` represents any other row. */
export function functionsOf(
  { callsOn }: Operation,
  model: ModelEntry | undefined,
  principal: Principal,
): (string | undefined)[] {
  if (callsOn === undefined || model === undefined) return [undefined];
  return [...model.options.callable_statics].flatMap(([name, rule]) =>
    mayCall(principal, model, rule, callsOn) ? [name] : [],
  );
}

interface Subject {
  readonly model: ModelEntry | undefined;
  /** The function of a row of `/call`. */
  readonly name: string | undefined;
}

/** A row of `/call` as it is for one function, as far as that is described. */
function forFunction(row: Operation, { model, name = '' }: Subject): Operation {
  const { label = row.summary, input, answer } = model?.options.callable_statics.get(name) ?? {};
  const described = input?.ofValues.described;
  return {
    ...row,
    summary: label,
    ...(described === undefined ? {} : { input: inputFor(row, described) }),
    ...(answer === undefined ? {} : { answers: { 200: object({ data: answer }) } }),
  };
}

/** @param described the schema of what the function takes */
function inputFor({ http, input = {} }: Operation, described: JsonSchema): Input {
  if (http.method === 'GET') return described['properties'] === undefined ? input : { own: { query: described } };
  const isRequired = Array.isArray(described['required']) && described['required'].length > 0;
  return { ...input, body: { schema: described, ...(isRequired ? {} : { optional: true as const }) } };
}

function add({ interceptors, paths, ids }: Described, row: Operation, title: string, subject: Subject): void {
  const { model, name } = subject;
  const operation = forFunction(row, subject);
  const { method, path } = operation.http;
  const shownPath = path
    .replace(':model', model?.name ?? ':model')
    .replace(':method', name ?? ':method')
    .replace(/:(\w+)/g, '{$1}');
  const accepted = interceptors.filter(({ accepts }) => accepts(operation));
  (paths[shownPath] ??= {})[method.toLowerCase()] = {
    operationId: ownId(ids, [operation.name, model?.name, name].filter((part) => part !== undefined).join('.')),
    tags: [model?.name ?? title],
    summary: operation.summary,
    parameters: [...parametersOf(operation, shownPath, model), ...accepted.map(({ header }) => parameterNamed(header))],
    ...bodyOf(operation, model),
    responses: { ...failuresOf(operation, accepted), ...answersOf(operation, model) },
    // generators of clients would give each of these reads one of two types
    ...(operation.explain !== undefined ? { 'x-explained': { $ref: '#/components/schemas/_explained' } } : {}),
  };
}

/** Makes an id unique, because names of models and functions may contain dots. */
function ownId(taken: Set<string>, wanted: string): string {
  let id = wanted;
  for (let next = 2; taken.has(id); next++) id = `${wanted}_${next}`;
  taken.add(id);
  return id;
}

const mediaTypeOf = ({ contentMediaType }: JsonSchema): string =>
  typeof contentMediaType === 'string' ? contentMediaType : 'application/json';

function parametersOf(operation: Operation, shownPath: string, model: ModelEntry | undefined): object[] {
  const { input = {}, answers } = operation;
  const { query = [], condition, own } = input;
  const inPath = [...shownPath.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema:
      name === 'id' && model !== undefined && !hasObjectIds(model)
        ? model.idType.schema
        : (propertiesOf(own?.params)[name] ?? { type: 'string' }),
  }));
  const exports = Object.values(answers).some(
    (answer) => typeof answer === 'object' && mediaTypeOf(answer) === 'text/csv',
  );
  const names = [...query.map(({ name }) => name), ...(condition === undefined ? [] : [condition])];
  const component = (name: string): string => (name === 'limit' && exports ? exportLimit : name);
  return [...inPath, ...names.map((name) => parameterNamed(component(name))), ...ownParameters(own?.query)];
}

const propertiesOf = (schema: JsonSchema | undefined): Readonly<Record<string, unknown>> =>
  (schema?.['properties'] ?? {}) as Readonly<Record<string, unknown>>;

/** The parameters that an operation defines itself. */
function ownParameters(schema: JsonSchema | undefined): object[] {
  const required = (schema?.['required'] ?? []) as readonly string[];
  return Object.entries(propertiesOf(schema)).map(([name, one]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    schema: one,
  }));
}

const parameterNamed = (name: string): object => ({ $ref: `#/components/parameters/${name}` });

function bodyOf(operation: Operation, model: ModelEntry | undefined): object {
  const body = bodyOverHttp(operation);
  if (body === undefined) return {};
  const types = Object.entries({ 'application/json': body.schema, ...body.types });
  const content = Object.fromEntries(
    types.map(([type, schema]) => [type, { schema: withReferences(schema, model?.name ?? '') }]),
  );
  return { requestBody: { required: body.optional !== true, content } };
}

/** Data, or whatever else the operation answers where it may be anything. */
const contentOf = (answer: JsonSchema | 'any', model: ModelEntry | undefined): object =>
  answer === 'any'
    ? { 'application/json': { schema: {} }, '*/*': {} }
    : { [mediaTypeOf(answer)]: { schema: withReferences(answer, model?.name ?? '') } };

function answersOf({ answers, input }: Operation, model: ModelEntry | undefined): Record<string, object> {
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    answer === 'none' ? { description: 'Redirect' } : { description: 'Success', content: contentOf(answer, model) },
  ]);
  return {
    ...(Object.fromEntries(described) as Record<string, object>),
    ...(input?.condition === 'If-None-Match' ? { 304: { description: 'The document is unchanged' } } : {}),
  };
}
