/** JSON Pointers (RFC 6901) as lists of names. */
import { isDangerous } from '../../query/key-checks.ts';

/** The names that lead to a part of a document; empty for the document itself. */
export type Pointer = readonly string[];

/** @returns the names, or a sentence that says what is wrong */
export function readPointer(text: string): Pointer | string {
  if (text === '') return [];
  if (!text.startsWith('/')) return 'must be empty or begin with /';
  if (/~(?![01])/.test(text)) return 'may have ~ only in ~0 and ~1';
  const names = text
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const refused = names.find((name) => isDangerous(name) || name.includes('.'));
  return refused === undefined ? names : `has ${JSON.stringify(refused.slice(0, 60))}, which cannot be used as a name`;
}

/** The dotted path of a pointer; the `-` of an appended member names the list. */
export const pathOf = (pointer: Pointer): string => (pointer.at(-1) === '-' ? pointer.slice(0, -1) : pointer).join('.');
