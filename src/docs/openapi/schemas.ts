/** The JSON schemas of a model's documents, as answers show them and as requests send them. */
import type { Schema, SchemaType } from 'mongoose';
import type { Link, ModelEntry, ReverseLink } from '../../models/entry.ts';
import { aliasesOf } from '../../models/fields/aliases.ts';
import { neededOf, presentOf } from '../../models/fields/describe.ts';
import { hasObjectIds } from '../../models/fields/document-id.ts';
import { objectIdType } from '../../models/fields/id-types.ts';
import { kindKeyOf, kindValueOf, kindValuesOf } from '../../models/fields/kinds.ts';
import { hasOwnId } from '../../models/fields/own-id.ts';
import { innerOf } from '../../models/fields/path-type.ts';
import { shapeOf } from '../../models/fields/types/index.ts';
import { virtualsOf } from '../../models/fields/virtuals.ts';
import { maxLinking, moreOf } from '../../models/loading/reverse-links.ts';
import type { Policy } from '../../policy/policy.ts';
import type { SchemaView } from '../../query/schema-view.ts';
import { ofAnyKind } from './kinds.ts';
import { type JsonSchema, person } from './shapes.ts';
import { makeNode, type Node, place, schemaOf } from './tree.ts';
import { acceptsNull, isComputed, leafSchema, orNull, remarksOf, type Use } from './values.ts';

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
export function shownSchema(
  { model, shownView: view }: Policy,
  known: ReadonlySet<string>,
  reverses: readonly ReverseLink[],
): JsonSchema {
  const root = treeOf(model.schema, { use: 'shown', model, view, writes: () => false, known }, '');
  if (model.textPaths.length > 0 && !root.fields.has('score')) place(root, ['score'], score);
  for (const reverse of reverses) if (hasReverse(model.schema, reverse)) placeReverse(root, reverse);
  root.required.add('_id');
  if (!hasOwnId(model.schema)) placeId(root, model);
  return { title: model.name, ...schemaOf(root), type: 'object' };
}

/**
 * A document as it is stored and shown, without a place for linked documents. Required are the fields that every answer has: those
 * that the model requires or gives a default, and stamps.
 * @param always whether all answers that the types describe show a path
 */
export function storedSchema({ model, shownView: view }: Policy, always: (path: string) => boolean): JsonSchema {
  const reading: Reading = { use: 'shown', model, view, writes: () => false, known: none, always };
  const root = treeOf(model.schema, reading, '');
  if (!hasOwnId(model.schema)) placeId(root, model);
  if (model.textPaths.length > 0 && !root.fields.has('score')) place(root, ['score'], score);
  for (const name of ['_id', 'createdAt', 'updatedAt', '__v']) if (root.fields.has(name)) root.required.add(name);
  return { ...schemaOf(root), type: 'object' };
}

function placeId(root: Node, { idType, schema }: ModelEntry): void {
  const type = schema.paths['_id'];
  place(root, ['id'], type === undefined || idType === objectIdType ? { type: 'string' } : leafSchema(type, 'shown'));
  root.required.add('id');
}

/** A document as it is sent, to create it or to change fields of it. */
export function sentSchema(policy: Policy, use: 'create' | 'change'): JsonSchema {
  const { model, shownView: view } = policy;
  const letter = use === 'create' ? 'c' : 'u';
  const writes = (path: string): boolean =>
    policy.pathRight(letter, path) !== 'none' && policy.described.describes(path);
  const root = treeOf(model.schema, { use, model, view, writes, known: none }, '');
  return { title: `${model.name} to ${use}`, ...schemaOf(root), type: 'object' };
}

/** A document of any kind as it is sent. */
export const sentDocument = (policy: Policy, use: 'create' | 'change'): JsonSchema =>
  ofAnyKind(policy.model.schema, (schema) => sentSchema({ ...policy, model: { ...policy.model, schema } }, use));

/** @param prefix the path of the document in its model, with a trailing dot; empty for the whole document */
function treeOf(schema: Schema, reading: Reading, prefix: string): Node {
  const { use, view, writes, model } = reading;
  const root = makeNode();
  const needed = neededIn(schema, reading, prefix);
  for (const [path, type] of Object.entries(schema.paths)) {
    const isHidden = !view.shows(prefix + path);
    if (
      path.includes('$*') ||
      (use === 'shown' ? isHidden : !writes(prefix + path) || (prefix === '' && isUnsettable(path, use, model)))
    )
      continue;
    const value = kindSchema(schema, path) ?? pathSchema(type, reading, prefix + path);
    const presence = {
      needed: needed.has(path),
      refusesNull: !acceptsNull(type, lastOf(path)) && lastOf(path) !== '_id',
    };
    place(root, path.split('.'), isHidden ? { ...value, writeOnly: true } : value, presence);
  }
  placeOtherNames(root, schema, reading, prefix);
  if (use === 'shown' && reading.always === undefined) placeLinked(root, schema, reading, prefix);
  return root;
}

/** The schema of the key, which has the kind of a document; undefined for any other path. */
function kindSchema(schema: Schema, path: string): JsonSchema | undefined {
  const kinds = path === kindKeyOf(schema) ? kindValuesOf(schema) : [];
  return kinds.length > 0 && kinds.every((kind) => typeof kind === 'string')
    ? orNull({ type: 'string', enum: kinds })
    : undefined;
}

/** The paths of a schema that a body or an answer must have. */
function neededIn(schema: Schema, { use, model, always }: Reading, prefix: string): ReadonlySet<string> {
  if (use === 'create') return neededOf({ schema });
  if (always === undefined) return none;
  return new Set(
    presentOf({ schema }).filter((path) => always(prefix + path) && !model.unselected.includes(prefix + path)),
  );
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Adds aliases and computed fields. */
function placeOtherNames(root: Node, schema: Schema, { use, model, view }: Reading, prefix: string): void {
  if (use === 'shown' && !model.computed) return;
  for (const [alias, path] of Object.entries(aliasesOf(schema)))
    if (view.shows(prefix + alias)) copy(root, path, alias);
  if (use === 'shown')
    for (const name of virtualsOf(schema))
      if (view.shows(prefix + name))
        place(root, name.split('.'), { readOnly: true, description: 'Computed by the model' });
}

/** Adds the links of one document, without those of nested documents. */
function placeLinked(root: Node, schema: Schema, { model, view, known }: Reading, prefix: string): void {
  for (const link of model.links) {
    const path = link.path.slice(prefix.length);
    const type = link.path.startsWith(prefix) && Object.hasOwn(schema.paths, path) ? schema.paths[path] : undefined;
    if (type === undefined || !view.shows(link.path)) continue;
    const id = leafSchema(innerOf(type).embeddedSchemaType ?? type, 'shown');
    place(root, link.as.slice(prefix.length).split('.'), linked(link, known, id));
  }
}

/** Whether the documents of a schema have a reverse link, which may be that of a kind. */
const hasReverse = (schema: Schema, { kinds }: ReverseLink): boolean =>
  kinds === undefined || kinds.values.has(kindValueOf(schema));

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

const isUnsettable = (path: string, use: Use, model: ModelEntry): boolean =>
  path === '_id'
    ? use === 'change' || hasObjectIds(model)
    : stamps.has(path) || (use === 'create' && path === '_deleted');

/** Copies the schema of a path to its alias. */
function copy(root: Node, path: string, alias: string): void {
  let node: Node | undefined = root;
  for (const part of path.split('.')) node = node?.fields.get(part);
  if (node !== undefined) place(root, alias.split('.'), { ...schemaOf(node), description: `Alias of ${path}` });
}

function pathSchema(type: SchemaType, reading: Reading, path: string): JsonSchema {
  const { use, model, view } = reading;
  if (use === 'shown' && isComputed(type)) return { description: 'Computed by the model' };
  const value = valueSchema(type, reading, path);
  const link = model.links.find((one) => one.path === path);
  const remarks = [
    ...(link === undefined ? [] : [`Links to ${link.model}`]),
    ...remarksOf(type, use, !view.shows(path)),
  ];
  const described = remarks.length === 0 ? value : { ...value, description: remarks.join('. ') };
  return acceptsNull(type, lastOf(path)) ? orNull(described) : described;
}

/** The schema of a path's values, without null. */
function valueSchema(type: SchemaType, reading: Reading, path: string): JsonSchema {
  const { schema, embeddedSchemaType: member } = innerOf(type);
  const inner = (): JsonSchema =>
    schema === undefined
      ? member === undefined
        ? {}
        : pathSchema(member, reading, shapeOf(member) === 'list' ? path : `${path}.`)
      : ofAnyKind(schema, (one) => ({ ...schemaOf(treeOf(one, reading, `${path}.`)), type: 'object' }));
  const shape = shapeOf(type);
  if (shape === 'list') {
    // a value that is set beyond the end of a list leaves nulls before it
    const mayBeNull = reading.use === 'shown' && schema !== undefined;
    return { type: 'array', items: mayBeNull ? orNull(inner()) : inner() };
  }
  if (shape === 'document') return inner();
  if (shape === 'map') return { type: 'object', additionalProperties: mapValues(type, reading, path) };
  const { model, use } = reading;
  // those that are stored may be older than the rules of ids
  return path === '_id' && use !== 'shown' ? leafSchema(type, use, model.idType.schema) : leafSchema(type, use);
}

/** The schema of a map's values, whose type Mongoose stores in the map's type. */
function mapValues(type: SchemaType, reading: Reading, path: string): JsonSchema {
  const { $__schemaType: values } = innerOf(type);
  return values === undefined ? {} : pathSchema(values, reading, `${path}.`);
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
