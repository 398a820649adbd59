/** One box over all models: results by model, chosen by the arrow keys and Enter. */
import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useId, useState } from 'react';
import { useModels } from '../api/models.ts';
import { useSavedViews } from '../api/saved-views.ts';
import { useWait } from '../parts/choice-list.ts';
import { FailureText } from '../parts/failure-text.tsx';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { useText } from '../parts/use-text.ts';
import { optionsFor } from './options.ts';
import { Results } from './results.tsx';
import { useFindings } from './use-findings.ts';

/** Milliseconds without a key after which a search begins. */
const pause = 250;

export function FindDialog({ close }: { readonly close: () => void }) {
  useFocusBack();
  const models = [...(useModels().data?.values() ?? [])];
  const views = useSavedViews().data ?? [];
  const text = useText();
  const [sought] = useDebouncedValue(text.value.trim(), pause);
  const { groups, error, isDone } = useFindings(models, sought);
  const options = optionsFor({ models, views, groups }, sought);
  const [chosen, setChosen] = useState<string>();
  const list = useId();
  const at = Math.max(
    0,
    options.findIndex(({ href }) => href === chosen),
  );
  const current = options[at];
  const isCurrent = text.value.trim() === sought;
  const open = (): void => {
    if (current === undefined) return;
    close();
    window.location.hash = current.href;
  };
  const [, wait] = useWait(text.value, isCurrent && isDone, open);
  const act = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setChosen(options[(at + step + options.length) % options.length]?.href);
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // the results may be those of an earlier text
    (isCurrent && current !== undefined ? open : wait)();
  };
  return (
    <Modal opened onClose={close} title="Search all models" size="lg" yOffset="8vh">
      <Stack gap="sm" onKeyDown={act}>
        <TextInput
          data-autofocus
          role="combobox"
          aria-label="Search all models"
          aria-expanded={options.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={current === undefined ? undefined : `${list}-${at}`}
          placeholder="A title, or the name of a model or view"
          autoComplete="off"
          {...text.input}
        />
        <Results list={list} options={options} at={at} close={close} />
        <Text size="sm" c="dimmed" role="status">
          {statusText(sought, options.length, isDone)}
        </Text>
        {error === undefined ? null : (
          <Text size="sm" c="var(--mantine-color-error)" component="div" role="alert">
            <FailureText error={error} />
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

function statusText(sought: string, results: number, isDone: boolean): string {
  if (sought === '') return 'Arrow keys choose, Enter opens, Escape closes.';
  if (!isDone) return 'Searching …';
  if (results === 0) return 'Nothing found. Titles are searched, and all words of models with a text index.';
  return results === 1 ? '1 result' : `${results} results`;
}
