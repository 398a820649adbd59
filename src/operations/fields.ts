/** Parts of requests of the server's own operations, which are about no document of a model. */
import type { Context } from '../context.ts';
import { badValue } from '../errors/errors.ts';
import { castId } from '../models/fields/values/ids-and-dates.ts';
import { isPlainObject } from '../models/plain-object.ts';

/** The fields of a body that is not a document; none when the body is not an object. */
export const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};

/** The id in the path, as it is stored as a text. @throws 400 */
export const idIn = ({ params }: Context): string => castId('id', params['id'] ?? '').toHexString();

/** Characters of a filter in JSON. */
const maxFilter = 10_000;

export const filterRule = 'must be a filter, such as {"status": "open"}, or null';

/** The text of a filter that is kept. @returns null for none @throws 400 */
export function filterText(filter: unknown): string | null {
  if (filter === null) return null;
  if (!isPlainObject(filter)) throw badValue('filter', 'object', filterRule);
  const text = JSON.stringify(filter);
  if (text.length > maxFilter) throw badValue('filter', 'maxLength', `must have at most ${maxFilter} characters`);
  return Object.keys(filter).length === 0 ? null : text;
}
