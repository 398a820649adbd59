/** The parts of a stored document that one caller may read, for writes that depend on them. */
import { isDeepStrictEqual } from 'node:util';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { isSecretName } from '../models/secrets.ts';
import type { SchemaView } from '../query/schema-view.ts';
import { hiddenInDocument, type HiddenPart, hiddenPart, partAt } from './hidden.ts';
import type { Policy } from './policy.ts';
import { hiddenInStoredFields } from './presentation.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Readable {
  /** Whether the caller may read a path. @param path dotted; positions in lists do not count */
  shows(path: string): boolean;
  /** The value at a path with its stored types, without what the caller may not read. */
  part(value: unknown, path: string): unknown;
  /** The path that stores what callers may read by a name, such as `_id` for `id`, or the path of an alias. */
  stored(path: string): string;
  /** Whether two paths name the same place of the schema. */
  isSame(path: string, other: string): boolean;
}

/** Nothing is shown of a row that the caller may not read. */
export function readableIn(policy: Policy, row: Row): Readable {
  const place = (path: string): string => withoutPositions(policy.model.schema, path);
  const isSame = (path: string, other: string): boolean => place(path) === place(other);
  const stored = (path: string): string => realPath(policy.model.schema, path);
  if (!policy.admits('r', row)) return { shows: () => false, part: () => undefined, stored, isSame };
  const whole = hiddenInDocument(hiddenPart(policy.hiddenIn(row)), row);
  return {
    shows: (path) => isShown(whole, place(path)),
    part: (value, path) => strip(value, partAt(whole, place(path))),
    stored,
    isSame,
  };
}

/** Whether documents of answers have nothing that is hidden in a view. They have more names than the schema, such as `id` and those of links. */
export const showsAll = ({ hidden }: SchemaView, documents: readonly object[]): boolean =>
  documents.every((document) => isDeepStrictEqual(strip(document, hiddenPart(hiddenInStoredFields(hidden))), document));

function isShown(whole: HiddenPart, path: string): boolean {
  let part = whole;
  for (const name of path.split('.')) {
    if (part.hides(name)) return false;
    part = part.below(name);
  }
  return true;
}

function strip(value: unknown, hidden: HiddenPart): unknown {
  if (Array.isArray(value)) return value.map((member) => strip(member, hidden));
  if (!isPlainObject(value)) return value;
  const part = hiddenInDocument(hidden, value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (part.hides(key) ? [] : [[key, strip(inner, part.below(key))]])),
  );
}

/** A stored password hash, which stays where it is: written again, it would be hashed again. */
export class StoredSecret {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A copy of a document in which stored passwords are marked. */
export function withMarkedSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMarkedSecrets);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecretName(key) ? new StoredSecret(inner) : withMarkedSecrets(inner),
    ]),
  );
}
