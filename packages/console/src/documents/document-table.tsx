/** The table of a model's documents, with everything around it. */
import { Button, Group, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useNewerCount } from '../api/counts.ts';
import type { Document } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { useSavedViews } from '../api/saved-views.ts';
import { countText } from '../parts/count.ts';
import { Failure } from '../parts/failure.tsx';
import { numberText } from '../parts/numbers.ts';
import { Waiting } from '../parts/states.tsx';
import { useTabTitle } from '../parts/tab-title.ts';
import { isFocusLost } from '../parts/use-focus-back.ts';
import { useNarrow } from '../parts/use-narrow.ts';
import { hrefOf, usePlace } from '../route.ts';
import { choiceOf } from './bulk/choice.ts';
import { Selected } from './bulk/selected.tsx';
import { useBulk } from './bulk/use-bulk.tsx';
import { Cards } from './cards.tsx';
import { useChoosing } from './choosing.ts';
import { useKept } from './kept-table.ts';
import { isDeleted, isWhole, type ListState, selectionOf, stateOf } from './list-state.ts';
import { NoDocuments } from './no-documents.tsx';
import { Paging } from './paging.tsx';
import { Rows } from './rows.tsx';
import { rowOf, SidePanel } from './side-panel.tsx';
import { Toolbar } from './toolbar.tsx';
import { type ShownList, useList } from './use-list.ts';

export function DocumentTable({ model }: { readonly model: OwnModel }) {
  const { query } = usePlace();
  const state = stateOf(query, model, useKept(model.name).columns);
  const list = useList(model, state);
  const opened = query.get('open') ?? undefined;
  useFocusOnReturn(opened);
  const view = useSavedViews().data?.find(({ id }) => id === query.get('view'));
  // a document that is open has the title
  useTabTitle(...(opened === undefined ? [view?.title ?? '', headingOf(model, state)] : []));
  return (
    <div className="beside">
      <div className={opened === undefined ? 'list' : 'list narrowed'}>
        <List {...{ model, state, opened }} list={list} />
      </div>
      {opened === undefined ? null : (
        <SidePanel model={model} id={opened} ids={(list.page?.data ?? []).map(({ _id }) => _id)} />
      )}
    </div>
  );
}

const headingOf = (model: OwnModel, { deleted }: ListState): string =>
  deleted === 'only' ? `Trash of ${labelOfModel(model)}` : labelOfModel(model);

/** Moves the focus to the row of a document when that is closed. */
function useFocusOnReturn(opened: string | undefined): void {
  const before = useRef(opened);
  useEffect(() => {
    if (opened === undefined && before.current !== undefined) rowOf(before.current)?.focus();
    before.current = opened;
  }, [opened]);
}

/** Moves the focus to the rows where the buttons for what was chosen had it. */
function useFocusAfterChoice(isChosen: boolean): void {
  const before = useRef(isChosen);
  useEffect(() => {
    // the toolbar above the rows stays in sight
    if (!isChosen && before.current && isFocusLost())
      document.querySelector<HTMLElement>('[data-rows]')?.focus({ preventScroll: true });
    before.current = isChosen;
  }, [isChosen]);
}

interface ListParts {
  readonly model: OwnModel;
  readonly state: ListState;
  readonly list: ShownList;
  readonly opened: string | undefined;
}

function List({ model, state, list: { page, error, changed, reread }, opened }: ListParts) {
  const Shown = useNarrow() ? Cards : Rows;
  const rows: readonly Document[] = page?.data ?? [];
  const choosing = useChoosing(rows, selectionOf(state));
  const choice = choiceOf({ model, state, page, choosing });
  const { bulk, dialog } = useBulk(model, reread);
  useFocusAfterChoice(choice !== undefined);
  useNewerCount(model.name, page !== undefined && isWhole(state) ? page : {});
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Group gap="sm" align="baseline">
          <Title order={1} size="h3">
            {headingOf(model, state)}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {page === undefined ? '' : countText(page)}
          </Text>
          {page?.next_cursor === undefined && page?.prev_cursor === undefined ? null : (
            <span className="printed">{`of which this page has ${numberText(rows.length)}`}</span>
          )}
        </Group>
        {model.rights.rows.c === 'none' || state.deleted === 'only' ? null : (
          <Button component="a" size="xs" href={hrefOf(['documents', model.name, 'new'])} data-key="new">
            New
          </Button>
        )}
      </Group>
      {model.description === undefined ? null : (
        <Text size="sm" mb="sm" maw={720} className="anywhere">
          {model.description}
        </Text>
      )}
      <Toolbar model={model} state={state} />
      {choice === undefined ? null : <Selected {...{ model, state, choice, choosing, bulk }} />}
      {dialog}
      {error === undefined ? null : <Failure error={error} retry={reread} />}
      {page === undefined && error === undefined ? <Waiting /> : null}
      {rows.length === 0 && page !== undefined && error === undefined ? (
        <NoDocuments model={model} state={state} />
      ) : null}
      {rows.length > 0 ? <Shown {...{ model, state, rows, choosing, changed, opened }} isDeleted={isDeleted} /> : null}
      <Paging
        page={page}
        isFirst={state.after === undefined && state.before === undefined}
        hasKeys={opened === undefined}
      />
    </>
  );
}
