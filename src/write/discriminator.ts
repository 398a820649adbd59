/** Finds the discriminator of a stored document: only its Mongoose model has all of the document's fields. */
import type { ModelContext } from '../context.ts';
import { badValue } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { kindKeyOf, kindValueOf, kindValuesOf } from '../models/kinds.ts';
import { kindsOf, modelOf, ObjectId, type Row } from '../models/mongoose.ts';
import { kindSchemasOf, typeAt } from '../models/path-type.ts';
import { sessionOf } from './commit.ts';

type Model = ReturnType<typeof modelOf>;

/**
 * The Mongoose model for changing the document of a filter; without discriminators the schema's own, without a query.
 * @param set the values to set @throws 400 for another kind
 */
export async function discriminatorOf(context: ModelContext, filter: Row, set: Row): Promise<Model> {
  const own = modelOf(context.model);
  const kinds = kindsOf(own);
  if (kinds.length === 0) return own;
  const key = kindKeyOf(own.schema);
  const row = (await own.collection.findOne(filter, { projection: { [key]: 1 }, ...sessionOf(context) })) as Row | null;
  if (row !== null) refuseOtherKind(context.model, set, row[key]);
  return kinds.find(({ schema }) => kindValueOf(schema) === row?.[key]) ?? own;
}

/**
 * Refuses another kind for a document, of which Mongoose would keep the old one.
 * @param set the values to set @param stored the kind of the document; undefined where it is unknown @throws 400
 */
export function refuseOtherKind({ name, schema }: ModelEntry, set: Row, stored: unknown): void {
  const key = kindKeyOf(schema);
  if (!Object.hasOwn(set, key) || kindValuesOf(schema).length === 0 || set[key] === stored) return;
  throw badValue(
    key,
    'discriminator',
    `decides which fields the document has and cannot be changed: replace the document, by replaceOne of POST /bulkwrite/${name}, whose upserts set it in $setOnInsert`,
  );
}

/** Whether a filter names one document, whose discriminator can be looked up. */
export const namesOne = (filter: Row): boolean => filter['_id'] instanceof ObjectId;

/**
 * Refuses dotted paths into fields that only a discriminator of nested documents has, which Mongoose removes from an update without the
 * discriminator's key.
 * @throws 400 naming the path
 */
export function refuseFieldsOfParts({ schema }: ModelEntry, paths: readonly string[]): void {
  for (const path of paths) {
    if (typeAt(schema, path).kind !== 'unknown') continue;
    const parts = path.split('.');
    for (let end = parts.length - 1; end > 0; end--) {
      const above = parts.slice(0, end).join('.');
      const type = typeAt(schema, above);
      if (type.kind !== 'document' || type.schema === undefined) continue;
      const rest = parts.slice(end).join('.');
      if (kindSchemasOf(type.schema).some((kind) => typeAt(kind, rest).kind !== 'unknown'))
        throw badValue(
          path,
          'path',
          `belongs to a discriminator of ${above}: send the whole ${above}, or use PUT /update`,
        );
      break;
    }
  }
}

/**
 * Refuses fields of discriminators if the discriminator is unknown, because they can be neither cast nor checked.
 * @throws 400 naming the path
 */
export function refuseDiscriminatorPaths(entry: ModelEntry, paths: readonly string[]): void {
  const isKnown = ({ schema }: Pick<Model, 'schema'>, path: string): boolean => typeAt(schema, path).kind !== 'unknown';
  for (const path of paths)
    if (!isKnown(entry, path) && kindsOf(modelOf(entry)).some((kind) => isKnown(kind, path)))
      throw badValue(path, 'path', 'belongs to a discriminator: name the document by its _id to change it');
}
