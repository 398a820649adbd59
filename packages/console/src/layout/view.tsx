/** The view of an address. Each is loaded when it is first shown. */
import { Title } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Empty, Waiting } from '../parts/states.tsx';
import { usePlace } from '../route.ts';
import { Home } from './home.tsx';

export interface ViewParts {
  /** The parts of the path behind the name of the view. */
  readonly path: readonly string[];
}

const views: Readonly<Record<string, ComponentType<ViewParts>>> = {
  documents: lazy(() => import('../documents/index.tsx')),
};

export function View() {
  const { path } = usePlace();
  const [name = '', ...rest] = path;
  if (name === '') return <Home />;
  const Shown = Object.hasOwn(views, name) ? views[name] : undefined;
  if (Shown === undefined) return <Unknown />;
  return (
    <Suspense fallback={<Waiting />}>
      <Shown key={path.join('/')} path={rest} />
    </Suspense>
  );
}

const Unknown = () => (
  <>
    <Title order={1} size="h3">
      No such view
    </Title>
    <Empty>There is nothing at this address.</Empty>
  </>
);
