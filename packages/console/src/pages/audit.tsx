/** The audit log as a filtered list. */
import { Anchor, Button, Group, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { pathOf, send } from '../api/client.ts';
import { useNames } from '../api/user-names.ts';
import { Paging } from '../documents/paging.tsx';
import { dateText } from '../parts/dates.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { Picker } from '../parts/picker.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { change, hrefOf, usePlace } from '../route.ts';

interface AuditEvent {
  readonly _id: string;
  readonly who: string | null;
  readonly whom: string | null;
  readonly what: string;
  readonly when: string;
  readonly address: string | null;
  readonly method: string | null;
  readonly model?: string;
}

const kinds =
  'login login.failed admin.granted admin.revoked groups.changed password.changed email.changed apikey.renewed jwt.created key.created key.rotated key.removed factor.enabled factor.disabled document.removed document.create document.change document.delete document.restore document.remove history.forgotten schedule.run schedule.paused schedule.resumed job.removed job.retried backup.begun setup setup.data webhook.created webhook.changed webhook.rotated webhook.removed'.split(
    ' ',
  );
const pageSize = 50;

export default function Audit() {
  const { query } = usePlace();
  const given = (name: string): string | undefined => query.get(name) ?? undefined;
  const [what, who, whom, after, before] = ['what', 'who', 'whom', 'after', 'before'].map(given);
  const list = useQuery({
    queryKey: ['audit', what, who, whom, after, before],
    queryFn: () => {
      const filter = { 'filter[what]': what, 'filter[who]': who, 'filter[whom]': whom };
      return send<Page<AuditEvent>>(
        'GET',
        pathOf('/audit', { ...filter, after, before, sort: '-when', limit: pageSize }),
      );
    },
    placeholderData: keepPreviousData,
  });
  const select = (values: Record<string, string | undefined>): void =>
    change({ ...values, after: undefined, before: undefined });
  return (
    <>
      <PageTitle>Audit</PageTitle>
      <Group mb="md">
        <NativeSelect
          label="Event"
          data={[{ value: '', label: 'all' }, ...kinds]}
          defaultValue={what ?? ''}
          onChange={({ currentTarget }) => select({ what: currentTarget.value || undefined })}
        />
        {(['who', 'whom'] as const).map((name) => (
          <Picker
            key={name}
            model="user"
            label={name === 'who' ? 'By the user' : 'About the user'}
            placeholder="all"
            value={given(name)}
            set={(id) => select({ [name]: id ?? undefined })}
          />
        ))}
      </Group>
      <Loaded of={list}>{(page) => <Records records={page.data} />}</Loaded>
      <Paging page={list.data} isFirst={after === undefined && before === undefined} />
    </>
  );
}

function Records({ records }: { readonly records: readonly AuditEvent[] }) {
  const nameOf = useNames(records.flatMap(({ who, whom, model }) => [who, model === undefined ? whom : null]));
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
  const user = (id: string | null) =>
    id === null ? (
      '–'
    ) : (
      <Anchor size="sm" href={hrefOf(['users', id])}>
        {nameOf(id)}
      </Anchor>
    );
  return (
    <SimpleTable
      label="Events"
      heads={['When', 'What', 'Who', 'Whom', 'Address', 'Method']}
      rows={records.map(({ when, what, who, whom, address, method, model }) => [
        dateText(when),
        model === undefined ? what : `${what} (${model})`,
        user(who),
        model === undefined ? user(whom) : (whom ?? '–'),
        address ?? '–',
        method ?? '–',
      ])}
    />
  );
}
