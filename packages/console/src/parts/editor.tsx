/** An editor for JSON, which is loaded when it is first shown. */
import { lazy, Suspense } from 'react';
import type { EditorParts } from './editor-parts.ts';
import { Waiting } from './states.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

export const Editor = (parts: EditorParts) => (
  <Suspense fallback={<Waiting />}>
    <CodeEditor {...parts} />
  </Suspense>
);
