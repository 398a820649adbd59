/**
 * Parses JSON as it is stored: `JSON.parse` makes another number of one that a double cannot hold (RFC 8259, 6), and leaves halves of
 * surrogate pairs, which are refused. A text without long numbers is only parsed.
 */
import { randomUUID } from 'node:crypto';
import { badBody, dangerousKey, Failure, tooDeep } from '../../../errors/errors.ts';
import { whereNotJson } from '../../../text/json-fault.ts';
import { BSON } from '../../object-id.ts';

/** A whole number of 64 bits that no double holds safely. In JSON it has its extended form. */
export class LongLiteral extends BSON.Long {
  toJSON(): unknown {
    return { $numberLong: this.toString() };
  }
}

/**
 * A number with more digits than a double keeps. It is a decimal only where one is stored (`exactDecimal`), and a double, rounded as
 * all JSON is, elsewhere.
 */
export class DecimalLiteral extends BSON.Decimal128 {
  constructor(readonly text: string) {
    super(BSON.Decimal128.fromStringWithRounding(text).bytes);
  }

  override toString(): string {
    return this.text;
  }
}

/** Sixteen digits or an exponent of three: numbers with less of both are exact. The text may be one of a string. */
const mayBeRounded = /\d(?:\.?\d){15}|[eE][+-]?\d{3}/;

/**
 * Parses a text with the given parser; numbers that it would round become a `LongLiteral` or a `DecimalLiteral`.
 * @throws what the parser throws, and 400 for half of a surrogate pair
 */
export function parseExactly(text: string, parse: (text: string) => unknown): unknown {
  // the parser reports the faults of the text as it is
  const parsed = parse(text);
  checkCharacters(text, parsed);
  if (!mayBeRounded.test(text)) return parsed;
  const { marked, literals, mark } = markedText(text);
  return literals.length === 0 ? parsed : unmarked(parse(marked), literals, mark);
}

interface MarkedText {
  /** The text with a string in place of each number that would be rounded: the mark and the index of the number. */
  readonly marked: string;
  readonly literals: readonly object[];
  /** Unpredictable, so that no string of a caller looks like one of these. */
  readonly mark: string;
}

/** @param text well-formed JSON */
function markedText(text: string): MarkedText {
  const mark = `${randomUUID()}:`;
  const literals: object[] = [];
  let marked = '';
  let copied = 0;
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') {
      token.lastIndex = endOfString(text, found.index);
      continue;
    }
    const literal = exactly(found[0]);
    if (literal === undefined) continue;
    marked += `${text.slice(copied, found.index)}"${mark}${literals.length}"`;
    copied = token.lastIndex;
    literals.push(literal);
  }
  return { marked: marked + text.slice(copied), literals, mark };
}

/** The position after the string that begins at a position. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (backslashesBefore(text, end) % 2 === 1) end = text.indexOf('"', end + 1);
  return end + 1;
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === '\\') count += 1;
  return count;
}

/** The range of 64 bits. */
export const [minLong, maxLong] = [-(2n ** 63n), 2n ** 63n - 1n];

/** @returns undefined for a number that `JSON.parse` reads exactly, or as infinite, which is refused elsewhere */
function exactly(literal: string): object | undefined {
  // a double keeps fifteen digits
  if (literal.length <= 15 && !hasExponent.test(literal)) return undefined;
  const number = Number(literal);
  if (!Number.isFinite(number) || Number.isSafeInteger(number)) return isWhole(literal) ? undefined : decimal(literal);
  if (!isWhole(literal)) return decimal(literal);
  const whole = BigInt(literal);
  return whole >= minLong && whole <= maxLong ? new LongLiteral(whole) : decimal(literal);
}

const hasExponent = /e/i;
const isWhole = (literal: string): boolean => /^-?\d+$/.test(literal);

/** Whether a double stands for a whole number: it is equal, or has this number as its shortest text, as JavaScript writes it. */
export const isHeldBy = (whole: bigint, number: number): boolean =>
  BigInt(number) === whole || sameDigits(String(whole), String(number));

function decimal(literal: string): DecimalLiteral | undefined {
  const number = Number(literal);
  if (!Number.isFinite(number) || sameDigits(literal, String(number))) return undefined;
  try {
    return new DecimalLiteral(literal);
  } catch {
    // the exponent is beyond those of decimals
    return undefined;
  }
}

/** Whether two numbers in JSON have the same decimal value. */
function sameDigits(one: string, other: string): boolean {
  const [first, second] = [partsOf(one), partsOf(other)];
  return first.digits === second.digits && (first.digits === '' || first.exponent === second.exponent);
}

/** The digits of a number without zeros at both ends, with the sign, and the exponent of the last one. */
function partsOf(literal: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const sign = end > 0 && mantissa.startsWith('-') ? '-' : '';
  return { digits: sign + all.slice(0, end), exponent: Number(power) - fraction.length + all.length - end };
}

/** Replaces marks by their numbers, in place and without recursion. */
function unmarked(parsed: unknown, literals: readonly object[], mark: string): unknown {
  const root = { value: parsed };
  const open: object[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop())
    for (const [key, value] of Object.entries(parent) as [string, unknown][]) {
      if (typeof value === 'object' && value !== null) open.push(value);
      // the name would set the prototype; values with it are refused
      else if (typeof value === 'string' && value.startsWith(mark) && key !== '__proto__')
        (parent as Record<string, unknown>)[key] = literals[Number(value.slice(mark.length))];
    }
  return root.value;
}

// halves of surrogate pairs (RFC 8259, 8.2): they are no characters, and BSON, which is UTF-8, would store U+FFFD in their place

/** An escaped half: two of them are one character. In UTF-8 there are none, so that a text without escapes need not be searched. */
const escapedHalf = /\\u[dD][89a-fA-F]/;

/** A value in JSON, and where it is. */
interface Place {
  readonly value: unknown;
  readonly name: string;
  readonly in: Place | undefined;
}

/** @param value what the text stands for @throws 400 that names the first path with a half */
function checkCharacters(text: string, value: unknown): void {
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

/** Reads a body from JSON, with whole numbers of 64 bits as they are. @throws 400 */
export function fromJson(text: string): unknown {
  try {
    return parseExactly(text, parseChecked);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badBody(`the body is not well-formed JSON${whereNotJson(text)}`);
  }
}

/** Checks the depth before anything else walks the value. */
function parseChecked(text: string): unknown {
  const value: unknown = JSON.parse(text);
  checkJson(value, 'JSON');
  return value;
}

/** Levels of JSON that callers send, in bodies and in messages of the WebSocket. */
const maxLevels = 100;

/**
 * Walks level by level, without recursion, and stops at the limit. It also refuses the key `__proto__`.
 * @param what the failure names @throws 400
 */
export function checkJson(value: unknown, what: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) throw tooDeep(what, maxLevels);
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      if (Object.hasOwn(one, '__proto__')) throw dangerousKey('__proto__');
      for (const inner of Array.isArray(one) ? (one as readonly unknown[]) : Object.values(one))
        if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
}
