/** Replacing a secret: the body that names how long the earlier one remains valid. */
import { type JsonSchema, object } from '../docs/openapi/shapes.ts';
import { badBody, badValue } from '../errors/errors.ts';
import { ownCheck } from './body-check.ts';
import type { Body } from './operation.ts';

/** Seconds for which a replaced secret may remain valid: a week. */
const maxOverlap = 604_800;
const overlap: JsonSchema = { type: 'integer', minimum: 0, maximum: maxOverlap };

export const rotationBody: Body = {
  schema: object({}, { overlap: ownCheck(overlap) }),
  optional: true,
  refuse: () => badBody('send an object, such as {"overlap": 3600}'),
};

/** @returns seconds @throws 400 */
export function overlapIn(body: unknown): number {
  const { overlap: given = 0 } = (body ?? {}) as { readonly overlap?: unknown };
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= maxOverlap) return given;
  const got = JSON.stringify(given).slice(0, 40);
  throw badValue('overlap', 'Number', `must be a whole number of seconds from 0 to ${maxOverlap}, got ${got}`);
}
