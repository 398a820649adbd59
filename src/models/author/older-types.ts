/**
 * Schema types of packages that were written for Mongoose 6 and earlier. These versions call `castForQuery(value)` where there is no operator
 * and `castForQuery(operator, value)` where there is one. Later ones always pass an operator or null, the value, and a context, so such a
 * type would cast null in place of the value.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Schema, SchemaType } from 'mongoose';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { BSON } from '../object-id.ts';

type CastForQuery = (this: unknown, ...given: unknown[]) => unknown;

/** A schema type, or the prototype of a class of them. */
interface Caster {
  castForQuery: CastForQuery;
  applySetters(value: unknown): unknown;
}

/** The functions that have been examined, and those that stand for them. */
const examined = new WeakSet<CastForQuery>();

/** Makes the classes of a schema's types cast as this version of Mongoose calls them. Classes that do so are left as they are. */
export function adaptOlderTypes(schema: Schema): void {
  for (const { type } of placesOf(schema).flatMap(typesIn))
    for (const owner of ownersOf(type)) {
      const cast = owner.castForQuery;
      if (examined.has(cast)) continue;
      examined.add(cast);
      if (isOlder(type, cast)) adapt(type, owner);
    }
}

/** What defines `castForQuery` for a type, from the root of its classes on: those derived from an older class call it. */
function ownersOf(type: SchemaType): readonly Caster[] {
  const owners: Caster[] = [];
  for (let at: unknown = type; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, 'castForQuery')) owners.unshift(at as Caster);
  return owners;
}

/** Pairs of values of which a type takes at least one. */
const pairs: readonly (readonly [unknown, unknown])[] = [
  [7, 8],
  ['7', '8'],
  [new Date(7), new Date(8)],
  [new BSON.ObjectId('0'.repeat(24)), new BSON.ObjectId('1'.repeat(24))],
];

/** Whether the result of a call depends on a value. It does not where the call fails for all values. */
const dependsOn = (call: (value: unknown) => unknown): boolean =>
  pairs.some((pair) => {
    const [one, other] = pair.map((value) => {
      try {
        return [call(value)];
      } catch {
        return undefined;
      }
    });
    return !isDeepStrictEqual(one, other);
  });

/** A type that casts nothing, so that a call of its function shows which argument the function casts. */
function transparent(type: SchemaType): object {
  const same = { value: (value: unknown) => value };
  return Object.create(type, { cast: same, applySetters: same, _castForQuery: same }) as object;
}

/** Whether a function casts its only argument, and not the second of three. One that declares three parameters is not called. */
function isOlder(type: SchemaType, cast: CastForQuery): boolean {
  if (cast.length > 2) return false;
  const stub = transparent(type);
  return !dependsOn((value) => cast.call(stub, null, value, null)) && dependsOn((value) => cast.call(stub, value));
}

function adapt(type: SchemaType, owner: Caster): void {
  const older = owner.castForQuery;
  const stub = transparent(type);
  const takesOperators = ['$eq', '$gte', '$in'].some((operator) =>
    dependsOn((value) => older.call(stub, operator, operator === '$in' ? [value] : value)),
  );
  const inherited = Object.getPrototypeOf(owner) as Caster;
  const castForQuery: CastForQuery = function (...given) {
    const [operator, value] = given;
    // the class's own functions call it as they always have
    if (given.length < 2) return older.call(this, operator);
    if (operator === null || operator === undefined) return older.call(this, value);
    return takesOperators ? older.call(this, operator, value) : inherited.castForQuery.call(this, ...given);
  };
  examined.add(castForQuery);
  replace(owner, 'castForQuery', castForQuery);
  // what Mongoose 5 and 6 have for this purpose
  if (!('_castForQuery' in owner))
    replace(owner, '_castForQuery', function (this: Caster, value: unknown) {
      return this.applySetters(value);
    });
}

/** Defines a function as a class does. A class that cannot be changed stays as it is. */
const replace = (owner: object, name: string, value: unknown): boolean =>
  Reflect.defineProperty(owner, name, { value, writable: true, configurable: true });
