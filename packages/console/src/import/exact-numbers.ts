/** Numbers of files that JavaScript would round: they are sent as texts, which the server reads exactly, or named. Pure. */
import type { Field } from '../api/models.ts';

/** What a value is, and why the type of its field does not accept it. */
export interface ReadValue {
  readonly value: unknown;
  readonly fault?: string;
}

/** A number as the file has it. */
export class LongNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** Sixteen digits or an exponent of three: numbers with less of both are exact. */
const mayBeRounded = /\d(?:\.?\d){15}|[eE][+-]?\d{3}/;
const token = /"(?:[^"\\]+|\\[^])*"|-?\d[\d.eE+-]*/g;

/** Parses JSON; numbers that JavaScript would round become a `LongNumber`. @throws SyntaxError */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!mayBeRounded.test(text)) return parsed;
  // of all objects only those that are written here have this name
  let name = '$long';
  while (text.includes(name)) name += '_';
  const marked = text.replace(token, (found) =>
    found.startsWith('"') || isHeld(found) ? found : JSON.stringify({ [name]: found }),
  );
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? new LongNumber(String((value as Readonly<Record<string, unknown>>)[name]))
      : value,
  );
}

/** Whether JavaScript's number has all digits of a text. */
function isHeld(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && digitsOf(text) === digitsOf(String(number));
}

/** The digits of a number without zeros at both ends, and the exponent of the last one. */
function digitsOf(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return digits === '' ? '0' : `${digits}e${Number(power) - fraction.length + all.length - digits.length}`;
}

/**
 * A value with its long numbers as its field takes them: texts where the field has a type, and numbers elsewhere, where a fraction is rounded
 * as everywhere in JSON. A whole number that would be another one there is a fault.
 */
export function exactValue(value: unknown, { input }: Pick<Field, 'input'>): ReadValue {
  const isTyped = input !== 'json' && input !== 'object';
  const rounded: string[] = [];
  const read = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(read);
    if (one instanceof LongNumber) {
      if (isTyped) return one.text;
      if (/^-?\d+$/.test(one.text)) rounded.push(one.text);
      return Number(one.text);
    }
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, read(inner)]));
  };
  const exact = read(value);
  const [first] = rounded;
  return first === undefined
    ? { value: exact }
    : {
        value: exact,
        fault: `has ${first}, which a browser would round: write it as a text, or import the file with dossier import`,
      };
}
