/** Fields that their schema declares immutable, which Mongoose leaves as they are: a JSON Patch that names one is refused. */
import { badValue } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { schemaOfKind } from '../../models/fields/known-path.ts';
import type { Immutable, ModelSchema } from '../../models/fields/model-schema.ts';
import { withoutPositions } from '../../models/fields/numbered-names.ts';
import { modelOf, type Row, valueAt } from '../../models/mongoose.ts';

/** @param stored the document @param changed the paths whose values differ @throws 400 naming a path that this document may not change */
export function refuseImmutable(model: ModelEntry, stored: Row, changed: readonly string[]): void {
  // those of kinds are among them
  if (model.schema.immutables.size === 0) return;
  const document = modelOf(model).hydrate(stored);
  for (const path of changed)
    if (isImmutable(document, model.schema, path))
      throw badValue(path, 'immutable', 'cannot be changed in this document');
}

/** Whether a loaded document may not change a path, or one above it. */
export function isImmutable(document: object, schema: ModelSchema, path: string): boolean {
  if (schema.immutables.size === 0) return false;
  return [...schemaOfKind(schema, valueAt(document, schema.kindKey)).immutables].some(
    ([above, immutable]) =>
      isAtOrBelow(withoutPositions(schema, path), above) && holds(immutable, ownerOf(document, path)),
  );
}

const isAtOrBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

const holds = (immutable: Immutable, owner: unknown): boolean =>
  immutable === true || Boolean(immutable.call(owner, owner));

/** The innermost document around a path, which rules get. */
function ownerOf(document: object, path: string): unknown {
  const parts = path.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const inner: unknown = valueAt(document, parts.slice(0, length).join('.'));
    if (typeof inner === 'object' && inner !== null && '$isSubdocument' in inner) return inner;
  }
  return document;
}
