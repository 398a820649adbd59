/** The caller: anonymous, or a user with the roles in the order in which they are tried; how they signed in, and from where. */
import type { ModelEntry } from '../models/entry.ts';
import type { OwnDocument } from './own-document.ts';
import type { Scopes } from './scopes.ts';

/** The data of the signed-in user, without the password. */
export interface KnownUser {
  readonly _id: string;
  readonly id: string;
  /** Empty for a user without one. */
  readonly email: string;
  /** What signs in, where that is not the email. */
  readonly login?: string;
  readonly name?: string;
  readonly admin: boolean;
  readonly groups: readonly string[];
}

/** What a user signs in with. */
export const loginOf = ({ login, email }: KnownUser): string => login ?? email;

/** How a caller signed in: `apikey` by the permanent key of the user, `key` by a key that is stored by itself. */
export const signInMethods = ['basic', 'token', 'apikey', 'key', 'jwt'] as const;

/** A user's second factor. `missing`: it is off, and `MFA_REQUIRED` requires it, so the user may only set it up. */
export type FactorState = 'on' | 'off' | 'missing';

/** The data about a caller that the checked credential provides. */
export interface SignIn {
  readonly factor: FactorState;
  readonly method?: (typeof signInMethods)[number];
  /** The session that a bearer token belongs to. */
  readonly session?: string;
  /** The id of a stored key (`StoredKeys`). */
  readonly key?: string;
  /** The digest of the key that was sent. Tickets are bound to it. */
  readonly digest?: string;
  /** What a key is restricted to; undefined for a credential that may do what its user may. */
  readonly scopes?: Scopes | undefined;
  /** The user's session epoch when the credential was checked. */
  readonly epoch?: number;
  /** When the credential expires. */
  readonly expires?: Date | undefined;
  /** Id of the admin who acts as the user, by a JWT of `/login/getjwt` or a session that it began. */
  readonly by?: string | undefined;
  /** Id of the user in whose request the system acts; undefined for callers who act themselves. */
  readonly for?: string | undefined;
  /** The protocol through which the caller acts; undefined for requests of HTTP and the WebSocket. */
  readonly via?: 'mcp' | undefined;
}

/**
 * How a caller signed in, which admin acts as them, for whom the system acts, and through what: what records of their actions have besides
 * the user and the address.
 */
export const signInOf = ({
  method,
  by,
  for: person,
  via,
}: SignIn): { readonly [Name in 'method' | 'by' | 'for' | 'via']: SignIn[Name] | undefined } => ({
  method,
  by,
  for: person,
  via,
});

/** Where a request comes from, and how its caller signed in. */
export interface Origin {
  readonly address?: string | undefined;
  readonly method?: string | undefined;
  /** Id of the admin who acts as the user. */
  readonly by?: string | undefined;
  /** Id of the user in whose request the system acts. */
  readonly for?: string | undefined;
  /** The protocol, where it is not the API itself. */
  readonly via?: string | undefined;
  /** The id of the request in the log. */
  readonly requestId?: string | undefined;
}

export interface Principal extends SignIn {
  /** Undefined for anonymous callers. */
  readonly user: KnownUser | undefined;
  readonly admin: boolean;
  /** The operator has every letter on every model and path, whatever the model files give to admins. */
  readonly hasAllRights?: true;
  /** Roles in the order in which they are tried, without `owner`, which depends on the document. */
  readonly roles: readonly string[];
  /** The user's document, as far as row rules name its paths. */
  readonly own?: OwnDocument;
}

/** All of a caller that decides which operations and paths they may use, but not who they are. */
export const rightsKey = ({ user, admin, roles, scopes, factor }: Principal): string =>
  JSON.stringify([
    user !== undefined,
    admin,
    roles,
    factor === 'missing',
    scopes && [...scopes].map(([name, letters]) => [name, [...letters].sort()]).sort(),
  ]);

/** What the work of one caller is counted by: their id, or the address of an anonymous one. */
export const callerKey = ({
  principal,
  address,
}: {
  readonly principal: Principal;
  readonly address: string;
}): string => principal.user?.id ?? address;

/** Reserved names, which groups cannot have. */
export const reservedGroups: ReadonlySet<string> = new Set([
  'all',
  'admin',
  'user',
  'owner',
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

export const anonymousPrincipal: Principal = Object.freeze({
  user: undefined,
  factor: 'off',
  admin: false,
  roles: Object.freeze(['all']),
});

/** The operator of the server, who has all rights and is no user. */
export const operator: Principal = Object.freeze({
  user: undefined,
  factor: 'off',
  admin: true,
  hasAllRights: true,
  roles: Object.freeze(['all', 'admin', 'user']),
});

const operators = new WeakMap<Principal, Principal>();

/**
 * The operator within what a caller causes, whom records of its writes name besides. It is one object for each principal, by which its
 * policies are cached.
 */
export function operatorFor(caller: Principal): Principal {
  const person = caller.user?.id ?? caller.for;
  if (person === undefined) return operator;
  const known = operators.get(caller) ?? Object.freeze({ ...operator, for: person, by: caller.by });
  operators.set(caller, known);
  return known;
}

/** The principal of a user. @param by how they signed in; by default they have not */
export function principalOf(user: KnownUser, by: SignIn = { factor: 'off' }, own?: OwnDocument): Principal {
  const groups = user.groups.filter((group) => !reservedGroups.has(group));
  const roles = ['all', ...(user.admin ? ['admin'] : []), 'user', ...groups];
  return Object.freeze({ ...by, user, admin: user.admin, roles: Object.freeze(roles), own });
}

/** Who writes, as code that runs for a write sees them. */
export interface WriteCaller {
  /** Undefined for the system, and for a caller who has not signed in. */
  readonly user: KnownUser | undefined;
  readonly admin: boolean;
  readonly groups: readonly string[];
  /** Id of the admin who acts as the user. */
  readonly by?: string;
}

/** A caller as code that runs for a write sees them. */
export const writeCallerOf = ({ user, admin, by }: Principal): WriteCaller => ({
  user,
  admin,
  groups: user?.groups ?? [],
  ...(by === undefined ? {} : { by }),
});

/** The groups to which any of the models gives rights, in order. */
export const groupsIn = (models: readonly ModelEntry[]): readonly string[] =>
  [...new Set(models.flatMap(({ options }) => [...options.perms.keys()]))]
    .filter((name) => !reservedGroups.has(name))
    .sort();

/** Whether a caller may do what is for a group: its members, and admins. */
export const passesFor = ({ admin, roles }: Principal, group: string): boolean => admin || roles.includes(group);

/** A caller as code of the project receives them. */
export const callerForProject = ({
  user,
  admin,
  roles,
}: Principal): Readonly<Pick<Principal, 'user' | 'admin' | 'roles'>> => Object.freeze({ user, admin, roles });
