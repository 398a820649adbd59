/** The backups of the embedded store: whether they succeed, which there are, and beginning one. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { lookEvery } from '../../api/models.ts';
import { AsTable } from '../../parts/as-table.tsx';
import { bytesText, numberText } from '../../parts/numbers.ts';
import { run } from '../../parts/run.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Time } from '../background/parts.tsx';
import { useSettings } from './settings.ts';

interface Backup {
  readonly file: string;
  readonly at: string;
  readonly bytes: number;
  readonly ms: number;
  readonly verified: boolean;
  readonly error?: string;
}

interface Answer {
  readonly data: readonly Backup[];
  readonly next: string | null;
}

export function Backups() {
  const settings = useSettings();
  return (
    <Loaded of={settings}>
      {(known) =>
        known.some(({ variable }) => variable === 'MONGODB_URL') ? (
          <Text>The data are in MongoDB. Back them up there, with mongodump or with snapshots of its disks.</Text>
        ) : (
          <OfStore />
        )
      }
    </Loaded>
  );
}

function OfStore() {
  const [begun, setBegun] = useState<string>();
  const backups = useQuery({
    queryKey: ['data', '/server/backups'],
    queryFn: () => send<Answer>('GET', '/server/backups'),
    refetchInterval: ({ state }) => (isOpen(begun, state.data) ? lookEvery : false),
  });
  const begin = async (): Promise<void> => {
    const { file } = await send<{ file: string }>('POST', '/server/backups');
    setBegun(file);
    await backups.refetch();
  };
  return (
    <Loaded of={backups}>
      {({ data, next }) => (
        <Stack>
          <Group>
            <Button size="xs" disabled={isOpen(begun, backups.data)} onClick={() => run(begin)}>
              Back up now
            </Button>
            <Next at={next} />
          </Group>
          <State last={data[0]} making={isOpen(begun, backups.data) ? begun : undefined} />
          {data.length === 0 ? <Empty>No backups.</Empty> : <Made backups={data} />}
        </Stack>
      )}
    </Loaded>
  );
}

/** Whether a backup that has been begun is being made: it is listed when it has ended. */
const isOpen = (begun: string | undefined, answer: Answer | undefined): boolean =>
  begun !== undefined && answer?.data.some(({ file }) => file === begun) !== true;

const Next = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <Text size="sm">
      No backup is planned: set <code>BACKUP_SCHEDULE</code>, such as to <code>0 3 * * *</code>, and start the server
      again.
    </Text>
  ) : (
    <Text size="sm" component="div">
      The next planned backup: <Time at={at} />
    </Text>
  );

interface StateParts {
  readonly last: Backup | undefined;
  readonly making: string | undefined;
}

/** What became of the last backup. */
function State({ last, making }: StateParts) {
  if (making !== undefined) return <Text role="status">{making} is being made.</Text>;
  if (last === undefined)
    return <Text role="status">There is no backup: begin one, and copy it to another machine.</Text>;
  if (last.verified) return <Text role="status">The last backup is verified.</Text>;
  return (
    <Alert color="red" variant="outline" role="alert" title="The last backup has failed">
      <Text size="sm" className="anywhere">
        {last.error ?? last.file}
      </Text>
    </Alert>
  );
}

const Made = ({ backups }: { readonly backups: readonly Backup[] }) => (
  <>
    <SimpleTable
      label="Backups"
      heads={['File', 'Time', 'Size', 'Duration', 'State']}
      rows={backups.map(({ file, at, bytes, ms, verified, error }) => [
        file,
        <Time key="at" at={at} />,
        verified ? bytesText(bytes) : '–',
        `${numberText(ms)} ms`,
        verified ? (
          'verified'
        ) : (
          <span key="error" className="anywhere">
            failed: {error}
          </span>
        ),
      ])}
    />
    <AsTable of="_backup" sort="-at">
      Backups as a table
    </AsTable>
  </>
);
