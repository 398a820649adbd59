/** The saved views of a model: own and shared ones, and saving what the table shows. */
import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { client, send } from '../api/client.ts';
import { type OwnModel, useModels } from '../api/models.ts';
import { type SavedView, useSavedViews, viewHref, viewsKey } from '../api/saved-views.ts';
import type { Filter } from '../documents/filter/conditions.ts';
import { type ListState, parsedFilter } from '../documents/list-state.ts';
import { draftKey, hasDraft } from '../drafts.ts';
import { Confirm } from '../parts/confirm.tsx';
import { icons, iconSize } from '../parts/icons.tsx';
import { run } from '../parts/run.ts';
import { useOpened } from '../parts/use-opened.ts';
import { change, usePlace } from '../route.ts';
import { SaveView } from './save-view.tsx';

const FigureForm = lazy(() => import('../home/figures/figure-form.tsx'));

interface MenuParts {
  readonly model: OwnModel;
  readonly state: ListState;
}

/** What a table shows, as a view keeps it. */
function contentOf({ filterText, search, sort, deleted }: ListState, fields: string | null) {
  return {
    filter: filterText === '' ? null : parsedFilter(filterText),
    search: search || null,
    sort: sort ?? null,
    fields: fields === null ? null : fields.split(','),
    deleted: deleted === 'hidden' ? null : deleted,
  };
}

/** The dialogs, of which one is open where there is a draft of it. @param view the id of the one that is shown */
function useDialogs(model: OwnModel, view: string | null) {
  const drafts = {
    save: draftKey('view', model.name),
    edit: draftKey('view', model.name, view),
    figure: draftKey('figure', model.name),
  };
  const [dialog, setDialog] = useState<keyof typeof drafts | 'remove' | undefined>(() =>
    (['save', 'edit', 'figure'] as const).find((one) => hasDraft(drafts[one])),
  );
  return { dialog, drafts, setDialog, close: () => setDialog(undefined) };
}

/** Only users have views. */
export const ViewsMenu = (parts: MenuParts) => (client.user === undefined ? null : <OfUser {...parts} />);

function OfUser({ model, state }: MenuParts) {
  const { query } = usePlace();
  const queries = useQueryClient();
  const menu = useOpened();
  // which shows figures of these models alone
  const isOnHome = useModels().data?.has(model.name) === true;
  const { dialog, drafts, setDialog, close } = useDialogs(model, query.get('view'));
  const views = (useSavedViews().data ?? []).filter((view) => view.model === model.name && view.figure === null);
  const current = views.find(({ id }) => id === query.get('view'));
  const refresh = () => queries.invalidateQueries({ queryKey: viewsKey });
  const content = () => contentOf(state, query.get('fields'));
  const common = { model, close };
  const put = async (body: object): Promise<void> => {
    await send('PUT', `/views/${current?.id ?? ''}`, body);
    await refresh();
  };
  const create = async (body: object): Promise<void> => {
    const { data } = await send<{ data: SavedView }>('POST', '/views', { model: model.name, ...content(), ...body });
    await refresh();
    change({ view: data.id });
  };
  const remove = async (): Promise<void> => {
    await send('DELETE', `/views/${current?.id ?? ''}`);
    await refresh();
    change({ view: undefined });
  };
  return (
    <>
      <Menu position="bottom-start" width={260} {...menu}>
        <Menu.Target>
          <Button variant={current === undefined ? 'default' : 'light'} size="xs" className="views" data-key="views">
            {current === undefined ? 'Views' : `View: ${current.title}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="scrolled">
          <Listed title="Own views" views={views.filter(({ own }) => own)} current={current} />
          <Listed title="Shared by others" views={views.filter(({ own }) => !own)} current={current} />
          <Menu.Item onClick={() => setDialog('save')}>Save as a new view …</Menu.Item>
          {state.search === '' && state.deleted === 'hidden' && isOnHome ? (
            <Menu.Item onClick={() => setDialog('figure')}>Save as a figure …</Menu.Item>
          ) : null}
          {current?.may_change === true ? (
            <>
              <Menu.Divider />
              <Menu.Label>{current.title}</Menu.Label>
              <Menu.Item onClick={() => run(() => put(content()), `“${current.title}” has what the table shows.`)}>
                Save the changes
              </Menu.Item>
              <Menu.Item onClick={() => setDialog('edit')}>Rename or share …</Menu.Item>
              <Menu.Item onClick={() => setDialog('remove')}>Remove …</Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' ? <SaveView {...common} draft={drafts.save} save={create} /> : null}
      {dialog === 'edit' && current ? <SaveView {...common} draft={drafts.edit} view={current} save={put} /> : null}
      {dialog === 'figure' ? <NewFigure {...common} draft={drafts.figure} filter={content().filter ?? {}} /> : null}
      <RemoveView view={current} isOpen={dialog === 'remove'} {...{ close, remove }} />
    </>
  );
}

const NewFigure = ({ model, ...parts }: { model: OwnModel; draft: string; filter: Filter; close: () => void }) => (
  <Suspense fallback={null}>
    <FigureForm models={[model]} {...parts} />
  </Suspense>
);

interface RemoveParts {
  readonly view: SavedView | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly remove: () => Promise<void>;
}

const RemoveView = ({ view, isOpen, close, remove }: RemoveParts) => (
  <Confirm
    isOpen={isOpen}
    close={close}
    title={`Remove the view “${view?.title ?? ''}”?`}
    action="Remove"
    act={() => run(remove, 'The view is removed.')}
  >
    The documents stay as they are.{view?.shared === true ? ' Others lose the view, too.' : ''}
  </Confirm>
);

interface ListedParts {
  readonly title: string;
  readonly views: readonly SavedView[];
  readonly current: SavedView | undefined;
}

const Listed = ({ title, views, current }: ListedParts) =>
  views.length === 0 ? null : (
    <>
      <Menu.Label>{title}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          component="a"
          href={viewHref(view)}
          className="anywhere"
          rightSection={
            view === current ? <icons.done size={iconSize} /> : view.own && view.shared ? 'shared' : undefined
          }
        >
          <bdi>{view.title}</bdi>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
