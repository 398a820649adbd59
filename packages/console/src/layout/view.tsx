/** The view of an address. Each is loaded when it is first shown. */
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { NoView, Waiting } from '../parts/states.tsx';
import { useNoTitleBefore } from '../parts/tab-title.ts';
import { focusBack, isFocusLost } from '../parts/use-focus-back.ts';
import { usePlace } from '../route.ts';
import { Home } from './home.tsx';
import type { ViewParts } from './view-parts.ts';

const views: Readonly<Record<string, ComponentType<ViewParts>>> = {
  documents: lazy(() => import('../documents/index.tsx')),
  import: lazy(() => import('../import/index.tsx')),
  live: lazy(() => import('../pages/live.tsx')),
  queries: lazy(() => import('../pages/queries/index.tsx')),
  functions: lazy(() => import('../pages/functions.tsx')),
  rights: lazy(() => import('../pages/rights.tsx')),
  users: lazy(() => import('../pages/people/users.tsx')),
  audit: lazy(() => import('../pages/audit/index.tsx')),
  webhooks: lazy(() => import('../pages/background/webhooks.tsx')),
  schedules: lazy(() => import('../pages/background/schedules.tsx')),
  jobs: lazy(() => import('../pages/background/jobs.tsx')),
  server: lazy(() => import('../pages/server/index.tsx')),
  reference: lazy(() => import('../reference/index.tsx')),
  account: lazy(() => import('../pages/people/account.tsx')),
};

/** Where what had the focus has gone with the view before, such as a link or a dialog, the keyboard begins in the next view. */
function useFocusInView(place: string): void {
  const before = useRef(place);
  useEffect(() => {
    if (before.current !== place && isFocusLost()) focusBack(null, '#main');
    before.current = place;
  }, [place]);
}

export function View() {
  const { path } = usePlace();
  const [name = '', ...rest] = path;
  useNoTitleBefore(path.join('/'));
  useFocusInView(path.join('/'));
  if (name === '') return <Home />;
  const Shown = Object.hasOwn(views, name) ? views[name] : undefined;
  if (Shown === undefined) return <NoView />;
  return (
    <ErrorBoundary key={name}>
      <Suspense fallback={<Waiting />}>
        <Shown key={path.join('/')} path={rest} />
      </Suspense>
    </ErrorBoundary>
  );
}
