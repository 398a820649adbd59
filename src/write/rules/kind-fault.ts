/** Fields of other kinds, which Mongoose would drop from a document that is not of their kind. */
import { badValue, type Failure } from '../../errors/errors.ts';
import { listedValues, valueText } from '../../models/fields/enum-values.ts';
import { ownPathState } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';

/** The kinds whose documents have a path that those of a schema itself lack, as a message names them; undefined where none has it. */
export function kindsWith(schema: ModelSchema, path: string): string | undefined {
  if (ownPathState(schema, path).kind !== 'unknown') return undefined;
  const owners = schema.kinds.filter((kind) => ownPathState(kind.schema, path).kind !== 'unknown');
  const values = [...new Set(owners.flatMap((kind) => kind.value ?? []))];
  if (values.length === 0) return undefined;
  return `${values.length === 1 ? 'kind' : 'the kinds'} ${listedValues(values)}`;
}

/** A document, or one inside it. */
interface Document {
  /** The value of its key. */
  readonly kind: unknown;
  /** Its path with a dot at the end, or empty. */
  readonly prefix: string;
}

/** The failure for a path that documents of other kinds have; undefined for any other. @param path within the document */
export function kindFault(schema: ModelSchema, path: string, { kind, prefix }: Document): Failure | undefined {
  const owners = kindsWith(schema, path);
  if (owners === undefined) return undefined;
  const own = kind === undefined || kind === null ? 'no kind' : `kind ${valueText(kind)}`;
  const what = prefix === '' ? 'document' : 'object';
  return badValue(prefix + path, 'discriminator', `is a field of ${owners}, this ${what} is of ${own}`);
}
