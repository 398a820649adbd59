/** The deliveries to a webhook, and sending them again. */
import { Group, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { pathOf, send } from '../../api/client.ts';
import { useModelNames } from '../../api/names.ts';
import { Paging } from '../../documents/paging.tsx';
import { AsTable } from '../../parts/as-table.tsx';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { usePlace } from '../../route.ts';
import { Act, StatusFilter, Time } from './parts.tsx';

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly tries: number;
  readonly status: 'pending' | 'ok' | 'dead';
  readonly code: number | null;
  readonly ms: number | null;
  readonly reason?: string;
  readonly answer?: string | null;
}

const statuses = ['pending', 'ok', 'dead'];
const pageSize = 50;

/** @param url the address of the webhook */
export function Deliveries({ id, url }: Readonly<Record<'id' | 'url', string>>) {
  const { query } = usePlace();
  const [status, after, before] = ['status', 'after', 'before'].map((name) => query.get(name) ?? undefined);
  const path = `/webhooks/${id}`;
  const { ofMember } = useModelNames();
  const deliveries = useQuery({
    queryKey: ['data', `${path}/deliveries`, status, after, before],
    queryFn: () =>
      send<Page<Delivery>>('GET', pathOf(`${path}/deliveries`, { status, after, before, limit: pageSize })),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <Title order={2} size="h4" mb="xs" className="anywhere">
        Deliveries to {url}
      </Title>
      <Group mb="md">
        <StatusFilter values={statuses} value={status} />
      </Group>
      <Loaded of={deliveries}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>No such deliveries.</Empty>
          ) : (
            <>
              <SimpleTable
                label="Deliveries"
                heads={['Time', 'Type', 'Status', 'Tries', 'Answer', 'Duration', '']}
                ids={data.map(({ id }) => id)}
                rows={data.map((one) => [
                  <Time key="at" at={one.at} />,
                  <span key="type" title={one.type}>
                    {ofMember(one.type)}
                  </span>,
                  one.status,
                  String(one.tries),
                  answerText(one),
                  one.ms === null ? '–' : `${one.ms} ms`,
                  <Act
                    key="replay"
                    label="Send again"
                    of={one.id}
                    act={() => send('POST', `${path}/replay`, { ids: [one.id] })}
                    done="It is sent again."
                  />,
                ])}
              />
              <AsTable of="_outbox" filter={{ kind: 'webhook', group: id }} sort="-_id">
                Deliveries as a table
              </AsTable>
            </>
          )
        }
      </Loaded>
      <Paging page={deliveries.data} isFirst={after === undefined && before === undefined} />
    </section>
  );
}

const answerText = ({ code, reason, answer }: Delivery): string =>
  [code, reason, answer].filter((part) => part !== null && part !== undefined && part !== '').join(' · ') || '–';
