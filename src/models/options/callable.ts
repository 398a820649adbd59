/** The option `callable_statics`: which statics of a schema `/call` may run, with which right, and on what. */
import { suggestion } from '../../text/nearest.ts';
import { type Letter, letters } from '../letters.ts';

/** The target of a call: one document, named by its id in the path, or the model. */
export const callTargets = ['document', 'model'] as const;
export type CallTarget = (typeof callTargets)[number];

/** The rule of one callable static. Without `on` it can be called both ways. */
export interface CallRule {
  readonly needs: Letter;
  readonly on?: CallTarget;
}

/** The form of the option in a model file: a list of names (each requires `c`), or an object of letters or rules by name. */
export type CallableStatics = readonly string[] | Readonly<Record<string, Letter | CallRule>>;

/**
 * Checks the option.
 * @param statics names of the schema's statics
 * @throws Error naming the static
 */
export function readStatics(value: unknown, statics: ReadonlySet<string>): ReadonlyMap<string, CallRule> {
  const rules = new Map<string, CallRule>();
  for (const [name, given] of pairsOf(value)) {
    const rule = readRule(`callable_statics.${name}`, given);
    if (!statics.has(name))
      throw new Error(
        `callable_statics names ${name}, which is not a static of the schema${suggestion(name, statics)}`,
      );
    rules.set(name, rule);
  }
  return rules;
}

function pairsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((name) => [String(name), 'c']);
  if (typeof value !== 'object' || value === null) throw new Error('callable_statics must be an object or a list');
  return Object.entries(value);
}

const parts = ['needs', 'on'];

function readRule(where: string, given: unknown): CallRule {
  if (typeof given !== 'object' || given === null) return { needs: readLetter(where, given) };
  for (const key of Object.keys(given))
    if (!parts.includes(key))
      throw new Error(`${where}.${key} is unknown; expected one of ${parts.join(', ')}${suggestion(key, parts)}`);
  const { needs, on } = given as { readonly needs?: unknown; readonly on?: unknown };
  return { needs: readLetter(`${where}.needs`, needs), ...(on === undefined ? {} : { on: readTarget(where, on) }) };
}

function readLetter(where: string, given: unknown): Letter {
  const letter = letters.find((known) => known === given);
  if (letter === undefined) throw new Error(`${where} must be one letter of "crud", got ${JSON.stringify(given)}`);
  return letter;
}

function readTarget(where: string, given: unknown): CallTarget {
  const target = callTargets.find((known) => known === given);
  if (target === undefined)
    throw new Error(
      `${where}.on must be "document" or "model", got ${JSON.stringify(given)}${suggestion(String(given), callTargets)}`,
    );
  return target;
}
