/** Copies values as JSON carries them, without its text: what a program gives or receives is never shared with the server. */
import { fromJson, LongLiteral, maxLong, minLong } from './exact-json.ts';

/** A copy, and about as many characters as its JSON has. */
export interface JsonCopy {
  readonly value: unknown;
  readonly length: number;
}

/** The value that `JSON.parse(JSON.stringify(value))` makes. @throws TypeError for what is no JSON, such as a circle */
export const jsonCopy = (value: unknown): JsonCopy => copyWith(new Copier(false), value, JSON.parse);

/** The value that the server makes of a body with this value. @throws 400 for what no body may have; TypeError as `jsonCopy` */
export const bodyCopy = (value: unknown): JsonCopy => copyWith(new Copier(true), value, fromJson);

function copyWith(copier: Copier, value: unknown, parse: (text: string) => unknown): JsonCopy {
  try {
    return { value: copier.copy(value, '', 0), length: copier.length };
  } catch (error) {
    if (error !== unusual) throw error;
    const text = JSON.stringify(value);
    return { value: parse(text), length: text.length };
  }
}

/** What only JSON itself copies, or refuses with its own error. */
const unusual = new Error('only JSON itself copies this');

/** Levels of a body; of another value, levels beyond which a circle is likely. */
const maxLevels = 100;

class Copier {
  length = 0;

  constructor(private readonly isBody: boolean) {}

  /** @returns undefined for what JSON leaves out @throws unusual */
  copy(given: unknown, key: string, level: number): unknown {
    const value = plainOf(given, key);
    this.length += 8;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'bigint') throw unusual;
    if (typeof value !== 'object') return undefined;
    if (level > maxLevels) throw unusual;
    if (Array.isArray(value))
      return Array.from(value as readonly unknown[], (one, at) => this.copy(one, String(at), level + 1) ?? null);
    return this.#object(value as Readonly<Record<string, unknown>>, level);
  }

  #object(value: Readonly<Record<string, unknown>>, level: number): unknown {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const inner = this.copy(value[key], key, level + 1);
      if (inner === undefined) continue;
      // it would set the prototype
      if (key === '__proto__') throw unusual;
      copy[this.#text(key)] = inner;
    }
    return copy;
  }

  #text(text: string): string {
    this.length += text.length;
    // half of a surrogate pair
    if (this.isBody && !text.isWellFormed()) throw unusual;
    return text;
  }

  #number(number: number): unknown {
    if (!Number.isFinite(number)) return null;
    // JSON has no negative zero
    if (number === 0) return 0;
    if (!this.isBody || !Number.isInteger(number) || Number.isSafeInteger(number)) return number;
    const text = String(number);
    if (text.includes('e')) return number;
    const whole = BigInt(text);
    return whole >= minLong && whole <= maxLong ? new LongLiteral(whole) : number;
  }
}

/** What JSON takes a value for. @throws unusual for an object that stands for a single value */
function plainOf(given: unknown, key: string): unknown {
  if (given === null || (typeof given !== 'object' && typeof given !== 'function' && typeof given !== 'bigint'))
    return given;
  const { toJSON } = given as { readonly toJSON?: unknown };
  const value: unknown = typeof toJSON === 'function' ? (toJSON as (key: string) => unknown).call(given, key) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return value;
  const isSingle = value instanceof Number || value instanceof String || value instanceof Boolean;
  // a null prototype may be that of `JSON.rawJSON`
  if (isSingle || value instanceof BigInt || (prototype === null && Object.isFrozen(value))) throw unusual;
  return value;
}
