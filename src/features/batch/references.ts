/** References of a batch: a text such as `"$author._id"` stands for a part of the `data` of an earlier answer. */
import { badBody, isPlainObject } from '../../core.ts';
import { failedDependency, referencesTooLarge } from '../../errors/errors.ts';

/** The names that operations may have. */
export const namePattern = '^[A-Za-z0-9_-]{1,64}$';
const reference = /^\$([A-Za-z0-9_-]{1,64})\.(.+)$/su;

interface Reference {
  readonly name: string;
  readonly path: string;
}

/** Reads a text: a reference, or the text itself, in which a leading `$$` is a `$`. @throws 400 for neither */
function readText(text: string): Reference | string {
  if (!text.startsWith('$')) return text;
  if (text.startsWith('$$')) return text.slice(1);
  const [, name, path] = reference.exec(text) ?? [];
  if (name !== undefined && path !== undefined) return { name, path };
  throw badBody(
    `${JSON.stringify(text.slice(0, 60))} is not a reference such as "$author._id"; a text that begins with $ is written with $$`,
  );
}

/** The segments of a path: the names of the operation and the model are not read. */
const firstRead = 3;

function splitPath(path: string): readonly [segments: readonly string[], query: string] {
  const mark = path.indexOf('?');
  return mark === -1 ? [path.split('/'), ''] : [path.slice(0, mark).split('/'), path.slice(mark)];
}

/** The names that a path and a body refer to. @throws 400 for a text that begins with `$` and is no reference */
export function namesIn(path: string, body: unknown): readonly string[] {
  const names: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      const read = readText(value);
      if (typeof read !== 'string') names.push(read.name);
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner);
  };
  splitPath(path)[0].slice(firstRead).forEach(collect);
  collect(body);
  return names;
}

/** The answers so far, by the names of their operations. */
export class References {
  readonly #data = new Map<string, unknown>();

  /** @param maxBytes of the values that references of one operation stand for, together */
  constructor(private readonly maxBytes: number) {}

  /** Keeps the `data` of an answer; undefined for an operation that has failed. */
  keep(name: string, body: object | undefined): void {
    const json = body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as { readonly data?: unknown });
    this.#data.set(name, json === undefined ? failed : json.data);
  }

  /** The path with the values in place of the references. @throws 400, 424 */
  path(path: string): string {
    const [segments, query] = splitPath(path);
    const read = segments.map((segment, at) => (at < firstRead ? segment : this.#segment(segment)));
    return read.join('/') + query;
  }

  /** A copy of the body with the values in place of the references. @throws 400, 413, 424 */
  body(body: unknown): unknown {
    let left = this.maxBytes;
    const copy = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(copy);
      if (isPlainObject(value))
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
      if (typeof value !== 'string') return value;
      const read = readText(value);
      if (typeof read === 'string') return read;
      const json = JSON.stringify(this.#valueOf(read));
      left -= json.length;
      if (left < 0) throw referencesTooLarge(this.maxBytes);
      return JSON.parse(json);
    };
    return copy(body);
  }

  #segment(segment: string): string {
    const read = readText(segment);
    if (typeof read === 'string') return read;
    const value = this.#valueOf(read);
    if (typeof value === 'object' || value === '') throw badBody(`${segment} in a path must be text or a number`);
    return encodeURIComponent(String(value));
  }

  /** @throws 400 for a path that the answer does not have */
  #valueOf({ name, path }: Reference): unknown {
    let at = this.#data.get(name);
    if (at === failed) throw failedDependency(name);
    for (const part of path.split('.')) {
      const isThere = Array.isArray(at) ? /^\d+$/.test(part) && Number(part) < at.length : isPlainObject(at);
      if (!isThere || !Object.hasOwn(at as object, part))
        throw badBody(`$${name}.${path.slice(0, 60)} is not in the data of the answer to the operation ${name}`);
      at = (at as Readonly<Record<string, unknown>>)[part];
    }
    return at;
  }
}

const failed = Symbol('failed');
