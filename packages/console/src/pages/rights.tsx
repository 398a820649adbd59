/** What the caller, or for admins another user, may do with a model: rows, fields, and the rules behind them. */
import { Code, Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Rights } from 'dossier-client';
import { client } from '../api/client.ts';
import { labelOf, labelOfModel } from '../api/labels.ts';
import { type OwnModel, useMe, useModels } from '../api/models.ts';
import { verbs } from '../api/names.ts';
import { capitalised } from '../api/plurals.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { Picker } from '../parts/picker.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Loaded, NoRights } from '../parts/states.tsx';
import { change, usePlace } from '../route.ts';

const letters = ['c', 'r', 'u', 'd'] as const;
const extents = { all: 'all', some: 'some, by a rule', own: 'own ones', none: 'none' } as const;

export default function RightsView() {
  const models = [...(useModels().data?.values() ?? [])];
  const isAdmin = useMe().data?.user.admin === true;
  const { query } = usePlace();
  const model = models.find(({ name }) => name === query.get('model')) ?? models[0];
  const user = query.get('user') ?? '';
  const rights = useQuery({
    queryKey: ['rights of', model?.name, user],
    queryFn: ({ signal }) => client.model(model?.name ?? '').rights({ signal, ...(user === '' ? {} : { user }) }),
    enabled: model !== undefined,
  });
  if (model === undefined) return <NoRights title="Rights">There is no model on which you have a right.</NoRights>;
  return (
    <>
      <PageTitle>Rights</PageTitle>
      <Group mb="md" align="flex-end">
        <NativeSelect
          label="Model"
          data={models.map((one) => ({ value: one.name, label: labelOfModel(one) }))}
          value={model.name}
          onChange={({ currentTarget }) => change({ model: currentTarget.value })}
        />
        {isAdmin ? (
          <Picker
            model="user"
            label="User"
            placeholder="You"
            value={user === '' ? null : user}
            set={(id) => change({ model: model.name, user: id ?? undefined })}
          />
        ) : null}
      </Group>
      <Loaded of={rights}>{(known) => <Tables model={model} rights={known} />}</Loaded>
    </>
  );
}

function Tables({ model, rights }: { readonly model: OwnModel; readonly rights: Rights }) {
  const paths = Object.keys(model.fields);
  const mark = (path: string, letter: string): string => (rights.fields[path]?.includes(letter) ? 'yes' : '–');
  return (
    <Stack>
      <Title order={2} size="h4">
        Documents
      </Title>
      <SimpleTable
        label="Documents"
        heads={letters.map((letter) => capitalised(verbs[letter] ?? letter))}
        rows={[letters.map((letter) => extents[rights.rows[letter]])]}
      />
      <Title order={2} size="h4">
        Fields
      </Title>
      <SimpleTable
        label="Fields"
        heads={['Field', 'Set when created', 'Read', 'Change']}
        rows={paths.map((path) => [labelOf(model, path), mark(path, 'c'), mark(path, 'r'), mark(path, 'u')])}
      />
      <Title order={2} size="h4">
        Roles
      </Title>
      <SimpleTable
        label="Roles"
        heads={['Role', 'Letters', 'Rules']}
        rows={Object.entries(model.perms).map(([role, given]) => [
          role,
          given,
          model.rules?.[role] === undefined ? '–' : <Code key="rule">{JSON.stringify(model.rules[role])}</Code>,
        ])}
      />
    </Stack>
  );
}
