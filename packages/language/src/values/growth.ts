/** Computes the growth of a changed document without encoding it: parts that both versions share are skipped. */
import { sizeOfElement } from './encode.ts';
import { isDoc } from './kind.ts';
import type { Doc, Value } from './types.ts';

/**
 * The bytes by which the encoded later version is longer; negative if it is shorter.
 * @throws StoreError 15 if a new value is nested too deeply
 */
export const growthOf = (before: Doc, after: Doc): number => inDocument(before, after, 0);

function inDocument(before: Doc, after: Doc, depth: number): number {
  let growth = 0;
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) growth += inElement(name, [before[name], undefined], depth);
  }
  for (const name of Object.keys(after)) {
    growth += inElement(name, [Object.hasOwn(before, name) ? before[name] : undefined, after[name]], depth);
  }
  return growth;
}

type Versions = readonly [before: Value, after: Value];

function inElement(name: string, [before, after]: Versions, depth: number): number {
  if (before === after) return 0;
  if (isDoc(before) && isDoc(after)) return inDocument(before, after, depth + 1);
  if (Array.isArray(before) && Array.isArray(after)) return inArray(before, after, depth + 1);
  return sizeIn(name, after, depth) - sizeIn(name, before, depth);
}

/** An undefined field is not encoded. */
const sizeIn = (name: string, value: Value, depth: number): number =>
  value === undefined ? 0 : sizeOfElement(name, value, depth);

function inArray(before: readonly Value[], after: readonly Value[], depth: number): number {
  let growth = 0;
  const shared = Math.min(before.length, after.length);
  for (let at = 0; at < shared; at += 1) {
    if (before[at] !== after[at]) growth += inElement(String(at), [before[at] ?? null, after[at] ?? null], depth);
  }
  for (let at = shared; at < before.length; at += 1) growth -= sizeOfElement(String(at), before[at] ?? null, depth);
  for (let at = shared; at < after.length; at += 1) growth += sizeOfElement(String(at), after[at] ?? null, depth);
  return growth;
}
