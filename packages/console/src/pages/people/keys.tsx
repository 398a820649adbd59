/** The named keys of the caller, or for admins of another user. */
import { Button, Group, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, pathOf, send } from '../../api/client.ts';
import { useData } from '../../api/models.ts';
import { useModelNames, verbs } from '../../api/names.ts';
import { Copied } from '../../document/raw.tsx';
import { AsTable } from '../../parts/as-table.tsx';
import { dateText } from '../../parts/dates.ts';
import { run } from '../../parts/run.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { NewKey } from './new-key.tsx';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: Readonly<Record<string, string>> | null;
  readonly addresses: readonly string[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

const path = '/login/keys';

/** “Books: create, read; all others: read”. */
const scopesText = (scopes: Key['scopes'], ofModel: (name: string) => string): string =>
  scopes === null
    ? 'all that the user may'
    : Object.entries(scopes)
        .map(([model, letters]) => {
          const name = model !== '*' ? ofModel(model) : Object.keys(scopes).length === 1 ? 'all models' : 'all others';
          return `${name}: ${Array.from(letters, (letter) => verbs[letter] ?? letter).join(', ') || 'nothing'}`;
        })
        .join('; ');

export function Keys({ user }: { readonly user?: string }) {
  const query = user === undefined ? {} : { user };
  const queries = useQueryClient();
  const [secret, setSecret] = useState('');
  const { ofModel } = useModelNames();
  const keys = useData<readonly Key[]>(path, query);
  const write = async (method: string, to: string, body?: unknown): Promise<void> => {
    const { data } = await send<{ data?: { key?: string } }>(method, pathOf(to, query), body);
    setSecret(data?.key ?? '');
    await queries.invalidateQueries({ queryKey: ['data', path] });
  };
  const button = (label: string, act: () => Promise<void>) => (
    <Button key={label} size="compact-xs" variant="default" onClick={() => run(act)}>
      {label}
    </Button>
  );
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Keys
        </Title>
        {user === undefined ? <NewKey create={(body) => write('POST', path, body)} /> : null}
      </Group>
      {secret === '' ? null : <Copied label="The key, which is not shown again" text={secret} />}
      <Loaded of={keys}>
        {(known) =>
          known.length === 0 ? (
            <Empty>No keys. A key lets a program act as this user, without a password.</Empty>
          ) : (
            <>
              <SimpleTable
                label="Keys"
                heads={['Name', 'Scopes', 'Addresses', 'Expires', 'Last used', '']}
                ids={known.map(({ id }) => id)}
                rows={known.map((key) => [
                  key.name,
                  scopesText(key.scopes, ofModel),
                  key.addresses?.join(', ') ?? 'all',
                  key.expires_at === null ? 'never' : dateText(key.expires_at),
                  key.last_used_at === null ? 'never' : dateText(key.last_used_at),
                  <Group key="acts" gap={4} wrap="nowrap">
                    {user === undefined
                      ? button('Rotate', () => write('POST', `${path}/${key.id}/rotate`, { overlap: 0 }))
                      : null}
                    {button('End', () => write('DELETE', `${path}/${key.id}`))}
                  </Group>,
                ])}
              />
              <AsTable of="_key" filter={{ user_id: user ?? client.user ?? '' }}>
                Keys as a table
              </AsTable>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
