/** The server: whether it works, its version, its cache, its models. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client, send } from '../api/client.ts';
import { type OwnModel, useModels } from '../api/models.ts';
import { countText } from '../parts/count.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { run } from '../parts/run.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Loaded } from '../parts/states.tsx';

export default function Server() {
  const models = [...(useModels().data?.values() ?? [])];
  const ready = useQuery({ queryKey: ['ready'], queryFn: () => send<{ message: string }>('GET', '/ready') });
  const version = useQuery({
    queryKey: ['version'],
    queryFn: async () => (await send<{ info: { version: string } }>('GET', '/openapi.json')).info.version,
  });
  return (
    <>
      <PageTitle>Server</PageTitle>
      <Stack>
        <Loaded of={version}>{(text) => <Text>Dossier {text}</Text>}</Loaded>
        <Loaded of={ready}>{({ message }) => <Text role="status">{message}</Text>}</Loaded>
        <Cache />
        <Title order={2} size="h4">
          Models
        </Title>
        <Models models={models} />
      </Stack>
    </>
  );
}

type Stats =
  { readonly cache_enabled: false } | Readonly<Record<'hits' | 'misses' | 'keys' | 'ksize' | 'vsize', number>>;

function Cache() {
  const queries = useQueryClient();
  const stats = useQuery({ queryKey: ['cache'], queryFn: () => send<Stats>('GET', '/cache/stats') });
  const clear = async (): Promise<void> => {
    await send('GET', '/cache/clear');
    await queries.invalidateQueries({ queryKey: ['cache'] });
  };
  return (
    <>
      <Title order={2} size="h4">
        Cache
      </Title>
      <Loaded of={stats}>
        {(known) =>
          'cache_enabled' in known ? (
            <Text size="sm">The cache is off.</Text>
          ) : (
            <Group>
              <SimpleTable
                label="Cache"
                heads={['Answers', 'Hits', 'Misses', 'Bytes']}
                rows={[[known.keys, known.hits, known.misses, known.ksize + known.vsize]]}
              />
              <Button variant="default" onClick={() => run(clear, 'The cache is empty.')}>
                Clear the cache
              </Button>
            </Group>
          )
        }
      </Loaded>
    </>
  );
}

function Models({ models }: { readonly models: readonly OwnModel[] }) {
  const indexText = ({ indexes }: OwnModel): string =>
    indexes
      .map(({ fields, unique }) => `${Object.keys(fields).join(' + ')}${unique === true ? ' (unique)' : ''}`)
      .join('; ');
  return (
    <SimpleTable
      label="Models"
      heads={['Model', 'Collection', 'Documents', 'Indexes']}
      rows={models.map((model) => [
        model.name,
        model.collection,
        <Size key="size" name={model.name} />,
        indexText(model),
      ])}
    />
  );
}

function Size({ name }: { readonly name: string }) {
  const counted = useQuery({
    queryKey: ['size', name],
    queryFn: ({ signal }) =>
      client.model(name).list({ limit: 1, fields: ['_id'], count: 'estimated', showDeleted: true, signal }),
  });
  return <Loaded of={counted}>{(page) => countText(page)}</Loaded>;
}
