/** An editor for JSON, which is loaded when it is first shown. */
import { lazy, Suspense } from 'react';
import { Waiting } from './states.tsx';

export interface Completion {
  readonly label: string;
  readonly detail: string;
}

export interface EditorParts {
  readonly label: string;
  readonly value: string;
  readonly set: (text: string) => void;
  readonly isReadOnly?: boolean;
  /** Words that the editor offers inside of texts, such as fields and operators. */
  readonly words?: readonly Completion[];
  /** What Ctrl+Enter does. */
  readonly run?: () => void;
}

const CodeEditor = lazy(() => import('./code-editor.tsx'));

export const Editor = (parts: EditorParts) => (
  <Suspense fallback={<Waiting />}>
    <CodeEditor {...parts} />
  </Suspense>
);
