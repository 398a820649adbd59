/** The audit log as a filtered list. */
import { Group, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { pathOf, send } from '../../api/client.ts';
import { Paging } from '../../documents/paging.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Picker } from '../../parts/picker.tsx';
import { Loaded } from '../../parts/states.tsx';
import { change, usePlace } from '../../route.ts';
import { Records } from './records.tsx';
import { type AuditEvent, kindChoices } from './words.ts';

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
          data={[{ value: '', label: 'all' }, ...kindChoices]}
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
