/** What an update operator becomes: a change at a path, given the value that is there. */
import { StoreError } from '../errors.ts';
import type { Charge } from '../query/index.ts';
import type { Collation } from '../values/collation.ts';
import { same } from '../values/same.ts';
import { show } from '../values/show.ts';
import type { Value } from '../values/types.ts';
import { blocked, type Draft, type Parts } from './draft.ts';

/** What the operators may need to know. */
export interface UpdateContext {
  readonly now: Date;
  readonly collation: Collation | undefined;
  /** Counts the work on one document. */
  readonly charge: Charge;
}

/** Where a change is being made. */
export interface Place {
  readonly path: string;
  /** The `_id` of the document, for messages. */
  readonly id: Value;
}

/** A change at a path without `$` parts. */
export interface Change {
  /** True for what happens only when an upsert inserts. */
  readonly onlyInserting?: boolean;
  /** How many values it may write at a place, when it is not one. */
  readonly values?: number;
  make(draft: Draft, parts: Parts, place: Place): void;
}

/** A new value for the one that is there (undefined when it is missing); undefined means that it goes. */
export type Next = (old: Value, place: Place) => Value;

/** A change that makes what is missing. */
export function setting(next: Next, onlyInserting = false): Change {
  return {
    onlyInserting,
    make: (draft, parts, place) => {
      const found = draft.find(parts);
      if (found.kind === 'blocked') throw blocked(parts, found.at, found.element);
      const old = found.kind === 'there' ? found.value : undefined;
      const value = next(old, place);
      if (old === undefined || !same(old, value)) draft.set(parts, value);
    },
  };
}

/** A change of what is there; what is missing stays so. */
export function changing(next: (old: Value, place: Place) => Value): Change {
  return {
    make: (draft, parts, place) => {
      const found = draft.find(parts);
      if (found.kind === 'blocked') throw notTraversed(parts, found.at, found.element);
      if (found.kind === 'missing') return;
      const value = next(found.value, place);
      if (!same(found.value, value)) draft.set(parts, value);
    },
  };
}

/** The error of a path that can't be followed. */
export function notTraversed(parts: Parts, at: number, element: Value): StoreError {
  const name = parts[at - 1] ?? '';
  return new StoreError(
    28,
    `Cannot use the part (${parts[at] ?? ''}) of (${parts.join('.')}) to traverse the element ({${name}: ${show(element)}})`,
  );
}

/** Reads the operand of one path of an operator. */
export type ChangeReader = (operand: Value, path: string, context: UpdateContext) => Change;

/** MongoDB's BadValue. */
export const badValue = (message: string): StoreError => new StoreError(2, message);
