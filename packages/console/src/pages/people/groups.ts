/** The groups of users: which there are, and which of some are not among them. Pure. */
import type { OwnModel } from '../../api/models.ts';

/** Roles of `perms` that are no groups. */
const roles: ReadonlySet<string> = new Set(['all', 'user', 'owner', 'admin']);

/** The groups to which models, or paths of them, give letters. */
export const groupsInModels = (models: Iterable<Pick<OwnModel, 'perms' | 'fields'>>): readonly string[] =>
  [...models]
    .flatMap(({ perms, fields }) => [perms, ...Object.values(fields).map((field) => field.perms ?? {})])
    .flatMap((perms) => Object.keys(perms))
    .filter((role, at, all) => !roles.has(role) && all.indexOf(role) === at);

/** Those of a user's groups that are not known, each once. The server trims names. */
export const unknownGroups = (names: readonly string[], known: readonly string[]): readonly string[] =>
  [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '' && !known.includes(name));
