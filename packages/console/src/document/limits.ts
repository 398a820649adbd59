/** The limits of a field: as a hint, and checked before anything is sent. Only the server checks everything else. Pure. */
import type { Fault } from 'dossier-client';
import { valueAt } from '../api/fields.ts';
import type { Field, Model } from '../api/models.ts';
import { dateText } from '../parts/dates.ts';
import { type Edits, isEmpty } from './edits.ts';

type Limits = Pick<
  Field,
  'enum' | 'min' | 'max' | 'minlength' | 'maxlength' | 'match' | 'trim' | 'lowercase' | 'uppercase' | 'description'
>;

/** What is known of fields and nested documents. */
type Nesting = Pick<Model, 'fields' | 'nested'>;

const boundText = (bound: number | string): string => (typeof bound === 'string' ? dateText(bound) : String(bound));

/** What a field accepts, such as "At least 1" or "2 to 40 characters"; undefined where everything of its type is accepted. */
export function hintOf({ min, max, minlength, maxlength, match, description }: Limits): string | undefined {
  const range = rangeText(min === undefined ? min : boundText(min), max === undefined ? max : boundText(max));
  const length = rangeText(minlength, maxlength);
  const own = match?.message !== undefined && !hasPlaces(match.message) ? match.message : undefined;
  const texts = [
    ...(range === undefined ? [] : [range]),
    ...(length === undefined ? [] : [`${length} characters`]),
    // the words of the model file, where it has any, are easier to read
    ...(match === undefined || description !== undefined || own !== undefined ? [] : [demandOf(match).hint]),
  ];
  const text = texts.join(', ');
  const all = [text.charAt(0).toUpperCase() + text.slice(1), description === undefined ? (own ?? '') : ''];
  return all.filter((one) => one !== '').join('. ') || undefined;
}

type Pattern = NonNullable<Limits['match']>;

/** A plain text, which may be escaped, at the beginning, at the end or anywhere. */
const plainText = /^(\^?)((?:[^\\^$.*+?()[\]{}|/]|\\[^a-zA-Z0-9])+)(\$?)$/;

/** What a pattern demands: in words where it is a plain text, and otherwise with the pattern as a detail. */
function demandOf({ pattern, flags }: Pattern): { readonly hint: string; readonly fault: string } {
  const [, start = '', escaped = '', end = ''] = (flags === '' ? plainText.exec(pattern) : null) ?? [];
  const text = shown(escaped.replaceAll(/\\(.)/g, '$1'));
  if (escaped === '' || start + end === '^$')
    return {
      hint: `in a certain form (pattern /${pattern}/${flags})`,
      fault: `does not have the right form (pattern /${pattern}/${flags})`,
    };
  const [is, must] =
    start === '^' ? ['begins with', 'begin with'] : end === '$' ? ['ends with', 'end with'] : ['contains', 'contain'];
  return { hint: `${is} ${text}`, fault: `must ${must} ${text}` };
}

/** Whether a message has the value or the path, and so is no hint. */
const hasPlaces = (message: string): boolean => /\{[A-Z]+\}/.test(message);

function rangeText(from: string | number | undefined, to: string | number | undefined): string | undefined {
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  if (from !== undefined) return `at least ${from}`;
  return to === undefined ? undefined : `at most ${to}`;
}

/** The faults of new values, by their paths; those in lists and their members too. */
export const faultsOf = (model: Pick<Model, 'fields'>, edits: Edits): Fault[] =>
  [...edits].flatMap(([path, value]) => faultsAt(model, path, path, value));

/** A fault for each required path without a value, also in the members of lists that were edited. */
export const missingFaults = (model: Nesting, edits: Edits, isMissing: (path: string) => boolean): Fault[] => [
  ...Object.entries(model.fields)
    .filter(([path, { required, array }]) => required && !array && isMissing(path))
    .map(([path]) => missing(path)),
  ...[...edits].flatMap(([path, value]) => missingInMembers(model, path, path, value)),
];

const missing = (path: string): Fault => ({ path, kind: 'required', message: `${path} is required` });

/** @param path of a list @param place of its value, with positions */
function missingInMembers(model: Nesting, path: string, place: string, value: unknown): Fault[] {
  const field = model.fields[path];
  if (field?.array !== true || field.input !== 'object' || !Array.isArray(value)) return [];
  return value.flatMap((member: unknown, at) => missingInside(model, path, `${place}.${at}`, member));
}

/** What is missing in a member of a list, or in a nested document of it. */
function missingInside(model: Nesting, path: string, place: string, value: unknown): Fault[] {
  const { fields } = model;
  const prefix = `${path}.`;
  const below = Object.keys(fields).filter((one) => one.startsWith(prefix));
  const names = new Set(below.map((one) => one.slice(prefix.length).split('.', 1)[0] ?? ''));
  return [...names].flatMap((name) => {
    const [inner, field] = [valueAt(value, name), fields[prefix + name]];
    if (field === undefined)
      return inner === undefined && isOptional(model, prefix + name)
        ? []
        : missingInside(model, prefix + name, `${place}.${name}`, inner);
    if (field.required && !field.array && field.hidden !== true && isEmpty(inner)) return [missing(`${place}.${name}`)];
    return missingInMembers(model, prefix + name, `${place}.${name}`, inner);
  });
}

/** Whether a path is in a nested document that has no value at all, and need not be there. */
export const isLeftOut = (model: Nesting, path: string, valueIn: (path: string) => unknown): boolean =>
  path
    .split('.')
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join('.'))
    .some(
      (outer) =>
        isOptional(model, outer) &&
        Object.keys(model.fields).every((one) => !one.startsWith(`${outer}.`) || isEmpty(valueIn(one))),
    );

/** Whether a nested document may be missing as a whole. */
const isOptional = ({ nested }: Nesting, path: string): boolean => nested?.[path]?.optional === true;

/** @param path of the field @param place of the value, with its positions in lists */
function faultsAt({ fields }: Pick<Model, 'fields'>, path: string, place: string, value: unknown): Fault[] {
  const field = fields[path];
  if (Array.isArray(value)) return value.flatMap((member, at) => faultsAt({ fields }, path, `${place}.${at}`, member));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      faultsAt({ fields }, `${path}.${name}`, `${place}.${name}`, inner),
    );
  const message = field === undefined ? undefined : refusal(field, place, value);
  return message === undefined ? [] : [{ path: place, kind: 'limit', message }];
}

/** Why a field does not accept a value; undefined where it does, and where only the server can decide. */
function refusal(field: Limits, place: string, given: unknown): string | undefined {
  const value = typeof given === 'string' ? changed(field, given) : given;
  // an empty value is within all limits: the server checks whether a field is required
  if (value === undefined || value === null || value === '') return undefined;
  const rule = choiceRefusal(field, value) ?? lengthRefusal(field, value) ?? boundRefusal(field, value);
  return rule === undefined ? patternRefusal(field, place, value) : `${place} ${rule}`;
}

const choiceRefusal = ({ enum: choices }: Limits, value: unknown): string | undefined =>
  choices === undefined || (choices as readonly unknown[]).includes(value)
    ? undefined
    : `must be one of ${choices.join(', ')}, got ${shown(value)}`;

/** A text as the server checks it. */
function changed({ trim, lowercase, uppercase }: Limits, text: string): string {
  const trimmed = trim === true ? text.trim() : text;
  const lower = lowercase === true ? trimmed.toLowerCase() : trimmed;
  return uppercase === true ? lower.toUpperCase() : lower;
}

function lengthRefusal({ minlength, maxlength }: Limits, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { length } = value;
  if (minlength !== undefined && length < minlength) return `must have at least ${minlength} characters, got ${length}`;
  return maxlength !== undefined && length > maxlength
    ? `must have at most ${maxlength} characters, got ${length}`
    : undefined;
}

/** The message of the model file alone, as the server has it; Mongoose puts the path and the value into it. */
function patternRefusal({ match, description }: Limits, place: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || match === undefined || new RegExp(match.pattern, match.flags).test(value))
    return undefined;
  if (match.message !== undefined)
    return match.message.replaceAll('{PATH}', () => place).replaceAll('{VALUE}', () => shown(value));
  const form = description === undefined ? demandOf(match).fault : 'must be as described';
  return `${place} ${form}, got ${shown(value)}`;
}

function boundRefusal({ min, max }: Limits, value: unknown): string | undefined {
  if (min !== undefined && isBefore(value, min)) return `must be at least ${boundText(min)}, got ${shown(value)}`;
  return max !== undefined && isBefore(max, value)
    ? `must be at most ${boundText(max)}, got ${shown(value)}`
    : undefined;
}

/** Whether a number is smaller, or a date earlier, than another one. */
function isBefore(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  return typeof one === 'string' && typeof other === 'string' && Date.parse(one) < Date.parse(other);
}

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
