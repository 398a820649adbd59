/**
 * UUIDs of every version and variant, such as the nil UUID and the GUIDs of other databases. The database holds them all; Mongoose takes
 * those of one variant alone.
 */
import { Schema, type SchemaType } from 'mongoose';
import { uuidIds } from '../fields/id-types.ts';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { BSON } from '../object-id.ts';

/** Makes the UUIDs of a schema take every version and variant. A function that the model file gives as `cast` remains. */
export function takeAnyUuid(schema: Schema): void {
  for (const { type } of placesOf(schema).flatMap(typesIn)) {
    const parts = typeParts(type);
    if (!(type instanceof Schema.Types.UUID) || parts._castFunction !== undefined) continue;
    parts._castFunction = castUuid;
    // Mongoose makes the copies in discriminators from the options, with the validators of the original
    Object.assign(parts.options, { cast: castUuid });
    requireAny(type);
  }
}

const castByMongoose = Schema.Types.UUID.cast() as (value: unknown) => unknown;

const castUuid = (value: unknown): unknown =>
  (typeof value === 'string' ? uuidIds.parse(value) : undefined) ?? castByMongoose(value);

/** Makes `required` count every UUID as a value. */
function requireAny(type: SchemaType): void {
  const parts = typeParts(type);
  const { requiredValidator: required } = parts;
  if (typeof required !== 'function') return;
  const isGiven = function (this: unknown, value: unknown): boolean {
    return Boolean(required.call(this, value)) || value instanceof BSON.UUID;
  };
  parts.requiredValidator = isGiven;
  for (const [at, rule] of parts.validators.entries())
    if (rule.validator === required) parts.validators[at] = { ...rule, validator: isGiven };
}
