/** The letters of permissions: create, read, update, delete. */
export const letters = ['c', 'r', 'u', 'd'] as const;
export type Letter = (typeof letters)[number];

/** What each letter is a right to do, as sentences name it. */
export const verbs: Readonly<Record<Letter, string>> = { c: 'create', r: 'read', u: 'change', d: 'delete' };

/** Each of some letters once at most, in any order, such as `cr` or `rc`; a text that the compiler checks. */
export type LettersOf<L extends string> = '' | { [First in L]: `${First}${LettersOf<Exclude<L, First>>}` }[L];
