/** The figures of the home page: own ones, and those that others share. */
import { Button, Group, SimpleGrid, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { send } from '../../api/client.ts';
import { isReadable, type OwnModel, useMe } from '../../api/models.ts';
import { type FigureView, isFigure, type SavedView, useSavedViews, viewsKey } from '../../api/saved-views.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { run } from '../../parts/run.ts';
import { FigureCard } from './figure-card.tsx';
import { inOrder, useOrdering } from './order.ts';

const FigureForm = lazy(() => import('./figure-form.tsx'));

interface FiguresParts {
  readonly models: ReadonlyMap<string, OwnModel>;
}

/** Figures that are shown, and so asked for, before the others are wanted. */
const shownAtFirst = 12;

export default function Figures({ models }: FiguresParts) {
  const user = useMe().data?.user._id ?? '';
  const [isOpen, { open, close }] = useDisclosure();
  const [isWhole, setWhole] = useState(false);
  const [changed, setChanged] = useState<FigureView>();
  const [removed, setRemoved] = useState<SavedView>();
  const views = (useSavedViews().data ?? []).filter(isFigure);
  const all = inOrder(views);
  const order = useOrdering();
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
              edit={view.may_change && isReadable(model) ? () => setChanged(view) : undefined}
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
          <FigureForm models={offered} close={close} />
        </Suspense>
      ) : null}
      <ChangeFigure view={changed} model={models.get(changed?.model ?? '')} close={() => setChanged(undefined)} />
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

const ChangeFigure = ({ view, model, close }: ChangeParts) =>
  view === undefined || model === undefined ? null : (
    <Suspense fallback={null}>
      <FigureForm models={[model]} view={view} close={close} />
    </Suspense>
  );

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
