/** Determines from a pipeline's text which fields of its source it can read. If that is not evident, it counts as all fields. */
import { firstName, typeAt } from '../models/fields/path-type.ts';
import type { Filter } from './filter.ts';
import { isObject } from './json-filter.ts';
import type { SchemaView } from './schema-view.ts';
import { wholePaths } from './whole-paths.ts';

type Stage = Readonly<Record<string, unknown>>;

/** Levels of a field that pipelines see; deeper values are null in them. */
export const visibleLevels = 8;

/** Stages that read only the fields named in them. `made`: their output documents consist of such fields alone. */
const naming: Readonly<Record<string, 'made' | 'kept'>> = {
  $match: 'kept',
  $sort: 'kept',
  $skip: 'kept',
  $limit: 'kept',
  $sample: 'kept',
  $project: 'kept',
  $addFields: 'kept',
  $set: 'kept',
  $unset: 'kept',
  $unwind: 'kept',
  $group: 'made',
  $count: 'made',
  $bucket: 'made',
  $bucketAuto: 'made',
  $sortByCount: 'made',
};

/** The effect of a stage on documents; `hidden` when it may read more fields than it names. */
export function stageEffect(stage: Stage): 'made' | 'kept' | 'hidden' {
  const [[name, operand] = ['', undefined]] = Object.entries(stage);
  const effect = Object.hasOwn(naming, name) ? naming[name] : undefined;
  return effect === undefined || hides(operand) ? 'hidden' : effect;
}

/** Whether a path is declared as a plain value that the caller may see. */
const isPlain = ({ schema, shows }: SchemaView, path: string): boolean =>
  typeAt(schema, path).kind === 'leaf' && shows(path);

/** Stages that pick documents and read nothing of them. */
const picking: ReadonlySet<string> = new Set(['$limit', '$skip', '$sample']);

/**
 * Whether a stage changes no document, and compares only values that the schema declares. The names in its filter or order have been
 * checked.
 */
export function readsDeclared(stage: Stage, view: SchemaView): boolean {
  const [[name = '', operand] = []] = Object.entries(stage);
  if (picking.has(name)) return true;
  if (name === '$match') return isPlainMatch(stage);
  return name === '$sort' && Object.keys(operand as object).every((path) => isPlain(view, path));
}

/** Whether a stage makes documents of declared plain values alone. */
export function makesDeclared(stage: Stage, view: SchemaView): boolean {
  const { $project: fields } = stage as { readonly $project?: object };
  if (fields === undefined ? stageEffect(stage) !== 'made' : stageEffect(stage) === 'hidden') return false;
  const isIncluded = ([name, value]: readonly [string, unknown]): boolean =>
    value === 1 || value === true
      ? isPlain(view, name)
      : typeof value === 'string' || isOperator(value) || isNoId(name, value);
  if (fields !== undefined && !Object.entries(fields).every(isIncluded)) return false;
  const seen = new SeenFields(view);
  seen.add(stage);
  return seen.areDeclared;
}

const isOperator = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).some((key) => key.startsWith('$'));
const isNoId = (name: string, value: unknown): boolean => name === '_id' && (value === 0 || value === false);

/** Whether a `$match` compares plain values only. */
export const isPlainMatch = ({ $match }: Stage): boolean =>
  $match !== undefined && !holds($match, '$expr') && wholePaths($match as Filter).length === 0;

const holds = (value: unknown, name: string): boolean =>
  Array.isArray(value)
    ? value.some((member) => holds(member, name))
    : isObject(value) && Object.entries(value).some(([key, inner]) => key === name || holds(inner, name));

/** Operators that name fields in other ways than by `$field`. */
const hiding: ReadonlySet<string> = new Set(['$getField', '$setField', '$unsetField']);
const wholes = /^\$\$(?:ROOT|CURRENT)\b/;

function hides(value: unknown): boolean {
  if (typeof value === 'string') return wholes.test(value);
  if (Array.isArray(value)) return value.some(hides);
  return isObject(value) && Object.entries(value).some(([key, inner]) => hiding.has(key) || hides(inner));
}

/** Names that take values apart, build objects for comparison, or make `$field` mean a field of another value. */
const apart: ReadonlySet<string> = new Set(['$objectToArray', '$arrayToObject', '$bsonSize', 'CURRENT']);

/** The fields that a pipeline reads, if all of its stages read only fields that they name. */
export class SeenFields {
  readonly #view: SchemaView;
  /** Fields that must be cleaned if they contain more than a plain value. */
  readonly #open = new Set<string>();
  /** Fields with a plain type in the schema, and the levels to clean if they contain another value. */
  readonly #plain = new Map<string, number>();
  /** Whether values may be taken apart: then a plain type does not guarantee a plain value. */
  #takesApart = false;

  constructor(view: SchemaView) {
    this.#view = view;
  }

  /** Adds the fields that a stage names. */
  add(stage: Stage): void {
    this.#value(stage);
  }

  /** The number of levels of each field that must be cleaned. */
  levels(): ReadonlyMap<string, number> {
    const open = [...this.#open].map((field) => [field, visibleLevels] as const);
    return new Map([...(this.#takesApart ? this.#plain : []), ...open]);
  }

  /** Whether all of them are declared as plain values. */
  get areDeclared(): boolean {
    return this.#open.size === 0;
  }

  #value(value: unknown): void {
    if (typeof value === 'string') this.#text(value);
    else if (Array.isArray(value)) for (const member of value) this.#value(member);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (apart.has(key) || !this.#view.showsKey(key) || inner === 'CURRENT') this.#takesApart = true;
        if (key === 'sortBy' || key === '$sort') this.#order(inner);
        if (key === '$match') this.#wholes(inner as Filter);
        this.#value(inner);
      }
  }

  /** Adds fields that are compared with objects: they may be objects despite their type. */
  #wholes(filter: Filter): void {
    for (const path of wholePaths(filter)) {
      this.#path(path);
      this.#takesApart = true;
    }
  }

  #text(text: string): void {
    if (!text.startsWith('$$')) {
      if (text.startsWith('$')) this.#path(text.slice(1));
    } else if (text.includes('.')) this.#takesApart = true;
  }

  #path(path: string): void {
    const field = firstName(path);
    const whole = typeAt(this.#view.schema, field);
    if (whole.kind === 'leaf' && this.#view.shows(field)) {
      this.#plain.set(field, Number(whole.array));
      // there is nothing in a plain value
      if (field !== path) this.#takesApart = true;
    } else if (isPlain(this.#view, path)) this.#plain.set(field, visibleLevels);
    else {
      this.#open.add(field);
      if (field !== path) this.#takesApart = true;
    }
  }

  /** Adds sort keys. Fields with a plain type are sorted as in lists, so that an index can be used. */
  #order(keys: unknown): void {
    for (const path of isObject(keys) ? Object.keys(keys) : [])
      if (typeAt(this.#view.schema, path).kind !== 'leaf' || !this.#view.shows(path)) {
        this.#path(path);
        this.#takesApart = true;
      }
  }
}
