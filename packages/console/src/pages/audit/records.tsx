/** Events of the audit log as a table: users and documents by name, with links. */
import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { allRows } from '../../api/client.ts';
import { isReadable, useModels } from '../../api/models.ts';
import { useModelNames, useNames } from '../../api/names.ts';
import { useTitles } from '../../api/titles.ts';
import { numberText } from '../../parts/numbers.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import { hrefOf } from '../../route.ts';
import { useWebhooks } from '../background/use-webhooks.ts';
import { type About, aboutOf, type AuditEvent, eventText, folded } from './words.ts';

export function Records({ records }: { readonly records: readonly AuditEvent[] }) {
  const models = useModels().data;
  const whom = useWhom(records);
  const nameOf = useNames(
    records.flatMap((event) => [
      event.who,
      event.by ?? null,
      event.for ?? null,
      aboutOf(event) === 'user' ? event.whom : null,
    ]),
  );
  if (records.length === 0)
    return (
      <Empty
        actions={
          <Button component="a" size="xs" variant="default" href={hrefOf(['audit'])}>
            Show all events
          </Button>
        }
      >
        No such events.
      </Empty>
    );
  const user = (id: string | null): ReactNode =>
    id === null ? '–' : <To href={hrefOf(['users', id])}>{nameOf(id)}</To>;
  return (
    <SimpleTable
      label="Events"
      heads={['When', 'What', 'Who', 'Whom', 'Address', 'Method']}
      rows={folded(records).map(({ event, times }) => [
        <When key="when" value={event.when} />,
        <span key="what" title={event.what}>
          {times === 1 ? '' : `${numberText(times)} × `}
          {eventText(event, event.model === undefined ? undefined : models?.get(event.model))}
        </span>,
        <Fragment key="who">
          {event.for === undefined ? user(event.who) : <>the server, for {user(event.for)}</>}
          {event.by !== undefined && <>, by {user(event.by)}</>}
        </Fragment>,
        aboutOf(event) === 'user' ? user(event.whom) : whom(event),
        event.address ?? '–',
        [event.method ?? '–', ...(event.via === undefined ? [] : [`by ${event.via}`])].join(', '),
      ])}
    />
  );
}

const To = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <Anchor size="sm" href={href} className="anywhere">
    {children}
  </Anchor>
);

/** What webhooks and jobs are called, as far as there are any: by address, and by function. */
function useWork(records: readonly AuditEvent[]): (event: AuditEvent) => ReactNode {
  const has = (about: About): boolean => records.some((event) => aboutOf(event) === about);
  const webhooks = useWebhooks(has('webhook')).data;
  const jobs = useQuery({
    queryKey: ['data', '/jobs', 'all'],
    queryFn: () => allRows<{ readonly id: string; readonly function: string }>('/jobs'),
    enabled: has('job'),
  }).data;
  const { ofMember } = useModelNames();
  return (event) => {
    const { whom } = event;
    if (aboutOf(event) === 'webhook') {
      const url = webhooks?.find(({ id }) => id === whom)?.url;
      return url === undefined ? whom : <To href={hrefOf(['webhooks', whom ?? ''])}>{url}</To>;
    }
    const job = jobs?.find(({ id }) => id === whom);
    return job === undefined ? whom : <To href={hrefOf(['jobs'])}>{ofMember(job.function)}</To>;
  };
}

/** What events that are not about users are about. */
function useWhom(records: readonly AuditEvent[]): (event: AuditEvent) => ReactNode {
  const models = useModels().data;
  const { ofModel, ofMember } = useModelNames();
  const work = useWork(records);
  const titleOf = useTitles(
    records.flatMap(({ whom, model, ...event }) =>
      aboutOf({ ...event, whom, ...(model === undefined ? {} : { model }) }) === 'document' &&
      whom !== null &&
      model !== undefined
        ? [{ model, id: whom }]
        : [],
    ),
  );
  return (event) => {
    const { whom, model } = event;
    if (whom === null) return '–';
    if (['webhook', 'job'].includes(aboutOf(event))) return work(event);
    const found = model === undefined ? undefined : models?.get(model);
    const of = model === undefined ? '' : ` (${ofModel(model)})`;
    if (aboutOf(event) === 'name' || !isReadable(found)) return ofMember(whom) + of;
    return (
      <>
        <To href={hrefOf(['documents', found.name, whom])}>{titleOf({ model: found.name, id: whom }) ?? whom}</To>
        {of}
      </>
    );
  };
}
