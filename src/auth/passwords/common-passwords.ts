/** The most common passwords. The adapter of `@zxcvbn-ts/language-common`. */

/** How many of them are refused. */
const refused = 10_000;

/** @returns whether a password is one of them, in any letter case. The list is loaded at the first call. */
export function commonPasswords(): (password: string) => Promise<boolean> {
  let list: Promise<ReadonlySet<string>> | undefined;
  return async (password) => (await (list ??= load())).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, refused));
}
