/** The jobs that functions and hooks have asked for with `api.later`. */
import { Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { pathOf, send } from '../../api/client.ts';
import { useModelNames } from '../../api/names.ts';
import { Paging } from '../../documents/paging.tsx';
import { AsTable } from '../../parts/as-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { usePlace } from '../../route.ts';
import { Act, ShowAll, StatusFilter, Time } from './parts.tsx';

interface Job {
  readonly id: string;
  readonly function: string;
  readonly status: 'waiting' | 'running' | 'ok' | 'dead';
  readonly attempts: number;
  readonly at: string;
  readonly error?: string;
}

const statuses = ['waiting', 'running', 'ok', 'dead'];
const pageSize = 50;

export default function Jobs() {
  const { query } = usePlace();
  const [status, after, before] = ['status', 'after', 'before'].map((name) => query.get(name) ?? undefined);
  const jobs = useQuery({
    queryKey: ['data', '/jobs', status, after, before],
    queryFn: () => send<Page<Job>>('GET', pathOf('/jobs', { status, after, before, limit: pageSize })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageTitle>Jobs</PageTitle>
      <Group mb="md">
        <StatusFilter values={statuses} value={status} />
      </Group>
      <Loaded of={jobs}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty actions={status === undefined ? undefined : <ShowAll />}>
              No such jobs. Functions and hooks ask for jobs by <code>api.later</code>.
            </Empty>
          ) : (
            <Table jobs={data} />
          )
        }
      </Loaded>
      <Paging page={jobs.data} isFirst={after === undefined && before === undefined} />
    </>
  );
}

function Table({ jobs }: { readonly jobs: readonly Job[] }) {
  const { ofMember } = useModelNames();
  return (
    <>
      <SimpleTable
        label="Jobs"
        heads={['Function', 'Status', 'Tries', 'Time', 'Error', '']}
        ids={jobs.map(({ id }) => id)}
        rows={jobs.map((job) => [
          <span key="function" title={job.function}>
            {ofMember(job.function)}
          </span>,
          job.status,
          String(job.attempts),
          <Time key="at" at={job.at} />,
          job.error ?? '–',
          <Acts key="acts" {...job} name={ofMember(job.function)} />,
        ])}
      />
      <AsTable of="_outbox" filter={{ kind: 'job' }} sort="-_id">
        Jobs as a table
      </AsTable>
    </>
  );
}

function Acts({ id, name, status }: Pick<Job, 'id' | 'status'> & { readonly name: string }) {
  if (status === 'dead')
    return <Act label="Retry" of={name} act={() => send('POST', `/jobs/${id}/retry`)} done="The job waits again." />;
  if (status === 'waiting') return <Act label="Remove" of={name} act={() => send('DELETE', `/jobs/${id}`)} />;
  return null;
}
