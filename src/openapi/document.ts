/** The OpenAPI 3.1 document for one caller: the models and methods on which they have some right. */
import { mayCall } from '../policy/calls.ts';
import { maySee } from '../policy/decide.ts';
import { policyFor, type Policy } from '../policy/policy.ts';
import type { Principal } from '../policy/principal.ts';
import type { StatedJson } from '../policy/shaped.ts';
import type { Endpoint, PlainAccess, RouteGroup } from '../middleware/endpoint.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { stage } from './advanced.ts';
import { failureComponents, failuresOf } from './failures.ts';
import { placed } from './marks.ts';
import { operationRows, type OperationRow } from './operations.ts';
import { exportLimit, parameterComponents } from './parameters.ts';
import { sentSchema, shownSchema } from './schemas.ts';
import { failure, modelDescription } from './shapes.ts';

export interface DocumentParts {
  readonly groups: readonly RouteGroup[];
  readonly models: readonly ModelEntry[];
  readonly principal: Principal;
  /** The public base URL. */
  readonly url: string | undefined;
}

interface Operation {
  readonly tags: readonly string[];
  readonly [name: string]: unknown;
}

type Paths = Record<string, Record<string, Operation>>;

/** What is described so far. */
interface Described {
  readonly paths: Paths;
  /** The names of its operations. */
  readonly ids: Set<string>;
}

export function openApi({ groups, models, principal, url }: DocumentParts): StatedJson {
  const seen = models.filter((model) => maySee(principal, model));
  const names = new Set(seen.map(({ name }) => name));
  const described: Described = { paths: {}, ids: new Set() };
  for (const { title, endpoints } of groups)
    for (const endpoint of endpoints)
      for (const model of modelsOf(endpoint, seen, principal))
        for (const name of functionsOf(endpoint, model, principal)) add(described, endpoint, title, { model, name });
  const { paths } = described;
  // made of models and tables alone: nothing here reaches a document (test/rules/imports.test.ts)
  const document: object = {
    openapi: '3.1.0',
    info: { title: 'Dossier', version: '4.0.0', description: 'A REST interface over documents of models.' },
    servers: [{ url: url ?? '/' }],
    tags: tagsIn(paths).map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.assign(
        { _failure: failure, _model: modelDescription, _stage: stage },
        ...seen.map((model) => schemasOf(policyFor(principal, model), names)),
      ) as object,
      parameters: parameterComponents,
      responses: failureComponents,
      securitySchemes,
    },
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
  };
  return document as StatedJson;
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

const schemasOf = (policy: Policy, known: ReadonlySet<string>): object => ({
  [policy.model.name]: shownSchema(policy, known),
  [`${policy.model.name}.create`]: sentSchema(policy, 'create'),
  [`${policy.model.name}.change`]: sentSchema(policy, 'change'),
});

/** The models for which a row is there; `undefined` stands for a row without a model. Nothing when it is not this caller's. */
function modelsOf(
  endpoint: Endpoint,
  seen: readonly ModelEntry[],
  principal: Principal,
): readonly (ModelEntry | undefined)[] {
  const { access, path } = endpoint;
  if (access.kind === 'letter')
    return seen.filter((model) => isOpen(path, model) && policyFor(principal, model).permits(access.letter));
  if (access.kind === 'perOperation') return seen.filter((model) => isOpen(path, model));
  return mayUse(access, principal) ? [undefined] : [];
}

/** Doors of a model that may be shut. */
function isOpen(path: string, { options }: ModelEntry): boolean {
  const [, door] = path.split('/');
  return door === 'query' || door === 'aggregate' || door === 'bulkwrite' ? options.advanced_queries[door] : true;
}

const mayUse = ({ kind }: PlainAccess, principal: Principal): boolean =>
  kind === 'open' || (kind === 'admin' ? principal.admin : principal.user !== undefined);

/** The functions that the caller may call by a row of `/call`; `undefined` stands for a row of anything else. */
function functionsOf({ path }: Endpoint, model: ModelEntry | undefined, principal: Principal): (string | undefined)[] {
  if (!path.includes(':method') || model === undefined) return [undefined];
  const target = path.includes(':id') ? 'document' : 'model';
  return [...model.options.callable_statics].flatMap(([name, rule]) =>
    mayCall(principal, model, rule, target) ? [name] : [],
  );
}

interface Subject {
  readonly model: ModelEntry | undefined;
  /** The function of a row of `/call`. */
  readonly name: string | undefined;
}

function add({ paths, ids }: Described, endpoint: Endpoint, title: string, { model, name }: Subject): void {
  const { method, path } = endpoint;
  const shownPath = path
    .replace(':model', model?.name ?? ':model')
    .replace(':method', name ?? ':method')
    .replace(/:(\w+)/g, '{$1}');
  const row = operationRows[`${method} ${path}`] ?? {};
  (paths[shownPath] ??= {})[method.toLowerCase()] = {
    operationId: ownId(ids, `${method.toLowerCase()}${shownPath.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`),
    tags: [model?.name ?? title],
    summary: endpoint.summary,
    parameters: parametersOf(row, shownPath),
    ...bodyOf(row, model),
    responses: { ...answersOf(row, model), ...failuresOf(endpoint, row) },
  };
}

/** Two paths may differ in signs only: `/api/book/{id}` and, of another model, `/api/book_id`. */
function ownId(taken: Set<string>, wanted: string): string {
  let id = wanted;
  for (let next = 2; taken.has(id); next++) id = `${wanted}_${next}`;
  taken.add(id);
  return id;
}

const listParameters = [
  'limit',
  'page',
  'count',
  'sort',
  'fields',
  'filter',
  'search',
  'populate',
  'autopopulate',
  'showDeleted',
];

function parametersOf(row: OperationRow, shownPath: string): object[] {
  const { lists, parameters = [], condition } = row;
  const inPath = [...shownPath.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const names = [...(lists === true ? listParameters : parameters), ...(condition === undefined ? [] : [condition])];
  const component = (name: string): string => (name === 'limit' && row.type === 'text/csv' ? exportLimit : name);
  return [...inPath, ...names.map((name) => ({ $ref: `#/components/parameters/${component(name)}` }))];
}

function bodyOf({ body, bodyOptional }: OperationRow, model: ModelEntry | undefined): object {
  if (body === undefined) return {};
  const schema = placed(body, model?.name ?? '');
  return { requestBody: { required: bodyOptional !== true, content: { 'application/json': { schema } } } };
}

function answersOf(row: OperationRow, model: ModelEntry | undefined): Record<string, object> {
  const { status = 200, type = 'application/json', answer, condition } = row;
  const schema = placed(answer, model?.name ?? '');
  return {
    [status]: {
      description: status === 302 ? 'Redirect' : 'Success',
      ...(answer === undefined ? {} : { content: { [type]: { schema } } }),
    },
    ...(condition === 'If-None-Match' ? { 304: { description: 'The document is as the caller knows it' } } : {}),
  };
}
