/** The table of a model's documents, with everything around it. */
import { Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Document, Id } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { countText } from '../parts/count.ts';
import { Empty, Failure, Waiting } from '../parts/states.tsx';
import { usePlace } from '../route.ts';
import { Selected } from './bulk/selected.tsx';
import { isDeleted, stateOf } from './list-state.ts';
import { Paging } from './paging.tsx';
import { Rows } from './rows.tsx';
import { Toolbar } from './toolbar.tsx';
import { useList, useLive } from './use-list.ts';

export function DocumentTable({ model }: { readonly model: OwnModel }) {
  const state = stateOf(usePlace().query, model);
  const list = useList(model, state);
  const changed = useLive(model);
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set());
  const rows: readonly Document[] = list.data?.data ?? [];
  const selected = rows.filter(({ _id }) => chosen.has(_id));
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Group gap="sm" align="baseline">
          <Title order={1} size="h3">
            {model.name}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {list.data === undefined ? '' : countText(list.data)}
          </Text>
        </Group>
      </Group>
      <Toolbar model={model} state={state} />
      {selected.length > 0 ? <Selected model={model} documents={selected} clear={() => setChosen(new Set())} /> : null}
      {list.error === null ? null : <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isPending ? <Waiting /> : null}
      {rows.length === 0 && list.isSuccess ? <Empty>No documents.</Empty> : null}
      {rows.length > 0 ? <Rows {...{ model, state, rows, chosen, setChosen, changed }} isDeleted={isDeleted} /> : null}
      <Paging page={list.data} isFirst={state.after === undefined && state.before === undefined} />
    </>
  );
}
