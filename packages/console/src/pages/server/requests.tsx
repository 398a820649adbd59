/** The requests since the start by their routes, with errors and durations. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { numberText } from '../../parts/numbers.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Time } from '../background/parts.tsx';

/** Counts, and durations in milliseconds. */
type Figures = Readonly<Record<'count' | 'client_errors' | 'server_errors' | 'p50_ms' | 'p95_ms' | 'max_ms', number>>;

interface RouteFigures extends Figures {
  readonly method: string;
  readonly route: string;
}

interface Answer {
  readonly since: string;
  readonly total: Figures;
  readonly data: readonly RouteFigures[];
}

export function Requests() {
  const requests = useQuery({
    queryKey: ['data', '/server/requests'],
    queryFn: () => send<Answer>('GET', '/server/requests'),
  });
  return (
    <Loaded of={requests}>
      {({ since, total, data }) => (
        <Stack>
          <Text size="sm" component="div">
            Since the start of the server, <Time at={since} />. Half of the requests took no longer than the{' '}
            <i>median</i>, and 95 of 100 no longer than <i>95 %</i>. For figures over time, and alarms, switch{' '}
            <code>METRICS</code> on.
          </Text>
          <SimpleTable
            label="Requests"
            heads={['Route', 'Requests', 'Refused (4xx)', 'Failed (5xx)', 'Median', '95 %', 'Longest']}
            rows={[
              ['All', ...cellsOf(total)],
              ...data.map((one) => [
                <code key="route">
                  {one.method} {one.route}
                </code>,
                ...cellsOf(one),
              ]),
            ]}
          />
        </Stack>
      )}
    </Loaded>
  );
}

const cellsOf = ({ count, client_errors, server_errors, p50_ms, p95_ms, max_ms }: Figures): readonly string[] => [
  ...[count, client_errors, server_errors].map(numberText),
  ...[p50_ms, p95_ms, max_ms].map((ms) => `${numberText(ms)} ms`),
];
