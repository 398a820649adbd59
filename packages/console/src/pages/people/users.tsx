/** The users: a list, and one user with groups, password, sessions, keys and second factor. For admins. */
import { Anchor, Badge, Button, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { Paging } from '../../documents/paging.tsx';
import type { ViewParts } from '../../layout/view-parts.ts';
import { countText } from '../../parts/count.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { change, hrefOf, usePlace } from '../../route.ts';
import { Invite } from './invite.tsx';
import { OneUser, type User } from './one-user.tsx';

const pageSize = 50;
const pause = 300;

export default function Users({ path: [id] }: ViewParts) {
  return id === undefined ? <List /> : <OneUser id={id} />;
}

function List() {
  const { query } = usePlace();
  const [search, after, before] = ['search', 'after', 'before'].map((name) => query.get(name) ?? undefined);
  const users = useQuery({
    queryKey: ['users', search, after, before],
    queryFn: ({ signal }) =>
      client.model('user').list({
        ...(search === undefined ? {} : { search: { email: search } }),
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before }),
        sort: 'email',
        limit: pageSize,
        count: 'capped',
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const seek = useDebouncedCallback((text: string) => {
    change({ search: text || undefined, after: undefined, before: undefined });
  }, pause);
  return (
    <>
      <PageTitle>Users</PageTitle>
      <Group mb="md">
        <TextInput
          aria-label="Search by email"
          placeholder="Search by email"
          data-key="search"
          defaultValue={search}
          onChange={({ currentTarget }) => seek(currentTarget.value)}
        />
        <Invite />
        <Button component="a" variant="default" href={hrefOf(['documents', 'user', 'new'])} data-key="new">
          New
        </Button>
        {users.data === undefined ? null : countText(users.data)}
      </Group>
      <Loaded of={users}>{({ data }) => <Table users={data as unknown as User[]} />}</Loaded>
      <Paging page={users.data} isFirst={after === undefined && before === undefined} />
    </>
  );
}

function Table({ users }: { readonly users: readonly User[] }) {
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
      heads={['Email', 'Name', 'Roles']}
      rows={users.map(({ _id, email, name, admin, groups }) => [
        <Anchor key="user" size="sm" href={hrefOf(['users', _id])}>
          {email}
        </Anchor>,
        name ?? '–',
        <Roles key="roles" roles={[...(admin === true ? ['admin'] : []), ...(groups ?? [])]} />,
      ])}
    />
  );
}

const Roles = ({ roles }: { readonly roles: readonly string[] }) => (
  <Group gap={4}>
    {roles.map((role) => (
      <Badge key={role} variant="default" tt="none" fw={400}>
        {role}
      </Badge>
    ))}
  </Group>
);
