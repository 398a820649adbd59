/** The letters of permissions: create, read, update, delete. */
export const letters = ['c', 'r', 'u', 'd'] as const;
export type Letter = (typeof letters)[number];
