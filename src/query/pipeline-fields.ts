/** Which fields of its source a pipeline can look into, judged by its text: what is not plain to see counts as all of them. */
import { typeAt } from '../models/path-type.ts';
import type { Filter } from './filter.ts';
import { isObject } from './json-filter.ts';
import type { SchemaView } from './schema-view.ts';
import { wholePaths } from './whole-paths.ts';

type Stage = Readonly<Record<string, unknown>>;

/** Levels of a field that pipelines see; what lies deeper is null in them. */
export const freeLevels = 8;

/** Stages that look only at the fields that are named in them, and whether documents leave them made anew, of such fields alone. */
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

/** What a stage does with documents; `hidden` when it may look at more of them than it names. */
export function doingOf(stage: Stage): 'made' | 'kept' | 'hidden' {
  const [[name, operand] = ['', undefined]] = Object.entries(stage);
  const doing = Object.hasOwn(naming, name) ? naming[name] : undefined;
  return doing === undefined || hides(operand) ? 'hidden' : doing;
}

/** These name fields in other ways than by `$field`. */
const hiding: ReadonlySet<string> = new Set(['$getField', '$setField', '$unsetField']);
const wholes = /^\$\$(?:ROOT|CURRENT)\b/;

function hides(value: unknown): boolean {
  if (typeof value === 'string') return wholes.test(value);
  if (Array.isArray(value)) return value.some(hides);
  return isObject(value) && Object.entries(value).some(([key, inner]) => hiding.has(key) || hides(inner));
}

/** They take values apart, build objects to compare them with, or make `$field` mean a field of another value. */
const apart: ReadonlySet<string> = new Set(['$objectToArray', '$arrayToObject', '$bsonSize', 'CURRENT']);

/** Fields that are named by stages which look at nothing else. */
export class SeenFields {
  readonly #view: SchemaView;
  /** Fields that must be cleaned wherever they hold more than a plain value. */
  readonly #open = new Set<string>();
  /** Fields that the schema gives a plain type where they are named, and the levels to clean should they hold another value. */
  readonly #plain = new Map<string, number>();
  /** Values may be taken apart: then a plain type is not trusted to mean a plain value. */
  #takesApart = false;

  constructor(view: SchemaView) {
    this.#view = view;
  }

  /** Takes in what a stage names. */
  add(stage: Stage): void {
    this.#value(stage);
  }

  /** How many levels of each field must be cleaned. */
  levels(): ReadonlyMap<string, number> {
    const open = [...this.#open].map((field) => [field, freeLevels] as const);
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

  /** What is compared with an object may be an object in spite of its type. */
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
      this.#plain.set(field, field === path ? Number(type.array) : freeLevels);
    else {
      this.#open.add(field);
      if (field !== path) this.#takesApart = true;
    }
  }

  /** Fields that have a plain type are ordered by as in lists, so that an index can serve. */
  #order(keys: unknown): void {
    for (const path of isObject(keys) ? Object.keys(keys) : [])
      if (typeAt(this.#view.schema, path).kind !== 'leaf' || !this.#view.shows(path)) {
        this.#path(path);
        this.#takesApart = true;
      }
  }
}
