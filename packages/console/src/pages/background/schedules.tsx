/** The schedules of the server: when they run, what became of the last runs, and switching them off and on. */
import { Anchor, Group, Stack, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { pathOf, send } from '../../api/client.ts';
import { lookEvery, useData } from '../../api/models.ts';
import { useModelNames } from '../../api/names.ts';
import { Paging } from '../../documents/paging.tsx';
import type { ViewParts } from '../../layout/view-parts.ts';
import { AsTable } from '../../parts/as-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { hrefOf, usePlace } from '../../route.ts';
import { Act, Time } from './parts.tsx';

interface Run {
  readonly planned: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly outcome: 'ok' | 'failed' | 'interrupted' | null;
  readonly error?: string;
  readonly server: string | null;
}

interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly zone?: string;
  readonly paused: boolean;
  readonly next: string | null;
  readonly last: Run | null;
}

/** Whether a run is under way. */
const isOpen = (one: Run | null): boolean => one !== null && one.ended === null;

const path = '/schedules';
/** Runs on a page. */
const pageSize = 50;
const pathTo = (name: string): string => `${path}/${encodeURIComponent(name)}`;

export default function Schedules({ path: [name] }: ViewParts) {
  const schedules = useData<readonly Schedule[]>(path, undefined, (all) => all.some(({ last }) => isOpen(last)));
  return (
    <Stack>
      <PageTitle>Schedules</PageTitle>
      <Loaded of={schedules}>
        {(known) =>
          known.length === 0 ? (
            <Empty>
              No schedules. Model files and the config have them, by the option <code>schedules</code>.
            </Empty>
          ) : (
            <Table schedules={known} />
          )
        }
      </Loaded>
      {name === undefined ? null : <Runs name={name} />}
    </Stack>
  );
}

function Table({ schedules }: { readonly schedules: readonly Schedule[] }) {
  const { ofMember } = useModelNames();
  return (
    <>
      <SimpleTable
        label="Schedules"
        heads={['Name', 'Times', 'Next', 'Last', 'Outcome', '']}
        ids={schedules.map(({ name }) => name)}
        rows={schedules.map(({ name, cron, zone, paused, next, last }) => [
          <Anchor key="name" size="sm" href={hrefOf(['schedules', name])} title={name}>
            {ofMember(name)}
          </Anchor>,
          <span key="times">
            <code>{cron}</code> {zone ?? 'UTC'}
          </span>,
          paused ? 'paused' : <Time key="next" at={next} />,
          <Time key="last" at={last?.planned} />,
          last === null ? '–' : outcomeText(last),
          <Group key="acts" gap={4} wrap="nowrap">
            <Act
              label="Run now"
              of={ofMember(name)}
              act={() => send('POST', `${pathTo(name)}/run`)}
              done="The run begins."
            />
            <Act
              label={paused ? 'Resume' : 'Pause'}
              of={ofMember(name)}
              act={() => send('PUT', pathTo(name), { paused: !paused })}
            />
          </Group>,
        ])}
      />
      <AsTable of="_schedule_run" sort="-planned">
        All runs as a table
      </AsTable>
    </>
  );
}

const outcomeText = ({ outcome, error }: Run): string =>
  error === undefined ? (outcome ?? 'running') : `${outcome ?? 'running'}: ${error}`;

function Runs({ name }: { readonly name: string }) {
  const after = usePlace().query.get('after') ?? undefined;
  const path = `${pathTo(name)}/runs`;
  const runs = useQuery({
    queryKey: ['data', path, after],
    queryFn: () => send<Page<Run>>('GET', pathOf(path, { after, limit: pageSize })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isOpen) === true ? lookEvery : false),
  });
  const title = `Runs of ${useModelNames().ofMember(name)}`;
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Loaded of={runs}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>No runs. The schedule has not been due since it was made.</Empty>
          ) : (
            <>
              <SimpleTable
                label={title}
                heads={['Planned', 'Started', 'Ended', 'Outcome', 'Server']}
                rows={data.map((one) => [
                  <Time key="planned" at={one.planned} />,
                  <Time key="started" at={one.started} />,
                  <Time key="ended" at={one.ended} />,
                  outcomeText(one),
                  one.server ?? '–',
                ])}
              />
              <AsTable of="_schedule_run" filter={{ name }} sort="-planned">
                These runs as a table
              </AsTable>
            </>
          )
        }
      </Loaded>
      <Paging page={runs.data} isFirst={after === undefined} />
    </section>
  );
}
