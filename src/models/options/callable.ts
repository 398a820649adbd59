/** The option `callable_statics`: which statics of a schema `/call` may run, with which right, and on what. */
import { suggestion } from '../../text/nearest.ts';
import { type Letter, letters } from '../letters.ts';
import { answerDescription, compiledSchema } from '../schemas/compiled-schema.ts';
import type { CompiledSchema, JsonSchema, ValueSchema } from '../schemas/contract.ts';
import { valueText } from '../schemas/faults.ts';

/** The target of a call: one document, named by its id in the path, or the model. */
export const callTargets = ['document', 'model'] as const;
export type CallTarget = (typeof callTargets)[number];

export const callEffects = ['read', 'write'] as const;

/** The description of a function, besides its name. */
interface CallDescription {
  /** What a button says. */
  readonly label?: string;
  /** The question that people answer before they call it. */
  readonly confirm?: string;
  /** Whether it writes. It is described only: what a function may do follows from its right. */
  readonly effect?: (typeof callEffects)[number];
}

/** A callable static in a model file. Without `on` it can be called both ways. */
interface CallOptions extends CallDescription {
  readonly needs: Letter;
  readonly on?: CallTarget;
  /** What it takes: a value that does not fit is refused before it runs. */
  readonly input?: ValueSchema;
  /** What it answers. It is described only. */
  readonly answer?: ValueSchema;
}

/** The rule of one callable static, read from its options. */
export interface CallRule extends CallDescription {
  readonly needs: Letter;
  readonly on?: CallTarget;
  readonly input?: InputSchema;
  readonly answer?: JsonSchema;
}

/** What checks the input of a function. */
export interface InputSchema {
  readonly ofValues: CompiledSchema;
  /** For texts of a query string, which become numbers, lists and so on. */
  readonly ofTexts: CompiledSchema;
}

/** The form of the option in a model file: a list of names (each requires `c`), or an object of letters or options by name. */
export type CallableStatics = readonly string[] | Readonly<Record<string, Letter | CallOptions>>;

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

/** How each option is read. */
const readers: { readonly [Name in keyof CallRule]-?: (where: string, given: unknown) => CallRule[Name] } = {
  needs: readLetter,
  on: (where, given) => oneOf(callTargets, where, given),
  label: (where, given) => readText(where, given, maxLabel),
  input: (where, given) => ({
    ofValues: compiledSchema(where, given as ValueSchema, 'none'),
    ofTexts: compiledSchema(where, given as ValueSchema, 'text'),
  }),
  answer: (where, given) => answerDescription(where, given as ValueSchema),
  confirm: (where, given) => readText(where, given, maxConfirm),
  effect: (where, given) => oneOf(callEffects, where, given),
};
const parts = Object.keys(readers) as readonly (keyof CallRule)[];
/** Characters of what a button and a dialog show. */
const [maxLabel, maxConfirm] = [80, 500];

function readRule(where: string, given: unknown): CallRule {
  if (typeof given !== 'object' || given === null) return { needs: readLetter(where, given) };
  for (const key of Object.keys(given))
    if (!(parts as readonly string[]).includes(key))
      throw new Error(`${where}.${key} is unknown; expected one of ${parts.join(', ')}${suggestion(key, parts)}`);
  const options = given as Readonly<Record<string, unknown>>;
  const read = parts
    .filter((part) => options[part] !== undefined)
    .map((part): readonly [string, unknown] => [part, readers[part](`${where}.${part}`, options[part])]);
  return { ...Object.fromEntries(read), needs: readLetter(`${where}.needs`, options['needs']) };
}

function readLetter(where: string, given: unknown): Letter {
  const letter = letters.find((known) => known === given);
  if (letter === undefined) throw new Error(`${where} must be one letter of "crud", got ${JSON.stringify(given)}`);
  return letter;
}

function oneOf<T extends string>(accepted: readonly T[], where: string, given: unknown): T {
  const found = accepted.find((known) => known === given);
  if (found !== undefined) return found;
  const choices = accepted.map((one) => JSON.stringify(one)).join(' or ');
  throw new Error(`${where} must be ${choices}, got ${JSON.stringify(given)}${suggestion(String(given), accepted)}`);
}

function readText(where: string, given: unknown, max: number): string {
  if (typeof given !== 'string' || given.trim() === '' || given.length > max)
    throw new Error(`${where} must be text of 1 to ${max} characters, got ${valueText(given)}`);
  return given;
}
