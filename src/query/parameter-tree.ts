/** The query string as plain data, and functions that read single values from it. */
import { badParameter } from '../errors/errors.ts';
import { dateFrom } from '../models/fields/values/ids-and-dates.ts';

/** A string, several strings of one name, or names in brackets. */
export type Parameter = string | readonly Parameter[] | ParameterTree;
export interface ParameterTree {
  readonly [name: string]: Parameter;
}

export const isTree = (value: unknown): value is ParameterTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a parameter; undefined when it is not given. @throws 400 when given twice or with brackets */
export function textOf(query: ParameterTree, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw badParameter(name, 'takes one value');
}

/** A flag: `1` or `true`, `0`, `false` or empty. @throws 400 for anything else */
export function flagOf(query: ParameterTree, name: string): boolean {
  const text = textOf(query, name);
  if (text === undefined || text === '' || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw badParameter(name, 'must be 1 or true, 0 or false');
}

/** Fifteen digits: what is larger may not be exact. */
const maxNumber = 999_999_999_999_999;

/** A positive whole number. @throws 400 for anything else */
export function wholeNumberOf(query: ParameterTree, name: string): number | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,99}$/.test(text) ? Number(text) : NaN;
  if (!(number >= 1 && number <= maxNumber)) throw badParameter(name, `must be a whole number from 1 to ${maxNumber}`);
  return number;
}

/** Names separated by commas, or given as a list. @throws 400 for nested brackets */
export function namesOf(value: Parameter | undefined, name: string): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string')
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  if (!Array.isArray(value)) throw badParameter(name, 'takes names separated by commas');
  return value.flatMap((member: Parameter) => {
    if (typeof member !== 'string') throw badParameter(name, 'takes names');
    return namesOf(member, name);
  });
}

/** A time; undefined when it is not given. @throws 400 for anything else */
export function timeOf(query: ParameterTree, name: string): Date | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  // a plus sign in a URL is a space
  const date = dateFrom(text.replace(/ (?=\d\d:?\d\d$)/, '+'));
  if (date !== undefined && !Number.isNaN(date.getTime())) return date;
  throw badParameter(name, `must be a time: ISO 8601 or Unix time, got ${JSON.stringify(text.slice(0, 40))}`);
}
