/** Checks what a request restricts a new key to: scopes, addresses and an expiry. */
import { addressRange } from '../../adapters/address-ranges.ts';
import { letters, type Registry } from '../../core.ts';
import { badValue } from '../../errors/errors.ts';
import type { Letter } from '../../models/letters.ts';
import { anyModel, isRouteScope, type Scopes } from '../../policy/scopes.ts';
import type { KeyLimits } from './contract.ts';

/** The fields of the body, of which the types have been checked. */
export interface KeyBody {
  readonly name: string;
  readonly scopes?: Readonly<Record<string, unknown>>;
  readonly addresses?: readonly string[];
  readonly expires_at?: string;
}

/** What the limits of a key may name. */
export interface LimitParts {
  readonly registry: Registry;
  /** The scopes of routes, such as `GET /reports/:year`. */
  readonly routes: ReadonlySet<string>;
  readonly now: Date;
}

/** @throws 400 that names the part which is wrong: a restriction that is not understood must not be ignored */
export function keyLimits(body: KeyBody, { registry, routes, now }: LimitParts): KeyLimits {
  const { scopes, addresses, expires_at } = body;
  return {
    scopes: scopes === undefined ? undefined : scopesFrom(scopes, { registry, routes }),
    addresses: addresses?.map(rangeFrom),
    expires_at: expires_at === undefined ? undefined : futureDate(expires_at, now),
  };
}

function scopesFrom(
  given: Readonly<Record<string, unknown>>,
  { registry, routes }: Pick<LimitParts, 'registry' | 'routes'>,
): Scopes {
  const scopes = new Map<string, ReadonlySet<Letter>>();
  for (const [name, value] of Object.entries(given)) {
    const path = `scopes.${name.slice(0, 60)}`;
    if (isRouteScope(name)) {
      if (!routes.has(name)) throw badValue(path, 'route', 'is no route that needs a scope');
      if (value !== true) throw badValue(path, 'letters', 'must be true, because a route has no letters');
      scopes.set(name, new Set());
      continue;
    }
    const model = name === anyModel ? anyModel : modelNamed(name, path, registry);
    if (scopes.has(model)) throw badValue(path, 'unique', `names ${model} again`);
    if (typeof value !== 'string' || /[^crud]/.test(value))
      throw badValue(path, 'letters', `must be letters of "crud", got ${JSON.stringify(value)?.slice(0, 60)}`);
    scopes.set(model, new Set(letters.filter((letter) => value.includes(letter))));
  }
  return scopes;
}

function modelNamed(name: string, path: string, { served }: Registry): string {
  const model = served.find((one) => one.name === name) ?? served.find((one) => one.name === name.toLowerCase());
  if (model !== undefined) return model.name;
  // only callers with rights on a model may see that it exists, so none is suggested
  throw badValue(path, 'model', `is not a model; ${JSON.stringify(anyModel)} stands for all models`);
}

function rangeFrom(text: string, at: number): string {
  const range = addressRange(text);
  if (range !== undefined) return range.text;
  const expected = 'must be an address or a network such as 10.0.0.0/8 or 2001:db8::/32';
  throw badValue(`addresses.${at}`, 'address', `${expected}, got ${JSON.stringify(text.slice(0, 60))}`);
}

/** A date, or a date and a time with its zone (RFC 3339). */
const datePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

function futureDate(text: string, now: Date): Date {
  const date = new Date(datePattern.test(text) ? text : NaN);
  if (Number.isNaN(date.getTime()))
    throw badValue(
      'expires_at',
      'Date',
      `must be a date such as 2030-01-31T00:00:00Z, got ${JSON.stringify(text.slice(0, 60))}`,
    );
  if (date <= now) throw badValue('expires_at', 'min', 'must be in the future');
  return date;
}
