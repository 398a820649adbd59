/** The letters of permissions: create, read, update, delete. */
export const letters = ['c', 'r', 'u', 'd'] as const;
export type Letter = (typeof letters)[number];

/** The roles every model knows, in the order in which they are tried; group names come between `user` and `owner`. */
export const roleNames = ['all', 'admin', 'user', 'owner'] as const;
