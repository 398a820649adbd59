/** CodeMirror for JSON: brackets, faults, completion. */
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { nonce } from '../nonce.ts';
import type { Completion, EditorParts } from './editor-parts.ts';

const look = (isDark: boolean): Extension =>
  EditorView.theme(
    {
      '&': {
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 'var(--mantine-radius-sm)',
        backgroundColor: 'var(--mantine-color-default)',
        fontSize: 'var(--mantine-font-size-sm)',
      },
      '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
      '.cm-content': { minHeight: '6rem', caretColor: 'var(--mantine-color-text)' },
      '.cm-scroller': { overflow: 'auto', maxHeight: '24rem', fontFamily: 'var(--mantine-font-family-monospace)' },
    },
    { dark: isDark },
  );

/** Words inside of a text that has been begun. */
const completing = (words: readonly Completion[]): Extension =>
  autocompletion({
    override: [
      (context: CompletionContext): CompletionResult | null => {
        const begun = context.matchBefore(/"[$\w.]*/);
        if (begun === null) return null;
        return { from: begun.from + 1, options: words.map((word) => ({ ...word, type: 'property' })) };
      },
    ],
  });

/** An empty text is no value, and no fault. */
const faults = (view: EditorView): Diagnostic[] =>
  view.state.doc.toString().trim() === '' ? [] : jsonParseLinter()(view);

interface Latest {
  readonly set: EditorParts['set'];
  readonly run: EditorParts['run'];
}

function extensionsFor(parts: EditorParts, latest: { readonly current: Latest }, isDark: boolean): Extension[] {
  const { label, isReadOnly = false, words = [] } = parts;
  const execute = { key: 'Mod-Enter', run: () => (latest.current.run?.(), true) };
  return [
    EditorView.cspNonce.of(nonce()),
    keymap.of([execute, ...defaultKeymap, ...historyKeymap]),
    history(),
    json(),
    linter(faults),
    bracketMatching(),
    closeBrackets(),
    completing(words),
    // its colours are made for a light background
    ...(isDark ? [] : [syntaxHighlighting(defaultHighlightStyle)]),
    look(isDark),
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) latest.current.set(state.doc.toString());
    }),
  ];
}

export default function CodeEditor(parts: EditorParts) {
  const { value, set, run } = parts;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef<Latest>({ set, run });
  const first = useRef(parts);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    latest.current = { set, run };
  });
  useEffect(() => {
    if (place.current === null) return undefined;
    const doc = view.current?.state.doc.toString() ?? first.current.value;
    view.current = new EditorView({
      doc,
      parent: place.current,
      extensions: extensionsFor(first.current, latest, isDark),
    });
    return () => view.current?.destroy();
  }, [isDark]);
  // a value that did not come from the editor
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} />;
}
