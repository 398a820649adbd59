/** The sessions of the caller, or for admins of another user. */
import { Alert, Button, Group, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pathOf, send } from '../../api/client.ts';
import { dateText } from '../../parts/dates.ts';
import { run } from '../../parts/run.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';

interface Session {
  readonly id: string;
  readonly created_at: string | null;
  readonly last_used_at: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly current: boolean;
}

interface Listed {
  readonly data: readonly Session[];
  readonly max_sessions: number;
}

const path = '/login/sessions';

export function Sessions({ user }: { readonly user?: string }) {
  const query = user === undefined ? {} : { user };
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: ['data', path, query],
    queryFn: () => send<Listed>('GET', pathOf(path, query)),
  });
  const end = (one: string): void =>
    run(async () => {
      await send('DELETE', pathOf(one, query));
      await queries.invalidateQueries({ queryKey: ['data', path] });
    }, 'Ended.');
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Sessions
        </Title>
        <Button size="xs" variant="default" onClick={() => end(path)}>
          {user === undefined ? 'Sign out everywhere else' : 'Sign out everywhere'}
        </Button>
      </Group>
      <Loaded of={sessions}>
        {({ data: known, max_sessions }) => (
          <>
            {user === undefined && max_sessions === 1 ? <OnlyOne /> : null}
            {known.length === 0 ? (
              <Empty>No sessions. This user is not signed in.</Empty>
            ) : (
              <SimpleTable
                label="Sessions"
                heads={['Signed in', 'Last used', 'Address', 'Browser', '']}
                ids={known.map(({ id }) => id)}
                rows={known.map((session) => [
                  session.created_at === null ? '–' : dateText(session.created_at),
                  session.last_used_at === null ? '–' : dateText(session.last_used_at),
                  session.address ?? '–',
                  session.agent ?? '–',
                  session.current ? (
                    'this one'
                  ) : (
                    <Button key="end" size="compact-xs" variant="default" onClick={() => end(`${path}/${session.id}`)}>
                      End
                    </Button>
                  ),
                ])}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const OnlyOne = () => (
  <Alert variant="outline" mb="sm" title="One session at a time">
    Signing in on another device, or in another browser, ends the session here. The setting MAX_SESSIONS of the server
    allows more.
  </Alert>
);
