/**
 * Refuses halves of surrogate pairs in JSON (RFC 8259, 8.2): they are no characters, and BSON, which is UTF-8, would store U+FFFD in
 * their place.
 */
import { badBody } from '../../../errors.ts';

/** An escaped half: two of them are one character. In UTF-8 there are none, so that a text without escapes need not be searched. */
const escapedHalf = /\\u[dD][89a-fA-F]/;

/** A value in JSON, and where it is. */
interface Place {
  readonly value: unknown;
  readonly name: string;
  readonly in: Place | undefined;
}

/** @param value what the text stands for @throws 400 that names the first path with a half */
export function checkCharacters(text: string, value: unknown): void {
  if (!escapedHalf.test(text)) return;
  const open: Place[] = [{ value, name: '', in: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: found } = place;
    if (!place.name.isWellFormed() || (typeof found === 'string' && !found.isWellFormed())) throw halfAt(place);
    if (typeof found !== 'object' || found === null) continue;
    for (const [name, inner] of Object.entries(found).reverse()) open.push({ value: inner, name, in: place });
  }
}

function halfAt(place: Place) {
  const names: string[] = [];
  for (let at: Place | undefined = place; at?.in !== undefined; at = at.in) names.unshift(escaped(at.name));
  const path = names.join('.').slice(0, maxPath);
  return badBody(`${path === '' ? 'the text' : path} has half of a surrogate pair, which is no character`);
}

const maxPath = 300;

/** A name as JSON writes it: `\ud800` for a half. */
const escaped = (name: string): string => JSON.stringify(name).slice(1, -1);
