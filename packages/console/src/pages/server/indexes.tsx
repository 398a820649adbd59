/** The indexes of the models, and which to add or to drop. */
import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { bytesText, numberText } from '../../parts/numbers.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Time } from '../background/parts.tsx';
import { BuildIndex, DropIndex } from './change-index.tsx';
import { type IndexKey, keyText } from './index-key.ts';

interface StoredIndex {
  readonly model: string;
  readonly name: string;
  readonly key: IndexKey;
  readonly unique: boolean;
  readonly droppable: boolean;
  readonly size?: number;
  readonly uses?: number;
  readonly since?: string;
}

interface IndexAdvice {
  readonly model: string;
  readonly index: IndexKey;
  readonly reason: 'missing' | 'unused' | 'redundant';
  readonly for: string;
  readonly name?: string;
  readonly since?: string;
}

interface Answer {
  readonly data: readonly StoredIndex[];
  readonly advice: readonly IndexAdvice[];
}

export function Indexes() {
  const indexes = useQuery({
    queryKey: ['data', '/server/indexes'],
    queryFn: () => send<Answer>('GET', '/server/indexes'),
  });
  return (
    <Loaded of={indexes}>
      {({ data, advice }) => (
        <Stack>
          <Title order={2} size="h4">
            Advice
          </Title>
          <Advised advice={advice} indexes={data} />
          <Title order={2} size="h4">
            Indexes in the database
          </Title>
          <Stored indexes={data} />
        </Stack>
      )}
    </Loaded>
  );
}

const reasons: Readonly<Record<IndexAdvice['reason'], (advice: IndexAdvice) => string>> = {
  missing: ({ for: shape }) => `Missing: build it, and add it to the model file, for reads of ${shape}`,
  unused: () => 'Unused since then. If that lasts, remove it from the model file, start the server again, and drop it',
  redundant: ({ for: other }) =>
    `Redundant: ${other} begins with it. Remove it from the model file, start the server again, and drop it`,
};

interface AdvisedParts {
  readonly advice: readonly IndexAdvice[];
  readonly indexes: readonly StoredIndex[];
}

const Advised = ({ advice, indexes }: AdvisedParts) =>
  advice.length === 0 ? (
    <Text size="sm">No index is missing, unused or redundant, as far as reads have shown since the start.</Text>
  ) : (
    <SimpleTable
      label="Advice on indexes"
      heads={['Model', 'Index', 'What to do', 'Since', '']}
      ids={advice.map(({ model, name, index, reason }) => [model, name ?? keyText(index), reason].join(' '))}
      rows={advice.map((one) => [
        one.model,
        one.name ?? keyText(one.index),
        <span key="reason" className="anywhere">
          {reasons[one.reason](one)}
        </span>,
        <Time key="since" at={one.since} />,
        one.name === undefined ? (
          <BuildIndex key="build" model={one.model} index={one.index} />
        ) : (
          indexes.some(({ model, name, droppable }) => model === one.model && name === one.name && droppable) && (
            <DropIndex key="drop" model={one.model} name={one.name} />
          )
        ),
      ])}
    />
  );

const Stored = ({ indexes }: { readonly indexes: readonly StoredIndex[] }) => (
  <SimpleTable
    label="Indexes in the database"
    heads={['Model', 'Name', 'Paths', 'Unique', 'Size', 'Uses', 'Since']}
    rows={indexes.map(({ model, name, key, unique, size, uses, since }) => [
      model,
      name,
      keyText(key),
      unique ? 'unique' : '–',
      bytesText(size),
      uses === undefined ? '–' : numberText(uses),
      <Time key="since" at={since} />,
    ])}
  />
);
