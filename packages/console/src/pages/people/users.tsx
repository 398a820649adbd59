/** The users: a list, and one user with groups, password, sessions, keys and second factor. For admins. */
import { Anchor, Badge, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { loginOf } from '../../app-name.ts';
import { Paging } from '../../documents/paging.tsx';
import type { ViewParts } from '../../layout/view-parts.ts';
import { countText } from '../../parts/count.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import { change, hrefOf, usePlace } from '../../route.ts';
import { loginLabel } from '../../session/login-input.tsx';
import { Invite } from './invite.tsx';
import { OneUser } from './one-user.tsx';
import { roleOf, statusChoices, useGroups, type UserPage, type UserState, useUsers, type Wanted } from './use-users.ts';

const pause = 300;

export default function Users({ path: [id] }: ViewParts) {
  return id === undefined ? <List /> : <OneUser key={id} id={id} />;
}

/** Shows other users, from the first page on. */
const select = (values: Partial<Wanted>): void => change({ ...values, after: undefined, before: undefined });

function List() {
  const { query } = usePlace();
  const given = (name: string): string | undefined => query.get(name) ?? undefined;
  const wanted: Wanted = {
    ...{ search: given('search'), role: given('role'), status: given('status') },
    ...{ after: given('after'), before: given('before') },
  };
  const users = useUsers(wanted);
  return (
    <>
      <PageTitle>Users</PageTitle>
      <Group mb="md" gap="xs">
        <Choices {...wanted} />
        <Invite />
        <Button component="a" size="xs" variant="default" href={hrefOf(['documents', 'user', 'new'])} data-key="new">
          New
        </Button>
        <Button component="a" size="xs" variant="default" href={hrefOf(['documents', 'user'])}>
          All fields
        </Button>
        {users.data?.count === undefined ? null : (
          <Text size="sm" role="status">
            {countText(users.data, 'user')}
          </Text>
        )}
      </Group>
      <Loaded of={users}>{(page) => <Table {...page} />}</Loaded>
      <Paging
        page={users.data && { data: [], limit: 0, ...users.data }}
        isFirst={wanted.after === undefined && wanted.before === undefined}
      />
    </>
  );
}

function Choices({ search, role, status }: Wanted) {
  const seek = useDebouncedCallback((text: string) => select({ search: text || undefined }), pause);
  const groups = useGroups()?.names ?? [];
  return (
    <>
      <TextInput
        size="xs"
        aria-label={`Search by ${loginLabel().toLowerCase()}`}
        placeholder={`Search by ${loginLabel().toLowerCase()}`}
        data-key="search"
        defaultValue={search}
        onChange={({ currentTarget }) => seek(currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Role"
        value={role ?? ''}
        onChange={({ currentTarget: { value } }) => select({ role: value || undefined })}
        data={[
          { value: '', label: 'All roles' },
          { value: roleOf(undefined), label: 'Admins' },
          ...groups.map((group) => ({ value: roleOf(group), label: group })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="State"
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) => select({ status: value || undefined })}
        data={[
          { value: '', label: 'All states' },
          ...Object.entries(statusChoices).map(([value, label]) => ({ value, label })),
        ]}
      />
    </>
  );
}

function Table({ users, states }: UserPage) {
  if (users.length === 0)
    return (
      <Empty
        actions={
          <Button component="a" size="xs" variant="default" href={hrefOf(['users'])}>
            Show all users
          </Button>
        }
      >
        No users. None has what you look for.
      </Empty>
    );
  return (
    <SimpleTable
      label="Users"
      heads={[loginLabel(), 'Name', 'Roles', 'Last seen', 'State']}
      rows={users.map(({ _id, name, admin, groups, ...user }) => [
        <Anchor key="user" size="sm" href={hrefOf(['users', _id])}>
          {loginOf(user)}
        </Anchor>,
        name ?? '–',
        <Marks key="roles" texts={[...(admin === true ? ['admin'] : []), ...(groups ?? [])]} />,
        <LastSeen key="seen" state={states.get(_id)} />,
        <Marks key="state" texts={wordsOf(states.get(_id))} />,
      ])}
    />
  );
}

const LastSeen = ({ state }: { readonly state: UserState | undefined }) =>
  state?.last_seen == null ? '–' : <When value={state.last_seen} />;

/** What is particular about a user. */
const wordsOf = (state: UserState | undefined): readonly string[] =>
  state === undefined
    ? []
    : [
        ...(state.locked ? ['locked'] : []),
        ...(state.never_signed_in ? ['never signed in'] : []),
        ...(state.unverified ? ['email not verified'] : []),
        ...(state.factor ? ['second factor'] : []),
      ];

const Marks = ({ texts }: { readonly texts: readonly string[] }) => (
  <Group gap={4}>
    {texts.map((text) => (
      <Badge key={text} variant="default" tt="none" fw={400}>
        {text}
      </Badge>
    ))}
  </Group>
);
