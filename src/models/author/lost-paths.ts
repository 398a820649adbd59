/** Paths that the `toJSON` or `toObject` of a model file leaves out of a sample document. Neither runs for answers, so these show the paths. */
import { type Document, Schema, type SchemaType } from 'mongoose';
import type { ModelEntry } from '../entry.ts';
import { fieldTypeOf, shapeOf } from '../fields/types/index.ts';
import { computedRowOf, kindsOf, type Model, modelOf, type Row } from '../mongoose.ts';
import { innerOf, schemaParts, typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { isPlainObject } from '../plain-object.ts';

/**
 * The declared paths that the conversions of a model leave out, and that answers show to every caller who may read the model. Not among
 * them are paths with `select: false` or letters of their own, passwords, ids, versions, and paths whose value has another name.
 * @returns the outermost paths, none where the conversion throws: it is code of the application, and has not seen a sample before
 */
export function lostPathsOf(entry: ModelEntry): readonly string[] {
  const model = modelOf(entry);
  const lost = [model, ...kindsOf(model)].filter(hasConversion).flatMap((one) => lostOf(one));
  const declared = new Set(entry.declaredNames);
  const restricted = [...entry.unselected, ...entry.fieldPerms.keys(), ...entry.schema.secrets];
  return [...new Set(lost)].filter(
    (path) =>
      declared.has(path.split('.', 1)[0] ?? path) &&
      !neverSecret.has(path.slice(path.lastIndexOf('.') + 1)) &&
      !restricted.some((one) => path === one || path.startsWith(`${one}.`)),
  );
}

/** What applications leave out or rename for the form of their answers. */
const neverSecret: ReadonlySet<string> = new Set(['_id', 'id', '__v']);

const conversions = ['toJSON', 'toObject'] as const;

/** Whether a model has code that makes JSON of its documents: a method, a transform, or that of a path. */
const hasConversion = ({ schema, base }: Model<Row>): boolean =>
  placesOf(schema).some(
    (place) =>
      conversions.some((name) => name in place.schema.methods || transforms(schemaParts(place.schema).options[name])) ||
      typesIn(place).some(({ type }) => transforms(typeParts(type).options)),
  ) || conversions.some((name) => transforms(base.get(name)));

const transforms = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'transform' in options && typeof options.transform === 'function';

function lostOf(model: Model<Row>): readonly string[] {
  try {
    const sample = sampleOf(model.schema);
    const document: Pick<Document, 'toJSON' | 'toObject'> = model.hydrate(sample);
    const stored = leavesOf(sample);
    // answers run getters, and have virtuals where conversions may have none
    const shown = new Map([...leavesOf(computedRowOf(document))].filter(([path]) => stored.has(path)));
    return conversions.flatMap((name) => missingFrom(leavesOf(converted(document[name]())), shown));
  } catch {
    return [];
  }
}

/** @throws Error for a promise, which no answer of an application contains */
function converted(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new Error('asynchronous');
}

/** The texts of the values of a document by their paths, without positions in lists. */
type Leaves = ReadonlyMap<string, string>;

function leavesOf(value: unknown, path = '', leaves = new Map<string, string>()): Leaves {
  if (Array.isArray(value)) for (const member of value) leavesOf(member, path, leaves);
  else if (value instanceof Map || isPlainObject(value))
    for (const [name, inner] of value instanceof Map ? value : Object.entries(value))
      leavesOf(inner, path === '' ? String(name) : `${path}.${String(name)}`, leaves);
  else if (value !== undefined && value !== null) leaves.set(path, String(value));
  return leaves;
}

/** The outermost paths that a conversion leaves out. A value under another name is not lost, where it is the only one of its kind. */
function missingFrom(result: Leaves, shown: Leaves): readonly string[] {
  const present = new Set([...result.keys()].flatMap(withAncestors));
  const values = new Set(result.values());
  const texts = [...shown.values()];
  return [...shown].flatMap(([path, text]) => {
    const above = withAncestors(path);
    const outermost = above.find((one) => !present.has(one));
    if (outermost === undefined || above.some((one) => result.has(one))) return [];
    const isRenamed = values.has(text) && texts.indexOf(text) === texts.lastIndexOf(text);
    return isRenamed ? [] : [outermost];
  });
}

/** A path after those that contain it. */
const withAncestors = (path: string): readonly string[] => {
  const names = path.split('.');
  return names.map((_, index) => names.slice(0, index + 1).join('.'));
};

/** The key in the sample's maps. */
const mapKey = '*';

/** A row with a value at each path of a schema. */
function sampleOf(schema: Schema): Row {
  const row: Row = {};
  for (const [path, type] of Object.entries(schema.paths)) {
    // the values of a map are made with it
    if (path.includes('$*')) continue;
    const names = path.split('.');
    const last = names.pop() ?? path;
    const place = names.reduce<Row>((outer, name) => (outer[name] ??= {}) as Row, row);
    place[last] = sampleValue(type, path);
  }
  return row;
}

/** @param path makes texts differ, so that one under another name is found */
function sampleValue(type: SchemaType, path: string): unknown {
  const { schema, embeddedSchemaType: member, $__schemaType: value, schemaTypes: alternatives = [] } = innerOf(type);
  const isList = shapeOf(type) === 'list';
  if (schema !== undefined) return isList ? [sampleOf(schema)] : sampleOf(schema);
  if (member !== undefined) return [sampleValue(member, path)];
  if (value !== undefined) return { [mapKey]: sampleValue(value, path) };
  if (alternatives[0] !== undefined) return sampleValue(alternatives[0], path);
  return typeParts(type).enumValues?.[0] ?? (type instanceof Schema.Types.String ? path : fieldTypeOf(type)?.sample);
}
