/** The limits that the validators of a path hold for its values, as plain values; other validators are code, which no description shows. */
import type { SchemaType } from 'mongoose';
import { hasOwnSetters } from './own-setters.ts';

/** Absent limits do not apply. Of a list, those of its members. */
export interface PathLimits {
  readonly min?: number | Date;
  readonly max?: number | Date;
  readonly minlength?: number;
  readonly maxlength?: number;
  /** A regular expression of JavaScript. */
  readonly match?: { readonly pattern: string; readonly flags: string };
  /** What the server does with a text before it checks it. */
  readonly trim?: true;
  readonly lowercase?: true;
  readonly uppercase?: true;
}

/** The undeclared parts of a schema type: each validator stores its limit under its own name. */
interface Validated {
  readonly validators: readonly Readonly<Record<string, unknown>>[];
  readonly options: Readonly<Record<string, unknown>>;
}

const bounds = ['min', 'max', 'minlength', 'maxlength'] as const;
const changes = ['trim', 'lowercase', 'uppercase'] as const;

/** The numbers and dates that limit values or lengths, by the name of their validator. */
export function boundsOf(type: SchemaType): Pick<PathLimits, (typeof bounds)[number]> {
  const { validators } = type as unknown as Validated;
  return Object.fromEntries(
    validators.flatMap((validator): [string, number | Date][] => {
      const name = bounds.find((one) => one === validator['type']);
      const bound = name === undefined ? undefined : boundOf(type, validator[name]);
      return name === undefined || bound === undefined ? [] : [[name, bound]];
    }),
  );
}

/** Model files give the bounds of dates as dates, texts or numbers; `Date.now` and other functions have no plain value. */
function boundOf({ instance }: SchemaType, given: unknown): number | Date | undefined {
  if (instance !== 'Date') return typeof given === 'number' ? given : undefined;
  if (!(given instanceof Date) && typeof given !== 'string' && typeof given !== 'number') return undefined;
  const date = new Date(given);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The limits of the values that callers send; none for a path with setters of its own, whose results are what is limited. */
export function limitsOf(type: SchemaType): PathLimits {
  if (hasOwnSetters(type)) return {};
  const { validators, options } = type as unknown as Validated;
  const pattern = validators.find((validator) => validator['type'] === 'regexp')?.['regexp'];
  return {
    ...boundsOf(type),
    ...(pattern instanceof RegExp ? { match: { pattern: pattern.source, flags: pattern.flags } } : {}),
    ...Object.fromEntries(changes.filter((name) => options[name] === true).map((name) => [name, true as const])),
  };
}
