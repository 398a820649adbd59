/** Prints values for error messages. */
import { EJSON } from 'bson';
import type { Value } from './types.ts';

const maxLength = 200;

/** A value as text of limited length. */
export function show(value: Value): string {
  const text = EJSON.stringify(value, { relaxed: true }) ?? 'missing';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
