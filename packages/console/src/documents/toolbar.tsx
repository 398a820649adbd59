/** Above a table: search, filter, deleted documents, columns, export, and a new document. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { OwnModel } from '../api/models.ts';
import { ViewsMenu } from '../finding/views-menu.tsx';
import { hrefOf, usePlace } from '../route.ts';
import { Columns } from './columns.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { type Deleted, type ListState, select } from './list-state.ts';

interface ToolbarParts {
  readonly model: OwnModel;
  readonly state: ListState;
}

const deletedNames: Readonly<Record<Deleted, string>> = {
  hidden: 'Without deleted ones',
  shown: 'With deleted ones',
  only: 'Deleted ones only',
};

/** Milliseconds without a key after which a search begins. */
const pause = 300;

export function Toolbar({ model, state }: ToolbarParts) {
  const view = usePlace().query.get('view');
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      {/* another view may search for something else */}
      <SearchBox key={view} first={state.search} />
      <ViewsMenu model={model} state={state} />
      <FilterBar model={model} state={state} />
      <NativeSelect
        size="xs"
        aria-label="Deleted documents"
        value={state.deleted}
        onChange={({ currentTarget: { value } }) => select({ deleted: value === 'hidden' ? undefined : value })}
        data={Object.entries(deletedNames).map(([value, label]) => ({ value, label }))}
      />
      <Columns model={model} chosen={state.columns} />
      <ExportMenu model={model} state={state} />
      {state.deleted === 'only' || !mayUseTrash(model) ? null : (
        <Button component="a" size="xs" variant="default" href={hrefOf(['documents', model.name], { deleted: 'only' })}>
          Trash
        </Button>
      )}
      {model.rights.rows.c === 'none' ? null : (
        <>
          <Button component="a" size="xs" variant="default" href={hrefOf(['import', model.name])}>
            Import
          </Button>
          <Button component="a" size="xs" href={hrefOf(['documents', model.name, 'new'])} data-key="new">
            New
          </Button>
        </>
      )}
    </Group>
  );
}

function SearchBox({ first }: { readonly first: string }) {
  const [search, setSearch] = useState(first);
  const seek = useDebouncedCallback((text: string) => select({ search: text || undefined }), pause);
  return (
    <TextInput
      size="xs"
      w={200}
      aria-label="Search"
      placeholder="Search"
      data-key="search"
      value={search}
      onChange={({ currentTarget: { value } }) => {
        setSearch(value);
        seek(value);
      }}
    />
  );
}

/** Whether the caller may restore or remove documents. */
const mayUseTrash = ({ rights: { rows } }: OwnModel): boolean => rows.u !== 'none' || rows.d !== 'none';
