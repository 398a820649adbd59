/**
 * What JXP's permissions mean. JXP gives the letters of `owner` on single documents only, so that its `c` lets no user create; Dossier would
 * give it to every user. The owner of a user is for JXP who created them, as of any document; for Dossier it is the user.
 */
type Options = Readonly<Record<string, unknown>>;

/** Sentences about the options of model files, by file and once each. */
const warnings = new Set<string>();

/** The warnings since the last call. */
export function takeWarnings(): readonly string[] {
  const taken = [...warnings];
  warnings.clear();
  return taken;
}

/** The options of a schema as JXP reads them. @param file that the warnings name */
export function optionsAsInJxp({ _perms: ofJxp, ...options }: Options, file: string): Options {
  const perms = options['perms'] ?? ofJxp;
  if (typeof perms !== 'object' || perms === null) return { ...options, perms };
  const given = perms as Readonly<Record<string, unknown>>;
  if (typeof given['admin'] !== 'string' || given['admin'] === '')
    warnings.add(
      `${file}: perms has no letters of admin; JXP refuses every request then, here the letters of the others count`,
    );
  if (isUserModel(file) && given['owner'] !== undefined) {
    warnings.add(
      `${file}: perms.owner is left out: in JXP the owner of a user is who created them, here it would be the user; to let users read and change their own document, give "user" a rule, such as user: { r: true, u: { where: { _id: '$user._id' } } }`,
    );
    const { owner: _, ...others } = given;
    return { ...options, perms: others };
  }
  const owner = withoutCreate(given['owner']);
  if (owner === given['owner']) return { ...options, perms };
  warnings.add(
    `${file}: "c" of perms.owner is left out, since it lets no user create in JXP; give "c" to user or to a group to allow it`,
  );
  return { ...options, perms: { ...given, owner } };
}

/** Whether a file has the model of the users, by its name. */
const isUserModel = (file: string): boolean => /(^|[\\/])user(_model)?\.\w+$/i.test(file);

function withoutCreate(letters: unknown): unknown {
  if (typeof letters === 'string') return letters.includes('c') ? letters.replaceAll('c', '') : letters;
  if (typeof letters !== 'object' || letters === null || !('c' in letters)) return letters;
  const { c: _, ...others } = letters;
  return others;
}
