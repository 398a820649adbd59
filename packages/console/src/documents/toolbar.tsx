/** Above a table: search, filter, deleted documents, columns, export and import. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { keepsDeleted, type OwnModel } from '../api/models.ts';
import { ViewsMenu } from '../finding/views-menu.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { hrefOf, usePlace } from '../route.ts';
import { Columns } from './columns.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { type Deleted, type ListState, select } from './list-state.ts';
import { OrderChoice } from './order-choice.tsx';

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
  const isNarrow = useNarrow();
  return (
    <Group gap="xs" mb="sm" align="flex-end" className="toolbar">
      {/* another view may search for something else */}
      <SearchBox key={view} first={state.search} />
      {isNarrow ? null : <ViewsMenu model={model} state={state} />}
      <FilterBar model={model} state={state} />
      {isNarrow ? (
        <Folded>
          <ViewsMenu model={model} state={state} />
          <OrderChoice model={model} state={state} />
          <Others model={model} state={state} />
        </Folded>
      ) : (
        <Others model={model} state={state} />
      )}
    </Group>
  );
}

/** What is needed less often, which a narrow screen shows when it is asked for. */
function Folded({ children }: { readonly children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" aria-expanded={isOpen} onClick={toggle}>
        More
      </Button>
      {isOpen ? (
        <Group gap="xs" className="folded">
          {children}
        </Group>
      ) : null}
    </>
  );
}

const Others = ({ model, state }: ToolbarParts) => (
  <>
    {keepsDeleted(model) ? (
      <NativeSelect
        size="xs"
        aria-label="Deleted documents"
        value={state.deleted}
        onChange={({ currentTarget: { value } }) => select({ deleted: value === 'hidden' ? undefined : value })}
        data={Object.entries(deletedNames).map(([value, label]) => ({ value, label }))}
      />
    ) : null}
    <Columns model={model} chosen={state.columns} />
    <ExportButton model={model} state={state} />
    {state.deleted === 'only' || !mayUseTrash(model) ? null : (
      <Button component="a" size="xs" variant="default" href={hrefOf(['documents', model.name], { deleted: 'only' })}>
        Trash
      </Button>
    )}
    {model.rights.rows.c === 'none' || state.deleted === 'only' ? null : (
      <Button component="a" size="xs" variant="default" href={hrefOf(['import', model.name])}>
        Import
      </Button>
    )}
  </>
);

function SearchBox({ first }: { readonly first: string }) {
  const [search, setSearch] = useState(first);
  const sent = useRef(first);
  const seek = useDebouncedCallback((text: string) => {
    sent.current = text;
    select({ search: text || undefined });
  }, pause);
  useEffect(() => {
    // another search that was set by its address, and not by this box
    if (first !== sent.current) setSearch(first);
    sent.current = first;
  }, [first]);
  return (
    <TextInput
      size="xs"
      w={200}
      className="search"
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
