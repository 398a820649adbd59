/** A value as an error message shows it, cut short. */
import { EJSON } from 'bson';
import type { Value } from './types.ts';

const longest = 200;

/** A value as short text. */
export function show(value: Value): string {
  const text = EJSON.stringify(value, { relaxed: true }) ?? 'missing';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
