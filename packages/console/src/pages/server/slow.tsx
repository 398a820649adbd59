/** Reads that took long, or examined far more documents than they returned, by their shapes. */
import { Stack, Text } from '@mantine/core';
import { useData } from '../../api/models.ts';
import { numberText } from '../../parts/numbers.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Time } from '../background/parts.tsx';
import { BuildIndex } from './change-index.tsx';
import { type IndexKey, keyText } from './index-key.ts';

interface SlowRead {
  readonly model: string;
  /** As JSON, without values. */
  readonly shape: string;
  readonly count: number;
  readonly total_ms: number;
  readonly max_ms: number;
  readonly last: string;
  readonly plan?: string;
  readonly index?: string;
  readonly examined?: number;
  readonly returned?: number;
  readonly advice?: IndexKey;
}

export function SlowReads() {
  const reads = useData<readonly SlowRead[]>('/server/slow');
  return (
    <Loaded of={reads}>
      {(known) =>
        known.length === 0 ? (
          <Empty>
            No read has been slow since the start: none took SLOW_MS, or examined over 100 documents for each that it
            returned.
          </Empty>
        ) : (
          <Stack>
            <Text size="sm">
              Since the start, those that took most time first. Where no index is missing, none helps: narrow the
              filter, or read fewer documents at a time.
            </Text>
            <SimpleTable
              label="Slow reads"
              heads={[
                'Model',
                'Shape',
                'Reads',
                'Total',
                'Longest',
                'Examined',
                'Returned',
                'Plan',
                'Last',
                'Missing index',
                '',
              ]}
              ids={known.map(({ model, shape }) => `${model} ${shape}`)}
              rows={known.map((one) => [
                one.model,
                <code key="shape" className="anywhere">
                  {one.shape}
                </code>,
                numberText(one.count),
                `${numberText(one.total_ms)} ms`,
                `${numberText(one.max_ms)} ms`,
                countOf(one.examined),
                countOf(one.returned),
                <span key="plan" className="anywhere">
                  {[one.plan, one.index].filter((part) => part !== undefined).join(' · ') || '–'}
                </span>,
                <Time key="last" at={one.last} />,
                one.advice === undefined ? '–' : keyText(one.advice),
                one.advice === undefined ? null : <BuildIndex key="build" model={one.model} index={one.advice} />,
              ])}
            />
          </Stack>
        )
      }
    </Loaded>
  );
}

const countOf = (value: number | undefined): string => (value === undefined ? '–' : numberText(value));
