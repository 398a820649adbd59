/** The OpenAPI 3.1 document for one caller: the models and methods on which they have some right. */
import { mayCall } from '../access/calls.ts';
import { decide, maySee } from '../access/decide.ts';
import type { Principal } from '../access/principal.ts';
import { parameterRows } from '../language/parameters.ts';
import type { Endpoint, PlainAccess, RouteGroup } from '../middleware/endpoint.ts';
import { describe, neededOf } from '../registry/describe.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { changed, created, operationRows, shown, type OperationRow } from './operations.ts';
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

export function openApi({ groups, models, principal, url }: DocumentParts): object {
  const seen = models.filter((model) => maySee(principal, model));
  const names = new Set(seen.map(({ name }) => name));
  const paths: Paths = {};
  for (const { title, endpoints } of groups)
    for (const endpoint of endpoints)
      for (const model of modelsOf(endpoint, seen, principal))
        for (const name of functionsOf(endpoint, model, principal)) add(paths, endpoint, title, { model, name });
  return {
    openapi: '3.1.0',
    info: { title: 'Dossier', version: '4.0.0', description: 'A REST interface over documents of models.' },
    servers: [{ url: url ?? '/' }],
    tags: tagsIn(paths).map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.assign(
        { _failure: failure, _model: modelDescription },
        ...seen.map((model) => schemasOf(model, names)),
      ) as object,
      parameters: {
        ...Object.fromEntries(parameterRows.map((row) => [row.name, parameterOf(row)])),
        ...Object.fromEntries(
          Object.entries(conditions).map(([name, description]) => [name, headerOf(name, description)]),
        ),
      },
      securitySchemes,
    },
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
  };
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

function schemasOf(model: ModelEntry, known: ReadonlySet<string>): object {
  const described = describe(model);
  return {
    [model.name]: shownSchema(described, known),
    [`${model.name}.create`]: sentSchema(described, neededOf(model)),
    [`${model.name}.change`]: sentSchema(described),
  };
}

/** The models for which a row is there; `undefined` stands for a row without a model. Nothing when it is not this caller's. */
function modelsOf(
  endpoint: Endpoint,
  seen: readonly ModelEntry[],
  principal: Principal,
): readonly (ModelEntry | undefined)[] {
  const { access, path } = endpoint;
  if (access.kind === 'letter')
    return seen.filter((model) => isOpen(path, model) && decide(principal, access.letter, model) !== undefined);
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

function add(paths: Paths, endpoint: Endpoint, title: string, { model, name }: Subject): void {
  const { method, path } = endpoint;
  const shownPath = path
    .replace(':model', model?.name ?? ':model')
    .replace(':method', name ?? ':method')
    .replace(/:(\w+)/g, '{$1}');
  (paths[shownPath] ??= {})[method.toLowerCase()] = operationOf(endpoint, title, shownPath, model);
}

function operationOf(
  { method, path, summary }: Endpoint,
  title: string,
  shownPath: string,
  model: ModelEntry | undefined,
): Operation {
  const row = operationRows[`${method} ${path}`] ?? {};
  const inPath = [...shownPath.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: `${method.toLowerCase()}${shownPath.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`,
    tags: [model?.name ?? title],
    summary,
    parameters: [...inPath, ...namesOf(row).map((name) => ({ $ref: `#/components/parameters/${name}` }))],
    ...(row.body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: placed(row.body, model) } } } }),
    responses: {
      [row.status ?? 200]: answerOf(row, model),
      ...(row.condition === 'If-None-Match' ? { 304: { description: 'The document is as the caller knows it' } } : {}),
      default: {
        description: 'Failure',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/_failure' } } },
      },
    },
  };
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
const namesOf = ({ lists, parameters = [], condition }: OperationRow): readonly string[] => [
  ...(lists === true ? listParameters : parameters),
  ...(condition === undefined ? [] : [condition]),
];

const answerOf = ({ status, type = 'application/json', answer }: OperationRow, model?: ModelEntry): object => ({
  description: status === 302 ? 'Redirect' : 'Success',
  ...(answer === undefined ? {} : { content: { [type]: { schema: placed(answer, model) } } }),
});

/** The marks in a row, replaced by references to the model's schemas. */
function placed(schema: unknown, model: ModelEntry | undefined): unknown {
  const name = model?.name ?? '';
  if (schema === shown) return { $ref: `#/components/schemas/${name}` };
  if (schema === created) return { $ref: `#/components/schemas/${name}.create` };
  if (schema === changed) return { $ref: `#/components/schemas/${name}.change` };
  if (Array.isArray(schema)) return schema.map((inner: unknown) => placed(inner, model));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, placed(inner, model)]));
}

/** Headers that name revisions. */
const conditions = {
  'If-None-Match': 'ETags that the caller has: 304 when the document has one of them',
  'If-Match': 'ETags on which the change builds: 412 when the document has none of them',
} as const;

const headerOf = (name: string, description: string): object => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

/** Names with brackets are objects, written as `filter[title]=x`. */
const inBrackets: ReadonlySet<string> = new Set(['filter']);

const parameterOf = ({ name, form, meaning }: (typeof parameterRows)[number]): object => ({
  name,
  in: 'query',
  description: `${meaning}: \`${form}\``,
  ...(inBrackets.has(name)
    ? {
        style: 'deepObject',
        explode: true,
        example: {},
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      }
    : { schema: { type: 'string' } }),
});
