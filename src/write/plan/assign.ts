/** Sets values of a loaded document. */
import { badBody } from '../../errors/errors.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { withoutPositions } from '../../models/fields/numbered-names.ts';
import { isPartOfLeaf, isPosition, typeAt } from '../../models/fields/path-type.ts';
import { directlyModified, type Row, unmarkModified, valueAt } from '../../models/mongoose.ts';

/** The parts of Mongoose documents that are used here: of a whole one, or of one inside it. */
interface Assignable {
  $set(values: Row): unknown;
  $set(path: string, value: unknown): unknown;
}

/**
 * Sets values by their paths. Mongoose takes numbers in paths for positions, and drops a value below a name of digits inside nested documents,
 * and that of a virtual of these. So such a value is set on the innermost document around it. No value of a nested object is set by its path, since
 * Mongoose refuses it among others where `strict` is 'throw'.
 */
export function assign(document: Assignable, schema: ModelSchema, values: Row): void {
  const others: Row = {};
  for (const [path, value] of Object.entries(values)) {
    const around = aroundDigits(schema, path) ?? aroundVirtual(schema, path);
    if (around === undefined && isNothing(value)) document.$set(path, value);
    else if (around === undefined) others[path] = value;
    else documentAt(document, around).$set({ [path.slice(around.length + 1)]: value });
  }
  document.$set(others);
}

/**
 * Unmarks the entries of maps in lists: Mongoose marks them by paths without positions, also where the list stays as it is stored. It marks a list
 * that changes as well.
 */
export function unmarkEntries(document: object, schema: ModelSchema): void {
  for (const path of directlyModified(document)) if (isPartOfLeaf(schema, path)) unmarkModified(document, path);
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** The document inside another one, which is created where there is none. */
function documentAt(document: Assignable, path: string): Assignable {
  if (!isAssignable(valueAt(document, path))) document.$set({ [path]: {} });
  const inner = valueAt(document, path);
  if (!isAssignable(inner)) throw badBody(`${path} of this document is not an object and has no subpaths`);
  return inner;
}

const isAssignable = (value: unknown): value is Assignable =>
  typeof value === 'object' && value !== null && '$set' in value;

/** The path of the innermost document that a path with a name of digits goes through; undefined if there is none. */
const aroundDigits = (schema: ModelSchema, path: string): string | undefined =>
  withoutPositions(schema, path).split('.').some(isPosition) ? innermostDocument(schema, path)?.path : undefined;

/** The path of the innermost document around a virtual of its own. */
function aroundVirtual(schema: ModelSchema, path: string): string | undefined {
  const around = path.includes('.') ? innermostDocument(schema, path) : undefined;
  return around !== undefined && around.schema.virtuals.has(path.slice(around.path.length + 1))
    ? around.path
    : undefined;
}

function innermostDocument(
  schema: ModelSchema,
  path: string,
): { readonly path: string; readonly schema: ModelSchema } | undefined {
  const parts = path.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const around = parts.slice(0, length).join('.');
    const type = typeAt(schema, around);
    if (type.kind === 'document' && type.schema !== undefined && !type.array)
      return { path: around, schema: type.schema };
  }
  return undefined;
}
