/** The requests since the start, or of the last minutes, by their routes, with errors and durations. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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

interface FiguresSince {
  readonly since: string;
  readonly total: Figures;
  readonly data: readonly RouteFigures[];
}

interface Answer extends FiguresSince {
  readonly recent: FiguresSince;
}

/** Of what time the figures are. */
type Span = 'start' | 'recent';

const spans: { value: Span; label: string }[] = [
  { value: 'start', label: 'Since the start' },
  { value: 'recent', label: 'Last 5 minutes' },
];

export function Requests() {
  const [span, setSpan] = useState<Span>('start');
  const requests = useQuery({
    queryKey: ['data', '/server/requests'],
    queryFn: () => send<Answer>('GET', '/server/requests'),
  });
  return (
    <Stack align="flex-start">
      <SegmentedControl aria-label="Time" data={spans} value={span} onChange={setSpan} />
      <Loaded of={requests}>{(answer) => <FiguresTable of={span === 'start' ? answer : answer.recent} />}</Loaded>
    </Stack>
  );
}

function FiguresTable({ of: { since, total, data } }: { readonly of: FiguresSince }) {
  return (
    <Stack w="100%">
      <Text size="sm" component="div">
        Since <Time at={since} />. Half of the requests took no longer than the <i>median</i>, and 95 of 100 no longer
        than <i>95 %</i>. For figures over time, and alarms, switch <code>METRICS</code> on.
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
  );
}

const cellsOf = ({ count, client_errors, server_errors, p50_ms, p95_ms, max_ms }: Figures): readonly string[] => [
  ...[count, client_errors, server_errors].map(numberText),
  ...[p50_ms, p95_ms, max_ms].map((ms) => `${numberText(ms)} ms`),
];
