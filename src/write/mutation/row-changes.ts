/**
 * What a write has done to one document: in a word, and path by path. Differences of the two images of a document are complete: applied
 * to the first image, they give the second one. Pure.
 */
import type { ModelEntry } from '../../models/entry.ts';
import { ObjectId, type Row, sameRow } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { States } from '../contract.ts';

/** What a write does to a document. */
export type DocumentOperation = 'create' | 'change' | 'delete' | 'restore' | 'remove';

const isDeleted = (row: Readonly<Row>): boolean => row['_deleted'] === true;

/** What a write has done to a document. */
export function operationOf({ kind, before, after }: States[number]): DocumentOperation {
  if (after === undefined) return 'remove';
  // only a write of a document that exists may have no image of it, where there are no transactions
  if (before === undefined) return kind === 'change' ? 'change' : 'create';
  if (isDeleted(before) === isDeleted(after)) return 'change';
  return isDeleted(after) ? 'delete' : 'restore';
}

/** Whether a field is set by each write. */
export const isStampOfWrites = ({ schema }: ModelEntry, name: string): boolean =>
  stampsOfWrites.has(name) || Object.values(schema.timestampNames).includes(name);

const stampsOfWrites: ReadonlySet<string> = new Set(['_id', '__v', 'createdAt', 'updatedAt', '_updated_by_id']);

/**
 * The paths whose values differ between two images, without the stamps of writes: those inside of objects in dots, a list as a whole. An
 * image that there is none of has no values.
 */
export function changedPaths(model: ModelEntry, before: Readonly<Row> = {}, after: Readonly<Row> = {}): string[] {
  const found: string[] = [];
  for (const name of namesIn(before, after))
    if (!isStampOfWrites(model, name)) collectPaths(before[name], after[name], name, found);
  return found;
}

function collectPaths(one: unknown, other: unknown, path: string, found: string[]): void {
  if (one === other) return;
  const isNested = (isOpen(one) && (other === undefined || isOpen(other))) || (isOpen(other) && one === undefined);
  const [before, after] = isNested ? [one ?? {}, other ?? {}] : [{}, {}];
  const names = namesIn(before, after);
  for (const name of names) collectPaths(before[name], after[name], `${path}.${name}`, found);
  if (names.size === 0 && !isSame(one, other)) found.push(path);
}

const namesIn = (before: Readonly<Row>, after: Readonly<Row>): ReadonlySet<string> =>
  new Set([...Object.keys(before), ...Object.keys(after)]);

/** A path with its values; without `from` or `to` there is none. The path of the whole document is empty. */
export interface PathChange {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * The differences between two images, as deep as possible. A list whose length changes is one value, since its other members may have
 * moved; so is an object with a name that no path can have.
 */
export function changesBetween(before: Readonly<Row>, after: Readonly<Row>): readonly PathChange[] {
  const found: PathChange[] = [];
  compare({ from: before, to: after }, '', found);
  return found;
}

interface Values {
  readonly from?: unknown;
  readonly to?: unknown;
}

function compare(values: Values, path: string, found: PathChange[]): void {
  const { from, to } = values;
  if (from === to && 'from' in values && 'to' in values) return;
  if (isOpen(from) && isOpen(to)) return compareMembers(from, to, path, found);
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    for (const [at, member] of from.entries()) compare({ from: member, to: to[at] }, `${path}.${at}`, found);
    return;
  }
  if ('from' in values && 'to' in values && isSame(from, to)) return;
  found.push({ path, ...values });
}

function compareMembers(from: Row, to: Row, path: string, found: PathChange[]): void {
  const prefix = path === '' ? '' : `${path}.`;
  for (const name of namesIn(from, to)) {
    // most fields of most writes
    if (from[name] === to[name] && from[name] !== undefined) continue;
    compare(
      {
        ...(Object.hasOwn(from, name) ? { from: from[name] } : {}),
        ...(Object.hasOwn(to, name) ? { to: to[name] } : {}),
      },
      prefix + name,
      found,
    );
  }
}

/** Whether all names of an object can be parts of a path. */
const isOpen = (value: unknown): value is Row =>
  isPlainObject(value) &&
  Object.keys(value).every((name) => name !== '' && name !== '__proto__' && !name.includes('.'));

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (one instanceof ObjectId && other instanceof ObjectId) return one.equals(other);
  return sameRow({ value: one }, { value: other });
}

/**
 * An image with changes applied to it; what they do not name is shared with the first one. Each object and list on their paths is copied once,
 * however many of the changes are in it.
 */
export function withChanges(image: Readonly<Row>, changes: readonly PathChange[]): Row {
  const copies = new Set<unknown>();
  const copied = (value: unknown): Row => {
    if (copies.has(value)) return value as Row;
    const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Row) }) as Row;
    copies.add(copy);
    return copy;
  };
  let result = image;
  for (const change of changes) {
    if (change.path === '') {
      result = change.to as Row;
      continue;
    }
    const names = change.path.split('.');
    const last = names.pop() ?? '';
    let holder = copied(result);
    result = holder;
    for (const name of names) holder = holder[name] = copied(holder[name]);
    if ('to' in change) holder[last] = change.to;
    else delete holder[last];
  }
  return result;
}
