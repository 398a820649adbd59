/**
 * Keeps the server's password hashes in models whose middleware or setters hash passwords themselves, as Mongoose applications
 * do (docs/models.md, "Built-in models"): the value at a password-named path is a hash before such code runs, and a hash of it
 * would fit no password.
 */
import type { Schema, SchemaType } from 'mongoose';
import { isModified, valueAt } from '../mongoose.ts';
import { isPasswordHash } from '../password-hashes.ts';
import { isSecretPath } from '../secrets.ts';
import { schemaParts, type Setter, typeParts } from './internals.ts';
import { ofServer } from './model-writes.ts';
import { ownMiddleware } from './save-hooks.ts';
import { placesOf, typesIn } from './schema-places.ts';

interface Saved {
  $set(path: string, value: unknown): unknown;
}

/** Hashes by the paths of the documents that are being saved. */
const hashesBefore = new WeakMap<Saved, ReadonlyMap<string, string>>();

/** To be called when all middleware of a model file has been added. It concerns nested schemas and discriminators, too. */
export function keepHashes(schema: Schema): void {
  const places = placesOf(schema);
  for (const { type } of places.flatMap(typesIn).filter(({ path }) => isSecretPath(path))) keepInSetters(type);
  const schemas = new Set(places.map((place) => place.schema));
  for (const one of schemas) {
    // a discriminator has the paths of its model only when it is compiled
    const paths = new Set([...secretsOf(one), ...(one === schema ? [] : secretsOf(schema))]);
    if (paths.size > 0 && ownMiddleware(one).some(({ name }) => name === 'save' || name === 'validate'))
      keepIn(one, [...paths]);
  }
}

const secretsOf = ({ paths }: Schema): readonly string[] =>
  Object.keys(paths).filter((path) => isSecretPath(path) && !path.includes('$'));

/** Setters that hash, and those that change the letters, apply to passwords and not to hashes. */
function keepInSetters(type: SchemaType): void {
  const { setters } = typeParts(type);
  for (const [at, setter] of setters.entries()) {
    const keeping: Setter = function (value, ...others) {
      return isPasswordHash(value) ? value : setter.call(this, value, ...others);
    };
    Object.defineProperty(keeping, 'length', { value: setter.length });
    setters[at] = Object.assign(keeping, setter);
  }
}

function keepIn(schema: Schema, paths: readonly string[]): void {
  const note = ofServer(function (this: Saved) {
    hashesBefore.set(this, hashesOf(this, paths));
  });
  const restore = ofServer(function (this: Saved) {
    for (const [path, hash] of hashesBefore.get(this) ?? []) if (valueAt(this, path) !== hash) this.$set(path, hash);
  });
  schemaParts(schema).s.hooks.pre('validate', {}, note, null, true);
  schema.pre('validate', restore as never);
  schema.pre('save', restore as never);
}

/** What code of a model file sets is not a hash before its own middleware has run. */
function hashesOf(document: Saved, paths: readonly string[]): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  for (const path of paths) {
    const value = isModified(document, path) ? valueAt(document, path) : undefined;
    if (isPasswordHash(value)) hashes.set(path, value);
  }
  return hashes;
}
