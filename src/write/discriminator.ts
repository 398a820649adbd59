/** Finds the discriminator of a stored document: only its Mongoose model has all of the document's fields. */
import type { ModelContext } from '../context.ts';
import { badValue } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { kindsOf, modelOf, ObjectId, type Row } from '../models/mongoose.ts';
import { kindSchemasOf, typeAt } from '../models/path-type.ts';
import { sessionOf } from './commit.ts';

type Model = ReturnType<typeof modelOf>;

/** The Mongoose model for changing the document of a filter; without discriminators the schema's own, without a query. */
export async function discriminatorOf(context: ModelContext, filter: Row): Promise<Model> {
  const own = modelOf(context.model);
  const kinds = kindsOf(own);
  if (kinds.length === 0) return own;
  const key = String(own.schema.get('discriminatorKey') ?? '__t');
  const row = (await own.collection.findOne(filter, { projection: { [key]: 1 }, ...sessionOf(context) })) as Row | null;
  return kinds.find((kind) => markOf(kind) === row?.[key]) ?? own;
}

/** The value of the discriminator key of a model's documents. */
const markOf = ({ schema }: Model): unknown =>
  (schema as unknown as { discriminatorMapping?: { value: unknown } }).discriminatorMapping?.value;

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
