/**
 * Patterns that authors write in models and schemas. Node.js matches some of them in a time that doubles with each character, and answers
 * no other request meanwhile, such as the usual ones of emails: `(\.?\w+)*@`. Those run on an engine of linear time.
 */
import { compileFilter } from 'dossier-language/query';
import { backtracks, type Node, parsePattern } from 'dossier-language/query/regex';
import { decode } from 'dossier-language/values';
import type { Schema } from 'mongoose';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { BSON } from '../object-id.ts';

export type TextTest = (text: string) => boolean;

/**
 * How a pattern is tested: by Node.js where that is quick (`native`), in linear time (`linear`), or in a time that nothing limits
 * (`unbounded`), because it has look-arounds or back references.
 */
export type OwnPattern =
  { readonly kind: 'native' | 'unbounded' } | { readonly kind: 'linear'; readonly test: TextTest };

/** Flags that both engines have, and those without a meaning for a test. */
const flags = /^[imsugd]*$/;

export function ownPattern({ source, flags: given }: RegExp): OwnPattern {
  const translated = flags.test(given) ? inPcre(source, given) : undefined;
  const node = translated === undefined ? undefined : parsed(translated, given);
  // what cannot be judged is left to Node.js, as it has always been
  if (translated === undefined || node === undefined || !backtracks(node)) return { kind: 'native' };
  if (!isRegular(node)) return { kind: 'unbounded' };
  const $options = given.replaceAll(/[ugd]/g, '');
  const filter = decode(BSON.serialize({ text: { $regex: translated, $options } }));
  try {
    const matcher = compileFilter(filter);
    return { kind: 'linear', test: (text) => matcher.matches({ text }) };
  } catch {
    return { kind: 'unbounded' };
  }
}

function parsed(source: string, given: string): Node | undefined {
  try {
    return parsePattern(source, { i: given.includes('i'), m: given.includes('m'), s: given.includes('s'), x: false });
  } catch {
    return undefined;
  }
}

function isRegular(node: Node): boolean {
  if (node.type === 'look' || node.type === 'reference' || node.type === 'atomic') return false;
  if (node.type === 'sequence') return node.parts.every(isRegular);
  if (node.type === 'choice') return node.options.every(isRegular);
  return node.type === 'repeat' || node.type === 'capture' ? isRegular(node.body) : true;
}

/** White space and line ends of JavaScript, as members of a class of PCRE. */
const space = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const lineEnds = String.raw`\n\r\x{2028}\x{2029}`;

const tokens = /\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\[^]|\[\^?\]?|[^]/giu;

/** A pattern of JavaScript in PCRE's syntax; undefined for what PCRE reads differently and has no other form for. */
function inPcre(source: string, given: string): string | undefined {
  let isInClass = false;
  let result = '';
  for (const [token] of source.matchAll(tokens)) {
    const next = isInClass ? inClass(token) : outside(token, given);
    if (next === undefined) return undefined;
    if (token === ']' || (!isInClass && token.startsWith('['))) isInClass = token !== ']';
    result += next;
  }
  return result;
}

function inClass(token: string): string | undefined {
  if (token === String.raw`\S`) return undefined;
  if (token === String.raw`\s`) return space;
  // PCRE has names of classes in brackets
  return token.startsWith('[') ? token.replace('[', String.raw`\[`) : characterOf(token);
}

function outside(token: string, given: string): string | undefined {
  // an empty class, and one of everything
  if (token === '[]' || token === '[^]') return undefined;
  if (token === '$') return given.includes('m') ? token : String.raw`\z`;
  if (token === '.') return given.includes('s') ? token : `[^${lineEnds}]`;
  if (token === String.raw`\s`) return `[${space}]`;
  if (token === String.raw`\S`) return `[^${space}]`;
  return characterOf(token);
}

function characterOf(token: string): string {
  const code = /^\\u\{?([0-9a-f]{4,})\}?$/i.exec(token)?.[1] ?? /^\\u\{([0-9a-f]+)\}$/i.exec(token)?.[1];
  return code === undefined ? token : String.raw`\x{${code}}`;
}

/**
 * Makes the patterns that can run in linear time do so. Mongoose copies types with their rules, so the copies have nothing in common that
 * could be replaced but the pattern itself.
 */
export function matchInLinearTime(schema: Schema): void {
  for (const { regexp } of patternsIn(schema)) {
    const pattern = ownPattern(regexp);
    if (pattern.kind === 'linear' && Object.isExtensible(regexp))
      Object.defineProperty(regexp, 'test', {
        value: (text: unknown) => pattern.test(String(text)),
        configurable: true,
      });
  }
}

/** The paths of those for which no limit of time can be given. */
export const unboundedPatterns = (schema: Schema): readonly string[] => [
  ...new Set(patternsIn(schema).flatMap(({ path, regexp }) => (ownPattern(regexp).kind === 'unbounded' ? [path] : []))),
];

const patternsIn = (schema: Schema): readonly { readonly path: string; readonly regexp: RegExp }[] =>
  placesOf(schema)
    .flatMap(typesIn)
    .flatMap(({ type, path }) =>
      typeParts(type).validators.flatMap(({ type: kind, regexp }) =>
        kind === 'regexp' && regexp instanceof RegExp ? [{ path, regexp }] : [],
      ),
    );
