/** A change at a path: what an update operator compiles to. */
import { StoreError } from '../errors.ts';
import type { Charge } from '../query/index.ts';
import type { Collation } from '../values/collation.ts';
import { same } from '../values/same.ts';
import { show } from '../values/show.ts';
import type { Value } from '../values/types.ts';
import { blocked, type Draft, type Parts } from './draft.ts';

/** Options of the operators. */
export interface UpdateContext {
  readonly now: Date;
  readonly collation: Collation | undefined;
  /** Meters the work on one document. */
  readonly charge: Charge;
}

/** The place of a change, for messages. */
export interface UpdateTarget {
  readonly path: string;
  /** The `_id` of the document, for messages. */
  readonly id: Value;
}

/** A change at a path without `$` parts. */
export interface Change {
  /** Whether it applies only if an upsert inserts. */
  readonly onlyInserting?: boolean;
  /** The number of values that it may write at a place, if not one. */
  readonly values?: number;
  make(draft: Draft, parts: Parts, place: UpdateTarget): void;
}

/** Computes the new value from the old one (undefined if missing); undefined removes the field. */
export type Next = (old: Value, place: UpdateTarget) => Value;

/** A change that creates missing fields. */
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

/** A change that leaves missing fields missing. */
export function changing(next: (old: Value, place: UpdateTarget) => Value): Change {
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

/** The error of a path that leads through a value which is not a container. */
export function notTraversed(parts: Parts, at: number, element: Value): StoreError {
  const name = parts[at - 1] ?? '';
  return new StoreError(
    28,
    `Cannot use the part (${parts[at] ?? ''}) of (${parts.join('.')}) to traverse the element ({${name}: ${show(element)}})`,
  );
}

/** Parses the operand of an operator for one path. */
export type ChangeReader = (operand: Value, path: string, context: UpdateContext) => Change;

/** MongoDB's BadValue. */
export const badValue = (message: string): StoreError => new StoreError(2, message);
