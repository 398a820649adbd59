/** Finds what belongs to a path as Express matches paths: in any letter case, with or without a slash at the end, `:name` for any part. */

interface Known<T> {
  readonly parts: readonly string[];
  readonly value: T;
}

export interface PathMatch<T> {
  readonly value: T;
  /** The decoded parts by the names that stand for them. */
  readonly params: Readonly<Record<string, string>>;
}

export class Paths<T> {
  /** By the number of parts and the first one, so that a request is compared with few of them. */
  readonly #known = new Map<string, Known<T>[]>();

  /** @param entries in the order in which they are tried @throws Error for a path that begins with a parameter */
  constructor(entries: Iterable<readonly [path: string, value: T]>) {
    for (const [path, value] of entries) {
      if (path.startsWith('/:')) throw new Error(`${path} must begin with a name`);
      const parts = path.split('/').slice(1).map(asMatched);
      const key = keyOf(parts);
      this.#known.set(key, [...(this.#known.get(key) ?? []), { parts, value }]);
    }
  }

  /**
   * Finds what belongs to a path: of several, the first that is preferred, otherwise the first.
   * @param path without a query string @throws URIError for a part that is not percent-encoded correctly
   */
  find(path: string, isPreferred?: (value: T) => boolean): PathMatch<T> | undefined {
    const parts = path.split('/').slice(1);
    if (parts.length > 1 && parts.at(-1) === '') parts.pop();
    let first: Known<T> | undefined;
    for (const known of this.#known.get(keyOf(parts)) ?? []) {
      if (known.parts.some((part, at) => !isPart(part, parts[at] ?? ''))) continue;
      first ??= known;
      if (isPreferred?.(known.value) !== false) return foundAt(known, parts);
    }
    return first && foundAt(first, parts);
  }
}

function foundAt<T>({ parts: known, value }: Known<T>, parts: readonly string[]): PathMatch<T> {
  const params: Record<string, string> = {};
  known.forEach((part, at) => {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(parts[at] ?? '');
  });
  return { value, params };
}

const asMatched = (part: string): string => (part.startsWith(':') ? part : part.toLowerCase());

const keyOf = (parts: readonly string[]): string => `${parts.length} ${parts[0]?.toLowerCase() ?? ''}`;

const isPart = (known: string, part: string): boolean =>
  known.startsWith(':') ? part !== '' : part.toLowerCase() === known;
