/** Fields that their schema declares immutable, which Mongoose leaves as they are: a JSON Patch that names one is refused. */
import type { Schema } from 'mongoose';
import { badValue } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { withoutPositions } from '../../models/fields/numbered-names.ts';
import { stampPaths } from '../../models/loading/base.ts';
import { type Model, modelOf, type Row } from '../../models/mongoose.ts';
import { typeParts } from '../../models/mongoose/internals.ts';
import { placesOf, typesIn } from '../../models/mongoose/schema-places.ts';

/** `immutable` of a path: true, or a function that is called with the document and has it as `this`. */
type Immutable = true | ((this: unknown, document: unknown) => unknown);

const known = new WeakMap<Schema, ReadonlyMap<string, Immutable>>();

/** The immutable paths of a schema, at any depth, without the stamps, which a body may name and which are ignored. */
function immutablesIn(schema: Schema): ReadonlyMap<string, Immutable> {
  const found = known.get(schema) ?? new Map(placesOf(schema).flatMap(typesIn).flatMap(immutableAt));
  known.set(schema, found);
  return found;
}

const stamps: ReadonlySet<string> = new Set(stampPaths);

function immutableAt({ type, path }: ReturnType<typeof typesIn>[number]): [string, Immutable][] {
  const { $immutable } = typeParts(type);
  const isImmutable = $immutable === true || typeof $immutable === 'function';
  return isImmutable && !stamps.has(path) ? [[path, $immutable as Immutable]] : [];
}

/** @param stored the document @param changed the paths whose values differ @throws 400 naming a path that this document may not change */
export function refuseImmutable(model: ModelEntry, stored: Row, changed: readonly string[]): void {
  const whole = modelOf(model);
  if ([whole, ...Object.values(whole.discriminators ?? {})].every(({ schema }) => immutablesIn(schema).size === 0))
    return;
  const document = whole.hydrate(stored);
  for (const path of changed)
    if (isImmutable(document, model.schema, path))
      throw badValue(path, 'immutable', 'cannot be changed in this document');
}

interface Readable {
  get(path: string): unknown;
}

/** Whether a loaded document may not change a path, or one above it. */
export function isImmutable(document: Readable, schema: Schema, path: string): boolean {
  const { schema: own } = document.constructor as Model<Row>;
  return [...immutablesIn(own)].some(
    ([above, immutable]) =>
      isAtOrBelow(withoutPositions(schema, path), above) && holds(immutable, ownerOf(document, path)),
  );
}

const isAtOrBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

const holds = (immutable: Immutable, owner: unknown): boolean =>
  immutable === true || Boolean(immutable.call(owner, owner));

/** The innermost document around a path, which rules get. */
function ownerOf(document: Readable, path: string): unknown {
  const parts = path.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const inner: unknown = document.get(parts.slice(0, length).join('.'));
    if (typeof inner === 'object' && inner !== null && '$isSubdocument' in inner) return inner;
  }
  return document;
}
