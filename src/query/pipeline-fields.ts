/** Determines from a pipeline's text which fields of its source it can read. If that is not evident, it counts as all fields. */
import { typeAt } from '../models/path-type.ts';
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
    const [field = ''] = path.split('.', 1);
    const type = typeAt(this.#view.schema, path);
    if (type.kind === 'leaf' && this.#view.shows(path))
      this.#plain.set(field, field === path ? Number(type.array) : visibleLevels);
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
