/** The server: whether it works, its version, its cache, its models and its settings. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { type OwnModel, useData, useModels } from '../../api/models.ts';
import { bytesText, numberText } from '../../parts/numbers.ts';
import { run } from '../../parts/run.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSettings } from './settings.ts';

export function Overview() {
  const ready = useQuery({ queryKey: ['ready'], queryFn: () => send<{ message: string }>('GET', '/ready') });
  const version = useQuery({
    queryKey: ['version'],
    queryFn: async () => (await send<{ info: { version: string } }>('GET', '/openapi.json')).info.version,
  });
  return (
    <Stack>
      <Loaded of={version}>{(text) => <Text>Dossier {text}</Text>}</Loaded>
      <Loaded of={ready}>{({ message }) => <Text role="status">{message}</Text>}</Loaded>
      <Cache />
      <Models />
      <Settings />
    </Stack>
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
                heads={['Answers', 'Hits', 'Misses', 'Size']}
                rows={[
                  [...[known.keys, known.hits, known.misses].map(numberText), bytesText(known.ksize + known.vsize)],
                ]}
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

const settingText = (value: unknown): string => (value === undefined ? 'none' : [value].flat().join(', '));

function Settings() {
  const settings = useSettings();
  return (
    <>
      <Title order={2} size="h4">
        Settings that differ from their defaults
      </Title>
      <Loaded of={settings}>
        {(known) =>
          known.length === 0 ? (
            <Text size="sm">All settings have their defaults.</Text>
          ) : (
            <SimpleTable
              label="Settings"
              heads={['Setting', 'Value', 'Default', 'Meaning']}
              rows={known.map(({ variable, hidden, value, default: usual, meaning }) => [
                <code key="variable">{variable}</code>,
                hidden ? 'set, and not shown' : settingText(value),
                settingText(usual),
                meaning,
              ])}
            />
          )
        }
      </Loaded>
    </>
  );
}

interface Size {
  readonly model: string;
  readonly documents?: number;
  readonly data_bytes?: number;
  readonly index_bytes?: number;
}

/** Sizes are missing where the database does not report them. */
function Models() {
  const models = [...(useModels().data?.values() ?? [])];
  const sizes = useData<readonly Size[]>('/server/storage');
  return (
    <>
      <Title order={2} size="h4">
        Models
      </Title>
      <Loaded of={sizes}>
        {(known) => (
          <SimpleTable
            label="Models"
            heads={['Model', 'Collection', 'Documents', 'Data', 'Indexes', 'Size of indexes']}
            rows={models.map((model) => {
              const size = known.find((one) => one.model === model.name);
              return [
                model.name,
                model.collection,
                size?.documents === undefined ? '–' : numberText(size.documents),
                bytesText(size?.data_bytes),
                indexText(model),
                bytesText(size?.index_bytes),
              ];
            })}
          />
        )}
      </Loaded>
    </>
  );
}

const indexText = ({ indexes }: OwnModel): string =>
  indexes
    .map(({ fields, unique }) => `${Object.keys(fields).join(' + ')}${unique === true ? ' (unique)' : ''}`)
    .join('; ');
