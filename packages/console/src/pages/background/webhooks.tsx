/** Webhooks: the addresses that receive changes, and the deliveries to one of them. */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { eventWords, useModelNames } from '../../api/names.ts';
import { Copied } from '../../document/raw.tsx';
import type { ViewParts } from '../../layout/view-parts.ts';
import { AsTable } from '../../parts/as-table.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { run } from '../../parts/run.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { hrefOf } from '../../route.ts';
import { Deliveries } from './deliveries.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { Act } from './parts.tsx';
import { useWebhooks, type Webhook, webhooksPath as path } from './use-webhooks.ts';

/** Seconds in which both secrets are valid after a rotation. */
const overlap = 24 * 3600;

export default function Webhooks({ path: [id] }: ViewParts) {
  const queries = useQueryClient();
  const webhooks = useWebhooks();
  const [secret, setSecret] = useState('');
  const write = async (method: string, to: string, body?: unknown): Promise<void> => {
    const { data } = await send<{ data?: { secret?: string } }>(method, to, body);
    if (data?.secret !== undefined) setSecret(data.secret);
    await queries.invalidateQueries({ queryKey: ['data', path] });
  };
  const shown = webhooks.data?.find((one) => one.id === id);
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <PageTitle>Webhooks</PageTitle>
        <NewWebhook create={(body) => write('POST', path, body)} />
      </Group>
      {secret === '' ? null : <Copied label="The secret, which is not shown again" text={secret} />}
      <Loaded of={webhooks}>
        {(known) =>
          known.length === 0 ? (
            <Empty>No webhooks. A webhook sends changes of documents to another program.</Empty>
          ) : (
            <Table webhooks={known} write={write} />
          )
        }
      </Loaded>
      {shown === undefined ? null : <Deliveries key={shown.id} id={shown.id} url={shown.url} />}
    </Stack>
  );
}

interface TableParts {
  readonly webhooks: readonly Webhook[];
  readonly write: (method: string, to: string, body?: unknown) => Promise<void>;
}

function Table({ webhooks, write }: TableParts) {
  const [removed, remove] = useState<Webhook>();
  const { ofModel } = useModelNames();
  return (
    <>
      <SimpleTable
        label="Webhooks"
        heads={['Address', 'Models', 'Events', 'State', '']}
        ids={webhooks.map(({ id }) => id)}
        rows={webhooks.map((one) => [
          <div key="address">
            <Anchor size="sm" href={hrefOf(['webhooks', one.id])}>
              {one.url}
            </Anchor>
            {one.description ? (
              <Text size="xs" c="dimmed">
                {one.description}
              </Text>
            ) : null}
          </div>,
          one.models.includes('*') ? 'all' : one.models.map(ofModel).join(', '),
          one.events.map((event) => eventWords[event] ?? event).join(', '),
          one.active ? 'on' : 'off',
          <Group key="acts" gap={4} wrap="nowrap">
            <Act
              label="Test"
              of={one.url}
              act={() => write('POST', `${path}/${one.id}/test`)}
              done="The test is sent."
            />
            <Act
              label={one.active ? 'Switch off' : 'Switch on'}
              of={one.url}
              act={() => write('PUT', `${path}/${one.id}`, { active: !one.active })}
            />
            <Act
              label="New secret"
              of={one.url}
              act={() => write('POST', `${path}/${one.id}/rotate`, { overlap })}
              done="Both secrets are valid for a day."
            />
            <Act label="Remove" of={one.url} act={() => Promise.resolve(remove(one))} />
          </Group>,
        ])}
      />
      <AsTable of="_webhook">Webhooks as a table</AsTable>
      <Confirm
        isOpen={removed !== undefined}
        close={() => remove(undefined)}
        title="Remove the webhook"
        action="Remove"
        act={() => {
          if (removed !== undefined) run(() => write('DELETE', `${path}/${removed.id}`), 'Removed.');
        }}
      >
        <span className="anywhere">{removed?.url}</span> receives nothing any more, and its deliveries are removed.
      </Confirm>
    </>
  );
}
