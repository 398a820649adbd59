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
  const texts = [
    ...(range === undefined ? [] : [range]),
    ...(length === undefined ? [] : [`${length} characters`]),
    // a description says it in words
    ...(match === undefined || description !== undefined ? [] : [`matches /${match.pattern}/${match.flags}`]),
  ];
  const text = texts.join(', ');
  return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

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
  const message = field === undefined ? undefined : refusal(field, value);
  return message === undefined ? [] : [{ path: place, kind: 'limit', message: `${place} ${message}` }];
}

/** Why a field does not accept a value; undefined where it does, and where only the server can decide. */
function refusal(field: Limits, given: unknown): string | undefined {
  const value = typeof given === 'string' ? changed(field, given) : given;
  // an empty value is within all limits: the server checks whether a field is required
  if (value === undefined || value === null || value === '') return undefined;
  if (field.enum !== undefined && !(field.enum as readonly unknown[]).includes(value))
    return `must be one of ${field.enum.join(', ')}, got ${shown(value)}`;
  return textRefusal(field, value) ?? boundRefusal(field, value);
}

/** A text as the server checks it. */
function changed({ trim, lowercase, uppercase }: Limits, text: string): string {
  const trimmed = trim === true ? text.trim() : text;
  const lower = lowercase === true ? trimmed.toLowerCase() : trimmed;
  return uppercase === true ? lower.toUpperCase() : lower;
}

function textRefusal({ minlength, maxlength, match, description }: Limits, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { length } = value;
  if (minlength !== undefined && length < minlength) return `must have at least ${minlength} characters, got ${length}`;
  if (maxlength !== undefined && length > maxlength) return `must have at most ${maxlength} characters, got ${length}`;
  if (match === undefined || new RegExp(match.pattern, match.flags).test(value)) return undefined;
  const form = description === undefined ? `must match /${match.pattern}/${match.flags}` : 'must be as described';
  return `${form}, got ${shown(value)}`;
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
