/** JSON Merge Patch (RFC 7396): `null` removes, objects are merged, anything else replaces. */
import { isKeyOfPart } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { nameBeside } from '../../models/fields/resolve-alias.ts';
import type { Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { Readable } from '../../policy/readable.ts';
import type { Difference } from '../plan/difference.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * What a patch changes in a document: the paths that it names, as deep as objects are merged. An object for a path that the caller may not
 * read is merged without reading the stored value.
 */
export function mergeChanges(schema: ModelSchema, before: Row, patch: Json, readable: Readable): Difference {
  const found: Row = {};
  const merge = (stored: Json, given: Json, prefix: string): void => {
    for (const [key, value] of Object.entries(given)) {
      const name = nameBeside(schema, prefix, key);
      const path = prefix + name;
      const inner = Object.hasOwn(stored, name) ? stored[name] : undefined;
      if (!isPlainObject(value)) {
        // a nested document may be sent with its kind
        if (value !== inner || !isKeyOfPart(schema, path)) found[path] = value ?? undefined;
      } else if (isPlainObject(inner)) merge(inner, value, `${path}.`);
      else if (!readable.shows(path)) merge({}, value, `${path}.`);
      else found[path] = withoutNulls(value);
    }
  };
  merge(before, patch, '');
  return found;
}

/** An object that is new in the document: members of null are left out. */
const withoutNulls = (value: Json): Json =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null ? [] : [[name, isPlainObject(inner) ? withoutNulls(inner) : inner]],
    ),
  );

/** The values of a patch by the dotted paths of its leaves. */
export function leavesOf(patch: Json): Row {
  const leaves: [path: string, value: unknown][] = [];
  const collect = (part: Json, prefix: string): void => {
    for (const [name, value] of Object.entries(part))
      if (isPlainObject(value) && Object.keys(value).length > 0) collect(value, `${prefix}${name}.`);
      else leaves.push([prefix + name, value]);
  };
  collect(patch, '');
  return Object.fromEntries(leaves);
}
