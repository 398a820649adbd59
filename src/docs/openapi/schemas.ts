/** The JSON schemas of a model's documents, as answers show them and as requests send them. */
import type { Link, ModelEntry, ReverseLink } from '../../models/entry.ts';
import { hasObjectIds } from '../../models/fields/document-id.ts';
import { objectIdType } from '../../models/fields/id-types.ts';
import { type Field, type ModelSchema, presentOf, requiredNames } from '../../models/fields/model-schema.ts';
import { maxLinking, moreOf } from '../../models/loading/reverse-links.ts';
import type { Policy } from '../../policy/policy.ts';
import type { SchemaView } from '../../query/schema-view.ts';
import { ofAnyKind } from './kinds.ts';
import { type JsonSchema, person } from './shapes.ts';
import { acceptsNull, leafSchema, orNull, remarksOf, type Use } from './values.ts';

/** Fields that the server sets; values from callers are ignored. */
const stamps: ReadonlySet<string> = new Set([
  ...['_id', '_owner_id', '_updated_by_id', 'createdAt', 'updatedAt', '__v'],
]);

/** The context that all paths of one JSON schema share. */
interface Reading {
  readonly use: Use;
  readonly model: ModelEntry;
  readonly view: SchemaView;
  /** Whether a body may have a path. */
  readonly writes: (path: string) => boolean;
  /** Models that the caller sees, whose schemas stand in the same place. */
  readonly known: ReadonlySet<string>;
  /** Whether every answer has a path that every document has; without it, links have a place in the schema and only ids are required. */
  readonly always?: (path: string) => boolean;
}

const none: ReadonlySet<string> = new Set();

const score: JsonSchema = { type: 'number', readOnly: true, description: 'Relevance, in a full-text search' };

/**
 * The schema of a document in an answer. All fields except the id may be missing, and populated links are beside their ids.
 * @param known the models that the caller may see, whose schemas are in the same document @param reverses those that the caller may follow
 */
export function answerSchema(
  { model, shownView: view }: Policy,
  known: ReadonlySet<string>,
  reverses: readonly ReverseLink[],
): JsonSchema {
  const root = treeOf(model.schema, { use: 'shown', model, view, writes: () => false, known }, '');
  if (model.textPaths.length > 0 && !root.fields.has('score')) place(root, ['score'], score);
  for (const reverse of reverses) if (hasReverse(model.schema, reverse)) placeReverse(root, reverse);
  root.required.add('_id');
  if (!model.schema.hasOwnId) placeId(root, model);
  return { ...namedAs(model, model.options.label ?? model.name), ...schemaOf(root), type: 'object' };
}

/**
 * A document as it is stored and shown, without a place for linked documents. Required are the fields that every answer has: those
 * that the model requires or gives a default, and stamps.
 * @param always whether all answers that the types describe show a path
 */
export function storedSchema({ model, shownView: view }: Policy, always: (path: string) => boolean): JsonSchema {
  const reading: Reading = { use: 'shown', model, view, writes: () => false, known: none, always };
  const root = treeOf(model.schema, reading, '');
  if (!model.schema.hasOwnId) placeId(root, model);
  if (model.textPaths.length > 0 && !root.fields.has('score')) place(root, ['score'], score);
  for (const name of ['_id', 'createdAt', 'updatedAt', '__v']) if (root.fields.has(name)) root.required.add(name);
  return { ...schemaOf(root), type: 'object' };
}

function placeId(root: Node, { idType, schema }: ModelEntry): void {
  const field = schema.declared.get('_id');
  place(root, ['id'], field === undefined || idType === objectIdType ? { type: 'string' } : leafSchema(field, 'shown'));
  root.required.add('id');
}

/** A document as it is sent, to create it or to change fields of it. */
export function sentSchema(policy: Policy, use: 'create' | 'change'): JsonSchema {
  const { model, shownView: view } = policy;
  const letter = use === 'create' ? 'c' : 'u';
  const writes = (path: string): boolean =>
    policy.pathRight(letter, path) !== 'none' && policy.described.describes(path);
  const root = treeOf(model.schema, { use, model, view, writes, known: none }, '');
  return { ...namedAs(model, `${model.options.label ?? model.name} to ${use}`), ...schemaOf(root), type: 'object' };
}

/** What the model file says for people, as keywords. */
const namedAs = ({ options: { description } }: ModelEntry, title: string): JsonSchema => ({
  title,
  ...(description === undefined ? {} : { description }),
});

/** A document of any kind as it is sent. */
export const sentDocument = (policy: Policy, use: 'create' | 'change'): JsonSchema =>
  ofAnyKind(policy.model.schema, (schema) => sentSchema({ ...policy, model: { ...policy.model, schema } }, use));

/** @param prefix the path of the document in its model, with a trailing dot; empty for the whole document */
function treeOf(schema: ModelSchema, reading: Reading, prefix: string): Node {
  const { use, view, writes } = reading;
  const root = makeNode();
  const needed = neededIn(schema, reading, prefix);
  for (const [path, field] of schema.declared) {
    const isHidden = !view.shows(prefix + path);
    if (use === 'shown' ? isHidden : !writes(prefix + path) || (prefix === '' && isUnsettable(field, path, reading)))
      continue;
    const value = kindSchema(schema, path) ?? pathSchema(field, reading, prefix + path);
    const presence = {
      needed: needed.has(path),
      refusesNull: !acceptsNull(field, lastOf(path)) && lastOf(path) !== '_id',
    };
    place(root, path.split('.'), isHidden ? { ...value, writeOnly: true } : value, presence);
  }
  placeOtherNames(root, schema, reading, prefix);
  if (use === 'shown' && reading.always === undefined) placeLinked(root, schema, reading, prefix);
  return root;
}

/** The schema of the key, which has the kind of a document; undefined for any other path. */
function kindSchema(schema: ModelSchema, path: string): JsonSchema | undefined {
  const kinds = path === schema.kindKey ? schema.kindValues : [];
  return kinds.length > 0 && kinds.every((kind) => typeof kind === 'string')
    ? orNull({ type: 'string', enum: kinds })
    : undefined;
}

/** The paths of a schema that a body or an answer must have. */
function neededIn(schema: ModelSchema, { use, model, always }: Reading, prefix: string): ReadonlySet<string> {
  if (use === 'create') return requiredNames(schema);
  if (always === undefined) return none;
  return new Set(
    presentOf(schema).filter((path) => always(prefix + path) && !model.unselected.includes(prefix + path)),
  );
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Adds aliases and computed fields. */
function placeOtherNames(root: Node, schema: ModelSchema, { use, model, view }: Reading, prefix: string): void {
  if (use === 'shown' && !model.computed) return;
  for (const [alias, path] of Object.entries(schema.aliases)) if (view.shows(prefix + alias)) copy(root, path, alias);
  if (use === 'shown')
    for (const name of schema.shownVirtuals)
      if (view.shows(prefix + name))
        place(root, name.split('.'), { readOnly: true, description: 'Computed by the model' });
}

/** Adds the links of one document, without those of nested documents. */
function placeLinked(root: Node, schema: ModelSchema, { model, view, known }: Reading, prefix: string): void {
  for (const link of model.links) {
    const path = link.path.slice(prefix.length);
    const field = link.path.startsWith(prefix) ? schema.declared.get(path) : undefined;
    if (field === undefined || !view.shows(link.path)) continue;
    const id = leafSchema(field.member ?? field, 'shown');
    place(root, link.as.slice(prefix.length).split('.'), linked(link, known, id));
  }
}

/** Whether the documents of a schema have a reverse link, which may be that of a kind. */
const hasReverse = (schema: ModelSchema, { kinds }: ReverseLink): boolean =>
  kinds === undefined || kinds.values.has(schema.kindValue);

/** Adds the documents of another model that link to this one. */
function placeReverse(root: Node, { as, model, path, shape }: ReverseLink): void {
  const description = `${model} that links here by ${path}, when populated`;
  if (shape === 'count')
    return place(root, [as], { type: 'integer', minimum: 0, description: `The number of ${description}` });
  const document = { $ref: `#/components/schemas/${model}` };
  if (shape === 'one') return place(root, [as], { anyOf: [document, { type: 'null' }], description });
  place(root, [as], {
    type: 'array',
    items: document,
    maxItems: maxLinking,
    description,
  });
  place(root, [moreOf(as)], { const: true, description: `There are more than ${maxLinking}` });
}

const isUnsettable = ({ immutable }: Field, path: string, { use, model }: Reading): boolean =>
  path === '_id'
    ? use === 'change' || hasObjectIds(model)
    : stamps.has(path) || (use === 'create' ? path === '_deleted' : immutable === true);

/** Copies the schema of a path to its alias. */
function copy(root: Node, path: string, alias: string): void {
  let node: Node | undefined = root;
  for (const part of path.split('.')) node = node?.fields.get(part);
  if (node !== undefined) place(root, alias.split('.'), { ...schemaOf(node), description: `Alias of ${path}` });
}

function pathSchema(field: Field, reading: Reading, path: string): JsonSchema {
  const { use, model, view } = reading;
  const { label, description } = field.display;
  const title = label === undefined ? {} : { title: label };
  const own = description === undefined ? [] : [description];
  if (use === 'shown' && field.isComputed)
    return { ...title, description: [...own, 'Computed by the model'].join('. ') };
  const value = valueSchema(field, reading, path);
  const link = model.links.find((one) => one.path === path);
  const remarks = [
    ...own,
    ...(link === undefined ? [] : [`Links to ${link.model}`]),
    ...remarksOf(field, use, !view.shows(path)),
  ];
  const described = { ...value, ...title, ...(remarks.length === 0 ? {} : { description: remarks.join('. ') }) };
  return acceptsNull(field, lastOf(path)) ? orNull(described) : described;
}

/** The schema of a path's values, without null. */
function valueSchema(field: Field, reading: Reading, path: string): JsonSchema {
  const { schema, member } = field;
  const inner = (): JsonSchema =>
    schema === undefined
      ? member === undefined
        ? {}
        : pathSchema(member, reading, member.type?.shape === 'list' ? path : `${path}.`)
      : ofAnyKind(schema, (one) => ({ ...schemaOf(treeOf(one, reading, `${path}.`)), type: 'object' }));
  const shape = field.type?.shape;
  if (shape === 'list') {
    // a value that is set beyond the end of a list leaves nulls before it
    const mayBeNull = reading.use === 'shown' && schema !== undefined;
    return { type: 'array', items: mayBeNull ? orNull(inner()) : inner() };
  }
  if (shape === 'document') return inner();
  if (shape === 'map') return { type: 'object', additionalProperties: mapValues(field, reading, path) };
  const { model, use } = reading;
  // those that are stored may be older than the rules of ids
  return path === '_id' && use !== 'shown' ? leafSchema(field, use, model.idType.schema) : leafSchema(field, use);
}

/** The schema of a map's values. */
function mapValues({ member }: Field, reading: Reading, path: string): JsonSchema {
  return member === undefined ? {} : pathSchema(member, reading, `${path}.`);
}

/**
 * A link that is shown in place of its id has either schema. A list omits documents that are missing or that the caller may not
 * read.
 * @param id of the linked documents
 */
function linked({ model, path, as, array }: Link, known: ReadonlySet<string>, id: JsonSchema): JsonSchema {
  const inPlace = as === path;
  const documents = [
    ...(known.has(model) ? [{ $ref: `#/components/schemas/${model}` }] : []),
    ...(model === 'user' ? [person] : []),
    ...(inPlace ? [id] : []),
  ];
  const one = documents.length === 0 ? {} : { anyOf: documents };
  const value = array ? { type: 'array', items: inPlace ? orNull(one) : one } : one;
  return { ...orNull(value), description: `${model}, when populated` };
}

/** A field and its nested fields; `schema` is set if the path itself has a schema. */
interface Node {
  readonly fields: Map<string, Node>;
  readonly required: Set<string>;
  /** Whether null is refused for the whole object, because a nested field is required. */
  refusesNull: boolean;
  schema: JsonSchema | undefined;
}

const makeNode = (): Node => ({ fields: new Map(), required: new Set(), refusesNull: false, schema: undefined });

/** Whether the field and its enclosing objects must be sent, and must have a value. */
interface Presence {
  readonly needed: boolean;
  readonly refusesNull: boolean;
}

const optional: Presence = { needed: false, refusesNull: false };

function place(root: Node, parts: readonly string[], schema: JsonSchema, presence = optional): void {
  let node = root;
  for (const part of parts) {
    if (presence.needed) node.required.add(part);
    node.refusesNull ||= presence.refusesNull;
    const inner = node.fields.get(part) ?? makeNode();
    node.fields.set(part, inner);
    node = inner;
  }
  node.schema = schema;
}

/** The JSON Schema of a node. Null for a nested object means null in each of its fields. */
function schemaOf({ fields, required, refusesNull, schema }: Node): JsonSchema {
  if (schema !== undefined && fields.size === 0) return schema;
  const document = {
    type: 'object',
    ...(required.size === 0 ? {} : { required: [...required] }),
    properties: Object.fromEntries([...fields].map(([name, node]) => [name, schemaOf(node)])),
  };
  return { ...schema, ...(refusesNull ? document : orNull(document)) };
}
