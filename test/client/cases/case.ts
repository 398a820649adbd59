/** Cases that run in Node and in a browser: they use the client, and nothing specific to either platform. */

/** The input of a case. */
export interface Given {
  /** The address of a server with the models of `library.ts`. */
  readonly url: string;
  /** Emails and passwords of users: `root` is an admin, `ann` and `bob` are not. */
  readonly people: Readonly<Record<'root' | 'ann' | 'bob', { readonly email: string; readonly password: string }>>;
}

export type Cases = Readonly<Record<string, (given: Given) => Promise<void>>>;

/** @throws Error that shows both values, if they differ as JSON */
export function equal(actual: unknown, expected: unknown): void {
  const [one, other] = [text(actual), text(expected)];
  if (one !== other) throw new Error(`expected ${other}\n     got ${one}`);
}

/** JSON with sorted keys. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  ) ?? 'undefined';

/** The error of a promise that must reject. @throws Error if it does not */
export async function failure(promise: Promise<unknown>): Promise<Record<string, any>> {
  const value = await promise.then(
    () => undefined,
    (error: unknown) => error as Record<string, any>,
  );
  if (value === undefined) throw new Error('expected a failure');
  return value;
}

let made = 0;
/** A text that no other case has. */
export const unique = (name: string): string => `${name} ${++made} ${Math.random().toString(36).slice(2, 8)}`;
