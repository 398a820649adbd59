/** The sessions of the caller, or for admins of another user. */
import { Button, Group, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { pathOf, send } from '../../api/client.ts';
import { useData } from '../../api/models.ts';
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

const path = '/login/sessions';

export function Sessions({ user }: { readonly user?: string }) {
  const query = user === undefined ? {} : { user };
  const queries = useQueryClient();
  const sessions = useData<readonly Session[]>(path, query);
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
          {user === undefined ? 'End all others' : 'End all'}
        </Button>
      </Group>
      <Loaded of={sessions}>
        {(known) =>
          known.length === 0 ? (
            <Empty>No sessions.</Empty>
          ) : (
            <SimpleTable
              label="Sessions"
              heads={['Signed in', 'Last used', 'Address', 'Browser', '']}
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
          )
        }
      </Loaded>
    </section>
  );
}
