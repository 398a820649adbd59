/** The caller's own document in row rules: how rules name its paths, and the values there. */
import { badFilter } from '../errors/errors.ts';
import { pathState } from '../models/fields/known-path.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { isSecretPath } from '../models/secrets.ts';

/** The caller's own document, as far as rules name its paths; undefined for callers who have not signed in. */
export type OwnDocument = Readonly<Record<string, unknown>> | undefined;

/** Whether the address of a user is verified, as a path of the user model. It is always true or false. */
export const verifiedPath = 'email_verified';

const prefix = '$user.';
/** What rules call that path. */
export const verifiedKey = `${prefix}verified`;

/** Whether a value of a rule stands for a path of the caller's own document. */
export const isOwn = (value: unknown): value is string => typeof value === 'string' && value.startsWith(prefix);

/**
 * The path of the user model that a text of a rule names. `verified` is that of addresses, unless the model has a field of this name.
 * @throws 400 for a path that the model does not store, and for secrets
 */
export function ownPath(text: string, user: ModelSchema): string {
  const isStored = (path: string): boolean => pathState(user, path).kind === 'stored';
  const named = text.slice(prefix.length);
  const path = text === verifiedKey && !isStored(named) ? verifiedPath : named;
  if (path === '' || isSecretPath(path) || !isStored(path)) throw badFilter(`${text} is not a path of the user model`);
  return path;
}

/** The value at a dotted path of the caller's document; through a list, the list of what its members have there. */
export function valueOf(value: unknown, path: string): unknown {
  let at = [value];
  let isList = false;
  for (const part of path.split('.')) {
    at = at.flatMap((one): unknown[] => {
      const members = Array.isArray(one) ? (one as unknown[]) : [one];
      isList ||= Array.isArray(one);
      return members.flatMap((member) =>
        isPlainObject(member) && Object.hasOwn(member, part) && member[part] !== undefined ? [member[part]] : [],
      );
    });
  }
  return isList ? at.flat() : at[0];
}
