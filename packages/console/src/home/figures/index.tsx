/** The figures of the home page: own ones, and those that others share. */
import { Button, Group, SimpleGrid, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { send } from '../../api/client.ts';
import { isReadable, type OwnModel, useMe } from '../../api/models.ts';
import { type FigureView, isFigure, type SavedView, useSavedViews, viewsKey } from '../../api/saved-views.ts';
import { draftKey, hasDraft } from '../../drafts.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { run } from '../../parts/run.ts';
import { FigureCard } from './figure-card.tsx';
import { inOrder, useOrdering } from './order.ts';

const FigureForm = lazy(() => import('./figure-form.tsx'));

interface FiguresParts {
  readonly models: ReadonlyMap<string, OwnModel>;
}

const draftOf = (id: string): string => draftKey('figure', 'changed', id);

/** Whether the caller has begun to change a figure. */
const isBegun = ({ id, may_change }: FigureView): boolean => may_change && hasDraft(draftOf(id));

/** The figure whose dialog is open: at first one that the caller has begun to change. */
function useChanging(all: readonly FigureView[]) {
  // undefined until a dialog is opened or closed
  const [changing, setChanging] = useState<string | null>();
  const begun = changing === undefined ? all.find(isBegun) : undefined;
  if (begun !== undefined) setChanging(begun.id);
  return [all.find(({ id }) => id === changing), setChanging] as const;
}

/** Figures that are shown, and so asked for, before the others are wanted. */
const shownAtFirst = 12;

export default function Figures({ models }: FiguresParts) {
  const user = useMe().data?.user._id ?? '';
  const draft = draftKey('figure');
  const [isOpen, { open, close }] = useDisclosure(hasDraft(draft));
  const [isWhole, setWhole] = useState(false);
  const [removed, setRemoved] = useState<SavedView>();
  const views = (useSavedViews().data ?? []).filter(isFigure);
  const all = inOrder(views);
  const order = useOrdering();
  const [changed, setChanging] = useChanging(all);
  const shown = isWhole ? all : all.slice(0, shownAtFirst);
  const offered = [...models.values()].filter((model) => isReadable(model) && model.hidden !== true);
  const move = (from: number, to: number) => () => {
    const ids = all.map(({ id }) => id);
    order(ids.toSpliced(from, 1).toSpliced(to, 0, ids[from] ?? ''));
  };
  if (user === '' || (offered.length === 0 && all.length === 0)) return null;
  return (
    <section aria-label="Figures">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Figures
        </Title>
        <Button size="xs" variant="default" onClick={open}>
          Add a figure
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="lg">
        {shown.map((view, at) => {
          const model = models.get(view.model);
          return (
            <FigureCard
              key={view.id}
              view={view}
              figure={view.figure}
              model={isReadable(model) ? model : undefined}
              up={at === 0 ? undefined : move(at, at - 1)}
              down={at === all.length - 1 ? undefined : move(at, at + 1)}
              edit={view.may_change && isReadable(model) ? () => setChanging(view.id) : undefined}
              remove={view.may_change ? () => setRemoved(view) : undefined}
            />
          );
        })}
      </SimpleGrid>
      {shown.length < all.length ? (
        <Button size="xs" variant="default" mb="lg" onClick={() => setWhole(true)}>
          {`Show ${all.length - shown.length} more`}
        </Button>
      ) : null}
      {isOpen ? (
        <Suspense fallback={null}>
          <FigureForm models={offered} {...{ draft, close }} />
        </Suspense>
      ) : null}
      <ChangeFigure view={changed} model={models.get(changed?.model ?? '')} close={() => setChanging(null)} />
      <RemoveFigure view={removed} close={() => setRemoved(undefined)} />
    </section>
  );
}

interface ChangeParts {
  /** Undefined while none is changed. */
  readonly view: FigureView | undefined;
  readonly model: OwnModel | undefined;
  readonly close: () => void;
}

function ChangeFigure({ view, model, close }: ChangeParts) {
  if (view === undefined || !isReadable(model)) return null;
  const draft = draftOf(view.id);
  return (
    <Suspense fallback={null}>
      <FigureForm models={[model]} {...{ draft, view }} close={close} />
    </Suspense>
  );
}

/** Asks before a figure is removed. @param view undefined while none is */
function RemoveFigure({ view, close }: { readonly view: SavedView | undefined; readonly close: () => void }) {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    await send('DELETE', `/views/${view?.id ?? ''}`);
    await queries.invalidateQueries({ queryKey: viewsKey });
  };
  return (
    <Confirm
      isOpen={view !== undefined}
      close={close}
      title={`Remove the figure “${view?.title ?? ''}”?`}
      action="Remove"
      act={() => run(remove, 'The figure is removed.')}
    >
      The documents stay as they are.{view?.shared === true ? ' Others lose the figure, too.' : ''}
    </Confirm>
  );
}
