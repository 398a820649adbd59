/** The users of a page, with what admins see of them besides their documents. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { client, pathOf, send } from '../../api/client.ts';
import type { User } from '../../api/document.ts';
import { loginField } from '../../app-name.ts';

/** A user, as `GET /users/states` has them. */
export interface UserState {
  readonly id: string;
  readonly last_seen: string | null;
  readonly never_signed_in: boolean;
  readonly unverified: boolean;
  readonly factor: boolean;
  readonly locked: boolean;
}

/** States by which users are found, with their words. */
export const statusChoices = {
  never_signed_in: 'Never signed in',
  unverified: 'Email not verified',
  factor: 'With a second factor',
  no_factor: 'Without a second factor',
  locked: 'Locked',
} as const;

/** The value of the role of admins; other roles are groups. */
const admins = 'admin';

/** A role as the address has it. */
export const roleOf = (group: string | undefined): string => (group === undefined ? admins : `group ${group}`);

/** Which users are shown, as the address of the view says it. */
export interface Wanted {
  readonly search: string | undefined;
  readonly role: string | undefined;
  readonly status: string | undefined;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

export interface UserPage extends Pick<Page<User>, 'count' | 'count_is' | 'next_cursor' | 'prev_cursor'> {
  readonly users: readonly User[];
  readonly states: ReadonlyMap<string, UserState>;
}

const pageSize = 50;

export const useUsers = (wanted: Wanted): UseQueryResult<UserPage> =>
  useQuery({
    queryKey: ['users', wanted],
    queryFn: ({ signal }) => (wanted.status === undefined ? ordered(wanted, signal) : inState(wanted, signal)),
    placeholderData: keepPreviousData,
  });

const maxGroups = 100;

interface GroupsOfUsers {
  readonly names: readonly string[];
  /** Whether there may be more. */
  readonly isPart: boolean;
}

/** The groups that users have; undefined while they are loaded. */
export const useGroups = (): GroupsOfUsers | undefined =>
  useQuery({
    queryKey: ['users', 'groups'],
    queryFn: async ({ signal }): Promise<GroupsOfUsers> => {
      const found = await client.model('user').distinct('groups', { limit: maxGroups, signal });
      return { names: found.map(({ value }) => String(value)).sort(), isPart: found.length === maxGroups };
    },
  }).data;

interface Selected {
  readonly search?: Readonly<Record<string, string>>;
  readonly filter: Readonly<Record<string, unknown>>;
}

const selectedBy = ({ search, role }: Wanted): Selected => ({
  ...(search === undefined ? {} : { search: { [loginField()]: search } }),
  filter: role === undefined ? {} : role === admins ? { admin: true } : { groups: role.replace(/^group /, '') },
});

/** In the order of what they sign in with. */
async function ordered(wanted: Wanted, signal: AbortSignal): Promise<UserPage> {
  const { after, before } = wanted;
  const place = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
  const options = {
    ...selectedBy(wanted),
    ...place,
    sort: loginField(),
    limit: pageSize,
    count: 'capped',
    signal,
  } as const;
  const { data: users, ...page } = await client.model('user').list(options);
  const user = users.map(({ _id }) => _id).join(',');
  const states = users.length === 0 ? [] : (await statesOf({ user })).data;
  return { ...page, users, states: byId(states) };
}

/** In the order of their ids, since the server finds them by their state. Pages without such users are left out. */
async function inState(wanted: Wanted, signal: AbortSignal): Promise<UserPage> {
  let { after } = wanted;
  for (;;) {
    const found = await statesOf({ status: wanted.status, limit: pageSize, after });
    const users = await usersOf(wanted, found.data, signal);
    after = found.next_cursor;
    if (users.length > 0 || after === undefined)
      return { users, states: byId(found.data), ...(after === undefined ? {} : { next_cursor: after }) };
    signal.throwIfAborted();
  }
}

async function usersOf(wanted: Wanted, states: readonly UserState[], signal: AbortSignal): Promise<readonly User[]> {
  if (states.length === 0) return [];
  const { filter, ...search } = selectedBy(wanted);
  const among = { ...filter, _id: { $in: states.map(({ id }) => id) } };
  const { data } = await client.model('user').list({ ...search, filter: among, sort: '_id', limit: pageSize, signal });
  return data;
}

interface States {
  readonly data: readonly UserState[];
  readonly next_cursor?: string;
}

const statesOf = (query: Parameters<typeof pathOf>[1]): Promise<States> => send('GET', pathOf('/users/states', query));

const byId = (states: readonly UserState[]): ReadonlyMap<string, UserState> =>
  new Map(states.map((one) => [one.id, one]));
